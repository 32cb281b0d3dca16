/* Boxes are compared with their points, enumerated. */
#include "geometry.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Calls check(point) for every point of [-2, size+2)^ndim. */
#define MARGIN 2

static bool next_point(int ndim, int64_t size, int64_t *p)
{
  for (int k = ndim - 1; k >= 0; k--) {
    if (++p[k] < size + MARGIN) return true;
    p[k] = -MARGIN;
  }
  return false;
}

static void first_point(int ndim, int64_t *p)
{
  for (int k = 0; k < ndim; k++) p[k] = -MARGIN;
}

static const int64_t sizes[] = {1, 40, 13, 7, 5};

static void check_pair(const tsr_box *a, const tsr_box *b, int64_t size)
{
  int ndim = a->ndim;
  tsr_box meet;
  bool meets = tsr__box_intersect(a, b, &meet);
  cr_assert(box_is_canonical(&meet));
  cr_assert_eq(meets, tsr__box_intersects(b, a));
  cr_assert(ndim == 0 || meets == !tsr__box_is_empty(&meet));
  tsr_box hull = tsr__box_hull(a, b);
  bool contains = tsr__box_contains(a, b), all_in = true, any = false;
  int64_t p[TSR_MAX_NDIM] = {0}, n_a = 0;
  first_point(ndim, p);
  do {
    bool in_a = box_has(a, p), in_b = box_has(b, p);
    n_a += in_a;
    any |= in_a && in_b;
    all_in &= in_a || !in_b;
    cr_assert_eq(box_has(&meet, p), in_a && in_b);
    cr_assert(box_has(&hull, p) || !(in_a || in_b));
  } while (next_point(ndim, size, p));
  cr_assert_eq(meets, any);
  cr_assert_eq(contains, all_in);
  cr_assert_eq(tsr__box_volume(a), n_a);
  cr_assert_eq(tsr__box_is_empty(a), n_a == 0);
}

Test(box, pairs_agree_with_their_points)
{
  rng r = {0x7E55E2A1u};
  for (int ndim = 0; ndim <= 4; ndim++)
    for (int i = 0; i < 1500 / (ndim * ndim + 1); i++) {
      tsr_box a = random_box(&r, ndim, sizes[ndim], 7), b = random_box(&r, ndim, sizes[ndim], 7);
      check_pair(&a, &b, sizes[ndim]);
      tsr_box alias = a, meet;
      tsr__box_intersect(&a, &b, &meet);
      tsr__box_intersect(&alias, &b, &alias);
      cr_assert(tsr__box_equal(&alias, &meet));
    }
}

Test(box, every_pair_of_progressions)
{
  for (int64_t lo = 0; lo < 6; lo++)
    for (int64_t sa = 1; sa < 13; sa++)
      for (int64_t sb = 1; sb < 13; sb++)
        for (int64_t n = 1; n < 5; n++) {
          tsr_box a = {.ndim = 1, .lo = {lo}, .n = {n}, .step = {n == 1 ? 1 : sa}};
          tsr_box b = {.ndim = 1, .lo = {2}, .n = {4}, .step = {sb}};
          check_pair(&a, &b, 54);
        }
}

/* Do the axis's steps allow an exact difference, as the header promises? */
static bool promised_exact(const tsr_box *a, const tsr_box *b)
{
  bool same_steps = true;
  for (int k = 0; k < a->ndim; k++) same_steps &= a->step[k] == b->step[k];
  return same_steps || tsr__box_is_dense(b);
}

