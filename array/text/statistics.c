/* The text language's second table: reductions, statistics, scans, and views of one array along its
 * axes. */
#include "array/text/functions.h"

#include <string.h>

#include "array/text/values.h"

typedef tsr_text_given given;

/* Dtype=. */

/* Computed in the dtype that is asked for. */
static tsr_operand cast_before(const tsr_location *where, const given *g)
{
  const tsr_operand x = g->v[0][0];
  if (g->dtype < 0 || tsr__dtype_of_value(x) == (tsr_dtype)g->dtype) return x;
  return tsr_box_array(tsr_astype_at(where, x, (tsr_dtype)g->dtype));
}

/* Of it, too: a sum of int32 is int64. */
static tsr_array cast_after(const tsr_location *where, const given *g, tsr_array x)
{
  if (g->dtype < 0 || !tsr_ok(x) || tsr_dtype_of(x) == (tsr_dtype)g->dtype) return x;
  return tsr_astype_at(where, tsr_box_array(x), (tsr_dtype)g->dtype);
}

static bool is_null(tsr_operand x)
{
  return x.kind == TSR_OPERAND_ARRAY && !tsr_ok(x.as.array);
}

/* Reductions: a, axis, then what the row has. */

static tsr_array reduced(const tsr_location *where, const given *g, tsr_reduction op, bool mean,
                         int keepdims)
{
  const tsr_axes axes = tsr__given_axes(g, 1);
  const tsr_operand x = cast_before(where, g);
  if (is_null(x)) return tsr_null();
  return cast_after(where, g,
                    tsr__reduce_at(where, op, mean, x, axes.n < 0 ? 0 : (unsigned)axes.n,
                                   axes.n < 0 ? NULL : axes.axis,
                                   tsr__given_truth(g, keepdims, false)));
}

