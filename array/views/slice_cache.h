/* The cache of parsed slices by call site, and of the views that they last made. */
#ifndef TSR_SLICE_CACHE_H
#define TSR_SLICE_CACHE_H

#include "array/views/slice_text.h"
#include "program/program.h"

enum { TSR_FORM_TEXT = 40, TSR_FORM_ITEMS = 4, TSR_FORM_INTS = 4 };

/** The view that a slice made last. The same numbers applied to an array with the same view make
 * that view again; other indices make one with another offset, and other ends of ranges one with
 * other lengths. All zero: no view yet. */
typedef struct tsr_slice_memo {
  tsr_view_ref *of, *made;    /* counted; NULL: none */
  int64_t at[TSR_FORM_ITEMS]; /* of items that are indices or ranges: where they begin, from 0 */
  /* axes of `of` and of `made` that such an item is about; -1: of neither, and an index of none of
   * `made` */
  int axis[TSR_FORM_ITEMS], made_axis[TSR_FORM_ITEMS];
  bool any_step; /* some range has a step, which a move leaves alone */
} tsr_slice_memo;
/** How the numbers of a slice differ from those for which its memo was filled. */
typedef enum tsr_slice_change {
  TSR_SLICE_SAME = 0,
  TSR_SLICE_MOVED = 1, /* only indices differ */
  TSR_SLICE_OTHER = 3
} tsr_slice_change;
void tsr__slice_forget(tsr_slice_memo *memo);

/** A parsed slice. The items hold the integers of its last call. */
typedef struct tsr_slice_form {
  const tsr_location *where;
  char text[TSR_FORM_TEXT];
  int32_t n_items, n_ints;
  bool only_indices; /* every `$` is an index */
  tsr_slice_item items[TSR_FORM_ITEMS];
  int64_t *positions[TSR_FORM_INTS]; /* where in `items` each `$` is */
  tsr_slice_memo memo;
} tsr_slice_form;

struct tsr_slices;

/** Returns the form of `text` at a call site with n_ints integers, or NULL if it is not cached. */
tsr_slice_form *tsr__slice_form(struct tsr_slices *slices, const tsr_location *where,
                                const char *text, int n_ints);
/** Caches a parsed slice, in place of the one in its bucket. Long slices are not cached, nor those
 * with a `$` for a step, which only the parser checks. positions: where in `items` each `$` is. */
void tsr__slice_keep(struct tsr_slices **slices, const tsr_location *where, const char *text,
                     int n_ints, int64_t *const *positions, int n_items,
                     const tsr_slice_item *items);

#endif
