/* Arrays take two or four offsets in turn. All are tried, and those of most clearance are taken: the
 * least distance of a load from one that would wait. */
#include "runtime/machine/page_offset.h"

#define LINE_BYTES ((size_t)64)
/* How far behind a store, in a page, a load does not wait for it any more. */
#define WAIT_BYTES ((size_t)768)

static size_t least(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* The clearance of one load, at most WAIT_BYTES. Loads at the store's own offset come before it. */
static size_t clearance(size_t store, size_t load)
{
  const size_t behind = (store - load) % TSR_PAGE_BYTES;
  return behind == 0 ? WAIT_BYTES : least(behind, WAIT_BYTES);
}

/* The clearance of loops over two arrays whose starts are so far apart: they store into one of them,
 * and load the points around it from the other. */
static size_t clearance_of_pair(size_t apart, tsr_pitch pitch)
{
  const size_t loads[] = {0, pitch.row, -pitch.row, pitch.plane, -pitch.plane};
  size_t found = WAIT_BYTES;
  for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
    found = least(found, least(clearance(apart, loads[i]), clearance(-apart, loads[i])));
  return found;
}

/* The clearance of any two of n offsets, each `apart` behind the one before it. With two offsets
 * every other array begins at the first one again. */
static size_t clearance_of(size_t n, size_t apart, tsr_pitch pitch)
{
  size_t found = n == 2 ? clearance_of_pair(0, pitch) : WAIT_BYTES;
  for (size_t k = 1; k < n; k++) found = least(found, clearance_of_pair(k * apart, pitch));
  return found;
}

size_t tsr__page_offset(unsigned number, tsr_pitch pitch)
{
  size_t best_n = 4, best_apart = TSR_PAGE_BYTES / 4;
  size_t most = clearance_of(best_n, best_apart, pitch);
  for (size_t n = 4; n >= 2 && most < WAIT_BYTES; n -= 2)
    for (size_t k = 0; k < TSR_PAGE_BYTES / LINE_BYTES && most < WAIT_BYTES; k++) {
      const size_t apart = (TSR_PAGE_BYTES / n + k * LINE_BYTES) % TSR_PAGE_BYTES;
      const size_t found = apart > 0 ? clearance_of(n, apart, pitch) : 0;
      if (found <= most) continue;
      best_n = n;
      best_apart = apart;
      most = found;
    }
  return number % best_n * best_apart % TSR_PAGE_BYTES;
}
