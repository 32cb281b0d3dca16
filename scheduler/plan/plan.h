/* A plan: what one place does for one window.
 *
 * A plan is relocatable data: it names regions, scalars and kernels by number, and memory by buffer
 * number. A binding (run/bind.h) gives the numbers their meaning for one run. The passes fill it in
 * this order (passes.c), each with a header that says what it reads and what it writes:
 *
 *   regions    the program's regions, and versions                         (regions.h)
 *   recompute  temporaries that are never made                              (recompute.h)
 *   fold       reductions of few elements -> elementwise ops                (fold.h)
 *   reads      what each op reads, and by which views                       (reads.h)
 *   group      ops -> groups; a group's cut                                 (group.h, cut.h)
 *   elide      results that are only copied -> written into the array       (elide.h)
 *   lower      a group -> its kernel and accesses                           (lower.h)
 *   postpone   the order of groups: what takes results waits               (postpone.h)
 *   slots      versions of regions in memory                                (slots.h)
 *   deepen     parts with margins, so that several steps share one exchange (deepen.h)
 *   transfers  messages, and gathered copies              (transfers.h, gathers.h, ghosts.h)
 *   borders    the copies that renames need                                 (borders.h)
 *   buffers    slots -> memory; blocking where that is too much             (buffers.h, blocking.h)
 *   chunks     a part -> boxes of cache size     (chunks.h, chunk_size.h, footprint.h, chain.h)
 *   tiling     groups -> chains that go tile by tile through all of them    (tiling.h)
 *   tasks      boxes, copies and messages -> tasks and their dependencies   (tasks.h)
 *   bases      where each access begins                                     (bases.h)
 *   placement  what it costs on the host and on a device                    (placement.h)
 *
 * A plan that is made may become that of a window which differs in numbers only (resize.h). */
#ifndef TSR_PLAN_H
#define TSR_PLAN_H

#include "scheduler/state.h"
#include "scheduler/plan/fold.h"
#include "scheduler/plan/split.h"

/* What a plan is made of; each has a header of its own. */
typedef struct tsr_group tsr_group;
typedef struct tsr_access tsr_access;
typedef struct tsr_plan_slot tsr_plan_slot;
typedef struct tsr_buffer tsr_buffer;
typedef struct tsr_gather tsr_gather;
typedef struct tsr_cluster tsr_cluster;
typedef struct tsr_message tsr_message;
typedef struct tsr_plan_reduction tsr_plan_reduction;
typedef struct tsr_plan_copy tsr_plan_copy;
typedef struct tsr_wide_copy tsr_wide_copy;
typedef struct tsr_scalar_ref tsr_scalar_ref;
typedef struct tsr_task tsr_task;
typedef struct tsr_chain tsr_chain;

/** A region as the plan sees it: one of the program's, or a temporary. Written by regions.c where
 * no other file is named, as other passes tell it. */
typedef struct tsr_plan_region {
  uint8_t dtype; /* tsr_dtype */
  int32_t ndim;
  int64_t shape[TSR_MAX_NDIM];
  const tsr_layout *layout; /* NULL until a group makes the region */
  int32_t created_by;       /* group, or -1: it exists already */
  int32_t into;             /* itself; of an elided temporary, the region that it is written into */
  bool exists;              /* it has storage before the plan */
  bool store;               /* it must have storage after the plan */
  /* The next three are written by group.c. */
  bool crossed;  /* read or partly written by another group than its maker: needs memory */
  bool reduced;  /* it is the result of a reduction */
  bool deferred; /* a deferred value: not stored, unless it got memory anyway */
  /* [n_renames] the groups that rename it, in order (regions.c), as groups are numbered before
   * blocking.c; not of a plan that is made */
  int32_t *renamed_by;
  int32_t n_renames, cap_renames;
  int32_t *slots; /* [n_renames + 1] of each version; -1: nobody touches it (slots.c) */
  /* this place's tile, and the tile with all ghosts that this plan or earlier ones ask for
   * (slots.c) */
  tsr_box tile, alloc;
  tsr_margins wide; /* agreed: the ghosts that intervals have around all tiles (deepen.c) */
} tsr_plan_region;

/** What a plan, and those that it was made in place of, asked about how much memory is in use: do
 * so many new bytes go over the limit? A remembered plan is used again only where the answers are
 * still the same. Written by buffers.c and plan.c. */
typedef struct tsr_capacity {
  struct tsr_capacity_question {
    size_t new_bytes;
    bool is_over;
  } v[3];
  int n;
} tsr_capacity;

