/* Placement: which groups of a plan the host runs, and which of its memory is the host's, where a
 * rank has devices.
 *
 * Groups that share memory in a plan are a cluster. It runs on one side as a whole, so that nothing
 * goes to and fro within a plan. On each side it costs what its groups take there, and the moves of
 * those of its arrays that are on the other side; the cheaper side runs it. So what is small never
 * sees the device, and what is computed with large arrays goes to where they are.
 *
 * A move pays off only in time. An array therefore remembers what it has lost by its residency so
 * far (`lost_ns`: it grows with each plan that the other side would have run faster, and shrinks
 * with the others), and a move costs that much less. This bounds the loss at about twice that of
 * knowing the future.
 *
 * Groups that the program wants on the host, or that the device refuses, run there whatever the
 * others do: their memory is the host's, and groups of the device reach it by streaming.
 *
 * All of it follows from the plan, from agreed costs and from what earlier plans left. Ranks place
 * alike, unless one has less memory or other borders; and no message, layout or value depends on
 * it. Cost: a look at each access in planning, and at each buffer in a run. */
#include "scheduler/plan/placement.h"
#include "scheduler/plan/buffers.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"

#include "kernel/compile/jit.h"
#include "kernel/compile/traits.h"
#include "kernel/cuda/launch.h"
#include "kernel/cuda/product.h"
#include "kernel/cuda/reduce.h"
#include "kernel/library/task.h"

#include "runtime/base/sets.h"
#include "runtime/device/sequence.h"
#include "runtime/machine/blas.h"

#include <math.h>
#include <string.h>

/* Per access: what it touches, what it gathers, and the rest of its ring. */
enum { PER_ACCESS = TSR_RING + 1 };

int32_t tsr__n_touched(const tsr_group *g)
{
  return PER_ACCESS * g->accesses.n;
}

int32_t tsr__touched(const tsr_plan *plan, const tsr_group *g, int32_t i)
{
  const tsr_access *a = &g->accesses.v[i / PER_ACCESS];
  const int32_t k = i % PER_ACCESS;
  int32_t slot = k == 0 ? a->slot : k == 1 ? a->gather : a->by_block ? a->slot + k - 1 : -1;
  if (a->scratch) slot = -1;
  return slot < 0 ? -1 : plan->slots[slot].buffer;
}

/* Is the group a product of matrices that has a text, or that the device's library computes? */
static bool is_product(const tsr_plan *plan, const tsr_group *g)
{
  if (!g->is_task || g->is_user || g->accesses.task_info != tsr__task_info(TSR_TASK_CODE_MATMUL))
    return false;
  const tsr_dtype dtype = g->accesses.task.dtype;
  if (g->accesses.task.blas == NULL) return tsr__cuda_has_product(dtype);
  return plan->scheduler->world->device_blas && tsr__blas_takes(dtype);
}

/* Is the group a user's task with CUDA C that compiles? Only what a rank places depends on it, so
 * ranks need not agree. While it is not known what the device costs, the host runs everything. */
static bool has_source(const tsr_plan *plan, const tsr_group *g)
{
  const tsr_world *w = plan->scheduler->world;
  const tsr_device *d = w->places[plan->here].device;
  tsr_cuda_launch launch;
  tsr_jit_code code;
  if (!g->is_user || g->accesses.kernel->n_source == 0 || w->costs_wait) return false;
  return tsr__cuda_source_make(g->accesses.kernel, 1, &launch) &&
         tsr__jit_code(tsr__jit_of_cuda(w->machine, d->ops->architecture(d)), g->accesses.kernel,
                       &launch, true, &code);
}

/* Can all that the group reduces go up its trees by launches? */
static bool can_rise(const tsr_plan *plan, const tsr_group *g)
{
  if (g->accesses.n_reductions > TSR_CUDA_MOST_TAKEN) return false;
  for (int32_t i = 0; i < g->accesses.n_reductions; i++) {
    const tsr_plan_reduction *r = &plan->reductions[g->accesses.first_reduction + i];
    if (r->tree.ndim == 0 || r->tree.ndim != g->ndim ||
        !tsr__cuda_can_reduce(r->code, (tsr_dtype)r->compute))
      return false;
  }
  return true;
}

bool tsr__is_launched(const tsr_plan *plan, const tsr_group *g)
{
  if (plan->scheduler->launcher == NULL) return false;
  if (g->is_user) return has_source(plan, g);
  if (g->is_task) return is_product(plan, g);
  return tsr__cuda_has_text(g->accesses.kernel) && can_rise(plan, g);
}

