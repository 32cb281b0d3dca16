/* Complex functions: within a few ulps of the C library's in more bits, at special values as its
 * own (which NumPy takes), the same bits in every instruction set and for every neighbour. */
#include <float.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "kernel/cpu/loops.h"
#include "tests/kernel/reference.h"
#include "tests/support/complex_numbers.h"

typedef long double _Complex wide;
typedef double _Complex number;

static wide wide_log2(wide z)
{
  return clogl(z) / logl(2);
}
static wide wide_log10(wide z)
{
  return clogl(z) / logl(10);
}
static wide wide_exp2(wide z)
{
  return cexpl(z * logl(2));
}
/* exp(z) - 1, and log(1 + z), where it does not cancel. */
static wide wide_expm1(wide z)
{
  const long double half = sinl(cimagl(z) / 2);
  return CMPLXL(expm1l(creall(z)) * cosl(cimagl(z)) - 2 * half * half, cimagl(cexpl(z)));
}
static wide wide_log1p(wide z)
{
  const long double x = creall(z), y = cimagl(z);
  const bool near = fabsl(x) < 0.5L && fabsl(y) < 2;
  return CMPLXL(near ? log1pl(2 * x + x * x + y * y) / 2 : creall(clogl(1 + z)), atan2l(y, 1 + x));
}

static wide wide_sinc(wide z)
{
  const long double pi = 0xc.90fdaa22168c235p-2L, x = creall(z), t = x - 2 * rintl(x / 2);
  return csinl(pi * CMPLXL(t, cimagl(z))) / (pi * z);
}

/* Errors stated in ulps of each part, but where `of_all` of the larger part: what cancels there. */
static const struct {
  tsr_opcode op;
  wide (*wide)(wide);
  number (*narrow)(number); /* at special values; NULL: none */
  double most_ulps;
  bool of_all;
} functions[] = {
    {TSR_OP_SQRT, csqrtl, csqrt, 3, false},      {TSR_OP_EXP, cexpl, cexp, 3, false},
    {TSR_OP_EXP2, wide_exp2, NULL, 40, true},    {TSR_OP_EXPM1, wide_expm1, NULL, 3, true},
    {TSR_OP_LOG, clogl, clog, 3, false},         {TSR_OP_LOG2, wide_log2, NULL, 4, false},
    {TSR_OP_LOG10, wide_log10, NULL, 4, false},  {TSR_OP_LOG1P, wide_log1p, NULL, 4, true},
    {TSR_OP_SINH, csinhl, csinh, 4, false},      {TSR_OP_COSH, ccoshl, ccosh, 4, false},
    {TSR_OP_TANH, ctanhl, ctanh, 7, false},      {TSR_OP_SIN, csinl, csin, 4, false},
    {TSR_OP_COS, ccosl, ccos, 4, false},         {TSR_OP_TAN, ctanl, ctan, 7, false},
    {TSR_OP_ARCSIN, casinl, casin, 5, false},    {TSR_OP_ARCCOS, cacosl, cacos, 5, false},
    {TSR_OP_ARCTAN, catanl, catan, 5, false},    {TSR_OP_ARCSINH, casinhl, casinh, 5, false},
    {TSR_OP_ARCCOSH, cacoshl, cacosh, 5, false}, {TSR_OP_ARCTANH, catanhl, catanh, 5, false},
    {TSR_OP_SINC, wide_sinc, NULL, 250, true},
};
enum { N_FUNCTIONS = sizeof functions / sizeof *functions, N = 4096 };

static double uniform(uint64_t *state, double low, double high)
{
  return low + (high - low) * (double)reference_random(state) * 0x1p-56;
}

/* Of small and large size, any angle; near the unit circle; parts of unlike size. */
static number draw(uint64_t *state)
{
  const double angle = uniform(state, -M_PI, M_PI);
  switch (reference_random(state) % 4) {
  case 0:
    return exp(uniform(state, -30, 4)) * cexp(I * angle);
  case 1:
    return cexp(I * angle);
  case 2:
    return CMPLX(exp(uniform(state, -20, 3)) * (angle < 0 ? -1 : 1),
                 exp(uniform(state, -20, 3)) * (fabs(angle) < 1.5 ? -1 : 1));
  default:
    return CMPLX(uniform(state, -30, 30), uniform(state, -30, 30));
  }
}

