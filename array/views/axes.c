/* Views that only move, drop or add axes, composed of the edits of views.c. */
#include "array/core/steps.h"
#include "array/views/view_edit.h"
#include "runtime/base/alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

tsr_array tsr_squeeze_at(const tsr_location *where, tsr_array x, tsr_axes axes)
{
  tsr_edit e;
  int named[TSR_MAX_NDIM];
  if (!tsr__only_axes(tsr__context(where), where, &axes)) return tsr_null();
  if (!tsr__edit_begin(&e, where, x)) return tsr_null();
  uint32_t drop;
  if (!tsr__edit_axes(&e, &axes, e.view->ndim, named, &drop)) return tsr_null();
  for (int k = 0; axes.n < 0 && k < e.view->ndim; k++)
    drop |= (uint32_t)(e.view->shape[k] == 1) << k;
  for (int i = 0; i < axes.n; i++) {
    if (e.view->shape[named[i]] == 1) continue;
    tsr_error *error =
        tsr__fail_begin(e.c, where, TSR_ERR_SHAPE, "axis %d has length %" PRId64 ", not 1",
                        axes.axis[i], e.view->shape[named[i]]);
    tsr__error_help(error, "without axes, tsr_squeeze drops those of length 1");
    return tsr__edit_fail(&e, error);
  }
  for (int k = e.view->ndim - 1; k >= 0; k--)
    if (drop >> k & 1) tsr__view_index(e.view, k, 0);
  return tsr__edit_end(&e);
}

tsr_array tsr_moveaxis_at(const tsr_location *where, tsr_array x, tsr_axes source,
                          tsr_axes destination)
{
  tsr_edit e;
  int from[TSR_MAX_NDIM], to[TSR_MAX_NDIM], perm[TSR_MAX_NDIM];
  if (!tsr__only_axes(tsr__context(where), where, &source) ||
      !tsr__only_axes(tsr__context(where), where, &destination))
    return tsr_null();
  if (!tsr__edit_begin(&e, where, x)) return tsr_null();
  int ndim = e.view->ndim;
  if (source.n != destination.n)
    return tsr__edit_fail(&e, tsr__fail_begin(e.c, where, TSR_ERR_AXIS,
                                              "%d axes are to move to %d places", source.n,
                                              destination.n));
  uint32_t moved, taken;
  if (!tsr__edit_axes(&e, &source, ndim, from, &moved) ||
      !tsr__edit_axes(&e, &destination, ndim, to, &taken))
    return tsr_null();
  for (int i = 0; i < source.n; i++) perm[to[i]] = from[i];
  for (int k = 0, rest = 0; k < ndim; k++) {
    if (taken >> k & 1) continue;
    while (moved >> rest & 1) rest++;
    perm[k] = rest++;
  }
  tsr__view_transpose(e.view, perm);
  return tsr__edit_end(&e);
}

tsr_array tsr_swapaxes_at(const tsr_location *where, tsr_array x, int axis1, int axis2)
{
  tsr_edit e;
  int perm[TSR_MAX_NDIM];
  if (!tsr__edit_begin(&e, where, x)) return tsr_null();
  int a = tsr__edit_axis(&e, axis1, e.view->ndim);
  int b = a < 0 ? -1 : tsr__edit_axis(&e, axis2, e.view->ndim);
  if (b < 0) return tsr_null();
  for (int k = 0; k < e.view->ndim; k++) perm[k] = k == a ? b : k == b ? a : k;
  tsr__view_transpose(e.view, perm);
  return tsr__edit_end(&e);
}

static tsr_array flip_one(const tsr_location *where, tsr_array x, int axis)
{
  tsr_edit e;
  if (!tsr__edit_begin(&e, where, x)) return tsr_null();
  if (e.view->ndim <= axis)
    return tsr__edit_fail(&e, tsr__fail_begin(e.c, where, TSR_ERR_SHAPE,
                                              "an array of %d %s, where %d or more are needed",
                                              e.view->ndim, e.view->ndim == 1 ? "axis" : "axes",
                                              axis + 1));
  tsr__view_flip(e.view, axis);
  return tsr__edit_end(&e);
}

tsr_array tsr_flipud_at(const tsr_location *where, tsr_array x)
{
  return flip_one(where, x, 0);
}

tsr_array tsr_fliplr_at(const tsr_location *where, tsr_array x)
{
  return flip_one(where, x, 1);
}

tsr_array tsr_rot90_at(const tsr_location *where, tsr_array x, int k, tsr_axes axes)
{
  tsr_edit e;
  int plane[TSR_MAX_NDIM] = {0, 1}, perm[TSR_MAX_NDIM];
  uint32_t mask;
  if (!tsr__only_axes(tsr__context(where), where, &axes)) return tsr_null();
  if (!tsr__edit_begin(&e, where, x)) return tsr_null();
  if (axes.n < 0) axes = (tsr_axes){.n = 2, .axis = {0, 1}};
  if (axes.n != 2)
    return tsr__edit_fail(
        &e, tsr__fail_begin(e.c, where, TSR_ERR_AXIS, "a rotation takes 2 axes, not %d", axes.n));
  if (!tsr__edit_axes(&e, &axes, e.view->ndim, plane, &mask)) return tsr_null();
  int turns = (k % 4 + 4) % 4, a = plane[0], b = plane[1];
  if (turns == 1 || turns == 2) tsr__view_flip(e.view, b);
  if (turns == 2) tsr__view_flip(e.view, a);
  if (turns % 2 == 1) {
    for (int j = 0; j < e.view->ndim; j++) perm[j] = j == a ? b : j == b ? a : j;
    tsr__view_transpose(e.view, perm);
  }
  if (turns == 3) tsr__view_flip(e.view, b);
  return tsr__edit_end(&e);
}

