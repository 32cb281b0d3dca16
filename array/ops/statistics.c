/* Reductions made of fixed-tree reductions and elementwise operations. Their bits, too, depend on
 * shape and values alone. */
#include "array/ops/step_ops.h"
#include "array/generated/takes.h"
#include "array/ops/weights.h"

#include <math.h>

/* A reduction being recorded: its operand and options. */
typedef struct reducing {
  tsr_steps s;
  tsr_reduce_options o;
  tsr_operand x;  /* an array, or the null handle */
  tsr_dtype real; /* dtype of x, or of its real part */
  bool is_inexact, is_complex;
  bool was_exact; /* x had bools or integers, which became float64 */
  bool skips_nan; /* NaN is not counted */
  tsr_array mask; /* of x's shape; null: all elements count */
} reducing;

/* Checks the dtype that TSR_DTYPE asks for; returns false with an error. */
static bool can_compute_in(const tsr_location *where, const tsr_reduce_options *o, bool as_float)
{
  if (!o->has_dtype) return true;
  if (o->dtype < TSR_N_DTYPES && (!as_float || tsr__dtype_is_inexact(o->dtype))) return true;
  tsr__fail(tsr__context(where), where, TSR_ERR_DTYPE,
            o->dtype < TSR_N_DTYPES ? "the dtype of this result is a float or complex"
                                    : "there is no such dtype");
  return false;
}

/* Returns x in the dtype that TSR_DTYPE asks for: before the reduction, and its result after. */
static tsr_operand cast_as_asked(const tsr_location *where, const tsr_reduce_options *o,
                                 tsr_operand x)
{
  const bool is_array = x.kind == TSR_OPERAND_ARRAY;
  if (!o->has_dtype || (is_array && !tsr_ok(x.as.array))) return x;
  if (is_array && tsr_dtype_of_at(where, x.as.array) == o->dtype) return x;
  return tsr_box_array(tsr_astype_at(where, x, o->dtype));
}

static tsr_array as_asked(const tsr_location *where, const tsr_reduce_options *o, tsr_array result)
{
  return cast_as_asked(where, o, tsr_box_array(result)).as.array;
}

static bool begin_reduction(reducing *r, const tsr_location *where, tsr_operand x, unsigned takes,
                            int n, const tsr_axes *options, bool as_float)
{
  if (!tsr__reduce_options(where, takes, n, options, &r->o) ||
      !can_compute_in(where, &r->o, as_float))
    return false;
  r->s = tsr__steps_begin(where);
  x = cast_as_asked(where, &r->o, x);
  const tsr_array array = tsr__step_array(&r->s, x, as_float);
  r->x = tsr_box_array(array);
  const tsr_handle *handle = tsr__handle_peek(r->s.c, array);
  const tsr_dtype dtype = handle ? handle->region->dtype : TSR_DTYPE_FLOAT64;
  r->real = tsr__dtype_part(dtype);
  r->is_inexact = tsr__dtype_is_inexact(dtype);
  r->is_complex = r->real != dtype;
  const tsr_handle *given =
      x.kind == TSR_OPERAND_ARRAY ? tsr__handle_peek(r->s.c, x.as.array) : NULL;
  r->was_exact = given ? !tsr__dtype_is_inexact(given->region->dtype) : x.kind <= TSR_OPERAND_UINT;
  r->skips_nan = false;
  r->mask = tsr_null();
  if (!r->o.has_where || handle == NULL) return true;
  tsr_array mask = tsr__step_array(&r->s, r->o.where, false);
  if (tsr_ok(mask) && tsr_dtype_of_at(where, mask) != TSR_DTYPE_BOOL)
    mask = tsr__map2(&r->s, TSR_OP_NOT_EQUAL, tsr_box_array(mask), tsr_box_int(0));
  if (tsr_ok(mask)) mask = tsr_broadcast_to_at(where, mask, tsr_shape_at(where, array));
  r->mask = mask;
  if (!tsr_ok(mask)) r->x = tsr_box_array(mask); /* what follows is null, too */
  return true;
}

