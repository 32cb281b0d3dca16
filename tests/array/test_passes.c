/* How many passes over memory a step takes: as few as fusion over one iteration domain allows. */
#include "array_test.h"

enum { N = 66 };

typedef void (*step_fn)(tsr_array *v);

typedef struct passes {
  step_fn step;
  int n_arrays, n_steps;
  const tsr_dims *shapes;
  uint64_t n_groups, n_renamed; /* of the window that holds all steps */
} passes;

static void program(void *arg, int rank)
{
  passes *p = arg;
  tsr_array v[3];
  for (int i = 0; i < p->n_arrays; i++) v[i] = tsr_full(p->shapes[i], 0.5 * i);
  tsr_flush();
  const tsr_counters before = *tsr__context_counters();
  for (int i = 0; i < p->n_steps; i++) {
    TSR_SCOPE();
    p->step(v);
  }
  tsr_flush();
  const tsr_counters *after = tsr__context_counters();
  if (rank > 0) return;
  p->n_groups = after->n_groups - before.n_groups;
  p->n_renamed = after->n_renamed - before.n_renamed;
}

/* n_groups: on 1, 2, 3, 4 ranks, a band of rows each, and on 6, a grid of 3 x 2. */
static void expect_passes(step_fn step, int n_arrays, int n_steps, const tsr_dims *shapes,
                          const int *n_groups, uint64_t n_renamed)
{
  passes p = {.step = step, .n_arrays = n_arrays, .n_steps = n_steps, .shapes = shapes};
  for (int i = 0; i < 5; i++) {
    const int n = i < 4 ? i + 1 : 6;
    RUN_RANKS(n, program, &p, "threads", "1", "replicate_max", "0", "tile_min", "16", "window_ops",
              "1000", "window_cap", "1000", "time_steps", "0");
    cr_expect_eq((int)p.n_groups, n_groups[i], "%d ranks: %d passes", n, (int)p.n_groups);
    cr_expect_eq(p.n_renamed, n_renamed, "%d ranks: %d renames", n, (int)p.n_renamed);
  }
}

static const tsr_dims squares[] = {{.ndim = 2, .n = {N, N}}, {.ndim = 2, .n = {N, N}}};

static void jacobi_step(tsr_array *v)
{
  tsr_array u = v[0];
  tsr_exec(
      "u[1:-1,1:-1] = 0.2 * (u[1:-1,1:-1] + u[:-2,1:-1] + u[1:-1,2:] + u[1:-1,:-2] + u[2:,1:-1])",
      u);
}

Test(passes, a_jacobi_step_is_one)
{
  no_devices_asked_for();
  expect_passes(jacobi_step, 1, 1, squares, (int[]){1, 1, 1, 1, 1}, 1);
  expect_passes(jacobi_step, 1, 10, squares, (int[]){10, 10, 10, 10, 10}, 10);
}

static void residual_step(tsr_array *v)
{
  tsr_array u = v[0], largest = v[1];
  tsr_array new = tsr_eval("0.25 * (u[:-2,1:-1] + u[1:-1,2:] + u[1:-1,:-2] + u[2:,1:-1])", u);
  tsr_assign(largest, tsr_max(tsr_eval("(new - u[1:-1,1:-1])**2", new, u)));
  tsr_exec("u[1:-1,1:-1] = new", u, new);
}

/* The residual ends in it, and lies in the array that it is assigned to. */
Test(passes, a_jacobi_step_with_its_residual_is_one)
{
  no_devices_asked_for();
  static const tsr_dims shapes[] = {{.ndim = 2, .n = {N, N}}, {.ndim = 0}};
  expect_passes(residual_step, 2, 1, shapes, (int[]){1, 1, 1, 1, 1}, 1);
}

/* The four interleaved grids are disjoint: those of one colour are one pass, in place. On 3 and
 * more ranks tiles begin at rows of either parity: the two grids of a colour are cut differently.
 */
static void red_black_step(tsr_array *v)
{
  tsr_array u = v[0];
  tsr_exec("u[1:-1:2,1:-1:2] = 0.25 * (u[:-2:2,1:-1:2] + u[2::2,1:-1:2] + u[1:-1:2,:-2:2] + "
           "u[1:-1:2,2::2])",
           u);
  tsr_exec("u[2:-1:2,2:-1:2] = 0.25 * (u[1:-2:2,2:-1:2] + u[3::2,2:-1:2] + u[2:-1:2,1:-2:2] + "
           "u[2:-1:2,3::2])",
           u);
  tsr_exec("u[1:-1:2,2:-1:2] = 0.25 * (u[:-2:2,2:-1:2] + u[2::2,2:-1:2] + u[1:-1:2,1:-2:2] + "
           "u[1:-1:2,3::2])",
           u);
  tsr_exec("u[2:-1:2,1:-1:2] = 0.25 * (u[1:-2:2,1:-1:2] + u[3::2,1:-1:2] + u[2:-1:2,:-2:2] + "
           "u[2:-1:2,2::2])",
           u);
}

