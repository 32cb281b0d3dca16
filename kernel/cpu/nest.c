/* The loop nest of a run of compiled code. The same choices as the interpreter's (interp.c), but
 * IOTA is a stream like any other: a number that moves by 1 along its axis, so that merging and
 * reordering axes need no care for it. */
#include "kernel/cpu/nest.h"

#include <string.h>

/* Estimated costs for the choice of the inner axis, in vectors streamed. */
enum { COST_STRIDED = 8, COST_FAR = 24, COST_ROW = 6, PANEL = 128 };
/* What the caches of a core keep for sure; streams that the processor has room to wait for. */
enum { KEPT_BYTES = 1 << 19, MOST_AHEAD = 8 };

static bool can_merge(const tsr_nest *nest, const int64_t *stride)
{
  const int inner = nest->n_axes - 1;
  for (int s = 0; s < nest->n_streams; s++)
    if (stride[s] != nest->stride[inner][s] * nest->n[inner]) return false;
  return true;
}

static void add_axes(const tsr_kernel *k, const tsr_kernel_bind *bind, tsr_nest *nest)
{
  for (int axis = k->ndim - 1; axis >= 0; axis--) {
    if (bind->n[axis] == 1) continue;
    int64_t *stride = nest->stride[nest->n_axes];
    for (int a = 0; a < k->n_accesses; a++) stride[a] = bind->stride_bytes[a][axis];
    int s = k->n_accesses;
    for (int other = 0; other < k->ndim; other++)
      if (k->iota_axes >> other & 1) stride[s++] = other == axis;
    if (nest->n_axes > 0 && can_merge(nest, stride))
      nest->n[nest->n_axes - 1] *= bind->n[axis];
    else
      nest->n[nest->n_axes++] = bind->n[axis];
  }
  if (nest->n_axes > 0) return;
  nest->n[nest->n_axes++] = 1;
  for (int s = 0; s < nest->n_streams; s++) nest->stride[0][s] = 0;
}

static int64_t axis_cost(const tsr_kernel *k, const tsr_nest *nest, int axis, int lanes)
{
  int64_t cost = 0;
  for (int a = 0; a < k->n_accesses; a++) {
    const int64_t stride = nest->stride[axis][a];
    const bool is_near = stride > -64 && stride < 64;
    const bool is_cheap = stride == 0 || stride == (int64_t)tsr__dtype_size(k->accesses[a].dtype);
    cost += is_cheap ? 1 : is_near ? COST_STRIDED : COST_FAR;
  }
  if (nest->n[axis] < lanes) return INT64_MAX;
  const int64_t vectors = (nest->n[axis] + lanes - 1) / lanes;
  return 16 * cost + 16 * COST_ROW / vectors;
}

/* The cheapest axis; the last one wins ties. */
static int find_inner(const tsr_kernel *k, const tsr_nest *nest, int lanes, int64_t *least)
{
  int best = 0;
  *least = axis_cost(k, nest, 0, lanes);
  for (int axis = 1; axis < nest->n_axes; axis++) {
    const int64_t cost = axis_cost(k, nest, axis, lanes);
    if (cost < *least) *least = cost, best = axis;
  }
  return best;
}

static void move_inside(tsr_nest *nest, int best)
{
  for (; best > 0; best--) {
    const int64_t n = nest->n[best];
    nest->n[best] = nest->n[best - 1];
    nest->n[best - 1] = n;
    for (int s = 0; s < nest->n_streams; s++) {
      const int64_t stride = nest->stride[best][s];
      nest->stride[best][s] = nest->stride[best - 1][s];
      nest->stride[best - 1][s] = stride;
    }
  }
}

bool tsr__nest_stores(const tsr_kernel *k, int access)
{
  for (int a = 0; a < k->n_accesses; a++)
    if (k->accesses[a].is_store && k->accesses[a].buffer == k->accesses[access].buffer) return true;
  return false;
}

/* Does the loop, where it reaches element x of access a, find there what access b brought? b goes
 * before it over the same memory, by so little that the caches keep what lies between. */
static bool is_behind(const tsr_kernel *k, const tsr_nest *nest, int a, int b)
{
  if (nest->base[b] < nest->base[a] || k->accesses[a].dtype != k->accesses[b].dtype) return false;
  if (nest->base[b] == nest->base[a])
    return k->accesses[b].is_store == k->accesses[a].is_store ? b < a : k->accesses[b].is_store;
  const int64_t apart = nest->base[b] - nest->base[a];
  int64_t between = apart, below = (int64_t)tsr__dtype_size(k->accesses[a].dtype);
  for (int axis = 0; axis < nest->n_axes; below *= nest->n[axis++]) {
    const int64_t stride = nest->stride[axis][a];
    if (stride != nest->stride[axis][b] || stride < 0) return false;
    if (stride > 0 && 2 * apart > stride) between = (apart + stride / 2) / stride * below;
  }
  return between <= KEPT_BYTES;
}

