/* Vector loops for every machine, compiled for the compiler's default target. Their bits are those
 * of all instruction sets (kernel/cpu/loops.inc). */

#define LOOPS_TABLE tsr__loops_baseline
#define LOOPS_NAME "baseline"
#include "kernel/cpu/loops.inc"
