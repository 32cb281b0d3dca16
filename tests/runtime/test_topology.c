/* What the node offers, and how processes and ranks share it. */
#include "runtime/machine/runtime_int.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Test(topology, is_plausible)
{
  tsr_topology t;
  cr_assert_eq(tsr__topology_read(&t), TSR_OK);
  cpu_set_t allowed;
  cr_assert_eq(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  cr_assert_geq(t.n_cores, 1);
  cr_assert_leq(t.n_cores, CPU_COUNT(&allowed));
  cr_assert_geq(t.n_cores_node, t.n_cores);
  for (int i = 0; t.cpus && i < t.n_cores; i++) {
    cr_assert(CPU_ISSET(t.cpus[i], &allowed));
    for (int j = 0; j < i; j++) cr_assert_neq(t.cpus[i], t.cpus[j]);
  }
  size_t installed = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
  cr_assert_gt(t.memory_bytes, (size_t)1 << 20);
  cr_assert_leq(t.memory_bytes, installed);
  cr_assert_gt(t.available_bytes, (size_t)1 << 20);
  cr_assert_leq(t.available_bytes, t.memory_bytes);
  if (t.l1_bytes && t.l2_bytes) cr_assert_lt(t.l1_bytes, t.l2_bytes);
  tsr__topology_free(&t);
  cr_assert_null(t.cpus);
}

Test(topology, respects_the_affinity_mask)
{
  cpu_set_t all, one;
  cr_assert_eq(sched_getaffinity(0, sizeof all, &all), 0);
  int last = 0;
  for (int c = 0; c < CPU_SETSIZE; c++)
    if (CPU_ISSET(c, &all)) last = c;
  CPU_ZERO(&one);
  CPU_SET(last, &one);
  tsr_topology whole, part;
  cr_assert_eq(tsr__topology_read(&whole), TSR_OK);
  cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
  cr_assert_eq(tsr__topology_read(&part), TSR_OK);
  cr_assert_eq(part.n_cores, 1);
  if (part.cpus) cr_assert_eq(part.cpus[0], last);
  cr_assert_eq(part.n_cores_node, whole.n_cores_node);
  cr_assert_eq(part.memory_bytes, whole.memory_bytes);
  tsr__topology_free(&whole);
  tsr__topology_free(&part);
}

static void write_file(const char *root, const char *name, const char *text)
{
  char path[256];
  snprintf(path, sizeof path, "%s/%s", root, name);
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(path, 0700);
    *slash = '/';
  }
  FILE *f = fopen(path, "w");
  cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0, "%s", path);
}

/* Memory that others use, of the node or of a control group of either version, is not available. */
Test(topology, available_memory_is_what_others_left)
{
  static const struct {
    const char *meminfo, *groups, *limit, *used, *stat;
    size_t memory, available; /* 0: the machine's own */
  } cases[] = {
      {"MemTotal: 900 kB\nMemAvailable:     700 kB\nMemFree: 3 kB\n", "", "", "", "", 0, 700 << 10},
      {"MemTotal: 900 kB\n", "", "", "", "", 0, 0},
      {"MemAvailable: 700 kB\n", "0::/a/b\n", "max\n", "4096\n", "", 0, 700 << 10},
      {"MemAvailable: 700 kB\n", "0::/a/b\n", "409600\n", "100000\n",
       "anon 3\ninactive_file 40000\n", 409600, 349600},
      {"MemAvailable: 200 kB\n", "0::/a/b\n", "409600\n", "100000\n", "", 409600, 200 << 10},
      {"MemAvailable: 700 kB\n", "0::/a/b\n", "4096\n", "5000\n", "", 4096, 1},
      {"MemAvailable: 700 kB\n", "4:memory:/a/b\n", "409600\n", "100000\n",
       "inactive_file 9\ntotal_inactive_file 90000\n", 409600, 399600},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char root[] = "/tmp/tsr-topology-XXXXXX", command[64];
    cr_assert_not_null(mkdtemp(root));
    const bool first = cases[i].groups[0] == '4';
    write_file(root, "proc/meminfo", cases[i].meminfo);
    write_file(root, "proc/self/cgroup", cases[i].groups);
    const char *dir = first ? "sys/fs/cgroup/memory/a" : "sys/fs/cgroup/a";
    const char *names[] = {first ? "memory.limit_in_bytes" : "memory.max",
                           first ? "memory.usage_in_bytes" : "memory.current", "memory.stat"};
    const char *texts[] = {cases[i].limit, cases[i].used, cases[i].stat};
    for (int k = 0; k < 3; k++) {
      char name[128];
      snprintf(name, sizeof name, "%s/%s", dir, names[k]);
      write_file(root, name, texts[k]);
    }
    tsr_topology t = {.n_cores = 1, .n_cores_node = 1};
    tsr__topology_apply_limits(&t, root);
    const size_t all = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    cr_expect_eq(t.memory_bytes, cases[i].memory ? cases[i].memory : all, "case %zu", i);
    cr_expect_eq(t.available_bytes, cases[i].available ? cases[i].available : all, "case %zu: %zu",
                 i, t.available_bytes);
    snprintf(command, sizeof command, "rm -r %s", root);
    cr_expect_eq(system(command), 0);
  }
}

static void check_share(int n_cores, int n_node, int rank, int size, tsr_core_share want)
{
  tsr_topology t = {.n_cores = n_cores, .n_cores_node = n_node};
  tsr_core_share got = tsr__core_share(&t, rank, size);
  cr_assert_eq(got.n, want.n, "%d of %d cores, rank %d of %d: %d", n_cores, n_node, rank, size,
               got.n);
  cr_assert_eq(got.known, want.known);
  cr_assert_eq(got.oversubscribed, want.oversubscribed);
  cr_assert_eq(got.per_core, want.per_core > 0 ? want.per_core : 1);
  if (want.known) cr_assert_eq(got.first, want.first);
}

