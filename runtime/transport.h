/* How ranks exchange bytes: non-blocking point-to-point messages with a tag, in MPI's ordering (messages of one
 * sender with one tag arrive in order). Collectives (collective.c) are trees built on them. */
#ifndef TSR_TRANSPORT_H
#define TSR_TRANSPORT_H

#include "tessera/base.h"

typedef struct tsr_transport tsr_transport;

/** One message under way. Owned by the caller until test() returned true or cancel. */
typedef struct tsr_request {
  bool active;
  bool is_send;
  int peer;
  uint32_t tag;
  size_t bytes;       /* receive: the true size once complete (never more than the capacity) */
  tsr_status status;  /* TSR_OK, or TSR_ERR_MPI on a transport error (truncation included) */
  void *impl[4];      /* the transport's */
} tsr_request;

/** Contract for every entry: callable by any thread of the rank (the transport locks); never blocks except close. */
typedef struct tsr_transport_ops {
  const char *name;
  /** Start sending; `bytes` at `data` stay readable until complete. */
  tsr_status (*send)(tsr_transport *t, int peer, uint32_t tag, const void *data, size_t bytes, tsr_request *req);
  /** Start receiving up to `capacity` bytes from `peer` with `tag`. */
  tsr_status (*recv)(tsr_transport *t, int peer, uint32_t tag, void *data, size_t capacity, tsr_request *req);
  /** Make progress; true when `req` is complete (req->active becomes false). If another thread is inside the transport,
   *  may return false without looking. */
  bool (*test)(tsr_transport *t, tsr_request *req);
  /** Is a message from `peer` with `tag` waiting to be received? Then *bytes is its size. */
  bool (*probe)(tsr_transport *t, int peer, uint32_t tag, size_t *bytes);
  /** Called in every turn of a waiting loop that found nothing: may yield the core, or, in the seeded mode of
   *  `local`, pass the baton to another rank. */
  void (*idle)(tsr_transport *t);
  /** End the whole job now (MPI_Abort, exit). Does not return. */
  void (*abort)(tsr_transport *t, int code);
  /** Collective. Frees t. */
  void (*close)(tsr_transport *t);
} tsr_transport_ops;

struct tsr_transport {
  const tsr_transport_ops *ops;
  int rank, size;
  int node_rank, node_size; /* among the ranks that share this node's cores */
  uint64_t n_sent, bytes_sent, n_received, bytes_received; /* counters, by the transport; payload bytes */
};

/** One rank alone. Sends to itself work. */
tsr_transport *tsr__transport_self(void);

/** `n` ranks in one process. Each rank's thread takes ends[r] and closes it. seed 0: plain mailboxes. seed != 0: deliveries are
 *  delayed and reordered within MPI's rules, and one rank runs at a time, chosen by the seed whenever one calls
 *  `idle` or enters/leaves (baton): the whole run is a function of the seed if every rank uses one thread. */
tsr_status tsr__transport_local(int n, uint64_t seed, tsr_transport **ends);
/** Baton of a seeded local transport: call first and last on each rank's thread (no-ops otherwise). */
void tsr__transport_local_enter(tsr_transport *end);
void tsr__transport_local_leave(tsr_transport *end);

/** Over MPI. `comm` points to an MPI_Comm (a void pointer so that this header needs no MPI), or is NULL for
 *  MPI_COMM_WORLD, initialising MPI (THREAD_MULTIPLE asked for) if nobody has. The communicator is duplicated. Without
 *  MPI in the build returns TSR_ERR_MPI with a text that says how to get it. */
tsr_status tsr__transport_mpi(void *comm, int *argc, char ***argv, tsr_transport **out, char *message, size_t size);
/** Number of ranks that some launcher (mpirun, srun, PMI) says this process is one of, 1 if none: to detect a program
 *  that was started by an MPI it was not built for. *launcher: name for messages. Reads the environment. */
int tsr__launcher_ranks(const char **launcher);

/* --- collectives: blocking, every rank calls in the same order. Tags from TSR_TAG_CONTROL up are theirs. --- */

#define TSR_TAG_CONTROL 0x40000000u

/** Binomial tree from root; bytes known to all. */
tsr_status tsr__bcast(tsr_transport *t, int root, void *data, size_t bytes);
/** Combine `bytes` at data over all ranks by `fold(into, from)` (associative, commutative), result everywhere. */
tsr_status tsr__allreduce(tsr_transport *t, void *data, size_t bytes,
                          void (*fold)(void *into, const void *from, void *user), void *user);
tsr_status tsr__barrier(tsr_transport *t);
/** Equal-sized pieces of every rank in rank order, everywhere (out: size*bytes). */
tsr_status tsr__allgather(tsr_transport *t, const void *mine, size_t bytes, void *out);
/** Wait for one request, progressing and idling. */
tsr_status tsr__wait(tsr_transport *t, tsr_request *req);

#endif
