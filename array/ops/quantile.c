/* Quantiles by selection, without a sort.
 *
 * Where few elements belong to a result, or all are of one place, a task selects among them
 * (kernel/library/select.c): each place gathers the elements of its results, and nobody waits.
 *
 * Else they are counted where they are. The k-th smallest element is the least number v such that
 * more than k elements are at most v. v is found from the highest bit of its order-preserving bit
 * pattern down, three bits per round: each round counts the elements up to seven candidates in one
 * pass over the array, for every result at once. Counting is exact, so the result is an element and
 * does not depend on the layout. Each round waits for its counts, which are the same on all
 * ranks. Where elements have weights, the weights of those up to the candidates are summed instead:
 * by the same tree for each candidate, so that a greater one never has less. */
#include "array/ops/step_ops.h"
#include "array/generated/takes.h"
#include "array/ops/quantile_method.h"
#include "array/ops/weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUND_BITS = 3, N_CANDIDATES = (1 << ROUND_BITS) - 1 };
enum { IS_MEDIAN = 1, SKIPS_NAN = 2, IS_ELEMENT = 4 }; /* an element: its number, no quantile */

typedef struct selection {
  tsr_steps s;
  tsr_reduce_options o;
  tsr_array x;                   /* float64 or float32 */
  tsr_array weights;             /* float64 of x's shape; null: each element counts as one */
  tsr_dims kept;                 /* shape of the results, with reduced axes of length 1 */
  bool is_reduced[TSR_MAX_NDIM]; /* of each axis of x */
  int n_axes;                    /* that are reduced */
  int64_t n_results, n_reduced;
  int how;         /* IS_MEDIAN, SKIPS_NAN, IS_ELEMENT */
  int64_t *counts; /* [n_results], like the pointers below */
  int64_t *k;      /* position of the selected element in the order, from 0 */
  double *beyond;  /* distance of the quantile from that element towards the next, in [0, 1) */
  double *limits;
  double *sums, *totals; /* of the weights up to a candidate, and of all */
  double fraction;       /* of the total */
  uint64_t *found;       /* order-preserving bit pattern of the element; bits not found yet are 0 */
} selection;

/* Returns the float64 with an order-preserving bit pattern: NaN below minus infinity, and infinity
 * for patterns above plus infinity. */
static double number_at(uint64_t pattern)
{
  const uint64_t top = (uint64_t)1 << 63, bits = pattern & top ? pattern ^ top : ~pattern;
  double value;
  memcpy(&value, &bits, sizeof value);
  return pattern & top && isnan(value) ? (double)INFINITY : value;
}

static tsr_array reduce_axes(const selection *q, tsr_reduction op, tsr_array x)
{
  return tsr__step_reduce(&q->s, op, tsr_box_array(x), &q->o, true);
}

/* Compares every element with the value of its result: x op y. */
static tsr_array compare_with(const selection *q, tsr_opcode op, tsr_array y)
{
  return tsr__map2(&q->s, op, tsr_box_array(q->x), tsr_box_array(y));
}

/* What the elements up to the limits come to: how many they are, or the sum of their weights. */
static tsr_array values_up_to(const selection *q, tsr_array limits)
{
  const tsr_array is_below = compare_with(q, TSR_OP_LESS_EQUAL, limits);
  if (!tsr_ok(q->weights)) return reduce_axes(q, TSR_REDUCE_SUM, is_below);
  return reduce_axes(q, TSR_REDUCE_SUM,
                     tsr__step_where(&q->s, is_below, tsr_box_array(q->weights), tsr_box_float(0)));
}

