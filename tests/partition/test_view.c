/* Views are compared index by index with NumPy's meaning of each edit; images and preimages are
 * compared with enumeration. */
#include "geometry.h"

#include <criterion/criterion.h>
#include <string.h>

/* The region points of a view in row-major order of its indices, flattened by the region's shape.
 */
static int flat_points(const tsr_view *v, const int64_t *region_shape, int64_t *out)
{
  int n = 0;
  if (tsr__view_size(v) == 0) return 0;
  int64_t i[TSR_MAX_NDIM] = {0}, p[TSR_MAX_NDIM];
  do {
    view_apply(v, i, p);
    int64_t flat = 0;
    for (int k = 0; k < v->rdim; k++) {
      cr_assert(p[k] >= 0 && p[k] < region_shape[k], "a view left its region");
      flat = flat * region_shape[k] + p[k];
    }
    out[n++] = flat;
  } while (step_index(v->ndim, v->shape, i));
  return n;
}

#define EXPECT_POINTS(v, region_shape, ...)                                                        \
  do {                                                                                             \
    int64_t want[] = {__VA_ARGS__}, got[256];                                                      \
    cr_assert_eq(flat_points(v, region_shape, got), (int)(sizeof want / sizeof *want));            \
    cr_assert_eq(memcmp(got, want, sizeof want), 0);                                               \
  } while (0)

static const int64_t shape34[2] = {3, 4};

