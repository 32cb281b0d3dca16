/* Writing into arrays, reading values back, and lending a rank's own tile. */
#ifndef TESSERA_ASSIGN_H
#define TESSERA_ASSIGN_H

#include "tessera/base.h"
#include "tessera/lifetime.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

TSR_API tsr_status tsr_assign_at(const tsr_location *where, tsr_array target, tsr_operand value);
TSR_API tsr_status tsr_iadd_at(const tsr_location *where, tsr_array target, tsr_operand value);
TSR_API tsr_status tsr_isub_at(const tsr_location *where, tsr_array target, tsr_operand value);
TSR_API tsr_status tsr_imul_at(const tsr_location *where, tsr_array target, tsr_operand value);
TSR_API tsr_status tsr_idiv_at(const tsr_location *where, tsr_array target, tsr_operand value);
TSR_API tsr_status tsr_ifloordiv_at(const tsr_location *where, tsr_array target, tsr_operand value);
TSR_API tsr_status tsr_imod_at(const tsr_location *where, tsr_array target, tsr_operand value);
TSR_API tsr_status tsr_ipow_at(const tsr_location *where, tsr_array target, tsr_operand value);
TSR_API tsr_status tsr_iand_at(const tsr_location *where, tsr_array target, tsr_operand value);
TSR_API tsr_status tsr_ior_at(const tsr_location *where, tsr_array target, tsr_operand value);
TSR_API tsr_status tsr_ixor_at(const tsr_location *where, tsr_array target, tsr_operand value);
TSR_API tsr_status tsr_ilshift_at(const tsr_location *where, tsr_array target, tsr_operand value);
TSR_API tsr_status tsr_irshift_at(const tsr_location *where, tsr_array target, tsr_operand value);
TSR_API double tsr_item_f64_at(const tsr_location *where, tsr_operand x);
TSR_API int64_t tsr_item_i64_at(const tsr_location *where, tsr_operand x);
TSR_API bool tsr_item_bool_at(const tsr_location *where, tsr_operand x);
/** A complex number, for every language alike. */
typedef struct tsr_parts {
  double re, im;
} tsr_parts;
TSR_API tsr_parts tsr_item_c128_at(const tsr_location *where, tsr_operand x);
TSR_API tsr_status tsr_to_host_at(const tsr_location *where, tsr_operand x, void *buffer);

/** A value on its way: between tsr_read_begin and tsr_read_end. */
typedef struct tsr_read {
  tsr_array value; /* hidden; the null handle if there is none */
} tsr_read;
TSR_API tsr_read tsr_read_begin_at(const tsr_location *where, tsr_operand x);
TSR_API double tsr_read_end_at(const tsr_location *where, tsr_read *read);

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
  tsr_array of; /* held while it is lent */
} tsr_local_tile;
TSR_API tsr_status tsr_local_at(const tsr_location *where, tsr_array x, const int64_t *halo,
                                bool writable, tsr_local_tile *tile);

/** End the lending: a writable tile's new values count from here on. Collective. A tile that
 * tsr_local did not fill is ignored. */
TSR_API tsr_status tsr_local_end(tsr_local_tile *tile);

#ifndef __cplusplus
/** target[...] = value, through any view: tsr_assign(tsr_slice(u, "0, :"), 40.0).
 *
 *  Collective. value: an array or C scalar that broadcasts to target's shape; it is read as if
 * wholly before the write, also where both overlap. Casts within NumPy's same_kind rule. Opens a
 * statement scope around both arguments. Returns TSR_ERR_BROADCAST, TSR_ERR_CAST (float into int,
 * number into bool), TSR_ERR_READONLY (target repeats elements), TSR_ERR_ARGUMENT (an integer that
 * the dtype cannot hold), TSR_ERR_HANDLE. The null handle in either place does nothing and is
 *  TSR_ERR_HANDLE without a message of its own. Records; may run the window. Source: numpy, x[...]
 * = y. */
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
 * false on TSR_ERR_SHAPE (not one element), TSR_ERR_HANDLE, any error of what ran with it (a second
 * read then gives the value of an array that did not depend on it), and for the null handle. A
 * complex number is no double or int64_t: TSR_ERR_CAST. Source: numpy.ndarray.item. */
TSR_API double tsr_item_f64(tsr_array x);
TSR_API int64_t tsr_item_i64(tsr_array x);
TSR_API bool tsr_item_bool(tsr_array x);
TSR_API double _Complex tsr_item_c128(tsr_array x);
/** All elements of x to every rank: `buffer` (borrowed, written) takes tsr_size(x) elements of x's
 * dtype, dense row-major. Collective; waits. Errors as above; `buffer` is then undefined. */
TSR_API tsr_status tsr_to_host(tsr_array x, void *buffer);

/** Note the present value of an array of one element, without waiting; tsr_read_end gives it,
 * waiting only if it has not been computed since. Collective, both. Each tsr_read ends once; then
 * it is empty. NaN on errors, as tsr_item_f64. */
TSR_API tsr_read tsr_read_begin(tsr_array x);
TSR_API double tsr_read_end(tsr_read *read);

/** Lend this rank's tile of x, with `halo` cells more on both sides of each axis, brought up to
 * date: tsr_local(x, halo, writable, &tile).
 *
 *  Collective; waits. x: any array or view that repeats no element, one array axis per axis.
 *  halo [in] borrowed, ndim widths, NULL: none; it does not reach beyond the array. writable: the
 * program may write the tile (not its halo). tile [out] empty on failure. Until tsr_local_end the
 * tile stays where it is, and TSR_ERR_ARGUMENT, which names this call, is what every call gets that
 * would write x or a view of the same elements; where writable, also every call that would read
 * them or lend them again. A tile that is lent to be read may be read and lent so many times.
 * Returns TSR_ERR_ARGUMENT (negative halo, lent already), TSR_ERR_READONLY, TSR_ERR_HANDLE, or what
 * the run returned. */
