/* Partials: the values of a reduction over part of its domain. A box of values rises through the
 * tree in place, level by level. Nodes that cannot rise, because their sibling is not in the box,
 * stay behind as a slab. Slabs merge with their siblings when these arrive, and rise further.
 *
 * Invariant between calls: no stuck slab has a sibling in the store, so every value kept is a
 * maximal whole node. The order of arrival decides how the nodes are boxed, but not which nodes
 * there are, nor their values. */
#include "kernel/reduce/reduce_int.h"
#include "runtime/base/error.h"
#include "runtime/base/walk.h"
#include "runtime/base/alloc.h"
#include "runtime/base/arena.h"

#include <stdlib.h>
#include <string.h>

static void forget_kinds(tsr_partials *p)
{
  for (int level = 0; level < p->tree.n_levels; level++) p->kinds[level].n = 0;
}

static void set_kept(tsr_partials *p, const tsr_box *kept_box)
{
  TSR_ASSERT(kept_box->ndim == p->tree.ndim);
  p->kept_box = *kept_box;
  p->kept_volume = 1;
  for (int k = 0; k < p->tree.ndim; k++)
    if (!(p->tree.axes_mask >> k & 1)) p->kept_volume *= kept_box->n[k];
}

static void set_tree(tsr_partials *p, const tsr_tree *tree, const tsr_box *kept_box)
{
  p->tree = *tree;
  set_kept(p, kept_box);
  uint8_t used[TSR_MAX_NDIM] = {0};
  for (int level = 0; level < tree->n_levels; level++)
    p->shift[level] = used[tree->level_axis[level]]++;
  p->kinds = tsr__realloc(p->kinds, (size_t)(tree->n_levels + 1) * sizeof *p->kinds);
  forget_kinds(p);
}

tsr_partials *tsr__partials_create(const tsr_tree *tree, tsr_reduction op, tsr_dtype compute,
                                   const tsr_box *kept_box, tsr_memory *large)
{
  tsr_partials *p = tsr__calloc(1, sizeof *p);
  p->op = op;
  p->compute = compute;
  p->large = large;
  p->loops = tsr__reduce_loops(op, compute);
  TSR_ASSERT(p->loops != NULL);
  p->value_bytes = tsr__dtype_size(compute);
  p->has_index = tsr__reduce_has_index(op);
  set_tree(p, tree, kept_box);
  return p;
}

void tsr__partials_resize(tsr_partials *p, const tsr_tree *tree, const tsr_box *kept_box)
{
  TSR_ASSERT(p->stuck.n == 0 && p->root == NULL && tree->axes_mask == p->tree.axes_mask);
  const size_t n_levels = (size_t)tree->n_levels;
  if (tree->ndim != p->tree.ndim || tree->n_levels != p->tree.n_levels ||
      memcmp(tree->level_axis, p->tree.level_axis, n_levels) != 0) {
    set_tree(p, tree, kept_box);
    return;
  }
  memcpy(p->tree.shape, tree->shape, (size_t)tree->ndim * sizeof *tree->shape);
  set_kept(p, kept_box);
  forget_kinds(p);
}

void tsr__partials_destroy(tsr_partials *p)
{
  if (!p) return;
  uint32_t at = 0;
  for (tsr_slab *s; (s = tsr__table_each(&p->stuck, &at)) != NULL;) tsr__slabs_free(p, s);
  tsr__table_free(&p->stuck);
  for (int c = 0; c < TSR__SLAB_CLASSES; c++) tsr__slabs_free(p, p->free[c]);
  tsr__slabs_free(p, p->root);
  tsr__partials_destroy(p->seen);
  tsr__arena_destroy(&p->scratch);
  free(p->kinds);
  free(p->index);
  free(p);
}

static void release_list(tsr_partials *p, tsr_slab *s)
{
  for (tsr_slab *next; s; s = next) {
    next = s->next;
    tsr__slab_release(p, s);
  }
}

void tsr__partials_clear(tsr_partials *p)
{
  uint32_t at = 0;
  for (tsr_slab *s; p->stuck.n > 0 && (s = tsr__table_each(&p->stuck, &at)) != NULL;)
    tsr__slab_release(p, s);
  tsr__table_clear(&p->stuck);
  forget_kinds(p);
  release_list(p, p->root);
  p->root = NULL;
  p->whole = NULL;
  for (int c = TSR__SLAB_CLASSES_POOLED; c < TSR__SLAB_CLASSES && p->has_large; c++) {
    tsr__slabs_free(p, p->free[c]);
    p->free[c] = NULL;
  }
  p->has_large = false;
}

