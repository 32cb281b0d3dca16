/* Methods of elementwise functions of two operands: reduce, accumulate, outer.
 *
 * Six functions have a reduction of their own, four a scan. A function that may be put in any
 * brackets (it is associative) is folded and scanned in about log2(n) steps over strided views;
 * subtract and divide are the first element and the sum or product of the others; any other
 * function is applied to one element after the other. */
#include "array/core/names.h"
#include "array/generated/takes.h"
#include "array/ops/scans.h"
#include "array/views/reshape.h"
#include "array/ops/step_ops.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { MOST_IN_ORDER = 4096 };

/** How a function is applied to many elements. */
typedef enum manner {
  IN_ORDER,
  IN_ANY_BRACKETS,
  BY_REST, /* the first element with what `rest` makes of the others */
  REDUCES  /* a reduction of its own */
} manner;

/** What is known of a function by its name. */
typedef struct known {
  const char *name;
  manner manner;
  tsr_reduction rest;
  double neutral; /* changes no element that it is combined with; NaN: there is none */
  bool is_size;   /* the neutral element makes the size of an element, not the element */
  /* A function that is no operation of its own, but made of others. */
  tsr_array (*call)(const tsr_location *where, tsr_operand x, tsr_operand y);
} known;

typedef struct method {
  tsr_steps s;
  const char *name; /* of the method: "reduce" */
  known f;
  tsr_opcode op; /* if there is no f.call */
  tsr_reduce_options o;
  tsr_array x, mask; /* mask: of x's shape; null: all elements count */
  tsr_array initial; /* 0-d, of x's dtype; null: none */
} method;

static const known functions[] = {
    {"add", REDUCES, TSR_REDUCE_SUM, .neutral = 0},
    {"multiply", REDUCES, TSR_REDUCE_PROD, .neutral = 1},
    {"minimum", REDUCES, TSR_REDUCE_MIN, .neutral = (double)NAN},
    {"maximum", REDUCES, TSR_REDUCE_MAX, .neutral = (double)NAN},
    {"logical_and", REDUCES, TSR_REDUCE_ALL, .neutral = 1},
    {"logical_or", REDUCES, TSR_REDUCE_ANY, .neutral = 0},
    {"subtract", BY_REST, TSR_REDUCE_SUM, .neutral = 0},
    {"divide", BY_REST, TSR_REDUCE_PROD, .neutral = 1},
    {"logical_xor", IN_ANY_BRACKETS, .neutral = 0},
    {"bitwise_and", IN_ANY_BRACKETS, .neutral = -1},
    {"bitwise_or", IN_ANY_BRACKETS, .neutral = 0},
    {"bitwise_xor", IN_ANY_BRACKETS, .neutral = 0},
    {"hypot", IN_ANY_BRACKETS, .neutral = 0, .is_size = true},
    {"logaddexp", IN_ANY_BRACKETS, .neutral = -(double)INFINITY},
    {"fmin", IN_ANY_BRACKETS, .neutral = (double)NAN},
    {"fmax", IN_ANY_BRACKETS, .neutral = (double)NAN},
    {"gcd", IN_ANY_BRACKETS, .neutral = 0, .is_size = true},
    {"lcm", IN_ANY_BRACKETS, .neutral = (double)NAN},
    {"logaddexp2", IN_ANY_BRACKETS, .neutral = -(double)INFINITY, .call = tsr_logaddexp2_at},
    {"float_power", IN_ORDER, .neutral = (double)NAN, .call = tsr_float_power_at},
};

static bool is_logical(const method *m)
{
  return !m->f.call && tsr__op_info(m->op)->rule == TSR_RULE_LOGICAL;
}

static tsr_array of_two(const method *m, const tsr_operand pair[2])
{
  return m->f.call ? m->f.call(m->s.where, pair[0], pair[1])
                   : tsr__map_at(m->s.where, m->op, 2, pair);
}

