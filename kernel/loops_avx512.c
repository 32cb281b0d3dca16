/* Vector loops for x86 with AVX-512 (F, BW, DQ, VL). The bits do not depend on it
 * (kernel/loops.inc). */
#if defined(__x86_64__)
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,fma,bmi2,prefer-vector-width=512")
#endif
#pragma GCC optimize("O3", "fp-contract=off", "no-math-errno", "no-trapping-math")

#define LOOPS_TABLE tsr__loops_avx512
#define LOOPS_REDUCE tsr__reduce_avx512
#define LOOPS_MATMUL tsr__matmul_avx512
#define LOOPS_NAME "avx512"
#include "kernel/loops.inc"
