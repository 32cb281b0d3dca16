/* Loops, functions and the number of the points in the text of a kernel: values, that they are what
 * the text is when it is written out, and errors with their place. */
#include "array_test.h"

#include <math.h>

TestSuite(kernel_blocks, .init = begin, .fini = end, .timeout = 120);

static tsr_array numbers(void)
{
  return tsr_reshape(tsr_arange(6), TSR_SHAPE(2, 3));
}

/* A kernel of one input and one output. */
static tsr_array run(const char *text)
{
  return tsr_call(tsr_kernel_elementwise("f", "float64 x", "float64 z", text), numbers());
}

Test(kernel_blocks, loops)
{
  EXPECT_VALUES(run("z = 0.0\nfor k in range(3):\n  z += x\n  z += k"), TSR_SHAPE(2, 3), 3, 6, 9,
                12, 15, 18);
  EXPECT_VALUES(run("z = 0.0; y = 1\nfor k in range(1, 3): z += x; y *= 10\nz -= y"),
                TSR_SHAPE(2, 3), -100, -98, -96, -94, -92, -90);
  EXPECT_VALUES(run("z = x\nfor k in range(5, -2, -3):\n\n  # 5, 2, -1\n  z = 10*z + k"),
                TSR_SHAPE(2, 3), 519, 1519, 2519, 3519, 4519, 5519);
  EXPECT_VALUES(run("z = x\nfor k in range(0):\n  for j in range(2): z = 1\n  z = 2\nz += 1"),
                TSR_SHAPE(2, 3), 1, 2, 3, 4, 5, 6);
  EXPECT_VALUES(run("z = x\n"
                    "for k in range(2):\n"
                    "  for j in range(k + 1):\n"
                    "    z += 10*k + j\n"
                    "  z *= 2\n"
                    "z += k"),
                TSR_SHAPE(2, 3), 43, 47, 51, 55, 59, 63);
  EXPECT_VALUES(run("\tz = x\n\tm = 2\n\tfor k in range(m): for j in range(m + 1): z += 1"),
                TSR_SHAPE(2, 3), 6, 7, 8, 9, 10, 11);
  EXPECT_VALUES(run("z = x\nfor z in range(2): d = x\nz += d"), TSR_SHAPE(2, 3), 1, 2, 3, 4, 5, 6);
}

Test(kernel_blocks, a_loop_displaces_elements)
{
  tsr_function f = tsr_kernel_elementwise("blur", "raw float64 u, float64 x", "float64 z",
                                          "z = 0.0\n"
                                          "for k in range(-1, 2):\n"
                                          "  z += u[i + k] if i + k >= 0 and i + k < n else x\n"
                                          "  z += u[k + 1]");
  EXPECT_VALUES(tsr_call(f, tsr_arange(4), tsr_arange(4)), TSR_SHAPE(4), 4, 6, 9, 11);
}

/* The text must record what the other one records: the same operations, not only the same bits. */
static void expect_the_same_as(const char *text, const char *written)
{
  tsr_array x = tsr_add(tsr_sin(numbers()), 2);
  const char *const texts[2] = {text, written};
  uint64_t n[2];
  double values[2][6];
  for (int k = 0; k < 2; k++) {
    tsr_flush();
    tsr_context *c = tsr_context_current();
    const tsr_function f = tsr_kernel_elementwise("f", "T x", "T z", texts[k]);
    const uint64_t before = (uint64_t)c->window.n_ops;
    tsr_array z = tsr_call(f, x);
    n[k] = (uint64_t)c->window.n_ops - before;
    cr_assert_eq(tsr_to_host(z, values[k]), TSR_OK, "%s", tsr_last_error());
  }
  cr_expect_eq(n[0], n[1], "%d operations, not %d: %s", (int)n[0], (int)n[1], text);
  cr_expect_eq(memcmp(values[0], values[1], sizeof values[0]), 0, "%s", text);
}

