/* Where arrays begin in their pages.
 *
 * A loop stores into one array and loads from another, or from another row. Processors compare
 * offsets in pages first: a load that lies up to some 600 bytes behind an earlier store in its page
 * is taken for one of what was stored, and waits, although the addresses differ. So arrays that
 * such loops use together begin at offsets for which neither they nor their neighbouring rows and
 * planes meet in this way, where that can be had. */
#ifndef TSR_PAGE_OFFSET_H
#define TSR_PAGE_OFFSET_H

#include <stddef.h>

/** The least page of a processor. */
#define TSR_PAGE_BYTES ((size_t)4096)

/** The bytes from a row of an array to the next one, and from a plane to the next; 0: it has none. */
typedef struct tsr_pitch {
  size_t row, plane;
} tsr_pitch;

/** Returns the offset in its page, a multiple of 64, at which the `number`-th of arrays with this
 * pitch begins. Cost: one comparison of
 * offsets for most pitches, at most two for each line of a page. */
size_t tsr__page_offset(unsigned number, tsr_pitch pitch);

#endif
