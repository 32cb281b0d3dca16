/* Matrix products for x86 with AVX2. Their bits are those of all instruction sets
 * (kernel/library/matmul.h). */

#include <immintrin.h>

#define MATMUL_TABLE tsr__matmul_avx2
#define LANES_8 4
#define LANES_4 8
#define LANES_1 32
#define ROWS 6
#define FUSED_F64(v, b, a) v = _mm256_fmadd_pd(b, _mm256_set1_pd(a), v)
#define FUSED_F32(v, b, a) v = _mm256_fmadd_ps(b, _mm256_set1_ps(a), v)
#include "kernel/library/matmul_rows.inc"
