/* Every operation and cast, for every dtype, number of operands and instruction set of this
 * machine, against plain scalar C on special and random values; exp against long
 * double, the other functions in test_math.c and test_accuracy.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "kernel/cpu/loops.h"
#include "tests/kernel/reference.h"

enum { N = 203, PAD = 8 }; /* neither a multiple of a vector, nor aligned */

static tsr_scalar element(const unsigned char *p, tsr_dtype dtype, int i)
{
  return tsr__scalar_load(dtype, p + i * tsr__dtype_size(dtype));
}

static unsigned char *random_block(uint64_t *seed, tsr_dtype dtype)
{
  const size_t size = tsr__dtype_size(dtype);
  unsigned char *p = malloc(N * size);
  for (int i = 0; i < N; i++) tsr__scalar_store(reference_value(seed, dtype), p + i * size);
  return p;
}

static void check_op(const tsr_loops *loops, tsr_opcode op, tsr_dtype compute, int n,
                     uint64_t *seed)
{
  const tsr_loop loop = loops->op[op][compute][n - 1];
  cr_assert(loop != NULL, "%s: no loop of %s over %d operands", loops->name, tsr__op_info(op)->name,
            n);
  tsr_dtype c, result;
  cr_assert(tsr__op_dtypes(op, compute, &c, &result));
  unsigned char *src[TSR_LOOP_MAX_ARGS];
  tsr_dtype types[TSR_LOOP_MAX_ARGS];
  for (int j = 0; j < n; j++) {
    types[j] = op == TSR_OP_WHERE && j == 0 ? TSR_BOOL : compute;
    src[j] = random_block(seed, types[j]);
  }
  const size_t bytes = N * tsr__dtype_size(result);
  unsigned char *dst = malloc(bytes + PAD);
  for (int length = 0; length <= N; length += length < 20 ? 1 : N - 20) {
    memset(dst, 0xee, bytes + PAD);
    loop(length, dst, (const void *const *)src);
    for (int i = 0; i < length; i++) {
      tsr_scalar args[TSR_LOOP_MAX_ARGS];
      for (int j = 0; j < n; j++) args[j] = element(src[j], types[j], i);
      const tsr_scalar want = reference_op(op, compute, n, args), got = element(dst, result, i);
      cr_assert(reference_same(got, want), "%s: %s of %s, %d operands, at %d: %llx not %llx",
                loops->name, tsr__op_info(op)->name, tsr__dtype_info(compute)->name, n, i,
                (unsigned long long)got.u.bits, (unsigned long long)want.u.bits);
    }
    cr_assert_eq(dst[length * tsr__dtype_size(result)], 0xee, "a loop wrote too far");
  }
  for (int j = 0; j < n; j++) free(src[j]);
  free(dst);
}

Test(ops, every_loop_computes_what_scalar_c_does)
{
  uint64_t seed = 20240601;
  const tsr_loops *loops;
  for (int t = 0; (loops = tsr__loops_get(t)); t++) {
    for (int op = 0; op < TSR_N_OPS; op++) {
      const tsr_op_info *info = tsr__op_info(op);
      for (int d = 0; d < TSR_N_DTYPES; d++) {
        if (!(info->dtypes_mask >> d & 1)) continue;
        /* A chain of the newer dtypes is pairs. */
        const tsr_instr in = {.index = op, .compute = d};
        const int longest = tsr__loop_max_args(loops, &in);
        for (int n = info->min_args; n <= info->max_args && n <= longest; n++) {
          check_op(loops, op, d, n, &seed);
        }
      }
    }
  }
}

Test(ops, casts_agree_with_scalar_casts)
{
  uint64_t seed = 7;
  const tsr_loops *loops;
  for (int t = 0; (loops = tsr__loops_get(t)); t++) {
    for (int pair = 0; pair < TSR_N_DTYPES * TSR_N_DTYPES; pair++) {
      const tsr_dtype from = pair % TSR_N_DTYPES, to = pair / TSR_N_DTYPES;
      if (from == to || tsr__dtype_cast_step(from, to) != to) continue;
      unsigned char *src = random_block(&seed, from), *dst = malloc(N * tsr__dtype_size(to));
      loops->cast[to][from](N, dst, (const void *const[]){src});
      for (int i = 0; i < N; i++) {
        const tsr_scalar want = tsr__scalar_cast(element(src, from, i), to);
        cr_assert(reference_same(element(dst, to, i), want), "%s: %s from %s at %d", loops->name,
                  tsr__dtype_info(to)->name, tsr__dtype_info(from)->name, i);
      }
      free(src);
      free(dst);
    }
  }
}

