/* tsr_save_npy and tsr_load_npy. Rank 0 reads the head, and every rank reads its own tile. */
#include "array/files/file.h"
#include "array/files/npy.h"
#include "runtime/base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tessera/files.h"

tsr_status tsr_save_npy_at(const tsr_location *where, tsr_operand x, const char *path)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_value value;
  if (!tsr__value_of(c, where, x, &value)) return tsr__value_status(c, x);
  tsr__file_event(c, where, path);
  const tsr_dims shape = tsr__value_shape(&value);
  size_t n;
  char *head = tsr__npy_head(value.dtype, &shape, &n);
  tsr_status status = tsr__file_save(c, where, x, path, head, n, true);
  free(head);
  return status;
}

/** What rank 0 broadcasts about the file. */
typedef struct found {
  tsr_outcome outcome;
  tsr_npy head;
} found;

static void read_head(const char *path, found *f)
{
  enum { MOST = TSR_NPY_PRELUDE_MAX + TSR_NPY_HEAD_MAX };
  tsr_outcome *o = &f->outcome;
  if (!path) {
    tsr__outcome_fail(o, "the path is NULL");
    o->status = TSR_ERR_ARGUMENT;
    return;
  }
  struct stat st;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* O_NONBLOCK: a pipe may lack a writer */
  if (fd < 0 || fstat(fd, &st)) {
    tsr__outcome_fail(o, "%s", strerror(errno));
  } else if (!S_ISREG(st.st_mode)) {
    tsr__outcome_fail(o, "%s", tsr__no_file_text(&st));
  } else {
    char *bytes = tsr__malloc(MOST);
    ssize_t n = 0;
    for (ssize_t k; n < MOST && (k = pread(fd, bytes + n, (size_t)(MOST - n), n)) != 0;) {
      if (k < 0 && errno == EINTR) continue;
      if (k < 0) tsr__outcome_fail(o, "%s", strerror(errno));
      if (k < 0) break;
      n += k;
    }
    tsr_npy_error error;
    if (o->status >= 0 && !tsr__npy_parse(bytes, (size_t)n, st.st_size, &f->head, &error)) {
      tsr__outcome_fail(o, "at byte %" PRId64 ": %s", error.at, error.why);
      o->status = error.status;
    }
    free(bytes);
  }
  if (fd >= 0) close(fd);
}

static tsr_array fail_head(tsr_context *c, const tsr_location *where, const char *path,
                           const tsr_outcome *o)
{
  tsr_error *e =
      tsr__fail_begin(c, where, o->status, "cannot read `%s`: %s", path ? path : "(null)", o->why);
  if (o->status == TSR_ERR_DTYPE) {
    tsr_text names = {0};
    for (int d = 0; d < TSR_N_DTYPES; d++)
      tsr__text_add(&names, "%s%s", d ? ", " : "", tsr__dtype_info((tsr_dtype)d)->name);
    tsr__error_help(e, "the types are %s; convert the file with numpy.ndarray.astype", names.s);
    tsr__text_free(&names);
  }
  tsr__fail_end(c);
  return tsr_null();
}

tsr_array tsr_load_npy_at(const tsr_location *where, const char *path)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  found f = {0};
  tsr__file_event(c, where, path);
  if (tsr__settle(c, tsr__agree(c->scheduler, where)) < 0) return tsr_null();
  if (c->world.rank == 0) read_head(path, &f);
  tsr_status told = tsr__bcast(c->world.transport, 0, &f, sizeof f);
  if (told < 0) {
    tsr__fail(c, where, told, "the ranks cannot hear from rank 0");
    return tsr_null();
  }
  if (f.outcome.status < 0) return fail_head(c, where, path, &f.outcome);
  /* Column-major data is a row-major array with its axes reversed. */
  bool turned = f.head.fortran_order && f.head.shape.ndim > 1;
  tsr_dims shape = f.head.shape;
  for (int k = 0; turned && k < shape.ndim; k++) shape.n[k] = f.head.shape.n[shape.ndim - 1 - k];
  if (tsr__checked_size(c, where, &shape, f.head.dtype) < 0) return tsr_null();
  tsr_new made = tsr__make(c, where, f.head.dtype, &shape);
  tsr__fill(c, where, tsr__scalar_cast((tsr_scalar){.dtype = TSR_DTYPE_INT64}, f.head.dtype),
            &made);
  tsr__recorded(c);
  tsr_array x = made.array;
  bool ok = tsr__file_load(c, where, x, path, f.head.offset, f.head.swap) >= 0;
  if (ok && turned) x = tsr_transpose_at(where, x, (tsr_axes){.n = -1});
  if (!ok || turned) tsr__handle_release(c, tsr__handle_peek(c, made.array), where);
  return ok ? x : tsr_null();
}
