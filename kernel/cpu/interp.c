/* The interpreter: runs a prepared kernel over a box, block by block. A run first makes its loop
 * nest (axes of length 1 dropped, adjacent ones merged where all accesses are contiguous, the inner
 * axis chosen), then steps through rows and blocks with one pointer per access. Any order of points
 * is right, because no point of a kernel sees another's store. Scratch memory: entries, strides,
 * unit flags, then the slots (interp_int.h). */
#include <string.h>

#include "kernel/cpu/interp_int.h"
#include "runtime/base/error.h"

/* Estimated costs for the choice of the inner axis, in elements streamed. */
enum { COST_STRIDED = 4, COST_FAR = 12, COST_ROW = 60, COST_STEP = 20 };
enum { LINE_BYTES = 64 };

typedef struct run {
  const tsr_loops *loops;
  const tsr_code *code;
  char **entry;
  int32_t n_accesses, n_axes;
  int64_t n[TSR_MAX_NDIM];       /* points, inner axis first */
  int32_t axis[TSR_MAX_NDIM];    /* the kernel's axis, for IOTA; TSR_MAX_NDIM: none */
  int64_t *stride[TSR_MAX_NDIM]; /* [n_accesses] bytes */
  uint8_t *unit;                 /* [n_accesses] unit stride along the inner axis */
  int64_t pos[TSR_MAX_NDIM + 1]; /* global index of the block's first point, by the kernel's axis */
  int64_t block;
  int32_t n_stream_stores; /* stores that are gathered in L1 and streamed block by block */
  struct {
    int32_t access, log2_size;
    char *block;
  } stream_store[TSR_STREAM_STORE_MAX];
} run;

static void step_load(const run *r, const tsr_step *s, int64_t n)
{
  char *from = r->entry[s->access];
  if (r->unit[s->access] && s->kind == TSR_STEP_LOAD) {
    r->entry[s->dst] = from;
    return;
  }
  if (s->direct != TSR_NO_ACCESS && r->unit[s->direct]) r->entry[s->dst] = r->entry[s->direct];
  const tsr_loops_move *move = &r->loops->move[s->log2_size];
  const int64_t stride = r->stride[0][s->access];
  if (r->unit[s->access]) {
    memcpy(r->entry[s->dst], from, (size_t)n << s->log2_size);
  } else if (stride == 0) {
    move->fill(n, r->entry[s->dst], from);
  } else {
    move->gather(n, r->entry[s->dst], from, stride);
  }
}

static void step_store(const run *r, const tsr_step *s, int64_t n)
{
  char *to = r->entry[s->access];
  const char *from = r->entry[s->dst];
  if (!r->unit[s->access]) {
    r->loops->move[s->log2_size].scatter(n, to, r->stride[0][s->access], from);
  } else if (to != from) {
    memcpy(to, from, (size_t)n << s->log2_size);
  }
}

static void step_iota(const run *r, const tsr_step *s, int64_t n)
{
  if (s->direct != TSR_NO_ACCESS && r->unit[s->direct]) r->entry[s->dst] = r->entry[s->direct];
  if (s->axis == r->axis[0]) {
    r->loops->iota(n, (int64_t *)r->entry[s->dst], r->pos[s->axis]);
  } else {
    r->loops->move[3].fill(n, r->entry[s->dst], &r->pos[s->axis]);
  }
}

static void run_steps(const run *r, const tsr_step *s, const tsr_step *end, int64_t n)
{
  for (; s < end; s++) {
    switch (s->kind) {
    case TSR_STEP_COMPUTE: {
      if (s->direct != TSR_NO_ACCESS && r->unit[s->direct]) r->entry[s->dst] = r->entry[s->direct];
      const uint16_t *srcs = r->code->srcs + s->first_src;
      const void *src[TSR_LOOP_MAX_ARGS];
      for (int i = 0; i < s->n_src; i++) src[i] = r->entry[srcs[i]];
      s->loop(n, r->entry[s->dst], src);
      break;
    }
    case TSR_STEP_LOAD:
    case TSR_STEP_LOAD_COPY:
      step_load(r, s, n);
      break;
    case TSR_STEP_IOTA:
      step_iota(r, s, n);
      break;
    default:
      step_store(r, s, n);
    }
  }
}

