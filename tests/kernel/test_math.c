/* The functions of ops.def at special values against the C library's, whose results there the C
 * standard fixes (Annex F); the same bits in every instruction set; integer powers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "kernel/cpu/loops.h"
#include "tests/kernel/reference.h"

static const double specials[] = {0.0,
                                  -0.0,
                                  1.0,
                                  -1.0,
                                  2.0,
                                  -2.0,
                                  3.0,
                                  -3.0,
                                  0.5,
                                  -0.5,
                                  INFINITY,
                                  -INFINITY,
                                  NAN,
                                  0x1p-1074,
                                  -0x1p-1074,
                                  0x1p-149,
                                  0x1p-1022,
                                  -0x1p-1022,
                                  0x1p-126,
                                  1e300,
                                  -1e300,
                                  0x1p52,
                                  -0x1p52,
                                  0x1p52 + 1,
                                  0x1p53,
                                  -0x1p53,
                                  0x1p53 - 1,
                                  1 - 0x1p53,
                                  0x1p23 + 1,
                                  -0x1p23 - 1,
                                  0x1p24,
                                  0x1p1023,
                                  1e-300,
                                  -1e-300,
                                  0x1.fffffep127,
                                  0x1.fffffffffffffp1023,
                                  0.1,
                                  -0.1,
                                  709.7827128933841,
                                  745.2,
                                  -745.2,
                                  88.72284,
                                  -103.98,
                                  27.3,
                                  -7.0,
                                  -27.3,
                                  1e22,
                                  0x1p30};
enum { N_SPECIALS = sizeof specials / sizeof *specials };

typedef double (*library_one)(double);
static const struct {
  tsr_opcode op;
  library_one f;
} ones[] = {{TSR_OP_EXP, exp},       {TSR_OP_EXPM1, expm1},   {TSR_OP_LOG, log},
            {TSR_OP_LOG1P, log1p},   {TSR_OP_TANH, tanh},     {TSR_OP_ERF, erf},
            {TSR_OP_ERFC, erfc},     {TSR_OP_SIN, sin},       {TSR_OP_COS, cos},
            {TSR_OP_TAN, tan},       {TSR_OP_GAMMA, tgamma},  {TSR_OP_LGAMMA, lgamma},
            {TSR_OP_EXP2, exp2},     {TSR_OP_LOG2, log2},     {TSR_OP_LOG10, log10},
            {TSR_OP_CBRT, cbrt},     {TSR_OP_ARCSIN, asin},   {TSR_OP_ARCCOS, acos},
            {TSR_OP_ARCTAN, atan},   {TSR_OP_SINH, sinh},     {TSR_OP_COSH, cosh},
            {TSR_OP_ARCSINH, asinh}, {TSR_OP_ARCCOSH, acosh}, {TSR_OP_ARCTANH, atanh}};
enum { N_ONES = sizeof ones / sizeof *ones };

typedef double (*library_two)(double, double);
static double log_of_sum(double x, double y)
{
  return x == y ? x + log(2.0) : isnan(x - y) ? x + y : fmax(x, y) + log1p(exp(-fabs(x - y)));
}
static const struct {
  tsr_opcode op;
  library_two f;
} twos[] = {{TSR_OP_POWER, pow},
            {TSR_OP_HYPOT, hypot},
            {TSR_OP_ARCTAN2, atan2},
            {TSR_OP_LOGADDEXP, log_of_sum}};
enum { N_TWOS = sizeof twos / sizeof *twos };

/* One call of a loop, one element. */
static double call_f64(const tsr_loops *loops, tsr_opcode op, double x, double y)
{
  double out;
  loops->op[op][TSR_FLOAT64][tsr__op_info(op)->min_args - 1](1, &out,
                                                             (const void *const[]){&x, &y});
  return out;
}

static float call_f32(const tsr_loops *loops, tsr_opcode op, float x, float y)
{
  float out;
  loops->op[op][TSR_FLOAT32][tsr__op_info(op)->min_args - 1](1, &out,
                                                             (const void *const[]){&x, &y});
  return out;
}

