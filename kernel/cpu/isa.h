/* Instruction sets. The vector loops are compiled once for each, with the same bits, and the
 * processor's best set is used. */
#ifndef TSR_ISA_H
#define TSR_ISA_H

typedef enum tsr_isa {
  TSR_ISA_BASELINE, /* the compiler's default target */
  TSR_ISA_AVX2,     /* with FMA and BMI2 */
  TSR_ISA_AVX512,   /* F, BW, DQ, VL */
  TSR_N_ISAS
} tsr_isa;

/** Returns the i-th instruction set of this processor, best first, and TSR_N_ISAS after the last.
 * Thread-safe. */
tsr_isa tsr__isa_get(int i);

#endif
