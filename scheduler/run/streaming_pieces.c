/* Streamed chunks, which run on a device whose memory does not hold all of their data.
 *
 * A chunk is cut into pieces whose data from the host's memory fits into an entry of the ring
 * (streaming_ring.h). One queue brings the data over, a second runs the piece, a third brings back
 * what it made, so three pieces are under way at once. The loads of one array lie in the entry as
 * boxes of it, with displaced loads together in one box; loads of few points in a large box, and
 * what is stored, lie dense over the piece. Only points that are stored go back.
 *
 * The ring's lock is held while a piece is put into the queues, and while an entry is waited for,
 * which depends on the device only. */
#include "scheduler/run/streaming_pieces.h"
#include "runtime/base/alloc.h"
#include "scheduler/run/chunk.h"
#include "scheduler/run/launched.h"
#include "scheduler/run/streaming_ring.h"

#include <stdlib.h>
#include <string.h>

/* Data that is brought over, or back, at once. */
typedef struct tsr_streamed {
  int32_t access;     /* the first access that it serves */
  bool dense;         /* dense over the piece; else a box of the region */
  tsr_instance shape; /* data unused */
  size_t offset;      /* bytes from the begin of the entry */
} tsr_streamed;

size_t tsr__streaming_least(int32_t n_accesses)
{
  return (size_t)n_accesses * TSR_STREAMING_UNIT;
}

/* What an access touches from a box. */
static const tsr_instance *instance_of(const tsr_run *run, const tsr_group *g, const tsr_access *a,
                                       const tsr_box *box)
{
  return &run->binding
              ->instances[tsr__access_slot(a, tsr__chain_block_of(&g->blocks, &g->part, box))];
}

static bool is_spilled(const tsr_run *run, const tsr_group *g, const tsr_access *a,
                       const tsr_box *box)
{
  return !a->scratch && instance_of(run, g, a, box)->space != TSR_SPACE_PLACE;
}

bool tsr__streaming_is_needed(const tsr_run *run, const tsr_group *g, const tsr_box *chunk)
{
  if (run->device == NULL || !run->binding->any_spilled) return false;
  for (int32_t i = 0; i < g->accesses.n; i++)
    if (is_spilled(run, g, &g->accesses.v[i], chunk)) return true;
  return false;
}

static size_t elem_bytes_of(const tsr_group *g, int32_t access)
{
  return tsr__dtype_size(tsr__access_dtype(&g->accesses, access));
}

/* The points of an access over the piece; axes along which it repeats them count once. */
static tsr_box box_of_access(const tsr_group *g, int32_t access, const tsr_box *piece)
{
  tsr_box box = *piece;
  for (int k = 0; k < g->ndim; k++) {
    box.lo[k] = 0;
    box.step[k] = 1;
    if (g->accesses.strides[access][k] == 0) box.n[k] = 1;
  }
  return box;
}

static tsr_box image_of(const tsr_run *run, const tsr_group *g, const tsr_access *a,
                        const tsr_box *piece)
{
  tsr_box box;
  tsr__view_image(&a->view->view, piece, &box);
  box = tsr__box_dense_hull(&box);
  TSR_ASSERT(tsr__box_contains(&instance_of(run, g, a, piece)->alloc, &box));
  return box;
}

static void add_streamed(tsr_streaming *streaming, const tsr_group *g, int32_t access,
                         const tsr_box *box, bool dense)
{
  tsr_streamed *s = &streaming->streamed[streaming->n_streamed];
  *s = (tsr_streamed){.access = access, .dense = dense};
  tsr__instance_dense(&s->shape, box, elem_bytes_of(g, access));
  streaming->streamed_of[access] = streaming->n_streamed++;
}

/* Joins displaced loads in one box; loads of a single point never. */
static void add_loads(tsr_streaming *streaming, const tsr_run *run, const tsr_group *g,
                      int32_t first, const tsr_box *piece)
{
  const tsr_box points = box_of_access(g, first, piece);
  tsr_box box = image_of(run, g, &g->accesses.v[first], piece);
  const bool dense = tsr__box_volume(&box) > 2 * tsr__box_volume(&points);
  if (!dense && tsr__box_volume(piece) > 1)
    box = tsr__joined_box(g, first, piece, streaming->n_streamed, streaming->streamed_of);
  add_streamed(streaming, g, first, dense ? &points : &box, dense);
}

