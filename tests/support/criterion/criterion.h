/* A stand-in for Criterion's header, for machines without Criterion, and for builds under
 * ThreadSanitizer, which forbids the address of the arena through which Criterion starts its tests.
 * Same names, same meaning, for what our tests use; each test runs in a forked child (runner.c). */
#ifndef TESSERA_TEST_CRITERION_H
#define TESSERA_TEST_CRITERION_H

#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

struct criterion_options {
  void (*init)(void);
  void (*fini)(void);
  int signal;
  int exit_code;
  bool disabled;
  const char *description;
  double timeout; /* seconds */
};

struct criterion_test {
  const char *suite, *name;
  void (*run)(void);
  struct criterion_options options;
  struct criterion_test *next;
};

/** Called before main by each Test. */
void criterion_register(struct criterion_test *test);
/** Same for TestSuite: options that its tests take where they have none. */
void criterion_register_suite(struct criterion_test *suite);
/** Reports a failed check; `fatal` ends the test. Any thread. */
void criterion_check_failed(const char *file, int line, bool fatal, const char *text,
                            const char *fmt, ...) __attribute__((format(printf, 5, 6)));
void criterion_skip(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

#ifdef __cplusplus
}
#endif

#define Test(suite_, name_, ...)                                                                   \
  static void suite_##_##name_##_run(void);                                                        \
  __attribute__((constructor)) static void suite_##_##name_##_register(void)                       \
  {                                                                                                \
    static struct criterion_test test = {.suite = #suite_,                                         \
                                         .name = #name_,                                           \
                                         .run = suite_##_##name_##_run,                            \
                                         .options = {__VA_ARGS__}};                                \
    criterion_register(&test);                                                                     \
  }                                                                                                \
  static void suite_##_##name_##_run(void)

#define TestSuite(suite_, ...)                                                                     \
  __attribute__((constructor)) static void suite_##_register(void)                                 \
  {                                                                                                \
    static struct criterion_test suite = {.suite = #suite_, .options = {__VA_ARGS__}};             \
    criterion_register_suite(&suite);                                                              \
  }                                                                                                \
  struct criterion_suite_needs_a_semicolon

#define CRITERION_CHECK(fatal, cond, text, ...)                                                    \
  do {                                                                                             \
    if (!(cond)) criterion_check_failed(__FILE__, __LINE__, fatal, text, " " __VA_ARGS__);         \
  } while (0)

#define cr_assert(cond, ...) CRITERION_CHECK(true, cond, #cond, ##__VA_ARGS__)
#define cr_expect(cond, ...) CRITERION_CHECK(false, cond, #cond, ##__VA_ARGS__)
#define cr_assert_not(cond, ...) CRITERION_CHECK(true, !(cond), "not " #cond, ##__VA_ARGS__)
#define cr_expect_not(cond, ...) CRITERION_CHECK(false, !(cond), "not " #cond, ##__VA_ARGS__)
#define cr_assert_fail(...) CRITERION_CHECK(true, false, "failed", ##__VA_ARGS__)
#define cr_fail(...) CRITERION_CHECK(false, false, "failed", ##__VA_ARGS__)
#define cr_fatal(...) CRITERION_CHECK(true, false, "failed", ##__VA_ARGS__)
#define cr_skip(...) criterion_skip(" " __VA_ARGS__)
#define cr_skip_test(...) criterion_skip(" " __VA_ARGS__)
#define cr_log_info(...) fprintf(stderr, __VA_ARGS__)

#define CRITERION_COMPARE(fatal, a, op, b, ...)                                                    \
  CRITERION_CHECK(fatal, (a)op(b), #a " " #op " " #b, ##__VA_ARGS__)
#define cr_assert_eq(a, b, ...) CRITERION_COMPARE(true, a, ==, b, ##__VA_ARGS__)
#define cr_assert_neq(a, b, ...) CRITERION_COMPARE(true, a, !=, b, ##__VA_ARGS__)
#define cr_assert_lt(a, b, ...) CRITERION_COMPARE(true, a, <, b, ##__VA_ARGS__)
#define cr_assert_leq(a, b, ...) CRITERION_COMPARE(true, a, <=, b, ##__VA_ARGS__)
#define cr_assert_gt(a, b, ...) CRITERION_COMPARE(true, a, >, b, ##__VA_ARGS__)
#define cr_assert_geq(a, b, ...) CRITERION_COMPARE(true, a, >=, b, ##__VA_ARGS__)
#define cr_assert_null(a, ...) CRITERION_CHECK(true, (a) == NULL, #a " is NULL", ##__VA_ARGS__)
#define cr_assert_not_null(a, ...)                                                                 \
  CRITERION_CHECK(true, (a) != NULL, #a " is not NULL", ##__VA_ARGS__)
#define cr_assert_str_eq(a, b, ...)                                                                \
  CRITERION_CHECK(true, strcmp((a), (b)) == 0, #a " is the text " #b, ##__VA_ARGS__)
#define cr_assert_str_neq(a, b, ...)                                                               \
  CRITERION_CHECK(true, strcmp((a), (b)) != 0, #a " is not the text " #b, ##__VA_ARGS__)
#define cr_assert_str_empty(a, ...)                                                                \
  CRITERION_CHECK(true, (a)[0] == '\0', #a " is empty", ##__VA_ARGS__)
#define cr_assert_arr_eq(a, b, n, ...)                                                             \
  CRITERION_CHECK(true, memcmp((a), (b), (n)) == 0, #a " has the bytes of " #b, ##__VA_ARGS__)
#define cr_assert_arr_neq(a, b, n, ...)                                                            \
  CRITERION_CHECK(true, memcmp((a), (b), (n)) != 0, #a " differs from " #b, ##__VA_ARGS__)
#define cr_assert_float_eq(a, b, eps, ...)                                                         \
  CRITERION_CHECK(true, fabs((double)(a) - (double)(b)) <= (eps), #a " is near " #b, ##__VA_ARGS__)
#define cr_expect_eq(a, b, ...) CRITERION_COMPARE(false, a, ==, b, ##__VA_ARGS__)
#define cr_expect_neq(a, b, ...) CRITERION_COMPARE(false, a, !=, b, ##__VA_ARGS__)
#define cr_expect_lt(a, b, ...) CRITERION_COMPARE(false, a, <, b, ##__VA_ARGS__)
#define cr_expect_leq(a, b, ...) CRITERION_COMPARE(false, a, <=, b, ##__VA_ARGS__)
#define cr_expect_gt(a, b, ...) CRITERION_COMPARE(false, a, >, b, ##__VA_ARGS__)
#define cr_expect_geq(a, b, ...) CRITERION_COMPARE(false, a, >=, b, ##__VA_ARGS__)
#define cr_expect_null(a, ...) CRITERION_CHECK(false, (a) == NULL, #a " is NULL", ##__VA_ARGS__)
#define cr_expect_not_null(a, ...)                                                                 \
  CRITERION_CHECK(false, (a) != NULL, #a " is not NULL", ##__VA_ARGS__)
#define cr_expect_str_eq(a, b, ...)                                                                \
  CRITERION_CHECK(false, strcmp((a), (b)) == 0, #a " is the text " #b, ##__VA_ARGS__)
#define cr_expect_arr_eq(a, b, n, ...)                                                             \
  CRITERION_CHECK(false, memcmp((a), (b), (n)) == 0, #a " has the bytes of " #b, ##__VA_ARGS__)
#define cr_expect_float_eq(a, b, eps, ...)                                                         \
  CRITERION_CHECK(false, fabs((double)(a) - (double)(b)) <= (eps), #a " is near " #b, ##__VA_ARGS__)

#endif
