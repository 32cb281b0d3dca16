/* Functions of libraries that are opened while the program runs. */
#ifndef TSR_LIBRARY_H
#define TSR_LIBRARY_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/** Opens the first of the names, which end with NULL, that the loader or a path leads to. It stays in
 * the process when it is closed, as its threads may be anywhere in it. NULL: none does; `why` says
 * so of the first name. */
static inline void *tsr__library_open(const char *const *names, char *why, size_t size)
{
  for (const char *const *name = names; *name != NULL; name++) {
    void *const library = dlopen(*name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library != NULL) return library;
  }
  snprintf(why, size, "%s is not on this machine, or not where the loader finds it", names[0]);
  return NULL;
}

/** Finds a function of a library that dlopen gave; `function` points to a pointer to one, NULL is
 * written there if there is none. Returns whether there is one. */
static inline bool tsr__library_find(void *library, const char *name, void *function)
{
  void *const found = dlsym(library, name);
  memcpy(function, &found, sizeof found);
  return found != NULL;
}

#endif
