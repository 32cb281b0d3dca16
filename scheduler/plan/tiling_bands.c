/* How many steps a chain has, and its bands.
 *
 * What pays is a model of bytes: a band and the lean of all its steps take three quarters of
 * the second-level cache, and come from memory once instead of once per step. Where few steps fit
 * there, as of planes, bands may be as large as a thread's share of the last-level cache. Bands
 * that follow each other along axis 0 are short, as each finds the rows before it in the cache. */
#include "scheduler/plan/tiling_int.h"

#include <math.h>

enum {
  LEAST_BAND = 8,      /* indices along an axis */
  MANY_STEPS = 64,     /* more large ones in a chain gain less than what their boxes take */
  FEW = 16,            /* a small step has at most a FEW-th of the points of the largest */
  DEFAULT_L2 = 1 << 19 /* bytes, where the machine does not say */
};

#define MOST_WEDGES 0.5 /* the share of points that wedges take: fewer segments fit then */
/* The share of time from which on a chain does not pay: of arrays in memory, and of those that the
 * last-level cache holds together, which is faster. Of those, none pays where instructions hide so
 * much of what that cache takes that a smaller share of it is left. */
#define LEAST_GAIN 0.7
#define LEAST_GAIN_CACHED 0.15
#define LEAST_EXPOSED 0.1
/* The model of bands in the last-level cache (l3_share), fitted to sweeps of one to three axes. */
#define L3_SHARE 0.27
#define LEAST_L3_SHARE 0.02
#define HIDDEN_BYTES 0.2
/* Of chains of fewer steps the share may be so much greater: their bands lean less. */
#define MORE_STEPS 1.05

/* The bytes of a point of all buffers that the first n groups touch point by point, and those that
 * pass between memory and a cache when each is loaded and, if it is written, stored once. */
static void count_bytes(const tsr_tiling *t, int32_t n, int64_t *held, int64_t *moved)
{
  *held = *moved = 0;
  for (int32_t q = 0; q < n; q++)
    for (int32_t i = 0; i < t->uses[q].n; i++) {
      const tsr_use *u = &t->uses[q].v[i];
      bool is_new = u->is_displaced, is_written = false;
      for (int32_t p = 0; p < n && is_new; p++)
        for (int32_t j = 0; j < t->uses[p].n; j++) {
          const tsr_use *v = &t->uses[p].v[j];
          if (v->buffer != u->buffer) continue;
          if (p < q || (p == q && j < i)) is_new = false;
          is_written |= v->stores.any;
        }
      if (!is_new) continue;
      const tsr_plan *plan = t->plan;
      const int64_t elem = (int64_t)tsr__slot_elem_bytes(plan, u->slot);
      *held += elem;
      *moved += is_written ? 2 * elem : elem;
    }
}

/* The whole n-th root. */
static int64_t nth_root(int64_t x, int n)
{
  return n == 1 ? x : (int64_t)(pow((double)x, 1.0 / n) + 1e-6);
}

/* By how many elements the boxes of a band's n steps lie apart, first to last, along an axis. */
static int64_t lean_of(const tsr_tiling *t, int32_t n, int axis)
{
  int64_t least = 0, most = 0;
  bool is_first = true;
  for (int32_t q = 0; q < n; q++) {
    const tsr_use *u = tsr__traversed_use(&t->uses[q]);
    if (u == NULL) continue; /* what it reads does not follow its bands */
    const int64_t back =
        t->steps[q].down[axis] + t->steps[q].origin[axis] - tsr__middle_of_use(u, axis);
    if (is_first || back < least) least = back;
    if (is_first || back > most) most = back;
    is_first = false;
  }
  return most - least;
}

/* The coordinates of the first n steps along an axis. */
static int64_t length_of(const tsr_tiling *t, int32_t n, int axis)
{
  int64_t lo = t->steps[0].lo[axis], end = t->steps[0].end[axis];
  for (int32_t q = 1; q < n; q++) {
    if (lo > t->steps[q].lo[axis]) lo = t->steps[q].lo[axis];
    if (end < t->steps[q].end[axis]) end = t->steps[q].end[axis];
  }
  return end - lo;
}

