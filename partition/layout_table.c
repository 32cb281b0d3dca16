/* The table that interns layouts. The calls that make new ones are in layout_make.c, the questions
 * about one in layout.c.
 *
 * Layouts are canonical, so that equal ones are one pointer. Places are affine in the tile's
 * coordinates wherever that is true and can be undone greedily (each stride larger than what all
 * smaller ones reach together), else a list. An axis with one tile has stride 0. Any layout of 0
 * elements is replicated. */
#include "partition/partition_int.h"
#include "runtime/base/table.h"
#include "runtime/base/walk.h"

#include <stdlib.h>
#include <string.h>

typedef struct memo_entry {
  uint64_t hash;
  const tsr_layout *answer; /* NULL: the entry is free */
  int64_t *key;             /* owned */
  int32_t n, capacity;
} memo_entry;

#define MEMO_SETS 512 /* a power of two */
#define MEMO_WAYS 4

struct tsr_layouts {
  int n_places, per_rank;
  uint32_t n;         /* layouts made so far, and the id of the next one */
  uint64_t n_lookups; /* searches for a layout by content */
  tsr_table nodes;    /* of tsr_layout_node, owned, by layout_hash */
  memo_entry memo[MEMO_SETS][MEMO_WAYS];
  uint8_t memo_next[MEMO_SETS]; /* per set, the way that is overwritten next */
};

tsr_layouts *tsr__layouts_create(int n_places, int per_rank)
{
  TSR_ASSERT(n_places >= 1 && per_rank >= 1);
  tsr_layouts *table = tsr__calloc(1, sizeof *table);
  table->n_places = n_places;
  table->per_rank = per_rank;
  return table;
}

void tsr__layouts_destroy(tsr_layouts *table)
{
  if (!table) return;
  for (uint32_t i = 0; i < table->nodes.capacity; i++) free(table->nodes.v[i].value);
  for (int s = 0; s < MEMO_SETS; s++)
    for (int w = 0; w < MEMO_WAYS; w++) free(table->memo[s][w].key);
  tsr__table_free(&table->nodes);
  free(table);
}

uint32_t tsr__layouts_count(const tsr_layouts *table)
{
  return table->n;
}

uint32_t tsr__layouts_held(const tsr_layouts *table)
{
  return table->nodes.n;
}

uint64_t tsr__layouts_lookups(const tsr_layouts *table)
{
  return table->n_lookups;
}

int tsr__layouts_n_places(const tsr_layouts *table)
{
  return table->n_places;
}

int tsr__layouts_per_rank(const tsr_layouts *table)
{
  return table->per_rank;
}

/* Hashing and remembered answers. */

const tsr_layout *tsr__layout_recall(tsr_layouts *table, const int64_t *key, int n, uint64_t *hash)
{
  uint64_t h = (uint64_t)n;
  table->n_lookups++;
  for (int i = 0; i < n; i++) h = tsr__hash_word(h, (uint64_t)key[i]);
  *hash = h;
  const memo_entry *set = table->memo[h & (MEMO_SETS - 1)];
  for (int w = 0; w < MEMO_WAYS; w++)
    if (set[w].answer && set[w].hash == h && set[w].n == n &&
        memcmp(set[w].key, key, (size_t)n * sizeof *key) == 0)
      return set[w].answer;
  return NULL;
}

const tsr_layout *tsr__layout_remember(tsr_layouts *table, const int64_t *key, int n, uint64_t hash,
                                       const tsr_layout *layout)
{
  uint32_t set = hash & (MEMO_SETS - 1);
  memo_entry *e = &table->memo[set][table->memo_next[set]++ % MEMO_WAYS];
  if (e->capacity < n) {
    e->key = tsr__realloc(e->key, (size_t)n * sizeof *key);
    e->capacity = n;
  }
  memcpy(e->key, key, (size_t)n * sizeof *key);
  e->n = n;
  e->hash = hash;
  e->answer = layout;
  return layout;
}

/* Interning. */

tsr_cut_axis tsr__cut_axis_create(int64_t n)
{
  tsr_cut_axis a = {.n = 0};
  a.begin = tsr__malloc((size_t)(n + 1) * sizeof *a.begin);
  a.weight = tsr__malloc((size_t)n * sizeof *a.weight);
  return a;
}

tsr_cut_axis tsr__cut_axis_whole(int64_t length)
{
  tsr_cut_axis a = tsr__cut_axis_create(1);
  a.n = 1;
  a.begin[0] = 0;
  a.begin[1] = length;
  a.weight[0] = 0;
  return a;
}

static int32_t count_tiles(const tsr_layout *l)
{
  int64_t n = 1;
  for (int k = 0; k < l->ndim; k++) n *= l->n_tiles[k];
  return (int32_t)n;
}

