/* Links of a build without CUDA's header: there are none. */
#include "runtime/device/link.h"

#include <stdio.h>

static bool is_unavailable(char *why, size_t size)
{
  snprintf(why, size,
           "this build has no CUDA: it was configured with TESSERA_CUDA=OFF or without cuda.h");
  return false;
}

const tsr_link_ops tsr__link_ipc = {
    TSR_LINK_IPC_IS,
    .is_available = is_unavailable,
};

const tsr_link_ops tsr__link_nccl = {
    TSR_LINK_NCCL_IS,
    .is_available = is_unavailable,
};
