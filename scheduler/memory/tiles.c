/* Imports of boxes that every rank has: what an MPI program brings.
 *
 * All ranks hear of all boxes first, so that they agree on whether these make up the array, and on
 * a layout. Where every rank's boxes are one box, and these form a grid, the layout is that grid,
 * and nothing is sent; a box that is lent, and lies in memory as a tile would, is the tile.
 * Otherwise both ends of a message find what it holds by the boxes and the layout: what rank a has
 * of rank b's tiles is one message, in rounds in which everyone sends to the rank so many ahead and
 * receives from the one so many behind. */
#include "scheduler/failure.h"
#include "scheduler/memory/import.h"
#include "scheduler/memory/move.h"
#include "scheduler/memory/residency.h"
#include "scheduler/plan/cut.h"
#include "scheduler/wire.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The boxes of all ranks, in the order of ranks. */
typedef struct all_boxes {
  tsr_box *v;
  int32_t *rank;  /* of each */
  int64_t *first; /* [size + 1] the first box of each rank */
  int64_t n;
} all_boxes;

static void free_boxes(all_boxes *a)
{
  free(a->v);
  free(a->rank);
  free(a->first);
}

static void fold_or(void *into, const void *from, void *user)
{
  const size_t bytes = *(const size_t *)user;
  for (size_t i = 0; i < bytes; i++) ((char *)into)[i] |= ((const char *)from)[i];
}

/* Bytes that one rank has, the others being zero, to all ranks. */
static tsr_status combine(const tsr_world *w, void *data, size_t bytes)
{
  return bytes > 0 ? tsr__allreduce(w->transport, data, bytes, fold_or, &bytes) : TSR_OK;
}

/* Tells all ranks the boxes of all. Empty ones are left out. */
static tsr_status exchange_boxes(const tsr_world *w, int n, const tsr_host_box *mine, all_boxes *a)
{
  const size_t size = (size_t)w->size;
  int64_t n_mine = 0, *counts = tsr__calloc(size, sizeof *counts);
  for (int i = 0; i < n; i++) n_mine += !tsr__box_is_empty(&mine[i].box);
  tsr_status status = tsr__allgather(w->transport, &n_mine, sizeof n_mine, counts);
  a->first = tsr__calloc(size + 1, sizeof *a->first);
  for (size_t r = 0; r < size && status == TSR_OK; r++) a->first[r + 1] = a->first[r] + counts[r];
  free(counts);
  a->n = a->first[size];
  a->v = tsr__calloc((size_t)a->n + 1, sizeof *a->v);
  a->rank = tsr__calloc((size_t)a->n + 1, sizeof *a->rank);
  int64_t at = a->first[w->rank];
  for (int i = 0; i < n && status == TSR_OK; i++)
    if (!tsr__box_is_empty(&mine[i].box)) a->v[at++] = mine[i].box;
  for (int r = 0; r < w->size; r++)
    for (int64_t i = a->first[r]; i < a->first[r + 1]; i++) a->rank[i] = r;
  return status == TSR_OK ? combine(w, a->v, (size_t)a->n * sizeof *a->v) : status;
}

/* Do the boxes make up the array? */

static tsr_status say_overlap(tsr_scheduler *s, const tsr_location *where, const all_boxes *a,
                              int64_t i, int64_t j)
{
  char one[300], other[300];
  tsr_error *e = &s->world->error;
  if (e->status < 0) return TSR_ERR_SHAPE;
  tsr__error_begin(e, TSR_ERR_SHAPE, where, "the tiles %s of rank %d and %s of rank %d overlap",
                   tsr__box_text(&a->v[i], one, sizeof one), a->rank[i],
                   tsr__box_text(&a->v[j], other, sizeof other), a->rank[j]);
  tsr__error_help(e, "all ranks' tiles together hold every element once: leave ghost cells out");
  return TSR_ERR_SHAPE;
}

