/* What waits: temporaries for their readers, and what takes results of reductions for the steps
 * behind it. */
#include "scheduler/plan/group.h"
#include "tests/scheduler/harness.h"

enum { N = 4096, N_STEPS = 4, N_ROWS = 65 }; /* more rows than a sum without a tree has */

static const char *const settings[] = {"device",        "cpu", "places", "1", "threads", "1",
                                       "replicate_max", "0",   "memo",   "0", NULL};

/** An expression `(2*b - a …) + (b[:-2] + b[2:])`, and what the groups store of it. */
typedef struct waiting {
  int n_others; /* arrays beside b that the first part reads */
  int32_t n_stores;
} waiting;

static array inner_of(array a, int64_t first)
{
  return slice(a, (const int64_t[][3]){{first, N - 2, 1}});
}

/* A temporary of inner points. */
static array temporary(rank_world *w)
{
  const int64_t n = N - 2;
  return make(w, TSR_FLOAT64, 1, &n, false);
}

/* c[1:-1] = 2*b[1:-1] - others + (b[:-2] + b[2:]), as NumPy records it. */
static void step(rank_world *w, array b, const array *others, int n_others, array c)
{
  array v[3] = {inner_of(b, 0), inner_of(b, 1), inner_of(b, 2)}, to = inner_of(c, 1);
  array twice = temporary(w), beside = temporary(w);
  map2(w, TSR_OP_MULTIPLY, in_f64(2), in_array(v[1]), twice, true);
  for (int i = 0; i < n_others; i++) {
    array less = temporary(w), other = inner_of(others[i], 1);
    map2(w, TSR_OP_SUBTRACT, in_array(twice), in_array(other), less, true);
    drop(twice);
    tsr__view_ref_drop(other.view);
    twice = less;
  }
  map2(w, TSR_OP_ADD, in_array(v[0]), in_array(v[2]), beside, true);
  map2(w, TSR_OP_ADD, in_array(twice), in_array(beside), to, false);
  drop(twice);
  drop(beside);
  for (int i = 0; i < 3; i++) tsr__view_ref_drop(v[i].view);
  tsr__view_ref_drop(to.view);
}

/* Each step is a group that stores the array it writes, and its temporaries if they do not wait. */
static void try_steps(rank_world *w)
{
  const waiting *t = w->arg;
  const int64_t shape[1] = {N};
  tsr_arena arena = {0};
  tsr_program program;
  array v[5];
  for (int i = 0; i < 5; i++) {
    v[i] = make(w, TSR_FLOAT64, 1, shape, true);
    fill(w, v[i], i, true);
  }
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  for (int i = 0; i < N_STEPS; i++) {
    const array others[3] = {v[i % 3], v[3], v[4]};
    step(w, v[(i + 1) % 3], others, t->n_others, v[(i + 2) % 3]);
  }
  program_of(&w->window, &arena, &program);
  tsr_plan *plan = tsr__plan_create(w->scheduler, &program);
  cr_assert_eq(plan->n_groups, N_STEPS);
  for (int32_t g = 0; g < N_STEPS; g++) {
    int32_t n_stores = 0;
    for (int32_t i = 0; i < plan->groups[g].accesses.n; i++)
      n_stores += plan->groups[g].accesses.v[i].store;
    cr_expect_eq(n_stores, g < N_STEPS - 1 ? t->n_stores : 1, "group %d of %d others stores %d", g,
                 t->n_others, n_stores);
  }
  tsr__plan_destroy(plan);
  tsr__program_drop(&program);
  tsr__arena_destroy(&arena);
  for (int i = 0; i < 5; i++) drop(v[i]);
}

