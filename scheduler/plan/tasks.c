/* Tasks and their counted dependencies. Tasks are made in plan order. Each waits for the earlier
 * tasks whose accesses to the same buffer meet its own, if one of the two writes.
 *
 * Accesses are dense boxes of one slot, counted from where its instance begins: so the boxes of
 * two slots that lie alike in one buffer compare. Those of one group's chunks to one buffer
 * form a batch, sorted along one axis, so that a box finds those it meets by binary search. The
 * live part of a batch is what no later batch has written over completely: a task that meets
 * the rest meets that later write, which waited already. A batch without a live part is
 * forgotten, so a long window costs little per task. Chunks of one group, or of one block where
 * it runs in blocks, never wait for each other, since a group's stores meet no displaced load
 * of the same memory. Where a buffer passes to a slot that does not lie within the one before
 * it, one empty task waits for everything that came before. */
#include "scheduler/plan/tasks.h"
#include "scheduler/plan/buffers.h"
#include "scheduler/plan/footprint.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"

#include <stdlib.h>
#include <string.h>

typedef struct record {
  int32_t task;
  tsr_box box; /* from the first point of the slot's instance on */
} record;

typedef struct batch {
  /* phase: the group, or block of a group, whose tasks these are; part: number of the access among
   * those of its chunks to the slot */
  int32_t slot, phase, part;
  bool write, chunks;
  bool sorted;
  int axis;        /* records are sorted by their lower end along it */
  int64_t longest; /* extent of a record along it */
  record *v;
  int32_t n, capacity;
  tsr_box hull;
  tsr_boxes live;
} batch;

typedef struct buffer_state {
  /* The slots of the batches lie as this one does, within the extent, from where it begins. It is as
   * large as the slots that claimed the buffer in one phase. */
  int32_t slot, claimed;
  tsr_box extent;
  batch *v;
  int32_t n, capacity;
} buffer_state;

typedef struct edge {
  int32_t from, to;
} edge;

typedef struct tasking {
  tsr_plan *plan;
  buffer_state *buffers;
  edge *edges;
  int32_t n_edges, cap_edges;
  int32_t *last_edge; /* [task] the newest task that already waits for it */
  int32_t phase;      /* number of the group, or block of a group, whose tasks are made */
  int32_t chunk;      /* the next chunk of the group */
  int32_t cap_last;
} tasking;

static int32_t add_task(tasking *x, tsr_task_kind kind, int32_t group, int32_t what, int32_t arg)
{
  tsr_plan *plan = x->plan;
  plan->tasks = tsr__arena_grow(plan->scratch, plan->tasks, plan->n_tasks, &plan->cap_tasks,
                                sizeof *plan->tasks);
  x->last_edge = tsr__arena_grow(plan->scratch, x->last_edge, plan->n_tasks, &x->cap_last,
                                 sizeof *x->last_edge);
  x->last_edge[plan->n_tasks] = -1;
  plan->tasks[plan->n_tasks] =
      (tsr_task){.kind = (uint8_t)kind, .group = group, .what = what, .arg = arg};
  return plan->n_tasks++;
}

static void add_edge(tasking *x, int32_t from, int32_t to)
{
  if (from == to || x->last_edge[from] == to) return;
  x->last_edge[from] = to;
  x->edges =
      tsr__arena_grow(x->plan->scratch, x->edges, x->n_edges, &x->cap_edges, sizeof *x->edges);
  x->edges[x->n_edges++] = (edge){from, to};
  x->plan->tasks[to].n_deps++;
}

static int compare_lo(const void *a, const void *b, void *axis)
{
  int64_t x = ((const record *)a)->box.lo[*(int *)axis],
          y = ((const record *)b)->box.lo[*(int *)axis];
  return x < y ? -1 : x > y;
}

