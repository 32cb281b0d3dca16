/* Operations ("ops") that wait for the readers of the temporaries that they make.
 *
 * `2*b - a` may be computed in the group that makes b. If whoever reads the value runs in a later
 * group, since it reads b displaced, too, the value goes through memory. So such ops wait: they
 * join no group before those that their readers can join, and their operands are loaded there
 * instead. That is done where the readers load these anyhow, or where they are fewer bytes than the
 * values are to store and to load.
 *
 * Ops are looked at in runs. A run ends behind an op that writes memory which exists, so what the
 * ops of a run read is written before it, or is new. The *level* of an op is the first group for
 * what it reads. Ops wait together that make values for one another and for readers of one level.
 * Each is told which read sets that level, and asks again once it has a group, as what is read may
 * have come later.
 *
 * A later group than need be is never wrong for an op, and ops still join groups in program order.
 * So what is decided here changes the bytes that are moved, and no value.
 *
 * Cost: a look at each read of the run, and one more at those of ops that may wait. */
#include "scheduler/plan/group_int.h"
#include "scheduler/plan/regions.h"

#include "runtime/base/sets.h"

#include <string.h>

/** An op of a run. */
typedef struct candidate {
  int32_t op, level;
  const tsr_plan_read *because; /* the read that sets the level; NULL: none does */
  /* the highest level of the readers, and one that has it; -1: not read yet */
  int32_t target;
  const tsr_plan_read *target_because;
  bool waits;    /* it may */
  bool is_taken; /* an op reads its value that does not wait */
  bool is_aside; /* it is read elsewhere than where it is made, or at several levels */
  int32_t last;  /* of the first of those that wait together: the last reader of what they make */
} candidate;

typedef struct tsr_waiting {
  const tsr_plan_read **because; /* [n_ops] the read that an op waits for; NULL: it does not wait */
  int32_t *last_use;             /* [n_regions] the last position of the order where it is read */
  int32_t *maker;                /* [n_regions] the candidate of this run that makes it, or -1 */
  int32_t *seen;                 /* [n_regions] the number of the last question that met it */
  int32_t stamp, end;            /* end: the position behind the run */
  const tsr_program_op *over;    /* the run's last op, if it writes over its old values; or NULL */
  candidate *v;                  /* [n] the run */
  int32_t *together;             /* [n] sets (runtime/base/sets.h) of those that wait together */
  int32_t n, capacity;
} tsr_waiting;

static int32_t op_at(const tsr_grouping *x, int32_t at)
{
  return x->plan->split.order != NULL ? x->plan->split.order[at] : at;
}

static bool runs(const tsr_grouping *x, int32_t op)
{
  const tsr_program_op *o = &x->program->ops[op];
  return o->action == TSR_ACT_RUN && tsr__recomputed_by(x->plan, o->out) < 0;
}

void tsr__waiting_begin(tsr_grouping *x)
{
  tsr_arena *scratch = x->plan->scratch;
  const tsr_program *p = x->program;
  const size_t n_regions = (size_t)p->n_regions + 1;
  tsr_waiting *w = x->waiting = tsr__arena_calloc(scratch, 1, sizeof *w);
  w->because = tsr__arena_calloc(scratch, (size_t)p->n_ops + 1, sizeof *w->because);
  w->last_use = tsr__arena_calloc(scratch, n_regions, sizeof *w->last_use);
  w->seen = tsr__arena_calloc(scratch, n_regions, sizeof *w->seen);
  w->maker = tsr__arena_alloc(scratch, n_regions * sizeof *w->maker);
  w->together = tsr__arena_alloc(scratch, ((size_t)p->n_ops + 1) * sizeof *w->together);
  for (int32_t r = 0; r < p->n_regions; r++) w->maker[r] = -1;
  for (int32_t at = 0; at < p->n_ops; at++) {
    const int32_t op = op_at(x, at);
    const tsr_reads *reads = &x->plan->reads.of[op];
    for (int32_t i = 0; runs(x, op) && i < reads->n; i++) w->last_use[reads->v[i].region] = at;
  }
}

/* Does the op make a temporary that only ops of the run read, if it may join any group? */
static bool may_wait(const tsr_grouping *x, int32_t op)
{
  const tsr_program_op *o = &x->program->ops[op];
  const tsr_plan_region *r = &x->plan->regions[o->out];
  return x->plan->scheduler->world->config.fusion && o->creates && o->kind <= TSR_OPKIND_RANDOM &&
         !r->exists && !r->store && x->waiting->last_use[o->out] < x->waiting->end &&
         tsr__subexpression_of(&x->plan->split, op) == 0 &&
         tsr__view_is_identity(&o->out_view->view);
}

