/* Views: affine maps from index space to region space. A column belongs to an axis of the view, a
 * row to an axis of the region. A column whose axis has length <= 1 never moves (its index is 0):
 * it counts as having no step wherever that matters. Slicing to a length <= 1 keeps the step as it
 * was, so that steps never grow beyond the region. */
#include "partition/partition_int.h"

#include <stdlib.h>
#include <string.h>

void tsr__view_identity(tsr_view *v, int ndim, const int64_t *shape)
{
  TSR_ASSERT(ndim >= 0 && ndim <= TSR_MAX_NDIM);
  v->ndim = v->rdim = ndim;
  v->reaches = v->bounded = false;
  for (int k = 0; k < ndim; k++) {
    v->shape[k] = shape[k];
    v->offset[k] = 0;
    for (int j = 0; j < ndim; j++) v->step[k][j] = k == j;
  }
}

/* Copies whole rows, whose unused part may be anything: no branch depends on their length. */
void tsr__view_copy(tsr_view *dst, const tsr_view *src)
{
  const int rdim = src->rdim;
  memcpy(dst, src, offsetof(tsr_view, step));
  for (int k = 0; k < rdim; k++) memcpy(dst->step[k], src->step[k], sizeof dst->step[k]);
  for (int k = 0; src->reaches && k < rdim; k++) {
    dst->before[k] = src->before[k];
    dst->after[k] = src->after[k];
    dst->first[k] = src->first[k];
    dst->end[k] = src->end[k];
  }
  for (int j = 0; src->bounded && j < src->ndim; j++) {
    dst->lo[j] = src->lo[j];
    dst->hi[j] = src->hi[j];
  }
}

tsr_box tsr__view_bounds(const tsr_view *v)
{
  return v->bounded ? tsr__box_dense(v->ndim, v->lo, v->hi) : tsr__box_of_shape(v->ndim, v->shape);
}

bool tsr__view_bound(tsr_view *v, const tsr_box *box)
{
  TSR_ASSERT(box->ndim == v->ndim && tsr__box_is_dense(box) && !v->reaches);
  const tsr_box old = tsr__view_bounds(v);
  tsr_box both;
  if (!tsr__box_intersect(&old, box, &both)) return false;
  v->bounded = false;
  for (int j = 0; j < v->ndim; j++) {
    v->lo[j] = both.lo[j];
    v->hi[j] = tsr__box_end(&both, j);
    v->bounded |= both.n[j] < v->shape[j];
  }
  return true;
}

/* Bounds the composed view by what of `outer` leads into the bounds of `inner`. */
static bool compose_bounds(const tsr_view *outer, const tsr_view *inner, tsr_view *out)
{
  TSR_ASSERT(tsr__view_is_separable(outer));
  const tsr_box box = tsr__view_bounds(inner);
  tsr_box there;
  return tsr__view_meets(outer, &box, &there) && (out->ndim == 0 || tsr__view_bound(out, &there));
}

bool tsr__view_compose(const tsr_view *outer, const tsr_view *inner, tsr_view *out)
{
  TSR_ASSERT(outer->rdim == inner->ndim && !outer->reaches && !inner->reaches);
  out->reaches = false;
  out->bounded = outer->bounded;
  out->ndim = outer->ndim;
  out->rdim = inner->rdim;
  for (int j = 0; j < outer->ndim; j++) out->shape[j] = outer->shape[j];
  for (int j = 0; outer->bounded && j < outer->ndim; j++) {
    out->lo[j] = outer->lo[j];
    out->hi[j] = outer->hi[j];
  }
  for (int k = 0; k < inner->rdim; k++) {
    out->offset[k] = inner->offset[k];
    for (int j = 0; j < outer->ndim; j++) out->step[k][j] = 0;
    for (int i = 0; i < inner->ndim; i++) {
      if (inner->shape[i] <= 1) continue; /* the only index is 0, whatever the steps are */
      out->offset[k] += inner->step[k][i] * outer->offset[i];
      for (int j = 0; j < outer->ndim; j++)
        if (outer->shape[j] > 1) out->step[k][j] += inner->step[k][i] * outer->step[i][j];
    }
  }
  return !inner->bounded || compose_bounds(outer, inner, out);
}

static bool same_matrix_and_shape(const tsr_view *a, const tsr_view *b)
{
  if (a->ndim != b->ndim || a->rdim != b->rdim) return false;
  int64_t differ = 0;
  for (int j = 0; j < a->ndim; j++) differ |= a->shape[j] ^ b->shape[j];
  for (int k = 0; k < a->rdim; k++)
    for (int j = 0; j < a->ndim; j++) differ |= a->step[k][j] ^ b->step[k][j];
  return differ == 0;
}

