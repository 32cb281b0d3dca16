/* test_random: random array programs on Tessera, on a naive reference and on NumPy.
 *
 * Every program runs under five configurations: the plainest (one rank and thread, interpreted,
 * nothing fused, renamed or remembered) and one for each number of ranks from 1 to 4, of which one
 * is compiled. Threads, fusion, renaming, remembered plans and running in line rotate from batch to
 * batch, so that 2,560 programs see all their combinations (rotation.c); the settings that force
 * paths are drawn. What must hold:
 * - Every output is bitwise (any NaN equals any NaN) that of the reference, under every
 *   configuration; also float reductions, whose tree the reference computes by its definition.
 *   Programs with exp and its like: bitwise that of the first configuration instead, and within the
 * reference's error bounds (4 ulp per function, by interval arithmetic from there on).
 * - NumPy gives the same bits wherever no float reduction or exp is behind a value, else values
 *   within the error bounds: n eps sum|x| for a sum, carried on by interval arithmetic. Elements
 *   whose bound is infinite (a comparison of two values closer than their errors, say) are left
 * out; their number is printed.
 * - At least half of the programs were cut over ranks and sent messages; at least half were fused,
 *   ran compiled code, had a write renamed, replayed a plan, and ran a plan in line; a
 *   twentieth computed a temporary again for its readers.
 * - Of 2,560 programs or more of one seed every configuration ran some; the table at the end says
 *   how many.
 */
#include "random.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernel/compile/jit_int.h"
#include "runtime/base/error.h"
#include "tests/support/kept.h"

/* The corpus: programs 316 and 2781 of its seed once failed, by the sign of a float16's zero and in
 * a product of one complex number. */
enum { BATCH = 8, MAX_SHRUNK = 4, CORPUS_SEED = 534504290 };

typedef struct options {
  uint64_t seed;
  int n_programs, n_corpus, program, batch, shrink_seconds;
  bool verbose, shrink, numpy;
  config set;              /* of every configuration */
  char cache[MAX_SETTING]; /* directory for compiled kernels */
  size_limits limits;
} options;

/* What many programs must do under some configuration: one in so many (summary). */
typedef enum deed {
  DISTRIBUTED,
  FUSED,
  COMPILED,
  RENAMED,
  REPLAYED,
  RESIZED,
  IN_LINE,
  RECOMPUTED,
  ON_A_DEVICE,
  AS_CUDA_TEXT,
  ON_BOTH_SIDES,
  SEVERAL_PLACES,
  SHORT_OF_MEMORY,
  TILED,
  TILED_AND_FOLLOWED,
  DEEP,
  N_DEEDS
} deed;

typedef struct totals {
  int passed, failed, programs, n_shrunk, n_did[N_DEEDS];
  int n_programs[4][N_MODES]; /* by configuration */
  tally tally;
  double in_reference, in_configs[CONFIGS_PER_BATCH], in_numpy;
} totals;

/* One program of a batch and what became of it. */
typedef struct candidate {
  program *program;
  result *result;
  uint8_t *got; /* of the first configuration */
  bool failed;
  failure failure;
  char text[1000];
  bool did[N_DEEDS];
} candidate;

static void usage(void)
{
  puts("test_random [--programs N] [--seed S] [--program K | --batch B] [--verbose]\n"
       "            [--shrink | --no-shrink] [--numpy | --no-numpy] [--size small|large]\n"
       "  --programs N   how many (default 1000)\n"
       "  --seed S       draw these (default: from the clock)\n"
       "  --corpus N     then the first N of the corpus, which a fixed seed draws\n"
       "  --program K    run only the K-th, from 0; --batch B: only batch B\n"
       "  --set N=V      a setting for every configuration, such as jit=eager\n"
       "  --verbose      print every program and configuration\n"
       "  --no-shrink    print failing programs as they are; --shrink-seconds N: time for each\n"
       "  --no-numpy     leave NumPy out\n"
       "  --size         up to 3000 (small, the default) or 60000 elements an array");
}

/* NAME=VALUE. */
static bool parse_set(config *c, const char *text)
{
  const char *equals = strchr(text, '=');
  if (!equals || c->n_settings == MAX_SET) return false;
  char name[sizeof c->name[0]];
  snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
  config_set(c, name, equals + 1);
  return true;
}

