/* Matrix products for x86 with AVX2. The bits do not depend on it (kernel/matmul.h). */
#if defined(__x86_64__)
#pragma GCC target("avx2,bmi2")
#endif
#pragma GCC optimize("O3", "fp-contract=off", "no-math-errno", "no-trapping-math")

#define MATMUL_TABLE tsr__matmul_avx2
#define VECTOR 32
#define ROWS 6
#include "kernel/matmul_rows.inc"
