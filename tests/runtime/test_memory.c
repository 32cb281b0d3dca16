/* The pool of array memory: alignment, reuse, limit, counters, failures, threads. */
#include "runtime/base/alloc.h"
#include "runtime/machine/memory.h"
#include "runtime/base/copy.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { KB = 1024, MB = 1024 * 1024 };

Test(memory, aligned_and_writable_at_every_size)
{
  tsr_memory *m = tsr__memory_create(0);
  for (size_t bytes = 0; bytes < 40 * (size_t)MB; bytes = bytes * 5 / 4 + 1) {
    unsigned char *p = tsr__memory_alloc(m, bytes);
    cr_assert_not_null(p);
    cr_assert_eq((uintptr_t)p % 64, 0, "%zu bytes", bytes);
    /* Almost all of a large block is in whole huge pages. */
    cr_assert(bytes < 4 * MB || (uintptr_t)p % (2 * MB) < 16 << 10, "%zu bytes", bytes);
    if (bytes) p[0] = 1, p[bytes - 1] = 2;
    cr_assert_eq(tsr__memory_stats(m).in_use_bytes, bytes);
    tsr__memory_free(m, p, bytes);
  }
  cr_assert_eq(tsr__memory_stats(m).in_use_bytes, 0);
  tsr__memory_destroy(m);
}

Test(memory, arrays_of_the_runtime_grow_to_twice_their_length)
{
  enum { N = 1000 };
  int64_t *v = NULL;
  int32_t capacity = 0, n_moves = 0;
  for (int i = 0; i < N; i++) {
    const int32_t before = capacity;
    v = tsr__grow(v, &capacity, i + 1, sizeof *v);
    n_moves += capacity != before;
    cr_assert_gt(capacity, i);
    v[i] = i;
  }
  cr_expect_leq(n_moves, 8);
  v = tsr__grow(v, &capacity, 5 * N, sizeof *v);
  cr_expect_eq(capacity, 5 * N);
  for (int i = 0; i < N; i++) cr_assert_eq(v[i], i);
  free(v);
}

Test(memory, a_steady_loop_never_asks_the_system)
{
  tsr_memory *m = tsr__memory_create(0);
  static const size_t sizes[] = {100, 64 * KB, 3 * MB, 8 * MB, 8 * MB, 100};
  enum { N = sizeof sizes / sizeof sizes[0] };
  void *p[N];
  uint64_t n_system = 0;
  for (int step = 0; step < 50; step++) {
    for (int i = 0; i < N; i++) cr_assert_not_null(p[i] = tsr__memory_alloc(m, sizes[i]));
    for (int i = 0; i < N; i++) tsr__memory_free(m, p[i], sizes[i]);
    if (step == 0) n_system = tsr__memory_stats(m).n_system;
  }
  tsr_memory_stats s = tsr__memory_stats(m);
  cr_assert_eq(n_system, N);
  cr_assert_eq(s.n_system, N, "asked %llu times", (unsigned long long)s.n_system);
  cr_assert_eq(s.n_allocs, 50 * N);
  cr_assert_geq(s.cached_bytes, 19 * (size_t)MB);
  tsr__memory_trim(m);
  cr_assert_eq(tsr__memory_stats(m).cached_bytes, 0);
  tsr__memory_destroy(m);
}

Test(memory, a_freed_block_comes_back)
{
  tsr_memory *m = tsr__memory_create(0);
  void *a = tsr__memory_alloc(m, 5 * MB);
  tsr__memory_free(m, a, 5 * MB);
  cr_assert_eq(tsr__memory_alloc(m, 5 * MB - 100), a, "same class");
  tsr__memory_free(m, a, 5 * MB - 100);
  tsr__memory_free(m, NULL, 123);
  cr_assert_eq(tsr__memory_stats(m).in_use_bytes, 0);
  tsr__memory_destroy(m);
}

