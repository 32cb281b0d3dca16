/* Layouts: every index has one owner, layouts of views and reductions agree with the owners of the
 * points that they reach, and equal layouts are one pointer. */
#include "geometry.h"

#include <criterion/criterion.h>
#include <string.h>

/* The place whose tile has the point, the first of several; -1: there is none. */
static int owner_of(const tsr_layout *l, const int64_t *index)
{
  enum { MOST_PLACES = 4096 };
  tsr_box tile;
  for (int place = 0; place < MOST_PLACES; place++)
    if (tsr__layout_tile(l, place, &tile) && box_has(&tile, index)) return place;
  return -1;
}

/* The boxes of consecutive places have the points of their tiles, each once. */
static void check_tiles_of(const tsr_layout *l, int n_ranks)
{
  tsr_boxes boxes = {0};
  tsr_box tile;
  for (int first = 0; first < n_ranks; first++)
    for (int end = first; end <= n_ranks; end++) {
      int64_t volume = 0, n_owners = 0;
      tsr__boxes_clear(&boxes);
      tsr__layout_tiles_of(l, first, end, &boxes);
      for (int rank = first; rank < end; rank++) {
        if (!tsr__layout_tile(l, rank, &tile)) continue;
        n_owners++;
        volume += tsr__box_volume(&tile);
        bool is_there = false;
        for (int32_t i = 0; i < boxes.n; i++)
          is_there = is_there || tsr__box_contains(&boxes.v[i], &tile);
        cr_assert(is_there, "place %d of [%d, %d)", rank, first, end);
      }
      cr_assert_eq(tsr__boxes_volume(&boxes), volume);
      cr_assert(boxes.n <= n_owners && (l->place || boxes.n <= 2 * l->ndim + 1), "%d boxes",
                (int)boxes.n);
    }
  tsr__boxes_free(&boxes);
}

/* Checks what must hold of any layout: cuts, owners, tiles by rank and the iteration over tiles
 * agree. */
static void check_layout(const tsr_layout *l, int n_ranks)
{
  int64_t n_elems = 1, widest = 0;
  tsr_box whole = tsr__box_of_shape(l->ndim, l->shape), tile;
  for (int k = 0; k < l->ndim; k++) {
    n_elems *= l->shape[k];
    cr_assert(l->cuts[k][0] == 0 && l->cuts[k][l->n_tiles[k]] == l->shape[k]);
    for (int c = 0; c < l->n_tiles[k]; c++)
      cr_assert(l->cuts[k][c] < l->cuts[k][c + 1] || l->shape[k] == 0);
  }
  int64_t volume = 0;
  int n_owners = 0;
  for (int rank = 0; rank < n_ranks; rank++) {
    bool owns = tsr__layout_tile(l, rank, &tile);
    cr_assert_eq(tile.ndim, l->ndim);
    cr_assert(owns ? !tsr__box_is_empty(&tile) : l->ndim == 0 || tsr__box_is_empty(&tile));
    if (!owns) continue;
    n_owners++;
    volume += tsr__box_volume(&tile);
    if (tsr__box_volume(&tile) > widest) widest = tsr__box_volume(&tile);
    if (l->replicated) cr_assert(tsr__box_equal(&tile, &whole));
  }
  cr_assert_eq(tsr__layout_max_tile(l), widest);
  if (l->replicated) {
    cr_assert_eq(n_owners, n_elems ? n_ranks : 0);
    cr_assert_eq(tsr__layout_n_tiles(l), 1);
    return;
  }
  cr_assert_eq(volume, n_elems);
  cr_assert_eq(n_owners, tsr__layout_n_tiles(l));
  check_tiles_of(l, n_ranks);
  cr_assert(!tsr__layout_tile(l, -1, &tile) && !tsr__layout_tile(l, n_ranks, &tile));
  int64_t i[TSR_MAX_NDIM] = {0};
  do {
    int rank = owner_of(l, i);
    cr_assert(rank >= 0 && rank < n_ranks);
    cr_assert(tsr__layout_tile(l, rank, &tile) && box_has(&tile, i));
  } while (step_index(l->ndim, l->shape, i));
}

