/* What each op reads, with views composed through recomputed values (recompute.c).
 *
 * Cost: one composed view per operand of a recomputed value and reader, or per piece of it; ops
 * that read memory alone compose nothing. */
#include "scheduler/plan/plan.h"

/* How the domain leads to the index space of an op; NULL in place of one: the op's own domain. */
typedef struct leading {
  tsr_pieces by;
  const tsr_view *cut_view;
} leading;

typedef struct reading {
  tsr_plan *plan;
  const tsr_program *program;
  tsr_reads *out;
} reading;

static tsr_view_ref *keep(tsr_plan *plan, tsr_window *w, const tsr_view *view)
{
  tsr_all_reads *all = &plan->reads;
  all->composed = tsr__arena_grow(plan->scratch, all->composed, all->n_composed, &all->capacity,
                                  sizeof *all->composed);
  return all->composed[all->n_composed++] = tsr__view_ref_new(w, view);
}

/* Sets *out to the view of the same form that leads to what the pieces of a value lead to, from one
 * end to the other: without pieces the operand's view. Of a periodic read it is the view of what is
 * read. */
static const tsr_view *joined_view(const tsr_program_op *op, int in, tsr_view *out)
{
  const int n = tsr__program_n_pieces(op);
  if (n == 1) return &op->in[in].view->view;
  tsr__view_copy(out, &op->in[in].view->view);
  const tsr_box all = tsr__box_of_shape(out->ndim, out->shape);
  tsr_box hull = {.ndim = out->rdim}, image;
  for (int i = 0; i < n; i++) {
    tsr__view_image(&op->in[in + i].view->view, &all, &image);
    hull = i == 0 ? tsr__box_dense_hull(&image) : tsr__box_hull(&hull, &image);
  }
  out->bounded = false;
  for (int k = 0; k < out->rdim; k++) {
    out->offset[k] = hull.lo[k]; /* where the index leads that is last along negative steps */
    for (int j = 0; j < out->ndim; j++)
      if (out->step[k][j] < 0) out->offset[k] -= out->step[k][j] * (out->shape[j] - 1);
  }
  return out;
}

/* The pieces from the domain to a value of an op to which `outer` leads: each piece of the one by
 * way of each piece of the other. */
static tsr_pieces pieces_to(tsr_plan *plan, const leading *outer, const tsr_program_op *op, int in)
{
  const int n_pieces = tsr__program_n_pieces(op);
  if (outer == NULL && n_pieces == 1) return (tsr_pieces){1, &op->in[in].view};
  const bool has_axes = op->in[in].view->view.rdim > 0; /* else all pieces lead to one element */
  const int32_t n = outer != NULL ? outer->by.n : 1;
  tsr_view_ref **view = tsr__arena_alloc(plan->scratch, (size_t)(n * n_pieces) * sizeof *view);
  tsr_pieces by = {0, view};
  tsr_view through, joined;
  for (int i = 0; outer == NULL && i < n_pieces; i++) view[by.n++] = op->in[in + i].view;
  for (int32_t o = 0; outer != NULL && has_axes && o < n; o++)
    for (int i = 0; i < n_pieces; i++) {
      tsr_view_ref *inner = op->in[in + i].view;
      if (tsr__view_compose(&outer->by.view[o]->view, &inner->view, &through))
        view[by.n++] = keep(plan, inner->window, &through);
    }
  if (by.n == 0) { /* A domain without an index is on no side of a seam, nor is one element. */
    tsr__view_compose(outer->cut_view, joined_view(op, in, &joined), &through);
    view[by.n++] = keep(plan, op->in[in].view->window, &through);
  }
  for (int32_t i = 0; i < by.n; i++) TSR_ASSERT(view[i]->view.bounded == (by.n > 1));
  return by;
}

