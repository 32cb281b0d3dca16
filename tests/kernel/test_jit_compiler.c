/* Compilers that fail, hang or are not there, many threads and processes at once, forks; kernels
 * that are compiled together. */
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "tests/kernel/place.h"
#include "tests/support/child.h"

/* Compilers. */

Test(jit, without_a_compiler_everything_is_interpreted)
{
  static const struct {
    int debug;
    const char *compiler, *says;
  } cases[] = {{0, "cc", ""},
               {1, "cc", "tessera: no C compiler, kernels stay interpreted: cc\n"},
               {0, "/no/such",
                "tessera: warning: TESSERA_COMPILER=/no/such is no program that can "
                "be run; kernels stay interpreted\n"}};
  PLACE p = place_made("eager");
  setenv("PATH", "", 1);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    p.config.debug = cases[i].debug;
    strcpy(p.config.compiler, cases[i].compiler);
    capture c = capture_stderr();
    cr_expect_eq(place_life(&p, false).n_failed, 1u);
    char *said = capture_end(&c);
    cr_expect_str_eq(said, cases[i].says);
    free(said);
  }
}

/* A file system in its place hides it; not everywhere may a test do that. */
static bool hide_proc(void)
{
  return unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
         mount("none", "/proc", "tmpfs", 0, NULL) == 0;
}

