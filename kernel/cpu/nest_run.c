/* Runs of a loop nest by compiled code, once or again at other addresses. */
#include "kernel/cpu/nest.h"

#include "runtime/base/alloc.h"
#include "runtime/base/copy.h"
#include "runtime/base/error.h"

#include <string.h>

/* Rows of a tile of a transposed copy. */
enum { TILE = 32 };

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
      tsr__copy(to, from, (size_t)(n * step[1]));
    else
      tsr__panel_copy_rows(to, row[1], from, step[0], row[0], n,
                           n_rows - r < TILE ? n_rows - r : TILE, (size_t)step[1]);
  }
}

/* Returns what runs the rows: the compiled code, or what copies them. */
static tsr_row_code row_code_of(const tsr_nest *nest, tsr_row_code compiled)
{
  return nest->is_copy ? copy_rows : compiled;
}

/* Runs all rows of n inner points, from the current bases. */
static void run_rows(const tsr_loop_axes *axes, char **base, int64_t n, tsr_row_code code,
                     const tsr_scalar *scalars, const tsr_loop *call)
{
  static const int64_t no_stride[TSR_NEST_STREAMS];
  const bool one_row = axes->n_axes == 1;
  tsr_walk w = tsr__loop_axes_walk(axes, 2);
  do {
    code(one_row ? 1 : axes->n[1], n, base, one_row ? no_stride : axes->stride[1], axes->stride[0],
         scalars, call);
  } while (tsr__loop_axes_next(axes, &w, base));
}

/* Runs some rows at a time, piece by piece, of which loads with gaps are made dense first. */
static __attribute__((noinline)) void run_gapped(const tsr_loop_axes *axes,
                                                 const tsr_gapped *gapped, char **base, int64_t n,
                                                 tsr_row_code code, int lanes,
                                                 const tsr_scalar *scalars, const tsr_loop *call)
{
  const int64_t n_rows = axes->n_axes == 1 ? 1 : axes->n[1];
  char *at[TSR_NEST_STREAMS];
  int64_t row[TSR_NEST_STREAMS] = {0};
  tsr_walk w = tsr__loop_axes_walk(axes, 2);
  _Alignas(64) char copies[sizeof gapped->stream][TSR_GAPPED_BYTES];
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
  } while (tsr__loop_axes_next(axes, &w, base));
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
  run_axes(&nest->axes, nest->strip, &nest->gapped, base, row_code_of(nest, code), lanes, scalars,
           call);
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

/* What a repeated run keeps. Nests with panels are stored whole, with memory for the panels. */
typedef struct replay_sizes {
  size_t n_words;    /* behind the tsr_replay */
  size_t more_bytes; /* behind these: of a nest with panels */
  bool can_repeat;
} replay_sizes;

static replay_sizes sizes_of(const tsr_nest *nest, const tsr_kernel *k)
{
  const size_t n = (size_t)nest->axes.n_streams;
  const bool has_panels = nest->n_panel_axes > 0;
  const size_t scratch_bytes = has_panels ? tsr__panel_scratch_bytes(k) : 0;
  replay_sizes sizes = {.n_words = n * (size_t)nest->axes.n_axes + n - (size_t)k->n_accesses,
                        .can_repeat = scratch_bytes <= MOST_SCRATCH_BYTES};
  for (size_t s = 0; s < n; s++) {
    sizes.can_repeat = sizes.can_repeat && nest->classes[s] != TSR_CLASS_AHEAD;
    sizes.n_words += tsr__class_is_beside(nest->classes[s]);
  }
  if (has_panels && sizes.can_repeat) sizes.more_bytes = sizeof *nest + scratch_bytes;
  return sizes;
}

size_t tsr__replay_bytes(const tsr_nest *nest, const tsr_kernel *k)
{
  const replay_sizes sizes = sizes_of(nest, k);
  return sizeof(tsr_replay) + sizes.n_words * sizeof(int64_t) + sizes.more_bytes;
}

void tsr__replay_fill(tsr_replay *r, const tsr_nest *nest, const tsr_kernel *k, tsr_row_code code,
                      int lanes, const tsr_loop *call)
{
  const tsr_loop_axes *axes = &nest->axes;
  const bool has_panels = nest->n_panel_axes > 0;
  const replay_sizes sizes = sizes_of(nest, k);
  const size_t n = (size_t)axes->n_streams, n_iota = n - (size_t)k->n_accesses;
  const tsr_row_code rows = has_panels ? code : row_code_of(nest, code);
  *r = (tsr_replay){.code = sizes.can_repeat ? rows : NULL,
                    .call = call,
                    .lanes = lanes,
                    .n_accesses = k->n_accesses,
                    .strip = sizes.can_repeat && !has_panels ? nest->strip : 0,
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
  if (sizes.more_bytes == 0) return;
  r->nest = (tsr_nest *)(r->strides + sizes.n_words);
  r->scratch = r->nest + 1;
  copy_nest(r->nest, nest);
}

tsr_replay *tsr__replay_make(const tsr_nest *nest, const tsr_kernel *k, tsr_row_code code,
                             int lanes, const tsr_loop *call)
{
  tsr_replay *r = tsr__malloc(tsr__replay_bytes(nest, k));
  tsr__replay_fill(r, nest, k, code, lanes, call);
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
