/* Reductions by name and dtype, the tree's levels, and the inner loops one by one. */
#include "kernel/reduce/reduce_int.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

Test(reduce, dtypes_follow_numpy)
{
  tsr_dtype compute, result;
  for (int in = 0; in < TSR_N_DTYPES; in++) {
    const tsr_dtype computed = in == TSR_FLOAT16 ? TSR_FLOAT32 : (tsr_dtype)in;
    const tsr_kind kind = tsr__dtype_kind(in);
    tsr_dtype wide = kind == TSR_KIND_UINT  ? TSR_UINT64
                     : kind <= TSR_KIND_INT ? TSR_INT64
                                            : computed;
    for (int op = 0; op < TSR_N_REDUCTIONS; op++) {
      cr_assert(tsr__reduce_dtypes((tsr_reduction)op, (tsr_dtype)in, &compute, &result));
      tsr_dtype wanted = computed, gives = computed;
      if (op == TSR_REDUCE_SUM || op == TSR_REDUCE_PROD) wanted = gives = wide;
      if (op == TSR_REDUCE_COUNT) wanted = gives = TSR_INT64;
      if (op == TSR_REDUCE_ANY || op == TSR_REDUCE_ALL) wanted = gives = TSR_BOOL;
      if (op == TSR_REDUCE_ARGMIN || op == TSR_REDUCE_ARGMAX) gives = TSR_INT64;
      cr_expect_eq(compute, wanted, "%s of dtype %d", tsr__reduce_name((tsr_reduction)op), in);
      cr_expect_eq(result, gives, "%s of dtype %d", tsr__reduce_name((tsr_reduction)op), in);
      cr_expect(tsr__reduce_loops((tsr_reduction)op, compute) != NULL);
    }
  }
  cr_expect_not(tsr__reduce_dtypes(TSR_N_REDUCTIONS, TSR_FLOAT64, &compute, &result));
  cr_expect_not(tsr__reduce_dtypes(TSR_REDUCE_SUM, TSR_N_DTYPES, &compute, &result));
}

Test(reduce, names_are_numpys)
{
  const char *names[] = {"sum",    "prod", "count_nonzero", "min",    "max",   "nanmin",
                         "nanmax", "any",  "all",           "argmin", "argmax"};
  for (int op = 0; op < TSR_N_REDUCTIONS; op++)
    cr_expect_str_eq(tsr__reduce_name((tsr_reduction)op), names[op]);
}

Test(reduce, identities)
{
  tsr_scalar x;
  cr_assert(tsr__reduce_identity(TSR_REDUCE_SUM, TSR_FLOAT64, &x));
  cr_expect(x.dtype == TSR_FLOAT64 && x.u.bits == 0);
  cr_assert(tsr__reduce_identity(TSR_REDUCE_SUM, TSR_INT64, &x));
  cr_expect(x.dtype == TSR_INT64 && x.u.i == 0);
  cr_assert(tsr__reduce_identity(TSR_REDUCE_COUNT, TSR_INT64, &x));
  cr_expect(x.dtype == TSR_INT64 && x.u.i == 0);
  cr_assert(tsr__reduce_identity(TSR_REDUCE_PROD, TSR_FLOAT64, &x));
  cr_expect_eq(x.u.f, 1.0);
  cr_assert(tsr__reduce_identity(TSR_REDUCE_PROD, TSR_FLOAT32, &x));
  cr_expect(x.u.f32 == 1.0f && x.u.bits >> 32 == 0);
  cr_assert(tsr__reduce_identity(TSR_REDUCE_PROD, TSR_INT64, &x));
  cr_expect_eq(x.u.i, 1);
  cr_assert(tsr__reduce_identity(TSR_REDUCE_ANY, TSR_BOOL, &x));
  cr_expect_eq(x.u.i, 0);
  cr_assert(tsr__reduce_identity(TSR_REDUCE_ALL, TSR_BOOL, &x));
  cr_expect_eq(x.u.i, 1);
  for (int op = TSR_REDUCE_MIN; op < TSR_N_REDUCTIONS; op++) {
    bool has = op == TSR_REDUCE_ANY || op == TSR_REDUCE_ALL;
    cr_expect_eq(tsr__reduce_identity((tsr_reduction)op, TSR_BOOL, &x), has);
  }
}

