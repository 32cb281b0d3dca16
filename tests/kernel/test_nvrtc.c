/* NVRTC, which needs no device, makes code of the text of every function, for two generations of
 * devices, and of kernels; the code rounds as the text says. Skipped where there is no NVRTC,
 * unless all tests are wanted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "kernel/compile/nvrtc.h"
#include "kernel/cuda/product.h"
#include "kernel/cuda/reduce.h"
#include "kernel/cuda/render_cuda.h"
#include "kernel/ops/functions.h"
#include "tests/kernel/place.h"
#include "tests/kernel/reference.h"
#include "tests/kernel/stage.h"
#include "tests/support/sanitized.h"

static tsr_nvrtc *open_nvrtc(void)
{
  char why[200] = "";
  tsr_nvrtc *n = tsr__nvrtc_open(why, sizeof why);
  if (n == NULL && getenv("TEST_NEEDS_ALL") != NULL) cr_assert_fail("%s", why);
  if (n == NULL) cr_skip_test("%s", why);
  return n;
}

static tsr_nvrtc_code compile(const tsr_nvrtc *n, const char *source, const char *architecture,
                              const char *const *more)
{
  tsr_nvrtc_code code;
  const bool ok = tsr__nvrtc_compile(n, source, architecture, more, &code);
  cr_assert(ok, "%s: %.4000s", architecture, code.log ? code.log : "no program");
  return code;
}

/* All functions, none of them inlined or left out for not being called. */
static void add_functions(tsr_text *out)
{
  tsr__text_add(out, "%s", tsr__words_cuda);
  tsr__text_add(out, "#undef TSR_MATH\n#define TSR_MATH __device__ __noinline__\n"
                     "#undef TSR_RARE\n#define TSR_RARE TSR_MATH\nextern \"C\" {\n");
  for (int i = 0; i < tsr__n_functions; i++)
    for (const char *c = tsr__functions[i].text; *c; c++)
      if (*c != '$') tsr__text_add(out, "%c", *c);
  tsr__text_add(out, "}\n");
}

static int count(const char *text, const char *end, const char *word)
{
  int n = 0;
  for (const char *at = text; (at = strstr(at, word)) != NULL && at < end; at++) n++;
  return n;
}

/* Nothing is approximate, flushed to zero, or rounded but to nearest. Conversions to integers and
 * roundings to whole numbers name their own modes; no function asks for another one. At most so
 * many kernels have arrays in a thread's own memory. */
static void lint(const char *ptx, const char *what, int most_arrays)
{
  static const char *const wrong[] = {".approx", ".ftz",     ".rz.f",   ".rm.f",   ".rp.f",
                                      ".full.",  "mad.f",    "mad.rn.", "add.f64", "mul.f64",
                                      "add.f32", "mul.f32",  "sub.f32", "sub.f64", "div.f32",
                                      "div.f64", "sqrt.f64", "sqrt.f32"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const char *at = strstr(ptx, wrong[i]);
    cr_expect_null(at, "%s: %.*s", what, at ? (int)strcspn(at, "\n") : 0, at ? at : "");
  }
  const int n_arrays = count(ptx, ptx + strlen(ptx), ".local .align");
  cr_expect_leq(n_arrays, most_arrays, "%s: %d arrays in local memory", what, n_arrays);
}

