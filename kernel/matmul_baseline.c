/* Matrix products for every machine: what the compiler targets by default. The bits do not depend
 * on it (kernel/matmul.h). */
#pragma GCC optimize("O3", "fp-contract=off", "no-math-errno", "no-trapping-math")

#define MATMUL_TABLE tsr__matmul_baseline
#define VECTOR 16
#define ROWS 4
#include "kernel/matmul_rows.inc"
