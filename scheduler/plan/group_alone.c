/* Sums of products, each of which is a group of its own.
 *
 * A sum of the products of two arrays that lie in memory needs no kernel where it is alone in its
 * group: the reduction reads both factors where they lie (lower.c, kernel/reduce). Beside anything
 * else a kernel writes the products to scratch memory first, which takes longer than it saves to
 * read an array once for both: of two products of a matrix and a vector three to five times as
 * long, of two dot products twice. So `a @ x` joins no group but one that makes a factor, and
 * nothing joins its group but the sum. */
#include "scheduler/plan/group_int.h"

/* Does the op multiply two arrays into a temporary, neither of them by one element? That is asked
 * of the views, as plans of other extents of the same form are to answer alike. */
static bool multiplies(const tsr_plan *plan, const tsr_program *program, const tsr_program_op *op)
{
  if (op->action != TSR_ACT_RUN || op->kind != TSR_OPKIND_MAP || op->code != TSR_OP_MULTIPLY ||
      op->n_in != 2 || tsr__program_n_pieces(op) != 1 || !op->creates ||
      op->compute != op->result || op->result == TSR_DTYPE_FLOAT16 ||
      !tsr__dtype_is_inexact((tsr_dtype)op->result) || program->regions[op->out].store)
    return false;
  for (int i = 0; i < 2; i++) {
    const int32_t r = op->in[i].region;
    if (r < 0 || tsr__view_is_still(&op->in[i].view->view) || tsr__recomputed_by(plan, r) >= 0)
      return false;
  }
  return true;
}

bool *tsr__find_alone(const tsr_plan *plan, const tsr_program *program)
{
  bool *alone = NULL;
  int32_t *maker = NULL; /* per region: the op that multiplies into it, or -1 */
  for (int32_t i = 0; i < program->n_ops; i++) {
    const tsr_program_op *op = &program->ops[i];
    if (multiplies(plan, program, op)) {
      if (!maker) {
        alone = tsr__arena_calloc(plan->scratch, (size_t)program->n_ops, sizeof *alone);
        maker = tsr__arena_alloc(plan->scratch, (size_t)program->n_regions * sizeof *maker);
        for (int32_t r = 0; r < program->n_regions; r++) maker[r] = -1;
      }
      maker[op->out] = i;
      continue;
    }
    const bool sums = op->kind == TSR_OPKIND_REDUCE && op->code == TSR_REDUCE_SUM;
    for (int k = 0; maker && k < op->n_in; k++) {
      const int32_t r = op->in[k].region;
      if (r < 0 || maker[r] < 0) continue;
      alone[maker[r]] = sums && !alone[maker[r]];
      if (!alone[maker[r]]) maker[r] = -1; /* it has another reader */
    }
  }
  return alone;
}
