/* Arrays that are functions of their indices: ramps, spaces, identities, triangles. All are
 * operations on index ramps, so they fuse with their consumers and need no memory. */
#include "array/ops/step_ops.h"

#include <inttypes.h>
#include <math.h>

static tsr_array as(const tsr_steps *w, tsr_array x, tsr_dtype dtype)
{
  const tsr_handle *s = tsr__handle_peek(w->c, x);
  return s && s->region->dtype == dtype ? x : tsr_astype_at(w->where, tsr_box_array(x), dtype);
}

tsr_array tsr_full_like_at(const tsr_location *where, tsr_operand x, tsr_operand fill,
                           tsr_dtype dtype)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_value value;
  if (!tsr__value_of(c, where, x, &value)) return tsr_null();
  const tsr_dims shape = tsr__value_shape(&value);
  return tsr_full_at(where, shape, fill, dtype == TSR_DTYPE_LIKE ? value.dtype : dtype);
}

tsr_array tsr_empty_like_at(const tsr_location *where, tsr_operand x, tsr_dtype dtype)
{
  return tsr_full_like_at(where, x, tsr_box_int(0), dtype);
}

tsr_array tsr_zeros_like_at(const tsr_location *where, tsr_operand x, tsr_dtype dtype)
{
  return tsr_full_like_at(where, x, tsr_box_int(0), dtype);
}

tsr_array tsr_ones_like_at(const tsr_location *where, tsr_operand x, tsr_dtype dtype)
{
  return tsr_full_like_at(where, x, tsr_box_int(1), dtype);
}

static bool scalar_of(const tsr_steps *w, tsr_operand x, double *out)
{
  switch (x.kind) {
  case TSR_OPERAND_COMPLEX:
    tsr__fail(w->c, w->where, TSR_ERR_ARGUMENT,
              "start and stop are real numbers, not complex ones");
    return false;
  case TSR_OPERAND_FLOAT:
    *out = x.as.f;
    return true;
  case TSR_OPERAND_UINT:
    *out = (double)x.as.u;
    return true;
  case TSR_OPERAND_INT:
    *out = (double)x.as.i;
    return true;
  case TSR_OPERAND_BOOL:
    *out = x.as.u != 0;
    return true;
  default:
    return tsr__fail_none(w->c, w->where, x);
  }
}

static bool check_number(const tsr_steps *w, int64_t n, tsr_dtype dtype)
{
  if (n < 0) {
    tsr__fail(w->c, w->where, TSR_ERR_ARGUMENT,
              "a space of %" PRId64 " numbers; there are 0 or more", n);
    return false;
  }
  const tsr_dims shape = {.ndim = 1, .n = {n}};
  return tsr__checked_size(w->c, w->where, &shape, dtype) >= 0;
}

/* Returns x, with `value` where index equals `at`. */
static tsr_array put_at(const tsr_steps *w, tsr_array index, int64_t at, tsr_operand value,
                        tsr_array x)
{
  return tsr__map3(w, TSR_OP_WHERE,
                   tsr_box_array(tsr__map2(w, TSR_OP_EQUAL, tsr_box_array(index), tsr_box_int(at))),
                   value, tsr_box_array(x));
}

/* Computes NumPy's linspace in float64, operation by operation. *index is the ramp that it is made
 * of. */
static tsr_array space(const tsr_steps *w, double start, double stop, int64_t n, bool endpoint,
                       tsr_array *index)
{
  const tsr_dims shape = {.ndim = 1, .n = {n}};
  *index = tsr__index_along(w, &shape, 0);
  tsr_array y = tsr_astype_at(w->where, tsr_box_array(*index), TSR_FLOAT64);
  int64_t div = endpoint ? n - 1 : n;
  double delta = stop - start, step = delta / (double)div;
  if (div > 0 && step == 0) {
    y = tsr__map2(w, TSR_OP_DIVIDE, tsr_box_array(y), tsr_box_float((double)div));
    y = tsr__map2(w, TSR_OP_MULTIPLY, tsr_box_array(y), tsr_box_float(delta));
  } else {
    y = tsr__map2(w, TSR_OP_MULTIPLY, tsr_box_array(y), tsr_box_float(div > 0 ? step : delta));
  }
  y = tsr__map2(w, TSR_OP_ADD, tsr_box_array(y), tsr_box_float(start));
  return endpoint && n > 1 ? put_at(w, *index, n - 1, tsr_box_float(stop), y) : y;
}

