/* The head of a .npy file. Source: numpy/lib/format.py, versions 1.0, 2.0 and 3.0. */
#ifndef TSR_NPY_H
#define TSR_NPY_H

#include "tessera/base.h"
#include "tessera/operand.h"

/** The longest head that is read, and (with its magic) written. */
enum { TSR_NPY_HEAD_MAX = 10000, TSR_NPY_PRELUDE_MAX = 12 };

typedef struct tsr_npy {
  tsr_dtype dtype;
  bool swap;          /* the data has the other byte order */
  bool fortran_order; /* first axis fastest */
  tsr_dims shape;
  int64_t offset; /* of the data */
} tsr_npy;

/** What is wrong with a head, and at which byte of the file. */
typedef struct tsr_npy_error {
  tsr_status status; /* TSR_ERR_IO: malformed; TSR_ERR_DTYPE: a type that arrays do not have */
  int64_t at;
  char why[200];
} tsr_npy_error;

/** The head as NumPy writes it, byte for byte, of a row-major array. malloc'd; *n: its length, a
 * multiple of 64. */
char *tsr__npy_head(tsr_dtype dtype, const tsr_dims *shape, size_t *n);
/** Read a head. bytes: the first n of a file of file_bytes; all of it, or at least
 * TSR_NPY_PRELUDE_MAX + TSR_NPY_HEAD_MAX. False with *error; *out is then undefined. */
bool tsr__npy_parse(const char *bytes, size_t n, int64_t file_bytes, tsr_npy *out,
                    tsr_npy_error *error);

#endif
