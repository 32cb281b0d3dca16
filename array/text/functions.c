/* The table of functions for the text language. What is checked before a call: that values are of
 * their parameter's kind; all else is the function's own error. */
#include "array/text/functions.h"

#include <string.h>

#include "array/text/values.h"

typedef tsr_text_given given;

/* Creation. */

#define OF_SHAPE(name)                                                                             \
  static tsr_array name(const tsr_location *where, const given *g)                                 \
  {                                                                                                \
    return tsr_##name##_at(where, tsr__given_dims(g, 0), tsr__given_dtype(g, TSR_FLOAT64));        \
  }
OF_SHAPE(zeros)
OF_SHAPE(ones)
OF_SHAPE(empty)

static tsr_array full(const tsr_location *where, const given *g)
{
  return tsr_full_at(where, tsr__given_dims(g, 0), g->v[1][0],
                     tsr__given_dtype(g, tsr__dtype_of_value(g->v[1][0])));
}

/* Of whole numbers it is one of whole numbers. A lone number is where it stops. */
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

/* start, stop, num, endpoint. */
#define SPACE(name)                                                                                \
  static tsr_array name(const tsr_location *where, const given *g)                                 \
  {                                                                                                \
    return tsr_##name##_at(where, g->v[0][0], g->v[1][0], tsr__given_whole(g, 2, 50),              \
                           tsr__given_truth(g, 3, true), tsr__given_dtype(g, TSR_FLOAT64));        \
  }
SPACE(linspace)
SPACE(geomspace)

/* N, M, k. */
#define MATRIX(name)                                                                               \
  static tsr_array name(const tsr_location *where, const given *g)                                 \
  {                                                                                                \
    const int64_t n = tsr__given_whole(g, 0, 0);                                                   \
    return tsr_##name##_at(where, n, tsr__given_whole(g, 1, n), tsr__given_whole(g, 2, 0),         \
                           tsr__given_dtype(g, TSR_FLOAT64));                                      \
  }
MATRIX(eye)
MATRIX(tri)

#define LIKE(name)                                                                                 \
  static tsr_array name(const tsr_location *where, const given *g)                                 \
  {                                                                                                \
    return tsr_##name##_at(where, g->v[0][0], tsr__given_dtype(g, TSR_DTYPE_LIKE));                \
  }
LIKE(empty_like)
LIKE(zeros_like)
LIKE(ones_like)

/* array, k. */
#define TRIANGLE(name)                                                                             \
  static tsr_array name(const tsr_location *where, const given *g)                                 \
  {                                                                                                \
    return tsr_##name##_at(where, tsr__given_array(where, g, 0), tsr__given_whole(g, 1, 0));       \
  }
TRIANGLE(tril)
TRIANGLE(triu)

static tsr_array full_like(const tsr_location *where, const given *g)
{
  return tsr_full_like_at(where, g->v[0][0], g->v[1][0], tsr__given_dtype(g, TSR_DTYPE_LIKE));
}

static tsr_array copy(const tsr_location *where, const given *g)
{
  return tsr_copy_at(where, g->v[0][0]);
}

static tsr_array logspace(const tsr_location *where, const given *g)
{
  return tsr_logspace_at(where, g->v[0][0], g->v[1][0], tsr__given_whole(g, 2, 50),
                         tsr__given_truth(g, 3, true), tsr__given_number(g, 4, 10),
                         tsr__given_dtype(g, TSR_FLOAT64));
}

static tsr_array diag(const tsr_location *where, const given *g)
{
  return tsr_diag_at(where, tsr__given_array(where, g, 0), tsr__given_whole(g, 1, 0));
}

static tsr_array indices(const tsr_location *where, const given *g)
{
  return tsr_indices_at(where, tsr__given_dims(g, 0), tsr__given_dtype(g, TSR_INT64));
}

/* Shapes. */

static tsr_array rot90(const tsr_location *where, const given *g)
{
  const tsr_axes all = {.n = -1};
  return tsr_rot90_at(where, tsr__given_array(where, g, 0), tsr__given_int(g, 1, 1),
                      tsr__given(g, 2) ? tsr__given_axes(g, 2) : all);
}

static tsr_array reshape(const tsr_location *where, const given *g)
{
  return tsr_reshape_at(where, tsr__given_array(where, g, 0), tsr__given_dims(g, 1));
}

static tsr_array roll(const tsr_location *where, const given *g)
{
  return tsr_roll_at(where, tsr__given_array(where, g, 0), tsr__given_dims(g, 1),
                     tsr__given_axes(g, 2));
}

