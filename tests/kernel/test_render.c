/* Compiled kernels against the interpreter: every operation on every dtype, kernels drawn at random
 * with any strides, stores around the caches, rows of every length; and the text of two kernels. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "kernel/compile/jit_int.h"
#include "kernel/ops/functions.h"
#include "tests/kernel/compiled.h"
#include "tests/kernel/reference.h"
#include "tests/kernel/stage.h"
#include "tests/support/sanitized.h"

/* Texts. */

static const tsr_target target = {.name = "avx512",
                                  .vector_bytes = 64,
                                  .x86_vex = true,
                                  .flags = "",
                                  .loops = &tsr__loops_baseline};

static void expect_text(tsr_kernel *k, const uint8_t *classes, const char *expected)
{
  tsr_text text = {0};
  tsr_function_uses uses = {0};
  cr_assert(tsr__render_c(k, classes, &target, "f", &text, &uses));
  cr_expect_str_eq(text.s, expected, "%s", text.s);
  tsr__text_free(&text);
  tsr__kernel_destroy(k);
}

/* out = s0 * (a + b), written around the caches. */
Test(render, text_of_a_kernel_in_one_pass)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(2);
  int load[2];
  for (int a = 0; a < 2; a++)
    load[a] = tsr__kernel_load(b, tsr__kernel_access_add(b, TSR_FLOAT64, false, a, 0));
  const int out = tsr__kernel_access_add(b, TSR_FLOAT64, true, 2, 0);
  const int sum = tsr__kernel_op(b, TSR_OP_ADD, TSR_FLOAT64, TSR_FLOAT64, 2, load);
  const int factor = tsr__kernel_scalar(b, tsr__kernel_scalar_add(b, TSR_FLOAT64));
  const int args[] = {factor, sum};
  tsr__kernel_store(b, out, tsr__kernel_op(b, TSR_OP_MULTIPLY, TSR_FLOAT64, TSR_FLOAT64, 2, args));
  expect_text(tsr__kernel_finish(b),
              (uint8_t[]){TSR_CLASS_AHEAD, TSR_CLASS_ZERO, TSR_CLASS_STREAM_STORE},
              "void f(i64 n_rows, i64 n, char *const *base, const i64 *row, const i64 *step,\n"
              "        const scalar *s, const loop *call)\n"
              "{\n"
              "  char *p0 = base[0];\n"
              "  char *p1 = base[1];\n"
              "  char *p2 = base[2];\n"
              "  const f64x8 v3 = BROADCAST(f64x8, \"q\", s[0].u.f);\n"
              "  for (i64 row_index = 0; row_index < n_rows; row_index++) {\n"
              "    const f64x8 v1 = SPLAT8(*(const f64 *)p1);\n"
              "    const i64 head = -(uintptr_t)p2 % 64 / 8;\n"
              "    const int aligned2 = (uintptr_t)(p2 + head * 8) % 64 == 0;\n"
              "    const i64 run = n < 8192 ? 0 : (n - head) / 256 * 64, turns = run / 64 * 4;\n"
              "    for (i64 part = -1; part < turns + 2; part++) {\n"
              "      i64 i = part < 0        ? 0\n"
              "              : part < turns  ? head + (part & 3) * run + (part >> 2) * 64\n"
              "              : part == turns ? head + 4 * run\n"
              "                              : n - 8;\n"
              "      const i64 end = part < 0        ? 8\n"
              "                      : part < turns  ? i + 64\n"
              "                      : part == turns ? n - (n - head) % 8\n"
              "                                      : n;\n"
              "      if (part < 0 ? head == 0 : part > turns ? (n - head) % 8 == 0 : i >= end) "
              "continue;\n"
              "      const int streams2 = part >= 0 && part <= turns && aligned2;\n"
              "      do {\n"
              "        __builtin_prefetch(p0 + (i) * 8 + 1024);\n"
              "        const f64x8 v0 = *(const f64x8u *)(p0 + (i) * 8);\n"
              "        const f64x8 v2 = v0 + v1;\n"
              "        const f64x8 v4 = v3 * v2;\n"
              "        if (streams2)\n"
              "          STREAM(f64x8, p2 + (i) * 8, v4);\n"
              "        else\n"
              "          *(f64x8u *)(p2 + (i) * 8) = v4;\n"
              "      } while ((i += 8) < end);\n"
              "    }\n"
              "    p0 += row[0];\n"
              "    p1 += row[1];\n"
              "    p2 += row[2];\n"
              "  }\n"
              "  STREAM_END();\n"
              "  UPPER_END();\n"
              "}\n");
}