static double ulps(double got, long double want, long double size)
{
  const double last = nextafter(fabs((double)size), INFINITY) - fabs((double)size);
  return (double)fabsl(got - want) / last;
}

static void call(const tsr_loops *loops, tsr_opcode op, tsr_dtype dtype, int n, void *out,
                 const void *x, const void *y)
{
  loops->op[op][dtype][y != NULL](n, out, (const void *const[]){x, y});
}

Test(complex_numbers, functions_are_within_a_few_ulps)
{
  static number x[N], y[N];
  uint64_t state = 77;
  for (int i = 0; i < N; i++) x[i] = draw(&state);
  for (int f = 0; f < N_FUNCTIONS; f++) {
    call(tsr__loops_get(0), functions[f].op, TSR_COMPLEX128, N, y, x, NULL);
    for (int i = 0; i < N; i++) {
      const wide want = functions[f].wide(x[i]);
      const long double re = creall(want), im = cimagl(want), all = cabsl(want);
      const bool of_all = functions[f].of_all;
      const double a = ulps(creal(y[i]), re, of_all ? all : re);
      const double b = ulps(cimag(y[i]), im, of_all ? all : im);
      cr_assert(a <= functions[f].most_ulps && b <= functions[f].most_ulps,
                "%s(%.17g%+.17gj) = %.17g%+.17gj, wanted %.17Lg%+.17Lgj: %g and %g ulps",
                tsr__op_info(functions[f].op)->name, creal(x[i]), cimag(x[i]), creal(y[i]),
                cimag(y[i]), re, im, a, b);
    }
  }
}

/* Those of complex64 are the same, rounded. */
Test(complex_numbers, functions_of_complex64)
{
  static number wide_x[N], wide_y[N];
  static float _Complex x[N], y[N];
  uint64_t state = 78;
  for (int i = 0; i < N; i++) {
    x[i] = (float _Complex)draw(&state);
    wide_x[i] = x[i];
  }
  for (int f = 0; f < N_FUNCTIONS; f++) {
    call(tsr__loops_get(0), functions[f].op, TSR_COMPLEX64, N, y, x, NULL);
    call(tsr__loops_get(0), functions[f].op, TSR_COMPLEX128, N, wide_y, wide_x, NULL);
    for (int i = 0; i < N; i++) {
      const float _Complex want = (float _Complex)wide_y[i];
      cr_assert(!memcmp(&y[i], &want, sizeof want), "%s", tsr__op_info(functions[f].op)->name);
    }
  }
}

/* Powers as accurate as the product in exp(y log x) allows, or as products. */
Test(complex_numbers, powers)
{
  static number x[N], y[N], z[N];
  uint64_t state = 79;
  for (int i = 0; i < N; i++) {
    x[i] = draw(&state);
    y[i] = i % 2 ? (double)(int)(reference_random(&state) % 21) - 10
                 : CMPLX(uniform(&state, -3, 3), uniform(&state, -3, 3));
  }
  call(tsr__loops_get(0), TSR_OP_POWER, TSR_COMPLEX128, N, z, x, y);
  for (int i = 0; i < N; i++) {
    const wide want = cpowl(x[i], y[i]);
    const double bound = 4 * (10 + cabs(y[i] * clog(x[i]))) * DBL_EPSILON * (double)cabsl(want);
    if (!(bound < INFINITY)) continue;
    cr_assert((double)cabsl(z[i] - want) <= bound + 1e-300, "%g%+gj ** %g%+gj = %g%+gj",
              creal(x[i]), cimag(x[i]), creal(y[i]), cimag(y[i]), creal(z[i]), cimag(z[i]));
  }
  const number bases[] = {0, 0, 0, 3 - 4 * I, NAN, INFINITY};
  const number exponents[] = {0, 2 + I, -1, 2, 0, 1};
  const number want[] = {1, 0, CMPLX(NAN, NAN), -7 - 24 * I, 1, INFINITY};
  call(tsr__loops_get(0), TSR_OP_POWER, TSR_COMPLEX128, 6, z, bases, exponents);
  for (int i = 0; i < 6; i++) {
    cr_expect(creal(z[i]) == creal(want[i]) || (isnan(creal(z[i])) && isnan(creal(want[i]))));
    cr_expect(cimag(z[i]) == cimag(want[i]) || (isnan(cimag(z[i])) && isnan(cimag(want[i]))));
  }
}

/* The same NaN, infinity or zero, or about the same number. The sign of a zero beside NaN is open.
 */
