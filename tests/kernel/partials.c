/* Random problems of reductions, and the tree's definition (partials.h). */
#include "partials.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A number of any magnitude and sign, so that the order of a sum shows; some zeros of both signs.
 */
static double draw_real(uint64_t *seed, int range, bool nan)
{
  int64_t what = draw_below(seed, 40);
  if (what == 0) return 0.0;
  if (what == 1) return -0.0;
  if (what == 2 && nan) return draw_below(seed, 2) ? (double)NAN : -(double)NAN;
  if (what == 3 && nan) return draw_below(seed, 2) ? (double)INFINITY : -(double)INFINITY;
  double m = 1.0 + (double)(draw_64(seed) >> 12) * 0x1p-52;
  double x = ldexp(m, (int)draw_below(seed, 2 * range) - range);
  return draw_64(seed) & 1 ? x : -x;
}

void partials_fill(uint64_t *seed, tsr_dtype dtype, bool small, bool nan, int64_t n, char *out)
{
  for (int64_t i = 0; i < n; i++) {
    int64_t word = small ? draw_below(seed, 7) - 3 : (int64_t)draw_64(seed);
    double real = small ? (double)word * (draw_below(seed, 2) ? 1 : -1) : draw_real(seed, 60, nan);
    if (small && nan && draw_below(seed, 30) == 0) real = (double)NAN;
    float single = small ? (float)real : (float)ldexp(real, 0);
    switch (dtype) {
    case TSR_BOOL:
      out[i] = small ? draw_below(seed, 50) != 0 : draw_below(seed, 50) == 0;
      break;
    case TSR_FLOAT32:
      memcpy(out + 4 * i, &single, 4);
      break;
    case TSR_FLOAT64:
      memcpy(out + 8 * i, &real, 8);
      break;
    default: /* an integer's low bits */
      memcpy(out + (int64_t)tsr__dtype_size(dtype) * i, &word, tsr__dtype_size(dtype));
    }
  }
}

/* One value of any dtype: integers and bool in i, floats in d (a float32 is exact there). */
typedef struct value {
  int64_t i, index;
  double d;
} value;

static bool is_real(tsr_dtype dtype)
{
  return dtype == TSR_FLOAT32 || dtype == TSR_FLOAT64;
}

static value load(const partials_problem *q, int64_t at)
{
  value v = {0};
  const char *from = q->data + (size_t)at * q->bytes;
  float single;
  switch (q->dtype) {
  case TSR_FLOAT32:
    memcpy(&single, from, 4);
    v.d = (double)single;
    break;
  case TSR_FLOAT64:
    memcpy(&v.d, from, 8);
    break;
  default:
    v.i = tsr__scalar_int(tsr__scalar_load(q->dtype, from));
  }
  return v;
}

/* Does b come before a in ascending order of values? -0 and +0 are told apart where `signs`. */
static bool is_less(const partials_problem *q, value b, value a, bool signs)
{
  if (q->dtype == TSR_UINT64) return (uint64_t)b.i < (uint64_t)a.i;
  if (!is_real(q->dtype)) return b.i < a.i;
  if (b.d == a.d && signs) return signbit(b.d) && !signbit(a.d);
  return b.d < a.d;
}

static value ref_arg(const partials_problem *q, value a, value b)
{
  bool a_nan = is_real(q->dtype) && isnan(a.d), b_nan = is_real(q->dtype) && isnan(b.d);
  if (a_nan != b_nan) return a_nan ? a : b;
  bool b_wins = q->op == TSR_REDUCE_ARGMIN ? is_less(q, b, a, false) : is_less(q, a, b, false);
  bool a_wins = q->op == TSR_REDUCE_ARGMIN ? is_less(q, a, b, false) : is_less(q, b, a, false);
  if (a_wins != b_wins && !a_nan) return a_wins ? a : b;
  return a.index < b.index ? a : b;
}

static value ref_combine(const partials_problem *q, value a, value b)
{
  value r = {0};
  const bool skips_nan = q->op == TSR_REDUCE_NANMIN || q->op == TSR_REDUCE_NANMAX;
  const bool is_min = q->op == TSR_REDUCE_MIN || q->op == TSR_REDUCE_NANMIN;
  switch (q->op) {
  case TSR_REDUCE_SUM:
  case TSR_REDUCE_COUNT:
    r.i = (int64_t)((uint64_t)a.i + (uint64_t)b.i);
    r.d = q->dtype == TSR_FLOAT32 ? (double)((float)a.d + (float)b.d) : a.d + b.d;
    return r;
  case TSR_REDUCE_PROD:
    r.i = (int64_t)((uint64_t)a.i * (uint64_t)b.i);
    r.d = q->dtype == TSR_FLOAT32 ? (double)((float)a.d * (float)b.d) : a.d * b.d;
    return r;
  case TSR_REDUCE_ANY:
    r.i = a.i || b.i;
    return r;
  case TSR_REDUCE_ALL:
    r.i = a.i && b.i;
    return r;
  case TSR_REDUCE_ARGMIN:
  case TSR_REDUCE_ARGMAX:
    return ref_arg(q, a, b);
  default:
    if (is_real(q->dtype) && isnan(a.d)) return skips_nan ? b : a;
    if (is_real(q->dtype) && isnan(b.d)) return skips_nan ? a : b;
    return is_less(q, b, a, true) == is_min ? b : a;
  }
}

