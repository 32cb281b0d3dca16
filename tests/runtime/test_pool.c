/* The pool of a device's memory, over numbers in place of a device. */
#include "runtime/device/pool.h"

#include <criterion/criterion.h>
#include <string.h>

enum { MB = 1 << 20, MOST = 64 };

/* A device with so much memory: addresses that nobody follows. */
typedef struct numbers {
  size_t left;
  uintptr_t next;
  struct {
    void *p;
    size_t bytes;
  } taken[MOST];
  int n_taken, n_calls;
} numbers;

static void *take(void *context, size_t bytes)
{
  numbers *n = context;
  n->n_calls++;
  if (bytes > n->left || n->n_taken == MOST) return NULL;
  n->left -= bytes;
  n->taken[n->n_taken].p = (void *)n->next;
  n->taken[n->n_taken++].bytes = bytes;
  n->next += bytes + 256;
  return n->taken[n->n_taken - 1].p;
}

static void give(void *context, void *p)
{
  numbers *n = context;
  for (int i = 0; i < n->n_taken; i++) {
    if (n->taken[i].p != p) continue;
    n->left += n->taken[i].bytes;
    n->taken[i] = n->taken[--n->n_taken];
    return;
  }
  cr_assert_fail("what was not taken is given back");
}

static tsr_device_pool *make(numbers *n, size_t bytes, size_t limit)
{
  *n = (numbers){.left = bytes, .next = (uintptr_t)1 << 40};
  return tsr__device_pool_create(&(tsr_pool_source){n, take, give}, limit);
}

/* Blocks of all sizes: none overlaps another one, and all are aligned. */
Test(pool, blocks_are_apart)
{
  enum { N = 3000 };
  static struct {
    uintptr_t at;
    size_t bytes;
  } live[N];
  numbers n;
  uint64_t state = 1;
  int n_live = 0;
  tsr_device_pool *pool = make(&n, (size_t)300 * MB, 0);
  for (int turn = 0; turn < N; turn++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const size_t bytes = (state >> 40) % ((size_t)1 << (1 + (state >> 33) % 19));
    if (n_live > 0 && (state >> 35) % 3 == 0) {
      const int i = (int)((state >> 37) % (uint64_t)n_live);
      cr_assert(tsr__device_pool_free(pool, (void *)live[i].at, live[i].bytes));
      live[i] = live[--n_live];
      continue;
    }
    const uintptr_t at = (uintptr_t)tsr__device_pool_alloc(pool, bytes);
    cr_assert(at != 0 && at % 256 == 0);
    for (int i = 0; i < n_live; i++)
      cr_assert(at + bytes <= live[i].at || live[i].at + live[i].bytes <= at ||
                (bytes == 0 && at != live[i].at) || (live[i].bytes == 0 && at != live[i].at));
    live[n_live].at = at;
    live[n_live++].bytes = bytes;
  }
  while (n_live > 0) {
    n_live--;
    cr_assert(tsr__device_pool_free(pool, (void *)live[n_live].at, live[n_live].bytes));
  }
  tsr__device_pool_destroy(pool);
  cr_assert_eq(n.n_taken, 0);
}

Test(pool, small_blocks_share_a_slab)
{
  numbers n;
  tsr_device_pool *pool = make(&n, 64 * MB, 0);
  void *p[100];
  for (int i = 0; i < 100; i++) p[i] = tsr__device_pool_alloc(pool, 500);
  cr_assert_eq(n.n_calls, 1);
  cr_assert_eq(tsr__device_pool_held_bytes(pool), 2 * MB);
  for (int i = 0; i < 100; i++) cr_assert(tsr__device_pool_free(pool, p[i], 500));
  cr_assert_eq(tsr__device_pool_alloc(pool, 512), p[99]);
  cr_assert_eq(n.n_calls, 1);
  tsr__device_pool_destroy(pool);
}

Test(pool, what_is_unused_goes_back_when_the_source_has_no_more)
{
  numbers n;
  tsr_device_pool *pool = make(&n, 16 * MB, 0);
  void *small = tsr__device_pool_alloc(pool, 100);
  void *a = tsr__device_pool_alloc(pool, 6 * MB), *b = tsr__device_pool_alloc(pool, 6 * MB);
  cr_assert(small != NULL && a != NULL && b != NULL);
  cr_assert_null(tsr__device_pool_alloc(pool, 4 * MB));
  cr_assert(tsr__device_pool_free(pool, a, 6 * MB));
  cr_assert_eq(n.n_taken, 3, "it is kept");
  cr_assert_not_null(tsr__device_pool_alloc(pool, 3 * MB), "half of it would be unused");
  cr_assert_eq(n.n_taken, 3);
  cr_assert(tsr__device_pool_free(pool, small, 100));
  cr_assert_null(tsr__device_pool_alloc(pool, 10 * MB));
  cr_assert_eq(n.n_taken, 2, "a slab of which nothing is used went back");
  tsr__device_pool_destroy(pool);
  cr_assert_eq(n.n_taken, 0);
}

/* What is kept counts against the limit, too. */
Test(pool, no_more_than_the_limit_is_kept)
{
  numbers n;
  tsr_device_pool *pool = make(&n, 64 * MB, 20 * MB);
  void *a = tsr__device_pool_alloc(pool, 12 * MB);
  cr_assert_null(tsr__device_pool_alloc(pool, 9 * MB));
  cr_assert(tsr__device_pool_free(pool, a, 12 * MB));
  cr_assert_not_null(tsr__device_pool_alloc(pool, 16 * MB));
  cr_assert_eq(tsr__device_pool_held_bytes(pool), 16 * MB);
  tsr__device_pool_destroy(pool);
}

Test(pool, what_was_not_allocated_is_not_freed)
{
  numbers n;
  tsr_device_pool *pool = make(&n, 64 * MB, 0);
  char *p = tsr__device_pool_alloc(pool, 700), *large = tsr__device_pool_alloc(pool, 3 * MB);
  cr_assert_not(tsr__device_pool_free(pool, p + 256, 700));
  cr_assert_not(tsr__device_pool_free(pool, p, 3 * MB));
  cr_assert_not(tsr__device_pool_free(pool, large + 512, 3 * MB));
  cr_assert_not(tsr__device_pool_free(pool, (void *)256, 700));
  cr_assert(tsr__device_pool_free(pool, large, 3 * MB));
  cr_assert_not(tsr__device_pool_free(pool, large, 3 * MB));
  cr_assert(tsr__device_pool_free(pool, p, 700));
  tsr__device_pool_destroy(pool);
}
