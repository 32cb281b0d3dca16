/* Queues of the device `cuda`: streams, and events by number. An event of CUDA stands for a number
 * in a ring. When its place is taken by a later number, it stands for that one: who waits for the
 * earlier number then waits for more, which has been put into queues before and cannot wait for
 * him. A number that is known to be over is answered without the driver, and a queue into which
 * nothing came since its last event has no new one. After a failure only whole streams are waited
 * for. */
#include "runtime/device/cuda_int.h"

#include <stdio.h>
#include <string.h>

static tsr_device_cuda *of(tsr_device *d)
{
  return (tsr_device_cuda *)d;
}

static uint64_t get_number(const uint64_t *number)
{
  return __atomic_load_n(number, __ATOMIC_ACQUIRE);
}

static void raise_to(uint64_t *number, uint64_t to)
{
  uint64_t now = get_number(number);
  while (now < to &&
         !__atomic_compare_exchange_n(number, &now, to, true, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE)) {
  }
}

bool tsr__cuda_queue_open(tsr_device_cuda *c, tsr_queue queue)
{
  tsr_cuda_queue *q = &c->queues[queue];
  if (TSR_CUDA_CALL(c, cuStreamCreate, (&q->stream, CU_STREAM_NON_BLOCKING))) return true;
  q->stream = NULL;
  return false;
}

bool tsr__cuda_queues_open(tsr_device_cuda *c)
{
  for (int i = 0; i < TSR_N_QUEUES; i++)
    if (!tsr__cuda_queue_open(c, (tsr_queue)i)) return false;
  return true;
}

void tsr__cuda_queues_close(tsr_device_cuda *c)
{
  for (int i = 0; i < TSR_N_QUEUES_LINKED; i++)
    if (c->queues[i].stream != NULL) TSR_CUDA_CALL(c, cuStreamSynchronize, (c->queues[i].stream));
  for (int i = 0; i < TSR_N_QUEUES_LINKED; i++) {
    tsr_cuda_queue *q = &c->queues[i];
    for (int k = 0; k < TSR_CUDA_RING; k++)
      if (q->ring[k] != NULL) TSR_CUDA_CALL(c, cuEventDestroy, (q->ring[k]));
    if (q->stream != NULL) TSR_CUDA_CALL(c, cuStreamDestroy, (q->stream));
  }
}

void tsr__cuda_queue_note(tsr_cuda_queue *q)
{
  __atomic_fetch_add(&q->n_put, 1, __ATOMIC_RELEASE);
}

/* Records the next event. Called under the queue's lock, in the context. */
static void record_next(tsr_device_cuda *c, tsr_cuda_queue *q)
{
  const uint64_t n_put = get_number(&q->n_put), number = q->n_recorded + 1;
  CUevent *event = &q->ring[number % TSR_CUDA_RING];
  if (*event == NULL && !TSR_CUDA_CALL(c, cuEventCreate, (event, CU_EVENT_DISABLE_TIMING))) {
    *event = NULL;
    return;
  }
  if (!TSR_CUDA_CALL(c, cuEventRecord, (*event, q->stream))) return;
  q->n_put_recorded = n_put;
  __atomic_store_n(&q->n_recorded, number, __ATOMIC_RELEASE);
}

tsr_device_event tsr__cuda_record(tsr_device *d, tsr_queue queue)
{
  tsr_device_cuda *c = of(d);
  tsr_cuda_queue *q = &c->queues[queue];
  pthread_mutex_lock(&q->lock);
  if (get_number(&q->n_put) != q->n_put_recorded && tsr__cuda_enter(c)) {
    record_next(c, q);
    tsr__cuda_leave(c);
  }
  const tsr_device_event event = {q->n_recorded, queue};
  pthread_mutex_unlock(&q->lock);
  return event;
}

void *tsr__cuda_stream(tsr_device *d)
{
  tsr_cuda_queue *q = &of(d)->queues[TSR_QUEUE_RUN];
  tsr__cuda_queue_note(q);
  return q->stream;
}