/* MANY: rows shorter than this that are no power of two rise one level at a time, all rows in one
 * call. LEAST_ROW: rows that are combined column by column rise several levels at once if they are
 * no shorter. */
enum { MANY = 1 << TSR__TREE_LEVELS, LEAST_ROW = 16 };

/* A box of nodes that rises: its values and, for argmin and argmax, their flat indices. The leaves
 * of a caller's box have no indices (index NULL); the first step makes them. Each step reads
 * `values` and writes `scratch`, which then holds the values. `scratch` may be `values` or other
 * memory. */
typedef struct riser {
  int level;
  int64_t lo[TSR_MAX_NDIM], n[TSR_MAX_NDIM];
  const char *values;
  char *scratch; /* memory for the values of the next level */
  int64_t *index;
} riser;

/* The box as rows: n_outer x n_mid nodes on the level's axis x n_inner. */
typedef struct rows {
  int axis;
  int64_t n_outer, n_mid, n_inner;
} rows;

static rows rows_of(const tsr_partials *p, const riser *r)
{
  TSR_ASSERT(r->level >= 0 && r->level < p->tree.n_levels);
  rows v = {.axis = p->tree.level_axis[r->level], .n_outer = 1, .n_inner = 1};
  for (int k = 0; k < v.axis; k++) v.n_outer *= r->n[k];
  for (int k = v.axis + 1; k < p->tree.ndim; k++) v.n_inner *= r->n[k];
  v.n_mid = r->n[v.axis];
  return v;
}

/* Writes the flat index of every leaf of the box (lo, n), in row-major order. */
static void fill_index(const tsr_partials *p, const int64_t *lo, const int64_t *n, int64_t *out)
{
  int64_t step[TSR_MAX_NDIM], row = 0;
  int last = p->tree.ndim - 1;
  tsr__tree_flat_steps(&p->tree, step);
  for (int k = 0; k <= last; k++) row += lo[k] * step[k];
  int64_t n_row = last >= 0 ? n[last] : 1, row_step = last >= 0 ? step[last] : 0;
  tsr_walk w = tsr__walk_rows(last, n);
  for (;;) {
    for (int64_t i = 0; i < n_row; i++) *out++ = row + i * row_step;
    const int k = tsr__walk_next(&w);
    if (k < 0) return;
    row += tsr__walk_change(&w, k, step);
  }
}

static int64_t *index_scratch(tsr_partials *p, int64_t n)
{
  if (n > p->index_capacity) {
    free(p->index);
    p->index = tsr__malloc((size_t)n * sizeof *p->index);
    p->index_capacity = n;
  }
  return p->index;
}

static bool needs_index(const tsr_partials *p, const riser *r)
{
  return p->has_index && !r->index;
}

static void make_index(tsr_partials *p, riser *r)
{
  r->index = index_scratch(p, tsr__slab_volume(p, r->n));
  fill_index(p, r->lo, r->n, r->index);
}

static void push_todo(tsr_partials *p, tsr_slab *s)
{
  s->next = p->todo;
  p->todo = s;
}

/* Leaves nodes [first, first + count) of the level's axis behind as a slab, which may rise
 * later. */
static void leave_behind(tsr_partials *p, const riser *r, const rows *v, int64_t first,
                         int64_t count)
{
  int64_t lo[TSR_MAX_NDIM], n[TSR_MAX_NDIM];
  TSR_ASSERT(count > 0 && first >= r->lo[v->axis] &&
             first + count <= r->lo[v->axis] + r->n[v->axis]);
  memcpy(lo, r->lo, sizeof lo);
  memcpy(n, r->n, sizeof n);
  lo[v->axis] = first;
  n[v->axis] = count;
  tsr_slab *s = tsr__slab_new(p, r->level, lo, n);
  size_t from = (size_t)((first - r->lo[v->axis]) * v->n_inner), run = (size_t)(count * v->n_inner);
  size_t stride = (size_t)(v->n_mid * v->n_inner), bytes = p->value_bytes;
  for (size_t o = 0; o < (size_t)v->n_outer && bytes > 0; o++) {
    memcpy(s->values + o * run * bytes, r->values + (o * stride + from) * bytes, run * bytes);
    if (r->index) memcpy(s->index + o * run, r->index + o * stride + from, run * sizeof(int64_t));
  }
  if (needs_index(p, r)) fill_index(p, lo, n, s->index);
  push_todo(p, s);
}

