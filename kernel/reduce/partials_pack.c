/* Packs partials as bytes and merges packed partials.
 *
 * A message is a header, which describes the reduction, and slabs in canonical form. The nodes of
 * partials are a function of the points added, and each (level, coordinate on its axis) has one
 * canonical set of boxes, so the bytes do not depend on how the values arrived. All ranks have the
 * same byte order. Everything read from a message is checked before it is used. */
#include "kernel/reduce/reduce_int.h"
#include "runtime/base/error.h"
#include "runtime/base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { MAGIC = 0x50525354 }; /* "TSRP" */

typedef struct packed_header {
  uint32_t magic;
  uint16_t op, compute;
  int32_t ndim;
  uint32_t axes_mask;
  int64_t shape[TSR_MAX_NDIM];
  uint64_t n_slabs;
  uint64_t n_bytes; /* of the whole message */
} packed_header;

/* A packed slab is followed by 2 * ndim int64 (lo, n), the values padded to 8 bytes, and the
 * indices. */
typedef struct packed_slab {
  int32_t level, zero;
} packed_slab;

static size_t packed_slab_bytes(const tsr_partials *p, int64_t volume)
{
  return sizeof(packed_slab) + 2 * sizeof(int64_t) * (size_t)p->tree.ndim +
         tsr__slab_padded_bytes(p, volume) + (p->has_index ? (size_t)volume * sizeof(int64_t) : 0);
}

typedef struct box {
  int64_t lo[TSR_MAX_NDIM], n[TSR_MAX_NDIM];
} box;

typedef struct box_list {
  tsr_arena *scratch;
  box *v;
  size_t n;
  int32_t capacity;
} box_list;

static void box_list_add(box_list *list, const box *b)
{
  list->v = tsr__arena_grow(list->scratch, list->v, (int32_t)list->n, &list->capacity, sizeof *b);
  list->v[list->n++] = *b;
}

