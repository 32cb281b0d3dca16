/* How ranks exchange bytes: non-blocking point-to-point messages with a tag, in MPI's ordering
 * (messages of one sender with one tag arrive in order). Collectives (collective.c) are trees built
 * on them. */
#ifndef TSR_TRANSPORT_H
#define TSR_TRANSPORT_H

#include "tessera/base.h"

typedef struct tsr_transport tsr_transport;

/** One message under way. The request is the caller's memory; it stays at one address, and nobody
 * copies it, until test() returned true. All fields zero: a request that is complete. */
typedef struct tsr_request {
  bool active;
  bool is_send;
  int peer;
  uint32_t tag;
  size_t bytes;      /* receive: the true size once complete (never more than the capacity) */
  void *data;        /* receive in the transport's memory: the message, once complete */
  tsr_status status; /* TSR_OK, or TSR_ERR_MPI on a transport error (truncation included) */
  void *impl[4];     /* private to the transport */
} tsr_request;

/** The contract of every entry: any thread of the rank may call it (the transport locks), but one
 * request is tested by one thread at a time; it never blocks, except close. Every MPI takes tags
 * below 2^22; TSR_TAG_CONTROL plus such a number is allowed, too. */
typedef struct tsr_transport_ops {
  const char *name;
  /** Start sending. The bytes at `data` stay as they are until the request is complete. A send may
   * complete only when it is received. */
  tsr_status (*send)(tsr_transport *t, int peer, uint32_t tag, const void *data, size_t bytes,
                     tsr_request *req);
  /** Start receiving up to `capacity` bytes. A longer message is an error of the receive. */
  tsr_status (*recv)(tsr_transport *t, int peer, uint32_t tag, void *data, size_t capacity,
                     tsr_request *req);
  /** (optional) The largest message that may lie in the transport's own memory on its way to `peer`
   * or from there, so that it is not copied. 0, as without the entry: none. */
  size_t (*in_place)(const tsr_transport *t, int peer);
  /** (optional) Memory of the transport for a message of up to `bytes`, at most in_place(), to
   * `peer`: a send of this address then copies nothing, and is complete at once. What is reserved
   * must be sent soon, without waiting for another message, since later ones wait behind it. NULL:
   * there is none now. */
  void *(*reserve)(tsr_transport *t, int peer, size_t bytes);
  /** (optional) Give back the message of a receive in place, one whose `data` was NULL and whose
   * capacity was not 0, and at most in_place(). When its test has said true, req->data points to
   * the message until here; nothing may be waited for in between. Of several such receives with
   * one tag, the one that is tested first gets the first message. */
  void (*give_back)(tsr_transport *t, tsr_request *req);
  /** Make progress. Returns true when `req` is complete (req->active becomes false) or was before.
   * It may return false without looking if another thread is inside the transport. */
  bool (*test)(tsr_transport *t, tsr_request *req);
  /** Called in every turn of a waiting loop that found nothing: may yield the core, or, in the
   * seeded mode of `local`, pass the baton to another rank. */
  void (*idle)(tsr_transport *t);
  /** (optional) May a test() find something that was not there before, without an idle turn? A few
   * loads; any thread may call it. Without the entry, or if it says true, only a test tells. */
  bool (*has_news)(tsr_transport *t);
  /** (optional) t->crowded has been changed. */
  void (*crowd)(tsr_transport *t, bool crowded);
  /** End the whole job now (MPI_Abort, exit). Does not return. */
  void (*abort)(tsr_transport *t, int code);
  /** Close the end and free t. Collective; no request is active. */
  void (*close)(tsr_transport *t);
} tsr_transport_ops;

/** The last message that came from a rank. */
typedef struct tsr_heard {
  uint64_t ns;              /* when it came; 0: none came yet */
  const tsr_location *call; /* this rank's call at that time, and so the sender's; NULL: none */
} tsr_heard;

struct tsr_transport {
  const tsr_transport_ops *ops;
  int rank, size;
  int node_rank, node_size; /* number and count among the ranks that share this node's cores */
  int node_first;           /* rank of the node's first */
  bool in_process;          /* the ranks are threads of one process */
  bool crowded;   /* more ranks than cores on the node: a poll may cost the core, so that one tests
                   after has_news() or idle(), which gives up the core */
  int64_t nap_ns; /* the longest that idle() of a crowded rank sleeps */
  uint64_t n_sent, bytes_sent, n_received,
      bytes_received; /* counted by the transport, in payload bytes */
  /* For waits that take long (wait.c); all zero: nothing is said. */
  uint64_t stall_ns;               /* time after which stderr is told */
  const tsr_location *const *call; /* points to the call that is under way; may be NULL */
  tsr_heard *heard;                /* [size], owned */
};

/** Say whether ranks share the cores of this node, which the transport itself can only guess from
 * their numbers: a rank may be confined to some cores. */
static inline void tsr__transport_crowd(tsr_transport *t, bool crowded)
{
  t->crowded = crowded;
  if (t->ops->crowd != NULL) t->ops->crowd(t, crowded);
}