/* Compares the tiles that the iterator meets with those found by asking every rank. */
static void check_meeting(const tsr_layout *l, int n_ranks, const tsr_box *box)
{
  tsr_box hull = tsr__box_dense_hull(box), tile;
  int n_met = 0, n_want = 0;
  int64_t before[TSR_MAX_NDIM];
  tsr_tile_iter it;
  for (tsr__tiles_meeting(&it, l, box); tsr__tiles_next(&it); n_met++) {
    cr_assert(tsr__layout_tile(l, it.place, &tile) && tsr__box_equal(&tile, &it.tile));
    cr_assert(tsr__box_intersects(&tile, &hull));
    int order = 0; /* the order is row-major, that is lexicographic by the tile's corner */
    for (int k = 0; k < l->ndim && n_met && !order; k++)
      order = (tile.lo[k] > before[k]) - (tile.lo[k] < before[k]);
    cr_assert(order > 0 || n_met == 0);
    memcpy(before, tile.lo, sizeof before);
  }
  cr_assert(!tsr__tiles_next(&it));
  for (int rank = 0; rank < n_ranks; rank++)
    n_want += tsr__layout_tile(l, rank, &tile) && tsr__box_intersects(&tile, &hull);
  cr_assert_eq(n_met, n_want);
}

/* Random cuts of `shape`, half of the time with explicit places; some tiles may be empty. */
static const tsr_layout *random_custom(rng *r, tsr_layouts *table, int n_ranks, int ndim,
                                       const int64_t *shape)
{
  int64_t cuts[4][16];
  const int64_t *at[4];
  int32_t n_tiles[4], place[64], n = 1;
  for (int k = 0; k < ndim; k++) {
    n_tiles[k] = (int32_t)rng_in(r, 1, n_ranks / n < 4 ? n_ranks / n : 4);
    n *= n_tiles[k];
    cuts[k][0] = 0;
    for (int c = 1; c < n_tiles[k]; c++) cuts[k][c] = rng_in(r, cuts[k][c - 1], shape[k]);
    cuts[k][n_tiles[k]] = shape[k];
    at[k] = cuts[k];
  }
  for (int i = 0; i < n_ranks; i++) {
    int j = (int)rng_in(r, 0, i);
    place[i] = place[j];
    place[j] = i;
  }
  return tsr__layout_custom(table, ndim, shape, n_tiles, at, rng_in(r, 0, 1) ? place : NULL);
}

static const tsr_layout *random_layout(rng *r, tsr_layouts *table, int n_ranks, int ndim,
                                       const int64_t *shape)
{
  if (rng_in(r, 0, 1)) return tsr__layout_fresh(table, ndim, shape, 1, rng_in(r, 1, 4));
  return random_custom(r, table, n_ranks, ndim, shape);
}

Test(layout, every_index_has_one_owner)
{
  rng r = {5};
  for (int round = 0; round < 1500; round++) {
    int n_ranks = (int)rng_in(&r, 1, 24), ndim = (int)rng_in(&r, 0, 4);
    int64_t shape[4];
    for (int k = 0; k < ndim; k++) shape[k] = rng_in(&r, rng_in(&r, 0, 15) ? 1 : 0, 7);
    tsr_layouts *table = tsr__layouts_create(n_ranks, 1);
    const tsr_layout *l = random_layout(&r, table, n_ranks, ndim, shape);
    check_layout(l, n_ranks);
    tsr_box box = random_box(&r, ndim, 7, 3);
    if (!l->replicated) check_meeting(l, n_ranks, &box);
    check_layout(tsr__layout_replicated(table, ndim, shape), n_ranks);
    tsr__layouts_destroy(table);
  }
}

