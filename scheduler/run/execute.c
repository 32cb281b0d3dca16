/* The executor: workers run the tasks that order.c gives them; a worker that gets none polls the
 * transport. A plan that is small and alone runs on the calling thread.
 *
 * A rank that has failed, or cannot run its plans at all, runs the same tasks: those of messages
 * send and receive headers with the failure, the others do nothing. */
#include "scheduler/run/repeat.h"

#include "runtime/base/clock.h"
#include "runtime/device/sequence.h"
#include "scheduler/run/exchange.h"
#include "scheduler/run/risen.h"
#include "scheduler/run/task.h"
#include "scheduler/run/want.h"

#include <stdlib.h>
#include <string.h>

/* The most bytes of large blocks that a rank keeps for the partial results of its next runs. */
enum { PARTIALS_CACHED_BYTES = 64 << 20 };

/* Runs a task. One that waits for a message is completed when that has come (exchange.c). */
static void run_task(tsr_run *run, int32_t task, int worker)
{
  if (tsr__run_task(run, task, worker)) tsr__order_complete(run->order, task, worker);
}

/* Runs ready tasks of messages: what other places wait for does not wait for a chunk of this one.
 */
static bool take_messages(tsr_run *run, int worker)
{
  bool any = false;
  for (; run != NULL; run = run->beside)
    for (int32_t task; (task = tsr__order_take_message(run->order)) >= 0; any = true)
      run_task(run, task, worker);
  return any;
}

/* Polls between tasks. Where ranks share cores, a fruitless poll of MPI gives up the core, so
 * there only messages that have come are handled, which neighbours wait for. */
static void poll_messages(tsr_run *run, int worker)
{
  tsr_transport *t = run->world->transport;
  if (worker == 0 && run->polls && (t->ops->has_news == NULL || t->ops->has_news(t)))
    for (tsr_run *r = run->first; r != NULL; r = r->beside) tsr__exchange_poll(r, worker);
}

/* Runs a task, or handles messages; false: there was nothing to do. */
static bool take_turn(tsr_run *run, int worker)
{
  const bool any = run->first->beside != NULL && take_messages(run->first, worker);
  const int32_t task = tsr__order_take(run->order, worker);
  if (task < 0) return tsr__exchange_poll(run, worker) || any;
  run_task(run, task, worker);
  poll_messages(run, worker);
  return true;
}

static bool is_finished(const tsr_run *run)
{
  for (; run != NULL; run = run->beside)
    if (tsr__order_n_left(run->order) > 0) return false;
  return true;
}

/* The number of tasks left, to see whether any was done. */
static int64_t n_left(const tsr_run *run)
{
  int64_t n = 0;
  for (; run != NULL; run = run->beside) n += tsr__order_n_left(run->order);
  return n;
}

/* Tells the program what it waits for. False: another worker is polling just now, or no message is
 * awaited. */
static bool say_stalled(tsr_run *run, const tsr_watch *watch)
{
  for (; run != NULL; run = run->beside) {
    int peer;
    bool is_send;
    if (!tsr__exchange_waits_for(run, &peer, &is_send)) continue;
    tsr__say_stalled(run->world->transport, watch, peer, is_send);
    return true;
  }
  return false;
}

/* A turn of the first worker in which it found nothing to do. */
static void idle(tsr_run *first, tsr_watch *watch, int64_t *left)
{
  const int64_t now = n_left(first);
  if (now != *left) *watch = (tsr_watch){0};
  *left = now;
  if (tsr__idle(first->world->transport, watch) && !say_stalled(first, watch))
    watch->next_ns = 0; /* asks again in the next turn */
}

/* Works on the runs of this rank's places together, since they wait for each other's messages. */
static void work(void *arg, int worker)
{
  tsr_run *first = arg;
  unsigned turns = 0;
  tsr_watch watch = {0};
  int64_t left = -1;
  tsr_transport *t = first->world->transport;
  while (!is_finished(first)) {
    bool any = false;
    for (tsr_run *run = first; run != NULL; run = run->beside) any = take_turn(run, worker) || any;
    if (any) {
      turns = 0;
    } else {
      /* Only an idle worker gives up its core: with more ranks than cores a neighbour's data is
       * loaded in the meantime. */
      if (worker == 0) idle(first, &watch, &left);
      if (worker != 0 || !t->crowded) tsr__workers_relax(first->world->machine->workers, &turns);
    }
  }
}

