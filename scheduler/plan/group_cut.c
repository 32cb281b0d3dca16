/* Which cut an op's domain follows: that of the region that it writes, else that of its largest
 * operand seen through the operand's view, unless it loads a rank too much; else a fresh one. */
#include "scheduler/plan/cut.h"
#include "scheduler/plan/group_int.h"
#include "scheduler/plan/regions.h"

enum {
  ROWS_BESIDE = 16 /* rows that a rank computes alone beside its tile, at most one in so many */
};

/* The layout of a region as it stands now. A flexible group may still change it, which costs a
 * transfer but not correctness. */
static const tsr_layout *layout_now(const tsr_grouping *x, int32_t r)
{
  const tsr_plan_region *p = &x->plan->regions[r];
  if (p->layout != NULL || p->created_by < 0) return p->layout;
  return x->plan->groups[p->created_by].cut;
}

/* Is the cut balanced? One that loads a rank with over 1.5 times its share of a large result is not
 * followed. n_read: elements of the region whose layout it follows; beside one pass over that, a
 * row of it is little, and stays with its owner if it is gone when the window ends. */
static bool is_balanced(const tsr_grouping *x, const tsr_joining *p, const tsr_layout *cut,
                        int64_t n_read, int64_t grain)
{
  const tsr_scheduler *s = x->plan->scheduler;
  const int64_t n = tsr__volume(p->ndim, p->shape);
  const bool is_stored = x->plan->regions[p->out].store || p->op->deferred;
  if (!is_stored && n <= n_read / (ROWS_BESIDE * x->plan->n_places)) return true;
  const int64_t tile_min = tsr__least_tile(s, grain);
  if (cut->replicated || n <= tsr__most_replicated(s, grain)) return true;
  int64_t share = n / x->plan->n_places * tsr__rank_step(s, n, tile_min);
  if (share < tile_min) share = tile_min;
  return tsr__layout_max_tile(cut) <= share + share / 2;
}

static bool merges_axes(const tsr_joining *p)
{
  return tsr__makes_its_region(p) && p->op->kind != TSR_OPKIND_REDUCE &&
         p->op->kind != TSR_OPKIND_TASK && !tsr__view_is_separable(p->out_view);
}

/* A region that no op makes as a whole, since ops will write it box by box, is laid out as a fresh
 * array. */
static void give_layout(const tsr_grouping *x, const tsr_joining *p)
{
  tsr_scheduler *s = x->plan->scheduler;
  const tsr_plan_region *out = &x->plan->regions[p->out];
  if (out->layout != NULL || out->created_by >= 0) return;
  tsr__plan_lay_out_region(
      x->plan, p->out,
      x->program->regions[p->op->out].replicate
          ? tsr__layout_replicated(s->layouts, out->ndim, out->shape)
          : tsr__layout_for(s, out->ndim, out->shape, tsr__program_op_grain(p->op)));
}

/* The cut that the op must have; NULL: there is a choice. */
static const tsr_layout *fixed_cut(const tsr_grouping *x, const tsr_joining *p)
{
  tsr_scheduler *s = x->plan->scheduler;
  if (p->op->kind == TSR_OPKIND_HALO) return layout_now(x, p->reads.v[0].region);
  if (!tsr__makes_its_region(p)) {
    give_layout(x, p);
    const int32_t maker = x->plan->regions[p->out].created_by;
    /* this cut depends on it now */
    if (maker >= 0) tsr__fix_cut(x->plan, maker);
    return tsr__layout_pullback(s->layouts, layout_now(x, p->out), p->out_view);
  }
  if (p->op->kind != TSR_OPKIND_TASK || tsr__program_op_is_user_task(p->op)) return NULL;
  /* A cut as for an array of the result's shape: no other axis is cut. */
  const tsr_program_region *out = &x->program->regions[p->op->out];
  const tsr_layout *result = tsr__layout_for(s, out->ndim, out->shape, 0);
  return tsr__layout_pullback(s->layouts, result, p->out_view);
}

/* The cut of the largest operand, which has *n_read elements; NULL: none is cut. */
static const tsr_layout *operand_cut(const tsr_grouping *x, const tsr_joining *p, int64_t *n_read)
{
  const tsr_layout *cut = NULL;
  *n_read = 0;
  for (int32_t i = 0; i < p->reads.n; i++) {
    const tsr_plan_read *in = &p->reads.v[i];
    const tsr_plan_region *r = &x->plan->regions[in->region];
    const tsr_layout *layout = layout_now(x, in->region);
    const int64_t n_elems = tsr__volume(r->ndim, r->shape);
    if (layout->replicated || n_elems <= *n_read || !tsr__view_is_separable(in->cut_view)) continue;
    if (in->cut_view->reaches && tsr__view_is_still(in->cut_view))
      continue; /* every rank reads it whole */
    *n_read = n_elems;
    cut = tsr__layout_pullback(x->plan->scheduler->layouts, layout, in->cut_view);
  }
  return cut;
}

void tsr__choose_cut(const tsr_grouping *x, tsr_joining *p)
{
  tsr_scheduler *s = x->plan->scheduler;
  const bool is_whole = tsr__makes_its_region(p) && x->program->regions[p->op->out].replicate;
  if (is_whole || tsr__volume(p->ndim, p->shape) == 0) {
    p->cut = tsr__layout_replicated(s->layouts, p->ndim, p->shape);
    p->strength = is_whole ? TSR_CUT_FIXED : TSR_CUT_FREE;
    return;
  }
  p->cut = fixed_cut(x, p);
  p->strength = TSR_CUT_FIXED;
  if (p->cut != NULL) return;
  const int64_t grain = tsr__program_op_grain(p->op);
  int64_t n_read;
  const tsr_layout *cut = operand_cut(x, p, &n_read);
  p->strength = TSR_CUT_OPERAND;
  if (p->ndim == 0) { /* a single value: every place has it */
    cut = tsr__layout_replicated(s->layouts, 0, NULL);
  } else if (cut == NULL || !is_balanced(x, p, cut, n_read, grain)) {
    cut = tsr__layout_for(s, p->ndim, p->shape, grain);
    p->strength = TSR_CUT_FREE;
  }
  if (merges_axes(p)) {
    cut = tsr__merge_cut(s, p->out_view, cut, 0);
    p->strength = TSR_CUT_FIXED; /* the result's layout depends on it */
  }
  if (tsr__program_op_whole(p->op) != 0)
    cut = tsr__whole_cut(s, p->ndim, p->shape, tsr__program_op_whole(p->op), cut, grain);
  p->cut = cut;
}
