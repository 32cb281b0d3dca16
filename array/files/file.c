/* Moves tiles to and from files. A tile consists of runs of the file: a run is the trailing axes
 * that the tile covers whole, together with what it covers of the axis before them. Runs go through
 * a buffer unless the tile is dense in memory. A rank holds only its tile and the buffer, and waits
 * for other ranks only to agree on the outcome. */
#include "array/files/file.h"
#include "runtime/base/alloc.h"
#include "runtime/base/table.h"
#include "runtime/base/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 20 };

void tsr__outcome_fail(tsr_outcome *o, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  vsnprintf(o->why, sizeof o->why, fmt, args);
  va_end(args);
  o->status = TSR_ERR_IO;
}

/* Keeps the failed outcome of the lowest rank. */
static void worse(void *into, const void *from, void *user)
{
  (void)user;
  tsr_outcome *a = into;
  const tsr_outcome *b = from;
  if (b->status < 0 && (a->status >= 0 || b->rank < a->rank)) *a = *b;
}

void tsr__file_event(tsr_context *c, const tsr_location *where, const char *path)
{
  enum { MOST_SHOWN = 64 };
  const size_t n = path ? strlen(path) : 0;
  tsr__event_of(c, where, TSR_EVENT_FILE, tsr__hash_bytes(n, path, n));
  if (!path)
    tsr__note_event(&c->window, "no path");
  else if (n > MOST_SHOWN)
    tsr__note_event(&c->window, "path ...%s", path + n - MOST_SHOWN);
  else
    tsr__note_event(&c->window, "path %s", path);
}

/* Replaces *mine by the outcome on which the ranks agree. Collective. */
static tsr_status outcome_agree(tsr_context *c, tsr_outcome *mine)
{
  mine->rank = c->world.rank;
  tsr_status told = tsr__allreduce(c->world.transport, mine, sizeof *mine, worse, NULL);
  if (told < 0 && mine->status >= 0) {
    tsr__outcome_fail(mine, "the ranks cannot agree");
    mine->status = told;
  }
  return mine->status;
}

tsr_status tsr__outcome_hear(tsr_context *c, tsr_outcome *rank0)
{
  tsr_status told = tsr__bcast(c->world.transport, 0, rank0, sizeof *rank0);
  if (told < 0 && rank0->status >= 0) {
    tsr__outcome_fail(rank0, "the ranks cannot hear from rank 0");
    rank0->status = told;
  }
  return rank0->status;
}

bool tsr__write_all(int fd, const char *data, size_t n, int64_t at)
{
  while (n > 0) {
    ssize_t k = pwrite(fd, data, n, (off_t)at);
    if (k < 0 && errno == EINTR) continue;
    if (k == 0) errno = 0; /* nothing was written, for no reason that the system names */
    if (k <= 0) return false;
    data += k, at += k, n -= (size_t)k;
  }
  return true;
}

static bool read_all(int fd, char *data, size_t n, int64_t at)
{
  while (n > 0) {
    ssize_t k = pread(fd, data, n, (off_t)at);
    if (k < 0 && errno == EINTR) continue;
    if (k == 0) errno = 0; /* end of file */
    if (k <= 0) return false;
    data += k, at += k, n -= (size_t)k;
  }
  return true;
}

/* Returns the size of the units whose bytes are swapped in the other byte order: an element, or
 * half of one for complex numbers. */
static size_t swap_unit(tsr_dtype dtype)
{
  const tsr_dtype_info *info = tsr__dtype_info(dtype);
  return info->npy[1] == 'c' ? info->size_bytes / 2 : info->size_bytes;
}

/* Converts bytes of the file to elements in memory: swaps the byte order, and makes bools 0 or
 * 1. */
static void mend(char *data, size_t n, tsr_dtype dtype, bool swap)
{
  if (dtype == TSR_DTYPE_BOOL)
    for (size_t i = 0; i < n; i++) data[i] = data[i] != 0;
  size_t unit = swap_unit(dtype);
  if (!swap || unit == 1) return;
  for (char *word = data; word < data + n; word += unit)
    for (size_t i = 0; i < unit / 2; i++) {
      char byte = word[i];
      word[i] = word[unit - 1 - i];
      word[unit - 1 - i] = byte;
    }
}

