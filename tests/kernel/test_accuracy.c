/* The functions of kernel/ops_math.h, ops_erf.h, ops_trig.h against MPFR with 140 bits: the
 * greatest error in units in the last place (below the normal range: of the least number) over
 * random arguments of every magnitude and from the regions that are hard for each function. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <mpfr.h>

#include "kernel/kernel_int.h"
#include "tests/kernel/reference.h"

enum { N = 200000, PRECISION = 140 };

typedef struct points {
  uint64_t seed;
  bool is_f32;
  double *x, *y; /* [N], numbers of the dtype; y: second operands */
} points;

static uint64_t draw(points *p)
{
  return reference_random(&p->seed);
}

static double uniform(points *p, double low, double high)
{
  return low + (high - low) * (double)(draw(p) % ((uint64_t)1 << 53)) * 0x1p-53;
}

/* Any finite or infinite bits of the dtype, NaN rarely. */
static double any(points *p)
{
  const uint64_t bits = draw(p) << 8 ^ draw(p);
  if (p->is_f32) {
    const uint32_t low = (uint32_t)(bits >> 16);
    float f;
    memcpy(&f, &low, sizeof f);
    return (double)f;
  }
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}

/* |x| < 1, of any magnitude down to 2^-50. */
static double small(points *p)
{
  return ldexp(uniform(p, -1, 1), -(int)(draw(p) % 50));
}

static double draw_exp(points *p)
{
  const double low = p->is_f32 ? -110 : -760, high = p->is_f32 ? 90 : 711;
  const uint64_t kind = draw(p) % 4;
  return kind == 0   ? any(p)
         : kind == 1 ? small(p)
                     : uniform(p, kind == 2 ? low : -2, kind == 2 ? high : 2);
}

/* Near 1, too. */
static double draw_log(points *p)
{
  const uint64_t kind = draw(p) % 3;
  return kind == 0 ? fabs(any(p)) : kind == 1 ? uniform(p, 0.3, 3) : 1 + small(p);
}

static double draw_log1p(points *p)
{
  const uint64_t kind = draw(p) % 3;
  const double x = any(p);
  return kind == 0 ? (x < -1 ? -x : x) : kind == 1 ? uniform(p, -1, 3) : small(p);
}

/* erfc's tail, too, down to where it vanishes. */
static double draw_erf(points *p)
{
  const uint64_t kind = draw(p) % 5;
  return kind == 0   ? any(p)
         : kind == 1 ? uniform(p, 0, p->is_f32 ? 10.2 : 27.5)
         : kind == 2 ? uniform(p, -6.2, 6.2)
         : kind == 3 ? uniform(p, -1, 1)
                     : small(p);
}

/* Next to the multiples of pi/2, too. */
static double draw_angle(points *p)
{
  const uint64_t kind = draw(p) % 6;
  const double multiple = (double)(draw(p) % ((uint64_t)2 << draw(p) % 31)) * 1.5707963267948966;
  return kind < 2    ? any(p)
         : kind == 2 ? multiple
         : kind == 3 ? nextafter(multiple, draw(p) % 2 ? 1e18 : 0)
         : kind == 4 ? ldexp(uniform(p, -1, 1), (int)(draw(p) % 40))
                     : uniform(p, -10, 10);
}

static double as_dtype(const points *p, double x)
{
  return p->is_f32 ? (double)(float)x : x;
}

static void draw_powers(points *p)
{
  const double least = p->is_f32 ? -104 : -746, most = p->is_f32 ? 89 : 710; /* logs of results */
  for (int i = 0; i < N; i++) {
    const uint64_t kind = draw(p) % 5;
    double x = kind == 0   ? any(p)
               : kind == 1 ? fabs(any(p))
               : kind == 2 ? 1 + ldexp(uniform(p, -1, 1), -(int)(draw(p) % (p->is_f32 ? 22 : 50)))
                           : uniform(p, kind == 3 ? -20 : 0.3, kind == 3 ? 20 : 3);
    x = as_dtype(p, x);
    const double y = kind == 0   ? any(p)
                     : kind == 3 ? (double)(int)(draw(p) % 41) - 20
                     : kind == 4 ? uniform(p, -50, 50)
                                 : uniform(p, least, most) / log(x);
    p->x[i] = x;
    p->y[i] = as_dtype(p, y);
  }
}

static void draw_sides(points *p)
{
  for (int i = 0; i < N; i++) {
    const uint64_t kind = draw(p) % 4;
    p->x[i] = as_dtype(p, kind < 2 ? any(p) : uniform(p, -3, 3));
    p->y[i] = as_dtype(p, kind % 2 == 0 ? p->x[i] * uniform(p, 0.1, 2)
                          : kind == 1   ? any(p)
                                        : uniform(p, -3, 3));
  }
}

/* |got - want| in units of the last place of `want` as the dtype; 0 for the same special value. */
static double ulps(double got, const mpfr_t want, bool is_f32, mpfr_t scratch)
{
  const double rounded =
      is_f32 ? (double)mpfr_get_flt(want, MPFR_RNDN) : mpfr_get_d(want, MPFR_RNDN);
  if (isnan(rounded) || isnan(got)) return isnan(rounded) && isnan(got) ? 0 : INFINITY;
  if (isinf(rounded) || isinf(got)) return rounded == got ? 0 : INFINITY;
  if (rounded == 0 && got == 0) return !signbit(rounded) == !signbit(got) ? 0 : INFINITY;
  const int least = is_f32 ? -149 : -1074;
  const int unit = mpfr_zero_p(want) ? least : (int)mpfr_get_exp(want) - (is_f32 ? 24 : 53);
  mpfr_sub_d(scratch, want, got, MPFR_RNDN);
  mpfr_mul_2si(scratch, scratch, -(unit > least ? unit : least), MPFR_RNDN);
  return fabs(mpfr_get_d(scratch, MPFR_RNDN));
}

