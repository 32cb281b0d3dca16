/* What the programs that check the MPI transport share. */
#ifndef TSR_TEST_TRANSPORT_MPI_H
#define TSR_TEST_TRANSPORT_MPI_H

#include <mpi.h>

#include "../runtime/transport_contract.h"

/** The transport, or the end of the program. expected_note: part of the note that opening must
 * give, NULL: none. */
static inline tsr_transport *open_or_die(void *comm, const char *expected_note)
{
  char message[512];
  tsr_transport *t = NULL;
  if (tsr__transport_mpi(comm, NULL, NULL, &t, message, sizeof message) != TSR_OK) {
    fprintf(stderr, "%s\n", message);
    exit(1);
  }
  if (expected_note ? !strstr(message, expected_note) : message[0] != '\0') {
    fprintf(stderr, "unexpected note: %s\n", message);
    exit(1);
  }
  return t;
}

/* Open MPI 4.1 cuts a message of a rank to itself without an error: truncation is checked between
 * ranks only. */
static inline int check_contract(tsr_transport *t)
{
  int failures = 0;
  EXPECT(&failures, strcmp(t->ops->name, "mpi") == 0);
  EXPECT(&failures, t->node_rank >= 0 && t->node_rank < t->node_size && t->node_size <= t->size);
  if (t->size > 1) failures += contract_truncation(t);
  return failures + contract_sizes(t) + contract_many(t) + contract_counters(t) +
         contract_collectives(t) + contract_sequence(t);
}

static inline void add_int(void *into, const void *from, void *user)
{
  (void)user;
  *(int *)into += *(const int *)from;
}

/** The failures of all ranks, on each. */
static inline int sum_failures(tsr_transport *t, int failures)
{
  return tsr__allreduce(t, &failures, sizeof failures, add_int, NULL) == TSR_OK ? failures : 1;
}

#endif