/* The candidate whose value is read where it is made, or -1; *elsewhere: the one whose value is
 * read otherwise. */
static int32_t maker_of(const tsr_grouping *x, const tsr_plan_read *in, int32_t *elsewhere)
{
  const int32_t m = x->waiting->maker[in->region];
  *elsewhere = -1;
  if (m < 0) return -1;
  const tsr_program_op *o = &x->program->ops[x->waiting->v[m].op];
  if (o->kind < TSR_OPKIND_REDUCE && tsr__view_equal(in->view, &o->out_view->view)) return m;
  *elsewhere = m;
  return -1;
}

static void find_level(tsr_grouping *x, candidate *c)
{
  tsr_waiting *w = x->waiting;
  const tsr_reads *reads = &x->plan->reads.of[c->op];
  for (int32_t i = 0; i < reads->n; i++) {
    tsr_plan_read *in = &reads->v[i];
    const tsr_box all = tsr__box_of_shape(in->view->ndim, in->view->shape);
    tsr__view_image(in->view, &all, &in->box);
    in->stale = tsr__is_stale(x, in);
    int32_t elsewhere;
    const int32_t m = maker_of(x, in, &elsewhere);
    const int32_t level = m >= 0           ? w->v[m].level
                          : elsewhere >= 0 ? w->v[elsewhere].level + 1
                                           : tsr__after_read(x, in);
    if (elsewhere >= 0) w->v[elsewhere].is_aside = true;
    if (level <= c->level) continue;
    c->level = level;
    c->because = m >= 0 ? w->v[m].because : in;
  }
}

static void join_sets(const tsr_waiting *w, int32_t i, int32_t j)
{
  int32_t joined;
  const int32_t first = tsr__set_join(w->together, i, j, &joined);
  if (w->v[first].last < w->v[joined].last) w->v[first].last = w->v[joined].last;
}

/* Does the op read what the run's last op writes over, at other points? If it waited, that op would
 * have to run in a group of its own. */
static bool reads_before_write(const tsr_grouping *x, int32_t op)
{
  const tsr_program_op *over = x->waiting->over;
  const tsr_reads *reads = &x->plan->reads.of[op];
  bool any = false;
  for (int32_t k = 0; over != NULL && k < reads->n; k++)
    any |= reads->v[k].region == over->out &&
           !tsr__view_equal(reads->v[k].view, &over->out_view->view);
  return any;
}

/* Settles whether candidate i waits, whose readers are settled, and tells the makers of its
 * operands. */
static void settle_candidate(const tsr_grouping *x, int32_t i)
{
  const tsr_waiting *w = x->waiting;
  candidate *c = &w->v[i];
  c->waits =
      !c->is_aside && c->target > c->level && may_wait(x, c->op) && !reads_before_write(x, c->op);
  const int32_t level = c->waits ? c->target : c->level;
  const tsr_reads *reads = &x->plan->reads.of[c->op];
  const bool is_task = x->program->ops[c->op].kind >= TSR_OPKIND_TASK;
  for (int32_t k = 0; k < reads->n; k++) {
    int32_t elsewhere;
    const int32_t m = maker_of(x, &reads->v[k], &elsewhere);
    if (m < 0) continue;
    candidate *made = &w->v[m];
    made->is_aside |= is_task || (made->target >= 0 && made->target != level);
    made->target = level;
    made->target_because = c->waits ? c->target_because : c->because;
    if (made->last < i) made->last = i;
    made->is_taken |= !c->waits;
  }
}

/* Joins what waits to those of its operands that wait. */
static void join_operands(const tsr_grouping *x, int32_t i)
{
  const tsr_reads *reads = &x->plan->reads.of[x->waiting->v[i].op];
  for (int32_t k = 0; k < reads->n; k++) {
    int32_t elsewhere;
    const int32_t m = maker_of(x, &reads->v[k], &elsewhere);
    if (m >= 0 && x->waiting->v[m].waits) join_sets(x->waiting, m, i);
  }
}

static double bytes_of_region(const tsr_grouping *x, int32_t region, int64_t n_elems)
{
  const tsr_plan_region *r = &x->plan->regions[region];
  const int64_t all = tsr__volume(r->ndim, r->shape);
  return (double)tsr__dtype_size((tsr_dtype)r->dtype) * (double)(all < n_elems ? all : n_elems);
}

