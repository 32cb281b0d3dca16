/* Flushing: select, plan, bind, run, commit. The caller runs the plan to its end, as one of the
 * workers; what the window's ops left behind is stored, a deferred value, or gone. */
#include "scheduler/flush/flush.h"
#include "scheduler/dump.h"
#include "scheduler/failure.h"
#include "scheduler/flush/memo.h"
#include "scheduler/flush/shortage.h"
#include "scheduler/memory/residency.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"
#include "scheduler/plan/tiling.h"
#include "scheduler/run/execute.h"
#include "scheduler/run/place.h"
#include "scheduler/run/ranges.h"
#include "scheduler/run/repeat.h"
#include "scheduler/run/replay_check.h"

#include <stddef.h>
#include <string.h>

/* Adds what the plans of a window count to the scheduler's counters: all words before n_flushes,
 * two at a time. If their number is odd, the last pair holds n_flushes, too, which is 0 in
 * plans. */
static void count_plan(tsr_scheduler *s, const tsr_plan *plan)
{
  typedef uint64_t pair __attribute__((vector_size(16), aligned(8), may_alias));
  _Static_assert(offsetof(tsr_counters, n_ops) == 0, "the sums over plans come first");
  enum { N = (offsetof(tsr_counters, n_flushes) + sizeof(pair) - 1) / sizeof(pair) };
  for (; plan != NULL; plan = plan->beside)
    for (int i = 0; i < N; i++) ((pair *)&s->counters)[i] += ((const pair *)&plan->counts)[i];
}

/* Is the plan over the agreed limit? All ranks find the same answer, before anything has run. */
static bool is_over_limit(const tsr_scheduler *s, const tsr_plan *plan)
{
  const size_t limit = tsr__world_limit(s->world);
  return limit != 0 && s->agreed_in_use + plan->agreed_new_bytes > limit;
}

/* Does the op make a value now, by itself or by those that are redirected to its result? */
static bool is_made_now(tsr_op_action a)
{
  return a.action == TSR_ACT_RUN || a.action == TSR_ACT_REDIRECTED;
}

/* Gives up the ops that were to run: the values that they would have made are poisoned, what they
 * would have changed stays. */
static void poison_results(tsr_scheduler *s, const tsr_actions *a)
{
  TSR_ASSERT(a->n == s->window->n_ops);
  for (int32_t i = 0; i < a->n; i++) {
    tsr_region *out = s->window->ops[i]->out;
    if (is_made_now(a->v[i]) && out->storage == NULL) out->poisoned = true;
  }
  s->any_poisoned = true;
}

/* The plan of this number writes what the ops that run change. */
static void note_written(tsr_scheduler *s, const tsr_actions *a)
{
  for (int32_t i = 0; i < a->n; i++) {
    tsr_storage *storage = s->window->ops[i]->out->storage;
    if (is_made_now(a->v[i]) && storage != NULL) storage->written = s->n_plans;
  }
}

/* Ops leave the window. One stays if its value is deferred, and an array is a view of that value or
 * a later op that stays reads it. */
static void remove_finished(tsr_scheduler *s, const tsr_actions *a, const tsr_names *names,
                            bool failed)
{
  TSR_ASSERT(a->n == s->window->n_ops);
  if (!failed) note_written(s, a);
  bool *is_read = tsr__arena_calloc(&s->arena, (size_t)names->n_regions + 1, sizeof *is_read);
  for (int32_t i = a->n - 1; i >= 0; i--) {
    tsr_op *op = s->window->ops[i];
    const bool runs = is_made_now(a->v[i]);
    const bool stays = a->v[i].action == TSR_ACT_KEEP ||
                       (runs && !failed && a->v[i].deferred && op->out->storage == NULL);
    if (runs) op->ran = true;
    op->leaves = !stays || (op->out->n_handles == 0 && !is_read[op->out->local]);
    for (int j = 0; j < op->n_in && !op->leaves; j++)
      if (op->in[j].region != NULL) is_read[op->in[j].region->local] = true;
  }
  tsr__window_remove(s->window);
}

/* An update of an array that is given up, with what reads or writes the array from then on. The
 * array keeps its values of before. */
typedef struct undone {
  const tsr_region *region; /* NULL: there is none */
  int32_t first;            /* op of the window */
} undone;

static bool reads(const tsr_op *op, const tsr_region *region)
{
  for (int j = 0; j < op->n_in; j++)
    if (op->in[j].region == region) return true;
  return false;
}

