/* For the tests of kernels: memory that a kernel runs over, and kernels drawn at random. */
#ifndef TSR_TEST_STAGE_H
#define TSR_TEST_STAGE_H

#include "kernel/ir/kernel.h"

enum { MAX_BUFFERS = 6, MAX_ACCESSES = 24 };

/* Two copies of the memory of a kernel: the tested and the expected. */
typedef struct stage {
  int ndim, n_buffers, n_accesses, n_scalars;
  int64_t n[TSR_MAX_NDIM];
  struct {
    tsr_dtype dtype;
    int64_t elems;
    char *memory, *expected;
  } buffer[MAX_BUFFERS];
  int64_t stride[MAX_ACCESSES][TSR_MAX_NDIM], offset[MAX_ACCESSES]; /* bytes */
  int of[MAX_ACCESSES];                                             /* buffer of each access */
  tsr_scalar scalar[8];
} stage;

/** Allocate and fill both copies of every buffer with the same awkward values. */
void stage_fill(stage *s, uint64_t *seed);
void stage_free(stage *s);
/** A bind to one of the copies; base: [n_accesses]. */
tsr_kernel_bind stage_bind(const stage *s, bool expected, void **base);
/** Fails the test if the copies differ. */
void stage_compare(const tsr_kernel *k, const stage *s, const char *what, uint64_t number);
/** A kernel with strides, shape and buffers of its own (not allocated). any_op: also those that
 * reference_run does not know, but no complex numbers, which are not compiled; wide: an axis of at
 * least 16 points. */
tsr_kernel *stage_draw(stage *s, bool any_op, bool wide, uint64_t *seed);
/** An access of one dense axis of n elements to a buffer, which may be new. */
int stage_dense(stage *s, tsr_kernel_builder *b, tsr_dtype dtype, bool is_store, int buffer,
                int64_t n);
/** Kernels of one operation, random function or cast over n points: their operands are in buffers
 * of their own, behind them is the result. with_f64: the result is stored in float64, too, so that
 * vectors of a narrow dtype are not full. of_scalars: the operands are scalars. */
tsr_kernel *stage_of_op(stage *s, tsr_opcode op, tsr_dtype compute, tsr_dtype result, bool with_f64,
                        int64_t n);
tsr_kernel *stage_of_random(stage *s, tsr_random f, bool of_scalars, int64_t n);
tsr_kernel *stage_of_cast(stage *s, tsr_dtype from, tsr_dtype to, int64_t n);

#endif
