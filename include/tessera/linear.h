/* Products of matrices.
 *
 * Collective. They record and return a lazy array owned by the current scope; null on an error, and
 * silently if an operand is the null handle; or write an array that is there. They do not wait. */
#ifndef TESSERA_LINEAR_H
#define TESSERA_LINEAR_H

#include "tessera/base.h"
#include "tessera/lifetime.h"
#include "tessera/operand.h"
#include "tessera/statistics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* xs: borrowed; n is 1 or 2. */

#ifndef __cplusplus
/** Product of matrices: tsr_matmul(x, y).
 *
 *  x: [.., m, k], y: [.., k, n]; result [.., m, n], the axes before them broadcast. A vector [k] is
 *  a row on the left, a column on the right, and that axis is not in the result. The dtype is the
 *  promoted one: integers wrap, of bools it is whether any pair is true. No k: zeros.
 *  TSR_ERR_SHAPE: a number, lengths of k that differ, over seven axes; TSR_ERR_BROADCAST. Bits: k
 *  is summed in order, in panels of 512, with one rounding per product and sum of floats: the same
 *  on any ranks, threads, tiles and processors. With a vector, and where the result has few
 *  elements, as tsr_sum of the products. Cost: 2 m n k operations near the processor's speed, on
 *  ranks by tiles of the result, each panel of k being sent while the one before is multiplied.
 *  Views are packed as they are read. Source: numpy.matmul; van de Geijn and Watts, SUMMA (1997).
 */
TSR_API tsr_array tsr_matmul(tsr_array x, tsr_array y);

/** target[...] = x @ y, written where it is computed: tsr_matmul_into(c, x, y).
 *
 *  Collective. As tsr_assign(target, tsr_matmul(x, y)), with its bits, errors and statement scope,
 *  but without the product as an array of its own where target has its shape and dtype, its axes
 *  are none that tsr_reshape split, it is no part of what x and y are views of, and the product is
 *  of matrices and not a sum of few. In text: c = x @ y. Source: numpy.matmul, out=. */
TSR_API tsr_status tsr_matmul_into(tsr_array target, tsr_array x, tsr_array y);

/** Sums of products by labels: tsr_einsum("ij,jk->ik", x, y), tsr_einsum("ii->i", x).
 *
 *  subscripts: a letter per axis of each operand; a letter that the output lacks is summed, one
 *  that an operand repeats is its diagonal; `...` stands for axes that broadcast. Without `->` the
 *  output is those of `...`, then the letters that occur once, sorted. One or two operands. An axis
 *  of length 1 broadcasts. Views where nothing is summed, else as tsr_sum and tsr_matmul do it,
 *  with their bits and cost; several letters that are summed, or rows, are merged, which copies
 *  where they are not one axis in memory. TSR_ERR_SYNTAX, TSR_ERR_SHAPE (labels and axes),
 *  TSR_ERR_BROADCAST (a letter of two lengths). Source: numpy.einsum. */
TSR_API tsr_array tsr_einsum(const char *subscripts, tsr_array x, tsr_array y);

#endif

#ifdef __cplusplus
}
#endif

#include "tessera/generated/linear.h"

#endif
