# Writes the loops of reductions (kernel/reduce/reduce_int.h) for the instruction set ISA as a C file:
#   cmake -D OUT=…_ISA.c -D DIR=kernel -P reduce_text.cmake
# The loops of one reduction over one type are text of kernel/reduce/reduce_*.c.in, with the type's name for T and the
# reduction's for NAME.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/templates.cmake)

string(REGEX REPLACE ".*_([a-z0-9]+)[.]c$" "\\1" ISA "${OUT}")

# Values of a vector by the bytes of a value. Pairs of one and two bytes are cheapest in 16-byte vectors.
set(lanes_1 16)
set(lanes_2 8)
if(ISA STREQUAL "avx512")
  set(lanes_4 16)
  set(lanes_8 8)
  set(lanes_16 4)
elseif(ISA STREQUAL "avx2")
  set(lanes_4 8)
  set(lanes_8 4)
  set(lanes_16 2)
else()
  set(lanes_4 4)
  set(lanes_8 2)
  set(lanes_16 1)
endif()

# Bytes of the widest vectors.
set(wide_bytes_avx512 64)
set(wide_bytes_avx2 32)
set(wide_bytes_baseline 16)

# Lane numbers for the shuffles of reduce_loops.c.in and the sum of all lanes. Only AVX2 and AVX-512 select lanes from two vectors by one
# instruction; for others all siblings are neighbours.
# Each value is `parts` lanes.
function(set_lane_numbers n parts)
  lane_numbers(EVEN ${n} "2 * i")
  lane_numbers(ODD ${n} "2 * i + 1")
  lane_numbers(ORDER ${n} "i")
  foreach(apart 1 2 4 8)
    set(STAY${apart} "${EVEN}")
    set(CROSS${apart} "${ODD}")
    if(NOT ISA STREQUAL "baseline")
      set(s 1)
      if(n GREATER apart)
        set(s ${apart})
      endif()
      lane_numbers(STAY${apart} ${n} "i + (i & ${s}) / ${s} * ${n}")
      lane_numbers(CROSS${apart} ${n} "(i ^ ${s}) + (i & ${s}) / ${s} * ${n}")
    endif()
  endforeach()
  if(NOT ISA STREQUAL "baseline" AND NOT n EQUAL 2 AND NOT n EQUAL 8)
    lane_numbers(ORDER ${n} "i / 2 + i % 2 * (${n} / 2)")
  endif()
  foreach(apart 1 2 4 8)
    lane_numbers(FLIP${apart} ${n} "i ^ (${apart} % ${n})")
  endforeach()
  math(EXPR all "${n} * ${parts}")
  lane_numbers(PARTNUMBERS ${all} "i")
  set(PARTNUMBERS "${PARTNUMBERS}" PARENT_SCOPE)
  foreach(name EVEN ODD ORDER STAY1 STAY2 STAY4 STAY8 CROSS1 CROSS2 CROSS4 CROSS8 FLIP1 FLIP2 FLIP4 FLIP8)
    if(parts EQUAL 2)
      string(REGEX REPLACE "([0-9]+)" "2 * \\1, 2 * \\1 + 1" ${name} "${${name}}")
    endif()
    set(${name} "${${name}}" PARENT_SCOPE)
  endforeach()
endfunction()

set(text [[
/* Made by cmake/reduce_text.cmake from kernel/reduce/reduce_*.c.in. */
#include "kernel/reduce/reduce_int.h"

#include <string.h>

#include "kernel/cpu/lanes.h"
#include "kernel/ops/ops_c.h"

enum {
  BLOCK = 1024,         /* values that `tree` takes through its levels at once: well inside L1 */
  AHEAD_BYTES = 3072,   /* prefetch distance, into the second level: a shorter one is too late
                         * for data in the third level, a longer one is worse for memory */
  AHEAD_PRODUCTS = 4096 /* the same for each factor of a product that lies in memory */
};
_Static_assert(BLOCK % (1 << TSR__TREE_LEVELS) == 0, "a block is whole subtrees");

enum { WORDS = WIDEBYTES / 8 };
typedef uint64_t wide_words __attribute__((vector_size(WIDEBYTES)));
]])

