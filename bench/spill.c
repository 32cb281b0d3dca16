/* Arrays that take four times a device's memory: `a = b + 3*c` on the device `check`, whose pieces
 * are brought over and back while others are computed, against the same bytes copied over and back
 * alone, through the same queues.
 *
 *   spill MIB N      arrays of MIB MiB each, N steps: `us=… link_us=…`, medians per step, in turn
 */
#include <stdio.h>
#include <stdlib.h>

#include "array/core/array_int.h"
#include "bench/peers/peer.h"

enum { PIECE_BYTES = 1 << 20, MOST_STEPS = 1000 };

static void step(tsr_array a, tsr_array b, tsr_array c)
{
  TSR_SCOPE();
  tsr_assign(a, tsr_add(b, tsr_multiply(3.0, c)));
  tsr_flush();
}

/* Two arrays in, one out. */
static void copy_all(tsr_device *d, char *near, char *const far[3], size_t bytes)
{
  for (size_t at = 0; at < bytes; at += PIECE_BYTES)
    for (int i = 0; i < 3; i++) {
      const bool in = i < 2;
      char *here = near + (size_t)i * PIECE_BYTES;
      const tsr_points p = in ? tsr__points_of_bytes(here, far[i] + at, PIECE_BYTES)
                              : tsr__points_of_bytes(far[i] + at, here, PIECE_BYTES);
      d->ops->copy(d, in ? TSR_QUEUE_IN : TSR_QUEUE_OUT, in ? TSR_COPY_IN : TSR_COPY_OUT, &p);
    }
  if (tsr__device_sync(d) < 0) exit(1);
}

int main(int argc, char **argv)
{
  const int64_t mib = peer_argument(argc, argv, 1, 64);
  int n_steps = (int)peer_argument(argc, argv, 2, 9);
  if (n_steps > MOST_STEPS) n_steps = MOST_STEPS;
  char limit[40];
  snprintf(limit, sizeof limit, "%lldK", (long long)mib * 3 * 1024 / 4);
  setenv("TESSERA_DEVICE", "check", 1);
  setenv("TESSERA_DEVICE_MEMORY", limit, 1);
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int64_t n = mib << 17;
  tsr_array a = tsr_zeros(TSR_SHAPE(n)), b = tsr_ones(TSR_SHAPE(n)),
            c = tsr_full(TSR_SHAPE(n), 2.0);
  tsr_flush();
  tsr_device *d = tsr_context_current()->world.places[0].device;
  char *near = d->ops->alloc(d, (size_t)3 * PIECE_BYTES), *far[3];
  for (int i = 0; i < 3; i++) {
    far[i] = peer_pages((size_t)mib << 20);
    memset(far[i], i, (size_t)mib << 20);
  }
  static double ours[MOST_STEPS], link[MOST_STEPS];
  for (int i = -2; i < n_steps; i++) {
    const double t0 = peer_seconds();
    step(a, b, c);
    const double t1 = peer_seconds();
    copy_all(d, near, far, (size_t)mib << 20);
    const double t2 = peer_seconds();
    if (i < 0) continue;
    ours[i] = t1 - t0;
    link[i] = t2 - t1;
  }
  const double last = tsr_item_f64(tsr_slice(a, "-1"));
  printf("us=%.1f link_us=%.1f check=%g staged=%llu\n", 1e6 * peer_median(ours, n_steps),
         1e6 * peer_median(link, n_steps), last,
         (unsigned long long)tsr__context_counters()->bytes_streamed);
  d->ops->free(d, near, (size_t)3 * PIECE_BYTES);
  for (int i = 0; i < 3; i++) free(far[i]);
  return last == 7 ? 0 : 1;
}
