/* Vector loops for x86 with AVX-512 (F, BW, DQ, VL). The bits do not depend on it
 * (kernel/cpu/loops.inc). */

#define LOOPS_TABLE tsr__loops_avx512
#define LOOPS_NAME "avx512"
#include "kernel/cpu/loops.inc"
