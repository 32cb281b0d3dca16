/* Calls that are made of elementwise operations: the steps that Tessera takes, element by element.
 */
#include "calls.h"
#include "check_int.h"

#include <math.h>

/* What NumPy refuses of bools, and what is not drawn of complex numbers. */
static bool check_kernel(const node *n, const type *x, const type *y)
{
  const bool subtracts = n->style == KERNEL_IF || n->style == KERNEL_MIN_MAX;
  const bool takes = n->style == KERNEL_BEFORE || n->style == KERNEL_FAR || n->style == KERNEL_LOOP;
  return n->n_args == 2 && n->style >= 0 && n->style < N_KERNELS &&
         dims_equal(&x->shape, &y->shape) && x->dtype == y->dtype &&
         !(takes && x->shape.ndim == TSR_MAX_NDIM) && !(subtracts && x->dtype == TSR_BOOL) &&
         !(n->style == KERNEL_MIN_MAX && is_complex(x->dtype));
}

bool check_composed(const program *p, const node *n, type *out)
{
  const type *x = &p->nodes[n->args[0]].type, *y = &p->nodes[n->args[n->n_args - 1]].type;
  const tsr_dtype promoted = promote_arrays(x->dtype, y->dtype);
  const bool same = dims_equal(&x->shape, &y->shape), first = n->by == 0;
  tsr_dtype unused;
  switch (n->index) {
  case CALL_ANGLE:
    out->dtype = x->dtype == TSR_BOOL ? TSR_FLOAT64 : dtype_part(dtype_inexact(x->dtype));
    return n->n_args == 1;
  case CALL_KERNEL:
    return check_kernel(n, x, y);
  default:
    break;
  }
  if (n->by != 0 && n->by != 1 && n->index != CALL_OUTER) return false;
  switch (n->index) {
  case CALL_FREXP:
    out->dtype = first ? dtype_inexact(x->dtype) : TSR_INT32;
    return n->n_args == 1 && !is_complex(x->dtype);
  case CALL_DIVMOD:
    return n->n_args == 2 && same && !is_complex(promoted) &&
           map_result(TSR_OP_FLOOR_DIVIDE, promoted, &unused, &out->dtype);
  case CALL_ISCLOSE:
    out->dtype = TSR_BOOL;
    return n->n_args == 2 && same;
  default: /* CALL_OUTER */
    out->shape = (tsr_dims){.ndim = 2, .n = {x->shape.n[0], y->shape.n[0]}};
    out->dtype = promoted;
    return n->n_args == 2 && x->shape.ndim == 1 && y->shape.ndim == 1;
  }
}

static cell number(double x, tsr_dtype d)
{
  return cell_cast((cell){.v.f = x}, TSR_FLOAT64, d);
}

static cell closeness(const node *n, cell x, tsr_dtype xd, cell y, tsr_dtype yd)
{
  const tsr_dtype e = dtype_float(yd), d = promote_arrays(xd, e);
  const tsr_dtype part = dtype_part(e), wide = dtype_part(d);
  y = cell_cast(y, yd, e);
  const cell size = cell_map(TSR_OP_ABSOLUTE, e, &y);
  cell most = cell_map2(TSR_OP_MULTIPLY, part, number(1e-5, part), size);
  most = cell_map2(TSR_OP_ADD, part, number(1e-8, part), most);
  const cell a = cell_cast(x, xd, d), b = cell_cast(y, e, d);
  cell apart = cell_map2(TSR_OP_SUBTRACT, d, a, b);
  apart = cell_map(TSR_OP_ABSOLUTE, d, &apart);
  const cell near = cell_map2(TSR_OP_LESS_EQUAL, wide, apart, cell_cast(most, part, wide));
  const cell finite = cell_map(TSR_OP_ISFINITE, e, &y);
  cell is = cell_map2(TSR_OP_LOGICAL_AND, TSR_BOOL, near, finite);
  is = cell_map2(TSR_OP_LOGICAL_OR, TSR_BOOL, cell_map2(TSR_OP_EQUAL, d, a, b), is);
  if (!n->style) return is;
  const cell both = cell_map2(TSR_OP_LOGICAL_AND, TSR_BOOL, cell_map2(TSR_OP_NOT_EQUAL, d, a, a),
                              cell_map2(TSR_OP_NOT_EQUAL, e, y, y));
  return cell_map2(TSR_OP_LOGICAL_OR, TSR_BOOL, is, both);
}