/* x[m & (x // x < index)] = x // x: in place, with a call and a mask. */
Test(render, text_of_a_kernel_in_blocks)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  const int in = tsr__kernel_access_add(b, TSR_INT64, false, 0, 0);
  const int out = tsr__kernel_access_add(b, TSR_INT64, true, 0, 0);
  const int m = tsr__kernel_load(b, tsr__kernel_access_add(b, TSR_BOOL, false, 1, 0));
  const int x = tsr__kernel_load(b, in);
  const int e = tsr__kernel_op(b, TSR_OP_FLOOR_DIVIDE, TSR_INT64, TSR_INT64, 2, (int[]){x, x});
  const int index = tsr__kernel_iota(b, 0);
  const int less = tsr__kernel_op(b, TSR_OP_LESS, TSR_INT64, TSR_BOOL, 2, (int[]){e, index});
  const int both = tsr__kernel_op(b, TSR_OP_LOGICAL_AND, TSR_BOOL, TSR_BOOL, 2, (int[]){less, m});
  const int args[] = {both, e, x};
  tsr__kernel_store(b, out, tsr__kernel_op(b, TSR_OP_WHERE, TSR_INT64, TSR_INT64, 3, args));
  expect_text(tsr__kernel_finish(b),
              (uint8_t[]){TSR_CLASS_UNIT, TSR_CLASS_UNIT, TSR_CLASS_ANY, TSR_CLASS_UNIT},
              "void f(i64 n_rows, i64 n, char *const *base, const i64 *row, const i64 *step,\n"
              "        const scalar *s, const loop *call)\n"
              "{\n"
              "  char *p0 = base[0];\n"
              "  char *p1 = base[1];\n"
              "  char *p2 = base[2];\n"
              "  const i64 s2 = step[2];\n"
              "  char *p3 = base[3];\n"
              "  i64 t1[512] __attribute__((aligned(64)));\n"
              "  i64 t2[512] __attribute__((aligned(64)));\n"
              "  for (i64 row_index = 0; row_index < n_rows; row_index++) {\n"
              "    const char *q0 = p0;\n"
              "    const i64x8 w0 = *(const i64x8u *)(q0 + (n - 8) * 8);\n"
              "    for (i64 i = 0, end = n & -8;; i = n - 8, end = n) {\n"
              "      for (; i < end; i += 512) {\n"
              "        const i64 m = end - i < 512 ? end - i : 512;\n"
              "        for (i64 j = 0; j < m; j += 8) {\n"
              "          const i64x8 v1 = *(const i64x8u *)(q0 + (i + j) * 8);\n"
              "          *(i64x8u *)(t1 + j) = v1;\n"
              "        }\n"
              "        call[0](m, t2, (const void *const[]){t1, t1}); /* floor_divide */\n"
              "        for (i64 j = 0; j < m; j += 8) {\n"
              "          const u8x8 v0 = GATHER8(u8, p2 + (i + j) * s2, s2);\n"
              "          const i64x8 v1 = *(const i64x8u *)(t1 + j);\n"
              "          const i64x8 v2 = *(const i64x8u *)(t2 + j);\n"
              "          const i64x8 v3 = (i64)p3 + i + j + (i64x8)IOTA8;\n"
              "          const i64x8 v4 = (i64x8)(v2 < v3);\n"
              "          const i64x8 v5 = v4 & MOVE(i64x8, \"vpmovsxbq\", -(i8x8)v0);\n"
              "          const i64x8 v6 = SELECT(i64x8, i64x8, v5, v2, v1);\n"
              "          *(i64x8u *)(p1 + (i + j) * 8) = v6;\n"
              "        }\n"
              "      }\n"
              "      if (end == n) break;\n"
              "      q0 = (const char *)((uintptr_t)&w0 - (n - 8) * 8);\n"
              "    }\n"
              "    p0 += row[0];\n"
              "    p1 += row[1];\n"
              "    p2 += row[2];\n"
              "    p3 += row[3];\n"
              "  }\n"
              "  UPPER_END();\n"
              "}\n");
}

