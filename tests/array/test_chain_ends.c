/* What ends a chain of steps that are tiled over time: each reason has a counter, and a line in a
 * dump that names it and the line of the program whose operation is not in the chain. Programs
 * return that line; 0: none is named. */
#include "array_test.h"

#include <dirent.h>

enum { SIDE = 400, STEPS = 6 };

/* Returns the line of its call. */
static int sweep(tsr_array u)
{
  const int line = __LINE__ + 1;
  tsr_exec("u[1:-1, 1:-1] = 0.5*(u[:-2, 1:-1] + u[2:, 1:-1])", u);
  return line;
}

/* Steps with one between them that goes along the axis of another array. */
static int along_other_axes(void)
{
  tsr_array u = tsr_full(TSR_SHAPE(SIDE, SIDE), 0.5), line = tsr_ones(TSR_SHAPE(SIDE));
  tsr_flush();
  for (int i = 0; i < STEPS; i++) {
    sweep(u);
    if (i == 2) tsr_exec("line[1:] = 0.5*line[:-1]", line);
  }
  return __LINE__ - 2;
}

static int from_afar(void)
{
  tsr_array u = tsr_full(TSR_SHAPE(SIDE, SIDE), 0.5);
  tsr_flush();
  for (int i = 0; i < STEPS; i++) {
    sweep(u);
    if (i == 2) tsr_exec("u[100:, :] = 0.5*u[:-100, :]", u);
  }
  return __LINE__ - 2;
}

/* A temporary has the memory that every second step has, with longer rows. */
static int lies_otherwise(void)
{
  tsr_array u = tsr_full(TSR_SHAPE(SIDE, SIDE), 0.5), v = tsr_ones(TSR_SHAPE(SIDE, SIDE + 40));
  tsr_flush();
  for (int i = 0; i < STEPS; i++) {
    TSR_SCOPE();
    sweep(u);
    if (i != 1) continue;
    tsr_array t = tsr_eval("0.25*v", v);
    tsr_exec("v[1:-1] = t[2:] + t[:-2]", v, t);
  }
  return __LINE__ - 3; /* of the temporary */
}

/* A sum of rows of which the first of four places has none. */
static int of_other_places(void)
{
  tsr_array u = tsr_full(TSR_SHAPE(SIDE, SIDE), 0.5), sum = tsr_zeros(TSR_SHAPE(1));
  tsr_flush();
  for (int i = 0; i < STEPS; i++) {
    tsr_exec("u[:, 1:-1] = 0.5*(u[:, :-2] + u[:, 2:])", u);
    if (i == 2) tsr_exec("sum[0] = sum(u[100:])", sum, u);
  }
  return __LINE__ - 2;
}

static int of_many_arrays(void)
{
  enum { MANY = 20 };
  tsr_array u = tsr_full(TSR_SHAPE(SIDE, SIDE), 0.5), v[MANY];
  for (int k = 0; k < MANY; k++) v[k] = tsr_full(TSR_SHAPE(SIDE, SIDE), 0.01 * k);
  tsr_flush();
  for (int i = 0; i < STEPS; i++) {
    TSR_SCOPE();
    sweep(u);
    if (i != 2) continue;
    tsr_array sum = u;
    for (int k = 0; k < MANY; k++) sum = tsr_add(sum, v[k]);
    tsr_assign(u, sum);
  }
  return __LINE__ - 2;
}

static int sweeps(void)
{
  int line = 0;
  tsr_array u = tsr_full(TSR_SHAPE(SIDE, SIDE), 0.5);
  tsr_flush();
  for (int i = 0; i < STEPS; i++) line = sweep(u);
  return line;
}

static int sweeps_to_the_end(void)
{
  sweeps();
  return 0;
}

/* A turned read: on several places, of what they have gathered. */
static int turned(void)
{
  tsr_array u = tsr_full(TSR_SHAPE(SIDE, SIDE), 0.5);
  tsr_flush();
  for (int i = 0; i < STEPS; i++) {
    sweep(u);
    if (i == 2) tsr_exec("u[:, :] = 0.5*u + 0.25*u.T", u);
  }
  return __LINE__ - 2;
}

/* A read with another step than the write's. */
static int with_other_steps(void)
{
  tsr_array u = tsr_full(TSR_SHAPE(SIDE, SIDE), 0.5);
  tsr_flush();
  for (int i = 0; i < STEPS; i++) {
    sweep(u);
    if (i == 2) tsr_exec("u[:200] = 0.5*u[::2]", u);
  }
  return __LINE__ - 2;
}

