/* Lists of tasks (lists.h). */
#include "scheduler/run/lists.h"
#include "runtime/base/alloc.h"
#include "runtime/base/clock.h"

#include <stdlib.h>
#include <string.h>

/* Waits of fewer turns than SHORT_TURNS are what handing a result over costs, and do not count. */
enum { SHORT_TURNS = 64 /* fewer than those after which a turn gives up the core */ };

/* Adds a task to its list; done[w]: how many tasks of list w it waits for, known[w]: how many an
 * earlier task of the list waited for. */
static void add_task(tsr_list *l, int n, int self, int32_t task, const int32_t *done,
                     int32_t *known, int32_t *capacity)
{
  l->tasks[l->n_tasks++] = (tsr_list_task){task, l->n_waits, false};
  for (int w = 0; w < n; w++) {
    if (w == self || done[w] <= known[w]) continue;
    known[w] = done[w];
    l->waits = tsr__grow(l->waits, capacity, l->n_waits + 1, sizeof *l->waits);
    l->waits[l->n_waits++] = (tsr_list_wait){w, done[w]};
  }
  l->tasks[l->n_tasks] = (tsr_list_task){-1, l->n_waits, false};
}

/* Notes which tasks are waited for. To publish that another is done would take the counter from the
 * core that reads it, for nothing. */
static void note_awaited(const tsr_lists *lists)
{
  for (int w = 0; w < lists->n; w++)
    for (int32_t k = 0; k < lists->v[w].n_waits; k++) {
      const tsr_list_wait *wait = &lists->v[w].waits[k];
      lists->v[wait->of].tasks[wait->count - 1].is_awaited = true;
    }
}

tsr_lists *tsr__lists_create(int n, int32_t n_tasks, const tsr_task *tasks, const int32_t *next,
                             const int32_t *order, const int32_t *list_of)
{
  TSR_ASSERT(n > 0 && n <= TSR_LISTS_MOST);
  const size_t each = (size_t)n;
  tsr_lists *lists = tsr__calloc(1, sizeof *lists);
  lists->n = n;
  lists->v = tsr__calloc(each, sizeof *lists->v);
  int32_t *done = tsr__calloc((size_t)n_tasks * each + 1, sizeof *done),
          *known = tsr__calloc(each * each, sizeof *known);
  int32_t counts[TSR_LISTS_MOST] = {0}, capacity[TSR_LISTS_MOST] = {0};
  for (int32_t t = 0; t < n_tasks; t++) counts[list_of[t]]++;
  for (int w = 0; w < n; w++)
    lists->v[w].tasks = tsr__calloc((size_t)counts[w] + 1, sizeof *lists->v[w].tasks);
  for (int32_t k = 0; k < n_tasks; k++) {
    const int32_t t = order[k];
    const int self = list_of[t];
    tsr_list *l = &lists->v[self];
    add_task(l, n, self, t, done + (size_t)t * each, known + (size_t)self * each, &capacity[self]);
    for (int32_t i = 0; i < tasks[t].n_next; i++) {
      int32_t *of = &done[(size_t)next[tasks[t].first_next + i] * each + (size_t)self];
      if (*of < l->n_tasks) *of = l->n_tasks;
    }
  }
  note_awaited(lists);
  free(done);
  free(known);
  return lists;
}

void tsr__lists_destroy(tsr_lists *lists)
{
  if (lists == NULL) return;
  for (int w = 0; w < lists->n; w++) {
    free(lists->v[w].tasks);
    free(lists->v[w].waits);
  }
  free(lists->v);
  free(lists);
}

/* Where a task is. */
typedef struct position {
  int32_t list, at;
} position;

/* Notes which tasks of other lists are done before each task of list w: before[t * n + v] of v. */
static void find_known(const tsr_lists *lists, int w, position *positions, int32_t *before)
{
  const tsr_list *l = &lists->v[w];
  int32_t known[TSR_LISTS_MOST] = {0};
  for (int32_t i = 0; i < l->n_tasks; i++) {
    const size_t task = (size_t)l->tasks[i].task;
    for (int32_t k = l->tasks[i].first_wait; k < l->tasks[i + 1].first_wait; k++)
      if (known[l->waits[k].of] < l->waits[k].count) known[l->waits[k].of] = l->waits[k].count;
    known[w] = i;
    positions[task] = (position){w, i};
    memcpy(before + task * (size_t)lists->n, known, (size_t)lists->n * sizeof *known);
  }
}