Test(jit, without_proc_the_cache_stays_as_it_is, .timeout = 60)
{
  PLACE p = place_made("eager");
  cr_expect_eq(place_life(&p, true).n_compiled, 1u);
  const int64_t bytes = place_bytes(&p);
  const pid_t child = fork_child();
  if (child == 0) {
    if (!hide_proc()) _exit(0);
    capture c = capture_stderr();
    const tsr_jit_stats stats = place_life(&p, false);
    char *said = capture_end(&c);
    _exit(stats.n_failed == 1 && stats.n_refused == 0 && place_bytes(&p) == bytes &&
                  strstr(said, "through /proc, which is not there; kernels stay interpreted")
              ? 0
              : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  cr_expect_eq(status, 0);
  cr_expect_eq(place_life(&p, true).n_cached, 1u);
}

/* A compiler that does this has failed: kernels stay interpreted, which is said, and nothing is
 * kept. */
static void expect_failure(const char *does, const char *says)
{
  PLACE p = place_made("eager");
  place_compiler(&p, does);
  capture c = capture_stderr();
  const tsr_jit_stats stats = place_life(&p, false);
  char *said = capture_end(&c);
  cr_expect_eq(stats.n_failed, 1u, "%s", does);
  cr_expect(strstr(said, says), "%s: %s", does, said);
  cr_expect_eq(place_bytes(&p), 0, "%s: nothing is kept", does);
  free(said);
}

/* The same of three kernels, of which the first says so. */
static void expect_one_warning(const char *does, const char *says)
{
  PLACE p = place_made("eager");
  place_compiler(&p, does);
  JIT *jit = tsr__jit_create(&p.config);
  capture c = capture_stderr();
  for (int n = 1; n <= 3; n++) cr_expect_not(place_runs_compiled(jit, n));
  char *said = capture_end(&c);
  cr_expect_eq(tsr__jit_stats(jit).n_failed, 3u, "%s", does);
  const char *warning = strstr(said, says);
  cr_expect(warning && !strstr(warning + strlen(says), "kernels stay interpreted"), "%s", said);
  cr_expect_eq(place_bytes(&p), 0, "%s: nothing is kept", does);
  free(said);
}

/* What compilers begin with: o is the file to be written, n its bytes. */
#define OUTPUT "while [ $# -gt 2 ]; do shift; done\no=${2%c}so\n"
#define COMPILES "cc \"$@\" || exit 1\n" OUTPUT
#define SHORTENS COMPILES "n=$(stat -c %s \"$o\")\ntruncate -s $((n * percent / 100)) \"$o\"\n"

Test(jit, a_compiler_that_fails_is_told_once)
{
  expect_one_warning("echo 'no such luck' >&2; exit 1",
                     "failed: no such luck; kernels stay interpreted");
}

Test(jit, a_compiler_that_writes_other_code_is_a_compiler_that_fails)
{
  expect_one_warning(OUTPUT "echo 'int other = 1;' | cc -x c -shared -o \"$o\" -",
                     "cc wrote a shared object without the kernels; kernels stay interpreted");
}

Test(jit, a_compiler_that_crashes_or_gives_rubbish_is_a_compiler_that_fails)
{
  expect_failure("kill -SEGV $$", "kernels stay interpreted");
  expect_failure(OUTPUT "echo rubbish > \"$o\"", "kernels stay interpreted");
}

/* The loader would touch what is missing. What was lost when a file was written, and reads as zeros,
 * would be code that crashes; also where the end of the file is as it was. */
Test(jit, a_compiler_that_loses_a_part_is_a_compiler_that_fails, .timeout = 120)
{
  static const char says[] = "wrote no whole shared object; kernels stay interpreted";
  for (int percent = 0; percent < 100; percent += 9) {
    char does[400];
    snprintf(does, sizeof does, "percent=%d\n%s", percent, SHORTENS);
    expect_failure(does, says);
    snprintf(does, sizeof does, "percent=%d\n%s", percent, SHORTENS "truncate -s $n \"$o\"");
    expect_failure(does, says);
  }
  expect_failure(COMPILES
                 "at=$(readelf -SW \"$o\" | sed -n 's/.* \\.text *PROGBITS *[0-9a-f]* "
                 "\\([0-9a-f]*\\) .*/\\1/p')\n"
                 "dd if=/dev/zero of=\"$o\" bs=512 count=2 seek=$((0x$at / 512)) conv=notrunc "
                 "2>/dev/null",
                 says);
}

static int n_entries_of(const char *path);

Test(jit, a_compiler_that_makes_directories_leaves_none)
{
  PLACE p = place_made("eager");
  place_compiler(&p, "while [ $# -gt 2 ]; do shift; done\n"
                     "mkdir -p \"${2%c}so/a/b\"; echo 1 > \"${2%c}so/a/c\"");
  capture c = capture_stderr();
  cr_expect_eq(place_life(&p, false).n_failed, 1u);
  char *said = capture_end(&c);
  cr_expect(strstr(said, "wrote no whole shared object"), "%s", said);
  free(said);
  cr_expect_eq(n_entries_of(p.dir), 2, "cc and lock");
}

static void want(tsr_jit *jit, int n)
{
  void *nowhere[2] = {jit, jit};
  const int64_t stride[2][TSR_MAX_NDIM] = {{8}, {8}};
  const tsr_kernel_bind bind = {.n = {N_POINTS}, .base = nowhere, .stride_bytes = stride};
  tsr_kernel *k = place_kernel(n);
  tsr__jit_want(jit, k, &bind);
  tsr__kernel_destroy(k);
}

/* Refuses files of more than one kernel. */
Test(jit, what_is_refused_in_company_is_compiled_alone, .timeout = 60)
{
  PLACE p = place_made("eager");
  place_compiler(&p, "for last; do :; done\n"
                     "[ $(grep -c '^void k_' \"$last\") = 1 ] || exit 1\n"
                     "exec cc \"$@\"");
  JIT *jit = tsr__jit_create(&p.config);
  for (int n = 1; n <= 4; n++) want(jit, n);
  tsr__jit_wait(jit);
  for (int n = 1; n <= 4; n++) cr_expect(place_runs_compiled(jit, n));
  cr_expect_eq(tsr__jit_stats(jit).n_failed, 0u);
  cr_expect_eq(tsr__jit_stats(jit).n_compilers, 5u, "all together, then each alone");
}

/* What waits together is compiled together, in eager mode too: no kernel waits for one before it.
 */
Test(jit, kernels_wanted_together_are_compiled_together, .timeout = 60)
{
  PLACE p = place_made("eager");
  JIT *jit = tsr__jit_create(&p.config);
  cr_expect(tsr__jit_is_eager(jit));
  for (int n = 1; n <= 8; n++) {
    want(jit, n);
    want(jit, n);
  }
  for (int n = 1; n <= 8; n++) cr_expect(place_runs_compiled(jit, n));
  cr_expect_eq(tsr__jit_stats(jit).n_compilers, 1u);
  cr_expect_eq(tsr__jit_stats(jit).n_compiled, 8u);
}

/* Kernels that differ in a pattern's number only have the same code. */
Test(jit, kernels_of_the_same_code_are_compiled_together, .timeout = 60)
{
  PLACE p = place_made("eager");
  JIT *jit = tsr__jit_create(&p.config);
  double in[N_POINTS] = {0}, out[N_POINTS];
  const int64_t stride[2][TSR_MAX_NDIM] = {{8}, {8}};
  const tsr_kernel_bind bind = {
      .n = {N_POINTS}, .base = (void *const[]){in, out}, .stride_bytes = stride};
  tsr_kernel *k[3];
  for (int i = 0; i < 3; i++) {
    tsr_kernel_builder *b = tsr__kernel_builder_create(1);
    const int x = tsr__kernel_load(b, tsr__kernel_access_add(b, TSR_FLOAT64, false, 0, i));
    tsr__kernel_store(b, tsr__kernel_access_add(b, TSR_FLOAT64, true, 1, 0), x);
    k[i] = tsr__kernel_finish(b);
    tsr__kernel_prepare(k[i]);
    tsr__jit_want(jit, k[i], &bind);
  }
  void *scratch = aligned_alloc(64, (tsr__kernel_scratch_bytes(k[0]) + 64) / 64 * 64);
  for (int i = 0; i < 3; i++) {
    cr_expect(tsr__jit_run(jit, k[i], &bind, scratch, NULL));
    tsr__kernel_destroy(k[i]);
  }
  cr_expect_eq(tsr__jit_stats(jit).n_compilers, 1u);
  cr_expect_eq(tsr__jit_stats(jit).n_failed, 0u);
  free(scratch);
}

/* The process that the script left its id of is gone. */
static void expect_gone(const place *p)
{
  char path[160];
  int pid = 0;
  snprintf(path, sizeof path, "%s/pid", p->dir);
  FILE *f = fopen(path, "r");
  cr_assert(f && fscanf(f, "%d", &pid) == 1 && pid > 1);
  fclose(f);
  for (int i = 0; i < 500 && kill(pid, 0) == 0; i++) usleep(10000);
  cr_expect(kill(pid, 0) < 0 && errno == ESRCH);
}

static void write_hanging_compiler(place *p, const char *how)
{
  char text[256];
  snprintf(text, sizeof text, "echo $$ > %s/pid; %s; exit 1", p->dir, how);
  place_compiler(p, text);
}

/* One that sleeps is ended by the clock, one that computes, or starts who does, by what it used. */
Test(jit, a_compiler_that_hangs_is_ended, .timeout = 120)
{
  const char *ways[] = {"sleep 1000", "while :; do :; done", "sh -c 'while :; do :; done'"};
  for (int i = 0; i < 3; i++) {
    PLACE p = place_made("eager");
    write_hanging_compiler(&p, ways[i]);
    p.config.jit_limit_s = 1;
    JIT *jit = tsr__jit_create(&p.config);
    capture c = capture_stderr();
    for (int n = 1; n <= 3; n++) cr_expect_not(place_runs_compiled(jit, n));
    char *said = capture_end(&c);
    cr_expect_eq(tsr__jit_stats(jit).n_compilers, 1u, "it is not asked again");
    cr_expect(strstr(said, "took longer than TESSERA_JIT_LIMIT_S"), "%s", said);
    expect_gone(&p);
    free(said);
  }
}

Test(jit, the_end_does_not_wait_for_a_compiler, .timeout = 30)
{
  PLACE p = place_made("lazy");
  write_hanging_compiler(&p, "sleep 1000");
  tsr_jit *jit = tsr__jit_create(&p.config);
  place_runs_compiled(jit, 1);
  char path[160];
  snprintf(path, sizeof path, "%s/pid", p.dir);
  struct stat st;
  for (int i = 0; i < 1000 && (stat(path, &st) < 0 || st.st_size == 0); i++) usleep(5000);
  tsr__jit_destroy(jit);
  expect_gone(&p);
}

static int n_entries_of(const char *path)
{
  int n = 0;
  DIR *d = opendir(path);
  for (struct dirent *e; d && (e = readdir(d));) n += e->d_name[0] != '.';
  if (d) closedir(d);
  return n;
}

/* A killed process leaves neither the compiler nor what it worked on, whether the compiler itself
 * sleeps or a process of its does. */
Test(jit, a_compiler_ends_with_its_process, .timeout = 60)
{
  const char *ways[] = {"exec sleep 1000", "sh -c 'trap \"\" TERM; sleep 1000; sleep 1000'"};
  for (int i = 0; i < 2; i++) {
    PLACE p = place_made("lazy");
    write_hanging_compiler(&p, ways[i]);
    char path[160];
    snprintf(path, sizeof path, "%s/pid", p.dir);
    const pid_t child = fork_child();
    if (child == 0) {
      tsr_jit *jit = tsr__jit_create(&p.config);
      place_runs_compiled(jit, 1);
      pause();
    }
    struct stat st;
    for (int k = 0; k < 2000 && (stat(path, &st) < 0 || st.st_size == 0); k++) usleep(5000);
    cr_expect_eq(n_entries_of(p.dir), 4, "cc, lock, pid and a directory to work in");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    expect_gone(&p);
    for (int k = 0; k < 2000 && n_entries_of(p.dir) > 3; k++) usleep(5000);
    cr_expect_eq(n_entries_of(p.dir), 3, "what it worked on is gone");
  }
}

/* Many at once. */

enum { N_KERNELS = 3, N_AT_ONCE = 8 };

typedef struct runner {
  pthread_t thread;
  tsr_jit *jit;
  int n_compiled;
  bool right;
} runner;

static void *run_many(void *arg)
{
  runner *r = arg;
  for (int n = 1; n <= N_KERNELS; n++) r->n_compiled += place_run(r->jit, n, &r->right);
  return NULL;
}

Test(jit, threads_share_what_is_compiled, .timeout = 60)
{
  PLACE p = place_made("eager");
  JIT *jit = tsr__jit_create(&p.config);
  runner r[N_AT_ONCE];
  for (int i = 0; i < N_AT_ONCE; i++) {
    r[i] = (runner){.jit = jit, .right = true};
    cr_assert_eq(pthread_create(&r[i].thread, NULL, run_many, &r[i]), 0);
  }
  for (int i = 0; i < N_AT_ONCE; i++) {
    pthread_join(r[i].thread, NULL);
    cr_expect(r[i].right);
    cr_expect_eq(r[i].n_compiled, N_KERNELS);
  }
  cr_expect_eq(tsr__jit_stats(jit).n_compiled, (uint64_t)N_KERNELS);
}

/* Exit status: kernels that this process compiled; 100 if something is wrong. */
static int live(const place *p)
{
  tsr_jit *jit = tsr__jit_create(&p->config);
  bool right = true;
  for (int n = 1; n <= N_KERNELS; n++) right = place_run(jit, n, &right) && right;
  const int n_compiled = (int)tsr__jit_stats(jit).n_compiled;
  tsr__jit_destroy(jit);
  return right ? n_compiled : 100;
}

Test(jit, processes_compile_a_kernel_once, .timeout = 120)
{
  PLACE p = place_made("eager");
  pid_t pid[N_AT_ONCE];
  for (int i = 0; i < N_AT_ONCE; i++)
    if ((pid[i] = fork_child()) == 0) _exit(live(&p));
  int n_compiled = 0;
  for (int i = 0; i < N_AT_ONCE; i++) {
    int status;
    cr_assert_eq(waitpid(pid[i], &status, 0), pid[i]);
    cr_assert(WIFEXITED(status));
    n_compiled += WEXITSTATUS(status);
  }
  cr_expect_eq(n_compiled, N_KERNELS);
}

Test(jit, a_fork_keeps_what_is_ready_and_interprets_the_rest, .timeout = 60)
{
  PLACE p = place_made("eager");
  JIT *jit = tsr__jit_create(&p.config);
  cr_assert(place_runs_compiled(jit, 1));
  tsr__jit_wait(jit); /* the sanitizers' allocator keeps the locks of threads that a child lacks */
  const pid_t pid = fork_child();
  if (pid == 0) {
    bool right = true;
    const bool ready = place_run(jit, 1, &right), fresh = place_run(jit, 2, &right);
    tsr__jit_destroy(jit);
    _exit(ready && !fresh && right ? 0 : 1);
  }
  int status;
  cr_assert_eq(waitpid(pid, &status, 0), pid);
  cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  cr_expect(place_runs_compiled(jit, 2));
}
