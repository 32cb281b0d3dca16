/* METG by MPI: each rank has its part of the tasks, and exchanges what others' tasks depend on with
 * Isend, Irecv and Waitall, one message per pair of ranks and step.
 *
 *   mpirun -n 2 metg_mpi PATTERN WIDTH      prints `us=… check=…` */
#include "bench/peers/metg.h"

#include <mpi.h>

typedef struct ranks {
  int rank, size;
  metg_output outputs[2][256];
} ranks;

/* Sets *from and *to to the tasks of `owner` that those of `reader` depend on. */
static int span(const metg_grid *g, const ranks *r, int owner, int reader, int reach, int *from)
{
  const int lo = metg_begin(g, owner, r->size), hi = metg_begin(g, owner + 1, r->size);
  const int first = metg_begin(g, reader, r->size) - reach,
            end = metg_begin(g, reader + 1, r->size) + reach;
  *from = first > lo ? first : lo;
  return (end < hi ? end : hi) - *from;
}

static void exchange(const metg_grid *g, ranks *r, int reach, metg_output *x)
{
  MPI_Request requests[128];
  int n = 0, from;
  for (int p = 0; p < r->size; p++) {
    if (p == r->rank) continue;
    int length = span(g, r, p, r->rank, reach, &from);
    if (length > 0)
      MPI_Irecv(x + from, 2 * length, MPI_DOUBLE, p, 0, MPI_COMM_WORLD, &requests[n++]);
    length = span(g, r, r->rank, p, reach, &from);
    if (length > 0)
      MPI_Isend(x + from, 2 * length, MPI_DOUBLE, p, 0, MPI_COMM_WORLD, &requests[n++]);
  }
  MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}

static double run(void *arg, const metg_grid *g, int64_t iterations, int64_t n_steps)
{
  ranks *r = arg;
  const int from = metg_begin(g, r->rank, r->size), to = metg_begin(g, r->rank + 1, r->size);
  memset(r->outputs, 0, sizeof r->outputs);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = peer_seconds();
  for (int64_t s = 0; s < n_steps; s++) {
    const int reach = metg_reach(g, s);
    if (reach > 0) exchange(g, r, reach, r->outputs[s & 1]);
    for (int i = from; i < to; i++)
      r->outputs[(s + 1) & 1][i] =
          metg_run(g, iterations, reach, i, r->outputs[s & 1], 0, (double)s);
  }
  double seconds = peer_seconds() - begin;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

int main(int argc, char **argv)
{
  static ranks r;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &r.size);
  if (r.size > 64) MPI_Abort(MPI_COMM_WORLD, 2);
  const metg_grid g = metg_arguments(argc, argv, r.size);
  run(&r, &g, METG_CHECK_ITERATIONS, METG_CHECK_STEPS);
  exchange(&g, &r, g.width, r.outputs[METG_CHECK_STEPS & 1]);
  const double check = metg_check(g.width, r.outputs[METG_CHECK_STEPS & 1]);
  const double us = metg_search(run, &r, &g);
  if (r.rank == 0) peer_report(us * 1e-6, 1, check);
  MPI_Finalize();
  return 0;
}
