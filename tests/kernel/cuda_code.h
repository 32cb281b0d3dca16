/* CUDA text that is compiled as C and run by this process, for suites of kernels. */
#ifndef TESSERA_TESTS_KERNEL_CUDA_CODE_H
#define TESSERA_TESTS_KERNEL_CUDA_CODE_H

#include <string.h>

#include <criterion/criterion.h>

#include "runtime/base/table.h"
#include "runtime/device/check_code.h"
#include "tests/kernel/compiled.h"

/* The images of the test's jit, as loaded by this process. */
static tsr_check_code *loaded;

static inline tsr_jit *open_jit_of(const tsr_code_kind *kind, int64_t seed)
{
  const tsr_config config = lazy_config(seed);
  tsr__check_code_destroy(loaded);
  loaded = tsr__check_code_create();
  return tsr__jit_create_for(&config, kind, tsr__target_get(0));
}

static inline tsr_jit *open_jit(int64_t seed)
{
  return open_jit_of(&tsr__code_cuda_as_c, seed);
}

/* Runs a launch by this process, in an order of blocks and threads that depends on the jit's seed.
 * Returns false, after asking for it, if its code is not ready. */
static inline bool launch_code(tsr_jit *jit, const tsr_kernel *k, const tsr_cuda_launch *launch)
{
  tsr_jit_code code;
  char why[200];
  if (!tsr__jit_code(jit, k, launch, false, &code)) {
    tsr__jit_want_launch(jit, k, launch);
    return false;
  }
  const tsr_block_code block =
      tsr__check_code_load(loaded, code.image->at, code.image->bytes, code.name, why, sizeof why);
  cr_assert(block != NULL, "%s", why);
  tsr__blocks_run(block, launch->grid, launch->shared_bytes, launch->words,
                  tsr__hash_word(k->hash, (uint64_t)jit->config.seed));
  return true;
}

#endif
