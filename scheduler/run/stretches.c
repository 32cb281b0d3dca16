/* Where one stretch ends and the next begins. */
#include "scheduler/run/stretches.h"
#include "runtime/base/alloc.h"
#include "scheduler/plan/chain.h"
#include "scheduler/plan/group.h"

/* The bytes that a chunk of the group touches. Of groups that are tiled over time none, since what
 * stays in a cache there does so within a chunk. */
static int64_t chunk_bytes(const tsr_plan *plan, const tsr_group *g)
{
  const tsr_chain *chain = tsr__chain_of(plan, g);
  if (tsr__box_is_empty(&g->part) || chain->n_groups > 1) return 0;
  return tsr__box_volume(&g->part) * g->footprint.point_bytes /
         (chain->n_chunks > 0 ? chain->n_chunks : 1);
}

int32_t *tsr__stretches_of_plan(const tsr_plan *plan)
{
  enum {
    UNKNOWN = 4 << 20, /* bytes of a cache of which nothing is known */
    SMALL = 64,        /* a chunk of so small a part of a stretch is a border's */
    LEAST = 6          /* large groups of a stretch: what is in memory gains from any reuse */
  };
  const int64_t known = tsr__l3_bytes_of_thread(&plan->scheduler->world->machine->topology),
                most = (known > 0 ? known : UNKNOWN) / 4 * 3;
  int32_t *stretch_of = tsr__calloc((size_t)plan->n_groups + 1, sizeof *stretch_of);
  int64_t bytes = 0;
  for (int32_t g = 0, stretch = 0, n_large = 0; g < plan->n_groups; g++) {
    const int64_t touched = chunk_bytes(plan, &plan->groups[g]),
                  more = touched < most ? touched : most;
    const bool is_large = more > most / SMALL; /* a border goes with what is before it */
    if (is_large && n_large >= LEAST && bytes + more > most) {
      stretch++;
      n_large = 0;
      bytes = 0;
    }
    n_large += is_large;
    bytes += more;
    stretch_of[g] = stretch;
  }
  return stretch_of;
}
