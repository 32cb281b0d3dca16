/* Hash tables: see table.h. */
#include "runtime/base/table.h"
#include "runtime/base/alloc.h"
#include "runtime/base/error.h"

#include <stdlib.h>
#include <string.h>

uint64_t tsr__hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
  const char *p = bytes;
  uint64_t word;
  for (; n >= sizeof word; p += sizeof word, n -= sizeof word) {
    memcpy(&word, p, sizeof word);
    hash = tsr__hash_word(hash, word);
  }
  if (n == 0) return hash;
  word = n;
  memcpy(&word, p, n);
  return tsr__hash_word(hash, word);
}

uint64_t tsr__hash_text(const char *text)
{
  return tsr__hash_bytes(0, text, strlen(text));
}

static void put_value(tsr_table *t, uint64_t hash, void *value)
{
  uint32_t at = (uint32_t)hash;
  while (t->v[at & (t->capacity - 1)].value != NULL) at++;
  t->v[at & (t->capacity - 1)] = (struct tsr_table_entry){hash, value};
}

/* Moves all values that there are to new entries. */
static void rehash(tsr_table *t, uint32_t capacity)
{
  const tsr_table old = *t;
  t->capacity = capacity;
  t->v = tsr__calloc(capacity, sizeof *t->v);
  for (uint32_t i = 0; i < old.capacity; i++)
    if (old.v[i].value != NULL) put_value(t, old.v[i].hash, old.v[i].value);
  free(old.v);
}

void tsr__table_add(tsr_table *t, uint64_t hash, void *value)
{
  if (t->n + 1 > t->capacity / 4 * 3) rehash(t, t->capacity > 0 ? 2 * t->capacity : 16);
  put_value(t, hash, value);
  t->n++;
}

/* Values behind the one that goes move up, unless that would put them before where their hash says,
 * so that searches, which end at a free entry, find them. Source: Knuth, The Art of Computer
 * Programming 3, section 6.4, algorithm R. */
void tsr__table_remove(tsr_table *t, uint64_t hash, const void *value)
{
  const uint32_t mask = t->capacity - 1;
  uint32_t gap = (uint32_t)hash & mask;
  while (t->v[gap].value != value) {
    TSR_ASSERT(t->v[gap].value != NULL);
    gap = (gap + 1) & mask;
  }
  for (uint32_t at = (gap + 1) & mask; t->v[at].value != NULL; at = (at + 1) & mask) {
    const uint32_t wanted = (uint32_t)t->v[at].hash & mask;
    if (((at - wanted) & mask) < ((at - gap) & mask)) continue;
    t->v[gap] = t->v[at];
    gap = at;
  }
  t->v[gap].value = NULL;
  t->n--;
}

void tsr__table_filter(tsr_table *t, bool (*keeps)(void *value))
{
  for (uint32_t i = 0; i < t->capacity; i++) {
    if (t->v[i].value == NULL || keeps(t->v[i].value)) continue;
    t->v[i].value = NULL;
    t->n--;
  }
  if (t->capacity > 0) rehash(t, t->capacity);
}

void tsr__table_clear(tsr_table *t)
{
  if (t->n > 0) memset(t->v, 0, t->capacity * sizeof *t->v);
  t->n = 0;
}

void tsr__table_free(tsr_table *t)
{
  free(t->v);
  *t = (tsr_table){.n = 0};
}
