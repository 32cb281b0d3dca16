/* The task of matrix products, after the BLIS papers (Van Zee and van de Geijn, 2015): rows and
 * columns are packed in the order in which the loops read them for a tile of the product, which is
 * held in registers. Small products are computed from where their operands lie.
 *
 * An element is its own chain of operations over k, so its bits depend neither on the box nor on
 * how the box is cut. Floats are multiplied and added with one rounding, as BLAS libraries do on
 * processors with such an instruction; on others this is slow, with the same bits. A part of a
 * complex element is two such chains, added one after the other. */
#include "kernel/library/matmul.h"
#include "runtime/base/error.h"
#include "runtime/base/walk.h"

enum {
  LINE = 64,
  TILE_BYTES = 14 * 2 * LINE, /* the largest tile */
  BLOCK_ROWS = 168,           /* whole tiles packed at a time; with 512 of k they fit an L2 cache;
                               * of elements of 4 bytes twice as many, and of 16 half as many */
  BLOCK_COLUMNS = 2048,       /* columns packed at a time, for all rows of a box; of elements of 16
                               * bytes half as many */
  SMALL_BYTES = 36 << 10,     /* of columns that are read where they lie */
  FEW_ROWS = 24,              /* of a product whose columns are not packed */
  FEW_BLOCK = 16,             /* tiles of its columns between two pauses */
  SMALL_BLOCK = 512,          /* rows of a small product between two pauses */
  SMALL_BATCH = 64,           /* and products of a batch */
  SMALL_ROWS = 80             /* rows up to which packing does not pay */
};

void tsr__matmul_grain(const tsr_task_shape *t, int64_t *lengths)
{
  TSR_ASSERT(t->ndim >= 3);
  for (int i = 0; i < t->ndim; i++) lengths[i] = 1;
  lengths[t->ndim - 3] = 64;
  lengths[t->ndim - 2] = 256;
  lengths[t->ndim - 1] = t->shape[t->ndim - 1] > 0 ? t->shape[t->ndim - 1] : 1;
}

/* Returns the best loops that this processor can run. */
static const tsr_matmul_loops *loops_of(tsr_dtype dtype)
{
  static const tsr_matmul_loops *const tables[TSR_N_ISAS] = {[TSR_ISA_BASELINE] =
                                                                 tsr__matmul_baseline,
                                                             [TSR_ISA_AVX2] = tsr__matmul_avx2,
                                                             [TSR_ISA_AVX512] = tsr__matmul_avx512};
  return &tables[tsr__isa_get(0)][dtype];
}

bool tsr__matmul_takes(tsr_dtype dtype)
{
  return loops_of(dtype)->micro != NULL;
}

static size_t packed_bytes(int64_t n, int64_t k, size_t elem)
{
  return (size_t)n * (size_t)k * elem / LINE * LINE + LINE;
}

static int64_t block_of(int64_t most, size_t elem)
{
  return elem > 8 ? most / 2 : most;
}

static int64_t block_rows(size_t elem)
{
  return elem == 4 ? 2 * BLOCK_ROWS : block_of(BLOCK_ROWS, elem);
}

size_t tsr__matmul_scratch_bytes(const tsr_task_shape *t)
{
  if (tsr__matmul_by_blas(t)) return tsr__matmul_blas_scratch_bytes(t);
  const int64_t whole = t->shape[t->ndim - 1];
  const int64_t k = whole < TSR_MATMUL_PANEL ? whole : TSR_MATMUL_PANEL;
  const size_t elem = tsr__dtype_size(t->dtype);
  const int64_t fill = 2 * LINE; /* padding of the last tile */
  const int64_t n = t->shape[t->ndim - 2];
  const int64_t rows = block_rows(elem), columns = block_of(BLOCK_COLUMNS, elem);
  int64_t m = 1; /* a batch's rows may be those of one product */
  for (int i = 0; i < t->ndim - 2 && m < rows; i++) m *= t->shape[i];
  return TILE_BYTES + packed_bytes((m < rows ? m : rows) + fill, k, elem) +
         packed_bytes((n < columns ? n : columns) + fill, k, elem);
}

/* Is the product cheaper without packing? The columns of b then stay in the first-level cache. They
 * are contiguous, or few. */
static bool is_small(const tsr_matmul_loops *loops, const tsr_matmul_product *p, size_t elem)
{
  const bool is_dense = p->b.column == (int64_t)elem;
  return p->n * p->k * (int64_t)elem <= SMALL_BYTES && (is_dense || p->n <= 4) &&
         (p->m <= SMALL_ROWS || p->n < loops->columns);
}

