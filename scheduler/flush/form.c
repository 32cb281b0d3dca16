/* What a form has of each thing of a window (walk.h): what some pass of
 * scheduler/plan, or the selection before them, asks of it:
 *
 *   equal views, equal shapes     matrices are words, extents and where boxes begin are values
 *   boxes that meet or cover      where they begin and end, on one scale per axis of a region
 *   what is written whole or may be renamed, what is small enough to be replicated or large enough
 *   to be tiled over time       bits of words
 *   a view that is the identity, displacements of temporaries    offsets are words where a region
 *                                                                is made in the window
 *
 * A box of one point along an axis by an integer index has only its begin on the scale, since it
 * meets what the point does; its end, too, in a region that the window makes, which such boxes
 * together may cover. */
#include "scheduler/flush/form.h"
#include "runtime/base/table.h"
#include "scheduler/flush/walk.h"
#include "scheduler/memory/storage.h"
#include "scheduler/plan/fold.h"
#include "scheduler/plan/planes.h"

#include <stdlib.h>
#include <string.h>

enum {
  EXTENTS = 0,     /* the scale of extents; those of a region's axes follow */
  WHOLE = 15,      /* in place of a number of axes: the region as it is */
  WORDS_OF_OP = 2, /* without operands */
  WORDS_OF_VIEW = 2 + 2 * TSR_MAX_NDIM,
  VALUES_OF_VIEW = 5 * TSR_MAX_NDIM
};

/** How a row of a view moves, as bits of a word. */
enum {
  ROW_BITS = 6,
  ROW_STILL = 0,
  ROW_UP = 1,
  ROW_DOWN = 2,
  ROW_FAR = 3 /* a word has the step */
};

/** A form while its words are written, or compared with those of another one. Its values are
 * written by both. */
typedef struct walker {
  tsr_form *form;
  int64_t *word, *value; /* the next ones */
  int32_t *scale;        /* of the next value, where words are written */
  const tsr_world *world;
} walker;

/* Makes space for so many words and values behind those that are there. */
static void reserve_words(walker *x, int32_t words, int32_t values)
{
  tsr_form *f = x->form;
  f->n_words = (int32_t)(x->word - f->words);
  f->n_values = (int32_t)(x->value - f->values);
  f->words = tsr__grow(f->words, &f->cap_words, f->n_words + words, sizeof *f->words);
  x->word = f->words + f->n_words;
  if (f->n_values + values > f->cap_values) {
    int32_t capacity = f->cap_values;
    f->values = tsr__grow(f->values, &capacity, f->n_values + values, sizeof *f->values);
    f->scales = tsr__grow(f->scales, &f->cap_values, f->n_values + values, sizeof *f->scales);
    x->value = f->values + f->n_values;
    x->scale = f->scales + f->n_values;
  }
}

TSR_INLINED bool word(walker *x, const bool match, int64_t w)
{
  return tsr__word(&x->word, match, w);
}

TSR_INLINED void put(walker *x, const bool match, int32_t scale, int64_t value)
{
  *x->value++ = value;
  if (!match) *x->scale++ = scale;
}

/* The scale of what lies along an axis of a region. */
static inline int32_t scale_of(const tsr_region *r, int axis)
{
  return EXTENTS + 1 + r->local * TSR_MAX_NDIM + axis;
}

static bool has_shape_of(const tsr_view *v, const tsr_region *r)
{
  bool same = v->ndim == r->ndim;
  for (int k = 0; same && k < v->ndim; k++) same = v->shape[k] == r->shape[k];
  return same;
}

/* Is it the view of all of a region that the window makes? */
static inline bool is_whole_view(const tsr_region *r, const tsr_view_ref *ref)
{
  return r->storage == NULL && ref->is_identity && has_shape_of(&ref->view, r);
}

/* The axis that moves row k of the view; -1: none does, -2: several do. */
static inline int column_of(const tsr_view *v, int k)
{
  int column = -1;
  for (int j = 0; j < v->ndim; j++)
    if (v->step[k][j] != 0) column = column < 0 ? j : -2;
  return column;
}

/* A row of a view: where it begins and ends goes on a scale, how it moves into *rows. `moved` has
 * the axes that earlier rows move with. False: it is no slice in steps of one. */
