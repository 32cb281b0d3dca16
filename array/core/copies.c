/* Checks whether an array may be written. Two kinds may not: views that broadcasting made, and
 * copies that stand for views. NumPy's function gives a view where ours had to copy, so a write to
 * the copy would not reach the array that the program means. The region of such a copy therefore
 * keeps the number of the region that it was copied from (tsr_region.copy_of). While arrays of that
 * one live, writes to the copy are errors. Handles follow the program, so all ranks decide
 * alike. */
#include "array/core/array_int.h"

#include <string.h>

/* Returns the region that r was copied from, if an array of it is alive, else NULL. Regions without
 * arrays never have one again, so a mark that came to nothing is wiped off. */
static const tsr_region *copied_from(const tsr_context *c, tsr_region *r)
{
  if (r->copy_of == 0) return NULL;
  for (const tsr_region *of = c->window.regions; of; of = of->next)
    if (of->id + 1 == r->copy_of && of->n_handles > 0) return of;
  r->copy_of = 0;
  return NULL;
}

void tsr__stand_for_view(tsr_context *c, tsr_array copy, tsr_array of)
{
  const tsr_handle *s = tsr__handle_peek(c, copy), *source = tsr__handle_peek(c, of);
  if (!s || !source || s->region == source->region || c->steps_scope > 0) return;
  const tsr_region *root = copied_from(c, source->region);
  s->region->copy_of = (root ? root : source->region)->id + 1;
}

void tsr_stand_for_view(tsr_array copy, tsr_array of)
{
  tsr_context *c = tsr_context_current();
  if (c) tsr__stand_for_view(c, copy, of);
}

bool tsr_stands_for_view(tsr_array x)
{
  tsr_context *c = tsr_context_current();
  const tsr_handle *s = c && tsr_ok(x) ? tsr__handle_peek(c, x) : NULL;
  return s && copied_from(c, s->region) != NULL;
}

void tsr_note_column_major(tsr_array made)
{
  tsr_context *c = tsr_context_current();
  const tsr_handle *s = c && tsr_ok(made) ? tsr__handle_peek(c, made) : NULL;
  if (s) s->region->is_column_major = true;
}

void tsr__memory_strides(const tsr_handle *s, int64_t *along)
{
  const tsr_view *v = &s->view->view;
  int64_t stride = 1;
  memset(along, 0, (size_t)v->ndim * sizeof *along);
  for (int i = 0; i < v->rdim; i++) {
    const int k = s->region->is_column_major ? i : v->rdim - 1 - i;
    for (int j = 0; j < v->ndim; j++) along[j] += v->step[k][j] * stride;
    stride *= s->region->shape[k];
  }
}

/* Does an array's memory not go row by row in NumPy? */
static bool is_turned(const tsr_handle *s)
{
  const tsr_view *v = &s->view->view;
  int64_t last = 0, along[TSR_MAX_NDIM];
  tsr__memory_strides(s, along);
  bool is_ascending = s->region->is_turned;
  for (int j = v->ndim - 1; j >= 0; j--) {
    const int64_t far = along[j] < 0 ? -along[j] : along[j];
    if (v->shape[j] < 2 || far == 0) continue;
    is_ascending = is_ascending || far < last;
    last = far;
  }
  return is_ascending;
}

bool tsr_lies_in_order(tsr_array x, bool column_major)
{
  tsr_context *c = tsr_context_current();
  const tsr_handle *s = c && tsr_ok(x) ? tsr__handle_peek(c, x) : NULL;
  if (!s) return false;
  const tsr_view *v = &s->view->view;
  int64_t along[TSR_MAX_NDIM], next = 1;
  int n_long = 0;
  tsr__memory_strides(s, along);
  for (int i = 0; i < v->ndim; i++) {
    const int j = column_major ? i : v->ndim - 1 - i;
    if (v->shape[j] == 0) return true;
    if (v->shape[j] == 1) continue;
    n_long++;
    if (along[j] != next) next = -1; /* as long as no axis without elements follows */
    if (next > 0) next *= v->shape[j];
  }
  if (s->region->is_turned && n_long > 1) return column_major;
  return next > 0;
}

void tsr__note_order(tsr_context *c, tsr_array made, int n, const tsr_operand *xs)
{
  const tsr_handle *result = tsr__handle_peek(c, made);
  if (!result || result->region->ndim < 2) return;
  bool any = false;
  for (int i = 0; i < n; i++) {
    const tsr_handle *s =
        xs[i].kind == TSR_OPERAND_ARRAY ? tsr__handle_peek(c, xs[i].as.array) : NULL;
    if (!s || s->view->view.ndim < result->region->ndim) continue;
    if (!is_turned(s)) return;
    any = true;
  }
  result->region->is_turned = any;
}

static void note_made(tsr_error *e, const char *what, const tsr_region *r)
{
  char shape[256];
  tsr_text line = {0};
  tsr__text_add(&line, "%s, %s %s", what, tsr__shape_text(r->ndim, r->shape, shape, sizeof shape),
                tsr__dtype_info(r->dtype)->name);
  if (r->made) tsr__text_add(&line, ", was made by %s", r->made->op);
  if (r->made && r->made->file) tsr__text_add(&line, " at %s:%d", r->made->file, r->made->line);
  tsr__error_note(e, "%s", line.s);
  tsr__text_free(&line);
}

tsr_status tsr__check_writable(tsr_context *c, const tsr_location *where, tsr_array target)
{
  const tsr_handle *s = tsr__handle_peek(c, target);
  if (s->read_only)
    return tsr__fail_on(c, where, TSR_ERR_READONLY, 1, (const tsr_operand[]){tsr_box_array(target)},
                        "write to the array itself; tsr_copy makes an array of its own",
                        "the target is read only, as views that broadcasting makes are");
  tsr_region *r = s->region;
  const tsr_region *of = copied_from(c, r);
  if (!of) return TSR_OK;
  tsr_error *e = tsr__fail_begin(c, where, TSR_ERR_READONLY,
                                 "a write to a copy that stands for a view would be lost");
  note_made(e, "the copy", r);
  note_made(e, "the array itself", of);
  tsr__error_rule(e, "NumPy's is a view, through which the array itself would change; here it "
                     "cannot be one, and the array is still alive");
  tsr__error_help(e, "write to the array itself; or write to a copy of the copy, tsr_copy(...), "
                     "where the array is to stay as it is");
  return tsr__fail_end(c);
}
