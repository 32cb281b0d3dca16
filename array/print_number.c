/* Floats by their shortest digits: the fewest that give the same float when read back, at most 8
 * after the point; exponents for all elements when one is 1e8 or more (float32: 1e6), under 1e-4,
 * or they span over a factor of 1000. Integers and bools by the widest. The rules are those of
 * NumPy's default print options. */
#include "array/print.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FRACTION = 8 };

static double float_at(tsr_dtype dtype, const void *data, int64_t i)
{
  return dtype == TSR_FLOAT32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
}

static int64_t int_at(tsr_dtype dtype, const void *data, int64_t i)
{
  return dtype == TSR_INT32 ? ((const int32_t *)data)[i] : ((const int64_t *)data)[i];
}

/** The shortest decimal digits of a finite float: d.ddd × 10^exponent. */
typedef struct digits {
  bool negative;
  char d[20];
  int n, exponent;
} digits;

static void read_digits(digits *out, const char *text)
{
  out->negative = *text == '-';
  out->n = 0;
  const char *p = text + out->negative;
  for (; *p && *p != 'e'; p++)
    if (*p != '.') out->d[out->n++] = *p;
  out->exponent = atoi(p + 1);
  while (out->n > 1 && out->d[out->n - 1] == '0') out->n--;
}

static digits shortest(tsr_dtype dtype, double x)
{
  char text[40];
  digits out;
  int most = dtype == TSR_FLOAT32 ? 9 : 17;
  for (int n = 1; n <= most; n++) {
    snprintf(text, sizeof text, "%.*e", n - 1, x);
    if (dtype == TSR_FLOAT32 ? strtof(text, NULL) == (float)x : strtod(text, NULL) == x) break;
  }
  read_digits(&out, text);
  return out;
}

/* Digits after the point of the scientific form, at most MAX_FRACTION (rounded then). */
static digits scientific(tsr_dtype dtype, double x)
{
  digits s = shortest(dtype, x);
  if (s.n - 1 <= MAX_FRACTION) return s;
  char text[40];
  snprintf(text, sizeof text, "%.*e", MAX_FRACTION, x);
  read_digits(&s, text);
  return s;
}

/* "-12.5", "3."; |x| < 1e16. */
static int positional(tsr_dtype dtype, double x, int max_fraction, char *buf, size_t size)
{
  digits s = shortest(dtype, x);
  int fraction = s.n - 1 - s.exponent;
  if (fraction < 0) fraction = 0;
  if (fraction > max_fraction) fraction = max_fraction;
  int n = snprintf(buf, size, "%.*f", fraction, x);
  if (fraction == 0) return n + snprintf(buf + n, size - (size_t)n, ".");
  while (buf[n - 1] == '0') buf[--n] = 0; /* rounding may have left zeros */
  return n;
}

static int columns_before_point(const char *s)
{
  return (int)(strchr(s, '.') - s);
}

static bool needs_exponent(tsr_dtype dtype, int64_t n, const void *data)
{
  double least = INFINITY, most = 0;
  for (int64_t i = 0; i < n; i++) {
    double x = fabs(float_at(dtype, data, i));
    if (x == 0 || !isfinite(x)) continue;
    least = fmin(least, x);
    most = fmax(most, x);
  }
  /* In the type's own arithmetic, as NumPy has it: float32's 1e-4 lies below 1e-4. */
  if (dtype == TSR_FLOAT32)
    return most > 0 && (most >= 1e6 || (float)least < 1e-4f || (float)most / (float)least > 1000);
  return most > 0 && (most >= 1e8 || least < 1e-4 || most / least > 1000);
}

static void widen(int *width, int to)
{
  if (*width < to) *width = to;
}

static void add_exponent_form(tsr_number_format *f, double x)
{
  digits s = scientific(f->dtype, x);
  char exponent[16];
  int n = snprintf(exponent, sizeof exponent, "%02d", abs(s.exponent));
  widen(&f->left, 1 + s.negative);
  widen(&f->right, s.n - 1);
  widen(&f->exponent_digits, n);
}

static void add_positional_form(tsr_number_format *f, double x)
{
  char s[TSR_NUMBER_SIZE];
  int n = positional(f->dtype, x, MAX_FRACTION, s, sizeof s), left = columns_before_point(s);
  widen(&f->left, left);
  widen(&f->right, n - left - 1);
}

static tsr_number_format float_format(tsr_dtype dtype, int64_t n, const void *data)
{
  tsr_number_format f = {.dtype = dtype, .has_exponent = needs_exponent(dtype, n, data)};
  bool any_finite = false, any_other = false, any_negative_inf = false;
  for (int64_t i = 0; i < n; i++) {
    double x = float_at(dtype, data, i);
    if (!isfinite(x)) {
      any_other = true;
      any_negative_inf |= isinf(x) && x < 0;
      continue;
    }
    any_finite = true;
    if (f.has_exponent)
      add_exponent_form(&f, x);
    else
      add_positional_form(&f, x);
  }
  if (f.has_exponent && !any_finite) f.has_exponent = false;
  int after = f.has_exponent ? f.right + 2 + f.exponent_digits : f.right;
  if (any_other) widen(&f.left, (any_negative_inf ? 4 : 3) - (after + 1));
  return f;
}