/* Raises the box by one level. The box has at least two nodes on the level's axis. */
static void rise_one(tsr_partials *p, riser *r, const rows *v)
{
  int64_t lo = r->lo[v->axis], hi = lo + v->n_mid;
  int64_t n_nodes = tsr__tree_n_nodes(&p->tree, v->axis, p->shift[r->level]);
  bool head = lo & 1, tail = (hi & 1) && hi < n_nodes;
  TSR_ASSERT(v->n_mid >= 2 && hi <= n_nodes);
  if (head) leave_behind(p, r, v, lo, 1);
  if (tail) leave_behind(p, r, v, hi - 1, 1);
  int64_t n_mid = v->n_mid - head - tail, n_up = n_mid / 2 + (n_mid & 1);
  tsr_reduce_rows g = {v->n_outer, v->n_mid * v->n_inner, n_mid, v->n_inner};
  if (n_mid == v->n_mid && !(n_mid & 1)) { /* rows without gaps are one row */
    g.n *= g.n_rows;
    g.n_rows = 1;
  }
  size_t from = head ? (size_t)v->n_inner : 0;
  if (n_mid > 0)
    p->loops->pairs(r->scratch, r->index, r->values + from * p->value_bytes,
                    r->index ? r->index + from : NULL, &g);
  r->values = r->scratch;
  r->lo[v->axis] = (lo + head) >> 1;
  r->n[v->axis] = n_up;
  r->level++;
}

/* The loop of rise_many over rows that are combined column by column. */
static void combine_rows(tsr_partials *p, riser *r, const rows *v, int levels, int64_t skip,
                         int64_t n_mid, int64_t n_up)
{
  const size_t row = (size_t)v->n_inner * p->value_bytes;
  TSR_ASSERT(levels >= 1 && levels <= TSR__ROW_LEVELS && r->index == NULL);
  for (int64_t o = 0; o < v->n_outer && p->value_bytes > 0; o++)
    p->loops->rows(r->scratch + (size_t)(o * n_up) * row,
                   r->values + (size_t)(o * v->n_mid + skip) * row, n_mid, v->n_inner, levels);
}

/* The loop of rise_many: in each row, nodes [skip, skip + n_mid) of the box become n_up nodes. */
static void combine_subtrees(tsr_partials *p, riser *r, const rows *v, int levels, int64_t skip,
                             int64_t n_mid, int64_t n_up)
{
  TSR_ASSERT(levels >= 1 && (levels <= TSR__TREE_LEVELS || p->loops->any_levels) &&
             skip + n_mid <= v->n_mid);
  bool whole = n_mid == v->n_mid && n_mid == n_up << levels; /* rows without gaps are one row */
  int64_t n_calls = p->value_bytes == 0 ? 0 : whole ? 1 : v->n_outer;
  if (whole) n_mid *= v->n_outer;
  for (int64_t o = 0; o < n_calls; o++) {
    size_t from = (size_t)(o * v->n_mid + skip), to = (size_t)(o * n_up);
    int64_t *to_i = r->index ? r->index + to : NULL, *from_i = r->index ? r->index + from : NULL;
    p->loops->tree(r->scratch + to * p->value_bytes, to_i, r->values + from * p->value_bytes,
                   from_i, n_mid, levels);
  }
}

/* Does the same as combine_subtrees for leaves that have no indices yet. `first` is the index of
 * the first leaf on the axis. */