static tsr_status say_hole(tsr_scheduler *s, const tsr_location *where, const tsr_region *region,
                           const int64_t *at)
{
  tsr_text index = {0};
  tsr_error *e = &s->world->error;
  if (e->status < 0) return TSR_ERR_SHAPE;
  for (int k = 0; k < region->ndim; k++) tsr__text_add(&index, "%s%" PRId64, k ? ", " : "", at[k]);
  tsr__error_begin(e, TSR_ERR_SHAPE, where, "the element (%s) is in no %s",
                   region->ndim > 0 ? index.s : "", s->world->size > 1 ? "rank's tile" : "tile");
  tsr__error_help(e, "all ranks' tiles together hold every element once");
  tsr__text_free(&index);
  return TSR_ERR_SHAPE;
}

static int by_first_axis(const void *a, const void *b, void *boxes)
{
  const int64_t i = *(const int64_t *)a, j = *(const int64_t *)b;
  const tsr_box *v = boxes;
  if (v[i].ndim > 0 && v[i].lo[0] != v[j].lo[0]) return v[i].lo[0] < v[j].lo[0] ? -1 : 1;
  return i < j ? -1 : i > j;
}

/* Finds the first two boxes that overlap, in the order of where they begin along the first axis:
 * those that have not ended before a box begins are compared with it. */
static bool find_overlap(const all_boxes *a, int64_t *one, int64_t *other)
{
  int64_t *order = tsr__malloc(((size_t)a->n + 1) * sizeof *order);
  int64_t *open = tsr__malloc(((size_t)a->n + 1) * sizeof *open), n_open = 0;
  bool found = false;
  for (int64_t i = 0; i < a->n; i++) order[i] = i;
  qsort_r(order, (size_t)a->n, sizeof *order, by_first_axis, a->v);
  for (int64_t i = 0; i < a->n && !found; i++) {
    const tsr_box *box = &a->v[order[i]];
    int64_t n_left = 0;
    for (int64_t k = 0; k < n_open && !found; k++) {
      const tsr_box *before = &a->v[open[k]];
      if (box->ndim > 0 && tsr__box_end(before, 0) <= box->lo[0]) continue;
      found = tsr__box_intersects(before, box);
      if (found) *one = open[k], *other = order[i];
      open[n_left++] = open[k];
    }
    n_open = found ? n_open : n_left;
    open[n_open++] = order[i];
  }
  free(order);
  free(open);
  if (found && *one > *other) {
    const int64_t swapped = *one;
    *one = *other, *other = swapped;
  }
  return found;
}

static const tsr_box *box_with(const all_boxes *a, const tsr_box *point)
{
  for (int64_t i = 0; i < a->n; i++)
    if (tsr__box_contains(&a->v[i], point)) return &a->v[i];
  return NULL;
}

/* Finds the first index, in row-major order, that no box holds. Boxes of a row end together at
 * `until` along each outer axis, up to where all rows are alike. */
static bool find_hole(const all_boxes *a, const tsr_region *region, int64_t *at)
{
  const int last = region->ndim - 1;
  int64_t until[TSR_MAX_NDIM];
  tsr_box point = tsr__box_of_shape(region->ndim, region->shape);
  for (int k = 0; k <= last; k++) {
    point.lo[k] = at[k] = 0;
    point.n[k] = 1;
    until[k] = region->shape[k];
  }
  for (;;) {
    for (int k = 0; k <= last; k++) point.lo[k] = at[k];
    const tsr_box *box = box_with(a, &point);
    if (box == NULL) return true;
    if (last < 0) return false;
    for (int k = 0; k <= last; k++)
      if (tsr__box_end(box, k) < until[k] || k == last) until[k] = tsr__box_end(box, k);
    for (int k = last; k >= 0; k--) {
      at[k] = until[k];
      until[k] = region->shape[k];
      if (at[k] < region->shape[k]) break;
      if (k == 0) return false;
      at[k] = 0;
    }
  }
}

static tsr_status check_cover(tsr_scheduler *s, const tsr_region *region, const tsr_location *where,
                              const all_boxes *a)
{
  int64_t one = 0, other = 0, at[TSR_MAX_NDIM] = {0};
  double n_elems = 0; /* the boxes lie in the array, so that rounding only counts above 2^53 */
  if (find_overlap(a, &one, &other)) return say_overlap(s, where, a, one, other);
  for (int64_t i = 0; i < a->n; i++) n_elems += (double)tsr__box_volume(&a->v[i]);
  if (n_elems == (double)region->n_elems || !find_hole(a, region, at)) return TSR_OK;
  return say_hole(s, where, region, at);
}

