/* Flushing: select, plan, bind, run, commit. The caller runs the plan to its end, as one of the
 * workers; what the window's ops left behind is stored, a deferred value, or gone. */
#include "scheduler/flush.h"
#include "scheduler/plan/gathers.h"
#include "scheduler/run/stream_stores.h"
#include "scheduler/memo.h"
#include "scheduler/memory/holders.h"
#include "scheduler/memory/residency.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"
#include "scheduler/run/execute.h"
#include "scheduler/run/pack.h"
#include "scheduler/run/replay_check.h"
#include "scheduler/run/streaming.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Layouts in the table before those that nobody has any more are swept: some MB. */
enum { LAYOUTS_KEPT = 4096 };

static void release_storage(tsr_region *r)
{
  tsr__storage_release(r->storage);
  r->storage = NULL;
}

static void describe_storage(const tsr_region *r, tsr_arena *arena, tsr_stored *out)
{
  const tsr_storage *storage = r->storage;
  const int n_places = storage->scheduler->world->n_places;
  tsr_extent *extents = tsr__arena_alloc(arena, (size_t)n_places * sizeof *extents);
  for (int i = 0; i < n_places; i++)
    extents[i] = (tsr_extent){storage->instance[i].alloc, storage->instance[i].aligned};
  *out = (tsr_stored){.layout = storage->layout, .extents = extents};
  tsr__ghosts_copy(&out->ghosts, &storage->ghosts);
}

int tsr__n_lanes(const tsr_scheduler *s)
{
  const int n_queues = tsr__world_is_host(s->world) ? 0 : s->world->n_places;
  return s->world->machine->n_threads + n_queues;
}

tsr_scheduler *tsr__scheduler_create(tsr_window *window)
{
  tsr_scheduler *s = tsr__calloc(1, sizeof *s);
  s->window = window;
  s->world = window->world;
  s->layouts = tsr__layouts_create(tsr__world_n_places(s->world), s->world->n_places);
  s->most_layouts = LAYOUTS_KEPT;
  s->jit = tsr__jit_of(s->world->machine);
  size_t n = (size_t)tsr__n_lanes(s);
  s->scratch = tsr__calloc(n, sizeof *s->scratch);
  s->scratch_bytes = tsr__calloc(n, sizeof *s->scratch_bytes);
  s->stream_stores = tsr__calloc(2, sizeof *s->stream_stores);
  s->near = tsr__calloc(TSR_NEAR_KEPT, sizeof *s->near);
  window->release_storage = release_storage;
  window->describe_storage = describe_storage;
  return s;
}

void tsr__scheduler_destroy(tsr_scheduler *s)
{
  if (s == NULL) return;
  for (int i = 0; i < tsr__n_lanes(s); i++) free(s->scratch[i]);
  free(s->scratch);
  free(s->stream_stores);
  free(s->near);
  free(s->scratch_bytes);
  for (int i = 0; i < s->world->n_places; i++) tsr__streaming_destroy(s, i);
  tsr__pack_destroy(s);
  tsr__residency_destroy(s);
  tsr__storages_free(s);
  tsr__layouts_destroy(s->layouts);
  tsr__memo_dump(s);
  tsr__memo_destroy(s);
  tsr__arena_destroy(&s->arena);
  tsr__blocks_free(&s->blocks);
  tsr__text_free(&s->failure_text);
  tsr__text_free(&s->task_text);
  free(s);
}

const tsr_counters *tsr__scheduler_counters(const tsr_scheduler *s)
{
  return &s->counters;
}

uint32_t tsr__scheduler_layouts(const tsr_scheduler *s)
{
  return tsr__layouts_held(s->layouts);
}

uint64_t tsr__scheduler_lookups(const tsr_scheduler *s)
{
  return s->counters.n_lookups + tsr__layouts_lookups(s->layouts);
}

/* The first failure to write is reported for all that follow, since who debugs by dumps has
 * hundreds of them. */