static void combine_leaves(tsr_partials *p, riser *r, const rows *v, int levels, int64_t first,
                           int64_t n_mid, int64_t n_up)
{
  int64_t step[TSR_MAX_NDIM];
  tsr__tree_flat_steps(&p->tree, step);
  TSR_ASSERT(r->level == 0 && p->loops->leaves);
  int64_t *index = index_scratch(p, v->n_outer * n_up), flat = first * step[v->axis];
  for (int k = 0; k < v->axis; k++) flat += r->lo[k] * step[k];
  tsr_walk outer = tsr__walk_rows(v->axis, r->n);
  for (int64_t o = 0; o < v->n_outer; o++) {
    size_t from = (size_t)(o * v->n_mid + first - r->lo[v->axis]), to = (size_t)(o * n_up);
    p->loops->leaves(r->scratch + to * p->value_bytes, index + to,
                     r->values + from * p->value_bytes, n_mid, levels, flat, step[v->axis]);
    const int k = tsr__walk_next(&outer);
    if (k >= 0) flat += tsr__walk_change(&outer, k, step);
  }
  r->index = index;
}

/* Raises nodes by several levels at once: whole subtrees of 2^levels nodes, and the last
 * one of the shape, whole or not. The nodes before and after them are left behind. Returns false,
 * having done nothing, if there is no such subtree. */
static bool rise_many(tsr_partials *p, riser *r, const rows *v, int levels)
{
  int64_t lo = r->lo[v->axis], hi = lo + v->n_mid;
  int64_t n_nodes = tsr__tree_n_nodes(&p->tree, v->axis, p->shift[r->level]);
  int64_t first = lo - 1 < 0 ? 0 : (((lo - 1) >> levels) + 1) << levels;
  int64_t end = hi == n_nodes ? hi : hi >> levels << levels;
  if (first >= end) return false;
  if (first > lo) leave_behind(p, r, v, lo, first - lo);
  if (end < hi) leave_behind(p, r, v, end, hi - end);
  int64_t n_up = ((end - first - 1) >> levels) + 1;
  if (v->n_inner > 1)
    combine_rows(p, r, v, levels, first - lo, end - first, n_up);
  else if (needs_index(p, r))
    combine_leaves(p, r, v, levels, first, end - first, n_up);
  else
    combine_subtrees(p, r, v, levels, first - lo, end - first, n_up);
  r->values = r->scratch;
  r->lo[v->axis] = first >> levels;
  r->n[v->axis] = n_up;
  r->level += levels;
  return true;
}

/* Returns how many levels nodes rise at once. Where the order does not matter, rows of contiguous
 * nodes that are whole subtrees rise all levels that they have of the axis. */
static int levels_at_once(const tsr_partials *p, const riser *r, const rows *v)
{
  if (v->n_inner != 1)
    return p->loops->rows == NULL || v->n_mid < 4 || v->n_inner < LEAST_ROW
               ? 1
               : tsr__tree_n_equal_levels(&p->tree, r->level, TSR__ROW_LEVELS);
  const int64_t lo = r->lo[v->axis], hi = lo + v->n_mid;
  const int64_t n_nodes = tsr__tree_n_nodes(&p->tree, v->axis, p->shift[r->level]);
  const int all = tsr__tree_n_equal_levels(&p->tree, r->level, 62);
  const int few = all < TSR__TREE_LEVELS ? all : TSR__TREE_LEVELS;
  for (int levels = all; p->loops->any_levels && levels >= few; levels--) {
    const int64_t mask = ((int64_t)1 << levels) - 1;
    if ((lo & mask) == 0 && ((hi & mask) == 0 || hi == n_nodes)) return levels;
  }
  const bool dense = v->n_mid >= MANY || (v->n_mid & (v->n_mid - 1)) == 0;
  return dense ? few : 1;
}

/* Raises a box as far as its own nodes allow. Returns false if none of them remain in r. */
static bool rise(tsr_partials *p, riser *r)
{
  while (r->level < p->tree.n_levels) {
    rows v = rows_of(p, r);
    int64_t lo = r->lo[v.axis];
    if (v.n_mid == 1) {
      if (needs_index(p, r)) make_index(p, r);
      int64_t n_nodes = tsr__tree_n_nodes(&p->tree, v.axis, p->shift[r->level]);
      if ((lo & 1) || lo + 1 < n_nodes) return true; /* the sibling is elsewhere */
      r->lo[v.axis] = lo >> 1;
      r->level++;
      continue;
    }
    const int levels = levels_at_once(p, r, &v);
    if (levels > 1 && rise_many(p, r, &v, levels)) continue;
    if (needs_index(p, r)) make_index(p, r);
    rise_one(p, r, &v);
    if (r->n[v.axis] == 0) return false;
  }
  if (needs_index(p, r)) make_index(p, r);
  return true;
}

