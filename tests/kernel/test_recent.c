/* Recent runs of compiled code: they are found again, and change no result. */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "kernel/compile/jit_int.h"
#include "kernel/compile/recent.h"
#include "tests/kernel/compiled.h"
#include "tests/kernel/sums.h"

/* Runs over boxes of few sizes, whose loads lie beside each other or not: most are taken from the
 * table of recent ones, and all give what is expected. */
Test(recent, runs_are_found_again, .timeout = 240)
{
  enum { ROWS = 6, ROW = 256, N_RUNS = 300 };
  static double x[2][(ROWS + 2) * ROW], y[(ROWS + 2) * ROW];
  for (int i = 0; i < (ROWS + 2) * ROW; i++) x[0][i] = 0.1 * i, x[1][i] = 1.0 / (i + 1);
  const tsr_config config = eager_config();
  for (int t = 0; tsr__target_get(t); t++) {
    tsr_jit *jit = tsr__jit_create_for(&config, &tsr__code_c, tsr__target_get(t));
    tsr_recent_runs *recent = tsr__recent_create();
    tsr_kernel *kernels[] = {sum_of(2, TSR_FLOAT64), sum_of(5, TSR_FLOAT64)};
    for (int i = 0; i < 2; i++) cr_assert_eq(tsr__kernel_prepare(kernels[i]), TSR_OK);
    void *scratch = aligned_alloc(64, 1 << 20);
    int n_found = 0;
    srand(1);
    for (int run = 0; run < N_RUNS; run++) {
      const int n_loads = rand() % 2 ? 5 : 2, rows = rand() % 2 ? 3 : ROWS, n = 40 << rand() % 3;
      const int64_t row = 8 * (rand() % 4 ? ROW : ROW - 8);
      double *at[5], *const to = y + ROW + rand() % 9;
      void *base[6];
      for (int a = 0; a < n_loads; a++)
        base[a] = at[a] = x[rand() % 8 == 0] + ROW + rand() % 20 + a % 3;
      base[n_loads] = to;
      int64_t stride[MOST + 1][TSR_MAX_NDIM];
      const tsr_kernel_bind bind = bind_of(rows, n, n_loads, 8, row, base, stride);
      const tsr_kernel *k = kernels[n_loads == 5];
      memset(y, 0, sizeof y);
      if (tsr__recent_run(recent, k, &bind))
        n_found++;
      else
        tsr__jit_run(jit, k, &bind, scratch, recent);
      int n_wrong = 0;
      for (int i = 0; i < rows; i++)
        for (int j = -1; j <= n; j++) { /* and one before and behind */
          const int64_t e = i * row / 8 + j;
          double sum = 0;
          for (int a = 0; a < n_loads && j >= 0 && j < n; a++) sum += at[a][e];
          n_wrong += to[e] != sum;
        }
      cr_assert_eq(n_wrong, 0, "%d points of run %d", n_wrong, run);
    }
    cr_expect_gt(n_found, tsr__target_get(t)->vector_bytes == 64 ? N_RUNS / 16 : N_RUNS / 2);
    free(scratch);
    free(recent);
    for (int i = 0; i < 2; i++) tsr__kernel_destroy(kernels[i]);
    tsr__jit_destroy(jit);
  }
}
