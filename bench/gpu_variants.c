/* Ways to lay kernels over threads, beside each other on a GPU: products of matrices, and
 * reductions.
 *
 *   gpu_variants [--only NAME] [--size N] [--seconds S] [--compile] [--equal]
 *
 * NAME: part of a case's name. N: rows and columns of the products (default: 8192), of 512 steps,
 * or, of the cases whole64 and whole32, of N steps, first by launches of 512. Reductions are of 4
 * N^2 float64. Prints lines
 *   variant CASE NAME ms=… share=… bits=ok
 * where share is that of what a copy moves in that time, or of cuBLAS's rate, and bits are compared
 * with those of the first variant. Ends with the best of each case; exit status 1 if bits differ.
 * --compile only compiles, which needs no GPU. --equal: all elements of an operand are equal, of
 * which a product takes less power, so that the clock is higher. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/gpu.h"
#include "kernel/cuda/product.h"
#include "kernel/cuda/reduce.h"
#include "kernel/cuda/render_cuda.h"
#include "kernel/ops/functions.h"

enum { REPEATS = 5, MOST_LAUNCHES = 16, STEPS = 512, CHECK_BLOCKS = 1024 };

typedef struct variants {
  gpu g;
  bool compiles; /* and does nothing else */
  bool equal;    /* elements */
  double until;
  int64_t size;
  gpu_handle fill, compare;
  gpu_address differing;
  bool differ;
} variants;

/* What fills memory with numbers between -1 and 1, and what says whether words differ. */
static const char helpers[] =
    "KERNEL(fill, 4)\n"
    "{\n"
    "  THREADS {\n"
    "    for (i64 i = blockIdx.x * 256ll + threadIdx.x; i < ARG(1); i += gridDim.x * 256ll) {\n"
    "      u64 x = ((ARG(3) ? 0 : (u64)i) + 1) * 0x9e3779b97f4a7c15ull;\n"
    "      x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;\n"
    "      x = (x ^ x >> 27) * 0x94d049bb133111ebull;\n"
    "      const f64 value = (f64)(i64)(x ^ x >> 31) / 9223372036854775808.0;\n"
    "      if (ARG(2) == 8)\n"
    "        ((f64 *)ARG(0))[i] = value;\n"
    "      else\n"
    "        ((f32 *)ARG(0))[i] = (f32)value;\n"
    "    }\n"
    "  }\n"
    "}\n"
    "KERNEL(compare, 4)\n"
    "{\n"
    "  THREADS {\n"
    "    const u32 *x = (const u32 *)ARG(0), *y = (const u32 *)ARG(1);\n"
    "    for (i64 i = blockIdx.x * 256ll + threadIdx.x; i < ARG(2); i += gridDim.x * 256ll)\n"
    "      if (x[i] != y[i]) *(u64 *)ARG(3) = 1;\n"
    "  }\n"
    "}\n";

static bool load_helpers(variants *v)
{
  tsr_text source = {0};
  tsr_nvrtc_code code;
  tsr__text_add(&source, "%s%s", tsr__words_cuda, helpers);
  bool ok = gpu_compile(&v->g, source.s, NULL, &code);
  if (ok && !v->compiles) {
    v->fill = gpu_load(&v->g, &code, "fill");
    v->compare = gpu_load(&v->g, &code, "compare");
    v->differing = gpu_alloc(&v->g, 8);
  }
  tsr__nvrtc_code_free(&code);
  tsr__text_free(&source);
  return ok;
}

static void fill(const variants *v, gpu_address p, int64_t n, int64_t size)
{
  gpu_launch_words(&v->g, v->fill, CHECK_BLOCKS, 1, (int64_t[]){(int64_t)p, n, size, v->equal});
}

static bool same(const variants *v, gpu_address x, gpu_address y, size_t bytes)
{
  unsigned long long n = 0;
  GPU(&v->g, MemcpyHtoDAsync, v->differing, &n, 8, v->g.stream);
  gpu_launch_words(
      &v->g, v->compare, CHECK_BLOCKS, 1,
      (int64_t[]){(int64_t)x, (int64_t)y, (int64_t)(bytes / 4), (int64_t)v->differing});
  GPU(&v->g, MemcpyDtoHAsync, &n, v->differing, 8, v->g.stream);
  gpu_wait(&v->g);
  return n == 0;
}

