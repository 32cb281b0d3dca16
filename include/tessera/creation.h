/* New arrays, and what an array is: shape, dtype. */
#ifndef TESSERA_CREATION_H
#define TESSERA_CREATION_H

#include "tessera/base.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

/** May values of `from` be cast to `to` under the rule? Local. false for a dtype that does not
 * exist. Source: numpy.can_cast. */
TSR_API bool tsr_can_cast(tsr_dtype from, tsr_dtype to, tsr_casting casting);
/** The least dtype to which both can be cast safely (int8 and uint8: int16; int64 and float32:
 * float64). Local. Source: numpy.promote_types. */
TSR_API tsr_dtype tsr_promote_types(tsr_dtype a, tsr_dtype b);

#ifndef __cplusplus
/** An array with contents that are not yet of interest: zeros, without the promise of a pass over
 * memory.
 *
 *  Collective. shape: TSR_SHAPE(n, m), 0 to 8 axes, lengths >= 0; or a number, the length of a
 *  vector. The macro's dtype may be left out: TSR_FLOAT64. Returns a lazy array owned by the
 *  current scope; null on TSR_ERR_SHAPE (negative length, too many axes), TSR_ERR_SIZE (the size
 *  overflows), TSR_ERR_MEMORY (all ranks together could not address it), TSR_ERR_DTYPE. Does not
 *  wait. Source: numpy.empty. */
TSR_API tsr_array tsr_empty(tsr_dims shape, tsr_dtype dtype);
/** Zeros: tsr_zeros(shape), tsr_zeros(shape, dtype). As tsr_empty. Source: numpy.zeros. */
TSR_API tsr_array tsr_zeros(tsr_dims shape, tsr_dtype dtype);
/** Ones: tsr_ones(shape), tsr_ones(shape, dtype). As tsr_empty. Source: numpy.ones. */
TSR_API tsr_array tsr_ones(tsr_dims shape, tsr_dtype dtype);
/** `value` everywhere: tsr_full(shape, value), tsr_full(shape, value, dtype). The value is cast as
 * C casts; an integer that an integer dtype cannot hold is TSR_ERR_ARGUMENT. As tsr_empty
 * otherwise. Source: numpy.full (but float64 by default). */
TSR_API tsr_array tsr_full(tsr_dims shape, double value, tsr_dtype dtype);
/** start, start + step, … below stop: tsr_arange(stop), (start, stop), (start, stop, step), (start,
 * stop, step, dtype), C scalars; start 0, step 1.
 *
 *  Length: ceil((stop - start) / step), at least 0; element i is start + i*((start + step) - start)
 *  in the dtype's arithmetic. TSR_ERR_ARGUMENT: a step of 0, NaN or infinity, a first or second
 *  element that the dtype cannot hold (later ones wrap, or are infinite); TSR_ERR_DTYPE: bool. As
 *  tsr_empty otherwise. Source: numpy.arange (but float64 by default). */
TSR_API tsr_array tsr_arange(double start, double stop, double step, tsr_dtype dtype);
/** A new array with x's values. Source: numpy.copy. */
TSR_API tsr_array tsr_copy(tsr_array x);
/** x's values as `dtype`, cast as C and NumPy cast (NaN gives the least int32 and int64, 2^63 as
 * uint64, and 0 as any other integer). Always a new array. Source: numpy.ndarray.astype. */
TSR_API tsr_array tsr_astype(tsr_array x, tsr_dtype dtype);

/** Attributes. Not collective; never wait. 0, a 0-d shape and float64 for the null handle and on
 * TSR_ERR_HANDLE. */
TSR_API int tsr_ndim(tsr_array x);
TSR_API tsr_dims tsr_shape(tsr_array x); /* tsr_shape(x).n[axis] */
TSR_API int64_t tsr_size(tsr_array x);   /* number of elements */
TSR_API tsr_dtype tsr_dtype_of(tsr_array x);
/** What an operation on 1 to 16 operands promotes them to: tsr_result_type(x, 1.5): arrays among
 * themselves, then C scalars by their kind only (NEP 50). Errors as tsr_dtype_of. Source:
 * numpy.result_type. */
TSR_API tsr_dtype tsr_result_type(tsr_array x);
#endif

#ifdef __cplusplus
}
#endif

#include "tessera/generated/creation.h"

#ifndef __cplusplus
#define tsr_arange(...) TSR__DO(TSR__AS_arange, tsr_arange, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_arange(id, op, text, ...)                                                          \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 4 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_operand id##_start = TSR__BOX((TSR__OR1(0, __VA_ARGS__)));                           \
    const tsr_operand id##_stop = TSR__BOX((TSR__OR2(0, __VA_ARGS__)));                            \
    const tsr_operand id##_step = TSR__BOX((TSR__OR3(1, __VA_ARGS__)));                            \
    __auto_type id##_dtype = (TSR__OR4(TSR_FLOAT64, __VA_ARGS__));                                 \
    TSR__CHECK_DTYPE(op, id##_dtype);                                                              \
    tsr_arange_of(&id, TSR__COUNT(__VA_ARGS__), id##_start, id##_stop, id##_step, id##_dtype);     \
  }))
/* tsr_arange of one number, its stop, or of more. */
static inline tsr_array tsr_arange_of(const tsr_location *where, int n, tsr_operand start,
                                      tsr_operand stop, tsr_operand step, tsr_dtype dtype)
{
  return n == 1 ? tsr_arange_at(where, tsr_box_int(0), start, step, dtype)
                : tsr_arange_at(where, start, stop, step, dtype);
}

#else

[[nodiscard]] inline tsr_array tsr_arange(::tessera::operand stop)
{
  return ::tessera::checked(tsr_arange_at(stop.at.record("tsr_arange"), tsr_box_int(0), stop.value,
                                          tsr_box_int(1), TSR_FLOAT64));
}

[[nodiscard]] inline tsr_array tsr_arange(::tessera::operand start, ::tessera::operand stop)
{
  return ::tessera::checked(tsr_arange_at(start.at.record("tsr_arange"), start.value, stop.value,
                                          tsr_box_int(1), TSR_FLOAT64));
}

[[nodiscard]] inline tsr_array tsr_arange(::tessera::operand start, ::tessera::operand stop,
                                          ::tessera::operand step, tsr_dtype dtype = TSR_FLOAT64)
{
  return ::tessera::checked(
      tsr_arange_at(start.at.record("tsr_arange"), start.value, stop.value, step.value, dtype));
}
#endif

#endif
