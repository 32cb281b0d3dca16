/* Reductions by launches (reduce.h). The first launch computes the kernel and combines its values;
 * each later one reads nodes and combines them. What a step leaves behind is taken as it is. */
#include "kernel/cuda/reduce.h"

#include "runtime/base/error.h"
#include "runtime/base/walk.h"

#include <string.h>

tsr_kernel *tsr__cuda_node_kernel(int ndim, tsr_dtype dtype, bool has_index)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(ndim);
  const int from = tsr__kernel_access_add(b, dtype, false, 0, 0);
  const int to = tsr__kernel_access_add(b, dtype, true, 1, 0);
  tsr__kernel_store(b, to, tsr__kernel_load(b, from));
  if (has_index) {
    const int from_index = tsr__kernel_access_add(b, TSR_DTYPE_INT64, false, 2, 0);
    const int to_index = tsr__kernel_access_add(b, TSR_DTYPE_INT64, true, 3, 0);
    tsr__kernel_store(b, to_index, tsr__kernel_load(b, from_index));
  }
  return tsr__kernel_finish(b);
}

enum { NODE_FROM, NODE_TO, NODE_FROM_INDEX, NODE_TO_INDEX, N_NODE_ACCESSES };

/* A reduction's nodes in memory of the device, dense. */
typedef struct held {
  char *values, *indices;
} held;

/* What goes up one tree. */
typedef struct reducing {
  const tsr_kernel *kernel;
  const tsr_kernel_bind *bind;
  const tsr_tree *tree;
  int n;
  tsr_cuda_taken taken[TSR_CUDA_MOST_TAKEN];
  int number[TSR_CUDA_MOST_TAKEN]; /* of each reduction */
  int64_t few;                     /* as many nodes are left to the host */
  const tsr_cuda_reducer *reducer;
  const tsr_cuda_step_tuning *tuning;
  tsr_rising at;
  int64_t lo[TSR_MAX_NDIM], n_held[TSR_MAX_NDIM]; /* the box that is held */
  held held[TSR_CUDA_MOST_TAKEN];
} reducing;

/* An address so many bytes further, also where there is no memory. */
static char *address_at(const void *p, int64_t bytes)
{
  return (char *)((uintptr_t)p + (uintptr_t)bytes);
}

static int64_t volume_of(const tsr_tree *tree, const int64_t *n)
{
  int64_t volume = 1;
  for (int k = 0; k < tree->ndim; k++) volume *= n[k];
  return volume;
}

/* Memory for a reduction's nodes, so many along each axis. */
static bool hold(const reducing *x, const tsr_cuda_taken *t, const int64_t *n, held *out)
{
  const int64_t volume = volume_of(x->tree, n);
  bool is_root = x->few == 0;
  for (int k = 0; k < x->tree->ndim; k++)
    is_root = is_root && (n[k] == 1 || !(x->tree->axes_mask >> k & 1));
  out->values = x->reducer->alloc(x->reducer->arg,
                                  (size_t)volume * tsr__dtype_size((tsr_dtype)t->compute), is_root);
  out->indices = NULL;
  if (tsr__cuda_has_index(t))
    out->indices = x->reducer->alloc(x->reducer->arg, (size_t)volume * sizeof(int64_t), is_root);
  return out->values != NULL && (!tsr__cuda_has_index(t) || out->indices != NULL);
}

/* Hands over nodes of a box that lies in what is held of a reduction, whose box is [lo, lo + n). */
static void hand_over(const reducing *x, int reduction, int level, const held *from,
                      const int64_t *lo, const int64_t *n, const int64_t *part_lo,
                      const int64_t *part_n)
{
  const tsr_tree *tree = x->tree;
  const tsr_cuda_taken *t = &x->taken[reduction];
  tsr_cuda_nodes nodes = {.reduction = x->number[reduction], .level = level};
  tsr__dense_strides(tree->ndim, n, 1, nodes.step);
  int64_t offset = 0;
  for (int k = 0; k < tree->ndim; k++) {
    nodes.lo[k] = part_lo[k];
    nodes.n[k] = part_n[k];
    offset += (part_lo[k] - lo[k]) * nodes.step[k];
  }
  nodes.values = from->values + offset * (int64_t)tsr__dtype_size((tsr_dtype)t->compute);
  if (tsr__cuda_has_index(t)) nodes.indices = from->indices + offset * (int64_t)sizeof(int64_t);
  x->reducer->take(x->reducer->arg, &nodes);
}

