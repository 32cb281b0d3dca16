/* The table of functions for the text language. What is checked before a call: that values are of
 * their parameter's kind; all else is the function's own error. */
#include "array/text_functions.h"

#include <limits.h>
#include <string.h>

#include "array/array_int.h"

typedef tsr_text_given given;

static bool has(const given *g, int i)
{
  return g->n[i] >= 0;
}

static tsr_dtype dtype_of(const given *g, tsr_dtype otherwise)
{
  return g->dtype >= 0 ? (tsr_dtype)g->dtype : otherwise;
}

static int64_t whole(const given *g, int i, int64_t otherwise)
{
  return has(g, i) ? g->v[i][0].as.i : otherwise;
}

/* For parameters that are ints in C: what does not fit is as wrong as the largest. */
static int small(const given *g, int i, int otherwise)
{
  const int64_t n = whole(g, i, otherwise);
  return n > INT_MAX ? INT_MAX : n < INT_MIN ? INT_MIN : (int)n;
}

static double number(const given *g, int i, double otherwise)
{
  if (!has(g, i)) return otherwise;
  return g->v[i][0].kind == TSR_OPERAND_FLOAT ? g->v[i][0].as.f : (double)g->v[i][0].as.i;
}

static tsr_dims dims(const given *g, int i)
{
  tsr_dims out = {.ndim = g->n[i]};
  for (int k = 0; k < out.ndim; k++) out.n[k] = g->v[i][k].as.i;
  return out;
}

static tsr_axes axes(const given *g, int i)
{
  tsr_axes out = {.n = g->n[i]};
  for (int k = 0; k < out.n; k++) {
    const int64_t n = g->v[i][k].as.i;
    out.axis[k] = n > INT_MAX ? INT_MAX : n < INT_MIN ? INT_MIN : (int)n;
  }
  return out;
}

/* A scalar is an array without axes. */
static tsr_array array_of(const tsr_location *where, tsr_operand x)
{
  return x.kind == TSR_OPERAND_ARRAY ? x.as.array : tsr_copy_at(where, x);
}

static tsr_array array(const tsr_location *where, const given *g, int i)
{
  return array_of(where, g->v[i][0]);
}

/* --- creation --- */

#define OF_SHAPE(name)                                                                             \
  static tsr_array name(const tsr_location *where, const given *g)                                 \
  {                                                                                                \
    return tsr_##name##_at(where, dims(g, 0), dtype_of(g, TSR_FLOAT64));                           \
  }
OF_SHAPE(zeros)
OF_SHAPE(ones)
OF_SHAPE(empty)

static tsr_dtype dtype_of_value(tsr_operand x)
{
  return x.kind == TSR_OPERAND_ARRAY     ? tsr_dtype_of(x.as.array)
         : x.kind == TSR_OPERAND_BOOL    ? TSR_BOOL
         : x.kind == TSR_OPERAND_COMPLEX ? TSR_COMPLEX128
         : x.kind == TSR_OPERAND_FLOAT   ? TSR_FLOAT64
                                         : TSR_INT64;
}

static tsr_array full(const tsr_location *where, const given *g)
{
  return tsr_full_at(where, dims(g, 0), g->v[1][0], dtype_of(g, dtype_of_value(g->v[1][0])));
}

/* Of whole numbers it is one of whole numbers. */
static tsr_array arange(const tsr_location *where, const given *g)
{
  bool is_float = false;
  for (int i = 0; i < 3; i++) is_float |= has(g, i) && g->v[i][0].kind == TSR_OPERAND_FLOAT;
  const tsr_operand zero = tsr_box_int(0), one = tsr_box_int(1);
  return tsr_arange_at(where, has(g, 1) ? g->v[0][0] : zero, g->v[has(g, 1) ? 1 : 0][0],
                       has(g, 2) ? g->v[2][0] : one,
                       dtype_of(g, is_float ? TSR_FLOAT64 : TSR_INT64));
}

/* start, stop, num, endpoint. */
#define SPACE(name)                                                                                \
  static tsr_array name(const tsr_location *where, const given *g)                                 \
  {                                                                                                \
    return tsr_##name##_at(where, g->v[0][0], g->v[1][0], whole(g, 2, 50), whole(g, 3, 1) != 0,    \
                           dtype_of(g, TSR_FLOAT64));                                              \
  }
SPACE(linspace)
SPACE(geomspace)

