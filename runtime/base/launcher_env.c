/* What launchers tell the processes that they start, read without MPI. These are no settings: the
 * names are those of mpirun and srun, the values differ between ranks, and they are needed before
 * settings can be agreed on. They tell of a program that was started by an MPI that it was not
 * built for: n processes, each of which would take itself for the whole job. */
#include "runtime/base/launcher_env.h"
#include "runtime/base/config.h"

#include <stdlib.h>
#include <string.h>

/* The value of the variable as a number, or -1. */
static long env_number(const char *name)
{
  const char *text = tsr__environment(name);
  if (!text || !*text) return -1;
  char *end;
  long value = strtol(text, &end, 10);
  return *end == '\0' && value >= 0 ? value : -1;
}

/* The number of tasks of the srun step that this process belongs to, or -1. A batch script and the
 * shell of salloc see SLURM_NTASKS and SLURM_PROCID too, but are one process: they have no step id,
 * or one of those that Slurm reserves at the top of 32 bits (batch, extern, interactive step). */
static long srun_tasks(void)
{
  const long first_reserved_step = 0xfffffff0L;
  long step = env_number("SLURM_STEP_ID");
  if (step < 0 || step >= first_reserved_step || env_number("SLURM_PROCID") < 0) return -1;
  long tasks = env_number("SLURM_STEP_NUM_TASKS");
  return tasks >= 0 ? tasks : env_number("SLURM_NTASKS");
}

int tsr__launcher_ranks(const char **launcher)
{
  static const struct {
    const char *variable, *launcher;
  } sizes[] = {
      {"OMPI_COMM_WORLD_SIZE", "mpirun of Open MPI"},
      {"MV2_COMM_WORLD_SIZE", "mpirun of MVAPICH"},
      {"PMI_SIZE", "mpirun of MPICH or Intel MPI"},
  };
  long ranks = srun_tasks();
  const char *name = "srun";
  /* The innermost launcher counts: mpirun inside a step starts its own ranks. */
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    long n = env_number(sizes[i].variable);
    if (n >= 1) {
      ranks = n;
      name = sizes[i].launcher;
      break;
    }
  }
  /* PMIx gives the rank in the environment, but not the size, which is at least the rank plus 1. */
  if (ranks < 1 && env_number("PMIX_RANK") >= 0) {
    ranks = env_number("PMIX_RANK") + 1;
    name = "a PMIx launcher";
  }
  if (ranks < 1) {
    ranks = 1;
    name = "none";
  }
  if (launcher) *launcher = name;
  return (int)ranks;
}

bool tsr__launcher_is_first(void)
{
  static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                      "MV2_COMM_WORLD_RANK", "SLURM_PROCID"};
  for (size_t i = 0; i < sizeof ranks / sizeof ranks[0]; i++) {
    const char *rank = tsr__environment(ranks[i]);
    if (rank) return !strcmp(rank, "0");
  }
  return true;
}

bool tsr__launcher_bound_by_default(void)
{
  return tsr__environment("OMPI_MCA_orte_bound_at_launch") &&
         !tsr__environment("OMPI_MCA_hwloc_base_binding_policy");
}

bool tsr__launcher_in_slurm_job(void)
{
  return env_number("SLURM_JOB_ID") >= 0;
}
