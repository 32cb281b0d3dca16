/* Time tiling: consecutive groups that read each other's results at small distances become one
 * chain, which goes through them tile by tile while the tile is in a core's cache.
 *
 * Reads: accesses, part, footprint, slots and their buffers, copies, messages. Writes: the tiles of
 * a chain of several groups, plan->n_tiled. */
#ifndef TSR_PLAN_TILING_H
#define TSR_PLAN_TILING_H

#include "scheduler/plan/chain.h"
#include "scheduler/plan/plan.h"

/** The greatest distance along an axis between steps of a chain. */
enum { TSR_MOST_DISTANCE = 64 };

/** What was found out about the groups behind a first one, and how many of those behind its chain
 * are to be chains as long as it is. */
typedef struct tsr_chain_look {
  int32_t n_seen;    /* groups looked at: none of them begins a chain if the first does not */
  uint8_t end;       /* tsr_chain_end: why there are no more, or why there is no chain */
  int32_t end_group; /* the first that is not in the chain, or that it does not begin with */
  /* the same of the steps that were looked at, where they do not pay */
  uint8_t steps_end;
  int32_t steps_end_group;
  tsr_compared compared;  /* what was, of the chain or of those steps */
  int32_t n_each, n_left; /* groups of such a chain; of all of them, from end_group on */
  int32_t alone_end;      /* chains that begin before it have no strangers: with them, none pays */
} tsr_chain_look;

/** What steps over arrays take, per point of the largest: the numbers that say what tiling pays. */
typedef struct tsr_steps_cost {
  int32_t n_steps;
  int ndim;
  int64_t length[TSR_MAX_NDIM]; /* of the steps' parts */
  int64_t lean[TSR_MAX_NDIM];   /* by which the parts of a band lie apart, first step to last */
  uint32_t whole;               /* bit k: bands do not divide axis k */
  int32_t n_cuts;               /* of axis 0 into segments; 0: they are not known */
  int64_t held_bytes;           /* of all arrays together */
  int64_t moved_bytes;          /* where each is loaded, and stored if it is written, once */
  double alone_bytes;           /* that the steps move one by one */
  double alone_instrs;          /* the instructions of the steps */
  int64_t least_points;         /* of a band: the greatest grain of a task */
} tsr_steps_cost;

/** Do so many steps pay to be tiled beside so many reductions of what they make? Values of bands
 * rise through the tree in more and smaller boxes than those of chunks. Of whole or long rows that
 * is cheap, so a sum every two steps gains by tiling. Sums beside every step are not tiled: the
 * values of all of them would wait in memory at once. */
static inline bool tsr__reduces_seldom(int64_t n_steps, int64_t n_reductions)
{
  return 2 * n_reductions <= n_steps;
}

/** Do the steps pay to be tiled, if a core has a cache of so many bytes? */
bool tsr__steps_pay(const tsr_steps_cost *cost, int64_t cache_bytes);

/** Tile a chain of the groups from `first` on, if it pays, or if TESSERA_TIME_STEPS asks for it.
 * Returns how many groups are in it; 0: none, and nothing is written. *look: of the last call
 * of this plan, or zeros. A local choice: no result and no message depends on it. Cost: a look at
 * the groups ahead, once for all chains of equal length that they become. */
int32_t tsr__tile_time(tsr_plan *plan, int32_t first, tsr_chain_tiles *tiles, tsr_chain_look *look);

/** What an end of a chain is called in dumps. */
const char *tsr__chain_end_text(tsr_chain_end end);

#endif
