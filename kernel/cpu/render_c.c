/* The C renderer. A kernel and the classes of its streams become one readable function over GCC
 * vectors, with one line per instruction. A row is computed in parts: whole vectors from the left,
 * then one vector that ends at the row's end and may overlap points that were computed before. For
 * that vector, loads of a buffer that the kernel also stores take their values from before the row.
 * Streaming stores, which bypass the caches (TSR_CLASS_STREAM_STORE), start at an aligned address
 * after a first part. If nothing is read at two offsets, long rows of them are four runs side by
 * side, which uses more of the memory's bandwidth.
 *
 * Points are independent, so only the order at one point matters. It is the order of the
 * instructions, with all loads of a stored buffer before its stores.
 *
 * An operation without a vector form is called, and a function of another function's result has a
 * loop of its own. A part then runs block by block, and the instructions by levels: level l needs
 * the calls of level l - 1 or computes functions of its functions. Values that another level or a
 * call needs pass through arrays on the stack, which stay in L1. */
#include "kernel/cpu/render_int.h"
#include "runtime/base/alloc.h"

#include <stdio.h>
#include <stdlib.h>

/* A long row is four runs side by side. RUN_VECTORS: vectors of each run in turn. RUNS_LEAST:
 * points of a row that has runs. AHEAD_BYTES: the prefetch distance. */
enum { RUN_VECTORS = 8, RUNS_LEAST = 8192, AHEAD_BYTES = 1024 };

static void line(const tsr_c_render *r)
{
  ADD(r, "%*s", r->indent, "");
}

/* Writes a scalar in every lane: by an instruction, or as a difference, which is shorter for the
 * compiler to read than a list. Beside functions it is a difference, because the compiler then
 * knows its origin: if it runs out of registers, it reads the scalar again instead of spilling the
 * vector. */
static void add_scalar(const tsr_c_render *r, const tsr_instr *in)
{
  static const char *const fields[TSR_N_DTYPES] = {[TSR_DTYPE_INT32] = "i32",
                                                   [TSR_DTYPE_INT64] = "i",
                                                   [TSR_DTYPE_FLOAT32] = "f32",
                                                   [TSR_DTYPE_FLOAT64] = "f"};
  const char *type = tsr__c_suffix(in->dtype);
  const int size = tsr__c_size(in->dtype);
  if (in->dtype == TSR_DTYPE_BOOL)
    ADD(r, "SPLAT%d((u8)s[%d].u.i)", r->lanes, in->index);
  else if (!fields[in->dtype]) /* an integer's low bits */
    ADD(r, "(%s)s[%d].u.i - (%sx%d){}", type, in->index, type, r->lanes);
  else if (r->target->x86_vex && !r->any_function && r->lanes * size >= 16)
    ADD(r, "BROADCAST(%sx%d, \"%c\", s[%d].u.%s)", type, r->lanes, size == 8 ? 'q' : 'd', in->index,
        fields[in->dtype]);
  else
    ADD(r, "s[%d].u.%s - (%sx%d){}", in->index, fields[in->dtype], type, r->lanes);
}

/* Begins the definition of v<i>. */
static void begin_value(const tsr_c_render *r, int i)
{
  line(r);
  ADD(r, "const ");
  tsr__c_add_value_type(r, i);
  ADD(r, " v%d = ", i);
}

static void emit_value(const tsr_c_render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  if (tsr__dtype_is_complex((tsr_dtype)in->dtype)) {
    tsr__c_emit_complex(r, i);
    return;
  }
  begin_value(r, i);
  switch (in->kind) {
  case TSR_I_LOAD:
    if (tsr__c_is_shifted(r, in->index))
      tsr__c_add_shifted(r, in->index);
    else
      tsr__c_add_load(r, in, r->at);
    break;
  case TSR_I_SCALAR:
    add_scalar(r, in);
    break;
  case TSR_I_IOTA: {
    const int s = tsr__loop_axes_iota_stream(r->k, in->index);
    if (r->classes[s] == TSR_CLASS_ZERO)
      ADD(r, "SPLAT%d((i64)p%d)", r->lanes, s);
    else if (r->classes[s] == TSR_CLASS_ANY)
      ADD(r, "*(const i64x%du *)(p%d + (%s) * 8)", r->lanes, s, r->at);
    else
      ADD(r, "(i64)p%d + %s + (i64x%d)IOTA%d", s, r->at, r->lanes, r->lanes);
    break;
  }
  case TSR_I_CAST:
    tsr__c_add_cast(r, i);
    break;
  case TSR_I_RANDOM:
    tsr__c_add_random(r, i);
    break;
  default:
    tsr__c_add_op(r, i);
  }
  ADD(r, ";\n");
}

