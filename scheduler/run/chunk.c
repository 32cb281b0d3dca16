/* Chunks: a group's kernel over a box, the values that its reductions' trees take, or the function
 * of a task. On a device, the device's own queue runs it. */

#include "scheduler/run/chunk.h"
#include "runtime/base/walk.h"
#include "scheduler/run/stream_stores.h"
#include "scheduler/run/user_tasks.h"
#include <stdlib.h>
#include <string.h>

/* Scratch of a worker, at least `bytes`. */
static void *worker_scratch(tsr_run *run, int worker, size_t bytes)
{
  tsr_scheduler *s = run->plan->scheduler;
  if (s->scratch_bytes[worker] < bytes) {
    free(s->scratch[worker]);
    size_t rounded = (bytes + 4095) / 4096 * 4096;
    s->scratch[worker] = aligned_alloc(4096, rounded);
    if (s->scratch[worker] == NULL) tsr__fatal("no memory for %zu bytes of task scratch", rounded);
    s->scratch_bytes[worker] = rounded;
  }
  return s->scratch[worker];
}

/* The last runs of compiled code of a worker. */
static tsr_recent_runs *worker_recent(const tsr_run *run, int worker)
{
  tsr_recent_runs **recent = &run->plan->scheduler->recent[worker];
  if (*recent == NULL) *recent = tsr__recent_create();
  return *recent;
}

static size_t values_bytes(const tsr_box *box, tsr_dtype dtype)
{
  return tsr__round_up((size_t)tsr__box_volume(box) * tsr__dtype_size(dtype), 64);
}

static tsr_dtype access_dtype(const tsr_group *g, int32_t access)
{
  return tsr__access_dtype(&g->accesses, access);
}

static void dense_strides(const tsr_box *box, size_t elem, int64_t *stride)
{
  tsr__dense_strides(box->ndim, box->n, (int64_t)elem, stride);
}

/* The slot of an access, and the bytes from the beginning of its memory to the first point of a
 * box.
 */
static inline int32_t slot_at(const tsr_group *g, int32_t i, const tsr_box *box, int64_t *bytes)
{
  const tsr_access *a = &g->accesses.v[i];
  int64_t offset = a->origin;
  int32_t slot = a->gather >= 0 ? a->gather : a->slot;
  for (int j = 0; j < g->ndim; j++) offset += g->accesses.strides[i][j] * box->lo[j];
  if (a->by_block) { /* the slots of all blocks lie alike */
    const int32_t block = tsr__chain_block_of(&g->blocks, &g->part, box);
    const int axis = g->blocks.axis;
    slot += block;
    offset -= g->accesses.strides[i][axis] * block * g->blocks.thickness;
  }
  *bytes = offset;
  return slot;
}

int32_t tsr__access_offset(const tsr_group *g, int32_t i, const tsr_box *box, int64_t *bytes)
{
  return slot_at(g, i, box, bytes);
}

static inline char *access_at(const tsr_run *run, const tsr_group *g, int32_t i, const tsr_box *box)
{
  int64_t offset;
  const tsr_instance *instance = &run->binding->instances[slot_at(g, i, box, &offset)];
  if (instance->space == TSR_SPACE_PLACE) offset += run->shift_bytes;
  return (char *)instance->data + offset;
}

char *tsr__access_at(const tsr_run *run, const tsr_group *g, int32_t i, const tsr_box *box)
{
  return access_at(run, g, i, box);
}

/* Where access i is at the first point of a box: as it was bound, or as it is now. */
static inline char *base_of(const tsr_run *run, const tsr_group *g, int32_t i, const tsr_box *box,
                            const tsr_located *at)
{
  return at != NULL ? at->base[i] : access_at(run, g, i, box);
}

static const tsr_scalar *scalars_of(const tsr_run *run, const tsr_group *g, const tsr_located *at)
{
  return at != NULL ? at->scalars : run->binding->scalars + g->accesses.first_scalar;
}

