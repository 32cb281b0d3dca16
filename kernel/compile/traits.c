/* The device features that a kernel needs. */
#include "kernel/compile/traits.h"

tsr_kernel_traits tsr__kernel_traits(const tsr_kernel *k)
{
  tsr_kernel_traits t = {0};
  for (int i = 0; i < k->n_accesses; i++) t.dtypes |= 1u << k->accesses[i].dtype;
  for (int i = 0; i < k->n_instrs; i++) {
    const tsr_instr *instr = &k->instrs[i];
    t.dtypes |= 1u << instr->dtype;
    if (instr->kind == TSR_I_OP) t.dtypes |= 1u << instr->compute;
    if (instr->kind == TSR_I_RANDOM) t.features |= TSR_TRAIT_RANDOM;
  }
  return t;
}
