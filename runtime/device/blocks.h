/* Code for blocks of threads, compiled as C: how all blocks of a grid are run by one thread. */
#ifndef TSR_DEVICE_BLOCKS_H
#define TSR_DEVICE_BLOCKS_H

#include "tessera/base.h"

/** Three numbers, as CUDA has them. */
typedef struct tsr_cuda_dim3 {
  uint32_t x, y, z;
} tsr_cuda_dim3;
/** The text of a kernel compiled as C: it runs one block of 256 threads, which come in an order
 * that depends on seed. shared: the memory that its launch asks for, of so many bytes. */
typedef void (*tsr_block_code)(const int64_t *words, tsr_cuda_dim3 grid, tsr_cuda_dim3 block,
                               uint64_t seed, void *shared, uint64_t shared_bytes);
/** Run all blocks, in an order that depends on seed. */
void tsr__blocks_run(tsr_block_code code, const uint32_t grid[2], uint32_t shared_bytes,
                     const int64_t *words, uint64_t seed);

#endif
