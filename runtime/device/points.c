/* Copies of points on a grid. Axes that merge into one in both memories are merged. */
#include "runtime/device/points.h"

#include <string.h>

/* Copies a row of n elements of one word each, with byte strides. */
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

/* An axis of a copy: its length, and bytes per index in both memories. */
typedef struct copy_axis {
  int64_t n, dst, src;
} copy_axis;

/* The axes of a copy, innermost first, without those of length 1 and merged where they can be. */
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

void tsr__points_copy(const tsr_points *p)
{
  for (int k = 0; k < p->ndim; k++)
    if (p->n[k] <= 0) return;
  copy_axis axes[TSR_MAX_NDIM + 1];
  const int n_axes = copy_axes(p->ndim, p->n, p->dst_step, p->src_step, axes);
  int64_t at[TSR_MAX_NDIM + 1] = {0};
  char *dst = p->dst;
  const char *src = p->src;
  for (;;) {
    copy_row(dst, axes[0].dst, src, axes[0].src, axes[0].n, p->elem_bytes);
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

tsr_points tsr__points_of_bytes(void *dst, const void *src, size_t n)
{
  return (tsr_points){.ndim = 1,
                      .n = {(int64_t)n},
                      .dst = dst,
                      .src = src,
                      .dst_step = {1},
                      .src_step = {1},
                      .elem_bytes = 1};
}

bool tsr__points_are_run(const tsr_points *p, bool dst)
{
  int64_t bytes = (int64_t)p->elem_bytes;
  for (int k = p->ndim - 1; k >= 0; k--) {
    if (p->n[k] == 1) continue;
    if ((dst ? p->dst_step[k] : p->src_step[k]) != bytes) return false;
    bytes *= p->n[k];
  }
  return true;
}

size_t tsr__points_reach(const tsr_points *p, bool dst, const char **low)
{
  int64_t before = 0, behind = (int64_t)p->elem_bytes;
  for (int k = 0; k < p->ndim; k++) {
    if (p->n[k] <= 0) return 0;
    const int64_t last = (p->n[k] - 1) * (dst ? p->dst_step[k] : p->src_step[k]);
    *(last < 0 ? &before : &behind) += last;
  }
  *low = (dst ? p->dst : p->src) + before;
  return (size_t)(behind - before);
}
