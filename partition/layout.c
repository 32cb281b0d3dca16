/* The questions about a layout: its tiles, and whose they are. */
#include "partition/partition_int.h"

#include <stdlib.h>

void tsr__layout_weights(const tsr_layout *layout, int64_t *weight)
{
  int64_t size = 1;
  for (int k = layout->ndim - 1; k >= 0; k--) {
    weight[k] = layout->place ? size : layout->place_stride[k];
    size *= layout->n_tiles[k];
  }
}

static int place_of(const tsr_layout *l, const int32_t *c)
{
  if (!l->place) {
    int32_t place = l->place_base;
    for (int k = 0; k < l->ndim; k++) place += l->place_stride[k] * c[k];
    return place;
  }
  int32_t at = 0;
  for (int k = 0; k < l->ndim; k++) at = at * l->n_tiles[k] + c[k];
  return l->place[at];
}

static void set_tile_axis(const tsr_layout *l, int k, int32_t c, tsr_box *out)
{
  int64_t lo = l->cuts[k][c];
  tsr__box_set_axis(out, k, (tsr_axis){lo, l->cuts[k][c + 1] - lo, 1});
}

/* Finds the coordinates of the place's tile, where places are affine. */
static bool tile_of_place_affine(const tsr_layout_node *node, int place, int32_t *c)
{
  const tsr_layout *l = &node->layout;
  int32_t rest = place - node->place_low;
  if (rest < 0) return false;
  for (int i = 0; i < node->n_order; i++) {
    int k = node->order[i];
    int32_t stride = l->place_stride[k], size = abs(stride), at = rest / size;
    if (at >= l->n_tiles[k]) return false;
    rest -= at * size;
    c[k] = stride > 0 ? at : l->n_tiles[k] - 1 - at;
  }
  return rest == 0;
}

static bool tile_of_place_listed(const tsr_layout_node *node, int place, int32_t *c)
{
  tsr_place_tile key = {place, 0};
  const tsr_place_tile *hit =
      bsearch(&key, node->by_place, (size_t)node->n_tiles, sizeof key, tsr__place_tile_compare);
  if (!hit) return false;
  int32_t rest = hit->tile;
  for (int k = node->layout.ndim - 1; k >= 0; k--) {
    c[k] = rest % node->layout.n_tiles[k];
    rest /= node->layout.n_tiles[k];
  }
  return true;
}

bool tsr__layout_tile(const tsr_layout *layout, int place, tsr_box *out)
{
  const tsr_layout_node *node = tsr__layout_node_of(layout);
  int32_t c[TSR_MAX_NDIM] = {0};
  bool owns;
  if (layout->replicated)
    owns = node->max_tile > 0;
  else if (layout->place)
    owns = tile_of_place_listed(node, place, c);
  else
    owns = tile_of_place_affine(node, place, c);
  if (!owns) {
    tsr__box_set_empty(out, layout->ndim);
    return false;
  }
  out->ndim = layout->ndim;
  for (int k = 0; k < layout->ndim; k++) set_tile_axis(layout, k, c[k], out);
  return true;
}

/* Places [first, end), as steps from the lowest place of the tiles that a box of them has. */
typedef struct number_range {
  int64_t first, end;
} number_range;

/* Adds the tiles of a range of places among those that agree with `box` along the first i axes of
 * the order. The places of two tiles compare as their coordinates along that order do. */
static void add_tiles_of(const tsr_layout_node *node, int i, number_range r, tsr_box *box,
                         tsr_boxes *out)
{
  const tsr_layout *l = &node->layout;
  int64_t span = 0; /* steps from the lowest place to the highest of one coordinate */
  for (int j = i + 1; j < node->n_order; j++)
    span += (int64_t)abs(l->place_stride[node->order[j]]) * (l->n_tiles[node->order[j]] - 1);
  if (i == node->n_order) {
    if (r.first <= 0 && r.end > 0) tsr__boxes_add(out, box);
    return;
  }
  const int k = node->order[i];
  const int64_t size = abs(l->place_stride[k]), n = l->n_tiles[k];
  /* coordinates all of whose places are in the range; what is before and after them is in part */
  int64_t begin = r.first <= 0 ? 0 : (r.first + size - 1) / size;
  int64_t end = r.end <= span ? 0 : (r.end - span - 1) / size + 1;
  if (begin > n) begin = n;
  if (end > n) end = n;
  if (begin < end) {
    const int64_t low = l->place_stride[k] > 0 ? begin : n - end;
    const int64_t lo = l->cuts[k][low], hi = l->cuts[k][low + end - begin];
    for (int j = i + 1; j < node->n_order; j++)
      tsr__box_set_axis(box, node->order[j], (tsr_axis){0, l->shape[node->order[j]], 1});
    tsr__box_set_axis(box, k, (tsr_axis){lo, hi - lo, 1});
    tsr__boxes_add(out, box);
  } else {
    end = begin;
  }
  const int64_t partial[2] = {begin - 1, end};
  for (int p = 0; p < 2; p++) {
    const int64_t at = partial[p];
    if (at < 0 || at >= n || at * size >= r.end || at * size + span < r.first) continue;
    set_tile_axis(l, k, (int32_t)(l->place_stride[k] > 0 ? at : n - 1 - at), box);
    add_tiles_of(node, i + 1, (number_range){r.first - at * size, r.end - at * size}, box, out);
  }
}

