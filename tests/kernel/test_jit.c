/* The compiler cache: what is taken from disk and what is refused, compilers that fail, hang or are
 * not there, many threads and processes at once, forks, and the size on disk. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "kernel/jit_int.h"

enum { N_POINTS = 100 };

/* What is written to stderr between the two calls. */
typedef struct capture {
  FILE *file;
  int saved;
} capture;

static capture capture_stderr(void)
{
  capture c = {.file = tmpfile()};
  cr_assert_not_null(c.file);
  fflush(stderr);
  c.saved = dup(STDERR_FILENO);
  dup2(fileno(c.file), STDERR_FILENO);
  return c;
}

static char *capture_end(capture *c)
{
  fflush(stderr);
  dup2(c->saved, STDERR_FILENO);
  close(c->saved);
  char *text = calloc(4096, 1);
  rewind(c->file);
  const size_t n = fread(text, 1, 4095, c->file);
  text[n] = 0;
  fclose(c->file);
  return text;
}

/* A directory of this test's own, removed with what is in it when the test ends well. */
typedef struct place {
  char dir[64];
  tsr_config config;
} place;

static void place_make(place *p, const char *mode)
{
  char message[256];
  cr_assert_eq(tsr__config_read(&p->config, message, sizeof message), TSR_OK, "%s", message);
  strcpy(p->dir, "/tmp/tsr-jit-XXXXXX");
  cr_assert_not_null(mkdtemp(p->dir));
  snprintf(p->config.jit, sizeof p->config.jit, "%s", mode);
  snprintf(p->config.cache, sizeof p->config.cache, "%s", p->dir);
  p->config.jit_after = 0;
}

static void place_remove(const place *p)
{
  tsr__work_remove(p->dir);
}

/* out = in + s + s + … (n times): a kernel of its own for each n. */
static tsr_kernel *make_kernel(int n)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  int v = tsr__kernel_load(b, tsr__kernel_access_add(b, TSR_FLOAT64, false, 0, 0));
  const int out = tsr__kernel_access_add(b, TSR_FLOAT64, true, 1, 0);
  const int s = tsr__kernel_scalar(b, tsr__kernel_scalar_add(b, TSR_FLOAT64));
  for (int i = 0; i < n; i++)
    v = tsr__kernel_op(b, TSR_OP_ADD, TSR_FLOAT64, TSR_FLOAT64, 2, (int[]){v, s});
  tsr__kernel_store(b, out, v);
  tsr_kernel *k = tsr__kernel_finish(b);
  tsr__kernel_prepare(k);
  return k;
}

/* Runs make_kernel(n); whether compiled code ran. *right becomes false on a wrong result. */
static bool run_kernel(tsr_jit *jit, int n, bool *right)
{
  double in[N_POINTS], out[N_POINTS];
  for (int i = 0; i < N_POINTS; i++) in[i] = i, out[i] = -1;
  tsr_kernel *k = make_kernel(n);
  const int64_t stride[2][TSR_MAX_NDIM] = {{8}, {8}};
  const tsr_scalar s = {.dtype = TSR_FLOAT64, .u.f = 0.5};
  const tsr_kernel_bind bind = {
      .n = {N_POINTS}, .base = (void *const[]){in, out}, .stride_bytes = stride, .scalars = &s};
  void *scratch = aligned_alloc(64, (tsr__kernel_scratch_bytes(k) + 64) / 64 * 64);
  const bool compiled = tsr__jit_run(jit, k, &bind, scratch);
  for (int i = 0; i < N_POINTS; i++)
    if (out[i] != i + 0.5 * n) *right = false;
  free(scratch);
  tsr__kernel_destroy(k);
  return compiled;
}

static bool runs_compiled(tsr_jit *jit, int n)
{
  bool right = true;
  const bool compiled = run_kernel(jit, n, &right);
  cr_expect(right);
  return compiled;
}

/* One kernel in a process's life; what happened. */
static tsr_jit_stats one_life(const place *p, bool expect_compiled)
{
  tsr_jit *jit = tsr__jit_create(&p->config);
  cr_expect_eq(runs_compiled(jit, 3), expect_compiled);
  const tsr_jit_stats stats = tsr__jit_stats(jit);
  tsr__jit_destroy(jit);
  return stats;
}

