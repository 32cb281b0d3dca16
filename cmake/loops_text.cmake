# Writes the vector loops of the interpreter (kernel/cpu/loops.h) as the C text that kernel/cpu/loops_*.c include:
#   cmake -D OUT=FILE -D DIR=kernel -P loops_text.cmake
# The loops declare their iterations independent, so that they become vectors without run-time checks of overlap.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/templates.cmake)

set(text "/* Made by cmake/loops_text.cmake from kernel/ops/ops.def. */\n")
set(op_entries "")
set(cast_entries "")

# The rows of ops.def: each gives, for each of its dtypes T, a function of one element and a loop per number of
# operands. NAME: the row's name. R: the type of the result. X: the type of the first operand.

set(element_1 [[

static inline R op_NAME_T(X x)
{
  return EXPRESSION;
}
]])
set(element_2 [[

static inline R op_NAME_T(X x, T y)
{
  return EXPRESSION;
}
]])
set(element_3 [[

static inline R op_NAME_T(X x, T y, T z)
{
  return EXPRESSION;
}
]])

set(arguments_1 "x")
set(arguments_2 "x, y")
set(arguments_3 "x, y, z")

# A form of the loops, and the numbers of operands that have one.
set(sizes_1 1)
set(loops_1 [[
static void op_NAME_T_loop1(int64_t n, void *dst, const void *const *src)
{
  R *d = dst;
  const X *p = src[0];
  TSR_INDEPENDENT
  for (int64_t i = 0; i < n; i++) d[i] = op_NAME_T(p[i]);
}
]])
set(sizes_2 2)
set(loops_2 [[
static void op_NAME_T_loop2(int64_t n, void *dst, const void *const *src)
{
  R *d = dst;
  const T *p = src[0], *q = src[1];
  TSR_INDEPENDENT
  for (int64_t i = 0; i < n; i++) d[i] = op_NAME_T(p[i], q[i]);
}
]])
set(sizes_3 3)
set(loops_3 [[
static void op_NAME_T_loop3(int64_t n, void *dst, const void *const *src)
{
  R *d = dst;
  const X *p = src[0];
  const T *q = src[1], *r = src[2];
  TSR_INDEPENDENT
  for (int64_t i = 0; i < n; i++) d[i] = op_NAME_T(p[i], q[i], r[i]);
}
]])
# CHAIN: an operation that folds its operands from left to right.
set(sizes_CHAIN 2 3 4 5 6)
set(loops_CHAIN [[
static void op_NAME_T_loop2(int64_t n, void *dst, const void *const *src)
{
  T *d = dst;
  const T *p = src[0], *q = src[1];
  TSR_INDEPENDENT
  for (int64_t i = 0; i < n; i++) d[i] = op_NAME_T(p[i], q[i]);
}
static void op_NAME_T_loop3(int64_t n, void *dst, const void *const *src)
{
  T *d = dst;
  const T *p = src[0], *q = src[1], *r = src[2];
  TSR_INDEPENDENT
  for (int64_t i = 0; i < n; i++) d[i] = op_NAME_T(op_NAME_T(p[i], q[i]), r[i]);
}
static void op_NAME_T_loop4(int64_t n, void *dst, const void *const *src)
{
  T *d = dst;
  const T *p = src[0], *q = src[1], *r = src[2], *s = src[3];
  TSR_INDEPENDENT
  for (int64_t i = 0; i < n; i++)
    d[i] = op_NAME_T(op_NAME_T(op_NAME_T(p[i], q[i]), r[i]), s[i]);
}
static void op_NAME_T_loop5(int64_t n, void *dst, const void *const *src)
{
  T *d = dst;
  const T *p = src[0], *q = src[1], *r = src[2], *s = src[3], *t = src[4];
  TSR_INDEPENDENT
  for (int64_t i = 0; i < n; i++)
    d[i] = op_NAME_T(op_NAME_T(op_NAME_T(op_NAME_T(p[i], q[i]), r[i]), s[i]), t[i]);
}
static void op_NAME_T_loop6(int64_t n, void *dst, const void *const *src)
{
  T *d = dst;
  const T *p = src[0], *q = src[1], *r = src[2], *s = src[3], *t = src[4], *u = src[5];
  TSR_INDEPENDENT
  for (int64_t i = 0; i < n; i++)
    d[i] = op_NAME_T(op_NAME_T(op_NAME_T(op_NAME_T(op_NAME_T(p[i], q[i]), r[i]), s[i]), t[i]), u[i]);
}
]])
# NEAR: a function whose arguments are seldom far (large) has NAME_near, with the same bits for near x. It computes
# every strip without far arguments.
set(sizes_NEAR 1)
set(loops_NEAR [[
static void op_NAME_T_strip(int64_t n, T *d, const T *p)
{
  int32_t n_far = 0;
  for (int64_t i = 0; i < n; i++) n_far += is_far_T(abs_T(p[i])) != 0;
  if (n_far > 0) {
    TSR_INDEPENDENT
    for (int64_t i = 0; i < n; i++) d[i] = op_NAME_T(p[i]);
  } else {
    TSR_INDEPENDENT
    for (int64_t i = 0; i < n; i++) d[i] = NAME_near_T(p[i]);
  }
}
static void op_NAME_T_loop1(int64_t n, void *dst, const void *const *src)
{
  T *d = dst;
  const T *p = src[0];
  for (int64_t i = 0; i < n; i += STRIP)
    op_NAME_T_strip(n - i < STRIP ? n - i : STRIP, d + i, p + i);
}
]])
# DIVISION: of integers. Where the divisors of a strip are all one, as a scalar is, it multiplies by the inverse, of type F.
# NAME_near is for small numbers.
set(sizes_DIVISION 2)
set(loops_DIVISION [[
static void op_NAME_T_strip(int64_t n, T *d, const T *p, const T *q)
{
  uint64_t far = 0;
  T differ = 0;
  const T y = q[0];
  for (int64_t i = 0; i < n; i++) differ |= (T)(q[i] ^ y);
  for (int64_t i = 0; i < n; i++) far |= is_far_T(p[i]) | is_far_T(q[i]);
  if (far != 0) {
    TSR_INDEPENDENT
    for (int64_t i = 0; i < n; i++) d[i] = op_NAME_T(p[i], q[i]);
  } else if (differ != 0 || y <= 1) {
    TSR_INDEPENDENT
    for (int64_t i = 0; i < n; i++) d[i] = NAME_near_T(p[i], q[i]);
  } else {
    const F inverse = inverse_F(y);
    TSR_INDEPENDENT
    for (int64_t i = 0; i < n; i++) d[i] = NAME_by_T(p[i], y, inverse);
  }
}
static void op_NAME_T_loop2(int64_t n, void *dst, const void *const *src)
{
  T *d = dst;
  const T *p = src[0], *q = src[1];
  for (int64_t i = 0; i < n; i += STRIP)
    op_NAME_T_strip(n - i < STRIP ? n - i : STRIP, d + i, p + i, q + i);
}
]])
# Division by one number above 1. A float is moved by a half, so that the product lies beside whole numbers by more than
# its error. A byte's inverse has 16 bits and is above the real one by less than what the product shows.
set(quotient_f32 "whole_T(floor_f32((float_T(x) + 0.5f) * inverse))")
set(quotient_f64 "whole_T(floor_f64((float_T(x) + 0.5) * inverse))")
set(quotient_u16 "(T)((u32)(u8)(x ^ sign_bits_T(x)) * inverse >> 16 ^ (u32)sign_bits_T(x))")
set(division_by_one [[

static inline T sign_bits_T(T x)
{
  return (T)(LEAST != 0 && x < (T)1 && x != 0 ? -1 : 0);
}
static inline T floor_divide_by_T(T x, T y, F inverse)
{
  return (void)y, QUOTIENT;
}
static inline T remainder_by_T(T x, T y, F inverse)
{
  return (T)((u64)x - (u64)floor_divide_by_T(x, y, inverse) * (u64)y);
}
static inline T fmod_by_T(T x, T y, F inverse)
{
  const T rest = remainder_by_T(x, y, inverse);
  return is_across_T(rest, x) ? (T)(rest - y) : rest;
}
]])

