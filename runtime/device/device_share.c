/* How the devices of a node are shared out. A node's devices are a list, the same on every node:
 * those that TESSERA_DEVICES lists, else all that the kind counts there. The node's ranks take them
 * in the order of their node-local ranks: where there are enough, each rank takes equally many
 * consecutive ones; else neighbours in that order share one. A device may be listed more than once:
 * then several places share it. All of it is a function of the agreed
 * settings and of numbers that every rank could know of every other. */
#include "runtime/device/device.h"
#include "runtime/base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NUMBER = 4095 };

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

/* Reads the number at *s, which moves behind it; -1 if there is none or it is over `most`. */
static int read_number(const char **s, int most)
{
  if (!is_digit(**s)) return -1;
  int value = 0;
  for (; is_digit(**s); ++*s)
    if (value <= most) value = value * 10 + (**s - '0');
  return value <= most ? value : -1;
}

bool tsr__device_list_read(const char *text, tsr_device_list *list, size_t *at, const char **why)
{
  *list = (tsr_device_list){0};
  *at = 0;
  if (text[0] == '\0') return true;
  const char *s = text;
  const bool is_count = strchr(text, ',') == NULL;
  *why = is_count ? "is not a count from 1 to 64" : "is not the number of a device, 0 to 4095";
  do {
    *at = (size_t)(s - text);
    const int value = read_number(&s, is_count ? TSR_MAX_NODE_DEVICES : MAX_NUMBER);
    if (value < 0 || (is_count && value == 0)) return false;
    if (list->n == TSR_MAX_NODE_DEVICES) {
      *why = "begins a 65th device; there may be 64";
      return false;
    }
    list->number[list->n++] = value;
    if (*s != '\0' && *s != ',') {
      *at = (size_t)(s - text);
      *why = is_count ? "is no digit" : "is neither a digit nor a comma";
      return false;
    }
    if (*s == ',') s++;
  } while (*s != '\0');
  if (!is_count) return true;
  list->n = list->number[0];
  for (int i = 0; i < list->n; i++) list->number[i] = i;
  return true;
}

/* Finds the devices of each node. list->n is 0 where there are as many as are asked for. */
static tsr_status find_devices(const tsr_device_ops *kind, const char *devices,
                               tsr_device_list *list, char *message, size_t size)
{
  size_t at;
  const char *why;
  if (!tsr__device_list_read(devices, list, &at, &why)) return TSR_ERR_CONFIG; /* read before */
  char reason[300] = "";
  const int n = kind->count != NULL ? kind->count(reason, sizeof reason) : -1;
  if (n == 0) {
    snprintf(message, size, "this node has no device %s (TESSERA_DEVICE)%s%s", kind->name,
             reason[0] != '\0' ? ": " : "", reason);
    return TSR_ERR_CONFIG;
  }
  if (n < 0) return TSR_OK;
  if (list->n == 0)
    for (; list->n < n && list->n < TSR_MAX_NODE_DEVICES; list->n++)
      list->number[list->n] = list->n;
  for (int i = 0; i < list->n; i++) {
    if (list->number[i] < n) continue;
    snprintf(message, size,
             "TESSERA_DEVICES is \"%s\", but there is no device %s %d: this node has %d\nhelp: %s",
             devices, kind->name, list->number[i], n,
             kind->caps & TSR_DEVICE_IS_HOST ? "TESSERA_PLACES divides the host's memory"
                                             : "devices are numbered from 0");
    return TSR_ERR_CONFIG;
  }
  return TSR_OK;
}

/* The index of the device that a rank shares where there are fewer devices than ranks. */
static int shared_device(int n_devices, int node_rank, int node_size)
{
  return (int)((int64_t)node_rank * n_devices / node_size);
}

/* The position in the list of the device that a rank's i-th place has. */
static int listed_at(const tsr_device_list *list, int i, int node_rank, int node_size)
{
  const int per_rank = list->n / node_size;
  return per_rank > 0 ? node_rank * per_rank + i : shared_device(list->n, node_rank, node_size);
}

/* Counts the places of the node, and the ranks, that have one of this rank's devices: the most of
 * any of them. Every rank has as many places. */
static void count_sharers(const tsr_device_list *list, int node_rank, int node_size,
                          tsr_device_share *share)
{
  for (int mine = 0; mine < share->n_places; mine++) {
    const int number = list->number[listed_at(list, mine, node_rank, node_size)];
    int n_ranks = 0, n_places = 0;
    for (int r = 0; r < node_size; r++) {
      const int before = n_places;
      for (int i = 0; i < share->n_places; i++)
        n_places += list->number[listed_at(list, i, r, node_size)] == number;
      n_ranks += n_places > before;
    }
    if (n_ranks > share->n_sharers) share->n_sharers = n_ranks;
    if (n_places > share->n_place_sharers) share->n_place_sharers = n_places;
  }
}

/* Repeats the devices until each place has one: of a kind that counts them, where none are listed
 * and each rank is asked for more places than it would have. */
static void repeat(tsr_device_list *list, int n_wanted)
{
  const int n = list->n;
  if (n_wanted > TSR_MAX_NODE_DEVICES) return;
  list->n = n_wanted;
  for (int i = 0; i < n_wanted; i++) list->number[i] = (int)((int64_t)i * n / n_wanted);
}

tsr_status tsr__device_share_of(const tsr_device_ops *kind, const char *devices, int n_asked,
                                int node_rank, int node_size, tsr_device_share *out, char *message,
                                size_t size)
{
  tsr_device_list list;
  TSR_TRY(find_devices(kind, devices, &list, message, size));
  const bool has_parts = kind->caps & TSR_DEVICE_IS_HOST;
  tsr_device_share share = {.n_devices = list.n, .n_sharers = 1, .n_place_sharers = 1};
  if (kind->count != NULL && !has_parts && devices[0] == '\0' && n_asked > list.n / node_size)
    repeat(&list, n_asked * node_size);
  int per_rank = list.n / node_size, first = node_rank * per_rank;
  if (list.n == 0) { /* each rank has devices of its own */
    per_rank = n_asked > 0 ? n_asked : 1;
    first = node_rank * per_rank;
  } else if (per_rank == 0) {
    per_rank = 1;
    first = shared_device(list.n, node_rank, node_size);
  }
  if (n_asked > per_rank && !has_parts) {
    snprintf(message, size,
             "TESSERA_PLACES is %d, but of this node's %d devices %s (TESSERA_DEVICES) each of its "
             "%d ranks has %d%s\nhelp: fewer places, more devices, or fewer ranks on a node",
             n_asked, list.n, kind->name, node_size, per_rank,
             list.n < node_size ? ", together with others" : "");
    return TSR_ERR_CONFIG;
  }
  share.n_places = n_asked > 0 ? n_asked : per_rank;
  if (share.n_places > TSR_MAX_PLACES) share.n_places = TSR_MAX_PLACES;
  for (int i = 0; i < share.n_places; i++) {
    const int at = has_parts ? first : first + i;
    share.number[i] = list.n > 0 ? list.number[at] : at;
  }
  if (!has_parts && list.n > 0) count_sharers(&list, node_rank, node_size, &share);
  *out = share;
  return TSR_OK;
}
