/* Elementwise operations: one function per row of ops.def, all of which call tsr__map_at. */
#include "array/core/array_int.h"

#include <string.h>

#include "array/core/scalar.h"

/* Reports that the row does not take the dtype. */
static void fail_dtype(tsr_context *c, const tsr_location *where, tsr_opcode op, tsr_dtype dtype,
                       int n, const tsr_operand *xs)
{
  tsr_error *e = tsr__fail_begin(c, where, TSR_ERR_DTYPE, "%s does not take %s",
                                 tsr__op_info(op)->name, tsr__dtype_info(dtype)->name);
  for (int i = 0; i < n; i++) tsr__note_operand(c, e, where, i, xs[i]);
  const uint32_t mask = tsr__op_info(op)->dtypes_mask;
  if (dtype == TSR_DTYPE_BOOL && op == TSR_OP_SUBTRACT)
    tsr__error_help(e, "for bools use tsr_not_equal (exclusive or), or tsr_astype one operand");
  else if (dtype == TSR_DTYPE_BOOL && op == TSR_OP_NEGATIVE)
    tsr__error_help(e, "for bools use tsr_logical_not, or tsr_astype the operand");
  else if (dtype == TSR_DTYPE_BOOL)
    tsr__error_help(e, "tsr_astype makes numbers of bools");
  else if (mask >> TSR_DTYPE_INT64 & 1 && !(mask >> TSR_DTYPE_FLOAT64 & 1))
    tsr__error_help(e, "tsr_astype(x, TSR_INT64) makes whole numbers");
  else if (tsr__dtype_is_complex(dtype))
    tsr__error_help(e, "tsr_real, tsr_imag and tsr_absolute give floats");
  tsr__fail_end(c);
}

bool tsr__check_real(tsr_context *c, const tsr_location *where, const char *name, tsr_dtype dtype,
                     tsr_operand x)
{
  if (!tsr__dtype_is_complex(dtype)) return true;
  tsr__fail_on(c, where, TSR_ERR_DTYPE, 1, &x, "tsr_real, tsr_imag and tsr_absolute give floats",
               "%s does not take %s", name, tsr__dtype_info(dtype)->name);
  return false;
}

/* An integer scalar beyond the array's dtype compares exactly, as in NumPy 2. The answer is the
 * same for all elements, so the comparison becomes one with the least number of the dtype that
 * gives the same answer. */
static tsr_opcode beyond_comparison(tsr_opcode op, tsr_dtype compute, tsr_value *xs)
{
  const int scalar = xs[0].region != NULL;
  if (xs[scalar].region || !xs[!scalar].region) return op;
  int side = tsr__scalar_beyond(xs[scalar].scalar, compute);
  if (side == 0) return op;
  if (scalar == 0) side = -side; /* side as if the array were the first operand */
  const bool below = op == TSR_OP_LESS || op == TSR_OP_LESS_EQUAL;
  const bool truth = op == TSR_OP_NOT_EQUAL || (op != TSR_OP_EQUAL && below == (side > 0));
  const bool is_signed = tsr__dtype_kind(compute) == TSR_KIND_INT;
  const int bits = 8 * (int)tsr__dtype_size(compute);
  xs[scalar].scalar = tsr_box_int(is_signed ? INT64_MIN >> (64 - bits) : 0);
  if (scalar == 1) return truth ? TSR_OP_GREATER_EQUAL : TSR_OP_LESS;
  return truth ? TSR_OP_LESS_EQUAL : TSR_OP_GREATER;
}

bool tsr__check_exponent(tsr_context *c, const tsr_location *where, tsr_dtype compute,
                         const tsr_value *exponent)
{
  if (tsr__dtype_kind(compute) != TSR_KIND_INT || exponent->region) return true;
  if (exponent->scalar.kind != TSR_OPERAND_INT || exponent->scalar.as.i >= 0) return true;
  tsr_error *e = tsr__fail_begin(c, where, TSR_ERR_ARGUMENT,
                                 "integers to negative integer powers are not allowed");
  tsr__error_help(e, "with %lld.0 the result is float64", (long long)exponent->scalar.as.i);
  tsr__fail_end(c);
  return false;
}

