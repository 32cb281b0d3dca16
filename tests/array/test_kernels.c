/* The user's kernels: values, dtypes, elements of raw inputs, reductions, errors with their place
 * in the text, fusion, the same bits on ranks. */
#include "array_test.h"

#include <math.h>

TestSuite(kernels, .init = begin, .fini = end, .timeout = 120);

static tsr_array numbers(void)
{
  static const double data[] = {3, 0, -1, 4, 2, 7};
  return tsr_from_host(data, TSR_FLOAT64, TSR_SHAPE(2, 3));
}

Test(kernels, of_one_point)
{
  tsr_array x = numbers(), row = tsr_slice(x, "0");
  tsr_function f = tsr_kernel_elementwise("f", "float64 x, float64 y", "float64 z", "z = x*x + y");
  EXPECT_VALUES(tsr_call(f, x, row), TSR_SHAPE(2, 3), 12, 0, 0, 19, 4, 48);
  EXPECT_VALUES(tsr_call(f, 3, 0.5), TSR_SHAPE(), 9.5);
  f = tsr_kernel_elementwise("clamp", "float64 x, float64 lo", "float64 z",
                             "d = x - lo\nd = 0.0 if d < 0 and not x > 100 else d; d += 1\nz = d");
  EXPECT_VALUES(tsr_call(f, x, 1), TSR_SHAPE(2, 3), 3, 1, 1, 4, 2, 7);
  f = tsr_kernel_elementwise("sizes", "T x", "T z",
                             "z = min(max(x, 1), 3) if x != 2 or x < 0 else -x");
  EXPECT_VALUES(tsr_call(f, x), TSR_SHAPE(2, 3), 3, 1, 1, 3, -2, 3);
  tsr_array whole = tsr_call(f, tsr_astype(x, TSR_INT8));
  cr_expect_eq(tsr_dtype_of(whole), TSR_INT8);
  EXPECT_VALUES(whole, TSR_SHAPE(2, 3), 3, 1, 1, 3, -2, 3);
  EXPECT_VALUES(tsr_call(f, tsr_zeros(TSR_SHAPE(0, 2))), TSR_SHAPE(0, 2), 0);
}

Test(kernels, scalars_have_the_declared_dtype)
{
  tsr_array x = tsr_full(TSR_SHAPE(2), 1, TSR_FLOAT32);
  tsr_function f = tsr_kernel_elementwise("wide", "float32 x, float64 y", "float64 z", "z = x + y");
  EXPECT_VALUES(tsr_call(f, x, 0x1p-40), TSR_SHAPE(2), 1 + 0x1p-40, 1 + 0x1p-40);
  f = tsr_kernel_elementwise("narrow", "float32 x, float32 y", "float32 z", "z = x + y");
  EXPECT_VALUES(tsr_call(f, x, 0x1p-40), TSR_SHAPE(2), 1, 1);
  f = tsr_kernel_elementwise("truncate", "float64 x", "int32 z", "z = x");
  tsr_array z = tsr_call(f, numbers());
  cr_expect_eq(tsr_dtype_of(z), TSR_INT32);
  EXPECT_VALUES(tsr_call(f, 2.75), TSR_SHAPE(), 2);
  f = tsr_kernel_elementwise("promote", "T x, T y", "T z", "z = x + y");
  EXPECT_VALUES(tsr_call(f, 3, 2.5), TSR_SHAPE(), 5.5);
  z = tsr_call(f, 1, UINT64_MAX - 1);
  cr_expect_eq(tsr_dtype_of(z), TSR_FLOAT64, "as int64 and uint64 promote");
  f = tsr_kernel_elementwise("turn", "complex128 x", "complex128 z, float64 w",
                             "z = x*1j; w = imag(z)");
  tsr_array out[2];
  cr_assert_eq(tsr_call_outputs(out, f, numbers()), TSR_OK);
  EXPECT_VALUES(out[1], TSR_SHAPE(2, 3), 3, 0, -1, 4, 2, 7);
}

