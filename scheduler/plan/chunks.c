/* Chunks: this place's part of a group's domain is cut into boxes, one task each. First the margins
 * that wait for messages come off, so that the interior runs while messages are under way; then
 * each piece is cut along its outer axes into boxes of about config.chunk_bytes.
 *
 * A task walks its box slab by slab of the outermost axis. Where loads of one array lie several
 * slabs apart and the slabs are larger than the second-level cache, boxes are narrow along the next
 * axis and long along the first, so that a slab is still in the cache when it is loaded again.
 *
 * All of this is a local choice: results do not depend on it. */
#include "scheduler/plan/chunks.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"

#include <stdlib.h>
#include <string.h>

enum {
  MAX_CHUNKS = 128,        /* per group: bounds the cost of the dependency pass */
  MOST_CHUNKS = 65536,     /* of any group, whatever the settings ask for */
  MIN_CHUNK_ELEMS = 16384, /* a smaller task costs more to hand over than to run */
  /* factor on chunk size for one thread, which has nobody to hand over to */
  ALONE_CHUNKS = 8,
  PRODUCT_CHUNKS = 4,   /* factor for sums of products, which only read */
  REDUCTION_CHUNKS = 4, /* factor for reductions along rows */
  /* factor on a device, where a chunk is brought over and launched at once */
  DEVICE_CHUNKS = 4,
  /* a smaller task does not pay where every point has cache lines of its own */
  MIN_CHUNK_LINES = 2048,
  LEAST_LINES = 128,       /* as MIN_CHUNK_LINES, where other tasks wait for the chunks */
  MIN_TASK_WORK = 1 << 18, /* least points of a library task's domain per chunk */
  LINE_BYTES = 64,
  MARGIN_LAST_AXIS = 64, /* width of a margin along the contiguous axis: whole vectors */
  LEAST_ROWS = 4,        /* least rows of a narrow box, in units of the reach along them */
  LEAST_COLUMNS = 1024,  /* least columns of a narrow box along the contiguous axis */
  CACHE_SHARE = 48 << 20 /* bytes of the last-level cache that a program may hope for */
};

/* The largest power of two <= n. */
static int64_t floor_pow2(int64_t n)
{
  int64_t p = 1;
  while (2 * p <= n) p *= 2;
  return p;
}

/* Bytes of memory that a point takes, without the accesses in `mask` (bits of the first 64).
 * Displaced loads of one slot count as one stream. */
static int64_t bytes_per_point(const tsr_group *g, uint64_t mask)
{
  int64_t bytes = 0;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const int32_t number = g->accesses.v[i].number;
    bool seen = number < 64 && mask >> number & 1;
    for (int32_t j = 0; j < i && !seen; j++)
      seen = !g->accesses.v[i].scratch && !g->accesses.v[j].scratch &&
             g->accesses.v[i].slot == g->accesses.v[j].slot &&
             g->accesses.v[i].gather == g->accesses.v[j].gather;
    if (!seen) bytes += (int64_t)tsr__dtype_size(tsr__access_dtype(&g->accesses, i));
  }
  return bytes > 0 ? bytes : 1;
}

/* Is the access a column: does no axis of the domain walk along its cache lines? */
static bool is_sparse(const tsr_group *g, const tsr_access *a, size_t elem)
{
  if (a->scratch) return false; /* a scratch access has no view */
  const tsr_view *v = &a->view->view;
  if (v->rdim < 2) return false;
  for (int k = 0; k < g->ndim; k++) {
    const size_t apart = elem * (size_t)llabs(v->step[v->rdim - 1][k]);
    if (g->part.n[k] > 1 && apart > 0 && apart < LINE_BYTES) return false;
  }
  return true;
}

/* Bytes that pass between memory and caches per point, of a domain whose every point has cache
 * lines of its own; 0 for all other domains. */
static int64_t line_bytes_per_point(const tsr_group *g)
{
  for (int32_t i = 0; i < g->accesses.n; i++)
    if (!is_sparse(g, &g->accesses.v[i], tsr__dtype_size(tsr__access_dtype(&g->accesses, i))))
      return 0;
  return g->accesses.n * LINE_BYTES;
}

