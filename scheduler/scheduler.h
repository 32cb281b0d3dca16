/* From the window to a run: what the array layer may ask of the scheduler. */
#ifndef TSR_SCHEDULER_H
#define TSR_SCHEDULER_H

#include "program/program.h"

typedef struct tsr_scheduler tsr_scheduler;

tsr_scheduler *tsr__scheduler_create(tsr_window *window);
void tsr__scheduler_destroy(tsr_scheduler *s);

/** Why a chain of passes that are tiled over time has no further one, or why none begins. */
typedef enum tsr_chain_end {
  TSR_END_NONE,      /* nobody looked: tiling is off, or the plan is too small for it */
  TSR_END_WINDOW,    /* no pass follows in the window */
  TSR_END_MOST,      /* as many steps as a chain may have */
  TSR_END_TASK,      /* a matrix product or another task */
  TSR_END_REDUCTION, /* a read of what the chain reduces */
  TSR_END_SUMS,      /* reductions of more than every second step */
  TSR_END_PIECES,    /* a periodic read, far from where the chain writes */
  TSR_END_BLOCKS,    /* a write in place, in blocks */
  TSR_END_GATHERED,  /* a read of what was gathered from other places */
  TSR_END_MESSAGES,  /* messages before a later pass */
  TSR_END_AXES,      /* a write along other axes, or with another step */
  TSR_END_DISTANCE,  /* a read at no constant distance of what the chain writes */
  TSR_END_FAR,       /* one at a great distance */
  TSR_END_MEMORY,    /* memory that passes to values which lie otherwise */
  TSR_END_BUFFERS,   /* too many arrays in one pass */
  TSR_END_STRANGER,  /* nothing that the chain reads or writes, where all together do not pay */
  TSR_END_EMPTY,     /* no part of it is this place's, and others' results are waited for */
  TSR_END_CACHED,    /* it fits the caches as it is */
  TSR_END_PROFIT,    /* more steps would save too little */
  TSR_END_DEVICE,    /* the place has a device, which takes steps whole or streams them */
  TSR_N_CHAIN_ENDS
} tsr_chain_end;

/** Counters that tests and `tessera info` read; all since creation. */
typedef struct tsr_counters {
  /* From here to n_flushes: sums over the plans that ran. Each plan keeps what it adds to them
   * (tsr_plan.counts), and flush.c adds these words together. Of the plans of one window, the first
   * alone counts what is the same for all. */
  uint64_t n_ops, n_groups, n_fused_ops; /* fused: ops that share a group with another */
  uint64_t n_transient;                  /* values that were computed and never stored */
  /* of n_transient: computed by each of their readers, in no group of their own */
  uint64_t n_recomputed;
  /* expressions that were too long for one group; bytes per point that their cuts stored, and the
   * least that as few cuts can store */
  uint64_t n_cut, cut_bytes, cut_bytes_least;
  uint64_t n_renamed; /* writes that went to a fresh buffer */
  /* writes that would have been renamed, but ran in blocks in place for want of memory */
  uint64_t n_in_place;
  uint64_t n_wide;  /* groups of which places compute points beside their tiles, too */
  uint64_t n_tiled; /* groups that ran tile by tile in a chain of several */
  uint64_t n_chain_ends[TSR_N_CHAIN_ENDS]; /* chains that ended so, of one group or several */
  uint64_t n_distributed;                  /* groups cut over several ranks */
  uint64_t n_tasks, n_inline_plans, n_messages;
  uint64_t n_messages_within; /* of n_messages: between places of this rank */
  uint64_t bytes_sent;

  uint64_t n_flushes; /* the first that no plan counts */
  /* messages of these from device to device of this rank, not by way of the host's memory, when
   * they have come */
  uint64_t n_between, bytes_between;
  uint64_t n_links, bytes_linked; /* messages sent by a link, from device to device of two ranks */
  uint64_t bytes_buffered;        /* host's memory that plans took for messages, and keep */
  uint64_t n_compiled_runs, n_interpreted_runs; /* chunks */
  uint64_t n_product_runs;                      /* chunks that sum products without a kernel */
  uint64_t n_task_runs;                         /* chunks of tasks that are C functions */
  uint64_t n_blas_runs;                         /* of these: products by a device's library */
  uint64_t n_device_runs; /* chunks of all sorts that a device's queue was given */
  uint64_t n_cuda_runs;   /* kernels that devices which run no C were given as code */
  uint64_t
      n_graph_runs; /* launches of code, those of copies and packs included, that graphs made */
  uint64_t n_running_on; /* runs of plans that ended while the device's queue still had kernels */
  /* chunks that the host ran because such a device has no launch for them: most tasks, a few
   * reductions, kernels without a text, and code that could not be had */
  uint64_t n_cuda_fallbacks;
  uint64_t n_packed_boxes; /* boxes of messages that kernels packed or unpacked on a device */
  /* boxes of messages that are not one run of memory and were copied as they lie */
  uint64_t n_strided_boxes;
  uint64_t n_streamed_runs; /* pieces of chunks that were streamed */
  uint64_t bytes_streamed;  /* to the device and back */
  /* boxes on their way to the device that waited for what was on its way back */
  uint64_t n_streamed_waits;
  uint64_t n_streamed_stalls; /* streamed pieces that waited for what was last sent back */
  uint64_t n_host_runs;       /* chunks that the host ran beside a device, as they were placed */
  uint64_t n_moved;           /* tiles that were moved to where their plans run */
  uint64_t n_evicted;         /* tiles that left a place's memory for others */
  uint64_t n_plan_hits, n_plan_misses; /* flushes that replayed a plan, or made one */
  uint64_t n_plan_resizes;   /* of n_plan_hits: the plan was that of a window of other extents */
  uint64_t n_repeats;        /* runs of plans by the lists of an earlier run (run/repeat.h) */
  uint64_t n_verified;       /* plans that were followed point by point */
  uint64_t n_tiled_plans;    /* that were made, and not known yet: with chains of several groups */
  uint64_t n_tiled_verified; /* of these: followed point by point */
  /* searches by content for transfers: tiles in reach, a message's other end */
  uint64_t n_lookups;
  uint64_t n_listed_runs; /* runs of plans whose workers had lists of tasks (run/lists.h) */
  uint64_t n_locked;      /* times that a run took one of its locks: of ready tasks, of messages */
  uint64_t n_contended;   /* of n_locked: another thread held the lock */
} tsr_counters;

