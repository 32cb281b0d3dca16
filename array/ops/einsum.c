/* Sums of products by labels. Repeated labels of one operand become diagonals. Labels of one
 * operand alone that the result lacks are summed first. The rest is a product of stacks of
 * matrices: labels in both operands and the result are the stack, labels in both operands alone are
 * summed, and labels in one operand and the result are rows or columns. */
#include <string.h>

#include "array/ops/matmul.h"
#include "array/ops/step_ops.h"

enum { N_LABELS = 128 };

/* A subscript has one byte per axis. The axes of `...` are 1, 2, …, of which the last axis is 1. */
typedef struct labels {
  int n;
  char of[2 * TSR_MAX_NDIM]; /* enough for the labels of two operands */
} labels;

typedef struct einsum {
  tsr_steps s;
  int n_operands;
  tsr_operand given[2];
  tsr_array x[2];
  labels in[2], out;
  int64_t length[N_LABELS]; /* length of a label's axis; -1: not known yet */
  int n_dots;
} einsum;

static bool fail(const einsum *e, tsr_status status, const char *what, const char *subscripts)
{
  tsr_error *error = tsr__fail_begin(e->s.c, e->s.where, status, "%s: \"%s\"", what, subscripts);
  for (int i = 0; i < e->n_operands; i++)
    tsr__note_operand(e->s.c, error, e->s.where, i + 1, e->given[i]);
  tsr__fail_end(e->s.c);
  return false;
}

static bool has(const labels *l, char label)
{
  return memchr(l->of, label, (size_t)l->n) != NULL;
}

static bool is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Checks that every character may be in subscripts; reports an error if not. */
static bool check_letters(const einsum *e, const char *text, const char *end, const char *all)
{
  for (const char *p = text; p < end; p++)
    if (!is_letter(*p) && *p != ' ' && *p != '.')
      return fail(e, TSR_ERR_SYNTAX, "the subscripts have a character that is no letter", all);
  return true;
}

/* Parses one subscript up to `end`. n_dots: the number of axes that `...` stands for. */
static bool parse_labels(const einsum *e, const char *text, const char *end, int n_dots,
                         labels *out, const char *all)
{
  bool dots = false;
  out->n = 0;
  for (const char *p = text; p < end; p++) {
    if (*p == ' ') continue;
    if (*p == '.') {
      if (dots || end - p < 3 || p[1] != '.' || p[2] != '.')
        return fail(e, TSR_ERR_SYNTAX,
                    "a '.' that is not part of one ellipsis ('...') in the subscripts", all);
      dots = true;
      p += 2;
      for (int i = n_dots; i > 0; i--) out->of[out->n++] = (char)i;
    } else if (!is_letter(*p)) {
      return check_letters(e, p, p + 1, all);
    } else {
      out->of[out->n++] = *p;
    }
    if (out->n > TSR_MAX_NDIM) return fail(e, TSR_ERR_SHAPE, "too many subscripts", all);
  }
  return true;
}

static int count_letters(const char *text, const char *end, bool *dots)
{
  int n = 0;
  *dots = false;
  for (const char *p = text; p < end; p++) {
    n += is_letter(*p);
    *dots |= *p == '.';
  }
  return n;
}

/* Reads the subscript of operand i and the lengths of its labels. */
static bool read_operand(einsum *e, int i, const char *text, const char *end, const char *all)
{
  const tsr_dims shape = tsr_shape_at(e->s.where, e->x[i]);
  bool dots;
  if (!check_letters(e, text, end, all)) return false;
  const int n = count_letters(text, end, &dots);
  if (n > shape.ndim)
    return fail(e, TSR_ERR_SHAPE, "the subscripts of an operand have more labels than it has axes",
                all);
  if (!dots && n < shape.ndim)
    return fail(e, TSR_ERR_SHAPE,
                "an operand has more axes than subscripts, and there is no ellipsis ('...')", all);
  const int n_dots = dots ? shape.ndim - n : 0;
  if (n_dots > e->n_dots) e->n_dots = n_dots;
  if (!parse_labels(e, text, end, n_dots, &e->in[i], all)) return false;
  for (int k = 1; k < shape.ndim; k++) { /* the axes of a diagonal do not broadcast */
    const char *before = memchr(e->in[i].of, e->in[i].of[k], (size_t)k);
    if (before && shape.n[before - e->in[i].of] != shape.n[k])
      return fail(e, TSR_ERR_BROADCAST, "a label of a diagonal has two lengths", all);
  }
  for (int k = 0; k < shape.ndim; k++) {
    int64_t *length = &e->length[(int)e->in[i].of[k]];
    if (*length >= 0 && *length != shape.n[k] && *length != 1 && shape.n[k] != 1)
      return fail(e, TSR_ERR_BROADCAST, "a label has two lengths in the operands", all);
    if (*length < 0 || *length == 1) *length = shape.n[k];
  }
  return true;
}