/* Zero, infinite or NaN where the other is, with the same sign; else close by. */
static bool agree(double got, double want, double tolerance)
{
  if (isnan(want) || isnan(got)) return isnan(want) && isnan(got);
  if (!signbit(want) != !signbit(got)) return false;
  if (isinf(want) || isinf(got) || want == 0 || got == 0) return want == got;
  return fabs(got - want) <= tolerance * fabs(want) + 0x1p-1073;
}

static bool agree_f32(float got, double want)
{
  const double rounded = (double)(float)want;
  if (rounded == 0 || isinf(rounded) || got == 0)
    return (double)got == rounded && !signbit(got) == !signbit(want);
  return agree((double)got, rounded, 0x1p-22) || fabs((double)got - want) <= 0x1p-148;
}

Test(math, special_values_are_those_of_c)
{
  const tsr_loops *loops;
  for (int t = 0; (loops = tsr__loops_get(t)); t++) {
    for (int i = 0; i < N_ONES * N_SPECIALS; i++) {
      const double x = specials[i % N_SPECIALS], y = (double)(float)x;
      const tsr_opcode op = ones[i / N_SPECIALS].op;
      const library_one f = ones[i / N_SPECIALS].f;
      const double got = call_f64(loops, op, x, 0);
      cr_expect(agree(got, f(x), 0x1p-51), "%s: %s(%a) = %a, not %a", loops->name,
                tsr__op_info(op)->name, x, got, f(x));
      const float got_f32 = call_f32(loops, op, (float)x, 0);
      cr_expect(isnan(f(y)) ? isnan(got_f32) : agree_f32(got_f32, f(y)), "%s: %s(%af) = %a, not %a",
                loops->name, tsr__op_info(op)->name, y, (double)got_f32, f(y));
    }
  }
}

Test(math, special_pairs_are_those_of_c)
{
  const tsr_loops *loops;
  for (int t = 0; (loops = tsr__loops_get(t)); t++) {
    for (int i = 0; i < N_TWOS * N_SPECIALS * N_SPECIALS; i++) {
      const double x = specials[i / N_TWOS % N_SPECIALS], y = specials[i / N_TWOS / N_SPECIALS];
      const double x_f32 = (double)(float)x, y_f32 = (double)(float)y;
      const tsr_opcode op = twos[i % N_TWOS].op;
      const library_two f = twos[i % N_TWOS].f;
      const double want = f(x, y), got = call_f64(loops, op, x, y);
      cr_expect(agree(got, want, 0x1p-51), "%s: %s(%a, %a) = %a, not %a", loops->name,
                tsr__op_info(op)->name, x, y, got, want);
      const double want_f32 = f(x_f32, y_f32);
      const float got_f32 = call_f32(loops, op, (float)x, (float)y);
      cr_expect(isnan(want_f32) ? isnan(got_f32) : agree_f32(got_f32, want_f32),
                "%s: %s(%af, %af) = %a, not %a", loops->name, tsr__op_info(op)->name, x_f32, y_f32,
                (double)got_f32, want_f32);
    }
  }
}

/* Bits of any magnitude, small numbers, specials. */
static double any_value(uint64_t *seed)
{
  const uint64_t r = reference_random(seed), bits = r << 8 ^ reference_random(seed);
  double any;
  memcpy(&any, &bits, sizeof any);
  return r % 5 == 0   ? specials[r / 5 % N_SPECIALS]
         : r % 5 == 1 ? any
         : r % 5 == 2 ? ldexp((double)(r >> 8) * 0x1p-48, (int)(r / 5 % 40))
                      : ((double)(r >> 8) - 0x1p47) * 0x1p-44;
}

