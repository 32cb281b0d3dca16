/* Operands and call sites: how an argument of a macro becomes a tsr_operand, exactly once.
 * Invariant: every macro argument appears once in an expansion (and once more as text), so that the
 * expansion of nested calls grows linearly; names declared inside are unique by __COUNTER__. */
#ifndef TESSERA_OPERAND_H
#define TESSERA_OPERAND_H

#include "tessera/base.h"

#ifdef __cplusplus
#include <initializer_list>

extern "C" {
#endif

/** What an operand is. Scalars are weak: they take part in promotion by their kind only (NEP 50).
 */
typedef enum tsr_operand_kind {
  TSR_OPERAND_ARRAY = 0,
  TSR_OPERAND_BOOL = 1,
  TSR_OPERAND_INT = 2,
  TSR_OPERAND_UINT = 3, /* an unsigned value above INT64_MAX only; smaller ones are INT */
  TSR_OPERAND_FLOAT = 4,
  TSR_OPERAND_COMPLEX = 5,
  TSR_OPERAND_NONE = 6 /* no value: TSR_NONE */
} tsr_operand_kind;

/** An argument of an operation: an array or a C scalar. Borrowed; passed by value. */
typedef struct tsr_operand {
  uint32_t kind; /* tsr_operand_kind */
  union {
    tsr_array array;
    bool b;
    int64_t i;
    uint64_t u;
    double f;
    double c[2]; /* real, imaginary */
  } as;
} tsr_operand;

/** The most operands that one operation takes. */
#define TSR_MAX_OPERANDS 16

/** A shape, by value: `ndim` lengths. More than TSR_MAX_NDIM axes are an error of the call that
 * takes the shape. */
typedef struct tsr_dims {
  int ndim;
  int64_t n[TSR_MAX_NDIM];
#ifdef __cplusplus
  tsr_dims() = default;
  tsr_dims(std::initializer_list<int64_t> lengths) : ndim(0), n{} /* tsr_zeros({2, 3}) */
  {
    for (int64_t length : lengths) {
      if (ndim < TSR_MAX_NDIM) n[ndim] = length;
      ndim++;
    }
  }
#endif
} tsr_dims;

/** Axes, and the other options of reductions: TSR_AXES(…), TSR_KEEPDIMS, TSR_WHERE(mask),
 * TSR_INITIAL(value), TSR_DTYPE(dtype), TSR_DDOF(n), TSR_ORD(p), TSR_METHOD(name), TSR_WEIGHTS(w).
 * Axes count from the end where negative; n < 0: none are given, which means all. */
typedef struct tsr_axes {
  int n;
  int axis[TSR_MAX_NDIM];
  bool keepdims;
  bool has_ddof, has_ord, has_where, has_initial; /* whether what is below is given */
  bool has_dtype;
  unsigned char dtype; /* tsr_dtype */
  bool has_weights;    /* `where` holds weights, not a mask */
  double ord, ddof;
  tsr_operand where, initial;
  const char *method; /* NULL: none is given; borrowed for the call */
} tsr_axes;

/** In place of an axis: TSR_AXES(…) that does not name one axis. The call says so. */
#define TSR_NOT_ONE_AXIS (-2147483647)

/** Several arrays: TSR_ARRAYS(a, b, c). `v` is borrowed for the call. */
typedef struct tsr_arrays {
  int n;
  const tsr_array *v;
} tsr_arrays;

/* What the boxing macro calls. */
static inline tsr_operand tsr_box_array(tsr_array x)
{
  tsr_operand o;
  o.kind = TSR_OPERAND_ARRAY;
  o.as.array = x;
  return o;
}

static inline tsr_operand tsr_box_bool(bool x)
{
  tsr_operand o;
  o.kind = TSR_OPERAND_BOOL;
  o.as.u = x;
  return o;
}

static inline tsr_operand tsr_box_int(long long x)
{
  tsr_operand o;
  o.kind = TSR_OPERAND_INT;
  o.as.i = x;
  return o;
}

static inline tsr_operand tsr_box_uint(unsigned long long x)
{
  tsr_operand o;
  o.kind = x > (unsigned long long)INT64_MAX ? TSR_OPERAND_UINT : TSR_OPERAND_INT;
  o.as.u = x;
  return o;
}

static inline tsr_operand tsr_box_float(double x)
{
  tsr_operand o;
  o.kind = TSR_OPERAND_FLOAT;
  o.as.f = x;
  return o;
}

static inline tsr_operand tsr_box_complex(double re, double im)
{
  tsr_operand o;
  o.kind = TSR_OPERAND_COMPLEX;
  o.as.c[0] = re;
  o.as.c[1] = im;
  return o;
}

static inline tsr_operand tsr_box_none(void)
{
  tsr_operand o;
  o.kind = TSR_OPERAND_NONE;
  o.as.u = 0;
  return o;
}
/** In place of an operand that may be left out: a bound of tsr_clip, prepend of tsr_diff. Python's
 * None. Anywhere else TSR_ERR_ARGUMENT. */
#define TSR_NONE (tsr_box_none())

#ifndef __cplusplus
static inline tsr_operand tsr_box_c128(double _Complex x)
{
  return tsr_box_complex(__real__ x, __imag__ x);
}
#endif

static inline tsr_operand tsr_box_operand(tsr_operand x)
{
  return x;
}

/** The record of a call site that has no static one (C++, bindings); `file`, `function` and `op`
 * are static strings. One per site, for as long as the current context lives. */
TSR_API const tsr_location *tsr_site(const char *file, int line, const char *function,
                                     const char *op);

/* Hands a new array through; a statement expression alone would swallow the warning about a result
 * that nobody takes. */
__attribute__((warn_unused_result)) static inline tsr_array tsr_made(tsr_array x)
{
  return x;
}

#ifdef __cplusplus
}
#endif

