/* The value of a node of a script: one call of the array layer, which records what the same call in
 * C would record. Operators on scalars alone are computed here, as in Python. */
#include "array/text/eval.h"

#include <stdio.h>
#include <string.h>

#include "array/text/functions.h"
#include "array/views/views.h"

/* The value of a node whose call failed and reported why. It ends the evaluation. */
static const tsr_operand failed = {.kind = TSR_OPERAND_ARRAY, .as.array = {(uint64_t)1 << 32}};

tsr_operand tsr__node_fail(const tsr_evaluation *ev, const tsr_node *n, tsr_status status,
                           const char *what, const char *help)
{
  tsr_text_error error = {.status = status, .at = n->at};
  tsr_error *e = tsr__fail_begin(ev->context, ev->where, status, "%s", what);
  if (!ev->context->inside) tsr__text_tell(e, ev->parsed->script->text, &error);
  if (help) tsr__error_help(e, "%s", help);
  tsr__fail_end(ev->context);
  return failed;
}

tsr_dtype tsr__operand_dtype(const tsr_evaluation *ev, tsr_operand x)
{
  if (!tsr__is_array(x))
    return x.kind == TSR_OPERAND_BOOL      ? TSR_BOOL
           : x.kind == TSR_OPERAND_FLOAT   ? TSR_FLOAT64
           : x.kind == TSR_OPERAND_COMPLEX ? TSR_COMPLEX128
           : x.kind == TSR_OPERAND_UINT    ? TSR_UINT64
                                           : TSR_INT64;
  const tsr_handle *s = tsr__handle_peek(ev->context, x.as.array);
  return s ? s->region->dtype : TSR_FLOAT64;
}

static tsr_operand map_operands(const tsr_location *where, tsr_opcode op, int n,
                                const tsr_operand *xs)
{
  return tsr_box_array(tsr__map_at(where, op, n, xs));
}

static tsr_operand fold_numbers(const tsr_evaluation *ev, const tsr_node *n, tsr_operand a,
                                tsr_operand b)
{
  tsr_operand out;
  const char *why = tsr__text_fold((tsr_node_kind)n->kind, a, b, &out);
  return why ? tsr__node_fail(ev, n, TSR_ERR_ARGUMENT, why, NULL) : out;
}

/* Evaluates a + b + c or a * b * c by one call, unless all are scalars. */
static tsr_operand chain(const tsr_evaluation *ev, const tsr_node *n, tsr_opcode op)
{
  tsr_operand xs[TSR_MAX_OP_ARGS];
  bool any_array = false;
  for (int32_t k = 0; k < n->n_kids; k++) {
    xs[k] = tsr__kid(ev, n, k);
    any_array |= tsr__is_array(xs[k]);
  }
  if (any_array) return map_operands(tsr__node_location(ev, n), op, n->n_kids, xs);
  for (int32_t k = 1; k < n->n_kids; k++) {
    xs[0] = fold_numbers(ev, n, xs[0], xs[k]);
    if (tsr__is_failed(xs[0])) break;
  }
  return xs[0];
}

static tsr_operand binary(const tsr_evaluation *ev, const tsr_node *n, tsr_opcode op)
{
  const tsr_operand xs[2] = {tsr__kid(ev, n, 0), tsr__kid(ev, n, 1)};
  if (!tsr__is_array(xs[0]) && !tsr__is_array(xs[1])) return fold_numbers(ev, n, xs[0], xs[1]);
  return map_operands(tsr__node_location(ev, n), op, 2, xs);
}

/* Evaluates & | ^ ~ << >> on bools and integers, as NumPy's bitwise functions do. */
static tsr_operand bits(const tsr_evaluation *ev, const tsr_node *n, tsr_opcode op)
{
  tsr_operand xs[2];
  bool any_array = false, are_whole = true;
  for (int32_t k = 0; k < n->n_kids; k++) {
    xs[k] = tsr__kid(ev, n, k);
    any_array |= tsr__is_array(xs[k]);
    are_whole &= !tsr__dtype_is_inexact(tsr__operand_dtype(ev, xs[k]));
  }
  if (!any_array) return fold_numbers(ev, n, xs[0], xs[n->n_kids - 1]);
  if (!are_whole)
    return tsr__node_fail(
        ev, n, TSR_ERR_DTYPE, "`&`, `|`, `^`, `~`, `<<` and `>>` take bools and integers",
        n->kind == TSR_NODE_XOR ? "a power is `u**2`"
                                : "they bind tighter than comparisons: (a > 0) & (b > 0); "
                                  "logical_and(x, y) takes any dtype");
  return map_operands(tsr__node_location(ev, n), op, n->n_kids, xs);
}

