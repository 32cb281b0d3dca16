/* Powers of integers, by squaring, in the manner of kernel/ops/ops_math.h. They wrap; a negative
 * exponent gives what is left of the fraction: 1 or -1 for those bases, else 0. Those of fewer than
 * 32 bits are the low bits of these. */
#ifndef TSR_OPS_POWER_H
#define TSR_OPS_POWER_H

#include "kernel/ops/ops_scalar.h"

TSR_MATH u64 power_u64(u64 x, u64 y)
{
  u64 result = splat_u64(1), square = x;
  for (u64 e = y; some_f64(e != 0); e >>= 1) {
    result *= select_u64((e & 1) != 0, square, 1);
    square *= square;
  }
  return result;
}
TSR_MATH u32 power_u32(u32 x, u32 y)
{
  u32 result = splat_u32(1), square = x;
  for (u32 e = y; some_f32(e != 0); e >>= 1) {
    result *= select_u32((e & 1) != 0, square, 1);
    square *= square;
  }
  return result;
}
/* 1 and -1 take any exponent of the same last bit. */
TSR_MATH i64 power_i64(i64 x, i64 y)
{
  const u64 e = select_u64(y < 0, (u64)(y & 1), (u64)y);
  return (i64)select_u64((y >= 0) | (x == 1) | (x == -1), power_u64((u64)x, e), 0);
}
TSR_MATH i32 power_i32(i32 x, i32 y)
{
  const u32 e = select_u32(y < 0, (u32)(y & 1), (u32)y);
  return (i32)select_u32((y >= 0) | (x == 1) | (x == -1), power_u32((u32)x, e), 0);
}

TSR_SCALAR uint8_t power_u8(uint8_t x, uint8_t y)
{
  return (uint8_t)power_u32(x, y);
}
TSR_SCALAR int8_t power_i8(int8_t x, int8_t y)
{
  return (int8_t)power_i32(x, y);
}
TSR_SCALAR uint16_t power_u16(uint16_t x, uint16_t y)
{
  return (uint16_t)power_u32(x, y);
}
TSR_SCALAR int16_t power_i16(int16_t x, int16_t y)
{
  return (int16_t)power_i32(x, y);
}

#endif