void tsr__run_bind(const tsr_run *run, const tsr_group *g, tsr_queued_chunk *launch)
{
  const size_t n = (size_t)g->accesses.n;
  const tsr_kernel *k = g->accesses.kernel;
  const size_t n_scalars = k != NULL ? (size_t)k->n_scalars : 0;
  if (launch->memory == NULL)
    launch->memory = tsr__malloc((n_scalars + 1) * sizeof(tsr_scalar) + n * sizeof(void *));
  tsr_scalar *scalars = launch->memory;
  void **base = (void **)(scalars + n_scalars);
  for (int32_t i = 0; i < g->accesses.n; i++)
    base[i] = g->accesses.v[i].scratch ? NULL : access_at(run, g, i, &launch->box);
  if (n_scalars > 0)
    memcpy(scalars, run->binding->scalars + g->accesses.first_scalar, n_scalars * sizeof *scalars);
  launch->at = (tsr_located){base, g->accesses.strides, scalars};
}

tsr_partials *tsr__run_partials(tsr_run *run, int32_t reduction, int worker)
{
  TSR_ASSERT(worker >= 0 && worker < run->n_lanes && reduction < run->plan->n_reductions);
  TSR_ASSERT(!tsr__run_by_code(run) || worker != tsr__run_lane(run));
  const tsr_plan_reduction *r = &run->plan->reductions[reduction];
  tsr_partials **p = &run->partials[worker * run->plan->n_reductions + reduction];
  if (*p == NULL)
    *p = tsr__partials_create(&r->tree, r->code, (tsr_dtype)r->compute, &r->kept,
                              run->plan->scheduler->partials_memory);
  return *p;
}

/* Are the values of a scratch access integers of fewer bits than the sum? */
static bool are_narrow(const tsr_run *run, const tsr_group *g, int32_t access)
{
  return access_dtype(g, access) !=
         (tsr_dtype)run->plan->reductions[g->accesses.v[access].region].compute;
}

/* The bytes of scratch for the values of an access over a box, and for narrow ones as int64. */
static size_t scratch_bytes(const tsr_run *run, const tsr_group *g, int32_t access,
                            const tsr_box *box)
{
  return values_bytes(box, access_dtype(g, access)) +
         (are_narrow(run, g, access) ? values_bytes(box, TSR_DTYPE_INT64) : 0);
}

/* Adds the values of an access over a box to the tree, of dtype `given`. scratch: as for
 * tsr__partials_add. */
static void add_partials(tsr_run *run, const tsr_group *g, int32_t access, tsr_dtype given,
                         const tsr_box *box, const void *values, void *scratch, int worker)
{
  tsr_partials *p = tsr__run_partials(run, g->accesses.v[access].region, worker);
  tsr_status status = are_narrow(run, g, access)
                          ? tsr__partials_add_narrow(p, given, box, values, scratch)
                          : tsr__partials_add(p, box, values, scratch);
  if (status < 0) tsr__run_fail(run, status);
}

/* Binds the accesses of a kernel, of loads that take turns the one that is active in the box. at:
 * where they are, if not in the run's own memory. values: scratch for what the trees will take;
 * NULL: it is not touched. stride: the plan's own, unless there is `at`, scratch or a seam; then it
 * is filled in. */
static void bind_accesses(const tsr_run *run, const tsr_group *g, const tsr_box *box,
                          const tsr_located *at, char *values, void **base,
                          int64_t (*stride)[TSR_MAX_NDIM])
{
  int64_t(*const from)[TSR_MAX_NDIM] = at != NULL ? at->stride : g->accesses.strides;
  const bool fills = stride != g->accesses.strides,
             has_seams = fills && tsr__has_seams(&g->accesses);
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (a->scratch) {
      base[a->number] = values != NULL ? values : (char *)stride;
      if (values != NULL) values += scratch_bytes(run, g, i, box);
      dense_strides(box, tsr__dtype_size(access_dtype(g, i)), stride[a->number]);
      continue;
    }
    if (has_seams && !tsr__is_active(a, box)) continue;
    base[a->number] = base_of(run, g, i, box, at);
    if (fills) memcpy(stride[a->number], from[i], sizeof stride[0]);
  }
}

