/* A machine, which a process has once: settings as its environment gives them, its share of the
 * node's cores, and the workers on them. */
#include "runtime/machine/runtime_int.h"
#include "runtime/base/launcher_env.h"
#include "runtime/base/alloc.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int threads_per_rank(const tsr_config *config, const tsr_core_share *share, int n_local)
{
  if (config->threads > 0) return (int)config->threads;
  return share->n > n_local ? share->n / n_local : 1;
}

enum { MAX_CPUS = 1 << 14 };

static void set_affinity(const int *cpus, int n)
{
  cpu_set_t *set = CPU_ALLOC(MAX_CPUS);
  if (!set) return;
  size_t bytes = CPU_ALLOC_SIZE(MAX_CPUS);
  CPU_ZERO_S(bytes, set);
  for (int i = 0; i < n; i++) CPU_SET_S((size_t)cpus[i], bytes, set);
  sched_setaffinity(0, bytes, set);
  CPU_FREE(set);
}

/* Reads which cores this process could use under the affinity mask of its parent, the launcher. The
 * process's own mask stays as it is. */
static tsr_status read_topology_of_launcher(tsr_topology *t)
{
  cpu_set_t *own = CPU_ALLOC(MAX_CPUS), *launcher = CPU_ALLOC(MAX_CPUS);
  size_t bytes = CPU_ALLOC_SIZE(MAX_CPUS);
  tsr_status status = TSR_ERR_INTERNAL;
  if (own && launcher && !sched_getaffinity(0, bytes, own) &&
      !sched_getaffinity(getppid(), bytes, launcher) && !sched_setaffinity(0, bytes, launcher)) {
    status = tsr__topology_read(t);
    sched_setaffinity(0, bytes, own);
  }
  CPU_FREE(own);
  CPU_FREE(launcher);
  return status;
}

/* Finds the cores that this process may use, and its share of them. Where the launcher bound it
 * only by default, and an even share of the launcher's cores is larger, it moves to that share. */
static tsr_status find_share(int node_rank, int node_size, tsr_topology *t, tsr_core_share *share)
{
  TSR_TRY(tsr__topology_read(t));
  *share = tsr__core_share(t, node_rank, node_size);
  tsr_topology wide;
  if (!tsr__launcher_bound_by_default() || read_topology_of_launcher(&wide) < 0) return TSR_OK;
  tsr_core_share larger = tsr__core_share(&wide, node_rank, node_size);
  if (larger.known && larger.n > share->n && wide.cpus) {
    tsr_topology narrow = *t;
    *t = wide;
    *share = larger;
    wide = narrow;
    set_affinity(t->cpus + share->first, share->n);
  }
  tsr__topology_free(&wide);
  return TSR_OK;
}

tsr_status tsr__machine_create(const tsr_config *config, int node_rank, int node_size, int n_local,
                               tsr_machine **out, char *message, size_t size)
{
  tsr_topology topology;
  tsr_core_share share;
  tsr_status status = find_share(node_rank, node_size, &topology, &share);
  if (status < 0) {
    snprintf(message, size, "cannot find out which cores this process may use");
    return status;
  }
  int n_threads = threads_per_rank(config, &share, n_local);
  int64_t busy = (int64_t)n_threads * n_local;
  bool oversubscribed = share.oversubscribed || busy > share.n;
  bool bind = config->bind && share.known && !oversubscribed && topology.cpus;
  /* Ranks that share cores wait by yielding. The system takes all of them for busy and would leave
   * three of four on one core, so each rank keeps to its share. */
  if (config->bind && share.known && share.oversubscribed && topology.cpus)
    set_affinity(topology.cpus + share.first, share.n);
  /* Each rank of this process brings its own thread, so it needs n_threads - 1 helpers. */
  int64_t n_pool = busy - n_local + 1;
  tsr_workers *workers = NULL;
  status = n_pool > INT16_MAX
               ? TSR_ERR_CONFIG
               : tsr__workers_create((int)n_pool, bind ? topology.cpus + share.first : NULL,
                                     share.n, oversubscribed, &workers);
  if (status < 0) {
    snprintf(message, size,
             "cannot start %" PRId64 " worker threads (TESSERA_THREADS is %" PRId64
             ", %d rank%s in this process); fewer may do",
             n_pool - 1, config->threads, n_local, n_local == 1 ? "" : "s");
    tsr__topology_free(&topology);
    return status;
  }
  tsr_machine *m = tsr__calloc(1, sizeof *m);
  *m = (tsr_machine){.config = *config,
                     .topology = topology,
                     .workers = workers,
                     .n_threads = n_threads,
                     .ranks_per_core = share.per_core};
  *out = m;
  return TSR_OK;
}

void tsr__machine_destroy(tsr_machine *m)
{
  if (!m) return;
  tsr__workers_destroy(m->workers);
  for (int i = 0; i < TSR_N_JITS; i++)
    if (m->jit[i]) m->jit_destroy(m->jit[i]);
  tsr__topology_free(&m->topology);
  free(m);
}
