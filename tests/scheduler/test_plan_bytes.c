/* What plans of many steps take: memory of arrays, and the plan itself. They are made and not run,
 * so that the arrays may be large. */
#include "runtime/base/blocks.h"
#include "scheduler/plan/buffers.h"
#include "scheduler/plan/tiling.h"
#include "tests/scheduler/harness.h"

/** Steps over a grid, and what is found of their plan. */
typedef struct planned {
  int64_t side;
  int n_steps;
  int32_t n_tiled;
  size_t grid_bytes, array_bytes, plan_bytes;
} planned;

/* The bytes of an arena that are in use. */
static size_t used_bytes(const tsr_arena *a)
{
  size_t bytes = a->used;
  for (const tsr_arena_block *block = a->first; block != a->current; block = block->next)
    bytes += block->capacity;
  return bytes;
}

/* A fifth of what lies in the point and around it. */
static void add_step(rank_world *w, array u, int64_t side)
{
  static const int64_t at[5][2] = {{1, 1}, {0, 1}, {2, 1}, {1, 0}, {1, 2}};
  const int64_t n = side - 2, shape[2] = {n, n}, inner[2][3] = {{1, n, 1}, {1, n, 1}};
  tsr_op_in in[5];
  array parts[5];
  for (int i = 0; i < 5; i++) {
    const int64_t part[2][3] = {{at[i][0], n, 1}, {at[i][1], n, 1}};
    parts[i] = slice(u, part);
    in[i] = in_array(parts[i]);
  }
  HELD sum = make(w, TSR_FLOAT64, 2, shape, false);
  HELD product = make(w, TSR_FLOAT64, 2, shape, false);
  SLICE to = slice(u, inner);
  tsr__record_map(&w->window, &here, TSR_OP_ADD, TSR_FLOAT64, TSR_FLOAT64, 5, in, sum.region,
                  sum.view, true);
  map2(w, TSR_OP_MULTIPLY, in_f64(0.2), in_array(sum), product, true);
  const tsr_op_in value = in_array(product);
  tsr__record_copy(&w->window, &here, &value, to.region, to.view, false);
  for (int i = 0; i < 5; i++) drop_slice(&parts[i]);
}

static void plan_steps(rank_world *w)
{
  planned *x = w->arg;
  const int64_t shape[2] = {x->side, x->side};
  tsr_topology *t = &w->world.machine->topology;
  t->l2_bytes = 1 << 20;
  t->l3_bytes = 32 << 20;
  tsr_arena arena = {0};
  tsr_program program;
  HELD u = make(w, TSR_FLOAT64, 2, shape, true);
  fill(w, u, 0.0, true);
  for (int i = 0; i < x->n_steps; i++) add_step(w, u, x->side);
  program_of(&w->window, &arena, &program);
  tsr_plan *plan = tsr__plan_create(w->scheduler, &program);
  x->n_tiled = (int32_t)plan->n_tiled;
  x->plan_bytes = used_bytes(&plan->arena);
  x->grid_bytes = (size_t)(x->side * x->side) * sizeof(double);
  x->array_bytes = 0;
  for (int32_t i = 0; i < plan->n_buffers; i++) x->array_bytes += plan->buffers[i].bytes;
  tsr__plan_destroy(plan);
  tsr__program_drop(&program);
  tsr__arena_destroy(&arena);
}

static planned plan_of(int64_t side, int n_steps, const char *time_steps, const char *threads)
{
  planned x = {.side = side, .n_steps = n_steps};
  RUN_RANKS(1, plan_steps, &x, "device", "cpu", "places", "1", "threads", threads, "time_steps",
            time_steps, "memo", "0", "window_ops", "1000", "window_cap", "1000", "replan", "0");
  return x;
}

/* Many steps in chains take no more memory than a second buffer, and no larger a plan than as many
 * steps one by one as were one window before there were chains. */
Test(plan_bytes, steps_tiled_over_time_take_no_more)
{
  enum { N_STEPS = 96, N_BEFORE = 22 };
  static const int64_t sides[] = {2000, 8000};
  static const char *const threads[] = {"1", "2"};
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) {
      const planned tiled = plan_of(sides[i], N_STEPS, "0", threads[k]),
                    alone = plan_of(sides[i], N_BEFORE, "1", threads[k]);
      cr_expect_geq(tiled.n_tiled, N_STEPS, "%d steps are tiled", tiled.n_tiled);
      cr_expect_eq(alone.n_tiled, 0);
      cr_expect_leq((double)tiled.array_bytes, 2.2 * (double)tiled.grid_bytes,
                    "%zu bytes of arrays", tiled.array_bytes);
      cr_expect_leq(tiled.plan_bytes, alone.plan_bytes,
                    "%d^2 on %s threads: %zu bytes of a plan, and %zu of steps one by one",
                    (int)sides[i], threads[k], tiled.plan_bytes, alone.plan_bytes);
    }
}
