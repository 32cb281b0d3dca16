/* The form of a window: what planning asks of its numbers, but not the numbers.
 *
 * Where the extents of slices change from turn to turn, no window of a loop has the key of another
 * one, but planning asks little of a number: which extents are equal to each other, to 0 or to 1;
 * how the boxes that are read and written of a region lie to each other along each axis; and a few
 * thresholds of sizes. So a form has words, which two windows that are alike have in common, and
 * values on scales, one for all extents and one per axis of a region, whose order must be the same.
 * Alike windows have plans that differ in numbers only (plan/resize.h).
 *
 * Only windows of which all of this is known to be all that planning asks have a form: regions are
 * whole on each place, views are slices in steps of one, nothing is known of ghosts, and no
 * reduction may be a fold (plan/fold.h). */
#ifndef TSR_FORM_H
#define TSR_FORM_H

#include "program/canonical.h"

/** All fields zero: an empty form. */
typedef struct tsr_form {
  int64_t *words; /* [n_words] owned */
  int32_t n_words, cap_words;
  int64_t *values; /* [n_values] owned: extents, and where boxes begin and end */
  int32_t *scales; /* [n_values] owned: the scale of each value */
  int32_t n_values, cap_values;
  uint64_t hash;        /* of the words */
  uint64_t values_hash; /* of the values, and the words */
} tsr_form;

/** What is kept of a form: its words, and the order of its values. */
typedef struct tsr_known_form {
  uint64_t hash, values_hash;
  int64_t *words; /* [n_words] */
  int32_t n_words, n_values;
  struct tsr_form_step {
    int32_t value : 30;    /* number of the value */
    uint32_t is_first : 1; /* of its scale */
    uint32_t is_same : 1;  /* as the one before it */
  } * order;               /* [n_values] by scale, and then in order */
} tsr_known_form;

/** Write the form of the window, whose regions are numbered. wish: what else the caller wants to
 * tell apart. Returns false if the window has none. Cost: a pass over the operands. */
bool tsr__form_write(tsr_form *form, const tsr_window *w, const tsr_names *names, int64_t wish);
/** Free what a form owns. */
void tsr__form_free(tsr_form *form);

/** What to keep of the form, in `arena`. */
tsr_known_form tsr__form_keep(const tsr_form *form, tsr_arena *arena);
/** Is it the same form? Cost: a comparison per word and value. */
bool tsr__form_is(const tsr_known_form *known, const tsr_form *form);
/** Has the window this form? Writes nothing of the window's form but values and hashes; there is
 * space for as many values as were kept. */
bool tsr__form_matches(const tsr_known_form *known, const tsr_window *w, const tsr_names *names,
                       int64_t wish, tsr_form *form);

#endif