/* Returns whether truth values of all copies are narrowed and stored together: masks that fill
 * vectors of 32 bytes. */
static bool is_joined(const tsr_c_render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  if (in->kind != TSR_I_STORE || in->dtype != TSR_DTYPE_BOOL || !r->v[i].alive) return false;
  const int bytes = r->v[tsr__c_args(r, i)[0]].lane_bytes;
  return r->apart && r->target->x86_vex && r->target->vector_bytes == 32 && bytes >= 4 &&
         bytes * r->lanes == 32 && r->classes[in->index] != TSR_CLASS_ANY;
}

static void emit_store(const tsr_c_render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  const int a = in->index, arg = tsr__c_args(r, i)[0];
  const char *type = tsr__c_suffix(in->dtype);
  if (tsr__dtype_is_complex((tsr_dtype)in->dtype)) {
    tsr__c_emit_complex_store(r, i);
    return;
  }
  line(r);
  if (r->copy >= 0 && is_joined(r, i)) {
    ADD(r, "m%d_%d = v%d;\n", i, r->copy, arg);
    return;
  }
  if (r->classes[a] == TSR_CLASS_ANY) {
    ADD(r, "SCATTER%d(%s, p%d + (%s) * s%d, s%d, ", r->lanes, type, a, r->at, a, a);
    tsr__c_add_operand(r, arg, 1);
    ADD(r, ");\n");
    return;
  }
  if (tsr__c_stream_stores(r, a)) {
    ADD(r, "if (streams%d)\n", a);
    line(r);
    ADD(r, "  STREAM(%sx%d, p%d + (%s) * %d, ", type, r->lanes, a, r->at, tsr__c_size(in->dtype));
    tsr__c_add_operand(r, arg, 1);
    ADD(r, ");\n");
    line(r);
    ADD(r, "else\n  ");
    line(r);
  }
  ADD(r, "*(%sx%du *)(p%d + (%s) * %d) = ", type, r->lanes, a, r->at, tsr__c_size(in->dtype));
  tsr__c_add_operand(r, arg, 1);
  ADD(r, ";\n");
}

/* Writes t<i>[index] = v<i>, one vector. */
static void emit_keep(const tsr_c_render *r, int i, const char *index)
{
  if (tsr__dtype_is_complex((tsr_dtype)r->k->instrs[i].dtype)) {
    tsr__c_emit_complex_keep(r, i, index);
    return;
  }
  line(r);
  ADD(r, "*(%sx%du *)(t%d + %s) = ", tsr__c_suffix(r->k->instrs[i].dtype), r->lanes, i, index);
  tsr__c_add_operand(r, i, 1);
  ADD(r, ";\n");
}

/* Writes v<i> = t<i>[index]. Bools in arrays are bytes. */
static void emit_fetch(const tsr_c_render *r, int i, const char *index)
{
  const int dtype = r->k->instrs[i].dtype, bytes = r->v[i].lane_bytes;
  if (tsr__dtype_is_complex((tsr_dtype)dtype)) {
    tsr__c_emit_complex_fetch(r, i, index);
    return;
  }
  begin_value(r, i);
  if (dtype == TSR_DTYPE_BOOL && bytes > 1) {
    char x[80];
    snprintf(x, sizeof x, "*(const u8x%du *)(t%d + %s)", r->lanes, i, index);
    tsr__c_add_mask(r, x, bytes);
    ADD(r, ";\n");
  } else {
    ADD(r, "*(const %sx%du *)(t%d + %s);\n", tsr__c_suffix(dtype), r->lanes, i, index);
  }
}

/* Fills the array of a value that does not change: all of it, or one vector for calls that happen
 * once. */
static void emit_fill(const tsr_c_render *r, int i)
{
  if (!r->v[i].in_array) return;
  if (!r->v[i].filled) {
    emit_keep(r, i, "0");
    return;
  }
  line(r);
  ADD(r, "for (i64 j = 0; j < %lld; j += %d) {\n  ", (long long)r->block, r->lanes);
  emit_keep(r, i, "j"); /* complex numbers take two statements */
  line(r);
  ADD(r, "}\n");
}

