/* One item of a slice, as data: what the text "1:-1, ::2, $, ..., newaxis" is parsed into, and what
 * tsr_slice_items takes. */
#ifndef TESSERA_SLICE_H
#define TESSERA_SLICE_H

#include "tessera/base.h"

/** The most items of one slice: every axis, and new axes up to the same number, with room. */
#define TSR_SLICE_MAX_ITEMS 32

enum { TSR_SLICE_RANGE, TSR_SLICE_INDEX, TSR_SLICE_NEWAXIS, TSR_SLICE_ELLIPSIS };

/** `start:stop:step`, an integer index, a new axis or `...`. */
typedef struct tsr_slice_item {
  int kind; /* TSR_SLICE_RANGE, _INDEX (its number is `start`), _NEWAXIS, _ELLIPSIS */
  bool has_start, has_stop, has_step;
  int64_t start, stop, step; /* 0 where absent; a step that is present is not 0 */
} tsr_slice_item;

#endif
