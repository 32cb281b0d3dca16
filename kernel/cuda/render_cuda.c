/* The CUDA renderer. A kernel becomes the text of one thread: it finds its point along the inner
 * axis, steps through rows, finds the streams in each, and computes a line per instruction over
 * scalars. A thread with several points loads the pieces of memory that they are first, computes
 * one point after the other, and stores the pieces.
 *
 * The right-hand sides are the C expressions of ops.def; functions are those of kernel/ops. So are
 * the interpreter's loops, which is why the bits are the same. */
#include "kernel/cuda/render_int.h"
#include "runtime/base/error.h"

#include <stdio.h>
#include <string.h>

typedef tsr_cuda_render render;

#define ADD(r, ...) tsr__text_add((r)->out, __VA_ARGS__)

static void line(const render *r)
{
  ADD(r, "%*s", r->indent, "");
}

static const char *suffix(int dtype)
{
  return tsr__dtype_info((tsr_dtype)dtype)->suffix;
}

static const char *part_suffix(int dtype)
{
  return suffix(tsr__dtype_part((tsr_dtype)dtype));
}

static int size_of(int dtype)
{
  return (int)tsr__dtype_size((tsr_dtype)dtype);
}

void tsr__cuda_add_type(const render *r, int dtype)
{
  if (tsr__dtype_is_complex((tsr_dtype)dtype)) {
    tsr__function_uses_note(r->uses, "complex", part_suffix(dtype));
    ADD(r, "complex_%s", part_suffix(dtype));
  } else {
    ADD(r, "%s", suffix(dtype));
  }
}

static const uint16_t *args_of(const render *r, int i)
{
  return r->k->args + r->k->instrs[i].first_arg;
}

/* Expressions. */

/* What the words of an operation's expression stand for; dtype: what it computes in. */
typedef struct words {
  const render *r;
  int dtype;
  const char *x, *y, *z;
} words;

static void add_function(const render *r, const char *name, const char *type)
{
  tsr__function_uses_note(r->uses, name, type);
  ADD(r, "%.*s_%s", (int)strcspn(name, ")"), name, type);
}

static bool add_word(const void *arg, char word, const char *name)
{
  const words *w = arg;
  if (word == 'x')
    ADD(w->r, "%s", w->x);
  else if (word == 'y')
    ADD(w->r, "%s", w->y);
  else if (word == 'z')
    ADD(w->r, "%s", w->z);
  else if (word == 'T')
    tsr__cuda_add_type(w->r, w->dtype);
  else if (word == 'K')
    add_function(w->r, name, suffix(w->dtype));
  else
    return false;
  return true;
}

void tsr__cuda_add_expression(const render *r, tsr_opcode op, int compute, const char *x,
                              const char *y, const char *z, int n)
{
  const tsr_op_info *info = tsr__op_info(op);
  if (!tsr__dtype_is_complex((tsr_dtype)compute)) {
    tsr__render_form(r->out, info->c_expr, add_word, &(words){r, compute, x, y, z});
    return;
  }
  add_function(r, info->name, suffix(compute));
  ADD(r, n == 1 ? "(%s)" : n == 2 ? "(%s, %s)" : "(%s, %s, %s)", x, y, z);
}

/* Writes an operation; of more operands than its expression has, from left to right. */
static void emit_op(const render *r, int i)
{
  enum { NAME = 24 };
  const tsr_instr *in = &r->k->instrs[i];
  const uint16_t *args = args_of(r, i);
  char v[3][NAME] = {"", "", ""};
  const bool is_chain = tsr__op_info(in->index)->max_args > 3;
  for (int j = 0; j < in->n_args && j < 3; j++) snprintf(v[j], NAME, "v%d", args[j]);
  for (int j = 2; is_chain && j < in->n_args; j++) {
    line(r);
    ADD(r, "const ");
    tsr__cuda_add_type(r, in->dtype);
    ADD(r, " v%d_%d = ", i, j);
    tsr__cuda_add_expression(r, in->index, in->compute, v[0], v[1], "", 2);
    ADD(r, ";\n");
    snprintf(v[0], NAME, "v%d_%d", i, j);
    snprintf(v[1], NAME, "v%d", args[j]);
  }
  line(r);
  ADD(r, "const ");
  tsr__cuda_add_type(r, in->dtype);
  ADD(r, " v%d = ", i);
  tsr__cuda_add_expression(r, in->index, in->compute, v[0], v[1], v[2], is_chain ? 2 : in->n_args);
  ADD(r, ";\n");
}

