/* The meaning of kernels, written for the tests without regard to speed and without the library's
 * loops but those of functions. */
#include "tests/kernel/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "kernel/cpu/interp.h"

static bool is_float(tsr_dtype d)
{
  return d == TSR_FLOAT32 || d == TSR_FLOAT64;
}

static tsr_scalar of_bool(bool v)
{
  return (tsr_scalar){.dtype = TSR_BOOL, .u.i = v};
}

static bool is_complex(tsr_dtype d)
{
  return d == TSR_COMPLEX64 || d == TSR_COMPLEX128;
}

static tsr_scalar of_int(tsr_dtype dtype, uint64_t v)
{
  tsr_scalar out = {.dtype = dtype, .u.words = {0, 0}};
  memcpy(&out.u, &v, tsr__dtype_size(dtype));
  return out;
}

static int64_t int_of(tsr_scalar x)
{
  switch (x.dtype) {
  case TSR_INT8:
    return (int8_t)x.u.i;
  case TSR_INT16:
    return (int16_t)x.u.i;
  case TSR_INT32:
    return x.u.i32;
  default:
    return x.u.i;
  }
}

static double part(tsr_scalar x, int i)
{
  return x.dtype == TSR_COMPLEX64 ? (double)x.u.c64[i] : x.u.c128[i];
}

static bool is_nan(tsr_scalar x)
{
  if (is_complex(x.dtype)) return isnan(part(x, 0)) || isnan(part(x, 1));
  return (x.dtype == TSR_FLOAT32 && isnan(x.u.f32)) || (x.dtype == TSR_FLOAT64 && isnan(x.u.f));
}

static int compare_doubles(double a, double b)
{
  return isnan(a) || isnan(b) ? 2 : (a > b) - (a < b);
}

/* -1, 0, 1; 2 where unordered. */
static int compare(tsr_scalar x, tsr_scalar y)
{
  if (is_complex(x.dtype)) {
    const int re = compare_doubles(part(x, 0), part(y, 0));
    const int im = compare_doubles(part(x, 1), part(y, 1));
    return re == 0 ? im : im == 2 ? 2 : re;
  }
  if (is_nan(x) || is_nan(y)) return 2;
  if (x.dtype == TSR_UINT64) return (x.u.bits > y.u.bits) - (x.u.bits < y.u.bits);
  if (!is_float(x.dtype)) return (int_of(x) > int_of(y)) - (int_of(x) < int_of(y));
  const double a = x.dtype == TSR_FLOAT32 ? x.u.f32 : x.u.f;
  const double b = y.dtype == TSR_FLOAT32 ? y.u.f32 : y.u.f;
  return (a > b) - (a < b);
}

static tsr_scalar op_float64(tsr_opcode op, double x, double y)
{
  tsr_scalar out = {.dtype = TSR_FLOAT64};
  switch (op) {
  case TSR_OP_ADD:
    out.u.f = x + y;
    break;
  case TSR_OP_SUBTRACT:
    out.u.f = x - y;
    break;
  case TSR_OP_MULTIPLY:
    out.u.f = x * y;
    break;
  case TSR_OP_DIVIDE:
    out.u.f = x / y;
    break;
  case TSR_OP_NEGATIVE:
    out.u.f = copysign(x, signbit(x) ? 1.0 : -1.0);
    break;
  case TSR_OP_ABSOLUTE:
    out.u.f = copysign(x, 1.0);
    break;
  case TSR_OP_SQUARE:
    out.u.f = x * x;
    break;
  case TSR_OP_SQRT:
    out.u.f = sqrt(x);
    break;
  case TSR_OP_REAL:
  case TSR_OP_CONJ:
    out.u.f = x;
    break;
  case TSR_OP_IMAG:
    break;
  default:
    cr_assert_fail("no reference for operation %d", op);
  }
  return out;
}

/* The operation in float32 is the one in float64 rounded once: 53 bits are more than 2 * 24 + 1. */
static tsr_scalar op_float32(tsr_opcode op, float x, float y)
{
  const double v = op_float64(op, x, y).u.f;
  tsr_scalar out = {.dtype = TSR_FLOAT32, .u.bits = 0};
  out.u.f32 = (float)v;
  return out;
}

