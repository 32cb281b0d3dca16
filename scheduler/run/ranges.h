/* Ranges for NVIDIA's profilers (runtime/machine/ranges.h): what a rank's host does. */
#ifndef TSR_RUN_RANGES_H
#define TSR_RUN_RANGES_H

#include "runtime/machine/machine.h"
#include "scheduler/run/message.h"

/** Begin the range of a window's flush, by its last call. It ends by range_end, in the same
 * thread. */
void tsr__range_window(const tsr_world *w, const tsr_location *where);
void tsr__range_end(const tsr_world *w);
/** Begin a range for NVIDIA's profilers: of packing or unpacking a message; of a task, for which it
 * returns whether it did. Each ends by tsr__range_end in the same thread. */
void tsr__range_message(const tsr_run *run, const tsr_run_message *m, const char *way);
bool tsr__range_task(const tsr_run *run, int32_t task);

#endif
