/* Partials as messages: what their bytes depend on, and which bytes are refused. */
#include "partials.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(partials_packed, .timeout = 300);

/* Who is to receive partials knows how large they are from the boxes that were added. */
Test(partials_packed, bytes_follow_from_the_boxes)
{
  for (uint64_t i = 0; i < 500; i++) {
    uint64_t start = i * 15485863 + 3, seed = start;
    partials_problem q;
    partials_draw(&seed, &q);
    tsr_box all = partials_whole_box(&q);
    tsr_boxes chunks = {0}, added = {0};
    tsr__boxes_add(&chunks, &all);
    partials_cut(&seed, &chunks, draw_below(&seed, 12));
    tsr_partials *p = partials_create(&q, &all);
    for (int32_t j = 0; j < chunks.n; j++) {
      if (chunks.n > 1 && draw_below(&seed, 2)) continue;
      tsr__boxes_add(&added, &chunks.v[j]);
      tsr_boxes pieces = {0};
      tsr__boxes_add(&pieces, &chunks.v[j]);
      partials_cut(&seed, &pieces, draw_below(&seed, 5));
      partials_shuffle(&seed, &pieces);
      for (int32_t c = 0; c < pieces.n; c++) partials_add_box(&q, p, &pieces.v[c]);
      tsr__boxes_free(&pieces);
    }
    tsr_tree tree;
    tsr__tree_init(&tree, q.ndim, q.shape, q.mask);
    cr_assert_eq(tsr__partials_bytes_of(&tree, q.op, q.dtype, added.v, added.n),
                 tsr__partials_pack_bytes(p), "seed %llu", (unsigned long long)start);
    tsr__partials_destroy(p);
    tsr__boxes_free(&chunks);
    tsr__boxes_free(&added);
    free(q.data);
  }
}

Test(partials_packed, packed_bytes_depend_on_the_points_only)
{
  for (uint64_t i = 0; i < 200; i++) {
    uint64_t seed = i * 32452843 + 3;
    partials_problem q;
    partials_draw(&seed, &q);
    partials_fill(&seed, q.dtype, false, false, q.volume, q.data);
    tsr_box all = partials_whole_box(&q);
    tsr_boxes covered = {0};
    tsr__boxes_add(&covered, &all);
    partials_cut(&seed, &covered, 1 + draw_below(&seed, 8));
    partials_shuffle(&seed, &covered);
    covered.n = 1 + (int32_t)draw_below(&seed, covered.n);
    size_t n_bytes[2];
    void *bytes[2];
    for (int way = 0; way < 2; way++) {
      tsr_partials *p = partials_create(&q, &all);
      tsr_boxes chunks = {0};
      for (int32_t j = 0; j < covered.n; j++) tsr__boxes_add(&chunks, &covered.v[j]);
      partials_cut(&seed, &chunks, draw_below(&seed, 40));
      partials_shuffle(&seed, &chunks);
      for (int32_t j = 0; j < chunks.n; j++) partials_add_box(&q, p, &chunks.v[j]);
      bytes[way] = partials_packed(p, &n_bytes[way]);
      tsr__boxes_free(&chunks);
      tsr__partials_destroy(p);
    }
    cr_assert_eq(n_bytes[0], n_bytes[1], "case %llu", (unsigned long long)i);
    cr_assert_eq(memcmp(bytes[0], bytes[1], n_bytes[0]), 0, "case %llu", (unsigned long long)i);
    free(bytes[0]);
    free(bytes[1]);
    tsr__boxes_free(&covered);
    free(q.data);
  }
}

/* Every way of damaging a message is refused or harmless, and a refusal changes nothing. */
static void damage(const partials_problem *q, const tsr_box *all, const void *bytes, size_t n_bytes,
                   const tsr_box *held)
{
  size_t n_before, n_after;
  tsr_partials *p = partials_create(q, all);
  if (held) partials_add_box(q, p, held);
  void *before = partials_packed(p, &n_before);
  if (tsr__partials_merge_packed(p, bytes, n_bytes) != TSR_OK) {
    void *after = partials_packed(p, &n_after);
    cr_assert(n_before == n_after && memcmp(before, after, n_before) == 0);
    free(after);
  }
  free(before);
  tsr__partials_destroy(p);
}

