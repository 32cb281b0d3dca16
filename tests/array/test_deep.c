/* Deep halos: whole programs of steps whose ranks exchange ghosts once for several steps. The same
 * bits as with an exchange per step, and fewer messages. */
#include "step_programs.h"
#include "tests/support/sanitized.h"

typedef struct outcome {
  const step_program *program;
  double values[MOST_VALUES];
  uint64_t n_wide, n_messages; /* of rank 0 */
} outcome;

static void run_rank(void *arg, int rank)
{
  outcome *o = arg;
  tsr_array u = tsr_zeros(step_shape(o->program));
  tsr_flush();
  const tsr_counters before = *tsr__context_counters();
  o->program->run(u);
  tsr_flush();
  const tsr_counters *after = tsr__context_counters();
  if (rank == 0) o->n_wide = after->n_wide - before.n_wide;
  if (rank == 0) o->n_messages = after->n_messages - before.n_messages;
  double *values = rank == 0 ? o->values : calloc(MOST_VALUES, sizeof *values);
  cr_assert_leq(tsr_size(u), MOST_VALUES);
  cr_assert_eq(tsr_to_host(u, values), TSR_OK, "%s", tsr_last_error());
  if (rank > 0) free(values);
}

static void run(outcome *o, int n_ranks, const char *halo_steps, const char *time_steps)
{
  /* What irregular programs read from afar is beyond any halo. */
  const char *halo_max = o->program->is_regular ? "64" : "4";
  RUN_RANKS(n_ranks, run_rank, o, "device", "cpu", "places", "1", "threads", "1", "replicate_max",
            "0", "tile_min", "1", "inline_elems", "0", "window_ops", "1000", "window_cap", "1000",
            "halo_max", halo_max, "halo_steps", halo_steps, "time_steps", time_steps, "chunk_bytes",
            "2K", "replan", "1");
}

/* Steps that share an exchange are at most as many as it says, so there are fewer messages. */
static void compare(const step_program *p, int n_ranks)
{
  static const char *const halo_steps[] = {"2", "5", "1000"};
  outcome *want = calloc(1, sizeof *want), *got = calloc(1, sizeof *got);
  want->program = got->program = p;
  run(want, n_ranks, "1", "1");
  cr_expect_eq(want->n_wide, 0);
  const int only = (int)(p - step_programs) / 3 % 3; /* under a sanitizer one of the three */
  for (int i = IS_SANITIZED ? only : 0; i <= (IS_SANITIZED ? only : 2); i++) {
    run(got, n_ranks, halo_steps[i], i == 1 ? "7" : "1");
    cr_expect_arr_eq(got->values, want->values, sizeof want->values, "%s on %d ranks, %s steps",
                     p->name, n_ranks, halo_steps[i]);
    if (!p->is_regular) continue;
    const uint64_t tenths = i == 0 ? 8 : i == 1 ? 5 : 4, most = want->n_messages * tenths / 10;
    cr_expect_gt(got->n_wide, 0);
    cr_expect_leq(got->n_messages, most, "%s on %d ranks, %s steps: %d messages instead of %d",
                  p->name, n_ranks, halo_steps[i], (int)got->n_messages, (int)want->n_messages);
  }
  free(want);
  free(got);
}

/* Under a sanitizer each program runs on one number of ranks. */
static void compare_all(int n_ranks)
{
  for (int i = IS_SANITIZED ? n_ranks - 2 : 0; i < N_STEP_PROGRAMS; i += IS_SANITIZED ? 3 : 1)
    compare(&step_programs[i], n_ranks);
}

Test(deep_halos, bits_on_2_ranks, .timeout = 240)
{
  compare_all(2);
}

Test(deep_halos, bits_on_3_ranks, .timeout = 240)
{
  compare_all(3);
}

/* Tiles of two axes. */
Test(deep_halos, bits_on_4_ranks, .timeout = 240)
{
  compare_all(4);
}

