# Writes the loops of matrix products (kernel/library/matmul.h) for the instruction set ISA as a C file:
#   cmake -D OUT=…_ISA.c -D DIR=kernel -P matmul_text.cmake
# The loops on one type are the text of kernel/library/matmul_loops.c.in with the type's name for T; those on complex
# numbers, whose parts are of that type, the text of kernel/library/matmul_complex.c.in behind it.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/templates.cmake)

string(REGEX REPLACE ".*_([a-z0-9]+)[.]c$" "\\1" ISA "${OUT}")

# The rows of a tile, and of one of complex numbers, whose chains are twice as many; lanes of a vector by the bytes of a
# lane; how the product of two floats is added with one rounding, or subtracted.
if(ISA STREQUAL "avx512")
  set(rows 14)
  set(complex_rows 7)
  set(lanes_1 64)
  set(lanes_4 16)
  set(lanes_8 8)
  set(fused_f64 "_mm512_fmadd_pd(b, _mm512_set1_pd(a), v)")
  set(unlike_f64 "_mm512_fnmadd_pd(b, _mm512_set1_pd(a), v)")
  set(fused_f32 "_mm512_fmadd_ps(b, _mm512_set1_ps(a), v)")
  set(unlike_f32 "_mm512_fnmadd_ps(b, _mm512_set1_ps(a), v)")
elseif(ISA STREQUAL "avx2")
  set(rows 6)
  set(complex_rows 3)
  set(lanes_1 32)
  set(lanes_4 8)
  set(lanes_8 4)
  set(fused_f64 "_mm256_fmadd_pd(b, _mm256_set1_pd(a), v)")
  set(unlike_f64 "_mm256_fnmadd_pd(b, _mm256_set1_pd(a), v)")
  set(fused_f32 "_mm256_fmadd_ps(b, _mm256_set1_ps(a), v)")
  set(unlike_f32 "_mm256_fnmadd_ps(b, _mm256_set1_ps(a), v)")
else()
  set(rows 4)
  set(complex_rows 2)
  set(lanes_1 16)
  set(lanes_4 4)
  set(lanes_8 2)
  set(fused_f64 "each_fma_f64(v, b, a)")
  set(unlike_f64 "each_fma_f64(v, b, -a)")
  set(fused_f32 "each_fma_f32(v, b, a)")
  set(unlike_f32 "each_fma_f32(v, b, -a)")
endif()

set(text [[
/* Made by cmake/matmul_text.cmake from kernel/library/matmul_loops.c.in. */
#include "kernel/library/matmul.h"

#include <immintrin.h>
#include <string.h>

#include "kernel/cpu/lanes.h"
#include "kernel/ops/ops_scalar.h"

#define TSR_INLINED static inline __attribute__((always_inline))

enum {
  MOST_SLIM = 64, /* rows of columns that are fewer than a vector's lanes, to be packed */
  LEAST_SLIM = 4  /* rows that are worth it */
};
]])

set(vector [[

typedef T vec_T __attribute__((vector_size(LANES * sizeof(T)), may_alias));
]])
# Without an instruction for it, a vector of fused products and sums is made lane by lane.
set(each_fma [[

static inline vec_T each_fma_T(vec_T v, vec_T b, T a)
{
  for (int l = 0; l < LANES; l++) v[l] = fma_T(b[l], a, v[l]);
  return v;
}
]])
# v plus the vector b times the number a, and the sum of two sums; for bools `or` and `and`.
set(sums [[

static inline vec_T times_add_T(vec_T v, vec_T b, T a)
{
  return PRODUCT;
}
static inline T times_add_one_T(T v, T b, T a)
{
  return ONE;
}
static inline vec_T join_T(vec_T a, vec_T b)
{
  return JOINED;
}
static inline T join_one_T(T a, T b)
{
  return JOINED;
}
]])
# v minus such a product, of floats.
set(differences [[

static inline vec_T times_subtract_T(vec_T v, vec_T b, T a)
{
  return PRODUCT;
}
]])
read_template(loops ${DIR}/library/matmul_loops.c.in)
read_template(complex_loops ${DIR}/library/matmul_complex.c.in)