/* Runs the tasks of the lists that this worker takes. */
static void work_by_lists(void *arg, int worker)
{
  tsr_run *run = arg;
  tsr_lists *lists = run->order->lists;
  tsr_list_turn turn;
  turn.n_held = turn.last = 0;
  for (int32_t task;
       (task = tsr__lists_take(lists, &turn, worker, run->world->machine->workers)) >= 0;) {
    const bool is_finished = tsr__run_task(run, task, worker);
    TSR_ASSERT(is_finished);
    (void)is_finished;
    tsr__lists_complete(lists, &turn);
  }
}

/* Lets the run's device hold back its launches of code, which this thread alone asks for until
 * tsr__run_end. */
static void begin_sequence(tsr_run *run)
{
  if (tsr__run_by_code(run) && run->world->config.graphs)
    tsr__sequence_begin(run->device, &run->plan->workspace->sequence);
}

static void run_in_line(tsr_run *run)
{
  begin_sequence(run);
  tsr__order_start(run->order, 1, 0, false);
  for (int32_t task; (task = tsr__order_take(run->order, 0)) >= 0;) run_task(run, task, 0);
  if (!tsr__run_has_failed(run)) tsr__repeat_note(run);
}

static void free_replays(const tsr_plan *plan, tsr_workspace *w)
{
  for (int32_t i = 0; w->replays != NULL && i < plan->n_groups; i++) {
    if (w->replays[i] == NULL) continue;
    free(w->replays[i]->run);
    free(w->replays[i]);
  }
  free(w->replays);
  w->replays = NULL;
  w->repeat = NULL;
}

static void free_laid_boxes(const tsr_plan *plan, tsr_workspace *w)
{
  for (int32_t i = 0; w->laid != NULL && i < plan->n_tasks; i++) free(w->laid[i]);
  free(w->laid);
  w->laid = NULL;
}

static void free_workspace(tsr_plan *plan)
{
  tsr_workspace *w = plan->workspace;
  tsr__linked_destroy(w->linked);
  tsr__messages_free(&w->messages);
  for (int32_t i = 0; i < w->n_launches; i++) free(w->launches[i].memory);
  free(w->launches);
  free_replays(plan, w);
  free_laid_boxes(plan, w);
  free(w->counts);
  tsr__sequence_free(plan->scheduler->world->places[plan->here].device, w->sequence);
  tsr__order_destroy(&w->order);
  free(w->waiting);
  for (int32_t i = 0; i < plan->n_reductions * w->n_lanes; i++)
    tsr__partials_destroy(w->partials[i]);
  free(w->partials);
  free(w);
  plan->workspace = NULL;
}

/* The plan was resized: its reductions have other trees, its groups other boxes. */
static void resize_workspace(const tsr_plan *plan, tsr_workspace *w)
{
  w->edition = plan->edition;
  free_replays(plan, w);
  free_laid_boxes(plan, w);
  for (int32_t i = 0; i < plan->n_reductions * w->n_lanes; i++) {
    const tsr_plan_reduction *r = &plan->reductions[i % plan->n_reductions];
    if (w->partials[i] != NULL) tsr__partials_resize(w->partials[i], &r->tree, &r->kept);
  }
}

/* Has the plan users' tasks, and so few boxes of them that a kilobyte each does not matter? */
static bool has_few_user_tasks(const tsr_plan *plan)
{
  enum { FEW = 1024 };
  bool any = false;
  for (int32_t i = 0; i < plan->n_groups; i++) any = any || plan->groups[i].is_user;
  return any && plan->n_tasks <= FEW;
}

/* The workspace of the plan, made by the first run. */
static tsr_workspace *workspace(tsr_plan *plan, int n_threads)
{
  if (plan->workspace != NULL && plan->workspace->edition != plan->edition)
    resize_workspace(plan, plan->workspace);
  if (plan->workspace != NULL) return plan->workspace;
  const size_t n = (size_t)plan->n_tasks;
  tsr_workspace *w = plan->workspace = tsr__calloc(1, sizeof *w);
  plan->free_workspace = free_workspace;
  w->n_lanes = tsr__n_lanes(plan->scheduler);
  w->edition = plan->edition;
  w->partials =
      tsr__calloc((size_t)plan->n_reductions * (size_t)(w->n_lanes + 1) + 1, sizeof *w->partials);
  w->counts = tsr__calloc((size_t)w->n_lanes, sizeof *w->counts);
  if (has_few_user_tasks(plan)) w->laid = tsr__calloc(n + 1, sizeof(tsr_laid_box *));
  if (w->n_lanes > n_threads) {
    w->n_launches = plan->n_tasks;
    w->launches = tsr__calloc(n + 1, sizeof *w->launches);
  }
  tsr__order_create(&w->order, plan, n_threads);
  if (plan->in_line) return w;
  w->waiting = tsr__malloc((n + 1) * sizeof *w->waiting);
  tsr__messages_create(&w->messages, plan);
  return w;
}

