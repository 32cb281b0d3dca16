/* The key of a window: its program as 64-bit words, which remembered plans are found by.
 *
 * First come the ops (kinds, dtypes, views, regions numbered by first use, which operands are
 * scalars; never their values, so a changing coefficient finds its plan), then what the passes read
 * of each region (shape, liveness, layout, extent of memory, ghosts). Offsets of views count from a
 * base per region along every axis that is not cut, so that a moving slice finds its plan: all that
 * planning asks of such offsets (what meets, what covers what) does not change when they move
 * together. */
#ifndef TSR_KEY_H
#define TSR_KEY_H

#include "program/canonical.h"

/** All fields zero: an empty key. */
typedef struct tsr_key {
  int64_t *words; /* [n_words] owned */
  int32_t n_words, capacity;
  int32_t n_op_words;  /* of these, the first ones, which are of the ops */
  int32_t *view_words; /* [n_views] owned: the words of each view, in the order of the ops */
  int32_t n_views, cap_views;
  int32_t n_regions;
  int64_t (*bases)[TSR_MAX_NDIM]; /* [n_regions] where the views begin; not owned */
} tsr_key;

/** Write the key of the window, whose regions are numbered. wish: what else the caller wants to
 * tell apart. The bases live in `arena`. */
void tsr__key_write(tsr_key *key, const tsr_window *w, const tsr_names *names, int64_t wish,
                    tsr_arena *arena);

/** Is `key` the window's, with the same bases? Compares the window itself, without writing its key.
 * seen: [n_views + 1] views that need not be compared again, since they are known to have the words
 * that the key has in their place; or NULL. *n_new: how many views of the window are not these. */
bool tsr__key_matches(const tsr_key *key, const tsr_window *w, const tsr_names *names, int64_t wish,
                      tsr_view_ref *const *seen, int32_t *n_new);

/** A copy of the key in `arena`. */
tsr_key tsr__key_copy(const tsr_key *key, tsr_arena *arena);

/** Make a copy that of another key, which has as many words, views and regions. */
void tsr__key_replace(tsr_key *copy, const tsr_key *key);

/** Are the words the same? The bases may differ. */
bool tsr__key_equal(const tsr_key *a, const tsr_key *b);
uint64_t tsr__key_hash(const tsr_key *key);
/** Free what an original owns; a copy goes with its arena. */
void tsr__key_free(tsr_key *key);

#endif
