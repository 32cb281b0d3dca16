/* Reshape and the calls made of it.
 *
 * An axis can always be split by a view: an index along one axis becomes indices along several, and
 * the region's row then has several columns. Axes can be merged by a view if they came from
 * splitting one axis, or from repeat. Otherwise one operation copies the elements in flat order.
 * Its domain is the old axes and its output view splits the new ones, so it decomposes exactly into
 * boxes. Every reshape is thus at most one copy into merged axes, seen through a view that splits
 * them. */
#include "array/views/reshape.h"

#include <inttypes.h>
#include <stdlib.h>
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

/* Makes the view with the axes `to`; returns false if axes cannot be merged. */
static bool reshape_view(const tsr_view *v, const tsr_dims *to, tsr_view *out)
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
  if (!reshape_view(&s->view->view, shape, &view)) {
    x = copy_merged(w, s, shape);
    s = tsr__handle_peek(w->c, x);
    if (!reshape_view(&s->view->view, shape, &view)) tsr__fatal("a split that is none (a defect)");
  }
  tsr_view_ref *ref = tsr__view_ref_new(&w->c->window, &view);
  tsr_array made = tsr__array_of(w->c, w->where, s, ref);
  tsr__view_ref_drop(ref);
  return made;
}

tsr_array tsr__as_new(tsr_context *c, const tsr_location *where, tsr_array x)
{
  const tsr_handle *s = tsr__handle_peek(c, x);
  if (!s || tsr__view_is_separable(&s->view->view)) return x;
  return tsr_copy_at(where, tsr_box_array(x));
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
    if (!reshape_view(out, &to, &merged)) return false;
    tsr__view_copy(out, &merged);
  }
  return tsr__view_is_separable(out);
}

/* Replaces the length -1 by what the other lengths leave; returns false with TSR_ERR_SHAPE. */
static bool complete(const tsr_steps *w, tsr_array x, const tsr_dims *of, tsr_dims *shape)
{
  char from[256], to[256];
  int unknown = -1;
  int64_t size = 1, known = 1;
  for (int k = 0; k < of->ndim; k++) size *= of->n[k];
  tsr__shape_text(of->ndim, of->n, from, sizeof from);
  if (shape->ndim < 0 || shape->ndim > TSR_MAX_NDIM) {
    tsr__fail(w->c, w->where, TSR_ERR_SHAPE, "a shape of %d axes; at most %d are possible",
              shape->ndim, TSR_MAX_NDIM);
    return false;
  }
  tsr__shape_text(shape->ndim, shape->n, to, sizeof to);
  bool overflow = false;
  for (int k = 0; k < shape->ndim; k++) {
    if (shape->n[k] == -1 && unknown < 0) {
      unknown = k;
    } else if (shape->n[k] < 0) {
      tsr__fail(w->c, w->where, TSR_ERR_SHAPE,
                shape->n[k] == -1 ? "shape %s has two unknown lengths (-1)"
                                  : "shape %s has a negative length",
                to);
      return false;
    } else {
      overflow |= __builtin_mul_overflow(known, shape->n[k], &known);
    }
  }
  if (unknown >= 0 && !overflow && known > 0 && size % known == 0) {
    shape->n[unknown] = size / known;
    return true;
  }
  if (unknown < 0 && !overflow && known == size) return true;
  tsr_error *e =
      tsr__fail_begin(w->c, w->where, TSR_ERR_SHAPE,
                      "cannot reshape %s, %" PRId64 " elements, into %s", from, size, to);
  tsr__note_operand(w->c, e, w->where, 0, tsr_box_array(x));
  if (unknown < 0) tsr__error_help(e, "-1 stands for the length that follows from the others");
  tsr__fail_end(w->c);
  return false;
}

/* Returns whether NumPy reshapes by a view: the region is one run of elements in memory, row by row
 * or column by column, and the view's axes move along it; if `dense`, element by element, as
 * NumPy's ravel asks. */
static bool is_view_in_memory(const tsr_handle *s, const tsr_dims *to, bool dense)
{
  const tsr_view *v = &s->view->view;
  tsr_view run = {.ndim = v->ndim, .rdim = 1}, out;
  memcpy(run.shape, v->shape, sizeof run.shape);
  tsr__memory_strides(s, run.step[0]);
  if (s->region->is_turned || tsr__view_size(v) == 0) return false;
  if (!reshape_view(&run, to, &out)) return false;
  int last = to->ndim - 1;
  while (last >= 0 && to->n[last] == 1) last--;
  return !dense || last < 0 || (out.step[0][last] == 1 && !s->region->copy_has_gaps);
}

static tsr_array reshape(const tsr_location *where, tsr_array x, tsr_dims shape, bool dense)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_steps w = tsr__steps_begin(where);
  const tsr_handle *s = tsr__handle(w.c, where, x);
  if (!s) return tsr__steps_end(&w, tsr_null());
  tsr_dims of = tsr__dims_of(w.c, x);
  if (!complete(&w, x, &of, &shape)) return tsr__steps_end(&w, tsr_null());
  const bool is_view = is_view_in_memory(s, &shape, dense);
  const tsr_region *source = s->region; /* the handles may move */
  tsr_array made = tsr__reshaped(&w, x, &shape);
  const tsr_handle *viewed = tsr__handle_peek(c, made);
  if (!is_view && viewed && source->is_column_major && viewed->region == source)
    made = tsr_copy_at(where, tsr_box_array(made)); /* as NumPy does */
  made = tsr__steps_end(&w, made);
  if (is_view) tsr__stand_for_view(c, made, x);
  return made;
}

tsr_array tsr_reshape_at(const tsr_location *where, tsr_array x, tsr_dims shape)
{
  return reshape(where, x, shape, false);
}

tsr_array tsr_ravel_at(const tsr_location *where, tsr_array x)
{
  return reshape(where, x, (tsr_dims){.ndim = 1, .n = {-1}}, true);
}

tsr_array tsr_flatten_at(const tsr_location *where, tsr_array x)
{
  tsr_steps w = tsr__steps_begin(where);
  tsr_array flat = tsr_ravel_at(where, x);
  const tsr_handle *s = tsr__handle_peek(w.c, flat), *of = tsr__handle_peek(w.c, x);
  if (s && of && s->region == of->region) flat = tsr_copy_at(where, tsr_box_array(flat));
  return tsr__steps_end(&w, flat);
}
