/* Opening a link: the ranks tell each other which devices they have. Of places with one device the
 * first is a member, since a link joins devices and not what shares them; the messages of the
 * others go by the host. Each member gets a room in its device's memory, and every pair exchanges a
 * few bytes, since links connect when they are first used.
 *
 * Whatever fails on one rank is agreed on after each step, so that no rank waits for a lost one. */
#include "runtime/machine/world_link.h"

#include "runtime/base/alloc.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/runtime_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ROOM_BYTES ((size_t)64 << 20)
enum { ROOM_PART = 16 };           /* a room takes at most 1/16 of the device's limit */
enum { LEAST_MESSAGE_BYTES = 64 }; /* a link for less than that is of no use */

bool tsr__link_joins(const tsr_link *link, int place, int peer)
{
  return link != NULL && link->member[place] >= 0 && link->member[peer] >= 0;
}

/* One rank's failure becomes every rank's. */
static tsr_status agree(const tsr_world *w, bool is_well, tsr_status failure, char *message,
                        size_t size)
{
  return tsr__agree_status(w->transport, is_well ? TSR_OK : failure, message, size);
}

/* Is there on this rank what the kind needs? */
static bool can_be(const tsr_world *w, const tsr_link_ops *ops, char *message, size_t size)
{
  char why[300];
  if (strcmp(w->config.device, ops->device) != 0) {
    snprintf(message, size,
             "TESSERA_LINK is %s, which joins devices of the kind %s, but TESSERA_DEVICE is %s",
             ops->name, ops->device, w->config.device);
    return false;
  }
  if (w->config.seed != 0) {
    snprintf(message, size,
             "TESSERA_LINK is %s, but TESSERA_SEED is set: a link's order is not drawn from a seed",
             ops->name);
    return false;
  }
  if (ops->is_here(why, sizeof why)) return true;
  snprintf(message, size,
           "TESSERA_LINK is %s, but %s\nhelp: TESSERA_LINK=host sends messages by way of the host",
           ops->name, why);
  return false;
}

/* Finds the members. Returns their number, or -1 if a device cannot be told from others. */
static int find_members(const tsr_world *w, tsr_link *l, char *message, size_t size)
{
  const int n = tsr__world_n_places(w);
  const size_t one = TSR_LINK_DEVICE_BYTES, mine = one * (size_t)w->n_places;
  unsigned char ids[TSR_MAX_PLACES * TSR_LINK_DEVICE_BYTES] = {0};
  unsigned char *all = tsr__calloc((size_t)n, one);
  bool is_well = true;
  for (int i = 0; i < w->n_places && is_well; i++)
    is_well = l->ops->identify(w->places[i].device, ids + one * (size_t)i, message, size);
  tsr_status status = agree(w, is_well, TSR_ERR_CONFIG, message, size);
  if (status == TSR_OK) status = tsr__allgather(w->transport, ids, mine, all);
  int n_members = 0;
  for (int i = 0; i < n; i++) {
    bool is_new = true;
    for (int k = 0; k < i && is_new; k++)
      is_new = memcmp(all + one * (size_t)i, all + one * (size_t)k, one) != 0;
    l->member[i] = is_new ? n_members++ : -1;
  }
  free(all);
  return status == TSR_OK ? n_members : -1;
}

/* The rank that the first member is of, which is rank 0, invites the others. */
static tsr_status invite(const tsr_world *w, const tsr_link *l, unsigned char *id, char *message,
                         size_t size)
{
  const bool is_well = w->rank != 0 || l->ops->invite(id, message, size);
  TSR_TRY(agree(w, is_well, TSR_ERR_CONFIG, message, size));
  return tsr__bcast(w->transport, 0, id, TSR_LINK_ID_BYTES);
}

/* A rank that fails says why before the ranks agree: the others may wait for it in a call of the
 * link's library that sets no time limit. */
static void tell_at_once(const tsr_world *w, const tsr_link *l, const char *message)
{
  tsr__log(w, 0, "rank %d cannot take part in TESSERA_LINK=%s: %s", w->rank, l->ops->name, message);
}

static tsr_status join(const tsr_world *w, tsr_link *l, char *message, size_t size)
{
  unsigned char id[TSR_LINK_ID_BYTES] = {0};
  tsr_device *devices[TSR_MAX_PLACES];
  tsr_link_end *ends[TSR_MAX_PLACES];
  int numbers[TSR_MAX_PLACES], places[TSR_MAX_PLACES], n = 0;
  TSR_TRY(invite(w, l, id, message, size));
  for (int i = 0; i < w->n_places; i++) {
    const int number = l->member[w->places[i].number];
    if (number < 0) continue;
    devices[n] = w->places[i].device;
    places[n] = i;
    numbers[n++] = number;
  }
  const bool is_well =
      n == 0 || l->ops->join(devices, numbers, n, l->n_members, id, ends, message, size);
  for (int i = 0; i < n && is_well; i++) l->ends[places[i]] = ends[i];
  if (!is_well) tell_at_once(w, l, message);
  return agree(w, is_well, TSR_ERR_CONFIG, message, size);
}

