/* Sums of products of two arrays as they lie in memory: the bits of products that were made first,
 * for random shapes, boxes and strides. Sums of integers of few bits. */
#include "kernel/reduce/reduce_int.h"
#include "tests/support/draw.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(products, .timeout = 120);

enum { MOST = 1 << 18 };

/* Of many magnitudes, so that the order of a sum shows; zeros of both signs, too. */
static double number(uint64_t *seed)
{
  const int64_t what = draw_below(seed, 30);
  if (what < 2) return what == 0 ? 0.0 : -0.0;
  const double x =
      ldexp(1 + (double)(draw_64(seed) >> 12) * 0x1p-52, (int)draw_below(seed, 30) - 15);
  return what & 1 ? x : -x;
}

typedef struct problem {
  tsr_dtype dtype;
  tsr_tree tree;
  tsr_box all;
  bool conjugates;                 /* the first factor's, of complex numbers */
  int inner;                       /* axis along which rows lie */
  int64_t stride[2][TSR_MAX_NDIM]; /* bytes */
  char *factor[2];
  char *products; /* dense */
} problem;

static bool is_single(const problem *q)
{
  return q->dtype == TSR_FLOAT32 || q->dtype == TSR_COMPLEX64;
}

static int n_parts(const problem *q)
{
  return tsr__dtype_kind(q->dtype) == TSR_KIND_COMPLEX ? 2 : 1;
}

static void put(const problem *q, char *at, const double *parts)
{
  for (int i = 0; i < n_parts(q); i++) {
    const float single = (float)parts[i];
    if (is_single(q))
      memcpy(at + 4 * i, &single, sizeof single);
    else
      memcpy(at + 8 * i, &parts[i], sizeof parts[i]);
  }
}

static void take(const problem *q, const char *at, double *parts)
{
  for (int i = 0; i < n_parts(q); i++) {
    float single;
    if (is_single(q)) {
      memcpy(&single, at + 4 * i, sizeof single);
      parts[i] = (double)single;
    } else
      memcpy(&parts[i], at + 8 * i, sizeof parts[i]);
  }
}

static double rounded(const problem *q, double x)
{
  return is_single(q) ? (double)(float)x : x;
}

static void put_product(const problem *q, char *at, const double *x, const double *y)
{
  double product[2] = {x[0] * y[0]};
  if (n_parts(q) == 2) {
    product[0] = rounded(q, x[0] * y[0]) - rounded(q, x[1] * y[1]);
    product[1] = rounded(q, x[0] * y[1]) + rounded(q, x[1] * y[0]);
  }
  put(q, at, product);
}

static int64_t offset_of(const problem *q, const int64_t *stride, int64_t flat)
{
  int64_t offset = 0;
  for (int k = q->tree.ndim - 1; k >= 0; k--) {
    offset += flat % q->tree.shape[k] * stride[k];
    flat /= q->tree.shape[k];
  }
  return offset;
}

/* Dense with some gaps; one of them may repeat along axes, the row's too where it is not summed. A
 * row for all may have gaps between its elements. */
static void make_factor(problem *q, uint64_t *seed, int f)
{
  const int64_t elem = (int64_t)tsr__dtype_size(q->dtype);
  int64_t next = elem;
  const bool one_row = f == 1 && draw_below(seed, 3) == 0;
  if (one_row) next *= 2;
  q->stride[f][q->inner] = next;
  next *= q->tree.shape[q->inner] + draw_below(seed, 3);
  for (int k = q->tree.ndim - 1; k >= 0; k--) {
    if (k == q->inner) continue;
    const bool repeats = one_row || draw_below(seed, 4) == 0;
    q->stride[f][k] = repeats ? 0 : next;
    if (!repeats) next *= q->tree.shape[k] + draw_below(seed, 3);
  }
  if (f == 1 && draw_below(seed, 2) && !(q->tree.axes_mask >> q->inner & 1))
    q->stride[f][q->inner] = 0;
  q->factor[f] = malloc((size_t)next);
  for (int64_t i = 0; i < next / elem; i++)
    put(q, q->factor[f] + i * elem, (const double[]){number(seed), number(seed)});
}

