/* The table of parsed slices has one entry per bucket. A new slice replaces the one in its bucket,
 * and a slice that was replaced is parsed again. An entry is compared with the text itself, since a
 * program may write new text to an old address, and copies of a call site may have different
 * texts. */
#include "array/views/slice_cache.h"
#include "runtime/base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { N_FORMS = 256 };

struct tsr_slices {
  tsr_slice_form forms[N_FORMS];
};

static size_t bucket_of(const tsr_location *where, const char *text)
{
  const uint64_t h = (uint64_t)(uintptr_t)where * 31 + (uint64_t)(uintptr_t)text;
  return (h * 0x9E3779B97F4A7C15u) >> 56;
}

_Static_assert(N_FORMS == 256, "a bucket is 8 bits of the hash");

void tsr__slice_forget(tsr_slice_memo *memo)
{
  tsr__view_ref_drop(memo->of);
  tsr__view_ref_drop(memo->made);
  *memo = (tsr_slice_memo){0};
}

tsr_slice_form *tsr__slice_form(struct tsr_slices *slices, const tsr_location *where,
                                const char *text, int n_ints)
{
  if (slices == NULL) return NULL;
  tsr_slice_form *f = &slices->forms[bucket_of(where, text)];
  if (f->where != where || f->n_ints != n_ints || f->n_items == 0) return NULL;
  return strcmp(f->text, text) == 0 ? f : NULL;
}

void tsr__slice_keep(struct tsr_slices **slices, const tsr_location *where, const char *text,
                     int n_ints, int64_t *const *positions, int n_items,
                     const tsr_slice_item *items)
{
  const size_t n = strlen(text);
  if (n >= TSR_FORM_TEXT || n_items > TSR_FORM_ITEMS || n_ints > TSR_FORM_INTS) return;
  int n_indices = 0;
  for (int i = 0; i < n_ints; i++)
    for (int k = 0; k < n_items; k++) {
      if (positions[i] == &items[k].step) return;
      n_indices += positions[i] == &items[k].start && items[k].kind == TSR_SLICE_INDEX;
    }
  if (*slices == NULL) *slices = tsr__calloc(1, sizeof **slices);
  tsr_slice_form *f = &(*slices)->forms[bucket_of(where, text)];
  tsr__slice_forget(&f->memo);
  f->where = where;
  memcpy(f->text, text, n + 1);
  f->n_items = n_items;
  f->n_ints = n_ints;
  f->only_indices = n_indices == n_ints;
  memcpy(f->items, items, (size_t)n_items * sizeof *items);
  for (int i = 0; i < n_ints; i++)
    f->positions[i] = (int64_t *)((char *)f->items + ((char *)positions[i] - (char *)items));
}

void tsr__slices_destroy(struct tsr_slices *slices)
{
  for (int i = 0; slices != NULL && i < N_FORMS; i++) tsr__slice_forget(&slices->forms[i].memo);
  free(slices);
}
