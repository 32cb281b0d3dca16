/* Plans: which passes are run again where memory is short, and where a plan's memory goes when they
 * are done. */
#include "scheduler/plan/plan.h"
#include "scheduler/dump.h"
#include "scheduler/plan/buffers.h"
#include "scheduler/plan/gathers.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/passes.h"
#include "scheduler/plan/slots.h"
#include "scheduler/plan/tasks.h"
#include "scheduler/plan/text.h"
#include "scheduler/plan/verify.h"

#include <stdlib.h>
#include <string.h>

static tsr_plan *plan_new(tsr_scheduler *s, int here)
{
  tsr_plan *plan = tsr__calloc(1, sizeof *plan);
  tsr__blocks_begin(&s->blocks, &plan->arena);
  plan->scratch = &s->arena;
  plan->scheduler = s;
  plan->here = here;
  plan->place = s->world->places[here].number;
  plan->n_places = tsr__world_n_places(s->world);
  return plan;
}

/* TESSERA_REPLAN: do the other places send what this one waits for, and the other way round? A plan
 * is a function of the program and its place, so that this place finds out alone. It is compared
 * with the half of the others that follow it, in a circle, so that every two are compared. */
static void verify_messages(const tsr_plan *plan, const tsr_program *p)
{
  enum { MOST_PLACES = 8 };
  tsr_scheduler *s = plan->scheduler;
  if (!s->world->config.replan || plan->n_places > MOST_PLACES || !tsr__is_verified(plan)) return;
  const tsr_counters counters = s->counters; /* what trials look up is not counted */
  for (int i = 1; i <= plan->n_places / 2; i++) {
    tsr_plan *other = plan_new(s, plan->here);
    other->place = (plan->place + i) % plan->n_places;
    other->renames = plan->renames;
    other->widens = plan->widens;
    tsr__run_passes(other, p, TSR_STAGE_MESSAGES, true);
    tsr__verify_or_die(plan, "transfers", tsr__verify_messages(plan, other));
    tsr__plan_destroy(other);
  }
  s->counters = counters;
}

/* Runs the passes as far as buffers. */
static tsr_plan *plan_memory(tsr_scheduler *s, int here, const tsr_program *p, bool is_known,
                             bool renames, bool widens)
{
  tsr_plan *plan = plan_new(s, here);
  plan->is_known = is_known;
  plan->renames = renames;
  plan->widens = widens;
  tsr__run_passes(plan, p, TSR_STAGE_MESSAGES, false);
  verify_messages(plan, p);
  tsr__run_passes(plan, p, TSR_STAGE_MEMORY, false);
  return plan;
}

/* Second buffers are too much, and in-place blocking does not help: plans again without renames,
 * over temporaries that share memory. Returns that plan if it takes less, else the given one. */
static tsr_plan *without_renames(tsr_plan *plan, const tsr_program *p)
{
  tsr_plan *other = plan_memory(plan->scheduler, plan->here, p, plan->is_known, false, false);
  bool less = other->agreed_new_bytes < plan->agreed_new_bytes;
  other->capacity = plan->capacity;
  tsr__plan_destroy(less ? plan : other);
  return less ? other : plan;
}

/* The plan with margins does not fit in memory, and a plan in blocks could have none: plans again
 * without margins. The new plan replaces the given one whether or not it fits. */
static tsr_plan *without_margins(tsr_plan *plan, const tsr_program *p)
{
  tsr_plan *other =
      plan_memory(plan->scheduler, plan->here, p, plan->is_known, plan->renames, false);
  TSR_ASSERT(other->n_wide == 0);
  for (int i = 0; i < plan->capacity.n; i++)
    other->capacity.v[other->capacity.n++] = plan->capacity.v[i];
  tsr__plan_destroy(plan);
  return other;
}

