/* A face from array to array between two ranks of a node, in both directions at once: ours in
 * shared memory, and as one would write it with MPI, packed, MPI_Isend, MPI_Irecv, MPI_Waitall,
 * unpacked. The face is a column of a matrix of doubles, eight apart. Ours packs into the ring and
 * unpacks out of it.
 *
 *   mpirun -n 2 face       prints `ours_8_us=… mpi_8_us=…`, and the same for 8,192 and 65,536 bytes
 *
 * Medians of the microseconds of a round, ours and MPI in turn. */
#include <mpi.h>

#include "bench/peers/peer.h"
#include "runtime/transport/transport_shm.h"

enum { N_ROUNDS = 31, STEP = 8 };

static void pack(double *to, const double *column, size_t n)
{
  for (size_t i = 0; i < n; i++) to[i] = column[i * STEP];
}

static void unpack(double *column, const double *from, size_t n)
{
  for (size_t i = 0; i < n; i++) column[i * STEP] = from[i];
}

static void by_transport(tsr_transport *t, const double *from, double *to, size_t n)
{
  const int peer = 1 - t->rank;
  tsr_request send, receive;
  t->ops->recv(t, peer, 1, NULL, n * sizeof *to, &receive);
  double *packed;
  while ((packed = t->ops->reserve(t, peer, n * sizeof *to)) == NULL) t->ops->idle(t);
  pack(packed, from, n);
  t->ops->send(t, peer, 1, packed, n * sizeof *to, &send);
  tsr__wait(t, &send);
  tsr__wait(t, &receive);
  unpack(to, receive.data, n);
  t->ops->give_back(t, &receive);
}

static void by_mpi(const double *from, double *to, size_t n, double *out, double *in)
{
  int rank;
  MPI_Request r[2];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Irecv(in, (int)n, MPI_DOUBLE, 1 - rank, 1, MPI_COMM_WORLD, &r[0]);
  pack(out, from, n);
  MPI_Isend(out, (int)n, MPI_DOUBLE, 1 - rank, 1, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  unpack(to, in, n);
}

/* Sends the face there and back so often that a round takes a while, and checks it. */
static void measure(tsr_transport *t, size_t n)
{
  const int laps = n > 4000 ? 300 : 3000;
  double us[2][N_ROUNDS];
  double *from = calloc(n * STEP, sizeof *from), *to = calloc(n * STEP, sizeof *to);
  double *out = calloc(n, sizeof *out), *in = calloc(n, sizeof *in);
  for (size_t i = 0; i < n; i++) from[i * STEP] = (double)(i + 1) * (t->rank + 1);
  for (int round = 0; round < 2 * N_ROUNDS; round++) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = peer_seconds();
    for (int lap = 0; lap < laps; lap++)
      if (round % 2)
        by_mpi(from, to, n, out, in);
      else
        by_transport(t, from, to, n);
    us[round % 2][round / 2] = 1e6 * (peer_seconds() - start) / laps;
    for (size_t i = 0; i < n; i++)
      if (to[i * STEP] != (double)(i + 1) * (2 - t->rank)) exit(1);
    memset(to, 0, n * STEP * sizeof *to);
  }
  const double ours = peer_median(us[0], N_ROUNDS), mpi = peer_median(us[1], N_ROUNDS);
  if (t->rank == 0)
    printf("ours_%zu_us=%.3f mpi_%zu_us=%.3f\n", n * sizeof *to, ours, n * sizeof *to, mpi);
  free(from);
  free(to);
  free(out);
  free(in);
}

int main(int argc, char **argv)
{
  char message[512];
  tsr_transport *t = NULL;
  if (tsr__transport_mpi(NULL, &argc, &argv, &t, message, sizeof message) < 0 || t->size != 2 ||
      tsr__transport_shm(&t, true, message, sizeof message) < 0) {
    fprintf(stderr, "face: two ranks of a node are needed: %s\n", message);
    return 1;
  }
  static const size_t sizes[] = {1, 1024, 8192};
  for (int i = 0; i < 3; i++) measure(t, sizes[i]);
  t->ops->close(t);
  return 0;
}
