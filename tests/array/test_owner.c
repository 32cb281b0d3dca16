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
  }
}
