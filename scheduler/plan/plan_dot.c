/* A plan as a graph for Graphviz: groups as boxes, tasks as nodes, dependencies as edges. `dot
 * -Tsvg NNNN-5-plan.rank0.dot`. */
#include "scheduler/plan/group.h"
#include "scheduler/plan/tasks.h"
#include "scheduler/plan/text.h"

static void add_task_node(tsr_text *t, const tsr_plan *plan, int32_t index)
{
  static const char *const name[] = {"gather deps", "copy",   "send",  "receive",
                                     "chunk",       "reduce", "merge", "finish"};
  const tsr_task *task = &plan->tasks[index];
  tsr__text_add(t, "    t%d [label=\"%s %d", index, name[task->kind], task->what);
  if (task->kind == TSR_TASK_SEND || task->kind == TSR_TASK_RECV)
    tsr__text_add(t, "\\nrank %d, %zu bytes", plan->messages[task->what].peer,
                  plan->messages[task->what].bytes);
  if (task->kind == TSR_TASK_CHUNK) {
    char buf[256];
    tsr_box box;
    tsr__task_box(plan, task, &box);
    tsr__text_add(t, "\\n%s", tsr__box_text(&box, buf, sizeof buf));
  }
  tsr__text_add(t, "\"];\n");
}

char *tsr__plan_dot(const tsr_plan *plan)
{
  tsr_text t = {0};
  tsr__text_add(&t, "digraph plan {\n  node [shape=box, fontsize=10];\n");
  for (int32_t g = 0; g < plan->n_groups; g++) {
    tsr__text_add(&t, "  subgraph cluster_%d {\n    label=\"group %d\";\n", g, g);
    for (int32_t i = 0; i < plan->n_tasks; i++)
      if (plan->tasks[i].group == g) add_task_node(&t, plan, i);
    tsr__text_add(&t, "  }\n");
  }
  for (int32_t i = 0; i < plan->n_tasks; i++)
    for (int32_t j = 0; j < plan->tasks[i].n_next; j++)
      tsr__text_add(&t, "  t%d -> t%d;\n", i, plan->next[plan->tasks[i].first_next + j]);
  tsr__text_add(&t, "}\n");
  return t.s;
}