/* The flat index over the reduced axes, in C order, and its steps along all axes. */
static void find_flat(const reducing *x, const int64_t *lo, tsr_cuda_step *step)
{
  tsr__tree_flat_steps(x->tree, step->flat_step);
  step->flat = 0;
  for (int k = 0; k < x->tree->ndim; k++) step->flat += step->flat_step[k] * lo[k];
}

static void fill_step(const reducing *x, tsr_cuda_step *step)
{
  step->n = x->n;
  memcpy(step->taken, x->taken, sizeof step->taken);
}

/* Launches the kernel itself over part of the box along the step's axis, into `to`. */
static bool launch_leaves(reducing *x, tsr_cuda_step *step, int64_t first, int64_t count, held *to)
{
  const tsr_kernel *k = x->kernel;
  tsr_kernel_bind bind = *x->bind;
  tsr_cuda_launch launch;
  void *base[TSR_NEST_STREAMS];
  int64_t lo[TSR_MAX_NDIM], n[TSR_MAX_NDIM];
  if (k->n_accesses > TSR_NEST_STREAMS) return false;
  for (int a = 0; a < k->n_accesses; a++)
    base[a] = address_at(x->bind->base[a], first * x->bind->stride_bytes[a][step->axis]);
  bind.base = base;
  bind.lo[step->axis] += first;
  bind.n[step->axis] = count;
  for (int axis = 0; axis < k->ndim; axis++) {
    lo[axis] = bind.lo[axis];
    n[axis] = axis == step->axis ? ((count - 1) >> step->levels) + 1 : bind.n[axis];
  }
  fill_step(x, step);
  find_flat(x, lo, step);
  for (int i = 0; i < step->n; i++) {
    if (!hold(x, &step->taken[i], n, &to[i])) return false;
    step->values[i] = to[i].values;
    step->indices[i] = to[i].indices;
  }
  return tsr__cuda_step_make(k, &bind, step, &launch) &&
         x->reducer->launch(x->reducer->arg, k, &launch);
}

/* Computes leaves that do not rise, and hands them over. */
static bool leave_leaves(reducing *x, int axis, int64_t first, int64_t count)
{
  tsr_cuda_step step = {.axis = axis, .tuning = x->tuning};
  held to[TSR_CUDA_MOST_TAKEN];
  int64_t lo[TSR_MAX_NDIM], n[TSR_MAX_NDIM];
  if (!launch_leaves(x, &step, first, count, to)) return false;
  for (int k = 0; k < x->tree->ndim; k++) {
    lo[k] = x->bind->lo[k] + (k == axis ? first : 0);
    n[k] = k == axis ? count : x->bind->n[k];
  }
  for (int i = 0; i < step.n; i++) hand_over(x, i, 0, &to[i], lo, n, lo, n);
  return true;
}

/* Binds a kernel of nodes to dense nodes, of which it takes some along an axis. */
static void bind_nodes(const tsr_tree *tree, const int64_t *n, const held *from, size_t elem,
                       int axis, int64_t first, int64_t count, void **base,
                       int64_t (*stride)[TSR_MAX_NDIM], tsr_kernel_bind *bind)
{
  const int64_t bytes = (int64_t)elem;
  int64_t step[TSR_MAX_NDIM];
  tsr__dense_strides(tree->ndim, n, 1, step);
  *bind = (tsr_kernel_bind){.base = base, .stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])stride};
  memset(stride, 0, N_NODE_ACCESSES * sizeof *stride);
  for (int k = 0; k < tree->ndim; k++) {
    bind->n[k] = k == axis ? count : n[k];
    stride[NODE_FROM][k] = step[k] * bytes;
    stride[NODE_FROM_INDEX][k] = step[k] * (int64_t)sizeof(int64_t);
  }
  const int64_t offset = first * step[axis];
  base[NODE_TO] = base[NODE_TO_INDEX] = NULL;
  base[NODE_FROM] = address_at(from->values, offset * bytes);
  base[NODE_FROM_INDEX] = address_at(from->indices, offset * (int64_t)sizeof(int64_t));
}

/* The kernel of a reduction's nodes, bound to those that are held. */
static const tsr_kernel *held_nodes(const reducing *x, int reduction, int axis, int64_t first,
                                    int64_t count, void **base, int64_t (*stride)[TSR_MAX_NDIM],
                                    tsr_kernel_bind *bind)
{
  const tsr_dtype compute = (tsr_dtype)x->taken[reduction].compute;
  bind_nodes(x->tree, x->n_held, &x->held[reduction], tsr__dtype_size(compute), axis,
             first - x->lo[axis], count, base, stride, bind);
  return x->reducer->node_kernel(x->reducer->arg, x->tree->ndim, compute,
                                 tsr__cuda_has_index(&x->taken[reduction]));
}

