/* The interpreter against a point-by-point reading of the same kernel: every stride pattern, fused
 * and in-place kernels, swaps, many operands, IOTA, empty boxes and single points, and kernels
 * drawn at random. */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "kernel/cpu/interp.h"
#include "tests/kernel/reference.h"
#include "tests/kernel/stage.h"

/* Runs both, compares all memory, frees the memory. */
static void run_and_compare(const tsr_kernel *k, stage *s, const char *what, uint64_t number)
{
  void *base[MAX_ACCESSES], *expected_base[MAX_ACCESSES];
  const tsr_kernel_bind bind = stage_bind(s, false, base);
  const tsr_kernel_bind expected = stage_bind(s, true, expected_base);
  reference_run(k, &expected);
  reference_interpret(k, &bind);
  stage_compare(k, s, what, number);
  stage_free(s);
}

Test(interp, random_kernels_on_every_instruction_set)
{
  for (uint64_t i = 1; i <= 3000; i++) {
    uint64_t seed = i * 0x9e3779b97f4a7c15u;
    stage s = {0};
    tsr_kernel *k = stage_draw(&s, false, false, &seed);
    int n_tables = 0;
    while (tsr__loops_get(n_tables)) n_tables++;
    cr_assert_eq(tsr__kernel_prepare_with(k, tsr__loops_get(i % n_tables)), TSR_OK);
    stage_fill(&s, &seed);
    run_and_compare(k, &s, "kernel", i);
    tsr__kernel_destroy(k);
  }
}

/* One axis of n points over n_buffers dense buffers of float64, each with one load and one store.
 */
static void dense_stage(stage *s, tsr_kernel_builder *b, int n_buffers, int64_t n)
{
  s->ndim = 1;
  s->n[0] = n;
  s->n_buffers = n_buffers;
  for (int i = 0; i < n_buffers; i++) {
    s->buffer[i].dtype = TSR_FLOAT64;
    s->buffer[i].elems = n;
    for (int is_store = 0; is_store < 2; is_store++) {
      s->of[s->n_accesses] = i;
      s->stride[s->n_accesses][0] = 8;
      cr_assert_eq(tsr__kernel_access_add(b, TSR_FLOAT64, is_store, i, 0), s->n_accesses++);
    }
  }
}

static int add2(tsr_kernel_builder *b, int x, int y)
{
  return tsr__kernel_op(b, TSR_OP_ADD, TSR_FLOAT64, TSR_FLOAT64, 2, (int[]){x, y});
}

static void finish_and_compare(tsr_kernel_builder *b, stage *s, const char *what)
{
  uint64_t seed = 99;
  tsr_kernel *k = tsr__kernel_finish(b);
  cr_assert_eq(tsr__kernel_prepare(k), TSR_OK);
  stage_fill(s, &seed);
  run_and_compare(k, s, what, s->n[0]);
  tsr__kernel_destroy(k);
}

Test(interp, in_place_update)
{
  for (int64_t n = 0; n <= 3000; n += n < 5 ? 1 : 599) {
    stage s = {0};
    tsr_kernel_builder *b = tsr__kernel_builder_create(1);
    dense_stage(&s, b, 2, n);
    const int x = tsr__kernel_load(b, 0), y = tsr__kernel_load(b, 2);
    tsr__kernel_store(b, 1, add2(b, x, y));
    finish_and_compare(b, &s, "x += y");
  }
}

Test(interp, in_place_update_whose_old_value_is_used_later)
{
  stage s = {0};
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  dense_stage(&s, b, 3, 2500);
  const int x = tsr__kernel_load(b, 0), y = tsr__kernel_load(b, 2);
  tsr__kernel_store(b, 1, add2(b, x, y));
  tsr__kernel_store(b, 5, add2(b, x, x)); /* x before the store */
  finish_and_compare(b, &s, "z = 2 * old x");
}

Test(interp, swap)
{
  stage s = {0};
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  dense_stage(&s, b, 2, 2500);
  const int x = tsr__kernel_load(b, 0), y = tsr__kernel_load(b, 2);
  tsr__kernel_store(b, 1, y);
  tsr__kernel_store(b, 3, x);
  finish_and_compare(b, &s, "swap");
}

Test(interp, one_value_stored_twice_and_then_overwritten)
{
  stage s = {0};
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  dense_stage(&s, b, 3, 2500);
  const int x = tsr__kernel_load(b, 0), y = tsr__kernel_load(b, 2);
  const int sum = add2(b, x, y);
  tsr__kernel_store(b, 1, sum);
  tsr__kernel_store(b, 3, sum);
  tsr__kernel_store(b, 1, y);
  tsr__kernel_store(b, 5, add2(b, sum, x));
  finish_and_compare(b, &s, "x = y = x + y; x = old y; z = sum + old x");
}