static uint64_t layout_hash(const tsr_layout *l)
{
  uint64_t h = tsr__hash_word((uint64_t)l->ndim, l->replicated);
  h = tsr__hash_word(h, (uint64_t)l->place_base);
  for (int k = 0; k < l->ndim; k++) {
    h = tsr__hash_word(h, (uint64_t)l->place_stride[k]);
    h = tsr__hash_word(h, (uint64_t)l->n_tiles[k]);
    for (int32_t c = 1; c <= l->n_tiles[k]; c++) h = tsr__hash_word(h, (uint64_t)l->cuts[k][c]);
  }
  for (int32_t t = 0, n = l->place ? count_tiles(l) : 0; t < n; t++)
    h = tsr__hash_word(h, (uint64_t)l->place[t]);
  return h;
}

static bool layout_equal(const tsr_layout *a, const tsr_layout *b)
{
  if (a->ndim != b->ndim || a->replicated != b->replicated || a->place_base != b->place_base ||
      !a->place != !b->place)
    return false;
  for (int k = 0; k < a->ndim; k++)
    if (a->n_tiles[k] != b->n_tiles[k] || a->place_stride[k] != b->place_stride[k] ||
        memcmp(a->cuts[k], b->cuts[k], (size_t)(a->n_tiles[k] + 1) * sizeof(int64_t)) != 0)
      return false;
  return !a->place || memcmp(a->place, b->place, (size_t)count_tiles(a) * sizeof *a->place) == 0;
}

/* Orders the axes with several tiles, largest stride first; false if that cannot be undone. */
static bool order_axes(const tsr_layout *l, int8_t *order, int32_t *n_order)
{
  int n = 0;
  for (int k = 0; k < l->ndim; k++) {
    if (l->n_tiles[k] == 1) continue;
    int at = n++;
    for (; at > 0 && abs(l->place_stride[order[at - 1]]) < abs(l->place_stride[k]); at--)
      order[at] = order[at - 1];
    order[at] = (int8_t)k;
  }
  *n_order = n;
  int64_t span = 0;
  for (int i = n - 1; i >= 0; i--) {
    int64_t stride = abs(l->place_stride[order[i]]);
    if (stride <= span) return false;
    span += stride * (l->n_tiles[order[i]] - 1);
  }
  return true;
}

static tsr_layout_node *node_create(const tsr_layout *l, uint64_t hash)
{
  size_t n_cuts = 0, n_places = l->place ? (size_t)count_tiles(l) : 0;
  for (int k = 0; k < l->ndim; k++) n_cuts += (size_t)l->n_tiles[k] + 1;
  tsr_layout_node *node = tsr__malloc(sizeof *node + n_cuts * sizeof(int64_t) +
                                      n_places * (sizeof(tsr_place_tile) + sizeof(int32_t)));
  int64_t *cuts = (int64_t *)(node + 1);
  tsr_place_tile *by_place = (tsr_place_tile *)(cuts + n_cuts);
  int32_t *places = (int32_t *)(by_place + n_places);
  node->layout = *l;
  node->hash = hash;
  node->max_tile = 1;
  node->n_tiles = count_tiles(l);
  node->place_low = l->place_base;
  for (int k = 0; k < l->ndim; k++) {
    int32_t n = l->n_tiles[k];
    memcpy(cuts, l->cuts[k], (size_t)(n + 1) * sizeof *cuts);
    node->layout.cuts[k] = cuts;
    int64_t widest = 0;
    for (int32_t c = 0; c < n; c++)
      if (cuts[c + 1] - cuts[c] > widest) widest = cuts[c + 1] - cuts[c];
    node->max_tile *= widest;
    node->widest[k] = widest;
    cuts += n + 1;
    if (l->place_stride[k] < 0) node->place_low += l->place_stride[k] * (n - 1);
  }
  bool ordered = order_axes(l, node->order, &node->n_order);
  TSR_ASSERT(ordered || l->place);
  (void)ordered;
  node->by_place = NULL;
  node->is_marked = false;
  if (l->place) {
    memcpy(places, l->place, n_places * sizeof *places);
    node->layout.place = places;
    node->by_place = by_place;
    for (size_t t = 0; t < n_places; t++) by_place[t] = (tsr_place_tile){places[t], (int32_t)t};
    qsort(by_place, n_places, sizeof *by_place, tsr__place_tile_compare);
    for (size_t t = 1; t < n_places; t++) TSR_ASSERT(by_place[t - 1].place < by_place[t].place);
  }
  return node;
}

void tsr__layouts_keep(tsr_layouts *table, const tsr_layout *layout)
{
  tsr_layout_node *node;
  uint32_t at = 0;
  do node = tsr__table_next(&table->nodes, tsr__layout_node_of(layout)->hash, &at);
  while (node != tsr__layout_node_of(layout));
  node->is_marked = true;
}

/* Does the layout stay in the table? A sweep asks this once. */
static bool stays(void *value)
{
  tsr_layout_node *node = value;
  const bool is_marked = node->is_marked;
  node->is_marked = false;
  if (!is_marked) free(node);
  return is_marked;
}

void tsr__layouts_sweep(tsr_layouts *table)
{
  for (int s = 0; s < MEMO_SETS; s++)
    for (int w = 0; w < MEMO_WAYS; w++) {
      memo_entry *e = &table->memo[s][w];
      if (e->answer && !tsr__layout_node_of(e->answer)->is_marked) e->answer = NULL;
    }
  tsr__table_filter(&table->nodes, stays);
}

