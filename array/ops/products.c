/* NumPy's older products, made of matrix products and, for vectors, of fused sums. */
#include "array/ops/matmul.h"
#include "array/ops/step_ops.h"

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

/* Multiplies matrices x and y, or stacks of such, as numpy.dot does. In the result the leading axes
 * of x come first, then the rows of x, then the leading axes of y and its columns. */
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
  if (tsr__dtype_is_complex(tsr_dtype_of_at(where, p.x)))
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

/* float16 is computed in float32 and rounded once, as in NumPy; bool and integers keep their
 * dtype. */
static tsr_array sum_of_products(const tsr_steps *s, tsr_pair *p, int axis)
{
  const tsr_dtype dtype = tsr_result_type_at(
      s->where, 2, (const tsr_operand[]){tsr_box_array(p->x), tsr_box_array(p->y)});
  if (dtype == TSR_DTYPE_FLOAT16) {
    p->x = tsr_astype_at(s->where, tsr_box_array(p->x), TSR_DTYPE_FLOAT32);
    p->y = tsr_astype_at(s->where, tsr_box_array(p->y), TSR_DTYPE_FLOAT32);
  }
  tsr_array sum = tsr__step_sum(s, times(s, p), 1, &axis);
  if (tsr_ok(sum) && tsr_dtype_of_at(s->where, sum) != dtype)
    sum = tsr_astype_at(s->where, tsr_box_array(sum), dtype);
  return sum;
}

/* Moves the axis of both operands to the end. Returns false with an error. */
static bool to_vectors(const tsr_steps *s, tsr_pair *p, tsr_operand a, tsr_operand b, int axis)
{
  if (p->nx.ndim == 0 || p->ny.ndim == 0) {
    fail_shapes(s, "vectors are needed, not a number", a, b);
    return false;
  }
  p->x = tsr_moveaxis_at(s->where, p->x, TSR_AXES(axis), TSR_AXES(-1));
  if (tsr_ok(p->x)) p->y = tsr_moveaxis_at(s->where, p->y, TSR_AXES(axis), TSR_AXES(-1));
  if (!tsr_ok(p->x) || !tsr_ok(p->y)) return false;
  p->nx = tsr_shape_at(s->where, p->x);
  p->ny = tsr_shape_at(s->where, p->y);
  return true;
}

tsr_array tsr_vecdot_at(const tsr_location *where, tsr_operand a, tsr_operand b, int axis)
{
  const tsr_steps s = tsr__steps_begin(where);
  tsr_pair p;
  tsr_array result = tsr_null();
  if (!tsr__step_pair(&s, a, b, &p) || !to_vectors(&s, &p, a, b, axis))
    return tsr__steps_end(&s, result);
  if (p.nx.n[p.nx.ndim - 1] != p.ny.n[p.ny.ndim - 1]) {
    fail_shapes(&s, "the axes have different lengths", a, b);
    return tsr__steps_end(&s, result);
  }
  if (tsr__dtype_is_complex(tsr_dtype_of_at(where, p.x)))
    p.x = tsr__map1(&s, TSR_OP_CONJ, tsr_box_array(p.x));
  return tsr__steps_end(&s, sum_of_products(&s, &p, -1));
}

/* Returns x[i] y[j] - x[j] y[i] of vectors along the last axes, which are kept with length 1. An
 * element beyond a vector of two is 0. */
static tsr_array cross_element(const tsr_steps *s, const tsr_pair *p, int i, int j)
{
  const int64_t n_x = p->nx.n[p->nx.ndim - 1], n_y = p->ny.n[p->ny.ndim - 1];
  tsr_array parts[2];
  for (int k = 0; k < 2; k++) {
    const int of_x = k == 0 ? i : j, of_y = k == 0 ? j : i;
    const tsr_pair q = {.x = tsr__step_slice(s, p->x, p->nx.ndim - 1, of_x < n_x ? of_x : 0,
                                             (of_x < n_x ? of_x : 0) + 1, 1),
                        .y = tsr__step_slice(s, p->y, p->ny.ndim - 1, of_y < n_y ? of_y : 0,
                                             (of_y < n_y ? of_y : 0) + 1, 1)};
    const bool is_zero = of_x >= n_x || of_y >= n_y;
    parts[k] = is_zero ? tsr_null() : times(s, &q);
    if (!is_zero && !tsr_ok(parts[k])) return tsr_null();
  }
  if (!tsr_ok(parts[1])) return parts[0];
  if (!tsr_ok(parts[0])) return tsr__map1(s, TSR_OP_NEGATIVE, tsr_box_array(parts[1]));
  return tsr__map2(s, TSR_OP_SUBTRACT, tsr_box_array(parts[0]), tsr_box_array(parts[1]));
}

