/* What the plans of a test's ranks, which are threads, show of steps that share an exchange. The
 * headers of plans and those of the program's calls have names in common, so tests ask here. */
#ifndef TSR_TESTS_PLAN_LOOK_H
#define TSR_TESTS_PLAN_LOOK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct tsr_scheduler;

enum { LOOK_GROUPS = 1000, LOOK_RANKS = 4 };

/** Zeros at first; all ranks add to it. */
typedef struct plan_look {
  /* [group of a plan] some rank has messages for it. Plans without margins note it; plans with them
   * count these groups. Each plan is that of one window of as many groups. */
  bool notes_messages;
  _Atomic bool has_messages[LOOK_GROUPS];
  _Atomic int n_intervals, n_wide; /* of all plans: intervals, and groups with margins */
  _Atomic int most_exchanges;      /* of the groups of an interval that have messages without it */
  _Atomic int64_t widest;          /* margin: elements of an array, or indices of a group */
  /* margins that are greater than an eighth of the narrowest tile along the axis */
  _Atomic int n_too_wide;
  /* intervals that compute more than a twentieth beside their ranks' tiles, in all steps together */
  _Atomic int n_too_many_points;
  _Atomic uint64_t intervals[LOOK_RANKS]; /* a hash of where intervals begin and end, by place */
  /* a user's task: plans in which it lies between two other groups of an interval; and of these,
   * plans of the last place in which no chunk has its last row in its first band, where other
   * groups run before */
  _Atomic int n_tasks_inside, n_tasks_later;
} plan_look;

/** Look at all plans that this thread's scheduler makes from now on. */
void plan_look_begin(struct tsr_scheduler *s, plan_look *look);

#endif
