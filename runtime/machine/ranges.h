/* Ranges that NVIDIA's profilers show (NVTX): what the host does, by the program's own lines. */
#ifndef TSR_RANGES_H
#define TSR_RANGES_H

#include <stddef.h>

/** NVTX's library, which is found by dlopen when TESSERA_NVTX asks for it. */
typedef struct tsr_ranges tsr_ranges;

/** Returns NULL, with the reason, if there is no library. */
tsr_ranges *tsr__ranges_open(char *why, size_t size);
void tsr__ranges_close(tsr_ranges *r); /* NULL is ignored */
/** Begin a range of the calling thread, which pop ends; ranges nest. Thread-safe. The name is
 * copied. NULL: nothing. */
void tsr__ranges_push(const tsr_ranges *r, const char *name);
void tsr__ranges_pop(const tsr_ranges *r);

#endif
