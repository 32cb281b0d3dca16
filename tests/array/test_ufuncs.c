/* Methods of elementwise functions: reduce, accumulate, outer. */
#include "array_test.h"

#include <math.h>

TestSuite(ufuncs, .init = begin, .fini = end);

enum { ROWS = 5, COLUMNS = 3 };

/* Does the function, of two operands in NumPy, take elements of its own results? */
static bool is_of_two(const tsr_op_info *info)
{
  return info->min_args == 2 && info->rule != TSR_RULE_PAIR && info->rule != TSR_RULE_COMPARE &&
         info->rule != TSR_RULE_SCALE;
}

/* Elements that the function takes: floats if it can, else whole numbers. */
static tsr_array sample(tsr_opcode op)
{
  tsr_dtype compute, result;
  static const double values[ROWS * COLUMNS] = {7,   2.5, 0, 1,   3, 2.25, 2,   -1,
                                                0.5, 1,   4, 1.5, 3, 2,    0.75};
  const tsr_dims shape = {2, {ROWS, COLUMNS}};
  const tsr_array x = tsr_from_host(values, TSR_FLOAT64, shape);
  if (tsr__op_info(op)->rule == TSR_RULE_LOGICAL) return tsr_greater(x, 1);
  return tsr__op_dtypes(op, TSR_DTYPE_FLOAT64, &compute, &result)
             ? x
             : tsr_astype(tsr_absolute(x), TSR_INT64);
}

static tsr_array row(tsr_array x, int k)
{
  return tsr_slice(x, "$:$", k, k + 1);
}

/* The function applied to one row after the other: its value behind row k. */
static tsr_array in_order(tsr_opcode op, tsr_array x, tsr_array mask, tsr_array first, int from,
                          int to)
{
  TSR__SITE(here, "tests", "");
  tsr_array value = first;
  for (int k = from; k <= to; k++) {
    const tsr_operand pair[2] = {tsr_box_array(value), tsr_box_array(row(x, k))};
    const tsr_array next = tsr__map_at(&here, op, 2, pair);
    value = tsr_ok(mask) ? tsr_where(row(mask, k), next, value) : next;
  }
  return value;
}

static bool near(tsr_array got, tsr_array want)
{
  return tsr_ok(got) && tsr_ok(want) && tsr_dtype_of(got) == tsr_dtype_of(want) &&
         tsr_allclose(got, want, 1e-12, 0, true);
}

Test(ufuncs, every_function_of_two)
{
  int n_ops = 0;
  for (int op = 0; op < TSR_N_CALLED_OPS; op++) {
    TSR_SCOPE();
    const tsr_op_info *info = tsr__op_info((tsr_opcode)op);
    if (!is_of_two(info)) continue;
    n_ops++;
    const tsr_array x = sample((tsr_opcode)op), none = tsr_null();
    const tsr_array last = in_order((tsr_opcode)op, x, none, row(x, 0), 1, ROWS - 1);
    cr_expect(near(tsr_ufunc_reduce(info->name, x, 0, TSR_KEEPDIMS), last), "%s.reduce: %s",
              info->name, tsr_last_error());
    cr_expect(near(tsr_ufunc_reduce(info->name, tsr_transpose(x), TSR_AXES(-1)), tsr_squeeze(last)),
              "%s.reduce along columns", info->name);
    const tsr_array running = tsr_ufunc_accumulate(info->name, x);
    for (int k = 0; k < ROWS; k++)
      cr_expect(near(row(running, k), in_order((tsr_opcode)op, x, none, row(x, 0), 1, k)),
                "%s.accumulate up to %d: %s", info->name, k, tsr_last_error());
    const tsr_array all = tsr_ufunc_outer(info->name, x, tsr_slice(x, "0"));
    TSR__SITE(here, "tests", "");
    const tsr_operand pair[2] = {tsr_box_array(tsr_slice(x, ":, :, newaxis")),
                                 tsr_box_array(tsr_slice(x, "0"))};
    cr_expect(tsr_array_equal(all, tsr__map_at(&here, (tsr_opcode)op, 2, pair), true), "%s.outer",
              info->name);
    const tsr_array mask = tsr_less(
        tsr_add(tsr_expand_dims(tsr_arange(0, ROWS, 1), 1), tsr_zeros(TSR_SHAPE(COLUMNS))), 3);
    const tsr_array first = tsr_ones(TSR_SHAPE(1, COLUMNS), tsr_dtype_of(last));
    cr_expect(
        near(tsr_ufunc_reduce(info->name, x, 0, TSR_WHERE(mask), TSR_INITIAL(true), TSR_KEEPDIMS),
             in_order((tsr_opcode)op, x, mask, first, 0, ROWS - 1)),
        "%s.reduce of what a mask chooses: %s", info->name, tsr_last_error());
  }
  cr_expect_geq(n_ops, 25);
}

