/* Borders whose values are computed (calls.h): of one axis after the other, each from what the axes
 * before it have become. */
#include "calls.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"

bool check_border(const node *n, const type *x, type *out)
{
  const int ndim = x->shape.ndim;
  if (n->n_args != 1 || n->style < 0 || n->style >= N_BORDERS || n->by < 0 || ndim == 0)
    return false;
  if (is_complex(x->dtype) || x->dtype == TSR_FLOAT16 || x->dtype == TSR_BOOL) return false;
  if (n->shape.ndim != ndim || n->after.ndim != ndim) return false;
  for (int k = 0; k < ndim; k++) {
    const int64_t length = x->shape.n[k], before = n->shape.n[k], after = n->after.n[k];
    const int64_t most = n->style == BORDER_REFLECT     ? length - 1
                         : n->style == BORDER_SYMMETRIC ? length
                                                        : INT32_MAX;
    if (length == 0 || before < 0 || after < 0 || before > most || after > most) return false;
    out->shape.n[k] += before + after;
  }
  return true;
}

/* Of the cells, of dtype d; a mean of integers is rounded to the nearest. */
static cell statistic(const node *n, tsr_dtype d, const cell *x, int64_t length)
{
  const tsr_dtype compute = reduction_compute(RED_MEAN, d);
  if (n->style != BORDER_MEAN)
    return cell_reduce(n->style == BORDER_MAXIMUM ? RED_MAX : RED_MIN, d, 1, &length, x);
  cell *terms = tsr__malloc((size_t)length * sizeof *terms);
  for (int64_t i = 0; i < length; i++) terms[i] = cell_cast(x[i], d, compute);
  cell value = cell_reduce_any(RED_MEAN, compute, 1, &length, terms);
  free(terms);
  if (is_integer(d)) value = cell_map(TSR_OP_RINT, compute, &value);
  return cell_cast(value, compute, d);
}

/* Number i of so many that lead from the end value to the edge. NumPy's steps round otherwise. */
static cell ramp(const node *n, tsr_dtype d, cell edge, int64_t width, int64_t i)
{
  const tsr_dtype D = TSR_FLOAT64;
  const cell end = {.v.f = (double)n->value[0].i}, by = {.v.f = (double)width};
  const cell from = cell_cast(edge, d, D);
  const cell step = cell_map2(TSR_OP_DIVIDE, D, cell_map2(TSR_OP_SUBTRACT, D, from, end), by);
  cell value = cell_map2(TSR_OP_MULTIPLY, D, step, (cell){.v.f = (double)i});
  value = cell_map2(TSR_OP_ADD, D, value, end);
  value.err += 8 * DBL_EPSILON * (fabs(from.v.f) + fabs(end.v.f));
  if (is_integer(d)) value = cell_map(TSR_OP_FLOOR, D, &value);
  return cell_cast(value, D, d);
}

/* x: `length` cells, which stand behind `before` others in `out`. */
static void sides(const node *n, tsr_dtype d, int64_t length, int64_t before, int64_t after,
                  cell *out)
{
  const cell *x = out + before, two = cell_cast((cell){.v.i = 2}, TSR_INT64, d);
  cell *behind = out + before + length;
  if (n->style < BORDER_RAMP) {
    const int64_t count = n->by > 0 && n->by < length ? n->by : length;
    const cell left = statistic(n, d, x, count), right = statistic(n, d, behind - count, count);
    for (int64_t i = 0; i < before; i++) out[i] = left;
    for (int64_t i = 0; i < after; i++) behind[i] = right;
  } else if (n->style == BORDER_RAMP) {
    for (int64_t i = 0; i < before; i++) out[i] = ramp(n, d, x[0], before, i);
    for (int64_t i = 0; i < after; i++) behind[after - 1 - i] = ramp(n, d, behind[-1], after, i);
  } else {
    const int skip = n->style == BORDER_REFLECT;
    const cell left = cell_map2(TSR_OP_MULTIPLY, d, x[0], two);
    const cell right = cell_map2(TSR_OP_MULTIPLY, d, behind[-1], two);
    for (int64_t i = 0; i < before; i++)
      out[before - 1 - i] = cell_map2(TSR_OP_SUBTRACT, d, left, x[i + skip]);
    for (int64_t i = 0; i < after; i++)
      behind[i] = cell_map2(TSR_OP_SUBTRACT, d, right, behind[-1 - skip - i]);
  }
}

void border_values(const node *n, const dense *x, cell *out)
{
  const tsr_dims *to = &n->type.shape;
  tsr_dims shape = x->shape;
  cell *from = tsr__malloc((size_t)(dims_size(to) + 1) * sizeof *from);
  cell *line = tsr__malloc((size_t)(dims_size(to) + 1) * sizeof *line);
  memcpy(out, x->cells, (size_t)dims_size(&shape) * sizeof *out);
  for (int k = 0; k < shape.ndim; k++) {
    const int64_t length = shape.n[k], wide = to->n[k];
    int64_t inner = 1;
    memcpy(from, out, (size_t)dims_size(&shape) * sizeof *from);
    for (int j = k + 1; j < shape.ndim; j++) inner *= shape.n[j];
    const int64_t n_lines = dims_size(&shape) / length;
    for (int64_t i = 0; i < n_lines; i++) {
      const cell *source = from + i / inner * inner * length + i % inner;
      for (int64_t j = 0; j < length; j++) line[n->shape.n[k] + j] = source[j * inner];
      sides(n, x->dtype, length, n->shape.n[k], n->after.n[k], line);
      for (int64_t j = 0; j < wide; j++)
        out[i / inner * inner * wide + i % inner + j * inner] = line[j];
    }
    shape.n[k] = wide;
  }
  free(line);
  free(from);
}
