/* The text of kernels as CUDA C: its bits, as C, are the interpreter's, in whichever order blocks
 * and threads come; what a launch carries; and that NVRTC takes it. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "kernel/cuda/render_cuda.h"
#include "tests/kernel/compiled.h"
#include "tests/kernel/cuda_code.h"
#include "tests/kernel/reference.h"
#include "tests/kernel/stage.h"
#include "tests/support/sanitized.h"

static const tsr_cuda_tuning *tuning; /* of the test; NULL: the chosen one */

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
  cr_assert(tsr__cuda_launch_make_tuned(k, &bind, tuning, &launch));
  memset(base, 0xff, sizeof base); /* a launch has no need of what it was bound to */
  const bool ran = launch_code(jit, k, &launch);
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
  cr_expect_eq(run_until_compiled(jit, k, s, n, run_both), n);
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
  enum { N = IS_SANITIZED ? 60 : 120 };
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

/* The form of a sum of so many loads of one array, each a point further, over a box of its
 * interior. */
static tsr_cuda_form form_of_sum(tsr_dtype dtype, int ndim, int n_loads)
{
  static tsr_cuda_launch launch;
  enum { LENGTH = 64 };
  void *base[MAX_ACCESSES];
  int64_t strides[MAX_ACCESSES][TSR_MAX_NDIM] = {{0}};
  const int64_t size = (int64_t)tsr__dtype_size(dtype);
  tsr_kernel_builder *b = tsr__kernel_builder_create(ndim);
  int sum = -1;
  for (int i = 0; i <= n_loads;
       i++) { /* the last one is the store, which has the alignment of half */
    const bool stores = i == n_loads;
    const int access = tsr__kernel_access_add(b, dtype, stores, stores, (uint32_t)i);
    base[access] = (void *)(intptr_t)(4096 * (1 + stores) + i % 2 * size);
    int64_t stride = size;
    for (int axis = ndim - 1; axis >= 0; axis--, stride *= LENGTH) strides[access][axis] = stride;
    if (stores) {
      tsr__kernel_store(b, access, sum);
    } else {
      const int x = tsr__kernel_load(b, access);
      sum = i ? tsr__kernel_op(b, TSR_OP_ADD, dtype, dtype, 2, (int[]){sum, x}) : x;
    }
  }
  tsr_kernel *k = tsr__kernel_finish(b);
  tsr_kernel_bind bind = {.base = base, .stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])strides};
  for (int axis = 0; axis < ndim; axis++) bind.n[axis] = LENGTH - 2;
  memset(&launch, 0, sizeof launch);
  cr_assert(tsr__cuda_launch_make(k, &bind, &launch));
  tsr__kernel_destroy(k);
  return launch.form;
}

static void expect_form(tsr_dtype dtype, int ndim, int n_loads, int points, int n_pieces)
{
  const tsr_cuda_form form = form_of_sum(dtype, ndim, n_loads);
  cr_expect_eq(form.points, points, "%d axes, %d loads: %d", ndim, n_loads, form.points);
  cr_expect_eq(form.n_pieces, n_pieces, "%d axes, %d loads: %d", ndim, n_loads, form.n_pieces);
  cr_expect(form.narrow && form.read_only == (ndim > 1), "%d axes, %d loads", ndim, n_loads);
}

/* Half of the streams are aligned to two points. */
Test(cuda, a_thread_has_two_points_of_few_streams_in_boxes)
{
  expect_form(TSR_FLOAT64, 1, 1, 1, 1);
  expect_form(TSR_FLOAT64, 1, 5, 1, 1);
  expect_form(TSR_FLOAT64, 2, 7, 2, 1);
  expect_form(TSR_FLOAT64, 2, 8, 1, 1);
  expect_form(TSR_FLOAT64, 3, 7, 2, 1);
  expect_form(TSR_FLOAT64, 3, 8, 1, 1);
  expect_form(TSR_FLOAT32, 2, 7, 2, 1);
}

/* However kernels are laid over threads; with each tuning other operations. */
Test(cuda, random_kernels_of_every_tuning, .timeout = 300)
{
  enum { N = IS_SANITIZED ? 12 : 32 };
  static const tsr_cuda_tuning tunings[] = {
      {.piece_bytes = 16,
       .n_pieces = 4,
       .log_width = 5,
       .mixed = 4,
       .narrow = true,
       .read_only = true},
      {.piece_bytes = 16, .n_pieces = 2, .log_width = 8, .read_only = true},
      {.piece_bytes = 8, .n_pieces = 3, .log_width = 6, .mixed = 4},
      {.piece_bytes = 1, .n_pieces = 1, .log_width = 3, .narrow = true},
  };
  for (int t = 0; t < 4; t++) {
    tsr_kernel **k = calloc(2 * N, sizeof *k);
    stage *s = calloc(2 * N, sizeof *s);
    uint64_t seed = 200 + (uint64_t)t;
    int n = 0;
    tuning = &tunings[t];
    /* The streams of most of them are aligned. */
    for (int op = t * N % TSR_N_OPS; n < N; op = (op + 1) % TSR_N_OPS) {
      tsr_dtype compute, result;
      const int d = (n + op) % TSR_N_DTYPES;
      if (!tsr__op_dtypes(op, d, &compute, &result) || (int)compute != d) continue;
      k[n] = stage_of_op(&s[n], op, compute, result, n % 3 == 0, 5000 + 4 * (n % 9));
      n++;
    }
    for (; n < 2 * N; n++) k[n] = stage_draw(&s[n], true, n % 2, &seed);
    expect_all(k, s, n, 1 + t);
  }
}

