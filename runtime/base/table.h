/* Hashing, and tables of what is found by its hash. */
#ifndef TSR_TABLE_H
#define TSR_TABLE_H

#include "tessera/base.h"

static inline uint64_t tsr__hash_word(uint64_t hash, uint64_t word)
{
  hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
  return hash ^ hash >> 29;
}
uint64_t tsr__hash_bytes(uint64_t hash, const void *bytes, size_t n);
uint64_t tsr__hash_text(const char *text);

/** A hash table with open addressing and linear probing. It borrows its values. All fields zero: an
 * empty table. Not thread-safe. */
typedef struct tsr_table {
  struct tsr_table_entry {
    uint64_t hash;
    void *value;     /* NULL: the entry is free */
  } * v;             /* [capacity] owned */
  uint32_t n;        /* values in it */
  uint32_t capacity; /* 0, or a power of two; more than 4/3 of n */
} tsr_table;

/** The values with a hash, one after the other; NULL after the last:
 *    uint32_t at = 0; for (T *x; (x = tsr__table_next(&table, hash, &at)) != NULL;) … */
static inline void *tsr__table_next(const tsr_table *t, uint64_t hash, uint32_t *at)
{
  while (t->capacity > 0) {
    const struct tsr_table_entry *entry = &t->v[(hash + (*at)++) & (t->capacity - 1)];
    if (entry->value == NULL) break;
    if (entry->hash == hash) return entry->value;
  }
  return NULL;
}

/** Add a value, which may be equal to others. */
void tsr__table_add(tsr_table *t, uint64_t hash, void *value);
/** Remove a value that was added with this hash. */
void tsr__table_remove(tsr_table *t, uint64_t hash, const void *value);
/** All values, one after the other, in no order that means anything; NULL after the last:
 *    uint32_t at = 0; for (T *x; (x = tsr__table_each(&table, &at)) != NULL;) …
 * The table must not change meanwhile. */
static inline void *tsr__table_each(const tsr_table *t, uint32_t *at)
{
  while (*at < t->capacity) {
    void *value = t->v[(*at)++].value;
    if (value != NULL) return value;
  }
  return NULL;
}
/** Keep the values for which `keeps` is true. It may free the others. */
void tsr__table_filter(tsr_table *t, bool (*keeps)(void *value));
/** Remove all values; the table's memory stays. */
void tsr__table_clear(tsr_table *t);
/** Free the table, not its values. */
void tsr__table_free(tsr_table *t);

#endif