/* dst := left op right. dst is one of them or a third; all have the same volume. */
static void combine_slabs(tsr_partials *p, tsr_slab *dst, const tsr_slab *left,
                          const tsr_slab *right)
{
  TSR_ASSERT(left->volume == dst->volume && right->volume == dst->volume);
  p->loops->combine(dst->values, dst->index, left->values, left->index, right->values, right->index,
                    dst->volume);
}

/* Merges the sibling slabs s and t where they meet. The parent and the rest of s go to the todo
 * list; the rest of t, which meets no other sibling, is stored. Consumes both. */
static void merge_siblings(tsr_partials *p, tsr_slab *s, tsr_slab *t)
{
  int axis = p->tree.level_axis[s->level];
  int64_t lo[TSR_MAX_NDIM], n[TSR_MAX_NDIM];
  tsr_slab *rest = NULL;
  const bool meet = tsr__slab_common(p, s, t, axis, lo, n);
  TSR_ASSERT(meet && s->level == t->level && (s->lo[axis] ^ 1) == t->lo[axis]);
  int64_t s_at = s->lo[axis], t_at = t->lo[axis], volume = tsr__slab_volume(p, n);
  if (t->volume != volume) {
    lo[axis] = t_at;
    tsr_slab *common = tsr__slab_cut(p, t, lo, n);
    tsr__slab_cut_outside(p, t, lo, n, &rest);
    for (tsr_slab *next; rest; rest = next) {
      next = rest->next;
      tsr__slab_store(p, rest);
    }
    tsr__slab_release(p, t);
    t = common;
  }
  if (s->volume != volume) {
    lo[axis] = s_at;
    tsr_slab *common = tsr__slab_cut(p, s, lo, n);
    tsr__slab_cut_outside(p, s, lo, n, &p->todo);
    tsr__slab_release(p, s);
    s = common;
  }
  if (s_at < t_at)
    combine_slabs(p, s, s, t);
  else
    combine_slabs(p, s, t, s);
  tsr__slab_release(p, t);
  s->lo[axis] = s_at >> 1;
  s->level++;
  push_todo(p, s);
}

/* Adds a slab that cannot rise on its own to the root's pieces, merges it with its sibling, or
 * stores it until the sibling arrives. */
static void settle_slab(tsr_partials *p, tsr_slab *s)
{
  if (s->level == p->tree.n_levels) {
    s->next = p->root;
    p->root = s;
    return;
  }
  tsr_slab *t = tsr__slab_take_meeting(p, s, tsr__slab_coordinate(p, s) ^ 1);
  if (t)
    merge_siblings(p, s, t);
  else
    tsr__slab_store(p, tsr__slab_fit(p, s));
}

static void settle_todo(tsr_partials *p)
{
  while (p->todo) {
    tsr_slab *s = p->todo;
    p->todo = s->next;
    riser r = {.level = s->level, .values = s->values, .scratch = s->values, .index = s->index};
    memcpy(r.lo, s->lo, sizeof r.lo);
    memcpy(r.n, s->n, sizeof r.n);
    if (!rise(p, &r)) {
      tsr__slab_release(p, s);
      continue;
    }
    s->level = r.level;
    s->volume = tsr__slab_volume(p, r.n);
    memcpy(s->lo, r.lo, sizeof r.lo);
    memcpy(s->n, r.n, sizeof r.n);
    settle_slab(p, s);
  }
}

void tsr__partials_put(tsr_partials *p, tsr_slab *s)
{
  push_todo(p, s);
  settle_todo(p);
}

bool tsr__partials_box_is_inside(const tsr_partials *p, const tsr_box *box)
{
  if (box->ndim != p->tree.ndim) return false;
  for (int k = 0; k < box->ndim; k++) {
    bool reduced = p->tree.axes_mask >> k & 1;
    int64_t lo = reduced ? 0 : p->kept_box.lo[k];
    int64_t n = reduced ? p->tree.shape[k] : p->kept_box.n[k];
    if (box->step[k] != 1 || box->lo[k] < lo || box->n[k] > n || box->lo[k] - lo > n - box->n[k])
      return false;
  }
  return true;
}