static void advance(run *r, int axis, int64_t n)
{
  const int64_t *stride = r->stride[axis];
  for (int a = 0; a < r->n_accesses; a++) r->entry[a] += n * stride[a];
  r->pos[r->axis[axis]] += n;
}

/* One block whose flowing stores are computed in L1 and then streamed. */
static void run_stream_store_block(run *r, const tsr_step *first, const tsr_step *end, int64_t n)
{
  char *to[TSR_STREAM_STORE_MAX];
  for (int f = 0; f < r->n_stream_stores; f++) {
    to[f] = r->entry[r->stream_store[f].access];
    r->entry[r->stream_store[f].access] = r->stream_store[f].block;
  }
  run_steps(r, first, end, n);
  for (int f = 0; f < r->n_stream_stores; f++) {
    r->entry[r->stream_store[f].access] = to[f];
    r->loops->stream((size_t)n << r->stream_store[f].log2_size, to[f], r->stream_store[f].block);
  }
}

/* As run_row, with flowing stores: the first block is cut so that the next ones begin at a cache
 * line. */
static void run_stream_store_row(run *r, int64_t n)
{
  const tsr_step *first = r->code->steps + r->code->n_uniform;
  const tsr_step *end = r->code->steps + r->code->n_steps;
  const int64_t skew = (int64_t)((uintptr_t)r->entry[r->stream_store[0].access] % 64) >>
                       r->stream_store[0].log2_size;
  int64_t at = 0;
  for (int64_t m = r->block - skew; at < n; m = r->block) {
    if (m > n - at) m = n - at;
    run_stream_store_block(r, first, end, m);
    advance(r, 0, m);
    at += m;
  }
  advance(r, 0, -n);
}

/* n points of the inner axis, in blocks; leaves the entries as they were. */
static void run_row(run *r, int64_t n)
{
  if (r->n_stream_stores > 0) {
    run_stream_store_row(r, n);
    return;
  }
  const tsr_step *first = r->code->steps + r->code->n_uniform;
  const tsr_step *end = r->code->steps + r->code->n_steps;
  if (n <= r->block) {
    run_steps(r, first, end, n);
    return;
  }
  for (int64_t at = 0; at < n; at += r->block) {
    run_steps(r, first, end, n - at < r->block ? n - at : r->block);
    advance(r, 0, r->block);
  }
  advance(r, 0, -((n + r->block - 1) / r->block * r->block));
}

/* All rows of n inner points each, the first outer axis fastest. */
static void run_rows(run *r, int64_t n)
{
  int64_t index[TSR_MAX_NDIM] = {0};
  for (;;) {
    run_row(r, n);
    int axis = 1;
    for (; axis < r->n_axes; axis++) {
      if (++index[axis] < r->n[axis]) break;
      index[axis] = 0;
      advance(r, axis, -(r->n[axis] - 1));
    }
    if (axis >= r->n_axes) return;
    advance(r, axis, 1);
  }
}

/* Blocks outside, rows inside: strided accesses then use the rest of a cache line while it is
 * there. */
static void run_panels(run *r)
{
  for (int64_t at = 0; at < r->n[0]; at += r->block) {
    run_rows(r, r->n[0] - at < r->block ? r->n[0] - at : r->block);
    advance(r, 0, r->block);
  }
}

