/* Tasks wait for those that read what they write, whichever order the machine takes them in. */
#include "array_test.h"

TestSuite(order, .init = begin, .fini = end);

enum { N0 = 8, N1 = 11, N2 = 3, N_SEEDS = 40 };

/* The first statement reads two elements of each row for nine columns, and writes around them; the
 * second one writes over what was read there. Every chunk of the first must have read before. */
static void read_wide_then_write(void *arg, int rank)
{
  double data[N0][N1][N2], want[N0][N1][N2], got[N0][N1][N2];
  (void)arg, (void)rank;
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

Test(order, a_write_waits_for_all_who_read_there, .timeout = 60)
{
  for (int seed = 1; seed <= N_SEEDS; seed++) {
    char text[16];
    snprintf(text, sizeof text, "%d", seed);
    RUN_RANKS(1, read_wide_then_write, NULL, "threads", "1", "inline_elems", "0", "chunk_bytes",
              "64", "seed", text, "fusion", "0");
  }
}