Test(topology, shares)
{
  check_share(8, 8, 0, 1, (tsr_core_share){.first = 0, .n = 8, .known = true});
  check_share(8, 8, 0, 2, (tsr_core_share){.first = 0, .n = 4, .known = true});
  check_share(8, 8, 1, 2, (tsr_core_share){.first = 4, .n = 4, .known = true});
  check_share(8, 8, 0, 3, (tsr_core_share){.first = 0, .n = 2, .known = true});
  check_share(8, 8, 2, 3, (tsr_core_share){.first = 5, .n = 3, .known = true});
  for (int rank = 0; rank < 4; rank++) /* ranks 0 and 2 are on cores of their own */
    check_share(
        2, 2, rank, 4,
        (tsr_core_share){
            .first = rank / 2, .n = 1, .oversubscribed = true, .known = true, .per_core = 2});
  check_share(2, 2, 2, 3, (tsr_core_share){.n = 1, .oversubscribed = true, .per_core = 2});
}

Test(topology, shares_of_ranks_that_the_launcher_bound)
{
  check_share(1, 8, 5, 8, (tsr_core_share){.first = 0, .n = 1, .known = true});
  check_share(4, 8, 1, 2, (tsr_core_share){.first = 0, .n = 4, .known = true});
  check_share(4, 8, 1, 4, (tsr_core_share){.n = 2});
  check_share(2, 8, 1, 16, (tsr_core_share){.n = 1, .oversubscribed = true, .per_core = 2});
  check_share(3, 8, 0, 1, (tsr_core_share){.first = 0, .n = 3, .known = true});
}

static tsr_config config_with_threads(int threads)
{
  tsr_config c;
  char message[256] = "";
  cr_assert_eq(tsr__config_read(&c, message, sizeof message), TSR_OK, "%s", message);
  c.threads = threads;
  return c;
}

Test(machine, threads)
{
  char message[256] = "";
  tsr_config c = config_with_threads(0);
  tsr_topology t;
  cr_assert_eq(tsr__topology_read(&t), TSR_OK);
  tsr_machine *m = NULL;
  cr_assert_eq(tsr__machine_create(&c, 0, 1, 1, &m, message, sizeof message), TSR_OK);
  cr_assert_eq(m->n_threads, t.n_cores);
  cr_assert_eq(tsr__workers_count(m->workers), t.n_cores);
  tsr__machine_destroy(m);
  cr_assert_eq(tsr__machine_create(&c, 1, 2, 1, &m, message, sizeof message), TSR_OK);
  cr_assert_eq(m->n_threads, t.n_cores > 1 ? t.n_cores - t.n_cores / 2 : 1);
  tsr__machine_destroy(m);
  cr_assert_eq(tsr__machine_create(&c, 0, 1, 1000, &m, message, sizeof message), TSR_OK);
  cr_assert_eq(m->n_threads, t.n_cores > 1000 ? t.n_cores / 1000 : 1);
  tsr__machine_destroy(m);
  c.threads = 3;
  cr_assert_eq(tsr__machine_create(&c, 0, 1, 4, &m, message, sizeof message), TSR_OK);
  cr_assert_eq(m->n_threads, 3);
  cr_assert_eq(tsr__workers_count(m->workers), 4 * 2 + 1, "two helpers for each of four ranks");
  cr_assert_eq(m->config.threads, 3);
  tsr__machine_destroy(m);
  tsr__machine_destroy(NULL);
  tsr__topology_free(&t);
}

/* The test's parent, the runner, stands for a launcher that bound this process to one core. */
Test(machine, moves_to_its_share_if_bound_by_default, .timeout = 60)
{
  tsr_topology whole;
  cr_assert_eq(tsr__topology_read(&whole), TSR_OK);
  cpu_set_t all, one;
  cr_assert_eq(sched_getaffinity(0, sizeof all, &all), 0);
  CPU_ZERO(&one);
  for (int c = 0; CPU_COUNT(&one) == 0; c++)
    if (CPU_ISSET(c, &all)) CPU_SET(c, &one);
  tsr_config c = config_with_threads(0);
  char message[256] = "";
  tsr_machine *m = NULL;
  for (int asked_for = 1; asked_for >= 0; asked_for--) {
    cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
    setenv("OMPI_MCA_orte_bound_at_launch", "1", 1);
    if (asked_for)
      setenv("OMPI_MCA_hwloc_base_binding_policy", "core", 1);
    else
      unsetenv("OMPI_MCA_hwloc_base_binding_policy");
    cr_assert_eq(tsr__machine_create(&c, 0, 1, 1, &m, message, sizeof message), TSR_OK);
    int n_cores = asked_for || !whole.cpus ? 1 : whole.n_cores;
    cr_assert_eq(m->n_threads, n_cores, "%d threads", m->n_threads);
    cpu_set_t now;
    cr_assert_eq(sched_getaffinity(0, sizeof now, &now), 0);
    cr_assert_eq(CPU_COUNT(&now), n_cores);
    tsr__machine_destroy(m);
  }
  tsr__topology_free(&whole);
}

Test(machine, more_threads_than_can_be)
{
  tsr_config c = config_with_threads(4096);
  tsr_machine *m = NULL;
  char message[256] = "";
  cr_assert_eq(tsr__machine_create(&c, 0, 1, 100, &m, message, sizeof message), TSR_ERR_CONFIG);
  cr_assert_str_eq(message, "cannot start 409500 worker threads (TESSERA_THREADS is 4096, 100 "
                            "ranks in this process); fewer may do");
  cr_assert_null(m);
}
