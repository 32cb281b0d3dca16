/* The library's version. CMake says it (cmake/TesseraTargets.cmake). */
#include "tessera/context.h"

const char *tsr_version(void)
{
  return TSR_VERSION;
}
