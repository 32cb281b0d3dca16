/* Whether two arrays share elements: views of one region whose images meet. Nothing is
 * computed, so nobody waits. */
#include "array/core/steps.h"

/* Looks up both arrays. Returns whether they are views of one region, and have elements. */
static bool are_of_one_region(const tsr_location *where, tsr_operand x, tsr_operand y,
                              const tsr_view *views[2])
{
  tsr_steps s = tsr__steps_begin(where);
  tsr_value a, b;
  bool are = false;
  if (tsr__as_array(s.c, where, x, &a) && tsr__as_array(s.c, where, y, &b) &&
      a.region == b.region) {
    views[0] = &a.view->view;
    views[1] = &b.view->view;
    are = true;
    for (int i = 0; i < 2; i++)
      for (int k = 0; k < views[i]->ndim; k++) are &= views[i]->shape[k] > 0;
  }
  tsr__steps_end(&s, tsr_null());
  return are;
}

static tsr_box indices_of(const tsr_view *v)
{
  return tsr__box_of_shape(v->ndim, v->shape);
}

/* Does the last point of box a come before the first of box b, in row-major order? */
static bool is_before(const tsr_box *a, const tsr_box *b)
{
  for (int k = 0; k < a->ndim; k++) {
    const int64_t end = tsr__box_end(a, k) - 1;
    if (end != b->lo[k]) return end < b->lo[k];
  }
  return false;
}

bool tsr_may_share_memory_at(const tsr_location *where, tsr_operand x, tsr_operand y)
{
  const tsr_view *views[2];
  tsr_box images[2];
  if (!are_of_one_region(where, x, y, views)) return false;
  for (int i = 0; i < 2; i++) {
    const tsr_box all = indices_of(views[i]);
    tsr__view_image(views[i], &all, &images[i]);
  }
  return !is_before(&images[0], &images[1]) && !is_before(&images[1], &images[0]);
}

/* Does the view lead an index to a point of the box? -1: maybe. */
static int reaches(const tsr_view *v, const tsr_box *box)
{
  tsr_box indices;
  if (!tsr__view_meets(v, box, &indices)) return 0;
  if (v->ndim == 0) return 1;
  const bool is_exact = tsr__view_preimage(v, box, &indices);
  if (tsr__box_is_empty(&indices)) return 0;
  return is_exact ? 1 : -1;
}

bool tsr_shares_memory_at(const tsr_location *where, tsr_operand x, tsr_operand y)
{
  const tsr_view *views[2];
  if (!are_of_one_region(where, x, y, views)) return false;
  for (int i = 0; i < 2; i++) { /* the points of one, if they are a box, in the other */
    const tsr_box all = indices_of(views[i]);
    tsr_box image;
    const bool is_exact = tsr__view_image(views[i], &all, &image);
    const int found = reaches(views[1 - i], &image);
    if (found == 0 || (found == 1 && (is_exact || views[i]->rdim == 0))) return found;
  }
  /* Each point of the first by itself. */
  const tsr_box all = indices_of(views[0]);
  tsr_box_walk points;
  for (const int64_t *at = tsr__box_first(&points, &all); at != NULL; at = tsr__box_next(&points)) {
    int64_t end[TSR_MAX_NDIM];
    for (int k = 0; k < all.ndim; k++) end[k] = at[k] + 1;
    const tsr_box one = tsr__box_dense(all.ndim, at, end);
    tsr_box point;
    tsr__view_image(views[0], &one, &point);
    if (reaches(views[1], &point) != 0) return true;
  }
  return false;
}
