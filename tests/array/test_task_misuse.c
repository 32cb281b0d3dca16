/* Users' tasks that are declared or called wrongly: the text of every error. No function runs. */
#include "array_test.h"

TestSuite(task_misuse, .init = begin, .fini = end, .timeout = 60);

static int never(const tsr_task_box *box)
{
  cr_assert_fail("a task ran");
  return 1;
}

static int other(const tsr_task_box *box)
{
  return never(box);
}

Test(task_misuse, declarations_that_are_wrong)
{
  static const struct {
    const char *inputs, *outputs;
    tsr_status status;
    const char *says[5]; /* NULL-terminated, in this order */
  } rows[] = {
      {NULL, "float64 y", TSR_ERR_ARGUMENT, {"a text is NULL"}},
      {"", "float64 y", TSR_ERR_SYNTAX, {"expected a dtype", "in task f:"}},
      {"auto x", "float64 y", TSR_ERR_SYNTAX, {"the arguments of a task have declared dtypes"}},
      {"float64 x ring(1)",
       "float64 y",
       TSR_ERR_SYNTAX,
       {"an unknown rule", "ring(1)", "^", "halo(width)"}},
      {"float64 x",
       "float64 y halo(1)",
       TSR_ERR_SYNTAX,
       {"an unknown rule", "sum, prod, min, max"}},
      {"float64 x halo 1", "float64 y", TSR_ERR_SYNTAX, {"expected `(`"}},
      {"float64 x halo(-1)", "float64 y", TSR_ERR_SYNTAX, {"a width is a whole number"}},
      {"float64 x halo(1:b)", "float64 y", TSR_ERR_SYNTAX, {"a width is a whole number"}},
      {"float64 x halo(1", "float64 y", TSR_ERR_SYNTAX, {"expected `,` or `)`"}},
      {"float64 x halo(1,1,1,1,1,1,1,1,1)", "float64 y", TSR_ERR_SYNTAX, {"at most 8 widths"}},
      {"float64 x, raw float64 y halo(1)",
       "float64 z",
       TSR_ERR_SYNTAX,
       {"a raw input has no halo"}},
      {"inout float64 x halo(1)", "", TSR_ERR_SYNTAX, {"an input that is written has no halo"}},
      {"float64 x", "inout float64 y", TSR_ERR_SYNTAX, {"expected a dtype"}},
      {"inout raw float64 x, float64 y",
       "",
       TSR_ERR_SYNTAX,
       {"an input that is written is not raw"}},
      {"out raw float64 x, float64 y", "", TSR_ERR_SYNTAX, {"an input that is written is not raw"}},
      {"float64 x, grain(0)",
       "float64 y",
       TSR_ERR_SYNTAX,
       {"a grain is a whole number from 1 to 2^40", "grain(0)", "^"}},
      {"float64 x, grain(1099511627777)",
       "float64 y",
       TSR_ERR_SYNTAX,
       {"a grain is a whole number from 1 to 2^40"}},
      {"grain(n), float64 x",
       "float64 y",
       TSR_ERR_SYNTAX,
       {"a grain is a whole number from 1 to 2^40"}},
      {"float64 x, grain 4", "float64 y", TSR_ERR_SYNTAX, {"expected `(` and a number of points"}},
      {"float64 x, grain(4, 4)", "float64 y", TSR_ERR_SYNTAX, {"expected `)`"}},
      {"grain(4), float64 x, grain(4)", "float64 y", TSR_ERR_SYNTAX, {"a task has one grain"}},
      {"float64 x", "float64 y, grain(4)", TSR_ERR_SYNTAX, {"the grain stands among the inputs"}},
      {"float64 x grain(4)", "float64 y", TSR_ERR_SYNTAX, {"an unknown rule"}},
      {"grain(4)", "float64 y", TSR_ERR_ARGUMENT, {"all inputs are raw"}},
      {"raw float64 x", "float64 y", TSR_ERR_ARGUMENT, {"all inputs are raw"}},
      {"float64 x", " ", TSR_ERR_ARGUMENT, {"task f writes nothing", "declare an output"}},
      {"float64 x",
       "float64 y, float64 s sum",
       TSR_ERR_ARGUMENT,
       {"outputs of its points and of its blocks", "a task of its own"}},
      {"inout float64 x",
       "float64 s blocks",
       TSR_ERR_ARGUMENT,
       {"outputs of its points and of its blocks"}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    cr_expect_eq(tsr_task("f", rows[i].inputs, rows[i].outputs, never).id, 0, "row %d", (int)i);
    expect_error(rows[i].status, rows[i].says);
  }
  const char *nameless = NULL;
  const tsr_task_function none = NULL;
  cr_expect_eq(tsr_task(nameless, "float64 x", "float64 y", never).id, 0);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a text is NULL");
  cr_expect_eq(tsr_task("f", "float64 x", "float64 y", none).id, 0);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the function of task f is NULL");
  const tsr_function f = tsr_task("f", "float64 x", "float64 y", never);
  cr_expect_eq(f.id, tsr_task("f", "float64 x", "float64 y", never).id, "the same task");
  cr_expect_neq(f.id, tsr_task("f", "float64 x", "float64 y", other).id);
}

#define EXPECT_NO_CALL(call, status, ...)                                                          \
  do {                                                                                             \
    cr_expect((call) == (status));                                                                 \
    EXPECT_ERROR(status, __VA_ARGS__);                                                             \
  } while (0)

Test(task_misuse, calls_that_are_wrong)
{
  tsr_array x = tsr_arange(0, 6, 1, TSR_FLOAT64), two = tsr_ones(TSR_SHAPE(2, 6)), out[2];
  tsr_function f = tsr_task("smooth", "float64 x halo(4, 1), T w", "float64 y, int32 n", never);
  EXPECT_NO_CALL(tsr_call_outputs(out, f, x), TSR_ERR_ARGUMENT,
                 "task smooth takes 2 inputs, not 1");
  EXPECT_NO_CALL(tsr_call_outputs(out, f, 1.0, x), TSR_ERR_ARGUMENT,
                 "input `x` of task smooth has a halo: it takes an array");
  EXPECT_NO_CALL(tsr_call_outputs(out, f, x, x), TSR_ERR_SHAPE,
                 "has another number of axes than its halo has widths", "x: (6,) float64");
  EXPECT_NO_CALL(tsr_call_outputs(out, f, two, x), TSR_ERR_SHAPE,
                 "has a halo that is wider than the array", "two: (2, 6) float64");
  EXPECT_NO_CALL(tsr_call_outputs(out, f, tsr_ones(TSR_SHAPE(5, 1)), tsr_ones(TSR_SHAPE(5, 6))),
                 TSR_ERR_SHAPE, "has a halo along an axis that broadcasts");
  EXPECT_NO_CALL(tsr_call_outputs(out, f, two, tsr_ones(TSR_SHAPE(5))), TSR_ERR_BROADCAST,
                 "cannot broadcast shapes (2, 6) and (5,)");
  EXPECT_NO_CALL(tsr_call_outputs(out, f, tsr_astype(two, TSR_COMPLEX128), x), TSR_ERR_DTYPE,
                 "input `x` of task smooth does not take this dtype");
  tsr_array *nowhere = NULL, gone = tsr_copy(x);
  EXPECT_NO_CALL(tsr_call_outputs(nowhere, f, tsr_ones(TSR_SHAPE(5, 6)), x), TSR_ERR_ARGUMENT,
                 "the place for the outputs is NULL");
  cr_expect_not(tsr_ok(tsr_call(f, tsr_ones(TSR_SHAPE(5, 6)), x)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "task smooth has 2 outputs", "tsr_call_outputs");
  cr_expect_not(tsr_ok(tsr_call_axes(f, TSR_AXES(0), false, two, x)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "task smooth is no kernel that reduces axes");
  tsr_release(&gone);
  gone.id = x.id + ((uint64_t)1 << 40);
  EXPECT_NO_CALL(tsr_call_outputs(out, f, gone, x), TSR_ERR_HANDLE, "TSR0102");
  cr_expect_eq(tsr_call_outputs(out, f, tsr_null(), x), TSR_ERR_HANDLE, "in silence");
  cr_expect_eq(tsr_call_outputs(out, (tsr_function){0}, x), TSR_ERR_HANDLE, "in silence");
}

Test(task_misuse, writes_that_are_wrong)
{
  tsr_array x = tsr_arange(0, 6, 1, TSR_FLOAT64), y = tsr_null();
  tsr_function f = tsr_task("update", "inout float64 x, float64 y", "", never);
  EXPECT_NO_CALL(tsr_call_outputs(NULL, f, 1, x), TSR_ERR_ARGUMENT,
                 "input `x` of task update is written: it takes an array");
  EXPECT_NO_CALL(tsr_call_outputs(NULL, f, tsr_astype(x, TSR_FLOAT32), x), TSR_ERR_DTYPE,
                 "is written: it does not take this dtype", "it is float64, not float32");
  EXPECT_NO_CALL(tsr_call_outputs(NULL, f, x, tsr_ones(TSR_SHAPE(2, 6))), TSR_ERR_BROADCAST,
                 "is written: it does not broadcast", "x: (6,) float64");
  EXPECT_NO_CALL(tsr_call_outputs(NULL, f, tsr_broadcast_to(x, TSR_SHAPE(2, 6)), 1),
                 TSR_ERR_READONLY, "repeats elements");
  tsr_local_tile tile;
  cr_assert_eq(tsr_local(x, NULL, false, &tile), TSR_OK);
  EXPECT_NO_CALL(tsr_call_outputs(NULL, f, x, 1), TSR_ERR_ARGUMENT, "while its tile is lent");
  cr_assert_eq(tsr_local_end(&tile), TSR_OK);
  cr_expect_not(tsr_ok(tsr_call(f, x, 1)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "task update has 0 outputs", "tsr_call_outputs(NULL, f, x)");
  EXPECT_NO_CALL(tsr_call_data(&y, f, NULL, 8, x, 1), TSR_ERR_ARGUMENT,
                 "the data of task update is NULL");
  f = tsr_kernel_elementwise("k", "float64 x", "float64 y", "y = x");
  EXPECT_NO_CALL(tsr_call_data(&y, f, &x, 8, x), TSR_ERR_ARGUMENT, "kernel k takes no data");
  f = tsr_task("look_up", "float64 k, raw float64 table", "float64 y", never);
  cr_expect_not(tsr_ok(tsr_call(f, x, 3)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "input `table` of task look_up is raw: it takes an array");
  EXPECT_VALUES(x, TSR_SHAPE(6), 0, 1, 2, 3, 4, 5);
}

static int adds(const tsr_task_box *box)
{
  return tsr_ok(tsr_add(1, 2));
}

static int reads(const tsr_task_box *box)
{
  return (int)tsr_item_f64((tsr_array){.id = *(const uint64_t *)box->data});
}

static int takes_the_context(const tsr_task_box *box)
{
  tsr_context_set_current(*(tsr_context *const *)box->data);
  return 0;
}

static int starts(const tsr_task_box *box)
{
  return tsr_init(NULL, NULL);
}

/* A function that knows no context is on no rank. */
static int asks(const tsr_task_box *box)
{
  for (int64_t i = 0; i < box->shape[0]; i++) ((double *)box->out[0].data)[i] = tsr_rank();
  return tsr_context_current() != NULL;
}

static tsr_task_function calling;
static int n_threads;

static void call_from_a_task(void)
{
  tsr_array x = tsr_arange(100000), y;
  void *data[2] = {NULL};
  if (calling == takes_the_context) data[0] = tsr_context_current();
  if (calling == reads) memcpy(data, &x, sizeof x);
  const tsr_function f = tsr_task("caller", "grain(1000), float64 u", "float64 v", calling);
  tsr_call_data(&y, f, data, sizeof data, x);
  tsr_flush();
  fprintf(stderr, "still here");
}

/* On the thread of the context and on its workers. */
Test(task_misuse, functions_that_call_tessera)
{
  static const struct {
    tsr_task_function f;
    const char *op;
  } rows[] = {{adds, "tsr_add"},
              {reads, "tsr_item_f64"},
              {takes_the_context, "tsr_context_set_current"},
              {starts, "tsr_init"}};
  for (n_threads = 1; n_threads <= 2; n_threads++) {
    setenv("TESSERA_THREADS", n_threads == 1 ? "1" : "2", 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
      char text[4096], said[256];
      calling = rows[i].f;
      cr_expect_eq(run_child(call_from_a_task, text, sizeof text), 1);
      snprintf(said, sizeof said, "the function of the task `caller` calls Tessera in `%s`",
               rows[i].op);
      cr_expect_not_null(strstr(text, said), "no \"%s\" in: %s", said, text);
      cr_expect_not_null(strstr(text, "help: compute it before the task is called"), "%s", text);
      cr_expect_null(strstr(text, "still here"), "%s", text);
    }
  }
  unsetenv("TESSERA_THREADS");
}

Test(task_misuse, functions_that_ask)
{
  const tsr_function f = tsr_task("asks", "grain(10), float64 u", "float64 v", asks);
  EXPECT_VALUES(tsr_call(f, tsr_zeros(TSR_SHAPE(3))), TSR_SHAPE(3), -1, -1, -1);
  cr_expect_eq(tsr_rank(), 0);
}
