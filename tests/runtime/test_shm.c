/* Rings in shared memory, and the transport over them: against the contract that all transports
 * keep, and what it has beside that: messages in place, rings that are full, ranks that sleep, and
 * systems that refuse the memory. Ranks are threads of this process; tests/mpi has processes. */
#include <criterion/criterion.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/transport/ring.h"
#include "runtime/transport/transport_shm.h"
#include "tests/support/rank_threads.h"
#include "transport_contract.h"

enum { CAPACITY = 4096 };

typedef struct ring_ends {
  _Alignas(64) char shared[CAPACITY + sizeof(tsr_ring)];
  tsr_ring_writer w;
  tsr_ring_reader r;
} ring_ends;

static ring_ends *ring_new(void)
{
  ring_ends *ends = aligned_alloc(64, (sizeof *ends + 63) / 64 * 64);
  memset(ends, 0, sizeof *ends);
  cr_assert_eq(tsr__ring_size(CAPACITY), sizeof ends->shared);
  ends->w = tsr__ring_writer(ends->shared, CAPACITY);
  ends->r = tsr__ring_reader(ends->shared, CAPACITY);
  return ends;
}

static void put(ring_ends *ends, uint32_t tag, size_t bytes)
{
  char *data = tsr__ring_reserve(&ends->w, bytes);
  cr_assert(data != NULL && (uintptr_t)data % 32 == 0);
  contract_fill((unsigned char *)data, bytes, 0, tag, 0);
  tsr__ring_publish(data, tag, bytes, bytes);
}

static tsr_ring_record get(ring_ends *ends, uint32_t tag, size_t bytes)
{
  tsr_ring_record r = {0};
  cr_assert(tsr__ring_next(&ends->r, &r));
  cr_assert(r.tag == tag && r.bytes == bytes && r.total == bytes);
  cr_assert(contract_same((unsigned char *)r.data, bytes, 0, tag, 0));
  return r;
}

Test(ring, keeps_order_and_bytes_over_many_laps)
{
  ring_ends *ends = ring_new();
  tsr_ring_record r;
  for (uint32_t i = 0; i < 5000; i++) {
    const size_t a = i * 37 % (tsr__ring_most(CAPACITY) + 1), b = i * 91 % 300;
    put(ends, i, a);
    put(ends, i + 1, b);
    const tsr_ring_record first = get(ends, i, a), second = get(ends, i + 1, b);
    cr_assert_not(tsr__ring_next(&ends->r, &r), "nothing else was written");
    tsr__ring_give_back(&ends->r, i % 2 ? first.data : second.data);
    tsr__ring_give_back(&ends->r, i % 2 ? second.data : first.data);
    cr_assert_eq(ends->r.given_back, ends->w.at);
  }
  free(ends);
}

Test(ring, shows_records_in_the_order_of_reservations)
{
  ring_ends *ends = ring_new();
  tsr_ring_record r;
  char *first = tsr__ring_reserve(&ends->w, 40);
  put(ends, 2, 8);
  cr_assert_not(tsr__ring_next(&ends->r, &r), "the first record is not published");
  contract_fill((unsigned char *)first, 40, 0, 1, 0);
  tsr__ring_publish(first, 1, 40, 40);
  get(ends, 1, 40);
  get(ends, 2, 8);
  free(ends);
}

Test(ring, is_full_until_its_oldest_record_is_given_back)
{
  ring_ends *ends = ring_new();
  tsr_ring_record r[64];
  int n = 0;
  while (tsr__ring_reserve(&ends->w, 200) != NULL) n++;
  cr_assert(n >= 10 && n < 64, "%d records of 256 bytes in %d", n, CAPACITY);
  free(ends);
  ends = ring_new();
  for (int i = 0; i < n; i++) put(ends, (uint32_t)i, 200);
  cr_assert_null(tsr__ring_reserve(&ends->w, 200));
  for (int i = 0; i < n; i++) r[i] = get(ends, (uint32_t)i, 200);
  for (int i = 1; i < n; i++) cr_assert_not(tsr__ring_give_back(&ends->r, r[i].data));
  cr_assert_null(tsr__ring_reserve(&ends->w, 200), "the oldest record is still there");
  atomic_store(&ends->w.ring->wanted, 1);
  cr_assert(tsr__ring_give_back(&ends->r, r[0].data), "the reader is told that it is waited for");
  cr_assert_not_null(tsr__ring_reserve(&ends->w, 200));
  free(ends);
}

/* The transport. */

typedef struct shm_rank {
  int (*fn)(tsr_transport *t);
  int failures;
} shm_rank;

static void shm_rank_main(tsr_transport *t, void *arg)
{
  shm_rank *rank = arg;
  rank->failures = rank->fn(t);
  t->ops->close(t);
}

