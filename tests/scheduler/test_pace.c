/* How many threads the runs of a plan get (scheduler/run/pace.h), with times that are made up. */
#include <criterion/criterion.h>

#include "scheduler/run/pace.h"

/* The time after which trials begin. */
static void begin(tsr_pace *p, int n_threads)
{
  for (int i = 0; i < 300; i++) {
    cr_assert_eq(tsr__pace_threads(p, n_threads), n_threads, "the first runs have all threads");
    tsr__pace_note(p, n_threads, 1000000);
  }
}

/* Runs a plan n times; us[k] is the time with 2^k threads. Returns the threads of the last run. */
static int run(tsr_pace *p, int n_threads, int n, const uint64_t *us, int *n_fewer)
{
  int threads = 0;
  *n_fewer = 0;
  for (int i = 0; i < n; i++) {
    threads = tsr__pace_threads(p, n_threads);
    cr_assert(threads >= 1 && threads <= n_threads);
    int k = 0;
    while ((2 << k) <= threads) k++;
    *n_fewer += threads < n_threads;
    tsr__pace_note(p, n_threads, 1000 * us[k] + (uint64_t)(i % 3) * 100);
  }
  return threads;
}

Test(pace, the_fastest_number_of_threads_is_found)
{
  int n_fewer;
  tsr_pace small = {0}, middle = {0}, large = {0};
  begin(&small, 8);
  begin(&middle, 8);
  begin(&large, 8);
  cr_assert_eq(run(&small, 8, 100, (const uint64_t[]){10, 13, 14, 14}, &n_fewer), 1);
  cr_assert_eq(run(&middle, 8, 100, (const uint64_t[]){40, 25, 20, 30}, &n_fewer), 4);
  cr_assert_eq(run(&large, 8, 100, (const uint64_t[]){400, 250, 150, 80}, &n_fewer), 8);
  cr_assert(n_fewer > 0 && n_fewer <= 16, "%d trials with fewer threads", n_fewer);
}

Test(pace, fewer_threads_must_be_clearly_better)
{
  int n_fewer;
  tsr_pace p = {0}, q = {0};
  begin(&p, 2);
  begin(&q, 2);
  cr_assert_eq(run(&p, 2, 100, (const uint64_t[]){98, 100}, &n_fewer), 2);
  cr_assert_eq(run(&q, 2, 100, (const uint64_t[]){80, 100}, &n_fewer), 1);
}

Test(pace, long_runs_are_never_tried_with_fewer)
{
  int n_fewer;
  tsr_pace p = {0};
  begin(&p, 4);
  cr_assert_eq(run(&p, 4, 10000, (const uint64_t[]){90000, 60000, 50000}, &n_fewer), 4);
  cr_assert_eq(n_fewer, 0);
}

Test(pace, a_run_that_was_disturbed_decides_nothing)
{
  int n_fewer;
  tsr_pace p = {0};
  begin(&p, 4);
  run(&p, 4, 1, (const uint64_t[]){10, 20, 50000}, &n_fewer);
  cr_assert_eq(run(&p, 4, 100, (const uint64_t[]){10, 20, 30}, &n_fewer), 1);
}

Test(pace, runs_that_become_long_get_all_threads_again)
{
  int n_fewer;
  tsr_pace p = {0};
  begin(&p, 4);
  cr_assert_eq(run(&p, 4, 100, (const uint64_t[]){10, 20, 30}, &n_fewer), 1);
  cr_assert_eq(run(&p, 4, 5000, (const uint64_t[]){90000, 60000, 50000}, &n_fewer), 4);
}

Test(pace, what_has_changed_is_found_by_later_trials)
{
  int n_fewer;
  tsr_pace p = {0};
  begin(&p, 2);
  cr_assert_eq(run(&p, 2, 1000, (const uint64_t[]){100, 60}, &n_fewer), 2);
  cr_assert_eq(run(&p, 2, 5000, (const uint64_t[]){100, 300}, &n_fewer), 1);
  cr_assert_eq(run(&p, 2, 5000, (const uint64_t[]){100, 60}, &n_fewer), 2);
}

Test(pace, a_choice_is_tried_again_soon_and_one_that_stays_ever_less_often)
{
  int n_fewer;
  tsr_pace p = {0};
  begin(&p, 2);
  cr_assert_eq(run(&p, 2, 8, (const uint64_t[]){100, 300}, &n_fewer), 1, "trials, all disturbed");
  cr_assert_eq(run(&p, 2, 300, (const uint64_t[]){100, 60}, &n_fewer), 2);
  cr_assert_lt(n_fewer, 270);
  run(&p, 2, 8000, (const uint64_t[]){100, 60}, &n_fewer);
  run(&p, 2, 40960, (const uint64_t[]){100, 60}, &n_fewer);
  cr_assert_geq(n_fewer, 10, "every 4,096 runs it is tried again");
  cr_assert_leq(n_fewer, 44);
}

Test(pace, one_thread_stays_one, .timeout = 10)
{
  int n_fewer;
  tsr_pace p = {0};
  begin(&p, 1);
  cr_assert_eq(run(&p, 1, 100, (const uint64_t[]){100}, &n_fewer), 1);
}
