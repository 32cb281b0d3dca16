/* Programs of steps that are drawn at random: 1 to 3 axes, 1 to 4 fields of different shapes,
 * offsets up to 3, borders, reads at the opposite end, rolls, strided and flipped views, updates in
 * place, residuals, coefficients that are arrays of one element. However they are tiled over time,
 * and however seldom ranks exchange ghosts, they have the bits of a serial loop over the same
 * points. */
#include "array_test.h"
#include "tests/support/draw.h"
#include "tests/support/sanitized.h"

#include <math.h>

enum {
  MOST_FIELDS = 4,
  MOST_TERMS = 5,
  MOST_STATEMENTS = 5,
  MOST_ELEMS = 3200,
  N_PROGRAMS = IS_SANITIZED ? 10 : 60,
  MOST_ROUNDS = 13
};

typedef struct term {
  int field;
  int64_t start[3], step[3];
  unsigned flipped; /* bit k: axis k is read from its end */
  double coefficient;
  bool by_array; /* times the array of one element, too */
} term;

/* A residual is read by what follows; what is watched is read when all steps have run. */
typedef enum statement_kind { LINEAR, ROLL, RESIDUAL, WATCHED, TASK } statement_kind;

/** Each point of a box gets the sum of some terms, as they were before; or a field is rolled. */
typedef struct statement {
  statement_kind kind;
  int field;
  int64_t start[3], step[3], n[3];
  int n_terms;
  term terms[MOST_TERMS];
  int axis;
  int64_t shift; /* of a roll */
  int every;     /* rounds */
} statement;

typedef struct drawn {
  uint64_t seed;
  bool is_near;    /* all distances are constant and small, modulo a period where ends meet */
  bool is_shallow; /* ends meet, so that ranks exchange each step */
  int ndim, n_fields, n_statements, n_rounds;
  int64_t shape[MOST_FIELDS][3];
  statement statements[MOST_STATEMENTS];
} drawn;

typedef struct outcome {
  const drawn *program;
  double values[MOST_FIELDS][MOST_ELEMS], sums[64], watched[MOST_ROUNDS], scale;
  int64_t cache_bytes; /* pretended, of the second level; 0: what there is */
  uint64_t n_tiled, n_wide, n_messages, n_verified; /* of rank 0 */
} outcome;

static int64_t draw(uint64_t *state, int64_t lo, int64_t hi) /* both may be */
{
  return lo + draw_below(state, hi - lo + 1);
}

static int64_t clamp(int64_t i, int64_t most)
{
  return i < 0 ? 0 : i > most ? most : i;
}

static void draw_terms(uint64_t *r, const drawn *p, statement *s, int64_t reach)
{
  s->n_terms = (int)draw(r, 1, MOST_TERMS);
  for (int i = 0; i < s->n_terms; i++) {
    term *t = &s->terms[i];
    t->field = i == 0 ? s->field : (int)draw(r, 0, p->n_fields - 1);
    t->coefficient = 0.9 / s->n_terms * (draw(r, 0, 4) == 0 ? -1 : 1);
    t->by_array = draw(r, 0, 5) == 0;
    for (int k = 0; k < p->ndim; k++) {
      t->step[k] = s->step[k];
      const int64_t most = p->shape[t->field][k] - (s->n[k] - 1) * t->step[k] - 1;
      t->start[k] = clamp(s->start[k] + draw(r, -reach, reach), most);
    }
  }
}

/* An update of all but some points at the ends. */
static void draw_update(uint64_t *r, const drawn *p, statement *s)
{
  for (int k = 0; k < p->ndim; k++) {
    const int64_t below = draw(r, 0, 3), above = draw(r, 0, 3), n = p->shape[s->field][k];
    s->start[k] = below;
    s->step[k] = 1;
    s->n[k] = n - below - above;
    for (int f = 0; f < p->n_fields; f++) /* fields are read in a box as long */
      if (s->n[k] > p->shape[f][k]) s->n[k] = p->shape[f][k];
  }
  draw_terms(r, p, s, 3);
}

/* A border, from the row beside it, or, where that may be, from the other end. */
static void draw_border(uint64_t *r, drawn *p, statement *s)
{
  const int axis = (int)draw(r, 0, p->ndim - 1);
  const bool is_last = draw(r, 0, 1);
  const int64_t *n = p->shape[s->field];
  for (int k = 0; k < p->ndim; k++) {
    s->start[k] = k == axis && is_last ? n[k] - 1 : 0;
    s->n[k] = k == axis ? 1 : n[k];
    s->step[k] = 1;
  }
  s->n_terms = 1;
  term *t = &s->terms[0];
  *t = (term){.field = s->field, .coefficient = draw(r, 0, 1) ? 1.0 : -0.5};
  for (int k = 0; k < 3; k++) t->step[k] = 1;
  const bool is_periodic = draw(r, 0, 1);
  t->start[axis] = is_last != is_periodic ? n[axis] - 2 : 1;
  p->is_shallow |= is_periodic;
}