Test(layout, pullback_owns_what_the_view_reaches)
{
  rng r = {6};
  int n_affine = 0, n_listed = 0;
  for (int round = 0; round < 4000; round++) {
    int n_ranks = (int)rng_in(&r, 1, 32), rdim = (int)rng_in(&r, 0, 4);
    int64_t shape[4];
    for (int k = 0; k < rdim; k++) shape[k] = rng_in(&r, 1, 9);
    tsr_layouts *table = tsr__layouts_create(n_ranks, 1);
    const tsr_layout *of = random_layout(&r, table, n_ranks, rdim, shape);
    tsr_view v;
    random_view(&r, &v, rdim, shape, true, true);
    const tsr_layout *l = tsr__layout_pullback(table, of, &v);
    check_layout(l, n_ranks);
    cr_assert_eq(l->replicated, of->replicated || tsr__view_size(&v) == 0);
    cr_assert_eq(tsr__layout_pullback(table, of, &v), l);
    if (!l->replicated) {
      int64_t i[TSR_MAX_NDIM] = {0}, p[TSR_MAX_NDIM];
      do {
        view_apply(&v, i, p);
        cr_assert_eq(owner_of(l, i), owner_of(of, p));
      } while (step_index(v.ndim, v.shape, i));
      n_listed += l->place != NULL;
      n_affine += l->place == NULL;
      if (!of->place) {
        bool even = true; /* no tile jumped over, no diagonal: places stay affine */
        for (int j = 0; j < v.ndim; j++) {
          int rows = 0;
          for (int k = 0; k < rdim; k++) {
            rows += v.step[k][j] != 0;
            even &= v.step[k][j] >= -1 && v.step[k][j] <= 1;
          }
          even &= rows <= 1;
        }
        cr_assert(!even || !l->place);
      }
    }
    tsr__layouts_destroy(table);
  }
  cr_assert(n_affine > 500 && n_listed > 100, "%d affine, %d listed", n_affine, n_listed);
}

Test(layout, reduce_takes_the_first_tile_along_dropped_axes)
{
  rng r = {8};
  for (int round = 0; round < 1500; round++) {
    int n_ranks = (int)rng_in(&r, 1, 16), ndim = (int)rng_in(&r, 0, 4);
    int64_t shape[4];
    for (int k = 0; k < ndim; k++) shape[k] = rng_in(&r, 1, 6);
    tsr_layouts *table = tsr__layouts_create(n_ranks, 1);
    const tsr_layout *of = random_layout(&r, table, n_ranks, ndim, shape);
    uint32_t mask = (uint32_t)rng_in(&r, 0, (1 << ndim) - 1);
    bool keepdims = rng_in(&r, 0, 1);
    const tsr_layout *l = tsr__layout_reduce(table, of, mask, keepdims);
    cr_assert_eq(tsr__layout_reduce(table, of, mask, keepdims), l);
    check_layout(l, n_ranks);
    int64_t i[TSR_MAX_NDIM] = {0}, p[TSR_MAX_NDIM];
    do {
      int j = 0;
      for (int k = 0; k < ndim; k++) {
        bool dropped = mask >> k & 1;
        p[k] = dropped ? 0 : i[j];
        if (!dropped || keepdims) cr_assert_eq(l->shape[j++], dropped ? 1 : shape[k]);
      }
      cr_assert_eq(l->ndim, j);
      cr_assert_eq(owner_of(l, i), owner_of(of, p));
    } while (step_index(l->ndim, l->shape, i));
    tsr__layouts_destroy(table);
  }
}

static void expect_text(const tsr_layout *l, const char *want)
{
  char buf[256];
  cr_assert_str_eq(tsr__layout_text(l, buf, sizeof buf), want);
}

static const tsr_layout *fresh(tsr_layouts *table, int ndim, const int64_t *shape)
{
  return tsr__layout_fresh(table, ndim, shape, 1, 16384);
}

