/* A rank that comes late to a flush: the others' messages fill the memory that carries them, and
 * what they reduce waits behind. */
#include <criterion/criterion.h>
#include <unistd.h>

#include "tessera.h"

enum { N_ARRAYS = 6, N = 118, N_STEPS = 3 };

typedef struct late_case {
  int late; /* the rank */
  double sum[2][N_STEPS];
} late_case;

/* A face has 111 KB, so that those of a step are more than a ring holds. */
static void late_rank(void *arg, int rank)
{
  late_case *c = arg;
  tsr_array x[N_ARRAYS];
  for (int k = 0; k < N_ARRAYS; k++) x[k] = tsr_full(TSR_SHAPE(60, N, N), 1.0 + k);
  tsr_flush();
  for (int step = 0; step < N_STEPS; step++) {
    TSR_SCOPE();
    tsr_array s = tsr_sum(x[0]);
    for (int k = 0; k < N_ARRAYS; k++)
      tsr_exec("x[1:-1] = 0.25*(0.5*x[1:-1] + x[:-2] + x[2:])", x[k]);
    if (rank == c->late) usleep(50000);
    c->sum[rank][step] = tsr_item_f64(s);
  }
}

Test(late, messages_that_find_no_room_are_sent_later, .timeout = 120)
{
  const char *const settings[] = {"transport", "shm", NULL};
  late_case alone = {.late = -1}, first = {.late = 0}, second = {.late = 1};
  late_case *cases[] = {&alone, &first, &second};
  for (int i = 0; i < 3; i++) {
    cr_assert_eq(tsr_run_ranks(i == 0 ? 1 : 2, settings, late_rank, cases[i]), TSR_OK);
    for (int step = 0; step < N_STEPS; step++) {
      cr_assert_eq(cases[i]->sum[0][step], alone.sum[0][step]);
      if (i > 0) cr_assert_eq(cases[i]->sum[1][step], alone.sum[0][step]);
    }
  }
  cr_assert_eq(alone.sum[0][0], 60.0 * N * N);
}
