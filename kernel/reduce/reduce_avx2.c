/* Reductions for x86 with AVX2. The tree is that of all instruction sets (kernel/reduce/reduce.h).
 * Pairs of bytes are cheapest in 16-byte vectors. The file is compiled with -mtune, without which
 * GCC loads the operands that two shuffles share twice. */

#define REDUCE_TABLE tsr__reduce_avx2
#define LANES_8 4
#define LANES_4 8
#define LANES_1 16
#define HAS_BLEND 1
#include "kernel/reduce/reduce_rows.inc"