const tsr_counters *tsr__scheduler_counters(const tsr_scheduler *s);
/** Number of layouts in the table. */
uint32_t tsr__scheduler_layouts(const tsr_scheduler *s);
/** n_lookups and the searches for layouts: what it costs to find out who sends what to whom. */
uint64_t tsr__scheduler_lookups(const tsr_scheduler *s);

/** Bytes of arrays of this rank's place `here` that are placed in the host's memory. */
size_t tsr__on_host_bytes(const tsr_scheduler *s, int here);
/** Bytes of arrays of this rank's place `here` that are spilled to `space` for lack of space. */
size_t tsr__spilled_bytes(const tsr_scheduler *s, int here, tsr_space space);

/** Where a value is. */
typedef struct tsr_whereabouts {
  const tsr_layout *layout; /* of the region; NULL: it has no memory */
  tsr_box part;            /* what this rank has of the view, in its indices, or ndim -1: nothing */
  int64_t n_elems;         /* of the part */
  int64_t n_elems_on_host; /* of these: in the host's memory, or in files, beside a device */
  int64_t n_waiting;       /* recorded ops that will write the region */
} tsr_whereabouts;

/** Where the values are that `view` shows of `region`. Computes nothing. */
void tsr__whereabouts(const tsr_scheduler *s, const tsr_region *region, const tsr_view *view,
                      tsr_whereabouts *out);

/** Run the window now. everything: also what only open scopes hold. Collective. On failure
 * world->error is set and the ops that could not run are dropped with those that read what they
 * make: assigned regions keep their old values, new ones are poisoned. The other ops run. */
tsr_status tsr__flush(tsr_scheduler *s, bool everything);
/** Where a call finds the program, which decides how many ops run the window (tsr__flush_if_due):
 * within a statement; at a statement's end in an open scope; at one outside of scopes, or at a
 * scope's end. Arrays whose scope is open are stored by a run, though nobody may read them again.
 */
typedef enum tsr_flush_place {
  TSR_FLUSH_IN_STATEMENT,
  TSR_FLUSH_IN_SCOPE,
  TSR_FLUSH_AT_BOUNDARY
} tsr_flush_place;
/** Called by the array layer after each recorded op (hard cap, inorder) and at assignments and
 * scope ends (budget). */
tsr_status tsr__flush_if_due(tsr_scheduler *s, tsr_flush_place place);

/** The program's memory for the elements of a box: the address of the first one, and bytes from one
 * to the next along each axis, of any sign. */
typedef struct tsr_host_block {
  void *data; /* borrowed */
  int64_t stride_bytes[TSR_MAX_NDIM];
} tsr_host_block;

/** A block of n elements along each axis, dense row-major. */
tsr_host_block tsr__host_dense(int ndim, const int64_t *n, tsr_dtype dtype, const void *data);

enum { TSR_EVERY_RANK = -1 };

