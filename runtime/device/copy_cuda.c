/* Copies of the device `cuda`. Rows of adjacent bytes are copied; rows of equal length that lie
 * equally far apart in each memory are one copy of two dimensions, along the longest such axis.
 * Points that lie in no rows are rows of one element each.
 *
 * The host's memory may be pageable. Then the driver may read it when the copy is asked for, before
 * what the copy's queue follows is over. So a copy from pageable memory is asked for only when all
 * copies to pageable memory that its queue follows are over. Memory that is pinned (pins.h) is read
 * and written in the queue's order, and what is pinned once is never pageable again. */
#include "runtime/device/cuda_int.h"

#include "runtime/base/walk.h"

/** A copy, and what its parts have in common. */
typedef struct copy_job {
  tsr_device_cuda *c;
  CUstream stream;
  tsr_direction direction;
  CUcontext from; /* of the memory that a copy between two devices reads; else NULL */
} copy_job;

static CUdeviceptr address(const void *p)
{
  return (CUdeviceptr)(uintptr_t)p;
}

static bool copy_run(const copy_job *j, char *dst, const char *src, size_t n)
{
  tsr_device_cuda *c = j->c;
  if (j->from != NULL)
    return TSR_CUDA_CALL(c, cuMemcpyPeerAsync,
                         (address(dst), c->context, address(src), j->from, n, j->stream));
  if (j->direction == TSR_COPY_IN)
    return TSR_CUDA_CALL(c, cuMemcpyHtoDAsync, (address(dst), src, n, j->stream));
  if (j->direction == TSR_COPY_OUT)
    return TSR_CUDA_CALL(c, cuMemcpyDtoHAsync, (dst, address(src), n, j->stream));
  return TSR_CUDA_CALL(c, cuMemcpyDtoDAsync, (address(dst), address(src), n, j->stream));
}

/** Rows of `width` bytes, so many bytes apart. */
typedef struct copy_rows {
  size_t width, n;
  int64_t dst, src;
} copy_rows;

static CUresult copy_rows_peer(const copy_job *j, char *dst, const char *src, const copy_rows *r)
{
  const CUDA_MEMCPY3D_PEER copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                                   .srcDevice = address(src),
                                   .srcContext = j->from,
                                   .srcPitch = (size_t)r->src,
                                   .srcHeight = r->n,
                                   .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                                   .dstDevice = address(dst),
                                   .dstContext = j->c->context,
                                   .dstPitch = (size_t)r->dst,
                                   .dstHeight = r->n,
                                   .WidthInBytes = r->width,
                                   .Height = r->n,
                                   .Depth = 1};
  return j->c->driver.cuMemcpy3DPeerAsync(&copy, j->stream);
}

static CUresult copy_rows_own(const copy_job *j, char *dst, const char *src, const copy_rows *r)
{
  CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                        .srcDevice = address(src),
                        .srcPitch = (size_t)r->src,
                        .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                        .dstDevice = address(dst),
                        .dstPitch = (size_t)r->dst,
                        .WidthInBytes = r->width,
                        .Height = r->n};
  if (j->direction == TSR_COPY_IN) {
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = src;
  } else if (j->direction == TSR_COPY_OUT) {
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = dst;
  }
  return j->c->driver.cuMemcpy2DAsync(&copy, j->stream);
}

/* Copies rows together. The driver may refuse rows of one device that are not as far apart as it
 * likes; then they are copied one by one. */
static bool copy_together(const copy_job *j, char *dst, const char *src, const copy_rows *r)
{
  const CUresult result =
      j->from != NULL ? copy_rows_peer(j, dst, src, r) : copy_rows_own(j, dst, src, r);
  if (result != CUDA_ERROR_INVALID_VALUE)
    return tsr__cuda_worked(
        j->c, j->from != NULL ? TSR_CUDA_NAME(cuMemcpy3DPeerAsync) : TSR_CUDA_NAME(cuMemcpy2DAsync),
        result);
  for (size_t i = 0; i < r->n; i++)
    if (!copy_run(j, dst + (int64_t)i * r->dst, src + (int64_t)i * r->src, r->width)) return false;
  return true;
}

/* Lets axes that go backwards in both memories go forwards. */
static void turn_axes(tsr_copy_axes *a, char **dst, const char **src)
{
  for (int k = 0; k < a->n_axes; k++) {
    if (a->dst[k] >= 0 || a->src[k] >= 0) continue;
    *dst += (a->n[k] - 1) * a->dst[k];
    *src += (a->n[k] - 1) * a->src[k];
    a->dst[k] = -a->dst[k];
    a->src[k] = -a->src[k];
  }
}

