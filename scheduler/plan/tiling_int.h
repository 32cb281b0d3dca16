/* The steps of a chain that is being made: what they do with buffers (tiling_uses.c), how they
 * depend on each other (tiling.c), and which bands are chosen for them (tiling_bands.c). */
#ifndef TSR_PLAN_TILING_INT_H
#define TSR_PLAN_TILING_INT_H

#include "scheduler/plan/buffers.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/reach.h"
#include "scheduler/plan/slots.h"
#include "scheduler/plan/tiling.h"

/** What a group does with a buffer. */
typedef struct tsr_use {
  int32_t buffer, slot;
  bool is_displaced; /* each access leads index i to element i plus a displacement */
  bool is_result;    /* of a reduction, which is there when all chunks have run */
  tsr_reach loads, stores;
} tsr_use;

typedef struct tsr_uses {
  tsr_use *v; /* [n] */
  int32_t n, capacity;
  /* a later step that does the same and leans as far or farther, so that who depends on this step
   * need only look at that one; valid while the chain has it. -1: none */
  int32_t hidden_by;
} tsr_uses;

/** What is added to an element of a buffer to have its coordinates. */
typedef struct tsr_frame {
  int32_t buffer;
  int64_t add[TSR_MAX_NDIM];
} tsr_frame;

/** What is known of the axes of a chain so far. */
typedef struct tsr_chain_axes {
  /* the length after which a coordinate is the same again, as where a border holds the opposite
   * one; 0: never */
  int64_t period[TSR_MAX_NDIM];
  uint32_t whole; /* bit k: steps read far along axis k, so bands do not divide it */
  int64_t up[TSR_MAX_NDIM], down[TSR_MAX_NDIM], distance[TSR_MAX_NDIM]; /* the greatest */
} tsr_chain_axes;

typedef struct tsr_tiling {
  tsr_plan *plan;
  int32_t first, n_groups, n; /* n: steps, of groups and copies */
  int ndim;                   /* coordinates */
  tsr_uses *uses;             /* [n] */
  tsr_chain_step *steps;      /* [n] */
  int32_t cap_uses, cap_steps;
  tsr_frame *frames; /* [n_frames] */
  int32_t n_frames, cap_frames;
  int32_t n_results;            /* of reductions, of steps that were looked at */
  int64_t extent[TSR_MAX_NDIM]; /* of the array that the first step writes */
  tsr_chain_axes axes;
  uint8_t end;           /* tsr_chain_end: why the next group is none of the chain */
  tsr_compared compared; /* of its bands */
  /* strangers are steps that depend on none before them; alone: the first ends the chain */
  bool has_strangers, is_alone;
} tsr_tiling;

/** Bands, and what they take as a share of what the groups take one by one. */
typedef struct tsr_bands {
  int32_t n_steps;
  int64_t length[TSR_MAX_NDIM]; /* 0: the axis is not divided */
  double bytes;                 /* that pass between memory and a cache */
  double share;                 /* of time: with what rows and boxes cost */
  int64_t held_bytes;           /* of a band with its leans */
  int64_t budget_bytes;         /* that it may hold */
} tsr_bands;

/** The next group is none of the chain. */
static inline bool tsr__end_by(tsr_tiling *t, tsr_chain_end why)
{
  t->end = (uint8_t)why;
  return false;
}

static inline int64_t tsr__max64(int64_t a, int64_t b)
{
  return a > b ? a : b;
}

/** The length of a segment, or of a period, that is longer than what its ends lean over and
 * reach. */
static inline int64_t tsr__least_segment(const tsr_chain_axes *a, int axis)
{
  return 2 * (a->up[axis] + a->down[axis] + a->distance[axis]) + 2;
}

/** Finds which axis of the domain moves each axis of the region, and by how much each; -1: none
 * does. False: the view is of another kind. */
bool tsr__find_moving_axes(const tsr_view *v, int8_t *axis, int64_t *stride);
/** The distance that is the same as d modulo the period, and least. What leads more than half of the
 * array away says what the period is, if it is not known. */
int64_t tsr__nearest_distance(tsr_tiling *t, int axis, int64_t d);
/** Finds what the group does with its buffers. False: there are too many, or it writes along other
 * axes than the step's. */
bool tsr__uses_of_group(tsr_tiling *t, const tsr_group *g, const tsr_chain_step *s, tsr_uses *out);
/** Finds what a copy does with its buffers; its indices are those of the region. */
void tsr__uses_of_copy(const tsr_tiling *t, const tsr_plan_copy *c, tsr_uses *out);

/** Make the first n steps of `t` those of the chain: each as the images that it has where an axis
 * that is divided is periodic, or where its reads are in pieces. */
void tsr__make_images(const tsr_tiling *t, int32_t n, tsr_chain_tiles *tiles);

/** The use of an array that the step goes through point by point: one that it writes, if there is;
 * NULL: there is none. */
const tsr_use *tsr__traversed_use(const tsr_uses *u);

/** The middle of what a step does with a buffer: of its stores, if there are some. */
int64_t tsr__middle_of_use(const tsr_use *u, int axis);

/** How many segments axis 0 has, where it is long enough: a few for each thread. */
int32_t tsr__n_segments_wanted(const tsr_tiling *t);

/** Does the group take so little that no chain which begins there pays? Sets what was compared. */
bool tsr__chain_is_small(const tsr_plan *plan, int32_t group, tsr_compared *out);

/** Of a chain that has as many steps as it may: where a small step is next, as of a border, leave it
 * the large one that it goes with. */
void tsr__end_before_large(tsr_tiling *t);

/** Choose how many steps a chain has, and its bands. n_steps 0: it does not pay. */
tsr_bands tsr__choose_bands(tsr_tiling *t);
/** Choose the bands of a chain that has all the steps. */
tsr_bands tsr__bands_of_all(tsr_tiling *t);

#endif
