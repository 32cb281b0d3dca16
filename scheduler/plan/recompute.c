/* Recomputed values: a cheap temporary that is read displaced would separate the group of its
 * readers from its own and go through memory. Instead its op goes into no group, and each reader
 * computes it again from the temporary's own operands, at its own displacement. The same operations
 * on the same operands give the same bits.
 *
 * A temporary is recomputed by all of its readers or by none. Its operands must be stored anyway,
 * or be recomputed, too. Its value is made of the values that its operands had where its op stands
 * in the program, so whatever overwrites them before the last reader must rename (`must_rename`;
 * group.c notes the versions). Everything here follows from ops, views and liveness, alike on every
 * rank, and from no offset into an existing region, since offsets may differ where a plan is
 * replayed.
 *
 * Cost: two scans over the ops; per recomputed value the writes between it and its last reader. */
#include "scheduler/plan/reach.h"
#include "scheduler/plan/regions.h"

#include <string.h>

enum {
  MAX_OPS = 8,     /* ops of one value, those of its operands included */
  MAX_TOTAL = 24,  /* ops of a value times its displacements */
  MAX_APART = 8,   /* cells between the displacements along an axis */
  MAX_FOLDED = 128 /* ops of a value times its elements in a fold, which are all in one kernel */
};

/** One way in which a value is read. */
typedef struct reading {
  const tsr_view *view;
  uint32_t folded; /* the axes of a fold, with its kind of result in the last bit; 0: no fold */
  struct reading *next;
} reading;

/** What is known of a region of the program. */
typedef struct value {
  int32_t maker;      /* its only write, or -1: none or several */
  int32_t last_write; /* op, or -1 */
  int32_t n_ops;      /* ops that compute it from what is stored; 0: that cannot be done */
  bool dear;          /* some of these ops cost more than a multiplication */
  bool displaced;     /* it is read elsewhere than where it is made */
  bool wide;          /* it is read otherwise than by steps along its axes, or too far apart */
  int32_t n_times;    /* times that it would be computed */
  int32_t n_copies; /* times that it would be in kernels: a fold computes each element by itself */
  int32_t last_use; /* the last op that reads it and runs */
  reading *readings;
  tsr_reach offsets; /* of `readings` */
} value;

typedef struct recomputing {
  tsr_plan *plan;
  const tsr_program *program;
  value *values;       /* [n_regions] */
  int32_t *prev_write; /* [n_ops] the write of the same region before, or -1 */
} recomputing;

static bool is_dear(const tsr_program_op *op)
{
  return op->kind == TSR_OPKIND_MAP && tsr__op_info(op->code)->cost == TSR_COST_DEAR;
}

/* Has the region's value memory, whatever is decided here? */
static bool has_memory(const recomputing *x, int32_t r)
{
  const value *v = &x->values[r];
  const tsr_program *p = x->program;
  return p->regions[r].store || p->regions[r].exists ||
         (v->maker >= 0 &&
          (p->ops[v->maker].kind == TSR_OPKIND_REDUCE || p->ops[v->maker].kind == TSR_OPKIND_TASK));
}

/* Fills in n_ops and dear of the value that the op makes; the values that it reads come earlier. */
static void make_expression(recomputing *x, int32_t index)
{
  const tsr_program_op *op = &x->program->ops[index];
  const tsr_program_region *out = &x->program->regions[op->out];
  value *v = &x->values[op->out];
  const bool is_simple = op->kind == TSR_OPKIND_MAP || op->kind == TSR_OPKIND_COPY;
  if (!is_simple || !op->creates || v->maker != index || has_memory(x, op->out) || out->replicate ||
      out->n_elems == 0 || op->side != TSR_SIDE_ANY || !tsr__view_is_identity(&op->out_view->view))
    return;
  const int n_values = tsr__program_n_values(op);
  int32_t n_ops = n_values > 1 ? n_values - 1 : 1;
  v->dear = is_dear(op);
  for (int i = 0; i < n_values; i++) {
    if (op->in[i].region < 0 || tsr__program_first_like(op, i) < i) continue;
    int32_t r = op->in[i].region;
    if (has_memory(x, r)) continue;
    if (x->values[r].n_ops == 0) return;
    n_ops += x->values[r].n_ops;
    v->dear |= x->values[r].dear;
  }
  if (n_ops <= MAX_FOLDED) v->n_ops = n_ops;
}

