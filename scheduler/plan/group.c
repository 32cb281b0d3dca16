/* Fusion: ops over one iteration domain become one loop nest.
 *
 * Ops join groups in program order, but for those of some long expressions (split.c). Each gets the
 * earliest group that its dependencies allow: the group of a value that it reads or overwrites
 * point by point, or the one after it where the access is displaced. An op that makes a value joins
 * the newest group from there on that has its domain and a cut that agrees, since that is nearest
 * to its readers. An op that writes memory joins the oldest, so that its readers may come early,
 * too. If none fits, the op opens a group. Accesses are kept per region and forgotten once a later
 * write covers them (what meets them then meets that write, too), so a long window costs little per
 * op.
 *
 * A write that a displaced read of the same group forbids may rename: the new version goes to a
 * fresh buffer. That is done where the write covers three quarters of its region and the group
 * makes the value that is written (a Jacobi step becomes one pass), or where one op alone reads
 * displaced what it writes. Otherwise such an op is split over a temporary.
 *
 * Borders of large arrays are fused where they are one plane of one array (planes.h).
 *
 * A task is a group of its own: what it reads and writes is in memory before and after it. So is an
 * op that only brings a halo in.
 *
 * Recomputed values (recompute.c) are in no group; an op reads their operands instead. Where a
 * recomputed op stands in the program, the version of each of its operands (the number of renames
 * so far) and the groups that it waits for are noted. A reader that finds the region renamed since
 * then reads the old version, and waits only for those groups. */
#include "scheduler/plan/group_int.h"
#include "scheduler/plan/cut.h"
#include "scheduler/plan/regions.h"

#include <string.h>

enum {
  /* work of a group per op that it may have, with the ops that are recomputed for it, and folds */
  WORK_PER_OP = 2,
  /* strands of a group: each is a stream from memory and one to it, and processors follow few
   * streams at a time */
  MAX_STRANDS = 8,
  FOLD_STREAMS = 8 /* operands of a fold that count as a strand */
};

/* A temporary that no op of the program names. */
static int32_t add_temporary(tsr_grouping *x, tsr_dtype dtype, int ndim, const int64_t *shape)
{
  const int32_t r = tsr__plan_add_region(x->plan, dtype, ndim, shape);
  x->regions =
      tsr__arena_grow(x->plan->scratch, x->regions, r, &x->cap_regions, sizeof *x->regions);
  memset(&x->regions[r], 0, sizeof *x->regions);
  return r;
}

static bool same_points(const tsr_access_record *a, const tsr_view *view)
{
  return !a->reduction && tsr__view_equal(a->view, view);
}

static int32_t max32(int32_t a, int32_t b)
{
  return a > b ? a : b;
}

/* Sets *out to the image of all indices of the view. */
static bool image_of(const tsr_view *view, tsr_box *out)
{
  tsr_box all = tsr__box_of_shape(view->ndim, view->shape);
  return tsr__view_image(view, &all, out);
}

int32_t tsr__after_writes(const tsr_region_state *s, const tsr_view *view, const tsr_box *box,
                          bool displaced)
{
  int32_t first = 0;
  for (int32_t i = 0; i < s->n; i++) {
    const tsr_access_record *a = &s->v[i];
    if (!a->write || !tsr__box_intersects(a->box, box)) continue;
    first = max32(first, a->group + (!displaced && same_points(a, view) ? 0 : 1));
  }
  return first;
}

static void after_reads(const tsr_grouping *x, tsr_joining *p)
{
  for (int32_t i = 0; i < p->reads.n; i++) {
    const tsr_plan_read *in = &p->reads.v[i];
    p->earliest = max32(p->earliest, tsr__after_read(x, in));
    if (in->stale || in->region != p->out || tsr__view_equal(in->view, p->out_view)) continue;
    if (tsr__box_intersects(&in->box, p->out_box)) p->self_conflict = true;
  }
}

