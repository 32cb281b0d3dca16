/* The tables of vector loops by instruction set. */
#include "kernel/cpu/loops.h"

#include <stddef.h>

const tsr_loops *tsr__loops_get(int i)
{
  static const tsr_loops *const tables[TSR_N_ISAS] = {[TSR_ISA_BASELINE] = &tsr__loops_baseline,
                                                      [TSR_ISA_AVX2] = &tsr__loops_avx2,
                                                      [TSR_ISA_AVX512] = &tsr__loops_avx512};
  const tsr_isa isa = tsr__isa_get(i);
  return isa == TSR_N_ISAS ? NULL : tables[isa];
}

int tsr__loop_max_args(const tsr_loops *loops, const tsr_instr *op)
{
  int n = TSR_LOOP_MAX_ARGS;
  while (n > 1 && !loops->op[op->index][op->compute][n - 1]) n--;
  return n;
}