Test(kernels, dtypes_that_follow_from_the_values)
{
  tsr_array x = tsr_full(TSR_SHAPE(2), 3, TSR_FLOAT32), k = tsr_full(TSR_SHAPE(2), 3, TSR_INT8);
  tsr_function f =
      tsr_kernel_elementwise("f", "auto x, auto y", "auto z, auto w", "z = x*y; w = x > y");
  tsr_array out[2];
  cr_assert_eq(tsr_call_outputs(out, f, x, 2.5), TSR_OK);
  cr_expect_eq(tsr_dtype_of(out[0]), TSR_FLOAT32, "a scalar is weak");
  cr_expect_eq(tsr_dtype_of(out[1]), TSR_BOOL);
  EXPECT_VALUES(out[0], TSR_SHAPE(2), 7.5, 7.5);
  cr_assert_eq(tsr_call_outputs(out, f, k, 2.5), TSR_OK);
  cr_expect_eq(tsr_dtype_of(out[0]), TSR_FLOAT64, "as in tsr_eval");
  cr_assert_eq(tsr_call_outputs(out, f, k, x), TSR_OK);
  cr_expect_eq(tsr_dtype_of(out[0]), TSR_FLOAT32);
  cr_assert_eq(tsr_call_outputs(out, f, 2, 3), TSR_OK);
  cr_expect_eq(tsr_dtype_of(out[0]), TSR_INT64);
  EXPECT_VALUES(out[0], TSR_SHAPE(), 6);
  f = tsr_kernel_elementwise("same", "auto x, auto y", "auto z", "z = x if y > 0 else x");
  tsr_array same = tsr_call(f, x, 1);
  tsr_iadd(x, 1);
  EXPECT_VALUES(same, TSR_SHAPE(2), 3, 3);
  f = tsr_kernel_elementwise("at", "raw auto x, auto k", "auto z", "z = x[k] + x[i]");
  EXPECT_VALUES(tsr_call(f, numbers(), tsr_arange(0, 2, 1, TSR_INT16)), TSR_SHAPE(2), 6, 0);
  f = tsr_kernel_reduction("far", "auto x, T y", "T z", "x*y", "a + b", "", 0);
  EXPECT_VALUES(tsr_call(f, 2, numbers()), TSR_SHAPE(), 30);
}

Test(kernels, outputs_do_not_share_memory)
{
  tsr_array x = tsr_copy(numbers()), out[3];
  tsr_function f = tsr_kernel_elementwise("three", "float64 x, float64 y",
                                          "float64 same, float64 twice, float64 t2",
                                          "same = x; t = x + y; twice = t; t2 = t");
  cr_assert_eq(tsr_call_outputs(out, f, x, tsr_slice(x, "0")), TSR_OK);
  tsr_iadd(x, 100);
  tsr_iadd(out[1], 1000);
  EXPECT_VALUES(out[0], TSR_SHAPE(2, 3), 3, 0, -1, 4, 2, 7);
  EXPECT_VALUES(out[1], TSR_SHAPE(2, 3), 1006, 1000, 998, 1007, 1002, 1006);
  EXPECT_VALUES(out[2], TSR_SHAPE(2, 3), 6, 0, -2, 7, 2, 6);
  f = tsr_kernel_elementwise("row", "float64 x, float64 y", "float64 a, float64 b, int64 c",
                             "a = x; b = 1.5 ; c = i if y > 0 else -1");
  cr_assert_eq(tsr_call_outputs(out, f, tsr_slice(x, "0"), x), TSR_OK);
  EXPECT_VALUES(out[0], TSR_SHAPE(2, 3), 103, 100, 99, 103, 100, 99);
  EXPECT_VALUES(out[1], TSR_SHAPE(2, 3), 1.5, 1.5, 1.5, 1.5, 1.5, 1.5);
  EXPECT_VALUES(out[2], TSR_SHAPE(2, 3), 0, 1, 2, 3, 4, 5);
}

