/* Code for devices that run no C functions: what becomes of a kernel that such a device is to
 * run. */
#ifndef TSR_RUN_LAUNCH_H
#define TSR_RUN_LAUNCH_H

#include "kernel/cuda/product.h"
#include "kernel/cuda/reduce.h"
#include "scheduler/state.h"

/** The compiler of a rank's devices, and what they have loaded. */
typedef struct tsr_launcher tsr_launcher;

/** Returns NULL if the devices run C functions, or if there is no compiler for them. `check` runs
 * code where TESSERA_CHECK_CODE asks for it; then it runs no C from now on. */
tsr_launcher *tsr__launcher_create(const tsr_world *w, int n_lanes);
void tsr__launcher_destroy(tsr_launcher *l); /* NULL is ignored */

/** Asks for the code that a launch of the kernel needs, without waiting for it. What was asked for
 * is compiled together when a launch waits. bind: its base may point anywhere. */
void tsr__launcher_want(const tsr_launcher *l, const tsr_kernel *k, const tsr_kernel_bind *bind);

/** Puts a kernel into the queue that runs of the device of this rank's place `here`. bind: its
 * addresses are those that the device's memory was given out with. Waits for the compiler. Returns
 * false, with nothing done, if there is no code for it; the first time it says so on stderr.
 * Thread-safe. */
bool tsr__launcher_put(tsr_launcher *l, tsr_device *d, int here, const tsr_kernel *k,
                       const tsr_kernel_bind *bind);

/* Products of matrices are asked for and put into the queue in the same way: the kernel is that of
 * the task, which has accesses alone. */

void tsr__launcher_want_product(tsr_launcher *l, const tsr_kernel *k, const tsr_kernel_bind *bind);
bool tsr__launcher_put_product(tsr_launcher *l, tsr_device *d, int here, const tsr_kernel *k,
                               const tsr_kernel_bind *bind);

/* Products by the library of devices that have one (launch_blas.c): */

/** Returns whether the library can compute it where the matrices lie. */
bool tsr__launcher_says_product(const tsr_kernel *k, const tsr_kernel_bind *bind);
/** Lets the queue that runs compute such a product. Returns false, with the reason in `why`, if the
 * library refuses it: what is added to is as it was, or the device has failed. */
bool tsr__launcher_multiply(tsr_device *d, const tsr_kernel *k, const tsr_kernel_bind *bind,
                            char *why, size_t size);
/** Says once that the library refuses products. */
void tsr__launcher_warn_blas(tsr_launcher *l, const tsr_device *d, const char *why);

/* The functions below put launches that the caller has made into the queue, as those above do. */

void tsr__launcher_want_launch(const tsr_launcher *l, const tsr_kernel *k,
                               const tsr_cuda_launch *launch);
/** Returns whether there is code for a launch. Waits and speaks as tsr__launcher_put does. */
bool tsr__launcher_has(tsr_launcher *l, tsr_device *d, int here, const tsr_kernel *k,
                       const tsr_cuda_launch *launch);
bool tsr__launcher_put_launch(tsr_launcher *l, tsr_device *d, int here, const tsr_kernel *k,
                              const tsr_cuda_launch *launch);
/** Returns the kernel that reads nodes of reductions (kernel/cuda/reduce.h). The launcher's own. */
const tsr_kernel *tsr__launcher_nodes(tsr_launcher *l, int ndim, tsr_dtype dtype, bool has_index);
/** Memory for copies that the host works on, one piece for each lane, aligned to 64 bytes. It stays
 * until the lane's next call. */
void *tsr__launcher_buffer(tsr_launcher *l, int lane, size_t bytes);

#endif
