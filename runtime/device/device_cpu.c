/* The host's memory as a device, which the other kinds are compared with. Its arrays are in the
 * pool (memory.c), which keeps what is freed. */
#include "runtime/device/device.h"
#include "runtime/base/alloc.h"

#include <stdlib.h>

typedef struct device_cpu {
  tsr_device base;
  size_t limit_bytes, in_use_bytes; /* atomic */
} device_cpu;

static int cpu_count(char *why, size_t size)
{
  (void)why, (void)size;
  return 1;
}

static tsr_status cpu_open(int number, size_t limit_bytes, tsr_device **out, char *message,
                           size_t size)
{
  (void)message, (void)size;
  device_cpu *c = tsr__calloc(1, sizeof *c);
  c->base = (tsr_device){.ops = &tsr__device_cpu, .number = number};
  c->limit_bytes = limit_bytes;
  *out = &c->base;
  return TSR_OK;
}

static void cpu_close(tsr_device *d)
{
  free(d);
}

static void cpu_free(tsr_device *d, void *p, size_t bytes)
{
  if (p == NULL) return;
  __atomic_sub_fetch(&((device_cpu *)d)->in_use_bytes, bytes, __ATOMIC_RELAXED);
  free(p);
}

static void *cpu_alloc(tsr_device *d, size_t bytes)
{
  enum { ALIGN = 64 };
  device_cpu *c = (device_cpu *)d;
  const size_t in_use = __atomic_add_fetch(&c->in_use_bytes, bytes, __ATOMIC_RELAXED);
  void *p = NULL;
  if (c->limit_bytes == 0 || in_use <= c->limit_bytes)
    p = aligned_alloc(ALIGN, (bytes / ALIGN + 1) * ALIGN);
  if (p == NULL) __atomic_sub_fetch(&c->in_use_bytes, bytes, __ATOMIC_RELAXED);
  return p;
}

static void cpu_copy(tsr_device *d, tsr_queue queue, tsr_direction direction,
                     const tsr_points *points)
{
  (void)d, (void)queue, (void)direction;
  tsr__points_copy(points);
}

static void cpu_launch(tsr_device *d, tsr_device_fn fn, void *arg)
{
  fn(arg, d);
}

const tsr_device_ops tsr__device_cpu = {
    .name = "cpu",
    .caps = TSR_DEVICE_IS_HOST | TSR_DEVICE_RUNS_C,
    .about = "the host's memory and cores",
    .count = cpu_count,
    .open = cpu_open,
    .close = cpu_close,
    .alloc = cpu_alloc,
    .free = cpu_free,
    .copy = cpu_copy,
    .launch = cpu_launch,
};