static tsr_array map_2(const reducing *r, tsr_opcode op, tsr_array x, tsr_operand y)
{
  return tsr__map2(&r->s, op, tsr_box_array(x), y);
}

static tsr_array reduce_operand(const reducing *r, tsr_reduction op, tsr_array x, bool keepdims)
{
  return tsr__step_reduce(&r->s, op, tsr_box_array(x), &r->o, keepdims);
}

/* Returns the number of elements per result, for axes that a reduction has accepted. */
static double n_reduced(const reducing *r)
{
  const tsr_dims shape = tsr_shape_at(r->s.where, r->x.as.array);
  double n = 1;
  for (int k = 0; !r->o.axes && k < shape.ndim; k++) n *= (double)shape.n[k];
  for (unsigned i = 0; r->o.axes && i < r->o.n_axes; i++) {
    n *= (double)shape.n[tsr__axis_from_0(r->o.axes[i], shape.ndim)];
  }
  return n;
}

static tsr_array as_real(const reducing *r, tsr_array x)
{
  return tsr_ok(x) ? tsr_astype_at(r->s.where, tsr_box_array(x), r->real) : x;
}

/* Divides a sum by n. A float16 sum is divided in float32, as it may exceed the largest float16. */
static tsr_array over(const reducing *r, tsr_array sum, tsr_operand n)
{
  const bool is_half = r->real == TSR_DTYPE_FLOAT16;
  if (is_half && tsr_ok(sum))
    sum = tsr_astype_at(r->s.where, tsr_box_array(sum), TSR_DTYPE_FLOAT32);
  sum = map_2(r, TSR_OP_DIVIDE, sum, n);
  return is_half ? as_real(r, sum) : sum;
}

/* Returns |x|^2 as a real number. */
static tsr_array squared(const reducing *r, tsr_operand x)
{
  if (!r->is_complex) return tsr__map2(&r->s, TSR_OP_MULTIPLY, x, x);
  const tsr_operand re = tsr_box_array(tsr__map1(&r->s, TSR_OP_REAL, x));
  const tsr_operand im = tsr_box_array(tsr__map1(&r->s, TSR_OP_IMAG, x));
  return tsr__map2(&r->s, TSR_OP_ADD, tsr_box_array(tsr__map2(&r->s, TSR_OP_MULTIPLY, re, re)),
                   tsr_box_array(tsr__map2(&r->s, TSR_OP_MULTIPLY, im, im)));
}

static tsr_array ptp(const reducing *r)
{
  tsr_array most = reduce_operand(r, TSR_REDUCE_MAX, r->x.as.array, r->o.keepdims);
  tsr_array least =
      tsr_ok(most) ? reduce_operand(r, TSR_REDUCE_MIN, r->x.as.array, r->o.keepdims) : most;
  return map_2(r, TSR_OP_SUBTRACT, most, tsr_box_array(least));
}

static tsr_array mean_of(const reducing *r, bool keepdims)
{
  return tsr__reduce_at(r->s.where, TSR_REDUCE_SUM, true, r->x, r->o.n_axes, r->o.axes, keepdims);
}

/* Computes the variance in NumPy's two passes: squared distances from the mean, divided by n -
 * ddof. */
static tsr_array variance(const reducing *r, bool root)
{
  tsr_array mean = mean_of(r, true);
  if (!tsr_ok(mean)) return mean;
  tsr_array d = tsr__map2(&r->s, TSR_OP_SUBTRACT, r->x, tsr_box_array(mean));
  tsr_array sum = reduce_operand(r, TSR_REDUCE_SUM, squared(r, tsr_box_array(d)), r->o.keepdims);
  sum = over(r, sum, tsr_box_float(fmax(n_reduced(r) - r->o.ddof, 0)));
  return root ? tsr__map1(&r->s, TSR_OP_SQRT, tsr_box_array(sum)) : sum;
}

/* Returns which elements count; null: all. */
static tsr_array counted(const reducing *r)
{
  if (!r->skips_nan || !r->is_inexact) return r->mask;
  tsr_array is_number = tsr__map2(&r->s, TSR_OP_EQUAL, r->x, r->x);
  return tsr_ok(r->mask) ? map_2(r, TSR_OP_BITWISE_AND, is_number, tsr_box_array(r->mask))
                         : is_number;
}

