/* Sums of what lies in memory otherwise than the tree takes it: of products of two arrays, and of
 * integers of few bits. The lowest levels of the tree are computed from these as they lie, and their
 * nodes rise as all others do (partials.c). So a product of a matrix and a vector reads the
 * matrix once and writes little. */
#include "kernel/reduce/reduce_int.h"

#include "runtime/base/error.h"
#include "runtime/base/walk.h"

#include <string.h>

enum { LEAST_LEVELS = 3 };

/* How the factors are read: the reduced axis, the later axis along which rows are contiguous (-1:
 * none has more than one point), and the levels. */
typedef struct walk {
  int axis, inner, levels;
} walk;

/* Finds the most levels at which the box consists of whole subtrees of the axis; the last may end
 * with the shape. */
static bool find_levels(const tsr_partials *p, const tsr_box *box, int most, walk *w)
{
  const int64_t lo = box->lo[w->axis], end = lo + box->n[w->axis];
  w->levels = tsr__tree_n_equal_levels(&p->tree, 0, most);
  for (; w->levels >= LEAST_LEVELS; w->levels--) {
    const int64_t mask = ((int64_t)1 << w->levels) - 1;
    if ((lo & mask) == 0 && ((end & mask) == 0 || end == p->tree.shape[w->axis])) return true;
  }
  return false;
}

/* Finds the nodes of the box above the levels. */
static void nodes_of(const tsr_box *box, const walk *w, int64_t *lo, int64_t *n)
{
  for (int k = 0; k < box->ndim; k++) {
    lo[k] = box->lo[k];
    n[k] = box->n[k];
  }
  lo[w->axis] >>= w->levels;
  n[w->axis] = ((n[w->axis] - 1) >> w->levels) + 1;
}

static bool find_walk(const tsr_partials *p, const tsr_box *box, walk *w)
{
  if (p->loops->products == NULL || p->tree.n_levels == 0) return false;
  *w = (walk){.axis = p->tree.level_axis[0], .inner = -1};
  for (int k = w->axis + 1; k < box->ndim; k++) {
    if (box->n[k] == 1) continue;
    if (w->inner >= 0) return false;
    w->inner = k;
  }
  return (w->inner < 0 || p->loops->product_rows != NULL) &&
         find_levels(p, box, w->inner < 0 ? TSR__PRODUCT_LEVELS : TSR__TREE_LEVELS, w);
}

static tsr_factor_rows rows_of(const tsr_factor *f, const walk *w)
{
  return (tsr_factor_rows){f->at, f->stride[w->axis], w->inner >= 0 && f->stride[w->inner] == 0};
}

/* Does the factor have one row, with gaps, for all of at least two? */
static bool is_one_row(const tsr_partials *p, const tsr_box *box, const tsr_factor *f,
                       const walk *w)
{
  int64_t n_rows = 1;
  for (int k = 0; k < w->axis; k++) {
    if (box->n[k] > 1 && f->stride[k] != 0) return false;
    n_rows *= box->n[k];
  }
  return w->inner < 0 && n_rows > 1 && f->stride[w->axis] != (int64_t)p->value_bytes;
}

/* Makes n elements dense; so few instructions that many loads are under way at once. */
static inline void pack_elems(char *to, const char *from, int64_t stride, size_t n, size_t elem)
{
  for (size_t i = 0; i < n; i++, to += elem, from += stride) memcpy(to, from, elem);
}

/* Makes the factor dense if it has one row with gaps, in the end of the scratch: the sums of two
 * rows and more, an eighth of their elements, leave it free. */
static void pack_row(const tsr_partials *p, const tsr_box *box, const walk *w, tsr_factor *f,
                     int64_t *stride, char *scratch)
{
  if (!is_one_row(p, box, f, w)) return;
  const size_t elem = p->value_bytes, n = (size_t)box->n[w->axis];
  char *to = scratch + ((size_t)tsr__box_volume(box) - n) * elem;
  TSR_ASSERT((size_t)tsr__box_volume(box) >= 2 * n && elem % 4 == 0);
  if (elem == 4)
    pack_elems(to, f->at, f->stride[w->axis], n, 4);
  else if (elem == 8)
    pack_elems(to, f->at, f->stride[w->axis], n, 8);
  else
    pack_elems(to, f->at, f->stride[w->axis], n, 16);
  memset(stride, 0, TSR_MAX_NDIM * sizeof *stride);
  stride[w->axis] = (int64_t)elem;
  f->at = to;
  f->stride = stride;
}

