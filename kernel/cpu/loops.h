/* The tables of vector loops, one per instruction set: what the interpreter's steps run, and what
 * compiled code calls for operations that it has no form of. */
#ifndef TSR_LOOPS_H
#define TSR_LOOPS_H

#include "kernel/cpu/isa.h"
#include "kernel/ir/kernel.h"

/** The most operands that one loop reads; an operation of more runs in several passes, left to
 * right. */
#define TSR_LOOP_MAX_ARGS 6

/** dst[i] = f(src[0][i], src[1][i], …) for 0 <= i < n. Unit strides; pointers aligned as their
 * elements only. dst may be exactly one of the sources, if the elements have the same size; it
 * never overlaps one otherwise. */
typedef void (*tsr_loop)(int64_t n, void *dst, const void *const *src);
/** dst[i] = *(src + i * stride), dst of unit stride; or the reverse for a scatter. */
typedef void (*tsr_loop_gather)(int64_t n, void *dst, const void *src, int64_t stride_bytes);
typedef void (*tsr_loop_scatter)(int64_t n, void *dst, int64_t stride_bytes, const void *src);

/** Moving elements of one size. */
typedef struct tsr_loops_move {
  tsr_loop_gather gather;
  tsr_loop_scatter scatter;
  void (*fill)(int64_t n, void *dst, const void *value);
} tsr_loops_move;

/** All loops for one instruction set. Every table computes the same bits. */
typedef struct tsr_loops {
  const char *name;
  tsr_loop op[TSR_N_OPS][TSR_N_DTYPES]
             [TSR_LOOP_MAX_ARGS]; /* by compute dtype and operands - 1; NULL where none */
  tsr_loop cast[TSR_N_DTYPES][TSR_N_DTYPES]; /* [to][from]; the steps of tsr__dtype_cast_step */
  tsr_loops_move move[5];                    /* by log2 of the element's size */
  tsr_loop random[TSR_N_RANDOM];
  void (*iota)(int64_t n, int64_t *dst, int64_t first);
  /** Copies, whole lines of dst around the caches: a fence must follow before another thread reads
   * them. NULL where there are no such stores. */
  void (*stream)(size_t n_bytes, void *dst, const void *src);
} tsr_loops;

extern const tsr_loops tsr__loops_baseline, tsr__loops_avx2, tsr__loops_avx512;
/** The table of the i-th instruction set that this processor has, best first; NULL after the last.
 */
const tsr_loops *tsr__loops_get(int i);
/** The most operands that one loop of the operation reads: more are taken left to right. */
int tsr__loop_max_args(const tsr_loops *loops, const tsr_instr *op);

#endif
