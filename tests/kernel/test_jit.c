/* The compiler cache: what is taken from disk and what is refused, and its size. */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <criterion/criterion.h>

#include "tests/kernel/place.h"

/* Digests. */

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

/* The cache. */

Test(jit, off_is_no_jit)
{
  PLACE p = place_made("off");
  cr_expect_null(tsr__jit_create(&p.config));
  cr_expect_not(place_runs_compiled(NULL, 3));
}

Test(jit, a_second_life_takes_the_kernel_from_disk)
{
  PLACE p = place_made("eager");
  const tsr_jit_stats first = place_life(&p, true), second = place_life(&p, true);
  cr_expect_eq(first.n_compiled, 1u);
  cr_expect_eq(first.n_compilers, 1u);
  cr_expect_eq(second.n_cached, 1u);
  cr_expect_eq(second.n_compilers, 0u);
  struct stat st;
  cr_assert_eq(stat(p.dir, &st), 0);
  cr_expect_eq(st.st_mode & 0777, 0700u);
}

Test(jit, other_flags_are_another_kernel)
{
  PLACE p = place_made("eager");
  place_life(&p, true);
  place_compiler(&p, "exec cc \"$@\"");
  const tsr_jit_stats other = place_life(&p, true);
  cr_expect_eq(other.n_cached, 0u);
  cr_expect_eq(other.n_compiled, 1u);
}

Test(jit, lazy_interprets_until_the_kernel_has_earned_it)
{
  PLACE p = place_made("lazy");
  p.config.jit_after = 3 * N_POINTS * 6; /* instructions of the kernel: 6 */
  JIT *jit = tsr__jit_create(&p.config);
  cr_expect_not(place_runs_compiled(jit, 3));
  cr_expect_not(place_runs_compiled(jit, 3));
  tsr__jit_wait(jit);
  cr_expect_eq(tsr__jit_stats(jit).n_compilers, 0u);
  place_runs_compiled(jit, 3);
  tsr__jit_wait(jit);
  cr_expect_eq(tsr__jit_stats(jit).n_compilers, 1u);
  cr_expect(place_runs_compiled(jit, 3));
}

#if defined(__x86_64__)
/* Whether the processor holds anything in the upper halves of vector registers; -1: it cannot say.
 */
static int upper_halves(void)
{
  unsigned a, b, c, d;
  if (!__builtin_cpu_supports("avx2") || !__get_cpuid_count(0xd, 1, &a, &b, &c, &d) || !(a & 4))
    return -1;
  __asm__ volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(1));
  return (a & 4) != 0;
}

/* Instructions without VEX, which all that runs after a kernel is made of, wait for what is left
 * there. */
Test(jit, compiled_code_leaves_the_upper_halves_empty)
{
  if (upper_halves() < 0) return;
  __asm__ volatile("vpcmpeqd %%ymm0, %%ymm0, %%ymm0" ::: "xmm0");
  const int full = upper_halves();
  __asm__ volatile("vzeroupper" ::: "memory");
  if (full != 1 || upper_halves() != 0) return; /* it does not look */
  PLACE p = place_made("eager");
  JIT *jit = tsr__jit_create(&p.config);
  cr_expect(place_runs_compiled(jit, 3));
  cr_expect_eq(upper_halves(), 0);
}
#endif

typedef enum harm {
  CHANGED,
  CUT,
  EMPTY,
  WRITABLE,
  FOREIGN,
  LINKED,
  RUBBISH,
  DIRECTORY,
  FULL,
  N_HARMS
} harm;

/* Sealed, as if it had been made so. */
static bool write_rubbish(const char *path)
{
  static const char text[] = "this is no shared object";
  const int fd = open(path, O_RDWR | O_TRUNC);
  const bool done = write(fd, text, sizeof text) == sizeof text && tsr__cache_seal(fd);
  return close(fd) == 0 && done;
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
  case DIRECTORY:
    done = unlink(path) == 0 && mkdir(path, 0700) == 0;
    break;
  case FULL:
    snprintf(other, sizeof other, "%.150s/inside", path);
    done = unlink(path) == 0 && mkdir(path, 0700) == 0 && mkdir(other, 0700) == 0;
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
    PLACE p = place_made("eager");
    place_life(&p, true);
    char path[160];
    place_find_entry(&p, path, sizeof path);
    if (!do_harm(path, what)) {
      cr_expect_eq(what, FOREIGN);
      cr_expect_neq(geteuid(), 0u);
      fputs("SKIP an entry of another user: only root can make one\n", stderr);
      continue;
    }
    capture c = capture_stderr();
    const tsr_jit_stats again = place_life(&p, true), third = place_life(&p, true);
    char *said = capture_end(&c);
    cr_expect_eq(again.n_refused, 1u, "harm %d", what);
    cr_expect_eq(again.n_compiled, 1u, "harm %d", what);
    cr_expect_eq(third.n_cached, 1u, "harm %d", what);
    const char *warning = strstr(said, "tessera: warning: the kernel cache does not use");
    cr_expect(warning && !strstr(warning + 1, "tessera: "), "harm %d: %s", what, said);
    if (what == FULL) {
      char aside[192];
      snprintf(aside, sizeof aside, "%s.refused/inside", path);
      cr_expect_eq(rmdir(aside), 0, "what was inside is kept");
      *strrchr(aside, '/') = 0;
      cr_expect_eq(rmdir(aside), 0);
    }
    free(said);
  }
}

