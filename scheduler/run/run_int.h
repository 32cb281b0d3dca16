/* One run of a plan: the state that the files of this room share. */
#ifndef TSR_RUN_INT_H
#define TSR_RUN_INT_H

#include "kernel/cpu/nest.h"
#include "scheduler/memory/move.h"
#include "scheduler/memory/residency.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/placement.h"
#include "scheduler/plan/slots.h"
#include "scheduler/plan/tasks.h"
#include "scheduler/run/execute.h"
#include "scheduler/run/launch.h"
#include "scheduler/run/link.h"
#include "scheduler/run/message.h"
#include "scheduler/run/order.h"
#include "scheduler/run/pace.h"
#include "scheduler/run/movers.h"
#include "scheduler/run/stream_stores.h"
#include "scheduler/run/streaming.h"

#include <pthread.h>
#include <stdatomic.h>

/** Where a group's kernel, or the function of its task, finds what it works on over a box. */
typedef struct tsr_located {
  void **base;                     /* by access; not of scratch ones, which it finds by itself */
  int64_t (*stride)[TSR_MAX_NDIM]; /* bytes */
  const tsr_scalar *scalars;       /* of the kernel */
} tsr_located;

/** A chunk in a device's queue: all that its callback needs of the plan's binding, as it was when
 * the chunk was put there. */
typedef struct tsr_launch {
  struct tsr_run *run;
  const tsr_group *group;
  tsr_box box;
  tsr_located at;
  void *memory; /* owned, of `at`; it is used again by the task's next launch */
} tsr_launch;

/** A run of a group's compiled code that is repeated at other addresses (chunk.c). Owned by the
 * workspace. */
typedef struct tsr_kept_run {
  tsr_replay *run;      /* owned */
  int32_t first_scalar; /* number of its first scalar in the binding */
  int32_t n;            /* accesses */
  struct {
    int64_t bytes; /* from the beginning of the slot's memory to the first point */
    int32_t slot;  /* -1: the scratch for values that are reduced */
  } at[];          /* [n] */
} tsr_kept_run;

enum { TSR_BOUND_FEW = 64 };
/** What a kernel over a box is bound to. Made and freed by chunk.c. */
typedef struct tsr_bound {
  tsr_kernel_bind bind;
  void **base, *few_base[TSR_BOUND_FEW];
  int64_t (*stride)[TSR_MAX_NDIM], few_stride[TSR_BOUND_FEW][TSR_MAX_NDIM];
} tsr_bound;

/** What a lane counts by itself; apart from what other lanes write. */
typedef struct tsr_lane_counts {
  uint64_t n_task_runs, n_compiled_runs, n_interpreted_runs;
  char apart[104];
} tsr_lane_counts;

typedef struct tsr_laid_box tsr_laid_box;
typedef struct tsr_repeat tsr_repeat;
typedef struct tsr_risen tsr_risen;

/** What every run of a plan uses again, so that a replayed step allocates nothing. Owned by the
 * plan, made by execute.c. */
typedef struct tsr_workspace {
  /* lanes, which may hold partials: the rank's threads, and the device's queue */
  int n_lanes;
  uint32_t edition;     /* of the plan, whose reductions the partials are of */
  tsr_launch *launches; /* [n_launches] owned, one per task; of a device that is not the host */
  int32_t n_launches;
  /* [n_groups] owned; of a plan that runs in line on the host, while it has the strides that it was
   * made with: its groups' compiled runs. NULL, or an entry NULL: none is kept */
  tsr_kept_run **kept_runs;
  /* [n_tasks] owned; of a plan of the host's with few tasks: the arguments of users' functions as
   * the last run laid them out. NULL, or an entry NULL: none are */
  tsr_laid_box **laid;
  tsr_lane_counts *counts;       /* [n_lanes] of this run */
  tsr_repeat *repeat;            /* of the same plans (repeat.c); NULL: there is none */
  struct tsr_sequence *sequence; /* owned: what the device keeps of its launches; NULL: nothing */
  int n_runs;                    /* of the plan, this one included; 2: or more */
  tsr_order order;
  tsr_pace pace;
  int32_t *waiting;      /* [n_tasks] as in the run */
  tsr_messages messages; /* small ones keep their bytes */
  tsr_linked *linked;    /* owned: of the runs that begin with this plan's; NULL: none yet */
  /* [n_lanes * n_reductions], made when first needed, empty between runs; the run's totals are
   * behind them */
  tsr_partials **partials;
} tsr_workspace;

/** One run of one place's plan. The runs of a rank's places go on at once, by the same threads.
 * Filled in by execute.c. */
