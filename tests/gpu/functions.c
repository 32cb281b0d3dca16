/* Every operation, cast and random function on a GPU against the bits of the host, whose compiled
 * loops keep up on all its processors.
 *
 *   functions [--seconds S] [--drawn N] [--all N] [--chunk N] [--threads N] [--only NAME]
 *             [--compile]
 *
 * Operations of one float32 see the first N (default: all) of the 2^32 operands; all others N drawn
 * ones (default: 1e8), of which an eighth are special. NaN equals NaN. Every function sees a
 * million first; then what is most used comes first, until S seconds have passed (default: 100).
 * --compile: no GPU is needed, and the programs are only compiled. Prints a line per function that
 * differs, with the first operand that does, one per dtype and one of sums. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/compile/jit_int.h"
#include "kernel/cuda/render_cuda.h"
#include "kernel/ops/functions.h"
#include "tests/gpu/drawn.h"

enum { FIRST = 1 << 20 }; /* inputs of a function before all functions had some */
enum { MOST_JITS = 8 };
enum { MOST_ARGS = 3, MOST_CASES = 2048, BLOCK = 4096, MOST_BYTES = 16, N_TURNS = 2 };

/* How the operands of a buffer are drawn, and how two results are compared. */
typedef struct shape {
  tsr_dtype dtype;
  int kind, mantissa, exponent; /* of a part */
  int parts, part_bytes;
} shape;

typedef struct test_case {
  char name[64];
  int importance; /* the smaller, the earlier */
  int number;
  tsr_kernel *kernel;
  int n_args;
  shape args[MOST_ARGS], result;
  bool all; /* operands of 32 bits: one after the other */
  tsr_nvrtc_code code;
  gpu_handle function;
  uint64_t n_run, n_wrong, first_wrong;
  double seconds;
} test_case;

typedef struct options {
  double seconds;
  uint64_t drawn, all, chunk;
  int n_threads;
  bool compiles;
  const char *only;
} options;

static const options *opt;
static gpu the_gpu;
static test_case cases[MOST_CASES];
static int n_cases;

static shape shape_of(tsr_dtype dtype)
{
  const tsr_dtype part = tsr__dtype_part(dtype);
  shape s = {.dtype = dtype,
             .part_bytes = (int)tsr__dtype_size(part),
             .parts = part == dtype ? 1 : 2,
             .kind = DRAWN_FLOAT};
  if (dtype == TSR_DTYPE_BOOL) s.kind = DRAWN_BOOL;
  if (tsr__dtype_is_integer(dtype)) s.kind = DRAWN_INT;
  s.mantissa = s.kind == DRAWN_INT         ? 8 * s.part_bytes
               : part == TSR_DTYPE_FLOAT16 ? 10
               : part == TSR_DTYPE_FLOAT32 ? 23
                                           : 52;
  s.exponent = part == TSR_DTYPE_FLOAT16 ? 5 : part == TSR_DTYPE_FLOAT32 ? 8 : 11;
  return s;
}

/* Kernels over one dense axis: their operands, then the result. */

static test_case *begin(int importance, tsr_kernel_builder **b)
{
  if (n_cases == MOST_CASES) abort();
  test_case *t = &cases[n_cases];
  *t = (test_case){.importance = importance, .number = n_cases};
  *b = tsr__kernel_builder_create(1);
  return t;
}

static int add_arg(test_case *t, tsr_kernel_builder *b, tsr_dtype dtype)
{
  t->args[t->n_args] = shape_of(dtype);
  const int access = tsr__kernel_access_add(b, dtype, false, t->n_args, 0);
  t->n_args++;
  return tsr__kernel_load(b, access);
}

static void end(test_case *t, tsr_kernel_builder *b, tsr_dtype result, int value)
{
  t->result = shape_of(result);
  tsr__kernel_store(b, tsr__kernel_access_add(b, result, true, t->n_args, 0), value);
  t->kernel = tsr__kernel_finish(b);
  t->all = t->n_args == 1 && t->args[0].dtype == TSR_DTYPE_FLOAT32;
  if (t->all) t->args[0].kind = DRAWN_ALL;
  if (opt->only && !strstr(t->name, opt->only))
    tsr__kernel_destroy(t->kernel);
  else
    n_cases++;
}

