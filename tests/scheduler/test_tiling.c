/* Steps tiled over time: which groups are one chain, how far its steps lean, and that the verifier
 * finds a step which leans too little. */
#include "scheduler/flush/memo.h"
#include "scheduler/plan/buffers.h"
#include "scheduler/plan/tiling.h"
#include "scheduler/plan/verify.h"
#include "tests/scheduler/harness.h"

#include <fcntl.h>
#include <unistd.h>

enum { SIDE = 100, N_STEPS = 6 };

#define SETTINGS(steps, bytes)                                                                     \
  {                                                                                                \
    "device", "cpu", "places", "1", "threads", "1", "replicate_max", "0", "inline_elems", "0",     \
        "recompute", "0", "memo", "0", "time_steps", steps, "chunk_bytes", bytes, NULL             \
  }

/** A sweep: out[inner] = the sum of two displaced views of `in`, whose displacements are given. */
typedef struct sweep {
  int64_t a[2], b[2];
} sweep;

static void add_sweep(rank_world *w, array in, const sweep *s, array out)
{
  const int64_t n = SIDE - 4;
  const int64_t first[2][3] = {{2 + s->a[0], n, 1}, {2 + s->a[1], n, 1}},
                second[2][3] = {{2 + s->b[0], n, 1}, {2 + s->b[1], n, 1}},
                inner[2][3] = {{2, n, 1}, {2, n, 1}};
  SLICE x = slice(in, first), y = slice(in, second), z = slice(out, inner);
  map2(w, TSR_OP_ADD, in_array(x), in_array(y), z, false);
}

/** Two arrays that take turns, and what is to be found of their plan. */
typedef struct tried {
  sweep sweep;
  int32_t n_groups; /* of the first chain */
  int64_t down[2], up;
  bool breaks;
} tried;