string(REPLACE "WIDEBYTES" "${wide_bytes_${ISA}}" text "${text}")

# What a reduction does with two vectors, and with two values. It commutes, so the result does not depend on the order
# of siblings. A NaN operand gives a NaN, all bits of which are set.
set(values_sum [[

static inline vec_T sum_T_apply(vec_T a, vec_T b)
{
  return a + b;
}
static inline T sum_T_one(T a, T b)
{
  return ADDED;
}
]])
set(values_prod [[

static inline vec_T prod_T_apply(vec_T a, vec_T b)
{
  return a * b;
}
static inline T prod_T_one(T a, T b)
{
  return a * b;
}
]])
set(values_prod_complex [[

static inline T prod_T_one(T a, T b)
{
  return multiply_T(a, b);
}
]])
# `quick` may give a zero of the other sign, and passes over a NaN of a.
set(values_of_extremes [[

static inline vec_T NAME_T_quick(vec_T a, vec_T b)
{
  const mask_T first = a BEATS b;
  return (vec_T)((first & (mask_T)a) | (~first & (mask_T)b));
}
static inline vec_T NAME_T_apply(vec_T a, vec_T b)
{
  return EXTREME;
}
static inline T NAME_T_one(T a, T b)
{
  const vec_T x = {a}, y = {b};
  return NAME_T_apply(x, y)[0];
}
]])
set(values_min "${values_of_extremes}")
set(values_max "${values_of_extremes}")
set(values_nanmin "${values_of_extremes}")
set(values_nanmax "${values_of_extremes}")
# The sum of all lanes, neighbours first, in every lane.
set(sum_across [[

static inline vec_T sum_T_across(vec_T v)
{
  if (LANES > 1) v = sum_T_apply(v, TSR_SHUFFLE(mask_T, v, v, FLIP1));
  if (LANES > 2) v = sum_T_apply(v, TSR_SHUFFLE(mask_T, v, v, FLIP2));
  if (LANES > 4) v = sum_T_apply(v, TSR_SHUFFLE(mask_T, v, v, FLIP4));
  if (LANES > 8) v = sum_T_apply(v, TSR_SHUFFLE(mask_T, v, v, FLIP8));
  return v;
}
]])
# Products of elements, and of vectors of them, rounded as multiply_T rounds them.
set(times_of_floats [[

static inline T times_T_one_products(T a, T b)
{
  return a * b;
}
static inline vec_T times_T_products(const T *a, const T *b)
{
  return load_T(a) * load_T(b);
}
]])
set(times_of_complex [[

static inline vec_T times_T_parts(vec_T x, vec_T y, bool conjugates)
{
  const vec_T re = TSR_SHUFFLE(mask_T, y, y, REALS), im = TSR_SHUFFLE(mask_T, y, y, IMAGS);
  const vec_T straight = x * re, crossed = TSR_SHUFFLE(mask_T, x, x, CROSSED) * im;
  if (conjugates) return TSR_SHUFFLE(mask_T, crossed + straight, crossed - straight, MIXED);
  return TSR_SHUFFLE(mask_T, straight - crossed, straight + crossed, MIXED);
}
static inline T times_T_one_products(T a, T b)
{
  return multiply_T(a, b);
}
static inline vec_T times_T_products(const T *a, const T *b)
{
  return times_T_parts(load_T(a), load_T(b), false);
}
static inline T times_T_one_conjugates(T a, T b)
{
  return multiply_T(conj_T(a), b);
}
static inline vec_T times_T_conjugates(const T *a, const T *b)
{
  return times_T_parts(load_T(a), load_T(b), true);
}
/* The products of two vectors and two others, their real parts and their imaginary ones. The lanes of
 * 16 bytes are parts of the first vector and then of the second. */
TSR_MATH vec_T times_T_two(const T *const *a, const T *const *b, bool imaginary, bool conjugates)
{
  const vec_T x = load_T(a[0]), x_2 = load_T(a[1]), y = load_T(b[0]), y_2 = load_T(b[1]);
  const vec_T re = TSR_SHUFFLE(mask_T, x, x_2, REALSOFTWO);
  const vec_T im = TSR_SHUFFLE(mask_T, x, x_2, IMAGSOFTWO);
  const vec_T y_re = TSR_SHUFFLE(mask_T, y, y_2, REALSOFTWO);
  const vec_T y_im = TSR_SHUFFLE(mask_T, y, y_2, IMAGSOFTWO);
  if (imaginary) return conjugates ? re * y_im - im * y_re : im * y_re + re * y_im;
  return conjugates ? im * y_im + re * y_re : re * y_re - im * y_im;
}
static inline vec_T parts_T_join_1(vec_T v0, vec_T v1)
{
  return TSR_SHUFFLE(mask_T, v0, v1, PSTAY1) + TSR_SHUFFLE(mask_T, v0, v1, PCROSS1);
}
static inline __attribute__((unused)) vec_T parts_T_join_2(vec_T v0, vec_T v1)
{
  return TSR_SHUFFLE(mask_T, v0, v1, PSTAY2) + TSR_SHUFFLE(mask_T, v0, v1, PCROSS2);
}
static inline __attribute__((unused)) vec_T parts_T_join_4(vec_T v0, vec_T v1)
{
  return TSR_SHUFFLE(mask_T, v0, v1, PSTAY4) + TSR_SHUFFLE(mask_T, v0, v1, PCROSS4);
}
static inline __attribute__((unused)) vec_T parts_T_join_8(vec_T v0, vec_T v1)
{
  return TSR_SHUFFLE(mask_T, v0, v1, PSTAY8) + TSR_SHUFFLE(mask_T, v0, v1, PCROSS8);
}
/* Combines three levels of products. A level whose siblings lie in one vector, some lanes apart, puts
 * apart there what two vectors have; else the siblings are those vectors. So what is left is in
 * natural order. */
TSR_MATH vec_T times_T_eight(const T *const *x, const T *const *y, bool conjugates)
{
  vec_T re[4], im[4];
  TSR_UNROLL(4)
  for (int k = 0; k < 4; k++) {
    re[k] = times_T_two(x + 2 * k, y + 2 * k, false, conjugates);
    im[k] = times_T_two(x + 2 * k, y + 2 * k, true, conjugates);
  }
  return OFEIGHT;
}
]])
# OFEIGHT, by the bytes of a part and the parts of a vector.
foreach(k RANGE 3)
  set(pair_${k} "parts_T_join_1(re[${k}], im[${k}])")
