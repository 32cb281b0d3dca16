/* Ctrl-C while a call waits. Python notes the signal, and answers it when the call returns: what
 * runs is not broken off, for the values that it makes or writes would be lost. So the first one
 * says that it waits, on rank 0; where the program is run from a terminal a second one ends it. A
 * program's own handler is called as ever. */
#include "binding.h"

#include <signal.h>
#include <unistd.h>

/* What the signal was answered by before: Python's function. */
static struct sigaction before;

static void say(const char *text)
{
  const ssize_t n = write(STDERR_FILENO, text, strlen(text));
  (void)n; /* nobody is to be told */
}

static void interrupted(int number)
{
  const bool ends = tpy.is_waiting && isatty(STDIN_FILENO);
  if (ends && tpy.n_interrupts > 0) {
    signal(number, SIG_DFL);
    raise(number); /* comes when this function has returned */
    return;
  }
  if (tpy.is_waiting && tpy.n_interrupts == 0 && tpy.is_first_rank)
    say(ends ? "\nTessera: Ctrl-C is answered when the operations that run have ended; once more "
               "ends the program\n"
             : "\nTessera: the interrupt is answered when the operations that run have ended\n");
  tpy.n_interrupts++;
  before.sa_handler(number);
}

void tpy_interrupts_begin(void)
{
  tpy.is_first_rank = tsr_rank() == 0;
  if (sigaction(SIGINT, NULL, &before) < 0 || before.sa_flags & SA_SIGINFO ||
      before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN)
    return;
  struct sigaction own = before;
  own.sa_handler = interrupted;
  sigaction(SIGINT, &own, NULL);
}

void tpy_interrupts_end(void)
{
  struct sigaction now;
  if (sigaction(SIGINT, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
      now.sa_handler == interrupted)
    sigaction(SIGINT, &before, NULL);
}
