/* Streaming stores: what trials teach. Times are given by the test, not taken. */
#include <criterion/criterion.h>

#include "runtime/machine/machine.h"
#include "scheduler/run/stream_stores.h"

enum { MS = 1000000, PERIOD = 1024 };

/* Runs chunks up to the next trial. Those in the trial take so long without and with streaming
 * stores, but for the first two of each kind, which take a hundred times as long. Returns how many
 * of the rest had streaming stores. */
static int run_period(tsr_stream_stores *f, int n_chunks, int ms_without, int ms_with)
{
  int n_with = 0, n_trials[2] = {0};
  for (int i = 0; i < n_chunks; i++) {
    tsr_stream_trial trial;
    const bool on = tsr__stream_stores_begin(f, &trial);
    cr_assert_eq(trial.number, i < TSR_STREAM_TRIALS ? i : -1, "chunk %d of %d", i, n_chunks);
    n_with += trial.number < 0 && on;
    if (trial.number < 0) continue;
    const uint64_t ms = (uint64_t)(on ? ms_with : ms_without) * (n_trials[on]++ < 2 ? 100 : 1);
    trial.began_ns = tsr__now_ns() - ms * MS;
    tsr__stream_stores_end(f, &trial, 1000);
  }
  cr_expect_eq(n_trials[0], TSR_STREAM_TRIALS / 2);
  cr_expect_eq(n_trials[1], TSR_STREAM_TRIALS / 2);
  return n_with;
}

Test(flows, what_took_less_time_serves_the_rest_of_the_period)
{
  tsr_stream_stores f = {0};
  const int lengths[] = {64, 64, 128, 256, 512, PERIOD, PERIOD};
  const int without[] = {2000, 4000, 2000, 2000, 4000, 2000, 4000};
  const int with[] = {4000, 2000, 2000, 4000, 2000, 4000, 4000};
  for (int i = 0; i < 7; i++) {
    const int rest = lengths[i] - TSR_STREAM_TRIALS;
    cr_expect_eq(run_period(&f, lengths[i], without[i], with[i]), without[i] < with[i] ? 0 : rest,
                 "trial %d: the last one counts, and a draw leaves the caches to others", i);
  }
}

Test(flows, a_chunk_that_has_not_ended_says_nothing)
{
  tsr_stream_stores f = {0};
  for (int i = 0; i < 64; i++) {
    tsr_stream_trial trial;
    const bool on = tsr__stream_stores_begin(&f, &trial);
    if (trial.number < 0) cr_assert(on, "with nothing known they are used");
    if (trial.number >= 0 && on) tsr__stream_stores_end(&f, &trial, 1);
  }
}