/** Blocking read of `view` of `region` into `out`, on every rank or on one: then the others'
 * out->data is ignored and they get none of the elements. rank: the same everywhere. wrong: what
 * this rank has found wrong with its arguments, which is TSR_ERR_ARGUMENT on all, or NULL; then its
 * `out` is ignored. Collective: flushes what it needs, agrees on status and op-stream hash between
 * ranks. */
tsr_status tsr__read_into(tsr_scheduler *s, tsr_region *region, const tsr_view *view,
                          const tsr_location *where, int rank, const tsr_host_block *out,
                          const char *wrong);
/** Copy a view of a region to `out` on every rank, dense row-major. Collective. */
tsr_status tsr__read(tsr_scheduler *s, tsr_region *region, const tsr_view *view,
                     const tsr_location *where, void *out);
/** Give a new region (no ops yet) the data of `rank`; others' is ignored. Collective. data is
 * copied before it returns. wrong: as above. */
tsr_status tsr__import_from(tsr_scheduler *s, tsr_region *region, const tsr_location *where,
                            int rank, const tsr_host_block *data, const char *wrong);

/** A dense box of a region, which may be empty, in the program's memory. */
typedef struct tsr_host_box {
  tsr_box box;
  tsr_host_block block;
} tsr_host_box;

/** The memory of this rank's boxes is the library's until it calls release(arg). */
typedef struct tsr_lent_boxes {
  void (*release)(void *arg);
  void *arg;
  bool is_adopted; /* [out] the storage has it, and calls release; else the caller does */
} tsr_lent_boxes;

/** Give a new region the elements of all ranks' n boxes. Collective. The elements are copied before
 * it returns, unless `lent`, which may be NULL, says that they need not: this rank's only box is
 * the tile of its only place, in the host's memory, and lies in memory as a tile does.
 * TSR_ERR_SHAPE, on all ranks, unless the boxes hold each element once; wrong: what this rank has
 * found wrong with its boxes, which is TSR_ERR_ARGUMENT on all, or NULL. */
tsr_status tsr__import_boxes(tsr_scheduler *s, tsr_region *region, const tsr_location *where, int n,
                             const tsr_host_box *boxes, tsr_lent_boxes *lent, const char *wrong);

/** Lend this rank's tile of `region` seen through `view` (injective, one step per row), widened by
 * halo[axis] cells that are brought up to date. box: view indices of the tile (without halo), empty
 * if this rank owns none; data: address of box.lo; stride_bytes per view axis. Collective; flushes.
 * writable: the tile counts as written when lending ends. The caller has seen to it that the region
 * is not lent, or, where it is not writable, lent for reading only. Until tsr__local_end, no op
 * that writes the region is recorded, and none that reads it where writable; its memory stays.
 * there: NULL: the host's memory is lent; else whether the tile is, where it lies in the memory of
 * this rank's only device. */
tsr_status tsr__local_begin(tsr_scheduler *s, tsr_region *region, const tsr_view *view,
                            const int64_t *halo, bool writable, const tsr_location *where,
                            tsr_box *box, void **data, int64_t *stride_bytes, bool *there);
/** End a lending. there: as tsr__local_begin said. Collective; waits only where every rank has the
 * region whole and it was `writable`. */
tsr_status tsr__local_end(tsr_scheduler *s, tsr_region *region, const tsr_view *view, bool writable,
                          bool there, const tsr_location *where);

/** Agree between ranks on the first error and on the op stream's hash. Collective; the end of every
 * blocking read. */
tsr_status tsr__agree(tsr_scheduler *s, const tsr_location *where);
/** Agree as tsr__agree does. wrong: what this rank has found wrong with the call's arguments, or
 * NULL. */
tsr_status tsr__agree_on(tsr_scheduler *s, const tsr_location *where, const char *wrong);
/** Note that this rank has let the array of this number go: it is to be released on every rank once
 * all ranks have noted it, which they learn when they agree. Any thread; not collective. */
void tsr__release_later(tsr_scheduler *s, uint64_t number);
/** Take a number that the ranks have agreed on; false if there is none. The same on every rank. */
bool tsr__take_release(tsr_scheduler *s, uint64_t *number);
/** TSR_ERR_DIVERGED, with the calls that differ, unless all ranks made the same calls so far: comes
 * before what would hang or mix data up. Collective; meets a tsr__agree of another rank. */
tsr_status tsr__guard(tsr_scheduler *s, const tsr_location *where);
/** True once the ranks were found to have diverged, on all of them. From then on nothing is sent:
 * flushes, reads and agreements fail at once with TSR_ERR_DIVERGED. */
bool tsr__has_diverged(const tsr_scheduler *s);

#endif
