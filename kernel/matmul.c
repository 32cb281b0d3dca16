/* The task of matrix products, after the BLIS papers (Van Zee and van de Geijn, 2015): rows and
 * columns are packed into the order in which a tile of the product, held in registers, reads them.
 *
 * An element is a chain of operations over k that no other element has part in, so its bits depend
 * neither on the box nor on how it is cut. Floats are multiplied and added with one rounding, as
 * BLAS libraries do on processors that can; where they cannot, that is slow, and the same. */
#include "kernel/matmul.h"

#include "kernel/kernel_int.h"

enum {
  LINE = 64,
  TILE_BYTES = 14 * 2 * LINE, /* at most */
  BLOCK_ROWS = 168, /* packed at a time: whole tiles; with 512 of k they fit a second-level cache */
  BLOCK_COLUMNS = 512
};

void tsr__matmul_grain(const tsr_task_shape *t, int64_t *lengths)
{
  for (int i = 0; i < t->ndim; i++) lengths[i] = 1;
  lengths[t->ndim - 3] = 64;
  lengths[t->ndim - 2] = 256;
  lengths[t->ndim - 1] = t->shape[t->ndim - 1] > 0 ? t->shape[t->ndim - 1] : 1;
}

bool tsr__matmul_takes(tsr_dtype dtype)
{
  return tsr__loops_get(0)->matmul[dtype].micro != NULL;
}

/* Of n rows or columns, and as many more as fill the last tile. */
static size_t packed_bytes(int64_t n, int64_t k, size_t elem)
{
  return (size_t)(n + 2 * LINE) * (size_t)k * elem / LINE * LINE + LINE;
}

size_t tsr__matmul_scratch_bytes(const tsr_task_shape *t)
{
  const int64_t k = t->shape[t->ndim - 1];
  const size_t elem = tsr__dtype_size(t->dtype);
  return TILE_BYTES + packed_bytes(BLOCK_ROWS, k, elem) + packed_bytes(BLOCK_COLUMNS, k, elem);
}

static tsr_matrix moved(tsr_matrix x, int64_t rows, int64_t columns)
{
  if (x.at) x.at += rows * x.row + columns * x.column;
  return x;
}

/* c = from + a * b, all of these m x k, k x n, m x n. */
typedef struct product {
  int64_t m, n, k;
  tsr_matrix a, b, c, from;
} product;

static void multiply_block(const tsr_matmul_loops *loops, size_t elem, const product *p,
                           const char *a, const char *b, char *tile, const tsr_task_pause *pause)
{
  for (int64_t j = 0; j < p->n; j += loops->columns) {
    for (int64_t i = 0; i < p->m; i += loops->rows) {
      for (int64_t r = i; r < p->m && r < i + loops->rows; r++) { /* it is written soon */
        const char *row = p->c.at + r * p->c.row + j * p->c.column;
        __builtin_prefetch(row, 1);
        __builtin_prefetch(row + LINE, 1);
      }
      loops->micro(p->k, a + (size_t)(i * p->k) * elem, b + (size_t)(j * p->k) * elem, tile);
      loops->put(p->m - i < loops->rows ? p->m - i : loops->rows,
                 p->n - j < loops->columns ? p->n - j : loops->columns, tile, moved(p->from, i, j),
                 moved(p->c, i, j));
    }
    pause->call(pause->arg);
  }
}

static void multiply(tsr_dtype dtype, const product *whole, char *scratch,
                     const tsr_task_pause *pause)
{
  const tsr_matmul_loops *loops = &tsr__loops_get(0)->matmul[dtype];
  const size_t elem = tsr__dtype_size(dtype);
  char *a = scratch + TILE_BYTES, *b = a + packed_bytes(BLOCK_ROWS, whole->k, elem);
  for (int64_t j = 0; j < whole->n; j += BLOCK_COLUMNS) {
    product p = *whole;
    p.n = whole->n - j < BLOCK_COLUMNS ? whole->n - j : BLOCK_COLUMNS;
    loops->pack_columns(p.n, p.k, moved(p.b, 0, j), b);
    for (int64_t i = 0; i < whole->m; i += BLOCK_ROWS) {
      p.m = whole->m - i < BLOCK_ROWS ? whole->m - i : BLOCK_ROWS;
      p.c = moved(whole->c, i, j);
      p.from = moved(whole->from, i, j);
      loops->pack_rows(p.m, p.k, moved(p.a, i, 0), a);
      multiply_block(loops, elem, &p, a, b, scratch, pause);
    }
  }
}

/* Matrix `access` of the task, its rows and columns being axes of the domain. */
static tsr_matrix matrix_of(const tsr_kernel_bind *bind, int access, int rows, int columns)
{
  const int64_t *stride = bind->stride_bytes[access];
  return (tsr_matrix){bind->base[access], stride[rows], stride[columns]};
}

void tsr__matmul_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                     const tsr_task_pause *pause)
{
  const int mi = t->ndim - 3, ni = t->ndim - 2, ki = t->ndim - 1;
  product p = {.m = bind->n[mi],
               .n = bind->n[ni],
               .k = bind->n[ki],
               .a = matrix_of(bind, 0, mi, ki),
               .b = matrix_of(bind, 1, ki, ni),
               .c = matrix_of(bind, t->n_in, mi, ni)};
  if (t->n_in == 3) p.from = matrix_of(bind, 2, mi, ni);
  char **const at[] = {&p.a.at, &p.b.at, &p.c.at, &p.from.at};
  const int access[] = {0, 1, t->n_in, 2};
  int64_t index[TSR_MAX_NDIM] = {0};
  for (int k = 0; k >= 0;) { /* pairs of the batch */
    multiply(t->dtype, &p, scratch, pause);
    for (k = mi - 1; k >= 0; k--) {
      const bool wraps = ++index[k] == bind->n[k];
      for (int i = 0; i < t->n_in + 1; i++)
        *at[i] += (wraps ? 1 - bind->n[k] : 1) * bind->stride_bytes[access[i]][k];
      if (!wraps) break;
      index[k] = 0;
    }
  }
}