/* Classes of the contiguous accesses that are asked for ahead: all that come from memory, of one
 * array the access that goes before the others. */
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

static void classify(const tsr_kernel *k, const tsr_kernel_bind *bind, int lanes, tsr_nest *nest)
{
  const uint64_t stream_store_mask = bind->stream_store_mask;
  nest->any_strided = false;
  /* An update in place is not taken in the parts that such stores need. */
  bool may_stream_store = stream_store_mask && nest->n[0] >= 8 * lanes;
  for (int a = 0; a < k->n_accesses && may_stream_store; a++)
    may_stream_store = k->accesses[a].is_store || !tsr__nest_stores(k, a);
  for (int s = 0; s < nest->n_streams; s++) {
    const int64_t stride = nest->stride[0][s];
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
      nest->any_strided = true;
    }
  }
  if (bind->from_memory) ask_ahead(k, nest);
}

bool tsr__nest_make(const tsr_kernel *k, const tsr_kernel_bind *bind, int lanes, tsr_nest *nest)
{
  nest->n_streams = k->n_accesses;
  for (uint32_t axes = k->iota_axes; axes != 0; axes &= axes - 1) nest->n_streams++;
  if (nest->n_streams > TSR_NEST_STREAMS) return false;
  nest->n_axes = 0;
  int s = k->n_accesses;
  for (int axis = 0; axis < k->ndim; axis++) {
    if (bind->n[axis] <= 0) return false;
    if (k->iota_axes >> axis & 1) nest->base[s++] = (char *)bind->lo[axis];
  }
  for (int a = 0; a < k->n_accesses; a++) nest->base[a] = bind->base[a];
  add_axes(k, bind, nest);
  nest->n_panel_axes = 0;
  if (nest->n_axes > 1 || nest->n[0] < lanes) {
    int64_t cost;
    const int inner = find_inner(k, nest, lanes, &cost);
    if (tsr__panel_make(k, lanes, cost, nest)) return true;
    move_inside(nest, inner);
  }
  classify(k, bind, lanes, nest);
  return nest->n[0] >= lanes;
}

/* All rows of n inner points, from the current bases. */
static void run_rows(const tsr_nest *nest, char **base, int64_t n, tsr_row_code code,
                     const tsr_scalar *scalars, const tsr_loop *call)
{
  static const int64_t no_stride[TSR_NEST_STREAMS];
  const bool one_row = nest->n_axes == 1;
  int64_t index[TSR_MAX_NDIM] = {0};
  for (;;) {
    code(one_row ? 1 : nest->n[1], n, base, one_row ? no_stride : nest->stride[1], nest->stride[0],
         scalars, call);
    int axis = 2;
    for (; axis < nest->n_axes; axis++) {
      const int64_t *stride = nest->stride[axis];
      const bool more = ++index[axis] < nest->n[axis];
      for (int s = 0; s < nest->n_streams; s++)
        base[s] += more ? stride[s] : -(nest->n[axis] - 1) * stride[s];
      if (more) break;
      index[axis] = 0;
    }
    if (axis >= nest->n_axes) return;
  }
}

void tsr__nest_run(const tsr_nest *nest, const tsr_kernel *k, tsr_row_code code, int lanes,
                   const tsr_scalar *scalars, const tsr_loop *call, void *scratch)
{
  if (nest->n_panel_axes > 0) {
    tsr__panel_run(nest, k, code, lanes, scalars, call, scratch);
    return;
  }
  char *base[TSR_NEST_STREAMS];
  memcpy(base, nest->base, (size_t)nest->n_streams * sizeof *base);
  if (!nest->any_strided || nest->n_axes == 1) {
    run_rows(nest, base, nest->n[0], code, scalars, call);
    return;
  }
  /* Panels of rows: strided accesses then use the rest of a cache line while it is there. */
  for (int64_t at = 0; at < nest->n[0];) {
    const int64_t left = nest->n[0] - at, n = left < PANEL + lanes ? left : PANEL;
    for (int s = 0; s < nest->n_streams; s++) base[s] = nest->base[s] + at * nest->stride[0][s];
    run_rows(nest, base, n, code, scalars, call);
    at += n;
  }
}