static int bits_of(int64_t n)
{
  int bits = 0;
  while (((int64_t)1 << bits) < n) bits++;
  return bits;
}

/* The value of the node that starts at `lo` and spans 2^bits[k] along each reduced axis k. */
static value ref_node(const partials_problem *q, const int64_t *lo, const int *bits)
{
  int last = -1, axis = -1;
  for (int k = 0; k < q->ndim; k++)
    if ((q->mask >> k & 1) && q->shape[k] > 1) last = k;
  for (int k = 0; k < q->ndim; k++) {
    if (bits[k] == 0 || (k == last && bits[k] <= 6)) continue;
    if (axis < 0 || bits[k] > bits[axis]) axis = k;
  }
  if (axis < 0 && last >= 0 && bits[last] > 0) axis = last;
  if (axis < 0) {
    int64_t at = 0, index = 0;
    for (int k = 0; k < q->ndim; k++) {
      at = at * q->shape[k] + lo[k];
      if (q->mask >> k & 1) index = index * q->shape[k] + lo[k];
    }
    value v = load(q, at);
    v.index = index;
    return v;
  }
  int half[TSR_MAX_NDIM];
  int64_t right[TSR_MAX_NDIM];
  memcpy(half, bits, sizeof half);
  memcpy(right, lo, sizeof right);
  half[axis]--;
  right[axis] += (int64_t)1 << half[axis];
  value a = ref_node(q, lo, half);
  return right[axis] < q->shape[axis] ? ref_combine(q, a, ref_node(q, right, half)) : a;
}

int64_t partials_draw_length(uint64_t *seed, int64_t most)
{
  static const int64_t edges[] = {1,  2,  3,  4,  5,  7,  8,   9,   15,  16,  17,  31,  32,
                                  33, 61, 63, 64, 65, 97, 127, 128, 129, 251, 255, 256, 257};
  int64_t n = draw_below(seed, 2) ? edges[draw_below(seed, sizeof edges / sizeof *edges)]
                                  : 1 + draw_below(seed, 300);
  return n <= most ? n : 1 + draw_below(seed, most);
}

void partials_draw(uint64_t *seed, partials_problem *q)
{
  memset(q, 0, sizeof *q);
  q->ndim = 1 + (int)draw_below(seed, 4);
  q->volume = 1;
  for (int j = 0, k = (int)draw_below(seed, q->ndim); j < q->ndim; j++, k = (k + 1) % q->ndim) {
    q->shape[k] = partials_draw_length(seed, 20000 / q->volume > 0 ? 20000 / q->volume : 1);
    q->volume *= q->shape[k];
  }
  q->mask = (uint32_t)draw_below(seed, 1 << q->ndim);
  q->op = (tsr_reduction)draw_below(seed, TSR_N_REDUCTIONS);
  if (draw_below(seed, 3) == 0) q->op = TSR_REDUCE_SUM;
  cr_assert(tsr__reduce_dtypes(q->op, (tsr_dtype)draw_below(seed, TSR_DTYPE_COMPLEX64), &q->dtype,
                               &q->result));
  q->bytes = tsr__dtype_size(q->dtype);
  q->result_bytes = tsr__dtype_size(q->result);
  q->data = malloc((size_t)q->volume * q->bytes);
  partials_fill(seed, q->dtype, draw_below(seed, 3) == 0, draw_below(seed, 4) == 0, q->volume,
                q->data);
}

tsr_box partials_whole_box(const partials_problem *q)
{
  return tsr__box_of_shape(q->ndim, q->shape);
}

/* The values of a box, dense, in memory of their own. */
static char *gather(const partials_problem *q, const tsr_box *b)
{
  int64_t n = tsr__box_volume(b);
  char *out = malloc((size_t)n * q->bytes + 1);
  for (int64_t i = 0; i < n; i++) {
    int64_t rest = i, at = 0, stride = 1;
    for (int k = q->ndim - 1; k >= 0; k--) {
      at += (b->lo[k] + rest % b->n[k]) * stride;
      rest /= b->n[k];
      stride *= q->shape[k];
    }
    memcpy(out + (size_t)i * q->bytes, q->data + (size_t)at * q->bytes, q->bytes);
  }
  return out;
}

