/* Random numbers. A draw is a few recorded operations over the element's flat index, the
 * generator's seed and the number of the draw (kernel/ops/ops_random.h), so it fuses with its
 * consumers. The seed and the number are scalars of the operations: a remembered plan serves every
 * draw, and ranks whose generators differ have different hashes of the op stream. */
#include "array/core/array_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array/core/scalar.h"
#include "kernel/ops/ops_permute.h"
#include "kernel/ops/ops_random.h"

/* A draw while it is recorded. Its temporaries are in a scope of its own. */
typedef struct draw {
  tsr_context *c;
  const tsr_location *where;
  tsr_rng rng; /* the generator before the draw */
  tsr_dims shape;
  int64_t size;
  int32_t depth;
  tsr_array index; /* flat index, int64; null until it is needed */
} draw;

tsr_rng tsr_default_rng(uint64_t seed)
{
  return (tsr_rng){.seed = seed};
}

static bool check_rng(const tsr_location *where, const tsr_rng *rng)
{
  if (rng) return true;
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr__fail_on(c, where, TSR_ERR_ARGUMENT, 0, NULL,
               "tsr_rng rng = tsr_default_rng(seed); then draw from &rng", "the generator is NULL");
  return false;
}

static bool draw_begin(draw *d, const tsr_location *where, const tsr_rng *rng,
                       const tsr_dims *shape, tsr_dtype dtype)
{
  if (!check_rng(where, rng)) return false;
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  *d = (draw){.c = c, .where = where, .rng = *rng, .shape = *shape};
  d->size = tsr__checked_size(c, where, shape, dtype);
  if (d->size < 0) return false;
  /* The event carries the generator's state, since draws whose order is made on the host record no
   * operation with it. */
  tsr__event_of(d->c, where, TSR_EVENT_DRAW, rng->seed ^ rng->n_draws * 0x9E3779B97F4A7C15u);
  tsr__note_event(&d->c->window, "seed %llu, after %llu draws", (unsigned long long)rng->seed,
                  (unsigned long long)rng->n_draws);
  d->depth = d->c->n_scopes - 1;
  tsr__scope_push(d->c, TSR_SCOPE_IS_STATEMENT);
  tsr__call_begin(where);
  return true;
}

/* Ends the draw: moves the result to the caller's scope and advances the generator. */
static tsr_array draw_end(draw *d, tsr_array result, tsr_rng *rng)
{
  static const tsr_location end = {.op = "the end of its draw"};
  tsr_handle *handle = tsr__handle_peek(d->c, result);
  if (handle) {
    handle->is_creation = true;
    tsr__handle_move(d->c, handle, d->depth);
    rng->n_draws++;
  }
  tsr__scopes_pop_to(d->c, d->depth, &end);
  tsr__call_end(&d->c);
  return result;
}

static tsr_array map_draws(const draw *d, tsr_opcode op, tsr_operand x, tsr_operand y)
{
  return tsr__map_at(d->where, op, 2, (const tsr_operand[]){x, y});
}

static tsr_array map_1(const draw *d, tsr_opcode op, tsr_array x)
{
  const tsr_operand operand = tsr_box_array(x);
  return tsr__map_at(d->where, op, 1, &operand);
}

static tsr_array times(const draw *d, tsr_array x, double factor)
{
  return map_draws(d, TSR_OP_MULTIPLY, tsr_box_array(x), tsr_box_float(factor));
}

static tsr_array plus(const draw *d, tsr_array x, double term)
{
  return map_draws(d, TSR_OP_ADD, tsr_box_array(x), tsr_box_float(term));
}