tsr_array tsr_cross_at(const tsr_location *where, tsr_operand a, tsr_operand b, int axis)
{
  const tsr_steps s = tsr__steps_begin(where);
  tsr_pair p;
  tsr_array result = tsr_null();
  if (!tsr__step_pair(&s, a, b, &p) || !to_vectors(&s, &p, a, b, axis))
    return tsr__steps_end(&s, result);
  const int64_t n_x = p.nx.n[p.nx.ndim - 1], n_y = p.ny.n[p.ny.ndim - 1];
  if (n_x < 2 || n_x > 3 || n_y < 2 || n_y > 3) {
    fail_shapes(&s, "vectors of two or three elements are needed", a, b);
    return tsr__steps_end(&s, result);
  }
  tsr_array elements[3];
  elements[2] = cross_element(&s, &p, 0, 1);
  if (n_x == 2 && n_y == 2) {
    if (tsr_ok(elements[2])) result = tsr_squeeze_at(where, elements[2], TSR_AXES(-1));
    return tsr__steps_end(&s, result);
  }
  elements[0] = cross_element(&s, &p, 1, 2);
  elements[1] = cross_element(&s, &p, 2, 0);
  if (tsr_ok(elements[0]) && tsr_ok(elements[1]) && tsr_ok(elements[2]))
    result = tsr_concatenate_at(where, (tsr_arrays){.n = 3, .v = elements}, -1);
  if (tsr_ok(result)) result = tsr_moveaxis_at(where, result, TSR_AXES(-1), TSR_AXES(axis));
  return tsr__steps_end(&s, result);
}

tsr_array tsr_kron_at(const tsr_location *where, tsr_operand a, tsr_operand b)
{
  const tsr_steps s = tsr__steps_begin(where);
  tsr_pair p;
  tsr_array result = tsr_null();
  if (!tsr__step_pair(&s, a, b, &p)) return tsr__steps_end(&s, result);
  const int n = p.nx.ndim > p.ny.ndim ? p.nx.ndim : p.ny.ndim;
  if (2 * n > TSR_MAX_NDIM) {
    fail_shapes(&s, "the product needs two axes for each of the operands'", a, b);
    return tsr__steps_end(&s, result);
  }
  tsr_dims x = {.ndim = 2 * n}, y = {.ndim = 2 * n};
  for (int k = 0; k < n; k++) {
    const int of_x = k - n + p.nx.ndim, of_y = k - n + p.ny.ndim;
    x.n[2 * k] = of_x < 0 ? 1 : p.nx.n[of_x];
    y.n[2 * k + 1] = of_y < 0 ? 1 : p.ny.n[of_y];
    x.n[2 * k + 1] = y.n[2 * k] = 1;
  }
  p.x = tsr_reshape_at(where, p.x, x);
  if (tsr_ok(p.x)) p.y = tsr_reshape_at(where, p.y, y);
  if (tsr_ok(p.x) && tsr_ok(p.y)) result = times(&s, &p);
  if (tsr_ok(result)) {
    const tsr_dims made = tsr_shape_at(where, result);
    tsr_dims shape = {.ndim = n};
    for (int k = 0; k < n; k++) shape.n[k] = made.n[2 * k] * made.n[2 * k + 1];
    result = tsr_reshape_at(where, result, shape);
  }
  return tsr__steps_end(&s, result);
}

tsr_array tsr_trace_at(const tsr_location *where, tsr_operand a, int64_t offset, int axis1,
                       int axis2)
{
  const tsr_steps s = tsr__steps_begin(where);
  tsr_array x = tsr__step_array(&s, a, false);
  if (tsr_ok(x)) x = tsr_diagonal_at(where, x, offset, axis1, axis2);
  if (tsr_ok(x)) x = tsr_sum_at(where, tsr_box_array(x), 1, (const tsr_axes[]){TSR_AXES(-1)});
  return tsr__steps_end(&s, x);
}
