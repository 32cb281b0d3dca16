/* A context holds one rank's world, window, scheduler and arrays. The calling thread's current
 * context is the only state outside a context. */
#include "array/core/array_int.h"
#include "runtime/base/alloc.h"

#include <linux/membarrier.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

_Thread_local tsr_context *tsr__current;
_Thread_local const tsr_task_call *tsr__task;

/* Prints an error that is the program's mistake. It does not call abort(), since the exit status is
 * enough for a launcher to end the job. */
static void say(const tsr_error *e)
{
  char *text = tsr__error_text(e, NULL, false);
  fflush(stdout);
  fputs(text, stderr);
  fflush(stderr);
}

_Thread_local bool tsr__start_failed;

/* Ends the program while other threads run, so exit handlers must not release what they use. If
 * several find a mistake, only one prints it. */
static _Noreturn void end_amid_threads(const tsr_error *e)
{
  static bool is_told;
  if (__atomic_exchange_n(&is_told, true, __ATOMIC_RELAXED))
    for (;;) pause();
  say(e);
  _exit(1);
}

static _Noreturn void called_by_a_task(const tsr_location *where)
{
  tsr_error e = {0};
  tsr__error_begin(&e, TSR_ERR_ARGUMENT, where, "the function of the task `%s` calls Tessera",
                   tsr__task->form->name);
  const tsr_location *by = tsr__task->where;
  if (by && by->file)
    tsr__error_note(&e, "the task was called at %s:%d by %s", by->file, by->line, by->op);
  tsr__error_rule(&e, "it runs in the middle of another call, on any thread, and on ranks that "
                      "have boxes of its points alone");
  tsr__error_help(&e, "compute it before the task is called, and give it as an input, or as data "
                      "(tsr_call_data)");
  end_amid_threads(&e);
}

int tsr__run_without_context(const tsr_task_call *call, const tsr_task_box *box)
{
  tsr_context *mine = tsr__current;
  tsr__current = NULL;
  tsr__task = call;
  const int value = call->form->run(box);
  tsr__task = NULL;
  tsr__current = mine;
  return value;
}

void tsr__no_context(const tsr_location *where)
{
  if (tsr__task) called_by_a_task(where);
  tsr_error e = {0};
  if (tsr__start_failed) exit(1);
  tsr__error_begin(&e, TSR_ERR_ARGUMENT, where, "there is no context on this thread");
  tsr__error_help(&e, "call tsr_init first, and tsr_finalize last");
  say(&e);
  exit(1);
}

static void note_last_call(tsr_error *e, const tsr_context *c, const char *what)
{
  const tsr_location *last = __atomic_load_n(&c->called, __ATOMIC_RELAXED);
  if (last && last->file)
    tsr__error_note(e, "%s `%s` at %s:%d", what, last->op, last->file, last->line);
  else if (last)
    tsr__error_note(e, "%s `%s`", what, last->op);
}

void tsr__not_the_owner(const tsr_context *c, const tsr_location *where)
{
  tsr_error e = {0};
  tsr__error_begin(&e, TSR_ERR_ARGUMENT, where, "the context belongs to another thread");
  note_last_call(&e, c, "whose last call was");
  tsr__error_rule(&e, "one thread at a time makes the calls of a context: the one that made it, or "
                      "that called tsr_context_set_current last");
  tsr__error_help(&e, "call tsr_context_set_current on this thread once the other one has stopped "
                      "making calls, or give each thread a rank of its own: tsr_run_ranks");
  end_amid_threads(&e);
}

/* Returns when every running thread of this process has seen this thread's writes, and this thread
 * has seen theirs. This barrier lets tsr__call_enter, which is called far more often, do without
 * one. */
static void meet_all_threads(void)
{
  enum { DRAIN_NS = 10000000 }; /* design limit: far longer than a store stays in a store buffer */
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0) == 0) return;
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0) == 0 &&
      syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0) == 0)
    return;
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0) == 0) return;
  nanosleep(&(struct timespec){.tv_nsec = DRAIN_NS}, NULL);
}

/* Makes the calling thread the owner. Either the old owner's next call sees the new owner, or this
 * thread sees that a call is under way. */
static void take_ownership(tsr_context *c)
{
  static const tsr_location site = {.op = "tsr_context_set_current"};
  if (tsr__is_owner(c)) return;
  if (__atomic_exchange_n(&c->owner, &tsr__current, __ATOMIC_SEQ_CST) == NULL) return;
  meet_all_threads();
  if (__atomic_load_n(&c->n_calls, __ATOMIC_ACQUIRE) == 0) return;
  tsr_error e = {0};
  tsr__error_begin(&e, TSR_ERR_ARGUMENT, &site, "another thread is inside a call of the context");
  note_last_call(&e, c, "the call is");
  tsr__error_rule(&e, "a context is handed over between the calls of the thread that has it");
  tsr__error_help(&e, "wait until that thread has stopped making calls, or give each thread a rank "
                      "of its own: tsr_run_ranks");
  end_amid_threads(&e);
}

