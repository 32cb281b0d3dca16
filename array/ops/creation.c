/* Makes arrays from scalars, host memory and other arrays, and returns attributes of arrays. */
#include "array/core/array_int.h"

#include <math.h>

#include "array/core/scalar.h"

tsr_array tsr_full_at(const tsr_location *where, tsr_dims shape, tsr_operand value, tsr_dtype dtype)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  if (tsr__checked_size(c, where, &shape, dtype) < 0) return tsr_null();
  tsr_scalar scalar;
  if (value.kind == TSR_OPERAND_ARRAY) {
    if (tsr__handle(c, where, value.as.array))
      tsr__fail(c, where, TSR_ERR_ARGUMENT,
                "the value is an array; make one with tsr_empty and tsr_assign to it");
    return tsr_null();
  }
  if (!tsr__scalar_as(c, where, value, dtype, &scalar)) return tsr_null();
  tsr_new made = tsr__make(c, where, dtype, &shape);
  tsr__handle_peek(c, made.array)->is_creation = true;
  tsr__fill(c, where, scalar, &made);
  tsr__recorded(c);
  return made.array;
}

tsr_array tsr_empty_at(const tsr_location *where, tsr_dims shape, tsr_dtype dtype)
{
  return tsr_full_at(where, shape, tsr_box_int(0), dtype);
}

tsr_array tsr_zeros_at(const tsr_location *where, tsr_dims shape, tsr_dtype dtype)
{
  return tsr_full_at(where, shape, tsr_box_int(0), dtype);
}

tsr_array tsr_ones_at(const tsr_location *where, tsr_dims shape, tsr_dtype dtype)
{
  return tsr_full_at(where, shape, tsr_box_int(1), dtype);
}

/* Returns whether the operand holds its number in as.i. */
static bool is_int64(tsr_operand x)
{
  return x.kind == TSR_OPERAND_INT || x.kind == TSR_OPERAND_BOOL;
}

/* Returns the number of elements that numpy.arange has, ceil((stop - start) / step) and at least 0,
 * or -1 if that is no valid size. */
static int64_t arange_length(const tsr_operand *x)
{
  if (is_int64(x[0]) && is_int64(x[1]) && is_int64(x[2])) {
    __extension__ typedef __int128 wide;
    wide distance = (wide)x[1].as.i - x[0].as.i, step = x[2].as.i;
    if (distance == 0 || (distance > 0) != (step > 0)) return 0;
    wide n = (distance + step + (step > 0 ? -1 : 1)) / step;
    return n > INT64_MAX ? -1 : (int64_t)n;
  }
  double n = ceil((tsr__double_of(x[1]) - tsr__double_of(x[0])) / tsr__double_of(x[2]));
  if (!(n < 9.2e18)) return -1;
  return n > 0 ? (int64_t)n : 0;
}

/* Records start + i*delta and omits the operations that change nothing. */
static tsr_array arange_record(tsr_context *c, const tsr_location *where, tsr_dims shape,
                               tsr_scalar start, tsr_scalar delta)
{
  const tsr_dtype dtype = start.dtype;
  bool one = tsr__scalar_cast(delta, TSR_DTYPE_FLOAT64).u.f == 1;
  bool from_zero = tsr__scalar_cast(start, TSR_DTYPE_FLOAT64).u.f == 0;
  tsr_new index = tsr__make(c, where, TSR_DTYPE_INT64, &shape);
  tsr__record_iota(&c->window, where, 0, index.region, index.view);
  if (dtype == TSR_DTYPE_INT64 && one && from_zero) return index.array;
  tsr_new made = tsr__make(c, where, dtype, &shape);
  tsr_op_in in[2] = {{.region = index.region, .view = index.view}};
  if (one && from_zero) {
    tsr__record_copy(&c->window, where, in, made.region, made.view, true);
  } else if (one) {
    in[1].scalar = start;
    tsr__record_map(&c->window, where, TSR_OP_ADD, dtype, dtype, 2, in, made.region, made.view,
                    true);
  } else {
    tsr_new scaled = tsr__make(c, where, dtype, &shape);
    in[1].scalar = delta;
    tsr__record_map(&c->window, where, TSR_OP_MULTIPLY, dtype, dtype, 2, in, scaled.region,
                    scaled.view, true);
    tsr_op_in sum[2] = {{.scalar = start}, {.region = scaled.region, .view = scaled.view}};
    tsr__record_map(&c->window, where, TSR_OP_ADD, dtype, dtype, 2, sum, made.region, made.view,
                    true);
    tsr__handle_release(c, tsr__handle_peek(c, scaled.array), where);
  }
  tsr__handle_release(c, tsr__handle_peek(c, index.array), where);
  return made.array;
}

