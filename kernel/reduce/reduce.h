/* Reductions by one fixed binary tree (docs/design/kernel-reduce.md), whose bits do not depend on
 * cuts, chunks or order.
 *
 * In the tree of a reduction over `axes` of an index box [0, shape), every reduced axis is padded
 * to a power of two, and an index is a path of bits from the root. From the root, the longest
 * remaining reduced axis is halved first (ties: the first axis). The low 6 bits of the last reduced
 * axis that is longer than 1 are the lowest levels, in natural order, so axes of length 1 do not
 * change the bits. A node whose right half is outside the shape equals its left half. A *partial*
 * is the value of one whole node, with one value per point of the kept axes. */
#ifndef TSR_REDUCE_H
#define TSR_REDUCE_H

#include "kernel/ir/kernel.h"
#include "partition/partition.h"
#include "runtime/machine/memory.h"

typedef enum tsr_reduction {
  TSR_REDUCE_SUM,
  TSR_REDUCE_PROD,
  TSR_REDUCE_COUNT, /* of elements other than 0, by tsr__partials_add_narrow; NaN is none */
  TSR_REDUCE_MIN,   /* NaN wins; -0 < +0 */
  TSR_REDUCE_MAX,
  TSR_REDUCE_NANMIN, /* of what is not NaN; NaN where all are; -0 < +0 */
  TSR_REDUCE_NANMAX,
  TSR_REDUCE_ANY, /* over bool */
  TSR_REDUCE_ALL,
  TSR_REDUCE_ARGMIN, /* order (NaN first, value, flat index); gives int64 */
  TSR_REDUCE_ARGMAX,
  TSR_N_REDUCTIONS
} tsr_reduction;

/** Finds the dtype that the reduction reads (operands are cast to it) and the dtype of its result.
 * sum and prod of bool and integers compute in int64, of unsigned integers in uint64, and of
 * float16 in float32, which the caller rounds. count_nonzero takes all dtypes as they are, and adds
 * int64. Returns false if the reduction does not take the
 * dtype. */
bool tsr__reduce_dtypes(tsr_reduction op, tsr_dtype in, tsr_dtype *compute, tsr_dtype *result);
const char *tsr__reduce_name(tsr_reduction op);
/** Does the reduction find where a value is, so that its partials carry flat indices? */
static inline bool tsr__reduce_has_index(tsr_reduction op)
{
  return op == TSR_REDUCE_ARGMIN || op == TSR_REDUCE_ARGMAX;
}
/** Returns the operation that combines two values of dtype `compute` as the reduction does, for
 * those without indices. */
tsr_opcode tsr__reduce_combining(tsr_reduction op, tsr_dtype compute);
/** Returns the value of a reduction over no elements: 0 for sum, 1 for prod, false or true for any
 * or all. Returns false if it has none. */
bool tsr__reduce_identity(tsr_reduction op, tsr_dtype compute, tsr_scalar *out);

/** Scans n > from values of `compute` by sum, prod, min or max, and writes the results from index
 * `from` on: dst[0] is that of index `from`. min and max give what the functions `minimum` and
 * `maximum` give, and take no complex numbers. Element i combines the aligned blocks of power-of-two lengths that make up
 * [0, i], longest first, each by halves. The steps are in values, and dst is apart from src. */
void tsr__scan(tsr_reduction op, tsr_dtype compute, void *dst, int64_t dst_step, const void *src,
               int64_t src_step, int64_t n, int64_t from);

/** The combining order, from leaf to root. A node at level l has one coordinate per axis: the index
 * itself on a kept axis, and index >> (levels below l that combine the axis) on a reduced one. */
typedef struct tsr_tree {
  int32_t ndim;
  uint32_t axes_mask; /* bit k: axis k is reduced */
  int64_t shape[TSR_MAX_NDIM];
  int32_t n_levels;           /* combining steps from leaf to root */
  int32_t n_first;            /* of these, the lowest ones, which combine along one axis */
  uint8_t level_axis[8 * 64]; /* axis combined at each level, from the leaf up */
} tsr_tree;
/** Describes the tree of a shape of any lengths >= 0; an empty reduced axis gives no levels. Cost:
 * O(levels * ndim). */
