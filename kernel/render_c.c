/* The C renderer: a kernel and the classes of its streams become one readable function over GCC
 * vectors, an instruction a line. A row is taken in parts: whole vectors from the left, then one
 * vector that ends at the row's end and may overlap what was done; loads of a buffer that the
 * kernel also stores take their values for that vector from before the row. Stores around the
 * caches (TSR_CLASS_FLOW) start at an aligned address, behind a first part.
 *
 * Points are independent, so only the order at one point matters: it is the instructions' order,
 * with all loads of a stored buffer before its stores.
 *
 * An operation without a vector form is called: then a part goes block by block, and the
 * instructions by levels, level l being what needs the calls of level l - 1; values that another
 * level or a call needs pass through arrays on the stack, which stay in L1. */
#include "kernel/jit_int.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK_BYTES = 24576, BLOCK_MAX = 512, BLOCK_MIN = 64 };

/* When a value is computed. */
typedef enum moment { ONCE, PER_ROW, PER_POINT } moment;

typedef struct value {
  bool alive, called;
  bool in_array; /* passes through t<number> */
  bool filled;   /* does not change from point to point, but a call reads it at each */
  uint8_t moment;
  uint8_t lane_bytes; /* bool: 1 for bytes of 0 and 1, else lanes of a mask of 0 and -1 */
  int32_t level;
} value;

typedef struct render {
  tsr_text *out;
  const tsr_kernel *k;
  const uint8_t *classes;
  const tsr_target *target;
  int lanes, n_streams, n_calls, n_levels;
  int64_t block;
  bool any_flow;
  bool *stored; /* [n_accesses] the kernel stores its buffer */
  value *v;
  const char *at; /* index of the point, in C */
  int indent;
} render;

#define ADD(r, ...) tsr__text_add((r)->out, __VA_ARGS__)

static const char *suffix(int dtype)
{
  return dtype == TSR_DTYPE_BOOL ? "u8" : tsr__dtype_info(dtype)->suffix;
}

static int size_of(int dtype)
{
  return (int)tsr__dtype_size(dtype);
}

static const uint16_t *args_of(const render *r, int at)
{
  return r->k->args + r->k->instrs[at].first_arg;
}

/* Does the store of access a go around the caches? */
static bool flows(const render *r, int a)
{
  return r->classes[a] == TSR_CLASS_FLOW && r->target->x86_vex &&
         r->lanes * size_of(r->k->accesses[a].dtype) >= 16;
}

static void line(const render *r)
{
  ADD(r, "%*s", r->indent, "");
}

/* --- analysis ----------------------------------------------------------------------------------
 */

int tsr__render_lanes(const tsr_kernel *k, const tsr_target *target)
{
  return target->vector_bytes / k->widest_bytes;
}

static bool is_called(const tsr_instr *in, int lanes, const tsr_target *target)
{
  return in->kind == TSR_I_OP && !tsr__vector_form(in->index, in->compute, lanes, target);
}

static void mark_alive(const tsr_kernel *k, bool *alive)
{
  for (int i = k->n_instrs - 1; i >= 0; i--) {
    const tsr_instr *in = &k->instrs[i];
    if (in->kind == TSR_I_STORE) alive[i] = true;
    if (!alive[i]) continue;
    for (int j = 0; j < in->n_args; j++) alive[k->args[in->first_arg + j]] = true;
  }
}

int tsr__render_calls(const tsr_kernel *k, const tsr_target *target, tsr_loop *call)
{
  const int lanes = tsr__render_lanes(k, target);
  bool *alive = tsr__calloc((size_t)k->n_instrs + 1, sizeof *alive);
  mark_alive(k, alive);
  int n = 0;
  for (int i = 0; i < k->n_instrs; i++) {
    const tsr_instr *in = &k->instrs[i];
    if (alive[i] && is_called(in, lanes, target))
      call[n++] = target->loops->op[in->index][in->compute][in->n_args - 1];
  }
  free(alive);
  return n;
}

