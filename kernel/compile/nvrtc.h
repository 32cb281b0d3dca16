/* NVRTC, the compiler of CUDA C, opened at run time: it needs no device, and a machine without it
 * has no CUDA. */
#ifndef TSR_NVRTC_H
#define TSR_NVRTC_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tsr_nvrtc tsr_nvrtc;

/** Opens the library. Returns NULL, with the reason in `why`, if it is not there or lacks a
 * function. */
tsr_nvrtc *tsr__nvrtc_open(char *why, size_t size);
/** Frees what open allocated; the library stays, for its threads may be anywhere in it. NULL is
 * ignored. */
void tsr__nvrtc_close(tsr_nvrtc *n);
/** Returns its version, "13.0". */
const char *tsr__nvrtc_version(const tsr_nvrtc *n);

enum { TSR_NVRTC_TARGET_BYTES = 24 };
/** Writes what code for devices of an architecture, "sm_90", is made for: that, if NVRTC knows it;
 * else the newest one before it that NVRTC knows, as PTX, "compute_90", which the driver compiles.
 * Returns false if there is none. */
bool tsr__nvrtc_find_target(const tsr_nvrtc *n, const char *architecture,
                            char target[TSR_NVRTC_TARGET_BYTES]);

/** The options of every program, ended by NULL: they keep the bits. */
extern const char *const tsr__nvrtc_options[];

/** What came of a source; all owned by the caller. */
typedef struct tsr_nvrtc_code {
  char *image; /* for the architecture; NULL: none was asked for, or it failed */
  size_t image_bytes;
  char *ptx; /* text, ends in a 0; NULL if it failed */
  char *log; /* of the compiler; empty if it said nothing */
} tsr_nvrtc_code;
/** Compiles `source`. architecture: "sm_90", or "compute_90" for PTX alone. more: further options,
 * ended by NULL; NULL: none. Returns false, with a log, if it is refused. Thread-safe. */
bool tsr__nvrtc_compile(const tsr_nvrtc *n, const char *source, const char *architecture,
                        const char *const *more, tsr_nvrtc_code *out);
void tsr__nvrtc_code_free(tsr_nvrtc_code *code);

#endif
