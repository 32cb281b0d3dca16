/* The transport of one rank alone: a mailbox that the rank sends to and receives from. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/base/error.h"
#include "runtime/transport/mailbox.h"
#include "runtime/base/alloc.h"

typedef struct transport_self {
  tsr_transport base;
  tsr_mailbox *box;
} transport_self;

static tsr_mailbox *box_of(tsr_transport *t)
{
  return ((transport_self *)t)->box;
}

static tsr_status send_self(tsr_transport *t, int peer, uint32_t tag, const void *data,
                            size_t bytes, tsr_request *req)
{
  TSR_ASSERT(peer == 0);
  __atomic_fetch_add(&t->n_sent, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&t->bytes_sent, bytes, __ATOMIC_RELAXED);
  tsr__mailbox_send(box_of(t), peer, tag, data, bytes, req);
  return TSR_OK;
}

static tsr_status recv_self(tsr_transport *t, int peer, uint32_t tag, void *data, size_t capacity,
                            tsr_request *req)
{
  TSR_ASSERT(peer == 0);
  tsr__mailbox_recv(box_of(t), peer, tag, data, capacity, req);
  return TSR_OK;
}

static bool test_self(tsr_transport *t, tsr_request *req)
{
  bool was_active = req->active;
  if (!tsr__mailbox_test(box_of(t), req)) return false;
  if (was_active && !req->is_send) {
    __atomic_fetch_add(&t->n_received, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&t->bytes_received, req->bytes, __ATOMIC_RELAXED);
  }
  return true;
}

/* What a loop waits for comes from another thread of this rank, which needs the core. */
static void idle_self(tsr_transport *t)
{
  (void)t;
  sched_yield();
}

static void abort_self(tsr_transport *t, int code)
{
  (void)t;
  fflush(NULL);
  _Exit(code);
}

static void close_self(tsr_transport *t)
{
  tsr__mailbox_destroy(box_of(t));
  free(t);
}

tsr_transport *tsr__transport_self(void)
{
  static const tsr_transport_ops ops = {
      .name = "self",
      .send = send_self,
      .recv = recv_self,
      .test = test_self,
      .idle = idle_self,
      .abort = abort_self,
      .close = close_self,
  };
  transport_self *self = tsr__calloc(1, sizeof *self);
  self->base = (tsr_transport){
      .ops = &ops, .rank = 0, .size = 1, .node_rank = 0, .node_size = 1, .in_process = true};
  self->box = tsr__mailbox_create(0, 0);
  return &self->base;
}
