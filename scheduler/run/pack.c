/* Packing on a device: the boxes that messages take out of its arrays, or bring into them.
 *
 * A box that is one run of the device's memory is copied as it lies. Any other is packed by a
 * kernel, the identity, into its message's area of a block of device memory; the queue for copies
 * out follows that kernel, and copies boxes that lie side by side in the block at once. What
 * arrives is copied into the block by the queue for copies in; the queue that runs follows it, and
 * a kernel there unpacks it.
 *
 * A message has its area of the block for all of a run. The place keeps the block: between runs it
 * holds nothing, and whoever lacks memory for an array takes it back. Boxes without an area are
 * copied point by point as they lie. The message's bytes are the same in each case.
 *
 * The thread that starts a run hands the areas out, while nothing is in the queues. */
#include "scheduler/run/pack.h"
#include "scheduler/run/chunk.h"
#include "scheduler/run/copy.h"
#include "scheduler/run/movers.h"

#include <stdlib.h>
#include <string.h>

enum { UNIT_BYTES = 16 };             /* an area is a multiple of this: any element fits one */
#define MOST_BYTES ((size_t)64 << 20) /* of all areas of a run */

/** How a piece of a message is packed. */
typedef struct packing {
  const tsr_instance *instance;
  const tsr_box *box;
  size_t elem_bytes, bytes;
  size_t at; /* bytes from the begin of the message */
  /* bytes from the begin of the message's area of the block, where the box would lie if packed */
  size_t offset;
  bool is_strided; /* it is not one run of the device's memory */
  bool is_packed;
} packing;

/* The box of piece i of a message, behind the one before it, `last` (all zero for the first). */
static packing next_packing(const tsr_run_message *m, int32_t i, const packing *last)
{
  const tsr_run *run = m->run;
  const tsr_plan *plan = run->plan;
  const tsr_piece *piece = &plan->messages[m->what].pieces[i];
  packing x = {.instance = &run->binding->instances[piece->slot],
               .box = &piece->box,
               .elem_bytes = tsr__slot_elem_bytes(plan, piece->slot),
               .at = last->at + last->bytes,
               .offset = last->offset + (last->is_strided ? last->bytes : 0)};
  x.bytes = (size_t)tsr__box_volume(x.box) * x.elem_bytes;
  x.offset = tsr__round_up(x.offset, x.elem_bytes);
  if (run->device == NULL || x.instance->space != TSR_SPACE_PLACE) return x;
  const tsr_points p = tsr__instance_points_out(x.instance, x.box, x.elem_bytes, NULL);
  x.is_strided = !tsr__points_are_run(&p, false);
  x.is_packed = x.is_strided && m->area != NULL;
  return x;
}

static int32_t n_pieces_of(const tsr_run_message *m)
{
  return m->run->plan->messages[m->what].n_pieces;
}

/* The bytes of the message's area of the block; 0: it needs none. */
static size_t area_bytes(const tsr_run *run, const tsr_run_message *m)
{
  size_t bytes = 0;
  packing x = {0};
  for (int32_t i = 0; i < n_pieces_of(m); i++) {
    x = next_packing(m, i, &x);
    if (!x.is_strided) continue;
    if (tsr__mover(run->plan->scheduler, x.elem_bytes) == NULL) return 0;
    bytes = x.offset + x.bytes;
  }
  return tsr__round_up(bytes, UNIT_BYTES);
}

static const tsr_kernel *mover_of(const tsr_run *run, const packing *x)
{
  return tsr__mover(run->plan->scheduler, x->elem_bytes);
}

/* The points of a packed box, between the array and the block. */
static tsr_points packed_points(const tsr_run_message *m, const packing *x)
{
  char *at = m->area + x->offset;
  TSR_ASSERT((uintptr_t)at % x->elem_bytes == 0);
  return m->send ? tsr__instance_points_out(x->instance, x->box, x->elem_bytes, at)
                 : tsr__instance_points_in(x->instance, x->box, x->elem_bytes, at);
}

