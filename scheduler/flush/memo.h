/* Remembered plans: a loop body is planned once and replayed. */
#ifndef TSR_MEMO_H
#define TSR_MEMO_H

#include "program/canonical.h"
#include "scheduler/state.h"

typedef struct tsr_plan tsr_plan;

/** What is remembered of a window: what becomes of its ops, and the plan. */
typedef struct tsr_memo_entry tsr_memo_entry;

/** What becomes of the ops of the current window, and its plan (*plan; NULL if nothing runs), if it
 * was planned before; else NULL. names: the window's regions, numbered; a hit sets names->shift.
 * Valid until the next window is added. Cost: a pass over the operands, two where a key is
 * written. */
const tsr_actions *tsr__memo_find(tsr_scheduler *s, const tsr_region *target, bool everything,
                                  tsr_names *names, tsr_plan **plan);

/** Remember the window that was just looked for, with its program, whose ops are selected, and its
 * plan; NULL: nothing runs. Both are taken. Returns what becomes of the ops, valid until the next
 * window is added. The program's memory is copied where it stays, and may end with the flush. */
const tsr_actions *tsr__memo_add(tsr_scheduler *s, tsr_program *p, tsr_plan *plan);

/** Write how often plans were found into the dump. At the end. */
void tsr__memo_dump(tsr_scheduler *s);
void tsr__memo_destroy(tsr_scheduler *s);

/** Mark the layouts that remembered plans name, so that the sweep to come keeps them. */
void tsr__memo_keep_layouts(const struct tsr_memo *memo, tsr_layouts *layouts);

#endif