void tsr__tree_init(tsr_tree *tree, int ndim, const int64_t *shape, uint32_t axes_mask);
/** Makes a tree that of another shape of as many axes. Its levels are found anew only where their
 * number along an axis differs. */
void tsr__tree_resize(tsr_tree *tree, const int64_t *shape);

/** Returns the number of nodes along an axis at a level. */
int64_t tsr__tree_nodes_at(const tsr_tree *tree, int level, int axis);

/** Computes the steps of the flat index over the reduced axes, in C order; 0 along the others. The
 * index wraps if the volume does; no array is so large. */
void tsr__tree_flat_steps(const tsr_tree *tree, int64_t *step);

/** A box of nodes on its way up a tree: [lo, lo + n) at a level, in node coordinates. */
typedef struct tsr_rising {
  const tsr_tree *tree; /* borrowed */
  int level;
  int64_t lo[TSR_MAX_NDIM], n[TSR_MAX_NDIM];
} tsr_rising;
/** What one step up makes of a box: its middle, along one axis, rises by some levels; what lies
 * before and behind it, up to two boxes, stays at the level where it is. */
typedef struct tsr_rise {
  int axis, level, levels; /* level: before */
  int64_t first, n;        /* of the middle along the axis, in nodes of `level` */
  int n_left;
  int64_t left_first[2], left_n[2];
} tsr_rise;
/** Begins with a dense box of leaves. */
void tsr__rising_init(tsr_rising *r, const tsr_tree *tree, const tsr_box *box);
/** Lets the box rise while the other halves of its nodes lie outside the shape. Returns the axis
 * along which it rises next, where it has several nodes; -1: it does not rise further by itself. */
int tsr__rising_axis(tsr_rising *r);
/** Lets the box rise along that axis by at most `most` >= 1 levels: by as many as leave nothing
 * behind, but by two where there are two. */
void tsr__rise(tsr_rising *r, int most, tsr_rise *out);

/** The partials of one reduction over part of its domain, always merged to maximal whole nodes. The
 * kept axes cover `kept_box`, whose reduced axes are ignored. Partials hold copies of the values.
 * They are not thread-safe: each worker has its own, which are merged afterwards. */
typedef struct tsr_partials tsr_partials;
/** large: the pool that blocks of 64 KiB and more come from and go back to, borrowed; NULL: they
 * come from the system, as smaller ones do. */
tsr_partials *tsr__partials_create(const tsr_tree *tree, tsr_reduction op, tsr_dtype compute,
                                   const tsr_box *kept_box, tsr_memory *large);
/** Makes partials without values those of the same reduction over another shape. */
void tsr__partials_resize(tsr_partials *p, const tsr_tree *tree, const tsr_box *kept_box);
void tsr__partials_destroy(tsr_partials *p); /* NULL is ignored */
/** Removes all values. The smaller blocks of memory stay, and the larger ones go back to their
 * pool, so that the same reduction again finds both. */
void tsr__partials_clear(tsr_partials *p);
/** Adds a box of values: `values` is dense row-major over `box` (dense, in domain coordinates; its
 * kept axes lie within kept_box), of dtype `compute`, aligned to its size. bool values are 0 or 1.
 * scratch: memory for as many values, aligned alike: `values` itself or memory apart from it. The
 * boxes added must not overlap. Kept axes may arrive in pieces; siblings merge where their pieces
 * meet. Returns TSR_ERR_INTERNAL if the box lies outside.
 * Cost: about two vectorised passes over the values, or one if the innermost axis is reduced, and
 * some time per slab of partials that remains. */
tsr_status tsr__partials_add(tsr_partials *p, const tsr_box *box, const void *values,
                             void *scratch);