Test(jit, a_directory_open_to_others_is_not_used)
{
  PLACE p = place_made("eager");
  cr_assert_eq(chmod(p.dir, 0775), 0);
  capture c = capture_stderr();
  const tsr_jit_stats stats = place_life(&p, true);
  char *said = capture_end(&c);
  cr_expect_eq(stats.n_compiled, 1u, "it works without the cache");
  cr_expect_eq(place_bytes(&p), 0);
  cr_expect(strstr(said, "others may write it"), "%s", said);
  free(said);
}

/* As mkdir makes it. */
Test(jit, a_directory_that_others_may_read_is_used)
{
  PLACE p = place_made("eager");
  cr_assert_eq(chmod(p.dir, 0755), 0);
  capture c = capture_stderr();
  cr_expect_eq(place_life(&p, true).n_compiled, 1u);
  cr_expect_eq(place_life(&p, true).n_cached, 1u);
  char *said = capture_end(&c);
  cr_expect_str_eq(said, "");
  free(said);
}

/* The loader knows libraries by their names, and a descriptor's number is used again. */
Test(jit, two_kernels_through_one_descriptor, .timeout = 60)
{
  enum { FD = 100, N = 2 };
  place places[N];
  char paths[N][160];
  tsr_object codes[N];
  void *found[N];
  for (int i = 0; i < N; i++) {
    places[i] = place_made("eager");
    tsr_jit *jit = tsr__jit_create(&places[i].config);
    cr_expect(place_runs_compiled(jit, i + 1));
    tsr__jit_destroy(jit);
    place_find_entry(&places[i], paths[i], sizeof paths[i]);
  }
  for (int i = 0; i < N; i++) {
    const int fd = open(paths[i], O_RDONLY | O_CLOEXEC);
    cr_assert_eq(dup2(fd, FD), FD); /* closes the one before, whose code stays */
    close(fd);
    cr_assert(tsr__object_load(FD, &codes[i]));
    char name[80];
    snprintf(name, sizeof name, "k_%.64s", strrchr(paths[i], '/') + 1);
    found[i] = dlsym(codes[i].handle, name);
    cr_expect_not_null(found[i]);
  }
  cr_expect_neq(codes[0].handle, codes[1].handle);
  cr_expect_neq(found[0], found[1]);
  codes[0].fd = -1;
  for (int i = 0; i < N; i++) {
    tsr__object_unload(&codes[i]);
    place_remove(&places[i]);
  }
}

/* Names of one file are one piece of code and one descriptor; of many files, as many descriptors as
 * a program can spare. */
Test(jit, code_does_not_take_all_descriptors, .timeout = 60)
{
  PLACE p = place_made("eager");
  place_life(&p, true);
  char path[160];
  place_find_entry(&p, path, sizeof path);
  cr_assert_eq(setrlimit(RLIMIT_NOFILE, &(struct rlimit){64, 64}), 0);
  tsr_objects codes = {0};
  for (int i = 0; i < 100; i++) {
    tsr_object code;
    cr_assert(tsr__object_load(open(path, O_RDONLY | O_CLOEXEC), &code), "%d", i);
    tsr__objects_keep(&codes, code);
  }
  cr_expect_eq(codes.n, 1u);
  for (int i = 0; i < 40; i++) { /* copies, each a file of its own */
    char command[400];
    snprintf(command, sizeof command, "cp %s %s.%d", path, path, i);
    cr_assert_eq(system(command), 0);
    snprintf(command, sizeof command, "%s.%d", path, i);
    tsr_object code;
    cr_assert(tsr__object_load(open(command, O_RDONLY | O_CLOEXEC), &code), "%d", i);
    tsr__objects_keep(&codes, code);
  }
  cr_expect_eq(codes.n, 41u);
  cr_expect_geq(codes.v[0].fd, 0);
  cr_expect_eq(codes.v[40].fd, -1);
  tsr__objects_unload(&codes);
}

