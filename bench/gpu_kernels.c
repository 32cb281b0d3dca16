/* What the text of kernels should be on a GPU: the kernels of bench/gpu.sh as the renderer writes
 * them, laid over threads in many ways, and kernels written by hand, each by events beside a copy
 * of the same memory. It goes through the driver, not through the library's arrays.
 *
 *   gpu_kernels [--scale N] [--only NAME] [--seconds S] [--hand FILE] [--compile]
 *
 * --scale: arrays are N times smaller along their first axis (default: 1). FILE: the kernels by
 * hand (default: bench/peers/gpu_kernels.cu). Prints lines
 *   kernel NAME LAYOUT ms=… gbs=… of_copy=…       and for each NAME the best one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/cuda/render_cuda.h"
#include "bench/gpu/gpu.h"

enum { MOST_ACCESSES = 12, MOST_BUFFERS = 5, REPEATS = 7 };

typedef struct grid {
  tsr_kernel_builder *b;
  int ndim;
  int64_t n[3];     /* of the box */
  int64_t whole[3]; /* of the buffers: the box and its border */
  int n_accesses, n_buffers;
  int buffer[MOST_ACCESSES];
  int64_t at[MOST_ACCESSES]; /* elements from the buffer's begin */
  double scalar[4];
  int n_scalars;
  double bytes; /* that must be moved */
} grid;

/* A load or store of a buffer at the point moved by `d`. */
static int access(grid *g, int buffer, bool is_store, const int *d)
{
  static const int none[3];
  int64_t at = 0;
  if (d == NULL) d = none;
  for (int a = 0; a < g->ndim; a++) at = at * g->whole[a] + (g->whole[a] - g->n[a]) / 2 + d[a];
  if (buffer >= g->n_buffers) g->n_buffers = buffer + 1;
  g->buffer[g->n_accesses] = buffer;
  g->at[g->n_accesses] = at;
  const uint32_t pattern = (uint32_t)(d[0] + 8 * d[1] + 64 * d[2] + 100);
  tsr__kernel_access_add(g->b, TSR_FLOAT64, is_store, buffer, pattern);
  return g->n_accesses++;
}

static int load(grid *g, int buffer, int d0, int d1, int d2)
{
  return tsr__kernel_load(g->b, access(g, buffer, false, (int[]){d0, d1, d2}));
}

static void store(grid *g, int buffer, int value)
{
  tsr__kernel_store(g->b, access(g, buffer, true, NULL), value);
}

static int op(grid *g, tsr_opcode o, int x, int y)
{
  return tsr__kernel_op(g->b, o, TSR_FLOAT64, TSR_FLOAT64, 2, (int[]){x, y});
}

static int function(grid *g, tsr_opcode o, int x)
{
  return tsr__kernel_op(g->b, o, TSR_FLOAT64, TSR_FLOAT64, 1, &x);
}

static int number(grid *g, double value)
{
  g->scalar[g->n_scalars++] = value;
  return tsr__kernel_scalar(g->b, tsr__kernel_scalar_add(g->b, TSR_FLOAT64));
}

static int add(grid *g, int x, int y)
{
  return op(g, TSR_OP_ADD, x, y);
}

static int times(grid *g, int x, int y)
{
  return op(g, TSR_OP_MULTIPLY, x, y);
}

static double points(const grid *g)
{
  double n = 1;
  for (int a = 0; a < g->ndim; a++) n *= (double)g->n[a];
  return n;
}

/* The kernels. */

static void triad(grid *g)
{
  const int b = load(g, 0, 0, 0, 0), c = load(g, 1, 0, 0, 0);
  store(g, 2, add(g, b, times(g, number(g, 3), c)));
  g->bytes = 24 * points(g);
}

static void product_sum(grid *g)
{
  const int a = load(g, 0, 0, 0, 0), b = load(g, 1, 0, 0, 0), c = load(g, 2, 0, 0, 0);
  store(g, 3, op(g, TSR_OP_SUBTRACT, add(g, times(g, a, b), c), times(g, number(g, 0.5), a)));
  g->bytes = 32 * points(g);
}

static void chain_of_ten(grid *g)
{
  int x = load(g, 0, 0, 0, 0);
  const int y = number(g, 1.000001), z = number(g, 1e-6);
  for (int i = 0; i < 5; i++) x = add(g, times(g, x, y), z);
  store(g, 1, x);
  g->bytes = 16 * points(g);
}