/* Writes a step of tsr__dtype_cast_step. */
static void add_cast(const render *r, int i)
{
  const int arg = args_of(r, i)[0], to = r->k->instrs[i].dtype, from = r->k->instrs[arg].dtype;
  const bool is_float = tsr__dtype_kind((tsr_dtype)from) == TSR_KIND_FLOAT;
  if (from == to) {
    ADD(r, "v%d", arg);
  } else if (to == TSR_DTYPE_BOOL && tsr__dtype_is_complex((tsr_dtype)from)) {
    ADD(r, "(v%d.re != 0) | (v%d.im != 0)", arg, arg);
  } else if (to == TSR_DTYPE_BOOL) {
    ADD(r, "v%d != 0", arg);
  } else if (tsr__dtype_is_complex((tsr_dtype)to)) {
    ADD(r, "TSR_MAKE(");
    tsr__cuda_add_type(r, to);
    const char *part = part_suffix(to);
    if (tsr__dtype_is_complex((tsr_dtype)from))
      ADD(r, ", (%s)v%d.re, (%s)v%d.im)", part, arg, part, arg);
    else
      ADD(r, ", v%d, 0)", arg);
  } else if (tsr__dtype_is_complex((tsr_dtype)from)) {
    ADD(r, "v%d.re", arg);
  } else if (from == TSR_DTYPE_FLOAT16 || to == TSR_DTYPE_FLOAT16 ||
             (is_float && tsr__dtype_is_integer((tsr_dtype)to))) {
    char name[24];
    snprintf(name, sizeof name, "%s_of", suffix(to));
    add_function(r, name, suffix(from));
    ADD(r, "(v%d)", arg);
  } else {
    ADD(r, "(%s)v%d", suffix(to), arg);
  }
}

static void add_random(const render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  const char *name = tsr__random_info(in->index)->name;
  ADD(r, "(i64)");
  if (in->index ==
      TSR_RANDOM_PERMUTE) { /* of one value at a time wherever it is, so without type */
    tsr__function_uses_note(r->uses, name, NULL);
    ADD(r, "%s", name);
  } else {
    add_function(r, name, "u64");
  }
  for (int j = 0; j < in->n_args; j++) ADD(r, "%s(u64)v%d", j ? ", " : "(", args_of(r, i)[j]);
  ADD(r, ")");
}

/* Writes the scalar of that number, whose bits are among the arguments. */
static void add_scalar(const render *r, const tsr_instr *in)
{
  const int at = r->words.scalar + 2 * in->index;
  switch (in->dtype) {
  case TSR_DTYPE_FLOAT64:
    ADD(r, "__longlong_as_double(ARG(%d))", at);
    break;
  case TSR_DTYPE_FLOAT32:
    ADD(r, "__uint_as_float((u32)ARG(%d))", at);
    break;
  case TSR_DTYPE_COMPLEX64:
    ADD(r, "TSR_MAKE(");
    tsr__cuda_add_type(r, in->dtype);
    ADD(r, ", __uint_as_float((u32)ARG(%d)), __uint_as_float((u32)((u64)ARG(%d) >> 32)))", at, at);
    break;
  case TSR_DTYPE_COMPLEX128:
    ADD(r, "TSR_MAKE(");
    tsr__cuda_add_type(r, in->dtype);
    ADD(r, ", __longlong_as_double(ARG(%d)), __longlong_as_double(ARG(%d)))", at, at + 1);
    break;
  default:
    ADD(r, "(%s)ARG(%d)", suffix(in->dtype), at);
  }
}

/* Memory. */