static void make_problem(problem *q, uint64_t *seed)
{
  const int ndim = 1 + (int)draw_below(seed, 3);
  int64_t shape[TSR_MAX_NDIM], left = MOST;
  const int axis = (int)draw_below(seed, ndim);
  for (int k = 0; k < ndim; k++) {
    shape[k] = 1 + draw_below(seed, k == axis || draw_below(seed, 2) ? 700 : 20);
    if (shape[k] > left) shape[k] = left;
    left /= shape[k];
  }
  uint32_t mask = 1u << axis;
  if (axis > 0 && draw_below(seed, 3) == 0) mask |= 1;
  static const tsr_dtype dtypes[] = {TSR_FLOAT32, TSR_FLOAT64, TSR_COMPLEX64, TSR_COMPLEX128};
  q->dtype = dtypes[draw_below(seed, 4)];
  q->conjugates = n_parts(q) == 2 && draw_below(seed, 2);
  tsr__tree_init(&q->tree, ndim, shape, mask);
  q->all = tsr__box_of_shape(ndim, shape);
  q->inner = ndim - 1;
  for (int f = 0; f < 2; f++) make_factor(q, seed, f);
  const int64_t n = tsr__box_volume(&q->all), elem = (int64_t)tsr__dtype_size(q->dtype);
  q->products = malloc((size_t)(n * elem));
  for (int64_t i = 0; i < n; i++) {
    double x[2], y[2];
    take(q, q->factor[0] + offset_of(q, q->stride[0], i), x);
    take(q, q->factor[1] + offset_of(q, q->stride[1], i), y);
    if (q->conjugates) x[1] = -x[1];
    put_product(q, q->products + i * elem, x, y);
  }
}

/* The products of a box, dense. */
static void copy_box(const problem *q, const tsr_box *box, char *out)
{
  const size_t elem = tsr__dtype_size(q->dtype);
  int64_t stride[TSR_MAX_NDIM] = {0}, next = 1, index[TSR_MAX_NDIM] = {0};
  for (int k = box->ndim - 1; k >= 0; k--) {
    stride[k] = next;
    next *= q->tree.shape[k];
  }
  for (int64_t i = 0, n = tsr__box_volume(box); i < n; i++) {
    int64_t at = 0;
    for (int k = 0; k < box->ndim; k++) at += (box->lo[k] + index[k]) * stride[k];
    memcpy(out + (size_t)i * elem, q->products + (size_t)at * elem, elem);
    for (int k = box->ndim - 1; k >= 0 && ++index[k] == box->n[k]; k--) index[k] = 0;
  }
}

/* Adds the box; returns whether as products. */
static bool add_box(const problem *q, tsr_partials *p, const tsr_box *box, bool as_products,
                    char *room)
{
  tsr_factor factor[2];
  for (int f = 0; f < 2; f++) {
    factor[f] = (tsr_factor){q->factor[f], q->stride[f], q->conjugates && f == 0};
    for (int k = 0; k < box->ndim; k++) factor[f].at += box->lo[k] * q->stride[f][k];
  }
  const bool from_memory = box->lo[0] & 1; /* which does not show */
  if (as_products && tsr__partials_add_products(p, box, &factor[0], &factor[1], from_memory, room))
    return true;
  copy_box(q, box, room);
  cr_assert_eq(tsr__partials_add(p, box, room, room), TSR_OK);
  return false;
}

/* In pieces along one axis, cut at a multiple of `step`. Returns the pieces added as products. */
static int64_t sum(const problem *q, tsr_isa isa, bool as_products, int axis, int64_t step,
                   char *out)
{
  tsr_partials *p = tsr__partials_create(&q->tree, TSR_REDUCE_SUM, q->dtype, &q->all, NULL);
  p->loops = tsr__reduce_loops_for(isa, TSR_REDUCE_SUM, q->dtype);
  char *room = malloc((size_t)tsr__box_volume(&q->all) * tsr__dtype_size(q->dtype));
  int64_t n_products = 0;
  for (int64_t lo = 0; lo < q->all.n[axis]; lo += step) {
    tsr_box box = q->all;
    box.lo[axis] = lo;
    box.n[axis] = q->all.n[axis] - lo < step ? q->all.n[axis] - lo : step;
    n_products += add_box(q, p, &box, as_products, room);
  }
  cr_assert_eq(tsr__partials_finish(p, out), TSR_OK);
  tsr__partials_destroy(p);
  free(room);
  return n_products;
}

static void compare(uint64_t seed, int64_t *n_products)
{
  problem q;
  make_problem(&q, &seed);
  int64_t n = 1;
  for (int k = 0; k < q.tree.ndim; k++) n *= q.tree.axes_mask >> k & 1 ? 1 : q.tree.shape[k];
  const size_t bytes = (size_t)n * tsr__dtype_size(q.dtype);
  char *want = malloc(bytes), *got = malloc(bytes);
  const int axis = (int)draw_below(&seed, q.tree.ndim);
  const int64_t step = (int64_t)1 << draw_below(&seed, 10);
  sum(&q, tsr__isa_get(0), false, 0, q.all.n[0], want);
  for (int t = 0; tsr__isa_get(t) != TSR_N_ISAS; t++) {
    n_products[t] += sum(&q, tsr__isa_get(t), true, axis, step, got);
    cr_assert(memcmp(got, want, bytes) == 0,
              "%d: %d axes (%d, %d, %d), summed %x, pieces of %d along %d", tsr__isa_get(t),
              q.tree.ndim, (int)q.tree.shape[0], (int)q.tree.shape[1], (int)q.tree.shape[2],
              q.tree.axes_mask, (int)step, axis);
  }
  free(want);
  free(got);
  for (int f = 0; f < 2; f++) free(q.factor[f]);
  free(q.products);
}