/* Lays the piece's data out in an entry. Returns the bytes that it takes. */
static size_t lay_out_entry(tsr_streaming *streaming, const tsr_run *run, const tsr_group *g,
                            const tsr_box *piece)
{
  if (streaming->capacity < g->accesses.n) {
    streaming->capacity = g->accesses.n;
    const size_t n = (size_t)streaming->capacity;
    streaming->streamed = tsr__realloc(streaming->streamed, n * sizeof *streaming->streamed);
    streaming->streamed_of =
        tsr__realloc(streaming->streamed_of, n * sizeof *streaming->streamed_of);
  }
  streaming->n_streamed = 0;
  for (int32_t i = 0; i < g->accesses.n; i++) streaming->streamed_of[i] = -1;
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (streaming->streamed_of[i] >= 0 || !is_spilled(run, g, a, piece) ||
        !tsr__is_active(a, piece))
      continue;
    const tsr_box points = box_of_access(g, i, piece);
    if (a->store)
      add_streamed(streaming, g, i, &points, true);
    else
      add_loads(streaming, run, g, i, piece);
  }
  size_t bytes = 0;
  for (int32_t i = 0; i < streaming->n_streamed; i++) {
    streaming->streamed[i].offset = bytes;
    bytes += (streaming->streamed[i].shape.bytes + TSR_STREAMING_UNIT - 1) / TSR_STREAMING_UNIT *
             TSR_STREAMING_UNIT;
  }
  return bytes;
}

/* The points of access i over the piece, between the host's memory and the entry. */
static tsr_points dense_points(const tsr_run *run, const tsr_group *g, const tsr_streamed *s,
                               char *data, const tsr_box *piece)
{
  const tsr_instance *i = &s->shape;
  char *host = tsr__access_at(run, g, s->access, piece), *entry = data + s->offset;
  const bool store = g->accesses.v[s->access].store;
  tsr_points p = {.ndim = g->ndim,
                  .dst = store ? host : entry,
                  .src = store ? entry : host,
                  .elem_bytes = elem_bytes_of(g, s->access)};
  for (int k = 0; k < g->ndim; k++) {
    p.n[k] = i->alloc.n[k];
    p.dst_step[k] = store ? g->accesses.strides[s->access][k] : i->stride_bytes[k];
    p.src_step[k] = store ? i->stride_bytes[k] : g->accesses.strides[s->access][k];
  }
  return p;
}

static void bring_entry(tsr_run *run, tsr_streaming *streaming, const tsr_group *g,
                        tsr_streaming_entry *to)
{
  for (int32_t i = 0; i < streaming->n_streamed; i++) {
    const tsr_streamed *s = &streaming->streamed[i];
    if (g->accesses.v[s->access].store) continue;
    tsr_instance in = s->shape;
    in.data = to->data + s->offset;
    const tsr_points p =
        s->dense
            ? dense_points(run, g, s, to->data, &to->piece)
            : tsr__instance_points(&in, instance_of(run, g, &g->accesses.v[s->access], &to->piece),
                                   &in.alloc, elem_bytes_of(g, s->access));
    tsr__ring_follow_writes(run, streaming, &p, true);
    tsr__ring_copy(run, TSR_QUEUE_IN, TSR_COPY_IN, &p);
  }
}

static bool bring_back(tsr_run *run, tsr_streaming *streaming, const tsr_group *g,
                       tsr_streaming_entry *from)
{
  bool any = false;
  for (int32_t i = 0; i < streaming->n_streamed; i++) {
    const tsr_streamed *s = &streaming->streamed[i];
    if (!g->accesses.v[s->access].store) continue;
    if (!any)
      tsr__device_follow(run->device, TSR_QUEUE_OUT,
                         tsr__device_record(run->device, TSR_QUEUE_RUN));
    const tsr_points p = dense_points(run, g, s, from->data, &from->piece);
    tsr__ring_copy(run, TSR_QUEUE_OUT, TSR_COPY_OUT, &p);
    tsr__ring_note_write(run, streaming, &p, true);
    any = true;
  }
  return any;
}

