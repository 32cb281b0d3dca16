/* The link `ipc` between processes, over the stand-in for the driver: `mpirun -n N ipc_program`.
 * What ranks exchange has the bits of the host alone, goes by the link, or by the host where an
 * entry of the driver fails on one rank, and leaves nothing behind. Prints one line and returns 0
 * if all is well. */
#include "array/core/array_int.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 96, M = 64, N_STEPS = 6 };

typedef struct outcome {
  double field[N * M];
  double sum;
  unsigned long long n_links; /* of all ranks */
  int n_leaks;
} outcome;

static int n_failures, rank;

static void expect(int line, bool ok, const char *what, const char *name)
{
  if (ok) return;
  n_failures++;
  fprintf(stderr, "ipc_program:%d: rank %d: %s: %s\n", line, rank, name, what);
}
#define EXPECT(cond, name) expect(__LINE__, cond, #cond, name)

static void compute(outcome *out)
{
  tsr_array u = tsr_zeros(TSR_SHAPE(N, M)), v = tsr_zeros(TSR_SHAPE(N, M), TSR_FLOAT32);
  tsr_assign(u, tsr_sin(tsr_reshape(tsr_arange(N * M), TSR_SHAPE(N, M))));
  tsr_assign(v, tsr_cos(tsr_reshape(tsr_arange(N * M), TSR_SHAPE(N, M))));
  for (int i = 0; i < N_STEPS; i++) {
    tsr_exec("u[1:-1, 1:-1] = 0.25*(u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])", u);
    tsr_exec("v[2:-1, 1:] = v[2:-1, 1:] + 0.125*v[:-3, :-1] + u[3:, 1:]", v, u);
    EXPECT(tsr_flush() == TSR_OK, "a step");
  }
  out->sum = tsr_item_f64(tsr_sum(tsr_multiply(u, v)));
  tsr_array all = tsr_add(tsr_roll(u, 7, TSR_AXES(0)), tsr_flip(v, TSR_AXES(0)));
  EXPECT(tsr_to_host(all, out->field) == TSR_OK, "values");
}

/* What the stand-in says was not given back. */
static int count_leaks(void)
{
  int (*leaks)(void) = NULL;
  void *fake = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  void *symbol = fake != NULL ? dlsym(fake, "fake_cuda_leaks") : NULL;
  if (symbol == NULL) return 0;
  memcpy(&leaks, &symbol, sizeof leaks);
  return leaks();
}

/* Runs the program. fails: the entry that fails on rank 1, or "". */
static void run(MPI_Comm comm, const char *device, const char *link, const char *fails,
                outcome *out)
{
  setenv("TESSERA_DEVICE", device, 1);
  setenv("TESSERA_LINK", link, 1);
  setenv("FAKE_CUDA_FAIL", rank == 1 ? fails : "", 1);
  memset(out, 0, sizeof *out);
  EXPECT(tsr_init_comm(&comm) == TSR_OK, link);
  compute(out);
  unsigned long long n = tsr__context_counters()->n_links;
  EXPECT(tsr_finalize() == TSR_OK, link);
  MPI_Allreduce(&n, &out->n_links, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, comm);
  out->n_leaks = count_leaks();
}

static bool are_same(const outcome *a, const outcome *b)
{
  return memcmp(a->field, b->field, sizeof a->field) == 0 &&
         memcmp(&a->sum, &b->sum, sizeof a->sum) == 0;
}

int main(int argc, char **argv)
{
  static outcome alone, together;
  static const char *const fails[] = {"",
                                      "cuIpcGetMemHandle:1",
                                      "cuIpcOpenMemHandle_v2:1",
                                      "cuStreamWriteValue64_v2:1",
                                      "cuStreamWaitValue64_v2:1",
                                      "cuIpcCloseMemHandle:1"};
  int provided, total = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  setenv("TESSERA_PLACEMENT", "all", 1);
  setenv("TESSERA_PLACES", "1", 1);
  setenv("TESSERA_REPLICATE_MAX", "0", 1);
  setenv("TESSERA_TILE_MIN", "64", 1);
  setenv("TESSERA_THREADS", "2", 1);
  setenv("TESSERA_BIND", "0", 1);
  run(MPI_COMM_SELF, "cpu", "host", "", &alone);
  run(MPI_COMM_WORLD, "cuda", "host", "", &together);
  EXPECT(are_same(&together, &alone) && together.n_links == 0, "host");
  for (size_t i = 0; i < sizeof fails / sizeof fails[0]; i++) {
    const bool opens = i == 0 || strstr(fails[i], "Close") != NULL;
    run(MPI_COMM_WORLD, "cuda", "ipc", fails[i], &together);
    EXPECT(are_same(&together, &alone), fails[i]);
    EXPECT(opens == (together.n_links > 0), fails[i]);
    EXPECT(together.n_leaks == 0, fails[i]);
  }
  MPI_Allreduce(&n_failures, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank == 0) printf("ipc_program failures=%d\n", total);
  return total != 0;
}
