/* Inside the reference's elements: what their files give each other. */
#ifndef RANDOM_CELLS_H
#define RANDOM_CELLS_H

#include "random.h"

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