static bool can_merge(const run *r, const tsr_kernel *k, const tsr_kernel_bind *bind, int axis)
{
  const int inner = r->n_axes - 1;
  if (tsr__interp_of(k)->iota_mask & (1u << axis | 1u << r->axis[inner])) return false;
  for (int a = 0; a < k->n_accesses; a++) {
    if (bind->stride_bytes[a][axis] != r->stride[inner][a] * r->n[inner]) return false;
  }
  return true;
}

static void add_axis(run *r, int64_t n, int axis)
{
  r->stride[r->n_axes] = r->stride[0] + (size_t)r->n_axes * r->n_accesses;
  r->n[r->n_axes] = n;
  r->axis[r->n_axes++] = axis;
}

static void make_nest(run *r, const tsr_kernel *k, const tsr_kernel_bind *bind)
{
  for (int axis = k->ndim - 1; axis >= 0; axis--) {
    if (bind->n[axis] == 1) continue;
    if (r->n_axes > 0 && can_merge(r, k, bind, axis)) {
      r->n[r->n_axes - 1] *= bind->n[axis];
      continue;
    }
    add_axis(r, bind->n[axis], axis);
    for (int a = 0; a < k->n_accesses; a++) {
      r->stride[r->n_axes - 1][a] = bind->stride_bytes[a][axis];
    }
  }
  if (r->n_axes > 0) return;
  add_axis(r, 1, TSR_MAX_NDIM);
  for (int a = 0; a < k->n_accesses; a++) r->stride[0][a] = 0;
}

static int64_t axis_cost(const run *r, const tsr_kernel *k, int axis)
{
  int64_t cost = 0;
  for (int a = 0; a < r->n_accesses; a++) {
    const int64_t stride = r->stride[axis][a];
    const bool is_near = stride > -64 && stride < 64;
    const bool is_cheap = stride == 0 || stride == (int64_t)tsr__dtype_size(k->accesses[a].dtype);
    cost += is_cheap ? 1 : is_near ? COST_STRIDED : COST_FAR;
  }
  const int64_t points = r->n[axis] < r->block ? r->n[axis] : r->block;
  return 16 * cost + 16 * (COST_ROW + COST_STEP * r->code->n_steps) / points;
}

/* Moves the cheapest axis inside; the last one wins ties. */
static void choose_inner(run *r, const tsr_kernel *k)
{
  int best = 0;
  int64_t least = axis_cost(r, k, 0);
  for (int axis = 1; axis < r->n_axes; axis++) {
    const int64_t cost = axis_cost(r, k, axis);
    if (cost < least) {
      least = cost;
      best = axis;
    }
  }
  for (; best > 0; best--) {
    const int64_t n = r->n[best];
    const int32_t axis = r->axis[best];
    int64_t *stride = r->stride[best];
    r->n[best] = r->n[best - 1];
    r->axis[best] = r->axis[best - 1];
    r->stride[best] = r->stride[best - 1];
    r->n[best - 1] = n;
    r->axis[best - 1] = axis;
    r->stride[best - 1] = stride;
  }
}

/* Chooses the form of the code by the strides along the inner axis. Returns whether a stride is
 * neither unit nor 0. */
static bool choose_code(run *r, const tsr_kernel *k)
{
  bool all_unit = true, any_strided = false;
  for (int a = 0; a < r->n_accesses; a++) {
    const int64_t stride = r->stride[0][a];
    r->unit[a] = r->n[0] == 1 || stride == (int64_t)tsr__dtype_size(k->accesses[a].dtype);
    all_unit = all_unit && r->unit[a];
    any_strided = any_strided || (!r->unit[a] && stride != 0);
  }
  r->code = all_unit ? &tsr__interp_of(k)->direct : &tsr__interp_of(k)->general;
  r->block = r->code->block;
  return any_strided;
}

/* Does another access see what this one stores? */
static bool is_shared(const tsr_kernel *k, int store)
{
  for (int a = 0; a < k->n_accesses; a++)
    if (a != store && k->accesses[a].buffer == k->accesses[store].buffer) return true;
  return false;
}

