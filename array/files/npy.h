/* The head of a .npy file. Source: numpy/lib/format.py, versions 1.0, 2.0 and 3.0. */
#ifndef TSR_NPY_H
#define TSR_NPY_H

#include "tessera/base.h"
#include "tessera/operand.h"

/** The longest head that is read, and the longest prelude: magic, version and length. */
enum { TSR_NPY_HEAD_MAX = 10000, TSR_NPY_PRELUDE_MAX = 12 };

typedef struct tsr_npy {
  tsr_dtype dtype;
  bool swap;          /* the data has the other byte order */
  bool fortran_order; /* column-major */
  tsr_dims shape;
  int64_t offset; /* byte of the data */
} tsr_npy;

/** An error in a head, and its byte in the file. */
typedef struct tsr_npy_error {
  tsr_status status; /* TSR_ERR_IO: malformed; TSR_ERR_DTYPE: a type without a dtype */
  int64_t at;
  char why[200];
} tsr_npy_error;

/** Returns the head of a row-major array, byte for byte as NumPy writes it, allocated by malloc.
 * *n: its length, a multiple of 64. */
char *tsr__npy_head(tsr_dtype dtype, const tsr_dims *shape, size_t *n);
/** Reads a head. bytes: the first n bytes of a file of file_bytes: the whole file, or at least
 * TSR_NPY_PRELUDE_MAX + TSR_NPY_HEAD_MAX bytes. Returns false with *error; *out is then
 * undefined. */
bool tsr__npy_parse(const char *bytes, size_t n, int64_t file_bytes, tsr_npy *out,
                    tsr_npy_error *error);

#endif