/* Finds where the kernel has access i: in the entry or in the device's memory. */
static void locate(const tsr_run *run, const tsr_streaming *streaming, const tsr_group *g,
                   int32_t i, tsr_streaming_entry *to)
{
  int64_t *stride = to->at.stride[i];
  memcpy(stride, g->accesses.strides[i], sizeof to->at.stride[i]);
  if (streaming->streamed_of[i] < 0) {
    to->at.base[i] = is_spilled(run, g, &g->accesses.v[i], &to->piece)
                         ? NULL
                         : tsr__access_at(run, g, i, &to->piece);
    return;
  }
  const tsr_streamed *s = &streaming->streamed[streaming->streamed_of[i]];
  tsr_instance in = s->shape;
  in.data = to->data + s->offset + run->shift_bytes;
  if (s->dense) {
    to->at.base[i] = in.data;
    for (int k = 0; k < g->ndim; k++)
      if (stride[k] != 0) stride[k] = in.stride_bytes[k];
    return;
  }
  const tsr_view *v = &g->accesses.v[i].view->view;
  to->at.base[i] = tsr__instance_seen(&in, v, to->piece.lo);
  tsr__instance_strides(&in, v, stride);
}

static void locate_all(tsr_run *run, const tsr_streaming *streaming, const tsr_group *g,
                       tsr_streaming_entry *to)
{
  if (to->capacity < g->accesses.n) {
    to->capacity = g->accesses.n;
    const size_t n = (size_t)to->capacity;
    to->at.base = tsr__realloc(to->at.base, n * sizeof *to->at.base);
    to->at.stride = tsr__realloc(to->at.stride, n * sizeof *to->at.stride);
  }
  for (int32_t i = 0; i < g->accesses.n; i++)
    if (!g->accesses.v[i].scratch) locate(run, streaming, g, i, to);
  const int32_t n_scalars = g->accesses.kernel->n_scalars;
  if (to->n_scalars < n_scalars) {
    to->n_scalars = n_scalars;
    to->scalars = tsr__realloc(to->scalars, (size_t)n_scalars * sizeof *to->scalars);
  }
  if (n_scalars > 0)
    memcpy(to->scalars, run->binding->scalars + g->accesses.first_scalar,
           (size_t)n_scalars * sizeof *to->scalars);
  to->at.scalars = to->scalars;
}

/* What a piece stores in the device's memory must not be on its way out any more. */
static void take_back_stores(tsr_run *run, tsr_streaming *streaming, const tsr_group *g,
                             const tsr_streaming_entry *s)
{
  for (int32_t i = 0; i < g->accesses.n && streaming->n_lent > 0; i++) {
    const tsr_access *a = &g->accesses.v[i];
    if (!a->store || a->scratch || streaming->streamed_of[i] >= 0 || s->at.base[i] == NULL)
      continue;
    tsr_points p = {.ndim = g->ndim,
                    .src = (const char *)s->at.base[i] - run->shift_bytes,
                    .elem_bytes = elem_bytes_of(g, i)};
    memcpy(p.n, s->piece.n, sizeof p.n);
    memcpy(p.src_step, s->at.stride[i], sizeof p.src_step);
    tsr__ring_take_back(run, streaming, &p);
  }
}

/* Runs a piece; called by the queue that runs. */
static void run_entry(void *arg, tsr_device *d)
{
  tsr_streaming_entry *s = arg;
  tsr__run_located(s->run, &s->run->plan->groups[s->group], &s->piece, &s->at, d);
}

static void put_piece(tsr_run *run, tsr_streaming *streaming, const tsr_group *g,
                      const tsr_box *piece)
{
  tsr_device *d = run->device;
  tsr_streaming_entry *s = &streaming->entries[streaming->next];
  streaming->next = (streaming->next + 1) % streaming->n_entries;
  tsr__device_wait(d, s->over);
  s->run = run;
  s->group = (int32_t)(g - run->plan->groups);
  s->piece = *piece;
  locate_all(run, streaming, g, s);
  bring_entry(run, streaming, g, s);
  tsr__device_follow(d, TSR_QUEUE_RUN, tsr__device_record(d, TSR_QUEUE_IN));
  take_back_stores(run, streaming, g, s);
  if (tsr__run_by_code(run))
    tsr__run_launch(run, g, piece, &s->at, streaming->worker);
  else
    tsr__device_put_call(d, run_entry, s);
  const bool any = bring_back(run, streaming, g, s);
  s->over = tsr__device_record(d, any ? TSR_QUEUE_OUT : TSR_QUEUE_RUN);
  __atomic_fetch_add(&run->plan->scheduler->counters.n_streamed_runs, 1, __ATOMIC_RELAXED);
}