static tsr_array both(const method *m, tsr_array a, tsr_array b)
{
  return of_two(m, (const tsr_operand[]){tsr_box_array(a), tsr_box_array(b)});
}

static tsr_array copy_operand(const method *m, tsr_array x)
{
  return tsr_ok(x) ? tsr_copy_at(m->s.where, tsr_box_array(x)) : x;
}

static tsr_array in_dtype(const method *m, tsr_operand x, tsr_dtype dtype)
{
  const bool is_array = x.kind == TSR_OPERAND_ARRAY;
  if (is_array && (!tsr_ok(x.as.array) || tsr_dtype_of_at(m->s.where, x.as.array) == dtype))
    return x.as.array;
  return tsr_astype_at(m->s.where, x, dtype);
}

/* Finds the function of two operands; returns false with an error. */
static bool begin_method(method *m, const tsr_location *where, const char *ufunc, const char *name)
{
  const int op = ufunc ? tsr__op_named(ufunc) : -1;
  *m = (method){.s = tsr__steps_begin(where), .name = name, .op = (tsr_opcode)op};
  m->f = (known){.name = op < 0 ? NULL : tsr__op_info(m->op)->name, .neutral = (double)NAN};
  for (size_t k = 0; ufunc && k < sizeof functions / sizeof *functions; k++)
    if (strcmp(m->f.name ? m->f.name : ufunc, functions[k].name) == 0) m->f = functions[k];
  if (m->f.call) return true;
  if (op < 0) {
    tsr__fail_on(m->s.c, where, TSR_ERR_ARGUMENT, 0, NULL,
                 "the name is NumPy's, such as \"add\" or \"hypot\"",
                 ufunc ? "there is no elementwise function `%.60s`" : "the function's name is NULL",
                 ufunc);
    return false;
  }
  const tsr_op_info *info = tsr__op_info(m->op);
  if (info->min_args == 2 && info->rule != TSR_RULE_PAIR) return true;
  tsr__fail(m->s.c, where, TSR_ERR_ARGUMENT,
            info->min_args == 2 ? "`%s` has no methods: it is no function of NumPy's"
                                : "`%s` takes %d operand%s: reduce, accumulate and outer are of "
                                  "functions of two operands",
            info->name, info->min_args, info->min_args == 1 ? "" : "s");
  return false;
}

/* The dtype of the function's results of operands of `dtype`. Returns false with an error. */
static bool dtype_of_results(const method *m, tsr_dtype dtype, tsr_dtype *result)
{
  tsr_dtype compute;
  if (!m->f.call && tsr__op_dtypes(m->op, dtype, &compute, result)) return true;
  const tsr_array one = tsr_zeros_at(m->s.where, (tsr_dims){.ndim = 0}, dtype);
  const tsr_array made = both(m, one, one); /* also says why there are none */
  if (tsr_ok(made)) *result = tsr_dtype_of_at(m->s.where, made);
  return tsr_ok(made);
}

/* Sets m->x to x in the dtype of the results, which are operands of the function, too. */
static bool take_operand(method *m, tsr_operand x, bool has_dtype, tsr_dtype dtype)
{
  const tsr_location *where = m->s.where;
  if (has_dtype && (dtype >= TSR_N_DTYPES || (is_logical(m) && dtype != TSR_DTYPE_BOOL))) {
    tsr__fail(m->s.c, where, TSR_ERR_DTYPE,
              dtype >= TSR_N_DTYPES ? "there is no such dtype" : "the results of `%s` are bools",
              m->f.name);
    return false;
  }
  m->x = tsr__step_array(&m->s, x, false);
  if (!tsr_ok(m->x)) return false;
  if (!m->f.call && tsr__op_info(m->op)->rule == TSR_RULE_COMPARE &&
      (tsr_dtype_of_at(where, m->x) != TSR_DTYPE_BOOL || (has_dtype && dtype != TSR_DTYPE_BOOL))) {
    tsr__fail(m->s.c, where, TSR_ERR_DTYPE,
              "`%s.%s`: a comparison gives bools, so its operands are bools, too", m->f.name,
              m->name);
    return false;
  }
  if (is_logical(m)) {
    if (tsr_dtype_of_at(where, m->x) != TSR_DTYPE_BOOL)
      m->x = tsr__map2(&m->s, TSR_OP_NOT_EQUAL, tsr_box_array(m->x), tsr_box_int(0));
    return tsr_ok(m->x);
  }
  if (has_dtype) m->x = in_dtype(m, tsr_box_array(m->x), dtype);
  if (!tsr_ok(m->x)) return false;
  tsr_dtype result;
  if (!dtype_of_results(m, tsr_dtype_of_at(where, m->x), &result)) return false;
  m->x = in_dtype(m, tsr_box_array(m->x), result);
  return tsr_ok(m->x);
}