static tsr_array transpose(const tsr_location *where, const given *g)
{
  return tsr_transpose_at(where, tsr__given_array(where, g, 0), tsr__given_axes(g, 1));
}

static tsr_array moveaxis(const tsr_location *where, const given *g)
{
  return tsr_moveaxis_at(where, tsr__given_array(where, g, 0), tsr__given_axes(g, 1),
                         tsr__given_axes(g, 2));
}

static tsr_array swapaxes(const tsr_location *where, const given *g)
{
  return tsr_swapaxes_at(where, tsr__given_array(where, g, 0), tsr__given_int(g, 1, 0),
                         tsr__given_int(g, 2, 0));
}

static tsr_array tile(const tsr_location *where, const given *g)
{
  return tsr_tile_at(where, tsr__given_array(where, g, 0), tsr__given_dims(g, 1));
}

static tsr_array repeat(const tsr_location *where, const given *g)
{
  const tsr_dims counts = tsr__given_dims(g, 1);
  if (counts.ndim == 1)
    return tsr_repeat_at(where, tsr__given_array(where, g, 0), counts.n[0], tsr__given_axes(g, 2));
  return tsr_repeat_counts_at(where, tsr__given_array(where, g, 0), counts.ndim, counts.n,
                              tsr__given_axes(g, 2));
}

static tsr_array broadcast_to(const tsr_location *where, const given *g)
{
  return tsr_broadcast_to_at(where, tsr__given_array(where, g, 0), tsr__given_dims(g, 1));
}

/* The list of arrays that is parameter 0. */
static tsr_arrays list(const tsr_location *where, const given *g, tsr_array v[TSR_MAX_OP_ARGS])
{
  for (int k = 0; k < g->n[0]; k++) v[k] = tsr__array_of_value(where, g->v[0][k]);
  return (tsr_arrays){.n = g->n[0], .v = v};
}

/* axis=None: of all elements in flat order. */
static tsr_array concatenate(const tsr_location *where, const given *g)
{
  tsr_array v[TSR_MAX_OP_ARGS];
  const tsr_arrays xs = list(where, g, v);
  const bool is_flat = g->n[1] == 0;
  for (int k = 0; is_flat && k < xs.n; k++) v[k] = tsr_ravel_at(where, v[k]);
  return tsr_concatenate_at(where, xs, is_flat ? 0 : tsr__given_int(g, 1, 0));
}

static tsr_array stack(const tsr_location *where, const given *g)
{
  tsr_array v[TSR_MAX_OP_ARGS];
  return tsr_stack_at(where, list(where, g, v), tsr__given_int(g, 1, 0));
}

static tsr_array vstack(const tsr_location *where, const given *g)
{
  tsr_array v[TSR_MAX_OP_ARGS];
  return tsr_vstack_at(where, list(where, g, v));
}

static tsr_array hstack(const tsr_location *where, const given *g)
{
  tsr_array v[TSR_MAX_OP_ARGS];
  return tsr_hstack_at(where, list(where, g, v));
}

static tsr_array dstack(const tsr_location *where, const given *g)
{
  tsr_array v[TSR_MAX_OP_ARGS];
  return tsr_dstack_at(where, list(where, g, v));
}

/* One width for all sides, one before and one after each axis, or such a pair for each. */
static tsr_array pad(const tsr_location *where, const given *g)
{
  const tsr_array x = tsr__given_array(where, g, 0);
  const int ndim = tsr_shape_at(where, x).ndim, n = g->n[1];
  if (n != 1 && n != 2 && n != 2 * ndim) {
    tsr__fail(tsr__context(where), where, TSR_ERR_ARGUMENT,
              "the widths are one number, one before and one after each axis, or such a pair for "
              "each axis, not %d of %d axes",
              n, ndim);
    return tsr_null();
  }
  tsr_dims before = {.ndim = ndim}, after = {.ndim = ndim};
  for (int k = 0; k < ndim; k++) {
    const int at = n == 2 * ndim ? 2 * k : 0;
    before.n[k] = g->v[1][at].as.i;
    after.n[k] = g->v[1][n == 1 ? 0 : at + 1].as.i;
  }
  return tsr_pad_at(where, x, before, after, g->string ? g->string : "constant",
                    tsr__given(g, 3) ? g->v[3][0] : tsr_box_int(0));
}

/* Products and the rest. */

