/* Groups: ops over one iteration domain become one loop nest.
 *
 * Reads: ops, plan->reads, plan->split, the regions' layouts, plan->recompute. Writes:
 * plan->groups, of each its domain, cut, ops and renames; which regions are crossed, reduced and
 * deferred; which reads are stale and the boxes of the others; the versions of plan->recompute.
 * Tells regions.c who makes and renames regions, and how they are laid out. */
#ifndef TSR_PLAN_GROUP_H
#define TSR_PLAN_GROUP_H

#include "scheduler/plan/blocking.h"
#include "scheduler/plan/chain.h"
#include "scheduler/plan/chunks.h"
#include "scheduler/plan/footprint.h"
#include "scheduler/plan/lower.h"
#include "scheduler/plan/placement.h"
#include "scheduler/plan/transfers.h"

/** An op of a group, or half of one: an op that reads, displaced, the memory that it writes is
 * split into a write to a temporary and a copy from it. */
typedef enum tsr_role { TSR_ROLE_WHOLE, TSR_ROLE_TO_TEMP, TSR_ROLE_FROM_TEMP } tsr_role;

typedef struct tsr_gop {
  int32_t op;   /* number of the op in the program */
  uint8_t role; /* tsr_role */
  int32_t temp; /* plan region of the temporary, or -1 */
} tsr_gop;

/** How firmly a group's cut is chosen: freely, by the layout of an operand, or by existing memory
 * that the group writes. A firmer cut replaces a weaker one. */
typedef enum tsr_strength { TSR_CUT_FREE, TSR_CUT_OPERAND, TSR_CUT_FIXED } tsr_strength;

/** Ops over one iteration domain that run as one loop nest. Each field names the pass that writes
 * it; resize.c gives those that hold extents their new ones. */
typedef struct tsr_group {
  /* The next ones are written by group.c, where no other file is named. */
  int32_t ndim;
  int64_t shape[TSR_MAX_NDIM]; /* of the domain */
  const tsr_layout *cut;       /* of the domain over the places */
  uint8_t strength;            /* tsr_strength of the cut */
  uint8_t side;                /* tsr_side that the program asked for */
  /* it runs a C function over its accesses, which are in the order of the op's operands and then
   * its results; the kernel only declares them */
  bool is_task;
  bool is_user;   /* the task is the program's, not the library's */
  int64_t grain;  /* of a user's task: indices that are worth a chunk; 0: none was declared */
  uint32_t whole; /* of a user's task: bits of the axes that nothing cuts */
  /* it loads the halo of one region, which stays with the tile however wide it is, and computes
   * nothing: its part is empty */
  bool is_halo;
  tsr_gop *ops; /* [n_ops] each after those whose values it takes */
  int32_t n_ops, cap_ops;
  int32_t subexpression; /* of a long expression, the one that is computed here, or 0 (split.h) */
  int32_t n_again;       /* ops beside `ops` that are lowered into it (reads.h) */
  /* ops that read nothing that other ops of the group read, make or overwrite */
  int32_t n_strands;
  int32_t *renames; /* [n_renames] plan regions that get a new version here */
  int32_t n_renames, cap_renames;
  tsr_accesses accesses; /* lower.c, then those that its fields name (lower.h) */
  /* what this place computes of the domain; empty if nothing (slots.c) */
  tsr_box part;
  /* its parts have margins around the tiles of the cut, which other places compute, too
   * (deepen.c) */
  bool is_wide;
  tsr_margins wide; /* of the domain; read if it is wide (deepen.c) */
  /* the group begins an interval of groups, to this one: its messages bring what `early` loads of
   * them read, too; 0: it does not (deepen.c) */
  int32_t interval_end;
  tsr_margins rims;        /* of this place's part, which wait for messages (transfers.c) */
  tsr_chain_blocks blocks; /* in which it runs in place (blocking.c) */
  int32_t chain;           /* number of the chain that it belongs to (chunks.c) */
  tsr_footprint footprint; /* footprint.c */
  tsr_placed placed;       /* placement.c */
} tsr_group;

/** Is the group a task of the library's? Its messages and chunks keep to plan order (are
 * throttled), so that the gathered copies of at most two tasks of a chain are alive. A user's task
 * runs as a kernel does. */
static inline bool tsr__is_throttled(const tsr_group *g)
{
  return g->is_task && !g->is_user;
}

/** Is each point computed from what is around it: no task of the library's, nor one over blocks? */
static inline bool tsr__is_pointwise(const tsr_group *g)
{
  return !g->is_task || (g->is_user && g->accesses.weight == 1);
}

/** The chain that the group belongs to. After chunks.c. */
static inline const tsr_chain *tsr__chain_of(const tsr_plan *plan, const tsr_group *g)
{
  TSR_ASSERT(g->chain >= 0 && g->chain < plan->n_chains);
  return &plan->chains[g->chain];
}

/** In how many blocks the group runs: 1 if it is not blocked. */
static inline int32_t tsr__n_blocks(const tsr_group *g)
{
  return g->blocks.n > 1 ? g->blocks.n : 1;
}
/** This place's part of a block; the whole part of a group that is not blocked. */
static inline void tsr__block_box(const tsr_group *g, int32_t block, tsr_box *box)
{
  tsr__chain_block_box(&g->blocks, &g->part, block, box);
}
/** The slot that an access touches from a block: what each block writes has a slot of its own. */
static inline int32_t tsr__access_slot(const tsr_access *a, int32_t block)
{
  return a->gather >= 0 ? a->gather : a->by_block ? a->slot + block : a->slot;
}

/** Put every op of the program that runs into a group, in program order. */
void tsr__plan_group(tsr_plan *plan, const tsr_program *program);

/** Take ops out of their groups, and groups without ops out of the plan. is_out: [n_ops of the
 * program]. */
void tsr__plan_drop_ops(tsr_plan *plan, const bool *is_out);
/** Keep the groups order[0, n), in this order; no region names one that goes as its maker or as one
 * that renames it. What names groups by number is written anew. */
void tsr__plan_keep_groups(tsr_plan *plan, const int32_t *order, int32_t n);
/** Note that what makes region `from` writes `to`: it needs memory, and is as that is. */
void tsr__plan_take_over_region(tsr_plan *plan, int32_t from, int32_t to, bool makes);

/** Give the group the domain that it has in a program of other numbers. */
void tsr__plan_resize_domain(const tsr_plan *plan, tsr_group *g, const int64_t *shape);

#endif
