/* Doorbells (bell.h): a futex in memory that processes share. */
#include "runtime/transport/bell.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Either the ringer sees the sleeper, or the sleeper sees the ring. */
void tsr__bell_ring(tsr_bell *bell)
{
  if (!atomic_load_explicit(&bell->listens, memory_order_relaxed)) return;
  atomic_fetch_add(&bell->rings, 1);
  if (atomic_load(&bell->sleepers) > 0)
    syscall(SYS_futex, &bell->rings, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void tsr__bell_sleep(tsr_bell *bell, unsigned heard, int64_t most_ns)
{
  const struct timespec most = {.tv_sec = most_ns / 1000000000, .tv_nsec = most_ns % 1000000000};
  atomic_fetch_add(&bell->sleepers, 1);
  if (atomic_load(&bell->rings) == heard)
    syscall(SYS_futex, &bell->rings, FUTEX_WAIT, heard, &most, NULL, 0);
  atomic_fetch_sub(&bell->sleepers, 1);
}