/* Counting and naming. */

#define TSR__PASTE(a, b) TSR__PASTE_(a, b)
#define TSR__PASTE_(a, b) a##b

/* Number of arguments, 0 to 40. */
#define TSR__COUNT(...)                                                                            \
  TSR__COUNT_(__VA_ARGS__ __VA_OPT__(, ) 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27,   \
              26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5,   \
              4, 3, 2, 1, 0)
#define TSR__COUNT_(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17,    \
                    a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32,     \
                    a33, a34, a35, a36, a37, a38, a39, a40, n, ...)                                \
  n
/* The same up to 16; MANY from 17 to 40. */
#define TSR__CAPPED(...)                                                                           \
  TSR__COUNT_(__VA_ARGS__ __VA_OPT__(, ) MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY,     \
              MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY,  \
              MANY, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)

#ifndef __cplusplus

/* Each of up to eight arguments as an integer: `|` takes no others, and costs nothing. */
#define TSR__WHOLE(...) TSR__PASTE(TSR__WHOLE_, TSR__COUNT(__VA_ARGS__))(__VA_ARGS__)
#define TSR__WHOLE_0()
#define TSR__WHOLE_1(a) (a) | 0
#define TSR__WHOLE_2(a, b) TSR__WHOLE_1(a), (b) | 0
#define TSR__WHOLE_3(a, b, c) TSR__WHOLE_2(a, b), (c) | 0
#define TSR__WHOLE_4(a, b, c, d) TSR__WHOLE_3(a, b, c), (d) | 0
#define TSR__WHOLE_5(a, b, c, d, e) TSR__WHOLE_4(a, b, c, d), (e) | 0
#define TSR__WHOLE_6(a, b, c, d, e, f) TSR__WHOLE_5(a, b, c, d, e), (f) | 0
#define TSR__WHOLE_7(a, b, c, d, e, f, g) TSR__WHOLE_6(a, b, c, d, e, f), (g) | 0
#define TSR__WHOLE_8(a, b, c, d, e, f, g, h) TSR__WHOLE_7(a, b, c, d, e, f, g), (h) | 0