static int compare_int64(const void *a, const void *b)
{
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* Returns the bounds of the slabs along an axis, ascending and without repeats. */
static int64_t *cuts_of(tsr_arena *scratch, const tsr_slab *const *slabs, size_t n_slabs, int axis,
                        size_t *n_cuts)
{
  int64_t *cuts = tsr__arena_alloc(scratch, 2 * n_slabs * sizeof *cuts);
  for (size_t i = 0; i < n_slabs; i++) {
    cuts[2 * i] = slabs[i]->lo[axis];
    cuts[2 * i + 1] = slabs[i]->lo[axis] + slabs[i]->n[axis];
  }
  qsort(cuts, 2 * n_slabs, sizeof *cuts, compare_int64);
  size_t n = 1;
  for (size_t i = 1; i < 2 * n_slabs; i++)
    if (cuts[i] != cuts[n - 1]) cuts[n++] = cuts[i];
  *n_cuts = n;
  return cuts;
}

/* Returns whether boxes [first, mid) and [mid, end) are equal except on `axis`, where the second
 * begin at the ends of the first. */
static bool runs_join(const box_list *list, size_t first, size_t mid, size_t end, int axis)
{
  if (mid - first != end - mid || first == mid) return false;
  for (size_t i = 0; i < mid - first; i++) {
    const box *a = &list->v[first + i], *b = &list->v[mid + i];
    if (a->lo[axis] + a->n[axis] != b->lo[axis]) return false;
    if (memcmp(&a->lo[axis + 1], &b->lo[axis + 1], (size_t)(TSR_MAX_NDIM - axis - 1) * 8) != 0 ||
        memcmp(&a->n[axis + 1], &b->n[axis + 1], (size_t)(TSR_MAX_NDIM - axis - 1) * 8) != 0)
      return false;
  }
  return true;
}

static int compare_lo(const void *a, const void *b, void *axis)
{
  const tsr_slab *x = *(const tsr_slab *const *)a, *y = *(const tsr_slab *const *)b;
  int k = *(int *)axis;
  return (x->lo[k] > y->lo[k]) - (x->lo[k] < y->lo[k]);
}

/* Appends the union of disjoint slabs as boxes: maximal slices along `axis` of equal cross-section,
 * each cross-section in the same form. The boxes depend on the union only. `at` holds the axes
 * before `axis`. Reorders `slabs`. The recursion is ndim deep. */
static void add_canonical(const tsr_slab **slabs, size_t n_slabs, int axis, int ndim, box *at,
                          box_list *out)
{
  if (axis == ndim) {
    box_list_add(out, at);
    return;
  }
  size_t n_cuts, n_active = 0, next = 0, previous = out->n;
  int64_t *cuts = cuts_of(out->scratch, slabs, n_slabs, axis, &n_cuts);
  const tsr_slab **active = tsr__arena_alloc(out->scratch, 2 * n_slabs * sizeof *active);
  qsort_r(slabs, n_slabs, sizeof *slabs, compare_lo, &axis);
  for (size_t c = 0; c + 1 < n_cuts; c++) {
    size_t n_left = 0;
    for (size_t i = 0; i < n_active; i++)
      if (active[i]->lo[axis] + active[i]->n[axis] > cuts[c]) active[n_left++] = active[i];
    for (n_active = n_left; next < n_slabs && slabs[next]->lo[axis] == cuts[c]; next++)
      active[n_active++] = slabs[next];
    if (n_active == 0) continue;
    const tsr_slab **section = active + n_slabs;
    memcpy(section, active, n_active * sizeof *active);
    at->lo[axis] = cuts[c];
    at->n[axis] = cuts[c + 1] - cuts[c];
    size_t first = out->n;
    add_canonical(section, n_active, axis + 1, ndim, at, out);
    if (runs_join(out, previous, first, out->n, axis)) {
      for (size_t i = previous; i < first; i++) out->v[i].n[axis] += at->n[axis];
      out->n = first;
    } else {
      previous = first;
    }
  }
}

static int compare_group(const void *a, const void *b, void *partials)
{
  const tsr_slab *x = *(const tsr_slab *const *)a, *y = *(const tsr_slab *const *)b;
  if (x->level != y->level) return x->level < y->level ? -1 : 1;
  int64_t i = tsr__slab_coordinate(partials, x), j = tsr__slab_coordinate(partials, y);
  return (i > j) - (i < j);
}

/* Returns all slabs, grouped by (level, coordinate), in scratch memory. */
static const tsr_slab **all_slabs(tsr_arena *scratch, const tsr_partials *p, size_t *n_slabs)
{
  size_t n = p->stuck.n;
  for (const tsr_slab *s = p->root; s; s = s->next) n++;
  const tsr_slab **v = tsr__arena_alloc(scratch, (n + 1) * sizeof *v);
  n = 0;
  uint32_t at = 0;
  for (const tsr_slab *s; (s = tsr__table_each(&p->stuck, &at)) != NULL;) v[n++] = s;
  for (const tsr_slab *s = p->root; s; s = s->next) v[n++] = s;
  qsort_r(v, n, sizeof *v, compare_group, (void *)p);
  *n_slabs = n;
  return v;
}

/* Where a message is written; `out` NULL only counts the bytes. */
typedef struct packer {
  const tsr_partials *p;
  char *out;
  size_t n_bytes;
  uint64_t n_slabs;
  box_list boxes; /* in scratch memory */
} packer;

static void put_bytes(packer *k, const void *bytes, size_t n)
{
  if (k->out) memcpy(k->out + k->n_bytes, bytes, n);
  k->n_bytes += n;
}

/* Packs one canonical box with its values, gathered from the slabs of its group. */
static void pack_box(packer *k, const box *b, const tsr_slab *const *slabs, size_t n_slabs)
{
  const tsr_partials *p = k->p;
  TSR_ASSERT(n_slabs > 0);
  tsr_slab frame = {.level = slabs[0]->level, .volume = tsr__slab_volume(p, b->n)};
  memcpy(frame.lo, b->lo, sizeof frame.lo);
  memcpy(frame.n, b->n, sizeof frame.n);
  k->n_slabs++;
  if (!k->out) {
    k->n_bytes += packed_slab_bytes(p, frame.volume);
    return;
  }
  size_t extent_bytes = (size_t)p->tree.ndim * sizeof(int64_t);
  size_t value_bytes = (size_t)frame.volume * p->value_bytes;
  put_bytes(k, &(packed_slab){.level = frame.level}, sizeof(packed_slab));
  put_bytes(k, frame.lo, extent_bytes);
  put_bytes(k, frame.n, extent_bytes);
  char *values = k->out + k->n_bytes;
  k->n_bytes += tsr__slab_padded_bytes(p, frame.volume);
  memset(values + value_bytes, 0, (size_t)(k->out + k->n_bytes - values) - value_bytes);
  char *index = k->out + k->n_bytes;
  if (p->has_index) k->n_bytes += (size_t)frame.volume * sizeof(int64_t);
  for (size_t i = 0; i < n_slabs; i++) {
    tsr__slab_copy_array(p, &frame, values, slabs[i], slabs[i]->values, p->value_bytes);
    if (p->has_index)
      tsr__slab_copy_array(p, &frame, index, slabs[i], slabs[i]->index, sizeof(int64_t));
  }
}

static void pack_slabs(packer *k)
{
  size_t n_slabs;
  /* The scratch memory is not part of the value of p. */
  tsr_arena *scratch = k->boxes.scratch = (tsr_arena *)&k->p->scratch;
  tsr__arena_reset(scratch);
  const tsr_slab **slabs = all_slabs(scratch, k->p, &n_slabs);
  for (size_t first = 0, end; first < n_slabs; first = end) {
    end = first + 1;
    while (end < n_slabs && compare_group(&slabs[first], &slabs[end], (void *)k->p) == 0) end++;
    box at = {.lo = {0}};
    k->boxes.n = 0;
    memcpy(at.lo, slabs[first]->lo, (size_t)k->p->tree.ndim * sizeof at.lo[0]);
    memcpy(at.n, slabs[first]->n, (size_t)k->p->tree.ndim * sizeof at.n[0]);
    if (end - first == 1)
      box_list_add(&k->boxes, &at);
    else
      add_canonical(slabs + first, end - first, 0, k->p->tree.ndim, &at, &k->boxes);
    for (size_t i = 0; i < k->boxes.n; i++) pack_box(k, &k->boxes.v[i], slabs + first, end - first);
  }
}

size_t tsr__partials_pack_bytes(const tsr_partials *p)
{
  packer k = {.p = p, .n_bytes = sizeof(packed_header)};
  pack_slabs(&k);
  return k.n_bytes;
}

/* Loops for values of no bytes. */
static void combine_nothing(void *dst, int64_t *dst_i, const void *a, const int64_t *a_i,
                            const void *b, const int64_t *b_i, int64_t n)
{
  (void)dst, (void)dst_i, (void)a, (void)a_i, (void)b, (void)b_i, (void)n;
}

static void pair_nothing(void *dst, int64_t *dst_i, const void *src, const int64_t *src_i,
                         const tsr_reduce_rows *rows)
{
  (void)dst, (void)dst_i, (void)src, (void)src_i, (void)rows;
}

/* Makes partials with the same nodes, whose values take neither memory nor time. */
size_t tsr__partials_bytes_of(const tsr_tree *tree, tsr_reduction op, tsr_dtype compute,
                              const tsr_box *boxes, int32_t n)
{
  static const tsr_reduce_loops none = {.combine = combine_nothing, .pairs = pair_nothing};
  const tsr_box all = tsr__box_of_shape(tree->ndim, tree->shape);
  tsr_partials *p = tsr__partials_create(tree, op, compute, &all, NULL);
  const tsr_partials with_values = *p;
  p->value_bytes = 0;
  p->has_index = false;
  p->loops = &none;
  for (int32_t i = 0; i < n; i++) {
    TSR_ASSERT(tsr__box_is_empty(&boxes[i]) || tsr__partials_box_is_inside(p, &boxes[i]));
    if (!tsr__box_is_empty(&boxes[i]))
      tsr__partials_put(p, tsr__slab_new(p, 0, boxes[i].lo, boxes[i].n));
  }
  p->value_bytes = with_values.value_bytes;
  p->has_index = with_values.has_index;
  const size_t bytes = tsr__partials_pack_bytes(p);
  tsr__partials_destroy(p);
  return bytes;
}

static packed_header header_of(const tsr_partials *p)
{
  packed_header h = {.magic = MAGIC,
                     .op = (uint16_t)p->op,
                     .compute = (uint16_t)p->compute,
                     .ndim = p->tree.ndim,
                     .axes_mask = p->tree.axes_mask};
  memcpy(h.shape, p->tree.shape, (size_t)p->tree.ndim * sizeof h.shape[0]);
  return h;
}

void tsr__partials_pack(const tsr_partials *p, void *out)
{
  packer k = {.p = p, .out = out, .n_bytes = sizeof(packed_header)};
  pack_slabs(&k);
  packed_header h = header_of(p);
  h.n_slabs = k.n_slabs;
  h.n_bytes = k.n_bytes;
  memcpy(out, &h, sizeof h);
}

static bool same_reduction(const packed_header *a, const packed_header *b)
{
  return a->magic == b->magic && a->op == b->op && a->compute == b->compute && a->ndim == b->ndim &&
         a->axes_mask == b->axes_mask && memcmp(a->shape, b->shape, sizeof a->shape) == 0;
}

/* Returns whether p can hold a slab of this level and box: it lies within the shape and the kept
 * box, and is stuck where p would keep it. */
static bool slab_belongs(const tsr_partials *p, const tsr_slab *s)
{
  if (s->level < 0 || s->level > p->tree.n_levels) return false;
  uint8_t shift[TSR_MAX_NDIM] = {0};
  for (int level = 0; level < s->level; level++) shift[p->tree.level_axis[level]]++;
  for (int k = 0; k < p->tree.ndim; k++) {
    bool reduced = p->tree.axes_mask >> k & 1;
    int64_t lo = reduced ? 0 : p->kept_box.lo[k];
    int64_t n = reduced ? tsr__tree_n_nodes(&p->tree, k, shift[k]) : p->kept_box.n[k];
    if (s->n[k] < 1 || s->n[k] > n || s->lo[k] < lo || s->lo[k] - lo > n - s->n[k]) return false;
  }
  if (s->level == p->tree.n_levels) return true;
  int axis = p->tree.level_axis[s->level];
  int64_t sibling = s->lo[axis] ^ 1;
  return s->n[axis] == 1 && sibling < tsr__tree_n_nodes(&p->tree, axis, shift[axis]);
}

static bool meets_held(const tsr_partials *p, const tsr_slab *s)
{
  int64_t lo[TSR_MAX_NDIM], n[TSR_MAX_NDIM];
  if (s->level < p->tree.n_levels) return tsr__slab_meets_stuck(p, s, tsr__slab_coordinate(p, s));
  for (const tsr_slab *t = p->root; t; t = t->next)
    if (tsr__slab_common(p, s, t, -1, lo, n)) return true;
  return false;
}

/* Returns whether the reduction can have the values and indices of a packed slab. */
static bool values_are_sound(const tsr_partials *p, const char *values, int64_t volume)
{
  const char *index = values + tsr__slab_padded_bytes(p, volume);
  uint64_t n_points = 1;
  for (int k = 0; k < p->tree.ndim; k++)
    if (p->tree.axes_mask >> k & 1) n_points *= (uint64_t)p->tree.shape[k];
  for (int64_t i = 0; i < volume && p->compute == TSR_BOOL; i++)
    if (values[i] != 0 && values[i] != 1) return false;
  for (int64_t i = 0; i < volume && p->has_index; i++) {
    uint64_t at;
    memcpy(&at, index + (size_t)i * sizeof at, sizeof at);
    if (at >= n_points) return false;
  }
  return true;
}

/* Reads the slab at *at into a slab without memory of its own, and advances *at. Returns false if
 * the slab is cut short or does not belong to p. */
static bool read_slab(const tsr_partials *p, const char *bytes, size_t n_bytes, size_t *at,
                      tsr_slab *frame)
{
  packed_slab head;
  size_t extent_bytes = (size_t)p->tree.ndim * sizeof(int64_t), left = n_bytes - *at;
  if (left < sizeof head + 2 * extent_bytes) return false;
  const char *from = bytes + *at;
  memcpy(&head, from, sizeof head);
  *frame = (tsr_slab){.level = head.level, .volume = 1};
  memcpy(frame->lo, from + sizeof head, extent_bytes);
  memcpy(frame->n, from + sizeof head + extent_bytes, extent_bytes);
  if (head.zero != 0 || !slab_belongs(p, frame)) return false;
  for (int k = 0; k < p->tree.ndim; k++) {
    if (frame->n[k] > (int64_t)left / frame->volume) return false;
    frame->volume *= frame->n[k];
  }
  size_t whole = packed_slab_bytes(p, frame->volume);
  if (whole > left) return false;
  frame->values = (char *)(uintptr_t)(from + sizeof head + 2 * extent_bytes);
  *at += whole;
  return values_are_sound(p, frame->values, frame->volume);
}

static tsr_slab *copy_packed(tsr_partials *p, const tsr_slab *frame)
{
  tsr_slab *s = tsr__slab_new(p, frame->level, frame->lo, frame->n);
  memcpy(s->values, frame->values, (size_t)s->volume * p->value_bytes);
  if (s->index)
    memcpy(s->index, frame->values + tsr__slab_padded_bytes(p, s->volume),
           (size_t)s->volume * sizeof(int64_t));
  return s;
}

/* Checks all slabs of a message, against p and against each other. */
static bool message_is_sound(tsr_partials *p, const char *bytes, size_t n_bytes, uint64_t n_slabs)
{
  if (p->seen == NULL)
    p->seen = tsr__partials_create(&p->tree, p->op, p->compute, &p->kept_box, NULL);
  tsr_partials *seen = p->seen;
  size_t at = sizeof(packed_header);
  bool sound = true;
  for (uint64_t i = 0; i < n_slabs && sound; i++) {
    tsr_slab frame;
    sound = read_slab(p, bytes, n_bytes, &at, &frame) && !meets_held(p, &frame) &&
            !meets_held(seen, &frame);
    if (!sound) break;
    tsr_slab *mark = tsr__slab_new(seen, frame.level, frame.lo, frame.n); /* marks the box */
    if (mark->level < p->tree.n_levels) {
      tsr__slab_store(seen, mark);
    } else {
      mark->next = seen->root;
      seen->root = mark;
    }
  }
  tsr__partials_clear(seen);
  return sound && at == n_bytes;
}

tsr_status tsr__partials_merge_packed(tsr_partials *p, const void *bytes, size_t n_bytes)
{
  packed_header got, wanted = header_of(p);
  if (n_bytes < sizeof got) return TSR_ERR_INTERNAL;
  memcpy(&got, bytes, sizeof got);
  if (!same_reduction(&got, &wanted) || got.n_bytes != n_bytes) return TSR_ERR_INTERNAL;
  if (!message_is_sound(p, bytes, n_bytes, got.n_slabs)) return TSR_ERR_INTERNAL;
  size_t at = sizeof got;
  for (uint64_t i = 0; i < got.n_slabs; i++) {
    tsr_slab frame;
    if (!read_slab(p, bytes, n_bytes, &at, &frame)) return TSR_ERR_INTERNAL;
    tsr__partials_put(p, copy_packed(p, &frame));
  }
  return TSR_OK;
}

tsr_status tsr__partials_merge(tsr_partials *dst, const tsr_partials *src)
{
  packed_header a = header_of(dst), b = header_of(src);
  if (!same_reduction(&a, &b)) return TSR_ERR_INTERNAL;
  for (int k = 0; k < dst->tree.ndim; k++) {
    if (dst->tree.axes_mask >> k & 1) continue;
    int64_t lo = src->kept_box.lo[k] - dst->kept_box.lo[k];
    if (src->kept_box.n[k] == 0) continue;
    if (lo < 0 || src->kept_box.n[k] > dst->kept_box.n[k] ||
        lo > dst->kept_box.n[k] - src->kept_box.n[k])
      return TSR_ERR_INTERNAL;
  }
  uint32_t at = 0;
  for (const tsr_slab *s; (s = tsr__table_each(&src->stuck, &at)) != NULL;)
    tsr__partials_put(dst, tsr__slab_cut(dst, s, s->lo, s->n));
  for (const tsr_slab *s = src->root; s; s = s->next)
    tsr__partials_put(dst, tsr__slab_cut(dst, s, s->lo, s->n));
  return TSR_OK;
}