/* Does each axis of the index space step forward along an axis of its own, in order? */
static bool steps_along_axes(const tsr_view *view)
{
  int last = -1;
  for (int j = 0; j < view->ndim; j++) {
    if (view->shape[j] <= 1) continue;
    int row = -1;
    for (int k = 0; k < view->rdim; k++) {
      if (view->step[k][j] == 0) continue;
      if (row >= 0 || view->step[k][j] < 0) return false;
      row = k;
    }
    if (row <= last) return false;
    last = row;
  }
  return true;
}

static void note_offsets(value *v, const tsr_view *view)
{
  tsr__reach_widen(&v->offsets, view->rdim, view->offset);
  for (int k = 0; k < view->rdim; k++)
    if (v->offsets.hi[k] - v->offsets.lo[k] > MAX_APART) v->wide = true;
}

/* The view by which an op reads a value. Of several pieces, the largest counts: of a periodic read,
 * that of its nearer way around. */
static const tsr_view *largest_piece(const tsr_program_op *op, int in)
{
  const tsr_view *largest = &op->in[in].view->view;
  for (int i = 1; i < tsr__program_n_pieces(op); i++) {
    const tsr_view *view = &op->in[in + i].view->view;
    const tsr_box a = tsr__view_bounds(view), b = tsr__view_bounds(largest);
    if (tsr__box_volume(&a) > tsr__box_volume(&b)) largest = view;
  }
  return largest;
}

/* How an op that reads is computed itself. */
typedef struct reader {
  bool again; /* where its value is read */
  int32_t n_times, n_copies, last_use;
} reader;

/* Notes that op `index` reads the region. A fold reads it at each of its elements: once, if no two
 * indices lead to the same point. */
static void note_reading(recomputing *x, int32_t index, int i, reader by)
{
  const tsr_program_op *op = &x->program->ops[index];
  const tsr_program_in *in = &op->in[i];
  const int32_t n_elems = tsr__fold_elems(x->plan, index);
  const uint32_t folded = n_elems == 0 ? 0 : op->axes_mask | (uint32_t)op->keepdims << 31;
  const bool again = by.again;
  value *v = &x->values[in->region];
  if (v->n_ops == 0) return;
  const tsr_view *view = largest_piece(op, i);
  if (v->last_use < by.last_use) v->last_use = by.last_use;
  if (n_elems > 0) {
    v->displaced = true;
    by.n_copies *= n_elems;
    if (!tsr__view_ref_is_injective(in->view)) by.n_times *= n_elems;
  }
  if (again || !tsr__views_all(view, x->program->regions[in->region].shape)) v->displaced = true;
  if (!steps_along_axes(view) || op->kind == TSR_OPKIND_TASK) v->wide = true;
  if (!again)
    for (const reading *r = v->readings; r != NULL; r = r->next)
      if (r->folded == folded && tsr__view_equal(r->view, view)) return;
  note_offsets(v, view);
  reading *r = tsr__arena_alloc(x->plan->scratch, sizeof *r);
  *r = (reading){view, folded, v->readings};
  v->readings = r;
  v->n_times += by.n_times;
  v->n_copies += by.n_copies;
}

/* Does the write overwrite some of `box`? If so, *may says whether it may rename, which leaves the
 * old version alone. */
static bool overwrites(const recomputing *x, int32_t index, const tsr_box *box, bool *may)
{
  const tsr_program_op *op = &x->program->ops[index];
  const tsr_view *view = &op->out_view->view;
  tsr_box all = tsr__box_of_shape(view->ndim, view->shape), written;
  bool exact = tsr__view_image(view, &all, &written);
  *may = op->kind != TSR_OPKIND_REDUCE && !op->creates &&
         tsr__may_rename(x->plan, op->out, &written, exact);
  return tsr__box_intersects(&written, box);
}

/* The first write after op `index` and before last_use to what its operand reads, or -1; *may as in
 * overwrites. */
static int32_t overwritten_by(const recomputing *x, int32_t index, int in, int32_t last_use,
                              bool *may)
{
  const tsr_program_in *o = &x->program->ops[index].in[in];
  const tsr_view *view = &o->view->view;
  tsr_box all = tsr__box_of_shape(view->ndim, view->shape), box;
  tsr__view_image(view, &all, &box);
  int32_t first = -1;
  for (int32_t w = x->values[o->region].last_write; w > index; w = x->prev_write[w]) {
    bool this_may;
    if (w >= last_use || !overwrites(x, w, &box, &this_may)) continue;
    first = w;
    *may = this_may;
  }
  return first;
}

/* Do the operands of the op, and theirs, keep their values until last_use, if writes that would
 * overwrite them rename? mark: note that these must. At most MAX_OPS deep. */
