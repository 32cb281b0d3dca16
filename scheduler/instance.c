/* Instances: how a tile lies in memory, and boxes of it in and out.
 *
 * Long rows begin at cache lines: their stride is a multiple of a line, and the element that is
 * `aligned` lies at the start of one, so that a loop over the interior of an array with a border
 * loads and stores whole lines. No stride is a multiple of ALIAS_BYTES. How large an instance is
 * depends on its box alone, not on what is aligned, so that versions of one region fit each other's
 * buffers. Messages carry dense boxes: no other rank sees any of this. */
#include "scheduler/scheduler_int.h"

#include <string.h>

enum {
  LINE_BYTES = 64,
  ALIAS_BYTES = 4 << 10, /* rows and planes that far apart meet in few sets of the caches */
};
#define MOST_BYTES 1e15 /* of any machine; beyond it strides mean nothing */

static double dense_bytes(int ndim, const int64_t *n, size_t elem_bytes)
{
  double bytes = (double)elem_bytes;
  for (int k = 0; k < ndim; k++) bytes *= (double)n[k];
  return bytes;
}

static void dense_strides(int ndim, const int64_t *n, size_t elem_bytes, int64_t *strides)
{
  uint64_t stride = elem_bytes;
  for (int k = ndim - 1; k >= 0; k--) {
    strides[k] = (int64_t)stride;
    stride *= (uint64_t)n[k];
  }
}

/* Strides of a box that is n long; all its bytes, which grow with n. Whether rows begin at lines:
 * shorter ones stay dense, so that their axes merge into long ones. */
