/* What the passes before grouping find out about a program (verify.h). */
#include "scheduler/plan/verify_int.h"

#include <stdlib.h>
#include <string.h>

static bool runs(const tsr_program_op *op)
{
  return op->action == TSR_ACT_RUN;
}

static bool reads(const tsr_program_op *op, int32_t region)
{
  for (int j = 0; j < op->n_in; j++)
    if (op->in[j].region == region) return true;
  return false;
}

static bool same_shape(int ndim, const int64_t *a, const int64_t *b)
{
  return memcmp(a, b, (size_t)ndim * sizeof *a) == 0;
}

char *tsr__verify_regions(const tsr_plan *plan, const tsr_program *p)
{
  tsr_text defect = {0};
  if (plan->n_regions != p->n_regions)
    TSR_DEFECT(&defect, "there are %d regions, of %d", plan->n_regions, p->n_regions);
  for (int32_t i = 0; i < p->n_regions && defect.s == NULL; i++) {
    const tsr_plan_region *r = &plan->regions[i];
    const tsr_program_region *of = &p->regions[i];
    if (r->dtype != of->dtype || r->ndim != of->ndim || !same_shape(r->ndim, r->shape, of->shape))
      TSR_DEFECT(&defect, "r%d has not the dtype and shape that the program says", i);
    if (r->exists != of->exists || r->store != of->store ||
        r->layout != (of->exists ? of->stored.layout : NULL))
      TSR_DEFECT(&defect, "r%d is not stored as the program says", i);
    if (r->into != i || r->created_by >= 0 || r->n_renames > 0)
      TSR_DEFECT(&defect, "r%d is written before there are groups", i);
  }
  return defect.s;
}

char *tsr__verify_found_folds(const tsr_plan *plan, const tsr_program *p)
{
  tsr_text defect = {0};
  for (int32_t i = 0; i < p->n_ops; i++) {
    const tsr_program_op *op = &p->ops[i];
    const int32_t n = tsr__fold_elems(plan, i);
    int64_t n_elems = 1, n_results = 1;
    if (n == 0) continue;
    if (op->kind != TSR_OPKIND_REDUCE || !runs(op)) {
      TSR_DEFECT(&defect, "op %d may be a fold, and is no reduction that runs", i);
      continue;
    }
    const tsr_view *v = &op->in[0].view->view;
    for (int k = 0; k < v->ndim; k++)
      *(op->axes_mask >> k & 1 ? &n_elems : &n_results) *= v->shape[k];
    if (n_elems != n || n_results < 2)
      TSR_DEFECT(&defect, "op %d may be a fold of %d elements, and has %lld of %lld results", i, n,
                 (long long)n_elems, (long long)n_results);
  }
  return defect.s;
}

char *tsr__verify_recompute(const tsr_plan *plan, const tsr_program *p)
{
  tsr_text defect = {0};
  for (int32_t r = 0; r < plan->recompute.n_regions; r++) {
    const int32_t maker = tsr__recomputed_by(plan, r);
    if (maker < 0) continue;
    const tsr_program_op *op = &p->ops[maker];
    if (op->out != r || !op->creates || !runs(op) ||
        (op->kind != TSR_OPKIND_MAP && op->kind != TSR_OPKIND_COPY) ||
        plan->recompute.versions[maker] == NULL)
      TSR_DEFECT(&defect, "r%d is recomputed by op %d, which does not make it point by point", r,
                 maker);
    if (p->regions[r].exists || p->regions[r].store)
      TSR_DEFECT(&defect, "r%d is recomputed and stored", r);
    for (int32_t i = 0; i < p->n_ops; i++)
      if (runs(&p->ops[i]) &&
          ((i != maker && p->ops[i].out == r) || (i <= maker && reads(&p->ops[i], r))))
        TSR_DEFECT(&defect, "op %d touches r%d, which only op %d makes", i, r, maker);
  }
  return defect.s;
}

/* Counts the points of a region that a view shows. */
static void count_points(const tsr_view *v, const tsr_plan_region *r, int by, int32_t *count)
{
  const tsr_box all = tsr__view_bounds(v);
  tsr_box_walk points;
  int64_t point[TSR_MAX_NDIM];
  for (const int64_t *at = tsr__box_first(&points, &all); at != NULL; at = tsr__box_next(&points)) {
    tsr__view_follow(v, at, point);
    count[tsr__point_number(r, point)] += by;
  }
}

/* Do the operands of the fold show what the reduction reduces, each element as often? */
static void verify_fold(const tsr_plan *plan, int32_t index, const tsr_program_op *reduce,
                        const tsr_program_op *fold, tsr_text *defect)
{
  if (reduce->kind != TSR_OPKIND_REDUCE || fold->n_in != tsr__fold_elems(plan, index) ||
      fold->in[0].region != reduce->in[0].region) {
    TSR_DEFECT(defect, "op %d is a fold of what is no reduction of as many elements", index);
    return;
  }
  const tsr_plan_region *r = &plan->regions[reduce->in[0].region];
  const int64_t n = tsr__volume(r->ndim, r->shape);
  int32_t *count = tsr__calloc((size_t)n + 1, sizeof *count);
  count_points(&reduce->in[0].view->view, r, 1, count);
  for (int k = 0; k < fold->n_in; k++) count_points(&fold->in[k].view->view, r, -1, count);
  for (int64_t i = 0; i < n; i++)
    if (count[i] != 0)
      TSR_DEFECT(defect, "the operands of op %d, a fold, show element %lld of r%d %d times less",
                 index, (long long)i, reduce->in[0].region, count[i]);
  free(count);
}

