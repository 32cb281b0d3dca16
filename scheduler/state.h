/* The state of a scheduler, which all files of scheduler/ share. */
#ifndef TSR_STATE_H
#define TSR_STATE_H

#include "scheduler/scheduler.h"
#include "kernel/compile/jit.h"
#include "runtime/base/blocks.h"

typedef struct tsr_storage tsr_storage;
struct tsr_plan;
struct tsr_program;
struct tsr_pass;

/** Layouts in the table before those that nobody has any more are swept: some MB. */
enum { TSR_MOST_LAYOUTS = 4096 };

struct tsr_scheduler {
  tsr_window *window;    /* borrowed from the array layer */
  tsr_world *world;      /* borrowed: rank, places, transport, settings */
  tsr_layouts *layouts;  /* owned: the table of layouts */
  uint32_t most_layouts; /* layouts in the table before the next sweep (flush.c) */
  tsr_jit *jit;          /* borrowed from the machine; NULL: off */
  tsr_counters counters;
  struct tsr_stream_stores *stream_stores; /* [2] owned: for interpreted and for compiled chunks */
  bool was_compiled;                       /* the last chunk was compiled; atomic */
  tsr_arena arena;                         /* memory of the flush under way, reset at its end */
  tsr_blocks blocks;                       /* memory that plans are made in */
  /* called after each pass of a plan; for tests, NULL else */
  void (*after_pass)(const tsr_scheduler *s, struct tsr_plan *plan,
                     const struct tsr_program *program, const struct tsr_pass *pass);
  struct tsr_memo *memo; /* owned: plans by canonical window (memo.c) */
  int64_t n_deferred;    /* ops that the last flush left in the window, which are deferred */
  uint32_t next_tag;     /* number of the next message in the program, alike on all ranks */
  size_t agreed_in_use;  /* agreed bytes of all storages: counts against the limit */
  size_t in_use_flushed; /* agreed_in_use after the last flush */
  uint64_t n_plans;      /* plans run since the start, alike on every rank */
  tsr_status failure;    /* first failure of this rank's runs since the last agreement (flush.c) */
  uint64_t failed_plan;  /* n_plans when it failed */
  tsr_text failure_text; /* of `failure` */
  /* where the ops of the plans are that a device may still run: the first op of the oldest of them,
   * the last of the newest; NULL: none is known */
  struct {
    const tsr_location *first, *last;
  } running;
  /* which user's task failed in the newest plan with such a failure, and how */
  tsr_text task_text;
  /* a rank's device failed, and all ranks know: no plan runs any more */
  bool has_lost_devices;
  /* the ranks made different calls: no message between them has a meaning any more */
  bool diverged;
  struct tsr_releases *releases; /* owned: arrays let go at different times (memory/releases.c) */
  bool any_poisoned;             /* some region has lost its value since the start */
  bool was_dump_noted;           /* a dump could not be written, and that was reported */
  tsr_storage *free_storages;    /* list, owned (memory/storage.c) */
  tsr_storage
      *lost_storages;    /* list, owned: what arrays lost while they are lent (memory/storage.c) */
  void **scratch;        /* [tsr__n_lanes] owned, 64-byte aligned (run/chunk.c) */
  size_t *scratch_bytes; /* [tsr__n_lanes] bytes of each */
  /* [tsr__n_lanes] owned (run/chunk.c): the lane's last runs of compiled code; NULL: none yet */
  struct tsr_recent_runs **recent;
  tsr_memory *partials_memory; /* owned: large blocks of partial results (run/execute.c) */
  struct tsr_answer *answers;  /* [TSR_N_ANSWERS] owned (plan/answers.c) */
  /* owned (run/streaming_ring.c); NULL: never needed */
  struct tsr_streaming *streaming[TSR_MAX_PLACES];
  struct tsr_residency *residency; /* owned (memory/residency.c); NULL: never needed */
  struct tsr_movers *movers;       /* owned (run/movers.c); NULL: the rank has no devices */
  /* owned (run/launch.c): code for devices that run no C. NULL: they run C, or nothing */
  struct tsr_launcher *launcher;
};

/** The number of lanes that run chunks: this rank's threads, and the queues of its devices that are
 * not the host. */
static inline int tsr__n_lanes(const tsr_scheduler *s)
{
  const int n_queues = tsr__world_is_host(s->world) ? 0 : s->world->n_places;
  return s->world->machine->n_threads + n_queues;
}

#endif
