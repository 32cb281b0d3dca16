/* How many threads the runs of a plan get: a small plan may end later with more of them, since
 * handing over work costs more than it gains. Once a remembered plan has run for a while, some of
 * its runs try fewer threads, and now and then later ones do again. A rank's own choice: it decides
 * no message and no result. */
#ifndef TSR_PACE_H
#define TSR_PACE_H

#include "tessera/base.h"

enum { TSR_PACE_MOST = 8 }; /* candidates: all threads, half of them, and so on down to one */

/** What is known of one plan's runs. All zero: nothing. */
typedef struct tsr_pace {
  uint64_t spent_ns;                /* in all runs before the first trials */
  uint32_t n_runs;                  /* since the trials began */
  uint32_t n_between;               /* runs from trials to trials; 0: there were none yet */
  bool is_long;                     /* runs take so long that all threads are right */
  uint8_t chosen;                   /* candidate, once the trials are over */
  uint64_t least_ns[TSR_PACE_MOST]; /* of each candidate's runs in these trials; 0: none yet */
} tsr_pace;

/** The number of threads for the next run; n_threads: the rank's. */
int tsr__pace_threads(const tsr_pace *pace, int n_threads);
/** Note how long that run took. */
void tsr__pace_note(tsr_pace *pace, int n_threads, uint64_t ns);

#endif