# The dtypes that have a loop, by the column DTYPES.
set(kinds_ALL BOOL INT FLOAT COMPLEX)
set(kinds_REAL BOOL INT FLOAT)
set(kinds_NUM INT FLOAT COMPLEX)
set(kinds_RNUM INT FLOAT)
set(kinds_INT INT)
set(kinds_BITS BOOL INT)
set(kinds_FLT FLOAT)
set(kinds_FLC FLOAT COMPLEX)
set(kinds_CPX COMPLEX)
set(kinds_BOOL BOOL)

# A dtype in which operations compute: its name, which is its type; kind; enumerator; the type of a complex number's
# parts, or the type itself; the form of a chain of operands, which costs compile time; of integers: the least value, and
# the type of an inverse.
set(dtypes
  "b8   BOOL    BOOL       b8  CHAIN"
  "i32  INT     INT32      i32 CHAIN INT32_MIN f64"
  "i64  INT     INT64      i64 CHAIN INT64_MIN f64"
  "f32  FLOAT   FLOAT32    f32 CHAIN"
  "f64  FLOAT   FLOAT64    f64 CHAIN"
  "i8   INT     INT8       i8  2     INT8_MIN  u16"
  "i16  INT     INT16      i16 2     INT16_MIN f32"
  "u8   INT     UINT8      u8  2     0         u16"
  "u16  INT     UINT16     u16 2     0         f32"
  "u32  INT     UINT32     u32 2     0         f64"
  "u64  INT     UINT64     u64 2     0         f64"
  "c64  COMPLEX COMPLEX64  f32 2"
  "c128 COMPLEX COMPLEX128 f64 2")

