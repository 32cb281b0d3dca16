/* Batches of programs under one configuration of Tessera, each in a process of its own: a crash or
 * a hang is an outcome of one program, and the others go on. */
#include "execute.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "array/core/array_int.h"
#include "kernel/compile/jit.h"
#include "runtime/base/error.h"
#include "tests/support/keep_gpu.h"
#include "tests/support/sanitized.h"

/* Without progress, on a machine that may be busy with others. */
enum { HANG_SECONDS = IS_SANITIZED ? 400 : 150, HANG_SECONDS_ALONE = IS_SANITIZED ? 60 : 15 };

double now_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Inside the process. */

/* What the process and its parent share, for one program in one pass. */
typedef struct progress {
  int n_ranks_done; /* that are through with it */
  int claimed;      /* a rank has written the outcome's text */
  outcome outcome;
} progress;

typedef struct job {
  int first, n_units; /* program u % n in pass u / n */
  int n, n_repeats;   /* n_repeats: of a program, one after the other, in the first pass */
  program *const *ps;
  result *const *rs;
  uint8_t *const *want;
  uint8_t *got; /* shared; at offset[i], or NULL */
  const size_t *offset;
  progress *progress; /* shared, one per unit */
} job;

static void fail(progress *to, int rank, const char *text)
{
  if (__atomic_exchange_n(&to->claimed, 1, __ATOMIC_ACQ_REL)) return;
  snprintf(to->outcome.text, sizeof to->outcome.text, "rank %d: %s", rank, text);
  to->outcome.failed = true;
}

static void count(tsr_counters *to, const tsr_counters *from)
{
  enum { N = sizeof *to / sizeof(uint64_t) }; /* all it has are such counters */
  for (int i = 0; i < N; i++)
    __atomic_add_fetch((uint64_t *)to + i, ((const uint64_t *)from)[i], __ATOMIC_RELAXED);
}

static void run_once(const job *j, int unit, int rank)
{
  int i = unit % j->n;
  progress *to = &j->progress[unit];
  const result *r = j->rs[i];
  uint8_t *out = tsr__calloc(r->n_bytes + 1, 1);
  tsr_counters counters;
  size_t n = execute(j->ps[i], r, out, &counters);
  count(&to->outcome.did, &counters);
  char text[900];
  if (tsr_take_error(text, sizeof text) != TSR_OK)
    fail(to, rank, text);
  else if (n != r->n_bytes)
    fail(to, rank, "an array has another shape or dtype than expected");
  else if (j->want[i] && !judge(r, out, j->want[i], false, NULL, text, sizeof text))
    fail(to, rank, text);
  if (j->got && rank == 0) memcpy(j->got + j->offset[i], out, r->n_bytes);
  free(out);
}

/* All ranks wait for the kernels that the first pass wanted. None of them may fail to compile. */
static void wait_for_kernels(const job *j, int rank)
{
  tsr_barrier();
  tsr_machine *machine = tsr_context_current()->world.machine;
  (void)tsr__jit_of(machine);
  for (int i = 0; i < TSR_N_JITS; i++) {
    if (machine->jit[i] == NULL) continue;
    tsr__jit_wait(machine->jit[i]);
    const tsr_jit_stats stats = tsr__jit_stats(machine->jit[i]);
    if (rank == 0 && stats.n_failed > stats.n_formless)
      fail(&j->progress[j->n_units - 1], rank, "the compiler failed on a kernel");
  }
}

static void rank_main(void *arg, int rank)
{
  const job *j = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  for (int unit = j->first; unit < j->n_units; unit++) {
    if (unit >= j->n && (unit == j->n || unit == j->first)) wait_for_kernels(j, rank);
    for (int k = 0; k < (unit < j->n ? j->n_repeats : 1); k++) run_once(j, unit, rank);
    __atomic_add_fetch(&j->progress[unit].n_ranks_done, 1, __ATOMIC_RELEASE);
  }
}

static void child(const config *c, job *j, bool quiet)
{
  if (quiet) {
    int null = open("/dev/null", O_WRONLY);
    dup2(null, STDERR_FILENO);
    dup2(null, STDOUT_FILENO);
  }
  const char *settings[2 * MAX_SETTINGS + 1] = {0};
  for (int i = 0; i < c->n_settings; i++) {
    settings[2 * i] = c->name[i];
    settings[2 * i + 1] = c->value[i];
  }
  if (getenv("GPU_KEEPS_CONTEXT") != NULL) keep_gpu(); /* tests/gpu.sh */
  tsr_status status = tsr_run_ranks(c->ranks, settings, rank_main, j);
  exit(status == TSR_OK ? 0 : 3);
}

