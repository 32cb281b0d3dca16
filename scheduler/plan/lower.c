/* Lowering: a group becomes one kernel. Values that the group itself writes are forwarded to their
 * readers; each (region, view) is loaded once and stored once, at the end, and not at all if
 * nothing outside the group reads it. Where an operand is computed again (recompute.c), the op that
 * makes it is lowered into the group at the reader's view, once per view. */
#include "scheduler/plan/lower.h"
#include "scheduler/plan/elide.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/regions.h"

#include "program/task_cuda.h"

#include <string.h>

enum {
  MOST_RECENT = 8
}; /* kernels of groups before, among which one that is alike is looked for */

/** A value written by the group so far. */
typedef struct written_value {
  int32_t region, op;
  int32_t before; /* the one of the same region before it, or -1 */
  tsr_pieces by;  /* domain -> region */
  int value;
} written_value;

/* Where to find what the group has lowered. Between groups nothing is there. */
typedef struct finding {
  int32_t *written; /* [n_regions] the newest value written, or -1 */
  int32_t *scalar;  /* [n_ops] the newest of the plan's scalars, or -1 */
  int32_t *before;  /* of each scalar of the plan the one of the same op before it, or -1 */
  int32_t cap_before;
  /* kernels of the last groups, in a ring: steps of a loop find theirs prepared */
  tsr_kernel *recent[MOST_RECENT];
  int32_t n_kernels; /* that were in the ring */
} finding;

typedef struct lowering {
  tsr_plan *plan;
  finding *find;
  const tsr_program *program;
  tsr_group *group;
  tsr_kernel_builder *builder;
  written_value *written;
  int32_t n_written, cap_written, cap_accesses;
  int n_numbers;  /* accesses of the kernel so far */
  int32_t number; /* of the group */
} lowering;

/* Appends an access, as the kernel's access `number`. */
static void append_access(lowering *x, const tsr_access *a, int number)
{
  tsr_accesses *all = &x->group->accesses;
  all->v = tsr__arena_grow(x->plan->scratch, all->v, all->n, &x->cap_accesses, sizeof *all->v);
  all->v[all->n] = *a;
  all->v[all->n++].number = number;
  if (!a->scratch) tsr__view_ref_take(a->view);
}

/* Adds an access unless there is one like it. Returns the number of the kernel's access. */
static int add_access(lowering *x, const tsr_access *a, tsr_dtype dtype)
{
  tsr_group *g = x->group;
  /* A memory location belongs to one (region, view) and version: displaced accesses to one buffer
   * never meet within a group. */
  int same = x->n_numbers;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *b = &g->accesses.v[i];
    if (a->scratch || b->scratch || b->region != a->region || b->version != a->version ||
        !tsr__view_equal(&b->view->view, &a->view->view))
      continue;
    if (b->store == a->store) return b->number;
    same = b->number;
  }
  append_access(x, a, tsr__kernel_access_add(x->builder, dtype, a->store, same, 0));
  return x->n_numbers++;
}

static tsr_pieces one_view(lowering *x, tsr_view_ref *view)
{
  tsr_view_ref **v = tsr__arena_alloc(x->plan->scratch, sizeof *v);
  *v = view;
  return (tsr_pieces){1, v};
}

static bool same_pieces(const tsr_pieces *a, const tsr_pieces *b)
{
  if (a->n != b->n) return false;
  for (int32_t i = 0; i < a->n; i++)
    if (!tsr__view_equal(&a->view[i]->view, &b->view[i]->view)) return false;
  return true;
}

static bool is_piece(const tsr_access *a)
{
  return !a->scratch && a->view->view.bounded;
}

/* The version that a load finds: the newest when the group begins, or an older one that it
 * names. */
static int32_t loaded_version(const lowering *x, int32_t region, int32_t named)
{
  const int32_t newest = tsr__version_at(x->plan, region, x->number);
  return named < newest ? named : newest;
}