static bool agrees(double got, double want, double beside)
{
  if (isnan(want)) return isnan(got);
  if (isinf(want)) return got == want;
  if (want == 0) return got == 0 && (isnan(beside) || !signbit(got) == !signbit(want));
  return fabs(got - want) <= 8 * DBL_EPSILON * fabs(want);
}

Test(complex_numbers, special_values_are_the_c_librarys)
{
  static const double parts[] = {0.0,      -0.0,      1.0, -1.0,  0.5,   3.0,   -20.5,
                                 INFINITY, -INFINITY, NAN, 1e308, 710.0, -1e10, 0x1p-1022};
  enum { N_PARTS = sizeof parts / sizeof *parts, N_ALL = N_PARTS * N_PARTS };
  number x[N_ALL], y[N_ALL];
  for (int i = 0; i < N_ALL; i++) x[i] = CMPLX(parts[i / N_PARTS], parts[i % N_PARTS]);
  for (int f = 0; f < N_FUNCTIONS; f++) {
    if (!functions[f].narrow) continue;
    call(tsr__loops_get(0), functions[f].op, TSR_COMPLEX128, N_ALL, y, x, NULL);
    for (int i = 0; i < N_ALL; i++) {
      const number want = functions[f].narrow(x[i]);
      cr_expect(agrees(creal(y[i]), creal(want), cimag(want)) &&
                    agrees(cimag(y[i]), cimag(want), creal(want)),
                "%s(%g%+gj) = %g%+gj, wanted %g%+gj", tsr__op_info(functions[f].op)->name,
                creal(x[i]), cimag(x[i]), creal(y[i]), cimag(y[i]), creal(want), cimag(want));
    }
  }
}

/* In every table, whatever stands beside: near and far arguments go different ways. */
Test(complex_numbers, the_same_bits_in_every_loop)
{
  static const tsr_opcode more[] = {TSR_OP_POWER,    TSR_OP_SIGN,  TSR_OP_RECIPROCAL, TSR_OP_DIVIDE,
                                    TSR_OP_ISFINITE, TSR_OP_ISINF, TSR_OP_MULTIPLY,   TSR_OP_RINT};
  enum { MANY = 700 };
  for (int f = 0; f < N_FUNCTIONS + (int)(sizeof more / sizeof *more); f++) {
    const tsr_opcode op = f < N_FUNCTIONS ? functions[f].op : more[f - N_FUNCTIONS];
    const bool two = tsr__op_info(op)->min_args == 2;
    for (tsr_dtype dtype = TSR_COMPLEX64; dtype <= TSR_COMPLEX128; dtype++) {
      static number x[MANY], y[MANY], all[MANY], one[MANY];
      tsr_dtype compute, result;
      cr_assert(tsr__op_dtypes(op, dtype, &compute, &result));
      const size_t in = tsr__dtype_size(dtype), out = tsr__dtype_size(result);
      uint64_t state = 80;
      for (int i = 0; i < MANY; i++) {
        tsr__scalar_store(reference_value(&state, dtype), (char *)x + i * in);
        tsr__scalar_store(reference_value(&state, dtype), (char *)y + i * in);
      }
      call(&tsr__loops_baseline, op, dtype, MANY, all, x, two ? y : NULL);
      for (int t = 0; tsr__loops_get(t); t++) {
        for (int i = 0; i < MANY; i++)
          call(tsr__loops_get(t), op, dtype, 1, (char *)one + i * out, (char *)x + i * in,
               two ? (char *)y + i * in : NULL);
        for (int i = 0; i < MANY; i++)
          cr_assert(reference_same(tsr__scalar_load(result, (char *)all + i * out),
                                   tsr__scalar_load(result, (char *)one + i * out)),
                    "%s of %s: %s differs", tsr__op_info(op)->name, tsr__dtype_info(dtype)->name,
                    tsr__loops_get(t)->name);
        call(tsr__loops_get(t), op, dtype, MANY, one, x, two ? y : NULL);
        for (int i = 0; i < MANY; i++)
          cr_assert(reference_same(tsr__scalar_load(result, (char *)all + i * out),
                                   tsr__scalar_load(result, (char *)one + i * out)),
                    "%s of %s: %s differs", tsr__op_info(op)->name, tsr__dtype_info(dtype)->name,
                    tsr__loops_get(t)->name);
      }
    }
  }
}
