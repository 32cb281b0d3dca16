/* Storage of a region on this rank: one buffer per tile with room for its halo; moving boxes in and
 * out of it. */
#include "scheduler/scheduler_int.h"

#include <stdlib.h>
#include <string.h>

void tsr__instance_shape(tsr_instance *i, const tsr_box *alloc, size_t elem_bytes)
{
  memset(i, 0, sizeof *i);
  i->alloc = *alloc;
  int64_t stride = (int64_t)elem_bytes;
  for (int k = alloc->ndim - 1; k >= 0; k--) {
    i->stride_bytes[k] = stride;
    stride *= alloc->n[k];
  }
  i->bytes = (size_t)stride;
}

char *tsr__instance_at(const tsr_instance *i, const int64_t *at)
{
  int64_t offset = 0;
  for (int k = 0; k < i->alloc.ndim; k++) offset += (at[k] - i->alloc.lo[k]) * i->stride_bytes[k];
  return (char *)i->data + offset;
}

/* Copies n elements of elem_bytes with byte strides. */
static void copy_run(char *dst, int64_t dst_step, const char *src, int64_t src_step, int64_t n,
                     size_t elem_bytes)
{
  if (dst_step == (int64_t)elem_bytes && src_step == (int64_t)elem_bytes) {
    memcpy(dst, src, (size_t)n * elem_bytes);
    return;
  }
  for (int64_t i = 0; i < n; i++) memcpy(dst + i * dst_step, src + i * src_step, elem_bytes);
}

/* The points of a box in row-major order, each as a byte offset in two memories: steps are bytes
 * per index of the box. */
static void copy_box(const tsr_box *box, char *dst, const int64_t *dst_step, const char *src,
                     const int64_t *src_step, size_t elem_bytes)
{
  if (tsr__box_is_empty(box)) return;
  int last = box->ndim - 1;
  if (last < 0) {
    memcpy(dst, src, elem_bytes);
    return;
  }
  int64_t at[TSR_MAX_NDIM] = {0};
  for (;;) {
    copy_run(dst, dst_step[last], src, src_step[last], box->n[last], elem_bytes);
    int k = last - 1;
    for (; k >= 0; k--) {
      dst += dst_step[k];
      src += src_step[k];
      if (++at[k] < box->n[k]) break;
      dst -= dst_step[k] * box->n[k];
      src -= src_step[k] * box->n[k];
      at[k] = 0;
    }
    if (k < 0) return;
  }
}

static void box_steps(const tsr_instance *i, const tsr_box *box, int64_t *step)
{
  for (int k = 0; k < box->ndim; k++) step[k] = i->stride_bytes[k] * box->step[k];
}

static void packed_steps(const tsr_box *box, size_t elem_bytes, int64_t *step)
{
  int64_t s = (int64_t)elem_bytes;
  for (int k = box->ndim - 1; k >= 0; k--) {
    step[k] = s;
    s *= box->n[k];
  }
}

void tsr__instance_copy(const tsr_instance *dst, const tsr_instance *src, const tsr_box *box,
                        size_t elem_bytes)
{
  int64_t to[TSR_MAX_NDIM], from[TSR_MAX_NDIM];
  box_steps(dst, box, to);
  box_steps(src, box, from);
  copy_box(box, tsr__instance_at(dst, box->lo), to, tsr__instance_at(src, box->lo), from,
           elem_bytes);
}

void tsr__instance_pack(const tsr_instance *i, const tsr_box *box, size_t elem_bytes, void *out)
{
  int64_t to[TSR_MAX_NDIM], from[TSR_MAX_NDIM];
  packed_steps(box, elem_bytes, to);
  box_steps(i, box, from);
  copy_box(box, out, to, tsr__instance_at(i, box->lo), from, elem_bytes);
}

void tsr__instance_unpack(const tsr_instance *i, const tsr_box *box, size_t elem_bytes,
                          const void *in)
{
  int64_t to[TSR_MAX_NDIM], from[TSR_MAX_NDIM];
  box_steps(i, box, to);
  packed_steps(box, elem_bytes, from);
  copy_box(box, tsr__instance_at(i, box->lo), to, in, from, elem_bytes);
}

size_t tsr__agreed_bytes(const tsr_layout *layout, size_t elem_bytes)
{
  double bytes = (double)tsr__layout_max_tile(layout) * (double)elem_bytes;
  return bytes > 9e18 ? (size_t)9e18 : (size_t)bytes;
}

tsr_storage *tsr__storage_new(tsr_scheduler *s, const tsr_layout *layout)
{
  tsr_storage *storage = s->free_storages;
  if (storage != NULL)
    s->free_storages = storage->next;
  else
    storage = tsr__calloc(1, sizeof *storage);
  *storage = (tsr_storage){.scheduler = s, .layout = layout, .ghosts = storage->ghosts};
  return storage;
}

void tsr__storage_release(tsr_storage *storage)
{
  enum { FEW = 8 };
  tsr_scheduler *s = storage->scheduler;
  tsr__memory_free(s->world->memory, storage->instance.data, storage->instance.bytes);
  s->agreed_in_use -= storage->agreed_bytes;
  tsr__ghosts_clear(&storage->ghosts); /* a short log keeps its memory for the next storage */
  if (storage->ghosts.capacity > FEW) tsr__ghosts_free(&storage->ghosts);
  storage->next = s->free_storages;
  s->free_storages = storage;
}

void tsr__storages_free(tsr_scheduler *s)
{
  for (tsr_storage *storage; (storage = s->free_storages) != NULL;) {
    s->free_storages = storage->next;
    tsr__ghosts_free(&storage->ghosts);
    free(storage);
  }
}

const tsr_layout *tsr__layout_for(tsr_scheduler *s, int ndim, const int64_t *shape)
{
  double n = 1.0;
  for (int k = 0; k < ndim; k++) n *= (double)shape[k];
  if (ndim == 0 || n <= (double)s->world->config.replicate_max)
    return tsr__layout_replicated(s->layouts, ndim, shape);
  return tsr__layout_fresh(s->layouts, ndim, shape, s->world->config.tile_min);
}