static void five_point(grid *g)
{
  int sum = add(g, load(g, 0, 0, 0, 0), load(g, 0, -1, 0, 0));
  sum = add(g, sum, load(g, 0, 0, 1, 0));
  sum = add(g, sum, load(g, 0, 0, -1, 0));
  sum = add(g, sum, load(g, 0, 1, 0, 0));
  store(g, 1, times(g, number(g, 0.2), sum));
  g->bytes = 16 * points(g);
}

static void seven_point(grid *g)
{
  const int x = load(g, 0, 0, 0, 0);
  int sum = add(g, load(g, 0, -1, 0, 0), load(g, 0, 1, 0, 0));
  sum = add(g, sum, load(g, 0, 0, -1, 0));
  sum = add(g, sum, load(g, 0, 0, 1, 0));
  sum = add(g, sum, load(g, 0, 0, 0, -1));
  sum = add(g, sum, load(g, 0, 0, 0, 1));
  store(
      g, 1,
      add(g, x, times(g, number(g, 0.1), op(g, TSR_OP_SUBTRACT, sum, times(g, number(g, 6), x)))));
  g->bytes = 16 * points(g);
}

static int laplacian(grid *g, int buffer, int x)
{
  int sum = add(g, load(g, buffer, -1, 0, 0), load(g, buffer, 1, 0, 0));
  sum = add(g, sum, load(g, buffer, 0, -1, 0));
  sum = add(g, sum, load(g, buffer, 0, 1, 0));
  return op(g, TSR_OP_SUBTRACT, sum, times(g, number(g, 4), x));
}

static void gray_scott(grid *g)
{
  const int u = load(g, 0, 0, 0, 0), v = load(g, 1, 0, 0, 0);
  const int lu = laplacian(g, 0, u), lv = laplacian(g, 1, v);
  const int uvv = times(g, u, times(g, v, v)), rate = number(g, 0.16);
  const int feed = number(g, 0.035);
  store(g, 2,
        add(g, u, op(g, TSR_OP_SUBTRACT, times(g, rate, lu), add(g, uvv, times(g, feed, u)))));
  store(g, 3,
        add(g, v, op(g, TSR_OP_SUBTRACT, add(g, times(g, rate, lv), uvv), times(g, feed, v))));
  g->bytes = 32 * points(g);
}

/* exp, log, sqrt and erf of three arrays, two results. */
static void options_price(grid *g)
{
  const int s = load(g, 0, 0, 0, 0), x = load(g, 1, 0, 0, 0), t = load(g, 2, 0, 0, 0);
  const int r = number(g, 0.02), half = number(g, 0.5);
  const int root = times(g, number(g, 0.3), function(g, TSR_OP_SQRT, t));
  const int d1 =
      op(g, TSR_OP_DIVIDE,
         add(g, function(g, TSR_OP_LOG, op(g, TSR_OP_DIVIDE, s, x)), times(g, r, t)), root);
  const int d2 = op(g, TSR_OP_SUBTRACT, d1, root);
  const int c1 = add(g, half, times(g, half, function(g, TSR_OP_ERF, d1)));
  const int c2 = add(g, half, times(g, half, function(g, TSR_OP_ERF, d2)));
  const int e = times(g, x, function(g, TSR_OP_EXP, function(g, TSR_OP_NEGATIVE, times(g, r, t))));
  const int call = op(g, TSR_OP_SUBTRACT, times(g, s, c1), times(g, e, c2));
  store(g, 3, call);
  store(g, 4, add(g, call, op(g, TSR_OP_SUBTRACT, e, s)));
  g->bytes = 40 * points(g);
}

typedef struct kernel_case {
  const char *name;
  int ndim;
  int64_t n[3];
  int border;
  void (*make)(grid *g);
} kernel_case;

static const kernel_case all_cases[] = {
    {"triad", 1, {1 << 28}, 0, triad},
    {"product_sum", 1, {1 << 28}, 0, product_sum},
    {"chain_of_ten", 1, {1 << 28}, 0, chain_of_ten},
    {"five_point", 2, {16384, 16384}, 1, five_point},
    {"seven_point", 3, {768, 768, 768}, 1, seven_point},
    {"gray_scott", 2, {8192, 8192}, 1, gray_scott},
    {"options_price", 1, {1 << 26}, 0, options_price},
};
enum { N_CASES = sizeof all_cases / sizeof *all_cases };

typedef struct layout {
  const char *name;
  tsr_cuda_tuning tuning;
} layout;

