/* Products of matrices by cuBLAS (TESSERA_MATMUL=blas on devices `cuda`), over its stand-in: near
 * the exact ones, on 1 and 2 ranks; by the text where the library refuses them or cannot say them. */
#include "array/core/array_int.h"
#include "runtime/machine/blas.h"
#include "runtime/machine/machine.h"
#include "tests/fakes/known.h"
#include "tests/support/child.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_PRODUCTS = 10, MOST = 100 * 100 };

typedef struct products {
  double v[N_PRODUCTS][MOST];
  uint64_t n_blas; /* on all ranks */
} products;

static products exact, near;

static tsr_array drawn(tsr_rng *rng, int64_t m, int64_t n)
{
  return tsr_rng_normal(rng, 0, 1, TSR_SHAPE(m, n));
}

/* Plain, turned and strided operands and results, of all dtypes, batches, and what is added to. */
static void program(void *arg, int rank)
{
  products *got = arg;
  tsr_rng rng = tsr_default_rng(5);
  tsr_array x = drawn(&rng, 61, 47), y = drawn(&rng, 47, 71), sum = drawn(&rng, 61, 71);
  tsr_array columns = tsr_zeros(TSR_SHAPE(71, 61)), part = tsr_zeros(TSR_SHAPE(70, 90));
  tsr_array stack = tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(3, 20, 10));
  tsr_array turned = tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(3, 15, 10));
  tsr_matmul_into(tsr_transpose(columns), x, y);
  tsr_matmul_into(tsr_slice(part, "3:64, 5:76"), x, y);
  tsr_iadd(sum, tsr_matmul(x, y));
  tsr_array z = tsr_matmul(tsr_multiply(x, tsr_box_complex(0.5, 2)), y);
  tsr_array results[N_PRODUCTS] = {
      tsr_matmul(x, y),
      tsr_transpose(columns),
      part,
      sum,
      tsr_real(z),
      tsr_imag(z),
      tsr_matmul(tsr_transpose(y), tsr_transpose(x)),
      tsr_matmul(tsr_slice(x, "::2, ::3"), tsr_slice(y, "::3, ::-2")),
      tsr_matmul(tsr_astype(x, TSR_FLOAT32), tsr_astype(y, TSR_FLOAT32)),
      tsr_reshape(tsr_matmul(stack, tsr_swapaxes(turned, 1, 2)), TSR_SHAPE(60, 15))};
  for (int i = 0; i < N_PRODUCTS; i++) {
    static double other[8][MOST];
    double *to = rank == 0 ? got->v[i] : other[rank];
    cr_assert_eq(tsr_to_host(tsr_astype(results[i], TSR_FLOAT64), to), TSR_OK, "%d: %s", i,
                 tsr_last_error());
  }
  __atomic_fetch_add(&got->n_blas, tsr__context_counters()->n_blas_runs, __ATOMIC_RELAXED);
}

static void compute(int n, const char *device, const char *matmul, products *out)
{
  memset(out, 0, sizeof *out);
  setenv("FAKE_CUDA_DEVICES", "2", 1);
  cr_assert_eq(tsr_run_ranks(n,
                             (const char *const[]){"device", device, "matmul", matmul, "places",
                                                   "1", "placement", "all", "replicate_max", "0",
                                                   "tile_min", "64", "threads", "2", NULL},
                             program, out),
               TSR_OK);
}

static bool are_near(void)
{
  for (int i = 0; i < N_PRODUCTS; i++)
    for (int k = 0; k < MOST; k++)
      if (!(fabs(near.v[i][k] - exact.v[i][k]) <= (i == 8 ? 1e-4 : 1e-11))) return false;
  return true;
}

/* Is there OpenBLAS, which the setting needs on the host? Where all must be there, it is a failure
 * that it is not. */