/* A place for work without a cache that a killed process left, and one that is in use. */
Test(jit, old_places_for_work_are_removed)
{
  char old[] = "/tmp/tessera-work-XXXXXX", new[] = "/tmp/tessera-work-XXXXXX";
  cr_assert(mkdtemp(old) && mkdtemp(new));
  char inside[sizeof old + 8];
  snprintf(inside, sizeof inside, "%s/k.c", old);
  FILE *f = fopen(inside, "w");
  cr_assert(f && fclose(f) == 0);
  const struct timespec day_ago[2] = {{.tv_sec = time(NULL) - 86400},
                                      {.tv_sec = time(NULL) - 86400}};
  cr_assert_eq(utimensat(AT_FDCWD, old, day_ago, 0), 0);
  PLACE p = place_made("eager");
  cr_assert_eq(chmod(p.dir, 0775), 0);
  capture c = capture_stderr();
  cr_expect_eq(place_life(&p, true).n_compiled, 1u);
  free(capture_end(&c));
  cr_expect_neq(access(old, F_OK), 0);
  cr_expect_eq(rmdir(new), 0);
}

/* Ranks have one setting: the first says what is wrong with it. */
Test(jit, one_rank_warns_of_the_directory)
{
  PLACE p = place_made("eager");
  cr_assert_eq(chmod(p.dir, 0775), 0);
  for (int rank = 0; rank < 2; rank++) {
    setenv("PMI_RANK", rank ? "1" : "0", 1);
    capture c = capture_stderr();
    cr_expect_eq(place_life(&p, true).n_compiled, 1u);
    char *said = capture_end(&c);
    cr_expect_eq(strstr(said, "others may write it") == NULL, rank > 0, "rank %d: %s", rank, said);
    free(said);
  }
}

/* Then kernels are compiled elsewhere, and not kept. */
Test(jit, a_directory_that_cannot_be_written_is_done_without, .timeout = 60)
{
  place p = place_made("eager");
  tsr_jit *jit = tsr__jit_create(&p.config);
  cr_expect(place_runs_compiled(jit, 1));
  tsr__jit_wait(jit);
  place_remove(&p);
  capture c = capture_stderr();
  cr_expect(place_runs_compiled(jit, 2));
  char *said = capture_end(&c);
  cr_expect_str_eq(said, "");
  cr_expect_eq(tsr__jit_stats(jit).n_compiled, 2u);
  cr_expect_neq(access(p.dir, F_OK), 0);
  free(said);
  tsr__jit_destroy(jit);
}

/* Two bad entries are told of once, and both are made anew. */
Test(jit, one_warning_is_enough, .timeout = 60)
{
  PLACE p = place_made("eager");
  for (int n = 1; n <= 2; n++) {
    tsr_jit *jit = tsr__jit_create(&p.config);
    place_runs_compiled(jit, n);
    tsr__jit_destroy(jit);
  }
  DIR *d = opendir(p.dir);
  for (struct dirent *e; (e = readdir(d));)
    if (strstr(e->d_name, ".so")) cr_expect_eq(fchmodat(dirfd(d), e->d_name, 0666, 0), 0);
  closedir(d);
  capture c = capture_stderr();
  JIT *jit = tsr__jit_create(&p.config);
  for (int n = 1; n <= 2; n++) cr_expect(place_runs_compiled(jit, n));
  char *said = capture_end(&c);
  cr_expect_eq(tsr__jit_stats(jit).n_refused, 2u);
  cr_expect_eq(tsr__jit_stats(jit).n_compiled, 2u);
  const char *warning = strstr(said, "tessera: warning: ");
  cr_expect(warning && !strstr(warning + 1, "tessera: "), "%s", said);
  free(said);
}

Test(jit, the_cache_does_not_outgrow_its_limit, .timeout = 60)
{
  PLACE p = place_made("eager");
  p.config.cache_bytes = 64 << 10;
  JIT *jit = tsr__jit_create(&p.config);
  for (int n = 1; n <= 10; n++) {
    cr_expect(place_runs_compiled(jit, n));
    tsr__jit_wait(jit); /* the size is looked at after the kernel is given out */
    cr_expect_leq(place_bytes(&p), p.config.cache_bytes);
  }
  cr_expect_gt(place_bytes(&p), 0);
}
