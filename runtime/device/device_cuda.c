/* The device `cuda`: an NVIDIA device, by its driver. A device of Tessera has three streams and a
 * pool of memory in the device's primary context, which it shares with other places on the same
 * device and with other libraries of the process. Every call makes the context the calling
 * thread's, and leaves the thread with the one that it had. A call of the driver that fails is the
 * device's failure; what is asked for after that does nothing. */
#include "runtime/device/cuda_int.h"

#include "runtime/base/alloc.h"
#include "runtime/base/error.h"
#include "runtime/device/nvrtc_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USED_PERCENT = 90 }; /* of a device's memory */

static tsr_device_cuda *of(tsr_device *d)
{
  return (tsr_device_cuda *)d;
}

/* Memory. */

static void *take(void *context, size_t bytes)
{
  tsr_device_cuda *c = context;
  CUdeviceptr p = 0;
  if (!tsr__cuda_enter(c)) return NULL;
  const CUresult result = c->driver.cuMemAlloc(&p, bytes);
  if (result != CUDA_ERROR_OUT_OF_MEMORY) tsr__cuda_worked(c, TSR_CUDA_NAME(cuMemAlloc), result);
  tsr__cuda_leave(c);
  return result == CUDA_SUCCESS ? (void *)(uintptr_t)p : NULL;
}

/* Where plans run on behind the host (tsr__device_runs_on), the queue of kernels may still use what
 * was freed; else it is empty at the end of each run. */
static void give(void *context, void *p)
{
  tsr_device_cuda *c = context;
  if (!tsr__cuda_enter_always(c)) return;
  if (tsr__device_runs_on(&c->base))
    TSR_CUDA_CALL(c, cuStreamSynchronize, (c->queues[TSR_QUEUE_RUN].stream));
  TSR_CUDA_CALL(c, cuMemFree, ((CUdeviceptr)(uintptr_t)p));
  tsr__cuda_leave(c);
}

static void *cuda_alloc(tsr_device *d, size_t bytes)
{
  return tsr__device_status(d) < 0 ? NULL : tsr__device_pool_alloc(of(d)->pool, bytes);
}

static void cuda_free(tsr_device *d, void *p, size_t bytes)
{
  if (p == NULL || tsr__device_pool_free(of(d)->pool, p, bytes)) return;
  tsr__device_fail(d, TSR_ERR_INTERNAL, "%zu bytes are freed that were not allocated", bytes);
}

static bool cuda_pin(tsr_device *d, void *at, size_t bytes, char *why, size_t size)
{
  tsr_device_cuda *c = of(d);
  if (!tsr__cuda_enter(c)) {
    snprintf(why, size, "the device has failed");
    return false;
  }
  const CUresult result = c->driver.cuMemHostRegister(at, bytes, CU_MEMHOSTREGISTER_PORTABLE);
  if (result != CUDA_SUCCESS) {
    char text[160];
    tsr__cuda_driver_explain(&c->driver, result, text, sizeof text);
    snprintf(why, size, "%s gives %s", TSR_CUDA_NAME(cuMemHostRegister), text);
    if (tsr__cuda_is_of_kernel(result))
      tsr__cuda_worked(c, TSR_CUDA_NAME(cuMemHostRegister), result);
  }
  tsr__cuda_leave(c);
  return result == CUDA_SUCCESS;
}

static void cuda_unpin(tsr_device *d, void *at)
{
  tsr_device_cuda *c = of(d);
  if (!tsr__cuda_enter_always(c)) return;
  TSR_CUDA_CALL(c, cuMemHostUnregister, (at));
  tsr__cuda_leave(c);
}

/* Code. */

/* Returns the module of an image, which is loaded if its address is new. Called under the lock, in
 * the context. */
static const tsr_cuda_module *load_module(tsr_device_cuda *c, const void *image, CUresult *result)
{
  for (int i = 0; i < c->n_modules; i++)
    if (c->modules[i].image == image) return &c->modules[i];
  tsr_cuda_module made = {.image = image};
  do *result = c->driver.cuModuleLoadData(&made.module, image);
  while (tsr__cuda_is_to_repeat(c, *result));
  if (*result != CUDA_SUCCESS) return NULL;
  c->modules = tsr__grow(c->modules, &c->capacity, c->n_modules + 1, sizeof *c->modules);
  c->modules[c->n_modules++] = made;
  return &c->modules[c->n_modules - 1];
}

/* An image or a name that the driver refuses is the caller's; a failure of a kernel before it is
 * the device's, too. */
