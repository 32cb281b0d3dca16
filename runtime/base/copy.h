/* Copies of long rows. */
#ifndef TSR_COPY_H
#define TSR_COPY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** memcpy, also where `to` begins a few bytes above `from` in its page, as a row that is copied one
 * element further does. There the processor's instruction for strings, which the C library uses for
 * long rows, takes 15 times as long: each load looks as if it had to wait for the store before it.
 * Equal pieces of less than 2 KB are copied by vectors. */
static inline void tsr__copy(void *to, const void *from, size_t bytes)
{
  enum { PAGE = 4096, NEAR = 64, MOST = 1984 };
  const size_t above = ((uintptr_t)to - (uintptr_t)from) % PAGE;
  /* Of a piece whose length is a constant, compilers make that instruction again. */
  const size_t piece = above - 1 < NEAR - 1 ? bytes / (bytes / MOST + 1) : bytes;
  for (; bytes > piece; bytes -= piece) {
    memcpy(to, from, piece);
    to = (char *)to + piece;
    from = (const char *)from + piece;
  }
  memcpy(to, from, bytes);
}

#endif
