/* Comparisons that are more than one operation. A question about two whole arrays is one fused pass
 * with one reduction, for which the call waits. */
#include "array/ops/step_ops.h"

#include <math.h>

bool tsr__is_mixed_comparison(const tsr_value *xs)
{
  const tsr_dtype a = xs[0].dtype, b = xs[1].dtype;
  if (!xs[0].region || !xs[1].region) return false;
  return (a == TSR_DTYPE_UINT64 && tsr__dtype_kind(b) == TSR_KIND_INT) ||
         (b == TSR_DTYPE_UINT64 && tsr__dtype_kind(a) == TSR_KIND_INT);
}

/* If the signed number is negative the answer is known; otherwise both numbers are compared as
 * uint64. */
tsr_array tsr__compare_mixed(const tsr_location *where, tsr_opcode op, const tsr_operand *xs,
                             bool signed_first)
{
  tsr_steps w = tsr__steps_begin(where);
  const tsr_operand number = xs[!signed_first];
  const bool less = op == TSR_OP_LESS || op == TSR_OP_LESS_EQUAL;
  const bool if_negative = op == TSR_OP_NOT_EQUAL || (op != TSR_OP_EQUAL && less == signed_first);
  tsr_operand same[2] = {xs[0], xs[1]};
  same[!signed_first] = tsr_box_array(tsr_astype_at(where, number, TSR_UINT64));
  tsr_array is = tsr__map2(&w, op, same[0], same[1]);
  if (!tsr_ok(is)) return tsr__steps_end(&w, is);
  tsr_array sign =
      tsr__map2(&w, if_negative ? TSR_OP_LESS : TSR_OP_GREATER_EQUAL, number, tsr_box_int(0));
  is = tsr__map2(&w, if_negative ? TSR_OP_LOGICAL_OR : TSR_OP_LOGICAL_AND, tsr_box_array(sign),
                 tsr_box_array(is));
  return tsr__steps_end(&w, is);
}

static bool all_of(const tsr_steps *w, tsr_array x)
{
  if (!tsr_ok(x)) return false;
  tsr_array all = tsr__reduce_at(w->where, TSR_REDUCE_ALL, false, tsr_box_array(x), 0, NULL, false);
  return tsr_ok(all) && tsr_item_bool_at(w->where, tsr_box_array(all));
}

static tsr_array or_both_nan(const tsr_steps *w, tsr_array is, tsr_operand x, tsr_operand y)
{
  tsr_array x_nan = tsr__map2(w, TSR_OP_NOT_EQUAL, x, x);
  tsr_array y_nan = tsr__map2(w, TSR_OP_NOT_EQUAL, y, y);
  return tsr__map2(
      w, TSR_OP_LOGICAL_OR, tsr_box_array(is),
      tsr_box_array(tsr__map2(w, TSR_OP_LOGICAL_AND, tsr_box_array(x_nan), tsr_box_array(y_nan))));
}

static bool as_operand(const tsr_steps *w, tsr_operand *x)
{
  tsr_value value;
  if (!tsr__as_array(w->c, w->where, *x, &value)) return false;
  *x = tsr_box_array(tsr__array_new(w->c, w->where, value.region, value.view));
  return true;
}

/* Promotes to an inexact dtype as NumPy does, so that no integer wraps. A C scalar stays weak. */
static tsr_operand inexact(const tsr_steps *w, tsr_operand y)
{
  if (y.kind == TSR_OPERAND_ARRAY) {
    const tsr_dtype dtype = tsr_dtype_of(y.as.array);
    const bool is_exact = tsr__dtype_info(dtype)->kind < TSR_KIND_FLOAT;
    return is_exact ? tsr_box_array(tsr_astype_at(w->where, y, TSR_FLOAT64)) : y;
  }
  if (y.kind == TSR_OPERAND_BOOL) return tsr_box_float(y.as.b);
  if (y.kind == TSR_OPERAND_INT) return tsr_box_float((double)y.as.i);
  if (y.kind == TSR_OPERAND_UINT) return tsr_box_float((double)y.as.u);
  return y;
}

