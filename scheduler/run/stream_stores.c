/* Whether streaming stores pay. On most machines they save memory traffic, since a store loads no
 * line first. On some, and beside some other programs, they lose; nothing that a program can ask
 * for tells which.
 *
 * So now and then there is a trial: of a few chunks whose stores may stream, some do so and some do
 * not, in an order that favours no worker. What took less time per point, by the median, is used
 * until the next trial. A young program has a trial each time that it has become twice as old,
 * since its first chunks touch memory for the first time and say nothing; an old one has one per
 * period. The choice is each rank's own: it changes no bit and no message. Interpreted and compiled
 * chunks are counted apart. */
#include <stdlib.h>
#include <string.h>

#include "runtime/machine/machine.h"
#include "scheduler/run/stream_stores.h"

enum { YOUNG = 64, PERIOD = 1024 };

/* The number of chunk `count` within the trial under way or last begun. */
static uint32_t number_in_trial(uint32_t count)
{
  if (count >= PERIOD) return count % PERIOD;
  uint32_t began = 0;
  for (uint32_t next = YOUNG; next <= count; next *= 2) began = next;
  return count - began;
}

static int compare_costs(const void *a, const void *b)
{
  const float x = *(const float *)a, y = *(const float *)b;
  return x < y ? -1 : x > y;
}

/* The median cost of the trial's chunks without (on: with) streaming stores; 0: there are none. */
static float median_cost(tsr_stream_stores *f, bool on)
{
  float cost[TSR_STREAM_TRIALS];
  int n = 0;
  for (uint32_t i = 0; i < TSR_STREAM_TRIALS; i++) {
    if (__builtin_parity(i) != on) continue;
    uint32_t bits = __atomic_exchange_n(&f->cost_bits[i], 0, __ATOMIC_RELAXED);
    memcpy(&cost[n], &bits, sizeof bits);
    n += bits != 0; /* 0: the chunk has not ended */
  }
  if (n == 0) return 0;
  qsort(cost, (size_t)n, sizeof *cost, compare_costs);
  return cost[n / 2];
}

static void decide_streaming(tsr_stream_stores *f)
{
  const float without = median_cost(f, false), with = median_cost(f, true);
  if (without == 0 || with == 0) return;
  __atomic_store_n(&f->off, without < 0.95f * with, __ATOMIC_RELAXED);
}

bool tsr__stream_stores_begin(tsr_stream_stores *f, tsr_stream_trial *trial)
{
  const uint32_t n = number_in_trial(__atomic_fetch_add(&f->n_chunks, 1, __ATOMIC_RELAXED));
  *trial = (tsr_stream_trial){.number = -1};
  if (n < TSR_STREAM_TRIALS) {
    *trial = (tsr_stream_trial){.number = (int)n, .began_ns = tsr__now_ns()};
    return __builtin_parity(n);
  }
  if (n == TSR_STREAM_TRIALS) decide_streaming(f);
  return !__atomic_load_n(&f->off, __ATOMIC_RELAXED);
}

void tsr__stream_stores_end(tsr_stream_stores *f, const tsr_stream_trial *trial, int64_t n_points)
{
  if (trial->number < 0) return;
  const float cost = (float)(tsr__now_ns() - trial->began_ns) / (float)n_points;
  uint32_t bits;
  memcpy(&bits, &cost, sizeof bits);
  __atomic_store_n(&f->cost_bits[trial->number], bits, __ATOMIC_RELAXED);
}