/* Does the access load from beyond the end of an axis? Then its domain is a thin border. */
static bool is_aside(const tsr_group *g, const tsr_access *a)
{
  const tsr_box all = tsr__box_of_shape(g->ndim, g->shape);
  const tsr_box bounds = tsr__view_bounds(&a->view->view);
  return tsr__box_volume(&bounds) < tsr__box_volume(&all) / 2;
}

/* How far apart the loads of one slot lie along an axis of the domain. */
static int64_t reach_along(const tsr_group *g, int axis)
{
  int64_t most = 0;
  for (int32_t i = 0; i < g->accesses.n; i++)
    for (int32_t j = 0; j < i; j++) {
      const tsr_access *a = &g->accesses.v[i], *b = &g->accesses.v[j];
      if (a->store || b->store || a->scratch || b->scratch || a->slot != b->slot ||
          a->gather != b->gather || is_aside(g, a) || is_aside(g, b))
        continue;
      const tsr_view *v = &a->view->view, *w = &b->view->view;
      for (int k = 0; k < v->rdim; k++) {
        const int64_t step = v->step[k][axis];
        if (step == 0 || step != w->step[k][axis]) continue;
        const int64_t apart = llabs(v->offset[k] - w->offset[k]) / llabs(step);
        if (most < apart) most = apart;
      }
    }
  return most;
}

/* The length along axis 1 that keeps slabs within reach of each other in the cache. 0: they stay
 * there anyhow, or the length would be so short that what two boxes both load costs more than it
 * saves. */
static int64_t narrow_rows(const tsr_plan *plan, const tsr_group *g)
{
  const size_t known = plan->scheduler->world->machine->topology.l2_bytes;
  const int64_t bytes = (int64_t)(known > 0 ? known : (size_t)1 << 20) / 2;
  const int64_t per_point = bytes_per_point(g, g->footprint.stream_store_mask),
                n = tsr__box_volume(&g->part);
  if (g->ndim < 2 || g->accesses.n_reductions > 0 || g->part.n[0] < 2 || n <= bytes / per_point)
    return 0;
  const int64_t reach = reach_along(g, 0), slab = n / g->part.n[0], row = slab / g->part.n[1];
  if (reach == 0 || slab <= bytes / per_point / (reach + 1)) return 0;
  const int64_t rows = floor_pow2(bytes / per_point / (reach + 1) / row);
  const int64_t least = g->ndim == 2 ? LEAST_COLUMNS : LEAST_ROWS * reach_along(g, 1);
  return rows < least || rows >= g->part.n[1] ? 0 : rows;
}

/** One group while its part is cut. */
typedef struct cutting {
  tsr_plan *plan;
  const tsr_group *g;
  tsr_chain *chain;
  int32_t capacity; /* of the chain's pieces */
} cutting;

/* Adds a piece, cut at the multiples of step[k] along each axis; 0: it is not cut along it. */
static void add_piece(cutting *x, const tsr_box *box, const int64_t *step)
{
  tsr_chain *chain = x->chain;
  int64_t n_chunks = 1;
  TSR_ASSERT(!tsr__box_is_empty(box) && tsr__box_is_dense(box));
  chain->pieces = tsr__arena_grow(x->plan->scratch, chain->pieces, chain->n_pieces, &x->capacity,
                                  sizeof *chain->pieces);
  tsr_chain_piece *p = &chain->pieces[chain->n_pieces++];
  *p = (tsr_chain_piece){.first = chain->n_chunks};
  for (int k = 0; k < chain->ndim; k++) {
    p->lo[k] = box->lo[k];
    p->end[k] = tsr__box_end(box, k);
    p->step[k] = step[k] > 0 ? step[k] : 1;
    p->n[k] = 1;
    if (step[k] > 0) p->n[k] = (int32_t)((p->end[k] + step[k] - 1) / step[k] - p->lo[k] / step[k]);
    n_chunks *= p->n[k];
  }
  TSR_ASSERT(n_chunks > 0 && n_chunks <= INT32_MAX - chain->n_chunks);
  chain->n_chunks += (int32_t)n_chunks;
}