static tsr_scalar op_integer(tsr_opcode op, tsr_dtype dtype, tsr_scalar x, tsr_scalar y)
{
  const uint64_t a = (uint64_t)int_of(x), b = (uint64_t)int_of(y);
  switch (op) {
  case TSR_OP_ADD:
    return dtype == TSR_BOOL ? of_bool(a || b) : of_int(dtype, a + b);
  case TSR_OP_SUBTRACT:
    return of_int(dtype, a - b);
  case TSR_OP_MULTIPLY:
    return of_int(dtype, a * b);
  case TSR_OP_SQUARE:
    return of_int(dtype, a * a);
  case TSR_OP_NEGATIVE:
    return of_int(dtype, 0 - a);
  case TSR_OP_ABSOLUTE:
    return of_int(dtype, tsr__dtype_kind(dtype) == TSR_KIND_INT && int_of(x) < 0 ? 0 - a : a);
  case TSR_OP_BITWISE_AND:
    return of_int(dtype, a & b);
  case TSR_OP_BITWISE_OR:
    return of_int(dtype, a | b);
  case TSR_OP_BITWISE_XOR:
    return of_int(dtype, a ^ b);
  case TSR_OP_INVERT:
    return dtype == TSR_BOOL ? of_bool(!a) : of_int(dtype, ~a);
  case TSR_OP_LEFT_SHIFT:
    return of_int(dtype, b < 8 * tsr__dtype_size(dtype) ? a << b : 0);
  case TSR_OP_RIGHT_SHIFT:
    if (tsr__dtype_kind(dtype) == TSR_KIND_INT)
      return of_int(dtype, (uint64_t)(int_of(x) >> (b < 64 ? b : 63)));
    return of_int(dtype, b < 64 ? a >> b : 0);
  case TSR_OP_REAL:
  case TSR_OP_CONJ:
    return x;
  case TSR_OP_IMAG:
    return of_int(dtype, 0);
  case TSR_OP_LOGICAL_AND:
    return of_bool(a && b);
  case TSR_OP_LOGICAL_OR:
    return of_bool(a || b);
  case TSR_OP_LOGICAL_NOT:
    return of_bool(!a);
  default:
    cr_assert_fail("no reference for operation %d", op);
  }
  return x;
}

static double rounded(tsr_dtype compute, double x)
{
  return compute == TSR_COMPLEX64 ? (double)(float)x : x;
}

/* Each product and sum rounded to the parts' type. */
static tsr_scalar op_complex(tsr_opcode op, tsr_dtype compute, tsr_scalar x, tsr_scalar y)
{
  const double a = part(x, 0), b = part(x, 1);
  const bool square = op == TSR_OP_SQUARE;
  const double c = square ? a : part(y, 0), d = square ? b : part(y, 1);
  double re = 0, im = 0;
  switch (op) {
  case TSR_OP_ADD:
    re = a + c, im = b + d;
    break;
  case TSR_OP_SUBTRACT:
    re = a - c, im = b - d;
    break;
  case TSR_OP_NEGATIVE:
    re = -a, im = -b;
    break;
  case TSR_OP_CONJ:
    re = a, im = -b;
    break;
  case TSR_OP_REAL:
  case TSR_OP_IMAG:
    return tsr__scalar_cast((tsr_scalar){.dtype = TSR_FLOAT64, .u.f = op == TSR_OP_REAL ? a : b},
                            tsr__dtype_part(compute));
  case TSR_OP_MULTIPLY:
  case TSR_OP_SQUARE:
    re = rounded(compute, a * c) - rounded(compute, b * d);
    im = rounded(compute, a * d) + rounded(compute, b * c);
    break;
  default:
    cr_assert_fail("no reference for operation %d", op);
  }
  tsr_scalar out = {.dtype = TSR_COMPLEX128, .u.c128 = {re, im}};
  return tsr__scalar_cast(out, compute);
}

