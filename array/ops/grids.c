/* Arrays that are functions of their indices: ramps, spaces, identities, triangles. All are
 * operations on index ramps, so they fuse with their consumers and need no memory. */
#include "array/core/steps.h"

#include <inttypes.h>
#include <math.h>

static tsr_operand number(int64_t x)
{
  return tsr_box_int(x);
}

static tsr_array as(const tsr_steps *w, tsr_array x, tsr_dtype dtype)
{
  const tsr_slot *s = tsr__slot_peek(w->c, x);
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
  return tsr_full_like_at(where, x, number(0), dtype);
}

tsr_array tsr_zeros_like_at(const tsr_location *where, tsr_operand x, tsr_dtype dtype)
{
  return tsr_full_like_at(where, x, number(0), dtype);
}

tsr_array tsr_ones_like_at(const tsr_location *where, tsr_operand x, tsr_dtype dtype)
{
  return tsr_full_like_at(where, x, number(1), dtype);
}

static bool scalar_of(const tsr_steps *w, tsr_operand x, double *out)
{
  switch (x.kind) {
  case TSR_OPERAND_ARRAY:
    if (tsr__slot(w->c, w->where, x.as.array))
      tsr__fail(w->c, w->where, TSR_ERR_ARGUMENT, "start and stop are C scalars, not arrays");
    return false;
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
static tsr_array put_at(const tsr_steps *w, tsr_array index, int64_t at, double value, tsr_array x)
{
  return tsr__map3(w, TSR_OP_WHERE,
                   tsr_box_array(tsr__map2(w, TSR_OP_EQUAL, tsr_box_array(index), number(at))),
                   tsr_box_float(value), tsr_box_array(x));
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
  return endpoint && n > 1 ? put_at(w, *index, n - 1, stop, y) : y;
}

/* Converts to `dtype`; integers are rounded down, not towards 0. */
static tsr_array finish(const tsr_steps *w, tsr_array y, tsr_dtype dtype)
{
  if (!tsr__dtype_is_integer(dtype)) return as(w, y, dtype);
  tsr_array whole = tsr_astype_at(w->where, tsr_box_array(y), TSR_INT64);
  tsr_array above =
      tsr__map2(w, TSR_OP_LESS, tsr_box_array(y), tsr_box_array(as(w, whole, TSR_FLOAT64)));
  return as(
      w,
      tsr__map2(w, TSR_OP_SUBTRACT, tsr_box_array(whole), tsr_box_array(as(w, above, TSR_INT64))),
      dtype);
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
    tsr__fail_on(w->c, w->where, TSR_ERR_DTYPE, 2, ends, "TSR_COMPLEX128 as the last argument",
                 "a space between complex numbers is of a complex dtype, not of %s",
                 tsr__dtype_info(dtype)->name);
    return false;
  }
  for (int i = 0; i < 2; i++) out[i] = as(w, out[i], compute);
  return tsr_ok(out[0]) && tsr_ok(out[1]);
}

/* linspace between the elements of two arrays that broadcast together, along a new first axis. */
static tsr_array spaces(const tsr_steps *w, const tsr_operand ends[2], int64_t n, bool endpoint,
                        tsr_dtype dtype)
{
  tsr_array end[2];
  if (!ends_of(w, ends, dtype, end)) return tsr_null();
  const tsr_operand start = tsr_box_array(end[0]), stop = tsr_box_array(end[1]);
  const tsr_array delta = tsr__map2(w, TSR_OP_SUBTRACT, stop, start);
  if (!tsr_ok(delta)) return delta;
  const tsr_dims line = {.ndim = 1, .n = {n}};
  const int ndim = tsr__dims_of(w->c, delta).ndim;
  const int64_t div = endpoint ? n - 1 : n;
  tsr_array index = tsr__step_trailing(w, tsr__index_along(w, &line, 0), ndim);
  if (!tsr_ok(index)) return index;
  const tsr_array at = tsr_astype_at(w->where, tsr_box_array(index), TSR_FLOAT64);
  tsr_array y = tsr__map2(w, TSR_OP_MULTIPLY, tsr_box_array(at), tsr_box_array(delta));
  if (div > 0) {
    const tsr_array step =
        tsr__map2(w, TSR_OP_DIVIDE, tsr_box_array(delta), tsr_box_float((double)div));
    const tsr_array parts =
        tsr__map2(w, TSR_OP_DIVIDE, tsr_box_array(at), tsr_box_float((double)div));
    y = tsr__map3(
        w, TSR_OP_WHERE, tsr_box_array(tsr__map2(w, TSR_OP_EQUAL, tsr_box_array(step), number(0))),
        tsr_box_array(tsr__map2(w, TSR_OP_MULTIPLY, tsr_box_array(parts), tsr_box_array(delta))),
        tsr_box_array(tsr__map2(w, TSR_OP_MULTIPLY, tsr_box_array(at), tsr_box_array(step))));
  }
  y = tsr__map2(w, TSR_OP_ADD, tsr_box_array(y), start);
  if (endpoint && n > 1)
    y = tsr__map3(w, TSR_OP_WHERE,
                  tsr_box_array(tsr__map2(w, TSR_OP_EQUAL, tsr_box_array(index), number(n - 1))),
                  stop, tsr_box_array(y));
  return tsr_ok(y) ? finish(w, y, dtype) : y;
}

tsr_array tsr_linspace_at(const tsr_location *where, tsr_operand start, tsr_operand stop,
                          int64_t num, bool endpoint, tsr_dtype dtype)
{
  tsr_steps w = tsr__steps_begin(where);
  tsr_array index, y = tsr_null();
  double a = 0, b = 0;
  if (start.kind == TSR_OPERAND_ARRAY || stop.kind == TSR_OPERAND_ARRAY) {
    const tsr_operand ends[2] = {start, stop};
    if (check_number(&w, num, dtype)) y = spaces(&w, ends, num, endpoint, dtype);
    return tsr__steps_end(&w, y);
  }
  if (scalar_of(&w, start, &a) && scalar_of(&w, stop, &b) && check_number(&w, num, dtype))
    y = finish(&w, space(&w, a, b, num, endpoint, &index), dtype);
  return tsr__steps_end(&w, y);
}

tsr_array tsr_logspace_at(const tsr_location *where, tsr_operand start, tsr_operand stop,
                          int64_t num, bool endpoint, double base, tsr_dtype dtype)
{
  tsr_steps w = tsr__steps_begin(where);
  tsr_array index, y = tsr_null();
  double a = 0, b = 0;
  if (scalar_of(&w, start, &a) && scalar_of(&w, stop, &b) && check_number(&w, num, dtype)) {
    y = space(&w, a, b, num, endpoint, &index);
    y = as(&w, tsr__map2(&w, TSR_OP_POWER, tsr_box_float(base), tsr_box_array(y)), dtype);
  }
  return tsr__steps_end(&w, y);
}

tsr_array tsr_geomspace_at(const tsr_location *where, tsr_operand start, tsr_operand stop,
                           int64_t num, bool endpoint, tsr_dtype dtype)
{
  tsr_steps w = tsr__steps_begin(where);
  tsr_array index, y = tsr_null();
  double a = 0, b = 0;
  if (!scalar_of(&w, start, &a) || !scalar_of(&w, stop, &b) || !check_number(&w, num, dtype))
    return tsr__steps_end(&w, y);
  if (a == 0 || b == 0) {
    tsr__fail(w.c, where, TSR_ERR_ARGUMENT, "a geometric space does not hold 0");
    return tsr__steps_end(&w, y);
  }
  /* Ends of different signs have no real geometric space: the inner elements are NaN, as in
   * NumPy. */
  double sign = a < 0 && b < 0 ? -1 : 1;
  y = space(&w, log10(sign * a), log10(sign * b), num, endpoint, &index);
  y = tsr__map2(&w, TSR_OP_POWER, tsr_box_float(10), tsr_box_array(y));
  if (num > 0) y = put_at(&w, index, 0, sign * a, y);
  if (num > 1 && endpoint) y = put_at(&w, index, num - 1, sign * b, y);
  if (sign < 0) y = tsr__map1(&w, TSR_OP_NEGATIVE, tsr_box_array(y));
  return tsr__steps_end(&w, as(&w, y, dtype));
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
  tsr_array is = tsr__map2(&w, op, tsr_box_array(off_diagonal(&w, &shape)), number(k));
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
  const tsr_slot *s = tsr__slot(w.c, where, x);
  if (!s) return tsr__steps_end(&w, tsr_null());
  tsr_dims shape = tsr__dims_of(w.c, x);
  if (shape.ndim == 0) {
    tsr__fail(w.c, where, TSR_ERR_SHAPE, "a triangle of an array without axes");
    return tsr__steps_end(&w, tsr_null());
  }
  if (shape.ndim == 1) shape = (tsr_dims){.ndim = 2, .n = {shape.n[0], shape.n[0]}};
  tsr_operand zero = s->region->dtype == TSR_DTYPE_BOOL ? tsr_box_bool(false) : number(0);
  if (tsr__checked_size(w.c, where, &shape, s->region->dtype) < 0)
    return tsr__steps_end(&w, tsr_null());
  tsr_array is = tsr__map2(&w, op, tsr_box_array(off_diagonal(&w, &shape)), number(k));
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
  const tsr_slot *s = tsr__slot(w.c, where, x);
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
  tsr_array made = tsr_full_at(where, shape, number(0), s->region->dtype);
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
    return tsr__steps_end(&w, tsr_full_at(where, all, number(0), dtype));
  tsr_array which = tsr__index_along(&w, &all, 0);
  tsr_array index = tsr__index_along(&w, &all, shape.ndim);
  for (int k = shape.ndim - 2; k >= 0; k--) {
    tsr_array is = tsr__map2(&w, TSR_OP_EQUAL, tsr_box_array(which), number(k));
    index = tsr__map3(&w, TSR_OP_WHERE, tsr_box_array(is),
                      tsr_box_array(tsr__index_along(&w, &all, k + 1)), tsr_box_array(index));
  }
  return tsr__steps_end(&w, as(&w, index, dtype));
}
