/* The lists of a plan (lists.h): which tasks each has, and in which order.
 *
 * A group's chunks are shared out by their points, alike in all groups, so that few waits lead from
 * one list to another. The order is the one in which workers with deques would take them who never
 * have to wait for a core: each takes the newest of its ready tasks, so that what one wrote is read
 * while it is in the cache. It is found by running the plan on a clock of points. */
#include "runtime/base/heap.h"
#include "scheduler/plan/group.h"
#include "scheduler/run/lists.h"

#include <stdlib.h>

/* What another task than a chunk takes, in points. */
enum { OTHER_POINTS = 1 };

/** The plan while its run is played. */
typedef struct playing {
  const tsr_plan *plan;
  int n;
  int32_t *list_of;               /* [n_tasks] */
  int64_t *points;                /* [n_tasks] what the task takes */
  int64_t *ready_at;              /* [n_tasks] the clock when all that it waits for is done */
  int32_t *n_deps;                /* [n_tasks] that are not done */
  int32_t *below;                 /* [n_tasks] the next older ready task of its list; -1: none */
  int32_t newest[TSR_LISTS_MOST]; /* ready task of each list; -1: none */
  const int32_t *stretch_of;      /* [n_groups] */
  int32_t *later; /* [n * n_tasks] a heap for each list: ready tasks of later stretches */
  int32_t n_later[TSR_LISTS_MOST];
  int32_t stretch[TSR_LISTS_MOST]; /* that of the task that the list took last */
  int64_t clock[TSR_LISTS_MOST];
} playing;

/* The points of a chunk, in all groups of its chain. */
static int64_t points_of_chunk(const tsr_plan *plan, const tsr_task *task)
{
  const tsr_chain *chain = tsr__chain_of(plan, &plan->groups[task->group]);
  const int32_t n = chain->n_groups > 1 ? chain->tiles.n_steps : 1;
  int64_t points = 0;
  for (int32_t q = 0; q < n; q++) {
    tsr_box box;
    if (chain->n_groups > 1)
      tsr__chain_step_box(chain, q, task->what, &box);
    else
      tsr__chain_box(chain, task->group, task->what, &box);
    points += tsr__box_is_empty(&box) ? 0 : tsr__box_volume(&box);
  }
  return points;
}

/* The points of all groups of a group's chain. */
static int64_t points_of_chain(const tsr_plan *plan, int32_t group)
{
  const tsr_chain *chain = tsr__chain_of(plan, &plan->groups[group]);
  int64_t points = 0;
  for (int32_t q = 0; q < chain->n_groups; q++)
    points += tsr__box_volume(&plan->groups[chain->first_group + q].part);
  return points;
}

/* Other tasks than chunks are where the first task that waits for them is. */
static void share_out(playing *x)
{
  const tsr_plan *plan = x->plan;
  int32_t group = -1;
  int64_t before = 0, all = 1;
  for (int32_t t = 0; t < plan->n_tasks; t++) {
    const tsr_task *task = &plan->tasks[t];
    x->points[t] = OTHER_POINTS;
    if (task->kind != TSR_TASK_CHUNK) continue;
    if (task->group != group) {
      group = task->group;
      before = 0;
      all = points_of_chain(plan, group);
    }
    const int64_t points = x->points[t] = points_of_chunk(plan, task);
    const int list = (int)((double)(2 * before + points) / (double)(2 * all) * x->n);
    x->list_of[t] = list < x->n ? list : x->n - 1;
    before += points;
  }
  for (int32_t t = plan->n_tasks - 1; t >= 0; t--) {
    const tsr_task *task = &plan->tasks[t];
    if (task->kind != TSR_TASK_CHUNK)
      x->list_of[t] = task->n_next > 0 ? x->list_of[plan->next[task->first_next]] : 0;
  }
}

static int32_t *later_of(const playing *x, int list)
{
  return x->later + (size_t)list * (size_t)x->plan->n_tasks;
}