/* The order: what programs call most, of float64 and float32 first. */
static int importance_of(tsr_opcode op, tsr_dtype dtype)
{
  static const tsr_opcode first[] = {
      TSR_OP_ADD,   TSR_OP_SUBTRACT, TSR_OP_MULTIPLY, TSR_OP_DIVIDE, TSR_OP_SQRT,
      TSR_OP_EXP,   TSR_OP_LOG,      TSR_OP_SIN,      TSR_OP_COS,    TSR_OP_TANH,
      TSR_OP_POWER, TSR_OP_ERF,      TSR_OP_MINIMUM,  TSR_OP_MAXIMUM};
  int place = 100;
  for (int i = 0; i < (int)(sizeof first / sizeof *first); i++)
    if (first[i] == op) place = i;
  const int by_dtype = dtype == TSR_DTYPE_FLOAT64     ? 0
                       : dtype == TSR_DTYPE_FLOAT32   ? 1
                       : tsr__dtype_is_inexact(dtype) ? 300
                                                      : 200;
  return place + by_dtype;
}

static void add_operations(void)
{
  for (int op = 0; op < TSR_N_OPS; op++) {
    const tsr_op_info *info = tsr__op_info(op);
    for (int d = 0; d < TSR_N_DTYPES; d++) {
      tsr_dtype compute, result;
      if (!tsr__op_dtypes(op, d, &compute, &result) || (int)compute != d) continue;
      tsr_kernel_builder *b;
      test_case *t = begin(importance_of(op, d), &b);
      snprintf(t->name, sizeof t->name, "%s %s", info->name, tsr__dtype_info(d)->name);
      int args[MOST_ARGS];
      const int n = info->max_args > 3 ? 2 : info->max_args;
      for (int j = 0; j < n; j++)
        args[j] = add_arg(t, b, info->rule == TSR_RULE_WHERE && j == 0 ? TSR_BOOL : compute);
      end(t, b, result, tsr__kernel_op(b, op, compute, result, n, args));
    }
  }
}

static void add_casts(void)
{
  for (int from = 0; from < TSR_N_DTYPES; from++)
    for (int to = 0; to < TSR_N_DTYPES; to++) {
      if (from == to) continue;
      tsr_kernel_builder *b;
      test_case *t = begin(150, &b);
      snprintf(t->name, sizeof t->name, "cast %s %s", tsr__dtype_info(from)->name,
               tsr__dtype_info(to)->name);
      const int x = add_arg(t, b, from);
      end(t, b, to, tsr__kernel_cast(b, x, to));
    }
}

static void add_random_functions(void)
{
  for (int f = 0; f < TSR_N_RANDOM; f++) {
    tsr_kernel_builder *b;
    test_case *t = begin(120, &b);
    snprintf(t->name, sizeof t->name, "random %s", tsr__random_info(f)->name);
    int args[3];
    for (int j = 0; j < 3; j++) args[j] = add_arg(t, b, TSR_INT64);
    end(t, b, TSR_INT64, tsr__kernel_random(b, f, args));
  }
}

static int by_importance(const void *a, const void *b)
{
  const test_case *x = a, *y = b;
  return x->importance != y->importance ? x->importance - y->importance : x->number - y->number;
}

/* The host's side. */

static uint64_t seed_of(const test_case *t, int arg)
{
  return drawn_hash((uint64_t)(t->number * 7 + arg + 1)) | 1;
}

static void fill_block(const test_case *t, int arg, uint64_t first, uint64_t n, char *to)
{
  const shape *s = &t->args[arg];
  const uint64_t seed = seed_of(t, arg), begin = first * (uint64_t)s->parts;
  n *= (uint64_t)s->parts;
#define FILL(type)                                                                                 \
  for (uint64_t i = 0; i < n; i++)                                                                 \
  ((type *)to)[i] = (type)drawn(seed, begin + i, s->kind, s->mantissa, s->exponent)
  switch (s->part_bytes) {
  case 1:
    FILL(uint8_t);
    break;
  case 2:
    FILL(uint16_t);
    break;
  case 4:
    FILL(uint32_t);
    break;
  default:
    FILL(uint64_t);
  }
#undef FILL
}

