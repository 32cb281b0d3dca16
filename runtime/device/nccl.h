/* NCCL's interface, as far as it is used: these types, values and entries are those of the public
 * documentation from version 2.7 on, which keeps them. Private. */
#ifndef TSR_NCCL_H
#define TSR_NCCL_H

#include <stddef.h>

typedef struct ncclComm *ncclComm_t;
typedef struct CUstream_st *ncclStream_t; /* cudaStream_t */
typedef struct {
  char internal[128];
} ncclUniqueId;
typedef int ncclResult_t;
typedef int ncclDataType_t;
enum { NCCL_SUCCESS = 0, NCCL_INVALID_ARGUMENT = 4, NCCL_INVALID_USAGE = 5, NCCL_IN_PROGRESS = 7 };
enum { NCCL_CHAR = 0 }; /* bytes */

/** The entries, E(name, parameters) each. */
#define TSR_NCCL_RESULTS(E)                                                                        \
  E(ncclGetUniqueId, (ncclUniqueId *))                                                             \
  E(ncclCommInitRank, (ncclComm_t *, int, ncclUniqueId, int))                                      \
  E(ncclCommDestroy, (ncclComm_t))                                                                 \
  E(ncclCommAbort, (ncclComm_t))                                                                   \
  E(ncclCommGetAsyncError, (ncclComm_t, ncclResult_t *))                                           \
  E(ncclGroupStart, (void))                                                                        \
  E(ncclGroupEnd, (void))                                                                          \
  E(ncclSend, (const void *, size_t, ncclDataType_t, int, ncclComm_t, ncclStream_t))               \
  E(ncclRecv, (void *, size_t, ncclDataType_t, int, ncclComm_t, ncclStream_t))

#endif