struct tsr_run {
  tsr_plan *plan;
  const tsr_binding *binding;
  tsr_world *world;
  /* makes messages progress while worker 0 computes */
  void (*look)(struct tsr_run *run, int worker);
  struct tsr_run *beside; /* the run of this rank's next place */
  /* the first of the runs beside each other: whoever runs a task of one of them polls messages for
   * all. NULL: nobody polls */
  struct tsr_run *first;
  tsr_device *device;    /* that holds the plan's memory; NULL: the host does */
  bool has_queued;       /* something went into the device's queues; atomic */
  ptrdiff_t shift_bytes; /* added to an address of that memory by whoever runs chunks */
  tsr_launch *launches;  /* [n_tasks] the workspace's */
  int n_threads, n_lanes;
  bool polls;              /* worker 0 polls for messages after each task */
  uint64_t hash;           /* of the rank's op stream, for the headers of messages */
  tsr_order *order;        /* the workspace's: which task is next */
  atomic_int *failure;     /* first failure (tsr_status) of the rank's runs */
  tsr_partials **partials; /* [n_lanes * n_reductions] the workspace's */
  /* [n_reductions] partials of one lane, with the other lanes' merged into them */
  tsr_partials **totals;
  pthread_mutex_t risen_lock; /* of the place's memory for nodes, and of the list */
  tsr_risen *risen; /* owned: nodes that the device's queue brings to the host (risen.c) */
  /* Communication, under comm_lock: */
  atomic_flag comm_lock;
  atomic_int n_comm;          /* waiting tasks and sends under way */
  tsr_messages *messages;     /* the workspace's; NULL: the plan runs in line */
  tsr_linked *linked;         /* those that go by a link, of all runs beside; NULL: there is none */
  tsr_run_message *under_way; /* list of sends whose tasks are over */
  int32_t *waiting;           /* [n_waiting] tasks that wait for a message; room for n_tasks */
  int32_t n_waiting;
  uint32_t n_locked, n_contended; /* as in tsr_ready, of comm_lock */
};

static inline const tsr_place *tsr__run_place(const tsr_run *run)
{
  return &run->world->places[run->plan->here];
}
/** Has one of the rank's runs failed? Once it has, every task that follows sees it. */
static inline bool tsr__run_is_poisoned(const tsr_run *run)
{
  return atomic_load_explicit(run->failure, memory_order_relaxed) < 0;
}
/** The slot of access i of the group, and the bytes from where its memory begins to the first point
 * of a box. */
int32_t tsr__access_offset(const tsr_group *g, int32_t i, const tsr_box *box, int64_t *bytes);
/** The address in access i of the group of the first point of a box. */
char *tsr__access_at(const tsr_run *run, const tsr_group *g, int32_t i, const tsr_box *box);
/** Is what access i of the group touches from a box in the memory of the run's device? */
bool tsr__access_is_resident(const tsr_run *run, const tsr_group *g, int32_t i, const tsr_box *box);
/** Call the function of a user's task for a chunk. */
void tsr__run_user_task(tsr_run *run, int32_t group, const tsr_box *chunk);
/** Call the function of a user's task for a chunk of a remembered plan on the host, with the
 * arguments as an earlier run laid them out. The chunk's chain is this task's group alone. Returns
 * false, with nothing done, if no arguments are kept. */
bool tsr__run_laid_box(tsr_run *run, int32_t task, int worker);
/** Set the bytes from one element to the next, of those that `own` leads to, in an access of a
 * user's task. */
void tsr__element_strides(const tsr_run *run, const tsr_group *g, const tsr_view *own, int access,
                          int64_t *stride);
/** Fail the rank's runs by a user's task, with what it did. */
void tsr__run_say_task(tsr_run *run, const tsr_task_call *call, const char *what);
/** Put a chunk of such a task with CUDA C into the queue of a device that runs no C. */
void tsr__run_launch_user(tsr_run *run, const tsr_group *g, const tsr_box *chunk);
/** Does the run's device run no C, so that its kernels are launched as code (launch.h)? */
static inline bool tsr__run_launches(const tsr_run *run)
{
  return run->device != NULL && run->plan->scheduler->launcher != NULL;
}
/** Put a box of a group into the queue of such a device. at: where its accesses are; NULL: in the
 * run's own memory. Where there is no code for it, this thread runs it, as lane `worker`. */
void tsr__run_launch(tsr_run *run, const tsr_group *g, const tsr_box *box, const tsr_located *at,
                     int worker);
/** Ask for the code that this needs over a box, of a group that is launched. */
void tsr__run_want_launch(tsr_run *run, const tsr_group *g, const tsr_box *box);
/** Put a kernel with reductions into the queue of such a device: it goes up the trees there, and
 * the nodes that are left come to the host. Returns false, with nothing done, if the host has
 * to. */
