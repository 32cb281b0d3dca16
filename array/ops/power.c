/* Powers by a small whole number are products: faster than the function of two operands, and the
 * square is rounded once. NumPy has products for the exponent 2. */
#include "array/core/array_int.h"

#include "array/core/scalar.h"
#include "array/ops/step_ops.h"

/* Returns how many factors x**y has, 2 to 4, of integers up to 16, or 0 if it stays a power. Bools
 * have no products. */
static int n_factors(const tsr_value *x, const tsr_value *y, tsr_dtype compute)
{
  enum { MOST_FLOAT = 4, MOST_WHOLE = 16 };
  const tsr_operand e = y->scalar;
  const bool is_real =
      e.kind == TSR_OPERAND_INT || e.kind == TSR_OPERAND_UINT || e.kind == TSR_OPERAND_FLOAT;
  if (!x->region || y->region || !is_real || tsr__dtype_kind(compute) == TSR_KIND_BOOL) return 0;
  if (x->dtype == TSR_DTYPE_BOOL) return 0;
  const double f = tsr__double_of(e);
  const int most = tsr__dtype_is_inexact(compute) ? MOST_FLOAT : MOST_WHOLE;
  return f >= 2 && f <= most && f == (int)f ? (int)f : 0;
}

int tsr__power_factors(const tsr_value *values)
{
  tsr_dtype compute, result;
  if (!tsr__op_dtypes(TSR_OP_POWER, tsr__promote(2, values), &compute, &result)) return 0;
  return n_factors(&values[0], &values[1], compute);
}

/* Squares of products of half as many factors. */
static tsr_array product_of(const tsr_steps *s, tsr_operand x, int n)
{
  if (n <= 3) return tsr__map_at(s->where, TSR_OP_MULTIPLY, n, (const tsr_operand[]){x, x, x});
  const tsr_operand half = tsr_box_array(product_of(s, x, n % 2 ? n - 1 : n / 2));
  return tsr__map2(s, TSR_OP_MULTIPLY, half, n % 2 ? x : half);
}

tsr_array tsr__power_product(const tsr_location *where, const tsr_operand *xs,
                             const tsr_value *values, int n)
{
  const tsr_steps s = tsr__steps_begin(where);
  const tsr_dtype dtype = tsr__promote(2, values);
  const tsr_operand x =
      values[0].dtype == dtype ? xs[0] : tsr_box_array(tsr_astype_at(where, xs[0], dtype));
  return tsr__steps_end(&s, product_of(&s, x, n));
}
