/* The MPI transport of a build without MPI, which says how to get one. */
#include <stdio.h>

#include "runtime/transport/transport.h"

tsr_status tsr__transport_mpi(void *comm, int *argc, char ***argv, tsr_transport **out,
                              char *message, size_t size)
{
  (void)comm, (void)argc, (void)argv, (void)out;
  snprintf(message, size,
           "this Tessera was built without MPI\n"
           "help: install an MPI (Debian: apt install libopenmpi-dev) and build again with "
           "-DTESSERA_MPI=ON");
  return TSR_ERR_MPI;
}

const char *tsr__mpi_version(void)
{
  return NULL;
}