bool tsr__run_rise(tsr_run *run, const tsr_group *g, const tsr_kernel_bind *bind);
/** Ask for the code that this needs. */
void tsr__run_want_rise(tsr_run *run, const tsr_group *g, const tsr_kernel_bind *bind);
/** Will there be the reduction's result in the device's memory, so that the host has nothing to
 * add? */
bool tsr__risen_is_result(tsr_run *run, int32_t reduction);
/** Let the device's queue store that result in its slot. Returns false if there is none. */
bool tsr__risen_store(tsr_run *run, int32_t reduction);
/** Add a reduction's nodes that came to the host. The queues are empty. */
void tsr__risen_add(tsr_run *run, int32_t reduction, tsr_partials *total);
/** Forget those that are left. The queues are empty. */
void tsr__risen_end(tsr_run *run);
/** Run a box on this thread on copies of what is in the device's memory. at: as for
 * tsr__run_launch. Waits for the queues. */
void tsr__run_staged(tsr_run *run, const tsr_group *g, const tsr_box *box, const tsr_located *at,
                     int worker);
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
/** Is some of what the chunk touches in another memory than that of the device that runs it? */
bool tsr__streaming_is_needed(const tsr_run *run, const tsr_group *g, const tsr_box *chunk);
/** Put such a chunk into the device's queues, piece by piece. */
void tsr__streaming_chunk(tsr_run *run, const tsr_group *g, const tsr_box *chunk, int worker);
/** Copy points into the device's memory, or out of it, in order with the chunks that are streamed.
 */
void tsr__streaming_copy(tsr_run *run, tsr_move_kind kind, const tsr_points *points);
/** Lets the queue that runs wait for what is on its way out of the device's memory, before anything
 * but a streamed chunk goes into it. */
void tsr__streaming_take_back(tsr_run *run);
/** Copy points within the device's memory by a kernel that does nothing else, in the queue of the
 * run's device. Called by that queue or, of a device that runs no C, by any thread. */
void tsr__run_points(tsr_run *run, const tsr_kernel *mover, const tsr_points *points,
                     tsr_device *d);
/** Ask for the code that tsr__run_points needs on a device that runs no C. */
void tsr__run_want_points(const tsr_run *run, const tsr_kernel *mover, const tsr_points *points);
/** If the run is to wait for compiled code, ask for the kernels of all groups at once. */
void tsr__run_want_kernels(tsr_run *run);
/** Begin a run of a plan, whose memory is bound, before its first task. failure: of the rank's
 * runs. */
void tsr__run_begin(tsr_run *run, tsr_plan *plan, const tsr_binding *b, atomic_int *failure);
/** End it, behind its last task. */
void tsr__run_end(tsr_run *run);
/** Begin a range for NVIDIA's profilers: of packing or unpacking a message; of a task, for which it
 * returns whether it did. Each ends by tsr__range_end in the same thread. */
void tsr__range_message(const tsr_run *run, const tsr_run_message *m, const char *way);
bool tsr__range_task(const tsr_run *run, int32_t task);
/** Run one task. False: it waits for a message and is in `waiting` now. */
bool tsr__run_task(tsr_run *run, int32_t task, int worker);
/** Repeat a kept run where the binding has its slots. values: of a group with reductions the scratch
 * for what is reduced. Returns false, with nothing done, if it cannot be repeated. */
bool tsr__run_kept(const tsr_kept_run *kept, const tsr_binding *b, char *values);
/** Run the chunk of a task of the plan, whose chain is its group alone. Of a run without a device.
 */
void tsr__run_chunk_task(tsr_run *run, int32_t task, int worker);
/** Bind a chunk to memory for its launch: `at` gets addresses and scalars. */
void tsr__run_bind(const tsr_run *run, const tsr_group *g, tsr_launch *launch);
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
/** Run a copy of the plan, or the part of it in a box. NULL: all of it. */
void tsr__run_copy(tsr_run *run, const tsr_plan_copy *c, const tsr_box *box);
/** Note the first failure of the rank's runs. The other tasks still run, but compute nothing. */
static inline void tsr__run_fail(const tsr_run *run, tsr_status status)
{
  int none = TSR_OK;
  atomic_compare_exchange_strong(run->failure, &none, status);
}
/** Copy points from one memory space to another: in a queue of the device, or, if the host reaches
 * both, at once, behind all that is in the queues. *is_synced: nothing in the queues touches the
 * host's memory; set when that was waited for. */
void tsr__run_move(tsr_run *run, tsr_space to, tsr_space from, tsr_queue queue,
                   const tsr_points *points, bool *is_synced);