/* Returns each element's index in row-major order. */
static tsr_array flat_index(draw *d)
{
  if (tsr_ok(d->index)) return d->index;
  tsr_operand terms[TSR_MAX_NDIM];
  int n = 0;
  int64_t stride = 1;
  for (int k = d->shape.ndim - 1; k >= 0; stride *= d->shape.n[k--]) {
    if (d->shape.n[k] == 1) continue;
    tsr_new made = tsr__make(d->c, d->where, TSR_DTYPE_INT64, &d->shape);
    tsr__record_iota(&d->c->window, d->where, k, made.region, made.view);
    tsr_array term = made.array;
    if (stride > 1) term = map_draws(d, TSR_OP_MULTIPLY, tsr_box_array(term), tsr_box_int(stride));
    terms[n++] = tsr_box_array(term);
  }
  if (n == 0)
    d->index = tsr_full_at(d->where, d->shape, tsr_box_int(0), TSR_DTYPE_INT64);
  else
    d->index = n == 1 ? terms[0].as.array : tsr__map_at(d->where, TSR_OP_ADD, n, terms);
  return d->index;
}

static tsr_op_in in_of(const draw *d, tsr_array x)
{
  const tsr_handle *s = tsr__handle_peek(d->c, x);
  return (tsr_op_in){.region = s->region, .view = s->view};
}

static tsr_op_in in_scalar(uint64_t bits)
{
  return (tsr_op_in){.scalar = tsr__scalar_of_bits(TSR_DTYPE_INT64, bits)};
}

static tsr_array random_of(const draw *d, tsr_random f, const tsr_op_in *in)
{
  tsr_new made = tsr__make(d->c, d->where, TSR_DTYPE_INT64, &d->shape);
  tsr__record_random(&d->c->window, d->where, f, in, made.region, made.view);
  return made.array;
}

/* Returns 64 of the 128 random bits of each element. */
static tsr_array bits(draw *d, tsr_random half)
{
  const tsr_op_in in[3] = {in_of(d, flat_index(d)), in_scalar(d->rng.seed),
                           in_scalar(d->rng.n_draws)};
  return random_of(d, half, in);
}

/* Returns the highest n of 64 random bits as a number. */
static tsr_array top(draw *d, tsr_random half, int n)
{
  const tsr_op_in in[2] = {in_of(d, bits(d, half)), in_scalar((uint64_t)n)};
  return random_of(d, TSR_RANDOM_TOP, in);
}

static tsr_array empty(const draw *d, tsr_dtype dtype)
{
  tsr_array made = tsr__make(d->c, d->where, dtype, &d->shape).array;
  tsr__event(d->c, d->where, TSR_EVENT_EMPTY, made);
  return made;
}

static bool check_float(const tsr_location *where, tsr_dtype dtype)
{
  if (dtype == TSR_DTYPE_FLOAT32 || dtype == TSR_DTYPE_FLOAT64) return true;
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  const bool known = (unsigned)dtype < TSR_N_DTYPES;
  tsr__fail_on(c, where, TSR_ERR_DTYPE, 0, NULL, "tsr_rng_integers draws integers",
               "the dtype is float64 or float32, not %s",
               known ? tsr__dtype_info(dtype)->name : "an unknown one");
  return false;
}

/* Checks that array parameters do not broadcast the result to a larger shape. */
static tsr_array with_shape(const draw *d, tsr_array x)
{
  const tsr_handle *s = tsr__handle_peek(d->c, x);
  if (!s || tsr__has_shape(&s->view->view, &d->shape)) return x;
  char got[256], want[256];
  const tsr_view *v = &s->view->view;
  tsr__fail(d->c, d->where, TSR_ERR_BROADCAST,
            "parameters of shape %s do not broadcast to the shape %s that is drawn",
            tsr__shape_text(v->ndim, v->shape, got, sizeof got),
            tsr__shape_text(d->shape.ndim, d->shape.n, want, sizeof want));
  return tsr_null();
}

static bool is_number(tsr_operand x, double value)
{
  return (x.kind == TSR_OPERAND_INT && (double)x.as.i == value) ||
         (x.kind == TSR_OPERAND_FLOAT && x.as.f == value);
}

/* Returns loc + scale * x in the dtype, without the operations that change nothing. */
static tsr_array located(const draw *d, tsr_array x, tsr_operand loc, tsr_operand scale,
                         tsr_dtype dtype)
{
  if (tsr_ok(x) && !is_number(scale, 1)) x = map_draws(d, TSR_OP_MULTIPLY, tsr_box_array(x), scale);
  if (tsr_ok(x) && !is_number(loc, 0)) x = map_draws(d, TSR_OP_ADD, loc, tsr_box_array(x));
  x = with_shape(d, x);
  if (!tsr_ok(x) || tsr_dtype_of_at(d->where, x) == dtype) return x;
  return tsr_astype_at(d->where, tsr_box_array(x), dtype);
}

