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

#include "runtime/error.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { HANG_SECONDS = 120, HANG_SECONDS_ALONE = 30 };
#else
enum { HANG_SECONDS = 20, HANG_SECONDS_ALONE = 2 };
#endif

double now_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- configurations ----------------------------------------------------------------------------
 */

static void set(config *c, const char *name, const char *value)
{
  snprintf(c->name[c->n_settings], sizeof c->name[0], "%s", name);
  snprintf(c->value[c->n_settings], sizeof c->value[0], "%s", value);
  c->n_settings++;
}

static void set_one_of(config *c, rng *r, const char *name, int n, const char *const *values)
{
  set(c, name, values[rng_below(r, n)]);
}

#define ONE_OF(...)                                                                                \
  (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)), (const char *const[])  \
  {                                                                                                \
    __VA_ARGS__                                                                                    \
  }

config config_draw(uint64_t seed, int batch, int which)
{
  rng r = rng_seeded(seed ^ 0xC0F1, (uint64_t)batch * CONFIGS_PER_BATCH + (uint64_t)which);
  config c = {.ranks = which % 4 + 1};
  set(&c, "threads", (batch + which) % 2 ? "2" : "1");
  set(&c, "fusion", (batch / 2 + which) % 4 ? "1" : "0");
  set(&c, "bind", "0");
  if (c.ranks > 1)
    set_one_of(&c, &r, "replicate_max", ONE_OF("0", "0", "0", "0", "0", "50", "16K"));
  set_one_of(&c, &r, "tile_min", ONE_OF("1", "1", "4", "16", "64"));
  set_one_of(&c, &r, "chunk_bytes", ONE_OF("64", "256", "2K", "8K", "512K"));
  set_one_of(&c, &r, "window_ops", ONE_OF("1", "4", "16", "64", "1K"));
  set_one_of(&c, &r, "inline_elems", ONE_OF("0", "0", "32K"));
  set_one_of(&c, &r, "rename", ONE_OF("0", "1", "1"));
  set_one_of(&c, &r, "halo_max", ONE_OF("0", "1", "64", "64"));
  if (rng_chance(&r, 10)) set(&c, "window_cap", "7");
  if (rng_chance(&r, 7)) set(&c, "inorder", "1");
  if (rng_chance(&r, 20)) set(&c, "replan", "1");
  if (c.ranks > 1 && rng_chance(&r, 25)) {
    char text[20];
    snprintf(text, sizeof text, "%d", (int)rng_range(&r, 1, 1000000));
    set(&c, "seed", text);
  }
  return c;
}

void config_print(FILE *f, const config *c)
{
  fprintf(f, "ranks %d", c->ranks);
  for (int i = 0; i < c->n_settings; i++) fprintf(f, ", %s %s", c->name[i], c->value[i]);
}

/* --- inside the process ------------------------------------------------------------------------
 */

/* What the process and its parent share. */
typedef struct progress {
  int n_ranks_done; /* that are through with the program */
  int claimed;      /* a rank has written the outcome's text */
  outcome outcome;
} progress;

typedef struct job {
  int first, n;
  program *const *ps;
  result *const *rs;
  uint8_t *const *want;
  uint8_t *got; /* shared; at offset[i], or NULL */
  const size_t *offset;
  progress *progress; /* shared, one per program */
} job;

static void fail(progress *to, int rank, const char *text)
{
  if (__atomic_exchange_n(&to->claimed, 1, __ATOMIC_ACQ_REL)) return;
  snprintf(to->outcome.text, sizeof to->outcome.text, "rank %d: %s", rank, text);
  to->outcome.failed = true;
}

static void run_one(const job *j, int i, int rank)
{
  progress *to = &j->progress[i];
  const result *r = j->rs[i];
  uint8_t *out = tsr__calloc(r->n_bytes + 1, 1);
  tsr_counters counters;
  size_t n = execute(j->ps[i], r, out, &counters);
  __atomic_add_fetch(&to->outcome.n_distributed, counters.n_distributed, __ATOMIC_RELAXED);
  __atomic_add_fetch(&to->outcome.bytes_sent, counters.bytes_sent, __ATOMIC_RELAXED);
  __atomic_add_fetch(&to->outcome.n_fused_ops, counters.n_fused_ops, __ATOMIC_RELAXED);
  char text[900];
  if (tsr_take_error(text, sizeof text) != TSR_OK)
    fail(to, rank, text);
  else if (n != r->n_bytes)
    fail(to, rank, "an array has another shape or dtype than expected");
  else if (j->want[i] && !judge(r, out, j->want[i], false, NULL, text, sizeof text))
    fail(to, rank, text);
  if (j->got && rank == 0) memcpy(j->got + j->offset[i], out, r->n_bytes);
  free(out);
  __atomic_add_fetch(&to->n_ranks_done, 1, __ATOMIC_RELEASE);
}

static void rank_main(void *arg, int rank)
{
  const job *j = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  for (int i = j->first; i < j->n; i++) run_one(j, i, rank);
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
  tsr_status status = tsr_run_ranks(c->ranks, settings, rank_main, j);
  exit(status == TSR_OK ? 0 : 3);
}

/* --- outside -----------------------------------------------------------------------------------
 */

static void *shared(size_t bytes)
{
  void *at = mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) tsr__fatal("no shared memory for %zu bytes", bytes);
  return at;
}

static int n_done(const job *j, int ranks)
{
  int i = j->first;
  while (i < j->n && __atomic_load_n(&j->progress[i].n_ranks_done, __ATOMIC_ACQUIRE) == ranks) i++;
  return i;
}

/* Wait for the process, or end it where nothing has moved for long; its wait status. */
static int wait_for(pid_t pid, const job *j, int ranks, bool *hung)
{
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
    } else if (now_seconds() - since > (j->n > 1 ? HANG_SECONDS : HANG_SECONDS_ALONE)) {
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

void run_config(const config *c, int n, program *const *ps, result *const *rs, uint8_t *const *want,
                uint8_t *const *got, outcome *outcomes, bool quiet)
{
  size_t *offset = tsr__calloc((size_t)n + 1, sizeof *offset);
  for (int i = 0; i < n; i++) offset[i + 1] = offset[i] + (rs[i]->n_bytes + 7) / 8 * 8;
  size_t progress_bytes = (size_t)n * sizeof(progress);
  job j = {.n = n, .ps = ps, .rs = rs, .want = want, .offset = offset};
  j.progress = shared(progress_bytes);
  if (got) j.got = shared(offset[n]);
  int hangs = 0;
  while (j.first < n && hangs < 2) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) tsr__fatal("the system refuses a process: %s", strerror(errno));
    if (pid == 0) child(c, &j, quiet);
    bool hung;
    int status = wait_for(pid, &j, c->ranks, &hung), done = n_done(&j, c->ranks);
    if (status == 0 && done == n && !hung) break;
    bool at_end = done == n;
    blame(&j.progress[at_end ? n - 1 : done].outcome, status, hung, at_end);
    hangs += hung;
    j.first = done + 1;
  }
  for (int i = 0; i < n; i++) {
    outcomes[i] = j.progress[i].outcome;
    bool ran = j.progress[i].n_ranks_done == c->ranks || outcomes[i].failed;
    if (!ran) {
      outcomes[i].failed = true;
      snprintf(outcomes[i].text, sizeof outcomes[i].text, "not run, after two hangs");
    }
    if (got && got[i]) memcpy(got[i], j.got + offset[i], rs[i]->n_bytes);
  }
  if (j.got) munmap(j.got, offset[n] + 1);
  munmap(j.progress, progress_bytes + 1);
  free(offset);
}