/** The transport of one rank alone. Sends to itself work. */
tsr_transport *tsr__transport_self(void);

/** The ends of `n` ranks in one process. Each rank's thread takes ends[r] and closes it. seed 0:
 * plain mailboxes. seed != 0: deliveries are delayed and reordered within MPI's rules, half of the
 * sends wait for their receive, and one rank runs at a time, chosen by the seed whenever one calls
 * `idle` or enters or leaves (the baton). The whole run is then a function of the seed if every
 * rank uses one thread. A seeded run in which all ranks wait for ever ends the process and says for
 * what. TSR_ERR_ARGUMENT if n < 1. */
tsr_status tsr__transport_local(int n, uint64_t seed, tsr_transport **ends);
/** The baton of a seeded local transport; on any other the calls do nothing. Every rank's thread
 * enters first, which waits until all have, and leaves last, or lets close do it (after close the
 * end is freed). Once each. */
void tsr__transport_local_enter(tsr_transport *end);
void tsr__transport_local_leave(tsr_transport *end);

/** The transport over MPI. Collective. `comm` points to an MPI_Comm (a void pointer, so that this
 * header needs no MPI), or is NULL for MPI_COMM_WORLD. If nobody has initialised MPI, this call
 * does, asking for THREAD_MULTIPLE, and close finalises it. The communicator is duplicated.
 * TSR_ERR_MPI with a text in message; a build without MPI says there how to get one. If the program
 * initialised MPI below MPI_THREAD_SERIALIZED, only the thread that made this call (MPI's main
 * thread) exchanges messages: sends and receives of other threads begin in its next call, and their
 * tests find nothing. message then has a note that says so, with TSR_OK. */
tsr_status tsr__transport_mpi(void *comm, int *argc, char ***argv, tsr_transport **out,
                              char *message, size_t size);
/** First line of the MPI library's version, static; NULL if the build has none. */
const char *tsr__mpi_version(void);

/* Collectives (collective.c). They block; every rank calls them in the same order, from one thread.
 * Their tags begin at TSR_TAG_CONTROL. TSR_ERR_MPI if a message failed or sizes differ. */

#define TSR_TAG_CONTROL 0x40000000u

/** Broadcast from root by a binomial tree; every rank knows the number of bytes. */
tsr_status tsr__bcast(tsr_transport *t, int root, void *data, size_t bytes);
/** Combine `bytes` at data over all ranks by `fold(into, from)` (associative, commutative). The
 * result is the same on every rank; the order depends on the number of ranks only. */
tsr_status tsr__allreduce(tsr_transport *t, void *data, size_t bytes,
                          void (*fold)(void *into, const void *from, void *user), void *user);
tsr_status tsr__barrier(tsr_transport *t);
/** Give every rank the pieces of all ranks, equally large, in rank order (out: size*bytes). */
tsr_status tsr__allgather(tsr_transport *t, const void *mine, size_t bytes, void *out);
/** Wait for one request, making progress and idling; returns its status. */
tsr_status tsr__wait(tsr_transport *t, tsr_request *req);

/* Messages that are waited for (collective.c). TSR_ERR_MPI if one failed or sizes differ. */

tsr_status tsr__send(tsr_transport *t, int peer, uint32_t tag, const void *data, size_t bytes);
tsr_status tsr__receive(tsr_transport *t, int peer, uint32_t tag, void *data, size_t bytes);

/** One message to a rank and one from a rank, at once. 0 bytes: there is no message. */
typedef struct tsr_sendrecv {
  int to, from;
  const void *out;
  void *in;
  size_t out_bytes, in_bytes;
} tsr_sendrecv;
tsr_status tsr__sendrecv(tsr_transport *t, uint32_t tag, const tsr_sendrecv *both);

/* Waits that take long (wait.c). */

/** Say on stderr from now on when a wait takes more than stall_s seconds; 0: never. */
void tsr__watch_waits(tsr_transport *t, int64_t stall_s);
/** End the watch of waits and call the transport's close(). */
void tsr__transport_close(tsr_transport *t);
/** The state of a waiting loop; zero at its beginning. */
typedef struct tsr_watch {
  uint64_t began_ns, next_ns; /* next_ns: when stderr is told next */
  unsigned turns;
} tsr_watch;
/** Call the transport's test() and note from whom a message came. */
bool tsr__test(tsr_transport *t, tsr_request *req);
/** Call the transport's idle() for a loop that found nothing to do. Returns true after t->stall_ns
 * and every minute from then on: the loop then finds out for whom it waits, and says so. */
bool tsr__idle(tsr_transport *t, tsr_watch *watch);
/** Write one line to stderr: this rank waits for a message of `peer` (is_send: for `peer` to take
 * one), in which call, for how long, and what came last from there. */
void tsr__say_stalled(const tsr_transport *t, const tsr_watch *watch, int peer, bool is_send);

#endif
