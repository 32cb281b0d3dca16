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

tsr_status tsr__world_open(tsr_world *w, tsr_machine *machine, tsr_transport *transport)
{
  tsr_config config;
  tsr_status status = agree(machine, transport, &config);
  if (status < 0) {
    transport->ops->close(transport);
    return status;
  }
  *w = (tsr_world){.machine = machine,
                   .transport = transport,
                   .memory = tsr__memory_create((size_t)config.memory_bytes),
                   .rank = transport->rank,
                   .size = transport->size};
  memcpy(&w->config, &config, sizeof config);
  return TSR_OK;
}

void tsr__world_close(tsr_world *w)
{
  tsr__error_clear(&w->error);
  tsr__memory_destroy(w->memory);
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
