/* Launches of kernels as CUDA C: the form that a kernel takes over a box, the grid, and the block of
 * arguments that a launch carries. */
#ifndef TSR_CUDA_LAUNCH_H
#define TSR_CUDA_LAUNCH_H

#include "kernel/cpu/nest.h"

enum {
  TSR_CUDA_THREADS = 256,    /* of a block */
  TSR_CUDA_MOST_WORDS = 512, /* of the arguments: 4 KB are what every device takes */
  TSR_CUDA_MOST_POINTS = 4   /* of a piece */
};

/** How kernels are laid over threads. No bit of a result depends on it. */
typedef struct tsr_cuda_tuning {
  uint8_t piece_bytes; /* that a thread loads at once, of the widest stream: 16, or fewer */
  uint8_t
      n_pieces; /* of a thread: a block's width apart along the only axis, else in as many rows */
  uint8_t log_width; /* of boxes of several axes: a block has at most 2^log_width threads along the
                          inner one */
  bool mixes;        /* threads have pieces although not all streams are aligned to them */
  bool narrow;       /* indices have 32 bits where they fit */
  bool read_only;    /* what the kernel does not store is loaded past the coherent path */
} tsr_cuda_tuning;
extern const tsr_cuda_tuning tsr__cuda_tuning; /* that of launch_make */

/** How a stream moves along the inner axis. */
typedef enum tsr_cuda_class {
  TSR_CUDA_UNIT,  /* by one element */
  TSR_CUDA_PIECE, /* by one element; a thread's points are one piece of memory, aligned to it */
  TSR_CUDA_ZERO,  /* not at all */
  TSR_CUDA_ANY    /* by a stride among the arguments */
} tsr_cuda_class;

/** What the text of a kernel depends on beside the kernel. It is compared byte by byte. */
typedef struct tsr_cuda_form {
  uint8_t n_axes, points; /* points: of a piece */
  uint8_t n_pieces;       /* of a thread; 1 unless points is more than 1 */
  bool narrow, read_only;
  uint8_t classes[TSR_NEST_STREAMS];
} tsr_cuda_form;

/** The words of the arguments, in this order: points along each axis, the inner one first; the
 * logarithm of a block's threads along it; the rows, which are the points of the other axes; where
 * each stream is at the first point; for each axis each stream's stride in bytes, of IOTA 0 or 1;
 * two words per scalar. These are the numbers of the first of each kind. */
typedef struct tsr_cuda_words {
  int log_width, rows, base, stride, scalar, n;
} tsr_cuda_words;
tsr_cuda_words tsr__cuda_words(const tsr_kernel *k, int n_axes);

/** A launch: it has no pointer to what may change before it runs. */
typedef struct tsr_cuda_launch {
  uint32_t grid[2]; /* blocks along the inner axis, and along the rows */
  int32_t n_form, n_words;
  tsr_cuda_form form; /* n_form bytes count */
  int64_t words[TSR_CUDA_MOST_WORDS];
} tsr_cuda_launch;

/** Returns whether the kernel has a text, and all of its launches carry what it reads. Not so if it
 * loads a buffer after a store to it, or has too many streams or arguments. */
bool tsr__cuda_has_text(const tsr_kernel *k);
/** Binds the kernel. Returns false if the box is empty, or if the kernel has too many streams or
 * arguments. */
bool tsr__cuda_launch_make(const tsr_kernel *k, const tsr_kernel_bind *bind,
                           tsr_cuda_launch *launch);
bool tsr__cuda_launch_make_tuned(const tsr_kernel *k, const tsr_kernel_bind *bind,
                                 const tsr_cuda_tuning *tuning, tsr_cuda_launch *launch);

#endif