static void note_dump(tsr_scheduler *s, const char *what, const char *path, int error)
{
  if (s->was_dump_noted) return;
  s->was_dump_noted = true;
  tsr__log(s->world, 0, "TESSERA_DUMP: cannot %s %s: %s (said once)", what, path, strerror(error));
}

void tsr__dump(tsr_scheduler *s, int here, const char *name, const char *suffix, char *text)
{
  if (s->world->config.dump[0] != '\0' && text != NULL) {
    char path[512], place[32] = "";
    if (here > 0) snprintf(place, sizeof place, ".place%d", here);
    if (mkdir(s->world->config.dump, 0777) != 0 && errno != EEXIST)
      note_dump(s, "make", s->world->config.dump, errno);
    snprintf(path, sizeof path, "%s/%04llu-%s.rank%d%s.%s", s->world->config.dump,
             (unsigned long long)s->counters.n_flushes, name, s->world->rank, place, suffix);
    FILE *f = fopen(path, "w");
    if (f == NULL) {
      note_dump(s, "write", path, errno);
    } else {
      const bool is_cut = fputs(text, f) == EOF;
      if (fclose(f) != 0 || is_cut) note_dump(s, "write", path, errno);
    }
  }
  free(text);
}

void tsr__note_failure(tsr_scheduler *s, tsr_status status, const char *text)
{
  if (s->failure < 0) return;
  s->failure = status;
  s->failed_plan = s->n_plans;
  tsr__text_add(&s->failure_text, "%s", text);
}

void tsr__note_no_memory(tsr_scheduler *s, const tsr_region *region, const char *what, size_t bytes)
{
  tsr_text text = {0};
  char shape[200];
  tsr__text_add(&text, "no memory for %s: %s of %s %s", what, tsr__bytes_text(bytes).s,
                tsr__shape_text(region->ndim, region->shape, shape, sizeof shape),
                tsr__dtype_info(region->dtype)->name);
  if (s->world->files != NULL)
    tsr__text_add(&text, "; nor has the TESSERA_SPILL_DIR %s room for them",
                  s->world->config.spill_dir);
  tsr__note_failure(s, TSR_ERR_MEMORY, text.s);
  tsr__text_free(&text);
}

static void count_plan(tsr_scheduler *s, const tsr_plan *plan)
{
  if (plan->beside != NULL) count_plan(s, plan->beside);
  tsr_counters *c = &s->counters;
  c->n_tasks += (uint64_t)plan->n_tasks;
  c->n_inline_plans += plan->in_line;
  for (int32_t i = 0; i < plan->n_messages; i++)
    if (plan->messages[i].send) {
      c->n_messages++;
      c->n_messages_within +=
          tsr__world_rank_of(s->world, plan->messages[i].peer) == s->world->rank;
      c->bytes_sent += plan->messages[i].bytes;
    }
  if (plan->here > 0) return; /* the rest is the same for each place */
  c->n_groups += (uint64_t)plan->n_groups;
  c->n_transient += (uint64_t)plan->n_transient;
  c->n_recomputed += (uint64_t)plan->n_recomputed;
  c->n_renamed += (uint64_t)plan->n_renamed;
  c->n_in_place += (uint64_t)plan->n_in_place;
  for (int32_t i = 0; i < plan->n_groups; i++) {
    const tsr_group *g = &plan->groups[i];
    c->n_ops += (uint64_t)g->n_ops;
    if (g->n_ops > 1) c->n_fused_ops += (uint64_t)g->n_ops;
    if (g->cut->replicated)
      c->n_replicated++;
    else if (plan->n_places > 1)
      c->n_distributed++;
  }
}

