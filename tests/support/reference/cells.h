/* The reference of the operations: one element at a time, in plain C, without a look at the
 * library's loops. The tests of kernels compare bits with it; the random programs also ask how far
 * NumPy's value may lie from it. */
#ifndef TSR_TEST_CELLS_H
#define TSR_TEST_CELLS_H

#include "kernel/ir/op.h"
#include "tests/support/reference/dtypes.h"

/* One element: its value, and how far NumPy's may lie from it. err 0: exactly this value; infinite:
 * NumPy may have anything (a comparison of values closer than their errors, say). */
typedef struct cell {
  union {
    int64_t i; /* bools, integers; of uint64 the bits */
    double f;  /* floats, exactly one of the dtype */
  } v;
  double err;
  double im; /* of complex numbers, whose real part is v.f */
} cell;

cell cell_cast(cell x, tsr_dtype from, tsr_dtype to);
/* The operation on elements of its compute dtype (LOGICAL and the condition of WHERE: bool); of
 * map_arity elements. */
cell cell_map(tsr_opcode op, tsr_dtype compute, const cell *x);
static inline cell cell_map2(tsr_opcode op, tsr_dtype compute, cell x, cell y)
{
  const cell pair[2] = {x, y};
  return cell_map(op, compute, pair);
}
/* The least number of operands. */
int map_arity(int op);
bool is_comparison(int op);
/* POSITIVE to HEAVISIDE: their results are exact. */
bool is_exact_function(int op);

/* What the files of this folder give each other. */

/* A float result with its error; what overflows or is not finite cannot be bounded. */
cell cell_made(double value, double err, tsr_dtype dtype);
/* EXP and its like: the C library's value; how far NumPy's may lie from it. */
double cell_function(tsr_opcode op, double a, double b);
double cell_function_error(tsr_opcode op, tsr_dtype d, cell x, cell y);
/* Of integers and bools. */
cell cell_integer(tsr_opcode op, tsr_dtype d, const cell *x);
/* EQUAL … GREATER_EQUAL. */
cell cell_compare(tsr_opcode op, tsr_dtype d, const cell *x);
/* The functions of cells_exact.c. */
cell cell_exact(tsr_opcode op, tsr_dtype compute, int n, const cell *x);

/* Of complex numbers; casts from or to them; how far another order of a product may lie. */
cell cell_complex(tsr_opcode op, tsr_dtype compute, const cell *x);
bool cell_has_complex(tsr_opcode op); /* a function that C has of complex numbers */
cell cell_cast_complex(cell x, tsr_dtype from, tsr_dtype to);
double cell_product_error(tsr_dtype dtype, cell value, const cell *x, int64_t n);

#endif
