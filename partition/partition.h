/* Pure geometry: strided boxes, affine views, layouts. There is no state but the table that interns
 * layouts, and no I/O; the same arguments give the same answer on every rank. */
#ifndef TSR_PARTITION_H
#define TSR_PARTITION_H

#include "runtime/base/walk.h"

/* Boxes. */

/** A box: the points lo[k] + i*step[k], 0 <= i < n[k], for every axis k < ndim. Canonical: step >=
 * 1; step == 1 where n <= 1; n >= 0. A box with some n[k] == 0 is empty. A box with ndim 0 has one
 * point and cannot be empty; calls whose answer would be empty say so by what they return, and a
 * caller that must keep such an answer sets ndim to -1: an empty box, which meets and holds
 * nothing. Coordinates stay below 2^62 in magnitude; fields beyond ndim are neither read nor
 * written. An output may be one of the boxes given, except for the views' image and preimage. */
typedef struct tsr_box {
  int32_t ndim;
  int64_t lo[TSR_MAX_NDIM];
  int64_t n[TSR_MAX_NDIM];
  int64_t step[TSR_MAX_NDIM];
} tsr_box;

/** A growing list of boxes; `v` is owned (malloc). All fields zero: an empty list. */
typedef struct tsr_boxes {
  tsr_box *v;
  int32_t n, capacity;
} tsr_boxes;

/** The product of a shape; 1 for ndim 0. */
static inline int64_t tsr__volume(int ndim, const int64_t *shape)
{
  int64_t n = 1;
  for (int k = 0; k < ndim; k++) n *= shape[k];
  return n;
}

tsr_box tsr__box_of_shape(int ndim, const int64_t *shape);
/** The dense box [lo, hi) per axis. */
tsr_box tsr__box_dense(int ndim, const int64_t *lo, const int64_t *hi);
static inline bool tsr__box_is_empty(const tsr_box *a)
{
  bool empty = a->ndim < 0;
  for (int k = 0; k < a->ndim; k++) empty |= a->n[k] == 0;
  return empty;
}
static inline bool tsr__box_is_dense(const tsr_box *a)
{
  for (int k = 0; k < a->ndim; k++)
    if (a->step[k] != 1) return false;
  return true;
}
static inline int64_t tsr__box_volume(const tsr_box *a)
{
  return tsr__volume(a->ndim, a->n);
}
/** One past the last index on `axis`; lo if the box is empty. */
static inline int64_t tsr__box_end(const tsr_box *a, int axis)
{
  return a->n[axis] ? a->lo[axis] + (a->n[axis] - 1) * a->step[axis] + 1 : a->lo[axis];
}
bool tsr__box_equal(const tsr_box *a, const tsr_box *b);    /* are they the same points? */
bool tsr__box_contains(const tsr_box *a, const tsr_box *b); /* is every point of b in a? Exact */
/** The intersection, exact also for different steps (Chinese remainder per axis). Returns false,
 * and an empty box, if they are disjoint. */
bool tsr__box_intersect(const tsr_box *a, const tsr_box *b, tsr_box *out);
bool tsr__box_intersects(const tsr_box *a, const tsr_box *b);
/** The smallest dense box that holds both; an empty operand is ignored. */
tsr_box tsr__box_hull(const tsr_box *a, const tsr_box *b);
/** The smallest dense box that holds a. */
static inline tsr_box tsr__box_dense_hull(const tsr_box *a)
{
  tsr_box r;
  r.ndim = a->ndim;
  for (int k = 0; k < a->ndim; k++) {
    r.lo[k] = a->lo[k];
    r.n[k] = tsr__box_end(a, k) - a->lo[k];
    r.step[k] = 1;
  }
  return r;
}
/** Append to `out` disjoint boxes, none empty, whose union U satisfies a - b <= U <= a: points of b
 * may stay, and no point outside b is lost. U is a - b when b is dense, when the steps of a and b
 * agree in phase, and when what b leaves of each axis is two progressions (every second or third
 * point of a). At most 2*ndim boxes (one if a stays whole). */
void tsr__box_subtract_keep(const tsr_box *a, const tsr_box *b, tsr_boxes *out);
/** As tsr__box_subtract_keep, with U <= a - b: no point of b stays, and points outside b may be
 * lost. U is a - b in the same cases. */
void tsr__box_subtract_drop(const tsr_box *a, const tsr_box *b, tsr_boxes *out);

/** So many indices at the lower and the upper end of each axis. */
typedef struct tsr_margins {
  int64_t lo[TSR_MAX_NDIM], hi[TSR_MAX_NDIM];
} tsr_margins;

