/* How far steps share exchanges, by what their plans say; and that ranks plan alike, however unlike
 * their caches are. */
#include "plan_look.h"
#include "step_programs.h"
#include "tests/support/rank_threads.h"
#include "tests/support/sanitized.h"

/* Steps over arrays of several shapes, and what their plans show. */
enum { SQUARE, FAR, LINE, BORDERED, RED_BLACK, N_SORTS };

typedef struct swept {
  int sort, n_steps;
  plan_look look;
} swept;

static void step(int sort, tsr_array u)
{
  switch (sort) {
  case SQUARE:
    tsr_exec("u[1:-1, 1:-1] = 0.25*(u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])", u);
    break;
  case FAR:
    tsr_exec("u[3:-3, 3:-3] = 0.25*(u[:-6, 3:-3] + u[6:, 3:-3] + u[3:-3, :-6] + u[3:-3, 6:])", u);
    break;
  case LINE:
    tsr_exec("u[1:-1] = 0.5*(u[:-2] + u[2:])", u);
    break;
  case BORDERED:
    tsr_exec("u[1:-1, 1:-1] = 0.25*(u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]);"
             "u[0, :] = u[1, :]; u[-1, :] = u[-2, :]; u[:, 0] = u[:, 1]; u[:, -1] = u[:, -2]",
             u);
    break;
  default:
    tsr_exec("u[1:-1:2, 1:-1] = 0.5*(u[:-2:2, 1:-1] + u[2::2, 1:-1]);"
             "u[2:-1:2, 1:-1] = 0.5*(u[1:-2:2, 1:-1] + u[3::2, 1:-1])",
             u);
    break;
  }
}

static tsr_array swept_array(int sort)
{
  const int64_t n = IS_SANITIZED ? 330 : 660;
  return tsr_full(sort == LINE ? TSR_SHAPE(20 * n) : TSR_SHAPE(n, n), 0.5);
}

static void run_swept(void *arg, int rank)
{
  swept *s = arg;
  tsr_array u = swept_array(s->sort);
  (void)rank;
  tsr_flush();
  plan_look_begin(tsr_context_current()->scheduler, &s->look);
  for (int i = 0; i < s->n_steps; i++) step(s->sort, u);
  tsr_flush();
}

static void run_plans(swept *s, int n_ranks, const char *halo_steps, const char *halo_max)
{
  RUN_RANKS(n_ranks, run_swept, s, "device", "cpu", "places", "1", "threads", "1", "replicate_max",
            "0", "tile_min", "1", "inline_elems", "0", "window_ops", "1000", "window_cap", "1000",
            "halo_max", halo_max, "time_steps", "0", "halo_steps", halo_steps, "halo_cache", "16M",
            "inorder", "0", "fusion", "1", "rename", "1", "memo", "1", "replan", "0");
}

static void at_most(int64_t got, int64_t most, const char *what, int sort, int n_ranks,
                    const char *halo_max)
{
  cr_expect_leq(got, most, "sort %d on %d ranks, halos of %s: %d %s", sort, n_ranks, halo_max,
                (int)got, what);
}

/* By cost, at most 16 exchanges become one, no margin is wider than TESSERA_HALO_MAX or than an
 * eighth of the narrowest tile, and a place computes at most a twentieth more. */
static void share(int sort, int n_ranks, const char *halo_max, int *most)
{
  swept s = {.sort = sort, .n_steps = 24, .look = {.notes_messages = true}};
  run_plans(&s, n_ranks, "1", halo_max);
  plan_look *look = &s.look;
  cr_expect_eq(look->n_intervals, 0);
  cr_expect_eq(look->n_wide, 0);
  look->notes_messages = false;
  look->widest = 0;
  run_plans(&s, n_ranks, "0", halo_max);
  at_most(look->most_exchanges, 16, "exchanges become one", sort, n_ranks, halo_max);
  at_most(look->widest, atoi(halo_max), "elements of margin", sort, n_ranks, halo_max);
  at_most(look->n_too_wide, 0, "margins of wide tiles", sort, n_ranks, halo_max);
  at_most(look->n_too_many_points, 0, "intervals of many points", sort, n_ranks, halo_max);
  if (strcmp(halo_max, "64") == 0 && (sort != FAR || !IS_SANITIZED)) /* tiles are narrow then */
    cr_expect_gt(look->n_intervals, 0, "sort %d on %d ranks shares nothing", sort, n_ranks);
  if (*most < look->most_exchanges) *most = look->most_exchanges;
}

Test(deep_halos, how_far_steps_share, .timeout = 240)
{
  static const char *const halo_max[] = {"1", "3", "64"};
  int most = 0;
  for (int sort = 0; sort < N_SORTS; sort++)
    for (int n_ranks = 2; n_ranks <= 4; n_ranks += 2)
      for (int i = 0; i < 3; i++) share(sort, n_ranks, halo_max[i], &most);
  cr_expect_eq(most, 16, "at most %d exchanges become one", most);
}

/* Ranks that are threads, each on a machine of its own. */
enum { UNLIKE_RANKS = 3 };

typedef struct unlike {
  int sort;
  plan_look look;
  uint64_t n_flushes[UNLIKE_RANKS], n_messages[UNLIKE_RANKS], n_tiled[UNLIKE_RANKS];
  double *values; /* owned: of rank 0 */
  int64_t n;
} unlike;

typedef struct unlike_rank {
  int rank;
  tsr_machine *machine;
  unlike *all;
} unlike_rank;