void tsr__partials_expect_whole(tsr_partials *p, void *out)
{
  TSR_ASSERT(p->stuck.n == 0 && p->root == NULL);
  p->whole = out;
}

/* Writes the result of a box that has risen to the root. */
static void write_whole(tsr_partials *p, const riser *r)
{
  const size_t bytes = p->has_index ? sizeof *r->index : p->value_bytes;
  TSR_ASSERT(r->level == p->tree.n_levels);
  memcpy(p->whole, p->has_index ? (const void *)r->index : r->values,
         (size_t)tsr__slab_volume(p, r->n) * bytes);
  p->whole = NULL;
}

void tsr__partials_add_nodes(tsr_partials *p, int level, const int64_t *lo, const int64_t *n,
                             const void *values, void *scratch)
{
  TSR_ASSERT(level >= 0 && level <= p->tree.n_levels);
  riser r = {.level = level, .values = values, .scratch = scratch};
  memcpy(r.lo, lo, sizeof r.lo);
  memcpy(r.n, n, sizeof r.n);
  if (rise(p, &r)) {
    if (p->whole != NULL) {
      write_whole(p, &r);
      return;
    }
    tsr_slab *s = tsr__slab_new(p, r.level, r.lo, r.n);
    memcpy(s->values, r.values, (size_t)s->volume * p->value_bytes);
    if (s->index) memcpy(s->index, r.index, (size_t)s->volume * sizeof(int64_t));
    settle_slab(p, s);
  }
  settle_todo(p);
}

tsr_status tsr__partials_add_risen(tsr_partials *p, int level, const int64_t *lo, const int64_t *n,
                                   const void *values, const int64_t *indices)
{
  TSR_ASSERT(level == 0 || indices != NULL || !p->has_index);
  if (level < 0 || level > p->tree.n_levels) return TSR_ERR_INTERNAL;
  for (int k = 0; k < p->tree.ndim; k++)
    if (n[k] <= 0) return TSR_OK;
  tsr_slab *s = tsr__slab_new(p, level, lo, n);
  memcpy(s->values, values, (size_t)s->volume * p->value_bytes);
  if (s->index && indices) memcpy(s->index, indices, (size_t)s->volume * sizeof(int64_t));
  if (s->index && !indices) fill_index(p, lo, n, s->index);
  tsr__partials_put(p, s);
  return TSR_OK;
}

tsr_status tsr__partials_add(tsr_partials *p, const tsr_box *box, const void *values, void *scratch)
{
  if (tsr__box_is_empty(box)) return TSR_OK;
  if (!tsr__partials_box_is_inside(p, box)) return TSR_ERR_INTERNAL;
  tsr__partials_add_nodes(p, 0, box->lo, box->n, values, scratch);
  return TSR_OK;
}

/* Returns a slab without values for the whole kept box at the root, into which pieces are
 * copied. */
static tsr_slab root_frame(const tsr_partials *p)
{
  tsr_slab frame = {.level = p->tree.n_levels, .volume = p->kept_volume};
  for (int k = 0; k < p->tree.ndim; k++) {
    bool reduced = p->tree.axes_mask >> k & 1;
    frame.lo[k] = reduced ? 0 : p->kept_box.lo[k];
    frame.n[k] = reduced ? 1 : p->kept_box.n[k];
  }
  return frame;
}

tsr_status tsr__partials_finish(const tsr_partials *p, void *out)
{
  int64_t volume = 0;
  for (const tsr_slab *s = p->root; s; s = s->next) volume += s->volume;
  if (p->stuck.n != 0 || volume != p->kept_volume) return TSR_ERR_INTERNAL;
  size_t bytes = p->has_index ? sizeof(int64_t) : p->value_bytes;
  if (p->root && !p->root->next) { /* one piece is the whole kept box */
    memcpy(out, p->has_index ? (const void *)p->root->index : p->root->values,
           (size_t)volume * bytes);
    return TSR_OK;
  }
  tsr_slab frame = root_frame(p);
  for (const tsr_slab *s = p->root; s; s = s->next) {
    const void *values = p->has_index ? (const void *)s->index : s->values;
    tsr__slab_copy_array(p, &frame, out, s, values, bytes);
  }
  return TSR_OK;
}
