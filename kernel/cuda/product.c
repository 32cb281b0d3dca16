/* Binds a product of matrices to memory for a launch. A block computes a square tile of the
 * product, small ones where there are few, so that all of a device has something to do. */
#include "kernel/cuda/product.h"

#include "kernel/ir/panel.h"
#include "runtime/base/error.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL_TILE = 64, LARGE_TILE = 128, MANY_TILES = 128, MOST_BATCH_BLOCKS = 65535 };
enum { DEEP = 16 /* steps of a part */ };
enum { MOST_PIECES = 1 << 30 }; /* of 16 bytes, from one that a thread copies to another one */

bool tsr__cuda_has_product(tsr_dtype dtype)
{
  return dtype == TSR_DTYPE_FLOAT32 || dtype == TSR_DTYPE_FLOAT64;
}

bool tsr__cuda_is_mma_exact(const char *architecture)
{
  /* Those on which instructions and chains were compared (tests/gpu/probe.c), and C, whose word for
   * the instruction is a chain. */
  static const char *const proven[] = {"sm_90", "c"};
  for (size_t i = 0; i < sizeof proven / sizeof *proven; i++)
    if (strcmp(architecture, proven[i]) == 0) return true;
  return false;
}

static int64_t tiles_of(int64_t n, int64_t tile)
{
  return (n + tile - 1) / tile;
}

/* Returns whether a matrix of each product of the batch begins, and moves along one of its axes, by
 * multiples of 16 bytes. */
static bool is_aligned(const tsr_cuda_launch *launch, int matrix, bool along_columns)
{
  const int64_t *words = launch->words;
  int64_t bytes =
      words[TSR_PRODUCT_BASE + matrix] | words[TSR_PRODUCT_STRIDE + 2 * matrix + along_columns];
  for (int i = 0; i < launch->form.n_axes; i++)
    bytes |= words[TSR_PRODUCT_BATCH + i * TSR_PRODUCT_BATCH_WORDS + 1 + matrix];
  return bytes % 16 == 0;
}

static bool is_wide(const tsr_cuda_launch *launch, int matrix, int64_t size)
{
  return launch->words[TSR_PRODUCT_STRIDE + 2 * matrix + 1] == size &&
         is_aligned(launch, matrix, false);
}

bool tsr__cuda_product_stage(const tsr_kernel *k, const tsr_cuda_stages *stages,
                             tsr_cuda_launch *launch)
{
  enum { LEFT, RIGHT, RESULT, FROM };
  const tsr_dtype dtype = (tsr_dtype)k->accesses[k->n_accesses - 1].dtype;
  const int64_t *words = launch->words, size = (int64_t)tsr__dtype_size(dtype), wide = 16 / size;
  tsr_cuda_product *p = &launch->form.product;
  const bool turned[] = {p->left_turned, p->right_turned};
  if (dtype == TSR_DTYPE_FLOAT64 && !p->by_mma) return false;
  if (words[2] == 0 || words[2] % stages->depth != 0) return false;
  for (int x = LEFT; x <= RIGHT; x++) {
    const bool of_columns = (x == LEFT) == turned[x]; /* is its unit stride the columns'? */
    if (words[TSR_PRODUCT_STRIDE + 2 * x + of_columns] != size) return false;
    if (!is_aligned(launch, x, !of_columns)) return false;
    if (!turned[x] && words[x] % wide != 0) return false;
    const int64_t line = llabs(words[TSR_PRODUCT_STRIDE + 2 * x + !of_columns]) / 16;
    if (line > MOST_PIECES / (turned[x] ? words[x] : stages->depth)) return false;
  }
  p->tile = stages->rows;
  p->stages = *stages;
  const int shared_bytes = tsr__cuda_stages_bytes(p, (int)size);
  launch->shared_bytes = shared_bytes > TSR_CUDA_SHARED_BYTES ? (uint32_t)shared_bytes : 0;
  p->wide = is_wide(launch, RESULT, size) && (!p->adds || is_wide(launch, FROM, size)) &&
            words[1] % wide == 0 && (size == 8 || !p->right_turned);
  launch->grid[0] =
      (uint32_t)(tiles_of(words[0], stages->rows) * tiles_of(words[1], stages->columns));
  return true;
}

