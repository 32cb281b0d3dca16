/* Elementwise functions made of other operations. Functions with two results record both; a
 * consumer of both fuses them into one pass. */
#include "array/ops/step_ops.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

static tsr_array rounded(const tsr_steps *w, tsr_array x, tsr_dtype dtype, int64_t decimals)
{
  const tsr_kind kind = tsr__dtype_kind(dtype);
  const bool is_float = kind == TSR_KIND_FLOAT;
  if (decimals == 0 && (is_float || kind == TSR_KIND_BOOL || kind == TSR_KIND_COMPLEX))
    return tsr__map1(w, TSR_OP_RINT, tsr_box_array(x));
  if (kind == TSR_KIND_COMPLEX) {
    tsr_array re = tsr__map1(w, TSR_OP_REAL, tsr_box_array(x)),
              im = tsr__map1(w, TSR_OP_IMAG, tsr_box_array(x));
    re = rounded(w, re, tsr__dtype_part(dtype), decimals);
    im = rounded(w, im, tsr__dtype_part(dtype), decimals);
    return tsr__map2(w, TSR_OP_COMPLEX, tsr_box_array(re), tsr_box_array(im));
  }
  if (!is_float && decimals >= 0) return tsr_copy_at(w->where, tsr_box_array(x));
  const tsr_operand scale = tsr_box_float(power_of_ten(decimals < 0 ? -decimals : decimals));
  const tsr_opcode up = decimals < 0 ? TSR_OP_DIVIDE : TSR_OP_MULTIPLY;
  const tsr_opcode down = decimals < 0 ? TSR_OP_MULTIPLY : TSR_OP_DIVIDE;
  tsr_array y = tsr__map1(w, TSR_OP_RINT, tsr_box_array(tsr__map2(w, up, tsr_box_array(x), scale)));
  y = tsr__map2(w, down, tsr_box_array(y), scale);
  return is_float || !tsr_ok(y) ? y : tsr_astype_at(w->where, tsr_box_array(y), dtype);
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
  return tsr_ok(half) ? tsr_astype_at(w->where, tsr_box_array(half), TSR_FLOAT32) : half;
}

/* Computed in float32: x plus 0.6 of a unit in the last place, rounded to float16, is the
 * neighbour, also below a power of 2, where the unit is half as large. 2^16 stands for infinity. */
tsr_array tsr__nextafter_half(const tsr_location *where, const tsr_operand *xs)
{
  tsr_steps w = tsr__steps_begin(where);
  const tsr_array x = half_of(&w, xs[0]), y = half_of(&w, xs[1]);
  const tsr_array from =
      tsr__map3(&w, TSR_OP_CLIP, tsr_box_array(x), tsr_box_int(-65536), tsr_box_int(65536));
  tsr_array step = tsr__map1(&w, TSR_OP_ABSOLUTE, tsr_box_array(from));
  step = tsr__map2(&w, TSR_OP_MAXIMUM, tsr_box_array(step), tsr_box_float(0x1p-24));
  step = tsr__map1(&w, TSR_OP_FREXP_EXPONENT, tsr_box_array(step));
  step = tsr__map2(&w, TSR_OP_SUBTRACT, tsr_box_array(step), tsr_box_int(11));
  step = tsr__map2(&w, TSR_OP_MAXIMUM, tsr_box_array(step), tsr_box_int(-24));
  step = tsr__map1(&w, TSR_OP_EXP2, tsr_box_array(step));
  step = tsr__map2(&w, TSR_OP_MULTIPLY, tsr_box_array(step), tsr_box_float(0.6));
  const tsr_array up = tsr__map2(&w, TSR_OP_ADD, tsr_box_array(from), tsr_box_array(step));
  const tsr_array down = tsr__map2(&w, TSR_OP_SUBTRACT, tsr_box_array(from), tsr_box_array(step));
  const tsr_array rises = tsr__map2(&w, TSR_OP_LESS, tsr_box_array(x), tsr_box_array(y));
  tsr_array z =
      tsr__map3(&w, TSR_OP_WHERE, tsr_box_array(rises), tsr_box_array(up), tsr_box_array(down));
  const tsr_array same = tsr__map2(&w, TSR_OP_EQUAL, tsr_box_array(x), tsr_box_array(y));
  z = tsr__map3(&w, TSR_OP_WHERE, tsr_box_array(same), tsr_box_array(x),
                tsr_box_array(z)); /* of two zeros NumPy returns x */
  const tsr_array none = tsr__map1(&w, TSR_OP_ISNAN, tsr_box_array(y));
  z = tsr__map3(&w, TSR_OP_WHERE, tsr_box_array(none), tsr_box_array(y), tsr_box_array(z));
  return tsr__steps_end(&w, tsr_ok(z) ? tsr_astype_at(where, tsr_box_array(z), TSR_FLOAT16) : z);
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
  if (tsr_ok(array)) mantissa = tsr__map1(&w, TSR_OP_FREXP_MANTISSA, tsr_box_array(array));
  if (tsr_ok(mantissa)) exponent = tsr__map1(&w, TSR_OP_FREXP_EXPONENT, tsr_box_array(array));
  if (tsr_ok(exponent)) exponent = tsr_astype_at(where, tsr_box_array(exponent), TSR_INT32);
  return pair_end(&w, out, mantissa, exponent);
}

