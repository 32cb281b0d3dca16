/* Functions of libraries that are opened while the program runs. */
#ifndef TSR_LIBRARY_H
#define TSR_LIBRARY_H

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

/** Finds a function of a library that dlopen gave; `function` points to a pointer to one, NULL is
 * written there if there is none. Returns whether there is one. */
static inline bool tsr__library_find(void *library, const char *name, void *function)
{
  void *const found = dlsym(library, name);
  memcpy(function, &found, sizeof found);
  return found != NULL;
}

#endif
