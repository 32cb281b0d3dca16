/* The functions of the text language: the calls that tools/api.table cannot generate from a row,
 * and the reader of a row's parameters. Before a call, each value is checked against the kind of
 * its parameter; the function itself reports all other errors. */
#include "array/text/functions.h"

#include <string.h>

#include "array/core/axes.h"
#include "array/text/values.h"
#include "array/views/pad.h"

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

/* Returns the list of arrays that is parameter 0. */
static tsr_arrays list(const tsr_location *where, const given *g, tsr_array v[TSR_MAX_OP_ARGS])
{
  for (int k = 0; k < g->n[0]; k++) v[k] = tsr__array_of_value(where, g->v[0][k]);
  return (tsr_arrays){.n = g->n[0], .v = v};
}

static tsr_array full(const tsr_location *where, const given *g)
{
  return tsr_full_at(where, tsr__given_dims(g, 0), g->v[1][0],
                     tsr__given_dtype(g, tsr__dtype_of_value(g->v[1][0])));
}

/* arange of integers gives integers. A single number is the stop. */
static tsr_array arange(const tsr_location *where, const given *g)
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

static tsr_array repeat(const tsr_location *where, const given *g)
{
  const tsr_dims counts = tsr__given_dims(g, 1);
  if (counts.ndim == 1)
    return tsr_repeat_at(where, tsr__given_array(where, g, 0), counts.n[0], tsr__given_axes(g, 2));
  return tsr_repeat_counts_at(where, tsr__given_array(where, g, 0), counts.ndim, counts.n,
                              tsr__given_axes(g, 2));
}

/* axis=None joins all elements in flat order. */
static tsr_array concatenate(const tsr_location *where, const given *g)
{
  tsr_array v[TSR_MAX_OP_ARGS];
  const tsr_arrays xs = list(where, g, v);
  const bool is_flat = g->n[1] == 0;
  for (int k = 0; is_flat && k < xs.n; k++) v[k] = tsr_ravel_at(where, v[k]);
  return tsr_concatenate_at(where, xs, is_flat ? 0 : tsr__given_int(g, 1, 0));
}

/* Reads widths: one for all sides, one pair (before, after) for all axes, or one pair per axis. */
static bool pairs(const tsr_location *where, const given *g, int slot, const char *what, int ndim,
                  tsr_dims *before, tsr_dims *after)
{
  const int n = g->n[slot];
  if (n != 1 && n != 2 && n != 2 * ndim) {
    tsr__fail(tsr__context(where), where, TSR_ERR_ARGUMENT,
              "the %s are one number, one before and one after each axis, or such a pair for "
              "each axis, not %d of %d axes",
              what, n, ndim);
    return false;
  }
  *before = *after = (tsr_dims){.ndim = ndim};
  for (int k = 0; k < ndim; k++) {
    const int at = n == 2 * ndim ? 2 * k : 0;
    before->n[k] = g->v[slot][at].as.i;
    after->n[k] = g->v[slot][n == 1 ? 0 : at + 1].as.i;
  }
  return true;
}

/* pad(array, pad_width, mode, constant_values, stat_length, end_values, reflect_type) */
static tsr_array pad(const tsr_location *where, const given *g)
{
  enum { WIDTH = 1, CONSTANT = 3, LENGTH = 4, END = 5, N_OPTIONS = 4 };
  const tsr_array x = tsr__given_array(where, g, 0);
  const int ndim = tsr_shape_at(where, x).ndim;
  const tsr_operand zero = tsr_box_int(0);
  const int of = tsr__given(g, CONSTANT) ? CONSTANT : END;
  const bool has_value = tsr__given(g, of);
  tsr_padding options[N_OPTIONS] = {{.kind = TSR_PADDING_NONE}};
  tsr_dims before, after;
  if (!pairs(where, g, WIDTH, "widths", ndim, &before, &after)) return tsr_null();
  if (tsr__given(g, LENGTH)) {
    options[0].kind = TSR_PADDING_STAT_LENGTH;
    if (!pairs(where, g, LENGTH, "lengths", ndim, &options[0].before, &options[0].after))
      return tsr_null();
  }
  if (g->other) options[1] = (tsr_padding){.kind = TSR_PADDING_REFLECT_TYPE, .text = g->other};
  if (tsr__given(g, CONSTANT))
    options[2] = (tsr_padding){.kind = TSR_PADDING_VALUE, .text = "constant_values"};
  if (tsr__given(g, END))
    options[3] = (tsr_padding){.kind = TSR_PADDING_VALUE, .text = "end_values"};
  return tsr__pad(where, x, before, after, g->string ? g->string : "constant",
                  has_value ? g->n[of] : 1, has_value ? g->v[of] : &zero, N_OPTIONS, options);
}