static const char *point(const render *r)
{
  return r->form->points > 1 ? "(i + l)" : "i";
}

static const char *index_type(const render *r)
{
  return r->form->narrow ? "u32" : "i64";
}

/* Writes the offset of the thread's point in a stream, in bytes. */
static void add_offset(const render *r, int stream, const char *at)
{
  if (r->form->classes[stream] == TSR_CUDA_ANY)
    ADD(r, " + %s * ARG(%d)", at, r->words.stride + stream);
  else if (r->form->classes[stream] != TSR_CUDA_ZERO)
    ADD(r, " + %s%s * %d", r->form->narrow ? "(i64)" : "", at,
        size_of(r->k->accesses[stream].dtype));
}

/* Returns whether loads of the access may go past the coherent path. */
static bool is_read_only(const render *r, int access)
{
  return r->form->read_only && !tsr__dtype_is_complex((tsr_dtype)r->k->accesses[access].dtype) &&
         !tsr__nest_stores(r->k, access);
}

/* Returns the number of the point in the arrays of pieces. */
static const char *element(const render *r)
{
  return r->form->n_pieces > 1 ? "l + q_first" : "l";
}

static void add_load(const render *r, const tsr_instr *in)
{
  const int a = in->index;
  if (r->form->classes[a] == TSR_CUDA_PIECE) {
    ADD(r, "x%d[%s]", a, element(r));
    return;
  }
  ADD(r, is_read_only(r, a) ? "READ_ONLY((const " : "*(const ");
  tsr__cuda_add_type(r, in->dtype);
  ADD(r, " *)(p%d", a);
  add_offset(r, a, point(r));
  ADD(r, is_read_only(r, a) ? "))" : ")");
}

static void emit_store(const render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  const int a = in->index, arg = args_of(r, i)[0];
  line(r);
  if (tsr__cuda_add_taken(r, a, arg)) return;
  if (r->form->classes[a] == TSR_CUDA_PIECE) {
    ADD(r, "y%d[%s] = v%d;\n", a, element(r), arg);
    return;
  }
  ADD(r, "*(");
  tsr__cuda_add_type(r, in->dtype);
  ADD(r, " *)(p%d", a);
  add_offset(r, a, point(r));
  ADD(r, ") = v%d;\n", arg);
}

static void emit_value(const render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  if (in->kind == TSR_I_OP) {
    emit_op(r, i);
    return;
  }
  line(r);
  ADD(r, "const ");
  tsr__cuda_add_type(r, in->dtype);
  ADD(r, " v%d = ", i);
  switch (in->kind) {
  case TSR_I_LOAD:
    add_load(r, in);
    break;
  case TSR_I_SCALAR:
    add_scalar(r, in);
    break;
  case TSR_I_IOTA: {
    const int s = tsr__loop_axes_iota_stream(r->k, in->index);
    ADD(r, "p%d", s);
    if (r->form->classes[s] != TSR_CUDA_ZERO) ADD(r, " + %s", point(r));
    break;
  }
  case TSR_I_CAST:
    add_cast(r, i);
    break;
  default:
    add_random(r, i);
  }
  ADD(r, ";\n");
}

/* Returns whether an instruction loads or stores pieces of the access. */
static bool has_pieces(const render *r, int access)
{
  if (r->form->classes[access] != TSR_CUDA_PIECE) return false;
  for (int i = 0; i < r->k->n_instrs; i++) {
    const tsr_instr *in = &r->k->instrs[i];
    if ((in->kind == TSR_I_LOAD || in->kind == TSR_I_STORE) && in->index == access) return true;
  }
  return false;
}

/* Writes the pieces that the accesses of a kind load or store: 16 bytes, or fewer. */
static void emit_pieces(const render *r, bool stores)
{
  const char *first = r->form->n_pieces > 1 ? " + q_first" : "";
  for (int a = 0; a < r->k->n_accesses; a++) {
    const tsr_kernel_access *access = &r->k->accesses[a];
    const int size = size_of(access->dtype), bytes = size * r->form->points;
    if (access->is_store != stores || !has_pieces(r, a)) continue;
    line(r);
    if (stores)
      ADD(r, "STORE_%d(p%d", bytes, a);
    else
      ADD(r, "%s_%d(x%d%s, p%d", is_read_only(r, a) ? "READ_ONLY" : "LOAD", bytes, a, first, a);
    add_offset(r, a, "i");
    if (stores)
      ADD(r, ", y%d%s);\n", a, first);
    else
      ADD(r, ");\n");
  }
}