/* The layout. */

static int by_value(const void *a, const void *b)
{
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? -1 : x > y;
}

/* The boxes that rank r's boxes fill, where it is one; empty: it has none. Returns false if they
 * fill no box. */
static bool rank_box(const all_boxes *a, int r, tsr_box *box)
{
  int64_t n_elems = 0;
  for (int64_t i = a->first[r]; i < a->first[r + 1]; i++) {
    *box = i > a->first[r] ? tsr__box_hull(box, &a->v[i]) : a->v[i];
    n_elems += tsr__box_volume(&a->v[i]);
  }
  return a->first[r] == a->first[r + 1] || tsr__box_volume(box) == n_elems;
}

/* The coordinate of [lo, lo + n) among n_cuts ascending cuts, or -1. */
static int64_t coordinate(const int64_t *cuts, int32_t n_tiles, int64_t lo, int64_t n)
{
  const int64_t *c = bsearch(&lo, cuts, (size_t)n_tiles, sizeof *cuts, by_value);
  return c != NULL && c[1] == lo + n ? c - cuts : -1;
}

/* The layout whose tiles are the n boxes, each of its rank, if they are a grid; else NULL. */
static const tsr_layout *grid_of(tsr_scheduler *s, const tsr_region *region, int64_t n,
                                 const tsr_box *boxes, const int32_t *ranks)
{
  const int ndim = region->ndim;
  int64_t *cuts[TSR_MAX_NDIM] = {NULL}, n_all = 1;
  int32_t n_tiles[TSR_MAX_NDIM] = {0}, *place = tsr__calloc((size_t)n + 1, sizeof *place);
  const tsr_layout *made = NULL;
  for (int k = 0; k < ndim; k++) {
    cuts[k] = tsr__malloc(((size_t)n + 1) * sizeof *cuts[k]);
    for (int64_t i = 0; i < n; i++) cuts[k][i] = boxes[i].lo[k];
    qsort(cuts[k], (size_t)n, sizeof *cuts[k], by_value);
    for (int64_t i = 0; i < n; i++)
      if (i == 0 || cuts[k][i] != cuts[k][n_tiles[k] - 1]) cuts[k][n_tiles[k]++] = cuts[k][i];
    cuts[k][n_tiles[k]] = region->shape[k];
    n_all = n_all > n ? n_all : n_all * n_tiles[k];
  }
  bool is_grid = n_all == n;
  for (int64_t i = 0; i < n && is_grid; i++) {
    int64_t number = 0;
    for (int k = 0; k < ndim && is_grid; k++) {
      const int64_t c = coordinate(cuts[k], n_tiles[k], boxes[i].lo[k], boxes[i].n[k]);
      is_grid = c >= 0;
      number = number * n_tiles[k] + c;
    }
    if (is_grid) place[number] = ranks[i];
  }
  if (is_grid)
    made = tsr__layout_custom(s->layouts, ndim, region->shape, n_tiles,
                              (const int64_t *const *)cuts, place);
  for (int k = 0; k < ndim; k++) free(cuts[k]);
  free(place);
  return made;
}

/* The program's own cut, unless a fresh array is whole on every rank, or one tile has over one and
 * a half times its share. */
