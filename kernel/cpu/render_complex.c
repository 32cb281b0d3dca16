/* Complex numbers in the C renderer. A value is two vectors, v<i>_re and v<i>_im. In memory, and in
 * the arrays that calls read, the parts alternate. Lanes count parts: LOW and HIGH make the two
 * vectors in memory from the parts, and EVEN and ODD the parts from them. Where nothing tells the
 * parts of values apart (in_pairs), v<i>_re and v<i>_im are the two vectors in memory instead. The
 * forms are the functions of ops_complex_rows.h.in and ops_complex.h, in their order of operations;
 * other rows are called. */
#include "kernel/cpu/render_int.h"

#include <stdio.h>
#include <string.h>

/* The form of each part; a row whose result is not complex has the first only. a, b are the parts
 * of x; c, d of y; e, f of z; m is the condition of WHERE, and S(…) is SELECT. K(f) is the helper f
 * for the parts' type; the parts of a helper named complex_ are those of its result. */
typedef struct form {
  const char *re, *im;
  const char *helper; /* f of the K(f) in both; NULL: they have none */
} form;

#define LESS_OR(less, x, y, z, w)                                                                  \
  "((" x " < " z ") & (" y " == " y ") & (" w " == " w ")) | ((" x " == " z ") & (" y less w "))"
#define FIRST_OF(less, x, y, z, w) "(a != a) | (b != b) | " LESS_OR(less, x, y, z, w)

static const form forms[TSR_N_OPS] = {
    [TSR_OP_ADD] = {"a + c", "b + d", NULL},
    [TSR_OP_SUBTRACT] = {"a - c", "b - d", NULL},
    [TSR_OP_MULTIPLY] = {"a * c - b * d", "a * d + b * c", NULL},
    [TSR_OP_SQUARE] = {"a * a - b * b", "a * b + b * a", NULL},
    [TSR_OP_DIVIDE] = {"K(complex_divide)", "", "complex_divide"},
    [TSR_OP_NEGATIVE] = {"-a", "-b", NULL},
    [TSR_OP_POSITIVE] = {"a", "b", NULL},
    [TSR_OP_RINT] = {"K(whole_even)(a)", "K(whole_even)(b)", "whole_even"},
    [TSR_OP_CONJ] = {"a", "-b", NULL},
    [TSR_OP_COMPLEX] = {"a", "c", NULL},
    [TSR_OP_REAL] = {"a", NULL, NULL},
    [TSR_OP_IMAG] = {"b", NULL, NULL},
    [TSR_OP_ABSOLUTE] = {"K(hypot)(a, b)", NULL, "hypot"},
    [TSR_OP_EQUAL] = {"(a == c) & (b == d)", NULL, NULL},
    [TSR_OP_NOT_EQUAL] = {"(a != c) | (b != d)", NULL, NULL},
    [TSR_OP_LESS] = {LESS_OR(" < ", "a", "b", "c", "d"), NULL, NULL},
    [TSR_OP_LESS_EQUAL] = {LESS_OR(" <= ", "a", "b", "c", "d"), NULL, NULL},
    [TSR_OP_GREATER] = {LESS_OR(" < ", "c", "d", "a", "b"), NULL, NULL},
    [TSR_OP_GREATER_EQUAL] = {LESS_OR(" <= ", "c", "d", "a", "b"), NULL, NULL},
    [TSR_OP_ISNAN] = {"(a != a) | (b != b)", NULL, NULL},
    [TSR_OP_ISFINITE] = {"(a - a == 0) & (b - b == 0)", NULL, NULL},
    [TSR_OP_ISINF] = {"((a - a != 0) & (a == a)) | ((b - b != 0) & (b == b))", NULL, NULL},
    [TSR_OP_MINIMUM] = {"S(" FIRST_OF(" <= ", "a", "b", "c", "d") ", a, c)",
                        "S(" FIRST_OF(" <= ", "a", "b", "c", "d") ", b, d)", NULL},
    [TSR_OP_MAXIMUM] = {"S(" FIRST_OF(" <= ", "c", "d", "a", "b") ", a, c)",
                        "S(" FIRST_OF(" <= ", "c", "d", "a", "b") ", b, d)", NULL},
    [TSR_OP_WHERE] = {"S(m, c, e)", "S(m, d, f)", NULL},
};

