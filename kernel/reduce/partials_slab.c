/* Slabs: boxes of tree nodes with their values. Blocks of memory are reused by size class, so a
 * steady state allocates nothing. Stuck slabs are hashed by their level and the cell of their first
 * corner, in a grid whose cells are about as large as they are. So those with which a new one can
 * merge are in a few short lists, however many windows a row of the domain is computed in. */
#include "kernel/reduce/reduce_int.h"
#include "runtime/base/error.h"
#include "runtime/base/alloc.h"
#include "runtime/base/table.h"
#include "runtime/base/walk.h"

#include <stdlib.h>
#include <string.h>

static size_t slab_bytes(const tsr_partials *p, int64_t volume)
{
  size_t index_bytes = p->has_index ? (size_t)volume * sizeof(int64_t) : 0;
  return sizeof(tsr_slab) + tsr__slab_padded_bytes(p, volume) + index_bytes;
}

/* Returns the class whose blocks hold `bytes`. Sizes are 4, 5, 6 or 7 times a power of two. */
static int class_of(size_t bytes, size_t *block_bytes)
{
  TSR_ASSERT(bytes >= 4);
  int log2 = 63 - __builtin_clzll(bytes);
  size_t quarter = (size_t)1 << (log2 - 2);
  size_t steps = (bytes + quarter - 1) / quarter;
  TSR_ASSERT(steps >= 4 && steps <= 8);
  *block_bytes = steps * quarter;
  return 4 * log2 + (int)(steps - 4); /* 8 quarters are 4 of the next octave */
}

static bool is_of_pool(const tsr_partials *p, int size_class)
{
  return p->large != NULL && size_class >= TSR__SLAB_CLASSES_POOLED;
}

static tsr_slab *block_alloc(const tsr_partials *p, int size_class, size_t bytes)
{
  if (!is_of_pool(p, size_class)) return tsr__malloc(bytes);
  tsr_slab *s = tsr__memory_alloc(p->large, bytes);
  if (s == NULL) tsr__fatal("out of memory: %zu bytes of partial results", bytes);
  return s;
}

void tsr__slabs_free(tsr_partials *p, tsr_slab *list)
{
  for (tsr_slab *s = list, *next; s; s = next) {
    next = s->next;
    if (is_of_pool(p, s->size_class))
      tsr__memory_free(p->large, s, (size_t)(4 + s->size_class % 4) << (s->size_class / 4 - 2));
    else
      free(s);
  }
}

tsr_slab *tsr__slab_new(tsr_partials *p, int level, const int64_t *lo, const int64_t *n)
{
  const int64_t volume = tsr__slab_volume(p, n);
  TSR_ASSERT(volume > 0 && level >= 0 && level <= p->tree.n_levels);
  size_t block_bytes;
  int size_class = class_of(slab_bytes(p, volume), &block_bytes);
  TSR_ASSERT(size_class >= 0 && size_class < TSR__SLAB_CLASSES);
  tsr_slab *s = p->free[size_class];
  if (s)
    p->free[size_class] = s->next;
  else
    s = block_alloc(p, size_class, block_bytes);
  p->has_large = p->has_large || size_class >= TSR__SLAB_CLASSES_POOLED;
  s->next = NULL;
  s->level = level;
  s->size_class = size_class;
  for (int k = 0; k < p->tree.ndim; k++) {
    s->lo[k] = lo[k];
    s->n[k] = n[k];
  }
  s->volume = volume;
  s->values = (char *)(s + 1);
  s->index = p->has_index ? (int64_t *)(s->values + tsr__slab_padded_bytes(p, volume)) : NULL;
  return s;
}

void tsr__slab_release(tsr_partials *p, tsr_slab *s)
{
  s->next = p->free[s->size_class];
  p->free[s->size_class] = s;
}

tsr_slab *tsr__slab_fit(tsr_partials *p, tsr_slab *s)
{
  size_t block_bytes;
  int size_class = class_of(slab_bytes(p, s->volume), &block_bytes);
  if (size_class + 8 > s->size_class) return s; /* at least a quarter is in use */
  tsr_slab *fit = tsr__slab_new(p, s->level, s->lo, s->n);
  TSR_ASSERT(fit->volume == s->volume && fit->size_class == size_class);
  memcpy(fit->values, s->values, (size_t)s->volume * p->value_bytes);
  if (s->index) memcpy(fit->index, s->index, (size_t)s->volume * sizeof(int64_t));
  tsr__slab_release(p, s);
  return fit;
}

bool tsr__slab_common(const tsr_partials *p, const tsr_slab *a, const tsr_slab *b, int skip,
                      int64_t *lo, int64_t *n)
{
  for (int k = 0; k < p->tree.ndim; k++) {
    if (k == skip) {
      lo[k] = a->lo[k];
      n[k] = a->n[k];
      continue;
    }
    int64_t a_end = a->lo[k] + a->n[k], b_end = b->lo[k] + b->n[k];
    int64_t end = a_end < b_end ? a_end : b_end;
    lo[k] = a->lo[k] > b->lo[k] ? a->lo[k] : b->lo[k];
    n[k] = end - lo[k];
    if (n[k] <= 0) return false;
  }
  return true;
}