/* A group whose reductions alone have no launch stays: the host runs it on copies. */
static bool is_refused(const tsr_plan *plan, const tsr_group *g)
{
  const tsr_device *d = plan->scheduler->world->places[plan->here].device;
  tsr_kernel_traits traits = tsr__kernel_traits(g->accesses.kernel);
  const bool has_launcher = plan->scheduler->launcher != NULL;
  if (g->is_task) traits.features |= g->is_user ? TSR_TRAIT_USER : TSR_TRAIT_TASK;
  if (has_launcher && (is_product(plan, g) || has_source(plan, g)))
    traits.features |= TSR_TRAIT_CODE;
  if (!has_launcher || !tsr__cuda_has_text(g->accesses.kernel))
    traits.features |= TSR_TRAIT_NO_TEXT;
  return !tsr__device_supports(d, &traits);
}

/* Bytes that the largest part of the group reads and writes, each array counted once. */
static double bytes_of_group(const tsr_plan *plan, const tsr_group *g)
{
  double bytes = 0;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    bool seen = a->scratch;
    for (int32_t j = 0; j < i && !seen; j++)
      seen = !g->accesses.v[j].scratch && g->accesses.v[j].slot == a->slot &&
             g->accesses.v[j].store == a->store;
    if (seen) continue;
    const size_t elem = tsr__dtype_size(tsr__access_dtype(&g->accesses, i));
    const size_t points = tsr__agreed_bytes(plan->scheduler, g->cut, elem);
    const size_t whole = a->by_block ? points : plan->slots[a->slot].agreed_bytes;
    bytes += (double)(whole > 0 && whole < points ? whole : points);
  }
  return bytes;
}

/* Nanoseconds that it takes to hand work to a rank's other threads and to wait for them. */
enum { HAND_OVER_NS = 2000 };

/* What a group takes on the host: all threads, which have to be told, or one alone, as where there
 * is one chunk since a device would launch it. */
static double host_ns(const tsr_plan *plan, const tsr_group *g, double bytes_ns, double instrs_ns)
{
  const int n = plan->scheduler->world->machine->n_threads;
  const double alone_ns = fmax(bytes_ns, n * instrs_ns);
  return n == 1 || tsr__is_launched(plan, g)
             ? alone_ns
             : fmin(alone_ns, fmax(bytes_ns, instrs_ns) + HAND_OVER_NS);
}

/* What a launch takes of its own. A plan with some launches becomes a graph, which takes half as
 * long for each, or less. */
static double launch_ns(const tsr_plan *plan)
{
  const tsr_world *w = plan->scheduler->world;
  const bool is_graph =
      plan->scheduler->launcher != NULL && w->config.graphs && plan->n_groups >= TSR_SEQUENCE_LEAST;
  return w->costs.launch_ns / (is_graph ? 2 : 1);
}

static void find_costs(const tsr_plan *plan, tsr_group *g)
{
  const tsr_costs *costs = &plan->scheduler->world->costs;
  const double bytes = bytes_of_group(plan, g);
  const double points = (double)tsr__agreed_bytes(plan->scheduler, g->cut, 1);
  const double instrs = points * (double)g->accesses.weight * (g->accesses.kernel->n_instrs + 1);
  g->placed.side_ns[TSR_ON_HOST] = host_ns(plan, g, bytes / costs->bytes_per_ns[TSR_ON_HOST],
                                           instrs / costs->instrs_per_ns[TSR_ON_HOST]);
  g->placed.side_ns[TSR_ON_DEVICE] = fmax(bytes / costs->bytes_per_ns[TSR_ON_DEVICE],
                                          instrs / costs->instrs_per_ns[TSR_ON_DEVICE]) +
                                     launch_ns(plan);
}

/* Is a reduction's result better where its values are? The host combines few results as fast as
 * another launch would, and is likely to read them; but a device that launches kernels, where there
 * is no other place, goes on without waiting for the host. */
static bool stays_with_values(const tsr_plan *plan, const tsr_plan_reduction *r)
{
  const tsr_scheduler *s = plan->scheduler;
  const size_t few_bytes = TSR_CUDA_FEW_NODES * tsr__dtype_size((tsr_dtype)r->result);
  if (r->slot < 0) return false;
  if (s->launcher != NULL && tsr__world_n_places(s->world) == 1) return true;
  return plan->slots[r->slot].agreed_bytes > few_bytes;
}