static bool fits_factor(const tsr_partials *p, const tsr_box *box, const tsr_factor *f,
                        const walk *w)
{
  const int64_t elem = (int64_t)p->value_bytes;
  if (w->inner < 0) return f->stride[w->axis] == elem || is_one_row(p, box, f, w);
  return f->stride[w->inner] == elem || f->stride[w->inner] == 0;
}

/* Where a factor's next row is expected: behind this one, or, of the only row of a box, as far from
 * it as it is from that of the box before, as where a loop goes through a matrix row by row. */
static const void *next_of(tsr_partials *p, int f, const char *at, int64_t n_bytes, bool is_only)
{
  const uintptr_t before = p->factor[f], here = (uintptr_t)at;
  p->factor[f] = here;
  return (const void *)(before != 0 && is_only ? here + (here - before)
                                               : here + (uintptr_t)n_bytes);
}

/* Sums the rows at one index of the axes before the reduced one. */
static void add_rows(tsr_partials *p, const walk *w, const tsr_product_rows *rows, bool is_only,
                     bool conjugates, bool from_memory, char *to)
{
  TSR_ASSERT(!rows->y.repeats && w->levels >= LEAST_LEVELS);
  if (w->inner >= 0) {
    p->loops->product_rows(to, rows, w->levels);
    return;
  }
  const int64_t n_bytes = rows->n * (int64_t)p->value_bytes;
  const tsr_next_factors next = {next_of(p, 0, rows->x.at, n_bytes, is_only),
                                 next_of(p, 1, rows->y.at, n_bytes, is_only), from_memory};
  (conjugates ? p->loops->conjugates : p->loops->products)(to, rows->x.at, rows->y.at, rows->n,
                                                           w->levels, &next);
}

/* Sums all rows at once, where each is whole, they lie along one axis, and one factor has one row
 * for all. Returns false, having done nothing, if they are not so. */
static bool add_lines(tsr_partials *p, const tsr_box *box, const walk *w, const tsr_factor *factor,
                      bool conjugates, void *scratch)
{
  int outer = -1;
  for (int k = 0; k < w->axis; k++) {
    if (box->n[k] == 1) continue;
    if (outer >= 0) return false;
    outer = k;
  }
  const int all = tsr__tree_n_equal_levels(&p->tree, 0, 62);
  if (w->inner >= 0 || outer < 0 || box->n[outer] < TSR__LEAST_LINES || box->lo[w->axis] != 0 ||
      box->n[w->axis] != p->tree.shape[w->axis] || box->n[w->axis] <= TSR__LEAST_LINES ||
      p->tree.shape[w->axis] > (int64_t)1 << all)
    return false;
  const int shared = !conjugates && factor[0].stride[outer] == 0 ? 0 : 1;
  const tsr_factor *a = &factor[1 - shared], *b = &factor[shared];
  if (b->stride[outer] != 0) return false;
  const tsr_product_lines lines = {.a = a->at,
                                   .b = b->at,
                                   .a_row = a->stride[outer],
                                   .n_rows = box->n[outer],
                                   .n = box->n[w->axis]};
  p->loops->product_lines[conjugates](scratch, &lines);
  walk up = *w;
  up.levels = all;
  int64_t lo[TSR_MAX_NDIM] = {0}, n[TSR_MAX_NDIM] = {0};
  nodes_of(box, &up, lo, n);
  tsr__partials_add_nodes(p, all, lo, n, scratch, scratch);
  return true;
}

