/* Chains: chunk number -> box is arithmetic, so a plan keeps pieces, never boxes. A box that begins
 * or ends inside a step is one at the border of its piece. */
#include "scheduler/plan/chain.h"

void tsr__chain_box(const tsr_chain *chain, int32_t group, int32_t chunk, tsr_box *box)
{
  TSR_ASSERT(group >= chain->first_group && group < chain->first_group + chain->n_groups);
  TSR_ASSERT(chunk >= 0 && chunk < chain->n_chunks);
  (void)group; /* all groups of a chain run in the same box, since there is one */
  const tsr_chain_piece *p = &chain->pieces[chain->n_pieces - 1];
  while (p->first > chunk) p--;
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
