/* The functions of ops.def in compiled kernels: their text (kernel/ops/functions.h) over vectors. A
 * batch's source begins with the functions that its kernels call, each after those it uses itself,
 * and with the macros in which they are written, for vectors of the same number of lanes. */
#include "kernel/cpu/render_int.h"
#include "kernel/ops/functions.h"
#include "runtime/base/error.h"

#include <stdio.h>
#include <string.h>

/* A function is brief if its text has fewer bytes. */
enum { BRIEF = 200 };

/* Returns the function of the helper `name`, up to a parenthesis, for a type, or -1 if there is
 * none. */
static int find_helper(const char *name, const char *suffix)
{
  char full[64];
  const int n = snprintf(full, sizeof full, "%.*s_%s", (int)strcspn(name, ")"), name, suffix);
  TSR_ASSERT(n < (int)sizeof full);
  return tsr__function_find(full, n);
}

bool tsr__function_inlines(const char *name, tsr_dtype dtype, int lanes, const tsr_target *target)
{
  const int i = target->x86_vex ? find_helper(name, tsr__c_suffix(dtype)) : -1;
  return i >= 0 && !tsr__functions[i].is_scalar &&
         lanes * (tsr__functions[i].is_wide ? 8 : 4) <= target->vector_bytes;
}

bool tsr__function_is_brief(const char *name, tsr_dtype dtype)
{
  const int i = find_helper(name, tsr__c_suffix(dtype));
  return i >= 0 && tsr__functions[i].n_uses == 0 && strlen(tsr__functions[i].text) < BRIEF;
}

bool tsr__function_is_wide(tsr_opcode op, tsr_dtype dtype)
{
  const char *helper = tsr__op_form(op)->helper;
  if (tsr__dtype_is_complex((tsr_dtype)dtype)) {
    helper = tsr__complex_form(op).helper;
    dtype = tsr__dtype_part(dtype);
  }
  const int i = helper != NULL ? find_helper(helper, tsr__c_suffix(dtype)) : -1;
  return i >= 0 && tsr__functions[i].is_wide && !tsr__functions[i].is_scalar;
}

bool tsr__random_inlines(tsr_random f, int lanes, const tsr_target *target)
{
  if (!target->x86_vex || lanes * 8 > target->vector_bytes || lanes * 8 < 16) return false;
  return find_helper(tsr__random_info(f)->name, "u64") >= 0;
}

void tsr__c_add_function(const tsr_c_render *r, const char *name, const char *suffix)
{
  const int i = find_helper(name, suffix);
  const int is_half = r->lanes * 8 > r->target->vector_bytes;
  TSR_ASSERT(i >= 0 && i < TSR_FUNCTIONS_MOST);
  TSR_ASSERT(r->lanes * (is_half ? 4 : 8) == r->target->vector_bytes);
  ADD(r, "%sx%d", tsr__functions[i].name, r->lanes);
  r->uses->called[is_half][i / 64] |= (uint64_t)1 << i % 64;
  r->uses->n_calls++;
}

void tsr__function_uses_add(tsr_function_uses *to, const tsr_function_uses *from)
{
  to->n_calls += from->n_calls;
  for (int is_half = 0; is_half < 2; is_half++)
    for (int i = 0; i < TSR_FUNCTIONS_MOST / 64; i++)
      to->called[is_half][i] |= from->called[is_half][i];
}

void tsr__function_uses_note(tsr_function_uses *uses, const char *name, const char *suffix)
{
  const int i =
      suffix ? find_helper(name, suffix) : tsr__function_find(name, (int)strcspn(name, ")"));
  uses->n_calls++;
  if (i >= 0) uses->called[0][i / 64] |= (uint64_t)1 << i % 64;
}

/* Appends the text with the number of lanes for each $, of one lane without it. */
static void add_text(tsr_text *out, const char *text, int lanes)
{
  char number[16] = "";
  if (lanes > 1) snprintf(number, sizeof number, "x%d", lanes);
  for (const char *end; (end = strchr(text, '$')); text = end + 1)
    tsr__text_add(out, "%.*s%s", (int)(end - text), text, number);
  tsr__text_add(out, "%s", text);
}

/* Appends the function for so many lanes by that of half as many. */
static void add_halves(tsr_text *out, const tsr_function_text *f, int lanes)
{
  const char *end = strchr(f->text, ')'), *comma = strchr(f->text, ',');
  tsr__text_add(out, "HALVES_%d(%s, %d, %d)\n", comma && comma < end ? 2 : 1, f->name, lanes,
                lanes / 2);
}

/* Finds the items that the called functions need, with halves those of vectors of more lanes than
 * wide functions have. An item uses only items before it. */
static bool find_needed(const uint64_t *called, bool halves, bool *needed)
{
  bool any = false;
  for (int i = tsr__n_functions - 1; i >= 0; i--) {
    needed[i] = needed[i] || (called[i / 64] >> i % 64 & 1);
    any = any || needed[i];
    if (halves && tsr__functions[i].in_halves) continue;
    for (int u = 0; needed[i] && u < tsr__functions[i].n_uses; u++) {
      TSR_ASSERT(tsr__functions[i].uses[u] < i);
      needed[tsr__functions[i].uses[u]] = true;
    }
  }
  return any;
}

void tsr__render_functions(const tsr_target *target, const tsr_function_uses *uses, tsr_text *out)
{
  bool needed[2][TSR_FUNCTIONS_MOST] = {0}, any[2];
  TSR_ASSERT(tsr__n_functions <= TSR_FUNCTIONS_MOST);
  any[1] = find_needed(uses->called[1], true, needed[1]);
  for (int i = 0; i < tsr__n_functions; i++)
    needed[0][i] = needed[1][i] && tsr__functions[i].in_halves;
  any[0] = find_needed(uses->called[0], false, needed[0]);
  if (any[0] || any[1]) tsr__text_add(out, "%s", tsr__words_vector);
  for (int is_half = 0; is_half < 2; is_half++) {
    const int lanes = target->vector_bytes / (is_half ? 4 : 8);
    if (!any[is_half]) continue;
    add_text(out, tsr__words_vector_32, lanes);
    if (!is_half) add_text(out, tsr__words_vector_64, lanes);
    for (int i = 0; i < tsr__n_functions; i++) {
      if (!needed[is_half][i]) continue;
      if (is_half && tsr__functions[i].in_halves)
        add_halves(out, &tsr__functions[i], lanes);
      else
        add_text(out, tsr__functions[i].text, lanes);
    }
  }
}

void tsr__render_scalar_functions(const tsr_function_uses *uses, tsr_text *out)
{
  bool needed[TSR_FUNCTIONS_MOST] = {0};
  find_needed(uses->called[0], false, needed);
  for (int i = 0; i < tsr__n_functions; i++)
    if (needed[i]) add_text(out, tsr__functions[i].text, 1);
}
