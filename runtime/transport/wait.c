/* Waiting for other ranks. A rank that is stopped, or computes for ever, or whose node has died
 * leaves the others waiting. After a while they say for whom, and from then on they give up most of
 * their core's time. Every rank makes the same calls, so a message that this rank got in a call
 * came from the sender's same call: it tells how far the sender had come. */
#include "runtime/base/clock.h"
#include "runtime/transport/transport.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/base/alloc.h"
#include "runtime/base/text.h"

enum { TURNS_PER_LOOK = 64, NAP_NS = 200000 };
static const uint64_t again_ns = UINT64_C(60) * 1000000000;

void tsr__watch_waits(tsr_transport *t, int64_t stall_s)
{
  if (stall_s <= 0 || t->size < 2) return;
  t->stall_ns = (uint64_t)stall_s * UINT64_C(1000000000);
  t->heard = tsr__calloc((size_t)t->size, sizeof *t->heard);
}

void tsr__transport_close(tsr_transport *t)
{
  free(t->heard);
  t->heard = NULL;
  t->ops->close(t);
}

static const tsr_location *call_of(const tsr_transport *t)
{
  return t->call ? __atomic_load_n(t->call, __ATOMIC_RELAXED) : NULL;
}

bool tsr__test(tsr_transport *t, tsr_request *req)
{
  const bool is_new = req->active && !req->is_send && t->heard;
  if (!t->ops->test(t, req)) return false;
  if (is_new) {
    tsr_heard *heard = &t->heard[req->peer];
    __atomic_store_n(&heard->ns, tsr__now_ns(), __ATOMIC_RELAXED);
    __atomic_store_n(&heard->call, call_of(t), __ATOMIC_RELAXED);
  }
  return true;
}

bool tsr__idle(tsr_transport *t, tsr_watch *watch)
{
  t->ops->idle(t);
  if (!t->stall_ns || ++watch->turns % TURNS_PER_LOOK) return false;
  const uint64_t now = tsr__now_ns();
  if (!watch->began_ns) {
    watch->began_ns = now;
    watch->next_ns = now + t->stall_ns;
  }
  if (now - watch->began_ns < t->stall_ns) return false;
  nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
  watch->turns = TURNS_PER_LOOK - 1; /* the next turn looks again */
  if (now < watch->next_ns) return false;
  watch->next_ns = now + again_ns;
  return true;
}

static void add_location(tsr_text *line, const char *joint, const tsr_location *call)
{
  if (!call || !call->op) return;
  tsr__text_add(line, "%s`%s`", joint, call->op);
  if (call->file) tsr__text_add(line, " at %s:%d", call->file, call->line);
}

static long long seconds(uint64_t ns)
{
  return (long long)((ns + 500000000) / 1000000000);
}

/* The line is one write, so that the ranks' lines do not mix. */
void tsr__say_stalled(const tsr_transport *t, const tsr_watch *watch, int peer, bool is_send)
{
  const uint64_t now = tsr__now_ns();
  tsr_text line = {0};
  tsr__text_add(&line, "tessera: rank %d has waited %lld s for ", t->rank,
                seconds(now - watch->began_ns));
  tsr__text_add(&line, is_send ? "rank %d to take a message" : "a message of rank %d", peer);
  add_location(&line, ", in ", call_of(t));
  const tsr_heard *last = t->heard ? &t->heard[peer] : NULL;
  const uint64_t ns = last ? __atomic_load_n(&last->ns, __ATOMIC_RELAXED) : 0;
  if (ns) {
    tsr__text_add(&line, "; its last one came %lld s ago", seconds(now - ns));
    add_location(&line, ", from its ", __atomic_load_n(&last->call, __ATOMIC_RELAXED));
  } else if (last) {
    tsr__text_add(&line, "; none has come from there yet");
  }
  fprintf(stderr, "%s\n", line.s);
  tsr__text_free(&line);
}

tsr_status tsr__wait(tsr_transport *t, tsr_request *req)
{
  tsr_watch watch = {0};
  while (!tsr__test(t, req))
    if (tsr__idle(t, &watch)) tsr__say_stalled(t, &watch, req->peer, req->is_send);
  return req->status;
}
