/* Where NVRTC, which compiles for NVIDIA's devices, is found. */
#ifndef TSR_NVRTC_LIBRARY_H
#define TSR_NVRTC_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/** Open NVRTC's library by dlopen; it stays in the process. NULL, with the reason, if there is
 * none. */
void *tsr__nvrtc_library_open(char *why, size_t size);
/** Is there one? */
bool tsr__nvrtc_is_available(char *why, size_t size);

#endif