/* Returns atol + rtol*|y| and whether y is finite. If y is a C scalar both are weak scalars. */
static tsr_operand most_apart(const tsr_steps *w, tsr_operand y, double rtol, double atol,
                              tsr_operand *finite)
{
  if (y.kind != TSR_OPERAND_ARRAY) {
    const bool is_complex = y.kind == TSR_OPERAND_COMPLEX;
    const double size = is_complex ? hypot(y.as.c[0], y.as.c[1]) : fabs(y.as.f);
    *finite =
        tsr_box_bool(is_complex ? isfinite(y.as.c[0]) && isfinite(y.as.c[1]) : isfinite(size));
    return tsr_box_float(atol + rtol * size);
  }
  tsr_array size = tsr__map1(w, TSR_OP_ABSOLUTE, y);
  tsr_array scaled = tsr__map2(w, TSR_OP_MULTIPLY, tsr_box_float(rtol), tsr_box_array(size));
  *finite = tsr_box_array(tsr__map1(w, TSR_OP_ISFINITE, y));
  return tsr_box_array(tsr__map2(w, TSR_OP_ADD, tsr_box_float(atol), tsr_box_array(scaled)));
}

/* Returns NumPy's isclose, element by element. */
static tsr_array closeness(const tsr_steps *w, tsr_operand x, tsr_operand y, double rtol,
                           double atol, bool equal_nan)
{
  const bool any = x.kind == TSR_OPERAND_ARRAY || y.kind == TSR_OPERAND_ARRAY;
  if ((x.kind == TSR_OPERAND_ARRAY || !any) && !as_operand(w, &x)) return tsr_null();
  if (y.kind == TSR_OPERAND_ARRAY && !as_operand(w, &y)) return tsr_null();
  y = inexact(w, y);
  tsr_array apart = tsr__map2(w, TSR_OP_SUBTRACT, x, y);
  if (!tsr_ok(apart)) return apart; /* the shapes do not broadcast, which was reported */
  apart = tsr__map1(w, TSR_OP_ABSOLUTE, tsr_box_array(apart));
  tsr_operand finite, most = most_apart(w, y, rtol, atol, &finite);
  tsr_array near = tsr__map2(w, TSR_OP_LESS_EQUAL, tsr_box_array(apart), most);
  tsr_array equal = tsr__map2(w, TSR_OP_EQUAL, x, y);
  tsr_array is =
      tsr__map2(w, TSR_OP_LOGICAL_OR, tsr_box_array(equal),
                tsr_box_array(tsr__map2(w, TSR_OP_LOGICAL_AND, tsr_box_array(near), finite)));
  return equal_nan ? or_both_nan(w, is, x, y) : is;
}

tsr_array tsr_isclose_at(const tsr_location *where, tsr_operand x, tsr_operand y, double rtol,
                         double atol, bool equal_nan)
{
  tsr_steps w = tsr__steps_begin(where);
  return tsr__steps_end(&w, closeness(&w, x, y, rtol, atol, equal_nan));
}

bool tsr_allclose_at(const tsr_location *where, tsr_operand x, tsr_operand y, double rtol,
                     double atol, bool equal_nan)
{
  tsr_steps w = tsr__steps_begin(where);
  const bool close = all_of(&w, closeness(&w, x, y, rtol, atol, equal_nan));
  tsr__steps_end(&w, tsr_null());
  return close;
}

bool tsr_array_equal_at(const tsr_location *where, tsr_operand x, tsr_operand y, bool equal_nan)
{
  tsr_steps w = tsr__steps_begin(where);
  tsr_value a, b;
  bool equal = false;
  if (tsr__as_array(w.c, where, x, &a) && tsr__as_array(w.c, where, y, &b)) {
    const tsr_dims u = tsr__shape_of(&a.view->view), v = tsr__shape_of(&b.view->view);
    tsr_array first = tsr__array_new(w.c, where, a.region, a.view);
    tsr_array second = tsr__array_new(w.c, where, b.region, b.view);
    if (tsr__same_shape(&u, &v)) {
      tsr_array is = tsr__map2(&w, TSR_OP_EQUAL, tsr_box_array(first), tsr_box_array(second));
      if (equal_nan) is = or_both_nan(&w, is, tsr_box_array(first), tsr_box_array(second));
      equal = all_of(&w, is);
    }
  }
  tsr__steps_end(&w, tsr_null());
  return equal;
}
