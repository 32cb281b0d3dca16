/* What the loops of compiled code ask for ahead: of each array that comes from memory the access
 * that goes before the others; and that it changes no bit. */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "kernel/compile/jit_int.h"
#include "tests/kernel/compiled.h"

enum { MOST = 12, LANES = 8 };

/* A sum of n loads, stored; every access is a buffer of its own, but what is stored to `place`. */
static tsr_kernel *sum_of(int n, int place)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(2);
  int load[MOST];
  for (int a = 0; a < n; a++)
    load[a] = tsr__kernel_load(b, tsr__kernel_access_add(b, TSR_FLOAT64, false, a, 0));
  const int sum = tsr__kernel_op(b, TSR_OP_ADD, TSR_FLOAT64, TSR_FLOAT64, n, load);
  tsr__kernel_store(b, tsr__kernel_access_add(b, TSR_FLOAT64, true, place, 0), sum);
  return tsr__kernel_finish(b);
}

/* The classes of 1,000 rows of 2,000 numbers, 16,384 bytes apart, from the given addresses on. */
static void expect_classes(int n_loads, int place, const intptr_t *at, bool from_memory,
                           uint64_t stream_store_mask, const char *expected)
{
  static const char letters[] = {[TSR_CLASS_UNIT] = 'u',
                                 [TSR_CLASS_ZERO] = '0',
                                 [TSR_CLASS_ANY] = '?',
                                 [TSR_CLASS_STREAM_STORE] = 'f',
                                 [TSR_CLASS_AHEAD] = 'a'};
  tsr_kernel *k = sum_of(n_loads, place);
  void *base[MOST + 1];
  int64_t stride[MOST + 1][TSR_MAX_NDIM] = {{0}};
  for (int a = 0; a <= n_loads; a++) {
    base[a] = (void *)at[a];
    stride[a][0] = 16384;
    stride[a][1] = 8;
  }
  const tsr_kernel_bind bind = {.n = {1000, 2000},
                                .base = base,
                                .stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])stride,
                                .stream_store_mask = stream_store_mask,
                                .from_memory = from_memory};
  tsr_nest nest;
  cr_assert(tsr__nest_make(k, &bind, LANES, &nest));
  char text[MOST + 2] = "";
  for (int a = 0; a <= n_loads; a++)
    text[a] = tsr__class_is_beside(nest.classes[a]) ? 'b' : letters[nest.classes[a]];
  cr_expect_str_eq(text, expected, "%s instead of %s", text, expected);
  tsr__kernel_destroy(k);
}

#define MB(n) ((intptr_t)(n) << 20)

Test(nest, asks_for_what_goes_before)
{
  const intptr_t row = 16384;
  /* center, north, east, west, south; another array; what is stored */
  const intptr_t five[] = {
      MB(100) + row, MB(100), MB(100) + row + 8, MB(100) + row - 8, MB(100) + 2 * row,
      MB(200),       MB(300)};
  expect_classes(6, 6, five, true, 0, "uubbaaa");
  expect_classes(6, 6, five, true, 1 << 6, "uubbaaf");
  expect_classes(6, 6, five, false, 0, "uubbuuu");
  /* 32 rows between two loads: they come from memory twice; 31: not */
  const intptr_t far[] = {MB(100), MB(100) + 33 * row, MB(300)};
  expect_classes(2, 2, far, true, 0, "aaa");
  const intptr_t near[] = {MB(100), MB(100) + 32 * row, MB(300)};
  expect_classes(2, 2, near, true, 0, "uaa");
  /* in place: the lines are asked for once, to be written */
  const intptr_t place[] = {MB(100), MB(200), MB(100)};
  expect_classes(2, 0, place, true, 0, "uaa");
}

Test(nest, asks_for_few_streams)
{
  intptr_t at[MOST];
  for (int a = 0; a < MOST; a++) at[a] = MB(100 * (a + 1));
  expect_classes(7, 7, at, true, 0, "aaaaaaaa");
  expect_classes(8, 8, at, true, 0, "uuuuuuuuu");
}

