/* The stand-in for NVIDIA's driver: the entries that the device `cuda` calls. They are stricter
 * than the driver: a call without a context, or with a handle of another one, is an error; a copy
 * from pageable memory reads it at once or late, as dice fall, and one from pinned memory late;
 * nothing waits for what uses freed memory. */
#include "tests/fakes/cuda_fake.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
  MOST_DEVICES = 8,
  MOST_CONTEXTS = 16,
  MOST_ENTRIES = 128,
  MOST_ALLOCATIONS = 1 << 16,
  MOST_PINNED = 4096
};
/* Shared memory that a launch may ask for by itself, and of a kernel that was allowed more. */
enum { FAKE_SHARED_BYTES = 48 << 10, FAKE_MOST_SHARED_BYTES = 227 << 10 };

typedef struct allocation {
  fake_context *context;
  CUdeviceptr at;
  size_t bytes;
} allocation;

typedef struct entry_calls {
  const char *entry; /* a text that stays */
  int n;
} entry_calls;

typedef struct pinned {
  const char *at;
  size_t bytes;
} pinned;

/* The process's driver. The lock guards all of it. */
static struct {
  pthread_mutex_t lock;
  bool is_ready, refuses_rows;
  pid_t pid; /* of the process that began to use it: a forked one has nothing to give back */
  int n_devices, capability, other_capability;
  size_t memory_bytes, most_pinned_bytes;
  fake_context devices[MOST_DEVICES];
  allocation allocations[MOST_ALLOCATIONS];
  pinned pinned[MOST_PINNED];
  int n_pinned, n_pageable; /* n_pageable: copies of pageable memory */
  size_t pinned_bytes;
  int n_allocations, n_streams, n_events, n_modules, n_graphs;
  char fail[64]; /* the entry that is to fail */
  int fail_at, n_calls;
  entry_calls calls[MOST_ENTRIES]; /* of all entries, up to the first without a name */
  bool wants_memory;               /* of what fails: there is no memory */
  uint64_t dice;
} g = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local fake_context *stack[MOST_CONTEXTS];
static _Thread_local int n_stack;

void fake_say(const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  fprintf(stderr, "fake cuda: ");
  vfprintf(stderr, fmt, args);
  fprintf(stderr, "\n");
  va_end(args);
}

fake_context *fake_context_at(int i)
{
  return &g.devices[i];
}

int fake_n_contexts(void)
{
  return g.n_devices;
}

static long setting(const char *name, long standard)
{
  const char *text = getenv(name);
  return text != NULL && text[0] != '\0' ? atol(text) : standard;
}

/* Called under the lock. */
static void read_settings(void)
{
  char fail[64] = "";
  const char *text = getenv("FAKE_CUDA_FAIL");
  snprintf(fail, sizeof fail, "%s", text != NULL ? text : "");
  if (strcmp(fail, g.fail) != 0) g.n_calls = 0;
  memcpy(g.fail, fail, sizeof g.fail);
  const char *colon = strchr(fail, ':');
  g.fail_at = colon != NULL ? atoi(colon + 1) : 1;
  const bool wants_memory =
      strstr(fail, ":memory") != NULL || strncmp(fail, "cuMemAlloc_v2", 13) == 0;
  __atomic_store_n(&g.wants_memory, wants_memory, __ATOMIC_RELAXED);
  __atomic_store_n(&g.refuses_rows, setting("FAKE_CUDA_REFUSE_ROWS", 0) != 0, __ATOMIC_RELAXED);
  if (g.is_ready) return;
  g.pid = getpid();
  g.n_devices = (int)setting("FAKE_CUDA_DEVICES", 1);
  if (g.n_devices > MOST_DEVICES) g.n_devices = MOST_DEVICES;
  g.most_pinned_bytes = (size_t)setting("FAKE_CUDA_PINNED", 1l << 40);
  g.memory_bytes = (size_t)setting("FAKE_CUDA_MEMORY", 1l << 30);
  g.capability = (int)setting("FAKE_CUDA_CAPABILITY", 90);
  g.other_capability = (int)setting("FAKE_CUDA_OTHERS", g.capability);
  for (int i = 0; i < g.n_devices; i++) {
    const int file = memfd_create("fake cuda", MFD_CLOEXEC);
    g.devices[i] = (fake_context){
        .number = i, .file = file, .memory = tsr__check_memory_create_in(file, g.memory_bytes)};
  }
  __atomic_store_n(&g.is_ready, true, __ATOMIC_RELEASE);
}

