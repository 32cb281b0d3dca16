/* The functions of kernel/ops/ops_log.h, ops_arc.h, ops_circle.h, ops_gamma.h, ops_hyper.h:
 * accuracy.h.
 */
#include <math.h>

#include <criterion/criterion.h>

#include "kernel/cpu/loops.h"
#include "tests/kernel/accuracy.h"

enum { N = 60000 };

/* Near 0, near 1 and -1, all of the range. */
static double draw_around(points *p, double low, double high)
{
  const uint64_t kind = accuracy_draw(p) % 5;
  const double near_1 = 1 + ldexp(accuracy_uniform(p, -1, 1), -(int)(accuracy_draw(p) % 52));
  return kind == 0   ? accuracy_any(p)
         : kind == 1 ? accuracy_uniform(p, low, high)
         : kind == 2 ? accuracy_small(p)
         : kind == 3 ? accuracy_uniform(p, -3, 3)
                     : (accuracy_draw(p) % 2 ? near_1 : -near_1);
}

static double draw_exponent(points *p)
{
  return draw_around(p, p->is_f32 ? -151 : -1076, p->is_f32 ? 129 : 1025);
}
static double draw_positive(points *p)
{
  return fabs(draw_around(p, 0, 100));
}
static double draw_hundred(points *p)
{
  return draw_around(p, -100, 100);
}
static double draw_unit(points *p)
{
  return draw_around(p, -1, 1);
}
static double draw_hyperbolic(points *p)
{
  return draw_around(p, p->is_f32 ? -90 : -712, p->is_f32 ? 90 : 712);
}

/* The axes, their neighbours, directions of every slope. */
static void draw_directions(points *p)
{
  for (int i = 0; i < p->n; i++) {
    const uint64_t kind = accuracy_draw(p) % 4;
    const double x = kind == 0 ? accuracy_any(p) : accuracy_uniform(p, -5, 5);
    const double y = kind == 0   ? accuracy_any(p)
                     : kind == 1 ? x * accuracy_uniform(p, -2, 2)
                     : kind == 2 ? x * accuracy_small(p)
                                 : accuracy_uniform(p, -5, 5);
    const bool swap = accuracy_draw(p) % 2;
    p->x[i] = accuracy_as_dtype(p, swap ? y : x);
    p->y[i] = accuracy_as_dtype(p, swap ? x : y);
  }
}

static int degrees(mpfr_t out, const mpfr_t x, bool inverse, mpfr_rnd_t round)
{
  mpfr_t factor;
  mpfr_init2(factor, 200);
  mpfr_const_pi(factor, round);
  mpfr_div_ui(factor, factor, 180, round);
  if (inverse)
    mpfr_div(out, x, factor, round);
  else
    mpfr_mul(out, x, factor, round);
  mpfr_clear(factor);
  return 0;
}
static int exact_deg2rad(mpfr_t out, const mpfr_t x, mpfr_rnd_t round)
{
  return degrees(out, x, false, round);
}
static int exact_rad2deg(mpfr_t out, const mpfr_t x, mpfr_rnd_t round)
{
  return degrees(out, x, true, round);
}

Test(accuracy, exp2)
{
  accuracy_check(TSR_OP_EXP2, N, draw_exponent, mpfr_exp2, 0.8, 0.51);
}

Test(accuracy, log2)
{
  accuracy_check(TSR_OP_LOG2, N, draw_positive, mpfr_log2, 1.3, 0.51);
}

Test(accuracy, log10)
{
  accuracy_check(TSR_OP_LOG10, N, draw_positive, mpfr_log10, 1.2, 0.51);
}

Test(accuracy, cbrt)
{
  accuracy_check(TSR_OP_CBRT, N, draw_hundred, mpfr_cbrt, 0.6, 0.51);
}

Test(accuracy, degrees)
{
  accuracy_check(TSR_OP_DEG2RAD, N, draw_hundred, exact_deg2rad, 0.6, 0.51);
  accuracy_check(TSR_OP_RAD2DEG, N, draw_hundred, exact_rad2deg, 0.6, 0.51);
}

