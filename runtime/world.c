/* One rank's part of the runtime: opening is where the ranks agree on what their decisions may
 * depend on. */
#include "runtime/machine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

uint64_t tsr__now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void least(void *into, const void *from, void *user)
{
  (void)user;
  uint64_t a, b;
  memcpy(&a, into, sizeof a);
  memcpy(&b, from, sizeof b);
  if (b < a) memcpy(into, &b, sizeof b);
}

/* The limit that this rank would choose: as set, else 80 % of its share of the node's memory. 0:
 * unknown, none. */
static uint64_t own_limit(const tsr_machine *machine, const tsr_transport *transport)
{
  if (machine->config.memory_bytes > 0) return (uint64_t)machine->config.memory_bytes;
  return machine->topology.memory_bytes / 10 * 8 / (uint64_t)transport->node_size;
}

/* Settings of rank 0, least memory limit. */
static tsr_status agree(const tsr_machine *machine, tsr_transport *transport, tsr_config *config)
{
  tsr_config rank0;
  memcpy(config, &machine->config, sizeof *config);
  memcpy(&rank0, &machine->config, sizeof rank0);
  if (rank0.ranks_per_core == 0) rank0.ranks_per_core = machine->ranks_per_core;
  TSR_TRY(tsr__bcast(transport, 0, &rank0, sizeof rank0));
  tsr__config_adopt(config, &rank0);
  uint64_t limit = own_limit(machine, transport);
  if (limit == 0) limit = INT64_MAX;
  TSR_TRY(tsr__allreduce(transport, &limit, sizeof limit, least, NULL));
  config->memory_bytes = (int64_t)limit;
  config->replicate_max /= config->ranks_per_core; /* a core computes no more than one rank does */
  return TSR_OK;
}

static void worst(void *into, const void *from, void *user)
{
  (void)user;
  tsr_status a, b;
  memcpy(&a, into, sizeof a);
  memcpy(&b, from, sizeof b);
  if (b < a) memcpy(into, &b, sizeof b);
}

/* What is not the host's may be refused to some rank. */
static tsr_status open_places(tsr_world *w)
{
  char message[256] = "";
  tsr_status status = TSR_OK;
  for (int i = 0; i < w->n_places && status == TSR_OK; i++) {
    tsr_place *p = &w->places[i];
    p->number = w->rank * w->n_places + i;
    status = tsr__device_open(w->config.device, p->number, 0, &p->device, message, sizeof message);
  }
  if (message[0] != '\0') fprintf(stderr, "tessera[%d]: %s\n", w->rank, message);
  if (status == TSR_OK && tsr__world_is_host(w)) return TSR_OK;
  tsr_status agreed = tsr__allreduce(w->transport, &status, sizeof status, worst, NULL);
  if (agreed == TSR_OK) agreed = status;
  for (int i = 0; i < w->n_places && agreed < 0; i++) tsr__device_close(w->places[i].device);
  return agreed;
}

/* Places share the rank's limit evenly. */
static void open_memories(tsr_world *w)
{
  const bool is_host = tsr__world_is_host(w);
  const size_t limit = (size_t)w->config.memory_bytes, share = limit / (size_t)w->n_places;
  for (int i = 0; i < w->n_places; i++) {
    tsr_place *p = &w->places[i];
    p->memory = is_host ? tsr__memory_create(share) : tsr__memory_create_on(p->device, share);
  }
  const bool is_shared = is_host && w->n_places == 1;
  w->staging = is_shared ? w->places[0].memory : tsr__memory_create(limit);
}

tsr_status tsr__world_open(tsr_world *w, tsr_machine *machine, tsr_transport *transport)
{
  tsr_world made = {
      .machine = machine, .transport = transport, .rank = transport->rank, .size = transport->size};
  tsr_status status = agree(machine, transport, &made.config);
  made.n_places = (int)made.config.places;
  if (status == TSR_OK) status = open_places(&made);
  if (status < 0) {
    transport->ops->close(transport);
    return status;
  }
  open_memories(&made);
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
  if (w->staging != w->places[0].memory) tsr__memory_destroy(w->staging);
  for (int i = 0; i < w->n_places; i++) {
    tsr__memory_destroy(w->places[i].memory);
    tsr__device_close(w->places[i].device);
  }
  if (w->transport) w->transport->ops->close(w->transport);
  *w = (tsr_world){0};
}

/* One write per note, so that the ranks' lines do not mix. */
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
