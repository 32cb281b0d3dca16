/* The context of a device `cuda`, which every call of the driver makes the calling thread's and takes
 * back. It is made when something is first asked of the device. */
#include "runtime/device/cuda_int.h"

#include "runtime/base/error.h"

#include <stdio.h>

bool tsr__cuda_is_of_kernel(CUresult result)
{
  return result == CUDA_ERROR_ILLEGAL_ADDRESS || result == CUDA_ERROR_LAUNCH_TIMEOUT ||
         result == CUDA_ERROR_ASSERT || result == CUDA_ERROR_HARDWARE_STACK_ERROR ||
         result == CUDA_ERROR_ILLEGAL_INSTRUCTION || result == CUDA_ERROR_MISALIGNED_ADDRESS ||
         result == CUDA_ERROR_INVALID_ADDRESS_SPACE || result == CUDA_ERROR_INVALID_PC ||
         result == CUDA_ERROR_LAUNCH_FAILED;
}

bool tsr__cuda_worked(tsr_device_cuda *c, const char *call, CUresult result)
{
  if (result == CUDA_SUCCESS) return true;
  char text[200];
  tsr__cuda_driver_explain(&c->driver, result, text, sizeof text);
  tsr__device_fail(&c->base, TSR_ERR_INTERNAL, "%s gives %s%s", call, text,
                   tsr__cuda_is_of_kernel(result)
                       ? ": a kernel failed\nhelp: run the program under `compute-sanitizer`"
                       : "");
  return false;
}

static CUcontext context_of(const tsr_device_cuda *c)
{
  return __atomic_load_n(&c->context, __ATOMIC_ACQUIRE);
}

/* Makes the device's context and its streams. A system that refuses the context says why, and the
 * device is as it was. Called under the lock. */
static bool make_context(tsr_device_cuda *c, char *why, size_t size)
{
  CUcontext made = NULL;
  const CUresult result = c->driver.cuDevicePrimaryCtxRetain(&made, c->device);
  if (result != CUDA_SUCCESS) {
    char text[200];
    tsr__cuda_driver_explain(&c->driver, result, text, sizeof text);
    snprintf(why, size, "%s gives %s", TSR_CUDA_NAME(cuDevicePrimaryCtxRetain), text);
    return false;
  }
  if (TSR_CUDA_CALL(c, cuCtxPushCurrent, (made))) {
    tsr__cuda_queues_open(c);
    tsr__cuda_leave(c);
  }
  __atomic_store_n(&c->base.waits, false, __ATOMIC_RELAXED);
  __atomic_store_n(&c->context, made, __ATOMIC_RELEASE);
  return true;
}

bool tsr__cuda_has_context(tsr_device_cuda *c, char *why, size_t size)
{
  if (context_of(c) != NULL) return true;
  pthread_mutex_lock(&c->context_lock);
  const bool has = context_of(c) != NULL ||
                   (tsr__device_status(&c->base) == TSR_OK && make_context(c, why, size));
  pthread_mutex_unlock(&c->context_lock);
  return has;
}

bool tsr__cuda_enter_always(tsr_device_cuda *c)
{
  const CUcontext context = context_of(c);
  return context != NULL && c->driver.cuCtxPushCurrent(context) == CUDA_SUCCESS;
}

bool tsr__cuda_enter(tsr_device_cuda *c)
{
  char why[300] = "";
  if (tsr__device_status(&c->base) < 0) return false;
  if (!tsr__cuda_has_context(c, why, sizeof why))
    tsr__device_fail(&c->base, TSR_ERR_INTERNAL, "%s", why);
  if (tsr__device_status(&c->base) < 0) return false;
  return TSR_CUDA_CALL(c, cuCtxPushCurrent, (context_of(c)));
}

void tsr__cuda_leave(tsr_device_cuda *c)
{
  CUcontext left;
  TSR_CUDA_CALL(c, cuCtxPopCurrent, (&left));
}

bool tsr__cuda_is_to_repeat(tsr_device_cuda *c, CUresult result)
{
  return result == CUDA_ERROR_OUT_OF_MEMORY && tsr__device_pool_trim(c->pool);
}
