/* Chains: consecutive groups that are cut into chunks together, and the box of each chunk.
 *
 * Reads: nothing but itself. Written by chunks.c; what tiles a chain over time, by tiling.c. */
#ifndef TSR_PLAN_CHAIN_H
#define TSR_PLAN_CHAIN_H

#include "scheduler/plan/plan.h"

/** A box of the domain that is cut into a regular grid: at the multiples of a step along each axis.
 * Its boxes are numbered row by row, the last axis fastest. */
typedef struct tsr_chain_piece {
  int64_t lo[TSR_MAX_NDIM], end[TSR_MAX_NDIM]; /* [lo, end) along each axis; never empty */
  int64_t step[TSR_MAX_NDIM];                  /* >= 1; unused where n is 1 */
  int32_t n[TSR_MAX_NDIM];                     /* boxes along each axis */
  int32_t first;                               /* number of the chunk that is its first box */
  int32_t block;                               /* that it is a part of; 0 without blocks */
} tsr_chain_piece;

/** The blocks of a group that runs in place, one after the other: steps of a chain of that group
 * alone, which divide its part along one axis. All zero for a group that is not blocked. Written by
 * blocking.c. */
typedef struct tsr_chain_blocks {
  int axis;          /* of the domain */
  int64_t thickness; /* indices of a block along it, alike on all ranks; the last may have fewer */
  int32_t n;         /* of this place's part; 0: it has none */
} tsr_chain_blocks;

/** A step of a tiled chain, a group or a copy that a group needs: its part of the domain in the
 * chain's coordinates, one per axis of the regions that are written. A coordinate is `stride` times
 * the index of one axis of the domain plus `origin`; where a border is written, one of them is
 * `origin` alone.
 * Where a coordinate is periodic, or reads are in pieces, a group is several steps, its images,
 * which share out its part (tiling_images.c). How far a step's boxes begin behind and end before
 * those of the first follows in tiling.c. */
typedef struct tsr_chain_step {
  int32_t group;                /* that it is, or whose copy it is */
  int32_t copy;                 /* number of the plan's copy; -1: it is the group */
  int32_t image;                /* its number among those of the group or copy */
  int32_t ndim;                 /* of the group's domain; of the region, where it is a copy */
  int8_t axis[TSR_MAX_NDIM];    /* [coordinates] the domain's axis; -1: none */
  int64_t origin[TSR_MAX_NDIM]; /* [coordinates] */
  int64_t stride[TSR_MAX_NDIM]; /* [coordinates] >= 1: from index to index */
  int64_t lo[TSR_MAX_NDIM], end[TSR_MAX_NDIM]; /* of its part, in coordinates */
  /* at the upper end of a segment or band; at the lower end of a segment, and where a period
   * begins: at most TSR_MOST_DISTANCE more than those of a step before it */
  int32_t down[TSR_MAX_NDIM], up[TSR_MAX_NDIM];
} tsr_chain_step;

/** How a chain of several groups is tiled over time. Written by tiling.c and tiling_images.c. Along
 * axis 0 the segments are what chunks are made of; along every axis, bands are what a chunk goes
 * through in turn. */
typedef struct tsr_chain_tiles {
  int32_t n_groups;      /* of the chain */
  int ndim;              /* coordinates */
  float share;           /* of the bytes that the groups would move one by one */
  tsr_chain_step *steps; /* [n_steps] in plan order */
  int32_t n_steps;
  int32_t n_segments;
  /* [n_segments + 1] where they begin and end, ascending, in coordinates; the last segment of a
   * periodic axis is empty, and the wedge before it is where the ends meet */
  int64_t *cuts;
  int64_t band[TSR_MAX_NDIM];                  /* its length; 0: the axis is one band */
  int64_t lo[TSR_MAX_NDIM], end[TSR_MAX_NDIM]; /* the hull of the steps' parts; or one period */
} tsr_chain_tiles;

/** What was compared to say whether steps pay to be tiled; zeros: nothing was. */
typedef struct tsr_compared {
  float share, most; /* of time: what they take, the least if they do not pay; and what pays */
  /* of a tiled chain: that its bands hold, and may hold; else: that the steps touch, and that the
   * caches have which they may fit */
  int64_t bytes, cache_bytes;
} tsr_compared;

