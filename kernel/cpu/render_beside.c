/* Loads that lie less than a vector apart along a row (TSR_CLASS_BESIDE). Of these one is loaded,
 * the source, once per vector of the row; the others are shifted out of two vectors of it that
 * follow each other:
 *
 *     before        at          after         of the source, in registers
 *   ........:   ABCDEFGH:   IJKLMNOP:
 *                BCDEFGHI                     what lies one element behind it
 *
 * No element is read that the kernel does not load. Lanes of the first `before` that nothing is
 * shifted out of are left out, and vectors at the end of a row, behind which there may be nothing,
 * are loaded one by one. */
#include "kernel/cpu/render_int.h"
#include "runtime/base/error.h"

#include <stdio.h>

/* How many elements the streams beside access a lie before it, at most; -1: no stream is beside
 * it. */
static int distance_before(const tsr_c_render *r, int a)
{
  int before = -1;
  for (int b = 0; b < r->k->n_accesses; b++) {
    if (!tsr__class_is_beside(r->classes[b]) || r->classes[r->n_streams + b] != a) continue;
    const int distance = r->classes[b] - TSR_CLASS_BESIDE;
    TSR_ASSERT(distance != 0 && distance > -r->lanes && distance < r->lanes);
    if (before < 0) before = 0;
    if (before < -distance) before = -distance;
  }
  return before;
}

bool tsr__c_is_shifted(const tsr_c_render *r, int access)
{
  return r->shifts && r->copy >= 0 &&
         (tsr__class_is_beside(r->classes[access]) || distance_before(r, access) >= 0);
}

static const char *type_of(const tsr_c_render *r, int a)
{
  return tsr__c_suffix(r->k->accesses[a].dtype);
}

/* Appends the name of the source's vector that many behind the first of the turn. */
static void add_vector(const tsr_c_render *r, int source, int number)
{
  if (number < 0)
    ADD(r, "before%d", source);
  else if (number == 0)
    ADD(r, "at%d", source);
  else
    ADD(r, "after%d_%d", source, number);
}

void tsr__c_add_shifted(const tsr_c_render *r, int access)
{
  const int number = r->copy;
  if (!tsr__class_is_beside(r->classes[access])) {
    add_vector(r, access, number);
    return;
  }
  const int source = r->classes[r->n_streams + access];
  const int distance = r->classes[access] - TSR_CLASS_BESIDE;
  const int first = distance < 0 ? number - 1 : number;
  ADD(r, "SHIFTED(%sx%d, \"%c\", ", type_of(r, access), r->lanes, r->lanes == 8 ? 'q' : 'd');
  add_vector(r, source, first);
  ADD(r, ", ");
  add_vector(r, source, first + 1);
  ADD(r, ", %d)", distance < 0 ? r->lanes + distance : distance);
}

void tsr__c_emit_first_vectors(const tsr_c_render *r)
{
  for (int a = 0; a < r->k->n_accesses && r->shifts; a++) {
    const int before = distance_before(r, a);
    if (before < 0) continue;
    const int size = tsr__c_size(r->k->accesses[a].dtype);
    ADD(r, "      %sx%d at%d = *(const %sx%du *)(p%d + i * %d);\n", type_of(r, a), r->lanes, a,
        type_of(r, a), r->lanes, a, size);
    if (before > 0)
      ADD(r, "      %sx%d before%d = SOME_LANES%d(%sx%d, p%d + (i - %d) * %d, -1 << %d);\n",
          type_of(r, a), r->lanes, a, r->lanes, type_of(r, a), r->lanes, a, r->lanes, size,
          r->lanes - before);
  }
}

void tsr__c_declare_vectors(const tsr_c_render *r)
{
  for (int a = 0; a < r->k->n_accesses && r->shifts; a++) {
    if (distance_before(r, a) < 0) continue;
    ADD(r, "        %sx%d ", type_of(r, a), r->lanes);
    for (int c = 1; c <= r->copies; c++) ADD(r, "%safter%d_%d", c > 1 ? ", " : "", a, c);
    ADD(r, ";\n");
  }
}

void tsr__c_emit_next_vectors(const tsr_c_render *r)
{
  for (int a = 0; a < r->k->n_accesses && r->shifts; a++) {
    if (distance_before(r, a) < 0) continue;
    ADD(r, "%*safter%d_%d = *(const %sx%du *)(p%d + (%s + %d) * %d);\n", r->indent, "", a,
        r->copy + 1, type_of(r, a), r->lanes, a, r->at, r->lanes,
        tsr__c_size(r->k->accesses[a].dtype));
  }
}

void tsr__c_emit_moved_vectors(const tsr_c_render *r)
{
  for (int a = 0; a < r->k->n_accesses && r->shifts; a++) {
    const int before = distance_before(r, a);
    if (before < 0) continue;
    if (before > 0) {
      ADD(r, "        before%d = ", a);
      add_vector(r, a, r->copies - 1);
      ADD(r, ";\n");
    }
    ADD(r, "        at%d = ", a);
    add_vector(r, a, r->copies);
    ADD(r, ";\n");
  }
}