/* Makes the output subscript when there is no `->`: the axes of the ellipsis, then the labels that
 * occur once, in alphabetical order. */
static bool implicit_output(einsum *e, const char *all)
{
  e->out.n = 0;
  for (int i = e->n_dots; i > 0; i--) e->out.of[e->out.n++] = (char)i;
  for (int c = 'A'; c <= 'z'; c++) {
    int n = 0;
    for (int i = 0; i < e->n_operands; i++)
      for (int k = 0; k < e->in[i].n; k++) n += e->in[i].of[k] == c;
    if (n == 1) e->out.of[e->out.n++] = (char)c;
  }
  return e->out.n <= TSR_MAX_NDIM || fail(e, TSR_ERR_SHAPE, "too many subscripts", all);
}

static bool check_output(const einsum *e, const char *all)
{
  for (int k = 0; k < e->out.n; k++) {
    const char c = e->out.of[k];
    if (memchr(e->out.of, c, (size_t)k))
      return fail(e, TSR_ERR_SYNTAX, "the output has a label more than once", all);
    if (!has(&e->in[0], c) && !(e->n_operands == 2 && has(&e->in[1], c)))
      return fail(e, TSR_ERR_SYNTAX, "the output has a label that no operand has", all);
  }
  for (int d = 1; d <= e->n_dots; d++)
    if (!has(&e->out, (char)d))
      return fail(e, TSR_ERR_SYNTAX, "the output has no ellipsis ('...') for the operands' axes",
                  all);
  return true;
}

static bool read_subscripts(einsum *e, const char *text)
{
  const char *arrow = strstr(text, "->"), *end = arrow ? arrow : text + strlen(text);
  const char *comma = memchr(text, ',', (size_t)(end - text));
  if (e->n_operands != (comma ? 2 : 1) ||
      (comma && memchr(comma + 1, ',', (size_t)(end - comma - 1))))
    return fail(e, TSR_ERR_SYNTAX, "the subscripts are not of as many operands as are given", text);
  if (!read_operand(e, 0, text, comma ? comma : end, text)) return false;
  if (comma && !read_operand(e, 1, comma + 1, end, text)) return false;
  const bool ok = arrow
                      ? parse_labels(e, arrow + 2, arrow + strlen(arrow), e->n_dots, &e->out, text)
                      : implicit_output(e, text);
  return ok && check_output(e, text);
}

static void drop_label(labels *l, int k)
{
  l->n--;
  memmove(&l->of[k], &l->of[k + 1], (size_t)(l->n - k));
}

/* Leaves one axis per label: a repeated label becomes a diagonal, which tsr_diagonal puts last. */
static void take_diagonals(einsum *e, int i)
{
  labels *l = &e->in[i];
  for (int k = 0; k < l->n; k++)
    for (int j = k + 1; j < l->n; j++) {
      if (l->of[k] != l->of[j]) continue;
      const char c = l->of[k];
      e->x[i] = tsr_diagonal_at(e->s.where, e->x[i], 0, k, j);
      drop_label(l, j);
      drop_label(l, k);
      l->of[l->n++] = c;
      k = -1;
      break;
    }
}

/* Converts both operands to the result's dtype, which is also that of the sums over one operand
 * alone. */
static void promote(einsum *e)
{
  const tsr_location *where = e->s.where;
  const tsr_dtype dtype =
      tsr_promote_types(tsr_dtype_of_at(where, e->x[0]), tsr_dtype_of_at(where, e->x[1]));
  for (int i = 0; i < 2; i++)
    if (tsr_dtype_of_at(where, e->x[i]) != dtype)
      e->x[i] = tsr_astype_at(where, tsr_box_array(e->x[i]), dtype);
}

/* Sums over the labels that neither the result nor the other operand has. */
static void sum_alone(einsum *e, int i)
{
  labels *l = &e->in[i];
  int axes[TSR_MAX_NDIM];
  unsigned n = 0;
  for (int k = 0; k < l->n; k++)
    if (!has(&e->out, l->of[k]) && !(e->n_operands == 2 && has(&e->in[1 - i], l->of[k])))
      axes[n++] = k;
  if (n > 0) e->x[i] = tsr__step_sum(&e->s, e->x[i], n, axes);
  while (n > 0) drop_label(l, axes[--n]);
}

/* Returns operand i with its axes in this order; labels that it lacks have length 1. */
static tsr_array arranged(const einsum *e, int i, const labels *order)
{
  tsr_axes axes = {.n = 0};
  tsr_array x = e->x[i];
  for (int k = 0; k < order->n; k++) {
    const char *at = memchr(e->in[i].of, order->of[k], (size_t)e->in[i].n);
    if (at) axes.axis[axes.n++] = (int)(at - e->in[i].of);
  }
  /* Of one operand the result is a view of its own, never the operand's handle. */
  if (tsr_ok(x) && (axes.n > 1 || e->n_operands == 1)) x = tsr_transpose_at(e->s.where, x, axes);
  for (int k = 0; k < order->n && tsr_ok(x); k++)
    if (!has(&e->in[i], order->of[k])) x = tsr__expand_dims(e->s.where, x, k);
  return x;
}

