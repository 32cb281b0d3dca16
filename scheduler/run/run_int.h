/* One run of a plan: the state that the files of this room share. */
#ifndef TSR_RUN_INT_H
#define TSR_RUN_INT_H

#include "scheduler/memory/move.h"
#include "scheduler/memory/residency.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"
#include "scheduler/plan/tasks.h"
#include "scheduler/run/execute.h"
#include "scheduler/run/pack.h"
#include "scheduler/run/stream_stores.h"
#include "scheduler/run/streaming.h"

#include <stdatomic.h>

/** Lists of ready tasks. Of those that every worker shares the oldest is taken. Those of a worker
 * itself are behind them: the owner takes the newest, others steal the oldest. */
enum {
  TSR_READY_MESSAGES, /* before all else: whoever waits for one has nothing else to do */
  TSR_READY_LONG,     /* chunks of tasks, after all else, in plan order: so their messages go out
                         in the order in which they are read */
  TSR_READY_OWN
};

typedef struct tsr_ready {
  atomic_flag lock;
  atomic_int n; /* a hint, without the lock */
  int32_t *v;   /* [n_tasks] */
  int32_t first, end;
  uint32_t n_locked, n_contended; /* as counted; the run's */
} tsr_ready;

/** A message under way, with its bytes: header, then payload. */
typedef struct tsr_flight {
  tsr_request request;
  char *bytes; /* owned (tsr__malloc); NULL until it is needed */
  size_t capacity;
  struct tsr_flight *next;
  bool kept;    /* belongs to the plan's workspace: not freed when it has arrived */
  bool packing; /* the device is still to fill it: until `packed` */
  tsr_device_event packed;
  /* Between two places of this rank, from one device's memory to the other's: */
  struct tsr_run *direct; /* the other place's run; NULL: by way of `bytes` */
  int32_t counterpart;    /* that run's message, plus 1; 0: not known yet. Kept between runs */
  atomic_bool is_offered; /* of a send: its values are there from `packed` on */
  atomic_bool is_taken;   /* of a send: they are read until `taken`, of the other's device */
  tsr_device_event taken;
  bool borrowed;       /* of them: `bytes` is array memory, for as long as it is under way */
  struct tsr_run *run; /* whose it is. The rest is a device's (pack.c): */
  size_t room_bytes;   /* that its faces are packed in */
  char *room;          /* these, of the device's memory; NULL: faces are copied as they lie */
} tsr_flight;

/** A chunk in a device's queue. */
typedef struct tsr_launch {
  struct tsr_run *run;
  int32_t task;
} tsr_launch;

/** What every run of a plan uses again, so that a replayed step allocates nothing. */
typedef struct tsr_workspace {
  int n_lanes;          /* who may hold partials: the rank's threads, and the device's queue */
  tsr_launch *launches; /* [n_tasks] of a device that is not the host */
  atomic_int *deps;
  tsr_ready *ready;
  int32_t *ready_tasks, *waiting;
  tsr_flight *flights;     /* [n_messages], which keep their bytes */
  tsr_flight *spare;       /* of messages whose size is not the plan's: reductions'; a list */
  tsr_partials **partials; /* [n_lanes * n_reductions], made when first needed, empty between runs;
                              and the run's totals behind them */
} tsr_workspace;