/* x += x[:, 1:] + y and z = x + x[:, 1:] + y, asked for ahead, for each instruction set. */
Test(nest, asking_changes_no_bit, .timeout = 120)
{
  enum { ROWS = 5, N = 3001, STRIDE = 3016 };
  const tsr_config config = eager_config();
  static double x[ROWS * STRIDE], y[ROWS * STRIDE], z[ROWS * STRIDE];
  for (int t = 0; tsr__target_get(t); t++) {
    tsr_jit *jit = tsr__jit_create_for(&config, &tsr__code_c, tsr__target_get(t));
    for (int in_place = 0; in_place < 2; in_place++) {
      for (int i = 0; i < ROWS * STRIDE; i++) x[i] = 0.1 * i, y[i] = 1.0 / (i + 1), z[i] = -1;
      tsr_kernel *k = sum_of(in_place ? 2 : 3, in_place ? 0 : 3);
      cr_assert_eq(tsr__kernel_prepare(k), TSR_OK);
      void *moved[] = {x, x + 1, y, z}, *same[] = {x, y, x};
      int64_t stride[4][TSR_MAX_NDIM];
      for (int a = 0; a < 4; a++) stride[a][0] = 8 * STRIDE, stride[a][1] = 8;
      const tsr_kernel_bind bind = {.n = {ROWS, N},
                                    .base = in_place ? same : moved,
                                    .stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])stride,
                                    .from_memory = true};
      void *scratch = aligned_alloc(64, (tsr__kernel_scratch_bytes(k) + 127) / 64 * 64);
      cr_expect(tsr__jit_run(jit, k, &bind, scratch, NULL));
      for (int i = 0; i < ROWS * STRIDE; i++) {
        const bool inside = i % STRIDE < N;
        const double was = 0.1 * i, next = 0.1 * (i + 1), other = 1.0 / (i + 1);
        const double sum = in_place ? was + other : was + next + other;
        cr_assert_eq(in_place ? x[i] : z[i], inside ? sum : in_place ? was : -1, "%d", i);
      }
      free(scratch);
      tsr__kernel_destroy(k);
    }
    tsr__jit_destroy(jit);
  }
}

/* Elements of every size and at every step are copied to where they follow each other. What a copy
 * may not read is not there. */
Test(nest, rows_of_every_step_are_copied)
{
  enum { MOST_N = 37, ROWS = 18, FAR = 3 };
  for (int64_t size = 1; size <= 16; size *= 2)
    for (int64_t step = -FAR; step <= FAR; step++)
      for (int64_t n = 1; n <= MOST_N; n += 4)
        for (int across = 0; across < 2; across++) {
          const int64_t rows = across ? ROWS : 3, wide = across ? ROWS : 1;
          const int64_t row = across ? 1 : (n - 1) * labs(step) + 1, begin = step < 0 ? n - 1 : 0;
          const int64_t length = (n - 1) * labs(step) * wide + (rows - 1) * row + 1;
          char *from = malloc((size_t)(length * size)), *to = malloc((size_t)(rows * n * size));
          for (int64_t i = 0; i < length * size; i++) from[i] = (char)(i * 7 % 251);
          const char *first = from - begin * step * wide * size;
          tsr__panel_copy_rows(to, n * size, first, step * wide * size, row * size, n, rows,
                               (size_t)size);
          for (int64_t i = 0; i < rows * n; i++)
            cr_assert_arr_eq(to + i * size, first + (i % n * step * wide + i / n * row) * size,
                             (size_t)size, "size %d, step %d, %d of %d", (int)size, (int)step,
                             (int)i, (int)n);
          free(from);
          free(to);
        }
}

