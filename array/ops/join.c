/* Joins and splits arrays. A joined array is made without values, and each part is assigned to its
 * place in it. So there are no temporaries, and a part that is the result of an operation is
 * computed in its place. */
#include "array/ops/join.h"
#include "runtime/base/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

tsr_array tsr__uninitialised(const tsr_steps *w, tsr_dtype dtype, const tsr_dims *shape)
{
  if (tsr__checked_size(w->c, w->where, shape, dtype) < 0) return tsr_null();
  tsr_new made = tsr__make(w->c, w->where, dtype, shape);
  tsr__fill(w->c, w->where, (tsr_scalar){.dtype = TSR_DTYPE_BOOL}, &made);
  return made.array;
}

/* Returns the view of a box of x. */
static tsr_array part_of_box(const tsr_steps *w, tsr_array x, const int64_t *lo, const int64_t *n)
{
  tsr_edit e;
  if (!tsr__edit_begin(&e, w->where, x)) return tsr_null();
  for (int k = 0; k < e.view->ndim; k++) tsr__view_slice(e.view, k, lo[k], n[k], 1);
  return tsr__edit_end(&e);
}

bool tsr__put(const tsr_steps *w, tsr_array target, const int64_t *lo, const int64_t *n,
              tsr_operand value)
{
  tsr_array part = part_of_box(w, target, lo, n);
  return tsr_ok(part) && tsr_assign_at(w->where, part, value) == TSR_OK;
}

/* Returns the view of x at an index of an axis, which the view lacks. */
static tsr_array plane_of(const tsr_steps *w, tsr_array x, int axis, int64_t at)
{
  tsr_edit e;
  if (!tsr__edit_begin(&e, w->where, x)) return tsr_null();
  tsr__view_index(e.view, axis, at);
  return tsr__edit_end(&e);
}

/* Puts an array into its place along the axis that is joined. One that has a single index there is
 * put without that axis, so that it is computed together with the others that it is stacked with. */
static bool put_part(const tsr_steps *w, tsr_array target, tsr_array x, int axis, const int64_t *lo)
{
  const tsr_dims part = tsr__dims_of(w->c, x);
  if (part.ndim < 2 || part.n[axis] != 1) return tsr__put(w, target, lo, part.n, tsr_box_array(x));
  tsr_array to = plane_of(w, target, axis, lo[axis]), from = plane_of(w, x, axis, 0);
  return tsr_ok(to) && tsr_ok(from) && tsr_assign_at(w->where, to, tsr_box_array(from)) == TSR_OK;
}

static void fail_shapes(const tsr_steps *w, const tsr_arrays *a, int at, const char *why)
{
  char first[256], other[256];
  tsr_dims x = tsr__dims_of(w->c, a->v[0]), y = tsr__dims_of(w->c, a->v[at]);
  tsr_error *e =
      tsr__fail_begin(w->c, w->where, TSR_ERR_SHAPE, "cannot join shapes %s and %s: array %d %s",
                      tsr__shape_text(x.ndim, x.n, first, sizeof first),
                      tsr__shape_text(y.ndim, y.n, other, sizeof other), at, why);
  tsr__error_rule(e, "all lengths but those along the axis that is joined must agree");
  tsr__fail_end(w->c);
}

/* Finds the arrays' common dtype and joined shape; returns false with an error. */
static bool joined(const tsr_steps *w, const tsr_arrays *a, int axis, tsr_dims *shape,
                   tsr_dtype *dtype)
{
  char why[64];
  for (int i = 0; i < a->n; i++) {
    const tsr_handle *s = tsr__handle(w->c, w->where, a->v[i]);
    if (!s) return false;
    tsr_dims of = tsr__dims_of(w->c, a->v[i]);
    *dtype = i == 0 ? s->region->dtype : tsr__dtype_promote(*dtype, s->region->dtype);
    if (i == 0) *shape = of;
    if (i > 0 && of.ndim != shape->ndim) {
      snprintf(why, sizeof why, "has %d %s, not %d", of.ndim, of.ndim == 1 ? "axis" : "axes",
               shape->ndim);
      fail_shapes(w, a, i, why);
      return false;
    }
    for (int k = 0; i > 0 && k < of.ndim; k++) {
      if (k == axis) {
        if (__builtin_add_overflow(shape->n[k], of.n[k], &shape->n[k])) shape->n[k] = INT64_MAX;
      } else if (of.n[k] != shape->n[k]) {
        snprintf(why, sizeof why, "differs along axis %d", k);
        fail_shapes(w, a, i, why);
        return false;
      }
    }
  }
  return true;
}

static tsr_array concatenate(const tsr_steps *w, const tsr_arrays *a, int axis);

static tsr_array concatenate_flat(const tsr_steps *w, const tsr_arrays *a)
{
  tsr_array *v = tsr__calloc((size_t)a->n, sizeof *v);
  bool ok = true;
  for (int i = 0; i < a->n && ok; i++) {
    v[i] = tsr_ravel_at(w->where, a->v[i]);
    ok = tsr_ok(v[i]);
  }
  const tsr_arrays flat = {.n = a->n, .v = v};
  tsr_array made = ok ? concatenate(w, &flat, 0) : tsr_null();
  free(v);
  return made;
}

