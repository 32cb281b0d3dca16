/* TESSERA_REPLAN: proof that planning is a pure function and a plan relocatable data. Every window
 * is planned twice and the texts must agree; every plan runs twice, first on copies of its memory
 * at other addresses, and the results must agree bit for bit. */
#include "scheduler/run/replay_check.h"
#include "scheduler/memory/move.h"
#include "scheduler/plan/slots.h"
#include "scheduler/plan/text.h"
#include "scheduler/run/execute.h"
#include "scheduler/run/fit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Compares what two plans for one window say, and frees it. */
static void compare_texts(char *a, char *b)
{
  if (strcmp(a, b) != 0) tsr__fatal("one window was planned in two ways:\n%s\nand\n%s", a, b);
  free(a);
  free(b);
}

void tsr__replan_check(tsr_scheduler *s, const tsr_program *p, const tsr_plan *plan)
{
  tsr_counters counters = s->counters; /* Planning counts, but this plan is not meant to. */
  tsr_plan *again = tsr__plan_create_again(s, p, plan);
  s->counters = counters;
  for (const tsr_plan *other = again; plan != NULL; plan = plan->beside, other = other->beside) {
    compare_texts(tsr__plan_text(plan), tsr__plan_text(other));
    compare_texts(tsr__plan_numbers(plan), tsr__plan_numbers(other));
  }
  tsr__plan_destroy(again);
}

tsr_binding *tsr__replay_check_run(tsr_plan *plan, const tsr_names *names, tsr_status *status)
{
  tsr_scheduler *s = plan->scheduler;
  tsr_binding *b = tsr__arena_alloc(&plan->arena, (size_t)s->world->n_places * sizeof *b);
  *status = s->failure;
  if (*status == TSR_OK) *status = tsr__bind(plan, s->window, names, true, b);
  const bool is_bound = *status == TSR_OK;
  if (!is_bound) tsr__bind_nothing(plan, names, true, b);
  *status = tsr__execute(plan, b, *status);
  s->next_tag += plan->n_tags;
  for (tsr_plan *p = plan; p != NULL && *status == TSR_OK; p = p->beside)
    tsr__fit_leave(p, &b[p->here]);
  if (*status == TSR_OK) return b;
  if (is_bound) tsr__bind_drop(plan, b);
  return NULL;
}

/* Are the bits equal, or both values NaN? Which of its operands' NaNs an instruction hands on is
 * the compiler's choice, and the replay check may run in the interpreter where the true run is
 * compiled. */
static bool same_value(tsr_dtype dtype, const char *x, const char *y)
{
  if (memcmp(x, y, tsr__dtype_size(dtype)) == 0) return true;
  if (tsr__dtype_is_complex(dtype)) {
    const tsr_dtype real = tsr__dtype_part(dtype);
    const size_t half = tsr__dtype_size(real);
    return same_value(real, x, y) && same_value(real, x + half, y + half);
  }
  if (tsr__dtype_kind(dtype) != TSR_KIND_FLOAT) return false;
  double a = tsr__scalar_cast(tsr__scalar_load(dtype, x), TSR_FLOAT64).u.f;
  double b = tsr__scalar_cast(tsr__scalar_load(dtype, y), TSR_FLOAT64).u.f;
  return a != a && b != b;
}

static void compare_slot(const tsr_plan *plan, int32_t slot, const tsr_binding *a,
                         const tsr_binding *b)
{
  const tsr_plan_region *r = &plan->regions[plan->slots[slot].region];
  if (tsr__box_is_empty(&r->tile)) return;
  tsr_dtype dtype = (tsr_dtype)r->dtype;
  size_t elem = tsr__dtype_size(dtype), n = (size_t)tsr__box_volume(&r->tile) * elem;
  char *x = tsr__malloc(n), *y = tsr__malloc(n);
  const tsr_instance to_x = tsr__instance_of_bytes(&r->tile, elem, x),
                     to_y = tsr__instance_of_bytes(&r->tile, elem, y);
  const tsr_world *w = plan->scheduler->world;
  tsr__move_box(w, plan->here, &to_x, &a->instances[slot], &r->tile, elem);
  tsr__move_box(w, plan->here, &to_y, &b->instances[slot], &r->tile, elem);
  for (size_t i = 0; i < n; i += elem) {
    if (same_value(dtype, x + i, y + i)) continue;
    uint64_t was = 0, is = 0;
    memcpy(&was, x + i, elem < sizeof was ? elem : sizeof was);
    memcpy(&is, y + i, elem < sizeof is ? elem : sizeof is);
    tsr__fatal(
        "one plan gave two results in slot %d (%s), at element %zu of the tile: bits %#" PRIx64
        ", then %#" PRIx64 "; the plan:\n%s",
        slot, tsr__dtype_info(dtype)->name, i / elem, was, is, tsr__plan_text(plan));
  }
  free(x);
  free(y);
}

void tsr__replay_check_compare(tsr_plan *plan, tsr_binding *replay_check, const tsr_binding *b)
{
  for (const tsr_plan *p = plan; p != NULL; p = p->beside)
    for (int32_t i = 0; i < p->n_slots; i++)
      if (p->slots[i].final) compare_slot(p, i, &replay_check[p->here], &b[p->here]);
  tsr__bind_drop(plan, replay_check);
}
