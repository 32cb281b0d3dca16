/* Errors as the program sees them: whole texts, both modes, starting up. */
#include "array_test.h"

#include <pty.h>

TestSuite(errors, .init = begin, .fini = end);

Test(errors, a_broadcast_error_reads_as_documented)
{
  tsr_array u = tsr_zeros(TSR_SHAPE(4096, 256), TSR_FLOAT32);
  tsr_array a = tsr_zeros(TSR_SHAPE(4096, 128), TSR_FLOAT32), b = tsr_slice(u, ":, ::4");
  int line = __LINE__ - 1;
  cr_expect_not(tsr_ok(tsr_add(a, b)));
  char expected[2048];
  snprintf(expected, sizeof expected,
           "error[TSR0203]: cannot broadcast shapes (4096, 128) and (4096, 64) in `tsr_add`\n"
           "  --> %s:%d in %s()          (rank 0)\n"
           "   a: (4096, 128) float32, made at %s:%d by tsr_zeros\n"
           "   b: (4096, 64) float32, made at %s:%d by tsr_slice(u, \":, ::4\")\n"
           "   = axis 1 differs: 128 and 64; broadcasting needs equal lengths or 1\n"
           "help: `tessera explain TSR0203` shows the rule with examples\n",
           __FILE__, line + 2, __func__, __FILE__, line, __FILE__, line);
  cr_expect_str_eq(tsr_last_error(), expected);
  tsr_take_error(NULL, 0);
}

Test(errors, axes_count_from_the_end_where_the_numbers_of_axes_differ)
{
  tsr_array a = tsr_zeros(TSR_SHAPE(2, 3)), b = tsr_zeros(TSR_SHAPE(4)),
            c = tsr_zeros(TSR_SHAPE(3));
  cr_expect_not(tsr_ok(tsr_add(a, c, b)));
  EXPECT_ERROR(TSR_ERR_BROADCAST, "(2, 3), (3,) and (4,)", "axis -1 differs: 3 and 4");
  cr_expect_not(tsr_ok(tsr_add(tsr_zeros(2), a)));
  EXPECT_ERROR(TSR_ERR_BROADCAST, "help: `[:, newaxis]` of the vector is a column, (2, 1)");
}

Test(errors, the_first_is_kept_until_taken)
{
  cr_expect_not(tsr_ok(tsr_zeros(TSR_SHAPE(-1))));
  cr_expect_not(tsr_ok(tsr_zeros(TSR_SHAPE(2), (tsr_dtype)TSR_N_DTYPES)));
  char small[8];
  cr_expect_eq(tsr_take_error(small, sizeof small), TSR_ERR_SHAPE);
  cr_expect_str_eq(small, "error[T");
  cr_expect_eq(tsr_take_error(NULL, 0), TSR_OK);
  cr_expect_eq(tsr_assign(tsr_zeros(TSR_SHAPE(2)), tsr_zeros(TSR_SHAPE(-3))), TSR_ERR_HANDLE);
  EXPECT_ERROR(TSR_ERR_SHAPE, "(-3,)");
}

static void abort_mode(void)
{
  cr_assert_eq(tsr_set_error_mode(TSR_ERRORS_ABORT), TSR_ERRORS_RETURN);
  tsr_array x = tsr_zeros(TSR_SHAPE(2));
  tsr_array y = tsr_add(x, tsr_zeros(TSR_SHAPE(3)));
  fprintf(stderr, "still here %d\n", (int)tsr_ok(y));
}

Test(errors, abort_mode_prints_and_ends)
{
  char text[4096];
  cr_expect_neq(run_child(abort_mode, text, sizeof text), 0);
  cr_expect_not_null(strstr(text, "error[TSR0203]"), "%s", text);
  cr_expect_null(strstr(text, "still here"));
}

static tsr_error_mode mode_now(void)
{
  const tsr_error_mode mode = tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_set_error_mode(mode);
  return mode;
}

/* Leaves its scope by `return`. */
static tsr_status attempt(int64_t n)
{
  TSR_ERRORS(RETURN);
  tsr_array x = tsr_add(tsr_zeros(TSR_SHAPE(2)), tsr_ones(TSR_SHAPE(n)));
  if (!tsr_ok(x)) return tsr_take_error(NULL, 0);
  return tsr_barrier();
}

