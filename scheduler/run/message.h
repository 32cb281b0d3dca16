/* Messages of a run: what each carries, how, and how far it is.
 *
 *   state     a send                                      a receive
 *   IDLE      its task is not ready                       nobody has asked for it
 *   PACKING   its values are being packed, until `event`
 *   POSTED    the transport has it                        the transport fills its bytes
 *   ARRIVED                                               its values are there to be unpacked
 *   DONE      it has left                                 its values are where they belong
 *
 * Memory of a message that is DONE is used again, unless a device still unpacks it.
 *
 * A message on the path LINK goes from device to device of two ranks (link.h); its header goes by
 * the transport. It has crossed when both have: the header is there, and the link's queue has
 * passed it.
 *
 * Where the devices of a rank's two places copy from each other, a message takes the path COPY and
 * needs neither bytes nor transport: a send that is POSTED offers its pieces, and its receive,
 * which ARRIVED then, is DONE when the copies are in its device's queues. Every other message takes
 * the path BYTES. Both ends know the size of every message, so receives are posted when the run
 * begins: all but those of throttled groups, and of large ones the first few from each place. Each
 * of these posts the next when it is done, so that a few buffers serve all, whose pages are warm.
 *
 * tsr__message_advance takes a message from state to state. One thread at a time advances a
 * message: the one that starts the run, the one that runs the message's task, or the one that
 * polls. Who posts a large receive that follows another one claims it. */
#ifndef TSR_RUN_MESSAGE_H
#define TSR_RUN_MESSAGE_H

#include "scheduler/plan/plan.h"
#include "scheduler/wire.h"

#include <stdatomic.h>

typedef struct tsr_run tsr_run;

typedef enum tsr_message_state {
  TSR_MESSAGE_IDLE,
  TSR_MESSAGE_PACKING,
  TSR_MESSAGE_POSTED,
  TSR_MESSAGE_ARRIVED,
  TSR_MESSAGE_DONE
} tsr_message_state;

typedef enum tsr_message_path {
  TSR_PATH_BYTES, /* packed in the host's memory, through the transport */
  TSR_PATH_COPY,  /* from one device of the rank to another, without the host's memory */
  TSR_PATH_LINK   /* from device to device of two ranks, by the world's link */
} tsr_message_path;

typedef enum tsr_payload {
  TSR_PAYLOAD_PIECES,   /* boxes of slots, of a message of the plan */
  TSR_PAYLOAD_PARTIALS, /* of a reduction, on the way up */
  TSR_PAYLOAD_RESULT    /* of a reduction, on the way down */
} tsr_payload;

/** One message of a run. */
typedef struct tsr_run_message {
  /* What it is. Written when the table is made: */
  uint8_t payload; /* tsr_payload */
  bool send;
  bool throttled; /* it has memory only while it is under way, array memory */
  int32_t what;   /* number of the plan's message, or of the reduction */
  int peer;       /* the other place, among all ranks' */
  uint32_t tag;   /* number within the plan */
  size_t n_bytes; /* of the payload */
  /* A large receive: may it be posted when another one is done, instead of at the start? The one
   * that is posted when this one is done, by its number; 0: none. */
  bool is_later;
  int32_t follower;
  /* path COPY: number of the other end among its run's messages, plus 1; 0: not known yet */
  int32_t counterpart;
  /* How far it is. Written by message.c: */
  uint8_t path;           /* tsr_message_path in this run */
  uint8_t until;          /* tsr_message_state in which its task is over */
  bool in_place;          /* its bytes are the transport's */
  atomic_int state;       /* tsr_message_state */
  atomic_flag is_claimed; /* a receive: somebody posts it, or has posted it */
  tsr_run *run;
  tsr_request request;          /* paths BYTES and LINK */
  char *bytes;                  /* header and, on the path BYTES, payload. NULL: none, or not yet */
  char *retained;               /* owned: memory for them that stays between runs; NULL: none yet */
  size_t capacity;              /* of `bytes` that are not the transport's */
  tsr_memory *from;             /* of `bytes` that are array memory (memory/residency.h) */
  const void *values;           /* RESULT that is sent: the values, while it is packed */
  struct tsr_run_message *next; /* in the run's list of sends under way */
  /* path COPY: the other end */
  struct tsr_run_message *other;
  /* a send: from then on its values are packed; a receive on the path COPY: they have been
   * copied */
  tsr_device_event event;
  /* device memory that its boxes are packed in (pack.c); on the path LINK, all of them (link.c).
   * NULL: none */
  char *area;
  size_t area_bytes;
  /* path LINK: does it take it, in all runs? 0: not known yet, 1: yes, -1: no */
  int8_t is_linked;
  int32_t phase;          /* its number */
  size_t link_bytes;      /* of its area */
  atomic_bool has_header; /* the transport has taken, or brought, the header */
} tsr_run_message;

/** The messages of a plan's runs: those of the plan by their number, then those of reductions. */
typedef struct tsr_messages {
  tsr_run_message *v; /* [n] owned, with their bytes */
  int32_t n;
  int32_t *first_of; /* [n_reductions] owned: a reduction's first message */
  tsr_pins *pins;    /* borrowed: of the memory that messages keep; may be NULL */
} tsr_messages;

void tsr__messages_create(tsr_messages *messages, const tsr_plan *plan);
void tsr__messages_free(tsr_messages *messages);

/** The messages of a reduction: from source number s; to the place above; the result from there, or
 * to place down[d]. */
tsr_run_message *tsr__message_from_source(const tsr_run *run, int32_t reduction, int32_t s);
tsr_run_message *tsr__message_up(const tsr_run *run, int32_t reduction);
tsr_run_message *tsr__message_result(const tsr_run *run, int32_t reduction);
tsr_run_message *tsr__message_down(const tsr_run *run, int32_t reduction, int32_t d);

/** Begin a run: each message is IDLE and has its path. All workspaces of the rank's runs exist. */
void tsr__messages_start(tsr_run *run);
/** Post the receives that a run begins with. */
void tsr__messages_post(tsr_run *run);
/** End a run: give back memory that is not kept. Nothing is under way or in the queues any more. */
void tsr__messages_end(tsr_run *run);

/** Take the message on, one state after another, as far as `state` and as it can go now. Returns
 * whether it is there, or further. */
bool tsr__message_advance(tsr_run *run, tsr_run_message *m, tsr_message_state state);

/** The payload, behind the header. */
static inline char *tsr__message_payload(const tsr_run_message *m)
{
  return m->bytes + sizeof(tsr_header);
}
static inline tsr_message_state tsr__message_state(const tsr_run_message *m)
{
  return (tsr_message_state)atomic_load_explicit(&m->state, memory_order_acquire);
}

#endif
