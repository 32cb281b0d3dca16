/* What a GPU costs and can do, measured below the library: times of opening it, bandwidths, costs
 * of launches, graphs, events and allocations, and whether its matrix instructions of float64 give
 * the bits of a chain of fma.
 *
 *   probe [--elements N] [--mma N] [--compile]     N float64 of a copy (default: 2^28), elements of
 *                                                  products (default: 1e8; 0: none)
 *
 * Prints lines `probe NAME VALUE UNIT`. It fails if no order of fma gives the bits of m8n8k4. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/cuda/render_cuda.h"
#include "kernel/ops/functions.h"
#include "tests/gpu/drawn.h"
#include "tests/gpu/mma.h"

enum { MOST_NODES = 1000 };

static void say(const char *name, double value, const char *unit)
{
  printf("probe %-28s %10.4g %s\n", name, value, unit);
  fflush(stdout);
}

static const char kernels_text[] =
    "KERNEL(nothing, 8) { THREADS { if (ARG(0)) *(i64 *)ARG(0) = ARG(1); } }\n"
    "KERNEL(large, 500) { THREADS { if (ARG(0)) *(i64 *)ARG(0) = ARG(499); } }\n"
    "KERNEL(copy, 3)\n"
    "{\n"
    "  THREADS {\n"
    "    const i64 i = ((i64)blockIdx.x * 256 + threadIdx.x) * 2;\n"
    "    PIECE(f64, x, 2);\n"
    "    if (i < ARG(2)) {\n"
    "      LOAD_16(x, (const f64 *)ARG(1) + i);\n"
    "      STORE_16((f64 *)ARG(0) + i, x);\n"
    "    }\n"
    "  }\n"
    "}\n";

typedef struct copying {
  gpu_address to, from;
  char *host;
  size_t bytes;
  gpu_handle function;
  gpu_handle stream, event; /* beside the GPU's own stream; owned */
} copying;

static void copy_within(const gpu *g, void *arg)
{
  const copying *c = arg;
  GPU(g, MemcpyDtoDAsync, c->to, c->from, c->bytes, g->stream);
}

static void copy_by_kernel(const gpu *g, void *arg)
{
  const copying *c = arg;
  const int64_t words[] = {(int64_t)c->to, (int64_t)c->from, (int64_t)(c->bytes / 8)};
  gpu_launch_words(g, c->function, (unsigned)((c->bytes / 16 + 255) / 256), 1, words);
}

static void copy_in(const gpu *g, void *arg)
{
  const copying *c = arg;
  GPU(g, MemcpyHtoDAsync, c->to, c->host, c->bytes, g->stream);
}

static void copy_out(const gpu *g, void *arg)
{
  const copying *c = arg;
  GPU(g, MemcpyDtoHAsync, c->host, c->from, c->bytes, g->stream);
}

/* Half of the bytes each way, in two streams. The event makes either of them wait for the other. */
static void copy_both(const gpu *g, void *arg)
{
  const copying *c = arg;
  const size_t half = c->bytes / 2;
  GPU(g, EventRecord, c->event, g->stream);
  GPU(g, StreamWaitEvent, c->stream, c->event, 0);
  GPU(g, MemcpyHtoDAsync, c->to, c->host, half, g->stream);
  GPU(g, MemcpyDtoHAsync, c->host + half, c->from, half, c->stream);
  GPU(g, EventRecord, c->event, c->stream);
  GPU(g, StreamWaitEvent, g->stream, c->event, 0);
}

static void measure_both(const gpu *g, copying *c)
{
  GPU(g, StreamCreate, &c->stream, 1); /* that waits for no other stream */
  c->event = gpu_event(g);
  say("copy_both_pinned", 1e-6 * (double)c->bytes / gpu_time(g, copy_both, c, 7, 1), "GB/s");
  GPU(g, StreamDestroy, c->stream);
}

static void set_memory(const gpu *g, void *arg)
{
  const copying *c = arg;
  GPU(g, MemsetD8Async, c->to, 0, c->bytes, g->stream);
}

