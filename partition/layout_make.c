/* How layouts are made: fresh ones by the smallest surface between tiles, and those that follow
 * another layout through a view or a reduction. Every answer is interned (layout_table.c), and the
 * costly ones are remembered. */
#include "partition/partition_int.h"

#include <stdlib.h>

/* The low byte of the first word of remembered keys. */
enum { KEY_PULLBACK = 1, KEY_FRESH = 2, KEY_REDUCE = 3 };

/* Fresh cuts. */

#define CUT_UNIT 64 /* the contiguous axis is cut at multiples of so many elements */

/* The search for the grid of exactly n_tiles tiles with the least surface between tiles. Cutting
 * the contiguous axis at all adds a face to the surface: each point there takes a cache line to
 * pack and one to unpack, and rows and the rims at their ends are short. Grids with most tiles
 * on the earliest axes come first, and a later one wins only if it has less than 15/16 of the
 * surface, so that arrays of nearly the same shape (a staggered grid's) are cut alike. */
typedef struct grid_search {
  int ndim;
  const int64_t *shape;
  int64_t face[TSR_MAX_NDIM]; /* elements on a cut across axis k */
  int64_t min_tile;
  int per_rank;
  int n_divisors;
  int32_t divisors[256]; /* the divisors of n_tiles, descending; no number below 2^20 has more */
  int32_t at[TSR_MAX_NDIM], best[TSR_MAX_NDIM];
  __int128 best_surface; /* -1: no grid was found yet */
} grid_search;

/* The index at which tile c of n begins on an axis of `length`. */
static int64_t fresh_cut(int64_t length, bool is_last, int32_t n, int32_t c)
{
  if (c == n) return length;
  if (!is_last || length / n < CUT_UNIT) return (int64_t)((__int128)length * c / n);
  int64_t units = tsr__div_ceil(length, CUT_UNIT);
  return (int64_t)((__int128)units * c / n) * CUT_UNIT;
}

static int64_t narrowest(int64_t length, bool is_last, int32_t n)
{
  int64_t all = length / n;
  if (!is_last || all < CUT_UNIT || n == 1) return all;
  int64_t units = tsr__div_ceil(length, CUT_UNIT) / n * CUT_UNIT;
  int64_t end = length - fresh_cut(length, true, n, n - 1);
  return units < end ? units : end;
}

/* Do the tiles of each rank's places, `per_rank` in a row in row-major order, form a box? */
static bool ranks_have_boxes(const grid_search *g)
{
  int64_t n_tiles = 1;
  for (int k = 0; k < g->ndim; k++) n_tiles *= g->at[k];
  if (n_tiles <= g->per_rank) return true; /* all tiles are one rank's */
  int32_t left = g->per_rank;
  for (int k = g->ndim - 1; k >= 0 && left > 1; k--) {
    const int32_t n = g->at[k];
    if (left % n == 0) {
      left /= n;
      continue;
    }
    bool is_outermost = true;
    for (int j = 0; j < k; j++) is_outermost = is_outermost && g->at[j] == 1;
    return is_outermost || n % left == 0;
  }
  return true;
}

static void search_axis(grid_search *g, int k, int32_t tiles, int64_t smallest, __int128 surface)
{
  if (g->best_surface >= 0 && 16 * surface >= 15 * g->best_surface) return;
  if (k == g->ndim) {
    if (tiles != 1 || !ranks_have_boxes(g)) return;
    g->best_surface = surface;
    for (int j = 0; j < g->ndim; j++) g->best[j] = g->at[j];
    return;
  }
  bool is_last = k == g->ndim - 1;
  for (int d = 0; d < g->n_divisors; d++) {
    int32_t n = g->divisors[d];
    if (n > g->shape[k] || tiles % n != 0 || (is_last && n != tiles)) continue;
    int64_t left = smallest / g->shape[k] * narrowest(g->shape[k], is_last, n);
    if (left < g->min_tile) continue;
    g->at[k] = n;
    int32_t faces = is_last && n > 1 ? n : n - 1;
    search_axis(g, k + 1, tiles / n, left, surface + (__int128)faces * g->face[k]);
  }
}

static bool search_grid(grid_search *g, int32_t n_tiles, int64_t n_elems)
{
  g->n_divisors = 0;
  for (int32_t d = n_tiles; d >= 1; d = n_tiles / (n_tiles / d + 1)) {
    if (n_tiles % d == 0) g->divisors[g->n_divisors++] = d;
  }
  g->best_surface = -1;
  search_axis(g, 0, n_tiles, n_elems, 0);
  return g->best_surface >= 0;
}

