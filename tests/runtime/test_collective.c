/* Collectives over self and local, on 1 to 8 ranks, compared with loops over the ranks. */
#include <criterion/criterion.h>
#include <stdatomic.h>

#include "local_ranks.h"
#include "runtime/base/binomial.h"
#include "transport_contract.h"

static int check_collectives(tsr_transport *t, void *user)
{
  return contract_collectives(t) + contract_sequence(t);
}

/* Every node but 0 is a child of its parent, and the subtrees of its children follow the node. */
Test(collective, subtrees_are_runs)
{
  for (int size = 1; size <= 70; size++) {
    int n_children = 0;
    for (int node = 0; node < size; node++) {
      const tsr_binomial b = tsr__binomial(node, size);
      cr_expect_eq(b.parent, node ? node & (node - 1) : -1, "node %d of %d", node, size);
      cr_expect_eq(b.child[0], node + 1, "node %d of %d", node, size);
      n_children += b.n_children;
      for (int i = 0; i < b.n_children; i++) {
        const tsr_binomial child = tsr__binomial(b.child[i], size);
        cr_expect_eq(child.parent, node, "child %d of node %d of %d", i, node, size);
        cr_expect_eq(child.child[child.n_children], b.child[i + 1], "node %d of %d", node, size);
      }
    }
    cr_expect_eq(n_children, size - 1, "%d nodes", size);
    const tsr_binomial root = tsr__binomial(0, size);
    cr_expect_eq(root.child[root.n_children], size, "%d nodes", size);
  }
  const tsr_binomial most = tsr__binomial(0, INT32_MAX);
  cr_expect_eq(most.n_children, TSR_BINOMIAL_CHILDREN);
}

Test(collective, over_self)
{
  tsr_transport *t = tsr__transport_self();
  cr_assert_eq(check_collectives(t, NULL), 0);
  t->ops->close(t);
}

Test(collective, over_local, .timeout = 60)
{
  for (int n = 1; n <= 8; n++)
    cr_assert_eq(local_ranks_run(n, 0, check_collectives, NULL), 0, "%d ranks", n);
}

Test(collective, over_seeded_local, .timeout = 60)
{
  for (int n = 1; n <= 8; n++)
    cr_assert_eq(local_ranks_run(n, (uint64_t)n * 77, check_collectives, NULL), 0, "%d ranks", n);
}

/* Checks that nobody leaves a barrier before all have come. */
static int check_barrier(tsr_transport *t, void *user)
{
  atomic_int *n_come = user;
  int failures = 0;
  for (int i = 1; i <= 100; i++) {
    atomic_fetch_add(n_come, 1);
    EXPECT(&failures, tsr__barrier(t) == TSR_OK);
    EXPECT(&failures, atomic_load(n_come) >= i * t->size);
  }
  return failures;
}

Test(collective, barrier_waits_for_all, .timeout = 60)
{
  for (int n = 1; n <= 8; n++) {
    atomic_int n_come = 0;
    cr_assert_eq(local_ranks_run(n, 0, check_barrier, &n_come), 0, "%d ranks", n);
    n_come = 0;
    cr_assert_eq(local_ranks_run(n, 99, check_barrier, &n_come), 0, "%d ranks, seeded", n);
  }
}

/* Checks that ranks which disagree about the size get an error and do not hang. */
static int check_disagreement(tsr_transport *t, void *user)
{
  int failures = 0;
  char data[8] = {0};
  tsr_status status = tsr__bcast(t, 0, data, t->rank == 0 ? 8 : 4);
  EXPECT(&failures, status == (t->rank == 0 ? TSR_OK : TSR_ERR_MPI));
  EXPECT(&failures, tsr__barrier(t) == TSR_OK);
  return failures;
}

Test(collective, disagreement_is_an_error, .timeout = 60)
{
  cr_assert_eq(local_ranks_run(2, 0, check_disagreement, NULL), 0);
  cr_assert_eq(local_ranks_run(2, 3, check_disagreement, NULL), 0);
}

/* A fold whose result shows its order. It must be folded in the same order every time, and all
 * ranks must get the same. */
static void fold_hash(void *into, const void *from, void *user)
{
  uint64_t a, b;
  memcpy(&a, into, 8);
  memcpy(&b, from, 8);
  a = a * 1000003 + b;
  memcpy(into, &a, 8);
}

static int check_fold_order(tsr_transport *t, void *user)
{
  uint64_t *results = user, value = (uint64_t)t->rank + 1;
  if (tsr__allreduce(t, &value, sizeof value, fold_hash, NULL) != TSR_OK) return 1;
  results[t->rank] = value;
  return 0;
}

Test(collective, fold_order_is_fixed, .timeout = 60)
{
  for (int n = 1; n <= 8; n++) {
    uint64_t plain[8], seeded[8];
    cr_assert_eq(local_ranks_run(n, 0, check_fold_order, plain), 0);
    for (uint64_t seed = 1; seed < 4; seed++) {
      cr_assert_eq(local_ranks_run(n, seed, check_fold_order, seeded), 0);
      for (int r = 0; r < n; r++) cr_assert(plain[r] == plain[0] && seeded[r] == plain[0]);
    }
  }
}
