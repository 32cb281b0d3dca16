/* Runs of the system's compiler, as processes of their own. */
#ifndef TSR_COMPILER_H
#define TSR_COMPILER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "kernel/cpu/render.h"

typedef enum tsr_compile_result {
  TSR_COMPILE_OK,
  TSR_COMPILE_FAILED, /* it said no, or could not be started */
  TSR_COMPILE_HUNG,   /* ended at the limit */
  TSR_COMPILE_STOPPED /* *stop became true */
} tsr_compile_result;

/** Flags for every target, separated by blanks. */
extern const char tsr__compile_flags[];
/** A run of the compiler. Its processes are a group of their own, which ends, and removes its
 * directory, when this process does: when the other end of the lifeline is closed. */
typedef struct tsr_compiler {
  pid_t pid; /* the group's; -1: none could be started */
  int lifeline;
} tsr_compiler;
/** Start the compiler at `path` over dir/k.c to give dir/k.so, with a minimal environment; its
 * output goes to dir/log, its temporary files to dir. limit_s: processor time of each of its
 * processes. */
tsr_compiler tsr__compile_start(const char *path, const tsr_target *target, const char *dir,
                                int64_t limit_s);
/** Wait for it, at most ten times limit_s from now. stop: looked at every 2 ms. */
tsr_compile_result tsr__compile_wait(tsr_compiler run, int64_t limit_s, const bool *stop);

#endif
