/* Tasks wait for those that read what they write, whichever order the machine takes them in. */
#include "array_test.h"

TestSuite(order, .init = begin, .fini = end);

enum { N0 = 8, N1 = 11, N2 = 3, N_SEEDS = 40 };

/* The first statement reads two elements of each row for nine columns, and writes around them; the
 * second one writes over what was read there. Every chunk of the first must have read before. */
static void read_wide_then_write(void *arg, int rank)
{
  double data[N0][N1][N2], want[N0][N1][N2], got[N0][N1][N2];
  for (int i = 0; i < N0 * N1 * N2; i++) (&data[0][0][0])[i] = (&want[0][0][0])[i] = i;
  for (int i = 1; i < N0; i++)
    for (int j = 0; j < 9; j++)
      for (int k = 0; k < 2; k++) want[i][j][2 * k] = data[i][6 + k][1];
  memcpy(data, want, sizeof data);
  for (int i = 0; i < N0 - 1; i++)
    for (int j = 2; j < N1; j++)
      for (int k = 1; k < N2; k++) want[i][j][k] = data[i][N1 - 2][k];
  for (int i = 0; i < N0 * N1 * N2; i++) (&data[0][0][0])[i] = i;
  tsr_array v = tsr_from_host(data, TSR_FLOAT64, TSR_SHAPE(N0, N1, N2));
  tsr_exec("v[-7:, :9, :3:2] = v[-7:, 6:8, 1][:, None, :]", v);
  tsr_exec("v[:7, :1:-1, 1:3] = v[:7, -2, 1:3][:, None, :]", v);
  cr_expect_eq(tsr_to_host(v, got), TSR_OK);
  cr_expect_eq(memcmp(got, want, sizeof got), 0);
}

/* A stencil's step, many times: most runs of its plan go by lists. */
static void run_again(void *arg, int rank)
{
  enum { N = 64, N_STEPS = 60 };
  double(*u)[N] = calloc(N, sizeof *u), (*v)[N] = calloc(N, sizeof *v);
  const bool *by_lists = arg;
  for (int i = 0; i < N * N; i++) u[i / N][i % N] = i % 7;
  tsr_array x = tsr_from_host(u, TSR_FLOAT64, TSR_SHAPE(N, N));
  for (int step = 0; step < N_STEPS; step++) {
    memcpy(v, u, N * sizeof *v);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    memcpy(u, v, N * sizeof *v);
    tsr_exec("x[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])", x);
    cr_assert_eq(tsr_flush(), TSR_OK);
  }
  cr_expect_eq(tsr_to_host(x, v), TSR_OK);
  cr_expect_eq(memcmp(u, v, N * sizeof *v), 0);
  const uint64_t n = tsr__context_counters()->n_listed_runs;
  cr_expect(*by_lists ? n >= N_STEPS - 10 : n == 0, "%d runs by lists", (int)n);
  free(u);
  free(v);
}

Test(order, of_a_plan_that_is_replayed_is_that_of_lists, .timeout = 60)
{
  bool by_lists = true;
  RUN_RANKS(1, run_again, &by_lists, "device", "cpu", "places", "1", "threads", "2", "inline_elems",
            "0", "chunk_bytes", "2K", "lists", "all");
  RUN_RANKS(1, run_again, &by_lists, "device", "cpu", "places", "1", "threads", "4", "inline_elems",
            "0", "chunk_bytes", "512", "lists", "all");
  by_lists = false;
  RUN_RANKS(1, run_again, &by_lists, "device", "cpu", "places", "1", "threads", "2", "inline_elems",
            "0", "chunk_bytes", "2K", "lists", "off");
  RUN_RANKS(1, run_again, &by_lists, "device", "cpu", "places", "1", "threads", "2", "inline_elems",
            "0", "chunk_bytes", "2K", "lists", "all", "seed", "7");
  RUN_RANKS(2, run_again, &by_lists, "device", "cpu", "places", "1", "threads", "2", "inline_elems",
            "0", "chunk_bytes", "2K", "lists", "all", "replicate_max", "0", "tile_min", "1");
}

Test(order, a_write_waits_for_all_who_read_there, .timeout = 60)
{
  for (int seed = 1; seed <= N_SEEDS; seed++) {
    char text[16];
    snprintf(text, sizeof text, "%d", seed);
    RUN_RANKS(1, read_wide_then_write, NULL, "threads", "1", "inline_elems", "0", "chunk_bytes",
              "64", "seed", text, "fusion", "0");
  }
}
