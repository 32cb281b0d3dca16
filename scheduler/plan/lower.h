/* Lowering: a group becomes one kernel and its accesses.
 *
 * Reads: groups, plan->recompute. Writes: of each group its accesses (but for slots, gathered
 * copies and origins), plan->scalars, plan->reductions (but for slot and spread),
 * plan->n_transient. */
#ifndef TSR_PLAN_LOWER_H
#define TSR_PLAN_LOWER_H

#include "scheduler/plan/plan.h"

/** One array access of a group's kernel. */
typedef struct tsr_access {
  int32_t region;     /* plan region */
  int32_t slot;       /* version of the region that it touches (slots.c) */
  int32_t gather;     /* slot of a private copy of what it reads, or -1 (transfers.c) */
  int32_t version;    /* of the region: renames before it; a scratch has none */
  tsr_view_ref *view; /* domain -> region; counted */
  int64_t origin;     /* bytes from the slot's memory to domain index 0 (bases.c) */
  bool store;
  bool scratch;   /* the values of a reduction: dense over the chunk; `region` is the
                     reduction's number */
  int32_t source; /* scratch: access whose values these are unchanged, or -1 (lower.c) */
  bool partial;   /* a load where the domain meets `within` only (roll): one of several that take
                     turns as access `instead` of the kernel, which is the first of them */
  int32_t instead;
  tsr_box within;
} tsr_access;

/** Is the access in use for this chunk, which lies on one side of every seam? */
static inline bool tsr__is_active(const tsr_access *a, const tsr_box *chunk)
{
  return !a->partial || tsr__box_contains(&a->within, chunk);
}

/** The kernel of a group and what it accesses. Written by lower.c; the strides by bases.c. */
typedef struct tsr_accesses {
  tsr_access *v;
  int32_t n;
  int64_t (*strides)[TSR_MAX_NDIM];      /* [n] bytes per domain axis (bases.c) */
  tsr_kernel *kernel;                    /* owned by the plan */
  int32_t first_scalar, n_scalars;       /* plan scalars */
  int32_t first_reduction, n_reductions; /* plan reductions */
  const tsr_task_info
      *task_info; /* of a task of the library's. NULL: a user's, that of ops[0], whose
                                     outputs follow */
  tsr_task_shape task;
  int64_t weight;     /* points per index of the domain: of a user's task over blocks, else 1 */
  bool is_piecewise;  /* some loads are partial: no chunk lies on both sides of a seam */
  bool only_reduces;  /* what it loads, unchanged: every access that is stored has a source */
  int32_t factors[2]; /* accesses: all that it does is to sum their products; -1: it is not */
} tsr_accesses;

typedef enum tsr_spread {
  TSR_SPREAD_LOCAL, /* every place computed all of it */
  TSR_SPREAD_TREE,  /* up a binomial tree of all places, result down again */
  TSR_SPREAD_OWNER  /* partials go to the owner of the result's tile */
} tsr_spread;

typedef struct tsr_plan_reduction {
  int32_t group, op; /* op: window index, for its code and place */
  tsr_reduction code;
  uint8_t compute, result;
  uint32_t axes_mask;
  bool keepdims;
  tsr_tree tree;
  int32_t region; /* of the result */
  int32_t slot;
  uint8_t spread;
  tsr_box kept;     /* what is collected here: the domain box whose kept axes the partials cover */
  int32_t *sources; /* places whose partials arrive here */
  int32_t n_sources;
  int32_t up;    /* place that gets mine, or -1 */
  int32_t *down; /* places that get the result from me (TREE) */
  int32_t n_down;
  uint32_t tag_up, tag_down;
} tsr_plan_reduction;

typedef struct tsr_scalar_ref {
  int32_t op, in; /* operand of the window */
  uint8_t dtype;  /* it is cast to */
} tsr_scalar_ref;

void tsr__plan_lower(tsr_plan *plan, const tsr_window *w);

#endif
