/* Partials against the tree's definition: for random shapes, axes, boxes, orders and partitions. */
#include "partials.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(partials, .timeout = 300);

Test(partials, whole_box_at_once)
{
  for (uint64_t i = 0; i < 400; i++) {
    uint64_t seed = i * 7919;
    partials_problem q;
    partials_draw(&seed, &q);
    tsr_box all = partials_whole_box(&q);
    tsr_partials *p = partials_create(&q, &all);
    partials_add_box(&q, p, &all);
    partials_check(&q, p, i * 7919);
    tsr__partials_destroy(p);
    free(q.data);
  }
}

/* Partials that have given their result are those of another shape. */
Test(partials, are_resized)
{
  for (uint64_t i = 0; i < 400; i++) {
    uint64_t start = i * 15485863 + 3, seed = start;
    partials_problem q;
    partials_draw(&seed, &q);
    tsr_box all = partials_whole_box(&q);
    tsr_partials *p = partials_create(&q, &all);
    tsr_tree tree;
    tsr__tree_init(&tree, q.ndim, q.shape, q.mask);
    for (int turn = 0; turn < 4; turn++) {
      tsr_boxes chunks = {0};
      tsr__boxes_add(&chunks, &all);
      partials_cut(&seed, &chunks, draw_below(&seed, 10));
      for (int32_t j = 0; j < chunks.n; j++) partials_add_box(&q, p, &chunks.v[j]);
      partials_check(&q, p, start);
      tsr__boxes_free(&chunks);
      tsr__partials_clear(p);
      free(q.data);
      q.volume = 1;
      for (int k = 0; k < q.ndim; k++) { /* every other turn one less, mostly in as many levels */
        if (turn % 2 == 0)
          q.shape[k] -= q.shape[k] > 4;
        else
          q.shape[k] = partials_draw_length(&seed, q.volume < 1000 ? 300 : 3);
        q.volume *= q.shape[k];
      }
      q.data = malloc((size_t)q.volume * q.bytes);
      partials_fill(&seed, q.dtype, draw_below(&seed, 3) == 0, false, q.volume, q.data);
      all = partials_whole_box(&q);
      tsr_tree fresh;
      tsr__tree_init(&fresh, q.ndim, q.shape, q.mask);
      tsr__tree_resize(&tree, q.shape);
      cr_assert_eq(tree.n_levels, fresh.n_levels);
      cr_assert_arr_eq(tree.shape, fresh.shape, (size_t)q.ndim * sizeof *tree.shape);
      cr_assert_arr_eq(tree.level_axis, fresh.level_axis, (size_t)tree.n_levels);
      tsr__partials_resize(p, &tree, &all);
    }
    tsr__partials_destroy(p);
    free(q.data);
  }
}

Test(partials, chunks_in_random_order_over_several_partials)
{
  enum { MOST = 5 };
  for (uint64_t i = 0; i < 500; i++) {
    uint64_t start = i * 104729 + 1, seed = start;
    partials_problem q;
    partials_draw(&seed, &q);
    tsr_box all = partials_whole_box(&q);
    tsr_boxes chunks = {0};
    tsr__boxes_add(&chunks, &all);
    partials_cut(&seed, &chunks, draw_below(&seed, 60));
    partials_shuffle(&seed, &chunks);
    tsr_partials *p[MOST];
    int n = 1 + (int)draw_below(&seed, MOST);
    for (int j = 0; j < n; j++) p[j] = partials_create(&q, &all);
    for (int32_t j = 0; j < chunks.n; j++)
      partials_add_box(&q, p[draw_below(&seed, n)], &chunks.v[j]);
    for (; n > 1; n--) {
      int from = (int)draw_below(&seed, n);
      tsr_partials *src = p[from];
      p[from] = p[n - 1];
      partials_merge(&seed, p[draw_below(&seed, n - 1)], src);
    }
    partials_check(&q, p[0], start);
    tsr__partials_destroy(p[0]);
    tsr__boxes_free(&chunks);
    free(q.data);
  }
}

/* Long rows, so that whole vectors of subtrees rise, cut inside and between blocks of 64; the same
 * partials again after a clear. */
