/* Scans and differences along an axis.
 *
 * The value of a scan's element i depends on i alone: [0, i] is the union of aligned blocks whose
 * lengths are powers of two, longest first, one for each bit of i + 1. Each block is combined by
 * halves, and the blocks from the left. The scan is computed by Brent and Kung's network ("A
 * Regular Layout for Parallel Adders", 1982) over strided views. On the way up, each block of 2d
 * adds its left half to its right half; on the way down, prefixes at odd multiples of d add the
 * prefix before them. This takes 2 n combinations in 2 log2 n operations in place. Each operation
 * is cut by the layout of the array, and neighbours exchange single elements per level. */
#include "array/ops/scans.h"
#include "array/ops/step_ops.h"

typedef tsr_operand combining(void *user, const tsr_operand pair[2]);

/* Records y[:, …, at::step] = both(y[:, …, from::step], y[:, …, at::step]). */
static bool combine(const tsr_steps *s, tsr_array y, int axis, int64_t n, int64_t from, int64_t at,
                    int64_t step, combining *both, void *user)
{
  const int64_t count = (n - at + step - 1) / step;
  tsr_array left = tsr__step_slice(s, y, axis, from, from + (count - 1) * step + 1, step);
  tsr_array right = tsr__step_slice(s, y, axis, at, INT64_MAX, step);
  const tsr_operand value =
      both(user, (const tsr_operand[]){tsr_box_array(left), tsr_box_array(right)});
  return tsr_ok(value.as.array) && tsr_assign_at(s->where, right, value) == TSR_OK;
}

bool tsr__scan_in_place(const tsr_steps *s, tsr_array y, int axis, int64_t n, combining *both,
                        void *user)
{
  int64_t d = 1;
  for (; 2 * d <= n; d *= 2)
    if (!combine(s, y, axis, n, d - 1, 2 * d - 1, 2 * d, both, user)) return false;
  for (d /= 2; d >= 1; d /= 2)
    if (3 * d <= n && !combine(s, y, axis, n, 2 * d - 1, 3 * d - 1, 2 * d, both, user))
      return false;
  return true;
}

/* An operation of a scan, at its position. */
typedef struct operation {
  const tsr_location *where;
  tsr_opcode op;
} operation;

static tsr_operand combined(void *user, const tsr_operand pair[2])
{
  const operation *o = user;
  return tsr_box_array(tsr__map_at(o->where, o->op, 2, pair));
}

static bool is_empty(const tsr_dims *shape)
{
  bool empty = false;
  for (int k = 0; k < shape->ndim; k++) empty |= shape->n[k] == 0;
  return empty;
}

/* The task that scans rows of a dtype, or TSR_N_TASK_CODES. The reduction tree has no loops for the
 * extremes of complex numbers and of float16, nor are those of bools worth a task. */
static tsr_task_code task_of(tsr_opcode op, tsr_dtype dtype)
{
  if (op == TSR_OP_ADD) return TSR_TASK_CODE_CUMSUM;
  if (op == TSR_OP_MULTIPLY) return TSR_TASK_CODE_CUMPROD;
  const bool has_loops = tsr__dtype_kind(dtype) != TSR_KIND_BOOL && !tsr__dtype_is_complex(dtype) &&
                         dtype != TSR_DTYPE_FLOAT16;
  if (!has_loops) return TSR_N_TASK_CODES;
  return op == TSR_OP_MINIMUM ? TSR_TASK_CODE_CUMMIN : TSR_TASK_CODE_CUMMAX;
}

/* Is the scan to be a task? Those of whole rows are, where a row is short enough for a place to
 * have all of it: what others would gather is sent to them, what one place has is not. */
static bool is_for_task(const tsr_steps *s, tsr_opcode op, tsr_dtype dtype, const tsr_dims *shape,
                        int axis)
{
  enum { MOST_ALONE = 1 << 20, MOST_GATHERED = 1 << 16 };
  const bool is_alone = tsr__world_n_places(&s->c->world) == 1;
  return task_of(op, dtype) != TSR_N_TASK_CODES && axis == shape->ndim - 1 &&
         shape->ndim < TSR_MAX_NDIM && shape->n[axis] <= (is_alone ? MOST_ALONE : MOST_GATHERED) &&
         !is_empty(shape);
}

