/* Instances: how a tile lies in memory, and boxes of it in and out.
 *
 * Long rows begin at cache lines: their stride is a multiple of a line, and the element that is
 * `aligned` lies at the start of one, so that a loop over the interior of an array with a border
 * loads and stores whole lines. No stride is a multiple of ALIAS_BYTES. How large an instance is
 * depends on its box alone, not on what is aligned, so that versions of one region fit each other's
 * buffers. Messages carry dense boxes: no other rank sees any of this. */
#include "scheduler/plan/instance.h"
#include "runtime/base/walk.h"

#include <string.h>

enum {
  LINE_BYTES = 64,
  ALIAS_BYTES = 4 << 10, /* rows and planes this far apart meet in few sets of the caches */
};
#define MOST_BYTES 1e15 /* more than any machine has; beyond it strides mean nothing */

static double dense_bytes(int ndim, const int64_t *n, size_t elem_bytes)
{
  double bytes = (double)elem_bytes;
  for (int k = 0; k < ndim; k++) bytes *= (double)n[k];
  return bytes;
}

/* Strides of a box that is n long; all its bytes, which grow with n. Whether rows begin at lines:
 * shorter ones stay dense, so that their axes merge into long ones. */
static bool lay_out_strides(const tsr_scheduler *s, int ndim, const int64_t *n, size_t elem_bytes,
                            int64_t *strides, size_t *bytes)
{
  double dense = dense_bytes(ndim, n, elem_bytes);
  tsr__dense_strides(ndim, n, (int64_t)elem_bytes, strides);
  *bytes = dense > 9e18 ? (size_t)9e18 : (size_t)dense;
  if (ndim < 2 || dense == 0 || dense > MOST_BYTES) return false;
  int64_t row = n[ndim - 1] * (int64_t)elem_bytes;
  if (row < s->world->config.align_rows) return false;
  int64_t stride = (row + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
  for (int k = ndim - 2; k >= 0; k--) {
    strides[k] = stride = stride % ALIAS_BYTES == 0 ? stride + LINE_BYTES : stride;
    stride *= n[k];
  }
  *bytes = (size_t)stride + LINE_BYTES; /* the first element may be anywhere in a line */
  return true;
}

void tsr__instance_shape(const tsr_scheduler *s, tsr_instance *i, const tsr_box *alloc,
                         int64_t aligned, size_t elem_bytes)
{
  memset(i, 0, sizeof *i);
  i->alloc = *alloc;
  if (!lay_out_strides(s, alloc->ndim, alloc->n, elem_bytes, i->stride_bytes, &i->bytes)) return;
  int64_t before = (aligned - alloc->lo[alloc->ndim - 1]) * (int64_t)elem_bytes % LINE_BYTES;
  i->lead_bytes = before > 0 ? LINE_BYTES - before : -before;
  i->aligned = aligned;
}

tsr_pitch tsr__instance_pitch(const tsr_instance *i)
{
  const int row = i->alloc.ndim - 2, plane = row - 1;
  return (tsr_pitch){.row = row >= 0 ? (size_t)i->stride_bytes[row] : 0,
                     .plane = plane >= 0 ? (size_t)i->stride_bytes[plane] : 0};
}

void tsr__instance_dense(tsr_instance *i, const tsr_box *alloc, size_t elem_bytes)
{
  memset(i, 0, sizeof *i);
  i->alloc = *alloc;
  tsr__dense_strides(alloc->ndim, alloc->n, (int64_t)elem_bytes, i->stride_bytes);
  i->bytes = (size_t)tsr__box_volume(alloc) * elem_bytes;
}

tsr_instance tsr__instance_of_bytes(const tsr_box *box, size_t elem_bytes, const void *bytes)
{
  tsr_instance i;
  TSR_ASSERT(tsr__box_is_dense(box));
  tsr__instance_dense(&i, box, elem_bytes);
  i.data = (void *)(uintptr_t)bytes;
  i.space = TSR_SPACE_HOST;
  return i;
}

int64_t tsr__first_column(const tsr_box *box)
{
  return box->ndim > 0 ? box->lo[box->ndim - 1] : 0;
}

size_t tsr__agreed_box_bytes(const tsr_scheduler *s, int ndim, const int64_t *n, size_t elem_bytes)
{
  int64_t strides[TSR_MAX_NDIM];
  size_t bytes;
  lay_out_strides(s, ndim, n, elem_bytes, strides, &bytes);
  return bytes;
}

size_t tsr__agreed_bytes(const tsr_scheduler *s, const tsr_layout *layout, size_t elem_bytes)
{
  int64_t n[TSR_MAX_NDIM];
  for (int k = 0; k < layout->ndim; k++) n[k] = tsr__layout_widest(layout, k);
  return tsr__agreed_box_bytes(s, layout->ndim, n, elem_bytes);
}

char *tsr__instance_at(const tsr_instance *i, const int64_t *at)
{
  int64_t offset = i->lead_bytes;
  for (int k = 0; k < i->alloc.ndim; k++) offset += (at[k] - i->alloc.lo[k]) * i->stride_bytes[k];
  return (char *)i->data + offset;
}

char *tsr__instance_seen(const tsr_instance *i, const tsr_view *v, const int64_t *index)
{
  int64_t at[TSR_MAX_NDIM];
  for (int k = 0; k < v->rdim; k++) {
    at[k] = v->offset[k];
    for (int j = 0; j < v->ndim; j++) at[k] += v->step[k][j] * index[j];
  }
  return tsr__instance_at(i, at);
}

void tsr__instance_strides(const tsr_instance *i, const tsr_view *v, int64_t *stride_bytes)
{
  for (int j = 0; j < v->ndim; j++) {
    stride_bytes[j] = 0;
    for (int k = 0; k < v->rdim; k++) stride_bytes[j] += v->step[k][j] * i->stride_bytes[k];
  }
}

static void box_steps(const tsr_instance *i, const tsr_box *box, int64_t *step)
{
  for (int k = 0; k < box->ndim; k++) step[k] = i->stride_bytes[k] * box->step[k];
}

static tsr_points points_of_box(const tsr_box *box, size_t elem_bytes)
{
  tsr_points p;
  p.ndim = box->ndim;
  p.elem_bytes = elem_bytes;
  memcpy(p.n, box->n, (size_t)box->ndim * sizeof *p.n);
  return p;
}

tsr_points tsr__instance_points(const tsr_instance *dst, const tsr_instance *src,
                                const tsr_box *box, size_t elem_bytes)
{
  tsr_points p = points_of_box(box, elem_bytes);
  p.dst = tsr__instance_at(dst, box->lo);
  p.src = tsr__instance_at(src, box->lo);
  box_steps(dst, box, p.dst_step);
  box_steps(src, box, p.src_step);
  return p;
}

tsr_points tsr__instance_points_out(const tsr_instance *i, const tsr_box *box, size_t elem_bytes,
                                    void *out)
{
  tsr_points p = points_of_box(box, elem_bytes);
  p.dst = out;
  p.src = tsr__instance_at(i, box->lo);
  tsr__dense_strides(box->ndim, box->n, (int64_t)elem_bytes, p.dst_step);
  box_steps(i, box, p.src_step);
  return p;
}

tsr_points tsr__instance_points_in(const tsr_instance *i, const tsr_box *box, size_t elem_bytes,
                                   const void *in)
{
  tsr_points p = points_of_box(box, elem_bytes);
  p.dst = tsr__instance_at(i, box->lo);
  p.src = in;
  box_steps(i, box, p.dst_step);
  tsr__dense_strides(box->ndim, box->n, (int64_t)elem_bytes, p.src_step);
  return p;
}