Test(errors, a_scope_has_a_mode)
{
  {
    TSR_ERRORS(ABORT);
    cr_expect_eq(mode_now(), TSR_ERRORS_ABORT);
    for (int64_t n = 2; n < 5; n++) {
      TSR_ERRORS(RETURN);
      cr_expect_eq(mode_now(), TSR_ERRORS_RETURN);
      cr_expect_eq(attempt(n), n == 2 ? TSR_OK : TSR_ERR_BROADCAST);
      if (n == 3) break;
    }
    cr_expect_eq(mode_now(), TSR_ERRORS_ABORT);
  }
  cr_expect_eq(mode_now(), TSR_ERRORS_RETURN);
  {
    TSR_ERRORS(RETURN);
    cr_expect_not(tsr_ok(tsr_zeros(TSR_SHAPE(-1))));
  }
  EXPECT_ERROR(TSR_ERR_SHAPE, "(-1,)");
  tsr_errors_scope scope = tsr_errors_open(NULL, TSR_ERRORS_ABORT), gone = scope;
  gone.context++;
  tsr_errors_close(&gone);
  cr_expect_eq(mode_now(), TSR_ERRORS_ABORT, "of another context");
  tsr_errors_close(&scope);
  tsr_errors_close(&scope);
  tsr_errors_close(NULL);
  cr_expect_eq(mode_now(), TSR_ERRORS_RETURN);
}

static void attempts(void)
{
  tsr_set_error_mode(TSR_ERRORS_ABORT);
  fprintf(stderr, "tried %d\n", attempt(3) == TSR_ERR_BROADCAST);
  (void)!tsr_ok(tsr_zeros(TSR_SHAPE(-2)));
  fprintf(stderr, "still here\n");
}

static void attempt_untaken(void)
{
  tsr_set_error_mode(TSR_ERRORS_ABORT);
  {
    TSR_ERRORS(RETURN);
    (void)!tsr_ok(tsr_zeros(TSR_SHAPE(-3)));
    fprintf(stderr, "in the scope\n");
  }
  fprintf(stderr, "still here\n");
}

static void attempt_rank(void *arg, int rank)
{
  if (attempt(3) != TSR_ERR_BROADCAST) fprintf(stderr, "not tried\n");
  TSR_ERRORS(RETURN);
  (void)!tsr_ok(tsr_slice(tsr_zeros(TSR_SHAPE(2)), "7"));
}

static void attempt_ranks(void)
{
  tsr_context_set_current(NULL);
  tsr_run_ranks(3, NULL, attempt_rank, NULL);
  fprintf(stderr, "still here\n");
}

Test(errors, a_scope_returns_errors_where_others_end_the_program)
{
  char text[4096];
  cr_expect_neq(run_child(attempts, text, sizeof text), 0);
  cr_expect_not_null(strstr(text, "tried 1"), "%s", text);
  cr_expect_not_null(strstr(text, "(-2,)"), "%s", text);
  cr_expect_null(strstr(text, "still here"), "%s", text);
  cr_expect_neq(run_child(attempt_untaken, text, sizeof text), 0);
  cr_expect_not_null(strstr(text, "in the scope"), "%s", text);
  cr_expect_not_null(strstr(text, "(-3,)"), "%s", text);
  cr_expect_not_null(strstr(text, "nobody took it before the end of TSR_ERRORS, at "), "%s", text);
  cr_expect_null(strstr(text, "still here"), "%s", text);
  cr_expect_neq(run_child(attempt_ranks, text, sizeof text), 0);
  cr_expect_not_null(strstr(text, "(ranks 0-2)"), "%s", text);
  cr_expect_null(strstr(text, "not tried"), "%s", text);
  cr_expect_null(strstr(text, "still here"), "%s", text);
}

/* What abort mode writes to a terminal. */
static void on_a_terminal(char *text, size_t size)
{
  int terminal;
  end(); /* workers do not live on in a child */
  fflush(NULL);
  pid_t child = forkpty(&terminal, NULL, NULL, NULL);
  if (child == 0) {
    begin();
    abort_mode();
    _exit(0);
  }
  size_t n = 0;
  for (ssize_t k; n + 1 < size && (k = read(terminal, text + n, size - 1 - n)) > 0;) n += (size_t)k;
  text[n] = 0;
  close(terminal);
  waitpid(child, NULL, 0);
  begin();
}

Test(errors, colours_are_for_terminals_and_can_be_refused)
{
  char text[4096];
  on_a_terminal(text, sizeof text);
  cr_expect_not_null(strstr(text, "TSR0203"), "%s", text);
  cr_expect_not_null(strchr(text, '\033'), "%s", text);
  setenv("NO_COLOR", "1", 1);
  on_a_terminal(text, sizeof text);
  cr_expect_not_null(strstr(text, "error[TSR0203]"), "%s", text);
  cr_expect_null(strchr(text, '\033'), "%s", text);
}

static void abort_rank(void *arg, int rank)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(2));
  (void)!tsr_ok(tsr_slice(x, "7"));
}

