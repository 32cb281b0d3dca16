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
