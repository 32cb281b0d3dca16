/* Reductions that are made of others and of operations: the same steps as the library's, one group
 * of elements at a time. */
#include "random.h"

#include <math.h>
#include <stdlib.h>

#include "runtime/base/error.h"

tsr_dtype reduction_compute(reduction r, tsr_dtype dtype)
{
  switch (r) {
  case RED_ANY:
  case RED_ALL:
    return TSR_BOOL;
  case RED_SUM:
  case RED_PROD:
  case RED_NANSUM:
  case RED_NANPROD:
    return dtype_sum(dtype);
  case RED_MEAN:
  case RED_VAR:
  case RED_STD:
  case RED_NANMEAN:
  case RED_NANVAR:
  case RED_NANSTD:
    return dtype_rank(dtype) > 1 ? dtype : TSR_FLOAT64;
  default:
    return dtype;
  }
}

/* A group of elements. */
typedef struct reducing {
  tsr_dtype dtype;
  int n_axes;
  const int64_t *shape;
  cell *cells;
  int64_t n;
} reducing;

static cell reduce(const reducing *r, reduction op)
{
  return cell_reduce(op, r->dtype, r->n_axes, r->shape, r->cells);
}

static cell divided(const reducing *r, cell sum, int64_t n)
{
  const tsr_dtype steps = r->dtype == TSR_FLOAT16 ? TSR_FLOAT32 : r->dtype;
  const cell number = {.v.f = as_dtype((double)n, steps)};
  return cell_cast(cell_map2(TSR_OP_DIVIDE, steps, sum, number), steps, r->dtype);
}

/* Of float16 in float32, as NumPy's mean, not its variance, has it. */
static cell mean(const reducing *r)
{
  if (r->dtype != TSR_FLOAT16) return divided(r, reduce(r, RED_SUM), r->n);
  reducing single = *r;
  single.dtype = TSR_FLOAT32;
  return cell_cast(divided(&single, reduce(&single, RED_SUM), r->n), TSR_FLOAT32, TSR_FLOAT16);
}

/* |x|^2 */
static cell squared(const reducing *r, cell x)
{
  if (!is_complex(r->dtype)) return cell_map2(TSR_OP_MULTIPLY, r->dtype, x, x);
  const tsr_dtype part = dtype_part(r->dtype);
  cell square[2];
  for (int k = 0; k < 2; k++) {
    const cell twice[2] = {{.v.f = k ? x.im : x.v.f, .err = x.err},
                           {.v.f = k ? x.im : x.v.f, .err = x.err}};
    square[k] = cell_map(TSR_OP_MULTIPLY, part, twice);
  }
  return cell_map(TSR_OP_ADD, part, square);
}

static cell variance(const reducing *r)
{
  cell center = mean(r);
  if (r->dtype == TSR_FLOAT16)
    center.err = fmax(center.err, divided(r, reduce(r, RED_SUM), r->n).err);
  for (int64_t i = 0; i < r->n; i++) {
    const cell d = cell_map2(TSR_OP_SUBTRACT, r->dtype, r->cells[i], center);
    r->cells[i] = squared(r, d);
  }
  reducing real = *r;
  real.dtype = dtype_part(r->dtype);
  return divided(&real, reduce(&real, RED_SUM), r->n);
}

/* Puts `value` for NaN, with an imaginary part; the number of others. *open: it depends on what
 * NumPy may have. */
static int64_t replace_nan(const reducing *r, double value, double im, bool *open)
{
  int64_t n = 0;
  *open = false;
  for (int64_t i = 0; i < r->n; i++) {
    cell *x = &r->cells[i];
    const bool whole = is_complex(r->dtype), has_nan = whole || is_float(r->dtype);
    *open |= has_nan && isinf(x->err);
    if (has_nan && (isnan(x->v.f) || (whole && isnan(x->im))))
      *x = (cell){.v.f = value, .im = im, .err = isinf(x->err) ? x->err : 0};
    else
      n++;
  }
  return n;
}

