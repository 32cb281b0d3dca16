/* Binds a kernel to memory for a launch. The axes
 * are those of compiled C code, and the inner one is chosen by the same estimate, in which a step
 * is a warp. */
#include "kernel/cuda/launch.h"

#include "runtime/base/error.h"

#include <string.h>

/* Estimated costs for the choice of the inner axis, in 32 points of a contiguous stream: a strided
 * one takes as many lines of memory as points. */
enum { COST_STRIDED = 8, COST_FAR = 16, COST_ROW = 1, WARP = 32 };
enum { MOST_GRID_ROWS = 65535, MOST_NARROW = 1 << 30 };

enum { MOST_MIXED = 8 }; /* streams of a kernel whose pieces mix */

/* The fastest of those compared in docs/performance.md. In boxes of several axes, a block is
 * narrow, so that what its rows share is in its processor's cache, and more so where rows have more
 * neighbours. Two points of a thread, though few of the streams are aligned to them, are faster
 * than one until their streams take so many registers that fewer blocks run at a time. */
tsr_cuda_tuning tsr__cuda_tuning(int n_axes, int n_unit)
{
  const bool is_small = n_unit <= MOST_MIXED;
  tsr_cuda_tuning t = {.piece_bytes = 16, .n_pieces = 1, .log_width = 8, .narrow = true};
  if (n_axes == 1) return t;
  t.read_only = true;
  t.log_width = n_axes == 2 ? 6 : is_small ? 4 : 5;
  t.mixed = is_small ? 2 : 1;
  return t;
}

tsr_cuda_words tsr__cuda_words(const tsr_kernel *k, int n_axes)
{
  const int n_streams = tsr__loop_axes_n_streams(k);
  tsr_cuda_words w = {.log_width = n_axes, .rows = n_axes + 1, .base = n_axes + 2};
  w.stride = w.base + n_streams;
  w.scalar = w.stride + n_axes * n_streams;
  w.n = w.scalar + 2 * k->n_scalars;
  return w;
}

static int access_bytes(const tsr_kernel *k, int access)
{
  return (int)tsr__dtype_size(k->accesses[access].dtype);
}

/* Returns whether all rows of the stream begin at a multiple of so many bytes. */
static bool is_aligned(const tsr_loop_axes *axes, int stream, const char *at, int bytes)
{
  if ((uintptr_t)at % (uintptr_t)bytes) return false;
  for (int axis = 1; axis < axes->n_axes; axis++)
    if (axes->stride[axis][stream] % bytes) return false;
  return true;
}

static bool is_unit(const tsr_kernel *k, const tsr_loop_axes *axes, int access)
{
  return axes->stride[0][access] == access_bytes(k, access);
}

static bool is_piece(const tsr_kernel *k, const tsr_loop_axes *axes, char *const *base, int access,
                     int points)
{
  return is_unit(k, axes, access) &&
         is_aligned(axes, access, base[access], points * access_bytes(k, access));
}

static int count_units(const tsr_kernel *k, const tsr_loop_axes *axes)
{
  int n = 0;
  for (int a = 0; a < k->n_accesses; a++) n += is_unit(k, axes, a);
  return n;
}

static int count_pieces(const tsr_kernel *k, const tsr_loop_axes *axes, char *const *base,
                        int points)
{
  int n = 0;
  for (int a = 0; a < k->n_accesses; a++) n += is_piece(k, axes, base, a, points);
  return n;
}

/* Returns the points of a piece, which are those of the widest stream that moves by one element, if
 * the rows are whole and all such streams are aligned to their pieces; or fewer if one is.
 * Otherwise it is 1. */
static int points_of_piece(const tsr_kernel *k, const tsr_loop_axes *axes, char *const *base,
                           const tsr_cuda_tuning *tuning)
{
  int widest = 0;
  for (int a = 0; a < k->n_accesses; a++)
    if (is_unit(k, axes, a) && access_bytes(k, a) > widest) widest = access_bytes(k, a);
  int points = widest > 0 && widest <= tuning->piece_bytes ? tuning->piece_bytes / widest : 1;
  if (points > TSR_CUDA_MOST_POINTS) points = TSR_CUDA_MOST_POINTS;
  if (axes->n[0] % points == 0 && count_pieces(k, axes, base, points) == count_units(k, axes))
    return points;
  if (points > tuning->mixed) points = tuning->mixed;
  return points > 1 && axes->n[0] % points == 0 && count_pieces(k, axes, base, points) > 0 ? points
                                                                                           : 1;
}

static void make_form(const tsr_kernel *k, const tsr_loop_axes *axes, char *const *base,
                      const tsr_cuda_tuning *tuning, tsr_cuda_form *form)
{
  memset(&form->product, 0, sizeof form->product);
  memset(&form->reduced, 0, sizeof form->reduced);
  form->n_axes = (uint8_t)axes->n_axes;
  form->points = (uint8_t)points_of_piece(k, axes, base, tuning);
  form->n_pieces = form->points > 1 ? tuning->n_pieces : 1;
  form->read_only = tuning->read_only;
  for (int s = 0; s < axes->n_streams; s++) {
    const int64_t stride = axes->stride[0][s];
    if (s >= k->n_accesses)
      form->classes[s] = stride ? TSR_CUDA_UNIT : TSR_CUDA_ZERO;
    else if (form->points > 1 && is_piece(k, axes, base, s, form->points))
      form->classes[s] = TSR_CUDA_PIECE;
    else if (is_unit(k, axes, s))
      form->classes[s] = TSR_CUDA_UNIT;
    else
      form->classes[s] = stride == 0 && !tsr__nest_stores(k, s) ? TSR_CUDA_ZERO : TSR_CUDA_ANY;
  }
}