Test(accuracy, arcs)
{
  accuracy_check(TSR_OP_ARCSIN, N, draw_unit, mpfr_asin, 0.8, 0.51);
  accuracy_check(TSR_OP_ARCCOS, N, draw_unit, mpfr_acos, 0.8, 0.51);
  accuracy_check(TSR_OP_ARCTAN, N, draw_hundred, mpfr_atan, 0.8, 0.51);
}

Test(accuracy, arctan2)
{
  accuracy_check_pairs(TSR_OP_ARCTAN2, N, draw_directions, mpfr_atan2, 1.0, 0.51);
}

Test(accuracy, hyperbolic)
{
  accuracy_check(TSR_OP_SINH, N, draw_hyperbolic, mpfr_sinh, 1.0, 0.51);
  accuracy_check(TSR_OP_COSH, N, draw_hyperbolic, mpfr_cosh, 1.0, 0.51);
}

Test(accuracy, inverse_hyperbolic)
{
  accuracy_check(TSR_OP_ARCSINH, N, draw_hundred, mpfr_asinh, 1.0, 0.51);
  accuracy_check(TSR_OP_ARCCOSH, N, draw_positive, mpfr_acosh, 1.0, 0.51);
  accuracy_check(TSR_OP_ARCTANH, N, draw_unit, mpfr_atanh, 1.0, 0.51);
}

/* sin(pi x) / (pi x) from x modulo 2, exactly; 0 without a sign. */
static int exact_sinc(mpfr_t out, const mpfr_t x, mpfr_rnd_t round)
{
  mpfr_t pi, near;
  if (mpfr_zero_p(x)) return mpfr_set_ui(out, 1, round);
  mpfr_set_nan(out);
  if (mpfr_inf_p(x)) return 0;
  mpfr_inits2(1200, pi, near, (mpfr_ptr)NULL);
  mpfr_const_pi(pi, round);
  mpfr_set_ui(near, 2, round);
  mpfr_fmod(near, x, near, round);
  const bool whole = mpfr_integer_p(near);
  mpfr_mul(near, near, pi, round);
  mpfr_sin(near, near, round);
  mpfr_mul(pi, pi, x, round);
  mpfr_div(out, near, pi, round);
  if (whole) mpfr_set_zero(out, 1);
  mpfr_clears(pi, near, (mpfr_ptr)NULL);
  return 0;
}

static double draw_angle(points *p)
{
  const double multiple =
      (double)(accuracy_draw(p) % ((uint64_t)2 << accuracy_draw(p) % 31)) * 1.5707963267948966;
  const uint64_t kind = accuracy_draw(p) % 4;
  return kind == 0   ? multiple
         : kind == 1 ? nextafter(multiple, accuracy_draw(p) % 2 ? 1e18 : 0)
                     : draw_around(p, -100, 100);
}

Test(accuracy, tan)
{
  accuracy_check(TSR_OP_TAN, N, draw_angle, mpfr_tan, 1.0, 0.51);
}

static double draw_turns(points *p)
{
  const double whole = rint(accuracy_uniform(p, -50, 50));
  return accuracy_draw(p) % 3 ? draw_around(p, -20, 20) : whole + accuracy_small(p);
}

Test(accuracy, sinc)
{
  accuracy_check(TSR_OP_SINC, N / 4, draw_turns, exact_sinc, 1.0, 0.51);
}

/* Poles and what lies around them, too. */
static double draw_gamma(points *p)
{
  const double whole = rint(accuracy_uniform(p, -180, 3));
  const uint64_t kind = accuracy_draw(p) % 3;
  return kind == 0   ? whole + accuracy_small(p)
         : kind == 1 ? accuracy_uniform(p, -185, 172)
                     : draw_around(p, -40, 40);
}

Test(accuracy, gamma)
{
  accuracy_check(TSR_OP_GAMMA, N / 4, draw_gamma, mpfr_gamma, 1.0, 0.51);
}

static int exact_lgamma(mpfr_t out, const mpfr_t x, mpfr_rnd_t round)
{
  int sign;
  if (mpfr_sgn(x) <= 0 && mpfr_integer_p(x)) {
    mpfr_set_inf(out, 1);
    return 0;
  }
  return mpfr_lgamma(out, &sign, x, round);
}

