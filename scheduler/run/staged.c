/* Staged chunks: boxes of a group that a device which runs no C has in its memory, and that the
 * host runs. What the group loads is copied out, dense, and what it stored is copied back. So run
 * groups whose values are reduced, since the trees are the host's, and kernels whose code could not
 * be had. Each box waits for the device twice, once where nothing is stored. */
#include "scheduler/run/staged.h"
#include "scheduler/run/chunk.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)64 << 20) /* of what is copied at once */

/* A box, and where its accesses are; base: not yet, if it is the run's own memory. */
typedef struct staged {
  tsr_run *run;
  const tsr_group *g;
  const tsr_box *box;
  const int64_t (*stride)[TSR_MAX_NDIM];
  bool is_own; /* it is the run's own memory, of which some may be the host's */
} staged;

static staged make_staged(tsr_run *run, const tsr_group *g, const tsr_box *box,
                          const tsr_located *at)
{
  return (staged){run, g, box,
                  (const int64_t(*)[TSR_MAX_NDIM])(at != NULL ? at->stride : g->accesses.strides),
                  at == NULL};
}

/* The bytes of an access over the box, each element once. */
static size_t bytes_of_access(const staged *x, int32_t i)
{
  size_t bytes = tsr__dtype_size(tsr__access_dtype(&x->g->accesses, i));
  for (int k = 0; k < x->g->ndim; k++)
    if (x->stride[i][k] != 0) bytes *= (size_t)x->box->n[k];
  return tsr__round_up(bytes, 64);
}

/* Returns whether the access is of memory, and the one of those that take turns that the box
 * has. */
static bool is_used(const staged *x, int32_t i)
{
  return !x->g->accesses.v[i].scratch && tsr__is_active(&x->g->accesses.v[i], x->box);
}

static bool is_staged(const staged *x, int32_t i)
{
  return is_used(x, i) && (!x->is_own || tsr__access_is_resident(x->run, x->g, i, x->box));
}

static size_t buffer_bytes(const staged *x)
{
  size_t bytes = 0;
  for (int32_t i = 0; i < x->g->accesses.n; i++)
    if (is_staged(x, i)) bytes += bytes_of_access(x, i);
  return bytes;
}

/* The points of an access, from the device's memory to dense ones in the host's. */
static tsr_points points_to_host(const tsr_group *g, int32_t i, const tsr_box *box,
                                 const tsr_located *from, const tsr_located *to)
{
  tsr_points p = {.ndim = g->ndim, .src = from->base[i], .dst = to->base[i]};
  p.elem_bytes = tsr__dtype_size(tsr__access_dtype(&g->accesses, i));
  memcpy(p.n, box->n, sizeof p.n);
  memcpy(p.src_step, from->stride[i], sizeof p.src_step);
  memcpy(p.dst_step, to->stride[i], sizeof p.dst_step);
  for (int k = 0; k < g->ndim; k++)
    if (p.src_step[k] == 0) p.n[k] = 1; /* the points repeat */
  return p;
}

static tsr_points reverse(tsr_points p)
{
  tsr_points out = p;
  out.src = p.dst;
  out.dst = (char *)(uintptr_t)p.src;
  memcpy(out.src_step, p.dst_step, sizeof out.src_step);
  memcpy(out.dst_step, p.src_step, sizeof out.dst_step);
  return out;
}

/* Lays the accesses of a box out in the buffer. */
static void lay_out_accesses(const staged *x, const tsr_located *from, char *buffer,
                             tsr_located *to)
{
  const tsr_group *g = x->g;
  const tsr_box *box = x->box;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    int64_t step = (int64_t)tsr__dtype_size(tsr__access_dtype(&g->accesses, i));
    memset(to->stride[i], 0, sizeof to->stride[i]);
    if (is_used(x, i) && !is_staged(x, i)) { /* the host reaches it */
      to->base[i] = from->base[i];
      memcpy(to->stride[i], from->stride[i], sizeof to->stride[i]);
    }
    if (!is_staged(x, i)) continue;
    to->base[i] = buffer;
    buffer += bytes_of_access(x, i);
    for (int k = g->ndim - 1; k >= 0; k--) {
      if (from->stride[i][k] == 0) continue;
      to->stride[i][k] = step;
      step *= box->n[k];
    }
  }
}

