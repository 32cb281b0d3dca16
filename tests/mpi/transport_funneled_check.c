/* The MPI transport in a program that has initialised MPI itself, with MPI_THREAD_FUNNELED, and
 * uses it: `mpirun -n N transport_funneled_check`. Prints one line and returns 0 if all is well. */
#include "transport_mpi.h"

/* Other threads may start messages; those move when the main thread calls. */
static void *start_from_other_thread(void *arg)
{
  void **a = arg;
  tsr_transport *t = a[0];
  tsr_request *reqs = a[1];
  int *out = a[2], *in = a[3], next = (t->rank + 1) % t->size;
  int previous = (t->rank + t->size - 1) % t->size;
  int *failures = a[4];
  for (int i = 0; i < 10; i++) {
    out[i] = t->rank * 100 + i;
    EXPECT(failures, t->ops->recv(t, previous, 300, &in[i], sizeof(int), &reqs[i]) == TSR_OK);
    EXPECT(failures, t->ops->send(t, next, 300, &out[i], sizeof(int), &reqs[10 + i]) == TSR_OK);
  }
  EXPECT(failures, !t->ops->test(t, &reqs[0]));
  return NULL;
}

static int check_funneled(tsr_transport *t)
{
  int failures = 0, out[10], in[10], previous = (t->rank + t->size - 1) % t->size;
  tsr_request reqs[20] = {0};
  void *args[] = {t, reqs, out, in, &failures};
  pthread_t thread;
  pthread_create(&thread, NULL, start_from_other_thread, args);
  pthread_join(thread, NULL);
  EXPECT(&failures, contract_wait_all(t, reqs, 20) == TSR_OK);
  for (int i = 0; i < 10; i++) EXPECT(&failures, in[i] == previous * 100 + i);
  return failures;
}

/* The program's own messages on MPI_COMM_WORLD, with a tag that Tessera uses too, are not taken for
 * ours. */
int main(void)
{
  int provided, failures = 0, mine, theirs = -1, size, tag = 72;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &mine);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Request pending[2];
  MPI_Isend(&mine, 1, MPI_INT, (mine + 1) % size, tag, MPI_COMM_WORLD, &pending[0]);
  MPI_Comm comm = MPI_COMM_WORLD;
  tsr_transport *t = open_or_die(&comm, "MPI_THREAD_FUNNELED");
  failures += check_contract(t) + check_funneled(t);
  failures = sum_failures(t, failures);
  t->ops->close(t);
  MPI_Irecv(&theirs, 1, MPI_INT, (mine + size - 1) % size, tag, MPI_COMM_WORLD, &pending[1]);
  MPI_Waitall(2, pending, MPI_STATUSES_IGNORE);
  EXPECT(&failures, theirs == (mine + size - 1) % size);

  tsr_transport *none = NULL;
  char message[256] = "";
  comm = MPI_COMM_NULL;
  EXPECT(&failures, tsr__transport_mpi(&comm, NULL, NULL, &none, message, 256) == TSR_ERR_MPI);
  EXPECT(&failures, strstr(message, "MPI_COMM_NULL") && !none);
  int total = 0;
  MPI_Allreduce(&failures, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  EXPECT(&total, tsr__transport_mpi(NULL, NULL, NULL, &none, message, 256) == TSR_ERR_MPI);
  EXPECT(&total, strstr(message, "already finalised"));
  if (mine == 0) printf("transport_funneled_check failures=%d\n", total);
  return total != 0;
}