/* The stages of operands that have them, as registers allow: 128 of a thread where a processor has
 * two blocks. Those of float64 ask for at most 90 KB of shared memory, which two blocks of a
 * processor have on the architecture whose matrix instructions are taken. */
static tsr_cuda_stages stages_of(tsr_dtype dtype, bool is_large, const tsr_cuda_product *p,
                                 int64_t steps)
{
  if (!is_large)
    return (tsr_cuda_stages){
        .n = 3, .rows = 64, .columns = 64, .depth = DEEP, .warps_down = 2, .blocks = 1};
  const bool is_f32 = dtype == TSR_DTYPE_FLOAT32;
  /* Shapes whose inner loop takes more registers than the others': of float32 two blocks, of float64
   * deep stages do not fit beside it. */
  const bool has_many_registers =
      is_f32 ? p->panels && p->left_turned : p->adds && !p->left_turned && !p->right_turned;
  const bool is_deep = steps % DEEP == 0 && (is_f32 || !has_many_registers);
  return (tsr_cuda_stages){.n = is_deep ? 3 : 4,
                           .rows = 128,
                           .columns = is_f32 ? 128 : 64,
                           .depth = is_deep ? DEEP : DEEP / 2,
                           .warps_down = 4,
                           .blocks = is_f32 && (p->right_turned || has_many_registers) ? 1 : 2,
                           .band = 8,
                           .ahead = is_f32};
}

/* The matrices of a product, in the order of the launch's words: the accesses that they are (-1:
 * none is added to), and the axes that are their rows and columns. */
typedef struct matrices {
  int access[4], rows[4], columns[4];
} matrices;

/* Writes where the matrices begin, at step `first`, and how they move along their rows, their
 * columns and the axes of the batch. */
static void write_matrices(const tsr_kernel_bind *bind, const matrices *x, int n_axes,
                           int64_t first, int64_t *words)
{
  const int steps_axis = x->columns[0];
  for (int i = 0; i < n_axes; i++)
    words[TSR_PRODUCT_BATCH + i * TSR_PRODUCT_BATCH_WORDS] = bind->n[i];
  for (int at = 0; at < 4; at++) {
    const int64_t *stride = x->access[at] >= 0 ? bind->stride_bytes[x->access[at]] : NULL;
    for (int i = 0; i < n_axes; i++)
      words[TSR_PRODUCT_BATCH + i * TSR_PRODUCT_BATCH_WORDS + 1 + at] = stride ? stride[i] : 0;
    if (stride == NULL) continue;
    words[TSR_PRODUCT_BASE + at] =
        (int64_t)(intptr_t)bind->base[x->access[at]] + (at < 2 ? first * stride[steps_axis] : 0);
    words[TSR_PRODUCT_STRIDE + 2 * at] = stride[x->rows[at]];
    words[TSR_PRODUCT_STRIDE + 2 * at + 1] = stride[x->columns[at]];
  }
}

/* Chooses the size of a block's tile for as many products as a batch has. */
static int choose_tile(int64_t m, int64_t n, int64_t n_batch)
{
  const int64_t n_large = tiles_of(m, LARGE_TILE) * tiles_of(n, LARGE_TILE) * n_batch;
  return n_large < MANY_TILES ? SMALL_TILE : LARGE_TILE;
}

/* Binds `steps` steps from `first` on. What those before made is added to. tile: 0: it is
 * chosen. */