/* Sorts along the axis that divides the records most. */
static void sort_batch(batch *b)
{
  b->sorted = true;
  b->axis = 0;
  b->longest = INT64_MAX;
  double best = 2.0;
  for (int k = 0; k < b->hull.ndim; k++) {
    int64_t longest = 0;
    for (int32_t i = 0; i < b->n; i++)
      if (b->v[i].box.n[k] > longest) longest = b->v[i].box.n[k];
    double share = (double)longest / (double)b->hull.n[k];
    if (share >= best) continue;
    best = share;
    b->axis = k;
    b->longest = longest;
  }
  if (b->hull.ndim > 0 && b->n > 1) qsort_r(b->v, (size_t)b->n, sizeof *b->v, compare_lo, &b->axis);
}

/* Makes `task` wait for the records of b that meet the box. */
static void wait_for_batch(tasking *x, int32_t task, batch *b, const tsr_box *box)
{
  bool alive = false;
  for (int32_t i = 0; i < b->live.n && !alive; i++) alive = tsr__box_intersects(&b->live.v[i], box);
  if (!alive) return;
  if (!b->sorted) sort_batch(b);
  int32_t first = 0;
  if (b->hull.ndim > 0) {
    int64_t from = box->lo[b->axis] -
                   b->longest; /* a record that begins there or before it ends before the box */
    for (int32_t end = b->n; first < end;) {
      int32_t middle = first + (end - first) / 2;
      if (b->v[middle].box.lo[b->axis] <= from)
        first = middle + 1;
      else
        end = middle;
    }
  }
  for (int32_t i = first; i < b->n; i++) {
    if (b->hull.ndim > 0 && b->v[i].box.lo[b->axis] >= box->lo[b->axis] + box->n[b->axis]) break;
    if (tsr__box_intersects(&b->v[i].box, box)) add_edge(x, b->v[i].task, task);
  }
}

static size_t elem_bytes_of(const tsr_plan *plan, int32_t slot)
{
  return tsr__dtype_size((tsr_dtype)plan->regions[plan->slots[slot].region].dtype);
}

/* Counts the box from the first point of the slot's instance on. */
static tsr_box from_begin(const tsr_plan *plan, int32_t slot, const tsr_box *box)
{
  const tsr_box *alloc = &plan->slots[slot].shape.alloc;
  tsr_box out = *box;
  TSR_ASSERT(box->ndim == alloc->ndim && tsr__box_contains(alloc, box));
  for (int k = 0; k < out.ndim; k++) out.lo[k] -= alloc->lo[k];
  return out;
}

/* box: as from_begin gives it. */
static void add_record(tasking *x, buffer_state *s, int32_t task, int32_t slot, int32_t part,
                       bool write, const tsr_box *box)
{
  tsr_plan *plan = x->plan;
  bool chunk = plan->tasks[task].kind == TSR_TASK_CHUNK;
  batch *b = NULL;
  for (int32_t i = s->n - 1;
       chunk && b == NULL && i >= 0 && s->v[i].chunks && s->v[i].phase == x->phase; i--)
    if (s->v[i].slot == slot && s->v[i].write == write && s->v[i].part == part) b = &s->v[i];
  if (b == NULL) {
    s->v = tsr__arena_grow(plan->scratch, s->v, s->n, &s->capacity, sizeof *s->v);
    b = &s->v[s->n++];
    *b = (batch){.slot = slot,
                 .phase = x->phase,
                 .part = part,
                 .write = write,
                 .chunks = chunk,
                 .hull = *box};
    tsr__boxes_add(&b->live, box);
  } else {
    b->hull = b->live.v[0] = tsr__box_hull(&b->hull, box);
  }
  b->v = tsr__arena_grow(plan->scratch, b->v, b->n, &b->capacity, sizeof *b->v);
  b->v[b->n++] = (record){task, *box};
  b->sorted = false;
}

static void forget(buffer_state *s, int32_t i)
{
  tsr__boxes_free(&s->v[i].live);
  memmove(&s->v[i], &s->v[i + 1], (size_t)(s->n - i - 1) * sizeof *s->v);
  s->n--;
}

/* Does slot b lie in a buffer as slot a does, so that points as far from where each begins are the
 * same bytes? */
