/* Different kernels, each compiled. To be run with an empty TESSERA_CACHE, and with
 * TESSERA_JIT=eager (each waits for the compiler) or TESSERA_JIT_AFTER=0 (the compiler gets those
 * that wait together).
 *
 *   compile N      prints `us=… check=…` (microseconds per kernel until all are in the cache) */
#include <dirent.h>
#include <unistd.h>

#include "bench/bench.h"

/* Kernels in the cache: names of 64 hexadecimal digits before the ending. */
static int64_t n_cached(const char *dir)
{
  DIR *d = opendir(dir);
  int64_t n = 0;
  for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
    n += strspn(e->d_name, "0123456789abcdef") == 64;
  if (d) closedir(d);
  return n;
}

/* The bits of k choose the operations: no two kernels are alike. */
static void chain(tsr_array x, tsr_array out, int64_t k)
{
  TSR_SCOPE();
  tsr_array z = x;
  for (int64_t bits = k; bits > 0; bits /= 2)
    z = bits % 2 ? tsr_add(tsr_multiply(0.5, z), x) : tsr_subtract(x, tsr_multiply(0.25, z));
  tsr_assign(out, z);
}

int main(int argc, char **argv)
{
  const char *cache = getenv("TESSERA_CACHE");
  if (!cache || tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int64_t n = peer_argument(argc, argv, 1, 200);
  tsr_array x = tsr_ones(TSR_SHAPE(1000)), out = tsr_zeros(TSR_SHAPE(1000));
  const double start = bench_clock();
  for (int64_t k = 0; k < n; k++) {
    chain(x, out, k + 256);
    tsr_flush();
  }
  const double sum = tsr_item_f64(tsr_sum(out));
  while (n_cached(cache) < n && peer_seconds() - start < 60) usleep(1000);
  bench_report(peer_seconds() - start, n, sum);
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