/* A literal exponent of 0.5 is a square root, one of -1 a division, as in NumPy; the square of bools
 * is int8. Small whole exponents become products in tsr_power. */
static tsr_operand power(const tsr_evaluation *ev, const tsr_node *n)
{
  const tsr_script *s = ev->parsed->script;
  tsr_operand x = tsr__kid(ev, n, 0), e = tsr__kid(ev, n, 1);
  if (!tsr__is_array(x) && !tsr__is_array(e)) return fold_numbers(ev, n, x, e);
  const tsr_location *where = tsr__node_location(ev, n);
  const tsr_dtype dtype = tsr__operand_dtype(ev, x);
  const tsr_node *literal = &s->nodes[s->kids[n->first_kid + 1]];
  const bool is_int = literal->kind == TSR_NODE_INT;
  const double f = is_int ? (double)e.as.i : literal->kind == TSR_NODE_FLOAT ? e.as.f : 0;
  if (f == -1 && tsr__dtype_is_inexact(dtype)) return map_operands(where, TSR_OP_RECIPROCAL, 1, &x);
  if (is_int && dtype == TSR_BOOL && f == 2) return map_operands(where, TSR_OP_SQUARE, 1, &x);
  if (tsr__is_array(x) && f == 0.5) {
    if (!tsr__dtype_is_inexact(dtype)) x = tsr_box_array(tsr_astype_at(where, x, TSR_FLOAT64));
    return tsr__is_failed(x) ? failed : map_operands(where, TSR_OP_SQRT, 1, &x);
  }
  const tsr_operand xs[2] = {x, e};
  return map_operands(where, TSR_OP_POWER, 2, xs);
}

/* Returns the source text of a node, or `otherwise` if it is long. */
static const char *words_for(const tsr_evaluation *ev, const tsr_node *n, const char *otherwise,
                             char buf[48])
{
  if (n->end - n->begin >= 48) return otherwise;
  snprintf(buf, 48, "%.*s", (int)(n->end - n->begin), ev->parsed->script->text + n->begin);
  return buf;
}

static int ndim_of(const tsr_evaluation *ev, tsr_operand x)
{
  const tsr_handle *s = tsr__is_array(x) ? tsr__handle_peek(ev->context, x.as.array) : NULL;
  return s ? s->view->view.ndim : 0;
}

/* Recognises x[items, mask], where the mask covers all axes that the items leave. *part is the text
 * of what the mask selects from: "x[items]" or "x". Returns false for other slices and long
 * texts. */
static bool masked_part(const tsr_evaluation *ev, const tsr_node *n, const tsr_node *mask,
                        tsr_operand of_mask, char part[48])
{
  const tsr_script *s = ev->parsed->script;
  const tsr_node_item *items = &s->items[n->first_item];
  const tsr_node *x = &s->nodes[s->kids[n->first_kid]];
  if (items[n->n_items - 1].kind != TSR_SLICE_INDEX ||
      &s->nodes[items[n->n_items - 1].start] != mask ||
      ndim_of(ev, of_mask) != ndim_of(ev, tsr__kid(ev, n, 0)) - (n->n_items - 1))
    return false;
  for (int k = 0; k < n->n_items - 1; k++)
    if (items[k].kind != TSR_SLICE_INDEX && items[k].kind != TSR_SLICE_RANGE) return false;
  const char *text = s->text + x->begin, *end = s->text + (n->n_items == 1 ? x->end : mask->begin);
  while (end > text && (end[-1] == ' ' || end[-1] == ',')) end--;
  int open = 0;
  for (const char *p = text; p < end; p++) open += *p == '(' ? 1 : *p == ')' ? -1 : 0;
  if (open != 0 || end - text >= 46) return false; /* excludes x[(0, mask)] */
  snprintf(part, 48, "%.*s%s", (int)(end - text), text, n->n_items > 1 ? "]" : "");
  return true;
}

/* Reports that slice n has a mask or an array of indices as an item. */
static __attribute__((cold)) void fail_index(const tsr_evaluation *ev, const tsr_node *n,
                                             const tsr_node *index, tsr_operand x)
{
  char help[256], mask[48], part[48];
  if (tsr__operand_dtype(ev, x) == TSR_BOOL && masked_part(ev, n, index, x, part))
    snprintf(help, sizeof help,
             "where(mask, x, y), `tsr_where` in C, chooses element by element: "
             "`%s%s = where(%s, value, %s)`",
             part, n->n_items == 1 ? "[...]" : "", words_for(ev, index, "mask", mask), part);
  else if (tsr__operand_dtype(ev, x) == TSR_BOOL)
    snprintf(help, sizeof help,
             "where(mask, x, y), `tsr_where` in C, chooses element by element, where the mask has "
             "the axes of x");
  else
    snprintf(help, sizeof help,
             "indices that are arrays are not in Tessera yet; a kernel reads any element of a raw "
             "argument");
  tsr__node_fail(ev, index, TSR_ERR_ARGUMENT, "an array cannot be an index", help);
}