static bool same_reach(const tsr_view *a, const tsr_view *b)
{
  for (int k = 0; k < a->rdim; k++)
    if (a->before[k] != b->before[k] || a->after[k] != b->after[k] || a->first[k] != b->first[k] ||
        a->end[k] != b->end[k])
      return false;
  return true;
}

static bool same_bounds(const tsr_view *a, const tsr_view *b)
{
  for (int j = 0; j < a->ndim; j++)
    if (a->lo[j] != b->lo[j] || a->hi[j] != b->hi[j]) return false;
  return true;
}

/* Offsets come first: the views of a stencil differ in nothing else. */
bool tsr__view_equal(const tsr_view *a, const tsr_view *b)
{
  if (a == b) return true;
  if (a->rdim != b->rdim) return false;
  for (int k = 0; k < a->rdim; k++)
    if (a->offset[k] != b->offset[k]) return false;
  return same_matrix_and_shape(a, b) && a->reaches == b->reaches &&
         (!a->reaches || same_reach(a, b)) && a->bounded == b->bounded &&
         (!a->bounded || same_bounds(a, b));
}

bool tsr__view_is_identity(const tsr_view *v)
{
  if (v->ndim != v->rdim || v->reaches || v->bounded) return false;
  for (int k = 0; k < v->rdim; k++) {
    if (v->offset[k] != 0) return false;
    for (int j = 0; j < v->ndim; j++)
      if (v->step[k][j] != (k == j)) return false;
  }
  return true;
}

int64_t tsr__view_size(const tsr_view *v)
{
  return tsr__volume(v->ndim, v->shape);
}

/* Edits. */

void tsr__view_slice(tsr_view *v, int axis, int64_t start, int64_t length, int64_t step)
{
  TSR_ASSERT(axis >= 0 && axis < v->ndim && length >= 0 && !v->bounded);
  for (int k = 0; k < v->rdim; k++) {
    int64_t s = v->step[k][axis];
    v->offset[k] += s * start;
    if (length > 1) v->step[k][axis] = s * step;
  }
  v->shape[axis] = length;
}

/* Moves n words, which may overlap. */
static inline void move_words(int64_t *to, const int64_t *from, int n)
{
  if (to < from)
    for (int i = 0; i < n; i++) to[i] = from[i];
  else
    for (int i = n - 1; i >= 0; i--) to[i] = from[i];
}

/* Moves the columns from `from` on so that they begin at `to`. */
static void move_columns(tsr_view *v, int from, int to)
{
  const int n = v->ndim - from;
  move_words(v->shape + to, v->shape + from, n);
  for (int k = 0; k < v->rdim; k++) move_words(v->step[k] + to, v->step[k] + from, n);
  v->ndim += to - from;
}

void tsr__view_index(tsr_view *v, int axis, int64_t i)
{
  TSR_ASSERT(axis >= 0 && axis < v->ndim && i >= 0 && i < v->shape[axis]);
  for (int k = 0; k < v->rdim; k++) v->offset[k] += v->step[k][axis] * i;
  move_columns(v, axis + 1, axis);
}

void tsr__view_newaxis(tsr_view *v, int axis)
{
  TSR_ASSERT(axis >= 0 && axis <= v->ndim && v->ndim < TSR_MAX_NDIM);
  move_columns(v, axis, axis + 1);
  v->shape[axis] = 1;
  for (int k = 0; k < v->rdim; k++) v->step[k][axis] = 0;
}

void tsr__view_transpose(tsr_view *v, const int *perm)
{
  int64_t old[TSR_MAX_NDIM];
  size_t bytes = (size_t)v->ndim * sizeof(int64_t);
  memcpy(old, v->shape, bytes);
  for (int j = 0; j < v->ndim; j++) v->shape[j] = old[perm[j]];
  for (int k = 0; k < v->rdim; k++) {
    memcpy(old, v->step[k], bytes);
    for (int j = 0; j < v->ndim; j++) v->step[k][j] = old[perm[j]];
  }
}

void tsr__view_flip(tsr_view *v, int axis)
{
  TSR_ASSERT(axis >= 0 && axis < v->ndim);
  int64_t last = v->shape[axis] ? v->shape[axis] - 1 : 0;
  tsr__view_slice(v, axis, last, v->shape[axis], -1);
}

