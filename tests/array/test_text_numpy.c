/* Text means what NumPy means by it: places and names of arguments. */
#include "array_test.h"

#include <math.h>

#include "array/text/cache.h"

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
  /* a bound beyond the dtype's numbers is none, and no error but on the wrong side */
  const int8_t signs[] = {-128, -3, 5, 127};
  const uint8_t bytes[] = {0, 3, 200, 255};
  const tsr_array p = tsr_from_host(signs, TSR_INT8, TSR_SHAPE(4));
  const tsr_array q = tsr_from_host(bytes, TSR_UINT8, TSR_SHAPE(4));
  const struct {
    const char *text;
    tsr_array x;
    double values[4];
  } cases[] = {
      {"a.clip(-200, 5)", p, {-128, -3, 5, 5}},     {"a.clip(-1)", q, {0, 3, 200, 255}},
      {"a.clip(0, 300)", p, {0, 0, 5, 127}},        {"a.clip(max=300)", p, {-128, -3, 5, 127}},
      {"a.clip(-200, 300)", p, {-128, -3, 5, 127}}, {"a.clip(-1, 256)", q, {0, 3, 200, 255}},
      {"clip(a, -200, 5)", p, {-128, -3, 5, 5}},    {"a.clip(-1, 4)", q, {0, 3, 4, 4}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const tsr_array a = cases[i].x, made = tsr_eval(cases[i].text, a);
    cr_expect_eq(tsr_dtype_of(made), tsr_dtype_of(a), "%s", cases[i].text);
    expect_values(made, TSR_SHAPE(4), cases[i].values);
  }
  EXPECT_VALUES(tsr_clip(p, -200, 5), TSR_SHAPE(4), -128, -3, 5, 5);
  EXPECT_VALUES(tsr_clip(q, -1, 256), TSR_SHAPE(4), 0, 3, 200, 255);
  cr_expect_not(tsr_ok(tsr_clip(p, 300, 400)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the integer 300 is out of bounds for int8", "`tsr_clip`");
  cr_expect_not(tsr_ok(tsr_eval("p.clip(300)", p)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the integer 300 is out of bounds for int8");
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

/* Bools have no power of their own: they count as integers. */
Test(text_numpy, powers_of_bools_and_small_integers)
{
  tsr_array x = tsr_arange(0, 3, 1, TSR_UINT8), mask = tsr_less(0, x);
  EXPECT_SAME("mask**2", tsr_astype(mask, TSR_INT8), mask);
  EXPECT_SAME("mask**3", tsr_astype(mask, TSR_INT64), mask);
  EXPECT_SAME("mask**2.0", tsr_astype(mask, TSR_FLOAT64), mask);
  EXPECT_SAME("mask**0.5", tsr_astype(mask, TSR_FLOAT64), mask);
  EXPECT_SAME("(mask + 1)**-1.0", tsr_divide(1.0, tsr_add(tsr_astype(mask, TSR_INT64), 1)), mask);
  EXPECT_SAME("mask**0 + mask**mask", tsr_full(TSR_SHAPE(3), 2, TSR_INT64), mask);
  EXPECT_SAME("2**mask", tsr_add(tsr_astype(mask, TSR_INT64), 1), mask);
  EXPECT_SAME("x**0.5", tsr_sqrt(tsr_astype(x, TSR_FLOAT64)), x);
  EXPECT_SAME("x**2", tsr_square(x), x);
  cr_expect_not(tsr_ok(tsr_eval("mask**-1", mask)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "integers to negative integer powers are not allowed");
}

/* Integers beyond the dtype of the arrays: their low bits, as of an array. */
Test(text_numpy, integers_in_where)
{
  tsr_array u8 = tsr_full(TSR_SHAPE(2), 7, TSR_UINT8), i8 = tsr_astype(u8, TSR_INT8);
  tsr_array u64 = tsr_astype(u8, TSR_UINT64), i64 = tsr_astype(u8, TSR_INT64);
  tsr_array c = tsr_less(tsr_arange(0, 2, 1), 1);
  EXPECT_SAME("where(c, u8, -1)", tsr_where(c, u8, tsr_full(TSR_SHAPE(), 255, TSR_UINT8)), c, u8);
  EXPECT_SAME("where(c, 300, u8)", tsr_where(c, tsr_full(TSR_SHAPE(), 44, TSR_UINT8), u8), c, u8);
  EXPECT_SAME("where(c, i8, 200)", tsr_where(c, i8, tsr_full(TSR_SHAPE(), -56, TSR_INT8)), c, i8);
  cr_expect(same_array(tsr_where(c, u8, -1), tsr_eval("where(c, u8, 255)", c, u8)));
  EXPECT_SAME("where(c, u64, -1)", tsr_where(c, u64, UINT64_MAX), c, u64);
  EXPECT_SAME("where(c, i64, 2**63)", tsr_where(c, i64, INT64_MIN), c, i64);
  cr_expect_eq(tsr_dtype_of(tsr_eval("where(c, u8, -1.5)", c, u8)), TSR_FLOAT64);
  cr_expect_eq(tsr_dtype_of(tsr_eval("where(c, c, -1)", c)), TSR_INT64);
}

Test(text_numpy, products_in_place)
{
  tsr_array x = tsr_reshape(tsr_arange(1.0, 5, 1), TSR_SHAPE(2, 2));
  tsr_array y = tsr_multiply(tsr_eye(2), 2.0), v = tsr_arange(0.0, 2, 1);
  tsr_array i = tsr_astype(x, TSR_INT64), f = tsr_astype(x, TSR_FLOAT32);
  cr_expect_eq(tsr_exec("x @= y; x[0] @= x; i @= i; v @= y; f @= y", x, y, i, v, f), TSR_OK);
  EXPECT_VALUES(x, TSR_SHAPE(2, 2), 28, 40, 6, 8);
  EXPECT_VALUES(i, TSR_SHAPE(2, 2), 7, 10, 15, 22);
  EXPECT_VALUES(v, TSR_SHAPE(2), 0, 2);
  EXPECT_VALUES(f, TSR_SHAPE(2, 2), 2, 4, 6, 8);
  cr_expect_eq(tsr_exec("x @= v", x, v), TSR_ERR_SHAPE);
  EXPECT_ERROR(TSR_ERR_SHAPE, "the product is (2,), and the target (2, 2)", "tsr_matmul",
               "`z = x @ y` gives the product to an array of its shape");
  cr_expect_eq(tsr_exec("v @= v", v), TSR_ERR_SHAPE);
  EXPECT_ERROR(TSR_ERR_SHAPE, "the product is (), and the target (2,)");
  cr_expect_eq(tsr_exec("i @= y", i, y), TSR_ERR_CAST);
  EXPECT_ERROR(TSR_ERR_CAST, "cannot store float64 in an array of int64");
  cr_expect_eq(tsr_exec("x @= 2", x), TSR_ERR_SHAPE);
  EXPECT_ERROR(TSR_ERR_SHAPE, "tsr_matmul");
  EXPECT_VALUES(x, TSR_SHAPE(2, 2), 28, 40, 6, 8);
  EXPECT_VALUES(v, TSR_SHAPE(2), 0, 2);
  EXPECT_VALUES(i, TSR_SHAPE(2, 2), 7, 10, 15, 22);
  tsr_array none = tsr_null();
  cr_expect_eq(tsr_exec("x @= none", x, none), TSR_ERR_HANDLE);
}

Test(text_numpy, brackets_around_targets)
{
  tsr_array x = tsr_arange(-3, 3, 1), q = tsr_zeros(TSR_SHAPE(6)), r = tsr_zeros(TSR_SHAPE(6));
  cr_expect_eq(tsr_exec("(q, r) = divmod(x, 2); [q[:1], r[1:2]] = modf(x[:1] / 2)", q, r, x),
               TSR_OK);
  EXPECT_VALUES(q, TSR_SHAPE(6), -0.5, -1, -1, 0, 0, 1);
  EXPECT_VALUES(r, TSR_SHAPE(6), 1, -1, 1, 0, 1, 0);
}

/* What each operation of a text quotes is bounded, and its pieces stay pieces. */
Test(text_numpy, long_chains_are_quoted_in_part)
{
  enum { N = 16000 };
  char *text = calloc(1, 8 * N);
  strcpy(text, "u");
  for (int i = 0; i < N; i++) memcpy(text + 1 + 5 * (size_t)i, "[...]", 5);
  const tsr_location where = {.op = "tsr_eval", .args = "u"};
  struct tsr_scripts *scripts = NULL;
  tsr_text_error error;
  const tsr_parsed *p = tsr__text_find(&scripts, &where, text, false, 1, &error);
  cr_assert(p != NULL);
  cr_assert_eq(p->script->n_nodes, N + 1);
  size_t most = 0;
  for (int i = 0; i <= N; i++) {
    const size_t n = strlen(p->locations[i].args);
    most = n > most ? n : most;
  }
  cr_expect_lt(most, 300);
  cr_expect_gt(most, 150);
  tsr__scripts_destroy(scripts);
  tsr_array u = tsr_arange(0, 3, 1);
  EXPECT_VALUES(tsr_eval(text, u), TSR_SHAPE(3), 0, 1, 2);
  strcpy(text, "concatenate([u");
  for (int i = 0; i < 15; i++) strcat(text, ", (u + 1) * 2 - 3");
  strcat(text, "]) + $2");
  (void)tsr_ok(tsr_eval(text, u, tsr_zeros(TSR_SHAPE(5))));
  EXPECT_ERROR(TSR_ERR_BROADCAST, "a: (48,) float64", "$2: (5,) float64");
  free(text);
}

Test(text_numpy, other_names_of_dtypes)
{
  tsr_array x = tsr_arange(0, 3, 1);
  EXPECT_SAME("np.single(x)", tsr_astype(x, TSR_FLOAT32), x);
  EXPECT_SAME("x.astype(np.ubyte)", tsr_astype(x, TSR_UINT8), x);
  EXPECT_SAME("x.astype(dtype=intp, copy=False)", tsr_astype(x, TSR_INT64), x);
  EXPECT_SAME("astype(x, half)", tsr_astype(x, TSR_FLOAT16), x);
}

/* An assignment writes the array that the name has; it makes no other array of that name. */
Test(text_numpy, assignments_fill)
{
  tsr_array u = tsr_arange(0.0, 4, 1), v = u, w = tsr_arange(0.0, 4, 1);
  cr_expect_eq(tsr_exec("u = u.mean(); w[...] = w.mean()", u, w), TSR_OK);
  EXPECT_VALUES(v, TSR_SHAPE(4), 1.5, 1.5, 1.5, 1.5);
  EXPECT_VALUES(w, TSR_SHAPE(4), 1.5, 1.5, 1.5, 1.5);
}