/* Also where strips with and without large arguments, vectors and the rest of a loop meet. */
Test(math, the_same_bits_in_every_width)
{
  enum { N = 20011, AT_ONCE = 1003 };
  static double x[N], y[N], want[N], got[N];
  static float xf[N], yf[N], want_f32[N], got_f32[N];
  uint64_t seed = 77;
  for (int i = 0; i < N; i++) {
    const bool only_small = i / 2048 % 2;
    x[i] = only_small ? sin(i) * 9 : any_value(&seed);
    y[i] = any_value(&seed);
    xf[i] = (float)x[i];
    yf[i] = (float)y[i];
  }
  for (tsr_opcode op = TSR_OP_EXP; op <= TSR_OP_HYPOT; op++) {
    const int n_args = tsr__op_info(op)->min_args;
    const tsr_loops *loops;
    for (int t = 0; (loops = tsr__loops_get(t)); t++) {
      for (int i = 0; i < N; i += AT_ONCE) {
        const int n = N - i < AT_ONCE ? N - i : AT_ONCE;
        loops->op[op][TSR_FLOAT64][n_args - 1](n, got + i, (const void *const[]){x + i, y + i});
        loops->op[op][TSR_FLOAT32][n_args - 1](n, got_f32 + i,
                                               (const void *const[]){xf + i, yf + i});
      }
      for (int i = 0; i < N && t == 0; i++) {
        want[i] = call_f64(loops, op, x[i], y[i]);
        want_f32[i] = call_f32(loops, op, xf[i], yf[i]);
      }
      for (int i = 0; i < N; i++) {
        cr_assert((isnan(want[i]) && isnan(got[i])) || memcmp(&want[i], &got[i], 8) == 0,
                  "%s: %s(%a, %a): %a and %a", loops->name, tsr__op_info(op)->name, x[i], y[i],
                  want[i], got[i]);
        cr_assert((isnan(want_f32[i]) && isnan(got_f32[i])) ||
                      memcmp(&want_f32[i], &got_f32[i], 4) == 0,
                  "%s: %s(%af, %af): %a and %a", loops->name, tsr__op_info(op)->name, (double)xf[i],
                  (double)yf[i], (double)want_f32[i], (double)got_f32[i]);
      }
    }
  }
}

/* Arguments known to come nearest to a multiple of pi/2 in float64 and float32. */
Test(math, the_nearest_to_multiples_of_half_pi)
{
  const double near_f64 = 0x1.6ac5b262ca1ffp+849;  /* 6381956970095103 * 2^797 */
  const double cos_of_it = -0x1.14ae72e6ba22fp-61; /* MPFR's; glibc's is 8 ulp off */
  const tsr_loops *loops;
  for (int t = 0; (loops = tsr__loops_get(t)); t++) {
    cr_expect(agree(call_f64(loops, TSR_OP_COS, near_f64, 0), cos_of_it, 0x1p-52));
    cr_expect_lt(fabs(call_f64(loops, TSR_OP_COS, near_f64, 0)), 0x1p-60);
    for (int e = 0; e < 128; e++) {
      const float x = ldexpf(16367173.0f, e - 20), y = ldexpf(10790009.0f, e - 23);
      cr_expect(agree_f32(call_f32(loops, TSR_OP_SIN, x, 0), sin((double)x)), "sin(%a)", (double)x);
      cr_expect(agree_f32(call_f32(loops, TSR_OP_COS, y, 0), cos((double)y)), "cos(%a)", (double)y);
    }
  }
}

/* Quotients of up to 2,098 bits, also by numbers below the normal ones: the rest is exact. */
Test(math, the_rest_of_a_division_is_exact)
{
  enum { N = 200000 };
  const tsr_loops *loops;
  for (int t = 0; (loops = tsr__loops_get(t)); t++) {
    uint64_t seed = 5;
    for (int i = 0; i < N + N_SPECIALS * N_SPECIALS; i++) {
      const int at = i < N ? 0 : i - N;
      const double x = i < N ? any_value(&seed) : specials[at % N_SPECIALS];
      const double y = i < N ? any_value(&seed) : specials[at / N_SPECIALS];
      const double want = fmod(x, y), got = call_f64(loops, TSR_OP_FMOD, x, y);
      cr_assert(isnan(want) ? isnan(got) : memcmp(&want, &got, 8) == 0,
                "%s: fmod(%a, %a) = %a, not %a", loops->name, x, y, got, want);
      const float xf = (float)x, yf = (float)y;
      const float want_f32 = fmodf(xf, yf), got_f32 = call_f32(loops, TSR_OP_FMOD, xf, yf);
      cr_assert(isnan(want_f32) ? isnan(got_f32) : memcmp(&want_f32, &got_f32, 4) == 0,
                "%s: fmod(%af, %af) = %a, not %a", loops->name, (double)xf, (double)yf,
                (double)got_f32, (double)want_f32);
    }
  }
}