tsr_vector_form tsr__complex_form(tsr_opcode op)
{
  return (tsr_vector_form){forms[op].re, forms[op].helper};
}

bool tsr__complex_is_alike(const tsr_kernel *k, int i)
{
  const tsr_instr *in = &k->instrs[i];
  if (in->kind == TSR_I_CAST)
    return tsr__dtype_is_complex((tsr_dtype)k->instrs[k->args[in->first_arg]].dtype);
  switch (in->kind == TSR_I_OP ? (tsr_opcode)in->index : TSR_N_OPS) {
  case TSR_OP_ADD:
  case TSR_OP_SUBTRACT:
  case TSR_OP_NEGATIVE:
  case TSR_OP_POSITIVE:
  case TSR_OP_WHERE:
    return true;
  default:
    return false;
  }
}

static const char *part_suffix(int dtype)
{
  return tsr__c_suffix(tsr__dtype_part((tsr_dtype)dtype));
}

static const char *turn_prefix(const tsr_c_render *r)
{
  return r->in_turns ? "TURN_" : "";
}

static void add_part(const tsr_c_render *r, int value, int part)
{
  ADD(r, "v%d_%s", value, part ? "im" : "re");
}

/* Writes one part of the form over the arguments. */
static void add_form(const tsr_c_render *r, const char *text, const tsr_instr *in, const int *args)
{
  const char *part = part_suffix(in->compute);
  for (const char *c = text; *c; c++) {
    const bool alone = !(c > text && ((c[-1] >= 'a' && c[-1] <= 'z') || c[-1] == '_')) &&
                       !(c[1] >= 'a' && c[1] <= 'z') && c[1] != '_';
    if (alone && *c >= 'a' && *c <= 'f') {
      add_part(r, args[(*c - 'a') / 2], (*c - 'a') % 2);
    } else if (alone && *c == 'm') {
      if (r->in_pairs)
        ADD(r, "%s%d(m, m)", text == forms[TSR_OP_WHERE].im ? "HIGH" : "LOW", r->lanes);
      else
        tsr__c_add_operand(r, args[0], tsr__c_lane_size(in->compute));
    } else if (*c == 'S') {
      ADD(r, "SELECT(%sx%d, ", part, r->lanes);
      tsr__c_add_mask_type(r, tsr__c_lane_size(in->compute));
      ADD(r, ", ");
      c++;
    } else if (*c == 'K') {
      tsr__c_add_function(r, c + 2, part);
      c += strcspn(c, ")");
    } else {
      ADD(r, "%c", *c);
    }
  }
}

/* Writes v<i>_re and v<i>_im of a helper's result. */
static void add_call(const tsr_c_render *r, int i, const char *text, const int *args)
{
  const tsr_instr *in = &r->k->instrs[i];
  const char *part = part_suffix(in->compute);
  ADD(r, "const complex_%sx%d v%d = ", part, r->lanes, i);
  add_form(r, text, in, args);
  ADD(r, "(");
  for (int j = 0; j < in->n_args; j++)
    ADD(r, "%s(complex_%sx%d){v%d_re, v%d_im}", j ? ", " : "", part, r->lanes, args[j], args[j]);
  ADD(r, ");\n%*sconst %sx%d v%d_re = v%d.re, v%d_im = v%d.im;\n", r->indent, "", part, r->lanes, i,
      i, i, i);
}

/* Writes WHERE of values in pairs, both vectors of which take the lanes of the condition twice. */
static void add_choice(const tsr_c_render *r, int i, const int *args)
{
  const tsr_instr *in = &r->k->instrs[i];
  const char *part = part_suffix(in->compute);
  const int size = tsr__c_lane_size(in->compute);
  ADD(r, "%sx%d v%d_re, v%d_im;\n%*s{ const ", part, r->lanes, i, i, r->indent, "");
  tsr__c_add_mask_type(r, size);
  ADD(r, " m = ");
  tsr__c_add_operand(r, args[0], size);
  ADD(r, "; v%d_re = ", i);
  add_form(r, forms[TSR_OP_WHERE].re, in, args);
  ADD(r, "; v%d_im = ", i);
  add_form(r, forms[TSR_OP_WHERE].im, in, args);
  ADD(r, "; }\n");
}