static CUevent event_of(const tsr_cuda_queue *q, uint64_t number)
{
  return q->ring[number % TSR_CUDA_RING];
}

/* A queue that follows another one is behind all that the other one follows. */
void tsr__cuda_follow(tsr_device *d, tsr_queue queue, tsr_device_event event)
{
  tsr_device_cuda *c = of(d);
  tsr_cuda_queue *q = &c->queues[queue], *other = &c->queues[event.queue];
  if (event.queue == queue || get_number(&other->n_over) >= event.number || !tsr__cuda_enter(c))
    return;
  if (TSR_CUDA_CALL(c, cuStreamWaitEvent, (q->stream, event_of(other, event.number), 0))) {
    for (int i = 0; i < TSR_N_QUEUES_LINKED; i++)
      raise_to(&q->follows[i], get_number(&other->follows[i]));
    raise_to(&q->follows[event.queue], event.number);
    tsr__cuda_queue_note(q);
  }
  tsr__cuda_leave(c);
}

/* After a failure: has the driver nothing left to do in the stream? */
static bool is_idle(tsr_device_cuda *c, const tsr_cuda_queue *q)
{
  if (!tsr__cuda_enter_always(c)) return true;
  const bool idle = c->driver.cuStreamQuery(q->stream) != CUDA_ERROR_NOT_READY;
  tsr__cuda_leave(c);
  return idle;
}

bool tsr__cuda_is_over(tsr_device *d, tsr_device_event event)
{
  tsr_device_cuda *c = of(d);
  tsr_cuda_queue *q = &c->queues[event.queue];
  if (get_number(&q->n_over) >= event.number) return true;
  if (tsr__device_status(d) < 0 || !tsr__cuda_enter(c)) return is_idle(c, q);
  const CUresult result = c->driver.cuEventQuery(event_of(q, event.number));
  if (result == CUDA_SUCCESS) raise_to(&q->n_over, event.number);
  const bool failed = result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_READY;
  if (failed) tsr__cuda_worked(c, TSR_CUDA_NAME(cuEventQuery), result);
  tsr__cuda_leave(c);
  return failed ? is_idle(c, q) : result == CUDA_SUCCESS;
}

void tsr__cuda_wait(tsr_device *d, tsr_device_event event)
{
  tsr_device_cuda *c = of(d);
  tsr_cuda_queue *q = &c->queues[event.queue];
  if (tsr__device_status(d) == TSR_OK) {
    if (get_number(&q->n_over) >= event.number) return;
    if (tsr__cuda_enter(c)) {
      if (TSR_CUDA_CALL(c, cuEventSynchronize, (event_of(q, event.number))))
        raise_to(&q->n_over, event.number);
      tsr__cuda_leave(c);
      if (get_number(&q->n_over) >= event.number) return;
    }
  }
  if (!tsr__cuda_enter_always(c)) return;
  (void)c->driver.cuStreamSynchronize(q->stream);
  tsr__cuda_leave(c);
}

/* The link's queue is made here: the ranks agree on what fails before any of them waits for
 * others. */
static bool has_link_queue(tsr_device_cuda *c)
{
  if (!tsr__cuda_enter(c)) return false;
  const bool has =
      c->queues[TSR_QUEUE_LINK].stream != NULL || tsr__cuda_queue_open(c, TSR_QUEUE_LINK);
  tsr__cuda_leave(c);
  return has;
}

bool tsr__cuda_link_identify(tsr_device *d, unsigned char *id, char *why, size_t size)
{
  tsr_device_cuda *c = of(d);
  CUuuid uuid;
  if (!has_link_queue(c)) {
    snprintf(why, size, "%s", d->message);
    return false;
  }
  const CUresult result = c->driver.cuDeviceGetUuid(&uuid, c->device);
  if (result == CUDA_SUCCESS) {
    memcpy(id, uuid.bytes, sizeof uuid.bytes);
    return true;
  }
  char text[160];
  tsr__cuda_driver_explain(&c->driver, result, text, sizeof text);
  snprintf(why, size, "%s gives %s", TSR_CUDA_NAME(cuDeviceGetUuid), text);
  return false;
}
