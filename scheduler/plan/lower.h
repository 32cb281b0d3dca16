/* Lowering: a group becomes one kernel and its accesses.
 *
 * Reads: groups, plan->reads, plan->recompute. Writes: of each group its accesses (but for
 * slots, gathered copies and origins), plan->scalars, plan->reductions (but for slot and
 * spread), plan->n_transient. */
#ifndef TSR_PLAN_LOWER_H
#define TSR_PLAN_LOWER_H

#include "scheduler/plan/plan.h"

/** One array access of a group's kernel. A load of a piecewise view is several of them, one
 * after the other: they have bounded views and take turns as one access of the kernel, chunk
 * by chunk. Written by lower.c where no other file is named. */
typedef struct tsr_access {
  int32_t number;     /* of the kernel's access that it is; ascending */
  int32_t region;     /* plan region; of a scratch access the plan reduction */
  int32_t slot;       /* version of the region in memory that it touches (slots.c) */
  bool by_block;      /* block b of the group writes slot + b (slots.c) */
  int32_t gather;     /* slot of the gathered copy that it reads instead, or -1 (transfers.c) */
  int32_t version;    /* renames of the region before; none of a scratch access */
  tsr_view_ref *view; /* domain -> region; counted */
  int64_t origin;     /* bytes from the slot's memory to index 0 of the domain (bases.c) */
  bool store;         /* else a load */
  bool early;         /* a load of what is there when its interval begins (deepen.c) */
  bool scratch;       /* the values that a reduction takes: dense over the chunk */
  int32_t source;     /* scratch: the load whose values these are unchanged, or -1 */
} tsr_access;

/** Does the access lead somewhere from this chunk? A chunk lies on one side of every seam of a
 * piecewise view. */
static inline bool tsr__is_active(const tsr_access *a, const tsr_box *chunk)
{
  if (!a->view->view.bounded) return true;
  const tsr_box bounds = tsr__view_bounds(&a->view->view);
  return tsr__box_contains(&bounds, chunk);
}

/** The kernel of a group and what it accesses. Written by lower.c; the strides by bases.c. */
typedef struct tsr_accesses {
  tsr_access *v; /* [n] */
  int32_t n;
  int64_t (*strides)[TSR_MAX_NDIM];      /* [n] bytes per step of each domain axis (bases.c) */
  tsr_kernel *kernel;                    /* owned by the plan */
  int32_t first_scalar, n_scalars;       /* range in plan->scalars */
  int32_t first_reduction, n_reductions; /* range in plan->reductions */
  /* of a library's task. NULL: a user's task, that of ops[0]; its outputs are the ops after that */
  const tsr_task_info *task_info;
  tsr_task_shape task; /* what a task's function is told of its arrays */
  int64_t weight;      /* points per index of the domain: 1 but for user's tasks over blocks */
  bool only_reduces;   /* it reduces what it loads, unchanged: every stored access has a source */
  /* the two accesses if the group does nothing but sum their products, else -1 */
  int32_t factors[2];
  bool conjugates; /* these are of the conjugates of the first */
} tsr_accesses;

/** Are some views bounded? Then no chunk lies on both sides of a seam. */
static inline bool tsr__has_seams(const tsr_accesses *a)
{
  return a->n > a->kernel->n_accesses;
}

static inline tsr_dtype tsr__access_dtype(const tsr_accesses *a, int32_t access)
{
  return (tsr_dtype)a->kernel->accesses[a->v[access].number].dtype;
}

/** How the partials of a reduction become its result. */
typedef enum tsr_spread {
  TSR_SPREAD_LOCAL, /* every place computes all of it: no message */
  TSR_SPREAD_TREE,  /* partials go up a binomial tree of all places, the result comes down again */
  TSR_SPREAD_OWNER  /* partials go to the owner of the result's tile */
} tsr_spread;

/** A reduction of a plan. Written by lower.c; slot by slots.c; what follows it by transfers.c. */
typedef struct tsr_plan_reduction {
  int32_t group, op;       /* op: number of the op in the program */
  tsr_reduction code;      /* how partials combine */
  uint8_t compute, result; /* tsr_dtype of the partials and of the result */
  uint32_t axes_mask;      /* bit k: axis k of the domain is reduced */
  bool keepdims;           /* reduced axes stay, with length 1 */
  tsr_tree tree;           /* the fixed order of combination, over global indices */
  int32_t region;          /* plan region of the result */
  int32_t slot;            /* of the result */
  /* Each chunk of the group has all points that go into its results, and stores these (chunks.c).
   * That holds for all reductions of a group or for none. Where it does not, partials are
   * collected, and tasks of their own finish them. */
  bool by_chunk;
  uint8_t spread; /* tsr_spread */
  /* box of the domain whose unreduced axes are those of the partials that are collected here */
  tsr_box kept;
  int32_t *sources;     /* [n_sources] places whose partials arrive here */
  size_t *source_bytes; /* [n_sources] of these partials when they are packed, alike on both ends */
  int32_t n_sources;
  int32_t up;      /* place that gets the partials of this one, or -1 */
  size_t up_bytes; /* of these partials when they are packed */
  int32_t *down;   /* [n_down] places that get the result from this one (TREE) */
  int32_t n_down;
  uint32_t tag_up, tag_down; /* number of the message within the plan */
} tsr_plan_reduction;

/** Returns the results of a box of the domain, which has all points along the reduced axes, as a
 * box of the region of the result: there these axes are one point long, or missing. */
tsr_box tsr__reduced_box(const tsr_plan_reduction *r, const tsr_box *box);

/** A scalar operand of a kernel: where a run finds its value. Written by lower.c. */
typedef struct tsr_scalar_ref {
  int32_t op, in; /* number of the op in the program, and of its operand */
  uint8_t dtype;  /* tsr_dtype that the value is cast to */
} tsr_scalar_ref;

/** Write the numbers of reductions' groups anew. now: [n_groups] of each before. */
void tsr__plan_renumber_reductions(tsr_plan *plan, const int32_t *now);

/** Whose view an access has. */
typedef struct tsr_view_source {
  int32_t op; /* number of the op in the program; -1: the access has no op's view */
  int32_t in; /* number of its operand; -1: what it writes */
} tsr_view_source;

/** Give the group's accesses and reductions the views and trees that they have in a program of
 * other numbers. source: [accesses] whose views they have. */
void tsr__plan_resize_accesses(const tsr_plan *plan, const tsr_program *p, tsr_group *g,
                               const tsr_view_source *source);

/** Lower all groups: one kernel each, with every (region, view) loaded once and stored once. */
void tsr__plan_lower(tsr_plan *plan, const tsr_program *p);

#endif