static void abort_ranks(void)
{
  tsr_context_set_current(NULL);
  tsr_run_ranks(3, NULL, abort_rank, NULL);
}

Test(errors, abort_mode_prints_once_for_all_ranks)
{
  char text[4096];
  cr_expect_neq(run_child(abort_ranks, text, sizeof text), 0);
  char *first = strstr(text, "error[TSR0206]");
  cr_assert_not_null(first, "%s", text);
  cr_expect_not_null(strstr(first, "(ranks 0-2)"), "%s", text);
  cr_expect_null(strstr(first + 1, "error["), "%s", text);
}

static void print_without_init(void)
{
  tsr_context_set_current(NULL);
  tsr_print(tsr_zeros(TSR_SHAPE(2)));
}

static void assign_without_init(void)
{
  tsr_context_set_current(NULL);
  tsr_assign(tsr_null(), 1);
}

Test(errors, without_a_context)
{
  char text[4096];
  cr_expect_eq(run_child(print_without_init, text, sizeof text), 1, "%s", text);
  const char *said =
      strstr(text, "error[TSR0101]: there is no context on this thread in `tsr_zeros`");
  cr_expect_not_null(said, "%s", text);
  cr_expect_not_null(strstr(text, "test_errors.c:"), "%s", text);
  cr_expect_not_null(strstr(text, "help: call tsr_init first"), "%s", text);
  cr_expect_eq(run_child(assign_without_init, text, sizeof text), 1, "%s", text);
  cr_expect_not_null(strstr(text, "in `tsr_assign`"), "%s", text);

  tsr_context *c = tsr_context_set_current(NULL);
  cr_expect_eq(tsr_rank(), -1);
  cr_expect_eq(tsr_n_ranks(), 0);
  cr_expect_not_null(strstr(tsr_last_error(), "call tsr_init first"));
  cr_expect_eq(tsr_take_error(text, sizeof text), TSR_ERR_ARGUMENT);
  cr_expect_str_eq(text, tsr_last_error());
  cr_expect_eq(tsr_finalize(), TSR_ERR_ARGUMENT);
  tsr_context_set_current(c);
}

static void init_twice(void)
{
  if (tsr_init(NULL, NULL) != TSR_ERR_ARGUMENT) _exit(1);
}

static void init_with_a_wrong_setting(void)
{
  tsr_context_set_current(NULL);
  setenv("TESSERA_THREADS", "many", 1);
  if (tsr_init(NULL, NULL) != TSR_ERR_CONFIG) _exit(1);
}

/* Its status is not looked at. */
static void go_on_after_a_wrong_setting(void)
{
  tsr_context_set_current(NULL);
  setenv("TESSERA_THREADS", "many", 1);
  tsr_init(NULL, NULL);
  tsr_print(tsr_zeros(TSR_SHAPE(2)));
}

static void init_comm_without_one(void)
{
  tsr_context_set_current(NULL);
  if (tsr_init_comm(NULL) != TSR_ERR_ARGUMENT) _exit(1);
}

Test(errors, starting_up)
{
  char text[4096];
  cr_expect_eq(run_child(init_twice, text, sizeof text), 0, "%s", text);
  cr_expect_not_null(strstr(text, "has a context already"), "%s", text);
  cr_expect_eq(run_child(init_with_a_wrong_setting, text, sizeof text), 0, "%s", text);
  cr_expect_not_null(strstr(text, "error[TSR0501]"), "%s", text);
  cr_expect_not_null(strstr(text, "TESSERA_THREADS"), "%s", text);
  cr_expect_eq(run_child(go_on_after_a_wrong_setting, text, sizeof text), 1, "%s", text);
  const char *told = strstr(text, "error[TSR0501]");
  cr_expect(told && !strstr(told + 1, "error["), "one error: %s", text);
  cr_expect_eq(run_child(init_comm_without_one, text, sizeof text), 0, "%s", text);
}

/* As if mpirun of an MPI that this library does not speak had started us. */
static void foreign_launcher(void)
{
  tsr_context_set_current(NULL);
  setenv("PMI_SIZE", "4", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  if (tsr_init(NULL, NULL) != TSR_ERR_MPI) _exit(1);
}

Test(errors, a_launcher_of_another_mpi_is_noticed, .timeout = 60)
{
  char text[4096];
  cr_expect_eq(run_child(foreign_launcher, text, sizeof text), 0, "%s", text);
  cr_expect_not_null(strstr(text, "error[TSR0601]"), "%s", text);
  cr_expect_not_null(strstr(text, "started 4 ranks"), "%s", text);
  cr_expect_not_null(strstr(text, "help:"), "%s", text);
}
