/* What the tests of the array layer share: a context of one rank that returns errors, and values
 * read back. */
#ifndef TESSERA_TEST_ARRAY_H
#define TESSERA_TEST_ARRAY_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "array/core/array_int.h"
#include "tests/support/child.h"

/** The whole suite also runs on places and with the device memory that the environment names. A
 * test like this one, whose counts or limits depend on them, runs on the device, but on its own
 * place of the usual memory. */
static inline void one_place_each(void)
{
  unsetenv("TESSERA_PLACES");
  unsetenv("TESSERA_DEVICES");
  unsetenv("TESSERA_DEVICE_MEMORY");
}

/** The whole suite also runs on devices that the environment names. What a test like this one
 * counts or limits itself is not theirs to change. */
static inline void no_devices_asked_for(void)
{
  one_place_each();
  unsetenv("TESSERA_DEVICE");
  unsetenv("TESSERA_LINK");
  unsetenv("TESSERA_PLACEMENT");
  unsetenv("TESSERA_COSTS");
}

/** Returns TESSERA_MEMORY as text, which has to live until the ranks have started, so that each of
 * n ranks has `bytes`: where they share a device, the setting is theirs together. */
static inline const char *memory_of_each(int n, size_t bytes, char text[32])
{
  char why[300];
  const char *name = getenv("TESSERA_DEVICE");
  const tsr_device_ops *kind = tsr__device_find(name != NULL ? name : "cpu");
  const bool are_shared = kind->count != NULL && !(kind->caps & TSR_DEVICE_IS_HOST);
  const int n_devices = are_shared ? kind->count(why, sizeof why) : 0;
  const int n_sharers = n_devices > 0 && n_devices < n ? (n + n_devices - 1) / n_devices : 1;
  snprintf(text, 32, "%zu", bytes * (size_t)n_sharers);
  return text;
}

static inline void begin(void)
{
  cr_assert_eq(tsr_init(NULL, NULL), TSR_OK);
  tsr_set_error_mode(TSR_ERRORS_RETURN);
}

static inline void end(void)
{
  cr_assert_str_eq(tsr_last_error(), "");
  cr_assert_eq(tsr_finalize(), TSR_OK);
}

/** The error must have this status, and its text each of the NULL-terminated pieces in this order.
 * Takes the error. */
static inline void expect_error(tsr_status status, const char *const *pieces)
{
  char text[4096];
  tsr_status got = tsr_take_error(text, sizeof text);
  cr_expect_eq(got, status, "status %d, not %d: %s", got, status, text);
  const char *at = text;
  for (; *pieces; pieces++) {
    const char *found = strstr(at, *pieces);
    cr_expect_not_null(found, "no \"%s\" in: %s", *pieces, text);
    if (found) at = found + strlen(*pieces);
  }
}
#define EXPECT_ERROR(status, ...) expect_error(status, (const char *const[]){__VA_ARGS__, NULL})

/** x has this shape and these values, as doubles. */
static inline void expect_values(tsr_array x, tsr_dims shape, const double *values)
{
  tsr_dims got = tsr_shape(x);
  char a[128], b[128];
  bool same = got.ndim == shape.ndim && !memcmp(got.n, shape.n, (size_t)got.ndim * sizeof got.n[0]);
  cr_assert(same, "shape %s, not %s", tsr__shape_text(got.ndim, got.n, a, sizeof a),
            tsr__shape_text(shape.ndim, shape.n, b, sizeof b));
  int64_t n = tsr_size(x);
  double *buffer = calloc((size_t)n + 1, sizeof *buffer);
  cr_assert_eq(tsr_to_host(tsr_astype(x, TSR_FLOAT64), buffer), TSR_OK, "%s", tsr_last_error());
  for (int64_t i = 0; i < n; i++) {
    bool equal = buffer[i] == values[i] || (buffer[i] != buffer[i] && values[i] != values[i]);
    cr_expect(equal, "element %d is %.17g, not %.17g", (int)i, buffer[i], values[i]);
  }
  free(buffer);
}
#define EXPECT_VALUES(x, shape, ...) expect_values(x, shape, (const double[]){__VA_ARGS__})

/** Runs fn(arg, rank) on n ranks, with the settings that follow: names and values in turn. */
#define RUN_RANKS(n, fn, arg, ...)                                                                 \
  cr_assert_eq(tsr_run_ranks(n, (const char *const[]){__VA_ARGS__, NULL}, fn, arg), TSR_OK)

static inline void never_run(void *arg, int rank)
{
  (void)arg, (void)rank;
}

/** Runs fn in a child with a context of its own, as run_in_child does. The caller's context ends
 * before, for a process with workers cannot be forked and go on, and a new one begins after. */
static inline int run_child(void (*fn)(void), char *text, size_t size)
{
  cr_assert_eq(tsr_finalize(), TSR_OK);
  const int status = run_in_child(begin, fn, text, size);
  cr_assert_neq(status, 256);
  begin();
  return status;
}

#endif
