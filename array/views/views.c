/* Views are edits of an array's index map. A view is a handle, not an operation, so nothing is
 * recorded. */
#include "array/views/views.h"

#include "array/views/slice_text.h"
#include "array/views/view_edit.h"

#include <inttypes.h>
#include <string.h>

bool tsr__edit_begin(tsr_edit *e, const tsr_location *where, tsr_array x)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  e->c = c;
  e->where = where;
  e->of = x;
  e->handle = tsr__handle(c, where, x);
  if (!e->handle) return false;
  tsr__call_begin(where);
  e->ref = tsr__view_ref_new(&e->c->window, &e->handle->view->view);
  e->view = &e->ref->view;
  return true;
}

tsr_array tsr__edit_end(tsr_edit *e)
{
  tsr_array array = tsr__array_of(e->c, e->where, e->handle, e->ref);
  tsr__view_ref_drop(e->ref);
  tsr__call_end(&e->c);
  return array;
}

tsr_array tsr__edit_fail(tsr_edit *e, tsr_error *error)
{
  tsr__note_operand(e->c, error, e->where, 0, tsr_box_array(e->of));
  tsr__fail_end(e->c);
  tsr__view_ref_drop(e->ref);
  tsr__call_end(&e->c);
  return tsr_null();
}

/* Computes Python's slice.indices: the first index, the step and the number of indices. */
static void range_of_slice(const tsr_slice_item *item, int64_t length, int64_t *start,
                           int64_t *count, int64_t *step)
{
  *step = item->has_step ? item->step : 1;
  bool up = *step > 0;
  int64_t low = up ? 0 : -1, high = up ? length : length - 1;
  int64_t from = up ? low : high, to = up ? high : low;
  if (item->has_start) {
    from = item->start < 0 ? item->start + length : item->start;
    from = from < low ? low : from > high ? high : from;
  }
  if (item->has_stop) {
    to = item->stop < 0 ? item->stop + length : item->stop;
    to = to < low ? low : to > high ? high : to;
  }
  uint64_t stride = up ? (uint64_t)*step : 0 - (uint64_t)*step;
  int64_t span = up ? to - from : from - to;
  *count = span > 0 ? (int64_t)(((uint64_t)span - 1) / stride + 1) : 0;
  *start = *count ? from : 0;
  if (*count <= 1) *step = 1;
}

/* The axes that the items take from x, those of the result, and the number of ellipses. */
typedef struct item_counts {
  int taken, result, ellipses;
} item_counts;

static item_counts count_items(int ndim, int n, const tsr_slice_item *items)
{
  item_counts counts = {0};
  int indices = 0, newaxes = 0;
  for (int i = 0; i < n; i++) {
    indices += items[i].kind == TSR_SLICE_INDEX;
    newaxes += items[i].kind == TSR_SLICE_NEWAXIS;
    counts.ellipses += items[i].kind == TSR_SLICE_ELLIPSIS;
    counts.taken += items[i].kind == TSR_SLICE_INDEX || items[i].kind == TSR_SLICE_RANGE;
  }
  counts.result = ndim - indices + newaxes;
  return counts;
}

static bool apply_index(tsr_edit *e, int axis, int source_axis, int64_t index)
{
  int64_t length = e->view->shape[axis], at = index < 0 ? index + length : index;
  if (at >= 0 && at < length) {
    tsr__view_index(e->view, axis, at);
    return true;
  }
  tsr_error *error =
      tsr__fail_begin(e->c, e->where, TSR_ERR_INDEX,
                      "index %" PRId64 " is out of range for axis %d of length %" PRId64, index,
                      source_axis, length);
  tsr__edit_fail(e, error);
  return false;
}

