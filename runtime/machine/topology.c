/* What a control group (a container, a batch job) takes away from the node, and how processes share
 * the rest. The limits are text files, of version 2 (one tree) or version 1 (a tree per
 * controller). A group's limit holds for all groups below it, so every ancestor is read. */
#include "runtime/machine/runtime_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 512, LINE_BYTES = 512 };

/* Reads the first line of DIR/NAME; false if there is none. */
static bool read_line(const char *dir, const char *name, char *line, int n)
{
  char path[2 * PATH_BYTES];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  FILE *f = fopen(path, "r");
  if (!f) return false;
  bool ok = fgets(line, n, f) != NULL;
  fclose(f);
  return ok;
}

/* The number in DIR/NAME; 0: there is none ("max" is no number). */
static uint64_t read_number(const char *dir, const char *name)
{
  char line[LINE_BYTES];
  return read_line(dir, name, line, sizeof line) ? strtoull(line, NULL, 10) : 0;
}

/* Reads the number behind `key` and blanks in DIR/NAME, a table with a line for each key. */
static bool read_entry(const char *dir, const char *name, const char *key, uint64_t *out)
{
  char path[2 * PATH_BYTES], line[LINE_BYTES];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  FILE *f = fopen(path, "r");
  bool found = false;
  while (f && !found && fgets(line, sizeof line, f))
    found = !strncmp(line, key, strlen(key)) && sscanf(line + strlen(key), "%" SCNu64, out) == 1;
  if (f) fclose(f);
  return found;
}

static void take_least(size_t *least, uint64_t bytes)
{
  if (bytes < *least || *least == 0) *least = bytes > 0 ? bytes : 1;
}

/* Takes the limits that the files of one version give. Cached files count as unused. */
static void take_memory(const char *dir, const char *limit_name, const char *used_name,
                        const char *reclaimed_key, tsr_topology *t)
{
  const uint64_t limit = read_number(dir, limit_name);
  if (limit == 0) return;
  uint64_t used = read_number(dir, used_name), reclaimed = 0;
  if (read_entry(dir, "memory.stat", reclaimed_key, &reclaimed))
    used -= reclaimed < used ? reclaimed : used;
  take_least(&t->memory_bytes, limit);
  take_least(&t->available_bytes, limit > used ? limit - used : 0);
}

static void take_cpu_quota(double quota_us, double period_us, int *n_cores)
{
  if (quota_us <= 0 || period_us <= 0) return; /* "max", or -1 in version 1: there is no quota */
  double cores = quota_us / period_us;
  int whole = cores < 1 ? 1 : (int)(cores + 0.5);
  if (whole < *n_cores) *n_cores = whole;
}

static void take_limits(const char *dir, tsr_topology *t, int *n_cores)
{
  char line[LINE_BYTES], period[LINE_BYTES];
  take_memory(dir, "memory.max", "memory.current", "inactive_file ", t);
  take_memory(dir, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file ", t);
  double quota_us, period_us;
  if (read_line(dir, "cpu.max", line, sizeof line) &&
      sscanf(line, "%lf %lf", &quota_us, &period_us) == 2)
    take_cpu_quota(quota_us, period_us, n_cores);
  if (read_line(dir, "cpu.cfs_quota_us", line, sizeof line) &&
      read_line(dir, "cpu.cfs_period_us", period, sizeof period))
    take_cpu_quota(atof(line), atof(period), n_cores);
}

/* Is `name` one of the controllers of "cpu,cpuacct"? */
static bool has_controller(const char *list, const char *name)
{
  size_t n = strlen(name);
  for (const char *c = list; *c; c += strcspn(c, ",")) {
    if (*c == ',') c++;
    if (strcspn(c, ",") == n && !strncmp(c, name, n)) return true;
  }
  return false;
}

void tsr__topology_apply_limits(tsr_topology *t, const char *system)
{
  long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  t->memory_bytes = pages > 0 && page_bytes > 0 ? (size_t)pages * (size_t)page_bytes : 0;
  char root[PATH_BYTES], path_of_groups[PATH_BYTES], proc[PATH_BYTES];
  snprintf(root, sizeof root, "%s/sys/fs/cgroup", system);
  snprintf(proc, sizeof proc, "%s/proc", system);
  snprintf(path_of_groups, sizeof path_of_groups, "%s/proc/self/cgroup", system);
  uint64_t kilobytes;
  t->available_bytes = t->memory_bytes;
  if (read_entry(proc, "meminfo", "MemAvailable:", &kilobytes))
    take_least(&t->available_bytes, kilobytes << 10);
  int n_cores = t->n_cores;
  FILE *f = fopen(path_of_groups, "r");
  char line[LINE_BYTES]; /* "0::/path", or "4:memory:/path" */
  while (f && fgets(line, sizeof line, f)) {
    char *list = strchr(line, ':'), *path = list ? strchr(list + 1, ':') : NULL;
    if (!path) continue;
    *path++ = 0;
    list++;
    path[strcspn(path, "\n")] = 0;
    bool memory = has_controller(list, "memory"), cpu = has_controller(list, "cpu");
    if (*list && !memory && !cpu) continue;
    char dir[PATH_BYTES];
    size_t n_root = (size_t)snprintf(dir, sizeof dir, "%s%s%s", root, *list ? "/" : "", list);
    if (n_root + strlen(path) >= sizeof dir) continue;
    strcpy(dir + n_root, path);
    for (char *slash = dir + strlen(dir); slash; slash = strrchr(dir + n_root, '/')) {
      *slash = 0;
      take_limits(dir, t, &n_cores);
    }
  }
  if (f) fclose(f);
  if (n_cores < t->n_cores) {
    t->n_cores = t->n_cores_node = n_cores;
    free(t->cpus);
    t->cpus = NULL;
  }
}

void tsr__topology_free(tsr_topology *t)
{
  free(t->cpus);
  *t = (tsr_topology){0};
}

int64_t tsr__l3_bytes_of_thread(const tsr_topology *t)
{
  enum { MOST = 4 << 20 };
  const int64_t share = (int64_t)t->l3_bytes / (t->n_cores_node > 0 ? t->n_cores_node : 1);
  return share < MOST ? share : MOST;
}

tsr_core_share tsr__core_share(const tsr_topology *t, int node_rank, int node_size)
{
  int64_t mine = t->n_cores, all = t->n_cores_node;
  if (node_size == 1 || (mine < all && mine * node_size <= all))
    return (tsr_core_share){.first = 0, .n = (int)mine, .known = true, .per_core = 1};
  if (mine < all) {
    int sharers = (int)((mine * node_size + all - 1) / all);
    bool crowded = sharers > mine;
    return (tsr_core_share){.n = crowded ? 1 : (int)(mine / sharers),
                            .oversubscribed = crowded,
                            .per_core = crowded ? (int)((sharers + mine - 1) / mine) : 1};
  }
  if (node_size > mine)
    return (tsr_core_share){.first = (int)(mine * node_rank / node_size),
                            .n = 1,
                            .oversubscribed = true,
                            .known = node_size % mine == 0,
                            .per_core = (int)((node_size + mine - 1) / mine)};
  int first = (int)(mine * node_rank / node_size);
  int last = (int)(mine * (node_rank + 1) / node_size);
  return (tsr_core_share){.first = first, .n = last - first, .known = true, .per_core = 1};
}