#define REDUCTION(name, OP, mean, keepdims)                                                        \
  static tsr_array name(const tsr_location *where, const given *g)                                 \
  {                                                                                                \
    return reduced(where, g, TSR_REDUCE_##OP, mean, keepdims);                                     \
  }
REDUCTION(sum, SUM, false, 3)
REDUCTION(prod, PROD, false, 3)
REDUCTION(mean, SUM, true, 3)
REDUCTION(min, MIN, false, 2)
REDUCTION(max, MAX, false, 2)
REDUCTION(any, ANY, false, 2)
REDUCTION(all, ALL, false, 2)
REDUCTION(argmin, ARGMIN, false, 2)
REDUCTION(argmax, ARGMAX, false, 2)

typedef tsr_array (*statistic)(const tsr_location *where, tsr_operand x, int n_options,
                               const tsr_axes *options);

/* ddof: its slot, or -1. */
static tsr_array statistic_of(const tsr_location *where, const given *g, statistic call,
                              int keepdims, int ddof)
{
  tsr_axes options = tsr__given_axes(g, 1);
  const tsr_operand x = cast_before(where, g);
  if (is_null(x)) return tsr_null();
  options.keepdims = tsr__given_truth(g, keepdims, false);
  options.ddof = ddof < 0 ? 0 : tsr__given_number(g, ddof, 0);
  return cast_after(where, g, call(where, x, 1, &options));
}

#define STATISTIC(name, keepdims, ddof)                                                            \
  static tsr_array name(const tsr_location *where, const given *g)                                 \
  {                                                                                                \
    return statistic_of(where, g, tsr_##name##_at, keepdims, ddof);                                \
  }
STATISTIC(count_nonzero, 2, -1)
STATISTIC(ptp, 2, -1)
STATISTIC(var, 4, 3)
STATISTIC(std, 4, 3)
STATISTIC(nansum, 3, -1)
STATISTIC(nanprod, 3, -1)
STATISTIC(nanmin, 2, -1)
STATISTIC(nanmax, 2, -1)
STATISTIC(nanmean, 3, -1)
STATISTIC(nanvar, 4, 3)
STATISTIC(nanstd, 4, 3)
STATISTIC(nanargmin, 2, -1)
STATISTIC(nanargmax, 2, -1)
STATISTIC(median, 2, -1)
STATISTIC(nanmedian, 2, -1)

/* x, ord, axis, keepdims. */
static tsr_array norm(const tsr_location *where, const given *g)
{
  tsr_axes options = tsr__given_axes(g, 2);
  options.keepdims = tsr__given_truth(g, 3, false);
  options.has_ord = tsr__given(g, 1);
  options.ord = tsr__given_number(g, 1, 0);
  return tsr_norm_at(where, g->v[0][0], 1, &options);
}

/* Along one axis. */

#define SCAN(name)                                                                                 \
  static tsr_array name(const tsr_location *where, const given *g)                                 \
  {                                                                                                \
    const tsr_operand x = cast_before(where, g);                                                   \
    if (is_null(x)) return tsr_null();                                                             \
    return cast_after(where, g, tsr_##name##_at(where, x, tsr__given_int(g, 1, TSR_ONLY_AXIS)));   \
  }
SCAN(cumsum)
SCAN(cumprod)
SCAN(cummax)
SCAN(cummin)

static tsr_array diff(const tsr_location *where, const given *g)
{
  return tsr_diff_at(where, g->v[0][0], tsr__given_int(g, 1, 1), tsr__given_int(g, 2, -1));
}

/* y, x, dx, axis: where the points are given, their distance does not count. */
static tsr_array trapezoid(const tsr_location *where, const given *g)
{
  const tsr_operand x = tsr__given(g, 1)   ? g->v[1][0]
                        : tsr__given(g, 2) ? g->v[2][0]
                                           : tsr_box_int(1);
  return tsr_trapezoid_at(where, g->v[0][0], x, tsr__given_int(g, 3, -1));
}

/* Views. */

#define OF_AXES(name, call)                                                                        \
  static tsr_array name(const tsr_location *where, const given *g)                                 \
  {                                                                                                \
    return call(where, tsr__given_array(where, g, 0), tsr__given_axes(g, 1));                      \
  }
OF_AXES(squeeze, tsr_squeeze_at)
OF_AXES(flip, tsr_flip_at)
OF_AXES(expand_dims, tsr_expand_dims_axes_at)

#define WHOLE(name, x)                                                                             \
  static tsr_array name##_of(const tsr_location *where, const given *g)                            \
  {                                                                                                \
    return tsr_##name##_at(where, x);                                                              \
  }
WHOLE(ravel, tsr__given_array(where, g, 0))
WHOLE(flatten, tsr__given_array(where, g, 0))
WHOLE(flipud, tsr__given_array(where, g, 0))
WHOLE(fliplr, tsr__given_array(where, g, 0))
WHOLE(atleast_1d, g->v[0][0])
WHOLE(atleast_2d, g->v[0][0])
WHOLE(atleast_3d, g->v[0][0])

#define EXTREME "x:a, n:axis=None, -:out=None, b:keepdims=False, -:initial=None, -:where=True"
#define TRUTH "x:a, n:axis=None, -:out=None, b:keepdims=False, *, -:where=True"
#define POSITION "x:a, n:axis=None, -:out=None, *, b:keepdims=False"
#define SUM                                                                                        \
  "x:a, n:axis=None, d:dtype=None, -:out=None, b:keepdims=False, -:initial=None, -:where=True"
#define MEAN "x:a, n:axis=None, D:dtype=None, -:out=None, b:keepdims=False, *, -:where=True"
#define VARIANCE                                                                                   \
  "x:a, n:axis=None, D:dtype=None, -:out=None, f:ddof=0, b:keepdims=False, *, -:where=True, "      \
  "-:mean=None, -:correction=None"
#define MEDIAN "x:a, n:axis=None, -:out=None, 0:overwrite_input=False, b:keepdims=False"
#define RUNNING "x:a, i:axis=None, d:dtype=None, -:out=None"

static const tsr_text_function table[] = {
    {"sum", SUM, true, .call = sum},
    {"prod", SUM, true, .call = prod},
    {"min", EXTREME, true, .call = min},
    {"max", EXTREME, true, .call = max},
    {"any", TRUTH, true, .call = any},
    {"all", TRUTH, true, .call = all},
    {"argmin", POSITION, true, .call = argmin},
    {"argmax", POSITION, true, .call = argmax},
    {"mean", MEAN, true, .call = mean},
    {"count_nonzero", "x:a, n:axis=None, *, b:keepdims=False", true, .call = count_nonzero},
    {"ptp", "x:a, n:axis=None, -:out=None, b:keepdims=False", true, .call = ptp},
    {"var", VARIANCE, true, .call = var},
    {"std", VARIANCE, true, .call = std},
    {"nansum", SUM, true, .call = nansum},
    {"nanprod", SUM, true, .call = nanprod},
    {"nanmin", EXTREME, true, .call = nanmin},
    {"nanmax", EXTREME, true, .call = nanmax},
    {"nanmean", MEAN, true, .call = nanmean},
    {"nanvar", VARIANCE, true, .call = nanvar},
    {"nanstd", VARIANCE, true, .call = nanstd},
    {"nanargmin", POSITION, true, .call = nanargmin},
    {"nanargmax", POSITION, true, .call = nanargmax},
    {"median", MEDIAN, true, .call = median},
    {"nanmedian", MEDIAN, true, .call = nanmedian},
    {"norm", "x:x, f:ord=None, n:axis=None, b:keepdims=False", true, .call = norm},
    {"cumsum", RUNNING, true, .call = cumsum},
    {"cumprod", RUNNING, true, .call = cumprod},
    {"cummax", "x:a, i:axis=None", true, .call = cummax},
    {"cummin", "x:a, i:axis=None", true, .call = cummin},
    {"diff", "x:a, i:n=1, i:axis=-1, -:prepend=None, -:append=None", true, .call = diff},
    {"trapezoid", "x:y, a:x=None, f:dx=1.0, i:axis=-1", true, .call = trapezoid},
    {"squeeze", "x:a, n:axis=None", true, .call = squeeze},
    {"flip", "x:m, n:axis=None", true, .call = flip},
    {"expand_dims", "x:a, n:axis", true, .call = expand_dims},
    {"ravel", "x:a, -:order='C'", true, .call = ravel_of},
    {"flatten", "x:a, -:order='C'", true, .call = flatten_of},
    {"flipud", "x:m", true, .call = flipud_of},
    {"fliplr", "x:m", true, .call = fliplr_of},
    {"atleast_1d", "x:arys", true, .call = atleast_1d_of},
    {"atleast_2d", "x:arys", true, .call = atleast_2d_of},
    {"atleast_3d", "x:arys", true, .call = atleast_3d_of},
};

const tsr_text_function *tsr__text_statistic(int i)
{
  return i >= 0 && i < (int)(sizeof table / sizeof *table) ? &table[i] : NULL;
}
