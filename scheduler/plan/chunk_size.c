/* Chunk sizes. They have one objective: what is touched and read again stays in a cache until then.
 *
 * A chunk of n points has
 *
 *     points = min(held * larger, max(share, worth)),
 *
 *   held     what TESSERA_CHUNK_BYTES hold, since a task of a later group reads it again; no fewer
 *            than what is worth a task, and than one of WISHED_CHUNKS, whose dependencies take time
 *   larger   1, or more where less than all of that is read again (`kinds`)
 *   share    one of the few chunks that each thread gets, so that none runs out of work early
 *   worth    what takes longer to run than to hand over
 *
 * Two more things are read again:
 *   - what the chunk's own loads reach, slab by slab: it is narrow along axis 1 (narrow_length), so
 *     that slabs within reach of each other stay in half of the second-level cache;
 *   - what lies beside a border, whose points have cache lines of their own: its chunk is as long
 *     as those of the step beside it (points_beside).
 *
 * What a device launches is one chunk. A library's task has few, as it reads again within a chunk
 * (find_task_steps). Steps are powers of two, so that reductions find whole subtrees, and whole vectors
 * along the last axis. */
#include "scheduler/plan/chunk_size.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/placement.h"

#include <string.h>

enum {
  LINE_BYTES = 64,
  TINY_BYTES = 4096, /* chunks of fewer bytes are a test's wish, and nothing but these counts */
  /* What a task costs: */
  WISHED_CHUNKS = 128,     /* per group: bounds the cost of the dependency pass */
  LIMIT_CHUNKS = 65536,    /* of any group, whatever the settings ask for */
  MIN_CHUNK_ELEMS = 16384, /* a smaller task costs more to hand over than to run */
  MIN_CHUNK_LINES = 2048,  /* the same, where every point has cache lines of its own */
  LEAST_LINES = 128,       /* the same, where the step beside it waits for the chunk */
  MIN_TASK_WORK = 1 << 18, /* the same, points of a library task's domain */
  SHARES = 4,              /* chunks for each thread, so that none runs out of work early */
  GRAIN_SHARES = 2,        /* the same, of tasks that are worth it although they are short */
  ALONE_FACTOR = 8,        /* factor for one thread, which has nobody to hand over to */
  /* What leaves nothing to be read again, and by how much its chunks may be larger: */
  PRODUCT_FACTOR = 4, /* sums of products: the factor of what is worth a task; its square of all */
  REDUCTION_FACTOR = 4, /* reductions along rows */
  DEVICE_FACTOR = 4,    /* on a device, where a chunk is brought over and launched at once */
  /* What narrow chunks are worth: */
  LEAST_REACHES = 4, /* length, in units of the reach along the axis: what two boxes both load */
  LEAST_LAST = 1024, /* the same, in indices, where the axis is the last, contiguous one */
  WHOLE_VECTORS = 64 /* least step along the contiguous axis */
};

/* The largest power of two <= n. */
static int64_t floor_pow2(int64_t n)
{
  int64_t p = 1;
  while (2 * p <= n) p *= 2;
  return p;
}

/* Is one chunk enough, since a device launches it for all of its threads? Not where the program
 * wants the host to run the group, whose threads share its chunks. */
static bool is_one_launch(const tsr_plan *plan, const tsr_group *g)
{
  return g->side != TSR_SIDE_HOST && tsr__is_launched(plan, g);
}

/* The length along axis 1 that keeps slabs within reach of each other in half of the second-level
 * cache. 0: they stay there anyhow, or the length would be so short that what two boxes both load
 * costs more than it saves. */
