/* The scheduler's own types: storage of regions, and the plan that the passes build up for one
 * window.
 *
 * A plan is relocatable data: it names regions, scalars and kernels by number, and memory by buffer
 * number. A binding gives the numbers their meaning for one run. The passes fill it in order: group
 * (recompute.c: temporaries that are never made; group.c: ops -> groups), lower (lower.c: group ->
 * kernel and accesses), slots (slots.c: versions of regions), transfers (transfers.c: messages,
 * gathered copies), buffers (buffers.c: slots -> memory; blocking.c: where that is too much;
 * borders.c: copies that renames need), chunks (chunks.c), tasks (tasks.c: dependencies); then
 * bind.c and execute.c run it. */
#ifndef TSR_SCHEDULER_INT_H
#define TSR_SCHEDULER_INT_H

#include "scheduler/scheduler.h"

#include "kernel/compile/jit.h"
#include "runtime/base/blocks.h"

/* Ghosts. */

/** What a tile must hold of a region to compute its part of an iteration cut: view(part), or,
 * without a view, its own tile widened by `expand` (cut is the region's layout then). */
typedef struct tsr_need {
  const tsr_layout *cut;
  tsr_view_ref *view; /* counted by who keeps the need; NULL: expand */
  bool partial;       /* of the part only what lies in `within`, a box of the domain */
  tsr_box within;
  int64_t expand[TSR_MAX_NDIM];
} tsr_need;

/** One event in the life of a region's ghosts: every rank's need was filled, or a box was written.
 */
typedef struct tsr_ghost_event {
  bool fill;
  tsr_need need; /* fill */
  tsr_box box;   /* write: dense or strided, in region space */
} tsr_ghost_event;

/** The ghosts that are valid, for every rank at once: a log of fills and writes that each rank can
 * replay for any other, so that both ends of a message agree without talking, at a cost that does
 * not grow with the number of ranks. */
typedef struct tsr_ghosts {
  tsr_ghost_event *v;
  int32_t n, capacity;
} tsr_ghosts;

void tsr__ghosts_clear(tsr_ghosts *g);
void tsr__ghosts_free(tsr_ghosts *g);
void tsr__ghosts_copy(tsr_ghosts *dst, const tsr_ghosts *src);
/** The layouts that it names stay through the sweep to come. */
void tsr__ghosts_keep_layouts(const tsr_ghosts *g, tsr_layouts *layouts);
void tsr__ghosts_fill(tsr_ghosts *g, const tsr_need *need);
void tsr__ghosts_write(tsr_ghosts *g, const tsr_box *box);
/** The boxes outside its own tile that `rank` holds valid. out is cleared first. halo_max bounds
 * what a tile's buffer can hold. */
void tsr__ghosts_valid(const tsr_ghosts *g, const tsr_layout *layout, int rank, int64_t halo_max,
                       tsr_boxes *out);
/** The box that `rank` needs; false if nothing. */
bool tsr__need_box(const tsr_need *need, const tsr_layout *layout, int rank, tsr_box *out);
/** Does the box fit into the tile's own buffer with its halo? Else it is gathered into a buffer of
 * its own. */
bool tsr__fits_halo(const tsr_box *box, const tsr_box *tile, int64_t halo_max);

/* Storage. */

/** Memory of a place's tile: row-major over `alloc` (the tile and its halo, clipped to the region);
 * instance.c. */
typedef struct tsr_instance {
  void *data; /* owned through the place's pool; NULL if the place owns nothing */
  size_t bytes;
  tsr_box alloc;
  int64_t stride_bytes[TSR_MAX_NDIM];
  int64_t lead_bytes; /* from data to the first element of alloc */
  int64_t aligned;    /* index along the last axis of elements that begin a cache line */
  tsr_space space;    /* which of the place's memories data is in */
} tsr_instance;

/** What a tile was lent in: memory that it was in before its region moved, kept for those who have
 * its address; of devices and of several places, the host's copy of it, newest first. */
typedef struct tsr_lent_memory {
  struct tsr_lent_memory *next;
  tsr_memory *memory; /* that it is of */
  tsr_instance instance;
} tsr_lent_memory;

typedef struct tsr_storage {
  tsr_scheduler *scheduler;
  const tsr_layout *layout;
  tsr_ghosts ghosts;
  size_t agreed_bytes;   /* what the largest tile takes, the same on every rank: counts against the
                            limit */
  tsr_lent_memory *lent; /* until the last lending ends */
  bool on_host; /* where the last plan that used it placed it: in the host's memory (placement.c) */
  double lost_ns;            /* by being there, or on the device, since it came */
  uint64_t written, touched; /* s->n_plans of the last plan that did so; the same on every rank */
  struct tsr_storage *next;  /* in the scheduler's free list */
  tsr_instance instance[];   /* [world's n_places] */
} tsr_storage;

/** Lay out rows of `alloc` for a dtype: sets all but data. aligned: any index along the last axis.
 */
void tsr__instance_shape(const tsr_scheduler *s, tsr_instance *i, const tsr_box *alloc,
                         int64_t aligned, size_t elem_bytes);
