/* Which reductions become folds, and what their plans are then: no partial results, one pass with
 * what makes the operand and with what reads the result. */
#include "tests/scheduler/harness.h"

#include <stdio.h>

TestSuite(folds_planned);

enum { ROWS = 40, COLUMNS = 96 };

/** What a case records, and what its plan has. */
typedef struct found {
  int n_groups, n_reductions, n_recomputed, n_loads, n_stores, n_messages;
} found;

static array field(rank_world *w, int ndim, const int64_t *shape)
{
  const array a = make(w, TSR_FLOAT64, ndim, shape, true);
  fill(w, a, 1.0, true);
  return a;
}

static array value(rank_world *w, int ndim, const int64_t *shape)
{
  return make(w, TSR_FLOAT64, ndim, shape, false);
}

static void reduce(rank_world *w, tsr_reduction code, array x, uint32_t axes, array out)
{
  const tsr_op_in in = in_array(x);
  tsr__record_reduce(&w->window, &here, code, TSR_FLOAT64, TSR_FLOAT64, &in, axes, false,
                     out.region, out.view);
}

static void exp_of(rank_world *w, array x, array out)
{
  const tsr_op_in in = in_array(x);
  tsr__record_map(&w->window, &here, TSR_OP_EXP, TSR_FLOAT64, TSR_FLOAT64, 1, &in, out.region,
                  out.view, true);
}

static found plan_of_window(rank_world *w)
{
  tsr_program program;
  tsr_arena arena = {0};
  program_of(&w->window, &arena, &program);
  tsr_plan *plan = tsr__plan_create(w->scheduler, &program);
  found f = {.n_groups = plan->n_groups,
             .n_reductions = plan->n_reductions,
             .n_recomputed = (int)plan->n_recomputed,
             .n_messages = plan->n_messages};
  for (int32_t i = 0; i < plan->n_groups; i++)
    for (int32_t a = 0; a < plan->groups[i].accesses.n; a++)
      ++*(plan->groups[i].accesses.v[a].store ? &f.n_stores : &f.n_loads);
  tsr__plan_destroy(plan);
  tsr__program_drop(&program);
  tsr__arena_destroy(&arena);
  return f;
}

static void expect(const found *got, found wanted, const char *what)
{
  cr_expect_eq(got->n_groups, wanted.n_groups, "%s: %d groups", what, got->n_groups);
  cr_expect_eq(got->n_reductions, wanted.n_reductions, "%s: %d", what, got->n_reductions);
  cr_expect_eq(got->n_recomputed, wanted.n_recomputed, "%s: %d again", what, got->n_recomputed);
  cr_expect_eq(got->n_loads, wanted.n_loads, "%s: %d loads", what, got->n_loads);
  cr_expect_eq(got->n_stores, wanted.n_stores, "%s: %d stores", what, got->n_stores);
}

/* out += sum(x, axis), where x was there before. */
static void added(rank_world *w, int ndim, const int64_t *shape, int axis, found wanted)
{
  int64_t kept[3];
  for (int k = 0, n = 0; k < ndim; k++)
    if (k != axis) kept[n++] = shape[k];
  array x = field(w, ndim, shape), out = field(w, ndim - 1, kept);
  cr_assert_eq(tsr__flush(w->scheduler, true), TSR_OK);
  array sum = value(w, ndim - 1, kept);
  reduce(w, TSR_REDUCE_SUM, x, 1u << axis, sum);
  map2(w, TSR_OP_ADD, in_array(out), in_array(sum), out, false);
  drop(sum);
  const found f = plan_of_window(w);
  char text[100];
  snprintf(text, sizeof text, "axis %d of %d", axis, (int)shape[axis]);
  expect(&f, wanted, text);
  drop(x);
  drop(out);
}

static void sums(rank_world *w)
{
  const found partials = {.n_groups = 2, .n_reductions = 1, .n_loads = 3, .n_stores = 2};
  added(w, 3, (int64_t[]){9, ROWS, COLUMNS}, 0, (found){1, 0, 0, 10, 1, 0});
  added(w, 3, (int64_t[]){ROWS, 9, COLUMNS}, 1, (found){1, 0, 0, 10, 1, 0});
  added(w, 3, (int64_t[]){ROWS, COLUMNS, 9}, 2, (found){1, 0, 0, 10, 1, 0});
  added(w, 2, (int64_t[]){64, COLUMNS}, 0, (found){1, 0, 0, 65, 1, 0});
  added(w, 2, (int64_t[]){65, COLUMNS}, 0, partials);
  added(w, 2, (int64_t[]){COLUMNS, 15}, 1, (found){1, 0, 0, 16, 1, 0});
  added(w, 2, (int64_t[]){COLUMNS, 16}, 1, partials);
  added(w, 2, (int64_t[]){1, COLUMNS}, 0, (found){1, 0, 0, 2, 1, 0});
}