/* Drops the ops that read a poisoned value or what is undone, and poisons what they make. */
static void drop_lost(tsr_scheduler *s, undone u)
{
  tsr_window *w = s->window;
  bool any = false;
  for (int32_t i = 0; i < w->n_ops; i++) {
    tsr_op *op = w->ops[i];
    const bool is_after = u.region != NULL && i >= u.first;
    const bool is_undone = is_after && op->out == u.region;
    bool lost = op->out->poisoned || (op->follows > 0 && w->ops[i - op->follows]->leaves) ||
                is_undone || (is_after && reads(op, u.region));
    for (int j = 0; j < op->n_in; j++)
      if (op->in[j].region != NULL && op->in[j].region->poisoned) lost = true;
    for (int j = 1; op->call != NULL && j < op->call->form->n_stored; j++)
      if (w->ops[i + j]->out->poisoned) lost = true;
    if (!lost) continue;
    /* This holds for what existed, too: some of it was to be what is lost. */
    if (!is_undone) op->out->poisoned = s->any_poisoned = true;
    op->leaves = any = true;
  }
  if (any) tsr__window_remove(w);
}

/* Gives up an op: a value that it makes is lost, an array that it changes keeps its values. */
static void give_up_op(tsr_scheduler *s, int32_t i)
{
  tsr_op *const *ops = s->window->ops;
  tsr_region *out = ops[i]->out;
  undone u = {0};
  if (out->storage == NULL) {
    out->poisoned = s->any_poisoned = true;
  } else {
    TSR_ASSERT(ops[i]->follows == 0); /* calls of several outputs make new values only */
    u = (undone){out, i};
  }
  tsr__arena_reset(&s->arena);
  drop_lost(s, u);
}

static const tsr_location *first_call(const tsr_scheduler *s, const tsr_actions *a)
{
  int32_t i = 0;
  while (i < a->n - 1 && a->v[i].action != TSR_ACT_RUN) i++;
  return s->window->ops[i]->where;
}

/* Takes part in a plan that this rank cannot run. */
static void follow(tsr_plan *plan, const tsr_names *names, tsr_status status)
{
  tsr_binding bindings[TSR_MAX_PLACES];
  tsr__bind_nothing(plan, names, false, bindings);
  tsr__execute(plan, bindings, status);
  tsr__bind_commit(plan, bindings);
}

/* Notes that a device may still run the window's ops of a plan. */
static void note_running(tsr_scheduler *s, const tsr_actions *a)
{
  for (int32_t i = 0; i < a->n; i++) {
    const tsr_location *where = s->window->ops[i]->where;
    if (a->v[i].action != TSR_ACT_RUN || where == NULL || where->file == NULL) continue;
    if (s->running.first == NULL) s->running.first = where;
    s->running.last = where;
  }
}

/* A plan's run is over. Do devices go on with it? */
static void note_over(tsr_scheduler *s, const tsr_actions *a)
{
  const tsr_world *w = s->world;
  bool runs_on = false;
  for (int i = 0; i < w->n_places; i++)
    runs_on = runs_on || tsr__device_runs_on(w->places[i].device);
  if (runs_on)
    note_running(s, a);
  else
    s->running.first = s->running.last = NULL;
}

/* A device may have failed with the plan, or with those that ran on. */
static void note_lost_device(tsr_scheduler *s, const tsr_actions *a)
{
  const tsr_location *first = s->running.first, *last = s->running.last;
  note_running(s, a);
  if (tsr__note_lost_device(s)) return;
  s->running.first = first;
  s->running.last = last;
}

static void note_failed_run(tsr_scheduler *s, const tsr_actions *a, tsr_status status)
{
  if (status == TSR_ERR_DEVICE)
    note_lost_device(s, a);
  else if (status < 0)
    tsr__note_failure(s, status,
                      status == TSR_ERR_TASK       ? s->task_text.s
                      : status == TSR_ERR_DIVERGED ? "a message belongs to another call"
                                                   : "a rank sent a poisoned message");
}

/* Says once per plan which group runs where, and why. */
static void dump_sides(tsr_scheduler *s, const tsr_plan *plan, const tsr_binding *bindings)
{
  if (s->world->config.dump[0] == '\0') return;
  for (const tsr_plan *p = plan; p != NULL; p = p->beside)
    if (p->workspace == NULL)
      tsr__dump(s, p->here, "10-sides", "txt", tsr__place_text(p, &bindings[p->here]));
}