/* Checks that the exponents of ldexp are integers, in an array or a scalar. */
static bool check_shift(tsr_context *c, const tsr_location *where, const tsr_value *shift,
                        const tsr_operand *operands)
{
  if (!tsr__dtype_is_inexact(shift->dtype)) return true;
  tsr__fail_on(c, where, TSR_ERR_DTYPE, 2, operands,
               "x * 2.0**n takes any: tsr_multiply(x, tsr_exp2(n)); or tsr_astype n",
               "ldexp takes whole exponents, not %s", tsr__dtype_info(shift->dtype)->name);
  return false;
}

typedef struct map_dtypes {
  tsr_dtype promoted, compute, result;
} map_dtypes;

/* Returns the dtype that the floats of two arrays promote to. For int8 and uint8 it is float16,
 * although their common integer dtype would need float32. */
static tsr_dtype promoted_floats(int n, const tsr_value *xs)
{
  if (n != 2 || !xs[0].region || !xs[1].region) return tsr__promote(n, xs);
  return tsr__dtype_promote(tsr__dtype_inexact(xs[0].dtype), tsr__dtype_inexact(xs[1].dtype));
}

/* Operands are usually arrays of one dtype. */
static inline tsr_dtype promoted_of(tsr_rule rule, int n, const tsr_value *xs)
{
  for (int i = 0; i < n; i++)
    if (!xs[i].region || xs[i].dtype != xs[0].dtype)
      return rule == TSR_RULE_FLOAT ? promoted_floats(n, xs) : tsr__promote(n, xs);
  return xs[0].dtype;
}

static bool dtypes_of(tsr_context *c, const tsr_location *where, tsr_opcode op, tsr_rule rule,
                      int n, const tsr_value *xs, const tsr_operand *operands, map_dtypes *out)
{
  tsr_dtype promoted = rule == TSR_RULE_WHERE   ? tsr__promote(n - 1, xs + 1)
                       : rule == TSR_RULE_SCALE ? tsr__promote(1, xs)
                                                : promoted_of(rule, n, xs);
  const bool is_part = rule == TSR_RULE_PAIR && tsr__dtype_is_complex(promoted);
  if (is_part || !tsr__op_dtypes(op, promoted, &out->compute, &out->result)) {
    fail_dtype(c, where, op, promoted, n, operands);
    return false;
  }
  out->promoted = promoted;
  if (rule == TSR_RULE_SCALE && !check_shift(c, where, &xs[1], operands)) return false;
  if (op == TSR_OP_POWER && !tsr__check_exponent(c, where, out->compute, &xs[1])) return false;
  return true;
}

/* numpy.where converts integer scalars to an array's dtype by their low bits: -1 becomes 255 of
 * uint8. */
static tsr_operand wrapped(tsr_operand x, tsr_dtype dtype)
{
  const bool is_whole = x.kind == TSR_OPERAND_INT || x.kind == TSR_OPERAND_UINT;
  if (!is_whole || tsr__scalar_beyond(x, dtype) == 0) return x;
  const int shift = 64 - 8 * (int)tsr__dtype_size(dtype);
  const uint64_t bits = (x.kind == TSR_OPERAND_UINT ? x.as.u : (uint64_t)x.as.i) << shift;
  return tsr__dtype_kind(dtype) == TSR_KIND_UINT ? tsr_box_uint(bits >> shift)
                                                 : tsr_box_int((int64_t)bits >> shift);
}

/* Makes operands over the domain; NULL means that all are arrays of its shape. Returns false with
 * an error if a scalar does not fit. The caller drops `ins` in either case. */
static bool ins_of(tsr_context *c, const tsr_location *where, tsr_rule rule, const map_dtypes *d,
                   int n, const tsr_value *xs, const tsr_dims *domain, tsr_op_in *ins)
{
  bool is_where = rule == TSR_RULE_WHERE;
  bool ok = true;
  for (int i = 0; i < n; i++) {
    if (xs[i].region) {
      ins[i].region = xs[i].region;
      ins[i].view = !domain || tsr__has_shape(&xs[i].view->view, domain)
                        ? tsr__view_ref_take(xs[i].view)
                        : tsr__in_broadcast(&xs[i], domain).view;
      continue;
    }
    ins[i] = (tsr_op_in){0};
    const bool is_condition = is_where && i == 0;
    const tsr_operand x = is_where && i > 0 ? wrapped(xs[i].scalar, d->compute) : xs[i].scalar;
    ok = ok && tsr__scalar_for(c, where, x, d->promoted, is_condition ? TSR_DTYPE_BOOL : d->compute,
                               &ins[i].scalar);
  }
  return ok;
}