# The rows without their last column, in which there may be semicolons.
file(READ ${DIR}/ops/ops.def ops)
string(REGEX MATCHALL "\nTSR_[A-Z_]*OP[(]" begins "${ops}")
string(REGEX MATCHALL "\nTSR_[A-Z_]*OP[(][^\"]+," rows "${ops}")
list(LENGTH begins n_begins)
list(LENGTH rows n_rows)
if(NOT n_rows EQUAL n_begins)
  message(FATAL_ERROR "ops.def: ${n_begins} rows, of which ${n_rows} are well formed")
endif()
set(word "([A-Za-z0-9_]+), ")

foreach(dtype IN LISTS dtypes)
  separate_arguments(dtype UNIX_COMMAND "${dtype}")
  list(POP_FRONT dtype T kind DTYPE part chain LEAST F)
  set(dtype_of_${T} ${DTYPE})
  if(kind STREQUAL "INT")
    fill(functions "${division_by_one}" QUOTIENT "${quotient_${F}}")
    fill(functions "${functions}" T ${T} LEAST ${LEAST} F ${F})
    string(APPEND text "${functions}")
  endif()
  foreach(row IN LISTS rows)
    if(NOT row MATCHES "^\nTSR_[A-Z_]*OP[(]${word}${word}${word}${word}${word}${word}${word}${word}(.+),$")
      message(FATAL_ERROR "ops.def: not a row: ${row}")
    endif()
    set(NAME ${CMAKE_MATCH_1})
    set(name ${CMAKE_MATCH_2})
    set(max_args ${CMAKE_MATCH_4})
    set(rule ${CMAKE_MATCH_5})
    set(kinds ${kinds_${CMAKE_MATCH_6}})
    set(loop ${CMAKE_MATCH_8})
    set(expression "${CMAKE_MATCH_9}")
    if(NOT kind IN_LIST kinds)
      continue()
    endif()

    set(form ${max_args})
    set(n_args ${max_args})
    if(max_args EQUAL 16)
      set(form ${chain})
      set(n_args 2)
    elseif(loop STREQUAL "DIVISION" AND kind STREQUAL "INT")
      set(form DIVISION)
    elseif(loop MATCHES "NEAR|FUNCTION" AND kind STREQUAL "COMPLEX")
      set(form COMPLEX) # the loops are below
      set(sizes_COMPLEX ${n_args})
    elseif(loop STREQUAL "NEAR")
      set(form NEAR)
    endif()

    if(kind STREQUAL "COMPLEX") # the row's expression is that of other dtypes
      set(expression "NAME_T(${arguments_${n_args}})")
    endif()
    string(REGEX REPLACE "K[(]([a-z0-9_]+)[)]" "\\1_T" expression "${expression}")
    set(result ${T})
    set(first ${T})
    if(rule STREQUAL "PART")
      set(result ${part})
    elseif(rule MATCHES "TEST|COMPARE|LOGICAL")
      set(result b8)
    elseif(rule STREQUAL "WHERE")
      set(first b8)
    endif()

    if(NOT form STREQUAL "COMPLEX")
      fill(functions "${element_${n_args}}${loops_${form}}" EXPRESSION "${expression}")
      if(form STREQUAL "DIVISION")
        fill(functions "${functions}" F "${F}")
      endif()
      fill(functions "${functions}" NAME ${name} T ${T} R ${result} X ${first})
      string(APPEND text "${functions}")
    endif()
    foreach(n IN LISTS sizes_${form})
      string(APPEND op_entries "    [TSR_OP_${NAME}][TSR_DTYPE_${DTYPE}][${n} - 1] = op_${name}_${T}_loop${n},\n")
    endforeach()
  endforeach()