/* A failure that the other ranks do not see is no failure of this call, which must end alike on all
 * of them: it waits for the next agreement. A rank that is alone is told at once: nothing has run,
 * and s->failure is what it was. */
static tsr_status run_plan(tsr_scheduler *s, tsr_plan *plan, const tsr_actions *a,
                           const tsr_names *names)
{
  tsr_binding bindings[TSR_MAX_PLACES], *replay_check = NULL;
  tsr_status status, checked = TSR_OK;
  s->n_plans++;
  if (tsr__has_repeat(plan) && tsr__repeat(plan, s->window, names, &status)) {
    note_failed_run(s, a, status);
    s->next_tag += plan->n_tags;
    return TSR_OK;
  }
  if (s->world->config.replan) replay_check = tsr__replay_check_run(plan, names, &checked);
  status = s->failure;
  if (status == TSR_OK) status = tsr__bind(plan, s->window, names, false, bindings);
  if (status == TSR_ERR_MEMORY && s->failure == TSR_OK)
    note_lost_device(s, a); /* has none to give */
  if (status != TSR_OK) {
    if (replay_check != NULL) tsr__bind_drop(plan, replay_check);
    const bool is_alone = s->world->size == 1;
    if (is_alone && s->failure == TSR_OK) return status;
    tsr__note_no_space(s, plan, names, status);
    if (is_alone) {
      note_written(s, a); /* with what has failed before, which is told now */
      return tsr__agree(s, first_call(s, a));
    }
    follow(plan, names, status);
  } else {
    dump_sides(s, plan, bindings);
    status = tsr__execute(plan, bindings, TSR_OK);
    if (replay_check != NULL && status == TSR_OK)
      tsr__replay_check_compare(plan, replay_check, bindings);
    else if (replay_check != NULL)
      tsr__bind_drop(plan, replay_check);
    tsr__bind_commit(plan, bindings);
    /* a task that failed in one of the two runs has failed */
    note_failed_run(s, a, status == TSR_OK && checked == TSR_ERR_TASK ? checked : status);
    note_over(s, a);
  }
  s->next_tag += plan->n_tags;
  return TSR_OK;
}

#define LARGE_BYTES ((size_t)1 << 20)

static bool is_large(const tsr_region *r)
{
  return (size_t)r->n_elems * tsr__dtype_size(r->dtype) >= LARGE_BYTES;
}

/* Placement may want the device of TESSERA_DEVICE=auto once there are arrays for which its latency
 * is little: the same on every rank. Programs of small arrays never pay for it. */
static void want_costs(const tsr_scheduler *s)
{
  bool any = false;
  for (int32_t i = 0; s->world->costs_wait && !any && i < s->window->n_ops; i++) {
    const tsr_op *op = s->window->ops[i];
    any = is_large(op->out);
    for (int j = 0; j < op->n_in && !any; j++)
      any = op->in[j].region != NULL && is_large(op->in[j].region);
  }
  if (any) tsr__world_want_costs(s->world);
}

/* Plans the program of the window, whose ops are selected here. NULL: none of them runs. */
static tsr_plan *make_plan(tsr_scheduler *s, tsr_program *p)
{
  tsr__program_select(p, &s->arena);
  if (!tsr__program_runs(p)) return NULL;
  want_costs(s);
  if (s->world->config.dump[0] != '\0') {
    tsr__dump(s, 0, "1-window", "txt", tsr__window_text(s->window));
    tsr__dump(s, 0, "2-select", "txt", tsr__program_text(p));
  }
  return tsr__plan_create(s, p);
}

/* TESSERA_REPLAN plans every window again and compares, debug builds one hit in 16. */
static void replan_if_due(tsr_scheduler *s, const tsr_names *names, const tsr_region *target,
                          bool everything, const tsr_plan *plan, bool hit)
{
  bool due = hit && s->counters.n_plan_hits % 16 == 0;
#ifdef NDEBUG
  due = false;
#endif
  if (plan == NULL || names->shift != NULL || !(due || s->world->config.replan)) return;
  tsr_program fresh;
  tsr__program_capture(s->window, names, target, everything, &s->arena, &fresh);
  tsr__program_select(&fresh, &s->arena);
  tsr__replan_check(s, &fresh, plan);
  tsr__program_drop(&fresh);
}

