/* Reductions of a device that runs no C: a chunk's values go up their trees in the device's queue
 * (kernel/cuda/reduce.h), and the few nodes that are left are copied to the host, which adds them
 * when the reduction's partials are merged. Where one chunk is all that is reduced and nobody else
 * needs the result, the roots are the result: when the reduction ends they are copied to where it
 * is stored, in the queue, and the host does not wait. What lies between two launches is spare
 * memory of the place, in which chunks take turns, since their launches are in one queue. */
#include "scheduler/run/risen.h"
#include "runtime/base/walk.h"
#include "scheduler/run/copy.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGN_BYTES = 256 };

/** Nodes on the way to the host, or a result that waits in memory of its own. */
struct tsr_risen {
  tsr_risen *next;
  int32_t reduction; /* of the plan; -1: this is memory of results, which is over with the run */
  bool is_result;
  int level;
  int64_t lo[TSR_MAX_NDIM], n[TSR_MAX_NDIM];
  const void *values; /* in the same block as this; of results, the device's */
  const int64_t *indices;
  size_t bytes;     /* of memory of results */
  size_t own_bytes; /* of this and what lies behind it, which the device copies to */
};

/** What the launches are gone through for, one after the other. */
typedef enum pass {
  PASS_WANT,  /* to ask for their code */
  PASS_PROBE, /* to find out whether there is code, and how much space they need */
  PASS_LAUNCH
} pass;

typedef struct rising {
  tsr_run *run;
  const tsr_group *g;
  pass pass;
  bool ends;                              /* the roots are the results */
  void *results[2 * TSR_CUDA_MOST_TAKEN]; /* memory of each, in the order in which it is wanted */
  int n_results;
  bool lacks_memory;                       /* for one of them */
  int32_t reductions[TSR_CUDA_MOST_TAKEN]; /* of the plan */
  char *block;                             /* of the device */
  size_t used;
} rising;

static tsr_risen *add_risen(const rising *x, int32_t reduction, size_t more_bytes)
{
  const size_t bytes = sizeof(tsr_risen) + more_bytes;
  tsr_risen *s = tsr__pins_alloc(x->run->world->pins, bytes);
  *s = (tsr_risen){.next = x->run->risen, .own_bytes = bytes, .reduction = reduction};
  return x->run->risen = s;
}

static void give_risen(const tsr_run *run, tsr_risen *s)
{
  tsr__pins_free(run->world->pins, s, s->own_bytes);
}

/* Memory of its own for a result, which other chunks' launches leave alone. The probe gets it. */
static void *alloc_result(rising *x, size_t bytes)
{
  if (x->pass == PASS_LAUNCH) return x->results[x->n_results++];
  void *p = tsr__memory_alloc(tsr__run_place(x->run)->memory, bytes);
  x->lacks_memory = x->lacks_memory || p == NULL;
  if (p == NULL) return NULL;
  tsr_risen *s = add_risen(x, -1, 0);
  s->values = p;
  s->bytes = bytes;
  return x->results[x->n_results++] = p;
}

static void *alloc(void *arg, size_t bytes, bool is_root)
{
  rising *x = arg;
  if (is_root && x->ends && x->pass != PASS_WANT) return alloc_result(x, bytes);
  const size_t at = x->used;
  x->used += tsr__round_up(bytes, ALIGN_BYTES);
  /* An address that nobody follows stands for memory that is not there yet. */
  return (x->pass == PASS_LAUNCH ? x->block : (char *)ALIGN_BYTES) + at;
}

static bool launch(void *arg, const tsr_kernel *k, const tsr_cuda_launch *l)
{
  const rising *x = arg;
  tsr_launcher *launcher = x->run->plan->scheduler->launcher;
  const int here = x->run->plan->here;
  if (x->pass == PASS_PROBE) return tsr__launcher_has(launcher, x->run->device, here, k, l);
  if (x->pass == PASS_LAUNCH) return tsr__launcher_put_launch(launcher, x->run->device, here, k, l);
  tsr__launcher_want_launch(launcher, k, l);
  return true;
}

