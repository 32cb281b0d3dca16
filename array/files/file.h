/* Whole arrays in files: every rank writes or reads its own tile at its place in the file, which
 * holds the elements densely in row-major order behind a head. A file appears whole or not at all:
 * it is written under a temporary name and renamed once every rank has said that it is done. */
#ifndef TSR_FILE_H
#define TSR_FILE_H

#include "array/core/array_int.h"

/** How a rank fared; the ranks agree on the failing one of the lowest number. */
typedef struct tsr_outcome {
  tsr_status status;
  int32_t rank;
  char why[240];
} tsr_outcome;

/** *mine becomes what the ranks agree on. Collective. */
tsr_status tsr__outcome_agree(tsr_context *c, tsr_outcome *mine);
/** Rank 0's, everywhere. Collective. */
tsr_status tsr__outcome_hear(tsr_context *c, tsr_outcome *rank0);
/** Sets status TSR_ERR_IO and the text. */
void tsr__outcome_fail(tsr_outcome *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** Number and hash a call about a file: the ranks must give the same path. */
void tsr__file_event(tsr_context *c, const tsr_location *where, const char *path);

/** A file beside its final name, which it gets when it is whole. */
typedef struct tsr_temporary {
  char *name;  /* malloc'd; NULL: there is none */
  char *final; /* malloc'd; links are followed */
  int lock;    /* descriptor that keeps it locked: who can lock it knows that its writer is dead */
} tsr_temporary;
/** Make one for what will be `path`, on rank 0; *fd is open for writing, and the caller's. What
 * dead processes of this user and host left beside it is removed. False with the reason in *o. */
bool tsr__temporary_open(const char *path, int *fd, tsr_temporary *t, tsr_outcome *o);
/** Give the finished file its name (o->status >= 0), or remove it. */
void tsr__temporary_end(tsr_temporary *t, bool durable, tsr_outcome *o);

/** Write n bytes at a place of a file; false with errno. */
bool tsr__write_all(int fd, const char *data, size_t n, int64_t at);

/** Write array x (a scalar: 0-d) behind n bytes of `head`, the same on every rank. path: rank 0's
 * counts. durable: the data is on the disk when the call returns. Collective; waits for x. */
tsr_status tsr__file_save(tsr_context *c, const tsr_location *where, tsr_operand x,
                          const char *path, const void *head, size_t n, bool durable);

/** Bytes of one element that change places where the file has the other byte order: its size, half
 * of it for complex numbers. */
size_t tsr__swap_unit(tsr_dtype dtype);
/** Fill x, a whole array in its region's own order, from `path` at byte `offset`; swap: the file
 * has the other byte order. Collective. */
tsr_status tsr__file_load(tsr_context *c, const tsr_location *where, tsr_array x, const char *path,
                          int64_t offset, bool swap);

#endif
