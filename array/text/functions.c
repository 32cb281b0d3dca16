/* The functions of the text language: the calls that tools/api.table cannot generate from a row,
 * and the reader of a row's parameters. Before a call, each value is checked against the kind of
 * its parameter; the function itself reports all other errors. */
#include "array/text/functions.h"

#include <stdio.h>
#include <string.h>

#include "array/core/axes.h"
#include "array/text/values.h"
#include "array/ops/pad.h"

typedef tsr_text_given given;

/* Returns the operand in the dtype that `dtype=` asks for, in which NumPy computes. */
static tsr_operand cast_before(const tsr_location *where, const given *g)
{
  const tsr_operand x = g->v[0][0];
  if (g->dtype < 0 || tsr__dtype_of_value(x) == (tsr_dtype)g->dtype) return x;
  return tsr_box_array(tsr_astype_at(where, x, (tsr_dtype)g->dtype));
}

/* Returns the result in that dtype, too: a sum of int32 would be int64. */
static tsr_array cast_after(const tsr_location *where, const given *g, tsr_array x)
{
  if (g->dtype < 0 || !tsr_ok(x) || tsr_dtype_of(x) == (tsr_dtype)g->dtype) return x;
  return tsr_astype_at(where, tsr_box_array(x), (tsr_dtype)g->dtype);
}

static bool is_null(tsr_operand x)
{
  return x.kind == TSR_OPERAND_ARRAY && !tsr_ok(x.as.array);
}

/* Returns the list of arrays that is parameter 0, made in `v`. */
static tsr_arrays list_in(tsr_array v[TSR_MAX_OP_ARGS], const tsr_location *where, const given *g)
{
  for (int k = 0; k < g->n[0]; k++) v[k] = tsr__array_of_value(where, g->v[0][k]);
  return (tsr_arrays){.n = g->n[0], .v = v};
}
#define list(where, g) list_in((tsr_array[TSR_MAX_OP_ARGS]){{0}}, where, g)

static tsr_array call_full(const tsr_location *where, const given *g)
{
  return tsr_full_at(where, tsr__given_dims(g, 0), g->v[1][0],
                     tsr__given_dtype(g, tsr__dtype_of_value(g->v[1][0])));
}

/* arange of integers gives integers. A single number is the stop. */
static tsr_array call_arange(const tsr_location *where, const given *g)
{
  bool is_float = false;
  for (int i = 0; i < 3; i++) is_float |= tsr__given(g, i) && g->v[i][0].kind == TSR_OPERAND_FLOAT;
  const bool starts = tsr__given(g, 0), stops = tsr__given(g, 1);
  if (!starts && !stops) {
    tsr__fail(tsr__context(where), where, TSR_ERR_ARGUMENT, "arange needs the number it stops at");
    return tsr_null();
  }
  return tsr_arange_at(where, starts && stops ? g->v[0][0] : tsr_box_int(0), g->v[stops][0],
                       tsr__given(g, 2) ? g->v[2][0] : tsr_box_int(1),
                       tsr__given_dtype(g, is_float ? TSR_FLOAT64 : TSR_INT64));
}

static tsr_array call_repeat(const tsr_location *where, const given *g)
{
  const tsr_dims counts = tsr__given_dims(g, 1);
  if (counts.ndim == 1)
    return tsr_repeat_at(where, tsr__given_array(where, g, 0), counts.n[0], tsr__given_axes(g, 2));
  return tsr_repeat_counts_at(where, tsr__given_array(where, g, 0), counts.ndim, counts.n,
                              tsr__given_axes(g, 2));
}

/* axis=None joins all elements in flat order. */
static tsr_array call_concatenate(const tsr_location *where, const given *g)
{
  tsr_array v[TSR_MAX_OP_ARGS];
  const tsr_arrays xs = list_in(v, where, g);
  const bool is_flat = g->n[1] == 0;
  for (int k = 0; is_flat && k < xs.n; k++) v[k] = tsr_ravel_at(where, v[k]);
  return tsr_concatenate_at(where, xs, is_flat ? 0 : tsr__given_int(g, 1, 0));
}

static tsr_array refused(const tsr_location *where, const char *text)
{
  tsr__fail(tsr__context(where), where, TSR_ERR_ARGUMENT, "%s", text);
  return tsr_null();
}

