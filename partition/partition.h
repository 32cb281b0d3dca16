/* Pure geometry: strided boxes, affine views, layouts. No state but the table that interns layouts;
 * no I/O; the same arguments give the same answer on every rank. */
#ifndef TSR_PARTITION_H
#define TSR_PARTITION_H

#include "tessera/base.h"

/* Boxes. */

/** The points lo[k] + i*step[k], 0 <= i < n[k], for every axis k < ndim. Canonical: step >= 1; step
 * == 1 where n <= 1; n >= 0. A box with some n[k] == 0 is empty. A box with ndim 0 has one point:
 * it cannot be empty, and calls whose answer would be say so by what they return; who must keep
 * such an answer sets ndim to -1: an empty box, which meets and holds nothing. Coordinates stay
 * below 2^62 in magnitude; fields beyond ndim are neither read nor written. An output may be one of
 * the boxes given, except for the views' image and preimage. */
typedef struct tsr_box {
  int32_t ndim;
  int64_t lo[TSR_MAX_NDIM];
  int64_t n[TSR_MAX_NDIM];
  int64_t step[TSR_MAX_NDIM];
} tsr_box;

/** A growing list of boxes; `v` is owned (malloc). Zero-initialised is empty. */
typedef struct tsr_boxes {
  tsr_box *v;
  int32_t n, capacity;
} tsr_boxes;

tsr_box tsr__box_of_shape(int ndim, const int64_t *shape);
/** Dense box [lo, hi) per axis. */
tsr_box tsr__box_dense(int ndim, const int64_t *lo, const int64_t *hi);
bool tsr__box_is_empty(const tsr_box *a);
bool tsr__box_is_dense(const tsr_box *a);
int64_t tsr__box_volume(const tsr_box *a);
/** One past the last index on `axis` (lo where empty). */
int64_t tsr__box_end(const tsr_box *a, int axis);
bool tsr__box_equal(const tsr_box *a, const tsr_box *b);    /* the same points */
bool tsr__box_contains(const tsr_box *a, const tsr_box *b); /* every point of b is in a; exact */
/** Exact also for different steps (Chinese remainder per axis). Returns false, and an empty box, if
 * disjoint. */
bool tsr__box_intersect(const tsr_box *a, const tsr_box *b, tsr_box *out);
bool tsr__box_intersects(const tsr_box *a, const tsr_box *b);
/** Smallest dense box that holds both; an empty operand is ignored. */
tsr_box tsr__box_hull(const tsr_box *a, const tsr_box *b);
/** Dense box around a. */
tsr_box tsr__box_dense_hull(const tsr_box *a);
/** Append to `out` disjoint boxes (none empty) whose union U satisfies a - b <= U <= a: points of b
 * may stay, points outside b are never lost. Exact when b is dense, when the steps of a and b agree
 * in phase, and when what b leaves of each axis is two progressions (every second or third point of
 * a). At most 2*ndim boxes (one if a stays whole). */
void tsr__box_subtract_keep(const tsr_box *a, const tsr_box *b, tsr_boxes *out);
/** The same with U <= a - b: no point of b stays, points outside b may be lost. Exact in the same
 * cases. */
void tsr__box_subtract_drop(const tsr_box *a, const tsr_box *b, tsr_boxes *out);

void tsr__boxes_add(tsr_boxes *list, const tsr_box *a);
void tsr__boxes_clear(tsr_boxes *list); /* keeps the memory */
void tsr__boxes_free(tsr_boxes *list);
/** list := list - b, under (keep) or over (drop). */
void tsr__boxes_subtract_keep(tsr_boxes *list, const tsr_box *b);
void tsr__boxes_subtract_drop(tsr_boxes *list, const tsr_box *b);
int64_t tsr__boxes_volume(const tsr_boxes *list); /* of disjoint boxes */
/** "[0:4,2:10:2]"; writes at most `size` bytes with the terminator, returns buf. */
char *tsr__box_text(const tsr_box *a, char *buf, size_t size);

/* Views. */

/** Region index k = offset[k] + sum_j step[k][j] * index[j], k < rdim, j < ndim. shape[j] is the
 * view's own shape. Fields beyond ndim/rdim are not read. A row with no step is an integer index; a
 * column with no step repeats (broadcast, new axis); two rows with one column are a diagonal; a row
 * with two columns is a sliding window or a split axis.
 *
 * What an index reaches is its point, or, of a view that `reaches` (of what tasks read only: it is
 * never written through, composed or changed), the points around it from before[k] to after[k]
 * away that lie in [first[k], end[k]), a box of the region. */