static void push(playing *x, int32_t task)
{
  const int list = x->list_of[task];
  if (x->stretch_of[x->plan->tasks[task].group] > x->stretch[list]) {
    tsr__heap_add(later_of(x, list), &x->n_later[list], task);
    return;
  }
  x->below[task] = x->newest[list];
  x->newest[list] = task;
}

/* The task that the worker of the list takes next; -1: none is ready. */
static int32_t next_of(const playing *x, int list)
{
  if (x->newest[list] >= 0) return x->newest[list];
  return x->n_later[list] > 0 ? later_of(x, list)[0] : -1;
}

/* Takes the next task of the worker that can begin one first. */
static int32_t take_task(playing *x)
{
  int best = -1;
  int64_t best_at = INT64_MAX;
  for (int w = 0; w < x->n; w++) {
    const int32_t task = next_of(x, w);
    if (task < 0) continue;
    const int64_t ready_at = x->ready_at[task];
    const int64_t at = x->clock[w] > ready_at ? x->clock[w] : ready_at;
    if (at >= best_at) continue;
    best = w;
    best_at = at;
  }
  TSR_ASSERT(best >= 0);
  const int32_t task = next_of(x, best);
  if (task == x->newest[best])
    x->newest[best] = x->below[task];
  else
    tsr__heap_take(later_of(x, best), &x->n_later[best]);
  x->stretch[best] = x->stretch_of[x->plan->tasks[task].group];
  x->clock[best] = best_at + x->points[task];
  return task;
}

/* Each worker's own tasks are pushed in reverse, so that it takes them in plan order. */
static void play(playing *x, int32_t *order)
{
  const tsr_plan *plan = x->plan;
  for (int w = 0; w < x->n; w++) x->newest[w] = -1;
  for (int32_t t = plan->n_tasks - 1; t >= 0; t--) {
    x->n_deps[t] = plan->tasks[t].n_deps;
    if (x->n_deps[t] == 0) push(x, t);
  }
  for (int32_t k = 0; k < plan->n_tasks; k++) {
    const int32_t t = order[k] = take_task(x);
    const tsr_task *task = &plan->tasks[t];
    const int64_t end = x->clock[x->list_of[t]];
    for (int32_t i = task->n_next - 1; i >= 0; i--) {
      const int32_t next = plan->next[task->first_next + i];
      if (x->ready_at[next] < end) x->ready_at[next] = end;
      if (--x->n_deps[next] == 0) push(x, next);
    }
  }
}

tsr_lists *tsr__lists_of_plan(const tsr_plan *plan, int n, const int32_t *stretch_of)
{
  const size_t n_tasks = (size_t)plan->n_tasks + 1;
  int32_t *order = tsr__calloc(n_tasks, sizeof *order);
  playing x = {.plan = plan,
               .n = n,
               .list_of = tsr__calloc(n_tasks, sizeof *x.list_of),
               .points = tsr__calloc(n_tasks, sizeof *x.points),
               .ready_at = tsr__calloc(n_tasks, sizeof *x.ready_at),
               .n_deps = tsr__calloc(n_tasks, sizeof *x.n_deps),
               .below = tsr__calloc(n_tasks, sizeof *x.below),
               .stretch_of = stretch_of,
               .later = tsr__malloc((size_t)n * n_tasks * sizeof *x.later)};
  share_out(&x);
  play(&x, order);
  tsr_lists *lists = tsr__lists_create(n, plan->n_tasks, plan->tasks, plan->next, order, x.list_of);
  free(order);
  free(x.list_of);
  free(x.points);
  free(x.ready_at);
  free(x.n_deps);
  free(x.below);
  free(x.later);
#ifndef NDEBUG
  char *defect = tsr__lists_verify(lists, plan->n_tasks, plan->tasks, plan->next);
  if (defect != NULL) tsr__fatal("lists of tasks: %s", defect);
#endif
  return lists;
}
