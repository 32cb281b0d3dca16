/* The interpreter against a point-by-point reading of the same kernel: every stride pattern, fused
 * and in-place kernels, swaps, many operands, IOTA, empty boxes and single points, and kernels
 * drawn at random. */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "kernel/kernel_int.h"
#include "tests/kernel/reference.h"

enum { MAX_BUFFERS = 6, MAX_ACCESSES = 24 };

/* Two copies of the memory of a kernel: the interpreter's and the reference's. */
typedef struct stage {
  int ndim, n_buffers, n_accesses, n_scalars;
  int64_t n[TSR_MAX_NDIM];
  struct {
    tsr_dtype dtype;
    int64_t elems;
    char *memory, *expected;
  } buffer[MAX_BUFFERS];
  int64_t stride[MAX_ACCESSES][TSR_MAX_NDIM], offset[MAX_ACCESSES]; /* bytes */
  int of[MAX_ACCESSES];                                             /* buffer of each access */
  tsr_scalar scalar[8];
} stage;

static void fill_stage(stage *s, uint64_t *seed)
{
  for (int b = 0; b < s->n_buffers; b++) {
    const size_t size = tsr__dtype_size(s->buffer[b].dtype);
    s->buffer[b].memory = calloc(s->buffer[b].elems + 1, size);
    s->buffer[b].expected = calloc(s->buffer[b].elems + 1, size);
    for (int64_t i = 0; i < s->buffer[b].elems; i++) {
      const tsr_scalar x = reference_value(seed, s->buffer[b].dtype);
      tsr__scalar_store(x, s->buffer[b].memory + i * size);
      tsr__scalar_store(x, s->buffer[b].expected + i * size);
    }
  }
}

static tsr_kernel_bind bound(const stage *s, bool expected, void **base)
{
  for (int a = 0; a < s->n_accesses; a++) {
    const int b = s->of[a];
    base[a] = (expected ? s->buffer[b].expected : s->buffer[b].memory) + s->offset[a];
  }
  tsr_kernel_bind bind = {.base = base,
                          .stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])s->stride,
                          .scalars = s->scalar};
  for (int a = 0; a < s->ndim; a++) {
    bind.n[a] = s->n[a];
    bind.lo[a] = 1000 * (a + 1);
  }
  return bind;
}

/* Runs both, compares all memory, frees the memory. */
static void run_and_compare(const tsr_kernel *k, stage *s, const char *what, uint64_t number)
{
  void *base[MAX_ACCESSES], *expected_base[MAX_ACCESSES];
  const tsr_kernel_bind bind = bound(s, false, base), expected = bound(s, true, expected_base);
  reference_run(k, &expected);
  reference_interpret(k, &bind);
  for (int b = 0; b < s->n_buffers; b++) {
    const size_t size = tsr__dtype_size(s->buffer[b].dtype);
    for (int64_t i = 0; i < s->buffer[b].elems; i++) {
      const tsr_scalar got = tsr__scalar_load(s->buffer[b].dtype, s->buffer[b].memory + i * size);
      const tsr_scalar want =
          tsr__scalar_load(s->buffer[b].dtype, s->buffer[b].expected + i * size);
      if (reference_same(got, want)) continue;
      char *text = tsr__kernel_text(k);
      cr_assert_fail("%s %llu: buffer %d at %lld is %llx, not %llx, in a box of %d axes, the last "
                     "of %lld\n%s",
                     what, (unsigned long long)number, b, (long long)i,
                     (unsigned long long)got.u.bits, (unsigned long long)want.u.bits, s->ndim,
                     (long long)(s->ndim ? s->n[s->ndim - 1] : 1), text);
    }
    free(s->buffer[b].memory);
    free(s->buffer[b].expected);
  }
}

/* Strides of an access: axes in a random order, gaps, reversed axes; repeated ones if it is read
 * only. */
static void draw_strides(stage *s, int access, bool repeats, uint64_t *seed)
{
  const int b = s->of[access];
  const int64_t size = tsr__dtype_size(s->buffer[b].dtype);
  int order[TSR_MAX_NDIM];
  for (int a = 0; a < s->ndim; a++) order[a] = s->ndim - 1 - a;
  if (reference_random(seed) % 3 == 0) {
    for (int a = s->ndim - 1; a > 0; a--) {
      const int other = reference_random(seed) % (a + 1), kept = order[a];
      order[a] = order[other];
      order[other] = kept;
    }
  }
  int64_t elems = 1, offset = 0;
  for (int j = 0; j < s->ndim; j++) {
    const int a = order[j];
    int64_t stride = elems * (reference_random(seed) % 4 == 0 ? 2 : 1);
    if (repeats && reference_random(seed) % 5 == 0) stride = 0;
    if (stride) elems = stride * s->n[a] + (reference_random(seed) % 4 == 0 ? 3 : 0);
    if (reference_random(seed) % 6 == 0) {
      offset += stride * (s->n[a] - 1);
      stride = -stride;
    }
    s->stride[access][a] = stride * size;
  }
  s->offset[access] = offset * size;
  if (elems > s->buffer[b].elems) s->buffer[b].elems = elems;
}

