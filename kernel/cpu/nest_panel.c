/* Joins short rows. If the inner axes are short, a panel of some hundred points of several axes is
 * run as one row. Streams that are contiguous in it are read and written in place. The others are
 * copied to or from scratch memory, and only once if they do not move along the panel's last axis.
 * A panel shorter than a vector is copied whole, and its first point is repeated in the remaining
 * lanes. */
#include "kernel/cpu/nest.h"

#include "kernel/cpu/lanes.h"
#include "runtime/base/error.h"
#include "runtime/base/walk.h"

#include <string.h>

#define INLINED static inline __attribute__((always_inline))

typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint16_t words16 __attribute__((vector_size(16)));
typedef uint32_t longs16 __attribute__((vector_size(16)));
typedef uint64_t quads16 __attribute__((vector_size(16)));

/* The elements of the first or of the second halves of x and y, in turn. */
INLINED bytes16 zip(bytes16 x, bytes16 y, const size_t size, const bool second)
{
  if (size == 8) {
    const quads16 a = (quads16)x, b = (quads16)y;
    return (bytes16)(second ? TSR_SHUFFLE(quads16, a, b, 1, 3) : TSR_SHUFFLE(quads16, a, b, 0, 2));
  }
  if (size == 4) {
    const longs16 a = (longs16)x, b = (longs16)y;
    return (bytes16)(second ? TSR_SHUFFLE(longs16, a, b, 2, 6, 3, 7)
                            : TSR_SHUFFLE(longs16, a, b, 0, 4, 1, 5));
  }
  if (size == 2) {
    const words16 a = (words16)x, b = (words16)y;
    return (bytes16)(second ? TSR_SHUFFLE(words16, a, b, 4, 12, 5, 13, 6, 14, 7, 15)
                            : TSR_SHUFFLE(words16, a, b, 0, 8, 1, 9, 2, 10, 3, 11));
  }
  return second
             ? TSR_SHUFFLE(bytes16, x, y, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                           31)
             : TSR_SHUFFLE(bytes16, x, y, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

/* COST_COPIED, COST_ROW: estimated costs of a copied stream and of a row, as in nest.c. PANEL: the
 * preferred points of a panel. */
enum { COST_COPIED = 12, COST_ROW = 6, PANEL = TSR_PANEL_MOST / 2 };

/* Returns the bytes of scratch memory for one stream. */
static size_t bytes_of_stream(const tsr_kernel *k)
{
  size_t widest = sizeof(int64_t);
  for (int a = 0; a < k->n_accesses; a++) {
    const size_t size = tsr__dtype_size((tsr_dtype)k->accesses[a].dtype);
    if (size > widest) widest = size;
  }
  return TSR_PANEL_MOST * widest;
}

size_t tsr__panel_scratch_bytes(const tsr_kernel *k)
{
  const size_t n_streams = (size_t)tsr__loop_axes_n_streams(k);
  return n_streams <= TSR_NEST_STREAMS ? n_streams * bytes_of_stream(k) : 0;
}

static int64_t stream_size(const tsr_kernel *k, int s)
{
  return s < k->n_accesses ? (int64_t)tsr__dtype_size(k->accesses[s].dtype) : 1;
}

static bool is_contiguous(const tsr_nest *nest, int s, int n_axes, int64_t size)
{
  int64_t stride = size;
  for (int axis = 0; axis < n_axes; axis++) {
    if (nest->axes.stride[axis][s] != stride) return false;
    stride *= nest->axes.n[axis];
  }
  return true;
}

static bool is_still(const tsr_nest *nest, int s, int n_axes)
{
  for (int axis = 0; axis < n_axes; axis++)
    if (nest->axes.stride[axis][s] != 0) return false;
  return true;
}

bool tsr__panel_make(const tsr_kernel *k, int lanes, int64_t best_cost, tsr_nest *nest)
{
  int whole = 1;
  int64_t points = nest->axes.n[0];
  while (whole < nest->axes.n_axes && points * nest->axes.n[whole] < PANEL)
    points *= nest->axes.n[whole++];
  const bool has_rest = whole < nest->axes.n_axes;
  const int64_t rows = has_rest ? PANEL / points : 1;
  const int n_axes = whole + has_rest;
  const bool is_tiny = !has_rest && points < lanes;
  uint8_t classes[TSR_NEST_STREAMS], copied[TSR_NEST_STREAMS];
  int64_t cost = 0;
  for (int s = 0; s < nest->axes.n_streams; s++) {
    const bool is_access = s < k->n_accesses;
    const bool still = is_still(nest, s, n_axes) && !(is_access && tsr__nest_stores(k, s));
    copied[s] =
        !still && (is_tiny || !is_access || !is_contiguous(nest, s, n_axes, stream_size(k, s)));
    classes[s] = still ? TSR_CLASS_ZERO : is_access ? TSR_CLASS_UNIT : TSR_CLASS_ANY;
    const bool once = has_rest && nest->axes.stride[whole][s] == 0 &&
                      nest->axes.n[whole] > 2 * rows && !(is_access && tsr__nest_stores(k, s));
    cost += copied[s] && !once ? COST_COPIED : 1;
    if (copied[s] && once) copied[s] = TSR_COPIED_ONCE;
  }
  const int64_t vectors = (points * rows + lanes - 1) / lanes;
  if (16 * cost + 16 * COST_ROW / vectors >= best_cost) return false;
  nest->n_panel_axes = whole;
  nest->panel_points = points;
  nest->panel_rows = rows;
  memcpy(nest->classes, classes, (size_t)nest->axes.n_streams);
  nest->n_form = nest->axes.n_streams;
  memcpy(nest->copied, copied, (size_t)nest->axes.n_streams);
  return true;
}

/* Two axes of a copy, the inner one first. */
typedef struct copied_rows {
  char *to;
  const char *from;
  int64_t to_stride[2], from_stride[2], n[2];
} copied_rows;

/* The elements of x in the opposite order. */
INLINED bytes16 reverse(bytes16 x, const size_t size)
{
  if (size == 8) return (bytes16)TSR_SHUFFLE(quads16, (quads16)x, (quads16)x, 1, 0);
  words16 w = (words16)x;
  if (size == 1) w = w << 8 | w >> 8;
  longs16 l = (longs16)w;
  if (size <= 2) l = l << 16 | l >> 16;
  return (bytes16)TSR_SHUFFLE(longs16, l, l, 3, 2, 1, 0);
}

/* Every other element of x and y, from the first on. */
INLINED bytes16 every_other(bytes16 x, bytes16 y, const size_t size)
{
  if (size == 8) return zip(x, y, size, false);
  if (size == 4) return (bytes16)TSR_SHUFFLE(longs16, (longs16)x, (longs16)y, 0, 2, 4, 6);
  if (size == 2)
    return (bytes16)TSR_SHUFFLE(words16, (words16)x, (words16)y, 0, 2, 4, 6, 8, 10, 12, 14);
  return TSR_SHUFFLE(bytes16, x, y, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}

/* Copies elements of a row to where they follow each other, by whole vectors, where they lie in the
 * opposite order or are every other one. Returns how many it copied. */
INLINED int64_t copy_vectors(char *to, const char *from, int64_t step, int64_t n, const size_t size)
{
  const int64_t bytes = (int64_t)size, lanes = (int64_t)sizeof(bytes16) / bytes;
  int64_t i = 0;
  bytes16 x, y;
  if (step == -bytes) {
    for (; i + lanes <= n; i += lanes) {
      memcpy(&x, from - (i + lanes - 1) * bytes, sizeof x);
      x = reverse(x, size);
      memcpy(to + i * bytes, &x, sizeof x);
    }
  } else if (step == 2 * bytes) { /* the last element has no neighbour that may be read */
    for (; i + lanes < n; i += lanes) {
      memcpy(&x, from + i * step, sizeof x);
      memcpy(&y, from + i * step + (int64_t)sizeof x, sizeof y);
      x = every_other(x, y, size);
      memcpy(to + i * bytes, &x, sizeof x);
    }
  }
  return i;
}

/* Copies n[0] x n[1] elements row by row. */
INLINED void copy_each(const copied_rows *c, const size_t size)
{
  const int64_t to_step = c->to_stride[0], from_step = c->from_stride[0], n = c->n[0];
  for (int64_t row = 0; row < c->n[1]; row++) {
    char *to = c->to + row * c->to_stride[1];
    const char *from = c->from + row * c->from_stride[1];
    int64_t i = 0;
    if (size < sizeof(bytes16) && to_step == (int64_t)size)
      i = copy_vectors(to, from, from_step, n, size);
    for (to += i * to_step, from += i * from_step; i < n; i++, to += to_step, from += from_step)
      memcpy(to, from, size);
  }
}

/* Transposes: reads as many vectors as a vector has elements, `from_step` apart, zips them with
 * each other until each has one element of every vector, and writes them, `to_step` apart. */
INLINED void transpose(char *to, int64_t to_step, const char *from, int64_t from_step,
                       const size_t size)
{
  enum { MOST = 16 };
  const int n = (int)(sizeof(bytes16) / size);
  bytes16 v[MOST], zipped[MOST];
  TSR_UNROLL(16)
  for (int k = 0; k < n; k++) memcpy(&v[k], from + k * from_step, sizeof v[k]);
  TSR_UNROLL(4)
  for (int stage = 1; stage < n; stage *= 2) {
    TSR_UNROLL(8)
    for (int k = 0; k < n / 2; k++) {
      zipped[2 * k] = zip(v[k], v[k + n / 2], size, false);
      zipped[2 * k + 1] = zip(v[k], v[k + n / 2], size, true);
    }
    TSR_UNROLL(16)
    for (int k = 0; k < n; k++) v[k] = zipped[k];
  }
  TSR_UNROLL(16)
  for (int k = 0; k < n; k++) memcpy(to + k * to_step, &v[k], sizeof v[k]);
}

/* Elements that are neighbours along axis 0 in `to` and along axis 1 in `from` are transposed block
 * by block. The last block of a row and the last row of blocks begin earlier, where they end with
 * the box: what is copied twice is the same. Other rows are copied one by one. */
INLINED void copy_rows(const copied_rows *c, const size_t size)
{
  const int64_t n = (int64_t)(sizeof(bytes16) / size);
  if (n == 1 || c->n[0] < n || c->n[1] < n || c->to_stride[0] != (int64_t)size ||
      c->from_stride[1] != (int64_t)size) {
    copy_each(c, size);
    return;
  }
  const int64_t to_step = c->to_stride[1], from_step = c->from_stride[0];
  for (int64_t next = 0; next < c->n[1]; next += n) {
    const int64_t row = next + n <= c->n[1] ? next : c->n[1] - n;
    char *to = c->to + row * to_step;
    const char *from = c->from + row * (int64_t)size;
    int64_t i = 0;
    for (; i + n <= c->n[0]; i += n)
      transpose(to + i * (int64_t)size, to_step, from + i * from_step, from_step, size);
    if (i == c->n[0]) continue;
    i = c->n[0] - n;
    transpose(to + i * (int64_t)size, to_step, from + i * from_step, from_step, size);
  }
}

/* Copies two axes by loops for each size of an element, without calls. */
static void copy_rows_of(size_t size, const copied_rows *c)
{
  switch (size) {
  case 1:
    copy_rows(c, 1);
    return;
  case 2:
    copy_rows(c, 2);
    return;
  case 4:
    copy_rows(c, 4);
    return;
  case 8:
    copy_rows(c, 8);
    return;
  default:
    TSR_ASSERT(size == 16);
    copy_rows(c, 16);
  }
}

void tsr__panel_copy_rows(char *to, int64_t to_row, const char *from, int64_t from_step,
                          int64_t from_row, int64_t n, int64_t n_rows, size_t size)
{
  const int64_t bytes = (int64_t)size;
  copy_rows_of(size, &(copied_rows){to, from, {bytes, to_row}, {from_step, from_row}, {n, n_rows}});
}

/* Copies a box of n_axes >= 2 axes, inner first. */
static void copy_box(char *to, const int64_t *to_stride, const char *from,
                     const int64_t *from_stride, const int64_t *n, int n_axes, size_t size)
{
  tsr_walk w = tsr__walk_inner_first(2, n_axes, n);
  for (;;) {
    copy_rows_of(size, &(copied_rows){to,
                                      from,
                                      {to_stride[0], to_stride[1]},
                                      {from_stride[0], from_stride[1]},
                                      {n[0], n[1]}});
    const int axis = tsr__walk_next(&w);
    if (axis < 0) return;
    to += tsr__walk_change(&w, axis, to_stride);
    from += tsr__walk_change(&w, axis, from_stride);
  }
}

/* Writes the numbers of an IOTA stream over a box. */
static void fill_numbers(int64_t *to, int64_t first, const int64_t *stride, const int64_t *n,
                         int n_axes)
{
  tsr_walk w = tsr__walk_inner_first(1, n_axes, n);
  for (;;) {
    for (int64_t i = 0; i < n[0]; i++) *to++ = first + i * stride[0];
    const int axis = tsr__walk_next(&w);
    if (axis < 0) return;
    first += tsr__walk_change(&w, axis, stride);
  }
}

/* One panel: n points per axis, from the given bases. */
typedef struct panel {
  const tsr_nest *nest;
  const tsr_kernel *k;
  int64_t n[TSR_MAX_NDIM + 1];
  int n_axes;
  char *const *base;
  char *scratch; /* stream_bytes for each stream */
  size_t stream_bytes;
} panel;

static char *scratch_of(const panel *p, int s)
{
  return p->scratch + (size_t)s * p->stream_bytes;
}

static void copy_stream(const panel *p, int s, bool back)
{
  int64_t stride[TSR_MAX_NDIM + 1], dense[TSR_MAX_NDIM + 1];
  const int64_t size = stream_size(p->k, s);
  for (int axis = 0; axis < p->n_axes; axis++) {
    stride[axis] = axis < p->nest->axes.n_axes ? p->nest->axes.stride[axis][s] : 0;
    dense[axis] = axis == 0 ? size : dense[axis - 1] * p->n[axis - 1];
  }
  if (s >= p->k->n_accesses)
    fill_numbers((int64_t *)scratch_of(p, s), (int64_t)p->base[s], stride, p->n, p->n_axes);
  else if (back)
    copy_box(p->base[s], stride, scratch_of(p, s), dense, p->n, p->n_axes, (size_t)size);
  else
    copy_box(scratch_of(p, s), dense, p->base[s], stride, p->n, p->n_axes, (size_t)size);
}

/* Runs the points of one panel. is_first: the panel is the first along its last axis. */
static void run_panel(const panel *p, bool is_first, tsr_row_code code, int lanes,
                      const tsr_scalar *scalars, const tsr_loop *call)
{
  static const int64_t no_stride[TSR_NEST_STREAMS];
  const tsr_nest *nest = p->nest;
  char *base[TSR_NEST_STREAMS];
  const int64_t points = nest->panel_points * p->n[nest->n_panel_axes];
  TSR_ASSERT(points > 0 && points <= TSR_PANEL_MOST);
  for (int s = 0; s < nest->axes.n_streams; s++) {
    base[s] = nest->copied[s] ? scratch_of(p, s) : p->base[s];
    if (!nest->copied[s] || (nest->copied[s] == TSR_COPIED_ONCE && !is_first)) continue;
    panel whole = *p; /* a copy for all panels has the length of the last, longest one */
    if (nest->copied[s] == TSR_COPIED_ONCE) whole.n[nest->n_panel_axes] = 2 * nest->panel_rows - 1;
    if (s < p->k->n_accesses && p->k->accesses[s].is_store) continue;
    copy_stream(&whole, s, false);
    const size_t size = s < p->k->n_accesses ? (size_t)stream_size(p->k, s) : sizeof(int64_t);
    for (int64_t i = points; i < lanes; i++) memcpy(base[s] + (size_t)i * size, base[s], size);
  }
  code(1, points < lanes ? lanes : points, base, no_stride, no_stride, scalars, call);
  for (int i = 0; i < p->k->n_instrs; i++)
    if (p->k->instrs[i].kind == TSR_I_STORE && nest->copied[p->k->instrs[i].index])
      copy_stream(p, p->k->instrs[i].index, true);
}

/* Copies one array to another without a panel between them. */
static void copy_all(const tsr_nest *nest, const tsr_kernel *k)
{
  const tsr_loop_axes *axes = &nest->axes;
  int64_t to[TSR_MAX_NDIM + 1] = {0}, from[TSR_MAX_NDIM + 1] = {0}, n[TSR_MAX_NDIM + 1];
  n[1] = 1;
  for (int axis = 0; axis < axes->n_axes; axis++) {
    n[axis] = axes->n[axis];
    from[axis] = axes->stride[axis][0];
    to[axis] = axes->stride[axis][1];
  }
  copy_box(nest->base[1], to, nest->base[0], from, n, axes->n_axes > 1 ? axes->n_axes : 2,
           (size_t)stream_size(k, 1));
}

void tsr__panel_run(const tsr_nest *nest, const tsr_kernel *k, tsr_row_code code, int lanes,
                    const tsr_scalar *scalars, const tsr_loop *call, void *scratch)
{
  const int last = nest->n_panel_axes; /* the axis of which a panel has some rows */
  const int64_t n_rows = last < nest->axes.n_axes ? nest->axes.n[last] : 1;
  TSR_ASSERT(code && last > 0 && lanes <= TSR_PANEL_MOST);
  if (nest->copied[0] && tsr__nest_is_copy(k)) {
    copy_all(nest, k);
    return;
  }
  char *base[TSR_NEST_STREAMS];
  memcpy(base, nest->base, (size_t)nest->axes.n_streams * sizeof *base);
  panel p = {.nest = nest, .k = k, .base = base, .scratch = scratch, .n_axes = last + 1};
  p.stream_bytes = bytes_of_stream(k);
  memcpy(p.n, nest->axes.n, (size_t)last * sizeof *p.n);
  tsr_walk w = tsr__loop_axes_walk(&nest->axes, last + 1);
  for (;;) {
    for (int64_t at = 0; at < n_rows; at += p.n[last]) {
      const int64_t left = n_rows - at;
      p.n[last] = left < 2 * nest->panel_rows ? left : nest->panel_rows;
      run_panel(&p, at == 0, code, lanes, scalars, call);
      if (last >= nest->axes.n_axes) continue;
      for (int s = 0; s < nest->axes.n_streams; s++)
        base[s] += p.n[last] * nest->axes.stride[last][s];
    }
    if (last >= nest->axes.n_axes) return;
    for (int s = 0; s < nest->axes.n_streams; s++) base[s] -= n_rows * nest->axes.stride[last][s];
    if (!tsr__loop_axes_next(&nest->axes, &w, base)) return;
  }
}
