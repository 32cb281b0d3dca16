/* The binding of a plan: what its numbers mean in one run. */
#ifndef TSR_RUN_BIND_H
#define TSR_RUN_BIND_H

#include "scheduler/memory/storage.h"
#include "scheduler/plan/buffers.h"

/** What the numbers of a plan mean in one run. */
typedef struct tsr_binding {
  tsr_region **regions; /* window regions by plan number (temporaries have none) */
  int32_t n_regions;
  tsr_scalar *scalars;     /* [plan->n_scalars] */
  tsr_instance *instances; /* [plan->n_slots] */
  void **buffers;          /* [plan->n_buffers] */
  uint8_t *spaces;         /* [plan->n_buffers] tsr_space */
  bool any_spilled;        /* some are not the place's own memory, which is a device's */
  bool *on_host;           /* [plan->n_groups] the host runs it; false where it is the device */
  bool *is_hosts;          /* [plan->n_buffers] must be where the host reaches it */
  bool is_mixed;           /* groups of the device reach some of these, or copies lead across */
  tsr_task_call **calls; /* [plan->n_groups] of users' tasks, borrowed from their ops; else NULL */
  uint32_t tag_base;
  const int64_t (*shift)[TSR_MAX_NDIM]; /* as in the selection */
  bool *taken;                          /* [plan->n_buffers] scratch of the commit */
  bool replay_check;                    /* existing memory is bound as copies */
} tsr_binding;

/** Is the buffer the binding's own, not memory of a region that exists? */
static inline bool tsr__binds_own(const tsr_plan *plan, const tsr_binding *b, int32_t buffer)
{
  return b->replay_check || plan->buffers[buffer].region < 0;
}

/** Bind memory; TSR_ERR_MEMORY if this rank cannot. On failure no value has changed. */
tsr_status tsr__bind(tsr_plan *plan, const tsr_window *w, const tsr_selection *sel,
                     bool replay_check, tsr_binding *b);

/** A binding without memory, for plans that this rank cannot run but must follow: committing it
 * leaves the storages as on the ranks that ran them, all but the data. */
void tsr__bind_nothing(tsr_plan *plan, const tsr_selection *sel, tsr_binding *b);

/** Hand the buffers over to the regions' storage, free the others. */
void tsr__bind_commit(tsr_plan *plan, tsr_binding *b);

/** Give back what bind allocated. */
void tsr__bind_drop(tsr_plan *plan, tsr_binding *b);

#endif