/* The elements at [from, to) along the axis. */
static tsr_array part(const method *m, tsr_array x, int axis, int64_t from, int64_t to)
{
  return tsr__step_slice(&m->s, x, axis, from, to, 1);
}

static bool is_in_order(const method *m, int64_t n)
{
  if (n <= MOST_IN_ORDER) return true;
  tsr__fail(m->s.c, m->s.where, TSR_ERR_SHAPE,
            "an axis of %lld elements: `%s` is applied to one after the other, and to at most %d",
            (long long)n, m->f.name, MOST_IN_ORDER);
  return false;
}

/* Records y[:, …, k] = op(before, y[:, …, k]), where the mask says so if there is one. */
static bool apply(const method *m, tsr_array to, tsr_array before, tsr_array element,
                  tsr_array counts)
{
  const tsr_steps step = tsr__steps_begin(m->s.where);
  tsr_array value = both(m, before, element);
  if (tsr_ok(counts))
    value = tsr__step_where(&step, counts, tsr_box_array(value), tsr_box_array(before));
  const bool ok = tsr_ok(value) && tsr_assign_at(m->s.where, to, tsr_box_array(value)) == TSR_OK;
  tsr__steps_end(&step, tsr_null());
  return ok;
}

/* Reduce. */

static tsr_operand combined(void *user, const tsr_operand pair[2])
{
  const method *m = user;
  return tsr_box_array(of_two(m, pair));
}

/* x with the axes in the mask of length 1, all elements `value`. */
static tsr_array all_alike(const method *m, tsr_operand value, unsigned axes)
{
  tsr_dims shape = tsr__dims_of(m->s.c, m->x);
  const tsr_dtype dtype = tsr_dtype_of_at(m->s.where, m->x);
  for (int k = 0; k < shape.ndim; k++)
    if (axes >> k & 1) shape.n[k] = 1;
  if (value.kind != TSR_OPERAND_ARRAY) return tsr_full_at(m->s.where, shape, value, dtype);
  return copy_operand(m, tsr_broadcast_to_at(m->s.where, value.as.array, shape));
}

static tsr_operand neutral(const method *m)
{
  if (isinf(m->f.neutral)) return tsr_box_float(m->f.neutral);
  const tsr_dtype dtype = tsr_dtype_of_at(m->s.where, m->x);
  if (dtype == TSR_DTYPE_BOOL) return tsr_box_bool(m->f.neutral != 0); /* -1: all bits are set */
  if (m->f.neutral >= 0) return tsr_box_int((int64_t)m->f.neutral);
  if (tsr__dtype_kind(dtype) != TSR_KIND_UINT) return tsr_box_int(-1);
  return tsr_box_uint(UINT64_MAX >> (64 - 8 * tsr__dtype_size(dtype)));
}