/** This rank's tile and its offset in the file. */
typedef struct file_tile {
  int ndim;
  int64_t shape[TSR_MAX_NDIM]; /* of the whole array */
  int64_t lo[TSR_MAX_NDIM], n[TSR_MAX_NDIM], stride_bytes[TSR_MAX_NDIM];
  char *data; /* element lo */
  tsr_dtype dtype;
  bool writing, swap;
  int64_t offset; /* byte of the array's first element in the file */
} file_tile;

/** The next element of a tile in row-major order. */
typedef struct cursor {
  tsr_walk rows;
  int64_t in_row;
  char *at;
} cursor;

static void advance(const file_tile *t, cursor *c, int64_t along_row)
{
  const int last = t->ndim - 1;
  c->in_row += along_row;
  c->at += along_row * t->stride_bytes[last];
  if (c->in_row < t->n[last]) return;
  c->in_row = 0;
  c->at -= t->n[last] * t->stride_bytes[last];
  const int axis = tsr__walk_next(&c->rows);
  if (axis >= 0) c->at += tsr__walk_change(&c->rows, axis, t->stride_bytes);
}

/* Copies n elements between the buffer and the tile, from the cursor on. */
static void gather(const file_tile *t, cursor *c, char *buffer, int64_t n)
{
  size_t elem = tsr__dtype_size(t->dtype);
  int last = t->ndim - 1;
  int64_t stride = t->stride_bytes[last];
  while (n > 0) {
    int64_t k = t->n[last] - c->in_row;
    if (k > n) k = n;
    if (stride == (int64_t)elem) {
      memcpy(t->writing ? buffer : c->at, t->writing ? c->at : buffer, (size_t)k * elem);
    } else {
      for (int64_t i = 0; i < k; i++) {
        char *in_file = buffer + (size_t)i * elem, *in_tile = c->at + i * stride;
        memcpy(t->writing ? in_file : in_tile, t->writing ? in_tile : in_file, elem);
      }
    }
    advance(t, c, k);
    buffer += (size_t)k * elem;
    n -= k;
  }
}

/* Moves `n` elements at byte `at` of the file. dense: the elements are contiguous in memory. */
static bool move_run(const file_tile *t, int fd, cursor *c, bool dense, int64_t n, int64_t at,
                     char *buffer)
{
  size_t elem = tsr__dtype_size(t->dtype);
  int64_t most = dense ? n : BUFFER_BYTES / (int64_t)elem;
  for (int64_t k; n > 0; n -= k, at += k * (int64_t)elem) {
    k = n < most ? n : most;
    size_t bytes = (size_t)k * elem;
    char *from = dense ? c->at : buffer;
    if (t->writing) {
      if (!dense) gather(t, c, buffer, k);
      if (!tsr__write_all(fd, from, bytes, at)) return false;
    } else {
      if (!read_all(fd, from, bytes, at)) return false;
      mend(from, bytes, t->dtype, t->swap);
      if (!dense) gather(t, c, buffer, k);
    }
  }
  return true;
}

/* Returns the axis at which runs begin. The tile covers the axes after it whole. */
static int run_axis(const file_tile *t)
{
  int k = t->ndim - 1;
  while (k > 0 && t->n[k] == t->shape[k]) k--;
  return k;
}

static bool is_dense_from(const file_tile *t, int axis)
{
  int64_t stride = (int64_t)tsr__dtype_size(t->dtype);
  for (int k = t->ndim - 1; k >= axis; k--) {
    if (t->n[k] != 1 && t->stride_bytes[k] != stride) return false;
    stride *= t->n[k];
  }
  return true;
}

