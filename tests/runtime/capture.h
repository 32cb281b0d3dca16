/* Captures what a function writes to stderr, also a function that ends its process. */
#ifndef TESSERA_TEST_CAPTURE_H
#define TESSERA_TEST_CAPTURE_H

#include "tests/support/child.h"

/** Runs fn in a child; its stderr in text (terminated). Returns the signal that ended the child, or
 * 0. */
static inline int capture_stderr(void (*fn)(void), char *text, size_t size)
{
  const int status = run_in_child(NULL, fn, text, size);
  return status == 256 ? -1 : status < 0 ? -status : 0;
}

#endif