/* Adds axes where NumPy's atleast_2d and atleast_3d add them: 1-d (n) becomes (1, n) and (1, n, 1),
 * 2-d (m, n) becomes (m, n, 1). */
static tsr_array at_least(const tsr_location *where, tsr_operand x, int ndim)
{
  tsr_value value;
  tsr_steps w = tsr__steps_begin(where);
  if (!tsr__as_array(w.c, where, x, &value)) return tsr__steps_end(&w, tsr_null());
  tsr_view_ref *ref = tsr__view_ref_new(&w.c->window, &value.view->view);
  if (ref->view.ndim == 2 && ndim == 3) tsr__view_newaxis(&ref->view, 2);
  bool line = ref->view.ndim == 1;
  while (ref->view.ndim < ndim) tsr__view_newaxis(&ref->view, line && ref->view.ndim == 2 ? 2 : 0);
  const tsr_handle *s = x.kind == TSR_OPERAND_ARRAY ? tsr__handle_peek(w.c, x.as.array) : NULL;
  tsr_array array =
      s ? tsr__array_of(w.c, where, s, ref) : tsr__array_new(w.c, where, value.region, ref);
  tsr__view_ref_drop(ref);
  return tsr__steps_end(&w, array);
}

tsr_array tsr_atleast_1d_at(const tsr_location *where, tsr_operand x)
{
  return at_least(where, x, 1);
}

tsr_array tsr_atleast_2d_at(const tsr_location *where, tsr_operand x)
{
  return at_least(where, x, 2);
}

tsr_array tsr_atleast_3d_at(const tsr_location *where, tsr_operand x)
{
  return at_least(where, x, 3);
}

enum { MOST_ARRAYS = 4096 };

tsr_status tsr_broadcast_arrays_at(const tsr_location *where, tsr_array *out, tsr_arrays arrays)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  if (arrays.n < 0 || arrays.n > MOST_ARRAYS)
    return tsr__fail(c, where, TSR_ERR_ARGUMENT, "%d arrays; at most %d are possible", arrays.n,
                     MOST_ARRAYS);
  if (arrays.n > 0) TSR_TRY(tsr__check_given(c, where, out, "place for the views"));
  TSR_TRY(tsr__check_arrays(c, where, &arrays));
  tsr_value *values = tsr__calloc((size_t)arrays.n + 1, sizeof *values);
  tsr_operand *operands = tsr__calloc((size_t)arrays.n + 1, sizeof *operands);
  tsr_dims shape;
  tsr_status status = TSR_OK;
  for (int i = 0; i < arrays.n && status == TSR_OK; i++) {
    operands[i] = tsr_box_array(arrays.v[i]);
    if (!tsr__value_of(c, where, operands[i], &values[i])) status = TSR_ERR_HANDLE;
  }
  if (status == TSR_OK && !tsr__broadcast_shape(c, where, arrays.n, values, operands, &shape))
    status = TSR_ERR_BROADCAST;
  free(values);
  free(operands);
  for (int i = 0; i < arrays.n && status == TSR_OK; i++)
    out[i] = tsr__broadcast(where, arrays.v[i], shape);
  return status;
}

tsr_status tsr_meshgrid_at(const tsr_location *where, tsr_array *out, tsr_arrays arrays,
                           const char *indexing)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  bool ij = indexing && !strcmp(indexing, "ij"), xy = indexing && !strcmp(indexing, "xy");
  if (!ij && !xy)
    return tsr__fail(c, where, TSR_ERR_ARGUMENT, "the indexing is \"%s\", not \"xy\" or \"ij\"",
                     indexing ? indexing : "NULL");
  if (arrays.n < 0 || arrays.n > TSR_MAX_NDIM)
    return tsr__fail(c, where, TSR_ERR_SHAPE, "a grid of %d axes; at most %d are possible",
                     arrays.n, TSR_MAX_NDIM);
  if (arrays.n > 0) TSR_TRY(tsr__check_given(c, where, out, "place for the views"));
  TSR_TRY(tsr__check_arrays(c, where, &arrays));
  tsr_dims shape = {.ndim = arrays.n};
  tsr_dtype widest = TSR_DTYPE_BOOL;
  for (int i = 0; i < arrays.n; i++) {
    const tsr_handle *s = tsr__handle(c, where, arrays.v[i]);
    if (!s) return TSR_ERR_HANDLE;
    if (tsr__dtype_size(s->region->dtype) > tsr__dtype_size(widest)) widest = s->region->dtype;
    int axis = xy && i < 2 && arrays.n > 1 ? 1 - i : i;
    shape.n[axis] = tsr__view_size(&s->view->view);
  }
  if (tsr__checked_size(c, where, &shape, widest) < 0) return TSR_ERR_SIZE;
  tsr_steps w = tsr__steps_begin(where);
  tsr_status status = TSR_OK;
  for (int i = 0; i < arrays.n && status == TSR_OK; i++) {
    tsr_edit e;
    int axis = xy && i < 2 && arrays.n > 1 ? 1 - i : i;
    if (!tsr__edit_begin(&e, where, tsr_ravel_at(where, arrays.v[i]))) {
      status = c->last_status;
      break;
    }
    for (int k = axis + 1; k < arrays.n; k++) tsr__view_newaxis(e.view, 1);
    tsr__view_broadcast(e.view, shape.ndim, shape.n);
    out[i] = tsr__steps_keep(&w, tsr__edit_end(&e));
  }
  tsr__steps_end(&w, tsr_null());
  return status;
}
