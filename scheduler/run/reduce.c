/* The ends of reductions: the partials of a run's lanes are merged, go to where the result is made,
 * and the result goes where it is read. */
#include "scheduler/run/reduce.h"
#include "scheduler/plan/chunks.h"
#include "scheduler/run/chunk.h"
#include "scheduler/run/copy.h"
#include "scheduler/run/exchange.h"
#include "scheduler/run/risen.h"

#include <string.h>

/* The partials of one lane take in those of the others, and the nodes of the device's queue. */
void tsr__reduction_merge(tsr_run *run, int32_t index)
{
  const tsr_plan_reduction *r = &run->plan->reductions[index];
  tsr_partials *total = NULL;
  if (tsr__risen_is_result(run, index)) return;
  tsr__run_sync(run);
  for (int w = 0; w < run->n_lanes; w++) {
    tsr_partials *p = run->partials[w * run->plan->n_reductions + index];
    if (p == NULL) continue;
    if (total == NULL) {
      total = p;
      continue;
    }
    tsr_status status = tsr__partials_merge(total, p);
    if (status < 0) tsr__run_fail(run, status);
    tsr__partials_clear(p);
  }
  if (total == NULL)
    total = run->partials[index] = tsr__partials_create(
        &r->tree, r->code, (tsr_dtype)r->compute, &r->kept, run->plan->scheduler->partials_memory);
  tsr__risen_add(run, index, total);
  run->totals[index] = total;
}

size_t tsr__reduction_result_bytes(const tsr_plan_reduction *r)
{
  int64_t n = 1;
  for (int k = 0; k < r->tree.ndim; k++)
    if (!(r->axes_mask >> k & 1)) n *= r->kept.n[k];
  return (size_t)n * tsr__dtype_size((tsr_dtype)r->result);
}

/* Stores a box of a reduction's result. values: dense over it. */
static void store_box(tsr_run *run, const tsr_plan_reduction *r, const tsr_box *box,
                      const void *values)
{
  const tsr_plan_region *region = &run->plan->regions[r->region];
  const tsr_instance *to = &run->binding->instances[r->slot];
  const size_t elem = tsr__dtype_size((tsr_dtype)region->dtype);
  if (tsr__box_volume(box) == 1 &&
      tsr__move_kind(run->world, to->space, TSR_SPACE_HOST) == TSR_MOVE_BY_HOST) {
    tsr__run_sync(run);
    memcpy(tsr__instance_at(to, box->lo), values, elem);
    return;
  }
  const tsr_points p = tsr__instance_points_in(to, box, elem, values);
  tsr__run_move(run, to->space, TSR_SPACE_HOST, TSR_QUEUE_RUN, &p, &(bool){false});
  tsr__run_sync(run);
}

void tsr__reduction_store(tsr_run *run, const tsr_plan_reduction *r, const void *values)
{
  store_box(run, r, &run->plan->regions[r->region].tile, values);
}

/* Sends a message of a reduction, whose values are the host's, so that it is packed at once. */
static void send_on(tsr_run *run, tsr_run_message *m)
{
  const bool has_gone = tsr__exchange_send(run, m);
  TSR_ASSERT(has_gone);
  (void)has_gone;
}

void tsr__reduction_send_down(tsr_run *run, int32_t index, const void *values)
{
  const tsr_plan_reduction *r = &run->plan->reductions[index];
  for (int32_t i = 0; i < r->n_down; i++) {
    tsr_run_message *m = tsr__message_down(run, index, i);
    m->values = values;
    send_on(run, m);
  }
}

