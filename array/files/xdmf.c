/* Time series for ParaView: an XDMF index (https://www.xdmf.org), and one raw file per field and
 * step that the ranks write in parallel. The index is a whole document after each write: one write
 * puts the new text and the closing tags over the old closing tags. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array/files/file.h"
#include "array/files/print.h"
#include "tessera/files.h"
#include "runtime/base/alloc.h"
#include "runtime/base/table.h"
#include "runtime/base/text.h"

/** A series. Every rank has one, with the same state unless noted. */
struct tsr_xdmf {
  char *stem; /* of the raw files: the path without ".xdmf" */
  int fd;     /* of the index; on rank 0 */
  int64_t at; /* byte of the closing tags; on rank 0 */
  int64_t n_steps;
  double time;                  /* of the last step */
  tsr_dims shape;               /* of the last step's fields */
  tsr_text names;               /* of the last step's fields, each between line breaks */
  int grid_axes;                /* of the grid that tsr_xdmf_grid has set; 0: none */
  double origin[3], spacing[3]; /* of a mesh of three axes */
};

/** Identifies a file or a directory independently of its path. */
typedef struct file_id {
  dev_t device;
  ino_t number;
} file_id;

/** The files that an open series of the context writes; on rank 0. */
typedef struct tsr_xdmf_files {
  struct tsr_xdmf_files *next;
  const tsr_xdmf *series;
  file_id index, directory; /* directory of the raw files */
  char *name;               /* start of their names */
  tsr_text fields;          /* the names up to the step's number, each between line breaks */
  const tsr_location *opened;
} tsr_xdmf_files;

static const char head[] =
    "<?xml version=\"1.0\"?>\n"
    "<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n"
    "<Xdmf Version=\"3.0\">\n"
    "  <Domain>\n"
    "    <Grid Name=\"series\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
static const char end_of_step[] = "      </Grid>\n";
static const char tail[] = "    </Grid>\n"
                           "  </Domain>\n"
                           "</Xdmf>\n";

static void add_escaped(tsr_text *t, const char *s)
{
  for (; *s; s++) {
    const char *name = *s == '&' ? "&amp;" : *s == '<' ? "&lt;" : *s == '>' ? "&gt;" : NULL;
    if (name)
      tsr__text_add(t, "%s", name);
    else
      tsr__text_add(t, "%c", *s);
  }
}

/* Adds the dimensions of a mesh of three axes. A mesh of two axes would be in the plane x = 0,
 * which ParaView shows from the edge. */
static void add_dimensions(tsr_text *t, const tsr_dims *shape)
{
  for (int k = shape->ndim; k < 3; k++) tsr__text_add(t, "1 ");
  for (int k = 0; k < shape->ndim; k++)
    tsr__text_add(t, "%s%lld", k ? " " : "", (long long)shape->n[k]);
}

/* The shortest digits that are read back as the same number. Returns `digits`. */
static const char *number_text(double x, char digits[TSR_NUMBER_SIZE])
{
  void *before = tsr__plain_numbers_begin();
  tsr__scalar_text(TSR_DTYPE_FLOAT64, &x, digits);
  tsr__plain_numbers_end(before);
  const size_t n = strlen(digits);
  if (n > 2 && !strcmp(digits + n - 2, ".0")) digits[n - 2] = 0;
  return digits;
}

static void add_number(tsr_text *t, double x)
{
  char digits[TSR_NUMBER_SIZE];
  tsr__text_add(t, "%s", number_text(x, digits));
}

static void add_point(tsr_text *t, const double *x)
{
  tsr__text_add(t, "          <DataItem Format=\"XML\" NumberType=\"Float\" Precision=\"8\" "
                   "Dimensions=\"3\">");
  for (int k = 0; k < 3; k++) {
    if (k > 0) tsr__text_add(t, " ");
    add_number(t, x[k]);
  }
  tsr__text_add(t, "</DataItem>\n");
}

/* Adds a step with a mesh: where its first point is, and the distances between points, in the order
 * of the axes. */