/* Awkward points of exp, then a sweep of all of its range. */
static double exp_argument(int i, int n)
{
  static const double points[] = {0.0,
                                  -0.0,
                                  1.0,
                                  -1.0,
                                  709.782712893384,
                                  709.7827128933841,
                                  -708.3964185322641,
                                  -745.1332191019411,
                                  -745.1332191019412,
                                  -745.14,
                                  1e-300,
                                  0x1p-1074,
                                  INFINITY,
                                  -INFINITY,
                                  NAN,
                                  1e300,
                                  -1e300,
                                  88.72283,
                                  88.72284,
                                  -87.33655,
                                  -103.97207,
                                  -103.97209,
                                  0.34657359027997264};
  const int n_points = sizeof points / sizeof *points;
  return i < n_points ? points[i] : -760.0 + 1480.0 * (i - n_points) / (n - n_points);
}

/* |got - want| in units of the last place of a float with `bits` bits and least exponent `least`.
 */
static double ulps(long double got, long double want, int bits, int least)
{
  int e;
  frexpl(want, &e);
  return (double)(fabsl(got - want) / ldexpl(1.0L, (e - bits > least ? e - bits : least)));
}

static void check_exp(bool single)
{
  enum { M = 20011 };
  typedef union numbers {
    double d[M];
    float f[M];
  } numbers;
  static numbers x, y, first;
  const size_t size = single ? sizeof(float) : sizeof(double);
  const long double least_normal = single ? 0x1p-126L : 0x1p-1022L;
  for (int i = 0; i < M; i++)
    if (single)
      x.f[i] = (float)exp_argument(i, M) * (i > 30 ? 0.15f : 1.0f);
    else
      x.d[i] = exp_argument(i, M);
  const tsr_loops *loops;
  for (int t = 0; (loops = tsr__loops_get(t)); t++) {
    loops->op[TSR_OP_EXP][single ? TSR_FLOAT32 : TSR_FLOAT64][0](M, &y, (const void *const[]){&x});
    if (t == 0) first = y;
    for (int i = 0; i < M; i++) {
      const double at = single ? (double)x.f[i] : x.d[i], got = single ? (double)y.f[i] : y.d[i];
      const long double want = expl((long double)at);
      if (isnan(at)) {
        cr_assert(isnan(got));
        continue;
      }
      if (isinf(single ? (double)(float)want : (double)want))
        cr_assert_eq(got, INFINITY, "exp(%.17g) = %.17g", at, got);
      else
        cr_assert_lt(ulps(got, want, single ? 24 : 53, single ? -149 : -1074),
                     want < least_normal ? 0.85 : 0.75, "exp(%.17g) = %.17g", at, got);
      cr_assert_eq(memcmp((char *)&y + i * size, (char *)&first + i * size, size), 0,
                   "%s differs at %.17g", loops->name, at);
    }
  }
}

Test(ops, exp_is_within_an_ulp_and_the_same_in_every_width)
{
  check_exp(false);
  check_exp(true);
}

Test(ops, names_and_rules)
{
  for (int op = 0; op < TSR_N_OPS; op++) {
    cr_expect_eq(tsr__op_find(tsr__op_info(op)->name), op);
    cr_expect_gt(strlen(tsr__op_info(op)->doc), 10u);
  }
  cr_expect_eq(tsr__op_find("ad"), -1);
  cr_expect_str_eq(tsr__op_info(TSR_OP_ADD)->c_expr, "K(add)(x, y)");
  tsr_dtype compute, result;
  cr_expect_not(tsr__op_dtypes(TSR_OP_SUBTRACT, TSR_BOOL, &compute, &result));
  cr_expect_not(tsr__op_dtypes(TSR_OP_NEGATIVE, TSR_BOOL, &compute, &result));
  cr_expect(tsr__op_dtypes(TSR_OP_DIVIDE, TSR_INT32, &compute, &result));
  cr_expect(compute == TSR_FLOAT64 && result == TSR_FLOAT64);
  cr_expect(tsr__op_dtypes(TSR_OP_SQRT, TSR_FLOAT32, &compute, &result));
  cr_expect(compute == TSR_FLOAT32 && result == TSR_FLOAT32);
  cr_expect(tsr__op_dtypes(TSR_OP_LESS, TSR_INT64, &compute, &result));
  cr_expect(compute == TSR_INT64 && result == TSR_BOOL);
  cr_expect(tsr__op_dtypes(TSR_OP_LOGICAL_AND, TSR_FLOAT64, &compute, &result));
  cr_expect(compute == TSR_BOOL && result == TSR_BOOL);
  cr_expect(tsr__op_dtypes(TSR_OP_WHERE, TSR_FLOAT32, &compute, &result));
  cr_expect(compute == TSR_FLOAT32 && result == TSR_FLOAT32);
}
