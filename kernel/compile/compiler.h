/* Runs the system's compiler as a process of its own. */
#ifndef TSR_COMPILER_H
#define TSR_COMPILER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "kernel/cpu/render.h"

typedef enum tsr_compile_result {
  TSR_COMPILE_OK,
  TSR_COMPILE_FAILED, /* the compiler refused, or could not be started */
  TSR_COMPILE_HUNG,   /* ended at the limit */
  TSR_COMPILE_STOPPED /* *stop became true */
} tsr_compile_result;

/** The flags for every target, separated by blanks. */
extern const char tsr__compile_flags[];
/** A run of the compiler. Its processes form a group, which ends and removes its directory when
 * this process ends, because that closes the other end of the lifeline. */
typedef struct tsr_compiler {
  pid_t pid; /* of the group; -1: not started */
  int lifeline;
} tsr_compiler;
/** Starts the compiler at `path`, which compiles dir/k.c to dir/k.so in a minimal environment. Its
 * output goes to dir/log, its temporary files to dir. limit_s: processor time of each of its
 * processes. */
tsr_compiler tsr__compile_start(const char *path, const tsr_target *target, const char *dir,
                                int64_t limit_s);
/** Waits for the run, at most ten times limit_s. *stop is polled. */
tsr_compile_result tsr__compile_wait(tsr_compiler run, int64_t limit_s, const bool *stop);

#endif