static void emit_call(const tsr_c_render *r, int i, int number, const char *n)
{
  const tsr_instr *in = &r->k->instrs[i];
  line(r);
  if (r->v[i].is_direct)
    ADD(r, "call[%d](%s, p%d + i * %d", number, n, r->k->instrs[tsr__c_store_of(r, i)].index,
        tsr__c_size(in->dtype));
  else
    ADD(r, "call[%d](%s, t%d", number, n, i);
  ADD(r, ", (const void *const[]){");
  for (int j = 0; j < r->k->instrs[i].n_args; j++) {
    const int a = tsr__c_args(r, i)[j];
    const tsr_instr *arg = &r->k->instrs[a];
    if (tsr__c_in_memory(r, a) && !r->v[a].in_array)
      ADD(r, "%sp%d + i * %d", j ? ", " : "", arg->index, tsr__c_size(arg->dtype));
    else
      ADD(r, "%st%d", j ? ", " : "", a);
  }
  ADD(r, "}); /* %s */\n",
      in->kind == TSR_I_RANDOM ? tsr__random_info(in->index)->name
      : in->kind == TSR_I_OP   ? tsr__op_info(in->index)->name
                               : "cast");
}

/* Returns the number of the call of instruction i. */
static int call_number(const tsr_c_render *r, int i)
{
  int n = 0;
  for (int c = 0; c < i; c++) n += r->v[c].called;
  return n;
}

static void emit_once(const tsr_c_render *r)
{
  for (int i = 0; i < r->k->n_instrs; i++) {
    const tsr_c_value *v = &r->v[i];
    if (!v->alive) continue;
    if (tsr__c_shifts_by_scalar(r->k, i, r->lanes)) tsr__c_emit_shift_constants(r, i);
    if (v->moment != TSR_ONCE) continue;
    if (v->called) {
      char n[16];
      snprintf(n, sizeof n, "%d", r->lanes);
      emit_call(r, i, call_number(r, i), n);
      emit_fetch(r, i, "0");
    } else {
      emit_value(r, i);
    }
    emit_fill(r, i);
  }
}

/* Returns whether an instruction of this level, other than a call, reads value i. */
static bool is_used_in(const tsr_c_render *r, int i, int level)
{
  for (int u = 0; u < r->k->n_instrs; u++) {
    if (!r->v[u].alive || r->v[u].moment != TSR_PER_POINT || r->v[u].called ||
        r->v[u].level != level)
      continue;
    for (int j = 0; j < r->k->instrs[u].n_args; j++)
      if (tsr__c_args(r, u)[j] == i && !r->v[u].is_direct) return true;
  }
  return false;
}

static void emit_level(const tsr_c_render *r, int level)
{
  const int n = r->k->n_instrs;
  for (int i = 0; i < n; i++) {
    const tsr_c_value *v = &r->v[i];
    if (!v->alive || v->moment != TSR_PER_POINT || !is_used_in(r, i, level)) continue;
    if (v->called || v->level < level) {
      if (v->in_array)
        emit_fetch(r, i, "j");
      else
        emit_value(r, i);
    }
  }
  for (int i = 0; i < n; i++) {
    const tsr_c_value *v = &r->v[i];
    if (!v->alive || v->called || v->moment != TSR_PER_POINT || v->level != level) continue;
    if (r->k->instrs[i].kind == TSR_I_STORE) {
      if (!v->is_direct) emit_store(r, i);
      continue;
    }
    if (!v->in_array && !is_used_in(r, i, level)) continue;
    emit_value(r, i);
    if (v->in_array) emit_keep(r, i, "j");
  }
}

/* Returns whether the loop of this level computes anything. */
static bool has_work(const tsr_c_render *r, int level)
{
  for (int i = 0; i < r->k->n_instrs; i++) {
    const tsr_c_value *v = &r->v[i];
    if (v->alive && !v->called && v->moment == TSR_PER_POINT && v->level == level &&
        (v->in_array || (r->k->instrs[i].kind == TSR_I_STORE && !v->is_direct)))
      return true;
  }
  return false;
}

