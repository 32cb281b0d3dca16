/* Memory of the device `check`: shared memory, mapped twice. Where alloc says that memory
 * is, nobody may touch it; the view, shift_bytes further, is for the device's queue. Private to the
 * runtime. */
#ifndef TSR_CHECK_MEMORY_H
#define TSR_CHECK_MEMORY_H

#include "tessera/base.h"

typedef struct tsr_check_memory tsr_check_memory;

/** limit_bytes: most that is handed out; 0: none. NULL if the system refuses. */
tsr_check_memory *tsr__check_memory_create(size_t limit_bytes);
void tsr__check_memory_destroy(tsr_check_memory *m); /* NULL is ignored */
ptrdiff_t tsr__check_memory_shift(const tsr_check_memory *m);
/** All bits of it set: a NaN in every format. NULL over the limit. Freed addresses come back only
 * after all others have been handed out. Thread-safe, as the next two. */
void *tsr__check_memory_alloc(tsr_check_memory *m, size_t bytes);
/** What is wrong with freeing it; NULL: nothing, and it is free. */
const char *tsr__check_memory_free(tsr_check_memory *m, const void *p, size_t bytes);
/** What is wrong with using these bytes; NULL: they are in one live block. */
const char *tsr__check_memory_uses(tsr_check_memory *m, const void *p, size_t bytes);

#endif
