/* What was given to a call of a row, as the values that the calls of the library take. `k` is a
 * parameter's index. */
#ifndef TPY_GIVEN_H
#define TPY_GIVEN_H

#include "binding.h"

static inline tsr_dims tsr__given_dims(const tpy_given *g, int k)
{
  tsr_dims dims = {.ndim = g->n[k] < 0 ? 0 : g->n[k]};
  for (int i = 0; i < dims.ndim && i < TSR_MAX_NDIM; i++) dims.n[i] = g->v[k][i].as.i;
  return dims;
}

static inline tsr_axes tsr__given_axes(const tpy_given *g, int k)
{
  tsr_axes axes = {.n = g->n[k]};
  for (int i = 0; i < axes.n && i < TSR_MAX_NDIM; i++) {
    const int64_t axis = g->v[k][i].as.i;
    axes.axis[i] = axis > INT32_MAX ? INT32_MAX : axis < -INT32_MAX ? -INT32_MAX + 1 : (int)axis;
  }
  return axes;
}

/* A value, or numbers: a list of Python's is an array. */
static inline tsr_operand tsr__given_numbers(const tsr_location *where, const tpy_given *g, int k)
{
  (void)where;
  return g->v[k][0];
}

static inline int64_t tsr__given_whole(const tpy_given *g, int k, int64_t otherwise)
{
  return g->n[k] > 0 ? g->v[k][0].as.i : otherwise;
}

static inline int tsr__given_int(const tpy_given *g, int k, int otherwise)
{
  if (g->n[k] <= 0) return otherwise;
  const int64_t n = g->v[k][0].as.i;
  return n > INT32_MAX ? INT32_MAX : n < -INT32_MAX ? -INT32_MAX : (int)n;
}

static inline double tsr__given_number(const tpy_given *g, int k, double otherwise)
{
  if (g->n[k] <= 0) return otherwise;
  return g->v[k][0].kind == TSR_OPERAND_FLOAT ? g->v[k][0].as.f : (double)g->v[k][0].as.i;
}

static inline bool tsr__given_truth(const tpy_given *g, int k, bool otherwise)
{
  return g->n[k] > 0 ? g->v[k][0].as.b : otherwise;
}

static inline tsr_dtype tsr__given_dtype(const tpy_given *g, tsr_dtype otherwise)
{
  return g->dtype < 0 ? otherwise : (tsr_dtype)g->dtype;
}

static inline bool tsr__given(const tpy_given *g, int k)
{
  return g->n[k] >= 0;
}

static inline tsr_dtype dtype_of_value(const tsr_location *where, tsr_operand x)
{
  return tsr_result_type_at(where, 1, &x);
}

static inline tsr_array array_of_value(const tsr_location *where, tsr_operand x)
{
  if (x.kind == TSR_OPERAND_ARRAY) return x.as.array;
  return tsr_full_at(where, (tsr_dims){.ndim = 0}, x, dtype_of_value(where, x));
}

static inline tsr_array tsr__given_array(const tsr_location *where, const tpy_given *g, int k)
{
  return array_of_value(where, g->v[k][0]);
}

static inline bool is_null(tsr_operand x)
{
  return x.kind == TSR_OPERAND_ARRAY && !tsr_ok(x.as.array);
}

static inline tsr_operand cast_before(const tsr_location *where, const tpy_given *g)
{
  const tsr_operand x = g->v[0][0];
  if (g->dtype < 0 || dtype_of_value(where, x) == (tsr_dtype)g->dtype) return x;
  return tsr_box_array(tsr_astype_at(where, x, (tsr_dtype)g->dtype));
}

static inline tsr_array cast_after(const tsr_location *where, const tpy_given *g, tsr_array x)
{
  if (g->dtype < 0 || !tsr_ok(x) || tsr_dtype_of_at(where, x) == (tsr_dtype)g->dtype) return x;
  return tsr_astype_at(where, tsr_box_array(x), (tsr_dtype)g->dtype);
}

#endif
