/* The interpreter: runs a prepared kernel over a box, block by block. A run makes its axes
 * (nest.h), chooses the inner one, and steps through rows and blocks with one pointer per stream.
 * The scratch memory holds entries, strides, unit flags, and the temps (interp_int.h). */
#include <string.h>

#include "kernel/cpu/interp_int.h"
#include "runtime/base/error.h"

/* Estimated costs for the choice of the inner axis, in elements streamed. */
enum { COST_STRIDED = 4, COST_FAR = 12, COST_FAR_STORE = 16, COST_ROW = 60, COST_STEP = 20 };
enum { LINE_BYTES = 64 };

typedef struct run {
  const tsr_loops *loops;
  const tsr_code *code;
  tsr_loop_axes axes;
  char **entry;
  uint8_t *unit; /* [n_accesses] unit stride along the inner axis */
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
  const int64_t stride = r->axes.stride[0][s->access];
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
    r->loops->move[s->log2_size].scatter(n, to, r->axes.stride[0][s->access], from);
  } else if (to != from) {
    memcpy(to, from, (size_t)n << s->log2_size);
  }
}

static void step_iota(const run *r, const tsr_step *s, int64_t n)
{
  if (s->direct != TSR_NO_ACCESS && r->unit[s->direct]) r->entry[s->dst] = r->entry[s->direct];
  const int64_t first = (int64_t)r->entry[s->access]; /* the pointer is the number */
  if (r->axes.stride[0][s->access] != 0) {
    r->loops->iota(n, (int64_t *)r->entry[s->dst], first);
  } else {
    r->loops->move[3].fill(n, r->entry[s->dst], &first);
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

/* Moves all streams by n points of the inner axis. */
static void advance(run *r, int64_t n)
{
  const int64_t *stride = r->axes.stride[0];
  for (int s = 0; s < r->axes.n_streams; s++) r->entry[s] += n * stride[s];
}

/* Runs one block. The values of streaming stores, which bypass the caches, are computed into L1 and
 * streamed from there. */
static void run_stream_store_block(run *r, const tsr_step *first, const tsr_step *end, int64_t n)
{
  char *to[TSR_STREAM_STORE_MAX];
  TSR_ASSERT(r->n_stream_stores <= TSR_STREAM_STORE_MAX && n <= r->block);
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

/* Runs a row as run_row does, with streaming stores. The first block is shortened so that the next
 * ones begin at a cache line. */
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
    advance(r, m);
    at += m;
  }
  advance(r, -n);
}

/* Runs n points of the inner axis in blocks, and restores the entries. */
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
    advance(r, r->block);
  }
  advance(r, -((n + r->block - 1) / r->block * r->block));
}

/* Runs all rows of n inner points each. The first outer axis is the fastest. */
static void run_rows(run *r, int64_t n)
{
  tsr_walk w = tsr__loop_axes_walk(&r->axes, 1);
  do {
    run_row(r, n);
  } while (tsr__loop_axes_next(&r->axes, &w, r->entry));
}

/* Runs a block of every row before the next block, so that strided accesses use the rest of a cache
 * line while it is in the cache. */
static void run_panels(run *r)
{
  for (int64_t at = 0; at < r->axes.n[0]; at += r->block) {
    run_rows(r, r->axes.n[0] - at < r->block ? r->axes.n[0] - at : r->block);
    advance(r, r->block);
  }
}

/* Chooses the form of the code by the strides along the inner axis. Returns whether a stride is
 * neither unit nor 0. */
static bool choose_code(run *r, const tsr_kernel *k)
{
  bool all_unit = true, any_strided = false;
  for (int a = 0; a < k->n_accesses; a++) {
    const int64_t stride = r->axes.stride[0][a];
    r->unit[a] = r->axes.n[0] == 1 || stride == (int64_t)tsr__dtype_size(k->accesses[a].dtype);
    all_unit = all_unit && r->unit[a];
    any_strided = any_strided || (!r->unit[a] && stride != 0);
  }
  r->code = all_unit ? &tsr__interp_of(k)->direct : &tsr__interp_of(k)->general;
  r->block = r->code->block;
  TSR_ASSERT(r->block > 0);
  return any_strided;
}

/* Returns whether another access reads or writes the buffer that this one stores. */
static bool is_shared(const tsr_kernel *k, int store)
{
  for (int a = 0; a < k->n_accesses; a++)
    if (a != store && k->accesses[a].buffer == k->accesses[store].buffer) return true;
  return false;
}

/* Chooses the stores that bypass the caches: those of unit stride in long rows, whose blocks in L1
 * no other access reads. */
static void choose_stream_stores(run *r, const tsr_kernel *k, const tsr_kernel_bind *bind,
                                 char *blocks)
{
  if (!bind->stream_store_mask || !r->loops->stream || r->axes.n[0] < 2 * LINE_BYTES) return;
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

/* Points the values at their temps and computes those that depend on scalars only, for the length
 * of one block. */
static void start_block(run *r, const tsr_kernel *k, const tsr_kernel_bind *bind, char *temps)
{
  const int64_t n = r->axes.n[0] < r->block ? r->axes.n[0] : r->block;
  for (int i = 0; i < k->n_instrs; i++) {
    if (r->code->temp_offset[i] < 0) continue;
    char *temp = temps + r->code->temp_offset[i];
    r->entry[r->axes.n_streams + i] = temp;
    if (k->instrs[i].kind != TSR_I_SCALAR) continue;
    const tsr_scalar *x = &bind->scalars[k->instrs[i].index];
    TSR_ASSERT(x->dtype == k->instrs[i].dtype);
    const size_t size = tsr__dtype_size(x->dtype);
    uint64_t value[2];
    tsr__scalar_store(*x, value);
    r->loops->move[__builtin_ctz(size)].fill(n, temp, value);
  }
  if (r->code->n_uniform) run_steps(r, r->code->steps, r->code->steps + r->code->n_uniform, n);
}

void tsr__kernel_run(const tsr_kernel *k, const tsr_kernel_bind *bind, void *scratch)
{
  const tsr_interp *p = tsr__interp_of(k);
  run r = {.loops = p->loops, .entry = scratch};
  const int n_streams = tsr__loop_axes_n_streams(k);
  int64_t *strides = (int64_t *)(r.entry + n_streams + k->n_instrs);
  r.unit = (uint8_t *)(strides + (size_t)(k->ndim ? k->ndim : 1) * (size_t)n_streams);
  if (!tsr__loop_axes_make(k, bind, strides, &r.axes, r.entry)) return;
  if (r.axes.n_axes > 1) {
    const tsr_axis_costs costs = {.strided = COST_STRIDED,
                                  .far = COST_FAR,
                                  .far_store = COST_FAR_STORE,
                                  .row = COST_ROW + COST_STEP * p->direct.n_steps,
                                  .step = 1,
                                  .most = p->direct.block};
    int64_t cost;
    tsr__loop_axes_move_inside(&r.axes, tsr__loop_axes_find_inner(&r.axes, k, &costs, &cost));
  }
  const bool any_strided = choose_code(&r, k);
  choose_stream_stores(&r, k, bind, (char *)scratch + p->stream_stores_at);
  start_block(&r, k, bind, (char *)scratch + p->temps_at);
  if (any_strided && r.axes.n_axes > 1) {
    run_panels(&r);
  } else {
    run_rows(&r, r.axes.n[0]);
  }
#if defined(__x86_64__)
  if (r.n_stream_stores > 0) __builtin_ia32_sfence();
#endif
}