static void count_groups(const tsr_plan *plan, tsr_counters *c)
{
  c->n_groups = (uint64_t)plan->n_groups;
  for (int32_t i = 0; i < plan->n_groups; i++) {
    const tsr_group *g = &plan->groups[i];
    c->n_ops += (uint64_t)g->n_ops;
    if (g->n_ops > 1) c->n_fused_ops += (uint64_t)g->n_ops;
    if (!g->cut->replicated && plan->n_places > 1) c->n_distributed++;
  }
  c->n_transient = (uint64_t)plan->n_transient;
  c->n_recomputed = (uint64_t)plan->n_recomputed;
  c->n_cut = (uint64_t)plan->split.n_cut;
  c->cut_bytes = (uint64_t)plan->split.stored_bytes;
  c->cut_bytes_least = (uint64_t)plan->split.least_bytes;
  c->n_renamed = (uint64_t)(plan->n_renamed - plan->n_in_place);
  c->n_in_place = (uint64_t)plan->n_in_place;
  c->n_wide = (uint64_t)plan->n_wide;
  c->n_tiled = (uint64_t)plan->n_tiled;
}

/* Counts what each run of the plan will add to the counters. */
static void count(tsr_plan *plan)
{
  const tsr_world *w = plan->scheduler->world;
  tsr_counters *c = &plan->counts;
  if (plan->here == 0)
    count_groups(plan, c);
  else
    memset(c, 0, sizeof *c); /* chains were counted, which the first place's plan counts, too */
  c->n_tasks = (uint64_t)plan->n_tasks;
  c->n_inline_plans = plan->in_line;
  for (int32_t i = 0; i < plan->n_messages; i++) {
    const tsr_message *m = &plan->messages[i];
    if (!m->send) continue;
    c->n_messages++;
    c->n_messages_within += tsr__world_rank_of(w, m->peer) == w->rank;
    c->bytes_sent += m->bytes;
  }
}

/* Copies an array into the plan's own memory. It does not grow any more, as there is no scratch. */
static void *settled(tsr_plan *plan, const void *v, int32_t n, size_t elem_bytes)
{
  const size_t bytes = (size_t)n * elem_bytes;
  return n > 0 ? memcpy(tsr__arena_alloc(&plan->arena, bytes), v, bytes) : NULL;
}

static void settle_group(tsr_plan *plan, tsr_group *g)
{
  g->ops = settled(plan, g->ops, g->n_ops, sizeof *g->ops);
  g->accesses.v = settled(plan, g->accesses.v, g->accesses.n, sizeof *g->accesses.v);
  g->renames = NULL;
  g->n_renames = 0;
}

/* The regions up to the last that has memory, is reduced or is written into another. Nobody asks a
 * plan that is made for those behind it, such as the values between the operations of a long
 * window. */
static int32_t n_regions_used(const tsr_plan *p)
{
  int32_t n = 0;
  for (int32_t i = 0; i < p->n_slots; i++)
    if (n <= p->slots[i].region) n = p->slots[i].region + 1;
  for (int32_t i = 0; i < p->n_reductions; i++)
    if (n <= p->reductions[i].region) n = p->reductions[i].region + 1;
  for (int32_t i = n; i < p->n_regions; i++)
    if (p->regions[i].into != i) n = i + 1;
  TSR_ASSERT(n <= p->n_regions);
  return n;
}

/* When all passes are done, moves what runs need out of the scratch, which ends with the flush. */
static void move_out_of_scratch(tsr_plan *p)
{
  TSR_ASSERT(p->folds.program == NULL);
  p->n_regions = n_regions_used(p);
  p->recompute = (tsr_recompute){.n_regions = 0};
  p->split.subexpression = p->split.order = NULL;
  p->regions = settled(p, p->regions, p->n_regions, sizeof *p->regions);
  for (int32_t i = 0; i < p->n_regions; i++) p->regions[i].renamed_by = p->regions[i].slots = NULL;
  p->groups = settled(p, p->groups, p->n_groups, sizeof *p->groups);
  for (int32_t i = 0; i < p->n_groups; i++) settle_group(p, &p->groups[i]);
  p->chains = settled(p, p->chains, p->n_chains, sizeof *p->chains);
  for (int32_t i = 0; i < p->n_chains; i++) {
    tsr_chain *c = &p->chains[i];
    c->pieces = settled(p, c->pieces, c->n_pieces, sizeof *c->pieces);
    if (c->n_groups == 1) continue;
    tsr_chain_tiles *t = &c->tiles;
    t->steps = settled(p, t->steps, t->n_steps, sizeof *t->steps);
    t->cuts = settled(p, t->cuts, t->n_segments + 1, sizeof *t->cuts);
  }
  p->slots = settled(p, p->slots, p->n_slots, sizeof *p->slots);
  p->buffers = settled(p, p->buffers, p->n_buffers, sizeof *p->buffers);
  p->gathers = settled(p, p->gathers, p->n_gathers, sizeof *p->gathers);
  p->messages = settled(p, p->messages, p->n_messages, sizeof *p->messages);
  for (int32_t i = 0; i < p->n_messages; i++) {
    tsr_message *m = &p->messages[i];
    m->pieces = settled(p, m->pieces, m->n_pieces, sizeof *m->pieces);
  }
  p->reductions = settled(p, p->reductions, p->n_reductions, sizeof *p->reductions);
  p->copies = settled(p, p->copies, p->n_copies, sizeof *p->copies);
  p->scalars = settled(p, p->scalars, p->n_scalars, sizeof *p->scalars);
  p->tasks = settled(p, p->tasks, p->n_tasks, sizeof *p->tasks);
  p->scratch = NULL;
}

