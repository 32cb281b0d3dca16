/* The placement of one run: the side on which each cluster of the plan runs (plan/placement.c), and
 * which buffers must be where the host reaches them. Storages keep what arrays remember of it. */
#include "scheduler/run/place.h"
#include "runtime/base/text.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"

#include <string.h>

static double moving_ns(const tsr_world *w, const tsr_storage *storage)
{
  const tsr_costs *costs = &w->costs;
  const double ns = costs->link_ns + (double)storage->agreed_bytes / costs->link_bytes_per_ns;
  return ns > storage->lost_ns + 1 ? ns - storage->lost_ns : 1;
}

/* A cluster takes what its groups take, and the moves of its arrays that come first. A buffer
 * that no group uses, a reduction's result, is the host's, where it lies already. */
static void choose_sides(const tsr_plan *plan, tsr_binding *b)
{
  const tsr_world *w = plan->scheduler->world;
  const bool by_cost = tsr__world_places_by_cost(w);
  for (int32_t i = 0; i < plan->n_clusters; i++)
    memcpy(b->cluster_ns[i], plan->clusters[i].side_ns, sizeof b->cluster_ns[i]);
  for (int32_t i = 0; i < plan->n_buffers && by_cost; i++) {
    if (plan->buffers[i].region < 0) continue;
    const tsr_storage *storage = b->regions[plan->buffers[i].region]->storage;
    b->cluster_ns[plan->cluster_of[i]][storage->on_host ? TSR_ON_DEVICE : TSR_ON_HOST] +=
        moving_ns(w, storage);
  }
  for (int32_t i = 0; i < plan->n_clusters; i++)
    b->clusters_on_host[i] = by_cost && !plan->clusters[i].is_devices &&
                             b->cluster_ns[i][TSR_ON_HOST] <= b->cluster_ns[i][TSR_ON_DEVICE];
}

static void to_host(const tsr_plan *plan, tsr_binding *b, const tsr_group *g)
{
  for (int32_t i = 0; i < tsr__n_touched(g); i++)
    if (tsr__touched(plan, g, i) >= 0) b->is_hosts[tsr__touched(plan, g, i)] = true;
}

static bool runs_on_host(const tsr_plan *plan, const tsr_binding *b, const tsr_group *g)
{
  if (g->placed.is_hosts) return true;
  if (g->placed.cluster >= 0) return b->clusters_on_host[g->placed.cluster];
  return g->side != TSR_SIDE_DEVICE && tsr__world_places_by_cost(plan->scheduler->world) &&
         g->placed.side_ns[TSR_ON_HOST] < g->placed.side_ns[TSR_ON_DEVICE];
}

static bool reaches_host(const tsr_plan *plan, const tsr_binding *b, const tsr_group *g)
{
  for (int32_t i = 0; i < tsr__n_touched(g); i++)
    if (tsr__touched(plan, g, i) >= 0 && b->is_hosts[tsr__touched(plan, g, i)]) return true;
  return false;
}

/* Do both sides touch some memory? Clusters do not share any; groups that only the host may run can
 * touch a cluster's. */
static bool is_mixed(const tsr_plan *plan, const tsr_binding *b)
{
  for (int32_t i = 0; i < plan->n_groups; i++)
    if (!b->on_host[i] && reaches_host(plan, b, &plan->groups[i])) return true;
  for (int32_t i = 0; i < plan->n_copies; i++)
    if (b->is_hosts[plan->slots[plan->copies[i].from].buffer] !=
        b->is_hosts[plan->slots[plan->copies[i].to].buffer])
      return true;
  return false;
}

void tsr__place(tsr_plan *plan, tsr_binding *b)
{
  choose_sides(plan, b);
  for (int32_t i = 0; i < plan->n_buffers; i++)
    b->is_hosts[i] = b->clusters_on_host[plan->cluster_of[i]];
  for (int32_t i = 0; i < plan->n_groups; i++) {
    b->on_host[i] = runs_on_host(plan, b, &plan->groups[i]);
    if (plan->groups[i].placed.is_hosts) to_host(plan, b, &plan->groups[i]);
  }
  b->is_mixed = plan->any_hosts && is_mixed(plan, b);
}

static bool all_hosts(const tsr_plan *plan, const tsr_binding *b, const tsr_group *g)
{
  for (int32_t i = 0; i < tsr__n_touched(g); i++)
    if (tsr__touched(plan, g, i) >= 0 && !b->is_hosts[tsr__touched(plan, g, i)]) return false;
  return true;
}

bool tsr__place_without(tsr_plan *plan, tsr_binding *b)
{
  for (int32_t i = 0; i < plan->n_groups; i++) {
    const tsr_group *g = &plan->groups[i];
    const bool is_whole = all_hosts(plan, b, g);
    if (g->placed.is_refused && !is_whole) return false;
    b->on_host[i] = b->on_host[i] && is_whole;
  }
  memset(b->is_hosts, 0, (size_t)plan->n_buffers * sizeof *b->is_hosts);
  for (int32_t i = 0; i < plan->n_groups; i++)
    if (b->on_host[i]) to_host(plan, b, &plan->groups[i]);
  b->is_mixed = is_mixed(plan, b);
  return true;
}