static void add_step(tsr_text *t, double time, const tsr_xdmf *s, const tsr_dims *shape)
{
  tsr__text_add(t, "      <Grid Name=\"");
  add_number(t, time);
  tsr__text_add(t, "\" GridType=\"Uniform\">\n        <Time Value=\"");
  add_number(t, time);
  tsr__text_add(t, "\"/>\n        <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"");
  add_dimensions(t, shape);
  tsr__text_add(t, "\"/>\n        <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n");
  add_point(t, s->origin);
  add_point(t, s->spacing);
  tsr__text_add(t, "        </Geometry>\n");
}

/* Returns XDMF's name of a type, or NULL if ParaView does not read the type: it reads an Int of two
 * bytes as noise, and a UInt of eight bytes as two of four. */
static const char *number_type(tsr_dtype dtype)
{
  const tsr_dtype_info *info = tsr__dtype_info(dtype);
  static const char *const ints[] = {[1] = "Char", [2] = "Short", [4] = "Int", [8] = "Int"};
  static const char *const uints[] = {[1] = "UChar", [2] = "UShort", [4] = "UInt", [8] = NULL};
  switch (info->npy[1]) {
  case 'b':
    return "UChar";
  case 'i':
    return ints[info->size_bytes];
  case 'u':
    return uints[info->size_bytes];
  case 'f':
    return info->size_bytes >= 4 ? "Float" : NULL;
  default:
    return NULL;
  }
}

static void add_field(tsr_text *t, const char *name, tsr_dtype dtype, const tsr_dims *shape,
                      const char *file)
{
  const char *slash = strrchr(file, '/');
  tsr__text_add(t,
                "        <Attribute Name=\"%s\" AttributeType=\"Scalar\" Center=\"Node\">\n"
                "          <DataItem Format=\"Binary\" NumberType=\"%s\" Precision=\"%d\" "
                "Endian=\"Little\" Dimensions=\"",
                name, number_type(dtype), (int)tsr__dtype_size(dtype));
  add_dimensions(t, shape);
  tsr__text_add(t, "\">");
  add_escaped(t, slash ? slash + 1 : file);
  tsr__text_add(t, "</DataItem>\n        </Attribute>\n");
}

/* Creates an index without steps. */
static void index_create(tsr_xdmf *s, const char *path, tsr_outcome *o)
{
  tsr_temporary temporary;
  if (!tsr__temporary_open(path, &s->fd, &temporary, o)) return;
  s->at = (int64_t)strlen(head);
  if (!tsr__write_all(s->fd, head, strlen(head), 0) ||
      !tsr__write_all(s->fd, tail, strlen(tail), s->at))
    tsr__outcome_fail(o, "%s", strerror(errno));
  tsr__temporary_end(&temporary, false, o);
}

/* Adds to the index. If the text cannot be written whole, the index is restored. */
static void index_add(tsr_xdmf *s, const tsr_text *text, tsr_outcome *o)
{
  tsr_text all = {0};
  tsr__text_add(&all, "%s%s%s", text->s, end_of_step, tail);
  if (tsr__write_all(s->fd, all.s, all.n, s->at)) {
    s->at += (int64_t)text->n;
  } else {
    tsr__outcome_fail(o, "%s", strerror(errno));
    const char *before = s->n_steps > 0 ? end_of_step : "";
    size_t n = strlen(before);
    bool ok = tsr__write_all(s->fd, before, n, s->at) &&
              tsr__write_all(s->fd, tail, strlen(tail), s->at + (int64_t)n) &&
              ftruncate(s->fd, (off_t)(s->at + (int64_t)(n + strlen(tail)))) == 0;
    (void)ok; /* the first error is reported, even if the disk takes nothing */
  }
  tsr__text_free(&all);
}

static file_id id_of(const struct stat *st)
{
  return (file_id){st->st_dev, st->st_ino};
}

static bool is_same_file(file_id a, file_id b)
{
  return a.device == b.device && a.number == b.number;
}

/* Finds the directory of the raw files; returns false if it does not exist. */
static bool directory_of(const char *stem, file_id *id)
{
  struct stat st;
  char *path = tsr__strdup(stem), *slash = strrchr(path, '/');
  if (slash) slash[slash == path] = 0;
  const bool ok = stat(slash ? path : ".", &st) == 0;
  if (ok) *id = id_of(&st);
  free(path);
  return ok;
}

static const char *name_of(const char *stem)
{
  const char *slash = strrchr(stem, '/');
  return slash ? slash + 1 : stem;
}

/* Returns an open series that writes a file which a series of this path would write, or NULL. */
static const tsr_xdmf_files *find_open(const tsr_context *c, const char *path, const char *stem)
{
  struct stat st;
  file_id directory;
  const bool has_index = stat(path, &st) == 0, has_directory = directory_of(stem, &directory);
  for (const tsr_xdmf_files *f = c->series; f; f = f->next) {
    if (has_index && is_same_file(f->index, id_of(&st))) return f;
    if (has_directory && is_same_file(f->directory, directory) && !strcmp(f->name, name_of(stem)))
      return f;
  }
  return NULL;
}

static void note_open(tsr_context *c, const tsr_xdmf *s, const tsr_location *where)
{
  struct stat st;
  tsr_xdmf_files *f = tsr__calloc(1, sizeof *f);
  if (fstat(s->fd, &st) == 0) f->index = id_of(&st);
  directory_of(s->stem, &f->directory);
  f->name = tsr__strdup(name_of(s->stem));
  f->series = s;
  f->opened = where;
  f->next = c->series;
  c->series = f;
}

static bool has_field(const tsr_xdmf_files *f, const char *line)
{
  return f->fields.s != NULL && strstr(f->fields.s, line) != NULL;
}

/* Notes that a series writes a field, on rank 0. Fails where another one that is open writes the
 * same files: the field `x_y` of `heat` and the field `y` of `heat_x`. */
static void note_field(const tsr_context *c, const tsr_xdmf *s, const char *name, tsr_outcome *o)
{
  tsr_xdmf_files *mine = NULL;
  tsr_text line = {0};
  tsr__text_add(&line, "\n%s_%s\n", name_of(s->stem), name);
  for (tsr_xdmf_files *f = c->series; f; f = f->next)
    if (f->series == s) mine = f;
  for (const tsr_xdmf_files *f = c->series; mine && f; f = f->next) {
    if (f == mine || !is_same_file(f->directory, mine->directory) || !has_field(f, line.s))
      continue;
    tsr__outcome_fail(o, "a series that is open writes it: opened at %s:%d by %s",
                      f->opened->file ? f->opened->file : "?", f->opened->line, f->opened->op);
    o->status = TSR_ERR_ARGUMENT;
  }
  if (mine && o->status >= 0 && !has_field(mine, line.s))
    tsr__text_add(&mine->fields, "%s", line.s);
  tsr__text_free(&line);
}

static void files_free(tsr_xdmf_files *f)
{
  tsr__text_free(&f->fields);
  free(f->name);
  free(f);
}

/* Forgets a closed series. It may have been opened in another context, which may have ended. */
static void note_closed(tsr_context *c, const tsr_xdmf *s)
{
  for (tsr_xdmf_files **link = &c->series; *link; link = &(*link)->next)
    if ((*link)->series == s) {
      tsr_xdmf_files *f = *link;
      *link = f->next;
      files_free(f);
      return;
    }
}

void tsr__series_destroy(tsr_xdmf_files *f)
{
  for (tsr_xdmf_files *next; f; f = next) {
    next = f->next;
    files_free(f);
  }
}

static void series_free(tsr_xdmf *s)
{
  if (s->fd >= 0) close(s->fd);
  tsr__text_free(&s->names);
  free(s->stem);
  free(s);
}

static char *stem_of(const char *path)
{
  char *stem = tsr__strdup(path ? path : "");
  size_t n = strlen(stem), n_end = strlen(".xdmf");
  if (n > n_end && !strcmp(stem + n - n_end, ".xdmf")) stem[n - n_end] = 0;
  return stem;
}

/* Opens the index, on rank 0. */
static void open_index(const tsr_context *c, tsr_xdmf *s, const char *path, tsr_outcome *o)
{
  const tsr_xdmf_files *open = path ? find_open(c, path, s->stem) : NULL;
  if (open) {
    tsr__outcome_fail(o, "a series that is open writes its files: opened at %s:%d by %s",
                      open->opened->file ? open->opened->file : "?", open->opened->line,
                      open->opened->op);
    o->status = TSR_ERR_ARGUMENT;
    return;
  }
  index_create(s, path, o);
}

tsr_xdmf *tsr_xdmf_open_at(const tsr_location *where, const char *path)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr__file_event(c, where, path);
  if (tsr__settle(c, tsr__agree(c->scheduler, where)) < 0) return NULL;
  tsr_xdmf *s = tsr__calloc(1, sizeof *s);
  tsr_outcome o = {.status = TSR_OK};
  s->fd = -1;
  for (int k = 0; k < 3; k++) s->spacing[k] = 1;
  s->stem = stem_of(path);
  if (c->world.rank == 0) open_index(c, s, path, &o);
  if (tsr__outcome_hear(c, &o) >= 0) {
    if (c->world.rank == 0) note_open(c, s, where);
    return s;
  }
  series_free(s);
  tsr__fail(c, where, o.status, "cannot write `%s`: %s", path ? path : "(null)", o.why);
  return NULL;
}