static tsr_scalar op_two(tsr_opcode op, tsr_dtype compute, tsr_scalar x, tsr_scalar y)
{
  const int order = compare(x, y);
  switch (op) {
  case TSR_OP_EQUAL:
    return of_bool(order == 0);
  case TSR_OP_NOT_EQUAL:
    return of_bool(order != 0);
  case TSR_OP_LESS:
    return of_bool(order == -1);
  case TSR_OP_LESS_EQUAL:
    return of_bool(order == -1 || order == 0);
  case TSR_OP_GREATER:
    return of_bool(order == 1);
  case TSR_OP_GREATER_EQUAL:
    return of_bool(order == 1 || order == 0);
  case TSR_OP_MINIMUM:
    return is_nan(x) || order == -1 || (is_complex(compute) && order == 0) ? x : y;
  case TSR_OP_MAXIMUM:
    return is_nan(x) || order == 1 || (is_complex(compute) && order == 0) ? x : y;
  default:
    break;
  }
  if (is_complex(compute)) return op_complex(op, compute, x, y);
  if (compute == TSR_FLOAT64) return op_float64(op, x.u.f, y.u.f);
  if (compute == TSR_FLOAT32) return op_float32(op, x.u.f32, y.u.f32);
  return op_integer(op, compute, x, y);
}

static tsr_scalar op_function(tsr_opcode op, tsr_dtype compute, int n, const tsr_scalar *args)
{
  const tsr_loop loop = tsr__loops_baseline.op[op][compute][n - 1];
  tsr_dtype c, result;
  tsr__op_dtypes(op, compute, &c, &result);
  uint64_t in[2][2] = {{0}}, out[2] = {0};
  for (int i = 0; i < n; i++) tsr__scalar_store(args[i], in[i]);
  loop(1, out, (const void *const[]){in[0], in[1]});
  return tsr__scalar_load(result, out);
}

/* Of complex numbers: tested in test_complex.c. */
static bool is_by_loops(tsr_opcode op)
{
  return op == TSR_OP_DIVIDE || op == TSR_OP_ABSOLUTE || op == TSR_OP_SQRT ||
         (op >= TSR_OP_POSITIVE && op <= TSR_OP_HEAVISIDE);
}

tsr_scalar reference_op(tsr_opcode op, tsr_dtype compute, int n, const tsr_scalar *args)
{
  if (op == TSR_OP_WHERE) return args[0].u.i ? args[1] : args[2];
  if ((op >= TSR_OP_EXP && op <= TSR_OP_HYPOT) || (is_complex(compute) && is_by_loops(op)))
    return op_function(op, compute, n, args);
  if (op >= TSR_OP_POSITIVE && op <= TSR_OP_HEAVISIDE) return reference_exact(op, compute, n, args);
  tsr_scalar out = op_two(op, compute, args[0], args[n > 1 ? 1 : 0]);
  for (int i = 2; i < n; i++) out = op_two(op, compute, out, args[i]);
  return out;
}

static void run_point(const tsr_kernel *k, const tsr_kernel_bind *bind, const int64_t *at)
{
  tsr_scalar *v = calloc(k->n_instrs + 1, sizeof *v);
  for (int i = 0; i < k->n_instrs; i++) {
    const tsr_instr *in = &k->instrs[i];
    const uint16_t *args = k->args + in->first_arg;
    char *p = NULL;
    if (in->kind == TSR_I_LOAD || in->kind == TSR_I_STORE) {
      p = bind->base[in->index];
      for (int a = 0; a < k->ndim; a++) p += at[a] * bind->stride_bytes[in->index][a];
    }
    tsr_scalar operands[TSR_MAX_OP_ARGS];
    for (int j = 0; j < in->n_args; j++) operands[j] = v[args[j]];
    switch (in->kind) {
    case TSR_I_LOAD:
      v[i] = tsr__scalar_load(in->dtype, p);
      break;
    case TSR_I_SCALAR:
      v[i] = bind->scalars[in->index];
      break;
    case TSR_I_IOTA:
      v[i] = of_int(TSR_INT64, bind->lo[in->index] + at[in->index]);
      break;
    case TSR_I_CAST:
      v[i] = tsr__scalar_cast(operands[0], in->dtype);
      break;
    case TSR_I_RANDOM:
      v[i] = of_int(TSR_INT64, (int64_t)reference_random_function(in->index, operands));
      break;
    case TSR_I_OP:
      v[i] = reference_op(in->index, in->compute, in->n_args, operands);
      break;
    default:
      tsr__scalar_store(operands[0], p);
    }
  }
  free(v);
}

