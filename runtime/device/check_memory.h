/* Memory of the device `check`: shared memory that is mapped twice. Nobody may touch it at the
 * addresses that alloc gives; the view, shift_bytes further, is for the device's queue. Private. */
#ifndef TSR_CHECK_MEMORY_H
#define TSR_CHECK_MEMORY_H

#include "tessera/base.h"

typedef struct tsr_check_memory tsr_check_memory;

/** limit_bytes: the most that is handed out at once; 0: no limit. NULL if the system refuses. */
tsr_check_memory *tsr__check_memory_create(size_t limit_bytes);
/** The same in a file, for others that map it, too. Its offset 0 is where the range begins. */
tsr_check_memory *tsr__check_memory_create_in(int file, size_t limit_bytes);
/** Where the range of addresses begins. */
char *tsr__check_memory_base(const tsr_check_memory *m);
void tsr__check_memory_destroy(tsr_check_memory *m); /* NULL is ignored */
ptrdiff_t tsr__check_memory_shift(const tsr_check_memory *m);
/** Allocate a block with all bits set, which is a NaN in every format. NULL over the limit. Freed
 * addresses come back only after all others have been handed out. Thread-safe, as
 * tsr__check_memory_free and tsr__check_memory_uses are. */
void *tsr__check_memory_alloc(tsr_check_memory *m, size_t bytes);
/** Free a block. Returns NULL, or what is wrong with freeing it. */
const char *tsr__check_memory_free(tsr_check_memory *m, const void *p, size_t bytes);
/** Returns whether the address is one of the range that blocks come from. */
bool tsr__check_memory_has(const tsr_check_memory *m, const void *p);
/** Returns NULL if the bytes are in one live block, else what is wrong with using them. */
const char *tsr__check_memory_uses(tsr_check_memory *m, const void *p, size_t bytes);

#endif
