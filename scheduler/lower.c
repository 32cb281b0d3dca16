/* Lowering: a group becomes one kernel. Values that the group itself writes are forwarded to their
 * readers; each (region, view) is loaded once and stored once, at the end, and not at all if
 * nothing outside the group reads it. */
#include "scheduler/scheduler_int.h"

#include <string.h>

/** A value written by the group so far. */
typedef struct written_value {
  int32_t region;
  tsr_view_ref *view;
  int value;
} written_value;

typedef struct lowering {
  tsr_plan *plan;
  const tsr_window *window;
  tsr_group *group;
  tsr_kernel_builder *builder;
  written_value *written;
  int32_t n_written, cap_written, cap_accesses;
} lowering;

/* Does the group write a fresh buffer of the region, so that it loads other memory than it stores?
 */
static bool is_renamed(const tsr_group *g, int32_t region)
{
  for (int32_t i = 0; i < g->n_renames; i++)
    if (g->renames[i] == region) return true;
  return false;
}

static int32_t add_access(lowering *x, const tsr_access *a, tsr_dtype dtype)
{
  tsr_group *g = x->group;
  /* one memory location per (region, view) and version: displaced accesses to one buffer never meet
   * within a group */
  int32_t same = g->n_accesses;
  for (int32_t i = 0; i < g->n_accesses; i++) {
    const tsr_access *b = &g->accesses[i];
    if (a->scratch || b->scratch || b->region != a->region ||
        !tsr__view_equal(&b->view->view, &a->view->view))
      continue;
    if (b->store == a->store) return i;
    if (!is_renamed(g, a->region)) same = i;
  }
  g->accesses =
      tsr__grow(&x->plan->arena, g->accesses, g->n_accesses, &x->cap_accesses, sizeof *g->accesses);
  g->accesses[g->n_accesses] = *a;
  if (!a->scratch) tsr__view_ref_take(a->view);
  int i = tsr__kernel_access_add(x->builder, dtype, a->store, same, 0);
  TSR_ASSERT(i == g->n_accesses);
  (void)i;
  return g->n_accesses++;
}

static int load_region(lowering *x, int32_t region, tsr_view_ref *view)
{
  for (int32_t i = x->n_written - 1; i >= 0; i--)
    if (x->written[i].region == region && tsr__view_equal(&x->written[i].view->view, &view->view))
      return x->written[i].value;
  tsr_access a = {.region = region, .slot = -1, .gather = -1, .view = view};
  return tsr__kernel_load(x->builder, add_access(x, &a, (tsr_dtype)x->plan->regions[region].dtype));
}

static int load_scalar(lowering *x, int32_t op, int32_t in, tsr_dtype dtype)
{
  tsr_plan *plan = x->plan;
  plan->scalars = tsr__grow(&plan->arena, plan->scalars, plan->n_scalars, &plan->cap_scalars,
                            sizeof *plan->scalars);
  plan->scalars[plan->n_scalars++] = (tsr_scalar_ref){.op = op, .in = in, .dtype = (uint8_t)dtype};
  x->group->n_scalars++;
  return tsr__kernel_scalar(x->builder, tsr__kernel_scalar_add(x->builder, dtype));
}

static int load_operand(lowering *x, int32_t op, int32_t in, tsr_dtype dtype)
{
  const tsr_op_in *o = &x->window->ops[op]->in[in];
  if (o->region == NULL) return load_scalar(x, op, in, dtype);
  return tsr__kernel_cast(x->builder, load_region(x, o->region->local, o->view), dtype);
}

/* The dtype that operand `in` of a row is cast to. */
static tsr_dtype operand_dtype(const tsr_op *op, int in)
{
  tsr_rule rule = tsr__op_info((tsr_opcode)op->code)->rule;
  if (rule == TSR_RULE_LOGICAL || (rule == TSR_RULE_WHERE && in == 0)) return TSR_DTYPE_BOOL;
  return (tsr_dtype)op->compute;
}

static int lower_value(lowering *x, int32_t index)
{
  const tsr_op *op = x->window->ops[index];
  if (op->kind == TSR_OPKIND_IOTA) return tsr__kernel_iota(x->builder, op->code);
  if (op->kind == TSR_OPKIND_COPY) {
    tsr_dtype from = op->in[0].region != NULL ? op->in[0].region->dtype : op->out->dtype;
    return load_operand(x, index, 0, from);
  }
  int args[TSR_MAX_OP_ARGS];
  for (int i = 0; i < op->n_in; i++) args[i] = load_operand(x, index, i, operand_dtype(op, i));
  return tsr__kernel_op(x->builder, (tsr_opcode)op->code, (tsr_dtype)op->compute,
                        (tsr_dtype)op->result, op->n_in, args);
}

