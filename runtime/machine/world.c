/* One rank's part of the runtime. When a world is opened, the ranks agree on everything that their
 * decisions may depend on. */
#include "runtime/machine/file_memory.h"
#include "runtime/machine/ranges.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/runtime_int.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What a rank brings to an agreement, and what comes of it. */
typedef struct terms {
  uint64_t limit, device_limit;
  int32_t n_places;
  tsr_status status; /* the first failure of the lowest rank that has one */
  int32_t rank;      /* the rank of that failure */
  int32_t unused;
} terms;

static void meet(void *into, const void *from, void *user)
{
  (void)user;
  terms a, b;
  memcpy(&a, into, sizeof a);
  memcpy(&b, from, sizeof b);
  if (b.limit < a.limit) a.limit = b.limit;
  if (b.device_limit < a.device_limit) a.device_limit = b.device_limit;
  if (b.n_places < a.n_places) a.n_places = b.n_places;
  if (b.status < 0 && (a.status == TSR_OK || b.rank < a.rank)) a.status = b.status, a.rank = b.rank;
  memcpy(into, &a, sizeof a);
}

/* Agrees on the terms. One rank's failure becomes every rank's, with that rank's text. */
static tsr_status agree_on(tsr_transport *t, terms *x, char *message, size_t size)
{
  x->rank = t->rank;
  const tsr_status status = tsr__allreduce(t, x, sizeof *x, meet, NULL);
  if (status < 0)
    snprintf(message, size, "the ranks could not agree on the settings");
  else if (x->status == TSR_OK || x->rank != t->rank)
    message[0] = '\0';
  return status < 0 ? status : x->status;
}

tsr_status tsr__agree_status(tsr_transport *t, tsr_status status, char *message, size_t size)
{
  terms x = {.status = status};
  return agree_on(t, &x, message, size);
}

static uint64_t share_of(int64_t bytes, int n_sharers)
{
  const uint64_t all = (uint64_t)bytes, n = (uint64_t)n_sharers;
  return all > n ? all / n : 1;
}

/* The memory of a place's device that this rank would choose: the setting, else what the kind tells
 * of the smallest of its devices. 0: it is a part of the rank's memory limit, because that is set
 * or the kind tells nothing. All places on a device share it. */
static uint64_t own_device_limit(const tsr_device_ops *kind, const tsr_machine *machine,
                                 const tsr_config *config, const tsr_device_share *share)
{
  uint64_t least = (uint64_t)config->device_memory_bytes;
  if (least == 0 && machine->config.memory_bytes > 0) return 0;
  for (int i = 0; i < share->n_places && config->device_memory_bytes == 0; i++) {
    const uint64_t bytes = kind->memory != NULL ? kind->memory(share->number[i]) : 0;
    if (bytes == 0) return 0;
    if (i == 0 || bytes < least) least = bytes;
  }
  return least > 0 ? share_of((int64_t)least, share->n_place_sharers) : 0;
}

/* The memory limit that this rank would choose: the setting, else 80 % of its share of what the
 * node's other users left. 0: unknown, none. Ranks that share a device share its memory. */
static uint64_t own_limit(const tsr_machine *machine, const tsr_transport *transport,
                          const tsr_config *config, const tsr_device_share *share)
{
  const int64_t set = machine->config.memory_bytes;
  if (set == 0) return machine->topology.available_bytes / 10 * 8 / (uint64_t)transport->node_size;
  const bool is_host = tsr__device_find(config->device)->caps & TSR_DEVICE_IS_HOST;
  return is_host || config->device_memory_bytes > 0 ? (uint64_t)set
                                                    : share_of(set, share->n_sharers);
}

enum { DEFAULT_CACHE = 1 << 19 }; /* bytes, where the machine does not say */

static tsr_status agree_on_settings(const tsr_machine *machine, tsr_transport *transport,
                                    tsr_config *config)
{
  tsr_config rank0;
  memcpy(config, &machine->config, sizeof *config);
  memcpy(&rank0, &machine->config, sizeof rank0);
  if (rank0.ranks_per_core == 0) rank0.ranks_per_core = machine->ranks_per_core;
  if (rank0.halo_cache == 0) rank0.halo_cache = (int64_t)machine->topology.l2_bytes;
  if (rank0.halo_cache == 0) rank0.halo_cache = DEFAULT_CACHE;
  TSR_TRY(tsr__bcast(transport, 0, &rank0, sizeof rank0));
  tsr__config_adopt(config, &rank0);
  config->replicate_max /= config->ranks_per_core; /* a core computes no more than one rank does */
  return TSR_OK;
}