/* Records the task: its domain has the axes of the result, and the last one once more. */
static tsr_array by_task(const tsr_steps *s, tsr_opcode op, tsr_array x)
{
  const tsr_dims shape = tsr_shape_at(s->where, x);
  tsr_dims domain = shape;
  domain.n[domain.ndim++] = shape.n[shape.ndim - 1];
  const tsr_dtype dtype = tsr_dtype_of_at(s->where, x);
  if (tsr__checked_size(s->c, s->where, &shape, dtype) < 0) return tsr_null();
  const tsr_new made = tsr__make(s->c, s->where, dtype, &shape);
  tsr_op_in in[2] = {tsr__step_over(s, tsr__expand_dims(s->where, x, shape.ndim - 1), &domain),
                     tsr__step_over(s, tsr__step_trailing(s, made.array, 1), &domain)};
  tsr__record_task(&s->c->window, s->where, task_of(op, dtype), dtype, 1, in, 1u << shape.ndim,
                   made.region, in[1].view, true);
  for (int i = 0; i < 2; i++) tsr__in_drop(&in[i]);
  tsr__recorded(s->c);
  return made.array;
}

/* float16 sums and products are computed in float32 and rounded once. */
static tsr_array end_scan(const tsr_steps *s, tsr_array y, tsr_dtype of)
{
  if (of == TSR_DTYPE_FLOAT16 && tsr_ok(y)) y = tsr_astype_at(s->where, tsr_box_array(y), of);
  return tsr__steps_end(s, y);
}

static tsr_array scan(const tsr_location *where, tsr_opcode op, tsr_operand x, int axis)
{
  tsr_steps s = tsr__steps_begin(where);
  tsr_array array = tsr__step_array(&s, x, false);
  if (tsr_ok(array) && axis == TSR_ONLY_AXIS && tsr_ndim_at(where, array) > 1)
    array = tsr_ravel_at(where, array);
  if (!tsr_ok(array)) return tsr__steps_end(&s, array);
  const tsr_dims shape = tsr_shape_at(where, array);
  const tsr_dtype of = tsr_dtype_of_at(where, array);
  tsr_dtype dtype = of, result = of;
  tsr_reduction like = op == TSR_OP_ADD ? TSR_REDUCE_SUM : TSR_REDUCE_PROD;
  if ((op == TSR_OP_ADD || op == TSR_OP_MULTIPLY) &&
      !tsr__reduce_dtypes(like, dtype, &dtype, &result)) {
    tsr__fail(s.c, where, TSR_ERR_DTYPE, "a scan of %s", tsr__dtype_info(dtype)->name);
    return tsr__steps_end(&s, tsr_null());
  }
  if (shape.ndim == 0) { /* a 0-d array is scanned as one element, as in NumPy */
    tsr_array y = tsr_astype_at(where, tsr_box_array(array), result);
    if (axis == TSR_ONLY_AXIS || axis == 0 || axis == -1)
      y = tsr_copy_at(where, tsr_box_array(tsr__expand_dims(where, y, 0)));
    else if (tsr__step_axis(&s, &x, axis, 0) < 0)
      y = tsr_null();
    return end_scan(&s, y, of);
  }
  axis = axis == TSR_ONLY_AXIS ? 0 : tsr__step_axis(&s, &x, axis, shape.ndim);
  if (axis < 0) return tsr__steps_end(&s, tsr_null());
  const bool for_task = is_for_task(&s, op, of, &shape, axis);
  tsr_array y = array;
  if (!for_task || result != of) y = tsr_astype_at(where, tsr_box_array(array), result);
  if (!tsr_ok(y)) return tsr__steps_end(&s, tsr_null());
  if (for_task) return end_scan(&s, by_task(&s, op, y), of);
  operation by = {where, op};
  const bool ok = is_empty(&shape) || tsr__scan_in_place(&s, y, axis, shape.n[axis], combined, &by);
  return end_scan(&s, ok ? y : tsr_null(), of);
}

