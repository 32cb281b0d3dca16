/* A run of a script (eval.c), and the value of one of its nodes (node_value.c). */
#ifndef TSR_TEXT_EVAL_H
#define TSR_TEXT_EVAL_H

#include "array/core/array_int.h"
#include "array/text/cache.h"
#include "array/text/text_int.h"

/** A run of a script. */
typedef struct tsr_evaluation {
  tsr_context *context;
  const tsr_location *where;
  tsr_parsed *parsed;
  const tsr_operand *xs;
  const tsr_operand *values; /* values of the nodes so far */
  tsr_operand index;         /* flat index of a kernel's points */
  int64_t n_points;          /* number of a kernel's points */
} tsr_evaluation;

static inline bool tsr__is_array(tsr_operand x)
{
  return x.kind == TSR_OPERAND_ARRAY;
}

/** Is it the value of a node whose call failed? It ends the evaluation. */
static inline bool tsr__is_failed(tsr_operand x)
{
  return tsr__is_array(x) && !tsr_ok(x.as.array);
}

/** A copy word by word, as operands are written. A wider load would wait for these stores. */
static inline void tsr__operand_copy(tsr_operand *to, const tsr_operand *from)
{
  to->kind = from->kind;
  to->as.u = from->as.u;
  if (from->kind == TSR_OPERAND_COMPLEX) to->as.c[1] = from->as.c[1];
}

/** The value of the k-th node that the node is made of. */
static inline tsr_operand tsr__kid(const tsr_evaluation *ev, const tsr_node *n, int32_t k)
{
  tsr_operand x;
  tsr__operand_copy(&x, &ev->values[ev->parsed->script->kids[n->first_kid + k]]);
  return x;
}

/** Where the node's call is. */
static inline const tsr_location *tsr__node_location(const tsr_evaluation *ev, const tsr_node *n)
{
  return ev->parsed->is_cached ? &ev->parsed->locations[n - ev->parsed->script->nodes] : ev->where;
}

/** Reports an error of the text itself, with a caret under the node, and returns a failed value. */
tsr_operand tsr__node_fail(const tsr_evaluation *ev, const tsr_node *n, tsr_status status,
                           const char *what, const char *help) __attribute__((cold));
/** The dtype of an operand; float64 for an invalid handle, which the call that takes it reports. */
tsr_dtype tsr__operand_dtype(const tsr_evaluation *ev, tsr_operand x);
/** The value of a node, by one call of the array layer. Those that it is made of have theirs. */
tsr_operand tsr__node_value(const tsr_evaluation *ev, const tsr_node *n);

#endif