/** The dense box with margins around it, as far as they lie in [0, shape). An empty one stays
 * so. */
void tsr__box_widen(tsr_box *a, const tsr_margins *by, const int64_t *shape);

/** A walk over the points of a box, in row-major order:
 *    for (const int64_t *at = tsr__box_first(&walk, &box); at != NULL; at = tsr__box_next(&walk)) …
 */
typedef struct tsr_box_walk {
  const tsr_box *box; /* borrowed */
  tsr_walk walk;
  int64_t at[TSR_MAX_NDIM];
} tsr_box_walk;
const int64_t *tsr__box_first(tsr_box_walk *w, const tsr_box *a);
const int64_t *tsr__box_next(tsr_box_walk *w);

void tsr__boxes_add(tsr_boxes *list, const tsr_box *a);
void tsr__boxes_clear(tsr_boxes *list); /* keeps the memory */
void tsr__boxes_free(tsr_boxes *list);
/** list := list - b, by tsr__box_subtract_keep or tsr__box_subtract_drop. */
void tsr__boxes_subtract_keep(tsr_boxes *list, const tsr_box *b);
void tsr__boxes_subtract_drop(tsr_boxes *list, const tsr_box *b);
int64_t tsr__boxes_volume(const tsr_boxes *list); /* the boxes are disjoint */
/** The box as text, "[0:4,2:10:2]", of at most `size` bytes with the terminator. Returns buf. */
char *tsr__box_text(const tsr_box *a, char *buf, size_t size);

/* Views. */

/** A view: region index k = offset[k] + sum_j step[k][j] * index[j], k < rdim, j < ndim. shape[j]
 * is the view's own shape. Fields beyond ndim and rdim are not read. A row with no step is an
 * integer index; a column with no step repeats (broadcast, new axis); two rows with one column are
 * a diagonal; a row with two columns is a sliding window or a split axis.
 *
 * An index reaches its point. Of a view that `reaches`, it reaches the points from before[k] to
 * after[k] away, too, that lie in [first[k], end[k]), a box of the region. Only operands of tasks
 * and halos have such views, which are never written through, composed or changed.
 *
 * A view that is `bounded` leads somewhere only from the indices in [lo[j], hi[j]), a box of its
 * index space that is neither empty nor all of it. Several such views, each with a box of its own,
 * are a piecewise view: as with a periodic read, which leads elsewhere on either side of a seam. A
 * bounded view has an axis, does not reach, and is never written through or changed. */
typedef struct tsr_view {
  int32_t ndim, rdim;
  bool reaches, bounded;
  int64_t shape[TSR_MAX_NDIM];
  int64_t offset[TSR_MAX_NDIM];
  int64_t step[TSR_MAX_NDIM][TSR_MAX_NDIM];
  int64_t before[TSR_MAX_NDIM], after[TSR_MAX_NDIM]; /* these and the next: read if it reaches */
  int64_t first[TSR_MAX_NDIM], end[TSR_MAX_NDIM];
  int64_t lo[TSR_MAX_NDIM], hi[TSR_MAX_NDIM]; /* read if it is bounded */
} tsr_view;

void tsr__view_identity(tsr_view *v, int ndim, const int64_t *shape);
/** Copy the used part only. */
void tsr__view_copy(tsr_view *dst, const tsr_view *src);
/** The view's indices that lead somewhere: its bounds, or all of its index space. */
tsr_box tsr__view_bounds(const tsr_view *v);
/** Bound the view to a dense box of its index space as well. Returns false, and leaves the view as
 * it is, if it would lead nowhere. */
bool tsr__view_bound(tsr_view *v, const tsr_box *box);
/** Compose views: `out`, no alias, leads from the index space of `outer` to the region of `inner`,
 * whose index space is the region of `outer`. If `inner` is bounded, no row of `outer` may have two
 * steps. Returns false if bounds leave no index; `out` is not to be used then. */
bool tsr__view_compose(const tsr_view *outer, const tsr_view *inner, tsr_view *out);
bool tsr__view_equal(const tsr_view *a, const tsr_view *b);
bool tsr__view_is_identity(const tsr_view *v);
int64_t tsr__view_size(const tsr_view *v); /* the product of the shape */
/* Edits in place. Arguments are already checked and normalised (0 <= axis < ndim). */
void tsr__view_slice(tsr_view *v, int axis, int64_t start, int64_t length,
                     int64_t step);                     /* step may be negative */
