/* Starts contexts: a single rank, ranks under MPI, or ranks that are threads of this process. */
#include "array/core/array_int.h"
#include "runtime/base/launcher_env.h"
#include "runtime/base/alloc.h"
#include "runtime/transport/transport_shm.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_SIZE = 1024 };

/* Prints an error for which there is no context to keep it. */
static tsr_status complain_start(tsr_status status, const char *message)
{
  char code[8];
  fprintf(stderr, "error[%s]: %s\n", tsr__status_code(status, code), message);
  return status;
}

/* Lets the ranks of a node exchange messages in memory that they share, unless rank 0's setting is
 * `mpi`. A failure, which all ranks have, is printed by the first. */
static tsr_status share_memory(const tsr_config *config, tsr_transport **t)
{
  enum { NEVER, WHERE_IT_CAN, MUST } wish = WHERE_IT_CAN;
  if (!strcmp(config->transport, "mpi")) wish = NEVER;
  if (!strcmp(config->transport, "shm")) wish = MUST;
  char why[MESSAGE_SIZE] = "";
  tsr_status status = tsr__bcast(*t, 0, &wish, sizeof wish);
  if (status < 0)
    return complain_start(status, "the ranks could not agree on how to exchange messages");
  if (wish == NEVER) return TSR_OK;
  status = tsr__transport_shm(t, wish == MUST, why, sizeof why);
  if (status == TSR_OK && why[0] != '\0' && (*t)->node_rank == 0)
    fprintf(stderr, "tessera[%d]: %s; they exchange messages by MPI\n", (*t)->rank, why);
  if (status == TSR_OK) return TSR_OK;
  if ((*t)->rank == 0) {
    complain_start(status, why);
    fprintf(stderr, "help: TESSERA_TRANSPORT=mpi exchanges messages by MPI alone\n");
  }
  tsr__barrier(*t); /* a launcher may end the job when the first process ends */
  return status;
}

/* Makes the transport that the settings and the launcher select. A failure without a message has
 * been printed. */
static tsr_status transport_choose(const tsr_config *config, void *comm, int *argc, char ***argv,
                                   tsr_transport **out, char *message, size_t size)
{
  const char *launcher = "none";
  int launched = tsr__launcher_ranks(&launcher);
  bool is_auto = !strcmp(config->transport, "auto");
  if (!comm && (!strcmp(config->transport, "self") || (is_auto && launched <= 1))) {
    *out = tsr__transport_self();
    return TSR_OK;
  }
  char why[MESSAGE_SIZE / 2] = "";
  tsr_status status = tsr__transport_mpi(comm, argc, argv, out, why, sizeof why);
  if (status < 0) {
    if (!comm && launched > 1)
      snprintf(message, size, "%s started %d ranks, but %s", launcher, launched, why);
    else
      snprintf(message, size, "%s", why);
    return status;
  }
  if (!comm && launched > 1 && (*out)->size == 1) {
    (*out)->ops->close(*out);
    snprintf(message, size,
             "%s started %d ranks, but the MPI library that Tessera was built with sees one: this "
             "would be %d copies of the program\nhelp: build Tessera with that launcher's MPI, or "
             "start the program with the launcher of Tessera's MPI",
             launcher, launched, launched);
    return TSR_ERR_MPI;
  }
  status = share_memory(config, out);
  if (status < 0) (*out)->ops->close(*out);
  return status;
}

static tsr_status start_rank(void *comm, int *argc, char ***argv)
{
  static const tsr_location site = {.op = "tsr_init"};
  if (tsr__task) tsr__no_context(&site);
  char message[MESSAGE_SIZE] = "";
  if (tsr_context_current())
    return complain_start(TSR_ERR_ARGUMENT, "tsr_init: this thread has a context already");
  tsr_config config;
  tsr_status status = tsr__config_read(&config, message, sizeof message);
  if (status < 0) return complain_start(status, message);
  tsr_transport *transport = NULL;
  status = transport_choose(&config, comm, argc, argv, &transport, message, sizeof message);
  if (status < 0) return message[0] != '\0' ? complain_start(status, message) : status;
  tsr_machine *machine = NULL;
  status = tsr__machine_create(&config, transport->node_rank, transport->node_size, 1, &machine,
                               message, sizeof message);
  if (status < 0) {
    transport->ops->close(transport);
    return complain_start(status, message);
  }
  tsr__transport_crowd(transport, machine->ranks_per_core > 1);
  tsr_context *c = tsr__context_open(machine, true, transport, &status);
  if (!c) {
    tsr__machine_destroy(machine);
    return status;
  }
  tsr_context_set_current(c);
  return TSR_OK;
}