/* One more array to load is fewer bytes than a temporary to store and to load; two are as many. */
Test(waiting, a_temporary_waits_where_that_is_fewer_bytes)
{
  static const waiting all[] = {{0, 1}, {1, 1}, {2, 2}, {3, 2}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    run_ranks(1, settings, try_steps, (void *)&all[i]);
}

/* b[1:H] *= 0.5; a[1:H] = 2*a[:H-1] + (b[:H-1] + b[2:H+1]), of a quarter of a: what reads a beside
 * the points that are written is computed before, though its reader comes later. */
static void try_write_over(rank_world *w)
{
  enum { H = N / 4 };
  const int64_t shape[1] = {N}, n = H - 1;
  tsr_arena arena = {0};
  tsr_program program;
  HELD a = make(w, TSR_FLOAT64, 1, shape, true), b = make(w, TSR_FLOAT64, 1, shape, true);
  fill(w, a, 1, true);
  fill(w, b, 2, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  array v[5], twice = make(w, TSR_FLOAT64, 1, &n, false),
              beside = make(w, TSR_FLOAT64, 1, &n, false);
  for (int i = 0; i < 5; i++) v[i] = slice(i < 3 ? b : a, (const int64_t[][3]){{i % 3, n, 1}});
  map2(w, TSR_OP_MULTIPLY, in_f64(0.5), in_array(v[1]), v[1], false);
  map2(w, TSR_OP_MULTIPLY, in_f64(2), in_array(v[3]), twice, true);
  map2(w, TSR_OP_ADD, in_array(v[0]), in_array(v[2]), beside, true);
  map2(w, TSR_OP_ADD, in_array(twice), in_array(beside), v[4], false);
  drop(twice);
  drop(beside);
  program_of(&w->window, &arena, &program);
  tsr_plan *plan = tsr__plan_create(w->scheduler, &program);
  cr_expect_eq(plan->n_groups, 2, "%d groups", plan->n_groups);
  tsr__plan_destroy(plan);
  tsr__program_drop(&program);
  tsr__arena_destroy(&arena);
  for (int i = 0; i < 5; i++) tsr__view_ref_drop(v[i].view);
}

Test(waiting, what_the_reader_writes_over_does_not_wait)
{
  run_ranks(1, settings, try_write_over, NULL);
}

/** Steps whose sums arrays keep, of so many columns, and whether the sums wait for all steps. */
typedef struct kept {
  int64_t n_columns;
  bool waits;
} kept;

/* out[:,1:-1] = in[:,:-2] + in[:,2:]; sums = 2 * sum(out, axis=0) */
static void summed_step(rank_world *w, array in, array out, array sums, int64_t n)
{
  array v[3];
  for (int i = 0; i < 3; i++)
    v[i] = slice(i == 1 ? out : in, (const int64_t[][3]){{0, N_ROWS, 1}, {i, n - 2, 1}});
  map2(w, TSR_OP_ADD, in_array(v[0]), in_array(v[2]), v[1], false);
  array sum = make(w, TSR_FLOAT64, 1, &n, false);
  tsr_op_in value = in_array(out);
  tsr__record_reduce(&w->window, &here, TSR_REDUCE_SUM, TSR_FLOAT64, TSR_FLOAT64, &value, 1, false,
                     sum.region, sum.view);
  map2(w, TSR_OP_MULTIPLY, in_f64(2), in_array(sum), sums, false);
  drop(sum);
  for (int i = 0; i < 3; i++) tsr__view_ref_drop(v[i].view);
}

static void try_sums(rank_world *w)
{
  const kept *t = w->arg;
  const int64_t shape[2] = {N_ROWS, t->n_columns};
  tsr_arena arena = {0};
  tsr_program program;
  array v[2], sums[N_STEPS];
  for (int i = 0; i < 2; i++) fill(w, v[i] = make(w, TSR_FLOAT64, 2, shape, true), i, true);
  for (int i = 0; i < N_STEPS; i++)
    fill(w, sums[i] = make(w, TSR_FLOAT64, 1, &shape[1], true), 0, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  for (int i = 0; i < N_STEPS; i++) summed_step(w, v[i % 2], v[(i + 1) % 2], sums[i], t->n_columns);
  program_of(&w->window, &arena, &program);
  tsr_plan *plan = tsr__plan_create(w->scheduler, &program);
  int32_t last_step = 0, n_sums = 0, n_waiting = 0;
  for (int32_t g = 0; g < plan->n_groups; g++)
    if (plan->groups[g].ndim == 2) last_step = g;
  for (int32_t g = 0; g < plan->n_groups; g++) {
    n_sums += plan->groups[g].ndim == 1;
    n_waiting += plan->groups[g].ndim == 1 && g > last_step;
  }
  cr_expect_geq(n_sums, 1);
  if (t->waits)
    cr_expect_eq(n_waiting, n_sums, "%d of %d", n_waiting, n_sums);
  else
    cr_expect_lt(n_waiting, n_sums, "%d of %d", n_waiting, n_sums);
  tsr__plan_destroy(plan);
  tsr__program_drop(&program);
  tsr__arena_destroy(&arena);
  for (int i = 0; i < 2; i++) drop(v[i]);
  for (int i = 0; i < N_STEPS; i++) drop(sums[i]);
}

/* Few bytes of results wait for the end of the steps; what is beyond a megabyte goes before it. */
Test(waiting, few_bytes_of_results_wait)
{
  static const char *const with_steps[] = {
      "device", "cpu",  "places", "1",          "threads", "1", "replicate_max",
      "100000", "memo", "0",      "time_steps", "4",       NULL};
  run_ranks(1, with_steps, try_sums, &(kept){1000, true});
  run_ranks(1, with_steps, try_sums, &(kept){30000, false});
}