/** The same without any padding. */
void tsr__instance_dense(tsr_instance *i, const tsr_box *alloc, size_t elem_bytes);
/** Where a box begins along the last axis; 0 without axes. */
int64_t tsr__first_column(const tsr_box *box);
/** Address of region index `at` (within alloc or on its lower edge). */
char *tsr__instance_at(const tsr_instance *i, const int64_t *at);
/** The points of `box` (strided, region space, inside): from one instance to the other; to dense
 * row-major bytes, or from them. */
tsr_points tsr__instance_points(const tsr_instance *dst, const tsr_instance *src,
                                const tsr_box *box, size_t elem_bytes);
tsr_points tsr__instance_points_out(const tsr_instance *i, const tsr_box *box, size_t elem_bytes,
                                    void *out);
tsr_points tsr__instance_points_in(const tsr_instance *i, const tsr_box *box, size_t elem_bytes,
                                   const void *in);
/** May the host follow its address? */
bool tsr__instance_is_host(const tsr_world *w, const tsr_instance *i);
/** Of this rank's place `here`, in the memory that i->memory space names; NULL is ignored. */
void tsr__instance_free(const tsr_world *w, int here, const tsr_instance *i);
/** The same, copied: of instances in the host's memory. */
void tsr__instance_copy(const tsr_instance *dst, const tsr_instance *src, const tsr_box *box,
                        size_t elem_bytes);
void tsr__instance_pack(const tsr_instance *i, const tsr_box *box, size_t elem_bytes, void *out);
void tsr__instance_unpack(const tsr_instance *i, const tsr_box *box, size_t elem_bytes,
                          const void *in);
/** At least the bytes of a box that is at most n long, or of the layout's largest tile without
 * halo: all ranks compute it alike. */
size_t tsr__agreed_box_bytes(const tsr_scheduler *s, int ndim, const int64_t *n, size_t elem_bytes);
size_t tsr__agreed_bytes(const tsr_scheduler *s, const tsr_layout *layout, size_t elem_bytes);

/* Plan. */

/** An op, or half of one: an op that reads, displaced, the memory that it writes is split over a
 * temporary. */
typedef enum tsr_part { TSR_PART_WHOLE, TSR_PART_TO_TEMP, TSR_PART_FROM_TEMP } tsr_part;
typedef struct tsr_gop {
  int32_t op; /* index in the window */
  uint8_t part;
  int32_t temp; /* plan region of the temporary, or -1 */
} tsr_gop;

/** How firmly a group's cut is chosen: from nothing, by an operand, by the existing memory that it
 * writes. */
typedef enum tsr_strength { TSR_CUT_FREE, TSR_CUT_OPERAND, TSR_CUT_FIXED } tsr_strength;

/** One array access of a group's kernel. */
typedef struct tsr_access {
  int32_t region;     /* plan region */
  int32_t slot;       /* version of the region that it touches (slots.c) */
  int32_t gather;     /* slot of a private copy of what it reads, or -1 (transfers.c) */
  int32_t version;    /* of the region: renames before it; a scratch has none */
  tsr_view_ref *view; /* domain -> region; counted */
  int64_t origin;     /* bytes from the slot's memory to domain index 0 (bases.c) */
  bool store;
  bool scratch;   /* the values of a reduction: dense over the chunk; `region` is the
                     reduction's number */
  int32_t source; /* scratch: access whose values these are unchanged, or -1 (lower.c) */
  bool partial;   /* a load where the domain meets `within` only (roll): one of several that take
                     turns as access `instead` of the kernel, which is the first of them */
  int32_t instead;
  tsr_box within;
} tsr_access;

/** Which values an operand of a recomputed op has: those that it had where the op stands in the
 * program. */
typedef struct tsr_version_ref {
  int32_t version; /* renames of the region before */
  int32_t after;   /* first group after all writes that the op sees */
} tsr_version_ref;

/** What is read of a region for one op, directly or to recompute one of its operands. */
typedef struct tsr_read {
  int32_t region;
  const tsr_view *view;           /* domain -> region; borrowed, or in the plan's arena */
  const tsr_view *cut_view;       /* that by which a cut follows from the region's: without rolls */
  const tsr_version_ref *version; /* NULL: the region as it stands */
  bool partial; /* only where the domain meets `within`: elsewhere it leads nowhere */
  tsr_box within;
  bool stale;  /* the region has been renamed since: group.c */
  tsr_box box; /* what is read, if not stale: group.c */
} tsr_read;

typedef struct tsr_reads {
  tsr_read *v;
  int32_t n, capacity;
  int32_t n_again; /* ops that are computed again for it */
} tsr_reads;

/** Which values are recomputed where they are read (recompute.c). */
typedef struct tsr_recompute {
  int32_t *maker; /* [n_regions of the window] the op that is computed again, or -1: it has memory
                     or is forwarded */
  tsr_version_ref *
      *versions;     /* [n_ops] of ops that are computed again, one per operand (group.c); NULL */
  bool *must_rename; /* [n_ops] its write must leave the old version to those who recompute */
  int32_t n_regions;
} tsr_recompute;

