/* Programs of steps that are drawn at random (step_draw.h). However they are tiled over time, and
 * however seldom ranks exchange ghosts, they have the bits of a serial loop. */
#include "step_draw.h"
#include "tests/support/sanitized.h"

enum { N_PROGRAMS = IS_SANITIZED ? 20 : 90 };

/* The same by Tessera. */

static tsr_array part(tsr_array x, int ndim, const int64_t *start, const int64_t *n,
                      const int64_t *step)
{
  int64_t end[3];
  for (int k = 0; k < ndim; k++) end[k] = start[k] + (n[k] - 1) * step[k] + 1;
  if (ndim == 1) x = tsr_slice(x, "$:$:$", start[0], end[0], step[0]);
  if (ndim == 2)
    x = tsr_slice(x, "$:$:$, $:$:$", start[0], end[0], step[0], start[1], end[1], step[1]);
  if (ndim == 3)
    x = tsr_slice(x, "$:$:$, $:$:$, $:$:$", start[0], end[0], step[0], start[1], end[1], step[1],
                  start[2], end[2], step[2]);
  return x;
}

/* What the term reads, with the axes of the statement. */
static tsr_array part_of_term(tsr_array x, int ndim, const statement *s, const term *t)
{
  int64_t n[3];
  for (int k = 0; k < ndim; k++) n[k] = s->n[turned_axis(t, k)];
  x = part(x, ndim, t->start, n, t->step);
  if (t->turned[0] != t->turned[1]) x = tsr_swapaxes(x, t->turned[0], t->turned[1]);
  for (int k = 0; k < ndim; k++)
    if (t->flipped >> k & 1) x = tsr_flip(x, TSR_AXES(k));
  return x;
}

/* What is watched in a round; the null handle: nothing is. */
static tsr_array watch(const drawn *p, const tsr_array *fields, int round)
{
  tsr_array sum = tsr_null();
  for (int i = 0; i < p->n_statements; i++) {
    const statement *s = &p->statements[i];
    tsr_array u = fields[s->field];
    if (s->kind == WATCHED && round % s->every == 0) sum = tsr_sum(tsr_multiply(u, u));
  }
  return sum;
}

/* y: half of x, and a quarter of what there is beside it along axis 0. */
static int beside(const tsr_task_box *box)
{
  const tsr_task_argument *x = &box->in[0], *y = &box->out[0];
  const int64_t row = x->stride_bytes[0];
  int64_t at[3] = {0}, n[3] = {1, 1, 1};
  for (int k = 0; k < box->ndim; k++) n[k] = box->shape[k];
  for (at[0] = 0; at[0] < n[0]; at[0]++)
    for (at[1] = 0; at[1] < n[1]; at[1]++)
      for (at[2] = 0; at[2] < n[2]; at[2]++) {
        const char *from = x->data;
        char *to = y->data;
        for (int k = 0; k < box->ndim; k++) {
          from += at[k] * x->stride_bytes[k];
          to += at[k] * y->stride_bytes[k];
        }
        double sum = 0.5 * *(const double *)from;
        if (at[0] > 0 || x->before[0] > 0) sum += 0.25 * *(const double *)(from - row);
        if (at[0] + 1 < n[0] || x->after[0] > 0) sum += 0.25 * *(const double *)(from + row);
        *(double *)to = sum;
      }
  return 0;
}

