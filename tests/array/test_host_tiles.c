/* Arrays of what an MPI program has already: boxes of all ranks. */
#include "array_test.h"

TestSuite(host_tiles, .init = begin, .fini = end);

enum { ROWS = 48, COLUMNS = 35, MOST = 64 };

/** A box of the array whose element (i, j) is 1000*i + j, in memory with padding around it. */
typedef struct mine {
  tsr_host_tile tiles[MOST];
  double *data[MOST];
  int n;
} mine;

static void add_box(mine *m, int64_t lo0, int64_t lo1, int64_t n0, int64_t n1)
{
  enum { PAD = 2 };
  const int64_t row = n1 + 2 * PAD;
  double *data = malloc((size_t)((n0 + 2 * PAD) * row) * sizeof *data);
  for (int64_t i = 0; i < (n0 + 2 * PAD) * row; i++) data[i] = -7;
  for (int64_t i = 0; i < n0; i++)
    for (int64_t j = 0; j < n1; j++)
      data[(i + PAD) * row + j + PAD] = (double)(1000 * (lo0 + i) + lo1 + j);
  m->data[m->n] = data;
  m->tiles[m->n++] = (tsr_host_tile){.lo = {lo0, lo1},
                                     .n = {n0, n1},
                                     .stride_bytes = {row * 8, 8},
                                     .data = data + PAD * row + PAD};
}

static void drop(mine *m)
{
  for (int i = 0; i < m->n; i++) {
    for (int64_t k = 0; k < m->tiles[i].n[0]; k++) m->data[i][k] = -9; /* it was copied */
    free(m->data[i]);
  }
}

static void expect_numbered(tsr_array x)
{
  cr_assert(tsr_ok(x), "%s", tsr_last_error());
  tsr_array want = tsr_add(tsr_multiply(tsr_expand_dims(tsr_arange(0, ROWS, 1), 1), 1000),
                           tsr_arange(0, COLUMNS, 1));
  cr_expect(tsr_array_equal(x, want));
  tsr_array next = tsr_eval("x[1:] - x[:-1]", x);
  cr_expect(tsr_array_equal(next, tsr_full(TSR_SHAPE(ROWS - 1, COLUMNS), 1000)));
}

/* Cuts the array in two again and again; part k goes to rank (3*k + shift) % n. */
static void cut_up(mine *m, const int64_t *lo, const int64_t *n, int depth, int *number, int shift)
{
  const int axis = depth % 2;
  if (depth == 0 || n[axis] < 2) {
    if ((3 * *number + shift) % tsr_n_ranks() == tsr_rank()) add_box(m, lo[0], lo[1], n[0], n[1]);
    ++*number;
    return;
  }
  int64_t half[2] = {n[0], n[1]}, rest[2] = {n[0], n[1]}, at[2] = {lo[0], lo[1]};
  half[axis] = n[axis] / 3 + 1;
  rest[axis] -= half[axis];
  at[axis] += half[axis];
  cut_up(m, lo, half, depth - 1, number, shift);
  cut_up(m, at, rest, depth - 1, number, shift);
}

static tsr_array from(const mine *m)
{
  return tsr_from_tiles(m->n, m->tiles, TSR_FLOAT64, TSR_SHAPE(ROWS, COLUMNS));
}

static void take_any_boxes(void *arg, int rank)
{
  const int64_t lo[] = {0, 0}, n[] = {ROWS, COLUMNS};
  for (int depth = 0; depth < 6; depth++) {
    TSR_SCOPE();
    mine m = {.n = 0};
    int number = 0;
    cut_up(&m, lo, n, depth, &number, depth);
    tsr_array x = from(&m);
    drop(&m);
    expect_numbered(x);
  }
}

Test(host_tiles, any_boxes)
{
  for (int n = 1; n <= 5; n += 1 + (n > 1)) {
    RUN_RANKS(n, take_any_boxes, NULL, "threads", "1", "replicate_max", "0", "tile_min", "16");
    RUN_RANKS(n, take_any_boxes, NULL, "threads", "1");
  }
}