Test(layout, of_every_other_rank)
{
  tsr_layouts *table = tsr__layouts_create(4, 1);
  const int64_t shape[] = {100, 100};
  const tsr_layout *few = tsr__layout_fresh(table, 2, shape, 2, 16);
  expect_text(few, "100x100 cut 2x1 on 0+2*t0");
  cr_assert_eq(owner_of(few, (int64_t[]){49, 99}), 0);
  cr_assert_eq(owner_of(few, (int64_t[]){50, 0}), 2);
  expect_text(tsr__layout_fresh(table, 2, shape, 1, 16), "100x100 cut 4x1");
  expect_text(tsr__layout_fresh(table, 2, shape, 3, 16), "100x100 cut 2x1 on 0+3*t0");
  expect_text(tsr__layout_fresh(table, 2, shape, 5, 16), "100x100 cut 1x1");
  cr_assert_eq(tsr__layout_fresh(table, 2, shape, 2, 16), few);
  tsr__layouts_destroy(table);
}

Test(layout, fresh_grids)
{
  const struct {
    int n_ranks, ndim;
    int64_t shape[4];
    const char *text;
  } cases[] = {
      {1, 2, {8002, 8002}, "8002x8002 cut 1x1"},
      {2, 2, {8002, 8002}, "8002x8002 cut 2x1"},
      {3, 2, {8002, 8002}, "8002x8002 cut 3x1"},
      {4, 2, {8002, 8002}, "8002x8002 cut 4x1"},
      {16, 2, {8002, 8002}, "8002x8002 cut 4x4"},
      {6, 2, {8002, 8002}, "8002x8002 cut 3x2"},
      {2, 2, {8002, 8003}, "8002x8003 cut 2x1"},
      {2, 2, {100, 80000}, "100x80000 cut 1x2"},
      {8, 3, {512, 512, 512}, "512x512x512 cut 4x2x1"},
      {64, 3, {512, 512, 512}, "512x512x512 cut 4x4x4"},
      {4, 3, {512, 512, 512}, "512x512x512 cut 2x2x1"},
      {4, 1, {1000000}, "1000000 cut 4"},
      {4, 1, {40000}, "40000 cut 2"},
      {4, 2, {100, 100}, "100x100 cut 1x1"},
      {64, 2, {1, 10000000}, "1x10000000 cut 1x64"},
      {4096, 2, {65536, 65536}, "65536x65536 cut 64x64"},
      {4096, 4, {64, 64, 64, 64}, "64x64x64x64 cut 8x8x4x4"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tsr_layouts *table = tsr__layouts_create(cases[i].n_ranks, 1);
    const tsr_layout *l = fresh(table, cases[i].ndim, cases[i].shape);
    expect_text(l, cases[i].text);
    cr_assert_eq(fresh(table, cases[i].ndim, cases[i].shape), l);
    tsr__layouts_destroy(table);
  }
}

Test(layout, fresh_tiles_are_even_aligned_and_large_enough)
{
  rng r = {12};
  for (int round = 0; round < 600; round++) {
    int n_ranks = (int)rng_in(&r, 1, 300), ndim = (int)rng_in(&r, 1, 4);
    int64_t shape[4], min_tile = rng_in(&r, 1, 3000);
    for (int k = 0; k < ndim; k++) shape[k] = rng_in(&r, 1, k == ndim - 1 ? 2000 : 60);
    tsr_layouts *table = tsr__layouts_create(n_ranks, 1);
    const tsr_layout *l = tsr__layout_fresh(table, ndim, shape, 1, min_tile);
    int n_tiles = tsr__layout_n_tiles(l);
    cr_assert(n_tiles <= n_ranks && !l->place && l->place_base == 0);
    int64_t smallest = 1;
    for (int k = 0; k < ndim; k++) {
      int64_t least = shape[k], most = 0;
      bool units = k == ndim - 1 && shape[k] / l->n_tiles[k] >= 64;
      for (int c = 0; c < l->n_tiles[k]; c++) {
        int64_t n = l->cuts[k][c + 1] - l->cuts[k][c];
        if (n < least) least = n;
        if (n > most) most = n;
        if (units) cr_assert_eq(l->cuts[k][c] % 64, 0);
      }
      cr_assert_leq(most - least, units ? 64 + 63 : 1);
      smallest *= least;
    }
    cr_assert(n_tiles == 1 || smallest >= min_tile);
    tsr_box tile;
    for (int rank = 0; rank < n_ranks; rank++)
      cr_assert_eq(tsr__layout_tile(l, rank, &tile), rank < n_tiles);
    tsr__layouts_destroy(table);
  }
}

Test(layout, views_of_a_grid_keep_affine_places)
{
  tsr_layouts *table = tsr__layouts_create(6, 1);
  int64_t shape[2] = {12, 12};
  const tsr_layout *grid = tsr__layout_fresh(table, 2, shape, 1, 1);
  expect_text(grid, "12x12 cut 3x2");
  tsr_view v;
  tsr__view_identity(&v, 2, shape);
  cr_assert_eq(tsr__layout_pullback(table, grid, &v), grid);
  tsr__view_slice(&v, 0, 1, 10, 1);
  tsr__view_slice(&v, 1, 1, 10, 1);
  const tsr_layout *inner = tsr__layout_pullback(table, grid, &v);
  expect_text(inner, "10x10 cut 3x2");
  cr_assert(inner->cuts[0][1] == 3 && inner->cuts[0][2] == 7 && inner->cuts[1][1] == 5);
  tsr__view_flip(&v, 0);
  expect_text(tsr__layout_pullback(table, grid, &v), "10x10 cut 3x2 on 4-2*t0+1*t1");
  tsr__view_transpose(&v, (int[]){1, 0});
  expect_text(tsr__layout_pullback(table, grid, &v), "10x10 cut 2x3 on 4+1*t0-2*t1");
  tsr__view_index(&v, 1, 0); /* row 10 of the region, which only the last row of tiles has */
  const tsr_layout *row = tsr__layout_pullback(table, grid, &v);
  expect_text(row, "10 cut 2 on 4+1*t0");
  tsr_box tile;
  for (int rank = 0; rank < 6; rank++) cr_assert_eq(tsr__layout_tile(row, rank, &tile), rank >= 4);
  tsr__view_newaxis(&v, 0);
  cr_assert(tsr__view_broadcast(&v, 2, (int64_t[]){5, 10}));
  expect_text(tsr__layout_pullback(table, grid, &v), "5x10 cut 1x2 on 4+1*t1");
  tsr__view_index(&v, 1, 9);
  tsr__view_index(&v, 0, 3);
  expect_text(tsr__layout_pullback(table, grid, &v), "0-d cut 1 on 5");
  tsr__view_identity(&v, 2, shape);
  tsr__view_diagonal(&v, 0, 0, 1); /* the diagonal's pieces are in tiles (0,0) (1,0) (1,1) (2,1) */
  expect_text(tsr__layout_pullback(table, grid, &v), "12 cut 4 on 0,2,3,5");
  tsr__view_identity(&v, 2, shape);
  tsr__view_slice(&v, 0, 0, 0, 1);
  expect_text(tsr__layout_pullback(table, grid, &v), "replicated 0x12");
  expect_text(tsr__layout_reduce(table, grid, 1, false), "12 cut 2");
  expect_text(tsr__layout_reduce(table, grid, 2, true), "12x1 cut 3x1 on 0+2*t0");
  expect_text(tsr__layout_reduce(table, grid, 3, false), "0-d cut 1");
  tsr__layouts_destroy(table);
}

Test(layout, a_list_that_is_affine_is_not_a_list)
{
  tsr_layouts *table = tsr__layouts_create(8, 1);
  int64_t shape[2] = {4, 4}, cuts[3] = {0, 1, 4};
  const int64_t *both[2] = {cuts, cuts};
  const tsr_layout *plain = tsr__layout_custom(table, 2, shape, (int32_t[]){2, 2}, both, NULL);
  const tsr_layout *listed =
      tsr__layout_custom(table, 2, shape, (int32_t[]){2, 2}, both, (int32_t[]){0, 1, 2, 3});
  const tsr_layout *other =
      tsr__layout_custom(table, 2, shape, (int32_t[]){2, 2}, both, (int32_t[]){0, 1, 3, 2});
  cr_assert(plain == listed && plain != other && other->place);
  expect_text(other, "4x4 cut 2x2 on 0,1,3,2");
  cr_assert_eq(tsr__layouts_count(table), 2);
  cr_assert(plain->id == 0 && other->id == 1);
  int64_t gaps[4] = {0, 0, 4, 4};
  const int64_t *sparse[2] = {gaps, cuts};
  const tsr_layout *few = tsr__layout_custom(table, 2, shape, (int32_t[]){3, 2}, sparse, NULL);
  expect_text(few, "4x4 cut 1x2 on 2+1*t1");
  tsr__layouts_destroy(table);
}

/* A loop over ever new views must not make the table grow. An answer that was forgotten comes back
 * as the same pointer. */
Test(layout, many_views_few_layouts)
{
  tsr_layouts *table = tsr__layouts_create(4, 1);
  int64_t shape[2] = {40000, 8};
  const tsr_layout *l = tsr__layout_fresh(table, 2, shape, 1, 1), *of_rank[4] = {NULL};
  uint32_t before = tsr__layouts_count(table);
  for (int round = 0; round < 2; round++)
    for (int64_t i = 0; i < shape[0]; i++) {
      tsr_view v;
      tsr__view_identity(&v, 2, shape);
      tsr__view_index(&v, 0, i);
      const tsr_layout *row = tsr__layout_pullback(table, l, &v);
      int rank = owner_of(l, (int64_t[]){i, 0});
      if (!of_rank[rank]) of_rank[rank] = row;
      cr_assert_eq(row, of_rank[rank]);
    }
  cr_assert_eq(tsr__layouts_count(table), before + 4);
  tsr__layouts_destroy(table);
}

Test(layout, many_layouts_stay_one_pointer_each)
{
  tsr_layouts *table = tsr__layouts_create(4, 1);
  const tsr_layout *made[500];
  for (int64_t i = 0; i < 500; i++) {
    made[i] = tsr__layout_fresh(table, 1, (int64_t[]){100 + i}, 1, 1);
    cr_assert_eq(made[i]->id, (uint32_t)i);
  }
  for (int64_t i = 0; i < 500; i++)
    cr_assert_eq(tsr__layout_fresh(table, 1, (int64_t[]){100 + i}, 1, 1), made[i]);
  cr_assert_eq(tsr__layouts_count(table), 500);
  tsr__layouts_destroy(table);
  tsr__layouts_destroy(NULL);
}

/* A layout that was kept is the same pointer after a sweep, also as a remembered answer; others are
 * made anew. */
Test(layout, a_sweep_leaves_what_is_kept)
{
  tsr_layouts *table = tsr__layouts_create(4, 1);
  const tsr_layout *made[500];
  for (int round = 0; round < 3; round++) {
    for (int64_t i = 0; i < 500; i++) {
      made[i] = tsr__layout_fresh(table, 2, (int64_t[]){100 + i, 70}, 1, 1);
      tsr__layout_reduce(table, made[i], 2, false);
    }
    cr_assert_eq(tsr__layouts_held(table), 1000);
    for (int64_t i = 0; i < 500; i += 7) {
      tsr__layouts_keep(table, made[i]);
      tsr__layouts_keep(table, made[i]);
    }
    tsr__layouts_sweep(table);
    cr_assert_eq(tsr__layouts_held(table), 72);
    const uint32_t before = tsr__layouts_count(table);
    for (int64_t i = 0; i < 500; i++) {
      const tsr_layout *again = tsr__layout_fresh(table, 2, (int64_t[]){100 + i, 70}, 1, 1);
      cr_assert_eq(again == made[i] && again->id < before, i % 7 == 0);
      cr_assert_eq(again->shape[0], 100 + i);
      const tsr_layout *reduced = tsr__layout_reduce(table, again, 2, false);
      cr_assert(reduced->id >= before && reduced->shape[0] == 100 + i);
    }
    cr_assert_eq(tsr__layouts_count(table), before + 1000 - 72);
    tsr__layouts_sweep(table);
    cr_assert_eq(tsr__layouts_held(table), 0);
  }
  tsr__layouts_destroy(table);
}

/* The tiles of a rank's places form a box in every fresh cut. If there are few tiles, which are
 * every step-th place's, every rank has as many. */
Test(layout, the_places_of_a_rank_have_a_box)
{
  static const int64_t shapes[][3] = {{1000, 1, 1}, {7, 900, 1},  {3, 3, 700},
                                      {5, 4, 3},    {64, 64, 64}, {2, 6, 640}};
  for (int per_rank = 1; per_rank <= 6; per_rank++)
    for (int n_ranks = 1; n_ranks <= 7; n_ranks++) {
      tsr_layouts *table = tsr__layouts_create(n_ranks * per_rank, per_rank);
      for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int form = 0; form < 3 * per_rank; form++) {
          const int ndim = form % 3 + 1, step = form / 3 + 1;
          if (per_rank % step != 0) continue;
          const tsr_layout *l = tsr__layout_fresh(table, ndim, shapes[i], step, 1);
          int64_t n_elems = 0, all_elems = 1;
          for (int k = 0; k < ndim; k++) all_elems *= shapes[i][k];
          for (int rank = 0; rank < n_ranks && !l->replicated; rank++) {
            tsr_box all, tile;
            int64_t n = 0;
            for (int k = 0; k < per_rank; k++) {
              if (!tsr__layout_tile(l, rank * per_rank + k, &tile)) continue;
              all = n > 0 ? tsr__box_hull(&all, &tile) : tile;
              n += tsr__box_volume(&tile);
            }
            cr_assert(n == 0 || tsr__box_volume(&all) == n);
            n_elems += n;
          }
          cr_assert(l->replicated || n_elems == all_elems);
          cr_assert(per_rank / step * n_ranks == 1 || tsr__layout_n_tiles(l) > 1);
        }
      tsr__layouts_destroy(table);
    }
}

