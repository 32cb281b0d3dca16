/* Ranges of what a plan's tasks do, with the program's line, for NVIDIA's profilers. */
#include "scheduler/run/ranges.h"
#include "runtime/machine/ranges.h"
#include "scheduler/run/run_int.h"

#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 200 };

/* Writes "tsr_add heat.c:57 in step()", as far as it is known. */
static void add_line(char *name, const tsr_location *l)
{
  if (l == NULL || l->op == NULL) return;
  const size_t n = strlen(name);
  const char *file = l->file != NULL ? strrchr(l->file, '/') : NULL;
  if (l->file == NULL)
    snprintf(name + n, NAME_BYTES - n, "%s", l->op);
  else
    snprintf(name + n, NAME_BYTES - n, "%s %s:%d in %s()", l->op, file != NULL ? file + 1 : l->file,
             l->line, l->function);
}

void tsr__range_window(const tsr_world *w, const tsr_location *where)
{
  if (w->ranges == NULL) return;
  char name[NAME_BYTES] = "window: ";
  add_line(name, where);
  tsr__ranges_push(w->ranges, name);
}

/* A group is named after the last of its operations, whose result it leaves. */
static void push_group(const tsr_run *run, const tsr_group *g)
{
  char name[NAME_BYTES] = "group: ";
  const tsr_window *w = run->plan->scheduler->window;
  add_line(name, g->n_ops > 0 ? w->ops[g->ops[g->n_ops - 1].op]->where : NULL);
  tsr__ranges_push(run->world->ranges, name);
}

void tsr__range_message(const tsr_run *run, const tsr_run_message *m, const char *way)
{
  char name[NAME_BYTES];
  if (run->world->ranges == NULL) return;
  snprintf(name, sizeof name, "message %s place %d: %zu bytes", way, m->peer, m->n_bytes);
  tsr__ranges_push(run->world->ranges, name);
}

bool tsr__range_task(const tsr_run *run, int32_t task)
{
  const tsr_task *t = &run->plan->tasks[task];
  if (run->world->ranges == NULL || t->kind != TSR_TASK_CHUNK) return false;
  push_group(run, &run->plan->groups[t->group]);
  return true;
}

void tsr__range_end(const tsr_world *w)
{
  tsr__ranges_pop(w->ranges);
}