static void check_subtract(const tsr_box *a, const tsr_box *b, int64_t size, bool keep)
{
  tsr_boxes out = {0};
  if (keep)
    tsr__box_subtract_keep(a, b, &out);
  else
    tsr__box_subtract_drop(a, b, &out);
  cr_assert_leq(out.n, a->ndim ? 2 * a->ndim : 1);
  bool exact = promised_exact(a, b);
  int64_t p[TSR_MAX_NDIM], n = 0;
  first_point(a->ndim, p);
  do {
    int times = 0;
    for (int i = 0; i < out.n; i++) times += box_has(&out.v[i], p);
    bool in_a = box_has(a, p), outside_b = in_a && !box_has(b, p);
    cr_assert_leq(times, 1, "pieces overlap");
    cr_assert(!times || in_a);
    if (keep) cr_assert(times || !outside_b, "a point outside b was lost");
    if (!keep) cr_assert(!times || outside_b, "a point of b stayed");
    if (exact) cr_assert_eq(times, outside_b);
    n += times;
  } while (next_point(a->ndim, size, p));
  cr_assert_eq(tsr__boxes_volume(&out), n);
  for (int i = 0; i < out.n; i++)
    cr_assert(box_is_canonical(&out.v[i]) && !tsr__box_is_empty(&out.v[i]));
  tsr__boxes_free(&out);
}

Test(box, differences_agree_with_their_points)
{
  rng r = {0x1234567u};
  for (int ndim = 0; ndim <= 4; ndim++)
    for (int i = 0; i < 3000 / (ndim * ndim + 1); i++) {
      tsr_box a = random_box(&r, ndim, sizes[ndim], 4), b = random_box(&r, ndim, sizes[ndim], 4);
      if (i % 3 == 0)
        for (int k = 0; k < ndim; k++) b.step[k] = 1;
      if (i % 3 == 1)
        for (int k = 0; k < ndim; k++)
          if (a.n[k] > 1 && b.n[k] > 1) b.step[k] = a.step[k];
      check_subtract(&a, &b, 4 * sizes[ndim], true);
      check_subtract(&a, &b, 4 * sizes[ndim], false);
    }
}

Test(box, red_is_what_black_leaves)
{
  tsr_box whole = tsr__box_of_shape(2, (int64_t[]){9, 10});
  for (int64_t phase = 0; phase < 3; phase++)
    for (int64_t stride = 2; stride <= 3; stride++) {
      tsr_box some = whole;
      some.lo[1] = phase;
      some.step[1] = stride;
      some.n[1] = (9 - phase) / stride + 1;
      tsr_boxes keep = {0}, drop = {0};
      tsr__box_subtract_keep(&whole, &some, &keep);
      tsr__box_subtract_drop(&whole, &some, &drop);
      bool spare = phase >= stride; /* the first column is in no progression */
      if (!spare || stride == 2) {
        cr_assert_eq(tsr__boxes_volume(&keep), 90 - tsr__box_volume(&some));
        cr_assert_eq(tsr__boxes_volume(&drop), 90 - tsr__box_volume(&some));
        cr_assert_eq(keep.n, stride - 1 + spare);
      }
      tsr__boxes_free(&keep);
      tsr__boxes_free(&drop);
    }
}

Test(box, lists_shrink_like_point_sets)
{
  rng r = {99};
  for (int round = 0; round < 300; round++) {
    int64_t size = 12;
    tsr_box whole = tsr__box_of_shape(2, (int64_t[]){size, size}), cut[5];
    tsr_boxes keep = {0}, drop = {0}, exact = {0};
    tsr__boxes_add(&keep, &whole);
    tsr__boxes_add(&drop, &whole);
    tsr__boxes_add(&exact, &whole);
    for (int i = 0; i < 5; i++) {
      cut[i] = random_box(&r, 2, size, 4);
      tsr__boxes_subtract_keep(&keep, &cut[i]);
      tsr__boxes_subtract_drop(&drop, &cut[i]);
      tsr_box dense = tsr__box_dense_hull(&cut[i]);
      tsr__boxes_subtract_keep(&exact, &dense);
    }
    for (int64_t p[2] = {0, 0}; p[0] < size; p[0]++)
      for (p[1] = 0; p[1] < size; p[1]++) {
        int k = 0, d = 0, e = 0;
        bool hit = false, hit_dense = false;
        for (int i = 0; i < keep.n; i++) k += box_has(&keep.v[i], p);
        for (int i = 0; i < drop.n; i++) d += box_has(&drop.v[i], p);
        for (int i = 0; i < exact.n; i++) e += box_has(&exact.v[i], p);
        for (int i = 0; i < 5; i++) {
          tsr_box dense = tsr__box_dense_hull(&cut[i]);
          hit |= box_has(&cut[i], p);
          hit_dense |= box_has(&dense, p);
        }
        cr_assert(k <= 1 && d <= 1 && (k || hit) && !(d && hit) && e == !hit_dense);
      }
    tsr__boxes_free(&keep);
    tsr__boxes_free(&drop);
    tsr__boxes_free(&exact);
  }
}

