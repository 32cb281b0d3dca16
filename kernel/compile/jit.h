/* Compiled kernels: what the interpreter runs often becomes C, is compiled by the system's compiler
 * in the background, kept on disk, and used from the next run on. Same bits as the interpreter. */
#ifndef TSR_JIT_H
#define TSR_JIT_H

#include "kernel/cpu/interp.h"
#include "kernel/ir/kernel.h"
#include "runtime/machine/machine.h"

/** The kernels wanted and compiled so far, and the thread that compiles them: one per machine,
 * shared by its ranks. Never waits for a lock that a compiler's run holds; a process forked from
 * this one finds what was compiled before and interprets the rest. */
typedef struct tsr_jit tsr_jit;

/** Copies what it needs of config: jit, jit_after, jit_limit_s, compiler, cache, cache_bytes,
 * debug. NULL if jit is "off". The thread starts with the first kernel that is wanted. */
tsr_jit *tsr__jit_create(const tsr_config *config);
/** Ends a compiler's run that is under way. NULL is ignored. */
void tsr__jit_destroy(tsr_jit *jit);
/** The machine's own, made on the first call; thread-safe. NULL if it is off. */
tsr_jit *tsr__jit_of(tsr_machine *machine);

/** As tsr__kernel_run, by compiled code where that is ready; where not, the kernel is interpreted,
 * and wanted once its runs (points times instructions) come to config.jit_after. In eager mode it
 * waits for the compiler instead. jit may be NULL. Returns whether compiled code ran. Thread-safe;
 * a kernel is run with one jit only. Cost above the code: ~50 ns. */
bool tsr__jit_run(tsr_jit *jit, const tsr_kernel *k, const tsr_kernel_bind *bind, void *scratch);

/** Does tsr__jit_run wait for the compiler? False for NULL. */
bool tsr__jit_is_eager(const tsr_jit *jit);
/** Put the kernel, as bind would run it (its base may point anywhere), into the queue without
 * waiting: the next tsr__jit_run that waits wakes the thread, which takes all of the queue at once.
 * Eager mode only. Thread-safe. */
void tsr__jit_want(tsr_jit *jit, const tsr_kernel *k, const tsr_kernel_bind *bind);

typedef struct tsr_jit_stats {
  uint64_t n_compilers;  /* runs of the compiler */
  uint64_t n_compiled;   /* kernels that they gave */
  uint64_t n_cached;     /* kernels that came from disk */
  uint64_t n_refused;    /* entries on disk that were not to be trusted */
  uint64_t n_failed;     /* kernels that stay interpreted */
  uint64_t n_formless;   /* of these, kernels that have no compiled form */
  uint64_t compilers_ns; /* in all */
} tsr_jit_stats;
tsr_jit_stats tsr__jit_stats(tsr_jit *jit);
/** Wait until nothing is wanted any more. */
void tsr__jit_wait(tsr_jit *jit);

#endif