/* Reads what up_to gave, and passes by the candidate where that is too little. */
static bool pass_by(selection *q, tsr_array counted, int shift)
{
  void *to = tsr_ok(q->weights) ? (void *)q->sums : (void *)q->counts;
  if (tsr_to_host_at(q->s.where, tsr_box_array(counted), to, 0, NULL) != TSR_OK) return false;
  for (int64_t i = 0; i < q->n_results; i++) {
    const bool is_less = tsr_ok(q->weights)
                             ? q->sums[i] == 0 || q->sums[i] / q->totals[i] < q->fraction
                             : q->counts[i] <= q->k[i];
    if (is_less) q->found[i] += (uint64_t)1 << shift;
  }
  return true;
}

/* One round finds `n_bits` bits from `shift` up. Candidate c counts the elements whose bits are at
 * most c. */
static bool find_bits(selection *q, int shift, int n_bits)
{
  const int n = (1 << n_bits) - 1;
  tsr_array counted[N_CANDIDATES];
  const tsr_steps round = tsr__steps_begin(q->s.where);
  bool ok = true;
  for (int c = 0; c < n && ok; c++) {
    for (int64_t i = 0; i < q->n_results; i++)
      q->limits[i] = number_at(q->found[i] | (uint64_t)c << shift | (((uint64_t)1 << shift) - 1));
    tsr_array limits = tsr_from_host_at(q->s.where, q->limits, TSR_DTYPE_FLOAT64, q->kept, 0, NULL);
    counted[c] = values_up_to(q, limits);
    ok = tsr_ok(counted[c]);
  }
  for (int c = 0; c < n && ok; c++) ok = pass_by(q, counted[c], shift);
  tsr__steps_end(&round, tsr_null());
  return ok;
}

static tsr_array from_host(const selection *q, const void *values, tsr_dtype dtype)
{
  return tsr_from_host_at(q->s.where, values, dtype, q->kept, 0, NULL);
}

/* Selects the k-th smallest elements. Results whose elements are all NaN get an arbitrary value. */
static tsr_array select_element(selection *q)
{
  for (int64_t i = 0; i < q->n_results; i++) q->found[i] = 0;
  for (int shift = 63; shift >= 0; shift -= ROUND_BITS)
    if (!find_bits(q, shift, shift == 63 ? 1 : ROUND_BITS)) return tsr_null();
  for (int64_t i = 0; i < q->n_results; i++) q->limits[i] = number_at(q->found[i]) + 0.0;
  return from_host(q, q->limits, TSR_DTYPE_FLOAT64);
}

/* Returns the element after the k-th in the order: an equal one, or the least greater one. */
static tsr_array element_behind(const selection *q, tsr_array element)
{
  tsr_array n = reduce_axes(q, TSR_REDUCE_SUM, compare_with(q, TSR_OP_LESS_EQUAL, element));
  tsr_array k = from_host(q, q->k, TSR_DTYPE_INT64);
  tsr_array behind = tsr__map2(&q->s, TSR_OP_SUBTRACT, tsr_box_array(n), tsr_box_int(1));
  tsr_array again = tsr__map2(&q->s, TSR_OP_GREATER, tsr_box_array(behind), tsr_box_array(k));
  tsr_array beyond = tsr__step_where(&q->s, compare_with(q, TSR_OP_GREATER, element),
                                     tsr_box_array(q->x), tsr_box_float((double)INFINITY));
  tsr_array next = tsr_ok(beyond) ? reduce_axes(q, TSR_REDUCE_MIN, beyond) : beyond;
  return tsr__step_where(&q->s, again, tsr_box_array(element), tsr_box_array(next));
}