typedef struct tsr_plan {
  tsr_arena arena; /* owned: everything below once the plan is made, but kernels and ghost logs */
  tsr_arena *scratch; /* borrowed from the flush: what grows, and what only passes need */
  tsr_scheduler *scheduler;
  struct tsr_plan *beside; /* owned: the plan of this rank's next place for the same window */
  int place, n_places;     /* whose plan it is, among the places of all ranks */
  int here;                /* the same among the places of this rank */
  tsr_plan_region *regions;
  int32_t n_regions, cap_regions; /* the program's regions come first, temporaries follow */
  tsr_recompute recompute;        /* (recompute.c) */
  tsr_folds folds;                /* until the groups are lowered (fold.c) */
  tsr_all_reads reads;            /* until the groups are lowered (reads.c) */
  tsr_split split;                /* (split.c) */
  tsr_group *groups;              /* in the order in which they run */
  int32_t n_groups, cap_groups;
  tsr_chain *chains; /* each group is in one (chunks.c, tiling.c) */
  int32_t n_chains;
  tsr_plan_slot *slots;
  int32_t n_slots, cap_slots;
  tsr_buffer *buffers;
  int32_t n_buffers, cap_buffers;
  tsr_gather *gathers; /* gathered copies that any rank may make: alike on all ranks */
  int32_t n_gathers, cap_gathers;
  size_t gathered_bytes; /* agreed: what the gathers take of the limit */
  tsr_cluster *clusters; /* NULL: the rank has nothing but the host */
  int32_t n_clusters;
  int32_t *cluster_of; /* [n_buffers] (placement.c) */
  bool any_hosts;      /* some group may only run on the host (placement.c) */
  tsr_message *messages;
  int32_t n_messages, cap_messages;
  tsr_plan_reduction *reductions;
  int32_t n_reductions, cap_reductions;
  tsr_plan_copy *copies;
  int32_t n_copies, cap_copies;
  tsr_wide_copy *wide_copies; /* until there are messages (deepen.c) */
  int32_t n_wide_copies, cap_wide_copies;
  tsr_scalar_ref *scalars;
  int32_t n_scalars, cap_scalars;
  tsr_task *tasks;
  int32_t n_tasks, cap_tasks;
  int32_t *next; /* [n_next] tasks that wait for a task, of which each has a range (task_graph.c) */
  int32_t n_next;
  uint32_t n_tags; /* message numbers in use, alike on all ranks (transfers.c) */
  int64_t work;    /* points x instructions of the largest group at this place (chunks.c) */
  /* alone, and small or of one chunk a group on one thread: runs in plan order on the calling
   * thread (chunks.c) */
  bool in_line;
  size_t agreed_new_bytes; /* agreed: bytes of all buffers that the plan allocates */
  bool renames;            /* writes may go to second buffers */
  bool widens;             /* parts may have margins */
  bool is_known;           /* a plan with the same text was made before, and verified */
  tsr_capacity capacity;   /* what was asked about the memory in use (buffers.c) */
  bool over;               /* the plan should be made anew without renames */
  int64_t n_transient, n_recomputed, n_renamed, n_in_place, n_wide, n_tiled; /* for the counters */
  tsr_counters counts; /* what a run of the plan adds to the scheduler's; the rest is 0 */
  /* [accesses of all groups] whose views they have; NULL: the plan cannot be resized (resize.c) */
  struct tsr_view_source *sources;
  uint32_t edition;                /* how often the plan was resized (resize.c) */
  struct tsr_binding *binding;     /* of the run under way; its arrays are kept (run/bind.c) */
  struct tsr_workspace *workspace; /* of the executor, kept between runs; NULL until the first */
  /* frees the workspace; set with it (run/execute.c) */
  void (*free_workspace)(struct tsr_plan *plan);
} tsr_plan;

/** Run all passes for the program, whose ops are selected. Pure: the plan is a function of the
 * program, the agreed settings and how much of the agreed memory is in use. Returns the plan
 * of this rank's first place; those of the others follow by `beside`. */
tsr_plan *tsr__plan_create(tsr_scheduler *s, const tsr_program *p);
/** Run all passes again for a program whose first plan is there, to compare both. A plan that was
 * resized since is no plan that was verified, so that this one is. */
tsr_plan *tsr__plan_create_again(tsr_scheduler *s, const tsr_program *p, const tsr_plan *first);
/** Free the plan with those beside it. NULL is ignored. */
void tsr__plan_destroy(tsr_plan *plan);

/** Mark the layouts that the plan names, so that the sweep to come keeps them. */
void tsr__plan_keep_layouts(const tsr_plan *plan);

#endif
