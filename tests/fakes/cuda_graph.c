/* Graphs of the stand-in for the driver: kernels, and which of them wait for which. Those that are
 * ready run in an order that dice draw. An executable is a copy, which alone knows what was set. */
#include "tests/fakes/cuda_fake.h"

#include <stdlib.h>
#include <string.h>

struct CUgraphNode_st {
  CUgraph graph;
  int number;
  fake_op op;
  int n_waits, *waits; /* owned: numbers of the nodes that come before */
};

struct CUgraph_st {
  struct CUgraphNode_st **nodes; /* owned */
  int n;
};

struct CUgraphExec_st {
  fake_context *context;
  CUgraph of; /* a copy, owned */
  CUgraph made_from;
};

static void free_graph(CUgraph g)
{
  for (int i = 0; i < g->n; i++) {
    free(g->nodes[i]->op.words);
    free(g->nodes[i]->waits);
    free(g->nodes[i]);
  }
  free(g->nodes);
  free(g);
}

static CUgraphNode add_node(CUgraph g, const fake_op *op, int n_waits)
{
  CUgraphNode node = calloc(1, sizeof *node);
  *node = (struct CUgraphNode_st){.graph = g, .number = g->n, .op = *op, .n_waits = n_waits};
  node->waits = calloc((size_t)n_waits + 1, sizeof *node->waits);
  g->nodes = realloc(g->nodes, (size_t)(g->n + 1) * sizeof(CUgraphNode));
  g->nodes[g->n++] = node;
  return node;
}

static int64_t *copy_of_words(const fake_op *op)
{
  const size_t bytes = (size_t)op->function->n_words * sizeof *op->words;
  int64_t *words = malloc(bytes);
  memcpy(words, op->words, bytes);
  return words;
}

static CUresult kernel_of(const CUDA_KERNEL_NODE_PARAMS *p, fake_op *op)
{
  return fake_kernel_op(p->func, (unsigned[]){p->gridDimX, p->gridDimY, p->gridDimZ},
                        (unsigned[]){p->blockDimX, p->blockDimY, p->blockDimZ}, p->sharedMemBytes,
                        p->kernelParams, p->extra, op);
}

CUresult cuGraphCreate(CUgraph *graph, unsigned int flags)
{
  const CUresult result = fake_begin_in(__func__, NULL);
  if (result != CUDA_SUCCESS) return result;
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  *graph = calloc(1, sizeof **graph);
  fake_count_graph(1);
  return CUDA_SUCCESS;
}

CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                              size_t n_dependencies, const CUDA_KERNEL_NODE_PARAMS *params)
{
  fake_op op;
  CUresult result = fake_begin_in(__func__, NULL);
  if (result == CUDA_SUCCESS) result = kernel_of(params, &op);
  if (result != CUDA_SUCCESS) return result;
  *node = add_node(graph, &op, (int)n_dependencies);
  for (size_t i = 0; i < n_dependencies; i++) {
    if (dependencies[i]->graph != graph) return CUDA_ERROR_INVALID_VALUE;
    (*node)->waits[i] = dependencies[i]->number;
  }
  return CUDA_SUCCESS;
}

CUresult cuGraphInstantiate(CUgraphExec *executable, CUgraph graph, unsigned long long flags)
{
  const CUresult result = fake_begin_in(__func__, NULL);
  if (result != CUDA_SUCCESS) return result;
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  CUgraphExec e = *executable = calloc(1, sizeof *e);
  e->context = fake_current();
  e->made_from = graph;
  e->of = calloc(1, sizeof *e->of);
  for (int i = 0; i < graph->n; i++) {
    const struct CUgraphNode_st *from = graph->nodes[i];
    CUgraphNode to = add_node(e->of, &from->op, from->n_waits);
    to->op.words = copy_of_words(&from->op);
    memcpy(to->waits, from->waits, (size_t)from->n_waits * sizeof *to->waits);
  }
  fake_count_graph(1);
  return CUDA_SUCCESS;
}

/* A node's kernel stays the same; the driver would allow some others, which nobody needs. */
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS *params)
{
  fake_op op;
  CUresult result = fake_begin_in(__func__, executable->context);
  if (result == CUDA_SUCCESS && node->graph != executable->made_from)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS) result = kernel_of(params, &op);
  if (result != CUDA_SUCCESS) return result;
  fake_op *mine = &executable->of->nodes[node->number]->op;
  if (op.function != mine->function) {
    free(op.words);
    return CUDA_ERROR_INVALID_VALUE;
  }
  free(mine->words);
  *mine = op;
  return CUDA_SUCCESS;
}

static bool is_ready(const struct CUgraphNode_st *node, const bool *is_done)
{
  bool ready = !is_done[node->number];
  for (int i = 0; i < node->n_waits; i++) ready = ready && is_done[node->waits[i]];
  return ready;
}

CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream)
{
  const CUresult result = fake_begin_in(__func__, stream->context);
  if (result != CUDA_SUCCESS) return result;
  if (executable->context != stream->context) return CUDA_ERROR_INVALID_VALUE;
  CUgraph g = executable->of;
  bool *is_done = calloc((size_t)g->n + 1, sizeof *is_done);
  uint64_t dice = (uint64_t)(uintptr_t)executable;
  for (int n_done = 0; n_done < g->n; n_done++) {
    int at = (int)(fake_dice(&dice) % (unsigned)g->n);
    while (!is_ready(g->nodes[at], is_done)) at = (at + 1) % g->n;
    is_done[at] = true;
    fake_op op = g->nodes[at]->op;
    op.words = copy_of_words(&op);
    op.fails = fake_kernel_fails();
    fake_stream_put(stream, &op);
  }
  free(is_done);
  return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec executable)
{
  const CUresult result = fake_begin_in(__func__, executable->context);
  free_graph(executable->of);
  free(executable);
  fake_count_graph(-1);
  return result;
}

CUresult cuGraphDestroy(CUgraph graph)
{
  const CUresult result = fake_begin_in(__func__, NULL);
  free_graph(graph);
  fake_count_graph(-1);
  return result;
}