/* Interpolates as NumPy does: a + (b - a) t, or from b if t is at least a half. */
static tsr_array interpolate(const selection *q, tsr_array a, tsr_array b, tsr_array t)
{
  const tsr_steps *s = &q->s;
  tsr_array width = tsr__map2(s, TSR_OP_SUBTRACT, tsr_box_array(b), tsr_box_array(a));
  tsr_array high = tsr__map2(s, TSR_OP_GREATER_EQUAL, tsr_box_array(t), tsr_box_float(0.5));
  tsr_array rest = tsr__map2(s, TSR_OP_SUBTRACT, tsr_box_float(1), tsr_box_array(t));
  tsr_array up = tsr__map2(s, TSR_OP_MULTIPLY, tsr_box_array(width), tsr_box_array(t));
  tsr_array down = tsr__map2(s, TSR_OP_MULTIPLY, tsr_box_array(width), tsr_box_array(rest));
  up = tsr__map2(s, TSR_OP_ADD, tsr_box_array(a), tsr_box_array(up));
  down = tsr__map2(s, TSR_OP_SUBTRACT, tsr_box_array(b), tsr_box_array(down));
  tsr_array value = tsr__step_where(s, high, tsr_box_array(down), tsr_box_array(up));
  tsr_array equal = tsr__map2(s, TSR_OP_EQUAL, tsr_box_array(a), tsr_box_array(b));
  return tsr__step_where(s, equal, tsr_box_array(a), tsr_box_array(value));
}

/* Returns the mean of the two middle elements, as NumPy's median does. */
static tsr_array middle(const selection *q, tsr_array a, tsr_array b)
{
  tsr_array sum = tsr__map2(&q->s, TSR_OP_ADD, tsr_box_array(a), tsr_box_array(b));
  return tsr__map2(&q->s, TSR_OP_DIVIDE, tsr_box_array(sum), tsr_box_float(2));
}

/* Drops the reduced axes unless they are kept. */
static tsr_array in_shape(const selection *q, tsr_array x)
{
  if (!tsr_ok(x) || q->o.keepdims) return x;
  return tsr__reduce_at(q->s.where, TSR_REDUCE_MAX, false, tsr_box_array(x), q->o.n_axes, q->o.axes,
                        false);
}

/* Returns whether the result is NaN: if any element is NaN or, where NaN is skipped, if all are. */
static tsr_array is_nan(const selection *q)
{
  tsr_array nan = compare_with(q, TSR_OP_NOT_EQUAL, q->x);
  return tsr_ok(nan) ? reduce_axes(q, (q->how & SKIPS_NAN) ? TSR_REDUCE_ALL : TSR_REDUCE_ANY, nan)
                     : nan;
}

/* Finds how many elements of each result count. */
static bool count_elements(selection *q)
{
  for (int64_t i = 0; i < q->n_results; i++) q->counts[i] = q->n_reduced;
  if (!(q->how & SKIPS_NAN)) return true;
  tsr_array n = reduce_axes(q, TSR_REDUCE_SUM, compare_with(q, TSR_OP_EQUAL, q->x));
  return tsr_ok(n) && tsr_to_host_at(q->s.where, tsr_box_array(n), q->counts, 0, NULL) == TSR_OK;
}

/* Finds the position of each result's element in the order of those that count. *beyond: whether
 * any quantile lies between two elements. */
static bool find_positions(selection *q, double quantile, bool *beyond)
{
  *beyond = false;
  if (!count_elements(q)) return false;
  for (int64_t i = 0; i < q->n_results; i++) {
    const int64_t last = q->counts[i] > 0 ? q->counts[i] - 1 : 0;
    tsr_quantile_position at_method = {0};
    if (q->o.method != NULL && !(q->how & (IS_MEDIAN | IS_ELEMENT)) &&
        tsr__quantile_position(q->o.method, quantile, last + 1, &at_method)) {
      q->k[i] = at_method.k + (at_method.beyond == 1);
      q->beyond[i] = at_method.beyond == 1 ? 0 : at_method.beyond;
      *beyond |= q->beyond[i] > 0;
      continue;
    }
    const double at = (q->how & IS_ELEMENT) ? quantile : quantile * (double)last;
    q->k[i] = (q->how & IS_MEDIAN) ? last / 2 : (int64_t)floor(at);
    q->beyond[i] = (q->how & IS_MEDIAN) ? (double)(last % 2) / 2 : at - (double)q->k[i];
    *beyond |= q->beyond[i] > 0;
  }
  return true;
}