/* Returns x with `value` in place of what does not count. */
static tsr_array replaced(const reducing *r, tsr_array x, tsr_operand value)
{
  tsr_array counts = counted(r);
  return tsr_ok(counts) ? tsr__step_where(&r->s, counts, tsr_box_array(x), value) : x;
}

/* Returns how many elements of each result count, which are not all, in the dtype by which sums of
 * x are divided. */
static tsr_array n_counted(const reducing *r, bool keepdims)
{
  tsr_array n = reduce_operand(r, TSR_REDUCE_SUM, counted(r), keepdims);
  return tsr_ok(n) ? tsr_astype_at(r->s.where, tsr_box_array(n), tsr__dtype_compute(r->real)) : n;
}

/* Returns what TSR_INITIAL gives, in the dtype of the result, into which a whole number must
 * fit. */
static tsr_array initial_as(const reducing *r, tsr_dtype dtype)
{
  tsr_scalar value;
  const tsr_operand x = r->o.initial;
  const tsr_kind kind = tsr__dtype_kind(dtype);
  if (x.kind == TSR_OPERAND_FLOAT && !isfinite(x.as.f) &&
      (kind == TSR_KIND_INT || kind == TSR_KIND_UINT)) {
    tsr__fail(r->s.c, r->s.where, TSR_ERR_ARGUMENT, "the initial value, %g, is no value of %s",
              x.as.f, tsr__dtype_info(dtype)->name);
    return tsr_null();
  }
  if (x.kind != TSR_OPERAND_ARRAY && !tsr__scalar_as(r->s.c, r->s.where, x, dtype, &value))
    return tsr_null();
  const tsr_array initial = tsr__step_array(&r->s, x, false);
  return tsr_ok(initial) ? tsr_astype_at(r->s.where, tsr_box_array(initial), dtype) : initial;
}

/* Returns a result combined with what TSR_INITIAL gives, if that is given. */
static tsr_array from_initial(const reducing *r, tsr_opcode op, tsr_array result)
{
  if (!r->o.has_initial || !tsr_ok(result)) return result;
  const tsr_array initial = initial_as(r, tsr_dtype_of_at(r->s.where, result));
  return tsr_ok(initial) ? map_2(r, op, result, tsr_box_array(initial)) : initial;
}

/* A sum or product, and truth. */
static tsr_array fold_operand(const reducing *r, tsr_reduction op)
{
  const bool is_sum = op == TSR_REDUCE_SUM;
  tsr_array numbers = replaced(r, r->x.as.array, tsr_box_int(is_sum ? 0 : 1));
  tsr_array result = reduce_operand(r, op, numbers, r->o.keepdims);
  return from_initial(r, is_sum ? TSR_OP_ADD : TSR_OP_MULTIPLY, result);
}

static tsr_array truth(const reducing *r, tsr_reduction op)
{
  tsr_array is_true = tsr__map2(&r->s, TSR_OP_NOT_EQUAL, r->x, tsr_box_int(0));
  is_true = replaced(r, is_true, tsr_box_bool(op == TSR_REDUCE_ALL));
  return reduce_operand(r, op, is_true, r->o.keepdims);
}