Test(partials, long_rows_cut_anywhere)
{
  for (uint64_t seed = 1; seed <= 300; seed++) {
    uint64_t s = seed;
    partials_problem q = {.ndim = 1, .mask = 1};
    q.volume = q.shape[0] = 1 + draw_below(&s, draw_below(&s, 2) ? 300 : 20000);
    do q.op = (tsr_reduction)draw_below(&s, TSR_N_REDUCTIONS);
    while (!tsr__reduce_dtypes(q.op, (tsr_dtype)draw_below(&s, TSR_DTYPE_COMPLEX64), &q.dtype,
                               &q.result));
    q.bytes = tsr__dtype_size(q.dtype);
    q.result_bytes = tsr__dtype_size(q.result);
    q.data = malloc((size_t)q.volume * q.bytes);
    partials_fill(&s, q.dtype, draw_below(&s, 3) == 0, draw_below(&s, 4) == 0, q.volume, q.data);
    tsr_box all = partials_whole_box(&q);
    tsr_partials *p = partials_create(&q, &all);
    for (int turn = 0; turn < 2; turn++) {
      tsr_boxes list = {0};
      tsr__boxes_add(&list, &all);
      partials_cut(&s, &list, draw_below(&s, 6));
      partials_shuffle(&s, &list);
      for (int32_t i = 0; i < list.n; i++) partials_add_box(&q, p, &list.v[i]);
      partials_check(&q, p, seed);
      tsr__partials_clear(p);
      tsr__boxes_free(&list);
    }
    tsr__partials_destroy(p);
    free(q.data);
  }
}

/* Rows in windows of other widths each, from one column to all: what waits in one row's windows
 * meets that of the next one, whatever the kinds of cells that they are stored in. */
Test(partials, rows_in_windows_of_any_width)
{
  enum { ROWS = 64, COLUMNS = 300 };
  tsr_tree tree;
  tsr__tree_init(&tree, 2, (int64_t[]){ROWS, COLUMNS}, 1);
  const tsr_box all = tsr__box_of_shape(2, (int64_t[]){ROWS, COLUMNS});
  tsr_partials *p = tsr__partials_create(&tree, TSR_REDUCE_SUM, TSR_INT64, &all, NULL);
  int64_t values[COLUMNS], out[COLUMNS], width = 1;
  for (int time = 0; time < 2; time++) {
    for (int i = 0; i < ROWS; i++) {
      const int row = (i * 37 + time) % ROWS; /* each once */
      for (int at = 0; at < COLUMNS; at += (int)width) {
        width = i % 3 == 0 ? 1 + i : i % 3 == 1 ? 1 + (width * 7 + at) % 150 : COLUMNS;
        const int end = at + (int)width < COLUMNS ? at + (int)width : COLUMNS;
        const tsr_box box = tsr__box_dense(2, (int64_t[]){row, at}, (int64_t[]){row + 1, end});
        for (int j = at; j < end; j++) values[j - at] = row * 1000 + j;
        cr_assert_eq(tsr__partials_add(p, &box, values, values), TSR_OK);
      }
    }
    cr_assert_eq(tsr__partials_finish(p, out), TSR_OK);
    for (int j = 0; j < COLUMNS; j++)
      cr_assert_eq(out[j], 1000 * (ROWS * (ROWS - 1) / 2) + ROWS * j);
    tsr__partials_clear(p);
  }
  tsr__partials_destroy(p);
}

/* Each piece of the kept box is collected by partials of its own, which then meet in one. */
Test(partials, pieces_of_the_kept_box)
{
  for (uint64_t i = 0; i < 300; i++) {
    uint64_t start = i * 15485863 + 2, seed = start;
    partials_problem q;
    partials_draw(&seed, &q);
    tsr_box all = partials_whole_box(&q);
    tsr_boxes pieces = {0};
    tsr__boxes_add(&pieces, &all);
    partials_cut(&seed, &pieces, 1 + draw_below(&seed, 6));
    partials_shuffle(&seed, &pieces);
    tsr_partials *total = partials_create(&q, &all);
    for (int32_t j = 0; j < pieces.n; j++) {
      tsr_partials *p = partials_create(&q, &pieces.v[j]); /* its reduced axes are ignored */
      tsr_boxes chunks = {0};
      tsr__boxes_add(&chunks, &pieces.v[j]);
      partials_cut(&seed, &chunks, draw_below(&seed, 20));
      partials_shuffle(&seed, &chunks);
      for (int32_t c = 0; c < chunks.n; c++) partials_add_box(&q, p, &chunks.v[c]);
      tsr__boxes_free(&chunks);
      partials_merge(&seed, total, p);
    }
    partials_check(&q, total, start);
    tsr__partials_destroy(total);
    tsr__boxes_free(&pieces);
    free(q.data);
  }
}