Test(nvrtc, compiles_every_function, .timeout = 300)
{
  static const char *const architectures[] = {"compute_80", "compute_90"}, *const relocatable[] = {
                                                                               "-rdc=true", NULL};
  tsr_nvrtc *n = open_nvrtc();
  tsr_text source = {0};
  add_functions(&source);
  for (int a = 0; a < 2; a++) {
    tsr_nvrtc_code code = compile(n, source.s, architectures[a], relocatable);
    int n_functions = 0;
    for (int i = 0; i < tsr__n_functions; i++) {
      const tsr_function_text *f = &tsr__functions[i];
      if (!strncmp(f->text, "typedef", 7)) continue;
      char call[96];
      snprintf(call, sizeof call, " %s(\n", f->name);
      const char *at = strstr(code.ptx, call);
      cr_assert_not_null(at, "%s: no code of %s", architectures[a], f->name);
      const int n_fma = count(f->text, f->text + strlen(f->text), "fma_f");
      const int n_made = count(at, strstr(at, "\n}\n"), "fma.rn.f");
      cr_expect_eq(n_made, n_fma, "%s: %d fma of %d in %s", architectures[a], n_made, n_fma,
                   f->name);
      n_functions++;
    }
    cr_expect_gt(n_functions, 600);
    lint(code.ptx, architectures[a], 0);
    tsr__nvrtc_code_free(&code);
  }
  tsr__text_free(&source);
  tsr__nvrtc_close(n);
}

/* The parts of a program of kernels. */
typedef struct program {
  tsr_text kernels;
  tsr_function_uses uses;
  int n;
} program;

static void add_form(program *p, const tsr_kernel *k, const tsr_cuda_form *form)
{
  char name[24];
  snprintf(name, sizeof name, "kernel_%d", p->n);
  p->n += tsr__render_cuda(k, form, name, &p->kernels, &p->uses);
}

static void add_kernel(program *p, tsr_kernel *k, stage *s)
{
  static tsr_cuda_launch launch;
  uint64_t seed = 1 + (uint64_t)p->n;
  void *base[MAX_ACCESSES];
  stage_fill(s, &seed);
  const tsr_kernel_bind bind = stage_bind(s, false, base);
  cr_assert(tsr__cuda_launch_make(k, &bind, &launch));
  add_form(p, k, &launch.form);
  stage_free(s);
  tsr__kernel_destroy(k);
}

/* Compiles the program and looks at its code. Returns it. */
static tsr_nvrtc_code compile_for(const tsr_nvrtc *n, const program *p, const char *what,
                                  const char *architecture, int most_arrays)
{
  static const char *const say[] = {"--ptxas-options=-v", NULL};
  tsr_text source = {0};
  tsr__text_add(&source, "%s", tsr__words_cuda);
  tsr__render_scalar_functions(&p->uses, &source);
  tsr__text_add(&source, "%s", p->kernels.s);
  tsr_nvrtc_code code = compile(n, source.s, architecture, say);
  lint(code.ptx, what, most_arrays);
  cr_expect_gt(code.image_bytes, 1000u);
  cr_expect_eq(count(code.ptx, code.ptx + strlen(code.ptx), ".visible .entry kernel_"), p->n);
  tsr__text_free(&source);
  return code;
}

static tsr_nvrtc_code compile_program(const tsr_nvrtc *n, program *p, const char *what,
                                      int most_arrays)
{
  const tsr_nvrtc_code code = compile_for(n, p, what, "sm_90", most_arrays);
  tsr__text_free(&p->kernels);
  return code;
}

/* A loop over a thread's points that is too long to be unrolled keeps its pieces in an array: two
 * functions of a dtype are as long. */
Test(nvrtc, compiles_every_operation, .timeout = 600)
{
  tsr_nvrtc *n = open_nvrtc();
  int n_kernels = 0;
  for (int d = 0; d < TSR_N_DTYPES; d += IS_SANITIZED ? 5 : 1) {
    program p = {.n = 0};
    for (int op = 0; op < TSR_N_OPS; op++) {
      tsr_dtype compute, result;
      if (!tsr__op_dtypes(op, d, &compute, &result) || (int)compute != d) continue;
      stage s = {.ndim = 0};
      add_kernel(&p, stage_of_op(&s, op, compute, result, false, 776), &s);
    }
    for (int to = 0; to < TSR_N_DTYPES; to++) {
      stage s = {.ndim = 0};
      add_kernel(&p, stage_of_cast(&s, d, to, 777), &s);
    }
    tsr_nvrtc_code code = compile_program(n, &p, tsr__dtype_info(d)->name, 2);
    n_kernels += p.n;
    tsr__nvrtc_code_free(&code);
  }
  cr_expect_gt(n_kernels, IS_SANITIZED ? 100 : 500);
  tsr__nvrtc_close(n);
}

