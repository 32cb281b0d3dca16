/* What a process has once: settings as its environment gives them, its share of the node's cores,
 * and the workers on them. */
#include "runtime/runtime_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int threads_per_rank(const tsr_config *config, const tsr_core_share *share, int n_local)
{
  if (config->threads > 0) return (int)config->threads;
  return share->n > n_local ? share->n / n_local : 1;
}

tsr_status tsr__machine_create(const tsr_config *config, int node_rank, int node_size, int n_local,
                               tsr_machine **out, char *message, size_t size)
{
  tsr_topology topology;
  tsr_status status = tsr__topology_read(&topology);
  if (status < 0) {
    snprintf(message, size, "cannot find out which cores this process may use");
    return status;
  }
  tsr_core_share share = tsr__core_share(&topology, node_rank, node_size);
  int n_threads = threads_per_rank(config, &share, n_local);
  int64_t busy = (int64_t)n_threads * n_local;
  bool oversubscribed = share.oversubscribed || busy > share.n;
  bool bind = config->bind && share.known && !oversubscribed && topology.cpus;
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
  *m = (tsr_machine){
      .config = *config, .topology = topology, .workers = workers, .n_threads = n_threads};
  *out = m;
  return TSR_OK;
}

void tsr__machine_destroy(tsr_machine *m)
{
  if (!m) return;
  tsr__workers_destroy(m->workers);
  tsr__topology_free(&m->topology);
  free(m);
}
