/* Recent runs of compiled code: what each of them found out about its loops. Boxes of a size follow
 * each other, as the windows of steps that are tiled over time do, or chunks of a large array; all
 * but the first take the loops again at other addresses. */
#ifndef TSR_RECENT_H
#define TSR_RECENT_H

#include "kernel/cpu/nest.h"

struct tsr_jit_entry;

/** The recent runs of one thread. */
typedef struct tsr_recent_runs tsr_recent_runs;

/** Returns a table without runs. Owned by the caller, who frees it with free(). */
tsr_recent_runs *tsr__recent_create(void);
/** Runs the kernel as a recent run did: over a box of this size, with these strides. Returns false,
 * with nothing done, if the table has none. Cost: a hash of the box, and a comparison of its
 * strides. */
bool tsr__recent_run(tsr_recent_runs *r, const tsr_kernel *k, const tsr_kernel_bind *bind);
/** Remembers a run, for which the nest was made, if it is the second of its kind in turn. entry:
 * whose code it is; it must outlive the table. Runs that depend on where the box lies, or with many
 * streams, are not remembered. */
void tsr__recent_keep(tsr_recent_runs *r, const tsr_kernel *k, const tsr_kernel_bind *bind,
                      const tsr_nest *nest, const struct tsr_jit_entry *entry);

#endif
