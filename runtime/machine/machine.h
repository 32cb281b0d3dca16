/* Machines and worlds. A machine is what a process has once: cores, workers, settings. A world is
 * one rank's part of the runtime. */
#ifndef TSR_MACHINE_H
#define TSR_MACHINE_H

#include "runtime/machine/blas.h"
#include "runtime/base/clock.h"
#include "runtime/base/config.h"
#include "runtime/machine/costs.h"
#include "runtime/device/device.h"
#include "runtime/base/error.h"
#include "runtime/machine/memory.h"
#include "runtime/transport/transport.h"
#include "runtime/machine/workers.h"
#include "runtime/machine/world_link.h"

/** The cores of the node, restricted to what this process may use. */
typedef struct tsr_topology {
  int n_cores;      /* physical cores that may be used, at most the control group's CPU quota */
  int n_cores_node; /* cores of the node, also those that the launcher bound to other processes */
  int *cpus;        /* owned: one logical CPU per core; NULL under a quota, which names no cores */
  size_t l1_bytes, l2_bytes, l3_bytes; /* per core, but l3 in all; 0 if unknown */
  size_t memory_bytes;                 /* of the node, or the control group's limit if smaller */
  size_t available_bytes;              /* what of memory_bytes nobody used when it was read */
} tsr_topology;
/** Read the topology. TSR_ERR_INTERNAL if the system does not say which CPUs may be used. */
tsr_status tsr__topology_read(tsr_topology *t);
void tsr__topology_free(tsr_topology *t);
/** The bytes of a thread's share of the last-level cache, 0 if unknown. A virtual machine does not
 * say who shares it: no share is larger than those of common machines. */
int64_t tsr__l3_bytes_of_thread(const tsr_topology *t);

/** How many kinds of compiled code a machine runs. */
enum { TSR_N_JITS = 2 };

struct tsr_machine {
  tsr_config config; /* this process's settings before agreement */
  tsr_topology topology;
  tsr_workers *workers;
  int n_threads;      /* computing threads per rank */
  int ranks_per_core; /* processes of the node that share a core; at least 1 */
  void *
      jit[TSR_N_JITS]; /* the compiled kernels by kind of code (jit.h), made on first use; atomic */
  void (*jit_destroy)(void *jit); /* called by tsr__machine_destroy; set before `jit` */
};
/** Create a machine for the process node_rank of the node_size that share the node's cores evenly.
 * n_local: ranks that live in this process as threads (1 under MPI). Each rank gets config.threads
 * threads, else its share of the cores divided by n_local, at least 1. *config is copied.
 * TSR_ERR_CONFIG or TSR_ERR_MEMORY, with a text in message, if the threads cannot be had. Where
 * Open MPI bound this process by its own default to less than an even share, the caller is moved to
 * the share. */
tsr_status tsr__machine_create(const tsr_config *config, int node_rank, int node_size, int n_local,
                               tsr_machine **out, char *message, size_t size);
void tsr__machine_destroy(tsr_machine *m);

/** A memory that computes: a part of this rank's host memory, or a device. Every rank has equally
 * many places, and they are numbered without gaps, rank by rank. */
typedef struct tsr_place {
  int number;         /* the place's number among those of all ranks */
  tsr_device *device; /* owned: what the place's arrays live on */
  tsr_memory *memory; /* owned: memory for arrays, on the device */
} tsr_place;

/** A memory space of a place: where a block of an array's memory comes from. */
typedef enum tsr_space {
  TSR_SPACE_PLACE, /* the place's own memory */
  TSR_SPACE_HOST,  /* the host's memory, for what a device has no space for or is not to have */
  TSR_SPACE_FILE   /* files, for what neither has space for */
} tsr_space;

