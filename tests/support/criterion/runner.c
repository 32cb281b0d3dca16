/* Runs the tests of a program that was built without Criterion: in forked children, several at a
 * time, and reports in Criterion's form (`[FAIL] suite::name` behind what the test said, a last
 * line of sums). A child runs one test, or with --together, which keeps a GPU's context from test
 * to test, one after the other until one does not end as it should.
 *
 *   PROGRAM [--filter PATTERN] [-jN | --jobs N] [--seconds S] [--together] [--list] [--verbose]
 *
 * PATTERN is one of `suite/name` as Criterion has it (`@(a|b)/x`), or a part of that name. N:
 * children at a time (default: the processors; 1 under ThreadSanitizer). No test begins after S
 * seconds; how many are left out is said. --verbose: each child that passes, with its seconds. Other
 * options of Criterion are ignored. The lists of tests are the only process-wide state.
 *
 * The runner writes to stderr alone, as Criterion does: a child's stdout is as new, so that it is
 * the first thing that a test points it at, such as a terminal, which says how it is buffered. */
#include "criterion.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "keep_gpu.h"

enum { EXIT_FAILED = 101, EXIT_SKIPPED = 102, DEFAULT_TIMEOUT_S = 120, MOST_JOBS = 64 };

/* The time limits were written for a test that runs alone. ThreadSanitizer makes a program some ten
 * times slower, and takes several times the memory: two at once, however many cores there are. */
#ifdef __SANITIZE_THREAD__
enum { SLOWER = 20, JOBS = 2 };
#else
enum { SLOWER = 4, JOBS = 0 };
#endif

static struct criterion_test *all_tests, **last_test = &all_tests, *all_suites;
static bool child_failed;

void criterion_register(struct criterion_test *test)
{
  *last_test = test;
  last_test = &test->next;
}

void criterion_register_suite(struct criterion_test *suite)
{
  suite->next = all_suites;
  all_suites = suite;
}

void criterion_check_failed(const char *file, int line, bool fatal, const char *text,
                            const char *fmt, ...)
{
  char message[1024];
  va_list args;
  va_start(args, fmt);
  vsnprintf(message, sizeof message, fmt, args);
  va_end(args);
  fprintf(stderr, "%s:%d: Assertion failed: %s;%s\n", file, line, text, message);
  __atomic_store_n(&child_failed, true, __ATOMIC_SEQ_CST);
  if (fatal) _exit(EXIT_FAILED);
}

void criterion_skip(const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  vfprintf(stderr, fmt, args);
  va_end(args);
  _exit(EXIT_SKIPPED);
}

static struct criterion_options options_of(const struct criterion_test *test)
{
  struct criterion_options o = test->options;
  for (const struct criterion_test *s = all_suites; s; s = s->next)
    if (strcmp(s->suite, test->suite) == 0) {
      if (!o.init) o.init = s->options.init;
      if (!o.fini) o.fini = s->options.fini;
      if (o.timeout == 0) o.timeout = s->options.timeout;
      if (s->options.disabled) o.disabled = true;
    }
  return o;
}

/* What a child tells its parent, in memory that they share. */
typedef struct told {
  const struct criterion_test *test; /* the one that runs, or ran last */
  int n_passed;                      /* those before it */
} told;

/* What children take their tests from, in memory that they share. */
typedef struct queue {
  const struct criterion_test *next;
  const char *filter;
  time_t end; /* no test begins from then on; 0: never */
  bool together;
  int left_out;
} queue;

static bool is_wanted(const struct criterion_test *t, const char *filter)
{
  char name[256];
  snprintf(name, sizeof name, "%s/%s", t->suite, t->name);
  return strstr(name, filter) || fnmatch(filter, name, FNM_EXTMATCH) == 0;
}

/* The next test for a child, or NULL. Tests that are of no concern are taken as well. */
static const struct criterion_test *take_test(queue *q)
{
  const struct criterion_test *t = __atomic_load_n(&q->next, __ATOMIC_SEQ_CST);
  while (t) {
    if (!__atomic_compare_exchange_n(&q->next, &t, t->next, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST))
      continue;
    if (is_wanted(t, q->filter)) {
      if (q->end == 0 || time(NULL) < q->end) return t;
      __atomic_add_fetch(&q->left_out, 1, __ATOMIC_SEQ_CST);
    }
    t = __atomic_load_n(&q->next, __ATOMIC_SEQ_CST);
  }
  return NULL;
}

static void run_test(const struct criterion_test *test)
{
  const struct criterion_options o = options_of(test);
  if (o.disabled) _exit(EXIT_SKIPPED);
  alarm(o.timeout > 0 ? (unsigned)(o.timeout * SLOWER) + 1 : DEFAULT_TIMEOUT_S);
  if (o.init) o.init();
  test->run();
  if (o.fini) o.fini();
  alarm(0);
}

/* A test that must end its process is the child's last one. */
static void run_in_child(queue *q, told *told)
{
  if (q->together) keep_gpu();
  for (;;) {
    run_test(told->test);
    const struct criterion_options o = options_of(told->test);
    const struct criterion_test *next = NULL;
    if (q->together && !child_failed && o.signal == 0 && o.exit_code == 0) next = take_test(q);
    if (next == NULL) break;
    told->test = next;
    told->n_passed++;
  }
  fflush(NULL);
  exit(child_failed ? EXIT_FAILED : 0);
}