Test(passes, a_red_black_step_is_two)
{
  no_devices_asked_for();
  expect_passes(red_black_step, 1, 1, squares, (int[]){2, 2, 4, 4, 4}, 0);
  expect_passes(red_black_step, 1, 5, squares, (int[]){10, 10, 20, 20, 20}, 0);
}

static void gray_scott_step(tsr_array *w)
{
  tsr_array u = w[0], v = w[1];
  tsr_array r = tsr_eval("u[1:-1,1:-1] * v[1:-1,1:-1]**2", u, v);
  tsr_exec("u[1:-1,1:-1] += 0.16 * (u[:-2,1:-1] + u[2:,1:-1] + u[1:-1,:-2] + u[1:-1,2:]"
           "                        - 4*u[1:-1,1:-1]) - r + 0.04 * (1 - u[1:-1,1:-1])",
           u, r);
  tsr_exec("v[1:-1,1:-1] += 0.08 * (v[:-2,1:-1] + v[2:,1:-1] + v[1:-1,:-2] + v[1:-1,2:]"
           "                        - 4*v[1:-1,1:-1]) + r - 0.1 * v[1:-1,1:-1]",
           v, r);
}

/* Both fields are read once, and written to new buffers. */
Test(passes, a_gray_scott_step_is_one)
{
  no_devices_asked_for();
  expect_passes(gray_scott_step, 2, 1, squares, (int[]){1, 1, 1, 1, 1}, 2);
}

static void periodic_gray_scott_step(tsr_array *w)
{
  gray_scott_step(w);
  tsr_array u = w[0], v = w[1];
  tsr_exec("u[0,:] = u[-2,:]; u[-1,:] = u[1,:]; u[:,0] = u[:,-2]; u[:,-1] = u[:,1]", u);
  tsr_exec("v[0,:] = v[-2,:]; v[-1,:] = v[1,:]; v[:,0] = v[:,-2]; v[:,-1] = v[:,1]", v);
}

/* The borders are two passes beside that of the step: one for their rows, one for their columns,
 * which read corners that the rows write; where first and last row, or column, lie on other ranks,
 * one for each. */
Test(passes, a_periodic_gray_scott_step_is_three)
{
  no_devices_asked_for();
  expect_passes(periodic_gray_scott_step, 2, 1, squares, (int[]){3, 4, 4, 4, 5}, 2);
  expect_passes(periodic_gray_scott_step, 2, 4, squares, (int[]){12, 16, 16, 16, 20}, 8);
}

/* As in examples/cavity.c. */
static void cavity_step(tsr_array *w)
{
  tsr_array u = w[0], v = w[1], p = w[2];
  const double d = 0.07, r = 0.2, c = 0.4;
  tsr_array uv = tsr_eval("0.25 * (u[1:,:] + u[:-1,:]) * (v[:,1:] + v[:,:-1])", u, v);
  tsr_array uc = tsr_eval("0.5 * (u[1:-1,1:] + u[1:-1,:-1])", u);
  tsr_array vc = tsr_eval("0.5 * (v[1:,1:-1] + v[:-1,1:-1])", v);
  tsr_array uu = tsr_eval("p + uc*uc", p, uc);
  tsr_array vv = tsr_eval("p + vc*vc", p, vc);
  tsr_exec(
      "u[1:-1,1:-1] += d * (u[1:-1,2:] + u[1:-1,:-2] + u[2:,1:-1] + u[:-2,1:-1] - 4*u[1:-1,1:-1])"
      "              - r * (uu[:,1:] - uu[:,:-1] + uv[1:,1:-1] - uv[:-1,1:-1])",
      u, uu, uv, d, r);
  tsr_exec(
      "v[1:-1,1:-1] += d * (v[1:-1,2:] + v[1:-1,:-2] + v[2:,1:-1] + v[:-2,1:-1] - 4*v[1:-1,1:-1])"
      "              - r * (vv[1:,:] - vv[:-1,:] + uv[1:-1,1:] - uv[1:-1,:-1])",
      v, vv, uv, d, r);
  tsr_exec("u[0,:] = -u[1,:]; u[-1,:] = 2 - u[-2,:]; v[:,0] = -v[:,1]; v[:,-1] = -v[:,-2]", u, v);
  tsr_exec("p[:,:] -= c * (u[1:-1,1:] - u[1:-1,:-1] + v[1:,1:-1] - v[:-1,1:-1])", p, u, v, c);
}

