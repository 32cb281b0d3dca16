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

/** p: 64-byte aligned. A normal store on a machine without AVX-512. */
static inline void peer_stream(double *p, peer_v8 x)
{
#if defined(__AVX512F__)
  _mm512_stream_pd(p, (__m512d)x);
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