/* Returns the common view of all arrays if they are whole arrays of one shape that is small enough
 * to fit in any dtype, else NULL. */
static tsr_view_ref *whole_view(int n, const tsr_value *xs)
{
  enum { SURE_LOG2 = 48 };
  tsr_view_ref *view = NULL;
  for (int i = 0; i < n; i++) {
    if (!xs[i].region) continue;
    if (view && xs[i].view != view) return NULL;
    view = xs[i].view;
    const int64_t size = xs[i].region->n_elems;
    if (!view->is_identity || size == 0 || size >> SURE_LOG2 != 0) return NULL;
  }
  return view;
}

static tsr_array map_once(tsr_context *c, const tsr_location *where, tsr_opcode op, int n,
                          tsr_value *xs, const tsr_operand *operands)
{
  map_dtypes dtypes;
  tsr_dims dims, *domain = NULL;
  int64_t size = 1;
  const tsr_rule rule = tsr__op_info(op)->rule;
  if (!dtypes_of(c, where, op, rule, n, xs, operands, &dtypes)) return tsr_null();
  tsr_view_ref *whole = whole_view(n, xs);
  if (!whole) {
    domain = &dims;
    if (!tsr__broadcast_shape(c, where, n, xs, operands, domain)) return tsr_null();
    size = tsr__checked_size(c, where, domain, dtypes.result);
    if (size < 0) return tsr_null();
  }
  if (rule == TSR_RULE_COMPARE) op = beyond_comparison(op, dtypes.compute, xs);
  /* Of two equal zeros NumPy returns the second, except in float16, for which it has no vector
   * loops and returns the first. */
  tsr_value turned[2];
  if (dtypes.result == TSR_DTYPE_FLOAT16 && (op == TSR_OP_MINIMUM || op == TSR_OP_MAXIMUM)) {
    turned[0] = xs[1];
    turned[1] = xs[0];
    xs = turned;
  }
  tsr_op_in ins[TSR_MAX_OPERANDS];
  tsr_array array = tsr_null();
  if (ins_of(c, where, rule, &dtypes, n, xs, domain, ins)) {
    const tsr_new made = whole ? tsr__make_like(c, where, dtypes.result, whole)
                               : tsr__make(c, where, dtypes.result, domain);
    if (size > 0)
      tsr__record_map(&c->window, where, op, dtypes.compute, dtypes.result, n, ins, made.region,
                      made.view, true);
    else
      tsr__event(c, where, TSR_EVENT_EMPTY, made.array);
    array = made.array;
  }
  for (int i = 0; i < n; i++) tsr__in_drop(&ins[i]);
  if (tsr_ok(array)) tsr__recorded(c);
  return array;
}

static void complex_of(tsr_operand x, double out[2])
{
  const bool is_complex = x.kind == TSR_OPERAND_COMPLEX;
  out[0] = is_complex ? x.as.c[0] : tsr__double_of(x);
  out[1] = is_complex ? x.as.c[1] : 0;
}

/* Combines two C scalars at the head of a chain as Python would: exactly for integers. */
static bool fold_scalars(tsr_context *c, const tsr_location *where, tsr_opcode op, tsr_operand x,
                         tsr_operand y, tsr_operand *out)
{
  bool add = op == TSR_OP_ADD;
  if (x.kind == TSR_OPERAND_COMPLEX || y.kind == TSR_OPERAND_COMPLEX) {
    double a[2], b[2];
    complex_of(x, a);
    complex_of(y, b);
    *out = add ? tsr_box_complex(a[0] + b[0], a[1] + b[1])
               : tsr_box_complex(a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]);
    return true;
  }
  if (x.kind == TSR_OPERAND_FLOAT || y.kind == TSR_OPERAND_FLOAT) {
    const double a = tsr__double_of(x), b = tsr__double_of(y);
    *out = tsr_box_float(add ? a + b : a * b);
    return true;
  }
  __extension__ typedef __int128 wide;
  const wide a = x.kind == TSR_OPERAND_UINT ? (wide)x.as.u : x.as.i;
  const wide b = y.kind == TSR_OPERAND_UINT ? (wide)y.as.u : y.as.i;
  wide got = a + b;
  const bool overflow = !add && __builtin_mul_overflow(a, b, &got);
  if (overflow || got < INT64_MIN || got > (wide)UINT64_MAX) {
    tsr__fail(c, where, TSR_ERR_ARGUMENT, "the leading integers overflow 64 bits");
    return false;
  }
  *out = got < 0 ? tsr_box_int((int64_t)got) : tsr_box_uint((uint64_t)got);
  return true;
}