TSR_INLINED bool walk_row(walker *x, const bool match, const tsr_region *r, const tsr_view *v,
                          int k, int64_t *rows, uint32_t *moved)
{
  const int32_t scale = scale_of(r, k);
  const int64_t begin = v->offset[k];
  const int j = column_of(v, k);
  if (r->storage == NULL) { /* made in the window */
    if (!word(x, match, begin)) return false;
    put(x, match, scale, 0);
    put(x, match, scale, r->shape[k]);
  }
  if (j < 0) {
    put(x, match, scale, begin);
    /* whether points cover a region is asked of those that are made in the window only */
    if (r->storage == NULL) put(x, match, scale, begin + 1);
    return j == -1;
  }
  const int64_t n = v->shape[j], step = v->step[k][j];
  const bool is_far = step > 1 || step < -1;
  if ((*moved >> j & 1) || (n > 1 && is_far)) return false;
  *moved |= 1u << j;
  const int how = is_far ? ROW_FAR : step > 0 ? ROW_UP : ROW_DOWN;
  *rows |= (int64_t)(j << 2 | how) << (ROW_BITS * k);
  if (is_far && !word(x, match, step)) return false;
  const int64_t low = step < 0 && n > 1 ? begin - (n - 1) : begin;
  put(x, match, scale, low);
  put(x, match, scale, low + n);
  return true;
}

/* A region through a view; false: the view is no slice in steps of one, or words differ. */
TSR_INLINED bool walk_ref(walker *x, const bool match, const tsr_region *r, const tsr_view_ref *ref)
{
  const tsr_view *v = &ref->view;
  if (is_whole_view(r, ref)) return word(x, match, r->local | (int64_t)WHOLE << 32);
  if (v->reaches || v->bounded ||
      !word(x, match, r->local | (int64_t)v->ndim << 32 | (int64_t)v->rdim << 36))
    return false;
  for (int j = 0; j < v->ndim; j++) put(x, match, EXTENTS, v->shape[j]);
  int64_t rows = 0;
  uint32_t moved = 0;
  for (int k = 0; k < v->rdim; k++)
    if (!walk_row(x, match, r, v, k, &rows, &moved)) return false;
  return word(x, match, rows);
}

/* How large what the op writes is: beside the arrays that every place has whole, and as all of its
 * region, or nearly. */
static int64_t sizes_of(const walker *x, const tsr_op *op)
{
  const tsr_view *out = &op->out_view->view;
  const tsr_view *domain = op->kind == TSR_OPKIND_REDUCE ? &op->in[0].view->view : out;
  const bool is_small = tsr__view_size(domain) <= x->world->config.replicate_max;
  if (is_whole_view(op->out, op->out_view)) return is_small | 2 | 4;
  const int64_t all = op->out->n_elems;
  int64_t box = 1;
  for (int k = 0; k < out->rdim; k++) {
    const int j = column_of(out, k);
    box *= j >= 0 ? out->shape[j] : 1;
  }
  return is_small | (tsr__view_size(out) == all) << 1 | (box >= all - all / 4) << 2;
}

/* May the op be a fold, whose plan depends on how many elements there are? */
static bool may_be_fold(const walker *x, const tsr_op *op)
{
  return op->kind == TSR_OPKIND_REDUCE && op->in[0].region != NULL &&
         tsr__few_elems(&x->world->config, (tsr_reduction)op->code, &op->in[0].view->view,
                        op->axes_mask, op->out->n_elems) > 0;
}

TSR_INLINED bool walk_op(walker *x, const bool match, const tsr_op *op, int64_t head)
{
  if (!match)
    reserve_words(x, WORDS_OF_OP + (op->n_in + 1) * WORDS_OF_VIEW, (op->n_in + 1) * VALUES_OF_VIEW);
  if (op->call != NULL || op->follows > 0 || op->kind == TSR_OPKIND_HALO ||
      (op->kind == TSR_OPKIND_COPY && op->n_in > 1) || may_be_fold(x, op))
    return false;
  return word(x, match, head) && word(x, match, (int64_t)op->axes_mask << 32 | sizes_of(x, op)) &&
         walk_ref(x, match, op->out, op->out_view);
}

