/* The geometry of the reduction tree: which axis each level combines. It is a function of shape and
 * axes only, so every rank computes the same. See reduce.h. */
#include "kernel/reduce/reduce_int.h"

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
  while (tree->n_first < total && tree->level_axis[tree->n_first] == last) tree->n_first++;
}

void tsr__tree_resize(tsr_tree *tree, const int64_t *shape)
{
  bool same = true;
  for (int k = 0; k < tree->ndim && same; k++)
    same = !(tree->axes_mask >> k & 1) || bits_for(shape[k]) == bits_for(tree->shape[k]);
  if (!same) {
    tsr__tree_init(tree, tree->ndim, shape, tree->axes_mask);
    return;
  }
  for (int k = 0; k < tree->ndim; k++) tree->shape[k] = shape[k];
}

void tsr__rising_init(tsr_rising *r, const tsr_tree *tree, const tsr_box *box)
{
  r->tree = tree;
  r->level = 0;
  for (int k = 0; k < tree->ndim; k++) {
    r->lo[k] = box->lo[k];
    r->n[k] = box->n[k];
  }
}

int64_t tsr__tree_nodes_at(const tsr_tree *tree, int level, int axis)
{
  int shift = 0;
  for (int l = 0; l < level; l++) shift += tree->level_axis[l] == axis;
  return tsr__tree_n_nodes(tree, axis, shift);
}

void tsr__tree_flat_steps(const tsr_tree *tree, int64_t *step)
{
  uint64_t next = 1;
  for (int k = tree->ndim - 1; k >= 0; k--) {
    const bool is_reduced = tree->axes_mask >> k & 1;
    step[k] = is_reduced ? (int64_t)next : 0;
    if (is_reduced) next *= (uint64_t)tree->shape[k];
  }
}

int tsr__tree_n_equal_levels(const tsr_tree *tree, int level, int most)
{
  if (level == 0 && tree->n_first > 0) return tree->n_first < most ? tree->n_first : most;
  int n = 1;
  while (n < most && level + n < tree->n_levels &&
         tree->level_axis[level + n] == tree->level_axis[level])
    n++;
  return n;
}

int tsr__rising_axis(tsr_rising *r)
{
  while (r->level < r->tree->n_levels) {
    const int axis = r->tree->level_axis[r->level];
    if (r->n[axis] > 1) return axis;
    if ((r->lo[axis] & 1) || r->lo[axis] + 1 < tsr__tree_nodes_at(r->tree, r->level, axis))
      return -1;
    r->lo[axis] >>= 1;
    r->level++;
  }
  return -1;
}

static int64_t round_up(int64_t x, int levels)
{
  return (((x - 1) >> levels) + 1) << levels;
}

void tsr__rise(tsr_rising *r, int most, tsr_rise *out)
{
  const int axis = r->tree->level_axis[r->level];
  const int64_t lo = r->lo[axis], hi = lo + r->n[axis],
                all = tsr__tree_nodes_at(r->tree, r->level, axis);
  const int run = tsr__tree_n_equal_levels(r->tree, r->level, most);
  int levels = 0;
  TSR_ASSERT(r->n[axis] > 1 && most >= 1);
  for (int l = 1; l <= run && lo == round_up(lo, l) && (hi == all || hi == round_up(hi, l)); l++)
    levels = l;
  if (levels < 2) levels = run < 2 ? run : 2;
  int64_t first, end;
  for (;; levels--) { /* one level has a pair, or a last node by itself */
    first = round_up(lo, levels);
    end = hi == all ? hi : hi >> levels << levels;
    if (first < end || levels == 1) break;
  }
  if (first >= end) first = end = hi; /* two nodes, each of another pair */
  *out = (tsr_rise){
      .axis = axis, .level = r->level, .levels = levels, .first = first, .n = end - first};
  const int64_t bounds[2][2] = {{lo, first}, {end, hi}};
  for (int i = 0; i < 2; i++) {
    if (bounds[i][0] >= bounds[i][1]) continue;
    out->left_first[out->n_left] = bounds[i][0];
    out->left_n[out->n_left++] = bounds[i][1] - bounds[i][0];
  }
  r->lo[axis] = first >> levels;
  r->n[axis] = out->n == 0 ? 0 : ((end - 1) >> levels) - (first >> levels) + 1;
  r->level += levels;
}