Test(folds_planned, are_one_pass_with_their_readers)
{
  run_ranks(1, (const char *const[]){"replicate_max", "0", NULL}, sums, NULL);
}

/* Operands that the window makes. is_kept: x * y is stored, too. n_readers: of exp(x * y). */
static found products(rank_world *w, bool is_dear, bool is_kept, int n_folds, int n_readers)
{
  const int64_t shape[2] = {9, COLUMNS}, kept[1] = {COLUMNS};
  array x = field(w, 2, shape), y = field(w, 2, shape), out[3], more[3];
  cr_assert_eq(tsr__flush(w->scheduler, true), TSR_OK);
  array product = make(w, TSR_FLOAT64, 2, shape, is_kept), power = value(w, 2, shape);
  map2(w, TSR_OP_MULTIPLY, in_array(x), in_array(y), product, true);
  if (is_dear) exp_of(w, product, power);
  for (int i = 0; i < n_folds; i++) {
    out[i] = make(w, TSR_FLOAT64, 1, kept, true);
    reduce(w, i == 0 ? TSR_REDUCE_SUM : TSR_REDUCE_MAX, is_dear ? power : product, 1, out[i]);
  }
  for (int i = 0; i < n_readers; i++) {
    more[i] = make(w, TSR_FLOAT64, 2, shape, true);
    map2(w, TSR_OP_ADD, in_array(is_dear ? power : product), in_f64(1 + i), more[i], true);
  }
  drop(power);
  if (!is_kept) drop(product);
  const found f = plan_of_window(w);
  for (int i = 0; i < n_folds; i++) drop(out[i]);
  for (int i = 0; i < n_readers; i++) drop(more[i]);
  if (is_kept) drop(product);
  drop(x);
  drop(y);
  return f;
}

static void operands(rank_world *w)
{
  found f = products(w, false, false, 1, 0);
  expect(&f, (found){1, 0, 1, 18, 1, 0}, "a product");
  f = products(w, true, false, 1, 0);
  expect(&f, (found){1, 0, 2, 18, 1, 0}, "a power, once per element");
  f = products(w, false, false, 2, 0);
  expect(&f, (found){1, 0, 1, 18, 2, 0}, "a product for two folds");
  f = products(w, false, true, 1, 0);
  expect(&f, (found){2, 0, 0, 11, 2, 0}, "a product that is stored");
  f = products(w, true, false, 1, 1);
  expect(&f, (found){1, 1, 0, 2, 2, 0}, "a power that another op reads, too");
}

Test(folds_planned, compute_their_operands)
{
  run_ranks(1, (const char *const[]){"replicate_max", "0", NULL}, operands, NULL);
}

/* The sum along an axis that the layout cuts, and along another one. */
static void on_ranks(rank_world *w)
{
  array x = field(w, 2, (int64_t[]){40, 8}), s = value(w, 1, (int64_t[]){8});
  array y = field(w, 2, (int64_t[]){128, 8}), t = value(w, 1, (int64_t[]){128});
  cr_assert_eq(tsr__flush(w->scheduler, true), TSR_OK);
  reduce(w, TSR_REDUCE_SUM, x, 1, s);
  const found across = plan_of_window(w);
  cr_assert_eq(tsr__flush(w->scheduler, true), TSR_OK);
  reduce(w, TSR_REDUCE_SUM, y, 2, t);
  const found along = plan_of_window(w);
  cr_assert_eq(tsr__flush(w->scheduler, true), TSR_OK);
  cr_expect_eq(across.n_reductions, x.region->storage->layout->n_tiles[0] > 1);
  cr_expect_gt(x.region->storage->layout->n_tiles[0], 1, "the test needs a cut across the axis");
  cr_expect_eq(along.n_reductions, 0);
  cr_expect_eq(along.n_messages, 0);
  drop(x);
  drop(y);
  drop(s);
  drop(t);
}

Test(folds_planned, not_along_an_axis_that_is_cut)
{
  run_ranks(2, (const char *const[]){"replicate_max", "0", "tile_min", "16", NULL}, on_ranks, NULL);
}