char *tsr__lists_verify(const tsr_lists *lists, int32_t n_tasks, const tsr_task *tasks,
                        const int32_t *next)
{
  tsr_text defect = {0};
  const size_t n = (size_t)lists->n;
  position *positions = tsr__calloc((size_t)n_tasks + 1, sizeof *positions);
  int32_t *before = tsr__calloc((size_t)n_tasks * n + 1, sizeof *before);
  for (int32_t t = 0; t < n_tasks; t++) positions[t].list = -1;
  for (int w = 0; w < lists->n; w++) find_known(lists, w, positions, before);
  for (int32_t t = 0; t < n_tasks && defect.s == NULL; t++) {
    if (positions[t].list < 0) tsr__text_add(&defect, "task %d is in no list", t);
    for (int32_t i = 0; i < tasks[t].n_next && defect.s == NULL; i++) {
      const int32_t later = next[tasks[t].first_next + i];
      if (before[(size_t)later * n + (size_t)positions[t].list] <= positions[t].at)
        tsr__text_add(&defect, "task %d of list %d does not wait for task %d of list %d", later,
                      positions[later].list, t, positions[t].list);
    }
  }
  free(positions);
  free(before);
  return defect.s;
}

/* Takes a list for this run; false: a worker has it. */
static bool hold(tsr_lists *lists, tsr_list_turn *turn, int list)
{
  tsr_list *l = &lists->v[list];
  uint64_t last = atomic_load_explicit(&l->run, memory_order_relaxed);
  if (last == lists->run ||
      !atomic_compare_exchange_strong_explicit(&l->run, &last, lists->run, memory_order_acq_rel,
                                               memory_order_relaxed))
    return false;
  turn->held[turn->n_held].list = list;
  turn->held[turn->n_held++].next = 0;
  return true;
}

/* Are the tasks done that the next task of a list waits for? */
static bool is_ready(const tsr_lists *lists, const tsr_list *l, int32_t at)
{
  const tsr_list_task *t = &l->tasks[at];
  for (int32_t k = t[0].first_wait; k < t[1].first_wait; k++) {
    const tsr_list *of = &lists->v[l->waits[k].of];
    const uint64_t count = (lists->run - 1) * (uint64_t)of->n_tasks + (uint64_t)l->waits[k].count;
    if (atomic_load_explicit(&of->done, memory_order_acquire) < count) return false;
  }
  return true;
}

/* The next task of the lists that the worker has, beginning with the list of its last; -1: none is
 * ready. *left: are there any? */
static int32_t ready_task(const tsr_lists *lists, tsr_list_turn *turn, bool *left)
{
  *left = false;
  for (int i = 0; i < turn->n_held; i++) {
    const int h = (turn->last + i) % turn->n_held;
    const tsr_list *l = &lists->v[turn->held[h].list];
    const int32_t at = turn->held[h].next;
    if (at == l->n_tasks) continue;
    *left = true;
    if (!is_ready(lists, l, at)) continue;
    turn->last = h;
    return l->tasks[at].task;
  }
  return -1;
}

static bool all_are_held(const tsr_lists *lists)
{
  for (int w = 0; w < lists->n; w++)
    if (atomic_load_explicit(&lists->v[w].run, memory_order_relaxed) != lists->run) return false;
  return true;
}

/* Takes on a list that no worker has, if there is one. */
static void hold_any(tsr_lists *lists, tsr_list_turn *turn, int worker)
{
  const bool has_one = turn->n_held > 0;
  for (int w = 0; w < lists->n; w++) {
    if (!hold(lists, turn, (worker + w) % lists->n)) continue;
    if (has_one) atomic_store_explicit(&lists->is_taken_on, true, memory_order_relaxed);
    return;
  }
}

/* Has a thread been waited for as long as it is worth, since start_ns? */
static bool is_late(const tsr_lists *lists, uint64_t start_ns)
{
  return start_ns > 0 && tsr__now_ns() - start_ns >= lists->patience_ns;
}

int32_t tsr__lists_take(tsr_lists *lists, tsr_list_turn *turn, int worker, tsr_workers *workers)
{
  uint64_t start_ns = 0;
  unsigned turns = 0;
  int32_t task;
  if (turn->n_held == 0 && (worker >= lists->n || !hold(lists, turn, worker)) && worker > 0)
    return -1;
  for (bool left; (task = ready_task(lists, turn, &left)) < 0;) {
    const bool all = all_are_held(lists);
    if (all && !left) break;
    if (!all && is_late(lists, start_ns)) hold_any(lists, turn, worker);
    tsr__workers_relax(workers, &turns);
    if (turns == SHORT_TURNS) start_ns = tsr__now_ns();
  }
  if (start_ns > 0)
    atomic_fetch_add_explicit(&lists->waited_ns, tsr__now_ns() - start_ns, memory_order_relaxed);
  return task;
}

void tsr__lists_complete(tsr_lists *lists, tsr_list_turn *turn)
{
  const int32_t next = ++turn->held[turn->last].next;
  tsr_list *l = &lists->v[turn->held[turn->last].list];
  TSR_ASSERT(next <= l->n_tasks);
  if (!l->tasks[next - 1].is_awaited) return;
  atomic_store_explicit(&l->done, (lists->run - 1) * (uint64_t)l->n_tasks + (uint64_t)next,
                        memory_order_release);
}