/* n, which the compiler refuses beyond TSR_MAX_NDIM. */
#define TSR__NDIM(n)                                                                               \
  ((n) + 0 * (int)sizeof(struct {                                                                  \
           _Static_assert((n) <= TSR_MAX_NDIM, "at most 8 axes");                                  \
           int axes;                                                                               \
         }))
/** A shape: TSR_SHAPE(n, m), TSR_SHAPE() for a 0-d array. At most 8 integers. */
#define TSR_SHAPE(...)                                                                             \
  ((tsr_dims){.ndim = TSR__NDIM(TSR__COUNT(__VA_ARGS__)), .n = {TSR__WHOLE(__VA_ARGS__)}})
/** Axes: TSR_AXES(0, -1). At most 8 integers. Wherever a call takes axes or one axis, a number and
 * TSR_AXES of that number are the same; so are, of shapes, a number and TSR_SHAPE of it. */
#define TSR_AXES(...)                                                                              \
  ((tsr_axes){.n = TSR__NDIM(TSR__COUNT(__VA_ARGS__)), .axis = {TSR__WHOLE(__VA_ARGS__)}})
/** Arrays, of functions that take several in one argument: TSR_ARRAYS(a, b, c). */
#define TSR_ARRAYS(...)                                                                            \
  ((tsr_arrays){.n = TSR__COUNT(__VA_ARGS__), .v = (const tsr_array[]){__VA_ARGS__}})
/** The same of `count` arrays that lie in memory: tsr_array parts[8]; TSR_ARRAYS_OF(8, parts). */
#define TSR_ARRAYS_OF(count, handles) ((tsr_arrays){.n = (count), .v = (handles)})
/** Keep the reduced axes with length 1. */
#define TSR_KEEPDIMS ((tsr_axes){.n = -1, .keepdims = true})
/** Reduce only the elements where the mask is true, which broadcasts to the array's shape; numbers
 * that are not 0 are true. Of the least and the greatest element TSR_INITIAL must be given, too,
 * since there may be none. */
#define TSR_WHERE(mask) ((tsr_axes){.n = -1, .has_where = true, .where = TSR__BOX(mask)})
/** A value, array or scalar, with which the result is combined as with one more element; the result
 * of no elements. It is cast to the result's dtype. */
#define TSR_INITIAL(value) ((tsr_axes){.n = -1, .has_initial = true, .initial = TSR__BOX(value)})
/** Cast to this dtype, compute in it, and give the result in it: TSR_DTYPE(TSR_FLOAT32). Of means,
 * variances and deviations it is a float or complex, else TSR_ERR_DTYPE. */
#define TSR_DTYPE(of) ((tsr_axes){.n = -1, .has_dtype = true, .dtype = (unsigned char)(of)})
/** No option: all axes. What the macros take where no axes are given. */
#define TSR_ALL_AXES ((tsr_axes){.n = -1})

/* The record of this call site, as a static named `site`. `text`: source of the arguments. */
#define TSR__SITE(site, op, text)                                                                  \
  static const tsr_location site = {__FILE__, __func__, __LINE__, op, text}

/* One argument as a tsr_operand, evaluated once. */
#define TSR__BOX(x) TSR__BOX_AS(TSR__PASTE(tsr_v_, __COUNTER__), x)
#define TSR__BOX_AS(v, x) TSR__BOX_AS_(v, x)
#define TSR__BOX_AS_(v, x)                                                                         \
  __extension__({                                                                                  \
    __auto_type v = (x);                                                                           \
    _Generic(v, tsr_array                                                                          \
             : tsr_box_array, tsr_operand                                                          \
             : tsr_box_operand, double                                                             \
             : tsr_box_float, float                                                                \
             : tsr_box_float, float _Complex                                                       \
             : tsr_box_c128, double _Complex                                                       \
             : tsr_box_c128, bool                                                                  \
             : tsr_box_bool, char                                                                  \
             : tsr_box_int, signed char                                                            \
             : tsr_box_int, short                                                                  \
             : tsr_box_int, int                                                                    \
             : tsr_box_int, long                                                                   \
             : tsr_box_int, long long                                                              \
             : tsr_box_int, unsigned char                                                          \
             : tsr_box_uint, unsigned short                                                        \
             : tsr_box_uint, unsigned                                                              \
             : tsr_box_uint, unsigned long                                                         \
             : tsr_box_uint, unsigned long long                                                    \
             : tsr_box_uint)(v);                                                                   \
  })

