/* Products by OpenBLAS (TESSERA_MATMUL=blas): near the exact ones, on any ranks; every tile of a
 * float product by the library and no other; what is refused, and how. */
#include "array_test.h"

#include <math.h>

#include "runtime/machine/blas.h"

TestSuite(matmul_blas, .timeout = 300);

/* Is there a library that several threads may call? Where all of them must be (CI), it is a failure
 * that there is none. */
static bool has_library(void)
{
  char message[1024];
  tsr_config config;
  tsr_blas *blas;
  cr_assert_eq(tsr__config_read(&config, message, sizeof message), TSR_OK, "%s", message);
  if (tsr__blas_open(config.blas, 4, &blas, message, sizeof message) == TSR_OK) {
    tsr__blas_close(blas);
    return true;
  }
  cr_assert_null(getenv("TEST_NEEDS_ALL"), "TEST_NEEDS_ALL is set: %s", message);
  fprintf(stderr, "SKIP matmul_blas: %s\n", message);
  return false;
}

enum { N_PRODUCTS = 13, MOST = 200 * 1300 };

typedef struct products {
  double v[N_PRODUCTS][MOST];
  uint64_t n_calls; /* of the library, on all ranks */
} products;

static tsr_array filled(tsr_rng *rng, int64_t m, int64_t n)
{
  return tsr_rng_normal(rng, 0, 1, TSR_SHAPE(m, n));
}

static void program(void *arg, int rank)
{
  products *got = arg;
  tsr_rng rng = tsr_default_rng(5);
  tsr_array x = filled(&rng, 131, 97), y = filled(&rng, 97, 201), big = filled(&rng, 150, 1300);
  tsr_array stack = tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(3, 1, 40, 20));
  tsr_array other = tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(2, 20, 30));
  tsr_array part = tsr_zeros(TSR_SHAPE(140, 210)), columns = tsr_zeros(TSR_SHAPE(201, 131));
  tsr_matmul_into(tsr_slice(part, "138:7:-1, 4:205"), x, y);
  tsr_matmul_into(tsr_transpose(columns), x, y);
  tsr_array turned =
      tsr_matmul(tsr_multiply(x, tsr_box_complex(0.5, 2)), tsr_add(y, tsr_box_complex(0, 1)));
  tsr_array single = tsr_matmul(tsr_astype(big, TSR_COMPLEX64),
                                tsr_multiply(tsr_transpose(big), tsr_box_complex(0, 1)));
  const tsr_array results[N_PRODUCTS] = {
      part, columns, tsr_real(turned), tsr_imag(turned), tsr_imag(single), tsr_matmul(x, y),
      tsr_matmul(big, tsr_transpose(big)), tsr_matmul(tsr_transpose(big), big),
      tsr_matmul(tsr_slice(x, "::-1, 3:90:2"), tsr_slice(y, "40:84, ::-3")),
      tsr_matmul(tsr_astype(x, TSR_FLOAT32), tsr_astype(y, TSR_FLOAT32)), tsr_matmul(stack, other),
      /* single rows, which have to be copied to be dense */
      tsr_matmul(
          tsr_slice(tsr_reshape(tsr_slice(big, ":, :300"), TSR_SHAPE(150, 1, 300)), ":, :, ::-1"),
          tsr_slice(tsr_transpose(big), ":300, :4")),
      tsr_matmul(tsr_broadcast_to(tsr_slice(x, "5"), TSR_SHAPE(40, 97)), y)};
  for (int i = 0; i < N_PRODUCTS; i++) {
    double *v = calloc(1300 * 1300, sizeof *v);
    cr_assert_eq(tsr_to_host(tsr_astype(results[i], TSR_FLOAT64), v), TSR_OK, "%d: %s", i,
                 tsr_last_error());
    if (rank == 0) memcpy(got->v[i], v, MOST * sizeof *v);
    free(v);
  }
  tsr_blas *blas = tsr__context(NULL)->world.blas;
  if (blas != NULL) __atomic_fetch_add(&got->n_calls, tsr__blas_n_calls(blas), __ATOMIC_RELAXED);
}

Test(matmul_blas, is_near_the_exact_products)
{
  static const char *const settings[][12] = {
      {"matmul", "blas", "threads", "2", NULL},
      {"matmul", "blas", "threads", "1", "replicate_max", "0", "tile_min", "1", NULL},
      {"matmul", "blas", "threads", "2", "replicate_max", "0", "tile_min", "1", "chunk_bytes", "64",
       NULL}};
  static products expected, got;
  if (!has_library()) return;
  RUN_RANKS(1, program, &expected, "threads", "1");
  cr_expect_eq(expected.n_calls, 0);
  for (int n = 1; n <= 4; n++)
    for (size_t c = 0; c < sizeof settings / sizeof *settings; c++) {
      memset(&got, 0, sizeof got);
      cr_assert_eq(tsr_run_ranks(n, settings[c], program, &got), TSR_OK);
      cr_expect_geq(got.n_calls, 3 + 6 + 3 * 2, "%d ranks: a call for each panel", n);
      for (int i = 0; i < N_PRODUCTS; i++)
        for (int j = 0; j < MOST; j++) {
          const double a = got.v[i][j], b = expected.v[i][j];
          const double most = i == 4 || i == 9 ? 2e-3 : 1e-11; /* sums of up to 1,300 products */
          if (fabs(a - b) <= most) continue;
          cr_assert_fail("%d ranks, settings %d, product %d, element %d: %g, not %g", n, (int)c, i,
                         j, a, b);
        }
    }
}

static void not_called(void *arg, int rank)
{
  cr_assert_fail("rank %d runs without the library that it was told to use", rank);
}

Test(matmul_blas, a_missing_library_is_an_error_of_all_ranks)
{
  static const char *const settings[] = {"matmul", "blas", "blas", "libno-such-blas.so.0", NULL};
  for (int n = 1; n <= 3; n++)
    cr_expect_eq(tsr_run_ranks(n, settings, not_called, NULL), TSR_ERR_CONFIG);
}