/* Checks that the dtype can hold an element. */
static bool check_element(tsr_context *c, const tsr_location *where, double x, tsr_scalar as)
{
  const tsr_kind kind = tsr__dtype_kind(as.dtype);
  const int bits = 8 * (int)tsr__dtype_size(as.dtype);
  const double whole = trunc(x);
  if (kind == TSR_KIND_UINT ? whole >= 0 && whole < ldexp(1, bits)
      : kind == TSR_KIND_INT
          ? whole >= -ldexp(1, bits - 1) && whole < ldexp(1, bits - 1)
          : !isfinite(x) || isfinite(tsr__scalar_cast(as, TSR_DTYPE_FLOAT64).u.f))
    return true;
  tsr__fail_on(
      c, where, TSR_ERR_ARGUMENT, 0, NULL, "make it of a wider dtype, and tsr_astype what it gives",
      "the range's element %.17g is out of bounds for %s", x, tsr__dtype_info(as.dtype)->name);
  return false;
}

/* Computes the first element (start) or the second (start + step) in the arithmetic of the scalars,
 * and converts it to `dtype`. */
static bool element_of(tsr_context *c, const tsr_location *where, const tsr_operand *x, int i,
                       tsr_dtype dtype, tsr_scalar *out)
{
  int64_t sum;
  tsr_operand element = x[0];
  if (i > 0 && is_int64(x[0]) && is_int64(x[2]) &&
      !__builtin_add_overflow(x[0].as.i, x[2].as.i, &sum))
    element = tsr_box_int(sum);
  else if (i > 0)
    element = tsr_box_float(tsr__double_of(x[0]) + tsr__double_of(x[2]));
  if (!tsr__scalar_as(c, where, element, dtype, out)) return false;
  return element.kind != TSR_OPERAND_FLOAT ||
         check_element(c, where, tsr__double_of(element), *out);
}

tsr_array tsr_arange_at(const tsr_location *where, tsr_operand start, tsr_operand stop,
                        tsr_operand step, tsr_dtype dtype)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  const tsr_operand x[3] = {start, stop, step};
  for (int i = 0; i < 3; i++) {
    if (x[i].kind > TSR_OPERAND_COMPLEX) {
      tsr__fail_none(c, where, x[i]);
      return tsr_null();
    }
    if (x[i].kind != TSR_OPERAND_ARRAY && x[i].kind != TSR_OPERAND_COMPLEX) continue;
    if (x[i].kind == TSR_OPERAND_COMPLEX || tsr__handle(c, where, x[i].as.array))
      tsr__fail(c, where, TSR_ERR_ARGUMENT, "start, stop and step are real C scalars, not %s",
                x[i].kind == TSR_OPERAND_COMPLEX ? "complex" : "arrays");
    return tsr_null();
  }
  if (dtype == TSR_DTYPE_BOOL) {
    tsr__fail(c, where, TSR_ERR_DTYPE, "a range of bools");
    return tsr_null();
  }
  if (tsr__double_of(step) == 0 || !isfinite(tsr__double_of(step))) {
    tsr__fail(c, where, TSR_ERR_ARGUMENT, "a range with a step of %g", tsr__double_of(step));
    return tsr_null();
  }
  tsr_dims shape = {.ndim = 1, .n = {arange_length(x)}};
  if (shape.n[0] < 0) {
    tsr__fail(c, where, TSR_ERR_SIZE, "a range from %g to %g by %g has no length",
              tsr__double_of(start), tsr__double_of(stop), tsr__double_of(step));
    return tsr_null();
  }
  if (tsr__checked_size(c, where, &shape, dtype) < 0) return tsr_null();
  tsr_scalar first = {.dtype = dtype};
  if (shape.n[0] > 0 && !element_of(c, where, x, 0, dtype, &first)) return tsr_null();
  tsr_scalar second = first;
  if (shape.n[0] > 1 && !element_of(c, where, x, 1, dtype, &second)) return tsr_null();
  tsr_array array;
  if (shape.n[0] == 0) {
    array = tsr__make(c, where, dtype, &shape).array;
    tsr__event(c, where, TSR_EVENT_EMPTY, array);
  } else {
    /* As in NumPy, float16 elements are computed from float32 numbers and rounded once. */
    const tsr_dtype compute = tsr__dtype_compute(dtype);
    first = tsr__scalar_cast(first, compute);
    second = tsr__scalar_cast(second, compute);
    array = arange_record(c, where, shape, first, tsr__scalar_difference(second, first));
    array = tsr__as_dtype(c, where, array, dtype);
  }
  tsr__recorded(c);
  return array;
}

