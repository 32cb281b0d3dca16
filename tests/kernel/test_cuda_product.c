/* Products of matrices as CUDA text, compiled as C: the bits are those of the host's loops, with
 * any strides, tiles and orders of threads, and with matrix instructions where there are some. */
#include <math.h>
#include <stdlib.h>

#include "kernel/cuda/product.h"
#include "kernel/library/matmul.h"
#include "tests/kernel/cuda_code.h"
#include "tests/support/draw.h"

enum { N_SUBJECTS = 64, MOST_ELEMS = 400000 };

/** A product of a batch, of operands that lie in any way. */
typedef struct subject {
  tsr_dtype dtype;
  bool adds, by_mma;
  int tile, ndim;
  tsr_cuda_stages stages; /* of which the operands, of whole pieces, take part */
  int64_t n[TSR_MAX_NDIM], stride[4][TSR_MAX_NDIM]; /* of the accesses, in bytes */
  char *memory[5];                                  /* of these, and another result */
  size_t bytes[5];
} subject;

static double draw_value(uint64_t *seed, bool is_special)
{
  static const double special[] = {0.0,    -0.0,    INFINITY, -INFINITY, NAN,
                                   1e-200, -1e-200, 1e-30,    -1e-30,    3e-310,
                                   1e300,  1e38,    -1e38,    1.0,       -1.0};
  const uint64_t r = draw_31(seed);
  if (is_special && r % 3 == 0) return special[r / 3 % (sizeof special / sizeof *special)];
  return ((double)draw_31(seed) / 1e9 - 1) * pow(2, (double)(r % 11) - 5);
}

/* Lays an operand out over the domain's axes in any order, with gaps, and not along `missing`. */
static void lay_out(subject *s, int access, int missing, uint64_t *seed)
{
  int order[TSR_MAX_NDIM];
  const bool has_stages = s->stages.n > 0;
  const int64_t apart = has_stages || draw_31(seed) % 4 ? 1 : 2, gap = has_stages ? 4 : 1;
  int64_t step = (int64_t)tsr__dtype_size(s->dtype) * apart;
  for (int k = 0; k < s->ndim; k++) order[k] = s->ndim - 1 - k;
  for (int k = s->ndim - 1; k > 0 && draw_31(seed) % 2; k--) {
    const int other = (int)(draw_31(seed) % (uint64_t)(k + 1)), was = order[k];
    order[k] = order[other];
    order[other] = was;
  }
  for (int k = 0; k < s->ndim; k++) {
    s->stride[access][order[k]] = 0;
    if (order[k] == missing) continue;
    s->stride[access][order[k]] = step;
    step *= s->n[order[k]] + gap * (draw_31(seed) % 4 == 0);
  }
  s->bytes[access] = (size_t)step + 64;
  s->memory[access] = aligned_alloc(64, (s->bytes[access] + 63) / 64 * 64);
}

/* Draws a way in which operands come in stages, or none. */
static tsr_cuda_stages draw_stages(tsr_dtype dtype, uint64_t *seed)
{
  const uint8_t depth = draw_31(seed) % 2 ? 8 : 16;
  tsr_cuda_stages stages = {.n = (uint8_t)(draw_31(seed) % 4),
                            .rows = draw_31(seed) % 2 ? 64 : 128,
                            .columns = draw_31(seed) % 2 ? 64 : 128,
                            .depth = depth,
                            .warps_down = draw_31(seed) % 2 ? 2 : 4,
                            .blocks = 1,
                            .band = draw_31(seed) % 2 ? 2 : 0,
                            .ahead = draw_31(seed) % 2};
  if (stages.n == 1) stages.n = 4;
  if (dtype == TSR_FLOAT32 && (stages.rows == 64 || stages.columns == 64))
    stages.depth = 16; /* a piece for each thread */
  if (stages.rows == 64) stages.warps_down = 2;
  return stages;
}