static bool parse(int argc, char **argv, options *o)
{
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (!strcmp(name, "--verbose"))
      o->verbose = true;
    else if (!strcmp(name, "--shrink") || !strcmp(name, "--no-shrink"))
      o->shrink = name[2] == 's';
    else if (!strcmp(name, "--numpy") || !strcmp(name, "--no-numpy"))
      o->numpy = name[3] == 'u';
    else if (!value)
      return false;
    else if (!strcmp(name, "--set")) {
      if (!parse_set(&o->set, argv[++i])) return false;
    } else if (!strcmp(name, "--programs"))
      o->n_programs = atoi(argv[++i]);
    else if (!strcmp(name, "--corpus"))
      o->n_corpus = atoi(argv[++i]);
    else if (!strcmp(name, "--seed"))
      o->seed = strtoull(argv[++i], NULL, 10);
    else if (!strcmp(name, "--program"))
      o->program = atoi(argv[++i]);
    else if (!strcmp(name, "--batch"))
      o->batch = atoi(argv[++i]);
    else if (!strcmp(name, "--shrink-seconds"))
      o->shrink_seconds = atoi(argv[++i]);
    else if (!strcmp(name, "--size"))
      o->limits.most_elements = !strcmp(argv[++i], "large") ? 60000 : 3000;
    else
      return false;
  }
  return true;
}

/* Judging a batch. */

static void note_failure(candidate *c, const char *python, const config *config,
                         const struct config *first, const char *text)
{
  if (c->failed) return;
  c->failed = true;
  c->failure = (failure){.python = python, .config = *config, .first = *first};
  snprintf(c->text, sizeof c->text, "%s", text);
}

static config config_of(const options *o, int batch, int which)
{
  config c = config_draw(o->seed, batch, which, o->cache);
  for (int i = 0; i < o->set.n_settings; i++) config_set(&c, o->set.name[i], o->set.value[i]);
  return c;
}

static void note_deeds(candidate *cs, const tsr_counters *did)
{
  cs->did[DISTRIBUTED] |= did->n_distributed > 0 && did->bytes_sent > 0;
  cs->did[FUSED] |= did->n_fused_ops > 0;
  cs->did[COMPILED] |= did->n_compiled_runs > 0;
  cs->did[RENAMED] |= did->n_renamed > 0;
  cs->did[REPLAYED] |= did->n_plan_hits > 0;
  cs->did[RESIZED] |= did->n_plan_resizes > 0;
  cs->did[IN_LINE] |= did->n_inline_plans > 0;
  cs->did[RECOMPUTED] |= did->n_recomputed > 0;
  cs->did[ON_A_DEVICE] |= did->n_device_runs > 0;
  cs->did[AS_CUDA_TEXT] |= did->n_cuda_runs > 0;
  cs->did[ON_BOTH_SIDES] |= did->n_device_runs > 0 && did->n_host_runs > 0;
  cs->did[SEVERAL_PLACES] |= did->n_messages_within > 0;
  cs->did[SHORT_OF_MEMORY] |= did->n_streamed_runs > 0 || did->n_evicted > 0;
  cs->did[TILED] |= did->n_tiled > 0;
  cs->did[TILED_AND_FOLLOWED] |= did->n_tiled_verified > 0;
  cs->did[DEEP] |= did->n_wide > 0;
}

/* What is switched off was not done. */
static void check_modes(candidate *cs, const config *c, const config *first,
                        const tsr_counters *did)
{
  if (!(c->mode & MODE_COMPILED) && did->n_compiled_runs > 0)
    note_failure(cs, NULL, c, first, "compiled code ran in the interpreter's configuration");
  if (!(c->mode & MODE_RENAME) && did->n_renamed > 0)
    note_failure(cs, NULL, c, first, "a write was renamed although that is switched off");
  if (!(c->mode & MODE_FUSION) && did->n_recomputed > 0)
    note_failure(cs, NULL, c, first, "a value was computed again although fusion is switched off");
  if (!(c->mode & MODE_MEMO) && did->n_plan_hits > 0)
    note_failure(cs, NULL, c, first, "a plan was replayed although that is switched off");
}

static void run_configs(const options *o, int batch, candidate *cs, int n, totals *t)
{
  program **ps = tsr__calloc((size_t)n, sizeof *ps);
  result **rs = tsr__calloc((size_t)n, sizeof *rs);
  uint8_t **want = tsr__calloc((size_t)n, sizeof *want),
          **got = tsr__calloc((size_t)n, sizeof *got);
  outcome *outcomes = tsr__calloc((size_t)n, sizeof *outcomes);
  config first = config_of(o, batch, 0);
  for (int which = 0; which < CONFIGS_PER_BATCH; which++) {
    double since = now_seconds();
    config c = config_of(o, batch, which);
    if (o->verbose) {
      printf("batch %d: ", batch);
      config_print(stdout, &c);
      puts("");
    }
    for (int i = 0; i < n; i++) {
      ps[i] = cs[i].program;
      rs[i] = cs[i].result;
      got[i] = which == 0 ? cs[i].got : NULL;
      want[i] = !ps[i]->inexact ? rs[i]->bytes : which == 0 ? NULL : cs[i].got;
    }
    run_config(&c, n, ps, rs, want, which == 0 ? got : NULL, outcomes, false);
    for (int i = 0; i < n; i++) {
      char text[1000];
      if (outcomes[i].failed) note_failure(&cs[i], NULL, &c, &first, outcomes[i].text);
      if (which == 0 && ps[i]->inexact && !cs[i].failed &&
          !judge(rs[i], cs[i].got, rs[i]->bytes, true, NULL, text, sizeof text))
        note_failure(&cs[i], NULL, &c, &first, text);
      note_deeds(&cs[i], &outcomes[i].did);
      if (o->set.n_settings == 0) check_modes(&cs[i], &c, &first, &outcomes[i].did);
    }
    if (which > 0) t->n_programs[c.ranks - 1][c.mode] += n;
    t->in_configs[which] += now_seconds() - since;
  }
  free(ps);
  free(rs);
  free(want);
  free(got);
  free(outcomes);
}

