/* SHA-256, for names and checks of cached code. */
#ifndef TSR_DIGEST_H
#define TSR_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define TSR_DIGEST_HEX 64

/** A SHA-256 computation in progress. */
typedef struct tsr_digest {
  uint32_t state[8], round[64];
  uint64_t n_bytes;
  uint8_t block[64];
} tsr_digest;
void tsr__digest_begin(tsr_digest *d);
void tsr__digest_add(tsr_digest *d, const void *bytes, size_t n);
void tsr__digest_end(tsr_digest *d, char hex[TSR_DIGEST_HEX + 1]);

#endif