static void emit_blocks(tsr_c_render *r)
{
  line(r);
  ADD(r, "for (; i < end; i += %lld) {\n", (long long)r->block);
  r->indent += 2;
  line(r);
  ADD(r, "const i64 m = end - i < %lld ? end - i : %lld;\n", (long long)r->block,
      (long long)r->block);
  for (int level = 0; level < r->n_levels; level++) {
    if (has_work(r, level)) {
      line(r);
      ADD(r, "for (i64 j = 0; j < m; j += %d) {\n", r->lanes);
      r->indent += 2;
      r->at = "i + j";
      emit_level(r, level);
      r->at = "i";
      r->indent -= 2;
      line(r);
      ADD(r, "}\n");
    }
    for (int i = 0; i < r->k->n_instrs; i++)
      if (r->v[i].called && r->v[i].moment == TSR_PER_POINT && r->v[i].level == level)
        emit_call(r, i, call_number(r, i), "m");
  }
  r->indent -= 2;
  line(r);
  ADD(r, "}\n");
}

/* Returns whether the instruction loads a stored buffer, whose values are noted for the last vector
 * of the row. */
static bool is_reread(const tsr_c_render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  return r->v[i].alive && in->kind == TSR_I_LOAD && r->stored[in->index];
}

/* Writes the length of the head of a row, and which stores are aligned after it. */
static void emit_alignment(const tsr_c_render *r)
{
  bool first = true;
  for (int i = 0; i < r->k->n_instrs; i++) {
    const tsr_instr *in = &r->k->instrs[i];
    if (in->kind != TSR_I_STORE || !tsr__c_stream_stores(r, in->index)) continue;
    const int a = in->index, size = tsr__c_size(in->dtype), bytes = r->lanes * size;
    if (first) ADD(r, "    const i64 head = -(uintptr_t)p%d %% %d / %d;\n", a, bytes, size);
    first = false;
    ADD(r, "    const int aligned%d = (uintptr_t)(p%d + head * %d) %% %d == 0;\n", a, a, size,
        bytes);
  }
}

/* Writes which of the stores bypass the caches in this part. */
static void emit_stream_stores(const tsr_c_render *r, const char *middle)
{
  for (int i = 0; i < r->k->n_instrs; i++) {
    const tsr_instr *in = &r->k->instrs[i];
    if (in->kind == TSR_I_STORE && tsr__c_stream_stores(r, in->index))
      ADD(r, "      const int streams%d = %s && aligned%d;\n", in->index, middle, in->index);
  }
}

/* Writes the middle of a long row as four runs side by side, with some vectors of each in turn. */
static void emit_runs(const tsr_c_render *r)
{
  const int lanes = r->lanes, turn = RUN_VECTORS * lanes;
  emit_alignment(r);
  ADD(r,
      "    const i64 run = n < %d ? 0 : (n - head) / %d * %d, turns = run / %d * 4;\n"
      "    for (i64 part = -1; part < turns + 2; part++) {\n"
      "      i64 i = part < 0        ? 0\n"
      "              : part < turns  ? head + (part & 3) * run + (part >> 2) * %d\n"
      "              : part == turns ? head + 4 * run\n"
      "                              : n - %d;\n"
      "      const i64 end = part < 0        ? %d\n"
      "                      : part < turns  ? i + %d\n"
      "                      : part == turns ? n - (n - head) %% %d\n"
      "                                      : n;\n"
      "      if (part < 0 ? head == 0 : part > turns ? (n - head) %% %d == 0 : i >= end) "
      "continue;\n",
      RUNS_LEAST, 4 * turn, turn, turn, turn, lanes, lanes, turn, lanes, lanes);
  emit_stream_stores(r, "part >= 0 && part <= turns");
}

/* Writes that in the row's last vector loads of a stored buffer read the values noted in
 * w<access>. */
static void emit_reread(const tsr_c_render *r, const char *when)
{
  for (int i = 0; i < r->k->n_instrs; i++) {
    if (!is_reread(r, i)) continue;
    const int a = r->k->instrs[i].index, size = tsr__c_size(r->k->instrs[i].dtype);
    ADD(r, "      %sq%d = (const char *)((uintptr_t)&w%d - (n - %d) * %d)", when, a, a, r->lanes,
        size);
    if (r->classes[a] == TSR_CLASS_ANY) ADD(r, ", z%d = %d", a, size);
    ADD(r, ";\n");
  }
}

/* Writes what follows the loops of a part. */
static void emit_part_end(const tsr_c_render *r)
{
  if (!r->any_stream_store) {
    ADD(r, "      if (end == n) break;\n");
    emit_reread(r, "");
  }
  ADD(r, "    }\n");
}

