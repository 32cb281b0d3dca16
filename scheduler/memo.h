/* Remembered plans: a loop body is planned once and replayed. */
#ifndef TSR_MEMO_H
#define TSR_MEMO_H

#include "scheduler/state.h"

typedef struct tsr_plan tsr_plan;

/** What is remembered of a window: the selection without its regions, and the plan. */
typedef struct tsr_memo_entry tsr_memo_entry;

/** The plan of the current window if it was planned before (*hit; NULL if nothing runs). Numbers
 * the window's regions and fills out->regions; a hit fills all of `out`. Valid until the next
 * insert. Cost: about 30 ns per operand. */
tsr_plan *tsr__memo_find(tsr_scheduler *s, const tsr_region *target, bool everything,
                         tsr_selection *out, bool *hit);

/** Remember the plan (taken) of the window that was just looked for. */
void tsr__memo_insert(tsr_scheduler *s, const tsr_selection *sel, tsr_plan *plan);

/** Write how often plans were found into the dump. At the end. */
void tsr__memo_dump(tsr_scheduler *s);
void tsr__memo_destroy(struct tsr_memo *memo);

/** Mark the layouts that remembered plans name, so that the sweep to come keeps them. */
void tsr__memo_keep_layouts(const struct tsr_memo *memo);

#endif
