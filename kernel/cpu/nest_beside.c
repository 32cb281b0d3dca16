/* Loads of one array that lie near each other: along a row, where compiled code makes them of each
 * other's vectors, and in rows that follow each other, which are run strip by strip. */
#include "kernel/cpu/nest.h"

#include "runtime/base/error.h"

#include <stdlib.h>

/* MOST_SOURCES: streams that others are beside, of which three vectors stay in registers each.
 * STRIP_BYTES: what a strip's rows take of the first-level cache. STRIP_LEAST: points of a strip.
 * STRIPPED_BYTES: what the runs touch that have strips; more would come from afar, where long rows
 * are fetched ahead. */
enum { MOST_SOURCES = 6, STRIP_BYTES = 16 << 10, STRIP_LEAST = 128, STRIPPED_BYTES = 1 << 19 };
/* VECTOR_BYTES: of the vectors that an instruction shifts as a whole. */
enum { VECTOR_BYTES = 64 };

/* May the stream be made of another's vectors? It is a load along the row of elements of 4 or 8
 * bytes, in vectors of VECTOR_BYTES, from memory that the kernel does not store. */
static bool may_be_beside(const tsr_kernel *k, const tsr_nest *nest, int lanes, int s)
{
  const tsr_kernel_access *a = &k->accesses[s];
  const int size = (int)tsr__dtype_size(a->dtype);
  return nest->classes[s] == TSR_CLASS_UNIT && !a->is_store && lanes * size == VECTOR_BYTES &&
         (size == 4 || size == 8) && !tsr__dtype_is_complex((tsr_dtype)a->dtype) &&
         !tsr__nest_stores(k, s);
}

/* Are two streams less than a vector apart? This is asked first, as a fold has many loads, of which
 * no two are. */
static inline bool are_close(const tsr_nest *nest, int a, int b)
{
  return (uint64_t)(nest->base[b] - nest->base[a] + VECTOR_BYTES - 1) < 2 * VECTOR_BYTES - 1;
}

/* Are two streams close, a whole number of elements apart, and along the same rows of memory? */
static bool are_near(const tsr_kernel *k, const tsr_nest *nest, int a, int b)
{
  const int64_t apart = nest->base[b] - nest->base[a];
  if (!are_close(nest, a, b) || k->accesses[a].dtype != k->accesses[b].dtype) return false;
  if (apart % (int64_t)tsr__dtype_size(k->accesses[a].dtype) != 0) return false;
  for (int axis = 1; axis < nest->axes.n_axes; axis++)
    if (nest->axes.stride[axis][a] != nest->axes.stride[axis][b]) return false;
  return true;
}

/* The first store along the row, whose vectors compiled code aligns; -1: there is none. */
static int first_store(const tsr_kernel *k, const tsr_nest *nest)
{
  for (int a = 0; a < k->n_accesses; a++)
    if (k->accesses[a].is_store && nest->classes[a] == TSR_CLASS_UNIT) return a;
  return -1;
}

/* Are a stream's vectors whole lines of the cache in every row where the store's are? */
static bool has_lines_of(const tsr_nest *nest, int store, int a)
{
  if (store < 0 || (nest->base[a] - nest->base[store]) % VECTOR_BYTES != 0) return false;
  for (int axis = 1; axis < nest->axes.n_axes; axis++)
    if ((nest->axes.stride[axis][a] - nest->axes.stride[axis][store]) % VECTOR_BYTES != 0)
      return false;
  return true;
}

/* Of the streams near stream a that are beside none, the one that others are made of: one whose
 * vectors are lines, as a load of two lines costs two, and that is near all, or else the one in the
 * middle; -1 if a is alone. */
static int source_of(const tsr_kernel *k, const tsr_nest *nest, const bool *may, int store, int a)
{
  const char *least = nest->base[a], *most = nest->base[a];
  bool any = false;
  for (int b = a + 1; b < k->n_accesses; b++) {
    if (!are_close(nest, a, b) || !may[b] || !are_near(k, nest, a, b)) continue;
    any = true;
    if (nest->base[b] < least) least = nest->base[b];
    if (nest->base[b] > most) most = nest->base[b];
  }
  if (!any) return -1;
  int found = a;
  for (int b = a; b < k->n_accesses; b++) {
    if (!may[b] || !are_near(k, nest, a, b)) continue;
    const int64_t before = nest->base[b] - least, behind = most - nest->base[b];
    if (before < VECTOR_BYTES && behind < VECTOR_BYTES && has_lines_of(nest, store, b)) return b;
    const int64_t off = llabs(before - behind);
    if (off < llabs((nest->base[found] - least) - (most - nest->base[found]))) found = b;
  }
  return found;
}

void tsr__nest_find_beside(const tsr_kernel *k, int lanes, tsr_nest *nest)
{
  const int n = nest->axes.n_streams;
  bool may[TSR_NEST_STREAMS];
  int n_may = 0;
  nest->n_form = n;
  for (int a = 0; a < k->n_accesses; a++) n_may += may[a] = may_be_beside(k, nest, lanes, a);
  if (n_may < 2) return;
  for (int s = 0; s < n; s++) nest->classes[n + s] = 0;
  const int store = first_store(k, nest);
  int n_sources = 0;
  for (int a = 0; a < k->n_accesses && n_sources < MOST_SOURCES; a++) {
    if (!may[a]) continue;
    const int source = source_of(k, nest, may, store, a);
    if (source < 0) continue;
    bool any = false;
    for (int b = a; b < k->n_accesses; b++) {
      const int64_t apart = nest->base[b] - nest->base[source];
      if (!may[b] || b == source || apart == 0 || !are_near(k, nest, source, b)) continue;
      nest->classes[b] =
          (uint8_t)(TSR_CLASS_BESIDE + apart / (int64_t)tsr__dtype_size(k->accesses[b].dtype));
      nest->classes[n + b] = (uint8_t)source;
      may[b] = false;
      any = true;
    }
    may[a] = may[source] = false;
    n_sources += any;
    if (any) nest->n_form = 2 * n;
  }
}

/* Does another load of the same memory go a row before or behind this one? */
static bool has_row_beside(const tsr_kernel *k, const tsr_nest *nest, int a)
{
  const int64_t row = nest->axes.stride[1][a];
  for (int b = 0; b < k->n_accesses; b++) {
    if (b == a || k->accesses[b].is_store || nest->axes.stride[1][b] != row) continue;
    const int64_t apart = nest->base[b] - nest->base[a];
    if (apart == row || apart == -row) return true;
  }
  return false;
}

void tsr__nest_find_strip(const tsr_kernel *k, tsr_nest *nest)
{
  if (nest->axes.n_axes < 2) return;
  int64_t bytes = 0;
  bool any = false;
  for (int a = 0; a < k->n_accesses; a++) {
    if (nest->classes[a] != TSR_CLASS_UNIT) continue;
    bytes += (int64_t)tsr__dtype_size(k->accesses[a].dtype);
    any = any || (!k->accesses[a].is_store && has_row_beside(k, nest, a));
  }
  const int64_t strip = any ? STRIP_BYTES / bytes / STRIP_LEAST * STRIP_LEAST : 0;
  if (strip == 0 || bytes * nest->axes.n[0] < 2 * STRIP_BYTES) return;
  if (bytes * nest->axes.n[0] * nest->axes.n[1] > STRIPPED_BYTES) return;
  nest->strip = (int32_t)strip;
}