static void *cuda_load(tsr_device *d, const void *image, size_t bytes, const char *name,
                       uint32_t shared_bytes, char *message, size_t size)
{
  (void)bytes; /* the driver reads them off the image */
  tsr_device_cuda *c = of(d);
  if (!tsr__cuda_enter(c)) {
    snprintf(message, size, "%s", d->message);
    return NULL;
  }
  CUresult result = CUDA_SUCCESS;
  CUfunction function = NULL;
  const char *call = TSR_CUDA_NAME(cuModuleLoadData);
  pthread_mutex_lock(&c->modules_lock);
  const tsr_cuda_module *m = load_module(c, image, &result);
  if (m != NULL) {
    call = TSR_CUDA_NAME(cuModuleGetFunction);
    result = c->driver.cuModuleGetFunction(&function, m->module, name);
  }
  if (function != NULL && shared_bytes > 0) {
    call = TSR_CUDA_NAME(cuFuncSetAttribute);
    result = c->driver.cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                          (int)shared_bytes);
  }
  pthread_mutex_unlock(&c->modules_lock);
  if (result != CUDA_SUCCESS) {
    char text[200];
    function = NULL;
    tsr__cuda_driver_explain(&c->driver, result, text, sizeof text);
    snprintf(message, size, "device %s %d does not take the kernel `%s`: %s gives %s", d->ops->name,
             d->number, name, call, text);
    if (tsr__cuda_is_of_kernel(result)) tsr__cuda_worked(c, call, result);
  }
  tsr__cuda_leave(c);
  return function;
}

/* The driver knows of the kernel how many words there are, copies them and leaves them alone. */
static void cuda_launch_code(tsr_device *d, const tsr_code_launch *launch)
{
  tsr_device_cuda *c = of(d);
  tsr_cuda_queue *q = &c->queues[TSR_QUEUE_RUN];
  void *arguments[1];
  memcpy(&arguments[0], &launch->words, sizeof launch->words);
  if (!tsr__cuda_enter(c)) return;
  CUresult result;
  do
    result = c->driver.cuLaunchKernel((CUfunction)launch->code, launch->grid[0], launch->grid[1], 1,
                                      launch->threads, 1, 1, launch->shared_bytes, q->stream,
                                      arguments, NULL);
  while (tsr__cuda_is_to_repeat(c, result));
  tsr__cuda_worked(c, TSR_CUDA_NAME(cuLaunchKernel), result);
  tsr__cuda_queue_note(q);
  tsr__cuda_leave(c);
}

static const char *cuda_architecture(const tsr_device *d)
{
  return ((const tsr_device_cuda *)d)->architecture;
}

/* What a machine has. */

static int count_devices(const tsr_cuda_driver *driver, char *why, size_t size)
{
  int n = 0;
  const CUresult result = driver->cuDeviceGetCount(&n);
  if (result == CUDA_SUCCESS && n > 0) return n;
  if (result == CUDA_SUCCESS) {
    snprintf(why, size, "the driver knows no device");
  } else {
    char text[200];
    tsr__cuda_driver_explain(driver, result, text, sizeof text);
    snprintf(why, size, "%s gives %s", TSR_CUDA_NAME(cuDeviceGetCount), text);
  }
  return 0;
}

static int cuda_count(char *why, size_t size)
{
  tsr_cuda_driver driver;
  if (!tsr__cuda_driver_open(&driver, why, size)) return 0;
  const int n = count_devices(&driver, why, size);
  tsr__cuda_driver_close(&driver);
  return n;
}

static size_t usable_bytes(const tsr_cuda_driver *driver, CUdevice device)
{
  size_t bytes = 0;
  if (driver->cuDeviceTotalMem(&bytes, device) != CUDA_SUCCESS) return 0;
  return bytes / 100 * USED_PERCENT;
}

static size_t cuda_memory(int number)
{
  tsr_cuda_driver driver;
  char why[200];
  CUdevice device;
  size_t bytes = 0;
  if (!tsr__cuda_driver_open(&driver, why, sizeof why)) return 0;
  if (driver.cuDeviceGet(&device, number) == CUDA_SUCCESS) bytes = usable_bytes(&driver, device);
  tsr__cuda_driver_close(&driver);
  return bytes;
}

/* Opening and closing. */