/* Multiplies block p of the product, whose rows are packed at a. The first block of rows also packs
 * the columns to b: each group before its use, and prefetched while the previous group is
 * multiplied. Where it is the only one, the groups take turns in the memory of the first. */
static void multiply_block(const tsr_matmul_loops *loops, size_t elem, const tsr_matmul_product *p,
                           const char *a, char *b, char *tile, bool first, bool only,
                           const tsr_task_pause *pause)
{
  const int64_t group_bytes = only ? 0 : loops->columns * p->k * (int64_t)elem;
  for (int64_t j = 0; j < p->n; j += loops->columns, b += group_bytes) {
    const int64_t n = p->n - j < loops->columns ? p->n - j : loops->columns;
    if (first) loops->pack_columns(n, p->k, tsr__matrix_moved(p->b, 0, j), b);
    tsr_matmul_soon soon = {.next = {b + group_bytes, loops->columns * (int64_t)elem, 0}};
    if (first) soon.next = tsr__matrix_moved(p->b, 0, j + loops->columns);
    if (n < loops->columns || j + n == p->n) soon.next = (tsr_matrix){b, 0, 0};
    for (int64_t i = 0; i < p->m; i += loops->rows) {
      const int64_t m = p->m - i < loops->rows ? p->m - i : loops->rows;
      soon.rows = tsr__matrix_moved(p->c, i, j);
      loops->micro(p->k, a + (size_t)(i * p->k) * elem, b, tile, &soon);
      loops->put(m, n, tile, tsr__matrix_moved(p->from, i, j), soon.rows);
      soon.next.at += p->k / 16 * 2 * soon.next.row;
    }
    pause->call(pause->arg);
  }
}

/* Returns the length of blocks of n: whole tiles, at most `most`, and as equal as possible. */
static int64_t even(int64_t n, int64_t most, int tile)
{
  const int64_t n_blocks = (n + most - 1) / most, each = (n + n_blocks - 1) / n_blocks;
  TSR_ASSERT(n_blocks > 0 && tile > 0);
  return (each + tile - 1) / tile * tile;
}

/* Are there so few rows that they use their columns too seldom for packing? */
static bool has_few_rows(const tsr_matmul_loops *loops, const tsr_matmul_product *p, size_t elem)
{
  return p->m <= FEW_ROWS && p->n >= loops->columns && p->b.column == (int64_t)elem;
}

static void multiply_few_rows(const tsr_matmul_loops *loops, const tsr_matmul_product *whole,
                              const tsr_task_pause *pause)
{
  const int64_t columns = even(whole->n, FEW_BLOCK * loops->columns, loops->columns);
  tsr_matmul_product p = *whole;
  for (int64_t j = 0; j < whole->n; j += columns) {
    p.n = whole->n - j < columns ? whole->n - j : columns;
    p.b = tsr__matrix_moved(whole->b, 0, j);
    p.c = tsr__matrix_moved(whole->c, 0, j);
    p.from = tsr__matrix_moved(whole->from, 0, j);
    loops->small(&p);
    pause->call(pause->arg);
  }
}

static void multiply_small(const tsr_matmul_loops *loops, const tsr_matmul_product *whole,
                           const tsr_task_pause *pause)
{
  tsr_matmul_product p = *whole;
  for (int64_t i = 0; i < whole->m; i += SMALL_BLOCK) {
    p.m = whole->m - i < SMALL_BLOCK ? whole->m - i : SMALL_BLOCK;
    p.a = tsr__matrix_moved(whole->a, i, 0);
    p.c = tsr__matrix_moved(whole->c, i, 0);
    p.from = tsr__matrix_moved(whole->from, i, 0);
    loops->small(&p);
    if (p.m == SMALL_BLOCK) pause->call(pause->arg);
  }
}

static void multiply(tsr_dtype dtype, const tsr_matmul_product *whole, char *scratch,
                     const tsr_task_pause *pause)
{
  const tsr_matmul_loops *loops = loops_of(dtype);
  const size_t elem = tsr__dtype_size(dtype);
  if (is_small(loops, whole, elem)) {
    multiply_small(loops, whole, pause);
    return;
  }
  if (has_few_rows(loops, whole, elem)) {
    multiply_few_rows(loops, whole, pause);
    return;
  }
  TSR_ASSERT(loops->micro && (size_t)(loops->rows * loops->columns) * elem <= TILE_BYTES);
  const int64_t rows = even(whole->m, block_rows(elem), loops->rows);
  const int64_t columns = even(whole->n, block_of(BLOCK_COLUMNS, elem), loops->columns);
  char *a = scratch + TILE_BYTES, *b = a + packed_bytes(rows, whole->k, elem);
  for (int64_t j = 0; j < whole->n; j += columns) {
    tsr_matmul_product p = *whole;
    p.n = whole->n - j < columns ? whole->n - j : columns;
    p.b = tsr__matrix_moved(whole->b, 0, j);
    for (int64_t i = 0; i < whole->m; i += rows) {
      p.m = whole->m - i < rows ? whole->m - i : rows;
      p.c = tsr__matrix_moved(whole->c, i, j);
      p.from = tsr__matrix_moved(whole->from, i, j);
      loops->pack_rows(p.m, p.k, tsr__matrix_moved(p.a, i, 0), a);
      multiply_block(loops, elem, &p, a, b, scratch, i == 0, whole->m <= rows, pause);
    }
  }
}