/* The state of the seeded order of a run; 0: its order is natural. */
static uint64_t seed_of(const tsr_run *run)
{
  const tsr_scheduler *s = run->plan->scheduler;
  if (s->world->config.seed == 0) return 0;
  return ((uint64_t)s->world->config.seed * 0x9E3779B97F4A7C15u + s->counters.n_flushes * 2 +
          (uint64_t)run->plan->place * 0x100000001B3u) |
         1;
}

static void make_ready(tsr_run *run, bool by_lists)
{
  const tsr_plan *plan = run->plan;
  tsr_workspace *w = plan->workspace;
  run->waiting = w->waiting;
  run->messages = &w->messages;
  run->polls =
      run->world->transport->crowded || !tsr__workers_oversubscribed(run->world->machine->workers);
  if (by_lists)
    tsr__order_start_lists(run->order);
  else
    tsr__order_start(run->order, run->n_threads, seed_of(run),
                     run->device != NULL && run->binding->any_spilled);
  tsr__exchange_start(run);
}

/* Does a test wish that all runs that may do so go by lists, with all threads? */
static bool wants_all_by_lists(const tsr_run *run)
{
  return strcmp(run->world->config.lists, "all") == 0;
}

/* Does the run go by lists? Not where a thread may have to wait for its core, unless a test wishes
 * so, not with runs of other places, which wait for each other's messages, and not in an order that
 * was asked for. */
static bool goes_by_lists(const tsr_run *first, int n_threads)
{
  const tsr_world *world = first->world;
  if (first->beside != NULL || first->device != NULL || world->config.inorder ||
      world->config.seed != 0 || strcmp(world->config.lists, "off") == 0)
    return false;
  if (!wants_all_by_lists(first) &&
      (world->transport->crowded || tsr__workers_oversubscribed(world->machine->workers) ||
       !tsr__order_wants_lists(first->order, n_threads)))
    return false;
  return tsr__order_may_list(first->order, n_threads);
}

/* Do devices run all of the runs' groups by launches? Then one thread has little to do. */
static bool only_launches(const tsr_run *first)
{
  for (const tsr_run *run = first; run != NULL; run = run->beside) {
    if (!tsr__run_by_code(run)) return false;
    for (int32_t i = 0; i < run->plan->n_groups; i++)
      if (run->binding->on_host[i]) return false;
  }
  return true;
}

/* The runs have as many threads as has been found best for the first one's plan. */
static void run_by_workers(tsr_run *first)
{
  tsr_pace *pace = &first->plan->workspace->pace;
  const int most = only_launches(first) ? 1 : first->n_threads;
  const bool is_paced = most > 1 && first->device == NULL && !wants_all_by_lists(first);
  const int n = is_paced ? tsr__pace_threads(pace, most) : most;
  const bool by_lists = goes_by_lists(first, n); /* it may make the lists */
  const uint64_t start_ns = is_paced ? tsr__now_ns() : 0;
  for (tsr_run *run = first; run != NULL; run = run->beside) {
    run->first = first;
    run->n_threads = n;
    if (n == 1) begin_sequence(run);
    make_ready(run, by_lists);
  }
  tsr__linked_start(first);
  tsr__workers_run(first->world->machine->workers, n, by_lists ? work_by_lists : work, first);
  const uint64_t ns = is_paced ? tsr__now_ns() - start_ns : 0;
  if (is_paced) tsr__pace_note(pace, most, ns);
  if (!by_lists) return;
  tsr__order_note_lists(first->order, ns);
  first->plan->scheduler->counters.n_listed_runs++;
}

static void run_in_parallel(tsr_run *first)
{
  run_by_workers(first);
  for (tsr_run *run = first; run != NULL; run = run->beside) {
    tsr__exchange_finish(run);
    tsr_counters *counters = &run->plan->scheduler->counters;
    counters->n_locked += run->n_locked;
    counters->n_contended += run->n_contended;
    tsr__order_count(run->order, counters);
  }
}

/* Messages and memory of two spaces need more of a device than its queue of kernels, so what runs
 * on from earlier plans ends before them. */
static void begin_queues(const tsr_run *run)
{
  if (run->device != NULL && (run->plan->n_messages > 0 || run->binding->any_spilled))
    (void)tsr__device_settle(run->device);
}