/* A row that one place has, read beside elements that all have: it stays far from their tiles. */
static void run_row(void *arg, int rank)
{
  double *want = arg, got[5];
  tsr_array u = tsr_copy(tsr_reshape(tsr_arange(0.0, 25.0, 1.0), TSR_SHAPE(5, 5)));
  tsr_array line = tsr_zeros(TSR_SHAPE(5));
  tsr_flush();
  tsr_exec("line[1:] = line[1:] + (0.5 + u[1, 1:])", line, u);
  cr_assert_eq(tsr_to_host(line, got), TSR_OK, "%s", tsr_last_error());
  cr_expect_arr_eq(got, want, sizeof got, "on rank %d", rank);
}

Test(deep_halos, a_row_of_one_place)
{
  double want[5] = {0.0, 6.5, 7.5, 8.5, 9.5};
  for (int n_ranks = 2; n_ranks <= 4; n_ranks++)
    RUN_RANKS(n_ranks, run_row, want, "device", "cpu", "places", "1", "fusion", "0",
              "replicate_max", "0", "tile_min", "1", "inline_elems", "0", "halo_max", "1",
              "halo_steps", "7");
}

typedef struct long_wave {
  int n_warm, n_steps;
  uint64_t n_messages;
} long_wave;

/* Flushes of 16 steps, whose borders are there and are never written. */
static void run_long_wave(void *arg, int rank)
{
  enum { N = 120 };
  long_wave *w = arg;
  tsr_array v[3];
  for (int k = 0; k < 3; k++) v[k] = tsr_full(TSR_SHAPE(N, 8), 0.25 * (k + 1));
  tsr_flush();
  uint64_t before = 0;
  for (int i = 0; i < w->n_warm + w->n_steps; i++) {
    if (i == w->n_warm) before = tsr__context_counters()->n_messages;
    tsr_array a = v[i % 3], b = v[(i + 1) % 3], c = v[(i + 2) % 3];
    tsr_exec("c[1:-1, 1:-1] = 0.1*(b[2:, 1:-1] + b[:-2, 1:-1] + b[1:-1, 2:] + b[1:-1, :-2]) "
             "- a[1:-1, 1:-1]",
             a, b, c);
    if (i % 16 == 15) tsr_flush();
  }
  if (rank == 0) w->n_messages = tsr__context_counters()->n_messages - before;
}

static uint64_t messages_of_wave(int n_warm, int n_steps)
{
  long_wave w = {.n_warm = n_warm, .n_steps = n_steps};
  RUN_RANKS(2, run_long_wave, &w, "device", "cpu", "places", "1", "threads", "1", "replicate_max",
            "0", "tile_min", "1", "inline_elems", "0", "window_ops", "1000", "halo_max", "64",
            "halo_steps", "64", "memo", "1", "fusion", "1");
  return w.n_messages;
}

/* One exchange for each flush, though the logs of ghosts would be full of what other margins
 * brought. */
Test(deep_halos, logs_of_ghosts_last, .timeout = 120)
{
  const uint64_t n = messages_of_wave(48, 192);
  cr_expect_gt(n, 0);
  cr_expect_leq(n, 192 / 16, "%d messages", (int)n);
}

/* The borders beside the tiles come with the first exchange. */
Test(deep_halos, borders_come_with_the_first_exchange, .timeout = 120)
{
  const uint64_t n = messages_of_wave(0, 16);
  cr_expect_eq(n, 1, "%d messages", (int)n);
}

/* A row of a large array that is kept is cut over all ranks as any array of its length; one that is
 * gone when the window ends stays with its owner. */
static void run_kept_row(void *arg, int rank)
{
  tsr_array u = tsr_zeros(TSR_SHAPE(4096, 256));
  tsr_flush();
  tsr_array row = tsr_add(tsr_slice(u, "3"), 1.0);
  tsr_local_tile tile;
  cr_assert_eq(tsr_local(row, NULL, false, &tile), TSR_OK);
  ((int64_t *)arg)[rank] = tile.n[0];
  tsr_local_end(&tile);
  cr_expect_eq(tsr_item_f64(tsr_sum(row)), 256.0);
}

