/* Flushing, as the folders below ask for it, and what a flush says of failures. */
#ifndef TSR_FLUSH_H
#define TSR_FLUSH_H

#include "scheduler/state.h"

/** Run the window as far as `target` (or NULL) and all that must be stored need it. everything: all
 * of it. Collective. Returns the first failure that all ranks see. */
tsr_status tsr__flush_for(tsr_scheduler *s, tsr_region *target, bool everything);

/** Bring the halo of a stored region up to date, `expand` cells wide along its own axes. Collective.
 * A failure of this rank alone is noted, for the agreement to come. */
tsr_status tsr__exchange_halo(tsr_scheduler *s, tsr_region *region, const int64_t *expand);

/** Write `text` (freed) of this rank's place `here` to the folder TESSERA_DUMP, if that is set, as
 * NNNN-name.rankR.suffix; of other places than the first as NNNN-name.rankR.placeP.suffix. */
void tsr__dump(tsr_scheduler *s, int here, const char *name, const char *suffix, char *text);

/** Keep this rank's first failure until the ranks agree on it. Until then the rank's plans only
 * send their messages, poisoned; which ops run stays the same on every rank. */
void tsr__note_failure(tsr_scheduler *s, tsr_status status, const char *text);

/** Keep the failure that there is no memory for `what` of an array, which takes so many bytes. */
void tsr__note_no_memory(tsr_scheduler *s, const tsr_region *region, const char *what,
                         size_t bytes);

#endif