/* Are the accesses from `first` on all those of one load, that of the region through `by`? */
static bool is_load_of(const tsr_accesses *all, int32_t first, int32_t region, const tsr_pieces *by,
                       int32_t version)
{
  const tsr_access *a = &all->v[first];
  if (first + by->n > all->n || (first > 0 && a[-1].number == a->number)) return false;
  for (int32_t i = 0; i < by->n; i++)
    if (!is_piece(&a[i]) || a[i].number != a->number || a[i].region != region ||
        a[i].version != version || !tsr__view_equal(&a[i].view->view, &by->view[i]->view))
      return false;
  return first + by->n == all->n || a[by->n].number != a->number;
}

/* Loads a piecewise view: several accesses that take turns as one of the kernel. */
static int load_piecewise(lowering *x, int32_t region, const tsr_pieces *by, int32_t version)
{
  tsr_accesses *all = &x->group->accesses;
  const tsr_plan_region *r = &x->plan->regions[region];
  version = loaded_version(x, region, version);
  for (int32_t i = 0; i < all->n; i++)
    if (is_load_of(all, i, region, by, version))
      return tsr__kernel_load(x->builder, all->v[i].number);
  const int number = x->n_numbers++;
  tsr__kernel_access_add(x->builder, (tsr_dtype)r->dtype, false, number, 0);
  for (int32_t i = 0; i < by->n; i++) {
    TSR_ASSERT(by->view[i]->view.bounded);
    append_access(x,
                  &(tsr_access){.region = region,
                                .slot = -1,
                                .gather = -1,
                                .version = version,
                                .view = by->view[i],
                                .source = -1},
                  number);
  }
  return tsr__kernel_load(x->builder, number);
}

/* Declares a load, which no instruction makes. Returns the number of the kernel's access. */
static int declare_load(lowering *x, int32_t region, tsr_view_ref *view, int32_t version)
{
  const tsr_access a = {.region = region,
                        .slot = -1,
                        .gather = -1,
                        .version = loaded_version(x, region, version),
                        .view = view};
  return add_access(x, &a, (tsr_dtype)x->plan->regions[region].dtype);
}

/* Loads what the ops before `op` left there. version: the region's newest, or an older one. */
static int load_region(lowering *x, int32_t region, tsr_view_ref *view, int32_t op, int32_t version)
{
  for (int32_t i = x->find->written[region]; i >= 0; i = x->written[i].before)
    if (x->written[i].op < op && x->written[i].by.n == 1 &&
        tsr__view_equal(&x->written[i].by.view[0]->view, &view->view))
      return x->written[i].value;
  return tsr__kernel_load(x->builder, declare_load(x, region, view, version));
}

static int load_scalar(lowering *x, int32_t op, int32_t in, tsr_dtype dtype)
{
  tsr_plan *plan = x->plan;
  finding *find = x->find;
  int32_t first = x->group->accesses.first_scalar;
  for (int32_t i = find->scalar[op]; i >= 0; i = find->before[i]) {
    const tsr_scalar_ref *s = &plan->scalars[i];
    if (s->in == in && s->dtype == dtype) return tsr__kernel_scalar(x->builder, i - first);
  }
  find->before = tsr__arena_grow(plan->scratch, find->before, plan->n_scalars, &find->cap_before,
                                 sizeof *find->before);
  find->before[plan->n_scalars] = find->scalar[op];
  find->scalar[op] = plan->n_scalars;
  plan->scalars = tsr__arena_grow(plan->scratch, plan->scalars, plan->n_scalars, &plan->cap_scalars,
                                  sizeof *plan->scalars);
  plan->scalars[plan->n_scalars++] = (tsr_scalar_ref){.op = op, .in = in, .dtype = (uint8_t)dtype};
  x->group->accesses.n_scalars++;
  return tsr__kernel_scalar(x->builder, tsr__kernel_scalar_add(x->builder, dtype));
}

static int lower_value(lowering *x, const tsr_computed *at);

