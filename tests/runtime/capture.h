/* Captures what a function writes to stderr, also a function that ends its process. */
#ifndef TESSERA_TEST_CAPTURE_H
#define TESSERA_TEST_CAPTURE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/** Runs fn in a child; its stderr in text (terminated). Returns the signal that ended the child, or
 * 0. */
static inline int capture_stderr(void (*fn)(void), char *text, size_t size)
{
  int ends[2];
  text[0] = 0;
  if (pipe(ends)) return -1;
  fflush(stdout);
  fflush(stderr);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    fn();
    fflush(stderr);
    _exit(0);
  }
  close(ends[1]);
  size_t n = 0;
  for (ssize_t k; n + 1 < size && (k = read(ends[0], text + n, size - 1 - n)) > 0;) n += (size_t)k;
  text[n] = 0;
  close(ends[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

#endif