void tsr__bound_make(const tsr_run *run, const tsr_group *g, const tsr_box *box,
                     const tsr_located *at, tsr_bound *b)
{
  const size_t n = (size_t)g->accesses.n;
  const bool is_few = n <= TSR_BOUND_FEW;
  b->base = is_few ? b->few_base : tsr__malloc(n * sizeof *b->base);
  b->stride = is_few ? b->few_stride : tsr__malloc(n * sizeof *b->stride);
  bind_accesses(run, g, box, at, NULL, b->base, b->stride);
  b->bind = (tsr_kernel_bind){.base = b->base,
                              .stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])b->stride,
                              .scalars = scalars_of(run, g, at)};
  memcpy(b->bind.lo, box->lo, sizeof b->bind.lo);
  memcpy(b->bind.n, box->n, sizeof b->bind.n);
}

void tsr__bound_free(const tsr_bound *b)
{
  if (b->base != b->few_base) free(b->base);
  if (b->stride != b->few_stride) free(b->stride);
}

bool tsr__run_replay(const tsr_chunk_replay *replay, const tsr_binding *b, char *values)
{
  void *base[TSR_NEST_STREAMS];
  for (int32_t i = 0; i < replay->n; i++) {
    const int32_t slot = replay->at[i].slot;
    base[i] = (slot < 0 ? values : (char *)b->instances[slot].data) + replay->at[i].bytes;
  }
  return tsr__replay_run(replay->run, base, b->scalars + replay->first_scalar);
}

static const tsr_chunk_replay *replay_of(const tsr_run *run, const tsr_group *g)
{
  tsr_chunk_replay *const *replay = run->plan->workspace->replays;
  return replay != NULL ? replay[g - run->plan->groups] : NULL;
}

/* Runs the replay of a group without reductions, which is its only chunk. False: there is none. */
static bool run_again(tsr_run *run, int32_t group)
{
  const tsr_group *g = &run->plan->groups[group];
  const tsr_chunk_replay *replay = g->accesses.n_reductions == 0 ? replay_of(run, g) : NULL;
  if (replay == NULL || !tsr__run_replay(replay, run->binding, NULL)) return false;
  /* No other thread runs anything of a plan in line. */
  run->plan->scheduler->counters.n_compiled_runs++;
  return true;
}

/* Runs the kernel of a group of a plan that was resized, which has one box, if that is a line, and
 * its code is ready. False: it is not run so. */
static bool run_line(tsr_run *run, const tsr_group *g)
{
  enum { FEW = 8 };
  void *base[FEW];
  tsr_kernel_bind bind;
  const tsr_accesses *a = &g->accesses;
  if (run->plan->edition == 0 || run->device != NULL || g->is_task || a->n_reductions > 0 ||
      a->n > FEW || tsr__has_seams(a))
    return false;
  TSR_ASSERT(run->plan->in_line && tsr__chain_of(run->plan, g)->n_chunks <= 1);
  for (int k = 0; k < g->ndim; k++) {
    bind.lo[k] = g->part.lo[k];
    bind.n[k] = g->part.n[k];
  }
  for (int32_t i = 0; i < a->n; i++) base[i] = access_at(run, g, i, &g->part);
  bind.base = base;
  bind.stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])a->strides;
  bind.scalars = run->binding->scalars + a->first_scalar;
  bind.stream_store_mask = g->footprint.stream_store_mask;
  bind.from_memory = g->footprint.from_memory;
  if (!tsr__jit_run_line(a->kernel, &bind)) return false;
  run->plan->scheduler->counters.n_compiled_runs++;
  return true;
}

/* Keeps what the run just done took, if the next one will differ in its addresses only: the plan
 * has run in line before, and the group has one box, as where it is not cut into blocks. */
