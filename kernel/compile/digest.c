/* SHA-256 (FIPS 180-4), for names and checks of cached code. The constants are the first 32 bits of
 * the fractional parts of roots of primes, and are computed when needed: cube roots of the first 64
 * primes for the rounds, square roots of the first 8 for the initial state. */
#include "kernel/compile/digest.h"
#include "runtime/base/error.h"

#include <stdbool.h>
#include <string.h>

/* Returns the first 32 bits of the fraction of the root-th root of p, computed in integers: the
 * largest r with r^root <= p * 2^(32 root). */
static uint32_t root_fraction(uint32_t p, int root)
{
  uint64_t low = 0, high = UINT64_C(1) << 40;
  while (high - low > 1) {
    const uint64_t mid = low + (high - low) / 2;
    /* mid < 2^40, so mid^2 < 2^80 and mid^3 < 2^120 */
    unsigned __int128 power = (unsigned __int128)mid * mid;
    if (root == 3) power *= mid;
    if (power <= (unsigned __int128)p << (32 * root))
      low = mid;
    else
      high = mid;
  }
  return (uint32_t)low;
}

static bool is_prime(uint32_t n)
{
  for (uint32_t d = 2; d * d <= n; d++)
    if (n % d == 0) return false;
  return true;
}

void tsr__digest_begin(tsr_digest *d)
{
  *d = (tsr_digest){0};
  uint32_t p = 2;
  for (int i = 0; i < 64; i++, p++) {
    while (!is_prime(p)) p++;
    d->round[i] = root_fraction(p, 3);
    if (i < 8) d->state[i] = root_fraction(p, 2);
  }
}

static uint32_t rotate(uint32_t x, int n)
{
  return x >> n | x << (32 - n);
}

static void add_block(tsr_digest *d, const uint8_t *p)
{
  uint32_t w[64], s[8];
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 |
           p[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    const uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
           (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
  }
  memcpy(s, d->state, sizeof s);
  for (int i = 0; i < 64; i++) {
    const uint32_t e = s[4], a = s[0];
    const uint32_t t1 = s[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                        ((e & s[5]) ^ (~e & s[6])) + d->round[i] + w[i];
    const uint32_t t2 =
        (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++) d->state[i] += s[i];
}

void tsr__digest_add(tsr_digest *d, const void *bytes, size_t n)
{
  const uint8_t *p = bytes;
  size_t filled = d->n_bytes % 64;
  d->n_bytes += n;
  while (n > 0) {
    if (filled == 0 && n >= 64) {
      add_block(d, p);
      p += 64, n -= 64;
      continue;
    }
    const size_t take = n < 64 - filled ? n : 64 - filled;
    memcpy(d->block + filled, p, take);
    p += take, n -= take, filled += take;
    if (filled < 64) return;
    add_block(d, d->block);
    filled = 0;
  }
}

void tsr__digest_end(tsr_digest *d, char hex[TSR_DIGEST_HEX + 1])
{
  const uint64_t bits = 8 * d->n_bytes;
  uint8_t length[8];
  for (int i = 0; i < 8; i++) length[i] = (uint8_t)(bits >> (56 - 8 * i));
  tsr__digest_add(d, (const uint8_t[]){0x80}, 1);
  while (d->n_bytes % 64 != 56) tsr__digest_add(d, (const uint8_t[]){0}, 1);
  tsr__digest_add(d, length, sizeof length);
  TSR_ASSERT(d->n_bytes % 64 == 0); /* all blocks are consumed */
  for (int i = 0; i < TSR_DIGEST_HEX; i++)
    hex[i] = "0123456789abcdef"[d->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
  hex[TSR_DIGEST_HEX] = 0;
}
