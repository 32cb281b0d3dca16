/* What a replayed step costs besides its arithmetic. Loops whose plans are remembered must not
 * allocate, must look nothing up by its content, must seldom find a lock taken, and must make no
 * system call.
 *
 *   steady               every loop: allocations of some rounds of steps after as many to warm up
 *   steady LOOP ROUNDS   one loop, for run.sh to count its system calls
 *
 * The program brings its own malloc and the functions beside it, which count. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array/core/array_int.h"
#include "kernel/compile/jit_int.h"

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t), __libc_free(void *);

enum { N_FRAMES = 12 };
static _Atomic bool counting;
static _Atomic int n_allocations, n_frees;
/* [N_FRAMES] the callers of the first allocation that was counted */
static void *first_frames[N_FRAMES];
static int n_first_frames;

static void count(void)
{
  if (!atomic_load_explicit(&counting, memory_order_relaxed)) return;
  if (atomic_fetch_add(&n_allocations, 1) == 0) n_first_frames = backtrace(first_frames, N_FRAMES);
}

void *malloc(size_t n)
{
  count();
  return __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
  count();
  return __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
  count();
  return __libc_realloc(p, n);
}

void *memalign(size_t align, size_t n)
{
  count();
  return __libc_memalign(align, n);
}

void *aligned_alloc(size_t align, size_t n)
{
  return memalign(align, n);
}

int posix_memalign(void **p, size_t align, size_t n)
{
  void *at = memalign(align, n);
  if (at) *p = at;
  return at ? 0 : ENOMEM;
}

void free(void *p)
{
  if (p && atomic_load_explicit(&counting, memory_order_relaxed)) n_frees++;
  __libc_free(p);
}

enum { ROUND = 200, MOST_CONTENDED = 20 }; /* one lock of so many may be found taken */

typedef struct run {
  const struct loop *loop;
  /* in rounds of ROUND steps and a flush, so that all have the same windows */
  int warm_up, rounds;
  bool counts; /* allocations are counted over the rounds after the warm-up */
  _Atomic int n_failed, n_misses, n_waiting, n_messages, n_tiled;
  _Atomic long n_lookups, n_locked, n_contended;
} run;

typedef struct loop {
  const char *name;
  void (*step)(tsr_array *arrays, int i);
  int64_t side; /* of the arrays */
  int n_axes, n_ranks;
  const char *settings[13]; /* name, value, …, NULL */
  int steps_of_message;     /* for which one exchange is enough; 0: one */
  bool tiled;               /* its steps are tiled over time */
  int most_allocations;     /* in all counted steps */
} loop;

static void stencil(tsr_array *v, int i)
{
  tsr_assign(v[1], tsr_multiply(0.2, tsr_add(v[1], v[2], v[3], v[4], v[5])));
}

/* Makes each row from the row above it. */
static void slice(tsr_array *v, int i)
{
  TSR_SCOPE();
  tsr_assign(tsr_slice(v[0], "$", i + 1), tsr_multiply(0.5, tsr_add(tsr_slice(v[0], "$", i), 1.0)));
}

static void axpy(tsr_array *v, int i)
{
  tsr_iadd(v[0], tsr_multiply(2.0, v[1]));
}

/* One iteration of conjugate gradients on a five-point Laplacian (v: r, p with a margin, x, and p's
 * five views), which reads its residual. */
static void gradients(tsr_array *v, int i)
{
  TSR_SCOPE();
  tsr_array ap = tsr_subtract(tsr_multiply(4.0, v[3]), tsr_add(v[4], v[5], v[6], v[7]));
  tsr_array old = tsr_sum(tsr_multiply(v[0], v[0]));
  tsr_array alpha = tsr_divide(old, tsr_add(tsr_sum(tsr_multiply(v[3], ap)), 1e-30));
  tsr_iadd(v[2], tsr_multiply(alpha, v[3]));
  tsr_isub(v[0], tsr_multiply(alpha, ap));
  tsr_array new = tsr_sum(tsr_multiply(v[0], v[0]));
  tsr_assign(v[3], tsr_add(v[0], tsr_multiply(tsr_divide(new, tsr_add(old, 1e-30)), v[3])));
  tsr_item_f64(new);
}

/* Partial results of 64 KiB and more: from 66 rows, no fold. */
static void columns(tsr_array *v, int i)
{
  tsr_assign(v[1], tsr_sum(v[0], TSR_AXES(0)));
}

static void fold(tsr_array *v, int i)
{
  tsr_iadd(v[1], tsr_max(v[0], TSR_AXES(0)));
}

/* y = x, and its neighbour, times the data */
static int smooth(const tsr_task_box *box)
{
  const tsr_task_argument *x = &box->in[0], *y = &box->out[0];
  const double factor = *(const double *)box->data;
  for (int64_t i = 0; i < box->shape[0]; i++) {
    const double *at = (const double *)((const char *)x->data + i * x->stride_bytes[0]);
    const int64_t before = i + x->before[0] > 0 ? x->stride_bytes[0] : 0;
    *(double *)((char *)y->data + i * y->stride_bytes[0]) =
        factor * (*at + *(const double *)((const char *)at - before));
  }
  return 0;
}