static void draw_shape(stage *s, uint64_t *seed)
{
  s->ndim = reference_random(seed) % 5;
  int64_t total = 1;
  for (int a = 0; a < s->ndim; a++) {
    const uint64_t kind = reference_random(seed) % 12;
    int64_t n = 1 + reference_random(seed) % 6;
    if (kind == 0) n = 1100 + reference_random(seed) % 1500;
    if (kind == 1) n = 60 + reference_random(seed) % 80;
    if (total * n > 5000) n = 1 + reference_random(seed) % 2;
    s->n[a] = n;
    total *= n;
  }
}

/* What may be chosen from while a kernel is drawn. */
typedef struct drawing {
  tsr_kernel_builder *b;
  int value[256], dtype[256], n_values;
  uint64_t *seed;
} drawing;

static int pick(drawing *d, tsr_dtype dtype)
{
  const int v = reference_random(d->seed) % d->n_values;
  return tsr__kernel_cast(d->b, d->value[v], dtype);
}

static void keep(drawing *d, int value, tsr_dtype dtype)
{
  d->value[d->n_values] = value;
  d->dtype[d->n_values++] = dtype;
}

static void draw_op(drawing *d)
{
  int op = reference_random(d->seed) % TSR_N_OPS;
  if (op == TSR_OP_EXP) op = TSR_OP_ADD;
  const tsr_op_info *info = tsr__op_info(op);
  tsr_dtype compute, result;
  if (!tsr__op_dtypes(op, reference_random(d->seed) % TSR_N_DTYPES, &compute, &result)) return;
  int n = info->min_args, args[TSR_MAX_OP_ARGS];
  if (info->max_args > n) n += reference_random(d->seed) % (info->max_args - n + 1);
  for (int j = 0; j < n; j++) args[j] = pick(d, op == TSR_OP_WHERE && j == 0 ? TSR_BOOL : compute);
  keep(d, tsr__kernel_op(d->b, op, compute, result, n, args), result);
}

static int draw_access(stage *s, drawing *d, int buffer, bool is_store, int pattern)
{
  s->of[s->n_accesses] = buffer;
  tsr__kernel_access_add(d->b, s->buffer[buffer].dtype, is_store, buffer, pattern);
  return s->n_accesses++;
}

/* Half of the buffers may be stored and have one pattern; the others are read in several. */
static tsr_kernel *draw_kernel(stage *s, uint64_t *seed)
{
  draw_shape(s, seed);
  drawing d = {.b = tsr__kernel_builder_create(s->ndim), .seed = seed};
  s->n_buffers = 2 + reference_random(seed) % (MAX_BUFFERS - 1);
  int load[MAX_BUFFERS][2], store[MAX_BUFFERS];
  for (int b = 0; b < s->n_buffers; b++) {
    s->buffer[b].dtype = reference_random(seed) % TSR_N_DTYPES;
    const bool is_stored = b % 2 == 0;
    load[b][0] = draw_access(s, &d, b, false, 0);
    draw_strides(s, load[b][0], !is_stored, seed);
    load[b][1] = is_stored ? load[b][0] : draw_access(s, &d, b, false, 1);
    if (!is_stored) draw_strides(s, load[b][1], true, seed);
    store[b] = is_stored ? draw_access(s, &d, b, true, 0) : -1;
    if (!is_stored) continue;
    memcpy(s->stride[store[b]], s->stride[load[b][0]], sizeof *s->stride);
    s->offset[store[b]] = s->offset[load[b][0]];
  }
  for (int p = 0; p < 2; p++) {
    const tsr_dtype dtype = reference_random(seed) % TSR_N_DTYPES;
    s->scalar[s->n_scalars++] = reference_value(seed, dtype);
    keep(&d, tsr__kernel_scalar(d.b, tsr__kernel_scalar_add(d.b, dtype)), dtype);
  }
  if (s->ndim > 0 && reference_random(seed) % 3 == 0) {
    keep(&d, tsr__kernel_iota(d.b, reference_random(seed) % s->ndim), TSR_INT64);
  }
  const int n_actions = 4 + reference_random(seed) % 20;
  for (int i = 0; i < n_actions; i++) {
    const int b = reference_random(seed) % s->n_buffers;
    switch (reference_random(seed) % 4) {
    case 0:
      keep(&d, tsr__kernel_load(d.b, load[b][reference_random(seed) % 2]), s->buffer[b].dtype);
      break;
    case 1:
      if (b % 2 == 0) tsr__kernel_store(d.b, store[b], pick(&d, s->buffer[b].dtype));
      break;
    default:
      draw_op(&d);
    }
  }
  tsr__kernel_store(d.b, store[0], pick(&d, s->buffer[0].dtype));
  return tsr__kernel_finish(d.b);
}

Test(interp, random_kernels_on_every_instruction_set)
{
  for (uint64_t i = 1; i <= 3000; i++) {
    uint64_t seed = i * 0x9e3779b97f4a7c15u;
    stage s = {0};
    tsr_kernel *k = draw_kernel(&s, &seed);
    int n_tables = 0;
    while (tsr__loops_get(n_tables)) n_tables++;
    cr_assert_eq(tsr__kernel_prepare_with(k, tsr__loops_get(i % n_tables)), TSR_OK);
    fill_stage(&s, &seed);
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
  fill_stage(s, &seed);
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
