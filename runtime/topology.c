/* What a control group (a container, a batch job) takes away from the node, and how processes share
 * the rest. The limits are text files, of version 2 (one tree) or version 1 (a tree per
 * controller); the limit of a group holds for all below it, so every ancestor is read. */
#include "runtime/runtime_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 512, LINE_BYTES = 512 };

/* First line of DIR/NAME; false if there is none. */
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

static void take_memory_limit(const char *dir, const char *name, size_t *limit)
{
  char line[LINE_BYTES];
  if (!read_line(dir, name, line, sizeof line)) return;
  char *end;
  unsigned long long bytes = strtoull(line, &end, 10);
  if (end != line && bytes > 0 && (bytes < *limit || *limit == 0))
    *limit = bytes; /* "max" is no number */
}

static void take_cpu_quota(double quota_us, double period_us, int *n_cores)
{
  if (quota_us <= 0 || period_us <= 0) return; /* "max", or -1 in version 1: none */
  double cores = quota_us / period_us;
  int whole = cores < 1 ? 1 : (int)(cores + 0.5);
  if (whole < *n_cores) *n_cores = whole;
}

static void take_limits(const char *dir, size_t *memory, int *n_cores)
{
  char line[LINE_BYTES], period[LINE_BYTES];
  take_memory_limit(dir, "memory.max", memory);
  take_memory_limit(dir, "memory.limit_in_bytes", memory);
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

void tsr__topology_apply_limits(tsr_topology *t)
{
  long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  t->memory_bytes = pages > 0 && page_bytes > 0 ? (size_t)pages * (size_t)page_bytes : 0;
  static const char root[] = "/sys/fs/cgroup";
  int n_cores = t->n_cores;
  FILE *f = fopen("/proc/self/cgroup", "r");
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
      take_limits(dir, &t->memory_bytes, &n_cores);
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
