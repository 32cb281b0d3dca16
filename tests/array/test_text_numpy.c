/* Text means what NumPy means by it: places and names of arguments. */
#include "array_test.h"

#include <math.h>

TestSuite(text_numpy, .init = begin, .fini = end);

#define EXPECT_SAME(text, expected, ...)                                                           \
  cr_expect(same_array(tsr_eval(text, __VA_ARGS__), expected), "%s: %s", text, tsr_last_error())

static bool same_array(tsr_array x, tsr_array y)
{
  return tsr_ok(x) && tsr_dtype_of(x) == tsr_dtype_of(y) && tsr_array_equal(x, y);
}

static tsr_array matrix(void)
{
  return tsr_reshape(tsr_multiply(tsr_arange(0.0, 6, 1), tsr_arange(0.0, 6, 1)), TSR_SHAPE(2, 3));
}

Test(text_numpy, places_of_arguments)
{
  tsr_array m = matrix(); /* 0 1 4, 9 16 25 */
  EXPECT_SAME("diff(m, 1)", tsr_diff(m, 1, -1), m);
  EXPECT_SAME("diff(m, 2)", tsr_diff(m, 2, -1), m);
  EXPECT_SAME("diff(m, n=1, axis=0)", tsr_diff(m, 1, 0), m);
  EXPECT_SAME("diff(m, 0)", m, m);
  EXPECT_SAME("norm(m[0], 0)", tsr_norm(tsr_slice(m, "0"), TSR_ORD(0)), m);
  EXPECT_SAME("norm(m, 1)", tsr_norm(m, TSR_ORD(1)), m);
  EXPECT_SAME("np.linalg.norm(m, None, 0)", tsr_norm(m, TSR_AXES(0)), m);
  EXPECT_SAME("norm(m, ord=-inf, axis=1, keepdims=True)",
              tsr_norm(m, TSR_ORD(-INFINITY), TSR_AXES(1), TSR_KEEPDIMS), m);
  EXPECT_SAME("linalg.norm(m, inf, (0, 1))", tsr_norm(m, TSR_ORD(INFINITY)), m);
  EXPECT_SAME("trapezoid(m, None, 0.5, 0)", tsr_trapezoid(m, 0.5, 0), m);
  EXPECT_SAME("trapezoid(m, dx=2)", tsr_trapezoid(m, 2, -1), m);
  EXPECT_SAME("trapezoid(m, x=m[0])", tsr_trapezoid(m, tsr_slice(m, "0"), -1), m);
  EXPECT_SAME("trapezoid(m, m[0], 7)", tsr_trapezoid(m, tsr_slice(m, "0"), -1), m);
  EXPECT_SAME("sum(m, 0, float32)", tsr_sum(tsr_astype(m, TSR_FLOAT32), TSR_AXES(0)), m);
  EXPECT_SAME("m.mean(1, None, None, True)", tsr_mean(m, TSR_AXES(1), TSR_KEEPDIMS), m);
  EXPECT_SAME("std(m, 0, None, None, 1)", tsr_std(m, TSR_AXES(0), TSR_DDOF(1)), m);
  EXPECT_SAME("var(m, ddof=0.5)", tsr_var(m, TSR_DDOF(0.5)), m);
  EXPECT_SAME("var(m, dtype=float32)", tsr_var(tsr_astype(m, TSR_FLOAT32)), m);
  EXPECT_SAME("max(m, 1, None, True)", tsr_max(m, TSR_AXES(1), TSR_KEEPDIMS), m);
  EXPECT_SAME("cumsum(m, 1, dtype=float32)", tsr_astype(tsr_cumsum(m, 1), TSR_FLOAT32), m);
  EXPECT_SAME("quantile(m, 0.5, 0, None, False, 'linear', True)",
              tsr_quantile(m, 0.5, TSR_AXES(0), TSR_KEEPDIMS), m);
  EXPECT_SAME("average(m, 0, m, False, keepdims=True)",
              tsr_average(m, m, TSR_AXES(0), TSR_KEEPDIMS), m);
  EXPECT_SAME("angle(-m, True)", tsr_rad2deg(tsr_angle(tsr_negative(m))), m);
  EXPECT_SAME("ravel(m, order='C')", tsr_ravel(m), m);
  EXPECT_SAME("m.reshape((3, 2), order='C')", tsr_reshape(m, TSR_SHAPE(3, 2)), m);
  EXPECT_SAME("zeros_like(m, None, 'K', True)", tsr_zeros_like(m), m);
  cr_expect(same_array(tsr_eval("ones((2), None) + arange(stop=2)"), tsr_arange(1.0, 3, 1)));
}

