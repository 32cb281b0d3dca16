/* tsr_eval and tsr_exec: the ops and values of the calls written in C, Python's scalars, lifetimes,
 * errors that quote the text. */
#include <math.h>

#include "array_test.h"

TestSuite(text_eval, .init = begin, .fini = end);

/* The window's ops without their places; empties the window. */
static char *ops(void)
{
  char *text = tsr__context_window_text(), *out = text;
  for (char *p = text; *p;) {
    char *line_end = p + strcspn(p, "\n"), *place = line_end;
    while (place > p && !(place[0] == ' ' && place[-1] == ' ')) place--;
    memmove(out, p, (size_t)(place - p));
    out += place - p;
    *out++ = '\n';
    p = *line_end ? line_end + 1 : line_end;
  }
  *out = 0;
  tsr_flush();
  return text;
}

typedef struct fields {
  tsr_array u, v;
  double dt;
} fields;

/* Each side runs in a context of its own, so that regions have the same numbers. */
static void expect_same_ops(void (*by_calls)(fields *), void (*by_text)(fields *))
{
  char *got[2];
  for (int side = 0; side < 2; side++) {
    cr_assert_eq(tsr_finalize(), TSR_OK);
    begin();
    fields f = {.u = tsr_ones(TSR_SHAPE(6, 5)), .v = tsr_ones(TSR_SHAPE(4, 3)), .dt = 0.25};
    tsr_flush();
    TSR_SCOPE();
    (side ? by_text : by_calls)(&f);
    got[side] = ops();
  }
  cr_expect_gt(strlen(got[0]), 10);
  cr_expect_str_eq(got[1], got[0]);
  free(got[0]);
  free(got[1]);
}

static void stencil_calls(fields *f)
{
  tsr_assign(f->v, tsr_multiply(0.5 * f->dt,
                                tsr_add(tsr_slice(f->u, "1:-1, 1:-1"), tsr_slice(f->u, ":-2, 1:-1"),
                                        tsr_slice(f->u, "1:-1, 2:"), tsr_slice(f->u, "1:-1, :-2"),
                                        tsr_slice(f->u, "2:, 1:-1"))));
}

static void stencil_text(fields *f)
{
  tsr_exec("v[...] = 0.5*dt*(u[1:-1,1:-1] + u[:-2,1:-1] + u[1:-1,2:] + u[1:-1,:-2] + u[2:,1:-1])",
           f->v, f->dt, f->u);
}

/* Texts of more operations than the window takes: what nothing behind it uses is not stored. */
Test(text_eval, long_texts_store_no_temporaries, .timeout = 120)
{
  enum { N = 40000, LINES = 900 };
  static char text[LINES * 64];
  size_t n = 0;
  for (int k = 0; k < LINES; k++)
    n += (size_t)snprintf(text + n, sizeof text - n, "x[:] = x*0.5 + sin(x) - cos(x)/3 + 0.25*x\n");
  tsr_array x = tsr_linspace(0, 0.5, N), y = tsr_linspace(0, 0.5, N);
  tsr_flush();
  for (int k = 0; k < LINES; k++) tsr_exec("y[:] = y*0.5 + sin(y) - cos(y)/3 + 0.25*y", y);
  const double want = tsr_item_f64(tsr_sum(y));
  cr_assert_eq(tsr_exec(text, x), TSR_OK);
  cr_expect_eq(tsr_item_f64(tsr_sum(x)), want);
  const int64_t peak = tsr_memory_info(0).peak_bytes;
  cr_expect_lt(peak, 100 * N * 8, "%lld bytes", (long long)peak);
}

/* A sum of many terms keeps the terms of one addition of up to 16 operands. */
Test(text_eval, long_sums_store_few_temporaries, .timeout = 120)
{
  enum { N = 40000, TERMS = 900 };
  static char text[TERMS * 64];
  size_t n = 0;
  for (int k = 0; k < TERMS; k++)
    n += (size_t)snprintf(text + n, sizeof text - n, "%smaximum(sin(x*%d), cos(x)/%d)",
                          k ? " + " : "", k + 1, k + 2);
  tsr_array x = tsr_linspace(0, 0.5, N);
  tsr_flush();
  cr_expect(isfinite(tsr_item_f64(tsr_sum(tsr_eval(text, x)))));
  const int64_t peak = tsr_memory_info(0).peak_bytes;
  cr_expect_lt(peak, 200 * N * 8, "%lld bytes", (long long)peak);
}

Test(text_eval, a_stencil_records_the_ops_of_the_calls)
{
  expect_same_ops(stencil_calls, stencil_text);
}

static void mixed_calls(fields *f)
{
  tsr_array big = tsr_bitwise_and(tsr_greater(f->v, 0.5), tsr_invert(tsr_less_equal(2, f->v)));
  tsr_array x = tsr_where(big, tsr_negative(f->v), tsr_divide(tsr_subtract(f->v, 1), 3.0));
  tsr_keep(tsr_sum(tsr_multiply(x, x, x), TSR_AXES(0, -1), TSR_KEEPDIMS));
  tsr_keep(tsr_mean(tsr_transpose(x), TSR_AXES(1)));
  tsr_iadd(tsr_slice(f->u, "0, ::2"), tsr_sqrt(tsr_absolute(tsr_slice(f->v, "-1"))));
}

static void mixed_text(fields *f)
{
  tsr_array x = tsr_eval("where((v > 0.5) & ~(2 <= v), -v, (v - 1)/3.0)", f->v);
  tsr_keep(tsr_eval("np.sum(x**3, axis=(0, -1), keepdims=True)", x));
  tsr_keep(tsr_eval("x.T.mean(1)", x));
  tsr_exec("u[0, ::2] += abs(v[-1])**0.5", f->u, f->v);
}

Test(text_eval, operators_calls_and_reductions_record_the_same)
{
  expect_same_ops(mixed_calls, mixed_text);
}