static bool lie_alike(const tsr_plan *plan, int32_t a, int32_t b)
{
  const tsr_instance *x = &plan->slots[a].shape, *y = &plan->slots[b].shape;
  if (a == b) return true;
  if (x->alloc.ndim != y->alloc.ndim || x->lead_bytes != y->lead_bytes ||
      elem_bytes_of(plan, a) != elem_bytes_of(plan, b))
    return false;
  for (int k = 0; k < x->alloc.ndim; k++)
    if (x->stride_bytes[k] != y->stride_bytes[k]) return false;
  return true;
}

/* Does the slot lie as those do that have the buffer, and within what they have of it? */
static bool lies_within(const tsr_plan *plan, int32_t slot, const buffer_state *s)
{
  const tsr_box *alloc = &plan->slots[slot].shape.alloc;
  if (!lie_alike(plan, slot, s->slot)) return false;
  for (int k = 0; k < alloc->ndim; k++)
    if (alloc->n[k] > s->extent.n[k]) return false;
  return true;
}

/* The buffer passes to slots that lie otherwise: the tasks that follow wait for all that came
 * before. */
static void pass_on(tasking *x, buffer_state *s, int32_t group)
{
  int32_t all = add_task(x, TSR_TASK_NONE, group, 0, 0);
  while (s->n > 0) {
    for (int32_t i = 0; i < s->v[s->n - 1].n; i++) add_edge(x, s->v[s->n - 1].v[i].task, all);
    forget(s, s->n - 1);
  }
  add_record(x, s, all, s->slot, 0, true, &s->extent);
}

/* Makes the buffer of the slot its own before the tasks of a group, beside other slots that claimed it
 * for the same chain and lie alike. */
static void claim(tasking *x, int32_t group, int32_t slot)
{
  const tsr_plan *plan = x->plan;
  buffer_state *s = &x->buffers[plan->slots[slot].buffer];
  const tsr_box *alloc = &plan->slots[slot].shape.alloc;
  if (plan->in_line || tsr__box_is_empty(alloc)) return;
  const bool again = s->claimed == x->phase && lie_alike(plan, slot, s->slot);
  if ((s->n > 0 || again) && lies_within(plan, slot, s)) return;
  tsr_box extent = from_begin(plan, slot, alloc);
  for (int k = 0; k < alloc->ndim && again; k++)
    if (extent.n[k] < s->extent.n[k]) extent.n[k] = s->extent.n[k];
  s->slot = slot;
  s->extent = extent;
  s->claimed = x->phase;
  if (s->n > 0) pass_on(x, s, group);
}

/* box: as from_begin gives it. */
static void touch_from_begin(tasking *x, int32_t task, int32_t slot, int32_t part, bool write,
                             const tsr_box *box)
{
  tsr_plan *plan = x->plan;
  buffer_state *s = &x->buffers[plan->slots[slot].buffer];
  bool chunk = plan->tasks[task].kind == TSR_TASK_CHUNK;
  TSR_ASSERT(lies_within(plan, slot, s) && tsr__box_contains(&s->extent, box));
  for (int32_t i = 0; i < s->n; i++) {
    batch *b = &s->v[i];
    bool siblings = chunk && b->chunks && b->phase == x->phase;
    if (!siblings && (write || b->write)) wait_for_batch(x, task, b, box);
  }
  add_record(x, s, task, slot, part, write, box);
}

static void touch(tasking *x, int32_t task, int32_t slot, int32_t part, bool write,
                  const tsr_box *touched)
{
  if (x->plan->in_line || tsr__box_is_empty(touched)) return;
  const tsr_box box = from_begin(x->plan, slot, touched);
  touch_from_begin(x, task, slot, part, write, &box);
}

/* Has each chunk that wrote covered its own older access? Then waiting for the write is enough.
 * Chunks of one group do not wait for each other, so what others of them read does not count. Both
 * batches are in the order of the tasks, because only later groups sort them. */