/* The largest new value of a plan; NULL if there is none. */
static tsr_region *largest_new(const tsr_plan *plan, const tsr_names *names, size_t *bytes)
{
  size_t most = 0;
  tsr_region *largest = NULL;
  for (int32_t i = 0; i < plan->n_slots; i++) {
    const tsr_plan_slot *slot = &plan->slots[i];
    if (slot->existing || slot->region >= names->n_regions || slot->agreed_bytes <= most) continue;
    if (names->regions[slot->region]->storage != NULL) continue;
    most = slot->agreed_bytes;
    largest = names->regions[slot->region];
  }
  *bytes = most;
  return largest;
}

/* The op of the first group that needs the largest buffer, for plans that make no new value. */
static const tsr_location *largest_user(const tsr_scheduler *s, const tsr_plan *plan)
{
  size_t most = 0;
  int32_t worst = 0;
  for (int32_t i = 0; i < plan->n_slots; i++)
    if (!plan->slots[i].existing && plan->slots[i].agreed_bytes > most) {
      most = plan->slots[i].agreed_bytes;
      worst = plan->slots[i].first_group;
    }
  int32_t op = plan->groups[worst].ops[0].op;
  for (int32_t i = 0; i < plan->n_gathers; i++)
    if (plan->gathers[i].bytes > most) {
      most = plan->gathers[i].bytes;
      op = plan->gathers[i].op;
    }
  return s->window->ops[op]->where;
}

/* Is the plan over the agreed limit? All ranks find the same answer, before anything has run. */
static bool is_over_limit(const tsr_scheduler *s, const tsr_plan *plan)
{
  const size_t limit = tsr__world_limit(s->world);
  return limit != 0 && s->agreed_in_use + plan->agreed_new_bytes > limit;
}

/* Says why the devices' memory is of no use. */
static bool refused_text(const tsr_scheduler *s, const tsr_plan *plan, char *buf, size_t size)
{
  const size_t bytes = tsr__refused_bytes(plan);
  if (bytes == 0) return false;
  snprintf(buf, size,
           "%s of it must be the host's, whose limit is %s (TESSERA_MEMORY): `%s` does "
           "not run all of it",
           tsr__bytes_text(bytes).s, tsr__bytes_text(tsr__memory_limit(s->world->staging)).s,
           s->world->config.device);
  return true;
}

/* Names the value that is given up (NULL: all that was to run) and who holds memory. limit: the
 * agreed limit; 0: this rank alone found no room. */
static tsr_status say_no_room(tsr_scheduler *s, const tsr_plan *plan, const tsr_names *names,
                              const tsr_region *lost, size_t lost_bytes, size_t limit)
{
  char shape[200], most[80] = "which no memory has";
  const char *files = s->world->files != NULL ? s->world->config.spill_dir : NULL;
  tsr_error *e = &s->world->error;
  if (e->status < 0) {
    if (e->status == TSR_ERR_MEMORY && lost != NULL && lost->made != NULL)
      tsr__error_note(e, "lost, too: %s %s, of %s:%d by %s",
                      tsr__shape_text(lost->ndim, lost->shape, shape, sizeof shape),
                      tsr__dtype_info(lost->dtype)->name, lost->made->file, lost->made->line,
                      lost->made->op);
    return TSR_ERR_MEMORY;
  }
  const tsr_location *where = lost != NULL ? lost->made : largest_user(s, plan);
  const size_t bytes = lost != NULL ? lost_bytes : plan->agreed_new_bytes;
  if (limit > 0) snprintf(most, sizeof most, "the limit is %s", tsr__bytes_text(limit).s);
  tsr__error_begin(e, TSR_ERR_MEMORY, where, "out of memory: `%s` needs %s more per %s, %s",
                   where != NULL ? where->op : "?", tsr__bytes_text(bytes).s,
                   s->world->n_places > 1 ? "place" : "rank", most);
  tsr__error_note(e, "%s are in use, what was recorded needs %s more in all",
                  tsr__bytes_text(s->agreed_in_use).s, tsr__bytes_text(plan->agreed_new_bytes).s);
  char refused[160];
  if (limit == 0 && refused_text(s, plan, refused, sizeof refused))
    tsr__error_note(e, "%s", refused);
  if (files != NULL) tsr__error_note(e, "nor has the TESSERA_SPILL_DIR %s room for it", files);
  tsr__say_who_holds(s, plan, names, (limit > 0 ? limit : s->agreed_in_use) / 16);
  tsr__error_rule(e, "only what it would have made, and what is computed from that, is lost");
  tsr__error_help(e, "release arrays, run on more ranks, raise TESSERA_MEMORY%s, or %s",
                  tsr__world_is_host(s->world) ? "" : " or TESSERA_DEVICE_MEMORY",
                  files != NULL ? "make room in that directory"
                                : "let files have the rest: TESSERA_SPILL_DIR");
  return TSR_ERR_MEMORY;
}