/* Boxes of up to four axes with any strides. */
Test(nvrtc, compiles_random_kernels, .timeout = 300)
{
  enum { N = 60 };
  tsr_nvrtc *n = open_nvrtc();
  program p = {.n = 0};
  uint64_t seed = 77;
  for (int i = 0; i < N; i++) {
    stage s = {.ndim = 0};
    tsr_kernel *k = stage_draw(&s, true, i % 2, &seed);
    add_kernel(&p, k, &s);
  }
  tsr_nvrtc_code code = compile_program(n, &p, "random kernels", 0);
  cr_expect_gt(p.n, N / 2);
  tsr__nvrtc_code_free(&code);
  tsr__nvrtc_close(n);
}

/* What lies between the launches of a reduction: memory that nobody follows. */
static void *room(void *arg, size_t bytes, bool is_root)
{
  return (void *)(uintptr_t)4096;
}

static bool launch_into(void *arg, const tsr_kernel *k, const tsr_cuda_launch *l)
{
  add_form(arg, k, &l->form);
  return true;
}

static void take(void *arg, const tsr_cuda_nodes *nodes)
{
}

static tsr_kernel *node_kernels[TSR_N_REDUCTIONS * TSR_N_DTYPES * 8];
static int n_node_kernels;

static const tsr_kernel *node_kernel(void *arg, int ndim, tsr_dtype dtype, bool has_index)
{
  cr_assert_lt((size_t)n_node_kernels, sizeof node_kernels / sizeof *node_kernels);
  return node_kernels[n_node_kernels++] = tsr__cuda_node_kernel(ndim, dtype, has_index);
}

/* Adds the launches that reduce x * x, or x, of 3,000 x 3,000 elements over some axes. */
static void add_reduction(program *p, tsr_reduction r, tsr_dtype dtype, uint32_t axes)
{
  const int64_t shape[2] = {3000, 3000};
  tsr_dtype compute, result;
  if (!tsr__reduce_dtypes(r, dtype, &compute, &result) || !tsr__cuda_can_reduce(r, compute)) return;
  const int64_t elem = (int64_t)tsr__dtype_size(dtype);
  tsr_kernel_builder *b = tsr__kernel_builder_create(2);
  int v = tsr__kernel_load(b, tsr__kernel_access_add(b, dtype, false, 0, 0));
  if (dtype != TSR_BOOL) v = tsr__kernel_op(b, TSR_OP_MULTIPLY, dtype, dtype, 2, (int[]){v, v});
  const tsr_dtype stored = dtype == TSR_BOOL && r == TSR_REDUCE_SUM ? TSR_BOOL : compute;
  const int to = tsr__kernel_access_add(b, stored, true, 1, 0);
  tsr__kernel_store(b, to, tsr__kernel_cast(b, v, stored));
  tsr_kernel *k = tsr__kernel_finish(b);
  cr_assert_eq(tsr__kernel_prepare(k), TSR_OK);
  void *base[2] = {(void *)(uintptr_t)4096, NULL};
  const int64_t stride[2][TSR_MAX_NDIM] = {{3000 * elem, elem}};
  const tsr_kernel_bind bind = {.n = {3000, 3000}, .base = base, .stride_bytes = stride};
  tsr_tree tree;
  bool broken = true;
  tsr__tree_init(&tree, 2, shape, axes);
  const tsr_cuda_reduction what = {
      .kernel = k,
      .bind = &bind,
      .n = 1,
      .taken = {{(uint8_t)to, (uint8_t)r, (uint8_t)compute, TSR_CUDA_FLAT}},
      .trees = {&tree}};
  cr_assert(tsr__cuda_reduce(&what, &(tsr_cuda_reducer){p, room, launch_into, take, node_kernel},
                             &broken));
  cr_assert_not(broken);
  tsr__kernel_destroy(k);
  while (n_node_kernels > 0) tsr__kernel_destroy(node_kernels[--n_node_kernels]);
}