Test(kernel_blocks, are_what_is_written_out)
{
  expect_the_same_as("z = x\nfor k in range(2, 5): z += x**k",
                     "z = x; z += x**2; z += x**3; z += x**4");
  expect_the_same_as("z = x\nfor k in range(3): z = k*z + -k",
                     "z = x; z = 0*z + 0; z = 1*z + -1; z = 2*z + -2");
  expect_the_same_as("def p(y, e): return y**e\nz = p(x, 3) + p(x, -1)", "z = x**3 + x**-1");
  expect_the_same_as("def f(a):\n  a = a*a\n  return a + 1\nz = f(f(x))",
                     "t = x*x + 1; z = t*t + 1");
}

Test(kernel_blocks, functions)
{
  EXPECT_VALUES(run("def sq(x): return x*x\nz = sq(x) - sq(sq(2))"), TSR_SHAPE(2, 3), -16, -15, -12,
                -7, 0, 9);
  EXPECT_VALUES(run("def far(a, b):\n"
                    "  d = b - a\n"
                    "  for k in range(2):\n"
                    "    d *= twice(k + 1)\n"
                    "  return a + d\n"
                    "def twice(v): return 2*v\n"
                    "d = 1\n"
                    "z = far(x, x + 1) + d"),
                TSR_SHAPE(2, 3), 9, 10, 11, 12, 13, 14);
  EXPECT_VALUES(run("def max(a): return a + i + n\nz = max(10) - x"), TSR_SHAPE(2, 3), 16, 16, 16,
                16, 16, 16);
  EXPECT_VALUES(run("def one(): return 1\nz = one() + (one() if x > 2 else 0)"), TSR_SHAPE(2, 3), 1,
                1, 1, 2, 2, 2);
  tsr_function f = tsr_kernel_elementwise("f", "raw float64 table, float64 x", "float64 z",
                                          "def at(t, k): return t[k] if k > 0 else -1.0\n"
                                          "z = at(table, i - 1) + x");
  EXPECT_VALUES(tsr_call(f, tsr_arange(4), tsr_arange(4)), TSR_SHAPE(4), -1, 0, 3, 5);
}

Test(kernel_blocks, the_number_of_points)
{
  EXPECT_VALUES(run("z = i/n + x"), TSR_SHAPE(2, 3), 0, 1 + 1 / 6.0, 2 + 2 / 6.0, 3.5, 4 + 4 / 6.0,
                5 + 5 / 6.0);
  tsr_function f = tsr_kernel_elementwise("f", "float32 x", "auto z", "z = x*n");
  tsr_array z = tsr_call(f, tsr_ones(TSR_SHAPE(2), TSR_FLOAT32));
  cr_expect_eq(tsr_dtype_of(z), TSR_FLOAT32, "a number of C's, and weak");
  EXPECT_VALUES(z, TSR_SHAPE(2), 2, 2);
  EXPECT_VALUES(tsr_call(f, 3), TSR_SHAPE(), 3);
  f = tsr_kernel_elementwise("own", "T x, T n", "T z", "z = x + n");
  EXPECT_VALUES(tsr_call(f, 1, 2), TSR_SHAPE(), 3);
  f = tsr_kernel_elementwise("own", "T x", "T z", "n = x*x; z = n");
  EXPECT_VALUES(tsr_call(f, 3), TSR_SHAPE(), 9);
  f = tsr_kernel_reduction("mean", "float64 x", "float64 y",
                           "def sq(a):\n  return a*a\nsq(x)\n  + sq(n)", "a + b", "a/n", 0);
  EXPECT_VALUES(tsr_call_axes(f, TSR_AXES(0), false, numbers()), TSR_SHAPE(3), 8.5, 12.5, 18.5);
  EXPECT_VALUES(tsr_call_axes(f, TSR_AXES(1), true, numbers()), TSR_SHAPE(2, 1), 9 + 5 / 3.0,
                9 + 50 / 3.0);
  EXPECT_VALUES(tsr_call(f, numbers()), TSR_SHAPE(), 36 + 55 / 6.0);
}

#define REFUSE(status, text, ...)                                                                  \
  do {                                                                                             \
    cr_expect_eq(tsr_kernel_elementwise("k", "float64 x", "float64 z", text).id, 0);               \
    EXPECT_ERROR(status, __VA_ARGS__);                                                             \
  } while (0)

