/* Launches on devices that run no C functions.
 *
 * A kernel in a form is one entry of the table of compiled code, which all ranks of a process
 * share, and has a number there. Each device loads what it launches once, and keeps it by that
 * number; what it refused, or what could not be compiled, stays refused. */
#include "scheduler/run/launch.h"

#include "kernel/cuda/launch.h"
#include "runtime/base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tsr_launcher {
  tsr_jit *jit;   /* borrowed from the machine */
  tsr_pins *pins; /* borrowed, of the buffers; may be NULL */
  bool speaks;    /* this rank warns */
  bool said_full; /* it said that the table of compiled code is full; atomic */
  bool said_blas; /* it said that the devices' library refuses products; atomic */
  bool exact_mma; /* the devices' matrix instructions have the bits of chains of fma */
  /* [TSR_JIT_MOST_ENTRIES] owned, atomic pointers, per place: what its device loaded, by number;
   * NULL: nothing yet; `refused`: there is no code */
  void **loaded[TSR_MAX_PLACES];
  /* owned, by dtype, axes, and whether there are indices; made when first wanted; atomic
   * pointers */
  tsr_kernel *nodes[TSR_N_DTYPES][TSR_MAX_NDIM + 1][2];
  int n_lanes;
  struct {
    void *data;
    size_t bytes;
  } * buffer; /* [n_lanes] owned */
};

static char refused;

#define MOST_REUSED_BYTES ((size_t)1 << 20) /* of a lane's buffer, for its next use */

static void warn_without(const tsr_world *w, const tsr_device *d)
{
  char rank[40] = "";
  if (w->size > 1) snprintf(rank, sizeof rank, " on rank %d", w->rank);
  if (tsr__device_runs_c(d))
    fprintf(stderr,
            "tessera: warning: TESSERA_CHECK_CODE=cuda needs a C compiler and a processor with "
            "fused multiply-adds%s; device %s runs C instead\n",
            rank, d->ops->name);
  else
    fprintf(stderr,
            "tessera: warning: there is no compiler for device %s%s; the host runs all kernels\n",
            d->ops->name, rank);
}

/* Has every rank a compiler for its devices? Plans depend on it, so it is agreed: one rank without
 * one is enough for all of them to do without. The lowest of those says so. */
static bool all_have_compilers(const tsr_world *w, const tsr_device *d, tsr_jit *jit)
{
  const tsr_status mine = tsr__jit_has_compiler(jit) ? TSR_OK : TSR_ERR_CONFIG;
  char lacks[] = "?";
  const tsr_status all =
      w->size > 1 ? tsr__agree_status(w->transport, mine, lacks, sizeof lacks) : mine;
  if (mine < 0 && lacks[0] != '\0' && strcmp(w->config.jit, "off") != 0) warn_without(w, d);
  return all == TSR_OK;
}

tsr_launcher *tsr__launcher_create(const tsr_world *w, int n_lanes)
{
  const tsr_device *d = w->places[0].device;
  if (d->ops->load == NULL) return NULL;
  if (tsr__device_runs_c(d) && strcmp(w->config.check_code, "cuda") != 0) return NULL;
  tsr_jit *jit = tsr__jit_of_cuda(w->machine, d->ops->architecture(d));
  if (!all_have_compilers(w, d, jit)) return NULL;
  tsr_launcher *l = tsr__calloc(1, sizeof *l);
  l->jit = jit;
  l->exact_mma = tsr__cuda_is_mma_exact(d->ops->architecture(d));
  l->n_lanes = n_lanes;
  l->pins = w->pins;
  l->buffer = tsr__calloc((size_t)n_lanes, sizeof *l->buffer);
  l->speaks = w->rank == 0 || w->config.debug > 0;
  for (int i = 0; i < w->n_places; i++) {
    l->loaded[i] = tsr__calloc(TSR_JIT_MOST_ENTRIES, sizeof *l->loaded[i]);
    tsr_device *pretended = w->places[i].device;
    if (!tsr__device_runs_c(pretended)) continue;
    pretended->only_code = true;
    pretended->seed = (uint64_t)w->config.seed;
  }
  return l;
}

