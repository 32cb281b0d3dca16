/* Shared by the files of the reductions: the loops of one (operation, dtype), and the slabs of
 * which partials consist. */
#ifndef TSR_REDUCE_INT_H
#define TSR_REDUCE_INT_H

#include "kernel/cpu/isa.h"
#include "kernel/reduce/reduce.h"
#include "runtime/base/arena.h"
#include "runtime/base/error.h"
#include "runtime/base/table.h"

/** The most levels that `tree` combines in one call where their order matters. */
#define TSR__TREE_LEVELS 6
/** The most levels that `rows` combines in one call. */
#define TSR__ROW_LEVELS 3
/** The most levels that `products` and `conjugates` combine in one call. */
#define TSR__PRODUCT_LEVELS 12

/** n_rows rows that start `stride` values apart, each with n nodes of `inner` values. Nodes 2j and
 * 2j+1 combine; an odd last node is promoted. */
typedef struct tsr_reduce_rows {
  int64_t n_rows, stride, n, inner;
} tsr_reduce_rows;

/** Where the factors that are multiplied next are expected, which loops ask memory for. Addresses
 * only: nothing need be there. */
typedef struct tsr_next_factors {
  const void *a, *b;
  bool from_memory; /* all factors lie beyond the caches */
} tsr_next_factors;

/** One factor of products over rows. row: bytes from row to row. The elements of a row are
 * contiguous, or one element serves all columns (repeats). */
typedef struct tsr_factor_rows {
  const char *at;
  int64_t row;
  bool repeats;
} tsr_factor_rows;

/** n rows of `inner` columns. y does not repeat. */
typedef struct tsr_product_rows {
  tsr_factor_rows x, y;
  int64_t n, inner;
} tsr_product_rows;

/** Rows of n elements, dense, of a, and one row of b, for all of them. a_row: bytes from row to
 * row. At least TSR__LEAST_LINES rows. */
typedef struct tsr_product_lines {
  const char *a, *b;
  int64_t a_row, n_rows, n;
} tsr_product_lines;
#define TSR__LEAST_LINES 8

/** Sums n rows of `inner` values of few bits, for each column, as tsr_reduce_loops.tree with any
 * number of levels. dst is apart from src. */
typedef void tsr_narrow_loop(void *dst, const void *src, int64_t n, int64_t inner, int levels);

/** The loops of one operation on one dtype. The `_i` arrays are the flat indices of argmin and
 * argmax, one per value; other operations ignore them (NULL). Values are aligned to their size.
 * `dst` may begin at the first operand or anywhere before it, but not elsewhere in an operand. */
typedef struct tsr_reduce_loops {
  /** dst[i] = a[i] op b[i]; a is the left half. */
  void (*combine)(void *dst, int64_t *dst_i, const void *a, const int64_t *a_i, const void *b,
                  const int64_t *b_i, int64_t n);
  /** Combines one level of every row; the results have no gaps. */
  void (*pairs)(void *dst, int64_t *dst_i, const void *src, const int64_t *src_i,
                const tsr_reduce_rows *rows);
  /** Combines `levels` (1 to TSR__TREE_LEVELS, or any number if any_levels) levels of neighbouring
   * pairs over n values, and promotes an odd last one at each level. Writes ceil(n / 2^levels)
   * values. */
  void (*tree)(void *dst, int64_t *dst_i, const void *src, const int64_t *src_i, int64_t n,
               int levels);
  /** Combines `levels` (1 to TSR__ROW_LEVELS) levels of n rows of `inner` values that follow each
   * other, column by column, and promotes an odd last row at each level. NULL for some
   * operations. */
  void (*rows)(void *dst, const void *src, int64_t n, int64_t inner, int levels);
  /** `tree` of argmin and argmax over leaves with the indices first, first + step, …; NULL for
   * other operations. */
  void (*leaves)(void *dst, int64_t *dst_i, const void *src, int64_t n, int levels, int64_t first,
                 int64_t step);
  /** Sums of products of floats and complex numbers; NULL for others. products: `tree` over the
   * products of a and b, of up to TSR__PRODUCT_LEVELS levels. conjugates, of complex numbers only:
   * the same of the conjugates of a. product_rows, of floats only: products over the rows, for each
   * column. dst is apart from both. */
  void (*products)(void *dst, const void *a, const void *b, int64_t n, int levels,
                   const tsr_next_factors *next);
  void (*conjugates)(void *dst, const void *a, const void *b, int64_t n, int levels,
                     const tsr_next_factors *next);
  void (*product_rows)(void *dst, const tsr_product_rows *p, int levels);
  /** All levels of every row of products, or, second, of products with the conjugates of a. */
  void (*product_lines[2])(void *dst, const tsr_product_lines *p);
  /** [TSR_N_DTYPES] of integers of fewer bits, for sums of 64 bits, and of all for counts; NULL for others, and of dtypes
   * that are none. */
  tsr_narrow_loop *const *narrow;
  /** tsr__scan of at least one value, for sums and products, and for min and max but of complex
   * numbers; NULL for others. */
  void (*scan)(void *dst, int64_t dst_step, const void *src, int64_t src_step, int64_t n,
               int64_t from);
  /** The result does not depend on the order in which values are combined, so `tree` and `leaves`
   * scan a subtree of any height. */
  bool any_levels;
} tsr_reduce_loops;
/** The tables of the instruction sets, which all give the same bits. Rows without loops are
 * empty. */