/* May the data that is brought over for one piece hold points that another piece writes? */
static bool is_entangled(const tsr_run *run, const tsr_group *g, const tsr_box *chunk)
{
  for (int32_t i = 0; i < g->accesses.n; i++)
    for (int32_t j = 0; j < g->accesses.n; j++) {
      const tsr_access *load = &g->accesses.v[i], *store = &g->accesses.v[j];
      if (load->store || !store->store || !is_spilled(run, g, load, chunk) ||
          !is_spilled(run, g, store, chunk))
        continue;
      if (instance_of(run, g, load, chunk)->data == instance_of(run, g, store, chunk)->data &&
          !tsr__view_equal(&load->view->view, &store->view->view))
        return true;
    }
  return false;
}

/* The most points along an axis with which a piece of the box fits into an entry: the bytes grow by
 * as many with each. 0: not even one fits. *bytes: of one piece. */
static int64_t most_along(tsr_run *run, tsr_streaming *streaming, const tsr_group *g,
                          const tsr_box *box, int axis, size_t *bytes)
{
  tsr_box piece = *box;
  size_t of[2];
  for (int i = 0; i < 2; i++) {
    piece.n[axis] = i + 1;
    of[i] = lay_out_entry(streaming, run, g, &piece);
  }
  *bytes = of[0];
  if (of[0] > streaming->entry_bytes) return 0;
  int64_t n = box->n[axis] - 1; /* all of them do not */
  if (of[1] > of[0]) {
    const int64_t more = (int64_t)((streaming->entry_bytes - of[0]) / (of[1] - of[0]));
    if (n > 1 + more) n = 1 + more;
  }
  for (;; n -= (n + 7) / 8) { /* loads that do not move alike may take more */
    piece.n[axis] = n;
    *bytes = lay_out_entry(streaming, run, g, &piece);
    if (n == 1 || *bytes <= streaming->entry_bytes) return n;
  }
}

/* Returns the length of the pieces into which a box that does not fit is cut along *axis: that
 * which brings the fewest bytes over, since displaced loads bring some twice at every cut. If cuts
 * along no single axis are enough, these are halves along the first axis. */
static int64_t piece_length(tsr_run *run, tsr_streaming *streaming, const tsr_group *g,
                            const tsr_box *box, int *axis)
{
  double least = 0;
  int64_t n = 0;
  for (int k = 0; k < box->ndim; k++) {
    size_t bytes;
    const int64_t most = box->n[k] < 2 ? 0 : most_along(run, streaming, g, box, k, &bytes);
    if (most == 0) continue;
    const int64_t n_pieces = (box->n[k] + most - 1) / most;
    const double all = (double)bytes * (double)box->n[k] / (double)most;
    if (n > 0 && all >= least) continue;
    least = all;
    *axis = k;
    n = (box->n[k] + n_pieces - 1) / n_pieces;
  }
  if (n > 0) return n;
  for (*axis = 0; box->n[*axis] < 2;) {
    ++*axis;
    TSR_ASSERT(*axis < box->ndim); /* a single point fits: tsr__streaming_least */
  }
  return (box->n[*axis] + 1) / 2;
}

static void put_box(tsr_run *run, tsr_streaming *streaming, const tsr_group *g, const tsr_box *box)
{
  if (lay_out_entry(streaming, run, g, box) <= streaming->entry_bytes) {
    put_piece(run, streaming, g, box);
    return;
  }
  int axis;
  const int64_t n = piece_length(run, streaming, g, box, &axis);
  tsr_box piece = *box;
  for (int64_t first = 0; first < box->n[axis]; first += n) {
    piece.lo[axis] = box->lo[axis] + first * box->step[axis];
    piece.n[axis] = box->n[axis] - first < n ? box->n[axis] - first : n;
    put_box(run, streaming, g, &piece);
  }
}

void tsr__streaming_chunk(tsr_run *run, const tsr_group *g, const tsr_box *chunk, int worker)
{
  tsr_streaming *streaming = run->plan->scheduler->streaming[run->plan->here];
  const int32_t group = (int32_t)(g - run->plan->groups);
  pthread_mutex_lock(&streaming->lock);
  streaming->worker = worker;
  if (streaming->run != run || streaming->group != group) {
    streaming->run = run;
    streaming->group = group;
    streaming->entangled = is_entangled(run, g, chunk);
    for (int i = 0; i < streaming->n_writes; i++) streaming->writes[i].of_group = false;
  }
  put_box(run, streaming, g, chunk);
  pthread_mutex_unlock(&streaming->lock);
}