/* A scan in the given dtype, to which x is cast, and the result: one of int32 would be int64. */
static tsr_array scan_in(const tsr_location *where, tsr_opcode op, tsr_operand x, int axis,
                         tsr_dtype dtype)
{
  if (dtype == TSR_DTYPE_LIKE) return scan(where, op, x, axis);
  const tsr_steps s = tsr__steps_begin(where);
  const bool is_array = x.kind == TSR_OPERAND_ARRAY;
  if (!is_array || (tsr_ok(x.as.array) && tsr_dtype_of_at(where, x.as.array) != dtype))
    x = tsr_box_array(tsr_astype_at(where, x, dtype));
  tsr_array made = scan(where, op, x, axis);
  if (tsr_ok(made) && tsr_dtype_of_at(where, made) != dtype)
    made = tsr_astype_at(where, tsr_box_array(made), dtype);
  return tsr__steps_end(&s, made);
}

tsr_array tsr_cumsum_at(const tsr_location *where, tsr_operand x, int axis, tsr_dtype dtype)
{
  return scan_in(where, TSR_OP_ADD, x, axis, dtype);
}

tsr_array tsr_cumprod_at(const tsr_location *where, tsr_operand x, int axis, tsr_dtype dtype)
{
  return scan_in(where, TSR_OP_MULTIPLY, x, axis, dtype);
}

tsr_array tsr_cummax_at(const tsr_location *where, tsr_operand x, int axis)
{
  return scan(where, TSR_OP_MAXIMUM, x, axis);
}

tsr_array tsr_cummin_at(const tsr_location *where, tsr_operand x, int axis)
{
  return scan(where, TSR_OP_MINIMUM, x, axis);
}

/* Returns op(x[1:], x[:-1]) along the axis. */
static tsr_array of_neighbours(const tsr_steps *s, tsr_opcode op, tsr_array x, int axis)
{
  tsr_array right = tsr__step_slice(s, x, axis, 1, INT64_MAX, 1);
  const int64_t n = tsr_ok(x) ? tsr_shape_at(s->where, x).n[axis] : 0;
  tsr_array left = tsr__step_slice(s, x, axis, 0, n > 0 ? n - 1 : 0, 1);
  return tsr__map2(s, op, tsr_box_array(right), tsr_box_array(left));
}

/* Returns differences of neighbours; for bools, whether they differ. */
static tsr_array differences(const tsr_steps *s, tsr_array x, int axis)
{
  const bool is_bool = tsr_ok(x) && tsr_dtype_of_at(s->where, x) == TSR_DTYPE_BOOL;
  return of_neighbours(s, is_bool ? TSR_OP_NOT_EQUAL : TSR_OP_SUBTRACT, x, axis);
}

static tsr_array fail_no_axis(const tsr_steps *s, tsr_operand x)
{
  tsr__fail_on(s->c, s->where, TSR_ERR_SHAPE, 1, &x, NULL, "a 0-d array has no neighbours");
  return tsr_null();
}

/* x with values before and behind it along the axis; TSR_NONE: none. */
static tsr_array with_ends(const tsr_steps *s, tsr_array x, int axis, tsr_operand before,
                           tsr_operand behind)
{
  tsr_dims one = tsr__dims_of(s->c, x);
  tsr_array parts[3] = {tsr_null(), x, tsr_null()};
  const tsr_operand ends[2] = {before, behind};
  one.n[axis] = 1;
  int first = 1, n = 1;
  for (int side = 0; side < 2; side++) {
    if (ends[side].kind == TSR_OPERAND_NONE) continue;
    tsr_array end = tsr__step_array(s, ends[side], false);
    if (!tsr_ok(end)) return end;
    if (tsr_ndim_at(s->where, end) == 0) end = tsr_broadcast_to_at(s->where, end, one);
    parts[2 * side] = end;
    first -= side == 0;
    n++;
  }
  if (n == 1) return x;
  return tsr_concatenate_at(s->where, (tsr_arrays){.n = n, .v = parts + first}, axis);
}

