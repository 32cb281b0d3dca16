/* Asks for compiled code before it is needed. */
#ifndef TSR_RUN_WANT_H
#define TSR_RUN_WANT_H

#include "scheduler/run/run_int.h"

/** If the run is to wait for compiled code, ask for the kernels of all groups at once. */
void tsr__run_want_kernels(tsr_run *run);

#endif