/* Returns how many of n parts differ; NaN equals NaN. */
static uint64_t count_wrong(const shape *s, const char *a, const char *b, uint64_t n)
{
  uint64_t wrong = 0;
  const bool is_float = s->kind == DRAWN_FLOAT;
#define COUNT(type)                                                                                \
  do {                                                                                             \
    const type *x = (const type *)a, *y = (const type *)b;                                         \
    const type most = (type)((((type)1 << s->exponent) - 1) << s->mantissa),                       \
               size = (type)(((type)1 << (s->exponent + s->mantissa)) - 1);                        \
    if (is_float)                                                                                  \
      for (uint64_t i = 0; i < n; i++)                                                             \
        wrong += x[i] != y[i] && !((x[i] & size) > most && (y[i] & size) > most);                  \
    else                                                                                           \
      for (uint64_t i = 0; i < n; i++) wrong += x[i] != y[i];                                      \
  } while (0)
  switch (s->part_bytes) {
  case 1:
    for (uint64_t i = 0; i < n; i++) wrong += a[i] != b[i];
    break;
  case 2:
    COUNT(uint16_t);
    break;
  case 4:
    COUNT(uint32_t);
    break;
  default:
    COUNT(uint64_t);
  }
#undef COUNT
  return wrong;
}

/* A part of a chunk that threads take blocks of. */
typedef struct job {
  test_case *t;
  tsr_jit *jit;
  const char *got; /* the GPU's results from `first` on */
  uint64_t first, n;
  uint64_t next, n_wrong; /* atomic */
  pthread_mutex_t lock;   /* of first_wrong */
  bool ends;
} job;

typedef struct pool {
  pthread_barrier_t start, done;
  job *job;
} pool;

typedef struct worker {
  pthread_t thread;
  pool *pool;
} worker;

typedef struct room {
  char *args[MOST_ARGS], *result, *scratch;
  size_t scratch_bytes;
} room;

static void note_wrong(job *j, const room *r, uint64_t first, uint64_t n)
{
  const shape *s = &j->t->result;
  const uint64_t bytes = (uint64_t)(s->parts * s->part_bytes);
  for (uint64_t i = 0; i < n; i++) {
    const char *got = j->got + (first - j->first + i) * bytes;
    if (!count_wrong(s, got, r->result + i * bytes, (uint64_t)s->parts)) continue;
    pthread_mutex_lock(&j->lock);
    if (first + i < j->t->first_wrong) j->t->first_wrong = first + i;
    pthread_mutex_unlock(&j->lock);
    return;
  }
}

static void run_block(job *j, room *r, uint64_t first, uint64_t n)
{
  const test_case *t = j->t;
  static const int64_t no_strides[MOST_ARGS + 1][TSR_MAX_NDIM];
  int64_t strides[MOST_ARGS + 1][TSR_MAX_NDIM];
  memcpy(strides, no_strides, sizeof strides);
  void *base[MOST_ARGS + 1];
  for (int a = 0; a < t->n_args; a++) {
    fill_block(t, a, first, n, r->args[a]);
    base[a] = r->args[a];
    strides[a][0] = t->args[a].parts * t->args[a].part_bytes;
  }
  base[t->n_args] = r->result;
  strides[t->n_args][0] = t->result.parts * t->result.part_bytes;
  tsr_kernel_bind bind = {.base = base, .stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])strides};
  bind.n[0] = (int64_t)n;
  const size_t bytes = tsr__kernel_scratch_bytes(t->kernel);
  if (bytes > r->scratch_bytes) {
    free(r->scratch);
    r->scratch_bytes = (bytes + 63) / 64 * 64;
    r->scratch = aligned_alloc(64, r->scratch_bytes);
  }
  tsr__jit_run(j->jit, t->kernel, &bind, r->scratch, NULL);
  const uint64_t parts = (uint64_t)t->result.parts;
  const char *got = j->got + (first - j->first) * parts * (uint64_t)t->result.part_bytes;
  const uint64_t wrong = count_wrong(&t->result, got, r->result, n * parts);
  if (wrong == 0) return;
  __atomic_fetch_add(&j->n_wrong, wrong, __ATOMIC_RELAXED);
  note_wrong(j, r, first, n);
}

