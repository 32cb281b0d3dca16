/* The ring that chunks are streamed through: part of a device's memory, in entries.
 *
 * Order: tasks count as done when they are in the queues, as everything on a device does. The
 * device's own memory is used only by the queue that runs, in order. The host's memory is read by
 * the queue in and written by the queue out. A read follows the earlier writes of other groups, and
 * of copies, that touch the same range of bytes; the others go on beside it, so that a block that
 * is copied back over its old values does not hold up the next one's way in, nor the kernels that
 * do not store what is copied. A write follows its kernel, which followed its reads, as the kernels
 * before it followed theirs. Chunks of one group do not use what others of them write, but the box
 * that is brought over for one may hold points that another writes; then these writes count,
 * too. */
#include "scheduler/run/streaming_ring.h"
#include "runtime/base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* Divides the ring into entries. */
static void lay_out_entries(tsr_streaming *streaming, tsr_device *d, const tsr_block *ring,
                            size_t least)
{
  int n = TSR_STREAMING_ENTRIES;
  while (n > 1 && ring->bytes / (size_t)n < least) n--;
  const size_t entry_bytes = ring->bytes / (size_t)n / TSR_STREAMING_UNIT * TSR_STREAMING_UNIT;
  if (streaming->n_entries == n && streaming->entry_bytes == entry_bytes &&
      streaming->entries[0].data == ring->data)
    return;
  /* An entry must not begin where an earlier run's last pieces are still under way. */
  for (int i = 0; i < streaming->n_entries; i++) tsr__device_wait(d, streaming->entries[i].over);
  streaming->next = 0;
  streaming->n_entries = n;
  streaming->entry_bytes = entry_bytes;
  for (int i = 0; i < n; i++)
    streaming->entries[i].data = (char *)ring->data + (size_t)i * entry_bytes;
}

bool tsr__streaming_open(tsr_scheduler *s, int here, size_t bytes, size_t least)
{
  const tsr_block *ring = tsr__residency_spare(s, here, TSR_SPARE_STREAMING, 0);
  if (ring->bytes < bytes) {
    tsr__residency_drop_spare(s, here, TSR_SPARE_STREAMING);
    ring = tsr__residency_spare(s, here, TSR_SPARE_STREAMING, bytes);
  }
  if (ring->bytes < bytes || bytes < least) return false;
  tsr_streaming *streaming = s->streaming[here];
  if (streaming == NULL) {
    streaming = s->streaming[here] = tsr__calloc(1, sizeof *streaming);
    pthread_mutex_init(&streaming->lock, NULL);
  }
  streaming->run = NULL; /* the ring may have been another plan's */
  lay_out_entries(streaming, s->world->places[here].device, ring, least);
  return true;
}

void tsr__streaming_destroy(tsr_scheduler *s, int here)
{
  tsr_streaming *streaming = s->streaming[here];
  if (streaming == NULL) return;
  for (int i = 0; i < TSR_STREAMING_ENTRIES; i++) {
    free(streaming->entries[i].at.base);
    free(streaming->entries[i].at.stride);
    free(streaming->entries[i].scalars);
  }
  free(streaming->streamed);
  free(streaming->streamed_of);
  pthread_mutex_destroy(&streaming->lock);
  free(streaming);
  s->streaming[here] = NULL;
}

/* The bytes from the first to the last of the points in one of the memories. */
static void range_of_points(const tsr_points *p, bool dst, const char **begin, const char **end)
{
  *begin = NULL; /* without points */
  const size_t bytes = tsr__points_extent(p, dst, begin);
  *end = *begin + bytes;
}

/* Forgets the oldest writes up to an event. */
static void forget_writes(tsr_streaming *streaming, uint64_t number)
{
  int n = 0;
  for (int i = 0; i < streaming->n_writes; i++)
    if (streaming->writes[i].over.number > number) streaming->writes[n++] = streaming->writes[i];
  streaming->n_writes = n;
}

/* Makes space for a write: of those that are not over, the two oldest become one. */
static void make_space(tsr_streaming *streaming, tsr_device *d)
{
  tsr_written *w = streaming->writes;
  if (streaming->n_writes < TSR_STREAMING_WRITES) return;
  for (int i = TSR_STREAMING_WRITES - 1; i >= 0; i--)
    if (tsr__device_is_over(d, w[i].over)) {
      forget_writes(streaming, w[i].over.number);
      return;
    }
  if (w[1].begin > w[0].begin) w[1].begin = w[0].begin;
  if (w[1].end < w[0].end) w[1].end = w[0].end;
  w[1].of_group = w[1].of_group && w[0].of_group;
  memmove(w, w + 1, (TSR_STREAMING_WRITES - 1) * sizeof *w);
  streaming->n_writes--;
}

