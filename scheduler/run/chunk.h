/* Chunks: a box of a group is bound to memory, and its kernel runs. */
#ifndef TSR_RUN_CHUNK_H
#define TSR_RUN_CHUNK_H

#include "scheduler/run/run_int.h"

enum { TSR_BOUND_FEW = 64 };
/** What a kernel over a box is bound to. Made and freed by chunk.c. */
typedef struct tsr_bound {
  tsr_kernel_bind bind;
  void **base, *few_base[TSR_BOUND_FEW];
  int64_t (*stride)[TSR_MAX_NDIM], few_stride[TSR_BOUND_FEW][TSR_MAX_NDIM];
} tsr_bound;

/** The slot of access i of the group, and the bytes from where its memory begins to the first point
 * of a box. */
int32_t tsr__access_offset(const tsr_group *g, int32_t i, const tsr_box *box, int64_t *bytes);
/** The address in access i of the group of the first point of a box. */
char *tsr__access_at(const tsr_run *run, const tsr_group *g, int32_t i, const tsr_box *box);
/** Is what access i of the group touches from a box in the memory of the run's device? */
bool tsr__access_is_resident(const tsr_run *run, const tsr_group *g, int32_t i, const tsr_box *box);
/** Bind the kernel of a group over a box. at: where its accesses are; NULL: in the run's own
 * memory. Values that are reduced have no memory in it. */
void tsr__bound_make(const tsr_run *run, const tsr_group *g, const tsr_box *box,
                     const tsr_located *at, tsr_bound *b);
void tsr__bound_free(const tsr_bound *b);
/** Run a box of a group on this thread, as lane `worker`. at: as for tsr__run_chunk. */
void tsr__run_box(tsr_run *run, const tsr_group *g, const tsr_box *box, const tsr_located *at,
                  int worker);
/** Run a box of a group in the queue of the run's device. at: where its accesses are. */
void tsr__run_located(tsr_run *run, const tsr_group *g, const tsr_box *box, const tsr_located *at,
                      tsr_device *d);
/** Copy points within the device's memory by a kernel that does nothing else, in the queue of the
 * run's device. Called by that queue or, of a device that runs no C, by any thread. */
void tsr__run_points(tsr_run *run, const tsr_kernel *mover, const tsr_points *points,
                     tsr_device *d);
/** Ask for the code that tsr__run_points needs on a device that runs no C. */
void tsr__run_want_points(const tsr_run *run, const tsr_kernel *mover, const tsr_points *points);
/** Run a replay where the binding has its slots. values: of a group with reductions the
 * scratch for what is reduced. Returns false, with nothing done, if it cannot be repeated. */
bool tsr__run_replay(const tsr_chunk_replay *replay, const tsr_binding *b, char *values);
/** Run the chunk of a task of the plan, whose chain is its group alone. Of a run without a device.
 */
void tsr__run_chunk_task(tsr_run *run, int32_t task, int worker);
/** Bind a chunk to memory for its launch: `at` gets addresses and scalars. */
void tsr__run_bind(const tsr_run *run, const tsr_group *g, tsr_queued_chunk *launch);
/** Run a chunk, on this thread or in the device's queue, as lane `worker`. at: what it was bound
 * to; NULL: it is bound now, which the device's queue does only for users' tasks. */
void tsr__run_chunk(tsr_run *run, const tsr_group *g, const tsr_box *chunk, const tsr_located *at,
                    int worker);
/** The number of the lane of the device's queue; the threads' lanes come first. */
int tsr__run_lane(const tsr_run *run);
/** Tell the device what memory the group's accesses over the chunk touch. at: where they are, if
 * not in the run's own memory; else NULL. */
void tsr__run_say_uses(const tsr_run *run, const tsr_group *g, const tsr_box *chunk,
                       const tsr_located *at, tsr_device *d);
/** The lane's partials of one of the plan's reductions. */
tsr_partials *tsr__run_partials(tsr_run *run, int32_t reduction, int worker);

#endif
