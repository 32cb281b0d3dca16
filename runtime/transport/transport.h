/* How ranks exchange bytes: non-blocking point-to-point messages with a tag, in MPI's ordering
 * (messages of one sender with one tag arrive in order). Collectives (collective.c) are trees built
 * on them. */
#ifndef TSR_TRANSPORT_H
#define TSR_TRANSPORT_H

#include "tessera/base.h"

typedef struct tsr_transport tsr_transport;

/** One message under way. The caller's memory, at one address until test() returned true; nobody
 * copies it meanwhile. All zero is a request that is complete. */
typedef struct tsr_request {
  bool active;
  bool is_send;
  int peer;
  uint32_t tag;
  size_t bytes;      /* receive: the true size once complete (never more than the capacity) */
  tsr_status status; /* TSR_OK, or TSR_ERR_MPI on a transport error (truncation included) */
  void *impl[4];     /* the transport's */
} tsr_request;

/** Contract for every entry: callable by any thread of the rank (the transport locks), test of one
 * request by one thread at a time; never blocks except close. Tags: below 2^22 every MPI takes them
 * (or TSR_TAG_CONTROL plus such a number). */
typedef struct tsr_transport_ops {
  const char *name;
  /** Start sending; `bytes` at `data` stay as they are until complete. A send may complete only
   * when it is received. */
  tsr_status (*send)(tsr_transport *t, int peer, uint32_t tag, const void *data, size_t bytes,
                     tsr_request *req);
  /** Start receiving up to `capacity` bytes from `peer` with `tag`. A longer message is an error of
   * the receive. */
  tsr_status (*recv)(tsr_transport *t, int peer, uint32_t tag, void *data, size_t capacity,
                     tsr_request *req);
  /** Make progress; true when `req` is complete (req->active becomes false), or was before. If
   * another thread is inside the transport, may return false without looking. */
  bool (*test)(tsr_transport *t, tsr_request *req);
  /** Is a message from `peer` with `tag` waiting to be received? Then *bytes is its size. */
  bool (*probe)(tsr_transport *t, int peer, uint32_t tag, size_t *bytes);
  /** Called in every turn of a waiting loop that found nothing: may yield the core, or, in the
   * seeded mode of `local`, pass the baton to another rank. */
  void (*idle)(tsr_transport *t);
  /** (optional) May a test() find something now that was not there before, without an idle turn? A
   * few loads, any thread. Without the entry, or if it says true, who wants to know must test. */
  bool (*has_news)(tsr_transport *t);
  /** End the whole job now (MPI_Abort, exit). Does not return. */
  void (*abort)(tsr_transport *t, int code);
  /** Collective, when no request is active. Frees t. */
  void (*close)(tsr_transport *t);
} tsr_transport_ops;

/** What came last from a rank. */
typedef struct tsr_heard {
  uint64_t ns;              /* when; 0: nothing yet */
  const tsr_location *call; /* of this rank, and so of that one; NULL: none */
} tsr_heard;

struct tsr_transport {
  const tsr_transport_ops *ops;
  int rank, size;
  int node_rank, node_size; /* among the ranks that share this node's cores */
  bool crowded; /* over MPI: more ranks on the node than cores. A poll may cost the core: test after
                   has_news() or idle(), which then gives up the core, longer and longer */
  uint64_t n_sent, bytes_sent, n_received,
      bytes_received; /* counters, by the transport; payload bytes */
  /* Of waits that take long (wait.c); all zero: nobody is told. */
  uint64_t stall_ns;               /* after which stderr is told */
  const tsr_location *const *call; /* where the call that is under way is noted; may be NULL */
  tsr_heard *heard;                /* [size], owned */
};

/** One rank alone. Sends to itself work. */
tsr_transport *tsr__transport_self(void);

