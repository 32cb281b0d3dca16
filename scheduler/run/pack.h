/* What packing keeps between runs. */
#ifndef TSR_RUN_PACK_H
#define TSR_RUN_PACK_H

#include "scheduler/state.h"

/** Free the kernels that pack. At the end. */
void tsr__pack_destroy(tsr_scheduler *s);

#endif