/* A step that reads what an earlier one reduces. */
static int reads_a_sum(void)
{
  tsr_array u = tsr_full(TSR_SHAPE(SIDE, SIDE), 0.5);
  tsr_flush();
  for (int i = 0; i < STEPS; i++) {
    TSR_SCOPE();
    sweep(u);
    if (i != 2) continue;
    tsr_array sum = tsr_sum(u);
    tsr_exec("u[:, :] = u - 1e-6*sum", u, sum);
  }
  return __LINE__ - 2;
}

static int multiplied(void)
{
  tsr_array u = tsr_full(TSR_SHAPE(SIDE, SIDE), 0.5), a = tsr_eye(SIDE);
  tsr_flush();
  for (int i = 0; i < STEPS; i++) {
    sweep(u);
    if (i == 2) tsr_assign(u, tsr_matmul(a, u));
  }
  return __LINE__ - 2;
}

static int rolled_far(void)
{
  tsr_array u = tsr_full(TSR_SHAPE(SIDE, SIDE), 0.5);
  tsr_flush();
  for (int i = 0; i < STEPS; i++) {
    sweep(u);
    if (i == 2) tsr_exec("u[:, :] = 0.5*u + 0.25*roll(u, 150, axis=0)", u);
  }
  return __LINE__ - 2;
}

/* By cost, of arrays that are many times as large as the caches. */
static int small(void)
{
  tsr_array u = tsr_full(TSR_SHAPE(20, 20), 0.5);
  tsr_flush();
  for (int i = 0; i < STEPS; i++) sweep(u);
  return 0;
}

static const char seven_points[] =
    "u[1:-1, 1:-1, 1:-1] = 0.25*(u[:-2, 1:-1, 1:-1] + u[2:, 1:-1, 1:-1] + "
    "u[1:-1, :-2, 1:-1] + u[1:-1, 1:-1, 2:])";

/* Returns the line of its steps, or of their sums. */
static int in_memory(int n_steps, int n_arrays, bool sums)
{
  enum { MOST = 64 };
  int line = 0;
  tsr_topology *t = &tsr_context_current()->world.machine->topology;
  const tsr_topology kept = *t;
  t->l2_bytes = 128 << 10;
  t->l3_bytes = 256 << 10;
  tsr_array v[2] = {tsr_full(TSR_SHAPE(64, 64, 64), 0.5), tsr_ones(TSR_SHAPE(66, 60, 64))};
  tsr_array sum = tsr_zeros(TSR_SHAPE(MOST));
  tsr_flush();
  for (int i = 0; i < n_steps * n_arrays; i++) {
    tsr_array u = v[i % n_arrays];
    line = __LINE__ + 1;
    tsr_exec(seven_points, u);
    if (!sums) continue;
    line = __LINE__ + 1;
    tsr_exec("sum[i] = sum(u)", sum, u, i);
  }
  tsr_flush();
  t->l2_bytes = kept.l2_bytes; /* the rest is read by the compiler's thread */
  t->l3_bytes = kept.l3_bytes;
  return line;
}

static int large(void)
{
  return in_memory(64, 1, false);
}

static int few(void)
{
  in_memory(2, 1, false);
  return 0;
}

static int strangers(void)
{
  return in_memory(1, 2, false);
}

static int summed(void)
{
  return in_memory(16, 1, true);
}

/** A program in which a chain ends so. */
typedef struct ended {
  tsr_chain_end end;
  const char *text; /* of the dump */
  int (*run)(void);
  int n_ranks;
  const char *time_steps, *memory; /* the settings; memory 0: as much as there is */
} ended;

static const ended all[] = {
    {TSR_END_WINDOW, "the window ends", sweeps_to_the_end, 1, "128", "0"},
    {TSR_END_MOST, "it has as many steps as it may", sweeps, 1, "2", "0"},
    {TSR_END_AXES, "a write along other axes or with another step", along_other_axes, 1, "128",
     "0"},
    {TSR_END_DISTANCE, "a read at no constant distance", turned, 1, "128", "0"},
    {TSR_END_DISTANCE, "a read at no constant distance", with_other_steps, 1, "128", "0"},
    {TSR_END_REDUCTION, "a read of what the chain reduces", reads_a_sum, 1, "128", "0"},
    {TSR_END_TASK, "a task of the library's, or one with blocks or a whole axis", multiplied, 1,
     "128", "0"},
    {TSR_END_PIECES, "a periodic read, far from where the chain writes", rolled_far, 1, "128", "0"},
    {TSR_END_FAR, "a read far from where the chain writes", from_afar, 1, "128", "0"},
    {TSR_END_STRANGER, "nothing that the chain reads or writes", strangers, 1, "0", "0"},
    {TSR_END_EMPTY, "nothing of it is this place's", of_other_places, 4, "128", "0"},
    {TSR_END_SUMS, "reductions of more than every second step", summed, 1, "0", "0"},
    {TSR_END_DEVICE, "a device takes steps whole", sweeps_to_the_end, 1, "128", "0"},
    {TSR_END_BUFFERS, "too many arrays", of_many_arrays, 1, "128", "0"},
    {TSR_END_MESSAGES, "messages", sweeps, 2, "128", "0"},
    {TSR_END_MEMORY, "memory passes to values that lie otherwise", lies_otherwise, 1, "128", "0"},
    {TSR_END_GATHERED, "a read of what was gathered from other places", turned, 2, "128", "0"},
    {TSR_END_BLOCKS, "a write in place, in blocks", sweeps_to_the_end, 1, "128", "2M"},
    {TSR_END_CACHED, "it fits the caches as it is (", small, 1, "0", "0"},
    {TSR_END_PROFIT, "more steps would save too little", large, 1, "0", "0"},
    {TSR_END_PROFIT, "more steps would save too little (", few, 1, "0", "0"},
};
enum { N_ALL = sizeof all / sizeof *all };