static void add_op(const tsr_c_render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  const form *f = &forms[in->index];
  const uint16_t *args = tsr__c_args(r, i);
  const int first[3] = {args[0], in->n_args > 1 ? args[1] : 0, in->n_args > 2 ? args[2] : 0};
  const char *part = part_suffix(in->compute);
  if (*f->im == 0) {
    add_call(r, i, f->re, first);
    return;
  }
  const bool is_chain = in->n_args > tsr__op_info(in->index)->min_args;
  if (in->index == TSR_OP_WHERE && r->in_pairs) {
    add_choice(r, i, first);
    return;
  }
  ADD(r, "%s%sx%d v%d_re = ", is_chain ? "" : "const ", part, r->lanes, i);
  add_form(r, f->re, in, first);
  ADD(r, ", v%d_im = ", i);
  add_form(r, f->im, in, first);
  ADD(r, ";\n");
  for (int j = 2; is_chain && j < in->n_args; j++) {
    const int next[2] = {i, args[j]};
    ADD(r, "%*s{ const %sx%d re = ", r->indent, "", part, r->lanes);
    add_form(r, f->re, in, next);
    ADD(r, "; v%d_im = ", i);
    add_form(r, f->im, in, next);
    ADD(r, "; v%d_re = re; }\n", i);
  }
}

void tsr__c_add_of_complex(const tsr_c_render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  const int first[2] = {tsr__c_args(r, i)[0], in->n_args > 1 ? tsr__c_args(r, i)[1] : 0};
  if (in->kind == TSR_I_CAST) {
    if (in->dtype == TSR_DTYPE_BOOL)
      ADD(r, "(v%d_re != 0) | (v%d_im != 0)", first[0], first[0]);
    else
      ADD(r, "v%d_re", first[0]);
    return;
  }
  add_form(r, forms[in->index].re, in, first);
}

/* Reads both vectors of memory at `address`, an expression, and makes the parts from them. */
static void add_pair(const tsr_c_render *r, int i, const char *address)
{
  static const char *const names[2][2] = {{"0", "1"}, {"re", "im"}};
  const int dtype = r->k->instrs[i].dtype, bytes = tsr__c_lane_size(dtype) * r->lanes;
  const char *part = part_suffix(dtype), *const *name = names[r->in_pairs];
  ADD(r,
      "const %sx%d v%d_%s = *(const %sx%du *)((const char *)(%s)), v%d_%s = *(const %sx%du *)"
      "((const char *)(%s) + %d);\n",
      part, r->lanes, i, name[0], part, r->lanes, address, i, name[1], part, r->lanes, address,
      bytes);
  if (r->in_pairs) return;
  ADD(r, "%*sconst %sx%d v%d_re = %sEVEN%d(v%d_0, v%d_1), v%d_im = %sODD%d(v%d_0, v%d_1);\n",
      r->indent, "", part, r->lanes, i, turn_prefix(r), r->lanes, i, i, i, turn_prefix(r), r->lanes,
      i, i);
}

/* Writes a value that is the same at all points, of whose part k in every lane parts[k] is an
 * expression. */
static void add_same(const tsr_c_render *r, int i, char parts[2][48])
{
  const char *part = part_suffix(r->k->instrs[i].dtype);
  if (r->in_pairs)
    ADD(r, "const %sx%d v%d_re = LOW%d(((%sx%d)%s), ((%sx%d)%s)), v%d_im = v%d_re;\n", part,
        r->lanes, i, r->lanes, part, r->lanes, parts[0], part, r->lanes, parts[1], i, i);
  else
    ADD(r, "const %sx%d v%d_re = %s, v%d_im = %s;\n", part, r->lanes, i, parts[0], i, parts[1]);
}

