/* A program as Python: what NumPy runs, and what people read. The few functions that it calls
 * beside NumPy's are in numpy.c: A (asarray), host (data that came from C), flip, bto, diag (views
 * that can be written), item, put (an output). */
#include "calls.h"

#include <inttypes.h>
#include <math.h>

const char *opcode_name(int op)
{
  static const char *const names[] = {
#define TSR_OP(NAME, name, ...) #name,
#include "kernel/ops/ops.def"
#undef TSR_OP
  };
  return names[op];
}

const char *reduction_name(int r)
{
  static const char *const names[N_REDUCTIONS] = {
      "sum",    "prod",          "min",    "max",    "mean",      "any",      "all",     "argmin",
      "argmax", "count_nonzero", "ptp",    "var",    "std",       "nansum",   "nanprod", "nanmin",
      "nanmax", "nanmean",       "nanvar", "nanstd", "nanargmin", "nanargmax"};
  return names[r];
}

bool is_position(int r)
{
  return r == RED_ARGMIN || r == RED_ARGMAX || r == RED_NANARGMIN || r == RED_NANARGMAX;
}

bool is_extreme(int r)
{
  return r == RED_MIN || r == RED_MAX || r == RED_PTP || r == RED_NANMIN || r == RED_NANMAX;
}

typedef struct printer {
  FILE *f;
  const program *p;
  const int64_t *host_offset;
  int loops; /* open ones; the innermost counts in k<loops> */
} printer;

static void print_node(const printer *o, int i);

static void print_dims(FILE *f, const tsr_dims *d)
{
  fputc('(', f);
  for (int k = 0; k < d->ndim; k++) fprintf(f, "%" PRId64 ",", d->n[k]);
  fputc(')', f);
}

static void print_axes(FILE *f, const tsr_axes *a)
{
  if (a->n < 0) {
    fputs("None", f);
    return;
  }
  fputc('(', f);
  for (int k = 0; k < a->n; k++) fprintf(f, "%d,", a->axis[k]);
  fputc(')', f);
}

static void print_scalar(FILE *f, const scalar *s)
{
  if (s->kind == SCALAR_BOOL)
    fputs(s->i ? "True" : "False", f);
  else if (s->kind == SCALAR_INT)
    fprintf(f, s->i < 0 ? "(%" PRId64 ")" : "%" PRId64, s->i);
  else if (s->kind == SCALAR_FLOAT)
    fprintf(f, "float('%.17g')", s->f);
  else
    fprintf(f, "complex(float('%.17g'), float('%.17g'))", s->f, s->im); /* with -0 */
}

/* `at`, moving with the innermost loop's turn. */
static void print_moving(const printer *o, int64_t at, int64_t move)
{
  fprintf(o->f, "%" PRId64, at);
  if (move) fprintf(o->f, "%+" PRId64 "*k%d", move, o->loops);
}

static void print_items(const printer *o, const node *n)
{
  FILE *f = o->f;
  bool ellipsis = false;
  fputc('[', f);
  for (int i = 0; i < n->n_items; i++) {
    const tsr_slice_item *item = &n->items[i];
    if (item->kind == TSR_SLICE_INDEX) {
      print_moving(o, item->start, n->moves[i]);
      fputs(", ", f);
    }
    if (item->kind == TSR_SLICE_NEWAXIS) fputs("None, ", f);
    if (item->kind == TSR_SLICE_ELLIPSIS) fputs("..., ", f);
    ellipsis |= item->kind == TSR_SLICE_ELLIPSIS;
    if (item->kind != TSR_SLICE_RANGE) continue;
    if (item->has_start) print_moving(o, item->start, n->moves[i]);
    fputc(':', f);
    if (item->has_stop) print_moving(o, item->stop, n->moves[i]);
    if (item->has_step) fprintf(f, ":%" PRId64, item->step);
    fputs(", ", f);
  }
  fputs(ellipsis ? "]" : "...]", f);
}

/* An operand that must be an array of `dtype` where it is a scalar: numpy.where knows no weak ones.
 */
static void print_typed(const printer *o, int i, tsr_dtype dtype)
{
  bool is_array = o->p->nodes[i].type.is_array;
  if (!is_array) fputs("np.asarray(", o->f);
  print_node(o, i);
  if (!is_array) fprintf(o->f, ", '%s')", dtype_name(dtype));
}

static void print_map(const printer *o, const node *n)
{
  FILE *f = o->f;
  if (n->index == TSR_OP_ADD || n->index == TSR_OP_MULTIPLY) {
    for (int i = 0; i < n->n_args; i++) {
      fputs(i ? n->index == TSR_OP_ADD ? " + " : " * " : "(", f);
      print_node(o, n->args[i]);
    }
    fputc(')', f);
    return;
  }
  /* Python's complex takes numbers alone. */
  const char *name = n->index == TSR_OP_COMPLEX ? "complex_of" : opcode_name(n->index);
  fprintf(f, "%s%s(", numpy_is_given(name) ? "" : "np.", name);
  for (int i = 0; i < n->n_args; i++) {
    if (i) fputs(", ", f);
    if (n->index == TSR_OP_WHERE && i > 0)
      print_typed(o, n->args[i], n->type.dtype);
    else
      print_node(o, n->args[i]);
  }
  fputc(')', f);
}