static void write_value(lowering *x, int32_t region, tsr_view_ref *view, int value)
{
  value = tsr__kernel_cast(x->builder, value, (tsr_dtype)x->plan->regions[region].dtype);
  for (int32_t i = 0; i < x->n_written; i++)
    if (x->written[i].region == region && tsr__view_equal(&x->written[i].view->view, &view->view)) {
      x->written[i].value = value;
      return;
    }
  x->written =
      tsr__grow(&x->plan->arena, x->written, x->n_written, &x->cap_written, sizeof *x->written);
  x->written[x->n_written++] = (written_value){region, view, value};
}

static void lower_reduction(lowering *x, int32_t index)
{
  tsr_plan *plan = x->plan;
  const tsr_op *op = x->window->ops[index];
  plan->reductions = tsr__grow(&plan->arena, plan->reductions, plan->n_reductions,
                               &plan->cap_reductions, sizeof *plan->reductions);
  tsr_plan_reduction *r = &plan->reductions[plan->n_reductions];
  *r = (tsr_plan_reduction){.group = (int32_t)(x->group - plan->groups),
                            .op = index,
                            .code = (tsr_reduction)op->code,
                            .compute = op->compute,
                            .result = op->result,
                            .axes_mask = op->axes_mask,
                            .keepdims = op->keepdims,
                            .region = op->out->local,
                            .slot = -1,
                            .up = -1};
  tsr__tree_init(&r->tree, x->group->ndim, x->group->shape, op->axes_mask);
  int value = load_operand(x, index, 0, (tsr_dtype)op->compute);
  tsr_access a = {
      .region = plan->n_reductions++, .slot = -1, .gather = -1, .store = true, .scratch = true};
  tsr__kernel_store(x->builder, add_access(x, &a, (tsr_dtype)op->compute), value);
  x->group->n_reductions++;
}

/* A view of the whole domain, for temporaries. */
static tsr_view_ref *identity_view(lowering *x)
{
  tsr_view_ref *ref = tsr__arena_calloc(&x->plan->arena, 1, sizeof *ref);
  ref->n_refs = 1 << 30; /* lives in the arena: never freed by count */
  tsr__view_identity(&ref->view, x->group->ndim, x->group->shape);
  return ref;
}

static void lower_op(lowering *x, const tsr_gop *gop)
{
  const tsr_op *op = x->window->ops[gop->op];
  if (gop->part == TSR_PART_FROM_TEMP)
    write_value(x, op->out->local, op->out_view, load_region(x, gop->temp, identity_view(x)));
  else if (op->kind == TSR_OPKIND_REDUCE)
    lower_reduction(x, gop->op);
  else if (gop->part == TSR_PART_TO_TEMP)
    write_value(x, gop->temp, identity_view(x), lower_value(x, gop->op));
  else
    write_value(x, op->out->local, op->out_view, lower_value(x, gop->op));
}

static void lower_group(tsr_plan *plan, const tsr_window *w, tsr_group *g)
{
  lowering x = {.plan = plan, .window = w, .group = g};
  x.builder = tsr__kernel_builder_create(g->ndim);
  g->first_scalar = plan->n_scalars;
  g->first_reduction = plan->n_reductions;
  for (int32_t i = 0; i < g->n_ops; i++) lower_op(&x, &g->ops[i]);
  for (int32_t i = 0; i < x.n_written; i++) {
    const written_value *v = &x.written[i];
    const tsr_plan_region *r = &plan->regions[v->region];
    if (!r->exists && !r->crossed && !r->store) {
      plan->n_transient++;
      continue;
    }
    tsr_access a = {.region = v->region, .slot = -1, .gather = -1, .view = v->view, .store = true};
    tsr__kernel_store(x.builder, add_access(&x, &a, (tsr_dtype)r->dtype), v->value);
  }
  g->kernel = tsr__kernel_finish(x.builder);
  tsr__kernel_prepare(g->kernel);
}

void tsr__plan_lower(tsr_plan *plan, const tsr_window *w)
{
  for (int32_t i = 0; i < plan->n_groups; i++) lower_group(plan, w, &plan->groups[i]);
}