/* In the worst case a member sends to all others and receives from them at once. */
static tsr_status take_rooms(const tsr_world *w, tsr_link *l, char *message, size_t size)
{
  const size_t limit = tsr__world_resident_limit(w), n_parts = 2 * ((size_t)l->n_members - 1);
  l->room_bytes =
      limit > 0 && limit / ROOM_PART < MOST_ROOM_BYTES ? limit / ROOM_PART : MOST_ROOM_BYTES;
  l->most_bytes = l->room_bytes / n_parts / TSR_LINK_UNIT_BYTES * TSR_LINK_UNIT_BYTES;
  if (l->most_bytes < LEAST_MESSAGE_BYTES) {
    snprintf(message, size,
             "TESSERA_LINK is %s, but a device's memory of %zu bytes is too small for messages "
             "between %d devices",
             l->ops->name, limit, l->n_members);
    return TSR_ERR_CONFIG;
  }
  bool is_well = true;
  for (int i = 0; i < w->n_places && is_well; i++) {
    if (l->ends[i] == NULL) continue;
    l->rooms[i] = tsr__memory_alloc(w->places[i].memory, l->room_bytes);
    is_well = l->rooms[i] != NULL;
  }
  if (!is_well)
    snprintf(message, size, "TESSERA_LINK is %s, but a device has no %zu bytes for messages",
             l->ops->name, l->room_bytes);
  return agree(w, is_well, TSR_ERR_MEMORY, message, size);
}

/* Lets every pair of members exchange a few bytes. */
static bool warm(const tsr_world *w, const tsr_link *l, char *message, size_t size)
{
  tsr_link_part *parts =
      tsr__calloc(2 * (size_t)l->n_members * (size_t)w->n_places + 1, sizeof *parts);
  int n = 0;
  for (int i = 0; i < w->n_places; i++) {
    if (l->ends[i] == NULL) continue;
    char *at = l->rooms[i];
    for (int peer = 0; peer < l->n_members; peer++) {
      if (peer == l->member[w->places[i].number]) continue;
      for (int send = 0; send < 2; send++, at += TSR_LINK_UNIT_BYTES)
        parts[n++] = (tsr_link_part){l->ends[i], peer, send, at, TSR_LINK_UNIT_BYTES};
    }
  }
  bool is_well = l->ops->exchange(parts, n, message, size);
  for (int i = 0; i < w->n_places && is_well; i++) {
    tsr_device *d = w->places[i].device;
    if (l->ends[i] == NULL) continue;
    tsr__device_wait(d, tsr__device_record(d, TSR_QUEUE_LINK));
    is_well = l->ops->is_well(l->ends[i], message, size);
    if (!is_well || tsr__device_status(d) == TSR_OK) continue;
    snprintf(message, size, "%s", d->message);
    is_well = false;
  }
  free(parts);
  return is_well;
}

/* Returns whether some of two ranks' devices are joined; says so if not all are. */
static bool has_members(const tsr_world *w, const tsr_link *l)
{
  const int n_places = tsr__world_n_places(w);
  int first = -1;
  bool joins = false;
  for (int i = 0; i < n_places; i++) {
    if (l->member[i] < 0) continue;
    if (first < 0) first = tsr__world_rank_of(w, i);
    joins = joins || tsr__world_rank_of(w, i) != first;
  }
  if (w->rank == 0 && l->n_members < n_places && w->size > 1)
    tsr__log(w, 0,
             "%d of %d places have a device that another place has: their messages go by the "
             "host, not by %s; ranks that share a GPU take turns on it unless NVIDIA's MPS runs",
             n_places - l->n_members, n_places, l->ops->name);
  return joins;
}

static tsr_status open_link(const tsr_world *w, tsr_link *l, char *message, size_t size)
{
  TSR_TRY(join(w, l, message, size));
  TSR_TRY(take_rooms(w, l, message, size));
  const bool is_well = warm(w, l, message, size);
  if (!is_well) tell_at_once(w, l, message);
  return agree(w, is_well, TSR_ERR_CONFIG, message, size);
}

static void destroy(const tsr_world *w, tsr_link *l, bool is_lost)
{
  for (int i = 0; i < w->n_places; i++) {
    if (l->ends[i] == NULL) continue;
    l->ops->leave(l->ends[i], is_lost);
    tsr__memory_free(w->places[i].memory, l->rooms[i], l->room_bytes);
  }
  free(l->member);
  free(l);
}

tsr_status tsr__world_link_open(tsr_world *w, tsr_link **out, char *message, size_t size)
{
  const tsr_link_ops *ops = tsr__link_find(w->config.link);
  *out = NULL;
  if (ops == NULL) return TSR_OK;
  TSR_TRY(agree(w, can_be(w, ops, message, size), TSR_ERR_CONFIG, message, size));
  tsr_link *l = tsr__calloc(1, sizeof *l);
  l->ops = ops;
  l->member = tsr__calloc((size_t)tsr__world_n_places(w), sizeof *l->member);
  l->n_members = find_members(w, l, message, size);
  tsr_status status = l->n_members < 0 ? TSR_ERR_CONFIG : TSR_OK;
  const bool any = status == TSR_OK && has_members(w, l);
  if (any) status = open_link(w, l, message, size);
  if (any && status == TSR_OK)
    *out = l;
  else
    destroy(w, l, true);
  return status;
}

void tsr__world_link_close(tsr_world *w, tsr_link *link)
{
  if (link != NULL) destroy(w, link, false);
}