/* z = x + y, where y is: one row with gaps for all; reversed; every other element; transposed. */
Test(nest, loads_with_gaps_are_made_dense, .timeout = 120)
{
  enum { ROWS = 23, N = 1500, GAP = 3 };
  static const int64_t layouts[][3] = {/* of y in elements: the first, from row to row, the step */
                                       {0, 0, GAP},
                                       {N - 1, N, -1},
                                       {0, 2 * N, 2},
                                       {0, 1, ROWS}};
  const tsr_config config = eager_config();
  static double x[ROWS * N], y[GAP * ROWS * N], z[ROWS * N], again[ROWS * N];
  for (int i = 0; i < ROWS * N; i++) x[i] = 0.1 * i;
  for (int i = 0; i < GAP * ROWS * N; i++) y[i] = 1.0 / (i + 1);
  for (int t = 0; tsr__target_get(t); t++) {
    tsr_jit *jit = tsr__jit_create_for(&config, &tsr__code_c, tsr__target_get(t));
    tsr_kernel *k = sum_of(2, 2);
    cr_assert_eq(tsr__kernel_prepare(k), TSR_OK);
    void *scratch = aligned_alloc(64, (tsr__kernel_scratch_bytes(k) + 127) / 64 * 64);
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
      const int64_t first = layouts[l][0], row = layouts[l][1], step = layouts[l][2];
      int64_t stride[3][TSR_MAX_NDIM] = {{8 * N, 8}, {8 * row, 8 * step}, {8 * N, 8}};
      void *base[] = {x, y + first, z}, *other[] = {x, y + first, again};
      const tsr_kernel_bind bind = {
          .n = {ROWS, N}, .base = base, .stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])stride};
      tsr_nest nest;
      cr_assert(tsr__nest_make(k, &bind, LANES, &nest));
      cr_expect(nest.gapped.n == 1 && nest.gapped.stream[0] == 1);
      cr_expect(nest.classes[1] == TSR_CLASS_UNIT && nest.strip == 0);
      for (int i = 0; i < ROWS * N; i++) z[i] = again[i] = -1;
      cr_expect(tsr__jit_run(jit, k, &bind, scratch, NULL));
      tsr_replay *r = tsr__jit_replay(jit, k, &bind);
      cr_expect(tsr__replay_run(r, other, NULL));
      for (int i = 0; i < ROWS * N; i++) {
        cr_assert_eq(z[i], x[i] + y[first + i / N * row + i % N * step], "layout %d", (int)l);
        cr_assert_eq(again[i], z[i]);
      }
      free(r);
    }
    free(scratch);
    tsr__kernel_destroy(k);
    tsr__jit_destroy(jit);
  }
}

/* A copy of elements that follow each other along `inside` in the one array and along the other
 * axis in the other. */
static void expect_transposed(tsr_jit *jit, tsr_dtype dtype, int inside, int64_t rows, int64_t n)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(2);
  const int x = tsr__kernel_load(b, tsr__kernel_access_add(b, dtype, false, 0, 0));
  tsr__kernel_store(b, tsr__kernel_access_add(b, dtype, true, 1, 0), x);
  tsr_kernel *k = tsr__kernel_finish(b);
  cr_assert_eq(tsr__kernel_prepare(k), TSR_OK);
  const int64_t size = (int64_t)tsr__dtype_size(dtype), row = size * (n + 6), bytes = rows * row;
  char *from = malloc((size_t)(n * size * (rows + 1))),
       *to[2] = {malloc((size_t)bytes), malloc((size_t)bytes)};
  for (int64_t i = 0; i < n * size * (rows + 1); i++) from[i] = (char)(i * 7 % 251);
  for (int j = 0; j < 2; j++) memset(to[j], -1, (size_t)bytes);
  int64_t stride[2][TSR_MAX_NDIM] = {{0}};
  stride[0][inside] = size * (rows + 1), stride[0][1 - inside] = size;
  stride[1][inside] = size, stride[1][1 - inside] = row;
  tsr_kernel_bind bind = {.base = (void *[]){from, to[0]},
                          .stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])stride};
  bind.n[inside] = n, bind.n[1 - inside] = rows;
  tsr_nest nest;
  cr_assert(tsr__nest_make(k, &bind, LANES, &nest));
  cr_expect(nest.n_panel_axes > 0 || nest.classes[1] == TSR_CLASS_UNIT, "the store is dense");
  void *scratch = aligned_alloc(64, (tsr__kernel_scratch_bytes(k) + 127) / 64 * 64);
  cr_assert(tsr__jit_run(jit, k, &bind, scratch, NULL));
  tsr_replay *r = tsr__jit_replay(jit, k, &bind);
  cr_assert(tsr__replay_run(r, (void *const[]){from, to[1]}, NULL));
  for (int64_t i = 0; i < bytes; i++) {
    const int64_t at = i % row / size, byte = i % size;
    const char expected = at < n ? from[at * size * (rows + 1) + i / row * size + byte] : (char)-1;
    cr_assert_eq(to[0][i], expected, "%d bytes, byte %d", (int)size, (int)i);
    cr_assert_eq(to[1][i], expected);
  }
  free(r);
  free(scratch);
  free(from);
  free(to[0]);
  free(to[1]);
  tsr__kernel_destroy(k);
}

