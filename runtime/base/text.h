/* Growing texts, and numbers with a point in any locale. */
#ifndef TSR_BASE_TEXT_H
#define TSR_BASE_TEXT_H

#include "tessera/base.h"
#include <stdarg.h>

/** Between begin and end the calling thread writes and reads numbers with a point, whatever locale
 * the program chose by setlocale. The result of begin goes to end. Cheap; takes no lock. */
void *tsr__plain_numbers_begin(void);
void tsr__plain_numbers_end(void *before);
/** strtod that reads a point in any locale. */
double tsr__plain_number(const char *text);

/** A growing text. Numbers are written with a point. */
typedef struct tsr_text {
  char *s; /* terminated; NULL while empty; malloc'd */
  size_t n, capacity;
} tsr_text;
void tsr__text_add(tsr_text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void tsr__text_vadd(tsr_text *t, const char *fmt, va_list args)
    __attribute__((format(printf, 2, 0)));
void tsr__text_free(tsr_text *t);
/** How many letters to insert, remove, change or swap with their neighbour to make b of a. Only the
 * first 64 letters of each count. */
size_t tsr__edit_distance(const char *a, const char *b);

#endif
