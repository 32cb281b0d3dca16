/* The MPI transport against the contract of runtime/transport/transport.h, Tessera initialising
 * MPI: `mpirun -n N transport_mpi_check [MODE]`. Prints one line and returns 0 if all ranks kept
 * it. Modes:
 *
 *   contract  (default) all of it, also with two threads of each rank; then again with messages in
 *             memory that the ranks share
 *   big       one message of more than INT_MAX bytes (2 ranks, 4.5 GB)
 *   abort     rank 0 aborts the job with code 3
 *   speed     ping-pong between ranks 0 and 1, ours and plain MPI */
#include <limits.h>
#include <time.h>

#include "runtime/transport/transport_shm.h"
#include "transport_mpi.h"

static double now_us(void)
{
  struct timespec ts;
  clock_gettime(CLOCK_MONOTONIC, &ts);
  return (double)ts.tv_sec * 1e6 + (double)ts.tv_nsec * 1e-3;
}

static int check_big(tsr_transport *t)
{
  int failures = 0;
  const size_t bytes = (size_t)INT_MAX + 12345;
  if (t->rank > 1) return 0;
  unsigned char *p = calloc(bytes + 1, 1);
  if (!p) return 1;
  tsr_request req = {0};
  if (t->rank == 0) {
    for (size_t i = 0; i < bytes; i += 4093) p[i] = contract_byte(0, 1, 0, i);
    p[bytes - 1] = 99;
    EXPECT(&failures, t->ops->send(t, 1, 1, p, bytes, &req) == TSR_OK);
    EXPECT(&failures, tsr__wait(t, &req) == TSR_OK);
  } else {
    EXPECT(&failures, t->ops->recv(t, 0, 1, p, bytes + 1, &req) == TSR_OK);
    EXPECT(&failures, tsr__wait(t, &req) == TSR_OK && req.bytes == bytes);
    size_t n_wrong = 0;
    for (size_t i = 0; i < bytes; i += 4093)
      n_wrong += i != bytes - 1 && p[i] != contract_byte(0, 1, 0, i);
    EXPECT(&failures, n_wrong == 0 && p[bytes - 1] == 99 && p[bytes] == 0);
  }
  free(p);
  return failures;
}

/* The contract over the memory of the node, with MPI inside. *t becomes that transport. */
static int check_shared(tsr_transport **t)
{
  char message[256];
  int failures = 0;
  tsr_transport *mpi = *t;
  EXPECT(&failures, tsr__transport_shm(t, true, message, sizeof message) == TSR_OK);
  EXPECT(&failures, message[0] == '\0' && (mpi->size == 1) == (*t == mpi));
  EXPECT(&failures, mpi->size == 1 || strcmp((*t)->ops->name, "shm") == 0);
  if ((*t)->size > 1) failures += contract_truncation(*t);
  return failures + contract_sizes(*t) + contract_many(*t) + contract_counters(*t) +
         contract_collectives(*t) + contract_sequence(*t) + contract_threads(*t);
}

/* Microseconds of one way; the best of some rounds. plain: MPI_Isend, MPI_Irecv, MPI_Wait. */
static double ping_pong(tsr_transport *t, unsigned char *p, size_t bytes, bool plain)
{
  int n = bytes > 10000 ? 500 : 10000, peer = 1 - t->rank;
  double best = 1e30;
  for (int round = 0; round < 5; round++) {
    double start = now_us();
    for (int i = 0; i < 2 * n; i++) {
      bool sends = i % 2 == t->rank;
      if (plain) {
        MPI_Request req;
        if (sends)
          MPI_Isend(p, (int)bytes, MPI_BYTE, peer, 1, MPI_COMM_WORLD, &req);
        else
          MPI_Irecv(p, (int)bytes, MPI_BYTE, peer, 1, MPI_COMM_WORLD, &req);
        MPI_Wait(&req, MPI_STATUS_IGNORE);
      } else {
        tsr_request req;
        if (sends)
          t->ops->send(t, peer, 1, p, bytes, &req);
        else
          t->ops->recv(t, peer, 1, p, bytes, &req);
        tsr__wait(t, &req);
      }
    }
    double us = (now_us() - start) / n / 2;
    if (us < best) best = us;
  }
  return best;
}

static void measure(tsr_transport *t)
{
  static const size_t sizes[] = {0, 8, 1024, 8192, 65536, 1 << 20};
  if (t->rank > 1) return;
  unsigned char *p = calloc(1 << 20, 1);
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
    double ours = ping_pong(t, p, sizes[k], false), plain = ping_pong(t, p, sizes[k], true);
    if (t->rank == 0)
      printf("ping-pong bytes=%zu ours_us=%.2f plain_us=%.2f\n", sizes[k], ours, plain);
  }
  free(p);
}

int main(int argc, char **argv)
{
  const char *mode = argc > 1 ? argv[1] : "contract";
  tsr_transport *t = open_or_die(NULL, NULL);
  int failures = 0, rank = t->rank;
  if (strcmp(mode, "contract") == 0)
    failures = check_contract(t) + contract_threads(t) + check_shared(&t);
  else if (strcmp(mode, "big") == 0)
    failures = check_big(t);
  else if (strcmp(mode, "speed") == 0)
    measure(t);
  else if (strcmp(mode, "abort") != 0)
    failures = 1;
  else if (rank == 0)
    t->ops->abort(t, 3);
  int finalized = 0, total = sum_failures(t, failures);
  t->ops->close(t);
  MPI_Finalized(&finalized);
  EXPECT(&total, finalized);
  if (rank == 0) printf("transport_mpi_check %s failures=%d\n", mode, total);
  return total != 0;
}