/* Finds the earliest groups that the op's accesses allow, with and without renaming. */
static void find_earliest(const tsr_grouping *x, tsr_joining *p)
{
  if (p->role == TSR_ROLE_FROM_TEMP)
    p->earliest =
        /* it needs a group of its own, after the one that fills the temporary */
        x->plan->n_groups;
  else
    after_reads(x, p);
  if (p->role == TSR_ROLE_WHOLE) p->earliest = max32(p->earliest, tsr__waiting_until(x, p->index));
  const tsr_region_state *s = &x->regions[p->out];
  const tsr_plan_region *r = &x->plan->regions[p->out];
  if (s->is_deferred_input && r->n_renames > 0)
    p->earliest = max32(p->earliest, r->renamed_by[r->n_renames - 1]);
  p->earliest_renamed = s->is_deferred_input ? max32(p->earliest, s->rename_after) : p->earliest;
  for (int32_t i = 0; i < s->n; i++) {
    const tsr_access_record *a = &s->v[i];
    if (!tsr__box_intersects(a->box, p->out_box)) continue;
    int32_t next = a->group + (same_points(a, p->out_view) ? 0 : 1);
    p->earliest = max32(p->earliest, next);
    p->earliest_renamed = max32(p->earliest_renamed, a->write ? next : a->group);
  }
  p->may_rename = tsr__may_rename(x->plan, p->out, p->out_box, p->out_exact);
  if (p->must_rename) p->earliest = max32(p->earliest, p->earliest_renamed);
}

static bool cuts_are_close(const tsr_layout *a, const tsr_layout *b)
{
  if (a->place != NULL || b->place != NULL || a->place_base != b->place_base) return false;
  for (int k = 0; k < a->ndim; k++)
    if (a->n_tiles[k] != b->n_tiles[k] || a->place_stride[k] != b->place_stride[k]) return false;
  return true;
}

/* Are the limits of ops and of work kept where p joins g? Those of a long expression are kept by
 * its subexpressions (split.c); a group has ops of one. */
static bool has_capacity(const tsr_grouping *x, const tsr_group *g, const tsr_joining *p)
{
  const tsr_split *split = &x->plan->split;
  const int32_t subexpression = tsr__subexpression_of(split, p->index);
  if (subexpression > 0 && g->subexpression > 0) return g->subexpression == subexpression;
  if (g->n_ops >= split->most_ops) return false;
  return subexpression > 0 || p->reads.n_again == 0 ||
         g->n_ops + g->n_again + p->reads.n_again < WORK_PER_OP * split->most_ops;
}

/* May p join g? If so, *cut and *strength are those of the group with p. */
static bool agrees(const tsr_grouping *x, const tsr_group *g, const tsr_joining *p,
                   const tsr_layout **cut, uint8_t *strength)
{
  if (g->ndim != p->ndim || !has_capacity(x, g, p) ||
      !tsr__plane_joins(&x->planes[g - x->plan->groups], &p->plane))
    return false;
  if (g->is_task || g->is_halo || p->op->kind == TSR_OPKIND_TASK ||
      p->op->kind == TSR_OPKIND_HALO || g->side != p->op->side)
    return false;
  for (int k = 0; k < g->ndim; k++)
    if (g->shape[k] != p->shape[k]) return false;
  *strength = g->strength > p->strength ? g->strength : p->strength;
  *cut = p->strength > g->strength ? p->cut : g->cut;
  if (g->cut == p->cut) return true;
  bool mixed = g->cut->replicated != p->cut->replicated;
  if (g->strength == TSR_CUT_FIXED || p->strength == TSR_CUT_FIXED) {
    if (g->strength == p->strength || x->program->regions[p->op->out].replicate) return false;
    /* A value is not computed far from its operands because others happen to be written there. */
    if (p->strength == TSR_CUT_OPERAND && !mixed) return cuts_are_close(g->cut, p->cut);
    return !mixed ||
           tsr__volume(g->ndim, g->shape) <= x->plan->scheduler->world->config.replicate_max;
  }
  if (mixed) return false;
  return g->strength != p->strength || cuts_are_close(g->cut, p->cut);
}

static bool makes_an_input(const tsr_grouping *x, int32_t group, const tsr_joining *p)
{
  for (int32_t i = 0; i < p->reads.n; i++) {
    if (p->reads.v[i].stale) continue;
    const tsr_region_state *s = &x->regions[p->reads.v[i].region];
    for (int32_t j = 0; j < s->n; j++)
      if (s->v[j].write && s->v[j].group == group && same_points(&s->v[j], p->reads.v[i].view))
        return true;
  }
  return false;
}

/* Does a product stand between the group and p that is to be alone? Such a product joins only the
 * group that makes a factor of it, and only its sum joins the product's group. */
static bool keeps_apart(const tsr_grouping *x, int32_t group, const tsr_joining *p)
{
  if (!x->alone || !(x->alone[p->index] || x->alone[x->plan->groups[group].ops[0].op]))
    return false;
  return !makes_an_input(x, group, p);
}

