/* The ring of entries that streamed chunks go through, and which copies wait for which. */
#ifndef TSR_RUN_STREAMING_RING_H
#define TSR_RUN_STREAMING_RING_H

#include "scheduler/run/run_int.h"
#include "scheduler/run/streaming.h"

enum {
  TSR_STREAMING_WRITES = 64, /* that are known one by one */
  TSR_STREAMING_LENT = 8,
  TSR_STREAMING_UNIT = 16 /* bytes of what lies in an entry: any element fits one */
};

/** An entry of the ring, and the piece that was last put into it. */
typedef struct tsr_streaming_entry {
  char *data;
  tsr_device_event over; /* after this event the entry is free */
  tsr_run *run;
  int32_t group;
  tsr_box piece;
  tsr_located at;
  int32_t capacity;    /* accesses that `at` has space for */
  tsr_scalar *scalars; /* owned, of `at` */
  int32_t n_scalars;   /* that `scalars` has space for */
} tsr_streaming_entry;

/** A range of the host's memory that the queue out writes. */
typedef struct tsr_written {
  const char *begin, *end;
  tsr_device_event over;
  bool of_group; /* by the group that came last */
} tsr_written;

/** A range of the device's memory that the queue out reads. */
typedef struct tsr_lent {
  const char *begin, *end;
  tsr_device_event over;
} tsr_lent;

/** Of a place. All but its memory lies here between runs. */
typedef struct tsr_streaming {
  pthread_mutex_t lock;
  size_t entry_bytes;
  tsr_streaming_entry entries[TSR_STREAMING_ENTRIES];
  int n_entries, next;
  /* [n_streamed] owned: of the piece that is put into the queues (streaming_pieces.c) */
  struct tsr_streamed *streamed;
  /* [accesses] index in `streamed`, or -1: the data is in the device's memory */
  int32_t *streamed_of;
  int32_t n_streamed, capacity;
  int worker;         /* that puts the chunk into the queues */
  const tsr_run *run; /* the run whose group came last */
  int32_t group;
  bool entangled;
  /* [n_writes] the oldest first, which no read has followed yet */
  tsr_written writes[TSR_STREAMING_WRITES];
  int n_writes;
  /* [n_lent] the oldest first, for which the queue that runs has not waited */
  tsr_lent lent[TSR_STREAMING_LENT];
  int n_lent;
} tsr_streaming;

/** Let the queue in wait for the last write of what it is to read, and so for all before that one.
 * by_chunk: a chunk of the group that came last reads, else a copy of the plan, which may read what
 * that group wrote. Under the lock, as all that follow. */
void tsr__ring_follow_writes(tsr_run *run, tsr_streaming *streaming, const tsr_points *p,
                             bool by_chunk);
/** Note what the queue out was last told to write. */
void tsr__ring_note_write(tsr_run *run, tsr_streaming *streaming, const tsr_points *p,
                          bool of_group);
/** Let the queue that runs wait until the source of the points is not on its way out any more. */
void tsr__ring_take_back(tsr_run *run, tsr_streaming *streaming, const tsr_points *p);
/** Put a copy of points into a queue, and count it. */
void tsr__ring_copy(tsr_run *run, tsr_queue queue, tsr_direction direction, const tsr_points *p);

/** Copy points into the device's memory, or out of it, in order with the chunks that are streamed.
 */
void tsr__streaming_copy(tsr_run *run, tsr_move_kind kind, const tsr_points *points);
/** Let the queue that runs wait for what is on its way out of the device's memory, before anything
 * but a streamed chunk goes into it. */
void tsr__streaming_take_back(tsr_run *run);

#endif
