/* What the files of grouping share: the state of the pass, and an op on its way into a group. */
#ifndef TSR_PLAN_GROUP_INT_H
#define TSR_PLAN_GROUP_INT_H

#include "scheduler/plan/group.h"
#include "scheduler/plan/planes.h"

/** One access of an op that has a group. */
typedef struct tsr_access_record {
  int32_t group;
  bool write;
  bool reduction; /* by a reduction or a task: the value is there only when the group has ended */
  const tsr_view *view;
  const tsr_box *box; /* in the plan's scratch */
} tsr_access_record;

/** What ops with a group do with a region. */
typedef struct tsr_region_state {
  tsr_access_record *v;
  int32_t n, capacity;
  /* the first group that may rename it: versions that are noted for recomputing have been written
   * before it */
  int32_t rename_after;
  bool is_deferred_input;
} tsr_region_state;

/** The groups so far. */
typedef struct tsr_grouping {
  tsr_plan *plan;
  const tsr_program *program;
  tsr_region_state *regions; /* by number of the plan region */
  int32_t cap_regions;
  tsr_plane *planes; /* [n_groups] that the group's ops touch */
  int32_t cap_planes;
  struct tsr_waiting *waiting; /* (group_wait.c) */
  const bool *alone; /* [n_ops] products that are to be groups of their own; NULL: there are none */
} tsr_grouping;

/** An op on its way into a group. */
typedef struct tsr_joining {
  const tsr_program_op *op;
  tsr_reads reads; /* none of the second half of an op */
  int32_t index;
  uint8_t role;
  int32_t out, temp; /* plan regions */
  const tsr_view *out_view;
  tsr_box *out_box; /* in the plan's scratch */
  bool out_exact;   /* out_box holds only points that are written */
  int32_t ndim;
  const int64_t *shape;
  const tsr_layout *cut;
  uint8_t strength;
  int32_t earliest; /* first group that it may join without renaming */
  int32_t earliest_renamed;
  bool self_conflict;
  bool may_rename, must_rename;
  tsr_plane plane; /* that it writes; of an op that makes a value, the first that it reads */
} tsr_joining;

/** Does the op make the region that it writes, or a temporary? */
static inline bool tsr__makes_its_region(const tsr_joining *p)
{
  return p->role == TSR_ROLE_TO_TEMP || (p->role == TSR_ROLE_WHOLE && p->op->creates);
}

/** The first group from which on the view, which leads to `box`, sees all writes made so far. */
int32_t tsr__after_writes(const tsr_region_state *s, const tsr_view *view, const tsr_box *box,
                          bool displaced);
/** Has the region been renamed since the read's version? Not before that has been noted. */
static inline bool tsr__is_stale(const tsr_grouping *x, const tsr_plan_read *in)
{
  return in->version != NULL && in->version->version < x->plan->regions[in->region].n_renames;
}
/** The first group in which what is read is there, among the groups so far. */
static inline int32_t tsr__after_read(const tsr_grouping *x, const tsr_plan_read *in)
{
  return in->stale ? in->version->after
                   : tsr__after_writes(&x->regions[in->region], in->view, &in->box, false);
}

/** Begin to look for ops that wait for the readers of their values. */
void tsr__waiting_begin(tsr_grouping *x);
/** Look at the ops from the one at this place of the order on, if none has been looked at
 * before. */
void tsr__waiting_look(tsr_grouping *x, int32_t at);
/** The first group for an op because of the readers that it waits for. */
int32_t tsr__waiting_until(const tsr_grouping *x, int32_t op);

/** Returns which ops multiply what is only summed then, so that both are to be a group of their own,
 * in the plan's scratch; NULL if none do (group_alone.c). */
bool *tsr__find_alone(const tsr_plan *plan, const tsr_program *program);

/** No firmer cut replaces that of the group any more (group.c). */
void tsr__fix_cut(tsr_plan *plan, int32_t group);

/** Choose the cut of the op's domain, and how strongly it is held: p->cut and p->strength
 * (group_cut.c). */
void tsr__choose_cut(const tsr_grouping *x, tsr_joining *p);

#endif
