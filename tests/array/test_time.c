/* Whole programs of steps that are tiled over time: the same bits as without, on any number of
 * threads and ranks, and most of their groups tiled. */
#include "array_test.h"

enum { SIDE = 66, N_STEPS = 12, MOST = 40000 };

typedef struct program {
  const char *name;
  void (*run)(tsr_array out);
  int64_t n[3]; /* the shape of what it makes, as many axes as are not 0 */
} program;

typedef struct outcome {
  const program *program;
  double values[MOST];
  uint64_t n_tiled, n_groups; /* of rank 0 */
} outcome;

static tsr_array ramp(tsr_dims shape)
{
  return tsr_reshape(tsr_multiply(0.01, tsr_arange(0.0, (double)(shape.n[0] * shape.n[1]), 1.0)),
                     shape);
}

static void jacobi(tsr_array u)
{
  tsr_exec("u[0, :] = 40.0", u);
  for (int i = 0; i < N_STEPS; i++)
    tsr_exec("u[1:-1, 1:-1] = 0.2*(u[1:-1, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] + "
             "u[2:, 1:-1])",
             u);
}

static void pressure(tsr_array p)
{
  tsr_array b = ramp(TSR_SHAPE(SIDE, SIDE));
  for (int i = 0; i < N_STEPS; i++) {
    tsr_exec("p[1:-1, 1:-1] = 0.25*(p[1:-1, 2:] + p[1:-1, :-2] + p[2:, 1:-1] + p[:-2, 1:-1]) - "
             "b[1:-1, 1:-1]",
             p, b);
    tsr_exec("p[:, -1] = p[:, -2]", p);
    tsr_exec("p[0, :] = p[1, :]", p);
    tsr_exec("p[:, 0] = p[:, 1]", p);
    tsr_exec("p[-1, :] = 0.5", p);
  }
}

/* Three arrays take turns. */
static void wave(tsr_array u)
{
  tsr_array v[3] = {tsr_copy(ramp(TSR_SHAPE(SIDE, SIDE))), tsr_zeros(TSR_SHAPE(SIDE, SIDE)), u};
  for (int i = 0; i < N_STEPS; i++) {
    tsr_array a = v[i % 3], b = v[(i + 1) % 3], c = v[(i + 2) % 3];
    tsr_exec("c[1:-1, 1:-1] = 2*b[1:-1, 1:-1] - a[1:-1, 1:-1] + 0.1*(b[2:, 1:-1] + b[:-2, 1:-1] + "
             "b[1:-1, 2:] + b[1:-1, :-2] - 4*b[1:-1, 1:-1])",
             a, b, c);
  }
}

static void red_black(tsr_array u)
{
  tsr_exec("u[0, :] = 40.0", u);
  for (int i = 0; i < N_STEPS; i++) {
    tsr_exec("u[1:-1:2, 1:-1] = 0.5*(u[:-2:2, 1:-1] + u[2::2, 1:-1])", u);
    tsr_exec("u[2:-1:2, 1:-1] = 0.5*(u[1:-2:2, 1:-1] + u[3::2, 1:-1])", u);
  }
}

static void line(tsr_array u)
{
  tsr_exec("u[0] = 40.0", u);
  for (int i = 0; i < N_STEPS; i++) {
    tsr_exec("u[1:-1] = 0.25*u[:-2] + 0.5*u[1:-1] + 0.25*u[2:]", u);
    tsr_exec("u[-1] = u[-2]", u);
  }
}

static void heat(tsr_array u)
{
  tsr_exec("u[0] = 40.0", u);
  for (int i = 0; i < N_STEPS; i++)
    tsr_exec(
        "u[1:-1, 1:-1, 1:-1] = 0.1*(u[:-2, 1:-1, 1:-1] + u[2:, 1:-1, 1:-1] + u[1:-1, :-2, 1:-1] + "
        "u[1:-1, 2:, 1:-1] + u[1:-1, 1:-1, :-2] + u[1:-1, 1:-1, 2:]) + 0.4*u[1:-1, 1:-1, 1:-1]",
        u);
}

static void run_rank(void *arg, int rank)
{
  outcome *o = arg;
  const int64_t *n = o->program->n;
  const tsr_dims shape = {.ndim = n[1] == 0 ? 1 : n[2] == 0 ? 2 : 3, .n = {n[0], n[1], n[2]}};
  tsr_array u = tsr_zeros(shape);
  tsr_flush();
  const tsr_counters before = *tsr__context_counters();
  o->program->run(u);
  tsr_flush();
  const tsr_counters *after = tsr__context_counters();
  double *values = rank == 0 ? o->values : calloc(MOST, sizeof *values);
  cr_assert_leq(tsr_size(u), MOST);
  cr_assert_eq(tsr_to_host(u, values), TSR_OK, "%s", tsr_last_error());
  if (rank > 0) {
    free(values);
    return;
  }
  o->n_tiled = after->n_tiled - before.n_tiled;
  o->n_groups = after->n_groups - before.n_groups;
}

static void run(outcome *o, int n_ranks, const char *threads, const char *steps, const char *bytes)
{
  RUN_RANKS(n_ranks, run_rank, o, "device", "cpu", "places", "1", "threads", threads,
            "replicate_max", "0", "inline_elems", "0", "window_ops", "1000", "window_cap", "1000",
            "time_steps", steps, "chunk_bytes", bytes, "replan", "1");
}

static const program programs[] = {
    {"jacobi", jacobi, {SIDE, SIDE}}, {"pressure", pressure, {SIDE, SIDE}},
    {"wave", wave, {SIDE, SIDE}},     {"line", line, {3000}},
    {"heat", heat, {24, 20, 30}},     {"red_black", red_black, {SIDE, SIDE}}};

Test(time_tiling, bits_of_programs, .timeout = 240)
{
  static const char *const steps[] = {"2", "5", "128"};
  for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
    outcome *want = calloc(1, sizeof *want), *got = calloc(1, sizeof *got);
    want->program = got->program = &programs[i];
    run(want, 1, "1", "1", "2K");
    cr_expect_eq(want->n_tiled, 0);
    for (int s = 0; s < 3; s++)
      for (int ranks = 1; ranks <= 3; ranks += 2) {
        run(got, ranks, s == 1 ? "2" : "1", steps[s], s == 2 ? "6K" : "1K");
        cr_expect_arr_eq(got->values, want->values, sizeof want->values,
                         "%s in %s steps on %d ranks", programs[i].name, steps[s], ranks);
        if (ranks > 1 || got->n_tiled * 10 >= got->n_groups * 7) continue;
        /* Steps of two elements are no distances. */
        cr_expect_eq(programs[i].run, red_black, "%s in %s steps: %d of %d groups are tiled",
                     programs[i].name, steps[s], (int)got->n_tiled, (int)got->n_groups);
      }
    free(want);
    free(got);
  }
}