/* Launches, one after the other. */
typedef struct program {
  const variants *v;
  int n;
  gpu_handle function[MOST_LAUNCHES];
  tsr_cuda_launch launch[MOST_LAUNCHES];
  const tsr_kernel *kernel[MOST_LAUNCHES]; /* borrowed, to be compared */
  int registers;                           /* of the first one */
} program;

/* Is the kernel of a launch that of the last one? */
static bool comes_again(const program *p, const tsr_kernel *k, const tsr_cuda_launch *launch)
{
  const tsr_cuda_launch *last = &p->launch[p->n - 1];
  return p->n > 0 && p->kernel[p->n - 1] == k && last->n_form == launch->n_form &&
         memcmp(&last->form, &launch->form, (size_t)launch->n_form) == 0;
}

/* Appends a launch of a kernel. Returns false if it does not compile, or the GPU refuses it. */
static bool add(program *p, const tsr_kernel *k, const tsr_cuda_launch *launch)
{
  enum { REGISTERS = 4, MOST_SHARED = 8 };
  const gpu *g = &p->v->g;
  tsr_nvrtc_code code;
  if (p->n < MOST_LAUNCHES && comes_again(p, k, launch)) {
    p->function[p->n] = p->function[p->n - 1];
    p->kernel[p->n] = k;
    p->launch[p->n++] = *launch;
    return true;
  }
  char *source = gpu_source(k, &launch->form, "kernel");
  bool ok = p->n < MOST_LAUNCHES && source != NULL && gpu_compile(g, source, NULL, &code);
  free(source);
  if (!ok) return false;
  if (!p->v->compiles) {
    gpu_handle f = p->function[p->n] = gpu_load(g, &code, "kernel");
    if (p->n == 0) g->cu.FuncGetAttribute(&p->registers, REGISTERS, f);
    ok = launch->shared_bytes == 0 ||
         g->cu.FuncSetAttribute(f, MOST_SHARED, (int)launch->shared_bytes) == 0;
  }
  p->kernel[p->n] = k;
  p->launch[p->n++] = *launch;
  tsr__nvrtc_code_free(&code);
  return ok;
}

static void run(const gpu *g, void *arg)
{
  const program *p = arg;
  for (int i = 0; i < p->n; i++) {
    void *parameters[] = {(void *)p->launch[i].words};
    GPU(g, LaunchKernel, p->function[i], p->launch[i].grid[0], p->launch[i].grid[1], 1,
        TSR_CUDA_THREADS, 1, 1, p->launch[i].shared_bytes, g->stream, parameters, NULL);
  }
}

/* The best of a case. */
typedef struct best {
  const char *name;
  double ms, share;
} best;

static void say(variants *v, const char *of, const char *name, double ms, double share,
                int registers, bool ok, best *b)
{
  printf("variant %-9s %-24s ms=%.4f share=%.3f registers=%d bits=%s\n", of, name, ms, share,
         registers, ok ? "ok" : "DIFFER");
  v->differ = v->differ || !ok;
  if (ok && (b->name == NULL || ms < b->ms)) *b = (best){name, ms, share};
}

static void say_best(const char *of, const best *b)
{
  if (b->name) printf("best    %-9s %-24s ms=%.4f share=%.3f\n", of, b->name, b->ms, b->share);
}

/* Products. */

typedef struct product_variant {
  const char *name;
  tsr_cuda_stages stages; /* n = 0: by the other text */
} product_variant;

#define S(parts, down, along, steps, warps, of_processor, ...)                                     \
  {                                                                                                \
    .n = parts, .rows = down, .columns = along, .depth = steps, .warps_down = warps,               \
    .blocks = of_processor, __VA_ARGS__                                                            \
  }
