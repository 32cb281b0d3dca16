/* One GPU for programs that measure and test it below the library: the driver's functions, opened
 * at run time, and shorthands that end the program with a text where a call fails. Types are those
 * of cuda.h: results are ints of which 0 is success, handles are pointers. */
#ifndef TSR_BENCH_GPU_H
#define TSR_BENCH_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/compile/nvrtc.h"
#include "kernel/cuda/launch.h"

typedef unsigned long long gpu_address;
typedef void *gpu_handle;

/** CUDA_KERNEL_NODE_PARAMS of its second version. */
typedef struct gpu_node {
  gpu_handle function;
  unsigned grid[3], block[3], shared_bytes;
  void **parameters, **extra;
  gpu_handle kernel, context;
} gpu_node;

/** The driver's functions, by their names without `cu`. */
typedef struct gpu_driver {
  int (*Init)(unsigned flags);
  int (*DeviceGetCount)(int *n);
  int (*DeviceGet)(int *device, int number);
  int (*DeviceGetName)(char *name, int size, int device);
  int (*DeviceGetAttribute)(int *value, int attribute, int device);
  int (*DeviceTotalMem)(size_t *bytes, int device);
  int (*DevicePrimaryCtxRetain)(gpu_handle *context, int device);
  int (*DevicePrimaryCtxRelease)(int device);
  int (*CtxPushCurrent)(gpu_handle context);
  int (*CtxPopCurrent)(gpu_handle *context);
  int (*GetErrorName)(int error, const char **name);
  int (*MemAlloc)(gpu_address *p, size_t bytes);
  int (*MemFree)(gpu_address p);
  int (*MemHostAlloc)(void **p, size_t bytes, unsigned flags);
  int (*MemFreeHost)(void *p);
  int (*MemsetD8Async)(gpu_address p, unsigned char value, size_t n, gpu_handle stream);
  int (*MemcpyHtoDAsync)(gpu_address to, const void *from, size_t bytes, gpu_handle stream);
  int (*MemcpyDtoHAsync)(void *to, gpu_address from, size_t bytes, gpu_handle stream);
  int (*MemcpyDtoDAsync)(gpu_address to, gpu_address from, size_t bytes, gpu_handle stream);
  int (*StreamCreate)(gpu_handle *stream, unsigned flags);
  int (*StreamDestroy)(gpu_handle stream);
  int (*StreamSynchronize)(gpu_handle stream);
  int (*StreamWaitEvent)(gpu_handle stream, gpu_handle event, unsigned flags);
  int (*EventCreate)(gpu_handle *event, unsigned flags);
  int (*EventDestroy)(gpu_handle event);
  int (*EventRecord)(gpu_handle event, gpu_handle stream);
  int (*EventSynchronize)(gpu_handle event);
  int (*EventQuery)(gpu_handle event);
  int (*EventElapsedTime)(float *ms, gpu_handle from, gpu_handle to);
  int (*ModuleLoadData)(gpu_handle *module, const void *image);
  int (*ModuleUnload)(gpu_handle module);
  int (*ModuleGetFunction)(gpu_handle *function, gpu_handle module, const char *name);
  int (*FuncGetAttribute)(int *value, int attribute, gpu_handle function);
  int (*FuncSetAttribute)(gpu_handle function, int attribute, int value);
  int (*LaunchKernel)(gpu_handle function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                      unsigned by, unsigned bz, unsigned shared_bytes, gpu_handle stream,
                      void **parameters, void **extra);
  int (*GraphCreate)(gpu_handle *graph, unsigned flags);
  int (*GraphAddKernelNode)(gpu_handle *node, gpu_handle graph, const gpu_handle *dependencies,
                            size_t n, const gpu_node *what);
  int (*GraphInstantiate)(gpu_handle *executable, gpu_handle graph, unsigned long long flags);
  int (*GraphExecKernelNodeSetParams)(gpu_handle executable, gpu_handle node, const gpu_node *what);
  int (*GraphLaunch)(gpu_handle executable, gpu_handle stream);
  int (*GraphExecDestroy)(gpu_handle executable);
  int (*GraphDestroy)(gpu_handle graph);
} gpu_driver;

/** What was loaded and made, to be given back. */
typedef struct gpu_made {
  gpu_handle modules[4096], events[64];
  int n_modules, n_events;
} gpu_made;

typedef struct gpu {
  gpu_driver cu;
  gpu_made *made; /* owned */
  gpu_handle context, stream;
  tsr_nvrtc *nvrtc;
  int device, n_processors;
  size_t memory_bytes;
  char name[128], architecture[16]; /* "sm_90" */
  double init_ms, context_ms;
} gpu;

/** Opens the first GPU of this machine and NVRTC. Returns false, with the reason in `why`, if there
 * is none. */
bool gpu_open(gpu *g, char *why, size_t size);
/** Closes what either of the two has opened: the compiler; modules, events, the stream and the
 * context. Memory must have been freed. */
void gpu_close(gpu *g);
/** Opens NVRTC alone, which compiles for sm_90. */
bool gpu_open_compiler(gpu *g, char *why, size_t size);
/** Ends the program if a call of the driver failed. */
void gpu_check(const gpu *g, int error, const char *call);
#define GPU(g, function, ...) gpu_check(g, (g)->cu.function(__VA_ARGS__), #function)

gpu_address gpu_alloc(const gpu *g, size_t bytes);
void gpu_free(const gpu *g, gpu_address p);
/** Host memory that the GPU copies from and to at full speed, where the driver has such. */
void *gpu_host_alloc(const gpu *g, size_t bytes);
void gpu_host_free(const gpu *g, void *p);
void gpu_wait(const gpu *g);
/** An event that tells no time. */
gpu_handle gpu_event(const gpu *g);

/** Compiles CUDA C with the library's options, and those in `more`; returns the function of that
 * name, or NULL after printing the compiler's log. Thread-safe if `load` is false: then it only
 * compiles, into *code. */
bool gpu_compile(const gpu *g, const char *source, const char *const *more, tsr_nvrtc_code *code);
gpu_handle gpu_load(const gpu *g, const tsr_nvrtc_code *code, const char *name);
/** The source of one rendered kernel, by malloc; NULL if it has no text. */
char *gpu_source(const tsr_kernel *k, const tsr_cuda_form *form, const char *name);
/** Launches blocks of a function that was written with the words KERNEL, THREADS and ARG. */
void gpu_launch_words(const gpu *g, gpu_handle function, unsigned columns, unsigned rows,
                      const int64_t *words);
void gpu_launch(const gpu *g, gpu_handle function, const tsr_cuda_launch *launch);

/** Milliseconds of one call of what(arg), by events: the median of `repeats` after two for warmth;
 * of `batch` calls each. */
double gpu_time(const gpu *g, void (*what)(const gpu *g, void *arg), void *arg, int repeats,
                int batch);
/** Seconds of the host's clock. */
double gpu_clock(void);

/** Text that is C here and CUDA C there: `GPU_BOTH(name, functions)` defines the functions, and
 * `name` is their text. It has no preprocessor's lines. */
#define GPU_BOTH(name, ...)                                                                        \
  __VA_ARGS__                                                                                      \
  static const char name[] = #__VA_ARGS__;

#endif