/* The bands that hold `points` with their leans: `rows` long along axis 0, `last` along the
 * last axis, alike along those between (0: all of the axis). A band that follows another along
 * axis 0 finds what it shares with it in the cache, so leans along the other axes alone are
 * loaded again. */
static tsr_bands bands_of(const tsr_steps_cost *m, int64_t points, int64_t rows, int64_t last,
                          int64_t least)
{
  const tsr_bands none = {.n_steps = m->n_steps, .bytes = INFINITY, .share = INFINITY};
  tsr_bands w = {.n_steps = m->n_steps, .bytes = (double)m->moved_bytes / m->alone_bytes};
  const int end = m->ndim - 1;
  w.length[0] = rows < m->length[0] ? rows : 0;
  points /= w.length[0] > 0 ? rows + m->lean[0] : m->length[0];
  if (end > 0) {
    if (last > 0 && m->whole >> end & 1) return none;
    if (last < m->length[end]) w.length[end] = last;
    points /= w.length[end] > 0 ? last + m->lean[end] : m->length[end];
  }
  for (int k = end - 1; k > 0 && points > 0; k--) {
    const int64_t each = m->whole >> k & 1 ? m->length[k] : nth_root(points, k);
    if (each < m->length[k] && each - m->lean[k] < least) return none;
    if (each < m->length[k]) w.length[k] = each - m->lean[k];
    points /= w.length[k] != 0 ? each : m->length[k];
  }
  int64_t box = 1;
  for (int k = 0; k < m->ndim; k++) box *= w.length[k] > 0 ? w.length[k] : m->length[k];
  if (box < m->least_points) points = 0;
  for (int k = 1; k < m->ndim; k++)
    if (w.length[k] > 0) w.bytes *= 1.0 + (double)m->lean[k] / (double)w.length[k];
  return points > 0 ? w : none;
}

/* What the bands cost, as a share of what the steps cost one by one. Where rows are cut, each
 * costs as much as some points do one by one, and each box of a step as much as some bytes,
 * wherever they come from. At a cut of axis 0 nothing is shared. */
static double share_of(const tsr_steps_cost *m, const tsr_bands *w)
{
  enum { ROW_POINTS = 44, BOX_BYTES = 1500 };
  double share = w->bytes, box = 1;
  for (int k = 0; k < m->ndim; k++) box *= (double)(w->length[k] > 0 ? w->length[k] : m->length[k]);
  const int64_t row = m->ndim > 1 ? w->length[m->ndim - 1] : 0;
  share *= 1.0 + fmin(2.0 * (double)(m->n_cuts * m->lean[0]) / (double)m->length[0], MOST_WEDGES);
  if (row > 0) share += (double)ROW_POINTS / (double)row;
  return share + (double)(m->n_steps * BOX_BYTES) / (box * m->alone_bytes);
}

/* The bytes that a band has with its leans. */
static int64_t held_by(const tsr_steps_cost *m, const tsr_bands *w)
{
  int64_t bytes = m->held_bytes;
  for (int k = 0; k < m->ndim; k++)
    bytes *= w->length[k] > 0 ? w->length[k] + m->lean[k] : m->length[k];
  return bytes;
}

/* The best bands of the steps that fit a budget. Those along axis 0 are as short as their cost
 * allows. */