/* Converts to `dtype`; integers are rounded down, not towards 0. */
static tsr_array finish_numbers(const tsr_steps *w, tsr_array y, tsr_dtype dtype)
{
  if (!tsr__dtype_is_integer(dtype)) return as(w, y, dtype);
  return as(w, tsr__map1(w, TSR_OP_FLOOR, tsr_box_array(as(w, y, TSR_FLOAT64))), dtype);
}

/* start and stop as arrays of float64 or complex128, as which the space is computed. */
static bool ends_of(const tsr_steps *w, const tsr_operand ends[2], tsr_dtype dtype,
                    tsr_array out[2])
{
  tsr_dtype compute = TSR_DTYPE_FLOAT64;
  for (int i = 0; i < 2; i++) {
    out[i] = tsr__step_array(w, ends[i], true);
    if (!tsr_ok(out[i])) return false;
    compute = tsr__dtype_promote(compute, tsr_dtype_of_at(w->where, out[i]));
  }
  if (compute != TSR_DTYPE_FLOAT64 && !tsr__dtype_is_complex(dtype)) {
    tsr__fail_on(w->c, w->where, TSR_ERR_DTYPE, 2, ends, "TSR_COMPLEX128 as the dtype",
                 "a space between complex numbers is of a complex dtype, not of %s",
                 tsr__dtype_info(dtype)->name);
    return false;
  }
  for (int i = 0; i < 2; i++) out[i] = as(w, out[i], compute);
  return tsr_ok(out[0]) && tsr_ok(out[1]);
}

/* A space between the elements of two arrays that broadcast together, along a new first axis. */
static tsr_array spaces(const tsr_steps *w, tsr_operand start, tsr_operand stop, int64_t n,
                        bool endpoint, tsr_array *index)
{
  const tsr_array delta = tsr__map2(w, TSR_OP_SUBTRACT, stop, start);
  if (!tsr_ok(delta)) return delta;
  const tsr_dims line = {.ndim = 1, .n = {n}};
  const int ndim = tsr__dims_of(w->c, delta).ndim;
  const int64_t div = endpoint ? n - 1 : n;
  *index = tsr__step_trailing(w, tsr__index_along(w, &line, 0), ndim);
  if (!tsr_ok(*index)) return *index;
  const tsr_array at = tsr_astype_at(w->where, tsr_box_array(*index), TSR_FLOAT64);
  tsr_array y = tsr__map2(w, TSR_OP_MULTIPLY, tsr_box_array(at), tsr_box_array(delta));
  if (div > 0) {
    const tsr_array step =
        tsr__map2(w, TSR_OP_DIVIDE, tsr_box_array(delta), tsr_box_float((double)div));
    const tsr_array parts =
        tsr__map2(w, TSR_OP_DIVIDE, tsr_box_array(at), tsr_box_float((double)div));
    y = tsr__map3(
        w, TSR_OP_WHERE,
        tsr_box_array(tsr__map2(w, TSR_OP_EQUAL, tsr_box_array(step), tsr_box_int(0))),
        tsr_box_array(tsr__map2(w, TSR_OP_MULTIPLY, tsr_box_array(parts), tsr_box_array(delta))),
        tsr_box_array(tsr__map2(w, TSR_OP_MULTIPLY, tsr_box_array(at), tsr_box_array(step))));
  }
  y = tsr__map2(w, TSR_OP_ADD, tsr_box_array(y), start);
  return endpoint && n > 1 ? put_at(w, *index, n - 1, stop, y) : y;
}

/* The arguments of a space, and its numbers along a new first axis: of float64 or complex128, not
 * yet of `dtype`. */
typedef struct range {
  tsr_steps w;
  tsr_operand ends[2]; /* arrays, or C scalars that are real numbers */
  int64_t n;
  bool endpoint, is_of_arrays;
  tsr_dtype dtype;
  tsr_array index; /* of each number, in a shape that broadcasts */
} range;

