/* Runs the blocks of a grid in an order drawn from a seed. */
#include "runtime/device/blocks.h"

#include "runtime/base/alloc.h"
#include "runtime/base/error.h"
#include "runtime/base/table.h"

#include <stdlib.h>
#include <string.h>

/* Returns a step that has no factor in common with n, so that multiples of it visit all of n. */
static uint64_t step_over(uint64_t n, uint64_t from)
{
  for (uint64_t step = from % n;; step = (step + 1) % n) {
    uint64_t a = n, b = step;
    while (b) {
      const uint64_t rest = a % b;
      a = b;
      b = rest;
    }
    if (a == 1) return step;
  }
}

void tsr__blocks_run(tsr_block_code code, const uint32_t grid[2], uint32_t shared_bytes,
                     const int64_t *words, uint64_t seed)
{
  const uint64_t n = (uint64_t)grid[0] * grid[1];
  const tsr_cuda_dim3 all = {grid[0], grid[1], 1};
  TSR_ASSERT(n > 0 && n < UINT64_C(1) << 32);
  void *shared = shared_bytes > 0 ? tsr__malloc(shared_bytes) : NULL; /* aligned to 16 bytes */
  const uint64_t first = tsr__hash_word(seed, 1) % n, step = step_over(n, tsr__hash_word(seed, 2));
  for (uint64_t i = 0; i < n; i++) {
    const uint64_t at = (first + i * step) % n;
    const tsr_cuda_dim3 block = {(uint32_t)(at % all.x), (uint32_t)(at / all.x), 0};
    if (shared != NULL) memset(shared, 0xff, shared_bytes); /* nothing that another block left */
    code(words, all, block, tsr__hash_word(seed, at), shared, shared_bytes);
  }
  free(shared);
}
