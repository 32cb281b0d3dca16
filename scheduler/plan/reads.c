/* What each op reads, with views composed through recomputed values (recompute.c) and rolls (two
 * bounded views, one on either side of the seam).
 *
 * Cost: one composed view per operand of a recomputed value and reader; ops that read memory alone
 * and are no roll compose nothing. */
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

static bool same_operand(const tsr_program_in *a, const tsr_program_in *b)
{
  return a->region == b->region && tsr__view_equal(&a->view->view, &b->view->view);
}

/* The first operand that is the same value. */
static int first_like(const tsr_program_op *op, int in)
{
  int i = 0;
  while (i < in && (op->in[i].region < 0 || !same_operand(&op->in[i], &op->in[in]))) i++;
  return i;
}

bool tsr__is_repeated(const tsr_program_op *op, int in)
{
  return first_like(op, in) < in;
}

static tsr_view_ref *keep(tsr_plan *plan, tsr_window *w, const tsr_view *view)
{
  tsr_all_reads *all = &plan->reads;
  all->composed = tsr__arena_grow(plan->scratch, all->composed, all->n_composed, &all->capacity,
                                  sizeof *all->composed);
  return all->composed[all->n_composed++] = tsr__view_ref_new(w, view);
}

/* Part `piece`, 0 or 1, of what a roll reads: the operand's view, moved along the axis and bounded
 * to one side of the seam. */
static void roll_piece(const tsr_program_op *op, int piece, tsr_view *view)
{
  const int axis = op->code;
  const int64_t shift = op->shift;
  tsr__view_copy(view, &op->in[0].view->view);
  const int64_t n = view->shape[axis];
  TSR_ASSERT(shift > 0 && shift < n);
  tsr_box box = tsr__box_of_shape(view->ndim, view->shape);
  box.lo[axis] = piece == 0 ? shift : 0;
  box.n[axis] = piece == 0 ? n - shift : shift;
  tsr__view_bound(view, &box);
  for (int k = 0; k < view->rdim; k++)
    view->offset[k] += view->step[k][axis] * (piece == 0 ? -shift : n - shift);
}

/* The pieces from the domain to an operand of an op to which `outer` leads: each piece of the one
 * by way of each piece of the other. */
static tsr_pieces pieces_to(tsr_plan *plan, const leading *outer, const tsr_program_op *op, int in)
{
  /* A domain without an index is on no side of a seam. */
  const bool is_roll = op->kind == TSR_OPKIND_ROLL &&
                       (outer == NULL || tsr__view_size(&outer->by.view[0]->view) > 0);
  if (outer == NULL && !is_roll) return (tsr_pieces){1, &op->in[in].view};
  const int32_t n = outer != NULL ? outer->by.n : 1;
  const int n_parts = is_roll ? 2 : 1;
  tsr_view_ref **view = tsr__arena_alloc(plan->scratch, (size_t)(n * n_parts) * sizeof *view);
  tsr_pieces by = {0, view};
  for (int32_t i = 0; i < n; i++)
    for (int part = 0; part < n_parts; part++) {
      tsr_view rolled, through;
      const tsr_view *inner = &op->in[in].view->view;
      if (is_roll) {
        roll_piece(op, part, &rolled);
        inner = &rolled;
      }
      if (outer != NULL) {
        if (!tsr__view_compose(&outer->by.view[i]->view, inner, &through)) continue;
        inner = &through;
      }
      view[by.n++] = keep(plan, op->in[in].view->window, inner);
    }
  TSR_ASSERT(by.n > 0);
  for (int32_t i = 0; i < by.n; i++) TSR_ASSERT(view[i]->view.bounded == (by.n > 1));
  return by;
}

static const tsr_view *cut_view_to(tsr_plan *plan, const leading *outer, const tsr_program_op *op,
                                   int in, const tsr_pieces *by)
{
  const tsr_view *inner = &op->in[in].view->view;
  if (outer == NULL) return inner;
  const bool is_plain = op->kind != TSR_OPKIND_ROLL && outer->cut_view == &outer->by.view[0]->view;
  if (is_plain) return &by->view[0]->view;
  tsr_view *view = tsr__arena_alloc(plan->scratch, sizeof *view);
  tsr__view_compose(outer->cut_view, inner, view);
  return view;
}

static void add_reads(const reading *x, const tsr_operand *o)
{
  tsr_reads *out = x->out;
  for (int32_t i = 0; i < o->by.n; i++) {
    out->v = tsr__arena_grow(x->plan->scratch, out->v, out->n, &out->capacity, sizeof *out->v);
    tsr_read *read = &out->v[out->n++]; /* It is filled by field: its box is group.c's. */
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
  out->in = tsr__arena_alloc(plan->scratch, (size_t)op->n_in * sizeof *out->in);
  for (int i = 0; i < op->n_in; i++) {
    tsr_operand *o = &out->in[i];
    if (op->in[i].region < 0) {
      *o = (tsr_operand){.region = -1};
      continue;
    }
    const int first = first_like(op, i);
    if (first < i) {
      *o = out->in[first];
      continue;
    }
    *o = (tsr_operand){.region = op->in[i].region, .by = pieces_to(plan, outer, op, i)};
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
  }
}

void tsr__plan_reads_end(tsr_plan *plan)
{
  for (int32_t i = 0; i < plan->reads.n_composed; i++) tsr__view_ref_drop(plan->reads.composed[i]);
  plan->reads = (tsr_all_reads){.of = NULL};
}