Test(memory, limit)
{
  tsr_memory *m = tsr__memory_create(10 * MB);
  cr_assert_eq(tsr__memory_limit(m), 10 * MB);
  void *a = tsr__memory_alloc(m, 6 * MB);
  cr_assert_not_null(a);
  cr_assert_null(tsr__memory_alloc(m, 4 * MB + 1), "one byte too many");
  void *b = tsr__memory_alloc(m, 4 * MB);
  cr_assert_not_null(b, "exactly the limit");
  cr_assert_null(tsr__memory_alloc(m, 1));
  void *nothing = tsr__memory_alloc(m, 0);
  cr_assert_not_null(nothing);
  tsr__memory_free(m, nothing, 0);
  tsr__memory_free(m, a, 6 * MB);
  void *c = tsr__memory_alloc(m, 5 * MB);
  cr_assert_not_null(c, "cached blocks make room");
  cr_assert_leq(tsr__memory_stats(m).cached_bytes, 1 * MB);
  cr_assert_eq(tsr__memory_stats(m).peak_bytes, 10 * MB);
  tsr__memory_free(m, b, 4 * MB);
  tsr__memory_free(m, c, 5 * MB);
  tsr__memory_destroy(m);
}

Test(memory, absurd_sizes_fail)
{
  tsr_memory *m = tsr__memory_create(0);
  cr_assert_null(tsr__memory_alloc(m, SIZE_MAX));
  cr_assert_null(tsr__memory_alloc(m, SIZE_MAX / 2 + 1));
  cr_assert_null(tsr__memory_alloc(m, SIZE_MAX / 8));
  cr_assert_eq(tsr__memory_stats(m).in_use_bytes, 0);
  tsr__memory_destroy(m);
}

Test(memory, the_nth_allocation_fails)
{
  tsr_memory *m = tsr__memory_create(0);
  for (uint64_t n = 1; n <= 5; n++) {
    tsr__memory_fail_at(m, n);
    for (uint64_t i = 1; i <= 8; i++) {
      void *p = tsr__memory_alloc(m, 1000);
      cr_assert_eq(p == NULL, i == n, "n = %d, i = %d", (int)n, (int)i);
      tsr__memory_free(m, p, 1000);
    }
  }
  tsr__memory_fail_at(m, 1);
  tsr__memory_fail_at(m, 0);
  void *p = tsr__memory_alloc(m, 1000);
  cr_assert_not_null(p);
  tsr__memory_free(m, p, 1000);
  cr_assert_eq(tsr__memory_stats(m).in_use_bytes, 0);
  tsr__memory_destroy(m);
}

Test(memory, what_is_kept_is_bounded_by_the_peak)
{
  tsr_memory *m = tsr__memory_create(0);
  for (size_t bytes = 100 * MB; bytes < 400 * (size_t)MB; bytes += 20 * MB) {
    void *p = tsr__memory_alloc(m, bytes);
    cr_assert_not_null(p);
    tsr__memory_free(m, p, bytes);
    tsr_memory_stats s = tsr__memory_stats(m);
    cr_assert_leq(s.cached_bytes, s.peak_bytes + s.peak_bytes / 4 + 64 * MB);
  }
  tsr__memory_destroy(m);
}

static void *churn(void *arg)
{
  tsr_memory *m = arg;
  unsigned state = 12345;
  enum { N = 8 };
  unsigned char *p[N] = {0};
  size_t bytes[N] = {0};
  for (int i = 0; i < 2000; i++) {
    state = state * 1664525u + 1013904223u;
    int k = state >> 29;
    if (p[k] && p[k][0] != (unsigned char)k) return "overwritten";
    tsr__memory_free(m, p[k], bytes[k]);
    bytes[k] = 1 + (state >> 8) % (256 * KB);
    p[k] = tsr__memory_alloc(m, bytes[k]);
    if (!p[k]) return "refused";
    p[k][0] = p[k][bytes[k] - 1] = (unsigned char)k;
  }
  for (int k = 0; k < N; k++) tsr__memory_free(m, p[k], bytes[k]);
  return NULL;
}

Test(memory, threads)
{
  tsr_memory *m = tsr__memory_create(0);
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, churn, m);
  for (int i = 0; i < 4; i++) {
    void *failure;
    pthread_join(threads[i], &failure);
    cr_assert_null(failure, "%s", (char *)failure);
  }
  cr_assert_eq(tsr__memory_stats(m).in_use_bytes, 0);
  cr_assert_eq(tsr__memory_stats(m).n_allocs, 8000);
  tsr__memory_destroy(m);
}