/* `add` and `multiply` of many operands are one operation if every step from the left has the same
 * dtype. Otherwise each run of equal dtype is one operation: int32 + int32 + float64 must first add
 * the integers as integers. */
static tsr_array map_chain(tsr_context *c, const tsr_location *where, tsr_opcode op, int n,
                           const tsr_value *xs, const tsr_operand *operands)
{
  tsr_value values[TSR_MAX_OPERANDS];
  tsr_operand args[TSR_MAX_OPERANDS];
  memcpy(values, xs, (size_t)n * sizeof *xs);
  memcpy(args, operands, (size_t)n * sizeof *operands);
  int first = 0;
  while (n - first > 2 && !values[first].region && !values[first + 1].region) {
    if (!fold_scalars(c, where, op, args[first], args[first + 1], &args[first + 1]))
      return tsr_null();
    tsr__value_of(c, where, args[first + 1], &values[first + 1]);
    first++;
  }
  tsr_array done[TSR_MAX_OPERANDS];
  int n_done = 0;
  tsr_array result = tsr_null();
  for (;;) {
    tsr_dtype dtype = tsr__promote(2, values + first);
    int end = first + 2;
    while (end < n) {
      tsr_value next[2] = {
          {.region = values[first].region ? values[first].region : values[first + 1].region,
           .dtype = dtype},
          values[end]};
      /* bool * 0.5 * float32 is float64 step by step, but float32 if promoted at once. */
      if (tsr__promote(2, next) != dtype || tsr__promote(end - first + 1, values + first) != dtype)
        break;
      end++;
    }
    result = map_once(c, where, op, end - first, values + first, args + first);
    if (!tsr_ok(result) || end == n) break;
    done[n_done++] = result;
    first = end - 1;
    args[first] = tsr_box_array(result);
    tsr__value_of(c, where, args[first], &values[first]);
  }
  for (int i = 0; i < n_done; i++) tsr__handle_release(c, tsr__handle_peek(c, done[i]), where);
  return result;
}

/* Records the usual call: whole arrays of one shape, all of one dtype that the operation computes
 * in, so that nothing is promoted, cast, broadcast or refused. Returns false, having done nothing,
 * for any other call. */
static bool map_alike(tsr_context *c, const tsr_location *where, tsr_opcode op,
                      const tsr_op_info *info, int n, const tsr_operand *xs, tsr_array *out)
{
  tsr_op_in ins[TSR_MAX_OPERANDS];
  tsr_view_ref *view = NULL;
  tsr_dtype dtype = TSR_DTYPE_BOOL;
  for (int i = 0; i < n; i++) {
    const tsr_handle *s =
        xs[i].kind == TSR_OPERAND_ARRAY ? tsr__handle_peek(c, xs[i].as.array) : NULL;
    if (!s || s->region->lent_writable) return false;
    if (i > 0 && (s->view != view || s->region->dtype != dtype)) return false;
    view = s->view;
    dtype = s->region->dtype;
    ins[i].region = s->region;
    ins[i].view = view; /* borrowed from the handle; recording takes a reference */
  }
  if (!view->is_identity || ins[0].region->n_elems == 0 || !(info->keeps_mask >> dtype & 1))
    return false;
  const tsr_dtype result = tsr__op_tells(info) ? TSR_DTYPE_BOOL : dtype;
  const tsr_new made = tsr__make_like(c, where, result, view);
  tsr__record_map(&c->window, where, op, dtype, result, n, ins, made.region, view, true);
  tsr__recorded(c);
  *out = made.array;
  return true;
}

bool tsr__clip_drops(tsr_operand bound, tsr_dtype dtype, bool is_lower)
{
  return tsr__scalar_beyond(bound, dtype) == (is_lower ? -1 : 1);
}

