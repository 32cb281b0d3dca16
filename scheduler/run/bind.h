/* The binding of a plan: what its numbers mean in one run. */
#ifndef TSR_RUN_BIND_H
#define TSR_RUN_BIND_H

#include "scheduler/memory/residency.h"
#include "scheduler/plan/buffers.h"
#include "scheduler/plan/placement.h"

/** What the numbers of a plan mean in one run. Written by bind.c; memory spaces and placement by
 * fit.c and place.c. The arrays belong to the plan. */
typedef struct tsr_binding {
  /* [n_regions] the window's regions by plan number; temporaries have none */
  tsr_region **regions;
  int32_t n_regions;
  tsr_scalar *scalars;     /* [plan->n_scalars] values of scalar operands */
  tsr_instance *instances; /* [plan->n_slots] how each slot lies, with its memory */
  tsr_block *buffers;      /* [plan->n_buffers] without data: not bound yet */
  /* some buffer of a device's place is spilled: not in the device's memory */
  bool any_spilled;
  /* [plan->n_groups] the host runs the group; else the device does (place.c) */
  bool *on_host;
  double (*cluster_ns)[TSR_N_SIDES]; /* [plan->n_clusters] cost per side in this run (place.c) */
  bool *clusters_on_host;            /* [plan->n_clusters] the host runs the cluster (place.c) */
  bool *is_hosts; /* [plan->n_buffers] must be where the host reaches it (place.c) */
  /* device's groups touch some of these, or copies lead across (place.c) */
  bool is_mixed;
  tsr_task_call **calls; /* [plan->n_groups] of users' tasks, borrowed from their ops; else NULL */
  uint32_t edition;      /* of the plan, whose slots `instances` lie as */
  uint32_t tag_base;     /* number of the plan's first message in the program */
  const int64_t (*shift)[TSR_MAX_NDIM]; /* as in tsr_names: offsets of a moving window */
  bool *is_taken;                       /* [plan->n_buffers] a region takes it over at the end */
  bool *may_grow;                       /* [plan->n_slots] its array's memory may be too small */
  bool replay_check;                    /* a replay check: existing memory is bound as copies */
  bool is_empty; /* no memory is bound: this rank follows the plan, but cannot run it */
} tsr_binding;

/** Does the buffer belong to the binding, not to a region that exists? */
static inline bool tsr__binds_own(const tsr_plan *plan, const tsr_binding *b, int32_t buffer)
{
  return b->replay_check || plan->buffers[buffer].region < 0;
}

/** Bind memory and scalars for one run. TSR_ERR_MEMORY if this rank has no memory; then no value
 * has changed. */
tsr_status tsr__bind(tsr_plan *plan, const tsr_window *w, const tsr_names *names, bool replay_check,
                     tsr_binding *b);

/** Give the scalars of a binding the values that they have in the window. */
void tsr__bind_scalars(const tsr_plan *plan, const tsr_window *w, tsr_binding *b);

/** The region takes over a final slot. Where that is new, it lies as `made` says, in a block of so
 * many bytes. */
void tsr__take_over(const tsr_plan *plan, int32_t slot, tsr_region *region,
                    const tsr_instance *made, size_t bytes);

/** Bind no memory, for a plan that this rank cannot run but must follow. Changes no storage. */
void tsr__bind_nothing(tsr_plan *plan, const tsr_names *names, bool replay_check, tsr_binding *b);

/** Hand the final buffers over to the regions' storage and free the others. After a run. An empty
 * binding leaves the storages as on the ranks that ran the plan, but for the data. */
void tsr__bind_commit(tsr_plan *plan, tsr_binding *b);

/** Give back what tsr__bind allocated, without a run. */
void tsr__bind_drop(tsr_plan *plan, tsr_binding *b);

#endif