/* Kernels of every reduction, over rows, columns and both axes. They keep what they combine in
 * registers. */
Test(nvrtc, compiles_reductions, .timeout = 300)
{
  static const tsr_dtype dtypes[] = {TSR_FLOAT64, TSR_FLOAT32, TSR_INT32, TSR_BOOL, TSR_COMPLEX128};
  tsr_nvrtc *n = open_nvrtc();
  program p = {.n = 0};
  for (int r = 0; r < TSR_N_REDUCTIONS; r++)
    for (int d = 0; d < (IS_SANITIZED ? 1 : 5); d++)
      add_reduction(&p, (tsr_reduction)r, dtypes[d], (uint32_t)(1 + (r + d) % 3));
  tsr_nvrtc_code code = compile_program(n, &p, "reductions", 0);
  cr_expect_eq(count(code.log, code.log + strlen(code.log), " 0 bytes spill stores"), p.n, "%s",
               code.log);
  tsr__nvrtc_code_free(&code);
  tsr__nvrtc_close(n);
}

/* Products and sums stay apart; an fma is one in the code; pieces are read and written at once. */
Test(nvrtc, rounds_as_the_text_says)
{
  tsr_nvrtc *n = open_nvrtc();
  program p = {.n = 0};
  stage s = {.ndim = 0};
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  int x[3];
  for (int i = 0; i < 3; i++)
    x[i] = tsr__kernel_load(b, stage_dense(&s, b, TSR_FLOAT64, false, i, 512));
  const int product = tsr__kernel_op(b, TSR_OP_MULTIPLY, TSR_FLOAT64, TSR_FLOAT64, 2, x);
  const int sum =
      tsr__kernel_op(b, TSR_OP_ADD, TSR_FLOAT64, TSR_FLOAT64, 2, (int[]){product, x[2]});
  tsr__kernel_store(b, stage_dense(&s, b, TSR_FLOAT64, true, 3, 512), sum);
  add_kernel(&p, tsr__kernel_finish(b), &s);
  tsr_nvrtc_code code = compile_program(n, &p, "triad", 0);
  const char *end = code.ptx + strlen(code.ptx);
  cr_expect_eq(count(code.ptx, end, "fma.rn.f64"), 0);
  cr_expect_eq(count(code.ptx, end, "mul.rn.f64"), 2, "%s", code.ptx);
  cr_expect_eq(count(code.ptx, end, "add.rn.f64"), 2);
  cr_expect_eq(count(code.ptx, end, "ld.global.v2.f64"), 3, "%s", code.ptx);
  cr_expect_eq(count(code.ptx, end, "st.global.v2.f64"), 1);
  tsr__nvrtc_code_free(&code);
  const char *source =
      "extern \"C\" __global__ void f(double *x) { x[0] = fma_f64(x[1], x[2], x[3]); }";
  tsr_text text = {0};
  tsr__text_add(&text, "%s%s", tsr__words_cuda, source);
  code = compile(n, text.s, "sm_90", NULL);
  cr_expect_eq(count(code.ptx, code.ptx + strlen(code.ptx), "fma.rn.f64"), 1);
  tsr__nvrtc_code_free(&code);
  tsr__text_free(&text);
  tsr__nvrtc_close(n);
}

/* Images for a device are a kind of code like others: several kernels are compiled together, and
 * the next process finds them on disk. */