static int write_value(lowering *x, int32_t region, const tsr_pieces *by, int32_t op, int value)
{
  value = tsr__kernel_cast(x->builder, value, (tsr_dtype)x->plan->regions[region].dtype);
  int32_t *newest = &x->find->written[region];
  for (int32_t i = *newest; i >= 0; i = x->written[i].before)
    if (same_pieces(&x->written[i].by, by)) {
      x->written[i].value = value;
      x->written[i].op = op;
      return value;
    }
  x->written = tsr__arena_grow(x->plan->scratch, x->written, x->n_written, &x->cap_written,
                               sizeof *x->written);
  x->written[x->n_written] = (written_value){region, op, *newest, *by, value};
  *newest = x->n_written++;
  return value;
}

static int recomputed(lowering *x, const tsr_plan_operand *o)
{
  for (int32_t i = x->find->written[o->region]; i >= 0; i = x->written[i].before)
    if (same_pieces(&x->written[i].by, &o->by)) return x->written[i].value;
  return write_value(x, o->region, &o->by, o->again->op, lower_value(x, o->again));
}

static int load_operand(lowering *x, const tsr_computed *at, int32_t in, tsr_dtype dtype)
{
  const tsr_plan_operand *o = &at->in[in];
  if (o->region < 0) return load_scalar(x, at->op, in, dtype);
  const int32_t version = o->version != NULL ? o->version->version : INT32_MAX;
  const int value = o->again != NULL ? recomputed(x, o)
                    : o->by.n > 1    ? load_piecewise(x, o->region, &o->by, version)
                                     : load_region(x, o->region, o->by.view[0], at->op, version);
  return tsr__kernel_cast(x->builder, value, dtype);
}

/* The dtype that operand `in` of a row is cast to. */
static tsr_dtype operand_dtype(const tsr_program_op *op, int in)
{
  if (op->kind == TSR_OPKIND_RANDOM) return TSR_DTYPE_INT64;
  tsr_rule rule = tsr__op_info((tsr_opcode)op->code)->rule;
  if (rule == TSR_RULE_LOGICAL || (rule == TSR_RULE_WHERE && in == 0)) return TSR_DTYPE_BOOL;
  return (tsr_dtype)op->compute;
}

/* A fold on its way into the kernel. */
typedef struct folding {
  const tsr_computed *computed;
  const tsr_program_op *op;
  tsr_opcode combine;
  tsr_tree tree;            /* over the axes that were reduced */
  int64_t at[TSR_MAX_NDIM]; /* the node that is lowered now */
} folding;

/* Combines the elements of a node, whose right half may be outside the shape. A half is combined
 * before the other one is loaded, so few values are alive at once. As deep as the tree. */
static int lower_node(lowering *x, folding *f, int level)
{
  const tsr_dtype compute = (tsr_dtype)f->op->compute;
  if (level == 0) {
    const tsr_dtype leaf = f->op->code == TSR_REDUCE_COUNT ? TSR_DTYPE_BOOL : compute;
    int64_t element = 0;
    for (int k = 0; k < f->tree.ndim; k++) element = element * f->tree.shape[k] + f->at[k];
    const int value = load_operand(x, f->computed, (int32_t)element, leaf);
    return tsr__kernel_cast(x->builder, value, compute);
  }
  int64_t *at = &f->at[f->tree.level_axis[level - 1]];
  *at *= 2;
  int value = lower_node(x, f, level - 1);
  if (*at + 1 < tsr__tree_nodes_at(&f->tree, level - 1, f->tree.level_axis[level - 1])) {
    ++*at;
    const int right = lower_node(x, f, level - 1);
    value =
        tsr__kernel_op(x->builder, f->combine, compute, compute, 2, (const int[]){value, right});
  }
  *at /= 2;
  return value;
}

static int lower_fold(lowering *x, const tsr_computed *at)
{
  const tsr_program_op *op = &x->program->ops[at->op];
  folding f = {
      .computed = at,
      .op = op,
      .combine = tsr__reduce_combining((tsr_reduction)op->code, (tsr_dtype)op->compute),
  };
  tsr__tree_init(&f.tree, op->fold->ndim, op->fold->shape, (1u << op->fold->ndim) - 1);
  return tsr__kernel_cast(x->builder, lower_node(x, &f, f.tree.n_levels), (tsr_dtype)op->result);
}

