/* Groups that wait (postpone.h). A group waits if it loads nothing but what each place has whole,
 * among it the result of a reduction of this plan, or what a waiting group touches, and stores such
 * arrays or one element. Together they touch few bytes, since these have left the caches when the
 * groups go. Any other group that meets a waiting one lets all of them go first. Versions stay what
 * they are: no group that waits renames, and none is passed by one that renames what it touches. */
#include "scheduler/plan/postpone.h"
#include "scheduler/plan/group.h"

/* What all waiting groups touch, at most. */
#define MOST_BYTES ((double)(1 << 20))

/** What is known of a region: the last turn in which a waiting group loads or writes it. */
typedef struct touched {
  int32_t loaded, written;
} touched;

typedef struct postponing {
  tsr_plan *plan;
  touched *regions;            /* [n_regions] */
  int32_t turn;                /* it ends when the waiting groups go */
  int32_t *order, n;           /* [n] groups in their new order */
  int32_t *waiting, n_waiting; /* [n_waiting] groups */
  double bytes;                /* that these touch */
} postponing;

static double n_points_of_group(const tsr_group *g)
{
  double n = 1;
  for (int k = 0; k < g->ndim; k++) n *= (double)g->shape[k];
  return n;
}

/* May the group wait at all, and for what it loads? *takes_result: it takes the result of a
 * reduction; *bytes: what it touches. */
static bool may_wait(const tsr_plan *plan, const tsr_group *g, bool *takes_result, double *bytes)
{
  *takes_result = false;
  *bytes = 0;
  if (g->is_task || g->is_halo || g->n_renames > 0 || g->accesses.n_reductions > 0) return false;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    const tsr_plan_region *r = &plan->regions[a->region];
    if (!r->layout->replicated && !(a->store && n_points_of_group(g) == 1)) return false;
    *takes_result |= !a->store && r->reduced;
    *bytes += n_points_of_group(g) * (double)tsr__dtype_size((tsr_dtype)r->dtype);
  }
  return true;
}

static bool is_met(const postponing *x, int32_t region, bool writes)
{
  const touched *t = &x->regions[region];
  return t->written == x->turn || (writes && t->loaded == x->turn);
}

/* Does the group meet what a waiting one touches? */
static bool meets(const postponing *x, const tsr_group *g)
{
  bool any = false;
  for (int32_t i = 0; i < g->accesses.n && !any; i++)
    if (!g->accesses.v[i].scratch) any = is_met(x, g->accesses.v[i].region, g->accesses.v[i].store);
  for (int32_t i = 0; i < g->n_renames && !any; i++) any = is_met(x, g->renames[i], true);
  for (int32_t i = 0; i < g->accesses.n_reductions && !any; i++)
    any = is_met(x, x->plan->reductions[g->accesses.first_reduction + i].region, true);
  return any;
}

static void wait(postponing *x, int32_t group)
{
  const tsr_accesses *a = &x->plan->groups[group].accesses;
  for (int32_t i = 0; i < a->n; i++) {
    touched *t = &x->regions[a->v[i].region];
    *(a->v[i].store ? &t->written : &t->loaded) = x->turn;
  }
  x->waiting[x->n_waiting++] = group;
}

static void go(postponing *x)
{
  for (int32_t i = 0; i < x->n_waiting; i++) x->order[x->n++] = x->waiting[i];
  x->n_waiting = 0;
  x->bytes = 0;
  x->turn++;
}

void tsr__plan_postpone(tsr_plan *plan)
{
  const tsr_world *world = plan->scheduler->world;
  if (plan->n_reductions == 0 || world->config.time_steps == 1 || !tsr__world_is_host(world))
    return;
  postponing x = {.plan = plan, .turn = 1};
  const size_t n = (size_t)plan->n_groups;
  x.regions = tsr__arena_calloc(plan->scratch, (size_t)plan->n_regions, sizeof *x.regions);
  x.order = tsr__arena_alloc(plan->scratch, 2 * n * sizeof *x.order);
  x.waiting = x.order + n;
  bool is_same = true;
  for (int32_t g = 0; g < plan->n_groups; g++) {
    bool takes_result;
    double bytes;
    const bool any = x.n_waiting > 0 && meets(&x, &plan->groups[g]);
    if (may_wait(plan, &plan->groups[g], &takes_result, &bytes) && (any || takes_result) &&
        x.bytes + bytes <= MOST_BYTES) {
      x.bytes += bytes;
      wait(&x, g);
      continue;
    }
    if (any) go(&x);
    is_same &= x.n_waiting == 0;
    x.order[x.n++] = g;
  }
  go(&x);
  TSR_ASSERT(x.n == plan->n_groups);
  if (!is_same) tsr__plan_keep_groups(plan, x.order, x.n);
}
