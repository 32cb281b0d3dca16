/* The table of statistics for the text language. */
#include "array/text_statistics.h"

#include <string.h>

#include "array/array_int.h"

/* A scan's axis from a reduction's options. */
static bool axis_of(const tsr_location *where, int n, const tsr_axes *options, int *axis)
{
  *axis = TSR_ONLY_AXIS;
  for (int i = 0; i < n; i++) {
    if (options[i].keepdims || options[i].n > 1) {
      tsr__fail(tsr__context(where), where, TSR_ERR_AXIS, "a scan takes one axis, and keeps it");
      return false;
    }
    if (options[i].n == 1) *axis = options[i].axis[0];
  }
  return true;
}

#define SCAN(name)                                                                                 \
  static tsr_array name(const tsr_location *where, tsr_operand x, int n, const tsr_axes *options)  \
  {                                                                                                \
    int axis;                                                                                      \
    return axis_of(where, n, options, &axis) ? tsr_##name##_at(where, x, axis) : tsr_null();       \
  }
SCAN(cumsum)
SCAN(cumprod)
SCAN(cummax)
SCAN(cummin)

/* Views and other functions of one array that keep no axis that they take away: axes alone. */
static bool axes_alone(const tsr_location *where, int n, const tsr_axes *options, tsr_axes *axes)
{
  *axes = (tsr_axes){.n = -1};
  for (int i = 0; i < n; i++) {
    if (options[i].keepdims) {
      tsr__fail(tsr__context(where), where, TSR_ERR_ARGUMENT, "there are no axes to keep");
      return false;
    }
    if (options[i].n >= 0) *axes = options[i];
  }
  return true;
}

/* A scalar is an array without axes. */
static tsr_array array_of(const tsr_location *where, tsr_operand x)
{
  return x.kind == TSR_OPERAND_ARRAY ? x.as.array : tsr_copy_at(where, x);
}

#define OF_AXES(name, call)                                                                        \
  static tsr_array name(const tsr_location *where, tsr_operand x, int n, const tsr_axes *options)  \
  {                                                                                                \
    tsr_axes axes;                                                                                 \
    return axes_alone(where, n, options, &axes) ? call(where, array_of(where, x), axes)            \
                                                : tsr_null();                                      \
  }
OF_AXES(squeeze, tsr_squeeze_at)
OF_AXES(flip, tsr_flip_at)
OF_AXES(expand_dims, tsr_expand_dims_axes_at)

#define ALONG(name, ...)                                                                           \
  static tsr_array name(const tsr_location *where, tsr_operand x, int n, const tsr_axes *options)  \
  {                                                                                                \
    int axis;                                                                                      \
    if (!axis_of(where, n, options, &axis)) return tsr_null();                                     \
    return tsr_##name##_at(where, x, __VA_ARGS__, axis == TSR_ONLY_AXIS ? -1 : axis);              \
  }
ALONG(diff, 1)
ALONG(trapezoid, tsr_box_int(1))

#define WHOLE(name, ...)                                                                           \
  static tsr_array name##_of(const tsr_location *where, tsr_operand x, int n,                      \
                             const tsr_axes *options)                                              \
  {                                                                                                \
    tsr_axes axes;                                                                                 \
    if (!axes_alone(where, n, options, &axes)) return tsr_null();                                  \
    if (axes.n < 0) return tsr_##name##_at(where, __VA_ARGS__);                                    \
    tsr__fail(tsr__context(where), where, TSR_ERR_ARGUMENT, #name " takes no axes");               \
    return tsr_null();                                                                             \
  }
WHOLE(ravel, array_of(where, x))
WHOLE(flatten, array_of(where, x))
WHOLE(flipud, array_of(where, x))
WHOLE(fliplr, array_of(where, x))
WHOLE(atleast_1d, x)
WHOLE(atleast_2d, x)
WHOLE(atleast_3d, x)

static const tsr_text_statistic table[] = {
    {"count_nonzero", tsr_count_nonzero_at, false},
    {"ptp", tsr_ptp_at, false},
    {"var", tsr_var_at, true},
    {"std", tsr_std_at, true},
    {"nansum", tsr_nansum_at, false},
    {"nanprod", tsr_nanprod_at, false},
    {"nanmin", tsr_nanmin_at, false},
    {"nanmax", tsr_nanmax_at, false},
    {"nanmean", tsr_nanmean_at, false},
    {"nanvar", tsr_nanvar_at, true},
    {"nanstd", tsr_nanstd_at, true},
    {"nanargmin", tsr_nanargmin_at, false},
    {"nanargmax", tsr_nanargmax_at, false},
    {"norm", tsr_norm_at, false},
    {"median", tsr_median_at, false},
    {"nanmedian", tsr_nanmedian_at, false},
    {"cumsum", cumsum, false},
    {"cumprod", cumprod, false},
    {"cummax", cummax, false},
    {"cummin", cummin, false},
    {"diff", diff, false},
    {"trapezoid", trapezoid, false},
    {"squeeze", squeeze, false},
    {"flip", flip, false},
    {"expand_dims", expand_dims, false},
    {"ravel", ravel_of, false},
    {"flatten", flatten_of, false},
    {"flipud", flipud_of, false},
    {"fliplr", fliplr_of, false},
    {"atleast_1d", atleast_1d_of, false},
    {"atleast_2d", atleast_2d_of, false},
    {"atleast_3d", atleast_3d_of, false},
};

const tsr_text_statistic *tsr__text_statistic(int i)
{
  return i >= 0 && i < (int)(sizeof table / sizeof *table) ? &table[i] : NULL;
}

int tsr__text_statistic_named(const char *name)
{
  for (int i = 0; tsr__text_statistic(i); i++)
    if (strcmp(table[i].name, name) == 0) return i;
  return -1;
}
