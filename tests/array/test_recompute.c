/* Temporaries that their readers compute again: the same bits as without, on 1 to 4 ranks, where
 * that is worth it and allowed, and only there. */
#include "array_test.h"

enum { N = 40, M = 24, N_FIELDS = 3, N_STEPS = 3 };

typedef void (*step_fn)(tsr_array a, tsr_array b, tsr_array c);

typedef struct program {
  step_fn step;
  double values[N_FIELDS][N * M];
  uint64_t n_recomputed, n_groups; /* of all steps */
} program;

static void run_steps(void *arg, int rank)
{
  program *p = arg;
  tsr_array v[N_FIELDS];
  double start[N * M];
  for (int f = 0; f < N_FIELDS; f++) {
    for (int i = 0; i < N * M; i++) start[i] = 0.25 + (double)((i * (7 + f) + 3 * f) % 101) / 64;
    v[f] = tsr_from_host(start, TSR_FLOAT64, TSR_SHAPE(N, M));
  }
  tsr_flush();
  const tsr_counters before = *tsr__context_counters();
  for (int i = 0; i < N_STEPS; i++) {
    TSR_SCOPE();
    p->step(v[0], v[1], v[2]);
  }
  tsr_flush();
  const tsr_counters after = *tsr__context_counters();
  double got[N_FIELDS][N * M];
  for (int f = 0; f < N_FIELDS; f++) tsr_to_host(v[f], got[f]);
  if (rank > 0) return;
  memcpy(p->values, got, sizeof got);
  p->n_recomputed = after.n_recomputed - before.n_recomputed;
  p->n_groups = after.n_groups - before.n_groups;
}

static void run(step_fn step, int n_ranks, const char *recompute, program *p)
{
  p->step = step;
  RUN_RANKS(n_ranks, run_steps, p, "threads", "1", "replicate_max", "0", "tile_min", "16",
            "window_ops", "1000", "window_cap", "1000", "recompute", recompute, "replan", "1",
            "inline_elems", "0");
}

/* n_recomputed: values of all steps. */
static void expect_recomputed(step_fn step, uint64_t n_recomputed, int n_groups_saved)
{
  static program plain, again;
  run(step, 1, "0", &plain);
  cr_expect_eq(plain.n_recomputed, 0);
  for (int n = 1; n <= 4; n++) {
    run(step, n, "1", &again);
    cr_expect_eq(again.n_recomputed, n_recomputed, "%d ranks: %d values", n,
                 (int)again.n_recomputed);
    for (int f = 0; f < N_FIELDS; f++)
      cr_expect_arr_eq(again.values[f], plain.values[f], sizeof plain.values[f], "%d ranks: %d", n,
                       f);
    if (n == 1)
      cr_expect_eq((int)(plain.n_groups - again.n_groups), n_groups_saved, "%d groups, not %d",
                   (int)plain.n_groups, (int)again.n_groups);
  }
}

static void differences(tsr_array a, tsr_array b, tsr_array c)
{
  tsr_array flux = tsr_eval("0.5 * (a[1:,:] - a[:-1,:])", a);
  tsr_array second = tsr_eval("flux[1:,1:] - flux[:-1,:-1]", flux);
  tsr_exec("b[2:-2,1:] += second[1:-1,:] + 0.5 * second[:-2,:]", b, second);
  tsr_exec("c[:,:] = a - c", a, c);
}

/* In chains, too: the difference, its half and the difference of those. */
Test(recompute, differences_of_differences)
{
  expect_recomputed(differences, 3 * N_STEPS, 2);
}

static void overwritten(tsr_array a, tsr_array b, tsr_array c)
{
  tsr_array old = tsr_multiply(a, b);
  tsr_exec("a[:,:] = 2 - c", a, c);
  tsr_exec("b[1:,1:] += a[1:,1:]", b, a);
  tsr_exec("a[0,:] = b[1,:]", a, b);
  tsr_exec("c[1:-1,:] += 0.25 * (old[2:,:] - old[:-2,:])", c, old);
}

/* What the value is made of is overwritten first, by writes that would do so in place: they leave
 * the old version. */
Test(recompute, of_operands_that_are_overwritten)
{
  no_devices_asked_for();
  expect_recomputed(overwritten, N_STEPS, 0);
}

static void overwritten_in_part(tsr_array a, tsr_array b, tsr_array c)
{
  tsr_array old = tsr_multiply(a, b);
  tsr_exec("a[:20,:] = 2 - c[:20,:]", a, c);
  tsr_exec("c[1:-1,:] += 0.25 * (old[2:,:] - old[:-2,:])", c, old);
}

/* The write covers too little to be renamed: the value is stored. */
Test(recompute, not_of_operands_that_are_partly_overwritten)
{
  expect_recomputed(overwritten_in_part, 0, 0);
}

static void dear(tsr_array a, tsr_array b, tsr_array c)
{
  tsr_array root = tsr_sqrt(a), far = tsr_sqrt(b);
  tsr_exec("c[1:-1,:] = root[2:,:] - root[:-2,:]", c, root);
  tsr_exec("c[:-1,1:] += far[1:,:-1]", c, far);
}

/* A square root is computed once only. */
Test(recompute, dear_operations_only_at_one_displacement)
{
  expect_recomputed(dear, N_STEPS, 0);
}

static void broadcast(tsr_array a, tsr_array b, tsr_array c)
{
  tsr_array row = tsr_eval("a[0,:] + b[0,:]", a, b), sum = tsr_add(a, b);
  tsr_exec("c[:,:] = row - c", c, row);
  tsr_exec("c[:,:] += sum[::-1,:]", c, sum);
}

/* A value that is read along other axes than its own, or backwards, is not recomputed. */
Test(recompute, not_where_it_is_broadcast_or_flipped)
{
  expect_recomputed(broadcast, 0, 0);
}