Test(nvrtc, images_are_kept, .timeout = 120)
{
  enum { N = 3 };
  static tsr_cuda_launch launch[N];
  tsr__nvrtc_close(open_nvrtc());
  PLACE p = place_made("lazy");
  for (int life = 0; life < 2; life++) {
    tsr_kernel *k[N];
    tsr_jit *jit = tsr__jit_create_for(&p.config, &tsr__code_cuda, NULL);
    for (int i = 0; i < N; i++) {
      stage s = {.ndim = 0};
      void *base[MAX_ACCESSES];
      tsr_jit_code code;
      uint64_t seed = 1;
      k[i] = stage_of_op(&s, TSR_OP_EXP + i, TSR_FLOAT64, TSR_FLOAT64, false, 776);
      stage_fill(&s, &seed);
      const tsr_kernel_bind bind = stage_bind(&s, false, base);
      cr_assert(tsr__cuda_launch_make(k[i], &bind, &launch[i]));
      cr_expect_not(tsr__jit_code(jit, k[i], &launch[i], false, &code), "nothing is compiled yet");
      tsr__jit_want_launch(jit, k[i], &launch[i]);
      stage_free(&s);
    }
    tsr__jit_wait(jit);
    const tsr_jit_stats stats = tsr__jit_stats(jit);
    cr_expect_eq(stats.n_compilers, life == 0);
    cr_expect_eq(stats.n_compiled, life == 0 ? N : 0);
    cr_expect_eq(stats.n_cached, life == 0 ? 0 : N);
    for (int i = 0; i < N; i++) {
      tsr_jit_code code;
      cr_assert(tsr__jit_code(jit, k[i], &launch[i], true, &code));
      cr_expect_arr_eq(code.image->at, "\177ELF", 4);
      cr_expect_eq(strncmp(code.name, "k_", 2), 0);
      cr_expect_eq(code.number, i);
      tsr__kernel_destroy(k[i]);
    }
    tsr__jit_destroy(jit);
  }
}

/* Code for a device that is newer than NVRTC is PTX of the newest that it knows, which compiles. */
Test(nvrtc, newer_devices_get_ptx)
{
  tsr_nvrtc *n = open_nvrtc();
  char target[TSR_NVRTC_TARGET_BYTES];
  tsr_nvrtc_code code;
  int number = 0;
  cr_assert(tsr__nvrtc_find_target(n, "sm_90", target));
  cr_expect_str_eq(target, "sm_90");
  cr_assert(tsr__nvrtc_find_target(n, "sm_9999", target));
  cr_assert_eq(sscanf(target, "compute_%d", &number), 1);
  cr_expect_geq(number, 90);
  cr_assert(
      tsr__nvrtc_compile(n, "extern \"C\" __global__ void nothing() {}", target, NULL, &code));
  cr_expect_null(code.image);
  cr_expect_not_null(strstr(code.ptx, ".entry nothing"));
  tsr__nvrtc_code_free(&code);
  cr_expect_not(tsr__nvrtc_find_target(n, "sm_10", target), "it is too old");
  cr_expect_not(tsr__nvrtc_find_target(n, "c", target), "it is no device's");
  tsr__nvrtc_close(n);
}

Test(nvrtc, says_what_is_wrong)
{
  tsr_nvrtc *n = open_nvrtc();
  tsr_nvrtc_code code;
  cr_expect_not(tsr__nvrtc_compile(n, "int main( {", "sm_90", NULL, &code));
  cr_expect_not_null(strstr(code.log, "kernels.cu(1): error"), "%s", code.log);
  tsr__nvrtc_code_free(&code);
  tsr__nvrtc_close(n);
}

static tsr_kernel *product_kernel(tsr_dtype dtype)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(4);
  for (int a = 0; a < 4; a++) tsr__kernel_access_add(b, dtype, a == 3, a, 0);
  return tsr__kernel_finish(b);
}

