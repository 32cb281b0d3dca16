/* Finds the driver of NVIDIA's devices by dlopen. Its entries have the types of CUDA's header, and
 * the names that the header's macros expand to, which every later driver keeps. */
#include "runtime/device/cuda_driver.h"
#include "runtime/base/library.h"

#include <dlfcn.h>
#include <stdio.h>

static const char library_name[] = "libcuda.so.1";

#define TEXT_OF(name) #name
/* Sets `lacks` to the entry's name if the driver has no such entry. */
#define FIND_ENTRY(name)                                                                           \
  if (!tsr__library_find(driver->library, TEXT_OF(name), &driver->name)) lacks = TEXT_OF(name);

/* Returns the name of an entry that the driver lacks; NULL: it has all. */
static const char *find_all(tsr_cuda_driver *driver)
{
  const char *lacks = NULL;
  TSR_CUDA_ENTRIES(FIND_ENTRY)
  return lacks;
}

/* Why cuInit may have given a result. A process that used CUDA leaves its children without it. */
static const char *reason_of(CUresult result)
{
  switch (result) {
  case CUDA_ERROR_NO_DEVICE:
    return "there is no device";
  case CUDA_ERROR_NOT_INITIALIZED:
    return "the process was forked after CUDA had been used in it";
  default:
    return "the driver does not work";
  }
}

bool tsr__cuda_driver_open(tsr_cuda_driver *driver, char *why, size_t size)
{
  *driver = (tsr_cuda_driver){.library = NULL};
  driver->library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (driver->library == NULL) {
    snprintf(why, size, "%s, the driver, is not on this machine, or not where the loader finds it",
             library_name);
    return false;
  }
  const char *lacks = find_all(driver);
  if (lacks != NULL) {
    snprintf(why, size, "the driver (%s) is too old: it lacks %s", library_name, lacks);
  } else {
    char text[200];
    const CUresult result = driver->cuInit(0);
    if (result == CUDA_SUCCESS) return true;
    tsr__cuda_driver_explain(driver, result, text, sizeof text);
    snprintf(why, size, "%s: cuInit gives %s", reason_of(result), text);
  }
  tsr__cuda_driver_close(driver);
  return false;
}

void tsr__cuda_driver_close(tsr_cuda_driver *driver)
{
  if (driver->library != NULL) dlclose(driver->library);
  *driver = (tsr_cuda_driver){.library = NULL};
}

void tsr__cuda_driver_explain(const tsr_cuda_driver *driver, CUresult result, char *text,
                              size_t size)
{
  const char *name = NULL, *meaning = NULL;
  if (driver->cuGetErrorName(result, &name) != CUDA_SUCCESS || name == NULL)
    snprintf(text, size, "error %d", (int)result);
  else if (driver->cuGetErrorString(result, &meaning) != CUDA_SUCCESS || meaning == NULL)
    snprintf(text, size, "%s", name);
  else
    snprintf(text, size, "%s (%s)", name, meaning);
}
