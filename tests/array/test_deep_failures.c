/* A rank that fails before steps which share an exchange, or in their middle, where they are tiled
 * over time: it sends the messages of the plan, poisoned, so that nobody waits, and every rank is
 * told at its next read. */
#include "array_test.h"
#include "plan_look.h"
#include "tests/support/sanitized.h"

enum { ROWS = 400, COLUMNS = 24, N_STEPS = 24, FAILS_IN = 9 };

typedef struct failing {
  uint64_t at;        /* number of rank 1's request for memory that fails; 0: none */
  bool by_task;       /* the last rank's task fails */
  int n_failed;       /* runs in which a rank failed, by rank 0 */
  _Atomic int n_told; /* ranks that were told, in all runs */
  plan_look look;
  uint64_t n_wide, n_tiled; /* of rank 0 */
} failing;

/* Half of x; fails where the data says so, and the box has the last row. */
static int halve(const tsr_task_box *box)
{
  const tsr_task_argument *x = &box->in[0], *y = &box->out[0];
  if (*(const int *)box->data != 0 && box->offset[0] + box->shape[0] == box->domain[0]) return 7;
  for (int64_t i = 0; i < box->shape[0]; i++)
    for (int64_t j = 0; j < box->shape[1]; j++)
      *(double *)((char *)y->data + i * y->stride_bytes[0] + j * y->stride_bytes[1]) =
          0.5 * *(const double *)((const char *)x->data + i * x->stride_bytes[0] +
                                  j * x->stride_bytes[1]);
  return 0;
}

static void run_steps(tsr_array u, tsr_array v, bool fails)
{
  const tsr_function f = tsr_task("halve", "float64 x", "float64 y", halve);
  for (int i = 0; i < N_STEPS; i++) {
    TSR_SCOPE();
    tsr_exec("u[1:-1, 1:-1] = 0.25*(u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])", u);
    if (i != FAILS_IN) continue;
    const int data = fails;
    tsr_array half = tsr_null();
    cr_assert_eq(tsr_call_data(&half, f, &data, sizeof data, v), TSR_OK);
    tsr_assign(v, half);
  }
}

static void fail_between_exchanges(void *arg, int rank)
{
  failing *f = arg;
  plan_look_begin(tsr_context_current()->scheduler, &f->look);
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array u = tsr_full(TSR_SHAPE(ROWS, COLUMNS), 2.0), v = tsr_ones(TSR_SHAPE(ROWS, COLUMNS)),
            w = tsr_full(TSR_SHAPE(ROWS, COLUMNS), 3.0);
  cr_assert_eq(tsr_flush(), TSR_OK);
  tsr_memory *memory = tsr_context_current()->world.places[0].memory;
  const tsr_counters before = *tsr__context_counters();
  if (rank == 1) tsr__memory_fail_at(memory, f->at);
  run_steps(u, v, f->by_task);
  cr_expect_eq(tsr_flush(), TSR_OK, "rank %d: the others would not know of it", rank);
  run_steps(u, v, false); /* what follows a failure exchanges ghosts, too */
  const double sum = tsr_item_f64(tsr_sum(tsr_add(u, v)));
  tsr__memory_fail_at(memory, 0);
  if (rank == 0) {
    f->n_wide += tsr__context_counters()->n_wide - before.n_wide;
    f->n_tiled += tsr__context_counters()->n_tiled - before.n_tiled;
  }
  char text[4000] = "";
  const tsr_status status = tsr_take_error(text, sizeof text);
  if (rank == 0 && status < 0) f->n_failed++;
  f->n_told += status < 0;
  if (status == TSR_OK) {
    cr_expect_eq(sum, 2.25 * ROWS * COLUMNS);
  } else {
    char cause[40];
    snprintf(cause, sizeof cause, "rank %d failed with %s", f->by_task ? tsr_n_ranks() - 1 : 1,
             f->by_task ? "TSR0701" : "TSR0402");
    cr_expect_not_null(strstr(text, cause), "rank %d, not %s: %s", rank, cause, text);
    tsr_item_f64(tsr_sum(u));
    cr_expect_lt(tsr_take_error(text, sizeof text), 0, "rank %d: a lost value was read", rank);
  }
  /* What no step touches is still there, and the program can go on. */
  run_steps(w, tsr_ones(TSR_SHAPE(ROWS, COLUMNS)), false);
  cr_expect_eq(tsr_item_f64(tsr_sum(w)), 3.0 * ROWS * COLUMNS);
}

static const char *const settings[][26] = {
    {"device",     "cpu", "places",       "1", "threads",     "1",    "replicate_max", "0",
     "tile_min",   "1",   "inline_elems", "0", "window_ops",  "1000", "window_cap",    "1000",
     "time_steps", "7",   "halo_steps",   "8", "chunk_bytes", "2K",   "inorder",       "0",
     NULL},
    {"device",     "cpu", "places",       "1", "threads",     "2",    "replicate_max", "0",
     "tile_min",   "1",   "inline_elems", "0", "window_ops",  "1000", "window_cap",    "1000",
     "time_steps", "128", "halo_steps",   "4", "chunk_bytes", "8K",   "seed",          "7",
     NULL}};
enum { N_SETTINGS = sizeof settings / sizeof *settings };

/* Memory is taken when a plan is bound, before any of its steps runs. */
Test(deep_halos, a_rank_without_memory_for_steps_that_share_exchanges, .timeout = 120)
{
  for (int n = 2; n <= 4; n++)
    for (int c = IS_SANITIZED ? n % 2 : 0; c < N_SETTINGS; c += IS_SANITIZED ? 2 : 1) {
      failing f = {.n_failed = 0};
      for (f.at = 1; f.at <= 4; f.at++)
        cr_assert_eq(tsr_run_ranks(n, settings[c], fail_between_exchanges, &f), TSR_OK);
      cr_expect_geq(f.n_failed, 1, "%d ranks, settings %d: %d", n, c, f.n_failed);
      cr_expect_eq(f.n_told, n * f.n_failed, "%d ranks, settings %d: %d told", n, c, f.n_told);
      cr_expect_gt(f.n_wide, 4 * N_STEPS, "%d ranks, settings %d", n, c);
      cr_expect_gt(f.n_tiled, 4 * N_STEPS, "%d ranks, settings %d", n, c);
    }
}

/* The task is between two other groups of an interval, and its last rows are not in the first band
 * of their chunk. */
Test(deep_halos, a_task_that_fails_between_exchanges, .timeout = 120)
{
  for (int n = 2; n <= 4; n++)
    for (int c = IS_SANITIZED ? n % 2 : 0; c < N_SETTINGS; c += IS_SANITIZED ? 2 : 1) {
      failing f = {.by_task = true};
      for (int i = 0; i < 4; i++)
        cr_assert_eq(tsr_run_ranks(n, settings[c], fail_between_exchanges, &f), TSR_OK);
      cr_expect_eq(f.n_failed, 4, "%d ranks, settings %d: %d", n, c, f.n_failed);
      cr_expect_eq(f.n_told, 4 * n, "%d ranks, settings %d: %d told", n, c, f.n_told);
      cr_expect_geq(f.look.n_tasks_inside, 4 * n, "%d ranks, settings %d: %d", n, c,
                    f.look.n_tasks_inside);
      cr_expect_geq(f.look.n_tasks_later, 4, "%d ranks, settings %d: %d", n, c,
                    f.look.n_tasks_later);
      cr_expect_gt(f.n_wide, 4 * N_STEPS, "%d ranks, settings %d", n, c);
      cr_expect_gt(f.n_tiled, 4 * N_STEPS, "%d ranks, settings %d", n, c);
    }
}