Test(box, a_list_may_hold_the_operand)
{
  tsr_boxes list = {0};
  for (int64_t i = 0; i < 4; i++) {
    tsr_box b = tsr__box_dense(1, &i, (int64_t[]){i + 1});
    tsr__boxes_add(&list, &b);
  }
  tsr__boxes_add(&list, &list.v[3]); /* the list grows, so that the box that is added moves */
  cr_assert(list.n == 5 && tsr__box_equal(&list.v[3], &list.v[4]));
  tsr__boxes_subtract_keep(&list, &list.v[0]);
  cr_assert_eq(list.n, 4);
  tsr__boxes_clear(&list);
  cr_assert(list.n == 0 && list.capacity >= 5);
  tsr__boxes_free(&list);
  cr_assert(list.v == NULL && list.capacity == 0);
}

Test(box, coordinates_and_steps_may_be_huge)
{
  int64_t p = (int64_t)1 << 40, q = ((int64_t)1 << 40) - 1; /* coprime steps */
  tsr_box a = {.ndim = 1, .lo = {5}, .n = {1 << 20}, .step = {p}};
  tsr_box b = {.ndim = 1, .lo = {5}, .n = {1 << 20}, .step = {q}};
  tsr_box meet;
  cr_assert(tsr__box_intersect(&a, &b, &meet));
  cr_assert(meet.lo[0] == 5 && meet.n[0] == 1 && meet.step[0] == 1);
  b.lo[0] = 5 + 1000 * p - 999 * q; /* they meet where a is at 1000 and b at 999 */
  cr_assert(tsr__box_intersect(&a, &b, &meet));
  cr_assert(meet.lo[0] == 5 + 1000 * p && meet.n[0] == 1);
  a = (tsr_box){.ndim = 1, .lo = {-((int64_t)1 << 61)}, .n = {3}, .step = {(int64_t)1 << 60}};
  b = (tsr_box){.ndim = 1, .lo = {0}, .n = {1}, .step = {1}};
  cr_assert(tsr__box_intersect(&a, &b, &meet) && meet.lo[0] == 0);
  a = (tsr_box){.ndim = 1, .lo = {0}, .n = {4}, .step = {6 * p}};
  b = (tsr_box){.ndim = 1, .lo = {2 * p}, .n = {10}, .step = {4 * p}};
  cr_assert(tsr__box_intersect(&a, &b, &meet));
  cr_assert(meet.lo[0] == 6 * p && meet.n[0] == 2 && meet.step[0] == 12 * p);
}