static bool move_tile(const file_tile *t, int fd)
{
  int64_t elem = (int64_t)tsr__dtype_size(t->dtype);
  for (int k = 0; k < t->ndim; k++)
    if (t->n[k] == 0) return true;
  int axis = run_axis(t);
  bool dense = is_dense_from(t, axis);
  int64_t run = 1;
  for (int k = axis; k < t->ndim; k++) run *= t->n[k];
  char *buffer = dense ? NULL : tsr__malloc(BUFFER_BYTES);
  cursor c = {.rows = tsr__walk_rows(t->ndim - 1, t->n), .at = t->data};
  bool ok = true;
  tsr_walk runs = tsr__walk_rows(axis, t->n);
  do {
    int64_t at = 0;
    for (int k = 0; k < t->ndim; k++) at = at * t->shape[k] + t->lo[k] + runs.index[k];
    if (dense) {
      c.at = t->data;
      for (int k = 0; k < axis; k++) c.at += runs.index[k] * t->stride_bytes[k];
    }
    ok = move_run(t, fd, &c, dense, run, t->offset + at * elem, buffer);
  } while (ok && tsr__walk_next(&runs) >= 0);
  int error = errno;
  free(buffer);
  errno = error;
  return ok;
}

/* Describes a tile. A 0-d array becomes a row of one element. */
static file_tile tile_of(const tsr_view *v, tsr_dtype dtype, const tsr_box *box, void *data,
                         const int64_t *stride_bytes)
{
  file_tile t = {.ndim = v->ndim, .data = data, .dtype = dtype};
  for (int k = 0; k < v->ndim; k++) {
    t.shape[k] = v->shape[k];
    t.lo[k] = box->lo[k];
    t.n[k] = box->n[k];
    t.stride_bytes[k] = stride_bytes[k];
  }
  if (t.ndim == 0) {
    t.ndim = 1;
    t.shape[0] = 1;
    t.n[0] = data != NULL;
    t.stride_bytes[0] = (int64_t)tsr__dtype_size(dtype);
  }
  return t;
}

static bool owns_any(const file_tile *t)
{
  int64_t least = 1;
  for (int k = 0; k < t->ndim; k++) least = t->n[k] < least ? t->n[k] : least;
  return least > 0;
}

/* Sends rank 0's temporary name to all ranks. Collective. */
static char *hear_name(tsr_context *c, char *name, tsr_outcome *o)
{
  uint64_t bytes = name ? strlen(name) + 1 : 0;
  tsr_status status = tsr__bcast(c->world.transport, 0, &bytes, sizeof bytes);
  if (status >= 0 && c->world.rank != 0) name = tsr__calloc(1, (size_t)bytes);
  if (status >= 0) status = tsr__bcast(c->world.transport, 0, name, (size_t)bytes);
  if (status < 0 && o->status >= 0) {
    tsr__outcome_fail(o, "the ranks cannot hear from rank 0");
    o->status = status;
  }
  return name;
}

/* Writes the tile to the file. Rank 0 has the file open and writes the head. */
static void write_part(const file_tile *t, int rank, int fd, const char *name, const void *head,
                       size_t n, bool durable, tsr_outcome *o)
{
  bool any = owns_any(t) || rank == 0;
  if (fd < 0 && any) fd = open(name, O_WRONLY | O_CLOEXEC);
  if (!any) return;
  bool ok = fd >= 0 && (rank != 0 || tsr__write_all(fd, head, n, 0)) && move_tile(t, fd);
  if (ok && durable) ok = fsync(fd) == 0;
  if (!ok) tsr__outcome_fail(o, "%s", errno ? strerror(errno) : "nothing could be written");
  if (fd >= 0 && close(fd) && ok) tsr__outcome_fail(o, "%s", strerror(errno));
}

static tsr_outcome write_file(tsr_context *c, const file_tile *t, const char *path,
                              const void *head, size_t n, bool durable)
{
  tsr_outcome o = {.status = TSR_OK};
  tsr_temporary temporary = {.name = NULL};
  int fd = -1, rank = c->world.rank;
  if (rank == 0) tsr__temporary_open(path, &fd, &temporary, &o);
  if (tsr__outcome_hear(c, &o) < 0) return o;
  char *name = hear_name(c, temporary.name, &o);
  if (o.status >= 0) write_part(t, rank, fd, name, head, n, durable, &o);
  outcome_agree(c, &o);
  if (rank == 0)
    tsr__temporary_end(&temporary, durable, &o);
  else
    free(name);
  tsr__outcome_hear(c, &o);
  return o;
}