static void measure_copies(const gpu *g, size_t n, gpu_handle copy)
{
  copying c = {
      .to = gpu_alloc(g, n * 8), .from = gpu_alloc(g, n * 8), .bytes = n * 8, .function = copy};
  GPU(g, MemsetD8Async, c.from, 1, c.bytes, g->stream);
  say("copy_within", 2e-6 * (double)c.bytes / gpu_time(g, copy_within, &c, 11, 1), "GB/s");
  say("copy_by_kernel", 2e-6 * (double)c.bytes / gpu_time(g, copy_by_kernel, &c, 11, 1), "GB/s");
  say("set", 1e-6 * (double)c.bytes / gpu_time(g, set_memory, &c, 11, 1), "GB/s");
  c.bytes /= 4;
  c.host = gpu_host_alloc(g, c.bytes);
  memset(c.host, 1, c.bytes);
  say("copy_in_pinned", 1e-6 * (double)c.bytes / gpu_time(g, copy_in, &c, 7, 1), "GB/s");
  say("copy_out_pinned", 1e-6 * (double)c.bytes / gpu_time(g, copy_out, &c, 7, 1), "GB/s");
  measure_both(g, &c);
  gpu_host_free(g, c.host);
  c.host = malloc(c.bytes);
  memset(c.host, 1, c.bytes);
  say("copy_in_pageable", 1e-6 * (double)c.bytes / gpu_time(g, copy_in, &c, 3, 1), "GB/s");
  free(c.host);
  gpu_free(g, c.to);
  gpu_free(g, c.from);
}

static const int64_t no_words[500];

static double us_since(double start, int n)
{
  return 1e6 * (gpu_clock() - start) / n;
}

static void measure_launches(const gpu *g, gpu_handle nothing, const char *name,
                             const char *name_all)
{
  enum { N = 5000 };
  double start = 0;
  for (int round = 0; round < 2; round++) {
    gpu_wait(g);
    start = gpu_clock();
    for (int i = 0; i < N; i++) gpu_launch_words(g, nothing, 1, 1, no_words);
  }
  say(name, us_since(start, N), "us");
  gpu_wait(g);
  say(name_all, us_since(start, N), "us");
}

static void measure_waits(const gpu *g, gpu_handle nothing)
{
  enum { N = 500 };
  gpu_handle event = gpu_event(g);
  int64_t *host = gpu_host_alloc(g, 64);
  const gpu_address memory = gpu_alloc(g, 64);
  double start = gpu_clock();
  for (int i = 0; i < N; i++) {
    gpu_launch_words(g, nothing, 1, 1, no_words);
    gpu_wait(g);
  }
  say("launch_and_wait", us_since(start, N), "us");
  start = gpu_clock();
  for (int i = 0; i < N; i++) {
    GPU(g, MemcpyDtoHAsync, host, memory, 8, g->stream);
    gpu_wait(g);
  }
  say("read_8_bytes", us_since(start, N), "us");
  start = gpu_clock();
  for (int i = 0; i < N; i++) GPU(g, EventRecord, event, g->stream);
  say("event_record", us_since(start, N), "us");
  gpu_wait(g);
  start = gpu_clock();
  for (int i = 0; i < N; i++) GPU(g, EventQuery, event);
  say("event_query_over", us_since(start, N), "us");
  start = gpu_clock();
  for (int i = 0; i < N; i++) GPU(g, StreamWaitEvent, g->stream, event, 0);
  say("stream_wait_event", us_since(start, N), "us");
  start = gpu_clock();
  for (int i = 0; i < N; i++) {
    gpu_launch_words(g, nothing, 1, 1, no_words);
    GPU(g, EventRecord, event, g->stream);
    while (g->cu.EventQuery(event) == 600) /* not ready */
      ;
  }
  say("launch_event_and_poll", us_since(start, N), "us");
  gpu_free(g, memory);
}

static void measure_memory(const gpu *g)
{
  static const size_t sizes[] = {1 << 16, 1 << 26, 1 << 30};
  enum { N = 10 };
  for (int s = 0; s < 3; s++) {
    gpu_address p[N];
    char name[40];
    double start = gpu_clock();
    for (int i = 0; i < N; i++) p[i] = gpu_alloc(g, sizes[s]);
    snprintf(name, sizeof name, "alloc_%zu_KB", sizes[s] >> 10);
    say(name, us_since(start, N), "us");
    start = gpu_clock();
    for (int i = 0; i < N; i++) gpu_free(g, p[i]);
    snprintf(name, sizeof name, "free_%zu_KB", sizes[s] >> 10);
    say(name, us_since(start, N), "us");
  }
  const double start = gpu_clock();
  void *host = gpu_host_alloc(g, 1 << 28);
  say("alloc_host_256_MB", us_since(start, 1) * 1e-3, "ms");
  gpu_host_free(g, host);
}

