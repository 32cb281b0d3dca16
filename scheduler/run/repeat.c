/* Repeats: what binding, running and committing a small plan come to is found out once and kept as
 * three lists: the buffers, the tasks, and what regions take over. A repeat goes through these
 * lists.
 *
 * Noted are plans in line at the only place of a rank whose memory is the host's and whose arrays
 * do not leave it: nothing of such a plan depends on what is in memory, where, or how fast anything
 * was. Their tasks are replays of compiled runs (chunk.c), parts of reductions, and library
 * tasks, of which the latter two run as in any other run. A repeat leaves everything as such a run
 * does. */
#include "scheduler/run/repeat.h"
#include "scheduler/run/bind.h"
#include "scheduler/run/chunk.h"
#include "scheduler/run/reduce.h"
#include "scheduler/run/task.h"

/* A buffer of the plan: an array's memory, or a block of its own. */
typedef struct repeat_buffer {
  size_t bytes; /* to allocate */
  tsr_pitch pitch;
  int32_t region; /* whose memory it is; -1: it is allocated */
  bool is_freed;  /* at the end, as no region takes it over */
} repeat_buffer;

/* What a repeat does in place of a task. */
typedef struct repeat_step {
  /* of its compiled run; NULL: it runs as a task */
  const tsr_chunk_replay *replay;
  int32_t task;
  bool is_whole; /* a chunk, with which its reductions are over */
} repeat_step;

/** A buffer's memory in one repeat. */
typedef struct repeat_memory {
  void *data;
  size_t bytes; /* that it was allocated with */
} repeat_memory;

struct tsr_repeat {
  uint32_t edition; /* of the plan */
  int32_t n_buffers, n_steps, n_slots;
  repeat_buffer *buffers;
  repeat_step *steps; /* [n_steps] of the tasks, in their order */
  int32_t *buffer_of; /* [n_slots] */
  int32_t n_final;
  int32_t *final; /* the slots that regions take over */
  tsr_memory *memory;
};

/* The replay of a task, which is all of the task; NULL: there is none. */
static const tsr_chunk_replay *replay_of(const tsr_plan *plan, int32_t task)
{
  tsr_chunk_replay *const *replay = plan->workspace->replays;
  const tsr_task *t = &plan->tasks[task];
  if (replay == NULL || t->kind != TSR_TASK_CHUNK) return NULL;
  return plan->groups[t->group].accesses.n_reductions == 0 ? replay[t->group] : NULL;
}

/* Will the next run of the task differ from the last one in addresses and scalars only? A kernel
 * that only stores is waited for until it has a replay. */
static bool is_settled(const tsr_plan *plan, int32_t task)
{
  const tsr_task *t = &plan->tasks[task];
  const tsr_chunk_replay *replay = replay_of(plan, task);
  if (replay != NULL) return tsr__replay_can_run(replay->run);
  if (t->kind != TSR_TASK_CHUNK)
    return t->kind == TSR_TASK_NONE || t->kind == TSR_TASK_REDUCE ||
           t->kind == TSR_TASK_REDUCE_DONE;
  const tsr_group *g = &plan->groups[t->group];
  return !g->is_user && (g->is_task || g->accesses.n_reductions > 0);
}

static bool are_all_settled(const tsr_plan *plan)
{
  if (plan->workspace->n_runs == 1 || plan->edition > 0) return false;
  for (int32_t i = 0; i < plan->n_tasks; i++)
    if (!is_settled(plan, i)) return false;
  return plan->n_tasks > 0;
}

/* Does the plan have arrays of the host's that lie as it wants them, and nothing else? */
static bool is_plain_run(const tsr_run *run)
{
  const tsr_plan *plan = run->plan;
  const tsr_scheduler *s = plan->scheduler;
  const tsr_binding *b = run->binding;
  if (run->device != NULL || run->shift_bytes != 0 || s->world->n_places > 1 ||
      plan->clusters != NULL || plan->n_copies > 0 || plan->n_messages > 0 || b->any_spilled ||
      b->replay_check || b->is_empty || tsr__residency_has_other(s))
    return false;
  for (int32_t i = 0; i < plan->n_slots; i++)
    if (plan->slots[i].gathered || b->may_grow[i]) return false;
  return true;
}

/* Notes what is to be done for the tasks. Where a chunk computes whole reductions, nothing is left
 * to do for their ends. */
static void note_steps(tsr_plan *plan, tsr_repeat *r)
{
  r->steps = tsr__arena_alloc(&plan->arena, (size_t)plan->n_tasks * sizeof *r->steps);
  for (int32_t i = 0; i < plan->n_tasks; i++) {
    const tsr_task *t = &plan->tasks[i];
    const bool is_chunk = t->kind == TSR_TASK_CHUNK, is_none = t->kind == TSR_TASK_NONE;
    const bool is_end = !is_chunk && !is_none;
    const int32_t group = is_chunk ? t->group : is_end ? plan->reductions[t->what].group : -1;
    const bool is_whole = !is_none && tsr__reductions_are_whole(plan, group);
    if (is_none || (is_end && is_whole)) continue;
    const repeat_step step = {replay_of(plan, i), i, is_whole};
    r->steps[r->n_steps++] = step;
  }
}