/* What those that wait with candidate `first` load there and would not have to elsewhere. What
 * has no memory yet is also stored for them. */
static double loaded_bytes(const tsr_grouping *x, int32_t first)
{
  tsr_waiting *w = x->waiting;
  const int32_t stamp = ++w->stamp, target = w->v[first].target;
  double bytes = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int32_t i = first; i <= w->v[first].last; i++) {
      const candidate *c = &w->v[i];
      const bool is_one = c->waits && tsr__set_root(w->together, i) == first;
      if (pass == 0 ? c->waits || c->level != target : !is_one) continue;
      const tsr_reads *reads = &x->plan->reads.of[c->op];
      const tsr_view *domain = &x->program->ops[c->op].out_view->view;
      for (int32_t k = 0; k < reads->n; k++) {
        const int32_t region = reads->v[k].region, m = w->maker[region];
        if (w->seen[region] == stamp || (m >= 0 && w->v[m].waits)) continue;
        w->seen[region] = stamp;
        const tsr_plan_region *r = &x->plan->regions[region];
        if (pass == 1)
          bytes += (r->exists || r->store || r->crossed ? 1 : 2) *
                   bytes_of_region(x, region, tsr__volume(domain->ndim, domain->shape));
      }
    }
  return bytes;
}

/* Lets those wait that candidate `first` is the first of, if that is fewer bytes. */
static void decide_waiting(const tsr_grouping *x, int32_t first)
{
  const tsr_waiting *w = x->waiting;
  double saved_bytes = 0;
  for (int32_t i = first; i < w->v[first].last; i++)
    if (w->v[i].waits && w->v[i].is_taken && tsr__set_root(w->together, i) == first)
      saved_bytes += 2 * bytes_of_region(x, x->program->ops[w->v[i].op].out, INT64_MAX);
  if (loaded_bytes(x, first) >= saved_bytes) return;
  for (int32_t i = first; i < w->v[first].last; i++)
    if (w->v[i].waits && tsr__set_root(w->together, i) == first)
      w->because[w->v[i].op] = w->v[i].target_because;
}

/* Does a write go to the memory that the array has, and not to a new version? */
static bool stays_in_place(const tsr_grouping *x, const tsr_program_op *o)
{
  const tsr_view *v = &o->out_view->view;
  const tsr_box all = tsr__box_of_shape(v->ndim, v->shape);
  tsr_box written;
  const bool exact = tsr__view_image(v, &all, &written);
  return !tsr__may_rename(x->plan, o->out, &written, exact);
}

/* Finds the run from this place on, and the levels of its ops. */
static void find_run(tsr_grouping *x, int32_t at)
{
  tsr_waiting *w = x->waiting;
  for (int32_t i = 0; i < w->n; i++) w->maker[x->program->ops[w->v[i].op].out] = -1;
  w->n = 0;
  w->over = NULL;
  for (bool is_over = false; !is_over && at < x->program->n_ops; at++) {
    const int32_t op = op_at(x, at);
    if (!runs(x, op)) continue;
    const tsr_program_op *o = &x->program->ops[op];
    w->v = tsr__arena_grow(x->plan->scratch, w->v, w->n, &w->capacity, sizeof *w->v);
    w->v[w->n] = (candidate){.op = op, .target = -1};
    w->together[w->n] = w->n;
    find_level(x, &w->v[w->n]);
    is_over = !o->creates || o->kind >= TSR_OPKIND_TASK;
    if (!o->creates && stays_in_place(x, o)) w->over = o;
    if (!is_over) w->maker[o->out] = w->n;
    w->n++;
  }
  w->end = at;
}

void tsr__waiting_look(tsr_grouping *x, int32_t at)
{
  tsr_waiting *w = x->waiting;
  if (at < w->end) return;
  find_run(x, at);
  bool any = false;
  for (int32_t i = w->n - 1; i >= 0; i--) {
    settle_candidate(x, i);
    any |= w->v[i].waits;
  }
  for (int32_t i = 0; any && i < w->n; i++)
    if (w->v[i].waits) join_operands(x, i);
  for (int32_t i = 0; any && i < w->n; i++)
    if (w->v[i].waits && w->together[i] == i) decide_waiting(x, i);
}

int32_t tsr__waiting_until(const tsr_grouping *x, int32_t op)
{
  const tsr_plan_read *in = x->waiting->because[op];
  return in != NULL ? tsr__after_read(x, in) : 0;
}
