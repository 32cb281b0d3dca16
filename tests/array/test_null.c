/* Null handles in abort mode: a variable that was never given a value is a mistake at its first
 * use, in every call; tsr_null() and what a failed call returned are not. */
#include "array_test.h"

TestSuite(null, .init = begin, .fini = end);

static tsr_array u, out[4]; /* never given a value */
static tsr_rng rng;
static tsr_local_tile tile;
static tsr_read pending;

static tsr_array one(void)
{
  return tsr_ones(TSR_SHAPE(3));
}

/* Every way into the library: what takes one array, two, a scalar, several, or writes. */
#define CALLS(ARRAY, OTHER)                                                                        \
  ARRAY(tsr_add, tsr_add(one(), u))                                                                \
  ARRAY(tsr_add, tsr_add(u, one(), one()))                                                         \
  ARRAY(tsr_multiply, tsr_multiply(u, 2))                                                          \
  ARRAY(tsr_sqrt, tsr_sqrt(u))                                                                     \
  ARRAY(tsr_less, tsr_less(u, 1.0))                                                                \
  ARRAY(tsr_where, tsr_where(u, 1, 2))                                                             \
  ARRAY(tsr_clip, tsr_clip(one(), 0, u))                                                           \
  ARRAY(tsr_isclose, tsr_isclose(one(), u))                                                        \
  ARRAY(tsr_round, tsr_round(u, 1))                                                                \
  ARRAY(tsr_angle, tsr_angle(u))                                                                   \
  OTHER(tsr_divmod, tsr_divmod(out, u, 2))                                                         \
  OTHER(tsr_frexp, tsr_frexp(out, u))                                                              \
  OTHER(tsr_modf, tsr_modf(out, u))                                                                \
  OTHER(tsr_assign, tsr_assign(u, 1.0))                                                            \
  OTHER(tsr_assign, tsr_assign(one(), u))                                                          \
  OTHER(tsr_iadd, tsr_iadd(u, 1))                                                                  \
  OTHER(tsr_imod, tsr_imod(one(), u))                                                              \
  OTHER(tsr_item_f64, tsr_item_f64(u) > 0)                                                         \
  OTHER(tsr_item_i64, tsr_item_i64(u))                                                             \
  OTHER(tsr_item_bool, tsr_item_bool(u))                                                           \
  OTHER(tsr_item_c128, tsr_item_c128(u) == 0)                                                      \
  OTHER(tsr_to_host, tsr_to_host(u, out))                                                          \
  OTHER(tsr_read_begin, (pending = tsr_read_begin(u), 0))                                          \
  OTHER(tsr_local, tsr_local(u, NULL, false, &tile))                                               \
  ARRAY(tsr_full, tsr_full(TSR_SHAPE(2), u))                                                       \
  ARRAY(tsr_arange, tsr_arange(0, u, 1))                                                           \
  ARRAY(tsr_linspace, tsr_linspace(0, u))                                                          \
  ARRAY(tsr_copy, tsr_copy(u))                                                                     \
  ARRAY(tsr_astype, tsr_astype(u, TSR_INT32))                                                      \
  OTHER(tsr_ndim, tsr_ndim(u))                                                                     \
  OTHER(tsr_shape, tsr_shape(u).ndim)                                                              \
  OTHER(tsr_size, (int)tsr_size(u))                                                                \
  OTHER(tsr_dtype_of, (int)tsr_dtype_of(u))                                                        \
  OTHER(tsr_result_type, (int)tsr_result_type(u))                                                  \
  ARRAY(tsr_zeros_like, tsr_zeros_like(u))                                                         \
  ARRAY(tsr_tril, tsr_tril(u))                                                                     \
  ARRAY(tsr_diag, tsr_diag(u))                                                                     \
  OTHER(tsr_meshgrid, tsr_meshgrid(out, TSR_ARRAYS(one(), u)))                                     \
  OTHER(tsr_save_npy, tsr_save_npy(u, "never.npy"))                                                \
  OTHER(tsr_save_png, tsr_save_png(u, "never.png"))                                                \
  OTHER(tsr_print, tsr_print(u))                                                                   \
  ARRAY(tsr_keep, tsr_keep(u))                                                                     \
  ARRAY(tsr_hold, tsr_hold(u))                                                                     \
  ARRAY(tsr_matmul, tsr_matmul(one(), u))                                                          \
  OTHER(tsr_matmul_into, tsr_matmul_into(u, one(), one()))                                         \
  OTHER(tsr_matmul_into, tsr_matmul_into(one(), u, one()))                                         \
  ARRAY(tsr_einsum, tsr_einsum("i,i", one(), u))                                                   \
  ARRAY(tsr_rng_integers, tsr_rng_integers(&rng, u, 3, TSR_SHAPE(2)))                              \
  ARRAY(tsr_rng_permutation, tsr_rng_permutation(&rng, u))                                         \
  OTHER(tsr_rng_shuffle, tsr_rng_shuffle(&rng, u))                                                 \
  ARRAY(tsr_rng_choice, tsr_rng_choice(&rng, u, TSR_SHAPE(2), true))                               \
  ARRAY(tsr_sum, tsr_sum(u, TSR_AXES(0)))                                                          \
  ARRAY(tsr_mean, tsr_mean(u))                                                                     \
  ARRAY(tsr_argmin, tsr_argmin(u))                                                                 \
  ARRAY(tsr_squeeze, tsr_squeeze(u))                                                               \
  ARRAY(tsr_moveaxis, tsr_moveaxis(u, 0, 1))                                                       \
  ARRAY(tsr_swapaxes, tsr_swapaxes(u, 0, 1))                                                       \
  ARRAY(tsr_flipud, tsr_flipud(u))                                                                 \
  ARRAY(tsr_rot90, tsr_rot90(u))                                                                   \
  ARRAY(tsr_atleast_2d, tsr_atleast_2d(u))                                                         \
  OTHER(tsr_broadcast_arrays, tsr_broadcast_arrays(out, TSR_ARRAYS(one(), u)))                     \
  ARRAY(tsr_reshape, tsr_reshape(u, 3))                                                            \
  ARRAY(tsr_ravel, tsr_ravel(u))                                                                   \
  ARRAY(tsr_roll, tsr_roll(u, 1))                                                                  \
  ARRAY(tsr_concatenate, tsr_concatenate(TSR_ARRAYS(one(), u)))                                    \
  ARRAY(tsr_concatenate, tsr_concatenate(TSR_ARRAYS(u, one())))                                    \
  ARRAY(tsr_stack, tsr_stack(TSR_ARRAYS(one(), u)))                                                \
  ARRAY(tsr_vstack, tsr_vstack(TSR_ARRAYS(one(), u)))                                              \
  OTHER(tsr_split, tsr_split(out, u, 1))                                                           \
  OTHER(tsr_array_split, tsr_array_split(out, u, 2))                                               \
  ARRAY(tsr_tile, tsr_tile(u, 2))                                                                  \
  ARRAY(tsr_repeat, tsr_repeat(u, 2))                                                              \
  ARRAY(tsr_pad, tsr_pad(u, TSR_SHAPE(1), TSR_SHAPE(1)))                                           \
  OTHER(tsr_allclose, tsr_allclose(one(), u))                                                      \
  OTHER(tsr_array_equal, tsr_array_equal(u, one()))                                                \
  ARRAY(tsr_count_nonzero, tsr_count_nonzero(u))                                                   \
  ARRAY(tsr_var, tsr_var(u))                                                                       \
  ARRAY(tsr_nanargmin, tsr_nanargmin(u))                                                           \
  ARRAY(tsr_norm, tsr_norm(u))                                                                     \
  ARRAY(tsr_average, tsr_average(one(), u))                                                        \
  ARRAY(tsr_median, tsr_median(u))                                                                 \
  ARRAY(tsr_nanquantile, tsr_nanquantile(u, 0.5))                                                  \
  ARRAY(tsr_cumsum, tsr_cumsum(u, 0))                                                              \
  ARRAY(tsr_diff, tsr_diff(u))                                                                     \
  ARRAY(tsr_trapezoid, tsr_trapezoid(u))                                                           \
  ARRAY(tsr_inner, tsr_inner(one(), u))                                                            \
  ARRAY(tsr_dot, tsr_dot(one(), u))                                                                \
  ARRAY(tsr_outer, tsr_outer(u, one()))                                                            \
  ARRAY(tsr_vecdot, tsr_vecdot(u, one()))                                                          \
  ARRAY(tsr_cross, tsr_cross(one(), u))                                                            \
  ARRAY(tsr_kron, tsr_kron(one(), u))                                                              \
  ARRAY(tsr_trace, tsr_trace(u))                                                                   \
  ARRAY(tsr_column_stack, tsr_column_stack(TSR_ARRAYS(one(), u)))                                  \
  ARRAY(tsr_slice, tsr_slice(u, "1:"))                                                             \
  ARRAY(tsr_transpose, tsr_transpose(u))                                                           \
  ARRAY(tsr_flip, tsr_flip(u))                                                                     \
  ARRAY(tsr_broadcast_to, tsr_broadcast_to(u, TSR_SHAPE(3)))                                       \
  ARRAY(tsr_diagonal, tsr_diagonal(u))                                                             \
  ARRAY(tsr_expand_dims, tsr_expand_dims(u, 0))                                                    \
  ARRAY(tsr_eval, tsr_eval("u + 1", u))                                                            \
  OTHER(tsr_exec, tsr_exec("u[...] = 1", u))

