/* What arrays take of the memories they live in. */
#ifndef TESSERA_MEMORY_H
#define TESSERA_MEMORY_H

#include "tessera/base.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the arrays of one place of this rank take. A place is a device, or a part of the host's
 * memory (TESSERA_DEVICE, TESSERA_PLACES). */
typedef struct tsr_memory_use {
  int place;                  /* its number on this rank, from 0; -1: there is no such place */
  int n_places;               /* of this rank, the same on every rank */
  char device[16];            /* kind: "cpu" is the host's memory */
  int device_number;          /* of its kind on this node; ranks of a node may share one */
  int64_t limit_bytes;        /* most that is taken of the place's own memory, alike everywhere */
  int64_t in_use_bytes;       /* that is taken of it now, with room for what comes and goes */
  int64_t peak_bytes;         /* most that ever was */
  int64_t cached_bytes;       /* freed, and kept for the next arrays */
  int64_t on_host_bytes;      /* of its arrays that the host computes, beside the device */
  int64_t spilled_host_bytes; /* of its arrays that are in the host's memory for lack of room */
  int64_t spilled_file_bytes; /* … and in files */
  int64_t reserved[4];        /* 0: later versions tell more here, and the size stays */
} tsr_memory_use;

/** How many places this rank has, at least 1. Not collective. 0 without a context. */
TSR_API int tsr_n_places(void);

#ifndef __cplusplus
/** What the arrays of this rank's place number `place` take at this moment.
 *
 *  Not collective: operations that are only recorded take nothing yet (tsr_flush runs them), and
 *  the numbers of bytes, but for the limit, differ between ranks; no decision that the ranks must
 *  share may follow from them. place: 0 to tsr_n_places() - 1. Outside that TSR_ERR_ARGUMENT, as on
 *  every rank, and what returns has place -1 and zeros. Cost: a lock and a look at each array. Does
 *  not wait. Source: cupy.cuda.Device.mem_info, jax.Device.memory_stats. */
TSR_API tsr_memory_use tsr_memory_info(int place);

#endif

#ifdef __cplusplus
}
#endif

#include "tessera/generated/memory.h"

#endif