/* Returns whether the view lends each element to exactly one rank's tile. */
static bool lends_once(const tsr_view *v)
{
  if (v->ndim == 0 && v->rdim > 0) return false; /* the element has no single owner */
  for (int k = 0; k < v->rdim; k++) {
    int n = 0;
    for (int j = 0; j < v->ndim; j++) n += v->step[k][j] != 0 && v->shape[j] > 1;
    if (n > 1) return false;
  }
  return tsr__view_is_injective(v);
}

static const char *shown(const char *path)
{
  return path ? path : "(null)";
}

tsr_status tsr__file_save(tsr_context *c, const tsr_location *where, tsr_operand operand,
                          const char *path, const void *head, size_t n, bool durable)
{
  tsr_value x;
  tsr_array copy = tsr_null();
  if (!tsr__value_of(c, where, operand, &x)) return tsr__value_status(c, operand);
  if (!x.region && !tsr__as_array(c, where, operand, &x)) return c->last_status;
  if (!lends_once(&x.view->view)) {
    copy = tsr_copy_at(where, operand);
    if (!tsr__value_of(c, where, tsr_box_array(copy), &x)) return c->last_status;
  }
  tsr_box box;
  void *data;
  int64_t strides[TSR_MAX_NDIM], none[TSR_MAX_NDIM] = {0};
  tsr__event(c, where, TSR_EVENT_LOCAL,
             operand.kind == TSR_OPERAND_ARRAY ? operand.as.array : tsr_null());
  tsr_status status = tsr__local_begin(c->scheduler, x.region, &x.view->view, none, false, where,
                                       &box, &data, strides, NULL);
  if (status >= 0) {
    file_tile t = tile_of(&x.view->view, x.dtype, &box, data, strides);
    t.writing = true;
    t.offset = (int64_t)n;
    tsr_outcome o = write_file(c, &t, path, head, n, durable);
    tsr__local_end(c->scheduler, x.region, &x.view->view, false, false, where);
    if (o.status < 0)
      status = tsr__fail(c, where, o.status, "cannot write `%s`: %s", shown(path), o.why);
  } else {
    status = tsr__settle(c, status);
  }
  if (tsr_ok(copy)) tsr__handle_release(c, tsr__handle_peek(c, copy), where);
  return status;
}

tsr_status tsr__file_load(tsr_context *c, const tsr_location *where, tsr_array x, const char *path,
                          int64_t offset, bool swap)
{
  tsr_handle *s = tsr__handle_peek(c, x);
  tsr_region *region = s->region;
  const tsr_view *v = &s->view->view;
  tsr_box box;
  void *data;
  int64_t strides[TSR_MAX_NDIM], none[TSR_MAX_NDIM] = {0};
  tsr_outcome o = {.status = TSR_OK};
  tsr__event(c, where, TSR_EVENT_LOCAL, x);
  TSR_TRY(tsr__settle(
      c, tsr__local_begin(c->scheduler, region, v, none, true, where, &box, &data, strides, NULL)));
  file_tile t = tile_of(v, region->dtype, &box, data, strides);
  t.offset = offset;
  t.swap = swap;
  if (owns_any(&t)) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || !move_tile(&t, fd))
      tsr__outcome_fail(&o, "%s", errno ? strerror(errno) : "it became shorter");
    if (fd >= 0) close(fd);
  }
  outcome_agree(c, &o);
  tsr__event(c, where, TSR_EVENT_LOCAL_END, x);
  tsr_status ended = tsr__settle(c, tsr__local_end(c->scheduler, region, v, true, false, where));
  if (o.status >= 0) return ended;
  return tsr__fail(c, where, o.status, "cannot read `%s`: %s", path, o.why);
}
