/* Links of a build without CUDA's header: there are none. */
#include "runtime/device/link.h"

#include <stdio.h>

static bool is_not_here(char *why, size_t size)
{
  snprintf(why, size,
           "this build has no CUDA: it was configured with TESSERA_CUDA=OFF or without cuda.h");
  return false;
}

const tsr_link_ops tsr__link_ipc = {
    .name = "ipc",
    .about = "memory that the ranks of a node open for each other",
    .device = "cuda",
    .traits = TSR_LINK_OF_NODE | TSR_LINK_GIVES_WAY,
    .is_here = is_not_here,
};

const tsr_link_ops tsr__link_nccl = {
    .name = "nccl",
    .about = "NVIDIA's NCCL",
    .device = "cuda",
    .traits = TSR_LINK_OF_DEVICES,
    .is_here = is_not_here,
};
