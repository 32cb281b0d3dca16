/* Opening a link: the ranks tell each other which devices they have, and where. Every place is a
 * member or, of a kind that joins devices and not what shares them, the first of each device; the
 * messages of the others go by the host. Each member gets a buffer in its device's memory, and
 * every pair exchanges a few bytes, since links connect when they are first used.
 *
 * Whatever fails on one rank is agreed on after each step, so that no rank waits for a lost one. */
#include "runtime/machine/world_link.h"

#include "runtime/base/alloc.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/runtime_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BUFFER_BYTES ((size_t)64 << 20)
enum { BUFFER_PART = 16 };         /* a buffer takes at most 1/16 of the device's limit */
enum { LEAST_MESSAGE_BYTES = 64 }; /* a link for less than that is of no use */

bool tsr__link_joins(const tsr_link *link, int place, int peer)
{
  return link != NULL && link->member[place] >= 0 && link->member[peer] >= 0 &&
         link->group[place] == link->group[peer];
}

/* One rank's failure becomes every rank's. */
static tsr_status agree(const tsr_world *w, bool is_well, tsr_status failure, char *message,
                        size_t size)
{
  return tsr__agree_status(w->transport, is_well ? TSR_OK : failure, message, size);
}

/* Does the kind fit the settings? */
static bool fits_settings(const tsr_world *w, const tsr_link_ops *ops, char *message, size_t size)
{
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
  return true;
}

/* Is there on this rank what the kind needs? */
static bool is_available(const tsr_link_ops *ops, char *message, size_t size)
{
  char why[300];
  if (ops->is_available(why, sizeof why)) return true;
  snprintf(message, size,
           "TESSERA_LINK is %s, but %s\nhelp: TESSERA_LINK=host sends messages by way of the host",
           ops->name, why);
  return false;
}

/** What a rank tells of a place. */
typedef struct place_card {
  unsigned char device[TSR_LINK_DEVICE_BYTES];
  int32_t node; /* the first rank of the node */
} place_card;

/* Numbers the members by what all places told. Returns how many there are in the largest group. */
static int number_members(const tsr_world *w, tsr_link *l, const place_card *cards)
{
  const int n = tsr__world_n_places(w);
  int most = 0, mine = -1;
  for (int i = 0; i < n; i++) {
    bool is_new = true;
    int n_before = 0;
    l->group[i] = l->ops->traits & TSR_LINK_OF_NODE ? cards[i].node : 0;
    for (int k = 0; k < i; k++) {
      is_new = is_new && memcmp(cards[i].device, cards[k].device, TSR_LINK_DEVICE_BYTES) != 0;
      n_before += l->member[k] >= 0 && l->group[k] == l->group[i];
    }
    const bool is_member = is_new || !(l->ops->traits & TSR_LINK_OF_DEVICES);
    l->member[i] = is_member ? n_before : -1;
    if (is_member && n_before + 1 > most) most = n_before + 1;
    if (tsr__world_rank_of(w, i) == w->rank) mine = l->group[i];
  }
  l->n_members = 0;
  for (int i = 0; i < n; i++) l->n_members += l->member[i] >= 0 && l->group[i] == mine;
  return most;
}

/* Finds the members. Returns the number of the largest group's, or -1 if a device cannot be told
 * from others. */
static int find_members(const tsr_world *w, tsr_link *l, char *message, size_t size)
{
  place_card mine[TSR_MAX_PLACES];
  memset(mine, 0, sizeof mine);
  bool is_well = true;
  for (int i = 0; i < w->n_places && is_well; i++) {
    mine[i].node = w->transport->node_first;
    is_well = l->ops->identify(w->places[i].device, mine[i].device, message, size);
  }
  tsr_status status = agree(w, is_well, TSR_ERR_CONFIG, message, size);
  place_card *all = tsr__calloc((size_t)tsr__world_n_places(w), sizeof *all);
  if (status == TSR_OK)
    status = tsr__allgather(w->transport, mine, sizeof *all * (size_t)w->n_places, all);
  const int n = status == TSR_OK ? number_members(w, l, all) : -1;
  free(all);
  return n;
}

/* A rank that fails says why before the ranks agree: the others may wait for it in a call of the
 * link's library that sets no time limit. */
static void tell_at_once(const tsr_world *w, const tsr_link *l, const char *message)
{
  if (!(l->ops->traits & TSR_LINK_GIVES_WAY))
    tsr__log(w, 0, "rank %d cannot take part in TESSERA_LINK=%s: %s", w->rank, l->ops->name,
             message);
}

/* Opens this rank's ends, whose cards all ranks get, by place. */
static tsr_status open_ends(const tsr_world *w, tsr_link *l, unsigned char *all, char *message,
                            size_t size)
{
  const size_t one = TSR_LINK_CARD_BYTES;
  unsigned char mine[TSR_MAX_PLACES * TSR_LINK_CARD_BYTES] = {0};
  bool is_well = true;
  for (int i = 0; i < w->n_places && is_well; i++) {
    const tsr_link_seat seat = {.device = w->places[i].device,
                                .number = l->member[w->places[i].number],
                                .n_members = l->n_members,
                                .most_bytes = l->most_bytes};
    if (seat.number >= 0)
      is_well = l->ops->open(&seat, mine + one * (size_t)i, &l->ends[i], message, size);
  }
  TSR_TRY(agree(w, is_well, TSR_ERR_CONFIG, message, size));
  return tsr__allgather(w->transport, mine, one * (size_t)w->n_places, all);
}

