/* The axes of a run: makes them, chooses the inner one, and steps through the points. */
#include "kernel/cpu/axes.h"

#include "runtime/base/error.h"

int tsr__loop_axes_n_streams(const tsr_kernel *k)
{
  /* Without an instruction for it, counting bits is a call; most kernels have none to count. */
  return k->n_accesses + (k->iota_axes ? __builtin_popcount(k->iota_axes) : 0);
}

int tsr__loop_axes_iota_stream(const tsr_kernel *k, int axis)
{
  TSR_ASSERT(k->iota_axes >> axis & 1);
  return k->n_accesses + __builtin_popcount(k->iota_axes & ((1u << axis) - 1));
}

/* Returns whether every stream continues along these strides where it ends along the last axis. */
static bool can_merge(const tsr_loop_axes *x, const int64_t *stride)
{
  const int last = x->n_axes - 1;
  for (int s = 0; s < x->n_streams; s++)
    if (stride[s] != x->stride[last][s] * x->n[last]) return false;
  return true;
}

static void add_axis(tsr_loop_axes *x, const tsr_kernel *k, const tsr_kernel_bind *bind, int axis,
                     int64_t *strides)
{
  int64_t *stride = strides + (size_t)x->n_axes * (size_t)x->n_streams;
  for (int a = 0; a < k->n_accesses; a++) stride[a] = bind->stride_bytes[a][axis];
  int s = k->n_accesses;
  for (uint32_t iota = k->iota_axes; iota != 0; iota &= iota - 1)
    stride[s++] = __builtin_ctz(iota) == axis;
  TSR_ASSERT(s == x->n_streams);
  if (x->n_axes > 0 && can_merge(x, stride)) {
    x->n[x->n_axes - 1] *= bind->n[axis];
    return;
  }
  x->stride[x->n_axes] = stride;
  x->n[x->n_axes++] = bind->n[axis];
}

bool tsr__loop_axes_make(const tsr_kernel *k, const tsr_kernel_bind *bind, int64_t *strides,
                         tsr_loop_axes *axes, char **at)
{
  axes->n_streams = tsr__loop_axes_n_streams(k);
  axes->n_axes = 0;
  for (int axis = 0; axis < k->ndim; axis++)
    if (bind->n[axis] <= 0) return false;
  for (int a = 0; a < k->n_accesses; a++) at[a] = bind->base[a];
  int s = k->n_accesses;
  for (uint32_t iota = k->iota_axes; iota != 0; iota &= iota - 1)
    at[s++] = (char *)bind->lo[__builtin_ctz(iota)];
  for (int axis = k->ndim - 1; axis >= 0; axis--)
    if (bind->n[axis] > 1) add_axis(axes, k, bind, axis, strides);
  if (axes->n_axes > 0) return true;
  axes->n[axes->n_axes] = 1;
  axes->stride[axes->n_axes++] = strides;
  for (s = 0; s < axes->n_streams; s++) strides[s] = 0;
  return true;
}

static int64_t cost_of(const tsr_loop_axes *x, const tsr_kernel *k, const tsr_axis_costs *costs,
                       int axis)
{
  int64_t cost = 0;
  for (int a = 0; a < k->n_accesses; a++) {
    const int64_t stride = x->stride[axis][a];
    const bool is_near = stride > -64 && stride < 64;
    const bool is_cheap = stride == 0 || stride == (int64_t)tsr__dtype_size(k->accesses[a].dtype);
    const int64_t far = k->accesses[a].is_store ? costs->far_store : costs->far;
    cost += is_cheap ? 1 : is_near ? costs->strided : far;
  }
  if (x->n[axis] < costs->step) return INT64_MAX;
  const int64_t points = x->n[axis] < costs->most ? x->n[axis] : costs->most;
  return 16 * cost + 16 * costs->row / ((points - 1) / costs->step + 1);
}

int tsr__loop_axes_find_inner(const tsr_loop_axes *axes, const tsr_kernel *k,
                              const tsr_axis_costs *costs, int64_t *least)
{
  int best = 0;
  TSR_ASSERT(axes->n_axes > 0 && costs->step > 0 && costs->most > 0);
  *least = cost_of(axes, k, costs, 0);
  for (int axis = 1; axis < axes->n_axes; axis++) {
    const int64_t cost = cost_of(axes, k, costs, axis);
    if (cost < *least) *least = cost, best = axis;
  }
  return best;
}

void tsr__loop_axes_move_inside(tsr_loop_axes *axes, int axis)
{
  TSR_ASSERT(axis >= 0 && axis < axes->n_axes);
  const int64_t n = axes->n[axis];
  int64_t *stride = axes->stride[axis];
  for (; axis > 0; axis--) {
    axes->n[axis] = axes->n[axis - 1];
    axes->stride[axis] = axes->stride[axis - 1];
  }
  axes->n[0] = n;
  axes->stride[0] = stride;
}

bool tsr__loop_axes_next(const tsr_loop_axes *axes, int first, int64_t *index, char **at)
{
  for (int axis = first; axis < axes->n_axes; axis++) {
    const int64_t *stride = axes->stride[axis];
    const bool more = ++index[axis] < axes->n[axis];
    for (int s = 0; s < axes->n_streams; s++)
      at[s] += more ? stride[s] : -(axes->n[axis] - 1) * stride[s];
    if (more) return true;
    index[axis] = 0;
  }
  return false;
}