static bool begin_range(range *r, const tsr_location *where, tsr_operand start, tsr_operand stop,
                        int64_t n, bool endpoint, tsr_dtype dtype)
{
  *r = (range){.w = tsr__steps_begin(where), .n = n, .endpoint = endpoint, .dtype = dtype};
  const tsr_operand given[2] = {start, stop};
  tsr_array arrays[2];
  double numbers[2] = {0};
  r->is_of_arrays = start.kind == TSR_OPERAND_ARRAY || stop.kind == TSR_OPERAND_ARRAY;
  if (r->is_of_arrays) {
    if (!check_number(&r->w, n, dtype) || !ends_of(&r->w, given, dtype, arrays)) return false;
    for (int k = 0; k < 2; k++) r->ends[k] = tsr_box_array(arrays[k]);
    return true;
  }
  if (!scalar_of(&r->w, start, &numbers[0]) || !scalar_of(&r->w, stop, &numbers[1])) return false;
  for (int k = 0; k < 2; k++) r->ends[k] = tsr_box_float(numbers[k]);
  return check_number(&r->w, n, dtype);
}

static tsr_array numbers_between(range *r, tsr_operand start, tsr_operand stop)
{
  return r->is_of_arrays ? spaces(&r->w, start, stop, r->n, r->endpoint, &r->index)
                         : space(&r->w, start.as.f, stop.as.f, r->n, r->endpoint, &r->index);
}

/* The result, whose new axis is moved to its position. */
static tsr_array end_range(range *r, tsr_array y, int axis)
{
  if (!tsr_ok(y) || axis == 0) return tsr__steps_end(&r->w, y);
  const int to = tsr__step_axis(&r->w, NULL, axis, tsr__dims_of(r->w.c, y).ndim);
  if (to < 0) return tsr__steps_end(&r->w, tsr_null());
  const tsr_axes from = {.n = 1, .axis = {0}}, at = {.n = 1, .axis = {to}};
  return tsr__steps_end(&r->w, tsr_moveaxis_at(r->w.where, y, from, at));
}

tsr_array tsr_linspace_at(const tsr_location *where, tsr_operand start, tsr_operand stop,
                          int64_t num, bool endpoint, tsr_dtype dtype, int axis)
{
  range r;
  tsr_array y = tsr_null();
  if (begin_range(&r, where, start, stop, num, endpoint, dtype))
    y = numbers_between(&r, r.ends[0], r.ends[1]);
  return end_range(&r, tsr_ok(y) ? finish_numbers(&r.w, y, dtype) : y, axis);
}

tsr_array tsr_logspace_at(const tsr_location *where, tsr_operand start, tsr_operand stop,
                          int64_t num, bool endpoint, double base, tsr_dtype dtype, int axis)
{
  range r;
  tsr_array y = tsr_null();
  if (begin_range(&r, where, start, stop, num, endpoint, dtype))
    y = numbers_between(&r, r.ends[0], r.ends[1]);
  if (tsr_ok(y))
    y = as(&r.w, tsr__map2(&r.w, TSR_OP_POWER, tsr_box_float(base), tsr_box_array(y)), dtype);
  return end_range(&r, y, axis);
}

/* -1 where both ends are below 0, else 1: ends of different signs have no real geometric space; the
 * inner elements are NaN, as in NumPy. */
static tsr_array signs(const range *r)
{
  const tsr_steps *w = &r->w;
  const tsr_array high = tsr__map2(w, TSR_OP_MAXIMUM, r->ends[0], r->ends[1]);
  const tsr_array below = tsr__map2(w, TSR_OP_LESS, tsr_box_array(high), tsr_box_int(0));
  return tsr__map3(w, TSR_OP_WHERE, tsr_box_array(below), tsr_box_float(-1), tsr_box_float(1));
}