/* Gives up the ops that were to run: the values that they would have made are poisoned, what they
 * would have changed stays. */
static void poison_results(tsr_scheduler *s, const tsr_program *p)
{
  TSR_ASSERT(p->n_ops == s->window->n_ops);
  for (int32_t i = 0; i < p->n_ops; i++) {
    tsr_region *out = s->window->ops[i]->out;
    if (p->ops[i].action == TSR_ACT_RUN && out->storage == NULL) out->poisoned = true;
  }
  s->any_poisoned = true;
}

static void remove_finished(tsr_scheduler *s, const tsr_program *p, bool failed)
{
  TSR_ASSERT(p->n_ops == s->window->n_ops);
  bool *drop = tsr__arena_calloc(&s->arena, (size_t)p->n_ops + 1, sizeof *drop);
  for (int32_t i = 0; i < p->n_ops; i++) {
    tsr_op *op = s->window->ops[i];
    const bool runs = p->ops[i].action == TSR_ACT_RUN;
    const bool keep = p->ops[i].action == TSR_ACT_KEEP ||
                      (runs && !failed && p->ops[i].deferred && op->out->storage == NULL);
    if (runs) op->ran = true;
    if (runs && !failed && op->out->storage != NULL) op->out->storage->written = s->n_plans;
    drop[i] = !keep;
  }
  tsr__window_remove(s->window, drop);
}

/* Drops the ops that read a poisoned value, and poisons what they make. */
static void drop_poisoned(tsr_scheduler *s)
{
  tsr_window *w = s->window;
  bool *drop = tsr__arena_calloc(&s->arena, (size_t)w->n_ops + 1, sizeof *drop), any = false;
  for (int32_t i = 0; i < w->n_ops; i++) {
    tsr_op *op = w->ops[i];
    bool lost = op->out->poisoned || (op->follows > 0 && drop[i - op->follows]);
    for (int j = 0; j < op->n_in; j++)
      if (op->in[j].region != NULL && op->in[j].region->poisoned) lost = true;
    for (int j = 1; op->call != NULL && j < op->call->n_stored; j++)
      if (w->ops[i + j]->out->poisoned) lost = true;
    if (!lost) continue;
    /* This holds for what existed, too: a part of it was to be what is lost. */
    op->out->poisoned = true;
    drop[i] = any = true;
  }
  if (any) tsr__window_remove(w, drop);
}

static const tsr_location *first_call(const tsr_scheduler *s, const tsr_program *p)
{
  int32_t i = 0;
  while (i < p->n_ops - 1 && p->ops[i].action != TSR_ACT_RUN) i++;
  return s->window->ops[i]->where;
}

static void note_no_room(tsr_scheduler *s, const tsr_plan *plan, tsr_status status)
{
  tsr_text text = {0};
  tsr__text_add(&text, "the memory limit or the system refuses the buffers of this plan, %s",
                tsr__bytes_text(plan->agreed_new_bytes).s);
  char refused[160];
  if (refused_text(s, plan, refused, sizeof refused)) tsr__text_add(&text, "; %s", refused);
  if (s->world->files != NULL)
    tsr__text_add(&text, "; nor has the TESSERA_SPILL_DIR %s room for them",
                  s->world->config.spill_dir);
  tsr__note_failure(s, status, text.s);
  tsr__text_free(&text);
}

