/* The node's cores and caches without hwloc: the process's affinity mask, Linux's list of threads
 * per core, and sysconf. (With hwloc: `apt-get install libhwloc-dev` and build again.) */
#include "runtime/machine/runtime_int.h"
#include "runtime/base/alloc.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_CPUS = 1 << 16 };

/* The lowest CPU of `set` that shares a core with `cpu`; with a NULL set, of all CPUs. */
static int first_sibling(int cpu, const cpu_set_t *set, size_t set_bytes)
{
  char path[128], list[1024];
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
  FILE *f = fopen(path, "r");
  if (!f) return cpu;
  bool ok = fgets(list, sizeof list, f) != NULL;
  fclose(f);
  if (!ok) return cpu;
  for (char *s = list; *s >= '0' && *s <= '9';) { /* a list such as "0,64" or "0-1" */
    long from = strtol(s, &s, 10), to = from;
    if (*s == '-') to = strtol(s + 1, &s, 10);
    for (long c = from; c <= to; c++)
      if (!set || CPU_ISSET_S((size_t)c, set_bytes, set)) return (int)c;
    if (*s == ',') s++;
  }
  return cpu;
}

/* The affinity mask of this thread, in a set that is large enough for the node. */
static cpu_set_t *allowed_cpus(int *n_cpus, size_t *set_bytes)
{
  for (int n = 1024; n <= MAX_CPUS; n *= 2) {
    cpu_set_t *set = CPU_ALLOC((size_t)n);
    if (!set) return NULL;
    *n_cpus = n;
    *set_bytes = CPU_ALLOC_SIZE((size_t)n);
    CPU_ZERO_S(*set_bytes, set);
    if (!sched_getaffinity(0, *set_bytes, set)) return set;
    CPU_FREE(set);
    if (errno != EINVAL) return NULL;
  }
  return NULL;
}

static size_t positive(long value)
{
  return value > 0 ? (size_t)value : 0;
}

tsr_status tsr__topology_read(tsr_topology *out)
{
  int n_cpus;
  size_t set_bytes;
  cpu_set_t *set = allowed_cpus(&n_cpus, &set_bytes);
  if (!set) return TSR_ERR_INTERNAL;
  tsr_topology t = {0};
  t.cpus = tsr__malloc((size_t)CPU_COUNT_S(set_bytes, set) * sizeof *t.cpus);
  for (int cpu = 0; cpu < n_cpus; cpu++)
    if (CPU_ISSET_S((size_t)cpu, set_bytes, set) && first_sibling(cpu, set, set_bytes) == cpu)
      t.cpus[t.n_cores++] = cpu;
  CPU_FREE(set);
  int n_online = (int)positive(sysconf(_SC_NPROCESSORS_ONLN));
  for (int cpu = 0; cpu < n_online; cpu++) t.n_cores_node += first_sibling(cpu, NULL, 0) == cpu;
  if (t.n_cores_node < t.n_cores) t.n_cores_node = t.n_cores;
  t.l1_bytes = positive(sysconf(_SC_LEVEL1_DCACHE_SIZE));
  t.l2_bytes = positive(sysconf(_SC_LEVEL2_CACHE_SIZE));
  t.l3_bytes = positive(sysconf(_SC_LEVEL3_CACHE_SIZE));
  tsr__topology_apply_limits(&t, "");
  *out = t;
  return TSR_OK;
}