static bool chunks_stand_for(const batch *older, const batch *written)
{
  if (!older->chunks || older->phase != written->phase) return true; /* the write waited for it */
  bool alike = older->n == written->n && !older->sorted && !written->sorted;
  for (int32_t i = 0; i < older->n && alike; i++)
    alike = older->v[i].task == written->v[i].task &&
            tsr__box_contains(&written->v[i].box, &older->v[i].box);
  return alike;
}

/* Forgets older batches where the newest one wrote all of its hull. */
static void settle(buffer_state *s, int32_t phase)
{
  for (int32_t i = 0; i < s->n; i++) {
    batch *w = &s->v[i];
    if (!w->write || w->phase != phase) continue;
    int64_t volume = 0;
    for (int32_t j = 0; j < w->n; j++) volume += tsr__box_volume(&w->v[j].box);
    if (w->hull.ndim == 0 || volume != tsr__box_volume(&w->hull)) continue;
    tsr_box hull = w->hull;
    for (int32_t j = 0; j < i; j++) {
      if (!chunks_stand_for(&s->v[j], &s->v[i])) continue;
      tsr__boxes_subtract_keep(&s->v[j].live, &hull);
      if (s->v[j].live.n > 0) continue;
      forget(s, j);
      j--;
      i--;
    }
  }
}

static void copy_tasks(tasking *x, int32_t group, int32_t block, bool is_wide)
{
  tsr_plan *plan = x->plan;
  for (int32_t i = 0; i < plan->n_copies; i++) {
    const tsr_plan_copy *c = &plan->copies[i];
    if (c->group != group || c->block != block || c->is_wide != is_wide) continue;
    int32_t t = add_task(x, TSR_TASK_COPY, group, i, 0);
    tsr_box hull = tsr__box_dense_hull(&c->box);
    touch(x, t, c->from, 0, false, &hull);
    touch(x, t, c->to, 0, true, &hull);
  }
}

/* Throttles the sends of a library's tasks: the operands of a task are packed when the task two
 * before it has run here and its own sends have gone. Receives wait for the buffers that they
 * gather into, so this bounds what is under way. Messages wait for earlier groups only, on every
 * rank. */
static void throttle_send(tasking *x, int32_t send)
{
  const tsr_plan *plan = x->plan;
  const int32_t group = plan->tasks[send].group;
  if (group < 2 || !tsr__is_throttled(&plan->groups[group])) return;
  for (int32_t t = send - 1; t >= 0 && plan->tasks[t].group >= group - 2; t--)
    if (plan->tasks[t].group == group - 2 &&
        (plan->tasks[t].kind == TSR_TASK_CHUNK || plan->tasks[t].kind == TSR_TASK_SEND))
      add_edge(x, t, send);
}

static void message_tasks(tasking *x, int32_t group)
{
  tsr_plan *plan = x->plan;
  for (int32_t i = 0; i < plan->n_messages; i++) {
    const tsr_message *m = &plan->messages[i];
    if (m->group != group) continue;
    int32_t t = add_task(x, m->send ? TSR_TASK_SEND : TSR_TASK_RECV, group, i, 0);
    for (int32_t p = 0; p < m->n_pieces; p++) {
      tsr_box hull = tsr__box_dense_hull(&m->pieces[p].box);
      claim(x, group, m->pieces[p].slot); /* a later group's, of what it reads early */
      touch(x, t, m->pieces[p].slot, 0, !m->send, &hull);
    }
    if (m->send) throttle_send(x, t);
  }
}

/* What a chunk's task touches in a group, a block of it or a step of a chain. part: a number of its
 * own for each access. */
static void touch_accesses(tasking *x, int32_t task, const tsr_group *g, int32_t block,
                           const tsr_box *chunk, int32_t part)
{
  const tsr_plan *plan = x->plan;
  int32_t *box_of = tsr__arena_alloc(plan->scratch, (size_t)(g->accesses.n + 1) * sizeof *box_of);
  for (int32_t i = 0; i < g->accesses.n; i++) box_of[i] = -1;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (a->scratch || box_of[i] >= 0 || !tsr__is_active(a, chunk)) continue;
    const tsr_box box = tsr__joined_box(g, i, chunk, i, box_of);
    touch(x, task, tsr__access_slot(a, block), part + i, a->store, &box);
  }
}

