/* Launches of code that come again: what a plan puts into a device's queue in one run, it puts
 * there in the next, with few words changed. Between tsr__sequence_begin and tsr__sequence_end a
 * device holds its launches back, until something else is put into a queue, or an event is
 * recorded. Those that were held are compared with the ones that the sequence held at the same turn
 * of its last run: the same kernels one after the other become a graph of the device, which takes
 * one call. */
#ifndef TSR_DEVICE_SEQUENCE_H
#define TSR_DEVICE_SEQUENCE_H

#include "runtime/device/device.h"

/** Fewer launches one after the other are no graph: putting one costs as much. */
enum { TSR_SEQUENCE_LEAST = 4 };

typedef struct tsr_sequence tsr_sequence;

/** Hold launches of code from now on. *sequence: the caller's, NULL at first; what the device keeps
 * of one run for the next. A device without graphs holds nothing. One thread at a time may put
 * something into the device's queues until tsr__sequence_end. */
void tsr__sequence_begin(tsr_device *d, tsr_sequence **sequence);
/** Put what is held, and hold nothing more. Returns how many launches graphs have made since
 * tsr__sequence_begin. */
uint64_t tsr__sequence_end(tsr_device *d);
/** Give back what a device keeps, before it is closed. NULL is ignored. */
void tsr__sequence_free(tsr_device *d, tsr_sequence *sequence);

/* For device.c. */

/** Hold a launch. Returns false if the device holds none now. */
bool tsr__sequence_hold(tsr_device *d, const tsr_code_launch *launch);
/** Put what is held into the device's queue. */
void tsr__sequence_put(tsr_device *d);

#endif
