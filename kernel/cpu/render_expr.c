/* Expressions of the C renderer. A bool is a vector of bytes 0 and 1, or a mask with the lanes of
 * the operation that made it. It is converted where another form is needed. */
#include "kernel/cpu/render_int.h"
#include "runtime/base/error.h"

#include <stdio.h>
#include <string.h>

static void add_type(const tsr_c_render *r, int dtype)
{
  ADD(r, "%sx%d", tsr__c_suffix(dtype), r->lanes);
}

void tsr__c_add_mask_type(const tsr_c_render *r, int lane_bytes)
{
  static const char *const types[] = {[1] = "u8", [2] = "i16", [4] = "i32", [8] = "i64"};
  TSR_ASSERT(lane_bytes > 0 && lane_bytes <= 8 && types[lane_bytes]);
  ADD(r, "%sx%d", types[lane_bytes], r->lanes);
}

void tsr__c_add_value_type(const tsr_c_render *r, int i)
{
  if (r->k->instrs[i].dtype == TSR_DTYPE_BOOL)
    tsr__c_add_mask_type(r, r->v[i].lane_bytes);
  else
    add_type(r, r->k->instrs[i].dtype);
}

/* Returns whether one instruction converts between vectors of any two sizes. GCC makes several of
 * each conversion, and takes lanes one by one if sizes differ by more than a factor of 2. */
static bool has_moves(const tsr_c_render *r)
{
  return r->target->x86_vex && r->target->vector_bytes == 64;
}

/* Appends `x`, a vector of integers of from_bytes, as one of to_bytes of the same sign: extended,
 * or its low bits. */
static void c_add_resized(const tsr_c_render *r, const char *x, bool is_signed, int from_bytes,
                          int to_bytes)
{
  static const char letters[] = {[1] = 'b', [2] = 'w', [4] = 'd', [8] = 'q'};
  const char sign = is_signed ? 'i' : 'u';
  const bool grows = to_bytes > from_bytes;
  TSR_ASSERT(__builtin_popcount((unsigned)from_bytes) == 1 && from_bytes <= 8);
  TSR_ASSERT(__builtin_popcount((unsigned)to_bytes) == 1 && to_bytes <= 8);
  if (from_bytes == to_bytes) {
    ADD(r, "%s", x);
  } else if (has_moves(r)) {
    ADD(r, "MOVE(%c%dx%d, \"vpmov%s%c%c\", %s)", sign, 8 * to_bytes, r->lanes,
        !grows      ? ""
        : is_signed ? "sx"
                    : "zx",
        letters[from_bytes], letters[to_bytes], x);
  } else {
    for (int b = from_bytes; b != to_bytes; b = grows ? 2 * b : b / 2)
      ADD(r, "__builtin_convertvector(");
    ADD(r, "%s", x);
    for (int b = from_bytes; b != to_bytes;) {
      b = grows ? 2 * b : b / 2;
      ADD(r, ", %c%dx%d)", sign, 8 * b, r->lanes);
    }
  }
}

/* Resizes lanes of 0, 1 or -1. Of x86 one instruction halves these by saturating, which GCC, for any
 * lanes, cannot use. */
static void add_resized_mask(const tsr_c_render *r, const char *x, int from_bytes, int to_bytes)
{
  static const char *const packs[] = {[2] = "vpacksswb", [4] = "vpackssdw", [8] = "vshufps $0x88,"};
  if (to_bytes >= from_bytes || has_moves(r) || !r->target->x86_vex) {
    c_add_resized(r, x, true, from_bytes, to_bytes);
    return;
  }
  TSR_ASSERT(from_bytes * r->lanes <= 32);
  for (int b = 2 * to_bytes; b <= from_bytes; b *= 2)
    ADD(r, "PACK%s(i%dx%d, \"%s\", ", b * r->lanes == 32 ? "_HALVES" : "", 4 * b, r->lanes,
        packs[b]);
  ADD(r, "%s", x);
  for (int b = 2 * to_bytes; b <= from_bytes; b *= 2) ADD(r, ")");
}