/** A run of consecutive groups whose parts are cut into chunks together. A chunk is one task. A
 * chain of one group has disjoint pieces that cover its part: few, however many chunks there are.
 * Where a group runs in blocks, the pieces of a block follow those of the one before it. A chain of
 * several is tiled over time and has no pieces: chunk 0 is the first upright, and behind each other
 * upright follows the wedge that lies before it. */
struct tsr_chain {
  int32_t first_group, n_groups;
  int32_t ndim;     /* of the group's domain; of several: coordinates */
  int32_t n_chunks; /* 0: this place has no part */
  int32_t n_pieces;
  tsr_chain_piece *pieces; /* [n_pieces] in the order of their chunks */
  tsr_chain_tiles tiles;   /* of a chain of several groups */
  /* why it has no more groups, and which one is the first that it lacks (tiling.c) */
  uint8_t end; /* tsr_chain_end */
  int32_t end_group;
  /* of one group whose steps do not pay: why there are no more of them, and the first that is none */
  uint8_t steps_end; /* tsr_chain_end; TSR_END_NONE: they were not looked at */
  int32_t steps_end_group;
  tsr_compared compared;
};

/** The box in which a group of the chain runs a chunk; empty where a tiled chain's group has
 * nothing in it. A group of several images has the box of the first. Cost: a division per axis that
 * is cut. */
void tsr__chain_box(const tsr_chain *chain, int32_t group, int32_t chunk, tsr_box *box);

/** The first step that a group of a tiled chain is; -1: this place has no part of it. */
int32_t tsr__chain_step_of(const tsr_chain *chain, int32_t group);

/** Is the chunk a wedge, which waits for the two uprights beside it? */
static inline bool tsr__chain_is_wedge(const tsr_chain *chain, int32_t chunk)
{
  return chain->n_groups > 1 && chunk > 0 && chunk % 2 == 0;
}

/** The box of a block of a part; the part, if it is not in blocks. */
void tsr__chain_block_box(const tsr_chain_blocks *blocks, const tsr_box *part, int32_t block,
                          tsr_box *box);
/** The block of a part that a box within one of them lies in. */
static inline int32_t tsr__chain_block_of(const tsr_chain_blocks *blocks, const tsr_box *part,
                                          const tsr_box *box)
{
  const int k = blocks->axis;
  return blocks->n > 0 ? (int32_t)((box->lo[k] - part->lo[k]) / blocks->thickness) : 0;
}
/** The block that the chunk of a chain of one group belongs to. */
int32_t tsr__chain_block(const tsr_chain *chain, int32_t chunk);

/** In how many bands a chunk runs, one after the other: in each, the chain's groups in turn. */
int32_t tsr__chain_n_bands(const tsr_chain *chain, int32_t chunk);
/** The box in which a group runs in a band of a chunk; it may be empty. */
void tsr__chain_band(const tsr_chain *chain, int32_t group, int32_t chunk, int32_t band,
                     tsr_box *box);

/** What a band of a chunk divides along each axis, in the coordinates of a step that leans by
 * nothing; half open, and without end where it is the first or the last. */
typedef struct tsr_chain_at {
  int32_t chunk;
  int64_t lo[TSR_MAX_NDIM], end[TSR_MAX_NDIM];
} tsr_chain_at;
void tsr__chain_band_at(const tsr_chain *chain, int32_t chunk, int32_t band, tsr_chain_at *at);

/** The box of a step of a tiled chain, in a chunk and in a band; that of a copy is in region
 * space. The functions of this header are the only source of a box. Cost: a few sums per axis. */
void tsr__chain_step_box(const tsr_chain *chain, int32_t step, int32_t chunk, tsr_box *box);
void tsr__chain_step_band(const tsr_chain *chain, int32_t step, const tsr_chain_at *at,
                          tsr_box *box);

/** The most indices that a chunk of the chain has along an axis; 0 without chunks, and of a chain
 * that is tiled. */
int64_t tsr__chain_longest(const tsr_chain *chain, int axis);
/** Add the chain's pieces to a text: where each begins and ends, and its step. */
void tsr__chain_add_pieces(const tsr_chain *chain, tsr_text *t);

#endif