static tsr_bands best_bands(const tsr_steps_cost *m, int64_t budget_bytes, int64_t least)
{
  static const int64_t lasts[] = {0, 4096, 2048, 1024, 512, 256, 128, 64, 8};
  const int n_lasts = m->ndim == 1 ? 1 : least < LEAST_BAND ? 9 : 8;
  tsr_bands best = {.bytes = INFINITY, .share = INFINITY};
  const int64_t points = budget_bytes / tsr__max64(m->held_bytes, 1);
  for (int i = 0; i < n_lasts; i++) {
    if (lasts[i] >= m->length[m->ndim - 1]) continue;
    for (int64_t rows = 1; rows + m->lean[0] <= points; rows *= 2) {
      tsr_bands w = bands_of(m, points, rows, lasts[i], least);
      if (w.bytes == INFINITY && rows > m->least_points) break; /* longer ones hold fewer points */
      w.share = share_of(m, &w);
      if (w.share < best.share) best = w;
      if (rows >= m->length[0]) break;
    }
  }
  best.budget_bytes = budget_bytes;
  best.held_bytes = held_by(m, &best);
  return best;
}

bool tsr__steps_pay(const tsr_steps_cost *m, int64_t cache_bytes)
{
  return best_bands(m, cache_bytes / 2, LEAST_BAND).bytes <= LEAST_GAIN;
}

/* What the first n steps take one by one, per point of the largest: a border takes little. */
static void count_alone(const tsr_tiling *t, int32_t n, tsr_steps_cost *m)
{
  enum { COPIED = 16 }; /* bytes of an element that is copied */
  double bytes = 0, instrs = 0, most = 1;
  for (int32_t q = 0; q < n; q++) {
    const tsr_chain_step *s = &t->steps[q];
    double lines = 1, points = 1, all = 1; /* all: with those that a stride leaves out */
    for (int k = 0; k < t->ndim; k++) {
      const double length = (double)(s->end[k] - s->lo[k]),
                   some = ceil(length / (double)s->stride[k]);
      all *= length;
      points *= some;
      lines *= k < t->ndim - 1 ? some : length; /* whole cache lines */
    }
    if (all > most) most = all;
    if (s->copy >= 0) {
      bytes += lines * COPIED;
      continue;
    }
    const tsr_group *g = &t->plan->groups[s->group];
    bytes += lines * (double)g->footprint.point_bytes;
    instrs += points * (double)g->accesses.weight * (g->accesses.kernel->n_instrs + 1);
  }
  m->alone_bytes = bytes / most;
  m->alone_instrs = instrs / most;
}

/* What the first n steps cost. */
static tsr_steps_cost cost_of(const tsr_tiling *t, int32_t n)
{
  tsr_steps_cost m = {.n_steps = n,
                      .ndim = t->ndim,
                      .whole = t->axes.whole,
                      .n_cuts = tsr__n_segments_wanted(t) - 1};
  count_bytes(t, n, &m.held_bytes, &m.moved_bytes);
  count_alone(t, n, &m);
  for (int k = 0; k < t->ndim; k++) {
    m.lean[k] = lean_of(t, n, k);
    m.length[k] = length_of(t, n, k);
  }
  return m;
}

/* The points of a step, with those that a stride leaves out. */
static double points_of_step(const tsr_tiling *t, int32_t step)
{
  double n = 1;
  for (int k = 0; k < t->ndim; k++) n *= (double)(t->steps[step].end[k] - t->steps[step].lo[k]);
  return n;
}

/* The points of the largest step. */
static double most_points(const tsr_tiling *t)
{
  double most = 0;
  for (int32_t q = 0; q < t->n; q++) most = fmax(most, points_of_step(t, q));
  return most;
}

/* How many steps are large, at least 1: neither borders nor copies of borders. */
static int32_t n_large(const tsr_tiling *t)
{
  const double most = most_points(t);
  int32_t n = 0;
  for (int32_t q = 0; q < t->n; q++) n += FEW * points_of_step(t, q) >= most;
  return n;
}

/* So many steps, or a few more: the last one is no copy, and small steps, such as borders, go with
 * the large one before them, since by themselves they would wait for all of the chain. */
static int32_t ends_with_group(const tsr_tiling *t, int32_t n)
{
  const double most = most_points(t);
  while (t->steps[n - 1].copy >= 0) n++;
  for (int32_t q = n; q < t->n; q++) { /* copies are those of the group behind them */
    if (t->steps[q].copy >= 0) continue;
    if (FEW * points_of_step(t, q) > most) break;
    n = q + 1;
  }
  TSR_ASSERT(n <= t->n && t->steps[n - 1].copy < 0);
  return n;
}

