/* What the stand-in for the driver, which the device has opened, knows of its use. */
#ifndef TSR_TESTS_FAKES_KNOWN_H
#define TSR_TESTS_FAKES_KNOWN_H

#include <dlfcn.h>
#include <string.h>

#include <criterion/criterion.h>

/* Finds a function of the stand-in. */
static inline void fake_find(const char *name, void *function)
{
  void *fake = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  void *symbol = fake != NULL ? dlsym(fake, name) : NULL;
  cr_assert_not_null(symbol, "this is no stand-in");
  memcpy(function, &symbol, sizeof symbol);
}

/* What was not given back. */
static inline int n_leaks(void)
{
  int (*leaks)(void);
  fake_find("fake_cuda_leaks", &leaks);
  return leaks();
}

/* How many copies came from or went to pageable memory. */
static inline int n_pageable(void)
{
  int (*count)(void);
  fake_find("fake_cuda_n_pageable", &count);
  return count();
}

/* How often entries were called whose names begin so. */
static inline int n_calls(const char *beginning)
{
  int (*count)(const char *);
  fake_find("fake_cuda_n_calls", &count);
  return count(beginning);
}

/* What is pinned of the host's memory. */
static inline size_t pinned_bytes(void)
{
  size_t (*bytes)(void);
  fake_find("fake_cuda_pinned_bytes", &bytes);
  return bytes();
}

#endif