void partials_add_box(const partials_problem *q, tsr_partials *p, const tsr_box *b)
{
  char *values = gather(q, b);
  if (b->lo[0] & 1) {
    cr_assert_eq(tsr__partials_add(p, b, values, values), TSR_OK);
  } else {
    char *before = gather(q, b), *room = gather(q, b);
    cr_assert_eq(tsr__partials_add(p, b, values, room), TSR_OK);
    cr_assert_eq(memcmp(values, before, (size_t)tsr__box_volume(b) * q->bytes), 0);
    free(before);
    free(room);
  }
  free(values);
}

void partials_cut(uint64_t *seed, tsr_boxes *list, int64_t n)
{
  for (; n > 0; n--) {
    tsr_box *b = &list->v[draw_below(seed, list->n)];
    if (b->ndim == 0) return;
    int k = (int)draw_below(seed, b->ndim);
    if (b->n[k] < 2) continue;
    int64_t at = 1 + draw_below(seed, b->n[k] - 1);
    if (draw_below(seed, 2) && at > 8) at = at / 8 * 8;
    tsr_box right = *b;
    right.lo[k] += at;
    right.n[k] -= at;
    b->n[k] = at;
    tsr__boxes_add(list, &right);
  }
}

void partials_shuffle(uint64_t *seed, tsr_boxes *list)
{
  for (int32_t i = list->n - 1; i > 0; i--) {
    int32_t j = (int32_t)draw_below(seed, i + 1);
    tsr_box t = list->v[i];
    list->v[i] = list->v[j];
    list->v[j] = t;
  }
}

tsr_partials *partials_create(const partials_problem *q, const tsr_box *kept)
{
  tsr_tree tree;
  tsr__tree_init(&tree, q->ndim, q->shape, q->mask);
  return tsr__partials_create(&tree, q->op, q->dtype, kept, NULL);
}

void *partials_packed(const tsr_partials *p, size_t *n_bytes)
{
  *n_bytes = tsr__partials_pack_bytes(p);
  void *bytes = malloc(*n_bytes);
  tsr__partials_pack(p, bytes);
  return bytes;
}

void partials_merge(uint64_t *seed, tsr_partials *dst, tsr_partials *src)
{
  if (draw_below(seed, 2)) {
    cr_assert_eq(tsr__partials_merge(dst, src), TSR_OK);
  } else {
    size_t n_bytes;
    void *bytes = partials_packed(src, &n_bytes);
    cr_assert_eq(tsr__partials_merge_packed(dst, bytes, n_bytes), TSR_OK);
    free(bytes);
  }
  tsr__partials_destroy(src);
}

static bool same_value(const partials_problem *q, value wanted, const char *got)
{
  if (q->result == TSR_FLOAT64) {
    double d;
    memcpy(&d, got, 8);
    return (isnan(d) && isnan(wanted.d)) || memcmp(&d, &wanted.d, 8) == 0;
  }
  if (q->result == TSR_FLOAT32) {
    float f, w = (float)wanted.d;
    memcpy(&f, got, 4);
    return (isnan(f) && isnan(w)) || memcmp(&f, &w, 4) == 0;
  }
  if (q->result == TSR_BOOL) return *got == (char)wanted.i;
  bool is_arg = q->op == TSR_REDUCE_ARGMIN || q->op == TSR_REDUCE_ARGMAX;
  return memcmp(got, is_arg ? &wanted.index : &wanted.i, tsr__dtype_size(q->result)) == 0;
}

void partials_check(const partials_problem *q, const tsr_partials *p, uint64_t seed)
{
  int64_t n_kept = 1, lo[TSR_MAX_NDIM] = {0};
  int bits[TSR_MAX_NDIM] = {0};
  for (int k = 0; k < q->ndim; k++) {
    if (q->mask >> k & 1)
      bits[k] = bits_of(q->shape[k]);
    else
      n_kept *= q->shape[k];
  }
  char *out = malloc((size_t)n_kept * q->result_bytes);
  cr_assert_eq(tsr__partials_finish(p, out), TSR_OK, "seed %llu", (unsigned long long)seed);
  for (int64_t i = 0; i < n_kept; i++) {
    int64_t rest = i;
    for (int k = q->ndim - 1; k >= 0; k--) {
      if (q->mask >> k & 1) continue;
      lo[k] = rest % q->shape[k];
      rest /= q->shape[k];
    }
    cr_assert(same_value(q, ref_node(q, lo, bits), out + (size_t)i * q->result_bytes),
              "%s of dtype %d, shape %lld %lld %lld %lld, axes mask %u, at %lld: seed %llu",
              tsr__reduce_name(q->op), q->dtype, (long long)q->shape[0], (long long)q->shape[1],
              (long long)q->shape[2], (long long)q->shape[3], q->mask, (long long)i,
              (unsigned long long)seed);
  }
  free(out);
}