bool tsr__partials_add_products(tsr_partials *p, const tsr_box *box, const tsr_factor *x,
                                const tsr_factor *y, bool from_memory, void *scratch)
{
  walk w;
  TSR_ASSERT(!y->conjugates && (!x->conjugates || p->loops->conjugates != NULL));
  if (tsr__box_is_empty(box) || !tsr__partials_box_is_inside(p, box) || !find_walk(p, box, &w) ||
      !fits_factor(p, box, x, &w) || !fits_factor(p, box, y, &w))
    return false;
  if (is_one_row(p, box, x, &w) && is_one_row(p, box, y, &w)) return false;
  tsr_factor dense[2] = {*x, *y};
  int64_t stride[TSR_MAX_NDIM];
  for (int f = 0; f < 2; f++) pack_row(p, box, &w, &dense[f], stride, scratch);
  if (add_lines(p, box, &w, dense, x->conjugates, scratch)) return true;
  const tsr_factor *factor[2] = {&dense[0], &dense[1]};
  if (rows_of(y, &w).repeats) {
    factor[0] = &dense[1];
    factor[1] = &dense[0];
  }
  tsr_product_rows rows = {.x = rows_of(factor[0], &w),
                           .y = rows_of(factor[1], &w),
                           .n = box->n[w.axis],
                           .inner = w.inner < 0 ? 1 : box->n[w.inner]};
  if (rows.y.repeats) return false;
  const bool is_only = tsr__box_volume(box) == rows.n;
  int64_t lo[TSR_MAX_NDIM] = {0}, n[TSR_MAX_NDIM] = {0};
  nodes_of(box, &w, lo, n);
  char *to = scratch;
  tsr_walk outer = tsr__walk_rows(w.axis, box->n);
  for (int k = 0; k >= 0; to += (size_t)(n[w.axis] * rows.inner) * p->value_bytes) {
    add_rows(p, &w, &rows, is_only, x->conjugates, from_memory, to);
    k = tsr__walk_next(&outer);
    if (k < 0) break;
    rows.x.at += tsr__walk_change(&outer, k, factor[0]->stride);
    rows.y.at += tsr__walk_change(&outer, k, factor[1]->stride);
  }
  tsr__partials_add_nodes(p, w.levels, lo, n, scratch, scratch);
  return true;
}

/* Adds whole subtrees of the lowest levels. Returns false if the box consists of others. */
static bool add_narrow_rows(tsr_partials *p, tsr_dtype from, const tsr_box *box, const char *values,
                            int64_t *scratch)
{
  enum { ANY_LEVELS = 62 };
  if (p->tree.n_levels == 0) return false;
  walk w = {.axis = p->tree.level_axis[0]};
  int64_t lo[TSR_MAX_NDIM] = {0}, n[TSR_MAX_NDIM] = {0}, n_outer = 1, inner = 1;
  for (int k = 0; k < w.axis; k++) n_outer *= box->n[k];
  for (int k = w.axis + 1; k < box->ndim; k++) inner *= box->n[k];
  if (!find_levels(p, box, ANY_LEVELS, &w)) return false;
  nodes_of(box, &w, lo, n);
  const int64_t bytes = box->n[w.axis] * inner * (int64_t)tsr__dtype_size(from);
  for (int64_t i = 0; i < n_outer; i++)
    p->loops->narrow[from](scratch + i * n[w.axis] * inner, values + i * bytes, box->n[w.axis],
                           inner, w.levels);
  tsr__partials_add_nodes(p, w.levels, lo, n, scratch, scratch);
  return true;
}

tsr_status tsr__partials_add_narrow(tsr_partials *p, tsr_dtype from, const tsr_box *box,
                                    const void *values, void *scratch)
{
  if (tsr__box_is_empty(box)) return TSR_OK;
  if (!tsr__partials_box_is_inside(p, box)) return TSR_ERR_INTERNAL;
  TSR_ASSERT(tsr__reduce_widens(p->op, p->compute, from));
  if (add_narrow_rows(p, from, box, values, scratch)) return TSR_OK;
  p->loops->narrow[from](scratch, values, tsr__box_volume(box), 1, 0);
  return tsr__partials_add(p, box, scratch, scratch);
}
