/* How far apart the elements lie that accesses to the same memory lead an index to. */
#ifndef TSR_PLAN_REACH_H
#define TSR_PLAN_REACH_H

#include "tessera/base.h"

/** The least and the greatest displacement of some accesses along each axis. */
typedef struct tsr_reach {
  bool any;
  int64_t lo[TSR_MAX_NDIM], hi[TSR_MAX_NDIM];
} tsr_reach;

/** Widen a reach to a point. */
static inline void tsr__reach_widen(tsr_reach *r, int ndim, const int64_t *at)
{
  for (int k = 0; k < ndim; k++) {
    if (!r->any || at[k] < r->lo[k]) r->lo[k] = at[k];
    if (!r->any || at[k] > r->hi[k]) r->hi[k] = at[k];
  }
  r->any = true;
}

#endif