/* Does the group touch memory that the device has no space for? */
static bool is_away(const tsr_plan *plan, const tsr_binding *b, const tsr_group *g)
{
  for (int32_t i = 0; i < tsr__n_touched(g); i++) {
    const int32_t buffer = tsr__touched(plan, g, i);
    if (buffer >= 0 && b->buffers[buffer].space != TSR_SPACE_PLACE) return true;
  }
  return false;
}

/* How the group's chunks get there: those that a device cannot launch run on the host, on copies,
 * and a task whose memory lies with the host runs there. */
static const char *route_of(const tsr_plan *plan, const tsr_binding *b, const tsr_group *g,
                            bool on_host)
{
  const tsr_world *w = plan->scheduler->world;
  if (on_host) return "host";
  const bool away = is_away(plan, b, g);
  if (away && g->is_task) return "host, where its memory lies";
  if (away) return "device, streamed in parts";
  if (tsr__device_runs_c(w->places[plan->here].device)) return "device, C in its queue";
  if (!tsr__is_launched(plan, g)) return "device, the host computes copies";
  const bool by_blas = g->is_task && !g->is_user && w->device_blas;
  return by_blas ? "device, by its library where that can" : "device, launched";
}

static void add_reason(tsr_text *t, const tsr_plan *plan, const tsr_binding *b, const tsr_group *g)
{
  const tsr_world *w = plan->scheduler->world;
  const int32_t cluster = g->placed.cluster;
  const double *ns = cluster >= 0 ? b->cluster_ns[cluster] : g->placed.side_ns;
  if (g->side == TSR_SIDE_HOST)
    tsr__text_add(t, "the program wants it there");
  else if (g->placed.is_refused && g->is_user)
    tsr__text_add(t, g->accesses.kernel->n_source == 0
                         ? "it is a C function, to which no CUDA C was given (tsr_task_cuda)"
                     : w->costs_wait ? "no array is large enough yet to compile its CUDA C for"
                                     : "its CUDA C does not compile here");
  else if (g->placed.is_refused)
    tsr__text_add(t, "the device does not run it");
  else if (g->side == TSR_SIDE_DEVICE || (cluster >= 0 && plan->clusters[cluster].is_devices))
    tsr__text_add(t, "the program wants it, or a group that shares its arrays, there");
  else if (w->costs_wait)
    tsr__text_add(t, "no array is large enough yet to find out what the device costs");
  else if (tsr__world_places_by_cost(w))
    tsr__text_add(
        t, "with what shares its arrays, and their moves, %.1f us on the host, %.1f on the device",
        ns[TSR_ON_HOST] / 1e3, ns[TSR_ON_DEVICE] / 1e3);
  else
    tsr__text_add(t, "all that can runs there");
}

char *tsr__place_text(const tsr_plan *plan, const tsr_binding *b)
{
  tsr_text t = {0};
  if (plan->clusters == NULL) return NULL;
  for (int32_t i = 0; i < plan->n_groups; i++) {
    const tsr_group *g = &plan->groups[i];
    if (g->is_halo) continue; /* it runs nothing */
    const tsr_location *at = plan->scheduler->window->ops[g->ops[g->n_ops - 1].op]->where;
    tsr__text_add(&t, "group %d %s: ", i, route_of(plan, b, g, b->on_host[i]));
    add_reason(&t, plan, b, g);
    if (at != NULL && at->file != NULL)
      tsr__text_add(&t, "; %s:%d `%s`", at->file, at->line, at->op);
    tsr__text_add(&t, "\n");
  }
  return t.s;
}

/* Only the first place notes it, since what an array remembers is about all of its tiles. */
void tsr__place_commit(tsr_plan *plan, const tsr_binding *b)
{
  if (plan->here > 0) return;
  for (int32_t i = 0; i < plan->n_slots && plan->clusters != NULL; i++) {
    const tsr_plan_slot *slot = &plan->slots[i];
    if (!slot->final) continue;
    tsr_storage *storage = b->regions[slot->region]->storage;
    const tsr_cluster *c = &plan->clusters[plan->cluster_of[slot->buffer]];
    const bool on_host = b->is_hosts[slot->buffer], moved = storage->on_host != on_host;
    const double gain_ns = c->side_ns[on_host ? TSR_ON_HOST : TSR_ON_DEVICE] -
                           c->side_ns[on_host ? TSR_ON_DEVICE : TSR_ON_HOST];
    storage->lost_ns = moved ? 0 : storage->lost_ns + gain_ns;
    if (storage->lost_ns < 0) storage->lost_ns = 0;
    storage->on_host = on_host;
  }
}
