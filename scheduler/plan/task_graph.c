/* Who waits for whom: each task waits for the earlier tasks whose accesses to the same buffer meet
 * its own, if one of the two writes.
 *
 * Accesses are dense boxes of one slot, counted from where its instance begins: so the boxes of
 * two slots that lie alike in one buffer compare. Those of one group's chunks to one buffer
 * form a batch, sorted along one axis, so that a box finds those it meets by binary search. The
 * live boxes of a batch are what no later batch has written over completely: a task that meets
 * the rest meets that later write, which waited already. A batch without a live box is
 * forgotten, so a long window costs little per task. Chunks of one group, or of one block where
 * it runs in blocks, never wait for each other, since a group's stores meet no displaced load
 * of the same memory. Where a buffer passes to a slot that does not lie within the one before
 * it, one empty task waits for everything that came before. */
#include "scheduler/plan/task_graph.h"
#include "scheduler/plan/slots.h"

#include <stdlib.h>
#include <string.h>

typedef struct record {
  int32_t task;
  tsr_box box; /* from the first point of the slot's instance on */
} record;

typedef struct batch {
  /* phase: the group, or block of a group, whose tasks these are; access: its number among
   * those of its chunks to the slot */
  int32_t slot, phase, access;
  bool write, chunks;
  bool sorted;
  int axis;        /* records are sorted by their lower end along it */
  int64_t longest; /* extent of a record along it */
  record *v;
  int32_t n, capacity;
  tsr_box hull;
  tsr_boxes live;
} batch;

typedef struct tsr_buffer_state {
  /* The slots of the batches lie as this one does, within the extent, from where it begins. It is
   * as large as the slots that claimed the buffer in one phase. */
  int32_t slot, claimed;
  /* the last box before which something was forgotten, and for which phase: steps of a chain write
   * the same */
  int32_t forgot_phase;
  tsr_box forgot;
  tsr_box extent;
  batch *v;
  int32_t n, capacity;
} tsr_buffer_state;

int32_t tsr__add_task(tsr_tasking *x, tsr_task_kind kind, int32_t group, int32_t what, int32_t arg)
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

void tsr__add_edge(tsr_tasking *x, int32_t from, int32_t to)
{
  if (from == to || x->last_edge[from] == to) return;
  x->last_edge[from] = to;
  x->edges =
      tsr__arena_grow(x->plan->scratch, x->edges, x->n_edges, &x->cap_edges, sizeof *x->edges);
  x->edges[x->n_edges++] = (tsr_edge){from, to};
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
static void wait_for_batch(tsr_tasking *x, int32_t task, batch *b, const tsr_box *box)
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
    if (tsr__box_intersects(&b->v[i].box, box)) tsr__add_edge(x, b->v[i].task, task);
  }
}

tsr_box tsr__from_begin(const tsr_plan *plan, int32_t slot, const tsr_box *box)
{
  const tsr_box *alloc = &plan->slots[slot].shape.alloc;
  tsr_box out = *box;
  TSR_ASSERT(box->ndim == alloc->ndim && tsr__box_contains(alloc, box));
  for (int k = 0; k < out.ndim; k++) out.lo[k] -= alloc->lo[k];
  return out;
}