#define T(bytes, pieces, width, ...)                                                               \
  {                                                                                                \
    .piece_bytes = bytes, .n_pieces = pieces, .log_width = width, __VA_ARGS__                      \
  }
static const layout layouts[] = {
    {"chosen", {.piece_bytes = 0}}, /* by tsr__cuda_tuning */
    {"plain", T(16, 1, 8, .mixed = 1)},
    {"narrow", T(16, 1, 8, .narrow = true)},
    {"narrow_readonly", T(16, 1, 8, .narrow = true, .read_only = true)},
    {"single", T(8, 1, 8, .narrow = true, .read_only = true)},
    {"two", T(16, 2, 8, .mixed = 2, .narrow = true, .read_only = true)},
    {"four", T(16, 4, 8, .mixed = 2, .narrow = true, .read_only = true)},
    {"eight", T(16, 8, 8, .mixed = 2, .narrow = true, .read_only = true)},
    {"two_coherent", T(16, 2, 8, .mixed = 2, .narrow = true)},
    {"mixed", T(16, 1, 8, .mixed = 2, .narrow = true, .read_only = true)},
    {"mixed_64", T(16, 1, 6, .mixed = 2, .narrow = true, .read_only = true)},
    {"mixed_32", T(16, 1, 5, .mixed = 2, .narrow = true, .read_only = true)},
    {"single_64", T(8, 1, 6, .narrow = true, .read_only = true)},
    {"single_32", T(8, 1, 5, .narrow = true, .read_only = true)},
    {"two_64", T(16, 2, 6, .mixed = 2, .narrow = true, .read_only = true)},
    {"two_32", T(16, 2, 5, .mixed = 2, .narrow = true, .read_only = true)},
    {"four_64", T(16, 4, 6, .mixed = 2, .narrow = true, .read_only = true)},
    {"four_32", T(16, 4, 5, .mixed = 2, .narrow = true, .read_only = true)},
    {"three_32", T(16, 3, 5, .mixed = 2, .narrow = true, .read_only = true)},
    {"two_16", T(16, 2, 4, .mixed = 2, .narrow = true, .read_only = true)},
    {"mixed_16", T(16, 1, 4, .mixed = 2, .narrow = true, .read_only = true)},
    {"single_16", T(8, 1, 4, .narrow = true, .read_only = true)},
    {"two_32_coherent", T(16, 2, 5, .mixed = 2, .narrow = true)},
    {"mixed_32_coherent", T(16, 1, 5, .mixed = 2, .narrow = true)},
};
enum { N_LAYOUTS = sizeof layouts / sizeof *layouts };

typedef struct running {
  gpu_handle function;
  const tsr_cuda_launch *launch;
  gpu_address to, from;
  size_t bytes;
} running;

static void run_launch(const gpu *g, void *arg)
{
  const running *r = arg;
  gpu_launch(g, r->function, r->launch);
}

static void run_copy(const gpu *g, void *arg)
{
  const running *r = arg;
  GPU(g, MemcpyDtoDAsync, r->to, r->from, r->bytes, g->stream);
}

/* The buffers of a kernel: all of one size, numbers between 1 and 2 or so. */
static void make_buffers(const gpu *g, const grid *x, gpu_address *buffer, int64_t *elements)
{
  *elements = 1;
  for (int a = 0; a < x->ndim; a++) *elements *= x->whole[a];
  const size_t bytes = ((size_t)*elements * 8 + 255) / 256 * 256;
  for (int b = 0; b < x->n_buffers; b++) {
    buffer[b] = gpu_alloc(g, bytes);
    GPU(g, MemsetD8Async, buffer[b], 0x3f, bytes, g->stream);
  }
}

/* Binds the kernel; the row begins so that the box's points are aligned where there is no
 * border. */
static bool bind(const grid *x, const tsr_kernel *k, const gpu_address *buffer, const layout *how,
                 tsr_cuda_launch *launch)
{
  const tsr_cuda_tuning *tuning = how->tuning.piece_bytes ? &how->tuning : NULL;
  void *base[MOST_ACCESSES];
  int64_t strides[MOST_ACCESSES][TSR_MAX_NDIM] = {{0}};
  tsr_scalar scalars[4];
  for (int i = 0; i < x->n_scalars; i++) scalars[i] = tsr__scalar_of_f64(x->scalar[i]);
  for (int a = 0; a < x->n_accesses; a++) {
    base[a] = (void *)(uintptr_t)(buffer[x->buffer[a]] + 8 * (gpu_address)x->at[a]);
    int64_t stride = 8;
    for (int axis = x->ndim - 1; axis >= 0; axis--) {
      strides[a][axis] = stride;
      stride *= x->whole[axis];
    }
  }
  tsr_kernel_bind b = {
      .base = base, .stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])strides, .scalars = scalars};
  for (int a = 0; a < x->ndim; a++) b.n[a] = x->n[a];
  return tsr__cuda_launch_make_tuned(k, &b, tuning, launch);
}

