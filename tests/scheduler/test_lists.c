/* Lists of tasks (scheduler/run/lists.h): of tasks that wait for each other at random, in the order
 * of the lists, and as threads run them. */
#include <criterion/criterion.h>

#include "scheduler/run/lists.h"

#include <pthread.h>

enum { N_TASKS = 300, MOST_LISTS = 5, N_RUNS = 50 };

typedef struct graph {
  tsr_task tasks[N_TASKS];
  int32_t next[N_TASKS * N_TASKS];
  int32_t order[N_TASKS], list_of[N_TASKS];
  int n_lists;
} graph;

static uint32_t draw(uint32_t *seed, uint32_t below)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) % below;
}

static graph *drawn(uint32_t seed)
{
  graph *g = calloc(1, sizeof *g);
  int32_t n_next = 0;
  g->n_lists = 1 + (int)draw(&seed, MOST_LISTS);
  const uint32_t rare = 1 + draw(&seed, 40);
  for (int32_t t = 0; t < N_TASKS; t++) {
    g->order[t] = t;
    g->list_of[t] = (int32_t)draw(&seed, (uint32_t)g->n_lists);
    g->tasks[t].first_next = n_next;
    for (int32_t later = t + 1; later < N_TASKS; later++)
      if (draw(&seed, rare + (uint32_t)(later - t)) == 0) g->next[n_next++] = later;
    g->tasks[t].n_next = n_next - g->tasks[t].first_next;
  }
  return g;
}

static tsr_lists *lists_of(const graph *g)
{
  return tsr__lists_create(g->n_lists, N_TASKS, g->tasks, g->next, g->order, g->list_of);
}

static char *defect_of(const tsr_lists *lists, const graph *g)
{
  return tsr__lists_verify(lists, N_TASKS, g->tasks, g->next);
}

Test(lists, without_any_one_wait_are_wrong)
{
  int n_dropped = 0;
  for (uint32_t seed = 1; seed <= 8; seed++) {
    graph *g = drawn(seed);
    tsr_lists *lists = lists_of(g);
    cr_assert_null(defect_of(lists, g));
    for (int w = 0; w < lists->n; w++)
      for (int32_t k = 0; k < lists->v[w].n_waits; k++, n_dropped++) {
        const int32_t count = lists->v[w].waits[k].count;
        lists->v[w].waits[k].count = 0;
        char *defect = defect_of(lists, g);
        cr_assert_not_null(defect, "wait %d of list %d", k, w);
        cr_assert_not_null(strstr(defect, "does not wait for"));
        free(defect);
        lists->v[w].waits[k].count = count;
      }
    tsr__lists_destroy(lists);
    free(g);
  }
  cr_assert_gt(n_dropped, 100);
}

Test(lists, leave_out_waits_that_an_earlier_task_had)
{
  /* tasks 0 and 1 of list 0; 2, 3 and 4 of list 1 wait for 1, 0 and 1 */
  const tsr_task tasks[5] = {{.first_next = 0, .n_next = 1}, {.first_next = 1, .n_next = 2}};
  tsr_lists *lists =
      tsr__lists_create(2, 5, tasks, (const int32_t[]){3, 2, 4}, (const int32_t[]){0, 1, 2, 3, 4},
                        (const int32_t[]){0, 0, 1, 1, 1});
  cr_expect_eq(lists->v[0].n_waits, 0);
  cr_assert_eq(lists->v[1].n_waits, 1);
  cr_expect_eq(lists->v[1].waits[0].count, 2);
  for (int i = 0; i < 2; i++)
    for (int32_t t = 0; t < lists->v[i].n_tasks; t++)
      cr_expect_eq(lists->v[i].tasks[t].is_awaited, i == 0 && t == 1, "task %d of list %d", t, i);
  tsr__lists_destroy(lists);
}

typedef struct running {
  const graph *g;
  tsr_lists *lists;
  tsr_workers *workers;
  int left_out;      /* a worker that does not come; 0: all do */
  int done[N_TASKS]; /* the run that the task was last done in; not atomic: tasks are ordered */
  _Atomic int n_wrong;
} running;

static void work(void *arg, int worker)
{
  running *r = arg;
  tsr_list_turn turn;
  turn.n_held = turn.last = 0;
  if (worker > 0 && worker == r->left_out) return;
  for (int32_t t; (t = tsr__lists_take(r->lists, &turn, worker, r->workers)) >= 0;) {
    const int run = (int)r->lists->run;
    for (int32_t before = 0; before < t; before++) {
      const tsr_task *b = &r->g->tasks[before];
      for (int32_t k = 0; k < b->n_next; k++)
        if (r->g->next[b->first_next + k] == t && r->done[before] != run) r->n_wrong++;
    }
    r->n_wrong += r->done[t] != run - 1;
    r->done[t] = run;
    tsr__lists_complete(r->lists, &turn);
  }
}

Test(lists, order_the_tasks_of_threads, .timeout = 60)
{
  for (uint32_t seed = 1; seed <= 6; seed++) {
    graph *g = drawn(seed);
    running r = {.g = g, .lists = lists_of(g)};
    cr_assert_eq(tsr__workers_create(g->n_lists, NULL, 0, true, &r.workers), TSR_OK);
    for (int run = 1; run <= N_RUNS; run++) {
      r.left_out = run % g->n_lists;
      tsr__lists_start(r.lists);
      tsr__workers_run(r.workers, g->n_lists, work, &r);
      for (int32_t t = 0; t < N_TASKS; t++) cr_assert_eq(r.done[t], run);
      if (r.left_out > 0) cr_expect(r.lists->is_taken_on, "somebody did the work of two");
    }
    cr_expect_eq(r.n_wrong, 0);
    tsr__workers_destroy(r.workers);
    tsr__lists_destroy(r.lists);
    free(g);
  }
}
