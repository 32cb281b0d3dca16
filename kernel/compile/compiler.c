/* Runs the system's compiler in a process group of its own. The group ends at a time limit or with
 * this process: a shell in the group waits for the end of a pipe that only this process can write.
 * The limit is one of processor time, since a compiler on a busy machine waits long without fault.
 * A compiler that uses no processor time is ended after ten times the limit of elapsed time. The
 * environment is new and contains only the paths of programs and libraries. */
#include "kernel/compile/compiler.h"
#include "kernel/compile/cache.h"
#include "runtime/base/alloc.h"
#include "runtime/base/clock.h"
#include "runtime/base/config.h"

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

/* -Og is enough: the source has explicit vectors in a fixed order, so -O1 and -O3 take longer to
 * make the same loops. Kernels with functions ask for more themselves (words_vector.inc). The other
 * flags keep the bits: products and sums are not contracted, and integers wrap. */
const char tsr__compile_flags[] =
    "-x c -std=gnu11 -w -Og -fPIC -shared -nostdlib -ffp-contract=off -fno-math-errno "
    "-fno-trapping-math -fwrapv -fno-strict-aliasing -fno-asynchronous-unwind-tables "
    "-fno-stack-protector -Wno-psabi";

enum { MAX_ARGS = 64, POLL_NS = 2000000, WALL_PER_LIMIT = 10 };

/* Splits a copy of `text` at its blanks and appends the parts to args. */
static int add_args(char **args, int n, char *text)
{
  char *rest = text;
  for (char *arg; (arg = strtok_r(rest, " ", &rest)) && n < MAX_ARGS - 8;) args[n++] = arg;
  return n;
}

/* $1 of the script is the directory and $2 the limit; the compiler and its arguments follow.
 * Descriptor 0 is the pipe. The processes get TERM first, so that they can clean up, and then
 * KILL. */
static const char supervise[] =
    "exec 3<&0 </dev/null\n"
    "directory=$1 TMPDIR=$1; export TMPDIR\n"
    "ulimit -t \"$2\" 2>/dev/null\n"
    "shift 2\n"
    "\"$@\" 3<&- & compiler=$!\n"
    "{ read -r _ <&3; trap '' TERM; kill -TERM 0; rm -rf -- \"$directory\"; kill -KILL 0; } &\n"
    "watcher=$!\n"
    "wait \"$compiler\"; status=$?\n"
    "kill -KILL \"$watcher\" 2>/dev/null\n"
    "exit \"$status\"\n";

static int spawn(pid_t *pid, char **args, int input, const char *log)
{
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input, 0);
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

static tsr_compile_result result_of(int status, const struct rusage *used, int64_t limit_s)
{
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return TSR_COMPILE_OK;
  const int64_t ms = (used->ru_utime.tv_sec + used->ru_stime.tv_sec) * 1000 +
                     (used->ru_utime.tv_usec + used->ru_stime.tv_usec) / 1000;
  /* The limit counts clock ticks, which may differ from the time that was used. */
  return ms >= limit_s * 250 ? TSR_COMPILE_HUNG : TSR_COMPILE_FAILED;
}

static tsr_compile_result wait_for_process(pid_t pid, int64_t limit_s, const bool *stop)
{
  const uint64_t end = tsr__now_ns() + WALL_PER_LIMIT * (uint64_t)limit_s * 1000000000u;
  for (;;) {
    int status;
    struct rusage used; /* time of the process and of the children it waited for */
    const pid_t done = wait4(pid, &status, WNOHANG, &used);
    if (done == pid) return result_of(status, &used, limit_s);
    /* If the program ignores SIGCHLD, the compiler's exit status is lost; the file that it left is
     * checked anyway. */
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

tsr_compile_result tsr__compile_wait(tsr_compiler run, int64_t limit_s, const bool *stop)
{
  if (run.pid < 0) return TSR_COMPILE_FAILED;
  const tsr_compile_result result = wait_for_process(run.pid, limit_s, stop);
  close(run.lifeline);
  return result;
}

tsr_compiler tsr__compile_start(const char *path, const tsr_target *target, const char *dir,
                                int64_t limit_s)
{
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return (tsr_compiler){-1, -1};
  char in[TSR_PATH_BYTES + 8], out[TSR_PATH_BYTES + 8], log[TSR_PATH_BYTES + 8];
  snprintf(in, sizeof in, "%s/k.c", dir);
  snprintf(out, sizeof out, "%s/k.so", dir);
  snprintf(log, sizeof log, "%s/log", dir);
  char *flags = tsr__strdup(tsr__compile_flags), *target_flags = tsr__strdup(target->flags);
  char limit[24];
  snprintf(limit, sizeof limit, "%lld", (long long)limit_s);
  char *args[MAX_ARGS] = {"/bin/sh",   "-c",  (char *)supervise, "sh",
                          (char *)dir, limit, (char *)path};
  int n = add_args(args, 7, flags);
  n = add_args(args, n, target_flags);
  args[n++] = "-o";
  args[n++] = out;
  args[n++] = in;
  tsr_compiler run = {.lifeline = ends[1]};
  if (spawn(&run.pid, args, ends[0], log)) {
    run.pid = -1;
    close(ends[1]);
  }
  close(ends[0]);
  free(flags);
  free(target_flags);
  return run;
}