/* One per iteration domain that is stored: upright faces, level faces, borders, centres; what flows
 * through corners and centres is computed by its readers, of the old velocities. Walls that lie on
 * other ranks are a pass each. */
Test(passes, a_cavity_step_is_four)
{
  no_devices_asked_for();
  static const tsr_dims shapes[] = {
      {.ndim = 2, .n = {N + 2, N + 1}}, {.ndim = 2, .n = {N + 1, N + 2}}, {.ndim = 2, .n = {N, N}}};
  expect_passes(cavity_step, 3, 4, shapes, (int[]){4 * 4, 4 * 6, 4 * 6, 4 * 6, 4 * 7}, 4 * 2);
}

static void rows_of_their_own(tsr_array *v)
{
  for (int t = 0; t < 20; t++)
    tsr_assign(tsr_slice(v[0], "$", t), tsr_multiply(0.5, tsr_slice(v[1], "$", t)));
}

static void rows_of_one(tsr_array *v)
{
  for (int t = 0; t < 20; t++)
    tsr_assign(tsr_slice(v[0], "$", t), tsr_multiply(0.5, tsr_slice(v[1], "7")));
}

/* Eight streams to read and eight to write at a time; what reads the same goes together. */
Test(passes, of_what_has_nothing_in_common_are_few_streams)
{
  no_devices_asked_for();
  static const char *const settings[] = {"threads",    "1", "window_ops", "1000",
                                         "time_steps", "0", NULL};
  passes p = {.step = rows_of_their_own, .n_arrays = 2, .n_steps = 1, .shapes = squares};
  cr_assert_eq(tsr_run_ranks(1, settings, program, &p), TSR_OK);
  cr_expect_eq(p.n_groups, 3);
  p.step = rows_of_one;
  cr_assert_eq(tsr_run_ranks(1, settings, program, &p), TSR_OK);
  cr_expect_eq(p.n_groups, 1);
}

/* Assigns a result that is read for the assignment only, in so many groups: on one rank, and on
 * four, among which large and small arrays are cut. */