/* A graph of n nodes, each after the one before or all apart. */
static void measure_graph(const gpu *g, gpu_handle nothing, int n, bool is_chain, const char *name)
{
  gpu_handle graph, executable, node[MOST_NODES];
  void *parameters[] = {(void *)no_words};
  const gpu_node what = {.function = nothing,
                         .grid = {1, 1, 1},
                         .block = {TSR_CUDA_THREADS, 1, 1},
                         .parameters = parameters};
  char text[64];
  double start = gpu_clock();
  GPU(g, GraphCreate, &graph, 0);
  for (int i = 0; i < n; i++)
    GPU(g, GraphAddKernelNode, &node[i], graph, i && is_chain ? &node[i - 1] : NULL, i && is_chain,
        &what);
  snprintf(text, sizeof text, "graph_%s_%d_add", name, n);
  say(text, us_since(start, n), "us/node");
  start = gpu_clock();
  GPU(g, GraphInstantiate, &executable, graph, 0);
  snprintf(text, sizeof text, "graph_%s_%d_instantiate", name, n);
  say(text, us_since(start, n), "us/node");
  enum { ROUNDS = 20 };
  double launched = 0;
  for (int round = 0; round < 2; round++) {
    gpu_wait(g);
    start = gpu_clock();
    for (int i = 0; i < ROUNDS; i++) GPU(g, GraphLaunch, executable, g->stream);
    launched = us_since(start, ROUNDS);
    gpu_wait(g);
  }
  snprintf(text, sizeof text, "graph_%s_%d_launch", name, n);
  say(text, launched, "us/graph");
  snprintf(text, sizeof text, "graph_%s_%d_run", name, n);
  say(text, us_since(start, ROUNDS * n), "us/node");
  start = gpu_clock();
  for (int i = 0; i < n; i++) GPU(g, GraphExecKernelNodeSetParams, executable, node[i], &what);
  snprintf(text, sizeof text, "graph_%s_%d_set", name, n);
  say(text, us_since(start, n), "us/node");
  start = gpu_clock();
  GPU(g, GraphLaunch, executable, g->stream);
  gpu_wait(g);
  snprintf(text, sizeof text, "graph_%s_%d_after_set", name, n);
  say(text, us_since(start, n), "us/node");
  GPU(g, GraphExecDestroy, executable);
  GPU(g, GraphDestroy, graph);
}

/* Prints who differs. Returns whether ascending k gives the bits of m8n8k4. */
static bool judge_mma(const uint64_t *counts, const uint64_t *first, uint64_t n_warps, bool is_wide)
{
  static const char *const shapes[] = {"m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"};
  static const char *const orders[] = {"ascending k", "descending k", "c last", "pairs"};
  bool ok = true;
  for (int s = 0; s < (is_wide ? MMA_SHAPES : 1); s++)
    for (int o = 0; o < MMA_ORDERS; o++) {
      const uint64_t *of = counts + (s * MMA_ORDERS + o) * MMA_REGIMES;
      uint64_t sum = 0;
      for (int r = 0; r < MMA_REGIMES; r++) sum += of[r];
      printf("mma %-8s %-12s %12" PRIu64 " of %.4g differ: moderate %" PRIu64 ", any %" PRIu64
             ", tiny %" PRIu64 ", cancelling %" PRIu64 ", subnormal %" PRIu64 ", integers %" PRIu64,
             shapes[s], orders[o], sum, (double)n_warps * (s ? 128 : 64), of[0], of[1], of[2],
             of[3], of[4], of[5]);
      const uint64_t at = first[s * MMA_ORDERS + o];
      if (sum) printf("; warp %" PRIu64 " (%d, %d)", at >> 8, (int)(at >> 4 & 15), (int)(at & 15));
      printf("\n");
      if (o == 0 && sum) ok = false;
    }
  printf("mma float64 is a chain of fma in ascending k: %s\n", ok ? "yes" : "NO");
  return ok;
}

static bool make_mma(const gpu *g, tsr_nvrtc_code *code)
{
  tsr_text source = {0};
  tsr__text_add(&source, "%s%s\n%s", tsr__words_cuda, drawn_text, mma_text);
  const bool ok = gpu_compile(g, source.s, NULL, code);
  tsr__text_free(&source);
  return ok;
}