static bool make_steps(const tsr_kernel *k, const tsr_kernel_bind *bind, bool exact_mma, int tile,
                       int64_t first, int64_t steps, tsr_cuda_launch *launch)
{
  const int mi = k->ndim - 3, ni = k->ndim - 2, ki = k->ndim - 1, result = k->n_accesses - 1;
  TSR_ASSERT(mi >= 0 && (result == 2 || result == 3));
  const tsr_dtype dtype = (tsr_dtype)k->accesses[result].dtype;
  const int64_t size = (int64_t)tsr__dtype_size(dtype), m = bind->n[mi], n = bind->n[ni];
  const matrices x = {.access = {0, 1, result,
                                 first > 0     ? result
                                 : result == 3 ? 2
                                               : -1},
                      .rows = {mi, ki, mi, mi},
                      .columns = {ki, ni, ni, ni}};
  int64_t n_batch = 1;
  for (int i = 0; i < mi; i++) n_batch *= bind->n[i];
  if (!tsr__cuda_has_product(dtype) || m <= 0 || n <= 0 || n_batch <= 0) return false;
  memset(&launch->form, 0, sizeof launch->form);
  memset(launch->words, 0, TSR_PRODUCT_BATCH * sizeof *launch->words);
  memcpy(launch->words, (int64_t[]){m, n, steps, n_batch}, 4 * sizeof *launch->words);
  write_matrices(bind, &x, mi, first, launch->words);
  launch->n_words = TSR_PRODUCT_BATCH + mi * TSR_PRODUCT_BATCH_WORDS;
  launch->shared_bytes = 0;
  const bool chooses = tile == 0;
  if (chooses) tile = choose_tile(m, n, n_batch);
  launch->form.n_axes = (uint8_t)mi;
  launch->form.product = (tsr_cuda_product){.tile = (uint8_t)tile,
                                            .adds = x.access[3] >= 0,
                                            .panels = steps > TSR_MATMUL_PANEL,
                                            .by_mma = exact_mma && dtype == TSR_DTYPE_FLOAT64,
                                            .left_turned = bind->stride_bytes[0][ki] == size,
                                            .right_turned = bind->stride_bytes[1][ki] == size};
  launch->n_form = (int32_t)offsetof(tsr_cuda_form, classes);
  launch->grid[0] = (uint32_t)(tiles_of(m, tile) * tiles_of(n, tile));
  launch->grid[1] = (uint32_t)(n_batch < MOST_BATCH_BLOCKS ? n_batch : MOST_BATCH_BLOCKS);
  if (!chooses) return true;
  const tsr_cuda_stages stages = stages_of(dtype, tile == LARGE_TILE, &launch->form.product, steps);
  tsr__cuda_product_stage(k, &stages, launch);
  return true;
}

bool tsr__cuda_product_make(const tsr_kernel *k, const tsr_kernel_bind *bind, bool exact_mma,
                            int tile, tsr_cuda_launch *launch)
{
  return make_steps(k, bind, exact_mma, tile, 0, bind->n[k->ndim - 1], launch);
}

bool tsr__cuda_product_launch(const tsr_kernel *k, const tsr_kernel_bind *bind, bool exact_mma,
                              int64_t *first, tsr_cuda_launch *launch)
{
  const int ki = k->ndim - 1;
  const tsr_dtype dtype = (tsr_dtype)k->accesses[k->n_accesses - 1].dtype;
  const int64_t size = (int64_t)tsr__dtype_size(dtype);
  const bool goes_by_panels = dtype == TSR_DTYPE_FLOAT32 && bind->stride_bytes[0][ki] == size &&
                              bind->stride_bytes[1][ki] != size;
  int64_t steps = bind->n[ki] - *first;
  /* Where a processor would have one block only, as registers are few, panels one by one are faster.
   * Else only what deep stages do not divide comes by itself: the steps behind the last panel. */
  if (steps > TSR_MATMUL_PANEL && goes_by_panels)
    steps = TSR_MATMUL_PANEL;
  else if (steps > TSR_MATMUL_PANEL && steps % DEEP != 0)
    steps -= steps % TSR_MATMUL_PANEL;
  if (!make_steps(k, bind, exact_mma, 0, *first, steps, launch)) return false;
  *first += steps;
  return true;
}