tsr_context *tsr_context_current(void)
{
  return tsr__current;
}

tsr_context *tsr_context_set_current(tsr_context *context)
{
  static const tsr_location site = {.op = "tsr_context_set_current"};
  if (tsr__task) tsr__no_context(&site);
  tsr_context *before = tsr__current;
  if (context) take_ownership(context);
  tsr__current = context;
  return before;
}

tsr_context *tsr__context_open(tsr_machine *machine, bool owns_machine, tsr_transport *transport,
                               tsr_status *status)
{
  tsr_context *c = tsr__calloc(1, sizeof *c);
  *status = tsr__world_open(&c->world, machine, transport);
  if (*status < 0) {
    free(c);
    return NULL;
  }
  c->owns_machine = owns_machine;
  transport->call = &c->called;
  tsr__window_init(&c->window, &c->world);
  c->scheduler = tsr__scheduler_create(&c->window);
  /* Handles of another context, or of one that has ended, must not look valid here. The number is
   * not sent to other ranks. */
  c->number = tsr__now_ns() ^ (uint64_t)(uintptr_t)c << 20;
  c->first_generation = 1 + (uint32_t)((c->number * 0x9E3779B97F4A7C15u) >> 34);
  c->n_used = 1;
  c->warn_at = c->world.config.warn_values < c->world.config.warn_arrays
                   ? c->world.config.warn_values
                   : c->world.config.warn_arrays;
  tsr__scope_push(c, TSR_SCOPE_IS_ROOT);
  return c;
}

void tsr__event(tsr_context *c, const tsr_location *where, tsr_event what, tsr_array x)
{
  uint64_t detail = tsr__number_of(c, x);
  /* No recorded operation shows which elements are read, or the view and dtype of an empty
   * array. */
  const bool hashes = what == TSR_EVENT_READ || what == TSR_EVENT_LOCAL || what == TSR_EVENT_EMPTY;
  const tsr_handle *s = hashes || c->window.recent ? tsr__handle_peek(c, x) : NULL;
  if (s && hashes) detail ^= tsr__view_ref_hash(s->view) + s->region->dtype;
  tsr__record_event(&c->window, where, what, detail);
  if (s) tsr__note_array(&c->window, s->region->dtype, s->view);
}

int tsr_rank(void)
{
  return tsr__current ? tsr__current->world.rank : -1;
}

int tsr_n_ranks(void)
{
  return tsr__current ? tsr__current->world.size : 0;
}

tsr_status tsr_flush_at(const tsr_location *where)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr__event_of(c, where, TSR_EVENT_FLUSH, 0);
  return tsr__settle(c, tsr__flush(c->scheduler, true));
}

/* tsr__agree is the barrier. Ranks that have diverged fail before it. */
tsr_status tsr_barrier_at(const tsr_location *where)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr__event_of(c, where, TSR_EVENT_BARRIER, 0);
  if (c->window.n_ops > 0) TSR_TRY(tsr__settle(c, tsr__guard(c->scheduler, where)));
  tsr_status flushed = tsr__settle(c, tsr__flush(c->scheduler, true));
  tsr_status agreed = tsr__settle(c, tsr__agree(c->scheduler, where));
  return agreed < 0 ? agreed : flushed;
}

double tsr_time_at(const tsr_location *where)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  double seconds = 1e-9 * (double)tsr__now_ns();
  tsr__event_of(c, where, TSR_EVENT_TIME, 0);
  if (tsr__settle(c, tsr__guard(c->scheduler, where)) < 0) return seconds;
  tsr_status status = tsr__bcast(c->world.transport, 0, &seconds, sizeof seconds);
  if (status < 0) tsr__fail(c, where, status, "rank 0's clock cannot be read");
  return seconds;
}

void tsr__clear_progress(tsr_context *c, int fd)
{
  if (!c->progress.is_open || !isatty(fd)) return;
  c->progress.is_open = false;
  fputs("\r\033[K", stderr);
}

int tsr_printf(const char *format, ...)
{
  static const tsr_location site = {.op = "tsr_printf"};
  TSR_IN_CALL tsr_context *c = tsr__call_begin(&site);
  if (c->world.rank != 0) return 0;
  tsr__clear_progress(c, STDOUT_FILENO);
  va_list args;
  va_start(args, format);
  int n = vprintf(format, args);
  va_end(args);
  return n;
}

uint64_t tsr_n_passes(void)
{
  return tsr__current ? tsr__scheduler_counters(tsr__current->scheduler)->n_groups : 0;
}

const tsr_counters *tsr__context_counters(void)
{
  return tsr__scheduler_counters(tsr__context(NULL)->scheduler);
}

char *tsr__context_window_text(void)
{
  return tsr__window_text(&tsr__context(NULL)->window);
}

int64_t tsr__context_n_arrays(void)
{
  return tsr__context(NULL)->n_arrays;
}