/* From the leaf up: runs of (axis, levels). */
static void expect_levels(int ndim, const int64_t *shape, uint32_t mask, const char *wanted)
{
  tsr_tree tree;
  char text[8 * 64 + 1] = "";
  tsr__tree_init(&tree, ndim, shape, mask);
  for (int level = 0; level < tree.n_levels; level++)
    text[level] = (char)('0' + tree.level_axis[level]);
  cr_expect_str_eq(text, wanted);
}

Test(reduce, tree_levels)
{
  expect_levels(1, (int64_t[]){1}, 1, "");
  expect_levels(1, (int64_t[]){5}, 1, "000");
  expect_levels(1, (int64_t[]){300}, 1, "000000000");
  expect_levels(2, (int64_t[]){3, 200}, 3, "1111110011");
  expect_levels(2, (int64_t[]){200, 3}, 3, "1100000000");
  expect_levels(2, (int64_t[]){300, 300}, 3, "111111000000101010");
  expect_levels(2, (int64_t[]){300, 300}, 1, "000000000");
  expect_levels(2, (int64_t[]){300, 300}, 2, "111111111");
  expect_levels(2, (int64_t[]){300, 300}, 0, "");
  expect_levels(3, (int64_t[]){300, 300, 1}, 7, "111111000000101010");
  expect_levels(3, (int64_t[]){300, 1, 300}, 7, "222222000000202020");
  expect_levels(3, (int64_t[]){4, 9, 4}, 5, "2200");
  expect_levels(3, (int64_t[]){4, 4, 4}, 3, "1100");
  expect_levels(2, (int64_t[]){0, 4}, 3, "11");
}

Test(reduce, tree_of_the_longest_axes)
{
  tsr_tree tree;
  int64_t shape[TSR_MAX_NDIM];
  int count[TSR_MAX_NDIM] = {0};
  for (int k = 0; k < TSR_MAX_NDIM; k++) shape[k] = INT64_MAX;
  tsr__tree_init(&tree, TSR_MAX_NDIM, shape, 0xff);
  cr_expect_eq(tree.n_levels, 63 * TSR_MAX_NDIM);
  for (int level = 0; level < tree.n_levels; level++) count[tree.level_axis[level]]++;
  for (int k = 0; k < TSR_MAX_NDIM; k++) cr_expect_eq(count[k], 63);
}

/* min and max of every pair of special values, at every position of a vector and in its tail. */
Test(reduce, min_and_max_order_zeros_and_nans)
{
  const double special[] = {-INFINITY, -1.5, -0.0, 0.0, 2.5, INFINITY, NAN, -NAN};
  const tsr_reduce_loops *min = tsr__reduce_loops(TSR_REDUCE_MIN, TSR_FLOAT64);
  const tsr_reduce_loops *max = tsr__reduce_loops(TSR_REDUCE_MAX, TSR_FLOAT64);
  for (int i = 0; i < 8; i++) {
    for (int j = 0; j < 8; j++) {
      double a[11], b[11], lo[11], hi[11];
      for (int k = 0; k < 11; k++) {
        a[k] = special[i];
        b[k] = special[j];
      }
      min->combine(lo, NULL, a, NULL, b, NULL, 11);
      max->combine(hi, NULL, a, NULL, b, NULL, 11);
      bool nan = i >= 6 || j >= 6;
      for (int k = 0; k < 11; k++) {
        cr_expect(nan ? isnan(lo[k]) : memcmp(&lo[k], &special[i < j ? i : j], 8) == 0);
        cr_expect(nan ? isnan(hi[k]) : memcmp(&hi[k], &special[i < j ? j : i], 8) == 0);
      }
    }
  }
}