/* TSR_WHERE and TSR_INITIAL. */
static bool take_choice(method *m)
{
  const tsr_location *where = m->s.where;
  m->mask = m->initial = tsr_null();
  if (m->o.has_initial) {
    tsr_scalar value;
    const tsr_dtype dtype = tsr_dtype_of_at(where, m->x);
    if (m->o.initial.kind != TSR_OPERAND_ARRAY &&
        !tsr__scalar_as(m->s.c, where, m->o.initial, dtype, &value))
      return false;
    const tsr_array given = tsr__step_array(&m->s, m->o.initial, false);
    if (!tsr_ok(given)) return false;
    if (tsr__dims_of(m->s.c, given).ndim > 0) {
      tsr__fail_on(m->s.c, where, TSR_ERR_SHAPE, 1, &m->o.initial, NULL,
                   "the initial value of `%s.reduce` is one number, not an array of axes",
                   m->f.name);
      return false;
    }
    m->initial = in_dtype(m, tsr_box_array(given), dtype);
  }
  if (!m->o.has_where) return true;
  if (!m->o.has_initial && (isnan(m->f.neutral) || m->f.manner == BY_REST)) {
    tsr__fail_on(m->s.c, where, TSR_ERR_ARGUMENT, 0, NULL,
                 "add TSR_INITIAL(value); initial=value in texts and in Python",
                 "`%s.reduce` of what a mask chooses needs an initial value, as it may choose "
                 "nothing",
                 m->f.name);
    return false;
  }
  tsr_array mask = tsr__step_array(&m->s, m->o.where, false);
  if (tsr_ok(mask) && tsr_dtype_of_at(where, mask) != TSR_DTYPE_BOOL)
    mask = tsr__map2(&m->s, TSR_OP_NOT_EQUAL, tsr_box_array(mask), tsr_box_int(0));
  if (tsr_ok(mask)) mask = tsr_broadcast_to_at(where, mask, tsr__dims_of(m->s.c, m->x));
  m->mask = mask;
  return tsr_ok(mask);
}

/* The axes as a mask of bits. Returns false with an error. */
static bool take_axes(const method *m, tsr_operand x, unsigned *axes, int *n_axes)
{
  const int ndim = tsr__dims_of(m->s.c, m->x).ndim;
  uint32_t mask = 0;
  if (m->o.axes) {
    tsr_error *e = tsr__normal_axes(m->s.c, m->s.where, "an array of ", (int)m->o.n_axes, m->o.axes,
                                    ndim, NULL, &mask);
    if (e) {
      tsr__note_operand(m->s.c, e, m->s.where, 0, x);
      tsr__fail_end(m->s.c);
      return false;
    }
  }
  *axes = m->o.axes ? mask : (1u << ndim) - 1;
  *n_axes = 0;
  for (int k = 0; k < ndim; k++) *n_axes += *axes >> k & 1;
  if (*n_axes < 2 || m->f.manner == IN_ANY_BRACKETS) return true;
  tsr__fail_on(m->s.c, m->s.where, TSR_ERR_AXIS, 1, &x, "name it: TSR_AXES(0); axis=0 in texts",
               "`%s.reduce` is over one axis: the order of the elements of several matters",
               m->f.name);
  return false;
}

static tsr_array fold_all(method *m, unsigned axes)
{
  const tsr_dims shape = tsr__dims_of(m->s.c, m->x);
  const tsr_operand initial = tsr_box_array(m->initial);
  tsr_array y = m->x;
  if (tsr_ok(m->mask))
    y = tsr__step_where(&m->s, m->mask, tsr_box_array(y),
                        isnan(m->f.neutral) ? initial : neutral(m));
  y = copy_operand(m, y);
  for (int k = shape.ndim - 1; k >= 0 && tsr_ok(y); k--) {
    if (!(axes >> k & 1)) continue;
    if (!tsr__step_fold(&m->s, y, k, combined, m)) return tsr_null();
    y = part(m, y, k, 0, 1);
  }
  const tsr_operand made = tsr_box_array(y);
  if (tsr_ok(y) && m->f.is_size) /* as with the neutral element, where one is alone */
    y = tsr__map_at(m->s.where, TSR_OP_ABSOLUTE, 1, &made);
  return tsr_ok(y) && tsr_ok(m->initial) ? both(m, m->initial, y) : y;
}

