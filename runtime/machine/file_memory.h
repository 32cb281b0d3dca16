/* Blocks of memory in files. Used by memory.c. */
#ifndef TSR_FILE_MEMORY_H
#define TSR_FILE_MEMORY_H

#include <stddef.h>

/** A block that is a new file in the directory. The file has no name and goes with the block. Its
 * space on disk is taken at once; NULL if there is none, and errno says why. The block has whole
 * pages, whose bytes are 0. */
void *tsr__file_memory_alloc(const char *directory, size_t bytes);
/** `bytes`: as given to alloc. */
void tsr__file_memory_free(void *p, size_t bytes);

#endif
