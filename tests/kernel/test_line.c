/* Runs over one line of points by code that ran before: they change no result, and are refused where
 * the code asks otherwise than the line lies. */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "kernel/compile/jit_int.h"
#include "tests/kernel/compiled.h"
#include "tests/kernel/sums.h"

enum { LONG = 200, MANY = 2 * LONG, N_LOADS = 3 };

/* A kernel of n loads that are added, or of one that is copied. The last load is of the memory that
 * is stored if it runs in place. */
static tsr_kernel *kernel_of(int n, tsr_dtype dtype, bool in_place)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(2);
  int load[MOST];
  for (int a = 0; a < n; a++)
    load[a] = tsr__kernel_load(b, tsr__kernel_access_add(b, dtype, false, a, 0));
  const int value = n == 1 ? load[0] : tsr__kernel_op(b, TSR_OP_ADD, dtype, dtype, n, load);
  const int buffer = in_place ? n - 1 : n;
  tsr__kernel_store(b, tsr__kernel_access_add(b, dtype, true, buffer, 0), value);
  tsr_kernel *k = tsr__kernel_finish(b);
  cr_assert_eq(tsr__kernel_prepare(k), TSR_OK);
  return k;
}

/* Where the accesses of one run are. */
typedef struct laid {
  char memory[N_LOADS + 1][16 * MANY + 64];
  void *base[N_LOADS + 1];
  int64_t stride[N_LOADS + 1][TSR_MAX_NDIM];
  tsr_kernel_bind bind;
} laid;

/* Lays a line of n points out along an axis, `step` elements apart. */
static void lay(laid *x, int n_loads, bool in_place, size_t size, int axis, int64_t n, int64_t step)
{
  memset(x, 0, sizeof *x);
  for (int a = 0; a <= n_loads; a++) {
    /* bytes of few bits, as integers and as parts of floats */
    for (size_t i = 0; i < sizeof x->memory[a]; i++) x->memory[a][i] = (char)((i * 7 + 3 * a) % 50);
    x->base[a] = x->memory[in_place && a == n_loads ? n_loads - 1 : a] + 16;
    x->stride[a][axis] = step * (int64_t)size;
    x->stride[a][1 - axis] = 4096;
  }
  x->bind =
      (tsr_kernel_bind){.base = x->base, .stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])x->stride};
  x->bind.n[axis] = n;
  x->bind.n[1 - axis] = 1;
}

/* Runs a line as tsr__jit_run_line does, and by the interpreter. Returns whether it ran. */
static bool run_both(const tsr_kernel *k, int n_loads, bool in_place, size_t size, int axis,
                     int64_t n, int64_t step, void *scratch)
{
  static laid line, plain;
  lay(&line, n_loads, in_place, size, axis, n, step);
  lay(&plain, n_loads, in_place, size, axis, n, step);
  const bool ran = tsr__jit_run_line(k, &line.bind);
  if (ran) tsr__kernel_run(k, &plain.bind, scratch);
  cr_assert_arr_eq(line.memory, plain.memory, sizeof line.memory,
                   "%lld points, %lld apart, of %zu bytes", (long long)n, (long long)step, size);
  return ran;
}

static void check(tsr_jit *jit, tsr_dtype dtype, int n_loads, bool in_place, void *scratch)
{
  static laid first;
  tsr_kernel *k = kernel_of(n_loads, dtype, in_place);
  const size_t size = tsr__dtype_size(dtype);
  lay(&first, n_loads, in_place, size, 1, LONG, 1);
  cr_assert_not(tsr__jit_run_line(k, &first.bind), "no code has run");
  cr_assert(tsr__jit_run(jit, k, &first.bind, scratch, NULL));
  for (int64_t n = 0; n <= LONG; n += n < 70 ? 1 : 13)
    for (int axis = 0; axis < 2; axis++)
      cr_assert_eq(run_both(k, n_loads, in_place, size, axis, n, 1, scratch), n > 0, "%d points",
                   (int)n);
  cr_assert_not(run_both(k, n_loads, in_place, size, 1, LONG, 2, scratch), "it has gaps");
  run_both(k, n_loads, in_place, size, 1, 3, 2, scratch); /* few points are copied */
  lay(&first, n_loads, in_place, size, 1, LONG, 1);
  first.bind.n[0] = 2;
  cr_assert_not(tsr__jit_run_line(k, &first.bind), "two lines");
  tsr__kernel_destroy(k);
}

Test(line, runs_give_the_interpreters_bits, .timeout = 240)
{
  static const tsr_dtype dtypes[] = {TSR_INT8, TSR_INT32, TSR_FLOAT32, TSR_FLOAT64, TSR_COMPLEX128};
  const tsr_config config = eager_config();
  void *scratch = aligned_alloc(64, 1 << 20);
  for (int t = 0; tsr__target_get(t); t++) {
    tsr_jit *jit = tsr__jit_create_for(&config, &tsr__code_c, tsr__target_get(t));
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
      check(jit, dtypes[d], N_LOADS, false, scratch);
      check(jit, dtypes[d], 2, true, scratch);
      check(jit, dtypes[d], 1, false, scratch);
    }
    tsr__jit_destroy(jit);
  }
  free(scratch);
}
