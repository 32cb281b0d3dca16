/* Growing texts, whose buffers double and are terminated; numbers with a point in any locale. */
#include "runtime/base/alloc.h"
#include "runtime/base/text.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* C libraries keep one object for the locale "C", so making it allocates nothing. */
void *tsr__plain_numbers_begin(void)
{
  return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

void tsr__plain_numbers_end(void *before)
{
  const locale_t plain = uselocale((locale_t)before);
  if (plain != (locale_t)before) freelocale(plain);
}

double tsr__plain_number(const char *text)
{
  void *before = tsr__plain_numbers_begin();
  const double x = strtod(text, NULL);
  tsr__plain_numbers_end(before);
  return x;
}

static void reserve_bytes(tsr_text *t, size_t more)
{
  size_t needed = t->n + more + 1;
  if (needed <= t->capacity) return;
  size_t capacity = t->capacity ? t->capacity : 64;
  while (capacity < needed) capacity *= 2;
  t->s = tsr__realloc(t->s, capacity);
  t->capacity = capacity;
}

void tsr__text_add(tsr_text *t, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  tsr__text_vadd(t, fmt, args);
  va_end(args);
}

void tsr__text_vadd(tsr_text *t, const char *fmt, va_list args)
{
  va_list again;
  va_copy(again, args);
  void *before = tsr__plain_numbers_begin();
  reserve_bytes(t, 0);
  int n = vsnprintf(t->s + t->n, t->capacity - t->n, fmt, args);
  if (n > 0 && (size_t)n >= t->capacity - t->n) {
    reserve_bytes(t, (size_t)n);
    vsnprintf(t->s + t->n, t->capacity - t->n, fmt, again);
  }
  if (n > 0) t->n += (size_t)n;
  tsr__plain_numbers_end(before);
  va_end(again);
}

void tsr__text_free(tsr_text *t)
{
  free(t->s);
  *t = (tsr_text){0};
}

size_t tsr__edit_distance(const char *a, const char *b)
{
  enum { LONGEST = 64 };
  size_t rows[3][LONGEST + 1];
  size_t *before = rows[0], *above = rows[1], *row = rows[2];
  const size_t na = strnlen(a, LONGEST), nb = strnlen(b, LONGEST);
  for (size_t j = 0; j <= nb; j++) row[j] = j;
  for (size_t i = 1; i <= na; i++) {
    size_t *oldest = before;
    before = above;
    above = row;
    row = oldest;
    row[0] = i;
    for (size_t j = 1; j <= nb; j++) {
      size_t best = above[j - 1] + (a[i - 1] != b[j - 1]);
      if (above[j] + 1 < best) best = above[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      const bool may_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (may_swap && before[j - 2] + 1 < best) best = before[j - 2] + 1;
      row[j] = best;
    }
  }
  return row[nb];
}
