/* A hash table with one entry for each hash. A run replaces another when it comes there a
 * second time in turn, so that sizes which never come back cost little. The key is all that the
 * loops were made from, but for the addresses: where code for loads beside each other was chosen,
 * tsr__replay_run compares their distances. */
#include "kernel/compile/recent.h"
#include "kernel/compile/jit_int.h"
#include "runtime/base/alloc.h"
#include "runtime/base/error.h"

#include <stdlib.h>
#include <string.h>

/* MOST_STRIDES, MOST_BYTES: of a run that is remembered. */
enum { N_RUNS = 64, MOST_STRIDES = 64, MOST_BYTES = 1536 };

typedef struct recent_run {
  uint64_t last;              /* the hash of the last run that was not found here */
  const tsr_jit_entry *entry; /* NULL: there is none */
  uint64_t stream_store_mask;
  bool from_memory;
  int64_t n[TSR_MAX_NDIM]; /* points per axis of the kernel */
  int64_t stride[MOST_STRIDES];
  _Alignas(16) char replay[MOST_BYTES];
} recent_run;

struct tsr_recent_runs {
  recent_run runs[N_RUNS];
};

tsr_recent_runs *tsr__recent_create(void)
{
  return tsr__calloc(1, sizeof(tsr_recent_runs));
}

static uint64_t hash_of_binding(const tsr_kernel *k, const tsr_kernel_bind *bind)
{
  uint64_t hash = k->hash + bind->from_memory;
  for (int axis = 0; axis < k->ndim; axis++)
    hash = (hash ^ (uint64_t)bind->n[axis]) * 0x9e3779b97f4a7c15u;
  return hash;
}

static recent_run *entry_of(tsr_recent_runs *r, uint64_t hash)
{
  return &r->runs[hash >> 32 & (N_RUNS - 1)];
}

static bool is_alike(const recent_run *run, const tsr_kernel *k, const tsr_kernel_bind *bind)
{
  if (run->entry == NULL || run->from_memory != bind->from_memory ||
      run->stream_store_mask != bind->stream_store_mask)
    return false;
  for (int axis = 0; axis < k->ndim; axis++)
    if (run->n[axis] != bind->n[axis]) return false;
  const tsr_jit_entry *last =
      __atomic_load_n((tsr_jit_entry *const *)&k->compiled, __ATOMIC_ACQUIRE);
  if (run->entry != last && !tsr__kernel_equal(run->entry->kernel, k)) return false;
  for (int a = 0; a < k->n_accesses; a++)
    for (int axis = 0; axis < k->ndim; axis++)
      if (run->stride[a * k->ndim + axis] != bind->stride_bytes[a][axis]) return false;
  return true;
}

bool tsr__recent_run(tsr_recent_runs *r, const tsr_kernel *k, const tsr_kernel_bind *bind)
{
  recent_run *run = entry_of(r, hash_of_binding(k, bind));
  return is_alike(run, k, bind) &&
         tsr__replay_run((tsr_replay *)run->replay, bind->base, bind->scalars);
}

void tsr__recent_keep(tsr_recent_runs *r, const tsr_kernel *k, const tsr_kernel_bind *bind,
                      const tsr_nest *nest, const tsr_jit_entry *entry)
{
  if (k->iota_axes != 0 || k->n_accesses * k->ndim > MOST_STRIDES) return;
  const uint64_t hash = hash_of_binding(k, bind);
  recent_run *run = entry_of(r, hash);
  const bool is_again = run->last == hash;
  run->last = hash;
  if (!is_again) return;
  if (tsr__replay_bytes(nest, k) > MOST_BYTES) return;
  run->entry = NULL;
  tsr__replay_fill((tsr_replay *)run->replay, nest, entry->kernel,
                   (tsr_row_code)__atomic_load_n(&entry->code, __ATOMIC_ACQUIRE), entry->lanes,
                   entry->call);
  if (!tsr__replay_can_run((tsr_replay *)run->replay)) return;
  run->entry = entry;
  run->stream_store_mask = bind->stream_store_mask;
  run->from_memory = bind->from_memory;
  memcpy(run->n, bind->n, (size_t)k->ndim * sizeof *run->n);
  for (int a = 0; a < k->n_accesses; a++)
    memcpy(run->stride + a * k->ndim, bind->stride_bytes[a], (size_t)k->ndim * sizeof *run->stride);
}
