/* Blocks of memory in files, for memory.c. */
#ifndef TSR_FILE_MEMORY_H
#define TSR_FILE_MEMORY_H

#include <stddef.h>

/** A block of a new file in the directory: the file has no name and goes with the block. Its room
 * on disk is taken at once: NULL if there is none, errno says why. Whole pages, contents 0. */
void *tsr__file_memory_alloc(const char *directory, size_t bytes);
/** The same bytes. */
void tsr__file_memory_free(void *p, size_t bytes);

#endif