/* One axis or TSR_AXES(…); one length or TSR_SHAPE(…): evaluated once. A number is an integer. */
static inline tsr_axes tsr_axes_of_one(int axis)
{
  return (tsr_axes){.n = 1, .axis = {axis}};
}
static inline tsr_axes tsr_axes_of_axes(tsr_axes axes)
{
  return axes;
}
static inline int tsr_axis_of_one(int axis)
{
  return axis;
}
static inline int tsr_axis_of_axes(tsr_axes axes)
{
  return axes.n == 1 ? axes.axis[0] : TSR_NOT_ONE_AXIS;
}
static inline tsr_dims tsr_dims_of_one(int64_t length)
{
  return (tsr_dims){.ndim = 1, .n = {length}};
}
static inline tsr_dims tsr_dims_of_dims(tsr_dims dims)
{
  return dims;
}
#define TSR__AXES_OF(x)                                                                            \
  TSR__ONE_OR_SOME(TSR__PASTE(tsr_v_, __COUNTER__), tsr_axes, tsr_axes_of_axes, tsr_axes_of_one, x)
#define TSR__AXIS_OF(x)                                                                            \
  TSR__ONE_OR_SOME(TSR__PASTE(tsr_v_, __COUNTER__), tsr_axes, tsr_axis_of_axes, tsr_axis_of_one, x)
#define TSR__DIMS_OF(x)                                                                            \
  TSR__ONE_OR_SOME(TSR__PASTE(tsr_v_, __COUNTER__), tsr_dims, tsr_dims_of_dims, tsr_dims_of_one, x)
#define TSR__ONE_OR_SOME(v, type, of_some, of_one, x) TSR__ONE_OR_SOME_(v, type, of_some, of_one, x)
#define TSR__ONE_OR_SOME_(v, type, of_some, of_one, x)                                             \
  __extension__({                                                                                  \
    __auto_type v = (x);                                                                           \
    _Generic(v, type                                                                               \
             : of_some, char                                                                       \
             : of_one, signed char                                                                 \
             : of_one, unsigned char                                                               \
             : of_one, short                                                                       \
             : of_one, unsigned short                                                              \
             : of_one, int                                                                         \
             : of_one, unsigned                                                                    \
             : of_one, long                                                                        \
             : of_one, unsigned long                                                               \
             : of_one, long long                                                                   \
             : of_one, unsigned long long                                                          \
             : of_one)(v);                                                                         \
  })

/* xs[0] = …; xs[1] = …; one statement each: C evaluates an initialiser's list in no given order,
 * and the order of recording must be that of the source. */
#define TSR__BOXES(xs, ...)                                                                        \
  TSR__PASTE(TSR__BOXES_, TSR__CAPPED(__VA_ARGS__))(xs __VA_OPT__(, ) __VA_ARGS__)
#define TSR__BOXES_MANY(xs, ...)
#define TSR__BOXES_0(xs)
#define TSR__BOXES_1(xs, a) xs[0] = TSR__BOX(a);
#define TSR__BOXES_2(xs, a, b)                                                                     \
  xs[0] = TSR__BOX(a);                                                                             \
  xs[1] = TSR__BOX(b);
#define TSR__BOXES_3(xs, a, b, c)                                                                  \
  TSR__BOXES_2(xs, a, b)                                                                           \
  xs[2] = TSR__BOX(c);
#define TSR__BOXES_4(xs, a, b, c, d)                                                               \
  TSR__BOXES_2(xs, a, b)                                                                           \
  xs[2] = TSR__BOX(c);                                                                             \
  xs[3] = TSR__BOX(d);
#define TSR__BOXES_5(xs, a, b, c, d, e)                                                            \
  TSR__BOXES_4(xs, a, b, c, d)                                                                     \
  xs[4] = TSR__BOX(e);