/* Writes one number of slice n to *out; returns false after an error. */
static inline bool slice_number(const tsr_evaluation *ev, const tsr_node *n, int32_t node,
                                int64_t *out, int if_changed, int *change)
{
  if (node < 0) return true;
  tsr_operand x = ev->values[node];
  if (*out != x.as.i) *change |= if_changed;
  *out = x.as.i;
  if (x.kind == TSR_OPERAND_INT) return true;
  const tsr_node *index = &ev->parsed->script->nodes[node];
  if (tsr__is_array(x))
    fail_index(ev, n, index, x);
  else
    tsr__node_fail(ev, index, TSR_ERR_ARGUMENT, "a slice takes whole numbers", NULL);
  return false;
}

static tsr_operand slice(const tsr_evaluation *ev, const tsr_node *n)
{
  const tsr_script *s = ev->parsed->script;
  tsr_operand x = tsr__kid(ev, n, 0);
  if (!tsr__is_array(x))
    return tsr__node_fail(ev, n, TSR_ERR_ARGUMENT, "a scalar cannot be sliced", NULL);
  tsr_slice_item *items = ev->parsed->items + n->first_item;
  int change = TSR_SLICE_SAME;
  for (int32_t k = 0; k < n->n_items; k++) {
    const tsr_node_item *it = &s->items[n->first_item + k];
    const int start = it->kind == TSR_SLICE_INDEX ? TSR_SLICE_MOVED : TSR_SLICE_OTHER;
    if (!slice_number(ev, n, it->start, &items[k].start, start, &change) ||
        !slice_number(ev, n, it->stop, &items[k].stop, TSR_SLICE_OTHER, &change) ||
        !slice_number(ev, n, it->step, &items[k].step, TSR_SLICE_OTHER, &change)) {
      tsr__slice_forget(&ev->parsed->slices[n - s->nodes]);
      return failed;
    }
    if (items[k].has_step && items[k].step == 0) {
      tsr__slice_forget(&ev->parsed->slices[n - s->nodes]);
      return tsr__node_fail(ev, &s->nodes[it->step], TSR_ERR_ARGUMENT,
                            "the step of a slice cannot be 0", NULL);
    }
  }
  return tsr_box_array(tsr__slice_again(tsr__node_location(ev, n), x.as.array, n->n_items, items,
                                        (tsr_slice_change)change,
                                        &ev->parsed->slices[n - s->nodes]));
}

static tsr_operand call(const tsr_evaluation *ev, const tsr_node *n)
{
  tsr_operand xs[TSR_MAX_OP_ARGS];
  for (int32_t k = 0; k < n->n_kids; k++) xs[k] = tsr__kid(ev, n, k);
  if (n->u.i && tsr__is_array(xs[0]) &&
      tsr__clip_drops(xs[1], tsr__operand_dtype(ev, xs[0]), n->code == TSR_OP_MAXIMUM))
    return map_operands(tsr__node_location(ev, n), TSR_OP_POSITIVE, 1, xs);
  return map_operands(tsr__node_location(ev, n), (tsr_opcode)n->code, n->n_kids, xs);
}

static tsr_operand transpose(const tsr_evaluation *ev, const tsr_node *n)
{
  tsr_operand x = tsr__kid(ev, n, 0);
  if (!tsr__is_array(x)) return x;
  return tsr_box_array(
      tsr_transpose_at(tsr__node_location(ev, n), x.as.array, (tsr_axes){.n = -1}));
}

/* Returns NULL if the value suits the parameter, else the reason why it does not. */
static const char *unsuitable(char kind, tsr_operand x)
{
  switch (kind) {
  case 'i':
  case 'j':
  case 'n':
  case 'N':
  case 'm':
  case 'w':
    return x.kind == TSR_OPERAND_INT ? NULL : "a whole number is wanted here";
  case 'f':
    return x.kind == TSR_OPERAND_INT || x.kind == TSR_OPERAND_FLOAT ? NULL
                                                                    : "a number is wanted here";
  case 'b':
    return x.kind == TSR_OPERAND_BOOL ? NULL : "True or False is wanted here";
  case 'a':
    return tsr__is_array(x) ? NULL : "an array is wanted here";
  default:
    return NULL;
  }
}