Test(ufuncs, results_and_dtypes)
{
  const tsr_array x = tsr_reshape(tsr_arange(0, 12, 1, TSR_INT8), TSR_SHAPE(3, 4));
  EXPECT_VALUES(tsr_ufunc_reduce("bitwise_xor", x, TSR_AXES(0, 1)), TSR_SHAPE(), 0);
  EXPECT_VALUES(tsr_ufunc_reduce("bitwise_or", x, 1), TSR_SHAPE(3), 3, 7, 11);
  EXPECT_VALUES(tsr_ufunc_reduce("subtract", x, 1, TSR_INITIAL(7)), TSR_SHAPE(3), 1, -15, -31);
  EXPECT_VALUES(tsr_ufunc_accumulate("subtract", x, 1), TSR_SHAPE(3, 4), 0, -1, -3, -6, 4, -1, -7,
                -14, 8, -1, -11, -22);
  cr_expect_eq(tsr_dtype_of(tsr_ufunc_reduce("subtract", x, 0)), TSR_INT8);
  cr_expect_eq(tsr_dtype_of(tsr_ufunc_reduce("hypot", x, 0)), TSR_FLOAT16);
  cr_expect_eq(tsr_dtype_of(tsr_ufunc_reduce("divide", x, 0)), TSR_FLOAT64);
  cr_expect_eq(tsr_dtype_of(tsr_ufunc_reduce("hypot", x, TSR_DTYPE(TSR_FLOAT32))), TSR_FLOAT32);
  cr_expect_eq(tsr_dtype_of(tsr_ufunc_accumulate("add", x, 0, TSR_FLOAT32)), TSR_FLOAT32);
  cr_expect_eq(tsr_dtype_of(tsr_ufunc_reduce("maximum", x, TSR_DTYPE(TSR_FLOAT32))), TSR_FLOAT32);
  EXPECT_VALUES(tsr_ufunc_reduce("maximum", x, 0), TSR_SHAPE(4), 8, 9, 10, 11);
  EXPECT_VALUES(tsr_ufunc_reduce("mod", tsr_add(x, 1), 1, TSR_INITIAL(100)), TSR_SHAPE(3), 0, 0, 1);
  EXPECT_VALUES(tsr_ufunc_reduce("gcd", tsr_multiply(x, 6), 1), TSR_SHAPE(3), 6, 6, 6);
  EXPECT_VALUES(tsr_ufunc_accumulate("lcm", tsr_astype(tsr_add(x, 1), TSR_INT64), 1),
                TSR_SHAPE(3, 4), 1, 2, 6, 12, 5, 30, 210, 840, 9, 90, 990, 1980);
  cr_expect_eq(tsr_dtype_of(tsr_ufunc_reduce("logaddexp2", x, 0)), TSR_FLOAT16);
  cr_expect_eq(tsr_dtype_of(tsr_ufunc_reduce("float_power", x, 0)), TSR_FLOAT64);
  EXPECT_VALUES(tsr_eval("subtract.accumulate(x[0], axis=None)", x), TSR_SHAPE(4), 0, -1, -3, -6);
  /* No elements, no axes, no dimensions. */
  const tsr_array none = tsr_slice(x, ":0");
  EXPECT_VALUES(tsr_ufunc_reduce("bitwise_and", none, 0), TSR_SHAPE(4), -1, -1, -1, -1);
  EXPECT_VALUES(tsr_ufunc_reduce("fmax", none, 0, TSR_INITIAL(3)), TSR_SHAPE(4), 3, 3, 3, 3);
  EXPECT_VALUES(tsr_ufunc_reduce("bitwise_and", tsr_astype(none, TSR_UINT16), 0), TSR_SHAPE(4),
                65535, 65535, 65535, 65535);
  EXPECT_VALUES(tsr_ufunc_accumulate("fmax", none), TSR_SHAPE(0, 4), 0);
  cr_expect(tsr_array_equal(tsr_ufunc_reduce("fmin", x, TSR_AXES()), x));
  EXPECT_VALUES(tsr_ufunc_reduce("hypot", -4.0), TSR_SHAPE(), 4);
  EXPECT_VALUES(tsr_ufunc_reduce("subtract", 5, TSR_INITIAL(2)), TSR_SHAPE(), -3);
  EXPECT_VALUES(tsr_ufunc_outer("less", 2, tsr_arange(1, 4, 1)), TSR_SHAPE(3), 0, 0, 1);
  /* The result is memory of its own. */
  const tsr_array column = tsr_slice(x, ":1"), made = tsr_ufunc_reduce("fmax", column, 0);
  cr_expect_eq(tsr_assign(made, 9), TSR_OK);
  EXPECT_VALUES(column, TSR_SHAPE(1, 4), 0, 1, 2, 3);
}

