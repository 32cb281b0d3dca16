/* Stores around the caches: what trials teach. Times are given, not taken. */
#include <criterion/criterion.h>

#include "runtime/machine.h"
#include "scheduler/scheduler_int.h"

enum { MS = 1000000, N_TRIALS = 32, YOUNG_PERIOD = 128 };

/* One period: trials that take so long without and with such stores, then the rest. Returns how
 * many of the rest had them. */
static int run_period(tsr_flows *f, int ms_without, int ms_with)
{
  int n_with = 0, n_trials[2] = {0};
  for (int i = 0; i < YOUNG_PERIOD; i++) {
    uint64_t began_ns;
    const bool on = tsr__flows_begin(f, &began_ns);
    cr_assert_eq(began_ns != 0, i < N_TRIALS, "chunk %d", i);
    n_trials[on] += i < N_TRIALS;
    n_with += i >= N_TRIALS && on;
    if (began_ns != 0)
      tsr__flows_end(f, on, tsr__now_ns() - (uint64_t)(on ? ms_with : ms_without) * MS, 1000);
  }
  cr_expect_eq(n_trials[0], N_TRIALS / 2);
  cr_expect_eq(n_trials[1], N_TRIALS / 2);
  return n_with;
}

Test(flows, what_took_less_time_serves_the_rest_of_the_period)
{
  tsr_flows f = {0};
  const int rest = YOUNG_PERIOD - N_TRIALS;
  cr_expect_eq(run_period(&f, 2000, 4000), 0);
  cr_expect_eq(run_period(&f, 4000, 2000), rest, "a later trial overrules an earlier one");
  cr_expect_eq(run_period(&f, 2000, 2000), rest, "a draw leaves the caches to others");
  cr_expect_eq(run_period(&f, 2000, 4000), 0);
}