static void say(const char *name, const char *how, double ms, const grid *x, double copy_gbs,
                int registers)
{
  const double gbs = 1e-6 * x->bytes / ms;
  printf("kernel %-14s %-16s ms=%.4f gbs=%.0f of_copy=%.3f registers=%d\n", name, how, ms, gbs,
         gbs / copy_gbs, registers);
  fflush(stdout);
}

static int registers_of(const gpu *g, gpu_handle function)
{
  int n = 0;
  g->cu.FuncGetAttribute(&n, 4, function);
  return n;
}

static grid make_grid(const kernel_case *c, int64_t scale)
{
  grid x = {.ndim = c->ndim, .b = tsr__kernel_builder_create(c->ndim)};
  for (int a = 0; a < c->ndim; a++) {
    x.n[a] = c->n[a] / (a == 0 ? scale : 1) - 2 * c->border;
    x.whole[a] = x.n[a] + 2 * c->border;
  }
  c->make(&x);
  return x;
}

static bool is_known(const tsr_cuda_launch *launch, const tsr_cuda_launch *before, int n)
{
  for (int i = 0; i < n; i++)
    if (!memcmp(&launch[0].form, &before[i].form, sizeof launch->form) &&
        launch->grid[0] == before[i].grid[0] && launch->grid[1] == before[i].grid[1])
      return true;
  return false;
}

static bool run_hand(const gpu *g, const kernel_case *c, const grid *x, const gpu_address *buffer,
                     const tsr_nvrtc_code *hand, double copy_gbs)
{
  static const struct {
    const char *how;
    unsigned width, height, per_thread, rows;
  } shapes[] = {{"", 256, 1, 2, 1}, {"_rows", 64, 4, 2, 4}, {"_tile", 32, 8, 2, 8}};
  if (hand->image == NULL) return false;
  gpu_handle module;
  GPU(g, ModuleLoadData, &module, hand->image);
  for (int s = 0; s < 3; s++) {
    char name[64];
    gpu_handle function;
    snprintf(name, sizeof name, "%s%s", c->name, shapes[s].how);
    if (g->cu.ModuleGetFunction(&function, module, name) != 0) continue;
    tsr_cuda_launch launch = {.n_words = 0};
    for (int b = 0; b < x->n_buffers; b++) launch.words[b] = (int64_t)buffer[b];
    int64_t rows = 1;
    for (int a = 0; a < x->ndim; a++) launch.words[8 + a] = x->n[a];
    for (int a = 0; a < x->ndim - 1; a++) rows *= x->n[a];
    const int64_t width = shapes[s].width * shapes[s].per_thread,
                  height = shapes[s].height * shapes[s].rows;
    launch.grid[0] = (unsigned)((x->n[x->ndim - 1] + width - 1) / width);
    launch.grid[1] = (unsigned)((rows + height - 1) / height);
    if (launch.grid[1] > 65535) launch.grid[1] = 65535;
    running r = {.function = function, .launch = &launch};
    char how[32];
    snprintf(how, sizeof how, "by_hand%s", shapes[s].how);
    say(c->name, how, gpu_time(g, run_launch, &r, REPEATS, 1), x, copy_gbs,
        registers_of(g, function));
  }
  GPU(g, ModuleUnload, module);
  return true;
}