/* A rank with more places than there are tiles has all of them, whatever the grid. */
Test(layout, fewer_tiles_than_places_of_a_rank)
{
  tsr_layouts *table = tsr__layouts_create(10, 5);
  char text[200];
  const tsr_layout *l = tsr__layout_fresh(table, 2, (int64_t[]){100, 100}, 1, 2500);
  cr_assert_str_eq(tsr__layout_text(l, text, sizeof text), "100x100 cut 4x1");
  l = tsr__layout_fresh(table, 3, (int64_t[]){100, 100, 1}, 1, 2500);
  cr_assert_str_eq(tsr__layout_text(l, text, sizeof text), "100x100x1 cut 2x2x1");
  tsr__layouts_destroy(table);
}

Test(layout, thousands_of_ranks)
{
  tsr_layouts *table = tsr__layouts_create(4096, 1);
  int64_t shape[2] = {65538, 65538};
  const tsr_layout *l = fresh(table, 2, shape);
  tsr_view v;
  tsr__view_identity(&v, 2, shape);
  tsr__view_slice(&v, 0, 1, 65536, 1);
  tsr__view_slice(&v, 1, 1, 65536, 1);
  tsr__view_flip(&v, 1);
  const tsr_layout *inner = tsr__layout_pullback(table, l, &v);
  tsr_box tile, own, image;
  for (int rank = 0; rank < 4096; rank++) {
    cr_assert(tsr__layout_tile(inner, rank, &tile) && tsr__layout_tile(l, rank, &own));
    cr_assert(tsr__view_image(&v, &tile, &image) && tsr__box_contains(&own, &image));
    cr_assert_eq(owner_of(inner, tile.lo), rank);
  }
  int n = 0;
  tsr__layout_tile(l, 65, &own); /* tile (1, 1) with its ring of neighbours */
  tsr_box wide = tsr__box_dense(2, (int64_t[]){own.lo[0] - 1, own.lo[1] - 1},
                                (int64_t[]){tsr__box_end(&own, 0) + 1, tsr__box_end(&own, 1) + 1});
  tsr_tile_iter it;
  for (tsr__tiles_meeting(&it, l, &wide); tsr__tiles_next(&it); n++)
    cr_assert_eq(it.place, n / 3 * 64 + n % 3);
  cr_assert_eq(n, 9);
  tsr__layouts_destroy(table);
}

