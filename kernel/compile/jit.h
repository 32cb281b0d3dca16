/* Compiled kernels. A kernel that the interpreter runs often is rendered as code of some kind
 * (code.h) and compiled in the background by the system's compiler, cached on disk, and used from
 * the next run on. Its bits are those of the interpreter. */
#ifndef TSR_JIT_H
#define TSR_JIT_H

#include "kernel/compile/code.h"
#include "kernel/compile/recent.h"
#include "kernel/cpu/interp.h"
#include "kernel/cpu/nest.h"
#include "kernel/cuda/launch.h"
#include "kernel/ir/kernel.h"
#include "runtime/machine/machine.h"

/** The queued and compiled kernels, and the thread that compiles them. A machine has one of each
 * kind of code, which its ranks share. No call waits for a lock that is held during a compiler's
 * run. A forked process uses what was compiled before and interprets the rest. */
typedef struct tsr_jit tsr_jit;

/** Makes one of the kind `c`. Copies what it needs of config: jit, jit_after, jit_limit_s,
 * compiler, cache, cache_bytes, debug, seed. Returns NULL if jit is "off". The thread starts with
 * the first queued kernel. */
tsr_jit *tsr__jit_create(const tsr_config *config);
/** Ends a compiler's run that is in progress. NULL is ignored. */
void tsr__jit_destroy(tsr_jit *jit);
/** Returns the machine's own of the kind `c`, made on the first call. Thread-safe. NULL if it is
 * off. */
tsr_jit *tsr__jit_of(tsr_machine *machine);
/** Makes one of images for devices of an architecture as they tell it: "sm_90", or "c" of the
 * device `check`. NULL if jit is "off", or if nothing makes such images here. */
tsr_jit *tsr__jit_create_cuda(const tsr_config *config, const char *architecture);
/** Returns the machine's own, likewise. All devices of a machine are of one architecture, that of
 * the first call: NULL, after saying so on stderr, for another one. */
tsr_jit *tsr__jit_of_cuda(tsr_machine *machine, const char *architecture);

/** Runs a kernel as tsr__kernel_run does, by compiled code if it is ready. Otherwise the kernel is
 * interpreted, and queued once its runs (points times instructions) reach config.jit_after; in
 * eager mode the call waits for the compiler instead. jit may be NULL. recent: the runs of the
 * calling thread, all with this jit; NULL: none are remembered. Returns whether compiled code ran.
 * Thread-safe; a kernel is run with one jit only. */
bool tsr__jit_run(tsr_jit *jit, const tsr_kernel *k, const tsr_kernel_bind *bind, void *scratch,
                  tsr_recent_runs *recent);

/** Runs a kernel by the code that it ran by last, if its box is one line of points, along which the
 * streams move as that code's do. Returns false, with nothing done, if that is not so. For boxes
 * that have another length each time, of which no run is remembered. Thread-safe. Cost: a look at
 * each stream. */
bool tsr__jit_run_line(const tsr_kernel *k, const tsr_kernel_bind *bind);

/** The most kernels and forms that a table has. */
enum { TSR_JIT_MOST_ENTRIES = 1 << 12 };
/** Code that a device loads: a kernel of an image. All of it stays as long as the jit does. */
typedef struct tsr_jit_code {
  const tsr_cuda_image *image; /* NULL: there is none */
  const char *name;            /* of the kernel in the image */
  /* of the kernel and form in the jit's table, below TSR_JIT_MOST_ENTRIES; -1: the table is full */
  int32_t number;
  bool is_queued; /* the compiler has not had it yet */
} tsr_jit_code;
/** Finds the code of the kernel of a launch, of a kind with images. waits: if it is not ready, it
 * is queued, and the call waits for the compiler, but in held mode. Returns whether there is code.
 * Thread-safe. */
bool tsr__jit_code(tsr_jit *jit, const tsr_kernel *k, const tsr_cuda_launch *launch, bool waits,
                   tsr_jit_code *out);
/** Returns whether there is a compiler, which is looked for on the first call. NULL has none. */
bool tsr__jit_has_compiler(tsr_jit *jit);
/** As tsr__jit_want, for the kernel in the launch's form; of kinds with images in every mode. */
void tsr__jit_want_launch(tsr_jit *jit, const tsr_kernel *k, const tsr_cuda_launch *launch);

/** Returns what runs over the same box with the same strides at other addresses take. NULL: the
 * kernel has no compiled code for them yet. Owned by the caller, who frees it with free(), and uses
 * it only while the jit is there. */
tsr_replay *tsr__jit_replay(const tsr_jit *jit, const tsr_kernel *k, const tsr_kernel_bind *bind);

/** Returns whether tsr__jit_run waits for the compiler; false for NULL. */
bool tsr__jit_is_eager(const tsr_jit *jit);
/** Queues the kernel, as bind would run it (its base may point anywhere), without waiting. The next
 * tsr__jit_run that waits wakes the thread, which takes the whole queue at once. Eager mode only.
 * Thread-safe. */
void tsr__jit_want(tsr_jit *jit, const tsr_kernel *k, const tsr_kernel_bind *bind);

typedef struct tsr_jit_stats {
  uint64_t n_compilers; /* runs of the compiler */
  uint64_t n_compiled;  /* kernels that were compiled */
  uint64_t n_cached;    /* kernels that were loaded from disk */
  uint64_t n_refused;   /* entries on disk that were not trusted */
  uint64_t n_failed;    /* kernels that stay interpreted */
  uint64_t n_formless;  /* failed kernels that have no compiled form */
} tsr_jit_stats;
tsr_jit_stats tsr__jit_stats(tsr_jit *jit);
/** Waits until the queue is empty and no kernel is being compiled. */
void tsr__jit_wait(tsr_jit *jit);

#endif