/* Path of the one entry in the cache. */
static void find_entry(const place *p, char *path, size_t size)
{
  DIR *d = opendir(p->dir);
  int n = 0;
  for (struct dirent *e; (e = readdir(d));) {
    if (!strstr(e->d_name, ".so")) continue;
    snprintf(path, size, "%s/%.80s", p->dir, e->d_name);
    n++;
  }
  closedir(d);
  cr_assert_eq(n, 1);
}

static int64_t bytes_in(const place *p)
{
  int64_t bytes = 0;
  DIR *d = opendir(p->dir);
  for (struct dirent *e; (e = readdir(d));) {
    struct stat st;
    if (strstr(e->d_name, ".so") && fstatat(dirfd(d), e->d_name, &st, 0) == 0) bytes += st.st_size;
  }
  closedir(d);
  return bytes;
}

/* An executable script as the compiler. */
static void write_compiler(place *p, const char *text)
{
  snprintf(p->config.compiler, sizeof p->config.compiler, "%s/cc", p->dir);
  FILE *f = fopen(p->config.compiler, "w");
  cr_assert_not_null(f);
  fprintf(f, "#!/bin/sh\n%s\n", text);
  fclose(f);
  cr_assert_eq(chmod(p->config.compiler, 0700), 0);
}

/* --- digests -----------------------------------------------------------------------------------
 */

static void expect_digest(const char *text, size_t repeat, const char *expected)
{
  tsr_digest d;
  char hex[TSR_DIGEST_HEX + 1];
  tsr__digest_begin(&d);
  for (size_t i = 0; i < repeat; i++) tsr__digest_add(&d, text, strlen(text));
  tsr__digest_end(&d, hex);
  cr_expect_str_eq(hex, expected);
}

