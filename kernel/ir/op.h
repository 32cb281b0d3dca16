/* The elementwise operations as data: the rows of kernel/ops/ops.def and their dtype rules. */
#ifndef TSR_OP_H
#define TSR_OP_H

#include "kernel/ir/dtype.h"

/** How a row of ops.def chooses its dtypes, after the promotion of its operands to one dtype P. */
typedef enum tsr_rule {
  TSR_RULE_SAME,    /* computes in P, gives P */
  TSR_RULE_FLOAT,   /* integers and bool compute in the float of their size: float16 for 8
                     * bits, float32 for 16, else float64; two arrays in that of the wider
                     * one; gives the dtype it computes in (sqrt, exp) */
  TSR_RULE_DIVIDE,  /* as FLOAT, but all integers and bool compute in float64 */
  TSR_RULE_COMPARE, /* computes in P, gives bool */
  TSR_RULE_LOGICAL, /* operands become bool (x != 0), gives bool */
  TSR_RULE_WHERE,   /* operand 0 becomes bool, the others compute in P, gives P */
  TSR_RULE_NUMERIC, /* as SAME, but bool is refused with NumPy's advice (subtract, negative) */
  TSR_RULE_TEST,    /* computes as FLOAT, gives bool (isnan) */
  TSR_RULE_SCALE,  /* as FLOAT by its first operand; the second, an integer, becomes that (ldexp) */
  TSR_RULE_NUMBER, /* as SAME, but bool computes in int8 (power, square) */
  TSR_RULE_PART,   /* as SAME, but complex numbers give the float of their parts (absolute) */
  TSR_RULE_PAIR    /* real operands become complex, of the float that FLOAT computes in, float32 for
                    * float16; gives that (complex) */
} tsr_rule;

/** The cost of an operation per element, relative to a pass through memory. */
typedef enum tsr_cost {
  TSR_COST_CHEAP, /* about a multiplication: worth computing again if that saves a pass */
  TSR_COST_DEAR   /* more, or unknown */
} tsr_cost;

/** Elementwise opcodes: one per row of kernel/ops/ops.def, in its order (TSR_OP_ADD, …). */
typedef enum tsr_opcode {
#define TSR_OP(NAME, name, ...) TSR_OP_##NAME,
#define TSR_INNER_OP TSR_OP
#include "kernel/ops/ops.def"
#undef TSR_OP
  TSR_N_OPS,
  TSR_N_CALLED_OPS = TSR_OP_LEAST /* the rows before it are functions of a program */
} tsr_opcode;

typedef struct tsr_op_info {
  const char *name; /* NumPy's */
  int min_args, max_args;
  tsr_rule rule;
  tsr_cost cost;
  uint32_t dtypes_mask; /* bit d: computes in tsr_dtype d */
  const char *c_expr;   /* over x, y, z of the compute type; K(f) names a helper of ops_c.h */
  const char *doc;      /* one line */
  uint32_t keeps_mask;  /* bit d: operands of tsr_dtype d are computed in it, and give it or,
                           if the op tells, bool */
} tsr_op_info;
const tsr_op_info *tsr__op_info(tsr_opcode op);

/** Of which numbers an expression over vectors means the same as over one value of each lane. */
typedef enum tsr_vectors { TSR_VECTORS_NONE, TSR_VECTORS_FLOATS, TSR_VECTORS_ALL } tsr_vectors;
/** What the expression of a row says of itself: a column that is made of it when the library is
 * built (cmake/forms_text.cmake). */
typedef struct tsr_op_form {
  const char *helper; /* f of its K(f); NULL: it has none */
  tsr_vectors vectors;
} tsr_op_form;
const tsr_op_form *tsr__op_form(tsr_opcode op);
/** Does the op tell something about its operands, so that its result is a bool? */
bool tsr__op_tells(const tsr_op_info *info);
/** Returns the opcode named `name`, or -1. */
int tsr__op_find(const char *name);
/** Applies the row's rule to the promoted operand dtype. Returns false if the op does not take it.
 * compute: the dtype that operands are cast to (for WHERE: operands 1 and 2). result: the dtype
 * that the op gives; it is float16 if the op computes in float32 for float16 operands, and is
 * rounded then. */
bool tsr__op_dtypes(tsr_opcode op, tsr_dtype promoted, tsr_dtype *compute, tsr_dtype *result);

/** Functions of random numbers, over bit patterns of 64 bits in int64 (kernel/ops/ops_random.h). */
typedef enum tsr_random {
  TSR_RANDOM_FIRST,   /* (index, key, draw): the first half of Philox4x32-10's 128 bits */
  TSR_RANDOM_SECOND,  /* (index, key, draw): the second half */
  TSR_RANDOM_TOP,     /* (bits, n): the highest n bits, 0 < n < 64 */
  TSR_RANDOM_BELOW,   /* (high, low, n): 128 bits as a number below n, unsigned */
  TSR_RANDOM_PERMUTE, /* (i, key, n): where a permutation of [0, n) takes i; i itself if it is
                       * not below n */
  TSR_N_RANDOM
} tsr_random;
typedef struct tsr_random_info {
  const char *name;
  int n_args;
} tsr_random_info;
const tsr_random_info *tsr__random_info(tsr_random f);

#endif
