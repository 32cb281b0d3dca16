/* Matrix products for every machine, compiled for the compiler's default target. Their bits are
 * those of all instruction sets (kernel/library/matmul.h). */

#include <math.h>

#define MATMUL_TABLE tsr__matmul_baseline
#define LANES_8 2
#define LANES_4 4
#define LANES_1 16
#define ROWS 4
#define FUSED_F64(v, b, a)                                                                         \
  for (int l = 0; l < LANES; l++) v[l] = fma(b[l], a, v[l])
#define FUSED_F32(v, b, a)                                                                         \
  for (int l = 0; l < LANES; l++) v[l] = fmaf(b[l], a, v[l])
#include "kernel/library/matmul_rows.inc"
