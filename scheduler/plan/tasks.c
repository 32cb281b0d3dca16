/* The tasks of a plan, in plan order: copies and messages before a group, its chunks, the end of
 * its reductions. Whom each waits for follows from what it touches (task_graph.c). */
#include "scheduler/plan/task_graph.h"
#include "scheduler/plan/buffers.h"
#include "scheduler/plan/footprint.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"
#include "scheduler/plan/transfers.h"

static void copy_tasks(tsr_tasking *x, int32_t group, int32_t block, bool is_wide)
{
  tsr_plan *plan = x->plan;
  const int32_t end = tsr__first_copy(plan, group + 1);
  for (int32_t i = tsr__first_copy(plan, group); i < end; i++) {
    const tsr_plan_copy *c = &plan->copies[i];
    if (c->block != block || c->is_wide != is_wide) continue;
    int32_t t = tsr__add_task(x, TSR_TASK_COPY, group, i, 0);
    tsr_box hull = tsr__box_dense_hull(&c->box);
    tsr__touch(x, t, c->from, 0, false, &hull);
    tsr__touch(x, t, c->to, 0, true, &hull);
  }
}

/* Throttles the sends of a library's tasks: the operands of a task are packed when the task two
 * before it has run here and its own sends have gone. Receives wait for the buffers that they
 * gather into, so this bounds what is under way. Messages wait for earlier groups only, on every
 * rank. */
static void throttle_send(tsr_tasking *x, int32_t send)
{
  const tsr_plan *plan = x->plan;
  const int32_t group = plan->tasks[send].group;
  if (group < 2 || !tsr__is_throttled(&plan->groups[group])) return;
  for (int32_t t = send - 1; t >= 0 && plan->tasks[t].group >= group - 2; t--)
    if (plan->tasks[t].group == group - 2 &&
        (plan->tasks[t].kind == TSR_TASK_CHUNK || plan->tasks[t].kind == TSR_TASK_SEND))
      tsr__add_edge(x, t, send);
}

static void message_tasks(tsr_tasking *x, int32_t group)
{
  tsr_plan *plan = x->plan;
  const int32_t end = tsr__first_message(plan, group + 1);
  for (int32_t i = tsr__first_message(plan, group); i < end; i++) {
    const tsr_message *m = &plan->messages[i];
    int32_t t = tsr__add_task(x, m->send ? TSR_TASK_SEND : TSR_TASK_RECV, group, i, 0);
    for (int32_t p = 0; p < m->n_pieces; p++) {
      tsr_box hull = tsr__box_dense_hull(&m->pieces[p].box);
      tsr__claim(x, group, m->pieces[p].slot); /* a later group's, of what it reads early */
      tsr__touch(x, t, m->pieces[p].slot, 0, !m->send, &hull);
    }
    if (m->send) throttle_send(x, t);
  }
}

/* What a chunk's task touches in a group, a block of it or a step of a chain. first: number of its
 * own for each access. */
static void touch_accesses(tsr_tasking *x, int32_t task, const tsr_group *g, int32_t block,
                           const tsr_box *chunk, int32_t first)
{
  const tsr_plan *plan = x->plan;
  int32_t *box_of = tsr__arena_alloc(plan->scratch, (size_t)(g->accesses.n + 1) * sizeof *box_of);
  for (int32_t i = 0; i < g->accesses.n; i++) box_of[i] = -1;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (a->scratch || box_of[i] >= 0 || !tsr__is_active(a, chunk)) continue;
    const tsr_box box = tsr__joined_box(g, i, chunk, i, box_of);
    tsr__touch(x, task, tsr__access_slot(a, block), first + i, a->store, &box);
  }
}

/* Notes that the chunk's task writes what its points are reduced to. */
static void touch_results(tsr_tasking *x, int32_t task, const tsr_group *g, const tsr_box *chunk)
{
  for (int32_t i = 0; i < g->accesses.n_reductions; i++) {
    const tsr_plan_reduction *r = &x->plan->reductions[g->accesses.first_reduction + i];
    if (!r->by_chunk) continue;
    const tsr_box box = tsr__reduced_box(r, chunk);
    tsr__touch(x, task, r->slot, g->accesses.n + i, true, &box);
  }
}

/** What a chunk of a chain touches of a buffer, in all its steps, which go by the same number among
 * their images: where ends meet, those of a period lie at both ends. */
typedef struct chain_touch {
  int32_t slot; /* the first of the chain in that buffer; the others lie as it does */
  int32_t image;
  bool write;
  tsr_box box; /* hull, as tsr__from_begin gives it */
} chain_touch;

typedef struct chain_touches {
  chain_touch *v;
  int32_t n, capacity;
} chain_touches;