void tsr__run_begin(tsr_run *run, tsr_plan *plan, const tsr_binding *b, atomic_int *failure)
{
  tsr_scheduler *s = plan->scheduler;
  *run = (tsr_run){.plan = plan,
                   .binding = b,
                   .world = s->world,
                   .look = poll_messages,
                   .n_threads = s->world->machine->n_threads,
                   .hash = s->world->hash,
                   .failure = failure,
                   .risen_lock = PTHREAD_MUTEX_INITIALIZER,
                   .comm_lock = ATOMIC_FLAG_INIT};
  tsr_device *device = s->world->places[plan->here].device;
  if (!tsr__world_is_host(s->world)) run->device = device;
  if (tsr__device_runs_c(device)) run->shift_bytes = device->shift_bytes;
  tsr_workspace *w = workspace(plan, run->n_threads);
  w->n_runs += w->n_runs < 2;
  run->order = &w->order;
  run->n_lanes = w->n_lanes;
  run->launches = w->launches;
  run->partials = w->partials;
  run->totals = run->partials + (size_t)plan->n_reductions * (size_t)run->n_lanes;
  if (s->world->config.inorder || s->world->config.seed != 0) run->n_threads = 1;
  begin_queues(run);
  if (w->n_runs == 1 && !tsr__run_has_failed(run)) tsr__run_want_kernels(run);
}

/* A run that put nothing but kernels into the queues ends without a wait for them: what reads their
 * results is put behind them. */
static void end_queues(const tsr_run *run)
{
  const bool may_run_on = run->plan->n_messages == 0 && run->has_queued;
  if (may_run_on && tsr__device_leave_running(run->device))
    run->plan->scheduler->counters.n_running_on++;
  else
    tsr__run_sync(run);
}

/* Adds what a lane counted to a counter of the scheduler, which devices' queues may raise
 * meanwhile. */
static void add_count(uint64_t *to, uint64_t *n)
{
  if (*n == 0) return;
  __atomic_fetch_add(to, *n, __ATOMIC_RELAXED);
  *n = 0;
}

static void add_counts(tsr_run *run)
{
  tsr_counters *to = &run->plan->scheduler->counters;
  tsr_lane_counts *counts = run->plan->workspace->counts;
  for (int i = 0; i < run->n_lanes; i++) {
    add_count(&to->n_task_runs, &counts[i].n_task_runs);
    add_count(&to->n_compiled_runs, &counts[i].n_compiled_runs);
    add_count(&to->n_interpreted_runs, &counts[i].n_interpreted_runs);
  }
}

void tsr__run_end(tsr_run *run)
{
  TSR_ASSERT(run->plan->in_line || tsr__order_n_left(run->order) == 0);
  const size_t n = (size_t)run->plan->n_reductions;
  if (run->device != NULL)
    run->plan->scheduler->counters.n_graph_runs += tsr__sequence_end(run->device);
  add_counts(run);
  end_queues(run);
  (void)tsr__run_note_lost_device(run); /* also where it failed before the run */
  tsr__risen_end(run);
  tsr__messages_end(run);
  for (size_t i = 0; i < n; i++) {
    if (run->totals[i] != NULL) tsr__partials_clear(run->totals[i]);
    run->totals[i] = NULL;
  }
  const bool failed = atomic_load(run->failure) < 0;
  for (size_t i = 0; failed && i < n * (size_t)run->n_lanes; i++)
    if (run->partials[i] != NULL) tsr__partials_clear(run->partials[i]);
  tsr_memory *memory = run->plan->scheduler->partials_memory;
  if (n > 0 && tsr__memory_stats(memory).cached_bytes > PARTIALS_CACHED_BYTES)
    tsr__memory_trim(memory);
}

/* Plans that are small and alone run first, since they need no messages. */
tsr_status tsr__execute(tsr_plan *plan, const tsr_binding *bindings, tsr_status status)
{
  tsr_world *world = plan->scheduler->world;
  tsr_run runs[TSR_MAX_PLACES], *waiting = NULL;
  atomic_int failure = status;
  if (tsr__world_is_null(world)) return status;
  for (tsr_plan *p = plan; p != NULL; p = p->beside) {
    tsr_run *run = &runs[p->here];
    tsr__run_begin(run, p, &bindings[p->here], &failure);
    if (p->in_line) {
      run_in_line(run);
      continue;
    }
    run->beside = waiting;
    waiting = run;
  }
  if (waiting != NULL) run_in_parallel(waiting);
  for (int i = 0; i < world->n_places; i++) tsr__run_end(&runs[i]);
  return atomic_load(&failure);
}