bool tsr__view_broadcast(tsr_view *v, int ndim, const int64_t *shape)
{
  int lead = ndim - v->ndim;
  if (lead < 0 || ndim > TSR_MAX_NDIM) return false;
  for (int j = 0; j < v->ndim; j++)
    if (v->shape[j] != shape[lead + j] && v->shape[j] != 1) return false;
  if (lead) {
    move_columns(v, 0, lead);
    for (int j = 0; j < lead; j++) {
      v->shape[j] = shape[j];
      for (int k = 0; k < v->rdim; k++) v->step[k][j] = 0;
    }
  }
  for (int j = lead; j < ndim; j++) {
    if (v->shape[j] == shape[j]) continue;
    v->shape[j] = shape[j];
    for (int k = 0; k < v->rdim; k++) v->step[k][j] = 0;
  }
  return true;
}

void tsr__view_diagonal(tsr_view *v, int64_t offset, int axis1, int axis2)
{
  TSR_ASSERT(axis1 != axis2 && axis1 >= 0 && axis2 >= 0 && axis1 < v->ndim && axis2 < v->ndim);
  if (offset < -v->shape[axis1]) offset = -v->shape[axis1];
  if (offset > v->shape[axis2]) offset = v->shape[axis2];
  int64_t start1 = offset < 0 ? -offset : 0, start2 = offset > 0 ? offset : 0;
  int64_t n1 = v->shape[axis1] - start1, n2 = v->shape[axis2] - start2;
  int64_t n = n1 < n2 ? n1 : n2;
  if (n <= 0) n = start1 = start2 = 0;
  int64_t column[TSR_MAX_NDIM];
  for (int k = 0; k < v->rdim; k++) {
    column[k] = v->step[k][axis1] + v->step[k][axis2];
    v->offset[k] += v->step[k][axis1] * start1 + v->step[k][axis2] * start2;
  }
  int high = axis1 > axis2 ? axis1 : axis2, low = axis1 + axis2 - high;
  move_columns(v, high + 1, high);
  move_columns(v, low + 1, low);
  for (int k = 0; k < v->rdim; k++) v->step[k][v->ndim] = column[k];
  v->shape[v->ndim++] = n;
}

/* Questions. */

/* Do the columns in `mask` of one row give different sums for different indices? Sufficient: each
 * step is larger than what all smaller ones reach together. */
static bool row_tells_apart(const tsr_view *v, int row, uint32_t mask)
{
  __int128 span = 0;
  while (mask) {
    int least = -1;
    uint64_t size = 0;
    for (int j = 0; j < v->ndim; j++) {
      if (!(mask >> j & 1)) continue;
      int64_t s = v->step[row][j];
      uint64_t magnitude = s < 0 ? -(uint64_t)s : (uint64_t)s;
      if (least < 0 || magnitude < size) {
        least = j;
        size = magnitude;
      }
    }
    if (size <= span) return false;
    span += (__int128)size * (v->shape[least] - 1);
    mask &= ~(1u << least);
  }
  return true;
}

bool tsr__view_is_injective(const tsr_view *v)
{
  uint32_t open = 0; /* columns whose index does not follow from the rows seen so far */
  for (int j = 0; j < v->ndim; j++) {
    if (v->shape[j] == 0) return true;
    if (v->shape[j] > 1) open |= 1u << j;
  }
  for (bool progress = true; open && progress;) {
    progress = false;
    for (int k = 0; k < v->rdim && open; k++) {
      uint32_t mask = 0;
      for (int j = 0; j < v->ndim; j++)
        if ((open >> j & 1) && v->step[k][j]) mask |= 1u << j;
      if (mask && row_tells_apart(v, k, mask)) {
        open &= ~mask;
        progress = true;
      }
    }
  }
  return open == 0;
}

bool tsr__view_is_still(const tsr_view *v)
{
  for (int k = 0; k < v->rdim; k++)
    for (int j = 0; j < v->ndim; j++)
      if (v->step[k][j] != 0 && v->shape[j] > 1) return false;
  return true;
}

bool tsr__view_is_separable(const tsr_view *v)
{
  for (int k = 0; k < v->rdim; k++) {
    int moving = 0;
    for (int j = 0; j < v->ndim; j++) moving += v->step[k][j] != 0 && v->shape[j] > 1;
    if (moving > 1) return false;
  }
  return true;
}

int tsr__view_axis_of_row(const tsr_view *v, int k)
{
  int axis = -1;
  for (int j = 0; j < v->ndim; j++) {
    if (v->step[k][j] == 0) continue;
    if (axis >= 0) return -2;
    axis = j;
  }
  return axis;
}

