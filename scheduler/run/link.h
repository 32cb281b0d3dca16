/* Messages that go by a link, from device to device of different ranks (runtime/device/link.h).
 *
 * Which do is known alike at both ends before any run: pieces of arrays, between two places that
 * the link joins, that are no larger than what is agreed, of no throttled group and of no group
 * that every place computes whole, whose gathers wait for each other within one group.
 *
 * All messages of one tag, which all ranks count alike, are a *phase*: one exchange of the link. A
 * rank's phases are put into the link's queue in the order of their tags, each when all that it
 * sends is packed and the headers of all that it receives are there. What a phase waits for is of
 * earlier phases, so no two ranks wait for each other. */
#ifndef TSR_RUN_LINK_H
#define TSR_RUN_LINK_H

#include "scheduler/run/message.h"

typedef struct tsr_linked tsr_linked;

/** Does this message go by the link? */
bool tsr__is_linked(const tsr_run *run, const tsr_run_message *m);
/** Sort the linked messages of this run and those beside it into phases, and give each its area of
 * its place's buffer. All of these runs' messages have been started. */
void tsr__linked_start(tsr_run *first);
void tsr__linked_destroy(tsr_linked *l); /* NULL is ignored */
/** May the message's area be written? If not, earlier phases have it. */
bool tsr__linked_has_area(tsr_run *run, const tsr_run_message *m);
/** Has the message left its area, or come into it? Puts phases into the queue that can go. */
bool tsr__linked_has_crossed(tsr_run *run, const tsr_run_message *m);

#endif