#define TSR__BOXES_6(xs, a, b, c, d, e, f)                                                         \
  TSR__BOXES_5(xs, a, b, c, d, e)                                                                  \
  xs[5] = TSR__BOX(f);
#define TSR__BOXES_7(xs, a, b, c, d, e, f, g)                                                      \
  TSR__BOXES_6(xs, a, b, c, d, e, f)                                                               \
  xs[6] = TSR__BOX(g);
#define TSR__BOXES_8(xs, a, b, c, d, e, f, g, h)                                                   \
  TSR__BOXES_7(xs, a, b, c, d, e, f, g)                                                            \
  xs[7] = TSR__BOX(h);
#define TSR__BOXES_9(xs, a, b, c, d, e, f, g, h, i)                                                \
  TSR__BOXES_8(xs, a, b, c, d, e, f, g, h)                                                         \
  xs[8] = TSR__BOX(i);
#define TSR__BOXES_10(xs, a, b, c, d, e, f, g, h, i, j)                                            \
  TSR__BOXES_9(xs, a, b, c, d, e, f, g, h, i)                                                      \
  xs[9] = TSR__BOX(j);
#define TSR__BOXES_11(xs, a, b, c, d, e, f, g, h, i, j, k)                                         \
  TSR__BOXES_10(xs, a, b, c, d, e, f, g, h, i, j)                                                  \
  xs[10] = TSR__BOX(k);
#define TSR__BOXES_12(xs, a, b, c, d, e, f, g, h, i, j, k, l)                                      \
  TSR__BOXES_11(xs, a, b, c, d, e, f, g, h, i, j, k)                                               \
  xs[11] = TSR__BOX(l);
#define TSR__BOXES_13(xs, a, b, c, d, e, f, g, h, i, j, k, l, m)                                   \
  TSR__BOXES_12(xs, a, b, c, d, e, f, g, h, i, j, k, l)                                            \
  xs[12] = TSR__BOX(m);
#define TSR__BOXES_14(xs, a, b, c, d, e, f, g, h, i, j, k, l, m, n)                                \
  TSR__BOXES_13(xs, a, b, c, d, e, f, g, h, i, j, k, l, m)                                         \
  xs[13] = TSR__BOX(n);
#define TSR__BOXES_15(xs, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)                             \
  TSR__BOXES_14(xs, a, b, c, d, e, f, g, h, i, j, k, l, m, n)                                      \
  xs[14] = TSR__BOX(o);
#define TSR__BOXES_16(xs, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)                          \
  TSR__BOXES_15(xs, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)                                   \
  xs[15] = TSR__BOX(p);

/* A call of tsr_<op>_at(where, n, operands) with `min` to `max` operands. A wrong number is one
 * compile error: */
#define TSR__CALL(op, min, max, text, ...)                                                         \
  TSR__CALL_(TSR__PASTE(tsr_at_, __COUNTER__), op, min, max, text,                                 \
             TSR__COUNT(__VA_ARGS__) __VA_OPT__(, ) __VA_ARGS__)
#define TSR__CALL_(id, ...) TSR__CALL__(id, __VA_ARGS__)
#define TSR__CALL__(id, op, min, max, text, count, ...)                                            \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, min, max __VA_OPT__(, ) __VA_ARGS__);                                     \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_operand id##x[(count) > 0 ? (count) : 1];                                                  \
    TSR__BOXES(id##x __VA_OPT__(, ) __VA_ARGS__)                                                   \
    op##_at(&id, count, id##x);                                                                    \
  }))

/* as(id, op, …), with a name for the record of the call site: what the macros of functions are. */
#define TSR__DO(as, op, ...) TSR__DO_(as, TSR__PASTE(tsr_at_, __COUNTER__), op, __VA_ARGS__)
#define TSR__DO_(as, ...) as(__VA_ARGS__)