tsr_array tsr_angle_at(const tsr_location *where, tsr_operand x)
{
  tsr_steps w = tsr__steps_begin(where);
  tsr_dtype dtype;
  tsr_array array = array_of(&w, x, &dtype);
  if (!tsr_ok(array)) return tsr__steps_end(&w, array);
  if (dtype == TSR_DTYPE_BOOL) array = tsr_astype_at(where, tsr_box_array(array), TSR_INT64);
  tsr_array imag = tsr__map1(&w, TSR_OP_IMAG, tsr_box_array(array));
  tsr_array real = tsr__map1(&w, TSR_OP_REAL, tsr_box_array(array));
  return tsr__steps_end(&w,
                        tsr__map2(&w, TSR_OP_ARCTAN2, tsr_box_array(imag), tsr_box_array(real)));
}

tsr_status tsr_modf_at(const tsr_location *where, tsr_array *out, tsr_operand x)
{
  tsr_steps w = pair_begin(where);
  tsr_dtype dtype;
  tsr_array array = check_out(&w, out) ? array_of(&w, x, &dtype) : tsr_null();
  if (tsr_ok(array) && !tsr__check_real(w.c, where, "modf", dtype, x)) array = tsr_null();
  if (tsr_ok(array) && tsr__dtype_info(dtype)->kind != TSR_KIND_FLOAT)
    array = tsr_astype_at(where, tsr_box_array(array), tsr__dtype_inexact(dtype));
  if (!tsr_ok(array)) return pair_end(&w, out, array, array);
  tsr_array whole = tsr__map1(&w, TSR_OP_TRUNC, tsr_box_array(array));
  tsr_array rest = tsr__map2(&w, TSR_OP_SUBTRACT, tsr_box_array(array), tsr_box_array(whole));
  tsr_array endless = tsr__map1(&w, TSR_OP_ISINF, tsr_box_array(array));
  rest = tsr__map3(&w, TSR_OP_WHERE, tsr_box_array(endless), tsr_box_int(0), tsr_box_array(rest));
  return pair_end(&w, out,
                  tsr__map2(&w, TSR_OP_COPYSIGN, tsr_box_array(rest), tsr_box_array(array)), whole);
}

/* The larger operand and the log of the sum over it, so that no power overflows. */
tsr_array tsr_logaddexp2_at(const tsr_location *where, tsr_operand x, tsr_operand y)
{
  const tsr_steps w = tsr__steps_begin(where);
  const tsr_operand log2_e = tsr_box_float(1.4426950408889634);
  tsr_operand xs[2] = {x, y};
  tsr_dtype compute, result;
  if (!tsr__op_dtypes(TSR_OP_LOGADDEXP, tsr_result_type_at(where, 2, xs), &compute, &result))
    return tsr__steps_end(&w, tsr__map2(&w, TSR_OP_LOGADDEXP, x, y)); /* says why */
  for (int k = 0; k < 2; k++)
    if (xs[k].kind == TSR_OPERAND_ARRAY ? tsr_ok(xs[k].as.array) : xs[k].kind != TSR_OPERAND_FLOAT)
      xs[k] = tsr_box_array(tsr_astype_at(where, xs[k], compute));
  const tsr_array low = tsr__map2(&w, TSR_OP_MINIMUM, xs[0], xs[1]);
  const tsr_array high = tsr__map2(&w, TSR_OP_MAXIMUM, xs[0], xs[1]);
  const tsr_array same =
      tsr__map2(&w, TSR_OP_EQUAL, tsr_box_array(low), tsr_box_array(high)); /* also infinities */
  tsr_array far = tsr__map2(&w, TSR_OP_SUBTRACT, tsr_box_array(low), tsr_box_array(high));
  far = tsr__step_where(&w, same, tsr_box_float(0), tsr_box_array(far));
  far = tsr__map1(&w, TSR_OP_LOG1P, tsr_box_array(tsr__map1(&w, TSR_OP_EXP2, tsr_box_array(far))));
  far = tsr__map2(&w, TSR_OP_MULTIPLY, tsr_box_array(far), log2_e);
  const tsr_array made = tsr__map2(&w, TSR_OP_ADD, tsr_box_array(high), tsr_box_array(far));
  return tsr__steps_end(&w,
                        tsr_ok(made) ? tsr_astype_at(where, tsr_box_array(made), result) : made);
}

tsr_array tsr_float_power_at(const tsr_location *where, tsr_operand x, tsr_operand y)
{
  const tsr_steps w = tsr__steps_begin(where);
  tsr_operand xs[2] = {x, y};
  for (int k = 0; k < 2; k++) {
    tsr_dtype dtype;
    const tsr_array array = array_of(&w, xs[k], &dtype);
    if (!tsr_ok(array)) return tsr__steps_end(&w, array);
    const bool is_complex = tsr__dtype_is_complex(dtype);
    xs[k] = tsr_box_array(
        tsr_astype_at(where, tsr_box_array(array), is_complex ? TSR_COMPLEX128 : TSR_FLOAT64));
  }
  return tsr__steps_end(&w, tsr__map2(&w, TSR_OP_POWER, xs[0], xs[1]));
}
