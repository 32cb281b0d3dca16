/* Shared by the files of the device `cuda`. Private; only files that are built with CUDA's header
 * include it. */
#ifndef TSR_CUDA_INT_H
#define TSR_CUDA_INT_H

#include "runtime/device/cuda_driver.h"
#include "runtime/device/device.h"
#include "runtime/device/pool.h"

#include <pthread.h>

/** How many of a queue's events are kept apart. Older ones are taken for the next one that is kept,
 * which is over no earlier. */
enum { TSR_CUDA_RING = 256 };

typedef struct tsr_cuda_queue {
  CUstream stream;
  pthread_mutex_t lock;        /* guards the ring and what is recorded in it */
  CUevent ring[TSR_CUDA_RING]; /* event `number` is in number % TSR_CUDA_RING; NULL: not made yet */
  uint64_t n_recorded;         /* the last event's number; atomic */
  uint64_t n_put_recorded;     /* n_put when that was recorded */
  uint64_t n_put;              /* calls that have put something into the queue; atomic */
  uint64_t n_over;             /* the highest number that is known to be over; atomic */
  uint64_t writes_host;        /* the first number behind all copies to pageable memory; atomic */
  uint64_t follows
      [TSR_N_QUEUES_LINKED]; /* of each queue, the highest number that this one is behind; atomic */
} tsr_cuda_queue;

/** An image that was loaded. */
typedef struct tsr_cuda_module {
  const void *image;
  CUmodule module;
} tsr_cuda_module;

typedef struct tsr_device_cuda {
  tsr_device base;
  tsr_cuda_driver driver;
  CUdevice device;
  /* the device's primary one, which all of the process share; NULL: nothing was asked of the device
   * yet. Atomic; made under the lock */
  CUcontext context;
  pthread_mutex_t context_lock;
  tsr_cuda_queue queues[TSR_N_QUEUES_LINKED];
  int64_t most_pitch; /* bytes that two rows of a copy may be apart */
  tsr_device_pool *pool;
  pthread_mutex_t modules_lock;
  tsr_cuda_module *modules;
  int n_modules, capacity;
  char architecture[16];
  pthread_mutex_t blas_lock;
  struct tsr_cublas *blas; /* owned: the library with what it needs here; made when first used */
} tsr_device_cuda;

/** Does the result tell of a kernel that failed? Nothing works in the context after it. */
bool tsr__cuda_is_of_kernel(CUresult result);
/** Make the device's context and its streams, if nothing was asked of it yet. Returns false, with
 * the reason in `why`, if the system refuses them, or with none after a failure. */
bool tsr__cuda_has_context(tsr_device_cuda *c, char *why, size_t size);
/** Make the device's context the calling thread's. Returns false, and does nothing, after a
 * failure. What it returns true for ends with tsr__cuda_leave. */
bool tsr__cuda_enter(tsr_device_cuda *c);
/** Make the context the calling thread's also after a failure, for what has to be waited for or
 * given back. */
bool tsr__cuda_enter_always(tsr_device_cuda *c);
void tsr__cuda_leave(tsr_device_cuda *c);
/** Returns whether a call has worked. If not, that is the device's failure. */
bool tsr__cuda_worked(tsr_device_cuda *c, const char *call, CUresult result);
/** The driver takes memory of its own for code, for what kernels spill and for graphs, and another
 * process on the device may have taken the rest: is a call with this result to be made again, since
 * what the pool held unused is the device's again? */
bool tsr__cuda_is_to_repeat(tsr_device_cuda *c, CUresult result);
/** Call an entry of the driver with the arguments in parentheses. */
#define TSR_CUDA_NAME(name) TSR_CUDA_TEXT(name)
#define TSR_CUDA_TEXT(name) #name
#define TSR_CUDA_CALL(c, name, arguments)                                                          \
  tsr__cuda_worked(c, TSR_CUDA_NAME(name), (c)->driver.name arguments)

/* Queues (queue_cuda.c). */

/** Make a queue's stream, or those of all queues but the link's, in the context. */
bool tsr__cuda_queue_open(tsr_device_cuda *c, tsr_queue queue);
bool tsr__cuda_queues_open(tsr_device_cuda *c);
/** Wait for the queues and give back what they have, in the context. */
void tsr__cuda_queues_close(tsr_device_cuda *c);
/** Note that something was put into the queue; after the call that did it. */
void tsr__cuda_queue_note(tsr_cuda_queue *q);
tsr_device_event tsr__cuda_record(tsr_device *d, tsr_queue queue);
void *tsr__cuda_stream(tsr_device *d);
void tsr__cuda_follow(tsr_device *d, tsr_queue queue, tsr_device_event event);
bool tsr__cuda_is_over(tsr_device *d, tsr_device_event event);
void tsr__cuda_wait(tsr_device *d, tsr_device_event event);

/** Let a device be a member of a link (link.h, identify): make the link's queue. */
bool tsr__cuda_link_identify(tsr_device *d, unsigned char *id, char *why, size_t size);

/* Graphs (graph_cuda.c). */

void *tsr__cuda_graph_make(tsr_device *d, const tsr_code_launch *launches, int n);
bool tsr__cuda_graph_set(tsr_device *d, void *graph, int at, const tsr_code_launch *launch);
void tsr__cuda_graph_put(tsr_device *d, void *graph);
void tsr__cuda_graph_free(tsr_device *d, void *graph);

/* Products by cuBLAS (blas_cuda.c). */

bool tsr__cublas_is_available(char *why, size_t size);
bool tsr__cublas_multiply(tsr_device *d, const tsr_blas_product *product, char *why, size_t size);
/** Called in the context. NULL is ignored. */
void tsr__cublas_close(struct tsr_cublas *blas);

/* Copies (copy_cuda.c). */

void tsr__cuda_copy(tsr_device *d, tsr_queue queue, tsr_direction direction,
                    const tsr_points *points);
void tsr__cuda_copy_peer(tsr_device *d, tsr_queue queue, tsr_device *from,
                         const tsr_points *points);

#endif
