/* The text language: trees, names, error texts with carets, and that no text crashes the parser. */
#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/text/text.h"
#include "tests/support/draw.h"

static int count_args(const char *source)
{
  int n = *source != 0;
  for (const char *p = source; *p; p++) n += *p == ',';
  return n;
}

static char *tree(const char *text, bool is_exec, const char *source)
{
  tsr_text_error error = {0};
  tsr_script *s = tsr__script_parse(text, is_exec, count_args(source), source, &error);
  cr_assert(s != NULL, "%s: %s", text, error.what);
  char *t = tsr__script_text(s);
  tsr__script_destroy(s);
  return t;
}

Test(text_parse, trees)
{
  static const struct {
    const char *text, *source, *tree;
  } cases[] = {
      /* A chain of + or * without brackets is one node. */
      {"a + b + c + d", "a, b, c, d", "(+ a b c d)"},
      {"a + (b + c) + d", "a, b, c, d", "(+ a (+ b c) d)"},
      {"(a + b) + c", "a, b, c", "(+ (+ a b) c)"},
      {"a - b + c + d", "a, b, c, d", "(+ (- a b) c d)"},
      {"a + b - c + d", "a, b, c, d", "(+ (- (+ a b) c) d)"},
      {"2*a*b/c*d", "a, b, c, d", "(* (/ (* 2 a b) c) d)"},
      {"a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a", "a", "(+ (+ a a a a a a a a a a a a a a a a) a a)"},
      /* Python's precedence. */
      {"a + b*c", "a, b, c", "(+ a (* b c))"},
      {"-a**2", "a", "(- (** a 2))"},
      {"2**-a", "a", "(** 2 (- a))"},
      {"a**b**c", "a, b, c", "(** a (** b c))"},
      {"-a*b", "a, b", "(* (- a) b)"},
      {"a - -3 + +b", "a, b", "(+ (- a -3) (+ b))"},
      {"-2**2 + a", "a", "(+ (- (** 2 2)) a)"},
      {"(-2)**2 + a", "a", "(+ (** -2 2) a)"},
      {"a < b + 1", "a, b", "(< a (+ b 1))"},
      {"(a > 0) & (b <= 1) | ~c", "a, b, c", "(| (& (> a 0) (<= b 1)) (~ c))"},
      {"a & b == c", "a, b, c", "(== (& a b) c)"},
      {"1/2 == 0.5*a", "a", "(== (/ 1 2) (* 0.5f a))"},
      {"a[7 // 2 % 3]", "a", "(slice a (% (// 7 2) 3))"},
      /* Numbers. */
      {"1e-3*a + 1.5e+2 + .5 + 2. + True", "a", "(+ (* 0.001f a) 150f 0.5f 2f True)"},
      {"np.pi*a", "a", "(* 3.1415926535897931f a)"},
      {"a + 0x1F + 0XfF + 0o17 + 0B101", "a", "(+ a 31 255 15 5)"},
      {"a*1_000 + 1_0.5_0 + 0x_ff + 00", "a", "(+ (* a 1000) 10.5f 255 0)"},
      {"a + 18446744073709551615 - 0x8000000000000000", "a",
       "(- (+ a 18446744073709551615) 9223372036854775808)"},
      {"a + -9223372036854775808 - -0x8000000000000000", "a",
       "(- (+ a -9223372036854775808) -9223372036854775808)"},
      {"a - 9223372036854775807", "a", "(- a 9223372036854775807)"},
      /* Parts, and other names. */
      {"a.real + a.imag.T - a[0].conj() + a.T.conjugate()", "a",
       "(+ (- (+ (real a) (transpose (imag a))) (conj (slice a 0))) (conj (transpose a)))"},
      {"np.conjugate(a) + mod(a, 2) + radians(a) + acos(a)", "a",
       "(+ (conj a) (remainder a 2) (deg2rad a) (arccos a))"},
      /* Slices. */
      {"a[1:-1, ::2]", "a", "(slice a 1:-1 ::2)"},
      {"a[(1, -1)] + a[((0, ...))]", "a", "(+ (slice a 1 -1) (slice a 0 ...))"},
      {"sum(a, axis=((0, 1))) + a.sum(((0)))", "a", "(+ (sum a axis=0,1) (sum a axis=0))"},
      {"zeros(((2, 3))) + ones((([4])))", "", "(+ (zeros 2 3) (ones 4))"},
      {"roll(a, ((a[0, 1] + 1), 2))", "a", "(roll a (+ (slice a 0 1) 1) 2)"},
      {"pad(a, ((1, 2), (3, 4))) + pad(a, ((1, 2)))", "a", "(+ (pad a 1 2 3 4) (pad a 1 2))"},
      {"a[..., None, newaxis, i+1:2*n, -i]", "a, i, n",
       "(slice a ... newaxis newaxis (+ i 1):(* 2 n) (- i))"},
      {"(a + b)[0][:, 1]", "a, b", "(slice (slice (+ a b) 0) : 1)"},
      {"$1[$2:] + $1[ : -$2 ,]", "a, n", "(+ (slice a n:) (slice a :(- n)))"},
      /* Calls. */
      {"sqrt(a*a + b*b)", "a, b", "(sqrt (+ (* a a) (* b b)))"},
      {"np.maximum(a, numpy.abs(b))", "a, b", "(maximum a (absolute b))"},
      {"add(a, b, c)", "a, b, c", "(add a b c)"},
      {"where(a > 0, 1, b)", "a, b", "(where (> a 0) 1 b)"},
      {"sum(a)", "a", "(sum a)"},
      {"sum(a, axis=(0, -1), keepdims=True)", "a", "(sum a axis=0,-1 keepdims=True)"},
      {"a.max(0) - a.min(axis=None, keepdims=False)", "a",
       "(- (max a axis=0) (min a keepdims=False))"},
      {"mean(a, (0,1,), dtype=np.float32)", "a", "(mean a axis=0,1 dtype=float32)"},
      {"a.T.astype(int32).sum(axis=k)", "a, k", "(sum (int32 (transpose a)) axis=k)"},
      {"float32(a) + transpose(b) + b.transpose()", "a, b",
       "(+ (float32 a) (transpose b) (transpose b))"},
      {"max + sum(max)", "max", "(+ max (sum max))"},
      /* An expression may run over lines and have comments. */
      {"a + # the first\n  b\n", "a, b", "(+ a b)"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char *t = tree(cases[k].text, false, cases[k].source);
    cr_assert_str_eq(t, (char *)cases[k].tree);
    free(t);
  }
}

Test(text_parse, statements)
{
  char *t =
      tree("u[1:-1] += dt*v; v = u ;;\n# nothing\n\n  u.T[0] /= (1 +\n 2)\n", true, "u, v, s->dt");
  cr_assert_str_eq(t,
                   "(+= (slice u 1:-1) (* dt v))\n(= v u)\n(/= (slice (transpose u) 0) (+ 1 2))");
  free(t);
}

Test(text_parse, several_targets)
{
  char *t =
      tree("u, v[0] = divmod(u, v); u = split(v, (1, 2))[-1]; ((u, v,)) = modf(u)", true, "u, v");
  cr_assert_str_eq(t, "(= u (result (divmod u v) 0))\n(= (slice v 0) (result (divmod u v) 1))\n"
                      "(= u (result (split v 1 2) -1))\n(= u (result (modf u) 0))\n"
                      "(= v (result (modf u) 1))");
  free(t);
}

Test(text_parse, names_of_arguments)
{
  static const struct {
    const char *source, *names;
  } cases[] = {
      {"u, s->dt, p.u, &x, *y", "u dt u x y"},
      {"a[i], (double)n, (k), &g->h.w[2][j], ns::z", "a n k w z"},
      {"a + b, 2*c, f(x), 1.0, -d", "- - - - -"},
      {"\"text, with (commas\", u, ((v))", "u v"},
      {"tsr_slice(u, \"0, :\"), u", "- u"},
      {"sizeof x, (x), ',', \"a\\\"b\"", "- x - -"},
      {"", "- -"},
      {"u", "- -"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    int n = 1;
    for (const char *p = cases[k].names; *p; p++) n += *p == ' ';
    char *names[8], got[128] = "";
    tsr__text_names(cases[k].source, n, names);
    for (int i = 0; i < n; i++) {
      if (i > 0) strcat(got, " ");
      strcat(got, names[i] ? names[i] : "-");
      free(names[i]);
    }
    cr_assert_str_eq(got, (char *)cases[k].names, "%s", cases[k].source);
  }
}

/* "what | line | caret | help" of the error of a text. */
static char *error_of(const char *text, bool is_exec, const char *source, tsr_status *status)
{
  tsr_text_error error = {0};
  tsr_script *s = tsr__script_parse(text, is_exec, count_args(source), source, &error);
  cr_assert(s == NULL, "`%s` parses", text);
  tsr_error e = {0};
  tsr__error_begin(&e, error.status, NULL, "%s", error.what);
  tsr__text_tell(&e, text, &error);
  char *all = tsr__error_text(&e, "rank 0", false);
  tsr__error_clear(&e);
  *status = error.status;
  cr_assert(error.at == SIZE_MAX || error.at <= strlen(text));
  return all;
}

typedef struct error_case {
  const char *text, *source;
  tsr_status status;
  const char *what;
  int caret;        /* column in its line, -1: none */
  const char *help; /* NULL: any */
} error_case;

static void check_errors(const error_case *cases, size_t n, bool is_exec)
{
  for (size_t k = 0; k < n; k++) {
    const error_case *c = &cases[k];
    tsr_status status;
    char *got = error_of(c->text, is_exec, c->source, &status);
    cr_assert_eq(status, c->status, "%s", got);
    cr_assert(strstr(got, c->what) != NULL, "%s: wanted `%s`, got\n%s", c->text, c->what, got);
    if (c->help) cr_assert(strstr(got, c->help) != NULL, "wanted `%s`, got\n%s", c->help, got);
    const char *caret = strstr(got, " ^\n");
    cr_assert_eq(caret != NULL, c->caret >= 0, "%s", got);
    if (caret) {
      const char *line = caret;
      while (line[-1] != '\n') line--;
      const char *bar = strstr(line, "| ");
      cr_assert_eq((int)(caret + 1 - bar) - 2, c->caret, "%s", got);
    }
    free(got);
  }
}

Test(text_parse, errors_of_expressions)
{
  static const error_case cases[] = {
      {"", "", TSR_ERR_SYNTAX, "expected a value, but the text ends", 0, NULL},
      {"u +", "u", TSR_ERR_SYNTAX, "expected a value, but the text ends", 3, NULL},
      {"u + * u", "u", TSR_ERR_SYNTAX, "expected a value, not `*`", 4, NULL},
      {"(u + 1", "u", TSR_ERR_SYNTAX, "expected `)`, but the text ends", 6, NULL},
      {"u + 1)", "u", TSR_ERR_SYNTAX, "expected an operator or the end of the text, not `)`", 5,
       NULL},
      {"u u", "u", TSR_ERR_SYNTAX, "not `u`", 2, NULL},
      {"u; u", "u", TSR_ERR_SYNTAX, "but the statement ends", 1,
       "tsr_eval takes one expression; tsr_exec takes statements"},
      {"u = 1", "u", TSR_ERR_SYNTAX, "`=` is not taken here", 2, "`==` compares"},
      {"u += 1", "u", TSR_ERR_SYNTAX, "not `+=`", 2, "tsr_exec takes statements"},
      {"(u, 1)", "u", TSR_ERR_SYNTAX, "there are no tuples of values here", 2, NULL},
      {"u @ @ u", "u", TSR_ERR_SYNTAX, "not `@`", 4, NULL},
      {"u ? 1 : 2", "u", TSR_ERR_SYNTAX, "", 2, NULL},
      {"1.5.2*u", "u", TSR_ERR_SYNTAX, "not `.2`", 3, NULL},
      {"3x + u", "u", TSR_ERR_SYNTAX, "a number ends here, and a name cannot follow it", 1, NULL},
      {"0x1g*u", "u", TSR_ERR_SYNTAX, "a name cannot follow", 3, NULL},
      {"u*0b12", "u", TSR_ERR_SYNTAX, "a name cannot follow", 5, NULL},
      {"u*0x", "u", TSR_ERR_SYNTAX, "digits of base 16 are missing", 2, NULL},
      {"u*1__0", "u", TSR_ERR_SYNTAX, "a name cannot follow", 3, NULL},
      {"u + 0x10000000000000000", "u", TSR_ERR_SYNTAX, "does not fit in 64 bits", 4, NULL},
      {"u + 18446744073709551616", "u", TSR_ERR_SYNTAX, "does not fit in 64 bits", 4, NULL},
      {"u.real() + 1", "u", TSR_ERR_SYNTAX, "not `(`", 6, NULL},
      {"u.conj + 1", "u", TSR_ERR_SYNTAX, "expected `(`, not `+`", 7, NULL},
      {"u.conj(1)", "u", TSR_ERR_SYNTAX, "expected `)`, not `1`", 7, NULL},
      {"pad(u, ((1, (2, 3)), 1))", "u", TSR_ERR_SYNTAX, "no tuples of values here", 14, NULL},
      {"tril(u, 0.5)", "u", TSR_ERR_SYNTAX, "`k` is a whole number", 8, NULL},
      {"010*u", "u", TSR_ERR_SYNTAX, "a whole number does not begin with 0", 0, NULL},
      {"99999999999999999999*u", "u", TSR_ERR_SYNTAX, "does not fit in 64 bits", 0, NULL},
      {"u > 1 ? 1 : u", "u", TSR_ERR_SYNTAX, "a choice is `where(condition, a, b)`", 6, NULL},
      {"u + \xc3\xa9", "u", TSR_ERR_SYNTAX, "this character has no meaning here", 4, NULL},
      {"u + 'a'", "u", TSR_ERR_SYNTAX, "a string is no value", 4, "only functions take strings"},
      {"u + 'a", "u", TSR_ERR_SYNTAX, "this string does not end", 4, NULL},
      {"reshape(u, 2.5)", "u", TSR_ERR_SYNTAX, "`shape` is a whole number", 11, NULL},
      {"reshape(u)", "u", TSR_ERR_SYNTAX, "`reshape` misses its `shape`", 0, NULL},
      {"reshape(u, 2, 3)", "u", TSR_ERR_SYNTAX, "`reshape` does not take NumPy's `order`", 14,
       "its parameters are a, shape; elements are in row-major order, several lengths are a tuple"},
      {"tile(u, 2, 3)", "u", TSR_ERR_SYNTAX, "`tile` takes at most 2 values", 11,
       "its parameters are A, reps"},
      {"zeros(3, kind=u)", "u", TSR_ERR_SYNTAX, "`zeros` has no option `kind`", 9,
       "its parameters are shape, dtype"},
      {"roll(u, 1, shift=2)", "u", TSR_ERR_SYNTAX, "`shift` is given twice", 11, NULL},
      {"roll(u, shift=1, 2)", "u", TSR_ERR_SYNTAX, "a value cannot follow an option", 17, NULL},
      {"stack(u)", "u", TSR_ERR_SYNTAX, "expected a list such as `[x, y]`, not `u`", 6, NULL},
      {"einsum(u, u)", "u", TSR_ERR_SYNTAX, "expected a string, not `u`", 7, NULL},
      {"einsum('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
       "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', u)",
       "u", TSR_ERR_SYNTAX, "the string has more than 126 characters", 7, NULL},
      {"u.zeros(3)", "u", TSR_ERR_NAME, "arrays have no method `zeros` here", 2, "is a function"},
      {"{u}", "u", TSR_ERR_SYNTAX, "there are no braces", 0, NULL},
      {"u + $", "u", TSR_ERR_SYNTAX, "`$1` is the first argument", 4, NULL},
      /* What other languages have. */
      {"u > 0 and u < 1", "u", TSR_ERR_SYNTAX, "`and` is not taken here", 6, "logical_and(x, y)"},
      {"u or u", "u", TSR_ERR_SYNTAX, "`or` is not taken here", 2, "logical_or(x, y)"},
      {"not u", "u", TSR_ERR_SYNTAX, "`not` is not taken here", 0, "`~x`"},
      {"1 if u else 2", "u", TSR_ERR_SYNTAX, "`if` is not taken here", 2, "where(condition, x, y)"},
      {"u && u", "u", TSR_ERR_SYNTAX, "`&&` is not taken here", 2, "`&` joins bool arrays"},
      {"u || u", "u", TSR_ERR_SYNTAX, "`||` is not taken here", 2, "`|` joins bool arrays"},
      {"!u", "u", TSR_ERR_SYNTAX, "expected a value, not `!`", 0, "`~x`"},
      {"u + [1, 2]", "u", TSR_ERR_SYNTAX, "expected a value, not `[`", 4, "tsr_from_host"},
      {"u.astype('float12')", "u", TSR_ERR_SYNTAX, "there is no dtype `float12`", 9, "float16"},
      {"u.astype('')", "u", TSR_ERR_SYNTAX, "there is no dtype ``", 9, "float16"},
      {"s->u", "u", TSR_ERR_NAME, "there is no argument `s`", 0, NULL},
      {"u->v", "u", TSR_ERR_SYNTAX, "`->` is not needed here", 1, "`s->dt` is `dt`"},
      {"0 < u < 1", "u", TSR_ERR_SYNTAX, "comparisons do not chain", 6,
       "help: write `(0 < u) & (u < 1)`\n"},
      {"0 < 1 < u", "u", TSR_ERR_SYNTAX, "comparisons do not chain", 6, "`(0 < 1) & (1 < u)`"},
      {"-1 <= u+1 != 2*u", "u", TSR_ERR_SYNTAX, "comparisons do not chain", 10,
       "write `(-1 <= u+1) & (u+1 != 2*u)`"},
      {"u > 0 & u > 1", "u", TSR_ERR_SYNTAX, "comparisons do not chain", 10,
       "write `(u > 0) & (u > 1)`; `&` and `|` bind tighter"},
      {"u > 0 | (u > 1) == u", "u", TSR_ERR_SYNTAX, "comparisons do not chain", 16,
       "write `(u > 0) | ((u > 1) == u)`"},
      {"u > 0 < u[0, 1] + u[0, 1] + u[0, 1] + u[0, 1]", "u", TSR_ERR_SYNTAX,
       "comparisons do not chain", 6, "write (a < b) & (b < c)"},
      {"0 < u <", "u", TSR_ERR_SYNTAX, "expected a value, but the text ends", 7, NULL},
      {"u[()]", "u", TSR_ERR_SYNTAX, "the slice is empty", 3, "`[...]` takes the whole array"},
      {"u[(0, 1), 2]", "u", TSR_ERR_SYNTAX, "expected `]`, not `,`", 8, NULL},
      {"u[(0, 1]", "u", TSR_ERR_SYNTAX, "expected", 7, NULL},
      {"zeros(((2, 3) + 1))", "", TSR_ERR_SYNTAX, "expected `)`, not `+`", 14, NULL},
  };
  check_errors(cases, sizeof cases / sizeof *cases, false);
}

Test(text_parse, errors_of_slices_and_calls)
{
  static const error_case cases[] = {
      {"u[]", "u", TSR_ERR_SYNTAX, "the slice is empty", 2, "`[...]` takes the whole array"},
      {"u[1", "u", TSR_ERR_SYNTAX, "expected `,` or `]`, but the text ends", 3, NULL},
      {"u[1:2:0]", "u", TSR_ERR_SYNTAX, "the step of a slice cannot be 0", 6, NULL},
      {"u[1.5]", "u", TSR_ERR_SYNTAX, "a slice takes whole numbers", 2, NULL},
      {"u[..., ...]", "u", TSR_ERR_SYNTAX, "a slice has only one `...`", 7, NULL},
      {"u[,1]", "u", TSR_ERR_SYNTAX, "expected an index, `:` or `...`, not `,`", 2, NULL},
      {"u[i]", "u", TSR_ERR_NAME, "there is no argument `i`", 2, NULL},
      {"u[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]", "u", TSR_ERR_SYNTAX,
       "a slice has at most 32 items", 63, NULL} /* a long line is cut around its caret */,
      /* Calls. */
      {"sqr(u)", "u", TSR_ERR_NAME, "there is no function `sqr`", 0, "did you mean `sqrt`?"},
      {"np.maximun(u, 1)", "u", TSR_ERR_NAME, "no function `maximun`", 3, "`maximum`"},
      {"tsr_exp(u)", "u", TSR_ERR_NAME, "no function `tsr_exp`", 0, "did you mean `exp`?"},
      {"u(1)", "u", TSR_ERR_NAME, "no function `u`", 0, "`u` is an argument of the call"},
      {"sqrt(u, u)", "u", TSR_ERR_SYNTAX, "`sqrt` does not take NumPy's `out`", 8,
       "its parameters are x; assign the result: `u[...] = …`"},
      {"sqrt(u, where=u)", "u", TSR_ERR_SYNTAX, "`sqrt` does not take NumPy's `where`", 14,
       "where(condition, x, y) chooses"},
      {"sqrt(x=u)", "u", TSR_ERR_SYNTAX, "`sqrt` takes `x` by place, without its name", 5, NULL},
      {"linspace(0, 1, 5, True, True)", "", TSR_ERR_SYNTAX,
       "`linspace` does not take NumPy's `retstep`", 24,
       "its parameters are start, stop, num, endpoint, dtype"},
      {"ravel(u, 'F')", "u", TSR_ERR_SYNTAX, "`ravel` does not take NumPy's `order`", 9,
       "elements are in row-major order"},
      {"ravel(u, axis=0)", "u", TSR_ERR_SYNTAX, "`ravel` has no option `axis`", 9,
       "its parameters are a"},
      {"copy(u, order=3)", "u", TSR_ERR_SYNTAX, "expected True, False or a string, not `3`", 14,
       NULL},
      {"diff(u, 1.5)", "u", TSR_ERR_SYNTAX, "`n` is a whole number", 8, NULL},
      {"trace(u, 1, -1, 0, int8, u)", "u", TSR_ERR_SYNTAX, "`trace` does not take NumPy's `out`",
       25, "its parameters are a, offset, axis1"},
      {"norm(u, 'fro')", "u", TSR_ERR_SYNTAX, "a string is no value", 8, NULL},
      {"clip(u, 1, min=2)", "u", TSR_ERR_SYNTAX, "`clip` has its lower bound twice", 0, NULL},
      {"sum(u, axis=None, axis=0)", "u", TSR_ERR_SYNTAX, "`axis` is given twice", 18, NULL},
      {"sqrt()", "", TSR_ERR_SYNTAX, "`sqrt` misses its `x`", 0, NULL},
      {"add(u)", "u", TSR_ERR_SYNTAX, "`add` takes 2 to 16 values, not 1", 0, NULL},
      {"where(u, 1)", "u", TSR_ERR_SYNTAX, "`where` takes 3 values, not 2", 0, NULL},
      {"sum()", "", TSR_ERR_SYNTAX, "`sum` misses its `a`", 0, NULL},
      {"sum(u, axs=0)", "u", TSR_ERR_SYNTAX, "`sum` has no option `axs`", 7,
       "its parameters are a, axis, dtype, keepdims"},
      {"max(u, dtype=int32)", "u", TSR_ERR_SYNTAX, "`max` has no option `dtype`", 7, NULL},
      {"sqrt(u, dtype=float32)", "u", TSR_ERR_SYNTAX, "`sqrt` does not take NumPy's `dtype`", 14,
       "x.astype(float32)"},
      {"sum(u, axis=0.5)", "u", TSR_ERR_SYNTAX, "`axis` is a whole number", 12, NULL},
      {"sum(u, axis=(,))", "u", TSR_ERR_SYNTAX, "expected a value, not `,`", 13, NULL},
      {"sum(u, 0, axis=1)", "u", TSR_ERR_SYNTAX, "`axis` is given twice", 10, NULL},
      {"sum(axis=0, u)", "u", TSR_ERR_SYNTAX, "a value cannot follow an option", 12, NULL},
      {"sum(u, keepdims=2)", "u", TSR_ERR_SYNTAX, "`keepdims` is True or False", 16, NULL},
      {"sum(u, dtype=float9)", "u", TSR_ERR_SYNTAX, "there is no dtype `float9`", 13,
       "the dtypes are bool, int8 to int64, uint8"},
      {"mean(u, dtype=int32)", "u", TSR_ERR_SYNTAX, "the dtype of `mean` is a float or complex", 14,
       NULL},
      {"u.flags", "u", TSR_ERR_NAME, "arrays have no method `flags` here", 2, NULL},
      {"u.shape", "u", TSR_ERR_SYNTAX, "`shape` is a tuple, and no value here", 2,
       "`x.shape[0]` is a length; zeros_like(x) has the shape of x"},
      {"u.shape[:2]", "u", TSR_ERR_SYNTAX, "expected a value, not `:`", 8, NULL},
      {"u.shape[0:2]", "u", TSR_ERR_SYNTAX, "one length at a time", 9, NULL},
      {"u.size()", "u", TSR_ERR_SYNTAX, "not `(`", 6, NULL},
      {"u.dtype", "u", TSR_ERR_NAME, "no method `dtype` here", 2, "tsr_dtype_of(x) tells it in C"},
      {"u.fill(3)", "u", TSR_ERR_NAME, "no method `fill` here", 2, "`x[...] = value` fills x"},
      {"u.sort()", "u", TSR_ERR_NAME, "`numpy.ndarray.sort` is not in Tessera yet", 2,
       "docs/numpy.md lists what is there"},
      {"u.item()", "u", TSR_ERR_NAME, "`numpy.ndarray.item` is not in text", 2,
       "call `tsr_item_f64` in C"},
  };
  check_errors(cases, sizeof cases / sizeof *cases, false);
}

Test(text_parse, names_of_numpy_that_text_lacks)
{
  static const error_case cases[] = {
      {"sort(u)", "u", TSR_ERR_NAME, "`numpy.sort` is not in Tessera yet", 0,
       "docs/numpy.md lists what is there"},
      {"np.sort(u)", "u", TSR_ERR_NAME, "`numpy.sort` is not in Tessera yet", 3, NULL},
      {"np.matrix(u)", "u", TSR_ERR_NAME, "`numpy.matrix` is not in Tessera\n", 3, NULL},
      {"can_cast(u, u)", "u", TSR_ERR_NAME, "`numpy.can_cast` is not in text", 0,
       "call `tsr_can_cast` in C, and give the text what it returns"},
      {"linalg.solve(u, u)", "u", TSR_ERR_NAME, "`numpy.linalg.solve` is not in Tessera yet", 7,
       NULL},
      {"u + np.fft.fft(u)", "u", TSR_ERR_NAME, "`numpy.fft.fft` is not in Tessera yet", 11, NULL},
      {"np.random.normal(0, 1)", "", TSR_ERR_NAME, "`numpy.random.normal` is not in text", 10,
       "call `tsr_rng_normal` in C"},
      {"np.linalg.normm(u)", "u", TSR_ERR_NAME, "no function `normm`", 10, "`linalg.norm`"},
      {"np.add.outer[u]", "u", TSR_ERR_SYNTAX, "`add.outer` is a function, and no value", 3,
       "call it, `add.outer(x, y)`"},
      {"np.add.reduceat(u, u)", "u", TSR_ERR_NAME, "`numpy.add.reduceat` is not in text", 3,
       "Python has it"},
      {"interp(u, u, u)", "u", TSR_ERR_NAME, "`numpy.interp` is not in text", 0,
       "Python has it (`import tessera`); text and C do not"},
      {"add.at", "", TSR_ERR_NAME, "`numpy.add.at` is not in text", 0,
       "tsr_exec writes slices, `x[2:5] += y`"},
      {"add.foo(u, u)", "u", TSR_ERR_NAME, "NumPy has no `add.foo`", 0, NULL},
      {"save('x', u)", "u", TSR_ERR_NAME, "`numpy.save` is not in text", 0,
       "call `tsr_save_npy` in C\n"},
      {"u.tolist()", "u", TSR_ERR_NAME, "`numpy.ndarray.tolist` is not in text", 2,
       "call `tsr_to_host` in C\n"},
      {"u.tobytes()", "u", TSR_ERR_NAME, "is not in text", 2, "call `tsr_to_host` in C\n"},
      {"np.sum", "", TSR_ERR_NAME, "`sum` is a function, and no value", 3, "call it, `sum(x)`"},
      {"u + np.add", "u", TSR_ERR_NAME, "`add` is a function, and no value", 7,
       "call it, `add(x)`"},
      {"np.float32", "", TSR_ERR_NAME, "`float32` is a function, and no value", 3,
       "call it, `float32(x)`"},
      {"np.linalg.norm", "", TSR_ERR_NAME, "`linalg.norm` is a function, and no value", 10,
       "call it, `linalg.norm(x)`"},
      {"0 < u <= 1 < 2", "u", TSR_ERR_SYNTAX, "comparisons do not chain", 6,
       "write (a < b) & (b < c); "},
      {"np.ma.array(u)", "u", TSR_ERR_NAME, "`numpy.ma.array` is not in Tessera\n", 3, NULL},
      {"np.add.3", "", TSR_ERR_NAME, "`add` is a function, and no value", 3, NULL},
      {"np.add.", "", TSR_ERR_SYNTAX, "expected a name, but the text ends", 7, NULL},
      {"u.sqrt()", "u", TSR_ERR_NAME, "arrays have no method `sqrt` here", 2, "write `sqrt(x)`"},
      {"u.3", "u", TSR_ERR_SYNTAX, "not `.3`", 1, NULL},
  };
  check_errors(cases, sizeof cases / sizeof *cases, false);
}

Test(text_parse, errors_of_names)
{
  static const error_case cases[] = {
      {"uu + vel", "uu, velo", TSR_ERR_NAME, "there is no argument `vel`", 5,
       "did you mean `velo`?"},
      {"w + u", "u, a+b", TSR_ERR_NAME, "there is no argument `w`", 0,
       "the arguments of the call are `u`, `$2`"},
      {"w", "", TSR_ERR_NAME, "there is no argument `w`", 0, "the call gives no arguments"},
      {"sqrt + u", "u", TSR_ERR_NAME, "there is no argument `sqrt`", 0, "call it, `sqrt(x)`"},
      {"true", "", TSR_ERR_NAME, "there is no argument `true`", 0, "did you mean `True`?"},
      {"u*2", "u, v", TSR_ERR_NAME, "the text does not use argument 2, `v`", -1, "write `$2`"},
      {"u*2", "u, v+1", TSR_ERR_NAME, "the text does not use argument 2", -1, NULL},
      {"$3", "u", TSR_ERR_NAME, "there is no argument `$3`", 0, "the call has 1 argument"},
      {"$0", "u", TSR_ERR_NAME, "there is no argument `$0`", 0, NULL},
      {"u + 1", "p->u, q->u", TSR_ERR_NAME, "`u` names two arguments", 0, "write `$1` or `$2`"},
      {"u\n + 2*\n  w", "u", TSR_ERR_NAME, "there is no argument `w`", 2, NULL},
  };
  check_errors(cases, sizeof cases / sizeof *cases, false);
}

Test(text_parse, errors_of_statements)
{
  static const error_case cases[] = {
      {"", "", TSR_ERR_SYNTAX, "the text has no statement", 0, NULL},
      {" ; \n", "", TSR_ERR_SYNTAX, "the text has no statement", 0, NULL},
      {"u + 1", "u", TSR_ERR_SYNTAX,
       "expected `=`, `+=`, `-=`, `*=`, `/=`, `//=`, `%=`, `**=`, `@=`, `&=`, `|=`, `^=`, `<<=` "
       "or `>>=`, "
       "but the text ends",
       5, NULL},
      {"u ** 2 = 1", "u", TSR_ERR_SYNTAX, "only an array argument or a slice of one", 0, NULL},
      {"2 = u", "u", TSR_ERR_SYNTAX, "only an array argument or a slice of one", 0, NULL},
      {"u == 2", "u", TSR_ERR_SYNTAX, "expected `=`, `+=`, ", 6, NULL},
      {"u >= 2", "u", TSR_ERR_SYNTAX, "`<<=` or `>>=`", 6, NULL},
      {"u[1j] = 2", "u", TSR_ERR_SYNTAX, "a slice takes whole numbers", 2, NULL},
      {"u = sum(u, axis=1j)", "u", TSR_ERR_SYNTAX, "`axis` is a whole number", 16, NULL},
      {"u = 1jj", "u", TSR_ERR_SYNTAX, "a number ends here", 5, NULL},
      {"u = u = 1", "u", TSR_ERR_SYNTAX, "`=` is not taken here", 6, NULL},
      {"u = 1 u = 2", "u", TSR_ERR_SYNTAX, "expected an operator, `;` or the end of the line", 6,
       NULL},
      {"(u, v = modf(u)", "u, v", TSR_ERR_SYNTAX, "there are no tuples of values here", 2, NULL},
      {"() = modf(u)", "u", TSR_ERR_SYNTAX, "expected a value, not `)`", 1, NULL},
      {"(u, v) += modf(u)", "u, v", TSR_ERR_SYNTAX, "expected `=` behind several targets", 7, NULL},
      {"u, v @= u", "u, v", TSR_ERR_SYNTAX, "expected `=` behind several targets", 5, NULL},
      {"u, v = u + v", "u, v", TSR_ERR_SYNTAX, "one value for 2 targets", 7,
       "divmod, modf, frexp, meshgrid"},
      {"u, v = 1 + divmod(u, v)", "u, v", TSR_ERR_SYNTAX, "one value for 2 targets", 7, NULL},
      {"u, v += divmod(u, v)", "u, v", TSR_ERR_SYNTAX, "expected `=` behind several targets", 5,
       NULL},
      {"u, 2 = divmod(u, v)", "u, v", TSR_ERR_SYNTAX, "only an array argument or a slice", 3, NULL},
      {"u = divmod(u, v)", "u, v", TSR_ERR_SYNTAX, "`divmod` gives several results", 4,
       "`divmod(…)[0]`, or assign them: `a, b = divmod(…)`"},
      {"u, v = divmod(u, v) + 1", "u, v", TSR_ERR_SYNTAX, "`divmod` gives several results", 7,
       NULL},
      {"u = split(u, 2)[v]", "u, v", TSR_ERR_SYNTAX, "expected the number of a result, not `v`", 16,
       NULL},
      {"u, v = split(u, 2)[0]", "u, v", TSR_ERR_SYNTAX, "one value for 2 targets", 7, NULL},
      {"u, v = meshgrid()", "u, v", TSR_ERR_SYNTAX, "`meshgrid` misses its `xi`", 7, NULL},
      {"u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u = split(u, 17)", "u", TSR_ERR_SYNTAX,
       "at most 16 targets", 48, NULL},
      {"u = 1 +\nu = 2", "u", TSR_ERR_SYNTAX, "expected a value, but the line ends", 7, NULL},
      {"u = 1 + ;", "u", TSR_ERR_SYNTAX, "expected a value, but the statement ends", 8, NULL},
      {"u = 1\nt = 2", "u", TSR_ERR_NAME, "there is no argument `t`", 0,
       "a new one is made by `tsr_array t = tsr_eval(…)`"},
      {"u = 1; u[0] = v", "u", TSR_ERR_NAME, "there is no argument `v`", 14, NULL},
  };
  check_errors(cases, sizeof cases / sizeof *cases, true);
}

static void check_nesting(const char *open, const char *close, int n, bool good)
{
  char *text = calloc(1, (size_t)n * (strlen(open) + strlen(close)) + 8), *end = text;
  for (int i = 0; i < n; i++) end = stpcpy(end, open);
  *end++ = 'u';
  for (int i = 0; i < n; i++) end = stpcpy(end, close);
  tsr_text_error error = {0};
  tsr_script *s = tsr__script_parse(text, false, 1, "u", &error);
  cr_assert_eq(s != NULL, good, "%s x %d: %s", open, n, error.what);
  if (!s) cr_assert_str_eq(error.what, "the text is nested more than 256 deep");
  tsr__script_destroy(s);
  free(text);
}

Test(text_parse, nesting_is_limited)
{
  check_nesting("(", ")", 255, true);
  check_nesting("(", ")", 256, false);
  check_nesting("-", "", 255, true);
  check_nesting("-", "", 100000, false);
  check_nesting("2**", "", 255, true);
  check_nesting("2**", "", 100000, false);
  check_nesting("u[", "]", 100000, false);
  check_nesting("sum(", ")", 100000, false);
  check_nesting("u+", "", 100000, true);
}

static int try_text(const char *text)
{
  tsr_text_error error = {.at = 12345678};
  for (int is_exec = 0; is_exec < 2; is_exec++) {
    tsr_script *s = tsr__script_parse(text, is_exec, 3, "u, v, s->dt", &error);
    if (s) {
      free(tsr__script_text(s));
      tsr__script_destroy(s);
      return 1;
    }
    cr_assert(error.at == SIZE_MAX || error.at <= strlen(text), "%s", text);
    tsr_error e = {0};
    tsr__error_begin(&e, error.status, NULL, "%s", error.what);
    tsr__text_tell(&e, text, &error);
    tsr__error_clear(&e);
  }
  return 0;
}

Test(text_parse, random_bytes)
{
  uint64_t seed = 1;
  for (int round = 0; round < 20000; round++) {
    char text[64] = "";
    int n = (int)(draw_31(&seed) % 60);
    for (int i = 0; i < n; i++) text[i] = (char)(1 + draw_31(&seed) % 255);
    try_text(text);
  }
  cr_assert_eq(try_text("u + v*dt"), 1);
}

Test(text_parse, mutated_texts)
{
  static const char *const good[] = {
      "u[1:-1, ::2] += dt*(v[0] + sqrt(u*u + 1e-3)) ** 2",
      ("where((u > 0) & ~(v <= dt), np.sum(u, axis=(0, -1), keepdims=True), "
       "v.T.max(0).astype(int32))"),
      "u = v - -3; v[..., None, 5] /= dt // 2 % 7\nu.T = mean(v, dtype=float32) # dt",
  };
  static const char bytes[] = "()[]:,.*+-/=<>&|~$;\n#01u e\\";
  uint64_t seed = 7;
  int n_good = 0;
  for (int round = 0; round < 60000; round++) {
    char text[256];
    strcpy(text, good[round % 3]);
    int n_edits = 1 + (int)(draw_31(&seed) % 4);
    for (int i = 0; i < n_edits; i++) {
      size_t n = strlen(text), at = draw_31(&seed) % (n + 1);
      switch (draw_31(&seed) % 3) {
      case 0:
        if (at < n) memmove(text + at, text + at + 1, n - at);
        break;
      case 1:
        memmove(text + at + 1, text + at, n - at + 1);
        text[at] = bytes[draw_31(&seed) % (sizeof bytes - 1)];
        break;
      default:
        if (at < n) text[at] = bytes[draw_31(&seed) % (sizeof bytes - 1)];
      }
    }
    n_good += try_text(text);
  }
  cr_assert_gt(n_good, 1000);
}