static tsr_array einsum(const tsr_location *where, const given *g)
{
  return tsr_einsum_at(where, g->string, g->n[1], g->v[1]);
}

static tsr_array average(const tsr_location *where, const given *g)
{
  tsr_axes options = tsr__given(g, 1) ? tsr__given_axes(g, 1) : (tsr_axes){.n = -1};
  options.keepdims = tsr__given(g, 3) && g->v[3][0].as.b;
  if (!tsr__given(g, 2)) return tsr_mean_at(where, g->v[0][0], 1, &options);
  return tsr_average_at(where, g->v[0][0], g->v[2][0], 1, &options);
}

/* ufunc.reduce(array, axis=0, …): None is all axes, which C takes where none are given. */
static tsr_array ufunc_reduce(const tsr_location *where, const given *g)
{
  enum { ARRAY = 1, AXIS = 2, KEEPDIMS = 4, INITIAL = 5, WHERE = 6 };
  tsr_axes options = {.n = 1};
  if (tsr__given(g, AXIS)) options = tsr__given_axes(g, AXIS);
  if (options.n == 0 && !(g->tuples >> AXIS & 1)) options.n = -1;
  options.keepdims = tsr__given_truth(g, KEEPDIMS, false);
  options.has_dtype = g->dtype >= 0;
  if (options.has_dtype) options.dtype = (unsigned char)g->dtype;
  options.has_initial = tsr__given(g, INITIAL);
  if (options.has_initial) options.initial = g->v[INITIAL][0];
  options.has_where = tsr__given(g, WHERE);
  if (options.has_where) options.where = g->v[WHERE][0];
  return tsr_ufunc_reduce_at(where, g->string, g->v[ARRAY][0], 1, &options);
}

static tsr_array angle(const tsr_location *where, const given *g)
{
  const tsr_operand radians = tsr_box_array(tsr_angle_at(where, g->v[0][0]));
  return tsr__given_truth(g, 1, false) ? tsr__map_at(where, TSR_OP_RAD2DEG, 1, &radians)
                                       : radians.as.array;
}

/* trapezoid(y, x, dx, axis): dx is ignored if the points x are given. */
static tsr_array trapezoid(const tsr_location *where, const given *g)
{
  const tsr_operand x = tsr__given(g, 1)   ? g->v[1][0]
                        : tsr__given(g, 2) ? g->v[2][0]
                                           : tsr_box_int(1);
  return tsr_trapezoid_at(where, g->v[0][0], x, tsr__given_int(g, 3, -1));
}

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

static int split(const tsr_location *where, const given *g, tsr_array *out)
{
  return pieces(where, g, out, tsr_split_at);
}

static int array_split(const tsr_location *where, const given *g, tsr_array *out)
{
  return pieces(where, g, out, tsr_array_split_at);
}

static bool ndim(const tsr_location *where, const given *g, int64_t *out)
{
  *out = tsr_shape_at(where, tsr__given_array(where, g, 0)).ndim;
  return true;
}

/* Returns the number of elements, or the length of one axis. */
static bool size(const tsr_location *where, const given *g, int64_t *out)
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

#include "array/generated/text_calls.inc"

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
  int n = 0, n_slots = 0;
  bool by_place = true;
  for (const char *p = row; *p; p += strspn(p, ", ")) {
    if (*p == '/')
      for (int i = 0; i < n; i++) out[i].by_name = false;
    if (*p == '*') by_place = false;
    if (*p++ == '/' || p[-1] == '*') continue;
    TSR_ASSERT(n < TSR_TEXT_PARAMETERS);
    tsr_text_parameter *o = &out[n++];
    *o = (tsr_text_parameter){.kind = p[-1], .by_place = by_place, .name = p + 1};
    o->n_name = strcspn(o->name, "=,");
    o->by_name = o->kind != 'v';
    by_place &= o->kind != 'v';
    p = o->name + o->n_name;
    o->is_optional = *p == '=';
    if (o->is_optional) {
      o->otherwise = p + 1;
      p = end_of_default(p);
      o->n_otherwise = (size_t)(p - o->otherwise);
    }
    o->takes_none = o->n_otherwise == 4 && memcmp(o->otherwise, "None", 4) == 0;
    o->slot = o->kind == '-' || o->kind == '0' ? -1 : n_slots++;
  }
  TSR_ASSERT(n_slots <= TSR_TEXT_SLOTS);
  return n;
}
