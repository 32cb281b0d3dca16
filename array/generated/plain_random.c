/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/random.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define SITE(name) static const tsr_location site = {.op = #name}

tsr_array(tsr_rng_uniform)(tsr_rng *rng, double low, double high, tsr_dims shape, tsr_dtype dtype)
{
  SITE(tsr_rng_uniform);
  return tsr_rng_uniform_at(&site, rng, tsr_box_float(low), tsr_box_float(high), shape, dtype);
}

tsr_array(tsr_rng_normal)(tsr_rng *rng, double loc, double scale, tsr_dims shape, tsr_dtype dtype)
{
  SITE(tsr_rng_normal);
  return tsr_rng_normal_at(&site, rng, tsr_box_float(loc), tsr_box_float(scale), shape, dtype);
}

tsr_array(tsr_rng_exponential)(tsr_rng *rng, double scale, tsr_dims shape, tsr_dtype dtype)
{
  SITE(tsr_rng_exponential);
  return tsr_rng_exponential_at(&site, rng, tsr_box_float(scale), shape, dtype);
}

tsr_array(tsr_rng_integers)(tsr_rng *rng, int64_t low, int64_t high, tsr_dims shape,
                            tsr_dtype dtype)
{
  SITE(tsr_rng_integers);
  return tsr_rng_integers_at(&site, rng, tsr_box_int(low), tsr_box_int(high), shape, dtype);
}

tsr_array(tsr_rng_permutation)(tsr_rng *rng, tsr_array x)
{
  SITE(tsr_rng_permutation);
  return tsr_rng_permutation_at(&site, rng, tsr_box_array(x));
}

tsr_status(tsr_rng_shuffle)(tsr_rng *rng, tsr_array x)
{
  SITE(tsr_rng_shuffle);
  return tsr_rng_shuffle_at(&site, rng, x);
}

tsr_array(tsr_rng_choice)(tsr_rng *rng, tsr_array x, tsr_dims shape, bool replace)
{
  SITE(tsr_rng_choice);
  return tsr_rng_choice_at(&site, rng, tsr_box_array(x), shape, replace);
}