static void keep_run(const tsr_run *run, const tsr_group *g, const tsr_box *box,
                     const tsr_kernel_bind *bind, const char *values)
{
  const tsr_plan *plan = run->plan;
  tsr_workspace *w = plan->workspace;
  const int64_t group = g - plan->groups;
  if (!plan->in_line || tsr__chain_of(plan, g)->n_chunks != 1 || run->device != NULL ||
      plan->edition > 0 || w->n_runs == 1 || g->footprint.stream_store_mask != 0 ||
      (w->replays != NULL && w->replays[group] != NULL))
    return;
  tsr_replay *r = tsr__jit_replay(plan->scheduler->jit, g->accesses.kernel, bind);
  if (r == NULL) return;
  TSR_ASSERT(run->shift_bytes == 0);
  const int32_t n = g->accesses.n;
  tsr_chunk_replay *replay = tsr__malloc(sizeof *replay + (size_t)n * sizeof replay->at[0]);
  replay->run = r;
  replay->first_scalar = g->accesses.first_scalar;
  replay->n = n;
  for (int32_t i = 0; i < n; i++) {
    TSR_ASSERT(g->accesses.v[i].number == i);
    replay->at[i].slot = -1;
    if (g->accesses.v[i].scratch)
      replay->at[i].bytes = (char *)bind->base[i] - values;
    else
      replay->at[i].slot = slot_at(g, i, box, &replay->at[i].bytes);
  }
  if (w->replays == NULL) w->replays = tsr__calloc((size_t)plan->n_groups, sizeof *w->replays);
  w->replays[group] = replay;
}

/* Runs the kernel over a box. scratch: of the kernel. values: of what will be reduced. Returns
 * whether compiled code ran. */
static bool run_kernel(const tsr_run *run, const tsr_group *g, const tsr_box *box,
                       const tsr_located *at, uint64_t stream_store_mask, int worker, char *scratch,
                       char *values)
{
  void *few_base[TSR_BOUND_FEW];
  int64_t few_stride[TSR_BOUND_FEW][TSR_MAX_NDIM];
  void **base = few_base;
  int64_t(*stride)[TSR_MAX_NDIM] = g->accesses.strides;
  if (g->accesses.n > TSR_BOUND_FEW) base = tsr__malloc((size_t)g->accesses.n * sizeof *base);
  if ((at != NULL && at->stride != g->accesses.strides) || g->accesses.n_reductions > 0 ||
      tsr__has_seams(&g->accesses)) /* these strides are the box's own */
    stride = g->accesses.n > TSR_BOUND_FEW ? tsr__malloc((size_t)g->accesses.n * sizeof *stride)
                                           : few_stride;
  if (stride == g->accesses.strides)
    for (int32_t i = 0; i < g->accesses.n; i++) base[i] = base_of(run, g, i, box, at);
  else
    bind_accesses(run, g, box, at, values, base, stride);
  tsr_kernel_bind bind; /* It is filled field by field, since nothing needs to be cleared. */
  bind.base = base;
  bind.stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])stride;
  bind.scalars = scalars_of(run, g, at);
  bind.stream_store_mask = stream_store_mask;
  bind.from_memory = g->footprint.from_memory;
  /* The box was written number by number just now; a wider load would wait for these stores. */
  for (int k = 0; k < box->ndim; k++) {
    bind.lo[k] = box->lo[k];
    bind.n[k] = box->n[k];
  }
  const bool compiled = tsr__jit_run(run->plan->scheduler->jit, g->accesses.kernel, &bind, scratch,
                                     worker_recent(run, worker));
  if (compiled && at == NULL && !tsr__has_seams(&g->accesses)) keep_run(run, g, box, &bind, values);
  if (base != few_base) free(base);
  if (stride != g->accesses.strides && stride != few_stride) free(stride);
  return compiled;
}

/* Runs the kernel over a box; then the trees take the values that it left in scratch. Returns
 * whether compiled code ran. */
