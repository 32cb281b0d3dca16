/* Vector loops for x86 with AVX2 and FMA. Their bits are those of all instruction sets
 * (kernel/cpu/loops.inc). */

#define LOOPS_TABLE tsr__loops_avx2
#define LOOPS_NAME "avx2"
#include "kernel/cpu/loops.inc"