static void unite_group(const tsr_plan *plan, const tsr_group *g, int32_t *parent)
{
  int32_t first = -1;
  for (int32_t i = 0; i < tsr__n_touched(g); i++) {
    const int32_t b = tsr__touched(plan, g, i);
    if (b < 0) continue;
    if (first >= 0) tsr__set_join(parent, first, b, NULL);
    first = b;
  }
  for (int32_t i = 0; i < g->accesses.n_reductions && first >= 0; i++) {
    const tsr_plan_reduction *r = &plan->reductions[g->accesses.first_reduction + i];
    if (stays_with_values(plan, r)) tsr__set_join(parent, first, plan->slots[r->slot].buffer, NULL);
  }
}

/* The cluster of a group that may run on either side: that of its first buffer; -1 without any. */
static int32_t cluster_of(const tsr_plan *plan, const tsr_group *g)
{
  for (int32_t i = 0; i < tsr__n_touched(g); i++)
    if (tsr__touched(plan, g, i) >= 0) return plan->cluster_of[tsr__touched(plan, g, i)];
  return -1;
}

static void number_clusters(tsr_plan *plan, int32_t *parent)
{
  plan->cluster_of = tsr__arena_calloc(&plan->arena, (size_t)plan->n_buffers + 1, sizeof(int32_t));
  for (int32_t i = 0; i < plan->n_buffers; i++) {
    const int32_t root = tsr__set_root(parent, i); /* the least buffer of its cluster */
    plan->cluster_of[i] = root == i ? plan->n_clusters++ : plan->cluster_of[root];
  }
  plan->clusters =
      tsr__arena_calloc(&plan->arena, (size_t)plan->n_clusters + 1, sizeof *plan->clusters);
}

void tsr__plan_placement(tsr_plan *plan)
{
  const tsr_world *w = plan->scheduler->world;
  if (tsr__world_is_host(w) || tsr__world_is_null(w)) return;
  int32_t *parent = tsr__arena_calloc(plan->scratch, (size_t)plan->n_buffers + 1, sizeof *parent);
  for (int32_t i = 0; i < plan->n_buffers; i++) parent[i] = i;
  for (int32_t i = 0; i < plan->n_groups; i++) {
    tsr_group *g = &plan->groups[i];
    if (g->is_halo) continue; /* it runs nothing */
    g->placed.is_refused = is_refused(plan, g);
    g->placed.is_hosts = g->side == TSR_SIDE_HOST || g->placed.is_refused;
    if (tsr__world_places_by_cost(w)) find_costs(plan, g);
    if (!g->placed.is_hosts) unite_group(plan, g, parent);
    plan->any_hosts = plan->any_hosts || g->placed.is_hosts;
  }
  for (int32_t i = 0; i < plan->n_copies; i++)
    tsr__set_join(parent, plan->slots[plan->copies[i].from].buffer,
                  plan->slots[plan->copies[i].to].buffer, NULL);
  number_clusters(plan, parent);
  for (int32_t i = 0; i < plan->n_groups; i++) {
    tsr_group *g = &plan->groups[i];
    g->placed.cluster = cluster_of(plan, g);
    if (g->placed.is_hosts || g->placed.cluster < 0) continue;
    tsr_cluster *c = &plan->clusters[g->placed.cluster];
    for (int side = 0; side < TSR_N_SIDES; side++) c->side_ns[side] += g->placed.side_ns[side];
    c->is_devices = c->is_devices || g->side == TSR_SIDE_DEVICE;
  }
}

bool tsr__is_hosts_only(const tsr_plan *plan, int32_t buffer)
{
  for (int32_t i = 0; i < plan->n_groups && plan->any_hosts; i++) {
    const tsr_group *g = &plan->groups[i];
    for (int32_t k = 0; k < tsr__n_touched(g) && g->placed.is_hosts; k++)
      if (tsr__touched(plan, g, k) == buffer) return true;
  }
  return false;
}

size_t tsr__refused_bytes(const tsr_plan *plan)
{
  size_t bytes = 0;
  for (; plan != NULL; plan = plan->beside)
    for (int32_t i = 0; i < plan->n_buffers && plan->any_hosts; i++) {
      bool any = false;
      for (int32_t j = 0; j < plan->n_groups && !any; j++) {
        const tsr_group *g = &plan->groups[j];
        for (int32_t k = 0; k < tsr__n_touched(g) && g->placed.is_refused && !any; k++)
          any = tsr__touched(plan, g, k) == i;
      }
      if (any) bytes += plan->buffers[i].bytes;
    }
  return bytes;
}
