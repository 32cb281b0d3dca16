/* The CUDA C of a user's task (tsr_task_cuda): a kernel around the user's function, which calls it
 * with the words of tessera/task.h, and the argument block of its launches.
 *
 * A thread makes one call or, of raw ones, all threads of a block do, each with its number; these
 * have tiles of points. A thread's box is one index of the op's domain, so one point or one block, but
 * has all indices along axes that no box cuts: boxes are what a task may not depend on, so the
 * smallest ones do. What the text depends on, beside the user's, is how many arguments there are,
 * of which kinds and dtypes, and their numbers of axes; everything else is in the words of a
 * launch. */
#ifndef TSR_TASK_CUDA_H
#define TSR_TASK_CUDA_H

#include "program/program.h"

/** What the program gave. Owned by the context. */
typedef struct tsr_task_source {
  char *entry, *text;
  bool is_raw; /* a block of threads makes a call (tsr_kernel_raw), not a thread */
  int n_tile;  /* of raw ones: the last axes, along which a call has at most so many points */
  int64_t tile[TSR_MAX_NDIM];
  const tsr_location *where; /* static: the call of tsr_task_cuda */
} tsr_task_source;

/** Kinds of arguments, by what a launch says of them. */
typedef enum tsr_cuda_argument {
  TSR_CUDA_VALUE,   /* a scalar: its 16 bytes */
  TSR_CUDA_NOTHING, /* a raw input without elements: its shape */
  TSR_CUDA_WHOLE,   /* a raw input: address, shape, strides */
  TSR_CUDA_POINTS, /* address at the launch's first call, bytes from call to call, strides, and of an
                       input that is written where its values are: an address, and bytes likewise */
  TSR_CUDA_REDUCED /* address and bytes from call to call as before, bytes from value to value, and
                       the 16 bytes that each begins as */
} tsr_cuda_argument;

/** The first word of each section of a launch's words: the calls and the bytes of data; per axis of
 * the domain the calls along it, the first index, the points of an index and all points; the
 * arguments; the data. */
enum { TSR_CUDA_TASK_CALLS, TSR_CUDA_TASK_BYTES, TSR_CUDA_TASK_AXES };
enum { TSR_CUDA_AXIS_N, TSR_CUDA_AXIS_FIRST, TSR_CUDA_AXIS_BLOCK, TSR_CUDA_AXIS_POINTS };
enum { TSR_CUDA_AXIS_WORDS = 4 };
typedef struct tsr_task_words {
  int argument[2 * TSR_MAX_OP_ARGS];
  int data, n;
} tsr_task_words;

/** A text for calls of a task in some forms, with some size of data. Owned by the context, which
 * numbers a task's. */
typedef struct tsr_task_kernel {
  struct tsr_task_kernel *next;
  uint32_t number; /* from 1; the same on every rank */
  char *text;      /* with TSR_SOURCE_NAME in the place of the kernel's name */
  int32_t data_words;
  bool is_raw;                /* a block of threads makes a call */
  int64_t tile[TSR_MAX_NDIM]; /* indices of a call along each axis that is not whole */
} tsr_task_kernel;

static inline int32_t tsr__task_data_words(size_t data_bytes)
{
  const size_t most = 1 << 20; /* more than any launch carries */
  return (int32_t)(data_bytes < 8 * most ? (data_bytes + 7) / 8 : most);
}

tsr_cuda_argument tsr__task_argument_kind(const tsr_task_parameter *p);
/** The number of axes of the op's domain. */
static inline int tsr__task_form_axes(const tsr_task_form *f)
{
  return f->ndim + (f->extent > 0);
}
/** Sets the indices of a call along each axis of the op's domain that is not whole. */
void tsr__task_tile(const tsr_task_form *f, const tsr_task_source *source,
                    int64_t tile[TSR_MAX_NDIM]);
void tsr__task_words_make(const tsr_task_form *f, int32_t data_words, tsr_task_words *words);
/** Returns the text for calls of the form, allocated by malloc. NULL: they have more words than a
 * launch carries. */
char *tsr__task_cuda_text(const tsr_task_form *f, const tsr_task_source *source,
                          int32_t data_words);

#endif