const char *tsr__auto_device(char *why, size_t size)
{
  const tsr_device_ops *cuda = &tsr__device_cuda;
  return cuda->count(why, size) > 0 && cuda->has_compiler(why, size) ? cuda->name : "cpu";
}

/* TESSERA_DEVICE=auto: devices that compute faster where every rank has some, else the host. */
static tsr_status settle_auto(const tsr_machine *machine, tsr_transport *transport,
                              tsr_config *config)
{
  char why[300] = "";
  const bool has = strcmp(tsr__auto_device(why, sizeof why), "cpu") != 0;
  const tsr_status all =
      tsr__agree_status(transport, has ? TSR_OK : TSR_ERR_CONFIG, why, sizeof why);
  if (all < 0 && all != TSR_ERR_CONFIG) return all;
  if (!has && why[0] != '\0' && machine->config.debug >= 1)
    fprintf(stderr, "tessera[%d]: TESSERA_DEVICE=auto is cpu: %s\n", transport->rank, why);
  snprintf(config->device, sizeof config->device, "%s",
           all == TSR_OK ? tsr__device_cuda.name : tsr__device_cpu.name);
  if (all < 0) config->devices[0] = '\0'; /* they are of the other kind */
  return TSR_OK;
}

/* Agrees on rank 0's settings, the least limit and the fewest places. *share is this rank's. */
static tsr_status agree(tsr_world *w, tsr_device_share *share, char *message, size_t size)
{
  const tsr_machine *machine = w->machine;
  tsr_transport *transport = w->transport;
  tsr_config *config = &w->config;
  tsr_status status = agree_on_settings(machine, transport, config);
  if (status < 0) {
    snprintf(message, size, "the ranks could not agree on the settings");
    return status;
  }
  w->is_auto = strcmp(config->device, "auto") == 0;
  if (w->is_auto) TSR_TRY(settle_auto(machine, transport, config));
  const tsr_device_ops *kind = tsr__device_find(config->device);
  terms x = {.n_places = TSR_MAX_PLACES, .limit = INT64_MAX, .device_limit = INT64_MAX};
  x.status = tsr__device_share_of(kind, config->devices, (int)config->places, transport->node_rank,
                                  transport->node_size, share, message, size);
  if (x.status == TSR_OK) {
    x.n_places = share->n_places;
    const uint64_t limit = own_limit(machine, transport, config, share);
    if (limit > 0) x.limit = limit;
    const uint64_t device_limit = own_device_limit(kind, machine, config, share);
    if (device_limit > 0) x.device_limit = device_limit;
  }
  TSR_TRY(agree_on(transport, &x, message, size));
  config->memory_bytes = (int64_t)x.limit;
  if (x.device_limit < INT64_MAX) config->device_memory_bytes = (int64_t)x.device_limit;
  config->places = share->n_places = x.n_places;
  if (config->rename_max > 0) { /* rename_max is per place, as all that a plan counts */
    config->rename_max /= x.n_places;
    if (config->rename_max == 0) config->rename_max = 1;
  }
  return TSR_OK;
}

/* Tells of devices that no rank of the node uses, because other nodes' ranks have no more, or
 * because the ranks do not divide them. */
static void note_unused(const tsr_world *w, const tsr_device_share *share)
{
  const int n = share->n_devices - w->transport->node_size * w->n_places;
  const bool are_shared = share->n_devices < w->transport->node_size;
  if (n > 0 && !are_shared && w->transport->node_rank == 0 && !tsr__world_is_host(w))
    tsr__log(w, 1, "%d of this node's %d devices %s are not used: each of its %d ranks has %d", n,
             share->n_devices, w->config.device, w->transport->node_size, w->n_places);
}

/* A process compiles for one architecture of devices, so all of its places' are of it. */
static tsr_status check_architectures(const tsr_world *w, char *message, size_t size)
{
  const tsr_device *first = w->places[0].device;
  if (first->ops->architecture == NULL) return TSR_OK;
  const char *wanted = first->ops->architecture(first);
  for (int i = 1; i < w->n_places; i++) {
    const tsr_device *d = w->places[i].device;
    const char *other = d->ops->architecture(d);
    if (strcmp(other, wanted) == 0) continue;
    snprintf(message, size,
             "device %s %d is %s, and device %s %d is %s: all devices of a rank are of one "
             "architecture\nhelp: TESSERA_DEVICES names those that are used",
             first->ops->name, first->number, wanted, d->ops->name, d->number, other);
    return TSR_ERR_CONFIG;
  }
  return TSR_OK;
}

