/* Which libraries are taken for OpenBLAS, and what the errors say of those that are not. */
#include "runtime/machine/blas.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(blas, .timeout = 60);

static void refused(const char *library, int n_callers, const char *const *pieces)
{
  char message[1024] = "";
  tsr_blas *blas = NULL;
  cr_assert_eq(tsr__blas_open(library, n_callers, &blas, message, sizeof message), TSR_ERR_CONFIG);
  cr_expect_null(blas);
  for (; *pieces; pieces++)
    cr_expect_not_null(strstr(message, *pieces), "no \"%s\" in: %s", *pieces, message);
}
#define REFUSED(library, n_callers, ...)                                                           \
  refused(library, n_callers, (const char *const[]){__VA_ARGS__, NULL})

/* Makes a library that says of itself what OpenBLAS says, and computes nothing. */
static void make_library(const char *path, int parallel, const char *more)
{
  char command[1024];
  snprintf(
      command, sizeof command,
      "printf 'int openblas_get_parallel(void) { return %d; }\\n"
      "char *openblas_get_config(void) { return \"a pretended one\"; }\\n"
      "void openblas_set_num_threads(int n) { (void)n; }\\n%s' | cc -shared -fPIC -x c - -o %s",
      parallel, more, path);
  cr_assert_eq(system(command), 0, "%s", command);
}

Test(blas, a_library_that_is_not_there)
{
  REFUSED("libno-such-blas.so.0", 1, "TESSERA_MATMUL is blas", "libno-such-blas.so.0",
          "libopenblas0-pthread", "TESSERA_MATMUL=exact");
}

Test(blas, another_library)
{
  REFUSED("libm.so.6", 1, "libm.so.6 (TESSERA_BLAS) is not OpenBLAS", "libopenblas0-pthread");
}

Test(blas, builds_that_threads_cannot_share)
{
  char path[64];
  static const char functions[] = "void cblas_sgemm(void) {}\\nvoid cblas_dgemm(void) {}\\n"
                                  "void cblas_cgemm(void) {}\\nvoid cblas_zgemm(void) {}\\n";
  for (int parallel = 0; parallel <= 2; parallel++) {
    char message[1024];
    tsr_blas *blas = NULL;
    snprintf(path, sizeof path, "/tmp/tessera-blas-%d-%d.so", (int)getpid(), parallel);
    make_library(path, parallel, functions);
    cr_expect_eq(tsr__blas_open(path, 1, &blas, message, sizeof message), TSR_OK, "%s", message);
    cr_expect_eq(tsr__blas_n_calls(blas), 0);
    tsr__blas_close(blas);
    if (parallel != 1)
      REFUSED(path, 8, "a pretended one", parallel == 0 ? "serial" : "of OpenMP", "8 threads",
              "libopenblas0-pthread", "TESSERA_THREADS=1");
    unlink(path);
  }
  snprintf(path, sizeof path, "/tmp/tessera-blas-%d.so", (int)getpid());
  make_library(path, 1, "");
  REFUSED(path, 8, "without the C interface");
  unlink(path);
}