/* Renders a product of matrices. */
static void add_product(tsr_text *out, const tsr_kernel *k, int tile, bool by_mma, bool turned)
{
  static tsr_cuda_launch launch;
  const int64_t elem = (int64_t)tsr__dtype_size((tsr_dtype)k->accesses[0].dtype);
  const int64_t stride[4][TSR_MAX_NDIM] = {{0, 512 * elem, 0, elem},
                                           {0, 0, turned ? 512 * elem : elem, turned ? elem : 512},
                                           {0, elem, 512 * elem, 0},
                                           {0, 512 * elem, elem, 0}};
  void *base[4] = {NULL};
  const tsr_kernel_bind bind = {.n = {2, 300, 300, 512}, .base = base, .stride_bytes = stride};
  tsr_function_uses uses = {0};
  cr_assert(tsr__cuda_product_make(k, &bind, by_mma, tile, &launch));
  tsr__text_add(out, "%s", tsr__words_cuda);
  cr_assert(tsr__render_cuda(k, &launch.form, "product", out, &uses));
  cr_expect_eq(uses.n_calls, 0);
}

/* A sample of each kind: operations, boxes, casts, reductions and products. */
Test(nvrtc, compiles_a_sample_for_other_devices, .timeout = 300)
{
  static const char *const architectures[] = {"sm_80", "sm_100"};
  tsr_nvrtc *n = open_nvrtc();
  program p = {.n = 0};
  uint64_t seed = 78;
  for (int i = 0; i < 8; i++) {
    stage s = {.ndim = 0};
    tsr_kernel *drawn = stage_draw(&s, true, i % 2, &seed);
    add_kernel(&p, drawn, &s);
  }
  for (int op = TSR_OP_EXP; op < TSR_OP_EXP + 3; op++) {
    stage s = {.ndim = 0};
    add_kernel(&p, stage_of_op(&s, op, TSR_FLOAT64, TSR_FLOAT64, false, 776), &s);
  }
  stage s = {.ndim = 0};
  add_kernel(&p, stage_of_cast(&s, TSR_FLOAT64, TSR_FLOAT16, 777), &s);
  for (uint32_t axes = 1; axes < 4; axes++) {
    add_reduction(&p, TSR_REDUCE_SUM, TSR_FLOAT64, axes);
    add_reduction(&p, TSR_REDUCE_ARGMIN, TSR_FLOAT32, axes);
  }
  tsr_kernel *k = product_kernel(TSR_FLOAT64);
  tsr_text product = {0};
  add_product(&product, k, 64, false, false);
  for (int a = 0; a < 2; a++) {
    tsr_nvrtc_code code = compile_for(n, &p, architectures[a], architectures[a], 0);
    tsr__nvrtc_code_free(&code);
    code = compile(n, product.s, architectures[a], NULL);
    lint(code.ptx, "a product", 0);
    tsr__nvrtc_code_free(&code);
  }
  tsr__kernel_destroy(k);
  tsr__text_free(&product);
  tsr__text_free(&p.kernels);
  tsr__nvrtc_close(n);
}

Test(nvrtc, keeps_the_tiles_of_products_in_registers, .timeout = 300)
{
  static const char *const say[] = {"--ptxas-options=-v", NULL};
  tsr_nvrtc *n = open_nvrtc();
  for (int i = 0; i < (IS_SANITIZED ? 3 : 12); i++) {
    const tsr_dtype dtype = i % 3 == 0 ? TSR_FLOAT32 : TSR_FLOAT64;
    const bool by_mma = i % 3 == 2, is_large = i / 3 % 2;
    tsr_kernel *k = product_kernel(dtype);
    tsr_text source = {0};
    add_product(&source, k, is_large ? 128 : 64, by_mma, i / 6);
    tsr_nvrtc_code code = compile(n, source.s, "sm_90", say);
    const char *end = code.ptx + strlen(code.ptx);
    lint(code.ptx, "a product", 0);
    cr_expect_not_null(strstr(code.log, " 0 bytes spill stores"), "%s", code.log);
    const int depth = is_large && dtype == TSR_FLOAT64 ? 8 : 16;
    const int per =
        is_large ? 64 : 16; /* elements of a thread; an instruction has 4 over 8 steps */
    cr_expect_eq(count(code.ptx, end, "mma.sync"), by_mma ? per / 4 * depth / 8 : 0);
    cr_expect_eq(count(code.ptx, end, "fma.rn.f"), by_mma ? 0 : per * depth);
    tsr__nvrtc_code_free(&code);
    tsr__text_free(&source);
    tsr__kernel_destroy(k);
  }
  tsr__nvrtc_close(n);
}