/** What a chunk of a chain touches of a buffer, in all its steps, which go by the same number among
 * their images: where ends meet, those of a period lie at both ends. */
typedef struct chain_touch {
  int32_t slot; /* the first of the chain in that buffer; the others lie as it does */
  int32_t image;
  bool write;
  tsr_box box; /* hull, as from_begin gives it */
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
  const tsr_box touched = from_begin(plan, slot, box);
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

/* Forgets accesses before the chain of what it writes: each point of a step's part is written by one
 * of its chunks, which waited for them. */
static void settle_chain(tasking *x, const tsr_chain *chain, int32_t first_phase)
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
      written = from_begin(plan, a->slot, &written);
      buffer_state *b = &x->buffers[plan->slots[a->slot].buffer];
      for (int32_t j = b->n - 1; j >= 0; j--) {
        if (b->v[j].phase >= first_phase) continue;
        tsr__boxes_subtract_keep(&b->v[j].live, &written);
        if (b->v[j].live.n == 0) forget(b, j);
      }
    }
  }
}

/* The tasks of a chain that is tiled over time. Uprights do not wait for each other, and seams wait
 * for uprights only: each of the two is a phase, whose tasks are touched one after the other. */
static void tiled_tasks(tasking *x, const tsr_chain *chain)
{
  tsr_plan *plan = x->plan;
  const int32_t first = plan->n_tasks, first_phase = x->phase + 1;
  for (int32_t c = 0; c < chain->n_chunks; c++)
    add_task(x, TSR_TASK_CHUNK, chain->first_group, c, 0);
  for (int is_seam = 0; is_seam < 2; is_seam++) {
    x->phase++;
    for (int32_t c = 0; c < chain->n_chunks; c++) {
      if (tsr__chain_is_seam(chain, c) != is_seam) continue;
      chain_touches all = {.n = 0};
      for (int32_t q = 0; q < chain->tiles.n_steps; q++) add_step_touches(plan, chain, q, c, &all);
      for (int32_t i = 0; i < all.n; i++) {
        const chain_touch *t = &all.v[i];
        if (!plan->in_line) touch_from_begin(x, first + c, t->slot, t->image, t->write, &t->box);
      }
    }
  }
  settle_chain(x, chain, first_phase);
}

/* The tasks of one block's chunks, which follow each other in the chain. */
static void chunk_tasks(tasking *x, int32_t group, int32_t block)
{
  tsr_plan *plan = x->plan;
  const tsr_group *g = &plan->groups[group];
  for (; x->chunk < tsr__chain_of(plan, g)->n_chunks; x->chunk++) {
    tsr_box chunk;
    tsr__chain_box(tsr__chain_of(plan, g), group, x->chunk, &chunk);
    if (tsr__block_of(g, &chunk) != block) break;
    const int32_t t = add_task(x, TSR_TASK_CHUNK, group, x->chunk, 0);
    if (!plan->in_line) touch_accesses(x, t, g, block, &chunk, 0);
  }
}

/* The end of a group's reductions, when all chunks of its chain have run. */
static void reduction_tasks(tasking *x, int32_t group)
{
  tsr_plan *plan = x->plan;
  const tsr_group *g = &plan->groups[group];
  const int32_t first = tsr__chain_of(plan, g)->first_group;
  for (int32_t i = 0; i < g->accesses.n_reductions; i++) {
    int32_t index = g->accesses.first_reduction + i;
    const tsr_plan_reduction *r = &plan->reductions[index];
    int32_t local = add_task(x, TSR_TASK_REDUCE, group, index, 0), last = local;
    for (int32_t t = local - 1; t >= 0 && plan->tasks[t].group >= first; t--)
      if (plan->tasks[t].kind == TSR_TASK_CHUNK && plan->tasks[t].group == first)
        add_edge(x, t, local);
    for (int32_t s = 0; s < r->n_sources; s++) {
      int32_t t = add_task(x, TSR_TASK_REDUCE_RECV, group, index, s);
      add_edge(x, last, t); /* They run one after the other, since they share the partials. */
      last = t;
    }
    int32_t done = add_task(x, TSR_TASK_REDUCE_DONE, group, index, 0);
    add_edge(x, last, done);
    touch(x, done, r->slot, 0, true, &plan->regions[r->region].tile);
  }
}