Test(text_eval, values)
{
  tsr_array a = tsr_arange(0, 6, 1), b = tsr_slice(a, "::-1");
  int k = 2;
  EXPECT_VALUES(tsr_eval("a - b*2", a, b), TSR_SHAPE(6), -10, -7, -4, -1, 2, 5);
  EXPECT_VALUES(tsr_eval("a[k:k+3] + $1[-k]", a, k), TSR_SHAPE(3), 6, 7, 8);
  EXPECT_VALUES(tsr_eval("a[:, None][1:3] * a[:3]", a), TSR_SHAPE(2, 3), 0, 1, 2, 0, 2, 4);
  EXPECT_VALUES(tsr_eval("2**3 - a**2", a), TSR_SHAPE(6), 8, 7, 4, -1, -8, -17);
  EXPECT_VALUES(tsr_eval("-a**4 + a**5", a), TSR_SHAPE(6), 0, 0, 16, 162, 768, 2500);
  EXPECT_VALUES(tsr_eval("2**a + a**a - a**20*0", a), TSR_SHAPE(6), 2, 3, 8, 35, 272, 3157);
  EXPECT_VALUES(tsr_eval("np.power(a, 3) - square(a)*a + (a + 1)**-1.0*(a + 1)", a), TSR_SHAPE(6),
                1, 1, 1, 1, 1, 1);
  tsr_array x = tsr_add(tsr_sqrt(tsr_arange(0, 2000, 1)), 0.1);
  EXPECT_VALUES(tsr_eval("all(x**-1 == 1/x) & all(x**-1.0 == 1/x)", x), TSR_SHAPE(), 1);
  EXPECT_VALUES(tsr_eval("(a > 1) & (a < 4) | (a == 5)", a), TSR_SHAPE(6), 0, 0, 1, 1, 0, 1);
  EXPECT_VALUES(tsr_eval("argmax(b) + a.max() - min(a)", a, b), TSR_SHAPE(), 5);
  EXPECT_VALUES(tsr_eval("maximum(a, 3).astype('int32').sum(dtype=float32)", a), TSR_SHAPE(), 21);
}

Test(text_eval, dtypes_are_those_of_pairs_from_the_left)
{
  tsr_array i = tsr_full(TSR_SHAPE(2), 2147483647, TSR_INT32);
  tsr_array x = tsr_ones(TSR_SHAPE(2), TSR_FLOAT32);
  EXPECT_VALUES(tsr_eval("i + i + 0.5", i), TSR_SHAPE(2), -1.5, -1.5);
  cr_expect_eq(tsr_dtype_of(tsr_eval("i + 1 + 2", i)), TSR_INT32);
  cr_expect_eq(tsr_dtype_of(tsr_eval("i/2", i)), TSR_FLOAT64);
  cr_expect_eq(tsr_dtype_of(tsr_eval("x*2.5 + 1", x)), TSR_FLOAT32);
  cr_expect_eq(tsr_dtype_of(tsr_eval("x**2.0", x)), TSR_FLOAT32);
  cr_expect_eq(tsr_dtype_of(tsr_eval("i**2", i)), TSR_INT32);
  cr_expect_eq(tsr_dtype_of(tsr_eval("i**2.0", i)), TSR_FLOAT64);
  cr_expect_eq(tsr_dtype_of(tsr_eval("sum(i, dtype=int32)", i)), TSR_INT32);
  cr_expect_eq(tsr_dtype_of(tsr_eval("mean(i, dtype=float32)", i)), TSR_FLOAT32);
  cr_expect_eq(tsr_dtype_of(tsr_eval("i > 1", i)), TSR_BOOL);
}

Test(text_eval, scalars_are_pythons)
{
  static const struct {
    const char *text;
    double value;
    tsr_dtype dtype;
  } cases[] = {
      {"1/2", 0.5, TSR_FLOAT64},
      {"1/2 == 0.5", 1, TSR_BOOL},
      {"7//2", 3, TSR_INT64},
      {"-7//2", -4, TSR_INT64},
      {"7//-2", -4, TSR_INT64},
      {"-7 % 3", 2, TSR_INT64},
      {"7 % -3", -2, TSR_INT64},
      {"-7.5 // 2", -4, TSR_FLOAT64},
      {"1e16 // 3", 3333333333333333, TSR_FLOAT64},
      {"4503599627370497.0 // 1", 4503599627370497, TSR_FLOAT64},
      {"-4503599627370497.0 // 1", -4503599627370497, TSR_FLOAT64},
      {"9007199254740991.0 // 1.0", 9007199254740991, TSR_FLOAT64},
      {"-7.5 % 2", 0.5, TSR_FLOAT64},
      {"7.5 % -2", -0.5, TSR_FLOAT64},
      {"(-9223372036854775807 - 1) % -1", 0, TSR_INT64},
      {"2**10", 1024, TSR_INT64},
      {"2**-1", 0.5, TSR_FLOAT64},
      {"2**3**2", 512, TSR_INT64},
      {"-2**2", -4, TSR_INT64},
      {"9**0.5", 3, TSR_FLOAT64},
      {"True + True", 2, TSR_INT64},
      {"-True", -1, TSR_INT64},
      {"~True", -2, TSR_INT64},
      {"~(2 < 1)", -1, TSR_INT64},
      {"~5", -6, TSR_INT64},
      {"6 & 3 | 8", 10, TSR_INT64},
      {"True & (3 > 2.5)", 1, TSR_BOOL},
      {"1 + 2*3 - 4", 3, TSR_INT64},
      {"0.1 + 0.2 + 0.3", 0.1 + 0.2 + 0.3, TSR_FLOAT64},
      {"3", 3, TSR_INT64},
      {"sqrt(4)", 2, TSR_FLOAT64},
      {"sum(3)", 3, TSR_INT64},
      {"np.inf > 1e300", 1, TSR_BOOL},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    tsr_array x = tsr_eval(cases[k].text);
    cr_assert(tsr_ok(x), "%s: %s", cases[k].text, tsr_last_error());
    cr_expect_eq(tsr_dtype_of(x), cases[k].dtype, "%s", cases[k].text);
    double got = tsr_item_f64(x);
    cr_expect_eq(got, cases[k].value, "%s is %.17g", cases[k].text, got);
  }
}