static void *work(void *arg)
{
  pool *p = ((worker *)arg)->pool;
  room r = {.scratch = NULL};
  for (int a = 0; a < MOST_ARGS; a++) r.args[a] = aligned_alloc(64, BLOCK * MOST_BYTES);
  r.result = aligned_alloc(64, BLOCK * MOST_BYTES);
  for (;;) {
    pthread_barrier_wait(&p->start);
    job *j = p->job;
    if (j->ends) break;
    for (;;) {
      const uint64_t at = __atomic_fetch_add(&j->next, BLOCK, __ATOMIC_RELAXED);
      if (at >= j->n) break;
      run_block(j, &r, j->first + at, j->n - at < BLOCK ? j->n - at : BLOCK);
    }
    pthread_barrier_wait(&p->done);
  }
  for (int a = 0; a < MOST_ARGS; a++) free(r.args[a]);
  free(r.result);
  free(r.scratch);
  return NULL;
}

/* The GPU's side. */

enum { FILL_WORDS = 8 };
static const char fill_text[] = "KERNEL(fill, 8)\n"
                                "{\n"
                                "  THREADS {\n"
                                "    const u64 i = (u64)blockIdx.x * 256 + threadIdx.x;\n"
                                "    char *to = (char *)ARG(0);\n"
                                "    if (i < (u64)ARG(4)) {\n"
                                "      const u64 x = drawn((u64)ARG(2), (u64)ARG(3) + i, "
                                "(int)ARG(5), (int)ARG(6), (int)ARG(7));\n"
                                "      if (ARG(1) == 1) ((u8 *)to)[i] = (u8)x;\n"
                                "      else if (ARG(1) == 2) ((u16 *)to)[i] = (u16)x;\n"
                                "      else if (ARG(1) == 4) ((u32 *)to)[i] = (u32)x;\n"
                                "      else ((u64 *)to)[i] = x;\n"
                                "    }\n"
                                "  }\n"
                                "}\n";

typedef struct side {
  gpu_handle fill;
  gpu_address args[MOST_ARGS], result[N_TURNS];
  char *got[N_TURNS];
  gpu_handle ready[N_TURNS];
} side;

/* Returns the code of the kernel that draws operands, which the caller frees; without an image
 * where it does not compile. */
static tsr_nvrtc_code make_fill_code(const gpu *g)
{
  tsr_text source = {0};
  tsr__text_add(&source, "%s%s\n%s", tsr__words_cuda, drawn_text, fill_text);
  tsr_nvrtc_code code;
  gpu_compile(g, source.s, NULL, &code);
  tsr__text_free(&source);
  return code;
}

static void fill_on_gpu(const gpu *g, const side *s, const test_case *t, int arg, uint64_t first,
                        uint64_t n)
{
  const shape *x = &t->args[arg];
  const uint64_t many = n * (uint64_t)x->parts;
  int64_t words[FILL_WORDS] = {(int64_t)s->args[arg],
                               x->part_bytes,
                               (int64_t)seed_of(t, arg),
                               (int64_t)(first * (uint64_t)x->parts),
                               (int64_t)many,
                               x->kind,
                               x->mantissa,
                               x->exponent};
  gpu_launch_words(g, s->fill, (unsigned)((many + 255) / 256), 1, words);
}

static void bind_on_gpu(const test_case *t, const side *s, int turn, uint64_t n,
                        tsr_cuda_launch *launch)
{
  int64_t strides[MOST_ARGS + 1][TSR_MAX_NDIM] = {{0}};
  void *base[MOST_ARGS + 1];
  for (int a = 0; a <= t->n_args; a++) {
    const shape *x = a < t->n_args ? &t->args[a] : &t->result;
    base[a] = (void *)(uintptr_t)(a < t->n_args ? s->args[a] : s->result[turn]);
    strides[a][0] = x->parts * x->part_bytes;
  }
  tsr_kernel_bind bind = {.base = base, .stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])strides};
  bind.n[0] = (int64_t)n;
  if (!tsr__cuda_launch_make(t->kernel, &bind, launch)) abort();
}

