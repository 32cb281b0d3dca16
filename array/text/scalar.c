/* Arithmetic of the text language on scalars alone, as in Python: bools count as integers, `/`
 * gives a float, `//` and `%` round towards minus infinity. Integers are exact from -2^63 up to
 * 2^64; beyond is an error. Complex numbers have Python's products and quotients. */
#include "array/text/text_int.h"

#include <math.h>

#include "array/core/scalar.h"
#include "tessera/assign.h"

static const char overflow[] = "the integer result does not fit in 64 bits";
static const char by_zero[] = "division by zero";

__extension__ typedef __int128 wide;

/* Checks that the result lies from -2^63 up to 2^64. */
static const char *box_wide(wide v, tsr_operand *out)
{
  if (v < INT64_MIN || v > (wide)UINT64_MAX) return overflow;
  *out = v > INT64_MAX ? tsr_box_uint((uint64_t)v) : tsr_box_int((int64_t)v);
  return NULL;
}

static wide wide_of(tsr_operand x)
{
  return x.kind == TSR_OPERAND_BOOL ? x.as.b : x.kind == TSR_OPERAND_UINT ? (wide)x.as.u : x.as.i;
}

static const char *power_int(wide a, wide n, tsr_operand *out)
{
  wide value = 1;
  while (n > 0) {
    if ((n & 1) && __builtin_mul_overflow(value, a, &value)) return overflow;
    n >>= 1;
    if (n > 0 && __builtin_mul_overflow(a, a, &a)) return overflow;
  }
  return box_wide(value, out);
}

static const char *fold_int(tsr_node_kind kind, wide a, wide b, tsr_operand *out)
{
  wide v = 0;
  bool lost = false;
  switch (kind) {
  case TSR_NODE_POSITIVE:
    v = a;
    break;
  case TSR_NODE_NEGATIVE:
    v = -a;
    break;
  case TSR_NODE_INVERT:
    v = ~a;
    break;
  case TSR_NODE_ADD:
    v = a + b;
    break;
  case TSR_NODE_SUBTRACT:
    v = a - b;
    break;
  case TSR_NODE_MULTIPLY:
    lost = __builtin_mul_overflow(a, b, &v);
    break;
  case TSR_NODE_FLOOR_DIVIDE:
  case TSR_NODE_MODULO:
    if (b == 0) return by_zero;
    v = kind == TSR_NODE_MODULO ? a % b : a / b;
    if (a % b != 0 && (a < 0) != (b < 0)) v += kind == TSR_NODE_MODULO ? b : -1;
    break;
  case TSR_NODE_AND:
    v = a & b;
    break;
  case TSR_NODE_OR:
    v = a | b;
    break;
  case TSR_NODE_XOR:
    v = a ^ b;
    break;
  case TSR_NODE_LEFT_SHIFT:
    if (b < 0) return "a shift by a negative number";
    lost = a != 0 && (b > 64 || __builtin_mul_overflow(a, (wide)1 << b, &v));
    break;
  case TSR_NODE_RIGHT_SHIFT:
    if (b < 0) return "a shift by a negative number";
    v = a >> (b < 65 ? b : 65);
    break;
  default:
    return power_int(a, b, out);
  }
  return lost ? overflow : box_wide(v, out);
}

static const char *fold_float(tsr_node_kind kind, double a, double b, tsr_operand *out)
{
  double v;
  switch (kind) {
  case TSR_NODE_POSITIVE:
    v = a;
    break;
  case TSR_NODE_NEGATIVE:
    v = -a;
    break;
  case TSR_NODE_ADD:
    v = a + b;
    break;
  case TSR_NODE_SUBTRACT:
    v = a - b;
    break;
  case TSR_NODE_MULTIPLY:
    v = a * b;
    break;
  case TSR_NODE_DIVIDE:
    if (b == 0) return by_zero;
    v = a / b;
    break;
  case TSR_NODE_FLOOR_DIVIDE:
  case TSR_NODE_MODULO: {
    if (b == 0) return by_zero;
    double rest = fmod(a, b);
    double quotient = (a - rest) / b;
    if (rest != 0 && (rest < 0) != (b < 0)) rest += b, quotient -= 1;
    if (kind == TSR_NODE_MODULO) {
      v = rest != 0 ? rest : copysign(0, b);
      break;
    }
    const double whole = floor(quotient); /* the quotient is an integer but for its rounding */
    v = quotient == 0 ? copysign(0, a / b) : quotient - whole > 0.5 ? whole + 1 : whole;
    break;
  }
  case TSR_NODE_POWER:
    if (a == 0 && b < 0) return "0 cannot be raised to a negative power";
    if (a < 0 && isfinite(a) && isfinite(b) && b != floor(b))
      return "a negative number has no real power with a fraction";
    v = pow(a, b);
    break;
  default:
    return "`~`, `&` and `|` take bools and integers";
  }
  *out = tsr_box_float(v);
  return NULL;
}

static bool compare_scalars(tsr_node_kind kind, tsr_operand a, tsr_operand b)
{
  enum { BELOW = -1, SAME, ABOVE, UNORDERED } order; /* unordered if one is NaN */
  if (a.kind == TSR_OPERAND_FLOAT || b.kind == TSR_OPERAND_FLOAT) {
    const double x = tsr__double_of(a), y = tsr__double_of(b);
    order = x < y ? BELOW : x > y ? ABOVE : x == y ? SAME : UNORDERED;
  } else {
    const wide x = wide_of(a), y = wide_of(b);
    order = x < y ? BELOW : x > y ? ABOVE : SAME;
  }
  switch (kind) {
  case TSR_NODE_EQUAL:
    return order == SAME;
  case TSR_NODE_NOT_EQUAL:
    return order != SAME;
  case TSR_NODE_LESS:
    return order == BELOW;
  case TSR_NODE_LESS_EQUAL:
    return order == BELOW || order == SAME;
  case TSR_NODE_GREATER:
    return order == ABOVE;
  default:
    return order == ABOVE || order == SAME;
  }
}