Test(text_eval, statements_run_in_order)
{
  tsr_array a = tsr_arange(0, 4, 1);
  struct {
    tsr_array b;
  } s = {tsr_zeros(TSR_SHAPE(4))}, *p = &s;
  cr_expect_eq(tsr_exec("b = a + 1; b[1:] += b[:-1]\n b *= 2 # twice\n b /= 4; b[0] -= 5", a, p->b),
               TSR_OK);
  EXPECT_VALUES(s.b, TSR_SHAPE(4), -4.5, 1.5, 2.5, 3.5);
  EXPECT_VALUES(a, TSR_SHAPE(4), 0, 1, 2, 3);
  cr_expect_eq(tsr_exec("a.T[::2] = -1", a), TSR_OK);
  EXPECT_VALUES(a, TSR_SHAPE(4), -1, 1, -1, 3);
}

Test(text_eval, temporaries_die_with_the_expression)
{
  tsr_array a = tsr_arange(0, 4, 1);
  int64_t before = tsr__context_n_arrays();
  tsr_array x = tsr_eval("sqrt(a[1:]*a[1:] + a[:-1]*2) - 1", a);
  cr_expect_eq(tsr__context_n_arrays(), before + 1);
  tsr_array same = tsr_eval("a", a);
  cr_expect_neq(same.id, a.id);
  tsr_release(&same);
  tsr_exec("a[1:] = x + a[:-1]*3", a, x);
  cr_expect_eq(tsr__context_n_arrays(), before + 1);
  for (int i = 0; i < 300; i++) tsr_exec("a += x.sum()*0 + (a - a)", a, x);
  cr_expect_eq(tsr__context_n_arrays(), before + 1);
}

Test(text_eval, a_call_site_may_bring_other_texts)
{
  tsr_array a = tsr_arange(0, 8, 1);
  char text[32];
  for (int i = 0; i < 3000; i++) { /* more texts than are kept */
    snprintf(text, sizeof text, "a[%d] + %d", i % 8, i);
    tsr_array x = tsr_eval(text, a);
    if (i % 97 == 0) EXPECT_VALUES(x, TSR_SHAPE(), i % 8 + i);
    tsr_release(&x);
  }
}

Test(text_eval, errors_quote_the_text)
{
  tsr_array u = tsr_ones(TSR_SHAPE(6, 4)), v = tsr_ones(TSR_SHAPE(5, 3)), none;
  none = tsr_eval("u + w", u);
  EXPECT_ERROR(TSR_ERR_NAME, "error[TSR0302]: there is no argument `w` in `tsr_eval`",
               "test_text_eval.c:", "| u + w\n", "|     ^\n",
               "help: the arguments of the call are `u`");
  cr_expect_eq(tsr_exec("u[0] = 1;\n u[1:] =", u), TSR_ERR_SYNTAX);
  EXPECT_ERROR(TSR_ERR_SYNTAX, "expected a value, but the text ends in `tsr_exec`", "|  u[1:] =\n");
  none = tsr_eval("u[1:] + 2*v", u, v);
  EXPECT_ERROR(TSR_ERR_BROADCAST, "(5, 4) and (5, 3) in `tsr_add`",
               "test_text_eval.c:", "u[1:]: (5, 4) float64", "by tsr_slice(u, \"1:\")",
               "2*v: (5, 3) float64");
  none = tsr_eval("u[:, 9]", u);
  EXPECT_ERROR(TSR_ERR_INDEX, "index 9 is out of range for axis 1", "`tsr_slice`", "u: (6, 4)");
  none = tsr_eval("sum(u, axis=2)", u);
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 2", "`tsr_sum`");
  none = tsr_eval("max(sum(u), 1)", u);
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 1", "`tsr_max`", "help: the greater of two values is maximum");
  none = tsr_eval("u^2", u);
  EXPECT_ERROR(TSR_ERR_DTYPE, "take bools and integers", "help: a power is `u**2`");
  none = tsr_eval("u & (v > 0)", u, v);
  EXPECT_ERROR(TSR_ERR_DTYPE, "`&`, `|`, `^`, `~`, `<<` and `>>` take bools and integers",
               "|   ^\n", "(a > 0) & (b > 0)");
  none = tsr_eval("u**v", u, v);
  EXPECT_ERROR(TSR_ERR_BROADCAST, "(6, 4) and (5, 3) in `tsr_power`");
  none = tsr_eval("u.astype(int32)**-1", u);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "integers to negative integer powers", "with -1.0");
  none = tsr_eval("positive(u > 0)", u);
  EXPECT_ERROR(TSR_ERR_DTYPE, "positive does not take bool", "tsr_astype");
  none = tsr_eval("u*(1/0)", u);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "division by zero", "|     ^\n");
  none = tsr_eval("u*(18446744073709551615 + 1)", u);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "does not fit in 64 bits", "|                         ^\n");
  none = tsr_eval("u.astype(int64) + 2**63", u);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the integer 9223372036854775808 is out of bounds for int64",
               "`tsr_add`");
  none = tsr_eval("pad(u, (1, 2, 3))", u);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the widths are one number", "not 3 of 2 axes", "`tsr_pad`");
  none = tsr_eval("u[v]", u, v);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "an array cannot be an index", "|   ^\n",
               "indices that are arrays are not in Tessera yet");
  cr_expect_eq(tsr_exec("u[u > 3] = 1", u), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "an array cannot be an index", "|     ^\n", "`tsr_where` in C",
               "`u[...] = where(u > 3, value, u)`");
  const struct {
    const char *text, *help;
  } masked[] = {{"u[0, u[0] > 3] = 1", ": `u[0] = where(u[0] > 3, value, u[0])`"},
                {"u[:, u[0] > 3] = 1", ": `u[:] = where(u[0] > 3, value, u[:])`"},
                {"u[u[:, 0] > 3] = 1", ", where the mask has the axes of x\n"},
                {"u[u[:, 0] > 3, 0] = 1", ", where the mask has the axes of x\n"},
                {"u[(0, u[0] > 3)] = 1", ", where the mask has the axes of x\n"},
                {"u[None, u > 3] = 1", ", where the mask has the axes of x\n"}};
  for (size_t i = 0; i < sizeof masked / sizeof *masked; i++) {
    cr_expect_eq(tsr_exec(masked[i].text, u), TSR_ERR_ARGUMENT);
    EXPECT_ERROR(TSR_ERR_ARGUMENT, "an array cannot be an index", "chooses element by element",
                 masked[i].help);
  }
  for (int i = 0; i < 3; i++) { /* two arrays are for min and max alone */
    const char *texts[] = {"sum(u, axis=v)", "norm(u, axis=v)", "expand_dims(u, v)"};
    char said[2048];
    none = tsr_eval(texts[i], u, v);
    cr_expect_eq(tsr_take_error(said, sizeof said), TSR_ERR_ARGUMENT);
    cr_expect(strstr(said, "a whole number is wanted here") && !strstr(said, "minimum"), "%s",
              said);
  }
  none = tsr_eval("max(u, v)", u, v);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a whole number is wanted", "minimum(x, y) and maximum(x, y)");
  double half = 0.5;
  none = tsr_eval("u[half:]", u, half);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a slice takes whole numbers", "|   ^\n");
  int step = 0;
  none = tsr_eval("u[::step]", u, step);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the step of a slice cannot be 0");
  none = tsr_eval("u*half[0]", u, half);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a scalar cannot be sliced");
  cr_expect_eq(tsr_exec("half = u[0]", u, half), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a scalar argument cannot be assigned to", "| half = u[0]\n");
  cr_expect_eq(tsr_exec("u[:5, :2] = v", u, v), TSR_ERR_BROADCAST);
  EXPECT_ERROR(TSR_ERR_BROADCAST, "`tsr_assign`");
  none = tsr_eval("min(u, v)", u, v);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a whole number is wanted here", "minimum(x, y)");
  none = tsr_eval_at(&(const tsr_location){.op = "tsr_eval", .args = ""}, NULL, 0, NULL);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the text is NULL");
  cr_expect_not(tsr_ok(none));
}