static int64_t power_by_products(int64_t x, int64_t y)
{
  uint64_t out = 1;
  for (int64_t i = 0; i < y; i++) out *= (uint64_t)x;
  return (int64_t)out;
}

Test(math, integer_powers_wrap)
{
  const tsr_loops *loops;
  for (int t = 0; (loops = tsr__loops_get(t)); t++) {
    const tsr_loop p64 = loops->op[TSR_OP_POWER][TSR_INT64][1];
    const tsr_loop p32 = loops->op[TSR_OP_POWER][TSR_INT32][1];
    for (int i = 0; i < 40 * 80; i++) {
      const int64_t x = i % 40 < 30 ? i % 40 - 15 : ((int64_t)1 << 6 * (i % 40 - 30)) * 77773;
      const int64_t y = i / 40;
      int64_t got;
      p64(1, &got, (const void *const[]){&x, &y});
      cr_expect_eq(got, power_by_products(x, y), "%lld ** %lld", (long long)x, (long long)y);
      const int32_t x_i32 = (int32_t)x, y_i32 = (int32_t)y;
      int32_t got_i32;
      p32(1, &got_i32, (const void *const[]){&x_i32, &y_i32});
      cr_expect_eq(got_i32, (int32_t)power_by_products(x_i32, y));
    }
    const int64_t x[] = {1, -1, -1, 0, 2, -7, INT64_MIN, -1, 3};
    const int64_t y[] = {-5, -5, -4, -1, -1, -2, -3, INT64_MIN, INT64_MAX};
    const int64_t want[] = {1, -1, 1, 0, 0, 0, 0, 1, -6148914691236517205};
    int64_t got[9];
    p64(9, got, (const void *const[]){x, y});
    for (int i = 0; i < 9; i++)
      cr_expect_eq(got[i], want[i], "%lld ** %lld = %lld", (long long)x[i], (long long)y[i],
                   (long long)got[i]);
  }
}

/* Division of integers. */

__extension__ typedef __int128 wide;
static const struct {
  tsr_dtype dtype;
  wide least, most;
} integers[] = {{TSR_INT8, INT8_MIN, INT8_MAX},    {TSR_UINT8, 0, UINT8_MAX},
                {TSR_INT16, INT16_MIN, INT16_MAX}, {TSR_UINT16, 0, UINT16_MAX},
                {TSR_INT32, INT32_MIN, INT32_MAX}, {TSR_UINT32, 0, UINT32_MAX},
                {TSR_INT64, INT64_MIN, INT64_MAX}, {TSR_UINT64, 0, UINT64_MAX}};

enum { N_DIVISIONS = 700 };

/* A pair next to where quotients change: q y - 1, q y or q y + 1 of q and y of any size; y 0 and
 * -1; the ends of the range, unless both are to be small: of so many bits, not 64. */
