/* Formats numbers by the rules of NumPy's default print options. A float has its shortest digits,
 * the fewest that read back as the same float, with at most 8 after the point. All elements have
 * exponents if one is at least 1e8 (float32: 1e6, float16: 1e3) or below 1e-4, or if they span more
 * than a factor of 1000. The parts of complex numbers are formatted separately. Integers and bools
 * have the width of the widest. */
#include "array/files/print.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FRACTION = 8 };

/* Returns part 0 (real) or 1 (imaginary) of element i. */
static double float_at(tsr_dtype dtype, const void *data, int64_t i, int part)
{
  const size_t size = tsr__dtype_size(dtype);
  const tsr_dtype of_part = tsr__dtype_part(dtype);
  const char *at = (const char *)data + (size_t)i * size + (part ? size / 2 : 0);
  return tsr__scalar_double(tsr__scalar_load(of_part, at));
}

static int int_text(tsr_dtype dtype, const void *data, int64_t i, int width, char *buf, size_t size)
{
  const char *at = (const char *)data + (size_t)i * tsr__dtype_size(dtype);
  const tsr_scalar x = tsr__scalar_load(dtype, at);
  if (tsr__dtype_kind(dtype) == TSR_KIND_UINT)
    return snprintf(buf, size, "%*" PRIu64, width, x.u.bits);
  return snprintf(buf, size, "%*" PRId64, width, tsr__scalar_int(x));
}

/* The two functions return, for a float dtype, the number of digits that distinguish all its
 * numbers, and the least number that an array shows with an exponent. */
static int most_digits(tsr_dtype dtype)
{
  return dtype == TSR_FLOAT16 ? 5 : dtype == TSR_FLOAT32 ? 9 : 17;
}

static double least_large(tsr_dtype dtype, double of_float64)
{
  return dtype == TSR_FLOAT16 ? 1e3 : dtype == TSR_FLOAT32 ? 1e6 : of_float64;
}

/* Returns whether the text reads back as x. */
static bool reads_as(tsr_dtype dtype, const char *text, double x)
{
  if (dtype == TSR_FLOAT32) return strtof(text, NULL) == (float)x;
  const tsr_scalar read = tsr__scalar_of_f64(strtod(text, NULL));
  return tsr__scalar_double(tsr__scalar_cast(read, dtype)) == x;
}

/** The shortest decimal digits of a finite float: d.ddd × 10^exponent. */
typedef struct digits {
  bool negative;
  char d[20];
  int n, exponent;
  double value; /* the number that the digits denote */
} digits;

static void read_digits(digits *out, const char *text)
{
  out->negative = *text == '-';
  out->n = 0;
  const char *p = text + out->negative;
  for (; *p && *p != 'e'; p++)
    if (*p != '.') out->d[out->n++] = *p;
  out->exponent = atoi(p + 1);
  out->value = strtod(text, NULL);
  while (out->n > 1 && out->d[out->n - 1] == '0') out->n--;
}

/* Replaces a text by the next one of as many digits, farther from 0. */
static void step_outwards(char *text)
{
  char *const e = strchr(text, 'e'), *p = e - 1;
  for (; p >= text && (*p == '9' || *p == '.'); p--)
    if (*p == '9') *p = '0';
  if (p >= text && *p != '-') {
    ++*p;
    return;
  }
  p[1] = '1'; /* 1.00e+02 follows 9.99e+01 */
  snprintf(e, 16, "e%+03d", atoi(e + 1) + 1);
}

/* Below a power of two, neighbouring floats are half as far apart as above it. The nearest text to
 * x may therefore read back as the float below, and the next text as x. */
static digits shortest(tsr_dtype dtype, double x)
{
  char text[40];
  digits out;
  for (int n = 1; n <= most_digits(dtype); n++) {
    snprintf(text, sizeof text, "%.*e", n - 1, x);
    if (reads_as(dtype, text, x)) break;
    step_outwards(text);
    if (reads_as(dtype, text, x)) break;
  }
  read_digits(&out, text);
  return out;
}

/* Returns the digits of the scientific form, rounded to at most MAX_FRACTION after the point. */
static digits scientific(tsr_dtype dtype, double x)
{
  digits s = shortest(dtype, x);
  if (s.n - 1 <= MAX_FRACTION) return s;
  char text[40];
  snprintf(text, sizeof text, "%.*e", MAX_FRACTION, x);
  read_digits(&s, text);
  return s;
}