/* Outside. */

static void *shared(size_t bytes)
{
  void *at = mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) tsr__fatal("no shared memory for %zu bytes", bytes);
  return at;
}

static int n_done(const job *j, int ranks)
{
  int i = j->first;
  while (i < j->n_units && __atomic_load_n(&j->progress[i].n_ranks_done, __ATOMIC_ACQUIRE) == ranks)
    i++;
  return i;
}

/* Wait for the process, or end it where nothing has moved for long; its wait status. */
static int wait_for(pid_t pid, const job *j, int ranks, bool *hung)
{
  double patience = j->n > 1 ? HANG_SECONDS : HANG_SECONDS_ALONE;
  if (j->n_units > j->n) patience += HANG_SECONDS; /* for the compiler */
  int status = 0, seen = -1;
  double since = now_seconds();
  useconds_t pause = 200;
  *hung = false;
  for (;;) {
    pid_t ended = waitpid(pid, &status, WNOHANG);
    if (ended == pid) return status;
    int done = n_done(j, ranks);
    if (done != seen) {
      seen = done;
      since = now_seconds();
    } else if (now_seconds() - since > patience) {
      kill(pid, SIGABRT); /* leaves a core where the system keeps them */
      usleep(200000);
      kill(pid, SIGKILL);
      waitpid(pid, &status, 0);
      *hung = true;
      return status;
    }
    usleep(pause);
    if (pause < 5000) pause *= 2;
  }
}

static void blame(outcome *o, int status, bool hung, bool at_end)
{
  if (o->failed) return;
  const char *when = at_end ? "after the last program, at the context's end: " : "";
  o->failed = true;
  if (hung)
    snprintf(o->text, sizeof o->text, "%shangs", when);
  else if (WIFSIGNALED(status))
    snprintf(o->text, sizeof o->text, "%sended by signal %d (%s)", when, WTERMSIG(status),
             strsignal(WTERMSIG(status)));
  else
    snprintf(o->text, sizeof o->text, "%sthe process ended with status %d", when,
             WEXITSTATUS(status));
}

/* What became of program i, over its passes. */
static outcome gather(const job *j, int i, int ranks)
{
  outcome all = j->progress[i].outcome;
  for (int unit = i; unit < j->n_units; unit += j->n) {
    const progress *p = &j->progress[unit];
    if (unit > i) count(&all.did, &p->outcome.did);
    if (all.failed) continue;
    all.failed = p->outcome.failed || p->n_ranks_done != ranks;
    snprintf(all.text, sizeof all.text, "%s",
             p->outcome.failed ? p->outcome.text : "not run, after two hangs");
  }
  return all;
}

void run_config(const config *c, int n, program *const *ps, result *const *rs, uint8_t *const *want,
                uint8_t *const *got, outcome *outcomes, bool quiet)
{
  size_t *offset = tsr__calloc((size_t)n + 1, sizeof *offset);
  for (int i = 0; i < n; i++) offset[i + 1] = offset[i] + (rs[i]->n_bytes + 7) / 8 * 8;
  job j = {.n = n, .ps = ps, .rs = rs, .want = want, .offset = offset};
  j.n_units = c->mode & MODE_COMPILED ? 2 * n : n;
  j.n_repeats = c->mode & MODE_MEMO ? 2 : 1;
  size_t progress_bytes = (size_t)j.n_units * sizeof(progress);
  j.progress = shared(progress_bytes);
  if (got) j.got = shared(offset[n]);
  int hangs = 0;
  while (j.first < j.n_units && hangs < 2) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) tsr__fatal("the system refuses a process: %s", strerror(errno));
    if (pid == 0) child(c, &j, quiet);
    bool hung;
    int status = wait_for(pid, &j, c->ranks, &hung), done = n_done(&j, c->ranks);
    if (status == 0 && done == j.n_units && !hung) break;
    bool at_end = done == j.n_units;
    blame(&j.progress[at_end ? done - 1 : done].outcome, status, hung, at_end);
    hangs += hung;
    j.first = done + 1;
  }
  for (int i = 0; i < n; i++) {
    outcomes[i] = gather(&j, i, c->ranks);
    if (got && got[i]) memcpy(got[i], j.got + offset[i], rs[i]->n_bytes);
  }
  if (j.got) munmap(j.got, offset[n] + 1);
  munmap(j.progress, progress_bytes + 1);
  free(offset);
}