/* Asks for the code of all launches that pack. */
static void want_code(const tsr_run *run)
{
  for (int32_t i = 0; i < run->plan->n_messages; i++) {
    const tsr_run_message *m = &run->messages->v[i];
    if (m->path == TSR_PATH_LINK) continue;
    packing x = {0};
    for (int32_t k = 0; k < n_pieces_of(m) && m->area != NULL; k++) {
      x = next_packing(m, k, &x);
      if (!x.is_packed) continue;
      const tsr_points p = packed_points(m, &x);
      tsr__run_want_points(run, mover_of(run, &x), &p);
    }
  }
}

void tsr__pack_start(tsr_run *run)
{
  if (run->device == NULL) return;
  size_t bytes = 0;
  const bool is_poisoned = tsr__run_has_failed(run);
  for (int32_t i = 0; i < run->plan->n_messages; i++) {
    tsr_run_message *m = &run->messages->v[i];
    const bool is_linked = m->path == TSR_PATH_LINK;
    if (!is_linked) m->area = NULL;
    m->area_bytes = m->throttled || is_linked || is_poisoned ? 0 : area_bytes(run, m);
    if (bytes + m->area_bytes > MOST_BYTES) m->area_bytes = 0;
    bytes += m->area_bytes;
  }
  const tsr_block *block =
      tsr__residency_spare(run->plan->scheduler, run->plan->here, TSR_SPARE_PACKING, bytes);
  size_t used = 0;
  for (int32_t i = 0; i < run->plan->n_messages && bytes > 0; i++) {
    tsr_run_message *m = &run->messages->v[i];
    if (m->area_bytes == 0 || m->area_bytes > block->bytes - used) continue;
    m->area = (char *)block->data + used;
    used += m->area_bytes;
  }
  if (tsr__run_by_code(run) && run->plan->workspace->n_runs == 1) want_code(run);
}

/* Copies all boxes of a message between the array and the block, in the queue that runs: called by
 * that queue or, of a device that runs no C, by the thread that has the message. */
static void run_pack(void *arg, tsr_device *d)
{
  const tsr_run_message *m = arg;
  tsr_run *run = m->run;
  packing x = {0};
  for (int32_t i = 0; i < n_pieces_of(m); i++) {
    x = next_packing(m, i, &x);
    if (!x.is_packed) continue;
    const tsr_points p = packed_points(m, &x);
    tsr__run_points(run, mover_of(run, &x), &p, d);
    __atomic_fetch_add(&run->plan->scheduler->counters.n_packed_boxes, 1, __ATOMIC_RELAXED);
  }
}

static void launch_pack(tsr_run *run, tsr_run_message *m)
{
  if (m->area == NULL) return;
  tsr__run_note_queued(run);
  if (tsr__run_by_code(run))
    run_pack(m, run->device);
  else
    tsr__device_put_call(run->device, run_pack, m);
}

static void note_unpacked(tsr_run *run, bool is_strided)
{
  if (is_strided)
    __atomic_fetch_add(&run->plan->scheduler->counters.n_strided_boxes, 1, __ATOMIC_RELAXED);
}

/* Bytes that lie side by side in the block and in the message. */
typedef struct span {
  char *area, *bytes;
  size_t n;
} span;

static void copy_span(tsr_run *run, span *s, bool out)
{
  const tsr_points p = out ? tsr__points_of_bytes(s->bytes, s->area, s->n)
                           : tsr__points_of_bytes(s->area, s->bytes, s->n);
  if (s->n > 0)
    tsr__device_put_copy(run->device, out ? TSR_QUEUE_OUT : TSR_QUEUE_IN,
                         out ? TSR_COPY_OUT : TSR_COPY_IN, &p);
  s->n = 0;
}

static void add_to_span(tsr_run *run, span *s, const packing *x, char *area, char *bytes, bool out)
{
  if (s->n > 0 && (s->area + s->n != area + x->offset || s->bytes + s->n != bytes + x->at))
    copy_span(run, s, out);
  if (s->n == 0) *s = (span){area + x->offset, bytes + x->at, 0};
  s->n += x->bytes;
}