static void cuda_close(tsr_device *d)
{
  if (d == NULL) return;
  tsr_device_cuda *c = of(d);
  if (tsr__cuda_enter_always(c)) {
    tsr__cublas_close(c->blas); /* before its stream */
    tsr__cuda_queues_close(c);
    c->base.runs_on = false;
    for (int i = 0; i < c->n_modules; i++) TSR_CUDA_CALL(c, cuModuleUnload, (c->modules[i].module));
    tsr__cuda_leave(c);
  }
  tsr__device_pool_destroy(c->pool);
  if (c->context != NULL) TSR_CUDA_CALL(c, cuDevicePrimaryCtxRelease, (c->device));
  tsr__cuda_driver_close(&c->driver);
  for (int i = 0; i < TSR_N_QUEUES_LINKED; i++) pthread_mutex_destroy(&c->queues[i].lock);
  pthread_mutex_destroy(&c->blas_lock);
  pthread_mutex_destroy(&c->modules_lock);
  pthread_mutex_destroy(&c->context_lock);
  free(c->modules);
  free(c);
}

/* Reads what the device is like. */
static bool read_attributes(tsr_device_cuda *c)
{
  int major = 0, minor = 0, pitch = 0;
  if (!TSR_CUDA_CALL(c, cuDeviceGetAttribute,
                     (&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, c->device)) ||
      !TSR_CUDA_CALL(c, cuDeviceGetAttribute,
                     (&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, c->device)) ||
      !TSR_CUDA_CALL(c, cuDeviceGetAttribute, (&pitch, CU_DEVICE_ATTRIBUTE_MAX_PITCH, c->device)))
    return false;
  snprintf(c->architecture, sizeof c->architecture, "sm_%d%d", major, minor);
  c->most_pitch = pitch;
  return true;
}

static tsr_status cuda_start(tsr_device *d, char *message, size_t size)
{
  char why[300] = "";
  const bool has = tsr__cuda_has_context(of(d), why, sizeof why);
  if (has && tsr__device_status(d) == TSR_OK) return TSR_OK;
  if (tsr__device_status(d) < 0)
    snprintf(message, size, "%s", d->message);
  else
    snprintf(message, size, "device %s %d: %s", d->ops->name, d->number, why);
  return TSR_ERR_MEMORY;
}

static tsr_status cuda_open(int number, size_t limit_bytes, tsr_device **out, char *message,
                            size_t size)
{
  tsr_device_cuda *c = tsr__calloc(1, sizeof *c);
  char why[300];
  c->base = (tsr_device){.ops = &tsr__device_cuda, .number = number};
  for (int i = 0; i < TSR_N_QUEUES_LINKED; i++) pthread_mutex_init(&c->queues[i].lock, NULL);
  pthread_mutex_init(&c->blas_lock, NULL);
  pthread_mutex_init(&c->modules_lock, NULL);
  pthread_mutex_init(&c->context_lock, NULL);
  tsr_status status = TSR_ERR_CONFIG;
  if (!tsr__cuda_driver_open(&c->driver, why, sizeof why)) {
    snprintf(message, size, "there is no device cuda: %s", why);
  } else if (!TSR_CUDA_CALL(c, cuDeviceGet, (&c->device, number)) || !read_attributes(c)) {
    status = TSR_ERR_MEMORY;
    snprintf(message, size, "%s", c->base.message);
  } else {
    const tsr_pool_source source = {.context = c, .take = take, .give = give};
    c->pool = tsr__device_pool_create(
        &source, limit_bytes > 0 ? limit_bytes : usable_bytes(&c->driver, c->device));
    *out = &c->base;
    return TSR_OK;
  }
  cuda_close(&c->base);
  return status;
}

const tsr_device_ops tsr__device_cuda = {
    .name = "cuda",
    .caps = TSR_DEVICE_COPIES_PEERS,
    .about = "NVIDIA's devices",
    .count = cuda_count,
    .memory = cuda_memory,
    .open = cuda_open,
    .start = cuda_start,
    .has_compiler = tsr__nvrtc_is_available,
    .close = cuda_close,
    .alloc = cuda_alloc,
    .free = cuda_free,
    .copy = tsr__cuda_copy,
    .copy_peer = tsr__cuda_copy_peer,
    .pin = cuda_pin,
    .unpin = cuda_unpin,
    .load = cuda_load,
    .launch_code = cuda_launch_code,
    .graph_make = tsr__cuda_graph_make,
    .graph_set = tsr__cuda_graph_set,
    .graph_put = tsr__cuda_graph_put,
    .graph_free = tsr__cuda_graph_free,
    .has_blas = tsr__cublas_is_available,
    .multiply = tsr__cublas_multiply,
    .architecture = cuda_architecture,
    .stream = tsr__cuda_stream,
    .record = tsr__cuda_record,
    .follow = tsr__cuda_follow,
    .is_over = tsr__cuda_is_over,
    .wait = tsr__cuda_wait,
};
