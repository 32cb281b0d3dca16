/* The folder TESSERA_DUMP. */
#ifndef TSR_DUMP_H
#define TSR_DUMP_H

#include "scheduler/state.h"

/** Write `text` (freed) of this rank's place `here` to the folder TESSERA_DUMP, if that is set, as
 * NNNN-name.rankR.suffix; of other places than the first as NNNN-name.rankR.placeP.suffix. */
void tsr__dump(tsr_scheduler *s, int here, const char *name, const char *suffix, char *text);

#endif
