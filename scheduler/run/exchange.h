/* The tasks of a run that wait for messages. */
#ifndef TSR_RUN_EXCHANGE_H
#define TSR_RUN_EXCHANGE_H

#include "scheduler/run/run_int.h"

/** Begin the run's messages, and post the receives that a run begins with. Those of library's tasks
 * are posted when there is memory for what they gather: matrix products gather panel by panel, and
 * panels are large. */
void tsr__exchange_start(tsr_run *run);
/** Pack and send a message. False: its task is not over before it goes on, as for a library's task,
 * whose later sends wait for it to have left; then call again. */
bool tsr__exchange_send(tsr_run *run, tsr_run_message *m);
/** Put a task into the list of those that wait for a message. */
void tsr__exchange_wait(tsr_run *run, int32_t task);
/** Make messages progress, and finish tasks whose message has come. Returns whether anything
 * happened. */
bool tsr__exchange_poll(tsr_run *run, int worker);
/** Wait until all sends are complete. */
void tsr__exchange_finish(tsr_run *run);
/** Is there another rank that this run waits for? Sets *peer, and *is_send if it waits for that
 * rank to take a message, not to send one. */
bool tsr__exchange_waits_for(tsr_run *run, int *peer, bool *is_send);

#endif
