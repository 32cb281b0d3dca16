/* What work costs on the host and on a device, and what carrying data between them costs. Placement
 * by cost goes by these numbers. They are measured once for a machine, stored in the user's cache
 * directory, and agreed: every rank takes the slowest of all. */
#ifndef TSR_COSTS_H
#define TSR_COSTS_H

#include "tessera/base.h"

enum { TSR_ON_HOST, TSR_ON_DEVICE, TSR_N_SIDES };

/** Costs, all above 0. A kernel takes the longer of the times for its bytes and for its
 * instructions; on the device a launch comes on top, while the host just calls it. */
typedef struct tsr_costs {
  double bytes_per_ns[TSR_N_SIDES];  /* bytes streamed through memory by all threads of a rank */
  double instrs_per_ns[TSR_N_SIDES]; /* instructions of a kernel times points */
  double launch_ns;                  /* one more kernel in the device's queue */
  double link_ns, link_bytes_per_ns; /* a copy between the two memories, waited for */
} tsr_costs;

struct tsr_machine;
struct tsr_device;

/** Read costs from text, "link_us=10,link_gbs=25,…", and set those that it names; an empty text
 * sets none. Returns false if the text is wrong: *at is the first wrong byte, and *why (static)
 * goes on after "byte 2 ". */
bool tsr__costs_read(const char *text, tsr_costs *costs, size_t *at, const char **why);
/** All costs as text that tsr__costs_read takes. Returns buf. */
const char *tsr__costs_text(const tsr_costs *costs, char *buf, size_t size);
bool tsr__costs_are_complete(const tsr_costs *costs);
/** The costs of this machine's threads and of a device that runs C functions, with n_ranks ranks on
 * the node: cached ones if there are any, else measured ones, which are stored if `keep`.
 * `message` is "", or says why they could not be stored. */
void tsr__costs_of(const struct tsr_machine *machine, struct tsr_device *device, int n_ranks,
                   bool keep, tsr_costs *out, char *message, size_t size);
/** Replace each cost by the slower of both. */
void tsr__costs_meet(tsr_costs *into, const tsr_costs *from);

#endif
