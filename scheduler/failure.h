/* What is kept of failures of this rank alone, until the ranks agree on them. */
#ifndef TSR_FAILURE_H
#define TSR_FAILURE_H

#include "scheduler/state.h"

/** Keep this rank's first failure until the ranks agree on it. Until then the rank's plans only
 * send their messages, poisoned; which ops run stays the same on every rank. */
void tsr__note_failure(tsr_scheduler *s, tsr_status status, const char *text);
/** If a device of this rank has failed, and the ranks have not agreed on it yet, keep that
 * likewise. Returns whether there is one. */
bool tsr__note_lost_device(tsr_scheduler *s);
/** Keep what this rank has found wrong with a call's arguments, which loses no value; NULL:
 * nothing.
 */
void tsr__note_wrong(tsr_scheduler *s, const char *wrong);

/** Keep the failure that there is no memory for `what` of an array, which takes so many bytes. */
void tsr__note_no_memory(tsr_scheduler *s, const tsr_region *region, const char *what,
                         size_t bytes);

#endif