/* The program's grid: 2 x 2, uneven, its ranks in another order than a fresh array's. */
static void take_a_grid(void *arg, int rank)
{
  mine m = {.n = 0};
  const int at = 3 - rank;
  const int64_t lo0 = at / 2 ? 22 : 0, lo1 = at % 2 ? 20 : 0;
  const int64_t n0 = at / 2 ? 26 : 22, n1 = at % 2 ? 15 : 20;
  add_box(&m, lo0, lo1, n0, 7);
  add_box(&m, lo0, lo1 + 7, n0, n1 - 7);
  cr_assert_eq(tsr_barrier(), TSR_OK);
  const uint64_t before = tsr__current->world.transport->bytes_received;
  tsr_array x = from(&m);
  const uint64_t bytes = tsr__current->world.transport->bytes_received - before;
  cr_expect(bytes < 5000, "%llu bytes of the array's %d", (unsigned long long)bytes,
            ROWS * COLUMNS * 8);
  const tsr_facts f = tsr_facts_of(x);
  cr_expect(f.lo[0] == lo0 && f.lo[1] == lo1 && f.n[0] == n0 && f.n[1] == n1, "rank %d", rank);
  tsr_local_tile tile;
  cr_assert_eq(tsr_local(x, NULL, false, &tile), TSR_OK);
  cr_expect(tile.lo[0] == lo0 && tile.lo[1] == lo1 && tile.n[0] == n0 && tile.n[1] == n1);
  cr_expect_eq(*(const double *)tile.data, (double)(1000 * lo0 + lo1));
  cr_expect_eq(tsr_local_end(&tile), TSR_OK);
  drop(&m);
  expect_numbered(x);
}

Test(host_tiles, a_grid_stays_where_it_is)
{
  no_devices_asked_for();
  RUN_RANKS(4, take_a_grid, NULL, "threads", "1", "replicate_max", "0", "tile_min", "16");
}

/* One rank has all of it: a fresh cut spreads it. */
static void take_from_one(void *arg, int rank)
{
  mine m = {.n = 0};
  if (rank == 1) add_box(&m, 0, 0, ROWS, COLUMNS);
  tsr_array x = from(&m);
  cr_expect_gt(tsr_facts_of(x).n_bytes_here, 0);
  drop(&m);
  expect_numbered(x);
}

Test(host_tiles, what_one_rank_has_is_spread)
{
  no_devices_asked_for();
  RUN_RANKS(3, take_from_one, NULL, "threads", "1", "replicate_max", "0", "tile_min", "16");
}

static void count_release(void *arg)
{
  ++*(int *)arg;
}

static void fail(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array kept = tsr_hold(tsr_multiply(tsr_arange(0, 5000, 1), 1));
  static _Alignas(64) const double memory[ROWS * COLUMNS + 1] = {0};
  const double *data = memory + 1; /* where no tile may lie, so that it is copied */
  tsr_host_tile tile = {.lo = {rank * 24, 0}, .n = {24, COLUMNS}, .data = data};
  int released = 0;
  const tsr_dims shape = TSR_SHAPE(ROWS, COLUMNS);
#define TAKE() tsr_from_tiles(1, &tile, TSR_FLOAT64, shape, TSR_LENT(count_release, &released))
  tile.n[0] = rank == 1 ? 24 : 20;
  cr_expect(!tsr_ok(TAKE()));
  EXPECT_ERROR(TSR_ERR_SHAPE, "the element (20, 0) is in no rank's tile",
               "hold every element once");
  tile.n[0] = 24;
  tile.n[1] = rank == 1 ? 30 : 35;
  cr_expect(!tsr_ok(TAKE()));
  EXPECT_ERROR(TSR_ERR_SHAPE, "the element (24, 30) is in no rank's tile");
  tile.n[1] = COLUMNS;
  tile.lo[0] = rank * 22;
  cr_expect(!tsr_ok(TAKE()));
  EXPECT_ERROR(TSR_ERR_SHAPE, "the tiles [0:24,0:35] of rank 0 and [22:46,0:35] of rank 1 overlap",
               "leave ghost cells out");
  tile.lo[0] = rank * 25;
  cr_expect(!tsr_ok(TAKE()));
  EXPECT_ERROR(TSR_ERR_PEER, "rank 1 failed with TSR0101",
               "tile 0 does not lie in the array: along axis 0 it is 24 long from 25 on, the array "
               "48");
  tile.lo[0] = rank * 24;
  tile.data = rank == 1 ? NULL : data;
  cr_expect(!tsr_ok(TAKE()));
  EXPECT_ERROR(TSR_ERR_PEER, "rank 1 failed with TSR0101", "tile 0 has no data");
  cr_expect_eq(released, 5, "also where the call fails");
  tile.data = data;
  tsr_array x = TAKE();
  cr_assert(tsr_ok(x), "%s", tsr_last_error());
  cr_expect_eq(released, 6);
  cr_expect_eq(tsr_item_f64(tsr_sum(x)), 0);
  cr_expect_eq(tsr_item_f64(tsr_sum(kept)), 5000.0 * 4999 / 2, "other values are still there");
}