/** `n` ranks in one process. Each rank's thread takes ends[r] and closes it. seed 0: plain
 * mailboxes. seed != 0: deliveries are delayed and reordered within MPI's rules, half of the sends
 * wait for their receive, and one rank runs at a time, chosen by the seed whenever one calls `idle`
 * or enters/leaves (baton): the whole run is a function of the seed if every rank uses one thread.
 * A seeded run in which all ranks wait for ever ends the process and says for what.
 *  TSR_ERR_ARGUMENT if n < 1. */
tsr_status tsr__transport_local(int n, uint64_t seed, tsr_transport **ends);
/** Baton of a seeded local transport (no-ops on any other): every rank's thread enters first (which
 * waits until all have), and leaves last, or lets close do it: after close the end is gone. Once
 * each. */
void tsr__transport_local_enter(tsr_transport *end);
void tsr__transport_local_leave(tsr_transport *end);

/** Over MPI. Collective. `comm` points to an MPI_Comm (a void pointer so that this header needs no
 * MPI), or is NULL for MPI_COMM_WORLD, initialising MPI (THREAD_MULTIPLE asked for) if nobody has;
 * then close finalises it. The communicator is duplicated. TSR_ERR_MPI with a text in message;
 * without MPI in the build it says how to get it. If the program initialised MPI below
 * MPI_THREAD_SERIALIZED, only the thread that made this call (MPI's main thread) exchanges
 * messages: sends and receives that others start begin in its next call, test and probe by others
 * find nothing. Then message has a note that says so, with TSR_OK; otherwise it is empty. */
tsr_status tsr__transport_mpi(void *comm, int *argc, char ***argv, tsr_transport **out,
                              char *message, size_t size);
/** First line of the MPI library's version, NULL if the build has none. Static; needs no MPI_Init.
 */
const char *tsr__mpi_version(void);

/* Collectives (collective.c): blocking, every rank calls in the same order, from one thread. Tags
 * from TSR_TAG_CONTROL up are theirs. TSR_ERR_MPI if a message failed or the ranks disagree about
 * sizes. */

#define TSR_TAG_CONTROL 0x40000000u

/** Binomial tree from root; bytes known to all. */
tsr_status tsr__bcast(tsr_transport *t, int root, void *data, size_t bytes);
/** Combine `bytes` at data over all ranks by `fold(into, from)` (associative, commutative), the
 * same result everywhere, in an order that depends on the number of ranks only. */
tsr_status tsr__allreduce(tsr_transport *t, void *data, size_t bytes,
                          void (*fold)(void *into, const void *from, void *user), void *user);
tsr_status tsr__barrier(tsr_transport *t);
/** Equal-sized pieces of every rank in rank order, everywhere (out: size*bytes). */
tsr_status tsr__allgather(tsr_transport *t, const void *mine, size_t bytes, void *out);
/** Wait for one request, progressing and idling; returns its status. */
tsr_status tsr__wait(tsr_transport *t, tsr_request *req);

/* Waiting (wait.c). */

/** From now on, waits of more than stall_s seconds (0: none) are told on stderr. */
void tsr__watch_waits(tsr_transport *t, int64_t stall_s);
/** The transport's close(), after that. */
void tsr__transport_close(tsr_transport *t);
/** Where a waiting loop is; zero at its beginning. */
typedef struct tsr_watch {
  uint64_t began_ns, next_ns; /* next_ns: when stderr is told */
  unsigned turns;
} tsr_watch;
/** The transport's test(), noting from whom a message came. */
bool tsr__test(tsr_transport *t, tsr_request *req);
/** The transport's idle(), for a loop that found nothing to do. True after t->stall_ns, and every
 * minute from then on: then the loop looks for whom it waits, and says so. */
bool tsr__idle(tsr_transport *t, tsr_watch *watch);
/** One line on stderr: this rank waits for a message of `peer` (is_send: for `peer` to take one),
 * in which call, for how long, and what came last from there. */
void tsr__say_stalled(const tsr_transport *t, const tsr_watch *watch, int peer, bool is_send);

#endif
