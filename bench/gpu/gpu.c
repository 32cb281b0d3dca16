/* One GPU, through the driver's functions. */
#include "bench/gpu/gpu.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernel/cuda/render_cuda.h"
#include "kernel/ops/functions.h"

enum {
  ATTRIBUTE_PROCESSORS = 16,
  ATTRIBUTE_MAJOR = 75,
  ATTRIBUTE_MINOR = 76,
  NON_BLOCKING = 1,
  TIMELESS = 2
};

typedef struct entry {
  const char *name; /* in the library */
  size_t at;        /* in gpu_driver */
} entry;

#define ENTRY(function, symbol)                                                                    \
  {                                                                                                \
    "cu" #function symbol, offsetof(gpu_driver, function)                                          \
  }
static const entry entries[] = {
    ENTRY(Init, ""),
    ENTRY(DeviceGetCount, ""),
    ENTRY(DeviceGet, ""),
    ENTRY(DeviceGetName, ""),
    ENTRY(DeviceGetAttribute, ""),
    ENTRY(DeviceTotalMem, "_v2"),
    ENTRY(DevicePrimaryCtxRetain, ""),
    ENTRY(DevicePrimaryCtxRelease, "_v2"),
    ENTRY(CtxPushCurrent, "_v2"),
    ENTRY(CtxPopCurrent, "_v2"),
    ENTRY(GetErrorName, ""),
    ENTRY(MemAlloc, "_v2"),
    ENTRY(MemFree, "_v2"),
    ENTRY(MemHostAlloc, ""),
    ENTRY(MemFreeHost, ""),
    ENTRY(MemsetD8Async, ""),
    ENTRY(MemcpyHtoDAsync, "_v2"),
    ENTRY(MemcpyDtoHAsync, "_v2"),
    ENTRY(MemcpyDtoDAsync, "_v2"),
    ENTRY(StreamCreate, ""),
    ENTRY(StreamDestroy, "_v2"),
    ENTRY(StreamSynchronize, ""),
    ENTRY(StreamWaitEvent, ""),
    ENTRY(EventCreate, ""),
    ENTRY(EventDestroy, "_v2"),
    ENTRY(EventRecord, ""),
    ENTRY(EventSynchronize, ""),
    ENTRY(EventQuery, ""),
    ENTRY(EventElapsedTime, ""),
    ENTRY(ModuleLoadData, ""),
    ENTRY(ModuleUnload, ""),
    ENTRY(ModuleGetFunction, ""),
    ENTRY(FuncGetAttribute, ""),
    ENTRY(FuncSetAttribute, ""),
    ENTRY(LaunchKernel, ""),
    ENTRY(GraphCreate, ""),
    ENTRY(GraphAddKernelNode, "_v2"),
    {"cuGraphInstantiateWithFlags", offsetof(gpu_driver, GraphInstantiate)},
    ENTRY(GraphExecKernelNodeSetParams, "_v2"),
    ENTRY(GraphLaunch, ""),
    ENTRY(GraphExecDestroy, ""),
    ENTRY(GraphDestroy, ""),
};

/* What is called of a driver that lacks the function: stand-ins have what the library needs. */
static int is_missing(void)
{
  return 500; /* CUDA_ERROR_NOT_FOUND */
}

static bool find_all(gpu_driver *cu, char *why, size_t size)
{
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL) {
    snprintf(why, size, "libcuda.so.1 is not on this machine");
    return false;
  }
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
    void *symbol = dlsym(library, entries[i].name);
    int (*missing)(void) = is_missing;
    if (symbol == NULL) memcpy(&symbol, &missing, sizeof symbol);
    memcpy((char *)cu + entries[i].at, &symbol, sizeof symbol);
  }
  return true;
}