/* Finds the first seam of a piecewise view through the box: an end of a view's bounds. False: there
 * is none. */
static bool find_seam(const tsr_group *g, const tsr_box *box, int *axis, int64_t *at)
{
  for (int32_t i = 0; i < g->accesses.n; i++) {
    if (g->accesses.v[i].scratch || !g->accesses.v[i].view->view.bounded) continue;
    const tsr_box bounds = tsr__view_bounds(&g->accesses.v[i].view->view);
    for (int k = 0; k < g->ndim; k++) {
      const int64_t ends[2] = {bounds.lo[k], tsr__box_end(&bounds, k)};
      for (int e = 0; e < 2; e++)
        if (ends[e] > box->lo[k] && ends[e] < tsr__box_end(box, k)) {
          *axis = k;
          *at = ends[e];
          return true;
        }
    }
  }
  return false;
}

/* Cuts the box at `at`: returns the side before it; *box becomes the other side. */
static tsr_box cut_off(tsr_box *box, int axis, int64_t at)
{
  tsr_box before = *box;
  before.n[axis] = at - box->lo[axis];
  box->n[axis] -= before.n[axis];
  box->lo[axis] = at;
  return before;
}

/* Cuts the box into chunks of at most `most` points: rows of the outermost axis that is long
 * enough, in steps that are a power of two and aligned to it, so that reductions find whole
 * subtrees. */
static void cut_box(cutting *x, const tsr_box *box, int64_t most)
{
  int64_t step[TSR_MAX_NDIM] = {0}, n = tsr__box_volume(box);
  if (n == 0) return;
  for (int axis = 0; axis < box->ndim && n > most; axis++) {
    if (box->n[axis] == 1) continue;
    const int64_t row = n / box->n[axis];
    step[axis] = row >= most ? 1 : floor_pow2(most / row);
    if (axis == box->ndim - 1 && step[axis] < 64 && line_bytes_per_point(x->g) == 0)
      step[axis] = 64;
    if (row <= most) break;
    n = row; /* a row is cut along the next axis */
  }
  add_piece(x, box, step);
}

/* As cut_box, but the boxes are narrow along axis 1: `rows` long, a power of two. */
static void cut_narrow(cutting *x, const tsr_box *box, int64_t most, int64_t rows)
{
  const int64_t points = rows * (tsr__box_volume(box) / box->n[0] / box->n[1]);
  const int64_t step[TSR_MAX_NDIM] = {points >= most ? 1 : floor_pow2(most / points), rows};
  add_piece(x, box, step);
}

/* Cuts a box on one side of every seam: its margins, then what is left. */
static void cut_margins(cutting *x, const tsr_box *box, int64_t most)
{
  const tsr_group *g = x->g;
  tsr_box rest = *box;
  for (int k = 0; k < g->ndim; k++) {
    int64_t lo = g->part.lo[k] + g->margins.lo[k] - box->lo[k];
    int64_t hi = g->margins.hi[k] - (tsr__box_end(&g->part, k) - tsr__box_end(box, k));
    if (lo < 0) lo = 0;
    if (hi < 0) hi = 0;
    if (k == g->ndim - 1) {
      if (lo > 0 && lo < MARGIN_LAST_AXIS) lo = MARGIN_LAST_AXIS;
      if (hi > 0 && hi < MARGIN_LAST_AXIS) hi = MARGIN_LAST_AXIS;
    }
    if (lo + hi >= rest.n[k]) break; /* the whole piece waits for messages */
    tsr_box margin = rest;
    if (lo > 0) {
      margin.n[k] = lo;
      cut_box(x, &margin, most);
    }
    if (hi > 0) {
      margin.lo[k] = rest.lo[k] + rest.n[k] - hi;
      margin.n[k] = hi;
      cut_box(x, &margin, most);
    }
    rest.lo[k] += lo;
    rest.n[k] -= lo + hi;
  }
  const int64_t rows = narrow_rows(x->plan, g);
  if (rows > 0 && !tsr__box_is_empty(&rest))
    cut_narrow(x, &rest, most, rows);
  else
    cut_box(x, &rest, most);
}