static void run_statement(const drawn *p, const statement *s, tsr_array *fields, tsr_array scale,
                          tsr_array sums, int round)
{
  TSR_SCOPE();
  tsr_array u = fields[s->field];
  if (s->kind == ROLL)
    tsr_assign(u,
               tsr_add(tsr_multiply(0.5, u), tsr_multiply(0.25, tsr_roll(u, s->shift, s->axis))));
  if (s->kind == TASK)
    tsr_assign(u, tsr_call(tsr_task("beside", "float64 x halo(1)", "float64 y", beside), u));
  if (s->kind == RESIDUAL && round % s->every == 0) {
    tsr_assign(tsr_slice(sums, "$", round), tsr_sum(tsr_multiply(u, u)));
    tsr_assign(scale, tsr_multiply(0.5, tsr_minimum(tsr_max(u), 1.0)));
  }
  if (s->kind != LINEAR) return;
  tsr_array sum = tsr_null();
  for (int i = 0; i < s->n_terms; i++) {
    const term *t = &s->terms[i];
    tsr_array x = part_of_term(fields[t->field], p->ndim, s, t);
    if (t->by_array) x = tsr_multiply(scale, x);
    x = tsr_multiply(t->coefficient, x);
    sum = i == 0 ? x : tsr_add(sum, x);
  }
  tsr_assign(part(u, p->ndim, s->start, s->n, s->step), sum);
}

/* Ranks are threads. */
static void add_to(uint64_t *sum, uint64_t n)
{
  __atomic_fetch_add(sum, n, __ATOMIC_RELAXED);
}

static void run_rank(void *arg, int rank)
{
  outcome *o = arg;
  const drawn *p = o->program;
  tsr_topology *caches = &tsr_context_current()->world.machine->topology;
  const tsr_topology kept = *caches;
  if (o->cache_bytes > 0) { /* on one rank; the compiler's thread reads the rest */
    caches->l2_bytes = (size_t)o->cache_bytes;
    caches->l3_bytes = 2 * (size_t)o->cache_bytes;
  }
  tsr_array fields[MOST_FIELDS], sums = tsr_zeros(TSR_SHAPE(64)),
                                 scale = tsr_full(TSR_SHAPE(), 0.75);
  for (int f = 0; f < p->n_fields; f++) {
    const int64_t *n = p->shape[f];
    const tsr_dims shape = {.ndim = p->ndim, .n = {n[0], n[1], n[2]}};
    tsr_array count = tsr_arange(0.0, (double)(n[0] * n[1] * n[2]), 1.0);
    tsr_array x = tsr_subtract(tsr_multiply(0.01, tsr_remainder(count, 97.0)), 0.25 * f);
    fields[f] = tsr_copy(tsr_reshape(x, shape));
  }
  tsr_flush();
  const tsr_counters before = *tsr__context_counters();
  tsr_array watched[MOST_ROUNDS];
  for (int round = 0; round < p->n_rounds; round++) {
    for (int i = 0; i < p->n_statements; i++)
      run_statement(p, &p->statements[i], fields, scale, sums, round);
    watched[round] = watch(p, fields, round);
  }
  tsr_flush();
  const tsr_counters *after = tsr__context_counters();
  outcome *mine = rank == 0 ? o : calloc(1, sizeof *mine);
  mine->n_tiled = after->n_tiled - before.n_tiled;
  mine->n_wide = after->n_wide - before.n_wide;
  add_to(&o->n_messages, after->n_messages - before.n_messages);
  add_to(&o->n_tiled_plans, after->n_tiled_plans - before.n_tiled_plans);
  add_to(&o->n_tiled_verified, after->n_tiled_verified - before.n_tiled_verified);
  for (int f = 0; f < p->n_fields; f++)
    cr_assert_eq(tsr_to_host(fields[f], mine->values[f]), TSR_OK, "%s", tsr_last_error());
  cr_assert_eq(tsr_to_host(sums, mine->sums), TSR_OK, "%s", tsr_last_error());
  cr_assert_eq(tsr_to_host(scale, &mine->scale), TSR_OK, "%s", tsr_last_error());
  for (int round = 0; round < p->n_rounds; round++)
    if (tsr_ok(watched[round])) mine->watched[round] = tsr_item_f64(watched[round]);
  if (rank > 0) free(mine);
  if (o->cache_bytes > 0) {
    caches->l2_bytes = kept.l2_bytes;
    caches->l3_bytes = kept.l3_bytes;
  }
}

/** How programs are run. */
typedef struct way {
  int n_ranks;
  const char *threads, *places, *device, *time_steps, *halo_steps;
} way;

