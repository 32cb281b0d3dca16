/* What launchers tell the processes that they start. */
#ifndef TSR_LAUNCHER_ENV_H
#define TSR_LAUNCHER_ENV_H

#include "tessera/base.h"

/** Number of ranks that some launcher (mpirun, srun, PMI) says this process is one of, 1 if none:
 * to detect a program that was started by an MPI it was not built for. *launcher (may be NULL):
 * name for messages, "none". Reads the environment. Where PMIx gives the rank alone, a lower bound.
 */
int tsr__launcher_ranks(const char **launcher);
/** Is this the first rank, as far as a launcher says? All ranks of a job have the same environment:
 * only the first says what is wrong with it. */
bool tsr__launcher_is_first(void);
/** Is this process part of a Slurm job (batch script, salloc or step), where srun can start ranks?
 */
bool tsr__launcher_in_slurm_job(void);
/** Did Open MPI bind this process by its own default, nobody having asked for it? That default
 * gives each of two ranks one core, however many the node has. Reads the environment. */
bool tsr__launcher_bound_by_default(void);

#endif