/* A called operation of more operands than its loop takes, a load behind a store to its buffer. */
static bool can_render(const render *r)
{
  const tsr_kernel *k = r->k;
  for (int i = 0; i < k->n_instrs; i++) {
    const tsr_instr *in = &k->instrs[i];
    if (is_called(in, r->lanes, r->target) &&
        (in->n_args > TSR_LOOP_MAX_ARGS ||
         !r->target->loops->op[in->index][in->compute][in->n_args - 1]))
      return false;
    if (in->kind != TSR_I_LOAD) continue;
    for (int s = 0; s < i; s++)
      if (k->instrs[s].kind == TSR_I_STORE &&
          k->accesses[k->instrs[s].index].buffer == k->accesses[in->index].buffer)
        return false;
  }
  return true;
}

static uint8_t moment_of(const render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  switch (in->kind) {
  case TSR_I_LOAD:
    return r->classes[in->index] == TSR_CLASS_ZERO ? PER_ROW : PER_POINT;
  case TSR_I_IOTA:
  case TSR_I_STORE:
    return PER_POINT;
  default:
    for (int j = 0; j < in->n_args; j++)
      if (r->v[args_of(r, i)[j]].moment != ONCE) return PER_POINT;
    return ONCE;
  }
}

static uint8_t lane_bytes_of(const render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  if (in->dtype != TSR_DTYPE_BOOL || r->v[i].called) return 1;
  if (in->kind == TSR_I_CAST) return (uint8_t)size_of(r->k->instrs[args_of(r, i)[0]].dtype);
  if (in->kind != TSR_I_OP) return 1;
  if (in->compute != TSR_DTYPE_BOOL) return (uint8_t)size_of(in->compute);
  const tsr_rule rule = tsr__op_info(in->index)->rule;
  return rule == TSR_RULE_LOGICAL ? r->v[args_of(r, i)[0]].lane_bytes : 1;
}

static int level_of(const render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  int level = 0;
  for (int j = 0; j < in->n_args; j++) {
    const value *arg = &r->v[args_of(r, i)[j]];
    const int ready = arg->moment == PER_POINT ? arg->level + arg->called : 0;
    if (ready > level) level = ready;
  }
  if (in->kind == TSR_I_STORE)
    for (int s = 0; s < i; s++)
      if (r->k->instrs[s].kind == TSR_I_STORE &&
          r->k->accesses[r->k->instrs[s].index].buffer == r->k->accesses[in->index].buffer &&
          r->v[s].level > level)
        level = r->v[s].level;
  return level;
}

/* Read again where it is needed rather than kept. */
static bool is_reloadable(const render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  return (in->kind == TSR_I_LOAD && !r->stored[in->index]) || in->kind == TSR_I_IOTA;
}

/* An operand of a call that is read where it lies. */
static bool is_in_memory(const render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  return in->kind == TSR_I_LOAD && !r->stored[in->index] && r->classes[in->index] == TSR_CLASS_UNIT;
}

static void find_arrays(render *r)
{
  int bytes = 0;
  for (int i = 0; i < r->k->n_instrs; i++) {
    value *v = &r->v[i];
    if (!v->alive) continue;
    if (v->called) v->in_array = true;
    for (int j = 0; j < r->k->instrs[i].n_args; j++) {
      const int a = args_of(r, i)[j];
      value *arg = &r->v[a];
      if (v->called && !is_in_memory(r, a)) arg->in_array = true;
      if (v->called && v->moment == PER_POINT && arg->moment != PER_POINT) arg->filled = true;
      if (arg->moment == PER_POINT && arg->level != v->level && !is_reloadable(r, a))
        arg->in_array = true;
    }
    if (v->level >= r->n_levels) r->n_levels = v->level + 1;
  }
  for (int i = 0; i < r->k->n_instrs; i++)
    if (r->v[i].in_array) bytes += size_of(r->k->instrs[i].dtype);
  r->block = BLOCK_MAX;
  while (r->block > BLOCK_MIN && r->block * bytes > BLOCK_BYTES) r->block /= 2;
}

