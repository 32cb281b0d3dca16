/* Black and Scholes by hand: one loop that gcc vectorises with the functions of libmvec; the only
 * program here that is built with -ffast-math, which libmvec asks for.
 *
 *   black_scholes_c N STEPS WARMUP float32|float64
 *
 * prints `us=… check=…` (microseconds for all N, mean of calls and puts) */
#include <math.h>
#include <omp.h>

#include "bench/peers/peer.h"

static void price_64(int64_t n, const double *restrict s, const double *restrict k,
                     const double *restrict t, double *restrict call, double *restrict put)
{
  const double r = 0.03, sigma = 0.3, half = 0.5 * sigma * sigma, scale = 0.7071067811865476;
#pragma omp parallel for simd schedule(static) aligned(s, k, t, call, put : 64)
  for (int64_t i = 0; i < n; i++) {
    const double root = sigma * sqrt(t[i]);
    const double d1 = (log(s[i] / k[i]) + (r + half) * t[i]) / root;
    const double n1 = 0.5 + 0.5 * erf(d1 * scale), n2 = 0.5 + 0.5 * erf((d1 - root) * scale);
    const double discounted = k[i] * exp(-r * t[i]);
    call[i] = s[i] * n1 - discounted * n2;
    put[i] = discounted * (1 - n2) - s[i] * (1 - n1);
  }
}

static void price_32(int64_t n, const float *restrict s, const float *restrict k,
                     const float *restrict t, float *restrict call, float *restrict put)
{
  const float r = 0.03F, sigma = 0.3F, half = 0.5F * sigma * sigma, scale = 0.70710678F;
#pragma omp parallel for simd schedule(static) aligned(s, k, t, call, put : 64)
  for (int64_t i = 0; i < n; i++) {
    const float root = sigma * sqrtf(t[i]);
    const float d1 = (logf(s[i] / k[i]) + (r + half) * t[i]) / root;
    const float n1 = 0.5F + 0.5F * erff(d1 * scale), n2 = 0.5F + 0.5F * erff((d1 - root) * scale);
    const float discounted = k[i] * expf(-r * t[i]);
    call[i] = s[i] * n1 - discounted * n2;
    put[i] = discounted * (1 - n2) - s[i] * (1 - n1);
  }
}

enum { S, K, T, CALL, PUT, N_ARRAYS };

static void fill(int64_t n, int single, void *const *x)
{
  float *const *f = (float *const *)x;
  double *const *d = (double *const *)x;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++) {
    const double unit = (double)i / (double)n;
    const double values[N_ARRAYS] = {20 + 60 * unit, 70 - 40 * unit, 0.5 + unit, 0, 0};
    for (int a = 0; a < N_ARRAYS; a++) {
      if (single)
        f[a][i] = (float)values[a];
      else
        d[a][i] = values[a];
    }
  }
}

int main(int argc, char **argv)
{
  const int64_t n = peer_argument(argc, argv, 1, 8000000),
                n_steps = peer_argument(argc, argv, 2, 5);
  const int64_t n_warmup = peer_argument(argc, argv, 3, 2);
  const int single = peer_word(argc, argv, 4, "float32");
  void *x[N_ARRAYS];
  for (int a = 0; a < N_ARRAYS; a++)
    x[a] = peer_pages((size_t)n * (single ? sizeof(float) : sizeof(double)));
  fill(n, single, x);
  double start = 0, sum = 0;
  for (int64_t i = 0; i < n_warmup + n_steps; i++) {
    if (i == n_warmup) start = peer_seconds();
    if (single)
      price_32(n, x[S], x[K], x[T], x[CALL], x[PUT]);
    else
      price_64(n, x[S], x[K], x[T], x[CALL], x[PUT]);
  }
  const double stop = peer_seconds();
  for (int64_t i = 0; i < n; i++)
    sum += single ? (double)((float *)x[CALL])[i] + (double)((float *)x[PUT])[i]
                  : ((double *)x[CALL])[i] + ((double *)x[PUT])[i];
  peer_report(stop - start, n_steps, sum / (double)n);
  for (int a = 0; a < N_ARRAYS; a++) free(x[a]);
  return 0;
}