Test(kernel_blocks, errors_of_loops)
{
  REFUSE(TSR_ERR_SYNTAX, "z = x\nfor k in range(1025):\n  z += x",
         "over 1024 turns of loops and calls of functions",
         "in kernel k:", "| for k in range(1025):", "| ^",
         "help: they are written out when the kernel is made");
  REFUSE(TSR_ERR_SYNTAX, "z = x\nfor k in range(32):\n  for j in range(32):\n    z += x",
         "over 1024 turns", "|   for j in range(32):", "|   ^");
  REFUSE(TSR_ERR_SYNTAX, "z = x\nfor k in range(-9223372036854775807, 9223372036854775807): z += 1",
         "over 1024 turns");
  REFUSE(TSR_ERR_SYNTAX, "z = x\nfor k in range(x): z += 1",
         "the count of a loop is a whole number that the text alone gives",
         "| for k in range(x): z += 1", "|                ^", "help: loops are written out");
  REFUSE(TSR_ERR_SYNTAX, "z = x\nfor k in range(n): z += 1", "that the text alone gives");
  REFUSE(TSR_ERR_SYNTAX, "z = x\nfor k in range(2/1): z += 1", "that the text alone gives");
  REFUSE(TSR_ERR_SYNTAX, "z = x\nfor k in range(1, 2, 0): z += 1",
         "the step of a range cannot be 0");
  REFUSE(TSR_ERR_SYNTAX, "z = x\nfor k in range(1, 2, 1, 1): z += 1", "expected `)`, not `,`");
  REFUSE(TSR_ERR_SYNTAX, "z = x\nfor k in x: z += 1", "expected `range`, not `x`", "|          ^",
         "help: `for k in range(8):` has 8 turns");
  REFUSE(TSR_ERR_SYNTAX, "z = x\nfor (int k = 0; k < 8; k++) z += 1", "`for` is not taken here",
         "help: `for k in range(8):` has 8 turns");
  REFUSE(TSR_ERR_SYNTAX, "z = x\nwhile z < 8: z += 1", "`while` is not taken here",
         "help: `for k in range(8):` has 8 turns");
  REFUSE(TSR_ERR_SYNTAX, "z = x\nfor k of range(2): z += 1", "expected `in`, not `of`");
  REFUSE(TSR_ERR_SYNTAX, "z = x\nfor k in range(2)\n  z += 1", "expected `:`, but the line ends");
  REFUSE(TSR_ERR_SYNTAX, "z = x\nfor k in range(2):; z += 1", "expected a statement");
  REFUSE(TSR_ERR_SYNTAX, "z = x\nfor k in range(2):\nz += 1",
         "expected a statement that is indented", "| z += 1", "| ^", "help: statements follow `:`");
  REFUSE(TSR_ERR_SYNTAX, "z = x\nfor k in range(2):", "but the text ends");
  REFUSE(TSR_ERR_SYNTAX, "z = x\nfor k in range(2):\n   z += 1\n  z += 2",
         "this line is indented as none before it", "|   z += 2", "|   ^");
  REFUSE(TSR_ERR_SYNTAX, "z = x\nfor k in range(0):\n  z = $", "`$` needs a number");
  REFUSE(TSR_ERR_NAME, "z = x\nfor i in range(2): z += 1", "`i` is the number of the point");
  REFUSE(TSR_ERR_NAME, "z = x\nfor x in range(2): z += 1", "`x` is an input");
  REFUSE(TSR_ERR_NAME, "z = x\nfor k in range(0): z += 1\nz += k", "no argument `k`");
  char deep[2048] = "z = x\n";
  for (int k = 0; k < 17; k++) sprintf(deep + strlen(deep), "for k%d in range(1): ", k);
  strcat(deep, "z += 1");
  REFUSE(TSR_ERR_SYNTAX, deep, "over 16 loops in one another");
}