/** One rank's part of the runtime. Its context owns it, and only the rank's own thread uses it. */
typedef struct tsr_world {
  tsr_machine *machine;             /* borrowed; contexts of one process share it */
  tsr_transport *transport;         /* owned */
  tsr_place places[TSR_MAX_PLACES]; /* this rank's places, all of one kind of device */
  int n_places;                     /* the number of places; the same on every rank */
  tsr_memory *staging; /* owned: memory of the host for copies of what devices or several places
                          have, and for what devices have no space for. A single place in the
                          host's memory shares its own pool */
  tsr_memory *files;   /* owned: memory in files of SPILL_DIR; NULL: there is none */
  tsr_pins *pins;      /* owned: what devices pin of `staging`, and small memory for copies; NULL:
                          they pin nothing */
  struct tsr_ranges *ranges; /* owned: for NVIDIA's profilers; NULL: nobody asked for them */
  bool copies_peers;         /* agreed: this rank's devices copy from each other */
  tsr_link *link;   /* owned: joins devices of several ranks; NULL: their messages go by the host */
  tsr_blas *blas;   /* owned: computes products of matrices; NULL: MATMUL is exact */
  bool device_blas; /* agreed: with it, devices compute theirs by a library of their own */
  tsr_config config; /* agreed settings */
  bool is_auto;      /* agreed: the device was chosen, not asked for */
  tsr_costs costs;   /* agreed; all 0 where nothing is placed by cost */
  bool costs_wait;   /* they are those of a device of no use until they are asked for */
  int rank, size;
  uint64_t seq;         /* calls recorded so far; the same on every rank */
  bool wants_interrupt; /* this rank asks all to be interrupted; atomic, set in signal handlers */
  bool is_interrupted;  /* all ranks agreed that one asks for it */
  uint64_t hash;        /* hash of these calls; the same on every rank */
  tsr_error error;      /* the first error since it was last taken */
  bool return_errors;   /* errors are returned (TSR_ERRORS_RETURN), not fatal */
} tsr_world;

/** Open a world. Collective. The ranks agree on settings (rank 0's), on the memory limit and on the
 * number of places of a rank (the least of all ranks'), and open the places' devices. The transport
 * is taken: on failure it is closed, and *w is untouched. Errors: TSR_ERR_MPI; on all ranks
 * TSR_ERR_CONFIG or TSR_ERR_MEMORY if one of them cannot have its devices, its link or OpenBLAS.
 * The reason is on stderr before any rank returns, and once if the ranks share it. */
tsr_status tsr__world_open(tsr_world *w, tsr_machine *machine, tsr_transport *transport);
/** Agree on a status: a failure becomes every rank's. Of several, that of the lowest rank counts,
 * and only its message stays. */
tsr_status tsr__agree_status(tsr_transport *t, tsr_status status, char *message, size_t size);
void tsr__world_close(tsr_world *w); /* collective */
/** The number of places of all ranks; the rank that has a place. */
static inline int tsr__world_n_places(const tsr_world *w)
{
  return w->size * w->n_places;
}
static inline int tsr__world_rank_of(const tsr_world *w, int place)
{
  return place / w->n_places;
}
/** The memory that this rank's place `here` has in the memory space; NULL if it has none there. */
tsr_memory *tsr__world_memory(const tsr_world *w, int here, tsr_space space);
/** Bytes that a place's arrays may take in all its memory spaces; the same on every rank. 0: any.
 */
size_t tsr__world_limit(const tsr_world *w);
/** Bytes that a place's own memory holds: beyond that, arrays are in other memory spaces. */
size_t tsr__world_resident_limit(const tsr_world *w);
/** Is the arrays' memory the host's own? If not, only the devices' queues may touch it. */
bool tsr__world_is_host(const tsr_world *w);
/** Does placement go by cost? If not, the devices run and hold everything that they can. */
static inline bool tsr__world_places_by_cost(const tsr_world *w)
{
  return w->costs.launch_ns > 0;
}
/** What TESSERA_DEVICE=auto is for this process alone: "cuda" where there are devices and what
 * compiles for them, else "cpu" with the reason in `why`. Opens no device. */
const char *tsr__auto_device(char *why, size_t size);
/** Find what placement by cost goes by, if that waits: plans of large arrays want it. Collective,
 * in a flush. */
void tsr__world_want_costs(tsr_world *w);
/** Is the device `null`, so that plans are made and nothing else happens? */
bool tsr__world_is_null(const tsr_world *w);

/** Write a note, "tessera[rank]: …", to stderr if config.debug >= level. */
void tsr__log(const tsr_world *w, int level, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