/* N, M, k. */
#define MATRIX(name)                                                                               \
  static tsr_array name(const tsr_location *where, const given *g)                                 \
  {                                                                                                \
    const int64_t n = whole(g, 0, 0);                                                              \
    return tsr_##name##_at(where, n, whole(g, 1, n), whole(g, 2, 0), dtype_of(g, TSR_FLOAT64));    \
  }
MATRIX(eye)
MATRIX(tri)

#define LIKE(name)                                                                                 \
  static tsr_array name(const tsr_location *where, const given *g)                                 \
  {                                                                                                \
    return tsr_##name##_at(where, g->v[0][0], dtype_of(g, TSR_DTYPE_LIKE));                        \
  }
LIKE(empty_like)
LIKE(zeros_like)
LIKE(ones_like)

/* array, k. */
#define TRIANGLE(name)                                                                             \
  static tsr_array name(const tsr_location *where, const given *g)                                 \
  {                                                                                                \
    return tsr_##name##_at(where, array(where, g, 0), whole(g, 1, 0));                             \
  }
TRIANGLE(tril)
TRIANGLE(triu)

static tsr_array full_like(const tsr_location *where, const given *g)
{
  return tsr_full_like_at(where, g->v[0][0], g->v[1][0], dtype_of(g, TSR_DTYPE_LIKE));
}

static tsr_array copy(const tsr_location *where, const given *g)
{
  return tsr_copy_at(where, g->v[0][0]);
}

static tsr_array logspace(const tsr_location *where, const given *g)
{
  return tsr_logspace_at(where, g->v[0][0], g->v[1][0], whole(g, 2, 50), whole(g, 3, 1) != 0,
                         number(g, 4, 10), dtype_of(g, TSR_FLOAT64));
}

static tsr_array diag(const tsr_location *where, const given *g)
{
  return tsr_diag_at(where, array(where, g, 0), whole(g, 1, 0));
}

static tsr_array indices(const tsr_location *where, const given *g)
{
  return tsr_indices_at(where, dims(g, 0), dtype_of(g, TSR_INT64));
}

/* --- shapes --- */

static tsr_array rot90(const tsr_location *where, const given *g)
{
  const tsr_axes all = {.n = -1};
  return tsr_rot90_at(where, array(where, g, 0), small(g, 1, 1), has(g, 2) ? axes(g, 2) : all);
}

static tsr_array reshape(const tsr_location *where, const given *g)
{
  return tsr_reshape_at(where, array(where, g, 0), dims(g, 1));
}

static tsr_array roll(const tsr_location *where, const given *g)
{
  return tsr_roll_at(where, array(where, g, 0), dims(g, 1), axes(g, 2));
}

static tsr_array transpose(const tsr_location *where, const given *g)
{
  return tsr_transpose_at(where, array(where, g, 0), axes(g, 1));
}

static tsr_array moveaxis(const tsr_location *where, const given *g)
{
  return tsr_moveaxis_at(where, array(where, g, 0), axes(g, 1), axes(g, 2));
}

static tsr_array swapaxes(const tsr_location *where, const given *g)
{
  return tsr_swapaxes_at(where, array(where, g, 0), small(g, 1, 0), small(g, 2, 0));
}

static tsr_array tile(const tsr_location *where, const given *g)
{
  return tsr_tile_at(where, array(where, g, 0), dims(g, 1));
}

static tsr_array repeat(const tsr_location *where, const given *g)
{
  const tsr_dims counts = dims(g, 1);
  if (counts.ndim == 1) return tsr_repeat_at(where, array(where, g, 0), counts.n[0], axes(g, 2));
  return tsr_repeat_counts_at(where, array(where, g, 0), counts.ndim, counts.n, axes(g, 2));
}

static tsr_array broadcast_to(const tsr_location *where, const given *g)
{
  return tsr_broadcast_to_at(where, array(where, g, 0), dims(g, 1));
}

/* The list of arrays that is parameter 0. */
static tsr_arrays list(const tsr_location *where, const given *g, tsr_array v[TSR_MAX_OP_ARGS])
{
  for (int k = 0; k < g->n[0]; k++) v[k] = array_of(where, g->v[0][k]);
  return (tsr_arrays){.n = g->n[0], .v = v};
}

static tsr_array concatenate(const tsr_location *where, const given *g)
{
  tsr_array v[TSR_MAX_OP_ARGS];
  return tsr_concatenate_at(where, list(where, g, v), small(g, 1, 0));
}

