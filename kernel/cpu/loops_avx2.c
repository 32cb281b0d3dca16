/* Vector loops for x86 with AVX2 and FMA. The bits do not depend on it (kernel/cpu/loops.inc). */

#define LOOPS_TABLE tsr__loops_avx2
#define LOOPS_NAME "avx2"
#include "kernel/cpu/loops.inc"