/** The next box that is added to these partials, which are empty, has all points along the reduced
 * axes: what it comes to goes to `out` at once, dense over its kept axes as tsr__partials_finish
 * would write it, and the partials stay empty. */
void tsr__partials_expect_whole(tsr_partials *p, void *out);
/** Adds nodes of a level, of which those below were combined elsewhere: a box in node coordinates,
 * its values dense, and of argmin and argmax each value's flat index; at level 0 `indices` may be
 * NULL. */
tsr_status tsr__partials_add_risen(tsr_partials *p, int level, const int64_t *lo, const int64_t *n,
                                   const void *values, const int64_t *indices);
/** A factor of products over a box: its first element, and the bytes along each axis. */
typedef struct tsr_factor {
  const char *at;
  const int64_t *stride;
  bool conjugates; /* the conjugates of its elements are multiplied: of complex numbers, and of x */
} tsr_factor;
/** Adds the products of two factors over a box without a pass that makes them. `scratch` is memory
 * for as many values, apart from both. The factors are floats or complex numbers, and the
 * reduction is a sum. Either the elements of a row are contiguous in both factors, or rows of
 * floats lie across the reduced axis and one factor may repeat along them. One row that serves all
 * may have gaps. The box must consist of whole subtrees of at least 8. Returns false, having done
 * nothing, if any of this does not hold. The bits are those of tsr__partials_add with the rounded
 * products. from_memory: the factors lie beyond the caches, so they are prefetched otherwise. */
bool tsr__partials_add_products(tsr_partials *p, const tsr_box *box, const tsr_factor *x,
                                const tsr_factor *y, bool from_memory, void *scratch);
/** Does tsr__partials_add_narrow take the dtype? */
bool tsr__reduce_widens(tsr_reduction op, tsr_dtype compute, tsr_dtype from);
/** Adds a box of bools or integers of fewer bits to a sum of 64 bits, as tsr__partials_add adds
 * these as integers of 64; of a count, of elements of any dtype, 1 for each that is not 0: `values` is dense over `box`. scratch: memory for as many int64, apart
 * from `values`. */
tsr_status tsr__partials_add_narrow(tsr_partials *p, tsr_dtype from, const tsr_box *box,
                                    const void *values, void *scratch);
/** dst := dst + src. The kept boxes may differ only as pieces of dst's kept_box. Returns
 * TSR_ERR_INTERNAL, with dst unchanged, if they are not of one reduction or src lies outside. */
tsr_status tsr__partials_merge(tsr_partials *dst, const tsr_partials *src);
/** Packs partials as self-describing bytes for a message. The number of bytes, and all bytes but
 * the values, depend on the tree, op, dtype and the set of points added, not on the chunks and
 * their order. */
size_t tsr__partials_pack_bytes(const tsr_partials *p);
/** Returns tsr__partials_pack_bytes of partials to which the points of these boxes are added, each
 * once, for the receiver of a message. boxes: [n] disjoint, dense, within the tree's shape; empty
 * ones are ignored. Cost: that of rising and packing without values, O(levels) per box. */
size_t tsr__partials_bytes_of(const tsr_tree *tree, tsr_reduction op, tsr_dtype compute,
                              const tsr_box *boxes, int32_t n);
void tsr__partials_pack(const tsr_partials *p, void *out); /* any alignment */
/** Merges a packed message into p. Returns TSR_ERR_INTERNAL, with p unchanged, if the bytes are
 * malformed, of another reduction, outside p's kept_box, or overlap a partial that p holds. */
tsr_status tsr__partials_merge_packed(tsr_partials *p, const void *bytes, size_t n_bytes);
/** Writes the root's values in the reduction's result dtype, dense row-major over kept_box without
 * its reduced axes. Returns TSR_ERR_INTERNAL, having written nothing, if parts are missing. */
tsr_status tsr__partials_finish(const tsr_partials *p, void *out);

#endif
