/* Tessera inside a program that uses MPI: `mpirun -n N init_comm_check`. The program initialises
 * MPI, splits its ranks into two halves, and each half computes with a Tessera of its own while the
 * program's own messages are under way. Prints one line and returns 0 if all is well. */
#include "tessera.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>

static int n_failures;

static void expect(int line, bool ok, const char *what)
{
  if (ok) return;
  n_failures++;
  fprintf(stderr, "init_comm_check:%d: %s\n", line, what);
}
#define EXPECT(cond) expect(__LINE__, cond, #cond)

/* The halves run different programs: nothing of one may reach the other. */
static double compute(int colour)
{
  const int64_t n = 300 + 20 * colour;
  tsr_array u = tsr_zeros(TSR_SHAPE(n, n));
  tsr_assign(tsr_slice(u, "0, :"), 40.0);
  tsr_array center = tsr_slice(u, "1:-1, 1:-1"), north = tsr_slice(u, ":-2, 1:-1"),
            south = tsr_slice(u, "2:, 1:-1");
  for (int i = 0; i < 10 + colour; i++)
    tsr_assign(center, tsr_multiply(0.25, tsr_add(center, north, south)));
  return tsr_item_f64(tsr_sum(u));
}

int main(int argc, char **argv)
{
  int provided, rank, size, colour, half_rank, half_size;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  colour = rank % 2;
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, colour, rank, &half);
  MPI_Comm_rank(half, &half_rank);
  MPI_Comm_size(half, &half_size);

  int mine = rank, theirs = -1, before = (rank + size - 1) % size;
  MPI_Request pending[2];
  MPI_Isend(&mine, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &pending[0]);
  double sum[2] = {0};
  for (int again = 0; again < 2; again++) {
    EXPECT(tsr_init_comm(&half) == TSR_OK);
    EXPECT(tsr_rank() == half_rank && tsr_n_ranks() == half_size);
    sum[again] = compute(colour);
    EXPECT(tsr_finalize() == TSR_OK);
  }
  EXPECT(sum[0] == sum[1] && isfinite(sum[0]) && sum[0] > 0);
  MPI_Irecv(&theirs, 1, MPI_INT, before, 1, MPI_COMM_WORLD, &pending[1]);
  MPI_Waitall(2, pending, MPI_STATUSES_IGNORE);
  EXPECT(theirs == before);

  /* A rank alone computes the same bits as the half did together. */
  MPI_Comm self = MPI_COMM_SELF;
  EXPECT(tsr_init_comm(&self) == TSR_OK);
  EXPECT(tsr_n_ranks() == 1);
  EXPECT(compute(colour) == sum[0]);
  EXPECT(tsr_finalize() == TSR_OK);

  int total = 0;
  MPI_Allreduce(&n_failures, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm_free(&half);
  int still = 0;
  MPI_Finalized(&still);
  if (still) total++;
  MPI_Finalize();
  if (rank == 0) printf("init_comm_check failures=%d\n", total);
  return total != 0;
}