static bool may_have_steps(const tsr_world *world, const tsr_region *r)
{
  const double bytes = (double)r->n_elems * (double)tsr__dtype_size((tsr_dtype)r->dtype);
  return tsr__may_have_steps(world, 1, bytes);
}

TSR_INLINED bool walk_region(walker *x, const bool match, const tsr_region *r)
{
  const tsr_storage *storage = r->storage;
  const bool is_replicated = storage != NULL && storage->layout->replicated;
  if (!match) reserve_words(x, 1, TSR_MAX_NDIM);
  if (storage != NULL &&
      ((!is_replicated && tsr__world_n_places(x->world) > 1) || storage->ghosts.n > 0))
    return false; /* The region is not whole on each place. */
  const bool has_steps = may_have_steps(x->world, r);
  const uint32_t borders = has_steps ? tsr__axes_of_borders(r->ndim, r->shape) : 0;
  const int64_t state = r->dtype | r->ndim << 8 | (r->n_handles > 0) << 16 |
                        (r->n_stored > 0) << 17 | r->was_assigned << 18 | r->replicate << 19 |
                        r->poisoned << 20 | (storage != NULL) << 21 | is_replicated << 22 |
                        (r->n_elems <= x->world->config.replicate_max) << 23 |
                        (int64_t)has_steps << 24 | (int64_t)borders << 32;
  for (int k = 0; storage == NULL && k < r->ndim; k++) put(x, match, EXTENTS, r->shape[k]);
  return word(x, match, state);
}

TSR_INLINED bool encode_word(void *x, const bool match, int64_t w)
{
  return word(x, match, w);
}

TSR_INLINED bool encode_op(void *x, const bool match, const tsr_op *op, int64_t head)
{
  return walk_op(x, match, op, head);
}

TSR_INLINED bool encode_in(void *x, const bool match, const tsr_op_in *in)
{
  return walk_ref(x, match, in->region, in->view);
}

TSR_INLINED bool encode_region(void *x, const bool match, const tsr_region *r)
{
  return walk_region(x, match, r);
}

static const tsr_encoding encoding = {
    .word = encode_word, .op = encode_op, .in = encode_in, .region = encode_region};

TSR_INLINED bool walk(walker *x, const bool match, const tsr_window *w, const tsr_names *names,
                      int64_t wish)
{
  if (w->world->n_places > 1 || !tsr__world_is_host(w->world)) return false;
  if (!match) reserve_words(x, 3, 2);
  put(x, match, EXTENTS, 0);
  put(x, match, EXTENTS, 1);
  return tsr__walk(&encoding, x, match, w, names, wish);
}

/* Are the form's values in the order of those that were kept? */
static bool has_order(const tsr_form *form, const tsr_known_form *known)
{
  int64_t before = 0;
  if (form->n_values != known->n_values) return false;
  for (int32_t i = 0; i < known->n_values; i++) {
    const struct tsr_form_step *step = &known->order[i];
    const int64_t value = form->values[step->value];
    if (!step->is_first && (step->is_same ? value != before : value <= before)) return false;
    before = value;
  }
  return true;
}

static uint64_t hash_of_words(uint64_t seed, const int64_t *v, int32_t n)
{
  /* The chains are independent, since the latency of the multiplication is what hashing costs. */
  uint64_t h[4] = {seed, 1, 2, 3};
  int32_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (int j = 0; j < 4; j++)
      h[j] = (h[j] ^ (uint64_t)v[i + j]) * UINT64_C(0x9E3779B97F4A7C15) + (h[j] >> 31);
  for (; i < n; i++) h[0] = tsr__hash_word(h[0], (uint64_t)v[i]);
  return tsr__hash_word(tsr__hash_word(h[0], h[1]), tsr__hash_word(h[2], h[3]));
}

bool tsr__form_write(tsr_form *form, const tsr_window *w, const tsr_names *names, int64_t wish)
{
  walker x = {.form = form,
              .word = form->words,
              .value = form->values,
              .scale = form->scales,
              .world = w->world};
  if (!walk(&x, false, w, names, wish)) return false;
  reserve_words(&x, 0, 0);
  TSR_ASSERT(form->n_words <= form->cap_words && form->n_values <= form->cap_values);
  form->hash = hash_of_words((uint64_t)form->n_words, form->words, form->n_words);
  form->values_hash = hash_of_words(form->hash, form->values, form->n_values);
  return true;
}