Test(kernel_blocks, errors_of_functions)
{
  REFUSE(TSR_ERR_SYNTAX, "def f(a): return g(a)\ndef g(a): return f(a)\nz = f(x)",
         "`f` calls itself", "| def g(a): return f(a)", "|                  ^",
         "help: a function is written out");
  REFUSE(TSR_ERR_SYNTAX, "def f(a, b): return a\nz = f(x)", "`f` takes 2 values, not 1",
         "| z = f(x)", "|     ^");
  REFUSE(TSR_ERR_SYNTAX, "def f(): return 1\nz = f(1, 2)", "`f` takes 0 values, not 2");
  REFUSE(TSR_ERR_SYNTAX, "def f(a): return a\nz = f(a=x)", "takes its values in order",
         "|       ^");
  REFUSE(TSR_ERR_NAME, "def f(a): return a\nz = x", "the text does not call `f`", "|     ^");
  REFUSE(TSR_ERR_SYNTAX, "def f(a): b = a\nz = f(x)", "this function gives no value", "|     ^",
         "help: it ends with `return expression`");
  REFUSE(TSR_ERR_SYNTAX, "def f(a):\n  return a\n  a = 2\nz = f(x)",
         "a function ends with its `return`", "|   a = 2", "|   ^");
  REFUSE(TSR_ERR_SYNTAX, "def f(a):\n  for k in range(2): return a\nz = f(x)",
         "a function does not end in a loop");
  REFUSE(TSR_ERR_SYNTAX, "z = x\nfor k in range(2):\n  def f(a): return a", "outside of others");
  REFUSE(TSR_ERR_NAME, "def f(a): return a\ndef f(b): return b\nz = f(x)", "defined already");
  REFUSE(TSR_ERR_NAME, "def f(a, a): return a\nz = f(x, x)", "declared already");
  REFUSE(TSR_ERR_SYNTAX, "def f(a=1): return a\nz = f(x)", "expected `,` or `)`, not `=`");
  REFUSE(TSR_ERR_SYNTAX, "def if(a): return a\nz = x", "`if` is not taken here");
  REFUSE(TSR_ERR_NAME, "def f(a): return b\nb = 1\nz = f(x)", "no argument `b`",
         "| def f(a): return b", "|                  ^");
  REFUSE(TSR_ERR_SYNTAX, "def f(a): return a\nz = x\nreturn f(x)", "`return` is not taken here");
  REFUSE(TSR_ERR_SYNTAX,
         "def a(x): return x + x\ndef b(x): return a(a(x))\ndef c(x):\n  for k in range(400): x = "
         "b(x)\n"
         "  return x\nz = c(x)",
         "over 1024 turns");
  cr_expect_eq(tsr_kernel_reduction("r", "T x", "T y", "x", "a + b + n", "", 0).id, 0);
  EXPECT_ERROR(TSR_ERR_NAME, "no `n` where two values are joined", "in kernel r:", "| a + b + n");
}

/* Ranks. */

enum { N = 3000 };

static void compute(void *arg, int rank)
{
  double mine[N];
  tsr_array x = tsr_sin(tsr_arange(0.0, N, 1.0));
  tsr_function f = tsr_kernel_elementwise("series", "float64 x, raw float64 u", "float64 z",
                                          "def term(x, k):\n"
                                          "  return x**k / (k + 1)\n"
                                          "z = 0.0\n"
                                          "for k in range(1, 5):\n"
                                          "  z += term(x, k) * u[i - k] if i >= k else x\n"
                                          "z = z * i / n");
  tsr_array z = tsr_call(f, x, tsr_multiply(x, 3));
  cr_expect_eq(tsr_to_host(z, mine), TSR_OK, "%s", tsr_last_error());
  if (rank == 0) memcpy(arg, mine, sizeof mine);
}

Test(kernel_blocks, the_same_bits_on_ranks)
{
  static const char *const cut[] = {"replicate_max", "64", "tile_min", "64", NULL};
  static double one[N], many[N];
  cr_assert_eq(tsr_run_ranks(1, cut, compute, one), TSR_OK);
  for (int i = 0; i < N; i++) {
    const double x = sin(i);
    double want = 0;
    for (int k = 1; k < 5; k++) want += i >= k ? pow(x, k) / (k + 1) * 3 * sin(i - k) : x;
    cr_assert_float_eq(one[i], want * i / N, 1e-12, "%d", i);
  }
  for (int n = 2; n <= 4; n += 2) {
    memset(many, 0, sizeof many);
    cr_assert_eq(tsr_run_ranks(n, cut, compute, many), TSR_OK);
    cr_assert_eq(memcmp(one, many, sizeof one), 0, "%d ranks", n);
  }
}
