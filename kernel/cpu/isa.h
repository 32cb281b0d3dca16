/* Instruction sets: the loops over vectors are compiled once for each, all to the same bits, and
 * the processor is asked which it has. */
#ifndef TSR_ISA_H
#define TSR_ISA_H

typedef enum tsr_isa {
  TSR_ISA_BASELINE, /* what the compiler takes without flags */
  TSR_ISA_AVX2,     /* with FMA and BMI2 */
  TSR_ISA_AVX512,   /* F, BW, DQ, VL */
  TSR_N_ISAS
} tsr_isa;

/** The i-th instruction set that this processor has, best first; TSR_N_ISAS after the last.
 *  Thread-safe. */
tsr_isa tsr__isa_get(int i);

#endif