static tsr_parts parts_of(tsr_operand x)
{
  if (x.kind == TSR_OPERAND_COMPLEX) return (tsr_parts){x.as.c[0], x.as.c[1]};
  return (tsr_parts){tsr__double_of(x), 0};
}

static tsr_parts product(tsr_parts x, tsr_parts y)
{
  return (tsr_parts){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

/* Smith's algorithm, as in Python. */
static tsr_parts quotient(tsr_parts x, tsr_parts y)
{
  if (fabs(y.re) >= fabs(y.im)) {
    const double ratio = y.im / y.re, scale = y.re + y.im * ratio;
    return (tsr_parts){(x.re + x.im * ratio) / scale, (x.im - x.re * ratio) / scale};
  }
  const double ratio = y.re / y.im, scale = y.re * ratio + y.im;
  return (tsr_parts){(x.re * ratio + x.im) / scale, (x.im * ratio - x.re) / scale};
}

/* Whole exponents up to 100 are computed by squaring, others as exp(y log x). */
static const char *power_complex(tsr_parts x, tsr_parts y, tsr_parts *out)
{
  *out = (tsr_parts){1, 0};
  if (y.re == 0 && y.im == 0) return NULL;
  if (x.re == 0 && x.im == 0) {
    if (y.im != 0 || y.re < 0) return "0 cannot be raised to a negative or complex power";
    *out = (tsr_parts){0, 0};
    return NULL;
  }
  if (y.im == 0 && y.re == floor(y.re) && fabs(y.re) <= 100) {
    for (int n = (int)fabs(y.re); n > 0; n >>= 1) {
      if (n & 1) *out = product(*out, x);
      x = product(x, x);
    }
    if (y.re < 0) *out = quotient((tsr_parts){1, 0}, *out);
    return NULL;
  }
  const double length = hypot(x.re, x.im), angle = atan2(x.im, x.re);
  const double size = pow(length, y.re) * exp(-angle * y.im);
  const double turn = angle * y.re + y.im * log(length);
  *out = (tsr_parts){size * cos(turn), size * sin(turn)};
  return NULL;
}

static const char *fold_complex(tsr_node_kind kind, tsr_parts a, tsr_parts b, tsr_operand *out)
{
  tsr_parts v = a;
  const char *why = NULL;
  const bool same = a.re == b.re && a.im == b.im;
  switch (kind) {
  case TSR_NODE_POSITIVE:
    break;
  case TSR_NODE_NEGATIVE:
    v = (tsr_parts){-a.re, -a.im};
    break;
  case TSR_NODE_ADD:
    v = (tsr_parts){a.re + b.re, a.im + b.im};
    break;
  case TSR_NODE_SUBTRACT:
    v = (tsr_parts){a.re - b.re, a.im - b.im};
    break;
  case TSR_NODE_MULTIPLY:
    v = product(a, b);
    break;
  case TSR_NODE_DIVIDE:
    if (b.re == 0 && b.im == 0) return by_zero;
    v = quotient(a, b);
    break;
  case TSR_NODE_POWER:
    why = power_complex(a, b, &v);
    break;
  case TSR_NODE_EQUAL:
  case TSR_NODE_NOT_EQUAL:
    *out = tsr_box_bool(same == (kind == TSR_NODE_EQUAL));
    return NULL;
  default:
    return "complex scalars take `+`, `-`, `*`, `/`, `**`, `==` and `!=`";
  }
  *out = tsr_box_complex(v.re, v.im);
  return why;
}

const char *tsr__text_fold(tsr_node_kind kind, tsr_operand a, tsr_operand b, tsr_operand *out)
{
  bool is_unary = kind == TSR_NODE_POSITIVE || kind == TSR_NODE_NEGATIVE || kind == TSR_NODE_INVERT;
  if (is_unary) b = a;
  if (a.kind == TSR_OPERAND_COMPLEX || b.kind == TSR_OPERAND_COMPLEX)
    return fold_complex(kind, parts_of(a), parts_of(b), out);
  if (kind >= TSR_NODE_EQUAL && kind <= TSR_NODE_GREATER_EQUAL) {
    *out = tsr_box_bool(compare_scalars(kind, a, b));
    return NULL;
  }
  bool are_bools = a.kind == TSR_OPERAND_BOOL && b.kind == TSR_OPERAND_BOOL;
  const bool is_logical = kind == TSR_NODE_AND || kind == TSR_NODE_OR || kind == TSR_NODE_XOR;
  if (are_bools && is_logical) { /* ~True is -2, an integer */
    *out = tsr_box_bool(kind == TSR_NODE_AND  ? a.as.b && b.as.b
                        : kind == TSR_NODE_OR ? a.as.b || b.as.b
                                              : a.as.b != b.as.b);
    return NULL;
  }
  const wide i = wide_of(a), j = wide_of(b);
  bool are_ints = a.kind != TSR_OPERAND_FLOAT && b.kind != TSR_OPERAND_FLOAT;
  if (are_ints && kind != TSR_NODE_DIVIDE && !(kind == TSR_NODE_POWER && j < 0))
    return fold_int(kind, i, j, out);
  return fold_float(kind, tsr__double_of(a), tsr__double_of(b), out);
}