static bool apply_items(tsr_edit *e, int n, const tsr_slice_item *items, int skipped)
{
  int newaxes[TSR_SLICE_MAX_ITEMS], n_newaxes = 0;
  int axis = 0, source_axis = 0; /* axis in the view so far, without new axes; axis in x */
  for (int i = 0; i < n; i++) {
    int64_t start, count, step;
    switch (items[i].kind) {
    case TSR_SLICE_INDEX:
      if (!apply_index(e, axis, source_axis++, items[i].start)) return false;
      break;
    case TSR_SLICE_RANGE:
      range_of_slice(&items[i], e->view->shape[axis], &start, &count, &step);
      tsr__view_slice(e->view, axis++, start, count, step);
      source_axis++;
      break;
    case TSR_SLICE_NEWAXIS:
      newaxes[n_newaxes] = axis + n_newaxes;
      n_newaxes++;
      break;
    default:
      axis += skipped;
      source_axis += skipped;
    }
  }
  /* New axes are added after the indices are applied; before, there could be more than TSR_MAX_NDIM
   * axes. */
  for (int i = 0; i < n_newaxes; i++) tsr__view_newaxis(e->view, newaxes[i]);
  return true;
}

static bool check_items(tsr_edit *e, int n, const tsr_slice_item *items, item_counts *counts)
{
  const char *defect = n < 0             ? "a negative number of items"
                       : n > 0 && !items ? "items are NULL"
                                         : NULL;
  for (int i = 0; i < n && !defect; i++)
    if (items[i].kind < TSR_SLICE_RANGE || items[i].kind > TSR_SLICE_ELLIPSIS)
      defect = "an item is of no known kind";
  if (defect) {
    tsr__edit_fail(e, tsr__fail_begin(e->c, e->where, TSR_ERR_ARGUMENT, "%s", defect));
    return false;
  }
  int ndim = e->view->ndim;
  *counts = count_items(ndim, n, items);
  tsr_error *error;
  bool zero_step = false;
  for (int i = 0; i < n; i++) {
    zero_step |= items[i].kind == TSR_SLICE_RANGE && items[i].has_step && items[i].step == 0;
  }
  if (n > TSR_SLICE_MAX_ITEMS || counts->ellipses > 1 || zero_step)
    error = tsr__fail_begin(e->c, e->where, TSR_ERR_ARGUMENT,
                            zero_step              ? "a slice with a step of 0"
                            : counts->ellipses > 1 ? "a slice with two ellipses"
                                                   : "a slice of too many items");
  else if (counts->taken > ndim)
    error =
        tsr__fail_begin(e->c, e->where, TSR_ERR_SHAPE, "too many indices: %d for an array of %d %s",
                        counts->taken, ndim, ndim == 1 ? "axis" : "axes");
  else if (counts->result > TSR_MAX_NDIM)
    error =
        tsr__fail_begin(e->c, e->where, TSR_ERR_SHAPE, "a view of %d axes; at most %d are possible",
                        counts->result, TSR_MAX_NDIM);
  else
    return true;
  tsr__edit_fail(e, error);
  return false;
}

tsr_array tsr__slice_items(const tsr_location *where, tsr_array x, int n,
                           const tsr_slice_item *items)
{
  tsr_edit e;
  item_counts counts;
  if (!tsr__edit_begin(&e, where, x) || !check_items(&e, n, items, &counts)) return tsr_null();
  int skipped = counts.ellipses ? e.view->ndim - counts.taken : 0;
  if (!apply_items(&e, n, items, skipped)) return tsr_null();
  return tsr__edit_end(&e);
}

/* Notes where the items begin, and their axes. The items have made a view, so the indices are in
 * range. */
static void note_items(tsr_slice_memo *memo, int n, const tsr_slice_item *items)
{
  const tsr_view *of = &memo->of->view;
  const int skipped = of->ndim - count_items(0, n, items).taken;
  int axis = 0, made_axis = 0;
  memo->any_step = false;
  for (int i = 0; i < n; i++) {
    const int kind = items[i].kind;
    const bool is_range = kind == TSR_SLICE_RANGE, takes = is_range || kind == TSR_SLICE_INDEX;
    int64_t count, step;
    memo->axis[i] = takes ? axis : -1;
    memo->made_axis[i] = is_range ? made_axis : -1;
    memo->at[i] = items[i].start;
    if (is_range)
      range_of_slice(&items[i], of->shape[axis], &memo->at[i], &count, &step);
    else if (takes && items[i].start < 0)
      memo->at[i] += of->shape[axis];
    memo->any_step |= is_range && items[i].has_step;
    axis += takes ? 1 : kind == TSR_SLICE_ELLIPSIS ? skipped : 0;
    made_axis += is_range || kind == TSR_SLICE_NEWAXIS ? 1
                 : kind == TSR_SLICE_ELLIPSIS          ? skipped
                                                       : 0;
  }
}

