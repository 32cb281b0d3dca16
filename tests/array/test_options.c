/* A shape is a number or TSR_SHAPE, axes are a number or TSR_AXES, in every call; options are those
 * that the call takes. */
#include "array_test.h"

TestSuite(options, .init = begin, .fini = end);

Test(options, a_shape_may_be_a_number)
{
  const double values[] = {1, 2, 3, 4, 5};
  tsr_rng rng = tsr_default_rng(1);
  tsr_array x = tsr_arange(6);
  tsr_array vectors[] = {
      tsr_empty(5),
      tsr_zeros(5),
      tsr_ones(5),
      tsr_full(5, 1.5),
      tsr_from_host(values, TSR_FLOAT64, 5),
      tsr_rng_uniform(&rng, 0, 1, 5),
      tsr_rng_normal(&rng, 0, 1, 5),
      tsr_rng_exponential(&rng, 1, 5),
      tsr_rng_integers(&rng, 0, 9, 5),
      tsr_rng_choice(&rng, 7, 5),
      tsr_broadcast_to(tsr_full(TSR_SHAPE(), 1), 5),
      tsr_reshape(tsr_zeros(TSR_SHAPE(1, 5)), 5),
  };
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
    cr_expect_eq(tsr_ndim(vectors[i]), 1, "call %zu", i);
    cr_expect_eq(tsr_size(vectors[i]), 5, "call %zu", i);
  }
  cr_expect_eq(tsr_size(tsr_tile(x, 2)), 12);
  cr_expect_eq(tsr_size(tsr_pad(x, 1, 2)), 9);
  EXPECT_VALUES(tsr_indices(3), TSR_SHAPE(1, 3), 0, 1, 2);
  EXPECT_VALUES(tsr_zeros(5, TSR_INT32), TSR_SHAPE(5), 0, 0, 0, 0, 0);
}

Test(options, of_a_program_have_bounds_if_it_names_them)
{
  int64_t n = 1;
  double dt = 1;
  const tsr_option options[] = {
      {"-n", "points", .integer = &n}, {"--dt", "of a step", .number = &dt}, {0}};
  char *argv[] = {"program", "-n", "-7", "--dt=0.25", NULL};
  cr_expect_eq(tsr_options(4, argv, "A program.", options), -1);
  cr_expect_eq(n, -7);
  cr_expect_eq(dt, 0.25);
}

/* A line that is refused says so on stderr, and leaves the values that come after it as they are. */
Test(options, of_a_program_that_are_refused)
{
  int64_t n = 5;
  double dt = 0.5;
  const char *file = "none";
  const tsr_option options[] = {{"-n", "points", .integer = &n, .least = 1, .most = 4e9},
                                {"--dt", NULL, .number = &dt, .least = 0, .most = 1},
                                {"--file", "of the picture", .text = &file},
                                {0}};
  static const char *const refused[][2] = {{"-n", "2.5"},   {"-n", "1e3"},        {"-n", "0"},
                                           {"-n", ""},      {"-n", "5000000000"}, {"--dt", "nan"},
                                           {"--dt", "1.5"}, {"--dt", "x"},        {"--d", "0.5"},
                                           {"-n=", "7"},    {"--dt", NULL}};
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    char *argv[] = {"/bin/program", (char *)refused[i][0], (char *)refused[i][1], NULL};
    cr_expect_eq(tsr_options(refused[i][1] ? 3 : 2, argv, "A program.", options), 2, "line %zu", i);
  }
  cr_expect(n == 5 && dt == 0.5);
  char *argv[] = {"program", "--file", "-n", "--help", NULL}, *none[] = {NULL};
  cr_expect_eq(tsr_options(4, argv, NULL, options), 0, "--help");
  cr_expect_str_eq(file, "-n");
  cr_expect_eq(tsr_options(0, none, "A program.", options), -1);
  cr_expect_eq(tsr_options(0, NULL, "A program.", NULL), -1);
  cr_expect_eq(tsr_options(2, argv, "A program.", NULL), 2);
}

Test(options, axes_may_be_a_number)
{
  tsr_array x = tsr_reshape(tsr_arange(6), TSR_SHAPE(2, 3));
  EXPECT_VALUES(tsr_sum(x, 0), TSR_SHAPE(3), 3, 5, 7);
  EXPECT_VALUES(tsr_sum(x, -1, TSR_KEEPDIMS), TSR_SHAPE(2, 1), 3, 12);
  EXPECT_VALUES(tsr_sum(x, TSR_KEEPDIMS, 1), TSR_SHAPE(2, 1), 3, 12);
  EXPECT_VALUES(tsr_var(x, 0, TSR_DDOF(1)), TSR_SHAPE(3), 4.5, 4.5, 4.5);
  EXPECT_VALUES(tsr_norm(x, TSR_ORD(1), 1), TSR_SHAPE(2), 3, 12);
  EXPECT_VALUES(tsr_average(x, tsr_ones(3), 1), TSR_SHAPE(2), 1, 4);
  EXPECT_VALUES(tsr_quantile(x, 0.5, 1), TSR_SHAPE(2), 1, 4);
  EXPECT_VALUES(tsr_median(x, 0), TSR_SHAPE(3), 1.5, 2.5, 3.5);
  EXPECT_VALUES(tsr_flip(x, 1), TSR_SHAPE(2, 3), 2, 1, 0, 5, 4, 3);
  EXPECT_VALUES(tsr_transpose(tsr_arange(3), 0), TSR_SHAPE(3), 0, 1, 2);
  EXPECT_VALUES(tsr_squeeze(tsr_ones(TSR_SHAPE(1, 1, 2)), 0), TSR_SHAPE(1, 2), 1, 1);
}