static int lower_value(lowering *x, const tsr_computed *at)
{
  const tsr_program_op *op = &x->program->ops[at->op];
  if (op->kind == TSR_OPKIND_IOTA) return tsr__kernel_iota(x->builder, op->code);
  if (op->kind == TSR_OPKIND_COPY) {
    const uint8_t from =
        op->in[0].region >= 0 ? op->in[0].dtype : x->program->regions[op->out].dtype;
    return load_operand(x, at, 0, (tsr_dtype)from);
  }
  if (op->kind == TSR_OPKIND_FOLD) return lower_fold(x, at);
  int args[TSR_MAX_OP_ARGS];
  for (int i = 0; i < op->n_in; i++) args[i] = load_operand(x, at, i, operand_dtype(op, i));
  if (op->kind == TSR_OPKIND_RANDOM)
    return tsr__kernel_random(x->builder, (tsr_random)op->code, args);
  return tsr__kernel_op(x->builder, (tsr_opcode)op->code, (tsr_dtype)op->compute,
                        (tsr_dtype)op->result, op->n_in, args);
}

/* The dtype in which the tree gets the operand: bools and integers are summed as they are along
 * rows, and across rows of LEAST_ROW elements and more. What is counted is bools. */
static tsr_dtype leaf_dtype(const tsr_plan_reduction *r, const tsr_program_op *op)
{
  const tsr_tree *tree = &r->tree;
  enum { LEAST_ROW = 64 };
  const tsr_dtype given = r->code == TSR_REDUCE_COUNT ? TSR_DTYPE_BOOL : (tsr_dtype)op->in[0].dtype;
  if (op->in[0].region < 0 || tree->n_levels == 0 ||
      !tsr__reduce_widens(r->code, (tsr_dtype)r->compute, given))
    return (tsr_dtype)op->compute;
  int64_t row = 1;
  for (int k = tree->level_axis[0] + 1; k < tree->ndim; k++) row *= tree->shape[k];
  return row == 1 || row >= LEAST_ROW ? given : (tsr_dtype)op->compute;
}

static void lower_reduction(lowering *x, int32_t index)
{
  tsr_plan *plan = x->plan;
  const tsr_program_op *op = &x->program->ops[index];
  plan->reductions = tsr__arena_grow(plan->scratch, plan->reductions, plan->n_reductions,
                                     &plan->cap_reductions, sizeof *plan->reductions);
  tsr_plan_reduction *r = &plan->reductions[plan->n_reductions];
  *r = (tsr_plan_reduction){.group = x->number,
                            .op = index,
                            .code = (tsr_reduction)op->code,
                            .compute = op->compute,
                            .result = op->result,
                            .axes_mask = op->axes_mask,
                            .keepdims = op->keepdims,
                            .region = tsr__written_into(plan, op->out),
                            .slot = -1,
                            .up = -1};
  tsr__tree_init(&r->tree, x->group->ndim, x->group->shape, op->axes_mask);
  const tsr_dtype leaf = leaf_dtype(r, op);
  const int value = load_operand(x, &plan->reads.of[index].computed, 0,
                                 r->code == TSR_REDUCE_COUNT ? TSR_DTYPE_BOOL : leaf);
  tsr_access a = {
      .region = plan->n_reductions++, .slot = -1, .gather = -1, .store = true, .scratch = true};
  tsr__kernel_store(x->builder, add_access(x, &a, leaf), value);
  x->group->accesses.n_reductions++;
}

/* A view of the whole domain, for temporaries. */
static tsr_view_ref *identity_view(lowering *x)
{
  tsr_view_ref *ref = tsr__arena_calloc(&x->plan->arena, 1, sizeof *ref);
  ref->n_refs = 1 << 30; /* the view lives in the arena and is never freed by its count */
  tsr__view_identity(&ref->view, x->group->ndim, x->group->shape);
  return ref;
}

