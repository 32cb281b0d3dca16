/* The state of a scheduler, which all of its rooms share. */
#ifndef TSR_STATE_H
#define TSR_STATE_H

#include "scheduler/scheduler.h"
#include "kernel/compile/jit.h"
#include "runtime/base/blocks.h"

typedef struct tsr_storage tsr_storage;

struct tsr_scheduler {
  tsr_window *window;
  tsr_world *world;
  tsr_layouts *layouts;
  uint32_t most_layouts; /* in the table before it is swept */
  tsr_jit *jit;          /* the machine's; NULL: off */
  tsr_counters counters;
  struct tsr_stream_stores *stream_stores; /* [2] owned: of interpreted and of compiled chunks */
  bool was_compiled;                       /* the last chunk was; atomic */
  tsr_arena arena;                         /* of the flush under way */
  tsr_blocks blocks;                       /* of plans */
  struct tsr_memo *memo;                   /* plans by canonical window (memo.c) */
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
  struct tsr_near *near; /* [TSR_NEAR_KEPT] owned: answers of plan/gathers.c */
  struct tsr_streaming *streaming[TSR_MAX_PLACES]; /* streaming.c; NULL: none was needed */
  struct tsr_pack *pack;                           /* pack.c; NULL: none was needed */
};

/** Who runs chunks: this rank's threads, and the queues of its devices that are not the host. */
int tsr__n_lanes(const tsr_scheduler *s);

#endif
