/* Graphs of the device `check`. What a graph was made of and what was set is all that it knows, so
 * that a word that was not set shows. */
#include "runtime/device/check_graph.h"
#include "runtime/base/alloc.h"
#include "runtime/base/error.h"

#include <stdlib.h>
#include <string.h>

typedef struct graph {
  int n;
  tsr_code_launch launches[]; /* [n] their words are owned */
} graph;

static void copy_launch(tsr_code_launch *to, const tsr_code_launch *from)
{
  const size_t bytes = (size_t)from->n_words * sizeof *from->words;
  int64_t *words = tsr__malloc(bytes + 1);
  memcpy(words, from->words, bytes);
  *to = *from;
  to->words = words;
}

static void free_words(const tsr_code_launch *launch)
{
  free((void *)(uintptr_t)launch->words);
}

void *tsr__check_graph_make(tsr_device *d, const tsr_code_launch *launches, int n)
{
  (void)d;
  graph *g = tsr__calloc(1, sizeof *g + (size_t)n * sizeof *g->launches);
  g->n = n;
  for (int i = 0; i < n; i++) copy_launch(&g->launches[i], &launches[i]);
  return g;
}

bool tsr__check_graph_set(tsr_device *d, void *which, int at, const tsr_code_launch *launch)
{
  (void)d;
  graph *g = which;
  TSR_ASSERT(at < g->n && g->launches[at].code == launch->code);
  free_words(&g->launches[at]);
  copy_launch(&g->launches[at], launch);
  return true;
}

void tsr__check_graph_put(tsr_device *d, void *which)
{
  const graph *g = which;
  for (int i = 0; i < g->n; i++) d->ops->launch_code(d, &g->launches[i]);
}

void tsr__check_graph_free(tsr_device *d, void *which)
{
  (void)d;
  graph *g = which;
  for (int i = 0; i < g->n; i++) free_words(&g->launches[i]);
  free(g);
}