/* Where an item begins now, and of a range how long it is. False: an index is out of range. */
static inline bool place_item(const tsr_slice_item *item, int64_t length, int64_t *begin,
                              int64_t *count)
{
  int64_t step;
  if (item->kind == TSR_SLICE_RANGE) {
    range_of_slice(item, length, begin, count, &step);
    return true;
  }
  *begin = item->start < 0 ? item->start + length : item->start;
  return *begin >= 0 && *begin < length;
}

/* Moves the memo's view to other indices and other ends of ranges. Returns false if an index is out
 * of range; the memo is invalid then. */
static inline bool memo_move(tsr_slice_memo *memo, int n, const tsr_slice_item *items)
{
  const tsr_view *of = &memo->of->view;
  tsr_view_ref *ref = tsr__view_ref_moved(memo->made);
  tsr__view_ref_drop(memo->made);
  memo->made = ref;
  for (int i = 0; i < n; i++) {
    const int axis = memo->axis[i], made_axis = memo->made_axis[i];
    int64_t begin, count;
    if (axis < 0 || items[i].has_step) continue;
    if (!place_item(&items[i], of->shape[axis], &begin, &count)) return false;
    const int64_t moved = begin - memo->at[i];
    memo->at[i] = begin;
    for (int k = 0; k < of->rdim; k++) ref->view.offset[k] += of->step[k][axis] * moved;
    if (made_axis >= 0) tsr__view_ref_resize(ref, made_axis, count, memo->of);
  }
  return true;
}

tsr_array tsr__slice_again(const tsr_location *where, tsr_array x, int n,
                           const tsr_slice_item *items, tsr_slice_change change,
                           tsr_slice_memo *memo)
{
  tsr_context *c = tsr__context(where);
  const tsr_handle *s = tsr__handle(c, where, x);
  if (!s) { /* The caller has already stored the new numbers, which do not match the memo. */
    tsr__slice_forget(memo);
    return tsr_null();
  }
  if (memo->of == s->view && (change != TSR_SLICE_OTHER || !memo->any_step) &&
      (change == TSR_SLICE_SAME || memo_move(memo, n, items)))
    return tsr__array_of(c, where, s, memo->made);
  tsr__slice_forget(memo);
  tsr_array made = tsr__slice_items(where, x, n, items);
  const tsr_handle *m = tsr__handle_peek(c, made);
  if (m && n <= TSR_FORM_ITEMS) {
    memo->of = tsr__view_ref_take(s->view);
    memo->made = tsr__view_ref_take(m->view);
    note_items(memo, n, items);
  }
  return made;
}

tsr_array tsr_slice_items_at(const tsr_location *where, tsr_array x, int n,
                             const tsr_slice_item *items)
{
  return tsr__slice_items(where, x, n, items);
}

/* Slices by a text that is not in the cache. The text may not parse. */
static tsr_array slice_parsed(tsr_context *c, const tsr_location *where, tsr_array x,
                              const char *text, int n_ints, const int64_t *ints)
{
  tsr_slice_item items[TSR_SLICE_MAX_ITEMS];
  int64_t *positions[TSR_SLICE_MAX_ITEMS * 3];
  int n = 0;
  size_t at = 0;
  char why[160] = "";
  tsr_status status =
      tsr__slice_parse(text, n_ints, ints, positions, items, &n, &at, why, sizeof why);
  if (status == TSR_OK) {
    tsr__slice_keep(&c->slices, where, text, n_ints, positions, n, items);
    return tsr__slice_items(where, x, n, items);
  }
  tsr_error *e = tsr__fail_begin(c, where, status, "%s", why);
  tsr__error_caret(e, text, at);
  tsr__note_operand(c, e, where, 0, tsr_box_array(x));
  tsr__fail_end(c);
  return tsr_null();
}

