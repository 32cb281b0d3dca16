/* Reductions of few elements become folds (fold.h).
 *
 * Everything here follows from ops, views and layouts, alike on every rank, and from no offset into
 * an existing region, since offsets may differ where a plan is replayed. What is guessed of the
 * layout of a region that does not exist yet decides what messages cost, never a value.
 *
 * Cost: where some reduction is of few elements, a layout per op; an op and its views per fold. */
#include "scheduler/plan/cut.h"

#include <string.h>

enum {
  MOST_IN_A_ROW = 15
}; /* elements in one row of memory: the tree takes more of them as vectors, which is faster */

typedef struct finding {
  tsr_plan *plan;
  const tsr_program *program;
  const tsr_layout **layouts; /* [n_regions] as far as they are known; NULL: not made yet */
} finding;

/* Do the reduced axes lead along the last axis of the region? */
static bool is_in_a_row(const tsr_view *view, uint32_t axes_mask)
{
  for (int j = 0; j < view->ndim && view->rdim > 0; j++)
    if ((axes_mask >> j & 1) && view->shape[j] > 1 && view->step[view->rdim - 1][j] != 0)
      return true;
  return false;
}

int32_t tsr__few_elems(const tsr_config *config, tsr_reduction code, const tsr_view *view,
                       uint32_t axes_mask, int64_t n_results)
{
  if (tsr__reduce_has_index(code) || n_results <= 1) return 0;
  int64_t n = 1, most = config->fold_max;
  if (most > MOST_IN_A_ROW && is_in_a_row(view, axes_mask)) most = MOST_IN_A_ROW;
  for (int k = 0; k < view->ndim && n <= most; k++)
    if (axes_mask >> k & 1) n *= view->shape[k];
  return n <= most ? (int32_t)n : 0;
}

/* The elements per result of a reduction that may be a fold by its operand's view; 0: it may
 * not. */
static int32_t n_elems_of(const finding *x, const tsr_program_op *op)
{
  if (op->kind != TSR_OPKIND_REDUCE || op->action != TSR_ACT_RUN || op->in[0].region < 0) return 0;
  return tsr__few_elems(&x->plan->scheduler->world->config, (tsr_reduction)op->code,
                        &op->in[0].view->view, op->axes_mask, x->program->regions[op->out].n_elems);
}

/* Whether the layout cuts an axis of the region along which only reduced axes lead. Then a fold
 * would bring all elements to one place, where partial results cost less. */
static bool is_cut(const tsr_layout *layout, const tsr_view *view, uint32_t axes_mask)
{
  for (int k = 0; k < view->rdim && !layout->replicated; k++) {
    if (layout->n_tiles[k] <= 1) continue;
    uint32_t leads = 0;
    for (int j = 0; j < view->ndim; j++)
      if (view->shape[j] > 1 && view->step[k][j] != 0) leads |= 1u << j;
    if (leads != 0 && (leads & ~axes_mask) == 0) return true;
  }
  return false;
}

/* The layout that a region which the op makes is likely to get: that of its largest operand,
 * or what an array of its shape gets. */
static const tsr_layout *likely_layout(const finding *x, const tsr_program_op *op)
{
  tsr_scheduler *s = x->plan->scheduler;
  const tsr_program_region *out = &x->program->regions[op->out];
  const bool follows = op->kind != TSR_OPKIND_REDUCE && op->kind != TSR_OPKIND_TASK &&
                       tsr__view_is_identity(&op->out_view->view);
  const tsr_program_in *largest = NULL;
  for (int i = 0; i < op->n_in && follows; i++) {
    const tsr_program_in *in = &op->in[i];
    if (in->region < 0 || x->layouts[in->region] == NULL || x->layouts[in->region]->replicated ||
        in->view->view.bounded || !tsr__view_is_separable(&in->view->view))
      continue;
    const int64_t n = x->program->regions[in->region].n_elems;
    if (largest == NULL || n > x->program->regions[largest->region].n_elems) largest = in;
  }
  return largest != NULL && out->n_elems > 0
             ? tsr__layout_pullback(s->layouts, x->layouts[largest->region], &largest->view->view)
             : tsr__layout_for(s, out->ndim, out->shape, tsr__program_op_grain(op));
}

