/* Elementwise functions made of other operations. Functions with two results record both; a
 * consumer of both fuses them into one pass. */
#include "array/core/steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static tsr_operand box(tsr_array x)
{
  return tsr_box_array(x);
}

/* Returns x as an array, or the null handle with an error. */
static tsr_array array_of(const tsr_steps *w, tsr_operand x, tsr_dtype *dtype)
{
  tsr_value value;
  if (!tsr__as_array(w->c, w->where, x, &value)) return tsr_null();
  *dtype = value.dtype;
  return tsr__array_new(w->c, w->where, value.region, value.view);
}

/* Correctly rounded, which the C library does not guarantee for its own functions. */
static double power_of_ten(int64_t n)
{
  char text[32];
  snprintf(text, sizeof text, "1e%lld", (long long)(n > 400 ? 400 : n));
  return strtod(text, NULL);
}

/* Makes complex numbers of two parts. Unlike re + im*1j it preserves every value, including -0,
 * infinity and NaN. The addends have real parts of -0, which leave the real part unchanged. */
static tsr_array complex_of(const tsr_steps *w, tsr_array re, tsr_array im)
{
  const tsr_operand size = box(tsr__map1(w, TSR_OP_ABSOLUTE, box(im)));
  tsr_array turned = tsr__map2(w, TSR_OP_MULTIPLY, size, tsr_box_complex(-0.0, 1));
  turned = tsr__map3(w, TSR_OP_WHERE, box(tsr__map1(w, TSR_OP_ISNAN, size)),
                     tsr_box_complex(-0.0, (double)NAN), box(turned));
  turned = tsr__map3(w, TSR_OP_WHERE, box(tsr__map1(w, TSR_OP_ISINF, size)),
                     tsr_box_complex(-0.0, (double)INFINITY), box(turned));
  const tsr_array above = tsr__map2(w, TSR_OP_ADD, box(re), box(turned));
  const tsr_array below = tsr__map1(w, TSR_OP_CONJ, box(above));
  return tsr__map3(w, TSR_OP_WHERE, box(tsr__map1(w, TSR_OP_SIGNBIT, box(im))), box(below),
                   box(above));
}

static tsr_array rounded(const tsr_steps *w, tsr_array x, tsr_dtype dtype, int64_t decimals)
{
  const tsr_kind kind = tsr__dtype_kind(dtype);
  const bool is_float = kind == TSR_KIND_FLOAT;
  if (decimals == 0 && (is_float || kind == TSR_KIND_BOOL || kind == TSR_KIND_COMPLEX))
    return tsr__map1(w, TSR_OP_RINT, box(x));
  if (kind == TSR_KIND_COMPLEX) {
    tsr_array re = tsr__map1(w, TSR_OP_REAL, box(x)), im = tsr__map1(w, TSR_OP_IMAG, box(x));
    re = rounded(w, re, tsr__dtype_part(dtype), decimals);
    im = rounded(w, im, tsr__dtype_part(dtype), decimals);
    return complex_of(w, re, im);
  }
  if (!is_float && decimals >= 0) return tsr_copy_at(w->where, box(x));
  const tsr_operand scale = tsr_box_float(power_of_ten(decimals < 0 ? -decimals : decimals));
  const tsr_opcode up = decimals < 0 ? TSR_OP_DIVIDE : TSR_OP_MULTIPLY;
  const tsr_opcode down = decimals < 0 ? TSR_OP_MULTIPLY : TSR_OP_DIVIDE;
  tsr_array y = tsr__map1(w, TSR_OP_RINT, box(tsr__map2(w, up, box(x), scale)));
  y = tsr__map2(w, down, box(y), scale);
  return is_float || !tsr_ok(y) ? y : tsr_astype_at(w->where, box(y), dtype);
}

tsr_array tsr_round_at(const tsr_location *where, tsr_operand x, int decimals)
{
  tsr_steps w = tsr__steps_begin(where);
  tsr_dtype dtype;
  tsr_array array = array_of(&w, x, &dtype);
  if (!tsr_ok(array)) return tsr__steps_end(&w, array);
  if (dtype == TSR_DTYPE_BOOL && decimals != 0) {
    tsr__fail_on(w.c, where, TSR_ERR_DTYPE, 1, &x,
                 "tsr_astype(x, TSR_INT32) makes numbers of bools",
                 "round to decimals does not take bool");
    return tsr__steps_end(&w, tsr_null());
  }
  return tsr__steps_end(&w, rounded(&w, array, dtype, decimals));
}

static tsr_array half_of(const tsr_steps *w, tsr_operand x)
{
  const tsr_array half = tsr_astype_at(w->where, x, TSR_FLOAT16);
  return tsr_ok(half) ? tsr_astype_at(w->where, box(half), TSR_FLOAT32) : half;
}

/* Computed in float32: x plus 0.6 of a unit in the last place, rounded to float16, is the
 * neighbour, also below a power of 2, where the unit is half as large. 2^16 stands for infinity. */