int64_t tsr__views_displaced(const tsr_view *a, const tsr_view *b, int axis)
{
  int64_t most = 0;
  for (int k = 0; k < a->rdim; k++) {
    const int64_t step = llabs(a->step[k][axis]);
    if (step == 0 || a->step[k][axis] != b->step[k][axis]) continue;
    const int64_t apart = (llabs(a->offset[k] - b->offset[k]) + step - 1) / step;
    if (most < apart) most = apart;
  }
  return most;
}

/* Boxes through a view. */

/* Adds the points around those of `out` that a view that reaches leads to. */
static void reach_out(const tsr_view *v, tsr_box *out)
{
  for (int k = 0; k < v->rdim; k++) {
    int64_t lo = out->lo[k] - v->before[k], end = tsr__box_end(out, k) + v->after[k];
    if (lo < v->first[k]) lo = v->first[k];
    if (end > v->end[k]) end = v->end[k];
    if (end <= lo) {
      tsr__box_set_empty(out, v->rdim);
      return;
    }
    tsr__box_set_axis(out, k, (tsr_axis){lo, end - lo, 1});
  }
}

/* The points whose indices may reach the box, if the view reaches; else the box. */
static tsr_box reached_by(const tsr_view *v, const tsr_box *region_box)
{
  tsr_box out = *region_box;
  for (int k = 0; v->reaches && k < v->rdim; k++) {
    const int64_t lo = out.lo[k] - v->after[k], end = tsr__box_end(&out, k) + v->before[k];
    tsr__box_set_axis(&out, k, (tsr_axis){lo, end - lo, 1});
  }
  return out;
}

/* Does each axis move the axis of the region that has its number, by one element? Slices of arrays
 * do, as most views are. */
static bool moves_each_axis(const tsr_view *v)
{
  if (v->ndim != v->rdim) return false;
  for (int k = 0; k < v->rdim; k++)
    for (int j = 0; j < v->ndim; j++)
      if (v->step[k][j] != (j == k)) return false;
  return true;
}

/* The image of a box that is not empty. Returns whether the box of it is all image. */
static bool image_of_any(const tsr_view *v, const tsr_box *box, tsr_box *out)
{
  uint32_t seen = 0; /* moving columns that some row had already */
  bool exact = true;
  for (int k = 0; k < v->rdim; k++) {
    int64_t lo = v->offset[k], last = lo, step = 0;
    uint32_t moving = 0;
    for (int j = 0; j < v->ndim; j++) {
      int64_t s = v->step[k][j];
      if (s == 0) continue;
      int64_t from = s * box->lo[j];
      if (box->n[j] == 1) {
        lo += from;
        last += from;
        continue;
      }
      int64_t stride = s * box->step[j], to = from + stride * (box->n[j] - 1);
      lo += s > 0 ? from : to;
      last += s > 0 ? to : from;
      stride = stride < 0 ? -stride : stride;
      step = step ? tsr__gcd(step, stride) : stride;
      exact &= moving == 0;
      moving |= 1u << j;
    }
    exact &= (seen & moving) == 0;
    seen |= moving;
    int64_t n = last - lo + 1; /* where nothing moves, too */
    if (step > 1) n = (last - lo) / step + 1;
    tsr__box_set_axis(out, k, (tsr_axis){lo, n, moving ? step : 1});
  }
  return exact;
}

bool tsr__view_image(const tsr_view *v, const tsr_box *box, tsr_box *out)
{
  TSR_ASSERT(box->ndim == v->ndim);
  tsr_box inside;
  if (v->bounded) {
    TSR_ASSERT(v->rdim > 0 && !v->reaches);
    const tsr_box bounds = tsr__view_bounds(v);
    tsr__box_intersect(box, &bounds, &inside);
    box = &inside;
  }
  if (tsr__box_is_empty(box)) {
    tsr__box_set_empty(out, v->rdim);
    return v->rdim > 0;
  }
  bool exact = true;
  out->ndim = v->rdim;
  if (moves_each_axis(v)) {
    for (int k = 0; k < v->rdim; k++)
      tsr__box_set_axis(
          out, k,
          (tsr_axis){v->offset[k] + box->lo[k], box->n[k], box->n[k] > 1 ? box->step[k] : 1});
  } else {
    exact = image_of_any(v, box, out);
  }
  if (!v->reaches) return exact;
  reach_out(v, out);
  return false;
}

