/* Streamed chunks, piece by piece. */
#ifndef TSR_RUN_STREAMING_PIECES_H
#define TSR_RUN_STREAMING_PIECES_H

#include "scheduler/run/run_int.h"

/** Is some of what the chunk touches in another memory than that of the device that runs it? */
bool tsr__streaming_is_needed(const tsr_run *run, const tsr_group *g, const tsr_box *chunk);
/** Put such a chunk into the device's queues, piece by piece. */
void tsr__streaming_chunk(tsr_run *run, const tsr_group *g, const tsr_box *chunk, int worker);

#endif