endforeach()

# Complex functions: the parts of a strip are stored separately and in float64, so that the compiler vectorises
# kernel/ops/ops_complex.h. A block reads parts and replaces them by those of the result.

set(block [[

static void block_NAME(int64_t n, double *restrict re, double *restrict im)
{
  TSR_INDEPENDENT
  for (int64_t i = 0; i < n; i++) {
    const complex_f64 w = complex_NAME_f64((complex_f64){re[i], im[i]});
    re[i] = w.re;
    im[i] = w.im;
  }
}
]])
# Blocks that use the sine and cosine of the imaginary part, which is seldom far.
set(block_near [[

static void block_NAME(int64_t n, double *restrict re, double *restrict im)
{
  int64_t n_far = 0;
  for (int64_t i = 0; i < n; i++) n_far += is_far_f64(abs_f64(im[i])) != 0;
  if (n_far > 0) {
    TSR_INDEPENDENT
    for (int64_t i = 0; i < n; i++) {
      const complex_f64 z = {re[i], im[i]}, w = complex_NAME_f64(z);
      re[i] = w.re;
      im[i] = w.im;
    }
  } else {
    TSR_INDEPENDENT
    for (int64_t i = 0; i < n; i++) {
      const complex_f64 z = {re[i], im[i]}, w = finish_NAME_f64(z, NEAR);
      re[i] = w.re;
      im[i] = w.im;
    }
  }
}
]])
foreach(name sqrt log log1p sinc arcsin arccos arccosh arctanh arctan)
  fill(function "${block}" NAME ${name})
  string(APPEND text "${function}")
endforeach()
foreach(name exp expm1 sinh cosh tanh)
  set(near "turn_near_f64(z.im)")
  if(name STREQUAL "expm1")
    string(APPEND near ", sin_near_f64(0.5 * z.im)")
  endif()
  fill(function "${block_near}" NAME ${name} NEAR "${near}")
  string(APPEND text "${function}")
endforeach()