/* The indices i of `range` with offset + s*i in `want`. */
static bool solve_one(int64_t offset, int64_t s, tsr_axis range, tsr_axis want, tsr_axis *out)
{
  int64_t size = s < 0 ? -s : s, stride = size * range.step;
  int64_t first = offset + s * (s > 0 ? range.lo : tsr__axis_last(range));
  tsr_axis image = {first, range.n, range.n == 1 ? 1 : stride}, meet;
  if (!tsr__axis_intersect(image, want, &meet)) return false;
  int64_t from = s > 0 ? meet.lo : tsr__axis_last(meet);
  *out = (tsr_axis){(from - offset) / s, meet.n, meet.n == 1 ? 1 : meet.step / size};
  return true;
}

/* Narrows `out` by a row with several moving columns: each is bounded by what the others can reach.
 */
static bool narrow_by_row(const tsr_view *v, int row, uint32_t columns, tsr_axis want, tsr_box *out)
{
  int64_t low[TSR_MAX_NDIM] = {0}, high[TSR_MAX_NDIM] = {0}, low_sum = 0, high_sum = 0;
  for (int j = 0; j < v->ndim; j++) {
    if (!(columns >> j & 1)) continue;
    tsr_axis x = tsr__box_axis(out, j);
    int64_t s = v->step[row][j], a = s * x.lo, b = s * tsr__axis_last(x);
    low[j] = a < b ? a : b;
    high[j] = a < b ? b : a;
    low_sum += low[j];
    high_sum += high[j];
  }
  for (int j = 0; j < v->ndim; j++) {
    if (!(columns >> j & 1)) continue;
    int64_t s = v->step[row][j];
    int64_t from = want.lo - v->offset[row] - (high_sum - high[j]);
    int64_t to = tsr__axis_last(want) - v->offset[row] - (low_sum - low[j]);
    int64_t lo = s > 0 ? tsr__div_ceil(from, s) : tsr__div_ceil(-to, -s);
    int64_t last = s > 0 ? tsr__div_floor(to, s) : tsr__div_floor(-from, -s);
    tsr_axis bound = {lo, last < lo ? 0 : last - lo + 1, 1}, meet;
    if (!tsr__axis_intersect(tsr__box_axis(out, j), bound, &meet)) return false;
    tsr__box_set_axis(out, j, meet);
  }
  return true;
}

static bool preimage_is_empty(const tsr_view *v, tsr_box *out)
{
  tsr__box_set_empty(out, v->ndim);
  return v->ndim > 0;
}

bool tsr__view_preimage(const tsr_view *v, const tsr_box *region_box, tsr_box *out)
{
  TSR_ASSERT(region_box->ndim == v->rdim);
  tsr_box reached;
  if (v->reaches) {
    reached = reached_by(v, region_box);
    region_box = &reached;
  }
  out->ndim = v->ndim;
  for (int j = 0; j < v->ndim; j++) {
    tsr__box_set_axis(out, j,
                      v->bounded ? (tsr_axis){v->lo[j], v->hi[j] - v->lo[j], 1}
                                 : (tsr_axis){0, v->shape[j], 1});
    if (v->shape[j] == 0) return preimage_is_empty(v, out);
  }
  uint32_t
      several[TSR_MAX_NDIM]; /* per row, its moving columns if there is more than one; else 0 */
  bool exact = !v->reaches || v->ndim == 0;
  for (int k = 0; k < v->rdim; k++) {
    tsr_axis want = tsr__box_axis(region_box, k);
    int column = -1;
    uint32_t moving = 0;
    for (int j = 0; j < v->ndim; j++) {
      if (v->step[k][j] == 0 || v->shape[j] == 1) continue;
      moving |= 1u << j;
      column = j;
    }
    several[k] = 0;
    if (column < 0) {
      if (!tsr__axis_has(want, v->offset[k])) return preimage_is_empty(v, out);
    } else if (moving == 1u << column) {
      tsr_axis x;
      if (!solve_one(v->offset[k], v->step[k][column], tsr__box_axis(out, column), want, &x))
        return preimage_is_empty(v, out);
      tsr__box_set_axis(out, column, x);
    } else {
      if (want.n == 0) return preimage_is_empty(v, out);
      several[k] = moving;
      exact = false;
    }
  }
  for (int k = 0; k < v->rdim && !exact; k++)
    if (several[k] && !narrow_by_row(v, k, several[k], tsr__box_axis(region_box, k), out))
      return preimage_is_empty(v, out);
  return exact;
}

