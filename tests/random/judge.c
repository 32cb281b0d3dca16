/* Comparing what two ways to run a program gave. */
#include "random.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* err < 0: bitwise. */
static bool same(const uint8_t *a, const uint8_t *b, tsr_dtype dtype, double err)
{
  if (!memcmp(a, b, dtype_bytes(dtype))) return true;
  if (is_complex(dtype)) {
    const tsr_dtype part = dtype_part(dtype);
    const size_t size = dtype_bytes(part);
    return same(a, b, part, err) && same(a + size, b + size, part, err);
  }
  if (!is_float(dtype)) return false;
  double x = load_float(a, dtype), y = load_float(b, dtype);
  if (isnan(x) || isnan(y)) return isnan(x) && isnan(y);
  return err > 0 && fabs(x - y) <= err;
}

static int put_element(tsr_dtype dtype, const uint8_t *at, char *text, size_t size)
{
  const tsr_dtype part = dtype_part(dtype);
  if (!is_float(part)) return snprintf(text, size, "%" PRId64, load_int(at, dtype));
  const double x = load_float(at, part);
  int used = snprintf(text, size, "%.17g (%a)", x, x);
  if (!is_complex(dtype)) return used;
  const double im = load_float(at + dtype_bytes(part), part);
  return used + snprintf(text + used, size - (size_t)used, " %+.17gj (%a)", im, im);
}

static void describe(const segment *s, int64_t at, const uint8_t *got, const uint8_t *want,
                     double err, char *text, size_t size)
{
  int64_t index[TSR_MAX_NDIM], left = at;
  for (int k = s->shape.ndim - 1; k >= 0; k--) {
    index[k] = left % s->shape.n[k];
    left /= s->shape.n[k];
  }
  int used = snprintf(text, size, "%s%d", s->is_scalar ? "read of s" : "v", s->var);
  for (int k = 0; k < s->shape.ndim; k++) {
    used += snprintf(text + used, size - (size_t)used, "%s%" PRId64, k ? ", " : "[", index[k]);
  }
  used += snprintf(text + used, size - (size_t)used, "%s (%s): ", s->shape.ndim ? "]" : "",
                   dtype_name(s->dtype));
  used += snprintf(text + used, size - (size_t)used, "got ");
  used += put_element(s->dtype, got, text + used, size - (size_t)used);
  used += snprintf(text + used, size - (size_t)used, ", want ");
  used += put_element(s->dtype, want, text + used, size - (size_t)used);
  if (err > 0) snprintf(text + used, size - (size_t)used, " within %g", err);
}

bool judge(const result *r, const uint8_t *got, const uint8_t *want, bool use_err, tally *tally,
           char *text, size_t size)
{
  for (int i = 0; i < r->n_segments; i++) {
    const segment *s = &r->segments[i];
    size_t bytes = dtype_bytes(s->dtype);
    for (int64_t k = 0; k < s->count; k++) {
      size_t at = s->offset + (size_t)k * bytes;
      double err = use_err ? r->err[s->first + k] : 0;
      if (tally) *(err == 0 ? &tally->exact : isinf(err) ? &tally->open : &tally->near) += 1;
      if (isinf(err) || same(got + at, want + at, s->dtype, err)) continue;
      describe(s, k, got + at, want + at, err, text, size);
      return false;
    }
  }
  return true;
}