/* Does p read nothing that the group reads, makes or overwrites? Then joining saves no pass over
 * memory. */
static bool is_stranger(const tsr_grouping *x, int32_t group, const tsr_joining *p)
{
  for (int32_t i = 0; i < p->reads.n; i++) {
    const tsr_region_state *s = &x->regions[p->reads.v[i].region];
    for (int32_t j = 0; j < s->n && !p->reads.v[i].stale; j++)
      if (s->v[j].group == group && tsr__box_intersects(s->v[j].box, &p->reads.v[i].box))
        return false;
  }
  return true;
}

/* The strands that p adds to the group. Those of an expression have been counted as streams. */
static int32_t n_strands(const tsr_grouping *x, int32_t group, const tsr_joining *p)
{
  const int32_t subexpression = tsr__subexpression_of(&x->plan->split, p->index);
  if (subexpression > 0 && x->plan->groups[group].subexpression == subexpression) return 0;
  if (!is_stranger(x, group, p)) return 0;
  return p->op->kind == TSR_OPKIND_FOLD ? (p->op->n_in + FOLD_STREAMS - 1) / FOLD_STREAMS : 1;
}

static int32_t open_group(tsr_grouping *x, const tsr_joining *p)
{
  tsr_plan *plan = x->plan;
  plan->groups = tsr__arena_grow(plan->scratch, plan->groups, plan->n_groups, &plan->cap_groups,
                                 sizeof *plan->groups);
  tsr_group *g = &plan->groups[plan->n_groups];
  memset(g, 0, sizeof *g);
  x->planes =
      tsr__arena_grow(plan->scratch, x->planes, plan->n_groups, &x->cap_planes, sizeof *x->planes);
  x->planes[plan->n_groups] = (tsr_plane){.any = false};
  g->ndim = p->ndim;
  memcpy(g->shape, p->shape, (size_t)p->ndim * sizeof *p->shape);
  g->cut = p->cut;
  g->strength = p->strength;
  g->is_task = p->op->kind == TSR_OPKIND_TASK;
  g->is_user = tsr__program_op_is_user_task(p->op);
  g->is_halo = p->op->kind == TSR_OPKIND_HALO;
  g->side = p->op->side;
  g->grain = tsr__program_op_grain(p->op);
  g->whole = tsr__program_op_whole(p->op);
  return plan->n_groups++;
}

void tsr__fix_cut(tsr_plan *plan, int32_t group)
{
  plan->groups[group].strength = TSR_CUT_FIXED;
}

/* The group that p goes to; opens one if none fits. *renamed: its write goes to a new version
 * there. -1: the op must be split. */
static int32_t find_group(tsr_grouping *x, const tsr_joining *p, bool *renamed)
{
  tsr_plan *plan = x->plan;
  const tsr_layout *cut;
  uint8_t strength;
  *renamed = p->must_rename;
  if (plan->scheduler->world->config.fusion) {
    if (p->may_rename && (p->self_conflict || p->earliest_renamed < p->earliest)) {
      int32_t end = p->self_conflict ? plan->n_groups : p->earliest;
      for (int32_t g = end - 1; g >= p->earliest_renamed; g--) {
        if (!agrees(x, &plan->groups[g], p, &cut, &strength) || !makes_an_input(x, g, p)) continue;
        *renamed = true;
        plan->groups[g].cut = cut;
        plan->groups[g].strength = strength;
        return g;
      }
    }
    int32_t n = p->self_conflict ? 0 : plan->n_groups - p->earliest;
    for (int32_t i = 0; i < n; i++) {
      int32_t g = tsr__makes_its_region(p) ? plan->n_groups - 1 - i : p->earliest + i;
      if (!agrees(x, &plan->groups[g], p, &cut, &strength) || keeps_apart(x, g, p)) continue;
      const int32_t more = n_strands(x, g, p);
      if (more > 0 && plan->groups[g].n_strands + more > MAX_STRANDS) continue;
      plan->groups[g].cut = cut;
      plan->groups[g].strength = strength;
      return g;
    }
  }
  if (p->self_conflict && !p->may_rename) return -1;
  *renamed |= p->self_conflict;
  return open_group(x, p);
}

/* A read takes the place of an earlier group's by the same view: whoever must wait for one of them
 * waits for the later one. So what a loop reads again in each turn is there once. */
