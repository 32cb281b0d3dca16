/* Doorbells (doorbell.h): a futex in memory that processes share. */
#include "runtime/transport/doorbell.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Either the ringer sees the sleeper, or the sleeper sees the ring. */
void tsr__doorbell_ring(tsr_doorbell *doorbell)
{
  if (!atomic_load_explicit(&doorbell->listens, memory_order_relaxed)) return;
  atomic_fetch_add(&doorbell->rings, 1);
  if (atomic_load(&doorbell->sleepers) > 0)
    syscall(SYS_futex, &doorbell->rings, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void tsr__doorbell_sleep(tsr_doorbell *doorbell, unsigned heard, int64_t most_ns)
{
  const struct timespec most = {.tv_sec = most_ns / 1000000000, .tv_nsec = most_ns % 1000000000};
  atomic_fetch_add(&doorbell->sleepers, 1);
  if (atomic_load(&doorbell->rings) == heard)
    syscall(SYS_futex, &doorbell->rings, FUTEX_WAIT, heard, &most, NULL, 0);
  atomic_fetch_sub(&doorbell->sleepers, 1);
}