/** The kernel of a group and what it accesses. Written by lower.c; the strides by bases.c. */
typedef struct tsr_accesses {
  tsr_access *v;
  int32_t n;
  int64_t (*strides)[TSR_MAX_NDIM];      /* [n] bytes per domain axis (bases.c) */
  tsr_kernel *kernel;                    /* owned by the plan */
  int32_t first_scalar, n_scalars;       /* plan scalars */
  int32_t first_reduction, n_reductions; /* plan reductions */
  const tsr_task_info
      *task_info; /* of a task of the library's. NULL: a user's, that of ops[0], whose
                                     outputs follow */
  tsr_task_shape task;
  int64_t weight;     /* points per index of the domain: of a user's task over blocks, else 1 */
  bool is_piecewise;  /* some loads are partial: no chunk lies on both sides of a seam */
  bool only_reduces;  /* what it loads, unchanged: every access that is stored has a source */
  int32_t factors[2]; /* accesses: all that it does is to sum their products; -1: it is not */
} tsr_accesses;

/** The margins of a group's part that wait for messages, in points of the domain from its lower and
 * upper ends. Written by transfers.c. */
typedef struct tsr_margins {
  int64_t lo[TSR_MAX_NDIM], hi[TSR_MAX_NDIM];
} tsr_margins;

/** Of a group that runs in place, block by block: each block is a group. Written by blocking.c. */
typedef struct tsr_in_place {
  int32_t number; /* of this block; kernel and views are those of block 0 */
  bool more;      /* it is not the last one */
} tsr_in_place;

/** The boxes in which a group runs, one task each. Written by chunks.c. */
typedef struct tsr_chunks {
  tsr_box *v;
  int32_t n;
  uint64_t stream_store_mask; /* bit a < 64: the store of access a is larger than the caches */
  bool from_memory;           /* what the group touches is more than the caches keep */
} tsr_chunks;

/** Where a group may run, and what it takes there. Written by placement.c. */
typedef struct tsr_placed {
  bool is_hosts;   /* the program wants it on the host, or the device refuses it */
  bool is_refused; /* by the device */
  int32_t cluster; /* of the others; -1: it touches no memory */
  double side_ns[TSR_N_SIDES];
} tsr_placed;

/** Ops over one iteration domain that run as one loop nest. What is not in a struct of its own is
 * written by group.c. */
typedef struct tsr_group {
  int32_t ndim;
  int64_t shape[TSR_MAX_NDIM];
  const tsr_layout *cut; /* of the domain */
  tsr_box part;          /* this place's piece of the domain; empty if none (slots.c) */
  uint8_t strength;
  uint8_t side; /* tsr_side of its ops */
  bool is_task; /* runs a function over its accesses, in the order of the op's operands, then its
                   results; the kernel only declares them */
  bool is_user; /* of tasks: a user's */
  tsr_gop *ops;
  int32_t n_ops, cap_ops;
  int32_t n_again;   /* ops that are computed again for these */
  int32_t n_strands; /* ops that read nothing that others of the group did or made before */
  int32_t *renames;  /* plan regions that get a fresh buffer here */
  int32_t n_renames, cap_renames;
  tsr_accesses accesses;
  tsr_margins margins;
  tsr_in_place in_place;
  tsr_chunks chunks;
  tsr_placed placed;
} tsr_group;

/** A region as the plan sees it: one of the window's, or a temporary. */
typedef struct tsr_plan_region {
  uint8_t dtype;
  int32_t ndim;
  int64_t shape[TSR_MAX_NDIM];
  const tsr_layout *layout; /* NULL until known */
  int32_t created_by;       /* group, or -1 if it exists already */
  bool exists;              /* has storage before the plan */
  bool store;               /* must have storage after it */
  bool crossed;    /* read or partly written by another group than its maker: needs memory */
  bool reduced;    /* result of a reduction */
  bool deferred;   /* need not be stored, but is kept if it got memory anyway */
  int32_t version; /* renames so far, in groups and again in lowering */
  int32_t slot;    /* newest version, while slots are made; -1: none yet */
  tsr_box tile,
      alloc; /* this place's, and with the ghosts that the plan or earlier ones asked for */
} tsr_plan_region;

/** One version of a region in memory, or a gathered copy. */
typedef struct tsr_plan_slot {
  int32_t region;
  int32_t version; /* renames of the region before */
  int32_t buffer;
  int32_t first_group, last_group; /* live range, inclusive */
  bool existing;                   /* bound to the region's storage */
  bool final;                      /* becomes it */
  bool gathered;                   /* a private copy: `shape` is set when it is made */
  bool block;                      /* of them: what one strip of a group writes (blocking.c) */
  bool renamed;                    /* the version that a rename made */
  bool in_place;                   /* of them: it stays in the buffer of slot `before` */
  int32_t before;
  int32_t after;      /* slot that had the buffer before, or -1 */
  int64_t aligned;    /* as in the shape */
  tsr_instance shape; /* data unused: filled by the binding */
  size_t agreed_bytes;
  tsr_ghosts ghosts; /* as the plan goes on; final state goes to the storage */
} tsr_plan_slot;

