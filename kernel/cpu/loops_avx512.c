/* Vector loops for x86 with AVX-512 (F, BW, DQ, VL). Their bits are those of all instruction sets
 * (kernel/cpu/loops.inc). */

#define LOOPS_TABLE tsr__loops_avx512
#define LOOPS_NAME "avx512"
#include "kernel/cpu/loops.inc"