Test(reduce, arg_takes_the_first_nan_then_the_first_extreme)
{
  const struct {
    double a, b;
    bool right_min, right_max; /* with the index of b above that of a */
  } rows[] = {
      {1, 2, false, true},       {2, 1, true, false},       {1, 1, false, false},
      {0.0, -0.0, false, false}, {-0.0, 0.0, false, false}, {NAN, 1, false, false},
      {1, NAN, true, true},      {NAN, NAN, false, false},  {INFINITY, NAN, true, true},
  };
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    for (int swap = 0; swap < 2; swap++) {
      double a = swap ? rows[r].b : rows[r].a, b = swap ? rows[r].a : rows[r].b, out;
      int64_t a_i = swap ? 9 : 4, b_i = swap ? 4 : 9, out_i;
      tsr__reduce_loops(TSR_REDUCE_ARGMIN, TSR_FLOAT64)
          ->combine(&out, &out_i, &a, &a_i, &b, &b_i, 1);
      cr_expect_eq(out_i, rows[r].right_min ? 9 : 4, "argmin row %zu", r);
      tsr__reduce_loops(TSR_REDUCE_ARGMAX, TSR_FLOAT64)
          ->combine(&out, &out_i, &a, &a_i, &b, &b_i, 1);
      cr_expect_eq(out_i, rows[r].right_max ? 9 : 4, "argmax row %zu", r);
    }
  }
}

Test(reduce, integers_wrap)
{
  uint64_t a[5] = {UINT64_MAX, 1, UINT64_C(1) << 63, 3, 7}, b[5] = {2, 1, 2, 5, 7}, out[5];
  tsr__reduce_loops(TSR_REDUCE_SUM, TSR_INT64)->combine(out, NULL, a, NULL, b, NULL, 5);
  for (int i = 0; i < 5; i++) cr_expect_eq(out[i], a[i] + b[i]);
  tsr__reduce_loops(TSR_REDUCE_PROD, TSR_INT64)->combine(out, NULL, a, NULL, b, NULL, 5);
  for (int i = 0; i < 5; i++) cr_expect_eq(out[i], a[i] * b[i]);
}

/* The tree, in every instruction set. */

enum { MOST = 9000 };

/* Any magnitude, some zeros of both signs, NaNs if wanted. */
static void draw(uint32_t *seed, tsr_dtype dtype, bool nan, int n, void *out)
{
  for (int i = 0; i < n; i++) {
    *seed = *seed * 1664525u + 1013904223u;
    const int32_t word = (int32_t)*seed, what = word >> 8 & 63;
    double real = ldexp(word, (word >> 16 & 31) - 16);
    if (what < 4) real = what < 2 ? 0.0 : -0.0;
    if (what == 5 && nan) real = (double)NAN;
    if (dtype == TSR_BOOL) ((int8_t *)out)[i] = what == 7;
    if (dtype == TSR_INT8 || dtype == TSR_UINT8) ((int8_t *)out)[i] = (int8_t)(word >> 24) / 2;
    if (dtype == TSR_INT32) ((int32_t *)out)[i] = word >> (word & 24);
    if (dtype == TSR_INT64) ((int64_t *)out)[i] = word * (INT64_C(1) << (word & 31));
    if (dtype == TSR_FLOAT32) ((float *)out)[i] = (float)real;
    if (dtype == TSR_FLOAT64) ((double *)out)[i] = real;
    tsr_scalar x = {.dtype = TSR_INT64, .u.i = word * (INT64_C(1) << (word & 31))};
    if (tsr__dtype_kind(dtype) == TSR_KIND_COMPLEX) { /* equal real parts are frequent */
      x = (tsr_scalar){.dtype = TSR_COMPLEX128};
      x.u.c128[0] = word & 1 ? real : (word >> 3) % 5;
      x.u.c128[1] = word & 2 ? real : word >> 9;
    }
    if (dtype > TSR_FLOAT64)
      tsr__scalar_store(tsr__scalar_cast(x, dtype), (char *)out + i * tsr__dtype_size(dtype));
  }
}

/* One level by `combine` on one pair at a time. */
static int level_up(const tsr_reduce_loops *loops, size_t bytes, char *v, int64_t *index, int n)
{
  for (int j = 0; j < n / 2; j++)
    loops->combine(v + j * bytes, index + j, v + 2 * j * bytes, index + 2 * j,
                   v + (2 * j + 1) * bytes, index + 2 * j + 1, 1);
  if (n & 1) {
    memmove(v + n / 2 * bytes, v + (n - 1) * bytes, bytes);
    index[n / 2] = index[n - 1];
  }
  return (n + 1) / 2;
}