static tsr_array by_rest(const method *m, int axis)
{
  tsr_array first = m->initial, others = m->x, counts = m->mask;
  if (!tsr_ok(first)) {
    first = part(m, others, axis, 0, 1);
    others = part(m, others, axis, 1, INT64_MAX);
  }
  if (tsr_ok(counts))
    others =
        tsr__step_where(&m->s, counts, tsr_box_array(others), tsr_box_int((int64_t)m->f.neutral));
  if (!tsr_ok(others)) return others;
  const tsr_array rest =
      tsr__reduce_at(m->s.where, m->f.rest, false, tsr_box_array(others), 1, &axis, true);
  const tsr_dtype dtype = tsr_dtype_of_at(m->s.where, m->x);
  return both(m, first, in_dtype(m, tsr_box_array(rest), dtype));
}

static tsr_array one_by_one(const method *m, int axis)
{
  const int64_t n = tsr__dims_of(m->s.c, m->x).n[axis];
  if (!is_in_order(m, n)) return tsr_null();
  tsr_array y = tsr_ok(m->initial) ? all_alike(m, tsr_box_array(m->initial), 1u << axis)
                                   : copy_operand(m, part(m, m->x, axis, 0, 1));
  for (int64_t k = tsr_ok(m->initial) ? 0 : 1; k < n && tsr_ok(y); k++)
    if (!apply(m, y, y, part(m, m->x, axis, k, k + 1), part(m, m->mask, axis, k, k + 1)))
      return tsr_null();
  return y;
}

/* The result, with reduced axes of length 1. */
static tsr_array reduce_method(method *m, unsigned axes, int n_axes)
{
  const tsr_dims shape = tsr__dims_of(m->s.c, m->x);
  bool is_empty = false;
  int axis = 0;
  for (int k = 0; k < shape.ndim; k++) {
    if (!(axes >> k & 1)) continue;
    axis = k;
    is_empty |= shape.n[k] == 0;
  }
  if (is_empty) {
    if (tsr_ok(m->initial)) return all_alike(m, tsr_box_array(m->initial), axes);
    if (!isnan(m->f.neutral) && m->f.manner == IN_ANY_BRACKETS)
      return all_alike(m, neutral(m), axes);
    tsr__fail(m->s.c, m->s.where, TSR_ERR_SHAPE, "`%s.reduce` of no elements has no result",
              m->f.name);
    return tsr_null();
  }
  if (m->f.manner == IN_ANY_BRACKETS) return fold_all(m, axes);
  if (n_axes == 1) return m->f.manner == BY_REST ? by_rest(m, axis) : one_by_one(m, axis);
  const tsr_array y = copy_operand(m, m->x);
  if (!tsr_ok(m->initial)) return y;
  const tsr_array made = both(m, m->initial, y);
  return tsr_ok(m->mask)
             ? tsr__step_where(&m->s, m->mask, tsr_box_array(made), tsr_box_array(m->initial))
             : made;
}

/* A reduction of its own, as the call in C. */
static tsr_array by_reduction(const method *m, tsr_operand x)
{
  const tsr_location *where = m->s.where;
  const tsr_reduce_options *o = &m->o;
  tsr_axes options = {.n = o->axes ? (int)o->n_axes : -1, .keepdims = o->keepdims};
  for (int k = 0; k < options.n; k++) options.axis[k] = o->axes[k];
  options.has_where = o->has_where;
  options.where = o->where;
  options.has_initial = o->has_initial && !is_logical(m);
  options.initial = o->initial;
  options.has_dtype = o->has_dtype && (m->op == TSR_OP_ADD || m->op == TSR_OP_MULTIPLY);
  options.dtype = (unsigned char)o->dtype;
  if (o->has_dtype && !options.has_dtype) {
    if (o->dtype >= TSR_N_DTYPES || (is_logical(m) && o->dtype != TSR_DTYPE_BOOL)) {
      tsr__fail(m->s.c, where, TSR_ERR_DTYPE,
                o->dtype >= TSR_N_DTYPES ? "there is no such dtype"
                                         : "the results of `%s` are bools",
                m->f.name);
      return tsr_null();
    }
    if (!is_logical(m)) x = tsr_box_array(tsr_astype_at(where, x, o->dtype));
  }
  tsr_array (*const calls[])(const tsr_location *, tsr_operand, int, const tsr_axes *) = {
      [TSR_REDUCE_SUM] = tsr_sum_at, [TSR_REDUCE_PROD] = tsr_prod_at,
      [TSR_REDUCE_MIN] = tsr_min_at, [TSR_REDUCE_MAX] = tsr_max_at,
      [TSR_REDUCE_ALL] = tsr_all_at, [TSR_REDUCE_ANY] = tsr_any_at};
  const tsr_array y = calls[m->f.rest](where, x, 1, &options);
  if (!tsr_ok(y) || !o->has_initial || !is_logical(m)) return y;
  return tsr__map2(&m->s, m->op, o->initial, tsr_box_array(y));
}