/* Takes part in a plan that this rank cannot run. */
static void follow(tsr_plan *plan, const tsr_names *names, tsr_status status)
{
  tsr_binding bindings[TSR_MAX_PLACES];
  tsr__bind_nothing(plan, names, false, bindings);
  tsr__execute(plan, bindings, status);
  tsr__bind_commit(plan, bindings);
}

tsr_status tsr__exchange_halo(tsr_scheduler *s, tsr_region *region, const int64_t *expand)
{
  tsr__arena_reset(&s->arena); /* as a flush does */
  tsr_plan *plan = tsr__plan_create_halo(s, region, expand);
  const tsr_names names = {.n_regions = 1, .regions = &region};
  tsr_binding bindings[TSR_MAX_PLACES];
  s->n_plans++;
  tsr_status status = s->failure;
  if (status == TSR_OK) status = tsr__bind(plan, s->window, &names, false, bindings);
  if (status < 0) {
    tsr__note_no_memory(s, region, "the halo of a lent tile", plan->agreed_new_bytes);
    follow(plan, &names, status);
  } else {
    status = tsr__execute(plan, bindings, TSR_OK);
    if (status < 0) tsr__note_failure(s, status, "the halo of a lent tile did not arrive");
    tsr__bind_commit(plan, bindings);
  }
  s->next_tag += plan->n_tags;
  tsr__plan_destroy(plan);
  return status;
}

/* A failure that the other ranks do not see is no failure of this call, which must end alike on all
 * of them: it waits for the next agreement. A rank that is alone is told at once: nothing has run,
 * and s->failure is what it was. */
static tsr_status run_plan(tsr_scheduler *s, tsr_plan *plan, const tsr_program *p,
                           const tsr_names *names)
{
  tsr_binding bindings[TSR_MAX_PLACES], *replay_check = NULL;
  s->n_plans++;
  if (s->world->config.replan) replay_check = tsr__replay_check_run(plan, names);
  tsr_status status = s->failure;
  if (status == TSR_OK) status = tsr__bind(plan, s->window, names, false, bindings);
  if (status != TSR_OK) {
    if (replay_check != NULL) tsr__bind_drop(plan, replay_check);
    const bool is_alone = s->world->size == 1;
    if (is_alone && s->failure == TSR_OK) return status;
    note_no_room(s, plan, status);
    if (is_alone) return tsr__agree(s, first_call(s, p));
    follow(plan, names, status);
  } else {
    status = tsr__execute(plan, bindings, TSR_OK);
    if (replay_check != NULL && status == TSR_OK)
      tsr__replay_check_compare(plan, replay_check, bindings);
    else if (replay_check != NULL)
      tsr__bind_drop(plan, replay_check);
    tsr__bind_commit(plan, bindings);
    if (status < 0)
      tsr__note_failure(s, status,
                        status == TSR_ERR_TASK       ? s->task_text.s
                        : status == TSR_ERR_DIVERGED ? "a message belongs to another call"
                                                     : "a rank sent a poisoned message");
  }
  s->next_tag += plan->n_tags;
  return TSR_OK;
}

/* Plans the program of the window, whose ops are selected here. NULL: none of them runs. */
static tsr_plan *make_plan(tsr_scheduler *s, tsr_program *p)
{
  tsr__program_select(p, &s->arena);
  if (!tsr__program_runs(p)) return NULL;
  if (s->world->config.dump[0] != '\0') {
    tsr__dump(s, 0, "1-window", "txt", tsr__window_text(s->window));
    tsr__dump(s, 0, "2-select", "txt", tsr__program_text(p));
  }
  return tsr__plan_create(s, p);
}

