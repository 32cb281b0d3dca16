/* Random numbers from C++17 (tessera/cpp.h). */
#ifndef TESSERA_CPP_RANDOM_H
#define TESSERA_CPP_RANDOM_H

#ifdef __cplusplus

#include "tessera/cpp.h"
#include "tessera/random.h"

[[nodiscard]] inline tsr_array tsr_rng_uniform(tsr_rng *rng, ::tessera::operand low,
                                               ::tessera::operand high, tsr_dims shape,
                                               tsr_dtype dtype = TSR_FLOAT64)
{
  return tsr_rng_uniform_at(low.at.record("tsr_rng_uniform"), rng, low.value, high.value, shape,
                            dtype);
}

[[nodiscard]] inline tsr_array tsr_rng_normal(tsr_rng *rng, ::tessera::operand loc,
                                              ::tessera::operand scale, tsr_dims shape,
                                              tsr_dtype dtype = TSR_FLOAT64)
{
  return tsr_rng_normal_at(loc.at.record("tsr_rng_normal"), rng, loc.value, scale.value, shape,
                           dtype);
}

[[nodiscard]] inline tsr_array tsr_rng_exponential(tsr_rng *rng, ::tessera::operand scale,
                                                   tsr_dims shape, tsr_dtype dtype = TSR_FLOAT64)
{
  return tsr_rng_exponential_at(scale.at.record("tsr_rng_exponential"), rng, scale.value, shape,
                                dtype);
}

[[nodiscard]] inline tsr_array tsr_rng_integers(tsr_rng *rng, ::tessera::operand low,
                                                ::tessera::operand high, tsr_dims shape,
                                                tsr_dtype dtype = TSR_INT64)
{
  return tsr_rng_integers_at(low.at.record("tsr_rng_integers"), rng, low.value, high.value, shape,
                             dtype);
}

[[nodiscard]] inline tsr_array tsr_rng_permutation(tsr_rng *rng, ::tessera::operand x)
{
  return tsr_rng_permutation_at(x.at.record("tsr_rng_permutation"), rng, x.value);
}

inline tsr_status tsr_rng_shuffle(tsr_rng *rng, tsr_array x,
                                  ::tessera::place at = ::tessera::place())
{
  return tsr_rng_shuffle_at(at.record("tsr_rng_shuffle"), rng, x);
}

[[nodiscard]] inline tsr_array tsr_rng_choice(tsr_rng *rng, ::tessera::operand x, tsr_dims shape,
                                              bool replace = true)
{
  return tsr_rng_choice_at(x.at.record("tsr_rng_choice"), rng, x.value, shape, replace);
}

#endif
#endif
