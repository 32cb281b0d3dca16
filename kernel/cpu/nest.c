/* The loop nest of a run of compiled code: its axes, as in the interpreter (axes.h), and the
 * classes of its streams, for which its code is compiled. */
#include "kernel/cpu/nest.h"

#include "runtime/base/alloc.h"
#include "runtime/base/error.h"

#include <string.h>

/* Estimated costs for the choice of the inner axis, in vectors streamed. */
enum { COST_STRIDED = 8, COST_FAR = 24, COST_FAR_STORE = 32, COST_ROW = 6, PANEL = 128 };
/* TILE: rows of a tile of a transposed copy. */
enum { TILE = 32 };
/* GAPPED_BYTES: memory for a piece of a load that is made dense. MOST_GAPPED: the most points of a
 * row of it, of a load without neighbours across the rows. */
enum { GAPPED_BYTES = 12 << 10, MOST_GAPPED = 512 };
/* KEPT_BYTES: what the caches of a core keep for certain. MOST_AHEAD: the most streams that are
 * prefetched. */
enum { KEPT_BYTES = 1 << 19, MOST_AHEAD = 8 };

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
  return between <= KEPT_BYTES;
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

/* Notes a load that is to be made dense first, if there is room for one more. */
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
    const int32_t rows = GAPPED_BYTES / ((gapped->piece + lanes) * gapped->size[i]);
    if (nest->axes.n_axes > 1 && nest->axes.stride[1][gapped->stream[i]] == 0) continue;
    if (rows < gapped->rows) gapped->rows = rows;
  }
  TSR_ASSERT(gapped->rows > 0);
  return true;
}

/* Returns whether the kernel copies one array to another, of which only the load has gaps. */
static bool is_copy(const tsr_kernel *k)
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
      if (!is_copy(k) && note_gapped(k, lanes, s, nest)) continue;
      any_strided = any_strided || !is_copy(k) || lies_across(k, nest, s);
    }
  }
  if (bind->from_memory) ask_ahead(k, nest);
  tsr__nest_find_beside(k, lanes, nest);
  /* Strided accesses use the rest of a cache line while it is in the cache. */
  nest->strip = any_strided && nest->axes.n_axes > 1 ? PANEL : 0;
  if (!any_strided && nest->gapped.n == 0 && !bind->from_memory) tsr__nest_find_strip(k, nest);
  for (int32_t i = 0; i < nest->gapped.n; i++)
    nest->classes[nest->gapped.stream[i]] = TSR_CLASS_UNIT;
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
    if (tsr__panel_make(k, lanes, cost, nest)) return true;
    tsr__loop_axes_move_inside(&nest->axes, inner);
  }
  classify(k, bind, lanes, nest);
  return nest->axes.n[0] >= lanes;
}

/* Rows of a kernel that only copies one array into another, of type tsr_row_code. The C library
 * copies long runs without reading the lines that it overwrites. */
static void copy_rows(int64_t n_rows, int64_t n, char *const *base, const int64_t *row,
                      const int64_t *step, const tsr_scalar *scalars, const tsr_loop *call)
{
  (void)scalars;
  (void)call;
  const bool is_dense = step[0] == step[1];
  for (int64_t r = 0; r < n_rows; r += is_dense ? 1 : TILE) {
    char *to = base[1] + r * row[1], *from = base[0] + r * row[0];
    if (is_dense)
      memcpy(to, from, (size_t)(n * step[1]));
    else
      tsr__panel_copy_rows(to, row[1], from, step[0], row[0], n,
                           n_rows - r < TILE ? n_rows - r : TILE, (size_t)step[1]);
  }
}

/* Returns what runs the rows: the compiled code, or what copies them. */
static tsr_row_code row_code_of(const tsr_kernel *k, const tsr_nest *nest, tsr_row_code compiled)
{
  const bool copies = is_copy(k) && nest->classes[1] == TSR_CLASS_UNIT &&
                      (nest->classes[0] == TSR_CLASS_UNIT || nest->classes[0] == TSR_CLASS_ANY);
  return copies ? copy_rows : compiled;
}