const tsr_layout *tsr__layout_fresh(tsr_layouts *table, int ndim, const int64_t *shape,
                                    int32_t rank_step, int64_t min_tile_elems)
{
  int64_t n_elems = tsr__volume(ndim, shape);
  if (n_elems == 0) return tsr__layout_replicated(table, ndim, shape);
  int64_t key[TSR_LAYOUT_KEY_MAX];
  int n_key = 0;
  key[n_key++] = KEY_FRESH | (int64_t)rank_step << 8;
  key[n_key++] = min_tile_elems;
  for (int k = 0; k < ndim; k++) key[n_key++] = shape[k];
  uint64_t hash;
  const tsr_layout *known = tsr__layout_recall(table, key, n_key, &hash);
  if (known) return known;

  grid_search g = {.ndim = ndim,
                   .shape = shape,
                   .min_tile = min_tile_elems,
                   .per_rank = (int)tsr__div_ceil(tsr__layouts_per_rank(table), rank_step)};
  for (int k = 0; k < ndim; k++) g.face[k] = n_elems / shape[k];
  int64_t most = n_elems / (min_tile_elems > 1 ? min_tile_elems : 1);
  int32_t n = (int32_t)tsr__div_ceil(tsr__layouts_n_places(table), rank_step);
  if (most < n) n = (int32_t)most;
  while (n > 1 && !search_grid(&g, n, n_elems)) n--;
  tsr_cut_axis axes[TSR_MAX_NDIM];
  int32_t stride = rank_step;
  for (int k = ndim - 1; k >= 0; k--) {
    int32_t tiles = n > 1 ? g.best[k] : 1;
    axes[k] = tsr__cut_axis_create(tiles);
    axes[k].n = tiles;
    for (int32_t c = 0; c <= tiles; c++)
      axes[k].begin[c] = fresh_cut(shape[k], k == ndim - 1, tiles, c);
    for (int32_t c = 0; c < tiles; c++) axes[k].weight[c] = (int64_t)c * stride;
    stride *= tiles;
  }
  return tsr__layout_remember(table, key, n_key, hash,
                              tsr__layout_intern(table, ndim, axes, 0, NULL));
}

/* Layouts through a view. */

/* The cut of n view indices, of which index i reaches offset + step*i on axis k of `of`. Tiles that
 * the steps jump over leave no piece. */
static tsr_cut_axis pull_axis(const tsr_layout *of, int k, int64_t weight, int64_t offset,
                              int64_t step, int64_t n)
{
  const int64_t *cuts = of->cuts[k];
  int32_t first = tsr__layout_find(of, k, offset);
  int32_t last = tsr__layout_find(of, k, offset + step * (n - 1));
  int32_t turn = step > 0 ? 1 : -1, m = 0;
  tsr_cut_axis a = tsr__cut_axis_create((last - first) * turn + 1);
  for (int32_t c = first; c != last + turn; c += turn) {
    int64_t begin = 0; /* the first index that reaches this tile or goes beyond it */
    if (c != first)
      begin = step > 0 ? tsr__div_ceil(cuts[c] - offset, step)
                       : tsr__div_floor(offset - cuts[c + 1], -step) + 1;
    if (m > 0 && a.begin[m - 1] == begin) m--;
    a.begin[m] = begin;
    a.weight[m++] = weight * c;
  }
  a.begin[m] = n;
  a.n = m;
  return a;
}

/* Cuts an axis where either of two cuts does (of a diagonal); weights add up. Frees a and b. */
static tsr_cut_axis merge_cuts(tsr_cut_axis a, tsr_cut_axis b)
{
  tsr_cut_axis r = tsr__cut_axis_create((int64_t)a.n + b.n);
  int32_t i = 0, j = 0, m = 0;
  while (i < a.n && j < b.n) {
    r.begin[m] = a.begin[i] > b.begin[j] ? a.begin[i] : b.begin[j];
    r.weight[m++] = a.weight[i] + b.weight[j];
    int64_t end_a = a.begin[i + 1], end_b = b.begin[j + 1];
    i += end_a <= end_b;
    j += end_b <= end_a;
  }
  r.begin[m] = a.begin[a.n];
  r.n = m;
  free(a.begin);
  free(a.weight);
  free(b.begin);
  free(b.weight);
  return r;
}

static const tsr_layout *pullback(tsr_layouts *table, const tsr_layout *of, const tsr_view *v)
{
  tsr_cut_axis axes[TSR_MAX_NDIM];
  bool cut[TSR_MAX_NDIM] = {false};
  int64_t weight[TSR_MAX_NDIM], base = of->place_base;
  tsr__layout_weights(of, weight);
  for (int k = 0; k < v->rdim; k++) {
    int column = -1;
    for (int j = 0; j < v->ndim; j++) {
      if (v->step[k][j] == 0 || v->shape[j] == 1) continue;
      TSR_ASSERT(column < 0);
      column = j;
    }
    if (column < 0) {
      base += weight[k] * tsr__layout_find(of, k, v->offset[k]);
      continue;
    }
    tsr_cut_axis a =
        pull_axis(of, k, weight[k], v->offset[k], v->step[k][column], v->shape[column]);
    axes[column] = cut[column] ? merge_cuts(axes[column], a) : a;
    cut[column] = true;
  }
  for (int j = 0; j < v->ndim; j++)
    if (!cut[j]) axes[j] = tsr__cut_axis_whole(v->shape[j]);
  return tsr__layout_intern(table, v->ndim, axes, base, of->place);
}