static tsr_array geometric(range *r)
{
  const tsr_steps *w = &r->w;
  tsr_operand logs[2], sizes[2], sign;
  if (r->is_of_arrays) {
    sign = tsr_box_array(signs(r));
    for (int k = 0; k < 2; k++) {
      sizes[k] = tsr_box_array(tsr__map2(w, TSR_OP_MULTIPLY, sign, r->ends[k]));
      logs[k] = tsr_box_array(tsr__map1(w, TSR_OP_LOG10, sizes[k]));
    }
  } else {
    const double a = r->ends[0].as.f, b = r->ends[1].as.f;
    if (a == 0 || b == 0) {
      tsr__fail(w->c, w->where, TSR_ERR_ARGUMENT, "a geometric space does not hold 0");
      return tsr_null();
    }
    sign = tsr_box_float(a < 0 && b < 0 ? -1 : 1);
    for (int k = 0; k < 2; k++) {
      sizes[k] = tsr_box_float(sign.as.f * r->ends[k].as.f);
      logs[k] = tsr_box_float(log10(sizes[k].as.f));
    }
  }
  tsr_array y = numbers_between(r, logs[0], logs[1]);
  if (!tsr_ok(y)) return y;
  y = tsr__map2(w, TSR_OP_POWER, tsr_box_float(10), tsr_box_array(y));
  if (r->n > 0) y = put_at(w, r->index, 0, sizes[0], y);
  if (r->n > 1 && r->endpoint) y = put_at(w, r->index, r->n - 1, sizes[1], y);
  return tsr__map2(w, TSR_OP_MULTIPLY, tsr_box_array(y), sign);
}

tsr_array tsr_geomspace_at(const tsr_location *where, tsr_operand start, tsr_operand stop,
                           int64_t num, bool endpoint, tsr_dtype dtype, int axis)
{
  range r;
  tsr_array y = tsr_null();
  if (begin_range(&r, where, start, stop, num, endpoint, dtype)) {
    const bool is_complex =
        r.is_of_arrays && tsr_dtype_of_at(where, r.ends[0].as.array) == TSR_DTYPE_COMPLEX128;
    if (is_complex)
      tsr__fail_on(r.w.c, where, TSR_ERR_DTYPE, 2, r.ends, NULL,
                   "a geometric space is of real numbers, not of complex ones");
    else
      y = geometric(&r);
  }
  return end_range(&r, tsr_ok(y) ? as(&r.w, y, dtype) : y, axis);
}

/* Returns column - row over the last two axes of a shape, as int64. */
static tsr_array off_diagonal(const tsr_steps *w, const tsr_dims *shape)
{
  const tsr_dims plane = {.ndim = 2, .n = {shape->n[shape->ndim - 2], shape->n[shape->ndim - 1]}};
  tsr_array column = tsr__index_along(w, &plane, 1), row = tsr__index_along(w, &plane, 0);
  return tsr__map2(w, TSR_OP_SUBTRACT, tsr_box_array(column), tsr_box_array(row));
}

static tsr_array plane_where(const tsr_location *where, tsr_opcode op, int64_t n, int64_t m,
                             int64_t k, tsr_dtype dtype)
{
  tsr_steps w = tsr__steps_begin(where);
  const tsr_dims shape = {.ndim = 2, .n = {n, m == TSR_SQUARE ? n : m}};
  if (tsr__checked_size(w.c, where, &shape, dtype) < 0) return tsr__steps_end(&w, tsr_null());
  tsr_array is = tsr__map2(&w, op, tsr_box_array(off_diagonal(&w, &shape)), tsr_box_int(k));
  return tsr__steps_end(&w, as(&w, is, dtype));
}

tsr_array tsr_eye_at(const tsr_location *where, int64_t n, int64_t m, int64_t k, tsr_dtype dtype)
{
  return plane_where(where, TSR_OP_EQUAL, n, m, k, dtype);
}

tsr_array tsr_identity_at(const tsr_location *where, int64_t n, tsr_dtype dtype)
{
  return plane_where(where, TSR_OP_EQUAL, n, TSR_SQUARE, 0, dtype);
}

tsr_array tsr_tri_at(const tsr_location *where, int64_t n, int64_t m, int64_t k, tsr_dtype dtype)
{
  return plane_where(where, TSR_OP_LESS_EQUAL, n, m, k, dtype);
}

