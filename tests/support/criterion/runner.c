/* Runs the tests of a program built under ThreadSanitizer: each in a forked child, one after
 * another, and reports in Criterion's form (`[FAIL] suite::name`, a last line of sums). `--filter
 * TEXT` runs those whose `suite/name` holds TEXT; other options of Criterion are ignored. The lists
 * of tests are the only process-wide state. */
#include "criterion.h"

#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_FAILED = 101, EXIT_SKIPPED = 102, DEFAULT_TIMEOUT_S = 120 };

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

static void run_in_child(const struct criterion_test *test, const struct criterion_options *o)
{
  /* The time limits were written without ThreadSanitizer, which makes a program some ten times
   * slower. */
  alarm(o->timeout > 0 ? (unsigned)(o->timeout * 20) + 1 : DEFAULT_TIMEOUT_S);
  if (o->init) o->init();
  test->run();
  if (o->fini) o->fini();
  fflush(NULL);
  exit(child_failed ? EXIT_FAILED : 0);
}

int main(int argc, char **argv)
{
  const char *filter = argc > 2 && strcmp(argv[1], "--filter") == 0 ? argv[2] : "";
  int n_run = 0, n_passed = 0, n_failed = 0, n_crashed = 0;
  for (const struct criterion_test *t = all_tests; t; t = t->next) {
    char name[256];
    snprintf(name, sizeof name, "%s/%s", t->suite, t->name);
    if (!strstr(name, filter)) continue;
    const struct criterion_options o = options_of(t);
    fflush(NULL);
    int status = EXIT_SKIPPED << 8;
    if (!o.disabled) {
      const pid_t pid = fork();
      if (pid == 0) run_in_child(t, &o);
      if (pid < 0 || waitpid(pid, &status, 0) != pid) status = SIGABRT;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SKIPPED) {
      printf("[SKIP] %s::%s\n", t->suite, t->name);
      continue;
    }
    n_run++;
    const int signal_got = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    if (signal_got == o.signal && code == o.exit_code) {
      n_passed++;
    } else {
      n_failed++;
      n_crashed += signal_got != 0;
      printf("[FAIL] %s::%s: exit code %d, signal %d\n", t->suite, t->name, code, signal_got);
    }
  }
  printf("[====] Synthesis: Tested: %d | Passing: %d | Failing: %d | Crashing: %d\n", n_run,
         n_passed, n_failed, n_crashed);
  return n_failed ? 1 : 0;
}
