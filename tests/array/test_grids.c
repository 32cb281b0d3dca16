/* Arrays that are functions of their indices: values as NumPy's, errors, and that they take no
 * memory where they are used. */
#include "array_test.h"

#include <complex.h>
#include <math.h>

TestSuite(grids, .init = begin, .fini = end);

Test(grids, like)
{
  tsr_array x = tsr_ones(TSR_SHAPE(2, 2), TSR_INT32);
  cr_expect_eq(tsr_dtype_of(tsr_zeros_like(x)), TSR_INT32);
  EXPECT_VALUES(tsr_zeros_like(x), TSR_SHAPE(2, 2), 0, 0, 0, 0);
  EXPECT_VALUES(tsr_ones_like(x, TSR_FLOAT32), TSR_SHAPE(2, 2), 1, 1, 1, 1);
  cr_expect_eq(tsr_dtype_of(tsr_ones_like(x, TSR_FLOAT32)), TSR_FLOAT32);
  EXPECT_VALUES(tsr_full_like(x, 2.75), TSR_SHAPE(2, 2), 2, 2, 2, 2);
  EXPECT_VALUES(tsr_full_like(x, 2.75, TSR_FLOAT64), TSR_SHAPE(2, 2), 2.75, 2.75, 2.75, 2.75);
  EXPECT_VALUES(tsr_empty_like(4.5), TSR_SHAPE(), 0);
  cr_expect_not(tsr_ok(tsr_full_like(x, (int64_t)1 << 40)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the integer 1099511627776 is out of bounds for int32");
}

Test(grids, spaces)
{
  EXPECT_VALUES(tsr_linspace(0, 1, 5), TSR_SHAPE(5), 0, 0.25, 0.5, 0.75, 1);
  EXPECT_VALUES(tsr_linspace(0, 1, 4, false), TSR_SHAPE(4), 0, 0.25, 0.5, 0.75);
  EXPECT_VALUES(tsr_linspace(-2, 2.5, 4, true, TSR_INT32), TSR_SHAPE(4), -2, -1, 1, 2);
  EXPECT_VALUES(tsr_linspace(3, 3, 2), TSR_SHAPE(2), 3, 3);
  EXPECT_VALUES(tsr_linspace(3, 8, 1), TSR_SHAPE(1), 3);
  cr_expect_eq(tsr_size(tsr_linspace(3, 8, 0)), 0);
  cr_expect_eq(tsr_size(tsr_linspace(0, 1)), 50);
  /* The last one is stop, whatever the steps add up to. */
  cr_expect_eq(tsr_item_f64(tsr_slice(tsr_linspace(0, 0.3, 8), "-1")), 0.3);
  cr_expect_eq(tsr_item_f64(tsr_slice(tsr_linspace(0.1, 0.7, 11), "3")), 3 * (0.6 / 10) + 0.1);
  cr_expect(tsr_allclose(tsr_logspace(0, 3, 4), tsr_power(10.0, tsr_arange(0, 4, 1)), 1e-15, 0));
  cr_expect(
      tsr_allclose(tsr_logspace(0, 3, 4, true, 2), tsr_power(2.0, tsr_arange(0, 4, 1)), 1e-15, 0));
  EXPECT_VALUES(tsr_slice(tsr_geomspace(2, 1024, 10), "::9"), TSR_SHAPE(2), 2, 1024);
  EXPECT_VALUES(tsr_slice(tsr_geomspace(-3, -7, 5), "::4"), TSR_SHAPE(2), -3, -7);
  cr_expect(
      tsr_allclose(tsr_geomspace(1, 1000, 4), tsr_power(10.0, tsr_arange(0, 4, 1)), 1e-14, 0));
  cr_expect_not(tsr_ok(tsr_linspace(0, 1, -1)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a space of -1 numbers; there are 0 or more", "tsr_linspace");
  cr_expect_not(tsr_ok(tsr_geomspace(0, 1)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a geometric space does not hold 0");
  /* Between arrays, along a new first axis. */
  tsr_array a = tsr_arange(0.0, 2, 1), b = tsr_add(tsr_multiply(tsr_arange(0.0, 2, 1), -1), 2.0);
  EXPECT_VALUES(tsr_linspace(a, b, 3), TSR_SHAPE(3, 2), 0, 1, 1, 1, 2, 1);
  EXPECT_VALUES(tsr_linspace(tsr_arange(0, 3, 1, TSR_INT8), 5, 4, false), TSR_SHAPE(4, 3), 0, 1, 2,
                1.25, 2, 2.75, 2.5, 3, 3.5, 3.75, 4, 4.25);
  EXPECT_VALUES(tsr_eval("linspace(0, b, 3, dtype=int32)", b), TSR_SHAPE(3, 2), 0, 0, 1, 0, 2, 1);
  EXPECT_VALUES(tsr_linspace(tsr_expand_dims(a, 1), b, 1), TSR_SHAPE(1, 2, 2), 0, 0, 1, 1);
  cr_expect_eq(tsr_size(tsr_linspace(a, b, 0)), 0);
  tsr_array z = tsr_linspace(tsr_zeros(1), 1.0 + 2.0 * I, 3, true, TSR_COMPLEX128);
  EXPECT_VALUES(tsr_imag(z), TSR_SHAPE(3, 1), 0, 1, 2);
  cr_expect_not(tsr_ok(tsr_linspace(a, 1.0 + 2.0 * I)));
  EXPECT_ERROR(TSR_ERR_DTYPE,
               "a space between complex numbers is of a complex dtype, not of float64",
               "TSR_COMPLEX128");
  cr_expect_not(tsr_ok(tsr_linspace(a, tsr_zeros(3))));
  EXPECT_ERROR(TSR_ERR_BROADCAST, "cannot broadcast", "`tsr_linspace`");
  /* Along another axis. */
  EXPECT_VALUES(tsr_linspace(a, b, 3, true, TSR_FLOAT64, -1), TSR_SHAPE(2, 3), 0, 1, 2, 1, 1, 1);
  EXPECT_VALUES(tsr_linspace(0, 2, 3, true, TSR_INT8, 0), TSR_SHAPE(3), 0, 1, 2);
  EXPECT_VALUES(tsr_eval("linspace(a, b, num=3, axis=1)", a, b), TSR_SHAPE(2, 3), 0, 1, 2, 1, 1, 1);
  EXPECT_VALUES(tsr_logspace(a, b, 3, true, 2), TSR_SHAPE(3, 2), 1, 2, 2, 2, 4, 2);
  EXPECT_VALUES(tsr_eval("logspace(a, 2, 3, base=3, axis=-1, dtype=int32)", a), TSR_SHAPE(2, 3), 1,
                3, 9, 3, 5, 9);
  const tsr_array c = tsr_add(tsr_multiply(a, -5), 1.0); /* 1, -4 */
  tsr_array g = tsr_geomspace(c, tsr_multiply(c, 4), 3, true, TSR_FLOAT64, 1);
  cr_expect(tsr_allclose(g, tsr_multiply(tsr_expand_dims(c, 1), tsr_slice(g, "0")), 1e-15, 0));
  EXPECT_VALUES(tsr_slice(g, ":, ::2"), TSR_SHAPE(2, 2), 1, 4, -4, -16);
  EXPECT_VALUES(tsr_isnan(tsr_geomspace(c, 16.0, 3, false)), TSR_SHAPE(3, 2), 0, 0, 0, 1, 0, 1);
  cr_expect_not(tsr_ok(tsr_linspace(a, b, 3, true, TSR_FLOAT64, 2)));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 2", "tsr_linspace");
  cr_expect_not(tsr_ok(tsr_geomspace(a, 1.0 + 2.0 * I, 3, true, TSR_COMPLEX128)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "of real numbers, not of complex ones", "tsr_geomspace");
  cr_expect_not(tsr_ok(tsr_linspace(0, 1.0 + 2.0 * I)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "start and stop are real numbers, not complex ones",
               "tsr_linspace");
  cr_expect_not(tsr_ok(tsr_geomspace(1.0 * I, 2)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "start and stop are real numbers, not complex ones",
               "tsr_geomspace");
}

Test(grids, planes)
{
  EXPECT_VALUES(tsr_eye(2), TSR_SHAPE(2, 2), 1, 0, 0, 1);
  EXPECT_VALUES(tsr_eye(2, 3, 1), TSR_SHAPE(2, 3), 0, 1, 0, 0, 0, 1);
  EXPECT_VALUES(tsr_eye(3, 2, -1), TSR_SHAPE(3, 2), 0, 0, 1, 0, 0, 1);
  cr_expect_eq(tsr_dtype_of(tsr_eye(2, 2, 0, TSR_INT32)), TSR_INT32);
  EXPECT_VALUES(tsr_identity(2, TSR_BOOL), TSR_SHAPE(2, 2), 1, 0, 0, 1);
  EXPECT_VALUES(tsr_tri(2, 3), TSR_SHAPE(2, 3), 1, 0, 0, 1, 1, 0);
  EXPECT_VALUES(tsr_tri(2, 3, -1), TSR_SHAPE(2, 3), 0, 0, 0, 1, 0, 0);
  tsr_array a = tsr_reshape(tsr_arange(1, 7, 1, TSR_INT32), TSR_SHAPE(2, 3));
  EXPECT_VALUES(tsr_tril(a), TSR_SHAPE(2, 3), 1, 0, 0, 4, 5, 0);
  EXPECT_VALUES(tsr_triu(a, 1), TSR_SHAPE(2, 3), 0, 2, 3, 0, 0, 6);
  cr_expect_eq(tsr_dtype_of(tsr_triu(a)), TSR_INT32);
  cr_expect_eq(tsr_dtype_of(tsr_triu(tsr_ones(TSR_SHAPE(2, 2), TSR_BOOL))), TSR_BOOL);
  EXPECT_VALUES(tsr_tril(tsr_arange(1, 3, 1)), TSR_SHAPE(2, 2), 1, 0, 1, 2);
  EXPECT_VALUES(tsr_diag(tsr_arange(1, 3, 1)), TSR_SHAPE(2, 2), 1, 0, 0, 2);
  EXPECT_VALUES(tsr_diag(tsr_arange(1, 3, 1), -1), TSR_SHAPE(3, 3), 0, 0, 0, 1, 0, 0, 0, 2, 0);
  EXPECT_VALUES(tsr_diag(a, 1), TSR_SHAPE(2), 2, 6);
  cr_expect_not(tsr_ok(tsr_eye(-1)));
  EXPECT_ERROR(TSR_ERR_SHAPE, "axis 0 of shape (-1, -1) has a negative length", "tsr_eye");
  cr_expect_not(tsr_ok(tsr_tril(tsr_zeros(TSR_SHAPE()))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "a triangle of an array without axes");
  cr_expect_not(tsr_ok(tsr_diag(tsr_zeros(TSR_SHAPE(2, 2, 2)))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "a diagonal of an array of 3 axes; 1 or 2 are possible");
}

Test(grids, coordinates)
{
  tsr_array x = tsr_arange(0, 3, 1), y = tsr_arange(5, 7, 1), out[2];
  EXPECT_VALUES(tsr_indices(TSR_SHAPE(2, 2)), TSR_SHAPE(2, 2, 2), 0, 0, 1, 1, 0, 1, 0, 1);
  cr_expect_eq(tsr_dtype_of(tsr_indices(TSR_SHAPE(2))), TSR_INT64);
  cr_expect_eq(tsr_size(tsr_indices(TSR_SHAPE())), 0);
  cr_expect_eq(tsr_meshgrid(out, TSR_ARRAYS(x, y)), TSR_OK);
  EXPECT_VALUES(out[0], TSR_SHAPE(2, 3), 0, 1, 2, 0, 1, 2);
  EXPECT_VALUES(out[1], TSR_SHAPE(2, 3), 5, 5, 5, 6, 6, 6);
  cr_expect_eq(tsr_meshgrid(out, TSR_ARRAYS(x, y), "ij"), TSR_OK);
  EXPECT_VALUES(out[1], TSR_SHAPE(3, 2), 5, 6, 5, 6, 5, 6);
  cr_expect_eq(tsr_broadcast_arrays(out, TSR_ARRAYS(x, tsr_expand_dims(y, 1))), TSR_OK);
  EXPECT_VALUES(out[1], TSR_SHAPE(2, 3), 5, 5, 5, 6, 6, 6);
  cr_expect_eq(tsr_meshgrid(out, TSR_ARRAYS(x, y), "yx"), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the indexing is \"yx\", not \"xy\" or \"ij\"");
  cr_expect_eq(
      tsr_meshgrid(out, TSR_ARRAYS(tsr_transpose(tsr_reshape(tsr_arange(4), TSR_SHAPE(2, 2))),
                                   tsr_full(TSR_SHAPE(), 7))),
      TSR_OK);
  EXPECT_VALUES(out[0], TSR_SHAPE(1, 4), 0, 2, 1, 3);
  EXPECT_VALUES(out[1], TSR_SHAPE(1, 4), 7, 7, 7, 7);
  cr_expect_not(tsr_ok(tsr_indices(TSR_SHAPE(1, 1, 1, 1, 1, 1, 1, 1))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "a shape of 9 axes; at most 8 are possible");
}

/* Triangles and identities are computed where they are used: one pass, without temporaries. */
Test(grids, fuse)
{
  tsr_array x = tsr_ones(TSR_SHAPE(300, 300));
  tsr_flush();
  int64_t before = (int64_t)tsr__context_counters()->n_groups;
  const double sum = tsr_item_f64(tsr_sum(tsr_multiply(tsr_tril(x), tsr_add(x, tsr_eye(300)))));
  cr_expect_float_eq(sum, 45150 + 300, 1e-6);
  cr_expect_eq((int64_t)tsr__context_counters()->n_groups - before, 1);
}
