/* Machine code of the device `check`: shared objects, whose functions run one block each.
 * Private. */
#ifndef TSR_CHECK_CODE_H
#define TSR_CHECK_CODE_H

#include "runtime/device/blocks.h"

typedef struct tsr_check_code tsr_check_code;

tsr_check_code *tsr__check_code_create(void);
void tsr__check_code_destroy(tsr_check_code *c); /* unloads all images; NULL is ignored */
/** Find a function of an image, which is loaded if its address is new. Returns NULL, with the
 * reason in message, if it cannot be loaded or has no such function. Thread-safe. */
tsr_block_code tsr__check_code_load(tsr_check_code *c, const void *image, size_t bytes,
                                    const char *name, char *message, size_t size);

#endif