# The row NAME is AFTER(block(BEFORE(z))), for T with parts P.
set(complex_loop [[

static void op_NAME_T_loop1(int64_t n, void *dst, const void *const *src)
{
  parts re, im;
  for (int64_t at = 0; at < n; at += STRIP) {
    const int64_t m = n - at < STRIP ? n - at : STRIP;
    const T *p = (const T *)src[0] + at;
    T *d = (T *)dst + at;
    TSR_INDEPENDENT
    for (int64_t i = 0; i < m; i++) {
      const complex_f64 z = {p[i].re, p[i].im}, w = BEFORE;
      re[i] = w.re;
      im[i] = w.im;
    }
    block_BLOCK(m, re, im);
    TSR_INDEPENDENT
    for (int64_t i = 0; i < m; i++) {
      const complex_f64 z = {re[i], im[i]}, w = AFTER;
      d[i] = (T){(P)w.re, (P)w.im};
    }
  }
}
]])
function(add_complex_loops name block before after)
  fill(function "${complex_loop}" NAME ${name} BLOCK ${block} BEFORE "${before}" AFTER "${after}")
  fill(of_c64 "${function}" T c64 P f32)
  fill(of_c128 "${function}" T c128 P f64)
  set(text "${text}${of_c64}${of_c128}" PARENT_SCOPE)
endfunction()
foreach(name sqrt log log1p exp expm1 sinh cosh tanh sinc arcsin arccos arccosh arctanh arctan)
  add_complex_loops(${name} ${name} "z" "z")
endforeach()
# exp2(z) = exp(z ln 2), log2(z) = log(z) / ln 2, log10 likewise; sin(z) = sinh(i z) / i, cos(z) = cosh(i z),
# tan(z) = tanh(i z) / i, arcsinh(z) = arcsin(i z) / i.
add_complex_loops(exp2 exp "scale_complex_f64(z, 0x1.62e42fefa39efp-1)" "z")
add_complex_loops(log2 log "z" "scale_complex_f64(z, 0x1.71547652b82fep+0)")
add_complex_loops(log10 log "z" "scale_complex_f64(z, 0x1.bcb7b1526e50ep-2)")
add_complex_loops(sin sinh "times_i_f64(z)" "sine_of_sinh_f64(z)")
add_complex_loops(cos cosh "times_i_f64(z)" "z")
add_complex_loops(tan tanh "times_i_f64(z)" "over_i_f64(z)")
add_complex_loops(arcsinh arcsin "times_i_f64(z)" "over_i_f64(z)")

# Power in passes: exp(y log x), then the correction for whole exponents.
string(APPEND text [[

static void block_power(int64_t n, double *restrict re, double *restrict im,
                        const double *restrict y_re, const double *restrict y_im)
{
  parts v_re, v_im;
  TSR_INDEPENDENT
  for (int64_t i = 0; i < n; i++) {
    const complex_f64 x = {re[i], im[i]}, y = {y_re[i], y_im[i]};
    const complex_f64 w = complex_product_f64(y, complex_log_f64(x));
    v_re[i] = w.re;
    v_im[i] = w.im;
  }
  block_exp(n, v_re, v_im);
  TSR_INDEPENDENT
  for (int64_t i = 0; i < n; i++) {
    const complex_f64 x = {re[i], im[i]}, y = {y_re[i], y_im[i]}, v = {v_re[i], v_im[i]};
    const complex_f64 w = finish_whole_power_f64(x, y, v);
    re[i] = w.re;
    im[i] = w.im;
  }
}
]])
set(complex_power [[

static void op_power_T_loop2(int64_t n, void *dst, const void *const *src)
{
  parts re, im, y_re, y_im;
  for (int64_t at = 0; at < n; at += STRIP) {
    const int64_t m = n - at < STRIP ? n - at : STRIP;
    const T *p = (const T *)src[0] + at, *q = (const T *)src[1] + at;
    T *d = (T *)dst + at;
    TSR_INDEPENDENT
    for (int64_t i = 0; i < m; i++) {
      re[i] = p[i].re;
      im[i] = p[i].im;
      y_re[i] = q[i].re;
      y_im[i] = q[i].im;
    }
    block_power(m, re, im, y_re, y_im);
    TSR_INDEPENDENT
    for (int64_t i = 0; i < m; i++) d[i] = (T){(P)re[i], (P)im[i]};
  }
}
]])
fill(of_c64 "${complex_power}" T c64 P f32)
fill(of_c128 "${complex_power}" T c128 P f64)
string(APPEND text "${of_c64}${of_c128}")