static tsr_array selected(selection *q, double quantile)
{
  bool beyond;
  if (!find_positions(q, quantile, &beyond)) return tsr_null();
  tsr_array element = select_element(q), value = element;
  if (tsr_ok(value) && beyond) {
    tsr_array next = element_behind(q, element), t = from_host(q, q->beyond, TSR_DTYPE_FLOAT64);
    value = (q->how & IS_MEDIAN) ? middle(q, element, next) : interpolate(q, element, next, t);
    tsr_array two = tsr__map2(&q->s, TSR_OP_GREATER, tsr_box_array(t), tsr_box_int(0));
    value = tsr__step_where(&q->s, two, tsr_box_array(value), tsr_box_array(element));
  }
  value = tsr__step_where(&q->s, is_nan(q), tsr_box_float((double)NAN), tsr_box_array(value));
  return in_shape(q, value);
}

/* Is it to be a task's work? */
static bool is_for_task(const selection *q)
{
  enum { MOST_ALONE = 1 << 20, MOST_GATHERED = 1 << 16 };
  const bool is_alone = tsr__world_n_places(&q->s.c->world) == 1;
  return q->n_results > 0 && q->n_axes > 0 &&
         q->n_reduced <= (is_alone ? MOST_ALONE : MOST_GATHERED);
}

/* Records the task: its domain has the axes that are kept, and behind them the others. */
static tsr_array by_task(const selection *q, double quantile)
{
  static const tsr_task_code codes[] = {[0] = TSR_TASK_CODE_QUANTILE,
                                        [SKIPS_NAN] = TSR_TASK_CODE_NANQUANTILE,
                                        [IS_MEDIAN] = TSR_TASK_CODE_MEDIAN,
                                        [IS_MEDIAN | SKIPS_NAN] = TSR_TASK_CODE_NANMEDIAN,
                                        [IS_ELEMENT] = TSR_TASK_CODE_ELEMENT};
  const tsr_location *where = q->s.where;
  const tsr_dims shape = tsr_shape_at(where, q->x);
  tsr_dims domain = {.ndim = shape.ndim}, kept = {0};
  tsr_axes order = {.n = 0};
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < shape.ndim; k++)
      if ((int)q->is_reduced[k] == side) order.axis[order.n++] = k;
  for (int k = 0; k < shape.ndim; k++) domain.n[k] = shape.n[order.axis[k]];
  for (int k = 0; k < shape.ndim - q->n_axes; k++) kept.n[kept.ndim++] = domain.n[k];
  const bool is_half = tsr_dtype_of_at(where, q->x) == TSR_DTYPE_FLOAT16;
  tsr_array x = is_half ? tsr_astype_at(where, tsr_box_array(q->x), TSR_DTYPE_FLOAT64) : q->x;
  x = tsr_transpose_at(where, x, order);
  const tsr_array fraction =
      tsr_full_at(where, (tsr_dims){.ndim = 0}, tsr_box_float(quantile), TSR_DTYPE_FLOAT64);
  if (!tsr_ok(x) || !tsr_ok(fraction)) return tsr_null();
  const tsr_dtype dtype = tsr_dtype_of_at(where, x);
  const tsr_new made = tsr__make(q->s.c, where, dtype, &kept);
  const tsr_array out = tsr__step_trailing(&q->s, made.array, q->n_axes);
  tsr_op_in in[3] = {tsr__step_over(&q->s, x, &domain), tsr__step_over(&q->s, fraction, &domain),
                     tsr__step_over(&q->s, out, &domain)};
  const uint32_t reduced = ((1u << q->n_axes) - 1) << kept.ndim;
  tsr__record_task(&q->s.c->window, where, codes[q->how], dtype, 2, in, reduced, made.region,
                   in[2].view, true);
  for (int i = 0; i < 3; i++) tsr__in_drop(&in[i]);
  tsr__recorded(q->s.c);
  return q->o.keepdims ? tsr_reshape_at(where, made.array, q->kept) : made.array;
}