/* out = exp(log(x) * y): two functions in a row are two loops over a block. */
Test(render, text_of_a_kernel_with_functions)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  int load[2];
  for (int a = 0; a < 2; a++)
    load[a] = tsr__kernel_load(b, tsr__kernel_access_add(b, TSR_FLOAT64, false, a, 0));
  const int out = tsr__kernel_access_add(b, TSR_FLOAT64, true, 2, 0);
  const int log = tsr__kernel_op(b, TSR_OP_LOG, TSR_FLOAT64, TSR_FLOAT64, 1, &load[0]);
  const int product =
      tsr__kernel_op(b, TSR_OP_MULTIPLY, TSR_FLOAT64, TSR_FLOAT64, 2, (int[]){log, load[1]});
  const int power = tsr__kernel_op(b, TSR_OP_EXP, TSR_FLOAT64, TSR_FLOAT64, 1, &product);
  tsr__kernel_store(b, out, power);
  expect_text(tsr__kernel_finish(b), (uint8_t[]){TSR_CLASS_UNIT, TSR_CLASS_UNIT, TSR_CLASS_UNIT},
              "void f(i64 n_rows, i64 n, char *const *base, const i64 *row, const i64 *step,\n"
              "        const scalar *s, const loop *call)\n"
              "{\n"
              "  char *p0 = base[0];\n"
              "  char *p1 = base[1];\n"
              "  char *p2 = base[2];\n"
              "  f64 t3[512] __attribute__((aligned(64)));\n"
              "  for (i64 row_index = 0; row_index < n_rows; row_index++) {\n"
              "    for (i64 i = 0, end = n & -8;; i = n - 8, end = n) {\n"
              "      for (; i < end; i += 512) {\n"
              "        const i64 m = end - i < 512 ? end - i : 512;\n"
              "        for (i64 j = 0; j < m; j += 8) {\n"
              "          const f64x8 v0 = *(const f64x8u *)(p0 + (i + j) * 8);\n"
              "          const f64x8 v1 = *(const f64x8u *)(p1 + (i + j) * 8);\n"
              "          const f64x8 v2 = log_f64x8(v0);\n"
              "          const f64x8 v3 = v2 * v1;\n"
              "          *(f64x8u *)(t3 + j) = v3;\n"
              "        }\n"
              "        for (i64 j = 0; j < m; j += 8) {\n"
              "          const f64x8 v3 = *(const f64x8u *)(t3 + j);\n"
              "          const f64x8 v4 = exp_f64x8(v3);\n"
              "          *(f64x8u *)(p2 + (i + j) * 8) = v4;\n"
              "        }\n"
              "      }\n"
              "      if (end == n) break;\n"
              "    }\n"
              "    p0 += row[0];\n"
              "    p1 += row[1];\n"
              "    p2 += row[2];\n"
              "  }\n"
              "  UPPER_END();\n"
              "}\n");
}

