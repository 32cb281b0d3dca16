/* Random problems of reductions, and a recursive reading of the tree's definition, with which
 * partials must agree bit by bit. */
#ifndef TEST_PARTIALS_H
#define TEST_PARTIALS_H

#include "kernel/reduce/reduce.h"
#include "tests/support/draw.h"

/** Values to reduce, and how. */
typedef struct partials_problem {
  int ndim;
  int64_t shape[TSR_MAX_NDIM];
  uint32_t mask;
  tsr_reduction op;
  tsr_dtype dtype, result;
  size_t bytes, result_bytes;
  int64_t volume;
  char *data;
} partials_problem;

/** Fill n elements; `small`: with few different numbers, `nan`: with NaN and infinities, too. */
void partials_fill(uint64_t *seed, tsr_dtype dtype, bool small, bool nan, int64_t n, char *out);
/** Draw the length of an axis, often beside a power of two. */
int64_t partials_draw_length(uint64_t *seed, int64_t most);
/** Draw a problem, whose data the caller frees. */
void partials_draw(uint64_t *seed, partials_problem *q);
tsr_box partials_whole_box(const partials_problem *q);
/** Add the values of a box, of every other box from memory that must stay as it is. */
void partials_add_box(const partials_problem *q, tsr_partials *p, const tsr_box *b);
/** Cut one box of the list in two at a random place, n times. */
void partials_cut(uint64_t *seed, tsr_boxes *list, int64_t n);
void partials_shuffle(uint64_t *seed, tsr_boxes *list);
tsr_partials *partials_create(const partials_problem *q, const tsr_box *kept);
/** The partials as bytes, which the caller frees. */
void *partials_packed(const tsr_partials *p, size_t *n_bytes);
/** dst := dst + src, by either of the two ways; src is gone. */
void partials_merge(uint64_t *seed, tsr_partials *dst, tsr_partials *src);
/** The result is that of the tree, bit by bit. seed: for the message. */
void partials_check(const partials_problem *q, const tsr_partials *p, uint64_t seed);

#endif
