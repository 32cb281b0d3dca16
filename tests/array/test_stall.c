/* A rank that keeps the others waiting: they say for whom, in which call, and what came last. */
#include "array_test.h"

#include <regex.h>
#include <unistd.h>

enum { LATE_US = 2600000, SIDE = 64 };

TestSuite(stall, .init = begin, .fini = end);

typedef struct lateness {
  int line_before, line; /* of the calls whose messages came last, and are waited for */
} lateness;

static void late_for_a_read(void *arg, int rank)
{
  lateness *l = arg;
  const tsr_array u = tsr_zeros(TSR_SHAPE(SIDE, SIDE));
  if (rank == 0) l->line_before = __LINE__ + 1;
  cr_expect_eq(tsr_barrier(), TSR_OK);
  if (rank == 1) usleep(LATE_US);
  if (rank == 0) l->line = __LINE__ + 1;
  cr_expect_eq(tsr_item_f64(tsr_sum(u)), 0.0);
}

/* Rank 0 waits for rank 1's row. */
static void late_with_a_message(void *arg, int rank)
{
  lateness *l = arg;
  tsr_array u = tsr_full(TSR_SHAPE(SIDE, SIDE), 1.0);
  if (rank == 0) l->line_before = __LINE__ + 1;
  cr_expect_eq(tsr_barrier(), TSR_OK);
  if (rank == 1) usleep(LATE_US);
  tsr_exec("u[1:-1] = 0.25 * (u[2:] + u[:-2])", u);
  if (rank == 0) l->line = __LINE__ + 1;
  cr_expect_eq(tsr_flush(), TSR_OK);
}

static void run(void (*fn)(void *, int), const char *stall_s)
{
  const char *settings[] = {"threads", "1",       "replicate_max", "0", "tile_min",
                            "1",       "stall_s", stall_s,         NULL};
  lateness l = {0};
  tsr_run_ranks(2, settings, fn, &l);
  fprintf(stderr, "lines %d %d\n", l.line_before, l.line);
}

static void read_told(void)
{
  run(late_for_a_read, "1");
}

static void message_told(void)
{
  run(late_with_a_message, "1");
}

/* Rank 0 waits at the end, which is a call of its own. */
static void late_for_the_end(void *arg, int rank)
{
  lateness *l = arg;
  if (rank == 0) l->line_before = __LINE__ + 1;
  cr_expect_eq(tsr_barrier(), TSR_OK);
  if (rank == 1) usleep(LATE_US);
}

static void end_told(void)
{
  run(late_for_the_end, "1");
}

static void not_told(void)
{
  run(late_for_a_read, "0");
}

static void expect_told(const char *text, const char *before, const char *call)
{
  int line_before, line;
  const char *lines = strstr(text, "lines ");
  cr_assert(lines && sscanf(lines, "lines %d %d", &line_before, &line) == 2, "%s", text);
  char pattern[512];
  snprintf(pattern, sizeof pattern,
           "^tessera: rank 0 has waited [0-9]+ s for a message of rank 1, in `%s` at "
           "[^ ]*test_stall\\.c:%d; its last one came [0-9]+ s ago, from its `%s` at "
           "[^ ]*test_stall\\.c:%d\nlines",
           call, line, before, line_before);
  regex_t re;
  cr_assert_eq(regcomp(&re, pattern, REG_EXTENDED), 0);
  cr_expect_eq(regexec(&re, text, 0, NULL, 0), 0, "%s\nis not\n%s", text, pattern);
  regfree(&re);
}

Test(stall, a_late_rank_is_named, .timeout = 60)
{
  char text[2048];
  cr_expect_eq(run_child(read_told, text, sizeof text), 0);
  expect_told(text, "tsr_barrier", "tsr_item_f64");
  cr_expect_eq(run_child(message_told, text, sizeof text), 0);
  expect_told(text, "tsr_barrier", "tsr_flush");
  cr_expect_eq(run_child(end_told, text, sizeof text), 0);
  cr_expect_not_null(
      strstr(text, "s for a message of rank 1, in `the end of tsr_run_ranks`; its last one"), "%s",
      text);
}

Test(stall, or_not, .timeout = 60)
{
  char text[2048];
  cr_expect_eq(run_child(not_told, text, sizeof text), 0);
  cr_expect_eq(strncmp(text, "lines", 5), 0, "%s", text);
}