static bool lay_out(const tsr_scheduler *s, int ndim, const int64_t *n, size_t elem_bytes,
                    int64_t *strides, size_t *bytes)
{
  double dense = dense_bytes(ndim, n, elem_bytes);
  dense_strides(ndim, n, elem_bytes, strides);
  *bytes = dense > 9e18 ? (size_t)9e18 : (size_t)dense;
  if (ndim < 2 || dense == 0 || dense > MOST_BYTES) return false;
  int64_t row = n[ndim - 1] * (int64_t)elem_bytes;
  if (row < s->world->config.align_rows) return false;
  int64_t stride = (row + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
  for (int k = ndim - 2; k >= 0; k--) {
    strides[k] = stride = stride % ALIAS_BYTES == 0 ? stride + LINE_BYTES : stride;
    stride *= n[k];
  }
  *bytes = (size_t)stride + LINE_BYTES; /* room to begin anywhere in a line */
  return true;
}

void tsr__instance_shape(const tsr_scheduler *s, tsr_instance *i, const tsr_box *alloc,
                         int64_t aligned, size_t elem_bytes)
{
  memset(i, 0, sizeof *i);
  i->alloc = *alloc;
  if (!lay_out(s, alloc->ndim, alloc->n, elem_bytes, i->stride_bytes, &i->bytes)) return;
  int64_t before = (aligned - alloc->lo[alloc->ndim - 1]) * (int64_t)elem_bytes % LINE_BYTES;
  i->lead_bytes = before > 0 ? LINE_BYTES - before : -before;
  i->aligned = aligned;
}

void tsr__instance_dense(tsr_instance *i, const tsr_box *alloc, size_t elem_bytes)
{
  memset(i, 0, sizeof *i);
  i->alloc = *alloc;
  dense_strides(alloc->ndim, alloc->n, elem_bytes, i->stride_bytes);
  i->bytes = (size_t)tsr__box_volume(alloc) * elem_bytes;
}

int64_t tsr__first_column(const tsr_box *box)
{
  return box->ndim > 0 ? box->lo[box->ndim - 1] : 0;
}

size_t tsr__agreed_box_bytes(const tsr_scheduler *s, int ndim, const int64_t *n, size_t elem_bytes)
{
  int64_t strides[TSR_MAX_NDIM];
  size_t bytes;
  lay_out(s, ndim, n, elem_bytes, strides, &bytes);
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

/* A row of n elements with byte strides, of elements that are one word. */
#define COPY_WORDS(word)                                                                           \
  for (int64_t i = 0; i < n; i++, dst += dst_step, src += src_step) memcpy(dst, src, sizeof(word))

static void copy_row(char *dst, int64_t dst_step, const char *src, int64_t src_step, int64_t n,
                     size_t elem_bytes)
{
  if (dst_step == (int64_t)elem_bytes && src_step == (int64_t)elem_bytes)
    memcpy(dst, src, (size_t)n * elem_bytes);
  else if (elem_bytes == 8)
    COPY_WORDS(uint64_t);
  else if (elem_bytes == 4)
    COPY_WORDS(uint32_t);
  else
    for (int64_t i = 0; i < n; i++) memcpy(dst + i * dst_step, src + i * src_step, elem_bytes);
}

/* An axis of a copy: points, and bytes per point in both memories. */
typedef struct copy_axis {
  int64_t n, dst, src;
} copy_axis;

/* The axes of a copy, innermost first, without those of length 1 and with those merged that lie
 * one in the other in both memories. */
static int copy_axes(int ndim, const int64_t *n, const int64_t *dst_step, const int64_t *src_step,
                     copy_axis *axes)
{
  int n_axes = 0;
  for (int k = ndim - 1; k >= 0; k--) {
    if (n[k] == 1) continue;
    copy_axis *in = n_axes > 0 ? &axes[n_axes - 1] : NULL;
    if (in != NULL && in->dst * in->n == dst_step[k] && in->src * in->n == src_step[k])
      in->n *= n[k];
    else
      axes[n_axes++] = (copy_axis){n[k], dst_step[k], src_step[k]};
  }
  if (n_axes == 0) axes[n_axes++] = (copy_axis){.n = 1};
  return n_axes;
}

void tsr__copy_points(int ndim, const int64_t *n, char *dst, const int64_t *dst_step,
                      const char *src, const int64_t *src_step, size_t elem_bytes)
{
  for (int k = 0; k < ndim; k++)
    if (n[k] <= 0) return;
  copy_axis axes[TSR_MAX_NDIM + 1];
  int n_axes = copy_axes(ndim, n, dst_step, src_step, axes);
  int64_t at[TSR_MAX_NDIM + 1] = {0};
  for (;;) {
    copy_row(dst, axes[0].dst, src, axes[0].src, axes[0].n, elem_bytes);
    int k = 1;
    for (; k < n_axes; k++) {
      dst += axes[k].dst;
      src += axes[k].src;
      if (++at[k] < axes[k].n) break;
      dst -= axes[k].dst * axes[k].n;
      src -= axes[k].src * axes[k].n;
      at[k] = 0;
    }
    if (k == n_axes) return;
  }
}

static void box_steps(const tsr_instance *i, const tsr_box *box, int64_t *step)
{
  for (int k = 0; k < box->ndim; k++) step[k] = i->stride_bytes[k] * box->step[k];
}

void tsr__instance_copy(const tsr_instance *dst, const tsr_instance *src, const tsr_box *box,
                        size_t elem_bytes)
{
  int64_t to[TSR_MAX_NDIM], from[TSR_MAX_NDIM];
  box_steps(dst, box, to);
  box_steps(src, box, from);
  tsr__copy_points(box->ndim, box->n, tsr__instance_at(dst, box->lo), to,
                   tsr__instance_at(src, box->lo), from, elem_bytes);
}

void tsr__instance_pack(const tsr_instance *i, const tsr_box *box, size_t elem_bytes, void *out)
{
  int64_t to[TSR_MAX_NDIM], from[TSR_MAX_NDIM];
  dense_strides(box->ndim, box->n, elem_bytes, to);
  box_steps(i, box, from);
  tsr__copy_points(box->ndim, box->n, out, to, tsr__instance_at(i, box->lo), from, elem_bytes);
}

void tsr__instance_unpack(const tsr_instance *i, const tsr_box *box, size_t elem_bytes,
                          const void *in)
{
  int64_t to[TSR_MAX_NDIM], from[TSR_MAX_NDIM];
  box_steps(i, box, to);
  dense_strides(box->ndim, box->n, elem_bytes, from);
  tsr__copy_points(box->ndim, box->n, tsr__instance_at(i, box->lo), to, in, from, elem_bytes);
}