Test(view, identity_and_copy)
{
  tsr_view v, w;
  tsr__view_identity(&v, 2, shape34);
  cr_assert(tsr__view_is_identity(&v) && tsr__view_size(&v) == 12);
  EXPECT_POINTS(&v, shape34, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
  memset(&w, 0x55, sizeof w);
  tsr__view_copy(&w, &v);
  cr_assert(tsr__view_equal(&v, &w) && tsr__view_is_identity(&w));
  tsr__view_slice(&w, 0, 1, 2, 1);
  cr_assert(!tsr__view_equal(&v, &w) && !tsr__view_is_identity(&w));
}

Test(view, edits_mean_what_numpy_means)
{
  tsr_view v;
  tsr__view_identity(&v, 2, shape34);
  tsr__view_slice(&v, 1, 3, 2, -2); /* [:, 3::-2] */
  EXPECT_POINTS(&v, shape34, 3, 1, 7, 5, 11, 9);
  tsr__view_flip(&v, 0);
  EXPECT_POINTS(&v, shape34, 11, 9, 7, 5, 3, 1);
  tsr__view_transpose(&v, (int[]){1, 0});
  EXPECT_POINTS(&v, shape34, 11, 7, 3, 9, 5, 1);
  tsr__view_index(&v, 0, 1);
  cr_assert_eq(v.ndim, 1);
  EXPECT_POINTS(&v, shape34, 9, 5, 1);
  tsr__view_newaxis(&v, 1);
  cr_assert(v.ndim == 2 && v.shape[0] == 3 && v.shape[1] == 1);
  cr_assert(tsr__view_broadcast(&v, 2, (int64_t[]){3, 2}));
  EXPECT_POINTS(&v, shape34, 9, 9, 5, 5, 1, 1);
  tsr__view_slice(&v, 0, 3, 0, 1);
  cr_assert_eq(tsr__view_size(&v), 0);
}

Test(view, transpose_follows_numpy_for_three_axes)
{
  int64_t shape[3] = {2, 3, 4};
  tsr_view v;
  tsr__view_identity(&v, 3, shape);
  tsr__view_transpose(&v, (int[]){2, 0, 1});
  cr_assert(v.shape[0] == 4 && v.shape[1] == 2 && v.shape[2] == 3);
  int64_t p[3];
  view_apply(&v, (int64_t[]){3, 1, 2}, p);
  cr_assert(p[0] == 1 && p[1] == 2 && p[2] == 3);
}

Test(view, broadcast_refuses_and_leaves_alone)
{
  tsr_view v, before;
  tsr__view_identity(&v, 2, shape34);
  tsr__view_copy(&before, &v);
  cr_assert(!tsr__view_broadcast(&v, 2, (int64_t[]){3, 5}));
  cr_assert(!tsr__view_broadcast(&v, 1, (int64_t[]){4}));
  cr_assert(!tsr__view_broadcast(&v, 3, (int64_t[]){2, 1, 4}));
  cr_assert(!tsr__view_broadcast(&v, 9, (int64_t[]){1, 1, 1, 1, 1, 1, 1, 3, 4}));
  cr_assert(tsr__view_equal(&v, &before));
  cr_assert(tsr__view_broadcast(&v, 3, (int64_t[]){0, 3, 4}));
  cr_assert_eq(tsr__view_size(&v), 0);
}

Test(view, diagonals)
{
  tsr_view v;
  tsr__view_identity(&v, 2, shape34);
  tsr__view_diagonal(&v, 0, 0, 1);
  EXPECT_POINTS(&v, shape34, 0, 5, 10);
  tsr__view_identity(&v, 2, shape34);
  tsr__view_diagonal(&v, 2, 0, 1);
  EXPECT_POINTS(&v, shape34, 2, 7);
  tsr__view_identity(&v, 2, shape34);
  tsr__view_diagonal(&v, -1, 0, 1);
  EXPECT_POINTS(&v, shape34, 4, 9);
  tsr__view_identity(&v, 2, shape34);
  tsr__view_diagonal(&v, 1, 1, 0); /* the axes are swapped: rows above columns */
  EXPECT_POINTS(&v, shape34, 4, 9);
  tsr__view_identity(&v, 2, shape34);
  tsr__view_diagonal(&v, 4, 0, 1);
  cr_assert(v.ndim == 1 && v.shape[0] == 0);
  int64_t shape[3] = {2, 3, 2};
  tsr__view_identity(&v, 3, shape);
  tsr__view_diagonal(&v, 0, 0, 2); /* result[j, d] = x[d, j, d] */
  EXPECT_POINTS(&v, shape, 0, 7, 2, 9, 4, 11);
}

Test(view, short_slices_never_grow_steps)
{
  tsr_view v;
  int64_t n = (int64_t)1 << 50;
  tsr__view_identity(&v, 1, &n);
  tsr__view_slice(&v, 0, 5, 1, (int64_t)1 << 49);
  tsr__view_slice(&v, 0, 0, 1, (int64_t)1 << 49);
  cr_assert(v.offset[0] == 5 && v.step[0][0] == 1);
}

/* Edits composed at random stay inside the region and agree with applying them one by one. */
Test(view, composition_is_pointwise)
{
  rng r = {4711};
  for (int round = 0; round < 3000; round++) {
    int rdim = (int)rng_in(&r, 0, 4);
    int64_t shape[4], points[4096], again[4096];
    for (int k = 0; k < rdim; k++) shape[k] = rng_in(&r, 1, 5);
    tsr_view v, w;
    random_view(&r, &v, rdim, shape, true, true);
    int n = tsr__view_size(&v) <= 1024 ? flat_points(&v, shape, points) : -1;
    if (n <= 0 || v.ndim == 0) continue;
    int axis = (int)rng_in(&r, 0, v.ndim - 1);
    tsr__view_copy(&w, &v);
    tsr__view_flip(&w, axis);
    cr_assert_eq(flat_points(&w, shape, again), n);
    int64_t i[TSR_MAX_NDIM] = {0}, inner = 1;
    for (int j = axis + 1; j < v.ndim; j++) inner *= v.shape[j];
    int at = 0;
    do {
      int64_t mirrored = at + (v.shape[axis] - 1 - 2 * i[axis]) * inner;
      cr_assert_eq(again[at], points[mirrored]);
      at++;
    } while (step_index(v.ndim, v.shape, i));
  }
}

/* Composing takes a view of a view's index space; it is compared index by index. */
Test(view, compose_is_one_after_the_other)
{
  rng r = {815};
  int n_seen = 0;
  for (int round = 0; round < 3000; round++) {
    int rdim = (int)rng_in(&r, 0, 4);
    int64_t shape[4], i[TSR_MAX_NDIM] = {0}, middle[TSR_MAX_NDIM], want[TSR_MAX_NDIM],
                      got[TSR_MAX_NDIM];
    for (int k = 0; k < rdim; k++) shape[k] = rng_in(&r, 1, 5);
    tsr_view inner, outer, both;
    random_view(&r, &inner, rdim, shape, true, true);
    if (inner.ndim > 4) continue;
    random_view(&r, &outer, inner.ndim, inner.shape, true, true);
    tsr__view_compose(&outer, &inner, &both);
    cr_assert(both.ndim == outer.ndim && both.rdim == rdim);
    cr_assert_eq(memcmp(both.shape, outer.shape, (size_t)both.ndim * sizeof *both.shape), 0);
    if (tsr__view_size(&outer) == 0) continue;
    do {
      view_apply(&outer, i, middle);
      view_apply(&inner, middle, want);
      view_apply(&both, i, got);
      cr_assert_eq(memcmp(got, want, (size_t)rdim * sizeof *got), 0);
      n_seen++;
    } while (step_index(outer.ndim, outer.shape, i));
  }
  cr_expect_gt(n_seen, 10000);
}

static bool repeats(const tsr_view *v, const int64_t *region_shape)
{
  bool seen[4096] = {false};
  int64_t points[4096];
  int n = flat_points(v, region_shape, points);
  for (int i = 0; i < n; i++) {
    if (seen[points[i]]) return true;
    seen[points[i]] = true;
  }
  return false;
}

Test(view, injective_exactly_when_no_point_repeats)
{
  rng r = {31};
  int n_yes = 0, n_no = 0;
  for (int round = 0; round < 3000; round++) {
    int rdim = (int)rng_in(&r, 0, 3);
    int64_t shape[3];
    for (int k = 0; k < rdim; k++) shape[k] = rng_in(&r, 1, 5);
    tsr_view v;
    random_view(&r, &v, rdim, shape, true, true);
    bool injective = tsr__view_is_injective(&v);
    cr_assert_eq(injective, !repeats(&v, shape));
    n_yes += injective;
    n_no += !injective;
  }
  cr_assert(n_yes > 500 && n_no > 300);
}

static tsr_view two_columns(int64_t n0, int64_t step0, int64_t n1, int64_t step1)
{
  tsr_view v = {.ndim = 2, .rdim = 1, .shape = {n0, n1}, .step = {{step0, step1}}};
  return v;
}

Test(view, injective_with_two_columns_in_a_row)
{
  tsr_view split = two_columns(3, 4, 4, 1), window = two_columns(3, 1, 4, 1);
  tsr_view gap = two_columns(4, -1, 3, 5), single = two_columns(1, 1, 4, 1);
  cr_assert(tsr__view_is_injective(&split) && !tsr__view_is_injective(&window));
  cr_assert(tsr__view_is_injective(&gap) && tsr__view_is_injective(&single));
  for (int64_t a = -4; a <= 4; a++)
    for (int64_t b = -4; b <= 4; b++) {
      tsr_view v = two_columns(3, a, 3, b);
      v.offset[0] = 40;
      if (tsr__view_is_injective(&v)) cr_assert(!repeats(&v, (int64_t[]){81}));
    }
  /* Index 0 follows from the second row, so the first row tells index 1. */
  tsr_view helped = {.ndim = 2, .rdim = 2, .shape = {3, 3}, .step = {{1, 1}, {1, 0}}};
  cr_assert(tsr__view_is_injective(&helped));
}

/* Is `image` exactly what the view reaches from `box`, or, if it need not be exact, more? */
static void check_image(const tsr_view *v, const tsr_box *box, const int64_t *region_shape)
{
  tsr_box image;
  bool exact = tsr__view_image(v, box, &image);
  bool hit[1024] = {false};
  cr_assert_eq(image.ndim, v->rdim);
  cr_assert(box_is_canonical(&image));
  if (tsr__box_is_empty(box)) {
    cr_assert(v->rdim == 0 || (exact && tsr__box_is_empty(&image)));
    return;
  }
  int64_t i[TSR_MAX_NDIM] = {0}, at[TSR_MAX_NDIM], p[TSR_MAX_NDIM];
  do {
    for (int j = 0; j < v->ndim; j++) at[j] = box->lo[j] + i[j] * box->step[j];
    view_apply(v, at, p);
    cr_assert(box_has(&image, p));
    int64_t flat = 0;
    for (int k = 0; k < v->rdim; k++) flat = flat * region_shape[k] + p[k];
    hit[flat] = true;
  } while (step_index(v->ndim, box->n, i));
  int64_t n_hit = 0;
  for (int f = 0; f < 1024; f++) n_hit += hit[f];
  if (exact) cr_assert_eq(tsr__box_volume(&image), n_hit);
}

static void check_preimage(const tsr_view *v, const tsr_box *region_box)
{
  tsr_box indices;
  bool exact = tsr__view_preimage(v, region_box, &indices);
  cr_assert_eq(indices.ndim, v->ndim);
  cr_assert(box_is_canonical(&indices));
  int64_t i[TSR_MAX_NDIM] = {0}, p[TSR_MAX_NDIM], n_reach = 0;
  if (tsr__view_size(v)) do {
      view_apply(v, i, p);
      bool reaches = box_has(region_box, p);
      n_reach += reaches;
      cr_assert(!reaches || box_has(&indices, i));
      if (exact) cr_assert_eq(box_has(&indices, i), reaches);
    } while (step_index(v->ndim, v->shape, i));
  if (exact) cr_assert_eq(tsr__box_volume(&indices), n_reach);
}

static bool several_steps_in_a_column(const tsr_view *v, const tsr_box *box)
{
  for (int j = 0; j < v->ndim; j++) {
    int rows = 0;
    for (int k = 0; k < v->rdim; k++) rows += v->step[k][j] != 0;
    if (rows > 1 && box->n[j] > 1) return true;
  }
  return false;
}

Test(view, image_and_preimage_agree_with_enumeration)
{
  rng r = {2024};
  for (int round = 0; round < 6000; round++) {
    int rdim = (int)rng_in(&r, 0, 4);
    int64_t shape[4];
    for (int k = 0; k < rdim; k++) shape[k] = rng_in(&r, 1, 5);
    tsr_view v;
    random_view(&r, &v, rdim, shape, true, true);
    tsr_box box = tsr__box_of_shape(v.ndim, v.shape), part = random_box(&r, v.ndim, 5, 3), out;
    tsr__box_intersect(&box, &part, &part);
    check_image(&v, &box, shape);
    check_image(&v, &part, shape);
    if (!tsr__box_is_empty(&part))
      cr_assert_eq(tsr__view_image(&v, &part, &out), !several_steps_in_a_column(&v, &part));
    tsr_box want = random_box(&r, rdim, 5, 3);
    check_preimage(&v, &want);
    bool exact = tsr__view_preimage(&v, &want, &out);
    cr_assert(exact || v.ndim == 0); /* edits never put two steps in a row */
  }
}

Test(view, image_and_preimage_with_two_columns_in_a_row)
{
  rng r = {77};
  int64_t shape[1] = {64};
  for (int round = 0; round < 4000; round++) {
    tsr_view v =
        two_columns(rng_in(&r, 1, 6), rng_in(&r, -5, 5), rng_in(&r, 1, 6), rng_in(&r, -5, 5));
    if (v.step[0][0] < 0) v.offset[0] -= v.step[0][0] * (v.shape[0] - 1);
    if (v.step[0][1] < 0) v.offset[0] -= v.step[0][1] * (v.shape[1] - 1);
    tsr_box box = tsr__box_of_shape(2, v.shape), part = random_box(&r, 2, 6, 3);
    tsr__box_intersect(&box, &part, &part);
    check_image(&v, &part, shape);
    tsr_box want = random_box(&r, 1, 60, 9);
    check_preimage(&v, &want);
  }
  /* A sliding window narrows: windows of 3 that touch [10, 12) start in [8, 12). */
  tsr_view window = two_columns(20, 1, 3, 1);
  tsr_box want = tsr__box_dense(1, (int64_t[]){10}, (int64_t[]){12}), out;
  cr_assert(!tsr__view_preimage(&window, &want, &out));
  cr_assert(out.lo[0] == 8 && out.n[0] == 4 && out.n[1] == 3);
}

/* Every dense box of a view of two axes whose image meets `want` must have one of the readers. */
static void check_readers(const tsr_view *v, const tsr_box *want)
{
  tsr_box readers, image, common;
  tsr__view_readers(v, want, &readers);
  cr_assert_eq(readers.ndim, 2);
  cr_assert(box_is_canonical(&readers));
  for (int64_t a = 0; a < v->shape[0]; a++)
    for (int64_t b = a + 1; b <= v->shape[0]; b++)
      for (int64_t c = 0; c < v->shape[1]; c++)
        for (int64_t d = c + 1; d <= v->shape[1]; d++) {
          const tsr_box part = tsr__box_dense(2, (int64_t[]){a, c}, (int64_t[]){b, d});
          tsr__view_image(v, &part, &image);
          if (tsr__box_intersects(&image, want))
            cr_assert(tsr__box_intersect(&readers, &part, &common));
        }
}

Test(view, readers_of_a_box)
{
  rng r = {99};
  for (int round = 0; round < 3000; round++) {
    tsr_view v =
        two_columns(rng_in(&r, 1, 4), rng_in(&r, -9, 9), rng_in(&r, 1, 4), rng_in(&r, -4, 4));
    v.offset[0] = 40;
    tsr_box want = random_box(&r, 1, 80, 9);
    check_readers(&v, &want);
    v.reaches = true; /* a strided axis, where an index also leads to the points around its own */
    v.before[0] = rng_in(&r, 0, 2);
    v.after[0] = rng_in(&r, 0, 2);
    v.end[0] = 81;
    if (round % 2) v.step[0][1] = 0;
    check_readers(&v, &want);
  }
  /* Two runs of five points, 15 to 19 and 35 to 39: the box of an index that reads both has what
   * lies between them, too. */
  tsr_view runs = two_columns(2, 20, 5, 1);
  runs.offset[0] = 15;
  tsr_box gap = tsr__box_dense(1, (int64_t[]){20}, (int64_t[]){30}), out;
  tsr__view_preimage(&runs, &gap, &out);
  cr_assert(tsr__box_is_empty(&out));
  tsr__view_readers(&runs, &gap, &out);
  cr_assert_eq(tsr__box_volume(&out), 10);
  gap.lo[0] = 45;
  tsr__view_readers(&runs, &gap, &out);
  cr_assert(tsr__box_is_empty(&out), "nobody reads behind the last run");
}

Test(view, axis_of_row)
{
  tsr_view v;
  tsr__view_identity(&v, 3, (int64_t[]){8, 8, 8});
  for (int k = 0; k < 3; k++) cr_assert_eq(tsr__view_axis_of_row(&v, k), k);
  v.step[0][0] = 0;
  cr_assert_eq(tsr__view_axis_of_row(&v, 0), -1);
  v.step[0][2] = -3;
  cr_assert_eq(tsr__view_axis_of_row(&v, 0), 2);
  v.step[0][1] = 1;
  cr_assert_eq(tsr__view_axis_of_row(&v, 0), -2);
}

Test(view, displaced)
{
  const int64_t shape[] = {20, 30};
  tsr_view a, b;
  tsr__view_identity(&a, 2, shape);
  tsr__view_slice(&a, 0, 1, 6, 3);
  tsr__view_copy(&b, &a);
  cr_assert_eq(tsr__views_displaced(&a, &b, 0), 0);
  b.offset[0] += 4; /* more than one step of 3 */
  b.offset[1] -= 5;
  cr_assert_eq(tsr__views_displaced(&a, &b, 0), 2);
  cr_assert_eq(tsr__views_displaced(&b, &a, 1), 5);
  b.step[0][0] = -3;
  cr_assert_eq(tsr__views_displaced(&a, &b, 0), 0);
}

Test(view, eight_axes_none_and_nothing)
{
  int64_t shape[8] = {2, 3, 1, 2, 3, 2, 1, 4};
  tsr_view v;
  tsr__view_identity(&v, 8, shape);
  tsr__view_transpose(&v, (int[]){7, 6, 5, 4, 3, 2, 1, 0});
  cr_assert(tsr__view_size(&v) == 288 && tsr__view_is_injective(&v));
  tsr_box box = tsr__box_of_shape(8, v.shape), image, back;
  cr_assert(tsr__view_image(&v, &box, &image));
  tsr_box whole = tsr__box_of_shape(8, shape);
  cr_assert(tsr__box_equal(&image, &whole));
  cr_assert(tsr__view_preimage(&v, &image, &back) && tsr__box_equal(&back, &box));
  while (v.ndim) tsr__view_index(&v, v.ndim / 2, 0);
  cr_assert(tsr__view_size(&v) == 1 && tsr__view_is_injective(&v));
  for (int j = 0; j < 8; j++) tsr__view_newaxis(&v, j / 2);
  cr_assert(v.ndim == 8 && tsr__view_size(&v) == 1);

  tsr_view scalar;
  tsr__view_identity(&scalar, 0, NULL);
  cr_assert(tsr__view_is_identity(&scalar) && tsr__view_size(&scalar) == 1);
  tsr_box point = tsr__box_of_shape(0, NULL), out;
  cr_assert(tsr__view_image(&scalar, &point, &out) && out.ndim == 0);
  cr_assert(tsr__view_preimage(&scalar, &point, &out) && out.ndim == 0);
  cr_assert(tsr__view_broadcast(&scalar, 2, (int64_t[]){3, 0}));
  cr_assert(tsr__view_is_injective(&scalar)); /* there is no index, so none repeats */
  cr_assert(tsr__view_preimage(&scalar, &point, &out) && tsr__box_is_empty(&out));

  /* A box cannot say that a 0-d view's index does not reach it: the answer is the one point, called
   * inexact. */
  tsr_view third;
  tsr__view_identity(&third, 1, (int64_t[]){9});
  tsr__view_index(&third, 0, 3);
  tsr_box high = tsr__box_dense(1, (int64_t[]){5}, (int64_t[]){9});
  cr_assert(!tsr__view_preimage(&third, &high, &out) && out.ndim == 0);
  high.lo[0] = 3;
  cr_assert(tsr__view_preimage(&third, &high, &out));
}

Test(view, text)
{
  tsr_view v;
  char buf[128];
  tsr__view_identity(&v, 2, (int64_t[]){4, 5});
  tsr__view_flip(&v, 1);
  cr_assert_str_eq(tsr__view_text(&v, buf, sizeof buf), "0+1*i0, 4-1*i1 : (4, 5)");
  tsr__view_index(&v, 0, 2);
  cr_assert_str_eq(tsr__view_text(&v, buf, sizeof buf), "2, 4-1*i0 : (5,)");
  tsr__view_identity(&v, 0, NULL);
  cr_assert_str_eq(tsr__view_text(&v, buf, sizeof buf), ": ()");
}

Test(view, meets_without_axes)
{
  tsr_view v = {.ndim = 0, .rdim = 2, .offset = {3, 5}};
  tsr_box box = {.ndim = 2, .lo = {2, 5}, .n = {2, 1}, .step = {1, 1}}, out;
  cr_expect(tsr__view_meets(&v, &box, &out));
  box.lo[0] = 4;
  cr_expect_not(tsr__view_meets(&v, &box, &out));
  tsr_view row = {.ndim = 1, .rdim = 2, .shape = {4}, .offset = {3, 0}, .step = {{0}, {1}}};
  cr_expect_not(tsr__view_meets(&row, &box, &out));
  box.lo[0] = 3;
  box.lo[1] = 2;
  cr_expect(tsr__view_meets(&row, &box, &out));
  cr_expect_eq(out.lo[0], 2);
}

/* A periodic read is two bounded views. What leads to them, and to where, stays on its side of the
 * seam. */
Test(view, that_is_bounded)
{
  tsr_view side[2], back, whole;
  for (int i = 0; i < 2; i++) { /* rolled by 3 along an axis of 8 */
    tsr__view_identity(&side[i], 2, (int64_t[]){5, 8});
    side[i].offset[1] = i == 0 ? -3 : 5;
    const tsr_box box = {
        .ndim = 2, .lo = {0, i == 0 ? 3 : 0}, .n = {5, i == 0 ? 5 : 3}, .step = {1, 1}};
    cr_assert(tsr__view_bound(&side[i], &box) && side[i].bounded);
    const tsr_box bounds = tsr__view_bounds(&side[i]);
    cr_assert(tsr__box_equal(&bounds, &box));
  }
  tsr__view_identity(&whole, 2, (int64_t[]){5, 8});
  cr_assert_not(tsr__view_equal(&side[0], &side[1]));
  tsr__view_copy(&back, &side[1]);
  cr_assert(tsr__view_equal(&back, &side[1]) && !tsr__view_equal(&whole, &back));
  back.hi[0] = 4;
  cr_assert_not(tsr__view_equal(&back, &side[1]));
  const tsr_box all = {.ndim = 2, .n = {5, 8}, .step = {1, 1}};
  const int64_t first[2] = {0, 5}, n[2] = {5, 3};
  for (int i = 0; i < 2; i++) {
    tsr_box image, indices, other;
    cr_assert(tsr__view_image(&side[i], &all, &image));
    cr_expect_eq(image.lo[1], first[i]);
    cr_expect_eq(image.n[1], n[i]);
    cr_assert(tsr__view_preimage(&side[i], &all, &indices));
    const tsr_box bounds = tsr__view_bounds(&side[i]);
    cr_expect(tsr__box_equal(&indices, &bounds));
    tsr__view_readers(&side[i], &all, &indices);
    cr_expect(tsr__box_equal(&indices, &bounds));
    other = tsr__view_bounds(&side[1 - i]);
    tsr__view_image(&side[i], &other, &image);
    cr_expect(tsr__box_is_empty(&image));
  }
  tsr_view outer, through; /* every second column from 2 on: 2 | 4, 6 */
  tsr__view_identity(&outer, 2, (int64_t[]){5, 8});
  tsr__view_slice(&outer, 1, 2, 3, 2);
  cr_assert(tsr__view_compose(&outer, &side[0], &through));
  cr_expect(through.bounded && through.lo[1] == 1 && through.hi[1] == 3);
  cr_expect(through.offset[1] == -1 && through.step[1][1] == 2);
  cr_assert(tsr__view_compose(&outer, &side[1], &through));
  cr_expect(through.bounded && through.lo[1] == 0 && through.hi[1] == 1);
  tsr__view_slice(&outer, 1, 1, 2, 1); /* 4, 6: all on one side of the seam */
  cr_assert(tsr__view_compose(&outer, &side[0], &through));
  cr_expect_not(through.bounded);
  cr_expect_not(tsr__view_compose(&outer, &side[1], &through));
  tsr__view_index(&outer, 1, 0);
  tsr__view_index(&outer, 0, 0); /* a single point */
  cr_assert(tsr__view_compose(&outer, &side[0], &through));
  cr_expect_not(through.bounded);
  cr_expect_not(tsr__view_compose(&outer, &side[1], &through));
  cr_assert(tsr__view_compose(&side[1], &whole, &through));
  cr_expect(through.bounded && through.hi[1] == 3);
}

/* Every index of a box leads to the points around its own, within bounds. */
Test(view, that_reaches)
{
  tsr_view v, w;
  tsr__view_identity(&v, 2, (int64_t[]){20, 30});
  tsr__view_slice(&v, 0, 18, 8, -2); /* [18:2:-2, 3:27] */
  tsr__view_slice(&v, 1, 3, 24, 1);
  w = v;
  w.reaches = true;
  const int64_t before[] = {2, 0}, after[] = {4, 3}, first[] = {4, 3}, end[] = {19, 27};
  memcpy(w.before, before, sizeof before);
  memcpy(w.after, after, sizeof after);
  memcpy(w.first, first, sizeof first);
  memcpy(w.end, end, sizeof end);
  cr_assert(!tsr__view_equal(&v, &w) && tsr__view_equal(&w, &w) && !tsr__view_is_identity(&w));
  for (int64_t lo = 0; lo < 8; lo++)
    for (int64_t n = 1; lo + n <= 8; n++) {
      const tsr_box box = {.ndim = 2, .lo = {lo, 20}, .n = {n, 4}, .step = {1, 1}};
      const int64_t least = 18 - 2 * (lo + n - 1) - 2, most = 18 - 2 * lo + 4;
      tsr_box image, back;
      cr_assert(!tsr__view_image(&w, &box, &image));
      cr_assert_eq(image.lo[0], least > 4 ? least : 4);
      cr_assert_eq(tsr__box_end(&image, 0), most < 18 ? most + 1 : 19);
      cr_assert_eq(image.lo[1], 23);
      cr_assert_eq(tsr__box_end(&image, 1), 27, "clipped");
      cr_assert(!tsr__view_preimage(&w, &image, &back));
      cr_assert(tsr__box_contains(&back, &box));
    }
  const tsr_box far = {.ndim = 2, .lo = {0, 0}, .n = {2, 30}, .step = {1, 1}};
  tsr_box back;
  tsr__view_preimage(&w, &far, &back);
  cr_assert(tsr__box_is_empty(&back), "no index leads there");
  cr_assert(!tsr__view_is_still(&w));
  tsr__view_slice(&v, 0, 0, 1, 1);
  tsr__view_slice(&v, 1, 0, 1, 1);
  cr_assert(tsr__view_is_still(&v));
}
