/* Vectors of eight doubles, and stores that go around the caches. */
#ifndef TESSERA_BENCH_VECTOR_H
#define TESSERA_BENCH_VECTOR_H

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Vectors cross no call: all functions here are inlined. */
#pragma GCC diagnostic ignored "-Wpsabi"

typedef double peer_v8 __attribute__((vector_size(64)));
typedef double peer_v8_anywhere __attribute__((vector_size(64), aligned(8)));

static inline peer_v8 peer_load(const double *p)
{
  return *(const peer_v8_anywhere *)p;
}

/** Whether peer_stream goes around the caches. */
static inline int peer_can_stream(void)
{
#if defined(__x86_64__)
  return 1;
#else
  return 0;
#endif
}

/** p: 64-byte aligned. In the widest stores of the machine that the peers are built for; a normal
 * store where it is no x86. */
static inline void peer_stream(double *p, peer_v8 x)
{
#if defined(__AVX512F__)
  _mm512_stream_pd(p, (__m512d)x);
#elif defined(__AVX__)
  _mm256_stream_pd(p, _mm256_set_pd(x[3], x[2], x[1], x[0]));
  _mm256_stream_pd(p + 4, _mm256_set_pd(x[7], x[6], x[5], x[4]));
#elif defined(__x86_64__)
  for (int k = 0; k < 8; k += 2) _mm_stream_pd(p + k, _mm_set_pd(x[k + 1], x[k]));
#else
  *(peer_v8 *)p = x;
#endif
}

/** Before a barrier that lets other threads read what was streamed. */
static inline void peer_stream_fence(void)
{
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

#endif
