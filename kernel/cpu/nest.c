/* Loop nests: the axes of a run, of which it chooses the inner one and steps through the points,
 * and the classes of the streams along them, for which the code of a run is compiled. */
#include "kernel/cpu/nest.h"

#include "runtime/base/error.h"

/* Estimated costs for the choice of the inner axis, in vectors streamed. */
enum { COST_STRIDED = 8, COST_FAR = 24, COST_FAR_STORE = 32, COST_ROW = 6, PANEL = 128 };
/* LONG_ROW: points of a row that needs no panel. MOST_GAPPED: the most points of a row of a load
 * that is made dense, of one without neighbours across the rows. */
enum { LONG_ROW = 64, MOST_GAPPED = 512 };
/* CACHED_BYTES: what the caches of a core keep for certain. MOST_AHEAD: the most streams that are
 * prefetched. */
enum { CACHED_BYTES = 1 << 19, MOST_AHEAD = 8 };

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

tsr_walk tsr__loop_axes_walk(const tsr_loop_axes *axes, int first)
{
  return tsr__walk_inner_first(first, axes->n_axes, axes->n);
}

bool tsr__loop_axes_next(const tsr_loop_axes *axes, tsr_walk *w, char **at)
{
  const int stepped = tsr__walk_next(w), end = stepped >= 0 ? stepped : axes->n_axes;
  for (int axis = w->fastest; axis < end; axis++)
    for (int s = 0; s < axes->n_streams; s++) at[s] -= (axes->n[axis] - 1) * axes->stride[axis][s];
  for (int s = 0; stepped >= 0 && s < axes->n_streams; s++) at[s] += axes->stride[stepped][s];
  return stepped >= 0;
}

bool tsr__nest_stores(const tsr_kernel *k, int access)
{
  for (int a = 0; a < k->n_accesses; a++)
    if (k->accesses[a].is_store && k->accesses[a].buffer == k->accesses[access].buffer) return true;
  return false;
}

/* Returns whether access a finds element x in the caches because access b brought it. b goes before
 * a over the same memory, with so few bytes between that the caches keep them. */
static bool is_behind(const tsr_kernel *k, const tsr_nest *nest, int a, int b)
{
  if (nest->base[b] < nest->base[a] || k->accesses[a].dtype != k->accesses[b].dtype) return false;
  if (nest->base[b] == nest->base[a])
    return k->accesses[b].is_store == k->accesses[a].is_store ? b < a : k->accesses[b].is_store;
  const int64_t apart = nest->base[b] - nest->base[a];
  int64_t between = apart, below = (int64_t)tsr__dtype_size(k->accesses[a].dtype);
  for (int axis = 0; axis < nest->axes.n_axes; below *= nest->axes.n[axis++]) {
    const int64_t stride = nest->axes.stride[axis][a];
    if (stride != nest->axes.stride[axis][b] || stride < 0) return false;
    if (stride > 0 && 2 * apart > stride) between = (apart + stride / 2) / stride * below;
  }
  return between <= CACHED_BYTES;
}

/* Chooses the contiguous accesses that are prefetched: all that come from memory, but of one array
 * only the access that goes before the others. */
static void ask_ahead(const tsr_kernel *k, tsr_nest *nest)
{
  int n = 0;
  bool is_first[TSR_NEST_STREAMS];
  for (int a = 0; a < k->n_accesses; a++) {
    is_first[a] = nest->classes[a] == TSR_CLASS_UNIT;
    for (int b = 0; b < k->n_accesses && is_first[a]; b++)
      is_first[a] = b == a || nest->classes[b] != TSR_CLASS_UNIT || !is_behind(k, nest, a, b);
    n += is_first[a];
  }
  for (int a = 0; a < k->n_accesses && n <= MOST_AHEAD; a++)
    if (is_first[a]) nest->classes[a] = TSR_CLASS_AHEAD;
}

/* Does stream s have its elements side by side across the rows? */
static bool lies_across(const tsr_kernel *k, const tsr_nest *nest, int s)
{
  return nest->axes.n_axes > 1 &&
         nest->axes.stride[1][s] == (int64_t)tsr__dtype_size(k->accesses[s].dtype);
}