/* Chooses the stores that go around the caches: of unit stride in long rows, where nobody else sees
 * what waits in L1. */
static void choose_stream_stores(run *r, const tsr_kernel *k, const tsr_kernel_bind *bind,
                                 char *blocks)
{
  if (!bind->stream_store_mask || !r->loops->stream || r->n[0] < 2 * LINE_BYTES) return;
  for (int a = 0; a < k->n_accesses && a < 64 && r->n_stream_stores < TSR_STREAM_STORE_MAX; a++) {
    if (!(bind->stream_store_mask >> a & 1) || !k->accesses[a].is_store || !r->unit[a] ||
        is_shared(k, a))
      continue;
    const int log2_size = __builtin_ctz(tsr__dtype_size(k->accesses[a].dtype));
    r->stream_store[r->n_stream_stores].access = a;
    r->stream_store[r->n_stream_stores].log2_size = log2_size;
    r->stream_store[r->n_stream_stores].block =
        blocks + (size_t)r->n_stream_stores * TSR_STREAM_STORE_BYTES;
    r->n_stream_stores++;
    if (r->block > TSR_STREAM_STORE_BYTES >> log2_size)
      r->block = TSR_STREAM_STORE_BYTES >> log2_size;
  }
}

/* Points the values at their slots and computes what depends on scalars only, for one block's
 * length. */
static void start(run *r, const tsr_kernel *k, const tsr_kernel_bind *bind, char *slots)
{
  memcpy(r->entry, bind->base, (size_t)k->n_accesses * sizeof *r->entry);
  const int64_t n = r->n[0] < r->block ? r->n[0] : r->block;
  for (int i = 0; i < k->n_instrs; i++) {
    if (r->code->slot_offset[i] < 0) continue;
    char *slot = slots + r->code->slot_offset[i];
    r->entry[k->n_accesses + i] = slot;
    if (k->instrs[i].kind != TSR_I_SCALAR) continue;
    const tsr_scalar *x = &bind->scalars[k->instrs[i].index];
    TSR_ASSERT(x->dtype == k->instrs[i].dtype);
    const size_t size = tsr__dtype_size(x->dtype);
    uint64_t value[2];
    tsr__scalar_store(*x, value);
    r->loops->move[__builtin_ctz(size)].fill(n, slot, value);
  }
  if (r->code->n_uniform) run_steps(r, r->code->steps, r->code->steps + r->code->n_uniform, n);
}

void tsr__kernel_run(const tsr_kernel *k, const tsr_kernel_bind *bind, void *scratch)
{
  const tsr_interp *p = tsr__interp_of(k);
  run r;
  r.loops = p->loops;
  r.n_accesses = k->n_accesses;
  r.n_axes = 0;
  r.n_stream_stores = 0;
  r.pos[TSR_MAX_NDIM] = 0;
  for (int axis = 0; axis < k->ndim; axis++) {
    if (bind->n[axis] <= 0) return;
    r.pos[axis] = bind->lo[axis];
  }
  r.entry = scratch;
  r.stride[0] = (int64_t *)(r.entry + k->n_accesses + k->n_instrs);
  r.unit = (uint8_t *)(r.stride[0] + (size_t)(k->ndim ? k->ndim : 1) * k->n_accesses);
  make_nest(&r, k, bind);
  r.code = &p->direct;
  r.block = r.code->block;
  if (r.n_axes > 1) choose_inner(&r, k);
  const bool any_strided = choose_code(&r, k);
  choose_stream_stores(&r, k, bind, (char *)scratch + p->stream_stores_at);
  start(&r, k, bind, (char *)scratch + p->slots_at);
  if (any_strided && r.n_axes > 1) {
    run_panels(&r);
  } else {
    run_rows(&r, r.n[0]);
  }
#if defined(__x86_64__)
  if (r.n_stream_stores > 0) __builtin_ia32_sfence();
#endif
}
