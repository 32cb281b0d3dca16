/* NumPy's promotion of two dtypes, as a table that NumPy 2 gave, and its short names for them. */
#ifndef TESTS_PROMOTION_H
#define TESTS_PROMOTION_H

#include "kernel/ir/kernel.h"

enum {
  b = TSR_BOOL,
  i4 = TSR_INT32,
  i8 = TSR_INT64,
  f4 = TSR_FLOAT32,
  f8 = TSR_FLOAT64,
  i1 = TSR_INT8,
  i2 = TSR_INT16,
  u1 = TSR_UINT8,
  u2 = TSR_UINT16,
  u4 = TSR_UINT32,
  u8 = TSR_UINT64,
  f2 = TSR_FLOAT16,
  c8 = TSR_COMPLEX64,
  c16 = TSR_COMPLEX128,
};

static const int numpy_promotes[TSR_N_DTYPES][TSR_N_DTYPES] = {
    {b, i4, i8, f4, f8, i1, i2, u1, u2, u4, u8, f2, c8, c16},
    {i4, i4, i8, f8, f8, i4, i4, i4, i4, i8, f8, f8, c16, c16},
    {i8, i8, i8, f8, f8, i8, i8, i8, i8, i8, f8, f8, c16, c16},
    {f4, f8, f8, f4, f8, f4, f4, f4, f4, f8, f8, f4, c8, c16},
    {f8, f8, f8, f8, f8, f8, f8, f8, f8, f8, f8, f8, c16, c16},
    {i1, i4, i8, f4, f8, i1, i2, i2, i4, i8, f8, f2, c8, c16},
    {i2, i4, i8, f4, f8, i2, i2, i2, i4, i8, f8, f4, c8, c16},
    {u1, i4, i8, f4, f8, i2, i2, u1, u2, u4, u8, f2, c8, c16},
    {u2, i4, i8, f4, f8, i4, i4, u2, u2, u4, u8, f4, c8, c16},
    {u4, i8, i8, f8, f8, i8, i8, u4, u4, u4, u8, f8, c16, c16},
    {u8, f8, f8, f8, f8, f8, f8, u8, u8, u8, u8, f8, c16, c16},
    {f2, f8, f8, f4, f8, f2, f4, f2, f4, f8, f8, f2, c8, c16},
    {c8, c16, c16, c8, c16, c8, c8, c8, c8, c16, c16, c8, c8, c16},
    {c16, c16, c16, c16, c16, c16, c16, c16, c16, c16, c16, c16, c16, c16},
};

#endif