static void add_task_access(lowering *x, int32_t named, tsr_view_ref *view, bool store)
{
  tsr_group *g = x->group;
  const int32_t region = tsr__written_into(x->plan, named);
  const tsr_plan_region *r = &x->plan->regions[region];
  tsr_access a = {.region = region,
                  .slot = -1,
                  .gather = -1,
                  .version = tsr__version_at(x->plan, region, x->number + store),
                  .view = tsr__view_ref_take(view),
                  .store = store,
                  .source = -1};
  a.number = tsr__kernel_access_add(x->builder, (tsr_dtype)r->dtype, store, x->n_numbers++, 0);
  g->accesses.v[g->accesses.n++] = a;
}

/* Each operand and result of a task is an access of its own, since the function tells them apart by
 * their order. */
static void lower_task(lowering *x, const tsr_program_op *op)
{
  tsr_group *g = x->group;
  if (op->follows > 0) return; /* it was lowered with the first op of the task */
  if (!g->is_user) g->accesses.task_info = tsr__task_info((tsr_task_code)op->code);
  g->accesses.task =
      (tsr_task_shape){.dtype = (tsr_dtype)op->compute, .n_in = op->n_in, .ndim = g->ndim};
  for (int k = 0; k < g->ndim; k++) g->accesses.task.n_kept += !(op->axes_mask >> k & 1);
  g->accesses.task.blas = x->plan->scheduler->world->blas;
  memcpy(g->accesses.task.shape, g->shape, sizeof g->accesses.task.shape);
  for (int k = 0; g->is_user && k < g->ndim; k++) g->accesses.weight *= op->call->block[k];
  if (g->is_user && op->call->extent > 0) g->accesses.weight /= op->call->extent;
  if (g->accesses.weight < 1) g->accesses.weight = 1;
  if (g->is_user && op->call->cuda != NULL)
    tsr__kernel_source_set(x->builder, op->call->cuda->text);
  g->accesses.v =
      tsr__arena_calloc(x->plan->scratch, (size_t)(op->n_in + g->n_ops), sizeof *g->accesses.v);
  for (int i = 0; i < op->n_in; i++) add_task_access(x, op->in[i].region, op->in[i].view, false);
  for (int32_t i = 0; i < g->n_ops; i++) {
    const tsr_program_op *maker = &x->program->ops[g->ops[i].op];
    add_task_access(x, maker->out, maker->out_view, true);
  }
}

static void lower_op(lowering *x, const tsr_gop *gop)
{
  const tsr_program_op *op = &x->program->ops[gop->op];
  const tsr_computed *value = &x->plan->reads.of[gop->op].computed;
  const bool to_temp = gop->role == TSR_ROLE_TO_TEMP;
  const int32_t region = to_temp ? gop->temp : op->out;
  const tsr_pieces out = to_temp ? one_view(x, identity_view(x)) : (tsr_pieces){1, &op->out_view};
  if (gop->role == TSR_ROLE_FROM_TEMP)
    write_value(x, region, &out, gop->op,
                load_region(x, gop->temp, identity_view(x), gop->op, INT32_MAX));
  else if (op->kind == TSR_OPKIND_TASK)
    lower_task(x, op);
  else if (op->kind == TSR_OPKIND_HALO)
    declare_load(x, op->in[0].region, op->in[0].view, INT32_MAX);
  else if (op->kind == TSR_OPKIND_REDUCE)
    lower_reduction(x, gop->op);
  else
    write_value(x, region, &out, gop->op, lower_value(x, value));
}

static void store_written(lowering *x)
{
  tsr_plan *plan = x->plan;
  for (int32_t i = 0; i < x->n_written; i++) {
    const written_value *v = &x->written[i];
    const tsr_plan_region *r = &plan->regions[v->region];
    if (tsr__recomputed_by(plan, v->region) >= 0) continue;
    if (!r->exists && !r->crossed && !r->store) {
      plan->n_transient++;
      continue;
    }
    tsr_access a = {.region = v->region,
                    .slot = -1,
                    .gather = -1,
                    .version = tsr__version_at(plan, v->region, x->number + 1),
                    .view = v->by.view[0],
                    .store = true};
    tsr__kernel_store(x->builder, add_access(x, &a, (tsr_dtype)r->dtype), v->value);
  }
}