static void run(outcome *o, const way *w)
{
  enum { SMALL_CACHE = 12 << 10 };
  const drawn *p = o->program;
  memset(o, 0, sizeof *o);
  o->program = p;
  /* Chains that pay: the arrays are in memory, as it were. */
  o->cache_bytes = w->n_ranks == 1 && w->time_steps[0] == '0' ? SMALL_CACHE : 0;
  RUN_RANKS(w->n_ranks, run_rank, o, "device", w->device, "places", w->places, "threads",
            w->threads, "replicate_max", "0", "tile_min", "1", "inline_elems", "0", "window_ops",
            "1000", "window_cap", "1000", "halo_max", "64", "time_steps", w->time_steps,
            "halo_steps", w->halo_steps, "chunk_bytes", "2K", "replan", "1", "inorder", "0",
            "fusion", "1", "rename", "1");
}

static void expect_same(const outcome *got, const outcome *want, const char *as, const way *w)
{
  const drawn *p = want->program;
  for (int f = 0; f < p->n_fields; f++)
    cr_expect_arr_eq(
        got->values[f], want->values[f], sizeof want->values[f],
        "field %d of program %d is not as %s: %d ranks, %s, time steps %s, halo steps %s", f,
        (int)p->seed, as, w->n_ranks, w->device, w->time_steps, w->halo_steps);
  cr_expect_eq(got->scale, want->scale, "of program %d", (int)p->seed);
}

/** How many programs of which kind were seen. */
typedef struct tally {
  int n_of[N_PROPERTIES]; /* that have it */
  int n_near, n_tiled;    /* of all distances small; of these, tiled when they were to be */
  int n_far;              /* a field that is written is read at no constant distance */
  int n_placed, n_paid;
  uint64_t n_tiled_plans, n_tiled_verified; /* in all ways */
} tally;

static void count_properties(tally *t, const drawn *p)
{
  const unsigned has = drawn_properties(p);
  for (int k = 0; k < N_PROPERTIES; k++) t->n_of[k] += has >> k & 1;
  t->n_near += p->is_near;
  t->n_far += p->has_far;
}

/* All programs as they run one by one, and in each of the ways. */
static void compare(int first, int end, tally *t)
{
  static const way plain = {1, "1", "1", "cpu", "1", "1"},
                   ways[] = {{1, "1", "1", "cpu", "7", "1"},   {1, "2", "1", "cpu", "2", "1"},
                             {2, "1", "1", "cpu", "16", "16"}, {3, "2", "1", "cpu", "7", "7"},
                             {4, "1", "1", "cpu", "0", "0"},   {1, "1", "2", "check", "7", "2"},
                             {2, "1", "1", "cpu", "1", "1"},   {1, "2", "2", "cpu", "16", "16"},
                             {1, "1", "1", "cpu", "0", "1"}};
  enum { N_WAYS = sizeof ways / sizeof *ways, FORCED = 0, TWO_PLACES = 7, BY_COST = 8 };
  outcome *want = calloc(1, sizeof *want), *first_run = calloc(1, sizeof *want),
          *got = calloc(1, sizeof *got);
  for (int seed = first; seed < end; seed++) {
    const drawn p = draw_program((uint64_t)seed);
    count_properties(t, &p);
    want->program = first_run->program = got->program = &p;
    memset(want->values, 0, sizeof want->values);
    refer(want);
    run(first_run, &plain);
    cr_expect_eq(first_run->n_tiled, 0);
    expect_same(first_run, want, "a serial loop", &plain);
    for (int i = 0; i < N_WAYS; i++) {
      run(got, &ways[i]);
      expect_same(got, want, "a serial loop", &ways[i]);
      cr_expect_arr_eq(got->sums, first_run->sums, sizeof got->sums, "sums of program %d", seed);
      cr_expect_arr_eq(got->watched, first_run->watched, sizeof got->watched,
                       "what is watched of program %d", seed);
      t->n_paid += i == BY_COST && got->n_tiled > 0;
      t->n_placed += i == TWO_PLACES && got->n_tiled > 0;
      t->n_tiled_plans += got->n_tiled_plans;
      t->n_tiled_verified += got->n_tiled_verified;
      if (i == FORCED) t->n_tiled += p.is_near && got->n_tiled > 0;
    }
  }
  free(want);
  free(first_run);
  free(got);
}