/* Notes a load that is to be made dense first, if there is space for one more. */
static bool note_gapped(const tsr_kernel *k, int lanes, int s, tsr_nest *nest)
{
  tsr_gapped *gapped = &nest->gapped;
  if (gapped->n == sizeof gapped->stream || tsr__nest_stores(k, s)) return false;
  const int32_t size = (int32_t)tsr__dtype_size(k->accesses[s].dtype);
  const int32_t piece = lies_across(k, nest, s) ? PANEL : MOST_GAPPED;
  if (gapped->n == 0 || piece < gapped->piece) gapped->piece = piece;
  gapped->size[gapped->n] = (uint8_t)size;
  gapped->stream[gapped->n++] = (uint8_t)s;
  gapped->rows = INT32_MAX;
  for (int32_t i = 0; i < gapped->n; i++) {
    const int32_t rows = TSR_GAPPED_BYTES / ((gapped->piece + lanes) * gapped->size[i]);
    if (nest->axes.n_axes > 1 && nest->axes.stride[1][gapped->stream[i]] == 0) continue;
    if (rows < gapped->rows) gapped->rows = rows;
  }
  TSR_ASSERT(gapped->rows > 0);
  return true;
}

bool tsr__nest_is_copy(const tsr_kernel *k)
{
  return k->n_accesses == 2 && k->n_instrs == 2 && k->instrs[0].kind == TSR_I_LOAD &&
         k->instrs[1].kind == TSR_I_STORE && !k->accesses[0].is_store &&
         k->accesses[0].buffer != k->accesses[1].buffer;
}

static void classify(const tsr_kernel *k, const tsr_kernel_bind *bind, int lanes, tsr_nest *nest)
{
  const uint64_t stream_store_mask = bind->stream_store_mask;
  bool any_strided = false;
  /* Streaming stores divide a row into parts, which an update in place does not allow. */
  bool may_stream_store = stream_store_mask && nest->axes.n[0] >= 8 * lanes;
  for (int a = 0; a < k->n_accesses && may_stream_store; a++)
    may_stream_store = k->accesses[a].is_store || !tsr__nest_stores(k, a);
  for (int s = 0; s < nest->axes.n_streams; s++) {
    const int64_t stride = nest->axes.stride[0][s];
    if (s >= k->n_accesses) {
      nest->classes[s] = stride ? TSR_CLASS_UNIT : TSR_CLASS_ZERO;
      continue;
    }
    const tsr_kernel_access *a = &k->accesses[s];
    if (stride == (int64_t)tsr__dtype_size(a->dtype))
      nest->classes[s] = may_stream_store && a->is_store && s < 64 && (stream_store_mask >> s & 1)
                             ? TSR_CLASS_STREAM_STORE
                             : TSR_CLASS_UNIT;
    else if (stride == 0 && !tsr__nest_stores(k, s))
      nest->classes[s] = TSR_CLASS_ZERO;
    else {
      nest->classes[s] = TSR_CLASS_ANY;
      if (!tsr__nest_is_copy(k) && note_gapped(k, lanes, s, nest)) continue;
      any_strided = any_strided || !tsr__nest_is_copy(k) || lies_across(k, nest, s);
    }
  }
  if (bind->from_memory) ask_ahead(k, nest);
  tsr__nest_find_beside(k, lanes, nest);
  /* Strided accesses use the rest of a cache line while it is in the cache. */
  nest->strip = any_strided && nest->axes.n_axes > 1 ? PANEL : 0;
  if (!any_strided && nest->gapped.n == 0 && !bind->from_memory) tsr__nest_find_strip(k, nest);
  for (int32_t i = 0; i < nest->gapped.n; i++)
    nest->classes[nest->gapped.stream[i]] = TSR_CLASS_UNIT;
  nest->is_copy = tsr__nest_is_copy(k) && nest->classes[1] == TSR_CLASS_UNIT &&
                  (nest->classes[0] == TSR_CLASS_UNIT || nest->classes[0] == TSR_CLASS_ANY);
}

bool tsr__nest_make(const tsr_kernel *k, const tsr_kernel_bind *bind, int lanes, tsr_nest *nest)
{
  TSR_ASSERT(lanes > 0);
  if (tsr__loop_axes_n_streams(k) > TSR_NEST_STREAMS) return false;
  if (!tsr__loop_axes_make(k, bind, nest->strides, &nest->axes, nest->base)) return false;
  nest->n_panel_axes = 0;
  nest->gapped.n = 0;
  if (nest->axes.n_axes > 1 || nest->axes.n[0] < lanes) {
    const tsr_axis_costs costs = {.strided = COST_STRIDED,
                                  .far = COST_FAR,
                                  .far_store = COST_FAR_STORE,
                                  .row = COST_ROW,
                                  .step = lanes,
                                  .most = INT64_MAX};
    int64_t cost;
    const int inner = tsr__loop_axes_find_inner(&nest->axes, k, &costs, &cost);
    if (nest->axes.n[0] < LONG_ROW && tsr__panel_make(k, lanes, cost, nest)) return true;
    tsr__loop_axes_move_inside(&nest->axes, inner);
  }
  classify(k, bind, lanes, nest);
  return nest->axes.n[0] >= lanes;
}
