/* Cuts: the layout that a fresh array gets, and the cut of an op that merges axes.
 *
 * An op over several axes may make one axis of them, in flat order. The tiles of the result are
 * boxes of both index spaces if only the first axis of those that merge is cut. */
#include "scheduler/plan/cut.h"

#include <stdlib.h>
#include <string.h>

/* An array with fewer tiles of the least size than this per rank is small: of the ranks that share
 * a core only one gets a tile of it. */
enum { CROWDED_TILES = 4 };

/* The number of places of a rank that get tiles, where there are fewer tiles than places: the same
 * on every rank (a divisor of its places), unless that leaves less than half of the tiles. */
static int32_t places_of_rank(const tsr_scheduler *s, int64_t n_elems, int64_t tile_min)
{
  const int32_t n = s->world->n_places;
  const int64_t most = n_elems / tile_min, size = s->world->size;
  int32_t each = n;
  while (each > 1 && (n % each != 0 || size * each > most)) each--;
  return size > 1 && 2 * size * each > most ? each : n;
}

int32_t tsr__rank_step(const tsr_scheduler *s, int64_t n_elems, int64_t tile_min)
{
  const tsr_config *config = &s->world->config;
  const int32_t each = places_of_rank(s, n_elems, tile_min), step = s->world->n_places / each;
  const bool is_small = n_elems / s->world->size / CROWDED_TILES < tile_min;
  return is_small && each == 1 ? step * (int32_t)config->ranks_per_core : step;
}

const tsr_layout *tsr__layout_for(tsr_scheduler *s, int ndim, const int64_t *shape, int64_t grain)
{
  double n = 1.0;
  for (int k = 0; k < ndim; k++) n *= (double)shape[k];
  if (ndim == 0 || n <= (double)tsr__most_replicated(s, grain))
    return tsr__layout_replicated(s->layouts, ndim, shape);
  const int64_t tile_min = tsr__least_tile(s, grain);
  return tsr__layout_fresh(s->layouts, ndim, shape, tsr__rank_step(s, (int64_t)n, tile_min),
                           tile_min);
}

/* The axis of the domain that moves a row of `view` in the largest steps, or -1. */
static int leader_of(const tsr_view *view, int row)
{
  int leader = -1;
  for (int j = 0; j < view->ndim; j++)
    if (view->step[row][j] != 0 && view->shape[j] > 1 &&
        (leader < 0 || view->step[row][j] > view->step[row][leader]))
      leader = j;
  return leader;
}

static bool cuts_leaders_only(const tsr_layout *cut, const tsr_view *view)
{
  uint32_t leaders = 0;
  for (int k = 0; k < view->rdim; k++)
    if (leader_of(view, k) >= 0) leaders |= 1u << leader_of(view, k);
  for (int j = 0; j < view->ndim; j++)
    if (cut->n_tiles[j] > 1 && !(leaders >> j & 1)) return false;
  return true;
}

const tsr_layout *tsr__merge_cut(tsr_scheduler *s, const tsr_view *view, const tsr_layout *cut,
                                 int64_t grain)
{
  if (cut != NULL && (cut->replicated || cuts_leaders_only(cut, view))) return cut;
  int64_t lead[TSR_MAX_NDIM], inner = 1, n = tsr__view_size(view), tile_min;
  if (n <= tsr__most_replicated(s, grain))
    return tsr__layout_replicated(s->layouts, view->ndim, view->shape);
  for (int k = 0; k < view->rdim; k++) {
    int leader = leader_of(view, k);
    lead[k] = leader < 0 ? 1 : view->shape[leader];
    inner *= leader < 0 ? 1 : view->step[k][leader];
  }
  tile_min = tsr__least_tile(s, grain) / inner;
  const int32_t rank_step = tsr__rank_step(s, n, tsr__least_tile(s, grain));
  const tsr_layout *fresh =
      tsr__layout_fresh(s->layouts, view->rdim, lead, rank_step, tile_min > 0 ? tile_min : 1);
  int32_t n_tiles[TSR_MAX_NDIM];
  int64_t ends[TSR_MAX_NDIM][2];
  const int64_t *cuts[TSR_MAX_NDIM];
  for (int j = 0; j < view->ndim; j++) {
    n_tiles[j] = 1;
    ends[j][0] = 0;
    ends[j][1] = view->shape[j];
    cuts[j] = ends[j];
  }
  for (int k = 0; k < view->rdim; k++) {
    int leader = leader_of(view, k);
    if (leader < 0) continue;
    n_tiles[leader] = fresh->n_tiles[k];
    cuts[leader] = fresh->cuts[k];
  }
  int32_t *place = NULL;
  if (rank_step > 1) {
    const int32_t n_all = (int32_t)tsr__layout_n_tiles(fresh);
    place = tsr__malloc((size_t)n_all * sizeof *place);
    for (int32_t i = 0; i < n_all; i++) place[i] = i * rank_step;
  }
  const tsr_layout *made =
      tsr__layout_custom(s->layouts, view->ndim, view->shape, n_tiles, cuts, place);
  free(place);
  return made;
}

/* As if the whole axes were merged into one of the others, behind it: a step along that passes all
 * of them, and only it is cut. */
const tsr_layout *tsr__whole_cut(tsr_scheduler *s, int ndim, const int64_t *shape, uint32_t whole,
                                 const tsr_layout *cut, int64_t grain)
{
  tsr_view view = {.ndim = ndim};
  int64_t inner = 1;
  for (int j = 0; j < ndim; j++) {
    view.shape[j] = shape[j];
    if (whole >> j & 1) inner *= shape[j];
  }
  for (int j = 0; j < ndim; j++) {
    if (whole >> j & 1) continue;
    view.step[view.rdim++][j] = inner;
    if (shape[j] > 1) inner = 1; /* the first that may be cut */
  }
  if (view.rdim == 0) view.rdim = 1; /* nothing may be: one tile */
  return tsr__merge_cut(s, &view, cut, grain);
}

const tsr_layout *tsr__merged_layout(tsr_plan *plan, const tsr_view *view, int ndim,
                                     const int64_t *shape, const tsr_layout *cut)
{
  tsr_layouts *layouts = plan->scheduler->layouts;
  if (cut->replicated) return tsr__layout_replicated(layouts, ndim, shape);
  int32_t n_tiles[TSR_MAX_NDIM];
  const int64_t *cuts[TSR_MAX_NDIM];
  for (int k = 0; k < ndim; k++) {
    int leader = leader_of(view, k);
    n_tiles[k] = leader < 0 ? 1 : cut->n_tiles[leader];
    int64_t *at = tsr__arena_alloc(plan->scratch, ((size_t)n_tiles[k] + 1) * sizeof *at);
    for (int32_t c = 0; c <= n_tiles[k]; c++)
      at[c] = leader < 0 ? c * shape[k] : cut->cuts[leader][c] * view->step[k][leader];
    cuts[k] = at;
  }
  int32_t n = 0, *place = tsr__arena_alloc(plan->scratch,
                                           (size_t)tsr__layout_n_tiles(cut) * sizeof *place + 1);
  bool in_order = true;
  tsr_box all = tsr__box_of_shape(cut->ndim, cut->shape);
  tsr_tile_iter it;
  for (tsr__tiles_meeting(&it, cut, &all); tsr__tiles_next(&it); n++) {
    place[n] = it.place;
    in_order &= it.place == n;
  }
  return tsr__layout_custom(layouts, ndim, shape, n_tiles, cuts, in_order ? NULL : place);
}