/* Chooses the shape of a block, the least power of two that covers a short row or as wide as it may
 * be, and the grid. */
static void make_grid(const tsr_loop_axes *axes, const tsr_cuda_tuning *tuning,
                      const tsr_cuda_words *w, tsr_cuda_launch *launch)
{
  const bool has_rows = axes->n_axes > 1;
  const int64_t per_thread = launch->form.n_pieces, points = launch->form.points;
  const int64_t pieces = (axes->n[0] + points - 1) / points;
  const int most = has_rows ? 1 << tuning->log_width : TSR_CUDA_THREADS;
  int log_width = 0;
  while (1 << log_width < most && (1 << log_width < pieces || !has_rows)) log_width++;
  int64_t rows = 1;
  for (int axis = 1; axis < axes->n_axes; axis++) rows *= axes->n[axis];
  const int64_t width = (1 << log_width) * (has_rows ? 1 : per_thread);
  const int64_t height = (TSR_CUDA_THREADS >> log_width) * (has_rows ? per_thread : 1);
  const int64_t groups = (rows + height - 1) / height;
  launch->grid[0] = (uint32_t)((pieces + width - 1) / width);
  launch->grid[1] = (uint32_t)(groups < MOST_GRID_ROWS ? groups : MOST_GRID_ROWS);
  launch->words[w->log_width] = log_width;
  launch->words[w->rows] = rows;
  launch->form.narrow = tuning->narrow && axes->n[0] <= MOST_NARROW && rows <= MOST_NARROW;
}

/* Returns whether no buffer is loaded after a store to it. */
static bool loads_first(const tsr_kernel *k)
{
  for (int i = 0; i < k->n_instrs; i++)
    for (int s = 0; s < i && k->instrs[i].kind == TSR_I_LOAD; s++)
      if (k->instrs[s].kind == TSR_I_STORE &&
          k->accesses[k->instrs[s].index].buffer == k->accesses[k->instrs[i].index].buffer)
        return false;
  return true;
}

bool tsr__cuda_has_text(const tsr_kernel *k)
{
  const int n_axes = k->ndim > 0 ? k->ndim : 1;
  return tsr__loop_axes_n_streams(k) <= TSR_NEST_STREAMS &&
         tsr__cuda_words(k, n_axes).n <= TSR_CUDA_MOST_WORDS && loads_first(k);
}

bool tsr__cuda_source_make(const tsr_kernel *k, int64_t n_calls, tsr_cuda_launch *launch)
{
  TSR_ASSERT(k->n_source > 0);
  if (n_calls <= 0) return false;
  memset(&launch->form, 0, sizeof launch->form);
  launch->shared_bytes = 0;
  launch->n_form = (int32_t)offsetof(tsr_cuda_form, classes);
  launch->grid[0] = (uint32_t)((n_calls + TSR_CUDA_THREADS - 1) / TSR_CUDA_THREADS);
  launch->grid[1] = 1;
  return true;
}

bool tsr__cuda_launch_make(const tsr_kernel *k, const tsr_kernel_bind *bind,
                           tsr_cuda_launch *launch)
{
  return tsr__cuda_launch_make_tuned(k, bind, NULL, launch);
}

bool tsr__cuda_launch_make_tuned(const tsr_kernel *k, const tsr_kernel_bind *bind,
                                 const tsr_cuda_tuning *tuning, tsr_cuda_launch *launch)
{
  tsr_loop_axes axes;
  int64_t strides[TSR_MAX_NDIM * TSR_NEST_STREAMS];
  char *base[TSR_NEST_STREAMS];
  if (tsr__loop_axes_n_streams(k) > TSR_NEST_STREAMS) return false;
  if (!tsr__loop_axes_make(k, bind, strides, &axes, base)) return false;
  const tsr_cuda_words w = tsr__cuda_words(k, axes.n_axes);
  if (w.n > TSR_CUDA_MOST_WORDS) return false;
  const tsr_axis_costs costs = {.strided = COST_STRIDED,
                                .far = COST_FAR,
                                .far_store = COST_FAR,
                                .row = COST_ROW,
                                .step = 1,
                                .most = WARP};
  int64_t cost;
  tsr__loop_axes_move_inside(&axes, tsr__loop_axes_find_inner(&axes, k, &costs, &cost));
  const tsr_cuda_tuning chosen = tsr__cuda_tuning(axes.n_axes, count_units(k, &axes));
  if (tuning == NULL) tuning = &chosen;
  make_form(k, &axes, base, tuning, &launch->form);
  make_grid(&axes, tuning, &w, launch);
  for (int axis = 0; axis < axes.n_axes; axis++) {
    launch->words[axis] = axes.n[axis];
    memcpy(launch->words + w.stride + axis * axes.n_streams, axes.stride[axis],
           (size_t)axes.n_streams * sizeof(int64_t));
  }
  for (int s = 0; s < axes.n_streams; s++) launch->words[w.base + s] = (int64_t)(intptr_t)base[s];
  for (int i = 0; i < k->n_scalars; i++)
    memcpy(launch->words + w.scalar + 2 * i, bind->scalars[i].u.words, 2 * sizeof(int64_t));
  launch->n_words = w.n;
  launch->shared_bytes = 0;
  launch->n_form = (int32_t)offsetof(tsr_cuda_form, classes) + axes.n_streams;
  return true;
}
