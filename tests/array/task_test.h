/* What tests of users' tasks share. Ranks are threads, which count what is wrong. */
#ifndef TESSERA_TASK_TEST_H
#define TESSERA_TASK_TEST_H

#include "array_test.h"

#include <stdatomic.h>

typedef struct shared {
  _Atomic int failures;
} shared;

#define CHECK(s, cond)                                                                             \
  ((cond) ? 0                                                                                      \
          : (fprintf(stderr, "%s:%d: %s %s\n", __FILE__, __LINE__, #cond, tsr_last_error()),       \
             (s)->failures++))

/** Does an array have these values? */
static inline bool same(tsr_array x, const double *expected, int64_t n)
{
  double *got = malloc((size_t)(n + 1) * sizeof *got);
  bool ok = tsr_size(x) == n && tsr_to_host(tsr_astype(x, TSR_FLOAT64), got) == TSR_OK;
  for (int64_t i = 0; ok && i < n; i++) ok = got[i] == expected[i];
  free(got);
  return ok;
}

static inline void run_on(int n, const char *const *settings, void (*fn)(void *arg, int rank))
{
  shared s = {0};
  cr_expect_eq(tsr_run_ranks(n, settings, fn, &s), TSR_OK);
  cr_expect_eq(s.failures, 0, "%d ranks", n);
}

#endif