/* A place's part of the rank's limit, which its places share evenly. */
static size_t share(const tsr_world *w)
{
  return (size_t)w->config.memory_bytes / (size_t)w->n_places;
}

/* Do the places' devices have memory of their own? */
static bool have_memory(const tsr_world *w)
{
  const uint32_t caps = tsr__device_find(w->config.device)->caps;
  return !(caps & (TSR_DEVICE_IS_HOST | TSR_DEVICE_IS_NULL));
}

size_t tsr__world_resident_limit(const tsr_world *w)
{
  const size_t set = (size_t)w->config.device_memory_bytes;
  return set > 0 && have_memory(w) ? set : share(w);
}

/* Opens the places' devices. Each hands out, and keeps unused, no more than its place may hold:
 * other ranks may share it. One that is not the host may be refused to some rank: they agree. */
static tsr_status open_places(tsr_world *w, const tsr_device_share *share, char *message,
                              size_t size)
{
  const size_t limit = have_memory(w) ? tsr__world_resident_limit(w) : 0;
  terms x = {.status = TSR_OK};
  for (int i = 0; i < w->n_places && x.status == TSR_OK; i++) {
    tsr_place *p = &w->places[i];
    p->number = w->rank * w->n_places + i;
    x.status = (w->is_auto ? tsr__device_open_later : tsr__device_open)(
        w->config.device, share->number[i], limit, &p->device, message, size);
  }
  if (x.status == TSR_OK && tsr__world_is_host(w)) return TSR_OK;
  if (x.status == TSR_OK) x.status = check_architectures(w, message, size);
  const tsr_status agreed = agree_on(w->transport, &x, message, size);
  for (int i = 0; i < w->n_places && agreed < 0; i++) tsr__device_close(w->places[i].device);
  return agreed;
}

size_t tsr__world_limit(const tsr_world *w)
{
  const size_t resident = tsr__world_resident_limit(w);
  if (w->files != NULL) return 0;
  return resident > share(w) ? resident : share(w);
}

tsr_memory *tsr__world_memory(const tsr_world *w, int here, tsr_space space)
{
  if (space == TSR_SPACE_PLACE) return w->places[here].memory;
  if (space == TSR_SPACE_FILE) return w->files;
  return tsr__world_is_host(w) ? NULL : w->staging;
}

static void open_memories(tsr_world *w)
{
  const bool is_host = tsr__world_is_host(w);
  const size_t resident = tsr__world_resident_limit(w);
  for (int i = 0; i < w->n_places; i++) {
    tsr_place *p = &w->places[i];
    p->memory = is_host ? tsr__memory_create(resident) : tsr__memory_create_on(p->device, resident);
  }
  const bool is_shared = is_host && w->n_places == 1;
  w->staging = is_shared ? w->places[0].memory : tsr__memory_create((size_t)w->config.memory_bytes);
  w->pins = tsr__pins_create(w->places[0].device, w->rank, w->config.debug >= 1);
  tsr__memory_pin_by(w->staging, w->pins);
  for (int i = 0; i < w->n_places; i++) w->places[i].device->pins = w->pins;
  if (w->config.spill_dir[0] != '\0' && !tsr__world_is_null(w))
    w->files = tsr__memory_create_in(w->config.spill_dir, 0);
}

/* Makes a file in SPILL_DIR, so that a directory that takes none is found out early. */
static tsr_status try_files(const tsr_world *w, char *message, size_t size)
{
  const char *directory = w->config.spill_dir;
  terms x = {.status = TSR_OK};
  if (directory[0] == '\0') return TSR_OK;
  void *p = tsr__file_memory_alloc(directory, 1);
  if (p == NULL) {
    x.status = TSR_ERR_CONFIG;
    snprintf(message, size, "TESSERA_SPILL_DIR is %s: %s", directory, strerror(errno));
  }
  tsr__file_memory_free(p, 1);
  return agree_on(w->transport, &x, message, size);
}

/* Opens NVTX, if it is asked for. A rank without it only shows no ranges. */
static void open_ranges(tsr_world *w)
{
  char why[200];
  if (!w->config.nvtx) return;
  w->ranges = tsr__ranges_open(why, sizeof why);
  if (w->ranges == NULL && w->rank == 0)
    fprintf(stderr, "tessera: warning: TESSERA_NVTX=1 shows no ranges: %s\n", why);
}