static void print_reduce(const printer *o, const node *n)
{
  const bool one_nan = is_extreme(n->index) && is_complex(o->p->nodes[n->args[0]].type.dtype);
  const char *name = reduction_name(n->index);
  fprintf(o->f, "%s%s(", numpy_is_given(name) ? "" : "np.", name);
  if (one_nan) fputs("one_nan(", o->f);
  print_node(o, n->args[0]);
  if (one_nan) fputc(')', o->f);
  const bool lone = is_lone_axis(n, &o->p->nodes[n->args[0]].type);
  if (lone || (n->axes.n >= 0 && is_position(n->index))) {
    fprintf(o->f, ", axis=%d", n->axes.axis[0]);
  } else if (n->axes.n >= 0) {
    fputs(", axis=", o->f);
    print_axes(o->f, &n->axes);
  }
  if (n->axes.keepdims) fputs(", keepdims=True", o->f);
  fputc(')', o->f);
}

static void print_view(const printer *o, const node *n)
{
  FILE *f = o->f;
  bool plain = o->p->nodes[n->args[0]].kind == NODE_VAR;
  const char *call = n->kind == NODE_TRANSPOSE   ? "np.transpose("
                     : n->kind == NODE_FLIP      ? "flip("
                     : n->kind == NODE_BROADCAST ? "bto("
                     : n->kind == NODE_DIAGONAL  ? "diag("
                     : n->kind == NODE_EXPAND    ? "np.expand_dims("
                                                 : "";
  fputs(call, f);
  if (!plain) fputs("A(", f);
  print_node(o, n->args[0]);
  if (!plain) fputc(')', f);
  if (n->kind == NODE_SLICE) {
    print_items(o, n);
    return;
  }
  fputs(", ", f);
  if (n->kind == NODE_TRANSPOSE || n->kind == NODE_FLIP) print_axes(f, &n->axes);
  if (n->kind == NODE_BROADCAST) print_dims(f, &n->shape);
  if (n->kind == NODE_EXPAND) fprintf(f, "%d", n->index);
  if (n->kind == NODE_DIAGONAL)
    fprintf(f, "%d, %d, %d", n->index, n->axes.axis[0], n->axes.axis[1]);
  fputc(')', f);
}

static void print_new(const printer *o, const node *n, int i)
{
  FILE *f = o->f;
  static const char *const styles[] = {"quarters", "unit", "wide", "special"};
  if (n->kind == NODE_HOST) {
    fputs("host(", f);
    print_dims(f, &n->shape);
    if (o->host_offset)
      fprintf(f, ", '%s', %" PRId64 ")", dtype_name(n->dtype), o->host_offset[i]);
    else
      fprintf(f, ", '%s', %s)", dtype_name(n->dtype), styles[n->style]);
    return;
  }
  fputs(n->kind == NODE_FULL ? "np.full(" : "np.arange(", f);
  if (n->kind == NODE_FULL) print_dims(f, &n->shape);
  for (int k = 0; k < (n->kind == NODE_FULL ? 1 : 3); k++) {
    if (k || n->kind == NODE_FULL) fputs(", ", f);
    print_scalar(f, &n->value[k]);
  }
  fprintf(f, ", dtype='%s')", dtype_name(n->dtype));
}

/* A call's text, with its operands for "@". */
static void print_call(const printer *o, const node *n)
{
  char text[800];
  call_text(n, text, sizeof text);
  int k = 0;
  for (const char *c = text; *c; c++) {
    if (*c != '@') {
      fputc(*c, o->f);
      continue;
    }
    fputs("A(", o->f);
    print_node(o, n->args[k++]);
    fputc(')', o->f);
  }
}

static void print_node(const printer *o, int i)
{
  const node *n = &o->p->nodes[i];
  switch (n->kind) {
  case NODE_VAR:
    fprintf(o->f, "v%d", n->index);
    return;
  case NODE_SCALAR:
    print_scalar(o->f, &n->value[0]);
    return;
  case NODE_SCALAR_VAR:
    fprintf(o->f, "s%d", n->index);
    return;
  case NODE_MAP:
    print_map(o, n);
    return;
  case NODE_REDUCE:
    print_reduce(o, n);
    return;
  case NODE_FULL:
  case NODE_ARANGE:
  case NODE_HOST:
    print_new(o, n, i);
    return;
  case NODE_CALL:
  case NODE_ARRANGE:
    print_call(o, n);
    return;
  case NODE_ASTYPE:
  case NODE_COPY:
    fputs("A(", o->f);
    print_node(o, n->args[0]);
    if (n->kind == NODE_COPY)
      fputs(").copy()", o->f);
    else
      fprintf(o->f, ").astype('%s')", dtype_name(n->dtype));
    return;
  default:
    print_view(o, n);
  }
}