typedef struct tsr_view {
  int32_t ndim, rdim;
  bool reaches;
  int64_t shape[TSR_MAX_NDIM];
  int64_t offset[TSR_MAX_NDIM];
  int64_t step[TSR_MAX_NDIM][TSR_MAX_NDIM];
  int64_t before[TSR_MAX_NDIM], after[TSR_MAX_NDIM]; /* not read unless it reaches, nor the next */
  int64_t first[TSR_MAX_NDIM], end[TSR_MAX_NDIM];
} tsr_view;

void tsr__view_identity(tsr_view *v, int ndim, const int64_t *shape);
/** Copies only the used part. */
void tsr__view_copy(tsr_view *dst, const tsr_view *src);
/** `out`, no alias: the index space of `outer` to the region of `inner`, whose index space is the
 * region of `outer`. */
void tsr__view_compose(const tsr_view *outer, const tsr_view *inner, tsr_view *out);
bool tsr__view_equal(const tsr_view *a, const tsr_view *b);
bool tsr__view_is_identity(const tsr_view *v);
int64_t tsr__view_size(const tsr_view *v); /* product of the shape */
/* In-place edits; arguments are already checked and normalised (0 <= axis < ndim). */
void tsr__view_slice(tsr_view *v, int axis, int64_t start, int64_t length,
                     int64_t step);                     /* step may be negative */
void tsr__view_index(tsr_view *v, int axis, int64_t i); /* drops the axis */
void tsr__view_newaxis(tsr_view *v, int axis); /* inserts an axis of length 1 before `axis` */
void tsr__view_transpose(tsr_view *v, const int *perm);
void tsr__view_flip(tsr_view *v, int axis);
/** To `shape` by NumPy's rule; false if it does not broadcast (v unchanged). */
bool tsr__view_broadcast(tsr_view *v, int ndim, const int64_t *shape);
/** numpy.diagonal: drops axis1 and axis2, appends the diagonal as the last axis. */
void tsr__view_diagonal(tsr_view *v, int64_t offset, int axis1, int axis2);
/** True if two different indices never reach the same region point (so that writing is allowed).
 * May answer false for exotic injective views with two columns in a row, never true for one that
 * repeats. */
bool tsr__view_is_injective(const tsr_view *v);
/** Does it lead every index to the same points? */
bool tsr__view_is_still(const tsr_view *v);
/** True if no row moves with two axes: no axis of the region is split. */
bool tsr__view_is_separable(const tsr_view *v);
/** Region points that the view's indices in `box` reach. Exact (returns true) if every row and
 * every column has at most one step, axes on which the box has one index not counted; otherwise a
 * superset (returns false; also for an empty box and rdim 0, where the answer is the one point).
 * `box` may be strided. */
bool tsr__view_image(const tsr_view *v, const tsr_box *box, tsr_box *out);
/** The points whose indices may reach the box, of a view that reaches; else the box. */
tsr_box tsr__view_reached(const tsr_view *v, const tsr_box *region_box);
/** View indices (within the view's shape) that reach a point of `region_box`, which may be strided.
 * Exact (returns true) if every row has at most one step, axes of length 1 not counted; else a
 * superset (false; also where no index reaches it and ndim is 0: the answer is the one point). */
bool tsr__view_preimage(const tsr_view *v, const tsr_box *region_box, tsr_box *out);
/** The preimage, and whether some index may reach the box; without axes, too: there a box is never
 * empty, and the answer is exact. */
bool tsr__view_meets(const tsr_view *v, const tsr_box *region_box, tsr_box *out);
/** Indices of which every dense box has one whose image, as tsr__view_image gives it, meets
 * `region_box`: that image holds what lies between the points reached, too, so its box may meet
 * where no index leads to. */
void tsr__view_readers(const tsr_view *v, const tsr_box *region_box, tsr_box *out);
/** True if a and b have the same matrix and shape: they differ by offsets only; then delta[k] =
 * b.offset - a.offset. */
bool tsr__view_is_shift(const tsr_view *a, const tsr_view *b, int64_t *delta);
char *tsr__view_text(const tsr_view *v, char *buf, size_t size); /* "0+1*i0, 3-2*i1 : (4, 5)" */

/* Layouts. */

/** How an index box [0, shape) is cut into tiles and which place owns each. Interned in a table:
 * equal layouts are one pointer, until a sweep. Every place owns at most one tile.
 *  Tile coordinate c on axis k covers [cuts[k][c], cuts[k][c+1]); cuts[k][0] == 0,
 * cuts[k][n_tiles[k]] == shape[k], strictly ascending (no empty tiles) unless shape[k] == 0. Owner
 * of the tile with coordinates c: place[row-major index of c] if `place` is set, else place_base +
 * sum_k place_stride[k]*c[k]. `replicated`: every place owns everything (one tile per place). */
