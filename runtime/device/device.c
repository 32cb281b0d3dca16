/* What holds for all kinds of devices. */
#include "runtime/device/device.h"
#include "runtime/base/error.h"
#include "runtime/device/sequence.h"

#include <stdarg.h>
#include <stdio.h>

void tsr__device_close(tsr_device *d)
{
  if (d != NULL) d->ops->close(d);
}

void tsr__device_fail(tsr_device *d, tsr_status status, const char *fmt, ...)
{
  if (__atomic_exchange_n(&d->is_failing, true, __ATOMIC_RELAXED)) return;
  const int n = snprintf(d->message, sizeof d->message, "device %s %d: ", d->ops->name, d->number);
  va_list args;
  va_start(args, fmt);
  vsnprintf(d->message + n, sizeof d->message - (size_t)n, fmt, args);
  va_end(args);
  __atomic_store_n(&d->status, status, __ATOMIC_RELEASE);
}

tsr_status tsr__device_status(const tsr_device *d)
{
  return __atomic_load_n(&d->status, __ATOMIC_ACQUIRE);
}

bool tsr__device_is_lost(const tsr_device *d)
{
  if (tsr__device_status(d) == TSR_OK) return false;
  if (d->ops->caps & TSR_DEVICE_IS_TEST) tsr__fatal("%s", d->message);
  return true;
}

/* What comes into the queue now comes after the launches that are held back. */
static void put_held(tsr_device *d, tsr_queue queue)
{
  if (queue == TSR_QUEUE_RUN) tsr__sequence_put(d);
}

/* Counts work in the queues that the host's memory, another queue or another device takes part
 * in. */
static void note_shared(tsr_device *d)
{
  __atomic_fetch_add(&d->n_shared, 1, __ATOMIC_RELEASE);
}

void tsr__device_put_copy(tsr_device *d, tsr_queue queue, tsr_direction direction,
                          const tsr_points *points)
{
  TSR_ASSERT(queue == TSR_QUEUE_RUN || !tsr__device_runs_on(d));
  put_held(d, queue);
  d->ops->copy(d, queue, direction, points);
  if (queue != TSR_QUEUE_RUN || direction != TSR_COPY_WITHIN) note_shared(d);
}

void tsr__device_put_peer_copy(tsr_device *d, tsr_queue queue, tsr_device *from,
                               const tsr_points *points)
{
  TSR_ASSERT(!tsr__device_runs_on(d) && !tsr__device_runs_on(from));
  put_held(d, queue);
  d->ops->copy_peer(d, queue, from, points);
  note_shared(d);
}

void tsr__device_put_call(tsr_device *d, tsr_device_fn fn, void *arg)
{
  put_held(d, TSR_QUEUE_RUN);
  d->ops->launch(d, fn, arg);
  note_shared(d);
}

void tsr__device_put_code(tsr_device *d, const tsr_code_launch *launch)
{
  if (!tsr__sequence_hold(d, launch)) d->ops->launch_code(d, launch);
}

void *tsr__device_stream(tsr_device *d)
{
  put_held(d, TSR_QUEUE_RUN);
  note_shared(d);
  return d->ops->stream != NULL ? d->ops->stream(d) : NULL;
}

bool tsr__device_put_product(tsr_device *d, const tsr_blas_product *product, char *why, size_t size)
{
  put_held(d, TSR_QUEUE_RUN);
  return d->ops->multiply(d, product, why, size);
}

tsr_device_event tsr__device_record(tsr_device *d, tsr_queue queue)
{
  put_held(d, queue);
  return d->ops->record != NULL ? d->ops->record(d, queue) : (tsr_device_event){0};
}

void tsr__device_follow(tsr_device *d, tsr_queue queue, tsr_device_event event)
{
  put_held(d, queue);
  if (d->ops->follow != NULL) d->ops->follow(d, queue, event);
}

bool tsr__device_is_over(tsr_device *d, tsr_device_event event)
{
  return d->ops->is_over == NULL || d->ops->is_over(d, event);
}

void tsr__device_wait(tsr_device *d, tsr_device_event event)
{
  if (d->ops->wait != NULL) d->ops->wait(d, event);
}

bool tsr__device_runs_c(const tsr_device *d)
{
  return (d->ops->caps & TSR_DEVICE_RUNS_C) && !d->only_code;
}

/* A device that runs nothing supports every kernel. A kernel that exists only as C (a function of a
 * task without device code, or a kernel without a text) needs a device that runs C. Beyond that the
 * device's own function decides. */
bool tsr__device_supports(const tsr_device *d, const tsr_kernel_traits *kernel)
{
  if (d->ops->caps & TSR_DEVICE_IS_NULL) return true;
  const bool needs_c = (kernel->features & TSR_TRAITS_OF_C) && !(kernel->features & TSR_TRAIT_CODE);
  if (needs_c && !tsr__device_runs_c(d)) return false;
  return d->ops->supports == NULL || d->ops->supports(d, kernel);
}

void tsr__device_uses(tsr_device *d, const void *p, size_t bytes)
{
  if (d->ops->uses != NULL) d->ops->uses(d, p, bytes);
}

tsr_status tsr__device_sync(tsr_device *d)
{
  const uint64_t n_shared = __atomic_load_n(&d->n_shared, __ATOMIC_ACQUIRE);
  for (int q = 0; q < TSR_N_QUEUES; q++) tsr__device_wait(d, tsr__device_record(d, (tsr_queue)q));
  __atomic_store_n(&d->n_shared_over, n_shared, __ATOMIC_RELEASE);
  if (tsr__device_runs_on(d)) __atomic_store_n(&d->runs_on, false, __ATOMIC_RELAXED);
  return tsr__device_status(d);
}

bool tsr__device_leave_running(tsr_device *d)
{
  const bool is_alone = __atomic_load_n(&d->n_shared, __ATOMIC_ACQUIRE) ==
                        __atomic_load_n(&d->n_shared_over, __ATOMIC_ACQUIRE);
  if (is_alone) __atomic_store_n(&d->runs_on, true, __ATOMIC_RELAXED);
  return is_alone;
}

bool tsr__device_runs_on(const tsr_device *d)
{
  return __atomic_load_n(&d->runs_on, __ATOMIC_RELAXED);
}

tsr_status tsr__device_settle(tsr_device *d)
{
  return tsr__device_runs_on(d) ? tsr__device_sync(d) : tsr__device_status(d);
}

tsr_status tsr__device_copy(tsr_device *d, tsr_direction direction, const tsr_points *points)
{
  tsr__device_put_copy(d, TSR_QUEUE_RUN, direction, points);
  return tsr__device_sync(d);
}