/* What code calls comes with what that calls, in the same lanes, and nothing else does. */
Test(render, text_of_functions)
{
  tsr_text text = {0};
  tsr_function_uses uses = {0};
  tsr__render_functions(&target, &uses, &text);
  cr_expect_eq(text.n, 0u);
  const int exp_f64 = tsr__function_find("exp_f64", 7),
            power_f32 = tsr__function_find("power_f32", 9);
  uses.called[0][exp_f64 / 64] |= (uint64_t)1 << exp_f64 % 64;
  uses.called[1][power_f32 / 64] |= (uint64_t)1 << power_f32 % 64;
  tsr__render_functions(&target, &uses, &text);
  cr_expect_not_null(strstr(text.s, "TSR_MATH f64x8 exp_f64x8(f64x8 x)"));
  cr_expect_not_null(strstr(text.s, "TSR_MATH exp_split_f64x8 split_exp_f64x8("));
  cr_expect_not_null(strstr(text.s, "power_f32x16("));
  cr_expect_null(strstr(text.s, "log_f64x8"));
  cr_expect_null(strstr(text.s, "exp_f32x16"));
  tsr__text_free(&text);
}

/* Bits. */

static tsr_jit *open_jit(int target)
{
  const tsr_config config = lazy_config(0);
  return tsr__jit_create_for(&config, &tsr__code_c, tsr__target_get(target));
}

/* Runs by the jit, with fresh memory: true if compiled code ran, and then it gave the interpreter's
 * bits. */
static bool run_both(tsr_jit *jit, tsr_kernel *k, stage *s, uint64_t number)
{
  uint64_t seed = number + 1;
  void *base[MAX_ACCESSES], *expected_base[MAX_ACCESSES];
  stage_fill(s, &seed);
  tsr_kernel_bind bind = stage_bind(s, false, base);
  const tsr_kernel_bind expected = stage_bind(s, true, expected_base);
  bind.stream_store_mask = number % 3 ? 0 : ~UINT64_C(0);
  const size_t bytes = (tsr__kernel_scratch_bytes(k) + 63) / 64 * 64;
  void *scratch = aligned_alloc(64, bytes ? bytes : 64);
  const bool compiled = tsr__jit_run(jit, k, &bind, scratch, NULL);
  free(scratch);
  reference_interpret(k, &expected);
  stage_compare(k, s, compiled ? "compiled kernel" : "kernel", number);
  stage_free(s);
  return compiled;
}

static int run_all(tsr_jit *jit, tsr_kernel **k, stage *s, int n)
{
  return run_until_compiled(jit, k, s, n, run_both);
}

static void close_jit(tsr_jit *jit, tsr_kernel **k, stage *s, int n)
{
  tsr__jit_destroy(jit);
  for (int i = 0; i < n; i++) tsr__kernel_destroy(k[i]);
  free(k);
  free(s);
}

static void check_every_operation(int at_target)
{
  const int most = 2 * TSR_N_OPS * TSR_N_DTYPES;
  tsr_kernel **k = calloc(most, sizeof *k);
  stage *s = calloc(most, sizeof *s);
  int n = 0;
  for (int op = 0; op < TSR_N_OPS; op++) {
    for (int d = 0; d < TSR_N_DTYPES; d++) {
      tsr_dtype compute, result;
      if (!tsr__op_dtypes(op, d, &compute, &result) || (int)compute != d) continue;
      for (int with_f64 = 0; with_f64 < 2; with_f64++, n++)
        k[n] = stage_of_op(&s[n], op, compute, result, with_f64, 777);
    }
  }
  tsr_jit *jit = open_jit(at_target);
  cr_expect_eq(run_all(jit, k, s, n), n);
  close_jit(jit, k, s, n);
}

/* Of an array; is_once: of a number, which is added to the array. */
static tsr_kernel *kernel_of_shift(stage *s, tsr_opcode op, tsr_dtype dtype, int64_t by,
                                   bool is_once)
{
  enum { N = 777 };
  *s = (stage){.ndim = 1,
               .n = {N},
               .n_scalars = 2,
               .scalar = {{.dtype = dtype, .u.i = by}, {.dtype = dtype, .u.i = 93}}};
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  const int x = tsr__kernel_load(b, stage_dense(s, b, dtype, false, 0, N));
  const int y = tsr__kernel_scalar(b, tsr__kernel_scalar_add(b, dtype));
  const int number = tsr__kernel_scalar(b, tsr__kernel_scalar_add(b, dtype));
  int shifted = tsr__kernel_op(b, op, dtype, dtype, 2, (int[]){is_once ? number : x, y});
  if (is_once) shifted = tsr__kernel_op(b, TSR_OP_ADD, dtype, dtype, 2, (int[]){x, shifted});
  tsr__kernel_store(b, stage_dense(s, b, dtype, true, 1, N), shifted);
  return tsr__kernel_finish(b);
}