Test(deep_halos, a_kept_row_is_everybodys)
{
  int64_t n[4] = {0};
  RUN_RANKS(4, run_kept_row, n, "device", "cpu", "places", "1", "replicate_max", "0", "tile_min",
            "1");
  for (int r = 0; r < 4; r++) cr_expect_eq(n[r], 64, "rank %d has %d", r, (int)n[r]);
}

/* Steps over a square, a cuboid or a flow in a box, and how many messages they take. */
enum { SQUARE, CUBOID, CAVITY, RING, SUMMED };

typedef struct sweeps {
  int over;  /* SQUARE, CUBOID, CAVITY, RING, or SUMMED: a square that is summed in each step */
  int64_t n; /* the longest side */
  int n_steps;
  uint64_t n_messages, n_gathered; /* chains that ended at what was gathered */
} sweeps;

/* As examples/cavity.c: velocities on faces, a pressure in cells, and borders along both axes. */
static void cavity_step(tsr_array u, tsr_array v, tsr_array p)
{
  TSR_SCOPE();
  tsr_array uv = tsr_eval("0.25 * (u[1:,:] + u[:-1,:]) * (v[:,1:] + v[:,:-1])", u, v);
  tsr_array uc = tsr_eval("0.5 * (u[1:-1,1:] + u[1:-1,:-1])", u);
  tsr_array vc = tsr_eval("0.5 * (v[1:,1:-1] + v[:-1,1:-1])", v);
  tsr_array uu = tsr_eval("p + uc*uc", p, uc), vv = tsr_eval("p + vc*vc", p, vc);
  tsr_exec("u[1:-1,1:-1] += 0.1*(u[1:-1,2:] + u[1:-1,:-2] + u[2:,1:-1] + u[:-2,1:-1])"
           " - 0.4*u[1:-1,1:-1] - 0.2*(uu[:,1:] - uu[:,:-1] + uv[1:,1:-1] - uv[:-1,1:-1])",
           u, uu, uv);
  tsr_exec("v[1:-1,1:-1] += 0.1*(v[1:-1,2:] + v[1:-1,:-2] + v[2:,1:-1] + v[:-2,1:-1])"
           " - 0.4*v[1:-1,1:-1] - 0.2*(vv[1:,:] - vv[:-1,:] + uv[1:-1,1:] - uv[1:-1,:-1])",
           v, vv, uv);
  tsr_exec("u[0,:] = -u[1,:]; u[-1,:] = 2 - u[-2,:]; v[:,0] = -v[:,1]; v[:,-1] = -v[:,-2]", u, v);
  tsr_exec("p[:,:] -= 0.3 * (u[1:-1,1:] - u[1:-1,:-1] + v[1:,1:-1] - v[:-1,1:-1])", p, u, v);
}

static void run_sweeps(void *arg, int rank)
{
  sweeps *s = arg;
  const int64_t n = s->n;
  tsr_array u = tsr_full(s->over == CUBOID   ? TSR_SHAPE(n, 32, 32)
                         : s->over == CAVITY ? TSR_SHAPE(n + 2, n + 1)
                                             : TSR_SHAPE(n, n),
                         0.5);
  tsr_array v = tsr_full(TSR_SHAPE(n + 1, n + 2), 0.25), p = tsr_zeros(TSR_SHAPE(n, n));
  tsr_flush();
  const tsr_counters before = *tsr__context_counters(), *after = tsr__context_counters();
  for (int i = 0; i < s->n_steps; i++)
    if (s->over == CAVITY)
      cavity_step(u, v, p);
    else if (s->over == RING)
      tsr_exec("u[1:-1] = 0.5*(u[:-2] + u[2:]); u[0] = u[-2]; u[-1] = u[1]", u);
    else if (s->over == CUBOID)
      tsr_exec("u[1:-1, 1:-1, 1:-1] = 0.25*(u[:-2, 1:-1, 1:-1] + u[2:, 1:-1, 1:-1] + "
               "u[1:-1, :-2, 1:-1] + u[1:-1, 1:-1, 2:])",
               u);
    else {
      tsr_exec("u[1:-1, 1:-1] = 0.25*(u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])", u);
      if (s->over == SUMMED) tsr_exec("p[0, i] = sum(u)", p, u, i);
    }
  tsr_flush();
  if (rank > 0) return;
  s->n_messages = after->n_messages - before.n_messages;
  s->n_gathered = after->n_chain_ends[TSR_END_GATHERED] - before.n_chain_ends[TSR_END_GATHERED];
}