/* A vector is broadcast to a square matrix of equal rows, as in NumPy. */
static tsr_array triangle(const tsr_location *where, tsr_opcode op, tsr_array x, int64_t k)
{
  tsr_steps w = tsr__steps_begin(where);
  const tsr_handle *s = tsr__handle(w.c, where, x);
  if (!s) return tsr__steps_end(&w, tsr_null());
  tsr_dims shape = tsr__dims_of(w.c, x);
  if (shape.ndim == 0) {
    tsr__fail(w.c, where, TSR_ERR_SHAPE, "a triangle of an array without axes");
    return tsr__steps_end(&w, tsr_null());
  }
  if (shape.ndim == 1) shape = (tsr_dims){.ndim = 2, .n = {shape.n[0], shape.n[0]}};
  tsr_operand zero = s->region->dtype == TSR_DTYPE_BOOL ? tsr_box_bool(false) : tsr_box_int(0);
  if (tsr__checked_size(w.c, where, &shape, s->region->dtype) < 0)
    return tsr__steps_end(&w, tsr_null());
  tsr_array is = tsr__map2(&w, op, tsr_box_array(off_diagonal(&w, &shape)), tsr_box_int(k));
  return tsr__steps_end(&w, tsr__map3(&w, TSR_OP_WHERE, tsr_box_array(is), tsr_box_array(x), zero));
}

tsr_array tsr_tril_at(const tsr_location *where, tsr_array x, int64_t k)
{
  return triangle(where, TSR_OP_LESS_EQUAL, x, k);
}

tsr_array tsr_triu_at(const tsr_location *where, tsr_array x, int64_t k)
{
  return triangle(where, TSR_OP_GREATER_EQUAL, x, k);
}

tsr_array tsr_diag_at(const tsr_location *where, tsr_array x, int64_t k)
{
  tsr_steps w = tsr__steps_begin(where);
  const tsr_handle *s = tsr__handle(w.c, where, x);
  if (!s) return tsr__steps_end(&w, tsr_null());
  const tsr_dims of = tsr__dims_of(w.c, x);
  if (of.ndim == 2) return tsr__steps_end(&w, tsr_diagonal_at(where, x, k, 0, 1));
  if (of.ndim != 1) {
    tsr__fail(w.c, where, TSR_ERR_SHAPE, "a diagonal of an array of %d axes; 1 or 2 are possible",
              of.ndim);
    return tsr__steps_end(&w, tsr_null());
  }
  int64_t n;
  if (__builtin_add_overflow(of.n[0], k < 0 ? -(uint64_t)k : (uint64_t)k, &n)) n = INT64_MAX;
  const tsr_dims shape = {.ndim = 2, .n = {n, n}};
  tsr_array made = tsr_full_at(where, shape, tsr_box_int(0), s->region->dtype);
  tsr_array line = tsr_ok(made) ? tsr_diagonal_at(where, made, k, 0, 1) : made;
  if (!tsr_ok(line) || tsr_assign_at(where, line, tsr_box_array(x)) < 0) made = tsr_null();
  return tsr__steps_end(&w, made);
}

tsr_array tsr_indices_at(const tsr_location *where, tsr_dims shape, tsr_dtype dtype)
{
  tsr_steps w = tsr__steps_begin(where);
  tsr_dims all = {.ndim = shape.ndim + 1, .n = {shape.ndim}};
  for (int k = 0; k < shape.ndim && k + 1 < TSR_MAX_NDIM; k++) all.n[k + 1] = shape.n[k];
  if (tsr__checked_size(w.c, where, &all, dtype) < 0) return tsr__steps_end(&w, tsr_null());
  if (shape.ndim == 0) /* without an axis there is no index */
    return tsr__steps_end(&w, tsr_full_at(where, all, tsr_box_int(0), dtype));
  tsr_array which = tsr__index_along(&w, &all, 0);
  tsr_array index = tsr__index_along(&w, &all, shape.ndim);
  for (int k = shape.ndim - 2; k >= 0; k--) {
    tsr_array is = tsr__map2(&w, TSR_OP_EQUAL, tsr_box_array(which), tsr_box_int(k));
    index = tsr__map3(&w, TSR_OP_WHERE, tsr_box_array(is),
                      tsr_box_array(tsr__index_along(&w, &all, k + 1)), tsr_box_array(index));
  }
  return tsr__steps_end(&w, as(&w, index, dtype));
}
