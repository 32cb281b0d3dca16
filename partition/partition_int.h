/* What the files of partition/ share: integer helpers, one axis of a box, and how layouts are made
 * and interned. Coordinates stay below 2^62 in magnitude (sizes are checked where regions are
 * made), so that their sums and differences fit 64 bits. Products of steps may not, and use 128
 * bits. */
#ifndef TSR_PARTITION_INT_H
#define TSR_PARTITION_INT_H

#include "partition/partition.h"
#include "runtime/base/error.h"
#include "runtime/base/alloc.h"

/* Integers. */

/** The quotient, rounded down; b > 0. */
static inline int64_t tsr__div_floor(int64_t a, int64_t b)
{
  int64_t q = a / b;
  return q - (a % b < 0);
}

/** The quotient, rounded up; b > 0. */
static inline int64_t tsr__div_ceil(int64_t a, int64_t b)
{
  int64_t q = a / b;
  return q + (a % b > 0);
}

/** The greatest common divisor of a, b >= 0; gcd(0, b) is b. */
static inline int64_t tsr__gcd(int64_t a, int64_t b)
{
  while (b) {
    int64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

/* One axis. */

/** One axis of a box: lo + i*step, 0 <= i < n; canonical as in tsr_box. */
typedef struct tsr_axis {
  int64_t lo, n, step;
} tsr_axis;

static inline int64_t tsr__axis_last(tsr_axis a)
{
  return a.lo + (a.n - 1) * a.step;
}

static inline bool tsr__axis_has(tsr_axis a, int64_t x)
{
  return a.n > 0 && x >= a.lo && x <= tsr__axis_last(a) &&
         (a.step == 1 || (x - a.lo) % a.step == 0);
}

/** The intersection of two non-empty axes, at least one of which has a step over 1 (box.c). */
bool tsr__axis_intersect_strided(tsr_axis a, tsr_axis b, tsr_axis *out);

/** The intersection of two axes; exact. Returns false, with out->n 0, if they are disjoint. */
static inline bool tsr__axis_intersect(tsr_axis a, tsr_axis b, tsr_axis *out)
{
  if ((a.step | b.step) != 1 && a.n > 0 && b.n > 0) return tsr__axis_intersect_strided(a, b, out);
  int64_t lo = a.lo > b.lo ? a.lo : b.lo;
  int64_t end_a = a.lo + a.n, end_b = b.lo + b.n;
  int64_t n = (end_a < end_b ? end_a : end_b) - lo;
  bool empty = a.n <= 0 || b.n <= 0 || n <= 0;
  *out = (tsr_axis){lo, empty ? 0 : n, 1};
  return !empty;
}

static inline tsr_axis tsr__box_axis(const tsr_box *a, int k)
{
  return (tsr_axis){a->lo[k], a->n[k], a->step[k]};
}

static inline void tsr__box_set_axis(tsr_box *a, int k, tsr_axis x)
{
  a->lo[k] = x.lo;
  a->n[k] = x.n;
  a->step[k] = x.step;
}

/** Copies the used part of a box only. */
static inline void tsr__box_copy(tsr_box *dst, const tsr_box *src)
{
  dst->ndim = src->ndim;
  for (int k = 0; k < src->ndim; k++) tsr__box_set_axis(dst, k, tsr__box_axis(src, k));
}

/** Make the box empty, at the origin (with ndim 0 its one point stays). */
void tsr__box_set_empty(tsr_box *out, int ndim);

/* Text. */

/** A text that goes into a caller's buffer; what does not fit is cut off. */
typedef struct tsr_text_into {
  char *buf;
  size_t size, n; /* n: bytes written, without the terminator */
} tsr_text_into;
void tsr__text_into(tsr_text_into *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A layout in its table. */

/** A tile and whose it is. */
typedef struct tsr_place_tile {
  int32_t place, tile; /* tile: its row-major index */
} tsr_place_tile;

/** A layout with what its questions are answered from. */
typedef struct tsr_layout_node {
  tsr_layout layout; /* the first member: a tsr_layout pointer points to its node, too */
  uint64_t hash;
  int64_t max_tile, widest[TSR_MAX_NDIM];
  int32_t n_tiles;
  int32_t n_order;
  int8_t order[TSR_MAX_NDIM]; /* axes with several tiles, largest place stride first */
  int32_t place_low;          /* affine places: the lowest one */
  tsr_place_tile *by_place;   /* ascending; NULL unless places are a list */
  bool is_marked;             /* stays through the sweep to come */
} tsr_layout_node;

static inline const tsr_layout_node *tsr__layout_node_of(const tsr_layout *layout)
{
  return (const tsr_layout_node *)layout;
}

/** Compare two tiles' places, for sorting. */
static inline int tsr__place_tile_compare(const void *a, const void *b)
{
  int32_t x = ((const tsr_place_tile *)a)->place, y = ((const tsr_place_tile *)b)->place;
  return (x > y) - (x < y);
}

/* Making layouts (layout_table.c). */

/** One axis of a layout under construction, in n pieces. Piece c covers [begin[c], begin[c+1]);
 * weight[c] is what it adds to the place, or to the index into a list of places. Both arrays come
 * from tsr__malloc. */
typedef struct tsr_cut_axis {
  int32_t n;
  int64_t *begin;  /* [n + 1], strictly ascending */
  int64_t *weight; /* [n] */
} tsr_cut_axis;

/** An axis with space for up to n pieces. */
tsr_cut_axis tsr__cut_axis_create(int64_t n);
/** An axis that is one piece of weight 0. */
tsr_cut_axis tsr__cut_axis_whole(int64_t length);

/** The layout whose tile c belongs to place p(base + sum_k axes[k].weight[c[k]]), where p is
 * `places` or, if that is NULL, the identity. Frees the axes. All lengths are over 0. */
const tsr_layout *tsr__layout_intern(tsr_layouts *table, int ndim, tsr_cut_axis *axes, int64_t base,
                                     const int32_t *places);

/** The place strides of the layout; where it has a list of places, row-major strides into that
 * list. */
void tsr__layout_weights(const tsr_layout *layout, int64_t *weight);

/** The tile of axis k that holds x, 0 <= x < shape[k]. */
static inline int32_t tsr__layout_find(const tsr_layout *layout, int k, int64_t x)
{
  const int64_t *cuts = layout->cuts[k];
  int32_t lo = 0, hi = layout->n_tiles[k]; /* invariant: cuts[lo] <= x < cuts[hi] */
  while (hi - lo > 1) {
    int32_t mid = lo + (hi - lo) / 2;
    if (cuts[mid] <= x)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

/** The longest key of a remembered answer, in words. */
#define TSR_LAYOUT_KEY_MAX (4 + 2 * TSR_MAX_NDIM + TSR_MAX_NDIM * TSR_MAX_NDIM)

/** Remembered answers of the calls that make layouts: a cache of fixed size, so that a loop over
 * ever new views does not grow it. A key begins with a word that tells the callers apart. */
const tsr_layout *tsr__layout_recall(tsr_layouts *table, const int64_t *key, int n, uint64_t *hash);
/** Remember `layout` under the key, and return it. `hash`: as tsr__layout_recall gave it. */
const tsr_layout *tsr__layout_remember(tsr_layouts *table, const int64_t *key, int n, uint64_t hash,
                                       const tsr_layout *layout);
int tsr__layouts_n_places(const tsr_layouts *table);
int tsr__layouts_per_rank(const tsr_layouts *table);

#endif