/** Something is about to go into the device's queues. */
static inline void tsr__run_note_queued(tsr_run *run)
{
  __atomic_store_n(&run->has_queued, true, __ATOMIC_RELAXED);
}
/** Has the run's device failed? Then the run has, too. */
static inline bool tsr__run_has_lost_device(const tsr_run *run)
{
  if (run->device == NULL || !tsr__device_is_lost(run->device)) return false;
  tsr__run_fail(run, TSR_ERR_DEVICE);
  return true;
}
/** Wait for the device's queues. What they were to bring is not there if the device failed. */
static inline void tsr__run_sync(const tsr_run *run)
{
  if (run->device == NULL ||
      (!__atomic_load_n(&run->has_queued, __ATOMIC_RELAXED) && !tsr__device_runs_on(run->device)))
    return;
  (void)tsr__device_sync(run->device);
  (void)tsr__run_has_lost_device(run);
}

/* Packing: the pieces of a message go between arrays on a device and its bytes (pack.c). */

/** Get the device memory that this run packs messages in. Before its messages start. */
void tsr__pack_start(tsr_run *run);
/** Put copies of the message's pieces to its payload into the device's queues. Returns the event
 * after which they are there. */
tsr_device_event tsr__pack_out(tsr_run *run, tsr_run_message *m);
/** Put copies from the payload to the message's pieces into the device's queues. What comes into
 * the queue that runs from now on is behind them. */
void tsr__pack_in(tsr_run *run, tsr_run_message *m);
/** The sender's part of a message between two devices. Returns the event after which its pieces can
 * be copied. */
tsr_device_event tsr__pack_offer(tsr_run *run, tsr_run_message *m);
/** The receiver's part: copy the pieces of the message that the other run sends. Returns the event
 * after which they have been copied. */
tsr_device_event tsr__pack_take(tsr_run *run, tsr_run_message *m, const tsr_run_message *sent);

/** The bytes of the part of a room that a linked message has, alike at both ends. */
size_t tsr__pack_linked_bytes(const tsr_run *run, const tsr_run_message *m);
/** Ask for the code that packs or unpacks such a message. */
void tsr__pack_want_linked(const tsr_run_message *m);
/** Put copies of the message's pieces into its part, or out of it, into the device's queue. Returns
 * the event after which they are over. */
tsr_device_event tsr__pack_linked(tsr_run *run, tsr_run_message *m);

/* Waiting for messages (exchange.c). */

static inline tsr_message_state tsr__message_state(const tsr_run_message *m)
{
  return (tsr_message_state)atomic_load_explicit(&m->state, memory_order_acquire);
}
/** Begin the run's messages, and post the receives that a run begins with. Those of library's tasks
 * are posted when there is memory for what they gather: matrix products gather panel by panel, and
 * panels are large. */
void tsr__exchange_start(tsr_run *run);
/** Pack and send a message. False: its task is not over before it goes on, as for a library's task,
 * whose later sends wait for it to have left; then call again. */
bool tsr__exchange_send(tsr_run *run, tsr_run_message *m);
/** Put a task into the list of those that wait for a message. */
void tsr__exchange_wait(tsr_run *run, int32_t task);
/** Make messages progress, and finish tasks whose message has come. Returns whether anything
 * happened. */
bool tsr__exchange_poll(tsr_run *run, int worker);
/** Wait until all sends are complete. */
void tsr__exchange_finish(tsr_run *run);
/** Is there another rank that this run waits for? Sets *peer, and *is_send if it waits for that
 * rank to take a message, not to send one. */
bool tsr__exchange_waits_for(tsr_run *run, int *peer, bool *is_send);

/** Has the group reductions, few, each of which one chunk on this place computes, so that none needs
 * partial results? */
bool tsr__reductions_are_whole(const tsr_plan *plan, int32_t group);
/** Run the only chunk of a group whose reductions are whole, on the host as lane 0, and store their
 * results: what the chunk's task and those of the reductions do. */
void tsr__reductions_run_whole(tsr_run *run, int32_t group, const tsr_box *chunk);
/** The lane's partials of one of the plan's reductions. */
tsr_partials *tsr__run_partials(tsr_run *run, int32_t reduction, int worker);
/** Merge the partials of all lanes into the run's total. */
void tsr__reduction_merge(tsr_run *run, int32_t reduction);
/** Store the result of a reduction in its slot. values: dense over the result. */
void tsr__reduction_store(tsr_run *run, const tsr_plan_reduction *r, const void *values);
/** Store what was reduced here and send it on: the partials up, or the result down. False: the
 * result comes from above, and is still to be sent down. */
bool tsr__reduction_finish(tsr_run *run, int32_t reduction);
/** Send the result to the places below. values: as for tsr__reduction_store. */
void tsr__reduction_send_down(tsr_run *run, int32_t reduction, const void *values);
/** Bytes of the result, dense. */
size_t tsr__reduction_result_bytes(const tsr_plan_reduction *r);

#endif