/* Hashes the time and the name, which must be the same on all ranks. */
static uint64_t hash_of_name(double time, const char *name)
{
  return tsr__hash_bytes(tsr__hash_text(name ? name : ""), &time, sizeof time);
}

tsr_status tsr_xdmf_grid_at(const tsr_location *where, tsr_xdmf *s, tsr_point origin,
                            tsr_point spacing)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  if (!s) /* in return mode tsr_xdmf_open has reported the error */
    return tsr__goes_on(c) ? TSR_ERR_HANDLE : tsr__check_given(c, where, s, "series");
  const int n_axes = origin.n;
  if (n_axes < 1 || n_axes > 3 || spacing.n != n_axes)
    return tsr__fail(c, where, TSR_ERR_ARGUMENT, "a grid of %d and %d axes: it has 1 to 3",
                     origin.n, spacing.n);
  double at[3] = {0, 0, 0}, by[3] = {1, 1, 1};
  memcpy(at + 3 - n_axes, origin.x, (size_t)n_axes * sizeof *at);
  memcpy(by + 3 - n_axes, spacing.x, (size_t)n_axes * sizeof *by);
  tsr__event_of(c, where, TSR_EVENT_FILE,
                tsr__hash_bytes(hash_of_name(n_axes, ""), at, sizeof at) ^
                    tsr__hash_bytes(0, by, sizeof by));
  for (int k = 0; k < 3; k++)
    if (!isfinite(at[k]) || !isfinite(by[k]) || by[k] <= 0)
      return tsr__fail(c, where, TSR_ERR_ARGUMENT,
                       "a grid from %g by %g: both are finite, and the distance is positive", at[k],
                       by[k]);
  memcpy(s->origin, at, sizeof at);
  memcpy(s->spacing, by, sizeof by);
  s->grid_axes = n_axes;
  return TSR_OK;
}