tsr_array tsr__nextafter_half(const tsr_location *where, const tsr_operand *xs)
{
  tsr_steps w = tsr__steps_begin(where);
  const tsr_array x = half_of(&w, xs[0]), y = half_of(&w, xs[1]);
  const tsr_array from =
      tsr__map3(&w, TSR_OP_CLIP, box(x), tsr_box_int(-65536), tsr_box_int(65536));
  tsr_array step = tsr__map1(&w, TSR_OP_ABSOLUTE, box(from));
  step = tsr__map2(&w, TSR_OP_MAXIMUM, box(step), tsr_box_float(0x1p-24));
  step = tsr__map1(&w, TSR_OP_FREXP_EXPONENT, box(step));
  step = tsr__map2(&w, TSR_OP_SUBTRACT, box(step), tsr_box_int(11));
  step = tsr__map2(&w, TSR_OP_MAXIMUM, box(step), tsr_box_int(-24));
  step = tsr__map1(&w, TSR_OP_EXP2, box(step));
  step = tsr__map2(&w, TSR_OP_MULTIPLY, box(step), tsr_box_float(0.6));
  const tsr_array up = tsr__map2(&w, TSR_OP_ADD, box(from), box(step));
  const tsr_array down = tsr__map2(&w, TSR_OP_SUBTRACT, box(from), box(step));
  const tsr_array rises = tsr__map2(&w, TSR_OP_LESS, box(x), box(y));
  tsr_array z = tsr__map3(&w, TSR_OP_WHERE, box(rises), box(up), box(down));
  const tsr_array same = tsr__map2(&w, TSR_OP_EQUAL, box(x), box(y));
  z = tsr__map3(&w, TSR_OP_WHERE, box(same), box(x), box(z)); /* of two zeros NumPy returns x */
  const tsr_array none = tsr__map1(&w, TSR_OP_ISNAN, box(y));
  z = tsr__map3(&w, TSR_OP_WHERE, box(none), box(y), box(z));
  return tsr__steps_end(&w, tsr_ok(z) ? tsr_astype_at(where, box(z), TSR_FLOAT16) : z);
}

static tsr_steps pair_begin(const tsr_location *where)
{
  tsr_steps w = tsr__steps_begin(where);
  w.c->last_status = TSR_OK; /* a null operand fails without an error */
  return w;
}

static tsr_status pair_end(tsr_steps *w, tsr_array *out, tsr_array first, tsr_array second)
{
  tsr_status status = TSR_OK;
  if (tsr_ok(first) && tsr_ok(second)) {
    out[0] = tsr__steps_keep(w, first);
    out[1] = tsr__steps_keep(w, second);
  } else {
    status = w->c->last_status < 0 ? w->c->last_status : TSR_ERR_HANDLE;
  }
  tsr__steps_end(w, tsr_null());
  return status;
}

static bool check_out(const tsr_steps *w, const tsr_array *out)
{
  if (out) return true;
  tsr__fail(w->c, w->where, TSR_ERR_ARGUMENT, "the place for the two results is NULL");
  return false;
}

tsr_status tsr_divmod_at(const tsr_location *where, tsr_array *out, tsr_operand x, tsr_operand y)
{
  tsr_steps w = pair_begin(where);
  tsr_array quotient = tsr_null(), rest = tsr_null();
  if (check_out(&w, out)) quotient = tsr__map2(&w, TSR_OP_FLOOR_DIVIDE, x, y);
  if (tsr_ok(quotient)) rest = tsr__map2(&w, TSR_OP_REMAINDER, x, y);
  return pair_end(&w, out, quotient, rest);
}

tsr_status tsr_frexp_at(const tsr_location *where, tsr_array *out, tsr_operand x)
{
  tsr_steps w = pair_begin(where);
  tsr_dtype dtype;
  tsr_array mantissa = tsr_null(), exponent = tsr_null();
  tsr_array array = check_out(&w, out) ? array_of(&w, x, &dtype) : tsr_null();
  if (tsr_ok(array)) mantissa = tsr__map1(&w, TSR_OP_FREXP_MANTISSA, box(array));
  if (tsr_ok(mantissa)) exponent = tsr__map1(&w, TSR_OP_FREXP_EXPONENT, box(array));
  if (tsr_ok(exponent)) exponent = tsr_astype_at(where, box(exponent), TSR_INT32);
  return pair_end(&w, out, mantissa, exponent);
}

tsr_array tsr_angle_at(const tsr_location *where, tsr_operand x)
{
  tsr_steps w = tsr__steps_begin(where);
  tsr_dtype dtype;
  tsr_array array = array_of(&w, x, &dtype);
  if (!tsr_ok(array)) return tsr__steps_end(&w, array);
  if (dtype == TSR_DTYPE_BOOL) array = tsr_astype_at(where, box(array), TSR_INT64);
  tsr_array imag = tsr__map1(&w, TSR_OP_IMAG, box(array));
  tsr_array real = tsr__map1(&w, TSR_OP_REAL, box(array));
  return tsr__steps_end(&w, tsr__map2(&w, TSR_OP_ARCTAN2, box(imag), box(real)));
}

tsr_status tsr_modf_at(const tsr_location *where, tsr_array *out, tsr_operand x)
{
  tsr_steps w = pair_begin(where);
  tsr_dtype dtype;
  tsr_array array = check_out(&w, out) ? array_of(&w, x, &dtype) : tsr_null();
  if (tsr_ok(array) && !tsr__check_real(w.c, where, "modf", dtype, x)) array = tsr_null();
  if (tsr_ok(array) && tsr__dtype_info(dtype)->kind != TSR_KIND_FLOAT)
    array = tsr_astype_at(where, box(array), tsr__dtype_inexact(dtype));
  if (!tsr_ok(array)) return pair_end(&w, out, array, array);
  tsr_array whole = tsr__map1(&w, TSR_OP_TRUNC, box(array));
  tsr_array rest = tsr__map2(&w, TSR_OP_SUBTRACT, box(array), box(whole));
  tsr_array endless = tsr__map1(&w, TSR_OP_ISINF, box(array));
  rest = tsr__map3(&w, TSR_OP_WHERE, box(endless), tsr_box_int(0), box(rest));
  return pair_end(&w, out, tsr__map2(&w, TSR_OP_COPYSIGN, box(rest), box(array)), whole);
}
