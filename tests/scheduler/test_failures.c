/* Failures of the host's memory and ranks: over the limit, no memory on one rank, ranks that
 * diverge. Nothing hangs, data stays, texts say what happened. */
#include "harness.h"

#include <stdio.h>

enum { L = 100000 };

static void check_error(rank_world *w, tsr_status status, const char *part)
{
  cr_assert_eq(w->world.error.status, status, "rank %d: status %d", w->world.rank,
               w->world.error.status);
  char *text = tsr__error_text(&w->world.error, NULL, false);
  cr_assert_not_null(strstr(text, part), "'%s' is not in:\n%s", part, text);
  free(text);
  tsr__error_clear(&w->world.error);
}

static void over_the_limit(rank_world *w)
{
  const int64_t shape[1] = {L};
  double one[1], first[1] = {0};
  array a = make(w, TSR_FLOAT64, 1, shape, true), b = make(w, TSR_FLOAT64, 1, shape, true);
  fill(w, a, 7.0, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  map2(w, TSR_OP_ADD, in_array(a), in_f64(1.0), b, true);
  fill(w, a, 9.0, false);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_ERR_MEMORY);
  check_error(w, TSR_ERR_MEMORY, "out of memory: `test` needs");
  cr_assert_eq(w->window.n_ops, 0);
  const int64_t at[1][3] = {{L - 1, 1, 1}};
  SLICE x = slice(a, at), y = slice(b, at);
  cr_assert_eq(tsr__read(w->scheduler, a.region, &x.view->view, &here, one), TSR_OK);
  cr_assert_eq(one[0], 9.0, "what does not depend on the failed op has run");
  cr_assert_eq(tsr__read(w->scheduler, b.region, &y.view->view, &here, first), TSR_ERR_MEMORY);
  drop(b);
  fill(w, a, 3.0, false);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK, "the program can go on");
  drop(a);
}

Test(failures, over_the_agreed_limit)
{
  for (int n = 1; n <= 3; n++) {
    char limit[32];
    snprintf(limit, sizeof limit, "%d", (int)(L * sizeof(double) * 3 / 2 / (size_t)n));
    RUN_RANKS(n, over_the_limit, NULL, "memory", limit, "replicate_max", "0", "tile_min", "64",
              "device", "cpu");
  }
}

/* Rank 1's allocations fail; every rank hears of it at the next read, and the messages still match.
 */
