/* Random numbers of tests, the same in every run. */
#ifndef TESSERA_TEST_DRAW_H
#define TESSERA_TEST_DRAW_H

#include <stdint.h>

/** 31 bits; the state is any number (Knuth's MMIX generator). */
static inline uint64_t draw_31(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

/** 64 bits of splitmix64 (Steele, Lea, Flood 2014), for states that differ little. */
static inline uint64_t draw_64(uint64_t *state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/** 0 … n-1 */
static inline int64_t draw_below(uint64_t *state, int64_t n)
{
  return (int64_t)(draw_64(state) % (uint64_t)n);
}

#endif
