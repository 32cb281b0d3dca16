/* Copies of points on a grid. Axes that merge into one in both memories are merged. */
#include "runtime/device/points.h"
#include "runtime/base/walk.h"

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

bool tsr__points_axes(const tsr_points *p, tsr_copy_axes *axes)
{
  for (int k = 0; k < p->ndim; k++)
    if (p->n[k] <= 0) return false;
  int n = 0;
  axes->n[0] = 1;
  axes->dst[0] = axes->src[0] = 0;
  for (int k = p->ndim - 1; k >= 0; k--) {
    if (p->n[k] == 1) continue;
    if (n > 0 && axes->dst[n - 1] * axes->n[n - 1] == p->dst_step[k] &&
        axes->src[n - 1] * axes->n[n - 1] == p->src_step[k]) {
      axes->n[n - 1] *= p->n[k];
      continue;
    }
    axes->n[n] = p->n[k];
    axes->dst[n] = p->dst_step[k];
    axes->src[n++] = p->src_step[k];
  }
  axes->n_axes = n > 0 ? n : 1;
  return true;
}

void tsr__points_copy(const tsr_points *p)
{
  tsr_copy_axes axes;
  if (!tsr__points_axes(p, &axes)) return;
  tsr_walk w = tsr__walk_inner_first(1, axes.n_axes, axes.n);
  char *dst = p->dst;
  const char *src = p->src;
  for (;;) {
    copy_row(dst, axes.dst[0], src, axes.src[0], axes.n[0], p->elem_bytes);
    const int k = tsr__walk_next(&w);
    if (k < 0) return;
    dst += tsr__walk_change(&w, k, axes.dst);
    src += tsr__walk_change(&w, k, axes.src);
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

size_t tsr__points_bytes(const tsr_points *p)
{
  size_t bytes = p->elem_bytes;
  for (int k = 0; k < p->ndim; k++) bytes *= (size_t)p->n[k];
  return bytes;
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

size_t tsr__points_extent(const tsr_points *p, bool dst, const char **low)
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