/* Checks the axes and computes the shape of the results. */
static bool measure_results(selection *q, tsr_operand x)
{
  const tsr_dims shape = tsr_shape_at(q->s.where, q->x);
  q->kept = shape;
  for (int k = 0; k < shape.ndim; k++) q->is_reduced[k] = q->o.axes == NULL;
  for (unsigned i = 0; q->o.axes && i < q->o.n_axes; i++) {
    const int axis = tsr__step_axis(&q->s, &x, q->o.axes[i], shape.ndim);
    if (axis < 0) return false;
    if (q->is_reduced[axis]) {
      tsr__fail(q->s.c, q->s.where, TSR_ERR_AXIS, "axis %d is named twice", q->o.axes[i]);
      return false;
    }
    q->is_reduced[axis] = true;
  }
  int64_t size = 1;
  q->n_results = 1;
  for (int k = 0; k < shape.ndim; k++) {
    if (q->is_reduced[k]) q->kept.n[k] = 1;
    q->n_axes += q->is_reduced[k];
    size *= shape.n[k];
    q->n_results *= q->kept.n[k];
  }
  q->n_reduced = q->n_results > 0 ? size / q->n_results : 0;
  return true;
}

/* Allocates one block for the arrays [n_results] of the selection. */
static void *make_numbers(selection *q)
{
  const size_t n = (size_t)q->n_results;
  char *memory = tsr__host_alloc(q->s.c, q->s.where, q->n_results, 7 * sizeof *q->counts);
  if (!memory) return NULL;
  q->counts = (int64_t *)memory;
  q->k = q->counts + n;
  q->beyond = (double *)(q->k + n);
  q->limits = q->beyond + n;
  q->sums = q->limits + n;
  q->totals = q->sums + n;
  q->found = (uint64_t *)(q->totals + n);
  return memory;
}

static tsr_array quantile_of(const tsr_location *where, const char *name, tsr_operand x,
                             double quantile, int how, unsigned takes, int n,
                             const tsr_axes *options);

static tsr_array counted(selection *q, double quantile)
{
  void *memory = make_numbers(q);
  const tsr_array value = memory != NULL ? selected(q, quantile) : tsr_null();
  free(memory);
  return value;
}

/* The quantile by another method than "linear": one element, or two of them. Where NaN are skipped,
 * each result has a position of its own. */
static tsr_array by_method(selection *q, double quantile)
{
  const tsr_location *where = q->s.where;
  tsr_quantile_position position;
  if (!tsr__quantile_position(q->o.method, quantile, q->n_reduced, &position)) {
    tsr__fail(q->s.c, where, TSR_ERR_ARGUMENT, "there is no method %s of quantiles; there are %s",
              q->o.method, tsr__quantile_methods);
    return tsr_null();
  }
  if (q->how & SKIPS_NAN) return counted(q, quantile);
  tsr_axes options = {.n = q->o.axes ? (int)q->o.n_axes : -1, .keepdims = q->o.keepdims};
  for (int i = 0; i < options.n; i++) options.axis[i] = q->o.axes[i];
  const tsr_operand x = tsr_box_array(q->x);
  tsr_array found[2] = {tsr_null(), tsr_null()};
  for (int i = position.beyond == 1; i <= (position.beyond > 0); i++) {
    found[i] = quantile_of(where, "quantile", x, (double)(position.k + i), IS_ELEMENT,
                           tsr__takes_quantile, 1, &options);
  }
  if (position.beyond == 0 || position.beyond == 1) return found[position.beyond == 1];
  const tsr_operand below = tsr_box_array(found[0]), above = tsr_box_array(found[1]);
  const bool is_near_below = position.beyond < 0.5;
  const tsr_array step = tsr__map2(&q->s, TSR_OP_SUBTRACT, above, below);
  const tsr_array part =
      tsr__map2(&q->s, TSR_OP_MULTIPLY, tsr_box_array(step),
                tsr_box_float(is_near_below ? position.beyond : 1 - position.beyond));
  return tsr__map2(&q->s, is_near_below ? TSR_OP_ADD : TSR_OP_SUBTRACT,
                   is_near_below ? below : above, tsr_box_array(part));
}