static bool run_box(tsr_run *run, const tsr_group *g, const tsr_box *box, const tsr_located *at,
                    uint64_t stream_store_mask, int worker)
{
  const bool reduces = g->accesses.n_reductions > 0;
  size_t kernel_bytes = tsr__round_up(tsr__kernel_scratch_bytes(g->accesses.kernel), 64),
         bytes = kernel_bytes;
  for (int32_t i = 0; reduces && i < g->accesses.n; i++)
    if (g->accesses.v[i].scratch) bytes += scratch_bytes(run, g, i, box);
  char *scratch = worker_scratch(run, worker, bytes), *values = scratch + kernel_bytes;
  const tsr_chunk_replay *replay = reduces && at == NULL ? replay_of(run, g) : NULL;
  const bool compiled = (replay != NULL && tsr__run_replay(replay, run->binding, values)) ||
                        run_kernel(run, g, box, at, stream_store_mask, worker, scratch, values);
  for (int32_t i = 0; reduces && i < g->accesses.n; i++) {
    if (!g->accesses.v[i].scratch) continue;
    const size_t apart = are_narrow(run, g, i) ? values_bytes(box, access_dtype(g, i)) : 0;
    add_partials(run, g, i, access_dtype(g, i), box, values, values + apart, worker);
    values += scratch_bytes(run, g, i, box);
  }
  return compiled;
}

static bool is_dense(const tsr_group *g, int32_t access, const tsr_box *box)
{
  int64_t dense[TSR_MAX_NDIM];
  dense_strides(box, tsr__dtype_size(access_dtype(g, access)), dense);
  for (int k = 0; k < box->ndim; k++)
    if (box->n[k] > 1 && g->accesses.strides[access][k] != dense[k]) return false;
  return true;
}

/* Reduces what lies dense in memory without a kernel: the trees read it there. False: it does not.
 */
static bool reduce_in_place(tsr_run *run, const tsr_group *g, const tsr_box *chunk,
                            const tsr_located *at, int worker)
{
  if (!g->accesses.only_reduces) return false;
  for (int32_t i = 0; i < g->accesses.n; i++)
    if (g->accesses.v[i].scratch && !is_dense(g, g->accesses.v[i].source, chunk)) return false;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (!a->scratch) continue;
    void *scratch = worker_scratch(run, worker, scratch_bytes(run, g, i, chunk));
    add_partials(run, g, i, access_dtype(g, a->source), chunk,
                 base_of(run, g, a->source, chunk, at), scratch, worker);
  }
  return true;
}

/* Sums products without a kernel where both factors lie so that the loops for products can read
 * them. False: they do not. */
static bool sum_products(tsr_run *run, const tsr_group *g, const tsr_box *chunk,
                         const tsr_located *at, int worker)
{
  if (g->accesses.factors[0] < 0) return false;
  tsr_factor factor[2];
  for (int i = 0; i < 2; i++)
    factor[i] =
        (tsr_factor){base_of(run, g, g->accesses.factors[i], chunk, at),
                     g->accesses.strides[g->accesses.factors[i]], g->accesses.conjugates && i == 0};
  const size_t elem = tsr__dtype_size(access_dtype(g, g->accesses.factors[0]));
  void *scratch = worker_scratch(run, worker, (size_t)tsr__box_volume(chunk) * elem);
  if (!tsr__partials_add_products(tsr__run_partials(run, g->accesses.first_reduction, worker),
                                  chunk, &factor[0], &factor[1], g->footprint.from_memory, scratch))
    return false;
  __atomic_fetch_add(&run->plan->scheduler->counters.n_product_runs, 1, __ATOMIC_RELAXED);
  return true;
}

/* What a task that runs long needs to poll for messages now and then. */
typedef struct looking {
  tsr_run *run;
  int worker;
} looking;

static void look_for_messages(void *arg)
{
  const looking *l = arg;
  l->run->look(l->run, l->worker);
}