void tsr__end_before_large(tsr_tiling *t)
{
  const tsr_plan *plan = t->plan;
  const int32_t next = t->first + t->n_groups;
  const double most = most_points(t);
  if (t->end != TSR_END_MOST || next == plan->n_groups) return;
  if (FEW * (double)tsr__box_volume(&plan->groups[next].part) > most) return;
  int32_t n = t->n - 1; /* the last large step */
  while (n > 0 && (t->steps[n].copy >= 0 || FEW * points_of_step(t, n) <= most)) n--;
  while (n > 0 && t->steps[n - 1].copy >= 0) n--;
  if (n < 2) return;
  t->n = n;
  t->n_groups = t->steps[n - 1].group - t->first + 1;
}

static int64_t l2_bytes_of(const tsr_world *world)
{
  const size_t known = world->machine->topology.l2_bytes;
  return (int64_t)(known > 0 ? known : DEFAULT_L2);
}

/* What the last-level cache holds beside what other programs have there. */
static int64_t l3_bytes_of(const tsr_world *world)
{
  enum { MOST = 48 << 20 };
  const int64_t known = (int64_t)world->machine->topology.l3_bytes;
  return known < MOST ? known : MOST;
}

/* Do so many bytes fit the threads' caches, so that no chain pays? Notes what was compared. */
static bool is_cached(const tsr_world *world, int64_t bytes, tsr_compared *out)
{
  *out = (tsr_compared){.bytes = bytes,
                        .cache_bytes = 2 * l2_bytes_of(world) * world->machine->n_threads};
  return bytes < out->cache_bytes;
}

bool tsr__chain_is_small(const tsr_plan *plan, int32_t group, tsr_compared *out)
{
  enum { MOST_MORE = 4 }; /* what other groups of its chain touch, as a multiple */
  const tsr_group *g = &plan->groups[group];
  *out = (tsr_compared){.bytes = 0};
  if (tsr__box_is_empty(&g->part)) return true;
  return is_cached(plan->scheduler->world,
                   MOST_MORE * tsr__box_volume(&g->part) * g->footprint.point_bytes, out);
}

/* The bytes of a cache that a band and its leans may take. */
static int64_t budget_of(int64_t cache_bytes)
{
  return cache_bytes / 4 * 3;
}

/* What a step takes more in the last-level cache than in the second-level one, as a share of what it
 * takes in memory. An instruction hides what HIDDEN_BYTES of a byte take. Below zero: instructions
 * hide more than that. */
static double l3_share(const tsr_steps_cost *m)
{
  return L3_SHARE - HIDDEN_BYTES * m->alone_instrs / m->alone_bytes;
}

/* The best bands of the first n steps by cost, of those in either cache. most: the share of time
 * that they may take. */
static tsr_bands best_by_cost(const tsr_tiling *t, int32_t n, double most)
{
  const tsr_world *world = t->plan->scheduler->world;
  tsr_steps_cost m = cost_of(t, n);
  for (int32_t q = 0; q < n; q++)
    m.least_points = tsr__max64(m.least_points, t->plan->groups[t->steps[q].group].grain);
  /* A grain says that points are dear: threads without work cost more than caches save. */
  const int n_threads = world->machine->n_threads;
  if (m.least_points > 0 && m.length[0] < n_threads * tsr__least_segment(&t->axes, 0))
    return (tsr_bands){.bytes = INFINITY, .share = INFINITY};
  const tsr_bands in_l2 = best_bands(&m, budget_of(l2_bytes_of(world)), LEAST_BAND);
  if (most < LEAST_GAIN) return in_l2; /* much of the arrays stays in the last-level cache anyhow */
  tsr_bands in_l3 =
      best_bands(&m, budget_of(tsr__l3_bytes_of_thread(&world->machine->topology)), LEAST_BAND);
  in_l3.share += fmax(l3_share(&m), LEAST_L3_SHARE);
  return in_l3.share < in_l2.share ? in_l3 : in_l2;
}

