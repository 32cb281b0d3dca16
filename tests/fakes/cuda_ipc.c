/* The stand-in for NVIDIA's driver: memory of other processes, and values that streams wait for. A
 * device's memory is in a file, which another process finds among this one's (/proc), and maps as
 * the memory of its own devices is: where addresses are, nobody may touch it. As in the driver, a
 * process does not open its own memory, a block is lent from its beginning, and what a context
 * opens again is the same memory. */
#include "tests/fakes/cuda_fake.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { MOST_OPENED = 64, PAGE_BYTES = 4096 };

typedef struct handle {
  int pid, file;
  size_t at, bytes;
} handle;
_Static_assert(sizeof(handle) <= sizeof(CUipcMemHandle), "a handle has room for it");

/* Memory of another process; n_opened 0: none. */
typedef struct opened {
  handle of;
  fake_context *context;
  char *base, *view;
  int n_opened;
} opened;

static struct {
  pthread_mutex_t lock;
  opened opened[MOST_OPENED];
} g = {.lock = PTHREAD_MUTEX_INITIALIZER};

static size_t whole_pages(size_t bytes)
{
  return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

CUresult cuIpcGetMemHandle(CUipcMemHandle *out, CUdeviceptr p)
{
  const CUresult result = fake_begin_in(__func__, NULL);
  const char *at = (const char *)(uintptr_t)p;
  if (result != CUDA_SUCCESS) return result;
  const handle h = {.pid = (int)getpid(),
                    .file = fake_current()->file,
                    .at = (size_t)(at - tsr__check_memory_base(fake_current()->memory)),
                    .bytes = fake_block_bytes(at)};
  if (h.bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  memset(out, 0, sizeof *out);
  memcpy(out, &h, sizeof h);
  return CUDA_SUCCESS;
}

static bool map(opened *o)
{
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", o->of.pid, o->of.file);
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  const size_t bytes = whole_pages(o->of.bytes);
  o->base = mmap(NULL, bytes, PROT_NONE, MAP_SHARED, file, (off_t)o->of.at);
  o->view = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)o->of.at);
  close(file);
  return o->base != MAP_FAILED && o->view != MAP_FAILED;
}

