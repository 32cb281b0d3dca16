/* The images of steps. A coordinate along a periodic axis is a point of a circle, which is cut open
 * at one point: each step runs one period, [c + up(q), c + period + up(q)). So what a step q
 * depends on lies in the period of the earlier step, or a whole period below it, and has run. A
 * step's part may begin before its period does, or end behind it; what is outside is a period
 * further on, in an image with another origin. Where reads are in pieces, each image lies on one
 * side of all seams. */
#include "scheduler/plan/tiling_int.h"

typedef struct imaging {
  const tsr_tiling *t;
  tsr_chain_tiles *tiles;
  int32_t capacity, n_of_step;
} imaging;

static void add_image(imaging *x, const tsr_chain_step *s)
{
  tsr_chain_tiles *tiles = x->tiles;
  tiles->steps = tsr__arena_grow(x->t->plan->scratch, tiles->steps, tiles->n_steps, &x->capacity,
                                 sizeof *tiles->steps);
  tiles->steps[tiles->n_steps] = *s;
  tiles->steps[tiles->n_steps++].image = x->n_of_step++;
}

/* Is the axis a circle for the chain? An axis that is one band is none: its points go
 * together. */
static bool is_circle(const imaging *x, int axis)
{
  return x->t->axes.period[axis] > 0 &&
         (x->tiles->band[axis] > 0 || (axis == 0 && x->tiles->n_segments > 1));
}

/* Adds the images of a step, from an axis on. */
static void add_images(imaging *x, const tsr_chain_step *s, int axis)
{
  while (axis < x->t->ndim && !is_circle(x, axis)) axis++;
  if (axis == x->t->ndim) {
    add_image(x, s);
    return;
  }
  const int64_t period = x->t->axes.period[axis];
  const int64_t from = x->tiles->lo[axis] + s->up[axis], to = from + period;
  int64_t by = 0; /* how far the image lies from the step */
  while (s->end[axis] + by > from) by -= period;
  for (by += period; s->lo[axis] + by < to; by += period) {
    tsr_chain_step image = *s;
    image.origin[axis] += by;
    image.lo[axis] = tsr__max64(s->lo[axis] + by, from);
    image.end[axis] = s->end[axis] + by < to ? s->end[axis] + by : to;
    if (image.lo[axis] < image.end[axis]) add_images(x, &image, axis + 1);
  }
}

/* Adds those of the box of a step's part. */
static void add_box(imaging *x, const tsr_chain_step *s, const tsr_box *box)
{
  tsr_chain_step in_box = *s;
  for (int k = 0; k < x->t->ndim; k++) {
    const int j = s->axis[k];
    if (j < 0) continue;
    in_box.lo[k] = s->origin[k] + s->stride[k] * box->lo[j];
    in_box.end[k] = in_box.lo[k] + s->stride[k] * (box->n[j] - 1) + 1;
  }
  add_images(x, &in_box, 0);
}

/* Adds those of a group, whose reads may be in pieces. */
static void add_pieces(imaging *x, const tsr_chain_step *s, const tsr_box *box)
{
  int axis;
  int64_t at;
  tsr_box after = *box;
  if (!tsr__find_seam(&x->t->plan->groups[s->group], box, &axis, &at)) {
    add_box(x, s, box);
    return;
  }
  const tsr_box before = tsr__cut_off(&after, axis, at);
  add_pieces(x, s, &before);
  add_pieces(x, s, &after);
}

void tsr__make_images(const tsr_tiling *t, int32_t n, tsr_chain_tiles *tiles)
{
  imaging x = {.t = t, .tiles = tiles};
  for (int32_t q = 0; q < n; q++) {
    const tsr_chain_step *s = &t->steps[q];
    x.n_of_step = 0;
    if (s->copy >= 0)
      add_images(&x, s, 0);
    else
      add_pieces(&x, s, &t->plan->groups[s->group].part);
    TSR_ASSERT(x.n_of_step > 0);
  }
}
