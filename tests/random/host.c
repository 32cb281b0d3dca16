/* Elements of new arrays: from the host, constants, ramps; and elements as bytes. */
#include "random.h"

#include <math.h>

static double host_float(rng *r, int style, bool half)
{
  double sign = rng_chance(r, 50) ? 1 : -1;
  double unit = (double)(rng_next(r) >> 11) * 0x1p-53;
  if (style == 0) return sign * (double)rng_below(r, 20) / 4;
  if (style == 1) return sign * unit;
  if (style == 3 && rng_chance(r, 12)) {
    static const double special[] = {0.0,  1.0,   INFINITY, NAN,  65504,
                                     6e-8, 1e300, 1e-310,   3e38, 1e-42};
    return sign * special[rng_below(r, 10)];
  }
  const int far = half ? 12 : 30;
  return sign * ldexp(1 + unit, (int)rng_range(r, -far, far));
}

static int64_t host_int(rng *r, int style, tsr_dtype dtype)
{
  if (style <= 1) return rng_range(r, is_unsigned(dtype) ? 0 : -9, 9);
  if (style == 3 && rng_chance(r, 15))
    return rng_chance(r, 50) ? int_least(dtype) : int_most(dtype);
  return wrap(rng_next(r) >> rng_below(r, 60), dtype);
}

cell host_cell(const node *n, int64_t i)
{
  rng r = rng_seeded(n->seed, (uint64_t)i);
  if (n->dtype == TSR_BOOL) return (cell){.v.i = rng_chance(&r, 50)};
  if (dtype_rank(n->dtype) == 1) return (cell){.v.i = host_int(&r, n->style, n->dtype)};
  const tsr_dtype part = dtype_part(n->dtype);
  cell x = {.v.f = as_dtype(host_float(&r, n->style, part == TSR_FLOAT16), part)};
  if (is_complex(n->dtype)) x.im = as_dtype(host_float(&r, n->style, false), part);
  return x;
}

static double number(const scalar *s)
{
  return s->kind == SCALAR_FLOAT ? s->f : (double)s->i;
}

static cell arange_cell(const node *n, int64_t i)
{
  if (!is_float(n->dtype)) {
    uint64_t x = (uint64_t)n->value[0].i + (uint64_t)i * (uint64_t)n->value[2].i;
    return cell_cast((cell){.v.i = (int64_t)x}, TSR_INT64, n->dtype);
  }
  double start = number(&n->value[0]), second = start + number(&n->value[2]);
  if (n->dtype == TSR_FLOAT64) return (cell){.v.f = start + (double)i * (second - start)};
  const bool half = n->dtype == TSR_FLOAT16;
  float first = (float)(half ? half_of(start) : start);
  float delta = (float)(half ? half_of(second) : second) - first;
  return (cell){.v.f = as_dtype((double)(first + (float)i * delta), n->dtype)};
}

cell new_cell(const node *n, int64_t i)
{
  if (n->kind == NODE_HOST) return host_cell(n, i);
  if (n->kind == NODE_ARANGE) return arange_cell(n, i);
  cell x = {.v.i = n->value[0].i};
  if (n->value[0].kind == SCALAR_FLOAT) x.v.f = n->value[0].f;
  return cell_cast(x, scalar_dtype(n->value[0].kind), n->dtype);
}

void cell_store(cell x, tsr_dtype dtype, void *out)
{
  const tsr_dtype part = dtype_part(dtype);
  if (is_float(part)) store_float(x.v.f, part, out);
  if (is_complex(dtype)) store_float(x.im, part, (uint8_t *)out + dtype_bytes(part));
  if (is_float(part)) return;
  store_int(x.v.i, dtype, out);
}
