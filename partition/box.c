/* Boxes: products of arithmetic progressions, one per axis. Set operations are exact for any steps
 * where the header says so: two progressions meet in a progression (Chinese remainder theorem), so
 * boxes are closed under intersection. Fields beyond ndim are neither read nor written. */
#include "partition/partition_int.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void tsr__box_set_empty(tsr_box *out, int ndim)
{
  out->ndim = ndim;
  for (int k = 0; k < ndim; k++) tsr__box_set_axis(out, k, (tsr_axis){0, 0, 1});
}

tsr_box tsr__box_of_shape(int ndim, const int64_t *shape)
{
  tsr_box r;
  r.ndim = ndim;
  for (int k = 0; k < ndim; k++) tsr__box_set_axis(&r, k, (tsr_axis){0, shape[k], 1});
  return r;
}

tsr_box tsr__box_dense(int ndim, const int64_t *lo, const int64_t *hi)
{
  tsr_box r;
  r.ndim = ndim;
  for (int k = 0; k < ndim; k++)
    tsr__box_set_axis(&r, k, (tsr_axis){lo[k], hi[k] > lo[k] ? hi[k] - lo[k] : 0, 1});
  return r;
}

bool tsr__box_equal(const tsr_box *a, const tsr_box *b)
{
  if (a->ndim != b->ndim) return false;
  bool same = true;
  for (int k = 0; k < a->ndim; k++)
    same &= a->lo[k] == b->lo[k] && a->n[k] == b->n[k] && a->step[k] == b->step[k];
  return same || (tsr__box_is_empty(a) && tsr__box_is_empty(b));
}

bool tsr__box_contains(const tsr_box *a, const tsr_box *b)
{
  if (tsr__box_is_empty(b)) return true;
  if (a->ndim < 0) return false;
  TSR_ASSERT(a->ndim == b->ndim);
  for (int k = 0; k < a->ndim; k++) {
    tsr_axis x = tsr__box_axis(a, k), y = tsr__box_axis(b, k);
    if (!tsr__axis_has(x, y.lo)) return false;
    if (y.n == 1) continue;
    if (y.step % x.step != 0 || tsr__axis_last(y) > tsr__axis_last(x)) return false;
  }
  return true;
}

/* Returns x with a*x = 1 modulo m, 0 <= x < m; a and m are coprime, m > 0. */
static int64_t inverse_modulo(int64_t a, int64_t m)
{
  int64_t r0 = m, r1 = a % m, t0 = 0, t1 = 1; /* invariant: r_i = t_i * a modulo m */
  while (r1) {
    int64_t q = r0 / r1, r = r0 - q * r1, t = t0 - q * t1;
    r0 = r1;
    r1 = r;
    t0 = t1;
    t1 = t;
  }
  return t0 < 0 ? t0 + m : t0;
}

/* Finds the first common point of two progressions at or after `from`, and their common step.
 * Returns false if they never meet. */
static bool common_point(tsr_axis a, tsr_axis b, int64_t from, __int128 *first, __int128 *step)
{
  int64_t g = tsr__gcd(a.step, b.step), gap = b.lo - a.lo;
  if (gap % g != 0) return false;
  int64_t m = b.step / g;
  int64_t turns = gap / g % m;
  if (turns < 0) turns += m;
  turns = (int64_t)((__int128)turns * inverse_modulo(a.step / g, m) % m);
  *step = (__int128)a.step * m;
  *first = a.lo + (__int128)a.step * turns; /* the least common point at or after a.lo */
  if (*first >= from) return true;
  int64_t late = from - (int64_t)*first; /* rounds up to a multiple of the step */
  *first += *step >= late ? *step : tsr__div_ceil(late, (int64_t)*step) * (int64_t)*step;
  return true;
}

/* Does the finer of two progressions run through every point of the coarser one, from where both
 * have begun? */
static bool nested(tsr_axis fine, tsr_axis coarse)
{
  return fine.step == 1 || (coarse.step == fine.step && (coarse.lo - fine.lo) % fine.step == 0);
}

