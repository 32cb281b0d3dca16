/* Scans by any function that may be put in any brackets (scans.c). */
#ifndef TSR_SCANS_H
#define TSR_SCANS_H

#include "array/core/steps.h"

/** Scans y along `axis`, of n elements, in place. both: as of tsr__step_fold. Returns false after an
 * error. */
bool tsr__scan_in_place(const tsr_steps *s, tsr_array y, int axis, int64_t n,
                        tsr_operand (*both)(void *user, const tsr_operand pair[2]), void *user);

#endif
