/* The passes that fill in a plan, in their order, each with the check of what its header promises.
 *
 * Every field of a plan is written by one file; `tools/check_writers.py --list build` says which. */
#ifndef TSR_PLAN_PASSES_H
#define TSR_PLAN_PASSES_H

#include "scheduler/plan/plan.h"

/** A pass. Of each pair one is set: that which reads the program as well, or that which does
 * not. */
typedef struct tsr_pass {
  const char *name;
  void (*run)(tsr_plan *plan);
  void (*run_for)(tsr_plan *plan, const tsr_program *program);
  char *(*check)(const tsr_plan *plan); /* (verify.h) */
  char *(*check_for)(const tsr_plan *plan, const tsr_program *program);
  /* what the dump of the plan behind it is called; NULL: it is not dumped */
  const char *dump;
} tsr_pass;

/** The passes up to messages, up to memory, and up to tasks: with a plan that takes too much memory
 * those before are run again. */
typedef enum tsr_stage { TSR_STAGE_MESSAGES, TSR_STAGE_MEMORY, TSR_STAGE_TASKS } tsr_stage;

/** Run the passes of a stage, and check each where plans are verified. is_trial: the plan is made as
 * another place would make it, for its messages alone, so it is neither checked nor dumped. */
void tsr__run_passes(tsr_plan *plan, const tsr_program *p, tsr_stage stage, bool is_trial);

/** Are the passes of this plan checked? Small plans in debug builds, and larger ones, too, where
 * TESSERA_REPLAN doubts everything. */
bool tsr__is_verified(const tsr_plan *plan);
/** Of a plan whose passes have run: did a check follow each of them? Not if the tasks are too many
 * for their order to be looked at. */
bool tsr__is_followed(const tsr_plan *plan);

/** What the check of a pass finds. malloc'd; NULL: nothing. */
char *tsr__check_pass(const tsr_pass *pass, const tsr_plan *plan, const tsr_program *p);

#endif
