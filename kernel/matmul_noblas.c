/* Built without OpenBLAS: this library's own loops multiply. */
#include "kernel/matmul.h"

bool tsr__blas_product(tsr_dtype dtype, const tsr_product *p, void *scratch)
{
  (void)dtype;
  (void)p;
  (void)scratch;
  return false;
}

const char *tsr__blas_text(void)
{
  return "none (own loops, slower): built without OpenBLAS (Debian: libopenblas-serial-dev)";
}
