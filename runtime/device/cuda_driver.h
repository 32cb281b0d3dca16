/* The driver of NVIDIA's devices, found when it is needed: a build that has CUDA's header runs on
 * machines without a driver. Private; only files that are built with the header include it. */
#ifndef TSR_CUDA_DRIVER_H
#define TSR_CUDA_DRIVER_H

#include <cuda.h>
#include <stdbool.h>
#include <stddef.h>

/** The entries that are needed, E(name) each, with the names that the header's macros give them:
 * cuMemAlloc is cuMemAlloc_v2. */
#define TSR_CUDA_ENTRIES(E)                                                                        \
  E(cuInit)                                                                                        \
  E(cuGetErrorName)                                                                                \
  E(cuGetErrorString)                                                                              \
  E(cuDeviceGetCount)                                                                              \
  E(cuDeviceGet)                                                                                   \
  E(cuDeviceGetAttribute)                                                                          \
  E(cuDeviceTotalMem)                                                                              \
  E(cuDeviceGetUuid)                                                                               \
  E(cuDevicePrimaryCtxRetain)                                                                      \
  E(cuDevicePrimaryCtxRelease)                                                                     \
  E(cuCtxPushCurrent)                                                                              \
  E(cuCtxPopCurrent)                                                                               \
  E(cuStreamCreate)                                                                                \
  E(cuStreamDestroy)                                                                               \
  E(cuStreamSynchronize)                                                                           \
  E(cuStreamQuery)                                                                                 \
  E(cuStreamWaitEvent)                                                                             \
  E(cuEventCreate)                                                                                 \
  E(cuEventDestroy)                                                                                \
  E(cuEventRecord)                                                                                 \
  E(cuEventQuery)                                                                                  \
  E(cuEventSynchronize)                                                                            \
  E(cuMemAlloc)                                                                                    \
  E(cuMemFree)                                                                                     \
  E(cuMemHostRegister)                                                                             \
  E(cuMemHostUnregister)                                                                           \
  E(cuMemcpyHtoDAsync)                                                                             \
  E(cuMemcpyDtoHAsync)                                                                             \
  E(cuMemcpyDtoDAsync)                                                                             \
  E(cuMemcpy2DAsync)                                                                               \
  E(cuMemcpyPeerAsync)                                                                             \
  E(cuMemcpy3DPeerAsync)                                                                           \
  E(cuModuleLoadData)                                                                              \
  E(cuModuleUnload)                                                                                \
  E(cuModuleGetFunction)                                                                           \
  E(cuFuncSetAttribute)                                                                            \
  E(cuLaunchKernel)                                                                                \
  E(cuGraphCreate)                                                                                 \
  E(cuGraphAddKernelNode)                                                                          \
  E(cuGraphInstantiate)                                                                            \
  E(cuGraphExecKernelNodeSetParams)                                                                \
  E(cuGraphLaunch)                                                                                 \
  E(cuGraphExecDestroy)                                                                            \
  E(cuGraphDestroy)

#define TSR_CUDA_MEMBER(name) __typeof__(name) *name;

/** The driver. Its members have the names of its entries. */
typedef struct tsr_cuda_driver {
  void *library;
  TSR_CUDA_ENTRIES(TSR_CUDA_MEMBER)
} tsr_cuda_driver;

/** Find the driver's library and its entries, and initialise it. The library stays in the process,
 * for its threads may be anywhere in it. Returns false, with the reason in `why`, if a machine has
 * no driver, or one that lacks an entry or cannot work. */
bool tsr__cuda_driver_open(tsr_cuda_driver *driver, char *why, size_t size);
void tsr__cuda_driver_close(tsr_cuda_driver *driver);
/** Write what a result means, "CUDA_ERROR_OUT_OF_MEMORY (out of memory)". */
void tsr__cuda_driver_explain(const tsr_cuda_driver *driver, CUresult result, char *text,
                              size_t size);

#endif
