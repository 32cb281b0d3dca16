/* The node's cores and caches by hwloc (https://www.open-mpi.org/projects/hwloc/). */
#include "runtime/machine/runtime_int.h"
#include "runtime/base/alloc.h"

#include <hwloc.h>
#include <stdlib.h>

/* The bytes per core of the cache of one level that core 0 of `allowed` uses. */
static size_t cache_bytes(hwloc_topology_t topo, hwloc_const_cpuset_t allowed,
                          hwloc_obj_type_t type)
{
  hwloc_obj_t cache = hwloc_get_next_obj_covering_cpuset_by_type(topo, allowed, type, NULL);
  for (hwloc_obj_t o = NULL; !cache && (o = hwloc_get_next_obj_by_type(topo, type, o));)
    if (hwloc_bitmap_intersects(o->cpuset, allowed)) cache = o;
  if (!cache) return 0;
  int sharers = hwloc_get_nbobjs_inside_cpuset_by_type(topo, cache->cpuset, HWLOC_OBJ_CORE);
  return (size_t)cache->attr->cache.size / (size_t)(sharers > 0 ? sharers : 1);
}

static size_t l3_bytes(hwloc_topology_t topo, hwloc_const_cpuset_t allowed)
{
  size_t sum = 0;
  for (hwloc_obj_t o = NULL; (o = hwloc_get_next_obj_by_type(topo, HWLOC_OBJ_L3CACHE, o));)
    if (hwloc_bitmap_intersects(o->cpuset, allowed)) sum += (size_t)o->attr->cache.size;
  return sum;
}

/* Fills t->cpus with one allowed CPU of each core that has one. */
static void take_cores(hwloc_topology_t topo, hwloc_const_cpuset_t allowed, tsr_topology *t)
{
  /* Some virtual machines show no cores; each logical CPU then counts as one. */
  hwloc_obj_type_t type =
      hwloc_get_nbobjs_by_type(topo, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  t->n_cores_node = hwloc_get_nbobjs_by_type(topo, type);
  t->cpus = tsr__malloc((size_t)t->n_cores_node * sizeof *t->cpus);
  hwloc_bitmap_t usable = hwloc_bitmap_alloc();
  for (hwloc_obj_t o = NULL; (o = hwloc_get_next_obj_by_type(topo, type, o));) {
    hwloc_bitmap_and(usable, o->cpuset, allowed);
    int cpu = hwloc_bitmap_first(usable);
    if (cpu >= 0) t->cpus[t->n_cores++] = cpu;
  }
  hwloc_bitmap_free(usable);
}

tsr_status tsr__topology_read(tsr_topology *out)
{
  tsr_topology t = {0};
  tsr_status status = TSR_ERR_INTERNAL;
  hwloc_topology_t topo;
  if (hwloc_topology_init(&topo)) return status;
  hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
  if (!allowed || hwloc_topology_load(topo)) goto err_topology;
  hwloc_const_cpuset_t everything = hwloc_topology_get_allowed_cpuset(topo);
  if (hwloc_get_cpubind(topo, allowed, HWLOC_CPUBIND_THREAD))
    hwloc_bitmap_copy(allowed, everything);
  hwloc_bitmap_and(allowed, allowed, everything);
  take_cores(topo, allowed, &t);
  if (t.n_cores == 0) {
    tsr__topology_free(&t);
    goto err_topology;
  }
  t.l1_bytes = cache_bytes(topo, allowed, HWLOC_OBJ_L1CACHE);
  t.l2_bytes = cache_bytes(topo, allowed, HWLOC_OBJ_L2CACHE);
  t.l3_bytes = l3_bytes(topo, allowed);
  tsr__topology_apply_limits(&t, "");
  *out = t;
  status = TSR_OK;
err_topology:
  hwloc_bitmap_free(allowed);
  hwloc_topology_destroy(topo);
  return status;
}