static tsr_array stack(const tsr_location *where, const given *g)
{
  tsr_array v[TSR_MAX_OP_ARGS];
  return tsr_stack_at(where, list(where, g, v), small(g, 1, 0));
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
  const tsr_array x = array(where, g, 0);
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
                    has(g, 3) ? g->v[3][0] : tsr_box_int(0));
}

/* --- products and the rest --- */

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
  return tsr_isclose_at(where, g->v[0][0], g->v[1][0], number(g, 2, 1e-5), number(g, 3, 1e-8),
                        whole(g, 4, 0) != 0);
}

/* Quantiles: of axis and keepdims as the C calls have them. */
#define QUANTILE(name)                                                                             \
  static tsr_array name(const tsr_location *where, const given *g)                                 \
  {                                                                                                \
    tsr_axes options = has(g, 2) ? axes(g, 2) : (tsr_axes){.n = -1};                               \
    options.keepdims = has(g, 3) && g->v[3][0].as.b;                                               \
    return tsr_##name##_at(where, g->v[0][0], number(g, 1, 0), 1, &options);                       \
  }
QUANTILE(quantile)
QUANTILE(percentile)
QUANTILE(nanquantile)
QUANTILE(nanpercentile)

static tsr_array average(const tsr_location *where, const given *g)
{
  tsr_axes options = has(g, 1) ? axes(g, 1) : (tsr_axes){.n = -1};
  options.keepdims = has(g, 3) && g->v[3][0].as.b;
  if (!has(g, 2)) return tsr_mean_at(where, g->v[0][0], 1, &options);
  return tsr_average_at(where, g->v[0][0], g->v[2][0], 1, &options);
}

static tsr_array angle(const tsr_location *where, const given *g)
{
  return tsr_angle_at(where, g->v[0][0]);
}

static tsr_array diagonal(const tsr_location *where, const given *g)
{
  return tsr_diagonal_at(where, array(where, g, 0), whole(g, 1, 0), small(g, 2, 0), small(g, 3, 1));
}

static tsr_array round_to(const tsr_location *where, const given *g)
{
  return tsr_round_at(where, g->v[0][0], small(g, 1, 0));
}

/* --- several results ---------------------------------------------------------------------------
 */

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
  const tsr_array x = array(where, g, 0);
  const int axis = small(g, 2, 0);
  if (g->tuples >> 1 & 1) {
    const tsr_dims at = dims(g, 1);
    return tsr_split_indices_at(where, out, x, at.ndim, at.n, axis) < 0 ? 0 : at.ndim + 1;
  }
  const int n = small(g, 1, 0);
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

/* --- truths ------------------------------------------------------------------------------------
 */

static bool allclose(const tsr_location *where, const given *g)
{
  return tsr_allclose_at(where, g->v[0][0], g->v[1][0], number(g, 2, 1e-5), number(g, 3, 1e-8),
                         whole(g, 4, 0) != 0);
}

static bool array_equal(const tsr_location *where, const given *g)
{
  return tsr_array_equal_at(where, g->v[0][0], g->v[1][0], whole(g, 2, 0) != 0);
}