static bool same(tsr_dtype dtype, const char *a, const char *b, int n)
{
  const size_t bytes = tsr__dtype_size(dtype);
  for (int i = 0; i < n; i++, a += bytes, b += bytes) {
    if (memcmp(a, b, bytes) == 0) continue;
    if (dtype == TSR_FLOAT64 && isnan(*(const double *)a) && isnan(*(const double *)b)) continue;
    if (dtype == TSR_FLOAT32 && isnan(*(const float *)a) && isnan(*(const float *)b)) continue;
    if (tsr__dtype_kind(dtype) == TSR_KIND_COMPLEX) {
      const tsr_dtype part = tsr__dtype_part(dtype);
      if (same(part, a, b, 1) && same(part, a + bytes / 2, b + bytes / 2, 1)) continue;
    }
    return false;
  }
  return true;
}

/* `tree` from other memory and in place, and `leaves`, against one level after the other. */
static void check_tree(tsr_isa isa, tsr_reduction op, tsr_dtype dtype, int n, int levels, bool nan)
{
  static _Alignas(64) char from[16 * (MOST + 1)], got[16 * (MOST + 1)], wanted[16 * (MOST + 1)];
  static int64_t index[MOST], got_i[MOST];
  const tsr_reduce_loops *loops = tsr__reduce_loops_for(isa, op, dtype);
  const size_t bytes = tsr__dtype_size(dtype);
  uint32_t seed = (uint32_t)(n * 64 + levels);
  char *source = from + bytes; /* aligned to the values only */
  draw(&seed, dtype, nan, n, source);
  memcpy(wanted, source, (size_t)n * bytes);
  for (int i = 0; i < n; i++) index[i] = 5 + 3 * i;
  int count = n;
  for (int level = 0; level < levels; level++)
    count = level_up(&tsr__reduce_baseline[op][dtype], bytes, wanted, index, count);
  if (loops->leaves)
    loops->leaves(got, got_i, source, n, levels, 5, 3);
  else
    loops->tree(got, NULL, source, NULL, n, levels);
  const bool is_arg = loops->leaves != NULL; /* whose zeros may differ in sign */
  cr_assert(is_arg || same(dtype, got, wanted, count), "%d: %s of %d: n %d levels %d", isa,
            tsr__reduce_name(op), dtype, n, levels);
  cr_assert(!is_arg || memcmp(got_i, index, (size_t)count * sizeof *index) == 0,
            "%d: %s of %d: n %d levels %d", isa, tsr__reduce_name(op), dtype, n, levels);
  if (is_arg) return;
  loops->tree(source, NULL, source, NULL, n, levels);
  cr_assert(same(dtype, source, wanted, count), "in place, %d: %s of %d: n %d levels %d", isa,
            tsr__reduce_name(op), dtype, n, levels);
}

Test(reduce, tree_is_its_levels)
{
  for (int i = 0; tsr__isa_get(i) != TSR_N_ISAS; i++)
    for (int op = 0; op < TSR_N_REDUCTIONS; op++)
      for (int dtype = 0; dtype < TSR_N_DTYPES; dtype++) {
        if (!tsr__reduce_loops_for(tsr__isa_get(i), (tsr_reduction)op, (tsr_dtype)dtype)) continue;
        for (int n = 1; n <= MOST; n += n < 140 ? 1 : n / 7 + n % 13)
          check_tree(tsr__isa_get(i), (tsr_reduction)op, (tsr_dtype)dtype, n, 1 + n % 6,
                     n % 5 == 0);
        for (int n = 64; n <= MOST; n *= 2)
          for (int off = -1; off <= 1; off++)
            check_tree(tsr__isa_get(i), (tsr_reduction)op, (tsr_dtype)dtype, n + off, 6, off == 0);
        const tsr_isa isa = tsr__isa_get(i);
        for (int n = 1;
             tsr__reduce_loops_for(isa, (tsr_reduction)op, (tsr_dtype)dtype)->any_levels &&
             n <= MOST;
             n += n < 300 ? 1 : n / 7 + n % 13)
          for (int levels = 7; levels <= 14; levels++)
            check_tree(isa, (tsr_reduction)op, (tsr_dtype)dtype, n, levels, n % 5 == 0);
      }
}