#define NAME(op, call) #op,
static const char *const names[] = {CALLS(NAME, NAME)};
enum { N_CALLS = sizeof names / sizeof names[0] };

/* The call that a child makes. */
static int wanted;

static void make_call(void)
{
  int at = 0;
  tsr_set_error_mode(TSR_ERRORS_ABORT);
#define ARRAY(op, call)                                                                            \
  if (at++ == wanted) (void)!tsr_ok(call);
#define OTHER(op, call)                                                                            \
  if (at++ == wanted) (void)!(call);
  CALLS(ARRAY, OTHER)
}

Test(null, a_variable_without_a_value_is_an_error_of_every_call, .timeout = 120)
{
  for (wanted = 0; wanted < N_CALLS; wanted++) {
    char text[4096], in[64];
    snprintf(in, sizeof in, " in `%s`\n", names[wanted]);
    cr_expect_neq(run_child(make_call, text, sizeof text), 0, "%s ends", names[wanted]);
    cr_expect_not_null(strstr(text, "error[TSR0102]: an array that was never made is used in `"),
                       "%s: %s", names[wanted], text);
    cr_expect_not_null(strstr(text, in), "%s: %s", names[wanted], text);
  }
}

static void make_null_call(void)
{
  u = tsr_null();
  make_call();
}