static const tsr_text_function table[] = {
    {"divmod", "x:x1 x:x2", false, .calls = divmod},
    {"frexp", "x:x", false, .calls = frexp_of},
    {"modf", "x:x", false, .calls = modf_of},
    {"meshgrid", "v:xi s:indexing?", false, .calls = meshgrid},
    {"broadcast_arrays", "v:args", false, .calls = broadcast_arrays},
    {"split", "x:ary n:indices_or_sections i:axis?", false, .calls = split},
    {"array_split", "x:ary n:indices_or_sections i:axis?", false, .calls = array_split},
    {"allclose", "x:a x:b f:rtol? f:atol? b:equal_nan?", false, .tells = allclose},
    {"array_equal", "x:a1 x:a2 b:equal_nan?", false, .tells = array_equal},
    {"zeros", "n:shape d:dtype?", false, .call = zeros},
    {"ones", "n:shape d:dtype?", false, .call = ones},
    {"full", "n:shape x:fill_value d:dtype?", false, .call = full},
    {"arange", "f:start f:stop? f:step? d:dtype?", false, .call = arange},
    {"linspace", "x:start x:stop i:num? b:endpoint? d:dtype?", false, .call = linspace},
    {"eye", "i:N i:M? i:k? d:dtype?", false, .call = eye},
    {"identity", "i:n d:dtype?", false, .call = eye},
    {"empty", "n:shape d:dtype?", false, .call = empty},
    {"empty_like", "x:prototype d:dtype?", false, .call = empty_like},
    {"zeros_like", "x:a d:dtype?", false, .call = zeros_like},
    {"ones_like", "x:a d:dtype?", false, .call = ones_like},
    {"full_like", "x:a x:fill_value d:dtype?", false, .call = full_like},
    {"copy", "x:a", true, .call = copy},
    {"logspace", "x:start x:stop i:num? b:endpoint? f:base? d:dtype?", false, .call = logspace},
    {"geomspace", "x:start x:stop i:num? b:endpoint? d:dtype?", false, .call = geomspace},
    {"tri", "i:N i:M? i:k? d:dtype?", false, .call = tri},
    {"tril", "x:m i:k?", false, .call = tril},
    {"triu", "x:m i:k?", false, .call = triu},
    {"diag", "x:v i:k?", false, .call = diag},
    {"diagonal", "x:a i:offset? i:axis1? i:axis2?", true, .call = diagonal},
    {"indices", "n:dimensions d:dtype?", false, .call = indices},
    {"rot90", "x:m i:k? n:axes?", false, .call = rot90},
    {"dstack", "l:tup", false, .call = dstack},
    {"quantile", "x:a f:q n:axis? b:keepdims?", false, .call = quantile},
    {"percentile", "x:a f:q n:axis? b:keepdims?", false, .call = percentile},
    {"nanquantile", "x:a f:q n:axis? b:keepdims?", false, .call = nanquantile},
    {"nanpercentile", "x:a f:q n:axis? b:keepdims?", false, .call = nanpercentile},
    {"average", "x:a n:axis? x:weights? b:keepdims?", false, .call = average},
    {"angle", "x:z", false, .call = angle},
    {"reshape", "x:a n:shape", true, .call = reshape},
    {"roll", "x:a n:shift n:axis?", false, .call = roll},
    {"transpose", "x:a n:axes?", true, .call = transpose},
    {"moveaxis", "x:a n:source n:destination", false, .call = moveaxis},
    {"swapaxes", "x:a i:axis1 i:axis2", true, .call = swapaxes},
    {"tile", "x:A n:reps", false, .call = tile},
    {"repeat", "x:a n:repeats n:axis?", true, .call = repeat},
    {"broadcast_to", "x:array n:shape", false, .call = broadcast_to},
    {"concatenate", "l:arrays i:axis?", false, .call = concatenate},
    {"stack", "l:arrays i:axis?", false, .call = stack},
    {"vstack", "l:tup", false, .call = vstack},
    {"hstack", "l:tup", false, .call = hstack},
    {"pad", "x:array w:pad_width s:mode? x:constant_values?", false, .call = pad},
    {"matmul", "x:x1 x:x2", false, .call = matmul},
    {"dot", "x:a x:b", true, .call = dot},
    {"vdot", "x:a x:b", false, .call = vdot},
    {"inner", "x:a x:b", false, .call = inner},
    {"outer", "x:a x:b", false, .call = outer},
    {"einsum", "s:subscripts v:operands", false, .call = einsum},
    {"isclose", "x:a x:b f:rtol? f:atol? b:equal_nan?", false, .call = isclose},
    {"round", "x:a i:decimals?", true, .call = round_to},
};

const tsr_text_function *tsr__text_function(int i)
{
  return i >= 0 && i < (int)(sizeof table / sizeof *table) ? &table[i] : NULL;
}

int tsr__text_function_named(const char *name)
{
  for (int i = 0; tsr__text_function(i); i++)
    if (strcmp(table[i].name, name) == 0) return i;
  return -1;
}

int tsr__text_parameters(const tsr_text_function *f, tsr_text_parameter out[TSR_TEXT_PARAMETERS])
{
  int n = 0;
  for (const char *p = f->parameters; *p; n++) {
    out[n] = (tsr_text_parameter){.kind = *p, .name = p + 2, .n_name = strcspn(p + 2, "? ")};
    p += 2 + out[n].n_name;
    out[n].is_optional = *p == '?';
    p += out[n].is_optional;
    p += *p == ' ';
  }
  return n;
}
