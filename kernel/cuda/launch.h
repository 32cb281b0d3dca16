/* Launches of kernels as CUDA C: the form that a kernel takes over a box, the grid, and the block
 * of arguments that a launch carries. */
#ifndef TSR_CUDA_LAUNCH_H
#define TSR_CUDA_LAUNCH_H

#include "kernel/cpu/nest.h"
#include "kernel/reduce/reduce.h"

enum {
  TSR_CUDA_THREADS = 256,    /* of a block */
  TSR_CUDA_MOST_WORDS = 512, /* of the arguments: 4 KB are what every device takes */
  TSR_CUDA_MOST_POINTS = 4   /* of a piece */
};

/** How kernels are laid over threads. No bit of a result depends on it. */
typedef struct tsr_cuda_tuning {
  uint8_t piece_bytes; /* that a thread loads at once, of the widest stream: 16, or fewer */
  /* of a thread: a block's width apart along the only axis, else in as many rows */
  uint8_t n_pieces;
  /* of boxes of several axes: a block has at most 2^log_width threads along the inner one */
  uint8_t log_width;
  uint8_t mixed;  /* the most points of a piece to which not all streams are aligned */
  bool narrow;    /* indices have 32 bits where they fit */
  bool read_only; /* what the kernel does not store is loaded past the coherent path */
} tsr_cuda_tuning;
/** The one that is taken for a box of so many axes, in which so many streams move by one
 * element. */
tsr_cuda_tuning tsr__cuda_tuning(int n_axes, int n_unit);

/** How a stream moves along the inner axis. */
typedef enum tsr_cuda_class {
  TSR_CUDA_UNIT,  /* by one element */
  TSR_CUDA_PIECE, /* by one element; a thread's points are one piece of memory, aligned to it */
  TSR_CUDA_ZERO,  /* not at all */
  TSR_CUDA_ANY    /* by a stride among the arguments */
} tsr_cuda_class;

/** A store whose values a reduction takes, of which the launch writes nodes of its tree. */
typedef struct tsr_cuda_taken {
  uint8_t access;        /* that stores the values */
  uint8_t code, compute; /* tsr_reduction; the dtype in which it combines */
  uint8_t index;         /* argmin, argmax: the access that stores the values' flat indices, or
                            TSR_CUDA_FLAT: a value's index is its position in the domain */
} tsr_cuda_taken;
enum { TSR_CUDA_FLAT = 255, TSR_CUDA_MOST_TAKEN = 4 };
static inline bool tsr__cuda_has_index(const tsr_cuda_taken *t)
{
  return tsr__reduce_has_index((tsr_reduction)t->code);
}

/** How values are combined along the inner axis: 2^log_lanes neighbouring threads share a node, or
 * 2^log_groups that have no neighbours in it do, each of which has 2^log_count values of it. */
typedef struct tsr_cuda_reduced {
  uint8_t n; /* of `taken`; 0: nothing is reduced */
  uint8_t log_lanes, log_count, log_groups;
  bool own_first; /* a thread combines its own values first: in any order the result is the same */
  /* the axes behind the inner one in the domain: nodes are written in its order */
  uint8_t position;
  tsr_cuda_taken taken[TSR_CUDA_MOST_TAKEN];
} tsr_cuda_reduced;

/** How parts of the operands of a product come to a block: several are under way, copied by 16
 * bytes, while one is multiplied. */
typedef struct tsr_cuda_stages {
  uint8_t n;             /* parts that there is space for; 0: by another text, for any operands */
  uint8_t rows, columns; /* of a block's part of the product: 64 or 128 */
  uint8_t depth;         /* steps of a part */
  uint8_t warps_down;    /* of 8 warps, so many are below each other */
  uint8_t blocks;        /* of a processor */
  uint8_t band;          /* blocks go down so many parts of the product, then along; 0: all */
  bool ahead;            /* what is added is brought closer before the last steps */
} tsr_cuda_stages;

/** How a product of matrices is computed; no bit of it depends on any of these but `adds`. The
 * kernel has no instructions, and accesses for the two operands, for what is added to, and for the
 * result. */
typedef struct tsr_cuda_product {
  /* rows, and columns, of a block's part of the product; 0: the kernel is no product */
  uint8_t tile;
  bool adds;   /* the product is added to the third operand */
  bool panels; /* k is more than TSR_MATMUL_PANEL: each panel is added to the last */
  bool by_mma; /* by matrix instructions */
  bool left_turned, right_turned; /* neighbouring threads load along k */
  tsr_cuda_stages stages;
  bool wide; /* of stages: the result, and what is added, are read and written by 16 bytes */
} tsr_cuda_product;