endforeach()
set(of_eight_4_16 "parts_T_join_8(parts_T_join_4(${pair_0}, ${pair_1}), parts_T_join_4(${pair_2}, ${pair_3}))")
set(of_eight_4_8 "parts_T_join_2(parts_T_join_4(${pair_0}, ${pair_2}), parts_T_join_4(${pair_1}, ${pair_3}))")
set(of_eight_4_4 "parts_T_join_2(${pair_0}, ${pair_2}) + parts_T_join_2(${pair_1}, ${pair_3})")
foreach(part re im)
  foreach(k 0 2)
    math(EXPR next "${k} + 1")
    set(${part}_${k} "parts_T_join_2(${part}[${k}], ${part}[${next}])")
  endforeach()
endforeach()
set(of_eight_8_8 "parts_T_join_1(parts_T_join_4(${re_0}, ${re_2}), parts_T_join_4(${im_0}, ${im_2}))")
foreach(k 0 1)
  math(EXPR other "${k} + 2")
  set(sum_${k} "parts_T_join_1(parts_T_join_2(re[${k}], re[${other}]), parts_T_join_2(im[${k}], im[${other}]))")
endforeach()
set(of_eight_8_4 "${sum_0} + ${sum_1}")
set(of_eight_8_2 "(${pair_0} + ${pair_1}) + (${pair_2} + ${pair_3})")
# Of floats, of which a vector has one product each.
foreach(k RANGE 7)
  set(product_${k} "times_T_products(x[${k}], y[${k}])")