/* The first access that is the kernel's access `number`. */
static int32_t access_of(const tsr_accesses *all, int32_t number)
{
  int32_t i = number;
  while (all->v[i].number != number) i++;
  return i;
}

/* What a reduction takes: the load of which it counts what is not 0, or the stored value. */
static const tsr_instr *taken(const tsr_plan *plan, const tsr_kernel *k, const tsr_instr *store,
                              const tsr_access *a)
{
  const tsr_instr *value = &k->instrs[k->args[store->first_arg]];
  if (!a->scratch || plan->reductions[a->region].code != TSR_REDUCE_COUNT ||
      k->accesses[store->index].dtype != TSR_DTYPE_BOOL || value->kind != TSR_I_CAST)
    return value;
  return &k->instrs[k->args[value->first_arg]];
}

/* Finds the reductions of values that are loaded and not changed. Where these lie dense in memory,
 * nothing has to be computed first. */
static void find_sources(const tsr_plan *plan, tsr_group *g)
{
  const tsr_kernel *k = g->accesses.kernel;
  g->accesses.only_reduces = true;
  for (int32_t i = 0; i < k->n_instrs; i++) {
    const tsr_instr *in = &k->instrs[i];
    if (in->kind != TSR_I_STORE) continue;
    tsr_access *a = &g->accesses.v[access_of(&g->accesses, in->index)];
    const tsr_instr *value = taken(plan, k, in, a);
    a->source = -1;
    if (a->scratch && value->kind == TSR_I_LOAD) {
      const int32_t load = access_of(&g->accesses, value->index);
      if (!is_piece(&g->accesses.v[load])) a->source = load;
    }
    if (a->source < 0) g->accesses.only_reduces = false;
  }
}

/* Finds a sum of the products of two arrays, or of the conjugates of one and another, which needs
 * no kernel either. */
static void find_factors(const tsr_plan *plan, tsr_group *g)
{
  const tsr_kernel *k = g->accesses.kernel;
  if (k->n_instrs > 5 || g->accesses.n_reductions != 1) return;
  const tsr_instr *store = &k->instrs[k->n_instrs - 1];
  if (store->kind != TSR_I_STORE || !g->accesses.v[access_of(&g->accesses, store->index)].scratch)
    return;
  const tsr_plan_reduction *r = &plan->reductions[g->accesses.first_reduction];
  const tsr_instr *value = &k->instrs[k->args[store->first_arg]];
  if (value->kind != TSR_I_OP || value->index != TSR_OP_MULTIPLY || value->n_args != 2 ||
      r->code != TSR_REDUCE_SUM || r->compute != value->dtype || value->compute != value->dtype)
    return;
  int32_t factors[2], conjugates = -1;
  for (int i = 0; i < 2; i++) {
    const tsr_instr *load = &k->instrs[k->args[value->first_arg + i]];
    if (load->kind == TSR_I_OP && load->index == TSR_OP_CONJ && conjugates < 0 &&
        tsr__dtype_kind(load->dtype) == TSR_KIND_COMPLEX) {
      load = &k->instrs[k->args[load->first_arg]];
      conjugates = i;
    }
    if (load->kind != TSR_I_LOAD) return;
    factors[i] = access_of(&g->accesses, load->index);
    if (is_piece(&g->accesses.v[factors[i]])) return;
  }
  g->accesses.conjugates = conjugates >= 0;
  for (int i = 0; i < 2; i++) g->accesses.factors[i] = factors[i ^ (conjugates == 1)];
}

static void forget_lowered(lowering *x)
{
  for (int32_t i = 0; i < x->n_written; i++) x->find->written[x->written[i].region] = -1;
  for (int32_t i = x->group->accesses.first_scalar; i < x->plan->n_scalars; i++)
    x->find->scalar[x->plan->scalars[i].op] = -1;
}

/* Returns the kernel, prepared, or one like it that an earlier group has. */
static tsr_kernel *prepared(finding *find, tsr_kernel *k)
{
  for (int32_t i = 0; i < MOST_RECENT && i < find->n_kernels; i++) {
    tsr_kernel *like = find->recent[i];
    if (like->hash != k->hash || !tsr__kernel_equal(like, k)) continue;
    tsr__kernel_destroy(k);
    return tsr__kernel_share(like);
  }
  tsr__kernel_prepare(k);
  find->recent[find->n_kernels++ % MOST_RECENT] = k;
  return k;
}