/* Writes the lanes of one part, gathered at the load's stride. */
static void add_gathered(const tsr_c_render *r, int i, const char *at, int part)
{
  const tsr_instr *in = &r->k->instrs[i];
  const int a = in->index, size = tsr__c_lane_size(in->dtype);
  const char p = r->stored[a] ? 'q' : 'p', s = r->stored[a] ? 'z' : 's';
  ADD(r, "GATHER%d(%s, %c%d + (%s) * %c%d + %d, %c%d)", r->lanes, part_suffix(in->dtype), p, a, at,
      s, a, part * size, s, a);
}

static void add_load(const tsr_c_render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  const int a = in->index, size = tsr__c_lane_size(in->dtype);
  const char *part = part_suffix(in->dtype);
  char address[64], parts[2][48];
  switch (r->classes[a]) {
  case TSR_CLASS_ZERO:
    for (int k = 0; k < 2; k++)
      snprintf(parts[k], sizeof parts[k], "SPLAT%d(*(const %s *)(p%d + %d))", r->lanes, part, a,
               k * size);
    add_same(r, i, parts);
    return;
  case TSR_CLASS_ANY:
    ADD(r, "const %sx%d v%d_re = ", part, r->lanes, i);
    add_gathered(r, i, r->at, 0);
    ADD(r, ", v%d_im = ", i);
    add_gathered(r, i, r->at, 1);
    ADD(r, ";\n");
    return;
  default:
    snprintf(address, sizeof address, "%c%d + (%s) * %d", r->stored[a] ? 'q' : 'p', a, r->at,
             2 * size);
    add_pair(r, i, address);
  }
}

void tsr__c_emit_complex(const tsr_c_render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  const char *part = part_suffix(in->dtype);
  const int arg = in->n_args > 0 ? tsr__c_args(r, i)[0] : 0;
  char parts[2][48];
  ADD(r, "%*s", r->indent, "");
  switch (in->kind) {
  case TSR_I_LOAD:
    add_load(r, i);
    return;
  case TSR_I_SCALAR:
    for (int k = 0; k < 2; k++)
      snprintf(parts[k], sizeof parts[k], "(s[%d].u.%s[%d] - (%sx%d){})", in->index,
               tsr__c_suffix(in->dtype), k, part, r->lanes);
    add_same(r, i, parts);
    return;
  case TSR_I_CAST:
    if (!tsr__dtype_is_complex((tsr_dtype)r->k->instrs[arg].dtype)) {
      ADD(r, "const %sx%d v%d_re = v%d, v%d_im = {};\n", part, r->lanes, i, arg, i);
      return;
    }
    ADD(r, "const %sx%d v%d_re = __builtin_convertvector(v%d_re, %sx%d), ", part, r->lanes, i, arg,
        part, r->lanes);
    ADD(r, "v%d_im = __builtin_convertvector(v%d_im, %sx%d);\n", i, arg, part, r->lanes);
    return;
  default:
    add_op(r, i);
  }
}

/* Writes one of the two vectors of a value in memory. */
static void add_memory(const tsr_c_render *r, int value, bool is_second)
{
  if (r->in_pairs)
    add_part(r, value, is_second);
  else
    ADD(r, "%s%s%d(v%d_re, v%d_im)", turn_prefix(r), is_second ? "HIGH" : "LOW", r->lanes, value,
        value);
}

void tsr__c_emit_complex_store(const tsr_c_render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  const int a = in->index, v = tsr__c_args(r, i)[0], size = tsr__c_lane_size(in->dtype);
  const char *part = part_suffix(in->dtype);
  for (int k = 0; k < 2; k++) {
    ADD(r, "%*s", r->indent, "");
    if (r->classes[a] == TSR_CLASS_ANY) {
      ADD(r, "SCATTER%d(%s, p%d + (%s) * s%d + %d, s%d, ", r->lanes, part, a, r->at, a, k * size,
          a);
      add_part(r, v, k);
      ADD(r, ");\n");
      continue;
    }
    char address[80];
    snprintf(address, sizeof address, "p%d + (%s) * %d + %d", a, r->at, 2 * size,
             k * size * r->lanes);
    if (tsr__c_stream_stores(r, a)) {
      ADD(r, "if (streams%d) STREAM(%sx%d, %s, ", a, part, r->lanes, address);
      add_memory(r, v, k);
      ADD(r, "); else ");
    }
    ADD(r, "*(%sx%du *)(%s) = ", part, r->lanes, address);
    add_memory(r, v, k);
    ADD(r, ";\n");
  }
}