static void run_function(tsr_run *run, const tsr_group *g, const tsr_box *chunk,
                         const tsr_located *at, int worker)
{
  void *base[TSR_MAX_OP_ARGS + 1];
  for (int32_t i = 0; i < g->accesses.n; i++) base[i] = base_of(run, g, i, chunk, at);
  tsr_kernel_bind bind = {.base = base};
  bind.stride_bytes =
      (const int64_t(*)[TSR_MAX_NDIM])(at != NULL ? at->stride : g->accesses.strides);
  memcpy(bind.lo, chunk->lo, sizeof bind.lo);
  memcpy(bind.n, chunk->n, sizeof bind.n);
  void *scratch =
      worker_scratch(run, worker, g->accesses.task_info->scratch_bytes(&g->accesses.task));
  g->accesses.task_info->run(&g->accesses.task, &bind, scratch,
                             &(tsr_task_pause){look_for_messages, &(looking){run, worker}});
  __atomic_fetch_add(&run->plan->scheduler->counters.n_task_runs, 1, __ATOMIC_RELAXED);
}

/* Lanes count by themselves, until the run ends. A device's queue may count after that. */
static void count_run(tsr_run *run, bool compiled, int worker)
{
  if (run->device == NULL) {
    tsr_lane_counts *c = &run->plan->workspace->counts[worker];
    (*(compiled ? &c->n_compiled_runs : &c->n_interpreted_runs))++;
    return;
  }
  tsr_counters *counters = &run->plan->scheduler->counters;
  __atomic_fetch_add(compiled ? &counters->n_compiled_runs : &counters->n_interpreted_runs, 1,
                     __ATOMIC_RELAXED);
}

bool tsr__access_is_resident(const tsr_run *run, const tsr_group *g, int32_t i, const tsr_box *box)
{
  int64_t bytes;
  return run->binding->instances[slot_at(g, i, box, &bytes)].space == TSR_SPACE_PLACE;
}

/* Returns whether all that the group touches over the chunk is where this process reaches it. */
__attribute__((unused)) static bool reaches_all(const tsr_run *run, const tsr_group *g,
                                                const tsr_box *chunk)
{
  if (!tsr__run_by_code(run)) return true;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    if (g->accesses.v[i].scratch || !tsr__is_active(&g->accesses.v[i], chunk)) continue;
    if (tsr__access_is_resident(run, g, i, chunk)) return false;
  }
  return true;
}

void tsr__run_chunk(tsr_run *run, const tsr_group *g, const tsr_box *chunk, const tsr_located *at,
                    int worker)
{
  TSR_ASSERT(at != NULL || reaches_all(run, g, chunk));
  TSR_ASSERT(at != NULL || g->is_user || worker != tsr__run_lane(run));
  if (g->is_user) {
    tsr__run_user_task(run, (int32_t)(g - run->plan->groups), chunk);
    return;
  }
  if (g->is_task) {
    run_function(run, g, chunk, at, worker);
    return;
  }
  if (reduce_in_place(run, g, chunk, at, worker) || sum_products(run, g, chunk, at, worker)) return;
  tsr_stream_trial trial = {.number = -1};
  bool *was_compiled = &run->plan->scheduler->was_compiled;
  const bool likely = __atomic_load_n(was_compiled, __ATOMIC_RELAXED);
  tsr_stream_stores *stream_stores = &run->plan->scheduler->stream_stores[likely];
  const bool stream_store =
      g->footprint.stream_store_mask != 0 && tsr__stream_stores_begin(stream_stores, &trial);
  const bool compiled =
      run_box(run, g, chunk, at, stream_store ? g->footprint.stream_store_mask : 0, worker);
  if (compiled != likely)
    __atomic_store_n(was_compiled, compiled, __ATOMIC_RELAXED);
  else
    tsr__stream_stores_end(stream_stores, &trial, tsr__box_volume(chunk));
  count_run(run, compiled, worker);
}

void tsr__run_chunk_task(tsr_run *run, int32_t task, int worker)
{
  const tsr_task *t = &run->plan->tasks[task];
  const tsr_group *g = &run->plan->groups[t->group];
  if (g->is_user && tsr__run_laid_box(run, task, worker)) return;
  if (run_again(run, t->group) || run_line(run, g)) return;
  tsr_box chunk;
  tsr__task_box(run->plan, t, &chunk);
  tsr__run_chunk(run, g, &chunk, NULL, worker);
}

