/* Poison: a rank that cannot run a plan sends all of the plan's messages poisoned and drains those
 * that come in, so that no other rank waits for it. */
#include "scheduler/run/run_int.h"

static void owe(tsr_run *run, int peer, uint32_t tag)
{
  tsr__exchange_send_bytes(run, peer, tag, NULL, 0);
}

static void drain(tsr_run *run, int peer, uint32_t tag)
{
  tsr_flight *f;
  tsr_watch watch = {0};
  tsr_transport *t = run->world->transport;
  while ((f = tsr__exchange_take(run, peer, tag)) == NULL)
    if (tsr__idle(t, &watch))
      tsr__say_stalled(t, &watch, tsr__world_rank_of(run->world, peer), false);
  tsr__exchange_drop_flight(run, f);
}

static void send_poison(tsr_run *run)
{
  const tsr_plan *plan = run->plan;
  for (int32_t i = 0; i < plan->n_messages; i++)
    if (plan->messages[i].send) owe(run, plan->messages[i].peer, plan->messages[i].tag);
  for (int32_t i = 0; i < plan->n_reductions; i++) {
    const tsr_plan_reduction *r = &plan->reductions[i];
    if (r->up >= 0) owe(run, r->up, r->tag_up);
    for (int32_t d = 0; d < r->n_down; d++) owe(run, r->down[d], r->tag_down);
  }
}

static void drain_all(tsr_run *run)
{
  const tsr_plan *plan = run->plan;
  for (int32_t i = 0; i < plan->n_messages; i++)
    if (!plan->messages[i].send) drain(run, plan->messages[i].peer, plan->messages[i].tag);
  for (int32_t i = 0; i < plan->n_reductions; i++) {
    const tsr_plan_reduction *r = &plan->reductions[i];
    for (int32_t s = 0; s < r->n_sources; s++) drain(run, r->sources[s], r->tag_up);
    if (r->spread == TSR_SPREAD_TREE && r->up >= 0) drain(run, r->up, r->tag_down);
  }
}

void tsr__execute_poisoned(tsr_plan *plan, uint32_t tag_base, tsr_status status)
{
  tsr_binding binding = {.tag_base = tag_base};
  tsr_world *world = plan->scheduler->world;
  tsr_run runs[TSR_MAX_PLACES];
  atomic_int failure = status;
  if (tsr__world_is_null(world)) return;
  for (tsr_plan *p = plan; p != NULL; p = p->beside) {
    tsr_run *run = &runs[p->here];
    *run = (tsr_run){.plan = p,
                     .binding = &binding,
                     .world = world,
                     .hash = world->hash,
                     .failure = &failure,
                     .comm_lock = ATOMIC_FLAG_INIT};
    send_poison(run);
  }
  for (int i = 0; i < world->n_places; i++) drain_all(&runs[i]);
  for (int i = 0; i < world->n_places; i++) tsr__exchange_finish(&runs[i]);
}