endforeach()
foreach(k 0 4)
  math(EXPR k1 "${k} + 1")
  math(EXPR k2 "${k} + 2")
  math(EXPR k3 "${k} + 3")
  set(four_${k} "sum_T_join_2(sum_T_join_1(${product_${k}}, ${product_${k1}}), sum_T_join_1(${product_${k2}}, ${product_${k3}}))")
endforeach()
set(eight_floats "sum_T_join_4(${four_0}, ${four_4})")
# A sum of floats is NaN if a value of it is NaN.
set(order_of_values [[

static inline bool lane_is_nan_T(T v)
{
  return ISNAN;
}
static inline vec_T trace_T(vec_T trace, vec_T v)
{
  (void)v;
  return TRACE;
}
static inline bool any_lane_T(mask_T v)
{
  WORD any = 0;
  for (int i = 0; i < LANES; i++) any |= v[i];
  return any != 0;
}

typedef T wide_T __attribute__((vector_size(WIDE * sizeof(T))));
typedef T loose_wide_T
    __attribute__((vector_size(WIDE * sizeof(T)), aligned(sizeof(T)), may_alias));
typedef WORD wide_mask_T __attribute__((vector_size(WIDE * sizeof(T))));

static inline wide_T load_wide_T(const T *p)
{
  return (wide_T) * (const loose_wide_T *)p;
}
static inline wide_T trace_wide_T(wide_T trace, wide_T v, wide_T w)
{
  (void)v, (void)w;
  return WIDETRACE;
}
static inline bool any_wide_T(wide_mask_T v)
{
  const wide_words words = (wide_words)v;
  uint64_t any = 0;
  for (int i = 0; i < WORDS; i++) any |= words[i];
  return any != 0;
}
static inline bool has_nan_T(wide_T trace)
{
  (void)trace;
  return HASNAN;
}
]])

foreach(part lane loops six order span position scan scan_any narrow count args products product_rows complex complex_order)
  read_template(text_${part} ${DIR}/reduce/reduce_${part}.c.in)
endforeach()

# add_type(T PART WORD N TEXT): adds the text for values of type T, of which a vector holds N, with the lane numbers that
# set_lane_numbers has set.
function(add_type T PART WORD n made)
  set(per_line 1) # vectors of a row that are eight values
  if(n LESS 8)
    math(EXPR per_line "8 / ${n}")
  endif()
  fill(made "${text_lane}${made}" ${ARGN} T ${T} PART ${PART} WORD ${WORD} LANES ${n}
    EVEN "${EVEN}" ODD "${ODD}" ORDER "${ORDER}" STAY1 "${STAY1}" STAY2 "${STAY2}" STAY4 "${STAY4}"
    STAY8 "${STAY8}" CROSS1 "${CROSS1}" CROSS2 "${CROSS2}" CROSS4 "${CROSS4}" CROSS8 "${CROSS8}"
    PARTNUMBERS "${PARTNUMBERS}" PERLINE ${per_line} FLIP1 "${FLIP1}" FLIP2 "${FLIP2}" FLIP4 "${FLIP4}" FLIP8 "${FLIP8}")
  set(text "${text}${made}" PARENT_SCOPE)
endfunction()

# A type; the signed integer of its size; its bytes; its reductions. bools are b8. Sums of int64 are those
# of uint64, which wrap.
set(types
  "b8 i8 1 min max"
  "i8 i8 1 min max"
  "u8 i8 1 min max"
  "i16 i16 2 min max"
  "u16 i16 2 min max"
  "i32 i32 4 min max"
  "u32 i32 4 min max"
  "i64 i64 8 min max"
  "u64 i64 8 sum prod min max"
  "f32 i32 4 sum prod min max nanmin nanmax"
  "f64 i64 8 sum prod min max nanmin nanmax")