extern const tsr_reduce_loops tsr__reduce_baseline[TSR_N_REDUCTIONS][TSR_N_DTYPES];
extern const tsr_reduce_loops tsr__reduce_avx2[TSR_N_REDUCTIONS][TSR_N_DTYPES];
extern const tsr_reduce_loops tsr__reduce_avx512[TSR_N_REDUCTIONS][TSR_N_DTYPES];
/** Returns the loops of an operation for an instruction set, or NULL if the operation does not
 * compute in that dtype. */
const tsr_reduce_loops *tsr__reduce_loops_for(tsr_isa isa, tsr_reduction op, tsr_dtype compute);
/** Returns the loops for the best instruction set of this processor. */
const tsr_reduce_loops *tsr__reduce_loops(tsr_reduction op, tsr_dtype compute);

/** A box of nodes of one level, in node coordinates (tsr_tree), with a value for each, dense
 * row-major. A *stuck* slab has one coordinate on its level's axis, whose sibling lies inside the
 * shape but has not arrived. */
typedef struct tsr_slab {
  struct tsr_slab *next;
  int32_t level;
  int32_t size_class;
  int64_t lo[TSR_MAX_NDIM], n[TSR_MAX_NDIM];
  int64_t volume;
  char *values;   /* inside the slab's own block */
  int64_t *index; /* of argmin and argmax; else NULL */
} tsr_slab;

/** Size classes: four per octave of bytes. */
#define TSR__SLAB_CLASSES (4 * 64)
/** The size classes whose blocks tsr__partials_clear keeps: those of less than 64 KiB. Larger ones
 * are the pool's. */
#define TSR__SLAB_CLASSES_POOLED (4 * 16)

/** The kinds of cells in which a level's stuck slabs are stored: byte k of a kind is the logarithm
 * of the cells' length along axis k. */
#define TSR__SLAB_KINDS 8
typedef struct tsr_slab_kinds {
  int n;
  uint64_t kind[TSR__SLAB_KINDS];
} tsr_slab_kinds;

struct tsr_partials {
  tsr_tree tree;
  tsr_reduction op;
  tsr_dtype compute;
  const tsr_reduce_loops *loops;
  size_t value_bytes;
  bool has_index;
  uint8_t shift[8 * 64]; /* per level: how many lower levels combine the same axis */
  tsr_box kept_box;
  int64_t kept_volume;
  tsr_slab_kinds *kinds; /* [tree.n_levels] of the slabs that were stored since the last clear */
  tsr_table stuck;       /* slabs that wait for siblings, by level and cell */
  tsr_slab *root;        /* finished pieces */
  void *whole;           /* where the results of the next box go, which are whole; else NULL */
  uintptr_t factor[2];   /* where the last box of products began; 0: there was none */
  tsr_slab *todo;        /* slabs that may still rise; empty between calls */
  tsr_slab *free[TSR__SLAB_CLASSES];
  tsr_memory *large; /* borrowed: of the blocks that are not pooled; NULL: the system's */
  bool has_large;    /* a block of a class that is not pooled exists */
  int64_t *index;    /* scratch: indices of the box being added */
  int64_t index_capacity;
  tsr_arena scratch;         /* scratch of packing and checking, which reset it */
  struct tsr_partials *seen; /* boxes of the message being checked; made when first needed */
};