Test(ufuncs, in_texts)
{
  const tsr_array x = tsr_reshape(tsr_arange(1.0, 13, 1), TSR_SHAPE(3, 4));
#define EXPECT_SAME(text, want)                                                                    \
  cr_expect(near(tsr_eval(text, x), want), text ": %s", tsr_last_error())
  EXPECT_SAME("hypot.reduce(x)", tsr_ufunc_reduce("hypot", x, 0));
  EXPECT_SAME("np.hypot.reduce(x, axis=None)", tsr_ufunc_reduce("hypot", x));
  EXPECT_SAME("fmax.reduce(x, (0, -1), keepdims=True)", tsr_full(TSR_SHAPE(1, 1), 12));
  EXPECT_SAME("subtract.reduce(x, 1, dtype=float32, initial=2, where=x > 2)",
              tsr_ufunc_reduce("subtract", x, 1, TSR_DTYPE(TSR_FLOAT32), TSR_INITIAL(2),
                               TSR_WHERE(tsr_greater(x, 2))));
  EXPECT_SAME("add.reduce(x, ())", x);
  EXPECT_SAME("add.reduce(x)", tsr_sum(x, 0));
  EXPECT_SAME("1 + divide.accumulate(x, axis=1)[0]",
              tsr_add(1, tsr_slice(tsr_ufunc_accumulate("divide", x, 1), "0")));
  EXPECT_SAME("mod.accumulate(x, 0, float32)",
              tsr_ufunc_accumulate("remainder", x, 0, TSR_FLOAT32));
  EXPECT_SAME("power.outer(x[0], 2)", tsr_ufunc_outer("power", tsr_slice(x, "0"), 2));
  const struct {
    const char *text;
    tsr_status status;
    const char *what;
  } wrong[] = {
      {"hypot.reduce(x, axis=2)", TSR_ERR_AXIS, "axis 2 is out of range for an array of 2 axes"},
      {"hypot.reduce(x, out=x)", TSR_ERR_SYNTAX, "`hypot.reduce` does not take NumPy's `out`"},
      {"hypot.reduce()", TSR_ERR_SYNTAX, "`hypot.reduce` misses its `array`"},
      {"hypot.reduce", TSR_ERR_SYNTAX, "`hypot.reduce` is a function, and no value"},
      {"hypot.reduceat(x, x)", TSR_ERR_NAME, "`numpy.hypot.reduceat` is not in text"},
      {"hypot.sum(x)", TSR_ERR_NAME, "NumPy has no `hypot.sum`"},
      {"sqrt.reduce(x)", TSR_ERR_ARGUMENT, "`sqrt` takes 1 operand"},
      {"where.reduce(x)", TSR_ERR_ARGUMENT, "`where` takes 3 operands"},
      {"less.accumulate(x)", TSR_ERR_DTYPE, "`less.accumulate`: a comparison gives bools"},
      {"subtract.reduce(x, axis=None)", TSR_ERR_AXIS, "`subtract.reduce` is over one axis"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    cr_expect_not(tsr_ok(tsr_eval(wrong[k].text, x)), "%s", wrong[k].text);
    EXPECT_ERROR(wrong[k].status, wrong[k].what);
  }
  const tsr_function kernel = tsr_kernel_elementwise("k", "auto x", "auto y", "y = add.reduce(x)");
  cr_expect_eq(kernel.id, 0);
  EXPECT_ERROR(TSR_ERR_NAME, "`add.reduce` is of arrays, and the text of a kernel is of one point");
}

Test(ufuncs, errors)
{
  const tsr_array x = tsr_zeros(TSR_SHAPE(2, 3)), none = tsr_slice(x, ":, :0");
  const tsr_array wide = tsr_reshape(x, TSR_SHAPE(2, 3, 1, 1, 1)), m = tsr_greater(x, 0);
  const tsr_array null = tsr_null(), longest = tsr_zeros(TSR_SHAPE(4097));
#define EXPECT_REFUSED(call, status, ...)                                                          \
  cr_expect_not(tsr_ok(call));                                                                     \
  EXPECT_ERROR(status, __VA_ARGS__)
  EXPECT_REFUSED(tsr_ufunc_reduce("foo", x), TSR_ERR_ARGUMENT,
                 "there is no elementwise function `foo`");
  EXPECT_REFUSED(tsr_ufunc_reduce(NULL, x), TSR_ERR_ARGUMENT, "the function's name is NULL");
  EXPECT_REFUSED(tsr_ufunc_outer("complex", x, x), TSR_ERR_ARGUMENT, "`complex` has no methods");
  EXPECT_REFUSED(tsr_ufunc_reduce("add", x, TSR_DDOF(1)), TSR_ERR_ARGUMENT, "TSR_DDOF");
  EXPECT_REFUSED(tsr_ufunc_reduce("fmax", none, 1), TSR_ERR_SHAPE, "`fmax.reduce` of no elements");
  EXPECT_REFUSED(tsr_ufunc_reduce("subtract", x, 0, TSR_WHERE(m)), TSR_ERR_ARGUMENT,
                 "needs an initial value");
  EXPECT_REFUSED(tsr_ufunc_reduce("fmax", x, TSR_WHERE(m)), TSR_ERR_ARGUMENT,
                 "needs an initial value", "TSR_INITIAL(value)");
  EXPECT_REFUSED(tsr_ufunc_reduce("fmax", x, TSR_INITIAL(x)), TSR_ERR_SHAPE, "is one number");
  EXPECT_REFUSED(tsr_ufunc_reduce("fmax", x, TSR_DTYPE(TSR_N_DTYPES)), TSR_ERR_DTYPE,
                 "no such dtype");
  EXPECT_REFUSED(tsr_ufunc_reduce("maximum", x, TSR_DTYPE(TSR_N_DTYPES)), TSR_ERR_DTYPE,
                 "no such dtype");
  EXPECT_REFUSED(tsr_ufunc_reduce("logical_and", x, TSR_DTYPE(TSR_INT8)), TSR_ERR_DTYPE,
                 "are bools");
  EXPECT_REFUSED(tsr_ufunc_reduce("bitwise_or", x), TSR_ERR_DTYPE, "float64");
  EXPECT_REFUSED(tsr_ufunc_reduce("subtract", m, 0), TSR_ERR_DTYPE, "bool");
  EXPECT_REFUSED(tsr_ufunc_reduce("power", longest), TSR_ERR_SHAPE, "an axis of 4097 elements");
  EXPECT_REFUSED(tsr_ufunc_accumulate("power", longest), TSR_ERR_SHAPE, "at most 4096");
  EXPECT_REFUSED(tsr_ufunc_accumulate("add", 3.0), TSR_ERR_AXIS, "0 axes");
  EXPECT_REFUSED(tsr_ufunc_reduce("hypot", 3.0, 0), TSR_ERR_AXIS, "0 axes");
  EXPECT_REFUSED(tsr_ufunc_reduce("lcm", tsr_astype(none, TSR_INT8), 1), TSR_ERR_SHAPE,
                 "`lcm.reduce` of no elements");
  EXPECT_REFUSED(tsr_ufunc_reduce("gcd", x), TSR_ERR_DTYPE, "gcd does not take float64");
  EXPECT_REFUSED(tsr_eval("add.accumulate(x, axis=None)", x), TSR_ERR_AXIS, "along one axis");
  EXPECT_REFUSED(tsr_eval("add.foo.reduce(x)", x), TSR_ERR_NAME,
                 "`numpy.add.foo.reduce` is not in Tessera");
  EXPECT_REFUSED(tsr_ufunc_accumulate("fmax", x, 2), TSR_ERR_AXIS, "axis 2 is out of range");
  EXPECT_REFUSED(tsr_ufunc_outer("add", wide, wide), TSR_ERR_SHAPE, "has 10 axes");
  EXPECT_REFUSED(tsr_ufunc_reduce("fmax", tsr_astype(x, TSR_UINT8), TSR_INITIAL(300)),
                 TSR_ERR_ARGUMENT, "300");
  cr_expect_not(tsr_ok(tsr_ufunc_reduce("fmax", null)));
  cr_expect_not(tsr_ok(tsr_ufunc_accumulate("add", null)));
  cr_expect_not(tsr_ok(tsr_ufunc_outer("add", x, null)));
  EXPECT_VALUES(x, TSR_SHAPE(2, 3), 0, 0, 0, 0, 0, 0);
}

/* The same bits on any cut. */
static void on_ranks(void *arg, int rank)
{
  double *sums = arg;
  const tsr_array x = tsr_add(0.1, tsr_reshape(tsr_arange(0.0, 2100, 1), TSR_SHAPE(70, 30)));
  static const char *const names[] = {"hypot", "logaddexp", "subtract", "divide", "fmod", "fmax"};
  for (int k = 0; k < 6; k++) {
    const double sum =
        tsr_item_f64(tsr_sum(tsr_log1p(tsr_absolute(tsr_ufunc_accumulate(names[k], x, k % 2)))));
    const double last = tsr_item_f64(tsr_sum(tsr_ufunc_reduce(names[k], x, 1 - k % 2)));
    if (rank != 0) continue;
    if (tsr_n_ranks() == 1) sums[k] = sum, sums[6 + k] = last;
    cr_expect_eq(sums[k], sum, "%s.accumulate on %d ranks", names[k], tsr_n_ranks());
    cr_expect_eq(sums[6 + k], last, "%s.reduce on %d ranks", names[k], tsr_n_ranks());
  }
}

Test(ufuncs, same_bits_on_any_cut)
{
  double sums[12];
  for (int n = 1; n <= 4; n++)
    RUN_RANKS(n, on_ranks, sums, "threads", "1", "replicate_max", "0", "tile_min", "16");
}
