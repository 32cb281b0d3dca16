/* Where tests keep the kernels that they compile: nowhere, or in the folder that TEST_CACHE names.
 * There one run of tests finds what another one has compiled, as when builds with and without a
 * sanitizer run the same tests. A kernel is found by all that decides its code, so the folder
 * changes no result. Tests of the compiler and of the cache use folders of their own. */
#ifndef TSR_TESTS_KEPT_H
#define TSR_TESTS_KEPT_H

#include <stdint.h>
#include <stdlib.h>

/* Enough for all kernels of all tests, so that none of them goes before the last run. */
#define KEPT_BYTES (INT64_C(4) << 30)

/** The folder, or `other` if there is none. */
static inline const char *kept_folder(const char *other)
{
  const char *folder = getenv("TEST_CACHE");
  return folder != NULL && folder[0] != 0 ? folder : other;
}

#endif
