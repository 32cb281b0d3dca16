/* Fitting a plan into the memory that there is. */
#ifndef TSR_RUN_FIT_H
#define TSR_RUN_FIT_H

#include "scheduler/run/bind.h"

/** Get memory for the buffers that the binding still lacks, all or none, where its placement wants
 * them; some of the plan's arrays may move. TSR_ERR_MEMORY if there is too little. */
tsr_status tsr__fit(tsr_plan *plan, tsr_binding *b);

/** Spill the binding's own buffers, with their values, as far as there is other memory. */
void tsr__fit_leave(tsr_plan *plan, tsr_binding *b);

#endif