/* tsr_pad with the values of a parameter: one, a pair, or pairs. */
static tsr_array padded(const tsr_location *where, tsr_array x, const tsr_dims widths[2],
                        const char *mode, const given *g, int index, int n_options,
                        const tsr_padding *options)
{
  const tsr_operand zero = tsr_box_int(0);
  const bool has_value = tsr__given(g, index);
  return tsr__pad(where, x, widths[0], widths[1], mode, has_value ? g->n[index] : 1,
                  has_value ? g->v[index] : &zero, n_options, options);
}

#include "array/text/calls.inc"

/* Splits into a number of parts, or at the indices of a tuple. */
static int pieces(const tsr_location *where, const given *g, tsr_array *out,
                  tsr_status (*split)(const tsr_location *, tsr_array *, tsr_array, int64_t, int))
{
  const tsr_array x = tsr__given_array(where, g, 0);
  const int axis = tsr__given_int(g, 2, 0);
  if (g->tuples >> 1 & 1) {
    const tsr_dims at = tsr__given_dims(g, 1);
    return tsr_split_indices_at(where, out, x, at.ndim, at.n, axis) < 0 ? 0 : at.ndim + 1;
  }
  const int n = tsr__given_int(g, 1, 0);
  if (n <= TSR_MAX_OP_ARGS) return split(where, out, x, n, axis) < 0 ? 0 : n;
  tsr__fail(tsr__context(where), where, TSR_ERR_ARGUMENT, "a text takes at most %d results, not %d",
            TSR_MAX_OP_ARGS, n);
  return 0;
}

static int call_split(const tsr_location *where, const given *g, tsr_array *out)
{
  return pieces(where, g, out, tsr_split_at);
}

static int call_array_split(const tsr_location *where, const given *g, tsr_array *out)
{
  return pieces(where, g, out, tsr_array_split_at);
}

static bool call_ndim(const tsr_location *where, const given *g, int64_t *out)
{
  *out = tsr_shape_at(where, tsr__given_array(where, g, 0)).ndim;
  return true;
}

/* Returns the number of elements, or the length of one axis. */
static bool call_size(const tsr_location *where, const given *g, int64_t *out)
{
  const tsr_dims shape = tsr_shape_at(where, tsr__given_array(where, g, 0));
  *out = 1;
  for (int k = 0; k < shape.ndim; k++) *out *= shape.n[k];
  if (!tsr__given(g, 1)) return true;
  tsr_context *c = tsr__context(where);
  int axis;
  if (tsr__normal_axis(c, where, "an array of ", tsr__given_int(g, 1, 0), shape.ndim, &axis)) {
    tsr__fail_end(c);
    return false;
  }
  *out = shape.n[axis];
  return true;
}

#include "array/generated/row_calls.inc"
#include "array/generated/text_rows.inc"

const tsr_text_function *tsr__text_function(int i)
{
  return i >= 0 && i < (int)(sizeof table / sizeof *table) ? &table[i] : NULL;
}

int tsr__text_function_named(const char *name)
{
  for (int i = 0; tsr__text_function(i); i++)
    if (strcmp(tsr__text_function(i)->name, name) == 0) return i;
  return -1;
}

/* Returns the next comma outside brackets, or the end. */
static const char *end_of_default(const char *p)
{
  for (int depth = 0; *p && !(*p == ',' && depth == 0); p++)
    depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
  return p;
}

int tsr__text_parameters(const char *row, tsr_text_parameter out[TSR_TEXT_PARAMETERS])
{
  int n = 0, n_taken = 0;
  bool by_position = true;
  for (const char *p = row; *p; p += strspn(p, ", ")) {
    if (*p == '/')
      for (int i = 0; i < n; i++) out[i].by_name = false;
    if (*p == '*') by_position = false;
    if (*p++ == '/' || p[-1] == '*') continue;
    TSR_ASSERT(n < TSR_TEXT_PARAMETERS);
    tsr_text_parameter *o = &out[n++];
    *o = (tsr_text_parameter){.kind = p[-1], .by_position = by_position, .name = p + 1};
    o->n_name = strcspn(o->name, "=,");
    o->by_name = o->kind != 'v';
    by_position &= o->kind != 'v';
    p = o->name + o->n_name;
    o->is_optional = *p == '=';
    if (o->is_optional) {
      o->otherwise = p + 1;
      p = end_of_default(p);
      o->n_otherwise = (size_t)(p - o->otherwise);
    }
    o->takes_none = o->n_otherwise == 4 && memcmp(o->otherwise, "None", 4) == 0;
    o->index = o->kind == '-' || o->kind == '0' ? -1 : n_taken++;
  }
  TSR_ASSERT(n_taken <= TSR_TEXT_TAKEN);
  return n;
}