/* Of all integers, by numbers of bits in range and beyond. */
Test(render, shifts_by_a_scalar, .timeout = 120)
{
  enum { N_BY = 7, N = 4 * N_BY * (TSR_DTYPE_UINT64 + 1) };
  for (int t = 0; tsr__target_get(t); t++) {
    tsr_kernel **k = calloc(N, sizeof *k);
    stage *s = calloc(N, sizeof *s);
    int n = 0;
    for (int dtype = 0; dtype < TSR_N_DTYPES; dtype++) {
      if (!tsr__dtype_is_integer(dtype)) continue;
      const int64_t bits = 8 * (int64_t)tsr__dtype_size(dtype);
      const bool is_signed = tsr__dtype_kind(dtype) == TSR_KIND_INT;
      for (int i = 0; i < N_BY; i++) {
        const int64_t by = (int64_t[N_BY]){0, 1, 5, bits - 1, bits, 100, is_signed ? -1 : 3}[i];
        for (int once = 0; once < 2; once++) {
          k[n] = kernel_of_shift(&s[n], TSR_OP_LEFT_SHIFT, dtype, by, once), n++;
          k[n] = kernel_of_shift(&s[n], TSR_OP_RIGHT_SHIFT, dtype, by, once), n++;
        }
      }
    }
    cr_assert(n > 0 && n <= N);
    tsr_jit *jit = open_jit(t);
    cr_expect_eq(run_all(jit, k, s, n), n);
    close_jit(jit, k, s, n);
  }
}

Test(render, every_random_function, .timeout = 120)
{
  for (int t = 0; tsr__target_get(t); t++) {
    tsr_kernel *k[2 * TSR_N_RANDOM];
    stage *s = calloc(2 * TSR_N_RANDOM, sizeof *s);
    for (int i = 0; i < 2 * TSR_N_RANDOM; i++)
      k[i] = stage_of_random(&s[i], i / 2, i % 2 == 1, 777);
    tsr_jit *jit = open_jit(t);
    cr_expect_eq(run_all(jit, k, s, 2 * TSR_N_RANDOM), 2 * TSR_N_RANDOM);
    tsr_kernel **owned = malloc(sizeof k);
    memcpy(owned, k, sizeof k);
    close_jit(jit, owned, s, 2 * TSR_N_RANDOM);
  }
}

Test(render, every_operation_on_every_dtype, .timeout = 300)
{
  for (int t = 0; tsr__target_get(t) && (t == 0 || !IS_SANITIZED); t++) check_every_operation(t);
}

Test(render, every_cast, .timeout = 120)
{
  tsr_kernel **k = calloc(TSR_N_DTYPES * TSR_N_DTYPES, sizeof *k);
  stage *s = calloc(TSR_N_DTYPES * TSR_N_DTYPES, sizeof *s);
  int n = 0;
  for (int from = 0; from < TSR_N_DTYPES; from++) {
    for (int to = 0; to < TSR_N_DTYPES; to++) {
      if (from == to) continue;
      k[n] = stage_of_cast(&s[n], from, to, 3000);
      n++;
    }
  }
  tsr_jit *jit = open_jit(0);
  cr_expect_eq(run_all(jit, k, s, n), n);
  close_jit(jit, k, s, n);
}