tsr_number_format tsr__number_format(tsr_dtype dtype, int64_t n, const void *data)
{
  if (tsr__dtype_info(dtype)->kind == TSR_KIND_FLOAT) return float_format(dtype, n, data);
  tsr_number_format f = {.dtype = dtype, .left = dtype == TSR_BOOL ? 5 : 0};
  for (int64_t i = 0; dtype != TSR_BOOL && i < n; i++)
    widen(&f.left, snprintf(NULL, 0, "%" PRId64, int_at(dtype, data, i)));
  return f;
}

static const char *not_finite(double x)
{
  return isnan(x) ? "nan" : x < 0 ? "-inf" : "inf";
}

/* Exact digits fill up to the common width, as in NumPy. */
static void exponent_text(const tsr_number_format *f, double x, char buf[TSR_NUMBER_SIZE])
{
  char e[TSR_NUMBER_SIZE]; /* "-1.25e-05" */
  snprintf(e, sizeof e, "%.*e", f->right, x);
  char *exponent = strchr(e, 'e') + 1;
  size_t n = (size_t)(exponent - 1 - e), before = (size_t)(f->left - 1 - (*e == '-'));
  int value = atoi(exponent);
  memset(buf, ' ', before);
  memcpy(buf + before, e, n);
  n += before;
  if (f->right == 0) buf[n++] = '.';
  snprintf(buf + n, TSR_NUMBER_SIZE - n, "e%c%0*d", value < 0 ? '-' : '+', f->exponent_digits,
           abs(value));
}

void tsr__number_text(const tsr_number_format *f, const void *data, int64_t i,
                      char buf[TSR_NUMBER_SIZE])
{
  if (f->dtype == TSR_BOOL) {
    snprintf(buf, TSR_NUMBER_SIZE, "%*s", f->left, ((const uint8_t *)data)[i] ? "True" : "False");
    return;
  }
  if (tsr__dtype_info(f->dtype)->kind == TSR_KIND_INT) {
    snprintf(buf, TSR_NUMBER_SIZE, "%*" PRId64, f->left, int_at(f->dtype, data, i));
    return;
  }
  double x = float_at(f->dtype, data, i);
  int after = f->has_exponent ? f->right + 2 + f->exponent_digits : f->right;
  if (!isfinite(x)) {
    snprintf(buf, TSR_NUMBER_SIZE, "%*s", f->left + 1 + after, not_finite(x));
  } else if (f->has_exponent) {
    exponent_text(f, x, buf);
  } else {
    char s[TSR_NUMBER_SIZE];
    int n = positional(f->dtype, x, MAX_FRACTION, s, sizeof s);
    size_t before = (size_t)(f->left - columns_before_point(s)); /* at most 27 columns in all */
    memset(buf, ' ', TSR_NUMBER_SIZE);
    memcpy(buf + before, s, (size_t)n);
    buf[f->left + 1 + f->right] = 0;
  }
}

void tsr__scalar_text(tsr_dtype dtype, const void *data, char buf[TSR_NUMBER_SIZE])
{
  if (dtype == TSR_BOOL) {
    snprintf(buf, TSR_NUMBER_SIZE, "%s", *(const uint8_t *)data ? "True" : "False");
    return;
  }
  if (tsr__dtype_info(dtype)->kind == TSR_KIND_INT) {
    snprintf(buf, TSR_NUMBER_SIZE, "%" PRId64, int_at(dtype, data, 0));
    return;
  }
  double x = float_at(dtype, data, 0);
  if (!isfinite(x)) {
    snprintf(buf, TSR_NUMBER_SIZE, "%s", not_finite(x));
  } else if (x != 0 && (fabs(x) < 1e-4 || fabs(x) >= (dtype == TSR_FLOAT32 ? 1e6 : 1e16))) {
    digits s = shortest(dtype, x);
    snprintf(buf, TSR_NUMBER_SIZE, "%s%c%s%.*se%c%02d", s.negative ? "-" : "", s.d[0],
             s.n > 1 ? "." : "", s.n - 1, s.d + 1, s.exponent < 0 ? '-' : '+', abs(s.exponent));
  } else {
    int n = positional(dtype, x, 30, buf, TSR_NUMBER_SIZE);
    if (buf[n - 1] == '.') snprintf(buf + n, TSR_NUMBER_SIZE - (size_t)n, "0");
  }
}
