/* How many messages a step takes on two ranks, tiled over time and not: a count, no time.
 *
 *   messages N STEPS      five-point sweeps of N x N; prints `untiled=… tiled=…` (of rank 0) */
#include "array/core/array_int.h"
#include "bench/peers/peer.h"

typedef struct sweeps {
  int64_t n, n_steps;
  uint64_t n_messages;
} sweeps;

static void run(void *arg, int rank)
{
  sweeps *s = arg;
  tsr_array u = tsr_full(TSR_SHAPE(s->n, s->n), 0.5);
  tsr_flush();
  const uint64_t before = tsr__context_counters()->n_messages;
  for (int64_t i = 0; i < s->n_steps; i++)
    tsr_exec("u[1:-1,1:-1] = 0.2*(u[1:-1,1:-1] + u[:-2,1:-1] + u[1:-1,2:] + u[1:-1,:-2] + "
             "u[2:,1:-1])",
             u);
  tsr_flush();
  if (rank == 0) s->n_messages = tsr__context_counters()->n_messages - before;
}

static double per_step(int64_t n, int64_t n_steps, const char *steps)
{
  sweeps s = {.n = n, .n_steps = n_steps};
  const char *const settings[] = {"threads", "1", "time_steps", steps, "halo_steps", steps, NULL};
  if (tsr_run_ranks(2, settings, run, &s) != TSR_OK) exit(1);
  return (double)s.n_messages / (double)n_steps;
}

int main(int argc, char **argv)
{
  const int64_t n = peer_argument(argc, argv, 1, 4000), n_steps = peer_argument(argc, argv, 2, 96);
  printf("untiled=%.4f tiled=%.4f\n", per_step(n, n_steps, "1"), per_step(n, n_steps, "0"));
  return 0;
}