Test(text_eval, the_null_handle_poisons_in_silence)
{
  tsr_array u = tsr_null(), v = tsr_ones(TSR_SHAPE(3));
  cr_expect_not(tsr_ok(tsr_eval("v + u*2", u, v)));
  cr_expect_eq(tsr_exec("v = u + 1", v, u), TSR_ERR_HANDLE);
  EXPECT_VALUES(v, TSR_SHAPE(3), 1, 1, 1);
}

static void on_each_rank(void *arg, int rank)
{
  double *sums = arg;
  tsr_array u = tsr_arange(0, 100000, 1);
  tsr_exec("u[1:-1] = 0.5*(u[2:] + u[:-2]); u *= 2", u);
  sums[rank] = tsr_item_f64(tsr_eval("mean(u**2)", u));
}

Test(text_eval, ranks_agree)
{
  double sums[3] = {0}, alone = 0;
  cr_expect_eq(tsr_run_ranks(1, NULL, on_each_rank, &alone), TSR_OK);
  cr_expect_eq(tsr_run_ranks(3, NULL, on_each_rank, sums), TSR_OK);
  for (int r = 0; r < 3; r++) cr_expect_eq(sums[r], alone);
  cr_expect_gt(alone, 0);
}

/* Python's integers, as far as 64 bits reach. */
Test(text_eval, integers_beyond_63_bits)
{
  tsr_array u = tsr_full(TSR_SHAPE(2), 1, TSR_UINT64), x = tsr_ones(TSR_SHAPE(2));
  cr_expect(tsr_array_equal(tsr_eval("u + 0xfffffffffffffffe", u),
                            tsr_full(TSR_SHAPE(2), UINT64_MAX, TSR_UINT64)));
  cr_expect(tsr_array_equal(tsr_eval("u * 2**63", u),
                            tsr_full(TSR_SHAPE(2), (uint64_t)1 << 63, TSR_UINT64)));
  cr_expect_eq(tsr_dtype_of(tsr_eval("1 << 63")), TSR_UINT64);
  cr_expect_eq(tsr_dtype_of(tsr_eval("(1 << 63) - 1")), TSR_INT64);
  EXPECT_VALUES(tsr_eval("x * 18446744073709551615", x), TSR_SHAPE(2), 0x1p64, 0x1p64);
  EXPECT_VALUES(tsr_eval("18446744073709551615 // 10 % 1000 + (2**63 > 2**63 - 1)"), TSR_SHAPE(),
                162);
  EXPECT_VALUES(tsr_eval("-(2**63) // 3 + (2**63 + (2**63 - 1) >> 60) + (-1 & 2**63) // 2**62"),
                TSR_SHAPE(), -3074457345618258603.0 + 15 + 2);
  EXPECT_VALUES(tsr_eval("2**63 / 2 * 0.5"), TSR_SHAPE(), 0x1p61);
  tsr_array sum = tsr_eval("2**63 + 1 + u", u); /* not by way of a float */
  cr_expect(tsr_array_equal(sum, tsr_full(TSR_SHAPE(2), ((uint64_t)1 << 63) + 2, TSR_UINT64)));
  cr_expect(tsr_array_equal(tsr_add((uint64_t)1 << 63, -1, u),
                            tsr_full(TSR_SHAPE(2), (uint64_t)1 << 63, TSR_UINT64)));
  cr_expect_not(tsr_ok(tsr_eval("2**63 * 2 + u", u)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "does not fit in 64 bits");
  cr_expect_not(tsr_ok(tsr_add(UINT64_MAX, 1, u)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the leading integers overflow 64 bits");
}

Test(text_eval, parts_and_shapes)
{
  tsr_array z = tsr_multiply(tsr_arange(1, 5, 1), __builtin_complex(1.0, 2.0));
  tsr_array m = tsr_reshape(tsr_arange(0, 6, 1), TSR_SHAPE(2, 3));
  EXPECT_VALUES(tsr_eval("z.real + z.imag[::-1]", z), TSR_SHAPE(4), 9, 8, 7, 6);
  EXPECT_VALUES(tsr_eval("z.conj().imag + conjugate(z).imag", z), TSR_SHAPE(4), -4, -8, -12, -16);
  EXPECT_VALUES(tsr_eval("m.imag", m), TSR_SHAPE(2, 3), 0, 0, 0, 0, 0, 0);
  EXPECT_VALUES(tsr_eval("angle(1j*z.real) - pi/2", z), TSR_SHAPE(4), 0, 0, 0, 0);
  EXPECT_VALUES(tsr_eval("pad(m[0], 2, 'edge')", m), TSR_SHAPE(7), 0, 0, 0, 1, 2, 2, 2);
  EXPECT_VALUES(tsr_eval("pad(m, ((1, 0), (0, 2)), constant_values=9)[:, 1:]", m), TSR_SHAPE(3, 4),
                9, 9, 9, 9, 1, 2, 9, 9, 4, 5, 9, 9);
  EXPECT_VALUES(tsr_eval("pad(m, [(0, 1)])[1:, 2:]", m), TSR_SHAPE(2, 2), 5, 0, 0, 0);
  EXPECT_VALUES(tsr_eval("tril(m, 1) + triu(m, k=2)", m), TSR_SHAPE(2, 3), 0, 1, 2, 3, 4, 5);
  EXPECT_VALUES(tsr_eval("diag(m, -1)", m), TSR_SHAPE(1), 3);
  EXPECT_VALUES(tsr_eval("m.diagonal(1) + diagonal(m, offset=0)", m), TSR_SHAPE(2), 1, 9);
  EXPECT_VALUES(tsr_eval("rot90(m)", m), TSR_SHAPE(3, 2), 2, 5, 1, 4, 0, 3);
  EXPECT_VALUES(tsr_eval("tri(2, 3, 1, dtype=int32)"), TSR_SHAPE(2, 3), 1, 1, 0, 1, 1, 1);
  EXPECT_VALUES(tsr_eval("indices((2, 2))[1] + full_like(m[:, :2], 7)", m), TSR_SHAPE(2, 2), 7, 8,
                7, 8);
  EXPECT_VALUES(tsr_eval("logspace(0, 2, 3) - geomspace(1, 100, num=3)"), TSR_SHAPE(3), 0, 0, 0);
  EXPECT_VALUES(tsr_eval("logspace(0, 3, 4, base=2)"), TSR_SHAPE(4), 1, 2, 4, 8);
  EXPECT_VALUES(tsr_eval("dstack([m, m.copy()])[0, 1]", m), TSR_SHAPE(2), 1, 1);
  EXPECT_VALUES(tsr_eval("quantile(m, 0.5, axis=1) + percentile(m, 100)", m), TSR_SHAPE(2), 6, 9);
  EXPECT_VALUES(tsr_eval("nanquantile(m, 0.5, axis=0, keepdims=True)", m), TSR_SHAPE(1, 3), 1.5,
                2.5, 3.5);
  EXPECT_VALUES(tsr_eval("average(m, axis=0, weights=m) - average(m, 0)", m), TSR_SHAPE(3), 1.5,
                17.0 / 5 - 2.5, 29.0 / 7 - 3.5);
  EXPECT_VALUES(tsr_eval("zeros_like(m, dtype=int8) + np.ones_like(m)", m), TSR_SHAPE(2, 3), 1, 1,
                1, 1, 1, 1);
}

Test(text_eval, functions_of_one_array)
{
  tsr_array x = tsr_arange(0, 6, 1), m = tsr_reshape(x, TSR_SHAPE(2, 3));
  EXPECT_VALUES(tsr_eval("diff(x)", x), TSR_SHAPE(5), 1, 1, 1, 1, 1);
  EXPECT_VALUES(tsr_eval("diff(m, axis=0)", m), TSR_SHAPE(1, 3), 3, 3, 3);
  EXPECT_VALUES(tsr_eval("trapezoid(x) + round(2.5)", x), TSR_SHAPE(), 14.5);
  EXPECT_VALUES(tsr_eval("np.flip(m, axis=1)", m), TSR_SHAPE(2, 3), 2, 1, 0, 5, 4, 3);
  EXPECT_VALUES(tsr_eval("ravel(m.T)", m), TSR_SHAPE(6), 0, 3, 1, 4, 2, 5);
  EXPECT_VALUES(tsr_eval("tril(m) + triu(m)", m), TSR_SHAPE(2, 3), 0, 1, 2, 3, 8, 5);
  EXPECT_VALUES(tsr_eval("expand_dims(x, axis=(0, -1)).squeeze()", x), TSR_SHAPE(6), 0, 1, 2, 3, 4,
                5);
  EXPECT_VALUES(tsr_eval("flipud(m) - fliplr(m)", m), TSR_SHAPE(2, 3), 1, 3, 5, -5, -3, -1);
  EXPECT_VALUES(tsr_eval("ones_like(x) * zeros_like(x)", x), TSR_SHAPE(6), 0, 0, 0, 0, 0, 0);
  EXPECT_VALUES(tsr_eval("diag(m)", m), TSR_SHAPE(2), 0, 4);
  cr_expect_not(tsr_ok(tsr_eval("flip(m, keepdims=True)", m)));
  EXPECT_ERROR(TSR_ERR_SYNTAX, "`flip` has no option `keepdims`", "its parameters are m, axis");
  cr_expect_not(tsr_ok(tsr_eval("diff(m, axis=2)", m)));
  EXPECT_ERROR(TSR_ERR_AXIS, "axis 2", "tsr_diff");
}

static void expect_parts(tsr_array z, double re, double im)
{
  const double _Complex got = tsr_item_c128(z);
  cr_expect_float_eq(__real__ got, re, 1e-15);
  cr_expect_float_eq(__imag__ got, im, 1e-15);
}

/* As Python: of scalars alone its own arithmetic, of arrays NumPy's. */
Test(text_eval, imaginary_numbers)
{
  tsr_array x = tsr_arange(0, 3, 1), y = tsr_arange(1, 4, 1), z = tsr_eval("x + 1j*y", x, y);
  const double _Complex c = __builtin_complex(1.0, 2.0);
  cr_expect_eq(tsr_dtype_of(z), TSR_COMPLEX128);
  cr_expect(tsr_array_equal(tsr_real(z), x) && tsr_array_equal(tsr_imag(z), y));
  cr_expect_eq(tsr_exec("z[:] = z*z + (x + 1J*y)", x, y, z), TSR_OK);
  EXPECT_VALUES(tsr_real(z), TSR_SHAPE(3), -1, -2, -3);
  EXPECT_VALUES(tsr_imag(z), TSR_SHAPE(3), 1, 6, 15);
  expect_parts(tsr_eval("-2j"), -0.0, -2);
  expect_parts(tsr_eval("+c", c), 1, 2);
  expect_parts(tsr_eval("1.5e1j*c", c), -30, 15);
  expect_parts(tsr_eval("c - 1j", c), 1, 1);
  expect_parts(tsr_eval("c/1j", c), 2, -1);
  expect_parts(tsr_eval("1/(3 + 4j)"), 0.12, -0.16);
  expect_parts(tsr_eval("c**2", c), -3, 4);
  expect_parts(tsr_eval("c**-2", c), -0.12, -0.16);
  expect_parts(tsr_eval("c**0", c), 1, 0);
  expect_parts(tsr_eval("0j**2"), 0, 0);
  expect_parts(tsr_eval("2j**0.5"), 1, 1);
  expect_parts(tsr_eval("True + c", c), 2, 2);
  expect_parts(tsr_eval("x[0]*1j + c", x, c), 1, 2);
  expect_parts(tsr_eval("sqrt(x[0] - 4 + 0j)", x), 0, 2);
  cr_expect_eq(tsr_item_bool(tsr_eval("2j == 2j")), true);
  cr_expect_eq(tsr_item_bool(tsr_eval("2j != 2")), true);
  (void)tsr_ok(tsr_eval("1j < 2"));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "complex scalars take `+`, `-`, `*`, `/`, `**`, `==` and `!=`");
  (void)tsr_ok(tsr_eval("c//1j", c));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "complex scalars take");
  (void)tsr_ok(tsr_eval("1/0j"));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "division by zero");
  (void)tsr_ok(tsr_eval("0j**-1"));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "0 cannot be raised to a negative or complex power");
}

