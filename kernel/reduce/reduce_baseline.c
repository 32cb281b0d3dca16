/* Reductions for every machine, compiled for the compiler's default target. The tree is that of all
 * instruction sets (kernel/reduce/reduce.h). */

#define REDUCE_TABLE tsr__reduce_baseline
#define LANES_8 2
#define LANES_4 4
#define LANES_1 16
#define HAS_BLEND 0
#include "kernel/reduce/reduce_rows.inc"
