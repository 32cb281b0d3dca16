/* Loop nests: the axes of a run, through which the interpreter and compiled code step, and the form
 * of a run of compiled code, which computes the rows of the nest. */
#ifndef TSR_NEST_H
#define TSR_NEST_H

#include "kernel/cpu/loops.h"
#include "kernel/ir/kernel.h"
#include "runtime/base/walk.h"

/** The axes of a box, inner first. Axes of length 1 are dropped, and adjacent axes are merged if
 * every stream is contiguous across them. The streams are the kernel's accesses, followed by one
 * per axis that IOTA reads. An IOTA stream is a number that moves by 1 along its axis and is kept
 * as a pointer, so that merging and reordering treat all streams alike. Any order of points is
 * valid, because no point of a kernel reads another's store. */
typedef struct tsr_loop_axes {
  int32_t n_streams, n_axes;     /* n_axes >= 1 */
  int64_t n[TSR_MAX_NDIM];       /* number of points */
  int64_t *stride[TSR_MAX_NDIM]; /* [n_streams] bytes; in the caller's memory */
} tsr_loop_axes;

int tsr__loop_axes_n_streams(const tsr_kernel *k);
/** Returns the stream of IOTA along an axis of the kernel. */
int tsr__loop_axes_iota_stream(const tsr_kernel *k, int axis);
/** Fills `axes` and at[n_streams], the position of each stream at the first point. Returns false,
 * with both undefined, if the box is empty. strides: space for n_streams times the kernel's axes,
 * at least one; it must outlive `axes`. */
bool tsr__loop_axes_make(const tsr_kernel *k, const tsr_kernel_bind *bind, int64_t *strides,
                         tsr_loop_axes *axes, char **at);

/** Estimated costs of an inner axis: `strided` or `far` for a stream that is strided within a cache
 * line or beyond it, where a contiguous or unmoved one costs 1; `row` for a row. */
typedef struct tsr_axis_costs {
  int64_t strided, far, row;
  int64_t far_store; /* as far, of a store: it waits where a load goes on */
  int64_t step; /* points computed at once: the least length of an inner axis; a cost is per step */
  int64_t most; /* the most points of a row that share its cost */
} tsr_axis_costs;
/** Returns the inner axis of least cost, the first one on a tie. *least: its cost. */
int tsr__loop_axes_find_inner(const tsr_loop_axes *axes, const tsr_kernel *k,
                              const tsr_axis_costs *costs, int64_t *least);
/** Makes an axis the inner one. The others keep their order. */
void tsr__loop_axes_move_inside(tsr_loop_axes *axes, int axis);
/** A walk at the first point of the axes from `first` on, of which `first` is the fastest. */
tsr_walk tsr__loop_axes_walk(const tsr_loop_axes *axes, int first);
/** Moves to the next point. Returns false after the last one, with all streams back at the first. */
bool tsr__loop_axes_next(const tsr_loop_axes *axes, tsr_walk *w, char **at);

/** The most streams of a nest. Kernels with more are interpreted. */
#define TSR_NEST_STREAMS 96

/** How a stream moves along the inner axis, which compiled code must know. */
typedef enum tsr_class {
  TSR_CLASS_UNIT,         /* by one element */
  TSR_CLASS_ZERO,         /* not at all */
  TSR_CLASS_ANY,          /* by a stride given at run time; of IOTA: numbers in memory */
  TSR_CLASS_STREAM_STORE, /* by one element, in a store that bypasses the caches */
  TSR_CLASS_AHEAD,        /* by one element, prefetched from memory */
  /* TSR_CLASS_BESIDE + d: by one element, d elements behind another stream, with -16 < d < 16, in
   * vectors that have more elements than that */
  TSR_CLASS_BESIDE = 32
} tsr_class;

static inline bool tsr__class_is_beside(int class)
{
  return class > TSR_CLASS_BESIDE - 16;
}

/** Loads that do not move by one element along the inner axis. They are made dense first, a piece
 * of some rows at a time; a row that serves all of them only once. */
typedef struct tsr_gapped {
  int32_t n;
  int32_t piece, rows;        /* the points of a piece of a row, and its rows */
  uint8_t stream[4], size[4]; /* size: of an element */
} tsr_gapped;

/** Memory for a piece of a load that is made dense. */
#define TSR_GAPPED_BYTES (12 << 10)

/** The loop nest of one run: its axes, with the best one inside. It has pointers into itself, so it
 * must not be copied. */