/* Large blocks, which a loop may go through side by side, begin at different lines of a page. */
Test(memory, large_blocks_are_staggered)
{
  tsr_memory *m = tsr__memory_create(0);
  enum { N = 8 };
  unsigned char *p[N];
  for (int i = 0; i < N; i++) {
    p[i] = tsr__memory_alloc(m, 5 * (size_t)MB);
    cr_assert_not_null(p[i]);
    memset(p[i], i, 5 * (size_t)MB);
    for (int j = 0; j < i; j++)
      cr_assert_neq((uintptr_t)p[i] % (2 * MB), (uintptr_t)p[j] % (2 * MB));
  }
  for (int i = 0; i < N; i++) {
    cr_assert_eq(p[i][5 * (size_t)MB - 1], i);
    tsr__memory_free(m, p[i], 5 * (size_t)MB);
  }
  tsr__memory_trim(m);
  cr_assert_eq(tsr__memory_stats(m).cached_bytes, 0);
  tsr__memory_destroy(m);
}

/* A file may be as large as the process's limit, and no larger. The signal that says so ends
 * nothing, and no other thread gets it. */
Test(memory, a_file_over_the_limit_of_the_process_is_refused)
{
  const char *directory = getenv("TMPDIR");
  if (directory == NULL || directory[0] == '\0') directory = P_tmpdir;
  cr_assert_eq(setrlimit(RLIMIT_FSIZE, &(struct rlimit){MB, MB}), 0);
  tsr_memory *m = tsr__memory_create_in(directory, 0);
  for (int blocked = 0; blocked < 2; blocked++) {
    sigset_t set, is_pending;
    sigemptyset(&set);
    if (blocked) sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_SETMASK, &set, NULL);
    char *p = tsr__memory_alloc(m, MB - 4096);
    cr_assert_not_null(p);
    memset(p, 1, MB - 4096);
    cr_assert_null(tsr__memory_alloc(m, MB + 4096));
    cr_assert_eq(errno, EFBIG);
    pthread_sigmask(SIG_SETMASK, NULL, &set);
    cr_assert(!sigismember(&set, SIGXFSZ) && sigismember(&set, SIGUSR1) == blocked);
    cr_assert_eq(sigpending(&is_pending), 0);
    cr_assert(!sigismember(&is_pending, SIGXFSZ));
    tsr__memory_free(m, p, MB - 4096);
    cr_assert_eq(tsr__memory_stats(m).in_use_bytes, 0);
  }
  tsr__memory_destroy(m);
}

static void count_release(void *arg)
{
  ++*(int *)arg;
}

Test(memory, adopted_memory_is_counted_and_given_back)
{
  enum { BYTES = 4096, LIMIT = 10000 };
  tsr_memory *m = tsr__memory_create(LIMIT);
  int released = 0, others = 0;
  char *theirs = aligned_alloc(64, BYTES), *more = aligned_alloc(64, BYTES);
  cr_assert(tsr__memory_adopt(m, theirs, BYTES, count_release, &released));
  cr_assert(tsr__memory_adopt(m, more, BYTES, count_release, &others));
  cr_expect_eq(tsr__memory_stats(m).in_use_bytes, 2 * BYTES);
  cr_expect_not(tsr__memory_adopt(m, theirs, BYTES, count_release, &released), "over the limit");
  cr_expect_null(tsr__memory_alloc(m, BYTES), "over the limit");
  void *own = tsr__memory_alloc(m, 1000);
  tsr__memory_free(m, own, 1000);
  cr_expect_eq(released + others, 0);
  tsr__memory_free(m, theirs, BYTES);
  cr_expect_eq(released, 1);
  cr_expect_eq(others, 0);
  tsr__memory_fail_at(m, 1);
  cr_expect_not(tsr__memory_adopt(m, theirs, BYTES, count_release, &released));
  tsr__memory_free(m, more, BYTES);
  cr_expect_eq(others, 1);
  cr_expect_eq(tsr__memory_stats(m).in_use_bytes, 0);
  void *next = tsr__memory_alloc(m, BYTES);
  cr_expect(next != theirs && next != more, "nothing of it is kept");
  tsr__memory_free(m, next, BYTES);
  tsr__memory_destroy(m);
  free(theirs);
  free(more);
}

/* Does a loop wait that stores at one place and loads, a few lines later, at another? */
static bool waits(const char *store, const char *load)
{
  const size_t ahead = (size_t)(store - load) % 4096;
  return ahead > 0 && ahead <= 512;
}