static cell without_nan(const reducing *r, reduction op)
{
  bool open;
  const double neutral = op == RED_PROD                      ? 1
                         : op == RED_MIN || op == RED_ARGMIN ? (double)INFINITY
                         : op == RED_MAX || op == RED_ARGMAX ? -(double)INFINITY
                                                             : 0;
  const bool extreme = op == RED_MIN || op == RED_MAX, whole = is_complex(r->dtype);
  const int64_t n = replace_nan(r, neutral, extreme && whole ? neutral : 0, &open);
  cell value = reduce(r, op == RED_MEAN ? RED_SUM : op);
  if (op == RED_MEAN) value = divided(r, value, n);
  if (extreme && n == 0) value = (cell){.v.f = (double)NAN, .im = whole ? (double)NAN : 0};
  if (open) value.err = INFINITY;
  return value;
}

/* The distances from the mean of the numbers, squared, over as many; NaN without numbers. */
static cell nan_variance(const reducing *r)
{
  bool open;
  cell *x = r->cells;
  bool *is_nan = tsr__calloc((size_t)r->n + 1, sizeof *is_nan);
  for (int64_t i = 0; i < r->n; i++)
    is_nan[i] = isnan(x[i].v.f) || (is_complex(r->dtype) && isnan(x[i].im));
  const int64_t n = replace_nan(r, 0, 0, &open);
  const cell center = divided(r, reduce(r, RED_SUM), n);
  for (int64_t i = 0; i < r->n; i++) {
    const cell d = cell_map2(TSR_OP_SUBTRACT, r->dtype, x[i], center);
    x[i] = is_nan[i] ? (cell){.v.f = 0} : squared(r, d);
  }
  free(is_nan);
  reducing real = *r;
  real.dtype = dtype_part(r->dtype);
  cell value = n == 0 ? (cell){.v.f = (double)NAN} : divided(&real, reduce(&real, RED_SUM), n);
  if (open) value.err = INFINITY;
  return value;
}

cell cell_reduce_any(reduction op, tsr_dtype compute, int n_axes, const int64_t *shape, cell *cells)
{
  reducing r = {compute, n_axes, shape, cells, 1};
  for (int k = 0; k < n_axes; k++) r.n *= shape[k];
  const cell zero = {.v.i = 0};
  cell value;
  for (int64_t i = 0; i < r.n && is_complex(compute) && is_extreme(op); i++)
    if (isnan(cells[i].v.f) || isnan(cells[i].im))
      cells[i] = (cell){.v.f = (double)NAN, .im = (double)NAN, .err = cells[i].err};
  switch (op) {
  case RED_MEAN:
    return mean(&r);
  case RED_COUNT_NONZERO:
    for (int64_t i = 0; i < r.n; i++)
      cells[i] = cell_map2(TSR_OP_NOT_EQUAL, r.dtype, cells[i], zero);
    return cell_reduce(RED_SUM, TSR_INT64, n_axes, shape, cells);
  case RED_PTP:
    value = reduce(&r, RED_MAX);
    return cell_map2(TSR_OP_SUBTRACT, r.dtype, value, reduce(&r, RED_MIN));
  case RED_VAR:
    return variance(&r);
  case RED_STD:
    value = variance(&r);
    return cell_map(TSR_OP_SQRT, dtype_part(compute), &value);
  case RED_NANSUM:
    return without_nan(&r, RED_SUM);
  case RED_NANPROD:
    return without_nan(&r, RED_PROD);
  case RED_NANMIN:
    return without_nan(&r, RED_MIN);
  case RED_NANMAX:
    return without_nan(&r, RED_MAX);
  case RED_NANMEAN:
    return without_nan(&r, RED_MEAN);
  case RED_NANARGMIN:
    return without_nan(&r, RED_ARGMIN);
  case RED_NANARGMAX:
    return without_nan(&r, RED_ARGMAX);
  case RED_NANVAR:
  case RED_NANSTD:
    value = nan_variance(&r);
    return op == RED_NANVAR ? value : cell_map(TSR_OP_SQRT, dtype_part(compute), &value);
  default:
    return reduce(&r, op);
  }
}