static void record_access(tsr_grouping *x, int32_t r, const tsr_access_record *a)
{
  tsr_region_state *s = &x->regions[r];
  int32_t n = 0;
  for (int32_t i = 0; i < s->n; i++) {
    const tsr_access_record *old = &s->v[i];
    bool covered = a->write && tsr__box_contains(a->box, old->box);
    bool again = !a->write && !old->write && old->group <= a->group &&
                 tsr__view_equal(old->view, a->view) && tsr__box_equal(old->box, a->box);
    if (!covered && !again) s->v[n++] = *old;
  }
  s->n = n;
  s->v = tsr__arena_grow(x->plan->scratch, s->v, s->n, &s->capacity, sizeof *s->v);
  s->v[s->n++] = *a;
}

static void note_rename(tsr_grouping *x, int32_t group, int32_t region)
{
  TSR_ASSERT(x->plan->renames && group >= 0 && group < x->plan->n_groups);
  tsr_group *g = &x->plan->groups[group];
  if (!tsr__plan_rename(x->plan, region, group)) return;
  g->renames = tsr__arena_grow(x->plan->scratch, g->renames, g->n_renames, &g->cap_renames,
                               sizeof *g->renames);
  g->renames[g->n_renames++] = region;
}

/* Notes that the region needs memory if another group than its maker reads it or writes some
 * of it. */
static void note_crossing(tsr_grouping *x, int32_t r, int32_t group)
{
  tsr_plan_region *p = &x->plan->regions[r];
  if (p->created_by != group) p->crossed = true;
}

static void note_reads(tsr_grouping *x, int32_t group, const tsr_joining *p)
{
  for (int32_t i = 0; i < p->reads.n; i++) {
    const tsr_plan_read *in = &p->reads.v[i];
    note_crossing(x, in->region, group);
    if (in->stale) continue; /* no later write reaches the old version */
    record_access(x, in->region,
                  &(tsr_access_record){.group = group, .view = in->view, .box = &in->box});
  }
}

/* The op makes its region in the group, whose cut the region follows. */
static void make_region(tsr_plan *plan, int32_t group, const tsr_joining *p, bool reduction)
{
  tsr_group *g = &plan->groups[group];
  tsr_plan_region *out = &plan->regions[p->out];
  tsr__plan_make_region(plan, p->out, group);
  out->deferred = p->role == TSR_ROLE_WHOLE && p->op->deferred;
  out->reduced = reduction;
  if (reduction) {
    out->crossed = true;
    const tsr_config *config = &plan->scheduler->world->config;
    int64_t n = tsr__volume(out->ndim, out->shape);
    bool small = n <= config->replicate_max || out->ndim == 0;
    tsr_layouts *layouts = plan->scheduler->layouts;
    tsr__plan_lay_out_region(
        plan, p->out,
        small || g->cut->replicated
            ? tsr__layout_replicated(layouts, out->ndim, out->shape)
            : tsr__layout_reduce(layouts, g->cut, p->op->axes_mask, p->op->keepdims));
    if (!small) g->strength = TSR_CUT_FIXED; /* the result's layout depends on it */
  } else if (g->is_task) {
    out->crossed = true;
    tsr__plan_lay_out_region(
        plan, p->out,
        tsr__layout_reduce(plan->scheduler->layouts, g->cut, p->op->axes_mask, false));
  } else if (!tsr__view_is_identity(p->out_view)) {
    out->crossed = true;
    tsr__plan_lay_out_region(plan, p->out,
                             tsr__merged_layout(plan, p->out_view, out->ndim, out->shape, g->cut));
  }
}