static tsr_array concatenate(const tsr_steps *w, const tsr_arrays *a, int axis)
{
  tsr_dims shape;
  tsr_dtype dtype = TSR_DTYPE_BOOL;
  if (a->n < 1) {
    tsr__fail(w->c, w->where, TSR_ERR_ARGUMENT, "no arrays to join");
    return tsr_null();
  }
  if (tsr__check_arrays(w->c, w->where, a) < 0) return tsr_null();
  if (axis == TSR_FLAT) return concatenate_flat(w, a);
  if (!tsr__handle(w->c, w->where, a->v[0])) return tsr_null();
  shape = tsr__dims_of(w->c, a->v[0]);
  if (shape.ndim == 0) {
    tsr__fail_on(w->c, w->where, TSR_ERR_SHAPE, 0, NULL, "tsr_stack makes an axis of them",
                 "arrays without axes cannot be concatenated");
    return tsr_null();
  }
  axis = tsr__step_axis(w, NULL, axis, shape.ndim);
  if (axis < 0 || !joined(w, a, axis, &shape, &dtype)) return tsr_null();
  tsr_array made = tsr__uninitialised(w, dtype, &shape);
  int64_t lo[TSR_MAX_NDIM] = {0};
  for (int i = 0; i < a->n && tsr_ok(made); i++) {
    if (!put_part(w, made, a->v[i], axis, lo)) made = tsr_null();
    lo[axis] += tsr__dims_of(w->c, a->v[i]).n[axis];
  }
  return made;
}

tsr_array tsr_concatenate_at(const tsr_location *where, tsr_arrays arrays, int axis)
{
  tsr_steps w = tsr__steps_begin(where);
  return tsr__steps_end(&w, concatenate(&w, &arrays, axis));
}

/** The change that a stack function makes to each array before the concatenation. */
typedef tsr_array (*stack_change)(const tsr_steps *w, tsr_array x, int axis);

static tsr_array new_axis(const tsr_steps *w, tsr_array x, int axis)
{
  return tsr__expand_dims(w->where, x, axis);
}

static tsr_array at_least_1d(const tsr_steps *w, tsr_array x, int axis)
{
  (void)axis;
  return tsr_atleast_1d_at(w->where, tsr_box_array(x));
}

static tsr_array at_least_2d(const tsr_steps *w, tsr_array x, int axis)
{
  (void)axis;
  return tsr_atleast_2d_at(w->where, tsr_box_array(x));
}

static tsr_array at_least_3d(const tsr_steps *w, tsr_array x, int axis)
{
  (void)axis;
  return tsr_atleast_3d_at(w->where, tsr_box_array(x));
}

/* A vector, or a number, is a column. */
static tsr_array as_column(const tsr_steps *w, tsr_array x, int axis)
{
  (void)axis;
  if (!tsr__handle(w->c, w->where, x)) return tsr_null();
  for (int n = tsr__dims_of(w->c, x).ndim; n < 2 && tsr_ok(x); n++)
    x = tsr__expand_dims(w->where, x, n);
  return x;
}

static tsr_array stack_of(const tsr_steps *w, const tsr_arrays *a, int axis, stack_change change)
{
  if (tsr__check_arrays(w->c, w->where, a) < 0) return tsr_null();
  tsr_array *v = tsr__calloc((size_t)(a->n > 0 ? a->n : 0) + 1, sizeof *v);
  bool ok = true;
  for (int i = 0; i < a->n && ok; i++) {
    v[i] = change(w, a->v[i], axis);
    ok = tsr_ok(v[i]);
  }
  const tsr_arrays changed = {.n = a->n, .v = v};
  if (axis == TSR_HSTACK) axis = a->n > 0 && tsr__dims_of(w->c, v[0]).ndim == 1 ? 0 : 1;
  tsr_array made = ok ? concatenate(w, &changed, axis) : tsr_null();
  free(v);
  return made;
}

tsr_array tsr_stack_at(const tsr_location *where, tsr_arrays arrays, int axis)
{
  tsr_steps w = tsr__steps_begin(where);
  tsr_dims first = {0}, other;
  bool ok = tsr__check_arrays(w.c, where, &arrays) == TSR_OK;
  for (int i = 0; i < arrays.n && ok; i++) {
    ok = tsr__handle(w.c, where, arrays.v[i]) != NULL;
    other = tsr__dims_of(w.c, arrays.v[i]);
    if (i == 0) first = other;
    if (!ok || tsr__same_shape(&other, &first)) continue;
    fail_shapes(&w, &arrays, i, "has another shape");
    ok = false;
  }
  if (ok && arrays.n > 0) ok = (axis = tsr__step_axis(&w, NULL, axis, first.ndim + 1)) >= 0;
  return tsr__steps_end(&w, ok ? stack_of(&w, &arrays, axis, new_axis) : tsr_null());
}