/* Blocks of arrays whose rows or planes are such a distance apart, taken in turn: no loop that stores
 * one waits for loads from another, of the same row, the ones beside it or the planes beside it. */
Test(memory, blocks_lie_so_that_no_store_hinders_a_load)
{
  enum { N = 6 };
  const tsr_pitch pitches[] = {{0, 0},           {64064, 0},        {8000, 0},
                               {1472, 0},        {3200, 3200 * 64}, {4160, 2138240},
                               {24640, 1970240}, {12352, 1704576},  {2624, 0}};
  const size_t sizes[] = {100000, 3 << 20, 9 << 20};
  for (size_t p = 0; p < sizeof pitches / sizeof *pitches; p++)
    for (size_t b = 0; b < sizeof sizes / sizeof *sizes; b++) {
      tsr_memory *m = tsr__memory_create(0);
      const ptrdiff_t row = (ptrdiff_t)pitches[p].row, plane = (ptrdiff_t)pitches[p].plane;
      char *at[N];
      for (int i = 0; i < N; i++) {
        at[i] = tsr__memory_alloc_pitched(m, sizes[b], pitches[p]);
        cr_assert(at[i] != NULL && (size_t)at[i] % 64 == 0);
        memset(at[i], i, sizes[b]);
      }
      for (int i = 0; i + 1 < N; i++)
        for (int way = 0; way < 2; way++) {
          const char *store = at[i + way], *load = at[i + 1 - way];
          cr_expect_not(waits(store, load) || waits(store, load + row) ||
                            waits(store, load - row) || waits(store, load + plane) ||
                            waits(store, load - plane),
                        "rows of %d, planes of %d, %d bytes", (int)row, (int)plane, (int)sizes[b]);
        }
      for (int i = 0; i < N; i++) {
        cr_assert(at[i][0] == i && at[i][sizes[b] - 1] == i);
        tsr__memory_free(m, at[i], sizes[b]);
      }
      tsr__memory_destroy(m);
    }
}

/* Blocks of all sizes, whole and beside each other, and given back to the system. */
Test(memory, blocks_of_all_sizes)
{
  enum { N = 400 };
  tsr_memory *m = tsr__memory_create(0);
  static unsigned char *p[N];
  static size_t bytes[N];
  for (int turn = 0; turn < 2; turn++) {
    for (int i = 0; i < N; i++) {
      bytes[i] = i < 100 ? 90 * (size_t)i : (size_t)(9000 * pow(1.02, i - 100)); /* to 3.4 MB */
      p[i] = tsr__memory_alloc(m, bytes[i]);
      cr_assert(p[i] != NULL && (uintptr_t)p[i] % 64 == 0, "%zu bytes", bytes[i]);
      cr_assert(bytes[i] < 4096 || (uintptr_t)p[i] % 1024 == 0 || bytes[i] >= 64 << 10);
      memset(p[i], i, bytes[i]);
    }
    for (int i = 0; i < N; i++) {
      for (size_t k = 0; k < bytes[i]; k += 997) cr_assert_eq(p[i][k], (unsigned char)i);
      tsr__memory_free(m, p[i], bytes[i]);
    }
    tsr__memory_trim(m);
  }
  tsr__memory_destroy(m);
}

/* Copies of all lengths about those of pieces, at all distances in a page that matter. */
Test(memory, rows_are_copied_whole)
{
  enum { PAGE = 4096, MOST = 3 * PAGE };
  static _Alignas(PAGE) unsigned char from[MOST], to[MOST + 2 * PAGE];
  for (int i = 0; i < MOST; i++) from[i] = (unsigned char)(1 + i % 251);
  for (int above = -8; above < 72; above += 4)
    for (int n = 0; n <= MOST - 64; n += n % 1984 < 2 ? 1 : 1982 - (n - 2) % 1984) {
      unsigned char *at = to + PAGE + above;
      memset(to, 0, sizeof to);
      tsr__copy(at, from, (size_t)n);
      cr_assert_arr_eq(at, from, (size_t)n, "%d bytes, %d above", n, above);
      cr_assert(at[-1] == 0 && at[n] == 0, "%d bytes, %d above", n, above);
    }
}