static numpy_run *begin_numpy(const char *python, candidate *cs, int n, result **rs)
{
  program **ps = tsr__calloc((size_t)n, sizeof *ps);
  for (int i = 0; i < n; i++) {
    ps[i] = cs[i].program;
    rs[i] = cs[i].result;
  }
  numpy_run *run = numpy_start(python, n, ps, rs);
  free(ps);
  return run;
}

static void end_numpy(const options *o, const char *python, int batch, numpy_run *run,
                      candidate *cs, int n, totals *t)
{
  uint8_t **blobs = tsr__calloc((size_t)n, sizeof *blobs);
  char **errors = tsr__calloc((size_t)n, sizeof *errors), text[1000];
  config first = config_of(o, batch, 0);
  numpy_finish(run, blobs, errors);
  for (int i = 0; i < n; i++) {
    if (cs[i].failed) continue;
    if (!blobs[i])
      note_failure(&cs[i], python, &first, &first, errors[i]);
    else if (!judge(cs[i].result, cs[i].got, blobs[i], true, &t->tally, text, sizeof text))
      note_failure(&cs[i], python, &first, &first, text);
  }
  free(blobs);
  free(errors);
}

/* Reports. */

static void report(const options *o, const candidate *c, int batch, totals *t)
{
  const program *p = c->program;
  failure f = c->failure;
  printf("\nFAIL program %d%s: %s\n", p->number, f.python ? " against NumPy" : "", c->text);
  printf("  under ");
  config_print(stdout, &f.config);
  printf("\n  replay: test_random --seed %" PRIu64 " --program %d%s (or --batch %d)\n", o->seed,
         p->number, o->limits.most_elements > 3000 ? " --size large" : "", batch);
  bool alone = true;
  char text[1000] = "";
  program *small = NULL;
  if (o->shrink && t->n_shrunk++ < MAX_SHRUNK)
    small = shrink(p, &f, o->shrink_seconds, &alone, text, sizeof text);
  if (!alone) puts("  it does not fail by itself, only after others of its batch");
  if (small && alone) {
    printf("  shrunk, under ");
    config_print(stdout, &f.config);
    printf("\n  %s\n", text);
  }
  program_print(stdout, small ? small : p, NULL, "    ");
  program_destroy(small);
  fflush(stdout);
}

static void run_batch(const options *o, const char *python, int batch, int first, int n, totals *t)
{
  candidate *cs = tsr__calloc((size_t)n, sizeof *cs);
  result **rs = tsr__calloc((size_t)n, sizeof *rs);
  double start = now_seconds();
  for (int i = 0; i < n; i++) {
    cs[i].program = generate(o->seed, first + i, &o->limits);
    cs[i].result = reference_run(cs[i].program);
    cs[i].got = tsr__calloc(cs[i].result->n_bytes + 1, 1);
    if (o->verbose) {
      printf("program %d:\n", first + i);
      program_print(stdout, cs[i].program, NULL, "    ");
    }
  }
  t->in_reference += now_seconds() - start;
  numpy_run *run = python ? begin_numpy(python, cs, n, rs) : NULL;
  run_configs(o, batch, cs, n, t);
  start = now_seconds();
  if (run) {
    end_numpy(o, python, batch, run, cs, n, t);
    numpy_free(run);
  }
  t->in_numpy += now_seconds() - start;
  for (int i = 0; i < n; i++) {
    t->programs++;
    for (int d = 0; d < N_DEEDS; d++) t->n_did[d] += cs[i].did[d];
    if (cs[i].failed) report(o, &cs[i], batch, t);
    *(cs[i].failed ? &t->failed : &t->passed) += 1;
    program_destroy(cs[i].program);
    result_free(cs[i].result);
    free(cs[i].got);
  }
  free(rs);
  free(cs);
}

/* At least one program in `one_in`, less three standard deviations of as many: a few programs may
 * miss it by chance. */
