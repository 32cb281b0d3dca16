/* Programs of steps that are drawn at random (step_draw.h). However they are tiled over time, and
 * however seldom ranks exchange ghosts, they have the bits of a serial loop. */
#include "step_draw.h"
#include "tests/support/draw.h"
#include "tests/support/sanitized.h"

enum { N_PROGRAMS = IS_SANITIZED ? 6 : 90 };

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
  for (int k = 0; k < ndim; k++) n[k] = t->fixed >> k & 1 ? 1 : s->n[turned_axis(t, k)];
  x = part(x, ndim, t->start, n, t->step);
  if (t->turned[0] != t->turned[1]) x = tsr_swapaxes(x, t->turned[0], t->turned[1]);
  for (int k = 0; k < ndim; k++)
    if (t->flipped >> k & 1) x = tsr_flip(x, TSR_AXES(k));
  return x;
}

/* What the statement writes. */
static tsr_array part_written(tsr_array x, int ndim, const statement *s)
{
  x = part(x, ndim, s->start, s->n, s->step);
  for (int k = 0; k < ndim; k++)
    if (s->flipped >> k & 1) x = tsr_flip(x, TSR_AXES(k));
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

static void run_task(const statement *s, tsr_array u)
{
  char x[60] = "float64 x halo(1)";
  if (s->task == TASK_OF_GRAIN) strcat(x, ", grain(100)");
  if (s->task == TASK_OF_WHOLE_AXIS) sprintf(x + strlen(x), ", whole(%d)", s->axis);
  tsr_assign(u, tsr_call(tsr_task("beside", x, "float64 y", beside), u));
}

static void run_statement(const drawn *p, const statement *s, tsr_array *fields, tsr_array scale,
                          tsr_array sums, int round)
{
  TSR_SCOPE();
  tsr_array u = fields[s->field];
  if (s->kind == ROLL)
    tsr_assign(u,
               tsr_add(tsr_multiply(0.5, u), tsr_multiply(0.25, tsr_roll(u, s->shift, s->axis))));
  if (s->kind == SCAN)
    tsr_assign(u, tsr_add(tsr_multiply(0.5, u),
                          tsr_multiply(0.25, tsr_ufunc_accumulate("fmax", u, s->axis))));
  if (s->kind == PRODUCT && round % s->every == 0) {
    const int64_t n = p->shape[s->field][p->ndim - 1];
    tsr_array m = tsr_add(tsr_multiply(0.5, tsr_eye(n)), tsr_multiply(0.25, tsr_eye(n, n, 1)));
    tsr_assign(u, tsr_add(tsr_multiply(0.5, u), tsr_multiply(0.25, tsr_matmul(u, m))));
  }
  if (s->kind == TASK) run_task(s, u);
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
  tsr_assign(part_written(u, p->ndim, s), sum);
}

/* Ranks are threads. */
static void add_to(uint64_t *sum, uint64_t n)
{
  __atomic_fetch_add(sum, n, __ATOMIC_RELAXED);
}

/* Of the last-level cache, so that plans have several stretches (scheduler/run/stretches.h); by cost
 * of the second-level one, too. */
enum { SMALL_CACHE = 12 << 10 };

/* Pretends caches of these sizes for all ranks, which share a machine, or what there is. */
static void pretend_caches(int rank, size_t l2_bytes, size_t l3_bytes)
{
  tsr_topology *caches = &tsr_context_current()->world.machine->topology;
  cr_assert_eq(tsr_barrier(), TSR_OK); /* nobody plans */
  if (rank == 0) {
    caches->l2_bytes = l2_bytes;
    caches->l3_bytes = l3_bytes;
  }
  cr_assert_eq(tsr_barrier(), TSR_OK);
}

static void run_rank(void *arg, int rank)
{
  outcome *o = arg;
  const drawn *p = o->program;
  const tsr_topology *caches = &tsr_context_current()->world.machine->topology;
  const size_t l2_bytes = caches->l2_bytes, l3_bytes = caches->l3_bytes;
  pretend_caches(rank, o->cache_bytes > 0 ? (size_t)o->cache_bytes : l2_bytes, SMALL_CACHE);
  tsr_array fields[MOST_FIELDS], sums = tsr_zeros(TSR_SHAPE(MOST_ROUNDS)),
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
  mine->n_groups = after->n_groups - before.n_groups;
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
  pretend_caches(rank, l2_bytes, l3_bytes);
}

/** How programs are run. */
typedef struct way {
  int n_ranks;
  const char *places, *threads, *device, *time_steps, *halo_steps;
  int64_t cache_bytes; /* that are pretended; 0: what there is */
  bool is_trusted;     /* plans are too large to be followed */
} way;

static void run(outcome *o, const way *w)
{
  const drawn *p = o->program;
  char halo_cache[32];
  snprintf(halo_cache, sizeof halo_cache, "%lld", (long long)w->cache_bytes);
  memset(o, 0, sizeof *o);
  o->program = p;
  o->cache_bytes = w->cache_bytes;
  RUN_RANKS(w->n_ranks, run_rank, o, "device", w->device, "places", w->places, "threads",
            w->threads, "replicate_max", "0", "tile_min", "1", "inline_elems", "0", "window_ops",
            "1000", "window_cap", "1000", "halo_max", "64", "time_steps", w->time_steps,
            "halo_steps", w->halo_steps, "halo_cache", halo_cache, "chunk_bytes", "2K", "replan",
            w->is_trusted ? "0" : "1", "inorder", "0", "fusion", "1", "rename", "1");
}

static void expect_same(const outcome *got, const outcome *want, const char *as, const way *w)
{
  const drawn *p = want->program;
  bool same = got->scale == want->scale && memcmp(got->sums, want->sums, sizeof got->sums) == 0 &&
              memcmp(got->watched, want->watched, sizeof got->watched) == 0;
  for (int f = 0; f < p->n_fields; f++)
    same &= memcmp(got->values[f], want->values[f], sizeof want->values[f]) == 0;
  cr_expect(same,
            "program %d is not as %s: %d ranks, %s places, %s threads, %s, time steps %s, halo "
            "steps %s",
            (int)p->seed, as, w->n_ranks, w->places, w->threads, w->device, w->time_steps,
            w->halo_steps);
}

/* What a way is drawn from. */
static const char *const counts[] = {"1", "2"}, *const devices[] = {"cpu", "check"},
                         *const steps[] = {"0", "1", "2", "7", "16"};
enum { MOST_RANKS = 4, N_COUNTS = 2, N_DEVICES = 2, N_STEPS = 5 };

/** How many programs of which kind were seen, and ways of each value. */
typedef struct tally {
  int n_of[N_PROPERTIES]; /* that have it */
  int n_near;             /* all distances are small */
  int n_far;              /* a field that is written is read at no constant distance */
  int n_whole;            /* of n_near: 7 in 10 of their groups are in chains */
  int n_forced, n_tiled;  /* ways of near programs that ask for tiling, and get it */
  uint64_t n_tiled_plans, n_tiled_verified;
  int n_ranks[MOST_RANKS], n_places[N_COUNTS], n_threads[N_COUNTS], n_devices[N_DEVICES],
      n_time_steps[N_STEPS], n_halo_steps[N_STEPS];
} tally;

static void count_properties(tally *t, const drawn *p)
{
  const unsigned has = drawn_properties(p);
  for (int k = 0; k < N_PROPERTIES; k++) t->n_of[k] += has >> k & 1;
  t->n_near += p->is_near;
  t->n_far += p->has_far;
}

static int draw_counted(uint64_t *r, int n, int *counted)
{
  const int i = (int)draw_below(r, n);
  counted[i]++;
  return i;
}

static way draw_way(uint64_t *r, tally *t)
{
  way w = {.n_ranks = 1 + draw_counted(r, MOST_RANKS, t->n_ranks)};
  w.places = counts[draw_counted(r, N_COUNTS, t->n_places)];
  w.threads = counts[draw_counted(r, N_COUNTS, t->n_threads)];
  w.device = devices[draw_counted(r, N_DEVICES, t->n_devices)];
  w.time_steps = steps[draw_counted(r, N_STEPS, t->n_time_steps)];
  w.halo_steps = steps[draw_counted(r, N_STEPS, t->n_halo_steps)];
  if (w.time_steps[0] == '0') w.cache_bytes = SMALL_CACHE;
  return w;
}

/* Counts whether the program is tiled as the way asks for. Places that exchange ghosts in each step
 * have nothing to tile. */
static void count_tiled(tally *t, const drawn *p, const way *w, const outcome *got)
{
  const bool is_alone = w->n_ranks == 1 && w->places[0] == '1';
  t->n_tiled_plans += got->n_tiled_plans;
  t->n_tiled_verified += got->n_tiled_verified;
  if (!p->is_near || atoi(w->time_steps) < 2 || strcmp(w->device, "cpu") != 0) return;
  if (!is_alone && (p->is_shallow || atoi(w->halo_steps) < 2)) return;
  t->n_forced++;
  t->n_tiled += got->n_tiled > 0;
}

/* All programs as they run one by one, in chains of 16 steps, and in ways that are drawn. */
static void compare(int first, int end, tally *t)
{
  static const way plain = {1, "1", "1", "cpu", "1", "1", 0, false},
                   forced = {1, "1", "1", "cpu", "16", "1", 0, false};
  enum { N_WAYS = IS_SANITIZED ? 1 : 4 };
  outcome *want = calloc(1, sizeof *want), *one = calloc(1, sizeof *one),
          *got = calloc(1, sizeof *got);
  for (int seed = first; seed < end; seed++) {
    const drawn p = draw_program((uint64_t)seed, false);
    uint64_t r = 1000003 * (uint64_t)seed;
    count_properties(t, &p);
    memset(want, 0, sizeof *want);
    want->program = one->program = got->program = &p;
    refer(want);
    run(one, &plain);
    cr_expect_eq(one->n_tiled, 0);
    expect_same(one, want, "a serial loop", &plain);
    for (int i = 0; i <= N_WAYS; i++) {
      const way w = i == 0 ? forced : draw_way(&r, t);
      run(got, &w);
      expect_same(got, want, "a serial loop", &w);
      expect_same(got, one, "step by step", &w);
      count_tiled(t, &p, &w, got);
      if (i == 0) t->n_whole += p.is_near && 10 * got->n_tiled >= 7 * got->n_groups;
    }
  }
  free(want);
  free(one);
  free(got);
}

/* What is drawn, in one line a property. */
static void print_tally(const tally *t, int n)
{
  printf(
      "of %d programs %d have small constant distances, of which %d have 7 in 10 of their groups "
      "in chains; %d read at no constant distance\n",
      n, t->n_near, t->n_whole, t->n_far);
  printf("of %d ways that ask for it %d are tiled; of %d plans that have chains %d are followed "
         "point by point\n",
         t->n_forced, t->n_tiled, (int)t->n_tiled_plans, (int)t->n_tiled_verified);
  for (int k = 0; k < N_PROPERTIES; k++)
    printf("  %3d have %s\n", t->n_of[k], drawn_property_name(k));
  fflush(stdout);
}

/* Was each value of a setting drawn? */
static void expect_drawn(const char *setting, const int *counted, int n)
{
  enum { FEW = 5 };
  for (int i = 0; i < n && !IS_SANITIZED; i++)
    cr_expect_geq(counted[i], FEW, "value %d of %s was drawn %d times", i, setting, counted[i]);
}

Test(time_tiling, drawn_programs, .timeout = 300)
{
  tally t = {.n_near = 0};
  compare(0, N_PROGRAMS, &t);
  print_tally(&t, N_PROGRAMS);
  expect_drawn("properties", t.n_of, N_PROPERTIES);
  expect_drawn("fields that are written and read at no constant distance", &t.n_far, 1);
  expect_drawn("ranks", t.n_ranks, MOST_RANKS);
  expect_drawn("places", t.n_places, N_COUNTS);
  expect_drawn("threads", t.n_threads, N_COUNTS);
  expect_drawn("devices", t.n_devices, N_DEVICES);
  expect_drawn("time steps", t.n_time_steps, N_STEPS);
  expect_drawn("halo steps", t.n_halo_steps, N_STEPS);
  cr_expect(IS_SANITIZED || t.n_near > N_PROGRAMS / 2);
  cr_expect(IS_SANITIZED || t.n_whole * 10 >= t.n_near * 9,
            "of %d of %d programs most groups are tiled", t.n_whole, t.n_near);
  cr_expect_geq(t.n_tiled * 10, t.n_forced * 9, "%d of %d ways are tiled", t.n_tiled, t.n_forced);
  cr_expect_gt(t.n_tiled_plans, 0);
  cr_expect_eq(t.n_tiled_verified, t.n_tiled_plans, "%d of %d tiled plans are followed",
               (int)t.n_tiled_verified, (int)t.n_tiled_plans);
}

/* A cache so small that no rank's part of the fields fits there, with their second buffers. */
static int64_t small_cache(const drawn *p, int n_ranks)
{
  int64_t bytes = 0;
  for (int f = 0; f < p->n_fields; f++)
    bytes += 8 * p->shape[f][0] * p->shape[f][1] * p->shape[f][2];
  return bytes * 9 / 20 / n_ranks;
}

/* Where it is for the model of costs to choose chains, it chooses some in half of the programs whose
 * distances are small: on one rank, and on ranks that share exchanges, by cost as well. */
Test(time_tiling, drawn_programs_by_cost, .timeout = 300)
{
  enum { EACH = IS_SANITIZED ? 3 : 24 };
  outcome *want = calloc(1, sizeof *want), *got = calloc(1, sizeof *got);
  int n_run[3] = {0}, n_tiled[3] = {0}; /* on one rank; on several, by halo steps */
  for (int seed = 0, n = 0; n < EACH; seed++) {
    const drawn p = draw_program((uint64_t)seed, true);
    if (!p.is_near || p.is_shallow) continue;
    memset(want, 0, sizeof *want);
    want->program = got->program = &p;
    refer(want);
    const int n_ranks = 2 + n++ % 3;
    const way ways[] = {{1, "1", "1", "cpu", "0", "0", small_cache(&p, 1), true},
                        {n_ranks, "1", "1", "cpu", "0", "0", small_cache(&p, n_ranks), true},
                        {n_ranks, "1", "1", "cpu", "0", "16", small_cache(&p, n_ranks), true}};
    for (int i = 0; i < 3; i++) {
      run(got, &ways[i]);
      expect_same(got, want, "a serial loop", &ways[i]);
      n_run[i]++;
      n_tiled[i] += got->n_tiled > 0;
    }
  }
  printf(
      "by cost %d of %d programs are tiled, on ranks %d of %d, if they share 16 steps %d of %d\n",
      n_tiled[0], n_run[0], n_tiled[1], n_run[1], n_tiled[2], n_run[2]);
  fflush(stdout);
  for (int i = 0; i < 3 && !IS_SANITIZED; i++) /* which runs few */
    cr_expect_geq(2 * n_tiled[i], n_run[i], "way %d: %d of %d programs are tiled", i, n_tiled[i],
                  n_run[i]);
  free(want);
  free(got);
}

/* Steps at small distances, of which some are messages between each two: the next seed from *seed
 * on whose program is so, and how many messages it sends if each step exchanges ghosts. */
static uint64_t draw_spread(int *seed, int n_ranks, drawn *p, outcome *o)
{
  const way shallow = {n_ranks, "1", "1", "cpu", "1", "1", 0, false};
  o->program = p;
  for (;; ++*seed) {
    *p = draw_program((uint64_t)*seed, false);
    if (!p->is_near || p->is_shallow) continue;
    run(o, &shallow);
    if (o->n_messages > 2 * (uint64_t)n_ranks) return o->n_messages;
  }
}

/* Where opposite ends do not meet ranks share exchanges. */
Test(time_tiling, drawn_programs_share_exchanges, .timeout = 300)
{
  enum { EACH = IS_SANITIZED ? 10 : 20, FIRST = 90 };
  outcome *want = calloc(1, sizeof *want), *got = calloc(1, sizeof *got);
  for (int n_ranks = 2; n_ranks <= 4; n_ranks++) {
    static const char *const all[] = {"2", "16", "7"};
    const way deep = {n_ranks, "1", "1", "cpu", all[n_ranks - 2], "16", 0, false};
    int n_fewer = 0, seed = FIRST;
    for (int i = 0; i < EACH; i++, seed++) {
      drawn p;
      const uint64_t n_messages = draw_spread(&seed, n_ranks, &p, got);
      memset(want, 0, sizeof *want);
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