typedef struct tsr_buffer {
  size_t bytes, agreed_bytes;
  int32_t region;                /* of the existing storage that it starts as, or -1: allocated */
  int32_t last_slot, free_after; /* during assignment */
} tsr_buffer;

typedef struct tsr_piece {
  int32_t slot;
  tsr_box box;
} tsr_piece;

/** Groups that share memory, and that memory (placement.c). */
typedef struct tsr_cluster {
  double side_ns[TSR_N_SIDES]; /* that its groups take */
  bool is_devices;             /* the program wants some of it there */
  double cost_ns[TSR_N_SIDES]; /* of the run under way: with what has to be moved first */
  bool on_host;
} tsr_cluster;

/** Bytes between this place and a peer in one phase: all pieces of all accesses of a group. */
typedef struct tsr_message {
  int32_t group, peer; /* peer: a place */
  bool send;
  uint32_t tag;
  tsr_piece *pieces;
  int32_t n_pieces, cap_pieces;
  size_t bytes; /* payload */
} tsr_message;

typedef enum tsr_spread {
  TSR_SPREAD_LOCAL, /* every place computed all of it */
  TSR_SPREAD_TREE,  /* up a binomial tree of all places, result down again */
  TSR_SPREAD_OWNER  /* partials go to the owner of the result's tile */
} tsr_spread;

typedef struct tsr_plan_reduction {
  int32_t group, op; /* op: window index, for its code and place */
  tsr_reduction code;
  uint8_t compute, result;
  uint32_t axes_mask;
  bool keepdims;
  tsr_tree tree;
  int32_t region; /* of the result */
  int32_t slot;
  uint8_t spread;
  tsr_box kept;     /* what is collected here: the domain box whose kept axes the partials cover */
  int32_t *sources; /* places whose partials arrive here */
  int32_t n_sources;
  int32_t up;    /* place that gets mine, or -1 */
  int32_t *down; /* places that get the result from me (TREE) */
  int32_t n_down;
  uint32_t tag_up, tag_down;
} tsr_plan_reduction;

/** Copy of a box from one slot to another: boundary of a renamed region, own part of a gathered
 * copy. */
typedef struct tsr_plan_copy {
  int32_t group, from, to;
  tsr_box box;
} tsr_plan_copy;

typedef enum tsr_task_kind {
  TSR_TASK_NONE, /* only gathers dependencies */
  TSR_TASK_COPY,
  TSR_TASK_SEND,
  TSR_TASK_RECV,
  TSR_TASK_CHUNK,
  TSR_TASK_REDUCE,      /* merge the workers' partials */
  TSR_TASK_REDUCE_RECV, /* merge one source's partials */
  TSR_TASK_REDUCE_DONE, /* finish, or send up and wait for the result; then send down */
} tsr_task_kind;

typedef struct tsr_task {
  uint8_t kind;
  int32_t group;
  int32_t what; /* copy, message, chunk of the group, or reduction */
  int32_t arg;  /* REDUCE_RECV: source number */
  int32_t n_deps;
  int32_t first_next, n_next; /* in plan->next */
} tsr_task;

typedef struct tsr_scalar_ref {
  int32_t op, in; /* operand of the window */
  uint8_t dtype;  /* it is cast to */
} tsr_scalar_ref;

/** What the numbers of a plan mean in one run. */
typedef struct tsr_binding {
  tsr_region **regions; /* window regions by plan number (temporaries have none) */
  int32_t n_regions;
  tsr_scalar *scalars;     /* [plan->n_scalars] */
  tsr_instance *instances; /* [plan->n_slots] */
  void **buffers;          /* [plan->n_buffers] */
  uint8_t *spaces;         /* [plan->n_buffers] tsr_space */
  bool any_spilled;        /* some are not the place's own memory, which is a device's */
  bool *on_host;           /* [plan->n_groups] the host runs it; false where it is the device */
  bool *is_hosts;          /* [plan->n_buffers] must be where the host reaches it */
  bool is_mixed;           /* groups of the device reach some of these, or copies lead across */
  tsr_task_call **calls; /* [plan->n_groups] of users' tasks, borrowed from their ops; else NULL */
  uint32_t tag_base;
  const int64_t (*shift)[TSR_MAX_NDIM]; /* as in the selection */
  bool replay_check;                    /* existing memory is bound as copies */
} tsr_binding;

/** A private copy that some rank may make of what a group reads (gathers.c). */
typedef struct tsr_gather {
  int32_t first_group, last_group; /* live range */
  int32_t op;                      /* the first of the group */
  size_t bytes;                    /* at most, of any rank */
} tsr_gather;

