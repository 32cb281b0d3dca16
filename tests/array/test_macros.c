/* The macros over the operations: one evaluation per argument, in order; linear expansion; one
 * error for a wrong call. */
#include "array_test.h"

TestSuite(macros, .init = begin, .fini = end);

/* Runs the compiler `cc` on a program around `body`; what it prints in `out`. Returns its exit
 * status. */
static int compile_by(const char *cc, const char *flags, const char *body, char *out, size_t size)
{
  char name[] = "/tmp/tessera_macros_XXXXXX.c", command[1024];
  int fd = mkstemps(name, 2);
  cr_assert_geq(fd, 0);
  FILE *f = fdopen(fd, "w");
  fprintf(f,
          "#include \"tessera.h\"\ntsr_array f(tsr_array x);\ntsr_array f(tsr_array x)\n{\n  "
          "(void)x;\n  %s\n}\n",
          body);
  fclose(f);
  snprintf(command, sizeof command, "%s -Wall -Wextra -I%s/include %s %s 2>&1", cc,
           TESSERA_SOURCE_DIR, flags, name);
  FILE *run = popen(command, "r");
  cr_assert_not_null(run);
  size_t n = fread(out, 1, size - 1, run);
  out[n] = 0;
  char rest[4096];
  while (fread(rest, 1, sizeof rest, run) > 0) {
  }
  int status = pclose(run);
  unlink(name);
  return WEXITSTATUS(status);
}

static int compile(const char *flags, const char *body, char *out, size_t size)
{
  return compile_by("cc -std=gnu11", flags, body, out, size);
}

static int count(const char *text, const char *piece)
{
  int n = 0;
  for (const char *at = text; (at = strstr(at, piece)) != NULL; at++) n++;
  return n;
}

Test(macros, expand_linearly)
{
  tsr_text body = {0};
  tsr__text_add(&body, "return ");
  for (int i = 0; i < 32; i++) tsr__text_add(&body, "tsr_add(x, ");
  tsr__text_add(&body, "1");
  for (int i = 0; i < 32; i++) tsr__text_add(&body, ")");
  tsr__text_add(&body, ";");
  size_t size = 4 << 20;
  char *out = malloc(size);
  cr_assert_eq(compile("-E -P", body.s, out, size), 0);
  const char *function = strstr(out, "tsr_array f(tsr_array x)\n{");
  cr_assert_not_null(function);
  cr_expect_lt(strlen(function), 64 * 1024);
  cr_expect_geq(count(function, "tsr_add_at"), 32);
  cr_expect_eq(compile("-fsyntax-only", body.s, out, size), 0, "%s", out);
  free(out);
  tsr__text_free(&body);
}

Test(macros, a_wrong_number_of_arguments_is_one_error_that_names_the_call)
{
  static const char *const calls[][2] = {
      {"tsr_add", "return tsr_add(x);"},
      {"tsr_add", "return tsr_add();"},
      {"tsr_add", "return tsr_add(x,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16);"},
      {"tsr_sqrt", "return tsr_sqrt(x, x);"},
      {"tsr_where", "return tsr_where(x, x);"},
      {"tsr_sum", "return tsr_sum();"},
      {"tsr_sum", "return tsr_sum(x, TSR_AXES(0), TSR_KEEPDIMS, 1, 2, 3, 4);"},
      {"tsr_zeros", "return tsr_zeros();"},
      {"tsr_zeros", "return tsr_zeros(TSR_SHAPE(1), TSR_INT32, 3);"},
      {"tsr_full", "return tsr_full(TSR_SHAPE(1));"},
      {"tsr_arange", "return tsr_arange(1, 2, 3, TSR_INT64, 5);"},
      {"tsr_slice", "return tsr_slice(x);"},
      {"tsr_slice: the slice is text", "return tsr_slice(x, 1, 2);"},
      {"tsr_transpose", "return tsr_transpose();"},
      {"tsr_zeros: this is a number where a dtype is wanted", "return tsr_zeros(4, 3);"},
  };
  char out[32768];
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    cr_expect_neq(compile("-fsyntax-only", calls[i][1], out, sizeof out), 0, "%s", calls[i][1]);
    cr_expect_eq(count(out, "error:"), 1, "%s gives %s", calls[i][1], out);
    const char *error = strstr(out, "error:");
    cr_expect(error && strstr(error, calls[i][0]), "%s gives %s", calls[i][1], out);
  }
}

/* Does the compiler say something of this line of the body? */
static bool is_named(const char *out, int line)
{
  char place[32];
  snprintf(place, sizeof place, ".c:%d:", line + 7);
  return strstr(out, place) != NULL;
}