/* The bands of the first n steps, where TESSERA_TIME_STEPS asks for steps, whether they pay or
 * not. */
static tsr_bands bands_asked_for(const tsr_tiling *t, int32_t n)
{
  const tsr_world *world = t->plan->scheduler->world;
  const int64_t wish = world->config.chunk_bytes, budget = budget_of(l2_bytes_of(world));
  const tsr_steps_cost m = cost_of(t, n);
  tsr_bands w = best_bands(&m, wish < budget ? wish : budget, 1);
  if (w.share == INFINITY) w = (tsr_bands){.n_steps = n}; /* bands that small are none */
  return w;
}

/* The share of time that the steps may take to pay; 0: they fit the caches as they are. Notes what
 * was compared. */
static double most_share(const tsr_tiling *t, tsr_compared *out)
{
  const tsr_world *world = t->plan->scheduler->world;
  int64_t held, moved, points = 1;
  count_bytes(t, t->n, &held, &moved);
  for (int k = 0; k < t->ndim; k++) points *= length_of(t, t->n, k);
  if (is_cached(world, points * held, out)) return 0;
  out->cache_bytes = l3_bytes_of(world);
  tsr_steps_cost m;
  count_alone(t, t->n, &m);
  const double cached = l3_share(&m) < LEAST_EXPOSED ? 0 : LEAST_GAIN_CACHED;
  const double filled = (double)out->bytes / (double)out->cache_bytes;
  /* What fills half of that cache stays there, and what is larger than it comes from memory. */
  if (filled >= 1) return LEAST_GAIN;
  return cached + fmax(2 * filled - 1, 0) * (LEAST_GAIN - cached);
}

/* Notes what says that the bands pay. */
static void note_choice(tsr_tiling *t, const tsr_bands *w, double most)
{
  t->compared = (tsr_compared){.share = (float)w->share,
                               .most = (float)most,
                               .bytes = w->held_bytes,
                               .cache_bytes = w->budget_bytes};
}

tsr_bands tsr__bands_of_all(tsr_tiling *t)
{
  const tsr_world *world = t->plan->scheduler->world;
  if (world->config.time_steps > 1) return bands_asked_for(t, t->n);
  const double most = most_share(t, &t->compared);
  const tsr_bands w = best_by_cost(t, t->n, most);
  if (w.share >= most) {
    tsr__end_by(t, TSR_END_PROFIT);
    return (tsr_bands){.n_steps = 0};
  }
  note_choice(t, &w, most);
  return w;
}

tsr_bands tsr__choose_bands(tsr_tiling *t)
{
  const tsr_world *world = t->plan->scheduler->world;
  const int64_t asked = world->config.time_steps;
  if (asked > 1)
    return bands_asked_for(t, ends_with_group(t, asked < t->n ? (int32_t)asked : t->n));
  const double most = most_share(t, &t->compared);
  double least = INFINITY;
  tsr_bands best = {.n_steps = 0};
  if (most == 0) {
    tsr__end_by(t, TSR_END_CACHED);
    return best;
  }
  for (int32_t n_chains = (n_large(t) + MANY_STEPS - 1) / MANY_STEPS, last = 0; n_chains < t->n;
       n_chains++) {
    const int32_t n = ends_with_group(t, (t->n + n_chains - 1) / n_chains);
    if (n == last) continue;
    last = n;
    const tsr_bands w = best_by_cost(t, n, most);
    least = fmin(least, w.share);
    if (w.share < most && w.share <= MORE_STEPS * least) best = w;
  }
  if (best.n_steps > 0) {
    note_choice(t, &best, most);
  } else if (least < INFINITY) { /* else no number of steps has bands */
    t->compared.share = (float)least;
    t->compared.most = (float)most;
  }
  if (best.n_steps < t->n) tsr__end_by(t, TSR_END_PROFIT);
  return best;
}
