/* Detects the instruction sets of this processor. */
#include "kernel/cpu/isa.h"

tsr_isa tsr__isa_get(int i)
{
  tsr_isa found[TSR_N_ISAS];
  int n = 0;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    found[n++] = TSR_ISA_AVX512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi2"))
    found[n++] = TSR_ISA_AVX2;
#endif
  found[n++] = TSR_ISA_BASELINE;
  return i >= 0 && i < n ? found[i] : TSR_N_ISAS;
}
