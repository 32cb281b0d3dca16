/* Memory, as the system counts it for this process.
 *
 *   memory stencil N STEPS      peak of the stencil: `peak_bytes=… grid_bytes=…` (above what the
 * process had after init) memory loop N STEPS         growth of a small loop between its first
 * tenth and its end: `growth_bytes=… us=…` */
#include <string.h>
#include <unistd.h>

#include "bench/peers/peer.h"
#include "tessera.h"

/* A number of bytes in /proc/self/status, "VmHWM:" (the peak) or "VmRSS:" (now). */
static int64_t status_bytes(const char *key)
{
  FILE *f = fopen("/proc/self/status", "r");
  if (!f) return -1;
  char line[256];
  long long kilobytes = -1;
  while (fgets(line, sizeof line, f))
    if (strncmp(line, key, strlen(key)) == 0) sscanf(line + strlen(key), "%lld", &kilobytes);
  fclose(f);
  return kilobytes < 0 ? -1 : kilobytes * 1024;
}

static void step(tsr_array grid)
{
  TSR_SCOPE();
  tsr_array center = tsr_slice(grid, "1:-1, 1:-1");
  tsr_array sum = tsr_add(center, tsr_slice(grid, ":-2, 1:-1"), tsr_slice(grid, "1:-1, 2:"),
                          tsr_slice(grid, "1:-1, :-2"), tsr_slice(grid, "2:, 1:-1"));
  tsr_assign(center, tsr_multiply(0.2, sum));
}

int main(int argc, char **argv)
{
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const bool loop = argc > 1 && strcmp(argv[1], "loop") == 0;
  const int64_t n = peer_argument(argc, argv, 2, 100), n_steps = peer_argument(argc, argv, 3, 100);
  const int64_t before = status_bytes("VmHWM:");
  tsr_array grid = tsr_zeros(TSR_SHAPE(n + 2, n + 2));
  tsr_assign(tsr_slice(grid, "0, :"), 40.0);
  int64_t early = 0;
  const double start = peer_seconds();
  for (int64_t i = 0; i < n_steps; i++) {
    if (i == n_steps / 10) early = status_bytes("VmRSS:");
    step(grid);
  }
  tsr_barrier();
  const double us = 1e6 * (peer_seconds() - start) / (double)n_steps;
  if (loop)
    tsr_printf("growth_bytes=%lld us=%.4f\n", (long long)(status_bytes("VmRSS:") - early), us);
  else
    tsr_printf("peak_bytes=%lld grid_bytes=%lld\n", (long long)(status_bytes("VmHWM:") - before),
               (long long)((n + 2) * (n + 2) * (int64_t)sizeof(double)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