Test(products, have_the_bits_of_the_rounded_ones)
{
  int64_t n_products[8] = {0};
  for (uint64_t seed = 1; seed <= 400; seed++) compare(seed << 32, n_products);
  for (int t = 0; tsr__isa_get(t) != TSR_N_ISAS; t++)
    cr_expect_gt(n_products[t], 400,
                 "%d: of all pieces, %d were summed without making the products", tsr__isa_get(t),
                 (int)n_products[t]);
}

/* What it does not take, it leaves alone. */
Test(products, that_lie_otherwise_are_refused)
{
  static const double values[64 * 16];
  const int64_t shape[] = {64, 16}, along[] = {128, 8}, across[] = {8, 512};
  const tsr_box all = tsr__box_of_shape(2, shape);
  tsr_tree tree;
  tsr__tree_init(&tree, 2, shape, 1);
  double room[64 * 16];
  tsr_partials *p = tsr__partials_create(&tree, TSR_REDUCE_SUM, TSR_FLOAT64, &all, NULL);
  const tsr_factor rows = {(const char *)values, along, false};
  const tsr_factor columns = {(const char *)values, across, false};
  cr_expect_not(tsr__partials_add_products(p, &all, &rows, &columns, false, room));
  tsr_box odd = all;
  odd.lo[0] = 3;
  odd.n[0] = 20;
  cr_expect_not(tsr__partials_add_products(p, &odd, &rows, &rows, false, room));
  cr_expect(tsr__partials_add_products(p, &all, &rows, &rows, false, room));
  tsr__partials_destroy(p);
  p = tsr__partials_create(&tree, TSR_REDUCE_MAX, TSR_FLOAT64, &all, NULL);
  cr_expect_not(tsr__partials_add_products(p, &all, &rows, &rows, false, room));
  tsr__partials_destroy(p);
}

/* Elements of which most bytes are 0, or of which a sign alone is set, that are counted row by row
 * and column by column, against what their bytes tell. */
Test(products, what_is_not_zero_is_counted)
{
  enum { MOST = 700 };
  static _Alignas(64) unsigned char bytes[MOST * 16], part[MOST * 16];
  static const tsr_dtype compute = TSR_INT64;
  for (uint64_t seed = 1; seed <= 600; seed++) {
    const tsr_dtype from = (tsr_dtype)(seed % TSR_N_DTYPES);
    const bool has_sign = tsr__dtype_is_inexact(from);
    const size_t elem = tsr__dtype_size(from), word = tsr__dtype_size(tsr__dtype_part(from));
    uint64_t s = seed << 20;
    const int64_t n = 1 + draw_below(&s, 300), inner = seed / 14 % 3 ? 1 : 1 + draw_below(&s, 150);
    const int64_t shape[2] = {n <= MOST / inner ? n : MOST / inner, inner};
    int64_t want[150] = {0}, got[150], room[MOST];
    for (int64_t i = 0; i < shape[0] * inner; i++) {
      unsigned char *at = bytes + (size_t)i * elem;
      memset(at, 0, elem);
      const int kind = (int)draw_below(&s, 4);
      const size_t where = (size_t)draw_below(&s, (int64_t)elem);
      if (kind == 1) at[where] = from == TSR_BOOL ? 1 : (unsigned char)(1 + draw_below(&s, 127));
      if (kind == 2 && has_sign) at[where / word * word + word - 1] = 0x80; /* -0 */
      if (kind == 3) memset(at, from == TSR_BOOL ? 1 : 0xff, elem);         /* NaN of floats */
      want[i % inner] += kind == 1 || kind == 3;
    }
    const tsr_box all = tsr__box_of_shape(2, shape);
    tsr_tree tree;
    tsr__tree_init(&tree, 2, shape, 1);
    const int64_t step = (int64_t)1 << draw_below(&s, 10);
    for (int t = 0; tsr__isa_get(t) != TSR_N_ISAS; t++) {
      tsr_partials *p = tsr__partials_create(&tree, TSR_REDUCE_COUNT, compute, &all, NULL);
      p->loops = tsr__reduce_loops_for(tsr__isa_get(t), TSR_REDUCE_COUNT, compute);
      for (int64_t lo = 0; lo < shape[0]; lo += step) {
        tsr_box box = all;
        box.lo[0] = lo;
        box.n[0] = shape[0] - lo < step ? shape[0] - lo : step;
        const size_t row = (size_t)inner * elem;
        memcpy(part, bytes + (size_t)lo * row, (size_t)box.n[0] * row);
        cr_assert_eq(tsr__partials_add_narrow(p, from, &box, part, room), TSR_OK);
      }
      cr_assert_eq(tsr__partials_finish(p, got), TSR_OK);
      cr_assert_eq(memcmp(got, want, (size_t)inner * sizeof *want), 0, "seed %d", (int)seed);
      tsr__partials_destroy(p);
    }
  }
}