static void draw(subject *s, uint64_t *seed)
{
  static const int64_t lengths[] = {1, 15, 16, 17, 33, 64, 127, 128, 130, 200},
                       whole[] = {16, 32, 48, 64, 112, 128, 144, 160, 208, 256},
                       steps[] = {512, 513, 528, 1000, 1024, 1040, 1536, 1600};
  *s = (subject){.dtype = draw_31(seed) % 2 ? TSR_FLOAT64 : TSR_FLOAT32,
                 .adds = draw_31(seed) % 2,
                 .by_mma = draw_31(seed) % 3 > 0,
                 .tile = draw_31(seed) % 2 ? 128 : 64,
                 .ndim = 3 + (int)(draw_31(seed) % 3)};
  s->stages = draw_stages(s->dtype, seed);
  int64_t volume = 1;
  for (int k = s->ndim - 1; k >= 0; k--) {
    s->n[k] = k < s->ndim - 3 ? 1 + (int64_t)(draw_31(seed) % 3)
                              : (s->stages.n > 0 ? whole : lengths)[draw_31(seed) % 10];
    if (volume * s->n[k] > MOST_ELEMS) s->n[k] = 1 + (int64_t)(draw_31(seed) % 3);
    volume *= s->n[k];
  }
  if (draw_31(seed) % 2) { /* more than a panel */
    const int64_t n = steps[draw_31(seed) % 8];
    if (s->stages.n == 0 || n % 16 == 0) s->n[s->ndim - 1] = n;
    for (int k = 0; k < s->ndim - 1; k++)
      if (s->n[k] > 160) s->n[k] = 160;
  }
  const int missing[] = {s->ndim - 2, s->ndim - 3, s->ndim - 1, s->ndim - 1};
  const bool is_special = draw_31(seed) % 2;
  for (int a = 0; a < 4; a++) {
    lay_out(s, a, missing[a], seed);
    const int64_t elem = (int64_t)tsr__dtype_size(s->dtype);
    for (size_t i = 0; i < s->bytes[a] / (size_t)elem; i++) {
      const double value = draw_value(seed, is_special);
      if (s->dtype == TSR_FLOAT64)
        ((double *)(void *)s->memory[a])[i] = value;
      else
        ((float *)(void *)s->memory[a])[i] = (float)value;
    }
  }
  s->bytes[4] = s->bytes[3];
  s->memory[4] = aligned_alloc(64, (s->bytes[4] + 63) / 64 * 64);
  memcpy(s->memory[4], s->memory[3], s->bytes[4]);
}

static tsr_kernel *make_kernel(const subject *s)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(s->ndim);
  for (int i = 0; i < 3 + s->adds; i++) tsr__kernel_access_add(b, s->dtype, i == 2 + s->adds, i, 0);
  return tsr__kernel_finish(b);
}

/* result: 3 or 4. */
static tsr_kernel_bind bind_to(const subject *s, int result, void **base,
                               int64_t (*stride)[TSR_MAX_NDIM])
{
  const int access[] = {0, 1, s->adds ? 2 : 3, 3};
  for (int i = 0; i < 3 + s->adds; i++) {
    base[i] = s->memory[access[i] == 3 ? result : access[i]];
    memcpy(stride[i], s->stride[access[i]], sizeof stride[i]);
  }
  tsr_kernel_bind bind = {.base = base, .stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])stride};
  memcpy(bind.n, s->n, sizeof bind.n);
  return bind;
}

static void pause_nothing(void *arg)
{
}

static void run_on_host(const subject *s)
{
  void *base[4];
  int64_t stride[4][TSR_MAX_NDIM];
  const tsr_kernel_bind bind = bind_to(s, 3, base, stride);
  tsr_task_shape shape = {.dtype = s->dtype, .n_in = 2 + s->adds, .ndim = s->ndim};
  memcpy(shape.shape, s->n, sizeof shape.shape);
  void *scratch = aligned_alloc(64, (tsr__matmul_scratch_bytes(&shape) + 63) / 64 * 64);
  tsr__matmul_run(&shape, &bind, scratch, &(tsr_task_pause){pause_nothing, NULL});
  free(scratch);
}