tsr_array tsr_ufunc_reduce_at(const tsr_location *where, const char *ufunc, tsr_operand x, int n,
                              const tsr_axes *options)
{
  method m;
  unsigned axes;
  int n_axes;
  tsr_reduce_options o;
  if (!tsr__reduce_options(where, tsr__takes_ufunc_reduce, n, options, &o)) return tsr_null();
  const bool has_begun = begin_method(&m, where, ufunc, "reduce");
  m.o = o;
  if (has_begun && m.f.manner == REDUCES) return tsr__steps_end(&m.s, by_reduction(&m, x));
  if (!has_begun || !take_operand(&m, x, o.has_dtype, o.dtype) ||
      !take_axes(&m, x, &axes, &n_axes) || !take_choice(&m))
    return tsr__steps_end(&m.s, tsr_null());
  const tsr_array y = reduce_method(&m, axes, n_axes);
  if (!tsr_ok(y)) return tsr__steps_end(&m.s, y);
  const tsr_dims shape = tsr__dims_of(m.s.c, m.x);
  tsr_dims kept = {0};
  for (int k = 0; k < shape.ndim; k++)
    if (o.keepdims || !(axes >> k & 1)) kept.n[kept.ndim++] = axes >> k & 1 ? 1 : shape.n[k];
  return tsr__steps_end(&m.s, copy_operand(&m, tsr__reshaped(&m.s, y, &kept)));
}

/* Accumulate. */

/* A scan of its own, as the call in C. */
static tsr_array by_scan(const method *m, tsr_operand x, int axis, tsr_dtype dtype)
{
  const tsr_location *where = m->s.where;
  if (m->op == TSR_OP_ADD) return tsr_cumsum_at(where, x, axis, dtype);
  if (m->op == TSR_OP_MULTIPLY) return tsr_cumprod_at(where, x, axis, dtype);
  if (dtype != TSR_DTYPE_LIKE) x = tsr_box_array(tsr_astype_at(where, x, dtype));
  return m->op == TSR_OP_MINIMUM ? tsr_cummin_at(where, x, axis) : tsr_cummax_at(where, x, axis);
}

/* The first element, and behind it what it makes with the running sum or product of the others. */
static bool scan_rest(const method *m, tsr_array y, int axis)
{
  const tsr_location *where = m->s.where;
  const tsr_dtype dtype = tsr_dtype_of_at(where, y);
  const tsr_operand others = tsr_box_array(part(m, m->x, axis, 1, INT64_MAX));
  const tsr_array rest = m->op == TSR_OP_SUBTRACT ? tsr_cumsum_at(where, others, axis, dtype)
                                                  : tsr_cumprod_at(where, others, axis, dtype);
  const tsr_array value = both(m, part(m, m->x, axis, 0, 1), rest);
  return tsr_ok(value) &&
         tsr_assign_at(where, part(m, y, axis, 1, INT64_MAX), tsr_box_array(value)) == TSR_OK;
}