typedef struct tsr_plan {
  tsr_arena
      arena; /* everything below lives here once the plan is made, but kernels and ghost logs */
  tsr_arena *scratch; /* the flush's, where passes have what runs do not need, and what grows */
  tsr_scheduler *scheduler;
  struct tsr_plan *beside; /* the same window's, of this rank's next place; owned */
  int place, n_places;     /* whose plan it is, among those of all ranks */
  int here;                /* among this rank's */
  tsr_plan_region *regions;
  int32_t n_regions, cap_regions;
  tsr_recompute recompute;
  tsr_group *groups;
  int32_t n_groups, cap_groups;
  tsr_plan_slot *slots;
  int32_t n_slots, cap_slots;
  tsr_buffer *buffers;
  int32_t n_buffers, cap_buffers;
  tsr_gather *gathers; /* that any rank may make: alike on all of them */
  int32_t n_gathers, cap_gathers;
  size_t gathered_bytes; /* what they take of the agreed limit */
  tsr_cluster *clusters; /* NULL: the host is all there is */
  int32_t n_clusters;
  int32_t *cluster_of; /* [n_buffers] */
  bool any_hosts;      /* some group is the host's whatever it costs */
  tsr_message *messages;
  int32_t n_messages, cap_messages;
  tsr_plan_reduction *reductions;
  int32_t n_reductions, cap_reductions;
  tsr_plan_copy *copies;
  int32_t n_copies, cap_copies;
  tsr_scalar_ref *scalars;
  int32_t n_scalars, cap_scalars;
  tsr_task *tasks;
  int32_t n_tasks, cap_tasks;
  int32_t *next;
  int32_t n_next;
  uint32_t n_tags;
  int64_t work; /* points x instructions of the largest group at this place */
  bool in_line; /* small and alone: run in plan order on the calling thread */
  size_t agreed_new_bytes;
  bool renames;        /* second buffers are allowed */
  size_t wished_bytes; /* what second buffers for all renames would make of it; 0: nothing hangs on
                          how much memory is in use */
  bool tight;          /* that was too much */
  size_t left_bytes;   /* what is left of it in strips; 0: nobody asked */
  bool left_tight;     /* that was too much */
  bool over;           /* for that, or another reason */
  int64_t n_transient, n_recomputed, n_renamed, n_in_place; /* for the counters */
  tsr_binding binding;             /* of the run under way: its arrays are kept */
  bool *taken;                     /* [n_buffers] scratch of the commit */
  struct tsr_workspace *workspace; /* of the executor, kept; run_int.h */
} tsr_plan;

enum { TSR_STREAM_TRIALS = 16 };

/** Whether stores around the caches pay here (stream_stores.c). All atomic: any worker writes. */
typedef struct tsr_stream_stores {
  bool off;
  uint32_t n_chunks;                     /* that may store so */
  uint32_t cost_bits[TSR_STREAM_TRIALS]; /* ns per point of the trial's chunks, floats; 0: none */
} tsr_stream_stores;

/** A chunk, as a part of a trial or not. */
typedef struct tsr_stream_trial {
  int place; /* in the trial; -1: in none */
  uint64_t began_ns;
} tsr_stream_trial;

enum { TSR_NEAR_WORDS = 12, TSR_NEAR_KEPT = 128 };

/** An answer of gathers.c, kept because it takes a look at every tile along an axis. */
typedef struct tsr_near {
  int64_t question[TSR_NEAR_WORDS];
  bool known, yes;
} tsr_near;

struct tsr_scheduler {
  tsr_window *window;
  tsr_world *world;
  tsr_layouts *layouts;
  uint32_t most_layouts; /* in the table before it is swept */
  tsr_jit *jit;          /* the machine's; NULL: off */
  tsr_counters counters;
  tsr_stream_stores stream_stores[2]; /* of interpreted and of compiled chunks */
  bool was_compiled;                  /* the last chunk was; atomic */
  tsr_arena arena;                    /* of the flush under way */
  tsr_blocks blocks;                  /* of plans */
  struct tsr_memo *memo;              /* plans by canonical window (memo.c) */
  uint32_t next_tag;
  size_t agreed_in_use; /* agreed bytes of all storages */
  uint64_t n_plans;     /* run since the start, by their number on every rank */
  tsr_status failure;   /* of this rank's runs since the last agreement */
  uint64_t failed_plan; /* n_plans when it failed */
  tsr_text failure_text;
  tsr_text task_text; /* which user's task failed in the newest plan that failed so, and how */
  bool diverged; /* the ranks made other calls: no message between them has a meaning any more */
  bool any_poisoned;   /* some region has lost its value since the start */
  bool was_dump_noted; /* the first dump that could not be written was */
  tsr_storage *free_storages;
  void **scratch;        /* [tsr__n_lanes] 64-byte aligned */
  size_t *scratch_bytes; /* [tsr__n_lanes] */
  tsr_near near[TSR_NEAR_KEPT];
  struct tsr_streaming *streaming[TSR_MAX_PLACES]; /* streaming.c; NULL: none was needed */
  struct tsr_pack *pack;                           /* pack.c; NULL: none was needed */
};

/** Who runs chunks: this rank's threads, and the queues of its devices that are not the host. */
int tsr__n_lanes(const tsr_scheduler *s);

/* Growing arrays in an arena: returns the array with room for one more element. */
void *tsr__grow(tsr_arena *arena, void *v, int32_t n, int32_t *capacity, size_t elem_bytes);

/** Before and after a chunk that may store around the caches: whether to do so, and what it took.
 */