tsr_array tsr_diff_at(const tsr_location *where, tsr_operand x, int times, int axis,
                      tsr_operand prepend, tsr_operand append)
{
  tsr_steps s = tsr__steps_begin(where);
  tsr_array y = tsr__step_array(&s, x, false);
  const int ndim = tsr_ok(y) ? tsr_ndim_at(where, y) : 0;
  if (times < 0) {
    tsr__fail(s.c, where, TSR_ERR_ARGUMENT, "differences taken %d times", times);
    y = tsr_null();
  } else if (tsr_ok(y) && ndim == 0) {
    y = fail_no_axis(&s, x);
  } else if (tsr_ok(y) && (axis = tsr__step_axis(&s, &x, axis, ndim)) < 0) {
    y = tsr_null();
  } else if (tsr_ok(y)) {
    y = times == 0 ? tsr_copy_at(where, tsr_box_array(y)) : with_ends(&s, y, axis, prepend, append);
  }
  const int64_t n = tsr_ok(y) && ndim > 0 ? tsr_shape_at(where, y).n[axis] : 0;
  for (int i = 0; i < times && i <= n && tsr_ok(y); i++) /* no element is left after n */
    y = differences(&s, y, axis);
  return tsr__steps_end(&s, y);
}

/* Checks that there are as many points as y has elements, or two points, whose distance applies
 * everywhere. */
static bool check_points(const tsr_steps *s, tsr_operand y, tsr_operand x, int64_t n_y, int64_t n_x,
                         int axis)
{
  if (n_x == n_y || n_x == 2 || n_y == 2) return true;
  tsr__fail_on(s->c, s->where, TSR_ERR_BROADCAST, 2, (const tsr_operand[]){y, x}, NULL,
               "there are %lld points, and %lld values along axis %d of y", (long long)n_x,
               (long long)n_y, axis);
  return false;
}

/* Returns the distances of the points, in a shape that broadcasts along the axis of y. */
static tsr_operand distances(const tsr_steps *s, tsr_operand y, tsr_operand x,
                             const tsr_dims *shape, int axis)
{
  if (x.kind != TSR_OPERAND_ARRAY) return x;
  const tsr_dims of_x = tsr_shape_at(s->where, x.as.array);
  const int ndim = of_x.ndim;
  if (ndim == 0 || !tsr_ok(x.as.array)) return x;
  if (ndim == 1) {
    if (!check_points(s, y, x, shape->n[axis], of_x.n[0], axis)) return tsr_box_array(tsr_null());
    tsr_array d = differences(s, x.as.array, 0);
    return tsr_box_array(tsr__step_trailing(s, d, shape->ndim - 1 - axis));
  }
  if (ndim == shape->ndim) return tsr_box_array(differences(s, x.as.array, axis));
  tsr_error *e = tsr__fail_begin(s->c, s->where, TSR_ERR_SHAPE,
                                 "the points have %d axes; as many as y, or one, are wanted", ndim);
  tsr__note_operand(s->c, e, s->where, 1, x);
  tsr__fail_end(s->c);
  return tsr_box_array(tsr_null());
}

tsr_array tsr_trapezoid_at(const tsr_location *where, tsr_operand y, tsr_operand x, int axis)
{
  tsr_steps s = tsr__steps_begin(where);
  tsr_array v = tsr__step_array(&s, y, false); /* NumPy adds integers as integers */
  if (!tsr_ok(v)) return tsr__steps_end(&s, v);
  const tsr_dims shape = tsr_shape_at(where, v);
  if (shape.ndim == 0) return tsr__steps_end(&s, fail_no_axis(&s, y));
  axis = tsr__step_axis(&s, &y, axis, shape.ndim);
  if (axis < 0) return tsr__steps_end(&s, tsr_null());
  tsr_operand d = distances(&s, y, x, &shape, axis);
  tsr_array sum = of_neighbours(&s, TSR_OP_ADD, v, axis);
  tsr_array area = tsr__map2(&s, TSR_OP_MULTIPLY, d, tsr_box_array(sum));
  area = tsr__map2(&s, TSR_OP_DIVIDE, tsr_box_array(area), tsr_box_float(2));
  sum = tsr__reduce_at(where, TSR_REDUCE_SUM, false, tsr_box_array(area), 1, &axis, false);
  return tsr__steps_end(&s, sum);
}