/** What the text of a kernel depends on beside the kernel. It is compared byte by byte. */
typedef struct tsr_cuda_form {
  uint8_t n_axes, points; /* points: of a piece */
  uint8_t n_pieces;       /* of a thread; 1 unless points is more than 1 */
  bool narrow, read_only;
  tsr_cuda_product product; /* n_axes: those of a batch of products */
  tsr_cuda_reduced reduced;
  uint8_t classes[TSR_NEST_STREAMS];
} tsr_cuda_form;

/** The words of the arguments, in this order: points along each axis, the inner one first; the
 * logarithm of a block's threads along it; the rows, which are the points of the other axes; where
 * each stream is at the first point; for each axis each stream's stride in bytes, of IOTA 0 or 1;
 * two words per scalar. These are the numbers of the first of each kind. */
typedef struct tsr_cuda_words {
  int log_width, rows, base, stride, scalar, n;
  int index, flat; /* of reductions (tsr__cuda_reduce_words) */
} tsr_cuda_words;
tsr_cuda_words tsr__cuda_words(const tsr_kernel *k, int n_axes);
/** Those of a kernel that is reduced: `rows` is the number of nodes, and behind the scalars come
 * the addresses where each reduction's indices are written, the flat index of the first point, and
 * its steps along the axes. */
tsr_cuda_words tsr__cuda_reduce_words(const tsr_kernel *k, const tsr_cuda_form *form);

/** A launch: it has no pointer to what may change before it runs. */
typedef struct tsr_cuda_launch {
  uint32_t grid[2]; /* blocks along the inner axis, and along the rows */
  int32_t n_form, n_words;
  uint32_t shared_bytes; /* that the launch asks for, beside what the text has by itself */
  tsr_cuda_form form;    /* n_form bytes count */
  int64_t words[TSR_CUDA_MOST_WORDS];
} tsr_cuda_launch;

/** Returns whether the kernel has a text, and all of its launches carry what it reads. Not so if it
 * loads a buffer after a store to it, or has too many streams or arguments. */
bool tsr__cuda_has_text(const tsr_kernel *k);
/** Binds the kernel. Returns false if the box is empty, or if the kernel has too many streams or
 * arguments. */
bool tsr__cuda_launch_make(const tsr_kernel *k, const tsr_kernel_bind *bind,
                           tsr_cuda_launch *launch);
/** Binds the kernel as tsr__cuda_launch_make does, but laid over threads as `tuning` says, unless
 * that is NULL. */
bool tsr__cuda_launch_make_tuned(const tsr_kernel *k, const tsr_kernel_bind *bind,
                                 const tsr_cuda_tuning *tuning, tsr_cuda_launch *launch);

/** Binds a kernel that has a source: as many threads as there are calls, and no form. The words are
 * the caller's. Returns false if there are none. */
bool tsr__cuda_source_make(const tsr_kernel *k, int64_t n_calls, tsr_cuda_launch *launch);

/** How much of a node a thread, and a block, has. No bit of a result depends on it. */
typedef struct tsr_cuda_step_tuning {
  uint16_t most_bytes;  /* of a thread's values */
  uint8_t log_count;    /* 2^log_count values, or fewer */
  uint8_t log_groups;   /* of threads that share a node without being neighbours in it */
  bool own_first;       /* where the order does not matter */
  uint8_t log_numbered; /* log_count of a thread that numbers its values; 0: the same */
} tsr_cuda_step_tuning;
extern const tsr_cuda_step_tuning tsr__cuda_step_tuning;

/** A step up the trees of reductions over a box: along one axis of the domain, 2^levels points
 * become a node, the last one what is left. */
typedef struct tsr_cuda_step {
  int axis, levels;
  int n;                                     /* of reductions */
  tsr_cuda_taken taken[TSR_CUDA_MOST_TAKEN]; /* all of one tree */
  /* where the nodes go: dense in the domain's order, values of `compute`, and int64 */
  void *values[TSR_CUDA_MOST_TAKEN], *indices[TSR_CUDA_MOST_TAKEN];
  int64_t flat, flat_step[TSR_MAX_NDIM]; /* index of the box's first point; steps along the axes */
  const tsr_cuda_step_tuning *tuning;    /* NULL: tsr__cuda_step_tuning */
} tsr_cuda_step;
/** Returns whether text combines values of the dtype as the reduction does. */
bool tsr__cuda_can_reduce(tsr_reduction code, tsr_dtype compute);
/** Returns the most levels that a step of the kernel may have along its axis, at least 1. */
int tsr__cuda_step_levels(const tsr_kernel *k, const tsr_kernel_bind *bind,
                          const tsr_cuda_step *step);
/** Binds the kernel to the step. The base and strides of what `taken` names are not looked at.
 * Returns false as tsr__cuda_launch_make does. */
bool tsr__cuda_step_make(const tsr_kernel *k, const tsr_kernel_bind *bind,
                         const tsr_cuda_step *step, tsr_cuda_launch *launch);

#endif