/** Of one place's plan: those of a rank's places run at once, by the same threads. */
typedef struct tsr_run {
  tsr_plan *plan;
  const tsr_binding *binding;
  tsr_world *world;
  void (*look)(struct tsr_run *run, int worker); /* progress of messages while worker 0 computes */
  struct tsr_run *beside;                        /* another place's of this rank */
  struct tsr_run *first; /* of those that are beside each other: the runs whose messages whoever
                             runs a task of one looks for; NULL: of none */
  tsr_device *device;    /* that the plan's memory is on; NULL: the host's */
  bool has_queued;       /* something went into its queues; atomic */
  ptrdiff_t shift_bytes; /* of that memory, for whoever runs chunks */
  tsr_launch *launches;  /* the workspace's */
  int n_threads, n_lanes;
  bool polls; /* worker 0 looks for messages after each task */
  uint64_t hash;
  uint64_t random;         /* state of the seeded order; 0: natural */
  atomic_int *deps;        /* [n_tasks] still missing */
  atomic_int n_left;       /* tasks not complete */
  atomic_int *failure;     /* first tsr_status of the rank's runs */
  tsr_ready *ready;        /* [TSR_READY_OWN + n_threads] */
  tsr_partials **partials; /* [n_lanes * n_reductions], the workspace's */
  tsr_partials **totals;   /* [n_reductions] one of the workers', with the others merged into it */
  /* communication, under comm_lock */
  atomic_flag comm_lock;
  atomic_int n_comm;   /* waiting tasks and sends under way */
  tsr_flight *flights; /* [n_messages] */
  tsr_flight *sends;   /* list */
  tsr_flight **spare;  /* the workspace's; NULL: none is kept */
  int32_t *waiting;    /* [n_tasks] tasks that wait for a message */
  int32_t n_waiting;
  uint32_t n_locked, n_contended; /* as counted */
} tsr_run;

/** Where a kernel finds its accesses over a box, by number; those of scratch it finds itself. */
typedef struct tsr_located {
  void **base;
  int64_t (*stride)[TSR_MAX_NDIM]; /* bytes */
} tsr_located;

static inline const tsr_place *tsr__run_place(const tsr_run *run)
{
  return &run->world->places[run->plan->here];
}
/** Where access i of the group has the first point of a box. */
char *tsr__access_at(const tsr_run *run, const tsr_group *g, int32_t i, const tsr_box *box);
/** The function of a user's task over a chunk (user_tasks.c). */
void tsr__run_user_task(tsr_run *run, int32_t group, const tsr_box *chunk);
/** A box of a group, by the queue of the run's device. */
void tsr__run_located(tsr_run *run, const tsr_group *g, const tsr_box *box, const tsr_located *at,
                      tsr_device *d);
/** Is some of what the group's chunks touch not in the memory of the device that they run on? */
bool tsr__streaming_is_needed(const tsr_run *run, const tsr_group *g);
/** Put such a chunk into the device's queues, piece by piece (streaming.c). */
void tsr__streaming_chunk(tsr_run *run, const tsr_group *g, const tsr_box *chunk);
/** A copy between two instances, one of them perhaps not in the device's memory. */
void tsr__streaming_copy(tsr_run *run, const tsr_instance *dst, const tsr_instance *src,
                         const tsr_points *points);
/** Points from one part of the device's memory to another by a kernel that does just that, by the
 * queue of the run's device. */
void tsr__run_points(tsr_run *run, const tsr_kernel *mover, const tsr_points *points,
                     tsr_device *d);
/** Where compiled code is waited for, ask for that of all groups at once. */
void tsr__run_want_kernels(const tsr_run *run);
/** Run one task; false if it has to wait for a message first (then it is in `waiting`). */
bool tsr__run_task(tsr_run *run, int32_t task, int worker);
/** A chunk by this thread, or by the device's queue, as the lane `worker`. */
void tsr__run_chunk(tsr_run *run, const tsr_group *g, const tsr_box *chunk, int worker);
/** The lane of the device's queue, behind those of the threads. */
int tsr__run_lane(const tsr_run *run);
/** Tell the device what the group's accesses over the chunk touch. at: where they are, if not in the
 * run's own memory. */
void tsr__run_say_uses(const tsr_run *run, const tsr_group *g, const tsr_box *chunk,
                       const tsr_located *at, tsr_device *d);
/** A copy of the plan's. */
void tsr__run_copy(tsr_run *run, const tsr_plan_copy *c);
/** The tasks that wait for nothing become ready. Chunks start on the worker that has their share of
 * the group. */
void tsr__queue_start(tsr_run *run);
/** A ready task for the worker, or -1; a message's, or -1. */
int32_t tsr__queue_take(tsr_run *run, int worker);
int32_t tsr__queue_take_message(tsr_run *run);
/** The locks that the run took go into the counters. */
void tsr__queue_count(tsr_run *run);
/** Count the task as done and make ready what waited for it. */
void tsr__run_complete(tsr_run *run, int32_t task, int worker);
void tsr__run_fail(tsr_run *run, tsr_status status);
/** A copy of points of an instance to the host's memory, or from there: in the device's queue, or,
 * where the instance is the host's to reach, behind all that is in its queues, at once. *is_synced:
 * nothing in the queues touches what is the host's; set when that was waited for. */