static bool is_view(const node *n)
{
  return n->kind == NODE_VAR || (n->kind >= NODE_SLICE && n->kind <= NODE_ARRANGE);
}

static const char *in_place_sign(int op)
{
  static const char *const signs[TSR_N_OPS] = {
      [TSR_OP_ADD] = "+",         [TSR_OP_SUBTRACT] = "-",      [TSR_OP_MULTIPLY] = "*",
      [TSR_OP_DIVIDE] = "/",      [TSR_OP_FLOOR_DIVIDE] = "//", [TSR_OP_REMAINDER] = "%",
      [TSR_OP_BITWISE_AND] = "&", [TSR_OP_BITWISE_OR] = "|",    [TSR_OP_BITWISE_XOR] = "^",
      [TSR_OP_LEFT_SHIFT] = "<<", [TSR_OP_RIGHT_SHIFT] = ">>"};
  return signs[op];
}

static void print_write(const printer *o, const statement *st)
{
  /* NumPy copies overlapping one-dimensional views element by element, from one end: right only
   * where both have the same stride. */
  bool copies = o->host_offset && st->kind == ST_ASSIGN && is_view(&o->p->nodes[st->value]) &&
                o->p->nodes[st->target].type.shape.ndim == 1;
  if (st->kind == ST_ASSIGN) {
    print_node(o, st->target);
    fputs("[...] = ", o->f);
  } else {
    fputs("t = ", o->f);
    print_node(o, st->target);
    fprintf(o->f, "; t %s= ", in_place_sign(st->op));
  }
  /* What NumPy makes of arrays without axes is a scalar, which it refuses to narrow. */
  const type *t = &o->p->nodes[st->value].type;
  bool boxes = st->kind == ST_ASSIGN && t->is_array && t->shape.ndim == 0;
  if (copies || boxes) fputs("A(", o->f);
  print_node(o, st->value);
  if (copies || boxes) fputs(copies ? ").copy()" : ")", o->f);
}

static void print_statement(const printer *o, const statement *st)
{
  FILE *f = o->f;
  static const char *const kinds[] = {"bool", "int", "float"};
  switch (st->kind) {
  case ST_LET:
  case ST_REPLACE:
    fprintf(f, "v%d = A(", st->var);
    print_node(o, st->value);
    fputs(st->kind == ST_REPLACE ? ")  # replace" : st->scoped ? ")  # replace null" : ")", f);
    break;
  case ST_ASSIGN:
  case ST_INPLACE:
    print_write(o, st);
    break;
  case ST_ITEM:
    fprintf(f, "s%d = item(", st->var);
    print_node(o, st->value);
    fprintf(f, ", '%s')", kinds[st->item_kind]);
    break;
  case ST_READ_BEGIN:
    fprintf(f, "r%d = A(", st->op);
    print_node(o, st->value);
    fputs(").copy()  # read_begin", f);
    break;
  case ST_READ_END:
    fprintf(f, "s%d = item(r%d, 'float')  # read_end", st->var, st->op);
    break;
  case ST_RELEASE:
    fprintf(f, "del v%d", st->var);
    break;
  case ST_KEEP:
  case ST_HOLD:
    fprintf(f, "pass  # %s v%d", st->kind == ST_KEEP ? "keep" : "hold", st->var);
    break;
  case ST_SCOPE_BEGIN:
    fputs("if True:  # TSR_SCOPE", f);
    break;
  case ST_REPEAT_BEGIN:
    fprintf(f, "for k%d in range(%d):%s", o->loops + 1, st->count,
            st->scoped ? "  # TSR_SCOPE" : "");
    break;
  case ST_BREAK_IF:
    fprintf(f, "if s%d > float('%.17g'): break", st->var, st->limit);
    break;
  case ST_FLUSH:
    fputs("pass  # flush", f);
    break;
  default:
    fputs("pass", f);
  }
  fputc('\n', f);
}

void program_print(FILE *f, const program *p, const int64_t *host_offset, const char *indent)
{
  printer o = {f, p, host_offset, 0};
  int depth = 0;
  for (int i = 0; i < p->n_statements; i++) {
    const statement *st = &p->statements[i];
    bool ends = st->kind == ST_SCOPE_END || st->kind == ST_REPEAT_END;
    if (!ends || host_offset) {
      fprintf(f, "%s%*s", indent, 2 * depth, "");
      print_statement(&o, st);
    }
    o.loops += (st->kind == ST_REPEAT_BEGIN) - (st->kind == ST_REPEAT_END);
    depth += (st->kind == ST_SCOPE_BEGIN || st->kind == ST_REPEAT_BEGIN) - ends;
  }
}