/* box: as tsr__from_begin gives it. */
static void add_record(tsr_tasking *x, tsr_buffer_state *s, int32_t task, int32_t slot,
                       int32_t access, bool write, const tsr_box *box)
{
  tsr_plan *plan = x->plan;
  bool chunk = plan->tasks[task].kind == TSR_TASK_CHUNK;
  batch *b = NULL;
  for (int32_t i = s->n - 1;
       chunk && b == NULL && i >= 0 && s->v[i].chunks && s->v[i].phase == x->phase; i--)
    if (s->v[i].slot == slot && s->v[i].write == write && s->v[i].access == access) b = &s->v[i];
  if (b == NULL) {
    s->v = tsr__arena_grow(plan->scratch, s->v, s->n, &s->capacity, sizeof *s->v);
    b = &s->v[s->n++];
    *b = (batch){.slot = slot,
                 .phase = x->phase,
                 .access = access,
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

static void forget_batch(tsr_buffer_state *s, int32_t i)
{
  tsr__boxes_free(&s->v[i].live);
  memmove(&s->v[i], &s->v[i + 1], (size_t)(s->n - i - 1) * sizeof *s->v);
  s->n--;
}

/* Does the slot lie as those do that have the buffer, and within what they have of it? */
static bool lies_within(const tsr_plan *plan, int32_t slot, const tsr_buffer_state *s)
{
  const tsr_box *alloc = &plan->slots[slot].shape.alloc;
  if (!tsr__slots_lie_alike(plan, slot, s->slot)) return false;
  for (int k = 0; k < alloc->ndim; k++)
    if (alloc->n[k] > s->extent.n[k]) return false;
  return true;
}

/* The buffer passes to slots that lie otherwise: the tasks that follow wait for all that came
 * before. */
static void pass_on(tsr_tasking *x, tsr_buffer_state *s, int32_t group)
{
  int32_t all = tsr__add_task(x, TSR_TASK_NONE, group, 0, 0);
  while (s->n > 0) {
    for (int32_t i = 0; i < s->v[s->n - 1].n; i++) tsr__add_edge(x, s->v[s->n - 1].v[i].task, all);
    forget_batch(s, s->n - 1);
  }
  add_record(x, s, all, s->slot, 0, true, &s->extent);
}

void tsr__claim(tsr_tasking *x, int32_t group, int32_t slot)
{
  const tsr_plan *plan = x->plan;
  tsr_buffer_state *s = &x->buffers[plan->slots[slot].buffer];
  const tsr_box *alloc = &plan->slots[slot].shape.alloc;
  if (plan->in_line || tsr__box_is_empty(alloc)) return;
  const bool again = s->claimed == x->phase && tsr__slots_lie_alike(plan, slot, s->slot);
  if ((s->n > 0 || again) && lies_within(plan, slot, s)) return;
  tsr_box extent = tsr__from_begin(plan, slot, alloc);
  for (int k = 0; k < alloc->ndim && again; k++)
    if (extent.n[k] < s->extent.n[k]) extent.n[k] = s->extent.n[k];
  s->slot = slot;
  s->extent = extent;
  s->claimed = x->phase;
  if (s->n > 0) pass_on(x, s, group);
}

void tsr__touch_from_begin(tsr_tasking *x, int32_t task, int32_t slot, int32_t access, bool write,
                           const tsr_box *box)
{
  tsr_plan *plan = x->plan;
  tsr_buffer_state *s = &x->buffers[plan->slots[slot].buffer];
  bool chunk = plan->tasks[task].kind == TSR_TASK_CHUNK;
  TSR_ASSERT(lies_within(plan, slot, s) && tsr__box_contains(&s->extent, box));
  for (int32_t i = 0; i < s->n; i++) {
    batch *b = &s->v[i];
    bool siblings = chunk && b->chunks && b->phase == x->phase;
    if (!siblings && (write || b->write)) wait_for_batch(x, task, b, box);
  }
  add_record(x, s, task, slot, access, write, box);
}

void tsr__touch(tsr_tasking *x, int32_t task, int32_t slot, int32_t access, bool write,
                const tsr_box *touched)
{
  if (x->plan->in_line || tsr__box_is_empty(touched)) return;
  const tsr_box box = tsr__from_begin(x->plan, slot, touched);
  tsr__touch_from_begin(x, task, slot, access, write, &box);
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

void tsr__forget_covered(tsr_tasking *x, int32_t slot)
{
  tsr_buffer_state *s = &x->buffers[x->plan->slots[slot].buffer];
  for (int32_t i = 0; i < s->n; i++) {
    batch *w = &s->v[i];
    if (!w->write || w->phase != x->phase) continue;
    int64_t volume = 0;
    for (int32_t j = 0; j < w->n; j++) volume += tsr__box_volume(&w->v[j].box);
    if (w->hull.ndim == 0 || volume != tsr__box_volume(&w->hull)) continue;
    tsr_box hull = w->hull;
    for (int32_t j = 0; j < i; j++) {
      if (!chunks_stand_for(&s->v[j], &s->v[i])) continue;
      tsr__boxes_subtract_keep(&s->v[j].live, &hull);
      if (s->v[j].live.n > 0) continue;
      forget_batch(s, j);
      j--;
      i--;
    }
  }
}

void tsr__forget_before(tsr_tasking *x, int32_t slot, int32_t phase, const tsr_box *written)
{
  tsr_buffer_state *s = &x->buffers[x->plan->slots[slot].buffer];
  if (s->forgot.ndim > 0 && s->forgot_phase == phase && tsr__box_equal(&s->forgot, written)) return;
  s->forgot_phase = phase;
  s->forgot = *written;
  for (int32_t i = s->n - 1; i >= 0; i--) {
    if (s->v[i].phase >= phase) continue;
    tsr__boxes_subtract_keep(&s->v[i].live, written);
    if (s->v[i].live.n == 0) forget_batch(s, i);
  }
}

/* Lists the edges by source, for the executor: a counting sort. */
static void link_tasks(tsr_tasking *x)
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

void tsr__tasking_begin(tsr_tasking *x, tsr_plan *plan)
{
  *x = (tsr_tasking){.plan = plan};
  x->buffers = tsr__arena_calloc(plan->scratch, (size_t)plan->n_buffers + 1, sizeof *x->buffers);
}

void tsr__tasking_end(tsr_tasking *x)
{
  for (int32_t b = 0; b < x->plan->n_buffers; b++)
    while (x->buffers[b].n > 0) forget_batch(&x->buffers[b], x->buffers[b].n - 1);
  link_tasks(x);
}