/* Returns high - low. */
static tsr_operand width(const draw *d, tsr_operand low, tsr_operand high)
{
  if (low.kind == TSR_OPERAND_ARRAY || high.kind == TSR_OPERAND_ARRAY)
    return tsr_box_array(map_draws(d, TSR_OP_SUBTRACT, high, low));
  return tsr_box_float(tsr__double_of(high) - tsr__double_of(low));
}

/* Checks the range of C numbers; the elements of arrays are not checked. */
static bool check_range(const tsr_location *where, tsr_operand low, tsr_operand high)
{
  if (low.kind == TSR_OPERAND_ARRAY || high.kind == TSR_OPERAND_ARRAY) return true;
  if (isfinite(tsr__double_of(high) - tsr__double_of(low))) return true;
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr__fail(c, where, TSR_ERR_ARGUMENT, "the range from %g to %g is no finite number wide",
            tsr__double_of(low), tsr__double_of(high));
  return false;
}

static bool check_scale(const tsr_location *where, tsr_operand scale)
{
  if (scale.kind == TSR_OPERAND_ARRAY || !signbit(tsr__double_of(scale))) return true;
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr__fail(c, where, TSR_ERR_ARGUMENT, "the scale %g is negative", tsr__double_of(scale));
  return false;
}

tsr_array tsr_rng_uniform_at(const tsr_location *where, tsr_rng *rng, tsr_operand low,
                             tsr_operand high, tsr_dims shape, tsr_dtype dtype)
{
  draw d;
  if (!check_float(where, dtype) || !check_range(where, low, high) ||
      !draw_begin(&d, where, rng, &shape, dtype))
    return tsr_null();
  if (d.size == 0) return draw_end(&d, empty(&d, dtype), rng);
  tsr_array u;
  if (dtype == TSR_DTYPE_FLOAT32) { /* exact, since the number has 24 bits */
    u = top(&d, TSR_RANDOM_FIRST, 24);
    u = times(&d, tsr_astype_at(where, tsr_box_array(u), dtype), 0x1p-24);
  } else {
    u = times(&d, top(&d, TSR_RANDOM_FIRST, 53), 0x1p-53);
  }
  return draw_end(&d, located(&d, u, low, width(&d, low, high), dtype), rng);
}

tsr_array tsr_rng_normal_at(const tsr_location *where, tsr_rng *rng, tsr_operand loc,
                            tsr_operand scale, tsr_dims shape, tsr_dtype dtype)
{
  draw d;
  if (!check_float(where, dtype) || !check_scale(where, scale) ||
      !draw_begin(&d, where, rng, &shape, dtype))
    return tsr_null();
  if (d.size == 0) return draw_end(&d, empty(&d, dtype), rng);
  /* u < 1, so 1 - u is in (0, 1] and its logarithm is finite. */
  tsr_array radius = plus(&d, times(&d, top(&d, TSR_RANDOM_FIRST, 53), -0x1p-53), 1);
  radius = map_1(&d, TSR_OP_SQRT, times(&d, map_1(&d, TSR_OP_LOG, radius), -2));
  tsr_array angle = times(&d, top(&d, TSR_RANDOM_SECOND, 53), 0x1.921fb54442d18p-51);
  angle = map_1(&d, TSR_OP_COS, angle);
  tsr_array x = map_draws(&d, TSR_OP_MULTIPLY, tsr_box_array(radius), tsr_box_array(angle));
  return draw_end(&d, located(&d, x, loc, scale, dtype), rng);
}