/* Renders a product of so many steps whose operands come in stages: 4,096 by 4,096, or few
 * elements. */
static void add_staged(tsr_text *out, const tsr_kernel *k, bool is_large, bool left_turned,
                       bool right_turned, int64_t steps)
{
  static tsr_cuda_launch launch;
  const int64_t elem = (int64_t)tsr__dtype_size((tsr_dtype)k->accesses[0].dtype);
  const int64_t n = is_large ? 4096 : 512, row = n * elem;
  const int64_t stride[4][TSR_MAX_NDIM] = {
      {left_turned ? row : elem, 0, left_turned ? elem : row},
      {0, right_turned ? row : elem, right_turned ? elem : row},
      {row, elem, 0},
      {row, elem, 0}};
  void *base[4] = {NULL};
  const tsr_kernel_bind bind = {.n = {n, n, steps}, .base = base, .stride_bytes = stride};
  tsr_function_uses uses = {0};
  cr_assert(tsr__cuda_product_make(k, &bind, true, 0, &launch));
  cr_expect_gt(launch.form.product.stages.n, 0);
  tsr__text_add(out, "%s", tsr__words_cuda);
  cr_assert(tsr__render_cuda(k, &launch.form, "product", out, &uses));
}

Test(nvrtc, copies_the_stages_of_products_past_the_registers, .timeout = 300)
{
  static const char *const say[] = {"--ptxas-options=-v", NULL};
  tsr_nvrtc *n = open_nvrtc();
  for (int i = 0; i < 48; i += IS_SANITIZED ? 17 : 1) {
    const bool is_large = i & 1 || i >= 32, left_turned = i & 2, right_turned = i & 4;
    const bool is_shallow = i >= 40; /* whose steps are no multiple of 16 */
    const bool panels = i >= 16 && !is_shallow, adds = i < 16 || i >= 32;
    const tsr_dtype dtype = (i >= 32 ? i & 1 : i & 8) ? TSR_FLOAT32 : TSR_FLOAT64;
    const int n_in = adds ? 3 : 2;
    tsr_kernel_builder *b = tsr__kernel_builder_create(3);
    for (int a = 0; a <= n_in; a++) tsr__kernel_access_add(b, dtype, a == n_in, a, 0);
    tsr_kernel *k = tsr__kernel_finish(b);
    tsr_text source = {0};
    add_staged(&source, k, is_large, left_turned, right_turned,
               panels       ? 8192
               : is_shallow ? 488
                            : 512);
    tsr_nvrtc_code code = compile(n, source.s, "sm_90", say);
    const char *end = code.ptx + strlen(code.ptx);
    lint(code.ptx, "a product in stages", 0);
    cr_expect_not_null(strstr(code.log, " 0 bytes spill stores"), "case %d: %s", i, code.log);
    cr_expect_gt(count(code.ptx, end, "cp.async.cg"), 0);
    const bool is_tight = is_large && dtype == TSR_FLOAT64 && adds && !left_turned && !right_turned;
    const int depth = is_shallow || is_tight ? 8 : 16;
    const int per = !is_large ? 16 : dtype == TSR_FLOAT64 ? 32 : 64;
    cr_expect_eq(count(code.ptx, end, "mma.sync"), dtype == TSR_FLOAT64 ? per / 4 * depth / 8 : 0);
    cr_expect_eq(count(code.ptx, end, "fma.rn.f"), dtype == TSR_FLOAT64 ? 0 : per * depth);
    tsr__nvrtc_code_free(&code);
    tsr__text_free(&source);
    tsr__kernel_destroy(k);
  }
  tsr__nvrtc_close(n);
}
