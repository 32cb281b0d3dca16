/* Messages that are waited for, and collectives over any transport: binomial trees of such
 * messages. One tag per kind suffices, for every rank calls in the same order and messages of one
 * sender with one tag do not overtake each other.
 *
 * A failing message does not end a collective early: all that a rank owes is still sent and
 * received, so that no rank hangs and no request outlives its buffer; the first error returns. */
#include "runtime/transport/transport.h"
#include "runtime/base/alloc.h"
#include "runtime/base/binomial.h"

#include <stdlib.h>
#include <string.h>

enum {
  TAG_BCAST = TSR_TAG_CONTROL,
  TAG_REDUCE,
  TAG_GATHER,
};

static void keep_first(tsr_status *first, tsr_status status)
{
  if (*first == TSR_OK) *first = status;
}

tsr_status tsr__send(tsr_transport *t, int peer, uint32_t tag, const void *data, size_t bytes)
{
  tsr_request req = {0};
  TSR_TRY(t->ops->send(t, peer, tag, data, bytes, &req));
  return tsr__wait(t, &req);
}

/* Waits for a message. Another size than the ranks agreed on is an error. */
static tsr_status wait_for_message(tsr_transport *t, tsr_request *req, size_t bytes)
{
  TSR_TRY(tsr__wait(t, req));
  return req->bytes == bytes ? TSR_OK : TSR_ERR_MPI;
}

tsr_status tsr__receive(tsr_transport *t, int peer, uint32_t tag, void *data, size_t bytes)
{
  tsr_request req = {0};
  TSR_TRY(t->ops->recv(t, peer, tag, data, bytes, &req));
  return wait_for_message(t, &req, bytes);
}

tsr_status tsr__sendrecv(tsr_transport *t, uint32_t tag, const tsr_sendrecv *s)
{
  tsr_request receiving = {0};
  tsr_status status = TSR_OK;
  if (s->in_bytes > 0) status = t->ops->recv(t, s->from, tag, s->in, s->in_bytes, &receiving);
  const bool is_posted = s->in_bytes > 0 && status == TSR_OK;
  if (s->out_bytes > 0) keep_first(&status, tsr__send(t, s->to, tag, s->out, s->out_bytes));
  if (is_posted) keep_first(&status, wait_for_message(t, &receiving, s->in_bytes));
  return status;
}

/* Nodes are ranks counted from the root. */
tsr_status tsr__bcast(tsr_transport *t, int root, void *data, size_t bytes)
{
  TSR_ASSERT(root >= 0 && root < t->size);
  tsr_status first = TSR_OK;
  const int64_t size = t->size;
  const tsr_binomial node = tsr__binomial((int)((t->rank - root + size) % size), t->size);
  if (node.parent >= 0)
    keep_first(&first, tsr__receive(t, (int)((node.parent + root) % size), TAG_BCAST, data, bytes));

  tsr_request reqs[TSR_BINOMIAL_CHILDREN] = {0};
  for (int i = node.n_children; i-- > 0;) /* the largest subtree first: its way is the longest */
    keep_first(&first, t->ops->send(t, (int)((node.child[i] + root) % size), TAG_BCAST, data, bytes,
                                    &reqs[i]));
  for (int i = node.n_children; i-- > 0;) keep_first(&first, tsr__wait(t, &reqs[i]));
  return first;
}

tsr_status tsr__allreduce(tsr_transport *t, void *data, size_t bytes,
                          void (*fold)(void *into, const void *from, void *user), void *user)
{
  if (t->size == 1) return TSR_OK;
  tsr_status first = TSR_OK;
  char few[256]; /* large enough for the messages of an agreement */
  void *from = bytes <= sizeof few ? few : tsr__malloc(bytes);
  const tsr_binomial node = tsr__binomial(t->rank, t->size);
  for (int i = 0; i < node.n_children; i++) {
    tsr_status status = tsr__receive(t, node.child[i], TAG_REDUCE, from, bytes);
    keep_first(&first, status);
    if (status == TSR_OK && fold) fold(data, from, user);
  }
  if (node.parent >= 0) keep_first(&first, tsr__send(t, node.parent, TAG_REDUCE, data, bytes));
  if (from != few) free(from);
  keep_first(&first, tsr__bcast(t, 0, data, bytes));
  return first;
}

tsr_status tsr__barrier(tsr_transport *t)
{
  return tsr__allreduce(t, NULL, 0, NULL, NULL);
}

/* The pieces are gathered at rank 0 and then broadcast. A subtree is a run of ranks, so each
 * message is one piece of `out`. */
tsr_status tsr__allgather(tsr_transport *t, const void *mine, size_t bytes, void *out)
{
  char *piece = (char *)out + (size_t)t->rank * bytes;
  tsr_status first = TSR_OK;
  if (bytes) memmove(piece, mine, bytes);
  const tsr_binomial node = tsr__binomial(t->rank, t->size);
  const int *child = node.child;
  for (int i = 0; i < node.n_children; i++)
    keep_first(&first, tsr__receive(t, child[i], TAG_GATHER, (char *)out + (size_t)child[i] * bytes,
                                    (size_t)(child[i + 1] - child[i]) * bytes));
  const int end = child[node.n_children];
  if (node.parent >= 0)
    keep_first(&first,
               tsr__send(t, node.parent, TAG_GATHER, piece, (size_t)(end - t->rank) * bytes));
  keep_first(&first, tsr__bcast(t, 0, out, (size_t)t->size * bytes));
  return first;
}