/* Writes the parts of a row whose middle begins where a store is aligned, if it is long. */
static void emit_aligned_parts(const tsr_c_render *r)
{
  enum { LEAST_VECTORS = 16 };
  const int lanes = r->lanes, size = tsr__c_size(r->k->accesses[r->aligned].dtype);
  ADD(r,
      "    const i64 head = n < %d ? 0 : -((uintptr_t)p%d / %d) & %d;\n"
      "    for (int part = head == 0; part < 3; part++) {\n"
      "      i64 i = part == 0 ? 0 : part == 1 ? head : n - %d;\n"
      "      const i64 end = part == 0 ? %d : part == 1 ? n - (n - head) %% %d : n;\n",
      LEAST_VECTORS * lanes, r->aligned, size, lanes - 1, lanes, lanes, lanes);
}

static void emit_parts(const tsr_c_render *r)
{
  const int lanes = r->lanes;
  if (r->aligned >= 0) {
    emit_aligned_parts(r);
    return;
  }
  if (!r->any_stream_store) { /* two parts, in the form that compiles fastest */
    ADD(r, "    for (i64 i = 0, end = n & -%d;; i = n - %d, end = n) {\n", lanes, lanes);
    return;
  }
  if (r->in_runs) {
    emit_runs(r);
  } else {
    emit_alignment(r);
    ADD(r,
        "    for (int part = 0; part < 3; part++) {\n"
        "      i64 i = part == 0 ? 0 : part == 1 ? head : n - %d;\n"
        "      const i64 end = part == 0 ? %d : part == 1 ? n - (n - head) %% %d : n;\n"
        "      if (part == 0 ? head == 0 : part == 2 && (n - head) %% %d == 0) continue;\n",
        lanes, lanes, lanes, lanes);
    emit_stream_stores(r, "part == 1");
  }
  emit_reread(r, r->in_runs ? "if (part == turns + 1) " : "if (part == 2) ");
}

/* Writes prefetches of what the loop will access soon. The processor's own prefetching stops at the
 * end of each page, and does not fetch lines to write to before the stores wait for them. */
static void emit_prefetch(const tsr_c_render *r)
{
  for (int a = 0; a < r->k->n_accesses; a++) {
    const tsr_kernel_access *access = &r->k->accesses[a];
    if (r->classes[a] != TSR_CLASS_AHEAD) continue;
    line(r);
    ADD(r, "__builtin_prefetch(p%d + (%s) * %d + %d%s);\n", a, r->at, tsr__c_size(access->dtype),
        AHEAD_BYTES, access->is_store ? ", 1" : "");
  }
}

/* Writes the loop over turns of several vectors. The rest of the part is less than a turn. */
static void emit_copies(tsr_c_render *r)
{
  const int turn = r->copies * r->lanes, n = r->k->n_instrs;
  ADD(r, "      for (; end - i >= %d", turn);
  if (r->shifts) ADD(r, " && n - i >= %d", turn + r->lanes);
  ADD(r, "; i += %d) {\n", turn);
  tsr__c_declare_vectors(r);
  for (int i = 0; i < n; i++) {
    if (!is_joined(r, i)) continue;
    ADD(r, "        ");
    tsr__c_add_value_type(r, tsr__c_args(r, i)[0]);
    for (int c = 0; c < r->copies; c++) ADD(r, "%sm%d_%d", c == 0 ? " " : ", ", i, c);
    ADD(r, ";\n");
  }
  r->indent = 10;
  for (r->copy = 0; r->copy < r->copies; r->copy++) {
    char at[32];
    snprintf(at, sizeof at, "i + %d", r->copy * r->lanes);
    r->at = at;
    ADD(r, "        {\n");
    emit_prefetch(r);
    tsr__c_emit_next_vectors(r);
    emit_level(r, 0);
    ADD(r, "        }\n");
  }
  r->at = "i";
  r->copy = -1;
  tsr__c_emit_moved_vectors(r);
  for (int i = 0; i < n; i++)
    if (is_joined(r, i))
      ADD(r, "        *(u8x%du *)(p%d + i) = JOIN%d(m%d_0, m%d_1, m%d_2, m%d_3) & 1;\n", turn,
          r->k->instrs[i].index, r->lanes, i, i, i, i);
  ADD(r, "      }\n");
}