/* Integers of few bits that are summed, in pieces, against the same as int64. */
Test(products, narrow_integers_are_summed)
{
  static const tsr_dtype dtypes[] = {TSR_BOOL,  TSR_INT8,   TSR_INT16, TSR_INT32,
                                     TSR_UINT8, TSR_UINT16, TSR_UINT32};
  for (uint64_t seed = 1; seed <= 300; seed++) {
    const tsr_dtype from = dtypes[seed % 7];
    const bool is_signed = tsr__dtype_kind(from) == TSR_KIND_INT;
    const tsr_dtype compute = seed % 7 < 4 ? TSR_INT64 : TSR_UINT64;
    const size_t elem = tsr__dtype_size(from);
    const int above = from == TSR_BOOL ? 63 : 64 - 8 * (int)elem;
    uint64_t s = seed << 20;
    const int ndim = 1 + (int)draw_below(&s, 3), axis = (int)draw_below(&s, ndim);
    int64_t shape[TSR_MAX_NDIM];
    for (int k = 0; k < ndim; k++)
      shape[k] = 1 + draw_below(&s, k == ndim - 1 ? 40000 >> 5 * (ndim - 1) : 30);
    const uint32_t mask = 1u + (uint32_t)draw_below(&s, (1 << ndim) - 1);
    const tsr_box all = tsr__box_of_shape(ndim, shape);
    const int64_t n = tsr__box_volume(&all), step = (int64_t)1 << draw_below(&s, 17);
    tsr_tree tree;
    tsr__tree_init(&tree, ndim, shape, mask);
    char *narrow = malloc((size_t)n * elem);
    int64_t *room = malloc((size_t)n * sizeof *room), *want = malloc((size_t)n * sizeof *want),
            *got = malloc((size_t)n * sizeof *got);
    for (int t = 0; tsr__isa_get(t) != TSR_N_ISAS; t++) {
      tsr_partials *p[2];
      for (int i = 0; i < 2; i++) {
        p[i] = tsr__partials_create(&tree, TSR_REDUCE_SUM, compute, &all, NULL);
        p[i]->loops = tsr__reduce_loops_for(tsr__isa_get(t), TSR_REDUCE_SUM, compute);
      }
      for (int64_t lo = 0; lo < shape[axis]; lo += step) {
        tsr_box box = all;
        box.lo[axis] = lo;
        box.n[axis] = shape[axis] - lo < step ? shape[axis] - lo : step;
        const int64_t volume = tsr__box_volume(&box);
        for (int64_t i = 0; i < volume; i++) {
          const uint64_t end = is_signed ? UINT64_C(1) << 63 : UINT64_MAX;
          const uint64_t bits = seed % 4 == 0 ? end : draw_64(&s);
          want[i] = is_signed ? (int64_t)bits >> above : (int64_t)(bits >> above);
          memcpy(narrow + (size_t)i * elem, &want[i], elem);
        }
        cr_assert_eq(tsr__partials_add(p[0], &box, want, want), TSR_OK);
        cr_assert_eq(tsr__partials_add_narrow(p[1], from, &box, narrow, room), TSR_OK);
      }
      int64_t n_results = 1;
      for (int k = 0; k < ndim; k++) n_results *= mask >> k & 1 ? 1 : shape[k];
      cr_assert_eq(tsr__partials_finish(p[0], want), TSR_OK);
      cr_assert_eq(tsr__partials_finish(p[1], got), TSR_OK);
      cr_assert_eq(memcmp(got, want, (size_t)n_results * sizeof *want), 0, "seed %d", (int)seed);
      for (int i = 0; i < 2; i++) tsr__partials_destroy(p[i]);
    }
    free(narrow);
    free(room);
    free(want);
    free(got);
  }
}
