/* Mailboxes: messages that wait for one rank of this process, and its receives that wait for
 * messages. The transports `self` and `local` deliver into them. Private to runtime/transport. */
#ifndef TSR_MAILBOX_H
#define TSR_MAILBOX_H

#include "runtime/base/text.h"
#include "runtime/transport/transport.h"

typedef struct tsr_mailbox tsr_mailbox;

/** A mailbox of the rank `owner`. seed 0: a message is received as soon as both sides have asked
 * for it. seed != 0: it is received only after a number of the owner's calls of test that the seed
 * picks, in order for one (sender, tag) and in any order otherwise; and half of the sends
 * complete only when they are received, as large messages do over MPI. */
tsr_mailbox *tsr__mailbox_create(int owner, uint64_t seed);
void tsr__mailbox_destroy(tsr_mailbox *box);

/** Send from rank `from` to the box's owner; the sender calls it. The send completes at once, with
 * the bytes copied, unless the seed makes it wait for its receive. */
void tsr__mailbox_send(tsr_mailbox *box, int from, uint32_t tag, const void *data, size_t bytes,
                       tsr_request *req);

/** The owner's recv and test of tsr_transport_ops. test takes sends and receives. */
void tsr__mailbox_recv(tsr_mailbox *box, int peer, uint32_t tag, void *data, size_t capacity,
                       tsr_request *req);
bool tsr__mailbox_test(tsr_mailbox *box, tsr_request *req);

/** Forget receives that no message has reached, because their memory is about to be freed. */
void tsr__mailbox_abandon(tsr_mailbox *box);
/** Append one line per waiting receive and per waiting message, for the report of a deadlock. */
void tsr__mailbox_describe(tsr_mailbox *box, tsr_text *text);

/** The next number of a seeded sequence (splitmix64). */
uint64_t tsr__random_next(uint64_t *state);

#endif