bool tsr__stream_stores_begin(tsr_stream_stores *f, tsr_stream_trial *trial);
void tsr__stream_stores_end(tsr_stream_stores *f, const tsr_stream_trial *trial, int64_t n_points);

/* The passes. */
void tsr__plan_group(tsr_plan *plan, const tsr_window *w, const tsr_selection *sel);
/** Decide which values are recomputed; the window's regions are in the plan. */
void tsr__plan_recompute(tsr_plan *plan, const tsr_window *w, const tsr_selection *sel);
/** The cut of an op's domain where `view`, to what it makes, merges axes: `cut` (or NULL) if that
 * will do, else a fresh one; and the layout of what is made (merge_cut.c). */
const tsr_layout *tsr__merge_cut(tsr_scheduler *s, const tsr_view *view, const tsr_layout *cut);
const tsr_layout *tsr__merged_layout(tsr_plan *plan, const tsr_view *view, int ndim,
                                     const int64_t *shape, const tsr_layout *cut);
/** All that is read for an op (recompute.c). */
void tsr__plan_reads(tsr_plan *plan, const tsr_window *w, int32_t op, tsr_reads *out);
/** Part `piece`, 0 or 1, of what a roll reads: the box of its index space, and the view there,
 * which is the operand's moved along the axis (recompute.c). */
void tsr__roll_piece(const tsr_op *op, int piece, tsr_box *box, tsr_view *view);
/** The domain where a view leads into the box, of what lies `within`; false: nowhere. */
bool tsr__within(const tsr_view *outer, const tsr_box *box, bool partial, const tsr_box *within,
                 tsr_box *out);
/** A task of the library's: messages and chunks keep to plan order, so that what is gathered for a
 * chain of them is of two. A user's is run as a kernel is. */
static inline bool tsr__is_throttled(const tsr_group *g)
{
  return g->is_task && !g->is_user;
}
/** Is the access in use for this chunk, which lies on one side of every seam? */
static inline bool tsr__is_active(const tsr_access *a, const tsr_box *chunk)
{
  return !a->partial || tsr__box_contains(&a->within, chunk);
}
/** The op that computes the region again wherever it is read, or -1. */
int32_t tsr__recomputed_by(const tsr_plan *plan, int32_t region);
/** May a write of this box go to a fresh buffer? exact: the box holds only points written. */
bool tsr__may_rename(const tsr_plan *plan, int32_t region, const tsr_box *box, bool exact);
void tsr__plan_lower(tsr_plan *plan, const tsr_window *w);
void tsr__plan_slots(tsr_plan *plan, const tsr_selection *sel);
void tsr__plan_transfers(tsr_plan *plan);
/** Before the transfers of a load: note the copy that a rank may make for it (gathers.c). */
void tsr__gathers_note(tsr_plan *plan, int32_t group, const tsr_access *a);
/** The first group in which the copies for a group are alive: a chain of tasks gathers for the next
 * while one runs, and two sets of buffers take turns. */
int32_t tsr__gather_begins(const tsr_plan *plan, int32_t group);
/** What all that was noted takes. */
size_t tsr__gathers_bytes(const tsr_plan *plan);
void tsr__plan_buffers(tsr_plan *plan);
/** Copies of borders that nobody needs go (borders.c): that are overwritten unread; that the buffer
 * has already. */
void tsr__plan_dead_borders(tsr_plan *plan);
void tsr__plan_kept_borders(tsr_plan *plan);
/** Turn the groups that rename into strips in place, where that takes less memory; false: none. */
bool tsr__plan_blocking(tsr_plan *plan);
/** Would so many new bytes go over what a place's own memory holds now? The same on every rank. */
bool tsr__is_tight(const tsr_scheduler *s, size_t new_bytes);
void tsr__plan_chunks(tsr_plan *plan);
void tsr__plan_tasks(tsr_plan *plan);
void tsr__plan_bases(tsr_plan *plan);
/** Clusters, and what they cost on either side (placement.c). */
void tsr__plan_placement(tsr_plan *plan);
/** Of a run: fills on_host, is_hosts and is_mixed. Nothing is moved. */
void tsr__place(tsr_plan *plan, tsr_binding *b);
/** Does a group that only the host may run touch the buffer? */
bool tsr__is_hosts_only(const tsr_plan *plan, int32_t buffer);
/** Bytes of what groups that the device refuses touch, of the rank's places together. */
size_t tsr__refused_bytes(const tsr_plan *plan);
/** May an array of so many bytes be in the host's memory because it is faster there? Half of it is
 * left to what has to be there. */
bool tsr__host_has_room(const tsr_scheduler *s, size_t bytes);
/** The host's memory has no room for some buffers, which are not `is_hosts` any more: the device
 * runs their groups, and what else is theirs alone is not `is_hosts` either. False if it cannot run
 * one of them. */
bool tsr__place_without(tsr_plan *plan, tsr_binding *b);
/** When it is over: what the plan's arrays remember of it. */
void tsr__place_commit(tsr_plan *plan, const tsr_binding *b);
/** Where an array of so many bytes that the program gives is to begin. */
bool tsr__begins_on_host(const tsr_scheduler *s, size_t agreed_bytes);