static bool is_name(const char *name)
{
  if (!name || !*name) return false;
  for (const char *s = name; *s; s++)
    if (!(*s >= '0' && *s <= '9') && !((*s | 32) >= 'a' && (*s | 32) <= 'z') && !strchr("_-.", *s))
      return false;
  return true;
}

static bool is_written(const tsr_xdmf *s, const char *name)
{
  tsr_text line = {0};
  tsr__text_add(&line, "\n%s\n", name);
  bool found = s->names.n > 0 && strstr(s->names.s, line.s);
  tsr__text_free(&line);
  return found;
}

/* Checks what every rank can see of a call; returns false with an error. */
static bool check_write(tsr_context *c, const tsr_location *where, const tsr_xdmf *s, double time,
                        const char *name, tsr_operand x, const tsr_value *value,
                        const tsr_dims *shape)
{
  bool new_step = s->n_steps == 0 || time != s->time;
  char text[256], other[256], now[TSR_NUMBER_SIZE], last[TSR_NUMBER_SIZE];
  tsr__shape_text(shape->ndim, shape->n, text, sizeof text);
  int64_t size = shape->ndim > 0;
  for (int k = 0; k < shape->ndim; k++) size *= shape->n[k];
  tsr_error *e = NULL;
  if (!is_name(name))
    e = tsr__fail_begin(c, where, TSR_ERR_ARGUMENT,
                        "`%s` is no field's name: letters, digits, '_', '-' and '.'",
                        name ? name : "(null)");
  else if (!isfinite(time) || (s->n_steps > 0 && time < s->time))
    e = tsr__fail_begin(c, where, TSR_ERR_ARGUMENT, "time %s after %s", number_text(time, now),
                        number_text(s->time, last));
  else if (!new_step && is_written(s, name))
    e = tsr__fail_begin(c, where, TSR_ERR_ARGUMENT, "field `%s` is written twice at time %s", name,
                        number_text(time, now));
  else if (shape->ndim > 3 || size == 0)
    e = tsr__fail_begin(c, where, TSR_ERR_SHAPE, "a field of shape %s", text);
  else if (!new_step && !tsr__same_shape(shape, &s->shape))
    e = tsr__fail_begin(c, where, TSR_ERR_SHAPE,
                        "a field of shape %s beside fields of shape %s at the same time", text,
                        tsr__shape_text(s->shape.ndim, s->shape.n, other, sizeof other));
  else if (s->grid_axes > 0 && shape->ndim != s->grid_axes)
    e = tsr__fail_begin(c, where, TSR_ERR_SHAPE, "a field of shape %s on a grid of %d axes", text,
                        s->grid_axes);
  else if (!number_type(value->dtype))
    e = tsr__fail_begin(c, where, TSR_ERR_DTYPE, "ParaView has no %s fields",
                        tsr__dtype_info(value->dtype)->name);
  if (!e) return true;
  tsr__note_operand(c, e, where, 3, x);
  if (e->status == TSR_ERR_SHAPE) tsr__error_help(e, "a field has 1 to 3 axes, none empty");
  if (e->status == TSR_ERR_DTYPE) tsr__error_help(e, "write it by tsr_astype as float64");
  tsr__fail_end(c);
  return false;
}

