/* The stand-in for NVTX: it counts, and keeps the names. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static struct {
  pthread_mutex_t lock;
  long n_pushes, n_pops, n_below; /* n_below: pops of a thread that has no range */
  size_t n;
  char names[1 << 16]; /* a line each, as many as there is room for */
} g = {.lock = PTHREAD_MUTEX_INITIALIZER};

static __thread int depth;

EXPORT int nvtxRangePushA(const char *name);
EXPORT int nvtxRangePop(void);
EXPORT const char *fake_nvtx_told(long counts[3]);

int nvtxRangePushA(const char *name)
{
  pthread_mutex_lock(&g.lock);
  g.n_pushes++;
  const size_t n = strlen(name);
  if (g.n + n + 2 < sizeof g.names) {
    memcpy(g.names + g.n, name, n);
    g.n += n;
    g.names[g.n++] = '\n';
  }
  pthread_mutex_unlock(&g.lock);
  return depth++;
}

int nvtxRangePop(void)
{
  pthread_mutex_lock(&g.lock);
  g.n_pops++;
  g.n_below += depth == 0;
  pthread_mutex_unlock(&g.lock);
  return depth > 0 ? --depth : -2;
}

/* Returns the names, and sets the numbers of pushes, of pops, and of pops without a push. */
const char *fake_nvtx_told(long counts[3])
{
  pthread_mutex_lock(&g.lock);
  counts[0] = g.n_pushes;
  counts[1] = g.n_pops;
  counts[2] = g.n_below;
  pthread_mutex_unlock(&g.lock);
  return g.names;
}
