/* Disjoint sets against a list that is relabelled at each join. */
#include "runtime/base/sets.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { N = 60, N_JOINS = 50 };

static void join_randomly(unsigned seed)
{
  int32_t parent[N], least[N]; /* least: of the number's set */
  for (int32_t i = 0; i < N; i++) parent[i] = least[i] = i;
  for (int turn = 0; turn < N_JOINS; turn++) {
    const int32_t a = rand_r(&seed) % N, b = rand_r(&seed) % N;
    const int32_t low = least[a] < least[b] ? least[a] : least[b], high = least[a] + least[b] - low;
    int32_t joined = -1;
    cr_assert_eq(tsr__set_join(parent, a, b, turn % 3 == 0 ? NULL : &joined), low);
    cr_assert(turn % 3 == 0 || joined == high);
    for (int32_t i = 0; i < N; i++)
      if (least[i] == high) least[i] = low;
    for (int32_t i = 0; i < N; i++) cr_assert_eq(tsr__set_root(parent, i), least[i]);
  }
}

Test(sets, roots_are_least)
{
  for (unsigned seed = 1; seed <= 20; seed++) join_randomly(seed);
}