static void check_count(totals *t, const char *what, int n, int one_in, bool must)
{
  double wanted = (double)t->programs / one_in;
  bool enough = !must || (double)n >= wanted - 3 * sqrt(wanted);
  printf("%s: %d of %d programs%s\n", what, n, t->programs, enough ? "" : " (FAIL: too few)");
  *(enough ? &t->passed : &t->failed) += 1;
}

/* A long run takes every configuration. */
static void check_rotation(const options *o, totals *t)
{
  int least = config_print_table(stdout, t->n_programs);
  const int all = BATCHES_FOR_ALL * BATCH;
  if (o->n_programs < all && o->n_corpus < all) return;
  if (least == 0) puts("FAIL: a configuration was left out");
  *(least > 0 ? &t->passed : &t->failed) += 1;
}

static void summary(const options *o, totals *t, bool single, double seconds)
{
  if (!single) {
    static const char *const names[N_DEEDS] = {"cut over ranks, with messages",
                                               "fused",
                                               "ran compiled code",
                                               "had a write renamed",
                                               "replayed a plan",
                                               "resized a plan",
                                               "ran a plan in line",
                                               "computed a value again",
                                               "ran on a device",
                                               "ran text for CUDA devices as C",
                                               "ran on a device and on the host beside it",
                                               "had several places per rank",
                                               "had less memory than it took",
                                               "ran tile by tile over several passes",
                                               "was tiled and followed",
                                               "computed points beside their tiles"};
    static const int one_in[N_DEEDS] = {2, 2, 2, 2, 2, 60, 2, 20, 3, 15, 8, 4, 4, 3, 4, 8};
    for (int d = 0; d < N_DEEDS; d++)
      check_count(t, names[d], t->n_did[d], one_in[d], !o->set.n_settings);
    check_rotation(o, t);
  }
  if (o->numpy)
    printf("against NumPy: %" PRId64 " elements bitwise, %" PRId64 " within their error, %" PRId64
           " left open\n",
           t->tally.exact, t->tally.near, t->tally.open);
  printf("%.1f s: reference %.1f, plain %.1f, ranks 1 to 4 %.1f %.1f %.1f %.1f, "
         "waiting for NumPy %.1f\n",
         seconds, t->in_reference, t->in_configs[0], t->in_configs[1], t->in_configs[2],
         t->in_configs[3], t->in_configs[4], t->in_numpy);
  printf("%d passed, %d failed\n", t->passed, t->failed);
}

/* The first n programs of the seed. */
static void run_batches(const options *o, const char *python, int n, totals *t)
{
  for (int first = 0; first < n; first += BATCH)
    run_batch(o, python, first / BATCH, first, n - first < BATCH ? n - first : BATCH, t);
}

int main(int argc, char **argv)
{
  struct timespec clock;
  clock_gettime(CLOCK_REALTIME, &clock);
  options o = {.seed = (uint64_t)clock.tv_sec * 1000 + (uint64_t)clock.tv_nsec / 1000000,
               .n_programs = 1000,
               .program = -1,
               .batch = -1,
               .shrink = true,
               .shrink_seconds = 25,
               .numpy = true,
               .limits = {.most_elements = 3000}};
  if (!parse(argc, argv, &o)) {
    usage();
    return 2;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  printf("seed %" PRIu64 "\n", o.seed);
  const char *python = o.numpy ? numpy_find() : NULL;
  if (o.numpy && !python) {
    puts("no Python with NumPy 2 (python3 -m pip install numpy); --no-numpy leaves it out");
    puts("0 passed, 1 failed");
    return 1;
  }
  char own_cache[] = "/tmp/tessera-random-XXXXXX";
  if (!mkdtemp(own_cache)) tsr__fatal("no directory for compiled kernels: %s", strerror(errno));
  const char *cache = kept_folder(own_cache);
  if (strlen(cache) >= sizeof o.cache)
    tsr__fatal("the folder for kernels has a long name: %s", cache);
  strcpy(o.cache, cache);
  totals t = {0};
  double start = now_seconds();
  if (o.program >= 0) {
    run_batch(&o, python, o.program / BATCH, o.program, 1, &t);
  } else if (o.batch >= 0) {
    run_batch(&o, python, o.batch, o.batch * BATCH, BATCH, &t);
  } else {
    run_batches(&o, python, o.n_programs, &t);
    options corpus = o;
    corpus.seed = CORPUS_SEED;
    if (o.n_corpus > 0) printf("seed %" PRIu64 " of the corpus\n", corpus.seed);
    run_batches(&corpus, python, o.n_corpus, &t);
  }
  summary(&o, &t, o.program >= 0 || o.batch >= 0, now_seconds() - start);
  tsr__work_remove(own_cache);
  return t.failed ? 1 : 0;
}
