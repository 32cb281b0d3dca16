/* Whole arrays in files. Every rank writes or reads its own tile at its offset in the file, which
 * holds a head and then the elements densely in row-major order. A file appears whole or not at
 * all: it has a temporary name until every rank has reported success, and is then renamed. */
#ifndef TSR_FILE_H
#define TSR_FILE_H

#include <sys/stat.h>

#include "array/core/array_int.h"

/** A rank's outcome. The ranks agree on the failed outcome of the lowest rank. */
typedef struct tsr_outcome {
  tsr_status status;
  int32_t rank;
  char why[240];
} tsr_outcome;

/** Replaces *rank0 by the outcome of rank 0 on every rank. Collective. */
tsr_status tsr__outcome_hear(tsr_context *c, tsr_outcome *rank0);
/** Sets status TSR_ERR_IO and the text. */
/** Why what is no regular file is refused. */
const char *tsr__no_file_text(const struct stat *what);
void tsr__outcome_fail(tsr_outcome *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** Numbers and hashes a call about a file. The ranks must pass the same path. */
void tsr__file_event(tsr_context *c, const tsr_location *where, const char *path);

/** A file that has a temporary name beside its final one until it is whole. */
typedef struct tsr_temporary {
  char *name;  /* allocated by malloc; NULL: no file */
  char *final; /* allocated by malloc; links are resolved */
  int lock;    /* descriptor that holds the file's lock, which ends with its writer */
} tsr_temporary;
/** Makes a temporary file for `path`, on rank 0. *fd is open for writing, and the caller closes it.
 * Temporary files left beside it by dead processes of this user and host are removed. Returns
 * false with the reason in *o. */
bool tsr__temporary_open(const char *path, int *fd, tsr_temporary *t, tsr_outcome *o);
/** Gives the file its final name if o->status >= 0, else removes it. */
void tsr__temporary_end(tsr_temporary *t, bool durable, tsr_outcome *o);

/** Writes n bytes at an offset of a file; returns false with errno. */
bool tsr__write_all(int fd, const char *data, size_t n, int64_t at);

/** Writes array x (a scalar as a 0-d array) after the n bytes of `head`, which are the same on
 * every rank. path: that of rank 0 is used. durable: the data is on the disk when the call
 * returns. Collective; waits for x. */
tsr_status tsr__file_save(tsr_context *c, const tsr_location *where, tsr_operand x,
                          const char *path, const void *head, size_t n, bool durable);

/** Fills x, a whole array in its region's own order, from `path` at byte `offset`. swap: the file
 * has the other byte order. Collective. */
tsr_status tsr__file_load(tsr_context *c, const tsr_location *where, tsr_array x, const char *path,
                          int64_t offset, bool swap);

#endif