static void count_call(const char *entry)
{
  int i = 0;
  pthread_mutex_lock(&g.lock);
  while (i < MOST_ENTRIES && g.calls[i].entry != NULL && strcmp(g.calls[i].entry, entry) != 0) i++;
  if (i == MOST_ENTRIES) abort();
  g.calls[i].entry = entry;
  g.calls[i].n++;
  pthread_mutex_unlock(&g.lock);
}

int fake_cuda_n_calls(const char *beginning)
{
  int n = 0;
  pthread_mutex_lock(&g.lock);
  for (int i = 0; i < MOST_ENTRIES && g.calls[i].entry != NULL; i++)
    if (strncmp(g.calls[i].entry, beginning, strlen(beginning)) == 0) n += g.calls[i].n;
  pthread_mutex_unlock(&g.lock);
  return n;
}

/* Is this call of the entry the one that is to fail? */
static bool is_to_fail(const char *entry)
{
  pthread_mutex_lock(&g.lock);
  const size_t n = strcspn(g.fail, ":");
  const bool is_it = n > 0 && strlen(entry) == n && memcmp(g.fail, entry, n) == 0;
  const bool fails = is_it && ++g.n_calls == g.fail_at;
  pthread_mutex_unlock(&g.lock);
  return fails;
}

static CUresult begin(const char *entry)
{
  if (!__atomic_load_n(&g.is_ready, __ATOMIC_ACQUIRE)) return CUDA_ERROR_NOT_INITIALIZED;
  count_call(entry);
  if (!is_to_fail(entry)) return CUDA_SUCCESS;
  return __atomic_load_n(&g.wants_memory, __ATOMIC_RELAXED) ? CUDA_ERROR_OUT_OF_MEMORY
                                                            : CUDA_ERROR_UNKNOWN;
}

fake_context *fake_current(void)
{
  return n_stack > 0 ? stack[n_stack - 1] : NULL;
}

CUcontext fake_cuda_current(void)
{
  return fake_current();
}

