/* The transports self and local, against the contract of runtime/transport/transport.h (tests/mpi
 * does the same for mpi). The seeded mode of local: the same seed gives the same run, another seed
 * another order, and a deadlock is reported. And what launchers leave in the environment. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "local_ranks.h"
#include "runtime/base/launcher_env.h"
#include "tests/support/child.h"
#include "transport_contract.h"

Test(transport, self_keeps_the_contract)
{
  tsr_transport *t = tsr__transport_self();
  cr_assert_str_eq(t->ops->name, "self");
  cr_assert(t->rank == 0 && t->size == 1 && t->node_rank == 0 && t->node_size == 1);
  cr_assert_eq(contract_all(t), 0);
  cr_assert_eq(contract_threads(t), 0);
  t->ops->idle(t);
  t->ops->close(t);
}

static int check_all(tsr_transport *t, void *user)
{
  return contract_all(t);
}

static int check_threads(tsr_transport *t, void *user)
{
  return contract_threads(t);
}

Test(transport, local_keeps_the_contract, .timeout = 60)
{
  for (int n = 1; n <= 8; n++)
    cr_assert_eq(local_ranks_run(n, 0, check_all, NULL), 0, "%d ranks", n);
}

Test(transport, local_takes_calls_of_several_threads, .timeout = 60)
{
  for (int n = 1; n <= 4; n++)
    cr_assert_eq(local_ranks_run(n, 0, check_threads, NULL), 0, "%d ranks", n);
}

Test(transport, local_seeded_keeps_the_contract, .timeout = 60)
{
  for (int n = 1; n <= 8; n++)
    for (uint64_t seed = 1; seed <= 3; seed++)
      cr_assert_eq(local_ranks_run(n, seed * 12345, check_all, NULL), 0, "%d ranks, seed %llu", n,
                   (unsigned long long)seed * 12345);
}

Test(transport, local_refuses_no_ranks)
{
  tsr_transport *end = NULL;
  cr_assert_eq(tsr__transport_local(0, 0, &end), TSR_ERR_ARGUMENT);
  cr_assert_null(end);
}

/* An end is closed with a message that nobody took, and with one whose receive was not posted:
 * nothing leaks, and nothing is written. */
Test(transport, local_drops_what_nobody_took)
{
  tsr_transport *ends[2];
  cr_assert_eq(tsr__transport_local(2, 0, ends), TSR_OK);
  char big[5000] = {0};
  tsr_request s = {0};
  cr_assert_eq(ends[0]->ops->send(ends[0], 1, 3, big, sizeof big, &s), TSR_OK);
  cr_assert(ends[0]->ops->test(ends[0], &s));
  ends[0]->ops->close(ends[0]);
  ends[1]->ops->close(ends[1]);
}

/* Checks that the sender may use its buffer again as soon as the send is complete. */
static int check_buffer_reuse(tsr_transport *t, void *user)
{
  int failures = 0, value;
  for (int k = 0; k < 100; k++) {
    tsr_request req = {0};
    if (t->rank == 0) {
      value = k;
      EXPECT(&failures, t->ops->send(t, 1, 9, &value, sizeof value, &req) == TSR_OK);
      EXPECT(&failures, tsr__wait(t, &req) == TSR_OK);
      value = -1;
    } else {
      EXPECT(&failures, t->ops->recv(t, 0, 9, &value, sizeof value, &req) == TSR_OK);
      EXPECT(&failures, tsr__wait(t, &req) == TSR_OK && value == k);
    }
  }
  return failures;
}

Test(transport, local_send_buffers_may_be_reused, .timeout = 60)
{
  cr_assert_eq(local_ranks_run(2, 0, check_buffer_reuse, NULL), 0);
  for (uint64_t seed = 1; seed < 10; seed++)
    cr_assert_eq(local_ranks_run(2, seed, check_buffer_reuse, NULL), 0);
}

/* A list of the order in which messages with different tags complete, over all ranks. It needs no
 * lock, since one rank runs at a time (a thread sanitizer sees it if not). */
typedef struct trace {
  int n;
  int events[4096];
} trace;