static double draw_lgamma(points *p)
{
  const uint64_t kind = accuracy_draw(p) % 4;
  const double near = 1 + (double)(accuracy_draw(p) % 2) + accuracy_small(p);
  return kind == 0   ? near
         : kind == 1 ? accuracy_uniform(p, 0, 200)
         : kind == 2 ? fabs(accuracy_small(p))
                     : ldexp(accuracy_uniform(p, 1, 2), (int)(accuracy_draw(p) % 24));
}

/* Up to where it overflows, and beyond. */
static double draw_lgamma_large(points *p)
{
  return ldexp(accuracy_uniform(p, 1, 2), (int)(accuracy_draw(p) % (p->is_f32 ? 127 : 1023)));
}

static double draw_lgamma_far_below(points *p)
{
  return -ldexp(accuracy_uniform(p, 1, 2), 6 + (int)(accuracy_draw(p) % (p->is_f32 ? 16 : 46)));
}

static double draw_lgamma_below(points *p)
{
  return accuracy_uniform(p, -60, 0);
}

static double lgamma_exactly(double x)
{
  mpfr_t at, y;
  mpfr_init2(at, 53);
  mpfr_init2(y, 53);
  mpfr_set_d(at, x, MPFR_RNDN);
  exact_lgamma(y, at, MPFR_RNDN);
  const double value = mpfr_get_d(y, MPFR_RNDN);
  mpfr_clears(at, y, (mpfr_ptr)NULL);
  return value;
}

/* The number of the dtype at which log |gamma| changes its sign on one side of the whole number -n,
 * n > 1: the number next to the zero. */
static double lgamma_zero(const points *p, int n, bool right)
{
  double near = -n, far = right ? -n + (n == 3 ? 0.3 : 0.4) : -n - (n == 2 ? 0.5 : 0.4);
  for (;;) { /* near: above 0, far: below */
    const double at = accuracy_as_dtype(p, 0.5 * (near + far));
    if (at == near || at == far) return at;
    *(lgamma_exactly(at) > 0 ? &near : &far) = at;
  }
}

/* The numbers next to each zero below 0, and those within 1 to 2^-50 of its distance from the whole
 * number. */
static double draw_lgamma_zeros(points *p)
{
  static double zeros[2][40];
  double *zero = &zeros[p->is_f32][accuracy_draw(p) % 35];
  const int k = (int)(zero - zeros[p->is_f32]) + 1, n = 2 + k / 2;
  if (*zero == 0) *zero = lgamma_zero(p, n, k % 2 == 0 && n > 2);
  const int64_t steps = (int64_t)(accuracy_draw(p) % 7) - 3;
  if (accuracy_draw(p) % 2)
    return *zero + (double)steps * fabs(*zero) * (p->is_f32 ? 0x1p-24 : 0x1p-53);
  return *zero + accuracy_small(p) * (*zero + n);
}

Test(accuracy, lgamma)
{
  accuracy_check(TSR_OP_LGAMMA, N / 4, draw_lgamma, exact_lgamma, 1.2, 0.51);
  accuracy_check(TSR_OP_LGAMMA, N / 4, draw_lgamma_below, exact_lgamma, 1.2, 0.51);
  accuracy_check(TSR_OP_LGAMMA, N / 4, draw_lgamma_zeros, exact_lgamma, 1.2, 0.51);
  accuracy_check(TSR_OP_LGAMMA, N / 16, draw_lgamma_large, exact_lgamma, 1.2, 0.51);
  accuracy_check(TSR_OP_LGAMMA, N / 60, draw_lgamma_far_below, exact_lgamma, 1.2, 0.51);
}

/* log(exp(x) + exp(y)), of infinite operands the larger; no -0. */
static int exact_logaddexp(mpfr_t out, const mpfr_t x, const mpfr_t y, mpfr_rnd_t round)
{
  mpfr_t high, low;
  mpfr_inits2(1400, high, low, (mpfr_ptr)NULL);
  mpfr_max(high, x, y, round);
  mpfr_min(low, x, y, round);
  if (mpfr_nan_p(x) || mpfr_nan_p(y)) {
    mpfr_set_nan(out);
  } else if (mpfr_inf_p(high) || mpfr_inf_p(low)) {
    mpfr_add_ui(out, high, 0, round);
  } else {
    mpfr_sub(low, low, high, round);
    mpfr_exp(low, low, round);
    mpfr_log1p(low, low, round);
    mpfr_add(out, high, low, round);
  }
  if (mpfr_zero_p(out)) mpfr_set_zero(out, 1);
  mpfr_clears(high, low, (mpfr_ptr)NULL);
  return 0;
}