Test(partials_packed, malformed_messages_are_refused)
{
  for (uint64_t i = 0; i < 24; i++) {
    uint64_t seed = i * 49979687 + 5;
    partials_problem q;
    partials_draw(&seed, &q);
    tsr_box all = partials_whole_box(&q), part = all;
    int k = (int)draw_below(&seed, q.ndim);
    part.n[k] = 1 + draw_below(&seed, q.shape[k]);
    tsr_partials *p = partials_create(&q, &all), *empty = partials_create(&q, &all);
    partials_add_box(&q, p, &part);
    size_t n_bytes;
    char *bytes = partials_packed(p, &n_bytes), *bad = malloc(n_bytes + 8);
    for (size_t n = 0; n < n_bytes; n += 1 + n / 16)
      cr_assert_eq(tsr__partials_merge_packed(empty, bytes, n), TSR_ERR_INTERNAL);
    memcpy(bad, bytes, n_bytes);
    memset(bad + n_bytes, 0, 8);
    cr_assert_eq(tsr__partials_merge_packed(empty, bad, n_bytes + 8), TSR_ERR_INTERNAL);
    for (size_t at = 0; at < n_bytes && at < 300; at++) {
      memcpy(bad, bytes, n_bytes);
      bad[at] = (char)(bad[at] ^ (1 << draw_below(&seed, 8)));
      damage(&q, &all, bad, n_bytes, NULL);
      if (at < 4) cr_assert_eq(tsr__partials_merge_packed(empty, bad, n_bytes), TSR_ERR_INTERNAL);
    }
    cr_assert_eq(tsr__partials_merge_packed(p, bytes, n_bytes), TSR_ERR_INTERNAL,
                 "a message that p already holds");
    cr_assert_eq(tsr__partials_merge_packed(empty, bytes, n_bytes), TSR_OK);
    free(bad);
    free(bytes);
    tsr__partials_destroy(p);
    tsr__partials_destroy(empty);
    free(q.data);
  }
}

Test(partials_packed, packed_boxes_outside_are_refused)
{
  tsr_tree tree;
  tsr__tree_init(&tree, 2, (int64_t[]){10, 8}, 1);
  tsr_box all = tsr__box_of_shape(2, (int64_t[]){10, 8});
  tsr_box half = tsr__box_dense(2, (int64_t[]){0, 0}, (int64_t[]){10, 4});
  tsr_partials *whole = tsr__partials_create(&tree, TSR_REDUCE_ARGMAX, TSR_FLOAT32, &all, NULL);
  tsr_partials *p = tsr__partials_create(&tree, TSR_REDUCE_ARGMAX, TSR_FLOAT32, &half, NULL);
  float values[24] = {1, 2, 3};
  tsr_box rows = tsr__box_dense(2, (int64_t[]){3, 0}, (int64_t[]){6, 8});
  cr_assert_eq(tsr__partials_add(whole, &rows, values, values), TSR_OK);
  size_t n_bytes;
  char *bytes = partials_packed(whole, &n_bytes);
  cr_expect_eq(tsr__partials_merge_packed(p, bytes, n_bytes), TSR_ERR_INTERNAL, "kept box");
  tsr__partials_destroy(p);
  p = tsr__partials_create(&tree, TSR_REDUCE_ARGMAX, TSR_FLOAT32, &all, NULL);
  memset(bytes + n_bytes - 8, 0x7f, 8);
  cr_expect_eq(tsr__partials_merge_packed(p, bytes, n_bytes), TSR_ERR_INTERNAL, "flat index");
  free(bytes);
  tsr__partials_destroy(p);
  tsr__partials_destroy(whole);
}

Test(partials_packed, huge_axes_do_not_overflow)
{
  const int64_t huge = INT64_C(1) << 62;
  double values[8] = {1, 2, 3, 4, 5, 6, 7, 8}, copy[8];
  tsr_tree tree;
  tsr__tree_init(&tree, 1, &huge, 1);
  cr_expect_eq(tree.n_levels, 62);
  tsr_box all = tsr__box_of_shape(1, &huge);
  size_t n_bytes[2];
  void *bytes[2];
  for (int way = 0; way < 2; way++) {
    tsr_partials *p = tsr__partials_create(&tree, TSR_REDUCE_SUM, TSR_FLOAT64, &all, NULL);
    memcpy(copy, values, sizeof copy);
    int64_t step = way == 0 ? 8 : 1;
    for (int64_t i = 0; i < 8; i += step) {
      tsr_box b = tsr__box_dense(1, (int64_t[]){huge - 8 + i}, (int64_t[]){huge - 8 + i + step});
      cr_assert_eq(tsr__partials_add(p, &b, copy + i, copy + i), TSR_OK);
    }
    bytes[way] = partials_packed(p, &n_bytes[way]);
    cr_expect_eq(tsr__partials_finish(p, copy), TSR_ERR_INTERNAL);
    tsr__partials_destroy(p);
  }
  cr_expect_eq(n_bytes[0], n_bytes[1]);
  cr_expect_eq(memcmp(bytes[0], bytes[1], n_bytes[0]), 0);
  free(bytes[0]);
  free(bytes[1]);
}
