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
typedef struct tsr_queued_chunk {
  struct tsr_run *run;
  const tsr_group *group;
  tsr_box box;
  tsr_located at;
  void *memory; /* owned, of `at`; it is used again by the task's next launch */
} tsr_queued_chunk;

/** A run of a group's compiled code that is repeated at other addresses (chunk.c). Owned by the
 * workspace. */
typedef struct tsr_chunk_replay {
  tsr_replay *run;      /* owned */
  int32_t first_scalar; /* number of its first scalar in the binding */
  int32_t n;            /* accesses */
  struct {
    int64_t bytes; /* from the beginning of the slot's memory to the first point */
    int32_t slot;  /* -1: the scratch for values that are reduced */
  } at[];          /* [n] */
} tsr_chunk_replay;

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
  uint32_t edition; /* of the plan, whose reductions the partials are of */
  tsr_queued_chunk
      *launches; /* [n_launches] owned, one per task; of a device that is not the host */
  int32_t n_launches;
  /* [n_groups] owned; of a plan that runs in line on the host, while it has the strides that it was
   * made with: its groups' replays. NULL, or an entry NULL: there is none */
  tsr_chunk_replay **replays;
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
  tsr_device *device;         /* that holds the plan's memory; NULL: the host does */
  bool has_queued;            /* something went into the device's queues; atomic */
  ptrdiff_t shift_bytes;      /* added to an address of that memory by whoever runs chunks */
  tsr_queued_chunk *launches; /* [n_tasks] the workspace's */
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
  int32_t *waiting;           /* [n_waiting] tasks that wait for a message; space for n_tasks */
  int32_t n_waiting;
  uint32_t n_locked, n_contended; /* as in tsr_ready, of comm_lock */
};

static inline const tsr_place *tsr__run_place(const tsr_run *run)
{
  return &run->world->places[run->plan->here];
}
/** Has one of the rank's runs failed? Once it has, every task that follows sees it. */
static inline bool tsr__run_has_failed(const tsr_run *run)
{
  return atomic_load_explicit(run->failure, memory_order_relaxed) < 0;
}
/** Does the run's device run no C, so that its kernels are launched as code (launch.h)? */
static inline bool tsr__run_by_code(const tsr_run *run)
{
  return run->device != NULL && run->plan->scheduler->launcher != NULL;
}
/** Begin a run of a plan, whose memory is bound, before its first task. failure: of the rank's
 * runs. */
void tsr__run_begin(tsr_run *run, tsr_plan *plan, const tsr_binding *b, atomic_int *failure);
/** End it, behind its last task. */
void tsr__run_end(tsr_run *run);
/** Note the first failure of the rank's runs. The other tasks still run, but compute nothing. */
static inline void tsr__run_fail(const tsr_run *run, tsr_status status)
{
  int none = TSR_OK;
  atomic_compare_exchange_strong(run->failure, &none, status);
}
/** Something is about to go into the device's queues. */
static inline void tsr__run_note_queued(tsr_run *run)
{
  __atomic_store_n(&run->has_queued, true, __ATOMIC_RELAXED);
}
/** Has the run's device failed? Then the run has, too. */
static inline bool tsr__run_note_lost_device(const tsr_run *run)
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
  (void)tsr__run_note_lost_device(run);
}

#endif