static _Thread_local tsr_function smoother; /* of this thread's context */

static void task(tsr_array *v, int i)
{
  TSR_SCOPE();
  tsr_array y;
  const double factor = 0.5 + 1e-9 * i;
  if (tsr_call_data(&y, smoother, &factor, sizeof factor, v[0]) == TSR_OK) tsr_replace(&v[0], y);
}

#define SETTINGS(...) .settings = {"threads", __VA_ARGS__}
#define ON_RANKS .n_ranks = 2, SETTINGS("1", "replicate_max", "0", "tile_min", "1")

static const loop loops[] = {
    {"stencil", stencil, 100, 2, 1, SETTINGS("1")},
    {"stencil-each", stencil, 100, 2, 1, SETTINGS("1", "window_ops", "1")},
    /* By cost a small second-level cache has these tiled. */
    {"stencil-threads", stencil, 400, 2, 1,
     SETTINGS("2", "inline_elems", "0", "lists", "off", "time_steps", "1")},
    {"stencil-lists", stencil, 400, 2, 1,
     SETTINGS("2", "inline_elems", "0", "lists", "all", "time_steps", "1")},
    {"stencil-ranks", stencil, 100, 2, ON_RANKS},
    {"tiled", stencil, 400, 2, 1, SETTINGS("1", "time_steps", "7"), .tiled = true},
    {"tiled-threads", stencil, 400, 2, 1, SETTINGS("2", "inline_elems", "0", "time_steps", "7"),
     .tiled = true},
    {"tiled-ranks", stencil, 100, 2, .n_ranks = 2, .steps_of_message = 4, .tiled = true,
     SETTINGS("1", "replicate_max", "0", "tile_min", "1", "time_steps", "7", "halo_steps", "4",
              "inline_elems", "0")},
    {"slice", slice, ROUND + 1, 2, 1, SETTINGS("1")},
    {"axpy", axpy, 1000, 1, 1, SETTINGS("1")},
    {"columns", columns, 66, 2, 1, SETTINGS("1")},
    /* How many partial results are there at once depends on the order in which two threads come to
     * them; the largest number is met once in a while, not in every step. */
    {"columns-threads", columns, 66, 2, 1, SETTINGS("2", "inline_elems", "0"),
     .most_allocations = 10},
    {"fold", fold, 9, 2, 1, SETTINGS("1")},
    {"task", task, 1000, 1, 1, SETTINGS("1")},
    {"task-lists", task, 1000, 1, 1, SETTINGS("2", "inline_elems", "0", "lists", "all")},
    {"task-ranks", task, 1000, 1, ON_RANKS, .steps_of_message = 8},
    {"gradients", gradients, 50, 2, 1, SETTINGS("1")},
    {"gradients-ranks", gradients, 50, 2, ON_RANKS},
};
enum { N_LOOPS = sizeof loops / sizeof loops[0], N_ARRAYS = 8 };

static void make_arrays(const loop *l, tsr_array *v)
{
  static const char *const moves[] = {"1:-1, 1:-1", ":-2, 1:-1", "2:, 1:-1", "1:-1, :-2",
                                      "1:-1, 2:"};
  tsr_dims shape = {.ndim = l->n_axes, .n = {l->side, l->side}}, inner = shape;
  for (int i = 0; i < N_ARRAYS; i++) v[i] = tsr_null();
  if (l->step == columns || l->step == fold) {
    const int64_t length = l->step == columns ? 8200 : 1000;
    v[0] = tsr_full(TSR_SHAPE(l->side, length), 1.0);
    v[1] = tsr_zeros(TSR_SHAPE(length));
    return;
  }
  v[0] = tsr_full(shape, 1.0);
  if (l->step == task)
    smoother = tsr_task("smooth", "float64 x halo(1), grain(1)", "float64 y", smooth);
  if (l->step == axpy) v[1] = tsr_full(shape, 1e-3);
  if (l->step == stencil)
    for (int k = 0; k < 5; k++) v[1 + k] = tsr_slice(v[0], moves[k]);
  if (l->step != gradients) return;
  inner.n[0] = inner.n[1] = l->side - 2;
  v[1] = v[0];
  v[0] = tsr_full(inner, 1.0);
  v[2] = tsr_zeros(inner);
  for (int k = 0; k < 5; k++) v[3 + k] = tsr_slice(v[1], moves[k]);
}

/* Waits until all ranks are here, without the library, whose barrier would be one more call. */
static void meet(run *r, int turn)
{
  r->n_waiting++;
  while (r->n_waiting < turn * r->loop->n_ranks) continue;
}

static void run_rounds(const loop *l, tsr_array *v, int n)
{
  for (int round = 0; round < n; round++) {
    for (int i = 0; i < ROUND; i++) l->step(v, i);
    tsr_flush();
  }
}

