/* Links: messages between the memories of different ranks' devices, without the host. Each kind is
 * one table of operations.
 *
 *   ipc    memory of the other ranks of a node, which the driver opens (link_ipc_cuda.c)
 *   nccl   NVIDIA's library NCCL, found when it is needed (link_nccl_cuda.c)
 *
 * A link joins *members*: places, numbered from 0. What it carries goes in *exchanges*: all that
 * this rank's members send and receive in one step. Who receives waits in its queue for who sends,
 * and the other way round, so the exchanges of all ranks follow one order: of any two that a rank
 * takes part in, the one that comes first here comes first everywhere. */
#ifndef TSR_LINK_H
#define TSR_LINK_H

#include "runtime/device/device.h"

enum {
  TSR_LINK_CARD_BYTES = 128, /* that each member writes, and all others read */
  TSR_LINK_DEVICE_BYTES = 16 /* that tell one device from all others of all nodes */
};

/** What links of a kind are like. */
enum {
  TSR_LINK_OF_DEVICES = 1, /* no two members have one device */
  TSR_LINK_OF_NODE = 2,    /* each node has a link of its own: other messages go by the host */
  TSR_LINK_GIVES_WAY = 4   /* where it is not to be had, all messages go by the host */
};

/** A member of this rank. */
typedef struct tsr_link_end tsr_link_end;

/** What a member sends or receives in an exchange. */
typedef struct tsr_link_message {
  tsr_link_end *end;
  int peer; /* the other member */
  bool send;
  void *data; /* memory of the end's device */
  size_t bytes;
} tsr_link_message;

/** A member that opens. */
typedef struct tsr_link_seat {
  tsr_device *device;
  int number, n_members;
  size_t most_bytes; /* of a message; a multiple of 16 */
} tsr_link_seat;

/** What is said of the kinds in every build, also in one that has none of them. */
#define TSR_LINK_IPC_IS                                                                            \
  .name = "ipc", .about = "memory that the ranks of a node open for each other", .device = "cuda", \
  .traits = TSR_LINK_OF_NODE | TSR_LINK_GIVES_WAY
#define TSR_LINK_NCCL_IS                                                                           \
  .name = "nccl", .about = "NVIDIA's NCCL", .device = "cuda", .traits = TSR_LINK_OF_DEVICES

/** What fails says so in `why`. One thread at a time calls. */
typedef struct tsr_link_ops {
  const char *name;
  const char *about;  /* one line for `tessera info` */
  const char *device; /* the kind of devices that it joins */
  uint32_t traits;    /* TSR_LINK_… */
  /** Is there on this machine what the kind needs? */
  bool (*is_available)(char *why, size_t size);
  /** Write what tells a device from all others, and make ready for join what needs no other rank:
   * the ranks agree on a failure before one of them waits in join. */
  bool (*identify)(tsr_device *d, unsigned char id[TSR_LINK_DEVICE_BYTES], char *why, size_t size);
  /** Make an end, and the card by which others find it. On failure there is none. */
  bool (*open)(const tsr_link_seat *seat, unsigned char card[TSR_LINK_CARD_BYTES],
               tsr_link_end **end, char *why, size_t size);
  /** Join the n ends of this rank with all members, whose cards are in the order of their numbers.
   * Collective among the ranks with members; may wait for them. */
  bool (*join)(tsr_link_end *const *ends, int n, const unsigned char *cards, char *why,
               size_t size);
  /** Put an exchange into TSR_QUEUE_LINK of its ends' devices. No end has one peer twice for
   * sending, or twice for receiving. What is sent is complete in memory; what the messages name
   * stays until the queue has passed the exchange. */
  bool (*exchange)(const tsr_link_message *messages, int n, char *why, size_t size);
  /** Has nothing failed on the way? Asked for while an exchange is waited for. */
  bool (*is_well)(tsr_link_end *end, char *why, size_t size);
  /** (optional) Wait for the exchanges of an end, or let them end at once if is_lost, and touch no
   * other member's memory from then on. All ranks do before any leaves. */
  void (*stop)(tsr_link_end *end, bool is_lost);
  /** Leave: collective, after all exchanges are over; or, if is_lost, alone and at once. */
  void (*leave)(tsr_link_end *end, bool is_lost);
} tsr_link_ops;

extern const tsr_link_ops tsr__link_ipc, tsr__link_nccl;

/** The i-th kind; NULL behind the last. */
const tsr_link_ops *tsr__link_kind(int i);
/** The kind of that name; NULL if there is none, as of `host` and `peer`. */
const tsr_link_ops *tsr__link_find(const char *name);

#endif