/* x += y or z = x + y on rows that lie apart by an odd number. */
static tsr_kernel *sum_of_rows(stage *s, int64_t n_rows, int64_t n, bool in_place)
{
  *s = (stage){0};
  tsr_kernel_builder *b = tsr__kernel_builder_create(2);
  const int x = tsr__kernel_load(b, stage_dense(s, b, TSR_FLOAT64, false, 0, n));
  const int y = tsr__kernel_load(b, stage_dense(s, b, TSR_FLOAT32, false, 1, n));
  const int out = stage_dense(s, b, TSR_FLOAT64, true, in_place ? 0 : 2, n);
  const int args[] = {x, tsr__kernel_cast(b, y, TSR_FLOAT64)};
  tsr__kernel_store(b, out, tsr__kernel_op(b, TSR_OP_ADD, TSR_FLOAT64, TSR_FLOAT64, 2, args));
  tsr_kernel *k = tsr__kernel_finish(b);
  s->ndim = 2;
  s->n[1] = n;
  s->n[0] = n_rows;
  const int64_t apart = n + 3 - n % 2;
  for (int a = 0; a < 3; a++) {
    s->stride[a][1] = s->stride[a][0];
    s->stride[a][0] *= apart;
  }
  for (int c = 0; c < s->n_buffers; c++) s->buffer[c].elems = n_rows * apart;
  cr_assert_eq(tsr__kernel_prepare(k), TSR_OK);
  return k;
}

/* x += y and z = x + y, from any address on, in rows of any length; z around the caches too. */
Test(render, rows_of_every_length, .timeout = 120)
{
  enum { LONGEST = 150 };
  tsr_jit *jit = open_jit(0);
  for (int in_place = 0; in_place < 2; in_place++) {
    for (int pass = 0; pass < 3; pass++) {
      for (int64_t n = 1; n <= LONGEST; n++) {
        stage s;
        tsr_kernel *k = sum_of_rows(&s, 4, n, in_place);
        const bool compiled = run_both(jit, k, &s, (uint64_t)n);
        if (pass == 2) cr_expect(compiled, "%d points", (int)n);
        tsr__kernel_destroy(k);
      }
      tsr__jit_wait(jit);
    }
  }
  cr_expect_eq(tsr__jit_stats(jit).n_failed, 0u);
  tsr__jit_destroy(jit);
}

/* z = x + y around the caches, at the lengths where four runs begin and end; rows begin at each
 * element of a cache line. */
Test(render, rows_of_four_runs, .timeout = 120)
{
  const int64_t lengths[] = {8191, 8192, 8193, 8199, 8200, 8201, 8447, 8448, 8449, 20011};
  tsr_jit *jit = open_jit(0);
  for (int pass = 0; pass < 3; pass++) {
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
      stage s;
      tsr_kernel *k = sum_of_rows(&s, 8, lengths[i], false);
      const bool compiled = run_both(jit, k, &s, 3 * i);
      if (pass == 2) cr_expect(compiled, "%d points", (int)lengths[i]);
      tsr__kernel_destroy(k);
    }
    tsr__jit_wait(jit);
  }
  cr_expect_eq(tsr__jit_stats(jit).n_failed, 0u);
  tsr__jit_destroy(jit);
}

/* x to the power of one element, a number that a call of blocks reads from an array. */
static tsr_kernel *kernel_of_one_exponent(stage *s, tsr_dtype dtype, int64_t n)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  const int x = tsr__kernel_load(b, stage_dense(s, b, dtype, false, 0, n));
  const int y = tsr__kernel_load(b, stage_dense(s, b, dtype, false, 1, n));
  s->stride[1][0] = 0;
  const int value = tsr__kernel_op(b, TSR_OP_POWER, dtype, dtype, 2, (int[]){x, y});
  tsr__kernel_store(b, stage_dense(s, b, dtype, true, 2, n), value);
  return tsr__kernel_finish(b);
}

Test(render, calls_of_one_element, .timeout = 120)
{
  static const tsr_dtype dtypes[] = {TSR_FLOAT32, TSR_FLOAT64, TSR_COMPLEX64, TSR_COMPLEX128};
  for (int t = 0; tsr__target_get(t); t++) {
    tsr_kernel **k = calloc(4, sizeof *k);
    stage *s = calloc(4, sizeof *s);
    for (int d = 0; d < 4; d++) k[d] = kernel_of_one_exponent(&s[d], dtypes[d], 777);
    tsr_jit *jit = open_jit(t);
    cr_expect_eq(run_all(jit, k, s, 4), 4);
    close_jit(jit, k, s, 4);
  }
}