static void run_case(const gpu *g, const kernel_case *c, int64_t scale, const tsr_nvrtc_code *hand,
                     double until)
{
  static tsr_cuda_launch launch[N_LAYOUTS];
  grid x = make_grid(c, scale);
  tsr_kernel *k = tsr__kernel_finish(x.b);
  gpu_address buffer[MOST_BUFFERS];
  int64_t elements;
  make_buffers(g, &x, buffer, &elements);
  running copy = {.to = buffer[1], .from = buffer[0], .bytes = (size_t)elements * 8};
  const double copy_gbs = 2e-6 * (double)copy.bytes / gpu_time(g, run_copy, &copy, REPEATS, 1);
  printf("kernel %-14s %-16s gbs=%.0f\n", c->name, "copy", copy_gbs);
  run_hand(g, c, &x, buffer, hand, copy_gbs);
  double best = 1e30;
  const char *best_name = "none";
  int n = 0;
  for (int l = 0; l < N_LAYOUTS && gpu_clock() < until; l++) {
    memset(&launch[n], 0, sizeof launch[n]);
    if (!bind(&x, k, buffer, &layouts[l], &launch[n]) || is_known(&launch[n], launch, n)) continue;
    tsr_nvrtc_code code;
    char *source = gpu_source(k, &launch[n].form, "kernel");
    if (source == NULL || !gpu_compile(g, source, NULL, &code)) exit(1);
    running r = {.function = gpu_load(g, &code, "kernel"), .launch = &launch[n]};
    const double ms = gpu_time(g, run_launch, &r, REPEATS, 1);
    say(c->name, layouts[l].name, ms, &x, copy_gbs, registers_of(g, r.function));
    if (ms < best) best = ms, best_name = layouts[l].name;
    tsr__nvrtc_code_free(&code);
    free(source);
    n++;
  }
  printf("kernel %-14s best: %s\n", c->name, best_name);
  gpu_wait(g);
  for (int b = 0; b < x.n_buffers; b++) gpu_free(g, buffer[b]);
  tsr__kernel_destroy(k);
}

/* Compiles all there is, and shows the text of one kernel where it is asked for. */
static bool compile_case(const gpu *g, const kernel_case *c, bool shows)
{
  static tsr_cuda_launch launch;
  grid x = make_grid(c, 1);
  tsr_kernel *k = tsr__kernel_finish(x.b);
  const gpu_address buffer[MOST_BUFFERS] = {1ull << 40, 2ull << 40, 3ull << 40, 4ull << 40,
                                            5ull << 40};
  bool ok = true;
  for (int l = 0; l < N_LAYOUTS && ok; l++) {
    tsr_nvrtc_code code = {.image = NULL};
    memset(&launch, 0, sizeof launch);
    ok = bind(&x, k, buffer, &layouts[l], &launch);
    char *source = ok ? gpu_source(k, &launch.form, "kernel") : NULL;
    ok = source && gpu_compile(g, source, NULL, &code);
    if (source && shows)
      printf("== %s %s\n%s\n", c->name, layouts[l].name, strstr(source, "KERNEL(kernel,"));
    printf("%s %s: %zu bytes\n", c->name, layouts[l].name, code.image_bytes);
    tsr__nvrtc_code_free(&code);
    free(source);
  }
  tsr__kernel_destroy(k);
  return ok;
}

static tsr_nvrtc_code compile_hand(const gpu *g, const char *path)
{
  tsr_nvrtc_code code = {.image = NULL};
  static char text[1 << 16];
  FILE *f = fopen(path, "r");
  if (f == NULL) {
    printf("no kernels by hand: %s is not there\n", path);
    return code;
  }
  text[fread(text, 1, sizeof text - 1, f)] = 0;
  fclose(f);
  static const char *const more[] = {"--fmad=true", NULL};
  gpu_compile(g, text, more, &code);
  return code;
}

int main(int argc, char **argv)
{
  int64_t scale = 1;
  double seconds = 60;
  bool compiles = false;
  const char *only = "", *hand_path = "bench/peers/gpu_kernels.cu";
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--compile"))
      compiles = true;
    else if (i + 1 == argc)
      break;
    else if (!strcmp(argv[i], "--scale"))
      scale = atoll(argv[++i]);
    else if (!strcmp(argv[i], "--only"))
      only = argv[++i];
    else if (!strcmp(argv[i], "--seconds"))
      seconds = atof(argv[++i]);
    else if (!strcmp(argv[i], "--hand"))
      hand_path = argv[++i];
  }
  gpu g;
  char why[200];
  if (!(compiles ? gpu_open_compiler(&g, why, sizeof why) : gpu_open(&g, why, sizeof why))) {
    printf("not run: %s\n", why);
    return 77;
  }
  tsr_nvrtc_code hand = compile_hand(&g, hand_path);
  const double until = gpu_clock() + seconds;
  bool ok = hand.image != NULL;
  for (int c = 0; c < N_CASES; c++) {
    if (!strstr(all_cases[c].name, only)) continue;
    if (compiles)
      ok = compile_case(&g, &all_cases[c], *only) && ok;
    else
      run_case(&g, &all_cases[c], scale, &hand, until);
  }
  tsr__nvrtc_code_free(&hand);
  gpu_close(&g);
  return ok ? 0 : 1;
}