Test(kernels, elements_of_raw_inputs)
{
  tsr_array x = numbers();
  tsr_function mean =
      tsr_kernel_elementwise("mean", "raw T x, T points", "T y", "y = 0.5*(x[i - 1] + x[i + 1])");
  EXPECT_VALUES(tsr_call(mean, x, x), TSR_SHAPE(2, 3), 0, 1, 2, 0.5, 5.5, 1);
  tsr_function f = tsr_kernel_elementwise("left", "raw float64 x, int64 k", "float64 z",
                                          "z = x[k-1] if k > 0 else x[0]");
  EXPECT_VALUES(tsr_call(f, x, tsr_arange(0, 6, 1, TSR_INT64)), TSR_SHAPE(6), 3, 3, 0, -1, 4, 2);
  EXPECT_VALUES(tsr_call(f, tsr_transpose(x), tsr_arange(0, 6, 1, TSR_INT64)), TSR_SHAPE(6), 3, 3,
                4, 0, 2, -1);
  f = tsr_kernel_elementwise("look", "raw T table, uint8 k", "T z", "z = table[k]");
  tsr_array k = tsr_astype(tsr_reshape(tsr_arange(5, 9, 1, TSR_INT64), TSR_SHAPE(2, 2)), TSR_UINT8);
  EXPECT_VALUES(tsr_call(f, x, k), TSR_SHAPE(2, 2), 7, 0, 0, 0);
  EXPECT_VALUES(tsr_call(f, tsr_astype(x, TSR_COMPLEX128), 1), TSR_SHAPE(), 0);
  EXPECT_VALUES(tsr_call(f, tsr_astype(x, TSR_INT16), 3), TSR_SHAPE(), 4);
  EXPECT_VALUES(tsr_call(f, tsr_slice(x, ":0"), k), TSR_SHAPE(2, 2), 0, 0, 0, 0);
  f = tsr_kernel_elementwise("stencil", "float64 y, raw float64 x", "float64 z",
                             "z = y + x[i] - x[i + 1]");
  EXPECT_VALUES(tsr_call(f, x, x), TSR_SHAPE(2, 3), 6, 1, -6, 6, -3, 14);
}

Test(kernels, reductions)
{
  tsr_array x = numbers();
  tsr_function norm =
      tsr_kernel_reduction("norm", "float64 x", "float64 y", "x*x", "a + b", "sqrt(a)", 0.0);
  EXPECT_VALUES(tsr_call(norm, tsr_slice(x, "0, ::2")), TSR_SHAPE(), sqrt(10));
  EXPECT_VALUES(tsr_call_axes(norm, TSR_AXES(0), false, x), TSR_SHAPE(3), 5, 2, sqrt(50));
  EXPECT_VALUES(tsr_call_axes(norm, TSR_AXES(-1), true, tsr_multiply(x, 0)), TSR_SHAPE(2, 1), 0, 0);
  EXPECT_VALUES(tsr_call(norm, tsr_slice(x, ":0")), TSR_SHAPE(), 0);
  tsr_function least = tsr_kernel_reduction("least", "float64 x, float64 y", "float32 z", "x - y",
                                            "min(a, b)", NULL, (double)INFINITY);
  EXPECT_VALUES(tsr_call(least, x, 1), TSR_SHAPE(), -2);
  EXPECT_VALUES(tsr_call(least, tsr_zeros(TSR_SHAPE(0)), 1), TSR_SHAPE(), (double)INFINITY);
  tsr_function far =
      tsr_kernel_reduction("far", "T x", "T y", "x", "a if abs(a - 1) > abs(b - 1) else b", "", 1);
  EXPECT_VALUES(tsr_call(far, x), TSR_SHAPE(), 7);
  EXPECT_VALUES(tsr_call_axes(far, TSR_AXES(1), false, x), TSR_SHAPE(2), -1, 7);
  EXPECT_VALUES(tsr_call_axes(far, TSR_AXES(0), true, tsr_astype(x, TSR_INT32)), TSR_SHAPE(1, 3), 4,
                2, 7);
  EXPECT_VALUES(tsr_call(far, tsr_slice(x, "1:1")), TSR_SHAPE(), 1);
  tsr_function any =
      tsr_kernel_reduction("any", "int64 x", "bool y", "x > 6", "a or b", "not a", false);
  EXPECT_VALUES(tsr_call_axes(any, TSR_AXES(1), false, tsr_astype(x, TSR_INT64)), TSR_SHAPE(2), 1,
                0);
  for (int64_t n = 1; n < 40; n++) {
    tsr_function gcd =
        tsr_kernel_reduction("last", "int64 x", "int64 y", "x", "a if a > b else b + 0*a", "", 0);
    cr_expect_eq(tsr_item_i64(tsr_call(gcd, tsr_arange(0, n, 1, TSR_INT64))), n - 1, "%d", (int)n);
  }
}

