/* What a flush costs beside its kernels: of a small plan that is remembered, and of windows that
 * have not been seen before.
 *
 *   flush         prints `replay_us=… first_us=…`
 *   flush tiled   prints `first_512_us=… first_1024_us=…`
 *
 * replay_us: median of one flush of `x += 2*y` on 64 elements, less the same loop in C.
 * first_us: median over different windows of recording and running one, per operation.
 * first_512_us: the same of windows of 512 operations, which are five-point sweeps of a small grid
 * that are tiled over time. */
#include "bench/bench.h"

#include <string.h>

enum { N_REPLAYS = 20001, N_WINDOWS = 201, N_ELEMS = 64, N_ARRAYS = 6, N_STATEMENTS = 16 };

/* The kernel alone, and the clock. */
static double by_hand(double *seconds)
{
  double x[N_ELEMS] = {0}, y[N_ELEMS];
  for (int i = 0; i < N_ELEMS; i++) y[i] = i;
  for (int k = 0; k < N_REPLAYS; k++) {
    const double start = peer_seconds();
    for (int i = 0; i < N_ELEMS; i++) x[i] += 2 * y[i];
    __asm__ volatile("" : : "r"(x), "r"(y) : "memory");
    seconds[k] = peer_seconds() - start;
  }
  return 1e6 * peer_median(seconds, N_REPLAYS);
}

static double replay(double *seconds)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(N_ELEMS)), y = tsr_ones(TSR_SHAPE(N_ELEMS));
  for (int k = 0; k < N_REPLAYS; k++) {
    tsr_exec("x += 2*y", x, y);
    const double start = peer_seconds();
    tsr_flush();
    seconds[k] = peer_seconds() - start;
  }
  return 1e6 * peer_median(seconds, N_REPLAYS);
}

/* Statements chosen by a linear congruential generator (Knuth's), so that no window repeats. */
static void window(const tsr_array *a, uint64_t *state)
{
  for (int k = 0; k < N_STATEMENTS; k++) {
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    const uint64_t bits = *state >> 32;
    const tsr_array to = a[bits % N_ARRAYS], x = a[bits / 8 % N_ARRAYS];
    const tsr_array y = a[bits / 64 % N_ARRAYS];
    if (bits / 512 % 2)
      tsr_assign(to, tsr_minimum(x, y));
    else
      tsr_assign(to, tsr_multiply(0.5, tsr_add(x, y)));
  }
}

static double first(double *seconds)
{
  tsr_array a[N_ARRAYS];
  uint64_t state = 1;
  for (int k = 0; k < N_ARRAYS; k++) a[k] = tsr_full(TSR_SHAPE(N_ELEMS), k);
  tsr_flush();
  for (int k = 0; k < N_WINDOWS; k++) {
    const double start = peer_seconds();
    window(a, &state);
    tsr_flush();
    seconds[k] = peer_seconds() - start;
  }
  /* A statement is two or three operations with its assignment. */
  return 1e6 * peer_median(seconds, N_WINDOWS) / (2.5 * N_STATEMENTS);
}

/* So many operations of sweeps over a grid of a length that no other window has. Each sweep is
 * three operations: the sum of five, its product and the store. */
static double first_tiled(double *seconds, int n_ops)
{
  enum { N_GRIDS = 41, SIDE = 48 };
  for (int k = 0; k < N_GRIDS; k++) {
    TSR_SCOPE();
    tsr_array u = tsr_full(TSR_SHAPE(SIDE + k, SIDE), 1.0);
    tsr_array inner = tsr_slice(u, "1:-1, 1:-1"), north = tsr_slice(u, ":-2, 1:-1");
    tsr_array south = tsr_slice(u, "2:, 1:-1"), west = tsr_slice(u, "1:-1, :-2");
    tsr_array east = tsr_slice(u, "1:-1, 2:");
    tsr_flush();
    const double start = peer_seconds();
    for (int i = 0; i < n_ops / 3; i++)
      tsr_assign(inner, tsr_multiply(0.2, tsr_add(inner, north, east, west, south)));
    tsr_flush();
    seconds[k] = peer_seconds() - start;
  }
  return 1e6 * peer_median(seconds, N_GRIDS) / n_ops;
}

static void time_tiled(double *seconds)
{
  const double few = first_tiled(seconds, 512), many = first_tiled(seconds, 1024);
  tsr_printf("first_512_us=%.4f first_1024_us=%.4f\n", few, many);
}

static void time_flush(double *seconds)
{
  const double kernel = by_hand(seconds), replayed = replay(seconds), new = first(seconds);
  tsr_printf("replay_us=%.4f first_us=%.4f\n", replayed - kernel, new);
}

int main(int argc, char **argv)
{
  const bool tiled = argc > 1 && strcmp(argv[1], "tiled") == 0;
  if (tiled) { /* windows that end where they are flushed here, in chains of 16 steps */
    setenv("TESSERA_TIME_STEPS", "16", 1);
    setenv("TESSERA_WINDOW_OPS", "2000", 1);
    setenv("TESSERA_WINDOW_CAP", "2000", 1);
    setenv("TESSERA_REPLICATE_MAX", "0", 1);
    setenv("TESSERA_INLINE_ELEMS", "0", 1);
  }
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  double *seconds = calloc(N_REPLAYS, sizeof *seconds);
  if (!seconds) return 1;
  (tiled ? time_tiled : time_flush)(seconds);
  free(seconds);
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