Test(interp, a_value_in_a_buffer_is_used_before_the_next_store_to_it)
{
  stage s = {0};
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  dense_stage(&s, b, 3, 2500);
  const int x = tsr__kernel_load(b, 0), y = tsr__kernel_load(b, 2);
  const int sum = add2(b, x, y);
  tsr__kernel_store(b, 1, sum);
  const int next = add2(b, y, y); /* computed before, stored after the last use of sum */
  tsr__kernel_store(b, 5, add2(b, sum, y));
  tsr__kernel_store(b, 1, next);
  finish_and_compare(b, &s, "x = sum; z = sum + y; x = 2 * y");
}

Test(interp, iota_along_axes_that_are_contiguous)
{
  static const int64_t shape[] = {3, 50, 7};
  for (int axis = 0; axis < 3; axis++) {
    stage s = {.ndim = 3, .n = {3, 50, 7}, .n_buffers = 1, .n_accesses = 1};
    s.buffer[0].dtype = TSR_INT64;
    s.buffer[0].elems = shape[0] * shape[1] * shape[2];
    memcpy(s.stride[0], (int64_t[]){8 * 350, 8 * 7, 8}, 3 * sizeof(int64_t));
    tsr_kernel_builder *b = tsr__kernel_builder_create(3);
    const int out = tsr__kernel_access_add(b, TSR_INT64, true, 0, 0);
    tsr__kernel_store(b, out, tsr__kernel_iota(b, axis));
    finish_and_compare(b, &s, "x = index along an axis");
  }
}

Test(interp, up_to_sixteen_operands_in_place)
{
  for (int n = 2; n <= 16; n++) {
    stage s = {0};
    tsr_kernel_builder *b = tsr__kernel_builder_create(1);
    dense_stage(&s, b, 2, 1500);
    int args[16];
    args[0] = tsr__kernel_load(b, 2);
    for (int i = 1; i < n; i++) args[i] = add2(b, args[i - 1], args[0]);
    args[n - 1] = tsr__kernel_load(b, 0); /* read by the last of several passes */
    tsr__kernel_store(b, 1, tsr__kernel_op(b, TSR_OP_ADD, TSR_FLOAT64, TSR_FLOAT64, n, args));
    finish_and_compare(b, &s, "add of many");
  }
}

Test(interp, scalars_are_computed_once_and_stored)
{
  stage s = {.scalar = {{.dtype = TSR_INT32, .u.i32 = 7}, {.dtype = TSR_FLOAT64, .u.f = 0.5}}};
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  dense_stage(&s, b, 2, 2500);
  const int i = tsr__kernel_scalar(b, tsr__kernel_scalar_add(b, TSR_INT32));
  const int f = tsr__kernel_scalar(b, tsr__kernel_scalar_add(b, TSR_FLOAT64));
  const int sum = add2(b, tsr__kernel_cast(b, i, TSR_FLOAT64), f);
  tsr__kernel_store(b, 1, sum);
  tsr__kernel_store(b, 3, add2(b, sum, tsr__kernel_load(b, 2)));
  finish_and_compare(b, &s, "x = 7.5; y += 7.5");
}

/* dst[i, j] = src[j, i] + i, in boxes of awkward proportions. */
Test(interp, transposes_and_thin_boxes)
{
  static const int64_t shapes[][2] = {{1, 1},    {1, 3000}, {3000, 1}, {3, 2000},
                                      {2000, 3}, {70, 90},  {0, 5},    {5, 0}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    const int64_t rows = shapes[i][0], columns = shapes[i][1];
    stage s = {.ndim = 2, .n = {rows, columns}, .n_buffers = 2, .n_accesses = 2, .of = {0, 1}};
    s.buffer[0].dtype = s.buffer[1].dtype = TSR_FLOAT64;
    s.buffer[0].elems = s.buffer[1].elems = rows * columns;
    memcpy(s.stride[0], (int64_t[]){8, 8 * rows}, 2 * sizeof(int64_t));
    memcpy(s.stride[1], (int64_t[]){8 * columns, 8}, 2 * sizeof(int64_t));
    tsr_kernel_builder *b = tsr__kernel_builder_create(2);
    const int in = tsr__kernel_access_add(b, TSR_FLOAT64, false, 0, 0);
    const int out = tsr__kernel_access_add(b, TSR_FLOAT64, true, 1, 0);
    const int row = tsr__kernel_cast(b, tsr__kernel_iota(b, 0), TSR_FLOAT64);
    tsr__kernel_store(b, out, add2(b, tsr__kernel_load(b, in), row));
    finish_and_compare(b, &s, "transpose");
  }
}

Test(interp, preparing_twice_is_harmless_and_scratch_is_small)
{
  stage s = {0};
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  dense_stage(&s, b, 2, 10);
  tsr__kernel_store(b, 1, add2(b, tsr__kernel_load(b, 0), tsr__kernel_load(b, 2)));
  tsr_kernel *k = tsr__kernel_finish(b);
  cr_assert_eq(tsr__kernel_prepare(k), TSR_OK);
  const struct tsr_program_interp *first = k->interp;
  cr_assert_eq(tsr__kernel_prepare(k), TSR_OK);
  cr_expect_eq(k->interp, first);
  cr_expect_lt(tsr__kernel_scratch_bytes(k), 32768u);
  tsr__kernel_destroy(k);
}