/* TSR__OR<k>(d, …): the k-th of the arguments, or d where fewer were given. */
#define TSR__ARG1(a, ...) a
#define TSR__ARG2(a, b, ...) b
#define TSR__ARG3(a, b, c, ...) c
#define TSR__ARG4(a, b, c, d, ...) d
#define TSR__ARG5(a, b, c, d, e, ...) e
#define TSR__ARG6(a, b, c, d, e, f, ...) f
#define TSR__ARG7(a, b, c, d, e, f, g, ...) g
#define TSR__ARG8(a, b, c, d, e, f, g, h, ...) h
#define TSR__OR1(d, ...) TSR__ARG1(__VA_ARGS__ __VA_OPT__(, ) d, 0)
#define TSR__OR2(d, ...) TSR__ARG2(__VA_ARGS__ __VA_OPT__(, ) d, d, 0)
#define TSR__OR3(d, ...) TSR__ARG3(__VA_ARGS__ __VA_OPT__(, ) d, d, d, 0)
#define TSR__OR4(d, ...) TSR__ARG4(__VA_ARGS__ __VA_OPT__(, ) d, d, d, d, 0)
#define TSR__OR5(d, ...) TSR__ARG5(__VA_ARGS__ __VA_OPT__(, ) d, d, d, d, d, 0)
#define TSR__OR6(d, ...) TSR__ARG6(__VA_ARGS__ __VA_OPT__(, ) d, d, d, d, d, d, 0)
#define TSR__OR7(d, ...) TSR__ARG7(__VA_ARGS__ __VA_OPT__(, ) d, d, d, d, d, d, d, 0)
#define TSR__OR8(d, ...) TSR__ARG8(__VA_ARGS__ __VA_OPT__(, ) d, d, d, d, d, d, d, d, 0)

/* One compile error that names the operation where the number of arguments is wrong. */
#define TSR__CHECK_COUNT(op, min, max, ...)                                                        \
  _Static_assert(TSR__COUNT(__VA_ARGS__) >= (min) && TSR__COUNT(__VA_ARGS__) <= (max),             \
                 #op ": wrong number of arguments (takes " #min " to " #max ")")

/* One compile error, too, where a number stands for a dtype: tsr_zeros(4, 3). In C an enumerator is
 * an int; so that a dtype can be told from a number, its name is a macro of the enum's type. */
#define TSR__CHECK_DTYPE(op, dtype)                                                                \
  _Static_assert(_Generic(dtype, tsr_dtype : 1, default : 0),                                      \
                 #op ": this is a number where a dtype is wanted, such as TSR_FLOAT64; "           \
                     "a shape is one argument, such as TSR_SHAPE(4, 3)")
#define TSR_DTYPE_BOOL ((tsr_dtype)TSR_DTYPE_BOOL)
#define TSR_DTYPE_INT32 ((tsr_dtype)TSR_DTYPE_INT32)
#define TSR_DTYPE_INT64 ((tsr_dtype)TSR_DTYPE_INT64)
#define TSR_DTYPE_FLOAT32 ((tsr_dtype)TSR_DTYPE_FLOAT32)
#define TSR_DTYPE_FLOAT64 ((tsr_dtype)TSR_DTYPE_FLOAT64)
#define TSR_DTYPE_INT8 ((tsr_dtype)TSR_DTYPE_INT8)
#define TSR_DTYPE_INT16 ((tsr_dtype)TSR_DTYPE_INT16)
#define TSR_DTYPE_UINT8 ((tsr_dtype)TSR_DTYPE_UINT8)
#define TSR_DTYPE_UINT16 ((tsr_dtype)TSR_DTYPE_UINT16)
#define TSR_DTYPE_UINT32 ((tsr_dtype)TSR_DTYPE_UINT32)
#define TSR_DTYPE_UINT64 ((tsr_dtype)TSR_DTYPE_UINT64)
#define TSR_DTYPE_FLOAT16 ((tsr_dtype)TSR_DTYPE_FLOAT16)
#define TSR_DTYPE_COMPLEX64 ((tsr_dtype)TSR_DTYPE_COMPLEX64)
#define TSR_DTYPE_COMPLEX128 ((tsr_dtype)TSR_DTYPE_COMPLEX128)

#else
#include "tessera/cpp.h"
#endif /* !__cplusplus */
#endif