Test(kernels, fuse_and_are_made_once)
{
  tsr_array x = tsr_ones(TSR_SHAPE(1000));
  tsr_function f = {0}, first = {0};
  for (int k = 0; k < 3; k++) {
    char text[] = "t = x*y\nz = t + t if x > 0 else 1.0";
    f = tsr_kernel_elementwise("f", "float64 x, float64 y", "float64 z", text);
    if (k == 0) first = f;
    cr_expect_eq(f.id, first.id);
  }
  tsr_flush();
  const uint64_t before = tsr__context_counters()->n_groups;
  cr_expect_eq(tsr_item_f64(tsr_sum(tsr_call(f, tsr_call(f, x, 2), 3))), 24000);
  cr_expect_eq(tsr__context_counters()->n_groups - before, 1);
}

#define REFUSE(status, inputs, outputs, text, ...)                                                 \
  do {                                                                                             \
    cr_expect_eq(tsr_kernel_elementwise("k", inputs, outputs, text).id, 0);                        \
    EXPECT_ERROR(status, __VA_ARGS__);                                                             \
  } while (0)

Test(kernels, errors_of_declarations)
{
  REFUSE(TSR_ERR_SYNTAX, "float63 x", "T y", "y = x", "expected a dtype",
         "in kernel k:", "| float63 x", "| ^", "help: the dtypes are");
  REFUSE(TSR_ERR_SYNTAX, "", "T y", "y = x", "expected a dtype");
  REFUSE(TSR_ERR_SYNTAX, "float64", "T y", "y = x", "expected a name");
  REFUSE(TSR_ERR_SYNTAX, "float64 x y", "T y", "y = x", "expected `,` or the end", "        ^");
  REFUSE(TSR_ERR_SYNTAX, "float64 if", "T y", "y = x", "this word is not a name");
  REFUSE(TSR_ERR_NAME, "float64 x, T x", "T y", "y = x", "declared already");
  REFUSE(TSR_ERR_NAME, "float64 x", "T y", "y = x", "stands for no input's dtype");
  REFUSE(TSR_ERR_SYNTAX, "float64 x", "raw float64 y", "y = x", "an output is not raw");
  REFUSE(TSR_ERR_ARGUMENT, "raw float64 x", "float64 y", "y = x[0]", "all inputs are raw");
  REFUSE(TSR_ERR_ARGUMENT, NULL, "float64 y", "y = 1", "a text is NULL");
  cr_expect_eq(tsr_kernel_reduction("r", "T x", "T y, T z", "x", "a + b", "", 0).id, 0);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a reduction has one output");
  cr_expect_eq(tsr_kernel_reduction("r", "T x", "auto y", "x", "a + b", "", 0).id, 0);
  EXPECT_ERROR(TSR_ERR_SYNTAX, "the output of a reduction has a declared dtype", "| auto y");
  REFUSE(TSR_ERR_SYNTAX, "auto auto", "auto y", "y = 1", "this word is not a name");
  cr_expect_eq(
      tsr_kernel_reduction("r", "T x", "T y", "x", "a + b", "", tsr_box_array(numbers())).id, 0);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the identity is an array");
}

