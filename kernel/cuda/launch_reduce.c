/* Binds a kernel to a step up the trees of its reductions. The inner axis is the one along which
 * values are combined. Either neighbouring threads have neighbours along it and share a node, or a
 * thread has all values of a node, and its neighbours those beside it. */
#include "kernel/cuda/launch.h"
#include "runtime/base/error.h"

#include <string.h>

enum {
  LOG_LANES = 5,         /* threads that exchange values: those of a warp */
  MOST_INSTRS = 1 << 11, /* of a thread, since the loop over its values is unrolled */
  COST_STRIDED = 8       /* of a load of which neighbours take lines of memory of their own */
};

/* Values of a thread, or what it loads for them, take half of its registers, and fewer where it
 * computes more with each. Across rows, the 8 warps of a block share nodes. */
const tsr_cuda_step_tuning tsr__cuda_step_tuning = {
    .most_bytes = 256, .log_count = 5, .log_groups = 3, .own_first = true, .log_numbered = 3};

static const tsr_cuda_step_tuning *tuning_of(const tsr_cuda_step *step)
{
  return step->tuning != NULL ? step->tuning : &tsr__cuda_step_tuning;
}

tsr_cuda_words tsr__cuda_reduce_words(const tsr_kernel *k, const tsr_cuda_form *form)
{
  tsr_cuda_words w = tsr__cuda_words(k, form->n_axes);
  w.index = w.n;
  w.flat = w.index + form->reduced.n;
  w.n = w.flat + 1 + form->n_axes;
  return w;
}

bool tsr__cuda_can_reduce(tsr_reduction code, tsr_dtype compute)
{
  if (!tsr__dtype_is_complex(compute)) return compute != TSR_DTYPE_FLOAT16;
  return code == TSR_REDUCE_SUM; /* a product with 1 is not exact, and the order is another one */
}

/* The cost of loads whose neighbours are neighbours along the axis. */
static int64_t cost_along(const tsr_kernel *k, const tsr_kernel_bind *bind, int axis)
{
  int64_t cost = 0;
  for (int a = 0; a < k->n_accesses; a++) {
    if (k->accesses[a].is_store) continue;
    const int64_t stride = bind->stride_bytes[a][axis];
    const int64_t elem = (int64_t)tsr__dtype_size((tsr_dtype)k->accesses[a].dtype);
    cost += stride == 0 || stride == elem || stride == -elem ? 1 : COST_STRIDED;
  }
  return cost;
}

/* Do neighbouring threads share a node? */
static bool has_lanes(const tsr_kernel *k, const tsr_kernel_bind *bind, int axis)
{
  for (int other = k->ndim - 1; other >= 0; other--) {
    if (other == axis || bind->n[other] <= 1) continue;
    return cost_along(k, bind, axis) <= cost_along(k, bind, other);
  }
  return true;
}

/* Does a thread number its own values, so that only one index is kept of them? */
static bool numbers_own(const tsr_cuda_step *step)
{
  bool all = tuning_of(step)->own_first;
  for (int i = 0; i < step->n; i++)
    all &= tsr__cuda_has_index(&step->taken[i]) && step->taken[i].index == TSR_CUDA_FLAT;
  return all;
}

static int log_count_of(const tsr_kernel *k, const tsr_cuda_step *step)
{
  const tsr_cuda_step_tuning *tuning = tuning_of(step);
  const bool keeps_indices = !numbers_own(step);
  int bytes = 0, loaded = 0, log_count = tuning->log_count;
  if (!keeps_indices && tuning->log_numbered > 0) log_count = tuning->log_numbered;
  for (int i = 0; i < step->n; i++) {
    bytes += (int)tsr__dtype_size((tsr_dtype)step->taken[i].compute);
    if (keeps_indices && tsr__cuda_has_index(&step->taken[i])) bytes += (int)sizeof(int64_t);
  }
  for (int a = 0; a < k->n_accesses; a++)
    if (!k->accesses[a].is_store) loaded += (int)tsr__dtype_size((tsr_dtype)k->accesses[a].dtype);
  if (bytes < loaded) bytes = loaded;
  /* A step has a level, however long the kernel is. */
  while (log_count > 1 &&
         (bytes << log_count > tuning->most_bytes || k->n_instrs << log_count > MOST_INSTRS))
    log_count--;
  return log_count;
}

int tsr__cuda_step_levels(const tsr_kernel *k, const tsr_kernel_bind *bind,
                          const tsr_cuda_step *step)
{
  return log_count_of(k, step) +
         (has_lanes(k, bind, step->axis) ? LOG_LANES : tuning_of(step)->log_groups);
}