Test(options, an_axis_may_be_TSR_AXES_of_one)
{
  tsr_array x = tsr_reshape(tsr_arange(4), TSR_SHAPE(2, 2)), out[2];
  EXPECT_VALUES(tsr_cumsum(x, TSR_AXES(1)), TSR_SHAPE(2, 2), 0, 1, 2, 5);
  EXPECT_VALUES(tsr_diff(x, 1, TSR_AXES(0)), TSR_SHAPE(1, 2), 2, 2);
  EXPECT_VALUES(tsr_trapezoid(x, 1, TSR_AXES(-1)), TSR_SHAPE(2), 0.5, 2.5);
  EXPECT_VALUES(tsr_swapaxes(x, TSR_AXES(0), TSR_AXES(-1)), TSR_SHAPE(2, 2), 0, 2, 1, 3);
  EXPECT_VALUES(tsr_diagonal(x, 0, TSR_AXES(0), 1), TSR_SHAPE(2), 0, 3);
  EXPECT_VALUES(tsr_concatenate(TSR_ARRAYS(x, x), TSR_AXES(1)), TSR_SHAPE(2, 4), 0, 1, 0, 1, 2, 3,
                2, 3);
  const tsr_array several[] = {x, x, x};
  EXPECT_VALUES(tsr_concatenate(TSR_ARRAYS_OF(2, several), 1), TSR_SHAPE(2, 4), 0, 1, 0, 1, 2, 3, 2,
                3);
  EXPECT_VALUES(tsr_stack(TSR_ARRAYS(x, x), TSR_AXES(-1)), TSR_SHAPE(2, 2, 2), 0, 0, 1, 1, 2, 2, 3,
                3);
  cr_expect_eq(tsr_split(out, x, 2, TSR_AXES(1)), TSR_OK);
  EXPECT_VALUES(out[1], TSR_SHAPE(2, 1), 1, 3);
  cr_expect_not(tsr_ok(tsr_cumsum(x, TSR_AXES(0, 1))));
  EXPECT_ERROR(TSR_ERR_AXIS, "one axis is taken here", "`tsr_cumsum`");
  cr_expect_not(tsr_ok(tsr_stack(TSR_ARRAYS(x, x), TSR_AXES())));
  EXPECT_ERROR(TSR_ERR_AXIS, "one axis is taken here", "`tsr_stack`");
}

Test(options, one_that_a_call_does_not_take_is_told_with_those_it_takes)
{
  tsr_array x = tsr_ones(TSR_SHAPE(2, 3));
  cr_expect_not(tsr_ok(tsr_sum(x, TSR_DDOF(1))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_DDOF is no option of this call",
               "takes TSR_AXES, TSR_KEEPDIMS, TSR_WHERE, TSR_INITIAL and TSR_DTYPE", "`tsr_sum`");
  cr_expect_not(tsr_ok(tsr_sum(x, TSR_DDOF(0))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_DDOF is no option");
  cr_expect_not(tsr_ok(tsr_var(x, TSR_ORD(2))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_ORD is no option",
               "TSR_AXES, TSR_KEEPDIMS, TSR_DDOF, TSR_WHERE and TSR_DTYPE");
  cr_expect_not(tsr_ok(tsr_norm(x, 0, TSR_DDOF(1))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_DDOF is no option", "TSR_AXES, TSR_KEEPDIMS and TSR_ORD");
  cr_expect_not(tsr_ok(tsr_average(x, x, TSR_ORD(1))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_ORD is no option", "`tsr_average`");
  cr_expect_not(tsr_ok(tsr_quantile(x, 0.5, TSR_DDOF(1))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "TSR_DDOF is no option", "`tsr_quantile`");
  const tsr_array m = tsr_greater(x, 0);
  tsr_array twice[] = {tsr_sum(x, TSR_WHERE(m), TSR_WHERE(m)), tsr_var(x, TSR_DDOF(1), TSR_DDOF(1)),
                       tsr_max(x, TSR_INITIAL(1), 0, TSR_INITIAL(2)),
                       tsr_norm(x, TSR_ORD(1), TSR_ORD(2)),
                       tsr_mean(x, TSR_KEEPDIMS, TSR_KEEPDIMS)};
  for (size_t i = 0; i < sizeof twice / sizeof twice[0]; i++)
    cr_expect_not(tsr_ok(twice[i]), "%d", (int)i);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "an option is given twice", "`tsr_sum`");
  tsr_array views[] = {tsr_flip(x, TSR_KEEPDIMS),        tsr_transpose(x, TSR_DDOF(1)),
                       tsr_squeeze(x, TSR_KEEPDIMS),     tsr_roll(x, 1, TSR_KEEPDIMS),
                       tsr_repeat(x, 2, TSR_ORD(1)),     tsr_rot90(x, 1, TSR_KEEPDIMS),
                       tsr_moveaxis(x, TSR_KEEPDIMS, 0), tsr_expand_dims(x, TSR_KEEPDIMS)};
  for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) cr_expect_not(tsr_ok(views[i]));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "is no option of this call, which takes TSR_AXES");
}