static void run_unlike(unlike *x, int rank)
{
  tsr_array u = swept_array(x->sort);
  tsr_flush();
  const tsr_counters before = *tsr__context_counters();
  plan_look_begin(tsr_context_current()->scheduler, &x->look);
  for (int i = 0; i < 150; i++) step(x->sort, u);
  tsr_flush();
  const tsr_counters *after = tsr__context_counters();
  x->n_flushes[rank] = after->n_flushes - before.n_flushes;
  x->n_messages[rank] = after->n_messages - before.n_messages;
  x->n_tiled[rank] = after->n_tiled - before.n_tiled;
  double *values = calloc((size_t)tsr_size(u), sizeof *values);
  cr_assert_eq(tsr_to_host(u, values), TSR_OK, "%s", tsr_last_error());
  if (rank == 0) {
    x->values = values;
    x->n = tsr_size(u);
  } else {
    free(values);
  }
}

static void on_own_machine(tsr_transport *end, void *arg)
{
  static const tsr_location site = {.op = "the end of a rank"};
  unlike_rank *r = arg;
  tsr_status status = TSR_OK;
  tsr_context *c = tsr__context_open(r->machine, false, end, &status);
  cr_assert_not_null(c, "rank %d: status %d", r->rank, status);
  tsr_context_set_current(c);
  run_unlike(r->all, r->rank);
  cr_expect_eq(tsr__context_close(tsr__call_begin(&site)), TSR_OK);
  tsr_context_set_current(NULL);
}

/** Caches and threads of a rank. */
typedef struct pretended {
  size_t l2_bytes, l3_bytes;
  const char *threads;
} pretended;

static void run_on_machines(unlike *x, const pretended *caches)
{
  static const char *const settings[][2] = {
      {"device", "cpu"},  {"places", "1"},     {"replicate_max", "0"}, {"tile_min", "1"},
      {"halo_max", "64"}, {"time_steps", "0"}, {"halo_steps", "0"},    {"halo_cache", "0"},
      {"inorder", "0"},   {"fusion", "1"},     {"rename", "1"},        {"memory", "1G"}};
  unlike_rank ranks[UNLIKE_RANKS];
  char message[512] = "";
  for (int r = 0; r < UNLIKE_RANKS; r++) {
    tsr_config config;
    cr_assert_eq(tsr__config_read(&config, message, sizeof message), TSR_OK, "%s", message);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
      cr_assert_eq(
          tsr__config_set(&config, settings[i][0], settings[i][1], message, sizeof message), TSR_OK,
          "%s", message);
    cr_assert_eq(tsr__config_set(&config, "threads", caches[r].threads, message, sizeof message),
                 TSR_OK, "%s", message);
    ranks[r] = (unlike_rank){.rank = r, .all = x};
    cr_assert_eq(tsr__machine_create(&config, 0, 1, UNLIKE_RANKS, &ranks[r].machine, message,
                                     sizeof message),
                 TSR_OK, "%s", message);
    ranks[r].machine->topology.l2_bytes = caches[r].l2_bytes;
    ranks[r].machine->topology.l3_bytes = caches[r].l3_bytes;
  }
  cr_assert(rank_threads_run(UNLIKE_RANKS, 0, on_own_machine, ranks, sizeof *ranks));
  for (int r = 0; r < UNLIKE_RANKS; r++) tsr__machine_destroy(ranks[r].machine);
}

/* What ranks tell each other follows from what they have agreed on, rank 0's second-level cache
 * among it; which steps they tile is their own choice. */
Test(deep_halos, ranks_of_different_caches, .timeout = 120)
{
  enum { KB = 1 << 10, MB = 1 << 20 };
  static const pretended alike[] = {{64 * KB, 128 * KB, "1"},
                                    {64 * KB, 128 * KB, "1"},
                                    {64 * KB, 128 * KB, "1"}},
                         differ[] = {{64 * KB, 128 * KB, "1"},
                                     {64 * MB, 64 * MB, "2"},
                                     {96 * KB, 1 * MB, "3"}};
  for (int sort = 0; sort < N_SORTS; sort++) {
    unlike want = {.sort = sort}, got = {.sort = sort};
    run_on_machines(&want, alike);
    run_on_machines(&got, differ);
    for (int r = 0; r < UNLIKE_RANKS; r++) {
      cr_expect_eq(got.n_flushes[r], want.n_flushes[0], "sort %d, rank %d: %d flushes", sort, r,
                   (int)got.n_flushes[r]);
      cr_expect_eq(got.n_messages[r], want.n_messages[r], "sort %d, rank %d: %d messages", sort, r,
                   (int)got.n_messages[r]);
      cr_expect_gt(got.n_messages[r], 0);
      cr_expect_eq(got.look.intervals[r], want.look.intervals[0], "sort %d, rank %d", sort, r);
    }
    if (sort != FAR) cr_expect_gt(got.look.n_intervals, 0, "sort %d shares nothing", sort);
    cr_expect_eq(got.n_tiled[1], 0, "sort %d fits the caches of rank 1", sort);
    if (sort == SQUARE) cr_expect_gt(got.n_tiled[0], 0, "sort %d pays on rank 0", sort);
    cr_assert_eq(got.n, want.n);
    cr_expect_arr_eq(got.values, want.values, (size_t)want.n * sizeof *want.values, "sort %d",
                     sort);
    free(want.values);
    free(got.values);
  }
}
