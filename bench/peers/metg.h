/* The smallest task worth a core: what ours and the peers share. A grid of tasks, `width` a step,
 * each of which runs a loop of fused multiply-adds on 64 doubles in registers and makes 16 bytes of
 * those that it depends on. METG is the average time of a task, over all cores, at which half of
 * the cores' best rate is left. Source: Slaughter et al., "Task Bench: a parameterized benchmark
 * for evaluating parallel runtime performance", SC 2020; written anew. */
#ifndef TESSERA_BENCH_METG_H
#define TESSERA_BENCH_METG_H

#include "bench/peers/peer.h"

/** Which tasks of the step before a task depends on, of all that there are. */
typedef enum metg_pattern {
  METG_TRIVIAL,    /* none */
  METG_STENCIL_1D, /* itself and its neighbours */
  METG_NEAREST,    /* itself and the two neighbours on either side */
  METG_FFT,        /* itself and those 2^k to either side, k going around with the steps */
  METG_ALL_TO_ALL, /* all */
  METG_PATTERNS
} metg_pattern;

/** What a task makes: a value, and the number of steps that led to it. */
typedef struct metg_output {
  double value, steps;
} metg_output;

typedef struct metg_grid {
  metg_pattern pattern;
  int width, n_cores;
} metg_grid;

/** How far to either side the dependencies of a step reach, all of them or, of an fft, the two
 * farthest. */
static inline int metg_reach(const metg_grid *g, int64_t step)
{
  int log = 0;
  switch (g->pattern) {
  case METG_STENCIL_1D:
    return 1;
  case METG_NEAREST:
    return 2;
  case METG_FFT:
    while (2 << log < g->width) log++;
    return 1 << step % (log + 1);
  case METG_ALL_TO_ALL:
    return g->width;
  default:
    return 0;
  }
}

/** The dependencies of a task at a step, in increasing order, as indices in `of` (room for all).
 * Returns how many. */
static inline int metg_dependencies(const metg_grid *g, int reach, int task, int *of)
{
  int n = 0;
  const int step = g->pattern == METG_FFT && reach > 0 ? reach : 1;
  const int from = task - reach < 0 ? task % step : task - reach;
  if (g->pattern == METG_TRIVIAL) return 0;
  for (int i = g->pattern == METG_ALL_TO_ALL ? 0 : from; i <= task + reach && i < g->width;
       i += step)
    of[n++] = i;
  return n;
}

/** Runs a task. sum: of the values that it depends on; steps: the mean of their steps. */
static inline metg_output metg_task(int64_t iterations, int task, double sum, double steps)
{
  typedef double lanes __attribute__((vector_size(64)));
  lanes x[8];
  for (int k = 0; k < 8; k++)
    for (int j = 0; j < 8; j++) x[k][j] = 0.001 * (8 * k + j) + 0.01 * task + sum;
  for (int64_t i = 0; i < iterations; i++)
    for (int k = 0; k < 8; k++) x[k] = x[k] * 0.999 + 0.0005;
  const lanes all = ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
  double value = 0;
  for (int j = 0; j < 8; j++) value += all[j];
  return (metg_output){value / (1024.0 + value * value), steps + 1};
}

/** Runs a task whose dependencies are elements of `before`, element 0 being that of task `first`.
 */
static inline metg_output metg_run(const metg_grid *g, int64_t iterations, int reach, int task,
                                   const metg_output *before, int first, double steps)
{
  int of[256];
  const int n = metg_dependencies(g, reach, task, of);
  double sum = 0, all = 0;
  for (int i = 0; i < n; i++) {
    sum += before[of[i] - first].value;
    all += before[of[i] - first].steps;
  }
  return metg_task(iterations, task, sum, n > 0 ? all / n : steps);
}

/** The first task of part `part` of `n_parts`. */
static inline int metg_begin(const metg_grid *g, int part, int n_parts)
{
  return (int)((int64_t)g->width * part / n_parts);
}

/** Runs the grid for so many steps of tasks of `iterations`; returns the seconds. */
typedef double metg_runner(void *arg, const metg_grid *g, int64_t iterations, int64_t n_steps);

/** Finds METG: tasks from long to short until less than half of the rate is left, the least time of
 * several runs each; between the two sizes around one half it interpolates. Microseconds. */
static inline double metg_search(metg_runner *run, void *arg, const metg_grid *g)
{
  enum { LONGEST = 1 << 15, STEPS = 1000, WHOLE = 1 << 11, REPEATS = 5 };
  const double least_seconds = 0.2;
  double peak = 0, rate = 0, us = 0;
  run(arg, g, 1, STEPS);
  for (int64_t n = LONGEST; n > 0; n /= 2) {
    const int64_t n_steps = n > WHOLE ? STEPS * WHOLE / n : STEPS;
    double seconds = 1e30, spent = 0;
    for (int i = 0; i < REPEATS || spent < least_seconds; i++) {
      const double s = run(arg, g, n, n_steps);
      if (s < seconds) seconds = s;
      spent += s;
    }
    const double tasks = (double)n_steps * g->width, was_us = us, was = rate;
    rate = tasks * (double)n / seconds;
    us = 1e6 * seconds * g->n_cores / tasks;
    if (rate > peak) peak = rate;
    if (rate < peak / 2) {
      const double at = was > rate ? (was - peak / 2) / (was - rate) : 1;
      return was_us > 0 ? was_us + at * (us - was_us) : us;
    }
  }
  return us;
}

/** What bench/run.py reads. check: of the outputs after METG_CHECK_STEPS steps of
 * METG_CHECK_ITERATIONS. */
enum { METG_CHECK_STEPS = 37, METG_CHECK_ITERATIONS = 5 };
static inline double metg_check(int n, const metg_output *outputs)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += outputs[i].value * (i + 1) + outputs[i].steps;
  return sum;
}

/** The grid of the arguments PATTERN WIDTH. */
static inline metg_grid metg_arguments(int argc, char **argv, int n_cores)
{
  static const char *const names[METG_PATTERNS] = {"trivial", "stencil_1d", "nearest", "fft",
                                                   "all_to_all"};
  metg_grid g = {.width = (int)peer_argument(argc, argv, 2, 8), .n_cores = n_cores};
  for (int i = 0; i < METG_PATTERNS; i++)
    if (peer_word(argc, argv, 1, names[i])) g.pattern = (metg_pattern)i;
  if (g.width > 256) exit(2);
  return g;
}

#endif