bool tsr__reduction_finish(tsr_run *run, int32_t index)
{
  const tsr_plan_reduction *r = &run->plan->reductions[index];
  if (tsr__risen_store(run, index)) return true;
  if (r->up >= 0) {
    send_on(run, tsr__message_up(run, index));
    return r->spread != TSR_SPREAD_TREE;
  }
  if (r->spread == TSR_SPREAD_OWNER && tsr__box_is_empty(&r->kept)) return true;
  if (tsr__run_has_failed(run)) {
    tsr__reduction_send_down(run, index, NULL);
    return true;
  }
  size_t n = tsr__reduction_result_bytes(r);
  tsr_memory *memory = run->plan->scheduler->partials_memory;
  char few[64] = {0}, *values = n <= sizeof few ? few : tsr__memory_alloc(memory, n);
  if (values == NULL) tsr__fatal("out of memory: %zu bytes of a reduction's result", n);
  TSR_ASSERT(run->totals[index] != NULL);
  tsr_status status = tsr__partials_finish(run->totals[index], values);
  if (status < 0) {
    memset(values, 0, n);
    tsr__run_fail(run, status);
  } else {
    tsr__reduction_store(run, r, values);
  }
  tsr__partials_clear(run->totals[index]); /* for the next reductions of the plan */
  tsr__reduction_send_down(run, index, values);
  if (values != few) tsr__memory_free(memory, values, n);
  return true;
}

/* Is the reduction computed here from one chunk, so that it needs no partial results? */
static bool is_whole_here(const tsr_plan *plan, int32_t index)
{
  const tsr_plan_reduction *r = &plan->reductions[index];
  const tsr_group *g = &plan->groups[r->group];
  const tsr_chain *chain = tsr__chain_of(plan, g);
  if (chain->n_groups != 1 || chain->n_chunks != 1 || g->is_task || r->up >= 0 ||
      r->n_sources > 0 || r->n_down > 0)
    return false;
  tsr_box chunk;
  tsr__chain_box(chain, r->group, 0, &chunk);
  for (int k = 0; k < chunk.ndim; k++) {
    const bool is_reduced = r->axes_mask >> k & 1;
    if (chunk.lo[k] != 0 || chunk.n[k] != r->tree.shape[k] || chunk.n[k] == 0 ||
        (!is_reduced && r->kept.n[k] != chunk.n[k]))
      return false;
  }
  return true;
}

bool tsr__reductions_are_whole(const tsr_plan *plan, int32_t group)
{
  const tsr_accesses *a = &plan->groups[group].accesses;
  for (int32_t i = 0; i < a->n_reductions; i++)
    if (!is_whole_here(plan, a->first_reduction + i)) return false;
  return a->n_reductions > 0 && a->n_reductions <= TSR_MOST_WHOLE;
}

void tsr__reductions_run_whole(tsr_run *run, int32_t group, const tsr_box *chunk, int worker)
{
  enum { FEW_BYTES = 256 };
  const tsr_accesses *a = &run->plan->groups[group].accesses;
  const tsr_plan_reduction *first = &run->plan->reductions[a->first_reduction];
  tsr_memory *memory = run->plan->scheduler->partials_memory;
  TSR_ASSERT(a->n_reductions > 0 && a->n_reductions <= TSR_MOST_WHOLE);
  char few[TSR_MOST_WHOLE][FEW_BYTES];
  char *values[TSR_MOST_WHOLE];
  size_t n[TSR_MOST_WHOLE];
  tsr_box box[TSR_MOST_WHOLE];
  for (int32_t i = 0; i < a->n_reductions; i++) {
    box[i] = tsr__reduced_box(&first[i], chunk);
    n[i] = (size_t)tsr__box_volume(&box[i]) * tsr__dtype_size((tsr_dtype)first[i].result);
    values[i] = n[i] <= FEW_BYTES ? few[i] : tsr__memory_alloc(memory, n[i]);
    if (values[i] == NULL) tsr__fatal("out of memory: %zu bytes of a reduction's result", n[i]);
    tsr__partials_expect_whole(tsr__run_partials(run, a->first_reduction + i, worker), values[i]);
  }
  tsr__run_chunk(run, &run->plan->groups[group], chunk, NULL, worker);
  for (int32_t i = 0; i < a->n_reductions; i++) {
    store_box(run, &first[i], &box[i], values[i]);
    if (values[i] != few[i]) tsr__memory_free(memory, values[i], n[i]);
  }
}
