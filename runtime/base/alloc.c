/* Allocations for memory that must exist: a refusal ends the process and names the size. */
#include "runtime/base/alloc.h"
#include "runtime/base/error.h"

#include <stdlib.h>
#include <string.h>

static void *or_die(void *p, size_t n, size_t bytes)
{
  if (p || n == 0 || bytes == 0) return p;
  if (n == 1) tsr__fatal("out of memory: the system refuses %zu bytes for the runtime", bytes);
  tsr__fatal("out of memory: the system refuses %zu times %zu bytes for the runtime", n, bytes);
}

void *tsr__malloc(size_t bytes)
{
  return or_die(malloc(bytes), 1, bytes);
}

void *tsr__calloc(size_t n, size_t bytes)
{
  return or_die(calloc(n, bytes), n, bytes);
}

void *tsr__realloc(void *p, size_t bytes)
{
  return or_die(realloc(p, bytes), 1, bytes);
}

void *tsr__grow_to(void *v, int32_t *capacity, int32_t needed, size_t elem_bytes)
{
  TSR_ASSERT(needed > *capacity);
  const int64_t twice = 2 * (int64_t)*capacity;
  *capacity = twice >= INT32_MAX ? INT32_MAX : (int32_t)twice;
  if (*capacity < needed) *capacity = needed;
  if (*capacity < 8) *capacity = 8;
  return tsr__realloc(v, (size_t)*capacity * elem_bytes);
}

char *tsr__strdup(const char *s)
{
  size_t n = strlen(s) + 1;
  return memcpy(tsr__malloc(n), s, n);
}