/* Joins the ends by the cards of their group. */
static tsr_status join_ends(const tsr_world *w, tsr_link *l, const unsigned char *all,
                            char *message, size_t size)
{
  const size_t one = TSR_LINK_CARD_BYTES;
  unsigned char *cards = tsr__calloc((size_t)l->n_members + 1, one);
  tsr_link_end *ends[TSR_MAX_PLACES];
  int n = 0;
  for (int i = 0; i < tsr__world_n_places(w); i++)
    if (l->member[i] >= 0 && l->group[i] == l->group[w->places[0].number])
      memcpy(cards + one * (size_t)l->member[i], all + one * (size_t)i, one);
  for (int i = 0; i < w->n_places; i++)
    if (l->ends[i] != NULL) ends[n++] = l->ends[i];
  const bool is_well = n == 0 || l->ops->join(ends, n, cards, message, size);
  free(cards);
  if (!is_well) tell_at_once(w, l, message);
  return agree(w, is_well, TSR_ERR_CONFIG, message, size);
}

static tsr_status open_and_join(const tsr_world *w, tsr_link *l, char *message, size_t size)
{
  unsigned char *all = tsr__calloc((size_t)tsr__world_n_places(w), TSR_LINK_CARD_BYTES);
  l->has_ends = true;
  tsr_status status = open_ends(w, l, all, message, size);
  if (status == TSR_OK) status = join_ends(w, l, all, message, size);
  free(all);
  return status;
}

/* In the worst case a member sends to all others and receives from them at once. */
static tsr_status find_sizes(const tsr_world *w, tsr_link *l, int most_members, char *message,
                             size_t size)
{
  const size_t limit = tsr__world_resident_limit(w), n_areas = 2 * ((size_t)most_members - 1);
  l->buffer_bytes = limit > 0 && limit / BUFFER_PART < MOST_BUFFER_BYTES ? limit / BUFFER_PART
                                                                         : MOST_BUFFER_BYTES;
  l->most_bytes = l->buffer_bytes / n_areas / TSR_LINK_UNIT_BYTES * TSR_LINK_UNIT_BYTES;
  if (l->most_bytes < LEAST_MESSAGE_BYTES) {
    snprintf(message, size,
             "TESSERA_LINK is %s, but a device's memory of %zu bytes is too small for messages "
             "between %d devices",
             l->ops->name, limit, most_members);
    return TSR_ERR_CONFIG;
  }
  return TSR_OK;
}

static tsr_status take_buffers(const tsr_world *w, tsr_link *l, char *message, size_t size)
{
  bool is_well = true;
  for (int i = 0; i < w->n_places && is_well; i++) {
    if (l->ends[i] == NULL) continue;
    l->buffers[i] = tsr__memory_alloc(w->places[i].memory, l->buffer_bytes);
    is_well = l->buffers[i] != NULL;
  }
  if (!is_well)
    snprintf(message, size, "TESSERA_LINK is %s, but a device has no %zu bytes for messages",
             l->ops->name, l->buffer_bytes);
  return agree(w, is_well, TSR_ERR_MEMORY, message, size);
}

/* Puts an exchange of a few bytes between every pair of members. */
static bool put_first(const tsr_world *w, const tsr_link *l, char *message, size_t size)
{
  tsr_link_message *messages =
      tsr__calloc(2 * (size_t)l->n_members * (size_t)w->n_places + 1, sizeof *messages);
  int n = 0;
  for (int i = 0; i < w->n_places; i++) {
    if (l->ends[i] == NULL) continue;
    char *at = l->buffers[i];
    for (int peer = 0; peer < l->n_members; peer++) {
      if (peer == l->member[w->places[i].number]) continue;
      for (int send = 0; send < 2; send++, at += TSR_LINK_UNIT_BYTES)
        messages[n++] = (tsr_link_message){l->ends[i], peer, send, at, TSR_LINK_UNIT_BYTES};
    }
  }
  const bool is_put = l->ops->exchange(messages, n, message, size);
  free(messages);
  return is_put;
}

/* Waits for it, which all ranks have put. */
static bool wait_first(const tsr_world *w, const tsr_link *l, char *message, size_t size)
{
  bool is_well = true;
  for (int i = 0; i < w->n_places && is_well; i++) {
    tsr_device *d = w->places[i].device;
    if (l->ends[i] == NULL) continue;
    tsr__device_wait(d, tsr__device_record(d, TSR_QUEUE_LINK));
    is_well = l->ops->is_well(l->ends[i], message, size);
    if (!is_well || tsr__device_status(d) == TSR_OK) continue;
    snprintf(message, size, "%s", d->message);
    is_well = false;
  }
  return is_well;
}