/* TESSERA_REPLAN plans every window again and compares, debug builds one hit in 16. */
static void doubt(tsr_scheduler *s, const tsr_names *names, const tsr_region *target,
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
  bool *drop = tsr__arena_calloc(&s->arena, (size_t)w->n_ops + 1, sizeof *drop);
  for (int32_t i = 0; i < w->n_ops; i++) {
    w->ops[i]->out->poisoned = true;
    drop[i] = true;
  }
  tsr__window_remove(w, drop);
  return TSR_ERR_DIVERGED;
}

/* Tries to flush once. *too_large: the new value that must be given up before the rest can run, or
 * NULL. */
static tsr_status flush_once(tsr_scheduler *s, tsr_region *target, bool everything,
                             tsr_region **too_large)
{
  tsr_names names;
  tsr_program once; /* where no plans are remembered */
  tsr_plan *plan = NULL;
  const bool memo = s->world->config.memo;
  *too_large = NULL;
  tsr__number_regions(s->window, &names, &s->arena);
  const tsr_program *p = memo ? tsr__memo_find(s, target, everything, &names, &plan) : NULL;
  const bool hit = p != NULL;
  if (!hit) {
    tsr_arena *arena = &s->arena;
    tsr_program *fresh = memo ? tsr__memo_add(s, &arena) : &once;
    tsr__program_capture(s->window, &names, target, everything, arena, fresh);
    plan = make_plan(s, fresh);
    if (memo) tsr__memo_set_plan(s, plan);
    p = fresh;
  }
  doubt(s, &names, target, everything, plan, hit);
  tsr_status status = TSR_OK;
  if (plan != NULL) {
    count_plan(s, plan);
    const bool is_over = is_over_limit(s, plan), was_well = s->failure == TSR_OK;
    status = is_over ? TSR_ERR_MEMORY : run_plan(s, plan, p, &names);
    if (is_over || (status < 0 && was_well)) {
      size_t bytes;
      *too_large = largest_new(plan, &names, &bytes);
      status =
          say_no_room(s, plan, &names, *too_large, bytes, is_over ? tsr__world_limit(s->world) : 0);
    }
    if (status < 0 && *too_large == NULL) poison_results(s, p);
  }
  if (*too_large == NULL) remove_finished(s, p, status < 0);
  if (!memo) {
    tsr__plan_destroy(plan);
    tsr__program_drop(&once);
  }
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
  s->most_layouts = n > LAYOUTS_KEPT / 2 ? 2 * n : LAYOUTS_KEPT;
}

tsr_status tsr__flush_for(tsr_scheduler *s, tsr_region *target, bool everything)
{
  tsr_window *w = s->window;
  if (w->n_ops == 0) return TSR_OK;
  tsr__arena_reset(&s->arena);
  if (s->diverged) return give_up(s);
  if (s->any_poisoned) drop_poisoned(s);
  if (w->n_ops == 0) return TSR_OK;
  s->counters.n_flushes++;
  sweep_layouts(s);
  tsr_region *too_large;
  tsr_status first = flush_once(s, target, everything, &too_large);
  while (too_large != NULL) {
    too_large->poisoned = s->any_poisoned = true;
    tsr__arena_reset(&s->arena);
    drop_poisoned(s);
    if (w->n_ops == 0) break;
    tsr_status next = flush_once(s, target, everything, &too_large);
    if (first == TSR_OK) first = next;
  }
  return first;
}

tsr_status tsr__flush(tsr_scheduler *s, bool everything)
{
  return tsr__flush_for(s, NULL, everything);
}

tsr_status tsr__flush_if_due(tsr_scheduler *s, bool at_boundary)
{
  const tsr_config *config = &s->world->config;
  int64_t n = s->window->n_ops;
  if (config->inorder) return tsr__flush(s, true);
  int64_t most = at_boundary ? config->window_ops : config->window_cap;
  if (n < most) return TSR_OK;
  TSR_TRY(tsr__flush(s, false));
  /* Deferred values that pile up are stored, so that the window does not stay full. */
  return s->window->n_ops > most / 2 ? tsr__flush(s, true) : TSR_OK;
}
