# Writes the helpers of ops.def that are the same for several types (kernel/ops/ops_c.h) as a header:
#   cmake -D OUT=FILE -D DIR=kernel -P ops_text.cmake
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/templates.cmake)

set(text "/* Made by cmake/ops_text.cmake; a part of kernel/ops/ops_c.h. */\n")

# Integers, signed and not.
set(signed [[

TSR_SCALAR T abs_T(T x)
{
  return x < 0 ? (T)(0 - (U)x) : x;
}
TSR_SCALAR T shr_T(T x, T y)
{
  return (T)(x >> ((U)y < 8 * sizeof(T) ? y : (T)(8 * sizeof(T) - 1)));
}
/* Returns whether a rest of x by y differs from y in sign. */
TSR_SCALAR int is_across_T(T rest, T y)
{
  return (rest != 0) & ((rest ^ y) < 0);
}
]])
set(unsigned [[

TSR_SCALAR T abs_T(T x)
{
  return x;
}
TSR_SCALAR T shr_T(T x, T y)
{
  return (U)y < 8 * sizeof(T) ? (T)(x >> y) : (T)0;
}
TSR_SCALAR int is_across_T(T rest, T y)
{
  return (void)rest, (void)y, 0;
}
]])

# Division towards 0, of y neither 0 nor -1. A quotient of two short integers differs by so much from a whole one, if it
# is none, that the rounding of F does not reach it; and processors divide floats side by side. Of long integers double
# does so for numbers near 0: *_near. Most processors convert no vectors of 64-bit integers, but the low bits of a double
# at 1.5 * 2^52 are those of a number. whole_T is of a whole float. I: integers that F becomes before T.
set(short [[

TSR_SCALAR uint64_t is_far_T(T x)
{
  return (void)x, 0;
}
TSR_SCALAR F float_T(T x)
{
  return (F)x;
}
TSR_SCALAR T whole_T(F x)
{
  return (T)(I)x;
}
TSR_SCALAR T quotient_T(T x, T y)
{
  return (T)(I)((F)x / (F)y);
}
TSR_SCALAR T quotient_near_T(T x, T y)
{
  return quotient_T(x, y);
}
]])
set(long [[

TSR_SCALAR uint64_t is_far_T(T x)
{
  return ISFAR;
}
TSR_SCALAR double float_T(T x)
{
  return from_bits_f64((uint64_t)x + 0x4338000000000000) - 0x1.8p52;
}
TSR_SCALAR T whole_T(double x)
{
  return (T)(bits_of_f64(x + 0x1.8p52) - 0x4338000000000000);
}
TSR_SCALAR T quotient_T(T x, T y)
{
  return (T)(x / y);
}
TSR_SCALAR T quotient_near_T(T x, T y)
{
  return whole_T(trunc_f64(float_T(x) / float_T(y)));
}
]])
set(near [[
TSR_SCALAR T fmod_near_T(T x, T y)
{
  return fmod_of_T(x, y, quotient_near_T(x, divisor_T(y)));
}
TSR_SCALAR T remainder_near_T(T x, T y)
{
  return remainder_of_T(x, y, quotient_near_T(x, divisor_T(y)));
}
TSR_SCALAR T floor_divide_near_T(T x, T y)
{
  return floor_divide_of_T(x, y, quotient_near_T(x, divisor_T(y)));
}
]])
read_template(integer ${DIR}/ops/ops_integer.h.in)

# A type; U; its least value; F and I of short ones.
foreach(row "i8 u32 INT8_MIN f32 i32" "i16 u32 INT16_MIN f32 i32" "i32 u32 INT32_MIN f64 i32" "i64 u64 INT64_MIN"
    "u8 u32 0 f32 i32" "u16 u32 0 f32 i32" "u32 u32 0 f64 u32" "u64 u64 0")
  separate_arguments(row UNIX_COMMAND "${row}")
  list(POP_FRONT row T U LEAST F I)
  set(sign ${unsigned})
  set(is_far "(uint64_t)x >> 50")
  if(T MATCHES "^i")
    set(sign ${signed})
    set(is_far "((uint64_t)x + ((uint64_t)1 << 50)) >> 51")
  endif()
  set(division ${long})
  if(F)
    set(division ${short})
  endif()
  fill(made "${sign}${division}${integer}${near}" ISFAR "${is_far}" T ${T} U ${U} LEAST ${LEAST} F "${F}" I "${I}")
  string(APPEND text "${made}")
endforeach()

# Floats.
set(float [[

TSR_SCALAR T add_T(T x, T y)
{
  return x + y;
}
TSR_SCALAR T sub_T(T x, T y)
{
  return x - y;
}
TSR_SCALAR T mul_T(T x, T y)
{
  return x * y;
}
TSR_SCALAR T neg_T(T x)
{
  return -x;
}
/* NumPy 2 on x86 gives the second operand of two equal ones, which shows for -0 and 0; so does this,
 * everywhere. */
TSR_SCALAR T min_T(T x, T y)
{
  return ((x < y) | (x != x)) ? x : y;
}
TSR_SCALAR T max_T(T x, T y)
{
  return ((x > y) | (x != x)) ? x : y;
}
/* What reductions combine two values to. Equal values differ only in the sign of a zero. */
TSR_SCALAR T least_T(T x, T y)
{
  const U first = bits_of_T(x) & -(U)(x <= y), second = bits_of_T(y) & -(U)(x >= y);
  return from_bits_T(first | second | -(U)((x != x) | (y != y)));
}
TSR_SCALAR T greatest_T(T x, T y)
{
  const U first = bits_of_T(x) | -(U)(x < y), second = bits_of_T(y) | -(U)(x > y);
  return from_bits_T((first & second) | -(U)((x != x) | (y != y)));
}
TSR_SCALAR T least_num_T(T x, T y)
{
  const U first = bits_of_T(x) & -(U)((x <= y) | (y != y));
  const U second = bits_of_T(y) & -(U)((x >= y) | (x != x));
  return from_bits_T(first | second);
}
TSR_SCALAR T greatest_num_T(T x, T y)
{
  const U first = bits_of_T(x) | -(U)((x < y) | (x != x));
  const U second = bits_of_T(y) | -(U)((x > y) | (y != y));
  return from_bits_T(first & second);
}
]])
foreach(row "f32 u32" "f64 u64")
  separate_arguments(row UNIX_COMMAND "${row}")
  list(POP_FRONT row T U)
  fill(made "${float}" T ${T} U ${U})
  string(APPEND text "${made}")
endforeach()

# Complex numbers and their parts.
read_template(rows ${DIR}/ops/ops_complex_rows.h.in)
read_template(calls ${DIR}/ops/ops_complex_calls.h.in)
set(complex "${rows}${calls}")
fill(of_c64 "${complex}" T c64 P f32 U u32)
fill(of_c128 "${complex}" T c128 P f64 U u64)

file(WRITE ${OUT} "${text}${of_c64}${of_c128}")