TSR_API tsr_status tsr_local(tsr_array x, const int64_t *halo, bool writable, tsr_local_tile *tile);

#define tsr_assign(target, value)                                                                  \
  TSR__WRITE(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_t_, __COUNTER__), tsr_assign,        \
             #target ", " #value, target, value)
#define tsr_iadd(x, y)                                                                             \
  TSR__WRITE(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_t_, __COUNTER__), tsr_iadd,          \
             #x ", " #y, x, y)
#define tsr_isub(x, y)                                                                             \
  TSR__WRITE(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_t_, __COUNTER__), tsr_isub,          \
             #x ", " #y, x, y)
#define tsr_imul(x, y)                                                                             \
  TSR__WRITE(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_t_, __COUNTER__), tsr_imul,          \
             #x ", " #y, x, y)
#define tsr_idiv(x, y)                                                                             \
  TSR__WRITE(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_t_, __COUNTER__), tsr_idiv,          \
             #x ", " #y, x, y)
#define tsr_ifloordiv(x, y)                                                                        \
  TSR__WRITE(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_t_, __COUNTER__), tsr_ifloordiv,     \
             #x ", " #y, x, y)
#define tsr_imod(x, y)                                                                             \
  TSR__WRITE(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_t_, __COUNTER__), tsr_imod,          \
             #x ", " #y, x, y)
#define tsr_ipow(x, y)                                                                             \
  TSR__WRITE(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_t_, __COUNTER__), tsr_ipow,          \
             #x ", " #y, x, y)
#define tsr_iand(x, y)                                                                             \
  TSR__WRITE(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_t_, __COUNTER__), tsr_iand,          \
             #x ", " #y, x, y)
#define tsr_ior(x, y)                                                                              \
  TSR__WRITE(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_t_, __COUNTER__), tsr_ior,           \
             #x ", " #y, x, y)
#define tsr_ixor(x, y)                                                                             \
  TSR__WRITE(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_t_, __COUNTER__), tsr_ixor,          \
             #x ", " #y, x, y)
#define tsr_ilshift(x, y)                                                                          \
  TSR__WRITE(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_t_, __COUNTER__), tsr_ilshift,       \
             #x ", " #y, x, y)
#define tsr_irshift(x, y)                                                                          \
  TSR__WRITE(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_t_, __COUNTER__), tsr_irshift,       \
             #x ", " #y, x, y)
#define TSR__WRITE(id, to, op, text, target, value)                                                \
  __extension__({                                                                                  \
    TSR__HERE(id, #op, text);                                                                      \
    tsr_statement_begin();                                                                         \
    const tsr_array to = (target);                                                                 \
    tsr_statement_end(op##_at(&id, to, TSR__BOX(value)));                                          \
  })

#define tsr_item_f64(x)                                                                            \
  TSR__ITEM(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_v_, __COUNTER__), tsr_item_f64,       \
            double, #x, x)
#define tsr_item_i64(x)                                                                            \
  TSR__ITEM(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_v_, __COUNTER__), tsr_item_i64,       \
            int64_t, #x, x)
#define tsr_item_bool(x)                                                                           \
  TSR__ITEM(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_v_, __COUNTER__), tsr_item_bool,      \
            bool, #x, x)
#define tsr_item_c128(x) TSR__ITEM_COMPLEX(TSR__PASTE(tsr_v_, __COUNTER__), #x, x)
#define TSR__ITEM_COMPLEX(parts, text, x)                                                          \
  __extension__({                                                                                  \
    const tsr_parts parts =                                                                        \
        TSR__ITEM(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_v_, __COUNTER__),               \
                  tsr_item_c128, tsr_parts, text, x);                                              \
    __builtin_complex(parts.re, parts.im);                                                         \
  })
#define tsr_read_begin(x)                                                                          \
  TSR__ITEM(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_v_, __COUNTER__), tsr_read_begin,     \
            tsr_read, #x, x)
#define TSR__ITEM(id, got, op, type, text, x)                                                      \
  __extension__({                                                                                  \
    TSR__HERE(id, #op, text);                                                                      \
    tsr_statement_begin();                                                                         \
    const type got = op##_at(&id, TSR__BOX(x));                                                    \
    tsr_statement_drop();                                                                          \
    got;                                                                                           \
  })

#define tsr_to_host(x, buffer)                                                                     \
  TSR__TO_HOST(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_v_, __COUNTER__), #x ", " #buffer, \
               x, buffer)
#define TSR__TO_HOST(id, got, text, x, buffer)                                                     \
  __extension__({                                                                                  \
    TSR__HERE(id, "tsr_to_host", text);                                                            \
    tsr_statement_begin();                                                                         \
    const tsr_status got = tsr_to_host_at(&id, TSR__BOX(x), buffer);                               \
    tsr_statement_drop();                                                                          \
    got;                                                                                           \
  })

#define tsr_read_end(read)                                                                         \
  TSR__LIFETIME(TSR__PASTE(tsr_at_, __COUNTER__), tsr_read_end, #read, read)
#define tsr_local(x, halo, writable, tile)                                                         \
  TSR__LOCAL(TSR__PASTE(tsr_at_, __COUNTER__), #x, x, halo, writable, tile)
#define TSR__LOCAL(id, text, x, halo, writable, tile)                                              \
  __extension__({                                                                                  \
    TSR__HERE(id, "tsr_local", text);                                                              \
    tsr_local_at(&id, x, halo, writable, tile);                                                    \
  })
#endif

#ifdef __cplusplus
}
#endif
#endif
