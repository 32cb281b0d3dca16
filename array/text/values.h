/* Reads the values of a call for the rows of the text language's tables: numbers, shapes, axes,
 * arrays. */
#ifndef TSR_TEXT_VALUES_H
#define TSR_TEXT_VALUES_H

#include <limits.h>

#include "array/core/array_int.h"
#include "array/text/functions.h"

static inline bool tsr__given(const tsr_text_given *g, int i)
{
  return g->n[i] >= 0;
}

static inline tsr_dtype tsr__given_dtype(const tsr_text_given *g, tsr_dtype otherwise)
{
  return g->dtype >= 0 ? (tsr_dtype)g->dtype : otherwise;
}

static inline int64_t tsr__given_whole(const tsr_text_given *g, int i, int64_t otherwise)
{
  return tsr__given(g, i) ? g->v[i][0].as.i : otherwise;
}

/** Reads a parameter that is an int in C. A number that does not fit is clamped, which is out of
 * range as well. */
static inline int tsr__given_int(const tsr_text_given *g, int i, int otherwise)
{
  const int64_t n = tsr__given_whole(g, i, otherwise);
  return n > INT_MAX ? INT_MAX : n < INT_MIN ? INT_MIN : (int)n;
}

static inline bool tsr__given_truth(const tsr_text_given *g, int i, bool otherwise)
{
  return tsr__given(g, i) ? g->v[i][0].as.b : otherwise;
}

static inline double tsr__given_number(const tsr_text_given *g, int i, double otherwise)
{
  if (!tsr__given(g, i)) return otherwise;
  return g->v[i][0].kind == TSR_OPERAND_FLOAT ? g->v[i][0].as.f : (double)g->v[i][0].as.i;
}

static inline tsr_dims tsr__given_dims(const tsr_text_given *g, int i)
{
  tsr_dims out = {.ndim = g->n[i]};
  for (int k = 0; k < out.ndim; k++) out.n[k] = g->v[i][k].as.i;
  return out;
}

/** Reads axes. n is -1 if none are given, which means all. */
static inline tsr_axes tsr__given_axes(const tsr_text_given *g, int i)
{
  tsr_axes out = {.n = g->n[i]};
  for (int k = 0; k < out.n; k++) {
    const int64_t n = g->v[i][k].as.i;
    out.axis[k] = n > INT_MAX ? INT_MAX : n < INT_MIN ? INT_MIN : (int)n;
  }
  return out;
}

static inline tsr_dtype tsr__dtype_of_value(tsr_operand x)
{
  return x.kind == TSR_OPERAND_ARRAY     ? tsr_dtype_of(x.as.array)
         : x.kind == TSR_OPERAND_BOOL    ? TSR_BOOL
         : x.kind == TSR_OPERAND_COMPLEX ? TSR_COMPLEX128
         : x.kind == TSR_OPERAND_FLOAT   ? TSR_FLOAT64
         : x.kind == TSR_OPERAND_UINT    ? TSR_UINT64
                                         : TSR_INT64;
}

/** Returns an array, or a scalar as a 0-d array. */
static inline tsr_array tsr__array_of_value(const tsr_location *where, tsr_operand x)
{
  return x.kind == TSR_OPERAND_ARRAY ? x.as.array : tsr_copy_at(where, x);
}

static inline tsr_array tsr__given_array(const tsr_location *where, const tsr_text_given *g, int i)
{
  return tsr__array_of_value(where, g->v[i][0]);
}

/** Returns a value; a tuple of numbers as an array of one axis. */
static inline tsr_operand tsr__given_numbers(const tsr_location *where, const tsr_text_given *g,
                                             int i)
{
  tsr_array v[TSR_MAX_OP_ARGS];
  if (!(g->tuples >> i & 1)) return g->v[i][0];
  if (g->n[i] == 0) return tsr_box_array(tsr_zeros_at(where, (tsr_dims){.ndim = 1}, TSR_FLOAT64));
  for (int k = 0; k < g->n[i]; k++) v[k] = tsr__array_of_value(where, g->v[i][k]);
  return tsr_box_array(tsr_stack_at(where, (tsr_arrays){.n = g->n[i], .v = v}, 0));
}

#endif