static void claim_results(tasking *x, int32_t group)
{
  const tsr_accesses *a = &x->plan->groups[group].accesses;
  for (int32_t i = 0; i < a->n_reductions; i++)
    claim(x, group, x->plan->reductions[a->first_reduction + i].slot);
}

static void claim_buffers(tasking *x, int32_t group, int32_t block)
{
  tsr_plan *plan = x->plan;
  const tsr_group *g = &plan->groups[group];
  for (int32_t i = 0; i < g->accesses.n && block < tsr__n_blocks(g); i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (a->scratch) continue;
    claim(x, group, a->by_block ? a->slot + block : a->slot);
    if (a->gather >= 0) claim(x, group, a->gather);
  }
  for (int32_t i = 0; i < plan->n_copies; i++)
    if (plan->copies[i].group == group && plan->copies[i].block == block) {
      claim(x, group, plan->copies[i].from);
      claim(x, group, plan->copies[i].to);
    }
  claim_results(x, group);
}

static void settle_buffers(tasking *x, int32_t group, int32_t block)
{
  const tsr_plan *plan = x->plan;
  const tsr_group *g = &plan->groups[group];
  for (int32_t i = 0; i < g->accesses.n && block < tsr__n_blocks(g); i++)
    if (g->accesses.v[i].store && !g->accesses.v[i].scratch)
      settle(&x->buffers[plan->slots[tsr__access_slot(&g->accesses.v[i], block)].buffer], x->phase);
  for (int32_t i = 0; i < plan->n_copies; i++)
    if (plan->copies[i].group == group && plan->copies[i].block == block)
      settle(&x->buffers[plan->slots[plan->copies[i].to].buffer], x->phase);
}

/* The tasks of a chain of several groups, of which only the first has copies and messages before
 * the chain. */
static void chain_tasks(tasking *x, const tsr_chain *chain)
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
static void group_tasks(tasking *x, int32_t group)
{
  const tsr_group *g = &x->plan->groups[group];
  const int32_t last = g->in_place.n_blocks; /* 0: it is not blocked */
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

/* Lists the edges by source, for the executor: a counting sort. */
static void link_tasks(tasking *x)
{
  tsr_plan *plan = x->plan;
  plan->n_next = x->n_edges;
  plan->next = tsr__arena_alloc(&plan->arena, (size_t)(x->n_edges + 1) * sizeof *plan->next);
  for (int32_t i = 0; i < x->n_edges; i++) plan->tasks[x->edges[i].from].n_next++;
  int32_t at = 0;
  for (int32_t t = 0; t < plan->n_tasks; t++) {
    plan->tasks[t].first_next = at;
    at += plan->tasks[t].n_next;
    plan->tasks[t].n_next = 0;
  }
  for (int32_t i = 0; i < x->n_edges; i++) {
    tsr_task *from = &plan->tasks[x->edges[i].from];
    plan->next[from->first_next + from->n_next++] = x->edges[i].to;
  }
}

void tsr__plan_tasks(tsr_plan *plan)
{
  tasking x = {.plan = plan};
  x.buffers = tsr__arena_calloc(plan->scratch, (size_t)plan->n_buffers + 1, sizeof *x.buffers);
  for (int32_t c = 0; c < plan->n_chains; c++) {
    const tsr_chain *chain = &plan->chains[c];
    if (chain->n_groups > 1)
      chain_tasks(&x, chain);
    else
      group_tasks(&x, chain->first_group);
  }
  for (int32_t b = 0; b < plan->n_buffers; b++)
    while (x.buffers[b].n > 0) forget(&x.buffers[b], x.buffers[b].n - 1);
  link_tasks(&x);
}
