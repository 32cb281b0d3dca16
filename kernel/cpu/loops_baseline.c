/* Vector loops for every machine: what the compiler targets by default. The bits do not depend on
 * it (kernel/cpu/loops.inc). */

#define LOOPS_TABLE tsr__loops_baseline
#define LOOPS_NAME "baseline"
#include "kernel/cpu/loops.inc"
