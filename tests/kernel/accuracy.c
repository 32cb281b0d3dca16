/* Measuring functions against MPFR: see accuracy.h. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <mpfr.h>

#include "kernel/cpu/loops.h"
#include "tests/kernel/accuracy.h"
#include "tests/kernel/reference.h"
#include "tests/support/sanitized.h"

enum { PRECISION = 140, N_SPECIALS = 80 };

uint64_t accuracy_draw(points *p)
{
  return reference_random(&p->seed);
}

double accuracy_uniform(points *p, double low, double high)
{
  return low + (high - low) * (double)(accuracy_draw(p) % ((uint64_t)1 << 53)) * 0x1p-53;
}

/* Any finite or infinite bits of the dtype, NaN rarely. */
double accuracy_any(points *p)
{
  const uint64_t bits = accuracy_draw(p) << 8 ^ accuracy_draw(p);
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
double accuracy_small(points *p)
{
  return ldexp(accuracy_uniform(p, -1, 1), -(int)(accuracy_draw(p) % 50));
}

double accuracy_as_dtype(const points *p, double x)
{
  return p->is_f32 ? (double)(float)x : x;
}

/* |got - want| in units of the last place of `want` as the dtype; 0 for the same special value. */
double accuracy_ulps(double got, const mpfr_t want, bool is_f32, mpfr_t scratch)
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
    loop(p->n, out, (const void *const[]){p->x, p->y});
    return;
  }
  float *x = malloc((size_t)p->n * sizeof *x), *y = malloc((size_t)p->n * sizeof *y),
        *z = malloc((size_t)p->n * sizeof *z);
  for (int i = 0; i < p->n; i++) {
    x[i] = (float)p->x[i];
    y[i] = (float)p->y[i];
  }
  loop(p->n, z, (const void *const[]){x, y});
  for (int i = 0; i < p->n; i++) out[i] = (double)z[i];
  free(x);
  free(y);
  free(z);
}

static void check_points(tsr_opcode op, points *p, exact_one one, exact_two two, double bound)
{
  double *got = malloc((size_t)p->n * sizeof *got);
  run(op, p, got);
  mpfr_t x, y, want, scratch;
  mpfr_inits2(53, x, y, (mpfr_ptr)NULL);
  mpfr_inits2(PRECISION, want, scratch, (mpfr_ptr)NULL);
  double worst = 0;
  int at = 0;
  for (int i = 0; i < p->n; i++) {
    mpfr_set_d(x, p->x[i], MPFR_RNDN);
    mpfr_set_d(y, p->y[i], MPFR_RNDN);
    if (one)
      one(want, x, MPFR_RNDN);
    else
      two(want, x, y, MPFR_RNDN);
    const double error = accuracy_ulps(got[i], want, p->is_f32, scratch);
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

/* Fewer where a sanitizer makes each many times dearer. */
static points made(tsr_opcode op, int n)
{
  if (IS_SANITIZED) n /= 20;
  points p = {.seed = 20240607 + (uint64_t)op, .n = n};
  p.x = calloc((size_t)n, sizeof *p.x);
  p.y = calloc((size_t)n, sizeof *p.y);
  return p;
}

/* Ends of ranges, their neighbours, zeros, whole numbers and halves, of either sign. */
static int specials(bool is_f32, double out[N_SPECIALS])
{
  const double eps = is_f32 ? FLT_EPSILON : DBL_EPSILON, most = is_f32 ? FLT_MAX : DBL_MAX;
  const double normal = is_f32 ? FLT_MIN : DBL_MIN, least = is_f32 ? 0x1p-149 : 0x1p-1074;
  const double sizes[] = {0,
                          least,
                          normal - least,
                          normal,
                          0x1p-60,
                          0x1p-24,
                          0.25,
                          0.5,
                          1 - eps / 2,
                          1,
                          1 + eps,
                          1.5,
                          2,
                          2.5,
                          3,
                          4,
                          10,
                          33,
                          90,
                          127,
                          128,
                          171.5,
                          710,
                          745.25,
                          1023,
                          1024,
                          1075,
                          0x1p23,
                          0x1p24,
                          0x1p52,
                          0x1p53,
                          0x1p63,
                          most / 2,
                          most * (1 - eps),
                          most,
                          INFINITY,
                          NAN};
  int n = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    out[n++] = is_f32 ? (double)(float)sizes[i] : sizes[i];
    out[n++] = is_f32 ? (double)(float)-sizes[i] : -sizes[i];
  }
  return n;
}

static void check_specials(tsr_opcode op, bool is_f32, exact_one one, exact_two two, double bound)
{
  double values[N_SPECIALS];
  const int n = specials(is_f32, values), n_second = two ? n : 1;
  points p = {.is_f32 = is_f32, .n = n * n_second};
  p.x = calloc((size_t)p.n, sizeof *p.x);
  p.y = calloc((size_t)p.n, sizeof *p.y);
  for (int i = 0; i < p.n; i++) {
    p.x[i] = values[i / n_second];
    p.y[i] = values[i % n_second];
  }
  check_points(op, &p, one, two, bound);
  free(p.x);
  free(p.y);
}

void accuracy_check(tsr_opcode op, int n, double (*drawn)(points *), exact_one one,
                    double bound_f64, double bound_f32)
{
  check_specials(op, false, one, NULL, bound_f64);
  check_specials(op, true, one, NULL, bound_f32);
  points p = made(op, n);
  for (int is_f32 = 0; is_f32 < 2; is_f32++) {
    p.is_f32 = is_f32;
    for (int i = 0; i < p.n; i++) p.x[i] = accuracy_as_dtype(&p, drawn(&p));
    check_points(op, &p, one, NULL, is_f32 ? bound_f32 : bound_f64);
  }
  free(p.x);
  free(p.y);
}

void accuracy_check_pairs(tsr_opcode op, int n, void (*drawn)(points *), exact_two two,
                          double bound_f64, double bound_f32)
{
  check_specials(op, false, NULL, two, bound_f64);
  check_specials(op, true, NULL, two, bound_f32);
  points p = made(op, n);
  for (int is_f32 = 0; is_f32 < 2; is_f32++) {
    p.is_f32 = is_f32;
    drawn(&p);
    check_points(op, &p, NULL, two, is_f32 ? bound_f32 : bound_f64);
  }
  free(p.x);
  free(p.y);
}
