/* Loads that lie near each other: which of them are made of the vectors of which other, that no
 * element is read which the kernel does not load, and that no bit changes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "kernel/compile/jit_int.h"
#include "tests/kernel/compiled.h"
#include "tests/kernel/sums.h"

#define AT(n) ((void *)(intptr_t)(0x10000000 + (n)))

/* The distance of each load from the one that it is beside, which follows: "." where it is none. */
static void expect_beside(int lanes, tsr_dtype dtype, int n, void **base, const char *expected)
{
  int64_t stride[MOST + 1][TSR_MAX_NDIM];
  const tsr_kernel_bind bind =
      bind_of(20, 2000, n, (int64_t)tsr__dtype_size(dtype), 16384, base, stride);
  tsr_kernel *k = sum_of(n, dtype);
  tsr_nest nest;
  cr_assert(tsr__nest_make(k, &bind, lanes, &nest));
  char text[128] = "";
  bool any = false;
  for (int a = 0; a <= n; a++) {
    char *end = text + strlen(text);
    const bool is = tsr__class_is_beside(nest.classes[a]);
    any = any || is;
    if (is)
      sprintf(end, "%+d(%d)", nest.classes[a] - TSR_CLASS_BESIDE, nest.classes[n + 1 + a]);
    else
      strcpy(end, ".");
  }
  cr_expect_str_eq(text, expected, "%s instead of %s", text, expected);
  cr_expect_eq(nest.n_form, any ? 2 * (n + 1) : n + 1);
  tsr__kernel_destroy(k);
}

Test(beside, loads_less_than_a_vector_apart)
{
  enum { ROW = 16384 };
  void *five[] = {AT(ROW), AT(0), AT(ROW + 8), AT(ROW - 8), AT(2 * ROW), AT(1 << 24)};
  expect_beside(8, TSR_FLOAT64, 5, five, "..+1(0)-1(0)..");
  expect_beside(8, TSR_INT64, 5, five, "..+1(0)-1(0)..");
  expect_beside(16, TSR_FLOAT32, 5, five, "..+2(0)-2(0)..");
  expect_beside(4, TSR_FLOAT64, 5, five, "......"); /* vectors of 32 bytes */
  expect_beside(32, TSR_INT16, 5, five, "......");  /* no instruction shifts them */
  expect_beside(8, TSR_COMPLEX64, 5, five, "......");
  void *line[] = {AT(0), AT(8), AT(16), AT((1 << 24) + 24)};
  expect_beside(8, TSR_FLOAT64, 3, line, "-1(1).+1(1)."); /* the one in the middle is loaded */
  void *far[] = {AT(0), AT(56), AT(64), AT(120), AT(1 << 24)};
  expect_beside(8, TSR_FLOAT64, 4, far, ".+7(0).+7(2).");
  void *same[] = {AT(0), AT(0), AT(4), AT(1 << 24)}; /* and one between elements */
  expect_beside(8, TSR_FLOAT64, 3, same, "....");
}

/* Where the vectors of a load are lines of the cache when the store's are, that one is loaded. */
Test(beside, the_load_whose_vectors_are_lines_is_the_source)
{
  void *pair[] = {AT(8), AT(0), AT(1 << 24)};
  expect_beside(8, TSR_FLOAT64, 2, pair, "+1(1)..");
  pair[2] = AT((1 << 24) + 8);
  expect_beside(8, TSR_FLOAT64, 2, pair, ".-1(0).");
  void *line[] = {AT(8), AT(16), AT(0), AT(1 << 24)};
  expect_beside(8, TSR_FLOAT64, 3, line, "+1(2)+2(2)..");
  void *wide[] = {AT(0), AT(40), AT(80), AT(1 << 24)}; /* the first is not near all */
  expect_beside(8, TSR_FLOAT64, 3, wide, ".+5(0)..");
  void *far[] = {AT(32), AT(0), AT(80), AT(1 << 24)};
  expect_beside(8, TSR_FLOAT64, 3, far, ".-4(0)+6(0).");
  /* Rows of the store of another length: every row begins elsewhere in its lines. */
  int64_t stride[MOST + 1][TSR_MAX_NDIM];
  pair[2] = AT(1 << 24);
  tsr_kernel_bind bind = bind_of(20, 2000, 2, 8, 16384, pair, stride);
  stride[2][0] += 8;
  tsr_kernel *k = sum_of(2, TSR_FLOAT64);
  tsr_nest nest;
  cr_assert(tsr__nest_make(k, &bind, 8, &nest));
  cr_expect_eq(nest.classes[0], TSR_CLASS_UNIT);
  cr_expect_eq(nest.classes[1], TSR_CLASS_BESIDE - 1);
  tsr__kernel_destroy(k);
}

