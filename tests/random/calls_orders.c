/* Random orders: the library's numbers, by their definitions. */
#include "calls.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"

/* Philox4x32-10 (J. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", 2011). */
void random_bits(uint64_t index, uint64_t draw, uint64_t key, uint64_t out[2])
{
  uint32_t c[4] = {(uint32_t)index, (uint32_t)(index >> 32), (uint32_t)draw,
                   (uint32_t)(draw >> 32)};
  uint32_t k[2] = {(uint32_t)key, (uint32_t)(key >> 32)};
  for (int round = 0; round < 10; round++) {
    uint64_t p = (uint64_t)c[0] * 0xd2511f53u, q = (uint64_t)c[2] * 0xcd9e8d57u;
    const uint32_t next[4] = {(uint32_t)(q >> 32) ^ c[1] ^ k[0], (uint32_t)q,
                              (uint32_t)(p >> 32) ^ c[3] ^ k[1], (uint32_t)p};
    memcpy(c, next, sizeof c);
    k[0] += 0x9e3779b9u;
    k[1] += 0xbb67ae85u;
  }
  out[0] = c[0] | (uint64_t)c[1] << 32;
  out[1] = c[2] | (uint64_t)c[3] << 32;
}

int64_t random_below(const uint64_t bits[2], uint64_t most)
{
  unsigned __int128 high = (unsigned __int128)bits[0] * most,
                    low = (unsigned __int128)bits[1] * most;
  return (int64_t)((high + (low >> 64)) >> 64);
}

/* splitmix64's last steps. */
static uint64_t mixed(uint64_t x)
{
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* Where a network of twelve rounds over the halves of the index leads, within n. */
static int64_t network(int64_t i, uint64_t key, int64_t n)
{
  int bits = 0;
  while ((int64_t)1 << bits < n) bits++;
  const int low_bits = bits / 2;
  const uint64_t low_mask = ((uint64_t)1 << low_bits) - 1,
                 high_mask = ((uint64_t)1 << (bits - low_bits)) - 1;
  uint64_t x = (uint64_t)i;
  do {
    uint64_t low = x & low_mask, high = x >> low_bits;
    for (uint64_t round = 1; round <= 12; round++) {
      const uint64_t k = key + round * 0x9e3779b97f4a7c15u;
      if (round % 2 == 1)
        high ^= mixed(k ^ low) & high_mask;
      else
        low ^= mixed(k ^ high) & low_mask;
    }
    x = high << low_bits | low;
  } while (x >= (uint64_t)n);
  return (int64_t)x;
}

/* Fisher and Yates' shuffle, or, of many, the network. */
int64_t *drawn_order(const node *n, int64_t length, int64_t count)
{
  uint64_t bits[2];
  const bool many = length > 65536;
  int64_t *order = tsr__malloc((size_t)((many ? count : length) + 1) * sizeof *order);
  if (many) {
    random_bits(0, (uint64_t)n->by, n->seed, bits);
    for (int64_t i = 0; i < count; i++) order[i] = network(i, bits[0], length);
    return order;
  }
  for (int64_t i = 0; i < length; i++) order[i] = i;
  for (int64_t i = length - 1; i > 0; i--) {
    random_bits((uint64_t)i, (uint64_t)n->by, n->seed, bits);
    const int64_t j = random_below(bits, (uint64_t)i + 1), kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }
  return order;
}