foreach(row IN LISTS types)
  separate_arguments(row UNIX_COMMAND "${row}")
  list(POP_FRONT row T WORD bytes)
  set(n ${lanes_${bytes}})
  set_lane_numbers(${n} 1)
  math(EXPR wide "${wide_bytes_${ISA}} / ${bytes}")
  set(rules "ADDED;a + b;ISNAN;(void)v, false;TRACE;trace;DOUBT;(mask_T){0};WIDETRACE;trace;HASNAN;false;UNSURE;false"
    "BEGINS;v;FIRST;v;TRACES;true")
  set(extreme_min "NAME_T_quick(a, b)")
  set(extreme_max "NAME_T_quick(a, b)")
  math(EXPR bits "8 * ${bytes}")
  set(bools false)
  set(halt_min "best == 0")
  set(halt_max "best == UINT${bits}_MAX")
  if(T MATCHES "^i")
    set(halt_min "best == INT${bits}_MIN")
    set(halt_max "best == INT${bits}_MAX")
  elseif(T STREQUAL "b8")
    set(halt_max "best == 1")
    set(bools true)
  endif()
  if(T MATCHES "^f")
    # Equal values differ only in the sign of a zero: x | y, x & y.
    set(unordered "~((a <= b) | (a > b))")
    set(extreme_min "(vec_T)(((mask_T)a & (a <= b)) | ((mask_T)b & (a >= b)) | ${unordered})")
    set(extreme_max "(vec_T)((((mask_T)a | (a < b)) & ((mask_T)b | (a > b))) | ${unordered})")
    set(extreme_nanmin "(vec_T)(((mask_T)a & ((a <= b) | (b != b))) | ((mask_T)b & ((a >= b) | (a != a))))")
    set(extreme_nanmax "(vec_T)(((mask_T)a | (a < b) | (a != a)) & ((mask_T)b | (a > b) | (b != b)))")
    set(rules ADDED "a + b" "ISNAN;v != v;TRACE;trace + v;DOUBT;(best == 0) | (trace != trace)"
      "WIDETRACE;trace + (v + w);HASNAN;any_wide_T(trace != trace);UNSURE;some == 0;BEGINS;v;FIRST;v;TRACES;true")
    # The last in its order begins, so that a NaN is passed over; it may be what NaN alone come to.
    foreach(row "nanmin (T)__builtin_inf()" "nanmax -(T)__builtin_inf()")
      string(REGEX MATCH "^[a-z]+" name "${row}")
      string(REPLACE "${name} " "" last "${row}")
      set(of_${name} "UNSURE;(some == 0) | (some == ${last});DOUBT;(best == 0) | (best == ${last})"
        "BEGINS;NAME_T_wider(v, (wide_T){0} + ${last});FIRST;NAME_T_quick(v, (vec_T){0} + ${last});TRACES;false")
    endforeach()
    foreach(name min max nanmin nanmax)
      set(halt_${name} false)
    endforeach()
  endif()
  fill(made "${order_of_values}" ${rules} WIDE ${wide})
  set(swaps "")
  foreach(apart 1 2 4 8 16 32)
    lane_numbers(numbers ${wide} "i ^ (${apart} % ${wide})")
    list(APPEND swaps SWAP${apart} "${numbers}")
  endforeach()
  foreach(name IN LISTS row)
    set(beats ">")
    if(name MATCHES "min$")
      set(beats "<")
    endif()
    fill(values "${values_${name}}" EXTREME "${extreme_${name}}" BEATS "${beats}" ${rules})
    if(name MATCHES "min|max")
      string(REPLACE "UPMANY" "${text_span}${text_order}" one "${text_loops}")
      if(NOT name MATCHES "nan")
        # what `minimum` and `maximum` give, which take the second of two equal zeros
        string(REPLACE "NAME_T_one" "NAME_T" scan "${text_scan_any}")
        string(APPEND one "${text_position}${text_args}${scan}")
      endif()
      fill(one "${one}" ${of_${name}} ${rules} ${swaps} WIDE ${wide} BEATS "${beats}" BOOLS ${bools}
        HALT "${halt_${name}}")
    else()
      set(scan "${text_scan_any}")
      if(T MATCHES "^f")
        set(scan "${text_scan}")
      endif()
      string(REPLACE "UPMANY" "${text_six}" one "${text_loops}${scan}")
      if(name STREQUAL "sum" AND T MATCHES "^f")
        fill(products "${text_products}" KIND products PRODUCTSOFEIGHT "${eight_floats}" INORDER "sum_T_in_order(v)"
          ASKS true)
        string(APPEND one "${sum_across}${times_of_floats}${products}${text_product_rows}")
      endif()
    endif()
    fill(one "${values}${one}" NAME ${name})
    string(APPEND made "${one}")
  endforeach()
  if(T MATCHES "^[biu](8|16|32)$")
    math(EXPR pair "2 * ${bits}")
    string(REGEX REPLACE "[0-9]+" "${pair}" pair "${T}")
    string(REPLACE "b" "u" pair "${pair}")
    fill(narrow "${text_narrow}" WIDE ${wide} PAIR ${pair} BOOLS ${bools})
    string(APPEND made "${narrow}")
  endif()
  add_type(${T} ${T} ${WORD} ${n} "${made}")
