/* Numbers of arrays that all ranks have let go. */
#include "scheduler/memory/releases.h"
#include "runtime/base/alloc.h"
#include "runtime/base/table.h"
#include "runtime/transport/transport.h"

#include <stdlib.h>
#include <string.h>

tsr_releases *tsr__releases_create(void)
{
  tsr_releases *r = tsr__calloc(1, sizeof *r);
  pthread_mutex_init(&r->lock, NULL);
  return r;
}

void tsr__releases_destroy(tsr_releases *r)
{
  free(r->ids);
  free(r->agreed);
  pthread_mutex_destroy(&r->lock);
  free(r);
}

void tsr__releases_add(tsr_releases *r, uint64_t id)
{
  pthread_mutex_lock(&r->lock);
  r->ids = tsr__grow(r->ids, &r->capacity, r->n + 1, sizeof *r->ids);
  r->ids[r->n++] = id;
  r->is_changed = true;
  pthread_mutex_unlock(&r->lock);
}

static int ascending(const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

uint64_t tsr__releases_ask(tsr_releases *r, bool *is_changed)
{
  pthread_mutex_lock(&r->lock);
  *is_changed = r->is_changed;
  r->is_changed = false;
  r->n_asked = r->n;
  if (r->n > 1) qsort(r->ids, (size_t)r->n, sizeof *r->ids, ascending);
  uint64_t hash = (uint64_t)r->n;
  for (int32_t i = 0; i < r->n; i++) hash = tsr__hash_word(hash, r->ids[i]);
  pthread_mutex_unlock(&r->lock);
  return hash;
}

/* Keeps of the first n of `ids` those that are among the `n_other` of `other`; both ascend. */
static size_t keep_common(uint64_t *ids, size_t n, const uint64_t *other, size_t n_other)
{
  size_t n_common = 0;
  for (size_t i = 0, k = 0; i < n; i++) {
    while (k < n_other && other[k] < ids[i]) k++;
    if (k < n_other && other[k] == ids[i]) ids[n_common++] = ids[i];
  }
  return n_common;
}

/* Leaves in `common`, which holds this rank's n, what all ranks have. */
static tsr_status intersect(tsr_transport *t, int size, uint64_t *common, size_t *n)
{
  uint64_t mine = *n, *counts = tsr__malloc((size_t)size * sizeof *counts), most = 0;
  tsr_status status = tsr__allgather(t, &mine, sizeof mine, counts);
  for (int k = 0; k < size && status == TSR_OK; k++)
    if (counts[k] > most) most = counts[k];
  uint64_t *padded = tsr__calloc(most + 1, sizeof *padded);
  uint64_t *all = tsr__malloc((size_t)size * (most + 1) * sizeof *all);
  if (*n > 0) memcpy(padded, common, *n * sizeof *common);
  if (status == TSR_OK) status = tsr__allgather(t, padded, (most + 1) * sizeof *padded, all);
  for (int k = 0; k < size && status == TSR_OK; k++)
    *n = keep_common(common, *n, all + (size_t)k * (most + 1), counts[k]);
  free(counts);
  free(padded);
  free(all);
  return status;
}

tsr_status tsr__releases_agree(tsr_releases *r, tsr_transport *t, int size, bool are_equal)
{
  pthread_mutex_lock(&r->lock);
  size_t n = (size_t)r->n_asked;
  int32_t n_left = 0;
  uint64_t *common = tsr__malloc((n + 1) * sizeof *common);
  if (n > 0) memcpy(common, r->ids, n * sizeof *common); /* else there may be no list yet */
  pthread_mutex_unlock(&r->lock); /* others may add, behind the first n_asked */
  const tsr_status status = are_equal ? TSR_OK : intersect(t, size, common, &n);
  if (status < 0) n = 0;
  pthread_mutex_lock(&r->lock);
  size_t k = 0;
  for (int32_t i = 0; i < r->n; i++) {
    const bool is_common = i < r->n_asked && k < n && r->ids[i] == common[k];
    k += is_common;
    if (!is_common) r->ids[n_left++] = r->ids[i];
  }
  r->n = n_left;
  if (r->n_taken == r->n_agreed) r->n_taken = r->n_agreed = 0;
  r->agreed = tsr__realloc(r->agreed, (r->n_agreed + n + 1) * sizeof *common);
  memcpy(r->agreed + r->n_agreed, common, n * sizeof *common);
  r->n_agreed += n;
  pthread_mutex_unlock(&r->lock);
  free(common);
  return status;
}