static tsr_status start_and_note(void *comm, int *argc, char ***argv)
{
  const tsr_status status = start_rank(comm, argc, argv);
  tsr__start_failed = status < 0;
  return status;
}

tsr_status tsr_init(int *argc, char ***argv)
{
  return start_and_note(NULL, argc, argv);
}

tsr_status tsr_init_comm(void *comm)
{
  if (!comm) return complain_start(TSR_ERR_ARGUMENT, "tsr_init_comm: the communicator is NULL");
  return start_and_note(comm, NULL, NULL);
}

tsr_status tsr_finalize(void)
{
  static const tsr_location site = {.op = "tsr_finalize"};
  if (!tsr_context_current()) return TSR_ERR_ARGUMENT;
  tsr_context *c = tsr__call_begin(&site); /* the call ends with the context */
  tsr_status status = tsr__context_close(c);
  tsr_context_set_current(NULL);
  return status;
}

typedef struct rank_thread {
  pthread_t thread;
  int rank;
  tsr_machine *machine;
  tsr_transport *transport;
  void (*fn)(void *arg, int rank);
  void *arg;
  tsr_status status;
} rank_thread;

static void *rank_main(void *arg)
{
  static const tsr_location end = {.op = "the end of tsr_run_ranks"};
  rank_thread *r = arg;
  tsr__transport_local_enter(r->transport);
  tsr_context *c = tsr__context_open(r->machine, false, r->transport, &r->status);
  if (!c) return NULL;
  tsr_context_set_current(c);
  r->fn(r->arg, r->rank);
  r->status = tsr__context_close(tsr__call_begin(&end));
  tsr_context_set_current(NULL);
  return NULL;
}

static tsr_status settings_read(tsr_config *config, const char *const *settings, char *message,
                                size_t size)
{
  TSR_TRY(tsr__config_read(config, message, size));
  for (const char *const *s = settings; s && s[0]; s += 2) {
    if (!s[1]) {
      snprintf(message, size, "tsr_run_ranks: the setting \"%s\" has no value", s[0]);
      return TSR_ERR_CONFIG;
    }
    TSR_TRY(tsr__config_set(config, s[0], s[1], message, size));
  }
  return TSR_OK;
}

tsr_status tsr_run_ranks(int n, const char *const *settings, void (*fn)(void *arg, int rank),
                         void *arg)
{
  char message[MESSAGE_SIZE] = "";
  if (n < 1 || !fn)
    return complain_start(TSR_ERR_ARGUMENT,
                          "tsr_run_ranks: needs at least one rank and a function");
  tsr_config config;
  tsr_status status = settings_read(&config, settings, message, sizeof message);
  if (status < 0) return complain_start(status, message);
  tsr_machine *machine = NULL;
  status = tsr__machine_create(&config, 0, 1, n, &machine, message, sizeof message);
  if (status < 0) return complain_start(status, message);
  tsr_transport **ends = tsr__calloc((size_t)n, sizeof *ends);
  rank_thread *ranks = tsr__calloc((size_t)n, sizeof *ranks);
  status = tsr__transport_local(n, (uint64_t)config.seed, ends);
  if (status == TSR_OK && !strcmp(config.transport, "shm") && config.seed == 0)
    tsr__transport_shm_threads(n, machine->ranks_per_core > 1, ends);
  if (status < 0) {
    complain_start(status, "tsr_run_ranks: the ranks cannot be connected");
  } else {
    for (int r = 0; r < n; r++) {
      ranks[r] =
          (rank_thread){.rank = r, .machine = machine, .transport = ends[r], .fn = fn, .arg = arg};
      if (pthread_create(&ranks[r].thread, NULL, rank_main, &ranks[r]))
        tsr__fatal("tsr_run_ranks: the system refuses thread %d of %d", r + 1, n);
    }
    for (int r = 0; r < n; r++) {
      pthread_join(ranks[r].thread, NULL);
      if (status == TSR_OK) status = ranks[r].status;
    }
  }
  free(ranks);
  free(ends);
  tsr__machine_destroy(machine);
  return status;
}
