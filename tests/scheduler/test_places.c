/* Several places per rank: messages reach the right place, and a failure of one place is the
 * rank's. */
#include "harness.h"
#include "scheduler/wire.h"

Test(places, a_message_between_two_ranks_names_its_places)
{
  for (int n_places = 1; n_places <= TSR_MAX_PLACES; n_places *= 2) {
    const tsr_world w = {.size = 3, .n_places = n_places};
    static bool taken[4 * TSR_MAX_PLACES * TSR_MAX_PLACES];
    memset(taken, 0, sizeof taken);
    for (uint32_t number = 0; number < 4; number++)
      for (int from = 0; from < n_places; from++)
        for (int to = 2 * n_places; to < 3 * n_places; to++) {
          const uint32_t tag = tsr__wire_tag(&w, number, from, to);
          cr_assert_lt(tag, 4 * (uint32_t)(n_places * n_places));
          cr_assert_not(taken[tag], "tag %u means two messages", (unsigned)tag);
          taken[tag] = true;
        }
    for (uint32_t number = 1; number != 0; number <<= 1)
      cr_assert_lt(tsr__wire_tag(&w, number, 0, n_places), TSR_N_TAGS);
  }
}

enum { L = 4096 };

/* Rank 1 is ahead by as many message numbers as there are tags on the wire: what it sends looks
 * like what the others wait for, but is not. */
static void numbers_are_apart(rank_world *w)
{
  const int64_t n = L - 2, left[1][3] = {{0, n, 1}}, right[1][3] = {{2, n, 1}};
  HELD a = make(w, TSR_FLOAT64, 1, (int64_t[]){L}, true);
  HELD b = make(w, TSR_FLOAT64, 1, (int64_t[]){n}, true);
  fill(w, a, 2.0, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  SLICE x = slice(a, left), y = slice(a, right);
  const uint32_t turn = TSR_N_TAGS / (uint32_t)(w->world.n_places * w->world.n_places);
  if (w->world.rank == 1) w->scheduler->next_tag += *(uint32_t *)w->arg * turn;
  map2(w, TSR_OP_ADD, in_array(x), in_array(y), b, true);
  double *got = tsr__calloc((size_t)n, sizeof *got);
  const tsr_status status = tsr__read(w->scheduler, b.region, &b.view->view, &here, got);
  if (*(uint32_t *)w->arg == 0)
    cr_assert_eq(status, TSR_OK);
  else
    cr_assert_not_null(
        strstr(w->world.error.headline.s, "failed with TSR0602: a message belongs to another call"),
        "%s", w->world.error.headline.s);
  tsr__error_clear(&w->world.error);
  free(got);
}

Test(places, a_message_of_another_number_is_none)
{
  static const char *const places[] = {"1", "2"};
  for (int i = 0; i < 2; i++)
    for (uint32_t turns = 0; turns <= 1; turns++)
      RUN_RANKS(3, numbers_are_apart, &turns, "replicate_max", "0", "tile_min", "64", "places",
                places[i], "guard", "0");
}

/* The second place of rank 0 gets no memory for the sum of neighbours. */
static void one_place_has_no_memory(rank_world *w)
{
  const int64_t shape[1] = {L}, n = L - 2;
  const uint64_t at = *(uint64_t *)w->arg;
  HELD a = make(w, TSR_FLOAT64, 1, shape, true), b = make(w, TSR_FLOAT64, 1, (int64_t[]){n}, true);
  fill(w, a, 2.0, true);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  const int64_t left[1][3] = {{0, n, 1}}, right[1][3] = {{2, n, 1}};
  SLICE x = slice(a, left), y = slice(a, right);
  tsr_memory *memory = w->world.places[1].memory;
  if (w->world.rank == 0) tsr__memory_fail_at(memory, at);
  map2(w, TSR_OP_ADD, in_array(x), in_array(y), b, true);
  double *got = tsr__calloc((size_t)n, sizeof *got);
  const tsr_status status = tsr__read(w->scheduler, b.region, &b.view->view, &here, got);
  tsr__memory_fail_at(memory, 0);
  if (at > 0)
    cr_assert_lt(status, 0);
  else
    for (int64_t i = 0; i < n; i++) cr_assert_eq(got[i], 4.0);
  tsr__error_clear(&w->world.error);
  cr_assert_eq(tsr__read(w->scheduler, a.region, &a.view->view, &here,
                         (got = tsr__realloc(got, L * sizeof *got))),
               TSR_OK);
  for (int i = 0; i < L; i++) cr_assert_eq(got[i], 2.0);
  free(got);
}

Test(places, a_failure_of_one_is_the_ranks)
{
  for (int n = 1; n <= 3; n++) /* a rank that is alone reads without a copy */
    for (uint64_t at = 0; at <= (n > 1 ? 2 : 1); at++)
      RUN_RANKS(n, one_place_has_no_memory, &at, "replicate_max", "0", "tile_min", "64", "places",
                "2", "device", "cpu");
}