static void put_into_group(tsr_grouping *x, int32_t group, bool renamed, const tsr_joining *p)
{
  tsr_plan *plan = x->plan;
  tsr_group *g = &plan->groups[group];
  TSR_ASSERT(g->ndim == p->ndim);
  g->ops = tsr__arena_grow(plan->scratch, g->ops, g->n_ops, &g->cap_ops, sizeof *g->ops);
  g->ops[g->n_ops++] = (tsr_gop){.op = p->index, .role = p->role, .temp = p->temp};
  g->n_again += p->reads.n_again;
  g->n_strands += n_strands(x, group, p);
  tsr_plane *plane = &x->planes[group];
  if (!plane->any || (plane->is_read && p->plane.any)) *plane = p->plane;
  if (g->subexpression == 0) g->subexpression = tsr__subexpression_of(&plan->split, p->index);
  if (renamed) note_rename(x, group, p->out);

  if (p->role == TSR_ROLE_FROM_TEMP)
    note_crossing(x, p->temp, group);
  else
    note_reads(x, group, p);
  if (g->is_halo) return; /* it makes nothing */
  bool reduction = p->op->kind == TSR_OPKIND_REDUCE && p->role != TSR_ROLE_FROM_TEMP;
  tsr_plan_region *out = &plan->regions[p->out];
  if (tsr__makes_its_region(p)) {
    make_region(plan, group, p, reduction);
  } else {
    note_crossing(x, p->out, group);
    if (out->created_by < 0 && !out->exists) out->deferred |= p->op->deferred;
    if (!tsr__view_is_identity(p->out_view)) out->crossed = true;
  }
  record_access(x, p->out,
                &(tsr_access_record){.group = group,
                                     .write = true,
                                     .reduction = reduction || g->is_task,
                                     .view = p->out_view,
                                     .box = p->out_box});
}

static void begin_joining(const tsr_grouping *x, int32_t index, tsr_joining *p)
{
  const tsr_program_op *op = &x->program->ops[index];
  *p = (tsr_joining){.op = op, .index = index, .role = TSR_ROLE_WHOLE, .temp = -1};
  p->must_rename = x->plan->recompute.must_rename != NULL && x->plan->recompute.must_rename[index];
  p->reads = x->plan->reads.of[index];
  for (int32_t i = 0; i < p->reads.n; i++) {
    tsr_plan_read *in = &p->reads.v[i];
    in->stale = tsr__is_stale(x, in);
  }
  p->out = op->out;
  p->out_view = &op->out_view->view;
  const tsr_view *domain = op->kind == TSR_OPKIND_REDUCE ? &op->in[0].view->view : p->out_view;
  p->ndim = domain->ndim;
  p->shape = domain->shape;
  p->out_box = tsr__arena_alloc(x->plan->scratch, sizeof *p->out_box);
  p->out_exact = image_of(p->out_view, p->out_box);
  if (!tsr__makes_its_region(p)) tsr__plane_of(x->plan, p->out, p->out_view, false, &p->plane);
  for (int32_t i = 0; i < p->reads.n && tsr__makes_its_region(p) && op->kind != TSR_OPKIND_REDUCE;
       i++)
    tsr__plane_of(x->plan, p->reads.v[i].region, p->reads.v[i].view, true, &p->plane);
}

/* Splits an op: value -> temporary, in whatever group fits; then temporary -> memory, in a group of
 * its own. */
static void put_split(tsr_grouping *x, const tsr_joining *whole)
{
  tsr_view *identity = tsr__arena_alloc(x->plan->scratch, sizeof *identity);
  tsr__view_identity(identity, whole->ndim, whole->shape);
  int32_t temp = add_temporary(x, (tsr_dtype)x->program->regions[whole->op->out].dtype, whole->ndim,
                               whole->shape);

  tsr_joining to = *whole;
  to.role = TSR_ROLE_TO_TEMP;
  to.out = to.temp = temp;
  to.out_view = identity;
  to.out_box = tsr__arena_alloc(x->plan->scratch, sizeof *to.out_box);
  *to.out_box = tsr__box_of_shape(whole->ndim, whole->shape);
  to.out_exact = true;
  to.earliest = to.earliest_renamed = 0;
  to.self_conflict = to.must_rename = false;
  find_earliest(x, &to);
  tsr__choose_cut(x, &to);
  bool renamed;
  put_into_group(x, find_group(x, &to, &renamed), false, &to);

  tsr_joining from = *whole;
  from.role = TSR_ROLE_FROM_TEMP;
  from.temp = temp;
  from.earliest = 0;
  from.self_conflict = from.may_rename = false;
  from.reads = (tsr_reads){.n = 0};
  tsr__choose_cut(x, &from);
  put_into_group(x, open_group(x, &from), false, &from);
}

/* The op's readers recompute it: notes the versions of what they read for it. */
static void pin_operands(tsr_grouping *x, int32_t index)
{
  const tsr_program_op *op = &x->program->ops[index];
  for (int i = 0; i < tsr__program_n_values(op); i++) {
    const int32_t r = op->in[i].region;
    if (r < 0) continue;
    if (tsr__recomputed_by(x->plan, r) >= 0) continue;
    tsr_region_state *s = &x->regions[r];
    tsr_version_ref *version = &x->plan->recompute.versions[index][i];
    *version = (tsr_version_ref){.version = x->plan->regions[r].n_renames};
    for (int j = 0; j < tsr__program_n_pieces(op); j++) {
      const tsr_view *view = &op->in[i + j].view->view;
      tsr_box box;
      image_of(view, &box);
      version->after = max32(version->after, tsr__after_writes(s, view, &box, true));
    }
    s->is_deferred_input = true;
    s->rename_after = max32(s->rename_after, version->after);
  }
}