static void copy_all(const staged *x, const tsr_located *from, const tsr_located *to, bool back)
{
  const tsr_group *g = x->g;
  tsr_device *d = x->run->device;
  bool any = false;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    if (!is_staged(x, i) || g->accesses.v[i].store != back) continue;
    const tsr_points p = points_to_host(g, i, x->box, from, to);
    any = true;
    if (back) {
      const tsr_points q = reverse(p);
      tsr__device_put_copy(d, TSR_QUEUE_RUN, TSR_COPY_IN, &q);
    } else {
      tsr__device_put_copy(d, TSR_QUEUE_RUN, TSR_COPY_OUT, &p);
    }
  }
  if (any) tsr__run_sync(x->run);
}

/* The lane's buffer holds where the accesses are and are copied to, and then the copies. */
static void run_piece(tsr_run *run, const tsr_group *g, const tsr_box *box, const tsr_located *at,
                      int worker)
{
  const staged x = make_staged(run, g, box, at);
  const size_t n = (size_t)g->accesses.n;
  tsr_located from, to;
  const size_t base_bytes = n * sizeof *to.base, stride_bytes = n * sizeof *to.stride;
  const size_t head = tsr__round_up(2 * base_bytes + stride_bytes, 64);
  char *buffer =
      tsr__launcher_buffer(run->plan->scheduler->launcher, worker, head + buffer_bytes(&x));
  to = (tsr_located){(void **)buffer, (int64_t(*)[TSR_MAX_NDIM])(buffer + 2 * base_bytes), NULL};
  if (at != NULL) {
    from = *at;
  } else {
    from = (tsr_located){(void **)(buffer + base_bytes), g->accesses.strides,
                         run->binding->scalars + g->accesses.first_scalar};
    for (int32_t i = 0; i < g->accesses.n; i++)
      if (is_used(&x, i)) from.base[i] = tsr__access_at(run, g, i, box);
  }
  to.scalars = from.scalars;
  lay_out_accesses(&x, &from, buffer + head, &to);
  copy_all(&x, &from, &to, false);
  if (tsr__run_has_failed(run)) return;
  if (g->is_task)
    tsr__run_chunk(run, g, box, &to, worker);
  else
    tsr__run_box(run, g, box, &to, worker);
  copy_all(&x, &from, &to, true);
}

/* Runs one half of the box, the second or the first, along an axis. */
static void run_half(tsr_run *run, const tsr_group *g, const tsr_box *box, const tsr_located *at,
                     int axis, bool second, int worker)
{
  const size_t n = (size_t)g->accesses.n;
  const int64_t before = second ? box->n[axis] / 2 : 0;
  tsr_box half = *box;
  half.lo[axis] += before;
  half.n[axis] = second ? box->n[axis] - before : box->n[axis] / 2;
  if (at == NULL) {
    tsr__run_staged(run, g, &half, NULL, worker);
    return;
  }
  tsr_located there = *at;
  there.base = tsr__calloc(n + 1, sizeof *there.base);
  for (size_t i = 0; i < n; i++)
    if (at->base[i] != NULL) there.base[i] = (char *)at->base[i] + before * at->stride[i][axis];
  tsr__run_staged(run, g, &half, &there, worker);
  free(there.base);
}

void tsr__run_staged(tsr_run *run, const tsr_group *g, const tsr_box *box, const tsr_located *at,
                     int worker)
{
  const staged x = make_staged(run, g, box, at);
  const int n_axes = g->is_task ? g->accesses.task.n_kept : box->ndim; /* that may be cut */
  int axis = 0;
  TSR_ASSERT(tsr__run_by_code(run) && !g->is_user);
  while (axis < n_axes && box->n[axis] < 2) axis++;
  if (axis == n_axes || buffer_bytes(&x) <= MOST_BYTES) {
    run_piece(run, g, box, at, worker);
    return;
  }
  run_half(run, g, box, at, axis, false, worker);
  run_half(run, g, box, at, axis, true, worker);
}