tsr_array tsr_vstack_at(const tsr_location *where, tsr_arrays arrays)
{
  tsr_steps w = tsr__steps_begin(where);
  return tsr__steps_end(&w, stack_of(&w, &arrays, 0, at_least_2d));
}

tsr_array tsr_hstack_at(const tsr_location *where, tsr_arrays arrays)
{
  tsr_steps w = tsr__steps_begin(where);
  return tsr__steps_end(&w, stack_of(&w, &arrays, TSR_HSTACK, at_least_1d));
}

tsr_array tsr_column_stack_at(const tsr_location *where, tsr_arrays arrays)
{
  tsr_steps w = tsr__steps_begin(where);
  return tsr__steps_end(&w, stack_of(&w, &arrays, 1, as_column));
}

tsr_array tsr_dstack_at(const tsr_location *where, tsr_arrays arrays)
{
  tsr_steps w = tsr__steps_begin(where);
  return tsr__steps_end(&w, stack_of(&w, &arrays, 2, at_least_3d));
}

/* Finds the shape of what is split, and brings the axis into [0, ndim). */
static tsr_status find_axis(const tsr_steps *w, tsr_array x, tsr_dims *shape, int *axis)
{
  *shape = tsr__dims_of(w->c, x);
  if (!tsr__handle(w->c, w->where, x)) return TSR_ERR_HANDLE;
  *axis = tsr__step_axis(w, NULL, *axis, shape->ndim);
  return *axis < 0 ? TSR_ERR_AXIS : TSR_OK;
}

static tsr_status split(const tsr_location *where, tsr_array *out, tsr_array x, int64_t sections,
                        int axis, bool equal)
{
  tsr_steps w = tsr__steps_begin(where);
  tsr_dims shape;
  tsr_status status = find_axis(&w, x, &shape, &axis);
  if (status == TSR_OK) status = tsr__check_given(w.c, where, out, "place for the parts");
  if (status == TSR_OK && sections < 1)
    status = tsr__fail(w.c, where, TSR_ERR_ARGUMENT, "%" PRId64 " sections; there is 1 or more",
                       sections);
  if (status == TSR_OK && equal && shape.n[axis] % sections != 0) {
    status = tsr__fail_on(
        w.c, where, TSR_ERR_SHAPE, 0, NULL, "tsr_array_split makes the first ones longer",
        "axis %d of length %" PRId64 " does not divide into %" PRId64 " equal sections", axis,
        shape.n[axis], sections);
  }
  int64_t lo[TSR_MAX_NDIM] = {0};
  tsr_dims part = shape;
  for (int64_t i = 0; i < sections && status == TSR_OK; i++) {
    part.n[axis] = shape.n[axis] / sections + (i < shape.n[axis] % sections);
    out[i] = tsr__steps_keep(&w, part_of_box(&w, x, lo, part.n));
    lo[axis] += part.n[axis];
  }
  tsr__steps_end(&w, tsr_null());
  return status;
}

tsr_status tsr_split_at(const tsr_location *where, tsr_array *out, tsr_array x, int64_t sections,
                        int axis)
{
  return split(where, out, x, sections, axis, true);
}

tsr_status tsr_array_split_at(const tsr_location *where, tsr_array *out, tsr_array x,
                              int64_t sections, int axis)
{
  return split(where, out, x, sections, axis, false);
}

/* Returns where the bound of a slice lies in an axis. */
static int64_t bound_in(int64_t index, int64_t length)
{
  const int64_t from_start = index < 0 ? index + length : index;
  return from_start < 0 ? 0 : from_start > length ? length : from_start;
}

tsr_status tsr_split_indices_at(const tsr_location *where, tsr_array *out, tsr_array x, int n,
                                const int64_t *indices, int axis)
{
  tsr_steps w = tsr__steps_begin(where);
  tsr_dims shape;
  tsr_status status = find_axis(&w, x, &shape, &axis);
  if (status == TSR_OK && (n < 0 || !out || (n > 0 && !indices)))
    status = n < 0 ? tsr__fail(w.c, where, TSR_ERR_ARGUMENT, "%d indices; there are 0 or more", n)
                   : tsr__fail(w.c, where, TSR_ERR_ARGUMENT, "the %s is NULL",
                               out ? "list of indices" : "place for the parts");
  int64_t lo[TSR_MAX_NDIM] = {0};
  tsr_dims part = shape;
  for (int i = 0; i <= n && status == TSR_OK; i++) {
    lo[axis] = i == 0 ? 0 : bound_in(indices[i - 1], shape.n[axis]);
    const int64_t end = i == n ? shape.n[axis] : bound_in(indices[i], shape.n[axis]);
    part.n[axis] = end > lo[axis] ? end - lo[axis] : 0;
    out[i] = tsr__steps_keep(&w, part_of_box(&w, x, lo, part.n));
  }
  tsr__steps_end(&w, tsr_null());
  return status;
}
