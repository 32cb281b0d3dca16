/* The task of matrix products. A product is computed in blocks anchored at index 0, whose lengths
 * follow from the whole shape: what a box holds of a block is computed as part of that block, so
 * that the bits of an element do not depend on the box.
 *
 * This library's own loops are that of the BLIS papers (Van Zee and van de Geijn, 2015): a block's
 * rows and columns are packed into the order in which a tile of the product, held in registers,
 * reads them. Every product is rounded before it is added, in order of k. */
#include "kernel/matmul.h"

#include "kernel/kernel_int.h"

enum { LINE = 64, MOST_TILE_BYTES = 12 * 2 * 64 };

/* Rows and columns of a block: as many as keep OpenBLAS busy, fewer where a cut between ranks would
 * have both compute a large part of the matrix. */
static void block_of(const tsr_task_shape *t, int64_t *rows, int64_t *columns)
{
  const int64_t m = t->shape[t->ndim - 3];
  *rows = m >= 2048 ? 256 : m >= 512 ? 128 : 64;
  *columns = 512;
}

void tsr__matmul_grain(const tsr_task_shape *t, int64_t *lengths)
{
  for (int i = 0; i < t->ndim - 3; i++) lengths[i] = 1;
  block_of(t, &lengths[t->ndim - 3], &lengths[t->ndim - 2]);
  const int64_t k = t->shape[t->ndim - 1];
  lengths[t->ndim - 1] = k > 0 ? k : 1;
}

static size_t packed_bytes(int64_t n, int64_t k, size_t elem)
{
  return ((size_t)n * (size_t)k * elem + LINE - 1) / LINE * LINE;
}

/* Room for the packed rows, columns and, for OpenBLAS, the block itself. Tiles overhang it. */
size_t tsr__matmul_scratch_bytes(const tsr_task_shape *t)
{
  int64_t rows, columns;
  block_of(t, &rows, &columns);
  const int64_t k = t->shape[t->ndim - 1];
  const size_t elem = tsr__dtype_size(t->dtype);
  const int64_t over = 2 * LINE;
  return packed_bytes(rows + over, k, elem) + packed_bytes(columns + over, k, elem) +
         packed_bytes(rows, columns, elem) + MOST_TILE_BYTES;
}

static tsr_matrix moved(tsr_matrix x, int64_t rows, int64_t columns)
{
  if (x.at) x.at += rows * x.row + columns * x.column;
  return x;
}

static void own_product(tsr_dtype dtype, const tsr_product *p, char *scratch)
{
  const tsr_matmul_loops *loops = &tsr__loops_get(0)->matmul[dtype];
  const size_t elem = tsr__dtype_size(dtype);
  const int64_t m = p->m_end - p->m_lo, n = p->n_end - p->n_lo;
  const int64_t rows = loops->rows, columns = loops->columns;
  char *tile = scratch, *a = tile + MOST_TILE_BYTES;
  char *b = a + packed_bytes((m + rows - 1) / rows * rows, p->k, elem);
  loops->pack(m, p->k, loops->rows, p->a, a);
  loops->pack(n, p->k, loops->columns, (tsr_matrix){p->b.at, p->b.column, p->b.row}, b);
  for (int64_t j = 0; j < n; j += columns)
    for (int64_t i = 0; i < m; i += rows) {
      loops->micro(p->k, a + (size_t)(i * p->k) * elem, b + (size_t)(j * p->k) * elem, tile);
      loops->put(m - i < rows ? m - i : rows, n - j < columns ? n - j : columns, tile,
                 loops->columns, moved(p->from, i, j), moved(p->c, i, j));
    }
}

/* Matrix `access` of the task, its rows and columns being axes of the domain. */
static tsr_matrix matrix_of(const tsr_kernel_bind *bind, int access, int rows, int columns)
{
  const int64_t *stride = bind->stride_bytes[access];
  return (tsr_matrix){bind->base[access], stride[rows], stride[columns]};
}

/* The box's part of one pair of matrices, block by block. */
static void run_pair(const tsr_task_shape *t, const tsr_kernel_bind *bind, const tsr_product *whole,
                     void *scratch)
{
  const int mi = t->ndim - 3, ni = t->ndim - 2;
  const int64_t m_end = bind->lo[mi] + bind->n[mi], n_end = bind->lo[ni] + bind->n[ni];
  int64_t rows, columns;
  block_of(t, &rows, &columns);
  for (int64_t i = bind->lo[mi] / rows * rows; i < m_end; i += rows)
    for (int64_t j = bind->lo[ni] / columns * columns; j < n_end; j += columns) {
      tsr_product p = *whole;
      p.m = t->shape[mi] - i < rows ? t->shape[mi] - i : rows;
      p.n = t->shape[ni] - j < columns ? t->shape[ni] - j : columns;
      p.m_lo = i < bind->lo[mi] ? bind->lo[mi] - i : 0;
      p.n_lo = j < bind->lo[ni] ? bind->lo[ni] - j : 0;
      p.m_end = i + p.m > m_end ? m_end - i : p.m;
      p.n_end = j + p.n > n_end ? n_end - j : p.n;
      const int64_t down = i + p.m_lo - bind->lo[mi], right = j + p.n_lo - bind->lo[ni];
      p.a = moved(p.a, down, 0);
      p.b = moved(p.b, 0, right);
      p.c = moved(p.c, down, right);
      p.from = moved(p.from, down, right);
      if (!tsr__blas_product(t->dtype, &p, scratch)) own_product(t->dtype, &p, scratch);
    }
}

void tsr__matmul_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch)
{
  const int mi = t->ndim - 3, ni = t->ndim - 2, ki = t->ndim - 1;
  tsr_product p = {.k = bind->n[ki],
                   .a = matrix_of(bind, 0, mi, ki),
                   .b = matrix_of(bind, 1, ki, ni),
                   .c = matrix_of(bind, t->n_in, mi, ni)};
  if (t->n_in == 3) p.from = matrix_of(bind, 2, mi, ni);
  int64_t at[TSR_MAX_NDIM] = {0};
  for (;;) {
    run_pair(t, bind, &p, scratch);
    int k = mi - 1; /* the next pair of the batch */
    for (; k >= 0; k--) {
      const bool wraps = ++at[k] == bind->n[k];
      const int64_t by = wraps ? 1 - bind->n[k] : 1;
      tsr_matrix *const matrices[] = {&p.a, &p.b, &p.from, &p.c};
      const int accesses[] = {0, 1, 2, t->n_in};
      for (int i = 0; i < 4; i++)
        if (i != 2 || t->n_in == 3) matrices[i]->at += by * bind->stride_bytes[accesses[i]][k];
      if (!wraps) break;
      at[k] = 0;
    }
    if (k < 0) return;
  }
}