static void draw_division(int k, int i, int n_bits, uint64_t *seed, void *x, void *y)
{
  const bool small = n_bits < 64;
  const wide least = integers[k].least, span = integers[k].most - least + 1;
  wide v[2];
  for (int j = 0; j < 2; j++) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    const uint64_t bits = *seed ^ *seed >> 31;
    v[j] = (wide)(int64_t)bits >> (small ? 64 - n_bits + (int)(bits % 25) : (int)(bits % 64));
  }
  if (i % 7 < 2) v[1] = -(i % 7);
  if (!small && i % 7 < 4) v[1] = i % 7 == 2 ? least : integers[k].most;
  v[0] = v[0] * v[1] + i % 3 - 1;
  if (!small && i % 11 < 2) v[0] = i % 11 ? least : integers[k].most;
  void *const out[] = {x, y};
  for (int j = 0; j < 2; j++) {
    wide in = (v[j] - least) % span;
    if (small && least == 0 && v[j] < 0) in = -v[j] % span;
    in += in < 0 ? span + least : least;
    memcpy(out[j], &in, tsr__dtype_size(integers[k].dtype));
  }
}

static wide number_at(const void *p, int k)
{
  wide v = 0;
  const size_t size = tsr__dtype_size(integers[k].dtype);
  memcpy(&v, p, size);
  return v > integers[k].most ? v - (integers[k].most - integers[k].least + 1) : v;
}

static wide divided(tsr_opcode op, wide x, wide y)
{
  if (y == 0) return 0;
  const wide r = x % y, q = x / y;
  const bool across = r != 0 && (r < 0) != (y < 0);
  return op == TSR_OP_FMOD ? r : op == TSR_OP_REMAINDER ? r + (across ? y : 0) : q - across;
}

static void check_divisions(const tsr_loops *loops, int k, const void *x, const void *y)
{
  static uint64_t got[N_DIVISIONS];
  const tsr_dtype dtype = integers[k].dtype;
  const size_t size = tsr__dtype_size(dtype);
  for (tsr_opcode op = TSR_OP_FLOOR_DIVIDE; op <= TSR_OP_FMOD; op++) {
    loops->op[op][dtype][1](N_DIVISIONS, got, (const void *const[]){x, y});
    for (size_t i = 0; i < N_DIVISIONS; i++) {
      const wide a = number_at((const char *)x + i * size, k);
      const wide b = number_at((const char *)y + i * size, k), want = divided(op, a, b);
      cr_assert_eq(memcmp(&want, (const char *)got + i * size, size), 0, "%s: %s of %s %lld, %lld",
                   loops->name, tsr__op_info(op)->name, tsr__dtype_info(dtype)->name, (long long)a,
                   (long long)b);
    }
  }
}

/* Makes all divisors the c-th one, as a scalar is, and moves what is divided next to where the
 * quotients change. */
static void divide_by_one(int k, int c, void *x, void *y)
{
  const size_t size = tsr__dtype_size(integers[k].dtype);
  uint64_t kept = 0;
  memcpy(&kept, (const char *)y + (size_t)c * size, size);
  const wide by = number_at(&kept, k);
  for (int i = 0; i < N_DIVISIONS; i++) {
    char *at = (char *)x + (size_t)i * size;
    const wide was = number_at(at, k), moved = by == 0 ? was : was / by * by + i % 3 - 1;
    if (moved >= integers[k].least && moved <= integers[k].most) memcpy(at, &moved, size);
    memcpy((char *)y + (size_t)i * size, &kept, size);
  }
}

Test(math, divisions_of_integers_are_exact)
{
  static uint64_t x[N_DIVISIONS], y[N_DIVISIONS];
  const tsr_loops *loops;
  for (int t = 0; (loops = tsr__loops_get(t)); t++) {
    static const int n_bits[] = {64, 25, 30}; /* products below 2^50, and beyond */
    uint64_t seed = 3;
    for (int round = 0; round < 100 * 24; round++) {
      const int k = round % 8;
      const size_t size = tsr__dtype_size(integers[k].dtype);
      for (size_t i = 0; i < N_DIVISIONS; i++)
        draw_division(k, (int)i, n_bits[round / 8 % 3], &seed, (char *)x + i * size,
                      (char *)y + i * size);
      check_divisions(loops, k, x, y);
      divide_by_one(k, round / 24 % N_DIVISIONS, x, y);
      check_divisions(loops, k, x, y);
    }
  }
}