Test(host_tiles, errors_name_what_is_wrong)
{
  RUN_RANKS(2, fail, NULL, "threads", "1", "replicate_max", "0", "tile_min", "16");
  RUN_RANKS(2, fail, NULL, "threads", "1");
}

Test(host_tiles, alone)
{
  const float data[] = {1, 2, 3, 4, 5, 6};
  const tsr_host_tile tiles[] = {{.lo = {0, 2}, .n = {2, 1}, .stride_bytes = {4, 4}, .data = data},
                                 {.lo = {1, 1}, .n = {0, 7}},
                                 {.n = {2, 2}, .data = data + 2}};
  EXPECT_VALUES(tsr_from_tiles(3, tiles, TSR_FLOAT32, TSR_SHAPE(2, 3)), TSR_SHAPE(2, 3), 3, 4, 1, 5,
                6, 2);
  cr_expect(!tsr_ok(tsr_from_tiles(2, tiles, TSR_FLOAT32, TSR_SHAPE(2, 3))));
  EXPECT_ERROR(TSR_ERR_SHAPE, "the element (0, 0) is in no tile");
  cr_expect(!tsr_ok(tsr_from_tiles(-1, tiles, TSR_FLOAT32, TSR_SHAPE(2, 3))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the number of tiles is -1");
  cr_expect(!tsr_ok(tsr_from_tiles(1, NULL, TSR_FLOAT32, TSR_SHAPE(2, 3))));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the tiles are NULL");
  const tsr_host_tile one = {.data = data};
  EXPECT_VALUES(tsr_from_tiles(1, &one, TSR_FLOAT32, TSR_SHAPE()), TSR_SHAPE(), 1);
  EXPECT_VALUES(tsr_from_tiles(0, NULL, TSR_FLOAT32, TSR_SHAPE(3, 0)), TSR_SHAPE(3, 0), 0);
}

/* Memory that is lent. */

typedef struct lent {
  double *all;  /* 64-byte aligned */
  int released; /* how often */
} lent;

static void give_back(void *arg)
{
  ((lent *)arg)->released++;
}

static lent lend(int64_t n, double first)
{
  lent l = {.all = aligned_alloc(64, (size_t)((n + 8) / 8 * 8 + 8) * sizeof(double))};
  for (int64_t i = 0; i < n + 8; i++) l.all[i] = first + (double)i;
  return l;
}

/* Each rank lends its part of a vector. */
static void lend_parts(void *arg, int rank)
{
  enum { EACH = 1000 };
  const int n_ranks = tsr_n_ranks();
  lent l = lend(EACH, EACH * rank);
  const tsr_host_tile tile = {.lo = {EACH * rank}, .n = {EACH}, .data = l.all};
  tsr_array x =
      tsr_from_tiles(1, &tile, TSR_FLOAT64, TSR_SHAPE(EACH * n_ranks), TSR_LENT(give_back, &l));
  cr_assert(tsr_ok(x), "%s", tsr_last_error());
  cr_expect_eq(l.released, 0, "the array has the memory");
  tsr_local_tile here;
  cr_assert_eq(tsr_local(x, NULL, false, &here), TSR_OK);
  cr_expect_eq((void *)here.data, (void *)l.all, "rank %d of %d", rank, n_ranks);
  cr_expect_eq(tsr_local_end(&here), TSR_OK);
  cr_expect(tsr_array_equal(x, tsr_arange(0.0, EACH * n_ranks, 1)));
  cr_expect_eq(tsr_imul(x, 2), TSR_OK);
  cr_expect(tsr_array_equal(x, tsr_arange(0.0, 2.0 * EACH * n_ranks, 2)));
  tsr_array copy = tsr_add(x, 1);
  tsr_release(&x);
  cr_expect(tsr_array_equal(copy, tsr_arange(1.0, 2.0 * EACH * n_ranks + 1, 2)));
  tsr_release(&copy);
  cr_expect_eq(tsr_flush(), TSR_OK);
  cr_expect_eq(l.released, 1);
  free(l.all);
}

Test(host_tiles, lent_memory_is_the_array)
{
  no_devices_asked_for();
  for (int n = 1; n <= 4; n *= 2)
    RUN_RANKS(n, lend_parts, NULL, "threads", "1", "replicate_max", "0", "tile_min", "16");
  RUN_RANKS(1, lend_parts, NULL, "threads", "2");
}

/* A halo moves the values to other memory: the program gets its own back, and the array stays. */
static void lend_to_a_stencil(void *arg, int rank)
{
  enum { EACH = 1000 };
  lent l = lend(EACH, EACH * rank);
  const tsr_host_tile tile = {.lo = {EACH * rank}, .n = {EACH}, .data = l.all};
  tsr_array y = tsr_zeros(TSR_SHAPE(EACH * 4));
  tsr_array x = tsr_from_tiles(1, &tile, TSR_FLOAT64, TSR_SHAPE(EACH * 4), TSR_LENT(give_back, &l));
  cr_expect_eq(tsr_exec("y[1:-1] = x[2:] - x[:-2]", y, x), TSR_OK);
  cr_expect_eq(tsr_item_f64(tsr_sum(y)), 2 * (EACH * 4 - 2));
  const bool has_two_neighbours = rank == 1 || rank == 2;
  cr_expect(l.released == 1 || !has_two_neighbours, "rank %d", rank);
  for (int i = 0; i < EACH && l.released; i++) l.all[i] = -1;
  cr_expect(tsr_array_equal(x, tsr_arange(0.0, EACH * 4, 1)));
  tsr_release(&x);
  cr_expect_eq(tsr_flush(), TSR_OK);
  cr_expect_eq(l.released, 1, "rank %d", rank);
  free(l.all);
}

Test(host_tiles, a_halo_gives_lent_memory_back)
{
  no_devices_asked_for();
  RUN_RANKS(4, lend_to_a_stencil, NULL, "threads", "1", "replicate_max", "0", "tile_min", "16");
}

/* Memory that does not lie as a tile would is copied, and given back at once. */
static void lend_what_is_copied(void *arg, int rank)
{
  enum { N = 400 };
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  const tsr_host_tile unaligned = {.n = {N}}, strided = {.n = {N / 2}, .stride_bytes = {16}},
                      wide = {.n = {2, N / 2}}, narrow = {.n = {N / 8, 8}},
                      halves[2] = {{.n = {N / 2}}, {.lo = {N / 2}, .n = {N / 2}}};
  const struct {
    const tsr_host_tile *tiles;
    int n, at, released;
    tsr_dims shape;
  } cases[] = {{&unaligned, 1, 1, 1, TSR_SHAPE(N)},     {&strided, 1, 0, 1, TSR_SHAPE(N / 2)},
               {&wide, 1, 0, 1, TSR_SHAPE(2, N / 2)},   {halves, 2, 0, 1, TSR_SHAPE(N)},
               {&narrow, 1, 0, 0, TSR_SHAPE(N / 8, 8)}, {&unaligned, 1, 0, 0, TSR_SHAPE(N)},
               {&unaligned, 1, 0, 1, TSR_SHAPE(N + 1)}}; /* the last one is an error */
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    lent l = lend(N, 0);
    tsr_host_tile tiles[2];
    const int64_t step =
        cases[k].tiles[0].stride_bytes[0] / 8 + (cases[k].tiles == &strided ? 0 : 1);
    for (int i = 0; i < cases[k].n; i++) {
      tiles[i] = cases[k].tiles[i];
      tiles[i].data = l.all + cases[k].at + tiles[i].lo[0];
    }
    tsr_array x =
        tsr_from_tiles(cases[k].n, tiles, TSR_FLOAT64, cases[k].shape, TSR_LENT(give_back, &l));
    cr_expect_eq(l.released, cases[k].released, "case %d", (int)k);
    cr_expect_eq(tsr_ok(x), k + 1 < sizeof cases / sizeof *cases);
    if (!tsr_ok(x)) EXPECT_ERROR(TSR_ERR_SHAPE, "the element (400) is in no tile");
    if (tsr_ok(x))
      cr_expect(tsr_array_equal(tsr_ravel(x),
                                tsr_add(tsr_multiply(tsr_arange(0.0, (double)tsr_size(x), 1), step),
                                        cases[k].at)),
                "case %d", (int)k);
    tsr_release(&x);
    cr_expect_eq(tsr_flush(), TSR_OK);
    cr_expect_eq(l.released, 1, "case %d", (int)k);
    free(l.all);
  }
}

Test(host_tiles, other_memory_is_copied)
{
  no_devices_asked_for();
  RUN_RANKS(1, lend_what_is_copied, NULL, "threads", "1");
}

static void lend_to_another_memory(void *arg, int rank)
{
  lent l = lend(4000, 0);
  const tsr_host_tile tile = {.n = {4000}, .data = l.all};
  tsr_array x = tsr_from_tiles(1, &tile, TSR_FLOAT64, TSR_SHAPE(4000), TSR_LENT(give_back, &l));
  cr_expect_eq(l.released, 1);
  free(l.all);
  cr_expect(tsr_array_equal(x, tsr_arange(0.0, 4000, 1)));
}

/* On a device, and on two places, it is copied, too. */
Test(host_tiles, lent_to_a_device)
{
  no_devices_asked_for();
  const char *const settings[][2] = {{"device", "check"}, {"places", "2"}};
  for (int k = 0; k < 2; k++) {
    RUN_RANKS(1, lend_to_another_memory, NULL, "threads", "1", settings[k][0], settings[k][1]);
  }
}

/* Repeated steps whose arrays are one memory of the program's and then, for a few steps, others:
 * loads that lay less than a vector apart no longer do. */
static void lend_twice(void *arg, int rank)
{
  enum { N = 2000, STEPS = 40, FEW = 30 };
  lent all = lend(N + 8, 0), other = lend(N, 5);
  const tsr_host_tile tiles[] = {
      {.n = {N}, .data = all.all}, {.n = {N}, .data = all.all + 8}, {.n = {N}, .data = other.all}};
  tsr_array x[3], out = tsr_zeros(N);
  for (int i = 0; i < 3; i++)
    x[i] = tsr_from_tiles(1, &tiles[i], TSR_FLOAT64, TSR_SHAPE(N),
                          TSR_LENT(give_back, i < 2 ? &all : &other));
  const uint64_t before = tsr__context_counters()->n_repeats;
  for (int i = 0; i < STEPS; i++) {
    const tsr_array y = x[i < FEW ? 1 : 2];
    cr_assert_eq(tsr_exec("$1[1:] = $2[1:] - $3[:-1]", out, x[0], y), TSR_OK);
    cr_assert_eq(tsr_flush(), TSR_OK);
    cr_assert_eq(tsr_item_f64(tsr_slice(out, "-1")), i < FEW ? -7 : -4, "step %d", i);
    cr_assert_eq(tsr_item_f64(tsr_min(out)), i < FEW ? -7 : -4, "step %d", i);
  }
  cr_expect_gt(tsr__context_counters()->n_repeats - before, STEPS / 4);
  for (int i = 0; i < 3; i++) tsr_release(&x[i]);
  cr_expect_eq(tsr_flush(), TSR_OK);
  cr_expect_eq(all.released, 2);
  free(all.all);
  free(other.all);
}

Test(host_tiles, memory_that_is_lent_twice)
{
  no_devices_asked_for();
  RUN_RANKS(1, lend_twice, NULL, "threads", "1", "jit", "eager", "jit_after", "0", "device", "cpu",
            "places", "1", "replan", "off");
}