static const product_variant of_f64[] = {
    {"general", {.n = 0}},
    {"128x128_d8_s3", S(3, 128, 128, 8, 2, 1, .band = 8, .ahead = true)},
    {"128x128_d8_s3_late", S(3, 128, 128, 8, 2, 1, .band = 8)},
    {"128x128_d8_s3_noband", S(3, 128, 128, 8, 2, 1, .ahead = true)},
    {"128x128_d8_s3_band16", S(3, 128, 128, 8, 2, 1, .band = 16, .ahead = true)},
    {"128x128_d8_s3_w4", S(3, 128, 128, 8, 4, 1, .band = 8, .ahead = true)},
    {"128x64_d8_s3_b2", S(3, 128, 64, 8, 4, 2, .band = 8, .ahead = true)},
    {"128x64_d8_s4_b2", S(4, 128, 64, 8, 4, 2, .band = 8, .ahead = true)},
    {"64x128_d16_s2_b2", S(2, 64, 128, 16, 2, 2, .band = 16, .ahead = true)},
    {"64x64_d16_s3_b2", S(3, 64, 64, 16, 2, 2, .band = 16, .ahead = true)},
    /* more shared memory than a kernel has by itself */
    {"128x128_d16_s3", S(3, 128, 128, 16, 2, 1, .band = 8, .ahead = true)},
    {"128x128_d16_s4", S(4, 128, 128, 16, 2, 1, .band = 8, .ahead = true)},
    {"128x128_d8_s5", S(5, 128, 128, 8, 2, 1, .band = 8, .ahead = true)},
    {"128x64_d16_s3_b2", S(3, 128, 64, 16, 4, 2, .band = 8, .ahead = true)},
    {"128x64_d16_s4_b2", S(4, 128, 64, 16, 4, 2, .band = 8, .ahead = true)},
};
static const product_variant of_f32[] = {
    {"general", {.n = 0}},
    {"128x128_d16_s3_b2", S(3, 128, 128, 16, 4, 2, .band = 8, .ahead = true)},
    {"128x128_d16_s3_b1", S(3, 128, 128, 16, 4, 1, .band = 8, .ahead = true)},
    {"128x128_d16_s3_b2_late", S(3, 128, 128, 16, 4, 2, .band = 8)},
    {"128x128_d8_s4_b2", S(4, 128, 128, 8, 4, 2, .band = 8, .ahead = true)},
    {"128x128_d8_s6_b2", S(6, 128, 128, 8, 4, 2, .band = 8, .ahead = true)},
    {"128x64_d16_s3_b2", S(3, 128, 64, 16, 4, 2, .band = 8, .ahead = true)},
    {"128x64_d16_s3_b3", S(3, 128, 64, 16, 4, 3, .band = 8, .ahead = true)},
    {"64x128_d16_s3_b3", S(3, 64, 128, 16, 4, 3, .band = 16, .ahead = true)},
    {"128x128_d16_s4_b2", S(4, 128, 128, 16, 4, 2, .band = 8, .ahead = true)},
};

