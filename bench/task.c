/* What a user's task costs beside its function.
 *
 *   task      prints `call_us=… first_us=…`
 *
 * call_us: recording a repeated call, median of many. first_us: a flush of boxes of 8 points, per
 * box, of plans that have not been seen before. */
#include "array/core/array_int.h"
#include "bench/peers/peer.h"

enum { N_CALLS = 64, N_TURNS = 401, N_POINTS = 4096 };

static int twice(const tsr_task_box *box)
{
  const tsr_task_argument *x = &box->in[0], *y = &box->out[0];
  for (int64_t i = 0; i < box->shape[0]; i++)
    *(double *)((char *)y->data + i * y->stride_bytes[0]) =
        2 * *(const double *)((const char *)x->data + i * x->stride_bytes[0]);
  return 0;
}

/* Records and runs calls of one point each, one on the other's output. */
static double call_us(tsr_function f, double *seconds)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(1));
  for (int k = 0; k < N_TURNS; k++) {
    TSR_SCOPE();
    tsr_array y = x;
    const double start = peer_seconds();
    for (int i = 0; i < N_CALLS; i++) y = tsr_call(f, y);
    seconds[k] = peer_seconds() - start;
    tsr_assign(x, y);
    tsr_flush();
  }
  return 1e6 * peer_median(seconds, N_TURNS) / N_CALLS;
}

static double first_us(tsr_function f, double *seconds)
{
  for (int k = 0; k < N_TURNS; k++) {
    TSR_SCOPE();
    tsr_array x = tsr_zeros(TSR_SHAPE(N_POINTS + 8 * k));
    tsr_flush();
    const uint64_t before = tsr__context_counters()->n_task_runs;
    const double start = peer_seconds();
    tsr_assign(x, tsr_call(f, x));
    tsr_flush();
    seconds[k] = peer_seconds() - start;
    seconds[k] /= (double)(tsr__context_counters()->n_task_runs - before);
  }
  return 1e6 * peer_median(seconds, N_TURNS);
}

static void run(void *arg, int rank)
{
  (void)arg, (void)rank;
  double seconds[N_TURNS];
  const tsr_function f = tsr_task("twice", "float64 x, grain(1)", "float64 y", twice);
  const double call = call_us(f, seconds), first = first_us(f, seconds);
  printf("call_us=%.4f first_us=%.4f\n", call, first);
}

int main(void)
{
  const char *const settings[] = {"threads", "1", "inline_elems", "0", "chunk_bytes", "64", NULL};
  return tsr_run_ranks(1, settings, run, NULL) == TSR_OK ? 0 : 1;
}