void reference_run(const tsr_kernel *k, const tsr_kernel_bind *bind)
{
  int64_t at[TSR_MAX_NDIM] = {0};
  for (int a = 0; a < k->ndim; a++) {
    if (bind->n[a] == 0) return;
  }
  for (int a = 0; a >= 0;) {
    run_point(k, bind, at);
    for (a = k->ndim - 1; a >= 0; a--) {
      if (++at[a] < bind->n[a]) break;
      at[a] = 0;
    }
  }
}

bool reference_same(tsr_scalar a, tsr_scalar b)
{
  if (a.dtype != b.dtype) return false;
  if (is_complex(a.dtype)) {
    for (int i = 0; i < 2; i++) {
      const double x = part(a, i), y = part(b, i);
      if (!(isnan(x) && isnan(y)) && memcmp(&x, &y, sizeof x) != 0) return false;
    }
    return true;
  }
  if (a.dtype == TSR_FLOAT16 && (a.u.f16 & 0x7fff) > 0x7c00) return (b.u.f16 & 0x7fff) > 0x7c00;
  return (is_nan(a) && is_nan(b)) || a.u.bits == b.u.bits;
}

uint64_t reference_random(uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state * 0x2545f4914f6cdd1du >> 8;
}

tsr_scalar reference_value(uint64_t *state, tsr_dtype dtype)
{
  if (is_complex(dtype)) {
    tsr_scalar z = {.dtype = TSR_COMPLEX128, .u.words = {0, 0}};
    for (int i = 0; i < 2; i++) z.u.c128[i] = reference_value(state, TSR_FLOAT64).u.f;
    return tsr__scalar_cast(z, dtype);
  }
  static const double specials[] = {0.0,      -0.0,      1.0,       -1.0,     0.5,     NAN,
                                    INFINITY, -INFINITY, 0x1p-1074, 0x1p-149, 1e308,   -1e308,
                                    3e38,     0x1p31,    -0x1p31,   0x1p63,   -0x1p63, 0x1p-1022};
  static const int64_t ints[] = {0, 1, -1, 2, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 1 << 24};
  const uint64_t kind = reference_random(state) % 4, r = reference_random(state);
  const bool real = is_float(dtype) || dtype == TSR_FLOAT16;
  tsr_scalar x = {.dtype = real ? TSR_FLOAT64 : TSR_INT64, .u.words = {0, 0}};
  if (!real) {
    x.u.i = kind == 0   ? ints[r % (sizeof ints / sizeof *ints)]
            : kind == 1 ? (int64_t)(r << 8 ^ reference_random(state))
                        : (int64_t)(r % 9) - 4;
  } else if (kind == 0) {
    x.u.f = specials[r % (sizeof specials / sizeof *specials)];
  } else if (kind == 1) {
    x.u.f = ldexp((double)(r % 20001) - 10000.0, (int)(reference_random(state) % 90) - 45);
  } else {
    x.u.f = ((double)(r % 17) - 8.0) / 4.0;
  }
  return tsr__scalar_cast(x, dtype);
}

void reference_interpret(const tsr_kernel *k, const tsr_kernel_bind *bind)
{
  const size_t bytes = (tsr__kernel_scratch_bytes(k) + 63) / 64 * 64;
  void *scratch = aligned_alloc(64, bytes ? bytes : 64);
  cr_assert_not_null(scratch);
  memset(scratch, 0xff, bytes);
  tsr__kernel_run(k, bind, scratch);
  free(scratch);
}