static const product_variant whole_f64[] = {
    {"launches_d8_s4", S(4, 128, 64, 8, 4, 2, .band = 8, .ahead = true)},
    {"launches_d16_s3", S(3, 128, 64, 16, 4, 2, .band = 8, .ahead = true)},
    {"128x64_d16_s3", S(3, 128, 64, 16, 4, 2, .band = 8, .ahead = true)},
    {"128x64_d16_s3_late", S(3, 128, 64, 16, 4, 2, .band = 8)},
    {"128x64_d16_s3_band4", S(3, 128, 64, 16, 4, 2, .band = 4, .ahead = true)},
    {"128x64_d16_s3_band16", S(3, 128, 64, 16, 4, 2, .band = 16, .ahead = true)},
    {"128x64_d16_s3_band32", S(3, 128, 64, 16, 4, 2, .band = 32, .ahead = true)},
    {"128x64_d16_s3_noband", S(3, 128, 64, 16, 4, 2, .ahead = true)},
    {"128x64_d16_s4", S(4, 128, 64, 16, 4, 2, .band = 8, .ahead = true)},
    {"128x64_d8_s4", S(4, 128, 64, 8, 4, 2, .band = 8, .ahead = true)},
    {"128x64_d8_s6", S(6, 128, 64, 8, 4, 2, .band = 8, .ahead = true)},
    {"64x128_d16_s3", S(3, 64, 128, 16, 2, 2, .band = 16, .ahead = true)},
    {"128x128_d16_s4", S(4, 128, 128, 16, 2, 1, .band = 8, .ahead = true)},
    {"128x128_d16_s6", S(6, 128, 128, 16, 2, 1, .band = 8, .ahead = true)},
    {"128x128_d16_s6_w4", S(6, 128, 128, 16, 4, 1, .band = 8, .ahead = true)},
};
static const product_variant whole_f32[] = {
    {"launches_d8_s4", S(4, 128, 128, 8, 4, 2, .band = 8, .ahead = true)},
    {"launches_d16_s3", S(3, 128, 128, 16, 4, 2, .band = 8, .ahead = true)},
    {"128x128_d16_s3", S(3, 128, 128, 16, 4, 2, .band = 8, .ahead = true)},
    {"128x128_d16_s3_late", S(3, 128, 128, 16, 4, 2, .band = 8)},
    {"128x128_d16_s4", S(4, 128, 128, 16, 4, 2, .band = 8, .ahead = true)},
    {"128x128_d16_s4_late", S(4, 128, 128, 16, 4, 2, .band = 8)},
    {"128x128_d16_s3_band4", S(3, 128, 128, 16, 4, 2, .band = 4, .ahead = true)},
    {"128x128_d16_s3_band16", S(3, 128, 128, 16, 4, 2, .band = 16, .ahead = true)},
    {"128x128_d16_s5_b2", S(5, 128, 128, 16, 4, 2, .band = 8, .ahead = true)},
    {"128x64_d16_s3_b3", S(3, 128, 64, 16, 4, 3, .band = 8, .ahead = true)},
    {"128x128_d16_s4_b1", S(4, 128, 128, 16, 4, 1, .band = 8, .ahead = true)},
};

typedef struct product_case {
  const char *name;
  tsr_dtype dtype;
  bool is_whole; /* as many steps as rows; the first two variants take launches of 512 */
  const product_variant *variants;
  int n;
} product_case;
static const product_case products[] = {
    {"float64", TSR_DTYPE_FLOAT64, false, of_f64, sizeof of_f64 / sizeof *of_f64},
    {"float32", TSR_DTYPE_FLOAT32, false, of_f32, sizeof of_f32 / sizeof *of_f32},
    {"whole64", TSR_DTYPE_FLOAT64, true, whole_f64, sizeof whole_f64 / sizeof *whole_f64},
    {"whole32", TSR_DTYPE_FLOAT32, true, whole_f32, sizeof whole_f32 / sizeof *whole_f32},
};

enum { LEFT, RIGHT, FROM, RESULT, EXPECTED, N_MATRICES };

/* The kernels of products: what is added to is there, or not. */
typedef struct product_kernels {
  tsr_kernel *adds, *makes;
} product_kernels;

static tsr_kernel *product_kernel(tsr_dtype dtype, int n_in)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(3);
  for (int a = 0; a <= n_in; a++) tsr__kernel_access_add(b, dtype, a == n_in, a, 0);
  return tsr__kernel_finish(b);
}

/* Appends the launch of `steps` steps from `first` on; a whole product has nothing to add to at
 * first. */
