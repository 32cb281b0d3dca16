/* A plan: what one place does for one window.
 *
 * A plan is relocatable data: it names regions, scalars and kernels by number, and memory by buffer
 * number. A binding (run/bind.h) gives the numbers their meaning for one run. The passes fill it in
 * this order, each with a header that says what it reads and what it writes:
 *
 *   reads      temporaries that are never made, and what an op reads        (reads.h)
 *   group      ops -> groups; a group's cut                                 (group.h, cut.h)
 *   lower      a group -> its kernel and accesses                           (lower.h)
 *   slots      versions of regions                                          (slots.h)
 *   transfers  messages, and gathered copies              (transfers.h, gathers.h, ghosts.h)
 *   borders    the copies that renames need                                 (borders.h)
 *   buffers    slots -> memory; blocking where that is too much             (buffers.h, blocking.h)
 *   chunks     a group's part -> boxes of cache size                        (chunks.h)
 *   tasks      boxes, copies and messages -> tasks and their dependencies   (tasks.h)
 *   bases      where each access begins                                     (bases.h)
 *   placement  what it costs on the host and on a device                    (placement.h) */
#ifndef TSR_PLAN_H
#define TSR_PLAN_H

#include "scheduler/state.h"
#include "scheduler/plan/reads.h"

/* The parts of a plan; each has a header of its own. */
typedef struct tsr_group tsr_group;
typedef struct tsr_plan_slot tsr_plan_slot;
typedef struct tsr_buffer tsr_buffer;
typedef struct tsr_gather tsr_gather;
typedef struct tsr_cluster tsr_cluster;
typedef struct tsr_message tsr_message;
typedef struct tsr_plan_reduction tsr_plan_reduction;
typedef struct tsr_plan_copy tsr_plan_copy;
typedef struct tsr_scalar_ref tsr_scalar_ref;
typedef struct tsr_task tsr_task;

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
  struct tsr_binding *binding;     /* of the run under way: its arrays are kept (bind.c) */
  struct tsr_workspace *workspace; /* of the executor, kept; NULL until the first run */
  void (*free_workspace)(struct tsr_plan *plan);
} tsr_plan;

/** A plan that exchanges the halo of one stored region and computes nothing. */
tsr_plan *tsr__plan_create_halo(tsr_scheduler *s, tsr_region *region, const int64_t *expand);

/** All passes. Pure: the plan is a function of window, selection and storages. */
tsr_plan *tsr__plan_create(tsr_scheduler *s, const tsr_selection *sel);
void tsr__plan_destroy(tsr_plan *plan);

/** All layouts that the plan has stay through the sweep to come. */
void tsr__plan_keep_layouts(const tsr_plan *plan);

#endif