#define PRODUCT(name)                                                                              \
  static tsr_array name(const tsr_location *where, const given *g)                                 \
  {                                                                                                \
    return tsr_##name##_at(where, g->v[0][0], g->v[1][0]);                                         \
  }
PRODUCT(matmul)
PRODUCT(dot)
PRODUCT(vdot)
PRODUCT(inner)
PRODUCT(outer)

static tsr_array einsum(const tsr_location *where, const given *g)
{
  return tsr_einsum_at(where, g->string, g->n[1], g->v[1]);
}

static tsr_array isclose(const tsr_location *where, const given *g)
{
  return tsr_isclose_at(where, g->v[0][0], g->v[1][0], tsr__given_number(g, 2, 1e-5),
                        tsr__given_number(g, 3, 1e-8), tsr__given_truth(g, 4, false));
}

/* Quantiles: of axis and keepdims as the C calls have them. */
#define QUANTILE(name)                                                                             \
  static tsr_array name(const tsr_location *where, const given *g)                                 \
  {                                                                                                \
    tsr_axes options = tsr__given(g, 2) ? tsr__given_axes(g, 2) : (tsr_axes){.n = -1};             \
    options.keepdims = tsr__given(g, 3) && g->v[3][0].as.b;                                        \
    return tsr_##name##_at(where, g->v[0][0], tsr__given_number(g, 1, 0), 1, &options);            \
  }
QUANTILE(quantile)
QUANTILE(percentile)
QUANTILE(nanquantile)
QUANTILE(nanpercentile)

static tsr_array average(const tsr_location *where, const given *g)
{
  tsr_axes options = tsr__given(g, 1) ? tsr__given_axes(g, 1) : (tsr_axes){.n = -1};
  options.keepdims = tsr__given(g, 3) && g->v[3][0].as.b;
  if (!tsr__given(g, 2)) return tsr_mean_at(where, g->v[0][0], 1, &options);
  return tsr_average_at(where, g->v[0][0], g->v[2][0], 1, &options);
}

static tsr_array angle(const tsr_location *where, const given *g)
{
  const tsr_operand radians = tsr_box_array(tsr_angle_at(where, g->v[0][0]));
  return tsr__given_truth(g, 1, false) ? tsr__map_at(where, TSR_OP_RAD2DEG, 1, &radians)
                                       : radians.as.array;
}

static tsr_array diagonal(const tsr_location *where, const given *g)
{
  return tsr_diagonal_at(where, tsr__given_array(where, g, 0), tsr__given_whole(g, 1, 0),
                         tsr__given_int(g, 2, 0), tsr__given_int(g, 3, 1));
}

static tsr_array round_to(const tsr_location *where, const given *g)
{
  return tsr_round_at(where, g->v[0][0], tsr__given_int(g, 1, 0));
}

/* Several results. */

static int divmod(const tsr_location *where, const given *g, tsr_array *out)
{
  return tsr_divmod_at(where, out, g->v[0][0], g->v[1][0]) < 0 ? 0 : 2;
}

static int frexp_of(const tsr_location *where, const given *g, tsr_array *out)
{
  return tsr_frexp_at(where, out, g->v[0][0]) < 0 ? 0 : 2;
}

static int modf_of(const tsr_location *where, const given *g, tsr_array *out)
{
  return tsr_modf_at(where, out, g->v[0][0]) < 0 ? 0 : 2;
}

static int meshgrid(const tsr_location *where, const given *g, tsr_array *out)
{
  tsr_array v[TSR_MAX_OP_ARGS];
  return tsr_meshgrid_at(where, out, list(where, g, v), g->string ? g->string : "xy") < 0 ? 0
                                                                                          : g->n[0];
}

static int broadcast_arrays(const tsr_location *where, const given *g, tsr_array *out)
{
  tsr_array v[TSR_MAX_OP_ARGS];
  return tsr_broadcast_arrays_at(where, out, list(where, g, v)) < 0 ? 0 : g->n[0];
}

/* Into a number of pieces, or at the indices of a tuple. */
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

/* Truths. */

static bool allclose(const tsr_location *where, const given *g)
{
  return tsr_allclose_at(where, g->v[0][0], g->v[1][0], tsr__given_number(g, 2, 1e-5),
                         tsr__given_number(g, 3, 1e-8), tsr__given_truth(g, 4, false));
}

static bool array_equal(const tsr_location *where, const given *g)
{
  return tsr_array_equal_at(where, g->v[0][0], g->v[1][0], tsr__given_truth(g, 2, false));
}

