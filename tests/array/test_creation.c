/* New arrays, dtypes and promotion. Expected values and dtypes are NumPy's. */
#include "array_test.h"

#include <math.h>

#include "tests/kernel/promotion.h"

TestSuite(creation, .init = begin, .fini = end);

Test(creation, filled)
{
  EXPECT_VALUES(tsr_zeros(TSR_SHAPE(2, 2)), TSR_SHAPE(2, 2), 0, 0, 0, 0);
  EXPECT_VALUES(tsr_ones(TSR_SHAPE(3), TSR_INT32), TSR_SHAPE(3), 1, 1, 1);
  EXPECT_VALUES(tsr_full(TSR_SHAPE(2), 2.75), TSR_SHAPE(2), 2.75, 2.75);
  EXPECT_VALUES(tsr_full(TSR_SHAPE(2), 2.75, TSR_INT64), TSR_SHAPE(2), 2, 2);
  EXPECT_VALUES(tsr_full(TSR_SHAPE(), 7, TSR_BOOL), TSR_SHAPE(), 1);
  EXPECT_VALUES(tsr_empty(TSR_SHAPE(1)), TSR_SHAPE(1), 0);
  EXPECT_VALUES(tsr_zeros(TSR_SHAPE(3, 0)), TSR_SHAPE(3, 0), 0);
  cr_expect_eq(tsr_dtype_of(tsr_zeros(TSR_SHAPE(2))), TSR_FLOAT64);
  cr_expect_eq(tsr_dtype_of(tsr_ones(TSR_SHAPE(2), TSR_BOOL)), TSR_BOOL);
  tsr_array x = tsr_zeros(TSR_SHAPE(4, 1, 5), TSR_FLOAT32);
  cr_expect_eq(tsr_ndim(x), 3);
  cr_expect_eq(tsr_size(x), 20);
  cr_expect_eq(tsr_shape(x).n[2], 5);
}