/* Puts a chunk's inputs, the function and the copy of its results into the stream. */
static void start_chunk(const gpu *g, side *s, const test_case *t, gpu_handle function, int turn,
                        uint64_t first, uint64_t n)
{
  static tsr_cuda_launch launch;
  for (int a = 0; a < t->n_args; a++) fill_on_gpu(g, s, t, a, first, n);
  bind_on_gpu(t, s, turn, n, &launch);
  gpu_launch(g, function, &launch);
  GPU(g, MemcpyDtoHAsync, s->got[turn], s->result[turn],
      n * (size_t)(t->result.parts * t->result.part_bytes), g->stream);
  GPU(g, EventRecord, s->ready[turn], g->stream);
}

/* Compiling: all programs, by all threads. */

static int next_case;

static void *compile_some(void *arg)
{
  for (;;) {
    const int i = __atomic_fetch_add(&next_case, 1, __ATOMIC_RELAXED);
    if (i >= n_cases) return NULL;
    test_case *t = &cases[i];
    static const side nowhere = {.args = {256, 512, 768}, .result = {1024, 1024}};
    tsr_cuda_launch *launch = malloc(sizeof *launch);
    bind_on_gpu(t, &nowhere, 0, BLOCK, launch);
    char *source = gpu_source(t->kernel, &launch->form, "function");
    if (source == NULL || !gpu_compile(&the_gpu, source, NULL, &t->code))
      printf("no code: %s\n", t->name);
    free(source);
    free(launch);
  }
}

/* Returns whether all have code. */
static bool compile_all(void)
{
  pthread_t threads[64];
  const int n = opt->n_threads < 64 ? opt->n_threads : 64;
  for (int i = 0; i < n; i++) pthread_create(&threads[i], NULL, compile_some, NULL);
  for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
  int n_bad = 0;
  for (int i = 0; i < n_cases; i++) n_bad += cases[i].code.image == NULL;
  printf("%d programs, %d without code\n", n_cases, n_bad);
  return n_bad == 0;
}

/* A function over all its inputs. */
static void run_case(const gpu *g, side *s, pool *p, tsr_jit *jit, test_case *t, uint64_t n_all)
{
  const double start = gpu_clock();
  if (t->function == NULL) t->function = gpu_load(g, &t->code, "function");
  gpu_handle function = t->function;
  uint64_t n_of[N_TURNS] = {0}, asked = 0;
  t->first_wrong = UINT64_MAX;
  t->n_wrong = 0;
  for (uint64_t done = 0, chunk = 0; done < n_all; chunk++) {
    /* One chunk is asked for ahead of the one that is compared. */
    for (uint64_t c = chunk; c < chunk + N_TURNS && asked < n_all && c * opt->chunk == asked; c++) {
      const uint64_t n = n_all - asked < opt->chunk ? n_all - asked : opt->chunk;
      start_chunk(g, s, t, function, (int)(c % N_TURNS), asked, n);
      n_of[c % N_TURNS] = n;
      asked += n;
    }
    const int turn = (int)(chunk % N_TURNS);
    GPU(g, EventSynchronize, s->ready[turn]);
    job j = {.t = t, .jit = jit, .got = s->got[turn], .first = done, .n = n_of[turn]};
    pthread_mutex_init(&j.lock, NULL);
    p->job = &j;
    pthread_barrier_wait(&p->start);
    pthread_barrier_wait(&p->done);
    pthread_mutex_destroy(&j.lock);
    done += j.n;
    t->n_wrong += j.n_wrong;
  }
  t->n_run = n_all;
  t->seconds = gpu_clock() - start;
}

static void print_wrong(const test_case *t)
{
  printf("DIFFERS %s: %" PRIu64 " of %" PRIu64 ", the first at", t->name, t->n_wrong, t->n_run);
  for (int a = 0; a < t->n_args; a++) {
    uint64_t parts[2] = {0, 0};
    fill_block(t, a, t->first_wrong, 1, (char *)parts);
    printf(" %" PRIx64, parts[0]);
    if (t->args[a].parts * t->args[a].part_bytes > 8) printf(":%" PRIx64, parts[1]);
  }
  printf("\n");
}

