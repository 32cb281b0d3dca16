/* Which cells of the halo of a tile are valid, for every place at once. */
#ifndef TSR_PLAN_GHOSTS_H
#define TSR_PLAN_GHOSTS_H

#include "partition/partition.h"
#include "program/program.h"

/** What a tile must hold of a region to compute its part of an iteration cut: view(part), or,
 * without a view, its own tile widened by `expand` (cut is the region's layout then). */
typedef struct tsr_need {
  const tsr_layout *cut;
  tsr_view_ref *view; /* counted by who keeps the need; NULL: expand */
  bool partial;       /* of the part only what lies in `within`, a box of the domain */
  tsr_box within;
  int64_t expand[TSR_MAX_NDIM];
} tsr_need;

/** One event in the life of a region's ghosts: every rank's need was filled, or a box was written.
 */
typedef struct tsr_ghost_event {
  bool fill;
  tsr_need need; /* fill */
  tsr_box box;   /* write: dense or strided, in region space */
} tsr_ghost_event;

/** The ghosts that are valid, for every rank at once: a log of fills and writes that each rank can
 * replay for any other, so that both ends of a message agree without talking, at a cost that does
 * not grow with the number of ranks. */
typedef struct tsr_ghosts {
  tsr_ghost_event *v;
  int32_t n, capacity;
} tsr_ghosts;

void tsr__ghosts_clear(tsr_ghosts *g);
void tsr__ghosts_free(tsr_ghosts *g);
void tsr__ghosts_copy(tsr_ghosts *dst, const tsr_ghosts *src);

/** The layouts that it names stay through the sweep to come. */
void tsr__ghosts_keep_layouts(const tsr_ghosts *g, tsr_layouts *layouts);
void tsr__ghosts_fill(tsr_ghosts *g, const tsr_need *need);
void tsr__ghosts_write(tsr_ghosts *g, const tsr_box *box);

/** The boxes outside its own tile that `rank` holds valid. out is cleared first. halo_max bounds
 * what a tile's buffer can hold. */
void tsr__ghosts_valid(const tsr_ghosts *g, const tsr_layout *layout, int rank, int64_t halo_max,
                       tsr_boxes *out);

/** The box that `rank` needs; false if nothing. */
bool tsr__need_box(const tsr_need *need, const tsr_layout *layout, int rank, tsr_box *out);

/** Does the box fit into the tile's own buffer with its halo? Else it is gathered into a buffer of
 * its own. */
bool tsr__fits_halo(const tsr_box *box, const tsr_box *tile, int64_t halo_max);

#endif
