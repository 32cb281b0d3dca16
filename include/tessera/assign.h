/* Writing into arrays, reading values back, and lending a rank's own tile. */
#ifndef TESSERA_ASSIGN_H
#define TESSERA_ASSIGN_H

#include "tessera/base.h"
#include "tessera/lifetime.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A complex number, for every language alike. */
typedef struct tsr_parts {
  double re, im;
} tsr_parts;

/** A value on its way: between tsr_read_begin and tsr_read_end. */
typedef struct tsr_read {
  tsr_array value; /* hidden; the null handle if there is none */
} tsr_read;

/** This rank's tile of an array, lent by tsr_local. Index k of an axis counts from the start of the
 * whole array. */
typedef struct tsr_local_tile {
  int ndim;
  int64_t lo[TSR_MAX_NDIM];           /* first index of the tile, without halo */
  int64_t n[TSR_MAX_NDIM];            /* its length; 0 if this rank owns none */
  int64_t stride_bytes[TSR_MAX_NDIM]; /* may be negative */
  void *data;                         /* element lo; the halo lies around it; NULL: owns none */
  tsr_dtype dtype;
  bool writable;
  tsr_array of;        /* held while it is lent */
  int64_t device;      /* number of the device whose memory `data` is in; -1: the host's */
  void *stream;        /* of that device: a CUstream, which is a cudaStream_t; else NULL */
  int64_t reserved[2]; /* 0: later versions tell more here, and the size stays */
} tsr_local_tile;

/** End the lending: a writable tile's new values count from here on. Collective. A tile that
 * tsr_local did not fill is ignored. */
TSR_API tsr_status tsr_local_end(tsr_local_tile *tile);

#ifndef __cplusplus
/** target[...] = value, through any view: tsr_assign(tsr_slice(u, "0, :"), 40.0).
 *
 *  Collective. value: an array or C scalar that broadcasts to target's shape; it is read as if
 *  wholly before the write, also where both overlap. Casts within NumPy's same_kind rule. Opens a
 *  statement scope around both arguments. Returns TSR_ERR_BROADCAST, TSR_ERR_CAST (float into int,
 *  number into bool), TSR_ERR_READONLY (target repeats elements), TSR_ERR_ARGUMENT (an integer that
 *  the dtype cannot hold), TSR_ERR_HANDLE. The null handle in either place does nothing and is
 *  TSR_ERR_HANDLE without a message of its own. Records; may run the window. Source: numpy, x[...]
 *  = y, and out=, which C writes as tsr_assign(out, tsr_add(x, y)). */
TSR_API tsr_status tsr_assign(tsr_array target, tsr_array value);
/** x += y, -=, *=, /=, //=, %=, **=, &=, |=, ^=, <<=, >>= with NumPy's promotion and same_kind cast
 * back (so int /= anything is TSR_ERR_CAST). As tsr_assign. */
TSR_API tsr_status tsr_iadd(tsr_array x, tsr_array y);
TSR_API tsr_status tsr_isub(tsr_array x, tsr_array y);
TSR_API tsr_status tsr_imul(tsr_array x, tsr_array y);
TSR_API tsr_status tsr_idiv(tsr_array x, tsr_array y);
TSR_API tsr_status tsr_ifloordiv(tsr_array x, tsr_array y);
TSR_API tsr_status tsr_imod(tsr_array x, tsr_array y);
TSR_API tsr_status tsr_ipow(tsr_array x, tsr_array y);
TSR_API tsr_status tsr_iand(tsr_array x, tsr_array y);
TSR_API tsr_status tsr_ior(tsr_array x, tsr_array y);
TSR_API tsr_status tsr_ixor(tsr_array x, tsr_array y);
TSR_API tsr_status tsr_ilshift(tsr_array x, tsr_array y);
TSR_API tsr_status tsr_irshift(tsr_array x, tsr_array y);

