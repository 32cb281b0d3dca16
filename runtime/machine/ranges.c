/* NVTX by dlopen. Two entries are needed, which both of NVIDIA's libraries have that can be opened:
 * the one of NVTX 3 for other languages, and the one of CUDA up to 12. */
#include "runtime/machine/ranges.h"

#include "runtime/base/alloc.h"
#include "runtime/base/library.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct tsr_ranges {
  int (*push)(const char *name); /* each returns how deep the range lies */
  int (*pop)(void);
};

static void *open_library(void)
{
  static const char *const names[] = {"libnvtx3interop.so.1", "libnvtx3interop.so",
                                      "libnvToolsExt.so.1", "libnvToolsExt.so"};
  void *handle = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && handle == NULL; i++)
    handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  return handle;
}

tsr_ranges *tsr__ranges_open(char *why, size_t size)
{
  tsr_ranges found;
  void *handle = open_library();
  if (handle == NULL) {
    snprintf(why, size,
             "neither libnvtx3interop.so nor libnvToolsExt.so is where the loader looks");
    return NULL;
  }
  const bool has_all = tsr__library_find(handle, "nvtxRangePushA", &found.push) &&
                       tsr__library_find(handle, "nvtxRangePop", &found.pop);
  dlclose(handle); /* this only drops a reference: the library stays */
  if (!has_all) {
    snprintf(why, size, "its library lacks nvtxRangePushA or nvtxRangePop");
    return NULL;
  }
  tsr_ranges *r = tsr__malloc(sizeof *r);
  *r = found;
  return r;
}

void tsr__ranges_close(tsr_ranges *r)
{
  free(r);
}

void tsr__ranges_push(const tsr_ranges *r, const char *name)
{
  if (r != NULL) (void)r->push(name);
}

void tsr__ranges_pop(const tsr_ranges *r)
{
  if (r != NULL) (void)r->pop();
}