static void lower_group(tsr_plan *plan, const tsr_program *p, finding *find, tsr_group *g)
{
  lowering x = {
      .plan = plan, .find = find, .program = p, .group = g, .number = (int32_t)(g - plan->groups)};
  x.builder = tsr__kernel_builder_create(g->ndim);
  g->accesses.weight = 1;
  g->accesses.first_scalar = plan->n_scalars;
  g->accesses.first_reduction = plan->n_reductions;
  for (int32_t i = 0; i < g->n_ops; i++) lower_op(&x, &g->ops[i]);
  store_written(&x);
  forget_lowered(&x);
  g->accesses.kernel = tsr__kernel_finish(x.builder);
  TSR_ASSERT(g->accesses.kernel->n_accesses == x.n_numbers && g->accesses.n >= x.n_numbers);
  g->accesses.factors[0] = g->accesses.factors[1] = -1;
  if (g->is_task || g->is_halo) return;
  g->accesses.kernel = prepared(find, g->accesses.kernel);
  find_sources(plan, g);
  find_factors(plan, g);
}

void tsr__plan_lower(tsr_plan *plan, const tsr_program *p)
{
  finding find = {
      .written = tsr__arena_alloc(plan->scratch, (size_t)plan->n_regions * sizeof *find.written),
      .scalar = tsr__arena_alloc(plan->scratch, (size_t)p->n_ops * sizeof *find.scalar)};
  for (int32_t r = 0; r < plan->n_regions; r++) find.written[r] = -1;
  for (int32_t i = 0; i < p->n_ops; i++) find.scalar[i] = -1;
  for (int32_t i = 0; i < plan->n_groups; i++) lower_group(plan, p, &find, &plan->groups[i]);
}

tsr_box tsr__reduced_box(const tsr_plan_reduction *r, const tsr_box *box)
{
  tsr_box result = {.ndim = 0};
  for (int k = 0; k < box->ndim; k++) {
    const bool is_reduced = r->axes_mask >> k & 1;
    if (is_reduced && !r->keepdims) continue;
    result.lo[result.ndim] = is_reduced ? 0 : box->lo[k];
    result.n[result.ndim] = is_reduced ? 1 : box->n[k];
    result.step[result.ndim++] = 1;
  }
  return result;
}

void tsr__plan_renumber_reductions(tsr_plan *plan, const int32_t *now)
{
  for (int32_t i = 0; i < plan->n_reductions; i++)
    plan->reductions[i].group = now[plan->reductions[i].group];
}

/* Views of temporaries, which lie in the plan's memory, are of the group's whole domain. */
void tsr__plan_resize_accesses(const tsr_plan *plan, const tsr_program *p, tsr_group *g,
                               const tsr_view_source *source)
{
  const size_t bytes = (size_t)g->ndim * sizeof *g->shape;
  memcpy(g->accesses.task.shape, g->shape, bytes);
  for (int32_t i = 0; i < g->accesses.n_reductions; i++) {
    tsr_plan_reduction *r = &plan->reductions[g->accesses.first_reduction + i];
    TSR_ASSERT(r->tree.ndim == g->ndim);
    if (memcmp(r->tree.shape, g->shape, bytes) != 0) tsr__tree_resize(&r->tree, g->shape);
  }
  for (int32_t i = 0; i < g->accesses.n; i++, source++) {
    tsr_access *a = &g->accesses.v[i];
    if (a->scratch) continue;
    if (source->op < 0) {
      memcpy(a->view->view.shape, g->shape, bytes);
      continue;
    }
    const tsr_program_op *op = &p->ops[source->op];
    tsr_view_ref *view = source->in < 0 ? op->out_view : op->in[source->in].view;
    if (view == a->view) continue;
    tsr__view_ref_drop(a->view);
    a->view = tsr__view_ref_take(view);
  }
}
