/* Reductions for x86 with AVX-512 (F, BW, DQ, VL). The tree does not depend on it
 * (kernel/reduce.h); pairs of bytes are cheapest in 16-byte vectors. Tuned: GCC would load what
 * two shuffles share twice. */
#if defined(__x86_64__)
#pragma GCC target(                                                                                \
    "avx512f,avx512bw,avx512dq,avx512vl,fma,bmi2,prefer-vector-width=512,tune=icelake-server")
#endif
#pragma GCC optimize("O2", "tree-vectorize", "vect-cost-model=dynamic", "fp-contract=off",         \
                     "no-math-errno", "no-trapping-math")

#define REDUCE_TABLE tsr__reduce_avx512
#define LANES_8 8
#define LANES_4 16
#define LANES_1 16
#define HAS_BLEND 1
#include "kernel/reduce_rows.inc"
