/* Packing: the pieces of a message go between arrays on a device and its bytes. */
#ifndef TSR_RUN_PACK_H
#define TSR_RUN_PACK_H

#include "scheduler/run/run_int.h"

/** Get the device memory that this run packs messages in. Before its messages start. */
void tsr__pack_start(tsr_run *run);
/** Put copies of the message's pieces to its payload into the device's queues. Returns the event
 * after which they are there. */
tsr_device_event tsr__pack_out(tsr_run *run, tsr_run_message *m);
/** Put copies from the payload to the message's pieces into the device's queues. What is put into
 * TSR_QUEUE_RUN from now on runs after them. */
void tsr__pack_in(tsr_run *run, tsr_run_message *m);
/** The sender's side of a message between two devices. Returns the event after which its pieces can
 * be copied. */
tsr_device_event tsr__pack_offer(tsr_run *run, tsr_run_message *m);
/** The receiver's side: copy the pieces of the message that the other run sends. Returns the event
 * after which they have been copied. */
tsr_device_event tsr__pack_take(tsr_run *run, tsr_run_message *m, const tsr_run_message *sent);

/** The bytes of the area of a buffer that a linked message has, alike at both ends. */
size_t tsr__pack_linked_bytes(const tsr_run *run, const tsr_run_message *m);
/** Ask for the code that packs or unpacks such a message. */
void tsr__pack_want_linked(const tsr_run_message *m);
/** Put copies of the message's pieces into its area, or out of it, into the device's queue. Returns
 * the event after which they are over. */
tsr_device_event tsr__pack_linked(tsr_run *run, tsr_run_message *m);

#endif