# Rows v of 16 bytes as columns w, by way of u, by the bytes of an element.
set(side_1 1)
set(turned_1 "(void)u, w[0] = v[0]")
set(side_8 2)
set(turned_8 "(void)u, w[0] = TSR_SHUFFLE(side_mask_T, v[0], v[1], 0, 2), w[1] = TSR_SHUFFLE(side_mask_T, v[0], v[1], 1, 3)")
set(side_4 4)
set(turned_4 "(void)0")
foreach(k 0 2)
  math(EXPR next "${k} + 1")
  string(APPEND turned_4 ", u[${k}] = TSR_SHUFFLE(side_mask_T, v[${k}], v[${next}], 0, 4, 1, 5)")
  string(APPEND turned_4 ", u[${next}] = TSR_SHUFFLE(side_mask_T, v[${k}], v[${next}], 2, 6, 3, 7)")
endforeach()
foreach(k 0 1)
  math(EXPR first "2 * ${k}")
  math(EXPR second "2 * ${k} + 1")
  math(EXPR other "${k} + 2")
  string(APPEND turned_4 ", w[${first}] = TSR_SHUFFLE(side_mask_T, u[${k}], u[${other}], 0, 1, 4, 5)")
  string(APPEND turned_4 ", w[${second}] = TSR_SHUFFLE(side_mask_T, u[${k}], u[${other}], 2, 3, 6, 7)")
endforeach()

set(entries "")
foreach(row "b8 i8 1 BOOL" "u32 i32 4 INT32" "f32 i32 4 FLOAT32" "u64 i64 8 INT64" "f64 i64 8 FLOAT64")
  separate_arguments(row UNIX_COMMAND "${row}")
  list(POP_FRONT row T WORD bytes dtype)
  set(n ${lanes_${bytes}})
  set(made "${vector}")
  set(product "v + b * a")
  set(one "v + b * a")
  set(joined "a + b")
  if(T STREQUAL "b8")
    set(product "v | (b & a)")
    set(one "v | (b & a)")
    set(joined "a | b")
  elseif(T MATCHES "^f")
    set(product "${fused_${T}}")
    set(one "fma_${T}(b, a, v)")
    if(product MATCHES "each_fma")
      string(APPEND made "${each_fma}")
    endif()
  endif()
  math(EXPR columns "2 * ${n}")
  string(REPLACE "mask_T" "mask_${T}" turned "${turned_${bytes}}")
  fill(made "${made}${sums}${loops}"
    TURNED "${turned}" SIDE ${side_${bytes}} WORD ${WORD}
    PRODUCT "${product}" ONE "${one}" JOINED "${joined}" T ${T} LANES ${n} ROWS ${rows})
  string(APPEND text "${made}")
  fill(entry "{ROWS, COLUMNS, micro_T, pack_rows_T, pack_columns_T, put_T, small_T}" T ${T} ROWS ${rows} COLUMNS ${columns})
  string(APPEND entries "  [TSR_DTYPE_${dtype}] = ${entry},\n")
  if(NOT T MATCHES "^f")
    continue()
  endif()
  # Shuffles inside 16 bytes, where `g` lanes lie: every other lane of two vectors, and the way back.
  math(EXPR g "16 / ${bytes}")
  set(half "${g} / 2")
  lane_numbers(reals ${n} "i / ${g} * ${g} + i % ${g} % (${half}) * 2 + i % ${g} / (${half}) * ${n}")
  lane_numbers(imags ${n} "i / ${g} * ${g} + i % ${g} % (${half}) * 2 + i % ${g} / (${half}) * ${n} + 1")
  lane_numbers(firsts ${n} "i / ${g} * ${g} + i % ${g} % 2 * ${n} + i % ${g} / 2")
  lane_numbers(seconds ${n} "i / ${g} * ${g} + i % ${g} % 2 * ${n} + i % ${g} / 2 + ${half}")
  fill(made "${differences}${complex_loops}" PRODUCT "${unlike_${T}}" REALS "${reals}" IMAGS "${imags}"
    FIRSTS "${firsts}" SECONDS "${seconds}" T ${T} WORD ${WORD} LANES ${n} CROWS ${complex_rows})
  string(APPEND text "${made}")
  string(REPLACE "FLOAT32" "COMPLEX64" dtype "${dtype}")
  string(REPLACE "FLOAT64" "COMPLEX128" dtype "${dtype}")
  fill(entry "{ROWS, COLUMNS, complex_micro_T, complex_pack_rows_T, complex_pack_columns_T, complex_put_T, complex_small_T}"
    T ${T} ROWS ${complex_rows} COLUMNS ${n})
  string(APPEND entries "  [TSR_DTYPE_${dtype}] = ${entry},\n")
endforeach()

file(WRITE ${OUT} "${text}
const tsr_matmul_loops tsr__matmul_${ISA}[TSR_N_DTYPES] = {
${entries}};
")
