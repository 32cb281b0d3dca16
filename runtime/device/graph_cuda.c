/* Graphs of the device `cuda`: kernels one after the other. The driver copies a node's words when
 * the node is made or set; a graph that runs is not changed by what is set for its next run. */
#include "runtime/device/cuda_int.h"
#include "runtime/base/alloc.h"

#include <stdlib.h>
#include <string.h>

typedef struct graph {
  CUgraph graph; /* which the executable's nodes are named by */
  CUgraphExec executable;
  int n;
  CUgraphNode nodes[];
} graph;

static tsr_device_cuda *of(tsr_device *d)
{
  return (tsr_device_cuda *)d;
}

/* What a node of a graph is. `argument` is the caller's, and stays while the answer is used. */
static CUDA_KERNEL_NODE_PARAMS node_of(const tsr_code_launch *launch, void **argument)
{
  memcpy(argument, &launch->words, sizeof launch->words);
  return (CUDA_KERNEL_NODE_PARAMS){.func = (CUfunction)launch->code,
                                   .gridDimX = launch->grid[0],
                                   .gridDimY = launch->grid[1],
                                   .gridDimZ = 1,
                                   .blockDimX = launch->threads,
                                   .blockDimY = 1,
                                   .blockDimZ = 1,
                                   .sharedMemBytes = launch->shared_bytes,
                                   .kernelParams = argument};
}

static void free_graph(tsr_device_cuda *c, graph *g)
{
  if (g->executable != NULL) (void)c->driver.cuGraphExecDestroy(g->executable);
  if (g->graph != NULL) (void)c->driver.cuGraphDestroy(g->graph);
  free(g);
}

/* A device that makes no graph, for want of memory or otherwise, still launches. */
void *tsr__cuda_graph_make(tsr_device *d, const tsr_code_launch *launches, int n)
{
  tsr_device_cuda *c = of(d);
  if (!tsr__cuda_enter(c)) return NULL;
  graph *g = tsr__calloc(1, sizeof *g + (size_t)n * sizeof *g->nodes);
  bool ok = c->driver.cuGraphCreate(&g->graph, 0) == CUDA_SUCCESS;
  for (; ok && g->n < n; g->n++) {
    void *argument;
    const CUDA_KERNEL_NODE_PARAMS node = node_of(&launches[g->n], &argument);
    const int n_before = g->n > 0 ? 1 : 0;
    ok = c->driver.cuGraphAddKernelNode(&g->nodes[g->n], g->graph, g->nodes + g->n - n_before,
                                        (size_t)n_before, &node) == CUDA_SUCCESS;
  }
  ok = ok && c->driver.cuGraphInstantiate(&g->executable, g->graph, 0) == CUDA_SUCCESS;
  if (!ok) {
    free_graph(c, g);
    g = NULL;
  }
  tsr__cuda_leave(c);
  return g;
}

bool tsr__cuda_graph_set(tsr_device *d, void *which, int at, const tsr_code_launch *launch)
{
  tsr_device_cuda *c = of(d);
  graph *g = which;
  void *argument;
  if (!tsr__cuda_enter(c)) return false;
  const CUDA_KERNEL_NODE_PARAMS node = node_of(launch, &argument);
  const bool ok =
      c->driver.cuGraphExecKernelNodeSetParams(g->executable, g->nodes[at], &node) == CUDA_SUCCESS;
  tsr__cuda_leave(c);
  return ok;
}

void tsr__cuda_graph_put(tsr_device *d, void *which)
{
  tsr_device_cuda *c = of(d);
  tsr_cuda_queue *q = &c->queues[TSR_QUEUE_RUN];
  graph *g = which;
  if (!tsr__cuda_enter(c)) return;
  CUresult result;
  do result = c->driver.cuGraphLaunch(g->executable, q->stream);
  while (tsr__cuda_is_to_repeat(c, result));
  tsr__cuda_worked(c, TSR_CUDA_NAME(cuGraphLaunch), result);
  tsr__cuda_queue_note(q);
  tsr__cuda_leave(c);
}

void tsr__cuda_graph_free(tsr_device *d, void *which)
{
  tsr_device_cuda *c = of(d);
  if (!tsr__cuda_enter_always(c)) {
    free(which);
    return;
  }
  free_graph(c, which);
  tsr__cuda_leave(c);
}
