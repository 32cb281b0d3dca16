/* What waits for messages: tasks whose message is not there yet, and sends that are under way
 * though their task is over. Receives are posted as message.h says, at the latest when their task
 * is ready. Sends are packed when their task is ready, and begin when they are packed, which a
 * device does in its own time. Idle workers poll, one thread at a time. */
#include "scheduler/run/exchange.h"
#include "scheduler/run/pack.h"
#include "scheduler/run/reduce.h"

#include <sched.h>
#include <string.h>

static void comm_acquire(tsr_run *run)
{
  bool waits = false;
  for (; atomic_flag_test_and_set_explicit(&run->comm_lock, memory_order_acquire); waits = true)
    sched_yield();
  run->n_locked++;
  run->n_contended += waits;
}

static void comm_release(tsr_run *run)
{
  atomic_flag_clear_explicit(&run->comm_lock, memory_order_release);
}

void tsr__exchange_start(tsr_run *run)
{
  tsr__messages_start(run);
  tsr__pack_start(run);
  tsr__messages_post(run);
}

bool tsr__exchange_send(tsr_run *run, tsr_run_message *m)
{
  TSR_ASSERT(m->send);
  if (!tsr__message_advance(run, m, (tsr_message_state)m->until)) return false;
  if (m->until == TSR_MESSAGE_DONE ||
      (m->in_place && tsr__message_advance(run, m, TSR_MESSAGE_DONE)))
    return true;
  atomic_fetch_add(&run->n_comm, 1);
  comm_acquire(run);
  m->next = run->under_way;
  run->under_way = m;
  comm_release(run);
  return true;
}

/* The message that a waiting task needs. */
static tsr_run_message *awaited(const tsr_run *run, int32_t task)
{
  const tsr_task *t = &run->plan->tasks[task];
  switch ((tsr_task_kind)t->kind) {
  case TSR_TASK_REDUCE_RECV:
    return tsr__message_from_source(run, t->what, t->arg);
  case TSR_TASK_REDUCE_DONE:
    return tsr__message_result(run, t->what);
  default:
    TSR_ASSERT(t->kind == TSR_TASK_SEND || t->kind == TSR_TASK_RECV);
    return &run->messages->v[t->what];
  }
}

void tsr__exchange_wait(tsr_run *run, int32_t task)
{
  tsr_run_message *m = awaited(run, task);
  if (!m->send) tsr__message_advance(run, m, TSR_MESSAGE_POSTED);
  atomic_fetch_add(&run->n_comm, 1);
  comm_acquire(run);
  run->waiting[run->n_waiting++] = task;
  comm_release(run);
}

/* Tries to finish a waiting task. False: its message is not there yet. */
static bool try_task(tsr_run *run, int32_t task)
{
  const tsr_task *t = &run->plan->tasks[task];
  tsr_run_message *m = awaited(run, task);
  if (m->send) return tsr__exchange_send(run, m);
  if (!tsr__message_advance(run, m, TSR_MESSAGE_DONE)) return false;
  if (t->kind == TSR_TASK_REDUCE_DONE)
    tsr__reduction_send_down(run, t->what, tsr__message_payload(m));
  return true;
}

static bool remove_waiting(tsr_run *run, int32_t task)
{
  for (int32_t j = 0; j < run->n_waiting; j++)
    if (run->waiting[j] == task) {
      memmove(&run->waiting[j], &run->waiting[j + 1],
              (size_t)(run->n_waiting - j - 1) * sizeof *run->waiting);
      run->n_waiting--;
      return true;
    }
  return false;
}

bool tsr__exchange_poll(tsr_run *run, int worker)
{
  if (atomic_load_explicit(&run->n_comm, memory_order_relaxed) == 0) return false;
  if (atomic_flag_test_and_set_explicit(&run->comm_lock, memory_order_acquire)) return false;
  run->n_locked++;
  for (tsr_run_message **link = &run->under_way; *link != NULL;) {
    tsr_run_message *m = *link;
    if (!tsr__message_advance(run, m, TSR_MESSAGE_DONE)) {
      link = &m->next;
      continue;
    }
    *link = m->next;
    atomic_fetch_sub(&run->n_comm, 1);
  }
  int32_t candidates[32];
  int32_t n = 0;
  for (int32_t i = 0; i < run->n_waiting && n < 32; i++) candidates[n++] = run->waiting[i];
  bool any = false;
  for (int32_t i = 0; i < n; i++) {
    int32_t task = candidates[i];
    /* The task leaves the list before it is tried without the lock. Another thread may have been
     * faster. */
    if (!remove_waiting(run, task)) continue;
    comm_release(run);
    bool done = try_task(run, task);
    if (done) {
      any = true;
      atomic_fetch_sub(&run->n_comm, 1);
      tsr__order_complete(run->order, task, worker);
      comm_acquire(run);
    } else {
      comm_acquire(run);
      run->waiting[run->n_waiting++] = task;
    }
  }
  comm_release(run);
  return any;
}

/* The first message that the run waits for and that is another rank's, too; NULL: none. */
static const tsr_run_message *first_awaited(const tsr_run *run)
{
  for (int32_t i = 0; i < run->n_waiting; i++) {
    const tsr_run_message *m = awaited(run, run->waiting[i]);
    if (tsr__world_rank_of(run->world, m->peer) != run->world->rank) return m;
  }
  return run->under_way;
}

bool tsr__exchange_waits_for(tsr_run *run, int *peer, bool *is_send)
{
  comm_acquire(run);
  const tsr_run_message *m = first_awaited(run);
  comm_release(run);
  if (m == NULL) return false;
  *peer = tsr__world_rank_of(run->world, m->peer);
  *is_send = m->send;
  return *peer != run->world->rank;
}

void tsr__exchange_finish(tsr_run *run)
{
  tsr_transport *t = run->world->transport;
  for (tsr_run_message *m; (m = run->under_way) != NULL; run->under_way = m->next) {
    tsr_watch watch = {0};
    tsr__wait(t, &m->request);
    while (!tsr__message_advance(run, m, TSR_MESSAGE_DONE))
      if (tsr__idle(t, &watch))
        tsr__say_stalled(t, &watch, tsr__world_rank_of(run->world, m->peer), true);
  }
}
