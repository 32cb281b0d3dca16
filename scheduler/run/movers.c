/* Movers: the identity over unsigned integers, or pairs of numbers, as long as the element. */
#include "scheduler/run/movers.h"

#include "kernel/compile/traits.h"
#include "runtime/base/alloc.h"

#include <stdlib.h>

enum { N_SIZES = 5 }; /* sizes of elements: powers of two up to 16 bytes */

struct tsr_movers {
  struct {
    tsr_kernel *kernel;
    tsr_kernel_traits traits;
  } of[N_SIZES]; /* by log2 of the element's bytes */
};

void tsr__movers_destroy(tsr_scheduler *s)
{
  if (s->movers == NULL) return;
  for (int i = 0; i < N_SIZES; i++) tsr__kernel_destroy(s->movers->of[i].kernel);
  free(s->movers);
}

static int size_class(size_t elem_bytes)
{
  return __builtin_ctzll(elem_bytes);
}

static tsr_kernel *make_mover(int size)
{
  static const tsr_dtype dtypes[N_SIZES] = {TSR_DTYPE_UINT8, TSR_DTYPE_UINT16, TSR_DTYPE_UINT32,
                                            TSR_DTYPE_UINT64, TSR_DTYPE_COMPLEX128};
  tsr_kernel_builder *b = tsr__kernel_builder_create(TSR_MAX_NDIM);
  const int from = tsr__kernel_access_add(b, dtypes[size], false, 0, 0);
  const int to = tsr__kernel_access_add(b, dtypes[size], true, 1, 0);
  tsr__kernel_store(b, to, tsr__kernel_load(b, from));
  tsr_kernel *k = tsr__kernel_finish(b);
  tsr__kernel_prepare(k);
  return k;
}

void tsr__movers_create(tsr_scheduler *s)
{
  if (tsr__world_is_host(s->world)) return;
  s->movers = tsr__calloc(1, sizeof *s->movers);
  for (int size = 0; size < N_SIZES; size++) {
    tsr_kernel *k = make_mover(size);
    s->movers->of[size].kernel = k;
    s->movers->of[size].traits = tsr__kernel_traits(k);
    if (s->launcher == NULL) s->movers->of[size].traits.features |= TSR_TRAIT_NO_TEXT;
  }
}

const tsr_kernel *tsr__mover(const tsr_scheduler *s, size_t elem_bytes)
{
  const int size = size_class(elem_bytes);
  TSR_ASSERT(size < N_SIZES && elem_bytes == (size_t)1 << size);
  const bool runs = tsr__device_supports(s->world->places[0].device, &s->movers->of[size].traits);
  return runs ? s->movers->of[size].kernel : NULL;
}
