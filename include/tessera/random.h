/* Random numbers. A generator is two numbers that the program holds; what is drawn is a function of
 * its seed, of how many draws there were, and of the element's index in row-major order, so it is
 * the same on any number of ranks, threads and tiles, fused or not.
 *
 * All draws: collective; the seed must be the same on every rank (ranks that disagree are told so
 * at the next read). Each advances rng->n_draws by one and returns a new array of the shape, owned
 * by the current scope. Nothing is computed in advance or kept: the numbers are made inside the
 * kernels that use them, as an index is. The dtype may be left out. Null on TSR_ERR_SHAPE,
 * TSR_ERR_SIZE, TSR_ERR_DTYPE, TSR_ERR_ARGUMENT (also for a NULL generator), and rng is as before
 * then. Draws do not wait, but where it says so. Source: numpy.random.Generator, with Philox4x32-10
 * (Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC11): key = seed, counter =
 * (index, draw). The numbers are not NumPy's. */
#ifndef TESSERA_RANDOM_H
#define TESSERA_RANDOM_H

#include "tessera/base.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A generator: a value of the program's, copied as any other. Two copies draw the same. Give every
 * generator a seed of its own, or set n_draws far apart. */
typedef struct tsr_rng {
  uint64_t seed;
  uint64_t n_draws; /* so far; set it to go back or ahead */
} tsr_rng;

/** A generator at its beginning. Not collective; cannot fail. Source: numpy.random.default_rng. */
TSR_API tsr_rng tsr_default_rng(uint64_t seed);

#ifndef __cplusplus
/** Numbers in [low, high): tsr_rng_uniform(&rng, low, high, shape), … shape, dtype).
 *
 *  low, high: C scalars, or arrays that broadcast to `shape` (TSR_ERR_BROADCAST if not). dtype:
 *  float64, of multiples of 2^-53 times the width, or float32, of 2^-24. The result is low + u *
 *  (high - low), which can round to high. Source: Generator.uniform. */
TSR_API tsr_array tsr_rng_uniform(tsr_rng *rng, double low, double high, tsr_dims shape,
                                  tsr_dtype dtype);
/** Normally distributed: tsr_rng_normal(&rng, loc, scale, shape), … shape, dtype).
 *
 *  loc, scale: as low and high above. By Box and Muller's transform ("A Note on the Generation of
 *  Random Normal Deviates", 1958) of two uniform numbers, in float64, one element from each block
 *  of 128 bits; at most 8.57 scales from loc. Source: Generator.normal. */
TSR_API tsr_array tsr_rng_normal(tsr_rng *rng, double loc, double scale, tsr_dims shape,
                                 tsr_dtype dtype);
/** Exponentially distributed with mean `scale`, which is as above: tsr_rng_exponential(&rng, scale,
 * shape), … shape, dtype). At most 36.8 scales. Source: Generator.exponential. */
TSR_API tsr_array tsr_rng_exponential(tsr_rng *rng, double scale, tsr_dims shape, tsr_dtype dtype);
/** Integers in [low, high): tsr_rng_integers(&rng, low, high, shape), … shape, dtype).
 *
 *  low < high, C integers. dtype: an integer one that holds low and high - 1; int64 if left out. A
 *  number's probability differs from 1 / (high - low) by less than 2^-128. Source:
 *  Generator.integers. */
TSR_API tsr_array tsr_rng_integers(tsr_rng *rng, int64_t low, int64_t high, tsr_dims shape,
                                   tsr_dtype dtype);
/** The numbers 0 to n - 1 in any order, of int64, for a C integer n >= 0; or a copy of an array
 * with its parts along axis 0 in any order.
 *
 *  Up to 65,536 parts all orders are equally likely (Fisher and Yates' shuffle); beyond, it is a
 *  keyed network over the index, computed where it is used: each element is equally likely to go
 *  anywhere, but only 2^64 of the orders exist, even ones where the length is a power of 2. An
 *  array: as tsr_rng_shuffle. Source: Generator.permutation. */
TSR_API tsr_array tsr_rng_permutation(tsr_rng *rng, tsr_array x);
/** Puts the parts of x along axis 0 in any order, in place.
 *
 *  x: at least one axis (TSR_ERR_SHAPE). Waits; every rank reads the whole of x once, so it must
 *  fit each rank's memory. TSR_OK or the error. Source: Generator.shuffle. */
TSR_API tsr_status tsr_rng_shuffle(tsr_rng *rng, tsr_array x);
/** Elements drawn from x: tsr_rng_choice(&rng, x, shape), … shape, replace).
 *
 *  x: a C integer n > 0, which stands for 0 … n - 1, or an array of one axis. replace: may one be
 *  drawn twice? true if left out; false with a larger shape than x is TSR_ERR_ARGUMENT. All are
 *  equally likely. Of an array it waits, and x and the result must fit each rank's memory. Source:
 *  Generator.choice, without p. */
TSR_API tsr_array tsr_rng_choice(tsr_rng *rng, tsr_array x, tsr_dims shape, bool replace);

#endif

#ifdef __cplusplus
}
#endif

#include "tessera/generated/random.h"

#endif
