/* Regions and shared views. Both are counted, and freed when neither an array nor a waiting op
 * refers to them. */
#include "program/program.h"

#include <stdlib.h>
#include <string.h>

void tsr__free_list_give(const tsr_window *w, tsr_free_list *list, void *p)
{
  if (w->closed) {
    free(p);
    return;
  }
  *(void **)p = list->first;
  list->first = p;
}

static tsr_view_ref *view_ref_blank(tsr_window *w)
{
  tsr_view_ref *ref = tsr__free_list_take(&w->free_views, sizeof *ref);
  ref->n_refs = 1;
  ref->window = w;
  ref->form_hash = ref->hash = 0;
  ref->injective = 0;
  ref->is_identity = false;
  return ref;
}

tsr_view_ref *tsr__view_ref_new(tsr_window *w, const tsr_view *v)
{
  tsr_view_ref *ref = view_ref_blank(w);
  tsr__view_copy(&ref->view, v);
  return ref;
}

static bool has_shape(const tsr_view *v, int ndim, const int64_t *shape)
{
  if (v->ndim != ndim) return false;
  int64_t differ = 0;
  for (int k = 0; k < ndim; k++) differ |= v->shape[k] ^ shape[k];
  return differ == 0;
}

tsr_view_ref *tsr__view_ref_identity(tsr_window *w, int ndim, const int64_t *shape)
{
  uint64_t h = (uint64_t)ndim;
  for (int k = 0; k < ndim; k++) h = (h ^ (uint64_t)shape[k]) * 0x9E3779B97F4A7C15u;
  tsr_view_ref **entry = &w->identities[(h >> 32) % TSR_N_IDENTITIES];
  if (*entry == NULL || !has_shape(&(*entry)->view, ndim, shape)) {
    tsr__view_ref_drop(*entry);
    *entry = view_ref_blank(w);
    tsr__view_identity(&(*entry)->view, ndim, shape);
    (*entry)->is_identity = true;
  }
  return tsr__view_ref_take(*entry);
}

/* Piece 0 are the indices from `shift` on, piece 1 those before. */
static tsr_view_ref *rolled_piece(const tsr_view_ref *of, int axis, int64_t shift, int number)
{
  tsr_view_ref *ref = tsr__view_ref_new(of->window, &of->view);
  tsr_view *v = &ref->view;
  const int64_t n = v->shape[axis], moved = number == 0 ? -shift : n - shift;
  tsr_box box = tsr__box_of_shape(v->ndim, v->shape);
  box.lo[axis] = number == 0 ? shift : 0;
  box.n[axis] = number == 0 ? n - shift : shift;
  tsr__view_bound(v, &box);
  for (int k = 0; k < v->rdim; k++) v->offset[k] += v->step[k][axis] * moved;
  return ref;
}

/* The entry for what is made of a view in this way; what another way left there is gone. */
static tsr_derived *derived(tsr_view_ref *v, int axis, int64_t shift)
{
  uint64_t h = (uint64_t)(uintptr_t)v * 0x9E3779B97F4A7C15u;
  h = (h ^ (uint64_t)(uint32_t)axis << 32 ^ (uint64_t)shift) * 0x9E3779B97F4A7C15u;
  tsr_derived *d = &v->window->derived[(h >> 32) % TSR_N_DERIVED];
  if (d->of == v && d->axis == axis && d->shift == shift) return d;
  tsr__view_ref_drop(d->of);
  for (int i = 0; i < 2; i++) tsr__view_ref_drop(d->made[i]);
  *d = (tsr_derived){.of = tsr__view_ref_take(v), .axis = axis, .shift = shift};
  return d;
}

void tsr__view_ref_rolled(tsr_view_ref *v, int axis, int64_t shift, tsr_view_ref *piece[2])
{
  TSR_ASSERT(axis >= 0 && axis < v->view.ndim && shift > 0 && shift < v->view.shape[axis]);
  tsr_derived *d = derived(v, axis, shift);
  for (int i = 0; i < 2; i++) {
    if (d->made[i] == NULL) d->made[i] = rolled_piece(v, axis, shift, i);
    piece[i] = tsr__view_ref_take(d->made[i]);
  }
}

tsr_view_ref *tsr__view_ref_transposed(tsr_view_ref *v)
{
  if (v->view.ndim < 2) return tsr__view_ref_take(v);
  tsr_derived *d = derived(v, -1, 0);
  if (d->made[0] == NULL) {
    int perm[TSR_MAX_NDIM];
    for (int k = 0; k < v->view.ndim; k++) perm[k] = v->view.ndim - 1 - k;
    d->made[0] = tsr__view_ref_new(v->window, &v->view);
    tsr__view_transpose(&d->made[0]->view, perm);
  }
  return tsr__view_ref_take(d->made[0]);
}

tsr_view_ref *tsr__view_ref_moved(const tsr_view_ref *v)
{
  tsr_view_ref *ref = tsr__view_ref_new(v->window, &v->view);
  ref->form_hash = v->form_hash;
  ref->injective = v->injective;
  return ref;
}

void tsr__view_ref_resize(tsr_view_ref *v, int axis, int64_t length, const tsr_view_ref *part_of)
{
  TSR_ASSERT(v->n_refs == 1 && v->hash == 0 && axis < v->view.ndim);
  if (v->view.shape[axis] == length) return;
  v->view.shape[axis] = length;
  v->form_hash = 0;
  v->injective = part_of->injective > 0;
}

bool tsr__view_ref_is_injective(tsr_view_ref *v)
{
  if (v->injective == 0) v->injective = tsr__view_is_injective(&v->view) ? 1 : -1;
  return v->injective > 0;
}

void tsr__view_ref_free(tsr_view_ref *v)
{
  tsr__free_list_give(v->window, &v->window->free_views, v);
}

tsr_region *tsr__region_create(tsr_window *w, tsr_dtype dtype, int ndim, const int64_t *shape,
                               const tsr_location *where)
{
  tsr_region *r = tsr__free_list_take(&w->free_regions, sizeof *r);
  /* Fields are set one by one: clearing the whole region costs more than the rest of this. */
  r->id = w->n_regions_made++;
  r->dtype = dtype;
  r->ndim = ndim;
  r->n_handles = r->n_stored = r->n_ops = 0;
  r->was_assigned = r->replicate = r->poisoned = false;
  r->n_lent = 0;
  r->n_lent_there = 0;
  r->copy_of = 0;
  r->copy_has_gaps = r->is_turned = r->is_column_major = false;
  r->lent_writable = false;
  r->written_in = 0; /* in no window */
  r->was_read_displaced = false;
  r->storage = NULL;
  r->prev = NULL;
  r->n_elems = 1;
  for (int k = 0; k < ndim; k++) {
    r->shape[k] = shape[k];
    r->n_elems *= shape[k];
  }
  r->made = where;
  r->local = -1;
  r->next = w->regions;
  if (w->regions != NULL) w->regions->prev = r;
  w->regions = r;
  w->n_regions++;
  return r;
}

void tsr__region_maybe_free(tsr_window *w, tsr_region *r)
{
  TSR_ASSERT(r->n_handles >= 0 && r->n_ops >= 0);
  if (r->n_handles > 0 || r->n_ops > 0) return;
  if (r->storage != NULL) w->release_storage(r);
  if (r->prev != NULL) r->prev->next = r->next;
  if (r->next != NULL) r->next->prev = r->prev;
  if (w->regions == r) w->regions = r->next;
  w->n_regions--;
  tsr__free_list_give(w, &w->free_regions, r);
}