/* Writes "-12.5" or "3."; |x| < 1e16. */
static int positional(tsr_dtype dtype, double x, int max_fraction, char *buf, size_t size)
{
  digits s = shortest(dtype, x);
  int fraction = s.n - 1 - s.exponent;
  const bool is_whole = fraction > 0 && fraction <= max_fraction; /* all digits are shown */
  if (fraction < 0) fraction = 0;
  if (fraction > max_fraction) fraction = max_fraction;
  int n = snprintf(buf, size, "%.*f", fraction, is_whole ? s.value : x);
  if (fraction == 0) return n + snprintf(buf + n, size - (size_t)n, ".");
  while (buf[n - 1] == '0') buf[--n] = 0; /* rounding may leave zeros */
  return n;
}

static int columns_before_point(const char *s)
{
  return (int)(strchr(s, '.') - s);
}

/* Rounds x to the dtype: 1e-4 as a float32 or float16 is less than 1e-4. */
static double rounded_to(tsr_dtype dtype, double x)
{
  return tsr__scalar_double(tsr__scalar_cast(tsr__scalar_of_f64(x), dtype));
}

static bool needs_exponent(tsr_dtype dtype, int64_t n, const void *data, int part)
{
  double least = INFINITY, most = 0;
  for (int64_t i = 0; i < n; i++) {
    double x = fabs(float_at(dtype, data, i, part));
    if (x == 0 || !isfinite(x)) continue;
    least = fmin(least, x);
    most = fmax(most, x);
  }
  /* As in NumPy, the comparisons are made in the arithmetic of the dtype. */
  const tsr_dtype of_part = tsr__dtype_part(dtype);
  return most > 0 && (most >= least_large(of_part, 1e8) || least < rounded_to(of_part, 1e-4) ||
                      rounded_to(of_part, most / least) > 1000);
}

static void widen(int *width, int to)
{
  if (*width < to) *width = to;
}

static void add_exponent_form(tsr_float_format *f, double x)
{
  digits s = scientific(f->dtype, x);
  char exponent[16];
  int n = snprintf(exponent, sizeof exponent, "%02d", abs(s.exponent));
  widen(&f->left, 1 + (f->plus || s.negative));
  widen(&f->right, s.n - 1);
  widen(&f->exponent_digits, n);
}

static void add_positional_form(tsr_float_format *f, double x)
{
  char s[TSR_NUMBER_SIZE];
  int n = positional(f->dtype, x, MAX_FRACTION, s, sizeof s), left = columns_before_point(s);
  widen(&f->left, left + (f->plus && s[0] != '-'));
  widen(&f->right, n - left - 1);
}

