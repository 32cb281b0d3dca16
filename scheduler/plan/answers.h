/* Answers that planning remembers: of questions about layouts and views alone, whose answer takes a
 * look at many tiles. No decision follows from what is remembered.
 *
 * Reads and writes: the scheduler's table of answers. */
#ifndef TSR_PLAN_ANSWERS_H
#define TSR_PLAN_ANSWERS_H

#include "scheduler/state.h"

/** What is asked. The first word tells questions of different kinds apart. */
typedef enum tsr_asked {
  TSR_ASKED_REACH,   /* gathers.c: does what tiles read lie within the halo of one tile each? */
  TSR_ASKED_PARTIALS /* transfers.c: how many bytes the packed partials of some places are */
} tsr_asked;

enum { TSR_QUESTION_WORDS = 13, TSR_N_ANSWERS = 128 };

typedef struct tsr_answer {
  int64_t question[TSR_QUESTION_WORDS]; /* numbers of layouts, never addresses */
  bool is_known;                        /* the answer is that of the question */
  int64_t answer;
} tsr_answer;

/** The entry of the answer to the question. If it is not known, the caller finds out and sets
 * `answer` and `is_known`. */
tsr_answer *tsr__answer_to(tsr_scheduler *s, const int64_t *question);

#endif