tsr_array tsr_slice_at(const tsr_location *where, tsr_array x, const char *text, int n_ints,
                       const int64_t *ints)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  if (!tsr_ok(x)) { /* a wrong handle is reported before a wrong text */
    tsr__fail_handle(c, where, x);
    return tsr_null();
  }
  if (!text) {
    tsr__fail(c, where, TSR_ERR_ARGUMENT, "the slice's text is NULL");
    return tsr_null();
  }
  tsr_slice_form *form = tsr__slice_form(c->slices, where, text, n_ints);
  if (!form) return slice_parsed(c, where, x, text, n_ints, ints);
  bool same = true;
  for (int i = 0; i < n_ints; i++) {
    same &= *form->positions[i] == ints[i];
    *form->positions[i] = ints[i];
  }
  const tsr_slice_change change = same                 ? TSR_SLICE_SAME
                                  : form->only_indices ? TSR_SLICE_MOVED
                                                       : TSR_SLICE_OTHER;
  return tsr__slice_again(where, x, form->n_items, form->items, change, &form->memo);
}

int tsr__edit_axis(tsr_edit *e, int axis, int ndim)
{
  int normal;
  tsr_error *error = tsr__normal_axis(e->c, e->where, "", axis, ndim, &normal);
  if (!error) return normal;
  tsr__edit_fail(e, error);
  return -1;
}

bool tsr__edit_axes(tsr_edit *e, const tsr_axes *axes, int ndim, int *out, uint32_t *mask)
{
  tsr_error *error = tsr__normal_axes(e->c, e->where, "", axes->n, axes->axis, ndim, out, mask);
  if (error) tsr__edit_fail(e, error);
  return !error;
}

/* Turns all axes round, by a view that the next call like it shares. */
static tsr_array reversed(const tsr_location *where, tsr_array x)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  const tsr_handle *s = tsr__handle(c, where, x);
  if (!s) return tsr_null();
  tsr_view_ref *view = tsr__view_ref_transposed(s->view);
  const tsr_array made = tsr__array_of(c, where, s, view);
  tsr__view_ref_drop(view);
  return made;
}

tsr_array tsr_transpose_at(const tsr_location *where, tsr_array x, tsr_axes axes)
{
  tsr_edit e;
  if (!tsr__only_axes(tsr__context(where), where, &axes)) return tsr_null();
  if (axes.n < 0) return reversed(where, x);
  if (!tsr__edit_begin(&e, where, x)) return tsr_null();
  uint32_t mask;
  int perm[TSR_MAX_NDIM], ndim = e.view->ndim;
  if (axes.n != ndim)
    return tsr__edit_fail(&e, tsr__fail_begin(e.c, where, TSR_ERR_AXIS,
                                              "%d axes are named, the array has %d", axes.n, ndim));
  if (!tsr__edit_axes(&e, &axes, ndim, perm, &mask)) return tsr_null();
  tsr__view_transpose(e.view, perm);
  return tsr__edit_end(&e);
}

tsr_array tsr_flip_at(const tsr_location *where, tsr_array x, tsr_axes axes)
{
  tsr_edit e;
  if (!tsr__only_axes(tsr__context(where), where, &axes)) return tsr_null();
  if (!tsr__edit_begin(&e, where, x)) return tsr_null();
  uint32_t mask;
  if (!tsr__edit_axes(&e, &axes, e.view->ndim, NULL, &mask)) return tsr_null();
  for (int k = 0; k < e.view->ndim; k++)
    if (axes.n < 0 || mask >> k & 1) tsr__view_flip(e.view, k);
  return tsr__edit_end(&e);
}