bool tsr__axis_intersect_strided(tsr_axis a, tsr_axis b, tsr_axis *out)
{
  int64_t lo = a.lo > b.lo ? a.lo : b.lo;
  int64_t last_a = tsr__axis_last(a), last_b = tsr__axis_last(b);
  int64_t last = last_a < last_b ? last_a : last_b;
  *out = (tsr_axis){lo, 0, 1};
  if (lo > last) return false;
  if (a.n == 1 || b.n == 1) { /* lo == last is the only point of one of them */
    bool meet = tsr__axis_has(a, lo) && tsr__axis_has(b, lo);
    out->n = meet;
    return meet;
  }
  if (nested(a, b) || nested(b, a)) {
    tsr_axis coarse = a.step > b.step ? a : b;
    int64_t first = coarse.lo;
    if (first < lo) first += tsr__div_ceil(lo - first, coarse.step) * coarse.step;
    if (first > last) return false;
    int64_t n = (last - first) / coarse.step + 1;
    *out = (tsr_axis){first, n, n == 1 ? 1 : coarse.step};
    return true;
  }
  __int128 first, step;
  if (!common_point(a, b, lo, &first, &step) || first > last) return false;
  int64_t n = step > last - first ? 1 : (last - (int64_t)first) / (int64_t)step + 1;
  *out = (tsr_axis){(int64_t)first, n, n == 1 ? 1 : (int64_t)step};
  return true;
}

bool tsr__box_intersect(const tsr_box *a, const tsr_box *b, tsr_box *out)
{
  int ndim = a->ndim < b->ndim ? a->ndim : b->ndim;
  if (ndim < 0) {
    out->ndim = ndim;
    return false;
  }
  TSR_ASSERT(a->ndim == b->ndim);
  out->ndim = ndim;
  for (int k = 0; k < ndim; k++) {
    tsr_axis x;
    if (!tsr__axis_intersect(tsr__box_axis(a, k), tsr__box_axis(b, k), &x)) {
      tsr__box_set_empty(out, ndim);
      return false;
    }
    tsr__box_set_axis(out, k, x);
  }
  return true;
}

bool tsr__box_intersects(const tsr_box *a, const tsr_box *b)
{
  if (a->ndim < 0 || b->ndim < 0) return false;
  TSR_ASSERT(a->ndim == b->ndim);
  for (int k = 0; k < a->ndim; k++) {
    tsr_axis x;
    if (!tsr__axis_intersect(tsr__box_axis(a, k), tsr__box_axis(b, k), &x)) return false;
  }
  return true;
}

tsr_box tsr__box_hull(const tsr_box *a, const tsr_box *b)
{
  TSR_ASSERT(a->ndim == b->ndim);
  if (tsr__box_is_empty(a)) return tsr__box_dense_hull(b);
  if (tsr__box_is_empty(b)) return tsr__box_dense_hull(a);
  tsr_box r;
  r.ndim = a->ndim;
  for (int k = 0; k < a->ndim; k++) {
    int64_t lo = a->lo[k] < b->lo[k] ? a->lo[k] : b->lo[k];
    int64_t end_a = tsr__box_end(a, k), end_b = tsr__box_end(b, k);
    tsr__box_set_axis(&r, k, (tsr_axis){lo, (end_a > end_b ? end_a : end_b) - lo, 1});
  }
  return r;
}

/* Subtraction. */

/* How the part of an axis that lies in b sits in a's axis, counted in points of a: first `head`
 * points, then one point of b in every `stride`, and `tail` points behind the last of these. */
typedef struct axis_split {
  int64_t head, tail, stride;
  bool exact; /* what lies outside b is at most two progressions */
} axis_split;

static axis_split split_axis(tsr_axis a, tsr_axis meet)
{
  axis_split s = {.head = meet.lo - a.lo, .tail = tsr__axis_last(meet) - a.lo, .stride = meet.step};
  if (a.step > 1) { /* otherwise the divisions would cost more than all the rest */
    s.head /= a.step;
    s.tail /= a.step;
    s.stride /= a.step;
  }
  s.tail = a.n - 1 - s.tail;
  if (meet.n == 1) s.stride = 1;
  /* The points between two points of b are stride - 1 progressions. Short ends belong to these; a
   * longer end is a progression of its own. */
  s.exact = s.stride == 1 || s.stride - 1 + (s.head >= s.stride) + (s.tail >= s.stride) <= 2;
  return s;
}