/* Numbers that are known at once. */

static bool ndim(const tsr_location *where, const given *g, int64_t *out)
{
  *out = tsr_shape_at(where, tsr__given_array(where, g, 0)).ndim;
  return true;
}

/* The number of elements, or the length of one axis. */
static bool size(const tsr_location *where, const given *g, int64_t *out)
{
  const tsr_dims shape = tsr_shape_at(where, tsr__given_array(where, g, 0));
  *out = 1;
  for (int k = 0; k < shape.ndim; k++) *out *= shape.n[k];
  if (!tsr__given(g, 1)) return true;
  int axis = tsr__given_int(g, 1, 0);
  if (axis < -shape.ndim || axis >= shape.ndim) {
    tsr__fail(tsr__context(where), where, TSR_ERR_AXIS,
              "axis %d is out of range for an array of %d axes", axis, shape.ndim);
    return false;
  }
  *out = shape.n[axis < 0 ? axis + shape.ndim : axis];
  return true;
}

/* What all ufuncs take of NumPy's beside their operands. */
#define UFUNC_OPTIONS                                                                              \
  "-:where=True, -:casting='same_kind', -:order='K', -:dtype=None, -:subok=True, -:signature=None"
#define UFUNC ", /, -:out=None, *, " UFUNC_OPTIONS
#define UFUNC_OF_TWO_RESULTS ", /, -:out=(None, None), *, " UFUNC_OPTIONS
#define FORMAT "0:order='C', *, -:device=None, -:like=None"
#define LIKE_OPTIONS "d:dtype=None, 0:order='K', 0:subok=True, -:shape=None, *, -:device=None"
#define JOINED "*, -:dtype=None, -:casting='same_kind'"
#define QUANTILE_OPTIONS                                                                           \
  "x:a, f:q, n:axis=None, -:out=None, 0:overwrite_input=False, -:method='linear', "                \
  "b:keepdims=False, *, -:weights=None"