typedef struct tsr_layout {
  uint32_t id; /* how many the table made before: of no other, also after a sweep */
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

/** A table for `n_places` places (fewer than 2^20), of which each rank has `per_rank` one behind
 * the other: fresh cuts give every rank a box. Not thread-safe; its layouts are immutable. */
tsr_layouts *tsr__layouts_create(int n_places, int per_rank);
void tsr__layouts_destroy(tsr_layouts *table);         /* NULL is ignored */
uint32_t tsr__layouts_count(const tsr_layouts *table); /* layouts made so far */
/** Layouts in the table; and all but those that were kept since the last sweep leave it. Nobody may
 * hold these: asked for again, they are made anew. */
uint32_t tsr__layouts_held(const tsr_layouts *table);
void tsr__layouts_keep(tsr_layouts *table, const tsr_layout *layout);
void tsr__layouts_sweep(tsr_layouts *table);
/** How often its tables were searched for a layout by its content: what a new one costs. */
uint64_t tsr__layouts_lookups(const tsr_layouts *table);
const tsr_layout *tsr__layout_replicated(tsr_layouts *table, int ndim, const int64_t *shape);
/** A fresh cut: as many tiles as every rank_step-th place is one, fewer so that no tile has under
 * `min_tile_elems` elements (one tile is the least); the grid with the smallest halo surface, 1/16
 * of which counts for nothing, ties to cutting earlier axes; the last axis is cut last and at
 * multiples of 64 (where it is at least 64 per tile). Tiles differ by at most one row (or one unit
 * of 64) per axis. Places in row-major order of tiles from place 0. A shape with 0 elements gives
 * the replicated layout. */
const tsr_layout *tsr__layout_fresh(tsr_layouts *table, int ndim, const int64_t *shape,
                                    int32_t rank_step, int64_t min_tile_elems);
/** The cut of a view's index space in which the owner of index i is the owner of region point
 * view(i); axes that the view repeats stay whole. Needs at most one step per row of `v`. Tiles that
 * no index reaches do not appear, so some places may own nothing. Replicated if `of` is, or if v
 * has no index. Memoised: ~50 ns when asked again. */
const tsr_layout *tsr__layout_pullback(tsr_layouts *table, const tsr_layout *of, const tsr_view *v);
/** Drop the axes in `axes_mask` (bit k = axis k), or keep them with length 1: the owner of an index
 * of the result is the owner of the first tile along the dropped axes. For results of reductions.
 */
const tsr_layout *tsr__layout_reduce(tsr_layouts *table, const tsr_layout *of, uint32_t axes_mask,
                                     bool keepdims);
/** Cuts given per axis (n_tiles[k]+1 ascending values each), place explicit (copied; no place
 * twice) or NULL for row-major places. Empty tiles are left out, with their places. */
const tsr_layout *tsr__layout_custom(tsr_layouts *table, int ndim, const int64_t *shape,
                                     const int32_t *n_tiles, const int64_t *const *cuts,
                                     const int32_t *place);
/** A place's tile as a dense box; false (empty box; for ndim 0 the one point) if it owns no
 * element. */
bool tsr__layout_tile(const tsr_layout *layout, int place, tsr_box *out);
int tsr__layout_n_tiles(const tsr_layout *layout); /* 1 if replicated */
/** Largest tile in elements: the same on every rank. */
int64_t tsr__layout_max_tile(const tsr_layout *layout);
/** The longest that a tile is along an axis, too. */
int64_t tsr__layout_widest(const tsr_layout *layout, int axis);
/** The place that owns point `index` of [0, shape); 0 if replicated. */
int tsr__layout_owner(const tsr_layout *layout, const int64_t *index);
/** Iterate the tiles that meet the dense hull of `box`, which may reach beyond the shape, in
 * row-major order of tiles: O(tiles met), binary search per axis. Not for replicated layouts.
 *    tsr_tile_iter it; for (tsr__tiles_meeting(&it, layout, &box); tsr__tiles_next(&it);) …
 * it.tile, it.place */
typedef struct tsr_tile_iter {
  const tsr_layout *layout;
  int32_t first[TSR_MAX_NDIM], last[TSR_MAX_NDIM],
      at[TSR_MAX_NDIM]; /* tile coordinates, inclusive */
  bool started, empty;
  tsr_box tile;
  int place;
} tsr_tile_iter;
void tsr__tiles_meeting(tsr_tile_iter *it, const tsr_layout *layout, const tsr_box *box);
bool tsr__tiles_next(tsr_tile_iter *it);
/** "4096x4096 cut 2x2", "8x8 cut 1x2 on 4-1*t1" (t1: tile coordinate on axis 1), "9 cut 3 on
 * 0,3,1", "replicated 3". */
char *tsr__layout_text(const tsr_layout *layout, char *buf, size_t size);

#endif