/* The extreme of what the mask chooses: the rest becomes the initial value, which is there, too. */
static tsr_array extreme(const reducing *r, tsr_reduction op, tsr_opcode of_two)
{
  const tsr_location *where = r->s.where;
  if (!r->o.has_initial) {
    tsr__fail_on(r->s.c, where, TSR_ERR_ARGUMENT, 0, NULL,
                 "add TSR_INITIAL(value); initial=value in texts and in Python",
                 "the %s of what a mask chooses needs an initial value, as it may choose nothing",
                 tsr__reduce_name(op));
    return tsr_null();
  }
  const tsr_array x = r->x.as.array;
  if (!tsr_ok(x)) return tsr_null();
  const tsr_array initial = initial_as(r, tsr_dtype_of_at(where, x));
  if (!tsr_ok(initial)) return tsr_null();
  const tsr_dims shape = tsr__dims_of(r->s.c, initial);
  if (r->o.has_where && shape.ndim > 0) { /* it would stand along what is reduced, too */
    tsr__fail_on(r->s.c, where, TSR_ERR_SHAPE, 1, &r->o.initial,
                 "give a number, and take tsr_maximum or tsr_minimum of the result and the array",
                 "the initial value of the %s of what a mask chooses is one value, not an array of "
                 "%d axes",
                 tsr__reduce_name(op), (int)shape.ndim);
    return tsr_null();
  }
  if (tsr_size_at(where, x) == 0) { /* the bools are there for their shape */
    tsr_array none = reduce_operand(r, TSR_REDUCE_ALL, x, r->o.keepdims);
    return tsr__step_where(&r->s, none, tsr_box_array(initial), tsr_box_array(initial));
  }
  tsr_array chosen = replaced(r, x, tsr_box_array(initial));
  return map_2(r, of_two, reduce_operand(r, op, chosen, r->o.keepdims), tsr_box_array(initial));
}

static tsr_array nan_position(const reducing *r, tsr_reduction op, double neutral)
{
  tsr_array numbers = replaced(r, r->x.as.array, tsr_box_float(neutral));
  return reduce_operand(r, op, numbers, r->o.keepdims);
}

/* Returns the extreme of the elements that are not NaN, or NaN if all are; for complex numbers that
 * is one of the NaN elements. */
static tsr_array nan_extreme(const reducing *r, tsr_reduction op)
{
  const tsr_opcode of_two = op == TSR_REDUCE_NANMIN ? TSR_OP_FMIN : TSR_OP_FMAX;
  if (r->o.has_where || (r->o.has_initial && !r->is_inexact)) return extreme(r, op, of_two);
  return from_initial(r, of_two, reduce_operand(r, op, r->x.as.array, r->o.keepdims));
}

/* Returns whether some elements may not count. A nanmean of integers and bools is a plain mean, as
 * in NumPy, which takes no axis of a 0-d array. */
static bool may_leave_out(const reducing *r)
{
  return tsr_ok(r->mask) || (r->skips_nan && !r->was_exact);
}

/* Returns the mean of the elements that count. */
static tsr_array counted_mean_of(const reducing *r, bool keepdims)
{
  tsr_array sum =
      reduce_operand(r, TSR_REDUCE_SUM, replaced(r, r->x.as.array, tsr_box_int(0)), keepdims);
  return tsr_ok(sum) ? over(r, sum, tsr_box_array(n_counted(r, keepdims))) : sum;
}

static tsr_array mean(const reducing *r)
{
  return may_leave_out(r) ? counted_mean_of(r, r->o.keepdims) : mean_of(r, r->o.keepdims);
}

/* The variance of what counts; of no more than ddof elements infinity or NaN, as the quotient by 0
 * is, or of nanvar always NaN. */
static tsr_array counted_variance(const reducing *r, bool root)
{
  if (!may_leave_out(r)) return variance(r, root);
  tsr_array mean = counted_mean_of(r, true);
  if (!tsr_ok(mean)) return mean;
  tsr_array d = tsr__map2(&r->s, TSR_OP_SUBTRACT, r->x, tsr_box_array(mean));
  d = replaced(r, d, tsr_box_int(0));
  tsr_array sum = reduce_operand(r, TSR_REDUCE_SUM, squared(r, tsr_box_array(d)), r->o.keepdims);
  tsr_array freedom =
      map_2(r, TSR_OP_SUBTRACT, n_counted(r, r->o.keepdims), tsr_box_float(r->o.ddof));
  tsr_array is_free = map_2(r, TSR_OP_GREATER, freedom, tsr_box_int(0));
  if (!r->skips_nan) freedom = map_2(r, TSR_OP_MAXIMUM, freedom, tsr_box_int(0));
  sum = over(r, sum, tsr_box_array(freedom));
  if (r->skips_nan)
    sum = tsr__step_where(&r->s, is_free, tsr_box_array(sum), tsr_box_float((double)NAN));
  return root ? tsr__map1(&r->s, TSR_OP_SQRT, tsr_box_array(sum)) : sum;
}

