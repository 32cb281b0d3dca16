/* What work costs on the host and on a device, and to carry data between them: what placement by
 * cost goes by. Measured once for a machine, kept in the user's cache directory, agreed by all
 * ranks: the slowest of each. */
#ifndef TSR_COSTS_H
#define TSR_COSTS_H

#include "tessera/base.h"

enum { TSR_ON_HOST, TSR_ON_DEVICE, TSR_N_SIDES };

/** All above 0. A kernel takes the longer of its bytes and its instructions, on the device behind
 * what it takes to launch it; the host just calls it. */
typedef struct tsr_costs {
  double bytes_per_ns[TSR_N_SIDES];  /* streamed through memory, by all threads of a rank */
  double instrs_per_ns[TSR_N_SIDES]; /* a kernel's, times points */
  double launch_ns;                  /* one more kernel in the device's queue */
  double link_ns, link_bytes_per_ns; /* a copy between the two memories, waited for */
} tsr_costs;

struct tsr_machine;
struct tsr_device;

/** As text, "link_us=10,link_gbs=25,…": sets those that it names. False if it is not one: then byte
 * *at is the first wrong one, and *why (static) goes on after "byte 2 ". Empty text sets none. */
bool tsr__costs_read(const char *text, tsr_costs *costs, size_t *at, const char **why);
/** All of them as such text. Returns buf. */
const char *tsr__costs_text(const tsr_costs *costs, char *buf, size_t size);
bool tsr__costs_are_complete(const tsr_costs *costs);
/** Of this machine's threads and a device that runs C functions, beside the node's other ranks,
 * n_ranks in all: kept ones if there are any, else measured (about 50 ms), and kept if `keep`.
 * `message` is "", or why they could not be kept. */
void tsr__costs_of(const struct tsr_machine *machine, struct tsr_device *device, int n_ranks,
                   bool keep, tsr_costs *out, char *message, size_t size);
/** The slower of both, one by one. */
void tsr__costs_meet(tsr_costs *into, const tsr_costs *from);

#endif