Test(kernels, errors_of_texts)
{
  REFUSE(TSR_ERR_NAME, "T x", "T y", "y = x + w", "no argument `w`", "| y = x + w", "|         ^");
  REFUSE(TSR_ERR_NAME, "T x", "T y", "d = x", "gives `y` no value");
  REFUSE(TSR_ERR_NAME, "T x", "T y", "y = d + x", "no argument `d`");
  REFUSE(TSR_ERR_NAME, "T x", "T y", "y += x", "`y` has no value yet");
  REFUSE(TSR_ERR_NAME, "T x", "T y", "x = 1; y = x", "`x` is an input, and keeps its value");
  REFUSE(TSR_ERR_NAME, "T x", "T y", "i = 1; y = x", "`i` is the number of the point");
  REFUSE(TSR_ERR_SYNTAX, "T x", "T y", "y = sum(x)", "`sum` is not a function of one point",
         "help: a kernel's text is elementwise");
  REFUSE(TSR_ERR_SYNTAX, "T x", "T y", "y = x[0]", "only a raw argument takes an index",
         "help: `x` is its element at the point; declare it `raw`");
  REFUSE(TSR_ERR_SYNTAX, "raw T x, T z", "T y", "y = x + z", "`x` is raw, and has no index");
  REFUSE(TSR_ERR_SYNTAX, "raw T x, T z", "T y", "y = z; y = x", "`x` is raw, and has no index");
  REFUSE(TSR_ERR_SYNTAX, "raw T x, T z", "T y", "y = z + x[1, 2]", "an element has one index");
  REFUSE(TSR_ERR_SYNTAX, "raw T x, T z", "T y", "y = z + x[1.5]", "an index is a whole number");
  REFUSE(TSR_ERR_SYNTAX, "T x", "T y", "y = x if x > 0", "expected `else`", "help: a choice");
  REFUSE(TSR_ERR_SYNTAX, "T x", "T y", "True = x; y = True", "`True` is not taken here");
  REFUSE(TSR_ERR_SYNTAX, "T x", "T y", "if x: y = 1", "`if` is not taken here",
         "help: statements give names values");
  REFUSE(TSR_ERR_SYNTAX, "T x", "T y", "y[0] = x", "expected `=`");
  REFUSE(TSR_ERR_SYNTAX, "T x", "T y", "y = x +", "expected a value");
  REFUSE(TSR_ERR_SYNTAX, "T x", "T y", "2 = x", "expected a name to give a value");
  cr_expect_eq(tsr_kernel_reduction("r", "T x", "T y", "x", "a - i", "", 0).id, 0);
  EXPECT_ERROR(TSR_ERR_NAME, "no `i` where two values are joined", "in kernel r:", "| a - i");
  cr_expect_eq(tsr_kernel_reduction("r", "T x", "T y", "x", "a", "", 0).id, 0);
  EXPECT_ERROR(TSR_ERR_NAME, "the text does not use `b`");
}