/* Writes the arrays of the pieces. */
static void emit_arrays(const render *r)
{
  for (int a = 0; a < r->k->n_accesses; a++) {
    if (!has_pieces(r, a)) continue;
    line(r);
    ADD(r, "PIECE(");
    tsr__cuda_add_type(r, r->k->accesses[a].dtype);
    ADD(r, ", %c%d, %d);\n", r->k->accesses[a].is_store ? 'y' : 'x', a,
        r->form->points * r->form->n_pieces);
  }
}

void tsr__cuda_emit_point(const render *r)
{
  for (int loads = 1; loads >= 0; loads--)
    for (int i = 0; i < r->k->n_instrs; i++) {
      const int kind = r->k->instrs[i].kind;
      if ((kind == TSR_I_LOAD) != (loads == 1)) continue;
      if (kind == TSR_I_STORE)
        emit_store(r, i);
      else
        emit_value(r, i);
    }
}

void tsr__cuda_emit_streams(const render *r)
{
  const int n_axes = r->form->n_axes;
  for (int s = 0; s < r->n_streams; s++) {
    const bool is_memory = s < r->k->n_accesses;
    const char *type = is_memory ? "char *" : "i64 ";
    line(r);
    ADD(r, "%s%sp%d = ", is_memory && r->k->accesses[s].is_store ? "" : "const ", type, s);
    if (is_memory)
      ADD(r, "(%schar *)ARG(%d)", r->k->accesses[s].is_store ? "" : "const ", r->words.base + s);
    else
      ADD(r, "ARG(%d)", r->words.base + s);
    for (int axis = 1; axis < n_axes; axis++)
      ADD(r, " + i%d * ARG(%d)", axis, r->words.stride + axis * r->n_streams + s);
    ADD(r, ";\n");
  }
}

/* Writes the position i<axis> of a row along each of the other axes, and where its streams are. */
static void emit_streams(const render *r)
{
  const int n_axes = r->form->n_axes;
  if (n_axes > 2) {
    line(r);
    ADD(r, "%s rest = row;\n", index_type(r));
  }
  for (int axis = 1; axis < n_axes; axis++) {
    line(r);
    ADD(r, "const %s i%d = %s", index_type(r), axis, n_axes > 2 ? "rest" : "row");
    if (axis < n_axes - 1)
      ADD(r, " %% (%s)ARG(%d); rest /= (%s)ARG(%d)", index_type(r), axis, index_type(r), axis);
    ADD(r, ";\n");
  }
  tsr__cuda_emit_streams(r);
}

static void emit_points(render *r)
{
  line(r);
  ADD(r, "for (int l = 0; l < %d; l++) {\n", r->form->points);
  r->indent += 2;
  tsr__cuda_emit_point(r);
  r->indent -= 2;
  line(r);
  ADD(r, "}\n");
}

/* What is written for each of a thread's pieces, one after the other: all loads come first. */
typedef enum part { PART_LOADS, PART_POINTS, PART_STORES, N_PARTS } part;

/* Writes a part for each of several pieces. Where a piece begins is i and row. */
static void emit_part(render *r, part p)
{
  const bool has_rows = r->form->n_axes > 1;
  line(r);
  ADD(r, "UNROLL for (int q = 0; q < %d; q++) {\n", r->form->n_pieces);
  r->indent += 2;
  line(r);
  ADD(r, "const int q_first = q * %d;\n", r->form->points);
  line(r);
  if (has_rows)
    ADD(r, "const %s row = row_0 + q * height;\n", index_type(r));
  else
    ADD(r, "const %s i = i_0 + q * %d;\n", index_type(r), TSR_CUDA_THREADS * r->form->points);
  line(r);
  ADD(r, has_rows ? "if (row < ARG(%d)) {\n" : "if (i < ARG(%d)) {\n",
      has_rows ? r->words.rows : 0);
  r->indent += 2;
  emit_streams(r);
  if (p == PART_POINTS)
    emit_points(r);
  else
    emit_pieces(r, p == PART_STORES);
  r->indent -= 2;
  line(r);
  ADD(r, "}\n");
  r->indent -= 2;
  line(r);
  ADD(r, "}\n");
}

