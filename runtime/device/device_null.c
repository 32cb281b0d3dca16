/* The device `null`: allocations are numbers, nothing is copied or run, and what is read is 0. A
 * program then takes the time of recording and planning alone. */
#include "runtime/device/device.h"
#include "runtime/base/alloc.h"

#include <stdlib.h>
#include <string.h>

typedef struct device_null {
  tsr_device base;
  uint64_t next; /* address to hand out; atomic */
  size_t limit_bytes, in_use_bytes;
} device_null;

static tsr_status null_open(int number, size_t limit_bytes, tsr_device **out, char *message,
                            size_t size)
{
  (void)message, (void)size;
  device_null *n = tsr__calloc(1, sizeof *n);
  n->base = (tsr_device){.ops = &tsr__device_null, .number = number};
  n->next = UINT64_C(1) << 40;
  n->limit_bytes = limit_bytes;
  *out = &n->base;
  return TSR_OK;
}

static void null_close(tsr_device *d)
{
  free(d);
}

static void *null_alloc(tsr_device *d, size_t bytes)
{
  enum { STEP = 64 };
  device_null *n = (device_null *)d;
  const size_t in_use = __atomic_add_fetch(&n->in_use_bytes, bytes, __ATOMIC_RELAXED);
  if (n->limit_bytes > 0 && in_use > n->limit_bytes) {
    __atomic_sub_fetch(&n->in_use_bytes, bytes, __ATOMIC_RELAXED);
    return NULL;
  }
  const uint64_t taken = (bytes / STEP + 1) * STEP;
  return (void *)(uintptr_t)__atomic_fetch_add(&n->next, taken, __ATOMIC_RELAXED);
}

static void null_free(tsr_device *d, void *p, size_t bytes)
{
  if (p != NULL) __atomic_sub_fetch(&((device_null *)d)->in_use_bytes, bytes, __ATOMIC_RELAXED);
}

static void null_copy(tsr_device *d, tsr_queue queue, tsr_direction direction,
                      const tsr_points *points)
{
  (void)d, (void)queue;
  static const char zeros[16];
  if (direction != TSR_COPY_OUT) return;
  tsr_points p = *points;
  p.src = zeros;
  memset(p.src_step, 0, sizeof p.src_step);
  tsr__points_copy(&p);
}

static void null_launch(tsr_device *d, tsr_device_fn fn, void *arg)
{
  (void)d, (void)fn, (void)arg;
}

const tsr_device_ops tsr__device_null = {
    .name = "null",
    .caps = TSR_DEVICE_IS_NULL,
    .about = "nothing is stored or computed: plans alone; every value that is read is 0",
    .open = null_open,
    .close = null_close,
    .alloc = null_alloc,
    .free = null_free,
    .copy = null_copy,
    .launch = null_launch,
};