/** Returns the bytes of a slab's values, padded so that the indices that follow are aligned. */
static inline size_t tsr__slab_padded_bytes(const tsr_partials *p, int64_t volume)
{
  return ((size_t)volume * p->value_bytes + 7) & ~(size_t)7;
}
/** Returns the slab's first coordinate on its level's axis; 0 at the root. A stuck slab has no
 * other. */
static inline int64_t tsr__slab_coordinate(const tsr_partials *p, const tsr_slab *s)
{
  TSR_ASSERT(s->level >= 0 && s->level <= p->tree.n_levels);
  return s->level < p->tree.n_levels ? s->lo[p->tree.level_axis[s->level]] : 0;
}
/** Returns the number of nodes of a box with n per axis. */
static inline int64_t tsr__slab_volume(const tsr_partials *p, const int64_t *n)
{
  int64_t volume = 1;
  for (int k = 0; k < p->tree.ndim; k++) volume *= n[k];
  return volume;
}

tsr_slab *tsr__slab_new(tsr_partials *p, int level, const int64_t *lo, const int64_t *n);
void tsr__slab_release(tsr_partials *p, tsr_slab *s); /* puts it on the free list */
/** Gives up the memory of a list of slabs. */
void tsr__slabs_free(tsr_partials *p, tsr_slab *list);
/** Moves a slab whose box has shrunk to a smaller block if most of its own is unused. */
tsr_slab *tsr__slab_fit(tsr_partials *p, tsr_slab *s);
/** Makes a new slab of the box (lo, n) of s, with the values of s. */
tsr_slab *tsr__slab_cut(tsr_partials *p, const tsr_slab *s, const int64_t *lo, const int64_t *n);
/** Copies the common box of two slabs of one level between arrays that are dense over their
 * boxes. */
void tsr__slab_copy_array(const tsr_partials *p, const tsr_slab *dst, void *dst_array,
                          const tsr_slab *src, const void *src_array, size_t bytes);
/** Adds the boxes of s outside (lo, n), which lies within s, to *list as new slabs. */
void tsr__slab_cut_outside(tsr_partials *p, const tsr_slab *s, const int64_t *lo, const int64_t *n,
                           tsr_slab **list);
/** Finds the box common to a and b on all axes except `skip`, where it is that of a. Returns false
 * if there is none. */
bool tsr__slab_common(const tsr_partials *p, const tsr_slab *a, const tsr_slab *b, int skip,
                      int64_t *lo, int64_t *n);
/** Stuck slabs: store keeps one. take_meeting removes and returns one that meets the box of s, at
 * `coordinate` on its level's axis, or returns NULL. meets_stuck tells whether there is one. */
void tsr__slab_store(tsr_partials *p, tsr_slab *s);
tsr_slab *tsr__slab_take_meeting(tsr_partials *p, const tsr_slab *s, int64_t coordinate);
bool tsr__slab_meets_stuck(const tsr_partials *p, const tsr_slab *s, int64_t coordinate);

/** Returns the number of nodes of `axis` at a level above `shift` levels that combine it. */
static inline int64_t tsr__tree_n_nodes(const tsr_tree *tree, int axis, int shift)
{
  return tree->shape[axis] == 0 ? 0 : ((tree->shape[axis] - 1) >> shift) + 1;
}
/** Returns the number of levels from `level` up that combine the same axis, at most `most`. */
int tsr__tree_n_equal_levels(const tsr_tree *tree, int level, int most);
/** Adds nodes of a level as tsr__partials_add adds values. The box [lo, lo + n), in node
 * coordinates, is dense and inside. */
void tsr__partials_add_nodes(tsr_partials *p, int level, const int64_t *lo, const int64_t *n,
                             const void *values, void *scratch);
bool tsr__partials_box_is_inside(const tsr_partials *p, const tsr_box *box);
/** Adds a slab whose values are set: merges it with its siblings, and their parents, as far as they
 * rise. */
void tsr__partials_put(tsr_partials *p, tsr_slab *s);

#endif
