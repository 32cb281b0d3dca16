/* Arrays that the ranks let go at different times. Each rank lists the number of an array that one of
 * its threads has let go; what all ranks have listed when they agree is released everywhere. The
 * list's hash is agreed upon, too, so that lists that are equal, or unchanged since they were
 * compared, cost no message. */
#ifndef TSR_RELEASES_H
#define TSR_RELEASES_H

#include "tessera/base.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tsr_transport;

typedef struct tsr_releases {
  pthread_mutex_t lock; /* of `ids` and its counts */
  uint64_t *ids;        /* owned: let go on this rank; the first n_asked in ascending order */
  int32_t n, capacity;
  int32_t n_asked;  /* those that the agreement under way is about */
  bool is_changed;  /* some were added since the last agreement */
  uint64_t *agreed; /* owned: to be released on every rank, from number n_taken on */
  size_t n_agreed, n_taken;
} tsr_releases;

/** Returns an empty list, owned by the caller. */
tsr_releases *tsr__releases_create(void);
void tsr__releases_destroy(tsr_releases *r);
/** Add a number. Any thread may. */
void tsr__releases_add(tsr_releases *r, uint64_t id);
/** Begin an agreement: the hash of the list, and whether it was changed since the last one. */
uint64_t tsr__releases_ask(tsr_releases *r, bool *is_changed);
/** Move what all ranks have listed to `agreed`; `are_equal`: all have the same list. Else
 * collective. */
tsr_status tsr__releases_agree(tsr_releases *r, struct tsr_transport *t, int size, bool are_equal);

#endif