static bool scan_in_order(const method *m, tsr_array y, int axis, int64_t n)
{
  bool ok = is_in_order(m, n);
  for (int64_t k = 1; k < n && ok; k++) {
    const tsr_array to = part(m, y, axis, k, k + 1);
    ok = apply(m, to, part(m, y, axis, k - 1, k), to, tsr_null());
  }
  return ok;
}

/* The number of the axis, or -1 with an error. */
static int scanned_axis(const method *m, tsr_operand x, int axis, int ndim)
{
  if (ndim > 0 && axis != TSR_ONLY_AXIS) return tsr__step_axis(&m->s, &x, axis, ndim);
  if (ndim == 1) return 0;
  tsr__fail_on(m->s.c, m->s.where, TSR_ERR_AXIS, 1, &x, NULL,
               ndim == 0 ? "`%s.accumulate`: an array of 0 axes has none to go along"
                         : "`%s.accumulate` is along one axis, which is to be named",
               m->f.name);
  return -1;
}

tsr_array tsr_ufunc_accumulate_at(const tsr_location *where, const char *ufunc, tsr_operand x,
                                  int axis, tsr_dtype dtype)
{
  method m;
  const bool has_dtype = dtype != TSR_DTYPE_LIKE;
  if (!begin_method(&m, where, ufunc, "accumulate") || !take_operand(&m, x, has_dtype, dtype))
    return tsr__steps_end(&m.s, tsr_null());
  const tsr_dims shape = tsr__dims_of(m.s.c, m.x);
  axis = scanned_axis(&m, x, axis, shape.ndim);
  if (axis < 0) return tsr__steps_end(&m.s, tsr_null());
  if (m.f.manner == REDUCES && !is_logical(&m))
    return tsr__steps_end(&m.s, by_scan(&m, x, axis, dtype));
  tsr_array y = copy_operand(&m, m.x);
  const int64_t n = shape.n[axis];
  bool ok = tsr_ok(y);
  if (!ok || n < 2 || tsr_size_at(where, y) == 0) return tsr__steps_end(&m.s, y);
  if (m.f.manner == BY_REST)
    ok = scan_rest(&m, y, axis);
  else if (m.f.manner == IN_ORDER)
    ok = scan_in_order(&m, y, axis, n);
  else
    ok = tsr__scan_in_place(&m.s, y, axis, n, combined, &m);
  return tsr__steps_end(&m.s, ok ? y : tsr_null());
}

tsr_array tsr_ufunc_outer_at(const tsr_location *where, const char *ufunc, tsr_operand x,
                             tsr_operand y)
{
  method m;
  if (!begin_method(&m, where, ufunc, "outer")) return tsr__steps_end(&m.s, tsr_null());
  const tsr_operand given[2] = {x, y};
  /* what a power of whole numbers refuses of a scalar, it would not see of an array */
  const bool may_refuse = !strcmp(m.f.name, "power") && y.kind == TSR_OPERAND_INT && y.as.i < 0;
  if (may_refuse && !tsr_ok(of_two(&m, given))) return tsr__steps_end(&m.s, tsr_null());
  const tsr_array a = tsr__step_array(&m.s, x, false), b = tsr__step_array(&m.s, y, false);
  if (!tsr_ok(a) || !tsr_ok(b)) return tsr__steps_end(&m.s, tsr_null());
  const int n_a = tsr__dims_of(m.s.c, a).ndim, n_b = tsr__dims_of(m.s.c, b).ndim;
  if (n_a + n_b > TSR_MAX_NDIM) {
    tsr__fail_on(m.s.c, where, TSR_ERR_SHAPE, 2, given, NULL,
                 "the result of `%s.outer` has %d axes, and an array has at most %d", m.f.name,
                 n_a + n_b, TSR_MAX_NDIM);
    return tsr__steps_end(&m.s, tsr_null());
  }
  return tsr__steps_end(&m.s, both(&m, tsr__step_trailing(&m.s, a, n_b), b));
}