tsr_array tsr_rng_exponential_at(const tsr_location *where, tsr_rng *rng, tsr_operand scale,
                                 tsr_dims shape, tsr_dtype dtype)
{
  draw d;
  if (!check_float(where, dtype) || !check_scale(where, scale) ||
      !draw_begin(&d, where, rng, &shape, dtype))
    return tsr_null();
  if (d.size == 0) return draw_end(&d, empty(&d, dtype), rng);
  tsr_array x = times(&d, top(&d, TSR_RANDOM_FIRST, 53), -0x1p-53);
  x = map_1(&d, TSR_OP_NEGATIVE, map_1(&d, TSR_OP_LOG1P, x));
  return draw_end(&d, located(&d, x, tsr_box_int(0), scale, dtype), rng);
}

/* Returns random int64 numbers below n. */
static tsr_array below(draw *d, uint64_t n)
{
  const tsr_op_in in[3] = {in_of(d, bits(d, TSR_RANDOM_FIRST)),
                           in_of(d, bits(d, TSR_RANDOM_SECOND)), in_scalar(n)};
  return random_of(d, TSR_RANDOM_BELOW, in);
}

static bool check_bounds(tsr_context *c, const tsr_location *where, tsr_operand low,
                         tsr_operand high, tsr_dtype dtype)
{
  if ((unsigned)dtype >= TSR_N_DTYPES || !tsr__dtype_is_integer(dtype)) {
    tsr__fail(c, where, TSR_ERR_DTYPE, "%s is not a dtype of integers",
              (unsigned)dtype < TSR_N_DTYPES ? tsr__dtype_info(dtype)->name : "that");
    return false;
  }
  if (low.kind != TSR_OPERAND_INT || high.kind != TSR_OPERAND_INT) {
    if ((low.kind == TSR_OPERAND_ARRAY && !tsr__handle(c, where, low.as.array)) ||
        (high.kind == TSR_OPERAND_ARRAY && !tsr__handle(c, where, high.as.array)))
      return false;
    tsr__fail_on(c, where, TSR_ERR_ARGUMENT, 0, NULL,
                 "for bounds by element scale uniform numbers, and cast",
                 "low and high are C integers here");
    return false;
  }
  if (low.as.i >= high.as.i) {
    tsr__fail_on(c, where, TSR_ERR_ARGUMENT, 0, NULL, "high itself is never drawn",
                 "there is no integer from %lld up to, but without, %lld", (long long)low.as.i,
                 (long long)high.as.i);
    return false;
  }
  tsr_scalar unused;
  return tsr__scalar_as(c, where, low, dtype, &unused) &&
         tsr__scalar_as(c, where, tsr_box_int(high.as.i - 1), dtype, &unused);
}

/* Converts an unsigned C integer that fits int64. */
static tsr_operand as_int(tsr_operand x)
{
  const bool fits = x.kind == TSR_OPERAND_UINT && x.as.u <= INT64_MAX;
  return fits ? tsr_box_int((int64_t)x.as.u) : x;
}

tsr_array tsr_rng_integers_at(const tsr_location *where, tsr_rng *rng, tsr_operand low,
                              tsr_operand high, tsr_dims shape, tsr_dtype dtype)
{
  draw d;
  low = as_int(low);
  high = as_int(high);
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  if (!check_bounds(c, where, low, high, dtype)) return tsr_null();
  if (!draw_begin(&d, where, rng, &shape, dtype)) return tsr_null();
  if (d.size == 0) return draw_end(&d, empty(&d, dtype), rng);
  tsr_array x = below(&d, (uint64_t)high.as.i - (uint64_t)low.as.i);
  if (low.as.i != 0) x = map_draws(&d, TSR_OP_ADD, tsr_box_array(x), low);
  if (dtype != TSR_DTYPE_INT64) x = tsr_astype_at(where, tsr_box_array(x), dtype);
  return draw_end(&d, x, rng);
}

enum { MOST_SHUFFLED = 65536 };

/* Returns the random number below n at an index, on the host. */
static uint64_t host_below(const tsr_rng *rng, uint64_t index, uint64_t n)
{
  return random_below_u64(random_first_u64(index, rng->seed, rng->n_draws),
                          random_second_u64(index, rng->seed, rng->n_draws), n);
}