/* What is drawn, in one line a property. */
static void print_tally(const tally *t, int n)
{
  printf("of %d programs %d have small constant distances, of which %d are tiled; "
         "%d read at no constant distance\n",
         n, t->n_near, t->n_tiled, t->n_far);
  printf("of %d plans that have chains %d are followed point by point\n", (int)t->n_tiled_plans,
         (int)t->n_tiled_verified);
  for (int k = 0; k < N_PROPERTIES; k++)
    printf("  %3d have %s\n", t->n_of[k], drawn_property_name(k));
  fflush(stdout);
}

Test(time_tiling, drawn_programs, .timeout = 300)
{
  enum { FEW = 5 };
  tally t = {.n_near = 0};
  compare(0, N_PROGRAMS, &t);
  print_tally(&t, N_PROGRAMS);
  for (int k = 0; k < N_PROPERTIES && !IS_SANITIZED; k++)
    cr_expect_geq(t.n_of[k], FEW, "%d programs have %s", t.n_of[k], drawn_property_name(k));
  cr_expect(IS_SANITIZED || t.n_far >= FEW, "%d read at no constant distance", t.n_far);
  cr_expect_gt(t.n_near, N_PROGRAMS / 2);
  cr_expect_geq(t.n_tiled * 10, t.n_near * 9, "%d of %d programs are tiled", t.n_tiled, t.n_near);
  cr_expect_geq(t.n_placed * 10, N_PROGRAMS * 9, "%d programs are tiled on two places", t.n_placed);
  cr_expect(IS_SANITIZED || t.n_paid > 4, "%d have chains that pay", t.n_paid);
  cr_expect_eq(t.n_tiled_verified, t.n_tiled_plans, "%d of %d tiled plans are followed",
               (int)t.n_tiled_verified, (int)t.n_tiled_plans);
}

/* Steps at small distances, of which some are messages between each two: the next seed from *seed
 * on whose program is so, and how many messages it sends if each step exchanges ghosts. */
static uint64_t draw_spread(int *seed, int n_ranks, drawn *p, outcome *o)
{
  const way shallow = {n_ranks, "1", "1", "cpu", "1", "1"};
  o->program = p;
  for (;; ++*seed) {
    *p = draw_program((uint64_t)*seed);
    if (!p->is_near || p->is_shallow) continue;
    run(o, &shallow);
    if (o->n_messages > 2 * (uint64_t)n_ranks) return o->n_messages;
  }
}

/* Where opposite ends do not meet ranks share exchanges. */
Test(time_tiling, drawn_programs_share_exchanges, .timeout = 300)
{
  enum { EACH = IS_SANITIZED ? 10 : 20, FIRST = 90 };
  static const char *const steps[] = {"2", "16", "7"};
  outcome *want = calloc(1, sizeof *want), *got = calloc(1, sizeof *got);
  for (int n_ranks = 2; n_ranks <= 4; n_ranks++) {
    const way deep = {n_ranks, "1", "1", "cpu", steps[n_ranks - 2], "16"};
    int n_fewer = 0, seed = FIRST;
    for (int i = 0; i < EACH; i++, seed++) {
      drawn p;
      const uint64_t n_messages = draw_spread(&seed, n_ranks, &p, got);
      memset(want->values, 0, sizeof want->values);
      want->program = &p;
      refer(want);
      run(got, &deep);
      expect_same(got, want, "a serial loop", &deep);
      n_fewer += got->n_messages < n_messages;
    }
    cr_expect_geq(n_fewer * 10, EACH * 9, "%d of %d programs send fewer messages on %d ranks",
                  n_fewer, EACH, n_ranks);
  }
  free(want);
  free(got);
}
