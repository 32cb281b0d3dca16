/* The greatest common divisor and the least common multiple, by Euclid's algorithm: of all elements
 * as many steps as the largest numbers of their dtype need, those of Fibonacci. */
#include "array/core/steps.h"

static bool is_null(tsr_operand x)
{
  return x.kind == TSR_OPERAND_ARRAY && !tsr_ok(x.as.array);
}

/* The sizes of whole numbers, as unsigned numbers. */
static tsr_array size_of(const tsr_steps *w, tsr_operand x, tsr_dtype dtype, tsr_dtype unsigned_)
{
  tsr_scalar value;
  if (x.kind != TSR_OPERAND_ARRAY && !tsr__scalar_as(w->c, w->where, x, dtype, &value))
    return tsr_null();
  const tsr_operand cast = tsr_box_array(tsr_astype_at(w->where, x, dtype));
  const tsr_array size = tsr__map1(w, TSR_OP_ABSOLUTE, cast);
  return tsr_ok(size) ? tsr_astype_at(w->where, tsr_box_array(size), unsigned_) : size;
}

static tsr_array divisor_of(const tsr_steps *w, tsr_array a, tsr_array b, int bits)
{
  const double bits_a_step = 0.694; /* log2 of the golden ratio */
  for (int k = 0; k < (int)(bits / bits_a_step) + 2 && tsr_ok(b); k++) {
    const tsr_array is_done = tsr__map2(w, TSR_OP_EQUAL, tsr_box_array(b), tsr_box_int(0));
    const tsr_array by = tsr__map2(w, TSR_OP_MAXIMUM, tsr_box_array(b), tsr_box_int(1));
    const tsr_array rest = tsr__map2(w, TSR_OP_REMAINDER, tsr_box_array(a), tsr_box_array(by));
    a = tsr__step_where(w, is_done, tsr_box_array(a), tsr_box_array(b));
    b = tsr__step_where(w, is_done, tsr_box_int(0), tsr_box_array(rest));
  }
  return tsr_ok(b) ? a : b;
}

static tsr_array divisor(const tsr_location *where, tsr_operand x, tsr_operand y, bool is_multiple)
{
  static const tsr_dtype by_size[] = {
      [1] = TSR_UINT8, [2] = TSR_UINT16, [4] = TSR_UINT32, [8] = TSR_UINT64};
  const tsr_operand given[2] = {x, y};
  const tsr_steps w = tsr__steps_begin(where);
  if (is_null(x) || is_null(y)) return tsr__steps_end(&w, tsr_null());
  const tsr_dtype dtype = tsr_result_type_at(where, 2, given);
  if (!tsr__dtype_is_integer(dtype)) {
    tsr__fail_on(
        w.c, where, TSR_ERR_DTYPE, 2, given, "tsr_astype(x, TSR_INT64) makes whole numbers",
        "operands of %s; divisors are those of whole numbers", tsr__dtype_info(dtype)->name);
    return tsr__steps_end(&w, tsr_null());
  }
  const size_t size = tsr__dtype_size(dtype);
  const tsr_array a = size_of(&w, x, dtype, by_size[size]);
  const tsr_array b = tsr_ok(a) ? size_of(&w, y, dtype, by_size[size]) : a;
  tsr_array made = divisor_of(&w, a, b, 8 * (int)size);
  if (is_multiple && tsr_ok(made)) {
    made = tsr__map2(&w, TSR_OP_MAXIMUM, tsr_box_array(made), tsr_box_int(1));
    made = tsr__map2(&w, TSR_OP_FLOOR_DIVIDE, tsr_box_array(a), tsr_box_array(made));
    made = tsr__map2(&w, TSR_OP_MULTIPLY, tsr_box_array(made), tsr_box_array(b));
  }
  return tsr__steps_end(&w, tsr_ok(made) ? tsr_astype_at(where, tsr_box_array(made), dtype) : made);
}

tsr_array tsr_gcd_at(const tsr_location *where, tsr_operand x, tsr_operand y)
{
  return divisor(where, x, y, false);
}

tsr_array tsr_lcm_at(const tsr_location *where, tsr_operand x, tsr_operand y)
{
  return divisor(where, x, y, true);
}