static void run_loop(void *arg, int rank)
{
  run *r = arg;
  tsr_array v[N_ARRAYS];
  make_arrays(r->loop, v);
  run_rounds(r->loop, v, r->warm_up);
  const tsr_scheduler *s = tsr_context_current()->scheduler;
  const tsr_counters before = *tsr__scheduler_counters(s);
  const uint64_t lookups = tsr__scheduler_lookups(s);
  /* plans were made, so a count of 0 means that nothing is counted */
  if (lookups == 0) r->n_failed++;
  if (r->counts) meet(r, 1);
  tsr_jit *jit = tsr__jit_of(tsr_context_current()->world.machine);
  if (jit) tsr__jit_wait(jit); /* it tidies up after the last kernel */
  if (r->counts && rank == 0) counting = true;
  if (r->counts) meet(r, 2);
  run_rounds(r->loop, v, r->rounds);
  if (r->counts) meet(r, 3);
  counting = false;
  const tsr_counters *after = tsr__scheduler_counters(s);
  r->n_misses += (int)(after->n_plan_misses - before.n_plan_misses);
  r->n_tiled += (int)(after->n_tiled - before.n_tiled);
  r->n_messages += (int)(after->n_messages - before.n_messages);
  r->n_locked += (long)(after->n_locked - before.n_locked);
  r->n_contended += (long)(after->n_contended - before.n_contended);
  r->n_lookups += (long)(tsr__scheduler_lookups(s) - lookups);
}

static bool run_ranks(run *r, const char *jit, const char *cache)
{
  const char *settings[20] = {"jit", jit, "cache", cache, "bind", "0"};
  for (int i = 0; r->loop->settings[i]; i++) settings[6 + i] = r->loop->settings[i];
  return tsr_run_ranks(r->loop->n_ranks, settings, run_loop, r) == TSR_OK;
}

/* Locks that another thread held must be few of those taken; one thread of one rank holds none
 * against itself. What is counted must be there: messages between ranks, tiled steps, and locks
 * where tasks go through queues. */
static bool locks_are_free(const run *r)
{
  const bool queues = r->loop->settings[4] != NULL && !strcmp(r->loop->settings[5], "off");
  const int steps = r->rounds * ROUND,
            each = r->loop->steps_of_message > 0 ? r->loop->steps_of_message : 1;
  if (r->loop->n_ranks > 1 && r->n_messages * each < steps) return false;
  if ((r->n_tiled > 0) != r->loop->tiled) return false;
  if (!strcmp(r->loop->settings[1], "1")) return r->n_contended == 0;
  return (!queues || r->n_locked > steps) && r->n_contended * MOST_CONTENDED <= r->n_locked;
}

static bool check(const loop *l, const char *jit, const char *cache)
{
  run r = {.loop = l, .warm_up = 10, .rounds = 10, .counts = true};
  n_allocations = n_frees = 0;
  bool good = run_ranks(&r, jit, cache) && n_allocations <= l->most_allocations &&
              n_frees <= l->most_allocations && r.n_misses == 0 && r.n_lookups == 0 &&
              r.n_failed == 0 && locks_are_free(&r);
  printf("%s %-16s jit %-5s %d allocations, %d frees, %d plans made, %ld lookups, %d messages, "
         "%ld of %ld locks held in %d steps\n",
         good ? "    " : "FAIL", l->name, jit, n_allocations, n_frees, r.n_misses, r.n_lookups,
         r.n_messages, r.n_contended, r.n_locked, r.rounds * ROUND);
  fflush(stdout);
  if (!good) backtrace_symbols_fd(first_frames, n_first_frames, STDOUT_FILENO);
  return good;
}

int main(int argc, char **argv)
{
  if (argc == 3) {
    for (int i = 0; i < N_LOOPS; i++) {
      run r = {.loop = &loops[i], .rounds = atoi(argv[2])};
      if (!strcmp(argv[1], loops[i].name)) return run_ranks(&r, "off", "/") ? 0 : 1;
    }
    fprintf(stderr, "no loop is called %s\n", argv[1]);
    return 2;
  }
#ifndef NDEBUG
  puts("SKIP allocations: debug builds plan one replay in 16 again\n0 passed, 0 failed");
  return 0;
#endif
  void *frames[2];
  backtrace(frames, 2); /* it loads a library the first time */
  char cache[] = "/tmp/tessera-steady-XXXXXX";
  if (!mkdtemp(cache)) return 2;
  int n_good = 0;
  for (int i = 0; i < N_LOOPS; i++) n_good += check(&loops[i], "off", cache);
  for (int i = 0; i < N_LOOPS; i++) n_good += check(&loops[i], "eager", cache);
  tsr__work_remove(cache);
  printf("%d passed, %d failed\n", n_good, 2 * N_LOOPS - n_good);
  return n_good == 2 * N_LOOPS ? 0 : 1;
}
