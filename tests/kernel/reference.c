/* The meaning of kernels, written for the tests without regard to speed and without the library's
 * loops but those of functions. */
#include "tests/kernel/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "kernel/cpu/interp.h"
#include "tests/support/reference/cells.h"

static tsr_scalar of_int(tsr_dtype dtype, uint64_t v)
{
  tsr_scalar out = {.dtype = dtype, .u.words = {0, 0}};
  memcpy(&out.u, &v, tsr__dtype_size(dtype));
  return out;
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

static cell cell_of(tsr_scalar x)
{
  unsigned char bytes[16] = {0};
  tsr__scalar_store(x, bytes);
  if (is_complex(x.dtype)) return (cell){.v.f = part(x, 0), .im = part(x, 1)};
  if (is_float(x.dtype)) return (cell){.v.f = load_float(bytes, x.dtype)};
  return (cell){.v.i = load_int(bytes, x.dtype)};
}

static tsr_scalar scalar_of(cell x, tsr_dtype dtype)
{
  unsigned char bytes[16] = {0};
  if (is_complex(dtype)) {
    const tsr_scalar z = {.dtype = TSR_COMPLEX128, .u.c128 = {x.v.f, x.im}};
    return tsr__scalar_cast(z, dtype);
  }
  if (is_float(dtype))
    store_float(x.v.f, dtype, bytes);
  else
    store_int(x.v.i, dtype, bytes);
  return tsr__scalar_load(dtype, bytes);
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

/* More operands than two are a chain, from the left. */
tsr_scalar reference_op(tsr_opcode op, tsr_dtype compute, int n, const tsr_scalar *args)
{
  if ((op >= TSR_OP_EXP && op <= TSR_OP_HYPOT) || (is_complex(compute) && is_by_loops(op)))
    return op_function(op, compute, n, args);
  tsr_dtype c, result;
  tsr__op_dtypes(op, compute, &c, &result);
  cell x[3] = {{.err = 0}};
  const int arity = map_arity(op);
  for (int i = 0; i < arity; i++) x[i] = cell_of(args[i]);
  x[0] = cell_map(op, compute, x);
  for (int i = arity; i < n; i++) {
    x[1] = cell_of(args[i]);
    x[0] = cell_map(op, compute, x);
  }
  return scalar_of(x[0], result);
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