void tsr__c_add_mask(const tsr_c_render *r, const char *bytes, int lane_bytes)
{
  char x[96];
  snprintf(x, sizeof x, "-(i8x%d)%s", r->lanes, bytes);
  c_add_resized(r, x, true, 1, lane_bytes);
}

void tsr__c_add_operand(const tsr_c_render *r, int i, int lane_bytes)
{
  const int have = r->v[i].lane_bytes;
  char x[24];
  snprintf(x, sizeof x, "v%d", i);
  if (r->k->instrs[i].dtype != TSR_DTYPE_BOOL || have == lane_bytes) {
    ADD(r, "%s", x);
  } else if (lane_bytes == 1) {
    /* The mask becomes 0 and 1 before it is narrowed, which is faster than after. */
    snprintf(x, sizeof x, "(v%d & 1)", i);
    ADD(r, "(u8x%d)", r->lanes);
    add_resized_mask(r, x, have, 1);
  } else if (have == 1) {
    tsr__c_add_mask(r, x, lane_bytes);
  } else {
    add_resized_mask(r, x, have, lane_bytes);
  }
}

static bool is_word(char c)
{
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

void tsr__render_form(tsr_text *out, const char *form, tsr_form_word add_word, const void *arg)
{
  for (const char *c = form; *c; c++) {
    const bool alone = is_word(*c) && !(c > form && is_word(c[-1])) && !is_word(c[1]);
    if (!alone || !add_word(arg, *c, c + 2))
      tsr__text_add(out, "%c", *c);
    else if (*c == 'K')
      c += strcspn(c, ")");
  }
}

/* What the words of a form stand for. */
typedef struct words {
  const tsr_c_render *r;
  int dtype;
  const int *args, *lane_bytes;
} words;

static bool add_word(const void *arg, char word, const char *name)
{
  const words *w = arg;
  const int size = tsr__c_size(w->dtype);
  if (word >= 'x' && word <= 'z')
    tsr__c_add_operand(w->r, w->args[word - 'x'], w->lane_bytes[word - 'x']);
  else if (word == 'T')
    add_type(w->r, w->dtype);
  else if (word == 'M')
    tsr__c_add_mask_type(w->r, size);
  else if (word == 'S')
    ADD(w->r, "%d", 8 * size - 1);
  else if (word == 'H')
    ADD(w->r, "0x%llx", (unsigned long long)INT64_MAX >> (64 - 8 * size));
  else if (word == 'K') /* K(f) is f_f64x8, for example */
    tsr__c_add_function(w->r, name, tsr__c_suffix(w->dtype));
  else
    return false;
  return true;
}

static void add_form(const tsr_c_render *r, const char *form, int dtype, const int *args,
                     const int *lane_bytes)
{
  tsr__render_form(r->out, form, add_word, &(words){r, dtype, args, lane_bytes});
}

static void add_logical(const tsr_c_render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  const int bytes = r->v[i].lane_bytes;
  const uint16_t *args = tsr__c_args(r, i);
  if (in->index == TSR_OP_LOGICAL_NOT && bytes > 1) {
    ADD(r, "~v%d", args[0]);
    return;
  }
  const int two[] = {args[0], args[in->n_args > 1]};
  add_form(r, tsr__vector_form(in->index, TSR_DTYPE_BOOL, r->lanes, r->target).text, TSR_DTYPE_BOOL,
           two, (int[]){bytes, bytes});
}

bool tsr__c_shifts_by_scalar(const tsr_kernel *k, int i, int lanes)
{
  const tsr_instr *in = &k->instrs[i];
  return in->kind == TSR_I_OP &&
         (in->index == TSR_OP_LEFT_SHIFT || in->index == TSR_OP_RIGHT_SHIFT) &&
         k->instrs[k->args[in->first_arg + 1]].kind == TSR_I_SCALAR &&
         tsr__c_size(in->compute) * lanes >= 8;
}

/* Returns whether a shift is one of words of 64 bits and what it brings into other lanes is masked
 * off: no processor shifts bytes, and few shift numbers of 64 bits and keep their sign. */
static bool shifts_words(const tsr_instr *in)
{
  return tsr__c_size(in->compute) == 1 || tsr__c_size(in->compute) == 8;
}

static bool fills_with_sign(const tsr_instr *in)
{
  return in->index == TSR_OP_RIGHT_SHIFT && tsr__dtype_kind((tsr_dtype)in->compute) == TSR_KIND_INT;
}

/* Writes a number of as many bits as the shifted integers', in every lane. */
static void emit_shift_constant(const tsr_c_render *r, int i, const char *name, const char *number)
{
  const char *type = tsr__c_suffix(r->k->instrs[i].compute);
  ADD(r, "%*sconst %sx%d %s%d = (%s)(%s) - (%sx%d){};\n", r->indent, "", type, r->lanes, name, i,
      type, number, type, r->lanes);
}

void tsr__c_emit_shift_constants(const tsr_c_render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  const int bits = 8 * tsr__c_size(in->compute), y = tsr__c_args(r, i)[1];
  const bool fills = fills_with_sign(in);
  char number[80], ones[24];
  ADD(r, "%*sconst int within%d = (u64)(i64)v%d[0] < %d, by%d = within%d ? (int)v%d[0] : %d;\n",
      r->indent, "", i, y, bits, i, i, y, bits - 1);
  snprintf(ones, sizeof ones, fills ? "1" : "within%d", i);
  snprintf(number, sizeof number, "(u%d)-%s %s by%d", bits, ones,
           in->index == TSR_OP_LEFT_SHIFT ? "<<" : ">>", i);
  emit_shift_constant(r, i, "mask", number);
  snprintf(number, sizeof number, "(u%d)1 << %d >> by%d", bits, bits - 1, i);
  if (fills) emit_shift_constant(r, i, "sign", number);
}

static void add_shift_by_scalar(const tsr_c_render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  const int x = tsr__c_args(r, i)[0];
  const char *sign = in->index == TSR_OP_LEFT_SHIFT ? "<<" : ">>";
  const bool fills = fills_with_sign(in);
  if (fills && !shifts_words(in)) {
    ADD(r, "v%d >> by%d", x, i);
    return;
  }
  ADD(r, fills ? "((((" : "((");
  add_type(r, in->compute);
  if (shifts_words(in))
    ADD(r, ")((u64 __attribute__((vector_size(%d))))v%d %s by%d)",
        tsr__c_size(in->compute) * r->lanes, x, sign, i);
  else
    ADD(r, ")(v%d %s by%d)", x, sign, i);
  ADD(r, " & mask%d)", i);
  if (fills) ADD(r, " ^ sign%d) - sign%d)", i, i);
}

void tsr__c_add_op(const tsr_c_render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  const tsr_rule rule = tsr__op_info(in->index)->rule;
  if (tsr__dtype_is_complex((tsr_dtype)in->compute)) {
    if (in->dtype == TSR_DTYPE_BOOL) {
      ADD(r, "(");
      tsr__c_add_mask_type(r, tsr__c_lane_size(in->compute));
      ADD(r, ")(");
    }
    tsr__c_add_of_complex(r, i);
    if (in->dtype == TSR_DTYPE_BOOL) ADD(r, ")");
    return;
  }
  if (rule == TSR_RULE_LOGICAL) {
    add_logical(r, i);
    return;
  }
  if (tsr__c_shifts_by_scalar(r->k, i, r->lanes)) {
    add_shift_by_scalar(r, i);
    return;
  }
  const char *form = tsr__vector_form(in->index, in->compute, r->lanes, r->target).text;
  const uint16_t *args = tsr__c_args(r, i);
  int three[3] = {0}, bytes[3] = {1, 1, 1};
  for (int j = 0; j < in->n_args && j < 3; j++) three[j] = args[j];
  if (rule == TSR_RULE_WHERE) bytes[0] = tsr__c_size(in->compute);
  if (rule == TSR_RULE_COMPARE) {
    ADD(r, "(");
    tsr__c_add_mask_type(r, tsr__c_size(in->compute));
    ADD(r, ")(");
    add_form(r, form, in->compute, three, bytes);
    ADD(r, tsr__c_size(in->compute) == 1 ? ") & 1" : ")");
    return;
  }
  if (tsr__op_info(in->index)->max_args <= 3) {
    add_form(r, form, in->compute, three, bytes);
    return;
  }
  /* C evaluates x op y op … from the left. The operators of such rows are + * | and &. */
  tsr__c_add_operand(r, args[0], 1);
  for (int j = 1; j < in->n_args; j++) {
    ADD(r, " %c ", form[2]);
    tsr__c_add_operand(r, args[j], 1);
  }
}

/* Writes the name of the instruction that converts lanes of 4 and 8 bytes, one of which is a float,
 * such as "vcvtdq2pd". */
static void name_move(char *name, size_t size, tsr_dtype from, tsr_dtype to)
{
  const tsr_dtype types[] = {from, to};
  const char *words[2];
  for (int k = 0; k < 2; k++) {
    const bool is_wide = tsr__dtype_size(types[k]) == 8;
    if (tsr__dtype_is_integer(types[k]))
      words[k] = is_wide ? "qq" : "dq";
    else
      words[k] = is_wide ? "pd" : "ps";
  }
  snprintf(name, size, "vcvt%s%s%s2%s", tsr__dtype_is_integer(to) ? "t" : "",
           tsr__dtype_kind(from) == TSR_KIND_UINT ? "u" : "", words[0], words[1]);
}

/* Writes the beginning of a cast to `to`, by that instruction or as the compiler does it. A vector
 * and a parenthesis follow. */
static void open_move(const tsr_c_render *r, const char *name, tsr_dtype to)
{
  if (!has_moves(r)) {
    ADD(r, "__builtin_convertvector(");
    return;
  }
  ADD(r, "MOVE(");
  add_type(r, to);
  ADD(r, ", \"%s\", ", name);
}

static void close_move(const tsr_c_render *r, tsr_dtype to)
{
  if (!has_moves(r)) {
    ADD(r, ", ");
    add_type(r, to);
  }
  ADD(r, ")");
}

/* Casts a number that is neither bool nor complex to another such number. */
static void add_number_cast(const tsr_c_render *r, int arg, tsr_dtype from, tsr_dtype to)
{
  const int from_bytes = tsr__c_size(from), to_bytes = tsr__c_size(to);
  const bool is_signed = tsr__dtype_kind(from) != TSR_KIND_UINT;
  char x[16], name[16];
  snprintf(x, sizeof x, "v%d", arg);
  if (tsr__dtype_is_integer(from) && tsr__dtype_is_integer(to)) {
    ADD(r, "(");
    add_type(r, to);
    ADD(r, ")(");
    c_add_resized(r, x, is_signed, from_bytes, to_bytes);
    ADD(r, ")");
  } else if (from_bytes < 4) { /* an integer is made by way of int32 */
    name_move(name, sizeof name, TSR_DTYPE_INT32, to);
    open_move(r, name, to);
    ADD(r, "(i32x%d)", r->lanes);
    c_add_resized(r, x, is_signed, from_bytes, 4);
    close_move(r, to);
  } else if (has_moves(r) && from != to) {
    name_move(name, sizeof name, from, to);
    ADD(r, tsr__dtype_is_integer(to) ? "TRUNCATE(" : "MOVE(");
    add_type(r, to);
    ADD(r, ", \"%s\", %s)", name, x);
  } else {
    for (const char *c = tsr__vector_cast(from, to); *c; c++) {
      if (*c == '$')
        ADD(r, "%d", r->lanes);
      else if (*c == 'x' && (c[-1] == '(' || c[1] == ','))
        ADD(r, "%s", x);
      else
        ADD(r, "%c", *c);
    }
  }
}

/* Casts a bool to a number. */
static void add_bool_cast(const tsr_c_render *r, int arg, tsr_dtype to)
{
  const bool is_int = tsr__dtype_is_integer(to);
  const int bytes = is_int ? tsr__c_size(to) : 4;
  char x[16], name[16];
  snprintf(x, sizeof x, "v%d", arg);
  if (!is_int) {
    name_move(name, sizeof name, TSR_DTYPE_INT32, to);
    open_move(r, name, to);
  }
  ADD(r, "(%c%dx%d)(", is_int && tsr__dtype_kind(to) == TSR_KIND_UINT ? 'u' : 'i', 8 * bytes,
      r->lanes);
  if (r->v[arg].lane_bytes == 1) {
    c_add_resized(r, x, false, 1, bytes);
  } else {
    tsr__c_add_operand(r, arg, bytes);
    ADD(r, " & 1");
  }
  ADD(r, ")");
  if (!is_int) close_move(r, to);
}

void tsr__c_add_cast(const tsr_c_render *r, int i)
{
  const int arg = tsr__c_args(r, i)[0], to = r->k->instrs[i].dtype, from = r->k->instrs[arg].dtype;
  if (tsr__dtype_is_complex((tsr_dtype)from)) {
    if (to == TSR_DTYPE_BOOL) {
      ADD(r, "(");
      tsr__c_add_mask_type(r, tsr__c_lane_size(from));
      ADD(r, ")(");
    }
    tsr__c_add_of_complex(r, i);
    if (to == TSR_DTYPE_BOOL) ADD(r, ")");
  } else if (to == TSR_DTYPE_BOOL) {
    if (from == to) {
      tsr__c_add_operand(r, arg, 1);
      return;
    }
    ADD(r, "(");
    tsr__c_add_mask_type(r, tsr__c_size(from));
    ADD(r, ")(v%d != 0)%s", arg, tsr__c_size(from) == 1 ? " & 1" : "");
  } else if (from == TSR_DTYPE_BOOL) {
    add_bool_cast(r, arg, (tsr_dtype)to);
  } else {
    add_number_cast(r, arg, (tsr_dtype)from, (tsr_dtype)to);
  }
}

void tsr__c_add_random(const tsr_c_render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  ADD(r, "(i64x%d)", r->lanes);
  tsr__c_add_function(r, tsr__random_info(in->index)->name, "u64");
  ADD(r, "(");
  for (int j = 0; j < in->n_args; j++)
    ADD(r, "%s(u64x%d)v%d", j ? ", " : "", r->lanes, tsr__c_args(r, i)[j]);
  ADD(r, ")");
}

void tsr__c_add_load(const tsr_c_render *r, const tsr_instr *in, const char *at)
{
  const int a = in->index;
  const char *type = tsr__c_suffix(in->dtype), p = r->stored[a] ? 'q' : 'p';
  switch (r->classes[a]) {
  case TSR_CLASS_ZERO:
    ADD(r, "SPLAT%d(*(const %s *)p%d)", r->lanes, type, a);
    break;
  case TSR_CLASS_ANY:
    ADD(r, "GATHER%d(%s, %c%d + (%s) * %c%d, %c%d)", r->lanes, type, p, a, at,
        r->stored[a] ? 'z' : 's', a, r->stored[a] ? 'z' : 's', a);
    break;
  default:
    ADD(r, "*(const %sx%du *)(%c%d + (%s) * %d)", type, r->lanes, p, a, at, tsr__c_size(in->dtype));
  }
}