/** Transfers of a plan that only widens the halo of its one region (plan->regions[0]) by `expand`
 * cells per axis. */
void tsr__plan_halo(tsr_plan *plan, const int64_t *expand);

/** A plan that exchanges the halo of one stored region and computes nothing. */
tsr_plan *tsr__plan_create_halo(tsr_scheduler *s, tsr_region *region, const int64_t *expand);

/** All passes. Pure: the plan is a function of window, selection and storages. */
tsr_plan *tsr__plan_create(tsr_scheduler *s, const tsr_selection *sel);
void tsr__plan_destroy(tsr_plan *plan);
/** All layouts that the plan has stay through the sweep to come. */
void tsr__plan_keep_layouts(const tsr_plan *plan);
/** Free the executor's kept buffers. */
void tsr__workspace_free(tsr_plan *plan);
/** Text of a plan, peers and boxes relative to its place, so that interior ranks read alike.
 * malloc'd. */
char *tsr__plan_text(const tsr_plan *plan);
/** The same as a Graphviz graph of tasks. malloc'd. */
char *tsr__plan_dot(const tsr_plan *plan);
char *tsr__groups_text(const tsr_plan *plan, const tsr_window *w);

/* Of the plans of all places of this rank; b: [n_places]. */

/** Bind memory; TSR_ERR_MEMORY if this rank cannot. On failure no value has changed. */
tsr_status tsr__bind(tsr_plan *plan, const tsr_window *w, const tsr_selection *sel,
                     bool replay_check, tsr_binding *b);
/** A binding without memory, for plans that this rank cannot run but must follow: committing it
 * leaves the storages as on the ranks that ran them, all but the data. */
void tsr__bind_nothing(tsr_plan *plan, const tsr_selection *sel, tsr_binding *b);
/** Hand the buffers over to the regions' storage, free the others. */
void tsr__bind_commit(tsr_plan *plan, tsr_binding *b);
/** Give back what bind allocated. */
void tsr__bind_drop(tsr_plan *plan, tsr_binding *b);

/** What every message between ranks begins with. */
typedef struct tsr_header {
  uint64_t hash;  /* of the sender's op stream at this flush */
  int32_t status; /* not TSR_OK: poisoned, no payload */
  uint32_t tag;
} tsr_header;

/** Tags of data messages wrap around here: within what every MPI allows, far above what is under
 * way at once. */
#define TSR_N_TAGS (1u << 22)
/** The tag on the wire of message `number` from a place to a place. */
uint32_t tsr__wire_tag(const tsr_world *w, uint32_t number, int from, int to);

/** Run all tasks of the plans of this rank's places; returns the first failure met (a poisoned or
 * diverged message). */
tsr_status tsr__execute(tsr_plan *plan, const tsr_binding *bindings);
/** Send all that the plans of this rank's places owe, poisoned, and take what they are sent. */
void tsr__execute_poisoned(tsr_plan *plan, uint32_t tag_base, tsr_status status);

/** Run the window as far as `target` (or NULL) and all that is stored need it. */
tsr_status tsr__flush_for(tsr_scheduler *s, tsr_region *target, bool everything);
/** Write `text` (freed), of this rank's place `here`, to TESSERA_DUMP as NNNN-name.rankR.suffix, or
 * NNNN-name.rankR.placeP.suffix but for the first place, if that is set. */
void tsr__dump(tsr_scheduler *s, int here, const char *name, const char *suffix, char *text);
/** Keep this rank's first failure until the ranks agree on it. Until then its plans only send what
 * they owe, poisoned, and nothing else changes: which ops run is the same on every rank. */
void tsr__note_failure(tsr_scheduler *s, tsr_status status, const char *text);
/** Notes for an error about memory: the line that made most of what is there or what the plan was
 * to make, where it made several arrays; and each array that holds more than `least` bytes. */
void tsr__say_who_holds(tsr_scheduler *s, const tsr_plan *plan, const tsr_selection *sel,
                        size_t least);
/** That of no memory for something of an array, which takes so many bytes. */
void tsr__note_no_memory(tsr_scheduler *s, const tsr_region *region, const char *what,
                         size_t bytes);

/** What is remembered of a window: the selection without its regions, and the plan. */
typedef struct tsr_memo_entry tsr_memo_entry;
/** The plan of the current window if it was planned before (*hit; NULL if nothing runs). Numbers
 * the window's regions and fills out->regions; a hit fills all of `out`. Valid until the next
 * insert. Cost: about 30 ns per operand. */
tsr_plan *tsr__memo_find(tsr_scheduler *s, const tsr_region *target, bool everything,
                         tsr_selection *out, bool *hit);
/** Remember the plan (taken) of the window that was just looked for. */
void tsr__memo_insert(tsr_scheduler *s, const tsr_selection *sel, tsr_plan *plan);
/** How often plans were found, into the dump; at the end. */
void tsr__memo_dump(tsr_scheduler *s);
void tsr__memo_destroy(struct tsr_memo *memo);
/** Those of all that is remembered. */
void tsr__memo_keep_layouts(const struct tsr_memo *memo);