/* Finds out whether all ranks have a library of products for their devices. Where one lacks it, the
 * hosts compute them. */
static tsr_status find_device_blas(tsr_world *w)
{
  const tsr_device_ops *ops = w->places[0].device->ops;
  char why[300] = "";
  if (ops->has_blas == NULL) return TSR_OK;
  const bool has = ops->has_blas(why, sizeof why);
  const tsr_status all =
      tsr__agree_status(w->transport, has ? TSR_OK : TSR_ERR_CONFIG, why, sizeof why);
  if (all < 0 && all != TSR_ERR_CONFIG) return all;
  w->device_blas = all == TSR_OK;
  if (why[0] != '\0') tsr__log(w, 0, "the host computes products of matrices: %s", why);
  return TSR_OK;
}

/* Opens OpenBLAS on all ranks or on none: a rank without it would compute other bits. */
static tsr_status open_blas(tsr_world *w, char *message, size_t size)
{
  terms x = {.status = TSR_OK};
  if (strcmp(w->config.matmul, "blas") != 0) return TSR_OK;
  x.status = tsr__blas_open(w->config.blas,
                            w->machine->n_threads * (w->transport->in_process ? w->size : 1),
                            &w->blas, message, size);
  TSR_TRY(agree_on(w->transport, &x, message, size));
  return find_device_blas(w);
}

static bool wants_costs(const tsr_world *w)
{
  const uint32_t caps = w->places[0].device->ops->caps;
  if (caps & (TSR_DEVICE_IS_HOST | TSR_DEVICE_IS_NULL)) return false;
  const char *policy = w->config.placement;
  return strcmp(policy, "cost") == 0 ||
         (strcmp(policy, "auto") == 0 && !(caps & TSR_DEVICE_IS_TEST));
}

static void meet_costs(void *into, const void *from, void *user)
{
  (void)user;
  tsr_costs a, b;
  memcpy(&a, into, sizeof a);
  memcpy(&b, from, sizeof b);
  tsr__costs_meet(&a, &b);
  memcpy(into, &a, sizeof a);
}

/* Measures the costs of placement on every rank; those that are set go before. */
static tsr_status measure_costs(tsr_world *w, char *message, size_t size)
{
  char note[800], text[400];
  size_t at;
  const char *why;
  tsr__costs_of(w->machine, w->places[0].device, w->transport->node_size,
                w->transport->node_rank == 0, &w->costs, note, sizeof note);
  if (note[0] != '\0') tsr__log(w, 1, "%s", note);
  const tsr_status status =
      tsr__allreduce(w->transport, &w->costs, sizeof w->costs, meet_costs, NULL);
  if (status < 0) {
    snprintf(message, size, "the ranks could not agree on the costs of placement");
    return status;
  }
  tsr__costs_read(w->config.costs, &w->costs, &at, &why);
  if (w->rank == 0)
    tsr__log(w, 1, "placement by cost: %s", tsr__costs_text(&w->costs, text, sizeof text));
  return TSR_OK;
}

/* The costs of a device that is of no use, whatever the host's are. */
static const tsr_costs no_use = {.bytes_per_ns = {1, 1},
                                 .instrs_per_ns = {1, 1},
                                 .launch_ns = 1e15,
                                 .link_ns = 1e15,
                                 .link_bytes_per_ns = 1};

/* Finds the costs of placement. Those of a device that was chosen, and not asked for, wait. */
static tsr_status find_costs(tsr_world *w, char *message, size_t size)
{
  size_t at;
  const char *why;
  if (!wants_costs(w)) return TSR_OK;
  tsr__costs_read(w->config.costs, &w->costs, &at, &why); /* the setting was read before */
  if (tsr__costs_are_complete(&w->costs)) return TSR_OK;
  w->costs_wait = w->is_auto;
  if (!w->costs_wait) return measure_costs(w, message, size);
  w->costs = no_use;
  return TSR_OK;
}

/* Starts the devices that nobody asked for. One that is refused to some rank is of no use to
 * any. */
static tsr_status start_devices(const tsr_world *w, char *message, size_t size)
{
  tsr_status status = TSR_OK;
  for (int i = 0; i < w->n_places && status == TSR_OK; i++) {
    tsr_device *d = w->places[i].device;
    if (d->ops->start != NULL) status = d->ops->start(d, message, size);
  }
  return tsr__agree_status(w->transport, status, message, size);
}

