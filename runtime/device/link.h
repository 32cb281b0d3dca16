/* Links: messages between the memories of different ranks' devices, without the host. Each kind is
 * one table of operations.
 *
 *   nccl   NVIDIA's library NCCL, found when it is needed (link_nccl_cuda.c)
 *
 * A link joins *members*: places, numbered from 0, no two of which have one GPU. What it carries
 * goes in *exchanges*: all that this rank's members send and receive in one step. Who sends waits
 * in its queue for who receives, and the other way round, so the exchanges of all ranks follow one
 * order: of any two that a rank takes part in, the one that comes first here comes first
 * everywhere. */
#ifndef TSR_LINK_H
#define TSR_LINK_H

#include "runtime/device/device.h"

enum {
  TSR_LINK_ID_BYTES = 128,   /* that one member makes, and all need to find each other */
  TSR_LINK_DEVICE_BYTES = 16 /* that tell one device from all others of all nodes */
};

/** A member of this rank. */
typedef struct tsr_link_end tsr_link_end;

/** What a member sends or receives in an exchange. */
typedef struct tsr_link_part {
  tsr_link_end *end;
  int peer; /* the other member */
  bool send;
  void *data; /* memory of the end's device */
  size_t bytes;
} tsr_link_part;

/** What fails says so in `why`. One thread at a time calls. */
typedef struct tsr_link_ops {
  const char *name;
  const char *about;  /* one line for `tessera info` */
  const char *device; /* the kind of devices that it joins */
  /** Is there on this machine what the kind needs? */
  bool (*is_here)(char *why, size_t size);
  /** Write what tells a device from all others, and make ready for join what needs no other rank:
   * the ranks agree on a failure before one of them waits in join. */
  bool (*identify)(tsr_device *d, unsigned char id[TSR_LINK_DEVICE_BYTES], char *why, size_t size);
  /** Make the text by which n members will find each other; one rank calls. */
  bool (*invite)(unsigned char id[TSR_LINK_ID_BYTES], char *why, size_t size);
  /** Join n devices of this rank as members numbers[0..n) of `size`. Collective among the ranks
   * with members; waits for them. On failure no end is left. */
  bool (*join)(tsr_device *const *devices, const int *numbers, int n, int n_members,
               const unsigned char id[TSR_LINK_ID_BYTES], tsr_link_end **ends, char *why,
               size_t size);
  /** Put an exchange into TSR_QUEUE_LINK of its ends' devices. No end has one peer twice for
   * sending, or twice for receiving. What is sent is complete in memory; what the parts name stays
   * until the queue has passed the exchange. */
  bool (*exchange)(const tsr_link_part *parts, int n, char *why, size_t size);
  /** Has nothing failed on the way? Asked for while an exchange is waited for. */
  bool (*is_well)(tsr_link_end *end, char *why, size_t size);
  /** Leave: collective, after all exchanges are over; or, if is_lost, alone and at once. */
  void (*leave)(tsr_link_end *end, bool is_lost);
} tsr_link_ops;

extern const tsr_link_ops tsr__link_nccl;

/** The i-th kind; NULL behind the last. */
const tsr_link_ops *tsr__link_kind(int i);
/** The kind of that name; NULL if there is none, as of `host`. */
const tsr_link_ops *tsr__link_find(const char *name);

#endif