static int64_t narrow_length(const tsr_plan *plan, const tsr_group *g, const tsr_box *box)
{
  const size_t known = plan->scheduler->world->machine->topology.l2_bytes;
  const int64_t bytes = (int64_t)(known > 0 ? known : (size_t)1 << 20) / 2;
  const int64_t held = bytes / g->footprint.cached_bytes, n = tsr__box_volume(box);
  if (is_one_launch(plan, g)) return 0; /* a device has a cache of its own */
  if (g->ndim < 2 || g->accesses.n_reductions > 0 || box->n[0] < 2 || n <= held) return 0;
  const int64_t reach = tsr__reach_along(g, 0), slab = n / box->n[0], row = slab / box->n[1];
  if (reach == 0 || slab <= held / (reach + 1)) return 0;
  const int64_t length = floor_pow2(held / (reach + 1) / row);
  const int64_t least = g->ndim == 2 ? LEAST_LAST : LEAST_REACHES * tsr__reach_along(g, 1);
  return length < least || length >= box->n[1] ? 0 : length;
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

/* Is the access one row, along axis `row`, for all of the box? */
static bool is_one_row(const tsr_access *a, const tsr_box *box, int row)
{
  const tsr_view *v = &a->view->view;
  for (int d = 0; d < v->rdim; d++)
    for (int k = 0; k < box->ndim; k++)
      if (k != row && box->n[k] > 1 && v->step[d][k] != 0) return false;
  return true;
}

/* Does the group want large chunks? Sums of products do where the rows of both factors lie as their
 * loops read them (kernel/reduce/reduce.h), since nothing is written then; where one row serves
 * all, which is made dense for each chunk; and where one factor is read by columns, since larger
 * chunks use more of its cache lines. Other groups run a kernel, whose chunks fit the caches. */
static bool wants_large(const tsr_plan *plan, const tsr_group *g, const tsr_box *box)
{
  if (g->accesses.factors[0] < 0) return false;
  const tsr_tree *tree = &plan->reductions[g->accesses.first_reduction].tree;
  if (tree->n_levels == 0) return false;
  const int axis = tree->level_axis[0];
  int row = axis;
  bool has_rows = true;
  for (int k = axis + 1; k < g->ndim; k++) {
    if (box->n[k] == 1) continue;
    has_rows = row == axis;
    row = k;
  }
  int64_t x = 0, y = 0;
  if (!step_in_row(&g->accesses.v[g->accesses.factors[0]], row, &x) ||
      !step_in_row(&g->accesses.v[g->accesses.factors[1]], row, &y))
    return true;
  if (!has_rows) return false;
  for (int f = 0; f < 2 && row == axis; f++)
    if ((f == 0 ? y : x) == 1 && is_one_row(&g->accesses.v[g->accesses.factors[f]], box, row))
      return true;
  return (x == 1 && y == 1) || (row != axis && x >= 0 && y >= 0 && x + y == 1);
}

/* Does the group only reduce along rows of what lies in memory? Those are read in place, and 64
 * values become one. */
static bool reduces_rows(const tsr_plan *plan, const tsr_group *g, const tsr_box *box)
{
  if (!g->accesses.only_reduces) return false;
  int row = 0;
  for (int k = 1; k < g->ndim; k++)
    if (box->n[k] > 1) row = k;
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
static int64_t points_beside(const tsr_plan *plan, const tsr_group *g, const tsr_box *box)
{
  int axis = 0;
  if (g->ndim == 0) return INT64_MAX;
  while (axis < g->ndim - 1 && box->n[axis] == 1) axis++;
  for (const tsr_group *h = g - 1; h >= plan->groups; h--)
    for (int32_t i = 0; i < h->accesses.n && tsr__chain_of(plan, h)->n_chunks > 1; i++)
      for (int32_t j = 0; j < g->accesses.n; j++) {
        const tsr_access *a = &h->accesses.v[i], *b = &g->accesses.v[j];
        if (!a->store || a->scratch || b->scratch || a->slot != b->slot) continue;
        const int64_t longest = longest_chunk(plan, h, a, dimension_of(&b->view->view, axis));
        if (longest > 0) return longest * (tsr__box_volume(box) / box->n[axis]);
      }
  return INT64_MAX;
}

static bool runs_on_device(const tsr_plan *plan, const tsr_group *g, const tsr_box *box)
{
  (void)g;
  (void)box;
  return !tsr__world_is_host(plan->scheduler->world);
}

static bool has_one_thread(const tsr_plan *plan, const tsr_group *g, const tsr_box *box)
{
  (void)box;
  return plan->scheduler->world->machine->n_threads == 1 && g->footprint.line_bytes == 0;
}

/* Is the group all that one thread's plan does? Values that are reduced lie in a cache between a
 * kernel and the tree. */
static bool leaves_nothing(const tsr_plan *plan, const tsr_group *g, const tsr_box *box)
{
  return has_one_thread(plan, g, box) && plan->n_groups == 1 && g->accesses.n_reductions == 0 &&
         !g->is_task && !g->is_user;
}

/** Groups that want more than what a cache holds in a chunk, and how many times: since nobody reads
 * all of it again, or since handing over costs more. A group may be of several kinds. */
static const struct kind {
  bool (*is)(const tsr_plan *plan, const tsr_group *g, const tsr_box *box);
  int32_t larger, worth;
} kinds[] = {
    {runs_on_device, DEVICE_FACTOR, 1}, /* a chunk is brought over and launched at once */
    {wants_large, PRODUCT_FACTOR *PRODUCT_FACTOR,
     PRODUCT_FACTOR},                    /* sums of products write nothing */
    {reduces_rows, REDUCTION_FACTOR, 1}, /* rows are read in place, and 64 values become one */
    {has_one_thread, 1, ALONE_FACTOR},   /* there is nobody to hand over to */
    {leaves_nothing, ALONE_FACTOR, 1},   /* nobody comes after it */
};

/* The points that are worth a task. */
static int64_t worth_of(const tsr_group *g)
{
  const int64_t line_bytes = g->footprint.line_bytes;
  if (g->grain > 0) return g->grain * g->accesses.weight;
  return line_bytes > 0 ? MIN_CHUNK_LINES * LINE_BYTES / line_bytes + 1 : MIN_CHUNK_ELEMS;
}

/* The most points of a chunk. */
static int64_t points_of_chunk(const tsr_plan *plan, const tsr_group *g, const tsr_box *box)
{
  const tsr_world *world = plan->scheduler->world;
  const tsr_footprint *f = &g->footprint;
  const bool has_lines = f->line_bytes > 0;
  const int64_t n = tsr__box_volume(box) * g->accesses.weight, bytes = world->config.chunk_bytes;
  const int64_t held = bytes / (has_lines ? f->line_bytes : f->point_bytes);
  if (bytes < TINY_BYTES) return held > 1 ? held : 1;
  if (is_one_launch(plan, g)) return n > 1 ? n : 1;

  int64_t worth = worth_of(g), most = held > worth ? held : worth;
  if (n / most > WISHED_CHUNKS && g->accesses.n_reductions == 0) most = n / WISHED_CHUNKS + 1;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (!kinds[i].is(plan, g, box)) continue;
    most *= kinds[i].larger;
    worth *= kinds[i].worth;
  }
  const int64_t n_shares = (g->grain > 0 ? GRAIN_SHARES : SHARES) * world->machine->n_threads;
  const int64_t share = n / n_shares + 1, fair = share > worth ? share : worth;
  if (most > fair) most = fair;
  if (!has_lines || !tsr__world_is_host(world)) return most;

  const int64_t few = LEAST_LINES * LINE_BYTES / f->line_bytes + 1;
  const int64_t beside = points_beside(plan, g, box), piece = beside > few ? beside : few;
  return (most < n ? most : n) / 2 >= piece ? piece : most;
}

/* The steps in which the part of a library's task is cut, multiples of its grain: few chunks,
 * since a larger one uses what it reads more often, but enough for all threads. Axes that the
 * result lacks stay whole. */
static void find_task_steps(const tsr_plan *plan, const tsr_group *g, int64_t *step)
{
  const tsr_world *world = plan->scheduler->world;
  const bool tiny = world->config.chunk_bytes < TINY_BYTES;
  int64_t most_chunks = tiny ? WISHED_CHUNKS : SHARES * world->machine->n_threads;
  if (!tiny && is_one_launch(plan, g)) most_chunks = 1; /* for all threads of a device */
  const tsr_box *part = &g->part;
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
}

tsr_chunk_size tsr__chunk_size(const tsr_plan *plan, const tsr_group *g, const tsr_box *box)
{
  tsr_chunk_size size = {.least_last = g->footprint.line_bytes > 0 ? 1 : WHOLE_VECTORS,
                         .whole = g->whole};
  if (g->grain > 0 && g->grain < size.least_last) size.least_last = g->grain;
  if (plan->in_line) return size;
  if (tsr__is_throttled(g)) {
    size.is_library = true;
    find_task_steps(plan, g, size.task_step);
    return size;
  }
  const int64_t n = tsr__box_volume(box) * g->accesses.weight;
  size.points = points_of_chunk(plan, g, box);
  if (n / size.points > LIMIT_CHUNKS) size.points = n / LIMIT_CHUNKS + 1;
  size.points = size.points > g->accesses.weight ? size.points / g->accesses.weight : 1;
  size.narrow = g->whole == 0 ? narrow_length(plan, g, box) : 0;
  return size;
}

/* Narrow boxes: `narrow` long along axis 1, and as long along axis 0 as `points` allow. */
static void narrow_steps(const tsr_chunk_size *size, const tsr_box *box, int64_t *step)
{
  const int64_t points = size->narrow * (tsr__box_volume(box) / box->n[0] / box->n[1]);
  step[0] = points >= size->points ? 1 : floor_pow2(size->points / points);
  step[1] = size->narrow;
}

void tsr__chunk_steps(const tsr_chunk_size *size, const tsr_box *box, bool is_rim, int64_t *step)
{
  int64_t n = tsr__box_volume(box);
  TSR_ASSERT(n > 0 && size->points >= 0 && size->least_last > 0);
  memset(step, 0, TSR_MAX_NDIM * sizeof *step);
  if (size->is_library) {
    memcpy(step, size->task_step, (size_t)box->ndim * sizeof *step);
    return;
  }
  if (size->points == 0) return;
  if (size->narrow > 0 && !is_rim) {
    narrow_steps(size, box, step);
    return;
  }
  for (int axis = 0; axis < box->ndim && n > size->points; axis++) {
    if (box->n[axis] == 1 || (size->whole >> axis & 1)) continue;
    const int64_t row = n / box->n[axis];
    step[axis] = row >= size->points ? 1 : floor_pow2(size->points / row);
    if (axis == box->ndim - 1 && step[axis] < size->least_last) step[axis] = size->least_last;
    if (row <= size->points) break;
    n = row; /* a row is cut along the next axis */
  }
}
