/* What every transport must do, checked in the same way over self, local (seeded or not) and mpi.
 * All ranks call each function; it prints the expectations that failed and returns how many. */
#ifndef TSR_TRANSPORT_CONTRACT_H
#define TSR_TRANSPORT_CONTRACT_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/transport/transport.h"

#define EXPECT(failures, cond)                                                                     \
  ((cond)                                                                                          \
       ? (void)0                                                                                   \
       : (void)(++*(failures), fprintf(stderr, "%s:%d: %s failed\n", __FILE__, __LINE__, #cond)))

/* The byte i of message `n` from rank `from` with `tag`. */
static inline unsigned char contract_byte(int from, uint32_t tag, int n, size_t i)
{
  return (unsigned char)((unsigned)from * 131 + tag * 31 + (unsigned)n * 17 + i * 7 + (i >> 8));
}

static inline void contract_fill(unsigned char *p, size_t bytes, int from, uint32_t tag, int n)
{
  for (size_t i = 0; i < bytes; i++) p[i] = contract_byte(from, tag, n, i);
}

static inline bool contract_same(const unsigned char *p, size_t bytes, int from, uint32_t tag,
                                 int n)
{
  for (size_t i = 0; i < bytes; i++)
    if (p[i] != contract_byte(from, tag, n, i)) return false;
  return true;
}

static inline tsr_status contract_wait_all(tsr_transport *t, tsr_request *reqs, int n)
{
  tsr_status first = TSR_OK;
  for (int i = 0; i < n; i++) {
    tsr_status status = tsr__wait(t, &reqs[i]);
    if (first == TSR_OK) first = status;
  }
  return first;
}

/* Messages of many sizes go to the next rank, some before their receive is posted, some after. */
static inline int contract_sizes(tsr_transport *t)
{
  static const size_t sizes[] = {0, 1, 7, 64, 255, 256, 257, 4096, 65536, 300000, (1u << 20) + 5};
  int failures = 0, next = (t->rank + 1) % t->size, previous = (t->rank + t->size - 1) % t->size;
  unsigned char *out = malloc(2u << 20), *in = malloc(2u << 20);
  for (int k = 0; k < 2 * (int)(sizeof sizes / sizeof sizes[0]); k++) {
    size_t bytes = sizes[k / 2];
    uint32_t tag = 5 + (uint32_t)k;
    contract_fill(out, bytes, t->rank, tag, k);
    memset(in, 0xee, bytes + 1);
    tsr_request s = {0}, r = {0};
    bool send_first = k % 2;
    if (send_first) EXPECT(&failures, t->ops->send(t, next, tag, out, bytes, &s) == TSR_OK);
    EXPECT(&failures, t->ops->recv(t, previous, tag, in, bytes + 1, &r) == TSR_OK);
    if (!send_first) EXPECT(&failures, t->ops->send(t, next, tag, out, bytes, &s) == TSR_OK);
    EXPECT(&failures, tsr__wait(t, &r) == TSR_OK);
    EXPECT(&failures, tsr__wait(t, &s) == TSR_OK);
    EXPECT(&failures, !r.active && !s.active && r.bytes == bytes);
    EXPECT(&failures, contract_same(in, bytes, previous, tag, k) && in[bytes] == 0xee);
    EXPECT(&failures, t->ops->test(t, &r)); /* it stays complete */
  }
  free(in);
  free(out);
  return failures;
}

/* Every rank sends many messages with several tags to every rank, itself too; receives are posted
 * in another order than sends. Order holds within (sender, tag), and nothing is mixed up. */
static inline int contract_many(tsr_transport *t)
{
  enum { N_TAGS = 3, N_EACH = 20, BYTES = 40 };
  int failures = 0, n = t->size * N_TAGS * N_EACH;
  tsr_request *sends = calloc((size_t)n, sizeof *sends), *recvs = calloc((size_t)n, sizeof *recvs);
  unsigned char(*out)[BYTES] = calloc((size_t)n, BYTES), (*in)[BYTES] = calloc((size_t)n, BYTES);
  for (int i = 0; i < n; i++) {
    int peer = i % t->size, tag = i / t->size % N_TAGS, k = i / t->size / N_TAGS;
    contract_fill(out[i], BYTES, t->rank, (uint32_t)tag, k);
    EXPECT(&failures, t->ops->send(t, peer, (uint32_t)tag, out[i], BYTES, &sends[i]) == TSR_OK);
  }
  for (int i = 0; i < n; i++) {
    int peer = t->size - 1 - i / N_EACH / N_TAGS, tag = N_TAGS - 1 - i / N_EACH % N_TAGS;
    EXPECT(&failures, t->ops->recv(t, peer, (uint32_t)tag, in[i], BYTES, &recvs[i]) == TSR_OK);
  }
  for (int i = n - 1; i >= 0; i--) EXPECT(&failures, tsr__wait(t, &recvs[i]) == TSR_OK);
  EXPECT(&failures, contract_wait_all(t, sends, n) == TSR_OK);
  for (int i = 0; i < n; i++) {
    int peer = t->size - 1 - i / N_EACH / N_TAGS, tag = N_TAGS - 1 - i / N_EACH % N_TAGS;
    EXPECT(&failures, contract_same(in[i], BYTES, peer, (uint32_t)tag, i % N_EACH));
  }
  free(in);
  free(out);
  free(recvs);
  free(sends);
  return failures;
}

/* A message that is longer than its receive is an error of that receive alone: nothing is written
 * past the receive's end, and the next message arrives. */
static inline int contract_truncation(tsr_transport *t)
{
  int failures = 0, next = (t->rank + 1) % t->size, previous = (t->rank + t->size - 1) % t->size;
  for (int late = 0; late < 2; late++) {
    unsigned char out[64], in[65] = {0}, more = 0;
    contract_fill(out, 64, t->rank, 81, 0);
    tsr_request s[2] = {0}, r[2] = {0};
    if (!late) EXPECT(&failures, t->ops->recv(t, previous, 81, in, 16, &r[0]) == TSR_OK);
    EXPECT(&failures, t->ops->send(t, next, 81, out, 64, &s[0]) == TSR_OK);
    EXPECT(&failures, t->ops->send(t, next, 81, out, 1, &s[1]) == TSR_OK);
    if (late) EXPECT(&failures, t->ops->recv(t, previous, 81, in, 16, &r[0]) == TSR_OK);
    EXPECT(&failures, t->ops->recv(t, previous, 81, &more, 1, &r[1]) == TSR_OK);
    EXPECT(&failures, tsr__wait(t, &r[0]) == TSR_ERR_MPI && !r[0].active && r[0].bytes <= 16);
    EXPECT(&failures, in[16] == 0);
    EXPECT(&failures, tsr__wait(t, &r[1]) == TSR_OK && r[1].bytes == 1);
    EXPECT(&failures, more == contract_byte(previous, 81, 0, 0));
    EXPECT(&failures, contract_wait_all(t, s, 2) == TSR_OK);
  }
  return failures;
}

/* The counters hold the payload of point-to-point messages, also of control tags. */
static inline int contract_counters(tsr_transport *t)
{
  int failures = 0, next = (t->rank + 1) % t->size, previous = (t->rank + t->size - 1) % t->size;
  uint64_t before[4] = {t->n_sent, t->bytes_sent, t->n_received, t->bytes_received};
  unsigned char out[24] = {0}, in[64];
  tsr_request s[2] = {0}, r[2] = {0};
  for (int i = 0; i < 2; i++) {
    uint32_t tag = i ? TSR_TAG_CONTROL + 1000 : 90;
    EXPECT(&failures, t->ops->recv(t, previous, tag, in, 64, &r[i]) == TSR_OK);
    EXPECT(&failures, t->ops->send(t, next, tag, out, 24, &s[i]) == TSR_OK);
  }
  EXPECT(&failures, contract_wait_all(t, r, 2) == TSR_OK);
  EXPECT(&failures, contract_wait_all(t, s, 2) == TSR_OK);
  EXPECT(&failures, t->n_sent - before[0] == 2 && t->bytes_sent - before[1] == 48);
  EXPECT(&failures, t->n_received - before[2] == 2 && t->bytes_received - before[3] == 48);
  return failures;
}

typedef struct contract_thread {
  tsr_transport *t;
  uint32_t tag;
  int failures;
} contract_thread;

static inline void *contract_thread_main(void *arg)
{
  contract_thread *c = arg;
  tsr_transport *t = c->t;
  int next = (t->rank + 1) % t->size, previous = (t->rank + t->size - 1) % t->size;
  for (int k = 0; k < 200; k++) {
    unsigned char out[48], in[48] = {0};
    tsr_request s = {0}, r = {0};
    contract_fill(out, 48, t->rank, c->tag, k);
    EXPECT(&c->failures, t->ops->recv(t, previous, c->tag, in, 48, &r) == TSR_OK);
    EXPECT(&c->failures, t->ops->send(t, next, c->tag, out, 48, &s) == TSR_OK);
    EXPECT(&c->failures, tsr__wait(t, &r) == TSR_OK && tsr__wait(t, &s) == TSR_OK);
    EXPECT(&c->failures, contract_same(in, 48, previous, c->tag, k));
  }
  return NULL;
}

/* Two threads of each rank exchange messages at the same time; not for a seeded local transport,
 * where only the rank's own thread passes the baton. */
static inline int contract_threads(tsr_transport *t)
{
  contract_thread own = {t, 200, 0}, other = {t, 201, 0};
  pthread_t thread;
  pthread_create(&thread, NULL, contract_thread_main, &other);
  contract_thread_main(&own);
  pthread_join(thread, NULL);
  return own.failures + other.failures;
}

static inline int contract_all(tsr_transport *t)
{
  return contract_sizes(t) + contract_many(t) + contract_truncation(t) + contract_counters(t);
}

static inline void contract_fold_sum(void *into, const void *from, void *user)
{
  int64_t n = *(const int64_t *)user;
  for (int64_t i = 0; i < n; i++) ((int64_t *)into)[i] += ((const int64_t *)from)[i];
}

/* Compares each collective, at some sizes and every root, with what a loop over the ranks gives. */
static inline int contract_collectives(tsr_transport *t)
{
  static const size_t sizes[] = {0, 1, 8, 1000, 100000};
  int failures = 0;
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
    size_t bytes = sizes[k];
    unsigned char *one = malloc(bytes + 1), *all = malloc((size_t)t->size * bytes + 1);
    for (int root = 0; root < t->size; root++) {
      memset(one, 0, bytes + 1);
      if (t->rank == root) contract_fill(one, bytes, root, 1, (int)k);
      EXPECT(&failures, tsr__bcast(t, root, one, bytes) == TSR_OK);
      EXPECT(&failures, contract_same(one, bytes, root, 1, (int)k) && one[bytes] == 0);
    }
    contract_fill(one, bytes, t->rank, 2, (int)k);
    EXPECT(&failures, tsr__allgather(t, one, bytes, all) == TSR_OK);
    for (int r = 0; r < t->size; r++)
      EXPECT(&failures, contract_same(all + (size_t)r * bytes, bytes, r, 2, (int)k));

    int64_t n = (int64_t)(bytes / 8), *sum = malloc(bytes + 1);
    for (int64_t i = 0; i < n; i++) sum[i] = (t->rank + 1) * (i + 3);
    EXPECT(&failures, tsr__allreduce(t, sum, (size_t)n * 8, contract_fold_sum, &n) == TSR_OK);
    int64_t expected = 0;
    for (int r = 0; r < t->size; r++) expected += r + 1;
    for (int64_t i = 0; i < n; i++) EXPECT(&failures, sum[i] == expected * (i + 3));
    free(sum);
    free(all);
    free(one);
  }
  return failures;
}

/* In a circle of ranks each has a message for the next one, or every second has. Another size than
 * the receiver expects is an error. */
static inline int contract_circle(tsr_transport *t)
{
  enum { BYTES = 1000, TAG = 7 };
  int failures = 0;
  unsigned char out[BYTES], in[BYTES];
  const int to = (t->rank + 1) % t->size, from = (t->rank + t->size - 1) % t->size;
  for (int every = 1; every <= 2 && t->size > 1; every++) {
    memset(in, 0, sizeof in);
    contract_fill(out, BYTES, t->rank, 3, every);
    const tsr_sendrecv both = {.to = to,
                               .from = from,
                               .out = out,
                               .in = in,
                               .out_bytes = t->rank % every == 0 ? BYTES : 0,
                               .in_bytes = from % every == 0 ? BYTES : 0};
    EXPECT(&failures, tsr__sendrecv(t, TAG, &both) == TSR_OK);
    EXPECT(&failures, contract_same(in, both.in_bytes, from, 3, every));
  }
  if (t->size > 1 && t->rank == 0) EXPECT(&failures, tsr__send(t, 1, TAG, out, 8) == TSR_OK);
  if (t->rank == 1) EXPECT(&failures, tsr__receive(t, 0, TAG, in, 16) == TSR_ERR_MPI);
  return failures;
}

/* Many collectives in a row, with changing roots, do not mix. */
static inline int contract_sequence(tsr_transport *t)
{
  int failures = 0;
  for (int i = 0; i < 50; i++) {
    int64_t value = t->rank == i % t->size ? i : -1;
    EXPECT(&failures, tsr__bcast(t, i % t->size, &value, sizeof value) == TSR_OK && value == i);
    EXPECT(&failures, tsr__barrier(t) == TSR_OK);
  }
  return failures + contract_circle(t);
}

#endif