/* Two stored arrays of side x side: all of u is `value`, v is zero. */
static void make_two(rank_world *w, int64_t side, double value, array *u, array *v)
{
  const int64_t shape[2] = {side, side};
  *u = make(w, TSR_FLOAT64, 2, shape, true);
  *v = make(w, TSR_FLOAT64, 2, shape, true);
  fill(w, *u, value, true);
  fill(w, *v, 0.0, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
}

/* The plan of so many sweeps from u to v and back; both are stored before. */
static tsr_plan *plan_of(rank_world *w, tsr_arena *arena, tsr_program *program, const sweep *s,
                         array *u, array *v)
{
  make_two(w, SIDE, 1.0, u, v);
  for (int i = 0; i < N_STEPS; i++) add_sweep(w, i % 2 ? *v : *u, s, i % 2 ? *u : *v);
  program_of(&w->window, arena, program);
  return tsr__plan_create(w->scheduler, program);
}

static void expect_defect(char *defect, const char *what)
{
  cr_expect_not_null(defect, "%s is not found", what);
  free(defect);
}

/* Both verifiers find nothing. */
static void expect_whole(const tsr_plan *plan)
{
  char *defect = tsr__verify_chunks(plan);
  cr_expect_null(defect, "%s", defect);
  defect = tsr__verify_order(plan);
  cr_expect_null(defect, "%s", defect);
}

/* A step that leans one less, at an end of a band or of a segment, reads what has not run. */
static void lean_less(const tsr_plan *plan, tsr_chain *chain)
{
  for (int32_t q = 1; q < chain->n_groups; q++) {
    tsr_chain_step *s = &chain->tiles.steps[q];
    for (int k = 0; k < 2; k++) {
      if (s->down[k] == 0 || (k > 0 && chain->tiles.band[k] == 0)) continue;
      s->down[k]--;
      expect_defect(tsr__verify_order(plan), "a band that leans too little");
      s->down[k]++;
    }
    if (s->up[0] == 0) continue;
    s->up[0]--;
    expect_defect(tsr__verify_order(plan), "an upright that leans too little");
    s->up[0]++;
  }
  chain->tiles.steps[1].end[1]--;
  expect_defect(tsr__verify_chunks(plan), "a column that does not run");
  chain->tiles.steps[1].end[1]++;
}

/* Bands are numbered along axis 0 first: what one shares with the one before is in the cache. */
static void expect_rows_in_turn(const tsr_chain *chain)
{
  const int64_t rows = chain->tiles.band[0];
  tsr_box one, next;
  if (rows == 0 || 2 * rows > chain->tiles.cuts[1] - chain->tiles.cuts[0]) return;
  tsr__chain_band(chain, chain->first_group, 0, 0, &one);
  tsr__chain_band(chain, chain->first_group, 0, 1, &next);
  cr_expect_eq(next.lo[0], one.lo[0] + one.n[0]);
  cr_expect_eq(next.lo[1], one.lo[1]);
}

static void try_plan(rank_world *w)
{
  const tried *t = w->arg;
  tsr_arena arena = {0};
  tsr_program program;
  array u, v;
  tsr_plan *plan = plan_of(w, &arena, &program, &t->sweep, &u, &v);
  tsr_chain *chain = &plan->chains[0];
  cr_assert_eq(plan->n_groups, N_STEPS);
  for (int i = 2; i < N_STEPS; i++)
    cr_expect_eq(plan->groups[i].accesses.kernel, plan->groups[i - 2].accesses.kernel,
                 "steps that are alike have one kernel");
  cr_assert_eq(chain->n_groups, t->n_groups, "%d groups", chain->n_groups);
  expect_whole(plan);
  if (chain->n_groups > 1) {
    const tsr_chain_step *last = &chain->tiles.steps[chain->n_groups - 1];
    for (int k = 0; k < 2; k++)
      cr_expect_eq(last->down[k], t->down[k], "down %d along %d", (int)last->down[k], k);
    cr_expect_eq(last->up[0], t->up, "up %d", (int)last->up[0]);
    cr_expect_eq(chain->n_chunks, 3, "two uprights and a wedge");
    cr_expect_gt(tsr__chain_n_bands(chain, 0), 4);
    cr_expect_eq(tsr__chain_n_bands(chain, 2) > 1, chain->tiles.band[1] > 0);
    expect_rows_in_turn(chain);
    if (t->breaks) lean_less(plan, chain);
  }
  end_plan(w, plan, &arena, &program, u, v);
}

/* Steps that read the nearest points to each side of a cube of so many points an axis. */
static tsr_steps_cost seven_points(int32_t n_steps, int64_t length)
{
  return (tsr_steps_cost){.n_steps = n_steps,
                          .ndim = 3,
                          .length = {length, length, length},
                          .lean = {n_steps - 1, n_steps - 1, n_steps - 1},
                          .held_bytes = 16,
                          .moved_bytes = 32,
                          .alone_bytes = 16.0 * n_steps};
}

Test(tiling, steps_in_three_dimensions_pay)
{
  const tsr_steps_cost four = seven_points(4, 512), two = seven_points(2, 512);
  cr_expect(tsr__steps_pay(&four, 1 << 20), "four steps move 0.6 of the bytes");
  cr_expect_not(tsr__steps_pay(&two, 1 << 20), "two steps move all of them");
  cr_expect_not(tsr__steps_pay(&four, 1 << 16), "four planes of so few rows are all lean");
}

Test(tiling, steps_lean_as_far_as_they_reach)
{
  static const char *const settings[] = SETTINGS("4", "4K");
  /* A step that reads one to each side leans by one more than the one before it on both. One that
   * reads to one side only leans on both, too, since it overwrites what the other has read. */
  static const tried all[] = {{{{-1, 0}, {1, 0}}, 4, {3, 0}, 3, true},
                              {{{0, -1}, {0, 1}}, 4, {0, 3}, 0, true},
                              {{{-1, -1}, {1, 1}}, 4, {3, 3}, 3, true},
                              {{{0, 0}, {2, 2}}, 4, {7, 7}, 5, true},
                              {{{-2, 1}, {2, 1}}, 4, {6, 4}, 6, true}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    tried t = all[i];
    run_ranks(1, settings, try_plan, &t);
  }
}

Test(tiling, what_does_not_pay_or_is_off_is_no_chain)
{
  static const char *const by_cost[] = SETTINGS("0", "4K"), *const off[] = SETTINGS("1", "4K"),
                           *const all[] = SETTINGS("128", "4K");
  tried t = {{{-1, 0}, {1, 0}}, 1, {0}, 0, false};
  run_ranks(1, by_cost, try_plan, &t); /* both arrays fit a cache */
  run_ranks(1, off, try_plan, &t);
  t = (tried){{{-1, 0}, {1, 0}}, N_STEPS, {N_STEPS - 1, 0}, N_STEPS - 1, false};
  run_ranks(1, all, try_plan, &t);
}

/* out[inner] = the sum of what lies above and below, and two columns that hold the one beside
 * them. */
static void add_bordered(rank_world *w, array in, array out, int64_t n)
{
  const int64_t above[2][3] = {{0, n - 2, 1}, {1, n - 2, 1}},
                below[2][3] = {{2, n - 2, 1}, {1, n - 2, 1}},
                inner[2][3] = {{1, n - 2, 1}, {1, n - 2, 1}};
  SLICE x = slice(in, above), y = slice(in, below), z = slice(out, inner);
  map2(w, TSR_OP_ADD, in_array(x), in_array(y), z, false);
  for (int i = 0; i < 2; i++) {
    const int64_t to[2][3] = {{0, n, 1}, {i == 0 ? 0 : n - 1, 1, 1}},
                  from[2][3] = {{0, n, 1}, {i == 0 ? 1 : n - 2, 1, 1}};
    SLICE border = slice(out, to), beside = slice(out, from);
    map2(w, TSR_OP_ADD, in_array(beside), in_f64(0), border, false);
  }
}

/** Sweeps with two borders each, and what is to be found of their chains. */
typedef struct bordered {
  int32_t n_sweeps;
  int32_t most; /* sweeps of a chain; 0: there is no chain */
} bordered;

/* The bytes of a band of all steps of the chain, with what they lean over. */
static int64_t band_bytes(const tsr_chain *chain, int64_t point_bytes)
{
  const tsr_chain_tiles *t = &chain->tiles;
  int64_t bytes = point_bytes;
  for (int k = 0; k < chain->ndim; k++) {
    int64_t leans = 0;
    for (int32_t q = 0; q < t->n_steps; q++)
      if (t->steps[q].down[k] > leans) leans = t->steps[q].down[k];
    bytes *= t->band[k] > 0 ? t->band[k] + leans : t->end[k] - t->lo[k];
  }
  return bytes;
}

/* A band takes three quarters of the cache that the machine says it has. */
static void expect_cached(const tsr_chain *chain, int64_t point_bytes, int64_t l2_bytes)
{
  const tsr_chain_tiles *t = &chain->tiles;
  cr_expect_leq(band_bytes(chain, point_bytes), l2_bytes / 4 * 3, "%d steps in bands of %d x %d",
                t->n_steps, (int)t->band[0], (int)t->band[1]);
}

/* Of a chain only the first step asks for its memory ahead, and none has streaming stores, as large
 * steps one by one have. */
static void expect_memory_once(const tsr_plan *plan)
{
  for (int32_t i = 0; i < plan->n_groups; i++) {
    const tsr_chain *chain = tsr__chain_of(plan, &plan->groups[i]);
    const tsr_footprint *f = &plan->groups[i].footprint;
    if (i % 3 != 0) continue; /* a border */
    cr_expect_eq(f->stream_store_mask != 0, chain->n_groups == 1, "stores of step %d", i);
    cr_expect_eq(f->from_memory, chain->first_group == i, "loads of step %d", i);
  }
}

/* Each chain begins with a sweep, has as many sweeps as every other, or one more, and ends behind
 * the borders of its last one. */
static void try_bordered(rank_world *w)
{
  enum { N = 600 }; /* so large that borders stay passes of their own */
  const bordered *b = w->arg;
  const int64_t shape[2] = {N, N};
  tsr_topology *t = &w->world.machine->topology;
  t->l2_bytes = 128 << 10;
  t->l3_bytes = 256 << 10;
  tsr_arena arena = {0};
  tsr_program program;
  array u = make(w, TSR_FLOAT64, 2, shape, true), v = make(w, TSR_FLOAT64, 2, shape, true);
  fill(w, u, 0.0, true);
  fill(w, v, 0.0, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  for (int i = 0; i < b->n_sweeps; i++) add_bordered(w, i % 2 ? v : u, i % 2 ? u : v, N);
  program_of(&w->window, &arena, &program);
  tsr_plan *plan = tsr__plan_create(w->scheduler, &program);
  cr_assert_eq(plan->n_groups, 3 * b->n_sweeps, "%d groups", plan->n_groups);
  int32_t least = INT32_MAX, most = 0;
  for (int32_t i = 0; i < plan->n_chains && b->most > 0; i++) {
    const tsr_chain *chain = &plan->chains[i];
    cr_assert_eq(chain->first_group % 3, 0, "chain %d begins with a border", i);
    cr_assert_eq(chain->n_groups % 3, 0, "chain %d has %d groups", i, chain->n_groups);
    if (chain->n_groups > 1)
      expect_cached(chain, 2 * (int64_t)sizeof(double), (int64_t)t->l2_bytes);
    if (chain->n_groups < least) least = chain->n_groups;
    if (chain->n_groups > most) most = chain->n_groups;
  }
  expect_memory_once(plan);
  cr_expect_leq(most / 3, b->most, "%d sweeps", most / 3);
  cr_expect_gt(least / 3, 1);
  cr_expect_leq(most / 3 - least / 3, 1, "chains of %d and of %d sweeps", most / 3, least / 3);
  end_plan(w, plan, &arena, &program, u, v);
}

Test(tiling, chains_are_even_and_borders_stay_with_their_step)
{
  static const char *const by_cost[] = SETTINGS("0", "4K"), *const four[] = SETTINGS("4", "1M");
  bordered b = {.n_sweeps = 1};
  run_ranks(1, by_cost, try_bordered, &b);
  b.n_sweeps = 4;
  b.most = 2;
  run_ranks(1, four, try_bordered, &b);
  b.most = 22; /* of at most 64 steps, and the borders of the last */
  for (b.n_sweeps = 10; b.n_sweeps <= 40; b.n_sweeps += 6) run_ranks(1, by_cost, try_bordered, &b);
}

/* A chain of as many steps as there may be begins and ends with a sweep and its borders, too. */
static void try_full(rank_world *w)
{
  enum { N = 512, SWEEPS = 50, STEPS = 3 };
  tsr_arena arena = {0};
  tsr_program program;
  array u, v;
  make_two(w, N, 0.0, &u, &v);
  for (int i = 0; i < SWEEPS; i++) add_bordered(w, i % 2 ? v : u, i % 2 ? u : v, N);
  program_of(&w->window, &arena, &program);
  tsr_plan *plan = tsr__plan_create(w->scheduler, &program);
  cr_assert_eq(plan->n_groups, STEPS * SWEEPS);
  cr_assert_eq(plan->n_chains, 2, "%d chains", plan->n_chains);
  cr_assert_eq(plan->chains[0].end, TSR_END_MOST);
  cr_expect_gt(plan->chains[0].n_groups, STEPS * (SWEEPS - 10), "there may be 128");
  cr_expect_eq(plan->chains[0].n_groups % STEPS, 0, "%d groups", plan->chains[0].n_groups);
  for (int32_t i = 0; i < w->window.n_ops; i++) w->window.ops[i]->where = NULL;
  char *text = tsr__chains_text(plan);
  cr_expect_not_null(strstr(text, "; ends: it has as many steps as it may, `?`"),
                     "an operation without a location has no line: %s", text);
  free(text);
  end_plan(w, plan, &arena, &program, u, v);
}

Test(tiling, a_full_chain_ends_with_a_sweep)
{
  static const char *const asked[] = SETTINGS("128", "1M");
  run_ranks(1, asked, try_full, NULL);
}

/* Sweeps over two arrays in memory, of n along each axis: out[inner] = the sum of two neighbours
 * along every axis, plus n_added numbers. */
static tsr_plan *plan_of_sweeps(rank_world *w, tsr_arena *arena, tsr_program *program, int ndim,
                                int64_t n, int n_added, array *u, array *v)
{
  enum { SWEEPS = 24 };
  const int64_t shape[3] = {n, n, n};
  *u = make(w, TSR_FLOAT64, ndim, shape, true);
  *v = make(w, TSR_FLOAT64, ndim, shape, true);
  fill(w, *u, 1.0, true);
  fill(w, *v, 0.0, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  for (int i = 0; i < SWEEPS; i++) {
    const array in = i % 2 ? *v : *u, out = i % 2 ? *u : *v;
    int64_t before[3][3], after[3][3], inner[3][3];
    for (int k = 0; k < ndim; k++)
      for (int j = 0; j < 3; j++) {
        inner[k][j] = (const int64_t[]){1, n - 2, 1}[j];
        before[k][j] = (const int64_t[]){0, n - 2, 1}[j];
        after[k][j] = (const int64_t[]){2, n - 2, 1}[j];
      }
    SLICE x = slice(in, before), y = slice(in, after), z = slice(out, inner);
    map2(w, TSR_OP_ADD, in_array(x), in_array(y), z, false);
    for (int j = 0; j < n_added; j++) map2(w, TSR_OP_ADD, in_array(z), in_f64(j), z, false);
  }
  program_of(&w->window, arena, program);
  tsr_plan *plan = tsr__plan_create(w->scheduler, program);
  cr_assert_eq(plan->n_groups, SWEEPS, "%d groups", plan->n_groups);
  return plan;
}

/* Few steps of planes fit the second-level cache: their bands are in a thread's part of the
 * last-level cache, if that is larger. Rows stay in the second-level cache. */
static void try_planes(rank_world *w)
{
  enum { CORES = 2 };
  static const struct {
    int ndim;
    int64_t n, l2_bytes, far_bytes;
    bool is_far;
  } cases[] = {{3, 96, 128 << 10, 1 << 20, true},
               {3, 96, 128 << 10, 128 << 10, false},
               {2, 900, 512 << 10, 1 << 20, false}};
  tsr_topology *t = &w->world.machine->topology;
  t->n_cores_node = CORES;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    t->l2_bytes = (size_t)cases[i].l2_bytes;
    t->l3_bytes = (size_t)cases[i].far_bytes * CORES;
    tsr_arena arena = {0};
    tsr_program program;
    array u, v;
    tsr_plan *plan = plan_of_sweeps(w, &arena, &program, cases[i].ndim, cases[i].n, 0, &u, &v);
    int64_t most = 0;
    for (int32_t c = 0; c < plan->n_chains; c++) {
      const int64_t bytes = band_bytes(&plan->chains[c], 2 * (int64_t)sizeof(double));
      if (plan->chains[c].n_groups > 1 && bytes > most) most = bytes;
    }
    const int64_t cache_bytes = cases[i].is_far ? cases[i].far_bytes : cases[i].l2_bytes;
    cr_expect_gt(most, cases[i].is_far ? cases[i].l2_bytes : 0, "case %d: %d bytes", (int)i,
                 (int)most);
    cr_expect_leq(most, cache_bytes / 4 * 3, "case %d: %d bytes", (int)i, (int)most);
    end_plan(w, plan, &arena, &program, u, v);
  }
}

Test(tiling, bands_of_planes_are_in_the_last_cache)
{
  static const char *const by_cost[] = SETTINGS("0", "4K");
  run_ranks(1, by_cost, try_planes, NULL);
}

/* What the last-level cache holds is tiled where that saves much of what the cache takes: not where
 * the steps' own instructions hide it. What fills that cache is treated as if it lay in memory. */
static void try_held(rank_world *w)
{
  enum { N = 400, N_DEAR = 12, BYTES = 2 * N * N * sizeof(double) };
  static const struct {
    int64_t l3_bytes;
    int n_added;
    bool is_tiled;
  } cases[] = {{2 * BYTES, 0, true},
               {2 * BYTES, N_DEAR, false},
               {BYTES, N_DEAR, true},
               {BYTES / 2, N_DEAR, true}};
  tsr_topology *t = &w->world.machine->topology;
  t->n_cores_node = 1;
  t->l2_bytes = 512 << 10;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    t->l3_bytes = (size_t)cases[i].l3_bytes;
    tsr_arena arena = {0};
    tsr_program program;
    array u, v;
    tsr_plan *plan = plan_of_sweeps(w, &arena, &program, 2, N, cases[i].n_added, &u, &v);
    cr_expect_eq(plan->n_tiled > 0, cases[i].is_tiled, "case %d", (int)i);
    if (!cases[i].is_tiled) cr_expect_eq(plan->chains[0].end, TSR_END_CACHED);
    end_plan(w, plan, &arena, &program, u, v);
  }
}

Test(tiling, dear_steps_that_a_cache_holds_are_not_tiled)
{
  static const char *const by_cost[] = SETTINGS("0", "128K");
  run_ranks(1, by_cost, try_held, NULL);
}

/* A sweep of rows, and two rows of ghosts that hold the opposite border. */
static void add_ring(rank_world *w, array in, array out)
{
  const int64_t rows[2][2] = {{0, SIDE - 2}, {SIDE - 1, 1}}, n = SIDE - 2;
  const int64_t above[2][3] = {{0, n, 1}, {0, SIDE, 1}}, below[2][3] = {{2, n, 1}, {0, SIDE, 1}},
                inner[2][3] = {{1, n, 1}, {0, SIDE, 1}};
  SLICE x = slice(in, above), y = slice(in, below), z = slice(out, inner);
  map2(w, TSR_OP_ADD, in_array(x), in_array(y), z, false);
  for (int i = 0; i < 2; i++) {
    const int64_t to[2][3] = {{rows[i][0], 1, 1}, {0, SIDE, 1}},
                  from[2][3] = {{rows[i][1], 1, 1}, {0, SIDE, 1}};
    SLICE ghost = slice(out, to), opposite = slice(out, from);
    map2(w, TSR_OP_ADD, in_array(opposite), in_f64(0), ghost, false);
  }
}

/* Makes all images of a group lean by so much more along axis 0. */
static void lean_by(tsr_chain *chain, int32_t group, int64_t down, int64_t up)
{
  for (int32_t q = 0; q < chain->tiles.n_steps; q++) {
    if (chain->tiles.steps[q].group != group) continue;
    chain->tiles.steps[q].down[0] += down;
    chain->tiles.steps[q].up[0] += up;
  }
}

/* Of a periodic axis the ends meet in one more wedge. What leans too little there is found, too,
 * and so is an image that is missing. */
static void try_ring(rank_world *w)
{
  tsr_arena arena = {0};
  tsr_program program;
  array u, v;
  make_two(w, SIDE, 1.0, &u, &v);
  for (int i = 0; i < 4; i++) add_ring(w, i % 2 ? v : u, i % 2 ? u : v);
  program_of(&w->window, &arena, &program);
  tsr_plan *plan = tsr__plan_create(w->scheduler, &program);
  tsr_chain *chain = &plan->chains[0];
  cr_assert_eq(chain->n_groups, 12, "%d groups", chain->n_groups);
  cr_expect_eq(chain->n_chunks, 5, "two uprights, an empty one and two wedges: %d",
               chain->n_chunks);
  cr_expect_eq(chain->tiles.end[0] - chain->tiles.lo[0], SIDE - 2);
  cr_expect_gt(chain->tiles.n_steps, chain->n_groups);
  expect_whole(plan);
  for (int32_t g = 3; g < chain->n_groups; g += 3) {
    lean_by(chain, g, -1, 0);
    expect_defect(tsr__verify_order(plan), "a band that leans too little");
    lean_by(chain, g, 1, -1);
    expect_defect(tsr__verify_order(plan), "an upright that leans too little");
    lean_by(chain, g, 0, 1);
  }
  chain->tiles.n_steps--;
  expect_defect(tsr__verify_chunks(plan), "a missing image");
  chain->tiles.n_steps++;
  end_plan(w, plan, &arena, &program, u, v);
}

Test(tiling, the_ends_of_a_period_meet)
{
  static const char *const settings[] = SETTINGS("12", "4K");
  run_ranks(1, settings, try_ring, NULL);
}

/* Tasks wait for their neighbours only, however many chains and uprights there are: a dependency on
 * a task that another one has waited for is none of its own. */
static void count_edges(rank_world *w)
{
  tsr_arena arena = {0};
  tsr_program program;
  array u, v;
  tsr_plan *plan = plan_of(w, &arena, &program, &(sweep){{-1, 0}, {1, 0}}, &u, &v);
  cr_assert_eq(plan->n_chains, N_STEPS / 2);
  cr_expect_gt(plan->chains[0].n_chunks, 8);
  cr_expect_leq(plan->n_next, 6 * plan->n_tasks, "%d for %d tasks", plan->n_next, plan->n_tasks);
  expect_whole(plan);
  end_plan(w, plan, &arena, &program, u, v);
}

Test(tiling, tasks_wait_for_their_neighbours)
{
  RUN_RANKS(1, count_edges, NULL, "device", "cpu", "places", "1", "threads", "4", "replicate_max",
            "0", "inline_elems", "0", "recompute", "0", "memo", "0", "time_steps", "2",
            "chunk_bytes", "4K");
}

/* A transposed read has no constant distance from what wrote it, and a scalar has no rows. */
static void read_turned(rank_world *w)
{
  const int64_t shape[2] = {SIDE, SIDE};
  HELD u = make(w, TSR_FLOAT64, 2, shape, true), v = make(w, TSR_FLOAT64, 2, shape, true);
  fill(w, u, 1.0, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  tsr_view turned = u.view->view;
  tsr__view_transpose(&turned, (const int[]){1, 0});
  tsr_view_ref *ref = tsr__view_ref_new(&w->window, &turned);
  map2(w, TSR_OP_ADD, in_array(u), in_f64(1), v, true);
  map2(w, TSR_OP_ADD, in_array(u), (tsr_op_in){.region = v.region, .view = ref}, u, false);
  map2(w, TSR_OP_ADD, (tsr_op_in){.region = u.region, .view = ref}, in_array(v), v, false);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  cr_expect_eq(tsr__scheduler_counters(w->scheduler)->n_tiled, 0);
  double value;
  const int64_t at[2][3] = {{3, 1, 1}, {60, 1, 1}};
  SLICE one = slice(v, at);
  cr_assert_eq(tsr__read(w->scheduler, v.region, &one.view->view, &here, &value), TSR_OK);
  cr_expect_eq(value, 5);
  tsr__view_ref_drop(ref);
}

Test(tiling, a_transposed_read_ends_a_chain)
{
  static const char *const settings[] = SETTINGS("8", "4K");
  run_ranks(1, settings, read_turned, NULL);
}

#ifdef __SANITIZE_THREAD__
/* The plan of the band, which has been planned before. */
static tsr_plan *remembered(rank_world *w)
{
  tsr_names names;
  tsr_plan *plan = NULL;
  tsr__number_regions(w->scheduler->window, &names, &w->scheduler->arena);
  tsr__memo_find(w->scheduler, NULL, false, &names, &plan);
  cr_assert_not_null(plan, "a band that came back has its plan");
  return plan;
}

/* Runs the sweeps of ever new arrays by one plan, whose second step begins a row early in each
 * segment but the first: there it reads what the segment before it writes meanwhile. Not in every
 * run does another thread take that. */
static void run_too_early(rank_world *w)
{
  enum { N_RUNS = 100 };
  const int64_t shape[2] = {SIDE, SIDE};
  const sweep s = {{-1, 0}, {1, 0}};
  for (int run = 0; run < N_RUNS; run++) {
    array u = make(w, TSR_FLOAT64, 2, shape, true), v = make(w, TSR_FLOAT64, 2, shape, true);
    fill(w, u, 1.0, true);
    fill(w, v, 0.0, true);
    cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
    for (int i = 0; i < N_STEPS; i++) add_sweep(w, i % 2 ? v : u, &s, i % 2 ? u : v);
    if (run == 1) {
      tsr_chain *chain = &remembered(w)->chains[0];
      cr_assert_gt(chain->n_groups, 1);
      chain->tiles.steps[1].up[0]--;
    }
    cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
    drop(u);
    drop(v);
  }
}

/* A step that leans too little is a race, which ThreadSanitizer reports by its exit code. Its text
 * would fail whatever holds it (tools/run_tests.sh). */
Test(tiling, a_step_that_leans_too_little_is_a_race, .exit_code = 66)
{
  static const char *const settings[] = {
      "device",        "cpu", "places",       "1",   "threads",    "2",
      "replicate_max", "0",   "inline_elems", "0",   "recompute",  "0",
      "memo",          "1",   "jit",          "off", "time_steps", "4",
      "chunk_bytes",   "4K",  "replan",       "0",   NULL};
  const int nowhere = open("/dev/null", O_WRONLY);
  cr_assert_geq(nowhere, 0);
  dup2(nowhere, STDERR_FILENO);
  run_ranks(1, settings, run_too_early, NULL);
}
#endif