/* Returns matrix `access` of the task. Its rows and columns are axes of the domain. */
static tsr_matrix matrix_of(const tsr_kernel_bind *bind, int access, int rows, int columns)
{
  const int64_t *stride = bind->stride_bytes[access];
  return (tsr_matrix){bind->base[access], stride[rows], stride[columns]};
}

/* Do the rows of a matrix go on where they end along a batch's axis? */
static bool goes_on(const tsr_matrix *x, int64_t m, int64_t stride)
{
  return x->at == NULL || stride == m * x->row;
}

/* The rows of all products of a batch that share b are the rows of one, if they lie so. Returns the
 * number of the batch's axes that are left. */
static int merge_batch(tsr_matmul_product *p, const tsr_kernel_bind *bind, int n_axes, int n_in)
{
  for (; n_axes > 0; n_axes--) {
    const int axis = n_axes - 1;
    const int64_t n = bind->n[axis], a = bind->stride_bytes[0][axis],
                  c = bind->stride_bytes[n_in][axis], from = bind->stride_bytes[2][axis];
    if (n == 1) continue;
    if (bind->stride_bytes[1][axis] != 0) break;
    if (p->m == 1) {
      p->a.row = a;
      p->c.row = c;
      p->from.row = from;
    } else if (!goes_on(&p->a, p->m, a) || !goes_on(&p->c, p->m, c) ||
               !goes_on(&p->from, p->m, from)) {
      break;
    }
    p->m *= n;
  }
  return n_axes;
}

/* Multiplies by panels of k: each is a chain of its own, added to what the last one left. */
static void multiply_panels(const tsr_task_shape *t, const tsr_matmul_product *whole, char *scratch,
                            const tsr_task_pause *pause)
{
  tsr_matmul_product p = *whole;
  for (int64_t k = 0; k < whole->k || k == 0; k += TSR_MATMUL_PANEL, p.from = p.c) {
    p.k = whole->k - k < TSR_MATMUL_PANEL ? whole->k - k : TSR_MATMUL_PANEL;
    p.a = tsr__matrix_moved(whole->a, 0, k);
    p.b = tsr__matrix_moved(whole->b, k, 0);
    if (tsr__matmul_by_blas(t))
      tsr__matmul_blas(t, &p, scratch, pause);
    else
      multiply(t->dtype, &p, scratch, pause);
  }
}

void tsr__matmul_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                     const tsr_task_pause *pause)
{
  const int mi = t->ndim - 3, ni = t->ndim - 2, ki = t->ndim - 1;
  TSR_ASSERT(mi >= 0 && (t->n_in == 2 || t->n_in == 3));
  tsr_matmul_product p = {.m = bind->n[mi],
                          .n = bind->n[ni],
                          .k = bind->n[ki],
                          .a = matrix_of(bind, 0, mi, ki),
                          .b = matrix_of(bind, 1, ki, ni),
                          .c = matrix_of(bind, t->n_in, mi, ni)};
  if (t->n_in == 3) p.from = matrix_of(bind, 2, mi, ni);
  const bool by_blas = tsr__matmul_by_blas(t);
  const int n_batch = by_blas ? mi : merge_batch(&p, bind, mi, t->n_in);
  char **const at[] = {&p.a.at, &p.b.at, &p.c.at, &p.from.at};
  const int access[] = {0, 1, t->n_in, 2};
  tsr_walk w = tsr__walk_rows(n_batch, bind->n);
  int64_t n_done = 0;
  for (int k = 0; k >= 0;) { /* over the matrices of the batch */
    if (++n_done % SMALL_BATCH == 0) pause->call(pause->arg);
    multiply_panels(t, &p, scratch, pause);
    k = tsr__walk_next(&w);
    for (int i = 0; i < t->n_in + 1 && k >= 0; i++)
      *at[i] += tsr__walk_change(&w, k, bind->stride_bytes[access[i]]);
  }
}