tsr_array tsr__as_dtype(tsr_context *c, const tsr_location *where, tsr_array x, tsr_dtype dtype)
{
  if (!tsr_ok(x) || tsr__handle_peek(c, x)->region->dtype == dtype) return x;
  const tsr_array cast = tsr_astype_at(where, tsr_box_array(x), dtype);
  tsr__handle_release(c, tsr__handle_peek(c, x), where);
  return cast;
}

/* Records a copy of x in a dtype, row by row. A whole array of the same dtype lends its view. */
static tsr_array copied_array(tsr_context *c, const tsr_location *where, const tsr_value *x,
                              tsr_dtype dtype)
{
  int64_t size = x->region->n_elems;
  tsr_new made;
  if (x->view->is_identity && dtype == x->dtype) {
    made = tsr__make_like(c, where, dtype, x->view);
  } else {
    const tsr_dims shape = tsr__shape_of(&x->view->view);
    size = tsr__checked_size(c, where, &shape, dtype);
    if (size < 0) return tsr_null();
    made = tsr__make(c, where, dtype, &shape);
  }
  const tsr_op_in in = {.region = x->region, .view = x->view};
  if (size > 0)
    tsr__record_copy(&c->window, where, &in, made.region, made.view, true);
  else
    tsr__event(c, where, TSR_EVENT_EMPTY, made.array);
  return made.array;
}

tsr_array tsr_astype_at(const tsr_location *where, tsr_operand x, tsr_dtype dtype)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_value value;
  if (!tsr__value_of(c, where, x, &value)) return tsr_null();
  if (!value.region) return tsr_full_at(where, (tsr_dims){.ndim = 0}, x, dtype);
  const tsr_array made = copied_array(c, where, &value, dtype);
  if (!tsr_ok(made)) return made;
  tsr__note_order(c, made, 1, &x);
  tsr__recorded(c);
  return made;
}

tsr_array tsr_copy_at(const tsr_location *where, tsr_operand x)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_value value;
  if (!tsr__value_of(c, where, x, &value)) return tsr_null();
  if (!value.region) return tsr_full_at(where, (tsr_dims){.ndim = 0}, x, value.dtype);
  const tsr_array made = copied_array(c, where, &value, value.dtype);
  if (tsr_ok(made)) tsr__recorded(c);
  return made;
}

int tsr_ndim_at(const tsr_location *where, tsr_array x)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  const tsr_handle *s = tsr__handle(c, where, x);
  return s ? s->view->view.ndim : 0;
}

tsr_dims tsr_shape_at(const tsr_location *where, tsr_array x)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  const tsr_handle *s = tsr__handle(c, where, x);
  return s ? tsr__shape_of(&s->view->view) : (tsr_dims){.ndim = 0};
}

int64_t tsr_size_at(const tsr_location *where, tsr_array x)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  const tsr_handle *s = tsr__handle(c, where, x);
  return s ? tsr__view_size(&s->view->view) : 0;
}

tsr_dtype tsr_dtype_of_at(const tsr_location *where, tsr_array x)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  const tsr_handle *s = tsr__handle(c, where, x);
  return s ? s->region->dtype : TSR_DTYPE_FLOAT64;
}

tsr_dtype tsr_result_type_at(const tsr_location *where, int n, const tsr_operand *xs)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_value values[TSR_MAX_OPERANDS];
  if (n < 1 || n > TSR_MAX_OPERANDS) {
    tsr__fail(c, where, TSR_ERR_ARGUMENT, "%d operands; tsr_result_type takes 1 to %d", n,
              TSR_MAX_OPERANDS);
    return TSR_DTYPE_FLOAT64;
  }
  for (int i = 0; i < n; i++)
    if (!tsr__value_of(c, where, xs[i], &values[i])) return TSR_DTYPE_FLOAT64;
  return tsr__promote(n, values);
}

bool tsr_can_cast(tsr_dtype from, tsr_dtype to, tsr_casting casting)
{
  if ((unsigned)from >= TSR_N_DTYPES || (unsigned)to >= TSR_N_DTYPES) return false;
  return tsr__dtype_can_cast(from, to, casting);
}

tsr_dtype tsr_promote_types(tsr_dtype a, tsr_dtype b)
{
  if ((unsigned)a >= TSR_N_DTYPES || (unsigned)b >= TSR_N_DTYPES) return TSR_DTYPE_FLOAT64;
  return tsr__dtype_promote(a, b);
}

tsr_array(tsr_arange)(double start, double stop, double step, tsr_dtype dtype)
{
  static const tsr_location site = {.op = "tsr_arange"};
  return tsr_arange_at(&site, tsr_box_float(start), tsr_box_float(stop), tsr_box_float(step),
                       dtype);
}