static const tsr_layout *choose_layout(tsr_scheduler *s, const tsr_region *region,
                                       const all_boxes *a)
{
  const tsr_world *w = s->world;
  const tsr_layout *fresh = tsr__layout_for(s, region->ndim, region->shape, 0), *own = NULL;
  if (fresh->replicated || w->n_places > 1 || w->size == 1) return fresh;
  tsr_box *boxes = tsr__calloc((size_t)w->size, sizeof *boxes);
  int32_t *ranks = tsr__calloc((size_t)w->size, sizeof *ranks);
  bool are_boxes = true;
  int64_t n = 0, most = 0;
  for (int r = 0; r < w->size && are_boxes; r++) {
    if (a->first[r] == a->first[r + 1]) continue;
    are_boxes = rank_box(a, r, &boxes[n]);
    if (tsr__box_volume(&boxes[n]) > most) most = tsr__box_volume(&boxes[n]);
    ranks[n++] = r;
  }
  if (are_boxes && (double)most * w->size <= 1.5 * (double)region->n_elems)
    own = grid_of(s, region, n, boxes, ranks);
  free(boxes);
  free(ranks);
  return own != NULL ? own : fresh;
}

/* The exchange. */

typedef struct exchange {
  tsr_scheduler *s;
  const all_boxes *boxes;
  const tsr_layout *layout;
  const tsr_host_box *mine; /* this rank's boxes, without empty ones, as in `boxes` */
  const tsr_instance *mirrors;
  size_t elem;
  bool is_adopted; /* this rank's only box is its tile, in place */
} exchange;

/* What a rank has of another one's tiles, box by box. */
typedef struct piece {
  const exchange *x;
  int from, to;  /* ranks */
  int here;      /* place of `to` that the piece is for */
  int64_t k;     /* number of the box that it is of, among those of `from` */
  size_t offset; /* bytes of the pieces before it */
  tsr_box box;
} piece;

static piece pieces_begin(const exchange *x, int from, int to)
{
  return (piece){.x = x, .from = from, .to = to, .k = -1, .box = {.ndim = -1}};
}

static bool pieces_next(piece *p)
{
  const exchange *x = p->x;
  const int n_places = x->s->world->n_places;
  if (p->box.ndim >= 0) p->offset += (size_t)tsr__box_volume(&p->box) * x->elem;
  for (; p->here < n_places; p->here++, p->k = -1) {
    tsr_box tile;
    if (!tsr__layout_tile(x->layout, p->to * n_places + p->here, &tile)) continue;
    const int64_t first = x->boxes->first[p->from], n = x->boxes->first[p->from + 1] - first;
    while (++p->k < n)
      if (tsr__box_intersect(&x->boxes->v[first + p->k], &tile, &p->box)) return true;
  }
  p->box.ndim = -1;
  return false;
}

static size_t pieces_bytes(const exchange *x, int from, int to)
{
  piece p = pieces_begin(x, from, to);
  while (pieces_next(&p)) continue;
  return p.offset;
}

/* Copies the pieces from this rank's boxes, or from `packed`, to its mirrors, or to `packed`. */
static void pieces_copy(const exchange *x, int from, int to, char *packed)
{
  const tsr_world *w = x->s->world;
  for (piece p = pieces_begin(x, from, to); pieces_next(&p);) {
    const tsr_instance dense =
        tsr__instance_of_bytes(&p.box, x->elem, packed ? packed + p.offset : NULL);
    const tsr_host_box *b = from == w->rank ? &x->mine[p.k] : NULL;
    const tsr_instance source = b ? tsr__instance_of_block(&b->box, &b->block) : dense;
    tsr__move_box(w, p.here, to == w->rank ? &x->mirrors[p.here] : &dense, &source, &p.box,
                  x->elem);
  }
}

/* One message to the rank `ahead`, and one from the rank so many behind. */
static tsr_status exchange_round(const exchange *x, int ahead, uint32_t number)
{
  const tsr_world *w = x->s->world;
  const int to = (w->rank + ahead) % w->size, from = (w->rank - ahead + w->size) % w->size;
  const size_t sent = pieces_bytes(x, w->rank, to), received = pieces_bytes(x, from, w->rank);
  tsr_memory *out_memory = NULL, *in_memory = NULL;
  char *out = sent > 0 ? tsr__residency_host_bytes(x->s, sent, &out_memory) : NULL;
  char *in = received > 0 ? tsr__residency_host_bytes(x->s, received, &in_memory) : NULL;
  if (sent > 0) pieces_copy(x, w->rank, to, out);
  const tsr_sendrecv both = {
      .to = to, .from = from, .out = out, .in = in, .out_bytes = sent, .in_bytes = received};
  const tsr_status status = tsr__sendrecv(w->transport, tsr__wire_tag(w, number, 0, 0), &both);
  if (received > 0 && status == TSR_OK) pieces_copy(x, from, w->rank, in);
  tsr__residency_give_bytes(out, sent, out_memory);
  tsr__residency_give_bytes(in, received, in_memory);
  return status;
}