/* Puts a copy of nodes, or of their indices, into the queue. */
static void bring_nodes(const rising *x, const tsr_cuda_nodes *nodes, int ndim, const char *from,
                        size_t elem, char *to)
{
  tsr_device *d = x->run->device;
  tsr_points p = {.ndim = ndim, .elem_bytes = elem, .src = from, .dst = to};
  for (int k = 0; k < ndim; k++) {
    p.n[k] = nodes->n[k];
    p.src_step[k] = nodes->step[k] * (int64_t)elem;
  }
  tsr__dense_strides(ndim, nodes->n, (int64_t)elem, p.dst_step);
  tsr__device_put_copy(d, TSR_QUEUE_RUN, TSR_COPY_OUT, &p);
}

static void take_nodes(void *arg, const tsr_cuda_nodes *nodes)
{
  const rising *x = arg;
  if (x->pass != PASS_LAUNCH) return;
  const int32_t reduction = x->reductions[nodes->reduction];
  const tsr_plan_reduction *r = &x->run->plan->reductions[reduction];
  if (x->ends) {
    TSR_ASSERT(nodes->level == r->tree.n_levels);
    tsr_risen *s = add_risen(x, reduction, 0);
    s->is_result = true;
    s->values = nodes->indices != NULL ? nodes->indices : nodes->values;
    return;
  }
  const size_t elem = tsr__dtype_size((tsr_dtype)r->compute);
  size_t volume = 1;
  for (int k = 0; k < r->tree.ndim; k++) volume *= (size_t)nodes->n[k];
  const size_t bytes = tsr__round_up(volume * elem, 16);
  tsr_risen *s =
      add_risen(x, reduction, bytes + (nodes->indices != NULL ? volume * sizeof(int64_t) : 0));
  char *values = (char *)(s + 1);
  s->level = nodes->level;
  s->values = values;
  if (nodes->indices != NULL) s->indices = (int64_t *)(values + bytes);
  memcpy(s->lo, nodes->lo, sizeof s->lo);
  memcpy(s->n, nodes->n, sizeof s->n);
  bring_nodes(x, nodes, r->tree.ndim, nodes->values, elem, values);
  if (nodes->indices != NULL)
    bring_nodes(x, nodes, r->tree.ndim, nodes->indices, sizeof(int64_t), values + bytes);
}

static const tsr_kernel *node_kernel(void *arg, int ndim, tsr_dtype dtype, bool has_index)
{
  const rising *x = arg;
  return tsr__launcher_nodes(x->run->plan->scheduler->launcher, ndim, dtype, has_index);
}

/* Is the result of a reduction what this box gives of it, for nobody but this place? */
static bool is_result(const rising *x, const tsr_kernel_bind *bind, const tsr_plan_reduction *r)
{
  if (r->up >= 0 || r->n_down > 0 || r->n_sources > 0 ||
      x->run->binding->instances[r->slot].space != TSR_SPACE_PLACE)
    return false;
  for (int k = 0; k < r->tree.ndim; k++) {
    const bool is_reduced = r->axes_mask >> k & 1;
    if (bind->lo[k] != (is_reduced ? 0 : r->kept.lo[k]) ||
        bind->n[k] != (is_reduced ? r->tree.shape[k] : r->kept.n[k]))
      return false;
  }
  return true;
}

/* Describes what the group, which is launched, reduces. */
static tsr_cuda_reduction describe(rising *x, const tsr_kernel_bind *bind)
{
  const tsr_plan *plan = x->run->plan;
  const tsr_accesses *accesses = &x->g->accesses;
  tsr_cuda_reduction out = {.kernel = accesses->kernel, .bind = bind, .to_roots = true};
  TSR_ASSERT(tsr__is_launched(plan, x->g));
  for (int32_t i = 0; i < accesses->n; i++) {
    const tsr_access *a = &accesses->v[i];
    if (!a->scratch) continue;
    TSR_ASSERT(out.n < TSR_CUDA_MOST_TAKEN && a->number < TSR_NEST_STREAMS);
    const tsr_plan_reduction *r = &plan->reductions[a->region];
    out.to_roots = out.to_roots && is_result(x, bind, r);
    x->reductions[out.n] = a->region;
    out.trees[out.n] = &r->tree;
    out.taken[out.n++] =
        (tsr_cuda_taken){(uint8_t)a->number, (uint8_t)r->code, (uint8_t)r->compute, TSR_CUDA_FLAT};
  }
  x->ends = out.to_roots;
  return out;
}

/* Goes through the launches. Returns false if one of them was refused. */
static bool go(rising *x, const tsr_cuda_reduction *what, pass pass)
{
  bool broken;
  x->pass = pass;
  x->used = 0;
  x->n_results = 0;
  return tsr__cuda_reduce(what, &(tsr_cuda_reducer){x, alloc, launch, take_nodes, node_kernel},
                          &broken) &&
         !broken;
}