void tsr__launcher_destroy(tsr_launcher *l)
{
  if (l == NULL) return;
  for (int i = 0; i < TSR_MAX_PLACES; i++) free(l->loaded[i]);
  for (int i = 0; i < TSR_N_DTYPES; i++)
    for (int ndim = 0; ndim <= TSR_MAX_NDIM; ndim++)
      for (int has_index = 0; has_index < 2; has_index++)
        tsr__kernel_destroy(l->nodes[i][ndim][has_index]);
  for (int i = 0; i < l->n_lanes; i++)
    tsr__pins_free(l->pins, l->buffer[i].data, l->buffer[i].bytes);
  free(l->buffer);
  free(l);
}

const tsr_kernel *tsr__launcher_nodes(tsr_launcher *l, int ndim, tsr_dtype dtype, bool has_index)
{
  tsr_kernel **entry = &l->nodes[dtype][ndim][has_index], *none = NULL;
  if (__atomic_load_n(entry, __ATOMIC_ACQUIRE) != NULL) return *entry;
  tsr_kernel *mine = tsr__cuda_node_kernel(ndim, dtype, has_index);
  if (!__atomic_compare_exchange_n(entry, &none, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    tsr__kernel_destroy(mine);
  return __atomic_load_n(entry, __ATOMIC_ACQUIRE);
}

void *tsr__launcher_buffer(tsr_launcher *l, int lane, size_t bytes)
{
  TSR_ASSERT(lane >= 0 && lane < l->n_lanes);
  if (l->buffer[lane].bytes >= bytes && l->buffer[lane].bytes <= MOST_REUSED_BYTES)
    return l->buffer[lane].data;
  const size_t rounded = (bytes + 4095) / 4096 * 4096;
  tsr__pins_free(l->pins, l->buffer[lane].data, l->buffer[lane].bytes);
  l->buffer[lane].data = tsr__pins_alloc(l->pins, rounded);
  l->buffer[lane].bytes = rounded;
  return l->buffer[lane].data;
}

static bool is_empty(const tsr_kernel *k, const tsr_kernel_bind *bind)
{
  for (int i = 0; i < k->ndim; i++)
    if (bind->n[i] <= 0) return true;
  return false;
}

void tsr__launcher_want(const tsr_launcher *l, const tsr_kernel *k, const tsr_kernel_bind *bind)
{
  tsr_cuda_launch launch;
  if (tsr__cuda_launch_make(k, bind, &launch)) tsr__launcher_want_launch(l, k, &launch);
}

void tsr__launcher_want_launch(const tsr_launcher *l, const tsr_kernel *k,
                               const tsr_cuda_launch *launch)
{
  tsr__jit_want_launch(l->jit, k, launch);
}

/* Threads may load the same code at once; a device gives the same for it each time. */
static void *load(const tsr_launcher *l, tsr_device *d, const tsr_kernel *k,
                  const tsr_cuda_launch *launch, void **entry)
{
  tsr_jit_code code;
  char why[400] = "it could not be compiled";
  void *loaded = NULL, *none = NULL;
  const bool is_ready = tsr__jit_code(l->jit, k, launch, true, &code);
  if (!is_ready && code.is_queued) return NULL;
  if (is_ready)
    loaded = d->ops->load(d, code.image->at, code.image->bytes, code.name, launch->shared_bytes,
                          why, sizeof why);
  if (loaded != NULL) {
    __atomic_store_n(entry, loaded, __ATOMIC_RELEASE);
  } else if (tsr__device_status(d) == TSR_OK && /* else the device has failed, not the code */
             __atomic_compare_exchange_n(entry, &none, &refused, false, __ATOMIC_RELAXED,
                                         __ATOMIC_RELAXED) &&
             l->speaks) {
    fprintf(stderr,
            "tessera: warning: kernel %s has no code for device %s %d, so the host runs it: %s\n",
            code.name, d->ops->name, d->number, why);
  }
  return loaded;
}

static void warn_full(tsr_launcher *l, const tsr_device *d)
{
  if (__atomic_exchange_n(&l->said_full, true, __ATOMIC_RELAXED) || !l->speaks) return;
  fprintf(stderr,
          "tessera: warning: this process has %d kernels and forms of them for device %s, the most "
          "that it keeps; the host runs what is new\n",
          TSR_JIT_MOST_ENTRIES, d->ops->name);
}

void tsr__launcher_warn_blas(tsr_launcher *l, const tsr_device *d, const char *why)
{
  if (__atomic_exchange_n(&l->said_blas, true, __ATOMIC_RELAXED) || !l->speaks) return;
  fprintf(stderr,
          "tessera: warning: device %s %d computes a product of matrices without its library: %s\n",
          d->ops->name, d->number, why);
}

static void *find_code(tsr_launcher *l, tsr_device *d, int here, const tsr_kernel *k,
                       const tsr_cuda_launch *launch)
{
  tsr_jit_code code;
  tsr__jit_code(l->jit, k, launch, false, &code);
  if (code.number < 0) {
    warn_full(l, d);
    return NULL;
  }
  void **entry = &l->loaded[here][code.number];
  void *loaded = __atomic_load_n(entry, __ATOMIC_ACQUIRE);
  if (loaded == &refused) return NULL;
  return loaded != NULL ? loaded : load(l, d, k, launch, entry);
}

bool tsr__launcher_put(tsr_launcher *l, tsr_device *d, int here, const tsr_kernel *k,
                       const tsr_kernel_bind *bind)
{
  tsr_cuda_launch launch;
  if (is_empty(k, bind)) return true;
  return tsr__cuda_launch_make(k, bind, &launch) &&
         tsr__launcher_put_launch(l, d, here, k, &launch);
}

/* Does something with each launch of a product. Returns false at the first that could not be. */
static bool each_launch(const tsr_launcher *l, const tsr_kernel *k, const tsr_kernel_bind *bind,
                        bool (*call)(void *arg, const tsr_kernel *k, const tsr_cuda_launch *launch),
                        void *arg)
{
  tsr_cuda_launch launch;
  int64_t done = 0;
  do {
    if (!tsr__cuda_product_launch(k, bind, l->exact_mma, &done, &launch)) return true;
    if (!call(arg, k, &launch)) return false;
  } while (done < bind->n[k->ndim - 1]);
  return true;
}

typedef struct putting {
  tsr_launcher *l;
  tsr_device *d;
  int here;
} putting;

static bool want_one(void *arg, const tsr_kernel *k, const tsr_cuda_launch *launch)
{
  tsr__launcher_want_launch(((const putting *)arg)->l, k, launch);
  return true;
}

static bool has_one(void *arg, const tsr_kernel *k, const tsr_cuda_launch *launch)
{
  const putting *p = arg;
  return tsr__launcher_has(p->l, p->d, p->here, k, launch);
}

static bool put_one(void *arg, const tsr_kernel *k, const tsr_cuda_launch *launch)
{
  const putting *p = arg;
  return tsr__launcher_put_launch(p->l, p->d, p->here, k, launch);
}

void tsr__launcher_want_product(tsr_launcher *l, const tsr_kernel *k, const tsr_kernel_bind *bind)
{
  each_launch(l, k, bind, want_one, &(putting){.l = l});
}

bool tsr__launcher_put_product(tsr_launcher *l, tsr_device *d, int here, const tsr_kernel *k,
                               const tsr_kernel_bind *bind)
{
  putting p = {l, d, here};
  return each_launch(l, k, bind, has_one, &p) && each_launch(l, k, bind, put_one, &p);
}

bool tsr__launcher_has(tsr_launcher *l, tsr_device *d, int here, const tsr_kernel *k,
                       const tsr_cuda_launch *launch)
{
  return find_code(l, d, here, k, launch) != NULL;
}

bool tsr__launcher_put_launch(tsr_launcher *l, tsr_device *d, int here, const tsr_kernel *k,
                              const tsr_cuda_launch *launch)
{
  void *code = find_code(l, d, here, k, launch);
  if (code == NULL) return false;
  const tsr_code_launch put = {.code = code,
                               .grid = {launch->grid[0], launch->grid[1]},
                               .threads = TSR_CUDA_THREADS,
                               .n_words = launch->n_words,
                               .words = launch->words,
                               .shared_bytes = launch->shared_bytes};
  tsr__device_put_code(d, &put);
  return true;
}
