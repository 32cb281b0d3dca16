/* Written by tools/api.py --write from tools/api.table; a test compares. The options of each function that has some. */
#ifndef TSR_TAKES_H
#define TSR_TAKES_H

#include "array/core/options.h"

enum {
  tsr__takes_from_host = TSR_TAKES_ON | TSR_TAKES_STRIDES | TSR_TAKES_COLUMN_MAJOR,
  tsr__takes_from_tiles = TSR_TAKES_LENT,
  tsr__takes_to_host = TSR_TAKES_ON | TSR_TAKES_STRIDES | TSR_TAKES_COLUMN_MAJOR,
  tsr__takes_sum = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS | TSR_TAKES_WHERE | TSR_TAKES_INITIAL,
  tsr__takes_prod = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS | TSR_TAKES_WHERE | TSR_TAKES_INITIAL,
  tsr__takes_min = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS | TSR_TAKES_WHERE | TSR_TAKES_INITIAL,
  tsr__takes_max = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS | TSR_TAKES_WHERE | TSR_TAKES_INITIAL,
  tsr__takes_mean = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS | TSR_TAKES_WHERE,
  tsr__takes_any = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS | TSR_TAKES_WHERE,
  tsr__takes_all = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS | TSR_TAKES_WHERE,
  tsr__takes_argmin = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS,
  tsr__takes_argmax = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS,
  tsr__takes_count_nonzero = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS,
  tsr__takes_ptp = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS,
  tsr__takes_var = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS | TSR_TAKES_DDOF | TSR_TAKES_WHERE,
  tsr__takes_std = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS | TSR_TAKES_DDOF | TSR_TAKES_WHERE,
  tsr__takes_nansum = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS | TSR_TAKES_WHERE | TSR_TAKES_INITIAL,
  tsr__takes_nanprod = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS | TSR_TAKES_WHERE | TSR_TAKES_INITIAL,
  tsr__takes_nanmin = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS | TSR_TAKES_WHERE | TSR_TAKES_INITIAL,
  tsr__takes_nanmax = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS | TSR_TAKES_WHERE | TSR_TAKES_INITIAL,
  tsr__takes_nanmean = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS | TSR_TAKES_WHERE,
  tsr__takes_nanvar = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS | TSR_TAKES_DDOF | TSR_TAKES_WHERE,
  tsr__takes_nanstd = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS | TSR_TAKES_DDOF | TSR_TAKES_WHERE,
  tsr__takes_nanargmin = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS,
  tsr__takes_nanargmax = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS,
  tsr__takes_norm = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS | TSR_TAKES_ORD,
  tsr__takes_average = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS,
  tsr__takes_median = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS,
  tsr__takes_quantile = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS | TSR_TAKES_METHOD,
  tsr__takes_percentile = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS | TSR_TAKES_METHOD,
  tsr__takes_nanmedian = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS,
  tsr__takes_nanquantile = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS | TSR_TAKES_METHOD,
  tsr__takes_nanpercentile = TSR_TAKES_AXES | TSR_TAKES_KEEPDIMS | TSR_TAKES_METHOD,
};

#endif
