/* One run of the system's compiler, as a process group of its own that is ended at a limit. The
 * limit is one of processor time, which the system counts: on a busy machine a compiler waits long
 * and is not to blame. What does not compute at all ends at ten times that. The environment is made
 * anew: where programs and their libraries lie, and nothing else. */
#include "kernel/jit_int.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* -Og: vectors and their order are explicit, so -O1 makes the same loops in twice the time, and -O3
 * in six times; kernels with functions ask for more (render_functions.c). The bits: no contraction,
 * integers wrap. */
const char tsr__compile_flags[] =
    "-x c -std=gnu11 -w -Og -fPIC -shared -nostdlib -ffp-contract=off -fno-math-errno "
    "-fno-trapping-math -fwrapv -fno-strict-aliasing -fno-asynchronous-unwind-tables "
    "-fno-stack-protector -Wno-psabi";

enum { MAX_ARGS = 64, POLL_NS = 2000000, WALL_PER_LIMIT = 10 };

/* Cuts a copy of `text` at its blanks into args. */
static int add_args(char **args, int n, char *text)
{
  char *rest = text;
  for (char *arg; (arg = strtok_r(rest, " ", &rest)) && n < MAX_ARGS - 8;) args[n++] = arg;
  return n;
}

static int spawn(pid_t *pid, char **args, const char *log)
{
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
#if defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 34)
  posix_spawn_file_actions_addclosefrom_np(&files, 3);
#endif
#endif
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  char *const *environment = tsr__child_environment();
  const int error = posix_spawn(pid, args[0], &files, &attributes, args, environment);
  free((void *)environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

/* Of each process of the compiler; they inherit it. Its first one was started just now and has
 * started none. */
static void limit_time(pid_t pid, int64_t limit_s)
{
  struct rlimit limit;
  if (prlimit(pid, RLIMIT_CPU, NULL, &limit) < 0) return;
  const rlim_t seconds = (rlim_t)limit_s;
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < seconds) return;
  limit.rlim_cur = limit.rlim_max = seconds; /* no signal that dumps core before it */
  prlimit(pid, RLIMIT_CPU, &limit, NULL);
}

static tsr_compile_result result_of(int status, const struct rusage *used, int64_t limit_s)
{
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return TSR_COMPILE_OK;
  const int64_t ms = (used->ru_utime.tv_sec + used->ru_stime.tv_sec) * 1000 +
                     (used->ru_utime.tv_usec + used->ru_stime.tv_usec) / 1000;
  /* The limit counts clock ticks, which may differ from what was used. */
  return ms >= limit_s * 250 ? TSR_COMPILE_HUNG : TSR_COMPILE_FAILED;
}

tsr_compile_result tsr__compile_wait(pid_t pid, int64_t limit_s, const bool *stop)
{
  if (pid < 0) return TSR_COMPILE_FAILED;
  const uint64_t end = tsr__now_ns() + WALL_PER_LIMIT * (uint64_t)limit_s * 1000000000u;
  for (;;) {
    int status;
    struct rusage used; /* by it and those that it waited for */
    const pid_t done = wait4(pid, &status, WNOHANG, &used);
    if (done == pid) return result_of(status, &used, limit_s);
    /* A program that ignores SIGCHLD hides how it ended; what it left is looked at anyway. */
    if (done < 0 && errno == ECHILD) return TSR_COMPILE_OK;
    const bool stopped = __atomic_load_n(stop, __ATOMIC_RELAXED);
    if (stopped || tsr__now_ns() > end) {
      kill(-pid, SIGKILL);
      while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
      return stopped ? TSR_COMPILE_STOPPED : TSR_COMPILE_HUNG;
    }
    nanosleep(&(struct timespec){.tv_nsec = POLL_NS}, NULL);
  }
}

pid_t tsr__compile_start(const char *path, const tsr_target *target, const char *dir,
                         int64_t limit_s)
{
  char in[TSR_PATH_BYTES + 8], out[TSR_PATH_BYTES + 8], log[TSR_PATH_BYTES + 8];
  snprintf(in, sizeof in, "%s/k.c", dir);
  snprintf(out, sizeof out, "%s/k.so", dir);
  snprintf(log, sizeof log, "%s/log", dir);
  char *flags = tsr__strdup(tsr__compile_flags), *target_flags = tsr__strdup(target->flags);
  char *args[MAX_ARGS] = {(char *)path};
  int n = add_args(args, 1, flags);
  n = add_args(args, n, target_flags);
  args[n++] = "-o";
  args[n++] = out;
  args[n++] = in;
  pid_t pid;
  if (spawn(&pid, args, log)) pid = -1;
  if (pid > 0) limit_time(pid, limit_s);
  free(flags);
  free(target_flags);
  return pid;
}