static uint64_t network_key(const tsr_rng *rng)
{
  return random_first_u64(0, rng->seed, rng->n_draws);
}

/* Returns the draw's permutation of n, allocated by malloc, or NULL with an error. */
static int64_t *host_order(const draw *d, int64_t n)
{
  const tsr_rng *rng = &d->rng;
  int64_t *order = tsr__host_alloc(d->c, d->where, n, sizeof *order);
  if (!order) return NULL;
  if (n > MOST_SHUFFLED) {
    for (int64_t i = 0; i < n; i++)
      order[i] = (int64_t)random_permute((uint64_t)i, network_key(rng), (uint64_t)n);
    return order;
  }
  for (int64_t i = 0; i < n; i++) order[i] = i;
  for (int64_t i = n - 1; i > 0; i--) {
    const int64_t j = (int64_t)host_below(rng, (uint64_t)i, (uint64_t)i + 1), swapped = order[i];
    order[i] = order[j];
    order[j] = swapped;
  }
  return order;
}

/* Returns the first elements of the draw's permutation of n, as many as the shape has. */
static tsr_array order_of(draw *d, int64_t n)
{
  if (d->size == 0) return empty(d, TSR_DTYPE_INT64);
  if (n > MOST_SHUFFLED) {
    const tsr_op_in in[3] = {in_of(d, flat_index(d)), in_scalar(network_key(&d->rng)),
                             in_scalar((uint64_t)n)};
    return random_of(d, TSR_RANDOM_PERMUTE, in);
  }
  int64_t *order = host_order(d, n);
  if (!order) return tsr_null();
  tsr_array made = tsr_from_host_at(d->where, order, TSR_DTYPE_INT64, d->shape, 0, NULL);
  free(order);
  return made;
}

/* Returns the n parts x[order[0]], x[order[1]], … along axis 0, in `shape`. */
static tsr_array gathered(const draw *d, tsr_array x, int64_t n, const int64_t *order,
                          tsr_dims shape)
{
  const tsr_location *where = d->where;
  const tsr_dims from = tsr_shape_at(where, x);
  const tsr_dtype dtype = tsr_dtype_of_at(where, x);
  size_t part_bytes = tsr__dtype_size(dtype);
  for (int k = 1; k < from.ndim; k++) part_bytes *= (size_t)from.n[k];
  char *all = tsr__host_alloc(d->c, where, from.n[0] + n, part_bytes);
  if (!all) return tsr_null();
  char *some = all + (size_t)from.n[0] * part_bytes;
  tsr_array made = tsr_null();
  if (tsr_to_host_at(where, tsr_box_array(x), all, 0, NULL) == TSR_OK) {
    for (int64_t i = 0; i < n; i++)
      memcpy(some + (size_t)i * part_bytes, all + (size_t)order[i] * part_bytes, part_bytes);
    made = tsr_from_host_at(where, some, dtype, shape, 0, NULL);
  }
  free(all);
  return made;
}

static bool check_has_axis(const tsr_location *where, tsr_array x, bool exactly_one)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  const tsr_handle *s = tsr__handle(c, where, x);
  if (!s) return false;
  const int ndim = s->view->view.ndim;
  if (exactly_one ? ndim == 1 : ndim >= 1) return true;
  tsr_error *e = tsr__fail_begin(c, where, TSR_ERR_SHAPE, "an array of %s is wanted, not of %d",
                                 exactly_one ? "one axis" : "at least one axis", ndim);
  tsr__note_operand(c, e, where, 1, tsr_box_array(x));
  tsr__fail_end(c);
  return false;
}

/* Returns a copy of x, permuted along axis 0. */
static tsr_array reordered(draw *d, tsr_array x)
{
  int64_t *order = host_order(d, d->shape.n[0]);
  if (!order) return tsr_null();
  tsr_array made = gathered(d, x, d->shape.n[0], order, d->shape);
  free(order);
  return made;
}