CUresult fake_begin_in(const char *entry, const fake_context *wanted)
{
  const CUresult result = begin(entry);
  if (result != CUDA_SUCCESS) return result;
  const fake_context *c = fake_current();
  if (c == NULL || __atomic_load_n(&c->n_retained, __ATOMIC_ACQUIRE) == 0 ||
      (wanted != NULL && wanted != c)) {
    fake_say("%s is called in %s context", entry, c == NULL ? "no" : "a wrong");
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  return __atomic_load_n(&c->broken, __ATOMIC_ACQUIRE);
}

CUresult fake_cuda_begin(const char *entry, CUstream stream)
{
  return stream != NULL ? fake_begin_in(entry, stream->context) : begin(entry);
}

#define BEGIN()                                                                                    \
  do {                                                                                             \
    const CUresult result_ = begin(__func__);                                                      \
    if (result_ != CUDA_SUCCESS) return result_;                                                   \
  } while (0)
#define BEGIN_IN(context)                                                                          \
  do {                                                                                             \
    const CUresult result_ = fake_begin_in(__func__, context);                                     \
    if (result_ != CUDA_SUCCESS) return result_;                                                   \
  } while (0)

static void count(int *what, int by)
{
  __atomic_fetch_add(what, by, __ATOMIC_ACQ_REL);
}

static int counted(const int *what)
{
  return __atomic_load_n(what, __ATOMIC_ACQUIRE);
}

/* Devices and contexts. */

CUresult cuInit(unsigned int flags)
{
  pthread_mutex_lock(&g.lock);
  read_settings();
  const bool none = g.n_devices == 0;
  const bool is_refused = g.pid != getpid() && setting("FAKE_CUDA_REFUSE_FORKED", 0) != 0;
  pthread_mutex_unlock(&g.lock);
  if (is_refused) return CUDA_ERROR_NOT_INITIALIZED;
  BEGIN();
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  return none ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}

typedef struct error_row {
  CUresult result;
  const char *name, *text;
} error_row;

static const error_row *find_error(CUresult result)
{
  static const error_row rows[] = {
      {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
      {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
      {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
      {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
      {CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
      {CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
      {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
      {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
      {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS",
       "an illegal memory access was encountered"},
      {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
      {CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
       "part or all of the requested memory range is already mapped"},
      {CUDA_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (rows[i].result == result) return &rows[i];
  return NULL;
}

CUresult cuGetErrorName(CUresult result, const char **name)
{
  const error_row *row = find_error(result);
  *name = row != NULL ? row->name : NULL;
  return row != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult result, const char **text)
{
  const error_row *row = find_error(result);
  *text = row != NULL ? row->text : NULL;
  return row != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetCount(int *n)
{
  BEGIN();
  *n = g.n_devices;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int number)
{
  BEGIN();
  if (number < 0 || number >= g.n_devices) return CUDA_ERROR_INVALID_DEVICE;
  *device = number;
  return CUDA_SUCCESS;
}

/* FAKE_CUDA_CAPABILITY is that of device 0; FAKE_CUDA_OTHERS, if it is set, that of the others. */
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
  BEGIN();
  const int capability = device == 0 ? g.capability : g.other_capability;
  if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
    *value = capability / 10;
  else if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)
    *value = capability % 10;
  else if (attribute == CU_DEVICE_ATTRIBUTE_MAX_PITCH)
    *value = INT32_MAX;
  else if (attribute == CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS)
    *value = setting("FAKE_CUDA_REFUSE_VALUES", 0) == 0;
  else if (attribute == CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES)
    *value = device % 2;
  else
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
  BEGIN();
  *bytes = g.memory_bytes;
  return CUDA_SUCCESS;
}

/* The devices of all processes are those of one node. */
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
  BEGIN();
  memset(uuid, 0, sizeof *uuid);
  uuid->bytes[0] = (char)(device + 1);
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
  BEGIN();
  count(&g.devices[device].n_retained, 1);
  *context = &g.devices[device];
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
  const CUresult result = begin(__func__);
  if (counted(&g.devices[device].n_retained) == 0) return CUDA_ERROR_INVALID_CONTEXT;
  count(&g.devices[device].n_retained, -1);
  return result;
}

CUresult cuCtxPushCurrent(CUcontext context)
{
  BEGIN();
  if (n_stack == MOST_CONTEXTS) return CUDA_ERROR_INVALID_CONTEXT;
  stack[n_stack++] = context;
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *context)
{
  BEGIN();
  if (n_stack == 0) return CUDA_ERROR_INVALID_CONTEXT;
  *context = stack[--n_stack];
  return CUDA_SUCCESS;
}

/* Memory. */

CUresult cuMemAlloc(CUdeviceptr *p, size_t bytes)
{
  BEGIN_IN(NULL);
  fake_context *c = fake_current();
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  void *at = tsr__check_memory_alloc(c->memory, bytes);
  if (at == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  *p = (CUdeviceptr)(uintptr_t)at;
  pthread_mutex_lock(&g.lock);
  if (g.n_allocations == MOST_ALLOCATIONS) abort();
  g.allocations[g.n_allocations++] = (allocation){c, *p, bytes};
  pthread_mutex_unlock(&g.lock);
  return CUDA_SUCCESS;
}

CUresult cuMemFree(CUdeviceptr p)
{
  const CUresult result = fake_begin_in(__func__, NULL);
  pthread_mutex_lock(&g.lock);
  int i = 0;
  while (i < g.n_allocations &&
         (g.allocations[i].at != p || g.allocations[i].context != fake_current()))
    i++;
  const bool is_there = i < g.n_allocations;
  const char *wrong = NULL;
  if (is_there) { /* also after a failure, since the process's end gives memory back */
    wrong = tsr__check_memory_free(fake_current()->memory, (void *)(uintptr_t)p,
                                   g.allocations[i].bytes);
    g.allocations[i] = g.allocations[--g.n_allocations];
  }
  pthread_mutex_unlock(&g.lock);
  if (wrong != NULL) fake_say("memory is freed that %s", wrong);
  return result != CUDA_SUCCESS
             ? result
             : (is_there && wrong == NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

size_t fake_block_bytes(const void *p)
{
  size_t bytes = 0;
  pthread_mutex_lock(&g.lock);
  for (int i = 0; i < g.n_allocations; i++)
    if (g.allocations[i].at == (CUdeviceptr)(uintptr_t)p &&
        g.allocations[i].context == fake_current())
      bytes = g.allocations[i].bytes;
  pthread_mutex_unlock(&g.lock);
  return bytes;
}

/* The number of the pinned range that these bytes begin in, or else meet; -1: none. Called under
 * the lock. */
static int find_pinned(const char *p, size_t bytes)
{
  for (int i = 0; i < g.n_pinned; i++)
    if (p < g.pinned[i].at + g.pinned[i].bytes && g.pinned[i].at < p + bytes) return i;
  return -1;
}

/* Are these bytes of the host's memory pinned? All of them are, or none: the driver takes no
 * others. */
fake_pinning fake_pinning_of(const char *p, size_t bytes)
{
  pthread_mutex_lock(&g.lock);
  const int i = find_pinned(p, bytes);
  const bool whole =
      i >= 0 && p >= g.pinned[i].at && p + bytes <= g.pinned[i].at + g.pinned[i].bytes;
  pthread_mutex_unlock(&g.lock);
  return i < 0 ? FAKE_PAGEABLE : whole ? FAKE_PINNED : FAKE_PINNED_IN_PART;
}

CUresult cuMemHostRegister(void *p, size_t bytes, unsigned int flags)
{
  BEGIN_IN(NULL);
  CUresult result = CUDA_SUCCESS;
  if (bytes == 0 || bytes % 4096 != 0 || (uintptr_t)p % 4096 != 0 ||
      flags != CU_MEMHOSTREGISTER_PORTABLE)
    return CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock(&g.lock);
  if (find_pinned(p, bytes) >= 0)
    result = CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  else if (g.n_pinned == MOST_PINNED || g.pinned_bytes + bytes > g.most_pinned_bytes)
    result = CUDA_ERROR_OUT_OF_MEMORY;
  else
    g.pinned[g.n_pinned++] = (pinned){p, bytes};
  if (result == CUDA_SUCCESS) g.pinned_bytes += bytes;
  pthread_mutex_unlock(&g.lock);
  return result;
}

CUresult cuMemHostUnregister(void *p)
{
  const CUresult result = fake_begin_in(__func__, NULL);
  pthread_mutex_lock(&g.lock);
  int i = 0;
  while (i < g.n_pinned && g.pinned[i].at != p) i++;
  const bool is_there = i < g.n_pinned;
  if (is_there) {
    g.pinned_bytes -= g.pinned[i].bytes;
    g.pinned[i] = g.pinned[--g.n_pinned];
  }
  pthread_mutex_unlock(&g.lock);
  return result != CUDA_SUCCESS ? result
         : is_there             ? CUDA_SUCCESS
                                : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
}

size_t fake_cuda_pinned_bytes(void)
{
  pthread_mutex_lock(&g.lock);
  const size_t bytes = g.pinned_bytes;
  pthread_mutex_unlock(&g.lock);
  return bytes;
}

int fake_cuda_n_pageable(void)
{
  return counted(&g.n_pageable);
}

static fake_pinning pinning_of(const char *p, const fake_op *op, size_t pitch)
{
  return fake_pinning_of(p, (op->n_rows - 1) * pitch + op->width);
}

/* Puts a copy into the stream. One from pageable memory reads it now, or later; one to pageable
 * memory is over now, or later. */
static CUresult put_copy(const char *entry, fake_op op, CUstream stream)
{
  const CUresult result = fake_begin_in(entry, stream->context);
  if (result != CUDA_SUCCESS) return result;
  if (op.width == 0 || op.n_rows == 0) return CUDA_SUCCESS;
  if (op.n_rows > 1 && (op.dst_pitch < op.width || op.src_pitch < op.width))
    return CUDA_ERROR_INVALID_VALUE;
  op.pinning = op.from == NULL ? pinning_of(op.src, &op, op.src_pitch)
               : op.to == NULL ? pinning_of(op.dst, &op, op.dst_pitch)
                               : FAKE_PAGEABLE;
  if (op.pinning == FAKE_PINNED_IN_PART) return CUDA_ERROR_INVALID_VALUE;
  if ((op.from == NULL || op.to == NULL) && op.pinning == FAKE_PAGEABLE) count(&g.n_pageable, 1);
  pthread_mutex_lock(&g.lock);
  const bool at_once = op.pinning == FAKE_PAGEABLE && fake_dice(&g.dice) % 2 == 0;
  pthread_mutex_unlock(&g.lock);
  const bool is_staged = op.from == NULL && at_once;
  if (is_staged) {
    op.staged = malloc(op.n_rows * op.width);
    for (size_t i = 0; i < op.n_rows; i++)
      memcpy(op.staged + i * op.width, op.src + i * op.src_pitch, op.width);
  }
  fake_stream_put(stream, &op);
  if (op.to == NULL && at_once) fake_stream_wait(stream);
  return CUDA_SUCCESS;
}

static fake_op run_of(fake_context *to, const void *dst, fake_context *from, const void *src,
                      size_t n)
{
  return (fake_op){.kind = FAKE_COPY,
                   .to = to,
                   .from = from,
                   .dst = (char *)(uintptr_t)dst,
                   .src = src,
                   .width = n,
                   .n_rows = 1};
}

#define AT(p) ((const void *)(uintptr_t)(p))

CUresult cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t n, CUstream stream)
{
  return put_copy(__func__, run_of(fake_current(), AT(dst), NULL, src, n), stream);
}

CUresult cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t n, CUstream stream)
{
  return put_copy(__func__, run_of(NULL, dst, fake_current(), AT(src), n), stream);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream stream)
{
  return put_copy(__func__, run_of(fake_current(), AT(dst), fake_current(), AT(src), n), stream);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from, size_t n,
                           CUstream stream)
{
  return put_copy(__func__, run_of(to, AT(dst), from, AT(src), n), stream);
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *c, CUstream stream)
{
  const bool in = c->srcMemoryType == CU_MEMORYTYPE_HOST;
  const bool out = c->dstMemoryType == CU_MEMORYTYPE_HOST;
  if (__atomic_load_n(&g.refuses_rows, __ATOMIC_RELAXED)) return CUDA_ERROR_INVALID_VALUE;
  fake_op op =
      run_of(out ? NULL : fake_current(), out ? c->dstHost : AT(c->dstDevice),
             in ? NULL : fake_current(), in ? c->srcHost : AT(c->srcDevice), c->WidthInBytes);
  op.n_rows = c->Height;
  op.dst_pitch = c->dstPitch;
  op.src_pitch = c->srcPitch;
  return put_copy(__func__, op, stream);
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *c, CUstream stream)
{
  fake_op op =
      run_of(c->dstContext, AT(c->dstDevice), c->srcContext, AT(c->srcDevice), c->WidthInBytes);
  op.n_rows = c->Height;
  op.dst_pitch = c->dstPitch;
  op.src_pitch = c->srcPitch;
  if (c->Depth != 1) return CUDA_ERROR_INVALID_VALUE;
  return put_copy(__func__, op, stream);
}

/* Streams and events. */

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
  BEGIN_IN(NULL);
  if (flags != CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
  *stream = fake_stream_make(fake_current());
  count(&g.n_streams, 1);
  return CUDA_SUCCESS;
}

CUresult cuStreamDestroy(CUstream stream)
{
  const CUresult result = fake_begin_in(__func__, stream->context);
  fake_stream_end(stream);
  count(&g.n_streams, -1);
  return result;
}

CUresult cuStreamSynchronize(CUstream stream)
{
  BEGIN_IN(stream->context);
  fake_stream_wait(stream);
  return __atomic_load_n(&stream->context->broken, __ATOMIC_ACQUIRE);
}

CUresult cuStreamQuery(CUstream stream)
{
  BEGIN_IN(stream->context);
  return fake_stream_is_idle(stream) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
  BEGIN_IN(stream->context);
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  fake_stream_put(stream, &(fake_op){.kind = FAKE_FOLLOW,
                                     .event = event,
                                     .number = __atomic_load_n(&event->n_asked, __ATOMIC_ACQUIRE)});
  return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
  BEGIN_IN(NULL);
  if (flags != CU_EVENT_DISABLE_TIMING) return CUDA_ERROR_INVALID_VALUE;
  *event = calloc(1, sizeof **event);
  (*event)->context = fake_current();
  count(&g.n_events, 1);
  return CUDA_SUCCESS;
}

CUresult cuEventDestroy(CUevent event)
{
  const CUresult result = fake_begin_in(__func__, event->context);
  fake_event_wait(event);
  free(event);
  count(&g.n_events, -1);
  return result;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
  BEGIN_IN(stream->context);
  if (event->context != stream->context) return CUDA_ERROR_INVALID_HANDLE;
  const uint64_t number = __atomic_add_fetch(&event->n_asked, 1, __ATOMIC_ACQ_REL);
  fake_stream_put(stream, &(fake_op){.kind = FAKE_RECORD, .event = event, .number = number});
  return CUDA_SUCCESS;
}

CUresult cuEventQuery(CUevent event)
{
  BEGIN_IN(event->context);
  return fake_event_is_done(event) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult cuEventSynchronize(CUevent event)
{
  BEGIN_IN(event->context);
  fake_event_wait(event);
  return __atomic_load_n(&event->context->broken, __ATOMIC_ACQUIRE);
}

/* Code. */

/* The bytes of a shared object, which ends in the table of its sections. */
static size_t object_bytes(const unsigned char *image)
{
  uint64_t at;
  uint16_t entry, n;
  memcpy(&at, image + 40, sizeof at);
  memcpy(&entry, image + 58, sizeof entry);
  memcpy(&n, image + 60, sizeof n);
  return at + (size_t)entry * n;
}

static void end_module(fake_module *m)
{
  for (fake_function *f = m->functions, *next; f != NULL; f = next) {
    next = f->next;
    free(f);
  }
  tsr__check_code_destroy(m->code);
  free(m->image);
  free(m);
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
  BEGIN_IN(NULL);
  fake_module *m = calloc(1, sizeof *m);
  char message[256], *log = NULL;
  m->context = fake_current();
  m->code = tsr__check_code_create();
  if (strncmp(image, FAKE_PTX, strlen(FAKE_PTX)) == 0) {
    m->image = fake_compile((const char *)image + strlen(FAKE_PTX), &m->bytes, &log);
  } else if (memcmp(image, "\177ELF", 4) == 0) {
    m->bytes = object_bytes(image);
    m->image = malloc(m->bytes);
    memcpy(m->image, image, m->bytes);
  }
  free(log);
  if (m->image == NULL || tsr__check_code_load(m->code, m->image, m->bytes, FAKE_MARK, message,
                                               sizeof message) == NULL) {
    end_module(m);
    return CUDA_ERROR_INVALID_IMAGE;
  }
  count(&g.n_modules, 1);
  *module = m;
  return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module)
{
  const CUresult result = fake_begin_in(__func__, module->context);
  end_module(module);
  count(&g.n_modules, -1);
  return result;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
  BEGIN_IN(module->context);
  char message[256], words[160];
  fake_module *m = module;
  snprintf(words, sizeof words, "%s%s", name, FAKE_WORDS);
  const tsr_block_code code =
      tsr__check_code_load(m->code, m->image, m->bytes, name, message, sizeof message);
  const tsr_block_code n_words =
      tsr__check_code_load(m->code, m->image, m->bytes, words, message, sizeof message);
  if (code == NULL || n_words == NULL) return CUDA_ERROR_NOT_FOUND;
  fake_function *f = calloc(1, sizeof *f);
  const int *at;
  memcpy(&at, &n_words, sizeof at);
  *f = (fake_function){.module = m,
                       .code = code,
                       .n_words = *at,
                       .most_shared_bytes = FAKE_SHARED_BYTES,
                       .next = m->functions};
  m->functions = f;
  *function = f;
  return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction f, CUfunction_attribute attribute, int value)
{
  BEGIN_IN(f->module->context);
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 ||
      value > FAKE_MOST_SHARED_BYTES)
    return CUDA_ERROR_INVALID_VALUE;
  f->most_shared_bytes = (unsigned)value;
  return CUDA_SUCCESS;
}

bool fake_kernel_fails(void)
{
  return is_to_fail("kernel");
}

CUresult fake_kernel_op(CUfunction f, const unsigned grid[3], const unsigned block[3],
                        unsigned shared_bytes, void **params, void **extra, fake_op *op)
{
  const bool fits = grid[0] > 0 && grid[1] > 0 && grid[1] < 65536 && grid[2] == 1 &&
                    block[0] == 256 && block[1] == 1 && block[2] == 1 && extra == NULL;
  if (!fits || f->module->context != fake_current() || shared_bytes > f->most_shared_bytes)
    return CUDA_ERROR_INVALID_VALUE;
  *op = (fake_op){
      .kind = FAKE_KERNEL, .function = f, .grid = {grid[0], grid[1]}, .shared_bytes = shared_bytes};
  op->words = malloc((size_t)f->n_words * sizeof *op->words);
  memcpy(op->words, params[0], (size_t)f->n_words * sizeof *op->words);
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction f, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                        unsigned int block_x, unsigned int block_y, unsigned int block_z,
                        unsigned int shared_bytes, CUstream stream, void **params, void **extra)
{
  BEGIN_IN(stream->context);
  fake_op op;
  const CUresult result =
      fake_kernel_op(f, (unsigned[]){grid_x, grid_y, grid_z},
                     (unsigned[]){block_x, block_y, block_z}, shared_bytes, params, extra, &op);
  if (result != CUDA_SUCCESS) return result;
  op.fails = fake_kernel_fails();
  fake_stream_put(stream, &op);
  return CUDA_SUCCESS;
}

void fake_count_graph(int by)
{
  count(&g.n_graphs, by);
}

int fake_cuda_leaks(void)
{
  int n_contexts = 0;
  pthread_mutex_lock(&g.lock);
  for (int i = 0; i < g.n_devices; i++) n_contexts += g.devices[i].n_retained;
  const int n = g.n_allocations + g.n_pinned + g.n_streams + g.n_events + g.n_modules + g.n_graphs +
                n_contexts + fake_n_opened();
  if (n > 0)
    fake_say("not given back: %d blocks of memory, %d pinned ranges, %d streams, %d events, "
             "%d modules, %d graphs, %d contexts, %d blocks of other processes",
             g.n_allocations, g.n_pinned, g.n_streams, g.n_events, g.n_modules, g.n_graphs,
             n_contexts, fake_n_opened());
  pthread_mutex_unlock(&g.lock);
  return n;
}

__attribute__((destructor)) static void tell_leaks(void)
{
  enum { LEAKED = 97 };
  if (g.pid == getpid() && fake_cuda_leaks() > 0) _exit(LEAKED);
}
