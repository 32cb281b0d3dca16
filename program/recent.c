/* What the last calls got, for the error that the ranks diverged at one of them. It is stored where
 * several ranks compare their streams, for as many calls as the window remembers hashes of. An op
 * that is over stays here with its views and scalars, but without its regions. */
#include "program/program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void clear(tsr_window *w, tsr_guarded_call *call)
{
  if (call->op != NULL) tsr__op_free(w, call->op);
  tsr__view_ref_drop(call->view);
  call->op = NULL;
  call->view = NULL;
  call->note[0] = '\0';
}

/* The entry of a call; it is emptied if an older call had it. */
static tsr_guarded_call *entry(tsr_window *w, uint64_t seq)
{
  tsr_guarded_call *call = &w->recent[seq % TSR_GUARD_RING];
  if (call->seq != seq) clear(w, call);
  call->seq = seq;
  return call;
}

void tsr__recent_op(tsr_window *w, tsr_op *op)
{
  tsr_guarded_call *call = entry(w, op->seq);
  if (call->op != NULL) tsr__op_free(w, call->op);
  call->op = op;
  if (op->call != NULL) tsr__task_call_free_data(op->call);
}

void tsr__note_array(tsr_window *w, tsr_dtype dtype, tsr_view_ref *view)
{
  if (w->recent == NULL) return;
  tsr_guarded_call *call = entry(w, w->world->seq - 1);
  tsr__view_ref_drop(call->view);
  call->view = tsr__view_ref_take(view);
  call->dtype = dtype;
}

void tsr__note_event(tsr_window *w, const char *fmt, ...)
{
  if (w->recent == NULL) return;
  tsr_guarded_call *call = entry(w, w->world->seq - 1);
  va_list args;
  va_start(args, fmt);
  vsnprintf(call->note, sizeof call->note, fmt, args);
  va_end(args);
}

void tsr__recent_free(tsr_window *w)
{
  for (int i = 0; w->recent != NULL && i < TSR_GUARD_RING; i++) clear(w, &w->recent[i]);
  free(w->recent);
  w->recent = NULL;
}

void tsr__call_values(const tsr_window *w, uint64_t seq, tsr_text *t)
{
  for (int32_t i = 0; i < w->n_ops; i++) {
    if (w->ops[i]->seq != seq) continue;
    tsr__op_values(w->ops[i], t);
    return;
  }
  if (w->recent == NULL) return;
  const tsr_guarded_call *call = &w->recent[seq % TSR_GUARD_RING];
  if (call->seq != seq) return;
  if (call->op != NULL) {
    tsr__op_values(call->op, t);
    return;
  }
  if (call->view != NULL) tsr__add_view(t, call->dtype, NULL, &call->view->view);
  if (call->note[0] != '\0') tsr__text_add(t, "%s%s", call->view != NULL ? ", " : "", call->note);
}