/* Cuts the box at all seams, at most 2 * ndim deep for a roll along each axis, and what lies
 * between them into chunks; most == 0: that is one chunk each. */
static void cut_seams(cutting *x, const tsr_box *box, int64_t most)
{
  static const int64_t whole[TSR_MAX_NDIM] = {0};
  int axis;
  int64_t at;
  if (tsr__has_seams(&x->g->accesses) && find_seam(x->g, box, &axis, &at)) {
    tsr_box after = *box, before = cut_off(&after, axis, at);
    cut_seams(x, &before, most);
    cut_seams(x, &after, most);
  } else if (most == 0) {
    add_piece(x, box, whole);
  } else {
    cut_margins(x, box, most);
  }
}

/* Cuts the domain of a library's task into blocks of whole boxes of its grain: few, since a larger
 * block uses what it reads more often, but enough to balance threads. Axes that the result lacks
 * stay whole. */
static void cut_task(cutting *x, int64_t most_chunks)
{
  const tsr_group *g = x->g;
  int64_t step[TSR_MAX_NDIM];
  const tsr_box *part = &g->part;
  const bool tiny = most_chunks == MAX_CHUNKS;
  g->accesses.task_info->grain(&g->accesses.task, step);
  for (;;) {
    int most = -1;
    int64_t n_most = 1, work = 1, n_chunks = 1;
    for (int k = 0; k < g->ndim; k++) {
      const int64_t n = (tsr__box_end(part, k) + step[k] - 1) / step[k] - part->lo[k] / step[k];
      if (n > n_most) {
        n_most = n;
        most = k;
      }
      n_chunks *= n;
      work *= step[k] < part->n[k] ? step[k] : part->n[k];
    }
    if (most < 0 || (n_chunks <= most_chunks && (tiny || work >= MIN_TASK_WORK))) break;
    step[most] *= 2;
  }
  add_piece(x, part, step);
}

static bool is_loaded(const tsr_plan *plan, const tsr_group *g, int32_t buffer)
{
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (a->store || a->scratch) continue;
    if (plan->slots[a->gather >= 0 ? a->gather : a->slot].buffer == buffer) return true;
  }
  return false;
}

/* Finds the stores that are larger than the caches: their values are gone from there before anyone
 * reads them, so that they may be streaming stores. */
static void find_stream_stores(const tsr_plan *plan, tsr_group *g)
{
  const size_t known = plan->scheduler->world->machine->topology.l3_bytes;
  const size_t cache_bytes = known > 0 ? known : (size_t)32 << 20;
  g->footprint.stream_store_mask = 0;
  for (int32_t i = 0; i < g->accesses.n && g->accesses.v[i].number < 64; i++) {
    const tsr_access *a = &g->accesses.v[i];
    const size_t elem = tsr__dtype_size(tsr__access_dtype(&g->accesses, i));
    if (a->store && !a->scratch && (size_t)tsr__box_volume(&g->part) * elem > cache_bytes &&
        !is_loaded(plan, g, plan->slots[a->slot].buffer))
      g->footprint.stream_store_mask |= UINT64_C(1) << a->number;
  }
}

/* Does the group touch more than what is left of the last-level cache, which may be shared with
 * other programs? */
static bool is_from_memory(const tsr_plan *plan, const tsr_group *g)
{
  const int64_t known = (int64_t)plan->scheduler->world->machine->topology.l3_bytes;
  const int64_t held = known > 0 && known < CACHE_SHARE ? known : CACHE_SHARE;
  return tsr__box_volume(&g->part) * bytes_per_point(g, 0) > held;
}

/* Sets *step to the elements from point to point of an axis of a factor; false if the points are in
 * rows of their own. */
static bool step_in_row(const tsr_access *a, int axis, int64_t *step)
{
  const tsr_view *v = &a->view->view;
  for (int k = 0; k + 1 < v->rdim; k++)
    if (v->step[k][axis] != 0) return false;
  *step = v->rdim > 0 ? v->step[v->rdim - 1][axis] : 0;
  return true;
}

