/* Tasks and their counted dependencies. Tasks are made in plan order; each depends on the earlier
 * ones whose access to the same buffer it meets, one of the two being a write. An access is a dense
 * box of one slot; what a later write covers is forgotten. Chunks of one group never wait for each
 * other: a group's stores meet no displaced load of the same memory. */
#include "scheduler/scheduler_int.h"

#include <string.h>

typedef struct buffer_record {
  int32_t task, slot, group;
  bool write, chunk;
  tsr_box box;
} buffer_record;

typedef struct buffer_state {
  buffer_record *v;
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
  int32_t cap_last;
} tasking;

static int32_t add_task(tasking *x, tsr_task_kind kind, int32_t group, int32_t what, int32_t arg)
{
  tsr_plan *plan = x->plan;
  plan->tasks =
      tsr__grow(&plan->arena, plan->tasks, plan->n_tasks, &plan->cap_tasks, sizeof *plan->tasks);
  x->last_edge =
      tsr__grow(&plan->arena, x->last_edge, plan->n_tasks, &x->cap_last, sizeof *x->last_edge);
  x->last_edge[plan->n_tasks] = -1;
  plan->tasks[plan->n_tasks] =
      (tsr_task){.kind = (uint8_t)kind, .group = group, .what = what, .arg = arg};
  return plan->n_tasks++;
}

static void add_edge(tasking *x, int32_t from, int32_t to)
{
  if (from == to || x->last_edge[from] == to) return;
  x->last_edge[from] = to;
  x->edges = tsr__grow(&x->plan->arena, x->edges, x->n_edges, &x->cap_edges, sizeof *x->edges);
  x->edges[x->n_edges++] = (edge){from, to};
  x->plan->tasks[to].n_deps++;
}

static void touch(tasking *x, int32_t task, int32_t slot, bool write, const tsr_box *box)
{
  tsr_plan *plan = x->plan;
  if (plan->in_line || tsr__box_is_empty(box)) return;
  const tsr_slot *mine = &plan->slots[slot];
  buffer_state *s = &x->buffers[mine->buffer];
  bool chunk = plan->tasks[task].kind == TSR_TASK_CHUNK;
  int32_t group = plan->tasks[task].group, n = 0;
  for (int32_t i = 0; i < s->n; i++) {
    buffer_record *r = &s->v[i];
    const tsr_slot *other = &plan->slots[r->slot];
    /* versions of one region lie alike in memory: compare boxes; anything else in the buffer is in
     * the way as a whole */
    bool alike =
        r->slot == slot || (other->region == mine->region && !other->gathered && !mine->gathered);
    bool meets = !alike || tsr__box_intersects(&r->box, box);
    bool siblings = chunk && r->chunk && r->group == group;
    bool covered = false;
    if (meets && !siblings && (write || r->write)) {
      add_edge(x, r->task, task);
      covered = write && alike && tsr__box_contains(box, &r->box);
    }
    if (!covered) {
      if (n != i) s->v[n] = *r;
      n++;
    }
  }
  s->n = n;
  s->v = tsr__grow(&plan->arena, s->v, s->n, &s->capacity, sizeof *s->v);
  s->v[s->n++] = (buffer_record){task, slot, group, write, chunk, *box};
}

static void copy_tasks(tasking *x, int32_t group)
{
  tsr_plan *plan = x->plan;
  for (int32_t i = 0; i < plan->n_copies; i++) {
    const tsr_plan_copy *c = &plan->copies[i];
    if (c->group != group) continue;
    int32_t t = add_task(x, TSR_TASK_COPY, group, i, 0);
    tsr_box hull = tsr__box_dense_hull(&c->box);
    touch(x, t, c->from, false, &hull);
    touch(x, t, c->to, true, &hull);
  }
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
      touch(x, t, m->pieces[p].slot, !m->send, &hull);
    }
  }
}

/* One read per slot: the hull of all displaced loads of the chunk. */
static void chunk_tasks(tasking *x, int32_t group)
{
  tsr_plan *plan = x->plan;
  const tsr_group *g = &plan->groups[group];
  for (int32_t c = 0; c < g->n_chunks; c++) {
    int32_t t = add_task(x, TSR_TASK_CHUNK, group, c, 0);
    if (plan->in_line) continue;
    for (int32_t i = 0; i < g->n_accesses; i++) {
      const tsr_access *a = &g->accesses[i];
      if (a->scratch) continue;
      int32_t slot = a->gather >= 0 ? a->gather : a->slot;
      bool seen = false; /* by an earlier access to the same slot */
      tsr_box hull, box;
      tsr__view_image(&a->view->view, &g->chunks[c], &box);
      hull = tsr__box_dense_hull(&box);
      for (int32_t j = 0; j < g->n_accesses && !seen; j++) {
        const tsr_access *b = &g->accesses[j];
        if (j == i || b->scratch || b->store != a->store ||
            (b->gather >= 0 ? b->gather : b->slot) != slot)
          continue;
        seen = j < i;
        tsr__view_image(&b->view->view, &g->chunks[c], &box);
        hull = tsr__box_hull(&hull, &box);
      }
      if (!seen) touch(x, t, slot, a->store, &hull);
    }
  }
}

static void reduction_tasks(tasking *x, int32_t group)
{
  tsr_plan *plan = x->plan;
  const tsr_group *g = &plan->groups[group];
  for (int32_t i = 0; i < g->n_reductions; i++) {
    int32_t index = g->first_reduction + i;
    const tsr_plan_reduction *r = &plan->reductions[index];
    int32_t local = add_task(x, TSR_TASK_REDUCE, group, index, 0), last = local;
    for (int32_t t = local - 1; t >= 0 && plan->tasks[t].group == group; t--)
      if (plan->tasks[t].kind == TSR_TASK_CHUNK) add_edge(x, t, local);
    for (int32_t s = 0; s < r->n_sources; s++) {
      int32_t t = add_task(x, TSR_TASK_REDUCE_RECV, group, index, s);
      add_edge(x, last, t); /* one after the other: they share the partials */
      last = t;
    }
    int32_t done = add_task(x, TSR_TASK_REDUCE_DONE, group, index, 0);
    add_edge(x, last, done);
    touch(x, done, r->slot, true, &plan->regions[r->region].tile);
  }
}

/* Edges by source, for the executor: a counting sort. */
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
  x.buffers = tsr__arena_calloc(&plan->arena, (size_t)plan->n_buffers + 1, sizeof *x.buffers);
  for (int32_t g = 0; g < plan->n_groups; g++) {
    copy_tasks(&x, g);
    message_tasks(&x, g);
    chunk_tasks(&x, g);
    reduction_tasks(&x, g);
  }
  link_tasks(&x);
}
