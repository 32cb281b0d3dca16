/* The geometry of the reduction tree: which axis each level combines. It is a function of shape and
 * axes only, so every rank computes the same. See reduce.h. */
#include "kernel/reduce/reduce.h"

#include "runtime/base/error.h"

/* The bits of the last reduced axis that are the lowest levels, in natural order: 64 elements,
 * which the vectorised loops combine in registers and L1. */
enum { LOW_BITS = 6 };

static int bits_for(int64_t length)
{
  return length <= 1 ? 0 : 64 - __builtin_clzll((uint64_t)length - 1);
}

/* Returns the axis to halve next from the root: the one with the most bits left, and the first one
 * on a tie. The low bits of `last` do not count. */
static int longest_axis(int ndim, const int *bits, int last, int low)
{
  int best = -1;
  for (int k = 0; k < ndim; k++) {
    if (bits[k] == 0 || (k == last && bits[k] <= low)) continue;
    if (best < 0 || bits[k] > bits[best]) best = k;
  }
  return best;
}

void tsr__tree_init(tsr_tree *tree, int ndim, const int64_t *shape, uint32_t axes_mask)
{
  int bits[TSR_MAX_NDIM] = {0}, last = -1, total = 0;
  TSR_ASSERT(ndim >= 0 && ndim <= TSR_MAX_NDIM);
  *tree = (tsr_tree){.ndim = ndim, .axes_mask = axes_mask & ((1u << ndim) - 1)};
  for (int k = 0; k < ndim; k++) {
    TSR_ASSERT(shape[k] >= 0);
    tree->shape[k] = shape[k];
    if (axes_mask >> k & 1) bits[k] = bits_for(shape[k]);
    if (bits[k] > 0) last = k;
    total += bits[k];
  }
  tree->n_levels = total;
  if (last < 0) return;
  int low = bits[last] < LOW_BITS ? bits[last] : LOW_BITS;
  for (int level = total - 1; level >= low; level--) {
    int axis = longest_axis(ndim, bits, last, low);
    TSR_ASSERT(axis >= 0);
    bits[axis]--;
    tree->level_axis[level] = (uint8_t)axis;
  }
  for (int level = 0; level < low; level++) tree->level_axis[level] = (uint8_t)last;
}