/* Runs all rows of n inner points, from the current bases. */
static void run_rows(const tsr_loop_axes *axes, char **base, int64_t n, tsr_row_code code,
                     const tsr_scalar *scalars, const tsr_loop *call)
{
  static const int64_t no_stride[TSR_NEST_STREAMS];
  const bool one_row = axes->n_axes == 1;
  int64_t index[TSR_MAX_NDIM] = {0};
  do {
    code(one_row ? 1 : axes->n[1], n, base, one_row ? no_stride : axes->stride[1], axes->stride[0],
         scalars, call);
  } while (tsr__loop_axes_next(axes, 2, index, base));
}

/* Runs some rows at a time, piece by piece, of which loads with gaps are made dense first. */
static __attribute__((noinline)) void run_gapped(const tsr_loop_axes *axes,
                                                 const tsr_gapped *gapped, char **base, int64_t n,
                                                 tsr_row_code code, int lanes,
                                                 const tsr_scalar *scalars, const tsr_loop *call)
{
  const int64_t n_rows = axes->n_axes == 1 ? 1 : axes->n[1];
  char *at[TSR_NEST_STREAMS];
  int64_t row[TSR_NEST_STREAMS] = {0}, index[TSR_MAX_NDIM] = {0};
  _Alignas(64) char copies[sizeof gapped->stream][GAPPED_BYTES];
  do {
    for (int64_t r = 0; r < n_rows; r += gapped->rows) {
      const int64_t rows = n_rows - r < gapped->rows ? n_rows - r : gapped->rows;
      for (int64_t i = 0, left = n; left > 0;) {
        const int64_t piece = left < gapped->piece + lanes ? left : gapped->piece;
        for (int s = 0; s < axes->n_streams; s++) {
          row[s] = axes->n_axes == 1 ? 0 : axes->stride[1][s];
          at[s] = base[s] + r * row[s] + i * axes->stride[0][s];
        }
        for (int32_t g = 0; g < gapped->n; g++) {
          const int s = gapped->stream[g], size = gapped->size[g];
          const int64_t to_row = row[s] ? piece * size : 0;
          tsr__panel_copy_rows(copies[g], to_row, at[s], axes->stride[0][s], row[s], piece,
                               row[s] ? rows : 1, (size_t)size);
          at[s] = copies[g];
          row[s] = to_row;
        }
        code(rows, piece, at, row, axes->stride[0], scalars, call);
        i += piece;
        left -= piece;
      }
    }
  } while (tsr__loop_axes_next(axes, 2, index, base));
}

/* Runs the rows of a nest without panels. base: of the first point; it is changed. A strip of every
 * row is run before the next strip. */