Test(macros, lengths_and_axes_are_integers_and_dtypes_are_none)
{
  static const char *const wrong[] = {
      "x = tsr_zeros(TSR_SHAPE(2.5, 3));",
      "x = tsr_zeros(TSR_SHAPE(2, 3.0));",
      "x = tsr_zeros(TSR_SHAPE(real));",
      "x = tsr_zeros(TSR_SHAPE(1, 2, 3, 4, 5, 6, 7, 8, 9));",
      "x = tsr_zeros(real);",
      "x = tsr_zeros(2.5);",
      "x = tsr_zeros(x);",
      "x = tsr_zeros(4, 3);",
      "x = tsr_full(4, 3, 3);",
      "x = tsr_arange(0, 5, 1, 2);",
      "x = tsr_astype(x, 3);",
      "x = tsr_sum(x, TSR_AXES(0.5));",
      "x = tsr_sum(x, 0.5);",
      "x = tsr_cumsum(x, 1.0);",
  };
  enum { N_WRONG = sizeof wrong / sizeof wrong[0] };
  static const char right[] = "x = tsr_zeros(TSR_SHAPE(n, (char)2, 3ul, N)); x = tsr_zeros(n);\n"
                              "x = tsr_sum(tsr_zeros(N), TSR_AXES(-1), TSR_KEEPDIMS);\n"
                              "x = tsr_zeros(TSR_SHAPE(1, 2, 3, 4, 5, 6, 7, 8), TSR_DTYPE_INT8);\n"
                              "return tsr_zeros(TSR_SHAPE());";
  static const char *const compilers[] = {"cc -std=gnu11", "c++ -std=gnu++17 -x c++"};
  char *out = malloc(1 << 20);
  tsr_text body = {0};
  tsr__text_add(&body, "double real = 5; unsigned long n = 5; enum { N = 2 };\n");
  for (int i = 0; i < N_WRONG; i++) tsr__text_add(&body, "%s\n", wrong[i]);
  tsr__text_add(&body, "%s", right);
  for (int k = 0; k < 2; k++) {
    cr_expect_neq(compile_by(compilers[k], "-fsyntax-only", body.s, out, 1 << 20), 0);
    for (int i = 0; i < N_WRONG; i++)
      cr_expect(is_named(out, i), "%s compiles %s", compilers[k], wrong[i]);
    for (int i = 0; i < 4; i++)
      cr_expect_not(is_named(out, N_WRONG + i), "%s: %s", compilers[k], out);
  }
  tsr__text_free(&body);
  free(out);
}

Test(macros, a_result_that_nobody_takes_is_a_warning)
{
  static const char *const calls[] = {
      "tsr_add(x, 1); return x;", "tsr_zeros(TSR_SHAPE(2)); return x;", "tsr_sum(x); return x;",
      "tsr_slice(x, \"0\"); return x;", "tsr_eval(\"x\", x); return x;"};
  char out[32768];
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    cr_expect_eq(compile("-c -o /dev/null", calls[i], out, sizeof out), 0);
    cr_expect_eq(count(out, "warning:"), 1, "%s gives %s", calls[i], out);
    cr_expect_eq(count(out, "-Wunused-result"), 1, "%s gives %s", calls[i], out);
  }
}

Test(macros, compile_without_warnings)
{
  const char *body = "int n = 3; tsr_replace(&x, tsr_add(x, tsr_where(tsr_less(x, n), 1.5f, x)));"
                     "tsr_assign(tsr_slice(x, \"$\", n), tsr_item_f64(tsr_mean(x)));"
                     "tsr_exec(\"x += n\", x, n); return tsr_keep(x);";
  char out[32768];
  cr_expect_eq(compile("-Wshadow -Wpedantic -Werror -fsyntax-only", body, out, sizeof out), 0, "%s",
               out);
}

static int n_calls;
static int calls[4];

static double note(int which, double value)
{
  if (n_calls < 4) calls[n_calls] = which;
  n_calls++;
  return value;
}

Test(macros, evaluate_each_argument_once_from_left_to_right)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(2));
  n_calls = 0;
  tsr_array y = tsr_add(note(0, 1), x, note(1, 2), note(2, 4), note(3, 8));
  cr_expect_eq(n_calls, 4);
  for (int i = 0; i < 4; i++) cr_expect_eq(calls[i], i);
  EXPECT_VALUES(y, TSR_SHAPE(2), 15, 15);
  n_calls = 0;
  tsr_assign(x, note(0, 3));
  tsr_array z = tsr_full(TSR_SHAPE(), note(1, 5));
  cr_expect_eq(n_calls, 2);
  cr_expect_eq(tsr_item_f64(z), 5);
}