/* A line for each dtype, and one of sums. Returns whether all is well. */
static bool report(double seconds)
{
  int n_run = 0, n_wrong = 0, n_left = 0;
  uint64_t n_inputs = 0;
  for (int i = 0; i < n_cases; i++) {
    const test_case *t = &cases[i];
    if (t->n_run == 0) {
      if (n_left++ < 40) printf("NOT RUN %s\n", t->name);
      continue;
    }
    n_run++;
    n_inputs += t->n_run;
    n_wrong += t->n_wrong > 0;
    if (t->n_wrong) print_wrong(t);
    if (t->seconds > 2) printf("slow: %s, %.1f s for %" PRIu64 "\n", t->name, t->seconds, t->n_run);
  }
  for (int d = 0; d < TSR_N_DTYPES; d++) {
    uint64_t n = 0, wrong = 0, least = UINT64_MAX;
    int functions = 0;
    for (int i = 0; i < n_cases; i++) {
      const test_case *t = &cases[i];
      if ((int)t->args[t->n_args - 1].dtype != d || t->n_run == 0) continue;
      functions++;
      n += t->n_run;
      wrong += t->n_wrong;
      if (t->n_run < least) least = t->n_run;
    }
    if (functions)
      printf("%-10s %3d functions, %.3g inputs (at least %.3g each), %" PRIu64 " differ\n",
             tsr__dtype_info(d)->name, functions, (double)n, (double)least, wrong);
  }
  printf("functions: %d run, %d differ, %d not run for want of time; %.4g inputs in %.1f s\n",
         n_run, n_wrong, n_left, (double)n_inputs, seconds);
  return n_wrong == 0 && n_run > 0;
}

static tsr_jit *open_jit(void)
{
  static tsr_config config;
  char message[256];
  if (tsr__config_read(&config, message, sizeof message) != TSR_OK) {
    printf("%s\n", message);
    exit(1);
  }
  strcpy(config.jit, "eager");
  config.jit_limit_s = 120;
  return tsr__jit_create(&config);
}

static void read_options(int argc, char **argv, options *o)
{
  *o = (options){.seconds = 100,
                 .drawn = 100000000,
                 .all = UINT64_C(1) << 32,
                 .chunk = 1 << 24,
                 .n_threads = (int)sysconf(_SC_NPROCESSORS_ONLN)};
  for (int i = 1; i < argc; i += 2) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (!strcmp(argv[i], "--compile")) {
      o->compiles = true;
      i--;
    } else if (!strcmp(argv[i], "--seconds"))
      o->seconds = atof(value);
    else if (!strcmp(argv[i], "--drawn"))
      o->drawn = (uint64_t)atof(value);
    else if (!strcmp(argv[i], "--all"))
      o->all = (uint64_t)atof(value);
    else if (!strcmp(argv[i], "--chunk"))
      o->chunk = (uint64_t)atof(value);
    else if (!strcmp(argv[i], "--threads"))
      o->n_threads = atoi(value);
    else if (!strcmp(argv[i], "--only"))
      o->only = value;
  }
}

/* The host's compilers: each of them compiles for some of the functions, beside the others. */
typedef struct compilers {
  int n, next; /* next: atomic */
  tsr_jit *jit[MOST_JITS];
} compilers;

static tsr_jit *jit_of(const compilers *c, int number)
{
  return c->jit[number % c->n];
}

/* Has the loops of one compiler compiled. */
static void *compile_for_host(void *arg)
{
  compilers *c = arg;
  const int mine_is = __atomic_fetch_add(&c->next, 1, __ATOMIC_RELAXED);
  tsr_jit *jit = c->jit[mine_is];
  static const int64_t strides[MOST_ARGS + 1][TSR_MAX_NDIM];
  for (int i = mine_is; i < n_cases; i += c->n) {
    test_case *t = &cases[i];
    int64_t mine[MOST_ARGS + 1][TSR_MAX_NDIM];
    memcpy(mine, strides, sizeof mine);
    void *base[MOST_ARGS + 1] = {0};
    for (int a = 0; a <= t->n_args; a++) {
      const shape *x = a < t->n_args ? &t->args[a] : &t->result;
      mine[a][0] = x->parts * x->part_bytes;
    }
    tsr_kernel_bind bind = {.base = base, .stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])mine};
    bind.n[0] = BLOCK;
    if (tsr__kernel_prepare(t->kernel) != TSR_OK) exit(1);
    tsr__jit_want(jit, t->kernel, &bind);
  }
  tsr__jit_wait(jit);
  return NULL;
}