void tsr__layout_tiles_of(const tsr_layout *layout, int first, int end, tsr_boxes *out)
{
  const tsr_layout_node *node = tsr__layout_node_of(layout);
  TSR_ASSERT(!layout->replicated);
  tsr_box box = tsr__box_of_shape(layout->ndim, layout->shape);
  if (!layout->place) {
    add_tiles_of(node, 0, (number_range){first - node->place_low, end - node->place_low}, &box,
                 out);
    return;
  }
  for (int32_t t = 0; t < node->n_tiles; t++) {
    const int place = node->by_place[t].place;
    if (place >= first && place < end && tsr__layout_tile(layout, place, &box))
      tsr__boxes_add(out, &box);
  }
}

int tsr__layout_n_tiles(const tsr_layout *layout)
{
  return tsr__layout_node_of(layout)->n_tiles;
}

int64_t tsr__layout_max_tile(const tsr_layout *layout)
{
  return tsr__layout_node_of(layout)->max_tile;
}

int64_t tsr__layout_widest(const tsr_layout *layout, int axis)
{
  return tsr__layout_node_of(layout)->widest[axis];
}

void tsr__tiles_meeting(tsr_tile_iter *it, const tsr_layout *layout, const tsr_box *box)
{
  TSR_ASSERT(box->ndim == layout->ndim && !layout->replicated);
  it->layout = layout;
  it->started = it->empty = false;
  it->tile.ndim = layout->ndim;
  for (int k = 0; k < layout->ndim; k++) {
    int64_t lo = box->lo[k] > 0 ? box->lo[k] : 0, end = tsr__box_end(box, k);
    if (end > layout->shape[k]) end = layout->shape[k];
    if (lo >= end) {
      it->empty = true;
      return;
    }
    const int32_t first = it->first[k] = tsr__layout_find(layout, k, lo);
    it->n[k] =
        end <= layout->cuts[k][first + 1] ? 1 : tsr__layout_find(layout, k, end - 1) - first + 1;
  }
  it->walk = tsr__walk_rows(layout->ndim, it->n);
}

bool tsr__tiles_next(tsr_tile_iter *it)
{
  if (it->empty) return false;
  const tsr_layout *l = it->layout;
  /* the coordinates of this axis and of all axes after it are new */
  const int changed = it->started ? tsr__walk_next(&it->walk) : 0;
  it->empty = changed < 0;
  if (it->empty) return false;
  it->started = true;
  for (int k = changed; k < l->ndim; k++) {
    it->at[k] = it->first[k] + (int32_t)it->walk.index[k];
    set_tile_axis(l, k, it->at[k], &it->tile);
  }
  it->place = place_of(l, it->at);
  return true;
}

/* Adds the shape, "4096x4096" or "0-d", or the numbers of tiles. */
static void add_shape(tsr_text_into *t, const tsr_layout *l, bool tiles)
{
  for (int k = 0; k < l->ndim; k++)
    tsr__text_into(t, "%s%lld", k ? "x" : "", (long long)(tiles ? l->n_tiles[k] : l->shape[k]));
  if (l->ndim == 0) tsr__text_into(t, "%s", tiles ? "1" : "0-d");
}

char *tsr__layout_text(const tsr_layout *layout, char *buf, size_t size)
{
  tsr_text_into t = {buf, size, 0};
  if (layout->replicated) tsr__text_into(&t, "replicated ");
  add_shape(&t, layout, false);
  if (layout->replicated) return buf;
  tsr__text_into(&t, " cut ");
  add_shape(&t, layout, true);
  if (layout->place) {
    tsr__text_into(&t, " on ");
    for (int32_t i = 0; i < tsr__layout_node_of(layout)->n_tiles; i++)
      tsr__text_into(&t, "%s%d", i ? "," : "", layout->place[i]);
    return buf;
  }
  bool plain = layout->place_base == 0;
  int32_t row_major = 1;
  for (int k = layout->ndim - 1; k >= 0; k--) {
    plain &= layout->n_tiles[k] == 1 || layout->place_stride[k] == row_major;
    row_major *= layout->n_tiles[k];
  }
  if (plain) return buf;
  tsr__text_into(&t, " on %d", layout->place_base);
  for (int k = 0; k < layout->ndim; k++)
    if (layout->n_tiles[k] > 1) tsr__text_into(&t, "%+d*t%d", layout->place_stride[k], k);
  return buf;
}
