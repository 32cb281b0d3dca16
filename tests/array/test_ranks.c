/* Ranks as threads of one process: the same program, the same bits. */
#include "array_test.h"

#include <stdatomic.h>

typedef struct shared {
  _Atomic int n_ran, failures;
  double sums[9];
} shared;

#define CHECK(s, cond)                                                                             \
  ((cond) ? 0 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #cond), (s)->failures++))

static void program(void *arg, int rank)
{
  shared *s = arg;
  s->n_ran++;
  CHECK(s, tsr_rank() == rank);
  tsr_array u = tsr_zeros(TSR_SHAPE(40, 50));
  tsr_assign(u, tsr_add(tsr_multiply(tsr_expand_dims(tsr_arange(0, 40, 1), 1), 0.1),
                        tsr_arange(0, 50, 1)));
  tsr_array c = tsr_slice(u, "1:-1, 1:-1"), n = tsr_slice(u, ":-2, 1:-1"),
            e = tsr_slice(u, "1:-1, 2:");
  for (int i = 0; i < 10; i++) {
    TSR_SCOPE();
    tsr_array next = tsr_multiply(0.3, tsr_add(c, n, e));
    tsr_assign(c, next);
    tsr_iadd(tsr_slice(u, "1:"), tsr_multiply(0.01, tsr_slice(u, ":-1")));
  }
  double sum = tsr_item_f64(tsr_sum(u)), t = tsr_time();
  if (rank == 0) s->sums[tsr_n_ranks()] = sum;
  tsr_array times = tsr_full(TSR_SHAPE(), t);
  CHECK(s, tsr_item_f64(times) == t);
  const int32_t mine[] = {rank, rank, rank};
  CHECK(s, tsr_item_i64(tsr_max(tsr_from_host(mine, TSR_INT32, TSR_SHAPE(3)))) == 0);
  CHECK(s, tsr_barrier() == TSR_OK);
  const int64_t halo[] = {1, 1};
  tsr_local_tile tile;
  CHECK(s, tsr_local(u, halo, false, &tile) == TSR_OK);
  CHECK(s, tsr_local_end(&tile) == TSR_OK);
}

static double run_program(int n, const char *const *settings, void (*each)(void *arg, int rank))
{
  shared s = {0};
  cr_expect_eq(tsr_run_ranks(n, settings, each, &s), TSR_OK);
  cr_expect_eq(s.n_ran, n);
  cr_expect_eq(s.failures, 0);
  return s.sums[n];
}

static double run(int n, const char *const *settings)
{
  return run_program(n, settings, program);
}

/* Each rank lets some go, in its own order: those that all have let go are released at a barrier. */
static void let_go(void *arg, int rank)
{
  shared *s = arg;
  const int n = tsr_n_ranks();
  tsr_context *context = tsr_context_current();
  tsr_array x[6];
  for (int i = 0; i < 6; i++) x[i] = tsr_full(TSR_SHAPE(5000), i);
  tsr_array alone = tsr_zeros(TSR_SHAPE(7)); /* of rank 0, where other ranks have no list yet */
  if (rank == 0) tsr_release_later(context, alone);
  CHECK(s, tsr_barrier() == TSR_OK);
  for (int i = 0; i < 2; i++) tsr_release_later(context, x[rank == 0 ? i : 1 - i]);
  tsr_release_later(context, x[2 + rank % 2]);
  tsr_release_later(context, tsr_null());
  tsr_release_later(NULL, x[5]);
  TSR_ERRORS(RETURN);
  for (int turn = 0; turn < 2; turn++) {
    CHECK(s, tsr_barrier() == TSR_OK);
    const bool all_let_go[] = {true, true, turn > 0 || n == 1, turn > 0, false, false};
    for (int i = 0; i < 6; i++) {
      CHECK(s, tsr_iadd(x[i], 1) == (all_let_go[i] ? TSR_ERR_HANDLE : TSR_OK));
      CHECK(s, tsr_take_error(NULL, 0) == (all_let_go[i] ? TSR_ERR_HANDLE : TSR_OK));
    }
    tsr_release_later(context, x[3 - rank % 2]);
  }
  CHECK(s, tsr_item_f64(tsr_sum(x[5])) == 7 * 5000);
  s->n_ran++;
}

Test(ranks, what_all_ranks_let_go_is_released, .timeout = 120)
{
  static const char *const whole[] = {"threads", "1", NULL};
  for (int n = 1; n <= 4; n++) run_program(n, whole, let_go);
}

static void store_one_element(void *arg, int rank)
{
  shared *s = arg;
  tsr_array x = tsr_arange(17, -813, -2, TSR_FLOAT32);
  tsr_array items[] = {tsr_slice(x, "0, ..."), tsr_slice(x, "-1")};
  for (int i = 0; i < 2; i++) {
    tsr_assign(items[i], 40 + i);
    CHECK(s, tsr_item_f64(tsr_add(items[i], 1)) == 41 + i);
  }
  CHECK(s, tsr_item_f64(tsr_slice(x, "1")) == 15);
  s->n_ran++;
}

/* A domain of one point, cut: it is with one rank, and the others have no part at all. */
Test(ranks, one_element_belongs_to_one_rank, .timeout = 120)
{
  static const char *const cut[] = {"threads", "1", "replicate_max", "50", "tile_min", "64", NULL};
  for (int n = 1; n <= 4; n++) run_program(n, cut, store_one_element);
}

Test(ranks, give_the_same_bits, .timeout = 120)
{
  static const char *const whole[] = {"threads", "1", NULL};
  static const char *const cut[] = {"threads", "1", "replicate_max", "0", "tile_min", "1", NULL};
  double expected = run(1, whole);
  for (int n = 1; n <= 4; n++) {
    double sum = run(n, cut);
    cr_expect_eq(memcmp(&sum, &expected, sizeof sum), 0, "%d ranks: %.17g, not %.17g", n, sum,
                 expected);
  }
}

static int64_t own_points(tsr_array x)
{
  tsr_local_tile tile;
  if (tsr_local(x, NULL, false, &tile) != TSR_OK) return -1;
  int64_t n = 1;
  for (int k = 0; k < tile.ndim; k++) n *= tile.n[k];
  return tsr_local_end(&tile) == TSR_OK ? n : -1;
}

/* Two ranks to a core, tiles of at least 64: what 4 ranks hold of arrays of 100 to 1,024 elements,
 * and the sum after a pass that reads the neighbour's. */
static void crowd(void *arg, int rank)
{
  static const struct {
    int64_t n, of_rank[4];
  } arrays[] = {{100, {100, 0, 0, 0}},
                {300, {150, 0, 150, 0}},
                {1000, {500, 0, 500, 0}},
                {1024, {256, 256, 256, 256}}};
  shared *s = arg;
  s->n_ran++;
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
    const int64_t n = arrays[k].n;
    tsr_array x = tsr_empty(TSR_SHAPE(n / 2, 2)), below = tsr_slice(x, "1:");
    tsr_assign(x, tsr_reshape(tsr_arange(0, n, 1), TSR_SHAPE(n / 2, 2)));
    tsr_assign(below, tsr_add(below, tsr_slice(x, ":-1")));
    CHECK(s, own_points(x) == arrays[k].of_rank[rank]);
    const double sum = (double)(n * (n - 1) / 2 + (n - 2) * (n - 3) / 2);
    CHECK(s, tsr_item_f64(tsr_sum(x)) == sum);
  }
}