static bool add_product(const variants *v, const product_kernels *kernels, const product_case *c,
                        const product_variant *x, const gpu_address *at, int64_t first,
                        int64_t steps, program *p)
{
  static tsr_cuda_launch launch;
  const bool adds = !c->is_whole || first > 0;
  const tsr_kernel *k = adds ? kernels->adds : kernels->makes;
  const int64_t elem = (int64_t)tsr__dtype_size(c->dtype), n = v->size,
                all = c->is_whole ? n : STEPS;
  const int64_t stride[4][TSR_MAX_NDIM] = {
      {all * elem, 0, elem}, {0, elem, n * elem}, {n * elem, elem, 0}, {n * elem, elem, 0}};
  const gpu_address from = c->is_whole ? at[RESULT] : at[FROM];
  const gpu_address where[] = {at[LEFT] + (gpu_address)(first * elem),
                               at[RIGHT] + (gpu_address)(first * n * elem),
                               adds ? from : at[RESULT], at[RESULT]};
  void *base[4];
  for (int a = 0; a < 4; a++) base[a] = (void *)(uintptr_t)where[a];
  const tsr_kernel_bind bind = {.n = {n, n, steps}, .base = base, .stride_bytes = stride};
  if (!tsr__cuda_product_make(k, &bind, c->dtype == TSR_DTYPE_FLOAT64, 128, &launch)) return false;
  if (x->stages.n > 0 && !tsr__cuda_product_stage(k, &x->stages, &launch)) return false;
  return add(p, k, &launch);
}

static bool make_product(const variants *v, const product_kernels *kernels, const product_case *c,
                         const product_variant *x, const gpu_address *at, program *p)
{
  enum { BY_LAUNCHES = 2 };
  const int64_t all = c->is_whole ? v->size : STEPS,
                each = x < c->variants + BY_LAUNCHES ? STEPS : all;
  *p = (program){.v = v};
  for (int64_t first = 0; first < all; first += each)
    if (!add_product(v, kernels, c, x, at, first, each, p)) return false;
  return true;
}

/* cuBLAS, if it is there: milliseconds of the same product. */
typedef struct blas {
  const variants *v;
  void *handle;
  int (*create)(void **handle);
  int (*set_stream)(void *handle, void *stream);
  int (*dgemm)(void *handle, int ta, int tb, int m, int n, int k, const double *alpha,
               const void *a, int lda, const void *b, int ldb, const double *beta, void *c,
               int ldc);
  int (*sgemm)(void *handle, int ta, int tb, int m, int n, int k, const float *alpha, const void *a,
               int lda, const void *b, int ldb, const float *beta, void *c, int ldc);
  const gpu_address *at;
  tsr_dtype dtype;
  int steps;
  int status;
} blas;

static void run_blas(const gpu *g, void *arg)
{
  blas *b = arg;
  const int n = (int)b->v->size, k = b->steps;
  const double one = 1, more = k == STEPS;
  const float one_f = 1, more_f = k == STEPS;
  const void *left = (void *)(uintptr_t)b->at[LEFT], *right = (void *)(uintptr_t)b->at[RIGHT];
  void *to = (void *)(uintptr_t)b->at[RESULT];
  (void)g;
  const int status =
      b->dtype == TSR_DTYPE_FLOAT64
          ? b->dgemm(b->handle, 0, 0, n, n, k, &one, right, n, left, k, &more, to, n)
          : b->sgemm(b->handle, 0, 0, n, n, k, &one_f, right, n, left, k, &more_f, to, n);
  if (status != 0) b->status = status;
}

static void find_symbol(void *library, const char *name, void *to)
{
  void *symbol = dlsym(library, name);
  memcpy(to, &symbol, sizeof symbol);
}

static double time_blas(const variants *v, tsr_dtype dtype, int64_t steps, const gpu_address *at)
{
  static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so"};
  void *library = NULL;
  for (int i = 0; i < 3 && library == NULL; i++) library = dlopen(names[i], RTLD_NOW);
  if (library == NULL) return 0;
  blas b = {.v = v, .at = at, .dtype = dtype, .steps = (int)steps};
  find_symbol(library, "cublasCreate_v2", &b.create);
  find_symbol(library, "cublasSetStream_v2", &b.set_stream);
  find_symbol(library, "cublasDgemm_v2", &b.dgemm);
  find_symbol(library, "cublasSgemm_v2", &b.sgemm);
  if (!b.create || !b.set_stream || !b.dgemm || !b.sgemm || b.create(&b.handle) != 0) return 0;
  b.set_stream(b.handle, v->g.stream);
  const double ms = gpu_time(&v->g, run_blas, &b, REPEATS, 1);
  return b.status == 0 ? ms : 0;
}