bool tsr__view_meets(const tsr_view *v, const tsr_box *region_box, tsr_box *out)
{
  const bool exact = tsr__view_preimage(v, region_box, out);
  return v->ndim > 0 ? !tsr__box_is_empty(out) : exact;
}

/* Narrows `out` by a row of which a dense box's image, from its least to its greatest point, is to
 * meet `want`. Then the box has, of each column, an index that the others can bring to the end of
 * `want` or before it, and one that they can bring to its beginning or behind it. One of the two
 * lies between these bounds. */
static bool narrow_to_hulls(const tsr_view *v, int row, tsr_axis want, tsr_box *out)
{
  if (want.n == 0) return false;
  int64_t low_sum = v->offset[row], high_sum = v->offset[row];
  for (int j = 0; j < v->ndim; j++) {
    const int64_t far = v->step[row][j] * (v->shape[j] - 1);
    low_sum += far < 0 ? far : 0;
    high_sum += far > 0 ? far : 0;
  }
  for (int j = 0; j < v->ndim; j++) {
    const int64_t s = v->step[row][j], far = s * (v->shape[j] - 1);
    if (far == 0) continue;
    const int64_t low = low_sum - (far < 0 ? far : 0), high = high_sum - (far > 0 ? far : 0);
    const int64_t last = tsr__axis_last(want);
    const int64_t most = s > 0 ? tsr__div_floor(last - low, s) : tsr__div_floor(high - want.lo, -s);
    const int64_t least = s > 0 ? tsr__div_ceil(want.lo - high, s) : tsr__div_ceil(low - last, -s);
    const int64_t lo = most < least ? most : least;
    const tsr_axis bound = {lo, (most < least ? least : most) - lo + 1, 1};
    tsr_axis meet;
    if (!tsr__axis_intersect(tsr__box_axis(out, j), bound, &meet)) return false;
    tsr__box_set_axis(out, j, meet);
  }
  return true;
}

/* Rows that share a column are each met by some index of a box, but not by the same one. One of
 * these rows is enough to find the box. */
void tsr__view_readers(const tsr_view *v, const tsr_box *region_box, tsr_box *out)
{
  const tsr_box reached = reached_by(v, region_box);
  tsr_view single = {.ndim = v->ndim}; /* the rows with at most one column */
  tsr_box rows = {.ndim = 0};
  memcpy(single.shape, v->shape, sizeof single.shape);
  uint32_t seen = 0, hulls = 0;
  for (int k = 0; k < v->rdim; k++) {
    uint32_t columns = 0;
    for (int j = 0; j < v->ndim; j++)
      columns |= (uint32_t)(v->step[k][j] != 0 && v->shape[j] > 1) << j;
    if (columns & seen) continue;
    seen |= columns;
    if (columns && (v->reaches || (columns & (columns - 1)))) {
      hulls |= 1u << k;
      continue;
    }
    single.offset[single.rdim] = v->offset[k];
    memcpy(single.step[single.rdim++], v->step[k], sizeof single.step[0]);
    tsr__box_set_axis(&rows, rows.ndim++, tsr__box_axis(&reached, k));
  }
  tsr__view_preimage(&single, &rows, out);
  if (v->bounded) {
    const tsr_box bounds = tsr__view_bounds(v);
    tsr__box_intersect(out, &bounds, out);
  }
  for (int k = 0; k < v->rdim; k++)
    if ((hulls >> k & 1) && !tsr__box_is_empty(out) &&
        !narrow_to_hulls(v, k, tsr__box_axis(&reached, k), out))
      preimage_is_empty(v, out);
}

char *tsr__view_text(const tsr_view *v, char *buf, size_t size)
{
  tsr_text_into t = {buf, size, 0};
  if (size) buf[0] = 0;
  for (int k = 0; k < v->rdim; k++) {
    tsr__text_into(&t, "%s%lld", k ? ", " : "", (long long)v->offset[k]);
    for (int j = 0; j < v->ndim; j++)
      if (v->step[k][j]) tsr__text_into(&t, "%+lld*i%d", (long long)v->step[k][j], j);
  }
  char shape[TSR_MAX_NDIM * 22 + 4];
  tsr__text_into(&t, "%s: %s", v->rdim ? " " : "",
                 tsr__shape_text(v->ndim, v->shape, shape, sizeof shape));
  if (!v->bounded) return buf;
  char bounds[512];
  const tsr_box box = tsr__view_bounds(v);
  tsr__text_into(&t, " within %s", tsr__box_text(&box, bounds, sizeof bounds));
  return buf;
}