bool tsr__form_matches(const tsr_known_form *known, const tsr_window *w, const tsr_names *names,
                       int64_t wish, tsr_form *form)
{
  walker x = {.form = form, .word = known->words, .world = w->world};
  form->n_values = 0;
  x.value = form->values;
  x.form = &(tsr_form){.n_words = 0};
  TSR_ASSERT(form->cap_values >= known->n_values);
  if (!walk(&x, true, w, names, wish)) return false;
  TSR_ASSERT(x.word == known->words + known->n_words);
  form->n_values = (int32_t)(x.value - form->values);
  form->hash = known->hash;
  form->values_hash = hash_of_words(form->hash, form->values, form->n_values);
  return has_order(form, known);
}

void tsr__form_free(tsr_form *form)
{
  free(form->words);
  free(form->values);
  free(form->scales);
  *form = (tsr_form){.n_words = 0};
}

/* A mark on a scale, and the values that lie on it, in the order of their numbers. */
typedef struct mark {
  int64_t value;
  int32_t scale, first, last;
} mark;

static int compare_marks(const void *a, const void *b)
{
  const mark *x = *(mark *const *)a, *y = *(mark *const *)b;
  if (x->scale != y->scale) return x->scale < y->scale ? -1 : 1;
  return x->value < y->value ? -1 : x->value > y->value;
}

/* Values in their order. Most of a long window lie on few marks, so only these are sorted. */
static void sort_values(const tsr_form *form, struct tsr_form_step *order)
{
  const size_t n = (size_t)form->n_values;
  mark *all = tsr__malloc((n + 1) * sizeof *all), **sorted = tsr__malloc((n + 1) * sizeof *sorted);
  int32_t *next = tsr__malloc((n + 1) * sizeof *next);
  tsr_table table = {0};
  size_t n_marks = 0;
  for (int32_t i = 0; i < form->n_values; i++) {
    const int64_t value = form->values[i];
    const int32_t scale = form->scales[i];
    const uint64_t hash = tsr__hash_word((uint64_t)value, (uint64_t)scale);
    uint32_t at = 0;
    mark *p;
    while ((p = tsr__table_next(&table, hash, &at)) != NULL)
      if (p->value == value && p->scale == scale) break;
    next[i] = -1;
    if (p != NULL) {
      next[p->last] = i;
      p->last = i;
      continue;
    }
    p = sorted[n_marks] = &all[n_marks];
    n_marks++;
    *p = (mark){value, scale, i, i};
    tsr__table_add(&table, hash, p);
  }
  qsort(sorted, n_marks, sizeof *sorted, compare_marks);
  int32_t k = 0;
  for (size_t p = 0; p < n_marks; p++)
    for (int32_t i = sorted[p]->first; i >= 0; i = next[i])
      order[k++] = (struct tsr_form_step){
          .value = i,
          .is_first = i == sorted[p]->first && (p == 0 || sorted[p - 1]->scale != sorted[p]->scale),
          .is_same = i != sorted[p]->first};
  TSR_ASSERT(k == form->n_values);
  tsr__table_free(&table);
  free(next);
  free(sorted);
  free(all);
}

tsr_known_form tsr__form_keep(const tsr_form *form, tsr_arena *arena)
{
  const int32_t n = form->n_values;
  const size_t bytes = (size_t)form->n_words * sizeof *form->words;
  tsr_known_form known = {.hash = form->hash,
                          .values_hash = form->values_hash,
                          .words = memcpy(tsr__arena_alloc(arena, bytes + 1), form->words, bytes),
                          .n_words = form->n_words,
                          .order = tsr__arena_calloc(arena, (size_t)n + 1, sizeof *known.order),
                          .n_values = n};
  sort_values(form, known.order);
  return known;
}

/* Most forms of one hash have the same words and other orders, which differ early. */
bool tsr__form_is(const tsr_known_form *known, const tsr_form *form)
{
  return known->hash == form->hash && known->n_words == form->n_words && has_order(form, known) &&
         memcmp(known->words, form->words, (size_t)form->n_words * sizeof *form->words) == 0;
}