static const tsr_view *cut_view_to(tsr_plan *plan, const leading *outer, const tsr_program_op *op,
                                   int in, const tsr_pieces *by)
{
  const bool is_whole = tsr__program_n_pieces(op) == 1;
  if (is_whole && (outer == NULL || outer->cut_view == &outer->by.view[0]->view))
    return &by->view[0]->view;
  tsr_view *view = tsr__arena_alloc(plan->scratch, sizeof *view), joined;
  if (outer == NULL) return joined_view(op, in, view);
  tsr__view_compose(outer->cut_view, joined_view(op, in, &joined), view);
  return view;
}

static void add_reads(const reading *x, const tsr_plan_operand *o)
{
  tsr_reads *out = x->out;
  for (int32_t i = 0; i < o->by.n; i++) {
    out->v = tsr__arena_grow(x->plan->scratch, out->v, out->n, &out->capacity, sizeof *out->v);
    tsr_plan_read *read = &out->v[out->n++]; /* It is filled by field: its box is group.c's. */
    read->region = o->region;
    read->view = &o->by.view[i]->view;
    read->cut_view = o->cut_view;
    read->version = o->version;
    read->stale = false;
  }
}

/* Fills in how an op is computed, to which `outer` leads. At most as deep as recomputed values are
 * made of each other. */
static void compute(const reading *x, int32_t index, const leading *outer, tsr_computed *out)
{
  tsr_plan *plan = x->plan;
  const tsr_program_op *op = &x->program->ops[index];
  const tsr_version_ref *versions =
      plan->recompute.versions != NULL ? plan->recompute.versions[index] : NULL;
  out->op = index;
  const int n_values = tsr__program_n_values(op);
  out->in = tsr__arena_alloc(plan->scratch, (size_t)n_values * sizeof *out->in);
  for (int i = 0; i < n_values; i++) {
    tsr_plan_operand *o = &out->in[i];
    if (op->in[i].region < 0) {
      *o = (tsr_plan_operand){.region = -1};
      continue;
    }
    const int first = tsr__program_first_like(op, i);
    if (first < i) {
      *o = out->in[first];
      continue;
    }
    *o = (tsr_plan_operand){.region = op->in[i].region, .by = pieces_to(plan, outer, op, i)};
    o->cut_view = cut_view_to(plan, outer, op, i, &o->by);
    const int32_t maker = tsr__recomputed_by(plan, o->region);
    if (maker < 0) {
      o->version = versions != NULL ? &versions[i] : NULL;
      add_reads(x, o);
      continue;
    }
    TSR_ASSERT(maker < index);
    tsr_computed *again = tsr__arena_alloc(plan->scratch, sizeof *again);
    compute(x, maker, &(leading){o->by, o->cut_view}, again);
    o->again = again;
    x->out->n_again++;
  }
}

void tsr__plan_reads(tsr_plan *plan, const tsr_program *program)
{
  plan->reads = (tsr_all_reads){
      .of = tsr__arena_calloc(plan->scratch, (size_t)program->n_ops + 1, sizeof *plan->reads.of)};
  for (int32_t i = 0; i < program->n_ops; i++) {
    const tsr_program_op *op = &program->ops[i];
    if (op->action != TSR_ACT_RUN || tsr__recomputed_by(plan, op->out) >= 0) continue;
    tsr_reads *out = &plan->reads.of[i];
    out->v = tsr__arena_alloc(plan->scratch, (size_t)op->n_in * sizeof *out->v);
    out->capacity = op->n_in; /* as a rule, all operands are read */
    compute(&(reading){plan, program, out}, i, NULL, &out->computed);
    if (op->kind == TSR_OPKIND_FOLD) out->n_again += op->n_in - 1;
  }
}

void tsr__plan_reads_end(tsr_plan *plan)
{
  for (int32_t i = 0; i < plan->reads.n_composed; i++) tsr__view_ref_drop(plan->reads.composed[i]);
  plan->reads = (tsr_all_reads){.of = NULL};
}
