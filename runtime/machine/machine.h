/* What a process has once: cores, workers, settings. And a world: one rank's part of the runtime.
 */
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

/** Cores as hwloc sees them, restricted to what this process may use. */
typedef struct tsr_topology {
  int n_cores;      /* physical cores usable, at most the control group's CPU quota */
  int n_cores_node; /* of the node, also those that the launcher bound to other processes */
  int *cpus;        /* one logical CPU per core; owned; NULL under a quota, which names no cores */
  size_t l1_bytes, l2_bytes, l3_bytes; /* per core; l3 in all; 0 if unknown */
  size_t memory_bytes;                 /* of the node (or the cgroup's limit, if smaller) */
  size_t available_bytes;              /* of these, what nobody used when it was read */
} tsr_topology;
/** TSR_ERR_INTERNAL if the system does not even say which CPUs this process may use. */
tsr_status tsr__topology_read(tsr_topology *t);
void tsr__topology_free(tsr_topology *t);

struct tsr_machine {
  tsr_config config; /* this process's settings before agreement */
  tsr_topology topology;
  tsr_workers *workers;
  int n_threads;                  /* computing threads per rank */
  int ranks_per_core;             /* processes of the node that share a core, at least 1 */
  void *jit;                      /* of kernel/compile/jit.h, made on first use; atomic */
  void (*jit_destroy)(void *jit); /* called by tsr__machine_destroy; set before jit */
};
/** node_rank of node_size ranks (processes) share the node's cores evenly: this one takes its part.
 * n_local: ranks that live in this process as threads (1 under MPI). Threads per rank:
 * config.threads, else share of cores / n_local, at least 1. Copies *config. TSR_ERR_CONFIG or
 * TSR_ERR_MEMORY, with a text in message, if the threads cannot be had. Where Open MPI bound this
 * process by its own default to less than an even share, the calling thread is moved to the share.
 */
tsr_status tsr__machine_create(const tsr_config *config, int node_rank, int node_size, int n_local,
                               tsr_machine **out, char *message, size_t size);
void tsr__machine_destroy(tsr_machine *m);

/** A memory that computes: a part of this rank's host memory, or a device. Every rank has equally
 * many, and numbers them without gaps, rank by rank. */
typedef struct tsr_place {
  int number;         /* among those of all ranks */
  tsr_device *device; /* owned: what its arrays live on */
  tsr_memory *memory; /* owned: of arrays, on the device */
} tsr_place;

/** Where a block of an array's memory comes from. */
typedef enum tsr_space {
  TSR_SPACE_PLACE, /* the place's own memory */
  TSR_SPACE_HOST,  /* the host's, of what a device has no room for or is not to have */
  TSR_SPACE_FILE   /* files, of what neither has room for */
} tsr_space;

/** One rank's part of the runtime. Owned by its context; for the rank's own thread. */
typedef struct tsr_world {
  tsr_machine *machine;             /* shared, borrowed */
  tsr_transport *transport;         /* owned */
  tsr_place places[TSR_MAX_PLACES]; /* this rank's, all of one kind of device */
  int n_places;                     /* of them: the same on every rank */
  tsr_memory *staging; /* owned: of the host, for copies of what devices or several places have, and
                          for what devices have no room for; the memory of one place alone where
                          that is the host's */
  tsr_memory *files;   /* owned: of SPILL_DIR; NULL: none */
  tsr_blas *blas;      /* owned: for products of matrices; NULL: MATMUL is exact */
  tsr_config config;   /* agreed */
  tsr_costs costs;     /* agreed; all 0 where nothing is placed by cost */
  int rank, size;
  uint64_t seq;       /* calls recorded so far: the same on every rank */
  uint64_t hash;      /* of those calls: the same on every rank */
  tsr_error error;    /* the first error since it was last taken */
  bool return_errors; /* TSR_ERRORS_RETURN */
} tsr_world;

/** Collective. Agrees on settings (rank 0's), on the memory limit and on how many places a rank has
 * (the least of all ranks), and opens the places' devices. Takes the transport; where it fails
 * (TSR_ERR_MPI; on all ranks TSR_ERR_CONFIG or TSR_ERR_MEMORY if one of them cannot have its
 * devices or OpenBLAS) the transport is closed and *w untouched. Why is on stderr, of a failure
 * that ranks share once, before any of them returns. */
tsr_status tsr__world_open(tsr_world *w, tsr_machine *machine, tsr_transport *transport);
void tsr__world_close(tsr_world *w); /* collective */
/** All places of all ranks; the rank of one. */
static inline int tsr__world_n_places(const tsr_world *w)
{
  return w->size * w->n_places;
}
static inline int tsr__world_rank_of(const tsr_world *w, int place)
{
  return place / w->n_places;
}
/** The memory that a block of this rank's place `here` comes from; NULL: there is none. */
tsr_memory *tsr__world_memory(const tsr_world *w, int here, tsr_space space);
/** Bytes that the arrays of a place may take together, in all its memories; the same on every rank.
 * 0: no limit. */
size_t tsr__world_limit(const tsr_world *w);
/** Bytes that they may take before some of them have to go elsewhere. */
size_t tsr__world_resident_limit(const tsr_world *w);
/** Is the arrays' memory the host's own? Else only the devices' queues may touch it. */
bool tsr__world_is_host(const tsr_world *w);
/** Is what a device is to run, and to have, chosen by cost? Else it is everything. */
static inline bool tsr__world_places_by_cost(const tsr_world *w)
{
  return w->costs.launch_ns > 0;
}
/** Plans are made, and nothing else happens. */
bool tsr__world_is_null(const tsr_world *w);

/** Notes on stderr, "tessera[rank]: …", when config.debug >= level. */
void tsr__log(const tsr_world *w, int level, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