/* Called under the lock. */
static CUresult open_handle(CUdeviceptr *p, const handle *h)
{
  opened *o = NULL;
  for (int i = 0; i < MOST_OPENED && o == NULL; i++)
    if (g.opened[i].n_opened > 0 && g.opened[i].context == fake_current() &&
        memcmp(&g.opened[i].of, h, sizeof *h) == 0)
      o = &g.opened[i];
  if (o == NULL) {
    for (int i = 0; i < MOST_OPENED && o == NULL; i++)
      if (g.opened[i].n_opened == 0) o = &g.opened[i];
    if (o == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
    *o = (opened){.of = *h, .context = fake_current()};
    if (!map(o)) return CUDA_ERROR_INVALID_VALUE;
  }
  o->n_opened++;
  *p = (CUdeviceptr)(uintptr_t)o->base;
  return CUDA_SUCCESS;
}

CUresult cuIpcOpenMemHandle(CUdeviceptr *p, CUipcMemHandle from, unsigned int flags)
{
  handle h;
  CUresult result = fake_begin_in(__func__, NULL);
  if (result != CUDA_SUCCESS) return result;
  memcpy(&h, &from, sizeof h);
  if (flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS || h.pid == (int)getpid())
    return CUDA_ERROR_INVALID_CONTEXT;
  pthread_mutex_lock(&g.lock);
  result = open_handle(p, &h);
  pthread_mutex_unlock(&g.lock);
  return result;
}

CUresult cuIpcCloseMemHandle(CUdeviceptr p)
{
  const CUresult result = fake_begin_in(__func__, NULL);
  bool is_there = false;
  pthread_mutex_lock(&g.lock);
  for (int i = 0; i < MOST_OPENED && !is_there; i++) {
    opened *o = &g.opened[i];
    is_there =
        o->n_opened > 0 && o->context == fake_current() && (CUdeviceptr)(uintptr_t)o->base == p;
    if (!is_there || --o->n_opened > 0) continue; /* also after a failure, as cuMemFree */
    munmap(o->base, whole_pages(o->of.bytes));
    munmap(o->view, whole_pages(o->of.bytes));
  }
  pthread_mutex_unlock(&g.lock);
  return result != CUDA_SUCCESS ? result : is_there ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

int fake_n_opened(void)
{
  int n = 0;
  pthread_mutex_lock(&g.lock);
  for (int i = 0; i < MOST_OPENED; i++) n += g.opened[i].n_opened;
  pthread_mutex_unlock(&g.lock);
  return n;
}

char *fake_lent_view(fake_context *c, const char *p, size_t bytes)
{
  char *view = NULL;
  pthread_mutex_lock(&g.lock);
  for (int i = 0; i < MOST_OPENED && view == NULL; i++) {
    const opened *o = &g.opened[i];
    const size_t at = (size_t)(p - o->base);
    if (o->n_opened > 0 && o->context == c && at < o->of.bytes && bytes <= o->of.bytes - at)
      view = o->view + at;
  }
  pthread_mutex_unlock(&g.lock);
  return view;
}

CUresult cuCtxEnablePeerAccess(CUcontext other, unsigned int flags)
{
  const CUresult result = fake_begin_in(__func__, NULL);
  if (result != CUDA_SUCCESS) return result;
  if (flags != 0 || other == fake_current()) return CUDA_ERROR_INVALID_VALUE;
  const unsigned bit = 1u << other->number;
  const unsigned before = __atomic_fetch_or(&fake_current()->reaches, bit, __ATOMIC_ACQ_REL);
  return before & bit ? CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED : CUDA_SUCCESS;
}

/* Values. */

typedef struct value_op {
  fake_context *context;
  CUstream stream;
  char *at;
  uint64_t value;
} value_op;

/* Where a value is: in the context's memory, in that of another one that it reaches, or in another
 * process's. */
static uint64_t *find_value(const value_op *o)
{
  char *view = fake_lent_view(o->context, o->at, sizeof o->value);
  for (int i = 0; i < fake_n_contexts() && view == NULL; i++) {
    fake_context *c = fake_context_at(i);
    const bool reaches =
        c == o->context || __atomic_load_n(&o->context->reaches, __ATOMIC_ACQUIRE) >> i & 1;
    if (reaches && tsr__check_memory_has(c->memory, o->at) &&
        tsr__check_memory_uses(c->memory, o->at, sizeof o->value) == NULL)
      view = o->at + tsr__check_memory_shift(c->memory);
  }
  if (view == NULL) {
    fake_say("a value is in no memory that device %d reaches", o->context->number);
    fake_cuda_break(o->stream);
  }
  uint64_t *found = NULL;
  memcpy(&found, &view, sizeof found);
  return found;
}

static void write_value(void *arg)
{
  value_op *o = arg;
  uint64_t *at = fake_cuda_is_broken(o->stream) ? NULL : find_value(o);
  if (at != NULL) __atomic_store_n(at, o->value, __ATOMIC_RELEASE);
  free(o);
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void wait_value(void *arg)
{
  value_op *o = arg;
  const char *text = getenv("FAKE_NCCL_SECONDS");
  const double until = now() + (text != NULL && text[0] != '\0' ? atof(text) : 60);
  const uint64_t *at = fake_cuda_is_broken(o->stream) ? NULL : find_value(o);
  while (at != NULL && (int64_t)(__atomic_load_n(at, __ATOMIC_ACQUIRE) - o->value) < 0 &&
         !fake_cuda_is_broken(o->stream)) {
    usleep(20);
    if (now() < until) continue;
    fake_say("device %d waits for the value %llu, and it does not come", o->context->number,
             (unsigned long long)o->value);
    fake_cuda_break(o->stream);
  }
  free(o);
}

static CUresult put(const char *entry, CUstream stream, CUdeviceptr at, uint64_t value,
                    void (*call)(void *arg))
{
  const CUresult result = fake_begin_in(entry, stream->context);
  if (result != CUDA_SUCCESS) return result;
  if (at % sizeof value != 0) return CUDA_ERROR_INVALID_VALUE;
  value_op *o = malloc(sizeof *o);
  *o = (value_op){stream->context, stream, (char *)(uintptr_t)at, value};
  fake_cuda_put(stream, call, o);
  return CUDA_SUCCESS;
}

CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr at, cuuint64_t value, unsigned int flags)
{
  if (flags != CU_STREAM_WRITE_VALUE_DEFAULT) return CUDA_ERROR_INVALID_VALUE;
  return put(__func__, stream, at, value, write_value);
}

CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr at, cuuint64_t value, unsigned int flags)
{
  const unsigned flush = stream->context->number % 2 ? CU_STREAM_WAIT_VALUE_FLUSH : 0;
  if (flags != (CU_STREAM_WAIT_VALUE_GEQ | flush)) return CUDA_ERROR_INVALID_VALUE;
  return put(__func__, stream, at, value, wait_value);
}
