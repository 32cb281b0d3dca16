/* Ghosts: which cells in the halo of a tile are valid, for every place at once.
 *
 * Reads: layouts, needs. Writes: the log of events that is passed in. */
#ifndef TSR_GHOSTS_H
#define TSR_GHOSTS_H

#include "partition/partition.h"
#include "program/program.h"

/** What a place must hold of a region to compute its part of an iteration domain: the image of the
 * part under `view`. The part is the place's tile of the cut, with margins around it if the need is
 * wide. */
typedef struct tsr_need {
  const tsr_layout *cut; /* of the domain */
  tsr_view_ref *view;    /* domain -> region, counted by who keeps the need */
  bool is_wide;
  tsr_margins wide; /* of the domain; read if the need is wide */
} tsr_need;

/** One event in the life of a region's ghosts: the need of every place was filled, or a box was
 * written. */
typedef struct tsr_ghost_event {
  bool fill;     /* a fill of `need`; else a write of `box` */
  tsr_need need; /* of a fill */
  tsr_box box;   /* of a write: dense or strided, in region space */
} tsr_ghost_event;

/** The ghosts that are valid, for every place at once: a log of fills and writes. Each rank can
 * replay it for any place, so both ends of a message agree without talking, at a cost that does not
 * grow with the number of ranks. */
typedef struct tsr_ghosts {
  tsr_ghost_event *v; /* [n] owned, oldest first */
  int32_t n, capacity;
} tsr_ghosts;

/** Forget all events: no ghost is valid then. The memory stays for the next events. */
void tsr__ghosts_clear(tsr_ghosts *g);
void tsr__ghosts_free(tsr_ghosts *g);
/** Make `dst` the same log as `src`; dst's own memory is used again. */
void tsr__ghosts_copy(tsr_ghosts *dst, const tsr_ghosts *src);

/** Mark the layouts that the log names, so that the sweep to come keeps them. */
void tsr__ghosts_keep_layouts(const tsr_ghosts *g, tsr_layouts *layouts);
/** Append an event. A full log is dropped first, which makes all ghosts invalid, on every rank at
 * the same op. */
void tsr__ghosts_fill(tsr_ghosts *g, const tsr_need *need);
void tsr__ghosts_write(tsr_ghosts *g, const tsr_box *box);

/** Fill `out` (cleared first) with the boxes outside its own tile that `place` holds valid; they may
 * overlap. A fill takes nothing from others, so that their order, which changes where a need is
 * filled again, decides nothing.
 * Fills that are more than halo_max cells wide count as no ghosts. */
void tsr__ghosts_valid(const tsr_ghosts *g, const tsr_layout *layout, int place, int64_t halo_max,
                       tsr_boxes *out);

/** Is need `a` what `b` is, but for margins that are at most as wide? */
bool tsr__need_is_within(const tsr_need *a, const tsr_need *b);
/** Set `out` to the box of the region that `place` needs; false if it needs nothing. */
bool tsr__need_box(const tsr_need *need, int place, tsr_box *out);

/** Does the box fit into the tile's own buffer with a halo of halo_max cells? If not, it is
 * gathered into a buffer of its own. */
bool tsr__fits_halo(const tsr_box *box, const tsr_box *tile, int64_t halo_max);

#endif