/* Returns what to write in place of a value that does not suit. */
static const char *instead(const tsr_text_function *f, int index, tsr_operand x)
{
  tsr_text_parameter p[TSR_TEXT_PARAMETERS];
  const int n = tsr__text_parameters(f->parameters, p);
  int i = 0;
  while (i < n - 1 && p[i].index != index) i++;
  const bool is_axis = p[i].n_name == 4 && memcmp(p[i].name, "axis", 4) == 0;
  const bool is_extreme = strcmp(f->name, "min") == 0 || strcmp(f->name, "max") == 0;
  if (is_axis && is_extreme && tsr__is_array(x))
    return "minimum(x, y) and maximum(x, y) take two arrays";
  return p[i].kind == 'a' ? "dx= is the distance of points that have the same" : NULL;
}

/* Calls a function whose result is a Python scalar: a bool or a number. */
static tsr_operand told(const tsr_evaluation *ev, const tsr_location *where,
                        const tsr_text_function *f, const tsr_text_given *g)
{
  tsr_context *c = ev->context;
  const tsr_status before = c->last_status;
  tsr_operand out;
  for (int i = 0; i < 2; i++)
    if (g->n[i] > 0 && tsr__is_failed(g->v[i][0])) return failed;
  c->last_status = TSR_OK;
  if (f->tells) {
    out = tsr_box_bool(f->tells(where, g));
  } else {
    int64_t n = 0;
    out = f->counts(where, g, &n) ? tsr_box_int(n) : failed;
  }
  if (c->last_status < 0 || tsr__is_failed(out)) return failed;
  c->last_status = before;
  return out;
}

static tsr_operand call_function(const tsr_evaluation *ev, const tsr_node *n,
                                 const tsr_text_function *f, const tsr_text_given *g)
{
  tsr_parsed *p = ev->parsed;
  const tsr_location *where = tsr__node_location(ev, n);
  if (f->call) return tsr_box_array(f->call(where, g));
  if (!f->calls) return told(ev, where, f, g);
  p->n_results = f->calls(where, g, p->results);
  return p->n_results > 0 ? tsr_box_array(p->results[0]) : failed;
}

/* Returns one result of the call that the node follows. */
static tsr_operand result(const tsr_evaluation *ev, const tsr_node *n)
{
  const tsr_parsed *p = ev->parsed;
  const int at = n->code < 0 ? n->code + p->n_results : n->code;
  char what[128];
  const char *name = tsr__text_function(p->script->nodes[p->script->kids[n->first_kid]].code)->name;
  if (n->u.i != 0 && n->u.i != p->n_results)
    snprintf(what, sizeof what, "`%s` gives %d results for %lld targets", name, p->n_results,
             (long long)n->u.i);
  else if (at < 0 || at >= p->n_results)
    snprintf(what, sizeof what, "`%s` gives %d results: there is no [%d]", name, p->n_results,
             n->code);
  else
    return tsr_box_array(p->results[at]);
  return tsr__node_fail(ev, n, TSR_ERR_ARGUMENT, what, NULL);
}

/* Writes the text of a string's node, without its quotes. */
static const char *string_of(const tsr_script *s, const tsr_node *from,
                             char out[TSR_TEXT_STRING_MAX])
{
  const bool is_quoted = strchr("'\"", s->text[from->begin]) != NULL;
  snprintf(out, TSR_TEXT_STRING_MAX, "%.*s", (int)(from->end - from->begin) - 2 * is_quoted,
           s->text + from->begin + is_quoted);
  return out;
}

static tsr_operand function(const tsr_evaluation *ev, const tsr_node *n)
{
  const tsr_script *s = ev->parsed->script;
  const tsr_text_function *f = tsr__text_function(n->code);
  tsr_operand values[TSR_TEXT_TAKEN * TSR_MAX_OP_ARGS];
  char strings[2][TSR_TEXT_STRING_MAX];
  int n_strings = 0;
  tsr_text_given g;
  memset(g.n, -1, sizeof g.n); /* of parameters that the function lacks, too */
  g.dtype = n->dtype;
  g.tuples = (unsigned)n->u.given[TSR_TEXT_TUPLES];
  g.string = g.other = NULL;
  const int32_t *kid = &s->kids[n->first_kid];
  tsr_operand *x = values;
  for (int i = 0; i < TSR_TEXT_TAKEN && n->kinds[i] != '\0'; i++) {
    const char kind = n->kinds[i];
    n_strings += kind == 's';
    g.n[i] = n->u.given[i];
    g.v[i] = x;
    for (int at = 0; at < g.n[i]; at++, kid++, x++) {
      *x = ev->values[*kid];
      const char *why = unsuitable(kind, *x);
      if (why) return tsr__node_fail(ev, &s->nodes[*kid], TSR_ERR_ARGUMENT, why, instead(f, i, *x));
      if (kind == 's')
        *(n_strings == 1 ? &g.string : &g.other) =
            string_of(s, &s->nodes[*kid], strings[n_strings - 1]);
    }
  }
  return call_function(ev, n, f, &g);
}