static tsr_plan *plan_of(tsr_scheduler *s, int here, const tsr_program *p, bool is_known)
{
  tsr_plan *plan = plan_memory(s, here, p, is_known, s->world->config.rename, true);
  if (plan->over && plan->n_wide > 0) plan = without_margins(plan, p);
  if (plan->over) plan = without_renames(plan, p);
  tsr__run_passes(plan, p, TSR_STAGE_TASKS, false);
  const bool is_followed = tsr__is_followed(plan), is_tiled = plan->n_tiled > 0 && !is_known;
  s->counters.n_verified += is_followed;
  s->counters.n_tiled_plans += is_tiled;
  s->counters.n_tiled_verified += is_tiled && is_followed;
  count(plan);
  const bool dumps = s->world->config.dump[0] != '\0';
  if (dumps) tsr__dump(s, here, "8-chains", "txt", tsr__chains_text(plan));
  move_out_of_scratch(plan);
  if (dumps) tsr__dump(s, here, "9-tasks", "dot", tsr__plan_dot(plan));
  return plan;
}

static tsr_plan *plan_all(tsr_scheduler *s, const tsr_program *p, bool are_known)
{
  tsr_plan *first = NULL;
  for (int here = s->world->n_places - 1; here >= 0; here--) {
    tsr_plan *plan = plan_of(s, here, p, are_known);
    plan->beside = first;
    first = plan;
  }
  return first;
}

tsr_plan *tsr__plan_create(tsr_scheduler *s, const tsr_program *p)
{
  return plan_all(s, p, false);
}

tsr_plan *tsr__plan_create_again(tsr_scheduler *s, const tsr_program *p, const tsr_plan *first)
{
  return plan_all(s, p, first->edition == 0);
}

void tsr__plan_destroy(tsr_plan *plan)
{
  if (plan == NULL) return;
  tsr__plan_destroy(plan->beside);
  for (int32_t i = 0; i < plan->n_groups; i++) {
    tsr_group *g = &plan->groups[i];
    tsr__kernel_destroy(g->accesses.kernel);
    for (int32_t a = 0; a < g->accesses.n; a++) tsr__view_ref_drop(g->accesses.v[a].view);
  }
  if (plan->workspace != NULL) plan->free_workspace(plan);
  for (int32_t i = 0; i < plan->n_slots; i++) tsr__ghosts_free(&plan->slots[i].ghosts);
  tsr__blocks_end(&plan->scheduler->blocks, &plan->arena);
  free(plan);
}

void tsr__plan_keep_layouts(const tsr_plan *plan)
{
  for (; plan != NULL; plan = plan->beside) {
    tsr_layouts *layouts = plan->scheduler->layouts;
    for (int32_t i = 0; i < plan->n_groups; i++)
      if (plan->groups[i].cut != NULL) tsr__layouts_keep(layouts, plan->groups[i].cut);
    for (int32_t i = 0; i < plan->n_regions; i++)
      if (plan->regions[i].layout != NULL) tsr__layouts_keep(layouts, plan->regions[i].layout);
    for (int32_t i = 0; i < plan->n_slots; i++)
      tsr__ghosts_keep_layouts(&plan->slots[i].ghosts, layouts);
  }
}