static void swap(int64_t *v, int a, int b)
{
  const int64_t swapped = v[a];
  v[a] = v[b];
  v[b] = swapped;
}

/* Moves the longest axis along which rows of `width` bytes can be copied together to the place
 * `first`. Returns whether there is one. */
static bool find_rows(const copy_job *j, tsr_copy_axes *a, int first, int64_t width)
{
  int best = -1;
  for (int k = first; k < a->n_axes; k++) {
    const int64_t least = a->dst[k] < a->src[k] ? a->dst[k] : a->src[k];
    const int64_t most = a->dst[k] < a->src[k] ? a->src[k] : a->dst[k];
    if (least < width || most > j->c->most_pitch || a->n[k] < 2) continue;
    if (best < 0 || a->n[k] > a->n[best]) best = k;
  }
  if (best < 0) return false;
  swap(a->n, first, best);
  swap(a->dst, first, best);
  swap(a->src, first, best);
  return true;
}

static void copy_points(const copy_job *j, const tsr_points *points)
{
  tsr_copy_axes a;
  if (!tsr__points_axes(points, &a)) return;
  char *dst = points->dst;
  const char *src = points->src;
  turn_axes(&a, &dst, &src);
  const int64_t elem = (int64_t)points->elem_bytes;
  const bool is_run = a.n[0] == 1 || (a.dst[0] == elem && a.src[0] == elem);
  const int first = is_run ? 1 : 0;
  copy_rows rows = {.width = (size_t)(is_run ? a.n[0] * elem : elem), .n = 1};
  const bool together = find_rows(j, &a, first, (int64_t)rows.width);
  if (together) rows = (copy_rows){rows.width, (size_t)a.n[first], a.dst[first], a.src[first]};
  tsr_walk w = tsr__walk_inner_first(first + (together ? 1 : 0), a.n_axes, a.n);
  for (;;) {
    const bool worked =
        together ? copy_together(j, dst, src, &rows) : copy_run(j, dst, src, rows.width);
    const int k = worked ? tsr__walk_next(&w) : -1;
    if (k < 0) return;
    dst += tsr__walk_change(&w, k, a.dst);
    src += tsr__walk_change(&w, k, a.src);
  }
}

/* Is the host's memory of a copy pinned? */
static bool is_pinned(const tsr_device *d, tsr_direction direction, const tsr_points *points)
{
  return tsr__pins_use(d->pins, direction == TSR_COPY_IN ? points->src : points->dst,
                       tsr__points_bytes(points));
}

/* Waits for the copies to pageable memory of the host that the queue follows. */
static void wait_for_writes(tsr_device_cuda *c, tsr_queue queue)
{
  for (int i = 0; i < TSR_N_QUEUES; i++) {
    const uint64_t follows = __atomic_load_n(&c->queues[queue].follows[i], __ATOMIC_ACQUIRE);
    const uint64_t writes = __atomic_load_n(&c->queues[i].writes_host, __ATOMIC_ACQUIRE);
    const tsr_device_event event = {follows < writes ? follows : writes, (tsr_queue)i};
    if (i != (int)queue && event.number > 0) tsr__cuda_wait(&c->base, event);
  }
}

void tsr__cuda_copy(tsr_device *d, tsr_queue queue, tsr_direction direction,
                    const tsr_points *points)
{
  tsr_device_cuda *c = (tsr_device_cuda *)d;
  tsr_cuda_queue *q = &c->queues[queue];
  const bool is_pageable = direction != TSR_COPY_WITHIN && !is_pinned(d, direction, points);
  if (direction == TSR_COPY_IN && is_pageable) wait_for_writes(c, queue);
  if (!tsr__cuda_enter(c)) return;
  copy_points(&(copy_job){.c = c, .stream = q->stream, .direction = direction}, points);
  if (direction == TSR_COPY_OUT && is_pageable)
    __atomic_store_n(&q->writes_host, __atomic_load_n(&q->n_recorded, __ATOMIC_ACQUIRE) + 1,
                     __ATOMIC_RELEASE);
  tsr__cuda_queue_note(q);
  tsr__cuda_leave(c);
}

void tsr__cuda_copy_peer(tsr_device *d, tsr_queue queue, tsr_device *from, const tsr_points *points)
{
  tsr_device_cuda *c = (tsr_device_cuda *)d, *other = (tsr_device_cuda *)from;
  const CUcontext context = other->context != c->context ? other->context : NULL;
  if (!tsr__cuda_enter(c)) return;
  copy_points(
      &(copy_job){
          .c = c, .stream = c->queues[queue].stream, .direction = TSR_COPY_WITHIN, .from = context},
      points);
  tsr__cuda_queue_note(&c->queues[queue]);
  tsr__cuda_leave(c);
}
