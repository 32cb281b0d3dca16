/* Reshape and the calls made of it. */
#include "array/views/reshape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

tsr_array tsr__as_new(tsr_context *c, const tsr_location *where, tsr_array x)
{
  const tsr_handle *s = tsr__handle_peek(c, x);
  if (!s || tsr__view_is_separable(&s->view->view)) return x;
  return tsr_copy_at(where, tsr_box_array(x));
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
  if (!tsr__reshape_view(&run, to, &out)) return false;
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