static void make_form(const tsr_kernel *k, const tsr_kernel_bind *bind, const tsr_cuda_step *step,
                      const int *axes, int n_axes, tsr_cuda_form *form)
{
  const bool shares = has_lanes(k, bind, step->axis);
  const int most = shares ? LOG_LANES : log_count_of(k, step);
  const int lowest = step->levels < most ? step->levels : most; /* of lanes, or of one thread */
  bool in_any_order = true;
  for (int i = 0; i < step->n; i++) in_any_order &= tsr__cuda_has_index(&step->taken[i]);
  memset(form, 0, offsetof(tsr_cuda_form, classes));
  form->n_axes = (uint8_t)n_axes;
  form->points = form->n_pieces = 1;
  form->reduced.n = (uint8_t)step->n;
  form->reduced.log_lanes = (uint8_t)(shares ? lowest : 0);
  form->reduced.log_count = (uint8_t)(shares ? step->levels - lowest : lowest);
  form->reduced.log_groups = (uint8_t)(shares ? 0 : step->levels - lowest);
  form->reduced.own_first = tuning_of(step)->own_first && in_any_order;
  for (int i = 1; i < n_axes; i++) form->reduced.position += axes[i] > step->axis;
  memcpy(form->reduced.taken, step->taken, (size_t)step->n * sizeof step->taken[0]);
  for (int a = 0; a < k->n_accesses; a++) form->classes[a] = TSR_CUDA_ANY;
  for (uint32_t iota = k->iota_axes; iota != 0; iota &= iota - 1) {
    const int axis = __builtin_ctz(iota);
    form->classes[tsr__loop_axes_iota_stream(k, axis)] =
        axis == step->axis ? TSR_CUDA_UNIT : TSR_CUDA_ZERO;
  }
}

/* Writes the words of one axis. */
static void put_axis(const tsr_kernel *k, const tsr_kernel_bind *bind, const tsr_cuda_step *step,
                     const tsr_cuda_words *w, int at, int axis, int64_t *words)
{
  const int n_streams = tsr__loop_axes_n_streams(k);
  int64_t *stride = words + w->stride + at * n_streams;
  words[at] = bind->n[axis];
  words[w->flat + 1 + at] = step->flat_step[axis];
  for (int a = 0; a < k->n_accesses; a++) stride[a] = bind->stride_bytes[a][axis];
  for (uint32_t iota = k->iota_axes; iota != 0; iota &= iota - 1)
    stride[tsr__loop_axes_iota_stream(k, __builtin_ctz(iota))] = __builtin_ctz(iota) == axis;
}

bool tsr__cuda_step_make(const tsr_kernel *k, const tsr_kernel_bind *bind,
                         const tsr_cuda_step *step, tsr_cuda_launch *launch)
{
  int axes[TSR_MAX_NDIM], n_axes = 0;
  int64_t items = ((bind->n[step->axis] - 1) >> step->levels) + 1;
  if (tsr__loop_axes_n_streams(k) > TSR_NEST_STREAMS) return false;
  TSR_ASSERT(step->n <= TSR_CUDA_MOST_TAKEN && bind->n[step->axis] > 0 &&
             step->levels <= tsr__cuda_step_levels(k, bind, step));
  axes[n_axes++] = step->axis;
  for (int axis = k->ndim - 1; axis >= 0; axis--) {
    if (axis == step->axis) continue;
    if (bind->n[axis] <= 0) return false;
    items *= bind->n[axis];
    if (bind->n[axis] > 1) axes[n_axes++] = axis;
  }
  make_form(k, bind, step, axes, n_axes, &launch->form);
  const tsr_cuda_words w = tsr__cuda_reduce_words(k, &launch->form);
  if (w.n > TSR_CUDA_MOST_WORDS || items > UINT32_MAX - TSR_CUDA_THREADS) return false;
  const int64_t nodes = /* of a block */
      TSR_CUDA_THREADS >> (launch->form.reduced.log_lanes + launch->form.reduced.log_groups);
  memset(launch->words, 0, (size_t)w.n * sizeof launch->words[0]);
  launch->words[w.rows] = items;
  launch->words[w.flat] = step->flat;
  for (int i = 0; i < n_axes; i++) put_axis(k, bind, step, &w, i, axes[i], launch->words);
  for (int a = 0; a < k->n_accesses; a++)
    launch->words[w.base + a] = (int64_t)(intptr_t)bind->base[a];
  for (uint32_t iota = k->iota_axes; iota != 0; iota &= iota - 1)
    launch->words[w.base + tsr__loop_axes_iota_stream(k, __builtin_ctz(iota))] =
        bind->lo[__builtin_ctz(iota)];
  for (int i = 0; i < step->n; i++) {
    launch->words[w.base + step->taken[i].access] = (int64_t)(intptr_t)step->values[i];
    launch->words[w.index + i] = (int64_t)(intptr_t)step->indices[i];
  }
  for (int i = 0; i < k->n_scalars; i++)
    memcpy(launch->words + w.scalar + 2 * i, bind->scalars[i].u.words, 2 * sizeof(int64_t));
  launch->grid[0] = (uint32_t)((items + nodes - 1) / nodes);
  launch->grid[1] = 1;
  launch->n_words = w.n;
  launch->shared_bytes = 0;
  launch->n_form = (int32_t)offsetof(tsr_cuda_form, classes) + tsr__loop_axes_n_streams(k);
  return true;
}