void tsr__view_index(tsr_view *v, int axis, int64_t i); /* drops the axis */
void tsr__view_newaxis(tsr_view *v, int axis); /* inserts an axis of length 1 before `axis` */
void tsr__view_transpose(tsr_view *v, const int *perm);
void tsr__view_flip(tsr_view *v, int axis);
/** Broadcast to `shape` by NumPy's rule; false, with v unchanged, if it does not broadcast. */
bool tsr__view_broadcast(tsr_view *v, int ndim, const int64_t *shape);
/** As numpy.diagonal: axis1 and axis2 go, and the diagonal becomes the last axis. */
void tsr__view_diagonal(tsr_view *v, int64_t offset, int axis1, int axis2);
/** Do different indices always reach different points of the region, so that writing is allowed?
 * The answer may be false for exotic injective views with two columns in a row, but is never true
 * for a view that repeats. */
bool tsr__view_is_injective(const tsr_view *v);
/** Does the view lead every index to the same points? */
bool tsr__view_is_still(const tsr_view *v);
/** Does no row move with two axes, so that no axis of the region is split? */
bool tsr__view_is_separable(const tsr_view *v);
/** The region points that the view's indices in `box` reach; `box` may be strided. Exact, and
 * returns true, if every row and every column has at most one step, axes on which the box has one
 * index not counted. Else a superset, and returns false; also for an empty box and rdim 0, where
 * the answer is the one point. */
bool tsr__view_image(const tsr_view *v, const tsr_box *box, tsr_box *out);
/** The view's indices that reach a point of `region_box`, which may be strided. Exact, and returns
 * true, if every row has at most one step, axes of length 1 not counted. Else a superset, and
 * returns false; also where no index reaches it and ndim is 0, where the answer is the one point.
 */
bool tsr__view_preimage(const tsr_view *v, const tsr_box *region_box, tsr_box *out);
/** The preimage. Returns whether some index may reach the box; that is exact without axes, where
 * the answer's box cannot be empty. */
bool tsr__view_meets(const tsr_view *v, const tsr_box *region_box, tsr_box *out);
/** The indices of which every dense box has one whose image, as tsr__view_image gives it, meets
 * `region_box`. The image also holds what lies between the points reached, so its box may meet
 * where no index leads to. */
void tsr__view_readers(const tsr_view *v, const tsr_box *region_box, tsr_box *out);
/** The axis of the index space that moves axis k of the region. -1: none, -2: more than one. */
int tsr__view_axis_of_row(const tsr_view *v, int k);
/** How far the points to which two views of one region lead an index are displaced from each other
 * along an axis of their index space, in its indices, rounded up; 0 where they do not move alike
 * along it. */
int64_t tsr__views_displaced(const tsr_view *a, const tsr_view *b, int axis);
char *tsr__view_text(const tsr_view *v, char *buf,
                     size_t size); /* as "0+1*i0, 3-2*i1 : (4, 5)", of bounded
   * ones with " within [0:4,2:5]" */

/* Layouts. */

/** A layout: how an index box [0, shape) is cut into tiles, and which place owns each. Equal
 * layouts are one pointer, until a sweep, since a table interns them. Every place owns at most one
 * tile. Tile coordinate c on axis k covers [cuts[k][c], cuts[k][c+1]); cuts[k][0] == 0 and
 * cuts[k][n_tiles[k]] == shape[k], strictly ascending (no empty tiles) unless shape[k] == 0. The
 * owner of tile c is place[row-major index of c] if `place` is set, else place_base + sum_k
 * place_stride[k]*c[k]. `replicated`: every place owns everything (one tile per place). */
typedef struct tsr_layout {
  uint32_t id; /* the number of layouts that the table made before; no other layout gets it */
  int32_t ndim;
  bool replicated;
  int64_t shape[TSR_MAX_NDIM];
  int32_t n_tiles[TSR_MAX_NDIM];
  const int64_t *cuts[TSR_MAX_NDIM];
  int32_t place_base;
  int32_t place_stride[TSR_MAX_NDIM];
  const int32_t *place;
} tsr_layout;

typedef struct tsr_layouts tsr_layouts;

/** A table for `n_places` places (fewer than 2^20). Each rank has `per_rank` consecutive ones, and
 * fresh cuts give every rank a box. Not thread-safe; its layouts are immutable. */
tsr_layouts *tsr__layouts_create(int n_places, int per_rank);
void tsr__layouts_destroy(tsr_layouts *table);         /* NULL is ignored */
uint32_t tsr__layouts_count(const tsr_layouts *table); /* layouts made so far */
/** held: the number of layouts in the table. sweep: all layouts but those that were kept since the
 * last sweep leave the table. Nobody may hold these; asked for again, they are made anew. */
