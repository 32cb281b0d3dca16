/* Matrix products for x86 with AVX-512 (F, BW, DQ, VL). Their bits are those of all instruction
 * sets (kernel/library/matmul.h). */

#include <immintrin.h>

#define MATMUL_TABLE tsr__matmul_avx512
#define LANES_8 8
#define LANES_4 16
#define LANES_1 64
#define ROWS 14
#define FUSED_F64(v, b, a) v = _mm512_fmadd_pd(b, _mm512_set1_pd(a), v)
#define FUSED_F32(v, b, a) v = _mm512_fmadd_ps(b, _mm512_set1_ps(a), v)
#include "kernel/library/matmul_rows.inc"