Test(nest, a_transposed_copy_writes_whole_rows, .timeout = 120)
{
  static const tsr_dtype dtypes[] = {TSR_INT8, TSR_INT16, TSR_FLOAT32, TSR_FLOAT64, TSR_COMPLEX128};
  const tsr_config config = eager_config();
  tsr_jit *jit = tsr__jit_create(&config);
  for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++)
    for (int inside = 0; inside < 2; inside++) {
      expect_transposed(jit, dtypes[d], inside, 250, 333);
      expect_transposed(jit, dtypes[d], inside, 401, 130);
      expect_transposed(jit, dtypes[d], inside, 67, 129);
      expect_transposed(jit, dtypes[d], inside, 3, 400);
    }
  tsr__jit_destroy(jit);
}

/* z = x + the index along axis 1, where x is read along its first axis: a run that is repeated at
 * other addresses gives what a run of its own gives; one that prefetches is not repeated. */
Test(nest, a_run_is_repeated_at_other_addresses, .timeout = 60)
{
  enum { ROWS = 40, N = 200 };
  const tsr_config config = eager_config();
  tsr_jit *jit = tsr__jit_create(&config);
  tsr_kernel_builder *b = tsr__kernel_builder_create(2);
  const int x = tsr__kernel_load(b, tsr__kernel_access_add(b, TSR_INT64, false, 0, 0));
  const int sum =
      tsr__kernel_op(b, TSR_OP_ADD, TSR_INT64, TSR_INT64, 2, (int[]){x, tsr__kernel_iota(b, 1)});
  tsr__kernel_store(b, tsr__kernel_access_add(b, TSR_INT64, true, 1, 0), sum);
  tsr_kernel *k = tsr__kernel_finish(b);
  cr_assert_eq(tsr__kernel_prepare(k), TSR_OK);
  static int64_t from[2][N * ROWS], to[2][ROWS * N];
  for (int i = 0; i < N * ROWS; i++) from[0][i] = 3 * i, from[1][i] = 7 * i;
  static const int64_t stride[2][TSR_MAX_NDIM] = {{8, 8 * ROWS}, {8 * N, 8}};
  tsr_kernel_bind bind = {
      .lo = {0, 5}, .n = {ROWS, N}, .base = (void *[]){from[0], to[0]}, .stride_bytes = stride};
  void *scratch = aligned_alloc(64, (tsr__kernel_scratch_bytes(k) + 127) / 64 * 64);
  cr_expect_null(tsr__jit_replay(jit, k, &bind), "nothing is compiled yet");
  cr_assert(tsr__jit_run(jit, k, &bind, scratch, NULL));
  tsr_replay *replay = tsr__jit_replay(jit, k, &bind);
  cr_assert_not_null(replay);
  cr_expect(tsr__replay_run(replay, (void *const[]){from[1], to[1]}, NULL));
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < N; j++) {
      cr_assert_eq(to[0][i * N + j], 3 * (j * ROWS + i) + j + 5);
      cr_assert_eq(to[1][i * N + j], 7 * (j * ROWS + i) + j + 5);
    }
  free(replay);
  bind.stride_bytes = (const int64_t[2][TSR_MAX_NDIM]){{8 * N, 8}, {8 * N, 8}};
  bind.from_memory = true;
  cr_assert(tsr__jit_run(jit, k, &bind, scratch, NULL));
  replay = tsr__jit_replay(jit, k, &bind);
  cr_assert_not_null(replay);
  cr_expect_not(tsr__replay_run(replay, (void *const[]){from[1], to[1]}, NULL));
  free(replay);
  free(scratch);
  tsr__kernel_destroy(k);
  tsr__jit_destroy(jit);
}
