/* Processes of a test's own; among them a function that ends its process. */
#ifndef TESSERA_TEST_CHILD_H
#define TESSERA_TEST_CHILD_H

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/** As fork. The child ends with the calling thread: a child that hangs would hold the pipes of a
 * test that has run out of time, and so its runner. */
static inline pid_t fork_child(void)
{
  const pid_t child = fork();
  if (child == 0) prctl(PR_SET_PDEATHSIG, SIGKILL);
  return child;
}

/** Runs `before`, unless it is NULL, and fn in a child; its stderr in text (terminated). Returns
 * the exit status, or minus the signal that ended the child; 256 if there is no child. */
static inline int run_in_child(void (*before)(void), void (*fn)(void), char *text, size_t size)
{
  int ends[2], status = 0;
  text[0] = 0;
  if (pipe(ends)) return 256;
  fflush(NULL);
  const pid_t child = fork_child();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    if (before) before();
    fn();
    fflush(stderr);
    _exit(0);
  }
  close(ends[1]);
  size_t n = 0;
  for (ssize_t k; n + 1 < size && (k = read(ends[0], text + n, size - 1 - n)) > 0;) n += (size_t)k;
  text[n] = 0;
  close(ends[0]);
  if (child < 0 || waitpid(child, &status, 0) != child) return 256;
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

#endif