static void add_chain_touch(const tsr_plan *plan, chain_touches *all, int32_t slot, int32_t image,
                            bool write, const tsr_box *box)
{
  int32_t i = 0;
  while (i < all->n && (plan->slots[all->v[i].slot].buffer != plan->slots[slot].buffer ||
                        all->v[i].image != image || all->v[i].write != write))
    i++;
  if (tsr__box_is_empty(box)) return;
  const tsr_box touched = tsr__from_begin(plan, slot, box);
  if (i == all->n) {
    all->v = tsr__arena_grow(plan->scratch, all->v, all->n, &all->capacity, sizeof *all->v);
    all->v[all->n++] = (chain_touch){slot, image, write, touched};
    return;
  }
  all->v[i].box = tsr__box_hull(&all->v[i].box, &touched);
}

/* Adds what a chunk touches in a step. */
static void add_step_touches(const tsr_plan *plan, const tsr_chain *chain, int32_t step,
                             int32_t chunk, chain_touches *all)
{
  const tsr_chain_step *s = &chain->tiles.steps[step];
  tsr_box box, image;
  tsr__chain_step_box(chain, step, chunk, &box);
  if (tsr__box_is_empty(&box)) return;
  if (s->copy >= 0) {
    add_chain_touch(plan, all, plan->copies[s->copy].from, s->image, false, &box);
    add_chain_touch(plan, all, plan->copies[s->copy].to, s->image, true, &box);
    return;
  }
  const tsr_group *g = &plan->groups[s->group];
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (a->scratch || !tsr__is_active(a, &box)) continue;
    tsr__view_image(&a->view->view, &box, &image);
    image = tsr__box_dense_hull(&image);
    add_chain_touch(plan, all, a->slot, s->image, a->store, &image);
  }
}

/* Forgets accesses before the chain of what it writes: each point of a step's part is written by
 * one of its chunks, which waited for them. */
static void settle_chain(tsr_tasking *x, const tsr_chain *chain, int32_t first_phase)
{
  const tsr_plan *plan = x->plan;
  for (int32_t q = 0; q < chain->tiles.n_steps; q++) {
    const tsr_chain_step *s = &chain->tiles.steps[q];
    const tsr_group *g = &plan->groups[s->group];
    for (int32_t i = 0; i < g->accesses.n && s->copy < 0 && s->image == 0; i++) {
      const tsr_access *a = &g->accesses.v[i];
      tsr_box written;
      if (!a->store || a->scratch || !tsr__view_image(&a->view->view, &g->part, &written)) continue;
      if (!tsr__box_is_dense(&written)) continue;
      written = tsr__from_begin(plan, a->slot, &written);
      tsr__forget_before(x, a->slot, first_phase, &written);
    }
  }
}

/* The tasks of a chain that is tiled over time. Uprights do not wait for each other, and wedges
 * wait for uprights only: each of the two is a phase, whose tasks are touched one after the
 * other. */
static void tiled_tasks(tsr_tasking *x, const tsr_chain *chain)
{
  tsr_plan *plan = x->plan;
  const int32_t first = plan->n_tasks, first_phase = x->phase + 1;
  for (int32_t c = 0; c < chain->n_chunks; c++)
    tsr__add_task(x, TSR_TASK_CHUNK, chain->first_group, c, 0);
  for (int is_wedge = 0; is_wedge < 2; is_wedge++) {
    x->phase++;
    for (int32_t c = 0; c < chain->n_chunks; c++) {
      if (tsr__chain_is_wedge(chain, c) != is_wedge) continue;
      chain_touches all = {.n = 0};
      for (int32_t q = 0; q < chain->tiles.n_steps; q++) add_step_touches(plan, chain, q, c, &all);
      for (int32_t i = 0; i < all.n; i++) {
        const chain_touch *t = &all.v[i];
        if (!plan->in_line)
          tsr__touch_from_begin(x, first + c, t->slot, t->image, t->write, &t->box);
      }
    }
  }
  settle_chain(x, chain, first_phase);
}

/* The tasks of one block's chunks, which follow each other in the chain. */
static void chunk_tasks(tsr_tasking *x, int32_t group, int32_t block)
{
  tsr_plan *plan = x->plan;
  const tsr_group *g = &plan->groups[group];
  const tsr_chain *chain = tsr__chain_of(plan, g);
  for (; x->chunk < chain->n_chunks && tsr__chain_block(chain, x->chunk) == block; x->chunk++) {
    tsr_box chunk;
    tsr__chain_box(chain, group, x->chunk, &chunk);
    const int32_t t = tsr__add_task(x, TSR_TASK_CHUNK, group, x->chunk, 0);
    if (plan->in_line) continue;
    touch_accesses(x, t, g, block, &chunk, 0);
    touch_results(x, t, g, &chunk);
  }
}

/* The end of a group's reductions, when all chunks of its chain have run. There is none where each
 * chunk makes its results. */
