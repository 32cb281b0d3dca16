/* Pictures side by side, and pictures from files. */
#include "array/core/steps.h"
#include "array/files/file.h"
#include "array/files/picture.h"
#include "runtime/base/alloc.h"

#include <stdlib.h>
#include <string.h>

#include "tessera/assign.h"
#include "tessera/creation.h"
#include "tessera/views.h"

enum { GAP = 12 };

/** The rows and columns of panels. */
typedef struct table {
  int n, n_rows, n_columns;
  tsr_array *panels;       /* [n], owned by the caller's steps */
  int64_t *height, *width; /* of each row, of each column */
} table;

static int64_t larger(int64_t a, int64_t b)
{
  return a > b ? a : b;
}

/* Makes pictures of those that are none, and measures; returns false with an error. */
static bool measure_pictures(const tsr_location *where, tsr_arrays pictures, table *t)
{
  for (int i = 0; i < t->n; i++) {
    t->panels[i] = tsr_picture_at(where, tsr_box_array(pictures.v[i]), 0, NULL);
    if (!tsr_ok(t->panels[i])) return false;
    const tsr_dims shape = tsr_shape_at(where, t->panels[i]);
    int64_t *height = &t->height[i / t->n_columns], *width = &t->width[i % t->n_columns];
    *height = larger(*height, shape.n[0]);
    *width = larger(*width, shape.n[1]);
  }
  return true;
}

static int64_t sum_of(const int64_t *lengths, int n)
{
  int64_t sum = (int64_t)GAP * (n - 1);
  for (int i = 0; i < n; i++) sum += lengths[i];
  return sum;
}

/* The picture with the panels at their positions. */
static tsr_array compose(const tsr_location *where, const table *t)
{
  const tsr_dims shape = {.ndim = 3,
                          .n = {sum_of(t->height, t->n_rows), sum_of(t->width, t->n_columns), 3}};
  tsr_array all = tsr_full_at(where, shape, tsr_box_int(255), TSR_UINT8);
  int64_t top = 0;
  for (int row = 0; row < t->n_rows; top += t->height[row++] + GAP) {
    int64_t left = 0;
    for (int k = 0; k < t->n_columns && row * t->n_columns + k < t->n; k++) {
      const tsr_array panel = t->panels[row * t->n_columns + k];
      const tsr_dims size = tsr_shape_at(where, panel);
      const int64_t box[] = {top, top + size.n[0], left, left + size.n[1]};
      const tsr_array at = tsr_slice_at(where, all, "$:$, $:$", 4, box);
      const tsr_array colours = tsr_slice_at(where, panel, "..., :3", 0, NULL);
      if (tsr_assign_at(where, at, tsr_box_array(colours)) < 0) return tsr_null();
      left += t->width[k] + GAP;
    }
  }
  return all;
}

tsr_array tsr_panels_at(const tsr_location *where, tsr_arrays pictures, int columns)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  if (pictures.n < 1 || columns < 0) {
    tsr__fail(c, where, TSR_ERR_ARGUMENT, "%d pictures in %d columns", pictures.n, columns);
    return tsr_null();
  }
  if (tsr__check_arrays(c, where, &pictures) < 0) return tsr_null();
  table t = {.n = pictures.n, .n_columns = pictures.n};
  if (columns > 0 && columns < t.n) t.n_columns = columns;
  t.n_rows = (t.n + t.n_columns - 1) / t.n_columns;
  t.panels = tsr__calloc((size_t)t.n, sizeof *t.panels);
  t.height = tsr__calloc((size_t)t.n_rows, sizeof *t.height);
  t.width = tsr__calloc((size_t)t.n_columns, sizeof *t.width);
  const tsr_steps steps = tsr__steps_begin(where);
  const tsr_array made = measure_pictures(where, pictures, &t) ? compose(where, &t) : tsr_null();
  free(t.panels);
  free(t.height);
  free(t.width);
  return tsr__steps_end(&steps, made);
}

/** What rank 0 tells of the file. */
typedef struct found {
  tsr_outcome outcome;
  int32_t width, height, channels;
} found;

static void read_file(const char *path, found *f, tsr_canvas *canvas)
{
  if (!path) {
    tsr__outcome_fail(&f->outcome, "the path is NULL");
    f->outcome.status = TSR_ERR_ARGUMENT;
    return;
  }
  f->outcome.status = tsr__png_read(path, canvas, f->outcome.why, sizeof f->outcome.why);
  f->width = canvas->width, f->height = canvas->height, f->channels = canvas->channels;
}

tsr_array tsr_load_png_at(const tsr_location *where, const char *path)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  found f = {.outcome.status = TSR_OK};
  tsr_canvas canvas = {.points = NULL};
  tsr__file_event(c, where, path);
  if (tsr__settle(c, tsr__agree(c->scheduler, where)) < 0) return tsr_null();
  if (c->world.rank == 0) read_file(path, &f, &canvas);
  const tsr_status told = tsr__bcast(c->world.transport, 0, &f, sizeof f);
  tsr_array made = tsr_null();
  if (told < 0)
    tsr__fail(c, where, told, "the ranks cannot hear from rank 0");
  else if (f.outcome.status < 0)
    tsr__fail(c, where, f.outcome.status, "cannot read `%s`: %s", path ? path : "(null)",
              f.outcome.why);
  else
    made = tsr_from_host_at(where, canvas.points, TSR_UINT8,
                            (tsr_dims){.ndim = 3, .n = {f.height, f.width, f.channels}}, 0, NULL);
  tsr__canvas_free(&canvas);
  return made;
}
