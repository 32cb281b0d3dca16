/* Products of matrices by launches. */
#ifndef TSR_CUDA_PRODUCT_H
#define TSR_CUDA_PRODUCT_H

#include "kernel/cuda/launch.h"

/** Words of the arguments: rows, columns, steps, products of the batch; where the operands, the
 * result and what is added to are; each one's bytes from row to row and from column to column; for
 * each axis of the batch its length and the bytes along it of each. */
enum {
  TSR_PRODUCT_BASE = 4,
  TSR_PRODUCT_STRIDE = 8,
  TSR_PRODUCT_BATCH = 16,
  TSR_PRODUCT_BATCH_WORDS = 5
};

/** Returns whether products of the dtype have a text. */
bool tsr__cuda_has_product(tsr_dtype dtype);
/** Returns whether the matrix instructions of devices of an architecture ("sm_90"; "c" of `check`)
 * give the bits of a chain of fma. */
bool tsr__cuda_is_mma_exact(const char *architecture);
/** Binds a product over the axes (…, m, n, k), with the bits of tsr__matmul_run. The accesses of
 * `k` are the operands in order, then the result, with any strides. Returns false if the result is
 * empty. exact_mma: matrix instructions may be used. tile: 64 or 128; 0: chosen by the number of
 * tiles, and in stages where they can be. */
bool tsr__cuda_product_make(const tsr_kernel *k, const tsr_kernel_bind *bind, bool exact_mma,
                            int tile, tsr_cuda_launch *launch);
/** Binds the launch of a product that begins at step *first, and adds its steps to *first. A
 * product has one launch, two where its last panel is no whole number of stages' steps, or one for
 * each panel where registers do not hold several. Returns false if the result is empty. */
bool tsr__cuda_product_launch(const tsr_kernel *k, const tsr_kernel_bind *bind, bool exact_mma,
                              int64_t *first, tsr_cuda_launch *launch);
/** Lets a bound product's operands come in stages. Returns false, with the launch as it is, if they
 * cannot: they must be in rows or columns that begin at multiples of 16 bytes, and the steps whole
 * parts; float64 needs matrix instructions. */
bool tsr__cuda_product_stage(const tsr_kernel *k, const tsr_cuda_stages *stages,
                             tsr_cuda_launch *launch);
/** Returns the bytes of shared memory of a product in stages (render_stages.c). A launch asks for
 * them if they are more than TSR_CUDA_SHARED_BYTES, which a kernel has by itself. size: of an
 * element. */
int tsr__cuda_stages_bytes(const tsr_cuda_product *p, int size);
enum { TSR_CUDA_SHARED_BYTES = 48 << 10 };

#endif