static sweeps sweeps_in(sweeps s, const char *halo_steps, const char *cache)
{
  RUN_RANKS(2, run_sweeps, &s, "device", "cpu", "places", "1", "threads", "1", "replicate_max", "0",
            "tile_min", "1", "inline_elems", "0", "window_ops", "1000", "window_cap", "1000",
            "halo_max", "64", "time_steps", s.over == RING ? "16" : "0", "halo_steps", halo_steps,
            "halo_cache", cache, "inorder", "0", "fusion", "1", "rename", "1");
  return s;
}

static uint64_t messages_in(sweeps s, const char *halo_steps, const char *cache)
{
  return sweeps_in(s, halo_steps, cache).n_messages;
}

static uint64_t messages_of_sweeps(bool is_cuboid, const char *halo_steps, const char *cache)
{
  const sweeps s = {.over = is_cuboid ? CUBOID : SQUARE, .n = is_cuboid ? 400 : 640, .n_steps = 8};
  return messages_in(s, halo_steps, cache);
}

/* Steps over arrays of many times the cache that they are tiled in have at most an eighth of the
 * messages, by cost, as without deep halos. */
Test(deep_halos, an_eighth_of_the_messages, .timeout = 120)
{
  static const struct {
    int over, n_steps;
    int64_t n;
    const char *cache;
  } all[] = {{SQUARE, 48, 1000, "256K"}, {CUBOID, 48, 1200, "512K"}, {CAVITY, 20, 1200, "512K"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const sweeps s = {.over = all[i].over, .n = all[i].n, .n_steps = all[i].n_steps};
    const uint64_t each = messages_in(s, "1", all[i].cache),
                   few = messages_in(s, "0", all[i].cache);
    cr_expect_geq(each, (uint64_t)all[i].n_steps);
    cr_expect_leq(8 * few, each, "%d: %d messages instead of %d", (int)i, (int)few, (int)each);
  }
}

/* A cache of 64 KB has room for several steps over a piece of a square, and for none of a cuboid,
 * whose ranks exchange each step then. Where all fits caches, messages are what counts. */
Test(deep_halos, margins_are_for_what_is_tiled, .timeout = 60)
{
  const uint64_t square = messages_of_sweeps(false, "1", "64K"),
                 cuboid = messages_of_sweeps(true, "1", "64K");
  cr_expect_leq(2 * messages_of_sweeps(false, "0", "64K"), square);
  cr_expect_eq(messages_of_sweeps(true, "0", "64K"), cuboid);
  cr_expect_leq(2 * messages_of_sweeps(true, "0", "16M"), cuboid);
  cr_expect_leq(2 * messages_of_sweeps(true, "8", "64K"), cuboid, "it was asked for");
  const sweeps summed = {.over = SUMMED, .n = 640, .n_steps = 8};
  cr_expect_eq(messages_in(summed, "0", "64K"), messages_in(summed, "1", "64K"), "sums");
}

/* Where the ends of the axis that is cut meet, each border is gathered in each step, and that is
 * counted as an end of a chain, which the dump names. */
Test(deep_halos, a_period_is_exchanged_each_step, .timeout = 60)
{
  const sweeps ring = {.over = RING, .n = 640, .n_steps = 24};
  const sweeps each = sweeps_in(ring, "1", "64K"), deep = sweeps_in(ring, "16", "64K");
  cr_expect_eq(deep.n_messages, each.n_messages);
  cr_expect_geq(deep.n_messages, 2 * 24);
  cr_expect_eq(deep.n_gathered, 2 * 24, "%d", (int)deep.n_gathered);
}