static tsr_array fail_order(const reducing *r, const char *of)
{
  tsr__fail_on(r->s.c, r->s.where, TSR_ERR_ARGUMENT, 0, NULL,
               "of matrices there are the orders 1, -1, inf, -inf, and Frobenius' norm "
               "without one; of vectors all",
               "there is no norm of order %g of %s here", r->o.ord, of);
  return tsr_null();
}

static tsr_array vector_norm(const reducing *r, double p)
{
  const bool k = r->o.keepdims;
  if (p == 2) {
    tsr_array sum = reduce_operand(r, TSR_REDUCE_SUM, squared(r, r->x), k);
    return tsr__map1(&r->s, TSR_OP_SQRT, tsr_box_array(sum));
  }
  if (p == 0) return as_real(r, reduce_operand(r, TSR_REDUCE_COUNT, r->x.as.array, k));
  tsr_array size = tsr__map1(&r->s, TSR_OP_ABSOLUTE, r->x);
  if (isinf(p)) return reduce_operand(r, p > 0 ? TSR_REDUCE_MAX : TSR_REDUCE_MIN, size, k);
  if (p == 1) return reduce_operand(r, TSR_REDUCE_SUM, size, k);
  tsr_array powers = map_2(r, TSR_OP_POWER, size, tsr_box_float(p));
  return map_2(r, TSR_OP_POWER, reduce_operand(r, TSR_REDUCE_SUM, powers, k), tsr_box_float(1 / p));
}

/* Returns the largest (or least) sum of absolute values of a column (order 1) or a row (order
 * infinity). */
static tsr_array matrix_norm(const reducing *r, const int axes[2])
{
  const double p = r->o.ord;
  if (fabs(p) != 1 && !isinf(p)) return fail_order(r, "a matrix");
  const int summed = isinf(p) ? axes[1] : axes[0];
  tsr_array size = tsr__map1(&r->s, TSR_OP_ABSOLUTE, r->x);
  tsr_array sums =
      tsr__reduce_at(r->s.where, TSR_REDUCE_SUM, false, tsr_box_array(size), 1, &summed, true);
  return tsr__reduce_at(r->s.where, p > 0 ? TSR_REDUCE_MAX : TSR_REDUCE_MIN, false,
                        tsr_box_array(sums), 2, axes, r->o.keepdims);
}

/* Norms and averages accept no axis of a 0-d array, as in NumPy; other reductions do. */
static bool has_axes(const reducing *r)
{
  const bool named = r->o.axes && r->o.n_axes > 0 && tsr_ok(r->x.as.array);
  return !named || tsr_ndim_at(r->s.where, r->x.as.array) > 0 ||
         tsr__step_axis(&r->s, &r->x, r->o.axes[0], 0) >= 0;
}

static tsr_array norm(const reducing *r, tsr_operand x)
{
  static const int both[2] = {0, 1};
  if (!tsr_ok(r->x.as.array) || !has_axes(r)) return tsr_null();
  const int ndim = r->o.axes ? (int)r->o.n_axes : tsr_ndim_at(r->s.where, r->x.as.array);
  if (!r->o.has_ord) return vector_norm(r, 2);
  if (isnan(r->o.ord)) return fail_order(r, "anything");
  if (ndim == 1) return vector_norm(r, r->o.ord);
  if (ndim == 2) return matrix_norm(r, r->o.axes ? r->o.axes : both);
  tsr__fail_on(r->s.c, r->s.where, TSR_ERR_AXIS, 1, &x,
               "name them: tsr_norm(x, TSR_ORD(1), TSR_AXES(-1))",
               "a norm of an order is over one axis or two, not %d", ndim);
  return tsr_null();
}

