/* The task that takes elements by their position. The domain has the axes of the result and, last,
 * the axis of the elements, which is not cut. */
#include "kernel/library/task.h"
#include "runtime/base/error.h"
#include "runtime/base/walk.h"

#include <string.h>

void tsr__take_grain(const tsr_task_shape *t, int64_t *lengths)
{
  tsr__task_grain(t, t->ndim - 1, t->ndim - 1, lengths);
}

/* A row of the result with `n` points. */
typedef struct row {
  const char *from; /* element 0 */
  int64_t from_stride, n_from;
  const char *numbers;
  int64_t numbers_stride;
  char *to;
  int64_t to_stride, n;
} row;

/* The compiler makes a loop of it for each size of an element. */
static inline __attribute__((always_inline)) void take_elems(const row *r, size_t bytes)
{
  for (int64_t i = 0; i < r->n; i++) {
    int64_t number;
    memcpy(&number, r->numbers + i * r->numbers_stride, sizeof number);
    char *to = r->to + i * r->to_stride;
    if ((uint64_t)number < (uint64_t)r->n_from)
      memcpy(to, r->from + number * r->from_stride, bytes);
    else
      memset(to, 0, bytes);
  }
}

static void take_row(const row *r, size_t bytes)
{
  switch (bytes) {
  case 1:
    take_elems(r, 1);
    return;
  case 2:
    take_elems(r, 2);
    return;
  case 4:
    take_elems(r, 4);
    return;
  case 8:
    take_elems(r, 8);
    return;
  default:
    TSR_ASSERT(bytes == 16);
    take_elems(r, 16);
  }
}

void tsr__take_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                   const tsr_task_pause *pause)
{
  (void)scratch;
  (void)pause; /* a row is short, so it does not pause */
  enum { FROM, NUMBERS, TO };
  const int last = t->ndim - 1, inner = last - 1;
  row r = {.from = bind->base[FROM],
           .from_stride = bind->stride_bytes[FROM][last],
           .n_from = bind->n[last],
           .numbers_stride = inner >= 0 ? bind->stride_bytes[NUMBERS][inner] : 0,
           .to_stride = inner >= 0 ? bind->stride_bytes[TO][inner] : 0,
           .n = inner >= 0 ? bind->n[inner] : 1};
  tsr_walk w = tsr__walk_rows(inner, bind->n);
  r.numbers = bind->base[NUMBERS];
  r.to = bind->base[TO];
  for (;;) {
    take_row(&r, tsr__dtype_size(t->dtype));
    const int k = tsr__walk_next(&w);
    if (k < 0) return;
    r.numbers += tsr__walk_change(&w, k, bind->stride_bytes[NUMBERS]);
    r.to += tsr__walk_change(&w, k, bind->stride_bytes[TO]);
  }
}
