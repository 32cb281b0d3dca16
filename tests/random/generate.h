/* Inside the generator: the program so far, and drawing expressions that are valid in it. */
#ifndef RANDOM_GENERATE_H
#define RANDOM_GENERATE_H

#include "random.h"

typedef struct gen {
  program *p;
  state *s; /* after the statements so far */
  rng r;
  const size_limits *limits;
  tsr_dims shapes[3]; /* what most arrays have, or broadcast to */
  int n_shapes;
  int next_var, next_scalar;
  bool special; /* some arrays from the host hold NaN, infinities, extremes */
  bool wide;    /* draws all dtypes, not the five most used only */
  bool exp;     /* may draw exp and its like */
} gen;

/* Expressions: the number of the node, with its type, or -1 (nodes may be left over). */
int gen_node(gen *g, const node *n);
int gen_var(gen *g, int var);
int gen_float(gen *g, double x);
int gen_map(gen *g, tsr_opcode op, int n, const int *args);
int gen_reduce(gen *g, reduction r, int x, const tsr_axes *axes);
int gen_astype(gen *g, int x, tsr_dtype dtype);
/* Ranges start:stop of every axis; a stop of 0: to the end. */
int gen_ranges(gen *g, int x, const int64_t *start, const int64_t *stop);
/* A view of array x that has (exact) or broadcasts to the shape. */
int gen_fit(gen *g, int x, const tsr_dims *shape, bool exact);
int gen_view(gen *g, int x);       /* some view of x */
int gen_any_reduce(gen *g, int x); /* some reduction of x */
int gen_with_short_axes(gen *g);   /* a new array with one or two short axes */
int gen_fold(gen *g, int var);     /* some expression of it, reduced along its short axes */
int gen_new(gen *g, const tsr_dims *shape, tsr_dtype dtype); /* some new array */
int gen_operand(gen *g, const tsr_dims *shape, int depth);
int gen_expression(gen *g, const tsr_dims *shape, int depth); /* some operation */
int gen_long(gen *g, const tsr_dims *shape); /* some expression of 100 to 1,000 operations */

/* generate_calls.c: of calls.h; -1 where what was drawn does not fit. */
int gen_call(gen *g, int x);                                  /* some call of array x */
int gen_arrange(gen *g, int x);                               /* some arrangement of it */
int gen_made(gen *g, const tsr_dims *shape, tsr_dtype dtype); /* some call without operands */
int gen_shaped(gen *g,
               const tsr_dims *shape); /* rolled, reshaped, joined, repeated: of the shape */

/* generate_changing.c: statements of one form whose slices differ in each turn. */
typedef enum changing_form {
  CHANGING_SOLVE,
  CHANGING_BLOCK,
  CHANGING_SUFFIX,
  CHANGING_ROWS,
  CHANGING_COLUMNS,
  N_CHANGING
} changing_form;
typedef struct changing {
  int form, matrix, x, y; /* variables: n by n, and n each */
  tsr_opcode op;
  reduction reduction;
} changing;
changing gen_changing(gen *g, int matrix, int x, int y); /* some form */
/* The statement of turn t, 1 <= t < n; false: it cannot be made. */
bool gen_changing_turn(gen *g, const changing *c, int64_t t, statement *st);

tsr_axes gen_axes(gen *g, int ndim); /* some, or all */
scalar gen_scalar(gen *g);
tsr_dtype gen_dtype(gen *g);
tsr_dims gen_shape(gen *g);
int gen_live_var(gen *g); /* -1: none */

#endif
