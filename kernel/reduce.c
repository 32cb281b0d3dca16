/* Reductions by name and dtype: what each computes in, gives, and is over nothing. */
#include "kernel/reduce_int.h"

#include "kernel/kernel_int.h"

static bool is_valid(tsr_reduction op, tsr_dtype dtype)
{
  return (unsigned)op < TSR_N_REDUCTIONS && (unsigned)dtype < TSR_N_DTYPES;
}

bool tsr__reduce_dtypes(tsr_reduction op, tsr_dtype in, tsr_dtype *compute, tsr_dtype *result)
{
  if (!is_valid(op, in)) return false;
  switch (op) {
  case TSR_REDUCE_SUM:
  case TSR_REDUCE_PROD:
    *compute = in == TSR_BOOL || in == TSR_INT32 ? TSR_INT64 : in;
    *result = *compute;
    return true;
  case TSR_REDUCE_ANY:
  case TSR_REDUCE_ALL:
    *compute = *result = TSR_BOOL;
    return true;
  case TSR_REDUCE_ARGMIN:
  case TSR_REDUCE_ARGMAX:
    *compute = in;
    *result = TSR_INT64;
    return true;
  default:
    *compute = *result = in;
    return true;
  }
}

const char *tsr__reduce_name(tsr_reduction op)
{
  static const char *const names[TSR_N_REDUCTIONS] = {
      [TSR_REDUCE_SUM] = "sum",       [TSR_REDUCE_PROD] = "prod",     [TSR_REDUCE_MIN] = "min",
      [TSR_REDUCE_MAX] = "max",       [TSR_REDUCE_ANY] = "any",       [TSR_REDUCE_ALL] = "all",
      [TSR_REDUCE_ARGMIN] = "argmin", [TSR_REDUCE_ARGMAX] = "argmax",
  };
  return (unsigned)op < TSR_N_REDUCTIONS ? names[op] : "?";
}

bool tsr__reduce_identity(tsr_reduction op, tsr_dtype compute, tsr_scalar *out)
{
  if (!is_valid(op, compute)) return false;
  bool one = op == TSR_REDUCE_PROD || op == TSR_REDUCE_ALL;
  if (!one && op != TSR_REDUCE_SUM && op != TSR_REDUCE_ANY) return false;
  *out = (tsr_scalar){.dtype = compute};
  if (!one) return true; /* zero has no bits set in any dtype */
  switch (compute) {
  case TSR_FLOAT64:
    out->u.f = 1.0;
    break;
  case TSR_FLOAT32:
    out->u.f32 = 1.0f;
    break;
  case TSR_INT32:
    out->u.i32 = 1;
    break;
  default:
    out->u.i = 1;
  }
  return true;
}

const tsr_reduce_loops *tsr__reduce_loops(tsr_reduction op, tsr_dtype compute)
{
  if (!is_valid(op, compute)) return NULL;
  const tsr_reduce_loops *loops = &tsr__loops_get(0)->reduce[op][compute];
  return loops->combine ? loops : NULL;
}