static void run_axes(const tsr_loop_axes *axes, int64_t strip, const tsr_gapped *gapped,
                     char **base, tsr_row_code code, int lanes, const tsr_scalar *scalars,
                     const tsr_loop *call)
{
  const int64_t part = strip > 0 ? strip : axes->n[0];
  for (int64_t left = axes->n[0]; left > 0;) {
    const int64_t n = left < part + lanes ? left : part;
    if (gapped->n > 0)
      run_gapped(axes, gapped, base, n, code, lanes, scalars, call);
    else
      run_rows(axes, base, n, code, scalars, call);
    left -= n;
    for (int s = 0; s < axes->n_streams; s++) base[s] += n * axes->stride[0][s];
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
  TSR_ASSERT(code && nest->axes.n[0] >= lanes);
  memcpy(base, nest->base, (size_t)nest->axes.n_streams * sizeof *base);
  run_axes(&nest->axes, nest->strip, &nest->gapped, base, row_code_of(k, nest, code), lanes,
           scalars, call);
}

/* Runs that are repeated. Panels of many streams need more memory than is worth keeping. */
enum { MOST_SCRATCH_BYTES = 64 << 10 };

/* A load of TSR_CLASS_BESIDE, for which the code was chosen. */
typedef struct beside {
  int16_t stream, source;
  int32_t bytes; /* from the source to the stream */
} beside;
_Static_assert(sizeof(beside) == sizeof(int64_t), "they lie among strides");

struct tsr_replay {
  tsr_row_code code; /* NULL: it cannot be repeated */
  const tsr_loop *call;
  int lanes, n_accesses;
  int32_t strip;
  tsr_gapped gapped;
  tsr_loop_axes axes;
  char **iota;    /* [n_streams - n_accesses] positions of the streams of IOTA */
  beside *beside; /* [n_beside] */
  int32_t n_beside;
  tsr_nest *nest;      /* owned: of a nest with panels; else NULL */
  const tsr_kernel *k; /* of the same */
  void *scratch;       /* memory of its panels */
  int64_t strides[]; /* the memory that `axes` and `iota` point to; then the nest and the scratch */
};

/* Copies a nest, whose axes point into itself. */
static void copy_nest(tsr_nest *to, const tsr_nest *from)
{
  *to = *from;
  for (int axis = 0; axis < from->axes.n_axes; axis++)
    to->axes.stride[axis] = to->strides + (from->axes.stride[axis] - from->strides);
}

tsr_replay *tsr__replay_make(const tsr_nest *nest, const tsr_kernel *k, tsr_row_code code,
                             int lanes, const tsr_loop *call)
{
  const tsr_loop_axes *axes = &nest->axes;
  const bool has_panels = nest->n_panel_axes > 0;
  const size_t scratch_bytes = has_panels ? tsr__panel_scratch_bytes(k) : 0;
  bool can_repeat = scratch_bytes <= MOST_SCRATCH_BYTES;
  for (int s = 0; s < axes->n_streams; s++)
    can_repeat = can_repeat && nest->classes[s] != TSR_CLASS_AHEAD;
  const size_t n = (size_t)axes->n_streams, n_iota = n - (size_t)k->n_accesses;
  size_t n_beside = 0;
  for (size_t s = 0; s < n; s++) n_beside += tsr__class_is_beside(nest->classes[s]);
  const size_t n_words = n * (size_t)axes->n_axes + n_iota + n_beside;
  const size_t more = has_panels && can_repeat ? sizeof *nest + scratch_bytes : 0;
  tsr_replay *r = tsr__malloc(sizeof *r + n_words * sizeof(int64_t) + more);
  const tsr_row_code rows = has_panels ? code : row_code_of(k, nest, code);
  *r = (tsr_replay){.code = can_repeat ? rows : NULL,
                    .call = call,
                    .lanes = lanes,
                    .n_accesses = k->n_accesses,
                    .strip = can_repeat && !has_panels ? nest->strip : 0,
                    .gapped = nest->gapped,
                    .axes = *axes,
                    .k = k};
  for (int axis = 0; axis < axes->n_axes; axis++) {
    r->axes.stride[axis] = r->strides + n * (size_t)axis;
    memcpy(r->axes.stride[axis], axes->stride[axis], n * sizeof(int64_t));
  }
  r->iota = (char **)(r->strides + n * (size_t)axes->n_axes);
  memcpy(r->iota, nest->base + k->n_accesses, n_iota * sizeof *r->iota);
  r->beside = (beside *)(r->iota + n_iota);
  for (size_t s = 0; s < n; s++) {
    if (!tsr__class_is_beside(nest->classes[s])) continue;
    const uint8_t source = nest->classes[n + s];
    r->beside[r->n_beside++] =
        (beside){(int16_t)s, source, (int32_t)(nest->base[s] - nest->base[source])};
  }
  if (more == 0) return r;
  r->nest = (tsr_nest *)(r->strides + n_words);
  r->scratch = r->nest + 1;
  copy_nest(r->nest, nest);
  return r;
}

bool tsr__replay_can_run(const tsr_replay *r)
{
  return r->code != NULL;
}

bool tsr__replay_run(tsr_replay *r, void *const *first, const tsr_scalar *scalars)
{
  if (r->code == NULL) return false;
  for (int32_t i = 0; i < r->n_beside; i++) {
    const beside *b = &r->beside[i];
    if ((char *)first[b->stream] - (char *)first[b->source] != b->bytes) return false;
  }
  if (r->nest != NULL) {
    for (int a = 0; a < r->n_accesses; a++) r->nest->base[a] = first[a];
    tsr__panel_run(r->nest, r->k, r->code, r->lanes, scalars, r->call, r->scratch);
    return true;
  }
  char *base[TSR_NEST_STREAMS];
  for (int a = 0; a < r->n_accesses; a++) base[a] = first[a];
  for (int s = r->n_accesses; s < r->axes.n_streams; s++) base[s] = r->iota[s - r->n_accesses];
  run_axes(&r->axes, r->strip, &r->gapped, base, r->code, r->lanes, scalars, r->call);
  return true;
}