double gpu_clock(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool gpu_open_compiler(gpu *g, char *why, size_t size)
{
  setvbuf(stdout, NULL, _IOLBF, 0); /* what was printed before a timeout is kept */
  *g = (gpu){.architecture = "sm_90", .name = "no GPU"};
  g->nvrtc = tsr__nvrtc_open(why, size);
  return g->nvrtc != NULL;
}

bool gpu_open(gpu *g, char *why, size_t size)
{
  setvbuf(stdout, NULL, _IOLBF, 0);
  *g = (gpu){.device = 0};
  if (!find_all(&g->cu, why, size)) return false;
  g->nvrtc = tsr__nvrtc_open(why, size);
  if (g->nvrtc == NULL) return false;
  double start = gpu_clock();
  int n = 0, major = 0, minor = 0;
  const int error = g->cu.Init(0);
  g->init_ms = 1e3 * (gpu_clock() - start);
  if (error || g->cu.DeviceGetCount(&n) || n == 0) {
    snprintf(why, size, "the driver finds no GPU (error %d)", error);
    tsr__nvrtc_close(g->nvrtc);
    return false;
  }
  GPU(g, DeviceGet, &g->device, 0);
  if (g->cu.DeviceGetName(g->name, sizeof g->name, g->device)) strcpy(g->name, "a GPU");
  GPU(g, DeviceTotalMem, &g->memory_bytes, g->device);
  g->cu.DeviceGetAttribute(&g->n_processors, ATTRIBUTE_PROCESSORS, g->device);
  GPU(g, DeviceGetAttribute, &major, ATTRIBUTE_MAJOR, g->device);
  GPU(g, DeviceGetAttribute, &minor, ATTRIBUTE_MINOR, g->device);
  snprintf(g->architecture, sizeof g->architecture, "sm_%d%d", major, minor);
  start = gpu_clock();
  GPU(g, DevicePrimaryCtxRetain, &g->context, g->device);
  GPU(g, CtxPushCurrent, g->context);
  g->context_ms = 1e3 * (gpu_clock() - start);
  GPU(g, StreamCreate, &g->stream, NON_BLOCKING);
  g->made = calloc(1, sizeof *g->made);
  return g->made != NULL;
}

void gpu_close(gpu *g)
{
  tsr__nvrtc_close(g->nvrtc);
  if (g->context == NULL) return;
  gpu_wait(g);
  for (int i = 0; i < g->made->n_modules; i++) GPU(g, ModuleUnload, g->made->modules[i]);
  for (int i = 0; i < g->made->n_events; i++) GPU(g, EventDestroy, g->made->events[i]);
  free(g->made);
  GPU(g, StreamDestroy, g->stream);
  GPU(g, CtxPopCurrent, &g->context);
  GPU(g, DevicePrimaryCtxRelease, g->device);
}

void gpu_check(const gpu *g, int error, const char *call)
{
  if (error == 0) return;
  const char *name = "?";
  g->cu.GetErrorName(error, &name);
  printf("cu%s: error %d, %s\n", call, error, name);
  fflush(stdout);
  _Exit(1);
}

gpu_address gpu_alloc(const gpu *g, size_t bytes)
{
  gpu_address p = 0;
  GPU(g, MemAlloc, &p, bytes);
  return p;
}

void gpu_free(const gpu *g, gpu_address p)
{
  GPU(g, MemFree, p);
}

/* What a driver answers of an entry that it lacks. */
enum { MISSING = 500 };

void *gpu_host_alloc(const gpu *g, size_t bytes)
{
  enum { PORTABLE = 1 };
  void *p = NULL;
  const int error = g->cu.MemHostAlloc(&p, bytes, PORTABLE);
  if (error == MISSING) return calloc(bytes, 1);
  gpu_check(g, error, "MemHostAlloc");
  return p;
}

void gpu_host_free(const gpu *g, void *p)
{
  const int error = g->cu.MemFreeHost(p);
  if (error == MISSING)
    free(p);
  else
    gpu_check(g, error, "MemFreeHost");
}

void gpu_wait(const gpu *g)
{
  GPU(g, StreamSynchronize, g->stream);
}

static gpu_handle make_event(const gpu *g, unsigned flags)
{
  gpu_handle event;
  GPU(g, EventCreate, &event, flags);
  if (g->made->n_events == sizeof g->made->events / sizeof *g->made->events) abort();
  g->made->events[g->made->n_events++] = event;
  return event;
}

gpu_handle gpu_event(const gpu *g)
{
  return make_event(g, TIMELESS);
}

bool gpu_compile(const gpu *g, const char *source, const char *const *more, tsr_nvrtc_code *code)
{
  const bool ok = tsr__nvrtc_compile(g->nvrtc, source, g->architecture, more, code);
  if (!ok) printf("%.2000s\n", code->log ? code->log : "NVRTC made no program");
  return ok;
}

gpu_handle gpu_load(const gpu *g, const tsr_nvrtc_code *code, const char *name)
{
  gpu_handle module, function;
  GPU(g, ModuleLoadData, &module, code->image);
  if (g->made->n_modules == sizeof g->made->modules / sizeof *g->made->modules) abort();
  g->made->modules[g->made->n_modules++] = module;
  GPU(g, ModuleGetFunction, &function, module, name);
  return function;
}

char *gpu_source(const tsr_kernel *k, const tsr_cuda_form *form, const char *name)
{
  tsr_text kernel = {0}, source = {0};
  tsr_function_uses uses = {0};
  if (!tsr__render_cuda(k, form, name, &kernel, &uses)) return NULL;
  tsr__text_add(&source, "%s", tsr__words_cuda);
  tsr__render_scalar_functions(&uses, &source);
  tsr__text_add(&source, "%s", kernel.s);
  tsr__text_free(&kernel);
  return source.s;
}

void gpu_launch_words(const gpu *g, gpu_handle function, unsigned columns, unsigned rows,
                      const int64_t *words)
{
  void *parameters[] = {(void *)words};
  GPU(g, LaunchKernel, function, columns, rows, 1, TSR_CUDA_THREADS, 1, 1, 0, g->stream, parameters,
      NULL);
}

void gpu_launch(const gpu *g, gpu_handle function, const tsr_cuda_launch *launch)
{
  gpu_launch_words(g, function, launch->grid[0], launch->grid[1], launch->words);
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double gpu_time(const gpu *g, void (*what)(const gpu *g, void *arg), void *arg, int repeats,
                int batch)
{
  enum { MOST = 64 };
  double ms[MOST];
  if (repeats > MOST) repeats = MOST;
  gpu_handle from = make_event(g, 0), to = make_event(g, 0);
  for (int r = -2; r < repeats; r++) {
    GPU(g, EventRecord, from, g->stream);
    for (int i = 0; i < batch; i++) what(g, arg);
    GPU(g, EventRecord, to, g->stream);
    GPU(g, EventSynchronize, to);
    float passed = 0;
    GPU(g, EventElapsedTime, &passed, from, to);
    if (r >= 0) ms[r] = (double)passed / batch;
  }
  g->made->n_events -= 2;
  GPU(g, EventDestroy, from);
  GPU(g, EventDestroy, to);
  qsort(ms, (size_t)repeats, sizeof *ms, compare);
  return ms[repeats / 2];
}
