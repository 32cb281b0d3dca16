/* Other axes for the elements of a view.
 *
 * An axis can always be split by a view: an index along one axis becomes indices along several, and
 * the region's row then has several columns. Axes can be merged by a view if they came from
 * splitting one axis, or from repeat. Otherwise one operation copies the elements in flat order.
 * Its domain is the old axes and its output view splits the new ones, so it decomposes exactly into
 * boxes. Every reshape is thus at most one copy into merged axes, seen through a view that splits
 * them. */
#include "array/views/reshape.h"

#include <string.h>

/** Axes [old, old_end) of one shape hold the same elements as axes [new, new_end) of the other. */
typedef struct axis_group {
  int old, old_end, new, new_end;
  int64_t n;
} axis_group;

/* Finds the finest groups of two shapes of the same nonzero size. Axes of length 1 join a
 * neighbour's group. */
static int find_groups(const tsr_view *v, const tsr_dims *to, axis_group *groups)
{
  int i = 0, j = 0, n = 0;
  while (i < v->ndim || j < to->ndim) {
    axis_group g = {.old = i, .new = j};
    int64_t a = 1, b = 1;
    if (i < v->ndim) a = v->shape[i++];
    if (j < to->ndim) b = to->n[j++];
    while (a != b)
      if (a < b)
        a *= v->shape[i++];
      else
        b *= to->n[j++];
    while (i < v->ndim && v->shape[i] == 1) i++;
    while (j < to->ndim && to->n[j] == 1) j++;
    g.old_end = i;
    g.new_end = j;
    g.n = a;
    groups[n++] = g;
  }
  return n;
}

/* Returns whether the axes [first, end) can be merged: the steps of each follow from those of the
 * next. *last: the axis with the smallest steps; -1 if all have length 1. */
static bool merges(const tsr_view *v, int first, int end, int *last)
{
  *last = -1;
  for (int j = end - 1, inner = -1; j >= first; j--) {
    if (v->shape[j] == 1) continue;
    for (int k = 0; k < v->rdim && inner >= 0; k++)
      if (v->step[k][j] != v->step[k][inner] * v->shape[inner]) return false;
    if (*last < 0) *last = j;
    inner = j;
  }
  return true;
}

bool tsr__reshape_view(const tsr_view *v, const tsr_dims *to, tsr_view *out)
{
  axis_group groups[2 * TSR_MAX_NDIM];
  int n = find_groups(v, to, groups);
  *out = (tsr_view){.ndim = to->ndim, .rdim = v->rdim};
  memcpy(out->offset, v->offset, sizeof out->offset);
  memcpy(out->shape, to->n, sizeof out->shape);
  for (int g = 0; g < n; g++) {
    int last;
    if (!merges(v, groups[g].old, groups[g].old_end, &last)) return false;
    int64_t stride = 1;
    for (int j = groups[g].new_end - 1; j >= groups[g].new; j--) {
      for (int k = 0; k < v->rdim && last >= 0; k++) out->step[k][j] = v->step[k][last] * stride;
      stride *= to->n[j];
    }
  }
  return true;
}

/* Copies x into an array with one axis per group. */
static tsr_array copy_merged(const tsr_steps *w, const tsr_handle *s, const tsr_dims *to)
{
  const tsr_view *v = &s->view->view;
  axis_group groups[2 * TSR_MAX_NDIM];
  tsr_dims merged = {.ndim = find_groups(v, to, groups)};
  tsr_view out = {.ndim = v->ndim, .rdim = merged.ndim};
  memcpy(out.shape, v->shape, sizeof out.shape);
  for (int g = 0; g < merged.ndim; g++) {
    merged.n[g] = groups[g].n;
    int64_t stride = 1;
    for (int j = groups[g].old_end - 1; j >= groups[g].old; j--) {
      out.step[g][j] = stride;
      stride *= v->shape[j];
    }
  }
  tsr_op_in in = {.region = s->region, .view = s->view};
  tsr_new made = tsr__make(w->c, w->where, s->region->dtype, &merged);
  tsr_view_ref *ref = tsr__view_ref_new(&w->c->window, &out);
  tsr__record_copy(&w->c->window, w->where, &in, made.region, ref, true);
  tsr__view_ref_drop(ref);
  return made.array;
}

tsr_array tsr__reshaped(const tsr_steps *w, tsr_array x, const tsr_dims *shape)
{
  const tsr_handle *s = tsr__handle_peek(w->c, x);
  if (tsr__view_size(&s->view->view) == 0)
    return tsr_full_at(w->where, *shape, tsr_box_int(0), s->region->dtype);
  tsr_view view;
  if (!tsr__reshape_view(&s->view->view, shape, &view)) {
    x = copy_merged(w, s, shape);
    s = tsr__handle_peek(w->c, x);
    if (!tsr__reshape_view(&s->view->view, shape, &view))
      tsr__fatal("a split that is none (a defect)");
  }
  tsr_view_ref *ref = tsr__view_ref_new(&w->c->window, &view);
  tsr_array made = tsr__array_of(w->c, w->where, s, ref);
  tsr__view_ref_drop(ref);
  return made;
}

bool tsr__merge_axes(const tsr_view *v, tsr_view *out)
{
  tsr__view_copy(out, v);
  for (int j = out->ndim - 1; j > 0; j--) {
    int last;
    tsr_dims to = {.ndim = out->ndim - 1};
    bool shared = false; /* a region axis moves with both axes */
    for (int k = 0; k < out->rdim; k++)
      shared |= out->step[k][j] != 0 && out->step[k][j - 1] != 0 && out->shape[j] > 1 &&
                out->shape[j - 1] > 1;
    if (!shared || !merges(out, j - 1, j + 1, &last)) continue;
    for (int k = 0, n = 0; k < out->ndim; k++) {
      if (k == j) continue;
      to.n[n++] = k == j - 1 ? out->shape[k] * out->shape[j] : out->shape[k];
    }
    tsr_view merged;
    if (!tsr__reshape_view(out, &to, &merged)) return false;
    tsr__view_copy(out, &merged);
  }
  return tsr__view_is_separable(out);
}
