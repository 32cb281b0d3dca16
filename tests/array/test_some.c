/* Reductions of what a mask chooses, and those that begin with a value: NumPy's where= and
 * initial=, as options in C and as parameters in the text language. */
#include "array_test.h"

#include <math.h>

TestSuite(some, .init = begin, .fini = end);

static tsr_array grid(void) /* [[3, 0, -1], [4, 2, 7]] */
{
  static const double data[] = {3, 0, -1, 4, 2, 7};
  return tsr_from_host(data, TSR_FLOAT64, TSR_SHAPE(2, 3));
}

static tsr_array mask(void) /* [[1, 0, 0], [1, 0, 1]] */
{
  static const bool data[] = {true, false, false, true, false, true};
  return tsr_from_host(data, TSR_BOOL, TSR_SHAPE(2, 3));
}

Test(some, sums_and_products)
{
  tsr_array x = grid(), m = mask();
  EXPECT_VALUES(tsr_sum(x, TSR_WHERE(m)), TSR_SHAPE(), 14);
  EXPECT_VALUES(tsr_sum(x, 0, TSR_WHERE(m)), TSR_SHAPE(3), 7, 0, 7);
  EXPECT_VALUES(tsr_sum(x, TSR_KEEPDIMS, TSR_WHERE(m), TSR_AXES(1)), TSR_SHAPE(2, 1), 3, 11);
  EXPECT_VALUES(tsr_prod(x, 0, TSR_WHERE(m)), TSR_SHAPE(3), 12, 1, 7);
  EXPECT_VALUES(tsr_sum(x, TSR_INITIAL(100)), TSR_SHAPE(), 115);
  EXPECT_VALUES(tsr_prod(x, 1, TSR_WHERE(m), TSR_INITIAL(10)), TSR_SHAPE(2), 30, 280);
  EXPECT_VALUES(tsr_sum(x, 1, TSR_INITIAL(tsr_max(x, 1))), TSR_SHAPE(2), 5, 20);
  EXPECT_VALUES(tsr_sum(x, TSR_WHERE(true)), TSR_SHAPE(), 15);
  EXPECT_VALUES(tsr_sum(x, TSR_WHERE(false)), TSR_SHAPE(), 0);
  EXPECT_VALUES(tsr_sum(x, TSR_WHERE(tsr_eval("x[0]", x))), TSR_SHAPE(),
                13); /* 3 and -1, 4 and 7 */
  cr_expect_eq(tsr_dtype_of(tsr_sum(tsr_astype(x, TSR_INT32), TSR_WHERE(m))), TSR_INT64);
  cr_expect_eq(tsr_dtype_of(tsr_sum(tsr_astype(x, TSR_FLOAT32), TSR_INITIAL(1.5))), TSR_FLOAT32);
}

Test(some, extremes)
{
  tsr_array x = grid(), m = mask();
  EXPECT_VALUES(tsr_max(x, 0, TSR_WHERE(m), TSR_INITIAL(-5)), TSR_SHAPE(3), 4, -5, 7);
  EXPECT_VALUES(tsr_min(x, 0, TSR_WHERE(m), TSR_INITIAL(5)), TSR_SHAPE(3), 3, 5, 5);
  EXPECT_VALUES(tsr_min(x, TSR_INITIAL(-9)), TSR_SHAPE(), -9);
  EXPECT_VALUES(tsr_max(tsr_zeros(TSR_SHAPE(0, 2)), 0, TSR_INITIAL(8)), TSR_SHAPE(2), 8, 8);
  EXPECT_VALUES(tsr_min(tsr_zeros(TSR_SHAPE(0)), TSR_INITIAL(2)), TSR_SHAPE(), 2);
  cr_expect_eq(tsr_dtype_of(tsr_max(tsr_astype(x, TSR_INT32), TSR_INITIAL(2))), TSR_INT32);
  tsr_array y = tsr_where(m, x, (double)NAN);
  EXPECT_VALUES(tsr_nanmax(y, 0, TSR_INITIAL(5)), TSR_SHAPE(3), 5, 5, 7);
  EXPECT_VALUES(tsr_nanmin(y, TSR_WHERE(tsr_greater(x, 3)), TSR_INITIAL(9)), TSR_SHAPE(), 4);
  EXPECT_VALUES(tsr_max(y, TSR_INITIAL(5)), TSR_SHAPE(), NAN);
}

Test(some, truth)
{
  tsr_array x = grid(), m = mask();
  EXPECT_VALUES(tsr_any(x, 0, TSR_WHERE(m)), TSR_SHAPE(3), 1, 0, 1);
  EXPECT_VALUES(tsr_all(x, 0, TSR_WHERE(m)), TSR_SHAPE(3), 1, 1, 1);
  EXPECT_VALUES(tsr_all(x, 0, TSR_WHERE(tsr_logical_not(m))), TSR_SHAPE(3), 1, 0, 1);
}