static bool keeps_operands(recomputing *x, int32_t index, int32_t last_use, bool mark)
{
  const tsr_program_op *op = &x->program->ops[index];
  for (int i = 0; i < op->n_in; i++) {
    const int32_t r = op->in[i].region;
    if (r < 0) continue;
    if (!has_memory(x, r)) {
      if (i < tsr__program_n_values(op) && !keeps_operands(x, x->values[r].maker, last_use, mark))
        return false;
      continue;
    }
    bool may = false;
    int32_t w = overwritten_by(x, index, i, last_use, &may);
    if (w >= 0 && !may) return false;
    if (w >= 0 && mark) x->plan->recompute.must_rename[w] = true;
  }
  return true;
}

static bool is_worth_it(const value *v)
{
  if (v->n_ops == 0 || !v->displaced || v->wide) return false;
  if (v->n_times == 1 && v->n_copies > 1) return v->n_copies * v->n_ops <= MAX_FOLDED;
  if (v->n_ops > MAX_OPS) return false;
  return v->dear ? v->n_times == 1 : v->n_times * v->n_ops <= MAX_TOTAL;
}

/* Decides whether the op's value is recomputed, once all of its readers have been seen. */
static void decide_recompute(recomputing *x, int32_t index)
{
  const tsr_program_op *op = &x->program->ops[index];
  int32_t out = op->out;
  const value *v = &x->values[out];
  bool again = is_worth_it(v) && keeps_operands(x, index, v->last_use, false);
  if (again) {
    keeps_operands(x, index, v->last_use, true);
    x->plan->recompute.maker[out] = index;
    x->plan->recompute.versions[index] =
        tsr__arena_calloc(x->plan->scratch, op->n_in, sizeof **x->plan->recompute.versions);
    for (int i = 0; i < op->n_in; i++) x->plan->recompute.versions[index][i].version = INT32_MAX;
    x->plan->n_recomputed++;
    x->plan->n_transient++;
  }
  const reader by =
      again ? (reader){true, v->n_times, v->n_copies, v->last_use} : (reader){false, 1, 1, index};
  for (int i = 0; i < tsr__program_n_values(op); i++)
    if (op->in[i].region >= 0 && tsr__program_first_like(op, i) == i) note_reading(x, index, i, by);
}

static void find_writes(recomputing *x)
{
  const tsr_program *p = x->program;
  for (int32_t r = 0; r < p->n_regions; r++) x->values[r].maker = x->values[r].last_write = -1;
  for (int32_t i = 0; i < p->n_ops; i++) {
    if (p->ops[i].action != TSR_ACT_RUN) continue;
    value *v = &x->values[p->ops[i].out];
    x->prev_write[i] = v->last_write;
    v->maker = v->last_write < 0 ? i : -1;
    v->last_write = i;
  }
}

void tsr__plan_recompute(tsr_plan *plan, const tsr_program *p)
{
  const tsr_config *config = &plan->scheduler->world->config;
  if (!config->fusion || !config->recompute) return;
  size_t n_ops = (size_t)p->n_ops, n_regions = (size_t)p->n_regions;
  tsr_recompute *c = &plan->recompute;
  *c = (tsr_recompute){.maker = tsr__arena_alloc(plan->scratch, (n_regions + 1) * sizeof *c->maker),
                       .versions = tsr__arena_calloc(plan->scratch, n_ops + 1, sizeof *c->versions),
                       .must_rename =
                           tsr__arena_calloc(plan->scratch, n_ops + 1, sizeof *c->must_rename),
                       .n_regions = p->n_regions};
  for (int32_t r = 0; r < p->n_regions; r++) c->maker[r] = -1;
  recomputing x = {.plan = plan,
                   .program = p,
                   .values = tsr__arena_calloc(plan->scratch, n_regions + 1, sizeof *x.values),
                   .prev_write =
                       tsr__arena_alloc(plan->scratch, (n_ops + 1) * sizeof *x.prev_write)};
  find_writes(&x);
  for (int32_t i = 0; i < p->n_ops; i++)
    if (p->ops[i].action == TSR_ACT_RUN) make_expression(&x, i);
  for (int32_t i = p->n_ops - 1; i >= 0; i--)
    if (p->ops[i].action == TSR_ACT_RUN) decide_recompute(&x, i);
}

int32_t tsr__recomputed_by(const tsr_plan *plan, int32_t region)
{
  return region < plan->recompute.n_regions ? plan->recompute.maker[region] : -1;
}