static cell angle(cell x, tsr_dtype d, tsr_dtype part)
{
  const tsr_dtype compute = is_complex(d) ? d : part;
  x = cell_cast(x, d, compute);
  const cell im = is_complex(d) ? cell_map(TSR_OP_IMAG, d, &x) : (cell){.v.f = 0};
  const cell re = is_complex(d) ? cell_map(TSR_OP_REAL, d, &x) : x;
  return cell_map2(TSR_OP_ARCTAN2, part, im, re);
}

/* Element k in flat order; 0 where there is none. */
static cell taken(const dense *x, int64_t k)
{
  return k >= 0 && k < dims_size(&x->shape) ? x->cells[k] : (cell){.v.i = 0};
}

/* a*b + a */
static cell both(tsr_dtype d, cell a, cell b)
{
  return cell_map2(TSR_OP_ADD, d, cell_map2(TSR_OP_MULTIPLY, d, a, b), a);
}

static cell kernel_value(const node *n, const dense *x, int64_t i)
{
  const tsr_dtype d = x->dtype;
  const cell a = x[0].cells[i], b = x[1].cells[i];
  switch (n->style) {
  case KERNEL_CHAIN:
    return both(d, a, b);
  case KERNEL_IF: {
    const cell choice[3] = {cell_map2(TSR_OP_LESS, d, a, b), cell_map2(TSR_OP_SUBTRACT, d, a, b),
                            b};
    return cell_map(TSR_OP_WHERE, d, choice);
  }
  case KERNEL_MIN_MAX:
    return cell_map2(TSR_OP_SUBTRACT, d, cell_map2(TSR_OP_MAXIMUM, d, a, b),
                     cell_map2(TSR_OP_MINIMUM, d, a, b));
  case KERNEL_BEFORE:
    return cell_map2(TSR_OP_ADD, d, b, taken(x, i > 0 ? i - 1 : 0));
  case KERNEL_LOOP: {
    cell sum = b;
    for (int k = 0; k < 3; k++) sum = cell_map2(TSR_OP_ADD, d, sum, taken(x, i + k));
    return sum;
  }
  case KERNEL_DEF:
    return cell_map2(TSR_OP_ADD, d, both(d, a, b), both(d, b, a));
  default:
    return cell_map2(TSR_OP_MULTIPLY, d, b, taken(x, 2 * i - 3));
  }
}

void composed_values(const node *n, const dense *x, cell *out)
{
  const tsr_dtype d = x[0].dtype, e = x[n->n_args - 1].dtype;
  const tsr_dtype part = dtype_inexact(d);
  tsr_dtype compute = promote_arrays(d, e), result;
  const tsr_opcode ops[] = {TSR_OP_FLOOR_DIVIDE, TSR_OP_REMAINDER};
  if (n->index == CALL_DIVMOD) map_result(ops[n->by], compute, &compute, &result);
  const int64_t size = dims_size(&n->type.shape), row = n->type.shape.n[1];
  for (int64_t i = 0; i < size; i++) {
    const bool outer = n->index == CALL_OUTER;
    const cell a = x[0].cells[outer ? i / row : i];
    const cell b = x[n->n_args - 1].cells[outer ? i % row : i];
    if (n->index == CALL_ISCLOSE) {
      out[i] = closeness(n, a, d, b, e);
    } else if (n->index == CALL_KERNEL) {
      out[i] = kernel_value(n, x, i);
    } else if (n->index == CALL_ANGLE) {
      out[i] = angle(a, d, n->type.dtype);
    } else if (n->index == CALL_FREXP) {
      const cell v = cell_cast(a, d, part);
      out[i] = n->by ? cell_cast(cell_map(TSR_OP_FREXP_EXPONENT, part, &v), part, TSR_INT32)
                     : cell_map(TSR_OP_FREXP_MANTISSA, part, &v);
    } else {
      out[i] = cell_map2(outer ? TSR_OP_MULTIPLY : ops[n->by], compute, cell_cast(a, d, compute),
                         cell_cast(b, e, compute));
    }
  }
}