/* Has so much memory of the place. A larger block comes when the queues are empty. */
static bool find_memory(rising *x)
{
  tsr_scheduler *s = x->run->plan->scheduler;
  const size_t bytes = x->used;
  const tsr_block *b = tsr__residency_spare(s, x->run->plan->here, TSR_SPARE_REDUCING, 0);
  if (b->bytes < bytes) {
    tsr__run_sync(x->run);
    b = tsr__residency_spare(s, x->run->plan->here, TSR_SPARE_REDUCING, bytes);
  }
  x->block = b->data;
  return b->bytes >= bytes;
}

/* Does what tsr__run_rise does, under the lock. */
static bool rise(rising *x, tsr_cuda_reduction *what)
{
  bool is_known = go(x, what, PASS_PROBE);
  if (!is_known && x->lacks_memory) { /* then the host has the result */
    what->to_roots = x->ends = false;
    is_known = go(x, what, PASS_PROBE);
  }
  if (!is_known || !find_memory(x)) return false;
  if (!go(x, what, PASS_LAUNCH)) tsr__run_fail(x->run, TSR_ERR_INTERNAL);
  return true;
}

bool tsr__run_rise(tsr_run *run, const tsr_group *g, const tsr_kernel_bind *bind)
{
  rising x = {.run = run, .g = g};
  tsr_cuda_reduction what = describe(&x, bind);
  pthread_mutex_lock(&run->risen_lock);
  const bool is_done = rise(&x, &what);
  pthread_mutex_unlock(&run->risen_lock);
  return is_done;
}

void tsr__run_want_rise(tsr_run *run, const tsr_group *g, const tsr_kernel_bind *bind)
{
  rising x = {.run = run, .g = g};
  const tsr_cuda_reduction what = describe(&x, bind);
  go(&x, &what, PASS_WANT);
}

/* Finds the result of a reduction. Under the lock. */
static tsr_risen *find_result(tsr_run *run, int32_t reduction)
{
  tsr_risen *s = run->risen;
  while (s != NULL && (s->reduction != reduction || !s->is_result)) s = s->next;
  return s;
}

bool tsr__risen_is_result(tsr_run *run, int32_t reduction)
{
  if (!tsr__run_by_code(run)) return false;
  pthread_mutex_lock(&run->risen_lock);
  const bool is_result = find_result(run, reduction) != NULL;
  pthread_mutex_unlock(&run->risen_lock);
  return is_result;
}

bool tsr__risen_store(tsr_run *run, int32_t reduction)
{
  const tsr_plan_reduction *r = &run->plan->reductions[reduction];
  const tsr_plan_region *region = &run->plan->regions[r->region];
  if (!tsr__run_by_code(run)) return false;
  pthread_mutex_lock(&run->risen_lock);
  tsr_risen *s = find_result(run, reduction);
  pthread_mutex_unlock(&run->risen_lock);
  if (s == NULL) return false;
  const tsr_points p =
      tsr__instance_points_in(&run->binding->instances[r->slot], &region->tile,
                              tsr__dtype_size((tsr_dtype)region->dtype), s->values);
  tsr__run_move(run, TSR_SPACE_PLACE, TSR_SPACE_PLACE, TSR_QUEUE_RUN, &p, &(bool){false});
  return true;
}

void tsr__risen_add(tsr_run *run, int32_t reduction, tsr_partials *total)
{
  pthread_mutex_lock(&run->risen_lock);
  tsr_risen **at = &run->risen;
  for (tsr_risen *s = *at; s != NULL; s = *at) {
    if (s->reduction != reduction || s->is_result) {
      at = &s->next;
      continue;
    }
    *at = s->next;
    const tsr_status status =
        tsr__partials_add_risen(total, s->level, s->lo, s->n, s->values, s->indices);
    if (status < 0) tsr__run_fail(run, status);
    give_risen(run, s);
  }
  pthread_mutex_unlock(&run->risen_lock);
}

void tsr__risen_end(tsr_run *run)
{
  for (tsr_risen *s = run->risen, *next; s != NULL; s = next) {
    next = s->next;
    if (s->reduction < 0)
      tsr__memory_free(tsr__run_place(run)->memory, (char *)(uintptr_t)s->values, s->bytes);
    give_risen(run, s);
  }
  run->risen = NULL;
}
