/* The passes of a plan, in a table (passes.h). */
#include "scheduler/plan/passes.h"
#include "scheduler/dump.h"
#include "scheduler/plan/bases.h"
#include "scheduler/plan/borders.h"
#include "scheduler/plan/buffers.h"
#include "scheduler/plan/chunks.h"
#include "scheduler/plan/deepen.h"
#include "scheduler/plan/elide.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/lower.h"
#include "scheduler/plan/placement.h"
#include "scheduler/plan/postpone.h"
#include "scheduler/plan/regions.h"
#include "scheduler/plan/slots.h"
#include "scheduler/plan/tasks.h"
#include "scheduler/plan/text.h"
#include "scheduler/plan/transfers.h"
#include "scheduler/plan/verify.h"

/* What was found out about the program ends with the groups' kernels. */
static void lower(tsr_plan *plan, const tsr_program *p)
{
  tsr__plan_lower(plan, p);
  tsr__plan_reads_end(plan);
  tsr__plan_fold_end(plan);
}

static void transfers(tsr_plan *plan)
{
  tsr__plan_transfers(plan);
  tsr__plan_deepen_end(plan);
}

static char *check_elided(const tsr_plan *plan, const tsr_program *p)
{
  char *defect = tsr__verify_groups(plan, p);
  return defect != NULL ? defect : tsr__verify_elided(plan, p);
}

static char *check_slots(const tsr_plan *plan)
{
  char *defect = tsr__verify_slots(plan);
  return defect != NULL ? defect : tsr__verify_parts(plan);
}

static const tsr_pass to_messages[] = {
    {"regions", .run_for = tsr__plan_regions, .check_for = tsr__verify_regions},
    {"find folds", .run_for = tsr__plan_find_folds, .check_for = tsr__verify_found_folds},
    {"recompute", .run_for = tsr__plan_recompute, .check_for = tsr__verify_recompute},
    {"fold", .run_for = tsr__plan_fold, .check_for = tsr__verify_folds},
    {"reads", .run_for = tsr__plan_reads, .check_for = tsr__verify_reads},
    {"split", .run_for = tsr__plan_split, .check_for = tsr__verify_split},
    {"group", .run_for = tsr__plan_group, .check_for = tsr__verify_groups},
    {"elide", .run_for = tsr__plan_elide, .check_for = check_elided, .dump = "3-group"},
    {"lower", .run_for = lower, .check = tsr__verify_accesses},
    {"postpone", .run = tsr__plan_postpone, .check = tsr__verify_versions, .dump = "4-lower"},
    {"slots", .run_for = tsr__plan_slots, .check = check_slots, .dump = "5-slots"},
    {"deepen", .run = tsr__plan_deepen, .check = tsr__verify_parts},
    {"transfers", .run = transfers, .check = tsr__verify_transfers},
    {"dead borders", .run = tsr__plan_dead_borders, .check = tsr__verify_copies,
     .dump = "6-transfers"},
};

static const tsr_pass to_memory[] = {
    {"buffers", .run = tsr__plan_buffers, .check = tsr__verify_buffers},
    {"drop borders", .run = tsr__plan_drop_borders, .check_for = tsr__verify_values,
     .dump = "7-buffers"},
};

static const tsr_pass to_tasks[] = {
    {"chunks", .run = tsr__plan_chunks, .check = tsr__verify_chunks, .dump = "8-chunks"},
    {"tasks", .run = tsr__plan_tasks, .check = tsr__verify_order},
    {"bases", .run = tsr__plan_bases, .check = tsr__verify_bases},
    {"placement", .run = tsr__plan_placement, .check = tsr__verify_placement, .dump = "9-tasks"},
};

static const struct {
  const tsr_pass *v;
  size_t n;
} stages[] = {
    [TSR_STAGE_MESSAGES] = {to_messages, sizeof to_messages / sizeof *to_messages},
    [TSR_STAGE_MEMORY] = {to_memory, sizeof to_memory / sizeof *to_memory},
    [TSR_STAGE_TASKS] = {to_tasks, sizeof to_tasks / sizeof *to_tasks},
};

bool tsr__is_verified(const tsr_plan *plan)
{
  enum { FEW_POINTS = 1 << 12, MANY_POINTS = 1 << 20 };
  if (plan->is_known) return false;
  if (plan->scheduler->world->config.replan) return tsr__verify_fits(plan, MANY_POINTS);
#ifndef NDEBUG
  return tsr__verify_fits(plan, FEW_POINTS);
#else
  return false;
#endif
}

bool tsr__is_followed(const tsr_plan *plan)
{
  return tsr__is_verified(plan) && tsr__verify_fits_order(plan);
}

char *tsr__check_pass(const tsr_pass *pass, const tsr_plan *plan, const tsr_program *p)
{
  return pass->check != NULL ? pass->check(plan) : pass->check_for(plan, p);
}

/* Dumps what a pass left, which is what the next one begins with: of passes before the groups have
 * kernels the groups alone. */
static void dump(const tsr_plan *plan, const tsr_program *p, const char *name)
{
  char *text = plan->reads.of != NULL ? tsr__groups_text(plan, p) : tsr__plan_text(plan);
  tsr__dump(plan->scheduler, plan->here, name, "txt", text);
}

void tsr__run_passes(tsr_plan *plan, const tsr_program *p, tsr_stage stage, bool is_trial)
{
  const tsr_scheduler *s = plan->scheduler;
  const bool dumps = s->world->config.dump[0] != '\0' && !is_trial;
  for (size_t i = 0; i < stages[stage].n; i++) {
    const tsr_pass *pass = &stages[stage].v[i];
    const tsr_program *now = plan->folds.program != NULL ? plan->folds.program : p;
    if (pass->run != NULL)
      pass->run(plan);
    else
      pass->run_for(plan, now);
    if (!is_trial && tsr__is_verified(plan))
      tsr__verify_or_die(plan, pass->name, tsr__check_pass(pass, plan, now));
    if (!is_trial && s->after_pass != NULL) s->after_pass(s, plan, now, pass);
    if (dumps && pass->dump != NULL) dump(plan, now, pass->dump);
  }
}
