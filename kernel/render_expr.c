/* Expressions of the C renderer. A bool is a vector of bytes 0 and 1, or a mask of the lanes that
 * it was made by; it is converted where it is used in another form. */
#include "kernel/render_int.h"

#include <string.h>

static void add_type(const tsr_c_render *r, int dtype)
{
  ADD(r, "%sx%d", tsr__c_suffix(dtype), r->lanes);
}

void tsr__c_add_mask_type(const tsr_c_render *r, int lane_bytes)
{
  static const char *const types[] = {[1] = "u8", [2] = "i16", [4] = "i32", [8] = "i64"};
  ADD(r, "%sx%d", types[lane_bytes], r->lanes);
}

void tsr__c_add_value_type(const tsr_c_render *r, int i)
{
  if (r->k->instrs[i].dtype == TSR_DTYPE_BOOL)
    tsr__c_add_mask_type(r, r->v[i].lane_bytes);
  else
    add_type(r, r->k->instrs[i].dtype);
}

/* Value i; a bool in lanes of that many bytes. */
void tsr__c_add_operand(const tsr_c_render *r, int i, int lane_bytes)
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
    tsr__c_add_mask_type(r, lane_bytes);
    ADD(r, ")");
  }
}

static bool is_word(char c)
{
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* The form with its tokens replaced. */
static void add_form(const tsr_c_render *r, const char *form, int dtype, const int *args,
                     const int *lane_bytes)
{
  const int size = tsr__c_size(dtype);
  for (const char *c = form; *c; c++) {
    const bool alone = !(c > form && is_word(c[-1])) && !is_word(c[1]);
    if (!alone)
      ADD(r, "%c", *c);
    else if (*c >= 'x' && *c <= 'z')
      tsr__c_add_operand(r, args[*c - 'x'], lane_bytes[*c - 'x']);
    else if (*c == 'T')
      add_type(r, dtype);
    else if (*c == 'M')
      tsr__c_add_mask_type(r, size);
    else if (*c == 'S')
      ADD(r, "%d", 8 * size - 1);
    else if (*c == 'H')
      ADD(r, "0x%llx", (unsigned long long)INT64_MAX >> (64 - 8 * size));
    else if (*c != 'K')
      ADD(r, "%c", *c);
    else { /* K(f): f_f64x8, say */
      const int n = (int)strcspn(c, ")");
      ADD(r, "%.*s_", n - 2, c + 2);
      add_type(r, dtype);
      c += n;
    }
  }
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
  add_form(r, tsr__vector_form(in->index, TSR_DTYPE_BOOL, r->lanes, r->target), TSR_DTYPE_BOOL, two,
           (int[]){bytes, bytes});
}

void tsr__c_add_op(const tsr_c_render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  const tsr_rule rule = tsr__op_info(in->index)->rule;
  if (tsr__c_is_complex(in->compute)) {
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
  const char *form = tsr__vector_form(in->index, in->compute, r->lanes, r->target);
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
  /* x op y op …, which C reads from the left: the operators of such rows are all + * | or &. */
  tsr__c_add_operand(r, args[0], 1);
  for (int j = 1; j < in->n_args; j++) {
    ADD(r, " %c ", form[2]);
    tsr__c_add_operand(r, args[j], 1);
  }
}

void tsr__c_add_cast(const tsr_c_render *r, int i)
{
  const int arg = tsr__c_args(r, i)[0], to = r->k->instrs[i].dtype, from = r->k->instrs[arg].dtype;
  if (tsr__c_is_complex(from)) {
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
    const bool is_int = tsr__dtype_is_integer((tsr_dtype)to);
    const int bytes = r->v[arg].lane_bytes == 1 ? 1 : is_int ? tsr__c_size(to) : 4;
    const bool is_unsigned = bytes > 1 && tsr__dtype_kind((tsr_dtype)to) == TSR_KIND_UINT;
    if (is_unsigned) { /* masks are signed */
      ADD(r, "(");
      add_type(r, to);
      ADD(r, ")(");
    }
    if (!is_int) ADD(r, "__builtin_convertvector(");
    if (bytes == 1) ADD(r, "__builtin_convertvector(");
    tsr__c_add_operand(r, arg, bytes);
    if (bytes == 1)
      ADD(r, ", %sx%d)", is_int ? tsr__c_suffix(to) : "i32", r->lanes);
    else
      ADD(r, " & 1");
    if (!is_int) ADD(r, ", %sx%d)", tsr__c_suffix(to), r->lanes);
    if (is_unsigned) ADD(r, ")");
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

void tsr__c_add_random(const tsr_c_render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  ADD(r, "(i64x%d)%s_u64x%d(", r->lanes, tsr__random_info(in->index)->name, r->lanes);
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