/* Runs fn on n ranks that share memory, and returns how many expectations failed. */
static int run(int n, bool crowded, int (*fn)(tsr_transport *t))
{
  tsr_transport *ends[8];
  shm_rank ranks[8];
  int failures = 0;
  for (int r = 0; r < n; r++) ranks[r] = (shm_rank){.fn = fn};
  cr_assert_eq(tsr__transport_local(n, 0, ends), TSR_OK);
  tsr__transport_shm_threads(n, crowded, ends);
  cr_assert(rank_threads_run_on(n, ends, shm_rank_main, ranks, sizeof *ranks));
  for (int r = 0; r < n; r++) failures += ranks[r].failures;
  return failures;
}

static int check_contract(tsr_transport *t)
{
  int failures = 0;
  EXPECT(&failures, strcmp(t->ops->name, "shm") == 0 && t->in_process);
  return failures + contract_all(t) + contract_threads(t) + contract_collectives(t) +
         contract_sequence(t);
}

Test(shm, keeps_the_contract, .timeout = 120)
{
  for (int n = 2; n <= 8; n++)
    for (int crowded = n > 2; crowded < 2; crowded++)
      cr_assert_eq(run(n, crowded, check_contract), 0, "%d ranks, crowded %d", n, crowded);
}

/* Messages that are packed and read in the ring, in another order than they were sent, one shorter
 * than what was reserved for it. */
static int check_in_place(tsr_transport *t)
{
  enum { N = 5 };
  int failures = 0, next = (t->rank + 1) % t->size, previous = (t->rank + t->size - 1) % t->size;
  const size_t most = t->ops->in_place(t, next), bytes = most / 8;
  EXPECT(&failures, most >= 1024 && t->ops->in_place(t, t->rank) == 0);
  for (int lap = 0; lap < 40; lap++) {
    tsr_request s[N], r[N];
    for (int i = 0; i < N; i++) {
      unsigned char *data = t->ops->reserve(t, next, bytes);
      EXPECT(&failures, data != NULL);
      if (data == NULL) return failures;
      contract_fill(data, bytes, t->rank, (uint32_t)i, lap);
      const size_t sent = i == 3 ? 10 : bytes;
      EXPECT(&failures, t->ops->send(t, next, (uint32_t)i, data, sent, &s[i]) == TSR_OK);
      EXPECT(&failures, t->ops->test(t, &s[i])); /* it is over at once */
    }
    for (int i = N - 1; i >= 0; i--) {
      EXPECT(&failures, t->ops->recv(t, previous, (uint32_t)i, NULL, bytes, &r[i]) == TSR_OK);
      EXPECT(&failures, tsr__wait(t, &r[i]) == TSR_OK && r[i].bytes == (i == 3 ? 10 : bytes));
      EXPECT(&failures, contract_same(r[i].data, r[i].bytes, previous, (uint32_t)i, lap));
      t->ops->give_back(t, &r[i]);
      EXPECT(&failures, r[i].data == NULL);
    }
  }
  return failures;
}

Test(shm, messages_lie_in_place, .timeout = 60)
{
  for (int n = 2; n <= 4; n++)
    for (int crowded = 0; crowded < 2; crowded++)
      cr_assert_eq(run(n, crowded, check_in_place), 0, "%d ranks, crowded %d", n, crowded);
}

static int check_too_long(tsr_transport *t)
{
  int failures = 0, other = 1 - t->rank;
  unsigned char out[64] = {0};
  tsr_request s[2], r;
  EXPECT(&failures, t->ops->send(t, other, 1, out, 64, &s[0]) == TSR_OK);
  EXPECT(&failures, t->ops->send(t, other, 1, out, 8, &s[1]) == TSR_OK);
  EXPECT(&failures, t->ops->recv(t, other, 1, NULL, 16, &r) == TSR_OK);
  EXPECT(&failures, tsr__wait(t, &r) == TSR_ERR_MPI && r.bytes == 0);
  EXPECT(&failures, t->ops->recv(t, other, 1, NULL, 16, &r) == TSR_OK);
  EXPECT(&failures, tsr__wait(t, &r) == TSR_OK && r.bytes == 8);
  t->ops->give_back(t, &r);
  return failures + (contract_wait_all(t, s, 2) == TSR_OK ? 0 : 1);
}

Test(shm, a_message_longer_than_its_receive_in_place_is_an_error, .timeout = 60)
{
  cr_assert_eq(run(2, false, check_too_long), 0);
}

/* Far more than a ring holds is sent before anything is received, by all ranks in a circle: then
 * the last message comes first. Long ones are among them, and one that is received while it is
 * still coming. */
