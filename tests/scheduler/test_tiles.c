/* How the axes of a chain are cut: uprights that wait for none of their chain, wedges behind their
 * neighbours, one segment where more do not fit, and lines. */
#include "scheduler/flush/memo.h"
#include "scheduler/plan/tasks.h"
#include "scheduler/plan/tiling.h"
#include "scheduler/plan/verify.h"
#include "tests/scheduler/harness.h"

/** Sweeps from u to v and back: out[inner] = the sum of the points before and behind along axis 0. */
typedef struct swept {
  bool has_borders; /* behind every second sweep, of one row */
  int ndim;
  int64_t n;
  int n_sweeps, n_threads;
  void (*expect)(const tsr_plan *plan);
} swept;

static void add_sweep(rank_world *w, const swept *s, array in, array out)
{
  int64_t before[2][3], behind[2][3], inner[2][3];
  for (int k = 0; k < s->ndim; k++) {
    const int64_t n = k == 0 ? s->n - 2 : s->n;
    memcpy(before[k], (const int64_t[]){0, n, 1}, sizeof before[k]);
    memcpy(behind[k], (const int64_t[]){k == 0 ? 2 : 0, n, 1}, sizeof behind[k]);
    memcpy(inner[k], (const int64_t[]){k == 0, n, 1}, sizeof inner[k]);
  }
  SLICE x = slice(in, before), y = slice(in, behind), z = slice(out, inner);
  map2(w, TSR_OP_ADD, in_array(x), in_array(y), z, false);
}

static void add_border(rank_world *w, const swept *s, array v)
{
  const int64_t beside[2][3] = {{1, 1, 1}, {0, s->n, 1}}, row[2][3] = {{0, 1, 1}, {0, s->n, 1}};
  SLICE x = slice(v, beside), z = slice(v, row);
  map2(w, TSR_OP_ADD, in_array(x), in_f64(1), z, false);
}

static void try_swept(rank_world *w)
{
  const swept *s = w->arg;
  const int64_t shape[2] = {s->n, s->n};
  tsr_arena arena = {0};
  tsr_program program;
  array u = make(w, TSR_FLOAT64, s->ndim, shape, true);
  array v = make(w, TSR_FLOAT64, s->ndim, shape, true);
  fill(w, u, 1.0, true);
  fill(w, v, 0.0, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  for (int i = 0; i < s->n_sweeps; i++) {
    add_sweep(w, s, i % 2 ? v : u, i % 2 ? u : v);
    if (s->has_borders && i % 2 == 1) add_border(w, s, u);
  }
  program_of(&w->window, &arena, &program);
  tsr_plan *plan = tsr__plan_create(w->scheduler, &program);
  cr_assert_eq(plan->n_groups, s->n_sweeps + (s->has_borders ? s->n_sweeps / 2 : 0));
  char *defect = tsr__verify_chunks(plan);
  cr_expect_null(defect, "%s", defect);
  free(defect);
  defect = tsr__verify_order(plan);
  cr_expect_null(defect, "%s", defect);
  free(defect);
  s->expect(plan);
  end_plan(w, plan, &arena, &program, u, v);
}

static void try_with(const swept *s, const char *steps)
{
  const char *const settings[] = {"device",
                                  "cpu",
                                  "places",
                                  "1",
                                  "threads",
                                  s->n_threads == 1 ? "1" : "2",
                                  "replicate_max",
                                  "0",
                                  "inline_elems",
                                  "0",
                                  "recompute",
                                  "0",
                                  "memo",
                                  "0",
                                  "time_steps",
                                  steps,
                                  "chunk_bytes",
                                  "4K",
                                  NULL};
  swept copy = *s;
  run_ranks(1, settings, try_swept, &copy);
}

/* Is the task an upright of a chain of several groups? */
static bool is_upright(const tsr_plan *plan, const tsr_task *t)
{
  const tsr_chain *chain = tsr__chain_of(plan, &plan->groups[t->group]);
  return t->kind == TSR_TASK_CHUNK && chain->n_groups > 1 && (t->what == 0 || t->what % 2 == 1);
}

/* Chunk 0 is an upright, and behind every other one follows the wedge before it. */
static void expect_free_uprights(const tsr_plan *plan)
{
  int32_t n_uprights = 0, n_wedges = 0;
  cr_assert_gt(plan->n_chains, 1);
  for (int32_t i = 0; i < plan->n_tasks; i++) {
    const tsr_task *from = &plan->tasks[i];
    for (int32_t j = 0; j < from->n_next; j++) {
      const tsr_task *to = &plan->tasks[plan->next[from->first_next + j]];
      const bool is_one_chain = plan->groups[from->group].chain == plan->groups[to->group].chain;
      cr_expect_not(is_one_chain && is_upright(plan, to), "chunk %d waits for chunk %d", to->what,
                    from->what);
      n_wedges += is_one_chain && !is_upright(plan, to);
    }
    n_uprights += is_upright(plan, from);
  }
  cr_expect_geq(n_uprights, 4 * plan->n_chains, "two for each of two threads");
  cr_expect_eq(n_wedges, 2 * (n_uprights - plan->n_chains), "a wedge waits for both neighbours");
}

Test(tiles, uprights_wait_for_none_of_their_chain)
{
  try_with(&(swept){false, 2, 200, 12, 2, expect_free_uprights}, "4");
}

/* Six points for each of 16 steps: no segment is as long as the steps lean. */
static void expect_one_segment(const tsr_plan *plan)
{
  cr_assert_eq(plan->n_chains, 1);
  cr_expect_eq(plan->chains[0].n_groups, plan->n_groups);
  cr_expect_eq(plan->chains[0].tiles.n_segments, 1);
  cr_expect_eq(plan->chains[0].n_chunks, 1);
}

Test(tiles, what_is_too_short_for_segments_is_one)
{
  try_with(&(swept){false, 2, 40, 16, 2, expect_one_segment}, "16");
}

/* Each segment is longer than what its ends lean over and reach. */
static void expect_line(const tsr_plan *plan)
{
  const tsr_chain_tiles *t = &plan->chains[0].tiles;
  cr_assert_gt(plan->chains[0].n_groups, 1);
  cr_expect_geq(t->n_segments, 4, "two for each of two threads");
  const tsr_chain_step *last = &t->steps[t->n_steps - 1];
  for (int32_t i = 0; i < t->n_segments; i++)
    cr_expect_gt(t->cuts[i + 1] - t->cuts[i], last->up[0] + last->down[0] + 1);
  expect_free_uprights(plan);
}

Test(tiles, a_line_has_uprights_for_all_threads)
{
  try_with(&(swept){false, 1, 4000, 12, 2, expect_line}, "4");
}

/* A chain that is as long as the one before does not leave its last sweep to the next. */
static void expect_even(const tsr_plan *plan)
{
  cr_assert_gt(plan->n_chains, 4);
  for (int32_t i = 1; i < plan->n_chains - 1; i++)
    cr_expect_geq(plan->chains[i].n_groups, plan->chains[0].n_groups, "chain %d", i);
}

Test(tiles, chains_with_borders_are_as_long_as_the_first)
{
  try_with(&(swept){true, 2, 200, 24, 1, expect_even}, "4");
}