/* A box of elements in two dense row-major arrays. */
typedef struct region {
  int ndim;
  int64_t n[TSR_MAX_NDIM];
  int64_t dst_stride[TSR_MAX_NDIM], src_stride[TSR_MAX_NDIM];
  int64_t dst_first, src_first;
} region;

static void copy_region(const region *r, char *dst, const char *src, size_t bytes)
{
  const int last = r->ndim - 1;
  const size_t row_bytes = (last >= 0 ? (size_t)r->n[last] : 1) * bytes;
  int64_t to = r->dst_first, from = r->src_first;
  tsr_walk rows = tsr__walk_rows(last, r->n);
  for (;;) {
    memcpy(dst + (size_t)to * bytes, src + (size_t)from * bytes, row_bytes);
    const int k = tsr__walk_next(&rows);
    if (k < 0) return;
    to += tsr__walk_change(&rows, k, r->dst_stride);
    from += tsr__walk_change(&rows, k, r->src_stride);
  }
}

void tsr__slab_copy_array(const tsr_partials *p, const tsr_slab *dst, void *dst_array,
                          const tsr_slab *src, const void *src_array, size_t bytes)
{
  region r = {.ndim = p->tree.ndim};
  int64_t lo[TSR_MAX_NDIM];
  if (bytes == 0) return;
  if (!tsr__slab_common(p, dst, src, -1, lo, r.n)) return;
  tsr__dense_strides(r.ndim, dst->n, 1, r.dst_stride);
  tsr__dense_strides(r.ndim, src->n, 1, r.src_stride);
  for (int k = 0; k < r.ndim; k++) {
    r.dst_first += (lo[k] - dst->lo[k]) * r.dst_stride[k];
    r.src_first += (lo[k] - src->lo[k]) * r.src_stride[k];
  }
  copy_region(&r, dst_array, src_array, bytes);
}

/* Copies the slabs' own values and indices as tsr__slab_copy_array does. */
static void slab_copy_common(const tsr_partials *p, tsr_slab *dst, const tsr_slab *src)
{
  tsr__slab_copy_array(p, dst, dst->values, src, src->values, p->value_bytes);
  if (src->index) tsr__slab_copy_array(p, dst, dst->index, src, src->index, sizeof(int64_t));
}

tsr_slab *tsr__slab_cut(tsr_partials *p, const tsr_slab *s, const int64_t *lo, const int64_t *n)
{
  tsr_slab *cut = tsr__slab_new(p, s->level, lo, n);
  slab_copy_common(p, cut, s);
  return cut;
}

void tsr__slab_cut_outside(tsr_partials *p, const tsr_slab *s, const int64_t *lo, const int64_t *n,
                           tsr_slab **list)
{
  int64_t rest_lo[TSR_MAX_NDIM], rest_n[TSR_MAX_NDIM];
  memcpy(rest_lo, s->lo, sizeof rest_lo);
  memcpy(rest_n, s->n, sizeof rest_n);
  for (int k = 0; k < p->tree.ndim; k++) {
    int64_t first = rest_lo[k], end = first + rest_n[k];
    TSR_ASSERT(lo[k] >= first && n[k] > 0 && lo[k] + n[k] <= end);
    const int64_t part_lo[2] = {first, lo[k] + n[k]};
    const int64_t part_end[2] = {lo[k], end};
    for (int side = 0; side < 2; side++) {
      rest_lo[k] = part_lo[side];
      rest_n[k] = part_end[side] - part_lo[side];
      if (rest_n[k] <= 0) continue;
      tsr_slab *cut = tsr__slab_cut(p, s, rest_lo, rest_n);
      cut->next = *list;
      *list = cut;
    }
    rest_lo[k] = lo[k];
    rest_n[k] = n[k];
  }
}

/* Cells. Along each axis those of a kind are as long as the power of two that is next to the slab's
 * own length, so a slab lies in the cell of its first corner and at most the next ones. */
enum { LARGEST_CELL = 62 };

static int log2_of_cell(uint64_t kind, int axis)
{
  return (int)(kind >> (8 * axis) & 0xff);
}

/* The kind of cells in which a slab of so many nodes per axis is stored. Where the level has kinds
 * enough, those of others are as long as all. */
static uint64_t kind_of(const tsr_partials *p, int level, const int64_t *n)
{
  const tsr_slab_kinds *kinds = &p->kinds[level];
  uint64_t kind = 0, all = 0;
  for (int k = 0; k < p->tree.ndim; k++) {
    kind |= (uint64_t)(n[k] <= 1 ? 0 : 64 - __builtin_clzll((uint64_t)n[k] - 1)) << (8 * k);
    all |= (uint64_t)LARGEST_CELL << (8 * k);
  }
  for (int i = 0; i < kinds->n; i++)
    if (kinds->kind[i] == kind) return kind;
  return kinds->n < TSR__SLAB_KINDS - 1 ? kind : all;
}

