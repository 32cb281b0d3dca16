/* The macros over the operations: one evaluation per argument, in order; linear expansion; one
 * error for a wrong call. */
#include "array_test.h"

TestSuite(macros, .init = begin, .fini = end);

/* Runs the compiler on a program around `body`; what it prints in `out`. Returns its exit status.
 */
static int compile(const char *flags, const char *body, char *out, size_t size)
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
  snprintf(command, sizeof command, "cc -std=gnu11 -Wall -Wextra -I%s/include %s %s 2>&1",
           TESSERA_SOURCE_DIR, flags, name);
  FILE *cc = popen(command, "r");
  cr_assert_not_null(cc);
  size_t n = fread(out, 1, size - 1, cc);
  out[n] = 0;
  char rest[4096];
  while (fread(rest, 1, sizeof rest, cc) > 0) {
  }
  int status = pclose(cc);
  unlink(name);
  return WEXITSTATUS(status);
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
      {"tsr_sum", "return tsr_sum(x, TSR_AXES(0), TSR_KEEPDIMS, 1);"},
      {"tsr_zeros", "return tsr_zeros();"},
      {"tsr_zeros", "return tsr_zeros(TSR_SHAPE(1), TSR_INT32, 3);"},
      {"tsr_full", "return tsr_full(TSR_SHAPE(1));"},
      {"tsr_arange", "return tsr_arange(1, 2, 3, TSR_INT64, 5);"},
      {"tsr_slice", "return tsr_slice(x);"},
      {"tsr_transpose", "return tsr_transpose();"},
  };
  char out[32768];
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    cr_expect_neq(compile("-fsyntax-only", calls[i][1], out, sizeof out), 0, "%s", calls[i][1]);
    cr_expect_eq(count(out, "error:"), 1, "%s gives %s", calls[i][1], out);
    const char *error = strstr(out, "error:");
    cr_expect(error && strstr(error, calls[i][0]), "%s gives %s", calls[i][1], out);
  }
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
  const tsr_location *at = tsr__slot_peek(tsr_context_current(), y)->made;
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