static tsr_cuda_step node_step(const reducing *x, int reduction, int axis, int levels)
{
  tsr_cuda_step step = {.axis = axis, .levels = levels, .n = 1, .tuning = x->tuning};
  step.taken[0] = x->taken[reduction];
  step.taken[0].access = NODE_TO;
  if (tsr__cuda_has_index(&step.taken[0])) step.taken[0].index = NODE_TO_INDEX;
  return step;
}

/* The most levels that all reductions' nodes rise along an axis by one launch. */
static int node_levels(const reducing *x, int axis)
{
  void *base[N_NODE_ACCESSES];
  int64_t stride[N_NODE_ACCESSES][TSR_MAX_NDIM];
  tsr_kernel_bind bind;
  int most = 62;
  for (int i = 0; i < x->n; i++) {
    const tsr_kernel *k = held_nodes(x, i, axis, x->lo[axis], x->n_held[axis], base, stride, &bind);
    const tsr_cuda_step step = node_step(x, i, axis, 0);
    const int levels = tsr__cuda_step_levels(k, &bind, &step);
    if (levels < most) most = levels;
  }
  return most;
}

/* Lets the nodes that are held rise by a step, and hands over those that stay behind. */
static bool rise_nodes(reducing *x, const tsr_rise *rise)
{
  int64_t stride[N_NODE_ACCESSES][TSR_MAX_NDIM];
  for (int i = 0; i < x->n; i++) {
    for (int l = 0; l < rise->n_left; l++) {
      int64_t lo[TSR_MAX_NDIM], n[TSR_MAX_NDIM];
      memcpy(lo, x->lo, sizeof lo);
      memcpy(n, x->n_held, sizeof n);
      lo[rise->axis] = rise->left_first[l];
      n[rise->axis] = rise->left_n[l];
      hand_over(x, i, rise->level, &x->held[i], x->lo, x->n_held, lo, n);
    }
    if (rise->n == 0) continue;
    void *base[N_NODE_ACCESSES];
    tsr_kernel_bind bind;
    tsr_cuda_launch launch;
    held to;
    tsr_cuda_step step = node_step(x, i, rise->axis, rise->levels);
    const tsr_kernel *k = held_nodes(x, i, rise->axis, rise->first, rise->n, base, stride, &bind);
    if (!hold(x, &x->taken[i], x->at.n, &to)) return false;
    step.values[0] = to.values;
    step.indices[0] = to.indices;
    if (!tsr__cuda_step_make(k, &bind, &step, &launch) ||
        !x->reducer->launch(x->reducer->arg, k, &launch))
      return false;
    x->held[i] = to;
  }
  return true;
}

/* The first step: the kernel's own values. *ends: nothing is held afterwards. */
static bool rise_leaves(reducing *x, bool *ends, bool *broken)
{
  const tsr_kernel_bind *bind = x->bind;
  const int axis = tsr__rising_axis(&x->at);
  tsr_cuda_step step = {.axis = axis, .tuning = x->tuning};
  tsr_rise rise;
  *ends = true;
  fill_step(x, &step);
  if (axis < 0) return leave_leaves(x, 0, 0, bind->n[0]);
  const int most = tsr__cuda_step_levels(x->kernel, bind, &step);
  const int64_t lo = x->at.lo[axis];
  tsr__rise(&x->at, most, &rise);
  step.levels = rise.levels;
  if (rise.n > 0 && !launch_leaves(x, &step, rise.first - lo, rise.n, x->held)) return false;
  for (int l = 0; l < rise.n_left; l++)
    if (!leave_leaves(x, axis, rise.left_first[l] - lo, rise.left_n[l])) {
      *broken = rise.n > 0 || l > 0;
      return *broken;
    }
  *ends = rise.n == 0;
  return true;
}