Test(kernels, errors_of_calls)
{
  tsr_array x = numbers(), out[2];
  tsr_function f = tsr_kernel_elementwise("f", "float32 x, T y, T z", "T w", "w = x + (y & z)");
  cr_expect_not(tsr_ok(tsr_call(f, x)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "kernel f takes 3 inputs, not 1", "`tsr_call`");
  cr_expect_not(tsr_ok(tsr_call(f, x, 1, 1)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "input `x` of kernel f does not take this dtype",
               "float64 does not cast safely to float32", "(2, 3) float64", "help: tsr_astype");
  tsr_array k = tsr_arange(0, 3, 1, TSR_INT64);
  cr_expect_not(tsr_ok(tsr_call(f, 1, k, tsr_astype(k, TSR_INT8))));
  EXPECT_ERROR(TSR_ERR_DTYPE, "input `z` of kernel f has another dtype", "T is int64, not int8");
  cr_expect_not(tsr_ok(tsr_call(f, 1, k, x)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "T is int64, not float64");
  cr_expect_not(tsr_ok(tsr_call(f, 1, x, x)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "take bools and integers", "in kernel f:", "| w = x + (y & z)",
               "|            ^");
  cr_expect_not(tsr_ok(tsr_call(f, 1, k, 1.5)));
  EXPECT_ERROR(TSR_ERR_CAST, "input `z` of kernel f does not take this scalar",
               "it is of int64, the scalar of float64");
  cr_expect_not(tsr_ok(tsr_call(f, 1, k, tsr_arange(0, 4, 1, TSR_INT64))));
  EXPECT_ERROR(TSR_ERR_BROADCAST, "tsr_call", "k: (3,) int64", "(4,) int64");
  cr_expect_not(tsr_ok(tsr_call(f, 1, k, tsr_null())));
  cr_expect_not(tsr_ok(tsr_call((tsr_function){0}, x)));
  cr_expect_not(tsr_ok(tsr_call((tsr_function){77}, x)));
  EXPECT_ERROR(TSR_ERR_HANDLE, "this kernel belongs to a context that has ended");
  f = tsr_kernel_elementwise("two", "T x, raw T y", "T w, T v", "w = x; v = y[i]");
  cr_expect_not(tsr_ok(tsr_call(f, x, x)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "kernel two has 2 outputs", "help: tsr_call_outputs");
  cr_expect_eq(tsr_call_outputs(NULL, f, x, x), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the place for the outputs is NULL");
  cr_expect_eq(tsr_call_outputs(out, f, x, 1), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "input `y` of kernel two is raw: it takes an array");
  cr_expect_not(tsr_ok(tsr_call_axes(f, TSR_AXES(0), false, x, x)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "kernel two is elementwise: it has no axes");
  f = tsr_kernel_reduction("r", "T x", "T y", "x", "a + b", "", 0);
  cr_expect_eq(tsr_call_outputs(out, f, x), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "kernel r is a reduction");
  cr_expect_not(tsr_ok(tsr_call_axes(f, TSR_AXES(2), false, x)));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis");
  cr_expect_not(tsr_ok(tsr_call_axes(f, TSR_AXES(0, -2), false, x)));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis -2 is named twice");
  f = tsr_kernel_elementwise("g", "T x, raw T y", "T z", "z = y[x]");
  cr_expect_not(tsr_ok(tsr_call(f, x, x)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "an index is of integers, not float64", "in kernel g:", "z = y[x]");
}

/* Ranks. */

enum { N = 3000 };

typedef struct results {
  double point[N], far, norm;
} results;

static void compute(void *arg, int rank)
{
  results *r = arg;
  results mine;
  tsr_array x = tsr_sin(tsr_arange(0.0, N, 1.0));
  tsr_function f = tsr_kernel_elementwise(
      "mix", "float64 x, raw float64 y", "float64 z",
      "k = (i*7 + 3) % 3100; z = y[k] + 0.25*x if x > 0 else y[i - 1]*y[i + 1]");
  tsr_array z = tsr_call(f, x, tsr_multiply(x, 3));
  tsr_function far =
      tsr_kernel_reduction("far", "T x", "T y", "x*(1 + 0.001*i)",
                           "a + b*0.5 if abs(a) > abs(b) else b + a*0.5", "a*2", 0.0);
  tsr_function norm = tsr_kernel_reduction("norm", "T x", "T y", "x*x", "a + b", "sqrt(a)", 0.0);
  mine.far = tsr_item_f64(tsr_call(far, z));
  mine.norm = tsr_item_f64(tsr_call(norm, z));
  cr_expect_eq(tsr_to_host(z, mine.point), TSR_OK, "%s", tsr_last_error());
  if (rank == 0) *r = mine;
}

Test(kernels, the_same_bits_on_ranks)
{
  static const char *const cut[] = {"replicate_max", "64", "tile_min", "64", NULL};
  static results one, many;
  cr_assert_eq(tsr_run_ranks(1, cut, compute, &one), TSR_OK);
  for (int64_t i = 0; i < N; i++) {
    const double x = sin((double)i);
    const int64_t k = (i * 7 + 3) % 3100;
    const double left = i > 0 ? 3 * sin((double)i - 1) : 0,
                 right = i + 1 < N ? 3 * sin((double)i + 1) : 0;
    const double want = x > 0 ? (k < N ? 3 * sin((double)k) : 0) + 0.25 * x : left * right;
    cr_assert_float_eq(one.point[i], want, 1e-13, "%d", (int)i);
  }
  for (int n = 2; n <= 4; n++) {
    memset(&many, 0, sizeof many);
    cr_assert_eq(tsr_run_ranks(n, cut, compute, &many), TSR_OK);
    cr_assert_eq(memcmp(&one, &many, sizeof one), 0, "%d ranks", n);
  }
}

/* A text of more operations than the window takes: what no later line uses is not stored. */
Test(kernels, long_texts_store_no_temporaries)
{
  tsr_function f = tsr_kernel_elementwise(
      "long", "float64 x", "float64 y",
      "y = x\nfor k in range(900):\n  y = y*0.5 + sin(y) - cos(y)/3 + 0.25*y");
  tsr_array x = tsr_linspace(0, 0.5, 40000);
  tsr_flush();
  (void)tsr_item_f64(tsr_sum(tsr_call(f, x)));
  const int64_t peak = tsr_memory_info(0).peak_bytes;
  cr_expect_lt(peak, 100 * 40000 * 8, "%lld bytes", (long long)peak);
}