Test(box, eight_axes_none_and_nothing)
{
  int64_t shape[8] = {2, 3, 1, 2, 3, 2, 1, 4};
  tsr_box a = tsr__box_of_shape(8, shape), b = a, meet;
  for (int k = 0; k < 8; k++) {
    b.lo[k] = shape[k] > 1 ? 1 : 0;
    b.n[k] = 1;
  }
  cr_assert_eq(tsr__box_volume(&a), 288);
  cr_assert(tsr__box_intersect(&a, &b, &meet) && tsr__box_equal(&meet, &b));
  tsr_boxes list = {0};
  tsr__box_subtract_keep(&a, &b, &list);
  cr_assert_eq(tsr__boxes_volume(&list), 287);
  tsr__boxes_free(&list);

  tsr_box point = tsr__box_of_shape(0, NULL);
  cr_assert(!tsr__box_is_empty(&point) && tsr__box_volume(&point) == 1 &&
            tsr__box_is_dense(&point));
  cr_assert(tsr__box_intersect(&point, &point, &meet) && tsr__box_contains(&point, &point));
  tsr__box_subtract_drop(&point, &point, &list);
  cr_assert_eq(list.n, 0);

  tsr_box empty = tsr__box_dense(1, (int64_t[]){7}, (int64_t[]){3});
  tsr_box other = tsr__box_dense(1, (int64_t[]){2}, (int64_t[]){2});
  tsr_box full = tsr__box_dense(1, (int64_t[]){1}, (int64_t[]){4});
  cr_assert(tsr__box_is_empty(&empty) && tsr__box_end(&empty, 0) == 7);
  cr_assert(tsr__box_equal(&empty, &other) && !tsr__box_equal(&empty, &full));
  cr_assert(tsr__box_contains(&full, &empty) && tsr__box_contains(&empty, &other));
  cr_assert(!tsr__box_contains(&empty, &full) && !tsr__box_intersect(&empty, &full, &meet));
  tsr_box hull = tsr__box_hull(&empty, &full);
  cr_assert(tsr__box_equal(&hull, &full));
  hull = tsr__box_hull(&full, &empty);
  cr_assert(tsr__box_equal(&hull, &full));
  tsr__box_subtract_keep(&empty, &full, &list);
  cr_assert_eq(list.n, 0);
  tsr__box_subtract_keep(&full, &empty, &list);
  cr_assert(list.n == 1 && tsr__box_equal(&list.v[0], &full));
  tsr__boxes_free(&list);

  tsr_box nothing = {.ndim = -1}, square = tsr__box_of_shape(2, (int64_t[]){3, 3});
  cr_expect(tsr__box_is_empty(&nothing));
  cr_expect(!tsr__box_intersects(&nothing, &square) && !tsr__box_intersects(&square, &nothing));
  cr_expect(!tsr__box_intersect(&square, &nothing, &meet) && tsr__box_is_empty(&meet));
  cr_expect(tsr__box_contains(&square, &nothing) && !tsr__box_contains(&nothing, &square));
}

Test(box, points_come_row_by_row)
{
  const tsr_box box = {.ndim = 2, .lo = {-1, 4}, .n = {3, 2}, .step = {2, 5}};
  static const int64_t expected[6][2] = {{-1, 4}, {-1, 9}, {1, 4}, {1, 9}, {3, 4}, {3, 9}};
  tsr_box_walk points;
  int n = 0;
  for (const int64_t *at = tsr__box_first(&points, &box); at != NULL; at = tsr__box_next(&points))
    cr_assert(n < 6 && memcmp(at, expected[n++], sizeof expected[0]) == 0, "point %d", n);
  cr_assert_eq(n, 6);
  const tsr_box empty = {.ndim = 1, .lo = {2}, .n = {0}, .step = {1}}, scalar = {.ndim = 0};
  cr_assert_null(tsr__box_first(&points, &empty));
  cr_assert_not_null(tsr__box_first(&points, &scalar));
  cr_assert_null(tsr__box_next(&points));
}

Test(box, text)
{
  tsr_box b = {.ndim = 2, .lo = {0, 2}, .n = {4, 4}, .step = {1, 2}};
  char buf[64];
  cr_assert_str_eq(tsr__box_text(&b, buf, sizeof buf), "[0:4,2:10:2]");
  cr_assert_str_eq(tsr__box_text(&b, buf, 6), "[0:4,");
  b.ndim = 0;
  cr_assert_str_eq(tsr__box_text(&b, buf, sizeof buf), "[]");
}
