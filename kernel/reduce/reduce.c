/* Reductions by name and dtype: the dtypes in which each computes and returns, its value over no
 * elements, and its loops. */
#include "kernel/reduce/reduce_int.h"

#include "runtime/base/error.h"

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
    *compute = tsr__dtype_compute(in);
    if (in == TSR_BOOL || tsr__dtype_kind(in) == TSR_KIND_INT) *compute = TSR_INT64;
    if (tsr__dtype_kind(in) == TSR_KIND_UINT) *compute = TSR_UINT64;
    *result = *compute;
    return true;
  case TSR_REDUCE_COUNT:
    *compute = *result = TSR_INT64;
    return true;
  case TSR_REDUCE_ANY:
  case TSR_REDUCE_ALL:
    *compute = *result = TSR_BOOL;
    return true;
  case TSR_REDUCE_ARGMIN:
  case TSR_REDUCE_ARGMAX:
    *compute = tsr__dtype_compute(in);
    *result = TSR_INT64;
    return true;
  default:
    *compute = *result = tsr__dtype_compute(in);
    return true;
  }
}

const char *tsr__reduce_name(tsr_reduction op)
{
  static const char *const names[TSR_N_REDUCTIONS] = {
      [TSR_REDUCE_SUM] = "sum",
      [TSR_REDUCE_PROD] = "prod",
      [TSR_REDUCE_COUNT] = "count_nonzero",
      [TSR_REDUCE_MIN] = "min",
      [TSR_REDUCE_MAX] = "max",
      [TSR_REDUCE_NANMIN] = "nanmin",
      [TSR_REDUCE_NANMAX] = "nanmax",
      [TSR_REDUCE_ANY] = "any",
      [TSR_REDUCE_ALL] = "all",
      [TSR_REDUCE_ARGMIN] = "argmin",
      [TSR_REDUCE_ARGMAX] = "argmax",
  };
  return (unsigned)op < TSR_N_REDUCTIONS ? names[op] : "?";
}

tsr_opcode tsr__reduce_combining(tsr_reduction op, tsr_dtype compute)
{
  const bool is_exact = !tsr__dtype_is_inexact(compute); /* has one zero, and no NaN */
  switch (op) {
  case TSR_REDUCE_SUM:
  case TSR_REDUCE_COUNT:
    return TSR_OP_ADD;
  case TSR_REDUCE_PROD:
    return TSR_OP_MULTIPLY;
  case TSR_REDUCE_MIN:
    return is_exact ? TSR_OP_MINIMUM : TSR_OP_LEAST;
  case TSR_REDUCE_MAX:
    return is_exact ? TSR_OP_MAXIMUM : TSR_OP_GREATEST;
  case TSR_REDUCE_NANMIN:
    return is_exact ? TSR_OP_MINIMUM : TSR_OP_LEAST_NUM;
  case TSR_REDUCE_NANMAX:
    return is_exact ? TSR_OP_MAXIMUM : TSR_OP_GREATEST_NUM;
  case TSR_REDUCE_ANY:
    return TSR_OP_LOGICAL_OR;
  default:
    TSR_ASSERT(op == TSR_REDUCE_ALL);
    return TSR_OP_LOGICAL_AND;
  }
}

bool tsr__reduce_identity(tsr_reduction op, tsr_dtype compute, tsr_scalar *out)
{
  if (!is_valid(op, compute)) return false;
  bool one = op == TSR_REDUCE_PROD || op == TSR_REDUCE_ALL;
  if (!one && op != TSR_REDUCE_SUM && op != TSR_REDUCE_COUNT && op != TSR_REDUCE_ANY) return false;
  /* Zero has no bits set in any dtype. */
  *out = one ? tsr__scalar_one(compute) : (tsr_scalar){.dtype = compute};
  return true;
}

const tsr_reduce_loops *tsr__reduce_loops_for(tsr_isa isa, tsr_reduction op, tsr_dtype compute)
{
  static const tsr_reduce_loops(*const tables[TSR_N_ISAS])[TSR_N_DTYPES] = {
      [TSR_ISA_BASELINE] = tsr__reduce_baseline,
      [TSR_ISA_AVX2] = tsr__reduce_avx2,
      [TSR_ISA_AVX512] = tsr__reduce_avx512};
  TSR_ASSERT(isa >= 0 && isa < TSR_N_ISAS);
  if (!is_valid(op, compute)) return NULL;
  const tsr_reduce_loops *loops = &tables[isa][op][compute];
  return loops->combine ? loops : NULL;
}

const tsr_reduce_loops *tsr__reduce_loops(tsr_reduction op, tsr_dtype compute)
{
  return tsr__reduce_loops_for(tsr__isa_get(0), op, compute);
}

bool tsr__reduce_widens(tsr_reduction op, tsr_dtype compute, tsr_dtype from)
{
  const tsr_reduce_loops *loops = tsr__reduce_loops(op, compute);
  return loops != NULL && loops->narrow != NULL && loops->narrow[from] != NULL;
}

void tsr__scan(tsr_reduction op, tsr_dtype compute, void *dst, int64_t dst_step, const void *src,
               int64_t src_step, int64_t n, int64_t from)
{
  const tsr_reduce_loops *loops = tsr__reduce_loops(op, compute);
  TSR_ASSERT(loops != NULL && loops->scan != NULL && from >= 0 && from < n);
  loops->scan(dst, dst_step, src, src_step, n, from);
}
