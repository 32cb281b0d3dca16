/* Collectives over any transport: binomial trees of point-to-point messages. One tag per kind
 * suffices, for every rank calls in the same order and messages of one sender with one tag do not
 * overtake each other.
 *
 * A failing message does not end a collective early: all that a rank owes is still sent and
 * received, so that no rank hangs and no request outlives its buffer; the first error returns. */
#include "runtime/transport/transport.h"
#include "runtime/base/alloc.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"

enum {
  TAG_BCAST = TSR_TAG_CONTROL,
  TAG_REDUCE,
  TAG_GATHER,
};

enum { MAX_CHILDREN = 32 }; /* of a node of a binomial tree over ranks that an int counts */

static void keep_first(tsr_status *first, tsr_status status)
{
  if (*first == TSR_OK) *first = status;
}

static tsr_status send_now(tsr_transport *t, int peer, uint32_t tag, const void *data, size_t bytes)
{
  tsr_request req = {0};
  TSR_TRY(t->ops->send(t, peer, tag, data, bytes, &req));
  return tsr__wait(t, &req);
}

/* Receives a message and waits for it. Another size than the ranks agreed on is an error. */
static tsr_status recv_now(tsr_transport *t, int peer, uint32_t tag, void *data, size_t bytes)
{
  tsr_request req = {0};
  TSR_TRY(t->ops->recv(t, peer, tag, data, bytes, &req));
  TSR_TRY(tsr__wait(t, &req));
  return req.bytes == bytes ? TSR_OK : TSR_ERR_MPI;
}

/* Nodes are ranks counted from the root. Node 0 is the root; the parent of a node is its number
 * without the lowest set bit. */
tsr_status tsr__bcast(tsr_transport *t, int root, void *data, size_t bytes)
{
  TSR_ASSERT(root >= 0 && root < t->size);
  tsr_status first = TSR_OK;
  int64_t size = t->size, node = (t->rank - root + size) % size, bit = 1;
  for (; bit < size && !(node & bit); bit <<= 1) continue;
  if (node != 0)
    keep_first(&first, recv_now(t, (int)((node - bit + root) % size), TAG_BCAST, data, bytes));

  tsr_request reqs[MAX_CHILDREN] = {0};
  int n = 0;
  for (bit >>= 1; bit > 0; bit >>= 1) { /* the largest subtree first: its way is the longest */
    if (node + bit >= size) continue;
    keep_first(&first, t->ops->send(t, (int)((node + bit + root) % size), TAG_BCAST, data, bytes,
                                    &reqs[n++]));
  }
  for (int i = 0; i < n; i++) keep_first(&first, tsr__wait(t, &reqs[i]));
  return first;
}

tsr_status tsr__allreduce(tsr_transport *t, void *data, size_t bytes,
                          void (*fold)(void *into, const void *from, void *user), void *user)
{
  if (t->size == 1) return TSR_OK;
  tsr_status first = TSR_OK;
  char few[256]; /* large enough for the messages of an agreement */
  void *from = bytes <= sizeof few ? few : tsr__malloc(bytes);
  int64_t rank = t->rank, bit = 1;
  for (; bit < t->size && !(rank & bit); bit <<= 1) {
    if (rank + bit >= t->size) continue;
    tsr_status status = recv_now(t, (int)(rank + bit), TAG_REDUCE, from, bytes);
    keep_first(&first, status);
    if (status == TSR_OK && fold) fold(data, from, user);
  }
  if (rank != 0) keep_first(&first, send_now(t, (int)(rank - bit), TAG_REDUCE, data, bytes));
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
  char *pieces = out;
  tsr_status first = TSR_OK;
  int64_t rank = t->rank, size = t->size, bit = 1;
  if (bytes) memmove(pieces + (size_t)rank * bytes, mine, bytes);
  for (; bit < size && !(rank & bit); bit <<= 1) {
    int64_t child = rank + bit;
    if (child >= size) continue;
    int64_t n = child + bit <= size ? bit : size - child;
    keep_first(&first, recv_now(t, (int)child, TAG_GATHER, pieces + (size_t)child * bytes,
                                (size_t)n * bytes));
  }
  if (rank != 0) {
    int64_t n = rank + bit <= size ? bit : size - rank;
    keep_first(&first, send_now(t, (int)(rank - bit), TAG_GATHER, pieces + (size_t)rank * bytes,
                                (size_t)n * bytes));
  }
  keep_first(&first, tsr__bcast(t, 0, out, (size_t)size * bytes));
  return first;
}