/* The one layout equal to `l`, which is canonical but for its id. l's arrays stay the caller's. */
static const tsr_layout *intern(tsr_layouts *table, tsr_layout *l)
{
  uint64_t hash = layout_hash(l);
  table->n_lookups++;
  uint32_t at = 0;
  for (tsr_layout_node *node; (node = tsr__table_next(&table->nodes, hash, &at)) != NULL;)
    if (layout_equal(&node->layout, l)) return &node->layout;
  l->id = table->n++;
  tsr_layout_node *node = node_create(l, hash);
  tsr__table_add(&table->nodes, hash, node);
  return &node->layout;
}

/* The layout of one tile, which is as long as the shape. l: without it. */
static const tsr_layout *intern_whole(tsr_layouts *table, tsr_layout *l, const int64_t *shape)
{
  int64_t cuts[TSR_MAX_NDIM][2];
  for (int k = 0; k < l->ndim; k++) {
    l->shape[k] = cuts[k][1] = shape[k];
    l->n_tiles[k] = 1;
    cuts[k][0] = 0;
    l->cuts[k] = cuts[k];
  }
  return intern(table, l);
}

const tsr_layout *tsr__layout_replicated(tsr_layouts *table, int ndim, const int64_t *shape)
{
  return intern_whole(table, &(tsr_layout){.ndim = ndim, .replicated = true}, shape);
}

const tsr_layout *tsr__layout_resized(tsr_layouts *table, const tsr_layout *of,
                                      const int64_t *shape)
{
  TSR_ASSERT(tsr__layout_n_tiles(of) == 1 && of->place == NULL);
  return intern_whole(
      table,
      &(tsr_layout){.ndim = of->ndim, .replicated = of->replicated, .place_base = of->place_base},
      shape);
}

/* A walk over the coordinates of the tiles, row by row. n: memory for its lengths. */
static tsr_walk walk_tiles(const tsr_layout *l, int64_t *n)
{
  for (int k = 0; k < l->ndim; k++) n[k] = l->n_tiles[k];
  return tsr__walk_rows(l->ndim, n);
}

/* Sets affine places from the weights; false if the places do not progress evenly. */
static bool affine_from_weights(tsr_layout *l, const tsr_cut_axis *axes, int64_t base)
{
  for (int k = 0; k < l->ndim; k++) {
    const int64_t *w = axes[k].weight;
    int64_t stride = axes[k].n > 1 ? w[1] - w[0] : 0;
    for (int32_t c = 2; c < axes[k].n; c++)
      if (w[c] - w[c - 1] != stride) return false;
    base += w[0];
    l->place_stride[k] = (int32_t)stride;
  }
  l->place_base = (int32_t)base;
  return true;
}

/* Sets affine places from a list in row-major order; false if they do not progress evenly. */
static bool affine_from_list(tsr_layout *l, const int32_t *list)
{
  int32_t size = 1;
  for (int k = l->ndim - 1; k >= 0; k--) {
    l->place_stride[k] = l->n_tiles[k] > 1 ? list[size] - list[0] : 0;
    size *= l->n_tiles[k];
  }
  l->place_base = list[0];
  int64_t n[TSR_MAX_NDIM];
  tsr_walk tiles = walk_tiles(l, n);
  int32_t at = 0;
  do {
    int64_t place = l->place_base;
    for (int k = 0; k < l->ndim; k++) place += l->place_stride[k] * tiles.index[k];
    if (place != list[at++]) return false;
  } while (tsr__walk_next(&tiles) >= 0);
  return true;
}

const tsr_layout *tsr__layout_intern(tsr_layouts *table, int ndim, tsr_cut_axis *axes, int64_t base,
                                     const int32_t *places)
{
  tsr_layout l = {.ndim = ndim};
  for (int k = 0; k < ndim; k++) {
    l.shape[k] = axes[k].begin[axes[k].n];
    l.n_tiles[k] = axes[k].n;
    l.cuts[k] = axes[k].begin;
  }
  int8_t order[TSR_MAX_NDIM];
  int32_t n_order, *list = NULL;
  if (places || !affine_from_weights(&l, axes, base) || !order_axes(&l, order, &n_order)) {
    list = tsr__malloc((size_t)count_tiles(&l) * sizeof *list);
    int64_t n[TSR_MAX_NDIM];
    tsr_walk tiles = walk_tiles(&l, n);
    int32_t at = 0;
    do {
      int64_t sum = base;
      for (int k = 0; k < ndim; k++) sum += axes[k].weight[tiles.index[k]];
      list[at++] = places ? places[sum] : (int32_t)sum;
    } while (tsr__walk_next(&tiles) >= 0);
    if (!affine_from_list(&l, list) || !order_axes(&l, order, &n_order)) {
      l.place = list;
      l.place_base = 0;
      memset(l.place_stride, 0, sizeof l.place_stride);
    }
  }
  const tsr_layout *made = intern(table, &l);
  free(list);
  for (int k = 0; k < ndim; k++) {
    free(axes[k].begin);
    free(axes[k].weight);
  }
  return made;
}