void tsr__plan_find_folds(tsr_plan *plan, const tsr_program *p)
{
  finding x = {plan, p, NULL};
  int32_t first = 0;
  plan->folds = (tsr_folds){.n_elems = NULL};
  while (first < p->n_ops && n_elems_of(&x, &p->ops[first]) == 0) first++;
  if (first == p->n_ops) return;
  x.layouts = tsr__arena_calloc(plan->scratch, (size_t)p->n_regions + 1, sizeof *x.layouts);
  plan->folds.n_elems = tsr__arena_calloc(plan->scratch, (size_t)p->n_ops, 1);
  for (int32_t r = 0; r < p->n_regions; r++)
    if (p->regions[r].exists) x.layouts[r] = p->regions[r].stored.layout;
  for (int32_t i = 0; i < p->n_ops; i++) {
    const tsr_program_op *op = &p->ops[i];
    if (op->action != TSR_ACT_RUN) continue;
    const int32_t n = n_elems_of(&x, op);
    if (n > 0 && !is_cut(x.layouts[op->in[0].region], &op->in[0].view->view, op->axes_mask))
      plan->folds.n_elems[i] = (uint8_t)n;
    if (x.layouts[op->out] == NULL) x.layouts[op->out] = likely_layout(&x, op);
  }
}

int32_t tsr__fold_elems(const tsr_plan *plan, int32_t op)
{
  return plan->folds.n_elems != NULL ? plan->folds.n_elems[op] : 0;
}

/* The view of what is reduced, at one index of the reduced axes. */
static tsr_view_ref *element_view(tsr_plan *plan, const tsr_program_op *op, const int64_t *at)
{
  tsr_view view;
  tsr_folds *f = &plan->folds;
  tsr__view_copy(&view, &op->in[0].view->view);
  int next = __builtin_popcount(op->axes_mask);
  for (int k = view.ndim - 1; k >= 0; k--) {
    if (!(op->axes_mask >> k & 1)) continue;
    next--;
    if (op->keepdims)
      tsr__view_slice(&view, k, at[next], 1, 1);
    else
      tsr__view_index(&view, k, at[next]);
  }
  TSR_ASSERT(next == 0);
  f->views = tsr__arena_grow(plan->scratch, f->views, f->n_views, &f->cap_views, sizeof *f->views);
  return f->views[f->n_views++] = tsr__view_ref_new(op->in[0].view->window, &view);
}

/* Makes a fold of a reduction. */
static void fold_op(tsr_plan *plan, tsr_program_op *op, int32_t n)
{
  const tsr_program_in whole = op->in[0];
  tsr_fold *f = tsr__arena_calloc(plan->scratch, 1, sizeof *f);
  for (int k = 0; k < whole.view->view.ndim; k++)
    if (op->axes_mask >> k & 1) f->shape[f->ndim++] = whole.view->view.shape[k];
  tsr_program_in *in = tsr__arena_alloc(plan->scratch, (size_t)n * sizeof *in);
  const tsr_box elements = tsr__box_of_shape(f->ndim, f->shape);
  tsr_box_walk points;
  op->n_in = 0;
  for (const int64_t *at = tsr__box_first(&points, &elements); at != NULL;
       at = tsr__box_next(&points))
    in[op->n_in++] = (tsr_program_in){whole.region, whole.dtype, element_view(plan, op, at)};
  TSR_ASSERT(op->n_in == n);
  op->kind = TSR_OPKIND_FOLD;
  op->in = in;
  op->fold = f;
}

/* Does the region lie in memory, or is it computed where it is read? The answer is the same whether
 * its reader becomes a fold or not. */
static bool is_at_hand(const tsr_plan *plan, const tsr_program *p, const bool *is_stored, int32_t r)
{
  return p->regions[r].exists || p->regions[r].store || is_stored[r] ||
         tsr__recomputed_by(plan, r) >= 0;
}

void tsr__plan_fold(tsr_plan *plan, const tsr_program *p)
{
  tsr_program *out = tsr__arena_alloc(plan->scratch, sizeof *out);
  *out = *p;
  plan->folds.program = out;
  if (plan->folds.n_elems == NULL) return;
  out->ops = tsr__arena_alloc(plan->scratch, (size_t)(p->n_ops + 1) * sizeof *out->ops);
  memcpy(out->ops, p->ops, (size_t)p->n_ops * sizeof *out->ops);
  bool *is_stored = tsr__arena_calloc(plan->scratch, (size_t)p->n_regions + 1, sizeof *is_stored);
  for (int32_t i = 0; i < p->n_ops; i++) {
    tsr_program_op *op = &out->ops[i];
    const int32_t n = tsr__fold_elems(plan, i);
    if (n > 0 && is_at_hand(plan, p, is_stored, op->in[0].region)) fold_op(plan, op, n);
    if (op->action == TSR_ACT_RUN && (op->kind == TSR_OPKIND_REDUCE || op->kind == TSR_OPKIND_TASK))
      is_stored[op->out] = true;
  }
}

void tsr__plan_fold_end(tsr_plan *plan)
{
  for (int32_t i = 0; i < plan->folds.n_views; i++) tsr__view_ref_drop(plan->folds.views[i]);
  plan->folds = (tsr_folds){.n_elems = NULL};
}
