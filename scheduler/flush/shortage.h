/* What a flush gives up and says where there is too little memory. */
#ifndef TSR_SHORTAGE_H
#define TSR_SHORTAGE_H

#include "scheduler/plan/plan.h"

/** Keep the failure that there is no memory for the buffers of a plan. */
void tsr__note_no_space(tsr_scheduler *s, const tsr_plan *plan, const tsr_names *names,
                        tsr_status status);

/** What a flush gives up where there is too little memory. */
typedef struct tsr_given_up {
  int32_t op;   /* of the window */
  size_t bytes; /* that it needs on each place; 0: not known */
} tsr_given_up;

/** The op of a plan that needs the largest buffer; a: what becomes of the window's ops. It follows
 * from agreed bytes. */
tsr_given_up tsr__largest_user(const tsr_plan *plan, const tsr_window *w, const tsr_actions *a);

/** Set the error that names the op which is given up and who holds memory. limit: the agreed limit;
 * 0: this rank alone found no space. Returns TSR_ERR_MEMORY. */
tsr_status tsr__say_no_memory(tsr_scheduler *s, const tsr_plan *plan, const tsr_names *names,
                              tsr_given_up lost, size_t limit);

#endif