const tsr_layout *tsr__layout_pullback(tsr_layouts *table, const tsr_layout *of, const tsr_view *v)
{
  TSR_ASSERT(of->ndim == v->rdim && !v->bounded);
  bool same_shape = v->ndim == v->rdim;
  for (int k = 0; k < v->ndim && same_shape; k++) same_shape = v->shape[k] == of->shape[k];
  if (same_shape && tsr__view_is_identity(v)) return of;
  int64_t key[TSR_LAYOUT_KEY_MAX];
  int n = 0;
  key[n++] = KEY_PULLBACK | (int64_t)of->id << 8;
  key[n++] = v->ndim | (int64_t)v->rdim << 8;
  for (int j = 0; j < v->ndim; j++) key[n++] = v->shape[j];
  for (int k = 0; k < v->rdim; k++) {
    key[n++] = v->offset[k];
    for (int j = 0; j < v->ndim; j++) key[n++] = v->step[k][j];
  }
  uint64_t hash;
  const tsr_layout *known = tsr__layout_recall(table, key, n, &hash);
  if (known) return known;
  bool whole = of->replicated || tsr__view_size(v) == 0;
  return tsr__layout_remember(table, key, n, hash,
                              whole ? tsr__layout_replicated(table, v->ndim, v->shape)
                                    : pullback(table, of, v));
}

/* Layouts of reductions, and layouts with given cuts. */

static const tsr_layout *reduce_layout(tsr_layouts *table, const tsr_layout *of, uint32_t axes_mask,
                                       bool keepdims)
{
  tsr_cut_axis axes[TSR_MAX_NDIM];
  int64_t weight[TSR_MAX_NDIM], shape[TSR_MAX_NDIM];
  int ndim = 0;
  tsr__layout_weights(of, weight);
  for (int k = 0; k < of->ndim; k++) {
    bool dropped = axes_mask >> k & 1;
    if (dropped && !keepdims) continue;
    shape[ndim] = dropped ? 1 : of->shape[k];
    if (!of->replicated && dropped) axes[ndim] = tsr__cut_axis_whole(1);
    if (!of->replicated && !dropped) {
      axes[ndim] = tsr__cut_axis_create(of->n_tiles[k]);
      axes[ndim].n = of->n_tiles[k];
      for (int32_t c = 0; c <= of->n_tiles[k]; c++) axes[ndim].begin[c] = of->cuts[k][c];
      for (int32_t c = 0; c < of->n_tiles[k]; c++) axes[ndim].weight[c] = weight[k] * c;
    }
    ndim++;
  }
  if (of->replicated) return tsr__layout_replicated(table, ndim, shape);
  return tsr__layout_intern(table, ndim, axes, of->place_base, of->place);
}

const tsr_layout *tsr__layout_reduce(tsr_layouts *table, const tsr_layout *of, uint32_t axes_mask,
                                     bool keepdims)
{
  const int64_t key[2] = {KEY_REDUCE | (int64_t)of->id << 8, (int64_t)axes_mask << 1 | keepdims};
  uint64_t hash;
  const tsr_layout *known = tsr__layout_recall(table, key, 2, &hash);
  if (known) return known;
  return tsr__layout_remember(table, key, 2, hash, reduce_layout(table, of, axes_mask, keepdims));
}

const tsr_layout *tsr__layout_custom(tsr_layouts *table, int ndim, const int64_t *shape,
                                     const int32_t *n_tiles, const int64_t *const *cuts,
                                     const int32_t *place)
{
  if (tsr__volume(ndim, shape) == 0) return tsr__layout_replicated(table, ndim, shape);
  tsr_cut_axis axes[TSR_MAX_NDIM];
  int64_t stride = 1;
  for (int k = ndim - 1; k >= 0; k--) {
    TSR_ASSERT(n_tiles[k] >= 1 && cuts[k][0] == 0 && cuts[k][n_tiles[k]] == shape[k]);
    axes[k] = tsr__cut_axis_create(n_tiles[k]);
    int32_t m = 0;
    for (int32_t c = 0; c < n_tiles[k]; c++) {
      TSR_ASSERT(cuts[k][c] <= cuts[k][c + 1]);
      if (cuts[k][c] == cuts[k][c + 1]) continue;
      axes[k].begin[m] = cuts[k][c];
      axes[k].weight[m++] = c * stride;
    }
    axes[k].begin[m] = shape[k];
    axes[k].n = m;
    stride *= n_tiles[k];
  }
  TSR_ASSERT(place || stride <= tsr__layouts_n_places(table));
  return tsr__layout_intern(table, ndim, axes, 0, place);
}
