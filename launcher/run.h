/* `tessera run`: starts a program on some ranks, by the MPI that Tessera was built with. */
#ifndef TSR_RUN_H
#define TSR_RUN_H

#include "runtime/base/launcher_env.h"

/** argv: what follows `run`. Replaces the process. Where it cannot, it returns an exit status: 2
 * for wrong use, 127 for a program that does not exist, 126 for one that cannot run, 1 otherwise.
 */
int tsr__launcher_run(int argc, char **argv);

#endif
