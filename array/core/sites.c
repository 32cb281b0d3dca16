/* Call sites of C++ callers, which cannot declare a static record inside an expression: one record
 * per site, made at its first call and kept by the context. Keyed by the addresses of the
 * compiler's own strings: a site seen twice under different addresses would only get two equal
 * records. */
#include "array/core/array_int.h"
#include "runtime/base/alloc.h"

#include <stdlib.h>

struct tsr_sites {
  tsr_location **slots; /* open addressing, NULL: free */
  uint32_t n, capacity; /* capacity: a power of two */
};

static uint64_t hash_of(const char *file, int line, const char *op)
{
  uint64_t h = (uint64_t)(uintptr_t)file * 31 + (uint64_t)line * 7 + (uint64_t)(uintptr_t)op;
  return (h * 0x9E3779B97F4A7C15u) >> 32;
}

static void sites_grow(struct tsr_sites *t)
{
  struct tsr_sites old = *t;
  t->capacity = old.capacity ? 2 * old.capacity : 64;
  t->slots = tsr__calloc(t->capacity, sizeof(*t->slots));
  for (uint32_t i = 0; i < old.capacity; i++) {
    if (!old.slots[i]) continue;
    const tsr_location *l = old.slots[i];
    uint32_t at = (uint32_t)hash_of(l->file, l->line, l->op);
    while (t->slots[at & (t->capacity - 1)]) at++;
    t->slots[at & (t->capacity - 1)] = old.slots[i];
  }
  free(old.slots);
}

const tsr_location *tsr_site(const char *file, int line, const char *function, const char *op)
{
  TSR_IN_CALL tsr_context *c = tsr__call_enter(&(tsr_location){.op = op});
  if (!c->sites) c->sites = tsr__calloc(1, sizeof *c->sites);
  struct tsr_sites *t = c->sites;
  if (2 * (t->n + 1) > t->capacity) sites_grow(t);
  uint32_t at = (uint32_t)hash_of(file, line, op);
  for (;; at++) {
    tsr_location **slot = &t->slots[at & (t->capacity - 1)];
    if (!*slot) {
      *slot = tsr__malloc(sizeof **slot);
      **slot =
          (tsr_location){.file = file, .function = function, .line = line, .op = op, .args = ""};
      t->n++;
      return *slot;
    }
    if ((*slot)->file == file && (*slot)->line == line && (*slot)->op == op) return *slot;
  }
}

void tsr__sites_destroy(struct tsr_sites *sites)
{
  if (!sites) return;
  for (uint32_t i = 0; i < sites->capacity; i++) free(sites->slots[i]);
  free(sites->slots);
  free(sites);
}
