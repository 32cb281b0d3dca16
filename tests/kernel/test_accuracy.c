/* The functions of kernel/ops/ops_math.h, ops_erf.h, ops_trig.h: accuracy.h. */
#include <math.h>

#include <criterion/criterion.h>

#include "tests/kernel/accuracy.h"

enum { N = 200000 };

static double draw_exp(points *p)
{
  const double low = p->is_f32 ? -110 : -760, high = p->is_f32 ? 90 : 711;
  const uint64_t kind = accuracy_draw(p) % 4;
  return kind == 0   ? accuracy_any(p)
         : kind == 1 ? accuracy_small(p)
                     : accuracy_uniform(p, kind == 2 ? low : -2, kind == 2 ? high : 2);
}

/* Near 1, too. */
static double draw_log(points *p)
{
  const uint64_t kind = accuracy_draw(p) % 3;
  return kind == 0   ? fabs(accuracy_any(p))
         : kind == 1 ? accuracy_uniform(p, 0.3, 3)
                     : 1 + accuracy_small(p);
}

static double draw_log1p(points *p)
{
  const uint64_t kind = accuracy_draw(p) % 3;
  const double x = accuracy_any(p);
  return kind == 0 ? (x < -1 ? -x : x) : kind == 1 ? accuracy_uniform(p, -1, 3) : accuracy_small(p);
}

/* erfc's tail, too, down to where it vanishes. */
static double draw_erf(points *p)
{
  const uint64_t kind = accuracy_draw(p) % 5;
  return kind == 0   ? accuracy_any(p)
         : kind == 1 ? accuracy_uniform(p, 0, p->is_f32 ? 10.2 : 27.5)
         : kind == 2 ? accuracy_uniform(p, -6.2, 6.2)
         : kind == 3 ? accuracy_uniform(p, -1, 1)
                     : accuracy_small(p);
}

/* Next to the multiples of pi/2, too. */
static double draw_angle(points *p)
{
  const uint64_t kind = accuracy_draw(p) % 6;
  const double multiple =
      (double)(accuracy_draw(p) % ((uint64_t)2 << accuracy_draw(p) % 31)) * 1.5707963267948966;
  return kind < 2    ? accuracy_any(p)
         : kind == 2 ? multiple
         : kind == 3 ? nextafter(multiple, accuracy_draw(p) % 2 ? 1e18 : 0)
         : kind == 4 ? ldexp(accuracy_uniform(p, -1, 1), (int)(accuracy_draw(p) % 40))
                     : accuracy_uniform(p, -10, 10);
}

static void draw_powers(points *p)
{
  const double least = p->is_f32 ? -104 : -746, most = p->is_f32 ? 89 : 710; /* logs of results */
  for (int i = 0; i < p->n; i++) {
    const uint64_t kind = accuracy_draw(p) % 5;
    double x = kind == 0   ? accuracy_any(p)
               : kind == 1 ? fabs(accuracy_any(p))
               : kind == 2 ? 1 + ldexp(accuracy_uniform(p, -1, 1),
                                       -(int)(accuracy_draw(p) % (p->is_f32 ? 22 : 50)))
                           : accuracy_uniform(p, kind == 3 ? -20 : 0.3, kind == 3 ? 20 : 3);
    x = accuracy_as_dtype(p, x);
    const double y = kind == 0   ? accuracy_any(p)
                     : kind == 3 ? (double)(int)(accuracy_draw(p) % 41) - 20
                     : kind == 4 ? accuracy_uniform(p, -50, 50)
                                 : accuracy_uniform(p, least, most) / log(x);
    p->x[i] = x;
    p->y[i] = accuracy_as_dtype(p, y);
  }
}

static void draw_sides(points *p)
{
  for (int i = 0; i < p->n; i++) {
    const uint64_t kind = accuracy_draw(p) % 4;
    p->x[i] = accuracy_as_dtype(p, kind < 2 ? accuracy_any(p) : accuracy_uniform(p, -3, 3));
    p->y[i] = accuracy_as_dtype(p, kind % 2 == 0 ? p->x[i] * accuracy_uniform(p, 0.1, 2)
                                   : kind == 1   ? accuracy_any(p)
                                                 : accuracy_uniform(p, -3, 3));
  }
}

Test(accuracy, exp)
{
  accuracy_check(TSR_OP_EXP, N, draw_exp, mpfr_exp, 0.8, 0.8);
}

Test(accuracy, expm1)
{
  accuracy_check(TSR_OP_EXPM1, N, draw_exp, mpfr_expm1, 1.2, 1.0);
}

Test(accuracy, log)
{
  accuracy_check(TSR_OP_LOG, N, draw_log, mpfr_log, 0.85, 0.85);
}

Test(accuracy, log1p)
{
  accuracy_check(TSR_OP_LOG1P, N, draw_log1p, mpfr_log1p, 0.85, 0.85);
}

Test(accuracy, tanh)
{
  accuracy_check(TSR_OP_TANH, N, draw_erf, mpfr_tanh, 1.0, 1.0);
}

Test(accuracy, erf)
{
  accuracy_check(TSR_OP_ERF, N, draw_erf, mpfr_erf, 1.3, 1.3);
}

Test(accuracy, erfc)
{
  accuracy_check(TSR_OP_ERFC, N, draw_erf, mpfr_erfc, 1.5, 0.6);
}

Test(accuracy, sin)
{
  accuracy_check(TSR_OP_SIN, N, draw_angle, mpfr_sin, 0.85, 0.6);
}

Test(accuracy, cos)
{
  accuracy_check(TSR_OP_COS, N, draw_angle, mpfr_cos, 0.85, 0.6);
}

Test(accuracy, power)
{
  accuracy_check_pairs(TSR_OP_POWER, N, draw_powers, mpfr_pow, 1.0, 0.51);
}

Test(accuracy, hypot)
{
  accuracy_check_pairs(TSR_OP_HYPOT, N, draw_sides, mpfr_hypot, 1.1, 0.51);
}
