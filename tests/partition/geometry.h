/* What the geometry tests share: a seeded generator of small boxes and views, and point
 * enumeration. */
#ifndef TSR_TEST_GEOMETRY_H
#define TSR_TEST_GEOMETRY_H

#include "partition/partition.h"

/* xorshift64*, which gives the same numbers on every machine. */
typedef struct rng {
  uint64_t s;
} rng;

static inline uint64_t rng_next(rng *r)
{
  r->s ^= r->s >> 12;
  r->s ^= r->s << 25;
  r->s ^= r->s >> 27;
  return r->s * 0x2545F4914F6CDD1Du;
}

/* A number in [lo, hi], uniformly drawn. */
static inline int64_t rng_in(rng *r, int64_t lo, int64_t hi)
{
  return lo + (int64_t)((rng_next(r) >> 16) % (uint64_t)(hi - lo + 1));
}

/* Steps a row-major counter over `n`, from zeros and with no n[k] == 0; false after the last. */
static inline bool step_index(int ndim, const int64_t *n, int64_t *i)
{
  for (int k = ndim - 1; k >= 0; k--) {
    if (++i[k] < n[k]) return true;
    i[k] = 0;
  }
  return false;
}

static inline bool box_has(const tsr_box *b, const int64_t *p)
{
  for (int k = 0; k < b->ndim; k++) {
    int64_t d = p[k] - b->lo[k];
    if (d < 0 || d % b->step[k] || d / b->step[k] >= b->n[k]) return false;
  }
  return true;
}

static inline bool box_is_canonical(const tsr_box *b)
{
  for (int k = 0; k < b->ndim; k++)
    if (b->n[k] < 0 || b->step[k] < 1 || (b->n[k] <= 1 && b->step[k] != 1)) return false;
  return true;
}

/* A box inside [0, size)^ndim, now and then empty. */
static inline tsr_box random_box(rng *r, int ndim, int64_t size, int64_t max_step)
{
  tsr_box b;
  b.ndim = ndim;
  for (int k = 0; k < ndim; k++) {
    b.lo[k] = rng_in(r, 0, size - 1);
    b.step[k] = rng_in(r, 0, 2) ? rng_in(r, 1, max_step) : 1;
    int64_t most = (size - 1 - b.lo[k]) / b.step[k] + 1;
    b.n[k] = rng_in(r, 0, 11) ? rng_in(r, 1, most) : 0;
    if (b.n[k] <= 1) b.step[k] = 1;
  }
  return b;
}

static inline void view_apply(const tsr_view *v, const int64_t *i, int64_t *point)
{
  for (int k = 0; k < v->rdim; k++) {
    point[k] = v->offset[k];
    for (int j = 0; j < v->ndim; j++) point[k] += v->step[k][j] * i[j];
  }
}

/* One random edit. The view never gets more than 4 axes, and lengths stay small. */
static inline void random_edit(rng *r, tsr_view *v, bool may_diagonal, bool may_empty)
{
  int axis = v->ndim ? (int)rng_in(r, 0, v->ndim - 1) : 0;
  int kind = (int)rng_in(r, 0, 8);
  if (kind <= 2 && v->ndim) {
    int64_t n = v->shape[axis], step = rng_in(r, 1, 3) * (rng_in(r, 0, 1) ? 1 : -1);
    if (n == 0) return;
    int64_t start = rng_in(r, 0, n - 1);
    int64_t most = (step > 0 ? (n - 1 - start) / step : start / -step) + 1;
    tsr__view_slice(v, axis, start, rng_in(r, may_empty && !rng_in(r, 0, 9) ? 0 : 1, most), step);
  } else if (kind == 3 && v->ndim && v->shape[axis]) {
    tsr__view_index(v, axis, rng_in(r, 0, v->shape[axis] - 1));
  } else if (kind == 4 && v->ndim < 4) {
    tsr__view_newaxis(v, (int)rng_in(r, 0, v->ndim));
  } else if (kind == 5) {
    int perm[TSR_MAX_NDIM];
    for (int j = 0; j < v->ndim; j++) {
      int at = (int)rng_in(r, 0, j);
      perm[j] = perm[at];
      perm[at] = j;
    }
    tsr__view_transpose(v, perm);
  } else if (kind == 6 && v->ndim) {
    tsr__view_flip(v, axis);
  } else if (kind == 7) {
    int64_t shape[TSR_MAX_NDIM];
    int lead = v->ndim < 4 ? (int)rng_in(r, 0, 1) : 0;
    if (lead) shape[0] = rng_in(r, 1, 3);
    for (int j = 0; j < v->ndim; j++)
      shape[lead + j] = v->shape[j] == 1 ? rng_in(r, 1, 3) : v->shape[j];
    tsr__view_broadcast(v, v->ndim + lead, shape);
  } else if (kind == 8 && may_diagonal && v->ndim >= 2) {
    int other = (axis + (int)rng_in(r, 1, v->ndim - 1)) % v->ndim;
    if (v->shape[axis] && v->shape[other])
      tsr__view_diagonal(v, rng_in(r, 1 - v->shape[axis], v->shape[other] - 1), axis, other);
  }
}

/* A view of a region with the given shape after up to 6 edits. */
static inline void random_view(rng *r, tsr_view *v, int rdim, const int64_t *shape,
                               bool may_diagonal, bool may_empty)
{
  tsr__view_identity(v, rdim, shape);
  for (int64_t edits = rng_in(r, 0, 6); edits > 0; edits--)
    random_edit(r, v, may_diagonal, may_empty);
}

#endif