Test(null, an_explicit_null_handle_is_silent_in_every_call, .timeout = 120)
{
  for (wanted = 0; wanted < N_CALLS; wanted++) {
    char text[4096];
    cr_expect_eq(run_child(make_null_call, text, sizeof text), 0, "%s: %s", names[wanted], text);
    cr_expect_str_eq(text, "", "%s", names[wanted]);
  }
}

enum { USED_AT = __LINE__ + 5 };

static void use_what_was_not_made(void)
{
  tsr_set_error_mode(TSR_ERRORS_ABORT);
  (void)!tsr_ok(tsr_add(u, 1.0));
}

Test(null, the_error_reads_as_documented)
{
  char text[4096], expected[2048];
  cr_expect_neq(run_child(use_what_was_not_made, text, sizeof text), 0);
  snprintf(expected, sizeof expected,
           "error[TSR0102]: an array that was never made is used in `tsr_add`\n"
           "  --> %s:%d in use_what_was_not_made()          (rank 0)\n"
           "   tsr_add(u, 1.0)\n"
           "   = a variable of this call was never given a value\n"
           "help: give it a value first, as in `tsr_array u = tsr_zeros(TSR_SHAPE(3));`; an array "
           "that is missing on purpose is tsr_null()\n",
           __FILE__, USED_AT);
  cr_expect_str_eq(text, expected);
}