void tsr__ring_note_write(tsr_run *run, tsr_streaming *streaming, const tsr_points *p,
                          bool of_group)
{
  make_space(streaming, run->device);
  tsr_written *w = &streaming->writes[streaming->n_writes++];
  *w = (tsr_written){.over = tsr__device_record(run->device, TSR_QUEUE_OUT), .of_group = of_group};
  range_of_points(p, true, &w->begin, &w->end);
}

void tsr__ring_follow_writes(tsr_run *run, tsr_streaming *streaming, const tsr_points *p,
                             bool by_chunk)
{
  const char *begin, *end;
  range_of_points(p, false, &begin, &end);
  for (int i = streaming->n_writes - 1; i >= 0; i--) {
    const tsr_written *w = &streaming->writes[i];
    if (w->end <= begin || end <= w->begin) continue;
    if (by_chunk && w->of_group && !streaming->entangled) continue;
    const tsr_device_event over = w->over;
    if (!tsr__device_is_over(run->device, over))
      tsr__device_follow(run->device, TSR_QUEUE_IN, over);
    __atomic_fetch_add(&run->plan->scheduler->counters.n_streamed_waits, 1, __ATOMIC_RELAXED);
    forget_writes(streaming, over.number);
    return;
  }
}

void tsr__ring_copy(tsr_run *run, tsr_queue queue, tsr_direction direction, const tsr_points *p)
{
  tsr__device_put_copy(run->device, queue, direction, p);
  __atomic_fetch_add(&run->plan->scheduler->counters.bytes_streamed, tsr__points_bytes(p),
                     __ATOMIC_RELAXED);
}

/* Lets the queue that runs wait for the first n copies of what is lent, and so for all before
 * them. */
static void take_first(tsr_run *run, tsr_streaming *streaming, int n)
{
  if (n == 0) return;
  tsr__device_follow(run->device, TSR_QUEUE_RUN, streaming->lent[n - 1].over);
  streaming->n_lent -= n;
  memmove(streaming->lent, streaming->lent + n, (size_t)streaming->n_lent * sizeof(tsr_lent));
}

void tsr__ring_take_back(tsr_run *run, tsr_streaming *streaming, const tsr_points *p)
{
  const char *begin, *end;
  range_of_points(p, false, &begin, &end);
  int n = streaming->n_lent;
  while (n > 0 && (streaming->lent[n - 1].end <= begin || end <= streaming->lent[n - 1].begin)) n--;
  if (n > 0 && n == streaming->n_lent)
    __atomic_fetch_add(&run->plan->scheduler->counters.n_streamed_stalls, 1, __ATOMIC_RELAXED);
  take_first(run, streaming, n);
}

/* Notes what the queue out was last told to read. Only where nothing but chunks and copies goes
 * into the queue that runs can that go on meanwhile. */
static void lend_points(tsr_run *run, tsr_streaming *streaming, const tsr_points *p)
{
  if (streaming->n_lent == TSR_STREAMING_LENT) take_first(run, streaming, 1);
  tsr_lent *l = &streaming->lent[streaming->n_lent++];
  l->over = tsr__device_record(run->device, TSR_QUEUE_OUT);
  range_of_points(p, false, &l->begin, &l->end);
  if (run->plan->n_messages > 0 || run->plan->n_reductions > 0)
    take_first(run, streaming, streaming->n_lent);
}

void tsr__streaming_take_back(tsr_run *run)
{
  tsr_streaming *streaming = run->plan->scheduler->streaming[run->plan->here];
  if (streaming == NULL || !run->binding->any_spilled) return;
  pthread_mutex_lock(&streaming->lock);
  take_first(run, streaming, streaming->n_lent);
  pthread_mutex_unlock(&streaming->lock);
}

void tsr__streaming_copy(tsr_run *run, tsr_move_kind kind, const tsr_points *points)
{
  tsr_device *d = run->device;
  tsr_streaming *streaming = run->plan->scheduler->streaming[run->plan->here];
  const tsr_queue queue = kind == TSR_MOVE_IN ? TSR_QUEUE_IN : TSR_QUEUE_OUT;
  TSR_ASSERT(streaming != NULL && (kind == TSR_MOVE_IN || kind == TSR_MOVE_OUT));
  tsr__run_note_queued(run);
  pthread_mutex_lock(&streaming->lock);
  if (kind == TSR_MOVE_IN) {
    tsr__ring_follow_writes(run, streaming, points, false);
    take_first(run, streaming, streaming->n_lent); /* it may write what is lent */
  }
  tsr__device_follow(d, queue, tsr__device_record(d, TSR_QUEUE_RUN));
  tsr__ring_copy(run, queue, (tsr_direction)kind, points);
  if (kind == TSR_MOVE_OUT) {
    tsr__ring_note_write(run, streaming, points, false);
    lend_points(run, streaming, points);
  } else {
    tsr__device_follow(d, TSR_QUEUE_RUN, tsr__device_record(d, queue));
  }
  pthread_mutex_unlock(&streaming->lock);
}
