/* The ranges are a table that is ordered by address, under one lock. Small memory is a pool of
 * slabs (pool.c), each a range that is pinned when it is made. */
#include "runtime/device/pins.h"

#include "runtime/base/alloc.h"
#include "runtime/base/error.h"
#include "runtime/device/device.h"
#include "runtime/device/pool.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  PAGE_BYTES = 4096,
  /* Copies of a whole range before it is pinned. What is copied once is not worth it: to pin takes
   * longer than a copy. Copies of pinned memory are faster and hold nobody up. */
  PIN_AFTER = 2,
  MOST_SMALL_BYTES = 1 << 20,
  MOST_POOL_BYTES = 64 << 20 /* of all small memory */
};

typedef struct range {
  char *at;
  size_t bytes, copied; /* copied: before it was pinned */
  bool is_pinned;
} range;

struct tsr_pins {
  pthread_mutex_t lock;
  tsr_device *device;
  range *ranges; /* ordered by address */
  int n, capacity;
  size_t pinned_bytes;
  tsr_device_pool *small;
  int rank;
  bool says, is_refused; /* is_refused: the system or the driver pins no more */
};

/* The number of ranges that begin at p or before it. */
static int n_before(const tsr_pins *pins, const void *p)
{
  int low = 0, high = pins->n;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if ((uintptr_t)pins->ranges[middle].at > (uintptr_t)p)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* The range that p is in; NULL: none. */
static range *find_range(const tsr_pins *pins, const void *p)
{
  const int i = n_before(pins, p) - 1;
  if (i < 0 || (uintptr_t)p - (uintptr_t)pins->ranges[i].at >= pins->ranges[i].bytes) return NULL;
  return &pins->ranges[i];
}

/* Memory that is there before the device has started is pinned when it is used often
 * (PIN_AFTER). */
static void pin(tsr_pins *pins, range *r)
{
  char why[200] = "";
  if (pins->is_refused || __atomic_load_n(&pins->device->waits, __ATOMIC_RELAXED)) return;
  r->is_pinned = pins->device->ops->pin(pins->device, r->at, r->bytes, why, sizeof why);
  if (r->is_pinned) {
    pins->pinned_bytes += r->bytes;
    return;
  }
  pins->is_refused = true;
  if (pins->says)
    fprintf(
        stderr,
        "tessera[%d]: %zu bytes of the host's memory could not be pinned, so copies of them are "
        "slower: %s\n",
        pins->rank, r->bytes, why);
}

static void unpin(tsr_pins *pins, range *r)
{
  if (!r->is_pinned) return;
  pins->device->ops->unpin(pins->device, r->at);
  pins->pinned_bytes -= r->bytes;
  r->is_pinned = false;
}

static void add_range(tsr_pins *pins, void *at, size_t bytes, bool at_once)
{
  pthread_mutex_lock(&pins->lock);
  pins->ranges = tsr__grow(pins->ranges, &pins->capacity, pins->n + 1, sizeof *pins->ranges);
  const int i = n_before(pins, at);
  TSR_ASSERT(find_range(pins, at) == NULL);
  memmove(&pins->ranges[i + 1], &pins->ranges[i], (size_t)(pins->n - i) * sizeof *pins->ranges);
  pins->ranges[i] = (range){.at = at, .bytes = bytes};
  pins->n++;
  if (at_once) pin(pins, &pins->ranges[i]);
  pthread_mutex_unlock(&pins->lock);
}

void tsr__pins_add(tsr_pins *pins, void *at, size_t bytes)
{
  if (pins != NULL) add_range(pins, at, bytes, false);
}

void tsr__pins_remove(tsr_pins *pins, void *at)
{
  if (pins == NULL) return;
  pthread_mutex_lock(&pins->lock);
  range *r = find_range(pins, at);
  TSR_ASSERT(r != NULL && r->at == at);
  unpin(pins, r);
  pins->n--;
  memmove(r, r + 1, (size_t)(pins->ranges + pins->n - r) * sizeof *r);
  pthread_mutex_unlock(&pins->lock);
}

bool tsr__pins_use(tsr_pins *pins, const void *at, size_t bytes)
{
  if (pins == NULL) return false;
  pthread_mutex_lock(&pins->lock);
  range *r = find_range(pins, at);
  if (r != NULL && !r->is_pinned) {
    r->copied += bytes;
    if (r->copied / PIN_AFTER >= r->bytes) pin(pins, r);
  }
  const bool is_pinned = r != NULL && r->is_pinned;
  pthread_mutex_unlock(&pins->lock);
  return is_pinned;
}

size_t tsr__pins_bytes(tsr_pins *pins)
{
  if (pins == NULL) return 0;
  pthread_mutex_lock(&pins->lock);
  const size_t bytes = pins->pinned_bytes;
  pthread_mutex_unlock(&pins->lock);
  return bytes;
}

/* Small memory. */

static void *take(void *context, size_t bytes)
{
  void *p = aligned_alloc(PAGE_BYTES, bytes);
  if (p != NULL) add_range(context, p, bytes, true);
  return p;
}

static void give(void *context, void *p)
{
  tsr__pins_remove(context, p);
  free(p);
}

void *tsr__pins_alloc(tsr_pins *pins, size_t bytes)
{
  void *p = NULL;
  if (pins != NULL && bytes <= MOST_SMALL_BYTES) p = tsr__device_pool_alloc(pins->small, bytes);
  if (p != NULL) return p;
  const size_t rounded = (bytes / 64 + 1) * 64;
  p = aligned_alloc(64, rounded);
  if (p == NULL) tsr__fatal("no memory for %zu bytes", bytes);
  return p;
}

void tsr__pins_free(tsr_pins *pins, void *p, size_t bytes)
{
  if (p == NULL) return;
  if (pins == NULL || bytes > MOST_SMALL_BYTES || !tsr__device_pool_free(pins->small, p, bytes))
    free(p);
}

tsr_pins *tsr__pins_create(tsr_device *d, int rank, bool says)
{
  if (d->ops->pin == NULL) return NULL;
  tsr_pins *pins = tsr__calloc(1, sizeof *pins);
  pthread_mutex_init(&pins->lock, NULL);
  pins->device = d;
  pins->rank = rank;
  pins->says = says;
  const tsr_pool_source source = {.context = pins, .take = take, .give = give};
  pins->small = tsr__device_pool_create(&source, MOST_POOL_BYTES);
  return pins;
}

void tsr__pins_destroy(tsr_pins *pins)
{
  if (pins == NULL) return;
  tsr__device_pool_destroy(pins->small);
  for (int i = 0; i < pins->n; i++) unpin(pins, &pins->ranges[i]);
  free(pins->ranges);
  pthread_mutex_destroy(&pins->lock);
  free(pins);
}