/* Does the group want large chunks? Sums of products do where the rows of both factors lie as their
 * loops read them (kernel/reduce/reduce.h), since nothing is written then; and where one factor is
 * read by columns, since larger chunks use more of its cache lines. Other groups run a kernel,
 * whose chunks fit the caches. */
static bool wants_large(const tsr_plan *plan, const tsr_group *g)
{
  if (g->accesses.factors[0] < 0) return false;
  const tsr_tree *tree = &plan->reductions[g->accesses.first_reduction].tree;
  if (tree->n_levels == 0) return false;
  const int axis = tree->level_axis[0];
  int row = axis;
  bool has_rows = true;
  for (int k = axis + 1; k < g->ndim; k++) {
    if (g->part.n[k] == 1) continue;
    has_rows = row == axis;
    row = k;
  }
  int64_t x = 0, y = 0;
  if (!step_in_row(&g->accesses.v[g->accesses.factors[0]], row, &x) ||
      !step_in_row(&g->accesses.v[g->accesses.factors[1]], row, &y))
    return true;
  if (!has_rows) return false;
  return (x == 1 && y == 1) || (row != axis && x >= 0 && y >= 0 && x + y == 1);
}

/* Does the group only reduce along rows of what lies in memory? Those are read in place, and 64
 * values become one. */
static bool reduces_rows(const tsr_plan *plan, const tsr_group *g)
{
  if (!g->accesses.only_reduces) return false;
  int row = 0;
  for (int k = 1; k < g->ndim; k++)
    if (g->part.n[k] > 1) row = k;
  for (int32_t i = 0; i < g->accesses.n_reductions; i++) {
    const tsr_tree *tree = &plan->reductions[g->accesses.first_reduction + i].tree;
    if (tree->n_levels == 0 || tree->level_axis[0] != row) return false;
  }
  for (int32_t i = 0; i < g->accesses.n; i++) {
    int64_t step = 0;
    const tsr_access *a = &g->accesses.v[i];
    if (!a->scratch && (!step_in_row(a, row, &step) || step != 1)) return false;
  }
  return g->accesses.n_reductions > 0;
}

/* The dimension of an array that an axis of the domain walks; -1: none. */
static int dimension_of(const tsr_view *v, int axis)
{
  for (int d = 0; d < v->rdim; d++)
    if (v->step[d][axis] != 0) return d;
  return -1;
}

/* The longest chunk of a group along a dimension of what it accesses; 0: it does not walk it. */
static int64_t longest_chunk(const tsr_plan *plan, const tsr_group *g, const tsr_access *a,
                             int dimension)
{
  int64_t longest = 0;
  for (int k = 0; k < g->ndim && dimension >= 0; k++) {
    const int64_t n = tsr__chain_longest(tsr__chain_of(plan, g), k);
    if (a->view->view.step[dimension][k] != 0 && longest < n) longest = n;
  }
  return longest;
}

/* The points of a chunk of a border whose points have cache lines of their own: as many as lie
 * beside one chunk of the group before it that writes the same memory. In longer pieces, the chunks
 * of the next step would wait until what they read has left the caches. INT64_MAX: there is no such
 * group. */
static int64_t points_beside(const tsr_plan *plan, const tsr_group *g)
{
  int axis = 0;
  if (g->ndim == 0) return INT64_MAX;
  while (axis < g->ndim - 1 && g->part.n[axis] == 1) axis++;
  for (const tsr_group *h = g - 1; h >= plan->groups; h--)
    for (int32_t i = 0; i < h->accesses.n && tsr__chain_of(plan, h)->n_chunks > 1; i++)
      for (int32_t j = 0; j < g->accesses.n; j++) {
        const tsr_access *a = &h->accesses.v[i], *b = &g->accesses.v[j];
        if (!a->store || a->scratch || b->scratch || a->slot != b->slot) continue;
        const int64_t longest = longest_chunk(plan, h, a, dimension_of(&b->view->view, axis));
        if (longest > 0) return longest * (tsr__box_volume(&g->part) / g->part.n[axis]);
      }
  return INT64_MAX;
}