endforeach()

# Complex numbers: a type, its parts, the signed and the unsigned integer of a part's size, and its bytes. Their sums are
# those of vectors of parts; the other reductions handle one number at a time.
foreach(row "c64 f32 i32 u32 8" "c128 f64 i64 u64 16")
  separate_arguments(row UNIX_COMMAND "${row}")
  list(POP_FRONT row T P SIGNED WORD bytes)
  set(n ${lanes_${bytes}})
  set_lane_numbers(${n} 2)
  string(REPLACE "UPMANY" "${text_six}" made "${values_sum}${text_loops}${text_scan}${sum_across}${times_of_complex}")
  foreach(kind products conjugates)
    set(conjugates false)
    if(kind STREQUAL "conjugates")
      set(conjugates true)
    endif()
    fill(products "${text_products}" KIND ${kind} PRODUCTSOFEIGHT "times_T_eight(x, y, ${conjugates})" INORDER v
      ASKS false)
    string(APPEND made "${products}")
  endforeach()
  math(EXPR n_parts "2 * ${n}")
  math(EXPR part_bytes "${bytes} / 2")
  math(EXPR b "16 / ${part_bytes}") # parts of 16 bytes
  set(both "i / ${b} * ${b} + 2 * (i % ${b} % (${b} / 2)) + i % ${b} / (${b} / 2) * ${n_parts}")
  lane_numbers(reals_of_two ${n_parts} "${both}")
  lane_numbers(imags_of_two ${n_parts} "${both} + 1")
  set(joins "")
  foreach(apart 1 2 4 8)
    set(s 1)
    if(n_parts GREATER apart)
      set(s ${apart})
    endif()
    lane_numbers(stay ${n_parts} "i + (i & ${s}) / ${s} * ${n_parts}")
    lane_numbers(cross ${n_parts} "(i ^ ${s}) + (i & ${s}) / ${s} * ${n_parts}")
    list(APPEND joins PSTAY${apart} "${stay}" PCROSS${apart} "${cross}")
  endforeach()
  lane_numbers(reals ${n_parts} "i / 2 * 2")
  lane_numbers(imags ${n_parts} "i / 2 * 2 + 1")
  lane_numbers(crossed ${n_parts} "i ^ 1")
  lane_numbers(mixed ${n_parts} "i + i % 2 * ${n_parts}")
  fill(made "${made}" NAME sum ADDED "(T){a.re + b.re, a.im + b.im}"
    OFEIGHT "${of_eight_${part_bytes}_${n_parts}}" REALSOFTWO "${reals_of_two}" IMAGSOFTWO "${imags_of_two}" ${joins}
    REALS "${reals}" IMAGS "${imags}" CROSSED "${crossed}" MIXED "${mixed}")
  add_type(${T} ${P} ${SIGNED} ${n} "${made}")
  fill(made "${values_prod_complex}${text_complex}${text_scan}" NAME prod T ${T})
  string(APPEND text "${made}")
  foreach(row "min less more true" "max !less !more true" "nanmin less more false" "nanmax !less !more false")
    separate_arguments(row UNIX_COMMAND "${row}")
    list(POP_FRONT row name less more nan_first)
    set(one "${text_complex_order}${text_complex}")
    if(nan_first)
      string(APPEND one "${text_args}")
    endif()
    fill(made "${one}" NAME ${name} T ${T} P ${P} WORD ${WORD} LESS ${less} MORE ${more} NANFIRST ${nan_first})
    string(APPEND text "${made}")
  endforeach()
