/* `tessera run`: a program on some ranks, by the MPI that Tessera was built with. */
#ifndef TSR_RUN_H
#define TSR_RUN_H

#include "runtime/base/launcher_env.h"

/** argv: what follows `run`. Replaces the process; returns an exit status where it cannot: 2 for
 * wrong use, 127 for a program that is not there, 126 for
 * what is none, 1 otherwise. */
int tsr__launcher_run(int argc, char **argv);

#endif