/* The most points of a chunk. */
static int64_t points_of_chunk(const tsr_plan *plan, const tsr_group *g)
{
  const tsr_world *world = plan->scheduler->world;
  const int n_threads = world->machine->n_threads;
  const int64_t n = tsr__box_volume(&g->part) * g->accesses.weight,
                line_bytes = line_bytes_per_point(g);
  const int64_t bytes = world->config.chunk_bytes;
  int64_t least = line_bytes > 0 ? MIN_CHUNK_LINES * LINE_BYTES / line_bytes + 1 : MIN_CHUNK_ELEMS;
  int64_t most = bytes / (line_bytes > 0 ? line_bytes : bytes_per_point(g, 0));
  if (bytes < 4096) return most > 1 ? most : 1; /* chunks that small are a test's wish */
  if (most < least) most = least;
  if (n / most > MAX_CHUNKS && g->accesses.n_reductions == 0) most = n / MAX_CHUNKS + 1;
  if (!tsr__world_is_host(world)) most *= DEVICE_CHUNKS;
  if (wants_large(plan, g)) {
    most *= PRODUCT_CHUNKS * PRODUCT_CHUNKS;
    least *= PRODUCT_CHUNKS;
  } else if (reduces_rows(plan, g)) {
    most *= REDUCTION_CHUNKS;
  }
  int64_t share = n / (4 * n_threads) + 1; /* enough tasks to balance threads */
  const int64_t worth = n_threads > 1 || line_bytes > 0 ? least : ALONE_CHUNKS * least;
  if (share < worth) share = worth;
  if (most > share) most = share;
  if (line_bytes == 0 || !tsr__world_is_host(world)) return most;
  const int64_t few = LEAST_LINES * LINE_BYTES / line_bytes + 1;
  const int64_t beside = points_beside(plan, g), piece = beside > few ? beside : few;
  return (most < n ? most : n) / 2 >= piece ? piece : most;
}

/* Makes a chain of one group. */
static void cut_group(tsr_plan *plan, int32_t index)
{
  const tsr_config *config = &plan->scheduler->world->config;
  tsr_group *g = &plan->groups[index];
  tsr_chain *chain = &plan->chains[index];
  cutting x = {.plan = plan, .g = g, .chain = chain};
  *chain = (tsr_chain){.first_group = index, .n_groups = 1, .ndim = g->ndim};
  g->chain = index;
  if (tsr__box_is_empty(&g->part)) return;
  const int64_t n = tsr__box_volume(&g->part) * g->accesses.weight;
  int64_t most = points_of_chunk(plan, g);
  if (n / most > MOST_CHUNKS) most = n / MOST_CHUNKS + 1;
  most = most > g->accesses.weight ? most / g->accesses.weight : 1;
  if (!plan->in_line && tsr__is_throttled(g))
    cut_task(&x, config->chunk_bytes < 4096 ? MAX_CHUNKS
                                            : 4 * plan->scheduler->world->machine->n_threads);
  else
    cut_seams(&x, &g->part, plan->in_line ? 0 : most);
}

void tsr__plan_chunks(tsr_plan *plan)
{
  const tsr_config *config = &plan->scheduler->world->config;
  for (int32_t i = 0; i < plan->n_groups; i++) {
    tsr_group *g = &plan->groups[i];
    if (tsr__box_is_empty(&g->part)) continue;
    if (!g->is_task) {
      find_stream_stores(plan, g);
      g->footprint.from_memory = is_from_memory(plan, g);
    }
    int64_t work =
        tsr__box_volume(&g->part) * g->accesses.weight * (g->accesses.kernel->n_instrs + 1);
    if (plan->work < work) plan->work = work;
  }
  plan->in_line = plan->n_messages == 0 && plan->work <= config->inline_elems;
  for (int32_t i = 0; i < plan->n_reductions; i++)
    if (plan->reductions[i].spread != TSR_SPREAD_LOCAL) plan->in_line = false;

  plan->n_chains = plan->n_groups;
  plan->chains = tsr__arena_calloc(plan->scratch, (size_t)plan->n_chains + 1, sizeof *plan->chains);
  for (int32_t i = 0; i < plan->n_groups; i++) cut_group(plan, i);
}
