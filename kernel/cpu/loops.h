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

/** The loops that find an element by its position in order. None of the n elements of x is a NaN,
 * but in copy_numbers. */
typedef struct tsr_loops_select {
  /** Counts the elements below v, and those up to v. */
  void (*count)(const double *x, int64_t n, double v, int64_t *below, int64_t *up_to);
  /** Finds element number `low` and number `high` in order among few, comparing each with all. */
  void (*among_few)(const double *x, int64_t n, int64_t low, int64_t high, double *element);
  /** Moves the elements between two values to `to`, memory of n elements beside x. Returns how
   * many; *up_to_low: how many elements are not above the lower one. */
  int64_t (*keep_between)(const double *x, int64_t n, double low, double high, double *to,
                          int64_t *up_to_low);
  /** Returns the least element above v, or infinity. *n_above: how many there are. */
  double (*least_above)(const double *x, int64_t n, double v, int64_t *n_above);
  /** Moves the elements that are not NaN to `to`, which is x or memory of n elements beside it.
   * Returns how many. */
  int64_t (*copy_numbers)(const double *x, int64_t n, double *to);
} tsr_loops_select;

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
  tsr_loops_select select;
} tsr_loops;

extern const tsr_loops tsr__loops_baseline, tsr__loops_avx2, tsr__loops_avx512;
/** Returns the table of the i-th instruction set of this processor, best first, and NULL after the
 * last. */
const tsr_loops *tsr__loops_get(int i);
/** Returns the most operands that one loop of the operation reads. More operands are combined left
 * to right. */
int tsr__loop_max_args(const tsr_loops *loops, const tsr_instr *op);

#endif
