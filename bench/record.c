/* What it costs to record: an operation on two arrays, a slice, an assignment with its operands.
 * The operations' results die unread, so that nothing but recording is timed; medians of many short
 * bursts, each shorter than the window.
 *
 *   record      prints `op_us=… slice_us=… slice_dollar_us=…` */
#include <stdlib.h>

#include "bench/peers/peer.h"
#include "tessera.h"

enum { N_BURSTS = 2001, N_CALLS = 32 };

static double median(double *seconds)
{
  return 1e6 * peer_median(seconds, N_BURSTS) / N_CALLS;
}

int main(int argc, char **argv)
{
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  tsr_array x = tsr_ones(TSR_SHAPE(100, 100)), y = tsr_ones(TSR_SHAPE(100, 100));
  tsr_barrier();
  double *op = calloc(N_BURSTS, sizeof *op), *slice = calloc(N_BURSTS, sizeof *slice);
  double *dollar = calloc(N_BURSTS, sizeof *dollar);
  if (!op || !slice || !dollar) return 1;
  for (int b = 0; b < N_BURSTS; b++) {
    TSR_SCOPE();
    tsr_array last = x;
    double start = peer_seconds();
    for (int k = 0; k < N_CALLS; k++) last = tsr_add(last, y);
    op[b] = peer_seconds() - start;
    start = peer_seconds();
    for (int k = 0; k < N_CALLS; k++) last = tsr_slice(x, "1:-1, 1:-1");
    slice[b] = peer_seconds() - start;
    start = peer_seconds();
    for (int k = 0; k < N_CALLS; k++) last = tsr_slice(x, "$, 1:-1", k);
    dollar[b] = peer_seconds() - start;
    if (!tsr_ok(last)) return 1;
  }
  tsr_printf("op_us=%.4f slice_us=%.4f slice_dollar_us=%.4f\n", median(op), median(slice),
             median(dollar));
  free(op);
  free(slice);
  free(dollar);
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
