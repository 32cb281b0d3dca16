/* Matrix products by OpenBLAS (runtime/machine/blas.h). The tasks, boxes and panels of k are the
 * same as with the other loops, and each panel is added to the last. OpenBLAS takes matrices whose
 * rows or columns are dense; others are copied, a block at a time. */
#include "kernel/library/matmul.h"
#include "runtime/base/alloc.h"
#include "runtime/machine/blas.h"

#include <limits.h>
#include <string.h>

enum {
  BLOCK = 512,    /* rows and columns copied at a time; columns of a call */
  MOST = 1 << 20, /* rows of a call */
  LINE = 64
};

bool tsr__matmul_by_blas(const tsr_task_shape *t)
{
  return t->blas != NULL && tsr__blas_takes(t->dtype);
}

static int64_t least(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static size_t block_bytes(int64_t n, int64_t m, size_t elem)
{
  return tsr__round_up((size_t)(n * m) * elem, LINE);
}

size_t tsr__matmul_blas_scratch_bytes(const tsr_task_shape *t)
{
  const size_t elem = tsr__dtype_size(t->dtype);
  const int64_t m = least(t->shape[t->ndim - 3], BLOCK), n = least(t->shape[t->ndim - 2], BLOCK);
  const int64_t k = t->shape[t->ndim - 1];
  return block_bytes(m, k, elem) + block_bytes(k, n, elem) + block_bytes(m, n, elem);
}

static tsr_matrix transposed(tsr_matrix x)
{
  return (tsr_matrix){x.at, x.column, x.row};
}

/* Returns whether the elements of each row are contiguous. */
static bool has_rows(tsr_matrix x, int64_t rows, int64_t columns, int64_t elem)
{
  if (x.column != elem && columns > 1) return false;
  return rows == 1 || (x.row >= columns * elem && x.row % elem == 0 && x.row / elem <= INT_MAX);
}

/* Describes the matrix for OpenBLAS; returns false if neither rows nor columns are dense. */
static bool fits_blas(tsr_matrix x, int64_t rows, int64_t columns, int64_t elem,
                      tsr_blas_matrix *out)
{
  const bool plain = has_rows(x, rows, columns, elem);
  const bool turned = !plain && has_rows(transposed(x), columns, rows, elem);
  const int64_t n_lines = turned ? columns : rows, length = turned ? rows : columns;
  const int64_t apart = n_lines == 1 ? length : (turned ? x.column : x.row) / elem;
  *out = (tsr_blas_matrix){x.at, turned, (int)apart};
  return plain || turned;
}

static void copy_matrix(tsr_matrix from, tsr_matrix to, int64_t rows, int64_t columns, size_t elem)
{
  for (int64_t i = 0; i < rows; i++, from.at += from.row, to.at += to.row) {
    const char *a = from.at;
    char *b = to.at;
    for (int64_t j = 0; j < columns; j++, a += from.column, b += to.column) memcpy(b, a, elem);
  }
}

static tsr_matrix dense(char **scratch, int64_t rows, int64_t columns, size_t elem)
{
  const tsr_matrix x = {*scratch, columns * (int64_t)elem, (int64_t)elem};
  *scratch += block_bytes(rows, columns, elem);
  return x;
}

/* Returns x, or a copy of it. */
static tsr_blas_matrix operand(tsr_matrix x, int64_t rows, int64_t columns, size_t elem,
                               char **scratch)
{
  tsr_blas_matrix out;
  if (fits_blas(x, rows, columns, (int64_t)elem, &out)) return out;
  const tsr_matrix to = dense(scratch, rows, columns, elem);
  copy_matrix(x, to, rows, columns, elem);
  fits_blas(to, rows, columns, (int64_t)elem, &out);
  return out;
}

static bool is_same_matrix(tsr_matrix x, tsr_matrix y)
{
  return x.at == y.at && x.row == y.row && x.column == y.column;
}

static void multiply_block(const tsr_task_shape *t, const tsr_matmul_product *p, char *scratch)
{
  const size_t elem = tsr__dtype_size(t->dtype);
  const tsr_blas_matrix a = operand(p->a, p->m, p->k, elem, &scratch);
  const tsr_blas_matrix b = operand(p->b, p->k, p->n, elem, &scratch);
  const bool direct = has_rows(p->c, p->m, p->n, (int64_t)elem);
  const tsr_matrix to = direct ? p->c : dense(&scratch, p->m, p->n, elem);
  if (p->from.at != NULL && !is_same_matrix(p->from, to))
    copy_matrix(p->from, to, p->m, p->n, elem);
  tsr_blas_matrix c;
  fits_blas(to, p->m, p->n, (int64_t)elem, &c);
  tsr__blas_multiply(t->blas, t->dtype, (const int64_t[]){p->m, p->n, p->k}, &a, &b, &c,
                     p->from.at != NULL);
  if (!direct) copy_matrix(to, p->c, p->m, p->n, elem);
}

/* Returns the product of the transposed matrices, for a result with dense columns. */
static tsr_matmul_product turned(const tsr_matmul_product *p)
{
  return (tsr_matmul_product){.m = p->n,
                              .n = p->m,
                              .k = p->k,
                              .a = transposed(p->b),
                              .b = transposed(p->a),
                              .c = transposed(p->c),
                              .from = transposed(p->from)};
}

bool tsr__matmul_blas_describe(tsr_dtype dtype, const tsr_matmul_product *product,
                               tsr_blas_product *out)
{
  const int64_t elem = (int64_t)tsr__dtype_size(dtype);
  tsr_matmul_product p = *product;
  if (p.m > INT_MAX || p.n > INT_MAX || p.k > INT_MAX) return false;
  if (!has_rows(p.c, p.m, p.n, elem)) p = turned(product);
  *out = (tsr_blas_product){
      .dtype = dtype, .m = (int)p.m, .n = (int)p.n, .k = (int)p.k, .adds = p.from.at != NULL};
  return has_rows(p.c, p.m, p.n, elem) && fits_blas(p.c, p.m, p.n, elem, &out->z) &&
         fits_blas(p.a, p.m, p.k, elem, &out->x) && fits_blas(p.b, p.k, p.n, elem, &out->y);
}

void tsr__matmul_blas(const tsr_task_shape *t, const tsr_matmul_product *product, char *scratch,
                      const tsr_task_pause *pause)
{
  const int64_t elem = (int64_t)tsr__dtype_size(t->dtype);
  tsr_matmul_product whole = *product;
  tsr_blas_matrix as;
  if (!has_rows(whole.c, whole.m, whole.n, elem) &&
      has_rows(transposed(whole.c), whole.n, whole.m, elem))
    whole = turned(product);
  const bool as_it_lies = fits_blas(whole.a, whole.m, whole.k, elem, &as) &&
                          fits_blas(whole.b, whole.k, whole.n, elem, &as) &&
                          has_rows(whole.c, whole.m, whole.n, elem);
  const int64_t rows = as_it_lies ? MOST : BLOCK;
  for (int64_t j = 0; j < whole.n; j += BLOCK)
    for (int64_t i = 0; i < whole.m; i += rows) {
      tsr_matmul_product p = whole;
      p.m = least(whole.m - i, rows);
      p.n = least(whole.n - j, BLOCK);
      p.a = tsr__matrix_moved(whole.a, i, 0);
      p.b = tsr__matrix_moved(whole.b, 0, j);
      p.c = tsr__matrix_moved(whole.c, i, j);
      p.from = tsr__matrix_moved(whole.from, i, j);
      multiply_block(t, &p, scratch);
      pause->call(pause->arg);
    }
}