static void set_pair(points *p, int i, double x, double y)
{
  const bool turned = accuracy_draw(p) % 2;
  p->x[i] = accuracy_as_dtype(p, turned ? y : x);
  p->y[i] = accuracy_as_dtype(p, turned ? x : y);
}

/* Of any size; near each other; around the line on which the result is 0. */
static void draw_logaddexp(points *p)
{
  for (int i = 0; i < p->n; i++) {
    const double far = ldexp(accuracy_uniform(p, -2, 2), 120 - (int)(accuracy_draw(p) % 260));
    const double near = accuracy_uniform(p, -40, 40);
    const uint64_t kind = accuracy_draw(p) % 5;
    if (kind == 0) set_pair(p, i, far, far * accuracy_uniform(p, -2, 2));
    if (kind == 1) set_pair(p, i, far, far + near);
    if (kind == 2) set_pair(p, i, near, accuracy_uniform(p, -40, 40));
    if (kind == 3) set_pair(p, i, near, near + accuracy_uniform(p, -3, 3));
    if (kind == 4) set_pair(p, i, accuracy_uniform(p, -1.5, 0.5), accuracy_uniform(p, -1.5, 0.5));
  }
}

/* x and the numbers next to log(1 - exp(x)), and less near ones, for x of every size. */
static void draw_cancelling(points *p)
{
  mpfr_t log_of_rest;
  mpfr_init2(log_of_rest, 200);
  for (int i = 0; i < p->n; i++) {
    const int least = accuracy_draw(p) % 3 ? 2 : p->is_f32 ? 140 : 1070;
    const double x = accuracy_as_dtype(
        p, -ldexp(accuracy_uniform(p, 0.5, 1), -(int)(accuracy_draw(p) % (uint64_t)least)));
    mpfr_set_d(log_of_rest, x, MPFR_RNDN);
    mpfr_expm1(log_of_rest, log_of_rest, MPFR_RNDN);
    mpfr_neg(log_of_rest, log_of_rest, MPFR_RNDN);
    mpfr_log(log_of_rest, log_of_rest, MPFR_RNDN);
    const double y = mpfr_get_d(log_of_rest, MPFR_RNDN), ulp = p->is_f32 ? 0x1p-24 : 0x1p-53;
    const double away =
        accuracy_draw(p) % 2 ? ulp * (double)(accuracy_draw(p) % 4) : accuracy_small(p);
    set_pair(p, i, x, y * (1 + away));
  }
  mpfr_clear(log_of_rest);
}

Test(accuracy, logaddexp)
{
  accuracy_check_pairs(TSR_OP_LOGADDEXP, N / 2, draw_logaddexp, exact_logaddexp, 1.2, 0.51);
  accuracy_check_pairs(TSR_OP_LOGADDEXP, N / 4, draw_cancelling, exact_logaddexp, 1.2, 0.51);
}

Test(accuracy, logaddexp_of_special_values)
{
  static const double cases[][3] = {{INFINITY, INFINITY, INFINITY},
                                    {INFINITY, -INFINITY, INFINITY},
                                    {-INFINITY, -INFINITY, -INFINITY},
                                    {-INFINITY, 3, 3},
                                    {INFINITY, NAN, NAN},
                                    {-INFINITY, NAN, NAN},
                                    {NAN, 0, NAN},
                                    {-0x1p1000, 0x1p1000, 0x1p1000},
                                    {-0.0, -INFINITY, -0.0},
                                    {0x1p-1074, -INFINITY, 0x1p-1074}};
  const tsr_loop loop = tsr__loops_get(0)->op[TSR_OP_LOGADDEXP][TSR_FLOAT64][1];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const double *c = cases[i];
    for (int turned = 0; turned < 2; turned++) {
      double got;
      loop(1, &got, (const void *const[]){&c[turned], &c[!turned]});
      cr_expect(isnan(c[2]) ? isnan(got) : got == c[2], "logaddexp(%a, %a) = %a", c[turned],
                c[!turned], got);
    }
  }
}