static int record_trace(tsr_transport *t, void *user)
{
  enum { N_TAGS = 12 };
  trace *tr = user;
  int failures = 0, n = t->size * N_TAGS, left = n;
  tsr_request *sends = calloc((size_t)n, sizeof *sends), *recvs = calloc((size_t)n, sizeof *recvs);
  int *in = calloc((size_t)n, sizeof *in), mine = t->rank;
  for (int i = 0; i < n; i++) {
    int peer = i % t->size, tag = i / t->size;
    EXPECT(&failures,
           t->ops->recv(t, peer, (uint32_t)tag, &in[i], sizeof in[i], &recvs[i]) == TSR_OK);
    EXPECT(&failures,
           t->ops->send(t, peer, (uint32_t)tag, &mine, sizeof mine, &sends[i]) == TSR_OK);
  }
  while (left > 0) {
    for (int i = 0; i < n; i++) {
      if (!recvs[i].active || !t->ops->test(t, &recvs[i])) continue;
      left--;
      EXPECT(&failures, in[i] == i % t->size);
      if (tr->n < 4096) tr->events[tr->n++] = t->rank * 1000 + i;
    }
    t->ops->idle(t);
  }
  EXPECT(&failures, contract_wait_all(t, sends, n) == TSR_OK);
  free(in);
  free(recvs);
  free(sends);
  return failures;
}

static bool same_trace(const trace *a, const trace *b)
{
  return a->n == b->n && memcmp(a->events, b->events, (size_t)a->n * sizeof a->events[0]) == 0;
}

Test(transport, local_runs_are_a_function_of_the_seed, .timeout = 60)
{
  static trace first, again, other;
  for (int n = 1; n <= 8; n++) {
    int n_different = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
      first.n = again.n = other.n = 0;
      cr_assert_eq(local_ranks_run(n, seed, record_trace, &first), 0);
      cr_assert_eq(local_ranks_run(n, seed, record_trace, &again), 0);
      cr_assert_eq(local_ranks_run(n, seed + 100, record_trace, &other), 0);
      cr_assert_eq(first.n, n * n * 12);
      cr_assert(same_trace(&first, &again), "%d ranks, seed %d", n, (int)seed);
      n_different += !same_trace(&first, &other);
    }
    cr_assert_geq(n_different, 3, "%d ranks", n);
  }
}

/* Counts messages that overtake others of another tag. */
static int count_overtaking(tsr_transport *t, void *user)
{
  enum { N = 32 };
  int failures = 0, left = N, *n_overtaken = user, newest = -1;
  tsr_request s[N], r[N];
  for (int i = 0; i < N; i++) {
    EXPECT(&failures, t->ops->recv(t, 0, (uint32_t)i, NULL, 0, &r[i]) == TSR_OK);
    EXPECT(&failures, t->ops->send(t, 0, (uint32_t)i, NULL, 0, &s[i]) == TSR_OK);
  }
  for (; left > 0; t->ops->idle(t))
    for (int i = 0; i < N; i++) {
      if (!r[i].active || !t->ops->test(t, &r[i])) continue;
      left--;
      if (i < newest)
        ++*n_overtaken;
      else
        newest = i;
    }
  EXPECT(&failures, contract_wait_all(t, s, N) == TSR_OK);
  return failures;
}

Test(transport, local_seeded_reorders_across_tags)
{
  int n_plain = 0, n_seeded = 0;
  cr_assert_eq(local_ranks_run(1, 0, count_overtaking, &n_plain), 0);
  cr_assert_eq(local_ranks_run(1, 7, count_overtaking, &n_seeded), 0);
  cr_assert_eq(n_plain, 0);
  cr_assert_gt(n_seeded, 0);
}

static int wait_for_nobody(tsr_transport *t, void *user)
{
  char byte;
  tsr_request req = {0};
  if (t->ops->recv(t, 1 - t->rank, 17 + (uint32_t)t->rank, &byte, 1, &req) != TSR_OK) return 1;
  return tsr__wait(t, &req) != TSR_OK;
}