/* The weights of the elements that count, none of which is less than 0, as float64 of x's shape. */
static bool set_weights(selection *q)
{
  const tsr_location *where = q->s.where;
  const tsr_dims shape = tsr_shape_at(where, q->x);
  tsr_array w = tsr__step_array(&q->s, q->o.weights, true);
  if (!tsr_ok(w) ||
      !tsr__check_real(q->s.c, where, "weights", tsr_dtype_of_at(where, w), q->o.weights))
    return false;
  w = tsr__weights_along(&q->s, &q->o, tsr_box_array(q->x), w, &shape);
  if (!tsr_ok(w)) return false;
  const tsr_array least = tsr_min_at(where, tsr_box_array(w), 0, NULL);
  const double of_least = tsr_item_f64_at(where, tsr_box_array(least));
  if (of_least < 0) {
    tsr__fail(q->s.c, where, TSR_ERR_ARGUMENT, "a weight is %g: none is below 0", of_least);
    return false;
  }
  w = tsr_broadcast_to_at(where, tsr_astype_at(where, tsr_box_array(w), TSR_DTYPE_FLOAT64), shape);
  if (q->how & SKIPS_NAN)
    w = tsr__step_where(&q->s, compare_with(q, TSR_OP_EQUAL, q->x), tsr_box_array(w),
                        tsr_box_float(0));
  q->weights = w;
  return tsr_ok(w);
}

/* The least element up to which the weights make up the fraction of their sum. */
static tsr_array by_weights(selection *q)
{
  const tsr_location *where = q->s.where;
  tsr_array value = tsr_null();
  if (q->o.method == NULL || strcmp(q->o.method, "inverted_cdf") != 0) {
    tsr__fail(q->s.c, where, TSR_ERR_ARGUMENT, "weights are of the method inverted_cdf alone");
    return tsr_null();
  }
  if (!set_weights(q)) return tsr_null();
  void *memory = make_numbers(q);
  const tsr_array total = reduce_axes(q, TSR_REDUCE_SUM, q->weights);
  bool ok = memory != NULL && tsr_ok(total) &&
            tsr_to_host_at(where, tsr_box_array(total), q->totals, 0, NULL) == TSR_OK &&
            count_elements(q);
  for (int64_t i = 0; i < q->n_results && ok; i++) {
    ok = isfinite(q->totals[i]) && (q->totals[i] > 0 || q->counts[i] == 0);
    if (!ok) tsr__fail(q->s.c, where, TSR_ERR_ARGUMENT, "the weights sum to %g", q->totals[i]);
  }
  if (ok) value = select_element(q);
  if (ok)
    value = tsr__step_where(&q->s, is_nan(q), tsr_box_float((double)NAN), tsr_box_array(value));
  free(memory);
  return in_shape(q, value);
}