void tsr__run_move(tsr_run *run, const tsr_instance *i, tsr_queue queue, tsr_direction direction,
                   const tsr_points *points, bool *is_synced);
/** Something is about to go into the device's queues. */
static inline void tsr__run_note_queued(tsr_run *run)
{
  __atomic_store_n(&run->has_queued, true, __ATOMIC_RELAXED);
}
/** Wait for the device's queues. A device's failure is a defect of ours: it ends the job. */
void tsr__run_sync(const tsr_run *run);

/* The pieces of a message, on a device its faces (pack.c). */

/** Before the messages of a run: memory to pack faces in. */
void tsr__pack_start(tsr_run *run);
/** Put copies of them to the message's bytes into the device's queues; when they are there. */
tsr_device_event tsr__pack_out(tsr_run *run, int32_t message, char *bytes);
/** The same from there: whatever comes into the queue that runs is behind it. */
void tsr__pack_in(tsr_run *run, int32_t message, const char *bytes);
/** The sender's part between two devices; when they are there to be copied. */
tsr_device_event tsr__pack_offer(tsr_run *run, int32_t message);
/** The receiver's: from the other run's message `sent`; when they have been copied. */
tsr_device_event tsr__pack_take(tsr_run *run, int32_t message, const tsr_run *from, int32_t sent);

/** Post the receives of all messages but tasks', which are posted when there is room for what they
 * gather: matrix products gather panel by panel, and panels are large. */
void tsr__exchange_start(tsr_run *run);
/** Pack and send a message. False if its task is not over before it has gone: of a task's group,
 * whose later sends wait for it. */
bool tsr__exchange_send(tsr_run *run, int32_t message);
/** A message with room for n bytes of payload behind its header, whose bytes are then filled in. */
tsr_flight *tsr__exchange_flight(tsr_run *run, size_t n);
void *tsr__exchange_payload(tsr_flight *f);
/** Send it: the run's from then on. */
void tsr__exchange_send_flight(tsr_run *run, tsr_flight *f, int peer, uint32_t tag, size_t n);
/** A message whose size only the sender knows: look, then take. NULL: it is not there yet. */
tsr_flight *tsr__exchange_take(tsr_run *run, int peer, uint32_t tag);
/** Give it back without sending it. */
void tsr__exchange_drop_flight(tsr_run *run, tsr_flight *f);
/** Send a copy of bytes behind a header. */
void tsr__exchange_send_bytes(tsr_run *run, int peer, uint32_t tag, const void *bytes, size_t n);
/** Let a task wait for its message. */
void tsr__exchange_wait(tsr_run *run, int32_t task);
/** Progress; finishes tasks whose message has come. True if anything happened. */
bool tsr__exchange_poll(tsr_run *run, int worker);
/** Complete all sends. */
void tsr__exchange_finish(tsr_run *run);
/** Another rank that something here waits for: for a message of it, or (is_send) until it takes
 * one. False: there is none. */
bool tsr__exchange_waits_for(tsr_run *run, int *peer, bool *is_send);
/** Nothing is under way or in the queues any more: large messages' memory goes back. */
void tsr__exchange_end(tsr_run *run);

/** Try to finish a waiting task: its message is unpacked or merged. */
bool tsr__exchange_try(tsr_run *run, int32_t task);
/** The partials of all lanes become the run's total. */
void tsr__reduction_merge(tsr_run *run, int32_t reduction);
/** The result of a reduction goes into its slot (values dense over the result), or out of it. */
void tsr__reduction_store(tsr_run *run, const tsr_plan_reduction *r, const void *values);
/** The part of a finished reduction's DONE task that needs no message from above. */
void tsr__reduction_finish(tsr_run *run, int32_t reduction);
size_t tsr__reduction_result_bytes(const tsr_plan_reduction *r);

#endif