Test(render, random_kernels, .timeout = 600)
{
  /* A sanitizer does not see into kernels that the compiler makes: some show what stands around
   * them. */
  const int n_drawn = IS_SANITIZED ? 120 : 300;
  int n_targets = 0;
  while (tsr__target_get(n_targets)) n_targets++;
  for (int t = 0; t < n_targets; t++) {
    const int n = t == 0 ? n_drawn : n_drawn / 10;
    tsr_kernel **k = calloc((size_t)n, sizeof *k);
    stage *s = calloc((size_t)n, sizeof *s);
    for (int i = 0; i < n; i++) {
      uint64_t seed = (uint64_t)(i + 1) * 0x9e3779b97f4a7c15u;
      k[i] = stage_draw(&s[i], true, i % 3 > 0, &seed); /* else rows of any length */
    }
    tsr_jit *jit = open_jit(t);
    const int n_compiled = run_all(jit, k, s, n);
    cr_expect_eq(n_compiled, n, "%d of %d kernels were compiled", n_compiled, n);
    close_jit(jit, k, s, n);
  }
}

/* Of an index and, from the middle on, any number: vectors without and with arguments that are far,
 * infinite or no number. */
static tsr_kernel *kernel_of_near_and_far(stage *s, tsr_opcode op, tsr_dtype dtype, int64_t n)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  const int any = tsr__kernel_load(b, stage_dense(s, b, dtype, false, 0, n));
  const int scalar = tsr__kernel_scalar(b, tsr__kernel_scalar_add(b, TSR_INT64));
  const int index = tsr__kernel_iota(b, 0), near = tsr__kernel_cast(b, index, dtype);
  const int is_near =
      tsr__kernel_op(b, TSR_OP_LESS, TSR_INT64, TSR_BOOL, 2, (int[]){index, scalar});
  const int x = tsr__kernel_op(b, TSR_OP_WHERE, dtype, dtype, 3, (int[]){is_near, near, any});
  const int value =
      tsr__kernel_op(b, op, dtype, dtype, tsr__op_info(op)->min_args, (int[]){x, near});
  tsr__kernel_store(b, stage_dense(s, b, dtype, true, 1, n), value);
  return tsr__kernel_finish(b);
}

Test(render, functions_of_near_and_far_arguments, .timeout = 300)
{
  enum { N = 500, NEAR = 250 };
  for (int t = 0; tsr__target_get(t); t++) {
    tsr_kernel **k = calloc(2 * TSR_N_OPS, sizeof *k);
    stage *s = calloc(2 * TSR_N_OPS, sizeof *s);
    int n = 0;
    for (int op = 0; op < TSR_N_OPS; op++) {
      for (tsr_dtype dtype = TSR_FLOAT32; dtype <= TSR_FLOAT64; dtype++) {
        tsr_dtype compute, result;
        if (tsr__op_info(op)->c_expr[0] != 'K' || tsr__op_info(op)->max_args > 2 ||
            !tsr__op_dtypes(op, dtype, &compute, &result) || result != dtype)
          continue;
        s[n].scalar[s[n].n_scalars++] = (tsr_scalar){.dtype = TSR_INT64, .u.i = NEAR};
        k[n] = kernel_of_near_and_far(&s[n], op, dtype, N);
        tsr_loop call[16];
        const bool called = tsr__render_calls(k[n], tsr__target_get(t), call) > 0;
        cr_expect(!tsr__target_get(t)->x86_vex || !called, "%s is called", tsr__op_info(op)->name);
        n++;
      }
    }
    tsr_jit *jit = open_jit(t);
    cr_expect_eq(run_all(jit, k, s, n), n);
    close_jit(jit, k, s, n);
  }
}