static bool run_products(variants *v, const product_case *c, best *b)
{
  gpu_address at[N_MATRICES] = {1ull << 40, 2ull << 40, 3ull << 40, 4ull << 40, 5ull << 40};
  static program p;
  const int64_t elem = (int64_t)tsr__dtype_size(c->dtype), n = v->size;
  const int64_t steps = c->is_whole ? n : STEPS;
  const double flops = 2.0 * (double)n * (double)n * (double)steps;
  double blas_ms = 0;
  bool ok = true;
  const product_kernels kernels = {product_kernel(c->dtype, 3), product_kernel(c->dtype, 2)};
  if (!v->compiles) {
    for (int m = 0; m < N_MATRICES; m++) {
      const int64_t elems = m < FROM ? n * steps : n * n;
      at[m] = gpu_alloc(&v->g, (size_t)(elems * elem));
      fill(v, at[m], elems, elem);
    }
    blas_ms = time_blas(v, c->dtype, steps, at);
    if (blas_ms > 0)
      printf("variant %-9s %-24s ms=%.4f tflops=%.1f\n", c->name, "cublas", blas_ms,
             1e-9 * flops / blas_ms);
    else
      printf("variant %-9s %-24s not run: it is not there\n", c->name, "cublas");
  }
  for (int i = 0; i < c->n && (v->compiles || gpu_clock() < v->until); i++) {
    const product_variant *x = &c->variants[i];
    if (!make_product(v, &kernels, c, x, at, &p)) {
      printf("variant %-9s %-24s not run: refused\n", c->name, x->name);
      ok = ok && !v->compiles;
      continue;
    }
    if (v->compiles) continue;
    const size_t bytes = (size_t)(n * n * elem);
    if (!c->is_whole) GPU(&v->g, MemcpyDtoDAsync, at[RESULT], at[FROM], bytes, v->g.stream);
    const double ms = gpu_time(&v->g, run, &p, REPEATS, 1);
    if (i == 0) GPU(&v->g, MemcpyDtoDAsync, at[EXPECTED], at[RESULT], bytes, v->g.stream);
    printf("        tflops=%.1f ", 1e-9 * flops / ms);
    say(v, c->name, x->name, ms, blas_ms / ms, p.registers,
        same(v, at[RESULT], at[EXPECTED], bytes), b);
  }
  for (int m = 0; m < N_MATRICES && !v->compiles; m++) gpu_free(&v->g, at[m]);
  tsr__kernel_destroy(kernels.adds);
  tsr__kernel_destroy(kernels.makes);
  return ok;
}

/* Reductions of float64: of all, or of the rows or the columns of a square. */

typedef struct step_variant {
  const char *name;
  tsr_cuda_step_tuning tuning;
} step_variant;

static const step_variant step_variants[] = {
    {"five_levels", {256, 5, 0, false, 0}}, {"four_groups", {256, 5, 2, true, 0}},
    {"chosen", {256, 5, 3, true, 3}},       {"sixteen_groups", {256, 5, 4, true, 0}},
    {"half_count", {128, 4, 3, true, 0}},   {"half_16_groups", {128, 4, 4, true, 0}},
    {"quarter_count", {64, 3, 3, true, 0}}, {"quarter_32_groups", {64, 3, 5, true, 0}},
    {"more_bytes", {512, 5, 3, true, 0}},   {"eighth_count", {32, 2, 3, true, 0}},
};
enum { N_STEP_VARIANTS = sizeof step_variants / sizeof *step_variants };

typedef struct reduce_case {
  const char *name;
  int ndim;
  uint32_t axes_mask;
  tsr_reduction code;
  bool of_products; /* of two operands */
} reduce_case;
static const reduce_case reductions[] = {
    {"sum", 1, 1, TSR_REDUCE_SUM, false},  {"argmin", 1, 1, TSR_REDUCE_ARGMIN, false},
    {"rows", 2, 2, TSR_REDUCE_SUM, false}, {"columns", 2, 1, TSR_REDUCE_SUM, false},
    {"dot", 1, 1, TSR_REDUCE_SUM, true},
};