/* Also where arguments are of several kinds, and of calls that are no elementwise operations. */
Test(macros, evaluate_arguments_in_order_in_every_call)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(2));
  n_calls = 0;
  const bool close = tsr_allclose(note(0, 1), note(1, 1), note(2, 0.5), note(3, 0.5));
  cr_expect(close);
  cr_expect_eq(n_calls, 4);
  for (int i = 0; i < 4; i++) cr_expect_eq(calls[i], i);
  n_calls = 0;
  tsr_array y = tsr_linspace(note(0, 0), note(1, 2), (int64_t)note(2, 2));
  cr_expect_eq(n_calls, 3);
  for (int i = 0; i < 3; i++) cr_expect_eq(calls[i], i);
  EXPECT_VALUES(tsr_add(x, y), TSR_SHAPE(2), 0, 2);
}

Test(macros, take_every_arithmetic_type)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(), TSR_FLOAT64);
  const float f = 1;
  const unsigned char uc = 2;
  volatile long l = 4;
  unsigned long ul = 8;
  short s = 16;
  char c = 32;
  enum { COLOUR = 64 } e = COLOUR;
  long long ll = 128;
  bool b = true;
  unsigned short us = 256;
  tsr_array y = tsr_add(x, f, uc, l, ul, s, c, e, ll, b, us);
  cr_expect_eq(tsr_item_f64(y), 1 + 2 + 4 + 8 + 16 + 32 + 64 + 128 + 1 + 256);
  cr_expect_eq(tsr_item_f64(tsr_add(x, UINT64_MAX)), (double)UINT64_MAX);
}

Test(macros, record_the_call_site)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(2));
  tsr_array y = tsr_add(x, tsr_multiply(2, x));
  const tsr_location *at = tsr__handle_peek(tsr_context_current(), y)->made;
  cr_expect_eq(at->line, __LINE__ - 2);
  cr_expect_str_eq(at->op, "tsr_add");
  cr_expect_str_eq(at->args, "x, tsr_multiply(2, x)");
  cr_expect_not_null(strstr(at->file, "test_macros.c"));
  cr_expect_not_null(strstr(at->function, "record_the_call_site"));
}

Test(macros, every_operation_is_a_function_too)
{
  tsr_array (*binary)(tsr_array, tsr_array) = tsr_subtract;
  tsr_array (*unary)(tsr_array) = tsr_negative;
  tsr_array x = tsr_full(TSR_SHAPE(2), 3), y = tsr_full(TSR_SHAPE(2), 1);
  EXPECT_VALUES(unary(binary(x, y)), TSR_SHAPE(2), -2, -2);
  EXPECT_VALUES((tsr_where)((tsr_less)(y, x), x, y), TSR_SHAPE(2), 3, 3);
  cr_expect_eq((tsr_item_f64)((tsr_sum)(x, TSR_ALL_AXES)), 6);
  EXPECT_VALUES((tsr_sum)(x, TSR_KEEPDIMS), TSR_SHAPE(1), 6);
  EXPECT_VALUES((tsr_linspace)(0, 2, 3, true, TSR_FLOAT64, 0), TSR_SHAPE(3), 0, 1, 2);
  EXPECT_VALUES(
      (tsr_pad)(x, TSR_SHAPE(1), TSR_SHAPE(0), "constant", tsr_box_int(7), TSR_NO_PADDING),
      TSR_SHAPE(3), 7, 3, 3);
  EXPECT_VALUES(tsr_abs(tsr_negative(x)), TSR_SHAPE(2), 3, 3);
  EXPECT_VALUES((tsr_abs)(tsr_negative(x)), TSR_SHAPE(2), 3, 3);
  EXPECT_VALUES(tsr_concat(TSR_ARRAYS(x, tsr_pow(x, 2))), TSR_SHAPE(4), 3, 3, 9, 9);
  cr_expect((tsr_allclose)(x, x, 0, 0, false));
  cr_expect_eq((tsr_assign)(x, y), TSR_OK);
  EXPECT_VALUES(x, TSR_SHAPE(2), 1, 1);
  tsr_array names[] = {
#define TSR_OP(NAME, name, ...) tsr_##name##_at(NULL, 0, NULL),
#include "kernel/ops/ops.def"
#undef TSR_OP
  };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) cr_expect_not(tsr_ok(names[i]));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "0 operands", "tsr_add takes 2 to 16");
}
