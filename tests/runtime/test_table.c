/* Hash tables: what was added and not removed is found by its hash, also where hashes are equal or
 * entries are taken by other values. */
#include <criterion/criterion.h>

#include "runtime/base/table.h"

enum { N = 300 };

typedef struct item {
  uint64_t hash;
  bool is_in;
} item;

/* The number of times that the item is found by its hash. */
static int n_found(const tsr_table *t, const item *wanted)
{
  uint32_t at = 0;
  int n = 0;
  for (const item *x; (x = tsr__table_next(t, wanted->hash, &at)) != NULL;) n += x == wanted;
  return n;
}

static void expect_all(const tsr_table *t, const item *items)
{
  uint32_t n = 0;
  for (int i = 0; i < N; i++) {
    cr_assert_eq(n_found(t, &items[i]), items[i].is_in, "item %d", i);
    n += items[i].is_in;
  }
  cr_assert_eq(t->n, n);
  uint32_t at = 0, n_each = 0;
  for (const item *x; (x = tsr__table_each(t, &at)) != NULL; n_each++) cr_assert(x->is_in);
  cr_assert_eq(n_each, n);
}

/* Few different hashes, and those at the end of the table, whose values stand at its begin. */
static uint64_t hash_of(int i, uint64_t random)
{
  return i % 3 == 0 ? random % 7 : i % 3 == 1 ? UINT64_MAX - random % 5 : random;
}

Test(table, finds_what_is_in)
{
  tsr_table t = {.n = 0};
  item items[N] = {{0}};
  uint64_t random = 1;
  for (int turn = 0; turn < 4000; turn++) {
    random = tsr__hash_word(random, (uint64_t)turn);
    const int i = (int)(random >> 40) % N;
    item *x = &items[i];
    if (x->is_in) {
      tsr__table_remove(&t, x->hash, x);
    } else {
      x->hash = hash_of(i, random);
      tsr__table_add(&t, x->hash, x);
    }
    x->is_in = !x->is_in;
    if (turn % 50 == 0) expect_all(&t, items);
  }
  expect_all(&t, items);
  for (int i = 0; i < N; i++) {
    if (items[i].is_in) tsr__table_remove(&t, items[i].hash, &items[i]);
    items[i].is_in = false;
  }
  expect_all(&t, items);
  for (int i = 0; i < N; i++) tsr__table_add(&t, items[i].hash, &items[i]);
  const uint32_t capacity = t.capacity;
  tsr__table_clear(&t);
  cr_assert_eq(t.capacity, capacity);
  expect_all(&t, items);
  tsr__table_free(&t);
}