static void put_op(tsr_grouping *x, int32_t index)
{
  tsr_joining p;
  begin_joining(x, index, &p);
  bool renamed;
  if (p.op->follows > 0) { /* the task's group, which was just opened; no group makes the value */
    put_into_group(x, x->plan->n_groups - 1, false, &p);
    return;
  }
  find_earliest(x, &p);
  tsr__choose_cut(x, &p);
  int32_t group = find_group(x, &p, &renamed);
  if (group < 0)
    put_split(x, &p);
  else
    put_into_group(x, group, renamed, &p);
}

void tsr__plan_group(tsr_plan *plan, const tsr_program *program)
{
  tsr_grouping x = {.plan = plan,
                    .program = program,
                    .regions = tsr__arena_calloc(plan->scratch, (size_t)program->n_regions + 1,
                                                 sizeof *x.regions),
                    .cap_regions = program->n_regions + 1};
  plan->groups = tsr__arena_reserve(plan->scratch, program->n_ops / 2 + 1, &plan->cap_groups,
                                    sizeof *plan->groups);
  x.alone = tsr__find_alone(plan, program);
  tsr__waiting_begin(&x);
  for (int32_t at = 0; at < program->n_ops; at++) {
    tsr__waiting_look(&x, at);
    const int32_t i = plan->split.order != NULL ? plan->split.order[at] : at;
    if (program->ops[i].action != TSR_ACT_RUN) continue;
    if (tsr__recomputed_by(plan, program->ops[i].out) >= 0)
      pin_operands(&x, i);
    else
      put_op(&x, i);
  }
  for (int32_t r = 0; r < plan->n_regions; r++) {
    const tsr_plan_region *p = &plan->regions[r];
    if (p->layout == NULL && p->created_by >= 0)
      tsr__plan_lay_out_region(plan, r, plan->groups[p->created_by].cut);
  }
}

void tsr__plan_keep_groups(tsr_plan *plan, const int32_t *order, int32_t n)
{
  tsr_group *groups = tsr__arena_alloc(plan->scratch, (size_t)n * sizeof *groups + 1);
  int32_t *now = tsr__arena_alloc(plan->scratch, (size_t)plan->n_groups * sizeof *now + 1);
  for (int32_t i = 0; i < n; i++) {
    memcpy(&groups[i], &plan->groups[order[i]], sizeof *groups);
    now[order[i]] = i;
  }
  memcpy(plan->groups, groups, (size_t)n * sizeof *groups);
  plan->n_groups = n;
  tsr__plan_renumber_regions(plan, now);
  tsr__plan_renumber_reductions(plan, now);
}

void tsr__plan_drop_ops(tsr_plan *plan, const bool *is_out)
{
  int32_t *order = tsr__arena_alloc(plan->scratch, (size_t)plan->n_groups * sizeof *order + 1);
  int32_t n = 0;
  for (int32_t i = 0; i < plan->n_groups; i++) {
    tsr_group *g = &plan->groups[i];
    int32_t n_ops = 0;
    for (int32_t k = 0; k < g->n_ops; k++)
      if (!is_out[g->ops[k].op]) g->ops[n_ops++] = g->ops[k];
    g->n_ops = n_ops;
    if (n_ops > 0) order[n++] = i;
  }
  if (n < plan->n_groups) tsr__plan_keep_groups(plan, order, n);
}

void tsr__plan_take_over_region(tsr_plan *plan, int32_t from, int32_t to, bool makes)
{
  plan->regions[to].crossed = true;
  if (makes) plan->regions[to].reduced = plan->regions[from].reduced;
  tsr__plan_redirect_region(plan, from, to, makes);
}

void tsr__plan_resize_domain(const tsr_plan *plan, tsr_group *g, const int64_t *shape)
{
  memcpy(g->shape, shape, (size_t)g->ndim * sizeof *shape);
  g->cut = tsr__layout_resized(plan->scheduler->layouts, g->cut, g->shape);
}
