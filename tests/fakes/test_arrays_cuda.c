/* Arrays on the device `cuda`, over the stand-ins: what a user is told when something lacks. */
#include "array/core/array_int.h"
#include "kernel/compile/jit.h"
#include "kernel/cuda/reduce.h"
#include "runtime/machine/machine.h"
#include "tests/support/child.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000, WELL = 10, WRONG = 11 };

/* The sum of 2 i + 1 for all i below N. */
static double sum_of_odd(void)
{
  tsr_array x = tsr_arange(N);
  return tsr_item_f64(tsr_sum(tsr_add(tsr_add(x, x), tsr_full(TSR_SHAPE(1), 1.0))));
}

static bool runs_on_cuda(int n, const char *jit, void (*fn)(void *, int), void *arg)
{
  return tsr_run_ranks(n,
                       (const char *const[]){"device", "cuda", "placement", "all", "places", "1",
                                             "threads", "1", "jit", jit, NULL},
                       fn, arg) == TSR_OK;
}

/* The table of compiled code. */

static void fill_table(tsr_jit *jit)
{
  tsr_kernel *k = tsr__cuda_node_kernel(1, TSR_DTYPE_FLOAT64, false);
  for (int i = 0; i < TSR_JIT_MOST_ENTRIES; i++) {
    tsr_cuda_launch launch = {.n_form = sizeof i};
    memcpy(&launch.form, &i, sizeof i);
    tsr__jit_want_launch(jit, k, &launch);
  }
  tsr__kernel_destroy(k);
}

static void compute_with_full_table(void *arg, int rank)
{
  (void)rank;
  const tsr_world *w = &tsr_context_current()->world;
  const tsr_device *d = w->places[0].device;
  fill_table(tsr__jit_of_cuda(w->machine, d->ops->architecture(d)));
  bool *is_right = arg;
  *is_right = sum_of_odd() == (double)N * N && sum_of_odd() == (double)N * N;
}

static void run_with_full_table(void)
{
  bool is_right = false;
  _exit(runs_on_cuda(1, "held", compute_with_full_table, &is_right) && is_right ? WELL : WRONG);
}

/* The host computes what has no place in the table any more, and it is said once. */
Test(arrays_cuda, a_full_table_of_code_is_said, .timeout = 120)
{
  char text[4000];
  cr_expect_eq(run_in_child(NULL, run_with_full_table, text, sizeof text), WELL, "%s", text);
  const char *said =
      strstr(text, "this process has 4096 kernels and forms of them for device cuda, "
                   "the most that it keeps; the host runs what is new");
  cr_assert_not_null(said, "%s", text);
  cr_expect_null(strstr(said + 1, "this process has 4096"), "said once: %s", text);
}