/* Appends the points [from, to) of axis k of `rest`, each every-th one, as a box of its own. */
static void add_piece(const tsr_box *rest, int k, int64_t from, int64_t to, int64_t every,
                      tsr_boxes *out)
{
  if (from >= to) return;
  int64_t n = every == 1 ? to - from : tsr__div_ceil(to - from, every);
  tsr_box piece;
  tsr__box_copy(&piece, rest);
  piece.lo[k] = rest->lo[k] + from * rest->step[k];
  piece.n[k] = n;
  piece.step[k] = n == 1 ? 1 : rest->step[k] * every;
  tsr__boxes_add(out, &piece);
}

/* Appends the points of `rest` whose index on axis k is not in `meet`, then narrows the axis to
 * what the other axes have to look at. Where the split is not exact, everything between the first
 * and the last point of `meet` counts as in it. */
static void subtract_axis(tsr_box *rest, int k, tsr_axis meet, axis_split s, tsr_boxes *out)
{
  int64_t n = rest->n[k], head = s.head, tail = s.tail, stride = s.stride;
  if (stride == 1 || !s.exact) {
    add_piece(rest, k, 0, head, 1, out);
    add_piece(rest, k, n - tail, n, 1, out);
    int64_t inside = n - head - tail;
    tsr__box_set_axis(rest, k, (tsr_axis){meet.lo, inside, inside == 1 ? 1 : rest->step[k]});
    return;
  }
  bool long_head = head >= stride, long_tail = tail >= stride;
  if (long_head) add_piece(rest, k, 0, head, 1, out);
  for (int64_t c = 1; c < stride; c++) {
    int64_t from = head + c;
    if (!long_head && from >= stride) from -= stride;
    add_piece(rest, k, from, long_tail ? n - tail : n, stride, out);
  }
  if (long_tail) add_piece(rest, k, n - tail, n, 1, out);
  tsr__box_set_axis(rest, k, meet);
}

static void subtract(const tsr_box *a, const tsr_box *b, bool keep, tsr_boxes *out)
{
  tsr_box meet, rest;
  if (tsr__box_is_empty(a)) return;
  tsr__box_copy(&rest, a); /* `a` may be an element of `out` */
  if (!tsr__box_intersect(a, b, &meet)) {
    tsr__boxes_add(out, &rest);
    return;
  }
  axis_split split[TSR_MAX_NDIM];
  bool exact = true;
  for (int k = 0; k < rest.ndim; k++) {
    split[k] = split_axis(tsr__box_axis(&rest, k), tsr__box_axis(&meet, k));
    exact &= split[k].exact;
  }
  if (keep && !exact) { /* any cover by boxes of a's own steps would hold all of a */
    tsr__boxes_add(out, &rest);
    return;
  }
  for (int k = 0; k < meet.ndim; k++)
    subtract_axis(&rest, k, tsr__box_axis(&meet, k), split[k], out);
}

void tsr__box_subtract_keep(const tsr_box *a, const tsr_box *b, tsr_boxes *out)
{
  subtract(a, b, true, out);
}

void tsr__box_subtract_drop(const tsr_box *a, const tsr_box *b, tsr_boxes *out)
{
  subtract(a, b, false, out);
}

/* Lists. */

void tsr__box_widen(tsr_box *a, const tsr_margins *by, const int64_t *shape)
{
  TSR_ASSERT(tsr__box_is_dense(a));
  if (tsr__box_is_empty(a)) return;
  for (int k = 0; k < a->ndim; k++) {
    const int64_t lo = a->lo[k] - by->lo[k], end = a->lo[k] + a->n[k] + by->hi[k];
    a->lo[k] = lo > 0 ? lo : 0;
    a->n[k] = (end < shape[k] ? end : shape[k]) - a->lo[k];
  }
}

