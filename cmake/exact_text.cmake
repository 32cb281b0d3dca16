# Writes the functions of floats whose results are exact as a header, from kernel/ops/ops_exact.h.in:
#   cmake -D OUT=FILE -D DIR=kernel -P exact_text.cmake
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/templates.cmake)

read_template(exact ${DIR}/ops/ops_exact.h.in)

# MANTISSA and SIGNBIT: bits below the exponent and below the sign. BIAS: of exponents. FROMONE, FROMTINY: what a float
# whose last place is 1 has beyond the exponent that is put into its bits, by MAGIC, of a normal number or of one that was
# multiplied by GROW. SHIFT: a float whose last places are those of a whole number. FAR, FEW: beyond all exponents, and
# beyond what is left of one.
fill(of_f64 "${exact}" T f64 U u64 M m64 INFBITS INF64 ZERO 0.0 HALF 0.5 ONE 1.0 LEAST 0x1p-1074 TINY 0x1p-1022
  GROW 0x1p54 SIGNBIT 63 MANTISSA 52 BIAS 1023 MAGIC 0x4330000000000000u FROMTINY "0x1p52 + 1077" FROMONE "0x1p52 + 1023"
  LOWBITS 0x000fffffffffffffu ONEBITS 0x3ff0000000000000u SHIFT 0x1.8p52 FAR 5000.0 HIGHEST 1023.0 LOWEST 1022.0
  FEW 100.0)
fill(of_f32 "${exact}" T f32 U u32 M m32 INFBITS INF32 ZERO 0.0f HALF 0.5f ONE 1.0f LEAST 0x1p-149f TINY 0x1p-126f
  GROW 0x1p24f SIGNBIT 31 MANTISSA 23 BIAS 127 MAGIC 0x4b000000u FROMTINY "0x1p23f + 151" FROMONE "0x1p23f + 127"
  LOWBITS 0x007fffffu ONEBITS 0x3f800000u SHIFT 0x1.8p23f FAR 500.0f HIGHEST 127.0f LOWEST 126.0f FEW 30.0f)

file(WRITE ${OUT} "/* Made by cmake/exact_text.cmake from kernel/ops/ops_exact.h.in. */
#ifndef TSR_OPS_EXACT_H
#define TSR_OPS_EXACT_H

#include \"kernel/ops/ops_scalar.h\"

${of_f64}${of_f32}
#endif
")