Test(jit, digests_are_those_of_the_standard)
{
  expect_digest("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect_digest("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect_digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  expect_digest("a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* --- the cache ---------------------------------------------------------------------------------
 */

Test(jit, off_is_no_jit)
{
  place p;
  place_make(&p, "off");
  cr_expect_null(tsr__jit_create(&p.config));
  cr_expect_not(runs_compiled(NULL, 3));
  place_remove(&p);
}

Test(jit, a_second_life_takes_the_kernel_from_disk)
{
  place p;
  place_make(&p, "eager");
  const tsr_jit_stats first = one_life(&p, true), second = one_life(&p, true);
  cr_expect_eq(first.n_compiled, 1u);
  cr_expect_eq(first.n_compilers, 1u);
  cr_expect_eq(second.n_cached, 1u);
  cr_expect_eq(second.n_compilers, 0u);
  struct stat st;
  cr_assert_eq(stat(p.dir, &st), 0);
  cr_expect_eq(st.st_mode & 0777, 0700u);
  place_remove(&p);
}

Test(jit, other_flags_are_another_kernel)
{
  place p;
  place_make(&p, "eager");
  one_life(&p, true);
  write_compiler(&p, "exec cc \"$@\"");
  const tsr_jit_stats other = one_life(&p, true);
  cr_expect_eq(other.n_cached, 0u);
  cr_expect_eq(other.n_compiled, 1u);
  place_remove(&p);
}

Test(jit, lazy_interprets_until_the_kernel_has_earned_it)
{
  place p;
  place_make(&p, "lazy");
  p.config.jit_after = 3 * N_POINTS * 6; /* instructions of the kernel: 6 */
  tsr_jit *jit = tsr__jit_create(&p.config);
  cr_expect_not(runs_compiled(jit, 3));
  cr_expect_not(runs_compiled(jit, 3));
  tsr__jit_wait(jit);
  cr_expect_eq(tsr__jit_stats(jit).n_compilers, 0u);
  runs_compiled(jit, 3);
  tsr__jit_wait(jit);
  cr_expect_eq(tsr__jit_stats(jit).n_compilers, 1u);
  cr_expect(runs_compiled(jit, 3));
  tsr__jit_destroy(jit);
  place_remove(&p);
}

typedef enum harm { CHANGED, CUT, EMPTY, WRITABLE, FOREIGN, LINKED, RUBBISH, N_HARMS } harm;

/* Sealed, as if it had been made so. */
static bool write_rubbish(const char *path)
{
  FILE *f = fopen(path, "w");
  bool done = f && fputs("this is no shared object", f) >= 0;
  return f && fclose(f) == 0 && done && tsr__cache_seal(path);
}

static bool do_harm(const char *path, harm what)
{
  char other[192];
  const int fd = open(path, O_RDWR);
  struct stat st;
  cr_assert(fd >= 0 && fstat(fd, &st) == 0);
  bool done = true;
  char byte;
  switch (what) {
  case CHANGED:
    done = pread(fd, &byte, 1, st.st_size / 2) == 1;
    byte ^= 1;
    done = done && pwrite(fd, &byte, 1, st.st_size / 2) == 1;
    break;
  case CUT:
    done = ftruncate(fd, st.st_size - 100) == 0;
    break;
  case EMPTY:
    done = ftruncate(fd, 0) == 0;
    break;
  case WRITABLE:
    done = fchmod(fd, 0666) == 0;
    break;
  case FOREIGN:
    done = fchown(fd, 12345, 12345) == 0; /* only root can */
    break;
  case RUBBISH:
    done = write_rubbish(path);
    break;
  default:
    snprintf(other, sizeof other, "%.150s.moved", path);
    done = rename(path, other) == 0 && symlink(other, path) == 0;
  }
  close(fd);
  return done;
}

Test(jit, what_is_not_to_be_trusted_is_refused_and_made_anew, .timeout = 60)
{
  for (int what = 0; what < N_HARMS; what++) {
    place p;
    place_make(&p, "eager");
    one_life(&p, true);
    char path[160];
    find_entry(&p, path, sizeof path);
    if (!do_harm(path, what)) {
      cr_expect_eq(what, FOREIGN);
      cr_expect_neq(geteuid(), 0u);
      fputs("SKIP an entry of another user: only root can make one\n", stderr);
      place_remove(&p);
      continue;
    }
    capture c = capture_stderr();
    const tsr_jit_stats again = one_life(&p, true), third = one_life(&p, true);
    char *said = capture_end(&c);
    cr_expect_eq(again.n_refused, 1u, "harm %d", what);
    cr_expect_eq(again.n_compiled, 1u, "harm %d", what);
    cr_expect_eq(third.n_cached, 1u, "harm %d", what);
    const char *warning = strstr(said, "tessera: warning: the kernel cache does not use");
    cr_expect(warning && !strstr(warning + 1, "tessera: "), "harm %d: %s", what, said);
    free(said);
    place_remove(&p);
  }
}

Test(jit, a_directory_open_to_others_is_not_used)
{
  place p;
  place_make(&p, "eager");
  cr_assert_eq(chmod(p.dir, 0755), 0);
  capture c = capture_stderr();
  const tsr_jit_stats stats = one_life(&p, true);
  char *said = capture_end(&c);
  cr_expect_eq(stats.n_compiled, 1u, "it works without the cache");
  cr_expect_eq(bytes_in(&p), 0);
  cr_expect(strstr(said, "others may enter it"), "%s", said);
  free(said);
  place_remove(&p);
}

/* Two bad entries are told of once, and both are made anew. */
Test(jit, one_warning_is_enough, .timeout = 60)
{
  place p;
  place_make(&p, "eager");
  for (int n = 1; n <= 2; n++) {
    tsr_jit *jit = tsr__jit_create(&p.config);
    runs_compiled(jit, n);
    tsr__jit_destroy(jit);
  }
  DIR *d = opendir(p.dir);
  for (struct dirent *e; (e = readdir(d));)
    if (strstr(e->d_name, ".so")) cr_expect_eq(fchmodat(dirfd(d), e->d_name, 0666, 0), 0);
  closedir(d);
  capture c = capture_stderr();
  tsr_jit *jit = tsr__jit_create(&p.config);
  for (int n = 1; n <= 2; n++) cr_expect(runs_compiled(jit, n));
  char *said = capture_end(&c);
  cr_expect_eq(tsr__jit_stats(jit).n_refused, 2u);
  cr_expect_eq(tsr__jit_stats(jit).n_compiled, 2u);
  const char *warning = strstr(said, "tessera: warning: ");
  cr_expect(warning && !strstr(warning + 1, "tessera: "), "%s", said);
  free(said);
  tsr__jit_destroy(jit);
  place_remove(&p);
}

Test(jit, the_cache_does_not_outgrow_its_limit, .timeout = 60)
{
  place p;
  place_make(&p, "eager");
  p.config.cache_bytes = 64 << 10;
  tsr_jit *jit = tsr__jit_create(&p.config);
  for (int n = 1; n <= 10; n++) {
    cr_expect(runs_compiled(jit, n));
    tsr__jit_wait(jit); /* the size is looked at after the kernel is given out */
    cr_expect_leq(bytes_in(&p), p.config.cache_bytes);
  }
  cr_expect_gt(bytes_in(&p), 0);
  tsr__jit_destroy(jit);
  place_remove(&p);
}

/* --- compilers ---------------------------------------------------------------------------------
 */

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
  place p;
  place_make(&p, "eager");
  setenv("PATH", "", 1);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    p.config.debug = cases[i].debug;
    strcpy(p.config.compiler, cases[i].compiler);
    capture c = capture_stderr();
    cr_expect_eq(one_life(&p, false).n_failed, 1u);
    char *said = capture_end(&c);
    cr_expect_str_eq(said, cases[i].says);
    free(said);
  }
  place_remove(&p);
}

Test(jit, a_compiler_that_fails_is_told_once)
{
  place p;
  place_make(&p, "eager");
  write_compiler(&p, "echo 'no such luck' >&2; exit 1");
  tsr_jit *jit = tsr__jit_create(&p.config);
  capture c = capture_stderr();
  for (int n = 1; n <= 3; n++) cr_expect_not(runs_compiled(jit, n));
  char *said = capture_end(&c);
  cr_expect_eq(tsr__jit_stats(jit).n_failed, 3u);
  const char *warning = strstr(said, "failed: no such luck; kernels stay interpreted");
  cr_expect(warning && !strstr(warning + 1, "failed"), "%s", said);
  free(said);
  tsr__jit_destroy(jit);
  place_remove(&p);
}

Test(jit, a_compiler_that_crashes_is_a_compiler_that_fails)
{
  place p;
  place_make(&p, "eager");
  write_compiler(&p, "kill -SEGV $$");
  capture c = capture_stderr();
  const tsr_jit_stats stats = one_life(&p, false);
  char *said = capture_end(&c);
  cr_expect_eq(stats.n_failed, 1u);
  cr_expect(strstr(said, "kernels stay interpreted"), "%s", said);
  free(said);
  place_remove(&p);
}

Test(jit, a_compiler_that_gives_rubbish_is_a_compiler_that_fails)
{
  place p;
  place_make(&p, "eager");
  write_compiler(&p, "while [ $# -gt 2 ]; do shift; done; echo rubbish > \"${2%c}so\"");
  capture c = capture_stderr();
  const tsr_jit_stats stats = one_life(&p, false);
  free(capture_end(&c));
  cr_expect_eq(stats.n_failed, 1u);
  place_remove(&p);
}

/* Refuses files of more than one kernel. */
Test(jit, what_is_refused_in_company_is_compiled_alone, .timeout = 60)
{
  place p;
  place_make(&p, "lazy");
  write_compiler(&p, "for last; do :; done\n"
                     "sleep 0.2\n"
                     "[ $(grep -c '^void k_' \"$last\") = 1 ] || exit 1\n"
                     "exec cc \"$@\"");
  tsr_jit *jit = tsr__jit_create(&p.config);
  for (int n = 1; n <= 4; n++) runs_compiled(jit, n); /* the first alone, then three */
  tsr__jit_wait(jit);
  for (int n = 1; n <= 4; n++) cr_expect(runs_compiled(jit, n));
  cr_expect_eq(tsr__jit_stats(jit).n_failed, 0u);
  cr_expect_gt(tsr__jit_stats(jit).n_compilers, 4u);
  tsr__jit_destroy(jit);
  place_remove(&p);
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

static void write_hanging_compiler(place *p)
{
  char text[256];
  snprintf(text, sizeof text, "echo $$ > %s/pid; sleep 1000; exit 1", p->dir);
  write_compiler(p, text);
}

Test(jit, a_compiler_that_hangs_is_ended, .timeout = 60)
{
  place p;
  place_make(&p, "eager");
  write_hanging_compiler(&p);
  p.config.jit_limit_s = 1;
  tsr_jit *jit = tsr__jit_create(&p.config);
  capture c = capture_stderr();
  for (int n = 1; n <= 3; n++) cr_expect_not(runs_compiled(jit, n));
  char *said = capture_end(&c);
  cr_expect_eq(tsr__jit_stats(jit).n_compilers, 1u, "it is not asked again");
  cr_expect(strstr(said, "took longer than TESSERA_JIT_LIMIT_S"), "%s", said);
  expect_gone(&p);
  free(said);
  tsr__jit_destroy(jit);
  place_remove(&p);
}

Test(jit, the_end_does_not_wait_for_a_compiler, .timeout = 30)
{
  place p;
  place_make(&p, "lazy");
  write_hanging_compiler(&p);
  tsr_jit *jit = tsr__jit_create(&p.config);
  runs_compiled(jit, 1);
  char path[160];
  snprintf(path, sizeof path, "%s/pid", p.dir);
  struct stat st;
  for (int i = 0; i < 1000 && (stat(path, &st) < 0 || st.st_size == 0); i++) usleep(5000);
  tsr__jit_destroy(jit);
  expect_gone(&p);
  place_remove(&p);
}

/* --- many at once ------------------------------------------------------------------------------
 */

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
  for (int n = 1; n <= N_KERNELS; n++) r->n_compiled += run_kernel(r->jit, n, &r->right);
  return NULL;
}

Test(jit, threads_share_what_is_compiled, .timeout = 60)
{
  place p;
  place_make(&p, "eager");
  tsr_jit *jit = tsr__jit_create(&p.config);
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
  tsr__jit_destroy(jit);
  place_remove(&p);
}

/* Exit status: kernels that this process compiled; 100 if something is wrong. */
static int live(const place *p)
{
  tsr_jit *jit = tsr__jit_create(&p->config);
  bool right = true;
  for (int n = 1; n <= N_KERNELS; n++) right = run_kernel(jit, n, &right) && right;
  const int n_compiled = (int)tsr__jit_stats(jit).n_compiled;
  tsr__jit_destroy(jit);
  return right ? n_compiled : 100;
}

Test(jit, processes_compile_a_kernel_once, .timeout = 120)
{
  place p;
  place_make(&p, "eager");
  pid_t pid[N_AT_ONCE];
  for (int i = 0; i < N_AT_ONCE; i++)
    if ((pid[i] = fork()) == 0) _exit(live(&p));
  int n_compiled = 0;
  for (int i = 0; i < N_AT_ONCE; i++) {
    int status;
    cr_assert_eq(waitpid(pid[i], &status, 0), pid[i]);
    cr_assert(WIFEXITED(status));
    n_compiled += WEXITSTATUS(status);
  }
  cr_expect_eq(n_compiled, N_KERNELS);
  place_remove(&p);
}

Test(jit, a_fork_keeps_what_is_ready_and_interprets_the_rest, .timeout = 60)
{
  place p;
  place_make(&p, "eager");
  tsr_jit *jit = tsr__jit_create(&p.config);
  cr_assert(runs_compiled(jit, 1));
  const pid_t pid = fork();
  if (pid == 0) {
    bool right = true;
    const bool ready = run_kernel(jit, 1, &right), fresh = run_kernel(jit, 2, &right);
    tsr__jit_destroy(jit);
    _exit(ready && !fresh && right ? 0 : 1);
  }
  int status;
  cr_assert_eq(waitpid(pid, &status, 0), pid);
  cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  cr_expect(runs_compiled(jit, 2));
  tsr__jit_destroy(jit);
  place_remove(&p);
}
