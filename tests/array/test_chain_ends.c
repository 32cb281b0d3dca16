/* What ends a chain of steps that are tiled over time: each reason has a counter, and a line in a
 * dump that names it and the line of the program. */
#include "array_test.h"

#include <dirent.h>

enum { SIDE = 400, STEPS = 6 };

static void sweep(tsr_array u)
{
  tsr_exec("u[1:-1, 1:-1] = 0.5*(u[:-2, 1:-1] + u[2:, 1:-1])", u);
}

/* Steps with one between them that goes along the axis of another array. */
static void along_other_axes(void)
{
  tsr_array u = tsr_full(TSR_SHAPE(SIDE, SIDE), 0.5), line = tsr_ones(TSR_SHAPE(SIDE));
  tsr_flush();
  for (int i = 0; i < STEPS; i++) {
    sweep(u);
    if (i == 2) tsr_exec("line[1:] = 0.5*line[:-1]", line);
  }
}

static void from_afar(void)
{
  tsr_array u = tsr_full(TSR_SHAPE(SIDE, SIDE), 0.5);
  tsr_flush();
  for (int i = 0; i < STEPS; i++) {
    sweep(u);
    if (i == 2) tsr_exec("u[100:, :] = 0.5*u[:-100, :]", u);
  }
}

/* A temporary has the memory that every second step has, with longer rows. */
static void lies_otherwise(void)
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
}

/* A sum of rows of which the first of four places has none. */
static void of_other_places(void)
{
  tsr_array u = tsr_full(TSR_SHAPE(SIDE, SIDE), 0.5), sum = tsr_zeros(TSR_SHAPE(1));
  tsr_flush();
  for (int i = 0; i < STEPS; i++) {
    tsr_exec("u[:, 1:-1] = 0.5*(u[:, :-2] + u[:, 2:])", u);
    if (i == 2) tsr_exec("sum[0] = sum(u[100:])", sum, u);
  }
}

static void of_many_arrays(void)
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
}

static void sweeps(void)
{
  tsr_array u = tsr_full(TSR_SHAPE(SIDE, SIDE), 0.5);
  tsr_flush();
  for (int i = 0; i < STEPS; i++) sweep(u);
}

/* A turned read of what places have. */
static void gathered(void)
{
  tsr_array u = tsr_full(TSR_SHAPE(SIDE, SIDE), 0.5);
  tsr_flush();
  for (int i = 0; i < STEPS; i++) {
    sweep(u);
    if (i == 2) tsr_exec("u[:, :] = 0.5*u + 0.25*u.T", u);
  }
}

/* By cost, of arrays that are many times as large as the caches. */
static void small(void)
{
  tsr_array u = tsr_full(TSR_SHAPE(20, 20), 0.5);
  tsr_flush();
  for (int i = 0; i < STEPS; i++) sweep(u);
}

static void in_memory(int n_steps, int n_arrays, bool sums)
{
  enum { MOST = 64 };
  tsr_topology *t = &tsr_context_current()->world.machine->topology;
  const tsr_topology kept = *t;
  t->l2_bytes = 64 << 10;
  t->l3_bytes = 256 << 10;
  tsr_array v[2] = {tsr_full(TSR_SHAPE(64, 64, 64), 0.5), tsr_ones(TSR_SHAPE(66, 60, 64))};
  tsr_array sum = tsr_zeros(TSR_SHAPE(MOST));
  tsr_flush();
  for (int i = 0; i < n_steps * n_arrays; i++) {
    tsr_array u = v[i % n_arrays];
    tsr_exec("u[1:-1, 1:-1, 1:-1] = 0.25*(u[:-2, 1:-1, 1:-1] + u[2:, 1:-1, 1:-1] + "
             "u[1:-1, :-2, 1:-1] + u[1:-1, 1:-1, 2:])",
             u);
    if (sums) tsr_exec("sum[i] = sum(u)", sum, u, i);
  }
  tsr_flush();
  t->l2_bytes = kept.l2_bytes; /* the rest is read by the compiler's thread */
  t->l3_bytes = kept.l3_bytes;
}

static void large(void)
{
  in_memory(64, 1, false);
}

static void few(void)
{
  in_memory(2, 1, false);
}