/* A child. What it says goes to a file, so that children at a time do not mix their lines. */
typedef struct child {
  pid_t pid; /* 0: none */
  told *told;
  FILE *said;
  double since; /* seconds of the monotonic clock */
} child;

typedef struct sums {
  int run, passed, failed, crashed;
} sums;

static double seconds_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void show(FILE *said)
{
  char bytes[4096];
  size_t n;
  rewind(said);
  while ((n = fread(bytes, 1, sizeof bytes, said)) > 0) fwrite(bytes, 1, n, stderr);
  fflush(stderr);
}

/* Judges the last test of a child by how the child ended. */
static void judge(const told *told, int status, sums *s)
{
  const struct criterion_test *t = told->test;
  const struct criterion_options o = options_of(t);
  s->run += told->n_passed;
  s->passed += told->n_passed;
  if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SKIPPED) {
    fprintf(stderr, "[SKIP] %s::%s\n", t->suite, t->name);
    return;
  }
  s->run++;
  const int signal_got = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  if (signal_got == o.signal && code == o.exit_code) {
    s->passed++;
    return;
  }
  s->failed++;
  s->crashed += signal_got != 0;
  fprintf(stderr, "[FAIL] %s::%s: exit code %d, signal %d\n", t->suite, t->name, code, signal_got);
}

/* Starts a child for the next test. Returns false if there is none. */
static bool start(child *c, queue *q)
{
  const struct criterion_test *t = take_test(q);
  if (t == NULL) return false;
  *c->told = (told){.test = t};
  c->said = tmpfile();
  c->since = seconds_now();
  fflush(NULL);
  c->pid = fork();
  if (c->pid == 0) {
    if (c->said) {
      dup2(fileno(c->said), STDOUT_FILENO);
      dup2(fileno(c->said), STDERR_FILENO);
    }
    run_in_child(q, c->told);
  }
  if (c->pid < 0) {
    perror("fork");
    exit(1);
  }
  return true;
}

/* Waits until one of the children has ended, and frees its place. */
static void end_one(child *children, int n, bool verbose, sums *s)
{
  int status;
  pid_t pid;
  do pid = wait(&status);
  while (pid < 0 && errno == EINTR);
  for (int i = 0; i < n; i++) {
    child *c = &children[i];
    if (pid < 0 || c->pid != pid) continue;
    if (c->said) {
      show(c->said);
      fclose(c->said);
    }
    const int n_passed = s->passed;
    judge(c->told, status, s);
    if (verbose && s->passed > n_passed)
      fprintf(stderr, "[PASS] %s::%s: (%.2fs)\n", c->told->test->suite, c->told->test->name,
              seconds_now() - c->since);
    c->pid = 0;
  }
}

typedef struct options {
  const char *filter;
  long n_jobs, seconds; /* seconds: 0 has no end */
  bool lists, together, verbose;
} options;

static options read_options(int argc, char **argv)
{
  options o = {.filter = "", .n_jobs = JOBS > 0 ? JOBS : sysconf(_SC_NPROCESSORS_ONLN)};
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (!strcmp(argv[i], "--filter")) o.filter = value;
    if (!strcmp(argv[i], "--jobs")) o.n_jobs = atol(value);
    if (!strncmp(argv[i], "-j", 2)) o.n_jobs = atol(argv[i] + 2);
    if (!strcmp(argv[i], "--seconds")) o.seconds = atol(value);
    if (!strcmp(argv[i], "--together")) o.together = true;
    if (!strcmp(argv[i], "--list")) o.lists = true;
    if (!strcmp(argv[i], "--verbose")) o.verbose = true;
  }
  if (o.n_jobs < 1) o.n_jobs = 1;
  if (o.n_jobs > MOST_JOBS) o.n_jobs = MOST_JOBS;
  return o;
}

/* Memory that children share with their parent. */
static void *share(size_t bytes)
{
  void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (p != MAP_FAILED) return p;
  perror("mmap");
  exit(1);
}

/* Returns how many tests were left out for want of time. */
static int run_all(const options *given, sums *s)
{
  child children[MOST_JOBS] = {{0}};
  told *told = share(MOST_JOBS * sizeof *told);
  queue *q = share(sizeof *q);
  *q = (queue){.next = all_tests, .filter = given->filter, .together = given->together};
  if (given->seconds > 0) q->end = time(NULL) + given->seconds;
  int n_running = 0;
  for (int i = 0; i < MOST_JOBS; i++) children[i].told = &told[i];
  for (;;) {
    for (; n_running == given->n_jobs; n_running--) end_one(children, MOST_JOBS, given->verbose, s);
    int free_place = 0;
    while (children[free_place].pid) free_place++;
    if (!start(&children[free_place], q)) break;
    n_running++;
  }
  for (; n_running > 0; n_running--) end_one(children, MOST_JOBS, given->verbose, s);
  return q->left_out;
}

int main(int argc, char **argv)
{
  const options o = read_options(argc, argv);
  sums s = {0};
  if (o.lists) {
    for (const struct criterion_test *t = all_tests; t; t = t->next)
      if (is_wanted(t, o.filter)) printf("%s/%s\n", t->suite, t->name);
    return 0;
  }
  const int left_out = run_all(&o, &s);
  fprintf(stderr, "[====] Synthesis: Tested: %d | Passing: %d | Failing: %d | Crashing: %d", s.run,
          s.passed, s.failed, s.crashed);
  if (left_out > 0) fprintf(stderr, " | Left out for want of time: %d", left_out);
  fprintf(stderr, "\n");
  return s.failed ? 1 : 0;
}