/* clip with TSR_NONE for a bound: the extreme with the other one, or x itself. */
static tsr_array clip_to_one(const tsr_location *where, const tsr_operand *xs)
{
  const bool has_low = xs[1].kind != TSR_OPERAND_NONE, has_high = xs[2].kind != TSR_OPERAND_NONE;
  const tsr_operand left[2] = {xs[0], has_low ? xs[1] : xs[2]};
  const tsr_handle *x =
      xs[0].kind == TSR_OPERAND_ARRAY ? tsr__handle_peek(tsr__current, xs[0].as.array) : NULL;
  const bool is_dropped = x != NULL && tsr__clip_drops(left[1], x->region->dtype, has_low);
  if (is_dropped || !(has_low || has_high)) return tsr__map_at(where, TSR_OP_POSITIVE, 1, xs);
  return tsr__map_at(where, has_low ? TSR_OP_MAXIMUM : TSR_OP_MINIMUM, 2, left);
}

/* A bound beyond all numbers of the array's dtype is ignored. */
static tsr_array clip(tsr_context *c, const tsr_location *where, tsr_value *values,
                      const tsr_operand *xs)
{
  const bool no_low = tsr__clip_drops(xs[1], values[0].dtype, true);
  const bool no_high = tsr__clip_drops(xs[2], values[0].dtype, false);
  if (!values[0].region || (!no_low && !no_high))
    return map_once(c, where, TSR_OP_CLIP, 3, values, xs);
  if (no_low && no_high) return tsr__map_at(where, TSR_OP_POSITIVE, 1, xs);
  const tsr_operand left[2] = {xs[0], no_low ? xs[2] : xs[1]};
  return tsr__map_at(where, no_low ? TSR_OP_MINIMUM : TSR_OP_MAXIMUM, 2, left);
}

static tsr_array map_arrays(tsr_context *c, const tsr_location *where, tsr_opcode op, int n,
                            const tsr_operand *xs)
{
  const tsr_op_info *info = tsr__op_info(op);
  if (n < info->min_args || n > info->max_args || n > TSR_MAX_OPERANDS) {
    tsr__fail(c, where, TSR_ERR_ARGUMENT, "%d operands; tsr_%s takes %d to %d", n, info->name,
              info->min_args, info->max_args);
    return tsr_null();
  }
  tsr_array made;
  if (map_alike(c, where, op, info, n, xs, &made)) return made;
  if (op == TSR_OP_CLIP && (xs[1].kind == TSR_OPERAND_NONE || xs[2].kind == TSR_OPERAND_NONE))
    return clip_to_one(where, xs);
  tsr_value values[TSR_MAX_OPERANDS];
  for (int i = 0; i < n; i++) {
    if (!tsr__value_of(c, where, xs[i], &values[i])) return tsr_null();
  }
  if (n > 2 && info->max_args == TSR_MAX_OPERANDS) return map_chain(c, where, op, n, values, xs);
  if (info->rule == TSR_RULE_COMPARE && tsr__is_mixed_comparison(values))
    return tsr__compare_mixed(where, op, xs, values[1].dtype == TSR_DTYPE_UINT64);
  /* The neighbour of a float16 is not the rounded neighbour of a float32. */
  if (op == TSR_OP_NEXTAFTER &&
      tsr__dtype_inexact(promoted_of(info->rule, n, values)) == TSR_DTYPE_FLOAT16)
    return tsr__nextafter_half(where, xs);
  if (op == TSR_OP_CLIP) return clip(c, where, values, xs);
  const int n_factors = op == TSR_OP_POWER ? tsr__power_factors(values) : 0;
  if (n_factors > 0) return tsr__power_product(where, xs, values, n_factors);
  return map_once(c, where, op, n, values, xs);
}

tsr_array tsr__map_at(const tsr_location *where, tsr_opcode op, int n, const tsr_operand *xs)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  const tsr_array made = map_arrays(c, where, op, n, xs);
  tsr__note_order(c, made, n, xs);
  const bool is_part = op == TSR_OP_REAL || op == TSR_OP_IMAG;
  if (is_part && tsr_ok(made) && xs[0].kind == TSR_OPERAND_ARRAY) {
    const tsr_handle *s = tsr__handle_peek(c, made), *of = tsr__handle_peek(c, xs[0].as.array);
    s->region->copy_has_gaps = s->region->dtype != of->region->dtype;
    tsr__stand_for_view(c, made, xs[0].as.array);
  }
  return made;
}

#define TSR_OP(NAME, name, ...)                                                                    \
  tsr_array tsr_##name##_at(const tsr_location *where, int n, const tsr_operand *xs)               \
  {                                                                                                \
    return tsr__map_at(where, TSR_OP_##NAME, n, xs);                                               \
  }
#include "kernel/ops/ops.def"
#undef TSR_OP