/* Compares bits, gaps included; any NaN is as good as another one. */
static void expect_equal(const subject *s, int number)
{
  const size_t elem = tsr__dtype_size(s->dtype);
  for (size_t i = 0; i < s->bytes[3] / elem; i++) {
    const char *x = s->memory[3] + i * elem, *y = s->memory[4] + i * elem;
    double a, b;
    float f, g;
    if (memcmp(x, y, elem) == 0) continue;
    memcpy(&f, x, sizeof f);
    memcpy(&g, y, sizeof g);
    a = f, b = g;
    if (elem == sizeof a) {
      memcpy(&a, x, sizeof a);
      memcpy(&b, y, sizeof b);
    }
    cr_assert(isnan(a) && isnan(b), "subject %d, element %zu: %a on the host, %a by launch", number,
              i, a, b);
  }
}

Test(cuda_product, has_the_bits_of_the_hosts_loops, .timeout = 600)
{
  static subject subjects[N_SUBJECTS];
  static tsr_cuda_launch launch;
  uint64_t seed = 7;
  int n_staged = 0, n_panels = 0;
  tsr_jit *jit = open_jit(11);
  if (!tsr__jit_has_compiler(jit)) {
    tsr__jit_destroy(jit);
    cr_skip_test("there is no C compiler, or no instruction for fused products and sums");
  }
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < N_SUBJECTS; i++) {
      subject *s = &subjects[i];
      void *base[4];
      int64_t stride[4][TSR_MAX_NDIM];
      if (pass == 0) draw(s, &seed);
      tsr_kernel *k = make_kernel(s);
      const tsr_kernel_bind bind = bind_to(s, 4, base, stride);
      cr_assert(tsr__cuda_product_make(k, &bind, s->by_mma, s->tile, &launch));
      cr_expect_eq(launch.form.product.by_mma, s->by_mma && s->dtype == TSR_FLOAT64);
      if (s->stages.n > 0 && tsr__cuda_product_stage(k, &s->stages, &launch)) n_staged++;
      n_panels += launch.form.product.panels;
      if (pass == 0) {
        tsr__jit_want_launch(jit, k, &launch);
      } else {
        cr_assert(launch_code(jit, k, &launch), "subject %d has no code", i);
        run_on_host(s);
        expect_equal(s, i);
        for (int a = 0; a < 5; a++) free(s->memory[a]);
      }
      tsr__kernel_destroy(k);
    }
    tsr__jit_wait(jit);
  }
  cr_expect_gt(n_staged, 24, "only %d launches had stages", n_staged);
  cr_expect_gt(n_panels, 24, "only %d launches had several panels", n_panels);
  tsr__jit_destroy(jit);
  tsr__check_code_destroy(loaded);
}

Test(cuda_product, is_empty_where_the_result_is)
{
  static tsr_cuda_launch launch;
  char memory[8];
  void *base[3] = {memory, memory, memory};
  const int64_t stride[3][TSR_MAX_NDIM] = {{0}};
  subject s = {.dtype = TSR_FLOAT64, .ndim = 3};
  tsr_kernel *k = make_kernel(&s);
  tsr_kernel_bind bind = {.base = base, .stride_bytes = stride, .n = {3, 0, 4}};
  cr_expect_not(tsr__cuda_product_make(k, &bind, false, 0, &launch));
  bind.n[1] = 5;
  bind.n[2] = 0; /* sums of nothing */
  cr_expect(tsr__cuda_product_make(k, &bind, false, 0, &launch));
  cr_expect_eq(launch.form.product.tile, 64);
  bind.n[0] = bind.n[1] = 4096;
  cr_expect(tsr__cuda_product_make(k, &bind, false, 0, &launch));
  cr_expect_eq(launch.form.product.tile, 128);
  cr_expect_eq(launch.grid[0], 1024);
  tsr__kernel_destroy(k);
  s.dtype = TSR_COMPLEX64;
  k = make_kernel(&s);
  cr_expect_not(tsr__cuda_product_make(k, &bind, false, 0, &launch));
  tsr__kernel_destroy(k);
}

Test(cuda_product, knows_where_matrix_instructions_are_chains)
{
  cr_expect(tsr__cuda_is_mma_exact("sm_90"));
  cr_expect(tsr__cuda_is_mma_exact("c"));
  cr_expect_not(tsr__cuda_is_mma_exact("sm_80"));
  cr_expect_not(tsr__cuda_is_mma_exact("sm_100"));
}