tsr_array tsr__broadcast(const tsr_location *where, tsr_array x, tsr_dims shape)
{
  tsr_edit e;
  if (!tsr__edit_begin(&e, where, x)) return tsr_null();
  if (tsr__checked_view_size(e.c, where, &shape, e.handle->region->dtype) < 0) {
    tsr__view_ref_drop(e.ref);
    tsr__call_end(&e.c);
    return tsr_null();
  }
  if (!tsr__view_broadcast(e.view, shape.ndim, shape.n)) {
    char from[256], to[256];
    tsr_error *error =
        tsr__fail_begin(e.c, where, TSR_ERR_BROADCAST, "shape %s does not broadcast to %s",
                        tsr__shape_text(e.view->ndim, e.view->shape, from, sizeof from),
                        tsr__shape_text(shape.ndim, shape.n, to, sizeof to));
    return tsr__edit_fail(&e, error);
  }
  return tsr__edit_end(&e);
}

tsr_array tsr_broadcast_to_at(const tsr_location *where, tsr_array x, tsr_dims shape)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  const tsr_array made = tsr__broadcast(where, x, shape);
  if (tsr_ok(made)) tsr__handle_peek(c, made)->read_only = true;
  return made;
}

tsr_array tsr_diagonal_at(const tsr_location *where, tsr_array x, int64_t offset, int axis1,
                          int axis2)
{
  tsr_edit e;
  if (!tsr__edit_begin(&e, where, x)) return tsr_null();
  if (e.view->ndim < 2)
    return tsr__edit_fail(&e, tsr__fail_begin(e.c, where, TSR_ERR_SHAPE,
                                              "the diagonal of an array of %d %s", e.view->ndim,
                                              e.view->ndim == 1 ? "axis" : "axes"));
  int a = tsr__edit_axis(&e, axis1, e.view->ndim);
  int b = a < 0 ? -1 : tsr__edit_axis(&e, axis2, e.view->ndim);
  if (b < 0) return tsr_null();
  if (a == b)
    return tsr__edit_fail(
        &e, tsr__fail_begin(e.c, where, TSR_ERR_AXIS, "axis %d is named twice", axis2));
  tsr__view_diagonal(e.view, offset, a, b);
  return tsr__edit_end(&e);
}

tsr_array tsr__expand_dims(const tsr_location *where, tsr_array x, int axis)
{
  tsr_edit e;
  if (!tsr__edit_begin(&e, where, x)) return tsr_null();
  if (e.view->ndim == TSR_MAX_NDIM)
    return tsr__edit_fail(&e, tsr__fail_begin(e.c, where, TSR_ERR_SHAPE,
                                              "a view of %d axes; at most %d are possible",
                                              e.view->ndim + 1, TSR_MAX_NDIM));
  int at = tsr__edit_axis(&e, axis, e.view->ndim + 1);
  if (at < 0) return tsr_null();
  tsr__view_newaxis(e.view, at);
  return tsr__edit_end(&e);
}

tsr_array tsr_expand_dims_at(const tsr_location *where, tsr_array x, tsr_axes axes)
{
  tsr_edit e;
  if (!tsr__only_axes(tsr__context(where), where, &axes)) return tsr_null();
  if (axes.n == 1) return tsr__expand_dims(where, x, axes.axis[0]);
  if (!tsr__edit_begin(&e, where, x)) return tsr_null();
  const int ndim = e.view->ndim + (axes.n < 0 ? 0 : axes.n);
  if (ndim > TSR_MAX_NDIM)
    return tsr__edit_fail(&e, tsr__fail_begin(e.c, where, TSR_ERR_SHAPE,
                                              "a view of %d axes; at most %d are possible", ndim,
                                              TSR_MAX_NDIM));
  uint32_t is_new;
  if (!tsr__edit_axes(&e, &axes, ndim, NULL, &is_new)) return tsr_null();
  for (int k = 0; k < ndim; k++) /* in order, so that each is added at its final position */
    if (is_new >> k & 1) tsr__view_newaxis(e.view, k);
  return tsr__edit_end(&e);
}

tsr_array(tsr_slice)(tsr_array x, const char *text)
{
  static const tsr_location site = {.op = "tsr_slice"};
  return tsr_slice_at(&site, x, text, 0, NULL);
}