static void strangers(void)
{
  in_memory(1, 2, false);
}

static void summed(void)
{
  in_memory(16, 1, true);
}

/** A program in which a chain ends so. */
typedef struct ended {
  tsr_chain_end end;
  const char *text; /* of the dump */
  void (*run)(void);
  bool is_named; /* the dump names the line of what is not in the chain */
  int n_ranks;
  const char *time_steps, *memory; /* the settings; memory 0: as much as there is */
} ended;

static const ended all[] = {
    {TSR_END_WINDOW, "the window ends", sweeps, false, 1, "128", "0"},
    {TSR_END_MOST, "it has as many steps as it may", sweeps, true, 1, "2", "0"},
    {TSR_END_AXES, "a write along other axes or with another step", along_other_axes, true, 1,
     "128", "0"},
    {TSR_END_FAR, "a read far from where the chain writes", from_afar, true, 1, "128", "0"},
    {TSR_END_STRANGER, "nothing that the chain reads or writes", strangers, true, 1, "0", "0"},
    {TSR_END_EMPTY, "nothing of it is this place's", of_other_places, true, 4, "128", "0"},
    {TSR_END_SUMS, "reductions of more than every second step", summed, true, 1, "0", "0"},
    {TSR_END_DEVICE, "a device takes steps whole", sweeps, false, 1, "128", "0"},
    {TSR_END_BUFFERS, "too many arrays", of_many_arrays, true, 1, "128", "0"},
    {TSR_END_MESSAGES, "messages", sweeps, true, 2, "128", "0"},
    {TSR_END_MEMORY, "memory passes to values that lie otherwise", lies_otherwise, true, 1, "128",
     "0"},
    {TSR_END_GATHERED, "a read of what was gathered from other places", gathered, true, 2, "128",
     "0"},
    {TSR_END_BLOCKS, "a write in place, in blocks", sweeps, false, 1, "128", "2M"},
    {TSR_END_CACHED, "it fits the caches as it is (", small, false, 1, "0", "0"},
    {TSR_END_PROFIT, "more steps would save too little", large, false, 1, "0", "0"},
    {TSR_END_PROFIT, "more steps would save too little (", few, false, 1, "0", "0"},
};
enum { N_ALL = sizeof all / sizeof *all };

typedef struct run {
  const ended *e;
  uint64_t n;
} run;

static void run_rank(void *arg, int rank)
{
  run *r = arg;
  TSR_SCOPE();
  r->e->run();
  tsr_flush();
  if (rank == 0) r->n = tsr__context_counters()->n_chain_ends[r->e->end];
}

/* Is there a line in the dumps of chains in the folder that names the reason and, behind it, this
 * file? Removes the dumps. */
static bool is_dumped(const char *folder, const ended *e)
{
  bool found = false;
  char line[1000], path[600], reason[200];
  snprintf(reason, sizeof reason, "; ends: %s", e->text);
  DIR *d = opendir(folder);
  for (struct dirent *file; (file = readdir(d)) != NULL;) {
    if (file->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
    FILE *f = strstr(file->d_name, "8-chains.rank0") != NULL ? fopen(path, "r") : NULL;
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
      const char *at = strstr(line, reason);
      if (at == NULL) continue;
      at += strlen(reason);
      found |= strstr(at, "test_chain_ends.c:") != NULL || !e->is_named;
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
  for (int i = 0; i < N_ALL; i++) {
    run r = {.e = &all[i]};
    RUN_RANKS(r.e->n_ranks, run_rank, &r, "device", r.e->end == TSR_END_DEVICE ? "check" : "cpu",
              "places", "1", "threads", "1", "replicate_max", "0", "tile_min", "1", "inline_elems",
              "0", "window_ops", "1000", "window_cap", "1000", "time_steps", r.e->time_steps,
              "halo_steps", "1", "chunk_bytes", "2K", "recompute", "0", "fold_max", "0", "inorder",
              "0", "fusion", "1", "rename", "1", "dump", folder, "memory", r.e->memory);
    cr_expect_gt(r.n, 0, "%s", all[i].text);
    cr_expect(is_dumped(folder, &all[i]), "no dump says: %s", all[i].text);
  }
  rmdir(folder);
}