/* Text in which each thread reads what its neighbour writes in the same phase. */
static bool render_race(const tsr_kernel *k, const uint8_t *form, const tsr_target *target,
                        const char *name, tsr_text *out, tsr_function_uses *uses)
{
  const int base = tsr__cuda_words(k, 1).base;
  tsr__text_add(out,
                "KERNEL(%s, 1)\n{\n  THREADS {\n"
                "    const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;\n"
                "    f64 *out = (f64 *)ARG(%d);\n"
                "    if (i < ARG(0)) out[i] = i > 0 ? out[i - 1] + 1 : 1;\n  }\n}\n",
                name, base + 1);
  return true;
}

enum { N_RACING = 1000 };

/* The kernel -x over doubles, compiled as `kind` and launched over `out`. */
static bool run_negative(const tsr_code_kind *kind, int64_t seed, double *out)
{
  static tsr_cuda_launch launch;
  static double in[N_RACING];
  stage s = {.ndim = 0};
  tsr_kernel *k = stage_of_op(&s, TSR_OP_NEGATIVE, TSR_FLOAT64, TSR_FLOAT64, false, N_RACING + 1);
  tsr_jit *jit = open_jit_of(kind, seed);
  void *base[] = {in, out};
  tsr_kernel_bind bind = {.base = base, .stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])s.stride};
  bind.n[0] = N_RACING - 1; /* odd: no pieces */
  if (jit == NULL) cr_skip_test("this processor has no fused multiply-add");
  cr_assert(tsr__cuda_launch_make(k, &bind, &launch));
  tsr__jit_want_launch(jit, k, &launch);
  tsr__jit_wait(jit);
  const bool ran = launch_code(jit, k, &launch);
  tsr__jit_destroy(jit);
  tsr__kernel_destroy(k);
  return ran;
}

/* Every seed is another order of blocks and threads, in which every point has its turn once. */
Test(cuda, a_race_shows, .timeout = 60)
{
  static double out[4][N_RACING];
  tsr_code_kind racing = tsr__code_cuda_as_c;
  racing.render = render_race;
  for (int seed = 0; seed < 4; seed++) {
    cr_assert(run_negative(&racing, seed, out[seed]));
    bool is_right = true;
    for (int i = 0; i < N_RACING - 1; i++) {
      cr_expect_geq(out[seed][i], 1, "seed %d: point %d has had no turn", seed, i);
      is_right = is_right && out[seed][i] == i + 1;
    }
    cr_expect_not(is_right, "seed %d: the race does not show", seed);
    cr_expect_eq(out[seed][N_RACING - 1], 0);
    for (int other = 0; other < seed; other++)
      cr_expect_neq(memcmp(out[seed], out[other], sizeof out[0]), 0,
                    "seeds %d and %d are one order", seed, other);
  }
}

/* A device ends a kernel that loads 16 bytes from anywhere but a multiple of 16. */
Test(cuda, a_piece_that_is_not_aligned_ends_the_process, .signal = SIGILL, .timeout = 60)
{
  static tsr_cuda_launch launch;
  static _Alignas(16) double in[66], out[66];
  stage s = {.ndim = 0};
  tsr_kernel *k = stage_of_op(&s, TSR_OP_NEGATIVE, TSR_FLOAT64, TSR_FLOAT64, false, 64);
  tsr_jit *jit = open_jit(1);
  void *base[] = {in, out};
  tsr_kernel_bind bind = {.base = base, .stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])s.stride};
  bind.n[0] = 64;
  signal(SIGILL, SIG_DFL);        /* a sanitizer would end the process in its own way */
  if (jit == NULL) raise(SIGILL); /* there is no such code here */
  cr_assert(tsr__cuda_launch_make(k, &bind, &launch));
  cr_assert_eq(launch.form.points, 2);
  tsr__jit_want_launch(jit, k, &launch);
  tsr__jit_wait(jit);
  cr_assert(launch_code(jit, k, &launch));
  cr_assert_eq(out[63], 0);
  launch.words[tsr__cuda_words(k, 1).base] += 8;
  launch_code(jit, k, &launch);
}