static void use_in_text(void)
{
  tsr_set_error_mode(TSR_ERRORS_ABORT);
  tsr_array v = tsr_ones(TSR_SHAPE(3));
  (void)!tsr_ok(tsr_eval("2*v + u", u, v));
}

Test(null, a_text_shows_the_name)
{
  char text[4096];
  cr_expect_neq(run_child(use_in_text, text, sizeof text), 0);
  cr_expect_not_null(strstr(text, "an array that was never made is used in `tsr_eval`"), "%s",
                     text);
  cr_expect_not_null(strstr(text, "   | 2*v + u\n   |       ^\n"), "%s", text);
}

static void use_what_was_released(void)
{
  tsr_set_error_mode(TSR_ERRORS_ABORT);
  tsr_array x = one();
  tsr_release(&x);
  tsr_release(&x);
  tsr_assign(x, 1);
}

Test(null, a_released_variable_says_so)
{
  char text[4096];
  cr_expect_neq(run_child(use_what_was_released, text, sizeof text), 0);
  cr_expect_not_null(strstr(text, "error[TSR0102]: an array that was released is used in"), "%s",
                     text);
  cr_expect_not_null(strstr(text, "tsr_assign(x, 1)\n   = a variable of this call was emptied by"),
                     "%s", text);
}

static void call_what_was_not_made(void)
{
  static tsr_function f;
  tsr_set_error_mode(TSR_ERRORS_ABORT);
  (void)!tsr_ok(tsr_call(f, one()));
}

static void call_what_failed(void)
{
  tsr_function f = tsr_kernel_elementwise("f", "float64 x", "float64 y", "y = z");
  tsr_take_error(NULL, 0);
  tsr_set_error_mode(TSR_ERRORS_ABORT);
  (void)!tsr_ok(tsr_call(f, one()));
}

Test(null, a_kernel_without_a_value)
{
  char text[4096];
  cr_expect_neq(run_child(call_what_was_not_made, text, sizeof text), 0);
  cr_expect_not_null(
      strstr(text, "error[TSR0102]: a kernel that was never made is called in `tsr_call`"), "%s",
      text);
  cr_expect_eq(run_child(call_what_failed, text, sizeof text), 0, "%s", text);
  cr_expect_str_eq(text, "");
}

/* What does not use the array, and handles that an error which was told has made. */
static void no_use(void)
{
  const tsr_array failed = tsr_zeros(TSR_SHAPE(-1));
  tsr_array none = failed, made = u, again;
  tsr_take_error(NULL, 0);
  tsr_set_error_mode(TSR_ERRORS_ABORT);
  if (tsr_ok(u) || tsr_ok(failed)) fprintf(stderr, "a null handle is an array\n");
  tsr_release(&u);
  tsr_replace(&made, one());
  if (!tsr_ok(made)) fprintf(stderr, "no array came in the place of none\n");
  tsr_release(&none);
  again = tsr_add(tsr_sqrt(none), failed);
  tsr_replace(&made, again);
  if (tsr_item_f64(made) == 0 || tsr_ok(made)) fprintf(stderr, "an array came of none\n");
}

Test(null, what_is_no_use_and_what_a_failure_made_is_silent)
{
  char text[4096];
  cr_expect_eq(run_child(no_use, text, sizeof text), 0, "%s", text);
  cr_expect_str_eq(text, "");
}

Test(null, errors_that_are_returned_leave_it_silent)
{
  cr_expect_not(tsr_ok(tsr_add(u, 1)));
  cr_expect_eq(tsr_assign(u, 1), TSR_ERR_HANDLE);
  cr_expect_str_eq(tsr_last_error(), "");
}