static int check_full_rings(tsr_transport *t)
{
  enum { N = 60, LONG = 3u << 20 };
  int failures = 0, next = (t->rank + 1) % t->size, previous = (t->rank + t->size - 1) % t->size;
  const size_t most = t->ops->in_place(t, next);
  tsr_request s[N], r[N];
  unsigned char *out[N], *in = malloc(LONG);
  for (int i = 0; i < N; i++) {
    const size_t bytes = i % 20 == 7 ? LONG : most / 2;
    out[i] = malloc(bytes);
    contract_fill(out[i], bytes, t->rank, (uint32_t)i, 0);
    EXPECT(&failures, t->ops->send(t, next, (uint32_t)i, out[i], bytes, &s[i]) == TSR_OK);
  }
  EXPECT(&failures, t->ops->reserve(t, next, 8) == NULL); /* it would overtake */
  for (int i = N - 1; i >= 0; i--) {
    const size_t bytes = i % 20 == 7 ? LONG : most / 2;
    const bool in_place = i % 2 == 0;
    EXPECT(&failures,
           t->ops->recv(t, previous, (uint32_t)i, in_place ? NULL : in, bytes, &r[i]) == TSR_OK);
    EXPECT(&failures, tsr__wait(t, &r[i]) == TSR_OK && r[i].bytes == bytes);
    EXPECT(&failures, contract_same(in_place ? r[i].data : in, bytes, previous, (uint32_t)i, 0));
    if (in_place) t->ops->give_back(t, &r[i]);
  }
  EXPECT(&failures, contract_wait_all(t, s, N) == TSR_OK);
  for (int i = 0; i < N; i++) free(out[i]);
  free(in);
  return failures;
}

Test(shm, full_rings_stop_nobody, .timeout = 120)
{
  for (int n = 2; n <= 5; n++)
    for (int crowded = 0; crowded < 2; crowded++)
      cr_assert_eq(run(n, crowded, check_full_rings), 0, "%d ranks, crowded %d", n, crowded);
}

/* One rank computes for a while: the others sleep, and are woken. */
static int check_sleep(tsr_transport *t)
{
  int failures = 0;
  for (int i = 0; i < 20; i++) {
    int64_t value = t->rank == 0 ? i : -1;
    if (t->rank == 0) usleep(3000);
    EXPECT(&failures, tsr__bcast(t, 0, &value, sizeof value) == TSR_OK && value == i);
  }
  struct rusage use;
  getrusage(RUSAGE_THREAD, &use);
  const long us = use.ru_utime.tv_usec + use.ru_stime.tv_usec;
  EXPECT(&failures, use.ru_utime.tv_sec == 0 && us < 40000); /* of 60 ms */
  return failures;
}

Test(shm, crowded_ranks_sleep_while_they_wait, .timeout = 60)
{
  cr_assert_eq(run(4, true, check_sleep), 0);
}

/* Ranks on nodes, as MPI has them: memory is shared by those of a node alone. */
static void split_into_nodes(tsr_transport *t, int per_node)
{
  t->node_first = t->rank / per_node * per_node;
  t->node_rank = t->rank % per_node;
  t->node_size = t->size - t->node_first < per_node ? t->size - t->node_first : per_node;
}

static void open_on_nodes(tsr_transport *t, void *arg)
{
  char message[256];
  int *failures = arg;
  split_into_nodes(t, 2);
  EXPECT(failures, tsr__transport_shm(&t, true, message, sizeof message) == TSR_OK);
  EXPECT(failures, message[0] == '\0');
  const int other = t->rank ^ 1;
  const bool has_peer = other < t->size;
  EXPECT(failures, strcmp(t->ops->name, has_peer ? "shm" : "local") == 0);
  if (has_peer) EXPECT(failures, t->ops->in_place(t, other) > 0);
  if (has_peer) EXPECT(failures, t->ops->in_place(t, (t->rank + 2) % t->size) == 0);
  *failures += contract_all(t) + contract_collectives(t);
  t->ops->close(t);
}

Test(shm, ranks_of_other_nodes_are_reached_by_the_inner_transport, .timeout = 60)
{
  int failures[5] = {0};
  cr_assert(rank_threads_run(5, 0, open_on_nodes, failures, sizeof *failures));
  for (int r = 0; r < 5; r++) cr_assert_eq(failures[r], 0, "rank %d", r);
}

static void open_without_memory(tsr_transport *t, void *arg)
{
  char message[256];
  int *failures = arg;
  split_into_nodes(t, 2);
  tsr_transport *mine = t;
  EXPECT(failures, tsr__transport_shm(&mine, false, message, sizeof message) == TSR_OK);
  EXPECT(failures, mine == t);
  EXPECT(failures, (strstr(message, "cannot share") != NULL) == (t->rank < 2));
  EXPECT(failures, (strstr(message, "File too large") != NULL) == (t->rank < 2));
  *failures += contract_all(t);
  EXPECT(failures, tsr__transport_shm(&mine, true, message, sizeof message) == TSR_ERR_MPI);
  EXPECT(failures, mine == t && strstr(message, "cannot share") != NULL);
  t->ops->close(t);
}

Test(shm, a_system_that_refuses_the_memory_is_told_of, .timeout = 60)
{
  int failures[3] = {0};
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &(struct rlimit){4096, 4096});
  cr_assert(rank_threads_run(3, 0, open_without_memory, failures, sizeof *failures));
  for (int r = 0; r < 3; r++) cr_assert_eq(failures[r], 0, "rank %d", r);
}
