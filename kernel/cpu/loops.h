/* The tables of vector loops, one per instruction set. The interpreter's steps run them, and
 * compiled code calls them for operations that it cannot express. */
#ifndef TSR_LOOPS_H
#define TSR_LOOPS_H

#include "kernel/cpu/isa.h"
#include "kernel/ir/kernel.h"

/** The most operands that one loop reads. An operation with more operands runs in several passes,
 * left to right. */
#define TSR_LOOP_MAX_ARGS 6

/** dst[i] = f(src[0][i], src[1][i], …) for 0 <= i < n. Strides are unit, and pointers are aligned
 * to their elements only. dst may be one of the sources if the elements have the same size;
 * otherwise it does not overlap them. */
typedef void (*tsr_loop)(int64_t n, void *dst, const void *const *src);
/** dst[i] = *(src + i * stride), with dst of unit stride. A scatter is the reverse. */
typedef void (*tsr_loop_gather)(int64_t n, void *dst, const void *src, int64_t stride_bytes);
typedef void (*tsr_loop_scatter)(int64_t n, void *dst, int64_t stride_bytes, const void *src);

/** The loops that move elements of one size. */
typedef struct tsr_loops_move {
  tsr_loop_gather gather;
  tsr_loop_scatter scatter;
  void (*fill)(int64_t n, void *dst, const void *value);
} tsr_loops_move;

/** All loops of one instruction set. Every table computes the same bits. */
typedef struct tsr_loops {
  const char *name;
  tsr_loop op[TSR_N_OPS][TSR_N_DTYPES]
             [TSR_LOOP_MAX_ARGS];            /* by compute dtype and operands - 1; NULL: none */
  tsr_loop cast[TSR_N_DTYPES][TSR_N_DTYPES]; /* [to][from]; the steps of tsr__dtype_cast_step */
  tsr_loops_move move[5];                    /* by log2 of the element's size */
  tsr_loop random[TSR_N_RANDOM];
  void (*iota)(int64_t n, int64_t *dst, int64_t first);
  /** Copies with streaming stores, by which whole lines of dst bypass the caches. A fence must
   * follow before another thread reads them. NULL if the target has no such stores. */
  void (*stream)(size_t n_bytes, void *dst, const void *src);
} tsr_loops;

extern const tsr_loops tsr__loops_baseline, tsr__loops_avx2, tsr__loops_avx512;
/** Returns the table of the i-th instruction set of this processor, best first, and NULL after the
 * last. */
const tsr_loops *tsr__loops_get(int i);
/** Returns the most operands that one loop of the operation reads. More operands are combined left
 * to right. */
int tsr__loop_max_args(const tsr_loops *loops, const tsr_instr *op);

#endif