/* at: where the accesses are, if not in the run's own memory. */
void tsr__run_say_uses(const tsr_run *run, const tsr_group *g, const tsr_box *chunk,
                       const tsr_located *at, tsr_device *d)
{
  if (d->ops->uses == NULL) return;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (a->scratch || !tsr__is_active(a, chunk)) continue;
    const char *base = at != NULL ? at->base[i] : tsr__access_at(run, g, i, chunk);
    tsr_points p = {.ndim = g->ndim, .src = base - run->shift_bytes};
    p.elem_bytes = tsr__dtype_size(access_dtype(g, i));
    memcpy(p.n, chunk->n, sizeof p.n);
    memcpy(p.src_step, at != NULL ? at->stride[i] : g->accesses.strides[i], sizeof p.src_step);
    const char *low = NULL;
    const size_t bytes = tsr__points_extent(&p, false, &low);
    tsr__device_uses(d, low, bytes);
  }
}

/* The lane of the device's queue is behind the lanes of the threads. */
int tsr__run_lane(const tsr_run *run)
{
  return run->world->machine->n_threads + run->plan->here;
}

void tsr__run_box(tsr_run *run, const tsr_group *g, const tsr_box *box, const tsr_located *at,
                  int worker)
{
  count_run(run, run_box(run, g, box, at, 0, worker), worker);
}

void tsr__run_located(tsr_run *run, const tsr_group *g, const tsr_box *box, const tsr_located *at,
                      tsr_device *d)
{
  tsr__run_say_uses(run, g, box, at, d);
  if (tsr__device_status(d) == TSR_OK) tsr__run_box(run, g, box, at, tsr__run_lane(run));
}

/* What a mover is bound to for these points. */
typedef struct moved {
  void *base[2];
  int64_t stride[2][TSR_MAX_NDIM];
  tsr_kernel_bind bind;
} moved;

static void bind_points(const tsr_run *run, const tsr_points *points, moved *m)
{
  *m = (moved){
      .base = {(char *)(uintptr_t)points->src + run->shift_bytes, points->dst + run->shift_bytes}};
  m->bind.base = m->base;
  m->bind.stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])m->stride;
  for (int k = 0; k < TSR_MAX_NDIM; k++) {
    const int axis = k - (TSR_MAX_NDIM - points->ndim);
    m->bind.n[k] = axis < 0 ? 1 : points->n[axis];
    if (axis < 0) continue;
    m->stride[0][k] = points->src_step[axis];
    m->stride[1][k] = points->dst_step[axis];
  }
}

void tsr__run_want_points(const tsr_run *run, const tsr_kernel *mover, const tsr_points *points)
{
  moved m;
  bind_points(run, points, &m);
  tsr__launcher_want(run->plan->scheduler->launcher, mover, &m.bind);
}

void tsr__run_points(tsr_run *run, const tsr_kernel *mover, const tsr_points *points, tsr_device *d)
{
  tsr_scheduler *s = run->plan->scheduler;
  moved m;
  bind_points(run, points, &m);
  for (int dst = 0; dst < 2; dst++) {
    const char *low = NULL;
    const size_t bytes = tsr__points_extent(points, dst, &low);
    tsr__device_uses(d, low, bytes);
  }
  if (tsr__device_status(d) < 0) return;
  if (!tsr__run_by_code(run)) {
    void *scratch = worker_scratch(run, tsr__run_lane(run), tsr__kernel_scratch_bytes(mover));
    tsr__jit_run(s->jit, mover, &m.bind, scratch, NULL);
  } else if (tsr__launcher_put(s->launcher, d, run->plan->here, mover, &m.bind)) {
    __atomic_fetch_add(&s->counters.n_cuda_runs, 1, __ATOMIC_RELAXED);
  } else {
    tsr__device_put_copy(d, TSR_QUEUE_RUN, TSR_COPY_WITHIN, points);
  }
}
