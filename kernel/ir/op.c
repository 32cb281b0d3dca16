/* The elementwise operations as data: looks up the rows of ops.def by opcode or name, and applies
 * their dtype rules. */
#include <string.h>

#include "kernel/ir/op.h"
#include "runtime/base/error.h"

#define BIT(dtype) (1u << TSR_DTYPE_##dtype)
#define MASK_BOOL BIT(BOOL)
#define MASK_INT                                                                                   \
  (BIT(INT8) | BIT(INT16) | BIT(INT32) | BIT(INT64) | BIT(UINT8) | BIT(UINT16) | BIT(UINT32) |     \
   BIT(UINT64))
#define MASK_FLT (BIT(FLOAT32) | BIT(FLOAT64))
#define MASK_CPX (BIT(COMPLEX64) | BIT(COMPLEX128))
#define MASK_FLC (MASK_FLT | MASK_CPX)
#define MASK_BITS (MASK_BOOL | MASK_INT)
#define MASK_RNUM (MASK_INT | MASK_FLT)
#define MASK_REAL (MASK_BOOL | MASK_RNUM)
#define MASK_NUM (MASK_RNUM | MASK_CPX)
#define MASK_ALL (MASK_BOOL | MASK_NUM)

/* The rules under which operands of a dtype in which the row computes are computed in it, and give
 * it or a bool. */
#define TELLS(rule) ((rule) == TSR_RULE_COMPARE || (rule) == TSR_RULE_TEST)
#define KEEPS(rule)                                                                                \
  ((rule) == TSR_RULE_SAME || (rule) == TSR_RULE_FLOAT || (rule) == TSR_RULE_DIVIDE ||             \
   (rule) == TSR_RULE_LOGICAL || (rule) == TSR_RULE_NUMERIC || (rule) == TSR_RULE_NUMBER ||        \
   TELLS(rule))

static const tsr_op_info infos[TSR_N_OPS] = {
#define TSR_OP(NAME, name, min_args, max_args, RULE, DTYPES, COST, LOOP, c_expr, doc)              \
  [TSR_OP_##NAME] = {#name,                                                                        \
                     min_args,                                                                     \
                     max_args,                                                                     \
                     TSR_RULE_##RULE,                                                              \
                     TSR_COST_##COST,                                                              \
                     MASK_##DTYPES,                                                                \
                     #c_expr,                                                                      \
                     doc,                                                                          \
                     KEEPS(TSR_RULE_##RULE) ? MASK_##DTYPES : 0},
#define TSR_INNER_OP TSR_OP
#include "kernel/ops/ops.def"
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

const tsr_op_form *tsr__op_form(tsr_opcode op)
{
  static const tsr_op_form op_forms[TSR_N_OPS] = {
#include "op_forms.inc"
  };
  TSR_ASSERT((unsigned)op < TSR_N_OPS);
  return &op_forms[op];
}

int tsr__op_find(const char *name)
{
  for (int op = 0; op < TSR_N_OPS; op++) {
    if (strcmp(infos[op].name, name) == 0) return op;
  }
  return -1;
}

bool tsr__op_tells(const tsr_op_info *info)
{
  return TELLS(info->rule);
}

bool tsr__op_dtypes(tsr_opcode op, tsr_dtype promoted, tsr_dtype *compute, tsr_dtype *result)
{
  const tsr_op_info *info = tsr__op_info(op);
  tsr_dtype in = promoted;
  switch (info->rule) {
  case TSR_RULE_LOGICAL:
    in = TSR_DTYPE_BOOL;
    break;
  case TSR_RULE_FLOAT:
  case TSR_RULE_TEST:
  case TSR_RULE_SCALE:
    in = tsr__dtype_inexact(promoted);
    break;
  case TSR_RULE_DIVIDE:
    if (!tsr__dtype_is_inexact(promoted)) in = TSR_DTYPE_FLOAT64;
    break;
  case TSR_RULE_PAIR:
    in = tsr__dtype_promote(tsr__dtype_inexact(promoted), TSR_DTYPE_COMPLEX64);
    break;
  case TSR_RULE_NUMBER:
    if (promoted == TSR_DTYPE_BOOL) in = TSR_DTYPE_INT8;
    break;
  default:
    break;
  }
  if (!(info->dtypes_mask >> tsr__dtype_compute(in) & 1)) return false;
  *compute = tsr__dtype_compute(in);
  const bool tells = TELLS(info->rule);
  *result = tells ? TSR_DTYPE_BOOL : info->rule == TSR_RULE_PART ? tsr__dtype_part(in) : in;
  return true;
}