/* Adds a field to the index after its data was written. Collective. */
static tsr_status index_field(tsr_context *c, tsr_xdmf *s, double time, const char *name,
                              tsr_dtype dtype, const tsr_dims *shape, const char *file,
                              tsr_outcome *o)
{
  bool new_step = s->n_steps == 0 || time != s->time;
  if (c->world.rank == 0) {
    tsr_text text = {0};
    if (new_step && s->n_steps > 0) tsr__text_add(&text, "%s", end_of_step);
    if (new_step) add_step(&text, time, s, shape);
    add_field(&text, name, dtype, shape, file);
    index_add(s, &text, o);
    tsr__text_free(&text);
    if (o->status < 0) (void)unlink(file);
  }
  if (tsr__outcome_hear(c, o) < 0) return o->status;
  if (new_step) {
    tsr__text_free(&s->names);
    s->names = (tsr_text){0};
    s->n_steps++;
  }
  s->time = time;
  s->shape = *shape;
  tsr__text_add(&s->names, "\n%s\n", name);
  return TSR_OK;
}

tsr_status tsr_xdmf_write_at(const tsr_location *where, tsr_xdmf *s, double time, const char *name,
                             tsr_operand x)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_value value;
  if (!s) /* in return mode tsr_xdmf_open has reported the error */
    return tsr__goes_on(c) ? TSR_ERR_HANDLE : tsr__check_given(c, where, s, "series");
  if (!tsr__value_of(c, where, x, &value)) return tsr__value_status(c, x);
  tsr__event_of(c, where, TSR_EVENT_FILE, hash_of_name(time, name));
  tsr__note_event(&c->window, "time %.17g, name %.48s", time, name ? name : "NULL");
  const tsr_dims shape = tsr__value_shape(&value);
  if (!check_write(c, where, s, time, name, x, &value, &shape)) return c->last_status;
  int64_t step = s->n_steps - (s->n_steps > 0 && time == s->time);
  tsr_text file = {0};
  tsr__text_add(&file, "%s_%s_%06lld.raw", s->stem, name, (long long)step);
  tsr_outcome o = {.status = TSR_OK};
  if (c->world.rank == 0) note_field(c, s, name, &o);
  tsr_status status = tsr__outcome_hear(c, &o);
  if (status < 0)
    tsr__fail(c, where, status, "cannot write `%s`: %s", file.s, o.why);
  else
    status = tsr__file_save(c, where, x, file.s, "", 0, false);
  if (status >= 0) {
    status = index_field(c, s, time, name, value.dtype, &shape, file.s, &o);
    if (status < 0) tsr__fail(c, where, status, "cannot write `%s.xdmf`: %s", s->stem, o.why);
  }
  tsr__text_free(&file);
  return status;
}

tsr_status tsr_xdmf_close_at(const tsr_location *where, tsr_xdmf **s)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  if (!s || !*s) return TSR_OK;
  tsr_outcome o = {.status = TSR_OK};
  if (c->world.rank == 0 && close((*s)->fd)) tsr__outcome_fail(&o, "%s", strerror(errno));
  (*s)->fd = -1;
  tsr__event_of(c, where, TSR_EVENT_FILE, 0);
  tsr_status status = tsr__settle(c, tsr__agree(c->scheduler, where));
  if (status >= 0 && tsr__outcome_hear(c, &o) < 0)
    status = tsr__fail(c, where, o.status, "cannot write `%s.xdmf`: %s", (*s)->stem, o.why);
  note_closed(c, *s);
  series_free(*s);
  *s = NULL;
  return status;
}