void tsr__c_emit_complex_keep(const tsr_c_render *r, int i, const char *index)
{
  const char *part = part_suffix(r->k->instrs[i].dtype);
  for (int k = 0; k < 2; k++) {
    ADD(r, "%*s*(%sx%du *)(t%d + 2 * (%s) + %d) = ", r->indent, "", part, r->lanes, i, index,
        k * r->lanes);
    add_memory(r, i, k);
    ADD(r, ";\n");
  }
}

void tsr__c_emit_complex_fetch(const tsr_c_render *r, int i, const char *index)
{
  char address[64];
  snprintf(address, sizeof address, "t%d + 2 * (%s)", i, index);
  ADD(r, "%*s", r->indent, "");
  add_pair(r, i, address);
}

/* The image is in the form of memory: two vectors with alternating parts. */
void tsr__c_add_complex_image(const tsr_c_render *r, int i, const char *at)
{
  const tsr_instr *in = &r->k->instrs[i];
  const int a = in->index, size = tsr__c_lane_size(in->dtype);
  const char *part = part_suffix(in->dtype);
  ADD(r, "    const %sx%d w%d[2] = {", part, r->lanes, a);
  for (int k = 0; k < 2; k++) {
    if (k) ADD(r, ", ");
    if (r->classes[a] != TSR_CLASS_ANY) {
      ADD(r, "*(const %sx%du *)(q%d + (%s) * %d + %d)", part, r->lanes, a, at, 2 * size,
          k * size * r->lanes);
      continue;
    }
    ADD(r, "%s%d(((%sx%d)", k ? "HIGH" : "LOW", r->lanes, part, r->lanes);
    add_gathered(r, i, at, 0);
    ADD(r, "), ((%sx%d)", part, r->lanes);
    add_gathered(r, i, at, 1);
    ADD(r, "))");
  }
  ADD(r, "};\n");
}

/* Defines a macro that makes a vector from the lanes of two others: of each so many lanes side by
 * side, every other one of x and then of y, from the first or second on, or, if `mirrored`, those of
 * x and y in turn, from the first or the middle on. */
static void add_shuffle(tsr_text *out, const char *name, int lanes, int group, int second,
                        bool mirrored)
{
  tsr__text_add(out, "#define %s%s%d(x, y) ", group < lanes ? "TURN_" : "", name, lanes);
  for (int form = 0; form < 2; form++) {
    tsr__text_add(out, form == 0 ? "SHUFFLE(x, y, (" : "), (");
    for (int i = 0; i < lanes; i++) {
      const int begin = i / group * group, j = i % group, half = group / 2;
      const int at = begin + (mirrored ? j % 2 * lanes + second * half + j / 2
                                       : 2 * (j % half) + second + j / half * lanes);
      if (i) tsr__text_add(out, ", ");
      if (form == 0)
        tsr__text_add(out, "%d", at);
      else
        tsr__text_add(out, "%s[%d]", at < lanes ? "X" : "Y", at % lanes);
    }
  }
  tsr__text_add(out, "))\n");
}

void tsr__c_add_shuffles(tsr_text *out, int lanes, int side_by_side)
{
  const int groups[2] = {lanes, side_by_side};
  for (int g = 0; g < 2; g++) {
    if (groups[g] < 2 || (g == 1 && groups[g] == lanes)) continue;
    add_shuffle(out, "EVEN", lanes, groups[g], 0, false);
    add_shuffle(out, "ODD", lanes, groups[g], 1, false);
    add_shuffle(out, "LOW", lanes, groups[g], 0, true);
    add_shuffle(out, "HIGH", lanes, groups[g], 1, true);
  }
}