typedef struct tsr_nest {
  tsr_loop_axes axes;
  int64_t strides[TSR_MAX_NDIM * TSR_NEST_STREAMS]; /* the memory that `axes` points to */
  char *base[TSR_NEST_STREAMS];                     /* position of each stream at the first point */
  /* [n_form] the tsr_class of each stream; then, if any is TSR_CLASS_BESIDE, the stream that each
   * of them is beside */
  uint8_t classes[2 * TSR_NEST_STREAMS];
  int32_t n_form;
  int32_t strip;     /* points of a row that are run before the next row is; 0: all */
  tsr_gapped gapped; /* once dense, they are TSR_CLASS_UNIT; none in panels */
  bool is_copy;      /* without panels: its rows are copied, from one array to another */
  /* The fields below describe panels of short inner axes (nest_panel.c). */
  /* Number of whole axes in a panel; 0: no panels. A panel also has some rows of the next axis. */
  int32_t n_panel_axes;
  int64_t panel_points, panel_rows; /* points of the whole axes together; rows of a panel */
  uint8_t copied[TSR_NEST_STREAMS]; /* tsr_copied */
} tsr_nest;

/** Where a panel has the elements of a stream. */
typedef enum tsr_copied {
  TSR_COPIED_NOT, /* in the stream's own memory */
  TSR_COPIED,     /* in scratch memory, copied for each panel */
  TSR_COPIED_ONCE /* in scratch memory, the same for all panels along their last axis */
} tsr_copied;
/** The most points of a panel. */
#define TSR_PANEL_MOST 512

/** Makes the nest. Returns false if the box is empty, if the kernel has too many streams, or if no
 * row is long enough. lanes: points that compiled code computes at once, which the inner axis or a
 * panel must have. */
bool tsr__nest_make(const tsr_kernel *k, const tsr_kernel_bind *bind, int lanes, tsr_nest *nest);
/** Makes loads that lie less than a vector apart TSR_CLASS_BESIDE the one in their middle, and sets
 * n_form. */
void tsr__nest_find_beside(const tsr_kernel *k, int lanes, tsr_nest *nest);
/** Sets the strip of a run whose streams are in a core's caches: where rows that follow each other
 * are loaded for one row, strips of them stay in the first-level cache. */
void tsr__nest_find_strip(const tsr_kernel *k, tsr_nest *nest);
/** Returns whether the kernel stores the access's buffer. */
bool tsr__nest_stores(const tsr_kernel *k, int access);
/** Returns whether the kernel copies one array to another and does nothing else. */
bool tsr__nest_is_copy(const tsr_kernel *k);
/** Joins short inner axes to panels and classifies the streams if that costs less than best_cost,
 * in the measure of nest.c. Otherwise returns false and changes nothing. */
bool tsr__panel_make(const tsr_kernel *k, int lanes, int64_t best_cost, tsr_nest *nest);
/** Returns the bytes of scratch memory that tsr__panel_run needs. */
size_t tsr__panel_scratch_bytes(const tsr_kernel *k);

/** Compiled code: computes `n_rows` rows of n points each. base, row (bytes to the next row) and
 * step (bytes to the next point) are per stream. n is at least the kernel's lanes. */
typedef void (*tsr_row_code)(int64_t n_rows, int64_t n, char *const *base, const int64_t *row,
                             const int64_t *step, const tsr_scalar *scalars, const tsr_loop *call);
/** Writes n_rows rows of n elements that follow each other, `to_row` bytes from row to row. Element
 * i of row r is read at from + i * from_step + r * from_row. */
void tsr__panel_copy_rows(char *to, int64_t to_row, const char *from, int64_t from_step,
                          int64_t from_row, int64_t n, int64_t n_rows, size_t size);
/** Runs the nest by code that was compiled for its classes. scratch: as for tsr__kernel_run. */
void tsr__nest_run(const tsr_nest *nest, const tsr_kernel *k, tsr_row_code code, int lanes,
                   const tsr_scalar *scalars, const tsr_loop *call, void *scratch);

/** A run of a nest that is repeated at other addresses: the same box and strides. */
typedef struct tsr_replay tsr_replay;
/** Returns a copy of what running the nest by `code` takes. The kernel is borrowed. Owned by the
 * caller, who frees it with free(). */
tsr_replay *tsr__replay_make(const tsr_nest *nest, const tsr_kernel *k, tsr_row_code code,
                             int lanes, const tsr_loop *call);
/** Returns the bytes that it takes. */
size_t tsr__replay_bytes(const tsr_nest *nest, const tsr_kernel *k);
/** Writes it into memory of so many bytes, aligned as for malloc, which it points into. */
void tsr__replay_fill(tsr_replay *r, const tsr_nest *nest, const tsr_kernel *k, tsr_row_code code,
                      int lanes, const tsr_loop *call);
/** Can it be run? Not if the nest depends on addresses, as it prefetches, or has panels of
 * many streams. */
bool tsr__replay_can_run(const tsr_replay *r);
/** Runs it, on one thread at a time. base: [n_accesses] where each access is at the first point of
 * the box. Returns false, with nothing done, if it cannot be run. */
bool tsr__replay_run(tsr_replay *r, void *const *base, const tsr_scalar *scalars);

void tsr__panel_run(const tsr_nest *nest, const tsr_kernel *k, tsr_row_code code, int lanes,
                    const tsr_scalar *scalars, const tsr_loop *call, void *scratch);

#endif