/* Appends the labels that are in the result, in operand 0 and in operand 1 as the flags say. */
static void pick(const einsum *e, bool in_out, bool in_a, bool in_b, labels *to)
{
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < e->in[i].n; k++) {
      const char c = e->in[i].of[k];
      if (has(&e->out, c) == in_out && has(&e->in[0], c) == in_a && has(&e->in[1], c) == in_b &&
          !has(to, c))
        to->of[to->n++] = c;
    }
}

static int64_t length_of(const einsum *e, const labels *l, int first)
{
  int64_t n = 1;
  for (int k = first; k < l->n; k++) n *= e->length[(int)l->of[k]];
  return n;
}

/* Broadcasts x to the lengths of its labels, then merges the axes after the stack into two: rows
 * and columns. */
static tsr_array merged(const einsum *e, tsr_array x, const labels *order, int n_stack, int n_rows)
{
  tsr_dims full = {.ndim = order->n}, shape = {.ndim = n_stack + 2};
  for (int k = 0; k < order->n; k++) full.n[k] = e->length[(int)order->of[k]];
  for (int k = 0; k < n_stack; k++) shape.n[k] = full.n[k];
  labels rows = {.n = n_stack + n_rows};
  memcpy(rows.of, order->of, sizeof rows.of);
  shape.n[n_stack] = length_of(e, &rows, n_stack);
  shape.n[n_stack + 1] = length_of(e, order, n_stack + n_rows);
  x = tsr_broadcast_to_at(e->s.where, x, full);
  return tsr_reshape_at(e->s.where, x, shape);
}

static void join_labels(labels *to, const labels *more)
{
  memcpy(&to->of[to->n], more->of, (size_t)more->n);
  to->n += more->n;
}

static tsr_array contract(const einsum *e)
{
  labels stack = {0}, rows = {0}, columns = {0}, summed = {0};
  pick(e, true, true, true, &stack);
  pick(e, true, true, false, &rows);
  pick(e, true, false, true, &columns);
  pick(e, false, true, true, &summed);
  labels a = stack, b = stack, c = stack;
  join_labels(&a, &rows);
  join_labels(&a, &summed);
  join_labels(&b, &summed);
  join_labels(&b, &columns);
  join_labels(&c, &rows);
  join_labels(&c, &columns);
  tsr_array z;
  if (summed.n == 0) {
    z = tsr__map2(&e->s, TSR_OP_MULTIPLY, tsr_box_array(arranged(e, 0, &c)),
                  tsr_box_array(arranged(e, 1, &c)));
  } else {
    z = tsr__step_matmul(&e->s, merged(e, arranged(e, 0, &a), &a, stack.n, rows.n),
                         merged(e, arranged(e, 1, &b), &b, stack.n, summed.n));
    tsr_dims shape = {.ndim = c.n};
    for (int k = 0; k < c.n; k++) shape.n[k] = e->length[(int)c.of[k]];
    if (tsr_ok(z)) z = tsr__as_new(e->s.c, e->s.where, tsr_reshape_at(e->s.where, z, shape));
  }
  einsum result = *e;
  result.x[0] = z;
  result.in[0] = c;
  return arranged(&result, 0, &e->out);
}

tsr_array tsr_einsum_at(const tsr_location *where, const char *subscripts, int n,
                        const tsr_operand *xs)
{
  einsum e = {.s = tsr__steps_begin(where), .n_operands = n};
  tsr_array result = tsr_null();
  bool ok = true;
  for (int c = 0; c < N_LABELS; c++) e.length[c] = -1;
  if (!subscripts || n < 1 || n > 2) {
    tsr__fail(e.s.c, where, TSR_ERR_ARGUMENT, "einsum takes subscripts and one or two operands");
    return tsr__steps_end(&e.s, result);
  }
  for (int i = 0; i < n && ok; i++) {
    e.given[i] = xs[i];
    e.x[i] = tsr__step_array(&e.s, xs[i], false);
    ok = tsr_ok(e.x[i]);
  }
  if (!ok || !read_subscripts(&e, subscripts)) return tsr__steps_end(&e.s, result);
  if (n == 2) promote(&e);
  for (int i = 0; i < n; i++) take_diagonals(&e, i);
  for (int i = 0; i < n; i++) sum_alone(&e, i);
  result = n == 1 ? arranged(&e, 0, &e.out) : contract(&e);
  return tsr__steps_end(&e.s, result);
}
