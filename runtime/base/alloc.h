/* Memory for plans and tables, which must exist. */
#ifndef TSR_ALLOC_H
#define TSR_ALLOC_H

#include "tessera/base.h"

/** For data that must exist (plans, tables): malloc/calloc/realloc/strdup that end the process with
 * a message that names the size when the system refuses. Array data never comes from here. */
void *tsr__malloc(size_t bytes);
void *tsr__calloc(size_t n, size_t bytes);
void *tsr__realloc(void *p, size_t bytes);
char *tsr__strdup(const char *s);

void *tsr__grow_to(void *v, int32_t *capacity, int32_t needed, size_t elem_bytes);
/** Returns an array of this memory, or NULL for one that is empty, with memory for `needed`
 * elements: where `capacity` counts fewer, reallocated for twice as many as it had, or more. */
static inline void *tsr__grow(void *v, int32_t *capacity, int32_t needed, size_t elem_bytes)
{
  return needed <= *capacity ? v : tsr__grow_to(v, capacity, needed, elem_bytes);
}

/** The least multiple of `unit` that is not below `bytes`. */
static inline size_t tsr__round_up(size_t bytes, size_t unit)
{
  return (bytes + unit - 1) / unit * unit;
}

#endif
