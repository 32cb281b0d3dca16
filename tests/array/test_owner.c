/* One thread at a time makes the calls of a context: it is handed over, or the call is refused. */
#include "array_test.h"

#include <pthread.h>

TestSuite(owner, .init = begin, .fini = end);

enum { N_ROUNDS = 20, LAST_LINE = __LINE__ + 7 };

/* Takes the context, computes, and gives it up. */
static void *compute(void *context)
{
  tsr_context_set_current(context);
  const tsr_array x = tsr_arange(0, 100, 1);
  cr_expect_eq(tsr_item_f64(tsr_sum(x)), 4950.0);
  tsr_context_set_current(NULL);
  return NULL;
}

static void run(void *(*fn)(void *), void *arg)
{
  pthread_t thread;
  cr_assert_eq(pthread_create(&thread, NULL, fn, arg), 0);
  cr_assert_eq(pthread_join(thread, NULL), 0);
}

Test(owner, a_context_is_handed_over, .timeout = 60)
{
  tsr_context *mine = tsr_context_current();
  for (int i = 0; i < N_ROUNDS; i++) {
    run(compute, mine);
    tsr_context_set_current(mine);
    cr_expect_eq(tsr_item_f64(tsr_sum(tsr_ones(TSR_SHAPE(3)))), 3.0);
  }
}

static void add(void)
{
  (void)!tsr_ok(tsr_add(1, 2));
}

static void write_to(void)
{
  tsr_exec("u[...] = 1", tsr_null());
}

static void take_error(void)
{
  tsr_take_error(NULL, 0);
}

static void finalize(void)
{
  tsr_finalize();
}

static void (*call)(void);

/* Though errors are returned: the context is not this thread's to write them to. */
static void call_without_owning(void)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  run(compute, tsr_context_current());
  call();
  fprintf(stderr, "still here");
}

Test(owner, the_call_of_another_thread_is_refused, .timeout = 60)
{
  static const struct {
    void (*call)(void);
    const char *op;
  } cases[] = {{add, "tsr_add"},
               {write_to, "tsr_exec"},
               {take_error, "tsr_take_error"},
               {finalize, "tsr_finalize"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[4096], said[256];
    call = cases[i].call;
    cr_expect_eq(run_child(call_without_owning, text, sizeof text), 1);
    snprintf(said, sizeof said, "error[TSR0101]: the context belongs to another thread in `%s`",
             cases[i].op);
    cr_expect_not_null(strstr(text, said), "%s is not in\n%s", said, text);
    snprintf(said, sizeof said, "whose last call was `tsr_item_f64` at %s:%d\n", __FILE__,
             LAST_LINE);
    cr_expect_not_null(strstr(text, said), "%s is not in\n%s", said, text);
    cr_expect_not_null(strstr(text, "help: call tsr_context_set_current on this thread"), "%s",
                       text);
    cr_expect_null(strstr(text, "still here"), "%s", text);
    cr_expect_null(strstr(text, "--> \n"), "the call has no place: %s", text);
  }
}

static tsr_context *taken;

static void *take(void *context)
{
  tsr_context_set_current(context);
  return NULL;
}

/* While the owner waits for the task: whichever thread runs it. */
static int take_in_task(const tsr_task_box *box)
{
  run(take, taken);
  *(double *)box->out[0].data = 1;
  return 0;
}

static void take_inside_a_call(void)
{
  taken = tsr_context_current();
  const tsr_function f = tsr_task("taking", "float64 x", "float64 y", take_in_task);
  tsr_item_f64(tsr_call(f, tsr_zeros(TSR_SHAPE(1))));
  fprintf(stderr, "still here");
}

Test(owner, a_context_is_not_taken_inside_a_call, .timeout = 60)
{
  char text[4096], said[256];
  cr_expect_eq(run_child(take_inside_a_call, text, sizeof text), 1);
  cr_expect_not_null(strstr(text, "error[TSR0101]: another thread is inside a call of the context "
                                  "in `tsr_context_set_current`"),
                     "%s", text);
  snprintf(said, sizeof said, "the call is `tsr_item_f64` at %s:", __FILE__);
  cr_expect_not_null(strstr(text, said), "%s is not in\n%s", said, text);
  cr_expect_null(strstr(text, "still here"), "%s", text);
}

enum { N_RACES = 20, N_RACING_CALLS = 2000 };

static void call_on(tsr_array u)
{
  for (int i = 0; i < N_RACING_CALLS; i++) {
    TSR_SCOPE();
    tsr_exec("u += 1", u);
    tsr_array v = tsr_slice(u, "1:");
    tsr_release(&v);
    v = tsr_roll(tsr_add(u, 1), 1);
  }
}

static void *take_and_call(void *u)
{
  tsr_context_set_current(taken);
  call_on(*(tsr_array *)u);
  return NULL;
}

static void call_on_two_threads(void)
{
  tsr_array u = tsr_zeros(TSR_SHAPE(100));
  taken = tsr_context_current();
  pthread_t thread;
  cr_assert_eq(pthread_create(&thread, NULL, take_and_call, &u), 0);
  call_on(u);
  pthread_join(thread, NULL);
}

/* One of the two is refused, wherever it is; or the second came when the first had done all. */
Test(owner, two_threads_that_call_at_once_are_told, .timeout = 120)
{
  for (int i = 0; i < N_RACES; i++) {
    char text[4096];
    const int status = run_child(call_on_two_threads, text, sizeof text);
    if (status == 0) continue;
    cr_expect_eq(status, 1, "status %d: %s", status, text);
    cr_expect(strstr(text, "the context belongs to another thread") != NULL ||
                  strstr(text, "another thread is inside a call of the context") != NULL,
              "%s", text);
  }
}