Test(layout, eight_axes_none_and_nothing)
{
  tsr_layouts *table = tsr__layouts_create(12, 1);
  const tsr_layout *l = tsr__layout_fresh(table, 8, (int64_t[]){2, 3, 1, 2, 3, 2, 1, 4}, 1, 1);
  check_layout(l, 12);
  cr_assert_eq(tsr__layout_n_tiles(l), 12);
  const tsr_layout *point = tsr__layout_fresh(table, 0, NULL, 1, 1);
  check_layout(point, 12);
  expect_text(point, "0-d cut 1");
  tsr_box box = tsr__box_of_shape(0, NULL);
  check_meeting(point, 12, &box);
  expect_text(tsr__layout_replicated(table, 0, NULL), "replicated 0-d");
  const tsr_layout *nothing = tsr__layout_fresh(table, 2, (int64_t[]){0, 5}, 1, 1);
  check_layout(nothing, 12);
  cr_assert_eq(nothing, tsr__layout_replicated(table, 2, (int64_t[]){0, 5}));
  expect_text(nothing, "replicated 0x5");
  expect_text(tsr__layout_reduce(table, nothing, 1, false), "replicated 5");
  int64_t cuts[3] = {0, 0, 0};
  const int64_t *given[1] = {cuts};
  cr_assert(tsr__layout_custom(table, 1, (int64_t[]){0}, (int32_t[]){2}, given, NULL)->replicated);
  tsr_box outside = tsr__box_dense(1, (int64_t[]){50}, (int64_t[]){60});
  check_meeting(tsr__layout_fresh(table, 1, (int64_t[]){40}, 1, 1), 12, &outside);
  outside = tsr__box_dense(1, (int64_t[]){-9}, (int64_t[]){99});
  check_meeting(tsr__layout_fresh(table, 1, (int64_t[]){40}, 1, 1), 12, &outside);
  tsr__layouts_destroy(table);
}

Test(layout, resized)
{
  const int64_t old[2] = {7, 9}, shape[2] = {40, 1000};
  for (int n = 1; n <= 3; n += 2) {
    tsr_layouts *table = tsr__layouts_create(n, 1);
    const tsr_layout *replicated = tsr__layout_replicated(table, 2, old);
    cr_expect_eq(tsr__layout_resized(table, replicated, shape),
                 tsr__layout_replicated(table, 2, shape));
    const tsr_layout *one = tsr__layout_fresh(table, 2, old, 1, 1 << 20);
    for (int turn = 0; turn < 2; turn++)
      cr_expect_eq(tsr__layout_resized(table, one, shape),
                   tsr__layout_fresh(table, 2, shape, 1, 1 << 20), "the table has one of each");
    const tsr_layout *point = tsr__layout_replicated(table, 0, NULL);
    cr_expect_eq(tsr__layout_resized(table, point, NULL), point);
    tsr__layouts_destroy(table);
  }
}