void tsr__world_want_costs(tsr_world *w)
{
  char message[500] = "";
  if (!w->costs_wait) return;
  w->costs_wait = false;
  tsr_status status = start_devices(w, message, sizeof message);
  if (status == TSR_OK) status = measure_costs(w, message, sizeof message);
  if (status == TSR_OK) return;
  if (message[0] != '\0') tsr__log(w, 0, "the host computes: %s", message);
  w->costs = no_use;
}

/* Sets what `check` refuses and leaves to the host. */
static void set_refused(const tsr_world *w)
{
  size_t at;
  const char *why;
  for (int i = 0; i < w->n_places; i++)
    tsr__traits_read(w->config.refuse, &w->places[i].device->refuses, &at, &why);
}

static void close_devices(tsr_world *w)
{
  for (int i = 0; i < w->n_places; i++) tsr__device_close(w->places[i].device);
}

/* Prints why no world could be opened, for there is none yet to keep the error. Ranks that have
 * nothing to say wait, because a launcher may end the job when the first process ends. */
static void say(tsr_transport *transport, tsr_status status, const char *message)
{
  char code[8];
  if (message[0] != '\0')
    fprintf(stderr, "error[%s]: %s\n", tsr__status_code(status, code), message);
  if (status != TSR_ERR_MPI) tsr__barrier(transport);
}

/* The longest sleep of a rank's first thread where its other threads, or a device's queues, may
 * make work for it. */
enum { HELPED_NAP_NS = 50000 };

tsr_status tsr__world_open(tsr_world *w, tsr_machine *machine, tsr_transport *transport)
{
  char message[768] = "";
  tsr_world made = {
      .machine = machine, .transport = transport, .rank = transport->rank, .size = transport->size};
  tsr_device_share share;
  tsr__watch_waits(transport, machine->config.stall_s);
  tsr_status status = agree(&made, &share, message, sizeof message);
  made.n_places = (int)made.config.places;
  if (status == TSR_OK) status = open_places(&made, &share, message, sizeof message);
  if (status == TSR_OK) {
    set_refused(&made);
    if (machine->n_threads > 1 || !tsr__world_is_host(&made)) transport->nap_ns = HELPED_NAP_NS;
    status = try_files(&made, message, sizeof message);
    if (status == TSR_OK) status = find_costs(&made, message, sizeof message);
    if (status == TSR_OK) status = open_blas(&made, message, sizeof message);
    if (status < 0) {
      tsr__blas_close(made.blas);
      close_devices(&made);
    }
  }
  if (status < 0) {
    say(transport, status, message);
    tsr__transport_close(transport);
    return status;
  }
  open_memories(&made);
  open_ranges(&made);
  made.copies_peers = (made.places[0].device->ops->caps & TSR_DEVICE_COPIES_PEERS) &&
                      strcmp(made.config.link, "host") != 0;
  status = tsr__world_link_open(&made, &made.link, message, sizeof message);
  if (status < 0) {
    say(transport, status, message);
    tsr__world_close(&made);
    return status;
  }
  note_unused(&made, &share);
  memcpy(w, &made, sizeof made);
  return TSR_OK;
}

bool tsr__world_is_host(const tsr_world *w)
{
  return w->places[0].device->ops->caps & TSR_DEVICE_IS_HOST;
}

bool tsr__world_is_null(const tsr_world *w)
{
  return w->places[0].device->ops->caps & TSR_DEVICE_IS_NULL;
}

void tsr__world_close(tsr_world *w)
{
  tsr__error_clear(&w->error);
  tsr__world_link_close(w, w->link);
  tsr__blas_close(w->blas);
  tsr__ranges_close(w->ranges);
  tsr__memory_destroy(w->files);
  if (w->staging != w->places[0].memory) tsr__memory_destroy(w->staging);
  tsr__pins_destroy(w->pins);
  for (int i = 0; i < w->n_places; i++) {
    tsr__memory_destroy(w->places[i].memory);
    tsr__device_close(w->places[i].device);
  }
  if (w->transport) tsr__transport_close(w->transport);
  *w = (tsr_world){0};
}

/* Each note is one write, so that the ranks' lines do not mix. */
void tsr__log(const tsr_world *w, int level, const char *fmt, ...)
{
  if (w->config.debug < level) return;
  tsr_text line = {0};
  tsr__text_add(&line, "tessera[%d]: ", w->rank);
  va_list args;
  va_start(args, fmt);
  tsr__text_vadd(&line, fmt, args);
  va_end(args);
  fprintf(stderr, "%s\n", line.s);
  tsr__text_free(&line);
}