typedef struct reducing {
  program *p;
  gpu_address room; /* what is left of it */
  const char *result;
  int64_t n_results;
  tsr_kernel *nodes[4];
  int n_nodes;
} reducing;

static void *get_room(void *arg, size_t bytes, bool is_root)
{
  reducing *x = arg;
  const gpu_address p = x->room;
  (void)is_root;
  x->room += (bytes + 255) / 256 * 256;
  return (void *)(uintptr_t)p;
}

static bool add_launch(void *arg, const tsr_kernel *k, const tsr_cuda_launch *launch)
{
  return add(((reducing *)arg)->p, k, launch);
}

static void take_nodes(void *arg, const tsr_cuda_nodes *nodes)
{
  reducing *x = arg;
  x->result = nodes->indices ? nodes->indices : nodes->values;
  x->n_results = 1;
  for (int a = 0; a < TSR_MAX_NDIM; a++) x->n_results *= nodes->n[a] ? nodes->n[a] : 1;
}

static const tsr_kernel *get_node_kernel(void *arg, int ndim, tsr_dtype dtype, bool has_index)
{
  reducing *x = arg;
  if (x->n_nodes == 0) x->nodes[x->n_nodes++] = tsr__cuda_node_kernel(ndim, dtype, has_index);
  return x->nodes[0];
}

static bool make_reduction(const variants *v, const reduce_case *c,
                           const tsr_cuda_step_tuning *tuning, const gpu_address *from,
                           gpu_address room, program *p, reducing *x)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(c->ndim);
  int value[2];
  for (int i = 0; i <= c->of_products; i++)
    value[i] = tsr__kernel_load(b, tsr__kernel_access_add(b, TSR_DTYPE_FLOAT64, false, i, 0));
  const int result = 1 + c->of_products;
  const int store = tsr__kernel_access_add(b, TSR_DTYPE_FLOAT64, true, result, 0);
  if (c->of_products)
    value[0] = tsr__kernel_op(b, TSR_OP_MULTIPLY, TSR_DTYPE_FLOAT64, TSR_DTYPE_FLOAT64, 2, value);
  tsr__kernel_store(b, store, value[0]);
  tsr_kernel *k = tsr__kernel_finish(b);
  const int64_t side = 2 * v->size;
  const int64_t n[TSR_MAX_NDIM] = {c->ndim == 2 ? side : side * side, side};
  const int64_t along[] = {c->ndim == 2 ? 8 * side : 8, 8};
  const int64_t stride[3][TSR_MAX_NDIM] = {{along[0], along[1]}, {c->of_products ? 8 : 0}, {0}};
  void *base[3] = {(void *)(uintptr_t)from[0], c->of_products ? (void *)(uintptr_t)from[1] : NULL};
  tsr_kernel_bind bind = {
      .base = base, .stride_bytes = stride, .n = {n[0], c->ndim == 2 ? n[1] : 0}};
  tsr_tree tree;
  bool broken;
  tsr__tree_init(&tree, c->ndim, n, c->axes_mask);
  tsr_cuda_reduction what = {
      .kernel = k,
      .bind = &bind,
      .n = 1,
      .taken = {{(uint8_t)result, (uint8_t)c->code, TSR_DTYPE_FLOAT64, TSR_CUDA_FLAT}},
      .trees = {&tree},
      .tuning = tuning,
      .to_roots = true};
  *p = (program){.v = v};
  *x = (reducing){.p = p, .room = room};
  const bool ok =
      tsr__cuda_reduce(&what,
                       &(tsr_cuda_reducer){x, get_room, add_launch, take_nodes, get_node_kernel},
                       &broken) &&
      !broken && x->result != NULL;
  tsr__kernel_destroy(k);
  for (int i = 0; i < x->n_nodes; i++) tsr__kernel_destroy(x->nodes[i]);
  return ok;
}

typedef struct copied {
  gpu_address to, from;
  size_t bytes;
} copied;

