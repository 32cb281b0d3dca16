/* Who holds memory, for the error that says there is none left. */
#ifndef TSR_MEMORY_HOLDERS_H
#define TSR_MEMORY_HOLDERS_H

#include "scheduler/plan/plan.h"

/** Notes for an error about memory: the line that made most of what is there or what the plan was
 * to make, where it made several arrays; and each array that holds more than `least` bytes. */
void tsr__say_who_holds(tsr_scheduler *s, const tsr_plan *plan, const tsr_names *names,
                        size_t least);

#endif
