/* What a flush costs beside its kernels: of a small plan that is remembered, and of windows that
 * have not been seen before.
 *
 *   flush      prints `replay_us=… first_us=…`
 *
 * replay_us: median of one flush of `x += 2*y` on 64 elements, less the same loop in C.
 * first_us: median over different windows of recording and running one, per operation. */
#include "bench/bench.h"

enum { N_REPLAYS = 20001, N_WINDOWS = 201, N_ELEMS = 64, N_ARRAYS = 6, N_STATEMENTS = 16 };

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double median(double *seconds, size_t n)
{
  qsort(seconds, n, sizeof *seconds, compare);
  return 1e6 * seconds[n / 2];
}

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
  return median(seconds, N_REPLAYS);
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
  return median(seconds, N_REPLAYS);
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
  return median(seconds, N_WINDOWS) / (2.5 * N_STATEMENTS);
}

int main(int argc, char **argv)
{
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  double *seconds = calloc(N_REPLAYS, sizeof *seconds);
  if (!seconds) return 1;
  const double kernel = by_hand(seconds), replayed = replay(seconds), new = first(seconds);
  tsr_printf("replay_us=%.4f first_us=%.4f\n", replayed - kernel, new);
  free(seconds);
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