/** The value of an array of one element, as double, int64_t (truncated as C does; uint64 wraps),
 * bool (non-zero) or double _Complex.
 *
 *  Collective; runs what was recorded and waits for it; the ranks agree on errors here. NaN, 0 or
 *  false on TSR_ERR_SHAPE (not one element), TSR_ERR_HANDLE, any error of what ran with it (a
 *  second read then gives the value of an array that did not depend on it), and for the null
 *  handle. A complex number is no double or int64_t: TSR_ERR_CAST. Source: numpy.ndarray.item. */
TSR_API double tsr_item_f64(tsr_array x);
TSR_API int64_t tsr_item_i64(tsr_array x);
TSR_API bool tsr_item_bool(tsr_array x);
TSR_API double _Complex tsr_item_c128(tsr_array x);

/** Note the present value of an array of one element, without waiting; tsr_read_end gives it,
 * waiting only if it has not been computed since. Collective, both. Each tsr_read ends once; then
 * it is empty. NaN on errors, as tsr_item_f64. */
TSR_API tsr_read tsr_read_begin(tsr_array x);
TSR_API double tsr_read_end(tsr_read *read);

/** Lend this rank's tile of x, with `halo` cells more on both sides of each axis, brought up to
 * date: tsr_local(x, halo, writable, &tile).
 *
 *  Collective; waits. x: any array or view that repeats no element, one array axis per axis. halo
 *  [in] borrowed, ndim widths, NULL: none; it does not reach beyond the array. writable: the
 *  program may write the tile (not its halo). tile [out] empty on failure. Until tsr_local_end the
 *  tile stays where it is, and TSR_ERR_ARGUMENT, which names this call, is what every call gets
 *  that would write x or a view of the same elements; where writable, also every call that would
 *  read them or lend them again. A tile that is lent to be read may be read and lent so many times.
 *  Returns TSR_ERR_ARGUMENT (negative halo, lent already), TSR_ERR_READONLY, TSR_ERR_HANDLE, or
 *  what the run returned. */
TSR_API tsr_status tsr_local(tsr_array x, const int64_t *halo, bool writable, tsr_local_tile *tile);
/** The same, but the tile is lent where it lies, in the memory of this rank's only device, to which
 * it is moved for that: tsr_local_device(x, halo, writable, &tile), for kernels and libraries of
 * the program's.
 *
 *  tile.device is then the device's number and tile.data an address of its memory. What the program
 *  puts into tile.stream comes behind all that computes the values, and before what comes after
 *  tsr_local_end, which waits for it. What it does in other streams it orders by events, or waits
 * for, on both sides. The stream is Tessera's: it is not destroyed, and no graph is captured of it.
 *  Where arrays do not live on a device, a rank has several places, or there is no room, the host's
 *  memory is lent as by tsr_local, and tile.device is -1, on this rank alone. Errors as tsr_local. */
TSR_API tsr_status tsr_local_device(tsr_array x, const int64_t *halo, bool writable,
                                    tsr_local_tile *tile);

#endif

#ifdef __cplusplus
}
#endif

#include "tessera/generated/assign.h"

/* C's and C++'s complex numbers differ. */
#ifndef __cplusplus
#define tsr_item_c128(x) TSR__DO(TSR__AS_item_c128, tsr_item_c128, #x, x)
#define TSR__AS_item_c128(id, op, text, x)                                                         \
  __extension__({                                                                                  \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_statement_begin();                                                                         \
    const tsr_parts id##_got = op##_at(&id, TSR__BOX(x));                                          \
    tsr_statement_drop();                                                                          \
    __builtin_complex(id##_got.re, id##_got.im);                                                   \
  })
#else
namespace tessera {
inline std::complex<double> item_c128(operand x, place at = place())
{
  const tsr_parts value = checked(tsr_item_c128_at(at.record("tsr_item_c128"), x.value));
  return {value.re, value.im};
}
} /* namespace tessera */
#define tsr_item_c128(...) (::tessera::statement(false), ::tessera::item_c128(__VA_ARGS__))
#endif

#endif