/* Writes what a thread does with its points in a row. */
static void emit_row(render *r)
{
  if (r->form->n_pieces > 1) {
    emit_arrays(r);
    for (part p = PART_LOADS; p < N_PARTS; p++) emit_part(r, p);
    return;
  }
  emit_streams(r);
  if (r->form->points == 1) {
    tsr__cuda_emit_point(r);
    return;
  }
  emit_arrays(r);
  emit_pieces(r, false);
  emit_points(r);
  emit_pieces(r, true);
}

/* Writes where a thread begins and through which rows it steps. */
static void emit_index(const render *r)
{
  const int points = r->form->points, n = r->form->n_pieces, log_width = r->words.log_width;
  const char *type = index_type(r), *first = n > 1 ? "_0" : "";
  if (r->form->n_axes == 1) {
    ADD(r, "    const %s i%s = ((%s)blockIdx.x * %d + threadIdx.x) * %d;\n", type, first, type,
        TSR_CUDA_THREADS * n, points);
    ADD(r, "    if (i%s < ARG(0)) {\n", first);
    return;
  }
  ADD(r, "    const u32 log_width = (u32)ARG(%d), width = 1u << log_width;\n", log_width);
  ADD(r, "    const u32 height = %du >> log_width;\n", TSR_CUDA_THREADS);
  ADD(r,
      "    const %s i = (((%s)blockIdx.x << log_width) + (threadIdx.x & (width - 1))) * %d;\n"
      "    for (%s row%s = (%s)blockIdx.y * (height * %d) + (threadIdx.x >> log_width);\n"
      "         i < ARG(0) && row%s < ARG(%d); row%s += (%s)gridDim.y * (height * %d)) {\n",
      type, type, points, type, first, type, n, first, r->words.rows, first, type, n);
}

static void emit_kernel(render *r, const char *name)
{
  ADD(r, "KERNEL(%s, %d)\n{\n  THREADS {\n", name, r->words.n);
  emit_index(r);
  r->indent = 6;
  emit_row(r);
  ADD(r, "    }\n  }\n}\n");
}

/* Writes a source, with the kernel's name where it belongs. */
static void emit_source(const tsr_kernel *k, const char *name, tsr_text *out)
{
  const char *at = k->source;
  for (const char *end; (end = strchr(at, TSR_SOURCE_NAME)) != NULL; at = end + 1)
    tsr__text_add(out, "%.*s%s", (int)(end - at), at, name);
  tsr__text_add(out, "%s", at);
}

bool tsr__render_cuda(const tsr_kernel *k, const tsr_cuda_form *form, const char *name,
                      tsr_text *out, tsr_function_uses *uses)
{
  if (k->n_source > 0) {
    emit_source(k, name, out);
    return true;
  }
  if (form->product.tile > 0) {
    tsr__cuda_emit_product(k, form, name, out);
    return true;
  }
  if (!tsr__cuda_has_text(k)) return false;
  TSR_ASSERT(form->n_axes >= 1 && form->n_axes <= TSR_MAX_NDIM && form->points >= 1);
  render r = {.out = out,
              .k = k,
              .form = form,
              .words = form->reduced.n > 0 ? tsr__cuda_reduce_words(k, form)
                                           : tsr__cuda_words(k, form->n_axes),
              .n_streams = tsr__loop_axes_n_streams(k),
              .uses = uses};
  if (form->reduced.n > 0)
    tsr__cuda_emit_reduction(&r, name);
  else
    emit_kernel(&r, name);
  return true;
}
