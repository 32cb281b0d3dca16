/* Matrix products for x86 with AVX-512 (F, BW, DQ, VL). The bits do not depend on it
 * (kernel/matmul.h). */
#if defined(__x86_64__)
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,bmi2,prefer-vector-width=512")
#endif
#pragma GCC optimize("O3", "fp-contract=off", "no-math-errno", "no-trapping-math")

#define MATMUL_TABLE tsr__matmul_avx512
#define VECTOR 64
#define ROWS 12
#include "kernel/matmul_rows.inc"