/* The functions of array/text/functions.c, against the same calls in C. */
#define EXPECT_SAME(text, expected, ...)                                                           \
  cr_expect(same_array(tsr_eval(text, __VA_ARGS__), expected), "%s: %s", text, tsr_last_error())

static bool same_array(tsr_array x, tsr_array y)
{
  return tsr_ok(x) && tsr_dtype_of(x) == tsr_dtype_of(y) && tsr_array_equal(x, y);
}

Test(text_eval, creation)
{
  const int n = 4;
  tsr_array v = tsr_arange(0, n, 1);
  EXPECT_SAME("np.zeros((2, n)) + v", tsr_add(tsr_zeros(TSR_SHAPE(2, n)), v), n, v);
  EXPECT_SAME("ones(n, dtype=float32)", tsr_ones(TSR_SHAPE(n), TSR_FLOAT32), n);
  EXPECT_SAME("full((n, 1), 7)", tsr_full(TSR_SHAPE(n, 1), 7, TSR_INT64), n);
  EXPECT_SAME("full([n], 7.5, np.float32)", tsr_full(TSR_SHAPE(n), 7.5, TSR_FLOAT32), n);
  EXPECT_SAME("zeros(()) + n", tsr_full(TSR_SHAPE(), 4, TSR_FLOAT64), n);
  EXPECT_SAME("arange(n)", tsr_astype(v, TSR_INT64), n);
  EXPECT_SAME("arange(1, 2*n, 2.0)", tsr_add(tsr_multiply(v, 2), 1), n);
  EXPECT_SAME("arange(0, n, dtype=float64)", v, n);
  EXPECT_SAME("linspace(0, 3, n)", tsr_astype(v, TSR_FLOAT64), n);
  EXPECT_SAME("linspace(0, n, num=n, endpoint=False)", v, n);
  EXPECT_SAME("eye(2, n, k=1)", tsr_eye(2, n, 1, TSR_FLOAT64), n);
  EXPECT_SAME("identity(n, dtype=int32)", tsr_eye(n, n, 0, TSR_INT32), n);
  cr_expect_not(tsr_ok(tsr_eval("zeros((2, v))", v)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a whole number is wanted here", "zeros((2, v))", "^");
  cr_expect_not(tsr_ok(tsr_eval("arange(v)", v)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a number is wanted here", "arange(v)", "^");
  cr_expect_not(tsr_ok(tsr_eval("linspace(0, 1, endpoint=n)", n)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "True or False is wanted here");
}

Test(text_eval, shapes)
{
  const int n = 3;
  tsr_array x = tsr_arange(0, 6, 1), m = tsr_reshape(x, TSR_SHAPE(2, n));
  EXPECT_SAME("reshape(x, (2, n))", m, x, n);
  EXPECT_SAME("x.reshape(2, n) + x.reshape((2, -1)) - reshape(x, shape=(2, n))", m, x, n);
  EXPECT_SAME("roll(x, 2)", tsr_roll(x, TSR_SHAPE(2)), x);
  EXPECT_SAME("roll(m, (1, -1), axis=(0, 1))", tsr_roll(m, TSR_SHAPE(1, -1), TSR_AXES(0, 1)), m);
  EXPECT_SAME("transpose(m) + m.transpose() + m.transpose(1, 0) - transpose(m, axes=(1, 0))",
              tsr_multiply(tsr_transpose(m), 2), m);
  EXPECT_SAME("moveaxis(m, 0, -1)", tsr_transpose(m), m);
  EXPECT_SAME("m.swapaxes(0, 1)", tsr_transpose(m), m);
  EXPECT_SAME("tile(x, (2, 1))", tsr_tile(x, TSR_SHAPE(2, 1)), x);
  EXPECT_SAME("repeat(m, 2, axis=1)", tsr_repeat(m, 2, TSR_AXES(1)), m);
  EXPECT_SAME("x.repeat(2)", tsr_repeat(x, 2), x);
  EXPECT_SAME("broadcast_to(m[0], (4, n))", tsr_broadcast_to(tsr_slice(m, "0"), TSR_SHAPE(4, n)), m,
              n);
  EXPECT_SAME("concatenate([m, m*2], axis=1)",
              tsr_concatenate(TSR_ARRAYS(m, tsr_multiply(m, 2)), 1), m);
  EXPECT_SAME("stack((x, x + 1, x))", tsr_stack(TSR_ARRAYS(x, tsr_add(x, 1), x), 0), x);
  EXPECT_SAME("vstack([m, m]) + hstack([x, x]).reshape(4, 3)",
              tsr_add(tsr_vstack(TSR_ARRAYS(m, m)), tsr_tile(m, TSR_SHAPE(2, 1))), x, m);
  EXPECT_VALUES(tsr_eval("pad(x[:2], (1, 2), constant_values=9)", x), TSR_SHAPE(5), 9, 0, 1, 9, 9);
  EXPECT_VALUES(tsr_eval("pad(x[:2], 1, 'edge')", x), TSR_SHAPE(4), 0, 0, 1, 1);
  EXPECT_VALUES(tsr_eval("pad(x[:3], 2, mode=\"reflect\")", x), TSR_SHAPE(7), 2, 1, 0, 1, 2, 1, 0);
  EXPECT_VALUES(tsr_eval("pad(x[:5], 2, 'mean', stat_length=(3, 1))", x), TSR_SHAPE(9), 1, 1, 0, 1,
                2, 3, 4, 4, 4);
  EXPECT_VALUES(tsr_eval("pad(x[:3], (1, 3), 'symmetric', reflect_type='odd')", x), TSR_SHAPE(7), 0,
                0, 1, 2, 2, 3, 4);
  EXPECT_VALUES(tsr_eval("pad(x[:3], (1, 2), constant_values=(x[4], 9))", x), TSR_SHAPE(6), 4, 0, 1,
                2, 9, 9);
  EXPECT_VALUES(tsr_eval("pad(x[:3], 2, 'linear_ramp', end_values=(-1, 0.5))", x), TSR_SHAPE(7), -1,
                -0.5, 0, 1, 2, 1.25, 0.5);
  cr_expect_not(tsr_ok(tsr_eval("pad(x, 1, 'edge', constant_values=3)", x)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the mode \"edge\" takes no constant_values", "tsr_pad");
  cr_expect_not(tsr_ok(tsr_eval("pad(x, 1, 'mean', stat_length=(1, 2, 3))", x)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the lengths are one number", "tsr_pad");
  cr_expect_not(tsr_ok(tsr_eval("pad(x, (1, 2, 3))", x)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the widths are one number", "tsr_pad");
  cr_expect_not(tsr_ok(tsr_eval("x.reshape(4, n)", x, n)));
  EXPECT_ERROR(TSR_ERR_SHAPE, "tsr_reshape");
  tsr_exec("transpose(m)[0] = -1; m.T[1] = 7", m);
  EXPECT_VALUES(m, TSR_SHAPE(2, 3), -1, 7, 2, -1, 7, 5);
}

static void divided_calls(fields *f)
{
  tsr_array pair[2];
  tsr_divmod(pair, f->v, f->dt);
  tsr_assign(tsr_slice(f->u, ":4, :3"), pair[0]);
  tsr_assign(f->v, pair[1]);
}

static void divided_text(fields *f)
{
  tsr_exec("u[:4, :3], v = divmod(v, dt)", f->u, f->v, f->dt);
}

Test(text_eval, several_results)
{
  expect_same_ops(divided_calls, divided_text);
  tsr_array x = tsr_arange(-3, 3, 1), q = tsr_zeros(TSR_SHAPE(6)), r = tsr_zeros(TSR_SHAPE(6));
  tsr_exec("q, r = divmod(x, 2)", q, r, x);
  EXPECT_VALUES(q, TSR_SHAPE(6), -2, -1, -1, 0, 0, 1);
  EXPECT_VALUES(r, TSR_SHAPE(6), 1, 0, 1, 0, 1, 0);
  EXPECT_VALUES(tsr_eval("divmod(x, 2)[0]*2 + divmod(x, 2)[-1]", x), TSR_SHAPE(6), -3, -2, -1, 0, 1,
                2);
  tsr_exec("q[:], r[::-1] = np.modf(x / 2)", q, r, x);
  EXPECT_VALUES(q, TSR_SHAPE(6), -0.5, -0.0, -0.5, 0, 0.5, 0);
  EXPECT_VALUES(r, TSR_SHAPE(6), 1, 0, 0, -0.0, -1, -1);
  EXPECT_VALUES(tsr_eval("frexp(x)[1]", x), TSR_SHAPE(6), 2, 2, 1, 0, 1, 2);
  EXPECT_VALUES(tsr_eval("meshgrid(x[:2], x[:3])[0]", x), TSR_SHAPE(3, 2), -3, -2, -3, -2, -3, -2);
  EXPECT_VALUES(tsr_eval("meshgrid(x[:2], x[:3], indexing='ij')[1]", x), TSR_SHAPE(2, 3), -3, -2,
                -1, -3, -2, -1);
  EXPECT_VALUES(tsr_eval("broadcast_arrays(x[:2], 7)[1]", x), TSR_SHAPE(2), 7, 7);
  tsr_array a = tsr_zeros(TSR_SHAPE(2)), b = tsr_zeros(TSR_SHAPE(2)), c = tsr_zeros(TSR_SHAPE(2));
  tsr_exec("a, b, c = split(x, 3)", a, b, c, x);
  EXPECT_VALUES(tsr_eval("a + 10*b + 100*c", a, b, c), TSR_SHAPE(2), 87, 198);
  EXPECT_VALUES(tsr_eval("split(x, (1, 3))[1]", x), TSR_SHAPE(2), -2, -1);
  EXPECT_VALUES(tsr_eval("split(x, [5])[1]", x), TSR_SHAPE(1), 2);
  EXPECT_VALUES(tsr_eval("array_split(x, 4)[-1]", x), TSR_SHAPE(1), 2);
  tsr_exec("x[:3], x[3:] = split(x, 2)[1], x", x) /* no tuples of values */;
  EXPECT_ERROR(TSR_ERR_SYNTAX, "expected an operator, `;` or the end of the line, not `,`");
  tsr_exec("a, b = split(x, 3)", a, b, x);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "`split` gives 3 results for 2 targets", "a, b = split(x, 3)");
  cr_expect_not(tsr_ok(tsr_eval("split(x, 3)[3]", x)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "`split` gives 3 results: there is no [3]");
  cr_expect_not(tsr_ok(tsr_eval("split(x, 4)[0]", x)));
  EXPECT_ERROR(TSR_ERR_SHAPE, "tsr_split");
  cr_expect_not(tsr_ok(tsr_eval("array_split(x, 17)[0]", x)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a text takes at most 16 results, not 17");
}

/* No axis at all: nothing is combined, but dtypes are as ever. */
Test(text_eval, reductions_of_no_axes)
{
  tsr_array x = tsr_arange(0, 3, 1), b = tsr_greater(x, 0);
  EXPECT_VALUES(tsr_eval("sum(x, axis=())", x), TSR_SHAPE(3), 0, 1, 2);
  EXPECT_VALUES(tsr_sum(x, TSR_AXES()), TSR_SHAPE(3), 0, 1, 2);
  EXPECT_VALUES(tsr_eval("b.sum(())", b), TSR_SHAPE(3), 0, 1, 1);
  cr_expect_eq(tsr_dtype_of(tsr_eval("sum(b, axis=())", b)), TSR_INT64);
  EXPECT_VALUES(tsr_eval("var(x, axis=(), keepdims=True)", x), TSR_SHAPE(3), 0, 0, 0);
}

/* Python's True and False: scalars, for which the program waits. */
Test(text_eval, truths)
{
  tsr_array x = tsr_arange(0, 3, 1), none = {0};
  EXPECT_VALUES(tsr_eval("allclose(x, x + 1e-9)", x), TSR_SHAPE(), 1);
  EXPECT_VALUES(tsr_eval("allclose(x, x + 1e-3)", x), TSR_SHAPE(), 0);
  EXPECT_VALUES(tsr_eval("x + np.allclose(x, x + 1e-3, rtol=0, atol=0.1)", x), TSR_SHAPE(3), 1, 2,
                3);
  EXPECT_VALUES(
      tsr_eval("array_equal(x / 0, x / 0) + 2*array_equal(x / 0, x / 0, equal_nan=True)", x),
      TSR_SHAPE(), 2);
  cr_expect_eq(tsr_dtype_of(tsr_eval("array_equal(x, x[:2])", x)), TSR_BOOL);
  EXPECT_VALUES(tsr_eval("array_equal(x, x[:2])", x), TSR_SHAPE(), 0);
  cr_expect_not(tsr_ok(tsr_eval("allclose(x, x[:2])", x)));
  EXPECT_ERROR(TSR_ERR_BROADCAST, "tsr_allclose");
  cr_expect_not(tsr_ok(tsr_eval("allclose(x, none)", x, none)));
}

Test(text_eval, products)
{
  tsr_array x = tsr_arange(0, 6, 1), m = tsr_reshape(x, TSR_SHAPE(2, 3));
  EXPECT_VALUES(tsr_eval("m @ m.T", m), TSR_SHAPE(2, 2), 5, 14, 14, 50);
  EXPECT_VALUES(tsr_eval("1 + m @ m[1] * 2", m), TSR_SHAPE(2), 29, 101);
  EXPECT_VALUES(tsr_eval("matmul(m, m.T) - m.dot(m.T)", m), TSR_SHAPE(2, 2), 0, 0, 0, 0);
  EXPECT_VALUES(tsr_eval("inner(m, m) - dot(m, m.T)", m), TSR_SHAPE(2, 2), 0, 0, 0, 0);
  EXPECT_VALUES(tsr_eval("vdot(m, x)", m, x), TSR_SHAPE(), 55);
  EXPECT_VALUES(tsr_eval("outer(x[:2], m[1])", m, x), TSR_SHAPE(2, 3), 0, 0, 0, 3, 4, 5);
  EXPECT_VALUES(tsr_eval("einsum('ij,kj->ik', m, m)", m), TSR_SHAPE(2, 2), 5, 14, 14, 50);
  EXPECT_VALUES(tsr_eval("einsum('ij->j', m)", m), TSR_SHAPE(3), 3, 5, 7);
  EXPECT_VALUES(tsr_eval("round(x / 4, 1)[1:3]", x), TSR_SHAPE(2), 0.2, 0.5);
  EXPECT_VALUES(tsr_eval("(x / 4).round()", x), TSR_SHAPE(6), 0, 0, 0, 1, 1, 1);
  EXPECT_VALUES(tsr_eval("isclose(x, x + 0.5, atol=0.6).sum()", x), TSR_SHAPE(), 6);
  EXPECT_VALUES(tsr_eval("isclose(x, x + 0.5, rtol=0, atol=0.1).sum()", x), TSR_SHAPE(), 0);
  cr_expect_not(tsr_ok(tsr_eval("m @ m", m)));
  EXPECT_ERROR(TSR_ERR_SHAPE, "mismatch in its core dimension", "tsr_matmul");
  cr_expect_not(tsr_ok(tsr_eval("einsum('ij,jk', m, m)", m)));
  EXPECT_ERROR(TSR_ERR_BROADCAST, "a label has two lengths", "tsr_einsum");
}