/* Every second point along an axis, or a view that is turned. */
static void draw_strided(uint64_t *r, drawn *p, statement *s)
{
  draw_update(r, p, s);
  const int axis = (int)draw(r, 0, p->ndim - 1);
  if (!p->is_near && draw(r, 0, 1)) {
    s->terms[s->n_terms - 1].flipped = 1u << axis;
    return;
  }
  s->step[axis] = 2;
  s->n[axis] = s->n[axis] > 6 ? (s->n[axis] - 4) / 2 : 1;
  draw_terms(r, p, s, 2);
}

static drawn draw_program(uint64_t seed)
{
  uint64_t r = seed;
  drawn p = {.seed = seed, .is_near = draw(&r, 0, 2) > 0};
  p.ndim = (int)draw(&r, 1, 3);
  p.n_fields = (int)draw(&r, 1, MOST_FIELDS);
  p.n_statements = (int)draw(&r, 1, MOST_STATEMENTS);
  p.n_rounds = (int)draw(&r, 4, MOST_ROUNDS);
  int64_t n[3];
  for (int k = 0; k < 3; k++) /* tiles of two ranks are wider than two steps reach */
    n[k] = p.ndim == 1   ? draw(&r, 200, 900)
           : p.ndim == 2 ? draw(&r, 24, 45)
           : k == 0      ? draw(&r, 28, 31)
                         : draw(&r, 8, 9);
  for (int f = 0; f < p.n_fields; f++)
    for (int k = 0; k < 3; k++) p.shape[f][k] = k < p.ndim ? n[k] + draw(&r, 0, 1) : 1;
  for (int i = 0; i < p.n_statements; i++) {
    statement *s = &p.statements[i];
    *s = (statement){.field = (int)draw(&r, 0, p.n_fields - 1), .every = 1};
    for (int k = 0; k < 3; k++) s->n[k] = s->step[k] = 1;
    int64_t kind = i == 0 ? 0 : draw(&r, 0, 10);
    while (p.is_near && kind == 9) kind = draw(&r, 0, 10);
    if (kind < 3) {
      draw_update(&r, &p, s);
    } else if (kind < 6) {
      draw_border(&r, &p, s);
    } else if (kind == 8 || (kind == 7 && !p.is_near)) {
      draw_strided(&r, &p, s);
    } else {
      s->kind = kind == 6 ? ROLL : kind == 7 ? WATCHED : kind == 9 ? RESIDUAL : TASK;
      s->axis = (int)draw(&r, 0, p.ndim - 1);
      s->shift = draw(&r, -7, 7);
      s->every = s->kind == RESIDUAL || s->kind == WATCHED ? (int)draw(&r, 2, 5) : 1;
      p.is_shallow |= s->kind == ROLL;
    }
  }
  return p;
}

/* The serial loop. */

static int64_t at(const int64_t *shape, const int64_t *i)
{
  return (i[0] * shape[1] + i[1]) * shape[2] + i[2];
}

static double term_at(const outcome *o, const statement *s, const term *t, const int64_t *i)
{
  int64_t from[3];
  for (int k = 0; k < 3; k++) {
    const int64_t j = t->flipped >> k & 1 ? s->n[k] - 1 - i[k] : i[k];
    from[k] = t->start[k] + j * (t->step[k] > 0 ? t->step[k] : 1);
  }
  const double x = o->values[t->field][at(o->program->shape[t->field], from)];
  return t->coefficient * (t->by_array ? o->scale * x : x);
}

static void refer_linear(outcome *o, const statement *s)
{
  static double sums[MOST_ELEMS];
  const int64_t *shape = o->program->shape[s->field];
  int64_t i[3], n = 0;
  for (int write = 0; write < 2; write++, n = 0)
    for (i[0] = 0; i[0] < s->n[0]; i[0]++)
      for (i[1] = 0; i[1] < s->n[1]; i[1]++)
        for (i[2] = 0; i[2] < s->n[2]; i[2]++, n++) {
          int64_t to[3];
          for (int k = 0; k < 3; k++) to[k] = s->start[k] + i[k] * s->step[k];
          if (write) {
            o->values[s->field][at(shape, to)] = sums[n];
            continue;
          }
          sums[n] = term_at(o, s, &s->terms[0], i);
          for (int t = 1; t < s->n_terms; t++) sums[n] += term_at(o, s, &s->terms[t], i);
        }
}

static void refer_roll(outcome *o, const statement *s)
{
  static double old[MOST_ELEMS];
  const int64_t *shape = o->program->shape[s->field];
  double *x = o->values[s->field];
  int64_t i[3];
  memcpy(old, x, sizeof old);
  for (i[0] = 0; i[0] < shape[0]; i[0]++)
    for (i[1] = 0; i[1] < shape[1]; i[1]++)
      for (i[2] = 0; i[2] < shape[2]; i[2]++) {
        int64_t from[3] = {i[0], i[1], i[2]};
        from[s->axis] =
            ((i[s->axis] - s->shift) % shape[s->axis] + shape[s->axis]) % shape[s->axis];
        x[at(shape, i)] = 0.5 * old[at(shape, i)] + 0.25 * old[at(shape, from)];
      }
}

