/* What the files of the verifier share. */
#ifndef TSR_PLAN_VERIFY_INT_H
#define TSR_PLAN_VERIFY_INT_H

#include "scheduler/plan/verify.h"

/** Note the first defect only: others follow from it. */
#define TSR_DEFECT(defect, ...)                                                                    \
  do {                                                                                             \
    if ((defect)->s == NULL) tsr__text_add((defect), __VA_ARGS__);                                 \
  } while (0)

/** The point to which the view leads an index. */
static inline void tsr__view_follow(const tsr_view *v, const int64_t *at, int64_t *point)
{
  for (int k = 0; k < v->rdim; k++) {
    point[k] = v->offset[k];
    for (int j = 0; j < v->ndim; j++) point[k] += v->step[k][j] * at[j];
  }
}

/** The number of a point of the region, row-major. */
static inline int64_t tsr__point_number(const tsr_plan_region *r, const int64_t *at)
{
  int64_t n = 0;
  for (int k = 0; k < r->ndim; k++) n = n * r->shape[k] + at[k];
  return n;
}

#endif
