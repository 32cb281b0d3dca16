/* What launchers tell the processes that they start, by environment variables. */
#ifndef TSR_LAUNCHER_ENV_H
#define TSR_LAUNCHER_ENV_H

#include "tessera/base.h"

/** The number of ranks that some launcher (mpirun, srun, PMI) says this process is one of; 1 if
 * there is no launcher. It detects a program that was started by an MPI that it was not built for.
 * Where PMIx gives the rank alone, the number is a lower bound. *launcher (may be NULL): a name for
 * messages, "none" without a launcher. */
int tsr__launcher_ranks(const char **launcher);
/** Is this the first rank, as far as a launcher says? All ranks of a job have the same environment,
 * so only the first one warns of it. */
bool tsr__launcher_is_first(void);
/** Is this process part of a Slurm job (script, salloc or step), where srun can start ranks? */
bool tsr__launcher_in_slurm_job(void);
/** Did Open MPI bind this process by its own default, without anybody having asked for it? That
 * default gives each of two ranks one core, however many the node has. */
bool tsr__launcher_bound_by_default(void);

#endif
