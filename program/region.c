/* Regions and shared views: counted, freed when neither an array nor a waiting op refers to them.
 */
#include "program/program.h"

#include <stdlib.h>
#include <string.h>

void *tsr__pool_take(tsr_free_list *list, size_t bytes)
{
  void *p = list->first;
  if (p == NULL) return tsr__malloc(bytes);
  list->first = *(void **)p;
  return p;
}

void tsr__pool_give(const tsr_window *w, tsr_free_list *list, void *p)
{
  if (w->closed) {
    free(p);
    return;
  }
  *(void **)p = list->first;
  list->first = p;
}

tsr_view_ref *tsr__view_ref_new(tsr_window *w, const tsr_view *v)
{
  tsr_view_ref *ref = tsr__pool_take(&w->free_views, sizeof *ref);
  ref->n_refs = 1;
  ref->home = w;
  tsr__view_copy(&ref->view, v);
  return ref;
}

tsr_view_ref *tsr__view_ref_take(tsr_view_ref *v)
{
  v->n_refs++;
  return v;
}

void tsr__view_ref_drop(tsr_view_ref *v)
{
  if (v != NULL && --v->n_refs == 0) tsr__pool_give(v->home, &v->home->free_views, v);
}

tsr_region *tsr__region_create(tsr_window *w, tsr_dtype dtype, int ndim, const int64_t *shape,
                               const tsr_location *where)
{
  tsr_region *r = tsr__pool_take(&w->free_regions, sizeof *r);
  memset(r, 0, sizeof *r);
  r->id = w->n_regions_made++;
  r->dtype = dtype;
  r->ndim = ndim;
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
  if (r->n_handles > 0 || r->n_ops > 0) return;
  if (r->storage != NULL) w->release_storage(r);
  if (r->prev != NULL) r->prev->next = r->next;
  if (r->next != NULL) r->next->prev = r->prev;
  if (w->regions == r) w->regions = r->next;
  w->n_regions--;
  tsr__pool_give(w, &w->free_regions, r);
}