static const tsr_text_function table[] = {
    {"divmod", "x:x1, x:x2" UFUNC_OF_TWO_RESULTS, .calls = divmod},
    {"frexp", "x:x" UFUNC_OF_TWO_RESULTS, .calls = frexp_of},
    {"modf", "x:x" UFUNC_OF_TWO_RESULTS, .calls = modf_of},
    {"meshgrid", "v:xi, 0:copy=True, -:sparse=False, s:indexing='xy'", .calls = meshgrid},
    {"broadcast_arrays", "v:args, 0:subok=False", .calls = broadcast_arrays},
    {"split", "x:ary, n:indices_or_sections, i:axis=0", .calls = split},
    {"array_split", "x:ary, n:indices_or_sections, i:axis=0", .calls = array_split},
    {"allclose", "x:a, x:b, f:rtol=1e-05, f:atol=1e-08, b:equal_nan=False", .tells = allclose},
    {"array_equal", "x:a1, x:a2, b:equal_nan=False", .tells = array_equal},
    {"ndim", "x:a", .counts = ndim},
    {"size", "x:a, i:axis=None", .counts = size},
    {"zeros", "n:shape, d:dtype=None, " FORMAT, .call = zeros},
    {"ones", "n:shape, d:dtype=None, " FORMAT, .call = ones},
    {"empty", "n:shape, d:dtype=None, " FORMAT, .call = empty},
    {"full", "n:shape, x:fill_value, d:dtype=None, " FORMAT, .call = full},
    {"arange", "f:start=None, f:stop=None, f:step=1, d:dtype=None, *, -:device=None, -:like=None",
     .call = arange},
    {"linspace",
     "x:start, x:stop, i:num=50, b:endpoint=True, -:retstep=False, d:dtype=None, -:axis=0, *, "
     "-:device=None",
     .call = linspace},
    {"logspace", "x:start, x:stop, i:num=50, b:endpoint=True, f:base=10.0, d:dtype=None, -:axis=0",
     .call = logspace},
    {"geomspace", "x:start, x:stop, i:num=50, b:endpoint=True, d:dtype=None, -:axis=0",
     .call = geomspace},
    {"eye", "i:N, i:M=None, i:k=0, d:dtype=float, " FORMAT, .call = eye},
    {"identity", "i:n, d:dtype=None, *, -:like=None", .call = eye},
    {"tri", "i:N, i:M=None, i:k=0, d:dtype=float, *, -:like=None", .call = tri},
    {"empty_like", "x:prototype, /, " LIKE_OPTIONS, .call = empty_like},
    {"zeros_like", "x:a, " LIKE_OPTIONS, .call = zeros_like},
    {"ones_like", "x:a, " LIKE_OPTIONS, .call = ones_like},
    {"full_like", "x:a, x:fill_value, " LIKE_OPTIONS, .call = full_like},
    {"copy", "x:a, 0:order='K', 0:subok=False", .is_method = true, .call = copy},
    {"tril", "x:m, i:k=0", .call = tril},
    {"triu", "x:m, i:k=0", .call = triu},
    {"diag", "x:v, i:k=0", .call = diag},
    {"diagonal", "x:a, i:offset=0, i:axis1=0, i:axis2=1", .is_method = true, .call = diagonal},
    {"indices", "n:dimensions, d:dtype=int, -:sparse=False", .call = indices},
    {"rot90", "x:m, i:k=1, n:axes=(0, 1)", .call = rot90},
    {"quantile", QUANTILE_OPTIONS, .call = quantile},
    {"percentile", QUANTILE_OPTIONS, .call = percentile},
    {"nanquantile", QUANTILE_OPTIONS, .call = nanquantile},
    {"nanpercentile", QUANTILE_OPTIONS, .call = nanpercentile},
    {"average", "x:a, n:axis=None, x:weights=None, -:returned=False, *, b:keepdims=False",
     .call = average},
    {"angle", "x:z, b:deg=False", .call = angle},
    {"reshape", "x:a, /, m:shape, -:order='C', *, 0:copy=None", .is_method = true, .call = reshape},
    {"roll", "x:a, n:shift, n:axis=None", .call = roll},
    {"transpose", "x:a, m:axes=None", .is_method = true, .makes = TSR_TEXT_MAKES_TRANSPOSE,
     .call = transpose},
    {"moveaxis", "x:a, n:source, n:destination", .call = moveaxis},
    {"swapaxes", "x:a, i:axis1, i:axis2", .is_method = true, .call = swapaxes},
    {"tile", "x:A, n:reps", .call = tile},
    {"repeat", "x:a, n:repeats, n:axis=None", .is_method = true, .call = repeat},
    {"broadcast_to", "x:array, n:shape, 0:subok=False", .call = broadcast_to},
    {"concatenate", "l:arrays, /, j:axis=0, -:out=None, " JOINED, .call = concatenate},
    {"stack", "l:arrays, i:axis=0, -:out=None, " JOINED, .call = stack},
    {"vstack", "l:tup, " JOINED, .call = vstack},
    {"hstack", "l:tup, " JOINED, .call = hstack},
    {"dstack", "l:tup", .call = dstack},
    {"pad", "x:array, w:pad_width, s:mode='constant', *, x:constant_values=0", .call = pad},
    {"matmul",
     "x:x1, x:x2, /, -:out=None, *, -:axes=None, -:axis=None, -:keepdims=False, "
     "-:casting='same_kind', -:order='K', -:dtype=None, -:subok=True, -:signature=None",
     .call = matmul},
    {"dot", "x:a, x:b, -:out=None", .is_method = true, .call = dot},
    {"vdot", "x:a, x:b, /", .call = vdot},
    {"inner", "x:a, x:b, /", .call = inner},
    {"outer", "x:a, x:b, -:out=None", .call = outer},
    {"einsum", "s:subscripts, v:operands, -:out=None, 0:optimize=False", .call = einsum},
    {"isclose", "x:a, x:b, f:rtol=1e-05, f:atol=1e-08, b:equal_nan=False", .call = isclose},
    {"round", "x:a, i:decimals=0, -:out=None", .is_method = true, .call = round_to},
    {"clip", "x:a, x:a_min=None, x:a_max=None, -:out=None, *, x:min=None, x:max=None",
     .is_method = true, .makes = TSR_TEXT_MAKES_CLIP},
    {"astype", "x:x, d:dtype, /, *, 0:copy=True, -:device=None", .is_method = true,
     .makes = TSR_TEXT_MAKES_ASTYPE},
};

const tsr_text_function *tsr__text_function(int i)
{
  const int n = (int)(sizeof table / sizeof *table);
  return i < 0 ? NULL : i < n ? &table[i] : tsr__text_statistic(i - n);
}

int tsr__text_function_named(const char *name)
{
  for (int i = 0; tsr__text_function(i); i++)
    if (strcmp(tsr__text_function(i)->name, name) == 0) return i;
  return -1;
}

/* Parameters. */

/* To the comma outside brackets, or the end. */
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
