/* Ctrl-C. On one rank, while a call waits: Python notes the signal, and answers it when the call
 * returns: what runs is not broken off, for the values that it makes or writes would be lost. So the
 * first one says that it waits; where the program is run from a terminal a second one ends it. A
 * program's own handler is called as ever.
 *
 * On several ranks an exception of one of them would end the job. So a rank that gets the signal asks
 * all to be interrupted: they agree on it at their next read, and behind it each answers it as if the
 * signal had come there. A second one, before that, is answered by this rank alone. */
#include "binding.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

/* What the signal was answered by before: Python's function. */
static struct sigaction before;

static void say(const char *text)
{
  const ssize_t n = write(STDERR_FILENO, text, strlen(text));
  (void)n; /* nobody is to be told */
}

static time_t now_s(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

/* Does the signal belong to an interrupt that other ranks asked for, and all answered? A launcher
 * sends it to each rank once, but not at one time, and a rank without a core gets it late. */
static bool is_answered(void)
{
  enum { LATEST_S = 10 };
  const bool is_late = tpy.answered_s != 0 && now_s() - tpy.answered_s <= LATEST_S;
  tpy.answered_s = 0; /* the next signal is another interrupt's */
  return is_late;
}

/* Asks all ranks. Returns false if this rank has asked before, and nobody answered yet. */
static bool ask_all(void)
{
  if (tpy.asks_all || tpy.context == NULL) return false;
  tpy.asks_all = 1;
  tsr_interrupt(tpy.context);
  say("\nTessera: all ranks answer the interrupt at their next read\n");
  return true;
}

void tpy_interrupts_agreed(void)
{
  tpy.answered_s = tpy.asks_all ? 0 : now_s();
  tpy.asks_all = 0;
  PyErr_SetInterrupt();
}

static void interrupted(int number)
{
  if (tpy.n_ranks > 1 && tpy.context != NULL && is_answered()) {
    say("\nTessera: the interrupt has been answered\n");
    return;
  }
  if (tpy.n_ranks > 1 && ask_all()) return;
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
  tpy.context = tsr_context_current();
  tpy.asks_all = 0;
  tpy.answered_s = 0;
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