static void run_copy(const gpu *g, void *arg)
{
  const copied *c = arg;
  GPU(g, MemcpyDtoDAsync, c->to, c->from, c->bytes, g->stream);
}

static bool run_reductions(variants *v, const reduce_case *c, best *b)
{
  enum { FROM_HERE, TO, ROOM, WANTED, N_PARTS };
  gpu_address at[N_PARTS] = {1ull << 40, 2ull << 40, 3ull << 40, 4ull << 40};
  static program p;
  reducing x;
  bool ok = true;
  double copy_ms = 0;
  const int64_t elems = 4 * v->size * v->size;
  if (!v->compiles) {
    for (int i = 0; i < N_PARTS; i++) at[i] = gpu_alloc(&v->g, (size_t)elems * 8);
    fill(v, at[FROM_HERE], elems, 8);
    copied whole = {at[TO], at[FROM_HERE], (size_t)elems * 8};
    copy_ms = gpu_time(&v->g, run_copy, &whole, REPEATS, 1) / 2;
    if (c->of_products) copy_ms *= 2;
    printf("variant %-9s %-24s ms=%.4f\n", c->name, c->of_products ? "a copy" : "half a copy",
           copy_ms);
  }
  for (int i = 0; i < N_STEP_VARIANTS && (v->compiles || gpu_clock() < v->until); i++) {
    const step_variant *s = &step_variants[i];
    if (!make_reduction(v, c, &s->tuning, at, at[ROOM], &p, &x)) {
      printf("variant %-9s %-24s not run: refused\n", c->name, s->name);
      ok = false;
      continue;
    }
    if (v->compiles) continue;
    const double ms = gpu_time(&v->g, run, &p, REPEATS, 1);
    const gpu_address result = (gpu_address)(uintptr_t)x.result;
    const size_t bytes = (size_t)x.n_results * 8;
    if (i == 0) GPU(&v->g, MemcpyDtoDAsync, at[WANTED], result, bytes, v->g.stream);
    printf("        launches=%d ", p.n);
    say(v, c->name, s->name, ms, copy_ms / ms, p.registers, same(v, result, at[WANTED], bytes), b);
  }
  for (int i = 0; i < N_PARTS && !v->compiles; i++) gpu_free(&v->g, at[i]);
  return ok;
}

int main(int argc, char **argv)
{
  static variants v = {.size = 8192};
  double seconds = 50;
  const char *only = "";
  enum { N_PRODUCTS = sizeof products / sizeof *products };
  enum { N_CASES = N_PRODUCTS + sizeof reductions / sizeof *reductions };
  best of[N_CASES] = {{0}};
  const char *names[N_CASES];
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--compile"))
      v.compiles = true;
    else if (!strcmp(argv[i], "--equal"))
      v.equal = true;
    else if (i + 1 == argc)
      break;
    else if (!strcmp(argv[i], "--only"))
      only = argv[++i];
    else if (!strcmp(argv[i], "--size"))
      v.size = atoll(argv[++i]);
    else if (!strcmp(argv[i], "--seconds"))
      seconds = atof(argv[++i]);
  }
  char why[200];
  if (!(v.compiles ? gpu_open_compiler : gpu_open)(&v.g, why, sizeof why)) {
    printf("not run: %s\n", why);
    return 77;
  }
  v.until = gpu_clock() + seconds;
  bool ok = load_helpers(&v);
  for (int i = 0; i < N_CASES && ok; i++) {
    names[i] = i < N_PRODUCTS ? products[i].name : reductions[i - N_PRODUCTS].name;
    if (!strstr(names[i], only)) continue;
    ok = i < N_PRODUCTS ? run_products(&v, &products[i], &of[i])
                        : run_reductions(&v, &reductions[i - N_PRODUCTS], &of[i]);
  }
  for (int i = 0; i < N_CASES; i++) say_best(names[i], &of[i]);
  if (!v.compiles) gpu_free(&v.g, v.differing);
  gpu_close(&v.g);
  return ok && !v.differ ? 0 : 1;
}
