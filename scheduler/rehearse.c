/* TESSERA_REPLAN: proof that planning is a pure function and a plan relocatable data. Every window
 * is planned twice and the texts must agree; every plan runs twice, first on copies of its memory
 * at other addresses, and the results must agree bit for bit. */
#include "scheduler/scheduler_int.h"

#include <stdlib.h>
#include <string.h>

void tsr__replan_check(tsr_scheduler *s, const tsr_selection *sel, const tsr_plan *plan)
{
  tsr_counters counters = s->counters; /* planning counts; this one is not meant to */
  tsr_plan *again = tsr__plan_create(s, sel);
  s->counters = counters;
  char *a = tsr__plan_text(plan), *b = tsr__plan_text(again);
  if (strcmp(a, b) != 0) tsr__fatal("one window was planned in two ways:\n%s\nand\n%s", a, b);
  free(a);
  free(b);
  tsr__plan_destroy(again);
}

tsr_binding *tsr__rehearse(tsr_plan *plan, const tsr_selection *sel)
{
  tsr_scheduler *s = plan->scheduler;
  tsr_binding *b = tsr__arena_alloc(&plan->arena, sizeof *b);
  tsr_status status = s->failure;
  if (status == TSR_OK) status = tsr__bind(plan, s->window, sel, true, b);
  if (status < 0)
    tsr__execute_poisoned(plan, s->next_tag, status);
  else
    status = tsr__execute(plan, b);
  s->next_tag += plan->n_tags;
  if (status == TSR_OK) return b;
  if (s->failure == TSR_OK) tsr__bind_drop(plan, b);
  return NULL;
}

static void compare_slot(const tsr_plan *plan, int32_t slot, const tsr_binding *a,
                         const tsr_binding *b)
{
  const tsr_plan_region *r = &plan->regions[plan->slots[slot].region];
  if (tsr__box_is_empty(&r->tile)) return;
  size_t elem = tsr__dtype_size((tsr_dtype)r->dtype), n = (size_t)tsr__box_volume(&r->tile) * elem;
  char *x = tsr__malloc(n), *y = tsr__malloc(n);
  tsr__instance_pack(&a->instances[slot], &r->tile, elem, x);
  tsr__instance_pack(&b->instances[slot], &r->tile, elem, y);
  if (memcmp(x, y, n) != 0) {
    char *text = tsr__plan_text(plan);
    tsr__fatal("one plan gave two results in slot %d:\n%s", slot, text);
  }
  free(x);
  free(y);
}

void tsr__rehearsal_compare(tsr_plan *plan, tsr_binding *rehearsal, const tsr_binding *b)
{
  for (int32_t i = 0; i < plan->n_slots; i++)
    if (plan->slots[i].final) compare_slot(plan, i, rehearsal, b);
  tsr__bind_drop(plan, rehearsal);
}
