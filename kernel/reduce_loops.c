/* The inner loops of the reductions: one row per operation and lane type, from reduce_loops.inc.
 * any and all are the max and min of bytes 0 and 1. */
#include "kernel/reduce_int.h"

#include <string.h>

/* Values that `tree` takes through its levels at once: 8 KB of float64, well inside L1. */
enum { BLOCK = 1024 };
_Static_assert(BLOCK % (1 << TSR__TREE_LEVELS) == 0, "a block is whole subtrees");

/* bool, as 0 and 1 */
#define LANE int8_t
#define WORD int8_t
#define IS_FLOAT 0
#define EVEN 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODD 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define HAS_ARG 1
#define OP TSR_REDUCE_MIN
#define FN(x) i8_min_##x
#include "kernel/reduce_loops.inc"
#define OP TSR_REDUCE_MAX
#define FN(x) i8_max_##x
#include "kernel/reduce_loops.inc"
#undef HAS_ARG
#undef LANE
#undef WORD
#undef IS_FLOAT
#undef EVEN
#undef ODD

/* int32 */
#define LANE int32_t
#define WORD int32_t
#define IS_FLOAT 0
#define EVEN 0, 2, 4, 6
#define ODD 1, 3, 5, 7
#define HAS_ARG 1
#define OP TSR_REDUCE_MIN
#define FN(x) i32_min_##x
#include "kernel/reduce_loops.inc"
#define OP TSR_REDUCE_MAX
#define FN(x) i32_max_##x
#include "kernel/reduce_loops.inc"
#undef HAS_ARG
#undef LANE
#undef WORD
#undef IS_FLOAT
#undef EVEN
#undef ODD

/* int64 that wraps */
#define LANE uint64_t
#define WORD int64_t
#define IS_FLOAT 0
#define EVEN 0, 2
#define ODD 1, 3
#define HAS_ARG 0
#define OP TSR_REDUCE_SUM
#define FN(x) u64_sum_##x
#include "kernel/reduce_loops.inc"
#define OP TSR_REDUCE_PROD
#define FN(x) u64_prod_##x
#include "kernel/reduce_loops.inc"
#undef HAS_ARG
#undef LANE
#undef WORD
#undef IS_FLOAT
#undef EVEN
#undef ODD

/* int64 in order */
#define LANE int64_t
#define WORD int64_t
#define IS_FLOAT 0
#define EVEN 0, 2
#define ODD 1, 3
#define HAS_ARG 1
#define OP TSR_REDUCE_MIN
#define FN(x) i64_min_##x
#include "kernel/reduce_loops.inc"
#define OP TSR_REDUCE_MAX
#define FN(x) i64_max_##x
#include "kernel/reduce_loops.inc"
#undef HAS_ARG
#undef LANE
#undef WORD
#undef IS_FLOAT
#undef EVEN
#undef ODD

/* float32 */
#define LANE float
#define WORD int32_t
#define IS_FLOAT 1
#define EVEN 0, 2, 4, 6
#define ODD 1, 3, 5, 7
#define HAS_ARG 0
#define OP TSR_REDUCE_SUM
#define FN(x) f32_sum_##x
#include "kernel/reduce_loops.inc"
#define OP TSR_REDUCE_PROD
#define FN(x) f32_prod_##x
#include "kernel/reduce_loops.inc"
#undef HAS_ARG
#define HAS_ARG 1
#define OP TSR_REDUCE_MIN
#define FN(x) f32_min_##x
#include "kernel/reduce_loops.inc"
#define OP TSR_REDUCE_MAX
#define FN(x) f32_max_##x
#include "kernel/reduce_loops.inc"
#undef HAS_ARG
#undef LANE
#undef WORD
#undef IS_FLOAT
#undef EVEN
#undef ODD

/* float64 */
#define LANE double
#define WORD int64_t
#define IS_FLOAT 1
#define EVEN 0, 2
#define ODD 1, 3
#define HAS_ARG 0
#define OP TSR_REDUCE_SUM
#define FN(x) f64_sum_##x
#include "kernel/reduce_loops.inc"
#define OP TSR_REDUCE_PROD
#define FN(x) f64_prod_##x
#include "kernel/reduce_loops.inc"
#undef HAS_ARG
#define HAS_ARG 1
#define OP TSR_REDUCE_MIN
#define FN(x) f64_min_##x
#include "kernel/reduce_loops.inc"
#define OP TSR_REDUCE_MAX
#define FN(x) f64_max_##x
#include "kernel/reduce_loops.inc"
#undef HAS_ARG
#undef LANE
#undef WORD
#undef IS_FLOAT
#undef EVEN
#undef ODD

#define LOOPS(fn)                                                                                  \
  {                                                                                                \
    .combine = fn##_combine, .pairs = fn##_pairs, .tree = fn##_tree                                \
  }
#define ARG_LOOPS(fn)                                                                              \
  {                                                                                                \
    .combine = fn##_arg_combine, .pairs = fn##_arg_pairs, .tree = fn##_arg_tree,                   \
    .leaves = fn##_arg_leaves                                                                      \
  }

const tsr_reduce_loops *tsr__reduce_loops(tsr_reduction op, tsr_dtype compute)
{
  static const tsr_reduce_loops table[TSR_N_REDUCTIONS][TSR_N_DTYPES] = {
      [TSR_REDUCE_SUM] = {[TSR_INT64] = LOOPS(u64_sum),
                          [TSR_FLOAT32] = LOOPS(f32_sum),
                          [TSR_FLOAT64] = LOOPS(f64_sum)},
      [TSR_REDUCE_PROD] = {[TSR_INT64] = LOOPS(u64_prod),
                           [TSR_FLOAT32] = LOOPS(f32_prod),
                           [TSR_FLOAT64] = LOOPS(f64_prod)},
      [TSR_REDUCE_MIN] = {LOOPS(i8_min), LOOPS(i32_min), LOOPS(i64_min), LOOPS(f32_min),
                          LOOPS(f64_min)},
      [TSR_REDUCE_MAX] = {LOOPS(i8_max), LOOPS(i32_max), LOOPS(i64_max), LOOPS(f32_max),
                          LOOPS(f64_max)},
      [TSR_REDUCE_ANY] = {[TSR_BOOL] = LOOPS(i8_max)},
      [TSR_REDUCE_ALL] = {[TSR_BOOL] = LOOPS(i8_min)},
      [TSR_REDUCE_ARGMIN] = {ARG_LOOPS(i8_min), ARG_LOOPS(i32_min), ARG_LOOPS(i64_min),
                             ARG_LOOPS(f32_min), ARG_LOOPS(f64_min)},
      [TSR_REDUCE_ARGMAX] = {ARG_LOOPS(i8_max), ARG_LOOPS(i32_max), ARG_LOOPS(i64_max),
                             ARG_LOOPS(f32_max), ARG_LOOPS(f64_max)},
  };
  if ((unsigned)op >= TSR_N_REDUCTIONS || (unsigned)compute >= TSR_N_DTYPES) return NULL;
  const tsr_reduce_loops *loops = &table[op][compute];
  return loops->combine ? loops : NULL;
}
