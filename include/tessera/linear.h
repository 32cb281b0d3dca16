/* Products of matrices.
 *
 * Collective. They record and return a lazy array owned by the current scope; null on an error, and
 * silently if an operand is the null handle. They do not wait. */
#ifndef TESSERA_LINEAR_H
#define TESSERA_LINEAR_H

#include "tessera/base.h"
#include "tessera/operand.h"
#include "tessera/statistics.h"

#ifdef __cplusplus
extern "C" {
#endif

TSR_API tsr_array tsr_matmul_at(const tsr_location *where, tsr_operand x, tsr_operand y);

#ifndef __cplusplus
/** Product of matrices: tsr_matmul(x, y).
 *
 *  x: [.., m, k], y: [.., k, n]; result [.., m, n], the axes before them broadcast. A vector [k] is
 *  a row on the left, a column on the right, and that axis is not in the result. The dtype is the
 *  promoted one: integers wrap, of bools it is whether any pair is true. No k: zeros.
 *  TSR_ERR_SHAPE: a number, lengths of k that differ, over seven axes; TSR_ERR_BROADCAST.
 *  Bits: k is summed in order, in panels of 512, with one rounding per product and sum of floats:
 *  the same on any ranks, threads, tiles and processors. With a vector, and where the result has
 * few elements, as tsr_sum of the products. Cost: 2 m n k operations near the processor's speed, on
 * ranks by tiles of the result, each panel of k being sent while the one before is multiplied.
 * Views are packed as they are read. Source: numpy.matmul; van de Geijn and Watts, SUMMA (1997). */
TSR_API tsr_array tsr_matmul(tsr_array x, tsr_array y);

#define tsr_matmul(x, y)                                                                           \
  TSR__PRODUCT(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_x_, __COUNTER__), tsr_matmul,      \
               #x ", " #y, x, y)
#endif

#ifdef __cplusplus
}
#endif
#endif