/* Ends a flush after which nothing can run any more. */
static tsr_status give_up(tsr_scheduler *s)
{
  tsr_window *w = s->window;
  for (int32_t i = 0; i < w->n_ops; i++) w->ops[i]->out->poisoned = w->ops[i]->leaves = true;
  tsr__window_remove(w);
  return TSR_ERR_DIVERGED;
}

/* Ends a flush after a device of some rank was lost: what it would have changed stays. */
static tsr_status refuse_flush(tsr_scheduler *s)
{
  tsr_window *w = s->window;
  const tsr_location *where = w->ops[0]->where;
  for (int32_t i = 0; i < w->n_ops; i++) {
    tsr_region *out = w->ops[i]->out;
    if (out->storage == NULL) out->poisoned = s->any_poisoned = true;
    w->ops[i]->leaves = true;
  }
  tsr_error *e = &s->world->error;
  if (e->status == TSR_OK) {
    tsr__error_begin(e, TSR_ERR_DEVICE, where, "a device failed before, and nothing runs any more");
    tsr__error_help(e, "read what was on the host, and end the program");
  }
  tsr__window_remove(w);
  return TSR_ERR_DEVICE;
}

/* Plans the window, and remembers its plan unless that is off: then *once has what becomes of the
 * ops, and the caller has the plan. Returns what becomes of them. */
static const tsr_actions *plan_anew(tsr_scheduler *s, const tsr_region *target, bool everything,
                                    const tsr_names *names, tsr_plan **plan, tsr_actions *once)
{
  tsr_program p;
  tsr__program_capture(s->window, names, target, everything, &s->arena, &p);
  *plan = make_plan(s, &p);
  if (s->world->config.memo) return tsr__memo_add(s, &p, *plan);
  *once = tsr__program_actions(&p, &s->arena);
  tsr__program_drop(&p);
  return once;
}

/* Tries to flush once. *too_large: the op that must be given up before the rest can run, or -1. */
static tsr_status flush_once(tsr_scheduler *s, tsr_region *target, bool everything,
                             int32_t *too_large)
{
  tsr_names names;
  tsr_actions once; /* where no plans are remembered */
  tsr_plan *plan = NULL;
  const bool memo = s->world->config.memo;
  *too_large = -1;
  tsr__number_regions(s->window, &names, &s->arena);
  const tsr_actions *a = memo ? tsr__memo_find(s, target, everything, &names, &plan) : NULL;
  const bool hit = a != NULL;
  if (!hit) a = plan_anew(s, target, everything, &names, &plan, &once);
  replan_if_due(s, &names, target, everything, plan, hit);
  tsr_status status = TSR_OK;
  if (plan != NULL) {
    count_plan(s, plan);
    const bool is_over = is_over_limit(s, plan), was_well = s->failure == TSR_OK;
    status = is_over ? TSR_ERR_MEMORY : run_plan(s, plan, a, &names);
    if (is_over || (status < 0 && was_well && !s->has_lost_devices)) {
      const tsr_given_up lost = tsr__largest_user(plan, s->window, a);
      *too_large = lost.op;
      status = tsr__say_no_memory(s, plan, &names, lost, is_over ? tsr__world_limit(s->world) : 0);
    }
    if (status < 0 && *too_large < 0) poison_results(s, a);
  }
  if (*too_large < 0) remove_finished(s, a, &names, status < 0);
  if (!memo) tsr__plan_destroy(plan);
  return status;
}

/* Sweeps layouts that nobody has: a program of ever new shapes makes ever new layouts. Between
 * flushes, arrays have some (by their storage and ghosts), and so have remembered plans. No
 * decision follows from what is in the table. */
static void sweep_layouts(tsr_scheduler *s)
{
  if (tsr__layouts_held(s->layouts) < s->most_layouts) return;
  tsr__memo_keep_layouts(s->memo, s->layouts);
  for (const tsr_region *r = s->window->regions; r != NULL; r = r->next) {
    if (r->storage == NULL) continue;
    tsr__layouts_keep(s->layouts, r->storage->layout);
    tsr__ghosts_keep_layouts(&r->storage->ghosts, s->layouts);
  }
  tsr__layouts_sweep(s->layouts);
  const uint32_t n = tsr__layouts_held(s->layouts);
  s->most_layouts = n > TSR_MOST_LAYOUTS / 2 ? 2 * n : TSR_MOST_LAYOUTS;
}