Test(beside, rows_that_follow_each_other_have_strips)
{
  enum { ROW = 16384 };
  int64_t stride[MOST + 1][TSR_MAX_NDIM];
  void *five[] = {AT(ROW), AT(0), AT(ROW + 8), AT(ROW - 8), AT(2 * ROW), AT(1 << 24)};
  tsr_kernel *k = sum_of(5, TSR_FLOAT64);
  tsr_nest nest;
  const struct {
    int64_t rows, n;
    int apart; /* rows between the loads */
    bool from_memory;
    int strip;
  } cases[] = {{8, 2000, 1, false, 512},
               {8, 1000, 1, false, 0}, /* a short row */
               {64, 2000, 1, false, 0},
               {8, 2000, 2, false, 0}, /* much; not beside */
               {8, 2000, 1, true, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tsr_kernel_bind bind =
        bind_of(cases[i].rows, cases[i].n, 5, 8, ROW / cases[i].apart, five, stride);
    bind.from_memory = cases[i].from_memory;
    cr_assert(tsr__nest_make(k, &bind, 8, &nest));
    cr_expect_eq(nest.strip, cases[i].strip, "case %d: %d", (int)i, nest.strip);
  }
  tsr__kernel_destroy(k);
}

/* The rows of a seven-point sum of 512 fit the first-level cache; of 800 they do not. */
Test(beside, rows_that_fit_the_cache_have_no_strips)
{
  enum { ROW = 16384, PLANE = 16 * ROW };
  int64_t stride[MOST + 1][TSR_MAX_NDIM];
  char *u = AT(PLANE + ROW);
  void *seven[] = {u, u - PLANE, u + PLANE, u - ROW, u + ROW, u - 8, u + 8, AT(1 << 24)};
  tsr_kernel *k = sum_of(7, TSR_FLOAT64);
  tsr_nest nest;
  for (int64_t n = 512; n <= 800; n += 288) {
    tsr_kernel_bind bind = bind_of(8, n, 7, 8, ROW, seven, stride);
    cr_assert(tsr__nest_make(k, &bind, 8, &nest));
    cr_expect_eq(nest.strip, n == 512 ? 0 : 256, "%d points: %d", (int)n, nest.strip);
  }
  tsr__kernel_destroy(k);
}

/* Memory between two pages that nobody may touch. */
typedef struct guarded {
  char *pages, *first, *end;
  size_t bytes;
} guarded;

static guarded guarded_create(size_t n_bytes)
{
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), inner = (n_bytes + page - 1) / page * page;
  guarded g = {.bytes = inner + 2 * page};
  g.pages = mmap(NULL, g.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  cr_assert_neq(g.pages, MAP_FAILED);
  g.first = g.pages + page;
  g.end = g.first + inner;
  cr_assert_eq(mprotect(g.first, inner, PROT_READ | PROT_WRITE), 0);
  return g;
}

static double value_of(const char *at, tsr_dtype dtype)
{
  if (dtype == TSR_FLOAT64) return *(const double *)at;
  if (dtype == TSR_FLOAT32) return *(const float *)at;
  return dtype == TSR_INT32 ? *(const int32_t *)at : (double)*(const int64_t *)at;
}

static void set_value(char *at, tsr_dtype dtype, int value)
{
  if (dtype == TSR_FLOAT64)
    *(double *)at = value;
  else if (dtype == TSR_FLOAT32)
    *(float *)at = (float)value;
  else if (dtype == TSR_INT32)
    *(int32_t *)at = value;
  else
    *(int64_t *)at = value;
}

/* Sums of loads at drawn distances from the first or the last elements between the guards; small
 * whole numbers, so that all sums are exact. */
static void run_drawn(tsr_jit *jit, tsr_dtype dtype, unsigned seed)
{
  enum { ROWS = 3, REACH = 17, MOST_N = 180 };
  srand(seed);
  const int64_t size = (int64_t)tsr__dtype_size(dtype), n = 16 + rand() % (MOST_N - 16);
  const int n_loads = 2 + rand() % (MOST - 2), reach = 1 + rand() % REACH;
  const int64_t row = n + reach;
  guarded in = guarded_create((size_t)(ROWS * row * size)), out = guarded_create(ROWS * 4096);
  /* the first elements, or the last */
  char *const first = rand() % 2 ? in.first : in.end - ROWS * row * size;
  for (int64_t i = 0; i < ROWS * row; i++) set_value(first + i * size, dtype, rand() % 1000);
  void *base[MOST + 1];
  for (int a = 0; a < n_loads; a++) base[a] = first + rand() % (reach + 1) * size;
  base[n_loads] = out.first + rand() % 16 * size;
  int64_t stride[MOST + 1][TSR_MAX_NDIM];
  tsr_kernel_bind bind = bind_of(ROWS, n, n_loads, size, row * size, base, stride);
  tsr_kernel *k = sum_of(n_loads, dtype);
  cr_assert_eq(tsr__kernel_prepare(k), TSR_OK);
  void *scratch = aligned_alloc(64, (tsr__kernel_scratch_bytes(k) + 127) / 64 * 64);
  cr_expect(tsr__jit_run(jit, k, &bind, scratch, NULL), "compiled code runs %d points", (int)n);
  for (int64_t r = 0; r < ROWS; r++)
    for (int64_t i = 0; i < n; i++) {
      double sum = 0;
      for (int a = 0; a < n_loads; a++)
        sum += value_of((char *)base[a] + (r * row + i) * size, dtype);
      const double got = value_of((char *)base[n_loads] + (r * row + i) * size, dtype);
      cr_assert_eq(got, sum, "seed %u: row %d, point %d of %d", seed, (int)r, (int)i, (int)n);
    }
  free(scratch);
  tsr__kernel_destroy(k);
  munmap(in.pages, in.bytes);
  munmap(out.pages, out.bytes);
}

Test(beside, nothing_else_is_read_and_no_bit_changes, .timeout = 300)
{
  const tsr_dtype dtypes[] = {TSR_FLOAT64, TSR_FLOAT32, TSR_INT32, TSR_INT64};
  const tsr_config config = eager_config();
  for (int t = 0; tsr__target_get(t); t++) {
    tsr_jit *jit = tsr__jit_create_for(&config, &tsr__code_c, tsr__target_get(t));
    for (unsigned seed = 0; seed < 24; seed++) run_drawn(jit, dtypes[seed % 4], seed);
    tsr__jit_destroy(jit);
  }
}

/* A run of long rows by strips, and its repetition where one load lies elsewhere. */
Test(beside, strips_and_repetitions, .timeout = 60)
{
  enum { ROWS = 6, N = 1501, ROW = 1504 };
  static double x[(ROWS + 2) * ROW], y[ROWS * ROW], z[(ROWS + 2) * ROW];
  for (int i = 0; i < (ROWS + 2) * ROW; i++) x[i] = 0.1 * i, z[i] = 1.0 / (i + 1);
  const tsr_config config = eager_config();
  for (int t = 0; tsr__target_get(t); t++) {
    tsr_jit *jit = tsr__jit_create_for(&config, &tsr__code_c, tsr__target_get(t));
    tsr_kernel *k = sum_of(5, TSR_FLOAT64);
    cr_assert_eq(tsr__kernel_prepare(k), TSR_OK);
    void *scratch = aligned_alloc(64, (tsr__kernel_scratch_bytes(k) + 127) / 64 * 64);
    double *const c = x + ROW + 1, *const d = z + ROW + 1;
    void *base[] = {c, c - ROW, c + 1, c - 1, c + ROW, y},
         *alike[] = {d, d - ROW, d + 1, d - 1, d + ROW, y};
    void *other[] = {c, c - ROW, d + 1, c - 1, c + ROW, y};
    int64_t stride[MOST + 1][TSR_MAX_NDIM];
    const tsr_kernel_bind bind = bind_of(ROWS, N - 2, 5, 8, 8 * ROW, base, stride);
    for (int again = 0; again < 2; again++) { /* the first run may be the interpreter's */
      memset(y, 0, sizeof y);
      cr_expect(tsr__jit_run(jit, k, &bind, scratch, NULL));
      for (int i = 0; i < ROWS * ROW; i++) {
        const double *at = c + i;
        const bool is_inside = i % ROW < N - 2;
        cr_assert_eq(y[i], is_inside ? *at + at[-ROW] + at[1] + at[-1] + at[ROW] : 0);
      }
    }
    tsr_replay *r = tsr__jit_replay(jit, k, &bind);
    cr_assert_not_null(r);
    cr_expect(tsr__replay_run(r, alike, NULL));
    for (int i = 0; i < N - 2; i++)
      cr_assert_eq(y[i], d[i] + d[i - ROW] + d[i + 1] + d[i - 1] + d[i + ROW]);
    memset(y, 0, sizeof y);
    if (!tsr__replay_run(r, other, NULL)) {
      cr_expect_eq(tsr__target_get(t)->vector_bytes, 64);
      for (int i = 0; i < N - 2; i++) cr_assert_eq(y[i], 0, "nothing is done");
    } else {
      cr_expect_lt(tsr__target_get(t)->vector_bytes, 64);
      for (int i = 0; i < N - 2; i++)
        cr_assert_eq(y[i], c[i] + c[i - ROW] + d[i + 1] + c[i - 1] + c[i + ROW]);
    }
    free(r);
    free(scratch);
    tsr__kernel_destroy(k);
    tsr__jit_destroy(jit);
  }
}