/* What every place has whole is put together from zeros and each rank's part. */
static tsr_status exchange_whole(const exchange *x)
{
  const tsr_world *w = x->s->world;
  const tsr_instance *first = &x->mirrors[0];
  if (!x->is_adopted) memset(first->data, 0, first->bytes);
  for (int64_t k = 0; k < x->boxes->first[w->rank + 1] - x->boxes->first[w->rank]; k++) {
    const tsr_instance own = tsr__instance_of_block(&x->mine[k].box, &x->mine[k].block);
    tsr__move_box(w, 0, first, &own, &x->mine[k].box, x->elem);
  }
  const tsr_status status = combine(w, first->data, first->bytes);
  for (int i = 1; i < w->n_places; i++) memcpy(x->mirrors[i].data, first->data, first->bytes);
  return status;
}

static tsr_status exchange_all(const exchange *x)
{
  const tsr_world *w = x->s->world;
  if (tsr__world_is_null(w)) return TSR_OK;
  if (x->layout->replicated) return exchange_whole(x);
  const uint32_t number = x->s->next_tag++;
  pieces_copy(x, w->rank, w->rank, NULL);
  tsr_status status = TSR_OK;
  for (int ahead = 1; ahead < w->size; ahead++) {
    const tsr_status round = exchange_round(x, ahead, number);
    if (round < 0) status = round;
  }
  return status;
}

/* This rank's boxes without the empty ones. */
static tsr_host_box *without_empty(int n, const tsr_host_box *boxes)
{
  tsr_host_box *full = tsr__malloc(((size_t)n + 1) * sizeof *full);
  int n_full = 0;
  for (int i = 0; i < n; i++)
    if (!tsr__box_is_empty(&boxes[i].box)) full[n_full++] = boxes[i];
  return full;
}

static tsr_status import_boxes(tsr_scheduler *s, tsr_region *region, const tsr_location *where,
                               const all_boxes *all, const tsr_host_box *mine, tsr_lent_boxes *lent)
{
  tsr_instance mirrors[TSR_MAX_PLACES];
  TSR_TRY(check_cover(s, region, where, all));
  const tsr_layout *layout = choose_layout(s, region, all);
  const int rank = s->world->rank;
  const tsr_lent_tile only = {mine, lent};
  const bool may_adopt = lent != NULL && all->first[rank + 1] - all->first[rank] == 1;
  tsr_storage *storage = tsr__import_begin(s, region, layout, may_adopt ? &only : NULL, mirrors);
  const exchange x = {.s = s,
                      .boxes = all,
                      .layout = layout,
                      .mine = mine,
                      .mirrors = mirrors,
                      .elem = tsr__dtype_size(region->dtype),
                      .is_adopted = may_adopt && lent->is_adopted};
  tsr_status status = tsr__agree(s, where);
  if (status == TSR_OK) status = exchange_all(&x);
  return tsr__import_end(s, region, storage, mirrors, status);
}

tsr_status tsr__import_boxes(tsr_scheduler *s, tsr_region *region, const tsr_location *where, int n,
                             const tsr_host_box *boxes, tsr_lent_boxes *lent, const char *wrong)
{
  all_boxes all = {0};
  tsr__import_event(s, region, where, TSR_EVERY_RANK);
  TSR_TRY(tsr__guard(s, where));
  s->n_plans++; /* so that a later failure does not count as the last plan's */
  TSR_TRY(tsr__agree_on(s, where, wrong));
  tsr_host_box *mine = without_empty(n, boxes);
  tsr_status status = exchange_boxes(s->world, n, boxes, &all);
  if (status == TSR_OK) status = import_boxes(s, region, where, &all, mine, lent);
  free_boxes(&all);
  free(mine);
  return status;
}
