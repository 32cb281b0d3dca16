/* Finds NVRTC's library where the loader finds it, or where NVIDIA's toolkit puts it. */
#include "runtime/device/nvrtc_library.h"

#include <dlfcn.h>
#include <stdio.h>

void *tsr__nvrtc_library_open(char *why, size_t size)
{
  static const char *const names[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
                                      "/usr/local/cuda/lib64/libnvrtc.so",
                                      "/usr/local/cuda/lib/libnvrtc.so"};
  void *library = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && library == NULL; i++)
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == NULL)
    snprintf(why, size, "libnvrtc.so is not on this machine, or not where the loader finds it");
  return library;
}

bool tsr__nvrtc_is_here(char *why, size_t size)
{
  void *library = tsr__nvrtc_library_open(why, size);
  if (library != NULL) dlclose(library);
  return library != NULL;
}
