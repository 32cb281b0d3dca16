/* Instances: where rows lie, and boxes in and out. */
#include "harness.h"

static tsr_instance shaped(const tsr_box *alloc, int64_t aligned, size_t elem_bytes,
                           int64_t align_rows)
{
  tsr_world world = {.config.align_rows = align_rows};
  tsr_scheduler s = {.world = &world};
  tsr_instance i;
  tsr__instance_shape(&s, &i, alloc, aligned, elem_bytes);
  size_t most = tsr__agreed_box_bytes(&s, alloc->ndim, alloc->n, elem_bytes);
  cr_expect_eq(i.bytes, most);
  i.data = aligned_alloc(64, (i.bytes + 63) / 64 * 64);
  return i;
}

static tsr_box box3(int64_t lo, int64_t n0, int64_t n1, int64_t n2)
{
  return (tsr_box){.ndim = 3, .lo = {lo, 0, lo}, .n = {n0, n1, n2}, .step = {1, 1, 1}};
}

Test(instance, long_rows_begin_at_lines)
{
  for (int64_t n = 96; n <= 1030; n++)
    for (int64_t aligned = -1; aligned <= 2; aligned++) {
      tsr_box alloc = box3(-2, 3, 64, n);
      tsr_instance i = shaped(&alloc, aligned, 8, 768);
      const int64_t at[] = {0, 5, aligned}, last[] = {0, 63, n - 3};
      cr_expect_eq((uintptr_t)tsr__instance_at(&i, at) % 64, 0);
      cr_expect_leq(tsr__instance_at(&i, last) + 8, (char *)i.data + i.bytes);
      cr_expect_lt(i.stride_bytes[1], n * 8 + 128);
      for (int k = 0; k < 2; k++) cr_expect_neq(i.stride_bytes[k] % 4096, 0);
      free(i.data);
    }
}

Test(instance, short_rows_and_lines_are_dense)
{
  tsr_box rows = box3(0, 5, 7, 95), line = {.ndim = 1, .n = {4097}, .step = {1}};
  tsr_instance i = shaped(&rows, 1, 8, 768);
  cr_expect_eq(i.bytes, 5 * 7 * 95 * 8);
  cr_expect_eq(i.stride_bytes[0], 7 * 95 * 8);
  free(i.data);
  i = shaped(&line, 1, 8, 768);
  cr_expect_eq(i.bytes, 4097 * 8);
  cr_expect_eq(i.lead_bytes, 0);
  free(i.data);
}

static void put_in(const tsr_instance *i, const tsr_box *box, size_t elem, const void *in)
{
  const tsr_points p = tsr__instance_points_in(i, box, elem, in);
  tsr__points_copy(&p);
}

static void take_out(const tsr_instance *i, const tsr_box *box, size_t elem, void *out)
{
  const tsr_points p = tsr__instance_points_out(i, box, elem, out);
  tsr__points_copy(&p);
}

/* A box with any steps and element size goes out of one instance and into another, aligned
 * otherwise. */
Test(instance, boxes_go_in_and_out)
{
  static const size_t sizes[] = {1, 4, 8};
  srand(1);
  for (int turn = 0; turn < 2000; turn++) {
    size_t elem = sizes[rand() % 3];
    tsr_box alloc = box3(0, 1 + rand() % 5, 1 + rand() % 5, 1 + rand() % 9), box = alloc;
    tsr_instance a = shaped(&alloc, rand() % 9, elem, 1 + rand() % 40);
    tsr_instance b = shaped(&alloc, rand() % 9, elem, 1 + rand() % 40);
    unsigned char packed[5 * 5 * 9 * 8], again[sizeof packed];
    for (size_t i = 0; i < sizeof packed; i++) packed[i] = (unsigned char)rand();
    put_in(&a, &alloc, elem, packed);
    put_in(&b, &alloc, elem, packed);
    for (int k = 0; k < 3; k++) {
      box.step[k] = 1 + rand() % 2;
      box.lo[k] = rand() % alloc.n[k];
      box.n[k] = (alloc.n[k] - box.lo[k] + box.step[k] - 1) / box.step[k];
    }
    size_t bytes = (size_t)tsr__box_volume(&box) * elem;
    for (size_t i = 0; i < bytes; i++) packed[i] = (unsigned char)rand();
    put_in(&a, &box, elem, packed);
    const tsr_points between = tsr__instance_points(&b, &a, &box, elem);
    tsr__points_copy(&between);
    take_out(&b, &box, elem, again);
    cr_assert_eq(memcmp(packed, again, bytes), 0);
    bytes = (size_t)tsr__box_volume(&alloc) * elem; /* nothing else has changed */
    take_out(&a, &alloc, elem, packed);
    take_out(&b, &alloc, elem, again);
    cr_assert_eq(memcmp(packed, again, bytes), 0);
    free(a.data);
    free(b.data);
  }
}
