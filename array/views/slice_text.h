/* Parses slices in Python's syntax: "1:-1, ::2, $, ..., newaxis, -3".
 *
 *   slice  = [item {"," item} [","]]         blanks may stand between tokens; at least one item
 *   item   = "..." | "newaxis" | "None" | number | [number] ":" [number] [":" [number]]
 *   number = ["+" | "-"] digits | "$"        `$`: the next integer argument
 *
 * The parser checks the text only; the function that applies the items to an array checks ranges
 * and axes. */
#ifndef TSR_SLICE_TEXT_H
#define TSR_SLICE_TEXT_H

#include "tessera/base.h"
#include "tessera/slice.h"

/** Parses `text`, giving each `$` the next of `ints`.
 *
 *  positions    [out] borrowed, may be NULL, space for n_ints: where in `items` each `$` went.
 *  items     [out] borrowed, space for TSR_SLICE_MAX_ITEMS; n_items of them are written.
 *  error_at  [out] on failure: the byte of `text` that is wrong (may be its terminating 0).
 *  why       [out] on failure: the reason in one line, at most why_size bytes; may be NULL.
 * Returns TSR_ERR_SYNTAX if the text does not parse, has two "...", a step of 0, too many items or
 * a number over 64 bits; TSR_ERR_ARGUMENT if the number of `$` differs from n_ints. On failure
 * only error_at and why are defined. Allocates nothing. */
tsr_status tsr__slice_parse(const char *text, int n_ints, const int64_t *ints, int64_t **positions,
                            tsr_slice_item *items, int *n_items, size_t *error_at, char *why,
                            size_t why_size);

/** Writes the items as text ("1:-1, ::2") into buf, for messages and dumps. Returns buf. */
char *tsr__slice_text(int n_items, const tsr_slice_item *items, char *buf, size_t size);

#endif