Test(transport, local_seeded_reports_a_deadlock, .timeout = 60)
{
  int fds[2];
  cr_assert_eq(pipe(fds), 0);
  pid_t child = fork_child();
  cr_assert_geq(child, 0);
  if (child == 0) {
    dup2(fds[1], STDERR_FILENO);
    local_ranks_run(2, 5, wait_for_nobody, NULL);
    _exit(0);
  }
  close(fds[1]);
  char text[4096] = "";
  size_t n = 0;
  for (ssize_t got; n < sizeof text - 1 && (got = read(fds[0], text + n, sizeof text - 1 - n)) > 0;)
    n += (size_t)got;
  close(fds[0]);
  int status;
  cr_assert_eq(waitpid(child, &status, 0), child);
  cr_assert(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
  cr_expect(strstr(text, "deadlock: 2 of 2 ranks"), "%s", text);
  cr_expect(strstr(text, "rank 0 waits for a message from rank 1 with tag 0x11"), "%s", text);
  cr_expect(strstr(text, "rank 1 waits for a message from rank 0 with tag 0x12"), "%s", text);
}

/* A rank that has left does not hold up the others. */
static int leave_early(tsr_transport *t, void *user)
{
  int failures = 0;
  if (t->rank == 0) return 0;
  int peer = 3 - t->rank, got = -1;
  tsr_request s = {0}, r = {0};
  EXPECT(&failures, t->ops->send(t, peer, 1, &t->rank, sizeof(int), &s) == TSR_OK);
  EXPECT(&failures, t->ops->recv(t, peer, 1, &got, sizeof got, &r) == TSR_OK);
  EXPECT(&failures, tsr__wait(t, &r) == TSR_OK && tsr__wait(t, &s) == TSR_OK && got == peer);
  return failures;
}

Test(transport, local_seeded_ranks_may_leave_early, .timeout = 60)
{
  for (uint64_t seed = 1; seed < 20; seed++)
    cr_assert_eq(local_ranks_run(3, seed, leave_early, NULL), 0);
}

/* Opening fails in either build: there is no MPI, or it is not running. */
Test(transport, mpi_says_why_it_cannot_open)
{
  char message[512] = "";
  int unused;
  tsr_transport *t = NULL;
  cr_assert_eq(tsr__transport_mpi(&unused, NULL, NULL, &t, message, sizeof message), TSR_ERR_MPI);
  cr_assert_null(t);
  cr_assert(strstr(message, "built without MPI") || strstr(message, "MPI is not initialised"));
  cr_assert(strstr(message, "help: "));
}

Test(transport, abort_ends_the_process, .exit_code = 7)
{
  tsr_transport *t = tsr__transport_self();
  t->ops->abort(t, 7);
}

/* Unsets the variables of every launcher that may have started the tests. */
static void clear_launchers(void)
{
  static const char *const names[] = {
      "OMPI_COMM_WORLD_SIZE", "MV2_COMM_WORLD_SIZE",  "PMI_SIZE",    "PMIX_RANK", "SLURM_STEP_ID",
      "SLURM_PROCID",         "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) unsetenv(names[i]);
}

Test(launcher, ranks_of_each_launcher)
{
  const char *name = NULL;
  clear_launchers();
  cr_assert_eq(tsr__launcher_ranks(&name), 1);
  cr_assert_str_eq(name, "none");

  setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
  cr_assert_eq(tsr__launcher_ranks(&name), 4);
  cr_assert(strstr(name, "Open MPI"));
  setenv("OMPI_COMM_WORLD_SIZE", "four", 1);
  cr_assert_eq(tsr__launcher_ranks(NULL), 1);

  clear_launchers();
  setenv("PMI_SIZE", "3", 1);
  cr_assert_eq(tsr__launcher_ranks(&name), 3);
  cr_assert(strstr(name, "MPICH"));

  clear_launchers();
  setenv("PMIX_RANK", "2", 1);
  cr_assert_eq(tsr__launcher_ranks(&name), 3);
}

Test(launcher, slurm_counts_only_as_a_step)
{
  const char *name = NULL;
  clear_launchers();
  setenv("SLURM_NTASKS", "8", 1);
  setenv("SLURM_PROCID", "0", 1);
  cr_assert_eq(tsr__launcher_ranks(&name), 1, "a batch script without a step");
  setenv("SLURM_STEP_ID", "4294967291", 1);
  cr_assert_eq(tsr__launcher_ranks(&name), 1, "the batch step");
  setenv("SLURM_STEP_ID", "0", 1);
  cr_assert_eq(tsr__launcher_ranks(&name), 8);
  cr_assert_str_eq(name, "srun");
  setenv("SLURM_STEP_NUM_TASKS", "5", 1);
  cr_assert_eq(tsr__launcher_ranks(&name), 5, "a step smaller than the job");
  setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
  cr_assert_eq(tsr__launcher_ranks(&name), 2, "mpirun inside the step");
}