/** Two checks of TESSERA_REPLAN, which end the job with TSR_FATAL on a difference. Plan again and
 * compare the texts: */
void tsr__replan_check(tsr_scheduler *s, const tsr_selection *sel, const tsr_plan *plan);
/** Run the plan on copies of its memory (collective; uses plan->n_tags tags): the values that its
 * final slots get, to compare. NULL if this run failed. */
tsr_binding *tsr__replay_check_run(tsr_plan *plan, const tsr_selection *sel);
void tsr__replay_check_compare(tsr_plan *plan, tsr_binding *replay_check, const tsr_binding *b);

/** Every which place gets a tile of a fresh array of so many elements: of few tiles every rank has
 * as many; where ranks share cores, small ones are with one rank per core, and the others receive
 * what they read. */
int32_t tsr__rank_step(const tsr_scheduler *s, int64_t n_elems);
/** Layout that a fresh array of this shape gets: replicated if small, else cut. */
const tsr_layout *tsr__layout_for(tsr_scheduler *s, int ndim, const int64_t *shape);
tsr_storage *tsr__storage_new(tsr_scheduler *s, const tsr_layout *layout);
/** Its memory goes back to the pool, itself to the scheduler's free list. */
void tsr__storage_release(tsr_storage *storage);
void tsr__storages_free(tsr_scheduler *s);
/** Is what a rank lends the tile itself, as it lies in memory? Else it is a copy. */
bool tsr__lends_itself(const tsr_scheduler *s);
/** Nobody has the address of its memory any more. */
void tsr__storage_end_lending(tsr_storage *storage);
/** Keep memory, of that pool, until then. */
void tsr__storage_keep_lent(tsr_storage *storage, tsr_memory *memory, const tsr_instance *i);

/** Memory of a place, as long as there is some without moving anything (residency.c). */
void *tsr__residency_alloc(tsr_scheduler *s, int here, tsr_space space, size_t bytes);
/** Memory for an array of this rank's place `here`: its own, for which arrays that were used longer
 * ago leave it, but for the n_kept of `kept`; else, or where it is to be `on_host`, the host's or a
 * file's. NULL: none of them has it (residency.c). */
void *tsr__residency_take(tsr_scheduler *s, int here, size_t bytes, bool on_host,
                          tsr_region *const *kept, int32_t n_kept, tsr_space *space);
/** Memory of the host for a copy of what is lent, read or imported, and whose it is; NULL: none. */
void *tsr__residency_mirror(const tsr_scheduler *s, size_t bytes, tsr_memory **from);
/** Memory for the buffers that a binding still lacks, all of it or none, and where its placement
 * wants them: some of the plan's arrays may move. */
tsr_status tsr__residency_make(tsr_plan *plan, tsr_binding *b);
/** The binding's own buffers leave the place's memory, with their values, if there is any other. */
void tsr__residency_leave(tsr_plan *plan, tsr_binding *b);
/** Is the buffer the binding's own, not memory of a region that exists? */
static inline bool tsr__binds_own(const tsr_plan *plan, const tsr_binding *b, int32_t buffer)
{
  return b->replay_check || plan->buffers[buffer].region < 0;
}

/** Bytes of a streaming ring that one point of so many accesses takes. */
size_t tsr__streaming_least(int32_t n_accesses);
/** Let chunks of this place's run on data that is not in its memory: at most `bytes` of it. False:
 * there is no room for that. */
bool tsr__streaming_open(tsr_scheduler *s, int here, size_t bytes);
void tsr__streaming_close(tsr_scheduler *s, int here); /* none is ignored; the queues are empty */

/** Give back the memory that faces were packed in (pack.c); false: there was none. The queues are
 * empty. */
bool tsr__pack_close(tsr_scheduler *s, int here);
void tsr__pack_destroy(tsr_scheduler *s);

/** A copy between arrays' memory and the host's, or within the former, waited for. */
void tsr__move(const tsr_place *p, tsr_direction direction, const tsr_points *points);
/** The same between two instances of a place, wherever they are: points; a box. */
void tsr__move_between(const tsr_world *w, int here, const tsr_instance *dst,
                       const tsr_instance *src, const tsr_points *points);
void tsr__move_across(const tsr_world *w, int here, const tsr_instance *dst,
                      const tsr_instance *src, const tsr_box *box, size_t elem_bytes);
/** A box between an instance of a place and a copy of it in the host's memory, which may be itself.
 */
void tsr__move_mirror(const tsr_place *p, const tsr_instance *i, const tsr_instance *mirror,
                      tsr_direction direction, const tsr_box *box, size_t elem_bytes);
/** Out of an instance of a place, to the host's memory. */
void tsr__move_out(const tsr_place *p, const tsr_instance *i, const tsr_points *points);
/** What is lost of a value that a failure took (read.c). */
tsr_status tsr__lost(tsr_scheduler *s, const tsr_region *region, const tsr_location *where);
/** Dense row-major values of a box of an instance to the host. */
void tsr__fetch(const tsr_place *p, const tsr_instance *i, const tsr_box *box, size_t elem_bytes,
                void *out);

#endif