/* Copies all boxes between the message's bytes and the array, or the block. Where the host reaches
 * a box itself, it waits for the queues once: nothing that comes into them before this task is over
 * touches that box. */
static void copy_pieces(tsr_run *run, tsr_run_message *m, bool out)
{
  char *bytes = tsr__message_payload(m);
  bool is_synced = false;
  span s = {0};
  packing x = {0};
  for (int32_t i = 0; i < n_pieces_of(m); i++) {
    x = next_packing(m, i, &x);
    if (x.is_packed) {
      add_to_span(run, &s, &x, m->area, bytes, out);
      continue;
    }
    char *at = bytes + x.at;
    const tsr_points p = out ? tsr__instance_points_out(x.instance, x.box, x.elem_bytes, at)
                             : tsr__instance_points_in(x.instance, x.box, x.elem_bytes, at);
    const tsr_space space = x.instance->space;
    tsr__run_move(run, out ? TSR_SPACE_HOST : space, out ? space : TSR_SPACE_HOST,
                  out ? TSR_QUEUE_OUT : TSR_QUEUE_RUN, &p, &is_synced);
    note_unpacked(run, x.is_strided);
  }
  copy_span(run, &s, out);
}

tsr_device_event tsr__pack_out(tsr_run *run, tsr_run_message *m)
{
  tsr_device *d = tsr__run_place(run)->device;
  if (d->ops->caps & TSR_DEVICE_IS_TEST) memset(tsr__message_payload(m), 0xFF, m->n_bytes);
  launch_pack(run, m);
  tsr__device_follow(d, TSR_QUEUE_OUT, tsr__device_record(d, TSR_QUEUE_RUN));
  copy_pieces(run, m, true);
  return tsr__device_record(d, TSR_QUEUE_OUT);
}

void tsr__pack_in(tsr_run *run, tsr_run_message *m)
{
  tsr_device *d = tsr__run_place(run)->device;
  copy_pieces(run, m, false);
  if (m->area == NULL) return;
  tsr__device_follow(d, TSR_QUEUE_RUN, tsr__device_record(d, TSR_QUEUE_IN));
  launch_pack(run, m);
}

tsr_device_event tsr__pack_offer(tsr_run *run, tsr_run_message *m)
{
  launch_pack(run, m);
  return tsr__device_record(run->device, TSR_QUEUE_RUN);
}

/* From where a box is at its sender to where it goes: either may be in a block. */
static tsr_points points_between(const packing *to, char *to_area, const packing *from,
                                 char *from_area)
{
  tsr_points p = tsr__instance_points(to->instance, from->instance, to->box, to->elem_bytes);
  if (from->is_packed) {
    const tsr_points in =
        tsr__instance_points_in(to->instance, to->box, to->elem_bytes, from_area + from->offset);
    p.src = in.src;
    memcpy(p.src_step, in.src_step, sizeof p.src_step);
  }
  if (to->is_packed) {
    const tsr_points out =
        tsr__instance_points_out(from->instance, to->box, to->elem_bytes, to_area + to->offset);
    p.dst = out.dst;
    memcpy(p.dst_step, out.dst_step, sizeof p.dst_step);
  }
  return p;
}

/* Both ends list the same boxes in the same order. */
tsr_device_event tsr__pack_take(tsr_run *run, tsr_run_message *m, const tsr_run_message *sent)
{
  tsr_device *d = run->device;
  bool any = false;
  packing x = {0}, y = {0};
  tsr__run_note_queued(run);
  for (int32_t i = 0; i < n_pieces_of(m); i++) {
    x = next_packing(m, i, &x);
    y = next_packing(sent, i, &y);
    const tsr_points p = points_between(&x, m->area, &y, sent->area);
    tsr__device_put_peer_copy(d, x.is_packed ? TSR_QUEUE_IN : TSR_QUEUE_RUN, sent->run->device, &p);
    any = any || !x.is_packed;
    note_unpacked(run, x.is_strided && !x.is_packed);
    note_unpacked(run, y.is_strided && !y.is_packed);
  }
  if (m->area == NULL) return tsr__device_record(d, TSR_QUEUE_RUN);
  const tsr_device_event in = tsr__device_record(d, TSR_QUEUE_IN);
  tsr__device_follow(d, TSR_QUEUE_RUN, in);
  const tsr_device_event taken = any ? tsr__device_record(d, TSR_QUEUE_RUN) : in;
  launch_pack(run, m);
  return taken;
}

