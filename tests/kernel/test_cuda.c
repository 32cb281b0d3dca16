/* The text of kernels as CUDA C: its bits, as C, are the interpreter's, in whichever order blocks and
 * threads come; what a launch carries; and that NVRTC takes it. */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "kernel/compile/jit_int.h"
#include "kernel/cuda/render_cuda.h"
#include "tests/kernel/reference.h"
#include "tests/kernel/stage.h"

static tsr_jit *open_jit(int64_t seed)
{
  tsr_config config;
  char message[256];
  cr_assert_eq(tsr__config_read(&config, message, sizeof message), TSR_OK, "%s", message);
  strcpy(config.jit, "lazy");
  strcpy(config.cache, "/dev/null/none"); /* nothing is kept */
  config.jit_limit_s = 600;               /* the machine may be busy */
  config.jit_after = 0;
  config.seed = seed;
  return tsr__jit_create_for(&config, &tsr__code_cuda_as_c, tsr__target_get(0));
}

/* Launches the kernel over fresh memory. Returns whether its text ran; then it gave the
 * interpreter's bits. */
static bool run_both(tsr_jit *jit, tsr_kernel *k, stage *s, uint64_t number)
{
  static tsr_cuda_launch launch;
  uint64_t seed = number + 1;
  void *base[MAX_ACCESSES], *expected_base[MAX_ACCESSES];
  stage_fill(s, &seed);
  const tsr_kernel_bind bind = stage_bind(s, false, base),
                        expected = stage_bind(s, true, expected_base);
  cr_assert(tsr__cuda_launch_make(k, &bind, &launch));
  memset(base, 0xff, sizeof base); /* a launch has no need of what it was bound to */
  const bool ran = tsr__jit_launch(jit, k, &launch);
  if (ran) {
    reference_interpret(k, &expected);
    stage_compare(k, s, "CUDA text", number);
  }
  stage_free(s);
  return ran;
}

/* Runs every kernel to want it, and again when all are compiled: each of them has a text. */
static void expect_all(tsr_kernel **k, stage *s, int n, int64_t seed)
{
  tsr_jit *jit = open_jit(seed);
  if (!jit) cr_skip_test("this processor has no fused multiply-add");
  int n_ran = 0;
  for (int i = 0; i < n; i++) {
    cr_assert_eq(tsr__kernel_prepare(k[i]), TSR_OK);
    run_both(jit, k[i], &s[i], (uint64_t)i);
  }
  tsr__jit_wait(jit);
  cr_expect_eq(tsr__jit_stats(jit).n_failed, 0u);
  for (int round = 0; round < 5 && n_ran < n; round++) {
    n_ran = 0;
    for (int i = 0; i < n; i++) n_ran += run_both(jit, k[i], &s[i], (uint64_t)i);
    tsr__jit_wait(jit);
  }
  cr_expect_eq(n_ran, n);
  tsr__jit_destroy(jit);
  for (int i = 0; i < n; i++) tsr__kernel_destroy(k[i]);
  free(k);
  free(s);
}

/* 777 points are a point a thread, 776 are in pieces. */
Test(cuda, every_operation_on_every_dtype, .timeout = 300)
{
  const int most = TSR_N_OPS * TSR_N_DTYPES;
  tsr_kernel **k = calloc(most, sizeof *k);
  stage *s = calloc(most, sizeof *s);
  int n = 0;
  for (int op = 0; op < TSR_N_OPS; op++) {
    for (int d = 0; d < TSR_N_DTYPES; d++) {
      tsr_dtype compute, result;
      if (!tsr__op_dtypes(op, d, &compute, &result) || (int)compute != d) continue;
      k[n] = stage_of_op(&s[n], op, compute, result, n % 3 == 0, 776 + n % 2);
      n++;
    }
  }
  expect_all(k, s, n, 1);
}

Test(cuda, every_cast_and_random_function, .timeout = 120)
{
  const int most = TSR_N_DTYPES * TSR_N_DTYPES + 2 * TSR_N_RANDOM;
  tsr_kernel **k = calloc(most, sizeof *k);
  stage *s = calloc(most, sizeof *s);
  int n = 0;
  for (int from = 0; from < TSR_N_DTYPES; from++)
    for (int to = 0; to < TSR_N_DTYPES; to++, n++)
      k[n] = stage_of_cast(&s[n], from, to, 2000 + n % 2);
  for (int i = 0; i < 2 * TSR_N_RANDOM; i++, n++)
    k[n] = stage_of_random(&s[n], i / 2, i % 2 == 1, 776 + n % 2);
  expect_all(k, s, n, 2);
}

/* Boxes of up to four axes, strides of any sign and size, loads and stores of one buffer. */
Test(cuda, random_kernels, .timeout = 300)
{
  enum { N = STAGE_IS_SANITIZED ? 100 : 300 };
  for (int64_t order = 1; order <= 2; order++) {
    tsr_kernel **k = calloc(N, sizeof *k);
    stage *s = calloc(N, sizeof *s);
    uint64_t seed = 20 + (uint64_t)order;
    int n = 0;
    while (n < N) {
      k[n] = stage_draw(&s[n], true, n % 2, &seed);
      n++;
    }
    expect_all(k, s, n, order);
  }
}