static tsr_status flush_window(tsr_scheduler *s, tsr_region *target, bool everything)
{
  tsr_window *w = s->window;
  if (w->n_ops == 0) return TSR_OK;
  tsr__arena_reset(&s->arena);
  if (s->diverged) return give_up(s);
  if (s->has_lost_devices) return refuse_flush(s);
  if (s->any_poisoned) drop_lost(s, (undone){0});
  if (w->n_ops == 0) return TSR_OK;
  s->counters.n_flushes++;
  sweep_layouts(s);
  int32_t too_large;
  tsr__range_window(s->world, w->ops[w->n_ops - 1]->where);
  tsr_status first = flush_once(s, target, everything, &too_large);
  while (too_large >= 0) {
    give_up_op(s, too_large);
    if (w->n_ops == 0) break;
    tsr_status next = flush_once(s, target, everything, &too_large);
    if (first == TSR_OK) first = next;
  }
  tsr__range_end(s->world);
  return first;
}

tsr_status tsr__flush_for(tsr_scheduler *s, tsr_region *target, bool everything)
{
  const tsr_status status = flush_window(s, target, everything);
  s->n_deferred = s->window->n_ops;
  s->in_use_flushed = s->agreed_in_use;
  return status;
}

tsr_status tsr__flush(tsr_scheduler *s, bool everything)
{
  return tsr__flush_for(s, NULL, everything);
}

/* May the window's steps be tiled over time? One more than are counted, since the first write of an
 * array is one, too. */
static bool may_tile_steps(const tsr_scheduler *s)
{
  const int64_t asked = s->world->config.time_steps;
  return asked > 1 ||
         (asked == 0 && tsr__reduces_seldom(s->window->n_steps + 1, s->window->n_reduced));
}

/* How many ops wait before an assignment flushes. More of them where they are steps over a large
 * array, which are tiled over time, or share an exchange of ghosts: the more steps a window has,
 * the more of them can be. But arrays that come from outside are there until what reads them has
 * run, so where some did the window is no longer. It follows from the op stream and agreed numbers
 * alone. */
static int64_t most_ops(const tsr_scheduler *s)
{
  enum { MORE = 8 };
  const tsr_config *config = &s->world->config;
  const int64_t most = config->window_ops, cap = config->window_cap;
  const bool shares_exchanges = tsr__world_n_places(s->world) > 1 && config->halo_steps != 1;
  if (!s->window->steps_over_much || !tsr__world_is_host(s->world) || most > cap ||
      s->agreed_in_use > s->in_use_flushed || (!may_tile_steps(s) && !shares_exchanges))
    return most;
  return MORE * most < cap ? MORE * most : cap;
}

/* The cap, and an eighth more within a statement, which ends before the window does: its temporaries
 * would be stored otherwise. */
static int64_t cap_at(const tsr_scheduler *s, tsr_flush_place place)
{
  const int64_t cap = s->world->config.window_cap;
  return place == TSR_FLUSH_IN_STATEMENT ? cap + cap / 8 : cap;
}

/* How many ops wait before the window runs there. Between two boundaries deferred values are more
 * often than not those of an expression that is being recorded: storing them cuts it, so there is
 * space for as many again. */
static int64_t most_ops_at(const tsr_scheduler *s, tsr_flush_place place)
{
  const int64_t cap = s->world->config.window_cap;
  if (place == TSR_FLUSH_AT_BOUNDARY) return most_ops(s);
  return cap_at(s, place) + (s->n_deferred < cap ? s->n_deferred : cap);
}

tsr_status tsr__flush_if_due(tsr_scheduler *s, tsr_flush_place place)
{
  const tsr_config *config = &s->world->config;
  const bool at_boundary = place == TSR_FLUSH_AT_BOUNDARY;
  const int64_t n = s->window->n_ops;
  if (config->inorder) return tsr__flush(s, true);
  if (at_boundary && n < config->window_ops) return TSR_OK; /* most_ops is never less */
  if (n < most_ops_at(s, place)) return TSR_OK;
  /* Deferred values that pile up are stored, so that the window does not stay full. */
  const int64_t most_deferred = at_boundary ? config->window_ops / 2 : cap_at(s, place);
  TSR_TRY(tsr__flush(s, false));
  return s->n_deferred > most_deferred ? tsr__flush(s, true) : TSR_OK;
}