static void reduction_tasks(tsr_tasking *x, int32_t group)
{
  tsr_plan *plan = x->plan;
  const tsr_group *g = &plan->groups[group];
  const int32_t first = tsr__chain_of(plan, g)->first_group;
  for (int32_t i = 0; i < g->accesses.n_reductions; i++) {
    int32_t index = g->accesses.first_reduction + i;
    const tsr_plan_reduction *r = &plan->reductions[index];
    if (r->by_chunk) continue;
    int32_t local = tsr__add_task(x, TSR_TASK_REDUCE, group, index, 0), last = local;
    for (int32_t t = local - 1; t >= 0 && plan->tasks[t].group >= first; t--)
      if (plan->tasks[t].kind == TSR_TASK_CHUNK && plan->tasks[t].group == first)
        tsr__add_edge(x, t, local);
    for (int32_t s = 0; s < r->n_sources; s++) {
      int32_t t = tsr__add_task(x, TSR_TASK_REDUCE_RECV, group, index, s);
      tsr__add_edge(x, last, t); /* They run one after the other, since they share the partials. */
      last = t;
    }
    int32_t done = tsr__add_task(x, TSR_TASK_REDUCE_DONE, group, index, 0);
    tsr__add_edge(x, last, done);
    tsr__touch(x, done, r->slot, 0, true, &plan->regions[r->region].tile);
  }
}

static void claim_results(tsr_tasking *x, int32_t group)
{
  const tsr_accesses *a = &x->plan->groups[group].accesses;
  for (int32_t i = 0; i < a->n_reductions; i++)
    tsr__claim(x, group, x->plan->reductions[a->first_reduction + i].slot);
}

static void claim_buffers(tsr_tasking *x, int32_t group, int32_t block)
{
  tsr_plan *plan = x->plan;
  const tsr_group *g = &plan->groups[group];
  for (int32_t i = 0; i < g->accesses.n && block < tsr__n_blocks(g); i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (a->scratch) continue;
    tsr__claim(x, group, a->by_block ? a->slot + block : a->slot);
    if (a->gather >= 0) tsr__claim(x, group, a->gather);
  }
  const int32_t end = tsr__first_copy(plan, group + 1);
  for (int32_t i = tsr__first_copy(plan, group); i < end; i++)
    if (plan->copies[i].block == block) {
      tsr__claim(x, group, plan->copies[i].from);
      tsr__claim(x, group, plan->copies[i].to);
    }
  claim_results(x, group);
}

static void settle_buffers(tsr_tasking *x, int32_t group, int32_t block)
{
  const tsr_plan *plan = x->plan;
  const tsr_group *g = &plan->groups[group];
  for (int32_t i = 0; i < g->accesses.n && block < tsr__n_blocks(g); i++)
    if (g->accesses.v[i].store && !g->accesses.v[i].scratch)
      tsr__forget_covered(x, tsr__access_slot(&g->accesses.v[i], block));
  for (int32_t i = 0; i < g->accesses.n_reductions; i++) {
    const tsr_plan_reduction *r = &plan->reductions[g->accesses.first_reduction + i];
    if (r->by_chunk) tsr__forget_covered(x, r->slot);
  }
  const int32_t end = tsr__first_copy(plan, group + 1);
  for (int32_t i = tsr__first_copy(plan, group); i < end; i++)
    if (plan->copies[i].block == block) tsr__forget_covered(x, plan->copies[i].to);
}

/* The tasks of a chain of several groups, of which only the first has copies and messages before
 * the chain. */
static void chain_tasks(tsr_tasking *x, const tsr_chain *chain)
{
  const int32_t first = chain->first_group, end = first + chain->n_groups;
  x->phase++;
  claim_buffers(x, first, 0);
  copy_tasks(x, first, 0, false);
  message_tasks(x, first);
  copy_tasks(x, first, 0, true);
  settle_buffers(x, first, 0);
  for (int32_t g = first + 1; g < end; g++) {
    if (tsr__box_is_empty(&x->plan->groups[g].part))
      claim_results(x, g);
    else
      claim_buffers(x, g, 0);
  }
  tiled_tasks(x, chain);
  for (int32_t g = first; g < end; g++) reduction_tasks(x, g);
}

/* The tasks of a group, block by block; behind the last block are the copies that bring back
 * what is left. */
static void group_tasks(tsr_tasking *x, int32_t group)
{
  const tsr_group *g = &x->plan->groups[group];
  const int32_t last = g->blocks.n; /* 0: it is not blocked */
  x->chunk = 0;
  for (int32_t block = 0; block <= last; block++) {
    x->phase++;
    claim_buffers(x, group, block);
    copy_tasks(x, group, block, false);
    if (block == 0) message_tasks(x, group);
    copy_tasks(x, group, block, true);
    if (block < tsr__n_blocks(g)) chunk_tasks(x, group, block);
    if (block == last) reduction_tasks(x, group);
    settle_buffers(x, group, block);
  }
  TSR_ASSERT(x->chunk == tsr__chain_of(x->plan, g)->n_chunks);
}

void tsr__plan_tasks(tsr_plan *plan)
{
  tsr_tasking x;
  tsr__tasking_begin(&x, plan);
  for (int32_t c = 0; c < plan->n_chains; c++) {
    const tsr_chain *chain = &plan->chains[c];
    if (chain->n_groups > 1)
      chain_tasks(&x, chain);
    else
      group_tasks(&x, chain->first_group);
  }
  tsr__tasking_end(&x);
}