/* Values of which all are NaN, and one is the last in the order, which vectors begin with. */
static void check_last(tsr_isa isa, tsr_reduction op, int n, int levels)
{
  static double x[MOST];
  static float narrow[MOST];
  const double last = op == TSR_REDUCE_NANMIN ? (double)INFINITY : -(double)INFINITY;
  for (int at = -1; at < n; at += 1 + n / 5) {
    double got = 0;
    float got_narrow = 0;
    for (int i = 0; i < n; i++) x[i] = narrow[i] = i == at ? (float)last : NAN;
    tsr__reduce_loops_for(isa, op, TSR_FLOAT64)->tree(&got, NULL, x, NULL, n, levels);
    tsr__reduce_loops_for(isa, op, TSR_FLOAT32)->tree(&got_narrow, NULL, narrow, NULL, n, levels);
    cr_expect(at < 0 ? isnan(got) : got == last, "%s of %d, %d: %g", tsr__reduce_name(op), n, at,
              got);
    cr_expect(at < 0 ? isnan(got_narrow) : (double)got_narrow == last);
  }
}

Test(reduce, nan_is_passed_over_beside_infinities)
{
  for (int i = 0; tsr__isa_get(i) != TSR_N_ISAS; i++)
    for (int op = TSR_REDUCE_NANMIN; op <= TSR_REDUCE_NANMAX; op++) {
      for (int n = 1; n <= MOST; n += n < 140 ? 1 : n / 7 + n % 13)
        check_last(tsr__isa_get(i), (tsr_reduction)op, n, 14);
      check_last(tsr__isa_get(i), (tsr_reduction)op, 64, 6);
    }
}

/* Scans. */

/* The block of `n` elements, a power of two, from element `at` on, by halves. */
static void block_of(tsr_reduction op, tsr_dtype dtype, const char *v, int at, int n, char *out)
{
  const size_t bytes = tsr__dtype_size(dtype);
  char half[2][16];
  if (n == 1) {
    memcpy(out, v + at * bytes, bytes);
    return;
  }
  block_of(op, dtype, v, at, n / 2, half[0]);
  block_of(op, dtype, v, at + n / 2, n / 2, half[1]);
  tsr__reduce_baseline[op][dtype].combine(out, NULL, half[0], NULL, half[1], NULL, 1);
}

/* Every prefix from the definition, with steps, from the start and from within. */
static void check_scan(tsr_isa isa, tsr_reduction op, tsr_dtype dtype, int n)
{
  enum { MOST_SCANNED = 700 };
  static _Alignas(64) char x[48 * MOST_SCANNED], wanted[16 * MOST_SCANNED], got[32 * MOST_SCANNED];
  const tsr_reduce_loops *loops = tsr__reduce_loops_for(isa, op, dtype);
  const size_t bytes = tsr__dtype_size(dtype);
  uint32_t seed = (uint32_t)n;
  draw(&seed, dtype, n % 5 == 0, n, x);
  for (int i = 0; i < n; i++) {
    char *to = wanted + (size_t)i * bytes, block[16];
    for (int bit = 1 << 12, at = 0; bit > 0; bit /= 2) {
      if (!((i + 1) & bit)) continue;
      block_of(op, dtype, x, at, bit, at > 0 ? block : to);
      if (at > 0) tsr__reduce_baseline[op][dtype].combine(to, NULL, to, NULL, block, NULL, 1);
      at += bit;
    }
  }
  for (int from = 0; from < n; from += 1 + n / 4) {
    loops->scan(got, 1, x, 1, n, from);
    cr_assert(same(dtype, got, wanted + from * bytes, n - from), "%d: %s of %d: %d from %d", isa,
              tsr__reduce_name(op), dtype, n, from);
  }
  for (int i = n - 1; i >= 0; i--) memmove(x + 3 * i * bytes, x + i * bytes, bytes);
  loops->scan(got, 2, x, 3, n, 0);
  for (int i = 0; i < n; i++)
    cr_assert(same(dtype, got + 2 * i * bytes, wanted + i * bytes, 1), "%d: steps, %d of %d", isa,
              i, n);
}

Test(reduce, scan_combines_aligned_blocks)
{
  for (int i = 0; tsr__isa_get(i) != TSR_N_ISAS; i++)
    for (int op = TSR_REDUCE_SUM; op <= TSR_REDUCE_PROD; op++)
      for (int dtype = 0; dtype < TSR_N_DTYPES; dtype++)
        if (tsr__reduce_loops_for(tsr__isa_get(i), (tsr_reduction)op, (tsr_dtype)dtype))
          for (int n = 1; n < 700; n += n < 150 ? 1 : 31)
            check_scan(tsr__isa_get(i), (tsr_reduction)op, (tsr_dtype)dtype, n);
}