tsr_array tsr__weights_along(const tsr_steps *s, const tsr_reduce_options *o, tsr_operand x,
                             tsr_array w, const tsr_dims *shape)
{
  const tsr_dims have = tsr_shape_at(s->where, w);
  if (tsr__same_shape(&have, shape) || have.ndim == 0) return w;
  tsr_axes order = {.n = 0};
  int named[TSR_MAX_NDIM];
  uint32_t mask = 0;
  if (o->axes) {
    tsr_error *e = tsr__normal_axes(s->c, s->where, "an array of ", (int)o->n_axes, o->axes,
                                    shape->ndim, named, &mask);
    if (e) {
      tsr__fail_end(s->c);
      return tsr_null();
    }
  }
  bool fits = o->axes && have.ndim == (int)o->n_axes;
  for (int i = 0; i < have.ndim && fits; i++) fits = shape->n[named[i]] == have.n[i];
  for (int axis = 0; axis < shape->ndim && fits; axis++)
    for (int i = 0; i < have.ndim; i++)
      if (named[i] == axis) order.axis[order.n++] = i;
  if (fits) {
    w = tsr_transpose_at(s->where, w, order);
    for (int axis = 0, i = 0; axis < shape->ndim && tsr_ok(w); axis++) {
      if (i < order.n && named[order.axis[i]] == axis)
        i++;
      else
        w = tsr__expand_dims(s->where, w, axis);
    }
    return w;
  }
  tsr__fail_on(s->c, s->where, TSR_ERR_SHAPE, 2, (const tsr_operand[]){x, tsr_box_array(w)}, NULL,
               "the weights have neither the array's shape nor that of the axes that are named");
  return tsr_null();
}

tsr_array tsr_average_at(const tsr_location *where, tsr_operand x, tsr_operand weights, int n,
                         const tsr_axes *options)
{
  reducing r;
  if (!begin_reduction(&r, where, x, tsr__takes_average, n, options, true)) return tsr_null();
  tsr_array w = tsr__step_array(&r.s, weights, false);
  if (!tsr_ok(r.x.as.array) || !tsr_ok(w) || !has_axes(&r)) return tsr__steps_end(&r.s, tsr_null());
  const tsr_dims shape = tsr_shape_at(where, r.x.as.array);
  w = tsr__weights_along(&r.s, &r.o, r.x, w, &shape);
  if (!tsr_ok(w)) return tsr__steps_end(&r.s, w);
  /* As in NumPy, the sum of the weights has the dtype of the product. */
  const tsr_dtype own = tsr_dtype_of_at(where, w),
                  both = tsr__dtype_promote(tsr_dtype_of_at(where, r.x.as.array), own);
  if (both != own) w = tsr_astype_at(where, tsr_box_array(w), both);
  tsr_array product = tsr__map2(&r.s, TSR_OP_MULTIPLY, r.x, tsr_box_array(w));
  tsr_array sum = reduce_operand(&r, TSR_REDUCE_SUM, product, r.o.keepdims);
  if (!tsr_ok(sum)) return tsr__steps_end(&r.s, sum);
  w = tsr_broadcast_to_at(where, w, shape);
  tsr_array total = reduce_operand(&r, TSR_REDUCE_SUM, w, r.o.keepdims);
  return tsr__steps_end(&r.s, map_2(&r, TSR_OP_DIVIDE, sum, tsr_box_array(total)));
}

/* Each row has the function's name, whether integers and bools become float64, whether NaN does not
 * count, and the result. */