static bool has_host_blas(void)
{
  char message[1024];
  tsr_blas *blas;
  if (tsr__blas_open("libopenblas.so.0", 4, &blas, message, sizeof message) == TSR_OK) {
    tsr__blas_close(blas);
    return true;
  }
  cr_assert_null(getenv("TEST_NEEDS_ALL"), "TEST_NEEDS_ALL is set: %s", message);
  return false;
}

Test(blas_cuda, multiplies_as_the_text_does, .timeout = 300)
{
  if (!has_host_blas()) cr_skip_test("there is no OpenBLAS");
  compute(1, "cpu", "exact", &exact);
  for (int n = 1; n <= 2; n++) {
    compute(n, "cuda", "exact", &near);
    cr_expect_eq(near.n_blas, 0);
    compute(n, "cuda", "blas", &near);
    cr_expect(are_near(), "%d ranks", n);
    /* all of nine but the one whose rows and columns both have gaps */
    cr_expect_geq(near.n_blas, 8, "%d ranks: %d", n, (int)near.n_blas);
  }
}

static const char *failing;

static void run_failing(void)
{
  setenv("FAKE_CUDA_FAIL", failing, 1);
  compute(1, "cpu", "exact", &exact);
  compute(1, "cuda", "blas", &near);
  _exit(!are_near() ? 11 : n_leaks() > 0 ? 12 : 10);
}

/* The text computes what the library refuses, which is said once. */
Test(blas_cuda, gives_way_to_the_text, .timeout = 300)
{
  if (!has_host_blas()) cr_skip_test("there is no OpenBLAS");
  static const char *const entries[] = {"cublasCreate_v2:1",   "cublasSetStream_v2:1",
                                        "cublasSetMathMode:1", "cublasDgemm_v2:1",
                                        "cublasSgemm_v2:1",    "cublasZgemm_v2:1"};
  char text[8000];
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
    failing = entries[i];
    cr_expect_eq(run_in_child(NULL, run_failing, text, sizeof text), 10, "%s: %s", failing, text);
    char says[128];
    snprintf(says, sizeof says, "without its library: %.*s gives", (int)strcspn(failing, ":"),
             failing);
    const char *said = strstr(text, says);
    cr_expect_not_null(said, "%s: %s", failing, text);
    cr_expect_null(said != NULL ? strstr(said + 1, "without its library") : NULL, "%s", text);
  }
}

static void multiply(void *arg, int rank)
{
  tsr_array x = tsr_ones(TSR_SHAPE(40, 30)), y = tsr_ones(TSR_SHAPE(30, 50));
  *(double *)arg = tsr_item_f64(tsr_sum(tsr_matmul(x, y)));
}

/* The dump of sides says by which way a product goes. */
Test(blas_cuda, is_told_by_the_dump, .timeout = 120)
{
  if (!has_host_blas()) cr_skip_test("there is no OpenBLAS");
  static const char *const ways[][2] = {{"blas", "device, by its library where that can"},
                                        {"exact", "device, launched"}};
  for (int i = 0; i < 2; i++) {
    char directory[] = "/tmp/tessera-blas-XXXXXX", command[200], text[8000];
    double sum = 0;
    cr_assert_not_null(mkdtemp(directory));
    cr_assert_eq(tsr_run_ranks(1,
                               (const char *const[]){"device", "cuda", "matmul", ways[i][0], "dump",
                                                     directory, "placement", "all", NULL},
                               multiply, &sum),
                 TSR_OK);
    cr_expect_eq(sum, 40.0 * 50 * 30);
    snprintf(command, sizeof command, "cat %s/*-10-sides.rank0.txt; rm -r %s", directory,
             directory);
    FILE *out = popen(command, "r");
    text[out != NULL ? fread(text, 1, sizeof text - 1, out) : 0] = '\0';
    if (out != NULL) pclose(out);
    const char *product = strstr(text, "`tsr_matmul`");
    cr_assert_not_null(product, "%s", text);
    while (product > text && product[-1] != '\n') product--;
    cr_expect_not_null(strstr(product, ways[i][1]), "%s", text);
  }
}
