/* Handles: the null handle, stale ones, foreign ones, arrays that pile up. */
#include "array_test.h"

TestSuite(handles, .init = begin, .fini = end);

Test(handles, null_poisons_in_silence)
{
  tsr_array null = tsr_null();
  cr_expect_not(tsr_ok(tsr_add(null, 1)));
  cr_expect_not(tsr_ok(tsr_slice(null, "0")));
  cr_expect_not(tsr_ok(tsr_sum(null)));
  cr_expect_not(tsr_ok(tsr_astype(null, TSR_INT32)));
  cr_expect_eq(tsr_assign(null, 1.0), TSR_ERR_HANDLE);
  double read = tsr_item_f64(null);
  cr_expect(read != read);
  cr_expect_str_eq(tsr_last_error(), "");
}

Test(handles, stale_use_names_the_call_and_the_lifetime)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(3));
  tsr_array copy = x;
  tsr_release(&x);
  cr_expect_not(tsr_ok(x));
  cr_expect_not(tsr_ok(tsr_add(copy, 1)));
  EXPECT_ERROR(TSR_ERR_HANDLE, "error[TSR0102]", "released", "`tsr_add`",
               "test_handles.c:", "made at", "test_handles.c:", "by tsr_zeros", "released at",
               "by tsr_release", "help:");
}

Test(handles, stale_is_detected_after_the_handle_was_used_again)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(3)), copy = x;
  for (int i = 0; i < 5; i++) {
    tsr_release(&x);
    x = tsr_ones(TSR_SHAPE(2));
    cr_expect_neq(x.id, copy.id);
    cr_expect_eq((uint32_t)x.id, (uint32_t)copy.id);
    cr_expect_eq(tsr_ndim(copy), 0);
    EXPECT_ERROR(TSR_ERR_HANDLE, "released", "tsr_ndim");
  }
}

Test(handles, a_handle_dies_with_its_context)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(3));
  cr_assert_eq(tsr_finalize(), TSR_OK);
  begin();
  tsr_array y = tsr_zeros(TSR_SHAPE(3));
  cr_expect_neq(x.id, y.id);
  cr_expect_not(tsr_ok(tsr_add(y, x)));
  EXPECT_ERROR(TSR_ERR_HANDLE, "TSR0102", "never made");
}

Test(handles, views_outlive_the_array_they_were_made_of)
{
  tsr_array x = tsr_arange(0, 6, 1), view = tsr_slice(x, "1::2");
  tsr_release(&x);
  EXPECT_VALUES(view, TSR_SHAPE(3), 1, 3, 5);
}

Test(handles, many_arrays)
{
  tsr_array xs[3000];
  for (int i = 0; i < 3000; i++) xs[i] = tsr_full(TSR_SHAPE(), i);
  cr_expect_eq(tsr__context_n_arrays(), 3000);
  for (int i = 0; i < 3000; i += 2) tsr_release(&xs[i]);
  cr_expect_eq(tsr__context_n_arrays(), 1500);
  cr_expect_eq(tsr_item_i64(xs[2999]), 2999);
  cr_expect_eq(tsr_item_i64(xs[1]), 1);
}

static void pile_up(void)
{
  tsr_finalize();
  setenv("TESSERA_WARN_ARRAYS", "50", 1);
  begin();
  for (int i = 0; i < 200; i++) {
    tsr_array x = tsr_zeros(TSR_SHAPE(2));
    if (i % 2) tsr_release(&x);
  }
}

Test(handles, arrays_that_pile_up_at_one_place_earn_one_warning)
{
  char text[4096];
  cr_assert_eq(run_child(pile_up, text, sizeof text), 0);
  char *warning = strstr(text, "warning: 50 arrays made at ");
  cr_assert_not_null(warning, "%s", text);
  cr_expect_not_null(strstr(warning, "test_handles.c:"));
  cr_expect_not_null(strstr(warning, "TSR_SCOPE"));
  cr_expect_null(strstr(warning + 1, "warning:"));
}

/* Named values in a loop that has no scope; and arrays that are meant to stay. */
static void pile_up_temporaries(void)
{
  tsr_array u = tsr_zeros(2), kept[150];
  for (int i = 0; i < 150; i++) {
    kept[i] = tsr_zeros(2);
    tsr_assign(kept[i], i);
  }
  for (int i = 0; i < 150; i++) kept[i] = tsr_slice(u, "1:");
  for (int i = 0; i < 150; i++) kept[i] = tsr_hold(tsr_add(u, i));
  {
    TSR_SCOPE();
    for (int i = 0; i < 150; i++) kept[i] = tsr_add(u, i);
  }
  fprintf(stderr, "now\n");
  for (int i = 0; i < 400; i++) {
    tsr_array named = tsr_multiply(u, 2);
    tsr_assign(u, named);
  }
}

Test(handles, named_temporaries_that_pile_up_earn_one_warning_soon)
{
  char text[4096];
  cr_assert_eq(run_child(pile_up_temporaries, text, sizeof text), 0);
  char *warning = strstr(text, "warning: ");
  cr_assert_not_null(warning, "%s", text);
  cr_expect_lt(strstr(text, "now\n"), warning, "%s", text);
  int n = 0;
  cr_expect_eq(sscanf(warning, "warning: %d arrays made at ", &n), 1);
  cr_expect(n >= 100 && n <= 300, "%d", n); /* the others alive put it off by a part */
  cr_expect_not_null(strstr(warning, "by tsr_multiply are alive"), "%s", text);
  cr_expect_null(strstr(warning + 1, "warning:"), "%s", text);
}

static int creation; /* which one make_first tests */

/* Arrays that are all made before any is assigned to. */
static void make_first(void)
{
  static const double two[] = {1, 2};
  tsr_array all[120];
  tsr_rng rng = tsr_default_rng(1);
  for (int i = 0; i < 120; i++) {
    all[i] = creation == 0   ? tsr_zeros(2)
             : creation == 1 ? tsr_full(2, 1.5)
             : creation == 2 ? tsr_empty(2)
             : creation == 3 ? tsr_from_host(two, TSR_FLOAT64, TSR_SHAPE(2))
                             : tsr_rng_uniform(&rng, 0, 1, TSR_SHAPE(2));
  }
  for (int i = 0; i < 120; i++) tsr_assign(all[i], i);
}

Test(handles, arrays_that_are_created_are_no_temporaries)
{
  for (creation = 0; creation < 5; creation++) {
    char text[4096];
    cr_assert_eq(run_child(make_first, text, sizeof text), 0);
    cr_expect_null(strstr(text, "warning"), "%s", text);
  }
}

static void without_context(void)
{
  tsr_context_set_current(NULL);
  (void)(tsr_zeros)(TSR_SHAPE(2), TSR_FLOAT64);
}

Test(handles, a_thread_without_context_is_told_so)
{
  char text[4096];
  cr_expect_eq(run_child(without_context, text, sizeof text), 1);
  cr_expect_not_null(strstr(text, "tsr_zeros"), "%s", text);
  cr_expect_not_null(strstr(text, "tsr_init"));
}
