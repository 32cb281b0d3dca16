/* Keeps a GPU's context for as long as a process lives. The library gives its context back with
 * each world, and to make one takes some 0.15 s, which is most of what a short test takes. */
#ifndef TESSERA_TEST_KEEP_GPU_H
#define TESSERA_TEST_KEEP_GPU_H

#include <dlfcn.h>
#include <string.h>

/** Holds the primary context of the first device, if there is a driver. */
static inline void keep_gpu(void)
{
  int (*init)(unsigned) = NULL, (*get)(int *, int) = NULL, (*retain)(void **, int) = NULL;
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE), *context;
  if (driver == NULL) return;
  void *const found[] = {dlsym(driver, "cuInit"), dlsym(driver, "cuDeviceGet"),
                         dlsym(driver, "cuDevicePrimaryCtxRetain")};
  int device = 0;
  memcpy(&init, &found[0], sizeof init);
  memcpy(&get, &found[1], sizeof get);
  memcpy(&retain, &found[2], sizeof retain);
  if (init && get && retain && init(0) == 0 && get(&device, 0) == 0) (void)retain(&context, device);
}

#endif
