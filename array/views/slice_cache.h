/* Parsed slices by call site, and what slices made. */
#ifndef TSR_SLICE_CACHE_H
#define TSR_SLICE_CACHE_H

#include "array/views/slice_text.h"
#include "program/program.h"

enum { TSR_FORM_TEXT = 40, TSR_FORM_ITEMS = 4, TSR_FORM_INTS = 4 };

/** The view that a slice made last. With the same numbers, of an array with the same view, it makes
 * the same one again; with other indices one that begins elsewhere. Zero: of none yet. */
typedef struct tsr_slice_memo {
  tsr_view_ref *of, *made;    /* counted */
  int64_t at[TSR_FORM_ITEMS]; /* >= 0, of the items that are indices */
  int axis[TSR_FORM_ITEMS];   /* of `of` that the item is an index of; -1: it is none */
} tsr_slice_memo;
/** How the numbers of a slice differ from those that its memo was filled for. */
typedef enum tsr_slice_change {
  TSR_SLICE_SAME = 0,
  TSR_SLICE_MOVED = 1, /* other indices only */
  TSR_SLICE_OTHER = 3
} tsr_slice_change;
void tsr__slice_forget(tsr_slice_memo *memo);

/** A parsed slice, with the integers of its last call in their places. */
typedef struct tsr_slice_form {
  const tsr_location *where;
  char text[TSR_FORM_TEXT];
  int32_t n_items, n_ints;
  bool only_indices; /* each `$` is an index */
  tsr_slice_item items[TSR_FORM_ITEMS];
  int64_t *places[TSR_FORM_INTS]; /* of each `$`, in items */
  tsr_slice_memo memo;
} tsr_slice_form;

struct tsr_slices;

/** The form of `text` at a call site that gives n_ints integers; NULL if it is not kept.
 * Cost: ~10 ns. */
tsr_slice_form *tsr__slice_form(struct tsr_slices *slices, const tsr_location *where,
                                const char *text, int n_ints);
/** Keep what was parsed, in the place of another that has the same bucket, unless it is long or has
 * a `$` for a step, which only the parser checks. places: of each `$`, in items. */
void tsr__slice_keep(struct tsr_slices **slices, const tsr_location *where, const char *text,
                     int n_ints, int64_t *const *places, int n_items, const tsr_slice_item *items);
/** NULL is ignored. */
void tsr__slices_destroy(struct tsr_slices *slices);

#endif