static void emit_row(tsr_c_render *r)
{
  const tsr_kernel *k = r->k;
  for (int i = 0; i < k->n_instrs; i++) {
    if (!is_reread(r, i)) continue;
    const int a = k->instrs[i].index;
    char at[32];
    snprintf(at, sizeof at, "n - %d", r->lanes);
    ADD(r, "    const char *q%d = p%d;\n", a, a);
    if (r->classes[a] == TSR_CLASS_ANY) ADD(r, "    i64 z%d = s%d;\n", a, a);
    if (tsr__dtype_is_complex((tsr_dtype)k->instrs[i].dtype)) {
      tsr__c_add_complex_image(r, i, at);
      continue;
    }
    ADD(r, "    const %sx%d w%d = ", tsr__c_suffix(k->instrs[i].dtype), r->lanes, a);
    tsr__c_add_load(r, &k->instrs[i], at);
    ADD(r, ";\n");
  }
  r->indent = 4;
  for (int i = 0; i < k->n_instrs; i++) {
    if (!r->v[i].alive || r->v[i].moment != TSR_PER_ROW) continue;
    emit_value(r, i);
    emit_fill(r, i);
  }
  emit_parts(r);
  r->indent = 6;
  if (r->n_calls > 0 || r->n_levels > 1) {
    emit_blocks(r);
  } else {
    tsr__c_emit_first_vectors(r);
    const bool has_turns = r->copies > 1 || r->shifts;
    if (has_turns) emit_copies(r);
    ADD(r, has_turns ? "      if (i < end) do {\n" : "      do {\n");
    r->indent = 8;
    emit_prefetch(r);
    emit_level(r, 0);
    ADD(r, "      } while ((i += %d) < end);\n", r->lanes);
  }
  emit_part_end(r);
}

static void emit_function(tsr_c_render *r, const char *name)
{
  const tsr_kernel *k = r->k;
  ADD(r,
      "void %s(i64 n_rows, i64 n, char *const *base, const i64 *row, const i64 *step,\n"
      "        const scalar *s, const loop *call)\n{\n",
      name);
  for (int a = 0; a < r->n_streams; a++) {
    ADD(r, "  char *p%d = base[%d];\n", a, a);
    if (a < k->n_accesses && r->classes[a] == TSR_CLASS_ANY)
      ADD(r, "  const i64 s%d = step[%d];\n", a, a);
  }
  for (int i = 0; i < k->n_instrs; i++) {
    const tsr_dtype part = tsr__dtype_part((tsr_dtype)k->instrs[i].dtype);
    if (r->v[i].in_array)
      ADD(r, "  %s t%d[%lld] __attribute__((aligned(64)));\n", tsr__c_suffix(part), i,
          (long long)r->block * (tsr__c_size(k->instrs[i].dtype) / tsr__c_size(part)));
  }
  r->indent = 2;
  emit_once(r);
  ADD(r, "  for (i64 row_index = 0; row_index < n_rows; row_index++) {\n");
  emit_row(r);
  for (int a = 0; a < r->n_streams; a++) ADD(r, "    p%d += row[%d];\n", a, a);
  ADD(r, "  }\n");
  if (r->any_stream_store) ADD(r, "  STREAM_END();\n");
  if (r->target->x86_vex) ADD(r, "  UPPER_END();\n");
  ADD(r, "}\n");
}

bool tsr__render_c(const tsr_kernel *k, const uint8_t *classes, const tsr_target *target,
                   const char *name, tsr_text *out, tsr_function_uses *uses)
{
  const int n_streams = tsr__loop_axes_n_streams(k);
  tsr_c_render r = {.out = out,
                    .k = k,
                    .classes = classes,
                    .target = target,
                    .lanes = tsr__render_lanes(k, target),
                    .n_streams = n_streams,
                    .stored = tsr__calloc((size_t)k->n_accesses + 1, sizeof(bool)),
                    .v = tsr__calloc((size_t)k->n_instrs + 1, sizeof(tsr_c_value)),
                    .uses = uses,
                    .at = "i"};
  for (int a = 0; a < k->n_accesses; a++)
    for (int b = 0; b < k->n_accesses; b++)
      if (k->accesses[b].is_store && k->accesses[a].buffer == k->accesses[b].buffer)
        r.stored[a] = true;
  const bool ok = tsr__c_can_render(&r);
  if (ok) {
    tsr__c_analyse(&r);
    emit_function(&r, name);
  }
  free(r.stored);
  free(r.v);
  return ok;
}