Test(some, moments)
{
  tsr_array x = grid(), m = mask();
  EXPECT_VALUES(tsr_mean(x, TSR_WHERE(m)), TSR_SHAPE(), 14.0 / 3);
  EXPECT_VALUES(tsr_mean(x, 0, TSR_WHERE(m)), TSR_SHAPE(3), 3.5, NAN, 7);
  EXPECT_VALUES(tsr_var(x, 1, TSR_WHERE(m)), TSR_SHAPE(2), 0, 2.25);
  EXPECT_VALUES(tsr_std(x, 1, TSR_WHERE(m), TSR_KEEPDIMS), TSR_SHAPE(2, 1), 0, 1.5);
  EXPECT_VALUES(tsr_var(x, 1, TSR_WHERE(m), TSR_DDOF(1)), TSR_SHAPE(2), NAN, 4.5);
  EXPECT_VALUES(tsr_var(x, 1, TSR_WHERE(m), TSR_DDOF(2)), TSR_SHAPE(2), NAN, INFINITY);
  tsr_array y = tsr_where(m, x, (double)NAN);
  EXPECT_VALUES(tsr_nanmean(y, TSR_WHERE(tsr_less(x, 5))), TSR_SHAPE(), 3.5);
  EXPECT_VALUES(tsr_nanvar(y, TSR_WHERE(tsr_less(x, 5))), TSR_SHAPE(), 0.25);
  EXPECT_VALUES(tsr_nansum(y, 0, TSR_WHERE(tsr_less(x, 5)), TSR_INITIAL(1)), TSR_SHAPE(3), 8, 1, 1);
  EXPECT_VALUES(tsr_nanprod(y, 1, TSR_WHERE(tsr_less(x, 5))), TSR_SHAPE(2), 3, 4);
  tsr_array whole = tsr_astype(x, TSR_INT64);
  EXPECT_VALUES(tsr_nanmean(whole, TSR_WHERE(m)), TSR_SHAPE(), 14.0 / 3);
  EXPECT_VALUES(tsr_nanstd(whole, 1, TSR_WHERE(m)), TSR_SHAPE(2), 0, 1.5);
}

Test(some, in_text)
{
  tsr_array x = grid(), m = mask();
  EXPECT_VALUES(tsr_eval("sum(x, where=m, initial=2)", x, m), TSR_SHAPE(), 16);
  EXPECT_VALUES(tsr_eval("x.max(0, where=m, initial=-5)", x, m), TSR_SHAPE(3), 4, -5, 7);
  EXPECT_VALUES(tsr_eval("mean(x, axis=1, where=x > 2)", x), TSR_SHAPE(2), 3, 5.5);
  EXPECT_VALUES(tsr_eval("min(x, where=True)", x), TSR_SHAPE(), -1);
  EXPECT_VALUES(tsr_eval("std(x, 1, where=m, ddof=0)", x, m), TSR_SHAPE(2), 0, 1.5);
  EXPECT_VALUES(tsr_eval("any(x, where=x > 9)", x), TSR_SHAPE(), 0);
}

Test(some, errors)
{
  tsr_array x = grid(), m = mask();
  cr_expect_not(tsr_ok(tsr_max(x, TSR_WHERE(m))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "needs an initial value", "add TSR_INITIAL(value)");
  cr_expect_not(tsr_ok(tsr_argmax(x, TSR_WHERE(m))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_WHERE is no option of this call",
               "TSR_AXES and TSR_KEEPDIMS");
  cr_expect_not(tsr_ok(tsr_max(x, 1, TSR_WHERE(m), TSR_INITIAL(tsr_max(x, 1)))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "is one value, not an array of 1 axes", "tsr_maximum");
  const tsr_array bytes = tsr_astype(tsr_absolute(x), TSR_UINT8);
  const double none[] = {NAN, INFINITY, -INFINITY};
  cr_expect_not(tsr_ok(tsr_max(bytes, TSR_INITIAL(1000))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the integer 1000 is out of bounds for uint8");
  for (int i = 0; i < 3; i++) {
    cr_expect_not(tsr_ok(tsr_max(bytes, TSR_INITIAL(none[i]))));
    EXPECT_ERROR(TSR_ERR_ARGUMENT, "the initial value, ", "is no value of uint8");
    cr_expect_not(tsr_ok(tsr_sum(bytes, TSR_INITIAL(none[i]))));
    EXPECT_ERROR(TSR_ERR_ARGUMENT, "is no value of uint64");
  }
  cr_expect_not(tsr_ok(tsr_any(x, TSR_INITIAL(1))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_INITIAL is no option",
               "TSR_AXES, TSR_KEEPDIMS and TSR_WHERE");
  cr_expect_not(tsr_ok(tsr_sum(x, TSR_WHERE(tsr_ones(TSR_SHAPE(4, 3))))));
  EXPECT_ERROR(TSR_ERR_BROADCAST, "(4, 3)");
  cr_expect_not(tsr_ok(tsr_sum(x, 5, TSR_WHERE(m))));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 5");
  cr_expect_not(tsr_ok(tsr_max(x, 5, TSR_INITIAL(1))));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 5");
  EXPECT_VALUES(x, TSR_SHAPE(2, 3), 3, 0, -1, 4, 2, 7);
}