static bool check_count(const tsr_location *where, tsr_operand x, int64_t least)
{
  if (x.kind == TSR_OPERAND_INT && x.as.i >= least) return true;
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  if (x.kind == TSR_OPERAND_ARRAY) { /* the null handle */
    tsr__handle(c, where, x.as.array);
    return false;
  }
  if (x.kind == TSR_OPERAND_INT)
    tsr__fail(c, where, TSR_ERR_ARGUMENT, "%lld is not a number of elements to order or draw from",
              (long long)x.as.i);
  else
    tsr__fail(c, where, TSR_ERR_ARGUMENT, "an array or an integer is wanted");
  return false;
}

tsr_array tsr_rng_permutation_at(const tsr_location *where, tsr_rng *rng, tsr_operand x)
{
  draw d;
  x = as_int(x);
  if (x.kind == TSR_OPERAND_ARRAY && tsr_ok(x.as.array)) {
    if (!check_has_axis(where, x.as.array, false)) return tsr_null();
    const tsr_dims shape = tsr_shape_at(where, x.as.array);
    const tsr_dtype dtype = tsr_dtype_of_at(where, x.as.array);
    if (!draw_begin(&d, where, rng, &shape, dtype)) return tsr_null();
    return draw_end(&d, d.size ? reordered(&d, x.as.array) : empty(&d, dtype), rng);
  }
  if (!check_count(where, x, 0)) return tsr_null();
  const tsr_dims shape = {.ndim = 1, .n = {x.as.i}};
  if (!draw_begin(&d, where, rng, &shape, TSR_DTYPE_INT64)) return tsr_null();
  return draw_end(&d, order_of(&d, x.as.i), rng);
}

tsr_status tsr_rng_shuffle_at(const tsr_location *where, tsr_rng *rng, tsr_array x)
{
  draw d;
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  if (!check_has_axis(where, x, false)) return tsr_ok(x) ? c->last_status : TSR_ERR_HANDLE;
  tsr_status status;
  if (!tsr__target_of(c, where, x, &status)) return status;
  const tsr_dims shape = tsr_shape_at(where, x);
  if (!draw_begin(&d, where, rng, &shape, tsr_dtype_of_at(where, x))) return c->last_status;
  if (d.size > 0) {
    tsr_array made = reordered(&d, x);
    status = tsr_ok(made) ? tsr_assign_at(where, x, tsr_box_array(made)) : c->last_status;
  }
  draw_end(&d, tsr_null(), rng);
  if (status == TSR_OK) rng->n_draws++;
  return status;
}

tsr_array tsr_rng_choice_at(const tsr_location *where, tsr_rng *rng, tsr_operand x, tsr_dims shape,
                            bool replace)
{
  draw d;
  x = as_int(x);
  const bool of_array = x.kind == TSR_OPERAND_ARRAY && tsr_ok(x.as.array);
  if (of_array && !check_has_axis(where, x.as.array, true)) return tsr_null();
  const tsr_operand count = of_array ? tsr_box_int(tsr_shape_at(where, x.as.array).n[0]) : x;
  if (!draw_begin(&d, where, rng, &shape, TSR_DTYPE_INT64)) return tsr_null();
  tsr_array made = tsr_null();
  if (!check_count(where, count, d.size > 0)) return draw_end(&d, made, rng);
  const int64_t n = count.as.i;
  if (!replace && d.size > n) {
    tsr__fail(d.c, where, TSR_ERR_ARGUMENT,
              "%lld elements cannot be drawn from %lld without drawing one twice",
              (long long)d.size, (long long)n);
    return draw_end(&d, made, rng);
  }
  if (d.size == 0)
    made = empty(&d, of_array ? tsr_dtype_of_at(where, x.as.array) : TSR_DTYPE_INT64);
  else
    made = replace ? below(&d, (uint64_t)n) : order_of(&d, n);
  if (!of_array || d.size == 0 || !tsr_ok(made)) return draw_end(&d, made, rng);
  int64_t *which = tsr__host_alloc(d.c, where, d.size, sizeof *which);
  const bool ok = which && tsr_to_host_at(where, tsr_box_array(made), which, 0, NULL) == TSR_OK;
  made = ok ? gathered(&d, x.as.array, d.size, which, shape) : tsr_null();
  free(which);
  return draw_end(&d, made, rng);
}