# Casts: the steps of tsr__dtype_cast_step.

set(dtype_of_f16 FLOAT16)
set(cast [[

static void cast_TO_FROM(int64_t n, void *dst, const void *const *src)
{
  TO *d = dst;
  const FROM *x = src[0];
  TSR_INDEPENDENT
  for (int64_t i = 0; i < n; i++) d[i] = VALUE;
}
]])
function(add_cast to from value)
  fill(function "${cast}" VALUE "${value}" TO ${to} FROM ${from})
  set(entry "    [TSR_DTYPE_${dtype_of_${to}}][TSR_DTYPE_${dtype_of_${from}}] = cast_${to}_${from},\n")
  set(text "${text}${function}" PARENT_SCOPE)
  set(cast_entries "${cast_entries}${entry}" PARENT_SCOPE)
endfunction()
foreach(from b8 i8 i16 i32 i64 u8 u16 u32 u64)
  add_cast(b8 ${from} "x[i] != 0")
  foreach(to i8 i16 i32 i64 u8 u16 u32 u64 f32 f64)
    add_cast(${to} ${from} "(${to})x[i]")
  endforeach()
endforeach()
foreach(from f32 f64)
  add_cast(b8 ${from} "x[i] != 0")
  foreach(to i32 i64 u64 f16)
    add_cast(${to} ${from} "${to}_of_${from}(x[i])")
  endforeach()
endforeach()
add_cast(f32 f64 "(f32)x[i]")
add_cast(f64 f32 "x[i]")
add_cast(f32 f16 "f32_of_f16(x[i])")
add_cast(c64 f32 "((c64){x[i], 0})")
add_cast(c128 f64 "((c128){x[i], 0})")
foreach(from c64 c128)
  add_cast(b8 ${from} "(x[i].re != 0) | (x[i].im != 0)")
endforeach()
add_cast(f32 c64 "x[i].re")
add_cast(f64 c128 "x[i].re")
add_cast(c128 c64 "((c128){x[i].re, x[i].im})")
add_cast(c64 c128 "((c64){(f32)x[i].re, (f32)x[i].im})")

# Moves of elements of one size.

set(move [[

static void gather_BITS(int64_t n, void *dst, const void *src, int64_t stride_bytes)
{
  WORD *d = dst;
  const char *s = src;
  TSR_INDEPENDENT
  for (int64_t i = 0; i < n; i++) d[i] = *(const WORD *)(s + i * stride_bytes);
}
static void scatter_BITS(int64_t n, void *dst, int64_t stride_bytes, const void *src)
{
  char *d = dst;
  const WORD *s = src;
  TSR_INDEPENDENT
  for (int64_t i = 0; i < n; i++) *(WORD *)(d + i * stride_bytes) = s[i];
}
static void fill_BITS(int64_t n, void *dst, const void *value)
{
  WORD *d = dst;
  const WORD v = *(const WORD *)value;
  TSR_INDEPENDENT
  for (int64_t i = 0; i < n; i++) d[i] = v;
}
]])
set(move_entries "")
foreach(bits 8 16 32 64 128)
  fill(functions "${move}" BITS ${bits} WORD word${bits})
  string(APPEND text "${functions}")
  string(APPEND move_entries "    {gather_${bits}, scatter_${bits}, fill_${bits}},\n")
endforeach()

file(WRITE ${OUT} "${text}
const tsr_loops LOOPS_TABLE = {
  .name = LOOPS_NAME,
  .op = {
${op_entries}  },
  .cast = {
${cast_entries}  },
  .move = {
${move_entries}  },
  .random = {random_first_loop, random_second_loop, random_top_loop, random_below_loop,
             random_permute_loop},
  .iota = iota_i64,
  .stream = stream,
  .select = {.count = select_count,
             .among_few = select_among_few,
             .keep_between = select_keep_between,
             .least_above = select_least_above,
             .copy_numbers = select_copy_numbers},
};
")