/* Lets a box go up one tree. Returns as tsr__cuda_reduce does. */
static bool reduce_tree(reducing *x, bool *broken)
{
  tsr_box box = {.ndim = x->tree->ndim};
  bool ends;
  for (int k = 0; k < box.ndim; k++) {
    box.lo[k] = x->bind->lo[k];
    box.n[k] = x->bind->n[k];
    box.step[k] = 1;
  }
  tsr__rising_init(&x->at, x->tree, &box);
  if (!rise_leaves(x, &ends, broken)) return false;
  while (!ends && !*broken) {
    memcpy(x->n_held, x->at.n, sizeof x->n_held);
    const int axis = volume_of(x->tree, x->n_held) > x->few ? tsr__rising_axis(&x->at) : -1;
    memcpy(x->lo, x->at.lo, sizeof x->lo); /* axes of one node may have risen */
    if (axis < 0) break;
    tsr_rise rise;
    tsr__rise(&x->at, node_levels(x, axis), &rise);
    *broken = !rise_nodes(x, &rise);
    ends = rise.n == 0;
  }
  for (int i = 0; i < x->n && !ends && !*broken; i++)
    hand_over(x, i, x->at.level, &x->held[i], x->at.lo, x->at.n, x->at.lo, x->at.n);
  return true;
}

static bool same_tree(const tsr_tree *a, const tsr_tree *b)
{
  return a->axes_mask == b->axes_mask &&
         memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof a->shape[0]) == 0;
}

/* Sums over a box as the kernel's own launches leave its values: dense, in memory that they got. */
static bool reduce_stored(const tsr_cuda_reduction *what, const tsr_cuda_reducer *reducer, int i,
                          const held *stored, bool *broken)
{
  const tsr_tree *tree = what->trees[i];
  const tsr_dtype dtype = (tsr_dtype)what->kernel->accesses[what->taken[i].access].dtype;
  void *base[N_NODE_ACCESSES];
  int64_t stride[N_NODE_ACCESSES][TSR_MAX_NDIM];
  tsr_kernel_bind bind;
  bind_nodes(tree, what->bind->n, stored, tsr__dtype_size(dtype), 0, 0, what->bind->n[0], base,
             stride, &bind);
  memcpy(bind.lo, what->bind->lo, sizeof bind.lo);
  reducing x = {.kernel = reducer->node_kernel(reducer->arg, tree->ndim, dtype, false),
                .bind = &bind,
                .tree = tree,
                .n = 1,
                .taken = {what->taken[i]},
                .number = {i},
                .few = what->to_roots ? 0 : TSR_CUDA_FEW_NODES,
                .tuning = what->tuning,
                .reducer = reducer};
  x.taken[0].access = NODE_TO;
  return reduce_tree(&x, broken);
}

bool tsr__cuda_reduce(const tsr_cuda_reduction *what, const tsr_cuda_reducer *reducer, bool *broken)
{
  const tsr_kernel *k = what->kernel;
  tsr_kernel_bind bind = *what->bind;
  void *base[TSR_NEST_STREAMS];
  int64_t stride[TSR_NEST_STREAMS][TSR_MAX_NDIM], step[TSR_MAX_NDIM];
  held stored[TSR_CUDA_MOST_TAKEN] = {{.values = NULL}};
  reducing x = {.kernel = k,
                .bind = &bind,
                .tree = what->trees[0],
                .few = what->to_roots ? 0 : TSR_CUDA_FEW_NODES,
                .tuning = what->tuning,
                .reducer = reducer};
  *broken = false;
  if (k->ndim == 0 || k->n_accesses > TSR_NEST_STREAMS) return false;
  for (int axis = 0; axis < k->ndim; axis++)
    if (bind.n[axis] <= 0) return true;
  memcpy(base, bind.base, (size_t)k->n_accesses * sizeof *base);
  memcpy(stride, bind.stride_bytes, (size_t)k->n_accesses * sizeof *stride);
  bind.base = base;
  bind.stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])stride;
  tsr__dense_strides(x.tree->ndim, bind.n, 1, step);
  for (int i = 0; i < what->n; i++) {
    if (same_tree(what->trees[i], x.tree)) {
      x.number[x.n] = i;
      x.taken[x.n++] = what->taken[i];
      continue;
    }
    const int a = what->taken[i].access;
    const size_t elem = tsr__dtype_size((tsr_dtype)k->accesses[a].dtype);
    base[a] = stored[i].values =
        reducer->alloc(reducer->arg, (size_t)volume_of(x.tree, bind.n) * elem, false);
    if (base[a] == NULL) return false;
    for (int axis = 0; axis < k->ndim; axis++) stride[a][axis] = step[axis] * (int64_t)elem;
  }
  if (!reduce_tree(&x, broken)) return false;
  for (int i = 0; i < what->n && !*broken; i++)
    if (stored[i].values != NULL)
      *broken = !reduce_stored(what, reducer, i, &stored[i], broken) || *broken;
  return true;
}
