/* Flushing, as the rooms below ask for it, and what a flush says of failures. */
#ifndef TSR_FLUSH_H
#define TSR_FLUSH_H

#include "scheduler/state.h"

/** Run the window as far as `target` (or NULL) and all that is stored need it. */
tsr_status tsr__flush_for(tsr_scheduler *s, tsr_region *target, bool everything);

/** Write `text` (freed), of this rank's place `here`, to TESSERA_DUMP as NNNN-name.rankR.suffix, or
 * NNNN-name.rankR.placeP.suffix but for the first place, if that is set. */
void tsr__dump(tsr_scheduler *s, int here, const char *name, const char *suffix, char *text);

/** Keep this rank's first failure until the ranks agree on it. Until then its plans only send what
 * they owe, poisoned, and nothing else changes: which ops run is the same on every rank. */
void tsr__note_failure(tsr_scheduler *s, tsr_status status, const char *text);

/** That of no memory for something of an array, which takes so many bytes. */
void tsr__note_no_memory(tsr_scheduler *s, const tsr_region *region, const char *what,
                         size_t bytes);

#endif