endforeach()

# Sums of integers of fewer bits, by their dtype.
string(APPEND text "
static tsr_narrow_loop *const narrow_INT64[TSR_N_DTYPES] = {
    [TSR_DTYPE_BOOL] = sum_b8_narrow,   [TSR_DTYPE_INT8] = sum_i8_narrow,
    [TSR_DTYPE_INT16] = sum_i16_narrow, [TSR_DTYPE_INT32] = sum_i32_narrow};
static tsr_narrow_loop *const narrow_UINT64[TSR_N_DTYPES] = {
    [TSR_DTYPE_UINT8] = sum_u8_narrow,
    [TSR_DTYPE_UINT16] = sum_u16_narrow,
    [TSR_DTYPE_UINT32] = sum_u32_narrow};
")

# Counts of what is not zero: the name; the integer of which a number is made, its bytes, how many, and the bits that
# are 0 in a zero, of floats all but the sign.
foreach(row "8 u8 1 1 0xff" "16 u16 2 1 0xffff" "32 u32 4 1 0xffffffff" "64 u64 8 1 0xffffffffffffffff"
    "h16 u16 2 1 0x7fff" "f32 u32 4 1 0x7fffffff" "f64 u64 8 1 0x7fffffffffffffff" "c64 u64 8 1 0x7fffffff7fffffff"
    "c128 u64 8 2 0x7fffffffffffffff")
  separate_arguments(row UNIX_COMMAND "${row}")
  list(POP_FRONT row T WORD bytes parts mask)
  math(EXPR wide "${wide_bytes_${ISA}} / ${bytes}")
  fill(count "${text_count}" T ${T} WORD ${WORD} WIDE ${wide} PARTS ${parts} BITS ${mask})
  string(APPEND text "${count}")
endforeach()
string(APPEND text "
static tsr_narrow_loop *const counts[TSR_N_DTYPES] = {
    [TSR_DTYPE_BOOL] = count_8_narrow,        [TSR_DTYPE_INT8] = count_8_narrow,
    [TSR_DTYPE_INT16] = count_16_narrow,      [TSR_DTYPE_INT32] = count_32_narrow,
    [TSR_DTYPE_INT64] = count_64_narrow,      [TSR_DTYPE_UINT8] = count_8_narrow,
    [TSR_DTYPE_UINT16] = count_16_narrow,     [TSR_DTYPE_UINT32] = count_32_narrow,
    [TSR_DTYPE_UINT64] = count_64_narrow,     [TSR_DTYPE_FLOAT16] = count_h16_narrow,
    [TSR_DTYPE_FLOAT32] = count_f32_narrow,   [TSR_DTYPE_FLOAT64] = count_f64_narrow,
    [TSR_DTYPE_COMPLEX64] = count_c64_narrow, [TSR_DTYPE_COMPLEX128] = count_c128_narrow};
")

# The table. Dtypes without a reduction of their own are cast: float16, and for sums the small integers. any and all are
# the max and min of bytes 0 and 1.
set(entries "")
set(loops_of_values ".combine = F_combine, .pairs = F_pairs, .tree = F_tree")
set(loops_of_rows ", .rows = F_rows")
set(loops_of_scans ", .scan = F_scan")
set(loops_of_products
  ", .products = F_products, .product_rows = F_product_rows, .product_lines = {F_lines_products, NULL}")
set(loops_of_args ".combine = F_arg_combine, .pairs = F_arg_pairs, .tree = F_arg_tree, .leaves = F_arg_leaves")
function(add_entry reduction dtype name T members)
  fill(members "${members}" F "${name}_${T}")
  set(entries "${entries}  [TSR_REDUCE_${reduction}][TSR_DTYPE_${dtype}] = {${members}},\n" PARENT_SCOPE)
endfunction()
foreach(row "INT64 u64" "UINT64 u64" "FLOAT32 f32" "FLOAT64 f64" "COMPLEX64 c64" "COMPLEX128 c128")
  separate_arguments(row UNIX_COMMAND "${row}")
  set(products "")
  if(row MATCHES "FLOAT")
    set(products "${loops_of_products}")
  elseif(row MATCHES "COMPLEX")
    set(products ", .products = F_products, .conjugates = F_conjugates")
    string(APPEND products ", .product_lines = {F_lines_products, F_lines_conjugates}")
  endif()
  list(POP_FRONT row dtype T)
  if(dtype MATCHES "INT")
    set(products ", .narrow = narrow_${dtype}")
  endif()
  add_entry(SUM ${dtype} sum ${T} "${loops_of_values}${loops_of_rows}${loops_of_scans}${products}")
  if(dtype MATCHES "COMPLEX")
    add_entry(PROD ${dtype} prod ${T} "${loops_of_values}${loops_of_scans}")
  else()
    add_entry(PROD ${dtype} prod ${T} "${loops_of_values}${loops_of_rows}${loops_of_scans}")
  endif()
endforeach()
foreach(row "BOOL b8" "INT8 i8" "INT16 i16" "INT32 i32" "INT64 i64" "UINT8 u8" "UINT16 u16" "UINT32 u32" "UINT64 u64"
    "FLOAT32 f32" "FLOAT64 f64" "COMPLEX64 c64" "COMPLEX128 c128")
  separate_arguments(row UNIX_COMMAND "${row}")
  list(POP_FRONT row dtype T)
  set(any ", .any_levels = true")
  set(rows "${loops_of_rows}")
  set(scans "${loops_of_scans}")
  if(dtype MATCHES "COMPLEX")
    set(any "")
    set(rows "")
    set(scans "")
  endif()
  foreach(name min max)
    string(TOUPPER ${name} NAME)
    set(number ${name}) # of what is not NaN
    if(dtype MATCHES "FLOAT|COMPLEX")
      set(number nan${name})
    endif()
    add_entry(${NAME} ${dtype} ${name} ${T} "${loops_of_values}${rows}${scans}${any}")
    add_entry(NAN${NAME} ${dtype} ${number} ${T} "${loops_of_values}${rows}${any}")
  endforeach()
  add_entry(ARGMIN ${dtype} min ${T} "${loops_of_args}${any}")
  add_entry(ARGMAX ${dtype} max ${T} "${loops_of_args}${any}")
endforeach()
add_entry(COUNT INT64 sum u64 "${loops_of_values}${loops_of_rows}, .narrow = counts")
add_entry(ANY BOOL max b8 "${loops_of_values}${loops_of_rows}, .any_levels = true")
add_entry(ALL BOOL min b8 "${loops_of_values}${loops_of_rows}, .any_levels = true")

file(WRITE ${OUT} "${text}
const tsr_reduce_loops tsr__reduce_${ISA}[TSR_N_REDUCTIONS][TSR_N_DTYPES] = {
${entries}};
")