static tsr_status warm(const tsr_world *w, const tsr_link *l, char *message, size_t size)
{
  bool is_well = put_first(w, l, message, size);
  if (!is_well) tell_at_once(w, l, message);
  TSR_TRY(agree(w, is_well, TSR_ERR_CONFIG, message, size));
  is_well = wait_first(w, l, message, size);
  if (!is_well) tell_at_once(w, l, message);
  return agree(w, is_well, TSR_ERR_CONFIG, message, size);
}

/* Returns whether some of two ranks' devices are joined; says so if not all are. */
static bool has_members(const tsr_world *w, const tsr_link *l)
{
  const int n_places = tsr__world_n_places(w);
  int n = 0;
  bool joins = false;
  for (int i = 0; i < n_places; i++) {
    n += l->member[i] >= 0;
    for (int k = 0; k < i && !joins; k++)
      joins = tsr__link_joins(l, i, k) && tsr__world_rank_of(w, i) != tsr__world_rank_of(w, k);
  }
  if (w->rank == 0 && n < n_places && w->size > 1)
    tsr__log(w, 0,
             "%d of %d places have a device that another place has: their messages go by the "
             "host, not by %s; ranks that share a GPU take turns on it unless NVIDIA's MPS runs",
             n_places - n, n_places, l->ops->name);
  return joins;
}

static tsr_status open_link(const tsr_world *w, tsr_link *l, int most_members, char *message,
                            size_t size)
{
  TSR_TRY(find_sizes(w, l, most_members, message, size));
  TSR_TRY(open_and_join(w, l, message, size));
  TSR_TRY(take_buffers(w, l, message, size));
  return warm(w, l, message, size);
}

/* Collective. */
static void destroy(const tsr_world *w, tsr_link *l, bool is_lost)
{
  if (l == NULL) return;
  for (int i = 0; i < w->n_places; i++)
    if (l->ends[i] != NULL && l->ops->stop != NULL) l->ops->stop(l->ends[i], is_lost);
  if (l->has_ends && l->ops->stop != NULL) (void)tsr__barrier(w->transport);
  for (int i = 0; i < w->n_places; i++) {
    if (l->ends[i] == NULL) continue;
    l->ops->leave(l->ends[i], is_lost);
    tsr__memory_free(w->places[i].memory, l->buffers[i], l->buffer_bytes);
  }
  free(l->member);
  free(l->group);
  free(l);
}

/* Opens the link, if there is one between ranks; all of it or nothing. */
static tsr_status try_link(const tsr_world *w, const tsr_link_ops *ops, tsr_link **out,
                           char *message, size_t size)
{
  TSR_TRY(agree(w, is_available(ops, message, size), TSR_ERR_CONFIG, message, size));
  tsr_link *l = tsr__calloc(1, sizeof *l);
  l->ops = ops;
  l->member = tsr__calloc((size_t)tsr__world_n_places(w), sizeof *l->member);
  l->group = tsr__calloc((size_t)tsr__world_n_places(w), sizeof *l->group);
  const int most_members = find_members(w, l, message, size);
  tsr_status status = most_members < 0 ? TSR_ERR_CONFIG : TSR_OK;
  const bool any = status == TSR_OK && has_members(w, l);
  if (any) status = open_link(w, l, most_members, message, size);
  if (any && status == TSR_OK)
    *out = l;
  else
    destroy(w, l, true);
  return status;
}

/* What fails of a kind that gives way is said once, and messages go by the host, unless a device
 * has failed with it. */
static tsr_status give_way(const tsr_world *w, tsr_status status, char *message, size_t size)
{
  char why[400];
  bool is_well = true;
  for (int i = 0; i < w->n_places && is_well; i++) {
    is_well = tsr__device_status(w->places[i].device) == TSR_OK;
    if (!is_well) snprintf(why, sizeof why, "%s", w->places[i].device->message);
  }
  const tsr_status lost = agree(w, is_well, status, why, sizeof why);
  if (lost < 0) {
    snprintf(message, size, "%s", why);
    return lost;
  }
  if (message[0] != '\0')
    tsr__log(w, 0, "messages between ranks' devices go by the host: %s", message);
  message[0] = '\0';
  return TSR_OK;
}

tsr_status tsr__world_link_open(tsr_world *w, tsr_link **out, char *message, size_t size)
{
  const tsr_link_ops *ops = tsr__link_find(w->config.link);
  *out = NULL;
  if (ops == NULL) return TSR_OK;
  TSR_TRY(agree(w, fits_settings(w, ops, message, size), TSR_ERR_CONFIG, message, size));
  message[0] = '\0';
  const tsr_status status = try_link(w, ops, out, message, size);
  if (status == TSR_OK || !(ops->traits & TSR_LINK_GIVES_WAY)) return status;
  return give_way(w, status, message, size);
}

void tsr__world_link_close(tsr_world *w, tsr_link *link)
{
  destroy(w, link, false);
}