uint32_t tsr__layouts_held(const tsr_layouts *table);
void tsr__layouts_keep(tsr_layouts *table, const tsr_layout *layout);
void tsr__layouts_sweep(tsr_layouts *table);
/** How often the table was searched for a layout by its content, which is what a new one costs. */
uint64_t tsr__layouts_lookups(const tsr_layouts *table);
const tsr_layout *tsr__layout_replicated(tsr_layouts *table, int ndim, const int64_t *shape);
/** A fresh cut. It has as many tiles as every rank_step-th place is one, or fewer, so that no tile
 * has under `min_tile_elems` elements (one tile is the least). It is the grid with the smallest
 * surface between tiles, 1/16 of which counts for nothing, with ties to cutting earlier axes. The
 * last axis is cut last and at multiples of 64 (where tiles are at least 64 long). Tiles differ by
 * at most one row (or one unit of 64) per axis. Their places are in row-major order from place 0. A
 * shape with 0 elements gives the replicated layout. */
const tsr_layout *tsr__layout_fresh(tsr_layouts *table, int ndim, const int64_t *shape,
                                    int32_t rank_step, int64_t min_tile_elems);
/** Pull a layout back through a view: the cut of the view's index space in which the owner of index
 * i is the owner of region point view(i). Axes that the view repeats stay whole. `v` needs at most
 * one step per row, and no bounds. Tiles that no index reaches do not appear, so some places may
 * own nothing. The result is replicated if `of` is, or if v has no index. Answers are
 * remembered: one that is costs a hash and a comparison of the view. */
const tsr_layout *tsr__layout_pullback(tsr_layouts *table, const tsr_layout *of, const tsr_view *v);
/** The layout of a reduction's result: the axes in `axes_mask` (bit k = axis k) go, or get length
 * 1. The owner of an index of the result is the owner of the first tile along these axes. */
const tsr_layout *tsr__layout_reduce(tsr_layouts *table, const tsr_layout *of, uint32_t axes_mask,
                                     bool keepdims);
/** The layout like `of`, which is replicated or one tile, of another shape. Where one of the two
 * shapes has no elements, so has the other. */
const tsr_layout *tsr__layout_resized(tsr_layouts *table, const tsr_layout *of,
                                      const int64_t *shape);
/** A layout with given cuts: n_tiles[k]+1 ascending values per axis. place: copied, no place twice;
 * NULL for row-major places. Empty tiles are left out, with their places. */
const tsr_layout *tsr__layout_custom(tsr_layouts *table, int ndim, const int64_t *shape,
                                     const int32_t *n_tiles, const int64_t *const *cuts,
                                     const int32_t *place);
/** The tile of a place as a dense box. Returns false, and an empty box (for ndim 0 the one point),
 * if it owns no element. */
bool tsr__layout_tile(const tsr_layout *layout, int place, tsr_box *out);
/** Add to `out` the tiles of places [first, end), put together to boxes. Cost: O(ndim) boxes, or
 * one for each tile where places are a list. Not for replicated layouts. */
void tsr__layout_tiles_of(const tsr_layout *layout, int first, int end, tsr_boxes *out);
int tsr__layout_n_tiles(const tsr_layout *layout); /* 1 if replicated */
/** The number of elements of the largest tile; the same on every rank. */
int64_t tsr__layout_max_tile(const tsr_layout *layout);
/** The greatest length of a tile along an axis; the same on every rank. */
int64_t tsr__layout_widest(const tsr_layout *layout, int axis);
/** An iteration over the tiles that meet the dense hull of `box`, which may reach beyond the shape,
 * in row-major order of tiles. Cost: a binary search per axis, then O(tiles met). Not for
 * replicated layouts.
 *    tsr_tile_iter it; for (tsr__tiles_meeting(&it, layout, &box); tsr__tiles_next(&it);) …
 * it.tile and it.place are the tile and its place. */
typedef struct tsr_tile_iter {
  const tsr_layout *layout;
  int32_t first[TSR_MAX_NDIM], at[TSR_MAX_NDIM]; /* tile coordinates */
  int64_t n[TSR_MAX_NDIM];                       /* tiles along each axis */
  tsr_walk walk;                                 /* over n, from `first` on */
  bool started, empty;
  tsr_box tile;
  int place;
} tsr_tile_iter;
void tsr__tiles_meeting(tsr_tile_iter *it, const tsr_layout *layout, const tsr_box *box);
bool tsr__tiles_next(tsr_tile_iter *it);
/** The layout as text: "4096x4096 cut 2x2", "8x8 cut 1x2 on 4-1*t1" (t1: tile coordinate on axis
 * 1), "9 cut 3 on 0,3,1", "replicated 3". */
char *tsr__layout_text(const tsr_layout *layout, char *buf, size_t size);

#endif
