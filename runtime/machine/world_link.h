/* The link of a world: which places it joins, and the device memory that its messages go
 * through. */
#ifndef TSR_WORLD_LINK_H
#define TSR_WORLD_LINK_H

#include "runtime/device/link.h"

struct tsr_world;

/** A rank's part of the link. What decides a message is the same on every rank. */
typedef struct tsr_link {
  const tsr_link_ops *ops;
  int n_members;       /* that this rank's are joined with, they included */
  int *member;         /* [places of all ranks] owned: its number; -1: it is none. Agreed */
  int *group;          /* [places of all ranks] owned: members are joined with those of one group,
                      * which their numbers are of. Agreed */
  bool has_ends;       /* ends were opened on all ranks that have members. Agreed */
  size_t most_bytes;   /* of a message. Agreed */
  size_t buffer_bytes; /* of each member's buffer. Agreed */
  tsr_link_end *ends[TSR_MAX_PLACES]; /* of this rank's places; NULL: it is no member */
  char *buffers[TSR_MAX_PLACES];      /* owned device memory: what is under way; NULL likewise */
} tsr_link;

/** Parts of a buffer begin at multiples of it. */
enum { TSR_LINK_UNIT_BYTES = 16 };

/** Open the link that the setting names; *out is NULL if there is none: it is `host` or `peer`, or
 * no two ranks have members, or the kind gives way to the host where it is not to be had, which is
 * then said once. Collective. TSR_ERR_CONFIG or TSR_ERR_MEMORY on all ranks, with a text on one, if
 * another kind is not to be had. The world's memories are open. */
tsr_status tsr__world_link_open(struct tsr_world *w, tsr_link **out, char *message, size_t size);
/** Collective; all exchanges are over. NULL is ignored. */
void tsr__world_link_close(struct tsr_world *w, tsr_link *link);
/** Do messages between these places of all ranks have a link? The answer is the same on every
 * rank. */
bool tsr__link_joins(const tsr_link *link, int place, int peer);

#endif
