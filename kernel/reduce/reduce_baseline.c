/* Reductions for every machine: what the compiler targets by default. The tree does not depend on
 * it (kernel/reduce/reduce.h). */

#define REDUCE_TABLE tsr__reduce_baseline
#define LANES_8 2
#define LANES_4 4
#define LANES_1 16
#define HAS_BLEND 0
#include "kernel/reduce/reduce_rows.inc"