static void note_kind(tsr_partials *p, int level, uint64_t kind)
{
  tsr_slab_kinds *kinds = &p->kinds[level];
  for (int i = 0; i < kinds->n; i++)
    if (kinds->kind[i] == kind) return;
  TSR_ASSERT(kinds->n < TSR__SLAB_KINDS);
  kinds->kind[kinds->n++] = kind;
}

static uint64_t hash_of_slab(const tsr_partials *p, int level, uint64_t kind, const int64_t *cell)
{
  uint64_t h = tsr__hash_word((uint64_t)level, kind);
  for (int k = 0; k < p->tree.ndim; k++) h = tsr__hash_word(h, (uint64_t)cell[k]);
  return h;
}

static uint64_t hash_of_stuck(const tsr_partials *p, const tsr_slab *s)
{
  int64_t cell[TSR_MAX_NDIM];
  TSR_ASSERT(s->level < p->tree.n_levels && s->n[p->tree.level_axis[s->level]] == 1);
  const uint64_t kind = kind_of(p, s->level, s->n);
  for (int k = 0; k < p->tree.ndim; k++) cell[k] = s->lo[k] >> log2_of_cell(kind, k);
  return hash_of_slab(p, s->level, kind, cell);
}

void tsr__slab_store(tsr_partials *p, tsr_slab *s)
{
  note_kind(p, s->level, kind_of(p, s->level, s->n));
  s->next = NULL;
  tsr__table_add(&p->stuck, hash_of_stuck(p, s), s);
}

/* Does a stuck slab meet s, at `coordinate` on its level's axis? */
static bool meets(const tsr_partials *p, const tsr_slab *s, int64_t coordinate, const tsr_slab *t)
{
  int64_t lo[TSR_MAX_NDIM], n[TSR_MAX_NDIM];
  const int axis = p->tree.level_axis[s->level];
  return t->level == s->level && t->lo[axis] == coordinate &&
         tsr__slab_common(p, s, t, axis, lo, n);
}

static tsr_slab *meeting_of_any_kind(const tsr_partials *p, const tsr_slab *s, int64_t coordinate)
{
  uint32_t at = 0;
  tsr_slab *t;
  while ((t = tsr__table_each(&p->stuck, &at)) != NULL && !meets(p, s, coordinate, t)) continue;
  return t;
}

/* Finds such a slab of a kind, in all cells in which it can be. */
static tsr_slab *meeting_of_kind(const tsr_partials *p, const tsr_slab *s, int64_t coordinate,
                                 uint64_t kind)
{
  const int ndim = p->tree.ndim, axis = p->tree.level_axis[s->level];
  int64_t first[TSR_MAX_NDIM], n[TSR_MAX_NDIM], cell[TSR_MAX_NDIM], n_cells = 1;
  for (int k = 0; k < ndim; k++) {
    const int log2 = log2_of_cell(kind, k);
    const int64_t lo = k == axis ? coordinate : s->lo[k] - (((int64_t)1 << log2) - 1);
    const int64_t end = k == axis ? coordinate : s->lo[k] + s->n[k] - 1;
    first[k] = lo < 0 ? 0 : lo >> log2;
    n[k] = (end >> log2) - first[k] + 1;
    if (n_cells <= p->stuck.capacity && __builtin_mul_overflow(n_cells, n[k], &n_cells))
      n_cells = INT64_MAX;
  }
  if (n_cells > p->stuck.capacity) return meeting_of_any_kind(p, s, coordinate);
  tsr_walk cells = tsr__walk_rows(ndim, n);
  do {
    for (int k = 0; k < ndim; k++) cell[k] = first[k] + cells.index[k];
    const uint64_t hash = hash_of_slab(p, s->level, kind, cell);
    uint32_t at = 0;
    for (tsr_slab *t; (t = tsr__table_next(&p->stuck, hash, &at)) != NULL;)
      if (meets(p, s, coordinate, t)) return t;
  } while (tsr__walk_next(&cells) >= 0);
  return NULL;
}

/* Returns a stuck slab at `coordinate` that meets s on the other axes, or NULL. */
static tsr_slab *find_meeting(const tsr_partials *p, const tsr_slab *s, int64_t coordinate)
{
  if (p->stuck.n == 0) return NULL;
  for (int i = 0; i < p->kinds[s->level].n; i++) {
    tsr_slab *t = meeting_of_kind(p, s, coordinate, p->kinds[s->level].kind[i]);
    if (t != NULL) return t;
  }
  return NULL;
}

tsr_slab *tsr__slab_take_meeting(tsr_partials *p, const tsr_slab *s, int64_t coordinate)
{
  tsr_slab *t = find_meeting(p, s, coordinate);
  if (t != NULL) tsr__table_remove(&p->stuck, hash_of_stuck(p, t), t);
  return t;
}

bool tsr__slab_meets_stuck(const tsr_partials *p, const tsr_slab *s, int64_t coordinate)
{
  return find_meeting(p, s, coordinate) != NULL;
}