static tsr_float_format float_format(tsr_dtype dtype, int64_t n, const void *data, int part)
{
  tsr_float_format f = {.dtype = tsr__dtype_part(dtype),
                        .plus = part == 1,
                        .has_exponent = needs_exponent(dtype, n, data, part)};
  bool any_finite = false, any_other = false, any_sign = f.plus;
  for (int64_t i = 0; i < n; i++) {
    double x = float_at(dtype, data, i, part);
    if (!isfinite(x)) {
      any_other = true;
      any_sign |= isinf(x) && x < 0;
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
  if (any_other) widen(&f.left, (any_sign ? 4 : 3) - (after + 1));
  return f;
}

tsr_number_format tsr__number_format(tsr_dtype dtype, int64_t n, const void *data)
{
  tsr_number_format f = {.dtype = dtype, .part[0].left = dtype == TSR_BOOL ? 5 : 0};
  if (tsr__dtype_is_inexact(dtype)) f.part[0] = float_format(dtype, n, data, 0);
  if (tsr__dtype_is_complex(dtype)) f.part[1] = float_format(dtype, n, data, 1);
  for (int64_t i = 0; tsr__dtype_is_integer(dtype) && i < n; i++)
    widen(&f.part[0].left, int_text(dtype, data, i, 0, NULL, 0));
  return f;
}

static const char *not_finite(double x, bool plus)
{
  const char *text = isnan(x) ? "+nan" : "+inf";
  return !isnan(x) && x < 0 ? "-inf" : text + !plus;
}

/* As in NumPy, exact digits fill the number up to the common width. */
static int exponent_text(const tsr_float_format *f, double x, char buf[TSR_NUMBER_SIZE])
{
  char e[TSR_NUMBER_SIZE]; /* "-1.25e-05" */
  const digits s = shortest(f->dtype, x);
  snprintf(e, sizeof e, f->plus ? "%+.*e" : "%.*e", f->right, f->right == s.n - 1 ? s.value : x);
  char *exponent = strchr(e, 'e') + 1;
  const bool has_sign = *e == '-' || *e == '+';
  size_t n = (size_t)(exponent - 1 - e), before = (size_t)(f->left - 1 - has_sign);
  int value = atoi(exponent);
  memset(buf, ' ', before);
  memcpy(buf + before, e, n);
  n += before;
  if (f->right == 0) buf[n++] = '.';
  return (int)n + snprintf(buf + n, TSR_NUMBER_SIZE / 2 - n, "e%c%0*d", value < 0 ? '-' : '+',
                           f->exponent_digits, abs(value));
}

/* Writes one part in the width of its format. */
static int float_text(const tsr_float_format *f, double x, char *buf)
{
  int after = f->has_exponent ? f->right + 2 + f->exponent_digits : f->right;
  if (!isfinite(x))
    return snprintf(buf, TSR_NUMBER_SIZE / 2, "%*s", f->left + 1 + after, not_finite(x, f->plus));
  if (f->has_exponent) return exponent_text(f, x, buf);
  char s[TSR_NUMBER_SIZE / 2];
  s[0] = '+';
  const int sign = f->plus && !signbit(x);
  int n = sign + positional(f->dtype, x, MAX_FRACTION, s + sign, sizeof s - 1);
  size_t before = (size_t)(f->left - columns_before_point(s)); /* at most 28 columns in total */
  memset(buf, ' ', TSR_NUMBER_SIZE / 2);
  memcpy(buf + before, s, (size_t)n);
  n = f->left + 1 + f->right;
  buf[n] = 0;
  return n;
}

void tsr__number_text(const tsr_number_format *f, const void *data, int64_t i,
                      char buf[TSR_NUMBER_SIZE])
{
  if (f->dtype == TSR_BOOL) {
    snprintf(buf, TSR_NUMBER_SIZE, "%*s", f->part[0].left,
             ((const uint8_t *)data)[i] ? "True" : "False");
    return;
  }
  if (tsr__dtype_is_integer(f->dtype)) {
    int_text(f->dtype, data, i, f->part[0].left, buf, TSR_NUMBER_SIZE);
    return;
  }
  int n = float_text(&f->part[0], float_at(f->dtype, data, i, 0), buf);
  if (!tsr__dtype_is_complex(f->dtype)) return;
  int end = n + float_text(&f->part[1], float_at(f->dtype, data, i, 1), buf + n), last = end;
  while (buf[last - 1] == ' ') last--;
  memmove(buf + last + 1, buf + last, (size_t)(end - last) + 1);
  buf[last] = 'j';
}

/* Writes "0.1" or "1e-05". A part of a complex number is "1" instead of "1.0". */
static int scalar_float_text(tsr_dtype dtype, double x, bool plus, bool is_part, char *buf)
{
  const size_t size = TSR_NUMBER_SIZE / 2;
  if (!isfinite(x)) return snprintf(buf, size, "%s", not_finite(x, plus));
  int n = 0;
  if (plus && !signbit(x)) buf[n++] = '+';
  if (x != 0 && (fabs(x) < 1e-4 || fabs(x) >= least_large(dtype, 1e16))) {
    digits s = shortest(dtype, x);
    return n + snprintf(buf + n, size - (size_t)n, "%s%c%s%.*se%c%02d", s.negative ? "-" : "",
                        s.d[0], s.n > 1 ? "." : "", s.n - 1, s.d + 1, s.exponent < 0 ? '-' : '+',
                        abs(s.exponent));
  }
  n += positional(dtype, x, 30, buf + n, size - (size_t)n);
  if (buf[n - 1] != '.') return n;
  if (is_part)
    buf[--n] = 0;
  else
    n += snprintf(buf + n, size - (size_t)n, "0");
  return n;
}

void tsr__scalar_text(tsr_dtype dtype, const void *data, char buf[TSR_NUMBER_SIZE])
{
  if (dtype == TSR_BOOL) {
    snprintf(buf, TSR_NUMBER_SIZE, "%s", *(const uint8_t *)data ? "True" : "False");
    return;
  }
  if (tsr__dtype_is_integer(dtype)) {
    int_text(dtype, data, 0, 0, buf, TSR_NUMBER_SIZE);
    return;
  }
  const double re = float_at(dtype, data, 0, 0);
  if (tsr__dtype_kind(dtype) == TSR_KIND_FLOAT) {
    scalar_float_text(dtype, re, false, false, buf);
    return;
  }
  const bool only_im = re == 0 && !signbit(re);
  const tsr_dtype part = tsr__dtype_part(dtype);
  const double im = float_at(dtype, data, 0, 1);
  int n = 0;
  if (!only_im) {
    buf[n++] = '(';
    n += scalar_float_text(part, re, false, true, buf + n);
  }
  n += scalar_float_text(part, im, !only_im, true, buf + n);
  snprintf(buf + n, TSR_NUMBER_SIZE - (size_t)n, only_im ? "j" : "j)");
}
