/* What is said and kept of failures: of this rank alone until the ranks agree, and of too little
 * memory, which all of them find. */
#ifndef TSR_FAILURE_H
#define TSR_FAILURE_H

#include "program/canonical.h"
#include "scheduler/state.h"

typedef struct tsr_plan tsr_plan;

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
/** Keep the failure that there is no memory for the buffers of a plan. */
void tsr__note_no_space(tsr_scheduler *s, const tsr_plan *plan, const tsr_names *names,
                        tsr_status status);

/** What a flush gives up where there is too little memory. */
typedef struct tsr_given_up {
  int32_t op;   /* of the window */
  size_t bytes; /* that it needs on each place; 0: not known */
} tsr_given_up;

/** The op of a plan that needs the largest buffer. It follows from agreed bytes. */
tsr_given_up tsr__largest_user(const tsr_plan *plan, const tsr_program *p);

/** Set the error that names the op which is given up and who holds memory. limit: the agreed limit;
 * 0: this rank alone found no space. Returns TSR_ERR_MEMORY. */
tsr_status tsr__say_no_memory(tsr_scheduler *s, const tsr_plan *plan, const tsr_names *names,
                              tsr_given_up lost, size_t limit);

#endif