static bool measure_mma(const gpu *g, double n)
{
  enum { N_COUNTS = MMA_SHAPES * MMA_ORDERS * MMA_REGIMES, N_FIRST = MMA_SHAPES * MMA_ORDERS };
  uint64_t counts[N_COUNTS], first[N_FIRST];
  tsr_nvrtc_code code;
  int is_wide = strcmp(g->architecture, "sm_90") >= 0;
  if (!make_mma(g, &code)) return false;
  gpu_handle function = gpu_load(g, &code, "mma");
  tsr__nvrtc_code_free(&code);
  gpu_address to_counts = gpu_alloc(g, sizeof counts), to_first = gpu_alloc(g, sizeof first);
  GPU(g, MemsetD8Async, to_counts, 0, sizeof counts, g->stream);
  GPU(g, MemsetD8Async, to_first, 0xff, sizeof first, g->stream);
  uint64_t n_warps = (uint64_t)(n / 64), seed = 12345;
  void *parameters[] = {&seed, &n_warps, &is_wide, &to_counts, &to_first};
  const double start = gpu_clock();
  GPU(g, LaunchKernel, function, (unsigned)((n_warps + 7) / 8), 1, 1, 256, 1, 1, 0, g->stream,
      parameters, NULL);
  GPU(g, MemcpyDtoHAsync, counts, to_counts, sizeof counts, g->stream);
  GPU(g, MemcpyDtoHAsync, first, to_first, sizeof first, g->stream);
  gpu_wait(g);
  say("mma_comparison", gpu_clock() - start, "s");
  return judge_mma(counts, first, n_warps, is_wide);
}

static bool make_kernels(const gpu *g, tsr_nvrtc_code *code)
{
  tsr_text source = {0};
  tsr__text_add(&source, "%s%s", tsr__words_cuda, kernels_text);
  const bool ok = gpu_compile(g, source.s, NULL, code);
  tsr__text_free(&source);
  return ok;
}

/* Compiles all texts, runs none. */
static bool compile_all(const gpu *g)
{
  tsr_nvrtc_code kernels = {.image = NULL}, mma = {.image = NULL};
  const bool ok = make_kernels(g, &kernels) && make_mma(g, &mma);
  tsr__nvrtc_code_free(&kernels);
  tsr__nvrtc_code_free(&mma);
  return ok;
}

static bool measure_all(const gpu *g, size_t n_elements, double n_mma)
{
  tsr_nvrtc_code code;
  double start = gpu_clock();
  if (!make_kernels(g, &code)) return false;
  printf("probe %s, %s, %d processors, %.1f GB, NVRTC %s\n", g->name, g->architecture,
         g->n_processors, 1e-9 * (double)g->memory_bytes, tsr__nvrtc_version(g->nvrtc));
  say("cuInit", g->init_ms, "ms");
  say("context", g->context_ms, "ms");
  say("compile_3_kernels", 1e3 * (gpu_clock() - start), "ms");
  start = gpu_clock();
  gpu_handle nothing = gpu_load(g, &code, "nothing");
  say("load_image", 1e3 * (gpu_clock() - start), "ms");
  gpu_handle copy = gpu_load(g, &code, "copy"), large = gpu_load(g, &code, "large");
  tsr__nvrtc_code_free(&code);
  measure_copies(g, n_elements, copy);
  measure_launches(g, nothing, "launch_64_bytes_host", "launch_64_bytes");
  measure_launches(g, large, "launch_4000_bytes_host", "launch_4000_bytes");
  measure_waits(g, nothing);
  measure_memory(g);
  measure_graph(g, nothing, 1, true, "chain");
  measure_graph(g, nothing, 10, true, "chain");
  measure_graph(g, nothing, MOST_NODES, true, "chain");
  measure_graph(g, nothing, MOST_NODES, false, "apart");
  return n_mma == 0 || measure_mma(g, n_mma);
}

int main(int argc, char **argv)
{
  double n_elements = 1 << 28, n_mma = 1e8;
  bool compiles = false;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--elements") && i + 1 < argc)
      n_elements = atof(argv[++i]);
    else if (!strcmp(argv[i], "--mma") && i + 1 < argc)
      n_mma = atof(argv[++i]);
    else if (!strcmp(argv[i], "--compile"))
      compiles = true;
  }
  gpu g;
  char why[200];
  if (!(compiles ? gpu_open_compiler(&g, why, sizeof why) : gpu_open(&g, why, sizeof why))) {
    printf("not run: %s\n", why);
    return 77;
  }
  const bool ok = compiles ? compile_all(&g) : measure_all(&g, (size_t)n_elements, n_mma);
  gpu_close(&g);
  return ok ? 0 : 1;
}