static void analyse(render *r)
{
  const tsr_kernel *k = r->k;
  bool *alive = tsr__calloc((size_t)k->n_instrs + 1, sizeof *alive);
  mark_alive(k, alive);
  for (int i = 0; i < k->n_instrs; i++) {
    value *v = &r->v[i];
    v->alive = alive[i];
    v->called = alive[i] && is_called(&k->instrs[i], r->lanes, r->target);
    r->n_calls += v->called;
    v->moment = moment_of(r, i);
    v->lane_bytes = lane_bytes_of(r, i);
    v->level = v->moment == PER_POINT ? level_of(r, i) : 0;
  }
  for (int i = 0; i < k->n_instrs; i++)
    if (alive[i] && k->instrs[i].kind == TSR_I_STORE) r->any_flow |= flows(r, k->instrs[i].index);
  free(alive);
  find_arrays(r);
}

/* --- expressions -------------------------------------------------------------------------------
 */

static void add_type(const render *r, int dtype)
{
  ADD(r, "%sx%d", suffix(dtype), r->lanes);
}

static void add_mask_type(const render *r, int lane_bytes)
{
  ADD(r, "%sx%d", lane_bytes == 8 ? "i64" : lane_bytes == 4 ? "i32" : "u8", r->lanes);
}

static void add_value_type(const render *r, int i)
{
  if (r->k->instrs[i].dtype == TSR_DTYPE_BOOL)
    add_mask_type(r, r->v[i].lane_bytes);
  else
    add_type(r, r->k->instrs[i].dtype);
}

/* Value i; a bool in lanes of that many bytes. */
static void add_operand(const render *r, int i, int lane_bytes)
{
  const int have = r->v[i].lane_bytes;
  if (r->k->instrs[i].dtype != TSR_DTYPE_BOOL || have == lane_bytes) {
    ADD(r, "v%d", i);
  } else if (lane_bytes == 1) {
    if (have == 8)
      ADD(r, "(__builtin_convertvector(__builtin_convertvector(v%d, i32x%d), u8x%d) & 1)", i,
          r->lanes, r->lanes);
    else
      ADD(r, "(__builtin_convertvector(v%d, u8x%d) & 1)", i, r->lanes);
  } else {
    ADD(r, "%s__builtin_convertvector(v%d, ", have == 1 ? "-" : "", i);
    add_mask_type(r, lane_bytes);
    ADD(r, ")");
  }
}