static void refer_task(outcome *o, const statement *s)
{
  static double old[MOST_ELEMS];
  const int64_t *shape = o->program->shape[s->field], n = shape[0] * shape[1] * shape[2],
                row = shape[1] * shape[2];
  double *x = o->values[s->field];
  memcpy(old, x, sizeof old);
  for (int64_t i = 0; i < n; i++) {
    x[i] = 0.5 * old[i];
    if (i >= row) x[i] += 0.25 * old[i - row];
    if (i + row < n) x[i] += 0.25 * old[i + row];
  }
}

static void refer(outcome *o)
{
  const drawn *p = o->program;
  o->scale = 0.75;
  for (int f = 0; f < p->n_fields; f++)
    for (int64_t i = 0; i < p->shape[f][0] * p->shape[f][1] * p->shape[f][2]; i++)
      o->values[f][i] = 0.01 * (double)(i % 97) - 0.25 * f;
  for (int round = 0; round < p->n_rounds; round++)
    for (int i = 0; i < p->n_statements; i++) {
      const statement *s = &p->statements[i];
      if (s->kind == LINEAR) refer_linear(o, s);
      if (s->kind == ROLL) refer_roll(o, s);
      if (s->kind == TASK) refer_task(o, s);
      if (s->kind != RESIDUAL || round % s->every != 0) continue;
      const int64_t *n = p->shape[s->field];
      double most = -INFINITY;
      for (int64_t k = 0; k < n[0] * n[1] * n[2]; k++)
        if (most < o->values[s->field][k]) most = o->values[s->field][k];
      o->scale = 0.5 * (most < 1.0 ? most : 1.0);
    }
}

/* The same by Tessera. */

static tsr_array part(tsr_array x, int ndim, const int64_t *start, const int64_t *n,
                      const int64_t *step, unsigned flipped)
{
  int64_t end[3];
  for (int k = 0; k < ndim; k++) end[k] = start[k] + (n[k] - 1) * step[k] + 1;
  if (ndim == 1) x = tsr_slice(x, "$:$:$", start[0], end[0], step[0]);
  if (ndim == 2)
    x = tsr_slice(x, "$:$:$, $:$:$", start[0], end[0], step[0], start[1], end[1], step[1]);
  if (ndim == 3)
    x = tsr_slice(x, "$:$:$, $:$:$, $:$:$", start[0], end[0], step[0], start[1], end[1], step[1],
                  start[2], end[2], step[2]);
  for (int k = 0; k < ndim; k++)
    if (flipped >> k & 1) x = tsr_flip(x, TSR_AXES(k));
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
    tsr_array x = part(fields[t->field], p->ndim, t->start, s->n, t->step, t->flipped);
    if (t->by_array) x = tsr_multiply(scale, x);
    x = tsr_multiply(t->coefficient, x);
    sum = i == 0 ? x : tsr_add(sum, x);
  }
  tsr_assign(part(u, p->ndim, s->start, s->n, s->step, 0), sum);
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
  mine->n_messages = after->n_messages - before.n_messages;
  mine->n_verified = after->n_verified - before.n_verified;
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
            "halo_steps", w->halo_steps, "chunk_bytes", "2K", "replan", w->n_ranks <= 2 ? "1" : "0",
            "inorder", "0", "fusion", "1", "rename", "1");
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

static void compare(int first, int end)
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
  int n_near = 0, n_tiled = 0, n_placed = 0, n_paid = 0, n_verified = 0;
  for (int seed = first; seed < end; seed++) {
    const drawn p = draw_program((uint64_t)seed);
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
      n_paid += i == BY_COST && got->n_tiled > 0;
      n_placed += i == TWO_PLACES && got->n_tiled > 0;
      if (i == FORCED) n_verified += got->n_verified > 0;
      if (!p.is_near || i != FORCED) continue;
      n_near++;
      n_tiled += got->n_tiled > 0;
    }
  }
  cr_expect_gt(n_near, (end - first) / 2);
  cr_expect_geq(n_tiled * 10, n_near * 9, "%d of %d programs are tiled", n_tiled, n_near);
  cr_expect_geq(n_placed * 10, (end - first) * 9, "%d programs are tiled on two places", n_placed);
  cr_expect(IS_SANITIZED || n_paid > 4, "%d have chains that pay", n_paid);
  cr_expect_geq(n_verified * 10, (end - first) * 6, "%d plans are followed", n_verified);
  free(want);
  free(first_run);
  free(got);
}

Test(time_tiling, drawn_programs, .timeout = 300)
{
  compare(0, N_PROGRAMS);
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
    if (o->n_messages > 2) return o->n_messages;
  }
}

/* Where opposite ends do not meet ranks share exchanges. */
Test(time_tiling, drawn_programs_share_exchanges, .timeout = 300)
{
  enum { EACH = IS_SANITIZED ? 7 : 20 };
  static const char *const steps[] = {"2", "16", "7"};
  outcome *want = calloc(1, sizeof *want), *got = calloc(1, sizeof *got);
  for (int n_ranks = 2; n_ranks <= 4; n_ranks++) {
    const way deep = {n_ranks, "1", "1", "cpu", steps[n_ranks - 2], "16"};
    int n_fewer = 0, seed = N_PROGRAMS;
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