Test(creation, impossible_shapes)
{
  cr_expect_not(tsr_ok(tsr_zeros(TSR_SHAPE(3, -1))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "TSR0204", "axis 1 of shape (3, -1) has a negative length",
               "`tsr_zeros`");
  cr_expect_not(tsr_ok(tsr_zeros(TSR_SHAPE(INT64_MAX, 2))));
  EXPECT_ERROR(TSR_ERR_SIZE, "TSR0401", "(9223372036854775807, 2) of float64");
  cr_expect_not(tsr_ok(tsr_zeros(TSR_SHAPE(1LL << 40, 1LL << 40), TSR_BOOL)));
  EXPECT_ERROR(TSR_ERR_SIZE, "TSR0401", "of bool");
  cr_expect_not(tsr_ok(tsr_zeros((tsr_dims){.ndim = 9})));
  EXPECT_ERROR(TSR_ERR_SHAPE, "9 axes", "at most 8");
  cr_expect_not(tsr_ok(tsr_zeros(TSR_SHAPE(2), (tsr_dtype)77)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "77 is not a dtype");
  tsr_array column = tsr_broadcast_to(tsr_zeros(TSR_SHAPE()), TSR_SHAPE(1LL << 35, 1));
  tsr_array row = tsr_broadcast_to(tsr_zeros(TSR_SHAPE()), TSR_SHAPE(1LL << 35));
  cr_expect_not(tsr_ok(tsr_add(column, row)));
  EXPECT_ERROR(TSR_ERR_SIZE, "larger than any machine's memory", "`tsr_add`");
}

/* What the processes can address, where their memory is set to be large. */
static void addressed(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  const int n_ranks = tsr_n_ranks();
  cr_expect_not(tsr_ok(tsr_ones(TSR_SHAPE(n_ranks, 1LL << 44))));
  EXPECT_ERROR(TSR_ERR_MEMORY, "TSR0402", "17592186044416) of float64 takes ", "bytes, more than ",
               "can address", "help: was a length computed");
  cr_expect(tsr_ok(tsr_ones(TSR_SHAPE(n_ranks, (1LL << 44) - 1))));
  cr_expect_not(tsr_ok(tsr_ones(TSR_SHAPE(n_ranks, 1LL << 43), TSR_COMPLEX128)));
  EXPECT_ERROR(TSR_ERR_MEMORY, "can address");
  tsr_array wide = tsr_broadcast_to(tsr_zeros(TSR_SHAPE()), TSR_SHAPE(n_ranks, 1LL << 44));
  cr_expect(tsr_ok(wide)); /* a view has no memory */
  cr_expect_not(tsr_ok(tsr_add(wide, wide)));
  EXPECT_ERROR(TSR_ERR_MEMORY, "can address", "`tsr_add`");
}

/* 1,000 times what the processes have of memory: 8 GB each. */
static void much_more_than_memory(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  const int n_ranks = tsr_n_ranks();
  tsr_array largest = tsr_ones(TSR_SHAPE(n_ranks, 1000, (1LL << 30) - 1));
  cr_expect(tsr_ok(largest));
  tsr_release(&largest); /* so that no read stores it */
  cr_expect_not(tsr_ok(tsr_ones(TSR_SHAPE(n_ranks, 1000, 1LL << 30))));
  EXPECT_ERROR(TSR_ERR_MEMORY, "TSR0402", ", 1000, 1073741824) of float64 takes ",
               "bytes, over 1,000 times the memory of ", "may be larger than the memory");
  tsr_array wide = tsr_broadcast_to(tsr_zeros(TSR_SHAPE()), TSR_SHAPE(n_ranks, 1LL << 41));
  cr_expect_not(tsr_ok(tsr_add(wide, wide)));
  EXPECT_ERROR(TSR_ERR_MEMORY, "over 1,000 times the memory", "`tsr_add`");
  EXPECT_VALUES(tsr_sum(tsr_ones(TSR_SHAPE(3))), TSR_SHAPE(), 3);
}

Test(creation, sizes)
{
  for (int n = 1; n <= 3; n += 2) {
    RUN_RANKS(n, addressed, NULL, "device", "cpu", "memory", "1T", "device_memory", "0");
    RUN_RANKS(n, much_more_than_memory, NULL, "device", "cpu", "memory", "8G", "device_memory",
              "0");
  }
}

Test(creation, ranges)
{
  EXPECT_VALUES(tsr_arange(3), TSR_SHAPE(3), 0, 1, 2);
  EXPECT_VALUES(tsr_arange(-1, 2), TSR_SHAPE(3), -1, 0, 1);
  EXPECT_VALUES(tsr_arange(0, 5, 1), TSR_SHAPE(5), 0, 1, 2, 3, 4);
  EXPECT_VALUES(tsr_arange(5, 0, -2, TSR_INT64), TSR_SHAPE(3), 5, 3, 1);
  EXPECT_VALUES(tsr_arange(0, 5, -1), TSR_SHAPE(0), 0);
  EXPECT_VALUES(tsr_arange(2, 8, 3, TSR_INT32), TSR_SHAPE(2), 2, 5);
  EXPECT_VALUES(tsr_arange(0, 3, 1, TSR_INT64), TSR_SHAPE(3), 0, 1, 2);
  EXPECT_VALUES(tsr_arange(4, 7, 1, TSR_FLOAT32), TSR_SHAPE(3), 4, 5, 6);
  double delta = (1.0 + 0.1) - 1.0;
  EXPECT_VALUES(tsr_arange(1.0, 1.3, 0.1), TSR_SHAPE(4), 1.0, 1.0 + delta, 1.0 + 2 * delta,
                1.0 + 3 * delta);
  EXPECT_VALUES(tsr_arange(0, 300, 100, TSR_INT8), TSR_SHAPE(3), 0, 100, -56);
  EXPECT_VALUES(tsr_arange(0, 1, 1000, TSR_INT8), TSR_SHAPE(1), 0);
  EXPECT_VALUES(tsr_arange(300, 300, 1, TSR_INT8), TSR_SHAPE(0), 0);
  EXPECT_VALUES(tsr_arange(0, 70000, 35000, TSR_FLOAT16), TSR_SHAPE(2), 0, 35008);
  cr_expect_not(tsr_ok(tsr_arange(0, 1000, 128, TSR_INT8)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the integer 128 is out of bounds for int8", "`tsr_arange`");
  cr_expect_not(tsr_ok(tsr_arange(3e9, 4e9, 1, TSR_INT32)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the range's element 3000000000 is out of bounds for int32",
               "`tsr_arange`", "help: make it of a wider dtype");
  cr_expect_not(tsr_ok(tsr_arange(0.0, 2e5, 1e5, TSR_FLOAT16)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the range's element 100000 is out of bounds for float16");
  cr_expect_not(tsr_ok(tsr_arange(-1.5, 2, 1, TSR_UINT8)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the range's element -1.5 is out of bounds for uint8");
  cr_expect_not(tsr_ok(tsr_arange(0, 1, 0)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a step of 0");
  cr_expect_not(tsr_ok(tsr_arange(0, 1, 1, TSR_BOOL)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "bool");
  cr_expect_not(tsr_ok(tsr_arange(0, INFINITY, 1)));
  EXPECT_ERROR(TSR_ERR_SIZE, "from 0 to inf");
  cr_expect_not(tsr_ok(tsr_arange(0, 10, tsr_zeros(TSR_SHAPE()))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "C scalars");
}

Test(creation, host_memory_there_and_back)
{
  const int32_t data[2][3] = {{1, 2, 3}, {4, 5, 6}};
  tsr_array x = tsr_from_host(data, TSR_INT32, TSR_SHAPE(2, 3));
  int32_t back[6] = {0};
  cr_expect_eq(tsr_to_host(tsr_transpose(x), back), TSR_OK);
  cr_expect_arr_eq(back, ((int32_t[]){1, 4, 2, 5, 3, 6}), sizeof back);
  cr_expect_not(tsr_ok(tsr_from_host(NULL, TSR_INT32, TSR_SHAPE(2))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the data is NULL");
  cr_expect_eq(tsr_size(tsr_from_host(NULL, TSR_INT32, TSR_SHAPE(0))), 0);
  cr_expect_eq(tsr_to_host(x, NULL), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the buffer is NULL");
}

Test(creation, casts)
{
  const double data[] = {-1.5, 0, 2.9};
  tsr_array x = tsr_from_host(data, TSR_FLOAT64, TSR_SHAPE(3));
  EXPECT_VALUES(tsr_astype(x, TSR_INT64), TSR_SHAPE(3), -1, 0, 2);
  EXPECT_VALUES(tsr_astype(x, TSR_BOOL), TSR_SHAPE(3), 1, 0, 1);
  EXPECT_VALUES(tsr_astype(2.5, TSR_INT32), TSR_SHAPE(), 2);
  tsr_array copy = tsr_copy(x);
  tsr_assign(x, 0.0);
  EXPECT_VALUES(copy, TSR_SHAPE(3), -1.5, 0, 2.9);
}

Test(creation, arrays_promote_as_in_numpy)
{
  for (int a = 0; a < TSR_N_DTYPES; a++) {
    for (int b = 0; b < TSR_N_DTYPES; b++) {
      tsr_array x = tsr_ones(TSR_SHAPE(2), (tsr_dtype)a), y = tsr_ones(TSR_SHAPE(2), (tsr_dtype)b);
      cr_expect_eq((int)tsr_dtype_of(tsr_multiply(x, y)), numpy_promotes[a][b]);
      cr_expect_eq(tsr_dtype_of(tsr_less(x, y)), TSR_BOOL);
      cr_expect_eq((int)tsr_dtype_of(tsr_where(x, x, y)), numpy_promotes[a][b]);
    }
  }
}

Test(creation, scalars_are_weak)
{
  /* bool, int, float, complex; divided by an int */
  static const int expected[TSR_N_DTYPES][5] = {
      {b, i8, f8, c16, f8},  {i4, i4, f8, c16, f8},    {i8, i8, f8, c16, f8}, {f4, f4, f4, c8, f4},
      {f8, f8, f8, c16, f8}, {i1, i1, f8, c16, f8},    {i2, i2, f8, c16, f8}, {u1, u1, f8, c16, f8},
      {u2, u2, f8, c16, f8}, {u4, u4, f8, c16, f8},    {u8, u8, f8, c16, f8}, {f2, f2, f2, c8, f2},
      {c8, c8, c8, c8, c8},  {c16, c16, c16, c16, c16}};
  for (int a = 0; a < TSR_N_DTYPES; a++) {
    tsr_array x = tsr_ones(TSR_SHAPE(2), (tsr_dtype)a);
    cr_expect_eq((int)tsr_dtype_of(tsr_add(x, (bool)1)), expected[a][0]);
    cr_expect_eq((int)tsr_dtype_of(tsr_add(1, x)), expected[a][1]);
    cr_expect_eq((int)tsr_dtype_of(tsr_add(x, 1.0)), expected[a][2]);
    cr_expect_eq((int)tsr_dtype_of(tsr_add(x, __builtin_complex(0.0, 1.0))), expected[a][3]);
    cr_expect_eq((int)tsr_dtype_of(tsr_divide(x, 2)), expected[a][4]);
  }
  cr_expect_eq(tsr_dtype_of(tsr_add(1, 2)), TSR_INT64);
  cr_expect_eq(tsr_dtype_of(tsr_logical_not(3.5)), TSR_BOOL);
}

Test(creation, an_integer_must_fit_its_dtype)
{
  tsr_array x = tsr_ones(TSR_SHAPE(2), TSR_INT32), y = tsr_ones(TSR_SHAPE(2), TSR_INT64);
  cr_expect_not(tsr_ok(tsr_add(x, 3000000000)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "3000000000 is out of bounds for int32", "tsr_add");
  cr_expect_not(tsr_ok(tsr_add(y, UINT64_MAX)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "18446744073709551615 is out of bounds for int64");
  cr_expect_eq(tsr_assign(x, -3000000000), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "-3000000000 is out of bounds for int32", "tsr_assign");
  cr_expect_not(tsr_ok(tsr_full(TSR_SHAPE(2), 3000000000, TSR_INT32)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "int32");
  /* Comparisons are exact, as in NumPy 2. */
  EXPECT_VALUES(tsr_less(x, 3000000000), TSR_SHAPE(2), 1, 1);
  EXPECT_VALUES(tsr_equal(x, -3000000000), TSR_SHAPE(2), 0, 0);
}

Test(creation, many_operands_go_from_left_to_right)
{
  tsr_array big = tsr_full(TSR_SHAPE(2), INT32_MAX, TSR_INT32), f = tsr_full(TSR_SHAPE(2), 0.5);
  /* int32 + int32 wraps before the float joins. */
  EXPECT_VALUES(tsr_add(big, big, f), TSR_SHAPE(2), -1.5, -1.5);
  EXPECT_VALUES(tsr_add(big, big, 1, f), TSR_SHAPE(2), -0.5, -0.5);
  EXPECT_VALUES(tsr_add(f, big, big), TSR_SHAPE(2), 4294967294.5, 4294967294.5);
  EXPECT_VALUES(tsr_add(1, 2, f), TSR_SHAPE(2), 3.5, 3.5);
  EXPECT_VALUES(tsr_multiply(2, 0.25, f, f), TSR_SHAPE(2), 0.125, 0.125);
  /* What stands before the arrays is Python's: exact as far as 64 bits go. */
  EXPECT_VALUES(tsr_add(INT64_MAX, 1, f), TSR_SHAPE(2), 9223372036854775808.0,
                9223372036854775808.0);
  cr_expect_eq(tsr__context_n_arrays(), 2 + 6);
  cr_expect_not(tsr_ok(tsr_add(UINT64_MAX, 1, f)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "overflow");
}

Test(creation, bools_do_not_subtract)
{
  tsr_array x = tsr_ones(TSR_SHAPE(2), TSR_BOOL);
  cr_expect_not(tsr_ok(tsr_subtract(x, x)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "TSR0201", "subtract does not take bool", "x: (2,) bool, made at",
               "help:", "tsr_not_equal");
  cr_expect_not(tsr_ok(tsr_negative(x)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "negative does not take bool", "help:", "tsr_logical_not");
}
