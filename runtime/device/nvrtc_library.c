/* Finds NVRTC's library where the loader finds it, or where NVIDIA's toolkit puts it. */
#include "runtime/device/nvrtc_library.h"

#include "runtime/base/library.h"

void *tsr__nvrtc_library_open(char *why, size_t size)
{
  static const char *const names[] = {"libnvrtc.so",
                                      "libnvrtc.so.13",
                                      "libnvrtc.so.12",
                                      "/usr/local/cuda/lib64/libnvrtc.so",
                                      "/usr/local/cuda/lib/libnvrtc.so",
                                      NULL};
  return tsr__library_open(names, why, size);
}

bool tsr__nvrtc_is_available(char *why, size_t size)
{
  void *library = tsr__nvrtc_library_open(why, size);
  if (library != NULL) dlclose(library);
  return library != NULL;
}