int main(int argc, char **argv)
{
  static options o;
  char why[200];
  gpu *g = &the_gpu;
  read_options(argc, argv, &o);
  opt = &o;
  const double start = gpu_clock();
  if (!(o.compiles ? gpu_open_compiler(g, why, sizeof why) : gpu_open(g, why, sizeof why))) {
    printf("not run: %s\n", why);
    return 77;
  }
  add_operations();
  add_casts();
  add_random_functions();
  qsort(cases, (size_t)n_cases, sizeof *cases, by_importance);
  if (o.compiles) {
    tsr_nvrtc_code fill = make_fill_code(g);
    const bool compiled = compile_all() && fill.image;
    tsr__nvrtc_code_free(&fill);
    gpu_close(g);
    return compiled ? 0 : 1;
  }
  compilers host = {.n = o.n_threads < MOST_JITS ? o.n_threads : MOST_JITS};
  pthread_t threads[MOST_JITS];
  for (int i = 0; i < host.n; i++) host.jit[i] = open_jit();
  for (int i = 0; i < host.n; i++) pthread_create(&threads[i], NULL, compile_for_host, &host);
  bool ok = compile_all();
  printf("compiled for the GPU after %.1f s\n", gpu_clock() - start);
  for (int i = 0; i < host.n; i++) pthread_join(threads[i], NULL);
  printf("%s, %d functions compiled in %.1f s\n", g->name, n_cases, gpu_clock() - start);
  fflush(stdout);
  tsr_nvrtc_code fill = make_fill_code(g);
  if (fill.image == NULL) exit(1);
  side s = {.fill = gpu_load(g, &fill, "fill")};
  tsr__nvrtc_code_free(&fill);
  for (int a = 0; a < MOST_ARGS; a++) s.args[a] = gpu_alloc(g, o.chunk * MOST_BYTES);
  for (int turn = 0; turn < N_TURNS; turn++) {
    s.result[turn] = gpu_alloc(g, o.chunk * MOST_BYTES);
    s.got[turn] = gpu_host_alloc(g, o.chunk * MOST_BYTES);
    s.ready[turn] = gpu_event(g);
  }
  pool p = {.job = NULL};
  worker *workers = calloc((size_t)o.n_threads, sizeof *workers);
  pthread_barrier_init(&p.start, NULL, (unsigned)o.n_threads + 1);
  pthread_barrier_init(&p.done, NULL, (unsigned)o.n_threads + 1);
  for (int i = 0; i < o.n_threads; i++) {
    workers[i].pool = &p;
    pthread_create(&workers[i].thread, NULL, work, &workers[i]);
  }
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < n_cases && gpu_clock() - start < o.seconds; i++) {
      const uint64_t n = cases[i].all ? o.all : o.drawn;
      if (cases[i].code.image)
        run_case(g, &s, &p, jit_of(&host, i), &cases[i], round || n < FIRST ? n : FIRST);
    }
  p.job = &(job){.ends = true};
  pthread_barrier_wait(&p.start);
  for (int i = 0; i < o.n_threads; i++) pthread_join(workers[i].thread, NULL);
  free(workers);
  ok = report(gpu_clock() - start) && ok;
  for (int i = 0; i < host.n; i++) tsr__jit_destroy(host.jit[i]);
  for (int a = 0; a < MOST_ARGS; a++) gpu_free(g, s.args[a]);
  for (int turn = 0; turn < N_TURNS; turn++) {
    gpu_free(g, s.result[turn]);
    gpu_host_free(g, s.got[turn]);
  }
  gpu_close(g);
  return ok ? 0 : 1;
}