typedef struct run {
  const ended *e;
  uint64_t n;
  int line;         /* of the operation that is not in the chain; 0: none is named */
  bool is_compared; /* the dump says what a chain's bands cost */
} run;

static void run_rank(void *arg, int rank)
{
  run *r = arg;
  TSR_SCOPE();
  const int line = r->e->run();
  tsr_flush();
  if (rank != 0) return;
  r->line = line;
  r->n = tsr__context_counters()->n_chain_ends[r->e->end];
}

/* Does the line say what the bands of a tiled chain cost, and what they hold? They must pay. */
static bool is_compared(const char *line)
{
  int first, last, n_steps;
  float bytes, share, most;
  long long held, budget;
  if (sscanf(
          line,
          "groups %d-%d in %d steps, %f of the bytes (%f of the time, less than %f pays) (%lld KB "
          "beside a cache of %lld KB)",
          &first, &last, &n_steps, &bytes, &share, &most, &held, &budget) != 8)
    return false;
  cr_expect(n_steps >= last - first + 1 && bytes > 0 && bytes < 1, "%s", line);
  cr_expect(share > 0 && share < most && held > 0 && held <= budget, "%s", line);
  return true;
}

/* Is there a line in the dumps of chains in the folder that names the reason and, behind it, the
 * line of this file, if one is to be named? Removes the dumps. */
static bool is_dumped(const char *folder, run *r)
{
  char named[40] = "";
  if (r->line > 0) snprintf(named, sizeof named, "test_chain_ends.c:%d `", r->line);
  bool found = false;
  char line[1000], path[600], reason[200];
  snprintf(reason, sizeof reason, "; ends: %s", r->e->text);
  DIR *d = opendir(folder);
  for (struct dirent *file; (file = readdir(d)) != NULL;) {
    if (file->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
    FILE *f = strstr(file->d_name, "8-chains.rank0") != NULL ? fopen(path, "r") : NULL;
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
      r->is_compared |= is_compared(line);
      const char *at = strstr(line, reason);
      if (at == NULL) continue;
      at += strlen(reason);
      found |= strstr(at, named) != NULL;
    }
    if (f != NULL) fclose(f);
    unlink(path);
  }
  closedir(d);
  return found;
}

Test(time_tiling, each_end_has_a_counter_and_a_line, .timeout = 60)
{
  char folder[] = "/tmp/tessera-ends-XXXXXX";
  cr_assert_not_null(mkdtemp(folder));
  bool has[TSR_N_CHAIN_ENDS] = {[TSR_END_NONE] = true};
  for (int i = 0; i < N_ALL; i++) {
    run r = {.e = &all[i]};
    RUN_RANKS(r.e->n_ranks, run_rank, &r, "device", r.e->end == TSR_END_DEVICE ? "check" : "cpu",
              "places", "1", "threads", "1", "replicate_max", "0", "tile_min", "1", "inline_elems",
              "0", "window_ops", "1000", "window_cap", "1000", "time_steps", r.e->time_steps,
              "halo_steps", "1", "chunk_bytes", "2K", "recompute", "0", "fold_max", "0", "inorder",
              "0", "fusion", "1", "rename", "1", "dump", folder, "memory", r.e->memory);
    cr_expect_gt(r.n, 0, "%s", all[i].text);
    cr_expect(is_dumped(folder, &r), "no dump says: %s, line %d", all[i].text, r.line);
    has[all[i].end] = true;
    cr_expect(r.is_compared || all[i].run != large, "no dump says what the bands cost");
  }
  rmdir(folder);
  for (int i = 0; i < TSR_N_CHAIN_ENDS; i++) cr_expect(has[i], "no program ends so: %d", i);
}