/* Adds or subtracts two integers, as most indices are computed; false for all else. */
static inline bool add_ints(const tsr_evaluation *ev, const tsr_node *n, tsr_operand *out)
{
  if ((n->kind != TSR_NODE_ADD && n->kind != TSR_NODE_SUBTRACT) || n->n_kids != 2) return false;
  const int32_t *kids = &ev->parsed->script->kids[n->first_kid];
  const tsr_operand *a = &ev->values[kids[0]], *b = &ev->values[kids[1]];
  if (a->kind != TSR_OPERAND_INT || b->kind != TSR_OPERAND_INT) return false;
  out->kind = TSR_OPERAND_INT;
  return !(n->kind == TSR_NODE_ADD ? __builtin_add_overflow(a->as.i, b->as.i, &out->as.i)
                                   : __builtin_sub_overflow(a->as.i, b->as.i, &out->as.i));
}

/* Evaluates an operator of two operands or more, except @ and **. */
static tsr_operand operation(const tsr_evaluation *ev, const tsr_node *n)
{
  tsr_operand sum;
  if (add_ints(ev, n, &sum)) return sum;
  const tsr_text_operator *o = tsr__text_operator(n->kind);
  if (!o) return failed;
  if (o->is_chain) return chain(ev, n, o->op);
  const bool is_bits = o->level >= TSR_LEVEL_OR && o->level <= TSR_LEVEL_SHIFT;
  return is_bits ? bits(ev, n, o->op) : binary(ev, n, o->op);
}

tsr_operand tsr__node_value(const tsr_evaluation *ev, const tsr_node *n)
{
  switch (n->kind) {
  case TSR_NODE_INT:
  case TSR_NODE_UINT:
  case TSR_NODE_FLOAT:
  case TSR_NODE_IMAGINARY:
  case TSR_NODE_BOOL:
  case TSR_NODE_STRING:
    return ev->values[n - ev->parsed->script->nodes];
  case TSR_NODE_ARG:
    return ev->xs[n->code];
  case TSR_NODE_POSITIVE:
    return tsr__is_array(tsr__kid(ev, n, 0))
               ? tsr__kid(ev, n, 0)
               : fold_numbers(ev, n, tsr__kid(ev, n, 0), tsr__kid(ev, n, 0));
  case TSR_NODE_NEGATIVE: {
    tsr_operand x = tsr__kid(ev, n, 0);
    return tsr__is_array(x) ? map_operands(tsr__node_location(ev, n), TSR_OP_NEGATIVE, 1, &x)
                            : fold_numbers(ev, n, x, x);
  }
  case TSR_NODE_INVERT:
    return bits(ev, n, TSR_OP_INVERT);
  case TSR_NODE_MATMUL:
    return tsr_box_array(
        tsr_matmul_at(tsr__node_location(ev, n), tsr__kid(ev, n, 0), tsr__kid(ev, n, 1)));
  case TSR_NODE_POWER:
    return power(ev, n);
  case TSR_NODE_CALL:
    return call(ev, n);
  case TSR_NODE_FUNCTION:
    return function(ev, n);
  case TSR_NODE_RESULT:
    return result(ev, n);
  case TSR_NODE_SLICE:
    return slice(ev, n);
  case TSR_NODE_TRANSPOSE:
    return transpose(ev, n);
  case TSR_NODE_ASTYPE:
    return tsr_box_array(
        tsr_astype_at(tsr__node_location(ev, n), tsr__kid(ev, n, 0), (tsr_dtype)n->code));
  case TSR_NODE_INDEX:
    return ev->index;
  case TSR_NODE_COUNT:
    return tsr_box_int(ev->n_points);
  case TSR_NODE_TAKE:
    return tsr__take(ev->where, tsr__kid(ev, n, 0), tsr__kid(ev, n, 1));
  case TSR_NODE_LOCAL:
    return tsr__kid(ev, n, 0);
  default:
    return operation(ev, n);
  }
}
