/* Elided copies (elide.h). One scan of the groups in their order: when it meets a copy, it knows
 * which group touched the array last, and whether all that touches the temporary has passed. */
#include "scheduler/plan/elide.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/regions.h"

/** What is known of a region. */
typedef struct elide_use {
  int32_t n_left; /* accesses by ops that the scan has not met */
  int32_t last;   /* group that touched it last, or -1 */
  /* it cannot be written elsewhere: an op that is no task or reduction writes it, or one that does
   * not write it has read it */
  bool is_bound;
} elide_use;

typedef struct eliding {
  tsr_plan *plan;
  const tsr_program *program;
  elide_use *use;  /* [n_regions] */
  bool *is_elided; /* [n_ops] */
} eliding;

/* Counts how often ops read and write each region. */
static void count_accesses(const eliding *x)
{
  const tsr_plan *plan = x->plan;
  for (int32_t g = 0; g < plan->n_groups; g++)
    for (int32_t i = 0; i < plan->groups[g].n_ops; i++) {
      const int32_t op = plan->groups[g].ops[i].op;
      const tsr_reads *reads = &plan->reads.of[op];
      for (int32_t j = 0; j < reads->n; j++) x->use[reads->v[j].region].n_left++;
      x->use[x->program->ops[op].out].n_left++;
    }
}

/* Notes what an op touches, when the scan goes past it. */
static void pass(const eliding *x, int32_t group, const tsr_gop *gop)
{
  const tsr_program_op *op = &x->program->ops[gop->op];
  const tsr_reads *reads = &x->plan->reads.of[gop->op];
  for (int32_t j = 0; j < reads->n; j++) {
    elide_use *use = &x->use[reads->v[j].region];
    use->n_left--;
    use->last = group;
    use->is_bound |= reads->v[j].region != op->out;
  }
  elide_use *out = &x->use[op->out];
  out->n_left--;
  out->last = group;
  out->is_bound |= op->kind != TSR_OPKIND_TASK && op->kind != TSR_OPKIND_REDUCE;
}

/* Has the array, whose shape is the result's, also its dtype and layout? On one place, arrays of
 * one shape have one layout, whatever it is called. */
static bool lie_alike(const tsr_plan *plan, const tsr_plan_region *a, const tsr_plan_region *b)
{
  return a->dtype == b->dtype && (a->layout == b->layout || plan->n_places == 1);
}

/* May the op of the group be elided? The scan is about to pass it. */
static bool may_elide(const eliding *x, int32_t group, const tsr_gop *gop)
{
  const tsr_plan *plan = x->plan;
  const tsr_program_op *op = &x->program->ops[gop->op];
  if (op->kind != TSR_OPKIND_COPY || op->n_in != 1 || op->in[0].region < 0 ||
      gop->role != TSR_ROLE_WHOLE || op->deferred)
    return false;
  const int32_t from = op->in[0].region;
  const tsr_plan_region *t = &plan->regions[from], *a = &plan->regions[op->out];
  const elide_use *use = &x->use[from];
  if (t->exists || t->store || t->deferred || t->created_by < 0 || t->n_renames > 0 ||
      use->is_bound || use->n_left != 1 || x->use[op->out].last >= t->created_by ||
      tsr__version_at(plan, op->out, t->created_by) != tsr__version_at(plan, op->out, group + 1))
    return false;
  return tsr__views_all(&op->in[0].view->view, t->shape) &&
         tsr__views_all(&op->out_view->view, a->shape) && lie_alike(plan, t, a);
}

/* Goes through a group's ops, and finds those that are elided: what makes the temporary writes the
 * array. */
static void scan_group(const eliding *x, int32_t group)
{
  const tsr_group *g = &x->plan->groups[group];
  for (int32_t i = 0; i < g->n_ops; i++) {
    const tsr_gop *gop = &g->ops[i];
    const tsr_program_op *op = &x->program->ops[gop->op];
    x->is_elided[gop->op] = may_elide(x, group, gop);
    pass(x, group, gop);
    if (x->is_elided[gop->op])
      tsr__plan_take_over_region(x->plan, op->in[0].region, op->out, op->creates);
  }
}

void tsr__plan_elide(tsr_plan *plan, const tsr_program *p)
{
  eliding x = {.plan = plan, .program = p};
  x.use = tsr__arena_calloc(plan->scratch, (size_t)plan->n_regions + 1, sizeof *x.use);
  x.is_elided = tsr__arena_calloc(plan->scratch, (size_t)p->n_ops + 1, sizeof *x.is_elided);
  for (int32_t r = 0; r < plan->n_regions; r++) x.use[r].last = -1;
  count_accesses(&x);
  for (int32_t g = 0; g < plan->n_groups; g++) scan_group(&x, g);
  tsr__plan_drop_ops(plan, x.is_elided);
}