static tsr_array quantile_of(const tsr_location *where, const char *name, tsr_operand x,
                             double quantile, int how, unsigned takes, int n,
                             const tsr_axes *options)
{
  selection q = {.how = how, .weights = tsr_null(), .fraction = quantile};
  if (!tsr__reduce_options(where, takes, n, options, &q.o)) return tsr_null();
  q.s = tsr__steps_begin(where);
  q.x = tsr__step_array(&q.s, x, true);
  if (!tsr_ok(q.x) || !tsr__check_real(q.s.c, where, name, tsr_dtype_of_at(where, q.x), x) ||
      !measure_results(&q, x))
    return tsr__steps_end(&q.s, tsr_null());
  uint64_t bits;
  memcpy(&bits, &quantile, sizeof bits);
  tsr__event_of(q.s.c, where, TSR_EVENT_QUANTILE, bits);
  tsr__note_event(&q.s.c->window, "q %.17g", quantile);
  if (q.n_reduced == 0) {
    /* Every result is NaN, as the mean of no elements is. */
    tsr_array mean = tsr__reduce_at(where, TSR_REDUCE_SUM, true, tsr_box_array(q.x), q.o.n_axes,
                                    q.o.axes, q.o.keepdims);
    return tsr__steps_end(&q.s, mean);
  }
  tsr_array value;
  const tsr_handle *handle =
      x.kind == TSR_OPERAND_ARRAY ? tsr__handle_peek(q.s.c, x.as.array) : NULL;
  tsr_dtype dtype = tsr_dtype_of_at(where, q.x);
  const tsr_dtype given = handle != NULL ? handle->region->dtype : dtype;
  if (q.o.has_weights) {
    value = by_weights(&q);
    dtype = given;
  } else if (q.o.method != NULL && strcmp(q.o.method, "linear") != 0) {
    value = by_method(&q, quantile);
    if (tsr__quantile_is_element(q.o.method)) dtype = given;
  } else if (is_for_task(&q)) {
    value = by_task(&q, quantile);
  } else {
    value = counted(&q, quantile);
  }
  if (tsr_ok(value) && tsr_dtype_of_at(where, value) != dtype)
    value = tsr_astype_at(where, tsr_box_array(value), dtype);
  return tsr__steps_end(&q.s, value);
}

/* Checks that q is in [0, whole]; returns false with an error if not. */
static bool in_range(const tsr_location *where, double q, double whole)
{
  if (q >= 0 && q <= whole) return true;
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_error *e = tsr__fail_begin(c, where, TSR_ERR_ARGUMENT, "the %s %g is not in [0, %g]",
                                 whole == 1 ? "quantile" : "percentile", q, whole);
  if (whole == 1 && q > 1 && q <= 100) tsr__error_help(e, "percent are hundredths: %g", q / 100);
  tsr__fail_end(c);
  return false;
}

/* What is asked of one array by several calls. */
typedef struct question {
  const tsr_location *where;
  const char *name;
  tsr_operand x;
  double whole; /* 1, or 100 where q are percent */
  int how;
  unsigned takes;
  int n_options;
  const tsr_axes *options;
} question;

static tsr_array answer(const question *a, double q)
{
  if (!in_range(a->where, q, a->whole)) return tsr_null();
  return quantile_of(a->where, a->name, a->x, q / a->whole, a->how, a->takes, a->n_options,
                     a->options);
}

/* No numbers, of the shape and dtype that their results would have. */
static tsr_array no_answers(const question *a, const tsr_dims *shape)
{
  const tsr_steps s = tsr__steps_begin(a->where);
  const tsr_array one = answer(a, 0);
  if (!tsr_ok(one)) return tsr__steps_end(&s, tsr_null());
  const tsr_dims of_one = tsr_shape_at(a->where, one);
  tsr_dims to = *shape;
  for (int k = 0; k < of_one.ndim; k++, to.ndim++)
    if (to.ndim < TSR_MAX_NDIM) to.n[to.ndim] = of_one.n[k];
  return tsr__steps_end(&s, tsr_zeros_at(a->where, to, tsr_dtype_of_at(a->where, one)));
}

/* Stacks the results of n > 0 numbers; `shape`: theirs. */
static tsr_array answers(const question *a, int64_t n, const double *q, const tsr_dims *shape)
{
  const tsr_steps s = tsr__steps_begin(a->where);
  tsr_array *found = tsr__host_alloc(s.c, a->where, n, sizeof *found);
  tsr_array made = tsr_null();
  bool ok = found != NULL;
  for (int64_t i = 0; i < n && ok; i++) {
    found[i] = answer(a, q[i]);
    ok = tsr_ok(found[i]);
  }
  if (ok) made = tsr_stack_at(a->where, (tsr_arrays){.n = (int)n, .v = found}, 0);
  free(found);
  if (tsr_ok(made) && shape->ndim != 1) {
    const tsr_dims all = tsr_shape_at(a->where, made);
    tsr_dims to = *shape;
    for (int k = 1; k < all.ndim; k++, to.ndim++)
      if (to.ndim < TSR_MAX_NDIM) to.n[to.ndim] = all.n[k];
    made = tsr_reshape_at(a->where, made, to);
  }
  return tsr__steps_end(&s, made);
}