/* The loop of the widest table over x and y as the dtype; results as float64. */
static void run(tsr_opcode op, const points *p, double *out)
{
  const tsr_loops *loops = tsr__loops_get(0);
  const tsr_op_info *info = tsr__op_info(op);
  const tsr_dtype dtype = p->is_f32 ? TSR_FLOAT32 : TSR_FLOAT64;
  const tsr_loop loop = loops->op[op][dtype][info->min_args - 1];
  if (!p->is_f32) {
    loop(N, out, (const void *const[]){p->x, p->y});
    return;
  }
  float *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y), *z = malloc(N * sizeof *z);
  for (int i = 0; i < N; i++) {
    x[i] = (float)p->x[i];
    y[i] = (float)p->y[i];
  }
  loop(N, z, (const void *const[]){x, y});
  for (int i = 0; i < N; i++) out[i] = (double)z[i];
  free(x);
  free(y);
  free(z);
}

typedef int (*exact_one)(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int (*exact_two)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

static void check_points(tsr_opcode op, points *p, exact_one one, exact_two two, double bound)
{
  double *got = malloc(N * sizeof *got);
  run(op, p, got);
  mpfr_t x, y, want, scratch;
  mpfr_inits2(53, x, y, (mpfr_ptr)NULL);
  mpfr_inits2(PRECISION, want, scratch, (mpfr_ptr)NULL);
  double worst = 0;
  int at = 0;
  for (int i = 0; i < N; i++) {
    mpfr_set_d(x, p->x[i], MPFR_RNDN);
    mpfr_set_d(y, p->y[i], MPFR_RNDN);
    if (one)
      one(want, x, MPFR_RNDN);
    else
      two(want, x, y, MPFR_RNDN);
    const double error = ulps(got[i], want, p->is_f32, scratch);
    if (error > worst) {
      worst = error;
      at = i;
    }
  }
  cr_expect_leq(worst, bound, "%s of %s: %.3f ulp at %a, %a: %a", tsr__op_info(op)->name,
                p->is_f32 ? "float32" : "float64", worst, p->x[at], p->y[at], got[at]);
  mpfr_clears(x, y, want, scratch, (mpfr_ptr)NULL);
  free(got);
}

/* Both dtypes; bounds in ulp. */
static void check(tsr_opcode op, double (*drawn)(points *), exact_one one, double bound_f64,
                  double bound_f32)
{
  points p = {.seed = 20240607 + (uint64_t)op};
  p.x = malloc(N * sizeof *p.x);
  p.y = calloc(N, sizeof *p.y);
  for (int is_f32 = 0; is_f32 < 2; is_f32++) {
    p.is_f32 = is_f32;
    for (int i = 0; i < N; i++) p.x[i] = as_dtype(&p, drawn(&p));
    check_points(op, &p, one, NULL, is_f32 ? bound_f32 : bound_f64);
  }
  free(p.x);
  free(p.y);
}

static void check_pairs(tsr_opcode op, void (*drawn)(points *), exact_two two, double bound_f64,
                        double bound_f32)
{
  points p = {.seed = 20240607 + (uint64_t)op};
  p.x = malloc(N * sizeof *p.x);
  p.y = malloc(N * sizeof *p.y);
  for (int is_f32 = 0; is_f32 < 2; is_f32++) {
    p.is_f32 = is_f32;
    drawn(&p);
    check_points(op, &p, NULL, two, is_f32 ? bound_f32 : bound_f64);
  }
  free(p.x);
  free(p.y);
}

Test(accuracy, exp)
{
  check(TSR_OP_EXP, draw_exp, mpfr_exp, 0.8, 0.8);
}

Test(accuracy, expm1)
{
  check(TSR_OP_EXPM1, draw_exp, mpfr_expm1, 1.2, 1.0);
}

Test(accuracy, log)
{
  check(TSR_OP_LOG, draw_log, mpfr_log, 0.85, 0.85);
}

Test(accuracy, log1p)
{
  check(TSR_OP_LOG1P, draw_log1p, mpfr_log1p, 0.85, 0.85);
}

Test(accuracy, tanh)
{
  check(TSR_OP_TANH, draw_erf, mpfr_tanh, 1.0, 1.0);
}

Test(accuracy, erf)
{
  check(TSR_OP_ERF, draw_erf, mpfr_erf, 1.3, 1.3);
}

Test(accuracy, erfc)
{
  check(TSR_OP_ERFC, draw_erf, mpfr_erfc, 1.5, 0.6);
}

Test(accuracy, sin)
{
  check(TSR_OP_SIN, draw_angle, mpfr_sin, 0.85, 0.6);
}

Test(accuracy, cos)
{
  check(TSR_OP_COS, draw_angle, mpfr_cos, 0.85, 0.6);
}

Test(accuracy, power)
{
  check_pairs(TSR_OP_POWER, draw_powers, mpfr_pow, 1.0, 0.51);
}

Test(accuracy, hypot)
{
  check_pairs(TSR_OP_HYPOT, draw_sides, mpfr_hypot, 1.1, 0.51);
}