Test(ranks, that_share_cores_leave_small_arrays_to_one_of_them, .timeout = 120)
{
  no_devices_asked_for();
  static const char *const settings[] = {
      "threads", "1", "ranks_per_core", "2", "replicate_max", "64", "tile_min", "64", NULL};
  run_program(4, settings, crowd);
}

Test(ranks, seeded_runs, .timeout = 120)
{
  static const char *const settings[] = {
      "threads", "1", "replicate_max", "0", "tile_min", "1", "seed", "42", NULL};
  static const char *const whole[] = {"threads", "1", NULL};
  double sum = run(3, settings), expected = run(1, whole);
  cr_expect_eq(memcmp(&sum, &expected, sizeof sum), 0);
}

static void nothing(void *arg, int rank)
{
}

static void failing(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  cr_expect_not(tsr_ok(tsr_zeros(TSR_SHAPE(-1))));
}

Test(ranks, errors_of_starting)
{
  static const char *const unknown[] = {"no_such_setting", "1", NULL}, *const odd[] = {"threads",
                                                                                       NULL};
  cr_expect_eq(tsr_run_ranks(2, unknown, nothing, NULL), TSR_ERR_CONFIG);
  cr_expect_eq(tsr_run_ranks(2, odd, nothing, NULL), TSR_ERR_CONFIG);
  cr_expect_eq(tsr_run_ranks(0, NULL, nothing, NULL), TSR_ERR_ARGUMENT);
  cr_expect_eq(tsr_run_ranks(2, NULL, failing, NULL), TSR_ERR_SHAPE, "an error that nobody took");
}

Test(ranks, leave_the_callers_context_alone)
{
  begin();
  tsr_context *mine = tsr_context_current();
  cr_expect_eq(tsr_run_ranks(2, NULL, nothing, NULL), TSR_OK);
  cr_expect_eq(tsr_context_current(), mine);
  cr_expect_eq(tsr_n_ranks(), 1);
  end();
}

typedef struct diverging {
  int how;
  shared s;
} diverging;

