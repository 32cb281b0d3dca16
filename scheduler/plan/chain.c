/* Chains: chunk number -> box is arithmetic, so a plan keeps pieces, never boxes. A box that begins
 * or ends inside a step is one at the border of its piece.
 *
 * A chain of several groups, q = 0, 1, ..., in coordinates along axis 0:
 *
 *   q = 2   | upright 0     \\ wedge //   upright 1     |      an upright runs q on
 *   q = 1   | upright 0      \\    //     upright 1     |        [a + up(q), b - down(q)),
 *   q = 0   | upright 0       \\  //      upright 1     |      the wedge at b on
 *           a                   b                      c        [b - down(q), b + up(q))
 *
 * Bands divide a chunk alike along all axes: the band [b, b') runs q on [b - down(q), b' - down(q)).
 * They are numbered along axis 0 first, so that one finds in the cache what it shares with the one
 * before. */
#include "scheduler/plan/chain.h"

/* Coordinates that no step has. */
#define FAR_BELOW (INT64_MIN / 2)
#define FAR_ABOVE (INT64_MAX / 2)

/** A range of coordinates. */
typedef struct range {
  int64_t lo, end;
} range;

static int64_t min64(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static int64_t max64(int64_t a, int64_t b)
{
  return a > b ? a : b;
}

/* The segment of an upright, or that which begins at a wedge. */
static int32_t segment_of(const tsr_chain *chain, int32_t chunk)
{
  return tsr__chain_is_wedge(chain, chunk) ? chunk / 2 : (chunk + 1) / 2;
}

/* What a step runs of a chunk along an axis. */
static range range_of_step(const tsr_chain *chain, const tsr_chain_step *s, int32_t chunk, int axis)
{
  const tsr_chain_tiles *t = &chain->tiles;
  range r = {s->lo[axis], s->end[axis]};
  if (axis > 0) return r;
  const int32_t i = segment_of(chain, chunk);
  if (tsr__chain_is_wedge(chain, chunk)) {
    r.lo = max64(r.lo, t->cuts[i] - s->down[0]);
    r.end = min64(r.end, t->cuts[i] + s->up[0]);
    return r;
  }
  if (i > 0) r.lo = max64(r.lo, t->cuts[i] + s->up[0]);
  if (i < t->n_segments - 1) r.end = min64(r.end, t->cuts[i + 1] - s->down[0]);
  return r;
}

/* What the bands of a chunk divide along an axis. A wedge is one band along axis 0. */
static range divided(const tsr_chain *chain, int32_t chunk, int axis)
{
  const tsr_chain_tiles *t = &chain->tiles;
  if (axis > 0) return (range){t->lo[axis], t->end[axis]};
  const int32_t i = segment_of(chain, chunk);
  if (tsr__chain_is_wedge(chain, chunk)) return (range){t->cuts[i], t->cuts[i]};
  return (range){t->cuts[i], t->cuts[i + 1]};
}

static int32_t n_bands_along(const tsr_chain *chain, int32_t chunk, int axis)
{
  const range r = divided(chain, chunk, axis);
  const int64_t band = chain->tiles.band[axis];
  return band == 0 || r.end - r.lo <= band ? 1 : (int32_t)((r.end - r.lo + band - 1) / band);
}

/* The first index whose coordinate is not less than `at`. */
static int64_t first_index(const tsr_chain_step *s, int axis, int64_t at)
{
  const int64_t stride = s->stride[axis], n = at - s->origin[axis];
  if (stride == 1) return n;
  return n > 0 ? (n + stride - 1) / stride : -(-n / stride);
}

static void set_axis(const tsr_chain_step *s, int axis, range r, tsr_box *box)
{
  const int k = s->axis[axis];
  if (r.end < r.lo) r.end = r.lo;
  if (k >= 0) {
    box->lo[k] = first_index(s, axis, r.lo);
    box->n[k] = first_index(s, axis, r.end) - box->lo[k];
    box->step[k] = 1;
  } else if (r.lo == r.end) {
    box->ndim = -1; /* a border beside the range */
  }
}

void tsr__chain_block_box(const tsr_chain_blocks *b, const tsr_box *part, int32_t block,
                          tsr_box *box)
{
  *box = *part;
  if (b->n == 0) return;
  TSR_ASSERT(block >= 0 && block < b->n);
  const int64_t begin = (int64_t)block * b->thickness, left = part->n[b->axis] - begin;
  box->lo[b->axis] += begin;
  box->n[b->axis] = left < b->thickness ? left : b->thickness;
}

/* The piece that has a chunk. */
static const tsr_chain_piece *piece_of(const tsr_chain *chain, int32_t chunk)
{
  const tsr_chain_piece *p = &chain->pieces[chain->n_pieces - 1];
  while (p->first > chunk) p--;
  return p;
}

int32_t tsr__chain_block(const tsr_chain *chain, int32_t chunk)
{
  TSR_ASSERT(chain->n_groups == 1);
  return piece_of(chain, chunk)->block;
}

int32_t tsr__chain_step_of(const tsr_chain *chain, int32_t group)
{
  const tsr_chain_tiles *t = &chain->tiles;
  for (int32_t q = 0; q < t->n_steps; q++)
    if (t->steps[q].group == group && t->steps[q].copy < 0) return q;
  return -1;
}

int32_t tsr__chain_n_bands(const tsr_chain *chain, int32_t chunk)
{
  int32_t n = 1;
  for (int k = 0; k < chain->ndim && chain->n_groups > 1; k++) n *= n_bands_along(chain, chunk, k);
  return n;
}

void tsr__chain_band_at(const tsr_chain *chain, int32_t chunk, int32_t band, tsr_chain_at *at)
{
  at->chunk = chunk;
  for (int k = 0; k < chain->ndim; k++) {
    const int32_t n = n_bands_along(chain, chunk, k), w = band % n;
    const int64_t begin = divided(chain, chunk, k).lo, length = chain->tiles.band[k];
    at->lo[k] = w > 0 ? begin + w * length : FAR_BELOW;
    at->end[k] = w < n - 1 ? begin + (w + 1) * length : FAR_ABOVE;
    band /= n;
  }
  TSR_ASSERT(band == 0);
}

void tsr__chain_step_band(const tsr_chain *chain, int32_t step, const tsr_chain_at *at,
                          tsr_box *box)
{
  TSR_ASSERT(step >= 0 && step < chain->tiles.n_steps);
  const tsr_chain_step *s = &chain->tiles.steps[step];
  box->ndim = s->ndim;
  for (int k = 0; k < chain->ndim; k++) {
    range r = range_of_step(chain, s, at->chunk, k);
    r.lo = max64(r.lo, at->lo[k] - s->down[k]);
    r.end = min64(r.end, at->end[k] - s->down[k]);
    set_axis(s, k, r, box);
  }
}

void tsr__chain_step_box(const tsr_chain *chain, int32_t step, int32_t chunk, tsr_box *box)
{
  TSR_ASSERT(step >= 0 && step < chain->tiles.n_steps);
  const tsr_chain_step *s = &chain->tiles.steps[step];
  box->ndim = s->ndim;
  for (int k = 0; k < chain->ndim; k++) set_axis(s, k, range_of_step(chain, s, chunk, k), box);
}

void tsr__chain_band(const tsr_chain *chain, int32_t group, int32_t chunk, int32_t band,
                     tsr_box *box)
{
  const int32_t step = chain->n_groups > 1 ? tsr__chain_step_of(chain, group) : -1;
  if (step < 0) {
    tsr__chain_box(chain, group, chunk, box);
    return;
  }
  tsr_chain_at at;
  tsr__chain_band_at(chain, chunk, band, &at);
  tsr__chain_step_band(chain, step, &at, box);
}

void tsr__chain_box(const tsr_chain *chain, int32_t group, int32_t chunk, tsr_box *box)
{
  TSR_ASSERT(group >= chain->first_group && group < chain->first_group + chain->n_groups);
  TSR_ASSERT(chunk >= 0 && chunk < chain->n_chunks);
  if (chain->n_groups > 1) {
    const int32_t step = tsr__chain_step_of(chain, group);
    box->ndim = -1;
    if (step >= 0) tsr__chain_step_box(chain, step, chunk, box);
    return;
  }
  const tsr_chain_piece *p = piece_of(chain, chunk);
  int32_t rest = chunk - p->first;
  box->ndim = chain->ndim;
  for (int k = chain->ndim - 1; k >= 0; k--) {
    int64_t lo = p->lo[k], end = p->end[k];
    if (p->n[k] > 1) {
      const int64_t step = p->step[k], at = (lo / step + rest % p->n[k]) * step;
      rest /= p->n[k];
      if (lo < at) lo = at;
      if (end > at + step) end = at + step;
    }
    TSR_ASSERT(lo < end);
    box->lo[k] = lo;
    box->n[k] = end - lo;
    box->step[k] = 1;
  }
  TSR_ASSERT(rest == 0);
}

/* The boxes between the first and the last are a whole step long. */
int64_t tsr__chain_longest(const tsr_chain *chain, int axis)
{
  int64_t longest = 0;
  TSR_ASSERT(axis >= 0 && axis < chain->ndim);
  for (int32_t i = 0; i < chain->n_pieces; i++) {
    const tsr_chain_piece *p = &chain->pieces[i];
    int64_t most = p->end[axis] - p->lo[axis];
    if (p->n[axis] > 2) most = p->step[axis];
    if (p->n[axis] == 2) {
      const int64_t cut = (p->lo[axis] / p->step[axis] + 1) * p->step[axis];
      TSR_ASSERT(p->lo[axis] < cut && cut < p->end[axis]);
      most = cut - p->lo[axis] > p->end[axis] - cut ? cut - p->lo[axis] : p->end[axis] - cut;
    }
    if (longest < most) longest = most;
  }
  return longest;
}

void tsr__chain_add_pieces(const tsr_chain *chain, tsr_text *t)
{
  for (int32_t i = 0; i < chain->n_pieces; i++) {
    const tsr_chain_piece *p = &chain->pieces[i];
    const struct {
      const char *name;
      const int64_t *v;
    } rows[] = {{"piece", p->lo}, {"to", p->end}, {"by", p->step}};
    for (int row = 0; row < 3; row++) {
      tsr__text_add(t, " %s", rows[row].name);
      for (int k = 0; k < chain->ndim; k++) tsr__text_add(t, " %lld", (long long)rows[row].v[k]);
    }
  }
}
