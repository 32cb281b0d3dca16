/* One walk over a window writes its form. What it writes of each thing is what some pass of
 * scheduler/plan, or the selection before them, asks of it:
 *
 *   equal views, equal shapes     matrices are words, extents and where boxes begin are values
 *   boxes that meet or cover      where they begin and end, on one scale per axis of a region
 *   what is written whole or may be renamed, what is small enough to be replicated    bits of words
 *   a view that is the identity, displacements of temporaries    offsets are words where a region
 *                                                                is made in the window
 *
 * A box of one point along an axis by an integer index has only its begin on the scale: it meets
 * and covers what the point does. */
#include "scheduler/form.h"
#include "runtime/base/table.h"
#include "scheduler/memory/storage.h"

#include <stdlib.h>

enum {
  EXTENTS = 0, /* the scale of extents; those of a region's axes follow */
  WHOLE = -1,  /* a view that is the region as it is */
  WORDS_OF_OP = 4 + TSR_MAX_NDIM,
  WORDS_OF_VIEW = 2 + 2 * TSR_MAX_NDIM,
  VALUES_OF_VIEW = 3 * TSR_MAX_NDIM
};

typedef struct writer {
  tsr_form *form;
  int64_t *word, *value; /* the next ones */
  int32_t *scale;        /* of the next value */
  const tsr_world *world;
} writer;

/* Makes room for so many words and values behind those that are there. */
static void reserve(writer *x, int32_t words, int32_t values)
{
  tsr_form *f = x->form;
  f->n_words = (int32_t)(x->word - f->words);
  f->n_values = (int32_t)(x->value - f->values);
  if (f->n_words + words > f->cap_words) {
    f->cap_words = 2 * (f->n_words + words);
    f->words = tsr__realloc(f->words, (size_t)f->cap_words * sizeof *f->words);
    x->word = f->words + f->n_words;
  }
  if (f->n_values + values > f->cap_values) {
    f->cap_values = 2 * (f->n_values + values);
    f->values = tsr__realloc(f->values, (size_t)f->cap_values * sizeof *f->values);
    f->scales = tsr__realloc(f->scales, (size_t)f->cap_values * sizeof *f->scales);
    x->value = f->values + f->n_values;
    x->scale = f->scales + f->n_values;
  }
}

static inline void put(writer *x, int32_t scale, int64_t value)
{
  *x->value++ = value;
  *x->scale++ = scale;
}

/* The scale of what lies along an axis of a region. */
static inline int32_t scale_of(const tsr_region *r, int axis)
{
  return EXTENTS + 1 + r->local * TSR_MAX_NDIM + axis;
}

/* Is the region whole on each place that has it? */
static bool is_whole(const tsr_world *w, const tsr_layout *layout)
{
  return layout->replicated || tsr__world_n_places(w) == 1;
}

static bool has_shape_of(const tsr_view *v, const tsr_region *r)
{
  bool same = v->ndim == r->ndim;
  for (int k = 0; same && k < v->ndim; k++) same = v->shape[k] == r->shape[k];
  return same;
}

/* The axis that moves row k of the view; -1: none does, -2: several do. */
static int column_of(const tsr_view *v, int k)
{
  int column = -1;
  for (int j = 0; j < v->ndim; j++)
    if (v->step[k][j] != 0) column = column < 0 ? j : -2;
  return column;
}

/* A region through a view; false: the view is no slice in steps of one. */
static bool add_ref(writer *x, const tsr_region *r, const tsr_view_ref *ref)
{
  const tsr_view *v = &ref->view;
  const bool is_made = r->storage == NULL;
  *x->word++ = r->local;
  if (is_made && ref->is_identity && has_shape_of(v, r)) {
    *x->word++ = WHOLE;
    return true;
  }
  if (v->reaches || v->bounded) return false;
  *x->word++ = v->ndim | v->rdim << 8;
  for (int j = 0; j < v->ndim; j++) put(x, EXTENTS, v->shape[j]);
  uint32_t moved = 0;
  for (int k = 0; k < v->rdim; k++) {
    const int32_t scale = scale_of(r, k);
    const int64_t begin = v->offset[k];
    const int j = column_of(v, k);
    if (is_made) *x->word++ = begin;
    *x->word++ = j;
    if (j == -1) {
      put(x, scale, begin);
      continue;
    }
    const int64_t n = v->shape[j], step = v->step[k][j];
    if (j < 0 || (moved >> j & 1) || (n > 1 && step != 1 && step != -1)) return false;
    moved |= 1u << j;
    *x->word++ = step;
    const int64_t low = step < 0 && n > 1 ? begin - (n - 1) : begin;
    put(x, scale, low);
    put(x, scale, low + n);
  }
  return true;
}

/* How large what the op writes is: as all of its region, nearly, and beside the arrays that every
 * place has whole. */
static int64_t sizes_of(const writer *x, const tsr_op *op)
{
  const tsr_view *out = &op->out_view->view;
  const tsr_view *domain = op->kind == TSR_OPKIND_REDUCE ? &op->in[0].view->view : out;
  const int64_t all = op->out->n_elems;
  int64_t box = 1;
  for (int k = 0; k < out->rdim; k++) {
    const int j = column_of(out, k);
    box *= j >= 0 ? out->shape[j] : 1;
  }
  return (tsr__view_size(domain) <= x->world->config.replicate_max) |
         (tsr__view_size(out) == all) << 1 | (box >= all - all / 4) << 2;
}