Test(partials, missing_parts_are_an_error)
{
  uint64_t seed = 4;
  double out[300];
  tsr_tree tree;
  tsr__tree_init(&tree, 2, (int64_t[]){300, 70}, 2);
  tsr_box all = tsr__box_of_shape(2, (int64_t[]){300, 70});
  tsr_partials *p = tsr__partials_create(&tree, TSR_REDUCE_SUM, TSR_FLOAT64, &all, NULL);
  double *values = malloc(300 * 70 * sizeof *values);
  partials_fill(&seed, TSR_FLOAT64, false, false, 300 * 70, (char *)values);
  cr_expect_eq(tsr__partials_finish(p, out), TSR_ERR_INTERNAL);
  tsr_box part = tsr__box_dense(2, (int64_t[]){0, 0}, (int64_t[]){300, 69});
  cr_expect_eq(tsr__partials_add(p, &part, values, values), TSR_OK);
  cr_expect_eq(tsr__partials_finish(p, out), TSR_ERR_INTERNAL);
  part = tsr__box_dense(2, (int64_t[]){0, 69}, (int64_t[]){299, 70});
  cr_expect_eq(tsr__partials_add(p, &part, values, values), TSR_OK);
  cr_expect_eq(tsr__partials_finish(p, out), TSR_ERR_INTERNAL);
  part = tsr__box_dense(2, (int64_t[]){299, 69}, (int64_t[]){300, 70});
  cr_expect_eq(tsr__partials_add(p, &part, values, values), TSR_OK);
  cr_expect_eq(tsr__partials_finish(p, out), TSR_OK);
  free(values);
  tsr__partials_destroy(p);
}

/* A second reduction finds the large blocks of the first one in their pool. */
Test(partials, large_blocks_are_used_again)
{
  enum { ROWS = 5, COLUMNS = 20000 };
  tsr_memory *pool = tsr__memory_create(0);
  tsr_tree tree;
  tsr__tree_init(&tree, 2, (int64_t[]){ROWS, COLUMNS}, 1);
  const tsr_box all = tsr__box_of_shape(2, (int64_t[]){ROWS, COLUMNS});
  tsr_partials *p = tsr__partials_create(&tree, TSR_REDUCE_SUM, TSR_FLOAT64, &all, pool);
  double *values = malloc(COLUMNS * sizeof *values), *out = malloc(COLUMNS * sizeof *out);
  uint64_t n_first = 0;
  for (int time = 0; time < 3; time++) {
    for (int row = 0; row < ROWS; row++) {
      const tsr_box box = tsr__box_dense(2, (int64_t[]){row, 0}, (int64_t[]){row + 1, COLUMNS});
      for (int i = 0; i < COLUMNS; i++) values[i] = row + i;
      cr_assert_eq(tsr__partials_add(p, &box, values, values), TSR_OK);
    }
    cr_assert_eq(tsr__partials_finish(p, out), TSR_OK);
    for (int i = 0; i < COLUMNS; i++) cr_assert_eq(out[i], 10 + 5 * i);
    cr_expect_gt(tsr__memory_stats(pool).in_use_bytes, 0);
    tsr__partials_clear(p);
    cr_expect_eq(tsr__memory_stats(pool).in_use_bytes, 0);
    if (time == 0) n_first = tsr__memory_stats(pool).n_system;
  }
  cr_expect_gt(n_first, 0);
  cr_expect_eq(tsr__memory_stats(pool).n_system, n_first);
  free(values);
  free(out);
  tsr__partials_destroy(p);
  tsr__memory_destroy(pool);
}