/* Calls that rank 1 alone makes, or leaves out, before a read that needs messages. */
static void diverge(void *arg, int rank)
{
  diverging *d = arg;
  shared *s = &d->s;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array x = tsr_zeros(TSR_SHAPE(300, 300)), alone = tsr_null();
  double sum = 0;
  if (d->how == 0 && rank == 1) tsr_iadd(x, 1);
  if (d->how == 1 && rank == 1) sum = tsr_item_f64(tsr_sum(x));
  if (d->how == 2) tsr_iadd(x, rank);
  if (d->how == 3 && rank == 1) alone = tsr_hold(x);
  if (d->how == 4) alone = tsr_zeros(TSR_SHAPE(100 + (rank == 1)));
  if (d->how == 5) alone = tsr_slice(x, "$:", rank);
  if (d->how == 6 && rank == 1) tsr_release(&x);
  if (d->how == 7) sum = tsr_item_f64(tsr_slice(x, "$, 5", rank));
  if (d->how < 8) {
    if (tsr_ok(alone)) tsr_assign(alone, 2.0);
    tsr_assign(tsr_slice(x, "1:"), tsr_add(tsr_slice(x, ":-1"), 2));
    sum += tsr_item_f64(tsr_sum(x));
  } else if (rank != 1) {
    sum = tsr_item_f64(tsr_sum(x));
  }
  bool read = rank != 1 || (d->how != 6 && d->how != 8); /* others learn of it at the end */
  char text[2048];
  tsr_status status = tsr_take_error(text, sizeof text);
  if (read) CHECK(s, status == TSR_ERR_DIVERGED && sum != sum);
  if (read) CHECK(s, strstr(text, "did not make the same calls") && strstr(text, "test_ranks.c"));
}

Test(ranks, a_divergence_is_named_and_nobody_waits_for_ever, .timeout = 60)
{
  static const char *const cut[] = {"replicate_max", "0", "tile_min", "1", NULL};
  for (int how = 0; how <= 8; how++)
    for (int n = 2; n <= 4; n++) {
      diverging d = {.how = how};
      tsr_run_ranks(n, cut, diverge, &d);
      cr_expect_eq(d.s.failures, 0, "way %d on %d ranks", how, n);
    }
}

/* As above, with a flush before the read. Where the ranks still exchange the same messages, each
 * carries the hash of its sender's calls: the flush ends, what it made is not used, and the read
 * names the call. (Where they do not, a rank waits in the flush for a message that nobody sends.)
 */
static void diverge_and_flush(void *arg, int rank)
{
  diverging *d = arg;
  shared *s = &d->s;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array x = tsr_zeros(TSR_SHAPE(300, 300)), alone = tsr_null();
  if (d->how == 0) tsr_iadd(x, rank);
  if (d->how == 1) alone = tsr_zeros(TSR_SHAPE(100 + (rank == 1)));
  if (d->how == 3 && rank == 1) CHECK(s, tsr_flush() == TSR_OK);
  if (tsr_ok(alone)) tsr_assign(alone, 2.0);
  int more = d->how == 2 ? rank : 2;
  for (int i = 0; i < 3; i++) tsr_assign(tsr_slice(x, "1:"), tsr_add(tsr_slice(x, ":-1"), more));
  CHECK(s, tsr_flush() == TSR_OK);
  double first = tsr_item_f64(tsr_slice(x, "5, 5"));
  char text[2048];
  tsr_status status = tsr_take_error(text, sizeof text);
  CHECK(s, status == TSR_ERR_DIVERGED && first != first);
  CHECK(s, strstr(text, "did not make the same calls") && strstr(text, "test_ranks.c"));
  CHECK(s, tsr_flush() == TSR_OK || tsr_take_error(text, sizeof text) == TSR_ERR_DIVERGED);
}

Test(ranks, a_flush_that_diverged_ends_and_the_next_read_says_so, .timeout = 60)
{
  static const char *const cut[] = {"replicate_max", "0", "tile_min", "1", "halo_steps", "1", NULL};
  for (int how = 0; how <= 3; how++)
    for (int n = 2; n <= 4; n++) {
      diverging d = {.how = how};
      tsr_run_ranks(n, cut, diverge_and_flush, &d);
      cr_expect_eq(d.s.failures, 0, "way %d on %d ranks", how, n);
    }
}

/* One rank asks; all know behind the next read, and once. */
static void interrupt_all(void *arg, int rank)
{
  shared *s = arg;
  tsr_array x = tsr_ones(TSR_SHAPE(300, 300));
  tsr_interrupt(NULL);
  CHECK(s, tsr_item_f64(tsr_sum(x)) == 90000 && !tsr_take_interrupt());
  if (rank == tsr_n_ranks() - 1) tsr_interrupt(tsr_context_current());
  CHECK(s, tsr_flush() == TSR_OK && !tsr_take_interrupt());
  CHECK(s, tsr_item_f64(tsr_sum(tsr_add(x, 1))) == 180000);
  CHECK(s, tsr_take_interrupt() && !tsr_take_interrupt());
  CHECK(s, tsr_barrier() == TSR_OK && !tsr_take_interrupt());
}

Test(ranks, an_interrupt_of_one_is_known_to_all_behind_a_read, .timeout = 60)
{
  cr_expect_not(tsr_take_interrupt());
  for (int n = 1; n <= 3; n++) {
    shared s = {0};
    cr_expect_eq(tsr_run_ranks(n, NULL, interrupt_all, &s), TSR_OK);
    const int failures = s.failures;
    cr_expect_eq(failures, 0, "%d ranks", n);
  }
}