Test(text_numpy, joining_without_an_axis_flattens)
{
  tsr_array m = matrix(), both = tsr_concatenate(TSR_ARRAYS(tsr_ravel(m), tsr_ravel(m)), 0);
  EXPECT_SAME("concatenate([m, m], axis=None)", both, m);
  EXPECT_SAME("concat((m, m.reshape(3, 2)), None)", both, m);
  EXPECT_SAME("concatenate([m, m])", tsr_concatenate(TSR_ARRAYS(m, m), 0), m);
  cr_expect_not(tsr_ok(tsr_eval("stack([m, m], axis=None)", m)));
  EXPECT_ERROR(TSR_ERR_SYNTAX, "`None` is not taken here");
}

Test(text_numpy, bounds_of_clip)
{
  tsr_array m = matrix();
  EXPECT_SAME("clip(m, 1, 9)", tsr_clip(m, 1, 9), m);
  EXPECT_SAME("clip(m, a_min=1, a_max=9)", tsr_clip(m, 1, 9), m);
  EXPECT_SAME("clip(m, min=1, max=9)", tsr_clip(m, 1, 9), m);
  EXPECT_SAME("m.clip(1, 9)", tsr_clip(m, 1, 9), m);
  EXPECT_SAME("m.clip(max=9, min=1)", tsr_clip(m, 1, 9), m);
  EXPECT_SAME("clip(m, None, 9)", tsr_minimum(m, 9), m);
  EXPECT_SAME("clip(m, 1, None)", tsr_maximum(m, 1), m);
  EXPECT_SAME("m.clip(1)", tsr_maximum(m, 1), m);
  EXPECT_SAME("clip(m, max=m[0])", tsr_minimum(m, tsr_slice(m, "0")), m);
  EXPECT_SAME("clip(m)", m, m);
}

Test(text_numpy, arguments_that_are_refused)
{
  tsr_array m = matrix();
  cr_expect_not(tsr_ok(tsr_eval("trapezoid(m, 2)", m)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "an array is wanted here", "dx= is the distance");
  cr_expect_not(tsr_ok(tsr_eval("arange()")));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "arange needs the number it stops at");
  cr_expect_not(tsr_ok(tsr_eval("size(m, 2)", m)));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 2 is out of range for an array of 2 axes");
  cr_expect_not(tsr_ok(tsr_eval("norm(m, ord=m)", m)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a number is wanted here");
}

Test(text_numpy, sizes_are_numbers)
{
  tsr_array m = matrix();
  const int axis = 1;
  EXPECT_VALUES(tsr_eval("m.size + 10*m.ndim + 100*m.T.shape[0]", m), TSR_SHAPE(), 326);
  EXPECT_VALUES(tsr_eval("size(m) + 10*np.ndim(m[0]) + 100*size(m, -2)", m), TSR_SHAPE(), 216);
  EXPECT_SAME("zeros((m.shape[axis], m.shape[-2]))", tsr_zeros(TSR_SHAPE(3, 2)), m, axis);
  EXPECT_SAME("m[m.shape[0] - 1, :m.ndim]", tsr_slice(m, "1, :2"), m);
  cr_expect_eq(tsr_dtype_of(tsr_eval("m.sum() / m.size", m)), TSR_FLOAT64);
  EXPECT_VALUES(tsr_eval("ndim(3) + size(2.5)"), TSR_SHAPE(), 1);
  cr_expect_not(tsr_ok(tsr_eval("m + m.shape[2]", m)));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 2 is out of range for an array of 2 axes", "tsr_size");
  tsr_array none = tsr_null();
  cr_expect_not(tsr_ok(tsr_eval("m + none.size", m, none)));
}
