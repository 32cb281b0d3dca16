/* What is known of an array, as numbers and as text. Nothing is recorded, computed or agreed on. */
#include "array/core/array_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/** What both forms say. */
typedef struct known {
  const tsr_handle *handle;
  tsr_whereabouts at;
  size_t elem;
} known;

static bool find_values(tsr_context *c, const tsr_location *where, tsr_array x, known *k)
{
  k->handle = tsr__handle(c, where, x);
  if (!k->handle) return false;
  k->elem = tsr__dtype_size(k->handle->region->dtype);
  tsr__whereabouts(c->scheduler, k->handle->region, &k->handle->view->view, &k->at);
  return true;
}

tsr_facts tsr_facts_of_at(const tsr_location *where, tsr_array x)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_facts f = {0};
  known k;
  if (!find_values(c, where, x, &k)) return f;
  const tsr_view *v = &k.handle->view->view;
  f.shape = tsr__shape_of(v);
  f.dtype = k.handle->region->dtype;
  f.n_bytes = tsr__view_size(v) * (int64_t)k.elem;
  f.is_view = !tsr__view_is_identity(v);
  f.is_stored = k.at.layout != NULL;
  f.is_lost = k.handle->region->poisoned;
  f.n_waiting = k.at.n_waiting;
  if (k.handle->made) f.made = *k.handle->made;
  if (!f.is_stored) return f;
  f.is_replicated = k.at.layout->replicated;
  f.n_tiles.ndim = k.at.layout->ndim;
  for (int j = 0; j < f.n_tiles.ndim; j++)
    f.n_tiles.n[j] = f.is_replicated ? 1 : k.at.layout->n_tiles[j];
  for (int j = 0; j < k.at.part.ndim; j++) {
    f.lo[j] = k.at.part.lo[j];
    f.n[j] = k.at.part.n[j];
  }
  f.n_bytes_here = k.at.n_elems * (int64_t)k.elem;
  f.n_bytes_on_host = k.at.n_elems_on_host * (int64_t)k.elem;
  snprintf(f.device, sizeof f.device, "%s", c->world.places[0].device->ops->name);
  return f;
}

/* "cut 2 x 2 on ranks 0 to 3" */
static void add_cut(const tsr_context *c, const tsr_layout *layout, tsr_text *t)
{
  if (layout->replicated || tsr__world_n_places(&c->world) == 1) {
    tsr__text_add(t, c->world.size > 1 ? ", whole on every rank" : ", in one piece");
    return;
  }
  int first = c->world.size, last = 0;
  const tsr_box all = tsr__box_of_shape(layout->ndim, layout->shape);
  tsr_tile_iter it;
  for (tsr__tiles_meeting(&it, layout, &all); tsr__tiles_next(&it);) {
    const int rank = tsr__world_rank_of(&c->world, it.place);
    first = rank < first ? rank : first;
    last = rank > last ? rank : last;
  }
  if (tsr__layout_n_tiles(layout) == 1) tsr__text_add(t, ", in one piece");
  for (int k = 0; k < layout->ndim && tsr__layout_n_tiles(layout) > 1; k++)
    tsr__text_add(t, "%s%d", k > 0 ? " x " : ", cut ", layout->n_tiles[k]);
  if (first == last)
    tsr__text_add(t, " on rank %d", first);
  else
    tsr__text_add(t, " on ranks %d to %d", first, last);
}

static void add_state(const tsr_context *c, const known *k, tsr_text *t)
{
  const tsr_region *region = k->handle->region;
  if (region->poisoned)
    tsr__text_add(t, "lost to an earlier failure");
  else if (region->n_elems == 0)
    tsr__text_add(t, "without elements: nothing is stored");
  else if (!k->at.layout)
    tsr__text_add(t, "deferred: it is computed when it is needed");
  else
    tsr__text_add(t, "stored");
  if (!region->poisoned && k->at.layout) add_cut(c, k->at.layout, t);
  if (k->at.layout && k->at.n_waiting > 0)
    tsr__text_add(t, "; %" PRId64 " recorded %s will write it", k->at.n_waiting,
                  k->at.n_waiting == 1 ? "operation" : "operations");
  tsr__text_add(t, "\n");
}

static const char *owner_of(const tsr_context *c, const tsr_handle *s)
{
  if (s->scope == TSR_SCOPE_HELD) return "held until it is released";
  switch (c->scopes[s->scope].kind) {
  case TSR_SCOPE_IS_ROOT:
    return "owned by the program's outermost scope";
  case TSR_SCOPE_IS_BLOCK:
    return "owned by the scope of a block";
  default:
    return "owned by the scope of a statement";
  }
}

/* What this rank has. */
static void add_part(const tsr_context *c, const known *k, tsr_text *t)
{
  char box[300];
  if (!k->at.layout) return;
  tsr__text_add(t, "rank %d has ", c->world.rank);
  if (k->at.n_elems == 0) {
    tsr__text_add(t, "nothing of it\n");
    return;
  }
  tsr__text_add(t, "%s, %s, on %s", tsr__box_text(&k->at.part, box, sizeof box),
                tsr__bytes_text((size_t)k->at.n_elems * k->elem).s,
                c->world.places[0].device->ops->name);
  if (k->at.n_elems_on_host > 0)
    tsr__text_add(t, ", %s of these in the host's memory",
                  tsr__bytes_text((size_t)k->at.n_elems_on_host * k->elem).s);
  tsr__text_add(t, "\n");
}

tsr_status tsr_describe_at(const tsr_location *where, tsr_array x, char *text, size_t size)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  known k;
  TSR_TRY(tsr__check_given(c, where, text, "text"));
  if (size > 0) text[0] = '\0';
  if (!find_values(c, where, x, &k)) return tsr_ok(x) ? c->last_status : TSR_ERR_HANDLE;
  const tsr_view *v = &k.handle->view->view;
  const tsr_region *region = k.handle->region;
  const tsr_location *made = k.handle->made;
  tsr_text t = {0};
  char shape[200];
  tsr__text_add(&t, "%s %s, %s", tsr__shape_text(v->ndim, v->shape, shape, sizeof shape),
                tsr__dtype_info(region->dtype)->name,
                tsr__bytes_text((size_t)tsr__view_size(v) * k.elem).s);
  if (made && made->file)
    tsr__text_add(&t, ", made at %s:%d by %s", made->file, made->line, made->op);
  tsr__text_add(&t, "\n");
  if (!tsr__view_is_identity(v))
    tsr__text_add(&t, "a view of %s\n",
                  tsr__shape_text(region->ndim, region->shape, shape, sizeof shape));
  add_state(c, &k, &t);
  tsr__text_add(&t, "%s\n", owner_of(c, k.handle));
  add_part(c, &k, &t);
  snprintf(text, size, "%s", t.s);
  tsr__text_free(&t);
  return TSR_OK;
}