static bool add_op(writer *x, const tsr_op *op)
{
  reserve(x, WORDS_OF_OP + (op->n_in + 1) * WORDS_OF_VIEW, (op->n_in + 1) * VALUES_OF_VIEW);
  if (op->call != NULL || op->follows > 0 || op->kind == TSR_OPKIND_HALO ||
      (op->kind == TSR_OPKIND_COPY && op->n_in > 1))
    return false;
  *x->word++ = op->kind | op->n_in << 8 | op->compute << 16 | op->result << 24 |
               (int64_t)op->code << 32 | (int64_t)op->keepdims << 48 | (int64_t)op->creates << 49 |
               (int64_t)op->ran << 50 | (int64_t)op->side << 59;
  *x->word++ = (int64_t)op->axes_mask << 32 | sizes_of(x, op);
  if (!add_ref(x, op->out, op->out_view)) return false;
  for (int i = 0; i < op->n_in; i++) {
    const tsr_op_in *in = &op->in[i];
    if (in->region == NULL)
      *x->word++ = -1 - (int64_t)in->scalar.dtype;
    else if (!add_ref(x, in->region, in->view))
      return false;
  }
  return true;
}

static bool add_region(writer *x, const tsr_region *r)
{
  const tsr_storage *storage = r->storage;
  reserve(x, 1, 3 * TSR_MAX_NDIM);
  if (storage != NULL && (!is_whole(x->world, storage->layout) || storage->ghosts.n > 0))
    return false;
  *x->word++ = r->dtype | r->ndim << 8 | (r->n_handles > 0) << 16 | (r->n_stored > 0) << 17 |
               r->was_assigned << 18 | r->replicate << 19 | r->poisoned << 20 |
               (storage != NULL) << 21 | (storage != NULL && storage->layout->replicated) << 22 |
               (r->n_elems <= x->world->config.replicate_max) << 23;
  for (int k = 0; storage == NULL && k < r->ndim; k++) {
    put(x, EXTENTS, r->shape[k]);
    put(x, scale_of(r, k), 0);
    put(x, scale_of(r, k), r->shape[k]);
  }
  return true;
}

static uint64_t hash_of(uint64_t seed, const int64_t *v, int32_t n)
{
  uint64_t h[4] = {seed, 1, 2, 3}; /* The chains are independent, which hides latency. */
  int32_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (int j = 0; j < 4; j++) h[j] = tsr__hash_word(h[j], (uint64_t)v[i + j]);
  for (; i < n; i++) h[0] = tsr__hash_word(h[0], (uint64_t)v[i]);
  return tsr__hash_word(tsr__hash_word(h[0], h[1]), tsr__hash_word(h[2], h[3]));
}

bool tsr__form_write(tsr_form *form, const tsr_window *w, const tsr_names *names, int64_t wish)
{
  writer x = {.form = form,
              .word = form->words,
              .value = form->values,
              .scale = form->scales,
              .world = w->world};
  if (w->world->n_places > 1 || !tsr__world_is_host(w->world)) return false;
  reserve(&x, 3, 2);
  *x.word++ = wish;
  *x.word++ = w->n_ops;
  *x.word++ = names->n_regions;
  put(&x, EXTENTS, 0);
  put(&x, EXTENTS, 1);
  for (int32_t i = 0; i < w->n_ops; i++)
    if (!add_op(&x, w->ops[i])) return false;
  for (int32_t i = 0; i < names->n_regions; i++)
    if (!add_region(&x, names->regions[i])) return false;
  reserve(&x, 0, 0);
  TSR_ASSERT(form->n_words <= form->cap_words && form->n_values <= form->cap_values);
  form->hash = hash_of((uint64_t)form->n_words, form->words, form->n_words);
  form->values_hash = hash_of(form->hash, form->values, form->n_values);
  return true;
}

void tsr__form_free(tsr_form *form)
{
  free(form->words);
  free(form->values);
  free(form->scales);
  *form = (tsr_form){.n_words = 0};
}

/* The order of two values of a form, whose numbers are given. */
static int compare_values(const void *a, const void *b, void *arg)
{
  const tsr_form *f = arg;
  const int32_t i = ((const struct tsr_form_step *)a)->value,
                j = ((const struct tsr_form_step *)b)->value;
  if (f->scales[i] != f->scales[j]) return f->scales[i] < f->scales[j] ? -1 : 1;
  if (f->values[i] != f->values[j]) return f->values[i] < f->values[j] ? -1 : 1;
  return i < j ? -1 : i > j;
}

tsr_form_order tsr__form_order(const tsr_form *form, tsr_arena *arena)
{
  const int32_t n = form->n_values;
  tsr_form_order order = {n, tsr__arena_calloc(arena, (size_t)n + 1, sizeof *order.v)};
  for (int32_t i = 0; i < n; i++) order.v[i].value = i;
  qsort_r(order.v, (size_t)n, sizeof *order.v, compare_values, (void *)(uintptr_t)form);
  for (int32_t i = 0; i < n; i++) {
    const int32_t at = order.v[i].value, before = i > 0 ? order.v[i - 1].value : at;
    order.v[i].is_first = i == 0 || form->scales[before] != form->scales[at];
    order.v[i].is_same = i > 0 && form->values[before] == form->values[at];
  }
  return order;
}

bool tsr__form_has_order(const tsr_form *form, const tsr_form_order *order)
{
  int64_t before = 0;
  if (form->n_values != order->n) return false;
  for (int32_t i = 0; i < order->n; i++) {
    const struct tsr_form_step *step = &order->v[i];
    const int64_t value = form->values[step->value];
    if (!step->is_first && (step->is_same ? value != before : value <= before)) return false;
    before = value;
  }
  return true;
}
