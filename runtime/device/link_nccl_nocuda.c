/* The link `nccl` of a build without CUDA's header: there is none. */
#include "runtime/device/link.h"

#include <stdio.h>

static bool nonccl_is_here(char *why, size_t size)
{
  snprintf(why, size,
           "this build has no CUDA: it was configured with TESSERA_CUDA=OFF or without cuda.h");
  return false;
}

const tsr_link_ops tsr__link_nccl = {
    .name = "nccl",
    .about = "NVIDIA's NCCL",
    .device = "cuda",
    .is_here = nonccl_is_here,
};
