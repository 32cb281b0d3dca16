/* Pins: the host's memory that the devices of a rank copy from and to. Memory that is pinned stays
 * where it is in the machine, so that a device copies it at full speed and in its own time; from
 * and to other memory the driver copies by way of memory of its own, while the caller waits. To pin
 * takes as long as some copies, so a range is pinned when it was copied so often that it pays. */
#ifndef TSR_PINS_H
#define TSR_PINS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tsr_pins tsr_pins;
struct tsr_device;

/** The pins of a rank whose devices are of the kind of d, which pins and unpins for all of them.
 * rank, says: a line on stderr tells once why nothing more is pinned. NULL if the kind pins
 * nothing: then all that follows does nothing, or is the system's memory. Any thread may call
 * it. */
tsr_pins *tsr__pins_create(struct tsr_device *d, int rank, bool says);
/** What is still pinned is unpinned. Before d is closed; no copy may be under way. */
void tsr__pins_destroy(tsr_pins *pins);
/** A range of whole pages, that arrays and messages may lie in. */
void tsr__pins_add(tsr_pins *pins, void *at, size_t bytes);
/** The range that begins there goes back to the system. No copy of it may be under way. */
void tsr__pins_remove(tsr_pins *pins, void *at);
/** Bytes of one block are to be copied; `at` is in it. Returns whether it is pinned, which it then
 * stays until it is given back. */
bool tsr__pins_use(tsr_pins *pins, const void *at, size_t bytes);
/** Bytes that are pinned now. */
size_t tsr__pins_bytes(tsr_pins *pins);

/** Memory for what is copied often: pinned, if it is small and there is space; else the system's.
 * 64-byte aligned, contents undefined. Never NULL. */
void *tsr__pins_alloc(tsr_pins *pins, size_t bytes);
/** bytes: as given to alloc. NULL is ignored. No copy of it may be under way. */
void tsr__pins_free(tsr_pins *pins, void *p, size_t bytes);

#endif