Test(partials, boxes_outside_are_refused)
{
  double values[16] = {0};
  tsr_tree tree;
  tsr__tree_init(&tree, 2, (int64_t[]){8, 8}, 1);
  tsr_box kept = tsr__box_dense(2, (int64_t[]){0, 2}, (int64_t[]){8, 6});
  tsr_partials *p = tsr__partials_create(&tree, TSR_REDUCE_SUM, TSR_FLOAT64, &kept, NULL);
  tsr_box low = tsr__box_dense(2, (int64_t[]){0, 1}, (int64_t[]){1, 4});
  tsr_box high = tsr__box_dense(2, (int64_t[]){0, 4}, (int64_t[]){1, 7});
  tsr_box past = tsr__box_dense(2, (int64_t[]){7, 2}, (int64_t[]){9, 6});
  tsr_box strided = tsr__box_dense(2, (int64_t[]){0, 2}, (int64_t[]){3, 4});
  strided.step[0] = 2;
  cr_expect_eq(tsr__partials_add(p, &low, values, values), TSR_ERR_INTERNAL);
  cr_expect_eq(tsr__partials_add(p, &high, values, values), TSR_ERR_INTERNAL);
  cr_expect_eq(tsr__partials_add(p, &past, values, values), TSR_ERR_INTERNAL);
  cr_expect_eq(tsr__partials_add(p, &strided, values, values), TSR_ERR_INTERNAL);
  tsr_box empty = tsr__box_dense(2, (int64_t[]){0, 1}, (int64_t[]){0, 4});
  cr_expect_eq(tsr__partials_add(p, &empty, values, values), TSR_OK, "an empty box adds nothing");
  tsr__partials_destroy(p);
}

Test(partials, reductions_that_differ_do_not_merge)
{
  tsr_tree trees[3];
  tsr__tree_init(&trees[0], 2, (int64_t[]){8, 8}, 1);
  tsr__tree_init(&trees[1], 2, (int64_t[]){8, 8}, 3);
  tsr__tree_init(&trees[2], 2, (int64_t[]){8, 9}, 1);
  tsr_box all = tsr__box_of_shape(2, (int64_t[]){8, 8});
  tsr_box part = tsr__box_dense(2, (int64_t[]){0, 2}, (int64_t[]){8, 6});
  tsr_partials *p = tsr__partials_create(&trees[0], TSR_REDUCE_MIN, TSR_FLOAT64, &part, NULL);
  tsr_partials *others[] = {
      tsr__partials_create(&trees[1], TSR_REDUCE_MIN, TSR_FLOAT64, &part, NULL),
      tsr__partials_create(&trees[2], TSR_REDUCE_MIN, TSR_FLOAT64, &part, NULL),
      tsr__partials_create(&trees[0], TSR_REDUCE_MAX, TSR_FLOAT64, &part, NULL),
      tsr__partials_create(&trees[0], TSR_REDUCE_MIN, TSR_FLOAT32, &part, NULL),
      tsr__partials_create(&trees[0], TSR_REDUCE_MIN, TSR_FLOAT64, &all, NULL),
  };
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    cr_expect_eq(tsr__partials_merge(p, others[i]), TSR_ERR_INTERNAL, "pair %zu", i);
    tsr__partials_destroy(others[i]);
  }
  tsr__partials_destroy(p);
}

Test(partials, no_axes_and_no_dimensions)
{
  tsr_tree tree;
  tsr__tree_init(&tree, 0, NULL, 0);
  tsr_box point = tsr__box_of_shape(0, NULL);
  float value = -3.5f, out = 0;
  tsr_partials *p = tsr__partials_create(&tree, TSR_REDUCE_SUM, TSR_FLOAT32, &point, NULL);
  cr_assert_eq(tsr__partials_add(p, &point, &value, &value), TSR_OK);
  cr_assert_eq(tsr__partials_finish(p, &out), TSR_OK);
  cr_expect_eq(out, -3.5f);
  tsr__partials_destroy(p);
  int64_t index = -1;
  p = tsr__partials_create(&tree, TSR_REDUCE_ARGMIN, TSR_FLOAT32, &point, NULL);
  cr_assert_eq(tsr__partials_add(p, &point, &value, &value), TSR_OK);
  cr_assert_eq(tsr__partials_finish(p, &index), TSR_OK);
  cr_expect_eq(index, 0);
  tsr__partials_destroy(p);
}

Test(partials, kept_points_may_be_none)
{
  tsr_tree tree;
  tsr__tree_init(&tree, 2, (int64_t[]){5, 0}, 1);
  tsr_box kept = tsr__box_of_shape(2, (int64_t[]){5, 0});
  char untouched = 7;
  tsr_partials *p = tsr__partials_create(&tree, TSR_REDUCE_MAX, TSR_INT32, &kept, NULL);
  cr_expect_eq(tsr__partials_finish(p, &untouched), TSR_OK);
  cr_expect_eq(untouched, 7);
  tsr__partials_destroy(p);
}