static bool is_word(char c)
{
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* The form with its tokens replaced. */
static void add_form(const render *r, const char *form, int dtype, const int *args,
                     const int *lane_bytes)
{
  const int size = size_of(dtype);
  for (const char *c = form; *c; c++) {
    const bool alone = !(c > form && is_word(c[-1])) && !is_word(c[1]);
    if (!alone)
      ADD(r, "%c", *c);
    else if (*c >= 'x' && *c <= 'z')
      add_operand(r, args[*c - 'x'], lane_bytes[*c - 'x']);
    else if (*c == 'T')
      add_type(r, dtype);
    else if (*c == 'M')
      add_mask_type(r, size);
    else if (*c == 'S')
      ADD(r, "%d", 8 * size - 1);
    else if (*c == 'H')
      ADD(r, "%s", size == 8 ? "0x7fffffffffffffff" : "0x7fffffff");
    else
      ADD(r, "%c", *c);
  }
}

static void add_logical(const render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  const int bytes = r->v[i].lane_bytes;
  const uint16_t *args = args_of(r, i);
  if (in->index == TSR_OP_LOGICAL_NOT && bytes > 1) {
    ADD(r, "~v%d", args[0]);
    return;
  }
  const int two[] = {args[0], args[in->n_args > 1]};
  add_form(r, tsr__vector_form(in->index, TSR_DTYPE_BOOL, r->lanes, r->target), TSR_DTYPE_BOOL, two,
           (int[]){bytes, bytes});
}

static void add_op(const render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  const tsr_rule rule = tsr__op_info(in->index)->rule;
  if (rule == TSR_RULE_LOGICAL) {
    add_logical(r, i);
    return;
  }
  const char *form = tsr__vector_form(in->index, in->compute, r->lanes, r->target);
  const uint16_t *args = args_of(r, i);
  int three[3] = {0}, bytes[3] = {1, 1, 1};
  for (int j = 0; j < in->n_args && j < 3; j++) three[j] = args[j];
  if (rule == TSR_RULE_WHERE) bytes[0] = size_of(in->compute);
  if (tsr__op_info(in->index)->max_args <= 3) {
    add_form(r, form, in->compute, three, bytes);
    return;
  }
  /* x op y op …, which C reads from the left: the operators of such rows are all + * | or &. */
  add_operand(r, args[0], 1);
  for (int j = 1; j < in->n_args; j++) {
    ADD(r, " %c ", form[2]);
    add_operand(r, args[j], 1);
  }
}

static void add_cast(const render *r, int i)
{
  const int arg = args_of(r, i)[0], to = r->k->instrs[i].dtype, from = r->k->instrs[arg].dtype;
  if (to == TSR_DTYPE_BOOL) {
    if (from == to) {
      add_operand(r, arg, 1);
      return;
    }
    ADD(r, "(");
    add_mask_type(r, size_of(from));
    ADD(r, ")(v%d != 0)", arg);
  } else if (from == TSR_DTYPE_BOOL) {
    const bool is_int = to == TSR_DTYPE_INT32 || to == TSR_DTYPE_INT64;
    const int bytes = r->v[arg].lane_bytes == 1 ? 1 : is_int ? size_of(to) : 4;
    if (!is_int) ADD(r, "__builtin_convertvector(");
    if (bytes == 1) ADD(r, "__builtin_convertvector(");
    add_operand(r, arg, bytes);
    if (bytes == 1)
      ADD(r, ", %sx%d)", is_int ? suffix(to) : "i32", r->lanes);
    else
      ADD(r, " & 1");
    if (!is_int) ADD(r, ", %sx%d)", suffix(to), r->lanes);
  } else {
    const char *form = tsr__vector_cast(from, to);
    for (const char *c = form; *c; c++) {
      if (*c == '$')
        ADD(r, "%d", r->lanes);
      else if (*c == 'x' && (c[-1] == '(' || c[1] == ','))
        ADD(r, "v%d", arg);
      else
        ADD(r, "%c", *c);
    }
  }
}

static void add_load(const render *r, const tsr_instr *in, const char *at)
{
  const int a = in->index;
  const char *type = suffix(in->dtype), p = r->stored[a] ? 'q' : 'p';
  switch (r->classes[a]) {
  case TSR_CLASS_ZERO:
    ADD(r, "SPLAT%d(*(const %s *)p%d)", r->lanes, type, a);
    break;
  case TSR_CLASS_ANY:
    ADD(r, "GATHER%d(%s, %c%d + (%s) * %c%d, %c%d)", r->lanes, type, p, a, at,
        r->stored[a] ? 'z' : 's', a, r->stored[a] ? 'z' : 's', a);
    break;
  default:
    ADD(r, "*(const %sx%du *)(%c%d + (%s) * %d)", type, r->lanes, p, a, at, size_of(in->dtype));
  }
}

static int iota_stream(const render *r, int axis)
{
  return r->k->n_accesses + __builtin_popcount(r->k->iota_axes & ((1u << axis) - 1));
}

/* --- statements --------------------------------------------------------------------------------
 */

static void emit_value(const render *r, int i)
{
  static const char *const fields[] = {"i", "i32", "i", "f32", "f"};
  const tsr_instr *in = &r->k->instrs[i];
  line(r);
  ADD(r, "const ");
  add_value_type(r, i);
  ADD(r, " v%d = ", i);
  switch (in->kind) {
  case TSR_I_LOAD:
    add_load(r, in, r->at);
    break;
  case TSR_I_SCALAR:
    ADD(r, "SPLAT%d((%s)s[%d].u.%s)", r->lanes, suffix(in->dtype), in->index, fields[in->dtype]);
    break;
  case TSR_I_IOTA: {
    const int s = iota_stream(r, in->index);
    if (r->classes[s] == TSR_CLASS_ZERO)
      ADD(r, "SPLAT%d((i64)p%d)", r->lanes, s);
    else
      ADD(r, "(i64)p%d + %s + (i64x%d)IOTA%d", s, r->at, r->lanes, r->lanes);
    break;
  }
  case TSR_I_CAST:
    add_cast(r, i);
    break;
  default:
    add_op(r, i);
  }
  ADD(r, ";\n");
}

static void emit_store(const render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  const int a = in->index, arg = args_of(r, i)[0];
  const char *type = suffix(in->dtype);
  line(r);
  if (r->classes[a] == TSR_CLASS_ANY) {
    ADD(r, "SCATTER%d(%s, p%d + (%s) * s%d, s%d, ", r->lanes, type, a, r->at, a, a);
    add_operand(r, arg, 1);
    ADD(r, ");\n");
    return;
  }
  if (flows(r, a)) {
    ADD(r, "if (flow%d)\n", a);
    line(r);
    ADD(r, "  FLOW(%sx%d, p%d + (%s) * %d, ", type, r->lanes, a, r->at, size_of(in->dtype));
    add_operand(r, arg, 1);
    ADD(r, ");\n");
    line(r);
    ADD(r, "else\n  ");
    line(r);
  }
  ADD(r, "*(%sx%du *)(p%d + (%s) * %d) = ", type, r->lanes, a, r->at, size_of(in->dtype));
  add_operand(r, arg, 1);
  ADD(r, ";\n");
}

/* t<i>[index] = v<i>, one vector. */
static void emit_keep(const render *r, int i, const char *index)
{
  line(r);
  ADD(r, "*(%sx%du *)(t%d + %s) = ", suffix(r->k->instrs[i].dtype), r->lanes, i, index);
  add_operand(r, i, 1);
  ADD(r, ";\n");
}

/* v<i> = t<i>[index]; kept bools are bytes. */
static void emit_fetch(const render *r, int i, const char *index)
{
  const int dtype = r->k->instrs[i].dtype, bytes = r->v[i].lane_bytes;
  line(r);
  ADD(r, "const ");
  add_value_type(r, i);
  ADD(r, " v%d = ", i);
  if (dtype == TSR_DTYPE_BOOL && bytes > 1) {
    ADD(r, "-__builtin_convertvector(*(const u8x%du *)(t%d + %s), ", r->lanes, i, index);
    add_mask_type(r, bytes);
    ADD(r, ");\n");
  } else {
    ADD(r, "*(const %sx%du *)(t%d + %s);\n", suffix(dtype), r->lanes, i, index);
  }
}

/* The array of a value that does not change: all of it, or one vector for calls that happen once.
 */
static void emit_fill(const render *r, int i)
{
  if (!r->v[i].in_array) return;
  if (!r->v[i].filled) {
    emit_keep(r, i, "0");
    return;
  }
  line(r);
  ADD(r, "for (i64 j = 0; j < %lld; j += %d)\n  ", (long long)r->block, r->lanes);
  emit_keep(r, i, "j");
}

static void emit_call(const render *r, int i, int number, const char *n)
{
  line(r);
  ADD(r, "call[%d](%s, t%d, (const void *const[]){", number, n, i);
  for (int j = 0; j < r->k->instrs[i].n_args; j++) {
    const int a = args_of(r, i)[j];
    const tsr_instr *arg = &r->k->instrs[a];
    if (is_in_memory(r, a) && !r->v[a].in_array)
      ADD(r, "%sp%d + i * %d", j ? ", " : "", arg->index, size_of(arg->dtype));
    else
      ADD(r, "%st%d", j ? ", " : "", a);
  }
  ADD(r, "}); /* %s */\n", tsr__op_info(r->k->instrs[i].index)->name);
}

/* Number of the call of instruction i. */
static int call_number(const render *r, int i)
{
  int n = 0;
  for (int c = 0; c < i; c++) n += r->v[c].called;
  return n;
}

static void emit_once(const render *r)
{
  for (int i = 0; i < r->k->n_instrs; i++) {
    const value *v = &r->v[i];
    if (!v->alive || v->moment != ONCE) continue;
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

/* Does an instruction of this level, other than a call, read value i? */
static bool is_used_in(const render *r, int i, int level)
{
  for (int u = 0; u < r->k->n_instrs; u++) {
    if (!r->v[u].alive || r->v[u].moment != PER_POINT || r->v[u].called || r->v[u].level != level)
      continue;
    for (int j = 0; j < r->k->instrs[u].n_args; j++)
      if (args_of(r, u)[j] == i) return true;
  }
  return false;
}

static void emit_level(const render *r, int level)
{
  const int n = r->k->n_instrs;
  for (int i = 0; i < n; i++) {
    const value *v = &r->v[i];
    if (!v->alive || v->moment != PER_POINT || !is_used_in(r, i, level)) continue;
    if (v->called || v->level < level) {
      if (v->in_array)
        emit_fetch(r, i, "j");
      else
        emit_value(r, i);
    }
  }
  for (int i = 0; i < n; i++) {
    const value *v = &r->v[i];
    if (!v->alive || v->called || v->moment != PER_POINT || v->level != level) continue;
    if (r->k->instrs[i].kind == TSR_I_STORE) {
      emit_store(r, i);
      continue;
    }
    if (!v->in_array && !is_used_in(r, i, level)) continue;
    emit_value(r, i);
    if (v->in_array) emit_keep(r, i, "j");
  }
}

/* Is there anything to do in the loop of this level? */
static bool has_work(const render *r, int level)
{
  for (int i = 0; i < r->k->n_instrs; i++) {
    const value *v = &r->v[i];
    if (v->alive && !v->called && v->moment == PER_POINT && v->level == level &&
        (v->in_array || r->k->instrs[i].kind == TSR_I_STORE))
      return true;
  }
  return false;
}

static void emit_blocks(render *r)
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
      if (r->v[i].called && r->v[i].moment == PER_POINT && r->v[i].level == level)
        emit_call(r, i, call_number(r, i), "m");
  }
  r->indent -= 2;
  line(r);
  ADD(r, "}\n");
}

/* A load of a stored buffer that must be kept for the last vector of the row. */
static bool is_kept(const render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  return r->v[i].alive && in->kind == TSR_I_LOAD && r->stored[in->index];
}

static void emit_parts(render *r)
{
  const int lanes = r->lanes;
  int first_flow = -1;
  for (int i = 0; i < r->k->n_instrs; i++) {
    const tsr_instr *in = &r->k->instrs[i];
    if (in->kind != TSR_I_STORE || !flows(r, in->index)) continue;
    const int a = in->index, bytes = lanes * size_of(in->dtype);
    if (first_flow < 0) {
      first_flow = a;
      ADD(r, "    const i64 head = -(uintptr_t)p%d %% %d / %d;\n", a, bytes, size_of(in->dtype));
    }
    ADD(r, "    const int aligned%d = (uintptr_t)(p%d + head * %d) %% %d == 0;\n", a, a,
        size_of(in->dtype), bytes);
  }
  if (first_flow >= 0) {
    ADD(r,
        "    for (int part = 0; part < 3; part++) {\n"
        "      i64 i = part == 0 ? 0 : part == 1 ? head : n - %d;\n"
        "      const i64 end = part == 0 ? %d : part == 1 ? n - (n - head) %% %d : n;\n"
        "      if (part == 0 ? head == 0 : part == 2 && (n - head) %% %d == 0) continue;\n",
        lanes, lanes, lanes, lanes);
    for (int i = 0; i < r->k->n_instrs; i++) {
      const tsr_instr *in = &r->k->instrs[i];
      if (in->kind == TSR_I_STORE && flows(r, in->index))
        ADD(r, "      const int flow%d = part == 1 && aligned%d;\n", in->index, in->index);
    }
  } else {
    ADD(r,
        "    for (int part = 0; part < 2; part++) {\n"
        "      i64 i = part == 0 ? 0 : n - %d;\n"
        "      const i64 end = part == 0 ? n - n %% %d : n;\n"
        "      if (part == 1 && n %% %d == 0) break;\n",
        lanes, lanes, lanes);
  }
}

static void emit_last_part(const render *r)
{
  for (int i = 0; i < r->k->n_instrs; i++) {
    if (!is_kept(r, i)) continue;
    const int a = r->k->instrs[i].index, size = size_of(r->k->instrs[i].dtype);
    ADD(r, "      if (part == %d) q%d = (const char *)((uintptr_t)&w%d - i * %d)",
        r->any_flow ? 2 : 1, a, a, size);
    if (r->classes[a] == TSR_CLASS_ANY) ADD(r, ", z%d = %d", a, size);
    ADD(r, ";\n");
  }
}

static void emit_row(render *r)
{
  const tsr_kernel *k = r->k;
  for (int i = 0; i < k->n_instrs; i++) {
    if (!is_kept(r, i)) continue;
    const int a = k->instrs[i].index;
    char at[32];
    snprintf(at, sizeof at, "n - %d", r->lanes);
    ADD(r, "    const char *q%d = p%d;\n", a, a);
    if (r->classes[a] == TSR_CLASS_ANY) ADD(r, "    i64 z%d = s%d;\n", a, a);
    ADD(r, "    const %sx%d w%d = ", suffix(k->instrs[i].dtype), r->lanes, a);
    add_load(r, &k->instrs[i], at);
    ADD(r, ";\n");
  }
  r->indent = 4;
  for (int i = 0; i < k->n_instrs; i++) {
    if (!r->v[i].alive || r->v[i].moment != PER_ROW) continue;
    emit_value(r, i);
    emit_fill(r, i);
  }
  emit_parts(r);
  emit_last_part(r);
  r->indent = 6;
  if (r->n_calls > 0) {
    emit_blocks(r);
  } else {
    ADD(r, "      do {\n");
    r->indent = 8;
    emit_level(r, 0);
    ADD(r, "      } while ((i += %d) < end);\n", r->lanes);
  }
  ADD(r, "    }\n");
}

static void emit_function(render *r, const char *name)
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
  for (int i = 0; i < k->n_instrs; i++)
    if (r->v[i].in_array)
      ADD(r, "  %s t%d[%lld] __attribute__((aligned(64)));\n", suffix(k->instrs[i].dtype), i,
          (long long)r->block);
  r->indent = 2;
  emit_once(r);
  ADD(r, "  for (i64 row_index = 0; row_index < n_rows; row_index++) {\n");
  emit_row(r);
  for (int a = 0; a < r->n_streams; a++) ADD(r, "    p%d += row[%d];\n", a, a);
  ADD(r, "  }\n");
  if (r->any_flow) ADD(r, "  FLOW_END();\n");
  ADD(r, "}\n");
}

bool tsr__render_c(const tsr_kernel *k, const uint8_t *classes, const tsr_target *target,
                   const char *name, tsr_text *out)
{
  const int n_streams = k->n_accesses + __builtin_popcount(k->iota_axes);
  render r = {.out = out,
              .k = k,
              .classes = classes,
              .target = target,
              .lanes = tsr__render_lanes(k, target),
              .n_streams = n_streams,
              .stored = tsr__calloc((size_t)k->n_accesses + 1, sizeof(bool)),
              .v = tsr__calloc((size_t)k->n_instrs + 1, sizeof(value)),
              .at = "i"};
  for (int a = 0; a < k->n_accesses; a++)
    for (int b = 0; b < k->n_accesses; b++)
      if (k->accesses[b].is_store && k->accesses[a].buffer == k->accesses[b].buffer)
        r.stored[a] = true;
  const bool ok = can_render(&r);
  if (ok) {
    analyse(&r);
    emit_function(&r, name);
  }
  free(r.stored);
  free(r.v);
  return ok;
}