static void one_rank_has_no_memory(rank_world *w)
{
  const int64_t shape[1] = {L}, n = L - 2;
  static const int64_t none[1];
  double got;
  array a = make(w, TSR_FLOAT64, 1, shape, true), b = make(w, TSR_FLOAT64, 1, (int64_t[]){n}, true);
  array s = make(w, TSR_FLOAT64, 0, none, true);
  fill(w, a, 2.0, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  uint64_t at = *(uint64_t *)w->arg;
  if (w->world.rank == 1) tsr__memory_fail_at(w->world.places[0].memory, at);
  const int64_t left[1][3] = {{0, n, 1}}, right[1][3] = {{2, n, 1}};
  SLICE x = slice(a, left), y = slice(a, right);
  map2(w, TSR_OP_ADD, in_array(x), in_array(y), b, true);
  tsr_op_in in = in_array(b);
  tsr__record_reduce(&w->window, &here, TSR_REDUCE_SUM, TSR_FLOAT64, TSR_FLOAT64, &in, 1, false,
                     s.region, s.view);
  tsr_status status = tsr__read(w->scheduler, s.region, &s.view->view, &here, &got);
  tsr__memory_fail_at(w->world.places[0].memory, 0);
  if (status == TSR_OK) {
    cr_assert_eq(got, 4.0 * (double)n);
  } else {
    cr_assert(w->world.error.status == TSR_ERR_PEER || w->world.error.status == TSR_ERR_MEMORY);
    check_error(w, w->world.error.status, "rank 1 failed with TSR0402");
  }
  drop(b);
  drop(s);
  double one[1];
  const int64_t mid[1][3] = {{L / 2, 1, 1}};
  SLICE m = slice(a, mid);
  cr_assert_eq(tsr__read(w->scheduler, a.region, &m.view->view, &here, one), TSR_OK);
  cr_assert_eq(one[0], 2.0);
  drop(a);
}

Test(failures, any_allocation_of_one_rank)
{
  for (uint64_t at = 1; at <= 6; at++)
    for (int n = 2; n <= 4; n++)
      RUN_RANKS(n, one_rank_has_no_memory, &at, "replicate_max", "0", "tile_min", "64", "device",
                "cpu");
}

/* A write that overlaps what it reads goes by way of a temporary, which is no region of the window.
 * The failing rank follows such a plan, too. */
static void no_memory_for_a_temporary(rank_world *w)
{
  const int64_t shape[1] = {L}, n = L / 2;
  const uint64_t at = *(uint64_t *)w->arg;
  double got[1];
  HELD a = make(w, TSR_FLOAT64, 1, shape, true);
  fill(w, a, 2.0, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  const int64_t from[1][3] = {{0, n, 1}}, to[1][3] = {{1, n, 1}}, one[1][3] = {{1, 1, 1}};
  SLICE x = slice(a, from), y = slice(a, to), z = slice(a, one);
  if (w->world.rank == 1) tsr__memory_fail_at(w->world.places[0].memory, at);
  map2(w, TSR_OP_ADD, in_array(x), in_f64(1.0), y, false);
  const tsr_status status = tsr__read(w->scheduler, a.region, &z.view->view, &here, got);
  tsr__memory_fail_at(w->world.places[0].memory, 0);
  cr_assert(at > 1 || status < 0, "the first allocation is the temporary's");
  if (status == TSR_OK)
    cr_assert_eq(got[0], 3.0);
  else
    check_error(w, w->world.error.status, "rank 1 failed with TSR0402");
}

Test(failures, any_allocation_of_a_write_that_overlaps_its_operand)
{
  for (uint64_t at = 1; at <= 4; at++)
    for (int n = 2; n <= 3; n++)
      RUN_RANKS(n, no_memory_for_a_temporary, &at, "replicate_max", "0", "tile_min", "64", "device",
                "cpu");
}

/* Two flushes come between the failure and the read that reports it: the failed rank must still
 * send its messages of the second flush, which the others await. */
static void no_memory_flushes_before_the_read(rank_world *w)
{
  const int64_t shape[1] = {L}, n = L - 2;
  HELD a = make(w, TSR_FLOAT64, 1, shape, true), b = make(w, TSR_FLOAT64, 1, shape, true);
  HELD c = make(w, TSR_FLOAT64, 1, (int64_t[]){n}, true);
  fill(w, a, 2.0, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  uint64_t at = *(uint64_t *)w->arg;
  if (w->world.rank == 1) tsr__memory_fail_at(w->world.places[0].memory, at);
  map2(w, TSR_OP_ADD, in_array(a), in_f64(1.0), b, true);
  tsr__flush(w->scheduler, false);
  const int64_t left[1][3] = {{0, n, 1}}, right[1][3] = {{2, n, 1}}, mid[1][3] = {{L / 2, 1, 1}};
  SLICE x = slice(b, left), y = slice(b, right), m = slice(a, mid);
  map2(w, TSR_OP_ADD, in_array(x), in_array(y), c, true);
  tsr__flush(w->scheduler, false);
  double one[1] = {0};
  tsr_status status = tsr__read(w->scheduler, a.region, &m.view->view, &here, one);
  cr_assert(status == TSR_OK || status == TSR_ERR_PEER, "%d", status);
  if (w->world.error.status < 0) check_error(w, TSR_ERR_PEER, "rank 1 failed with TSR0402");
  SLICE last = slice(c, (const int64_t[1][3]){{n - 1, 1, 1}});
  tsr_status lost = tsr__read(w->scheduler, c.region, &last.view->view, &here, one);
  if (at == 1)
    cr_assert_lt(lost, 0, "rank %d: a lost value was read as %g", w->world.rank, one[0]);
  else
    cr_assert(lost < 0 || one[0] == 6.0, "%d: %g", lost, one[0]);
  tsr__memory_fail_at(w->world.places[0].memory, 0);
  tsr__error_clear(&w->world.error);
  cr_assert_eq(tsr__read(w->scheduler, a.region, &m.view->view, &here, one), TSR_OK);
  cr_assert_eq(one[0], 2.0);
}

Test(failures, a_failure_is_told_at_a_later_read, .timeout = 60)
{
  for (uint64_t at = 1; at <= 5; at++)
    for (int n = 2; n <= 4; n++)
      RUN_RANKS(n, no_memory_flushes_before_the_read, &at, "replicate_max", "0", "tile_min", "64",
                "device", "cpu");
}

static const tsr_location there = {
    .file = "other.c", .function = "branch", .line = 42, .op = "tsr_add", .args = "u, 1"};

static void diverge(rank_world *w)
{
  static const int64_t none[1];
  double got;
  HELD a = make(w, TSR_FLOAT64, 0, none, true);
  fill(w, a, 1.0, true);
  tsr_op_in in[2] = {in_array(a), in_f64(1.0)};
  if (w->world.rank == 1)
    tsr__record_map(&w->window, &there, TSR_OP_ADD, TSR_FLOAT64, TSR_FLOAT64, 2, in, a.region,
                    a.view, false);
  cr_assert_eq(tsr__read(w->scheduler, a.region, &a.view->view, &here, &got), TSR_ERR_DIVERGED);
  check_error(w, TSR_ERR_DIVERGED, "rank 1: tsr_add(u, 1) at other.c:42 in branch()");
}

Test(failures, ranks_that_diverge)
{
  for (int n = 2; n <= 4; n++) run_ranks(n, NULL, diverge, NULL);
}
