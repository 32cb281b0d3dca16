/* NumPy's older products, made of matrix products and, for vectors, of fused sums. */
#include "array/ops/matmul.h"

static tsr_array fail_shapes(const tsr_steps *s, const char *what, tsr_operand x, tsr_operand y)
{
  tsr__fail_on(s->c, s->where, TSR_ERR_SHAPE, 2, (const tsr_operand[]){x, y}, NULL, "%s", what);
  return tsr_null();
}

static tsr_array times(const tsr_steps *s, const tsr_pair *p)
{
  return tsr__map2(s, TSR_OP_MULTIPLY, tsr_box_array(p->x), tsr_box_array(p->y));
}

/* Returns x with n axes of length 1 inserted at axis `at`. */
static tsr_array with_axes(const tsr_steps *s, tsr_array x, int at, int n)
{
  for (int i = 0; i < n && tsr_ok(x); i++) x = tsr__expand_dims(s->where, x, at);
  return x;
}

/* Multiplies matrices x and y, or stacks of such, as numpy.dot does. In the result the leading axes of
 * x come first, then the rows of x, then the leading axes of y and its columns. */
static tsr_array matrices(const tsr_steps *s, const tsr_pair *p)
{
  const int more = p->ny.ndim - 2, rows = p->nx.ndim - 2;
  const tsr_array z = tsr__step_matmul(s, with_axes(s, p->x, -3, more), p->y);
  if (!tsr_ok(z) || more == 0) return z;
  return tsr_moveaxis_at(s->where, z, TSR_AXES(-2), TSR_AXES(rows));
}

tsr_array tsr_inner_at(const tsr_location *where, tsr_operand a, tsr_operand b)
{
  const tsr_steps s = tsr__steps_begin(where);
  tsr_pair p;
  tsr_array result = tsr_null();
  if (!tsr__step_pair(&s, a, b, &p)) return tsr__steps_end(&s, result);
  if (p.nx.ndim == 0 || p.ny.ndim == 0) {
    result = times(&s, &p);
  } else if (p.nx.n[p.nx.ndim - 1] != p.ny.n[p.ny.ndim - 1]) {
    fail_shapes(&s, "the last axes have different lengths", a, b);
  } else {
    if (p.ny.ndim > 1) p.y = tsr_swapaxes_at(where, p.y, -1, -2);
    p.ny = tsr_shape_at(where, p.y);
    const bool has_vector = p.nx.ndim == 1 || p.ny.ndim == 1;
    result = has_vector ? tsr__step_with_vector(&s, &p) : matrices(&s, &p);
  }
  return tsr__steps_end(&s, result);
}

tsr_array tsr_dot_at(const tsr_location *where, tsr_operand a, tsr_operand b)
{
  const tsr_steps s = tsr__steps_begin(where);
  tsr_pair p;
  if (!tsr__step_pair(&s, a, b, &p)) return tsr__steps_end(&s, tsr_null());
  if (p.nx.ndim == 0 || p.ny.ndim == 0) return tsr__steps_end(&s, times(&s, &p));
  const int64_t k = p.nx.n[p.nx.ndim - 1];
  const int summed = p.ny.ndim > 1 ? p.ny.ndim - 2 : 0;
  if (k != p.ny.n[summed]) {
    fail_shapes(&s,
                p.ny.ndim > 1 ? "the last axis of the first and the second last of the second "
                                "have different lengths"
                              : "the last axes have different lengths",
                a, b);
    return tsr__steps_end(&s, tsr_null());
  }
  const bool has_vector = p.nx.ndim == 1 || p.ny.ndim == 1;
  return tsr__steps_end(&s, has_vector ? tsr__step_with_vector(&s, &p) : matrices(&s, &p));
}

tsr_array tsr_vdot_at(const tsr_location *where, tsr_operand a, tsr_operand b)
{
  const tsr_steps s = tsr__steps_begin(where);
  tsr_pair p;
  tsr_array result = tsr_null();
  if (!tsr__step_pair(&s, a, b, &p)) return tsr__steps_end(&s, result);
  const bool same = tsr__same_shape(&p.nx, &p.ny);
  if (!same && tsr_size_at(where, p.x) != tsr_size_at(where, p.y)) {
    fail_shapes(&s, "vdot takes two arrays of as many elements", a, b);
    return tsr__steps_end(&s, result);
  }
  if (!same) { /* the order of axes matters only for different shapes */
    p.x = tsr_ravel_at(where, p.x);
    p.y = tsr_ravel_at(where, p.y);
  }
  if (tsr__dtype_kind(tsr_dtype_of_at(where, p.x)) == TSR_KIND_COMPLEX)
    p.x = tsr__map1(&s, TSR_OP_CONJ, tsr_box_array(p.x));
  const tsr_dtype dtype =
      tsr_result_type_at(where, 2, (const tsr_operand[]){tsr_box_array(p.x), tsr_box_array(p.y)});
  if (dtype == TSR_DTYPE_FLOAT16) { /* as in NumPy: computed in float32, rounded once */
    p.x = tsr_astype_at(where, tsr_box_array(p.x), TSR_DTYPE_FLOAT32);
    p.y = tsr_astype_at(where, tsr_box_array(p.y), TSR_DTYPE_FLOAT32);
  }
  result = tsr__step_sum(&s, times(&s, &p), 0, NULL);
  if (dtype == TSR_DTYPE_FLOAT16 && tsr_ok(result))
    result = tsr_astype_at(where, tsr_box_array(result), dtype);
  return tsr__steps_end(&s, result);
}

tsr_array tsr_outer_at(const tsr_location *where, tsr_operand a, tsr_operand b)
{
  const tsr_steps s = tsr__steps_begin(where);
  tsr_pair p;
  if (!tsr__step_pair(&s, a, b, &p)) return tsr__steps_end(&s, tsr_null());
  if (p.nx.ndim > 1) p.x = tsr_ravel_at(where, p.x);
  if (p.ny.ndim > 1) p.y = tsr_ravel_at(where, p.y);
  if (p.ny.ndim == 0) p.y = with_axes(&s, p.y, 0, 1);
  if (p.nx.ndim == 0) p.x = with_axes(&s, p.x, 0, 1);
  p.x = with_axes(&s, p.x, 1, 1);
  return tsr__steps_end(&s, times(&s, &p));
}
