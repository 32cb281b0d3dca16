/* The device `cuda` of a build without CUDA's header: there are none. */
#include "runtime/device/device.h"

#include <stdio.h>

static int nocuda_count(char *why, size_t size)
{
  snprintf(why, size,
           "this build has no CUDA: it was configured with TESSERA_CUDA=OFF or without cuda.h");
  return 0;
}

static tsr_status nocuda_open(int number, size_t limit_bytes, tsr_device **out, char *message,
                              size_t size)
{
  char why[200];
  (void)number, (void)limit_bytes, (void)out;
  nocuda_count(why, sizeof why);
  snprintf(message, size, "there is no device cuda: %s", why);
  return TSR_ERR_CONFIG;
}

const tsr_device_ops tsr__device_cuda = {
    .name = "cuda",
    .about = "NVIDIA's devices",
    .count = nocuda_count,
    .open = nocuda_open,
};