/* Linked messages: all boxes lie in the message's area, one behind the other, at both ends. */

/* The bytes of piece i, which begin at *at in the area; *at becomes where the next one may
 * begin. */
static size_t linked_piece(const tsr_run *run, const tsr_piece *piece, size_t *elem_bytes,
                           size_t *at)
{
  const tsr_plan *plan = run->plan;
  *elem_bytes = tsr__slot_elem_bytes(plan, piece->slot);
  *at = tsr__round_up(*at, *elem_bytes);
  return (size_t)tsr__box_volume(&piece->box) * *elem_bytes;
}

size_t tsr__pack_linked_bytes(const tsr_run *run, const tsr_run_message *m)
{
  const tsr_message *what = &run->plan->messages[m->what];
  size_t at = 0, elem_bytes;
  for (int32_t i = 0; i < what->n_pieces; i++) {
    const size_t bytes = linked_piece(run, &what->pieces[i], &elem_bytes, &at);
    at += bytes;
  }
  return at;
}

static tsr_points linked_points(const tsr_run_message *m, const tsr_piece *piece, size_t elem_bytes,
                                size_t at)
{
  const tsr_instance *instance = &m->run->binding->instances[piece->slot];
  return m->send ? tsr__instance_points_out(instance, &piece->box, elem_bytes, m->area + at)
                 : tsr__instance_points_in(instance, &piece->box, elem_bytes, m->area + at);
}

void tsr__pack_want_linked(const tsr_run_message *m)
{
  const tsr_run *run = m->run;
  const tsr_message *what = &run->plan->messages[m->what];
  size_t at = 0, elem_bytes;
  if (!tsr__run_by_code(run) || tsr__run_has_failed(run)) return;
  for (int32_t i = 0; i < what->n_pieces; i++) {
    const size_t bytes = linked_piece(run, &what->pieces[i], &elem_bytes, &at);
    const tsr_points p = linked_points(m, &what->pieces[i], elem_bytes, at);
    const tsr_kernel *mover = tsr__mover(run->plan->scheduler, elem_bytes);
    const bool is_resident = run->binding->instances[what->pieces[i].slot].space == TSR_SPACE_PLACE;
    if (is_resident && mover != NULL && !tsr__points_are_run(&p, m->send))
      tsr__run_want_points(run, mover, &p);
    at += bytes;
  }
}

/* What is on the host is copied by the queue, too, behind all that other queues do with it; the
 * host waits for what comes to it, as it may use that at once. A send is posted when its event is
 * over.
 */
tsr_device_event tsr__pack_linked(tsr_run *run, tsr_run_message *m)
{
  const tsr_message *what = &run->plan->messages[m->what];
  size_t at = 0, elem_bytes;
  bool any_on_host = false;
  for (int32_t i = 0; i < what->n_pieces; i++) {
    const size_t bytes = linked_piece(run, &what->pieces[i], &elem_bytes, &at);
    const tsr_points p = linked_points(m, &what->pieces[i], elem_bytes, at);
    const tsr_space space = run->binding->instances[what->pieces[i].slot].space;
    if (space != TSR_SPACE_PLACE && !any_on_host) tsr__run_sync(run);
    any_on_host = any_on_host || space != TSR_SPACE_PLACE;
    tsr__run_move(run, m->send ? TSR_SPACE_PLACE : space, m->send ? space : TSR_SPACE_PLACE,
                  TSR_QUEUE_RUN, &p, &(bool){false});
    at += bytes;
  }
  if (any_on_host && !m->send) tsr__run_sync(run);
  return tsr__device_record(run->device, TSR_QUEUE_RUN);
}