const int64_t *tsr__box_first(tsr_box_walk *w, const tsr_box *a)
{
  w->box = a;
  w->walk = tsr__walk_rows(a->ndim, a->n);
  for (int k = 0; k < a->ndim; k++) w->at[k] = a->lo[k];
  return tsr__box_is_empty(a) ? NULL : w->at;
}

const int64_t *tsr__box_next(tsr_box_walk *w)
{
  const int axis = tsr__walk_next(&w->walk);
  if (axis < 0) return NULL;
  for (int k = axis; k < w->box->ndim; k++)
    w->at[k] = w->box->lo[k] + w->walk.index[k] * w->box->step[k];
  return w->at;
}

void tsr__boxes_add(tsr_boxes *list, const tsr_box *a)
{
  tsr_box copy;
  if (list->n == list->capacity) { /* `a` may lie in the memory that moves */
    tsr__box_copy(&copy, a);
    a = &copy;
  }
  list->v = tsr__grow(list->v, &list->capacity, list->n + 1, sizeof *list->v);
  tsr__box_copy(&list->v[list->n++], a);
}

void tsr__boxes_clear(tsr_boxes *list)
{
  list->n = 0;
}

void tsr__boxes_free(tsr_boxes *list)
{
  free(list->v);
  *list = (tsr_boxes){0};
}

/* Does a box hold all of `a` without a look at its steps? */
static bool surrounds(const tsr_box *b, const tsr_box *a)
{
  if (b->ndim != a->ndim) return false;
  for (int k = 0; k < a->ndim; k++)
    if (b->step[k] != 1 || a->lo[k] < b->lo[k] ||
        a->lo[k] + (a->n[k] - 1) * a->step[k] >= b->lo[k] + b->n[k])
      return false;
  return true;
}

static void subtract_from_list(tsr_boxes *list, const tsr_box *b, bool keep)
{
  tsr_box hole;
  tsr__box_copy(&hole, b); /* `b` may be an element of the list */
  int32_t n = list->n, n_left = 0;
  for (int32_t i = 0; i < n; i++) {
    if (surrounds(&hole, &list->v[i])) continue; /* nothing is left of it */
    if (tsr__box_intersects(&list->v[i], &hole))
      subtract(&list->v[i], &hole, keep, list); /* the pieces are appended behind the n old boxes */
    else if (!tsr__box_is_empty(&list->v[i])) {
      if (n_left != i) tsr__box_copy(&list->v[n_left], &list->v[i]);
      n_left++;
    }
  }
  if (n_left != n)
    for (int32_t i = n; i < list->n; i++) tsr__box_copy(&list->v[n_left + i - n], &list->v[i]);
  list->n -= n - n_left;
}

void tsr__boxes_subtract_keep(tsr_boxes *list, const tsr_box *b)
{
  subtract_from_list(list, b, true);
}

void tsr__boxes_subtract_drop(tsr_boxes *list, const tsr_box *b)
{
  subtract_from_list(list, b, false);
}

int64_t tsr__boxes_volume(const tsr_boxes *list)
{
  int64_t n = 0;
  for (int32_t i = 0; i < list->n; i++) n += tsr__box_volume(&list->v[i]);
  return n;
}

void tsr__text_into(tsr_text_into *t, const char *fmt, ...)
{
  if (t->n + 1 >= t->size) return;
  va_list args;
  va_start(args, fmt);
  int n = vsnprintf(t->buf + t->n, t->size - t->n, fmt, args);
  va_end(args);
  size_t space = t->size - t->n - 1;
  if (n > 0) t->n += (size_t)n < space ? (size_t)n : space;
}

char *tsr__box_text(const tsr_box *a, char *buf, size_t size)
{
  tsr_text_into t = {buf, size, 0};
  tsr__text_into(&t, "[");
  for (int k = 0; k < a->ndim; k++) {
    tsr__text_into(&t, "%s%lld:%lld", k ? "," : "", (long long)a->lo[k],
                   (long long)(a->lo[k] + a->n[k] * a->step[k]));
    if (a->step[k] != 1) tsr__text_into(&t, ":%lld", (long long)a->step[k]);
  }
  tsr__text_into(&t, "]");
  return buf;
}