#define ASSIGN(target, n_alone, n_spread, ...)                                                     \
  do {                                                                                             \
    const tsr_array to = (target), want = (__VA_ARGS__);                                           \
    tsr_flush();                                                                                   \
    const tsr_counters before = *tsr__context_counters();                                          \
    tsr_assign(to, __VA_ARGS__);                                                                   \
    tsr_flush();                                                                                   \
    const int n_groups = (int)(tsr__context_counters()->n_groups - before.n_groups);               \
    if (rank == 0)                                                                                 \
      cr_expect_eq(n_groups, tsr_n_ranks() == 1 ? n_alone : n_spread, "%s: %d groups",             \
                   #__VA_ARGS__, n_groups);                                                        \
    cr_expect(tsr_array_equal(to, want), #__VA_ARGS__);                                            \
  } while (0)

static void assign_results(void *arg, int rank)
{
  const tsr_array x = tsr_reshape(tsr_arange(0, N * N, 1), TSR_SHAPE(N, N));
  tsr_array a = tsr_copy(tsr_sin(x)), b = tsr_copy(tsr_cos(x));
  tsr_array c = tsr_ones(TSR_SHAPE(N, N)), s = tsr_ones(TSR_SHAPE(N));
  ASSIGN(c, 1, 1, tsr_matmul(a, b));
  ASSIGN(c, 1, 1, tsr_cumsum(a, 1));
  ASSIGN(s, 1, 1, tsr_max(tsr_add(a, b), 1));
  ASSIGN(s, 1, 2, tsr_sum(a, 0));    /* among ranks, the result lies otherwise */
  ASSIGN(c, 2, 2, tsr_matmul(a, c)); /* it reads the array, as does the next one */
  ASSIGN(s, 2, 2, tsr_sum(tsr_multiply(a, s), 0));
  ASSIGN(tsr_slice(s, "::-1"), 2, 2, tsr_sum(a, 0));
  ASSIGN(c, 3, 3, tsr_cumsum(tsr_astype(a, TSR_FLOAT32), 1));
  ASSIGN(s, 2, 2, tsr_hold(tsr_sum(a, 0)));
}

/* What is assigned a part of an array leaves the rest alone, wherever the part begins. */
static void assign_parts(void *arg, int rank)
{
  const tsr_array x = tsr_copy(tsr_add(1, tsr_reshape(tsr_arange(0, N * N, 1), TSR_SHAPE(N, N))));
  for (int begin = 0, n = N / 2; n < N / 2 + 8; n++, begin = n % 3) {
    tsr_array s = tsr_zeros(TSR_SHAPE(2 * N)), c = tsr_zeros(TSR_SHAPE(2 * N, N));
    tsr_flush();
    const tsr_array given = tsr_slice(x, ":$", n);
    tsr_assign(tsr_slice(s, "$:$", begin, begin + n), tsr_sum(given, 1));
    tsr_assign(tsr_slice(c, "$:$", begin, begin + n), tsr_cumsum(given, 1));
    tsr_flush();
    cr_expect(tsr_array_equal(tsr_slice(s, "$:$", begin, begin + n), tsr_sum(given, 1)));
    cr_expect(tsr_array_equal(tsr_slice(c, "$:$", begin, begin + n), tsr_cumsum(given, 1)));
    cr_expect_eq(tsr_item_i64(tsr_sum(tsr_equal(s, 0))), 2 * N - n);
    cr_expect_eq(tsr_item_i64(tsr_sum(tsr_equal(c, 0))), (2 * N - n) * N);
  }
}

/* The neighbours of a result that was written into an array are those of the new values. */
static void read_around_results(void *arg, int rank)
{
  const tsr_array x = tsr_copy(tsr_reshape(tsr_arange(0, N * N, 1), TSR_SHAPE(N, N)));
  const tsr_array first = tsr_reshape(tsr_arange(0, N, 1), TSR_SHAPE(N));
  tsr_array s = tsr_zeros(TSR_SHAPE(N)), d = tsr_zeros(TSR_SHAPE(N));
  for (int64_t k = 1; k < 4; k++) {
    tsr_assign(s, tsr_max(tsr_multiply(x, k), 1));
    tsr_assign(tsr_slice(d, "1:-1"), tsr_subtract(tsr_slice(s, "2:"), tsr_slice(s, ":-2")));
    tsr_flush();
    cr_expect(tsr_array_equal(s, tsr_multiply(k, tsr_add(tsr_multiply(first, N), N - 1))));
    cr_expect_eq(tsr_item_f64(tsr_min(tsr_slice(d, "1:-1"))), 2.0 * (double)(k * N));
    cr_expect_eq(tsr_item_f64(tsr_max(tsr_slice(d, "1:-1"))), 2.0 * (double)(k * N));
  }
}

/* A result that is only copied to an array is made there, where the array lies as it does. */
Test(passes, a_result_needs_no_copy)
{
  no_devices_asked_for();
  RUN_RANKS(1, assign_results, NULL, "threads", "1");
  RUN_RANKS(4, assign_results, NULL, "threads", "1", "replicate_max", "0", "tile_min", "16");
}

Test(passes, a_result_is_written_where_it_is_assigned)
{
  RUN_RANKS(1, assign_parts, NULL, "threads", "1");
  RUN_RANKS(1, read_around_results, NULL, "places", "2", "replicate_max", "0", "tile_min", "4");
  for (int n = 2; n <= 4; n++) {
    RUN_RANKS(n, assign_parts, NULL, "replicate_max", "0", "tile_min", "4");
    RUN_RANKS(n, read_around_results, NULL, "replicate_max", "0", "tile_min", "4");
  }
}

/* The groups since the last call. */
static int n_groups(uint64_t *last)
{
  tsr_flush();
  const uint64_t now = tsr__context_counters()->n_groups, before = *last;
  *last = now;
  return (int)(now - before);
}

static void products(void *arg, int rank)
{
  (void)arg, (void)rank;
  tsr_array a = tsr_ones(TSR_SHAPE(N, N)), b = tsr_ones(TSR_SHAPE(N, N)), x = tsr_arange((double)N);
  tsr_array p = tsr_zeros(N), q = tsr_zeros(N);
  uint64_t last = 0;
  n_groups(&last);
  tsr_exec("p[:] = a @ x", p, a, x);
  tsr_exec("q[:] = b @ x", q, b, x);
  cr_expect_eq(n_groups(&last), 2);
  tsr_exec("p[:] = a @ x", p, a, x);
  tsr_exec("b[...] = 2*a", b, a);
  cr_expect_eq(n_groups(&last), 2);
  tsr_exec("p[:] = exp(a) @ x", p, a, x);
  cr_expect_eq(n_groups(&last), 1, "a factor is made there");
  tsr_exec("p[:] = sum(a*b, axis=1)", p, a, b);
  tsr_exec("q[:] = sum(a, axis=1)", q, a);
  cr_expect_eq(n_groups(&last), 2);
  tsr_exec("p[:] = sum(a + b, axis=1)", p, a, b);
  tsr_exec("q[:] = sum(a, axis=1)", q, a);
  cr_expect_eq(n_groups(&last), 1);
}

/* A sum of products reads its factors where they lie, if it is alone in its pass. */
Test(passes, sums_of_products_are_alone)
{
  RUN_RANKS(1, products, NULL, "threads", "1");
}
