/* What the files share that take elements in. */
#ifndef TSR_MEMORY_IMPORT_H
#define TSR_MEMORY_IMPORT_H

#include "scheduler/memory/storage.h"

/** Number the call and say what array it makes. from: the rank whose data it is, or TSR_EVERY_RANK.
 */
void tsr__import_event(tsr_scheduler *s, const tsr_region *region, const tsr_location *where,
                       int from);

/** A box whose memory may become the tile's: `only` is all that the rank brings. */
typedef struct tsr_lent_tile {
  const tsr_host_box *only;
  tsr_lent_boxes *lent;
} tsr_lent_tile;

/** Give the region a storage of that layout, which is returned. mirrors [world's n_places,
 * written]: memory of the host for the elements of each place's tile. lent: memory that the tile
 * may be, or NULL. A lack of memory is noted; the agreement that follows tells all ranks. */
tsr_storage *tsr__import_begin(tsr_scheduler *s, tsr_region *region, const tsr_layout *layout,
                               const tsr_lent_tile *lent, tsr_instance *mirrors);

/** Move what the mirrors have to where it belongs, unless the import failed: then the region loses
 * its storage, if the agreement has not taken it. Returns status. */
tsr_status tsr__import_end(tsr_scheduler *s, tsr_region *region, tsr_storage *storage,
                           const tsr_instance *mirrors, tsr_status status);

/** A box in the program's memory, as an instance that is only read. */
tsr_instance tsr__instance_of_block(const tsr_box *box, const tsr_host_block *block);

#endif
