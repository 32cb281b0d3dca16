/* Reductions for x86 with AVX2. The tree does not depend on it (kernel/reduce/reduce.h); pairs of
 * bytes are cheapest in 16-byte vectors. Tuned: GCC would load what two shuffles share twice. */

#define REDUCE_TABLE tsr__reduce_avx2
#define LANES_8 4
#define LANES_4 8
#define LANES_1 16
#define HAS_BLEND 1
#include "kernel/reduce/reduce_rows.inc"