void tsr__repeat_note(const tsr_run *run)
{
  tsr_plan *plan = run->plan;
  tsr_workspace *w = plan->workspace;
  if (w->repeat != NULL || !are_all_settled(plan) || !is_plain_run(run)) return;
  tsr_repeat *r = w->repeat = tsr__arena_alloc(&plan->arena, sizeof *r);
  *r = (tsr_repeat){.edition = plan->edition,
                    .n_buffers = plan->n_buffers,
                    .n_slots = plan->n_slots,
                    .memory = tsr__world_memory(run->world, plan->here, TSR_SPACE_PLACE)};
  r->buffers = tsr__arena_alloc(&plan->arena, ((size_t)r->n_buffers + 1) * sizeof *r->buffers);
  r->buffer_of = tsr__arena_alloc(&plan->arena, ((size_t)r->n_slots + 1) * sizeof *r->buffer_of);
  for (int32_t i = 0; i < r->n_buffers; i++)
    r->buffers[i] = (repeat_buffer){plan->buffers[i].bytes, plan->buffers[i].pitch,
                                    plan->buffers[i].region, !run->binding->is_taken[i]};
  note_steps(plan, r);
  r->final = tsr__arena_alloc(&plan->arena, ((size_t)r->n_slots + 1) * sizeof *r->final);
  for (int32_t i = 0; i < r->n_slots; i++) {
    r->buffer_of[i] = plan->slots[i].buffer;
    if (plan->slots[i].final) r->final[r->n_final++] = i;
  }
}

/* Finds the memory of all buffers. False: there is not enough. */
static bool bind(const tsr_repeat *r, const tsr_names *names, repeat_memory *memory)
{
  for (int32_t i = 0; i < r->n_buffers; i++) {
    const repeat_buffer *buffer = &r->buffers[i];
    if (buffer->region >= 0) {
      const tsr_instance *its = &names->regions[buffer->region]->storage->instance[0];
      memory[i] = (repeat_memory){its->data, its->bytes};
      continue;
    }
    memory[i] = (repeat_memory){tsr__memory_alloc_pitched(r->memory, buffer->bytes, buffer->pitch),
                                buffer->bytes};
    if (memory[i].data != NULL) continue;
    while (--i >= 0)
      if (r->buffers[i].region < 0) tsr__memory_free(r->memory, memory[i].data, memory[i].bytes);
    return false;
  }
  return true;
}

/* Runs the replay of a step. False: there is none, or its arrays lie otherwise to
 * each other than they did, where two of them are the same memory of the program's. */
static bool run_replay(const tsr_plan *plan, const repeat_step *step, const tsr_binding *b)
{
  if (step->replay == NULL || !tsr__run_replay(step->replay, b, NULL)) return false;
  plan->scheduler->counters.n_compiled_runs++;
  return true;
}

static void run_step(tsr_run *run, const repeat_step *step)
{
  if (step->replay != NULL || !step->is_whole) {
    tsr__run_task(run, step->task, 0);
    return;
  }
  const tsr_task *t = &run->plan->tasks[step->task];
  tsr_box chunk;
  tsr__task_box(run->plan, t, &chunk);
  tsr__reductions_run_whole(run, t->group, &chunk, 0);
}

/* Runs the tasks in their order. Returns the first failure. */
static tsr_status run_steps(const tsr_repeat *r, tsr_plan *plan, const tsr_binding *b)
{
  tsr_run run;
  atomic_int failure = TSR_OK;
  int32_t i = 0;
  while (i < r->n_steps && run_replay(plan, &r->steps[i], b)) i++;
  if (i == r->n_steps) return TSR_OK;
  tsr__run_begin(&run, plan, b, &failure);
  for (; i < r->n_steps && !tsr__run_has_failed(&run); i++)
    if (!run_replay(plan, &r->steps[i], b)) run_step(&run, &r->steps[i]);
  tsr__run_end(&run);
  return atomic_load(&failure);
}

bool tsr__repeat(tsr_plan *plan, const tsr_window *w, const tsr_names *names, tsr_status *status)
{
  enum { MANY = 64 };
  const tsr_repeat *r = plan->workspace->repeat;
  tsr_scheduler *s = plan->scheduler;
  repeat_memory memory[MANY];
  if (r->edition != plan->edition || r->n_buffers > MANY || names->shift != NULL ||
      s->failure != TSR_OK || s->world->config.replan || !bind(r, names, memory))
    return false;
  tsr_binding *b = plan->binding;
  tsr__bind_scalars(plan, w, b);
  for (int32_t i = 0; i < r->n_slots; i++) b->instances[i].data = memory[r->buffer_of[i]].data;
  *status = run_steps(r, plan, b);
  s->counters.n_repeats++;
  for (int32_t i = 0; i < r->n_final; i++) {
    const int32_t slot = r->final[i];
    tsr__take_over(plan, slot, names->regions[plan->slots[slot].region], &b->instances[slot],
                   memory[r->buffer_of[slot]].bytes);
  }
  for (int32_t i = 0; i < r->n_buffers; i++)
    if (r->buffers[i].is_freed) tsr__memory_free(r->memory, memory[i].data, memory[i].bytes);
  return true;
}