#define STATISTIC(name, as_float, no_nan, result)                                                  \
  tsr_array tsr_##name##_at(const tsr_location *where, tsr_operand x, int n_options,               \
                            const tsr_axes *options)                                               \
  {                                                                                                \
    reducing r;                                                                                    \
    if (!begin_reduction(&r, where, x, tsr__takes_##name, n_options, options, as_float))           \
      return tsr_null();                                                                           \
    r.skips_nan = no_nan;                                                                          \
    return tsr__steps_end(&r.s, as_asked(where, &r.o, result));                                    \
  }
STATISTIC(ptp, false, false, ptp(&r))
STATISTIC(var, true, false, counted_variance(&r, false))
STATISTIC(std, true, false, counted_variance(&r, true))
STATISTIC(nansum, false, true, fold_operand(&r, TSR_REDUCE_SUM))
STATISTIC(nanprod, false, true, fold_operand(&r, TSR_REDUCE_PROD))
STATISTIC(nanmin, false, true, nan_extreme(&r, TSR_REDUCE_NANMIN))
STATISTIC(nanmax, false, true, nan_extreme(&r, TSR_REDUCE_NANMAX))
STATISTIC(nanmean, true, true, mean(&r))
STATISTIC(nanvar, true, true, counted_variance(&r, false))
STATISTIC(nanstd, true, true, counted_variance(&r, true))
STATISTIC(nanargmin, false, true, nan_position(&r, TSR_REDUCE_ARGMIN, (double)INFINITY))
STATISTIC(nanargmax, false, true, nan_position(&r, TSR_REDUCE_ARGMAX, -(double)INFINITY))
STATISTIC(norm, true, false, norm(&r, x))

/* A reduction with TSR_WHERE or TSR_INITIAL among its options. */
static tsr_array reduce_some(const tsr_location *where, tsr_reduction op, bool is_mean,
                             tsr_operand x, unsigned takes, int n_options, const tsr_axes *options)
{
  reducing r;
  if (!begin_reduction(&r, where, x, takes, n_options, options, is_mean)) return tsr_null();
  tsr_array result = is_mean                ? mean(&r)
                     : op == TSR_REDUCE_MIN ? extreme(&r, op, TSR_OP_MINIMUM)
                     : op == TSR_REDUCE_MAX ? extreme(&r, op, TSR_OP_MAXIMUM)
                     : op == TSR_REDUCE_ANY ? truth(&r, op)
                     : op == TSR_REDUCE_ALL ? truth(&r, op)
                                            : fold_operand(&r, op);
  return tsr__steps_end(&r.s, as_asked(where, &r.o, result));
}

static tsr_array reduce_by(const tsr_location *where, tsr_reduction op, bool is_mean, tsr_operand x,
                           unsigned takes, int n_options, const tsr_axes *options)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  (void)c;
  tsr_reduce_options o;
  if (!tsr__reduce_options(where, takes, n_options, options, &o)) return tsr_null();
  if (o.has_where || o.has_initial)
    return reduce_some(where, op, is_mean, x, takes, n_options, options);
  if (!o.has_dtype) return tsr__reduce_at(where, op, is_mean, x, o.n_axes, o.axes, o.keepdims);
  if (!can_compute_in(where, &o, is_mean)) return tsr_null();
  const tsr_steps s = tsr__steps_begin(where);
  x = cast_as_asked(where, &o, x);
  const tsr_array result = tsr__reduce_at(where, op, is_mean, x, o.n_axes, o.axes, o.keepdims);
  return tsr__steps_end(&s, as_asked(where, &o, result));
}

/* Each row has the function's name, the reduction, and whether the result is divided by the number
 * of elements. */
#define REDUCTIONS(ROW)                                                                            \
  ROW(sum, TSR_REDUCE_SUM, false)                                                                  \
  ROW(prod, TSR_REDUCE_PROD, false)                                                                \
  ROW(min, TSR_REDUCE_MIN, false)                                                                  \
  ROW(max, TSR_REDUCE_MAX, false)                                                                  \
  ROW(mean, TSR_REDUCE_SUM, true)                                                                  \
  ROW(count_nonzero, TSR_REDUCE_COUNT, false)                                                      \
  ROW(any, TSR_REDUCE_ANY, false)                                                                  \
  ROW(all, TSR_REDUCE_ALL, false)                                                                  \
  ROW(argmin, TSR_REDUCE_ARGMIN, false)                                                            \
  ROW(argmax, TSR_REDUCE_ARGMAX, false)

#define DEFINE(name, reduction, divided)                                                           \
  tsr_array tsr_##name##_at(const tsr_location *where, tsr_operand x, int n_options,               \
                            const tsr_axes *options)                                               \
  {                                                                                                \
    return reduce_by(where, reduction, divided, x, tsr__takes_##name, n_options, options);         \
  }
REDUCTIONS(DEFINE)