char *tsr__verify_folds(const tsr_plan *plan, const tsr_program *p)
{
  tsr_text defect = {0};
  const tsr_program *folded = plan->folds.program;
  for (int32_t i = 0; i < p->n_ops; i++) {
    const tsr_program_op *op = &p->ops[i], *now = &folded->ops[i];
    if (now->kind == TSR_OPKIND_FOLD && op->kind != TSR_OPKIND_FOLD)
      verify_fold(plan, i, op, now, &defect);
    else if (now->kind != op->kind || now->in != op->in || now->out != op->out)
      TSR_DEFECT(&defect, "op %d is another one, and no fold", i);
  }
  return defect.s;
}

/* Does the view lead outside the region? */
static bool is_outside(const tsr_plan_region *r, const tsr_view *v)
{
  const tsr_box bounds = tsr__view_bounds(v), all = tsr__box_of_shape(r->ndim, r->shape);
  tsr_box image;
  if (tsr__box_is_empty(&bounds)) return false;
  tsr__view_image(v, &bounds, &image);
  return !tsr__box_contains(&all, &image);
}

static bool is_listed(const tsr_reads *reads, int32_t region, const tsr_view *view)
{
  for (int32_t i = 0; i < reads->n; i++)
    if (reads->v[i].region == region && reads->v[i].view == view) return true;
  return false;
}

/* Is each operand one that lies in memory and is listed, or computed again by the op that makes it?
 */
static void verify_operands(const tsr_plan *plan, const tsr_program *p, const tsr_reads *reads,
                            const tsr_computed *c, tsr_text *defect)
{
  const tsr_program_op *op = &p->ops[c->op];
  for (int i = 0; i < tsr__program_n_values(op); i++) {
    const tsr_plan_operand *o = &c->in[i];
    if (o->region != op->in[i].region) {
      TSR_DEFECT(defect, "op %d takes r%d for r%d", c->op, o->region, op->in[i].region);
      continue;
    }
    if (o->region < 0) continue;
    const int32_t maker = tsr__recomputed_by(plan, o->region);
    if ((o->again != NULL ? o->again->op : -1) != maker)
      TSR_DEFECT(defect, "op %d takes r%d, which op %d makes again, from elsewhere", c->op,
                 o->region, maker);
    else if (o->again != NULL)
      verify_operands(plan, p, reads, o->again, defect);
    for (int32_t k = 0; k < o->by.n && o->again == NULL; k++)
      if (!is_listed(reads, o->region, &o->by.view[k]->view))
        TSR_DEFECT(defect, "op %d reads r%d by a view that is not listed", c->op, o->region);
  }
}

char *tsr__verify_reads(const tsr_plan *plan, const tsr_program *p)
{
  tsr_text defect = {0};
  for (int32_t i = 0; i < p->n_ops; i++) {
    const tsr_program_op *op = &p->ops[i];
    const tsr_reads *reads = &plan->reads.of[i];
    if (!runs(op) || tsr__recomputed_by(plan, op->out) >= 0) {
      if (reads->n > 0) TSR_DEFECT(&defect, "op %d, which no group computes, reads", i);
      continue;
    }
    if (reads->computed.op != i) TSR_DEFECT(&defect, "the reads of op %d are another one's", i);
    verify_operands(plan, p, reads, &reads->computed, &defect);
    for (int32_t k = 0; k < reads->n; k++)
      if (is_outside(&plan->regions[reads->v[k].region], reads->v[k].view))
        TSR_DEFECT(&defect, "op %d reads outside r%d", i, reads->v[k].region);
  }
  return defect.s;
}

/* Must the earlier op stay before the later one? */
static bool depends(const tsr_program_op *later, const tsr_program_op *earlier)
{
  return later->out == earlier->out || reads(later, earlier->out) || reads(earlier, later->out);
}

char *tsr__verify_split(const tsr_plan *plan, const tsr_program *p)
{
  tsr_text defect = {0};
  const tsr_split *s = &plan->split;
  for (int32_t i = 0; i < p->n_ops; i++)
    if (tsr__subexpression_of(s, i) < 0 || tsr__subexpression_of(s, i) > s->n_subexpressions)
      TSR_DEFECT(&defect, "op %d is in subexpression %d, of %d", i, tsr__subexpression_of(s, i),
                 s->n_subexpressions);
  if (s->order == NULL) return defect.s;
  int32_t *at = tsr__malloc(((size_t)p->n_ops + 1) * sizeof *at);
  for (int32_t i = 0; i < p->n_ops; i++) at[i] = -1;
  for (int32_t k = 0; k < p->n_ops; k++) {
    const int32_t i = s->order[k];
    if (i < 0 || i >= p->n_ops || at[i] >= 0)
      TSR_DEFECT(&defect, "the order of ops has %d where it should have another one", i);
    else
      at[i] = k;
  }
  for (int32_t i = 0; i < p->n_ops && defect.s == NULL; i++)
    for (int32_t k = 0; k < i && runs(&p->ops[i]); k++)
      if (runs(&p->ops[k]) && at[k] > at[i] && depends(&p->ops[i], &p->ops[k]))
        TSR_DEFECT(&defect, "op %d goes before op %d, on which it depends", i, k);
  free(at);
  return defect.s;
}
