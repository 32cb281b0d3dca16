/* The elementwise operations as data: the rows of ops.def, looked up by opcode or name, and their
 * dtype rules. */
#include <string.h>

#include "kernel/kernel.h"
#include "runtime/error.h"

#define MASK_BOOL (1u << TSR_DTYPE_BOOL)
#define MASK_FLT (1u << TSR_DTYPE_FLOAT32 | 1u << TSR_DTYPE_FLOAT64)
#define MASK_TRIG MASK_FLT
#define MASK_NUM (1u << TSR_DTYPE_INT32 | 1u << TSR_DTYPE_INT64 | MASK_FLT)
#define MASK_ALL (MASK_BOOL | MASK_NUM)

static const tsr_op_info infos[TSR_N_OPS] = {
#define TSR_OP(NAME, name, min_args, max_args, RULE, DTYPES, c_expr, cuda_expr, doc)               \
  [TSR_OP_##NAME] = {#name,         min_args, max_args,  TSR_RULE_##RULE,                          \
                     MASK_##DTYPES, #c_expr,  cuda_expr, doc},
#include "kernel/ops.def"
#undef TSR_OP
};

const tsr_random_info *tsr__random_info(tsr_random f)
{
  static const tsr_random_info random_infos[TSR_N_RANDOM] = {{"random_first", 3},
                                                             {"random_second", 3},
                                                             {"random_top", 2},
                                                             {"random_below", 3},
                                                             {"random_permute", 3}};
  TSR_ASSERT((unsigned)f < TSR_N_RANDOM);
  return &random_infos[f];
}

const tsr_op_info *tsr__op_info(tsr_opcode op)
{
  TSR_ASSERT((unsigned)op < TSR_N_OPS);
  return &infos[op];
}

int tsr__op_find(const char *name)
{
  for (int op = 0; op < TSR_N_OPS; op++) {
    if (strcmp(infos[op].name, name) == 0) return op;
  }
  return -1;
}

bool tsr__op_dtypes(tsr_opcode op, tsr_dtype promoted, tsr_dtype *compute, tsr_dtype *result)
{
  const tsr_op_info *info = tsr__op_info(op);
  tsr_dtype in = promoted;
  if (info->rule == TSR_RULE_LOGICAL) in = TSR_DTYPE_BOOL;
  const bool in_floats =
      info->rule == TSR_RULE_FLOAT || info->rule == TSR_RULE_TEST || info->rule == TSR_RULE_SCALE;
  if (in_floats && tsr__dtype_info(promoted)->kind != TSR_KIND_FLOAT) in = TSR_DTYPE_FLOAT64;
  if (!(info->dtypes_mask >> in & 1)) return false;
  *compute = in;
  const bool tells = info->rule == TSR_RULE_COMPARE || info->rule == TSR_RULE_TEST;
  *result = tells ? TSR_DTYPE_BOOL : in;
  return true;
}