/* q: a number, or an array of them, which is read. */
static tsr_array quantiles_of(const question *a, tsr_operand q)
{
  enum { MOST = 1 << 16 };
  tsr_context *c = tsr__context(a->where);
  if (q.kind == TSR_OPERAND_COMPLEX) {
    tsr__fail(c, a->where, TSR_ERR_DTYPE, "q is a real number, not a complex one");
    return tsr_null();
  }
  if (q.kind > TSR_OPERAND_COMPLEX) {
    tsr__fail_none(c, a->where, q);
    return tsr_null();
  }
  if (q.kind != TSR_OPERAND_ARRAY)
    return answer(a, q.kind == TSR_OPERAND_FLOAT  ? q.as.f
                     : q.kind == TSR_OPERAND_BOOL ? (double)(q.as.u != 0)
                     : q.kind == TSR_OPERAND_UINT ? (double)q.as.u
                                                  : (double)q.as.i);
  if (tsr__handle(c, a->where, q.as.array) == NULL) return tsr_null();
  const tsr_dims shape = tsr_shape_at(a->where, q.as.array);
  int64_t n = 1;
  for (int k = 0; k < shape.ndim; k++) n *= shape.n[k];
  if (tsr__dtype_is_complex(tsr_dtype_of_at(a->where, q.as.array))) {
    tsr__fail(c, a->where, TSR_ERR_DTYPE, "q are real numbers, not complex ones");
    return tsr_null();
  }
  if (n > MOST) {
    tsr__fail(c, a->where, TSR_ERR_SHAPE, "q has %lld numbers, at most %d", (long long)n, MOST);
    return tsr_null();
  }
  if (n == 0) return no_answers(a, &shape);
  const tsr_steps s = tsr__steps_begin(a->where);
  double *values = tsr__host_alloc(s.c, a->where, n, sizeof *values);
  tsr_array made = tsr_null();
  const tsr_array floats = tsr_astype_at(a->where, q, TSR_DTYPE_FLOAT64);
  if (values != NULL && tsr_to_host_at(a->where, tsr_box_array(floats), values, 0, NULL) == TSR_OK)
    made = shape.ndim == 0 ? answer(a, values[0]) : answers(a, n, values, &shape);
  free(values);
  return tsr__steps_end(&s, made);
}

/* Each row has the name, the upper limit of q, and the flags. */
#define QUANTILE(name, whole, how)                                                                 \
  tsr_array tsr_##name##_at(const tsr_location *where, tsr_operand x, tsr_operand q,               \
                            int n_options, const tsr_axes *options)                                \
  {                                                                                                \
    return quantiles_of(                                                                           \
        &(question){where, #name, x, whole, how, tsr__takes_##name, n_options, options}, q);       \
  }
QUANTILE(quantile, 1, 0)
QUANTILE(nanquantile, 1, SKIPS_NAN)
QUANTILE(percentile, 100, 0)
QUANTILE(nanpercentile, 100, SKIPS_NAN)

#define MEDIAN(name, how)                                                                          \
  tsr_array tsr_##name##_at(const tsr_location *where, tsr_operand x, int n_options,               \
                            const tsr_axes *options)                                               \
  {                                                                                                \
    return quantile_of(where, #name, x, 0.5, IS_MEDIAN | (how), tsr__takes_##name, n_options,      \
                       options);                                                                   \
  }
MEDIAN(median, 0)
MEDIAN(nanmedian, SKIPS_NAN)
